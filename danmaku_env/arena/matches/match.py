"""Games between any agents in any seats, side by side in one process, with a referee for agents that fail.

At every step the games are grouped by the agent that must answer, and each agent answers all of its games in one call. A game is
reproduced by the same list of jobs: agents draw random numbers for a whole call, so the same games must stand side by side.

An agent that answers illegally, raises, or takes too long loses that game. The game goes on, so that the others get their result:
random legal answers play the agent's seats to the end, these score -1 whatever happens, and a `Fault` says what was done wrong. If a
call for many games fails or takes too long as a whole, it is repeated game by game to find out where; answers that come one by one
count. An agent that has taken too long `PATIENCE` times in a row is not asked any more and forfeits its other games; otherwise an
agent that always hangs would hold everybody up.
"""

from __future__ import annotations

import base64
import contextlib
import functools
import signal
import threading
import time
import zlib
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from types import FrameType
from typing import Any, Protocol

import numpy as np

from danmaku_env import GameConfig, VectorEnv, make_vec
from danmaku_env.agents import role_separation
from danmaku_env.agents.base import Agent
from danmaku_env.agents.user_code import TimeUp, UserCode, words_of
from danmaku_env.arena import rollout
from danmaku_env.arena.rollout import ROWS_AT_ONCE
from danmaku_env.arguments import make_plain, printable, shown
from danmaku_env.danmaku import DANMAKU_SPEC
from danmaku_env.engine import naming
from danmaku_env.info_states import InfoStates
from danmaku_env.machine.random_answers import random_legal
from danmaku_env.machine.records import Array
from danmaku_env.wording import action_name

TIME_LIMIT = 5.0
"""Seconds for a decision; a call for n games may take n times as long."""
PATIENCE = 10
"""Times in a row that an agent may take too long before it forfeits the other games."""
_LONGEST = 300
"""Characters of a message that are kept."""
_DECISIONS_AT_FIRST = 512
"""Answers of a game for which there is room from the beginning."""
_MOST_ANSWERS, _MOST_IN_A_TURN = 1 << 12, 1 << 9
"""Limits of a kept game, above any real one (at random at most 400 answers in the first turn, 40 a turn on average)."""
_LONGEST_ALARM = 1e8
"""Seconds: what is allowed more than three years is not timed."""
_LATER_ALARM = 1.0
"""Seconds after which an alarm that was swallowed is repeated."""


@dataclass(frozen=True)
class Job:
    """A game to be played."""

    key: tuple[int, ...]
    """What the caller knows it by; no two jobs of a list have the same."""
    seed: int
    """The deal: it fixes roles, characters and the order of the cards."""
    seats: tuple[int, ...]
    """The number of the agent in each seat."""
    kept: bool = False
    """Whether the result is to hold the answers, so that the game can be looked at."""

    def __post_init__(self) -> None:
        make_plain(self)
        if not all(type(number) is int for number in (*self.key, self.seed, *self.seats)):
            raise ValueError(f"the key, seed and seats of a job are made of whole numbers, not {shown((self.key, self.seed, self.seats))}")


FAULTS = ("illegal", "raised", "slow", "hung", "crashed", "forfeit")


def _whole(number: Any, least: int = -1) -> int:
    """A whole number as JSON has it. Raises ValueError for anything else."""
    if type(number) is not int or number < least:
        raise ValueError(f"{number!r} is not a whole number from {least} on")
    return number


@dataclass(frozen=True)
class Fault:
    """What an agent did wrong, which cost it the game."""

    agent: int
    """Its number."""
    seat: int
    """The seat it answered for."""
    decision: int
    """How many answers had been given in the game before."""
    kind: str
    """illegal, raised, slow, hung (had to be killed), crashed (took its process along) or forfeit (not asked any more)."""
    question: str
    """What was asked."""
    words: str
    """The answer or the message, in printable letters."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], players: int) -> Fault:
        """The inverse of `asdict`, in a game of this many players. Raises ValueError, KeyError or TypeError on anything else."""
        agent, seat, decision = (_whole(data[name], least=0) for name in ("agent", "seat", "decision"))
        kind, question, words = (data[name] for name in ("kind", "question", "words"))
        if seat >= players or kind not in FAULTS or question not in DANMAKU_SPEC.questions or not isinstance(words, str):
            raise ValueError("a fault that no game can have")
        return cls(agent, seat, decision, kind, question, printable(words)[:_LONGEST])


@dataclass(frozen=True)
class Result:
    """A finished game."""

    key: tuple[int, ...]
    rewards: tuple[int, ...]
    """For each seat: +1 won, -1 lost, or 0 when nobody won; -1 in any case for the seats of an agent at fault."""
    roles: tuple[int, ...]
    """For each seat: the number of its role (`danmaku_env.cards.box.ROLE_IDS`) at the first question. It is the one dealt, unless an
    incident exchanged two before that, as where characters are dealt it does in one game of twenty."""
    decisions: int
    """Answers given."""
    faults: tuple[Fault, ...] = ()
    """At most one for each agent."""
    answers: tuple[int, ...] = ()
    """The game itself, for a job whose result is to hold it."""
    named: tuple[tuple[int, ...], ...] = ()
    """Whom the seats named, for role separation: seat, what is counted, faction, choices, those that named it, and chance in parts of
    naming.PARTS (`role_separation.listed`). Seats of agents at fault are left out."""

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        data = asdict(self) | {"answers": _packed(self.answers)}
        return {name: value for name, value in data.items() if name not in ("answers", "named") or getattr(self, name)}

    @classmethod
    def from_dict(cls, data: Any, max_turns: int = GameConfig.max_turns) -> Result:
        """The inverse of `to_dict`, of games of this many turns. Raises ValueError, KeyError or TypeError on anything else."""
        key, rewards, roles = (tuple(_whole(number) for number in data[name]) for name in ("key", "rewards", "roles"))
        if len(roles) != len(rewards) or not set(rewards) <= {-1, 0, 1} or not set(roles) <= set(range(DANMAKU_SPEC.num_labels)):
            raise ValueError("rewards and roles do not belong together")
        decisions = _whole(data["decisions"], least=0)
        if decisions > _MOST_ANSWERS + _MOST_IN_A_TURN * max_turns:
            raise ValueError(f"no game of {max_turns} turns has {shown(decisions)} answers")
        if not isinstance(data["faults"], (list, tuple)):
            raise ValueError("the faults are not a list")
        faults = tuple(Fault.from_dict(fault, len(rewards)) for fault in data["faults"])
        answers = _unpacked(data["answers"], decisions) if "answers" in data else ()
        named = tuple(tuple(_whole(number, least=0) for number in row) for row in data.get("named", ()))
        role_separation.check_listed(named, len(rewards), decisions)
        return cls(key, rewards, roles, decisions, faults, answers, named)


_NUMBER = np.dtype("<u2")


def _packed(answers: Sequence[int]) -> str:
    """A game in a word of a few hundred letters."""
    return base64.b64encode(zlib.compress(np.array(answers, _NUMBER).tobytes(), level=9)).decode()


def _unpacked(text: str, number: int) -> tuple[int, ...]:
    """The inverse. Raises ValueError or TypeError unless the text is that of this many answers."""
    try:
        data = zlib.decompressobj().decompress(base64.b64decode(text, validate=True), _NUMBER.itemsize * number + 1)
    except zlib.error as error:
        raise ValueError(f"the answers of a game cannot be read: {error}") from None
    if len(data) != _NUMBER.itemsize * number:
        raise ValueError(f"a game of {number} answers holds {len(data) / _NUMBER.itemsize:g}")
    return tuple(np.frombuffer(data, _NUMBER).tolist())


class CallWatch(Protocol):
    """Is told before and after every call of an agent: how a parent process notices that one never returns."""

    def start(self, agent: int, allowed: float, key: tuple[int, ...] | None, decision: int) -> None:
        """An agent is called and may take this many seconds; `key` is the game, or None when it is asked for several."""

    def stop(self) -> None:
        """It has answered."""


class _Raised(Exception):  # noqa: N818 (an agent did)
    """What an agent raised, in words."""

    def __init__(self, error: BaseException) -> None:
        super().__init__(words_of(error)[:_LONGEST])


@dataclass(frozen=True)
class RefereeSettings:
    """Time limit of agents, and what the referee knows of them from before."""

    time_limit: float = TIME_LIMIT
    """Seconds for a decision."""
    one_by_one: Collection[int] = ()
    """Numbers of agents that are always asked for one game at a time."""
    known: Mapping[tuple[tuple[int, ...], int], Fault] = field(default_factory=dict)
    """(key, agent) -> a fault found out before, in a process that did not survive it: at that decision it is not asked again."""
    barred: Mapping[int, tuple[str, str]] = field(default_factory=dict)
    """Numbers of agents that are not asked at all, and kind and words of the fault that this costs them."""
    watch: CallWatch | None = None


@contextlib.contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    """Raise TimeUp in the body after this many seconds. Without alarms (threads, Windows) there is no limit."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(_signal: int, _frame: FrameType | None) -> None:
        raise TimeUp

    before = signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, min(seconds, _LONGEST_ALARM), _LATER_ALARM)
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class Match:
    """A list of jobs being played. See the module docstring."""

    def __init__(
        self,
        jobs: Sequence[Job],
        agents: Sequence[Agent],
        config: GameConfig,
        *,
        seed: int = 0,
        rows: int = ROWS_AT_ONCE,
        settings: RefereeSettings | None = None,
    ) -> None:
        """Games of one configuration. `seed` seeds the agents (agent number i gets its own) and the referee.

        Raises ValueError for a job whose seats are not numbers of agents, one for each seat.
        """
        self.jobs = list(jobs)
        self.agents = list(agents)
        self.config = config
        for job in self.jobs:
            if len(job.seats) != config.num_players or not all(0 <= number < len(self.agents) for number in job.seats):
                wanted = f"{config.num_players} numbers of agents, each from 0 to {len(self.agents) - 1}"
                raise ValueError(f"the job {job.key} has the seats {tuple(job.seats)}; at this table they are {wanted}")
        self.seed = seed
        self.settings = settings or RefereeSettings()
        self._vec: VectorEnv = make_vec(max(1, min(rows, len(self.jobs))), config)
        size = self._vec.num_envs
        self._seats: Array = np.zeros((size, config.num_players), np.int64)
        self._decisions: Array = np.zeros(size, np.int64)
        self._answered: Array = np.zeros((size, _DECISIONS_AT_FIRST), _NUMBER)  # the answers of each game, as far as it has come
        self._roles: Array = np.zeros((size, config.num_players), np.int64)
        self._named, self._facts = naming.room(size), role_separation.facts()
        self._faults: list[dict[int, Fault]] = [{} for _ in range(size)]
        self._out: Array = np.zeros((size, len(self.agents)), np.bool_)
        self._barred = dict(self.settings.barred)
        self._one_by_one = set(self.settings.one_by_one)
        self._slow = Counter[int]()
        self._rng = np.random.default_rng([seed, 0])

    def play(self) -> Iterator[Result]:
        """Play all jobs; results come as games end, in no particular order, but always in the same."""
        self._reset_agents()
        self._episodes = rollout.Episodes.of(self._vec, [job.seed for job in self.jobs])
        self._sit(np.flatnonzero(self._episodes.playing))
        for step in rollout.play(self._vec, self._episodes, self._answer):
            self._decisions += 1
            for row, game, rewards in zip(step.ended.tolist(), step.over.tolist(), step.rewards, strict=True):
                yield self._result(row, self.jobs[game], rewards)
            self._sit(step.begun)

    def _answer(self, rows: Array) -> Array:
        """[B] answers; those in `rows` are noted and counted."""
        answers = self._answers(self._episodes.playing)
        self._note(rows, answers)
        naming.count_named(self._facts, self._vec.games, self._vec.seats, self._vec.action_masks, answers, self._named)
        return answers

    def _note(self, rows: Array, answers: Array) -> None:
        """Keep the answers that these games are about to get."""
        places = self._decisions[rows]
        if places.max() >= self._answered.shape[1]:
            self._answered = np.concatenate([self._answered, np.zeros_like(self._answered)], axis=1)
        self._answered[rows, places] = answers[rows]

    def _reset_agents(self) -> None:
        """Seed every agent; those that fail at that are not asked."""
        for number, agent in enumerate(self.agents):
            if number in self._barred:
                continue
            seed = int(np.random.SeedSequence([self.seed, number + 1]).generate_state(1, np.uint64)[0] >> 2)
            _, error = self._guarded(number, self.settings.time_limit, None, 0, functools.partial(agent.reset, seed))
            if error:
                self._barred[number] = (error[0], f"in reset: {error[1]}")

    def _sit(self, rows: Array) -> None:
        """Seat the agents in games that begin."""
        for row in rows:
            self._seats[row] = self.jobs[self._episodes.game[row]].seats
            self._faults[row] = {}
        self._decisions[rows] = 0
        self._out[rows] = False
        self._named[rows] = 0
        self._roles[rows] = self._vec.games["role"][rows, : self.config.num_players]

    def _result(self, row: int, job: Job, paid: Array) -> Result:
        rewards = paid[: self.config.num_players].astype(np.int64)
        failed = self._out[row, self._seats[row]]
        rewards[failed] = -1
        self._named[row, : self.config.num_players][failed] = 0
        faults = tuple(self._faults[row][agent] for agent in sorted(self._faults[row]))
        roles = tuple(int(role) for role in self._roles[row])
        decisions = int(self._decisions[row])
        kept = tuple(self._answered[row, :decisions].tolist()) if job.kept else ()
        named = role_separation.listed(self._named[row])
        return Result(job.key, tuple(int(reward) for reward in rewards), roles, decisions, faults, kept, named)

    def _key(self, row: int) -> tuple[int, ...]:
        return self.jobs[int(self._episodes.game[row])].key

    # ---- asking

    def _answers(self, playing: Array) -> Array:
        """[B] an answer for every row: of the agent in the seat asked, or a random one for agents at fault and idle rows."""
        every = np.arange(self._vec.num_envs)
        asked = self._seats[every, self._vec.seats]
        if self._barred or self.settings.known:
            self._bar(np.flatnonzero(playing & ~self._out[every, asked]), asked)
        chosen: Array = np.full(len(every), -1, np.int64)
        able = playing & ~self._out[every, asked]
        for number in np.unique(asked[able]):
            mine = np.flatnonzero(able & (asked == number))
            chosen[mine] = self._ask(int(number), mine)
        unanswered = np.flatnonzero(chosen < 0)
        chosen[unanswered] = self._random_answers(unanswered)
        return chosen

    def _bar(self, rows: Array, asked: Array) -> None:
        """Note the faults of agents that are not to be asked in these rows."""
        for row in map(int, rows):
            number = int(asked[row])
            known = self.settings.known.get((self._key(row), number))
            if known and self._decisions[row] >= known.decision:
                self._accuse(number, row, known.kind, known.words)
            elif number in self._barred:
                self._accuse(number, row, *self._barred[number])

    def _random_answers(self, rows: Array) -> Array:
        """[k] a random legal answer for each of these rows."""
        return random_legal(self._vec.action_masks[rows], self._rng)

    def _ask(self, number: int, rows: Array) -> Array:
        """[k] the agent's answers in these rows, -1 where it has not answered as it should; the fault is then noted."""
        if len(rows) > 1 and number not in self._one_by_one:
            answers, error = self._call(number, rows)
            if error is None:
                return self._judge(number, rows, answers)
            if error[0] == "slow":
                self._one_by_one.add(number)
        together: Array = np.full(len(rows), -1, np.int64)
        for place, row in enumerate(rows):
            if number in self._barred:
                self._accuse(number, int(row), *self._barred[number])
                continue
            answers, error = self._call(number, rows[place : place + 1])
            if error is None or error[0] != "slow":
                self._slow[number] = 0
            if error is None:
                together[place] = self._judge(number, rows[place : place + 1], answers)[0]
            else:
                self._accuse(number, int(row), *error)
        return together

    def _call(self, number: int, rows: Array) -> tuple[Array, tuple[str, str] | None]:
        """The agent's answers [k] to the questions of these rows, or what is wrong with the call: kind and words.

        It is handed copies, so it can neither change a game nor see one change.
        """
        vec = self._vec
        info_states = InfoStates.of(vec, rows)
        observations, masks = vec.observations[rows], vec.action_masks[rows]
        answers, error = self._guarded(
            number,
            self.settings.time_limit * len(rows),
            self._key(int(rows[0])) if len(rows) == 1 else None,
            int(self._decisions[rows[0]]),
            lambda: np.asarray(self.agents[number].act(observations, masks, info_states)),
        )
        if error is None and (answers.shape != (len(rows),) or answers.dtype.kind not in "iu"):
            words = f"an array of {answers.dtype} with shape {answers.shape} instead of {len(rows)} whole numbers"
            error = ("illegal", words[:_LONGEST])
        return answers, error

    def _guarded(
        self, number: int, allowed: float, key: tuple[int, ...] | None, decision: int, call: Callable[[], Any]
    ) -> tuple[Any, tuple[str, str] | None]:
        """What the call returns, and what went wrong: kind and words, or None."""
        watch = self.settings.watch
        if watch:
            watch.start(number, allowed, key, decision)
        began = time.perf_counter()
        try:
            with _alarm(allowed), UserCode(_Raised):
                value = call()
        except TimeUp:
            return None, ("slow", f"no answer within {allowed:g} s")
        except _Raised as error:
            return None, ("raised", str(error))
        finally:
            if watch:
                watch.stop()
        spent = time.perf_counter() - began
        return value, ("slow", f"{spent:.2f} s for what may take {allowed:g} s") if spent > allowed else None

    def _judge(self, number: int, rows: Array, answers: Array) -> Array:
        """[k] the answers, -1 where one is not legal."""
        inside = (answers >= 0) & (answers < self._vec.spec.num_actions)
        legal = inside & (self._vec.action_masks[rows, np.where(inside, answers, 0).astype(np.int64)] != 0)
        for place in np.flatnonzero(~legal):
            row, answer = int(rows[place]), int(answers[place])
            name = action_name(answer, int(self._vec.seats[row]), self.config.num_players) if inside[place] else "no action"
            self._accuse(number, row, "illegal", f"{answer} ({name})")
        chosen: Array = np.where(legal, answers, -1).astype(np.int64)
        return chosen

    def _accuse(self, number: int, row: int, kind: str, words: str) -> None:
        """Note a fault, which costs the agent the game in this row."""
        question = self._vec.spec.questions[int(self._vec.games["question"][row])]
        self._faults[row][number] = Fault(number, int(self._vec.seats[row]), int(self._decisions[row]), kind, question, words)
        self._out[row, number] = True
        self._slow[number] += kind == "slow"
        if self._slow[number] >= PATIENCE:
            self._barred.setdefault(number, forfeit())


def forfeit() -> tuple[str, str]:
    """Kind and words of the fault of an agent that has used up all patience."""
    return "forfeit", "not asked any more, because it took too long again and again"


def play(
    jobs: Sequence[Job],
    agents: Sequence[Agent],
    config: GameConfig,
    *,
    seed: int = 0,
    rows: int = ROWS_AT_ONCE,
    settings: RefereeSettings | None = None,
) -> Iterator[Result]:
    """Play the jobs in this process. See `Match`."""
    return Match(jobs, agents, config, seed=seed, rows=rows, settings=settings).play()
