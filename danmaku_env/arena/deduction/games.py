"""Games of agents for a deduction study, and what belief models state as they go on.

At the first question of every turn each active seat is an observer: every belief model states the hidden roles from what that seat knows.
After every event of the log, every belief model is also asked from the place of a spectator, who knows only the open roles. The change
of that belief is what the event told (`intermediate_states.py`). The spectator sits with the Heroine dealt at the start, and knows no
role that she learns or gets when roles are exchanged.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from danmaku_env import GameConfig, make_vec
from danmaku_env.agents.base import Agent, BeliefModel, beliefs_of, reset
from danmaku_env.agents.by_faction import FACTION_OF_ROLE, IN_FACTION
from danmaku_env.arena import rollout
from danmaku_env.arena.deduction.exact_posterior import Evidence, ExactPosterior
from danmaku_env.arena.deduction.intermediate_states import event_type, heroine_of, intermediate_states, new_events
from danmaku_env.arena.deduction.scores import BINS, Scores, calibration, is_open, log2, score
from danmaku_env.arena.records import observations_of
from danmaku_env.beliefs.factions import dealt_factions
from danmaku_env.danmaku import DANMAKU_SPEC
from danmaku_env.engine.state import EVERYBODY
from danmaku_env.info_states import InfoStates
from danmaku_env.machine.records import Array

LEVELS = ("faction", "role")
"""How finely a role is told: its faction (beliefs/factions.py), or the card."""
REST = "between events"
"""What changed a belief without any line in the log."""


# ---------------------------------------------------------------- playing


class StudyStep(NamedTuple):
    """What one answer in each of several games led to."""

    games: Array
    """[k] numbers of the games that go on."""
    before: Array
    """[k] their records before the answer."""
    answers: Array
    """[k] the answers."""
    after: Array
    """[k] their records at the next question."""
    begun: Array
    """[m] numbers of the games that were begun instead of ended ones."""
    first: Array
    """[m] their records at the first question."""
    ended: int
    """Games that came to an end."""


def play(agents: Sequence[Agent], config: GameConfig, seeds: Sequence[int], seed: int) -> Iterator[StudyStep]:
    """Play a game for each of the seeds; seat s of game g has agent (s + g) mod k, and `seed` is that of the agents.

    Raises UserError when an agent fails: a study of beliefs cannot go on without it.
    """
    vec = make_vec(min(rollout.ROWS_AT_ONCE, len(seeds)), config)
    for number, agent in enumerate(agents):
        reset(agent, int(np.random.SeedSequence([seed, number]).generate_state(1, np.uint64)[0] >> 2))
    episodes = rollout.Episodes.of(vec, seeds)
    nobody: Array = np.arange(0)
    yield StudyStep(nobody, vec.records(nobody), nobody, vec.records(nobody), episodes.game.copy(), vec.records(), 0)
    before = vec.records()

    def answer(rows: Array) -> Array:
        before[:] = vec.records()
        return rollout.ask(vec, agents, (vec.seats + episodes.game) % len(agents), rows)

    for step in rollout.play(vec, episodes, answer):
        stays = ~np.isin(step.rows, step.ended)
        going, fresh = step.rows[stays], step.begun
        led = step.games[stays], before[going], step.answers[going], vec.records(going)
        yield StudyStep(*led, episodes.game[fresh], vec.records(fresh), len(step.ended))


# ---------------------------------------------------------------- judging


class Statements(NamedTuple):
    """What was stated; S statements, B belief models (the baseline first)."""

    observer: Array
    """[S] the seat in whose place it was stated."""
    observer_role: Array
    """[S] the number of the role of that seat then."""
    seat: Array
    """[S] the seat whose role is judged."""
    truth: Array
    """[S] the number of its role then."""
    chances: Array
    """[S, B, NUM_ROLES] float32: the probability that each belief model stated of every role."""

    @classmethod
    def none(cls, belief_models: int) -> Statements:
        """No statement of this many belief models."""
        nobody: Array = np.zeros(0, np.int64)
        return cls(nobody, nobody, nobody, nobody, np.zeros((0, belief_models, DANMAKU_SPEC.num_labels), np.float32))

    @classmethod
    def joined(cls, parts: Sequence[Statements]) -> Statements:
        """All of them."""
        return cls(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))

    def ordered(self, order: Array) -> Statements:
        """The statements in this order [n]."""
        return Statements(*(column[order] for column in self))


@dataclass
class Findings:
    """What was seen in the games; B belief models (the baseline first), S statements, E events."""

    game: Array
    """[S] which game a statement was made in."""
    turn: Array
    """[S] the number of the turn."""
    observer: Array
    """[S] the faction bit of the observer's role."""
    judged: Array
    """[S] the faction bit of the role that is judged."""
    scores: Scores
    """[S, B, levels] each."""
    calibration: Array
    """[G, B, levels, BINS, 3], see `scores.calibration`; only what the deal leaves open."""
    event_game: Array
    """[E] which game an event happened in; the rest between events has rows of its own."""
    event_type: Array
    """[E] place in `types`."""
    types: tuple[str, ...]
    gains: Array
    """[E, B, levels] bits of belief in the truth that the event gave, summed over the hidden roles."""
    gained: Array
    """[G, B, levels] belief in the truth at the last question minus that at the first: what the gains of a game must sum to."""
    left_out: int = 0
    """Times nobody was asked because no deal of the roles fitted what was known: 0 where the engine's deals are right."""
    statements: Statements | None = None
    """The statements themselves, where they were kept."""

    def moved(self, first: int) -> Findings:
        """The findings with their games numbered from `first`."""
        return replace(self, game=self.game + first, event_game=self.event_game + first)


def together(parts: Sequence[Findings]) -> Findings:
    """The findings of all games, from those of parts of them, in the order of the games."""
    types = tuple(dict.fromkeys(name for some in parts for name in some.types))

    def whole(name: str) -> Array:
        return np.concatenate([getattr(some, name) for some in parts])

    kinds = [np.array([types.index(name) for name in some.types], np.int64)[some.event_type] for some in parts]
    scores = Scores(*(np.concatenate(columns) for columns in zip(*(some.scores for some in parts), strict=True)))
    said = [some.statements for some in parts if some.statements is not None]
    return Findings(
        whole("game"), whole("turn"), whole("observer"), whole("judged"), scores, whole("calibration"), whole("event_game"),
        np.concatenate(kinds), types, whole("gains"), whole("gained"), sum(some.left_out for some in parts),
        Statements.joined(said) if said else None,
    )  # fmt: skip


class _Known(NamedTuple):
    """What observers do not know, and what is true; seats relative to the observer."""

    hidden: Array
    """[n, players] bool."""
    role: Array
    """[n, players] the true role numbers."""

    @classmethod
    def of(cls, records: Array, seats: Array, players: int) -> _Known:
        """From [n] records and [n] observers."""
        others = (seats[:, np.newaxis] + np.arange(players)) % players
        rows = np.arange(len(records))[:, np.newaxis]
        return cls(records["role_seen"][rows, others] >> seats[:, np.newaxis] & 1 == 0, records["role"][rows, others].astype(np.int64))


@dataclass
class BeliefScorer:
    """Asks the belief models at every step of the games; `findings` when all are over."""

    labels: Sequence[str]
    belief_models: Sequence[BeliefModel]
    """The baseline first."""
    config: GameConfig
    games: int
    reference: ExactPosterior | None = None
    """Judged beside the belief models, under the last label."""
    keeps_statements: bool = False
    """Whether the findings are to hold the statements themselves."""
    weighs_events: bool = True
    """Whether it is asked what events told; that takes most of the time."""
    _kept: list[Statements] = field(default_factory=list)
    _statements: list[tuple[Array, ...]] = field(default_factory=list)
    _events: list[tuple[Array, Array, Array]] = field(default_factory=list)
    _types: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        shape = (self.games, len(self.labels), len(LEVELS))
        self._calibration: Array = np.zeros((*shape, BINS, 3))
        self._outside: Array = np.zeros(self.games, np.int64)
        self._first: Array = np.zeros(shape)
        self._now: Array = np.zeros(shape)
        self._left_out = 0
        none: Array = np.zeros(0, np.int64)
        self._events.append((none, none, np.zeros((0, *shape[1:]))))
        scores = [np.zeros((0, *shape[1:]), np.float32) for _ in Scores._fields]
        self._statements.append((none, none, none, none, *scores))
        self._kept.append(Statements.none(len(self.labels)))

    def see(self, step: StudyStep) -> None:
        """Ask about everything that is new."""
        if self.reference:
            self.reference.see(step.games, step.before, step.after, step.answers)
            self.reference.begin(step.begun)
        if len(step.begun):
            self._outside[step.begun] = [heroine_of(record) for record in step.first]
            if self.weighs_events:
                bits = self._truth_bits(step.first.copy(), self._outside[step.begun], self._evidence(step.begun))
                self._first[step.begun] = self._now[step.begun] = bits
            self._judge_turns(step.begun, step.first)
        if len(step.games):
            if self.weighs_events:
                self._weigh_events(step)
            turned = step.after["turn_number"] != step.before["turn_number"]
            self._judge_turns(step.games[turned], step.after[turned])

    def findings(self) -> Findings:
        """Everything, in one piece."""
        game, turn, observer, judged, *scores = (np.concatenate(column) for column in zip(*self._statements, strict=True))
        order = np.argsort(game, kind="stable")
        event_game, kind, gains = (np.concatenate(column) for column in zip(*self._events, strict=True))
        return Findings(
            game[order], turn[order], observer[order], judged[order], Scores(*(score[order] for score in scores)), self._calibration,
            event_game, kind, tuple(self._types), gains, self._now - self._first, self._left_out,
            Statements.joined(self._kept).ordered(order) if self.keeps_statements else None,
        )  # fmt: skip

    # ---- asking

    def _evidence(self, games: Array) -> list[Evidence]:
        """What the reference has seen in these games; nothing without one."""
        return [self.reference.now(game) for game in games] if self.reference else []

    def _beliefs(self, records: Array, seats: Array, evidence: list[Evidence]) -> Array:
        """[B, n, players, NUM_ROLES] what each belief model thinks in the place of these seats; NaN where no deal fits what one knows.

        `evidence` has an entry for each row, where there is a reference.
        """
        every = InfoStates(records, seats, self.config)
        fits = np.array([len(every.role_assignments(row).weights) > 0 for row in range(len(records))], np.bool_)
        self._left_out += int((~fits).sum())
        if not fits.all():
            records, seats = records[fits], seats[fits]
        info_states = InfoStates(records, seats, self.config)
        rows = observations_of(records, info_states.seats, self.config)
        found: Array = np.full((len(self.labels), len(fits), self.config.num_players, DANMAKU_SPEC.num_labels), np.nan)
        for number, model in enumerate(self.belief_models):
            found[number, fits] = beliefs_of(model, rows, info_states, self.labels[number])[:, : self.config.num_players]
        if self.reference:
            known = [one for one, fit in zip(evidence, fits, strict=True) if fit]
            found[-1, fits] = self.reference.posterior(info_states, known)[:, : self.config.num_players]
        return found

    def _truth_bits(self, records: Array, seats: Array, evidence: list[Evidence]) -> Array:
        """[n, B, levels] log2 of each belief model's probabilities of the truth, summed over the hidden seats; what lies open counts 0.

        Each in the place of a spectator behind the seat: `records` are rewritten so that it knows only the roles that lie open.
        """
        seen = records["role_seen"]
        records["role_seen"] = np.where(seen == EVERYBODY, seen, seen & ~(1 << seats[:, np.newaxis]))
        known = _Known.of(records, seats, self.config.num_players)
        found = []
        for beliefs, truth in _by_level(self._beliefs(records, seats, evidence), known.role):
            true = np.take_along_axis(beliefs, np.broadcast_to(truth, beliefs.shape[:-1])[..., np.newaxis], -1)[..., 0]
            found.append(np.where(known.hidden, log2(true), 0.0).sum(-1).T)
        return np.stack(found, -1)

    def _evidence_between(self, step: StudyStep, cut: list[Array]) -> list[Evidence]:
        """What the reference has seen at each of the intermediate states, then at the next question of each game."""
        if not self.reference:
            return []
        steps = zip(cut, step.games, step.before, step.after, strict=True)
        between = [self.reference.at(game, one, before, after) for some, game, before, after in steps for one in some]
        return between + self._evidence(step.games)

    # ---- turns

    def _judge_turns(self, games: Array, records: Array) -> None:
        """Score the beliefs of every active seat."""
        players = self.config.num_players
        active = records["active"][:, np.newaxis] >> np.arange(players) & 1 > 0
        row, seats = np.nonzero(active & (records["turn_number"] > 0)[:, np.newaxis])
        if not len(row):
            return
        records = records[row]
        known = _Known.of(records, seats, players)
        beliefs = self._beliefs(records, seats, self._evidence(games[row]))
        place = np.nonzero(known.hidden & ~np.isnan(beliefs[0, :, :, 0]))
        own = records["role"][np.arange(len(row)), seats].astype(np.int64)
        levels = []
        for level, (stated, truth) in enumerate(_by_level(beliefs, known.role)):
            hidden = stated[:, place[0], place[1]]
            scores = score(hidden, np.broadcast_to(truth[place], (len(beliefs), len(place[0]))))
            levels.append([part.T.astype(np.float32) for part in scores])
            self._calibrate(level, hidden, truth[place], games[row][place[0]])
        columns = [np.stack(parts, -1) for parts in zip(*levels, strict=True)]
        about = (games[row], records["turn_number"].astype(np.int64), dealt_factions(own))
        self._statements.append((*(column[place[0]] for column in about), dealt_factions(known.role[place]), *columns))
        if self.keeps_statements:
            observer = seats[place[0]]
            chances = beliefs[:, place[0], place[1]].transpose(1, 0, 2).astype(np.float32)
            self._kept.append(Statements(observer, own[place[0]], (observer + place[1]) % players, known.role[place], chances))

    def _calibrate(self, level: int, stated: Array, truth: Array, games: Array) -> None:
        """Count the statements [B, s, roles] by probability; the baseline tells which the deal leaves open."""
        left = is_open(stated[0])
        true = np.arange(stated.shape[-1]) == truth[:, np.newaxis]
        for game in np.unique(games):
            mine = left & (games == game)[:, np.newaxis]
            for model, chances in enumerate(stated):
                self._calibration[game, model, level] += calibration(chances[mine], true[mine])

    # ---- events

    def _weigh_events(self, step: StudyStep) -> None:
        """Note how every event, and what happened besides, moved the beliefs of a spectator, who sees only what lies open."""
        cut = [intermediate_states(before, after) for before, after in zip(step.before, step.after, strict=True)]
        sizes = np.array([len(some) for some in cut])
        records = np.concatenate([*cut, step.after])
        games = np.concatenate([np.repeat(step.games, sizes), step.games])
        bits = self._truth_bits(records, self._outside[games], self._evidence_between(step, cut))
        ends = np.cumsum(sizes)
        for place, (game, size, end) in enumerate(zip(step.games, sizes, ends, strict=True)):
            path = np.concatenate([self._now[game][np.newaxis], bits[end - size : end], bits[len(games) - len(cut) + place][np.newaxis]])
            for late in np.flatnonzero(np.isnan(path[:, 0, 0])):
                path[late] = path[late - 1]
            heroine = heroine_of(step.before[place])
            names = [event_type(event, heroine) for event in new_events(step.before[place], step.after[place])]
            kinds = [self._types.setdefault(name, len(self._types)) for name in (*names, REST)]
            self._events.append((np.full(size + 1, game), np.array(kinds), np.diff(path, axis=0)))
            self._now[game] = path[-1]


def _by_level(beliefs: Array, roles: Array) -> tuple[tuple[Array, Array], ...]:
    """(beliefs [..., classes], numbers of the true classes) for each of LEVELS."""
    return (beliefs @ IN_FACTION, FACTION_OF_ROLE[roles]), (beliefs, roles)
