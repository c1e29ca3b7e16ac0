"""Games under way as files, each with its table: a server that ends, or is ended, goes on with them under the same links.

A file is a replay of the game so far, with the table beside it: who sits where, and the secrets of the links. Only its owner may read it.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from danmaku_env.agents.seating import strongest_quick
from danmaku_env.files import alone_with, open_file
from danmaku_env.game import Replay, ReplayError, read_json, write_atomically
from danmaku_env.play.browser.pace import Pace
from danmaku_env.play.browser.table import SeatedPerson, ServedTable, Setting, is_name
from danmaku_env.play.game_in_play import PERSON
from danmaku_env.render.answers import ANSWER_KEYS

UNDER_WAY = "under-way"
"""The folder beside the finished games; another server that plays into the same folder has the next one."""
_SERVERS = 100
_VERSION = 1
_SECRET = re.compile(r"[\w-]{32}")
_PORTS = range(1, 1 << 16)


class Keeping:
    """The files of one server. Not to be used by two threads for the same table but through `write`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = threading.Lock()
        self._written: dict[Path, tuple[int, int]] = {}
        """File -> the number of the state that is in it, and the hash of its text."""

    def file(self, table: ServedTable) -> Path:
        """The file of a table; its name tells nothing."""
        return self.folder / f"{hashlib.sha256(table.host.encode()).hexdigest()[:16]}.json"

    def write(self, file: Path, number: int, text: str) -> None:
        """Write the state of that number, unless a later one has been written; "" removes the file. Raises OSError."""
        with self._lock:
            state, there = (number, hash(text)), self._written.get(file)
            if there and (number < there[0] or state == there):
                return
            if text:
                write_atomically(file, text.encode(), private=True)
            else:
                file.unlink(missing_ok=True)
            self._written[file] = state

    def forget(self, file: Path) -> None:
        """Nothing will be written for this table any more."""
        with self._lock:
            self._written.pop(file, None)

    def files(self) -> list[Path]:
        """The files that are there."""
        return sorted(self.folder.glob("*.json"))

    # ---- where the server was

    def address(self) -> tuple[int, str]:
        """The port at which it listened last, and the secret of its lobby; 0 and "" where that is not known."""
        there: Any = None
        with contextlib.suppress(OSError, ValueError), open_file(self.folder / _ADDRESS) as file:
            there = read_json(file.read()) if is_ours_alone(self.folder / _ADDRESS) else None
        port, secret = (there.get("port"), there.get("door")) if isinstance(there, dict) else (None, None)
        if type(port) is int and port in _PORTS and isinstance(secret, str) and (not secret or _SECRET.fullmatch(secret)):
            return port, secret
        return 0, ""

    def note_address(self, port: int, secret: str) -> None:
        """Remember them: links name the port."""
        write_atomically(self.folder / _ADDRESS, json.dumps({"port": port, "door": secret}).encode(), private=True)


_ADDRESS = "server.address"


@contextlib.contextmanager
def keeping(games: Path) -> Iterator[Keeping]:
    """The files of games under way beside finished ones, which nobody else writes meanwhile. Raises OSError."""
    with contextlib.ExitStack() as held:
        for number in range(1, _SERVERS):
            folder = games / (UNDER_WAY if number == 1 else f"{UNDER_WAY}-{number}")
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if held.enter_context(alone_with(folder / "in-use.lock")):
                yield Keeping(folder)
                return
        raise OSError(f"{_SERVERS - 1} servers play into {games}")


# ---------------------------------------------------------------- a table as text and back


def kept_text(table: ServedTable) -> str:
    """A table as it stood when somebody was last waited for."""
    game = json.loads(table.kept.replay().to_json())
    setting = table.setting
    people = [
        {name: getattr(person, name) for name in ("seat", "secret", "question", "read", "turn", "keys", "name", "drawn", "came")}
        for person in table.people.values()
    ]
    given = [seat for seat in table.people if table.is_played_by_agent(seat)]
    laid = {
        "version": _VERSION, "host": table.host, "agents": [setting.spec(seat) for seat in range(len(setting.seats))],
        "joining": table.joining, "watching": table.watching, "guided": setting.guided,
        "practice": setting.practice, "clock": setting.clock, "chairs": people, "given": given, "past": table.in_play.past,
    }  # fmt: skip
    return json.dumps({**game, "table": laid})


def table_of(text: str, names: Mapping[str, str], pace: Pace | None = None) -> ServedTable:
    """The table of such a text, at which agents play that have `names` (what they are called -> what they are made by) and no others.

    Raises ReplayError where it is not one.
    """
    replay = Replay.from_json(text)
    laid = json.loads(text).get("table")
    if not isinstance(laid, dict) or laid.get("version") != _VERSION:
        raise ReplayError("it is a game without a table that this version could go on with")
    game = replay.play()
    if game.over:
        raise ReplayError("its game is over")
    called = {spec: name for name, spec in names.items()}
    specs = _specs(laid, replay.config.num_players)
    default = strongest_quick()
    made = tuple(spec if spec == PERSON or spec in called else default for spec in specs)
    clock, practice = laid.get("clock"), laid.get("practice")
    if not isinstance(practice, bool) or not (clock is None or (type(clock) in (int, float) and 0 < clock < 1e6)):
        raise ReplayError('"practice" and "clock" of the table cannot be read')
    setting = Setting(
        replay.config, tuple(called.get(spec, spec) for spec in made), practice, clock, guided=laid.get("guided") is True, specs=made
    )
    table = ServedTable(setting, game=game, pace=pace)
    table.host = _secret(laid.get("host"))
    table.joining = _secret(laid.get("joining", table.joining))
    table.watching = _secret(laid.get("watching", table.watching))
    table.in_play.past = _past(laid, len(replay.answers)) if practice else []
    _sit_down(table, laid)
    for seat in _whole(laid.get("given"), len(specs)):
        if seat in table.people:
            table.in_play.hand_over(seat, table.helper(seat))
    return table


def _specs(laid: Mapping[str, Any], players: int) -> list[str]:
    specs = laid.get("agents")
    if not isinstance(specs, list) or len(specs) != players or not all(isinstance(spec, str) for spec in specs) or PERSON not in specs:
        raise ReplayError('"agents" of the table must name who plays each seat')
    return specs


def _sit_down(table: ServedTable, laid: Mapping[str, Any]) -> None:
    """Give the people their secrets, and how far they are."""
    people = laid.get("chairs")
    if not isinstance(people, list) or not all(isinstance(person, dict) for person in people):
        raise ReplayError('"chairs" of the table cannot be read')
    for data in people:
        seat, question, read = _whole([data.get(name) for name in ("seat", "question", "read")], 1 << 31)
        if seat not in table.people:
            raise ReplayError(f"no person sits in seat {seat} of the table")
        table.people[seat] = SeatedPerson(
            seat, _secret(data.get("secret")), left=table.people[seat].left, question=question, read=read,
            turn=_whole([data.get("turn", 0)], 1 << 31)[0], keys=_keys(data.get("keys", {})),
            name=_name(data.get("name", "")), drawn=data.get("drawn") is True, came=data.get("came") is True,
        )  # fmt: skip
    secrets = {table.host, table.joining, table.watching, *(person.secret for person in table.people.values())}
    if len(people) != len(table.people) or len(secrets) != len(table.people) + 3:
        raise ReplayError("each person at the table has a secret of their own")


def _name(name: object) -> str:
    """What a person calls themselves, "" where they have not said."""
    if not isinstance(name, str) or not (name == "" or is_name(name)):
        raise ReplayError("the table has a name that cannot be")
    return name


def _keys(keys: object) -> dict[str, str]:
    """The keys of a person's answers."""
    if not isinstance(keys, dict) or not all(isinstance(name, str) and key in (*ANSWER_KEYS, "") for name, key in keys.items()):
        raise ReplayError("the table has keys that cannot be")
    return dict(keys)


def _past(laid: Mapping[str, Any], answers: int) -> list[tuple[int, int]]:
    past = laid.get("past")
    if not isinstance(past, list) or not all(isinstance(pair, list) and len(pair) == 2 for pair in past):
        raise ReplayError('"past" of the table cannot be read')
    found = [(given, read) for given, read in (_whole(pair, 1 << 31) for pair in past)]
    if any(given >= answers for given, _ in found):
        raise ReplayError('"past" of the table is of another game')
    return found


def _whole(numbers: object, most: int) -> list[int]:
    """Whole numbers from 0 on. Raises ReplayError on anything else."""
    if not isinstance(numbers, list) or not all(type(number) is int and 0 <= number < most for number in numbers):
        raise ReplayError("the table has a number that cannot be")
    return numbers


def _secret(word: object) -> str:
    if not isinstance(word, str) or not _SECRET.fullmatch(word):
        raise ReplayError("the table has no secret for one of its links")
    return word


def is_ours_alone(file: Path) -> bool:
    """Whether nobody else may have written a file, where that can be told."""
    told = os.stat(file)
    return os.name != "posix" or (told.st_uid == os.getuid() and not told.st_mode & 0o022)
