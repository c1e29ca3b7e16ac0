"""Which games a seed of a batch stands for."""

import numpy as np

from danmaku_env import GameConfig
from danmaku_env.machine.records import SEED_BITS
from danmaku_env.seeds import row_seeds
from danmaku_env.spec import spec_of


def games_of(seed, rows=64, games=64):
    """The seeds of the first games of every row of a batch."""
    next_seed, played = spec_of(GameConfig()).entries.next_seed, [row_seeds(seed, rows)]
    for _ in range(games - 1):
        played.append(np.array([next_seed(int(one)) for one in played[-1]]))
    return set(np.concatenate(played).tolist())


def test_batches_of_neighbouring_seeds_have_no_game_in_common():
    """Runs of training with seeds 1, 2 and 3 are compared as if they had nothing to do with each other."""
    seen = [games_of(seed) for seed in (0, 1, 2, 7)]
    assert all(len(games) == 64 * 64 for games in seen)
    assert len(set().union(*seen)) == sum(map(len, seen))
    assert all(0 <= seed < 1 << SEED_BITS for seed in seen[0])
    assert row_seeds(5, 3)[0] == 5
