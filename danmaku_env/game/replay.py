"""`Replay`: a game as seed, configuration and answers, and the JSON file that holds them.

A replay is played again by the rules of today, if they are those that made it (rules.py); the bytes of a game as it stands are saving.py.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from danmaku_env import views
from danmaku_env.arguments import file_path, sequence, shown, whole_number
from danmaku_env.files import write_atomically
from danmaku_env.game.any_game import AnyGame, game_class
from danmaku_env.game.errors import IllegalAction, ReplayError
from danmaku_env.game.rules import as_today, check_rules, rules_named, warn_of_unknown_rules, whose_rules
from danmaku_env.game.saving import GAME_VERSION, agent_names, answer_numbers, game_in_file, history, read_json, record_from_bytes
from danmaku_env.seeds import check_seed
from danmaku_env.spec import GameSpec, default_spec, spec_of

if TYPE_CHECKING:
    from danmaku_env.game.game import Game

_MOST_BYTES = 64 << 20
"""Of a file that is read as a replay: no game is as long, and a device may have no end."""
REPLAY_BEGINS = b'{"danmaku_replay": '
"""What every file of a replay begins with."""
_TODAY = "the rules of today"


def _where_it_breaks_off(text: str | bytes) -> str:
    """Which answer is the first that a truncated replay does not have in full."""
    answers = re.search(r'"answers": \[([\d, ]*)$', text) if isinstance(text, str) else None
    return f"; it breaks off at answer {answers[1].count(',')}" if answers else ""


def _winners(winners: object, players: int) -> tuple[int, ...] | None:
    """The seats in their order. Raises ValueError on anything but a list of seats, or None."""
    if winners is None:
        return None
    given = sequence(winners)
    seats = {number for number in map(whole_number, given or ()) if number is not None and 0 <= number < players}
    if given is None or len(seats) != len(given):
        raise ValueError(f'"winners" must be a list of seats from 0 to {players - 1}, not {shown(winners)}')
    return tuple(sorted(seats))


def _seats(seats: Sequence[int]) -> str:
    """`seats 0, 3`."""
    return f"seat{'s' * (len(seats) > 1)} {', '.join(map(str, seats))}" if seats else "nobody"


@dataclass(frozen=True)
class Replay:
    """A game as seed, configuration and answers: a JSON file that plays back to the same bytes."""

    config: Any
    seed: int
    answers: tuple[int, ...]
    agents: tuple[str, ...] = ()
    start: bytes | None = None
    """Starting record of a game that did not begin at its set-up."""
    rules: str | None = field(default=_TODAY, kw_only=True)
    """The fingerprint of the rules that made it; None where a file does not say."""
    winners: tuple[int, ...] | None = field(default=None, kw_only=True, compare=False)
    """Seats that had won at its end; None where it had not ended, or where a file does not say."""

    def __post_init__(self) -> None:
        try:
            spec = spec_of(self.config)
        except TypeError:
            named = default_spec().config.__name__
            raise ReplayError(f"the configuration of a replay is a {named}, not {shown(self.config)}") from None
        if self.rules is _TODAY:
            object.__setattr__(self, "rules", spec.rules())
        if self.start is not None and not isinstance(self.start, bytes):
            raise ReplayError(f"the starting record of a replay is bytes, not {shown(self.start)}")
        try:
            object.__setattr__(self, "seed", check_seed(self.seed))
            object.__setattr__(self, "answers", answer_numbers(self.answers))
            object.__setattr__(self, "agents", agent_names(self.agents, self.config.num_players))
            object.__setattr__(self, "rules", as_today(rules_named(self.rules), self.config))
            object.__setattr__(self, "winners", _winners(self.winners, self.config.num_players))
        except ValueError as error:
            raise ReplayError(str(error)) from None

    @property
    def spec(self) -> GameSpec:
        """The game it is of."""
        return spec_of(self.config)

    def begin(self, *, other_rules: bool = False) -> Game:
        """The game before the first answer. Raises ReplayError for an impossible start, or one of another configuration.

        One that was made under other rules is refused (OtherRules), unless `other_rules` asks for the attempt.
        """
        check_rules(self.rules, "the replay", other_rules=other_rules, spec=self.spec)
        if self.start is None:
            game: Game = game_class(self.config).new(self.config, self.seed)
        else:
            game = game_class(self.config)(record_from_bytes(self.start, self.config), self.config, start=self.start)
        game.agents = self.agents
        return game

    def positions(self, *, other_rules: bool = False) -> Iterator[Game]:
        """One and the same game after 0, 1, 2 ... answers. Raises ReplayError at the first answer that cannot be, or for another end.

        One that was made under other rules is refused (OtherRules), unless `other_rules` asks for the attempt.
        """
        game = self.begin(other_rules=other_rules)
        yield game
        for place, answer in enumerate(self.answers):
            try:
                game.act(answer)
            except IllegalAction as error:
                raise ReplayError(f"answer {place} of the replay cannot be{self.whose_rules}: {error}") from None
            yield game
        self.check_end(game)

    def play(self, *, other_rules: bool = False) -> Game:
        """The game after the last answer. Raises as `positions` does."""
        *_, game = self.positions(other_rules=other_rules)  # one and the same game
        return game

    @property
    def whose_rules(self) -> str:
        """What is to be added where the game diverged: under which rules it was made, "" if they are those of today."""
        return whose_rules(self.rules, self.spec)

    def check_end(self, game: AnyGame) -> None:
        """Raise ReplayError where the game after the last answer is not the one that was played: its winners are others.

        A replay that was cut short by hand is still the same game, as long as the rules are the same.
        """
        if self.winners is None or (not game.over and self.rules == self.spec.rules()):
            return
        found = f"{_seats(game.winners)} won" if game.over else "nobody has won, for it is not over"
        if not game.over or tuple(game.winners) != self.winners:
            ended = f"{_seats(self.winners)} had won, and after the last answer {found}"
            raise ReplayError(f"the replay became another game{self.whose_rules}: {ended}")

    def _repr_html_(self) -> str:
        """The whole game, to be stepped through in a notebook, with what everybody believed under it."""
        return str(views.drawn(views.REPLAY, self.spec, self))

    def to_json(self) -> str:
        """The file's text."""
        data: dict[str, Any] = {"danmaku_replay": GAME_VERSION, **game_in_file(self.config)}
        data |= {} if self.rules is None else {"rules": self.rules}
        data |= {"config": self.config.to_dict(), "seed": self.seed, "agents": list(self.agents)}
        data |= {} if self.winners is None else {"winners": list(self.winners)}
        if self.start is not None:
            data["start"] = base64.b64encode(self.start).decode()
        return json.dumps({**data, "answers": self._names()})

    def _names(self) -> list[str] | list[int]:
        """The answers by name, where files of its game name them, as they are called when they are given; else their numbers."""
        if self.spec.actions_of is None or not all(0 <= answer < self.spec.num_actions for answer in self.answers):
            return list(self.answers)
        return [name for _, name in self._walk(self.answers, lambda names, place: self.answers[place])]

    def _walk(self, answers: Sequence[object], number_of: Callable[[tuple[str, ...], int], int]) -> Iterator[tuple[int, str]]:
        """Number and name of each answer; from one that cannot be on, as they are called where the game has come to."""
        game, plays = self.begin(other_rules=True), True
        for place in range(len(answers)):
            names = self.spec.actions_of(game.record) if self.spec.actions_of else ()
            number = number_of(names, place)
            yield number, names[number]
            try:
                if plays:
                    game.act(number)
            except IllegalAction:
                plays = False

    @classmethod
    def from_json(cls, text: str) -> Replay:
        """The inverse of `to_json`. Raises ReplayError saying what is wrong, and warns (RulesWarning) of a text that names no rules."""
        found = cls._read(text)
        if found.rules is None:
            warn_of_unknown_rules("the replay", found.spec)
        return found

    @classmethod
    def _read(cls, text: str) -> Replay:
        if not isinstance(text, (str, bytes)):
            raise ReplayError(f"a replay is a text, not {shown(text)}")
        try:
            data = read_json(text)
        except ValueError as error:
            raise ReplayError(f"the replay is not readable JSON: {error}{_where_it_breaks_off(text)}") from None
        if not isinstance(data, dict) or "danmaku_replay" not in data:
            raise ReplayError('this is no replay: it has no "danmaku_replay" version')
        if whole_number(data["danmaku_replay"]) != GAME_VERSION:
            raise ReplayError(f"a replay of version {shown(data['danmaku_replay'])}; this program reads version {GAME_VERSION}")
        for name in ("answers", "config", "seed"):
            if name not in data:
                raise ReplayError(f"the replay has no {name!r}")
        try:
            named = sequence(data["answers"]) or ()
            _check_alike(named)
            config, answers, agents, start = history({**data, "answers": []} if any(isinstance(name, str) for name in named) else data)
            found = cls(config, data["seed"], answers, agents, start, rules=data.get("rules"), winners=data.get("winners"))
            return found if len(answers) == len(named) else replace(found, answers=found._numbers(named))
        except ValueError as error:
            raise ReplayError(f"the replay is damaged: {error}") from None

    def _numbers(self, named: Sequence[object]) -> tuple[int, ...]:
        """The answers behind their names. Raises ValueError for a name that no answer has."""

        def number_of(names: tuple[str, ...], place: int) -> int:
            name = named[place]
            if name not in names:
                raise ValueError(f"answer {place} is {shown(name)}, which is no answer of this game")
            return names.index(str(name))

        return tuple(number for number, _ in self._walk(named, number_of))

    def save(self, path: str | Path) -> None:
        """Write the file, atomically."""
        write_atomically(path, self.to_json().encode())

    @classmethod
    def load(cls, path: str | Path) -> Replay:
        """Read a file. Raises ReplayError, or OSError when there is no such file, and warns (RulesWarning) of one that names no rules."""
        found = cls._read(replay_text(path))
        if found.rules is None:
            warn_of_unknown_rules(f"the replay {path}", found.spec)
        return found


def _check_alike(answers: Sequence[object]) -> None:
    """Raise ValueError for answers of which some are names and some are not, at the first of the fewer."""
    names = [isinstance(answer, str) for answer in answers]
    if len(set(names)) > 1:
        fewer = sum(names) * 2 < len(names)
        place = names.index(fewer)
        others = "numbers" if fewer else "names"
        raise ValueError(f"answer {place} is {shown(answers[place])}, which is no answer of this game: the others are {others}")


def replay_text(path: str | Path) -> str:
    """What a file holds that may be a replay. Raises ReplayError where it cannot be, or OSError when there is no such file."""
    with file_path(path).open("rb") as file:
        data = file.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise ReplayError(f"{path} is longer than {_MOST_BYTES >> 20} MiB, so it is no replay")
    try:
        return data.decode("utf-8-sig")  # some editors write a mark at the beginning
    except UnicodeDecodeError:
        raise ReplayError(f"{path} is no text file, so it is no replay") from None
