"""The league: whose games count for whom."""

import numpy as np
import torch

from danmaku_env import GameConfig
from danmaku_env.training.league import MOST_PAST, League

GAMES = 6


def league(seed=1):
    """A full league of past selves, of which the first has a seat in the even games and the second in the odd ones."""
    net = torch.nn.Linear(1, 1)
    made = League("past", GAMES, 2, GameConfig(num_players=4), net, torch.Generator().manual_seed(seed))
    for _ in range(MOST_PAST - 1):
        made.remember(net)
    made.member[:] = np.arange(GAMES) % 2
    made.results[0] = 9, 9  # who wins least, so the next comes into this place
    return made, net


def test_games_under_way_count_for_nobody_once_their_member_is_replaced():
    made, net = league()
    made.remember(net)
    rewards = np.zeros((GAMES, 8))
    made.add_results(made.every, rewards)
    assert made.results[0].tolist() == [0, 0], "nobody has played against the newcomer"
    assert made.results[1, 1] > 0
    made.sit(made.every)
    made.member[:] = 0
    made.add_results(made.every, rewards)
    assert made.results[0, 1] > 0


def test_a_checkpoint_tells_which_games_count_for_nobody_and_one_from_before_does_too():
    made, net = league()
    assert "league.outdated" not in made.tensors()
    made.remember(net)
    kept, again = made.tensors(), league()[0]
    again.restore(net, kept)
    assert again.outdated.tolist() == [True, False] * (GAMES // 2)
    again.restore(net, {name: tensor for name, tensor in kept.items() if name != "league.outdated"})
    assert not again.outdated.any()
    again.restore(net, kept, games=False)
    assert not again.outdated.any()


def test_what_a_worker_played_against_a_past_self_that_has_left_counts_for_nobody():
    """Workers of Ray play one update behind: whoever joins meanwhile begins without results."""
    learner, net = league()
    worker, _ = league()
    worker.add_results(worker.every, np.zeros((GAMES, 8)))
    assert [lead.member for lead in worker.leads] == [0, 1] * (GAMES // 2)
    learner.remember(net)
    learner.note(worker.leads)
    assert learner.results[0].tolist() == [0, 0]
    assert learner.results[1, 1] > 0
    worker.holder, worker.leads = learner.holder, []  # as with the next order
    worker.add_results(worker.every, np.zeros((GAMES, 8)))
    assert {lead.member for lead in worker.leads} == {1}, "its games under way began against the one that left"
