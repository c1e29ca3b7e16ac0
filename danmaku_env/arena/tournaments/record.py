"""The folder of a tournament: its plan (jobs/folder.py), and every finished game as it comes.

`results.jsonl` has a line for each game, which ends with a checksum of the rest: a line that was not finished when the program was stopped,
or that has changed since, is recognised and dropped, and its game played again. Lines of older versions have no checksum and are trusted.
The answers of the games are in the lines and not in memory, except those of the first deal; `kept_game` reads a single game.
"""

from __future__ import annotations

import contextlib
import json
import os
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from io import FileIO
from pathlib import Path
from typing import Any

from danmaku_env.arena.jobs.folder import begun, cannot_write, how_to_go_on, read_spec
from danmaku_env.arena.matches.match import Result
from danmaku_env.arena.tournaments.plan import Chunk, Plan
from danmaku_env.console.errors import UserError
from danmaku_env.files import open_file, sweep
from danmaku_env.game import write_atomically

(RESULTS,) = Plan.RESULTS
SHOWN_DEAL = 0
"""The deal whose games have pages."""
_RULES = "rules"
"""The name, among the versions and in the line of a game, of the fingerprint of the rules."""
_SEAL = b',"check":"'
_SEAL_SIZE = len(_SEAL) + len('01234567"}')
_UNSEALED = frozenset({"key", "rewards", "roles", "decisions", "faults", "answers"})
"""What older versions wrote of a game."""
_UNREADABLE = (ValueError, KeyError, TypeError, RecursionError, OverflowError)
"""What invalid lines raise."""


class Record:
    """The results of a plan in a folder, open for more. Use as a context manager."""

    def __init__(self, folder: Path | None, plan: Plan, versions: Mapping[str, str], words: Sequence[str] = ()) -> None:
        """Open the folder, beginning it where it is new; None: the next free one.

        `versions` names what else results depend on, `words` what else the command said. Raises UserError when the folder belongs to
        another plan or to other versions, or is in use.
        """
        self.plan = plan
        self.words = words
        self._rules = versions.get(_RULES)
        self.remarks: list[str] = []
        """What a person should know of the games that were there, a sentence each."""
        with contextlib.ExitStack() as stack:
            self.folder = stack.enter_context(begun(folder, plan, versions))
            try:
                sweep(self.folder / RESULTS)
                self._file = self._open()
                stack.callback(lambda: self._file.close())
                self.results = {result.key: result for result in self._read()}
                """Finished games by key: (players, deal, rotation)."""
            except OSError as error:
                raise UserError(f"the folder {self.folder} cannot be used: {error.strerror}") from None
            self._stack = stack.pop_all()

    def _open(self) -> FileIO:
        """The results, open for more."""
        return open(self.folder / RESULTS, "ab", buffering=0)

    def _read(self) -> list[Result]:
        """The games of the whole lines; the file is written anew without lines that are torn or foreign."""
        path = self.folder / RESULTS
        with open_file(path) as file:
            whole, _, torn = file.read().rpartition(b"\n")
        kept: dict[tuple[int, ...], tuple[Result, bytes]] = {}
        lines, unchecked = whole.split(b"\n") if whole else [], 0
        for line in lines:
            with contextlib.suppress(*_UNREADABLE):
                data = _opened(line)
                result = Result.from_dict(data, self.plan.table.max_turns)
                if self._fits(result) and data.get(_RULES, self._rules) == self._rules and result.key not in kept:
                    kept[result.key] = _remembered(result), line
                    unchecked += not _is_sealed(line)
        if len(kept) < len(lines) or torn:
            write_atomically(path, b"".join(line + b"\n" for _, line in kept.values()))
            self._file.close()
            self._file = self._open()
        self._remark(len(lines) - len(kept), unchecked)
        return [result for result, _ in kept.values()]

    def _remark(self, dropped: int, unchecked: int) -> None:
        """Say what the file held that was not as it should be."""
        if dropped:
            words = "were damaged, or no games of this plan: what is missing is played again."
            self.remarks.append(f"{dropped:,} lines of {self.folder / RESULTS} {words}")
        if unchecked:
            words = "were written by an older version, without checksums: whether they have changed since cannot be told."
            self.remarks.append(f"{unchecked:,} games in {self.folder / RESULTS} {words}")

    def _fits(self, result: Result) -> bool:
        """Whether this is a game of the plan."""
        if len(result.key) != 3:
            return False
        players, deal, rotation = result.key
        inside = players in self.plan.players and 0 <= deal < self.plan.deals and 0 <= rotation < self.plan.rotations
        return inside and len(result.rewards) == players and all(0 <= fault.agent < len(self.plan.agents) for fault in result.faults)

    def add(self, result: Result) -> None:
        """Keep a finished game; it is in the file when this returns. A game that is there already is not written again.

        Raises UserError when the disk is full.
        """
        if result.key in self.results:
            return
        data = result.to_dict() | ({_RULES: self._rules} if self._rules else {})
        line = memoryview(_sealed(data) + b"\n")
        try:
            while line:
                line = line[self._file.write(line) :]
        except OSError as error:
            raise cannot_write(self.folder, error, len(self.results), self.again) from None
        self.results[result.key] = _remembered(result)

    @property
    def again(self) -> str:
        """The command that plays the rest."""
        return how_to_go_on(self.plan.command(self.words), self.folder)

    def missing(self) -> Iterator[Chunk]:
        """The chunks of the plan in which a game is not finished; each is played whole, because agents draw random numbers for all of it.

        They are planned as they are asked for: a tournament of any size starts at once.
        """
        for chunk in self.plan.chunks():
            if any(job.key not in self.results for job in chunk.jobs):
                yield chunk

    def close(self) -> None:
        """Make sure everything is on the disk."""
        if not self._file.closed:
            with contextlib.suppress(OSError):  # a full disk was spoken of by `add`
                os.fsync(self._file.fileno())
        self._stack.close()

    def __enter__(self) -> Record:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _sealed(data: Mapping[str, Any]) -> bytes:
    """A line for the data, with its checksum as the last value."""
    return _sealed_text(json.dumps(data, separators=(",", ":")).encode())


def _sealed_text(text: bytes) -> bytes:
    return b'%s%s%08x"}' % (text[:-1], _SEAL, zlib.crc32(text))


def _is_sealed(line: bytes) -> bool:
    return line[-_SEAL_SIZE:].startswith(_SEAL)


def _opened(line: bytes) -> dict[str, Any]:
    """The data of a line. Raises ValueError for one that has changed since it was written, as far as that can be told.

    A line without a checksum is one of an older version, if it has nothing that those did not write.
    """
    if _is_sealed(line):
        data: Any = json.loads(text := line[:-_SEAL_SIZE] + b"}")
        is_whole = line == _sealed_text(text)
    else:
        data = json.loads(line)
        is_whole = isinstance(data, dict) and data.keys() <= _UNSEALED
    if not (is_whole and isinstance(data, dict)):
        raise ValueError("the line has changed since it was written")
    return data


def _remembered(result: Result) -> Result:
    """What of a game stays in memory: its answers where a page can be asked for."""
    _, deal, _ = result.key
    return result if deal == SHOWN_DEAL else replace(result, answers=())


def kept_game(folder: Path, key: tuple[int, ...]) -> tuple[Plan, Result, str | None]:
    """A game of the tournament in a folder, with its answers, the plan before it and the rules that made it behind it, where that is known.

    Raises UserError where the game is not.
    """
    plan, versions = read_spec(Plan, folder)
    begins = f'{{"key":{json.dumps(key, separators=(",", ":"))},'.encode()
    try:
        with open_file(folder / RESULTS) as file:
            for line in file:
                if line.startswith(begins):
                    with contextlib.suppress(*_UNREADABLE):
                        data = _opened(line.rstrip(b"\n"))
                        return plan, Result.from_dict(data, plan.table.max_turns), data.get(_RULES, versions.get(_RULES))
    except OSError as error:
        raise UserError(f"the games in {folder} cannot be read: {error.strerror}") from None
    raise UserError(f"the game {'/'.join(map(str, key))} is not among the finished games in {folder}")
