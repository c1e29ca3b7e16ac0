"""Seeds of the tables of a run, and of the deals that networks are measured on: no training uses the latter."""

from danmaku_env.arena.jobs.spec import seed_of

EVALUATION_SEED = 1_000_003
"""Added to a run's seed: no game of training begins with what comes out."""
_SEEDS = 1 << 61


def table_seed(seed: int, number: int) -> int:
    """The seed of a table of a run, that of the run for the first: tables with the same seed deal nearly the same games."""
    return seed_of(seed, number) if number else seed


def evaluation_seed(seed: int, more: int = 0) -> int:
    """The seed of a run's measurements: another for each `more`, and among those that leave room for seeds after it."""
    return (seed + EVALUATION_SEED + more) % _SEEDS
