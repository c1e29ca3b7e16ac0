"""Self-play from nothing, in any game that has a spec: masked PPO with one network in every seat.

    danmaku shisoroku train --seconds 1800 --folder runs/shisoroku
    danmaku utage train --seconds 3600 --folder runs/utage

The payoff at the end is the only reward. Advantages are TD(lambda) along each seat's own decisions (Schulman et al. 2016), the update is
PPO's clipped one (Schulman et al. 2017) with illegal actions masked (Huang and Ontanon 2022). The `Learnable` of a game
names its network, and the bots that every report measures it against, on the same deals from both sides.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
import torch
from rich.console import Console
from torch import Tensor

from danmaku_env.arguments import shown
from danmaku_env.console import options
from danmaku_env.console.terminal import Terminal
from danmaku_env.envs.vector import make_vec
from danmaku_env.estimates import Estimate
from danmaku_env.machine.records import Array
from danmaku_env.nets.checkpoints import CHECKPOINT, check_tensors
from danmaku_env.nets.network import draw_actions, one_torch_thread
from danmaku_env.sister.bots import Bot
from danmaku_env.sister.learning.nets import NeuralBot, TokenNet, load_net
from danmaku_env.training import resuming
from danmaku_env.training.learner import Learner
from danmaku_env.training.parallel import Threads
from danmaku_env.training.ppo import use_up
from danmaku_env.training.progress_report import Curve, CurveKind
from danmaku_env.training.training_args import WindowArgs
from danmaku_env.training.trajectories import seat_credit

_LAST_SHARE = 0.1
"""Of the step size and the entropy bonus, at the end."""
_MAX_GRAD_NORM = 0.5


@dataclass(frozen=True)
class Learnable:
    """A game, as far as learning needs to know it."""

    net: type[TokenNet]
    against: tuple[str, ...]
    """Bots that every report measures the network against; the first is the mark."""
    measure: Callable[[Any, Bot, str, int], Estimate]
    """(config, bot, opponent, deals): what the bot is paid, from -1 to 1."""

    def curve_kind(self) -> CurveKind:
        """What the points of a learning curve say."""
        against = {name: f"against {name}" for name in self.against}
        return CurveKind(against, "payoff against", f"{self.net.spec.title}: payoff", "mean (99 % intervals)")


@dataclass(frozen=True, kw_only=True)
class SelfPlayOptions(WindowArgs):
    """Options of a run besides the games that are played. Raises ValueError on what makes no sense."""

    folder: Path = Path("runs/sister")
    """Where network, curve and picture go: no folder of another run."""
    resume: bool = False
    """Go on with the run in the folder, with its options; its games begin anew."""
    seconds: float = 1800.0
    """Stop after this much training time, parts before a resume included, reports not; 0 = no limit."""
    window: int = 48
    """Decisions in each game between two updates."""
    learning_rate: float = 1e-3
    """Step size of Adam at the beginning; it falls to a tenth."""
    gae_lambda: float = 0.95
    """Lambda of the advantages: 1 = Monte Carlo returns, 0 = the next value."""
    clip: float = 0.2
    """How far the probability of an action may move in one update, as a ratio."""
    entropy: float = 0.02
    """Weight of the entropy bonus at the beginning; it falls to a tenth."""
    threads: int = 2
    """Threads that answer and learn."""
    device: str = "cpu"
    """Where the network is: cpu or cuda."""
    report_every: float = 120.0
    """Seconds of training between reports; 0 = only at the end."""
    report_deals: int = 250
    """Deals of a report against each opponent; 0 = no reports."""
    final_deals: int = 2000
    """The same at the end."""

    FREE = (*WindowArgs.FREE, "final_deals", "threads", "device")
    MOST: ClassVar[dict[str, int]] = {"games": 1 << 20, "window": 1 << 16, "threads": 1 << 10}

    def __post_init__(self) -> None:
        super().__post_init__()
        options.check_counts(self, "batch", "threads", most=self.MOST)
        options.check_deals(self, "final_deals")
        options.check_range(self, 0, options.MOST_WEIGHT, "learning_rate", "entropy")
        options.check_range(self, 0, 1, "gae_lambda")
        options.check_above_0(self, "clip")
        if self.device not in ("cpu", "cuda") or (self.device == "cuda" and not torch.cuda.is_available()):
            raise ValueError(f"device is cpu, or cuda where there is a GPU that torch can use, not {shown(self.device)}")


@dataclass(frozen=True, kw_only=True)
class SelfPlayArgs(SelfPlayOptions):
    """Everything a run depends on. Raises ValueError on what makes no sense."""

    config: Any
    """The games that are played."""

    def __post_init__(self) -> None:
        for name, value in vars(self.run_options()).items():
            object.__setattr__(self, name, value)

    def run_options(self) -> SelfPlayOptions:
        """All but the games."""
        return SelfPlayOptions(**{one.name: getattr(self, one.name) for one in fields(SelfPlayOptions)})

    def plain(self) -> dict[str, Any]:
        """As data for JSON."""
        return {**options.plain(self.run_options()), "config": self.config.to_dict(), "folder": ""}

    def resumed(self, kept: dict[str, Any]) -> Self:
        """The options of the run whose options were `kept`, with these budgets.

        Raises ResumeError where these ask for something else, ValueError where those are no options of a run.
        """
        known = resuming.kept_options(SelfPlayOptions, kept, free=self.FREE)
        theirs, mine = kept["config"], json.loads(json.dumps(self.config.to_dict()))
        if not isinstance(theirs, dict):
            raise ValueError("its config is no table")
        for name in {**theirs, **mine}:
            if theirs.get(name) != mine.get(name):
                said = f"{name} of the games is {shown(theirs.get(name))} in the run to resume"
                raise resuming.ResumeError(f"{said}; it cannot become {shown(mine.get(name))}")
        return type(self)(config=self.config, **vars(self.run_options().resumed(known)))


class SelfPlay:
    """A run."""

    saved: int | None = None
    """The window of the last checkpoint."""

    def __init__(self, game: Learnable, args: SelfPlayArgs, net: TokenNet | None = None) -> None:
        """A fresh run, of a network where one is given. Raises ValueError for games of another kind than the network plays."""
        self.game, self.args = game, args
        if not isinstance(args.config, game.net.spec.config):
            raise ValueError(f"config must be a {game.net.spec.config.__name__}, not {shown(args.config)}")
        self.device = torch.device(args.device)
        self.net = (net or new_net(game, args.seed)).to(self.device)
        self.seconds, self.processor_seconds, self.decisions, self.curve = 0.0, 0.0, 0, Curve(kind=game.curve_kind())
        self.threads = Threads(args.threads if self.device.type == "cpu" else 1, "training")
        self.learner = Learner(self.net, "", args.learning_rate, self.threads, max_grad_norm=_MAX_GRAD_NORM, eps=1e-5)
        self.rng, self.vec = torch.Generator(), make_vec(args.games, args.config, threads=args.threads)
        self._begin_games()
        shape = args.window, args.games
        self.rows: Array = np.zeros((*shape, self.net.spec.row_size), np.uint8)
        self.masks: Array = np.zeros((*shape, self.net.spec.num_actions), np.uint8)
        self.seats, self.actions = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
        self.logprobs, self.values = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
        self.dones, self.paid = np.zeros(shape, np.bool_), np.zeros((*shape, args.config.num_players), np.float32)

    def _begin_games(self) -> None:
        """Begin all games, with random numbers that follow from the seed and from how far the run is."""
        self.rng.manual_seed(self.args.seed + self.decisions)
        self.vec.reset(self.args.seed + self.decisions)

    @classmethod
    def load(cls, game: Learnable, args: SelfPlayArgs) -> Self:
        """The run of the folder's checkpoint, with the budgets given. Raises CheckpointError, or ResumeError for other options."""
        path = args.folder / CHECKPOINT
        net, tensors, about = load_net(game.net, path)
        resuming.check_rules(path, about, net.spec.rules(), f"plays (neural:{path.parent})")
        with resuming.whole_run(path):
            run = cls(game, args.resumed(about["args"]), net)
            run._restore(tensors, about)
            check_tensors(path, run.learner.tensors(), tensors)
        return run

    def _restore(self, tensors: dict[str, Tensor], about: dict[str, Any]) -> None:
        """Be where the run was that these are of; the network is that run's already. Raises ValueError or KeyError where it cannot be."""
        self.seconds, self.processor_seconds = resuming.spent(about), resuming.spent({"seconds": about["processor_seconds"]})
        self.decisions, self.curve = resuming.whole(about, "decisions"), Curve.read(about["curve"], self.game.curve_kind())
        self.saved = self.windows
        if self.decisions:
            self.learner.restore(tensors)
        self._begin_games()

    @property
    def windows(self) -> int:
        """How many windows were played."""
        return self.decisions // (self.args.window * self.args.games)

    share_done = resuming.share_done

    def step(self, done: float) -> dict[str, float]:
        """Play a window and learn from it, when this share of the budget is used up; figures for the log.

        Raises TrainingError where the network has become NaN.
        """
        processor = time.process_time()
        self.play()
        entropy = self.learn(done)
        self.processor_seconds += time.process_time() - processor
        return {"policy/entropy": entropy}

    # ---- playing

    def play(self) -> None:
        """Play a window."""
        vec, size = self.vec, self.net.spec.row_size
        for step in range(self.args.window):
            self.rows[step], self.masks[step], self.seats[step] = vec.observations[:, :size], vec.action_masks, vec.seats
            draws = torch.rand((self.args.games, 1), generator=self.rng, dtype=torch.float64)
            self.threads.map(self._decide, [(step, share, draws[share]) for share in self.threads.shares(self.args.games)])
            vec.step(self.actions[step])
            self.dones[step], self.paid[step] = vec.dones, vec.rewards[:, : self.args.config.num_players]
        vec.check()
        self.decisions += self.args.window * self.args.games

    @torch.inference_mode()
    def _decide(self, step: int, games: slice, draws: Tensor) -> None:
        logprobs, values = self._logprobs_and_values(self.rows[step, games], self.masks[step, games])
        chosen = draw_actions(logprobs, draws)
        self.actions[step, games], self.values[step, games] = chosen.cpu().numpy(), values.cpu().numpy()
        self.logprobs[step, games] = logprobs.gather(1, chosen[:, None]).squeeze(1).cpu().numpy()

    def _logprobs_and_values(self, rows: Array, masks: Array) -> tuple[Tensor, Tensor]:
        found: tuple[Tensor, Tensor] = self.net(torch.from_numpy(rows).to(self.device), torch.from_numpy(masks).to(self.device))
        return found

    @torch.inference_mode()
    def credit(self) -> tuple[Array, Array]:
        """[window, games] advantages, and what the values should have been."""
        args, players = self.args, self.args.config.num_players
        after: Array = np.zeros((args.games, players), np.float32)
        for seat in range(players):
            rows = np.ascontiguousarray(self.vec.observe(np.full(args.games, seat))[:, : self.net.spec.row_size])
            masks = self.vec.action_masks * (self.vec.seats == seat)[:, None]  # a net may read them; who is not asked has no answers
            after[:, seat] = self._logprobs_and_values(rows, masks)[1].cpu().numpy()
        advantages, _ = seat_credit(self.values, self.seats, self.dones, self.paid, args.gae_lambda, after)
        return advantages, advantages + self.values

    # ---- learning

    def learn(self, done: float = 0.0) -> float:
        """Learn from the window, as `step`; returns the mean entropy. Raises TrainingError where the network has become NaN."""
        share = max(_LAST_SHARE, 1 - done)
        advantages, returns = self.credit()
        credit = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        parts = {"rows": self.rows, "masks": self.masks, "actions": self.actions, "logprobs": self.logprobs}
        parts |= {"returns": returns, "credit": credit}
        data = {name: torch.from_numpy(part.reshape(-1, *part.shape[2:])).to(self.device) for name, part in parts.items()}
        several = torch.from_numpy(np.flatnonzero(self.masks.sum(2).reshape(-1) > 1))
        self.learner.scale_rate(share)
        entropies = []
        for _ in range(self.args.epochs):
            order = several[torch.randperm(len(several), generator=self.rng)]
            for low in range(0, len(order), self.args.batch):
                batch = order[low : low + self.args.batch]
                entropies.append(self.learner.step(batch, lambda rows, weight: self._gradients(data, rows, weight, share)))
        if not self.learner.is_finite():
            raise resuming.TrainingError("the network has become NaN")
        return float(torch.stack(entropies).mean()) if entropies else 0.0

    def _gradients(self, data: dict[str, Tensor], rows: Tensor, weight: float, share: float) -> tuple[tuple[Tensor, ...], Tensor]:
        """Gradients of the loss on some rows, times `weight`, and the entropy."""
        args, rows = self.args, rows.to(self.device)
        seen = {name: tensor[rows] for name, tensor in data.items()}
        logprobs, values = self.net(seen["rows"], seen["masks"])
        ratio = (logprobs.gather(1, seen["actions"][:, None]).squeeze(1) - seen["logprobs"]).exp()
        gain = torch.min(ratio * seen["credit"], ratio.clamp(1 - args.clip, 1 + args.clip) * seen["credit"]).mean()
        entropy = -(logprobs.exp() * logprobs.clamp(min=-1e9)).sum(1).mean()
        loss = -gain + 0.5 * (values - seen["returns"]).square().mean() - args.entropy * share * entropy
        return self.learner.gradients(loss * weight), entropy.detach() * weight

    # ---- reports and checkpoints

    def report(self, deals: int, console: Console) -> dict[str, float]:
        """Measure the network, add a point to the curve, write it, and say a line; without deals nothing is done. Raises OSError."""
        if not deals:
            return {}
        point: dict[str, float] = {}
        for name in self.game.against:
            found = self.game.measure(self.args.config, NeuralBot(self.net), name, deals)
            point |= {name: found.mean, f"{name} ±": found.half}
        spent = {"decisions": self.decisions, "seconds": self.seconds, "processor_seconds": self.processor_seconds}
        self.curve.tell(self.args.folder, console, {**spent, **point})
        return point

    def save(self) -> None:
        """Write the checkpoint. Raises OSError."""
        about = {
            "args": self.args.plain(), "seconds": self.seconds,
            "processor_seconds": self.processor_seconds, "decisions": self.decisions, "curve": self.curve.points,
            "versions": resuming.versions(),
        }  # fmt: skip
        self.net.save(self.args.folder / CHECKPOINT, self.learner.tensors(), about)
        self.saved = self.windows


def new_net(game: Learnable, seed: int) -> TokenNet:
    """The untrained network of a seed."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return game.net()


def train(game: Learnable, args: SelfPlayArgs, console: Console | None = None) -> SelfPlay:
    """Train until a budget is used up, and write network, curve and picture.

    A fresh run in the default folder gets the next free one where that is taken. Raises ValueError before anything is done, where the
    folder holds another run or is in use, or holds none that can be resumed so, and TrainingError, saying what is kept, where training
    cannot go on.
    """
    console = console or Terminal(stderr=True)
    with resuming.run_folder(args.folder, Path("runs") / game.net.spec.name, resume=args.resume) as folder, one_torch_thread():
        given = replace(args, folder=folder)
        run = SelfPlay.load(game, given) if args.resume else SelfPlay(game, given)
        use_up(run, console, args.final_deals)
    return run
