"""How much the bearer of one role wants the bearer of another brought down: the printed goals as a table."""

from __future__ import annotations

import functools

import numpy as np
import numpy.typing as npt

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.box import BASE_GAME, NUM_ROLES, ROLE_IDS

TARGETED = 1.0
"""Whose defeat is my goal."""
HEROINE_FIRST = 1.4
"""The Heroine, for a role that wins with her defeat alone: the shortest way."""
ALLY = -1.0
"""A role that wins with me."""
OUTLIVE = -0.6
"""Those who must die for my goal, but not yet: their defeat now would let others win."""
RIVALRY = 0.35
"""A role whose goal excludes mine."""
GUARD = 0.45
"""A role that would fight for my target."""

STAGES_LEFT, PARTNER_FELL, STAGE_FELL = 1, 2, 4
SITUATIONS = 8
"""Bits of a situation: Stage Bosses still in play, a Partner defeated, another Stage Boss defeated."""

_ROLE = {role.id: role for role in BASE_GAME.all_roles}


def _first_things_missing(goal: int, situation: int) -> bool:
    """Whether something besides the Heroine's defeat must happen first, or others win by that defeat."""
    if goal & v.STAGE_DEAD:
        return bool(situation & STAGES_LEFT)
    if goal & v.A_PARTNER_DEAD:
        return not situation & PARTNER_FELL
    return bool(goal & v.ANOTHER_STAGE_DEAD) and not situation & STAGE_FELL


def _is_wanted(goal: int, factions: int, situation: int) -> bool:
    """Whether the goal names one of the factions, the Heroine apart."""
    return bool(
        (goal & v.STAGE_DEAD and factions & v.STAGE_BOSSES)
        or (goal & v.EXTRA_DEAD and factions & v.EXTRA_BOSSES)
        or (goal & v.OTHER_PARTNERS_DEAD and factions & v.PARTNERS)
        or (goal & v.A_PARTNER_DEAD and factions & v.PARTNERS and not situation & PARTNER_FELL)
        or (goal & v.ANOTHER_STAGE_DEAD and factions & v.STAGE_BOSSES and not situation & STAGE_FELL)
    )


def role_preference(mine: str, other: str, situation: int) -> float:
    """How much the bearer of role `mine` wants the bearer of role `other` brought down, in [-1, HEROINE_FIRST]."""
    me, you = _ROLE[mine], _ROLE[other]
    missing = _first_things_missing(me.goal, situation)
    if you.factions & (v.HEROINES | v.RIVALS):
        if me.goal & v.HEROINE_DEAD:
            return OUTLIVE if missing else HEROINE_FIRST
        if me.goal & v.IS_HEROINE:
            return TARGETED
        return RIVALRY if you.factions & v.RIVALS else ALLY
    if me.team == you.team and me.team == v.EXTRA_TEAM:
        return ALLY
    if _is_wanted(me.goal, you.factions, situation):
        return TARGETED
    if me.team == you.team:
        return ALLY
    if me.goal & v.HEROINE_DEAD and you.factions & v.PARTNERS:
        return 0.0 if missing else GUARD
    return RIVALRY


@functools.cache
def role_preferences() -> npt.NDArray[np.float64]:
    """[SITUATIONS, NUM_ROLES, NUM_ROLES] `role_preference` of every role toward every other; 0 for role 0."""
    table = np.zeros((SITUATIONS, NUM_ROLES, NUM_ROLES))
    for situation in range(SITUATIONS):
        for mine in _ROLE:
            for other in _ROLE:
                table[situation, ROLE_IDS.index(mine), ROLE_IDS.index(other)] = role_preference(mine, other, situation)
    return table
