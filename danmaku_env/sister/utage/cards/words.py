"""The words that texts are written in: what changes a value, what an effect does, whom it is for, and when.

A text is a handful of rows of numbers, which `engine/` reads. *Own* and *opp* are relative to the controller of the card: a support belongs
to the side it lies on, a scene to the side that placed it (F-5).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

# ---------------------------------------------------------------- what is printed

CHARACTERS = ("Reimu", "Marisa", "Sakuya", "Youmu", "Yukari", "Alice", "Remilia", "Yuyuko")
TRAITS = (
    "human", "youkai", "barrier-keeper", "magician", "SDM", "Hakugyokurou", "Yakumo", "vampire", "oni", "celestial",
)  # fmt: skip
"""A bit each, in this order."""
SPELL, SUPPORT, EVENT, CHARACTER = 1, 2, 4, 8
"""Kinds of cards, a bit each, for filters take several."""
NO_TYPE, SPREAD, CONCENTRATED, NORMAL = range(4)
TYPE_WORDS = ("", "spread", "concentrated", "normal")
NOWHERE, ON_SPELL, ON_LEADER, SCENE = range(4)
PLACEMENT_WORDS = ("", "spell", "leader", "scene")
NO_CLASS, DOLL, SHIKIGAMI = range(3)
CLASS_WORDS = ("", "doll", "shikigami")

# ---------------------------------------------------------------- when

SETUP, REPLENISH, BATTLE, PREP, END = range(5)
PHASES = ("set-up", "replenish", "battle", "preparation", "end")
ANY, ATTACK, INTERCEPT = range(3)
ROLES = ("", "attack", "intercept")
(
    AT_NONE, AT_REPLENISH_START, AT_REPLENISH_END, AT_BATTLE_START, AT_BATTLE_END, AT_PREP_END, AT_HIT, AT_ACTIVATED,
) = range(8)  # fmt: skip
MOMENTS = (
    "", "replenish start", "replenish end", "battle start", "battle end", "preparation end", "after a hit", "activated",
)  # fmt: skip
"""Moments that texts wait for. A spell that hit, and damage that was dealt, are told apart by the condition of the text."""

# ---------------------------------------------------------------- values (V-1)

STATS = (
    "AV", "IV", "HV", "EV", "protection", "fast", "slow", "faith", "guided", "penetration", "type", "class", "cannot battle",
    "no target of events", "no target of abilities",
)  # fmt: skip
(
    AV, IV, HV, EV, PROTECTION, FAST, SLOW, FAITH, GUIDED, PENETRATION, BECOMES, COUNTS_AS, CANNOT_BATTLE, SAFE_FROM_EVENTS,
    SAFE_FROM_ABILITIES,
) = range(len(STATS))  # fmt: skip
KEYWORDS = (PROTECTION, FAST, SLOW, FAITH, GUIDED, PENETRATION)
_NAMES = {
    "av": AV, "iv": IV, "hv": HV, "ev": EV, "protection": PROTECTION, "fast": FAST, "slow": SLOW, "faith": FAITH, "guided": GUIDED,
    "penetration": PENETRATION, "becomes": BECOMES, "counts_as": COUNTS_AS, "cannot_battle": CANNOT_BATTLE,
    "safe_from_events": SAFE_FROM_EVENTS, "safe_from_abilities": SAFE_FROM_ABILITIES,
}  # fmt: skip
L_PRINTED, L_TARGETS, L_CLASSES, L_STATIC, L_GRANTED, L_UNTIL, L_KEYWORDS = range(7)
LAYERS = (
    "what is printed", "who may be targeted", "support classes gained", "types and static bonuses", "keywords granted",
    "effects that last", "what keywords do",
)  # fmt: skip
ORDER = (L_PRINTED, L_TARGETS, L_CLASSES, L_STATIC, L_GRANTED, L_UNTIL, L_KEYWORDS)
"""In what order the layers count (V-1, doubtful): this line is the only place that says it."""


def layer_of(stat: int) -> int:
    """In which layer a static change of a value counts."""
    if stat in (SAFE_FROM_EVENTS, SAFE_FROM_ABILITIES):
        return L_TARGETS
    return L_CLASSES if stat == COUNTS_AS else L_GRANTED if stat in KEYWORDS else L_STATIC


class Amount(NamedTuple):
    """A number that is counted: copies of a card or of a class on the own leader, or its level; divided, rounded down (V-11)."""

    what: int
    arg: int = 0
    divided_by: int = 1


X_NONE, X_CLASS, X_CARD, X_LEADER_LEVEL, X_DISCARDED = range(5)
NO_AMOUNT = Amount(X_NONE)
DOLLS = Amount(X_CLASS, DOLL)
HALF_THE_DOLLS = Amount(X_CLASS, DOLL, 2)
HALF_THE_LEVEL = Amount(X_LEADER_LEVEL, 0, 2)
THOSE_DISCARDED = Amount(X_DISCARDED)

# ---------------------------------------------------------------- for what

THIS, HOST, OWN_LEADER, OPP_LEADER, BOTH_LEADERS, OPP_BATTLING, TARGET, ALL = range(8)
SCOPES = ("this", "host", "own leader", "opp leader", "both leaders", "opp battling spell", "target", "all")
OWN, OPP, BOTH = 1, 2, 3
RESERVE, ACTIVE = 1, 2
ANY_LEADER, OF_OWN_LEADER, NOT_OF_OWN_LEADER = range(3)


class Filter(NamedTuple):
    """Which cards, at places of the field or in a hand, deck or discard pile."""

    kinds: int = SPELL
    side: int = BOTH
    where: int = RESERVE | ACTIVE
    """Of spells."""
    type: int = NO_TYPE
    character: int = 0
    """Number plus one of a character that the requirement must name."""
    card: int = 0
    """Number plus one of the only card."""
    low: int = 0
    high: int = 9
    """Level, from and to (V-10)."""
    not_level: int = -1
    cls: int = NO_CLASS
    """Of a support; of a spell, that it carries such a support."""
    leader: int = ANY_LEADER
    """Whether it requires the own leader's name."""
    but: int = 0
    """Number plus one of a card that is left out."""
    playable: int = 0
    """Whether the team of whoever controls it meets its requirement."""
    on_leader: int = 0
    """Of supports, only those on the leader of the side."""


class Cond(NamedTuple):
    """A condition and its two arguments."""

    test: int = 0
    a: int = 0
    b: int = 0


NO_COND = Cond()
(
    C_ALWAYS, C_OWN_TRAIT, C_OPP_TRAIT, C_LEVEL, C_HP_AT_MOST, C_CARRIES, C_CARRIES_BOTH, C_COPIES, C_CARRIES_CLASS, C_LACKS_CLASS,
    C_OWN_LEADER, C_MORE_SUPPORTS, C_BATTLING, C_USED, C_HIT, C_DEALT_DAMAGE,
) = range(16)  # fmt: skip
TESTS = (
    "", "own leader has trait", "opp leader has trait", "own level", "own HP at most", "own leader carries", "own leader carries both",
    "own leader carries copies", "own leader carries class", "own leader carries fewer of class", "own leader is", "more supports than opp",
    "battling", "used in battle", "hit", "dealt damage",
)  # fmt: skip


def trait(*names: str) -> int:
    """Bits of traits."""
    return sum(1 << TRAITS.index(name) for name in names)


class Static(NamedTuple):
    """A change that always holds, in its phases and role."""

    phases: int
    """A bit each."""
    role: int
    cond: Cond
    scope: int
    filter: Filter
    stat: int
    amount: int
    x: Amount


class Row(NamedTuple):
    """One step of an effect."""

    op: int
    a: int = 0
    b: int = 0
    c: int = 0
    x: Amount = NO_AMOUNT
    filter: Filter | None = None
    cond: Cond = NO_COND


(
    OP_END, OP_UNLESS, OP_UNTIL_PHASE, OP_UNTIL_TURN, OP_MILL, OP_DRAW, OP_GAIN_SP, OP_HEAL, OP_DAMAGE, OP_DISCARD_RANDOM, OP_SHUFFLE_IN,
    OP_SEARCH, OP_FROM_DISCARD, OP_FROM_OPP_HAND, OP_TO_HAND, OP_TO_TOP, OP_INTO_PLAY, OP_SHUFFLE, OP_RESERVE, OP_ACTIVATE, OP_DISCARD,
    OP_RETURN, OP_TO_BOTTOM, OP_BAN_EVENTS, OP_BATTLE_AGAIN, OP_END_TURN, OP_LATER,
) = range(27)  # fmt: skip
OPS = (
    "end", "unless", "until phase end", "until turn end", "mill", "draw", "gain SP", "heal", "damage", "discard at random",
    "shuffle the discard in", "search", "take from the discard", "pick from the other hand", "put into the hand", "put on the deck",
    "put into reserve", "shuffle", "to reserve", "activate", "discard", "return to hand", "to the bottom of the deck", "no events",
    "battle again", "end the turn", "later",
)  # fmt: skip

# ---------------------------------------------------------------- writing texts


def changes(**stats: int | Amount) -> list[tuple[int, int, Amount]]:
    """`av=1, hv=DOLLS` -> stat, number and counted amount of each."""
    return [
        (_NAMES[name], 1, amount) if isinstance(amount, Amount) else (_NAMES[name], int(amount), NO_AMOUNT)
        for name, amount in stats.items()
    ]


def always(
    scope: int, among: Filter | None = None, *, phases: Sequence[int] = (BATTLE,), role: int = ANY, cond: Cond = NO_COND,
    **stats: int | Amount,
) -> list[Static]:  # fmt: skip
    """What a static text changes."""
    bits = sum(1 << phase for phase in phases)
    return [Static(bits, role, cond, scope, among or Filter(), stat, amount, x) for stat, amount, x in changes(**stats)]


def until(scope: int, among: Filter | None = None, *, turn: bool = False, **stats: int | Amount) -> list[Row]:
    """What an effect changes until the phase, or the turn, ends."""
    op = OP_UNTIL_TURN if turn else OP_UNTIL_PHASE
    return [Row(op, scope, stat, amount, x, among) for stat, amount, x in changes(**stats)]


def only_if(cond: Cond, rows: Sequence[Row]) -> list[Row]:
    """Rows that are passed over unless a condition holds."""
    return [Row(OP_UNLESS, len(rows), cond=cond), *rows]


def later(moment: int, rows: Sequence[Row]) -> list[Row]:
    """Rows that are carried out at a moment to come."""
    return [Row(OP_LATER, len(rows) + 1, moment), *rows, Row(OP_END)]


class Cost(NamedTuple):
    """What is paid at a moment (P-8)."""

    sp: int = 0
    hp: int = 0
    hand: int = 0
    """Cards of the own hand that are discarded."""
    reserve: int = 0
    """Number plus one of the character that a reserve spell, which is discarded, must require."""


USE, TO_ACTIVE, TO_BATTLE, ABILITY = range(4)
COST_MOMENTS = ("use or place", "activate", "battle", "ability")


class Ability(NamedTuple):
    """What a player may use."""

    phases: int
    rows: list[Row]
    cost: Cost
    role: int
    limit: int
    """Whether once a phase."""
    cond: Cond
    target: Filter | None
    active_only: int
    """Whether the spell itself must be active."""


def ability(
    phase: int, rows: Sequence[Row], *, role: int = ANY, limit: bool = True, cond: Cond = NO_COND, target: Filter | None = None,
    active_only: bool = False, **cost: int,
) -> Ability:  # fmt: skip
    """An ability of a card in play."""
    return Ability(1 << phase, list(rows), Cost(**cost), role, int(limit), cond, target, int(active_only))


class Trigger(NamedTuple):
    """What a text does at a moment, by itself."""

    moment: int
    rows: list[Row]
    role: int = ANY
    cond: Cond = NO_COND


QUESTIONS = (
    "none", "leader", "mulligan", "act", "attack", "intercept", "border", "prepare", "discard", "pay", "target", "place on", "search",
    "pick", "order",
)  # fmt: skip
(
    Q_NONE, Q_LEADER, Q_MULLIGAN, Q_ACT, Q_ATTACK, Q_INTERCEPT, Q_BORDER, Q_PREPARE, Q_DISCARD, Q_PAY, Q_TARGET, Q_PLACE_ON, Q_SEARCH,
    Q_PICK, Q_ORDER,
) = range(len(QUESTIONS))  # fmt: skip
SLOTS = 40
"""Different cards of a deck, at most: a slot each, in box order."""
PLACES = 32
"""Cards on a side of the field, at most (M-1)."""
TEAM = 4
DECK_SIZE, HAND_SIZE, MOST_IN_HAND, MOST_COPIES = 40, 6, 7, 3
