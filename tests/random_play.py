"""Random play, seeded, for tests that want many positions."""

from collections.abc import Iterator

import numpy as np

from danmaku_env import Game, make_vec
from danmaku_env.envs.vector import VectorEnv

BOXES = {
    "base": {},
    "lunatic_extra": {"expansion": "lunatic_extra"},
    "double_threat": {"expansion": "lunatic_extra", "characters": "double_threat"},
}
"""Options of the games that are to be had: with either box, and with two characters each."""


def play_randomly(game: Game, seed: int, *, limit: int = 100_000) -> Iterator[Game]:
    """The game at each of its questions, then once more when it is over; answers are uniformly random."""
    rng = np.random.default_rng(seed)
    for _ in range(limit):
        yield game
        if game.over:
            return
        game.act(int(rng.choice(game.legal_actions())))


def batch_midway(rows: int, config: object, *, seed: int, steps: int) -> VectorEnv:
    """A batch of games after this number of random answers in each."""
    vec = make_vec(rows, config)
    vec.reset(seed)
    for _ in range(steps):
        vec.step(vec.sample())
    return vec
