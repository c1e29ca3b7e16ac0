"""The comparison that proves secrecy, for whatever is told to a seat in words: deal again all that the seat has not seen, and tell again.

It is that of tests/engine/test_secrecy.py, one game at a time, because words are made one game at a time.
"""

import numpy as np

from danmaku_env import Game, GameConfig
from tests.engine import test_secrecy as secrecy


def leaking(games, seat, seed, told):
    """The first position in which `told(game, seat)` is another once all that the seat has not seen is dealt again, or None."""
    config = GameConfig(num_players=int(games["num_players"][0]))
    for one, other in zip(asked(games, seat), asked(secrecy.worlds_of(games, seat, seed), seat), strict=True):
        game, world = (Game.from_trusted_record(record.reshape(1), config) for record in (one, other))
        if told(game, seat) != told(world, seat):
            return game
    return None


def asked(games, seat):
    """The games, with the question of the seat put once more, for the cards that lie there now."""
    return secrecy.asked_anew(games, (games["asking"] == seat) & (games["pending_kind"] == 0))


def observer_at(games, step, players):
    """The seat that looks at a batch: each in turn, and those that are asked most often."""
    often = int(np.bincount(games["asking"], minlength=players)[:players].argmax())
    return often if step % 2 else step // 2 % players


def is_noticed(told, points, players=6):
    """Whether a leak in what is told shows within these numbers of decision points and players."""
    batches = enumerate(secrecy.decision_points(players, points))
    return any(leaking(games, seat, step, told) is not None for step, games in batches for seat in range(players))
