"""Masked PPO by self-play: one network in every seat, told its role by what it observes; the team's reward at the end of the game.

Papers: proximal policy optimisation (Schulman et al. 2017), generalised advantage estimation (Schulman et al. 2016), invalid
action masking (Huang and Ontanon 2022). `python -m danmaku_env.training.ppo_selfplay --seconds 180` trains, then shows win rates by
role, and a tournament with random play and the heuristic. `--start` begins with a trained net; with `--opponents` others play in some
seats of the games that are learned from: agents by name, and the net as it was (league.py).

Which decisions belong together, and how payoffs reach them, is in `trajectories.py`; what a position was worth says a critic that sees
all hands and roles (critic.py); the belief about the roles is trained alongside (truth.py).
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
import torch
from rich.console import Console
from torch import Tensor, nn

from danmaku_env import GameConfig, VectorEnv, make_vec
from danmaku_env.agents.advice import Adviser, check_adviser, seen
from danmaku_env.agents.checkpoints import CHECKPOINT, CheckpointError, check_tensors, load_checkpoint, load_net, save_checkpoint
from danmaku_env.agents.nets import MOST_WIDE, Net, draw_actions, one_torch_thread
from danmaku_env.agents.reading import reading_of
from danmaku_env.arena.progress import training_bar
from danmaku_env.arena.roles import group_names
from danmaku_env.arena.terminal import Terminal
from danmaku_env.config import Expansion, RoleSet
from danmaku_env.engine import state as st
from danmaku_env.game import check_seed
from danmaku_env.training import evaluate, options, resuming
from danmaku_env.training.critic import CRITICS, HIGHEST, UNSEEN, Critic, everything
from danmaku_env.training.decisions import Buffer
from danmaku_env.training.event_log import EventLog
from danmaku_env.training.league import League, check_members, own_seats
from danmaku_env.training.reporting import report
from danmaku_env.training.resuming import Progressed, ResumeError, TrainingError
from danmaku_env.training.truth import belief_loss, can_be, true_roles

Array = npt.NDArray[Any]
T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Args:
    """Everything a run depends on. Raises ValueError on numbers that make no sense."""

    folder: Path = Path("runs/ppo")
    """Where checkpoint, log, plot and replay go: no folder of another run. Where the default is taken: runs/ppo-2, runs/ppo-3 ..."""
    resume: bool = False
    """Go on with the run in the folder, exactly where its checkpoint is, with its options; budgets, device and reports are as given."""
    seconds: float = 180.0
    """Stop after so much training time, parts before a resume included; 0 = no limit."""
    decisions: int = 0
    """Stop after so many decisions, rounded up to whole windows; 0 = no limit."""
    seed: int = 1
    """Seed of the network, the games and all draws."""
    players: int = 6
    """Seats at the table, 4 to 8."""
    start: str = ""
    """A checkpoint, or the folder of a run, whose net to begin with; its shape holds. Empty: from scratch."""
    opponents: str = "self"
    """Who else plays, with commas between: names of agents, `past` (the net as it was), `self` (nobody in such a share of the games)."""
    own_seats: int = 0
    """Seats of the net in a game with others; which, is drawn. 0 = half of them."""
    remember_every: int = 20
    """Windows between past selves that join the league."""
    critic: str = "central"
    """What says how good a position was: central (a critic that sees all hands and roles) or own (the net's own value)."""
    basic_roles: bool = False
    """The rulebook's first game, without the roles that have powers."""
    games: int = 256
    """Games side by side."""
    window: int = 128
    """Decisions in each game between two updates."""
    epochs: int = 2
    """Passes over a window's decisions."""
    batch: int = 1024
    """Decisions in a gradient step."""
    learning_rate: float = 1e-3
    """Step size of Adam."""
    gamma: float = 1.0
    """Discount per own decision of a seat."""
    gae_lambda: float = 0.98
    """Trust in what happened (1) against the value estimate (0)."""
    clip: float = 0.2
    """How far the probability of an action may move in one update, as a ratio."""
    entropy: float = 0.01
    """Weight of the entropy bonus."""
    value_weight: float = 0.5
    """Weight of the value loss."""
    max_grad_norm: float = 0.5
    """Longest gradient that is not shortened."""
    belief_weight: float = 0.1
    """Weight of the log loss of the belief about the roles."""
    width: int = 64
    """Numbers of each seat's token in the network."""
    history: int = 0
    """Events of the log that the network reads."""
    adviser: Adviser = "none"
    """The deducer whose thoughts the network reads, and as which it begins to play (agents/advice.py): what its belief goes by; or none."""
    expansion: Expansion = "none"
    """Which boxes the games are of, and the network reads: none, or lunatic_extra for both."""
    threads: int = 2
    """Threads of torch and of the engine. With one, a resumed run is bit for bit the uninterrupted one."""
    device: str = "auto"
    """cpu, cuda, or auto: the GPU where there is one."""
    checkpoint_every: int = 10
    """Windows between checkpoints; one is written at the end too."""
    evaluate_every: int = 10
    """Windows between points of the learning curve; 0 = none."""
    evaluate_games: int = 192
    """Games for each role group at a point of the learning curve."""
    final_games: int = 1024
    """Games for each role group in the tables at the end."""
    tournament_deals: int = 300
    """Deals of the tournament at the end, of random play, the heuristic and the net's likeliest answers; 0 = none."""

    def __post_init__(self) -> None:
        options.check_types(self)
        object.__setattr__(self, "seed", check_seed(self.seed))
        self.config()
        check_adviser(self.adviser)
        options.check_counts(
            self, "games", "window", "epochs", "batch", "width", "threads", "checkpoint_every", "evaluate_games", "final_games",
            "remember_every", most=_MOST,
        )  # fmt: skip
        options.check_finite(self, "seconds", "decisions", "evaluate_every")
        options.check_range(self, 0, options.MOST_WEIGHT, "learning_rate", "entropy", "value_weight", "belief_weight")
        options.check_range(self, 0, 1, "gamma", "gae_lambda")
        options.check_above_0(self, "clip", "max_grad_norm")
        check_members(self.opponents, self.own_seats, self.players)
        options.check_one_of(self, "critic", CRITICS)
        options.check_one_of(self, "device", ("auto", "cpu", "cuda"))
        options.check_deals(self, "tournament_deals")
        if self.tournament_deals and set(str(self.folder)) & set(",="):
            raise ValueError(f"{self.folder} has a comma or an equals sign, so the net could not be named in a tournament: choose another")
        if self.device == "cuda" and not torch.cuda.is_available():
            raise ValueError("device is cuda, but torch finds no GPU here")

    def resumed(self, kept: dict[str, Any]) -> Args:
        """The options of the run whose options were `kept`, with these budgets. Raises ResumeError where these ask for something else."""
        return resuming.resumed(self, kept, _FREE, agents=("opponents",))

    def config(self) -> GameConfig:
        """The games that are played."""
        roles: RoleSet = "basic" if self.basic_roles else "advanced"
        return GameConfig(num_players=self.players, roles=roles, expansion=self.expansion, history=self.history)


_MOST = {"games": 1 << 20, "window": 1 << 16, "width": MOST_WIDE, "threads": 1 << 10}
_FREE = ("folder", "resume", "seconds", "decisions", "device", "checkpoint_every", "final_games", "tournament_deals")
"""Options that may differ when a run is resumed, because no decision depends on them."""


_FIGURES = ("loss/policy", "loss/value", "loss/critic", "loss/belief", "policy/entropy", "policy/kl")
"""What a gradient step tells."""


class Run:
    """A run of training: everything that its next window depends on."""

    saved: int | None = None
    """The window of the last checkpoint."""

    def __init__(self, args: Args, net: Net | None = None) -> None:
        """A fresh run, from scratch or with a net to begin with."""
        self.args = args
        use_gpu = args.device == "cuda" or (args.device == "auto" and torch.cuda.is_available())
        self.device = torch.device("cuda" if use_gpu else "cpu")
        self.pool = ThreadPoolExecutor(args.threads, "training", torch.set_num_threads, (1,))
        self.dice = torch.Generator().manual_seed(args.seed)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(args.seed)
            self.net = (net or Net(args.width, args.history, adviser=args.adviser, reading=reading_of(args.config()))).to(self.device)
            self.critic = Critic(self.net, args.width).to(self.device) if args.critic == "central" else None
        self.parameters = dict(self.net.named_parameters())
        self.parameters |= {f"critic.{name}": one for name, one in self.critic.named_parameters()} if self.critic else {}
        self.adam = torch.optim.Adam(self.parameters.values(), lr=args.learning_rate, eps=1e-5)
        self.adam_keys = {"step": torch.device("cpu"), "exp_avg": self.device, "exp_avg_sq": self.device}
        """What Adam keeps for each parameter, and where."""
        self.vec: VectorEnv = make_vec(args.games, args.config(), threads=args.threads)
        self.vec.reset(args.seed)
        own = own_seats(args.opponents, args.own_seats, args.players)
        self.league = League(args.opponents, args.games, own, args.config(), self.net, self.dice)
        self.buffer = Buffer(args.games, args.window, self.net.taken.width, UNSEEN if self.critic else 0)
        self.windows = 0
        """Windows trained on."""
        self.seconds = 0.0
        """Training time."""
        self.games_ended = 0
        self.curve: list[list[float]] = []
        """Points of the learning curve: decisions, then the win rate of each role group."""

    @property
    def decisions(self) -> int:
        """Decisions played, the opponents' included."""
        return self.windows * self.args.window * self.args.games

    # ---- one window

    def play(self) -> dict[str, float]:
        """Fill the buffer with the next window's decisions."""
        vec, buffer, league = self.vec, self.buffer, self.league
        ended, decided = 0, 0
        league.reset()
        for step in range(buffer.window):
            actions = buffer.actions[buffer.block(step)]
            asked = league.asked(vec.seats)
            mine, theirs = np.flatnonzero(~asked), np.flatnonzero(asked)
            draws = torch.rand(len(mine), 1, generator=self.dice, dtype=torch.float64)
            self._together(self._decide, [(step, mine[share], draws[share]) for share in self._shares(len(mine))])
            buffer.link(step, mine, vec.seats[mine])
            if len(theirs):
                actions.numpy()[theirs] = league.act(vec, theirs)
            vec.step(actions.numpy())
            if vec.dones.any():
                vec.check()
                buffer.pay(vec.rewards, vec.dones)
                over = np.flatnonzero(vec.dones)
                league.pay(over, vec.rewards[over])
                league.sit(over)
                ended += int(vec.dones.sum())
                decided += int(vec.rewards.any(1).sum())
        self.games_ended += ended
        return {"games/ended": ended, "games/decided": decided / max(ended, 1), **league.figures()}

    def _shares(self, size: int) -> list[slice]:
        """Cut so many rows into one share for each thread."""
        bounds = [size * i // self.args.threads for i in range(self.args.threads + 1)]
        return [slice(low, high) for low, high in itertools.pairwise(bounds) if low < high]

    def _together(self, work: Callable[..., T], given: list[tuple[Any, ...]]) -> list[T]:
        """Do the work with each of the arguments, the first here and the others in threads of the pool."""
        others = [self.pool.submit(work, *arguments) for arguments in given[1:]]
        return [*(work(*arguments) for arguments in given[:1]), *(other.result() for other in others)]

    @torch.inference_mode()
    def _decide(self, step: int, games: Array, draws: Tensor) -> None:
        """Answer in some games [k] at a step of the window; `draws` [k, 1] are from [0, 1)."""
        buffer, rows = self.buffer, games + self.buffer.block(step).start
        inputs = torch.from_numpy(self.net.inputs(seen(self.net, self.vec, games)))
        masks = torch.from_numpy(self.vec.action_masks[games])
        logprobs, values, _ = self.net(inputs.to(self.device), masks.to(self.device))
        if not values.isfinite().all() or logprobs.isnan().any():
            raise TrainingError("the network has become NaN")
        actions = draw_actions(logprobs, draws)
        buffer.inputs[rows], buffer.masks[rows] = inputs, masks
        buffer.roles[rows] = torch.from_numpy(true_roles(self.net, self.vec.games[games], self.vec.seats[games]))
        buffer.actions[rows] = actions.cpu()
        buffer.logprobs[rows] = logprobs.gather(1, actions[:, None]).squeeze(1).cpu()
        buffer.values[rows] = values.cpu().numpy()
        if self.critic:
            buffer.seen[rows] = torch.from_numpy(everything(self.vec.games[games], self.vec.seats[games]))

    def appraise(self) -> None:
        """Let the central critic, where there is one, say what the positions of the window were worth."""
        rows = np.flatnonzero(self.buffer.used)
        rows = rows[rows >= self.buffer.carried]
        if self.critic:
            self._together(self._appraise, [(rows[share],) for share in self._shares(len(rows))])

    @torch.inference_mode()
    def _appraise(self, rows: Array) -> None:
        buffer, device = self.buffer, self.device
        assert self.critic
        for low in range(0, len(rows), self.args.batch):
            some = torch.from_numpy(rows[low : low + self.args.batch])
            values = self.critic(buffer.inputs[some].to(device), buffer.seen[some].to(device))
            if not values.isfinite().all():
                raise TrainingError("the network has become NaN")
            buffer.values[some.numpy()] = values.cpu().numpy()

    def learn(self) -> dict[str, float]:
        """Update the network with the buffer's complete decisions, if there are any."""
        args, buffer = self.args, self.buffer
        self.windows += 1
        self.appraise()
        estimates = buffer.advantages(args.gamma, args.gae_lambda)
        rows = buffer.complete()
        if not len(rows):
            buffer.carry()
            return {}
        known = estimates[rows]
        returns = torch.from_numpy(estimates + buffer.values)
        advantages = torch.from_numpy((estimates - known.mean()) / (known.std() + 1e-8))
        figures = []
        for _ in range(args.epochs):
            order = torch.from_numpy(rows)[torch.randperm(len(rows), generator=self.dice)]
            for low in range(0, len(order), args.batch):
                figures.append(self._step(order[low : low + args.batch], advantages, returns))
        if not all(parameter.isfinite().all() for parameter in self.parameters.values()):
            raise TrainingError("the network has become NaN")
        if self.league.keeps_past and self.windows % args.remember_every == 0:
            self.league.remember(self.net)
        means = torch.stack(figures).mean(0).tolist()
        explained = 1 - float(known.var() / (returns[torch.from_numpy(rows)].numpy().var() + 1e-8))
        buffer.carry()
        return {**dict(zip(_FIGURES, means, strict=True)), "value/explained": explained}

    def _step(self, batch: Tensor, advantages: Tensor, returns: Tensor) -> Tensor:
        """One gradient step on the buffer's rows `batch`; returns the losses' parts."""
        shares = [batch[share] for share in self._shares(len(batch))]
        results = self._together(self._gradients, [(rows, len(rows) / len(batch), advantages[rows], returns[rows]) for rows in shares])
        for place, parameter in enumerate(self.parameters.values()):
            parameter.grad = sum((gradients[place] for gradients, _ in results[1:]), start=results[0][0][place])
        nn.utils.clip_grad_norm_(self.parameters.values(), self.args.max_grad_norm)
        self.adam.step()
        return torch.stack([figures for _, figures in results]).sum(0).cpu()

    def _gradients(self, rows: Tensor, weight: float, advantages: Tensor, returns: Tensor) -> tuple[tuple[Tensor, ...], Tensor]:
        """Gradients of the loss on some rows, times `weight`; advantages and returns are given for those rows."""
        args, buffer, device = self.args, self.buffer, self.device
        inputs, returns = buffer.inputs[rows].to(device), returns.to(device)
        logprobs, values, said = self.net(inputs, buffer.masks[rows].to(device))
        moved = logprobs.gather(1, buffer.actions[rows].to(device)[:, None]).squeeze(1) - buffer.logprobs[rows].to(device)
        ratio, advantages = moved.exp(), advantages.to(device)
        policy_loss = -torch.min(ratio * advantages, ratio.clamp(1 - args.clip, 1 + args.clip) * advantages).mean()
        value_loss = (values - returns).square().mean()
        critic_loss = (
            (self.critic(inputs, buffer.seen[rows].to(device)) - returns).square().mean() if self.critic else value_loss.new_zeros(())
        )
        belief = belief_loss(said, buffer.roles[rows].to(device))
        entropy = -(logprobs.exp() * logprobs.clamp(min=-1e9)).sum(1).mean()  # 0 times -inf is no number
        loss = policy_loss + args.value_weight * (value_loss + critic_loss) + args.belief_weight * belief - args.entropy * entropy
        gradients = torch.autograd.grad(loss * weight, list(self.parameters.values()))
        figures = torch.stack((policy_loss, value_loss, critic_loss, belief, entropy, (ratio - 1 - moved).mean()))
        return gradients, figures.detach() * weight

    def evaluate(self) -> dict[str, float]:
        """Add a point to the learning curve: win rates against random play."""
        args = self.args
        seed = evaluate.evaluation_seed(args.seed)
        rates = evaluate.win_rates(self.net, args.config(), games=args.evaluate_games, seed=seed, threads=args.threads)
        self.curve.append([float(self.decisions), *rates.values()])
        return {f"win_rate/{group}": rate for group, rate in rates.items()}

    # ---- checkpoints

    def tensors(self) -> dict[str, Tensor]:
        """Everything that the next window depends on, besides the net."""
        tensors = {"dice": self.dice.get_state(), "games": torch.from_numpy(st.as_bytes(self.vec.games))}
        if self.critic:
            tensors |= {f"critic.{name}": tensor for name, tensor in self.critic.state_dict().items()}
        for name, parameter in self.parameters.items() if self.adam.state else ():
            tensors |= {f"adam.{name}.{key}": self.adam.state[parameter][key] for key in self.adam_keys}
        return tensors | self.league.tensors() | self.buffer.state()

    def save(self) -> None:
        """Write the checkpoint. Raises OSError."""
        about = {
            "args": {name: str(value) if isinstance(value, Path) else value for name, value in asdict(self.args).items()},
            "records": resuming.record_layout(), "windows": self.windows, "seconds": self.seconds, "games_ended": self.games_ended,
            "decisions": self.decisions, "curve": self.curve, "versions": resuming.versions(),
            "command": options.command_of("ppo_selfplay", self.args, always=("seed", "seconds")),
        }  # fmt: skip
        save_checkpoint(self.args.folder / CHECKPOINT, self.net, self.tensors(), about)
        self.saved = self.windows

    @classmethod
    def load(cls, args: Args) -> Run:
        """The run of the folder's checkpoint, with the budgets given. Raises CheckpointError, or ResumeError for other options."""
        path = args.folder / CHECKPOINT
        net, tensors, about = load_checkpoint(path)
        resuming.check_rules(path, about)
        if about.get("records") != resuming.record_layout():
            raise CheckpointError(f"{path} holds games of another version of danmaku-env; the net can be used, but the run not resumed")
        try:
            run = cls(args.resumed(resuming.kept_options(Args, about["args"], len(tensors["games"]))), net)
            run._restore(tensors, Progressed.read(about))
            check_tensors(path, run.tensors(), tensors)
        except (ResumeError, CheckpointError):
            raise
        except KeyError as error:
            raise CheckpointError(f"{path} does not hold a whole run: {error} is missing") from None
        except (TypeError, ValueError, IndexError, RuntimeError, OverflowError, AttributeError) as error:
            raise CheckpointError(f"{path} does not hold a whole run: {error}") from None
        return run

    def _restore(self, tensors: dict[str, Tensor], done: Progressed) -> None:
        """Be where the run was that these are of; the net is that run's already."""
        if self.net.shape != (self.args.width, self.args.history, self.args.adviser):
            raise ValueError("its network is not the one that its options describe")
        if self.critic:
            self.critic.load_state_dict({name: tensors[f"critic.{name}"] for name in self.critic.state_dict()})
        if any(len(point) != 1 + len(group_names(self.args.config())) for point in done.curve):
            raise ValueError("the points of the learning curve are not of the role groups of its games")
        self.windows, self.seconds, self.games_ended, self.curve = done
        self.saved = self.windows
        learned = any(name.startswith("adam.") for name in tensors)  # in small windows there may have been nothing to learn from yet
        for name, parameter in self.parameters.items() if learned else ():
            kept = resuming.adam_kept(tensors, name, parameter)
            self.adam.state[parameter] = {key: kept[key].to(device) for key, device in self.adam_keys.items()}
        self.dice.set_state(tensors["dice"])
        self.vec.restore(resuming.records_from(tensors["games"].numpy()))
        self.league.restore(self.net, tensors)
        self.buffer.restore(tensors, {"inputs": self.net.taken.highest(self.args.players), **({"seen": HIGHEST} if self.critic else {})})
        if not can_be(self.net, self.buffer.roles):
            raise ValueError("decisions are carried over of roles that there are not")


def begin(args: Args) -> Run:
    """A fresh run, or the one to resume. Raises ValueError or CheckpointError."""
    if args.resume:
        return Run.load(args)
    net = resuming.tell_of_rules(args.start, load_net(args.start)) if args.start else None
    if net:
        args = replace(args, width=net.width, history=net.history, adviser=net.adviser)  # type: ignore[arg-type]
    return Run(args, net)


def train(args: Args, console: Console | None = None) -> Run:
    """Train until a budget is used up, and write the checkpoint. Raises ValueError or CheckpointError before anything is done.

    Raises TrainingError, with the last checkpoint in place, when the network becomes NaN, an opponent fails or the disk takes no more.
    """
    with resuming.alone_in(args.folder, Args.folder, resume=args.resume) as folder:
        return train_alone(replace(args, folder=folder), console)


@one_torch_thread()
def train_alone(args: Args, console: Console | None = None) -> Run:
    """What `train` does, for whoever has the folder of `args` for himself (resuming.alone_in)."""
    console = console or Terminal(stderr=True)
    run = begin(args)
    args = run.args
    bar = training_bar(console)
    with resuming.what_is_left(run, console), bar, EventLog(args.folder, since=run.decisions + 1 if args.resume else None) as log:
        task = bar.add_task("", total=1.0, note="")
        if run.saved is None:
            if args.evaluate_every:
                run.evaluate()
            run.save()
        started = time.perf_counter() - run.seconds
        while (share := resuming.share_done(run.seconds, args.seconds, run.decisions, args.decisions)) < 1:
            bar.update(task, completed=share)
            before = time.perf_counter()
            figures = {**run.play(), **run.learn()}
            speed = args.games * args.window / (time.perf_counter() - before)
            if args.evaluate_every and run.windows % args.evaluate_every == 0:
                figures |= run.evaluate()
            run.seconds = time.perf_counter() - started
            log.add({**figures, "speed/decisions_per_second": speed}, run.decisions)
            bar.update(task, note=f"{run.decisions / 1e6:.1f} M decisions, {speed:,.0f}/s")
            if run.windows % args.checkpoint_every == 0:
                run.save()
        bar.update(task, completed=1.0)
        run.save()
    return run


def train_and_report(args: Args) -> None:
    """What the command line does."""
    with resuming.alone_in(args.folder, Args.folder, resume=args.resume) as folder:
        run = train_alone(replace(args, folder=folder))
        with resuming.what_is_left(run, Terminal(stderr=True)):
            report(run.args, run.net, run.curve)


def main(argv: Sequence[str] | None = None, name: str | None = None) -> None:
    """Run from the command line, called `name` in its help. Raises SystemExit with the exit status unless all went well."""
    if status := options.run(Args, train_and_report, argv, "Train one network for all seats by self-play (masked PPO).", name):
        raise SystemExit(status)


if __name__ == "__main__":
    main()
