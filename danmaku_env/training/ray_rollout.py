"""Games of self-play on Ray: workers on the machines of a cluster play windows for the learner of ppo.py, and any of them may be lost.

A worker is a run that never learns. It has its share of the games, plays a window with the network that it is sent, works out the credit
with the critic that it is sent, and hands back what there is to learn. While the learner learns from a window, the workers play the next
one: what they play is one update old, and PPO's ratio is to the probabilities that they played with. A worker that dies, or whose machine
goes, is begun anew with fresh games where there is room; meanwhile the run goes on with the others.
"""

from __future__ import annotations

import contextlib
import copy
import functools
import os
import socket
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import torch

from danmaku_env.agents.base import AnswerError
from danmaku_env.agents.role_separation import SeparationSums
from danmaku_env.agents.user_code import words_of
from danmaku_env.arena.jobs.workers import WorkerLostError
from danmaku_env.console.errors import UserError
from danmaku_env.console.on_ray import OBJECTS, cluster
from danmaku_env.machine.records import Array
from danmaku_env.nets.network import NamedNet
from danmaku_env.training import resuming
from danmaku_env.training.central_critic import CentralCritic
from danmaku_env.training.league import Lead
from danmaku_env.training.resuming import TrainingError

Begin = Callable[[NamedNet], Any]
"""Makes a run (ppo.PPORun) that begins with a net."""
_LEARNED = ("inputs", "masks", "roles", "states", "actions", "logprobs", "returns", "advantages", "own")
"""What the learner needs of a table's window; each [T, B, ...], of the states those before a decision."""
_GLANCE = 0.5
"""Seconds between two looks at the workers."""
_PATIENCE = 600.0
"""Seconds without a window after which nobody is left: a worker has to be begun, and may have to compile the engine."""
_MOST_LOST = 3
"""Times that a worker is begun anew without ever having handed back a window."""
_ROW = 6 << 10
"""Bytes that a decision takes on its way to the learner, or somewhat less."""
_SAME = ("danmaku-env", "rules")
"""Versions that must be the learner's on every machine."""


class _Order(NamedTuple):
    """What workers are sent for a window, on the CPU."""

    net: NamedNet
    critic: CentralCritic | None
    pace: float
    leagues: list[tuple[list[NamedNet], Array, Array]]
    """Of each table the past selves, what the net wins against the members of its league, and which past self has each place."""


class _Window(NamedTuple):
    """What a worker hands back."""

    tables: list[dict[str, Array]]
    """Of each table what _LEARNED names."""
    leads: list[list[Lead]]
    """Of each table the games with others that ended."""
    separation: list[SeparationSums]
    ended: int


# ---------------------------------------------------------------- on the workers


class _Worker:
    """An actor of Ray. Nothing is begun before the first window, so that what goes wrong then is told like all else."""

    def __init__(self, begin: Begin, needed: dict[str, str], folder: str) -> None:
        self._begin, self._needed, self._folder = begin, needed, folder
        self._run: Any = None

    def play(self, order: _Order) -> _Window:
        """Play the next window. Raises UserError on a machine with other rules; TrainingError or AnswerError as the learner would."""
        run = self._run = self._run or self._begun(order.net)
        run.net.load_state_dict(order.net.state_dict())
        if run.critic and order.critic:
            run.critic.load_state_dict(order.critic.state_dict())
        run.pace = order.pace
        for table, (past, results, holder) in zip(run.tables, order.leagues, strict=True):
            table.league.past, table.league.results, table.league.holder = past, results.copy(), holder
        before = run.games_ended
        run.play()
        run.credit()
        separation = [table.separation.sums() for table in run.tables]
        for table in run.tables:
            table.separation = table.separation.fresh()
        tables = [{name: np.asarray(getattr(table, name))[: table.steps] for name in _LEARNED} for table in run.tables]
        return _Window(tables, [list(table.league.leads) for table in run.tables], separation, run.games_ended - before)

    def _begun(self, net: NamedNet) -> Any:
        if os.path.isdir(self._folder):  # agents of one's own are found from there
            os.chdir(self._folder)
        here = resuming.versions()
        for name, wanted in self._needed.items():
            if here[name] != wanted:
                there = f"{name} is {here[name]} on the machine {socket.gethostname()}, and {wanted} where the learner is"
                raise UserError(f"{there}: install the same version everywhere")
        torch.set_num_threads(1)
        return self._begin(copy.deepcopy(net))


# ---------------------------------------------------------------- where the learner is


class _Slot:
    """A place for a worker, and whoever has it."""

    def __init__(self, number: int, games: int) -> None:
        self.number, self.games = number, games
        self.actor: Any = None
        self.window: Any = None
        """The window that it plays, as a reference that comes; None when it was given nothing to do."""
        self.plays = False
        """Whether it has handed back a window, so that the next is waited for."""
        self.begun = self.lost = 0
        """How often the place was filled; and lost again, since its last window."""


class RolloutWorkers:
    """Whoever plays for a learner on the machines that `ray` is connected to."""

    def __init__(self, ray: Any, args: Any, run: Callable[[Any, NamedNet], Any]) -> None:
        """`args` are those of the trainer, and `run` makes a run of such and a net.

        Raises ValueError where there are fewer games than tables.
        """
        count = args.workers or max(1, int(ray.cluster_resources().get("CPU", 1)) - 1)
        if args.games < count * len(args.configs()):
            raise ValueError(
                f"games must be at least {count * len(args.configs())}, one at each table of {count} workers, not {args.games}"
            )
        self._ray, self._args, self._run = ray, args, run
        self._errors: Any = ray.exceptions
        self._actor = ray.remote(num_cpus=1, max_restarts=0, max_task_retries=0, scheduling_strategy="SPREAD")(_Worker)
        sizes = np.diff(np.linspace(0, args.games, count + 1).astype(int))
        self._places = [_Slot(number, int(size)) for number, size in enumerate(sizes)]
        self._started = time.time_ns() >> 20  # so that a run that is resumed does not deal the same games again

    def play(self, run: Any) -> int:
        """Put the next window into the run's tables, and have another played; how many games have ended.

        Raises WorkerLostError when no worker is left, TrainingError or AnswerError as a worker did.
        """
        self._give(run)
        windows = self._collect(run)
        self._give(run)
        for number, table in enumerate(run.tables):
            for name in _LEARNED:
                whole = np.concatenate([window.tables[number][name] for window in windows], axis=1)
                setattr(table, name, whole if name == "own" else torch.from_numpy(whole))
            table.games = table.own.shape[1]
            for window in windows:
                table.league.note(window.leads[number])
                table.separation.take(window.separation[number])
        return sum(window.ended for window in windows)

    def figures(self) -> dict[str, float]:
        """How many are at it, for the log."""
        return {"ray/workers": float(sum(place.plays for place in self._places))}

    def _give(self, run: Any) -> None:
        """Have a window played by everybody who plays none, with the network as it is now."""
        idle = [place for place in self._places if place.window is None]
        if not idle:
            return
        leagues = [(table.league.past, table.league.results, table.league.holder) for table in run.tables]
        critic = run.critic and copy.deepcopy(run.critic).cpu().requires_grad_(False)
        order = self._ray.put(_Order(copy.deepcopy(run.net).cpu().requires_grad_(False), critic, run.pace, leagues))
        for place in idle:
            if place.actor is None:
                self._fill(place)
            place.window = place.actor.play.remote(order)

    def _fill(self, place: _Slot) -> None:
        seed = np.random.SeedSequence([self._args.seed, self._started, place.number, place.begun]).generate_state(1, np.uint64)
        own = {"games": place.games, "seed": int(seed[0]) >> 8, "threads": 1, "device": "cpu", "ray": False, "address": "", "workers": 0}
        begin = functools.partial(self._run, replace(self._args, **own))
        needed = {name: resuming.versions()[name] for name in _SAME}
        place.actor, place.begun = self._actor.remote(begin, needed, os.getcwd()), place.begun + 1

    def _collect(self, run: Any) -> list[_Window]:
        """The windows of all who play, and of those newly begun that are ready."""
        windows: list[_Window] = []
        until = time.monotonic() + _PATIENCE
        while not windows or any(place.plays and place.window is not None for place in self._places):
            under_way = {place.window: place for place in self._places if place.window is not None}
            for ready in self._ray.wait(list(under_way), num_returns=1, timeout=_GLANCE)[0] if under_way else ():
                windows += self._taken(under_way[ready])
            if all(place.lost >= _MOST_LOST for place in self._places):
                raise WorkerLostError(f"no worker is left: every one was lost {_MOST_LOST} times before it had played a window")
            if not windows and time.monotonic() > until:
                raise WorkerLostError(f"nobody has played for {_PATIENCE:g} s: no worker is left, and the cluster has no room for another")
            if not windows:
                self._give(run)  # to those that take the places of the lost
        return windows

    def _taken(self, place: _Slot) -> list[_Window]:
        """What a worker hands back, unless it was lost."""
        errors = self._errors
        try:
            window: _Window = self._ray.get(place.window)
        except errors.RayTaskError as error:
            cause = error.cause
            if isinstance(cause, AnswerError | UserError | TrainingError):
                raise cause from None
            raise TrainingError(f"a worker had to stop: {words_of(cause)}") from None
        except errors.RayError:
            place.actor, place.plays, place.lost = None, False, place.lost + 1
            return []
        else:
            place.plays, place.lost = True, 0
            return [window]
        finally:
            place.window = None


@contextlib.contextmanager
def rollout_workers(args: Any, run: Callable[[Any, NamedNet], Any]) -> Iterator[RolloutWorkers | None]:
    """The Ray workers of a run, for as long as it takes; None where the run is not on Ray. Raises UserError or ValueError."""
    if not args.on_ray:
        yield None
        return
    with cluster(args.address, cores=args.workers or None, objects=OBJECTS + _ROW * args.games * args.window) as ray:
        yield RolloutWorkers(ray, args, run)
