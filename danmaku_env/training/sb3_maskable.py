"""MaskablePPO of sb3_contrib (Huang and Ontanon 2022) learns a seat, or all seats by self-play.

`python -m danmaku_env.training.sb3_maskable` trains for two minutes against random play and then shows how often it wins, beside random
play in the same seats of the same deals; `--self-play` learns in every seat instead. The environments are those of `sb3.py`; this file is
an example of how to use them, and `ppo.py` is what this project trains its own networks with.

A run leaves two files. `checkpoint.safetensors` plays as `policy:FOLDER`, and the run is resumed from it with other games than an
uninterrupted one; to load it executes nothing. `model.zip` is Stable-Baselines3's own format, which holds pickles: load your own only.
"""

from __future__ import annotations

import io
import shlex
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from rich.console import Console
from rich.progress import Progress
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger

from danmaku_env import GameConfig
from danmaku_env.agents.opponents import vector
from danmaku_env.console import options
from danmaku_env.console.errors import Stopped
from danmaku_env.console.terminal import Terminal, training_bar
from danmaku_env.game import write_atomically
from danmaku_env.info_states import InfoStates
from danmaku_env.machine.records import Array
from danmaku_env.nets.checkpoints import CHECKPOINT, check_tensors, read_tensors
from danmaku_env.nets.layered_policy import load_policy
from danmaku_env.training import progress_report, resuming
from danmaku_env.training.progress_report import Curve
from danmaku_env.training.resuming import TrainingError
from danmaku_env.training.sb3 import FirstLayer, OneSeatVecEnv, SelfPlayBuffer, SelfPlayVecEnv, save_model
from danmaku_env.training.seeds import evaluation_seed
from danmaku_env.training.tensorboard_log import TensorBoardLog
from danmaku_env.training.training_args import WindowArgs

MODEL = "model.zip"
_ROWS = 250
"""Games side by side at the end."""


@dataclass(frozen=True, kw_only=True)
class SB3Args(WindowArgs):
    """Everything a run depends on. Raises ValueError on numbers that make no sense."""

    folder: Path = Path("runs/sb3")
    seconds: float = 120.0
    decisions: int = 0
    """Stop after this many decisions of the model; 0 = no limit."""
    table: GameConfig = field(default=GameConfig(), metadata=options.flags("table", "num_players", "roles", "expansion"))
    """The games that are played."""
    self_play: bool = False
    """Learn in every seat; otherwise in one seat of each game, drawn anew for each."""
    opponents: str = "random"
    """The agent in the other seats, by name. Not with --self-play."""
    games: int = 128
    epochs: int = 2
    batch: int = 1024
    hidden: int = 128
    """Width of the network's first layer, which policy and value share, and of the one that each has after it."""
    final_games: int = 1000
    """Games at the end."""

    FREE = (*WindowArgs.FREE, "final_games")
    report_every: float = 30.0
    report_deals: int = 64

    def __post_init__(self) -> None:
        super().__post_init__()
        options.check_counts(self, "hidden", "final_games")
        options.check_counts(self, "batch", least=2)  # MaskablePPO divides by the deviation within a batch
        options.check_above_0(self, "learning_rate")
        options.check_range(self, 0, options.MOST_WEIGHT, "learning_rate")
        if not self.self_play and self.games * self.window % self.batch == 1:
            left = f"of {self.games} times {self.window} decisions, batches of {self.batch} leave a single one"
            raise ValueError(f"{left}, from which nothing can be learned: choose another window or batch")
        least = self.table.num_players + 2
        if self.self_play and self.games * (self.window - least + 2) < 2:
            raise ValueError(f"in self-play window must be at least {least}, not {self.window}, for a seat to be asked twice")
        if self.self_play and self.opponents != "random":
            raise ValueError("in self-play every seat learns: leave --opponents out")


class ModelAgent:
    """An agent that draws its answers from the policy of a model."""

    name = "sb3"

    def __init__(self, model: Any) -> None:
        self._model = model

    def reset(self, seed: int) -> None:
        """The policy draws with torch's own generator, which is left as it is."""

    def act(self, observations: Array, masks: Array, info_states: InfoStates | None = None) -> Array:
        """[B] answers."""
        answers: Array = self._model.predict(observations, action_masks=masks != 0, deterministic=False)[0]
        return answers


class SB3Run:
    """A run of training: the model, and what a checkpoint must know beside it."""

    def __init__(self, args: SB3Args, decisions: int = 0) -> None:
        """A fresh run; the games and draws are those of a run that has made this number of decisions."""
        self.args = args
        words = np.random.SeedSequence([args.seed, decisions]).generate_state(1)
        self.model = make_model(replace(args, seed=int(words[0])) if decisions else args)
        self.model.num_timesteps = decisions
        self.seconds = 0.0
        """Training time, without that of measuring."""
        self.curve = Curve()

    @property
    def decisions(self) -> int:
        """Decisions of the model that were played."""
        return int(self.model.num_timesteps)

    share_done = resuming.share_done

    def report(self, console: Console) -> None:
        """Measure the model, write the curve and say a line; nothing without deals. Raises OSError."""
        args = self.args
        if not args.report_deals:
            return
        with torch.random.fork_rng(devices=[]):
            point = progress_report.measure(ModelAgent(self.model), [args.table], args.seed, args.report_deals)
        self.curve.tell(args.folder, console, {"decisions": self.decisions, "seconds": self.seconds, **point})
        with TensorBoardLog(args.folder) as log:  # a file for each: a run that ends before it has said anything leaves nothing
            log.add(point, self.decisions)

    def save(self) -> None:
        """Write the checkpoint: all weights, what Adam keeps, the curve. Raises OSError."""
        tensors = dict(self.model.policy.named_parameters())
        for place, kept in enumerate(map(self.model.policy.optimizer.state.get, self.model.policy.parameters())):
            tensors |= {f"adam.{place}.{name}": kept[name] for name in resuming.ADAM} if kept else {}
        about = {
            "args": options.plain(self.args), "decisions": self.decisions, "seconds": self.seconds, "curve": self.curve.points,
            "versions": resuming.versions(), "command": options.command_of("sb3_maskable", self.args, always=("seed", "seconds")),
        }  # fmt: skip
        save_model(self.model, self.args.folder / CHECKPOINT, tensors=tensors, about=about)

    @classmethod
    def load(cls, args: SB3Args) -> SB3Run:
        """The run of the folder's checkpoint, with the budgets given. Raises CheckpointError, or ResumeError for other options."""
        path = args.folder / CHECKPOINT
        load_policy(path)
        tensors, about = read_tensors(path)
        resuming.check_rules(path, about)
        with resuming.whole_run(path):
            args = args.resumed(resuming.kept_options(SB3Args, about["args"], free=SB3Args.FREE))
            run = cls(args, resuming.whole(about, "decisions"))
            run.seconds, run.curve = resuming.spent(about), Curve.read(about["curve"])
            run._fill(path, tensors)
        return run

    def _fill(self, path: Path, tensors: dict[str, torch.Tensor]) -> None:
        """Give the model the weights of a checkpoint. Raises CheckpointError, ValueError or KeyError."""
        policy = self.model.policy
        check_tensors(path, dict(policy.named_parameters()), tensors)
        for place, (name, parameter) in enumerate(policy.named_parameters()):
            parameter.data.copy_(tensors[name])
            if f"adam.{place}.step" in tensors:
                policy.optimizer.state[parameter] = resuming.adam_kept(tensors, str(place), parameter)


class Clock(BaseCallback):
    """Stops when a budget is used up, shows how far that is, writes checkpoints, and says every now and then how well the model plays."""

    def __init__(self, run: SB3Run, bar: Progress) -> None:
        super().__init__()
        self._run, self._bar, self._windows = run, bar, 0
        self._start, self._told = time.perf_counter() - run.seconds, run.seconds
        self._task = bar.add_task("", total=1.0, note="")

    def _on_rollout_start(self) -> None:
        if self._windows and self._windows % self._run.args.checkpoint_every == 0:
            self._run.save()
        self._windows += 1

    def _on_step(self) -> bool:
        run = self._run
        run.seconds = time.perf_counter() - self._start
        ends = bool(run.args.seconds) and run.seconds >= run.args.seconds
        self._bar.update(self._task, completed=min(1.0, run.share_done()), note=f"{run.decisions:,} decisions")
        if run.args.report_every and run.seconds - self._told >= run.args.report_every and run.share_done() < 1:
            self._told = run.seconds
            run.report(self._bar.console)
            self._start = time.perf_counter() - run.seconds
        return not ends

    def _on_training_end(self) -> None:
        self._run.report(self._bar.console)
        self._run.curve.picture(self._run.args.folder)


def make_model(args: SB3Args) -> MaskablePPO:
    """The learner and its games."""
    settings: dict[str, Any] = {
        "n_steps": args.window, "batch_size": args.batch, "n_epochs": args.epochs, "learning_rate": args.learning_rate, "gamma": 1.0,
        "gae_lambda": 0.98, "ent_coef": 0.01, "seed": args.seed % (1 << 32), "device": "cpu",
        "policy_kwargs": {
            "features_extractor_class": FirstLayer, "features_extractor_kwargs": {"width": args.hidden}, "net_arch": [args.hidden],
            "activation_fn": torch.nn.ReLU,
        },
    }  # fmt: skip
    if args.self_play:
        table = SelfPlayVecEnv(args.games, args.table, seed=args.seed)
        return MaskablePPO("MlpPolicy", table, rollout_buffer_class=SelfPlayBuffer, rollout_buffer_kwargs={"table": table}, **settings)
    seats = OneSeatVecEnv(args.games, seed=args.seed, opponents=args.opponents, learner="any", **args.table.to_dict())
    return MaskablePPO("MlpPolicy", seats, **settings)


def train(run: SB3Run, console: Console) -> None:
    """Train until a budget is used up: whole windows where it is one of decisions. Raises TrainingError when the network becomes NaN."""
    model, args = run.model, run.args
    left = args.decisions - run.decisions if args.decisions else 1 << 60
    if run.share_done() >= 1:
        return
    model.set_logger(Logger(None, []))  # the default one writes into the temporary directory
    with training_bar(Terminal(stderr=True)) as bar:
        try:
            model.learn(left, callback=Clock(run, bar), reset_num_timesteps=False)
        except (ValueError, RuntimeError) as error:  # raised by torch for NaN probabilities, checked or drawn from
            if "nan" not in str(error) and all(parameter.isfinite().all() for parameter in model.policy.parameters()):
                raise
            smaller = f"a smaller --learning-rate than {args.learning_rate:g} may help"
            raise TrainingError(f"training stopped: the network has become NaN; {smaller}") from None
    console.print(f"{run.decisions:,} decisions in {run.seconds:.0f} s, {run.decisions / run.seconds:,.0f} a second")


def win_rate(model: MaskablePPO | None, args: SB3Args) -> float:
    """Share of games won in one seat, drawn for each, against the opponents; random answers without a model. The same deals for both."""
    return float((payoffs(model, args) > 0).mean())


def payoffs(model: MaskablePPO | None, args: SB3Args) -> Array:
    """[final_games] what these games paid."""
    games, total = min(args.final_games, _ROWS), args.final_games
    envs = vector(num_envs=games, learner="any", opponents=args.opponents, copy=False, **args.table.to_dict())
    observations, _ = envs.reset(seed=evaluation_seed(args.seed))
    paid: list[float] = []
    left: Array = total // games + (np.arange(games) < total % games)  # said before, so that short games do not count more
    while left.any():
        actions = envs.sample()
        if model is not None:
            actions, _ = model.predict(observations["observation"], action_masks=envs.action_masks(), deterministic=True)
        observations, rewards, terminated, truncated, _ = envs.step(actions)
        ended = (terminated | truncated) & (left > 0)
        paid += rewards[ended].tolist()
        left[ended] -= 1
    return np.array(paid)


def save(model: MaskablePPO, path: Path) -> None:
    """Write the model in Stable-Baselines3's format, whole or not at all. Raises OSError."""
    room = io.BytesIO()
    model.save(room)
    write_atomically(path, room.getvalue())


def train_and_report(args: SB3Args) -> None:
    """What the command line does."""
    console = Terminal()
    with resuming.run_folder(args.folder, SB3Args.folder, resume=args.resume) as folder:
        args = replace(args, folder=folder)
        run = SB3Run.load(args) if args.resume else SB3Run(args)
        args = run.args
        try:
            train(run, console)
        except KeyboardInterrupt:
            run.save()
            save(run.model, folder / MODEL)
            words = f"stopped; {folder / MODEL} is what it had learned in {run.decisions} decisions; --resume goes on from there"
            console.print(words, soft_wrap=True)
            raise Stopped from None
        run.save()
        save(run.model, folder / MODEL)
    trained, random = win_rate(run.model, args), win_rate(None, args)
    rates = f"{trained:.1%}; with random answers {random:.1%}"
    console.print(f"games won in one seat, {args.final_games} games, the others {args.opponents}: {rates}", soft_wrap=True)
    console.print(f"model  {folder / MODEL}", soft_wrap=True)
    agent = shlex.quote(f"policy:{folder},greedy=no")
    console.print(f"how good it is: danmaku tournament random heuristic {agent}", soft_wrap=True)


def main(argv: Sequence[str] | None = None) -> None:
    """Run from the command line. Raises SystemExit with the exit status unless all went well."""
    options.run(SB3Args, train_and_report, argv, "Train MaskablePPO of sb3_contrib.")


if __name__ == "__main__":
    main()
