"""Words for people: names of cards and actions in a game, the lines of its log, the stack."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, NamedTuple

from danmaku_env.sister.seen_log import SeenLog
from danmaku_env.sister.shisoroku.cards import box, words
from danmaku_env.sister.shisoroku.engine import actions
from danmaku_env.sister.shisoroku.engine import state as st


@functools.lru_cache(256)
def _names(kinds: bytes) -> tuple[str, ...]:
    names = [box.CARDS[kind - 1].id if kind else place for kind, place in zip(kinds, actions.PLACE_IDS, strict=True)]
    return (*actions.ACTION_IDS[: actions.PLAY_BASE], *(f"{verb} {name}" for verb in actions.VERBS for name in names))


def actions_of(record: Any) -> tuple[str, ...]:
    """Names of all actions in the game of a record: `buy eosd-22`; places that no card lies at keep their own."""
    return _names(record["kinds"].tobytes())


def action_name(action: int, asking: int, players: int) -> str:
    """The name of an action where no game says which cards lie there."""
    return actions.ACTION_IDS[action]


def action_index(name: str, asking: int, players: int) -> int:
    """The inverse of `action_name`. Raises KeyError for a name that no action has."""
    return _INDEX[name]


_INDEX = {name: index for index, name in enumerate(actions.ACTION_IDS)}


def card_id(record: Any, place: int) -> str:
    """Id of the card at a place of a game; "" for none."""
    number = int(record["kinds"][place])
    return box.CARDS[number - 1].id if number else ""


def seat_name(record: Any, seat: int) -> str:
    """`seat 1`."""
    return f"seat {seat}" if seat >= 0 else "nobody"


class Event(NamedTuple):
    """One event, as somebody knows it."""

    event: str
    actor: int | None
    about: int | None
    card: str | None
    number: int


_LINES = {
    "turn": "turn {number} of {actor}", "extra turn": "turn {number}: {actor} has another turn", "draw": "{actor} draws {card}",
    "shuffle": "{actor} shuffles the discard pile into a new deck", "play": "{actor} plays {card}", "buy": "{actor} buys {card}",
    "gain": "{actor} gains {card}{where}", "trash": "{actor} loses {card} to the trash", "discard": "{actor} discards {card}",
    "put on deck": "{actor} puts {card} on the deck", "set aside": "{actor} sets {card} aside", "reveal": "{actor} reveals {card}",
    "look": "{actor} looks at {card}", "return": "{actor} returns {card} to its pile", "pass": "{actor} passes {card} to {about}",
    "react": "{actor} shows {card}", "clean-up": "{actor} cleans up", "name": "{actor} names {card}",
    "token": "{actor} puts a trauma token on {card}", "win": "the game is over", "take": "{actor} takes {card} to hand",
    "deck to discard": "{actor} puts the deck into the discard pile", "option": "{actor} chooses option {number} of {card}",
}  # fmt: skip


def event_of(columns: Sequence[int], names: Sequence[str], seat_of: Any = lambda seat: seat - 1 if seat else None) -> Event:
    """An event of its bytes."""
    word, actor, about, kind, number = (int(byte) for byte in columns[:5])
    return Event(st.EVENT_WORDS[word], seat_of(actor), seat_of(about), names[kind - 1] or None if kind else None, number)


class Log(SeenLog[Event]):
    """The log of a game of Shisouroku."""

    _everybody = st.EVERYBODY

    def _event(self, columns: list[int]) -> Event:
        return event_of(columns, self._ids)

    @functools.cached_property
    def _ids(self) -> list[str]:
        return [card_id(self._record, place) for place in range(words.PLACES)]

    def _line(self, event: Event) -> str:
        actor, about = ("nobody" if seat is None else f"seat {seat}" for seat in (event.actor, event.about))
        where = {words.HAND: " to the hand", words.DECK: " onto the deck"}.get(event.number, "") if event.event == "gain" else ""
        card = event.card or ("the hand" if event.event == "reveal" else "a card")
        return _LINES[event.event].format(actor=actor, about=about, card=card, number=event.number, where=where)


def position(record: Any) -> str:
    """`turn 3 of seat 1, purchases`."""
    return f"turn {int(record['turn_number'])} of seat {int(record['current'])}, {st.PHASES[int(record['phase'])]}"


_FRAMES = (
    "",
    "a turn",
    "a card is played",
    "a text",
    "an attack may be answered",
    "texts are due",
    "a card is gained",
    "a purchase",
    "cards were trashed",
)


def stack_lines(record: Any) -> list[str]:
    """What is going on, the bottom first."""
    lines = []
    for frame in record["stack"][: int(record["depth"])]:
        kind = int(frame[st.COL_KIND])
        about = card_id(record, kind) if int(frame[0]) in (st.PLAY_FRAME, st.TEXT_FRAME, st.GAIN_FRAME, st.BUY_FRAME) else ""
        lines.append(f"{_FRAMES[int(frame[0])]}{about and f' ({about})'}, seat {int(frame[2])}")
    return lines
