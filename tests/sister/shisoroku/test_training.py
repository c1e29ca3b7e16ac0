"""Self-play of Shisouroku: a short run learns, is resumed, and plays as a bot; files of other games are refused."""

import importlib.resources
import json

import numpy as np
import pytest
import torch

from danmaku_env import make_vec
from danmaku_env.nets.checkpoints import CheckpointError, load_net
from danmaku_env.sister.shisoroku import ShisorokuConfig, bots, resample
from danmaku_env.sister.shisoroku.game import Game
from danmaku_env.sister.shisoroku.training import net as nets
from danmaku_env.sister.shisoroku.training.selfplay import SelfPlay, SelfPlayArgs, train


def args(folder, **options):
    small = {"games": 16, "window": 8, "batch": 64, "seconds": 1.0, "report_deals": 2, "final_deals": 2, "threads": 1, "report_every": 1e9}
    return SelfPlayArgs(folder=folder, **{**small, **options})


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A run of a second."""
    return train(args(tmp_path_factory.mktemp("runs") / "first"))


def test_a_run_writes_its_net_and_curve(run):
    assert run.decisions > 0
    points = json.loads((run.args.folder / "curve.json").read_text())
    assert {"money", "money ±", "random", "decisions", "seconds"} <= set(points[-1])


def test_a_run_goes_on(run):
    again = SelfPlay(args(run.args.folder, resume=True, seconds=2.0))
    assert (again.decisions, again.curve) == (run.decisions, run.curve)
    for name, tensor in again.net.state_dict().items():
        assert torch.equal(tensor, run.net.state_dict()[name])
    assert again.optimizer.state_dict()["state"][0]["step"] == run.optimizer.state_dict()["state"][0]["step"]


@pytest.mark.parametrize(
    ("options", "words"),
    [({}, "there is a run in .* already"), ({"resume": True, "gae_lambda": 0.5}, "has another gae_lambda: 0.95")],
)
def test_a_run_is_not_mixed_with_another(run, options, words):
    with pytest.raises(nets.NetError, match=words):
        train(args(run.args.folder, **options))


def test_credit_goes_to_the_seat_that_is_paid(tmp_path):
    """Advantages follow each seat's own decisions: where all values are 0, the last decisions before an end get what their seat is paid."""
    run = SelfPlay(args(tmp_path, window=4, games=2))
    run.seats[:] = [[0, 1], [1, 0], [0, 1], [0, 0]]
    run.values[:], run.dones[:], run.paid[:] = 0, False, 0
    run.dones[2, 0], run.paid[2, 0] = True, (1, -1)
    with torch.no_grad():
        run.net.value.weight.zero_()
        run.net.value.bias.zero_()
    advantages, returns = run.credit()
    assert np.allclose(advantages[:, 0], [0.95, -1, 1, 0])
    assert np.allclose(advantages[:, 1], 0)
    assert (returns == advantages).all()


def test_the_net_plays_any_kingdom_and_only_legal_answers(run):
    vec = make_vec(32, ShisorokuConfig(num_players=4, kingdom="random", sets=("sa", "in"), start="chirei", optional_cards=True))
    vec.reset(1)
    bot = bots.make(f"neural:{run.args.folder}")
    for _ in range(200):
        vec.step(bot.answer(vec.games, vec.seats, vec.observations, vec.action_masks))


def test_the_net_knows_what_its_seat_knows(run):
    game = Game.new(2, 3)
    bot = bots.make(f"neural:{run.args.folder},greedy")
    for seed in range(20):
        world = resample(game, game.asking, seed)
        answers = {
            int(bot.answer(one.records, [one.asking], one.observe(one.asking)[None], one.action_mask()[None])[0]) for one in (game, world)
        }
        assert len(answers) == 1
        game.act(answers.pop())


def test_a_net_of_one_game_is_none_of_the_other(run, tmp_path):
    shipped = importlib.resources.files("danmaku_env.agents") / "neural.safetensors"
    with pytest.raises(bots.BotError, match="holds no network for Shisouroku"):
        bots.make(f"neural:{shipped}")
    with pytest.raises(CheckpointError):
        load_net(str(run.args.folder / nets.NET_FILE))
    (tmp_path / nets.NET_FILE).write_bytes(b"nothing")
    with pytest.raises(bots.BotError, match="holds no network for Shisouroku"):
        bots.make(f"neural:{tmp_path}")
    with pytest.raises(bots.BotError, match="there is no network at"):
        bots.make("neural:nowhere")
