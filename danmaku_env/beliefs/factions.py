"""The role groups results are counted by."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from danmaku_env import GameConfig
from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.compile import compile_cards
from danmaku_env.cards.tables import POOL_GROUPS

Array = npt.NDArray[Any]
GROUPS = {
    "Heroine": v.HEROINES,
    "Rival": v.RIVALS,
    "Partner": v.PARTNERS,
    "Stage Boss": v.STAGE_BOSSES,
    "Extra Boss": v.EXTRA_BOSSES,
}
"""Role groups by name, as bits of a role's `groups`."""


def dealt_groups(roles: Array) -> Array:
    """Role numbers as dealt, 0 where nobody sits -> the group bit of each, same shape, 0 where nobody sits."""
    groups: Array = compile_cards().tables[0]["role_groups"].astype(np.int64)[roles]
    return groups & -groups  # the EX Midboss is dealt as a Partner


def group_names(config: GameConfig) -> list[str]:
    """The role groups that are in play at such a table."""
    dealt = {v.HEROINES: 1, **dict(zip(POOL_GROUPS, config.roles_dealt, strict=True))}
    return [name for name, group in GROUPS.items() if dealt[group]]


def on_her_side(roles: Array) -> Array:
    """Role numbers -> whether they are of the Heroine's faction (R-3), same shape: the EX Midboss and the Rival are not."""
    sides: Array = compile_cards().tables[0]["role_team"][roles] == v.HEROINE_TEAM
    return sides
