"""Self-play whose games are played by workers of Ray: the learner learns from their windows, and any of them may be lost."""

from dataclasses import replace

import pytest
from rich.console import Console

from danmaku_env import GameConfig, make_vec
from danmaku_env.agents import registry
from danmaku_env.training.ppo import PPOArgs, PPORun, train
from danmaku_env.training.ray_rollout import RolloutWorkers
from tests.on_ray import processes
from tests.training.test_ppo import QUIET, SMALL, WINDOW, small

CORES = 2
ON_RAY = {"ray": True, "workers": 2, "opponents": "self,past", "remember_every": 1}


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"workers": 2}, "workers are Ray's: say --ray too, or the --address of a cluster"),
        ({"ray": True, "workers": -1}, "workers"),
        ({"ray": True, "address": 7}, "address"),
    ],
)
def test_options_of_ray_that_make_no_sense_are_refused(tmp_path, changes, reason):
    with pytest.raises(ValueError, match=reason):
        small(tmp_path, **changes)


@pytest.fixture(scope="module")
def played(ray, tmp_path_factory):
    """The folder of a run of six windows that two workers played."""
    folder = tmp_path_factory.mktemp("ray") / "run"
    run = train(small(folder, **ON_RAY, decisions=6 * WINDOW), QUIET)
    assert run.decisions >= 6 * WINDOW
    assert run.windows >= 6
    return folder


@pytest.mark.slow
def test_what_workers_play_is_learned_from(played):
    """The net has changed, past selves have joined the league, and the checkpoint plays like any other."""
    run = PPORun.load(PPOArgs(folder=played, resume=True))
    fresh = PPORun(replace(run.args, ray=False, workers=0, folder=played.parent / "fresh"))
    before, after = fresh.net.state_dict(), run.net.state_dict()
    assert any((before[name] != after[name]).any() for name in before)
    assert len(run.tables[0].league.past) > 1
    vec = make_vec(4, GameConfig(num_players=6))
    vec.reset(1)
    agent = registry.make(f"neural:{played}", 1)
    for _ in range(30):
        vec.step(agent.act(vec.observations, vec.action_masks))
        vec.check()


@pytest.mark.slow
def test_games_begin_anew_where_the_run_is_resumed_without_ray(played, tmp_path, capsys):
    """A checkpoint has no games of workers, so that it can be resumed anywhere; a sentence says so. Its own windows are whole again."""
    before = PPORun.load(PPOArgs(folder=played, resume=True)).decisions  # no whole windows, if a worker came late
    copy = tmp_path / "copy"
    copy.mkdir()
    (copy / "checkpoint.safetensors").write_bytes((played / "checkpoint.safetensors").read_bytes())
    args = PPOArgs(folder=copy, resume=True, seconds=0, decisions=8 * WINDOW, report_every=0, final_deals=0, device="cpu")
    run = train(args, Console(soft_wrap=True, force_terminal=False))
    assert "the games begin anew" in capsys.readouterr().out
    assert 0 <= run.decisions - 8 * WINDOW < WINDOW
    assert (run.decisions - before) % WINDOW == 0
    assert run.tables[0].games == SMALL["games"]


@pytest.mark.slow
def test_a_worker_that_is_killed_is_replaced(ray, tmp_path, monkeypatch):
    """Windows come from the other one meanwhile, and later from both again."""
    play, counts, games = RolloutWorkers.play, [], SMALL["games"]

    def counted(self, run):
        if len(counts) == 2:
            processes("ray::_Worker")[0].kill()
        ended = play(self, run)
        counts.append(run.tables[0].own.shape[1])
        return ended

    def is_back(run):
        return float(len(counts) > 2 and games // 2 in counts[2:] and counts[-1] == games)

    monkeypatch.setattr(RolloutWorkers, "play", counted)
    monkeypatch.setattr(PPORun, "share_done", is_back)
    run = train(small(tmp_path / "run", **ON_RAY), QUIET)
    assert run.decisions == WINDOW // games * sum(counts)
