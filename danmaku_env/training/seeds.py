"""Seeds of the deals that networks are measured on: no training uses them."""

EVALUATION_SEED = 1_000_003
"""Added to a run's seed: no game of training begins with what comes out."""
_SEEDS = 1 << 61


def evaluation_seed(seed: int, more: int = 0) -> int:
    """The seed of a run's measurements: another for each `more`, and among those that leave room for seeds after it."""
    return (seed + EVALUATION_SEED + more) % _SEEDS
