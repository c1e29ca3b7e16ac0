"""Who may have which role, from the place of one seat: what the deal allows, and what a belief model concludes from the play."""

from __future__ import annotations

import numpy as np

from danmaku_env.agents.base import BeliefModel, beliefs_of
from danmaku_env.beliefs.factions import FACTIONS, dealt_factions
from danmaku_env.danmaku import DANMAKU_SPEC
from danmaku_env.game import Game, role_assignments
from danmaku_env.info_states import InfoStates
from danmaku_env.machine.records import Array

COLUMNS = (*FACTIONS, "no role")
"""Columns of a belief: the factions, and the lack of a role that a takeover leaves the former Heroine with."""
_BITS = (*FACTIONS.values(), 0)


def by_faction(belief: Array) -> Array:
    """[players, NUM_ROLES] probabilities of role numbers -> [players, columns]; the EX Midboss counts as the Partner it is dealt as."""
    bits = dealt_factions(np.arange(DANMAKU_SPEC.num_labels))
    columns: Array = np.stack([belief[:, bits == bit].sum(axis=1) for bit in _BITS], axis=1)
    return columns


IN_FACTION = by_faction(np.eye(DANMAKU_SPEC.num_labels))
"""[NUM_ROLES, columns] 1.0 where a role counts to the column."""
FACTION_OF_ROLE = IN_FACTION.argmax(1)
"""[NUM_ROLES] the column that a role counts to."""


def prior(game: Game, seat: int) -> Array:
    """[players, columns] float64: what the deal allows, given the roles that the seat knows; exact. Rows sum to 1.

    How anybody has played does not count here. Raises IndexError beyond the table.
    """
    return by_faction(role_assignments(game, seat).marginals())


def deduced(game: Game, seat: int, belief_model: BeliefModel) -> Array:
    """[players, columns] float64: what the belief model would think in this seat's place, told only what the seat knows. Rows sum to 1."""
    info_states = InfoStates(game.records, np.array([seat]), game.config)
    relative = beliefs_of(belief_model, game.observe(seat)[np.newaxis], info_states)[0]
    places = (np.arange(game.config.num_players) - seat) % game.config.num_players
    return by_faction(relative[places])
