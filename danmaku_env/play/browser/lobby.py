"""All tables of a server: laying a new one from what a form says, and finding one by a secret."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from http import HTTPStatus
from pathlib import Path
from typing import Any

from danmaku_env.agents.base import BeliefModel
from danmaku_env.agents.registry import AgentError
from danmaku_env.config import ConfigError, GameConfig
from danmaku_env.engine.state import FEWEST_CANDIDATES, MOST_CANDIDATES
from danmaku_env.game import Game, ReplayError, check_seed, replay_text
from danmaku_env.play.browser.agent_executor import AgentExecutor
from danmaku_env.play.browser.guided import GUIDED_SEATS, guided_game
from danmaku_env.play.browser.http_errors import Refused, malformed, not_now, unknown
from danmaku_env.play.browser.keeping import Keeping, is_ours_alone, table_of
from danmaku_env.play.browser.message import belief_panel
from danmaku_env.play.browser.naming import public_names
from danmaku_env.play.browser.pace import Pace
from danmaku_env.play.browser.room import Room, tell_terminal
from danmaku_env.play.browser.table import SeatedPerson, ServedTable, Setting
from danmaku_env.play.game_in_play import PERSON
from danmaku_env.render.table_view import OUTSIDE

MOST_TABLES = 100
"""Tables at once; a game that is over, or that nobody has touched for a while, makes room."""
IDLE = 6 * 3600.0
"""Seconds without activity after which a table may be cleared away."""
CLOCKS = (5.0, 3600.0)
"""Shortest and longest clock, in seconds."""
FEWEST_PLAYERS, MOST_PLAYERS = 4, 8
OF_THE_GAME = ("roles", "expansion", "characters")
"""Fields that are options of a GameConfig by the same names; left out, they are its defaults."""
_OTHERS = ("players", "bonus", "candidates", "clock", "practice", "ask", "seed", "guided")
FIELDS = frozenset((*_OTHERS, *OF_THE_GAME, *(f"seat{seat}" for seat in range(MOST_PLAYERS))))


_ON, _OFF = ("on", "1", "yes", "true"), ("off", "0", "no", "false")
"""What a box that can be ticked says; a browser says `on`, or nothing."""
_MOST_DIGITS = 40
"""More than any seed that a generator draws has."""
WHO_IS_ASKED = ("usual", "everybody", "able")
"""Who is asked in a window. usual: everybody if several people play, since a pause would tell, else those able to answer; everybody; able:
only those able to answer."""


class Lobby:
    """Where tables are laid."""

    def __init__(
        self, agents: Sequence[str], thinking: AgentExecutor, belief_model: BeliefModel | None, folder: Path, kept: Keeping | None = None,
        pace: Pace | None = None,
    ) -> None:  # fmt: skip
        """`agents` may be chosen, the usual one first; nothing else can be named from outside, as a name may run code.

        Games under way are kept as `kept` says, if at all.
        """
        self._specs = public_names(agents)
        self.agents = tuple(self._specs)
        """What they are called; what they are made by may tell of this machine."""
        self.folder = folder
        self._pace = pace or Pace()
        self._kept = kept
        self._thinking = thinking
        self._belief_model = belief_model
        self._believing = threading.Lock()
        self._rooms: dict[str, Room] = {}
        self._people: dict[str, tuple[Room, SeatedPerson]] = {}
        self._joining: dict[str, Room] = {}
        self._watching: dict[str, Room] = {}

    def lay(self, fields: Mapping[str, str]) -> Room:
        """A new table as a form describes it. Refused with what is wrong."""
        guided = _is_ticked(fields, "guided")
        return self._lay(Setting(guided_game().config, GUIDED_SEATS, practice=True, guided=True) if guided else self.setting(fields))

    def again(self, room: Room) -> None:
        """Lay the table of a finished game once more, for the same people. Refused while it goes on."""
        before = room.table
        if not before.shown.over:
            raise not_now("The game is not over: it is played to its end first.")
        if before.following:
            return
        following = self._lay(replace(before.setting, seed=None))
        for seat, person in following.table.people.items():
            person.name = before.people[seat].name
        before.following = {OUTSIDE: following.table.watching} | {seat: person.secret for seat, person in following.table.people.items()}
        following.start()

    def _lay(self, setting: Setting) -> Room:
        self._make_room()
        try:
            table = ServedTable(setting, game=guided_game() if setting.guided else None, pace=self._pace)
        except AgentError as error:
            tell_terminal(str(error))
            raise malformed("The table cannot be laid: one of its agents cannot be made.") from None
        return self._open(table)

    def _open(self, table: ServedTable) -> Room:
        room = Room(table, self._thinking, self.belief_panel, self.folder, self._kept)
        self._rooms[table.host] = room
        self._joining[table.joining] = room
        self._watching[table.watching] = room
        self._people |= {person.secret: (room, person) for person in table.people.values()}
        return room

    def belief_panel(self, game: Game, seat: int) -> str:
        """The belief panel of a seat, in any thread: one at a time, since the belief model is written to while it thinks."""
        with self._believing:
            return belief_panel(game, seat, self._belief_model)

    def resume(self) -> int:
        """Go on with the games that were kept; how many there are. What cannot be read is said, and left where it is."""
        if self._kept is None:
            return 0
        for file in self._kept.files():
            try:
                if not is_ours_alone(file):
                    raise ReplayError("others may write to it")
                table = table_of(replay_text(file), self._specs, self._pace)
                if file != self._kept.file(table):
                    raise ReplayError(f"it is a copy, or was renamed: the file of its table is {self._kept.file(table).name}")
                room = self._open(table)
            except (ReplayError, AgentError, OSError) as error:
                tell_terminal(f"{file}: {error}")
                continue
            room.start()
        return len(self._rooms)

    def keep(self) -> int:
        """Write all tables as they are; how many games go on."""
        return sum([room.keep() for room in self._rooms.values()])

    def setting(self, fields: Mapping[str, str]) -> Setting:
        """What a form asks for. Refused with what is wrong."""
        if strange := sorted(set(fields) - FIELDS):
            raise malformed(f"A table has no {strange[0][:40]!r}; it has {', '.join(sorted(FIELDS))}.")
        players = _number(fields.get("players", "6"), "the number of players", FEWEST_PLAYERS, MOST_PLAYERS)
        seats = self._seats(fields, players)
        practice, bonus, seed = _is_ticked(fields, "practice"), _is_ticked(fields, "bonus"), fields.get("seed", "").strip()
        if practice and seats.count(PERSON) > 1:
            raise malformed("Answers are taken back only where one person plays: a practice table has one person.")
        if seed and not practice:
            raise malformed("A seed tells everything about a game before it is played: it can be chosen at a practice table only.")
        everybody = _asks_everybody(fields.get("ask", WHO_IS_ASKED[0]), seats.count(PERSON))
        game: dict[str, Any] = {name: fields[name] for name in OF_THE_GAME if name in fields}
        if "candidates" in fields:
            game["candidates"] = _number(fields["candidates"], "the number of candidates", FEWEST_CANDIDATES, MOST_CANDIDATES)
        try:
            config = GameConfig(num_players=players, bonus_character=bonus, ask_everyone=everybody, ask_forced=everybody, **game)
            number = check_seed(_digits(seed)) if seed else None
        except (ConfigError, ValueError) as error:
            raise malformed(f"The table cannot be laid: {str(error)[:200]}.") from None
        clock = fields.get("clock", "").strip()
        specs = tuple(self._specs.get(name, name) for name in seats)
        return Setting(config, seats, practice, _number(clock, "the clock", *CLOCKS) if clock else None, number, specs=specs)

    def _seats(self, fields: Mapping[str, str], players: int) -> tuple[str, ...]:
        """Who sits where."""
        seats = tuple(fields.get(f"seat{seat}", PERSON if seat == 0 else self.agents[0]) for seat in range(players))
        for seat, name in enumerate(seats):
            if name != PERSON and name not in self.agents:
                raise malformed(f"Nobody called {name[:40]!r} can sit in seat {seat}: choose {PERSON}, {', '.join(self.agents)}.")
        if PERSON not in seats:
            raise malformed("Nobody would play: let a person sit somewhere. `danmaku watch` shows games of agents.")
        return seats

    def room(self, host: str) -> Room:
        """The table of a host. Refused where there is none."""
        if host not in self._rooms:
            raise unknown("This link leads to no table: it may have been cleared away, or the server was started anew.")
        return self._rooms[host]

    def person(self, secret: str) -> tuple[Room, SeatedPerson]:
        """The table of a secret, and its person there. Refused where there is none."""
        if secret not in self._people:
            raise unknown("This link opens no seat here: it may be incomplete, or the server was started anew.")
        return self._people[secret]

    def joined(self, secret: str) -> Room:
        """The table of a joining link. Refused where there is none."""
        if secret not in self._joining:
            raise unknown("This link leads to no table: it may have been cleared away, or the server was started anew.")
        return self._joining[secret]

    def watched(self, secret: str) -> Room:
        """The table of a spectators' link. Refused where there is none."""
        if secret not in self._watching:
            raise unknown("This link leads to no table: it may have been cleared away, or the server was started anew.")
        return self._watching[secret]

    def draw(self, secret: str) -> str:
        """The secret of a seat for somebody who comes by a joining link. Refused where all are taken."""
        room = self.joined(secret)
        person, before = room.draw()
        del self._people[before]
        self._people[person.secret] = (room, person)
        return person.secret

    def _make_room(self) -> None:
        if len(self._rooms) < MOST_TABLES:
            return
        now = time.monotonic()
        for host, room in list(self._rooms.items()):
            empty = not any(person.pages for person in room.table.people.values())
            if empty and (room.table.game.over or now - room.used > IDLE):
                self._clear(host)
        if len(self._rooms) >= MOST_TABLES:
            raise Refused(HTTPStatus.SERVICE_UNAVAILABLE, f"{MOST_TABLES} tables are laid, and games are on at all of them: try later.")

    def _clear(self, host: str) -> None:
        room = self._rooms.pop(host)
        del self._joining[room.table.joining], self._watching[room.table.watching]
        room.clear()
        for person in room.table.people.values():
            del self._people[person.secret]


def _asks_everybody(ask: str, people: int) -> bool:
    if ask not in WHO_IS_ASKED:
        raise malformed(f"Who is asked is one of {', '.join(WHO_IS_ASKED)}, not {ask[:40]!r}.")
    return ask == "everybody" or (ask == "usual" and people > 1)


def _is_ticked(fields: Mapping[str, str], name: str) -> bool:
    word = fields.get(name, _OFF[0])
    if word not in (*_ON, *_OFF):
        raise malformed(f"{name.capitalize()} is on or off, not {word[:40]!r}.")
    return word in _ON


def _digits(text: str) -> int | str:
    """The number that the text is, or the text: int() reads more than digits, and not any number of them."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS else text


def _number(text: str, what: str, low: float, high: float) -> int:
    if not (text.isascii() and text.isdecimal()) or len(text) > 6 or not low <= int(text) <= high:
        raise malformed(f"{what.capitalize()} is a whole number from {low:g} to {high:g}, not {text[:40]!r}.")
    return int(text)
