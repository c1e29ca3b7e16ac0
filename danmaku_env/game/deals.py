"""Every deal of a table that is small enough: for solvers, which need each outcome of chance with its probability.

A deal is the roles by seat and the order of the Main deck by faces (kind and season; cards with the same face are the same card). Each is
named by a seed that deals it, so it is played, saved and replayed like any other game. Chance decides no more after the deal as long as
nothing is shuffled or drawn at random on the way: the record's `rng` stays what it was. Where all cards have the same face (`alike`), a
shuffle decides nothing.
"""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from danmaku_env.arguments import shown
from danmaku_env.config import ConfigError, GameConfig
from danmaku_env.danmaku import DANMAKU_SPEC
from danmaku_env.engine import batch
from danmaku_env.engine import state as st

MOST_DEALS = 100_000
"""More deals than this are not listed."""
_AT_ONCE = 4096
"""Seeds that are dealt together."""
_PATIENCE = 40
"""Seeds tried for each possible deal: a deal is missed by all of them with probability exp(-40)."""


class Deals(NamedTuple):
    """Every deal of a table. Nobody can write into it, so a copy is the same object."""

    seeds: npt.NDArray[np.int64]
    """[n] a seed that deals each."""
    chances: npt.NDArray[np.float64]
    """[n] its probability; they sum to 1."""
    alike: bool
    """Whether all cards of the Main deck are the same card, so that no shuffle is an outcome of chance."""

    def __copy__(self) -> Deals:
        return self

    def __deepcopy__(self, memo: object) -> Deals:
        return self


def every_deal(config: GameConfig) -> Deals:
    """Every deal of the table with its probability, none missing: their exact probabilities have been added up to 1.

    Raises ConfigError for a table where chance decides more than roles and the Main deck, or that has more than MOST_DEALS deals, and
    for anything but a GameConfig.
    """
    _check(config)
    roles, faces = _role_deals(config), _faces(config)
    orders = math.factorial(len(faces)) // math.prod(math.factorial(copies) for copies in Counter(faces).values())
    if len(roles) * orders > MOST_DEALS:
        raise ConfigError(f"this table has {len(roles) * orders:,} deals; at most {MOST_DEALS:,} can be listed: have a smaller deck")
    found: dict[tuple[Any, ...], int] = {}
    chance, left = Fraction(0), _PATIENCE * len(roles) * orders
    for first in range(0, left, _AT_ONCE):
        for seed, (dealt, deck) in enumerate(_dealt(config, first), first):
            if (dealt, deck) not in found:
                found[dealt, deck] = seed
                chance += roles[dealt] / orders
        if chance == 1:
            break
    assert chance == 1, f"deals of probability {float(1 - chance)} were not found"
    seeds, chances = np.array(list(found.values())), np.array([float(roles[dealt] / orders) for dealt, _ in found])
    for shared in (seeds, chances):
        shared.flags.writeable = False
    return Deals(seeds, chances, len(set(faces)) == 1)


def _check(config: object) -> None:
    if not isinstance(config, GameConfig):
        raise ConfigError(f"deals are listed of a GameConfig, not of {shown(config)}")
    if config.deck is None or config.expansion != "none":
        raise ConfigError("deals can be listed of the base game with a small deck: GameConfig(deck={...}, incidents=(), characters='none')")
    if len(config.incident_ids) > 1:
        raise ConfigError("deals can be listed where no incidents are shuffled: say incidents=(), or one")
    if isinstance(config.characters, str) and config.characters != "none":
        raise ConfigError(f"deals can be listed where no characters are dealt: name them, or say 'none', not {config.characters!r}")


def _role_deals(config: GameConfig) -> dict[tuple[int, ...], Fraction]:
    """Roles by seat -> probability of that deal of the role cards."""
    if not isinstance(config.roles, str):
        return {tuple(DANMAKU_SPEC.labels.index(name) for name in config.roles): Fraction(1)}
    hands: list[tuple[int, ...]] = [(DANMAKU_SPEC.labels.index("heroine"),)]
    for dealt, pool in config.role_pools:
        hands = [(*hand, *more) for hand in hands for more in combinations(pool, dealt)]
    ways = Counter(order for hand in hands for order in permutations(hand))
    total = sum(ways.values())
    return {roles: Fraction(number, total) for roles, number in ways.items()}


def _faces(config: GameConfig) -> list[tuple[int, int]]:
    """Kind and season of every card of the Main deck."""
    tables = DANMAKU_SPEC.entries.tables()[0]
    return [(int(tables["card_kind"][card]), int(tables["card_season"][card])) for card in config.cards]


def _dealt(config: GameConfig, first: int) -> list[tuple[tuple[int, ...], bytes]]:
    """Roles by seat, and the Main deck's order by faces as it was dealt, of the seeds from `first` on."""
    tables, games = DANMAKU_SPEC.entries.tables(), st.room_for(_AT_ONCE)
    seeds = np.arange(first, first + _AT_ONCE, dtype=np.int64)
    decks: npt.NDArray[Any] = np.zeros((_AT_ONCE, len(config.cards)), np.int64)
    batch.deal_rows(tables, config.settings(), games, st.as_bytes(games), seeds, decks)
    faces = tables[0]["card_kind"][decks].astype(np.int16) * st.NUM_SEASONS + tables[0]["card_season"][decks]
    roles = games["role"][:, : config.num_players].tolist()
    return [(tuple(dealt), deck.tobytes()) for dealt, deck in zip(roles, faces, strict=True)]
