"""Roles and physical cards for a description: what is named first, then what is left, as the seed deals it.

Refuses what the box does not hold. Where the cards go in the record is position.py.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from danmaku_env.arguments import shown
from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.box import BASE_GAME, INCIDENT_IDS, KIND_IDS, LUNATIC_PREFIX, ROLE_IDS
from danmaku_env.cards.compile import compile_cards
from danmaku_env.cards.tables import BASE_BOX
from danmaku_env.config import IN_BOTH_BOXES, GameConfig
from danmaku_env.engine import state as st
from danmaku_env.engine.state import EVERYBODY
from danmaku_env.game.errors import ScenarioError
from danmaku_env.game.scenario.description import Cards, Description
from danmaku_env.wording import card_name

REVEALED_FORMS = {role.becomes: role.id for role in BASE_GAME.all_roles if role.becomes}
"""Role of a boss who has revealed herself -> the card she was dealt."""


def _why_not(role: str, printed: str, config: GameConfig) -> str:
    """Why a role cannot be dealt, or not once more."""
    if printed not in ROLE_IDS[1:]:
        there = sorted({ROLE_IDS[dealt] for pool in config.role_pools for dealt in pool[1]})
        return f"{shown(role)} is no role; at this table there are heroine, {', '.join(there)}"
    if config.expansion == "none" and printed in (one.id for one in BASE_GAME.expansion.roles):
        return f"{shown(role)} is a role of Lunatic Extra; {IN_BOTH_BOXES}"
    if config.expansion != "none" and printed in BASE_GAME.advanced[config.num_players].extra_pool and printed not in _extra_bosses(config):
        return f"{shown(role)} is replaced in Lunatic Extra; the Extra Bosses are {', '.join(_extra_bosses(config))}"
    return f"no {shown(role)} is left to deal with {config.num_players} players"


def _extra_bosses(config: GameConfig) -> tuple[str, ...]:
    return BASE_GAME.expansion.advanced[config.num_players].extra_pool


def deal_roles(table: Description, config: GameConfig, rng: np.random.Generator) -> list[str]:
    """A role for every seat: those named, here or in the configuration, the rest dealt from what that leaves.

    Raises ScenarioError for roles that cannot be dealt together.
    """
    heroine = 1, (ROLE_IDS.index("heroine"),)
    pools = dict(zip(("heroine", "partner", "stage", "extra", "rival"), (heroine, *config.role_pools), strict=True))
    slots = {name: [ROLE_IDS[role] for role in pool] for name, (_, pool) in pools.items()}
    left = {name: count for name, (count, _) in pools.items()}
    roles: list[str | None] = [None] * config.num_players
    for seat in range(config.num_players):
        role = table.seat(seat).role
        if role is None and not isinstance(config.roles, str):
            role = config.roles[seat]
        if role is None:
            continue
        if role == "" and table.seat(seat).defeated and left["rival"]:  # the former Heroine after a takeover
            left["rival"] -= 1
        else:
            printed = REVEALED_FORMS.get(role, role)
            group = next((name for name, pool in slots.items() if printed in pool), None)
            if group is None or left[group] == 0:
                raise ScenarioError(f"seat {seat}: {_why_not(role, printed, config)}")
            slots[group].remove(printed)
            left[group] -= 1
        roles[seat] = role
    rest: list[str] = []
    for group, number in left.items():
        rest += [str(name) for name in rng.permutation(slots[group])[:number]] if number > 0 else []
    dealt = iter([str(name) for name in rng.permutation(rest)])
    return [role if role is not None else next(dealt) for role in roles]


class _Box:
    """The physical cards not yet placed, in the order in which the seed deals them."""

    def __init__(self, rng: np.random.Generator, config: GameConfig) -> None:
        self._which, there = config.box, set(config.cards)
        order = rng.permutation(int(compile_cards().tables[0]["cards_in"][self._which]))
        self.left: list[int] = [int(card) for card in order if int(card) in there]

    def take(self, name: str, where: str) -> int:
        kind, _, season = name.partition("/")
        if kind.removeprefix(LUNATIC_PREFIX) not in KIND_IDS or (season and season not in v.SEASONS):
            raise ScenarioError(f"{where}: {shown(name)} is not a card; cards are written like 'shoot' or 'shoot/spring'")
        if self._which == BASE_BOX and _find(name, range(int(compile_cards().tables[0]["cards_in"][BASE_BOX]))) is None:
            raise ScenarioError(f"{where}: {shown(name)} is a card of Lunatic Extra; {IN_BOTH_BOXES}")
        card = _find(name, self.left)
        if card is None:
            raise ScenarioError(f"{where}: no {name!r} is left, all copies are placed already")
        self.left.remove(card)
        return card


def _find(name: str, cards: Iterable[int]) -> int | None:
    """The first of the physical cards that the name fits, with or without its season."""
    return next((card for card in cards if name in (card_name(card), card_name(card).partition("/")[0])), None)


class Pile(NamedTuple):
    """Cards that were named for one place."""

    names: Cards
    where: str
    zone: int
    holder: int


class Placement(NamedTuple):
    """Where a physical card goes, and who knows which card it is there."""

    card: int
    zone: int
    holder: int
    known_to: int
    """Bit per seat, besides those who can see it where it lies."""


def place_cards(table: Description, config: GameConfig, rng: np.random.Generator) -> list[Placement]:
    """Every physical card once, in the order in which the piles are built up."""
    players = config.num_players
    hands = [Pile(table.seat(seat).hand, f"hand of seat {seat}", st.IN_HAND, seat) for seat in range(players)]
    items = [Pile(table.seat(seat).items, f"items of seat {seat}", st.IN_PLAY, seat) for seat in range(players)]
    piles = [pile for both in zip(hands, items, strict=True) for pile in both]
    piles += [
        *(Pile(_cards_of(cards), "collected cards", st.COLLECTED, place) for place, cards in enumerate(table.incidents.values())),
        Pile(table.lunatic_discard[::-1], "Lunatic discard pile", st.IN_LUNATIC_DISCARD, 0),
        Pile(table.lunatic_top[::-1], "Lunatic deck", st.IN_LUNATIC_DECK, 0),
        Pile(table.discard_top[::-1], "discard pile", st.IN_DISCARD, 0),
        Pile((table.deck_only or table.deck_top)[::-1], "deck", st.IN_DECK, 0),
        Pile(table.deck_bottom[::-1], "deck", st.IN_DECK, 0),
    ]
    box = _Box(rng, config)
    taken = _take(box, piles)
    *lying, lunatic_top, discard, top, bottom = taken
    rest = [card for card in box.left if not is_lunatic(card)]
    if table.deck_only is not None:
        discard, rest = rest + discard, []
    deck = bottom + rest + top
    known = _known(table, players, taken[: 2 * players : 2], deck[::-1])
    placed = [(card, pile.zone, pile.holder) for pile, cards in zip(piles, lying, strict=False) for card in cards]
    lunatic_deck = [card for card in box.left if is_lunatic(card)] + lunatic_top
    placed += [(card, st.IN_LUNATIC_DECK, 0) for card in lunatic_deck]
    placed += [(card, st.IN_DISCARD, 0) for card in discard] + [(card, st.IN_DECK, 0) for card in deck]
    return [Placement(*place, known[place[0]]) for place in placed]


def _cards_of(collected: Cards) -> Cards:
    """What an incident has collected, incidents apart."""
    return tuple(name for name in collected if name not in INCIDENT_IDS)


def is_lunatic(card: int) -> bool:
    """Whether a physical card is one of the Lunatic deck."""
    return bool(compile_cards().tables[0]["card_lunatic"][card])


def _take(box: _Box, piles: Sequence[Pile]) -> list[list[int]]:
    """The physical cards of each pile. Cards of a given season come first, so that a plain name never takes the last of a season."""
    wanted = [(name, place, at) for at, pile in enumerate(piles) for place, name in enumerate(pile.names)]
    taken = [[0] * len(pile.names) for pile in piles]
    for name, place, at in sorted(wanted, key=lambda one: "/" not in one[0]):
        taken[at][place] = box.take(name, piles[at].where)
    return taken


# ---------------------------------------------------------------- who knows what


def knowers(seats: Sequence[int], players: int) -> int:
    """Bits of the seats; what all of them know is public."""
    return EVERYBODY if len(set(seats)) == players else sum({1 << seat for seat in seats})


def _known(table: Description, players: int, hands: Sequence[Sequence[int]], deck: Sequence[int]) -> dict[int, int]:
    """Physical card -> bits of the seats that were said to know it; `deck` from the top."""
    known: defaultdict[int, int] = defaultdict(int)
    for said in table.knowledge:
        who = knowers(said.seats, players)
        cards = [deck[place_in(place, len(deck), "deck")] for place in said.deck]
        for seat, names in said.hands:
            cards += hands[seat] if names is None else _named_in_hand(names, seat, hands[seat])
        for card in cards:
            known[card] |= who
    return known


def _named_in_hand(names: Cards, seat: int, hand: Sequence[int]) -> list[int]:
    """The cards of a hand that are named, each another one; those of a given season first."""
    left, found = list(hand), []
    for name in sorted(names, key=lambda name: "/" not in name):
        card = _find(name, left)
        if card is None:
            raise ScenarioError(f"nobody can know {shown(name)} in the hand of seat {seat}: it is not there")
        left.remove(card)
        found.append(card)
    return found


def place_in(place: int, size: int, pile: str) -> int:
    """A place counted from the top, from one that may be counted from the bottom. Raises ScenarioError for one beyond the pile."""
    if not -size <= place < size:
        raise ScenarioError(f"nobody can know the card at place {shown(place)} of the {pile}: it has {size} cards")
    return place % size
