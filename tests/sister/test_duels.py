"""Bots that are asked one question at a time: what ends a duel that cannot go on."""

import numpy as np
import pytest

from danmaku_env.game import IllegalAction
from danmaku_env.sister import shisoroku, utage
from danmaku_env.sister.duels import begun, play_out
from danmaku_env.sister.shisoroku.spec import SHISOROKU_SPEC
from danmaku_env.sister.utage.spec import UTAGE_SPEC

GAMES = [(SHISOROKU_SPEC, shisoroku.ShisorokuConfig()), (UTAGE_SPEC, utage.UtageConfig())]


class Last:
    """Takes the last legal answer, or always the same one."""

    name = "last"

    def __init__(self, always=None):
        self.always = always

    def answer(self, games, seats, observations, masks):
        return np.array([mask.nonzero()[0][-1] if self.always is None else self.always for mask in masks])


def play(spec, games, bot):
    play_out(spec, games, [bot], np.zeros((len(games), spec.most_seats), np.int64), None)


@pytest.mark.parametrize(("spec", "config"), GAMES)
@pytest.mark.parametrize("answer", [-1, 10**6])
def test_an_illegal_answer_ends_the_duel_with_the_name_of_the_bot(spec, config, answer):
    with pytest.raises(IllegalAction, match=f"'last' answers {answer} in the game of seed 3, which is not legal: seat . is asked"):
        play(spec, begun(config, np.array([3, 4])), Last(answer))


@pytest.mark.parametrize(("spec", "config"), GAMES)
def test_a_game_in_which_the_machine_stops_ends_the_duel(spec, config):
    games = begun(config, np.array([3, 4]))
    games["status"][1] = 1
    with pytest.raises(RuntimeError, match="the machine stopped in the game of seed 4"):
        play(spec, games, Last())
