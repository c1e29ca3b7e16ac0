"""The Python face of the engine: `Game`, `Scenario`, `Replay`."""

from __future__ import annotations

import base64
import json
import os
import re
import struct
import tempfile
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.compile import CHARACTER_IDS, INCIDENT_IDS, ITEM_IDS, KIND_IDS, NUM_ROLES, ROLE_IDS, compile_cards
from danmaku_env.cards.incidents import INCIDENTS
from danmaku_env.cards.roles import ADVANCED, BASIC, ROLES
from danmaku_env.config import BASE_CHARACTERS, ConfigError, GameConfig
from danmaku_env.engine import actions, batch, checks, piles
from danmaku_env.engine import resample as resampling
from danmaku_env.engine import state as st
from danmaku_env.engine.compiled import compile_once
from danmaku_env.engine.observe import STATE_SIZE
from danmaku_env.engine.procedures import turn
from danmaku_env.wording import Log, action_index, action_name, card_name, stack_lines

Array = npt.NDArray[Any]
SCHEMA = 1
_MAGIC = b"DNMK"
_HEADER = struct.Struct("<4sHII")


class IllegalAction(ValueError):  # noqa: N818 - the design's public name
    """An answer that is not legal now; the message names the seat, the question and the legal answers."""


class ScenarioError(ValueError):
    """A position that cannot be; the message says why."""


class ReplayError(ValueError):
    """A file or byte string that is no replay or saved game of this version; the message says what is wrong."""


def check_seed(seed: int) -> int:
    """The seed as an int. Raises ValueError unless it is a whole number from 0 to 2**62 - 1."""
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or not 0 <= int(seed) < 1 << batch.SEED_BITS:
        raise ValueError(f"a seed is a whole number from 0 to 2**{batch.SEED_BITS} - 1, not {seed!r}")
    return int(seed)


_ROW_STEP = 0x3C6EF372FE94F82B


def row_seeds(seed: int, rows: int) -> Array:
    """[rows] seeds of a batch: row 0 has the seed itself."""
    places = np.arange(rows, dtype=np.uint64) * np.uint64(_ROW_STEP) + np.uint64(seed)
    seeds: Array = (places & np.uint64((1 << batch.SEED_BITS) - 1)).astype(np.int64)
    return seeds


def status_error(s: Any) -> RuntimeError:
    """What to raise when the machine stopped: never expected."""
    return RuntimeError(
        f"the machine stopped with status {int(s['status'])} in the game of seed {int(s['seed'])}, decision {s['decisions']}"
    )


def write_atomically(path: str | Path, data: bytes) -> None:
    """Write to a temporary file beside the target, then rename."""
    target = Path(path)
    descriptor, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(temporary, 0o666 & ~umask)  # mkstemp makes it private; a result is as readable as any file
        os.replace(temporary, target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


class Seat:
    """One seat of a game, read-only, seen from above (everything, hidden or not)."""

    def __init__(self, game: Game, index: int) -> None:
        self._game = game
        self._s = game.record
        self.index = index

    @property
    def life(self) -> int:
        """0 to `max_life`."""
        return int(self._s["life"][self.index])

    @property
    def max_life(self) -> int:
        """4, or 5 with a role that raises it."""
        return int(self._game._numbers()[self.index, 0])

    @property
    def max_hand(self) -> int:
        """Max hand size now."""
        return int(self._game._numbers()[self.index, 1])

    @property
    def range(self) -> int:
        """At least 1."""
        return int(self._game._numbers()[self.index, 2])

    @property
    def danmaku_limit(self) -> int:
        """Danmaku cards per round; 99 = unlimited."""
        return int(self._game._numbers()[self.index, 3])

    @property
    def danmaku_played(self) -> int:
        """Danmaku cards counted since the seat's last turn start."""
        return int(self._s["danmaku_played"][self.index])

    @property
    def spell_used(self) -> bool:
        """Whether a Spell Card was activated since the seat's last turn start."""
        return bool(self._s["spell_used"][self.index])

    @property
    def skip_next(self) -> bool:
        """Whether the next turn must be skipped."""
        return bool(self._s["skip_next"][self.index])

    @property
    def skipped_last(self) -> bool:
        """Whether the last turn was skipped."""
        return bool(self._s["skipped_last"][self.index])

    @property
    def hand(self) -> list[str]:
        """Cards in hand, `shoot/spring`, in card order."""
        return self._cards(st.IN_HAND)

    @property
    def items(self) -> list[str]:
        """Items in play under this seat's control."""
        return self._cards(st.IN_PLAY)

    @property
    def role(self) -> str:
        """Role id; "" for the former Heroine after a takeover."""
        return ROLE_IDS[int(self._s["role"][self.index])]

    @property
    def role_revealed(self) -> bool:
        """Whether everybody knows the role."""
        return int(self._s["role_seen"][self.index]) == piles.EVERYBODY

    @property
    def character(self) -> str:
        """Character id, or ""."""
        number = int(self._s["character"][self.index])
        return CHARACTER_IDS[number - 1] if number else ""

    @property
    def candidates(self) -> list[str]:
        """Characters dealt for the choice at set-up."""
        return [name for number, name in enumerate(CHARACTER_IDS) if int(self._s["candidates"][self.index]) >> number & 1]

    @property
    def defeated(self) -> bool:
        """Whether the seat is out of the game."""
        return not int(self._s["active"]) >> self.index & 1

    def _cards(self, zone: int) -> list[str]:
        total = int(compile_cards().tables[0]["num_cards"])
        held = (self._s["zone"][:total] == zone) & (self._s["holder"][:total] == self.index)
        return [card_name(int(card)) for card in np.flatnonzero(held)]

    def __repr__(self) -> str:
        return f"<Seat {self.index}: {self.character or 'no character'}, {self.role or 'no role'}, life {self.life}>"


class Game:
    """One game. Make one with `Game.new`, `Scenario.build`, `Game.from_bytes` or `Replay.play`."""

    def __init__(self, record: Array, config: GameConfig, *, start: bytes | None = None) -> None:
        """Wrap a record array of shape (1,); use the constructors named above instead."""
        compile_once()
        self.config = config
        self.agents: tuple[str, ...] = ()
        """Optional names of who plays the seats; kept in replays."""
        self._games = record
        self._raw = st.as_bytes(record)
        self._tables = compile_cards().tables
        self._settings = config.settings()
        self._input: Array = np.zeros(1, np.int64)
        self._status: Array = np.zeros(1, np.int8)
        self._answers: list[int] = []
        self._start = start
        self._older: list[Array] = []
        self._logged = max(0, int(record["log_count"][0]) - st.LOG_ROWS)
        self._keep_log()

    # ---- making

    @classmethod
    def new(cls, config: GameConfig | None = None, seed: int = 0) -> Game:
        """A fresh game at its first question. The same config and seed give the same game, always."""
        game = cls(np.zeros(1, st.STATE), config or GameConfig())
        game._input[0] = check_seed(seed)
        game._drive(batch.START)
        return game

    @classmethod
    def from_record(cls, record: Array, config: GameConfig) -> Game:
        """A game from a record of a batch, shape (1,), which it takes over. Its replay starts here."""
        return cls(record, config, start=record.tobytes())

    def clone(self) -> Game:
        """An independent copy at the same instant."""
        copy = Game(self._games.copy(), self.config, start=self._start)
        copy.agents = self.agents
        copy._answers = self._answers.copy()
        copy._older = self._older.copy()
        return copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        return self.clone()

    def __reduce__(self) -> tuple[Any, ...]:
        return Game.from_bytes, (self.to_bytes(),)

    def __eq__(self, other: object) -> bool:
        """Same configuration and same bytes."""
        return isinstance(other, Game) and self.config == other.config and bool((self._raw == other._raw).all())

    def __hash__(self) -> int:
        return hash(self._raw.tobytes())

    # ---- asking and answering

    @property
    def record(self) -> Any:
        """The record itself (see engine/state.py); treat it as read-only."""
        return self._games[0]

    @property
    def records(self) -> Array:
        """[1] the record as a batch of one, for the entry points of batches; treat it as read-only."""
        return self._games

    @property
    def asking(self) -> int | None:
        """The seat that must answer, or None when the game is over."""
        seat = int(self.record["asking"])
        return None if seat == st.NOBODY else seat

    @property
    def question(self) -> str:
        """What is asked: "main", "attacked", "target", "discard" ... (actions.QUESTIONS)."""
        return actions.QUESTIONS[int(self.record["question"])]

    def legal_actions(self) -> list[int]:
        """Indices of the legal answers."""
        return [int(action) for action in np.flatnonzero(self.action_mask())]

    def legal(self) -> list[str]:
        """Names of the legal answers, with absolute seats."""
        asking = self.asking
        return [] if asking is None else [action_name(action, asking, self.config.num_players) for action in self.legal_actions()]

    def action_mask(self) -> Array:
        """[N] uint8, 1 for each legal answer of the pending question; all zero when the game is over."""
        mask: Array = np.zeros(actions.NUM_ACTIONS, np.uint8)
        batch.mask_rows(self._games, mask[np.newaxis])
        return mask

    def act(self, action: str | int) -> None:
        """Answer the pending question, by name or index. Raises IllegalAction, changing nothing."""
        index = self._index(action)
        self._input[0] = index
        self._drive(batch.STEP)
        if self._status[0] != st.OK:
            raise IllegalAction(self.illegal(action))
        self._answers.append(index)

    def _index(self, action: str | int) -> int:
        if isinstance(action, str):
            try:
                return action_index(action, self.asking or 0, self.config.num_players)
            except KeyError:
                raise IllegalAction(self.illegal(action)) from None
        if isinstance(action, bool) or not isinstance(action, (int, np.integer)):
            raise IllegalAction(f"an action is a name or a whole number, not {action!r}; {self._legal_words()}")
        return int(action) if 0 <= action < actions.NUM_ACTIONS else -1

    def illegal(self, action: str | int) -> str:
        """The sentence that refuses an answer."""
        name: str | int = action
        if isinstance(action, int) and 0 <= action < actions.NUM_ACTIONS and self.asking is not None:
            name = action_name(action, self.asking, self.config.num_players)
        return f"{name!r} is not legal: {self._legal_words()}"

    def _legal_words(self) -> str:
        if self.asking is None:
            return f"the game is over ({self.outcome}), nobody is asked"
        return f"seat {self.asking} is asked {self.question!r} and may answer {', '.join(self.legal())}"

    def _drive(self, mode: int) -> None:
        batch.drive(self._tables, self._settings, self._games, self._raw, self._input, self._status, mode)
        if self.record["status"] != st.OK:
            raise status_error(self.record)
        self._keep_log()

    # ---- looking

    def seat(self, index: int) -> Seat:
        """One seat. Raises IndexError beyond the table."""
        if not 0 <= index < self.config.num_players:
            raise IndexError(f"seat {index}: the seats are 0 to {self.config.num_players - 1}")
        return Seat(self, index)

    @property
    def seats(self) -> list[Seat]:
        """All seats in clockwise order."""
        return [Seat(self, index) for index in range(self.config.num_players)]

    def _numbers(self) -> Array:
        numbers: Array = np.zeros((st.SEATS, 4), np.int64)
        batch.measure(self._tables, self._games, 0, numbers, np.zeros((st.SEATS, 2), np.int64))
        return numbers

    def _distances(self, seat: int) -> Array:
        self.seat(seat)
        distances: Array = np.zeros((st.SEATS, 2), np.int64)
        batch.measure(self._tables, self._games, seat, np.zeros((st.SEATS, 4), np.int64), distances)
        return distances

    def distance(self, seat: int, other: int) -> int:
        """Distance from one active seat to another; 0 to oneself or where one is defeated (D-1)."""
        self.seat(other)
        return int(self._distances(seat)[other, 0])

    def in_range(self, seat: int, other: int) -> bool:
        """Whether `other` is in range of `seat`."""
        self.seat(other)
        return bool(self._distances(seat)[other, 1])

    def observe(self, seat: int) -> Array:
        """[n] uint8: everything the seat may know, and nothing more (docs/observation.md)."""
        self.seat(seat)
        row: Array = np.zeros(self.config.observation_size, np.uint8)
        batch.observe_rows(self._tables, self._games, np.array([seat]), row[np.newaxis])
        return row

    def state(self) -> Array:
        """[STATE_SIZE] uint8: the full state, for central critics."""
        row: Array = np.zeros(STATE_SIZE, np.uint8)
        batch.write_states(self._tables, self._games, row[np.newaxis])
        return row

    @property
    def incidents(self) -> list[str]:
        """Incidents in play, oldest first."""
        return [INCIDENT_IDS[int(number) - 1] for number in self.record["incidents"][: int(self.record["incident_size"])]]

    @property
    def incident(self) -> str | None:
        """The incident in play, or None."""
        return self.incidents[0] if self.incidents else None

    @property
    def collected(self) -> list[str]:
        """Cards collected by incidents in play."""
        return [card_name(int(card)) for card in np.flatnonzero(self.record["zone"] == st.COLLECTED)]

    @property
    def discard(self) -> list[str]:
        """The discard pile, bottom to top."""
        return [card_name(int(card) - 1) for card in self.record["discard"][: int(self.record["discard_size"])]]

    @property
    def deck(self) -> list[str]:
        """The Main deck, top first (nobody at the table may see this)."""
        return [card_name(int(card) - 1) for card in self.record["deck"][: int(self.record["deck_size"])][::-1]]

    @property
    def incident_deck(self) -> list[str]:
        """The incident deck, top first."""
        size = int(self.record["incident_deck_size"])
        return [INCIDENT_IDS[int(number) - 1] for number in self.record["incident_deck"][:size][::-1]]

    @property
    def turn(self) -> int:
        """The seat whose turn it is."""
        return int(self.record["current"])

    @property
    def turn_number(self) -> int:
        """Turns started, skipped ones included."""
        return int(self.record["turn_number"])

    @property
    def step(self) -> str:
        """setup, start, incident, draw, main or discard."""
        return st.STEPS[int(self.record["turn_step"])]

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.record["outcome"] != st.RUNNING)

    @property
    def outcome(self) -> str:
        """running, won, draw or truncated."""
        return st.OUTCOMES[int(self.record["outcome"])]

    @property
    def winners(self) -> list[int]:
        """Seats that have won, defeated ones included."""
        return [seat for seat in range(self.config.num_players) if int(self.record["winners"]) >> seat & 1]

    def rewards(self) -> list[float]:
        """+1 for each winner and -1 for the others once the game is won; else 0."""
        if self.record["outcome"] != st.WON:
            return [0.0] * self.config.num_players
        return [1.0 if seat in self.winners else -1.0 for seat in range(self.config.num_players)]

    # ---- what happened

    def _keep_log(self) -> None:
        """Keep the new events before the ring of the record overwrites them."""
        count = int(self.record["log_count"])
        if count > self._logged:
            first = max(self._logged, count - st.LOG_ROWS)
            self._older.append(self.record["log"][np.arange(first, count) % st.LOG_ROWS])
            self._logged = count

    @property
    def log(self) -> Log:
        """What happened, one line per event, as everybody knows it; `log.of(seat)` as a seat knows it, `log.above()` with everything.

        A game that was loaded or taken from a batch knows its last 1,024 events.
        """
        return Log(self.record, np.concatenate([np.zeros((0, st.EVENT_COLUMNS), np.uint8), *self._older]))

    def explain(self) -> str:
        """The stack in words, and who is asked what."""
        lines = stack_lines(self.record)
        if self.asking is not None:
            lines.append(f"seat {self.asking} is asked {self.question!r}: {', '.join(self.legal())}")
        return "\n".join(lines)

    # ---- saving

    def to_bytes(self) -> bytes:
        """The game and its history, with version and checksum."""
        head = {"config": self.config.to_dict(), "answers": self._answers, "agents": list(self.agents)}
        if self._start is not None:
            head["start"] = base64.b64encode(self._start).decode()
        text = json.dumps(head, separators=(",", ":")).encode()
        body = text + self._raw.tobytes()
        return _HEADER.pack(_MAGIC, SCHEMA, len(text), zlib.crc32(body)) + body

    @classmethod
    def from_bytes(cls, blob: bytes) -> Game:
        """The inverse of `to_bytes`. Raises ReplayError on anything else; nothing in it is executed."""
        if len(blob) < _HEADER.size or blob[:4] != _MAGIC:
            raise ReplayError("these bytes are no saved game: they do not begin with its mark")
        _, schema, size, checksum = _HEADER.unpack_from(blob)
        if schema != SCHEMA:
            raise ReplayError(f"a saved game of version {schema}; this program reads version {SCHEMA}")
        body = blob[_HEADER.size :]
        if len(body) != size + st.STATE_BYTES or zlib.crc32(body) != checksum:
            raise ReplayError("the saved game is truncated or was changed: its checksum does not match")
        try:
            head = json.loads(body[:size])
            config = GameConfig.from_dict(head["config"])
            start = base64.b64decode(head["start"]) if "start" in head else None
            answers = [int(answer) for answer in head["answers"]]
            agents = tuple(str(name) for name in head.get("agents", ()))
        except (ValueError, KeyError, TypeError) as error:
            raise ReplayError(f"the saved game has an unreadable head: {error}") from None
        record = record_from_bytes(body[size:])
        if record["num_players"][0] != config.num_players:
            raise ReplayError("the saved game and its configuration disagree about the number of players")
        game = cls(record, config, start=start)
        game._answers, game.agents = answers, agents
        return game

    def replay(self) -> Replay:
        """Config, seed (or starting position) and answers so far."""
        return Replay(self.config, int(self.record["seed"]), tuple(self._answers), self.agents, self._start)


def record_from_bytes(data: bytes) -> Array:
    """A record, shape (1,). Raises ReplayError when the bytes cannot be a game."""
    if len(data) != st.STATE_BYTES:
        raise ReplayError(f"a game record has {st.STATE_BYTES} bytes, not {len(data)}")
    record: Array = np.frombuffer(data, st.STATE).copy()
    if found := checks.problem(record[0]):
        raise ReplayError(f"no such game is possible: {found}")
    return record


def _where_it_breaks_off(text: str) -> str:
    """Which answer is the first that a truncated replay does not have in full."""
    answers = re.search(r'"answers": \[([\d, ]*)$', text)
    return f"; it breaks off at answer {answers[1].count(',')}" if answers else ""


@dataclass(frozen=True)
class Replay:
    """A game as seed, configuration and answers: a JSON file that plays back to the same bytes."""

    config: GameConfig
    seed: int
    answers: tuple[int, ...]
    agents: tuple[str, ...] = ()
    start: bytes | None = None
    """Starting record of a game that did not begin at its set-up."""

    def begin(self) -> Game:
        """The game before the first answer."""
        if self.start is None:
            game = Game.new(self.config, self.seed)
        else:
            game = Game(record_from_bytes(self.start), self.config, start=self.start)
            if game.record["num_players"] != self.config.num_players:
                raise ReplayError("the starting position and the configuration disagree about the number of players")
        game.agents = self.agents
        return game

    def positions(self) -> Iterator[Game]:
        """One and the same game after 0, 1, 2 ... answers. Raises ReplayError at the first answer that cannot be."""
        game = self.begin()
        yield game
        for place, answer in enumerate(self.answers):
            try:
                game.act(answer)
            except IllegalAction as error:
                raise ReplayError(f"answer {place} of the replay cannot be: {error}") from None
            yield game

    def play(self) -> Game:
        """The game after the last answer."""
        game = self.begin()
        for position in self.positions():
            game = position
        return game

    def to_json(self) -> str:
        """The file's text."""
        data: dict[str, Any] = {"danmaku_replay": SCHEMA, "config": self.config.to_dict(), "seed": self.seed, "agents": list(self.agents)}
        if self.start is not None:
            data["start"] = base64.b64encode(self.start).decode()
        return json.dumps({**data, "answers": list(self.answers)})

    @classmethod
    def from_json(cls, text: str) -> Replay:
        """The inverse of `to_json`. Raises ReplayError saying what is wrong."""
        try:
            data = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise ReplayError(f"the replay is not readable JSON: {error}{_where_it_breaks_off(text)}") from None
        if not isinstance(data, dict) or "danmaku_replay" not in data:
            raise ReplayError('this is no replay: it has no "danmaku_replay" version')
        if data["danmaku_replay"] != SCHEMA:
            raise ReplayError(f"a replay of version {data['danmaku_replay']!r}; this program reads version {SCHEMA}")
        try:
            answers = data["answers"]
            if not isinstance(answers, list) or not all(isinstance(answer, int) and not isinstance(answer, bool) for answer in answers):
                raise ReplayError('"answers" must be a list of whole numbers')
            start = base64.b64decode(data["start"], validate=True) if "start" in data else None
            agents = tuple(str(name) for name in data.get("agents", ()))
            return cls(GameConfig.from_dict(data["config"]), check_seed(data["seed"]), tuple(answers), agents, start)
        except KeyError as error:
            raise ReplayError(f"the replay has no {error}") from None
        except (ConfigError, TypeError, ValueError, AttributeError) as error:
            raise ReplayError(f"the replay is damaged: {error}") from None

    def save(self, path: str | Path) -> None:
        """Write the file, atomically."""
        write_atomically(path, self.to_json().encode())

    @classmethod
    def load(cls, path: str | Path) -> Replay:
        """Read a file. Raises ReplayError, or OSError when there is no such file."""
        try:
            return cls.from_json(Path(path).read_text("utf-8"))
        except UnicodeDecodeError:
            raise ReplayError(f"{path} is no text file, so it is no replay") from None


# ---------------------------------------------------------------- what a seat may know


def resample(game: Game, seat: int, seed: int, *, roles: Array | None = None) -> Game:
    """Another game consistent with everything `seat` knows, at the same instant: hidden hands, deck orders and roles dealt anew.

    Uniform over the consistent deals of the physical cards; `roles` [players] role numbers set the roles instead. Dice to come are
    new, and private parts of the log that the seat does not know are blank. To play on, `seat` should be the one who is asked: the
    pending question of another seat was put for the cards it really holds. Raises IndexError for a seat that is not at the table.
    """
    given = None if roles is None else np.asarray(roles)[np.newaxis]
    return Game.from_record(resample_many(game, seat, 1, seed, roles=given), game.config)


def resample_many(game: Game, seat: int, count: int, seed: int, *, roles: Array | None = None) -> Array:
    """[count] records, each another world as from `resample`; `roles` [count, players] set the roles of each."""
    game.seat(seat)
    worlds: Array = np.repeat(game.records, count)
    dealt: Array = np.full((count, st.SEATS), -1, np.int8)
    if roles is not None:
        dealt[:, : roles.shape[1]] = roles
    spare: Array = np.zeros(1, st.STATE)
    spare["rng"][0] = np.random.SeedSequence(check_seed(seed)).generate_state(4, np.uint32)
    batch.resample_rows(compile_cards().tables, worlds, np.full(count, seat), dealt, spare)
    return worlds


class RoleAssignments(NamedTuple):
    """Every deal of the roles that fits what a seat knows."""

    roles: Array
    """[n, players] int8 role numbers, indices of ROLE_IDS; 0 = no role (a former Heroine)."""
    weights: Array
    """[n] float64 prior probabilities: each physical deal of the role cards counts the same. They sum to 1."""

    def named(self) -> list[tuple[tuple[str, ...], float]]:
        """The same in words, the likeliest first."""
        rows = [(tuple(ROLE_IDS[role] for role in row), float(weight)) for row, weight in zip(self.roles, self.weights, strict=True)]
        return sorted(rows, key=lambda row: (-row[1], row[0]))

    def marginals(self) -> Array:
        """[players, NUM_ROLES] float64: the probability of each role for each seat."""
        chances: Array = np.stack([(self.roles == role).T @ self.weights for role in range(NUM_ROLES)], axis=1)
        return chances


def role_assignments(game: Game, seat: int) -> RoleAssignments:
    """Every deal of the roles that fits what `seat` knows, with its prior probability: exact.

    It knows the player count, the roles it has seen, and that nobody has won yet. Raises IndexError for a seat that is not at the table.
    """
    game.seat(seat)
    if game.over:
        return RoleAssignments(game.records["role"][:, : game.config.num_players].copy(), np.ones(1))
    size = 1024
    while True:
        roles: Array = np.zeros((size, st.SEATS), np.int8)
        ways: Array = np.zeros(size, np.int64)
        options: Array = np.zeros((resampling.GROUPS * resampling.MOST_KINDS, 3), np.int64)
        spare: Array = np.zeros(1, st.STATE)
        count = batch.list_roles(compile_cards().tables, game.records.copy(), seat, spare, options, roles, ways)
        if count <= size:
            break
        size = count
    return RoleAssignments(roles[:count, : game.config.num_players].copy(), ways[:count] / ways[:count].sum())


def histories(games: Array, seats: Array, events: int) -> Array:
    """[B, events, 8] uint8: the last events of each record as the seat [B] knows them, the newest first.

    The columns are those of the `history` piece in docs/observation.md.
    """
    rows: Array = np.zeros((len(games), events * st.EVENT_COLUMNS), np.uint8)
    batch.history_rows(compile_cards().tables, games, np.ascontiguousarray(seats, np.int64), rows)
    return rows.reshape(len(games), events, st.EVENT_COLUMNS)


# ---------------------------------------------------------------- positions set up by hand


@dataclass
class _SeatPlan:
    role: str | None = None
    character: str = ""
    life: int | None = None
    hand: Sequence[str] = ()
    items: Sequence[str] = ()
    defeated: bool = False
    revealed: bool = False
    danmaku_played: int = 0
    spell_used: bool = False
    skip_next: bool = False
    skipped_last: bool = False


_REVEALED_FORMS = {"ex_boss_revealed": "ex_boss", "true_phantom_boss": "phantom_boss"}
_EXTRA_BOSSES = {role.id for role in ROLES if role.groups == v.EXTRA_BOSSES}
_STEP_AT = {"start": turn.START, "incident": turn.INCIDENT, "draw": turn.BEFORE_DRAW, "main": turn.MAIN, "discard": turn.BEFORE_DISCARD}


@dataclass
class Scenario:
    """A position set up by hand: for tests, puzzles and curricula.

    Seats that are not described have no character, an empty hand, no items, full life, and a role dealt by the seed from those
    that are left. Cards not named anywhere lie in the deck, shuffled by the seed.
    """

    num_players: int = 4
    config: GameConfig | None = None
    _seats: dict[int, _SeatPlan] = field(default_factory=dict)
    _incident: str | None = None
    _collected: Sequence[str] = ()
    _deck_top: Sequence[str] = ()
    _discard_top: Sequence[str] = ()
    _incident_top: Sequence[str] = ()
    _incident_discard: Sequence[str] = ()
    _turn: tuple[int, str] = (0, "main")

    def seat(
        self, index: int, *, role: str | None = None, character: str = "", life: int | None = None, hand: Sequence[str] = (),
        items: Sequence[str] = (), defeated: bool = False, revealed: bool = False, danmaku_played: int = 0, spell_used: bool = False,
        skip_next: bool = False, skipped_last: bool = False,
    ) -> Scenario:  # fmt: skip
        """Describe a seat. Cards are kinds with an optional season: "shoot", "shoot/spring"."""
        if not 0 <= index < self.num_players:
            raise ScenarioError(f"seat {index}: the seats are 0 to {self.num_players - 1}")
        self._seats[index] = _SeatPlan(
            role, character, life, hand, items, defeated, revealed, danmaku_played, spell_used, skip_next, skipped_last
        )
        return self

    def incident(self, name: str | None, *, collected: Sequence[str] = ()) -> Scenario:
        """The incident in play (None: none) and the cards it has collected."""
        self._incident, self._collected = name, collected
        return self

    def deck(self, *, top: Sequence[str] = ()) -> Scenario:
        """Cards on top of the Main deck, the topmost first."""
        self._deck_top = top
        return self

    def discard(self, *, top: Sequence[str] = ()) -> Scenario:
        """Cards on the discard pile, the topmost first."""
        self._discard_top = top
        return self

    def incident_deck(self, *, top: Sequence[str] = (), discard: Sequence[str] = ()) -> Scenario:
        """Incidents on top of their deck, and on their discard pile, the topmost first."""
        self._incident_top, self._incident_discard = top, discard
        return self

    def turn(self, seat: int, *, step: str = "main") -> Scenario:
        """Whose turn it is, and at which step: start, incident, draw, main or discard."""
        if step not in _STEP_AT:
            raise ScenarioError(f"{step!r} is not a step; the steps are {', '.join(_STEP_AT)}")
        if not 0 <= seat < self.num_players:
            raise ScenarioError(f"turn of seat {seat}: the seats are 0 to {self.num_players - 1}")
        self._turn = (seat, step)
        return self

    def build(self, seed: int = 0) -> Game:
        """The game at its first question. Raises ScenarioError, with the reason, for an impossible position."""
        config = self.config or GameConfig(num_players=self.num_players, characters="none")
        if config.num_players != self.num_players:
            raise ScenarioError(f"the configuration is for {config.num_players} players, the scenario for {self.num_players}")
        rng = np.random.default_rng(check_seed(seed))
        record: Array = np.zeros(1, st.STATE)
        s: Any = record[0]
        game = Game(record, config)
        game._input[0] = int(seed)
        game._drive(batch.BLANK)
        self._set_turn(s)
        self._set_seats(s, self._roles(config, rng))
        self._set_incidents(s, rng)
        batch.place_cards(compile_cards().tables, record, np.array(self._moves(rng), np.int64).reshape(-1, 3))
        s["log_count"] = 0
        s["log"] = 0
        if self._incident and self._incident not in game.incidents:
            raise ScenarioError(f"{self._incident} would be over with {', '.join(self._collected)} collected")
        if found := checks.problem(s):
            raise ScenarioError(f"an impossible position: {found}")
        batch.judge(compile_cards().tables, record)
        if game.over:
            winners = ", ".join(f"seat {seat}" for seat in game.winners)
            raise ScenarioError(f"the game would be over already: {winners or 'nobody'} would have won")
        game._drive(batch.RESUME)
        game._start = record.tobytes()
        return game

    def _plan(self, seat: int) -> _SeatPlan:
        return self._seats.get(seat, _SeatPlan())

    def _set_turn(self, s: Any) -> None:
        seat, step = self._turn
        if self._plan(seat).defeated:
            raise ScenarioError(f"seat {seat} is defeated and cannot have the turn")
        s["stack"][0] = 0
        s["stack"][0, st.PROCEDURE] = st.TURN
        s["stack"][0, st.SEAT] = seat
        s["stack"][0, st.AT] = _STEP_AT[step]
        s["current"] = seat
        s["turn_number"] = 1
        s["turn_step"] = st.STEPS.index(step)

    def _set_seats(self, s: Any, roles: Sequence[str]) -> None:
        characters: list[str] = []
        boss_fallen = any(self._plan(seat).defeated and role in _EXTRA_BOSSES for seat, role in enumerate(roles))
        for seat, role in enumerate(roles):
            plan = self._plan(seat)
            s["role"][seat] = ROLE_IDS.index(role)
            public = plan.revealed or plan.defeated or role in ("heroine", *_REVEALED_FORMS) or (role == "ex_midboss" and boss_fallen)
            s["role_seen"][seat] = piles.EVERYBODY if public else 1 << seat
            if plan.character:
                if plan.character not in BASE_CHARACTERS:
                    raise ScenarioError(f"seat {seat}: {plan.character!r} is not a character; there are {', '.join(BASE_CHARACTERS)}")
                if plan.character in characters:
                    raise ScenarioError(f"seat {seat}: {plan.character} is already at the table")
                characters.append(plan.character)
                number = CHARACTER_IDS.index(plan.character)
                s["character"][seat] = number + 1
                s["abilities"][seat] = s["spells"][seat] = 1 << number
            if plan.defeated:
                if plan.hand or plan.items or plan.life:
                    raise ScenarioError(f"seat {seat} is defeated, so it has no hand, items or life")
                s["active"] &= ~np.uint8(1 << seat)
                continue
            most = 4 + int(compile_cards().tables[0]["role_stats"][s["role"][seat], v.MAX_LIFE])
            life = most if plan.life is None else plan.life
            if not 1 <= life <= most:
                raise ScenarioError(f"seat {seat}: life {life} is not between 1 and {most} (use defeated=True for a defeated player)")
            s["life"][seat] = life
            s["danmaku_played"][seat] = plan.danmaku_played
            s["spell_used"][seat] = plan.spell_used
            s["skip_next"][seat] = plan.skip_next
            s["skipped_last"][seat] = plan.skipped_last

    def _roles(self, config: GameConfig, rng: np.random.Generator) -> list[str]:
        """A role for every seat: those named, the rest dealt from what the configuration leaves."""
        composition = (ADVANCED if config.roles == "advanced" else BASIC)[self.num_players]
        partners = [role for role in composition.partner_pool if role != "ex_midboss" or self.num_players >= config.ex_midboss_from]
        slots = {"heroine": ["heroine"], "partner": partners, "stage": list(composition.stage_pool)}
        slots |= {"extra": list(composition.extra_pool), "rival": ["rival"] * composition.rivals}
        left = Counter(heroine=1, partner=composition.partners, stage=composition.stage_bosses, extra=1, rival=composition.rivals)
        roles: list[str | None] = [None] * self.num_players
        for seat in range(self.num_players):
            role = self._plan(seat).role
            if role is None:
                continue
            if role == "" and self._plan(seat).defeated and composition.rivals:  # the former Heroine after a takeover
                left["rival"] -= 1
            else:
                printed = _REVEALED_FORMS.get(role, role)
                group = next((name for name, pool in slots.items() if printed in pool), None)
                if group is None or left[group] == 0:
                    raise ScenarioError(f"seat {seat}: no {role!r} is left to deal with {self.num_players} players")
                slots[group].remove(printed)
                left[group] -= 1
            roles[seat] = role
        rest: list[str] = []
        for group, number in left.items():
            rest += [str(name) for name in rng.permutation(slots[group])[:number]] if number > 0 else []
        dealt = iter([str(name) for name in rng.permutation(rest)])
        return [role if role is not None else next(dealt) for role in roles]

    def _set_incidents(self, s: Any, rng: np.random.Generator) -> None:
        total = int(compile_cards().tables[0]["num_incidents"])
        named = [*([self._incident] if self._incident else []), *self._incident_top, *self._incident_discard]
        for name in named:
            if name not in INCIDENT_IDS[:total]:
                raise ScenarioError(f"{name!r} is not an incident; the incidents are {', '.join(INCIDENT_IDS[:total])}")
        if len(set(named)) != len(named):
            raise ScenarioError("an incident is named twice; each exists once")
        rest = [number for number in rng.permutation(total) if INCIDENT_IDS[number] not in named]
        deck = rest + [INCIDENT_IDS.index(name) for name in reversed(self._incident_top)]
        s["incident_deck"][: len(deck)] = np.array(deck, np.int64) + 1
        s["incident_deck_size"] = len(deck)
        discard = [INCIDENT_IDS.index(name) for name in reversed(self._incident_discard)]
        s["incident_discard"][: len(discard)] = np.array(discard, np.int64) + 1
        s["incident_discard_size"] = len(discard)
        if self._incident:
            s["incidents"][0] = INCIDENT_IDS.index(self._incident) + 1
            s["incident_size"] = 1

    def _moves(self, rng: np.random.Generator) -> list[tuple[int, int, int]]:
        """Rows for `place_cards`: the rest of the deck first, then everything named."""
        box = _CardBox(rng)
        places: list[tuple[str, str, int, int]] = []
        for seat in range(self.num_players):
            plan = self._plan(seat)
            places += [(card, f"hand of seat {seat}", st.IN_HAND, seat) for card in plan.hand]
            self._check_items(seat, plan.items)
            places += [(card, f"items of seat {seat}", st.IN_PLAY, seat) for card in plan.items]
        places += [(card, "collected cards", st.COLLECTED, 0) for card in self._collected]
        places += [(card, "discard pile", st.IN_DISCARD, 0) for card in reversed(self._discard_top)]
        places += [(card, "deck", st.IN_DECK, 0) for card in reversed(self._deck_top)]
        self._check_collected()
        # cards of a given season are taken first, so that a plain name never takes the last one of a season
        taken: dict[int, int] = {}
        for place in sorted(range(len(places)), key=lambda place: "/" not in places[place][0]):
            taken[place] = box.take(places[place][0], places[place][1])
        rest = [(card, st.IN_DECK, 0) for card in box.rest()]
        return rest + [(taken[place], places[place][2], places[place][3]) for place in range(len(places))]

    def _check_items(self, seat: int, items: Sequence[str]) -> None:
        types = []
        for card in items:
            kind = card.split("/")[0]
            if kind not in ITEM_IDS:
                raise ScenarioError(f"seat {seat}: {card!r} is not an item")
            types.append(int(compile_cards().tables[0]["kind_types"][KIND_IDS.index(kind)]))
        for limited, word in ((v.DEFENSE, "defense card"), (v.ARTIFACT, "artifact")):
            if sum(1 for bits in types if bits & limited) > 1:
                raise ScenarioError(f"seat {seat}: nobody has more than one {word} in play")

    def _check_collected(self) -> None:
        """Every collected card must be one that the incident takes."""
        if not self._collected:
            return
        if not self._incident:
            raise ScenarioError("cards are collected, but no incident is in play")
        incident = next(incident for incident in INCIDENTS if incident.id == self._incident)
        takes_any = any(isinstance(step, v.Op) and step.code in (v.COLLECT_TOP, v.COLLECT_ASIDE) for step in incident.step)
        for card in self._collected:
            kind, _, season = card.partition("/")
            types = int(compile_cards().tables[0]["kind_types"][KIND_IDS.index(kind)]) if kind in KIND_IDS else 0
            wanted = v.SEASONS[incident.collects_season] if incident.collects_season >= 0 else ""
            if not (takes_any or types & incident.collects_types or incident.collects_each_season or (wanted and season in ("", wanted))):
                raise ScenarioError(f"{incident.id} does not collect {card!r}")


class _CardBox:
    """The physical cards not yet placed."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._left = list(rng.permutation(int(compile_cards().tables[0]["num_cards"])))

    def take(self, name: str, where: str) -> int:
        kind, _, season = name.partition("/")
        if kind not in KIND_IDS or (season and season not in v.SEASONS):
            raise ScenarioError(f"{where}: {name!r} is not a card; cards are written like 'shoot' or 'shoot/spring'")
        for card in self._left:
            if card_name(card) == name or (not season and card_name(card).split("/")[0] == kind):
                self._left.remove(card)
                return int(card)
        raise ScenarioError(f"{where}: no {name!r} is left, all copies are placed already")

    def rest(self) -> list[int]:
        return [int(card) for card in self._left]
