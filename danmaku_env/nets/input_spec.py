"""What a network reads and answers, by name: why a checkpoint keeps working when observations and action spaces grow.

A *place* is one byte of an observation: the name of its field, then its index along every axis, as in `hand/graze/spring` or
`attacks/before the first defeat/0/3`. The ids that a byte may hold, the roles, the actions and the events of the log have names too. A
network keeps the names (`InputSpec`); an `ObservationLayout` says where they stand in this version.
"""

from __future__ import annotations

import functools
import itertools
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, NamedTuple

import numpy as np

from danmaku_env.arguments import shown
from danmaku_env.config import GameConfig
from danmaku_env.fields import OF_SEATS, Field
from danmaku_env.machine.records import Array
from danmaku_env.spec import GameSpec, default_spec, spec_of

_BYTE = 256
"""Numbers that a byte can hold."""
_TALLIES = ("attacks", "hits", "heals", "gives", "spells")
_BLANK, _OTHERS = "blank/", "others/"
"""Before the name of a place: it reads 0, of every seat or of one's own. A net of the same size that is told less: for ablations."""
_REMEMBERED = (*_TALLIES, "known_")
"""Beginnings of the places that tell what was seen or done before and lies open no more."""
_RENAMED = {
    "deck_size/incidents": "deck_size/incident",
    **{f"{name}/before/*/*": f"{name}/before the first defeat/*/*" for name in _TALLIES},
    **{f"{name}/after/*/*": f"{name}/after it/*/*" for name in _TALLIES},
}
"""Places by the names they have in earlier files."""


class ObservationLayout(NamedTuple):
    """Where everything stands in observations and action spaces."""

    columns: dict[str, int]
    """Place -> column; the history, where there is one, begins at `size`."""
    size: int
    ids: dict[str, tuple[str, ...]]
    """What an id byte may name -> the names by number."""
    actions: tuple[str, ...]
    events: tuple[str, ...]
    titles: tuple[str, ...]
    """Texts by number, as the log has them."""
    label: str
    """The hidden label of a seat: a key of `ids`; "" where seats have none."""
    seats: int
    """Seats that a row has places for."""
    players: range
    """Numbers of players."""
    highest: dict[str, int]
    """Name of a piece -> its largest value."""
    history: tuple[str, ...]
    """Columns of an event behind the row."""
    text_events: tuple[str, ...]
    """Events whose number is that of a text."""

    @property
    def roles(self) -> tuple[str, ...]:
        """Number of a hidden label -> name; the first is none."""
        return self.ids[self.label] if self.label else ("",)

    @property
    def seat_names(self) -> tuple[str, ...]:
        """Seats as names have them."""
        return tuple(map(str, range(self.seats)))


def _places(spec: GameSpec, row_fields: tuple[Field, ...]) -> dict[str, int]:
    """Place -> column of the pieces of a row, which may begin with an observation."""
    columns: dict[str, int] = {}
    at = 0
    for field in row_fields:
        if field.kind == "mixed":
            columns |= _places(spec, spec.fields)
        else:
            for place, names in enumerate(itertools.product(*(axis.names for axis in field.named_axes))):
                columns["/".join((field.name, *names))] = at + place
        at += field.size
    return columns


@functools.cache
def layout_of(spec: GameSpec) -> ObservationLayout:
    """The layout of a game in this version."""
    places, players = _places(spec, spec.fields), range(spec.fewest_seats, spec.most_seats + 1)
    names = dict(spec.ids), spec.actions, spec.events, spec.titles(), spec.label
    highest = {field.name: field.high for field in spec.fields}
    return ObservationLayout(places, spec.row_size, *names, spec.most_seats, players, highest, spec.history_columns, spec.text_events)


@functools.cache
def state_layout_of(spec: GameSpec) -> ObservationLayout:
    """The layout of the full state, which a critic reads that sees all."""
    return layout_of(spec)._replace(columns=_places(spec, spec.state_fields), size=spec.state_size)


def current_layout() -> ObservationLayout:
    """The layout of Danmaku!! in this version."""
    return layout_of(default_spec())


@dataclass(frozen=True)
class InputSpec:
    """What a net reads and answers. Names with `*` are of every seat, in whose number's place it stands; with two, of pairs of seats."""

    seats: tuple[str, ...]
    """Numbers of each seat."""
    pairs: tuple[str, ...]
    """Numbers of each seat towards each other one."""
    table: tuple[str, ...]
    """Numbers of the table as a whole, and of the hand."""
    seat_ids: tuple[str, ...]
    table_ids: tuple[str, ...]
    """Bytes that name something; `named` says what."""
    named: dict[str, str]
    """Id place -> what it names: a key of `ids`."""
    ids: dict[str, tuple[str, ...]]
    """What an id byte may name -> the names the net has met; the first is nothing."""
    roles: tuple[str, ...]
    """Roles that a seat may have; the first is none."""
    actions: tuple[str, ...]
    """Actions that have a score, without those that name a seat."""
    events: tuple[str, ...]
    """Events of the log by word, and texts by title."""

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Any) -> InputSpec:
        """The inverse of `to_dict`. Raises ValueError on anything else."""
        if not isinstance(data, dict) or {field.name for field in fields(cls)} != data.keys():
            raise ValueError("what the network reads and answers is not said")
        lists = {name: tuple(value) for name, value in data.items() if isinstance(value, (list, tuple))}
        ids, named = data["ids"], data["named"]
        if len(lists) != len(fields(cls)) - 2 or not isinstance(ids, dict) or not isinstance(named, dict):
            raise ValueError("what the network reads and answers are no lists of names")
        ids = {name: tuple(value) if isinstance(value, (list, tuple)) else () for name, value in ids.items()}
        every = [*itertools.chain(*lists.values()), *itertools.chain(*ids.values()), *named.values()]
        if not all(isinstance(name, str) for name in every) or not all(map(len, (*lists.values(), *ids.values()))):
            raise ValueError("what the network reads and answers are no lists of names")
        if max(map(len, (lists["events"], *ids.values()))) > _BYTE:
            raise ValueError(f"the network knows more than the {_BYTE} names that a byte can tell apart")
        if not all(named.get(place) in ids for place in (*lists["seat_ids"], *lists["table_ids"])):
            raise ValueError("the network reads ids of which nothing says what they name")
        lists = {name: tuple(_RENAMED.get(place, place) for place in places) for name, places in lists.items()}
        return cls(**lists, ids=ids, named=named)


def ablated(input_spec: InputSpec, cut: str) -> InputSpec:
    """The same, but some places read 0: one's own role (`own_role`), what is remembered (`memory`), or none (`nothing`)."""
    if cut == "nothing":
        return input_spec
    mark, beginnings = {"own_role": (_OTHERS, ("role/",)), "memory": (_BLANK, _REMEMBERED)}[cut]

    def marked(places: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(mark + place if place.startswith(beginnings) else place for place in places)

    lists: dict[str, Any] = {name: marked(getattr(input_spec, name)) for name in ("seats", "pairs", "table", "seat_ids", "table_ids")}
    return replace(input_spec, **lists, named={place: what for old, what in input_spec.named.items() for place in marked((old,))})


def unmarked(names: tuple[str, ...]) -> tuple[str, ...]:
    """Names of places without what says that they read 0."""
    return tuple(name.removeprefix(_BLANK).removeprefix(_OTHERS) for name in names)


def unread(layout: ObservationLayout, names: tuple[str, ...], stars: int) -> Array:
    """[k], [k, 8] or [k, 8, 8] bool as `columns_of`: where 0 is read, whatever is there."""
    found: Array = np.zeros((len(names), *(layout.seats,) * stars), np.bool_)
    for place, name in enumerate(names):
        found[place] = name.startswith(_BLANK)
        if name.startswith(_OTHERS) and stars:
            found[place, 0] = True
    return found


def input_spec_of(config: GameConfig) -> InputSpec:
    """What the games of a configuration can show: those of the base box, or of both."""
    spec = spec_of(config)
    return _input_spec(spec, spec.unseen(config))


def base_game() -> InputSpec:
    """Everything that a game of the base box can show, to whoever sits at the table."""
    return input_spec_of(GameConfig())


@functools.cache
def _input_spec(spec: GameSpec, unseen: frozenset[str]) -> InputSpec:
    """What can be shown, but for these names and titles."""
    numbers: dict[int, dict[str, None]] = {0: {}, 1: {}, 2: {}}
    ids: dict[int, dict[str, None]] = {0: {}, 1: {}, 2: {}}
    named = {}
    for field in spec.fields:
        if field.name in unseen:
            continue
        for names in itertools.product(*(enumerate(axis.names) for axis in field.named_axes)):
            if any(part in unseen or part.startswith("-") for _, part in names):
                continue
            starred = ["*" if axis.what == OF_SEATS else part for axis, (_, part) in zip(field.named_axes, names, strict=True)]
            place, count = "/".join((field.name, *starred)), starred.count("*")
            (ids if field.kind == "id" else numbers)[count][place] = None
            if field.kind == "id":
                named[place] = field.id_at(names[-1][0])
    used = {what: tuple(name for name in names if name not in unseen) for what, names in spec.ids.items()}
    answers = tuple(name for name in spec.actions if not _names(unseen, name) and not name.startswith("choose seat:"))
    titles = dict.fromkeys(title for title in spec.titles() if title and title not in unseen)
    events = ("", *(word for word in spec.events[1:] if word not in unseen), *titles)
    roles = used[spec.label] if spec.label else ("",)
    return InputSpec(
        tuple(numbers[1]), tuple(numbers[2]), tuple(numbers[0]), tuple(ids[1]), tuple(ids[0]), named, used, roles, answers, events
    )


def _names(unseen: frozenset[str], action: str) -> bool:
    return action.rpartition(":")[2].rpartition(" ")[2] in unseen


class MissingError(ValueError):
    """Something a net reads is not there in a layout; the message names it."""


def columns_of(layout: ObservationLayout, names: tuple[str, ...], stars: int) -> Array:
    """[k], [k, 8] or [k, 8, 8] the columns of places, for names with this many `*`. Raises MissingError."""
    found = []
    for name in unmarked(names):
        if name.count("*") != stars:
            raise MissingError(f"{shown(name)} stands where {stars} seats should be named")
        places = [name]
        for _ in range(stars):
            places = [place.replace("*", seat, 1) for place in places for seat in layout.seat_names]
        if missing := [place for place in places if place not in layout.columns]:
            raise MissingError(f"{shown(missing[0])} is not among what an observation shows")
        found.append(np.array([layout.columns[place] for place in places]).reshape((layout.seats,) * stars))
    return np.stack(found)


def numbers_of(today_names: tuple[str, ...], known: tuple[str, ...]) -> Array:
    """[_BYTE] uint8: number of today -> number of the net, 0 for what it never met."""
    table: Array = np.zeros(_BYTE, np.uint8)
    for number, name in enumerate(today_names[:_BYTE]):
        table[number] = known.index(name) if name in known else 0
    return table


def event_numbers(layout: ObservationLayout, known: tuple[str, ...]) -> tuple[Array, Array, Array]:
    """[_BYTE] each: event -> number of the net; whether its number is that of a text; text -> number of the net."""
    texts: Array = np.zeros(_BYTE, np.bool_)
    texts[[layout.events.index(word) for word in layout.text_events]] = True
    return numbers_of(layout.events, known), texts, numbers_of(layout.titles, known)
