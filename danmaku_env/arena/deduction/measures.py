"""How good stated beliefs are, from arrays alone: whatever stated them, and wherever they were kept (such as in statements.parquet)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from danmaku_env.agents.by_faction import COLUMNS, FACTION_OF_ROLE, IN_FACTION
from danmaku_env.arena.deduction.scores import BINS, are_wrong, bin_of, calibration_estimate, is_open, score
from danmaku_env.console.errors import UserError
from danmaku_env.danmaku import DANMAKU_SPEC
from danmaku_env.estimates import Estimate, check_confidence, ratio
from danmaku_env.machine.records import Array


@dataclass(frozen=True)
class BeliefMeasures:
    """Means over statements, with the game as the independent unit; losses in bits, see scores.py."""

    role_loss: Estimate
    """Log loss of the role."""
    faction_loss: Estimate
    """Log loss of the faction, whose probability is the sum of those of its roles."""
    brier: Estimate
    """Brier score of the role, 0 to 2."""
    calibration_error: Estimate
    """Expected calibration error of the probabilities of all roles, of those that the prior leaves open, 0 to 1."""
    saved: Estimate | None
    """Log loss of the role less than that of the prior, on the same statements; None without one."""
    above_reference: Estimate | None
    """Log loss of the role minus that of the reference, on the same statements; None without one."""
    by_faction: Mapping[str, Estimate]
    """Log loss of the faction, of the statements about seats of each true faction there is."""
    by_role: Mapping[str, Estimate]
    """Log loss of the role, of the statements about seats of each true role there is."""


def measure(
    beliefs: Array, truth: Array, games: Array, *, prior: Array | None = None, reference: Array | None = None, confidence: float = 0.99
) -> BeliefMeasures:
    """Measure S statements.

    `beliefs` [S, NUM_ROLES] are the stated probabilities of the roles, `truth` [S] the numbers of the true roles, `games` [S] the games in
    which the statements were made. `prior` and `reference` [S, NUM_ROLES] are beliefs on the same statements to compare with: what the deal
    allows, and the exact posterior. Raises UserError for an invalid statement.
    """
    check_confidence(confidence)
    beliefs, truth = _checked(beliefs, truth, games)
    members, games = np.unique(games, return_inverse=True)

    def mean(values: Array, chosen: Array | slice = slice(None)) -> Estimate:
        sums = np.bincount(games[chosen], values[chosen], len(members))
        return ratio(sums, np.bincount(games[chosen], minlength=len(members)), confidence)

    def more(other: Array | None, sign: int) -> Estimate | None:
        return None if other is None else mean(sign * (roles.log_loss - score(*_checked(other, truth, games)).log_loss))

    roles, true_factions = score(beliefs, truth), FACTION_OF_ROLE[truth]
    factions = score(beliefs @ IN_FACTION, true_factions)
    left_open = np.ones(beliefs.shape, np.bool_) if prior is None else is_open(prior)
    return BeliefMeasures(
        mean(roles.log_loss), mean(factions.log_loss), mean(roles.brier),
        calibration_estimate(_bins(beliefs, truth, games, left_open), confidence), more(prior, -1), more(reference, 1),
        _each(COLUMNS, true_factions, lambda chosen: mean(factions.log_loss, chosen)),
        _each(DANMAKU_SPEC.labels, truth, lambda chosen: mean(roles.log_loss, chosen)),
    )  # fmt: skip


def _each(names: Any, numbers: Array, estimate: Callable[[Array], Estimate]) -> dict[str, Estimate]:
    """Name -> estimate of the statements with this number, for the names that there are."""
    return {names[number] or "no role": estimate(numbers == number) for number in np.unique(numbers).tolist()}


def _bins(beliefs: Array, truth: Array, games: Array, counted: Array) -> Array:
    """[games, BINS, 3] of the probabilities that count: how many are in a bin, their sum, and how many are of what is true."""
    shape = int(games.max()) + 1, BINS
    places = (games[:, np.newaxis] * BINS + bin_of(beliefs))[counted]
    true = (np.arange(beliefs.shape[1]) == truth[:, np.newaxis])[counted]
    columns = (np.bincount(places, weights, shape[0] * BINS) for weights in (None, beliefs[counted], true))
    return np.stack([column.reshape(shape).astype(np.float64) for column in columns], -1)


def _checked(beliefs: Array, truth: Array, games: Array) -> tuple[Array, Array]:
    """Probabilities as float64 that sum to 1, and the truth as numbers. Raises UserError."""
    beliefs, truth, roles = np.asarray(beliefs, np.float64), np.asarray(truth), DANMAKU_SPEC.num_labels
    if not len(truth) or beliefs.shape != (len(truth), roles) or len(games) != len(truth):
        raise UserError(f"beliefs have a row of {roles} probabilities for each true role and game, not the shape {beliefs.shape}")
    if not np.issubdtype(truth.dtype, np.integer) or truth.min() < 0 or truth.max() >= roles:
        raise UserError(f"true roles are numbers from 0 to {roles - 1} (danmaku_env.ROLE_IDS)")
    if (wrong := are_wrong(beliefs)).any():
        raise UserError(f"the probabilities of statement {int(wrong.argmax())} do not sum to 1, or some are no probabilities")
    return beliefs / beliefs.sum(1, keepdims=True), truth
