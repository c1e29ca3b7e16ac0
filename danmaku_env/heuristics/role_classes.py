"""Classes of roles: roles whose bearers act alike, and the factions that these classes belong to."""

import numpy as np

from danmaku_env.cards.box import ROLE_IDS
from danmaku_env.cards.tables import ROLE_ROWS

CLASS_ROLES = (
    ("heroine",), ("partner",), ("one_true_partner",), ("stage_boss",), ("final_boss",), ("challenger",), ("anti_heroine",),
    ("ex_boss", "ex_boss_revealed", "phantom_boss", "true_phantom_boss", "ex_midboss", "phantasm_boss", "true_phantasm_boss",
     "secret_boss", "secret_boss_discovered", "lone_wolf", "tag_team"),
    ("rival",),
)  # fmt: skip
"""Roles whose bearers act alike; the EX Midboss wins with the Extra Boss and acts like one."""
CLASSES = len(CLASS_ROLES)
FACTION_OF_CLASS = (0, 1, 1, 2, 2, 2, 2, 3, 4)
NUM_FACTIONS = 5
CLASS_OF_ROLE = np.full(ROLE_ROWS, -1, np.int64)
for _number, _names in enumerate(CLASS_ROLES):
    for _name in _names:
        CLASS_OF_ROLE[ROLE_IDS.index(_name)] = _number
