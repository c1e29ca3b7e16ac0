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
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from rich.console import Console
from torch import Tensor

from danmaku_env.arena.reports import plots
from danmaku_env.arena.reports.style import colors_of
from danmaku_env.console.terminal import Terminal, training_bar
from danmaku_env.envs.vector import make_vec
from danmaku_env.estimates import Estimate, signed
from danmaku_env.files import write_atomically
from danmaku_env.machine.records import Array
from danmaku_env.nets.checkpoints import CHECKPOINT
from danmaku_env.nets.network import draw_actions, one_torch_thread
from danmaku_env.sister.bots import Bot
from danmaku_env.sister.learning.nets import NetError, NeuralBot, TokenNet, load_net
from danmaku_env.training import resuming
from danmaku_env.training.learner import Learner
from danmaku_env.training.parallel import Threads

CURVE, PICTURE = "curve.json", "curve.png"
"""Files of a run beside its network: the points of its reports, and these as a picture."""
_LAST_SHARE = 0.1
"""Of the step size and the entropy bonus, at the end."""
_MAX_GRAD_NORM = 0.5
_FREE = ("folder", "seconds", "report_every", "report_deals", "final_deals", "threads", "device", "resume")
"""Options that may differ when a run is resumed."""


@dataclass(frozen=True)
class Learnable:
    """A game, as far as learning needs to know it."""

    net: type[TokenNet]
    against: tuple[str, ...]
    """Bots that every report measures the network against; the first is the mark."""
    measure: Callable[[Any, Bot, str, int], Estimate]
    """(config, bot, opponent, deals): what the bot is paid, from -1 to 1."""


@dataclass(frozen=True, kw_only=True)
class SelfPlayArgs:
    """Everything a run depends on. Raises ValueError for a device that there is not."""

    folder: Path
    """Where network, curve and picture go."""
    config: Any
    """The games that are played."""
    seconds: float = 1800.0
    """Stop after this much training time, reports not counted."""
    seed: int = 1
    """Seed of the network, the games and all draws."""
    resume: bool = False
    """Go on with the run in the folder; its games begin anew."""
    games: int = 512
    """Games side by side."""
    window: int = 48
    """Decisions in each game between two updates."""
    batch: int = 512
    """Decisions in a gradient step."""
    epochs: int = 1
    """Passes over the decisions of a window."""
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
    """Seconds of training between reports."""
    report_deals: int = 250
    """Deals of a report against each opponent."""
    final_deals: int = 2000
    """The same at the end."""

    def __post_init__(self) -> None:
        if self.device not in ("cpu", "cuda") or (self.device == "cuda" and not torch.cuda.is_available()):
            raise ValueError(f"device is cpu, or cuda where there is a GPU that torch can use, not {self.device}")

    def plain(self) -> dict[str, Any]:
        """As data for JSON."""
        return {**asdict(self), "config": self.config.to_dict(), "folder": ""}


class SelfPlay:
    """A run."""

    saved: int | None = None
    """Decisions at the last checkpoint."""

    def __init__(self, game: Learnable, args: SelfPlayArgs) -> None:
        """A fresh run, or the one in the folder. Raises NetError."""
        self.game, self.args = game, args
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(args.seed)
            self.net = game.net()
        self.seconds, self.processor_seconds, self.decisions, self.curve = 0.0, 0.0, 0, list[dict[str, float]]()
        self.device = torch.device(args.device)
        self.threads = Threads(args.threads if self.device.type == "cpu" else 1, "training")
        kept = self._kept() if args.resume else {}
        self.net.to(self.device)
        self.learner = Learner(self.net, "", args.learning_rate, self.threads, max_grad_norm=_MAX_GRAD_NORM, eps=1e-5)
        if args.resume:
            self.learner.restore(kept)
        self.rng = torch.Generator().manual_seed(args.seed + self.decisions)
        self.vec = make_vec(args.games, args.config, threads=args.threads)
        self.vec.reset(args.seed + self.decisions)
        shape = args.window, args.games
        self.rows: Array = np.zeros((*shape, self.net.spec.row_size), np.uint8)
        self.masks: Array = np.zeros((*shape, self.net.spec.num_actions), np.uint8)
        self.seats, self.actions = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
        self.logprobs, self.values = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
        self.dones, self.paid = np.zeros(shape, np.bool_), np.zeros((*shape, args.config.num_players), np.float32)

    def share_done(self) -> float:
        """How much of the time is used up."""
        return min(1.0, self.seconds / self.args.seconds)

    def step(self) -> float:
        """Play a window and learn from it; returns the mean entropy. Raises TrainingError where the network has become NaN."""
        start, processor = time.perf_counter(), time.process_time()
        self.play()
        entropy = self.learn()
        self.seconds += time.perf_counter() - start
        self.processor_seconds += time.process_time() - processor
        return entropy

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
        args, every, players = self.args, np.arange(self.args.games), self.args.config.num_players
        after: Array = np.zeros((args.games, players), np.float32)
        mask = np.ones((args.games, self.net.spec.num_actions), np.uint8)
        for seat in range(players):
            rows = np.ascontiguousarray(self.vec.observe(np.full(args.games, seat))[:, : self.net.spec.row_size])
            after[:, seat] = self._logprobs_and_values(rows, mask)[1].cpu().numpy()
        advantages, carried = np.zeros_like(self.values), np.zeros_like(after)
        for step in reversed(range(args.window)):
            over = self.dones[step]
            after[over], carried[over] = self.paid[step][over], 0.0
            seats = self.seats[step]
            found = after[every, seats] - self.values[step] + args.gae_lambda * carried[every, seats]
            advantages[step] = carried[every, seats] = found
            after[every, seats] = self.values[step]
        return advantages, advantages + self.values

    # ---- learning

    def learn(self) -> float:
        """Learn from the window; returns the mean entropy. Raises TrainingError where the network has become NaN."""
        share = max(_LAST_SHARE, 1 - self.share_done())
        advantages, returns = self.credit()
        credit = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        parts = {"rows": self.rows, "masks": self.masks, "actions": self.actions, "logprobs": self.logprobs}
        parts |= {"returns": returns, "credit": credit}
        data = {name: torch.from_numpy(part.reshape(-1, *part.shape[2:])).to(self.device) for name, part in parts.items()}
        several = torch.from_numpy(np.flatnonzero(self.masks.sum(2).reshape(-1) > 1))
        self.learner.slow_down(share)
        entropies = []
        for _ in range(self.args.epochs):
            order = several[torch.randperm(len(several), generator=self.rng)]
            for low in range(0, len(order), self.args.batch):
                batch = order[low : low + self.args.batch]
                entropies.append(self.learner.step(batch, lambda rows, weight: self._gradients(data, rows, weight, share)))
        if not self.learner.is_finite():
            raise resuming.TrainingError("the network has become NaN")
        return float(torch.stack(entropies).mean())

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

    def report(self, deals: int, console: Console) -> None:
        """Measure the network, add a point to the curve, and say a line. Raises OSError."""
        point = {"decisions": float(self.decisions), "seconds": self.seconds, "processor_seconds": self.processor_seconds}
        said = []
        for name in self.game.against:
            found = self.game.measure(self.args.config, NeuralBot(self.net), name, deals)
            point |= {name: found.mean, f"{name} ±": found.half}
            said.append(f"against {name} {signed(found)}")
        self.curve.append(point)
        write_atomically(self.args.folder / CURVE, json.dumps(self.curve, indent=1).encode())
        self._picture()
        spent = f"{self.seconds:.0f} s, {self.processor_seconds:.0f} of processors"
        line = f"{self.decisions / 1e6:.2f} M decisions, {spent}: {', '.join(said)} (99 %)"
        console.print(line, soft_wrap=True, highlight=False)

    def _picture(self) -> None:
        x = [point["decisions"] / 1e6 for point in self.curve]
        with plots.plot(6, 4) as figure:
            axes = figure.subplots()
            lines = []
            for name, color in colors_of(self.game.against).items():
                values = [
                    plots.Span(point[name], point[name] - point[f"{name} ±"], point[name] + point[f"{name} ±"]) for point in self.curve
                ]
                lines.append(plots.Line(f"against {name}", x, values, color))
            plots.draw_lines(axes, lines)
            plots.mark_zero(axes, across=True)
            axes.set(
                title=f"{self.net.spec.title}: payoff", xlabel="decisions (millions)", ylabel="mean (99 % intervals)", ylim=(-1.05, 1.05)
            )
            axes.legend()
            write_atomically(self.args.folder / PICTURE, plots.png(figure))

    def save(self) -> None:
        """Write the checkpoint. Raises OSError."""
        about = {
            "args": self.args.plain(), "rules": self.net.spec.rules(), "seconds": self.seconds,
            "processor_seconds": self.processor_seconds, "decisions": self.decisions, "curve": self.curve, "versions": resuming.versions(),
        }  # fmt: skip
        self.net.save(self.args.folder / CHECKPOINT, self.learner.tensors(), about)
        self.saved = self.decisions

    def _kept(self) -> dict[str, Tensor]:
        """Be where the run in the folder was; returns what Adam keeps. Raises NetError for one with other options."""
        self.net, tensors, about = load_net(self.game.net, self.args.folder)
        kept, mine = about["args"], json.loads(json.dumps(self.args.plain()))
        if other := [name for name in kept if name not in _FREE and kept[name] != mine.get(name)]:
            raise NetError(f"the run in {self.args.folder} has another {other[0]}: {kept[other[0]]!r}; resume it with that")
        self.seconds, self.processor_seconds = float(about["seconds"]), float(about["processor_seconds"])
        self.decisions, self.curve = int(about["decisions"]), list(about["curve"])
        self.saved = self.decisions
        return tensors


def train(game: Learnable, args: SelfPlayArgs, console: Console | None = None) -> SelfPlay:
    """Train until the time is used up, and write network, curve and picture.

    A fresh run in the default folder gets the next free one where that is taken. Raises ValueError before anything is done, where the
    folder holds another run or is in use, and TrainingError, saying what is kept, where training cannot go on.
    """
    console = console or Terminal(stderr=True)
    with resuming.run_folder(args.folder, Path("runs") / game.net.spec.name, resume=args.resume) as folder:
        run = SelfPlay(game, replace(args, folder=folder))
        with resuming.report_interruption(run, console):
            _go_on(run, console)
        console.print(f"network, curve and picture are in {folder}", soft_wrap=True, highlight=False)
    return run


@one_torch_thread()
def _go_on(run: SelfPlay, console: Console) -> None:
    args, told = run.args, run.seconds
    with training_bar(console) as bar:
        task = bar.add_task("", total=1.0, note="")
        while run.share_done() < 1:
            entropy = run.step()
            bar.update(task, completed=run.share_done(), note=f"{run.decisions / 1e6:.1f} M decisions, entropy {entropy:.2f}")
            if run.seconds - told >= args.report_every and run.share_done() < 1:
                told = run.seconds
                run.report(args.report_deals, console)
                run.save()
        run.report(args.final_deals, console)
        run.save()
