"""Whether the cards of a record can be: every card and incident in one place, and all that counts them agrees.

Where each card lies (zone and holder) and who knows it is taken as given; piles, hands, items and collections are counted from that and
compared. This is plain Python: a record has some eighty cards, too few for arrays to pay.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from danmaku_env.cards.compile import compile_cards
from danmaku_env.cards.tables import BASE_BOX, BOTH_BOXES, INCS, KINDS, SLOTS
from danmaku_env.cards.vocabulary import NUM_ITEM_STATS
from danmaku_env.engine import state as st

_ASIDE = (st.ASIDE_PUBLIC, st.ASIDE_PRIVATE)
_PILES = {
    "deck": (st.IN_DECK,), "discard": (st.IN_DISCARD,), "lunatic_deck": (st.IN_LUNATIC_DECK,),
    "lunatic_discard": (st.IN_LUNATIC_DISCARD,), "played": (st.BEING_PLAYED,), "aside": _ASIDE,
}  # fmt: skip
"""Pile -> the zones of its cards."""
_OF_DECK = ({st.IN_DECK, st.IN_DISCARD}, {st.IN_LUNATIC_DECK, st.IN_LUNATIC_DISCARD})
_ANYWHERE = {st.IN_HAND, st.IN_PLAY, st.BEING_PLAYED, *_ASIDE, st.COLLECTED}
_WITH_HOLDER = {st.IN_HAND, st.IN_PLAY, *_ASIDE}
_KNOWN_TO_ALL = {st.IN_DISCARD, st.IN_LUNATIC_DISCARD, st.IN_PLAY, st.BEING_PLAYED, st.ASIDE_PUBLIC, st.COLLECTED}


class _Box(NamedTuple):
    """The physical cards: what each is."""

    total: int
    incidents: list[int]
    kinds: list[int]
    backs: list[int]
    """Whether a card is of the Lunatic deck."""
    slots: list[int]
    """Item slot, or -1."""
    seasons: list[int]
    slot_stats: list[list[int]]


@functools.cache
def _box(which: int) -> _Box:
    t = compile_cards().tables[0]
    total = int(t["cards_in"][which])
    incidents = [incident for incident in range(INCS) if int(t["incidents_in"][which]) >> incident & 1]
    kinds = t["card_kind"][:total].tolist()
    slots = [int(t["kind_slot"][kind]) for kind in kinds]
    backs, seasons = t["card_lunatic"][:total].tolist(), t["card_season"][:total].tolist()
    return _Box(total, incidents, kinds, backs, slots, seasons, t["slot_stats"].tolist())


def _box_of(s: Any) -> _Box:
    return _box(BOTH_BOXES if int(s["config"]) & st.WITH_LUNATIC_EXTRA else BASE_BOX)


class _Card(NamedTuple):
    card: int
    zone: int
    holder: int
    seen: int


def _cards(s: Any) -> Iterator[_Card]:
    total = _box_of(s).total
    return map(_Card, range(total), s["zone"][:total].tolist(), s["holder"][:total].tolist(), s["seen_by"][:total].tolist())


def _place_problem(s: Any, players: int) -> str | None:
    """Each card by itself."""
    box, in_play = _box_of(s), s["incidents"].tolist()
    total, may_lack, lacks = box.total, bool(int(s["config"]) & st.OWN_DECK), False
    if s["zone"][total:].any() or s["holder"][total:].any() or s["seen_by"][total:].any():
        return "a card that is not in the game"
    for card, zone, holder, seen in _cards(s):
        if zone == st.NOT_IN_GAME and may_lack and not box.backs[card]:
            if holder or seen:
                return "a card that is not in the game"
            lacks = True
            continue
        if zone not in _ANYWHERE and zone not in _OF_DECK[box.backs[card]]:
            return "a card is missing"
        if zone == st.COLLECTED:
            if holder + 1 not in in_play:
                return "a card collected by an incident that is not in play"
        elif holder >= (players if zone in _WITH_HOLDER else players + 1 if zone == st.BEING_PLAYED else 1):
            return "a card held by nobody who could"
        if zone in _KNOWN_TO_ALL and seen != st.EVERYBODY:
            return "a card that lies open and is not known"
        if zone == st.IN_HAND and not seen >> holder & 1:
            return "a hand card that its holder does not know"
        if zone == st.IN_PLAY and box.slots[card] < 0:
            return "a card in play that is no item"
    return "a Main deck that is to lack cards, and has them all" if may_lack and not lacks else None


# ---------------------------------------------------------------- counted anew


def _bits(counts: list[int]) -> int:
    return sum(1 << place for place, count in enumerate(counts) if count)


def _counted(s: Any) -> dict[str, Any]:
    """Fields that count cards, as they must be."""
    box = _box_of(s)
    hands, items = [[0] * KINDS for _ in range(st.SEATS)], [[0] * SLOTS for _ in range(st.SEATS)]
    words, exposed = [[0] * st.HAND_WORDS for _ in range(st.SEATS)], [0] * st.HAND_WORDS
    discarded, collected, lunatic = [0] * KINDS, [0] * KINDS, [0] * KINDS
    backs = [0] * st.SEATS
    collections = [[0] * st.NUM_SEASONS for _ in range(INCS)]
    for card, zone, holder, seen in _cards(s):
        if zone == st.IN_HAND:
            word, bit = card // st.HAND_WORD_BITS, 1 << card % st.HAND_WORD_BITS
            hands[holder][box.kinds[card]] += 1
            words[holder][word] |= bit
            backs[holder] += box.backs[card]
            exposed[word] |= bit if seen & ~(1 << holder) else 0
        elif zone == st.IN_PLAY:
            items[holder][box.slots[card]] += 1
        elif zone == st.IN_DISCARD:
            discarded[box.kinds[card]] += 1
        elif zone == st.IN_LUNATIC_DISCARD:
            lunatic[box.kinds[card]] += 1
        elif zone == st.COLLECTED:
            collected[box.kinds[card]] += 1
            collections[holder][box.seasons[card]] += 1
    in_play = [collections[number - 1] if number else [0] * st.NUM_SEASONS for number in s["incidents"].tolist()]
    return {
        "hand_counts": hands, "hand_size": [sum(hand) for hand in hands], "hand_kinds": [_bits(hand) for hand in hands],
        "hand_cards": words, "exposed": exposed, "item_counts": items, "item_slots": [_bits(counts) for counts in items],
        "item_stats": [_item_stats(counts) for counts in items], "discard_kinds": discarded, "collected_kinds": collected,
        "collected": in_play, "lunatic_in_hand": backs, "lunatic_discard_kinds": lunatic,
    }  # fmt: skip


def _item_stats(counts: list[int]) -> list[int]:
    stats = _box(BOTH_BOXES).slot_stats
    return [sum(count * stats[slot][which] for slot, count in enumerate(counts) if count) for which in range(NUM_ITEM_STATS)]


def _pile_problem(s: Any) -> str | None:
    lying: dict[int, list[int]] = {zone: [] for zone in (*_ANYWHERE, *_OF_DECK[0], *_OF_DECK[1])}
    for card, zone, _, _ in _cards(s):
        if zone != st.NOT_IN_GAME:
            lying[zone].append(card + 1)
    for name, zones in _PILES.items():
        size = int(s[f"{name}_size"])
        if size > len(s[name]) or s[name][size:].any():
            return f"{name} claims {size} cards"
        cards = [card for card in s[name][:size].tolist() if card <= st.INCIDENT_CARD]  # incidents aside are counted with the incidents
        if sorted(cards) != sorted(card for zone in zones for card in lying[zone]):
            return f"{name} and the zones disagree about its cards"
    return None


def _knowledge_problem(s: Any) -> str | None:
    known = s["seen_by"][s["deck"][: int(s["deck_size"])].astype(int) - 1]
    return "a card of the deck known to a seat that knows none" if (known & ~s["deck_seen"]).any() else None


def _aside_problem(s: Any) -> str | None:
    """One effect at a time lays cards aside; which one is judged with the frames."""
    places = {(zone, holder) for _, zone, holder, _ in _cards(s) if zone in _ASIDE}
    return "cards laid aside by several effects" if len(places) > 1 else None


_INCIDENT_PILES = {"incidents": "incident_size", "incident_deck": "incident_deck_size", "incident_discard": "incident_discard_size"}


def _incident_problem(s: Any) -> str | None:
    incidents = _box_of(s).incidents
    found = [card - st.INCIDENT_CARD for card in s["aside"].tolist() if card > st.INCIDENT_CARD]
    for name, counter in _INCIDENT_PILES.items():
        size = int(s[counter])
        if not 0 <= size <= len(s[name]) or s[name][max(0, size) :].any():
            return f"{name} claims {size} incidents"
        found += s[name][:size].tolist()
    kept = [incident + 1 for incident in range(INCS) if int(s["incidents_kept"]) >> incident & 1]
    found += kept
    if int(s["config"]) & st.OWN_INCIDENTS:
        if len(set(found)) != len(found) or not {*found} < {incident + 1 for incident in incidents}:
            return "an incident is doubled, or none of the box is missing"
    elif sorted(found) != [incident + 1 for incident in incidents]:
        return "an incident is missing or doubled"
    if kept and not compile_cards().tables[0]["collects_incidents"][s["incidents"][: int(s["incident_size"])].astype(int) - 1].any():
        return "incidents collected by none that collects them"
    if np.delete(s["incident_seen"], incidents).any():
        return "an incident that is not in the game"
    return None


def _due_problem(s: Any, players: int) -> str | None:
    """An item that is to change hands goes from one seat to another."""
    item, giver, taker = int(s["due_item"]), int(s["due_from"]), int(s["due_to"])
    if (giver > 0) != (item > 0) or (taker > 0) != (item > 0) or max(giver, taker) > players or (item and giver == taker):
        return "an item changes hands, but not from one seat to another"
    return "an item changes hands that is none" if item and (item > _box_of(s).total or _box_of(s).slots[item - 1] < 0) else None


def problem(s: Any, players: int) -> str | None:
    """The first thing that cannot be true of cards and incidents, or None."""
    if found := (
        _due_problem(s, players)
        or _incident_problem(s)
        or _place_problem(s, players)
        or _pile_problem(s)
        or _knowledge_problem(s)
        or _aside_problem(s)
    ):
        return found
    for name, counted in _counted(s).items():
        if s[name].tolist() != counted:
            return f"{name} does not agree with where the cards lie"
    return None
