"""How good stated beliefs are: scores of single statements, and estimates with the game as the independent unit.

A statement is what a belief model says about the role of one hidden seat: probabilities of all roles. Statements of one game are not
independent, so every mean is a ratio of sums over games, and its error comes from how the games differ (Cochran, Sampling Techniques,
chapter 6).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from danmaku_env.estimates import Estimate
from danmaku_env.machine.records import Array

LEAST_PROBABILITY = 1e-6
"""Probabilities below this count as this in logarithms: nothing costs more than 19.93 bits."""
BINS = 10
"""Bins of equal width for stated probabilities."""
_TIE = 1e-9
_ROUNDING = 1e-6
"""Probabilities that differ by less are equal: many are sums of exact odds, such as a fifth, which end bins."""
_SLACK = 1e-3
"""Probabilities of float16 sum to 1 within this."""
_RESAMPLED = 400


class Scores(NamedTuple):
    """Scores of statements, arrays of one shape."""

    log_loss: Array
    """Minus log2 of the probability of the truth, in bits."""
    brier: Array
    """Sum over all roles of the squared difference between the probability and what is true (1 or 0): from 0 to 2."""
    top1: Array
    """1 when the truth is the likeliest role, 1/k when it shares that place with k - 1 others, else 0."""


def score(beliefs: Array, truth: Array) -> Scores:
    """Scores [...] of beliefs [..., roles] when the roles numbered `truth` [...] are the true ones."""
    true = np.take_along_axis(beliefs, truth[..., np.newaxis], -1)[..., 0]
    likeliest = beliefs >= beliefs.max(-1, keepdims=True) - _TIE
    named = np.take_along_axis(likeliest, truth[..., np.newaxis], -1)[..., 0]
    return Scores(-log2(true), (beliefs**2).sum(-1) - 2 * true + 1, named / likeliest.sum(-1))


def are_wrong(probabilities: Array, *, add_up: bool = True) -> Array:
    """[S] whether a row of [S, roles] holds something that is no probability, or (`add_up`) does not sum to 1."""
    wrong: Array = np.asarray(~np.isfinite(probabilities).all(1) | (probabilities < 0).any(1))
    if add_up:
        wrong[np.abs(probabilities.sum(1) - 1) > _SLACK] = True
    return wrong


def log2(probabilities: Array) -> Array:
    """The logarithm of probabilities, none smaller than `LEAST_PROBABILITY`; 0 is never -0."""
    found: Array = np.log2(np.clip(probabilities, LEAST_PROBABILITY, 1.0)) + 0.0
    return found


def bin_of(stated: Array) -> Array:
    """The bin of each probability, same shape. Each begins with its lower end, as far as rounding tells."""
    bins: Array = np.minimum((stated * BINS + _ROUNDING).astype(np.int64), BINS - 1)
    return bins


def is_open(prior: Array) -> Array:
    """Whether a prior leaves open what it states these probabilities of; same shape."""
    found: Array = (prior > _ROUNDING) & (prior < 1 - _ROUNDING)
    return found


def calibration(stated: Array, true: Array) -> Array:
    """[BINS, 3] of probabilities [n] and whether what they were stated of is so: how many, their sum, how many are true."""
    bins = bin_of(stated)
    columns = [np.bincount(bins, weights, BINS) for weights in (np.ones(len(bins)), stated, true.astype(np.float64))]
    found: Array = np.stack(columns, -1)
    return found


def calibration_error(bins: Array) -> Array:
    """[...] expected calibration error of [..., BINS, 3]: the mean gap between stated and true, over statements. 0 without any."""
    total = np.maximum(bins[..., 0].sum(-1), 1)
    error: Array = np.abs(bins[..., 1] - bins[..., 2]).sum(-1) / total
    return error


def _gaps(bins: Array) -> Array:
    """[..., BINS] by how much more was stated than is true in each bin of [..., BINS, 3], for one of all statements."""
    gaps: Array = (bins[..., 1] - bins[..., 2]) / np.maximum(bins[..., 0].sum(-1, keepdims=True), 1)
    return gaps


def calibration_estimate(games: Array, confidence: float) -> Estimate:
    """The calibration error of [G, BINS, 3] with an interval from drawing the games again (bootstrap); p is not given.

    Chance in the bins adds to the error, and once more to that of drawn games, whose quantile is therefore the upper end: it is on the safe
    side. The lower end leaves out what chance can have added: no more than the gaps of all bins may be off together, which is how far those
    of drawn games are from those found. So a belief model that states the true probabilities has 0 in the interval as often as the
    confidence says. One game, or several that do not differ, tell nothing of others: any error can be theirs.
    """
    error, surely = float(calibration_error(found := games.sum(0))), (1 + confidence) / 2
    if (games == games[:1]).all():
        return Estimate(len(games), error, 0.0, 1.0, math.nan)
    rng = np.random.default_rng(len(games))
    drawn = rng.multinomial(len(games), np.full(len(games), 1 / len(games)), _RESAMPLED)
    again = np.tensordot(drawn, games, 1)
    added = np.quantile(np.abs(_gaps(again) - _gaps(found)).sum(-1), surely)
    highest = np.quantile(calibration_error(again), surely)
    return Estimate(len(games), error, max(0.0, error - float(added)), max(error, float(highest)), math.nan)
