"""Weights of the policy: the values of a life, a card and a dodge, and how much each role wants each other role defeated.

The heuristic uses numbers set by hand (`HAND`, and the printed goals in `role_preferences.py`). For an agent with better knowledge of the
roles other numbers are better: `python -m danmaku_env.training.fits.style` fits them and writes `style.json`, or for the games of another
box `style_lunatic_extra.json`.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from danmaku_env.danmaku import DANMAKU_SPEC
from danmaku_env.heuristics.fitted import fitted_numbers, read_fitted, shipped_for
from danmaku_env.heuristics.role_classes import CLASS_OF_ROLE, CLASSES, FACTION_OF_CLASS, NUM_FACTIONS
from danmaku_env.heuristics.role_preferences import SITUATIONS, STAGES_LEFT, role_preferences
from danmaku_env.machine.records import Array

FITTED = Path(__file__).with_name("style.json")
SCHEMA = 1
NAMES = ("hand", "fitted")


class Weight(NamedTuple):
    """A number, or a few of one kind, that play is weighed by; in lives unless it says otherwise."""

    name: str
    values: tuple[float, ...]
    """Set by hand."""
    spread: tuple[float, ...]
    """What is a small change: the unit in which a fit varies it."""
    low: float
    high: float
    about: str


def _weight(name: str, *values: float, spread: float | None = None, low: float = 0.0, high: float = 10.0, about: str) -> Weight:
    """A weight that a fit varies by three tenths of itself, by default."""
    return Weight(name, values, tuple(0.3 * abs(value) if spread is None else spread for value in values), low, high, about)


HOLDS = ("cancel", "healing", "dodge", "item", "invocation", "reaction", "action", "danmaku")
"""Sorts of cards by what they are held for: cards that cancel a card, then by the first type that fits."""
SPENDS = ("cancel", "dodge", "healing", "invocation", "danmaku", "other")
"""The same by what playing one costs."""

HAND = (
    _weight("own_loss", 3.0, 1.7, 1.2, 1.0, 0.9, about="what losing a life costs me at 1, 2 ... lives: the last one is the game"),
    _weight("loss", 3.0, 1.7, 1.2, 1.0, 0.9, about="the same for others"),
    _weight("dodgeless", 0.84, spread=0.05, low=0.02, high=0.98, about="chance that a card nobody knows does not dodge"),
    _weight("known_dodge", 0.15, spread=0.06, low=0.02, high=0.98, about="chance that an attack hits somebody known to hold a dodge card"),
    _weight("self_dodge", 0.3, spread=0.1, low=0.02, high=0.98, about="the same for me: the card is spent, and may be needed twice"),
    _weight("guard_cost", 0.35, about="the further card that a dodge for somebody else costs"),
    _weight("ban", 0.4, about="naming a card type that nobody may play"),
    _weight("information", 0.05, about="seeing a hand; and an answer of which nothing is known but that it was offered"),
    _weight("card", 0.35, about="a card in hand nobody knows"),
    _weight("item", 0.5, about="an item in play that is not looked at more closely"),
    _weight("turn", 0.9, about="a turn"),
    _weight("full_hand_spend", 0.4, high=1.0, about="factor on `spend` when I hold more cards than I may keep"),
    _weight("threat_hold", 1.5, about="factor on `hold` of dodge and healing cards when I have few lives"),
    _weight("spare_copy", 0.12, high=0.5, about="share of its worth that a card loses for each further copy in hand"),
    _weight("reveal", 0.3, spread=0.3, low=-10.0, about="revealing the Extra Boss: a life and more cards, for everybody's attention"),
    _weight("out_of_range", 0.25, about="cards thrown in to reach somebody"),
    _weight("skip", -0.5, spread=0.3, low=-10.0, about="skipping my own turn for cards"),
    _weight("pass_bias", 0.02, spread=0.05, low=-10.0, about="what another answer must be worth more than passing"),
    _weight("revenge", 0.03, spread=0.05, low=-1.0, about="preference against whoever attacks me"),
    _weight("hold", 0.6, 0.8, 0.5, 0.45, 0.4, 0.4, 0.35, 0.3, about="a card kept in hand, by its sort (HOLDS)"),
    _weight("spend", 0.55, 0.45, 0.75, 0.15, 0.06, 0.03, about="what playing a card must be worth, by its sort (SPENDS)"),
)  # fmt: skip
MOST_LIFE = len(HAND[0].values)
WEIGHTS = sum(len(weight.values) for weight in HAND)

STYLE = np.dtype(
    [(weight.name, "f8", (len(weight.values),) if len(weight.values) > 1 else ()) for weight in HAND]
    + [("role_preferences", "f8", (SITUATIONS, DANMAKU_SPEC.num_labels, DANMAKU_SPEC.num_labels))]
)
"""One record, shape (1,), is an argument of compiled play; its first WEIGHTS numbers are the weights, in the order of HAND."""


def flat(styles: Array) -> Array:
    """[n, WEIGHTS] float64 the weights of records [n], a view of them."""
    numbers: Array = styles.view(np.float64).reshape(len(styles), -1)
    return numbers[:, :WEIGHTS]


def column(of: str) -> Array:
    """[WEIGHTS] float64 one property of all weights: values, spread, low or high."""
    return np.concatenate([np.broadcast_to(getattr(weight, of), len(weight.values)) for weight in HAND]).astype(float)


@functools.cache
def hand_style() -> Array:
    """The style set by hand, a record of STYLE, shape (1,)."""
    style: Array = np.zeros(1, STYLE)
    flat(style)[:] = column("values")
    style["role_preferences"][0] = role_preferences()
    return style


_PHASES = 2
"""While Stage Bosses are left, and after."""
SHIFTS = _PHASES * NUM_FACTIONS
_KINDS = CLASS_OF_ROLE[: DANMAKU_SPEC.num_labels]
_ROLES = np.flatnonzero(_KINDS >= 0)
_FACTIONS = np.array(FACTION_OF_CLASS)[_KINDS[_ROLES]]
_PHASE: Array = np.array([0 if situation & STAGES_LEFT else 1 for situation in range(SITUATIONS)])


def shift(table: Array, kind: int, shifts: Array) -> None:
    """Add `shifts` [SHIFTS], by phase and faction, to the rows of one class of roles in a table [SITUATIONS, NUM_ROLES, NUM_ROLES]."""
    mine = np.flatnonzero(kind == _KINDS)
    table[:, mine[:, np.newaxis], _ROLES] += shifts.reshape(_PHASES, NUM_FACTIONS)[_PHASE][:, np.newaxis, _FACTIONS]


def make_style(weights: Array, shifts: Array) -> Array:
    """The record of STYLE, shape (1,), from all weights [WEIGHTS] and the shifts of the role preferences [CLASSES, SHIFTS]."""
    style = hand_style().copy()
    flat(style)[0] = weights
    for kind in range(CLASSES):
        shift(style["role_preferences"][0], kind, shifts[kind])
    return style


def style_from(data: Any) -> Array:
    """[1] a record of STYLE from the plain data of a file. Raises FittedError."""
    shapes = {weight.name: (len(weight.values),) for weight in HAND}
    numbers = fitted_numbers(data, "style", SCHEMA, {**shapes, "shifts": (CLASSES, SHIFTS)})
    return make_style(np.concatenate([numbers[name] for name in shapes]), numbers["shifts"])


def style_data(weights: Array, shifts: Array) -> dict[str, Any]:
    """The inverse of `style_from`."""
    data: dict[str, Any] = {"danmaku_style": SCHEMA}
    parts = np.split(weights, np.cumsum([len(weight.values) for weight in HAND])[:-1])
    data |= {weight.name: part.round(4).tolist() for weight, part in zip(HAND, parts, strict=True)}
    return data | {"shifts": shifts.round(4).tolist()}


@functools.cache
def style_of(name: str, expansion: str = "none") -> Array:
    """The record of STYLE, shape (1,), of a name, in the games of a box. Raises ValueError for an unknown name."""
    if name not in NAMES:
        raise ValueError(f"a style is {' or '.join(NAMES)}, not {name!r}")
    return hand_style() if name == "hand" else style_from(read_fitted(shipped_for(FITTED, expansion)))
