"""The central critic: the games that it learns from before a run."""

import torch

from danmaku_env import GameConfig
from danmaku_env.training import central_critic
from danmaku_env.training.central_critic import CentralCritic
from danmaku_env.training.parallel import Threads


def test_tables_that_differ_in_the_way_to_characters_alone_deal_other_games(monkeypatch):
    configs, dealt, endings = [GameConfig(num_players=4, characters=way) for way in ("choose", "random")], [], central_critic.endings

    def noted(critic, vec, *rest):
        dealt.append(set(vec.games["seed"].tolist()))
        return endings(critic, vec, *rest)

    monkeypatch.setattr(central_critic, "endings", noted)
    monkeypatch.setattr(central_critic, "_STEPS", 24)
    critic = CentralCritic(configs[0], 8)
    central_critic.teach(critic, configs, 100, 1, torch.Generator().manual_seed(1), Threads(1, "teaching"))
    first, second = dealt
    assert not first & second
