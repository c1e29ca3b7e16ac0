"""Imitation: learn from a teacher that is asked at many positions, first from its play, then from its search.

    python -m danmaku_env.training.imitation

A round plays games at all table sizes, by the student and by others, and asks the teacher at their questions (`examples.py`; DAgger, Ross
et al. 2011). Then it takes gradient steps on what the teacher said. From a teacher that values answers the student learns their order, from
any other the answer alone. A teacher that tries answers out in the same sampled games (`search`) also says by how much more reward each
did. Such a difference is mostly noise at one position, so differences of log-probabilities are regressed on it: over many similar
positions the mean remains. This is credit without the luck of the deck. With a search that uses the student (`search:net=student`) it is
expert iteration (Anthony et al. 2017). Such examples are learned from several times.

Beliefs are trained on the true roles and values on the outcomes, at a few positions of many more games and only once: otherwise the
roles of those games would be learned by heart. Without a teacher (`--games 0`) a network that can play already learns to deduce from very
many games, while its play is held to the play it began with (`--play-weight`).

The checkpoint has the running mean of the network that is trained.
"""

from __future__ import annotations

import contextlib
import copy
import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import torch
from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress
from torch import Tensor

from danmaku_env import GameConfig
from danmaku_env.agents import registry
from danmaku_env.agents.neural import NeuralAgent
from danmaku_env.arena.fingerprints import versions
from danmaku_env.arena.jobs.ray_tasks import Workers
from danmaku_env.arena.jobs.workers import Team
from danmaku_env.arguments import shown
from danmaku_env.config import RoleSet
from danmaku_env.console import options
from danmaku_env.console.terminal import Terminal, progress_bar
from danmaku_env.nets.checkpoints import (
    CHECKPOINT,
    check_tensors,
    load_checkpoint,
    load_net,
    of_kind,
    peers_of,
    save_checkpoint,
)
from danmaku_env.nets.input_spec import InputSpec, input_spec_of
from danmaku_env.nets.network import MOST_NETS, MOST_WIDE, AnyNet, Net, one_torch_thread, together
from danmaku_env.nets.prior_format import NO_PRIOR_POLICY, PriorPolicy, check_prior_policy
from danmaku_env.training import progress_report, resuming
from danmaku_env.training.imitation.example_files import examples_file, forget_before, read_examples, student_file, write_examples
from danmaku_env.training.imitation.examples import STUDENT, TAUGHT, WATCHED, Examples, ExamplesJob, SentJob, joined, play, play_sent
from danmaku_env.training.imitation.replay_buffer import Batch, ReplayBuffer
from danmaku_env.training.imitation.student import LearningSettings, Student
from danmaku_env.training.parallel import Threads
from danmaku_env.training.progress_report import Curve
from danmaku_env.training.tensorboard_log import TensorBoardLog
from danmaku_env.training.training_args import RunArgs

TABLES: tuple[tuple[int, RoleSet], ...] = (
    (8, "advanced"), (6, "advanced"), (6, "basic"), (4, "advanced"), (6, "advanced"), (6, "basic"), (5, "basic"), (6, "advanced"),
    (6, "basic"), (7, "advanced"),
)  # fmt: skip
"""Players and roles of the games of a round, the same number of games for each."""


@dataclass(frozen=True, kw_only=True)
class ImitationArgs(RunArgs):
    """Everything a run depends on. Raises ValueError on numbers that make no sense."""

    folder: Path = Path("runs/imitate")
    rounds: int = 30
    """Stop after this many rounds."""
    seconds: float = 0.0
    """Stop after the round in which this time is used up, parts before a resume included; 0 = no limit."""
    start: str = ""
    """Checkpoint, or folder of a run, whose network (of several, the first) is the student at the beginning; from nothing when left out."""
    first_teacher: str = "deducer"
    """The teacher of the first rounds: an agent by name."""
    first_rounds: int = 20
    """Rounds with that teacher; a network with a prior policy begins with the later one."""
    teacher: str = "search:simulations=24,net=student"
    """The teacher afterwards; `student` in its name stands for the student's checkpoint."""
    games: int = 40
    """Games with a teacher at each table of a round; 0 = nothing is asked, and only beliefs and values are learned."""
    watched: int = 200
    """Games without one, for beliefs and values."""
    rows: int = 40
    """Games side by side."""
    share: float = 0.5
    """Share of the questions at which the later teacher is asked; the first teacher is asked at all of them."""
    keep: int = 12
    """Rounds with the later teacher that are learned from together, the last ones."""
    epochs: float = 4.0
    """Average number of times each question of the later teacher is used; questions of the first teacher, and of games without one, are
    used once."""
    last: int = 3
    """Passes over the questions kept after the last round, with a step size that falls to nothing. A resumed run goes on without them."""
    nets: int = 1
    """Networks that play together: after the last round this many more, less one, learn what is kept from nothing, in the last passes."""
    batch: int = 256
    """Questions in a gradient step."""
    learning_rate: float = 1e-3
    """Step size of Adam with the first teacher, and of the networks that learn only at the end."""
    later_rate: float = 1e-3
    """And with the later one."""
    tried_weight: float = 0.02
    """Weight of the squared error on tried answers, in logits."""
    value_weight: float = 0.5
    """Weight of the value loss."""
    belief_weight: float = 1.0
    """Weight of the belief's log loss."""
    play_weight: float = 0.0
    """Weight of the divergence from the play of the network begun with, at questions of games only watched; 0 = play may drift there."""
    width: int = 128
    """Numbers of each seat's token in the network."""
    prior_policy: PriorPolicy = "likelihood"
    """What the belief of the deducer goes by that the network reads, and as which it begins to play (agents/prior_policy.py); or none."""
    table: GameConfig = field(default=GameConfig(history=64), metadata=options.flags("expansion", "history"))
    """Which boxes the games are of, and how many events the network reads; counts of players and roles are those of TABLES."""
    threads: int = 2
    """Threads that learn. With any number, a resumed run is bit for bit the uninterrupted one."""
    processes: int = 0
    """Processes that play, or with Ray tasks at a time; 0 = one for each core. With one, nothing is played beside the learning process."""
    ray: bool = False
    """Have the games played as tasks of Ray, here or on a cluster, instead of in processes. The examples are the same."""
    address: str = ""
    """With --ray: a running cluster (host:port, or auto)."""

    FREE = (*RunArgs.FREE, "rounds", "last", "nets", "processes", "ray", "address")
    """Options that a resumed run may change: no example depends on them."""
    AGENTS = ("first_teacher", "teacher")
    MOST: ClassVar[Mapping[str, int]] = {
        "width": MOST_WIDE, "nets": MOST_NETS, "threads": 1 << 10, "processes": 1 << 10, "rows": 1 << 14,
    }  # fmt: skip

    def __post_init__(self) -> None:
        super().__post_init__()
        self.config()
        check_prior_policy(self.prior_policy)
        options.check_counts(self, "rounds", "watched", "rows", "keep", "batch", "width", "nets", "threads", most=self.MOST)
        options.check_counts(self, "games", "first_rounds", "last", "processes", least=0, most=self.MOST)
        self.workers()
        options.check_above_0(self, "share", "epochs")
        options.check_range(self, 0, 1, "share")
        weights = ("learning_rate", "later_rate", "tried_weight", "value_weight", "belief_weight", "play_weight")
        options.check_range(self, 0, options.MOST_WEIGHT, "epochs", *weights)
        if not self.start and (self.play_weight or not self.games):
            raise ValueError("without a teacher (games 0) or with its play kept (play_weight) a network to begin with is needed: start")
        if self.nets > 1 and not self.last:
            raise ValueError(f"all but the first of {self.nets} nets learn in the last passes: last must be at least 1")
        if self.nets > 1 and not self.is_later(self.rounds - 1):
            kept = f"all but the first of {self.nets} nets learn what the later teacher said, who comes after {self.first_rounds} rounds"
            raise ValueError(f"{kept}: rounds must be above {self.first_rounds}, not {self.rounds}")
        for name, spec in (("first_teacher", self.first_teacher), ("teacher", self.teacher)):
            if STUDENT not in spec:
                try:
                    registry.make(spec, 0)
                except registry.AgentError as error:
                    raise ValueError(f"{name}: {error}") from None

    def workers(self) -> Workers:
        """Who plays. Raises UserError."""
        return Workers(self.processes or None, self.ray, self.address)

    def config(self, players: int = 4, roles: RoleSet = "advanced") -> GameConfig:
        """The games at one of the tables. Raises ConfigError."""
        return replace(self.table, num_players=players, roles=roles, history=0)

    def is_later(self, number: int) -> bool:
        """Whether the later teacher is asked in a round."""
        return self.prior_policy != NO_PRIOR_POLICY or number >= self.first_rounds

    @property
    def learning_settings(self) -> LearningSettings:
        """How a network learns."""
        return LearningSettings(self.batch, (1.0, self.tried_weight, self.value_weight, self.belief_weight, self.play_weight))

    def jobs(self, number: int, input_spec: InputSpec) -> list[ExamplesJob]:
        """The games of a round; their student is that of the round before the last, so they are played while the last one is learned."""
        later, before = self.is_later(number), max(0, number - 1)
        student = student_file(self.folder, before) if before or self.start or later else None
        teacher, share = (self.teacher, self.share) if later else (self.first_teacher, 1.0)
        kinds = ((teacher, TAUGHT, self.games, share), ("", WATCHED, self.watched, _WATCHED_SHARE))
        seeds = np.random.SeedSequence([self.seed, number]).generate_state(len(TABLES) * len(kinds)).tolist()
        return [
            ExamplesJob(
                config=self.config(players, roles), teacher=who, lineups=lineups, student=student, width=self.width,
                history=self.table.history, prior_policy=self.prior_policy, input_spec=input_spec, games=games, rows=min(self.rows, games),
                share=part, seed=seeds.pop(),
            )
            for who, lineups, games, part in kinds
            for players, roles in TABLES
            if games
        ]  # fmt: skip


_MEASURED_WITH = 6
"""Players of the games that are measured in."""
_WATCHED_SHARE = 0.025
"""Share of the questions of a game without a teacher that become examples: about half a dozen."""


class ImitationRun:
    """A run: everything that its next round depends on."""

    saved: int | None = None
    """The round of the last checkpoint."""

    def __init__(self, args: ImitationArgs, input_spec: InputSpec | None = None) -> None:
        """A run that has learned nothing, of a network that reads what is said, or all that the games can show."""
        self.args = args
        self.input_spec = input_spec or input_spec_of(args.config())
        self.threads = Threads(args.threads, "learning")
        net = self._fresh(args.seed)
        self.student = Student(net, args.learning_settings, self.threads, torch.Generator().manual_seed(args.seed), self._held_to(net))
        self.rounds = 0
        self.finished: list[Net] = []
        """The networks after the last passes: they are played then, but the run would go on from where it was before them."""
        self.seconds = 0.0
        self.questions = 0
        """Questions learned from."""
        self.examples: list[Examples] = []
        """Of the last rounds with the later teacher."""
        self.checksums: list[str] = []
        """Of the files that these were written to."""
        self.curve = Curve()

    def _fresh(self, seed: int) -> Net:
        """A network that has learned nothing."""
        args = self.args
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            return Net(args.width, args.table.history, prior_policy=args.prior_policy, input_spec=self.input_spec)

    def _held_to(self, net: Net) -> Net | None:
        """What its play is held to, where it is."""
        return copy.deepcopy(net).eval() if self.args.play_weight else None

    # ---- one round

    def learn(self, fresh: Examples, tell: Callable[[float], None]) -> dict[str, float]:
        """Gradient steps on the examples of a round, and on those kept of earlier ones; `tell` hears what share of them is done."""
        args, later, self.finished = self.args, self.args.is_later(self.rounds), []
        figures = self._figures(fresh)
        self.examples = [*self.examples, fresh][-args.keep :] if later else []
        known = ReplayBuffer(self.examples if later else [fresh], self.student.net)
        rate = args.later_rate if later else args.learning_rate
        order = self._order(known, len(fresh.inputs), args.epochs if later else 1.0)
        losses = self.student.learn(known, order, rate, rate, tell)
        self.rounds += 1
        self.questions += len(fresh.inputs)
        return {**figures, **losses}

    def finish(self, console: Console, tell: Callable[[float], None]) -> None:
        """The last passes of the next network: over every question a teacher was asked, and once over those of games only watched.

        `tell` hears how many passes are done, those of the networks before it included.
        """
        args, known, number = self.args, ReplayBuffer(self.examples, self.student.net), len(self.finished)
        student, rate = (self._another(number), args.learning_rate) if number else (self.student.fork(), args.later_rate)
        watched = np.isfinite(known.outcomes)
        turn = np.cumsum(watched) % args.last
        which = f"network {number + 1} of {args.nets}, " if args.nets > 1 else ""
        for done in range(args.last):
            order = torch.from_numpy(np.flatnonzero(~watched | (turn == done)))
            order = order[torch.randperm(len(order), generator=student.rng)]
            first_rate, last_rate = (rate * (1 - part / args.last) for part in (done, done + 1))
            figures = student.learn(known, order, first_rate, last_rate, _beyond(number * args.last + done, tell))
            console.print(f"{which}pass {done + 1} of {args.last} over {len(order):,} questions: {_figures_text(figures)}", soft_wrap=True)
        self.finished.append(student.mean)

    def _another(self, number: int) -> Student:
        """A student that knows nothing, of another seed."""
        seed = int(np.random.SeedSequence([self.args.seed, number]).generate_state(1)[0])
        return Student(self._fresh(seed), self.args.learning_settings, self.threads, torch.Generator().manual_seed(seed))

    def _order(self, known: ReplayBuffer, fresh: int, epochs: float) -> Tensor:
        """Questions to learn from, drawn. The last `fresh` are new; of games that were only watched, those are seen, once and no more."""
        asked = torch.from_numpy(np.isnan(known.outcomes))
        watched = torch.arange(len(asked) - fresh, len(asked))[~asked[-fresh:]]
        due = math.ceil(epochs * int(asked[-fresh:].sum()))
        order, places = watched, asked.nonzero().squeeze(1)
        while due > 0:
            drawn = places[torch.randperm(len(places), generator=self.student.rng)[:due]]
            order, due = torch.cat([order, drawn]), due - len(drawn)
        return order[torch.randperm(len(order), generator=self.student.rng)]

    def _figures(self, fresh: Examples) -> dict[str, float]:
        """What the student would have answered, at questions it has not learned from yet."""
        replay = ReplayBuffer([fresh], self.student.net)
        some = torch.arange(0, len(replay), max(1, len(replay) // _LOOKED_AT))
        parts = map(replay.picked, torch.split(some, self.args.batch))
        sums = sum((Batch(part).figures(self.student.mean) for part in parts), start=torch.zeros(6))
        agreed, asked, searched, better, missed, watched = sums.tolist()
        taught = {"student/agrees": agreed / asked, "student/gains": better / max(1.0, searched)} if asked else {}
        return taught | {"student/deduces": missed / max(1.0, watched)}

    # ---- checkpoints

    def tensors(self) -> dict[str, Tensor]:
        """Everything that the next round depends on, besides the examples, and besides the running mean where that is what is played."""
        student = self.student
        tensors = {"dice": student.rng.get_state()} | {f"now.{name}": tensor for name, tensor in student.net.state_dict().items()}
        tensors |= student.learner.tensors()
        for part, net in (("mean", student.mean if self.finished else None), ("first", student.first)):
            tensors |= {f"{part}.{name}": tensor for name, tensor in net.state_dict().items()} if net else {}
        return tensors

    def save(self) -> None:
        """Write examples and checkpoint. Raises OSError."""
        folder, kept = self.args.folder, len(self.examples)
        if kept and self.saved != self.rounds:
            self.checksums.append(write_examples(examples_file(folder, self.rounds), self.examples[-1]))
        self.checksums = self.checksums[len(self.checksums) - kept :]
        about = {
            "args": options.plain(self.args),
            "rounds": self.rounds, "steps": self.student.steps, "seconds": self.seconds, "questions": self.questions,
            "lessons": self.checksums, "command": options.command_of("imitation", self.args, always=("seed",)),
            "versions": resuming.versions(), "curve": self.curve.points,
        }  # fmt: skip
        save_checkpoint(folder / CHECKPOINT, self.played(), self.tensors(), about)
        self.saved = self.rounds
        forget_before(folder, examples_file, self.rounds - kept + 1)

    def played(self) -> AnyNet:
        """What the checkpoint plays: the running mean, or after the last passes the networks that were finished."""
        return together(self.finished) if self.finished else self.student.mean

    def report(self, console: Console) -> dict[str, float]:
        """Measure what is played, write the curve and say a line; nothing without deals. Raises OSError."""
        if not self.args.report_deals:
            return {}
        agent = NeuralAgent.of(self.played(), greedy=False)
        point = progress_report.measure(agent, [self.args.config(_MEASURED_WITH)], self.args.seed, self.args.report_deals)
        self.curve.tell(self.args.folder, console, {"decisions": self.questions, "seconds": self.seconds, **point})
        return point

    def keep_student(self) -> None:
        """Write the student of this round, for games to come, beside those that the round before began with. Raises OSError."""
        folder = self.args.folder
        save_checkpoint(student_file(folder, self.rounds), self.student.mean, {}, {"rounds": self.rounds})
        forget_before(folder, student_file, self.rounds - 2)

    @classmethod
    def load(cls, args: ImitationArgs) -> ImitationRun:
        """The run of the folder's checkpoint, with the budgets given. Raises CheckpointError, or ResumeError for other options."""
        path = args.folder / CHECKPOINT
        found, tensors, about = load_checkpoint(path)
        resuming.check_rules(path, about)
        net = of_kind(path, found, Net)
        with resuming.whole_run(path):
            run = cls(args.resumed(resuming.kept_options(ImitationArgs, about["args"], free=ImitationArgs.FREE)), net.input_spec)
            run._restore(net, tensors, about)
            check_tensors(path, run.tensors(), tensors)
        return run

    def _restore(self, net: Net, tensors: dict[str, Tensor], about: dict[str, Any]) -> None:
        """Be where the run was that these are of."""
        student, names = self.student, net.state_dict().keys()
        if any(name.startswith("mean.") for name in tensors):
            self.finished = [copy.deepcopy(net), *peers_of(self.args.folder / CHECKPOINT, net, tensors, about)]
            net.load_state_dict({name: tensors[f"mean.{name}"] for name in names})
        student.mean.load_state_dict(net.state_dict())
        student.net.load_state_dict({name: tensors[f"now.{name}"] for name in names})
        if student.first:
            student.first.load_state_dict({name: tensors[f"first.{name}"] for name in names})
        self.rounds, student.steps, self.questions = (resuming.whole(about, name) for name in ("rounds", "steps", "questions"))
        self.seconds, self.saved = resuming.spent(about), self.rounds
        if student.steps:
            student.learner.restore(tensors)
        student.rng.set_state(tensors["dice"])
        self.curve = Curve.read(about.get("curve", []))
        if not isinstance(about["lessons"], list) or len(about["lessons"]) > self.rounds:
            raise ValueError(f"the checksums of its examples are {shown(about['lessons'])}")
        self.checksums = about["lessons"]
        files = (examples_file(self.args.folder, number) for number in range(self.rounds - len(self.checksums) + 1, self.rounds + 1))
        self.examples = [read_examples(path, student.net, checksum) for path, checksum in zip(files, self.checksums, strict=True)]


_LOOKED_AT = 20_000
"""Questions of a round that the student is examined on before it learns from them, about."""


def begin(args: ImitationArgs) -> ImitationRun:
    """A fresh run, or the one to resume. Raises ValueError or CheckpointError."""
    if args.resume:
        return ImitationRun.load(args)
    return _begun(args) if args.start else ImitationRun(args)


def _begun(args: ImitationArgs) -> ImitationRun:
    """A run whose student is the network of `start`, reading what that one reads. Raises ValueError or CheckpointError."""
    net = load_net(args.start, Net)
    if net.shape != (args.width, args.table.history, args.prior_policy):
        shape = f"width {net.width}, history {net.history}, prior_policy {net.prior_policy}"
        raise ValueError(f"start: the network of {args.start} has another shape: {shape}")
    if never := [name for name in input_spec_of(args.config()).actions if name not in net.input_spec.actions]:
        raise ValueError(f"start: the network of {args.start} has never met {never[0]!r} and {len(never) - 1} other answers of these games")
    resuming.tell_of_rules(args.start, net, args.table)
    run = ImitationRun(args, net.input_spec)
    for same in (run.student.net, run.student.mean, run.student.first):
        if same:
            same.load_state_dict(net.state_dict())
    return run


@one_torch_thread()
def train(args: ImitationArgs, console: Console | None = None) -> ImitationRun:
    """Learn until a budget is used up. Raises ValueError or CheckpointError before anything is done, TrainingError afterwards."""
    with resuming.run_folder(args.folder, ImitationArgs.folder, resume=args.resume) as folder:
        return _train(replace(args, folder=folder), console or Terminal(stderr=True))


def _train(args: ImitationArgs, console: Console) -> ImitationRun:
    """What `train` does, in a folder that no other run has."""
    run = begin(args)
    args = run.args
    since = run.questions + 1 if args.resume else None
    bar = progress_bar(console, "{task.description}", MofNCompleteColumn(), period=_HOUR)
    with resuming.report_interruption(run, console), _workers(args) as workers, TensorBoardLog(args.folder, since=since) as log, bar:
        console.print(f"checkpoint, log and examples: {args.folder}", soft_wrap=True)
        if run.saved is None:
            run.keep_student()
            run.save()
        ahead = _Ahead(run, workers, run.rounds)
        started = time.perf_counter() - run.seconds
        tell = _stage(bar, "rounds", run.rounds, args.rounds)
        while run.rounds < args.rounds and not 0 < args.seconds <= run.seconds:
            before = time.perf_counter()
            fresh = ahead.examples()
            played = time.perf_counter()
            ahead = _Ahead(run, workers, run.rounds + 1)
            figures = run.learn(fresh, ahead.meanwhile(_beyond(run.rounds, tell)))
            run.seconds = time.perf_counter() - started
            figures |= run.report(console)
            started = time.perf_counter() - run.seconds
            # the checkpoint comes last: whatever was written before it is written anew by a run that was killed in between
            log.add(figures, run.questions)
            run.keep_student()
            run.save()
            took = f"{played - before:.0f} s waiting, {time.perf_counter() - played:.0f} s learning"
            done = f"round {run.rounds}, {run.seconds / 60:.1f} min, {run.questions:,} questions"
            console.print(f"{done}: {_figures_text(figures)} ({took})", soft_wrap=True)
        if args.last and run.examples:
            tell = _stage(bar, "last passes", args.last * len(run.finished), args.last * args.nets)
            while len(run.finished) < args.nets:
                run.finish(console, tell)
                run.seconds = time.perf_counter() - started
                run.save()
            if figures := run.report(console):
                log.add(figures, run.questions)
                run.save()
        run.curve.picture(args.folder)
    return run


def _stage(bar: Progress, name: str, done: int, of: int) -> Callable[[float], None]:
    """A line for a part of the run, and what is to be told how much of it is done."""
    task = bar.add_task(name, completed=done, total=of)
    return lambda now: bar.update(task, completed=math.floor(now * _TOLD) / _TOLD)


_HOUR = 3600.0
"""Seconds that the bar looks back on: a round is minutes of waiting and learning."""
_TOLD = 20
"""Times that a bar moves in a round or pass: rich keeps a thousand such moves, and tells from them how long is left."""


def _beyond(done: float, tell: Callable[[float], None]) -> Callable[[float], None]:
    """Tells what comes on top of what is done."""
    return lambda more: tell(done + more)


def _figures_text(figures: dict[str, float]) -> str:
    return ", ".join(f"{name.rpartition('/')[2]} {value:.4f}" for name, value in figures.items())


class _Ahead:
    """The examples of a round, played by the workers while something else is done; without workers, when they are asked for."""

    def __init__(self, run: ImitationRun, workers: Team | None, number: int) -> None:
        self._jobs = run.args.jobs(number, run.input_spec) if number < run.args.rounds else []
        self._tasks = workers.begin(map(SentJob.of, self._jobs) if run.args.ray else self._jobs) if workers and self._jobs else None

    def meanwhile(self, tell: Callable[[float], None]) -> Callable[[float], None]:
        """What does `tell`, and gives those workers that are done another job; to be called again and again while they play."""

        def report_share(share: float) -> None:
            tell(share)
            if self._tasks:
                self._tasks.look()

        return report_share

    def examples(self) -> Examples:
        """Those of all its jobs. Raises AnswerError or WorkerLostError."""
        return joined([*self._tasks.results()] if self._tasks else [play(job) for job in self._jobs])


def _workers(args: ImitationArgs) -> contextlib.AbstractContextManager[Team | None]:
    """Who plays; with one process, it is done here."""
    if args.processes == 1 and not args.ray:
        return contextlib.nullcontext()
    teachers = [spec for spec in (args.first_teacher, args.teacher) if STUDENT not in spec]
    return args.workers().team(play_sent if args.ray else play, versions(teachers), teachers)


def main(argv: Sequence[str] | None = None) -> None:
    """Run from the command line. Raises SystemExit with the exit status unless all went well."""
    options.run(ImitationArgs, train, argv, "Train one network for all seats on what a teacher says, and on what its search finds.")


if __name__ == "__main__":
    main()
