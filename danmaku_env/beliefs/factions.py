"""The factions that results are counted by: those of the role cards as dealt."""

from __future__ import annotations

import numpy as np

from danmaku_env import GameConfig
from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.compile import compile_cards
from danmaku_env.danmaku import DANMAKU_SPEC
from danmaku_env.machine.records import Array

_IDS = sorted(DANMAKU_SPEC.factions, key=DANMAKU_SPEC.factions.__getitem__)
_TITLES = {name: name.replace("_", " ").title() for name in _IDS}
FACTIONS = {title: DANMAKU_SPEC.factions[name] for name, title in _TITLES.items()}
"""Factions by name ("Stage Boss"), as bits of a role's `factions`, the lowest first."""


def dealt_factions(roles: Array) -> Array:
    """Role numbers as dealt, 0 where nobody sits -> the faction bit of each, same shape, 0 where nobody sits."""
    bits: Array = compile_cards().tables[0]["role_factions"].astype(np.int64)[roles]
    return bits & -bits  # the EX Midboss is dealt as a Partner


def faction_names(config: GameConfig) -> list[str]:
    """The factions that are in play at such a table."""
    return [title for name, title in _TITLES.items() if DANMAKU_SPEC.is_dealt(config, name)]


def on_her_side(roles: Array) -> Array:
    """Role numbers -> whether they are of the Heroine's faction (R-3), same shape: the EX Midboss and the Rival are not."""
    sides: Array = compile_cards().tables[0]["role_team"][roles] == v.HEROINE_TEAM
    return sides
