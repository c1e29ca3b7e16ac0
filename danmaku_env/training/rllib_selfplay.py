"""PPO of RLlib on Ray learns every seat by self-play, on a laptop or on a cluster.

    python -m danmaku_env.training.rllib_selfplay --seconds 600
    python -m danmaku_env.training.rllib_selfplay --address auto --runners 64 --opponents self,past,heuristic

The environment, the module and the league are in `rllib.py`; PPO, sampling and the care for machines that fail are RLlib's. When a machine
goes, its env runners are made anew where there is room, and the run goes on meanwhile with the others. `ppo.py` trains a network of
its own on one machine, eight to twelve times as fast on a core, because it plays games in batches (docs/training.md).

The checkpoint is one file, as all of this project's: its net plays as `neural:runs/rllib`.
"""

from __future__ import annotations

import contextlib
import logging
import shlex
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import torch
from rich.console import Console
from torch import Tensor

from danmaku_env import GameConfig
from danmaku_env.agents.neural import NeuralAgent
from danmaku_env.arena.jobs.workers import WorkerLostError
from danmaku_env.console import options
from danmaku_env.console.on_ray import cluster, first_line, load
from danmaku_env.console.terminal import Terminal
from danmaku_env.machine.records import Array
from danmaku_env.nets.checkpoints import CHECKPOINT, CheckpointError, check_tensors, load_checkpoint, load_net, of_kind, save_checkpoint
from danmaku_env.nets.input_spec import input_spec_of
from danmaku_env.nets.network import MOST_WIDE, Net
from danmaku_env.training import progress_report, resuming
from danmaku_env.training.league import MOST_PAST, check_members, own_seats
from danmaku_env.training.ppo import use_up
from danmaku_env.training.progress_report import Curve
from danmaku_env.training.resuming import TrainingError
from danmaku_env.training.training_args import WindowArgs


@dataclass(frozen=True, kw_only=True)
class RLlibArgs(WindowArgs):
    """Everything a run depends on. Raises ValueError on numbers that make no sense."""

    folder: Path = Path("runs/rllib")
    decisions: int = 0
    """Stop after this many decisions of RLlib's seats; 0 = no limit."""
    seed: int = 1
    """Seed of the network, the games and all draws. How env runners take turns is chance, so runs are not repeated bit for bit."""
    table: GameConfig = field(default=GameConfig(), metadata=options.flags("table", "num_players", "roles", "expansion", "history"))
    """The games that are played, and what of them the network reads."""
    start: str = ""
    """A checkpoint, or the folder of a run, whose net (without a prior policy) to begin with; its shape holds. Empty: from scratch."""
    opponents: str = "self,past"
    """The other players, separated by commas: names of agents, `past` (the net as it was), `self` (nobody else in that share of games)."""
    own_seats: int = 0
    """Seats of the net in a game with others, drawn at random; 0 = half of them."""
    remember_every: int = 10
    """Iterations between past selves that join the league."""
    address: str = ""
    """A running Ray cluster (host:port of its head, or auto). Empty: RAY_ADDRESS, or a Ray of this machine alone."""
    runners: int = 2
    """Processes that play, on any machine of the cluster; 0 = this one does."""
    learners: int = 0
    """Processes that learn, each from a share of the decisions; 0 = this one does."""
    games: int = 8
    """Games side by side in each process that plays."""
    window: int = 4096
    """Decisions between two updates, of all games together."""
    epochs: int = 2
    gae_lambda: float = 0.98
    """Lambda of the advantages: 1 = Monte Carlo returns, 0 = the next value estimate."""
    clip: float = 0.2
    """How far the probability of an action may move in one update, as a ratio."""
    entropy: float = 0.01
    """Weight of the entropy bonus."""
    value_weight: float = 0.5
    """Weight of the value loss."""
    max_grad_norm: float = 0.5
    """Longest gradient that is not shortened."""
    width: int = 64
    """Numbers of each seat's token in the network."""

    FREE = (*WindowArgs.FREE, "address", "runners", "learners", "games")
    MOST: ClassVar[Mapping[str, int]] = {"games": 1 << 12, "width": MOST_WIDE, "runners": 1 << 14, "learners": 1 << 10}
    checkpoint_every: int = 5

    def __post_init__(self) -> None:
        super().__post_init__()
        options.check_counts(self, "batch", "width", "remember_every", most=self.MOST)
        options.check_counts(self, "runners", "learners", least=0, most=self.MOST)
        options.check_range(self, 0, options.MOST_WEIGHT, "learning_rate", "entropy", "value_weight")
        options.check_range(self, 0, 1, "gae_lambda")
        options.check_above_0(self, "clip", "max_grad_norm")
        if self.batch > self.window:
            raise ValueError(f"batch must be at most window, which is {self.window}, not {self.batch}")
        check_members(self.opponents, self.own_seats, self.table.num_players, resume=self.resume)

    def seed_after(self, decisions: int) -> int:
        """The seed of a run that goes on after so many: another one, or it would deal the games again that it began with."""
        return int(np.random.SeedSequence([self.seed, decisions]).generate_state(1)[0]) if decisions else self.seed

    def env_config(self, decisions: int = 0) -> dict[str, Any]:
        """What the environment is told by a run that goes on after so many decisions."""
        own = own_seats(self.opponents, self.own_seats, self.table.num_players)
        given = {"opponents": self.opponents, "seed": self.seed_after(decisions), "remember_every": self.remember_every}
        return {"game": self.table.to_dict(), "own": own, **given}


_PATIENCE = 600.0
"""Seconds without a single decision, after which nobody is believed to play any more."""
_FIGURES = {"policy_loss": "loss/policy", "vf_loss": "loss/value", "entropy": "policy/entropy", "vf_explained_var": "value/explained"}
"""What RLlib tells of an update, and what we call it."""


def make_config(args: RLlibArgs, decisions: int = 0) -> Any:
    """The run as RLlib describes one; it goes on after so many decisions."""
    from ray.rllib.algorithms.ppo import PPOConfig
    from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
    from ray.rllib.core.rl_module.rl_module import RLModuleSpec

    from danmaku_env.training import rllib

    modules = (rllib.LEARNER, *rllib.PAST_MODULES)
    net = {"width": args.width, "history": args.table.history, "expansion": args.table.expansion}
    config = PPOConfig()
    config.api_stack(enable_rl_module_and_learner=True, enable_env_runner_and_connector_v2=True)
    config.debugging(seed=args.seed_after(decisions) % (1 << 31), log_level="ERROR")
    config.environment(
        rllib.TableEnv, env_config=args.env_config(decisions), disable_env_checking=True
    )  # the check answers at random, legally or not
    config.env_runners(num_env_runners=args.runners, num_envs_per_env_runner=args.games, batch_mode="truncate_episodes")
    config.learners(num_learners=args.learners)
    config.multi_agent(policies=set(modules), policy_mapping_fn=rllib.module_of, policies_to_train=[rllib.LEARNER])
    config.rl_module(rl_module_spec=MultiRLModuleSpec(
        rl_module_specs={name: RLModuleSpec(module_class=rllib.MaskedNet, model_config=net) for name in modules}))  # fmt: skip
    config.training(
        train_batch_size_per_learner=args.window // max(1, args.learners), minibatch_size=args.batch, num_epochs=args.epochs,
        lr=args.learning_rate, gamma=1.0, lambda_=args.gae_lambda, clip_param=args.clip, entropy_coeff=args.entropy,
        vf_loss_coeff=args.value_weight, grad_clip=args.max_grad_norm, use_kl_loss=False,
    )  # fmt: skip
    config.callbacks(rllib.LeagueCallback)
    config.fault_tolerance(restart_failed_env_runners=True)
    return config


class RLlibRun:
    """A run of training: RLlib's algorithm, and what a checkpoint must know beside it."""

    saved: int | None = None
    """The iteration of the last checkpoint."""

    def __init__(self, args: RLlibArgs, net: Net | None = None, past: Sequence[dict[str, Array]] = (), decisions: int = 0) -> None:
        """A run, from scratch or with a net to begin with, the weights of past selves and what was played. Ray must be connected."""
        from danmaku_env.training.rllib import LEARNER, PAST_MODULES

        self.args = args
        self.algorithm = make_config(args, decisions).build_algo()
        (self.league,) = self.algorithm.callbacks
        self.learner = LEARNER
        self.past_modules = PAST_MODULES
        self.decisions = decisions
        """Decisions of RLlib's seats that were played."""
        self.seconds = 0.0
        """Training time."""
        self.curve = Curve()
        self._before = 0
        self._idle_since = time.monotonic()
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(args.seed)
            begun = net or Net(args.width, args.table.history, input_spec=input_spec_of(args.table))
        weights = {LEARNER: _weights(begun), **dict(zip(PAST_MODULES, past, strict=False))}
        self.algorithm.learner_group.set_state({"learner": {"rl_module": weights}})
        self.algorithm.env_runner_group.sync_weights(from_worker_or_learner_group=self.algorithm.learner_group, inference_only=True)
        self.league.past = len(past)
        self.league.begin(self.algorithm)

    @property
    def windows(self) -> int:
        """Iterations, each of which plays a window and learns from it."""
        return int(self.league.iterations)

    share_done = resuming.share_done

    def step(self, _: float = 0.0) -> dict[str, float]:
        """Play a window and learn from it; figures for the log. Raises TrainingError."""
        import ray

        try:
            result = self.algorithm.train()
        except (RuntimeError, ray.exceptions.RayError) as error:
            raise WorkerLostError(f"RLlib gave up: {first_line(error)}") from None
        lifetime = int(result.get("env_runners", {}).get("num_env_steps_sampled_lifetime", 0))
        played, self._before = max(0, lifetime - self._before), max(lifetime, self._before)
        self.decisions += played
        if played:
            self._idle_since = time.monotonic()
        elif time.monotonic() - self._idle_since > _PATIENCE:
            raise WorkerLostError(f"nobody has played for {_PATIENCE:g} s: no process that plays is left, and the cluster makes no other")
        told = result.get("learners", {}).get(self.learner, {})
        figures = {ours: float(told[theirs]) for theirs, ours in _FIGURES.items() if theirs in told}
        if not all(map(np.isfinite, figures.values())):
            raise TrainingError("the network has become NaN")
        return {**figures, **self.league.figures(), "ray/env_runners": float(self.algorithm.env_runner_group.num_healthy_remote_workers())}

    def report(self, deals: int, console: Console) -> dict[str, float]:
        """Measure the net, write the curve and say a line; nothing without deals. Raises OSError."""
        if not deals:
            return {}
        agent = NeuralAgent.of(self.net(), greedy=False)
        point = progress_report.measure(agent, [self.args.table], self.args.seed, deals)
        self.curve.tell(self.args.folder, console, {"decisions": self.decisions, "seconds": self.seconds, **point})
        return point

    # ---- checkpoints

    def net(self) -> Net:
        """The net as it is now."""
        net = Net(self.args.width, self.args.table.history, input_spec=input_spec_of(self.args.table))
        kept = self.algorithm.learner_group.get_weights([self.learner])[self.learner]
        net.load_state_dict({name.removeprefix("net."): torch.as_tensor(value) for name, value in kept.items()})
        return net.eval()

    def tensors(self) -> dict[str, Tensor]:
        """Past selves and what Adam keeps."""
        state = self.algorithm.learner_group.get_state()["learner"]
        kept: dict[str, Tensor] = {}
        for number in range(self.league.past):
            past = state["rl_module"][self.past_modules[number]]
            kept |= {f"past.{number}.{name}": torch.as_tensor(value) for name, value in past.items()}
        for place, numbers in _adam_of(state, self.learner)["state"].items():
            kept |= {f"adam.{place}.{key}": torch.as_tensor(numbers[key]) for key in resuming.ADAM}
        return kept

    def save(self) -> None:
        """Write the checkpoint. Raises OSError."""
        about = {
            "args": options.plain(self.args),
            "iterations": self.windows, "decisions": self.decisions, "seconds": self.seconds, "past": self.league.past,
            "results": self.league.results.tolist(), "versions": resuming.versions(),
            "curve": self.curve.points, "command": options.command_of("rllib_selfplay", self.args, always=("seed", "seconds")),
        }  # fmt: skip
        save_checkpoint(self.args.folder / CHECKPOINT, self.net(), self.tensors(), about)
        self.saved = self.windows

    @classmethod
    def load(cls, args: RLlibArgs) -> RLlibRun:
        """The run of the folder's checkpoint, with the budgets given. Raises CheckpointError, or ResumeError for other options."""
        path = args.folder / CHECKPOINT
        found, tensors, about = load_checkpoint(path)
        resuming.check_rules(path, about)
        net = of_kind(path, found, Net)
        with resuming.whole_run(path):
            args = args.resumed(resuming.kept_options(RLlibArgs, about["args"], free=RLlibArgs.FREE))
            if (net.width, net.history) != (args.width, args.table.history):
                raise ValueError("its network is not the one that its options describe")
            _check_fits(path, net, args)
            past = _past_of(path, net, tensors, resuming.whole(about, "past"))
            adam = _adam_from(path, net, tensors)
            results: Array = np.array(about["results"], np.float64)
            if not (np.isfinite(results).all() and (results >= 0).all()):
                raise ValueError("its league has results that cannot be")
            iterations, decisions, seconds = resuming.whole(about, "iterations"), resuming.whole(about, "decisions"), resuming.spent(about)
            curve = Curve.read(about.get("curve", []))
        run = cls(args, net, past, decisions)
        if results.shape != run.league.results.shape:
            raise CheckpointError(f"{path} does not hold a whole run: its league is of another size")
        run.league.results[:] = results
        run.league.iterations, run.seconds, run.saved = iterations, seconds, iterations
        run.curve = curve
        run._set_adam(adam)
        run.league.tell(run.algorithm)
        return run

    def _set_adam(self, numbers: dict[int, dict[str, Array]]) -> None:
        state = self.algorithm.learner_group.get_state()["learner"]
        _adam_of(state, self.learner)["state"] = numbers
        self.algorithm.learner_group.set_state({"learner": {"optimizer": state["optimizer"]}})


def _check_fits(path: Path, net: Net, args: RLlibArgs) -> None:
    """Raise CheckpointError unless the net reads and answers what those of this trainer do."""
    if net.has_prior_policy:
        raise CheckpointError(f"{path} is a net with a prior policy, which it does not get here: begin with another")
    if net.input_spec.to_dict() != input_spec_of(args.table).to_dict():
        raise CheckpointError(f"{path} reads or answers something else than the nets of this version for these games: begin with another")


def _weights(net: Net) -> dict[str, Array]:
    """As the module of RLlib names them."""
    return {f"net.{name}": tensor.cpu().numpy() for name, tensor in net.state_dict().items()}


def _adam_of(state: dict[str, Any], module: str) -> dict[str, Any]:
    """The state of the optimizer of a module."""
    (adam,) = [one["state"] for one in state["optimizer"].values() if one["module_id"] == module]
    found: dict[str, Any] = adam
    return found


def _past_of(path: Path, net: Net, tensors: dict[str, Tensor], count: int) -> list[dict[str, Array]]:
    """The weights of the past selves. Raises CheckpointError."""
    like = {f"net.{name}": tensor for name, tensor in net.state_dict().items()}
    past = []
    for number in range(min(count, MOST_PAST)):
        check_tensors(path, {f"past.{number}.{name}": tensor for name, tensor in like.items()}, tensors)
        past.append({name: tensors[f"past.{number}.{name}"].numpy() for name in like})
    return past


def _adam_from(path: Path, net: Net, tensors: dict[str, Tensor]) -> dict[int, dict[str, Array]]:
    """What Adam keeps, by the place of the parameter; nothing before the first update. Raises CheckpointError."""
    kept: dict[int, dict[str, Array]] = {}
    for place, parameter in enumerate(net.parameters()):
        if f"adam.{place}.step" in tensors:
            shapes = {"step": torch.zeros(()), "exp_avg": parameter, "exp_avg_sq": parameter}
            check_tensors(path, {f"adam.{place}.{key}": shapes[key] for key in resuming.ADAM}, tensors)
            kept[place] = {key: tensor.numpy() for key, tensor in resuming.adam_kept(tensors, str(place), parameter).items()}
    return kept


def begin(args: RLlibArgs) -> RLlibRun:
    """A fresh run, or the one to resume. Raises ValueError or CheckpointError."""
    if args.resume:
        return RLlibRun.load(args)
    net = resuming.tell_of_rules(args.start, load_net(args.start, Net), args.table) if args.start else None
    if net:
        _check_fits(Path(args.start), net, args)
        args = replace(args, width=net.width, table=replace(args.table, history=net.history))
    return RLlibRun(args, net)


@contextlib.contextmanager
def running(args: RLlibArgs) -> Iterator[RLlibRun]:
    """The run, with Ray, and its folder for itself, for as long as it takes. Raises UserError, ValueError or CheckpointError."""
    load()
    for name in ("ray", "ray.rllib"):
        logging.getLogger(name).setLevel(logging.ERROR)
    alone = resuming.run_folder(args.folder, RLlibArgs.folder, resume=args.resume)
    with alone as folder, cluster(args.address, cores=max(1, args.runners + args.learners)):
        run = begin(replace(args, folder=folder))
        try:
            yield run
        finally:
            run.algorithm.stop()


def train(args: RLlibArgs, console: Console | None = None) -> RLlibRun:
    """Train until a budget is used up, and write the checkpoint. Raises ValueError, UserError or CheckpointError before anything is done.

    Raises TrainingError, with the last checkpoint in place, when the network becomes NaN, nobody plays, or the disk is full.
    """
    console = console or Terminal(stderr=True)
    with running(args) as run:
        use_up(run, console, args.report_deals)
    return run


def train_and_report(args: RLlibArgs) -> None:
    """What the command line does."""
    run = train(args)
    console = Terminal()
    speed = run.decisions / run.seconds if run.seconds else 0.0
    console.print(f"{run.decisions:,} decisions in {run.seconds:.0f} s, {speed:,.0f} a second")
    for name, share in run.league.figures().items():
        console.print(f"won against {name.removeprefix('league/')}: {share:.1%}")
    console.print(f"checkpoint  {run.args.folder / CHECKPOINT}", soft_wrap=True)
    trained = shlex.quote(f"neural:{run.args.folder}")
    console.print(f"how good it is: danmaku tournament random heuristic {trained}", soft_wrap=True)


def main(argv: Sequence[str] | None = None) -> None:
    """Run from the command line. Raises SystemExit with the exit status unless all went well."""
    options.run(RLlibArgs, train_and_report, argv, "Train one network for all seats by self-play, with PPO of RLlib on Ray.")


if __name__ == "__main__":
    main()
