"""Self-play from nothing: masked PPO with one network in every seat.

    danmaku shisoroku train --seconds 1800 --folder runs/shisoroku
    danmaku shisoroku tournament neural:runs/shisoroku money

The payoff at the end is the only reward. Advantages are TD(lambda) along each seat's own decisions (Schulman et al. 2016), the update is
PPO's clipped one (Schulman et al. 2017) with illegal actions masked (Huang and Ontanon 2022). Every report measures the network against
`money` and random play on the same deals from both seats.
"""

from __future__ import annotations

import json
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from rich.console import Console

from danmaku_env.console.terminal import Terminal, training_bar
from danmaku_env.envs.vector import make_vec
from danmaku_env.files import write_atomically
from danmaku_env.sister.shisoroku import bots, tournament
from danmaku_env.sister.shisoroku.config import ShisorokuConfig
from danmaku_env.sister.shisoroku.engine.observation import OBSERVATION_SIZE
from danmaku_env.sister.shisoroku.spec import rules_fingerprint
from danmaku_env.sister.shisoroku.training.net import NET_FILE, NetError, NeuralBot, TokenNet, load_net, save_net

Array = npt.NDArray[Any]
_LAST_SHARE = 0.1
"""Of the step size and the entropy bonus, at the end."""
_FREE = ("folder", "seconds", "report_every", "report_deals", "final_deals", "threads", "resume")
"""Options that may differ when a run is resumed."""


@dataclass(frozen=True, kw_only=True)
class SelfPlayArgs:
    """Everything a run depends on."""

    folder: Path
    """Where network, log and curve go."""
    config: ShisorokuConfig = field(default_factory=ShisorokuConfig)
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
    """Trust in what happened (1) against the next value (0)."""
    clip: float = 0.2
    """How far the probability of an action may move in one update, as a ratio."""
    entropy: float = 0.02
    """Weight of the entropy bonus at the beginning; it falls to a tenth."""
    threads: int = 2
    """Threads of torch."""
    report_every: float = 120.0
    """Seconds of training between reports."""
    report_deals: int = 250
    """Deals of a report against each opponent, each played from both seats."""
    final_deals: int = 2000
    """The same at the end."""


class SelfPlay:
    """A run."""

    def __init__(self, args: SelfPlayArgs) -> None:
        """A fresh run, or the one in the folder. Raises NetError."""
        self.args = args
        torch.manual_seed(args.seed)
        self.net = TokenNet()
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=args.learning_rate, eps=1e-5)
        self.seconds, self.decisions, self.curve = 0.0, 0, list[dict[str, float]]()
        if args.resume:
            self._restore()
        self.vec = make_vec(args.games, args.config)
        self.vec.reset(args.seed + self.decisions)
        shape = args.window, args.games
        self.rows: Array = np.zeros((*shape, OBSERVATION_SIZE), np.uint8)
        self.masks: Array = np.zeros((*shape, self.vec.spec.num_actions), np.uint8)
        self.seats, self.actions = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
        self.logprobs, self.values = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
        self.dones, self.paid = np.zeros(shape, np.bool_), np.zeros((*shape, args.config.num_players), np.float32)

    def share_done(self) -> float:
        """How much of the time is used up."""
        return min(1.0, self.seconds / self.args.seconds)

    @torch.inference_mode()
    def play(self) -> None:
        """Play a window."""
        vec, every = self.vec, np.arange(self.args.games)
        for step in range(self.args.window):
            self.rows[step], self.masks[step], self.seats[step] = vec.observations[:, :OBSERVATION_SIZE], vec.action_masks, vec.seats
            logprobs, values = self.net(torch.from_numpy(self.rows[step]), torch.from_numpy(self.masks[step]))
            chosen = torch.multinomial(logprobs.exp(), 1).squeeze(1).numpy()
            self.actions[step], self.values[step] = chosen, values.numpy()
            self.logprobs[step] = logprobs.numpy()[every, chosen]
            vec.step(chosen)
            self.dones[step], self.paid[step] = vec.dones, vec.rewards[:, : self.args.config.num_players]
        self.decisions += self.args.window * self.args.games

    @torch.inference_mode()
    def credit(self) -> tuple[Array, Array]:
        """[window, games] advantages, and what the values should have been."""
        args, every, players = self.args, np.arange(self.args.games), self.args.config.num_players
        after: Array = np.zeros((args.games, players), np.float32)
        mask = torch.ones((args.games, self.vec.spec.num_actions))
        for seat in range(players):
            rows = self.vec.observe(np.full(args.games, seat))[:, :OBSERVATION_SIZE]
            after[:, seat] = self.net(torch.from_numpy(np.ascontiguousarray(rows)), mask)[1].numpy()
        advantages, carried = np.zeros_like(self.values), np.zeros_like(after)
        for step in reversed(range(args.window)):
            over = self.dones[step]
            after[over], carried[over] = self.paid[step][over], 0.0
            seats = self.seats[step]
            found = after[every, seats] - self.values[step] + args.gae_lambda * carried[every, seats]
            advantages[step] = carried[every, seats] = found
            after[every, seats] = self.values[step]
        return advantages, advantages + self.values

    def learn(self) -> float:
        """Learn from the window; returns the mean entropy."""
        args, share = self.args, max(_LAST_SHARE, 1 - self.share_done())
        advantages, returns = self.credit()
        parts = {"rows": self.rows, "masks": self.masks, "actions": self.actions, "logprobs": self.logprobs, "returns": returns}
        data = {name: torch.from_numpy(part.reshape(-1, *part.shape[2:])) for name, part in parts.items()}
        credit = torch.from_numpy(((advantages - advantages.mean()) / (advantages.std() + 1e-8)).reshape(-1))
        several = torch.from_numpy(np.flatnonzero(self.masks.sum(2).reshape(-1) > 1))
        self.optimizer.param_groups[0]["lr"] = args.learning_rate * share
        entropies = []
        for _ in range(args.epochs):
            order = several[torch.randperm(len(several))]
            for rows in (order[low : low + args.batch] for low in range(0, len(order), args.batch)):
                logprobs, values = self.net(data["rows"][rows], data["masks"][rows])
                ratio = (logprobs.gather(1, data["actions"][rows][:, None]).squeeze(1) - data["logprobs"][rows]).exp()
                gain = torch.min(ratio * credit[rows], ratio.clamp(1 - args.clip, 1 + args.clip) * credit[rows]).mean()
                entropy = -(logprobs.exp() * logprobs.clamp(min=-1e9)).sum(1).mean()
                loss = -gain + 0.5 * (values - data["returns"][rows]).square().mean() - args.entropy * share * entropy
                self.optimizer.zero_grad(set_to_none=True)
                loss.backward()
                torch.nn.utils.clip_grad_norm_(self.net.parameters(), 0.5)
                self.optimizer.step()
                entropies.append(float(entropy.detach()))
        return float(np.mean(entropies))

    def report(self, deals: int, console: Console) -> None:
        """Measure the network against money and random play, and say a line."""
        point = {"decisions": float(self.decisions), "seconds": self.seconds}
        said = []
        for name in ("money", "random"):
            found = tournament.estimate(tournament.duel(self.args.config, NeuralBot(self.net), bots.make(name), deals, 1 << 40))
            point |= {name: found.mean, f"{name} ±": found.half}
            said.append(f"against {name} {found}")
        self.curve.append(point)
        write_atomically(self.args.folder / "curve.json", json.dumps(self.curve, indent=1).encode())
        console.print(f"{self.decisions / 1e6:.2f} M decisions, {self.seconds:.0f} s: {', '.join(said)} (99 %)", soft_wrap=True)

    # ---- checkpoints

    def save(self) -> None:
        """Write the checkpoint. Raises OSError."""
        options = {**asdict(self.args), "config": self.args.config.to_dict(), "folder": ""}
        about = {"args": options, "rules": rules_fingerprint(), "seconds": self.seconds, "decisions": self.decisions, "curve": self.curve}
        tensors: dict[str, torch.Tensor] = {}
        for number, state in self.optimizer.state_dict()["state"].items():
            tensors |= {f"adam.{number}.{name}": torch.as_tensor(value).contiguous() for name, value in state.items()}
        save_net(self.args.folder / NET_FILE, self.net, tensors, about)

    def _restore(self) -> None:
        """Be where the run in the folder was. Raises NetError for one with other options."""
        self.net, tensors, about = load_net(self.args.folder)
        kept, mine = about["args"], {**asdict(self.args), "config": self.args.config.to_dict()}
        if other := [name for name in kept if name not in _FREE and kept[name] != json.loads(json.dumps(mine.get(name), default=str))]:
            raise NetError(f"the run in {self.args.folder} has another {other[0]}: {kept[other[0]]!r}; resume it with that")
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=self.args.learning_rate, eps=1e-5)
        state: dict[int, dict[str, Any]] = {}
        for name, tensor in tensors.items():
            _, number, what = name.split(".")
            state.setdefault(int(number), {})[what] = tensor
        self.optimizer.load_state_dict({"state": state, "param_groups": self.optimizer.state_dict()["param_groups"]})
        self.seconds, self.decisions, self.curve = float(about["seconds"]), int(about["decisions"]), list(about["curve"])


def train(args: SelfPlayArgs, console: Console | None = None) -> SelfPlay:
    """Train until the time is used up, and write network and curve. Raises NetError before anything is done."""
    if not args.resume and (args.folder / NET_FILE).exists():
        raise NetError(f"there is a run in {args.folder} already; say --resume, or another --folder")
    console = console or Terminal(stderr=True)
    torch.set_num_threads(args.threads)
    args.folder.mkdir(parents=True, exist_ok=True)
    run = SelfPlay(args)
    told = run.seconds
    with training_bar(console) as bar:
        task = bar.add_task("", total=1.0, note="")
        while run.share_done() < 1:
            start = time.perf_counter()
            run.play()
            entropy = run.learn()
            run.seconds += time.perf_counter() - start
            bar.update(task, completed=run.share_done(), note=f"{run.decisions / 1e6:.1f} M decisions, entropy {entropy:.2f}")
            if run.seconds - told >= args.report_every and run.share_done() < 1:
                told = run.seconds
                run.report(args.report_deals, console)
                run.save()
        run.report(args.final_deals, console)
        run.save()
    return run
