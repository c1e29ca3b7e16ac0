"""Games to learn from: played by the student and by others, with a teacher asked at their questions.

They contain positions that the student reaches, or it would never learn what to do after its own mistakes (DAgger, Ross et al. 2011).

Outcomes and roles are learned from other games, without a teacher: many of them, at a few questions each. A game has hundreds of questions
and one deal of the roles, so from all of them a network would learn that deal by heart instead of learning to deduce it.
"""

from __future__ import annotations

import functools
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch

from danmaku_env import GameConfig, VectorEnv, make_vec
from danmaku_env.agents import registry
from danmaku_env.agents.base import ActionValues, Agent, action_values_of
from danmaku_env.agents.prior_policy import seen
from danmaku_env.agents.search import SearchAgent
from danmaku_env.arena import rollout
from danmaku_env.danmaku import DANMAKU_SPEC
from danmaku_env.info_states import InfoStates
from danmaku_env.machine.records import Array
from danmaku_env.nets.checkpoints import CHECKPOINT, load_net
from danmaku_env.nets.input_spec import InputSpec
from danmaku_env.nets.network import Net, choose_actions
from danmaku_env.nets.prior_format import PriorPolicy
from danmaku_env.training.role_labels import NO_ROLE, true_roles

_KNOWN = 0.1
"""Share of the questions not worth a search that a student with a prior policy learns from: it knows what the teacher thinks there."""
OFFERED = 12
"""Answers of a question that are kept, at most: those the teacher thinks best."""
STUDENT = "student"
"""Stands for the checkpoint of the student in the spec of a teacher."""
Lineups = tuple[tuple[tuple[str, ...], int], ...]
"""The players of a table (each seat is drawn where there are several), and how often, compared with the other line-ups."""
TAUGHT: Lineups = (
    (("student",), 2), (("student", "deducer"), 1), (("student", "heuristic"), 1), (("deducer",), 1), (("heuristic",), 1),
)  # fmt: skip
"""In games with a teacher."""
WATCHED: Lineups = (
    (("heuristic",), 6), (("deducer",), 3), (("student",), 2), (("student", "deducer"), 1), (("student", "heuristic"), 1),
)  # fmt: skip
"""In games without: the quicker they are played, the more there are."""


@dataclass(frozen=True)
class ExamplesJob:
    """Games of one kind, for a worker."""

    config: GameConfig
    teacher: str
    """An agent by name; the word `student` in it stands for the student's checkpoint. Empty: nobody, the game itself is the example."""
    lineups: Lineups
    student: Path | None
    """The student's checkpoint; without one, others play."""
    width: int
    """Shape of the student: what is kept of an observation depends on it."""
    history: int
    prior_policy: PriorPolicy
    input_spec: InputSpec
    games: int
    rows: int
    """Games side by side."""
    share: float
    """Share of the questions that become examples."""
    seed: int


class Examples(NamedTuple):
    """The examples of n questions."""

    inputs: Array
    """[n, k] uint8: what the student's network reads."""
    masks: Array
    """[n, .] uint8: the legal answers, packed to bits."""
    offered: Array
    """[n, OFFERED] int16: the answers the teacher thought best, its own first; -1 = no more, or nobody was asked."""
    values: Array
    """[n, OFFERED] float32: their values at first sight, in lives; NaN where the teacher only answers."""
    advantages: Array
    """[n, OFFERED] float32: how much better each did than the first, NaN where it was not tried."""
    roles: Array
    """[n, 8] uint8: who has which role (role_labels.py); none where a teacher was asked."""
    outcomes: Array
    """[n] float32: what the game paid the seat in the end; NaN where a teacher was asked."""


def joined(parts: list[Examples]) -> Examples:
    """One after another."""
    return Examples(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))


@functools.cache
def _agent(spec: str) -> Agent:
    return registry.make(spec, 0)


def play(job: ExamplesJob) -> Examples:
    """Play the games of a job: the same job gives the same examples."""
    torch.set_num_threads(1)
    return _ExampleGames(job).play()


class SentJob(NamedTuple):
    """A job for a machine that has not got the file of the student."""

    job: ExamplesJob
    student: bytes
    """That file; empty where the job has none."""

    @classmethod
    def of(cls, job: ExamplesJob) -> SentJob:
        """A job of this machine. Raises OSError."""
        return cls(job, job.student.read_bytes() if job.student else b"")


def play_sent(sent: SentJob) -> Examples:
    """`play` anywhere, with the same result."""
    if not sent.student:
        return play(sent.job)
    with tempfile.TemporaryDirectory() as folder:
        student = Path(folder) / CHECKPOINT
        student.write_bytes(sent.student)
        return play(replace(sent.job, student=student))


def _fresh(job: ExamplesJob) -> Net:
    """A net that has learned nothing."""
    return Net(job.width, job.history, prior_policy=job.prior_policy, input_spec=job.input_spec).eval()


def _no_examples(net: Net) -> Examples:
    """What is learned where there was no question to learn from."""
    inputs, masks = np.zeros((0, net.taken.width), np.uint8), np.zeros((0, (DANMAKU_SPEC.num_actions + 7) // 8), np.uint8)
    answers, numbers = np.zeros((0, OFFERED), np.int16), np.zeros((0, OFFERED), np.float32)
    return Examples(inputs, masks, answers, numbers, numbers, np.zeros((0, DANMAKU_SPEC.most_seats), np.uint8), np.zeros(0, np.float32))


class _ExampleGames:
    """The games of a job, side by side."""

    def __init__(self, job: ExamplesJob) -> None:
        self.job = job
        self.net: Net = load_net(job.student, Net) if job.student else _fresh(job)
        self.teacher = registry.make(job.teacher.replace(STUDENT, str(job.student)), job.seed) if job.teacher else None
        known = [(names, often) for names, often in job.lineups if job.student or STUDENT not in names]
        self.lineups = [names for names, often in known for _ in range(often)]
        self.rng = np.random.default_rng(job.seed)
        self.draws = torch.Generator().manual_seed(job.seed)
        self.others = {name: _agent(name) for name in ("deducer", "heuristic")}
        for agent in self.others.values():
            agent.reset(job.seed)
        self.vec: VectorEnv = make_vec(job.rows, replace(job.config, history=job.history))
        self.who: Array = np.zeros((job.rows, self.vec.spec.most_seats), "U9")
        self.parts: list[Examples] = [_no_examples(self.net)]
        self.waiting: list[list[tuple[int, int, int]]] = [[] for _ in range(job.rows)]
        """Of each row: part, place in it and seat of the examples whose game goes on."""

    def play(self) -> Examples:
        job, vec = self.job, self.vec
        vec.reset(job.seed)
        self._sit(np.arange(job.rows))
        for step in rollout.play(vec, rollout.Episodes(vec, job.games), self._answer_and_learn):
            for row, rewards in zip(step.ended.tolist(), step.rewards, strict=True):
                for part, place, seat in self.waiting[row]:
                    self.parts[part].outcomes[place] = rewards[seat]
                self.waiting[row] = []
            self._sit(step.ended)
        vec.close()
        return joined(self.parts)

    def _answer_and_learn(self, playing: Array) -> Array:
        actions = self.vec.sample()
        self._answer(playing, actions)
        self._learn(playing[self.rng.random(self.job.rows)[playing] < self.job.share])
        return actions

    def _sit(self, rows: Array) -> None:
        """Draw who plays in games that begin."""
        for row in rows:
            self.who[row] = self.rng.choice(self.lineups[self.rng.integers(len(self.lineups))], self.who.shape[1])

    def _answer(self, rows: Array, actions: Array) -> None:
        """Write the answers of whoever is asked in these rows."""
        vec = self.vec
        asked = self.who[rows, vec.seats[rows]]
        for name in np.unique(asked):
            mine = rows[asked == name]
            observations, masks = vec.observations[mine], vec.action_masks[mine]
            if name == STUDENT:
                actions[mine] = choose_actions(self.net, seen(self.net, vec, mine), masks, self.draws)
            else:
                info_states = InfoStates.of(vec, mine) if name == "deducer" else None  # the heuristic needs none, and is in a hurry
                actions[mine] = self.others[str(name)].act(observations, masks, info_states)

    def _learn(self, rows: Array) -> None:
        """Keep examples of these rows, where there are any."""
        if self.net.has_prior_policy and isinstance(self.teacher, SearchAgent):
            new = self.teacher.searches(self.vec.observations[rows]) & (self.vec.action_masks[rows].sum(1) > 1)
            rows = rows[new | (self.rng.random(len(rows)) < _KNOWN)]
        if not len(rows):
            return
        count, vec = len(rows), self.vec
        inputs, masks = self.net.inputs(seen(self.net, vec, rows)), vec.action_masks[rows]
        if self.teacher:
            said = self._ask(rows)
            truth, outcomes = np.full((count, vec.spec.most_seats), NO_ROLE, np.uint8), np.full(count, np.nan, np.float32)
        else:
            nothing = np.full((count, OFFERED), np.nan, np.float32)
            said = (np.full((count, OFFERED), -1, np.int16), nothing, nothing)
            truth, outcomes = true_roles(self.net, vec.games, vec.seats, rows), np.zeros(count, np.float32)
            for place, row in enumerate(rows):
                self.waiting[row].append((len(self.parts), place, int(vec.seats[row])))
        self.parts.append(Examples(inputs, np.packbits(masks, axis=1), *said, truth, outcomes))

    def _ask(self, rows: Array) -> tuple[Array, Array, Array]:
        """What the teacher says about these rows. Raises AnswerError."""
        assert self.teacher
        observations, masks = self.vec.observations[rows], self.vec.action_masks[rows]
        return offered(masks, action_values_of(self.teacher, observations, masks, InfoStates.of(self.vec, rows)))


def offered(masks: Array, action_values: ActionValues) -> tuple[Array, Array, Array]:
    """[B, OFFERED] each: the best answers of each row, their values and advantages, as `Examples` keeps them; the teacher's own first."""
    rows = np.arange(len(masks))[:, None]
    tried = np.isfinite(action_values.advantages)
    # those tried come before others, whatever they were worth, and worthless is whatever is not legal
    rank = np.where(masks != 0, np.nan_to_num(action_values.values) + np.where(tried, _FIRST, 0), -np.inf)
    rank[rows[:, 0], action_values.answers] = np.inf
    best = np.argpartition(-rank, OFFERED, axis=1)[:, :OFFERED]
    best = np.take_along_axis(best, np.argsort(-rank[rows, best], axis=1, kind="stable"), 1)
    legal = rank[rows, best] > -np.inf
    kept = np.where(legal, best, -1).astype(np.int16)
    values, advantages = (
        np.where(legal, of[rows, best], np.nan).astype(np.float32) for of in (action_values.values, action_values.advantages)
    )
    return kept, values, advantages


_FIRST = 1e6
"""More than any answer is worth."""
assert DANMAKU_SPEC.num_actions > OFFERED
