"""Words for people: names of cards and actions in a game, the lines of its log, the stack."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, NamedTuple

from danmaku_env.sister.seen_log import SeenLog
from danmaku_env.sister.utage.cards import box, words
from danmaku_env.sister.utage.engine import actions, turn
from danmaku_env.sister.utage.engine import state as st

_INDEX = {name: index for index, name in enumerate(actions.ACTION_IDS)}


def action_name(action: int, asking: int, players: int) -> str:
    """The name of an action where no game says which cards it is about."""
    return actions.ACTION_IDS[action]


def action_index(name: str, asking: int, players: int) -> int:
    """The inverse of `action_name`. Raises KeyError for a name that no action has."""
    return _INDEX[name]


def card_id(number: int) -> str:
    """Id of a card by its number plus one; "" for 0."""
    return box.CARDS[number - 1].id if number else ""


def own_slots(record: Any, seat: int) -> list[str]:
    """[40] ids of the cards of a deck list; "" behind them."""
    return [card_id(int(number)) for number in record["card"][seat]]


def actions_of(record: Any) -> tuple[str, ...]:
    """Names of all actions for the seat that is asked, with the cards that they are about: `play 0112`, `activate 0105 at 3`."""
    parts = (record[name].tobytes() for name in ("card", "rank", "at_card", "team"))
    return _names(max(0, int(record["asking"])), *parts)


@functools.lru_cache(256)
def _names(seat: int, cards: bytes, ranks: bytes, field: bytes, team: bytes) -> tuple[str, ...]:
    def of(numbers: bytes, side: int) -> list[int]:
        size = len(numbers) // st.SEATS
        return list(numbers[side * size : (side + 1) * size])

    mine, theirs = [card_id(number) for number in of(cards, seat)], [""] * words.SLOTS
    for number, rank in zip(of(cards, 1 - seat), of(ranks, 1 - seat), strict=True):
        if rank:
            theirs[rank - 1] = card_id(number)
    places = [[card_id(number) for number in of(field, side)] for side in (seat, 1 - seat)]
    characters = [words.CHARACTERS[number] for number in of(team, seat)]
    named = list(actions.ACTION_IDS)
    for base, verb, found in (
        (actions.PLAY_BASE, "play {}", mine), (actions.OWN_CARD_BASE, "choose own card {}", mine),
        (actions.OTHER_CARD_BASE, "choose other card {}", theirs), (actions.ACTIVATE_BASE, "activate {} at {}", places[0]),
        (actions.USE_BASE, "use {} at {}", places[0]), (actions.OWN_PLACE_BASE, "choose {} at own {}", places[0]),
        (actions.OTHER_PLACE_BASE, "choose {} at other {}", places[1]), (actions.CHARACTER_BASE, "choose {1}: {0}", characters),
    ):  # fmt: skip
        for place, card in enumerate(found):
            if card:
                named[base + place] = verb.format(card, place + 1)
    return tuple(named)


def seat_name(record: Any, seat: int) -> str:
    """`seat 1 (Remilia)`."""
    if seat < 0:
        return "nobody"
    leader = int(record["leader"][seat])
    shown = leader >= 0 and int(record["leader"][1 - seat]) >= 0
    return f"seat {seat} ({words.CHARACTERS[int(record['team'][seat, leader])]})" if shown else f"seat {seat}"


class Event(NamedTuple):
    """One event, as somebody knows it."""

    event: str
    actor: int | None
    owner: int | None
    card: str | None
    number: int


_LINES = {
    "turn": "turn {number}: {actor} attacks", "phase": "phase", "leader": "{actor} is led by {card}",
    "show hand": "{actor} shows {card}", "draw": "{actor} draws {card}", "mill": "{card} goes from the deck of {actor} to the discard",
    "put into play": "{actor} puts {card} into reserve", "activate": "{card} of {actor} becomes active",
    "to reserve": "{card} of {actor} goes to reserve", "place": "{actor} places {card}", "use event": "{actor} uses {card}",
    "use ability": "{actor} uses the ability of {card}", "text": "the text of {card} of {actor} happens",
    "attack": "{actor} attacks with {card}", "no attack": "{actor} does not attack",
    "intercept": "{actor} intercepts with {card}", "no intercept": "{actor} does not intercept",
    "border": "{actor} pays the border, {number} SP", "hit": "{card} of {actor} hits", "no hit": "{card} of {actor} misses",
    "spell damage": "{actor} takes {number} spell damage from {card}", "damage": "{actor} takes {number} damage",
    "heal": "{actor} heals {number}", "gain SP": "{actor} gains {number} SP", "discard": "{card} of {owner} is discarded",
    "return to hand": "{card} returns to the hand of {owner}", "shuffle": "the deck of {actor} is shuffled",
    "put on deck": "{actor} puts {card} on the deck", "put under deck": "{card} goes under the deck of {actor}",
    "take to hand": "{actor} takes {card} to hand", "look at hand": "{actor} looks at the hand of {owner}",
    "pay": "{actor} pays {number} SP", "pay HP": "{actor} pays {number} HP", "win": "the game is over", "pass": "{actor} passes",
    "mulligan": "{actor} has no spell in hand, shows it, and draws anew",
}  # fmt: skip


def event_of(columns: Sequence[int], seat_of: Any = lambda seat: seat - 1 if seat else None) -> Event:
    """An event of its bytes."""
    word, actor, owner, card, number = (int(byte) for byte in columns[:5])
    return Event(st.EVENT_WORDS[word], seat_of(actor), seat_of(owner), card_id(card) or None, number)


class Log(SeenLog[Event]):
    """The log of a game of Gensou no Utage."""

    _everybody = st.EVERYBODY

    def _event(self, columns: list[int]) -> Event:
        return event_of(columns)

    def _line(self, event: Event) -> str:
        actor, owner = ("nobody" if seat is None else f"seat {seat}" for seat in (event.actor, event.owner))
        return _LINES[event.event].format(actor=actor, owner=owner, card=event.card or "a card", number=event.number)


def position(record: Any) -> str:
    """`turn 3 of seat 1 (Remilia), battle`."""
    return f"turn {int(record['turn_number'])} of {seat_name(record, int(record['attacker']))}, {words.PHASES[int(record['phase'])]}"


def stack_lines(record: Any) -> list[str]:
    """What is going on, the bottom first."""
    lines = []
    for frame in record["stack"][: int(record["depth"])]:
        if frame[0] == st.GAME_FRAME:
            lines.append(f"the game: {turn.STEPS[int(frame[1])]}")
        elif frame[0] == st.MOMENT_FRAME:
            lines.append(f"texts of {words.MOMENTS[int(frame[st.COL_MOMENT])]}, seat {int(frame[2])}")
        else:
            lines.append(f"{card_id(int(frame[st.COL_CARD]))} is carried out for seat {int(frame[2])}")
    return lines
