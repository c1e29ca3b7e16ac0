"""MaskablePPO of sb3_contrib (Huang and Ontanon 2022) learns a seat, or all seats by self-play.

`python -m danmaku_env.training.sb3_maskable` trains for two minutes against random play and then shows how often it wins, beside random
play in the same seats of the same deals; `--self-play` learns in every seat instead. The environments are those of `sb3.py`; this file is
an example of how to use them, and `ppo.py` is what this project trains its own networks with.
"""

from __future__ import annotations

import io
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger

from danmaku_env import GameConfig
from danmaku_env.agents.opponents import vector
from danmaku_env.config import Expansion
from danmaku_env.console import options
from danmaku_env.console.errors import Stopped
from danmaku_env.console.terminal import Terminal
from danmaku_env.game import check_seed, write_atomically
from danmaku_env.training.evaluate import evaluation_seed
from danmaku_env.training.resuming import TrainingError, alone_in
from danmaku_env.training.sb3 import FirstLayer, OneSeatVecEnv, SelfPlayBuffer, SelfPlayVecEnv

Array = npt.NDArray[Any]
MODEL = "model.zip"
_ROWS = 250
"""Games side by side at the end."""


@dataclass(frozen=True, kw_only=True)
class Args:
    """Everything a run depends on. Raises ValueError on numbers that make no sense."""

    folder: Path = Path("runs/sb3")
    """Where the model goes (model.zip, Stable-Baselines3's own format): no folder of another. Where the default is taken: runs/sb3-2 ..."""
    seconds: float = 120.0
    """Stop after so much time."""
    seed: int = 1
    """Seed of the network, the games and all draws."""
    expansion: Expansion = "none"
    """With the expansion Lunatic Extra, or none."""
    players: int = 6
    """Seats at the table, 4 to 8."""
    self_play: bool = False
    """Learn in every seat; otherwise in one seat of each game, drawn anew for each."""
    opponents: str = "random"
    """Who has the other seats: an agent by name. Not with --self-play."""
    games: int = 128
    """Games side by side."""
    window: int = 64
    """Decisions in each game between two updates."""
    epochs: int = 2
    """Passes over a window's decisions."""
    batch: int = 1024
    """Decisions in a gradient step."""
    learning_rate: float = 1e-3
    """Step size of Adam."""
    hidden: int = 128
    """Width of the network's first layer, which policy and value share, and of the one that each has after it."""
    final_games: int = 1000
    """Games at the end."""

    def __post_init__(self) -> None:
        options.check_types(self)
        object.__setattr__(self, "seed", check_seed(self.seed))
        self.config()
        options.check_counts(self, "games", "window", "epochs", "hidden", "final_games")
        options.check_counts(self, "batch", least=2)  # MaskablePPO divides by the deviation within a batch
        options.check_above_0(self, "seconds", "learning_rate")
        options.check_finite(self, "seconds")
        options.check_range(self, 0, options.MOST_WEIGHT, "learning_rate")
        if not self.self_play and self.games * self.window % self.batch == 1:
            left = f"of {self.games} times {self.window} decisions, batches of {self.batch} leave a single one"
            raise ValueError(f"{left}, from which nothing can be learned: choose another window or batch")
        if self.self_play and self.games * (self.window - self.players) < 2:
            raise ValueError(f"in self-play window must be at least {self.players + 2}, not {self.window}, for a seat to be asked twice")
        if self.self_play and self.opponents != "random":
            raise ValueError("in self-play every seat learns: leave --opponents out")

    def config(self) -> GameConfig:
        """The games that are played."""
        return GameConfig(num_players=self.players, expansion=self.expansion)


class Clock(BaseCallback):
    """Stops when the time is up, and shows how long that is."""

    def __init__(self, seconds: float, bar: Progress) -> None:
        super().__init__()
        self._seconds, self._bar, self._start = seconds, bar, time.perf_counter()
        self._task = bar.add_task("", total=seconds, steps=0)

    def _on_step(self) -> bool:
        spent = time.perf_counter() - self._start
        self._bar.update(self._task, completed=min(spent, self._seconds), steps=self.num_timesteps)
        return spent < self._seconds


def make_model(args: Args) -> MaskablePPO:
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
        table = SelfPlayVecEnv(args.games, args.config(), seed=args.seed)
        return MaskablePPO("MlpPolicy", table, rollout_buffer_class=SelfPlayBuffer, rollout_buffer_kwargs={"table": table}, **settings)
    game: dict[str, Any] = {"num_players": args.players, "expansion": args.expansion}
    seats = OneSeatVecEnv(args.games, seed=args.seed, opponents=args.opponents, learner="any", **game)
    return MaskablePPO("MlpPolicy", seats, **settings)


def train(model: MaskablePPO, args: Args, console: Console) -> None:
    """Train until the time is up. Raises TrainingError when the network becomes NaN."""
    model.set_logger(Logger(None, []))  # the default one writes into the temporary directory
    steps = TextColumn("{task.fields[steps]:,} decisions")
    start = time.perf_counter()
    columns = (TextColumn("training"), BarColumn(), steps, TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Terminal(stderr=True)) as bar:
        try:
            model.learn(1 << 60, callback=Clock(args.seconds, bar))
        except (ValueError, RuntimeError) as error:  # what torch makes of probabilities that are no numbers, checked or drawn from
            if "nan" not in str(error) and all(parameter.isfinite().all() for parameter in model.policy.parameters()):
                raise
            smaller = f"a smaller --learning-rate than {args.learning_rate:g} may help"
            raise TrainingError(f"training stopped: the network has become NaN; {smaller}") from None
    spent = time.perf_counter() - start
    console.print(f"{model.num_timesteps:,} decisions in {spent:.0f} s, {model.num_timesteps / spent:,.0f} a second")


def win_rate(model: MaskablePPO | None, args: Args) -> float:
    """Share of games won in one seat, drawn for each, against the opponents; random answers without a model. The same deals for both."""
    return float((payoffs(model, args) > 0).mean())


def payoffs(model: MaskablePPO | None, args: Args) -> Array:
    """[final_games] what these games paid."""
    games, total = min(args.final_games, _ROWS), args.final_games
    game: dict[str, Any] = {"num_players": args.players, "expansion": args.expansion}
    envs = vector(num_envs=games, learner="any", opponents=args.opponents, copy=False, **game)
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
    """Write the model, whole or not at all. Raises OSError."""
    room = io.BytesIO()
    model.save(room)
    write_atomically(path, room.getvalue())


def train_and_report(args: Args) -> None:
    """What the command line does."""
    console = Terminal()
    with alone_in(args.folder, Args.folder, resume=False, holds=MODEL) as folder:
        model = make_model(args)
        try:
            train(model, args, console)
        except KeyboardInterrupt:
            save(model, folder / MODEL)
            console.print(f"stopped; {folder / MODEL} is what it had learned in {model.num_timesteps:,} decisions", soft_wrap=True)
            raise Stopped from None
        save(model, folder / MODEL)
    trained, usual = win_rate(model, args), win_rate(None, args)
    rates = f"{trained:.1%}; with random answers {usual:.1%}"
    console.print(f"games won in one seat, {args.final_games} games, the others {args.opponents}: {rates}", soft_wrap=True)
    console.print(f"model  {folder / MODEL}", soft_wrap=True)


def main(argv: Sequence[str] | None = None) -> None:
    """Run from the command line. Raises SystemExit with the exit status unless all went well."""
    if status := options.run(Args, train_and_report, argv, "Train MaskablePPO of sb3_contrib."):
        raise SystemExit(status)


if __name__ == "__main__":
    main()
