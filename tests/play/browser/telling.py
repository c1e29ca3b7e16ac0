"""Whether times tell two kinds of tables apart."""

import numpy as np

MOST = 0.55
"""Share of guesses that may be right; half of them are right by chance."""
ENOUGH = 450
"""Times of each kind: by chance the share is three standard deviations from a half where it is MOST."""


def told_apart(without, having):
    """Share of right guesses about times that a threshold makes which was learned from as many others."""
    assert min(len(without), len(having)) >= ENOUGH
    halves = [(np.array(without[half::2]), np.array(having[half::2])) for half in (0, 1)]
    return (_guessed(*halves) + _guessed(*halves[::-1])) / 2


def _guessed(learned, tried):
    """Share of right guesses about the second pair by the best threshold of the first, to the side that is right there."""
    shares = [_right(threshold, *learned) for threshold in np.concatenate(learned)]
    best = int(np.argmax(np.abs(np.array(shares) - 0.5)))
    right = _right(np.concatenate(learned)[best], *tried)
    return right if shares[best] >= 0.5 else 1 - right


def _right(threshold, without, having):
    return (np.mean(without < threshold) + np.mean(having >= threshold)) / 2
