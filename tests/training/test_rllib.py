"""Self-play with RLlib: every payoff where it belongs, masks that hold, the league; and a cluster of which a machine is lost."""

import contextlib
import itertools
import signal
import socket
import sys
import time
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from danmaku_env.console.on_ray import cluster, load
from danmaku_env.console.options import flat
from danmaku_env.engine.actions import NUM_ACTIONS
from danmaku_env.jit.kernels import JIT
from danmaku_env.nets.checkpoints import CHECKPOINT, CheckpointError, load_net
from danmaku_env.training import rllib_selfplay
from danmaku_env.training.league import MOST_PAST
from danmaku_env.training.resuming import ResumeError
from danmaku_env.training.rllib_selfplay import RLlibArgs, make_config, running
from tests.command import exit_status, told

pytestmark = pytest.mark.filterwarnings("ignore")  # Ray's own, of which there are many
SMALL = {"players": 4, "width": 8, "games": 2, "window": 64, "batch": 32, "epochs": 1, "seconds": 0.0, "remember_every": 1}
SMALL |= {"report_deals": 0}
LONGEST = 300
"""Seconds after which the test of the cluster has failed; it takes one of them on a quiet machine."""


@pytest.fixture(scope="module")
def rllib():
    """The module, where Ray is installed."""
    pytest.importorskip("ray", reason="Ray is not installed: pip install 'danmaku-env[ray]'")
    from danmaku_env.training import rllib

    return rllib


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--players", "3"), "num_players must be a whole number from 4 to 8"),
        (("--batch", "100", "--window", "50"), "batch must be at most window, which is 50, not 100"),
        (("--opponents", "nobody"), "there is no agent 'nobody'"),
        (("--expansion", "lunatic"), "'lunatic' is not one of 'none', 'lunatic_extra'"),
        (("--runners", "-1"), "runners must be at least 0"),
        (("--learning-rate", "nan"), "learning_rate must be from 0 to 1e+06, not nan"),
        (("--own-seats", "6"), "own_seats must be from 0 (half) to 5"),
    ],
)
def test_bad_options_are_one_sentence(words, message, capsys):
    assert exit_status(rllib_selfplay.main, *words) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_without_ray_one_sentence_says_what_to_install(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "ray", None)
    assert exit_status(rllib_selfplay.main, "--folder", str(tmp_path / "run")) == 2
    assert capsys.readouterr().err == "rllib_selfplay: this needs the package ray: pip install 'danmaku-env[ray]'\n"


# ---------------------------------------------------------------- the environment, the module, the league


def table(rllib, odds, **options):
    """A table at which the odds of the league's members are known."""
    made = rllib.TableEnv(told(RLlibArgs, **SMALL, **options).env_config())
    made.odds = np.array(odds, np.float64)
    return made


def play(made, rng):
    """A whole game of random answers: what each of RLlib's seats did and was paid."""
    answers, paid, over = {}, {}, False
    seen, _ = made.reset()
    while not over:
        ((agent, shown),) = seen.items()
        answers[agent] = answers.get(agent, 0) + 1
        seen, rewards, terminated, truncated, _ = made.step({agent: int(rng.choice(np.flatnonzero(shown["action_mask"])))})
        over = terminated["__all__"] or truncated["__all__"]
        paid = rewards
    return answers, paid


def test_the_learner_has_all_seats_or_half_of_them(rllib):
    rng = np.random.default_rng(1)
    _, alone = play(table(rllib, [], opponents="self"), rng)
    assert sorted(alone) == [f"learner/{seat}" for seat in range(4)]
    by_name = table(rllib, [1.0], opponents="random")
    _, paid = play(by_name, rng)
    assert [agent.partition("/")[0] for agent in paid] == ["learner"] * 2
    ((member, lead),) = by_name.ended
    assert member == 0
    assert -2 <= lead <= 2
    against_past = table(rllib, [0.0, 1.0], opponents="random,past")
    _, paid = play(against_past, rng)
    assert sorted(agent.partition("/")[0] for agent in paid) == ["learner"] * 2 + ["past-0"] * 2
    theirs = [paid[agent] for agent in paid if agent.startswith("past")]
    assert against_past.ended == [(1, np.mean([paid[agent] for agent in paid if agent.startswith("learner")]) - np.mean(theirs))]


def test_who_wins_more_against_the_learner_is_drawn_more_often(rllib):
    made = table(rllib, [3.0, 1.0], opponents="random,heuristic", seed=4)
    drawn = []
    for _ in range(200):
        made._sit()
        drawn.append(made.member)
        assert made._theirs.sum() == 2
    assert 120 < drawn.count(0) < 180


def test_rows_of_nobody_and_illegal_answers_are_numbers(rllib):
    """RLlib asks for values after a game has ended, when no answer is legal: nothing may become NaN, gradients neither."""
    made = rllib.TableEnv(told(RLlibArgs, **SMALL).env_config())
    module = rllib.MaskedNet(
        observation_space=made.observation_spaces["learner/0"], action_space=made.action_spaces["learner/0"],
        model_config={"width": 8, "history": 0},
    )  # fmt: skip
    (shown,), _ = (list(made.reset()[0].values()), None)
    masks = torch.tensor(np.stack([shown["action_mask"], np.zeros(NUM_ACTIONS, np.int8)]))
    batch = {"obs": {"observation": torch.tensor(np.stack([shown["observation"]] * 2)), "action_mask": masks}}
    said = module.forward_train(batch)
    policy = module.get_train_action_dist_cls().from_logits(said["action_dist_inputs"])
    assert (policy._dist.probs[0] > 0).tolist() == (masks[0] != 0).tolist()
    (policy.entropy()[:1].sum() + module.compute_values(batch, said["embeddings"])[:1].sum()).backward()
    assert all(parameter.grad is None or parameter.grad.isfinite().all() for parameter in module.parameters())


def test_the_league_counts_games_and_keeps_the_learner_as_it_was(rllib):
    heard, copied, sent = [], [], []
    group = SimpleNamespace(
        foreach_env_runner=lambda tell: heard.append(tell.args[0]), sync_weights=lambda policies, **_: sent.append(policies)
    )  # fmt: skip
    algorithm = SimpleNamespace(
        config=SimpleNamespace(env_config=told(RLlibArgs, **SMALL | {"remember_every": 2}, opponents="self,past,random").env_config()),
        env_runner_group=group, learner_group=SimpleNamespace(foreach_learner=lambda copy: copied.append(copy.args[0])),
    )  # fmt: skip
    league = rllib.LeagueCallback()
    league.on_algorithm_init(algorithm=algorithm)
    league.begin(algorithm)
    assert heard[-1].tolist() == [0.25, 0.25]
    lost = {"env_runners": {"league": {"0": [-2.0, -2.0, -2.0]}}}
    league.on_train_result(algorithm=algorithm, result=lost)
    assert heard[-1][0] > heard[-1][1] == 0.25
    assert league.figures()["league/random"] < 0.5 == league.figures()["league/past-0"]
    for _ in range(2 * MOST_PAST):
        league.on_train_result(algorithm=algorithm, result={"env_runners": {}})
    assert [[module] for module in copied] == sent
    assert copied == [f"past-{number}" for number in range(MOST_PAST)] + ["past-0"] * (len(copied) - MOST_PAST)
    assert len(heard[-1]) == 1 + MOST_PAST
    assert league.generations.tolist() == [0, copied.count("past-0"), *[1] * (MOST_PAST - 1)]


def test_a_game_under_way_does_not_count_for_who_comes_into_a_place(rllib):
    made, rng = table(rllib, [0.0, 1.0], opponents="random,past"), np.random.default_rng(1)
    runner = SimpleNamespace(env=SimpleNamespace(envs=[SimpleNamespace(unwrapped=made)]))
    reset = made.reset
    made.reset = lambda: (reset(), rllib._set_odds(made.odds, made.generations + 1, runner))[0]
    play(made, rng)
    assert not made.ended, "its member was replaced after it had begun"
    made.reset = reset
    play(made, rng)
    assert [member for member, _ in made.ended] == [1]


def test_a_run_that_goes_on_deals_other_games(rllib):
    args = told(RLlibArgs, **SMALL, opponents="self")
    assert args.env_config()["seed"] == args.seed
    assert len({args.env_config(decisions)["seed"] for decisions in (0, 64, 128)}) == 3
    assert make_config(args, 64).seed != make_config(args).seed == args.seed


def env_runner(rllib, number):
    """An env runner of RLlib, as far as its tables are concerned."""
    from ray.rllib.env.env_context import EnvContext

    rllib.TableEnv._made = itertools.count()  # each has a process of its own
    context = EnvContext(told(RLlibArgs, **SMALL, opponents="self").env_config(), number)
    return SimpleNamespace(env=SimpleNamespace(envs=[SimpleNamespace(unwrapped=rllib.TableEnv(context)) for _ in range(3)]))


def test_no_two_env_runners_deal_the_same_games(rllib, monkeypatch):
    """RLlib gives neighbouring tables neighbouring seeds, and an env runner that was lost and is made anew those that it had."""
    monkeypatch.setattr(rllib.TableEnv, "_made", itertools.count())
    first, second, again = (env_runner(rllib, number) for number in (1, 2, 2))
    group = SimpleNamespace(foreach_env_runner=lambda tell, remote_worker_ids=(), **_: [tell(again) for _ in remote_worker_ids])
    config = make_config(told(RLlibArgs, **SMALL, opponents="self"))
    league = rllib.LeagueCallback()
    league.on_algorithm_init(algorithm=SimpleNamespace(config=config))
    league.on_env_runners_recreated(algorithm=SimpleNamespace(env_runner_group=group), env_runner_indices=[2])
    dealt = set()
    for number, runner in ((1, first), (2, second), (2, again)):
        for place, made in enumerate(rllib.tables(runner)):
            made.reset(seed=config.seed + number + place)  # RLlib's
            dealt.add(int(made._game.records["seed"][0]))
    assert len(dealt) == 9


@pytest.mark.slow
@pytest.mark.skipif(not JIT, reason="whole games take minutes with the compiler off")
def test_every_payoff_reaches_the_seat_it_belongs_to(rllib):
    """Through RLlib's own sampling, which cuts games into pieces: what its episodes hold is what the games paid, seat by seat."""
    from ray.rllib.env.multi_agent_env_runner import MultiAgentEnvRunner

    config = make_config(told(RLlibArgs, **SMALL | {"games": 3, "runners": 0, "window": 150}, opponents="self,past,random"))
    runner = MultiAgentEnvRunner(config=config, worker_index=0)
    expected, delivered, decided = [], {}, 0
    for made in rllib.tables(runner):
        made.odds = np.ones(2)
        made.step = noting(made.step, expected)
    while len(expected) < 20:
        for episode in runner.sample():
            for agent, part in episode.agent_episodes.items():
                decided += len(part)
                paid, over = delivered.get((episode.id_, agent), (0.0, False))
                delivered[episode.id_, agent] = paid + float(sum(part.get_rewards())), over or part.is_done
    assert sorted(paid for paid, over in delivered.values() if over) == sorted(expected)
    assert any(expected)


def noting(step, expected):
    def stepping(answers):
        seen, rewards, terminated, truncated, infos = step(answers)
        if terminated["__all__"] or truncated["__all__"]:
            expected.extend(rewards.values())
        return seen, rewards, terminated, truncated, infos

    return stepping


# ---------------------------------------------------------------- the cluster


@pytest.fixture
def in_time():
    """A test that hangs has failed."""

    def ring(*_):
        raise TimeoutError(f"not done within {LONGEST} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(LONGEST)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def nodes(rllib, in_time):
    """A cluster of one machine with two nodes, each with a core."""
    from ray.cluster_utils import Cluster

    load()
    both = Cluster(initialize_head=True, head_node_args={**small_node(), "include_dashboard": False})
    yield SimpleNamespace(cluster=both, second=both.add_node(**small_node()), add=lambda: both.add_node(**small_node()))
    both.shutdown()


def small_node():
    """A node with a core. Its agents' ports are said beforehand, because it waits for them to be told for a quarter of a minute only."""
    names = ("metrics_agent_port", "dashboard_agent_listen_port", "runtime_env_agent_port")
    with contextlib.ExitStack() as stack:
        ports = [stack.enter_context(socket.create_server(("", 0))).getsockname()[1] for _ in names]
    return {"num_cpus": 1, "object_store_memory": 100 << 20, **dict(zip(names, ports, strict=True))}


@pytest.mark.slow
@pytest.mark.skipif(not JIT, reason="whole games take minutes with the compiler off")
def test_a_run_goes_on_when_a_machine_is_lost_and_resumes(nodes, tmp_path, capsys):
    args = told(RLlibArgs, **SMALL, folder=tmp_path / "run", address=nodes.cluster.address, runners=2, opponents="self,past,random")
    with running(args) as run:
        steps_until(run, lambda: run.decisions > 0)
        assert run.algorithm.env_runner_group.num_healthy_remote_workers() == 2
        nodes.cluster.remove_node(nodes.second, allow_graceful=False)
        before = run.decisions
        steps_until(run, lambda: run.decisions > before)
        nodes.add()
        steps_until(run, lambda: run.algorithm.env_runner_group.num_healthy_remote_workers() == 2)
        run.save()
        kept = run.net().state_dict(), run.tensors(), run.league.results.copy()
        assert run.league.past == min(run.windows + 1, MOST_PAST)
    assert all(torch.equal(load_net(tmp_path / "run").state_dict()[name], tensor) for name, tensor in kept[0].items())

    again = told(RLlibArgs, **SMALL, folder=tmp_path / "run", resume=True, runners=0)
    with cluster(nodes.cluster.address):
        with running(again) as resumed:
            assert (resumed.decisions, resumed.windows) == (run.decisions, run.windows)
            assert all(torch.equal(resumed.net().state_dict()[name], tensor) for name, tensor in kept[0].items())
            there = resumed.tensors()
            assert sorted(there) == sorted(kept[1])
            assert all(torch.equal(there[name], tensor) for name, tensor in kept[1].items())
            assert (resumed.league.results == kept[2]).all()
            assert np.isfinite(list(resumed.step().values())).all()
            assert resumed.decisions > run.decisions
        words = ["--resume", "--folder", str(tmp_path / "run"), "--runners", "0", "--seconds", "0", "--decisions", str(run.decisions + 1)]
        words += ["--report-deals", "0"]
        assert exit_status(rllib_selfplay.main, *words) == 0
    assert f"danmaku tournament random heuristic neural:{tmp_path / 'run'}" in capsys.readouterr().out
    assert not all(torch.equal(load_net(tmp_path / "run").state_dict()[name], tensor) for name, tensor in kept[0].items())


def steps_until(run, done):
    while not done():
        run.step()
        time.sleep(0.5)


def test_what_cannot_be_resumed_is_refused(rllib, tmp_path, monkeypatch):
    from danmaku_env.nets.checkpoints import save_checkpoint
    from danmaku_env.nets.network import Net

    with pytest.raises(CheckpointError, match="there is no checkpoint to read"):
        rllib_selfplay.begin(RLlibArgs(folder=tmp_path / "none", resume=True))
    save_checkpoint(tmp_path / CHECKPOINT, Net(8, 0), {}, {"args": {"width": 8}})
    with pytest.raises(CheckpointError, match="does not hold a whole run"):
        rllib_selfplay.begin(RLlibArgs(folder=tmp_path, resume=True))
    with pytest.raises(ValueError, match="already holds a run"), rllib_selfplay.running(RLlibArgs(folder=tmp_path)):
        pass
    save_checkpoint(tmp_path / "with_prior", Net(8, 0, prior_policy="inverse_planning"), {}, {})
    with pytest.raises(CheckpointError, match="a net with a prior policy"):
        rllib_selfplay.begin(RLlibArgs(folder=tmp_path / "new", start=str(tmp_path / "with_prior")))
    with pytest.raises(ResumeError, match="players is 4 in the run to resume"):
        told(RLlibArgs, players=6 + 1).resumed(flat(RLlibArgs()) | {"players": 4})
    with pytest.raises(ResumeError, match="say so by adding --opponents self,exec:bot"):
        RLlibArgs().resumed(flat(RLlibArgs()) | {"opponents": "self,exec:bot"})
