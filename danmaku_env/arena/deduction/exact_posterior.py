"""The exact posterior of the roles by the players' own policies, with all hands open: a lower bound of log loss.

Nobody at the table can know this much. Given the cards, the play of a seat depends on the roles that it knows: its own, and after an
exchange of roles those that it has had. So the likelihood of a game is a product over its answers, each a function of few
roles (*evidence*), and the posterior of an observer follows from the deals of the roles that fit what it knows of roles.

For every role that a seat may have, each of its answers is weighed by how likely its agent gives it with that role, from what the seat then
sees and may answer, over all random tie-breaks. Silence counts as well, because the Extra Boss may be asked whether to reveal (R-13) where
somebody else is not asked at all: under her role the game is run on to the next true question, and all questions on the way must have been
answered by passing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from danmaku_env import GameConfig
from danmaku_env.agents.base import Agent, Policy, probabilities_of
from danmaku_env.arena.deduction.intermediate_states import new_events
from danmaku_env.arena.records import drive, legal_answers, observations_of
from danmaku_env.console.errors import UserError
from danmaku_env.danmaku import DANMAKU_SPEC
from danmaku_env.engine import actions, batch, events
from danmaku_env.engine import state as st
from danmaku_env.engine.state import EVERYBODY
from danmaku_env.info_states import InfoStates
from danmaku_env.machine.records import Array

Evidence = dict[tuple[int, ...], Array]
"""Seats -> [NUM_ROLES] * seats: the log-likelihood of answers that depend on the roles of these seats."""
NAME = "reference"
_ONLY_REVEALING = np.zeros(actions.NUM_ACTIONS, np.uint8)
_ONLY_REVEALING[[actions.PASS, actions.REVEAL_ROLE]] = 1


class _Worlds(NamedTuple):
    """Games in which some hidden roles are assumed; one row for each assumption."""

    row: Array
    """[n] place of the true game in the step."""
    seats: list[tuple[int, ...]]
    """n times the seats whose roles are assumed, the one that acts first where its role is hidden."""
    roles: list[tuple[int, ...]]
    """n times the roles they have."""
    records: Array
    """[n] records."""

    @classmethod
    def of(cls, records: Array, assumed: Sequence[tuple[int, tuple[int, ...], Array]]) -> _Worlds:
        """From true records and (row, seats, roles [m, seats]) of what is assumed in them."""
        rows = [row for row, _, roles in assumed for _ in roles]
        seats = [seats for _, seats, roles in assumed for _ in roles]
        names = [tuple(map(int, some)) for _, _, roles in assumed for some in roles]
        copies = st.as_bytes(records)[rows].view(st.STATE).reshape(-1)
        for copy, where, what in zip(copies, seats, names, strict=True):
            copy["role"][list(where)] = what
        return cls(np.array(rows, np.int64), seats, names, copies)


class ExactPosterior:
    """What is to be known about the roles in each of the games, from the policies of those who play."""

    def __init__(self, agents: Sequence[Agent], config: GameConfig, games: int) -> None:
        """The agents are seated as in `games.play`. Raises UserError for one that does not say how likely its answers are."""
        for agent in agents:
            if not isinstance(agent, Policy):
                raise UserError(f"no reference for games of {agent.name!r}: it does not say how likely its answers are (agents/base.py)")
        self._policies: list[Any] = list(agents)
        self._config = config
        self._powers: Array = DANMAKU_SPEC.entries.tables()[0]["role_becomes"] != 0
        self._answered: list[Evidence] = [{} for _ in range(games)]
        self._now: list[Evidence] = [{} for _ in range(games)]
        self._roles: list[bytes] = [b""] * games

    # ---- what was seen

    def begin(self, games: Array) -> None:
        """New games in the places of old ones: nothing is known."""
        for game in games:
            self._now[game] = {}

    def see(self, games: Array, before: Array, after: Array, answers: Array) -> None:
        """[k] numbers of games, their records at a question and at the next one, and the answers [k] that led there."""
        evidence = [{seats: table.copy() for seats, table in self._now[game].items()} for game in games]
        self._weigh_answers(games, before, answers, evidence)
        for place, game in enumerate(games):
            self._answered[game] = {seats: table.copy() for seats, table in evidence[place].items()}
            self._roles[game] = before["role"][place].tobytes()
        self._weigh_silence(games, before, after, answers, evidence)
        for place, game in enumerate(games):
            self._now[game] = _moved(evidence[place], before[place], after[place])

    def now(self, game: int) -> Evidence:
        """What speaks for which roles at the last question seen."""
        return self._now[game]

    def at(self, game: int, between: Any, before: Any, after: Any) -> Evidence:
        """What speaks for which roles between two questions (intermediate_states.py): with the last answer, without what followed."""
        exchanged = between["role"].tobytes() != self._roles[game]
        return _moved(self._answered[game], before, after) if exchanged else self._answered[game]

    def posterior(self, info_states: InfoStates, evidence: Sequence[Evidence]) -> Array:
        """[B, 8, NUM_ROLES] as a `BeliefModel` would, from what speaks for which roles in each row.

        Raises UserError where an agent gave an answer to which it assigns probability 0 under every deal.
        """
        players = self._config.num_players
        beliefs: Array = np.zeros((len(info_states), st.SEATS, DANMAKU_SPEC.num_labels))
        for row, tables in enumerate(evidence):
            deals = info_states.role_assignments(row)
            logs = np.log(deals.weights)
            for seats, table in tables.items():
                logs = logs + table[tuple(deals.roles[:, (seat - info_states.seats[row]) % players] for seat in seats)]
            if not np.isfinite(logs.max()):
                raise UserError("an agent gave an answer that it says it never gives: its probabilities are not those it plays by")
            probabilities = np.exp(logs - logs.max())
            probabilities /= probabilities.sum()
            for seat in range(players):
                beliefs[row, seat] = np.bincount(deals.roles[:, seat], probabilities, DANMAKU_SPEC.num_labels)
        return beliefs

    # ---- answers

    def _weigh_answers(self, games: Array, records: Array, answers: Array, evidence: list[Evidence]) -> None:
        assumed = list(self._assumptions(records, [[int(record["asking"])] for record in records]))
        if not assumed:
            return
        worlds = _Worlds.of(records, assumed)
        given = answers[worlds.row]
        masks, asked = self._masks(records, worlds)
        probabilities = (given == actions.PASS).astype(np.float64)
        asked &= masks[np.arange(len(given)), given] != 0
        probabilities[masks[np.arange(len(given)), given] == 0] = 0.0
        places = np.flatnonzero(asked)
        probabilities[places] = self._probabilities(games[worlds.row[places]], worlds.records[places], masks[places], given[places])
        self._note(worlds, np.arange(len(given)), probabilities, evidence)

    def _assumptions(self, records: Array, actors: Sequence[Sequence[int]]) -> Iterator[tuple[int, tuple[int, ...], Array]]:
        """(row, seats, roles [m, seats]) wherever an actor's doing depends on roles that do not lie open."""
        open_seen = np.where(records["role_seen"] == EVERYBODY, EVERYBODY, 0)
        outside = st.as_bytes(records).copy().view(st.STATE).reshape(-1)
        outside["role_seen"] = open_seen
        spectators = InfoStates(outside, np.zeros(len(records), np.int64), self._config)
        for row, some in enumerate(actors):
            for actor in some:
                seats = _known_to(records[row], actor, self._config.num_players)
                if not seats:
                    continue
                roles = spectators.role_assignments(row).possible_roles(seats)
                if len(roles) > 1:
                    yield row, seats, roles

    def _masks(self, records: Array, worlds: _Worlds) -> tuple[Array, Array]:
        """What the seat asked might answer in each world [n, N], and whether it would be asked at all [n]."""
        masks = legal_answers(records[worlds.row], self._config)
        asked = worlds.records["asking"].astype(np.int64)
        every = np.arange(len(asked))
        power = self._powers[worlds.records["role"][every, asked]]
        window = np.isin(worlds.records["question"], actions.WINDOW_QUESTION)
        less = np.flatnonzero(window & ~power & (masks[:, actions.REVEAL_ROLE] != 0))
        masks[less, actions.REVEAL_ROLE] = 0
        more = np.flatnonzero(window & power & (masks[:, actions.REVEAL_ROLE] == 0))
        if len(more):
            masks[more] = self._asked_again(worlds.records[more])
        there: Array = np.ones(len(asked), np.bool_)
        there[less] = masks[less].sum(1) > 1
        return masks, there

    def _asked_again(self, records: Array) -> Array:
        """[n, N] the legal answers when the same question is put once more, now that the roles are others."""
        again = st.as_bytes(records).copy().view(st.STATE).reshape(-1)
        again["asking"], again["question"], again["legal"] = st.NOBODY, actions.Q_NONE, 0
        drive(again, self._config.settings(), np.zeros(len(again), np.int64), batch.RESUME)
        return legal_answers(again, self._config)

    def _probabilities(self, games: Array, records: Array, masks: Array, given: Array) -> Array:
        """[n] how likely the agent that is asked in each record gives the answer."""
        seats = records["asking"].astype(np.int64)
        places = (seats + games) % len(self._policies)
        observations = observations_of(records, seats, self._config)
        probabilities: Array = np.zeros(len(records))
        for number, policy in enumerate(self._policies):
            mine = np.flatnonzero(places == number)
            if len(mine):
                info_states = InfoStates(records[mine], seats[mine], self._config)
                stated = probabilities_of(policy, observations[mine], masks[mine], info_states)
                probabilities[mine] = stated[np.arange(len(mine)), given[mine]]
        return probabilities

    def _note(self, worlds: _Worlds, which: Array, probabilities: Array, evidence: list[Evidence]) -> None:
        """Add the probabilities [m] of what was done to what speaks for the roles assumed in the worlds `which` [m]."""
        with np.errstate(divide="ignore"):
            logs = np.log(probabilities)
        for world, log in zip(which, logs, strict=True):
            seats = worlds.seats[world]
            table = evidence[worlds.row[world]].setdefault(seats, np.zeros((DANMAKU_SPEC.num_labels,) * len(seats)))
            table[worlds.roles[world]] += log

    # ---- silence

    def _weigh_silence(self, games: Array, before: Array, after: Array, answers: Array, evidence: list[Evidence]) -> None:
        """What was not revealed between two questions, by seats that then would have been asked more often than they were."""
        powerless = [
            [
                seat
                for seat in range(self._config.num_players)
                if not self._powers[one["role"][seat]] and EVERYBODY not in (one["role_seen"][seat], late["role_seen"][seat])
            ]
            for one, late in zip(before, after, strict=True)
        ]
        assumed = [(row, seats, roles[self._powers[roles[:, 0]]]) for row, seats, roles in self._assumptions(before, powerless)]
        if not assumed:
            return
        worlds = _Worlds.of(before, assumed)
        drive(worlds.records, self._config.settings(), answers[worlds.row], batch.ANSWER)
        while len(which := self._asked_to_reveal(worlds, before)):
            records = worlds.records[which]
            passing = np.zeros(len(which), np.int64)
            masks = np.broadcast_to(_ONLY_REVEALING, (len(which), actions.NUM_ACTIONS)).copy()
            self._note(worlds, which, self._probabilities(games[worlds.row[which]], records, masks, passing), evidence)
            drive(records, self._config.settings(), passing, batch.ANSWER)
            worlds.records[which] = records

    def _asked_to_reveal(self, worlds: _Worlds, before: Array) -> Array:
        """Worlds in which the seat whose role is assumed is asked for nothing but whether to reveal it: in the true game nobody is."""
        masks: Array = np.zeros((len(worlds.row), actions.NUM_ACTIONS), np.uint8)
        batch.mask_rows(worlds.records, masks)
        waiting = np.flatnonzero((masks == _ONLY_REVEALING).all(1))
        mine = [
            world
            for world in waiting
            if worlds.records["asking"][world] == _holder(worlds.seats[world][0], before[worlds.row[world]], worlds.records[world])
        ]
        return np.array(mine, np.int64)


def _known_to(record: Any, seat: int, players: int) -> tuple[int, ...]:
    """The seats whose roles do not lie open and are known to this one: itself first, if so."""
    seen = record["role_seen"][:players].tolist()
    others = [other for other in range(players) if other != seat]
    return tuple(other for other in (seat, *others) if seen[other] != EVERYBODY and seen[other] >> seat & 1)


def _exchanges(before: Any, after: Any) -> Iterator[tuple[int, int]]:
    """The seats that exchanged role cards between two records, in order."""
    for event in new_events(before, after):
        if event[st.EVENT] == events.L_ROLES:
            yield int(event[st.ACTOR]) - 1, int(event[st.TARGET]) - 1


def _holder(seat: int, before: Any, after: Any) -> int:
    """Who has the role card that lay before a seat."""
    for one, other in _exchanges(before, after):
        seat = other if seat == one else one if seat == other else seat
    return seat


def _moved(evidence: Evidence, before: Any, after: Any) -> Evidence:
    """Evidence is about role cards and goes with them."""
    if not any(True for _ in _exchanges(before, after)):
        return evidence
    return {tuple(_holder(seat, before, after) for seat in seats): table for seats, table in evidence.items()}
