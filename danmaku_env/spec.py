"""What a game is to everything above its engine: one `GameSpec`, found by the type of a configuration.

`game/`, `envs/`, `decoding.py` and the networks know no game. They ask `spec_of(config)` for entry points, names and shapes. A game makes
its spec in a file of its own (danmaku.py is that of Danmaku!!) and hands it to `register_spec`.
"""

from __future__ import annotations

import difflib
import functools
import importlib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from danmaku_env.fields import Field, offsets_of, refusal
from danmaku_env.machine import records
from danmaku_env.machine.records import Array

SeatOf = Callable[[int], int | None]
"""From a seat as events have it, plus one, to the seat it is called by; 0 is nobody."""


@dataclass(frozen=True, kw_only=True)
class EntryPoints:
    """What Python calls of an engine: over batches of B records, into arrays that are given. `machine/batch.py` says what each call does.

    Read are `tables` (what kernels read), `settings` (of a configuration), `games` [B] records, `raw` [B, bytes] uint8 (their byte view)
    and `chosen` [B] int64 (answers). Written are `status` [B] int8, `observations` [B, n] uint8, `masks` [B, N] uint8, `seats` [B] int8,
    `rewards` [B, most_seats] float32, `dones` [B] bool and `states` [B, state_size] uint8. `low` is the first row that a call takes, and
    `high` the one after its last.
    """

    tables: Callable[[], Any]
    compile_once: Callable[[], None]
    """Compile the engine, if nothing has yet; it is called before a game begins."""
    start: int
    """Modes of `drive`: begin games from seeds, and give answers."""
    answer: int
    drive: Callable[..., None]
    """(tables, settings, games, raw, inputs, status, mode); `inputs` [B] int64: seeds or answers, by the mode"""
    step_rows: Callable[..., int]
    """(tables, settings, games, raw, chosen, status, observations, masks, seats, rewards, dones, low, high) -> -1, or a row that nobody is
    asked in, see `machine/batch.py`"""
    play_on: Callable[..., None]
    """(tables, games, raw, rows, answers, learners, at_random, own_rng, asked, observations, masks); `rows` and `answers` [k] int64,
    `learners`, `at_random` and `asked` [B] int64, `own_rng` [B] records"""
    own_rng: np.dtype[Any]
    """What `play_on` draws random answers from, for each game: a record with the field `rng`."""
    first_illegal: Callable[..., int]
    """(games, raw, chosen) -> the first row whose answer is illegal, or -1"""
    sample_rows: Callable[..., None]
    """(games, raw, chosen, rng_record), which writes `chosen`; `rng_record` [1] is a record with the field `rng`"""
    observe_rows: Callable[..., None]
    """(tables, games, seats, observations); here `seats` [B] int64 is read"""
    mask_rows: Callable[..., None]
    """(games, masks)"""
    write_states: Callable[..., None]
    """(tables, games, states)"""
    next_seed: Callable[[int], int]
    """The seed of the game that follows in the same row of a batch."""

    @classmethod
    def of(cls, batch: Any, tables: Callable[[], Any], compile_once: Callable[[], None]) -> Self:
        """Those of a module that has them under these names, and draws random answers from a generator alone."""
        named = {name: getattr(batch, name) for name in _IN_A_MODULE}
        named["next_seed"] = getattr(batch.next_seed, "py_func", batch.next_seed)
        return cls(tables=tables, compile_once=compile_once, start=batch.START, answer=batch.ANSWER, own_rng=records.RNG, **named)


_IN_A_MODULE = ("drive", "step_rows", "play_on", "first_illegal", "sample_rows", "observe_rows", "mask_rows", "write_states")


@dataclass(frozen=True, kw_only=True, eq=False)
class GameSpec:
    """A game. Raises ValueError, in a sentence, where a field of its observation has a place without a name.

    Records have the fields seed, asking (a seat, or -1), question, outcome, winners (a bit per seat), status, num_players, decisions,
    log [rows, columns], log_count and rng.
    """

    name: str
    """Its id in files and commands."""
    title: str
    """Its name for people."""
    config: type[Any]
    """The class of its configurations. They have `num_players`, `history` (events that every observation ends with), `observation_size`
    (bytes with these), `settings()` ([k] int64, what the engine's set-up reads), `to_dict()` (plain data), and its inverse `from_dict`."""
    fewest_seats: int
    most_seats: int
    """Arrays with a place for every seat have this many."""

    # ---- records
    record: np.dtype[Any]
    entries: EntryPoints
    outcomes: tuple[str, ...]
    """Words by number: running, won, draw, truncated."""
    problem: Callable[[Any], str | None]
    """The first invariant that a record breaks, in words."""
    check_fits: Callable[[Array, Any, str], None]
    """(games, config, what): raises ValueError for records of other tables than `what` ("a batch") of this configuration has."""
    rules: Callable[[], str]
    """The fingerprint of its rules, which files name."""
    earlier_rules: Callable[[Any], Collection[str]] = lambda config: ()
    """(config): fingerprints of earlier rules under which games of this configuration came out the same."""

    # ---- questions and actions
    actions: tuple[str, ...]
    """Names by number, with relative seats."""
    pass_action: int
    questions: tuple[str, ...]
    action_name: Callable[[int, int, int], str]
    """(action, seat asked, players): the name with the seats of the table."""
    action_index: Callable[[str, int, int], int]
    """Its inverse; raises KeyError for a name that no action has."""

    actions_of: Callable[[Any], tuple[str, ...]] | None = None
    """Names of the actions in the game of a record, where they depend on what lies there; files name answers so. None: `action_name` says
    all."""

    # ---- what a seat observes, and what a critic that sees all does
    fields: tuple[Field, ...]
    state_fields: tuple[Field, ...]
    """The first is the observation of seat 0."""
    highest: Callable[[int], Array]
    """[n] uint8: the largest value of every byte of an observation that ends with this many events."""
    history_columns: tuple[str, ...]
    """Bytes of one event behind an observation."""
    ids: Mapping[str, tuple[str, ...]]
    """What an id byte may name -> the names by number; 0 is nothing."""
    events: tuple[str, ...]
    """Words of events by number."""
    text_events: tuple[str, ...]
    """Events whose number is that of a text."""
    titles: Callable[[], tuple[str, ...]]
    """Texts by number, as the log has them."""
    say: Mapping[str, Callable[[list[int]], Any]]
    """How `decode` says the numbers along the last axis of fields with such `words`."""
    event: Callable[[list[int], SeatOf], Any]
    """One event of the history in words."""
    unseen: Callable[[Any], frozenset[str]]
    """Names of fields, places, ids, questions, events and titles that no game of a configuration can show."""

    # ---- seats
    label: str = ""
    """The hidden label of a seat: a key of `ids`, and a field of records; "" where seats have none."""
    factions: Mapping[str, int] = field(default_factory=dict)
    """Factions that a learner can be one of, each with the bit of its labels."""
    is_dealt: Callable[[Any, str], bool] = lambda config, faction: False
    """Whether every game of a configuration has a seat of the faction."""
    seats_of: Callable[[Any, str], Array] = lambda record, faction: np.zeros(0, np.int64)
    """The seats of a faction in a record."""
    playing: Callable[[Any], int] = lambda record: (1 << int(record["num_players"])) - 1
    """Bits of the seats that can still be asked."""

    # ---- words
    log: Callable[..., Any]
    """(record, rows): a sequence of lines, as everybody knows them."""
    seat_name: Callable[[Any, int], str]
    stack_lines: Callable[[Any], list[str]]
    """What is going on, for `Game.explain`."""
    position: Callable[[Any], str]
    """Where the game is, for `repr`: "turn 3 of seat 2 (Reimu), main step"."""

    def __post_init__(self) -> None:
        for fields in (self.fields, self.state_fields):
            if wrong := refusal(fields, self.ids):
                raise ValueError(f"{self.title} cannot be observed: {wrong}")
        if self.state_fields[0].size != self.row_size:
            raise ValueError(f"{self.title} cannot be observed: the full state must begin with an observation of {self.row_size} bytes")

    @functools.cached_property
    def offsets(self) -> dict[str, int]:
        """First byte of each field of an observation."""
        return offsets_of(self.fields)

    @functools.cached_property
    def places(self) -> dict[str, tuple[slice, tuple[int, ...]]]:
        """Where each field lies in an observation, and its shape."""
        return {field.name: (slice(at := self.offsets[field.name], at + field.size), field.shape) for field in self.fields}

    @property
    def row_size(self) -> int:
        """Bytes of an observation without events."""
        return self.offsets["end"]

    @functools.cached_property
    def state_offsets(self) -> dict[str, int]:
        """First byte of each field of the full state."""
        return offsets_of(self.state_fields)

    @property
    def state_size(self) -> int:
        """Bytes of the full state."""
        return self.state_offsets["end"]

    @property
    def num_actions(self) -> int:
        """N, the size of the action space."""
        return len(self.actions)

    @property
    def labels(self) -> tuple[str, ...]:
        """Hidden labels by number; 0 is none."""
        return self.ids[self.label] if self.label else ()

    @functools.cached_property
    def num_labels(self) -> int:
        """Numbers of labels, that of none included."""
        return len(self.labels)

    @functools.cached_property
    def record_bytes(self) -> int:
        """Bytes of a record."""
        return self.record.itemsize

    def room_for(self, games: int) -> Array:
        """[games] records of zeros, the first of which begins a memory line, and with it all whose size is a multiple of one."""
        return records.room_for(self.record, games)

    def as_bytes(self, games: Array) -> Array:
        """[B, record_bytes] the same memory as bytes: a copy of a record is a copy of its bytes."""
        return records.as_bytes(games)

    def configured(self, config: Any, options: dict[str, Any]) -> Any:
        """The configuration that is meant by one, a number of players, or options. Raises ConfigError as its class does."""
        return self.config.of(config, options)


_KNOWN: dict[str, GameSpec] = {}
_FIRST = "danmaku_env.danmaku"
"""The file of the game that is meant where none is named."""
_ELSEWHERE = {name: f"danmaku_env.sister.{name}" for name in ("shisoroku", "utage")}
"""Games that are loaded when they are named."""


def register_spec(spec: GameSpec) -> GameSpec:
    """Let a game be found by its name and by the type of its configurations. Raises ValueError where either is another game's."""
    for other in _KNOWN.values():
        if other is not spec and (other.name == spec.name or other.config is spec.config):
            raise ValueError(f"{spec.title} has the name or the configuration of {other.title}; a game needs its own")
    _KNOWN[spec.name] = spec
    return spec


def _known() -> dict[str, GameSpec]:
    """The games by name, Danmaku!! first: it is loaded when somebody looks."""
    importlib.import_module(_FIRST)
    return _KNOWN


def spec_of(config: object) -> GameSpec:
    """The game of a configuration. Raises TypeError for anything else."""
    for spec in _known().values():
        if type(config) is spec.config:
            return spec
    for spec in _known().values():
        if isinstance(config, spec.config):
            return spec
    known = " or ".join(f"a {spec.config.__name__}" for spec in _known().values())
    raise TypeError(f"a configuration is {known}, not {type(config).__name__}")


def spec_named(name: str) -> GameSpec:
    """The game of that name. Raises ValueError, with the nearest name, for an unknown one."""
    known = _known()
    if name in _ELSEWHERE:
        importlib.import_module(_ELSEWHERE[name])
    if name in known:
        return known[name]
    near = difflib.get_close_matches(name, known, 1)
    raise ValueError(f"there is no game {name!r}; {f'do you mean {near[0]!r}?' if near else 'the games are ' + ', '.join(known)}")


def default_spec() -> GameSpec:
    """The game that is meant where none is named: the first that was made known, Danmaku!!."""
    return next(iter(_known().values()))
