"""Means with confidence intervals, and their words. The caller says what the independent unit is, a deal or a game."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np

from danmaku_env.console.errors import UserError
from danmaku_env.machine.records import Array

ROUNDING = 1e-9
"""Standard errors of this size and below are those of rounding."""
_FARTHEST = 2.0
"""No observation is further from 0: rewards are from -1 to 1, and of two the difference counts."""


def check_confidence(confidence: float) -> None:
    """Raise UserError unless an interval can have it."""
    if not 0 < confidence < 1:
        raise UserError(f"the confidence is a number between 0 and 1, such as 0.99, not {confidence}")


@dataclass(frozen=True)
class Estimate:
    """A mean with its confidence interval, and how likely a mean as far from 0 would be by chance."""

    deals: int
    """Independent observations."""
    mean: float
    low: float
    high: float
    p: float
    """Two-sided p-value of the t-test against 0."""

    @property
    def half(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2

    def __neg__(self) -> Estimate:
        return Estimate(self.deals, -self.mean, -self.high, -self.low, self.p)


def estimate(strata: Sequence[Array], confidence: float) -> Estimate:
    """The mean of observations [D], from -2 to 2, in strata that are weighted by their sizes, with the t interval and test.

    It has D - (strata) degrees of freedom. A stratum of a single observation joins the next smallest, see `collapsed`.
    """
    strata = collapsed(strata)
    total = sum(len(stratum) for stratum in strata)
    if total < 2:
        mean = float(strata[0].mean()) if strata else math.nan
        return Estimate(total, mean, -math.inf, math.inf, 1.0)
    mean = sum(float(stratum.sum()) for stratum in strata) / total
    error = math.sqrt(squares(strata)) / total
    if error <= ROUNDING:
        return _all_alike(strata, mean, confidence)
    from scipy.special import stdtr, stdtrit  # only where something is estimated: scipy need not be installed

    freedom = total - len(strata)
    half = float(stdtrit(freedom, (1 + confidence) / 2)) * error
    return Estimate(total, mean, mean - half, mean + half, float(2 * stdtr(freedom, -abs(mean) / error)))


def _all_alike(strata: Sequence[Array], mean: float, confidence: float) -> Estimate:
    """Where the observations of a stratum do not differ: other ones are rare, but may be as far away as any can be.

    None came in that many, which is a bound (Clopper and Pearson 1934); the p-value is that at which the interval ends at 0, never less
    than that of the sign test. Observations of 0 are no exception: two agents may be alike in a few deals.
    """
    total = sum(len(stratum) for stratum in strata)
    reach = _FARTHEST + max(float(np.abs(stratum).max()) for stratum in strata)
    half = (1 - ((1 - confidence) / 2) ** (1 / total)) * reach
    return Estimate(total, mean, mean - half, mean + half, min(1.0, 2 * (1 - abs(mean) / reach) ** total))


def ratio(sums: Array, counts: Array, confidence: float) -> Estimate:
    """Mean of everything counted: `sums` [G] over `counts` [G], with the t interval over the games that have any (Cochran, chapter 6).

    There is no interval where the games do not differ: the p-value is that of the sign test then, and 1 where all sums are 0.
    """
    sums, counts = sums[counts > 0], counts[counts > 0]
    games, total = len(counts), float(counts.sum())
    if games == 0:
        return Estimate(0, math.nan, -math.inf, math.inf, 1.0)
    mean = float(sums.sum()) / total
    if games == 1:
        return Estimate(1, mean, -math.inf, math.inf, 1.0)
    error = math.sqrt(games / (games - 1) * float(((sums - mean * counts) ** 2).sum())) / total
    if error <= ROUNDING:
        return Estimate(games, mean, -math.inf, math.inf, 2.0 ** (1 - games) if abs(mean) > ROUNDING else 1.0)
    from scipy.special import stdtr, stdtrit  # see `estimate`

    half = float(stdtrit(games - 1, (1 + confidence) / 2)) * error
    return Estimate(games, mean, mean - half, mean + half, float(2 * stdtr(games - 1, -abs(mean) / error)))


def half_width(error: float, confidence: float) -> float:
    """Half the interval of what has this standard error, by the normal distribution: for many observations."""
    return NormalDist().inv_cdf((1 + confidence) / 2) * error


def student_half_width(error: float, freedom: int, confidence: float) -> float:
    """Half the interval of what has this standard error, by Student's distribution with so many degrees of freedom, 1 or more."""
    from scipy.special import stdtrit  # see `estimate`

    return float(stdtrit(freedom, (1 + confidence) / 2)) * error


def wilson(share: float, number: int, confidence: float) -> tuple[float, float]:
    """The Wilson interval of a share seen in this many independent draws, of which there are some."""
    z = half_width(1.0, confidence)
    middle, scale = share + z**2 / (2 * number), 1 + z**2 / number
    half = z * math.sqrt(share * (1 - share) / number + z**2 / (4 * number**2))
    return min(share, (middle - half) / scale), max(share, (middle + half) / scale)


def collapsed(strata: Sequence[Array]) -> list[Array]:
    """The strata that have observations; one alone says nothing of its spread and joins the next smallest stratum.

    That widens the interval rather than narrowing it (collapsed strata: Cochran, Sampling Techniques, section 5A.12).
    """
    found = [stratum for stratum in strata if len(stratum)]
    while len(found) > 1 and min(map(len, found)) == 1:
        alone, smallest, *others = sorted(found, key=len)
        found = [np.concatenate([alone, smallest]), *others]
    return found


def squares(strata: Sequence[Array]) -> float:
    """The variance of the sum of all observations, of strata as `collapsed` gives them."""
    return sum(len(stratum) * float(stratum.var(ddof=1)) for stratum in strata if len(stratum) > 1)


def holm(ps: Sequence[float]) -> list[float]:
    """p-values as they count when that many comparisons were made: each at least as large, in the same order (Holm 1979)."""
    order = sorted(range(len(ps)), key=lambda place: ps[place])
    adjusted, highest = [0.0] * len(ps), 0.0
    for rank, place in enumerate(order):
        highest = max(highest, min(1.0, (len(ps) - rank) * ps[place]))
        adjusted[place] = highest
    return adjusted


def finite(number: float) -> float:
    """The number, or 0 where it is infinite or none: half an interval that cannot be drawn."""
    return number if math.isfinite(number) else 0.0


def plain_data(value: Any) -> Any:
    """The value for JSON: tuples as lists, and None for numbers that are not finite."""
    if isinstance(value, dict):
        return {name: plain_data(part) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain_data(part) for part in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


# ---------------------------------------------------------------- in words


def percent(share: float) -> str:
    """99 %, 99.9 %."""
    return f"{100 * share:g} %"


def plain(estimate: Estimate, digits: int = 3, sign: str = "") -> str:
    """0.123 ± 0.045, or without the interval where there is none."""
    if math.isnan(estimate.mean):
        return "–"
    width = f" ± {estimate.half:.{digits}f}" if math.isfinite(estimate.half) else ""
    return f"{estimate.mean:{sign}.{digits}f}{width}"


def signed(estimate: Estimate, digits: int = 3) -> str:
    """+0.123 ± 0.045."""
    return plain(estimate, digits, "+")


def chance(p: float) -> str:
    """A p-value, or that it is too small to be told."""
    return "< 0.0001" if p < 1e-4 else f"{p:.4f}"
