"""Self-play from nothing that learns who is who: masked PPO with one network in every seat, and credit from a critic that sees all.

    python -m danmaku_env.training.ppo --seconds 600                          # from nothing, 6 players, advanced roles
    python -m danmaku_env.training.ppo --resume --folder runs/ppo --seconds 1200
    danmaku tournament random heuristic neural:runs/ppo,greedy=no             # who plays better

The outcome of a game says little about one action among 300 to 360. Advantages therefore come from a centralized critic that sees all
hands and roles (central_critic.py). It estimates the value of the position for every seat at every decision, and the answer of a seat is
credited with the change of that seat's own value from there on: TD(lambda) along the decisions of the game, not only along the seat's
own. Lambda rises along the run: first the critic is trusted, later what happened. What is answered before the first turn, such as which
character to play, has effects much later: its credit has the longer lambda of the critic's targets. The critic first learns how random play
ends. It is used in training only: the network that is trained sees what its seat may know.

Papers: proximal policy optimisation (Schulman et al. 2017), TD(lambda) advantages (Schulman et al. 2016), central critics (Lowe et al.
2017; Yu et al. 2022), invalid action masking (Huang and Ontanon 2022). Read this file from top to bottom: options, a run, the loop.
rollout_table.py has the games and the credit of their answers.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np
import torch
from rich.console import Console
from torch import Tensor

from danmaku_env import GameConfig
from danmaku_env.agents.neural import NeuralAgent
from danmaku_env.agents.prior_policy import seen
from danmaku_env.agents.role_separation import SeparationSums
from danmaku_env.console import options
from danmaku_env.console.terminal import Terminal, training_bar
from danmaku_env.machine.records import Array
from danmaku_env.nets.checkpoints import CHECKPOINT, CheckpointError, check_tensors, load_checkpoint, load_net, save_checkpoint
from danmaku_env.nets.input_spec import ablated, input_spec_of
from danmaku_env.nets.network import NamedNet, draw_actions, one_torch_thread
from danmaku_env.nets.selfplay_nets import MLPNet, SeatsNet, live_bytes, random_rows, role_blind
from danmaku_env.training import progress_report, resuming
from danmaku_env.training.central_critic import CentralCritic, teach
from danmaku_env.training.league import check_members
from danmaku_env.training.learner import Learner
from danmaku_env.training.parallel import Threads
from danmaku_env.training.progress_report import Curve
from danmaku_env.training.ray_rollout import RolloutWorkers, rollout_workers
from danmaku_env.training.resuming import TrainingError
from danmaku_env.training.role_labels import belief_loss, true_roles
from danmaku_env.training.rollout_table import RolloutTable, configs_of
from danmaku_env.training.tensorboard_log import TensorBoardLog
from danmaku_env.training.training_args import WindowArgs


@dataclass(frozen=True, kw_only=True)
class PPOArgs(WindowArgs):
    """Everything a run depends on. Raises ValueError on numbers that make no sense."""

    folder: Path = Path("runs/ppo")
    players: str = "6"
    """Seats at the table, 4 to 8; several numbers with commas between share the games."""
    characters: str = ""
    """How seats come to their characters: choose, random, draft ...; several with commas between share the games. Empty: as at `table`."""
    table: GameConfig = field(default=GameConfig(), metadata=options.flags("table", "roles", "expansion", "history"))
    """The games that are played, and what of them the network reads."""
    start: str = ""
    """A checkpoint, or the folder of a run, whose net to begin with; its shape holds, but more exchanges are added. Empty: from nothing."""
    net: Literal["seats", "mlp"] = "seats"
    """The network: seats (a token for each seat, relations between them) or mlp (everything in one vector)."""
    width: int = 64
    """Numbers of each seat's token."""
    wide: int = 256
    """Numbers of the summary of everything, or of each layer of the mlp."""
    exchanges: int = 1
    """Exchanges of messages between the seats; a net to start from that has fewer gets this number."""
    role_blind: bool = False
    """Cut all roles out of what the network reads, one's own too: an ablation."""
    cut: Literal["nothing", "own_role", "memory"] = "nothing"
    """What else reads 0 to the network: its own role, or all that it has seen before and lies open no more: ablations."""
    critic: Literal["central", "flat", "roleless", "own"] = "central"
    """Where values come from: a critic that sees everything; one that does not sum up the seats by role; one that sees no roles; or the
    network's own value, along each seat's own decisions, as in single-agent PPO. The last three are ablations."""
    critic_width: int = 64
    """Numbers of each seat's token in the critic."""
    critic_learning_rate: float = 5e-4
    """Initial step size of the critic's Adam; it falls as that of the network."""
    critic_every: int = 3
    """The critic learns from one decision in this many, drawn at random; 1 = all."""
    teach: int = 12_000_000
    """Decisions of warm-up games (see `teach_by`) from whose outcomes the critic learns before the first update; 0 = none."""
    teach_by: Literal["random", "net"] = "random"
    """Who plays the warm-up games: random play, or the net to start from, which takes a hundred times as long."""
    opponents: str = "self"
    """The other players, separated by commas: names of agents, `past` (the net as it was), `self` (nobody else in that share of games)."""
    own_seats: int = 0
    """Seats of the net in a game with others, drawn at random; 0 = half of them."""
    remember_every: int = 40
    """Windows between past selves that join the league."""
    learn_from: float = 1.0
    """Share of a window's decisions that the network learns from. Those with a larger expected gradient are drawn more often and weigh
    less, so the gradient of the policy stays unbiased; beliefs learn from them as they come. 1 = all."""
    learning_rate: float = 1e-3
    """Initial step size of Adam; it falls linearly over the budget to a twentieth."""
    gae_lambda: float = 0.9
    """Lambda of the advantages, per decision, which a run approaches: 1 = Monte Carlo returns, 0 = the critic's next value."""
    first_lambda: float = 0.5
    """Lambda at the beginning. It moves towards `gae_lambda` as the step size falls, linearly over the budget, and ends a twentieth of the
    way before it: at 0.88 by default. A run with `start` has `gae_lambda` throughout."""
    value_lambda: float = 0.98
    """As gae_lambda, for the values that the critic learns."""
    clip: float = 0.2
    """How far the probability of an action may move in one update, as a ratio."""
    entropy: float = 0.005
    """Weight of the entropy bonus."""
    exploration: float = 0.02
    """Weight of KL(uniform || policy) over the legal answers at the beginning; it falls with the step size. It keeps every answer possible:
    its gradient does not vanish with the probability of an answer, as that of the entropy bonus does."""
    belief_weight: float = 0.1
    """Weight of the log loss of the belief about the roles."""
    max_grad_norm: float = 0.5
    """Longest gradient that is not shortened."""
    threads: int = 2
    """Threads of torch and of the engine. With one, a resumed run is bit for bit the uninterrupted one."""
    device: str = "auto"
    """cpu, cuda, or auto: the GPU if there is one. On a GPU the network is compiled by torch."""
    ray: bool = False
    """Have the games played by workers of Ray, one update behind the learner, which is this process. No run repeats another then."""
    address: str = ""
    """Of a Ray cluster to play on: host:port of its head, or auto on a machine that belongs to it. Empty: this machine alone."""
    workers: int = 0
    """Workers of Ray, which share the games; 0 = one for each core but the learner's."""
    final_deals: int = 300
    """Deals for the line at the end of the run, as report_deals; 0 = no such line."""

    FREE = (*WindowArgs.FREE, "device", "ray", "address", "workers", "final_deals")
    """Options that a resumed run may change. Only the decay of step size and lambda, and the games that Ray plays, depend on them."""
    MOST: ClassVar[Mapping[str, int]] = {
        "width": 1 << 12, "wide": 1 << 12, "exchanges": 8, "critic_width": 1 << 12, "games": 1 << 20, "window": 1 << 16,
        "threads": 1 << 10, "workers": 1 << 14,
    }  # fmt: skip

    def __post_init__(self) -> None:
        super().__post_init__()
        self.configs()
        counted = ("width", "wide", "exchanges", "critic_width", "critic_every", "batch", "threads", "remember_every")
        options.check_counts(self, *counted, most=self.MOST)
        options.check_deals(self, "final_deals")
        options.check_finite(self, "teach")
        options.check_counts(self, "workers", least=0, most=self.MOST)
        weights = ("learning_rate", "critic_learning_rate", "entropy", "exploration", "belief_weight")
        options.check_range(self, 0, options.MOST_WEIGHT, *weights)
        options.check_range(self, 0, 1, "gae_lambda", "first_lambda", "value_lambda")
        options.check_above_0(self, "clip", "max_grad_norm", "learn_from")
        options.check_range(self, 0, 1, "learn_from")
        options.check_one_of(self, "device", ("auto", "cpu", "cuda"))
        for config in self.configs():
            check_members(self.opponents, self.own_seats, config.num_players, resume=self.resume)
        if self.games < len(self.configs()):
            raise ValueError(f"games must be at least {len(self.configs())}, one at each table that is played, not {self.games}")
        if self.cut == "memory" and self.table.history:
            raise ValueError("a network without memory reads no history: leave one of the two out")
        if self.teach_by == "net" and not self.start:
            raise ValueError("teach_by is net, and there is no net to start from: say --start too")
        if self.workers and not self.on_ray:
            raise ValueError("workers are Ray's: say --ray too, or the --address of a cluster")
        if self.device == "cuda" and not torch.cuda.is_available():
            raise ValueError("device is cuda, but torch finds no GPU here")

    def configs(self) -> list[GameConfig]:
        """The games that are played: each number of players with each way to characters. Raises ValueError on an invalid one."""
        return configs_of(self.table, str(self.players), self.characters)

    @property
    def on_ray(self) -> bool:
        """Whether workers of Ray play."""
        return self.ray or bool(self.address)


_SCORE_FLOOR = 0.25
"""Added to the score of every decision, in shares of the mean score: it bounds the importance weights."""
_COUNTED_EVERY = 4
"""Decisions between two that role separation counts: a quarter of them tells as much."""
_LAST_SHARE = 0.05
"""Of the step size, at the end of the budget."""
_FIGURES = ("loss/policy", "loss/belief", "policy/entropy", "policy/kl", "loss/own value")
"""What a gradient step tells."""


class PPORun:
    """A run of training: everything that its next window depends on."""

    saved: int | None = None
    """The window of the last checkpoint."""
    workers: RolloutWorkers | None = None
    """Whoever plays, instead of this process."""
    pace = 1.0
    """Share of the first step size, of the first weight of exploration, and of how far lambda is from its last value."""
    begins_anew = False
    """Whether it was resumed with fresh games."""

    def __init__(self, args: PPOArgs, net: NamedNet | None = None) -> None:
        """A fresh run, from nothing or with a net to begin with."""
        self.args = args
        self.device = torch.device("cuda" if args.device != "cpu" and torch.cuda.is_available() else "cpu")
        self.threads = Threads(args.threads if self.device.type == "cpu" else 1, "training")
        self.rng = torch.Generator().manual_seed(args.seed)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(args.seed)
            self.net = (net or new_net(args)).to(self.device)
            self.critic = new_critic(args).to(self.device) if args.critic != "own" else None
        self.ask = torch.compile(self.net, dynamic=True) if self.device.type == "cuda" else self.net
        self.learner = Learner(self.net, "", args.learning_rate, self.threads, max_grad_norm=args.max_grad_norm, eps=1e-5)
        self.critic_learner = Learner(self.critic, "critic.", args.critic_learning_rate, self.threads) if self.critic else None
        games = len(args.configs()) if args.on_ray else args.games  # the workers have the others
        sizes = zip(args.configs(), np.diff(np.linspace(0, games, len(args.configs()) + 1).astype(int)), strict=True)
        self.tables = [
            RolloutTable(args, config, int(games), self.net, self.critic, self.rng, number) for number, (config, games) in enumerate(sizes)
        ]
        self.windows, self.seconds, self.games_ended, self.decisions = 0, 0.0, 0, 0
        self.curve = Curve()

    def teach(self, console: Console | None = None) -> None:
        """Teach the critic, before the first window."""
        if self.critic and self.args.teach:
            started = time.perf_counter()
            player = NeuralAgent.of(self.net, self.args.seed, greedy=False) if self.args.teach_by == "net" else None
            explained = teach(self.critic, self.args.configs(), self.args.teach, self.args.seed, self.rng, self.threads, player=player)
            if console:
                spent = time.perf_counter() - started
                games = "in games of the net" if player else "at random play"
                console.print(f"the critic explains {explained:.0%} of who wins {games}, learned in {spent:.0f} s")

    def step(self, done: float) -> dict[str, float]:
        """Play the next window and learn from it, when this share of the budget is used up; figures for the log."""
        self.pace = max(_LAST_SHARE, 1 - done)
        for learner in self._learners():
            learner.scale_rate(self.pace)
        return {**self.play(), **self.learn()}

    def play(self) -> dict[str, float]:
        """Play the next window at every table, or take what workers have played."""
        if self.curve.points and self.curve.points[-1]["decisions"] == self.decisions:  # role separation is told from line to line
            for table in self.tables:
                table.separation = table.separation.fresh()
        ended = self.workers.play(self) if self.workers else sum(self._play(table) for table in self.tables)
        self.games_ended += ended
        self.decisions += sum(table.window * table.games for table in self.tables)
        figures = {"games/ended": float(ended), **(self.workers.figures() if self.workers else {})}
        for table in self.tables:
            figures |= table.league.figures()
        return figures

    def _play(self, table: RolloutTable) -> int:
        vec, ended = table.vec, 0
        table.league.reset()
        table.carry()
        for step in range(table.carried, table.steps):
            asked = table.league.asked(vec.seats)
            mine, theirs = np.flatnonzero(~asked), np.flatnonzero(asked)
            table.seats[step], table.own[step], table.opening[step] = vec.seats, ~asked, vec.games["turn_number"] == 0
            if self.critic:
                table.states[step] = torch.from_numpy(self.critic.take(vec.states()))
            draws = torch.rand(len(mine), 1, generator=self.rng, dtype=torch.float64)
            self.threads.map(self._decide, [(table, step, mine[share], draws[share]) for share in self.threads.shares(len(mine))])
            actions = table.actions[step].numpy()
            if len(theirs):
                actions[theirs] = table.league.act(vec, theirs)
            if step % _COUNTED_EVERY == 0:
                table.separation.add(vec.games, vec.seats, vec.action_masks, actions, mine)
            vec.step(actions)
            table.dones[step], table.rewards[step] = vec.dones, vec.rewards[:, : table.config.num_players]
            if vec.dones.any():
                vec.check()
                over = np.flatnonzero(vec.dones)
                table.league.add_results(over, vec.rewards[over])
                table.league.sit(over)
                ended += len(over)
        if self.critic:
            table.states[table.steps] = torch.from_numpy(self.critic.take(vec.states()))
        return ended

    @torch.inference_mode()
    def _decide(self, table: RolloutTable, step: int, games: Array, draws: Tensor) -> None:
        """Answer in some games [k] at a step of the window; `draws` [k, 1] are from [0, 1)."""
        vec = table.vec
        inputs = torch.from_numpy(self.net.inputs(seen(self.net, vec, games)))
        masks = torch.from_numpy(vec.action_masks[games])
        logprobs, values, _ = self.ask(inputs.to(self.device), masks.to(self.device))
        if logprobs.isnan().any():
            raise TrainingError("the network has become NaN")
        actions = draw_actions(logprobs, draws)
        table.inputs[step, games], table.masks[step, games] = inputs, masks
        table.roles[step, games] = torch.from_numpy(true_roles(self.net, vec.games, vec.seats, games))
        table.actions[step, games] = actions.cpu()
        table.logprobs[step, games] = logprobs.gather(1, actions[:, None]).squeeze(1).cpu()
        table.values[step, games] = values.cpu()

    def learn(self) -> dict[str, float]:
        """Update critic and network with the window. Returns the mean losses by name. Raises TrainingError when a network becomes NaN."""
        self.windows += 1
        if not self.workers:
            self.credit()
        rows = [torch.from_numpy(np.flatnonzero(table.own)) for table in self.tables]
        every = torch.cat([table.flat("advantages")[some] for table, some in zip(self.tables, rows, strict=True)])
        mean, spread = every.mean(), every.std() + 1e-8
        for table in self.tables:
            table.advantages = (table.advantages - mean) / spread
        rows = [self._drawn(table, some) for table, some in zip(self.tables, rows, strict=True)]
        for table in self.tables:
            table.put_on(self.device)
        figures = {"credit/spread": float(spread)}
        if self.critic:
            figures["loss/critic"] = self._teach_critic()
        steps = []
        for _ in range(self.args.epochs):
            for table, batch in self._batches(rows, self.args.batch):
                steps.append(self.learner.step(batch, functools.partial(self._gradients, table)))
        if not (self.learner.is_finite() and (self.critic_learner is None or self.critic_learner.is_finite())):
            raise TrainingError("the network has become NaN")
        for table in self.tables:
            if table.league.keeps_past and self.windows % self.args.remember_every == 0:
                table.league.remember(self.net)
        means = torch.stack(steps).mean(0).tolist() if steps else [0.0] * len(_FIGURES)
        return {**figures, **dict(zip(_FIGURES, means, strict=True))}

    def credit(self) -> None:
        """Work out the credit of all answers of the window; those whose credit is not known yet are learned from in a later one."""
        first = self.args.gae_lambda if self.args.start else self.args.first_lambda
        gae_lambda = self.args.gae_lambda + self.pace * (first - self.args.gae_lambda)
        for table in self.tables:
            if self.critic:
                steps = [(table, share) for share in self.threads.shares(table.steps + 1)]
                values = np.concatenate(self.threads.map(self._value_estimates, steps))
                credit = table.credit_by_game(values, gae_lambda, self.args.value_lambda)
            else:
                credit, _ = table.credit_by_seat(gae_lambda)
            table.advantages = torch.from_numpy(np.ascontiguousarray(credit, np.float32))

    def _drawn(self, table: RolloutTable, rows: Tensor) -> Tensor:
        """Draw the rows to learn from. Their score is |advantage| (1 - probability of the answer); `weights` are the importance weights."""
        share, table.weights = self.args.learn_from, torch.ones(table.steps * table.games)
        if share >= 1 or not len(rows):
            return rows
        score = table.flat("advantages")[rows].abs() * (1 - table.flat("logprobs")[rows].exp())
        score = score + _SCORE_FLOOR * score.mean() + 1e-8
        drawn = (score * (share / score.mean())).clamp(max=1)
        drawn = (drawn * (share / drawn.mean())).clamp(max=1)  # what those above 1 have left is given to the others
        table.weights[rows] = 1 / drawn
        return rows[torch.rand(len(rows), generator=self.rng) < drawn]

    @torch.inference_mode()
    def _value_estimates(self, table: RolloutTable, steps: slice) -> Array:
        """[steps, B, P] what the critic says of the positions of some steps."""
        assert self.critic
        said = [self.critic(states, table.config.num_players) for states in table.states[steps].to(self.device)]
        values: Array = torch.stack(said).cpu().numpy()
        if not np.isfinite(values).all():
            raise TrainingError("the critic has become NaN")
        return values

    def _batches(self, rows: Sequence[Tensor], size: int) -> Iterator[tuple[RolloutTable, Tensor]]:
        """The rows of each table in batches, all in random order; a batch is of one table."""
        found = []
        for table, some in zip(self.tables, rows, strict=True):
            order = some[torch.randperm(len(some), generator=self.rng)]
            found += [(table, order[low : low + size].to(self.device)) for low in range(0, len(order), size)]
        for place in torch.randperm(len(found), generator=self.rng).tolist() if len(self.tables) > 1 else range(len(found)):
            yield found[place]

    def _teach_critic(self) -> float:
        """Let the critic learn from a part of the decisions; returns its mean loss."""
        assert self.critic_learner
        rows = []
        for table in self.tables:
            order = torch.randperm(table.steps * table.games, generator=self.rng)
            rows.append(order[: max(1, len(order) // self.args.critic_every)])
        batches = self._batches(rows, self.args.batch)
        losses = [self.critic_learner.step(batch, functools.partial(self._critic_gradients, table)) for table, batch in batches]
        return float(torch.stack(losses).mean())

    def _critic_gradients(self, table: RolloutTable, rows: Tensor, weight: float) -> tuple[tuple[Tensor, ...], Tensor]:
        assert self.critic
        assert self.critic_learner
        said = self.critic(table.rows["states"].index_select(0, rows), table.config.num_players)
        loss = (said - table.rows["returns"].index_select(0, rows)).square().mean() * weight
        return self.critic_learner.gradients(loss), loss.detach()

    def _gradients(self, table: RolloutTable, rows: Tensor, weight: float) -> tuple[tuple[Tensor, ...], Tensor]:
        """Gradients of the loss on some rows, times `weight`, and figures."""
        args, seen = self.args, {name: tensor[rows] for name, tensor in table.rows.items() if name != "states"}
        logprobs, values, said = self.ask(seen["inputs"], seen["masks"])
        moved = logprobs.gather(1, seen["actions"][:, None]).squeeze(1) - seen["logprobs"]
        ratio, credit, weights, share = moved.exp(), seen["advantages"], seen["weights"], args.learn_from
        policy_loss = -(torch.min(ratio * credit, ratio.clamp(1 - args.clip, 1 + args.clip) * credit) * weights).mean() * share
        belief = belief_loss(said, seen["roles"])
        illegal = seen["masks"] == 0
        finite = logprobs.masked_fill(illegal, 0)  # 0 times -inf is no number
        entropy = -((logprobs.exp() * finite).sum(1) * weights).mean() * share
        uniform = -(finite.sum(1) / (~illegal).sum(1) * weights).mean() * share
        own = (values - seen["returns"][:, 0]).square().mean() if not self.critic else values.new_zeros(())
        loss = policy_loss + args.belief_weight * belief - args.entropy * entropy + self.pace * args.exploration * uniform + 0.5 * own
        figures = torch.stack((policy_loss, belief, entropy, (ratio - 1 - moved).mean(), own))
        return self.learner.gradients(loss * weight), figures.detach() * weight

    share_done = resuming.share_done

    def report(self, deals: int, console: Console) -> dict[str, float]:
        """Measure the net on fixed deals, add a point to the curve, write it, and say a line; without deals nothing is done."""
        if not deals:
            return {}
        agent = NeuralAgent.of(self.net, greedy=False)
        point = progress_report.measure(agent, self.args.configs(), self.args.seed, deals)
        point |= progress_report.separated(table.separation.result() for table in self.tables)
        self.curve.tell(self.args.folder, console, {"decisions": self.decisions, "seconds": self.seconds, **point})
        return point

    # ---- checkpoints

    def tensors(self, *, games: bool = True) -> dict[str, Tensor]:
        """Everything that the next window depends on, besides the net, with the games or without."""
        tensors = {"dice": self.rng.get_state()}
        tensors |= {f"critic.{name}": tensor for name, tensor in self.critic.state_dict().items()} if self.critic else {}
        for learner in self._learners():
            tensors |= learner.tensors()
        for number, table in enumerate(self.tables):
            tensors |= {f"games.{number}": torch.from_numpy(table.vec.spec.as_bytes(table.vec.games))} if games else {}
            tensors |= {f"table.{number}.{name}": tensor for name, tensor in table.league.tensors(games=games).items()}
            tensors |= {f"named.{number}.{name}": torch.from_numpy(sums) for name, sums in table.separation.kept().items()}
            tensors |= {f"waiting.{number}.{name}": tensor for name, tensor in table.waiting_tensors().items()} if games else {}
        return tensors

    def _learners(self) -> list[Learner]:
        return [self.learner, self.critic_learner] if self.critic_learner else [self.learner]

    def save(self) -> None:
        """Write the checkpoint. Raises OSError."""
        about = {
            "args": options.plain(self.args),
            "trainer": "ppo", "records": resuming.record_layout(), "windows": self.windows, "seconds": self.seconds,
            "games_ended": self.games_ended, "decisions": self.decisions, "curve": self.curve.points, "versions": resuming.versions(),
            "command": options.command_of("ppo", self.args, always=("seed", "seconds")),
        }  # fmt: skip
        save_checkpoint(self.args.folder / CHECKPOINT, self.net, self.tensors(games=not self.args.on_ray), about)
        self.saved = self.windows

    @classmethod
    def load(cls, args: PPOArgs) -> PPORun:
        """The run of the folder's checkpoint, with the budgets given. Raises CheckpointError, or ResumeError for other options."""
        path = args.folder / CHECKPOINT
        net, tensors, about = load_checkpoint(path)
        resuming.check_rules(path, about)
        if about.get("trainer") != "ppo" or about.get("records") != resuming.record_layout():
            raise CheckpointError(
                f"{path} is of another trainer or version of danmaku-env; the net can be used (--start), but the run not resumed"
            )
        games = sum(len(tensor) for name, tensor in tensors.items() if name.startswith("games."))
        with resuming.whole_run(path):
            kept = resuming.kept_options(PPOArgs, about["args"], games or None)
            run = cls(args.resumed(kept), net)
            run.begins_anew = run.args.on_ray or kept["ray"] or kept["address"] != ""
            run._restore(tensors, about)
            check_tensors(path, run.tensors(games=not run.begins_anew), tensors)
        return run

    def _restore(self, tensors: dict[str, Tensor], about: dict[str, Any]) -> None:
        """Be where the run was that these are of; the net is that run's already."""
        if self.critic:
            self.critic.load_state_dict({name: tensors[f"critic.{name}"] for name in self.critic.state_dict()})
        self.windows, self.games_ended = resuming.whole(about, "windows"), resuming.whole(about, "games_ended")
        self.decisions = resuming.whole(about, "decisions")
        self.seconds, self.curve = resuming.spent(about), Curve.read(about["curve"])
        self.saved = self.windows
        for learner in self._learners() if self.windows else ():
            learner.restore(tensors)
        self.rng.set_state(tensors["dice"])
        for number, table in enumerate(self.tables):
            if not self.begins_anew:
                table.vec.restore(resuming.records_from(tensors[f"games.{number}"].numpy()))
                table.restore(_of(tensors, f"waiting.{number}."))
            table.league.restore(self.net, _of(tensors, f"table.{number}."), games=not self.begins_anew)
            named = {name: tensor.numpy() for name, tensor in _of(tensors, f"named.{number}.").items()}
            table.separation.take(SeparationSums.of(named))


def _of(tensors: Mapping[str, Tensor], first: str) -> dict[str, Tensor]:
    """Those whose names begin so, by the rest of the name."""
    return {name[len(first) :]: tensor for name, tensor in tensors.items() if name.startswith(first)}


def new_net(args: PPOArgs) -> NamedNet:
    """The untrained network that the options ask for."""
    input_spec = input_spec_of(args.configs()[0])
    input_spec = ablated(role_blind(input_spec) if args.role_blind else input_spec, args.cut)
    if args.net == "seats":
        return SeatsNet(args.width, args.wide, args.exchanges, args.table.history, input_spec=input_spec)
    live = live_bytes(input_spec, random_rows(args.configs(), args.seed), args.table.history)
    return MLPNet(live, (args.wide, args.wide), args.table.history, input_spec=input_spec)


def new_critic(args: PPOArgs) -> CentralCritic:
    """The untrained critic that the options ask for."""
    return CentralCritic(args.configs()[0], args.critic_width, roles=args.critic != "roleless", by_role=args.critic != "flat")


def begin(args: PPOArgs, console: Console) -> PPORun:
    """A fresh run, or the one to resume. Raises ValueError or CheckpointError."""
    if args.resume:
        run = PPORun.load(args)
        if run.begins_anew:
            console.print("the games begin anew: those that workers of Ray play are in no checkpoint", soft_wrap=True)
        return run
    net = resuming.tell_of_rules(args.start, load_net(args.start, NamedNet), args.table) if args.start else None
    if isinstance(net, SeatsNet) and net.exchanges < args.exchanges:
        net = net.deeper(args.exchanges)
    return PPORun(replace(args, table=replace(args.table, history=net.history)) if net else args, net)


def train(args: PPOArgs, console: Console | None = None) -> PPORun:
    """Train until a budget is used up, and write the checkpoint. Raises ValueError or CheckpointError before anything is done.

    Raises TrainingError, with the last checkpoint in place, when the network becomes NaN, an opponent fails or the disk is full.
    """
    with resuming.run_folder(args.folder, PPOArgs.folder, resume=args.resume) as folder:
        return train_alone(replace(args, folder=folder), console)


@one_torch_thread()
def train_alone(args: PPOArgs, console: Console | None = None) -> PPORun:
    """What `train` does, for a caller that has the folder of `args` to itself (resuming.run_folder)."""
    console = console or Terminal(stderr=True)
    started = time.perf_counter()
    run = begin(args, console)
    with rollout_workers(run.args, PPORun) as run.workers:
        if not args.resume:
            run.teach(console)
            run.seconds = time.perf_counter() - started
        use_up(run, console, run.args.final_deals)
    return run


def use_up(run: Any, console: Console, final_deals: int) -> None:
    """Train until a budget is used up: a `PPORun`, or a run of another trainer that has the same methods."""
    args = run.args
    bar = training_bar(console)
    with (
        resuming.report_interruption(run, console),
        bar,
        TensorBoardLog(args.folder, since=run.decisions + 1 if args.resume else None) as log,
    ):
        task = bar.add_task("", total=1.0, note="")
        if run.saved is None:
            run.save()
        told = run.seconds
        while (share := run.share_done()) < 1:
            bar.update(task, completed=share)
            before, decided = time.perf_counter(), run.decisions
            figures = run.step(share)
            run.seconds += (spent := time.perf_counter() - before)
            speed = (run.decisions - decided) / spent
            bar.update(task, note=f"{run.decisions / 1e6:.1f} M decisions, {speed:,.0f}/s")
            if args.report_every and run.seconds - told >= args.report_every and run.share_done() < 1:
                told = run.seconds
                figures |= run.report(args.report_deals, console)
            log.add({**figures, "speed/decisions_per_second": speed}, run.decisions)
            if run.windows % args.checkpoint_every == 0:
                run.save()
        bar.update(task, completed=1.0)
        if figures := run.report(final_deals, console):
            log.add(figures, run.decisions)
        run.save()
        run.curve.picture(args.folder)


def main(argv: Sequence[str] | None = None, name: str | None = None) -> None:
    """Run from the command line, called `name` in its help. Raises SystemExit with the exit status unless all went well."""
    options.run(PPOArgs, train, argv, "Train one network for all seats by self-play from nothing (PPO, central critic).", name)


if __name__ == "__main__":
    main()
