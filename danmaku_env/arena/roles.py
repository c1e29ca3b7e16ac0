"""The role groups results are counted by."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from danmaku_env import GameConfig
from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.compile import compile_cards

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
    dealt = compile_cards().tables[0]["dealt"][config.deal_table, config.num_players]
    return [name for name, number in zip(GROUPS, (1, dealt[3], dealt[0], dealt[1], dealt[2]), strict=True) if number]
