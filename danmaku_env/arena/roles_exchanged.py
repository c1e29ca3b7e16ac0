"""An agent in games with itself: its role separation, and how it answers when its own role is exchanged in what it sees.

*Exchanged*: in the row of a seat that is asked whom to harm, its own role is replaced by that of another seat of another faction, whose
role it does not know, and all else stays as it is; then the agent is asked again. An agent that listens to its role now names enemies of
its true faction less often; one that is blind to roles answers as before. Where the agent states its probabilities
(`agents.base.Policy`) these are compared, so nothing is left to chance. The *distance* of the two answers is half of the sum of the
differences of their probabilities (total variation): 0 where they are the same, 1 where no answer is in both.

Agents that ask the information states find the roles of the two seats exchanged there. A Heroine gets another role too, though
everybody knows her: in the row that she then sees, nobody is the Heroine.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from danmaku_env import GameConfig, make_vec
from danmaku_env.agents.base import Policy, answers_of, probabilities_of, reset
from danmaku_env.agents.harm import asks_whom_to_harm
from danmaku_env.agents.registry import make
from danmaku_env.agents.role_separation import NAMES, OF_SHARES, Separation, SeparationSums, count, facts
from danmaku_env.arena import rollout
from danmaku_env.beliefs.factions import faction_names
from danmaku_env.console.errors import UserError
from danmaku_env.danmaku import DANMAKU_SPEC
from danmaku_env.engine import naming
from danmaku_env.engine.actions import SEAT_BASE
from danmaku_env.estimates import student_half_width
from danmaku_env.game import check_seed, row_seeds
from danmaku_env.info_states import InfoStates
from danmaku_env.machine.records import Array
from danmaku_env.spec import spec_of

NAMING_SEATS = slice(SEAT_BASE, SEAT_BASE + DANMAKU_SPEC.most_seats)
"""Columns of the answers that name a seat."""
_MINE = slice(DANMAKU_SPEC.offsets["role"], DANMAKU_SPEC.offsets["role"] + DANMAKU_SPEC.num_labels - 1)
"""Columns of one's own role."""
_ASKED, _CHANCE, _TRUE, _TRUE_ENEMY, _OTHER, _OTHER_ENEMY, _DISTANCE = range(7)
"""Of a game and faction: questions asked again; of these, enemies by chance; how often a seat was named, and an enemy, by the true role
and by the other; and the sum of the distances."""
SUMS = 7


@dataclass(frozen=True)
class ExchangeResult:
    """How far the choice of whom to harm depends on one's role."""

    asked: int
    """Questions that were asked again with the role exchanged."""
    games: int
    named: float
    """Share of the seats named, by the true role, that are enemies of the true faction."""
    exchanged: float
    """Share that are enemies by the exchanged role: the same for an agent that is blind to roles, less for one that uses them."""
    low: float
    """Of named - exchanged: the lower end of its 95 % interval, with the game as the unit."""
    high: float
    chance: float
    distance: float
    """Mean distance of the two answers; NaN for an agent that does not state its probabilities."""

    @property
    def difference(self) -> float:
        """By how much enemies are named more often by the true role than by the other."""
        return self.named - self.exchanged

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON, None for numbers that are not finite."""
        data = {**self.__dict__, "difference": self.difference}
        return {name: value if math.isfinite(value) else None for name, value in data.items()}


@dataclass(frozen=True)
class Awareness:
    """What games of an agent with itself tell of its roles."""

    spec: str
    games: int
    separation: Separation
    exchanged: Mapping[str, ExchangeResult]
    """By own faction, those that were asked again."""

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        exchanged = {faction: result.to_dict() for faction, result in self.exchanged.items()}
        return {"agent": self.spec, "games": self.games, **self.separation.to_dict(), "exchanged": exchanged}


def exchange(observations: Array, games: Array, seats: Array, players: int, rng: np.random.Generator) -> tuple[Array, Array, Array]:
    """Rows in which one's own role is replaced by one of another faction, and [k] where there is one.

    Of [B, n] observations, [B] records and the [B] seats they are of: copies [k, n] and [k], in which that seat and the other have each
    other's role, and the [k] places. The other seat is drawn among those of another faction whose role the seat does not know.
    """
    team, every = facts()[0]["team"], np.arange(len(games))
    role, mine = games["role"].astype(np.int64), games["role"][every, seats].astype(np.int64)
    hidden = (games["role_seen"] >> seats[:, None] & 1) == 0
    others = hidden & (team[role] != team[mine][:, None]) & (team[role] != 0) & (team[mine] != 0)[:, None]
    others[:, players:] = False
    drawn = (rng.random(others.shape) * others).argmax(1)
    places = np.flatnonzero(others.any(1))
    rows, records, seat, other = observations[places].copy(), games[places].copy(), seats[places], drawn[places]
    here = np.arange(len(places))
    records["role"][here, seat], records["role"][here, other] = role[places, other], mine[places]
    rows[:, _MINE] = np.arange(1, DANMAKU_SPEC.num_labels) == records["role"][here, seat][:, None]
    return rows, records, places


def enemies(games: Array, seats: Array, players: int) -> Array:
    """[B, 8] bool, seats relative to the one asked, as answers name them: who is of another faction (R-3) at this moment."""
    team: Array = facts()[0]["team"]
    turned = (np.arange(players) + seats[:, None]) % players
    teams = team[np.take_along_axis(games["role"].astype(np.int64), turned, 1)]
    found: Array = np.zeros((len(games), DANMAKU_SPEC.most_seats), np.bool_)
    found[:, :players] = (teams != teams[:, :1]) & (teams != 0) & (teams[:, :1] != 0)
    return found


class _Asker:
    """Asks an agent what it would answer, by its true role and by another."""

    def __init__(self, spec: str, seed: int, config: GameConfig) -> None:
        self._agent = make(spec, seed)  # another than the one that plays, whose random numbers are left alone
        reset(self._agent, seed)
        self._rng = np.random.default_rng([seed, 1])
        self._config = config

    @property
    def is_policy(self) -> bool:
        """Whether the agent states its probabilities."""
        return isinstance(self._agent, Policy)

    def ask(self, games: Array, seats: Array, observations: Array, masks: Array) -> tuple[Array, Array, Array]:
        """[k] places, [k] own factions and [k, SUMS] what the agent says there: where a seat is asked whom to harm."""
        legal, players = masks[:, NAMING_SEATS] != 0, self._config.num_players
        own = facts()[0]["own"][games["role"][np.arange(len(games)), seats]].astype(np.int64)
        asked = np.flatnonzero(asks_whom_to_harm(games) & (legal.sum(1) > 1) & (own != naming.NOBODY))
        rows, records, places = exchange(observations[asked], games[asked], seats[asked], players, self._rng)
        asked = asked[places]
        foes, there = enemies(games[asked], seats[asked], players), legal[asked]
        true = self._chances(observations[asked], masks[asked], games[asked], seats[asked])
        other = self._chances(rows, masks[asked], records, seats[asked])
        named, exchanged = true[:, NAMING_SEATS], other[:, NAMING_SEATS]
        chance = named.sum(1) * (foes & there).sum(1) / there.sum(1)
        distance = np.abs(true - other).sum(1) / 2
        found = [np.ones(len(asked)), chance, named.sum(1), (named * foes).sum(1), exchanged.sum(1), (exchanged * foes).sum(1), distance]
        return asked, own[asked], np.stack(found, 1)

    def _chances(self, rows: Array, masks: Array, games: Array, seats: Array) -> Array:
        """[k, N] the probabilities of its answers; of one that does not state them, 1 for the answer it gives."""
        if not len(rows):
            return np.zeros(masks.shape)
        info_states = InfoStates(games, seats, self._config)
        if isinstance(self._agent, Policy):
            return probabilities_of(self._agent, rows, masks, info_states)
        certain: Array = np.eye(masks.shape[1])[answers_of(self._agent, rows, masks, info_states)]
        return certain


def play_with_itself(
    spec: str, config: GameConfig, *, games: int = 400, seed: int = 0, tick: Callable[[int], object] | None = None
) -> Awareness:
    """Play this many games of an agent with itself, and tell its role separation, and what its role has to do with it.

    `tick` is told of every game that is over. Raises UserError for an agent that cannot be made or does not answer.
    """
    if games < 1:
        raise UserError(f"there must be at least 1 game, not {games}")
    spec_of(config).entries.compile_once()
    agent, asker = make(spec, seed), _Asker(spec, seed + 1, config)
    reset(agent, seed)
    vec = make_vec(min(games, rollout.ROWS_AT_ONCE), config)
    episodes = rollout.Episodes.of(vec, row_seeds(check_seed(seed), games))
    counts, over = naming.room(vec.num_envs), SeparationSums()
    sums: Array = np.zeros((games, len(NAMES), SUMS))

    def answer(rows: Array) -> Array:
        answers = rollout.ask(vec, [agent], np.zeros(vec.num_envs, np.int64), rows)
        count(vec.games, vec.seats, vec.action_masks, answers, counts)
        asked, own, said = asker.ask(vec.records(rows), vec.seats[rows].astype(np.int64), vec.observations[rows], vec.action_masks[rows])
        np.add.at(sums, (episodes.game[rows[asked]], own), said)
        return answers

    for step in rollout.play(vec, episodes, answer):
        over.take(counts[step.ended].sum(1))
        counts[step.ended] = 0
        if tick and len(step.ended):
            tick(len(step.ended))
    found = {name: _listening(sums[:, NAMES.index(name)], states=asker.is_policy) for name in faction_names(config)}
    return Awareness(spec, games, over.separation(config), {name: result for name, result in found.items() if result.asked})


def _listening(sums: Array, *, states: bool) -> ExchangeResult:
    """What [games, SUMS] sums of a faction tell; `states`: the agent states its probabilities."""
    there, total = sums[sums[:, _ASKED] > 0], sums.sum(0)
    asked, games = int(total[_ASKED]), len(there)
    if not (total[_TRUE] > 0 and total[_OTHER] > 0):
        return ExchangeResult(0, 0, *[math.nan] * 6)
    named, other = total[_TRUE_ENEMY] / total[_TRUE], total[_OTHER_ENEMY] / total[_OTHER]
    true = (there[:, _TRUE_ENEMY] - named * there[:, _TRUE]) / total[_TRUE]
    parts = true - (there[:, _OTHER_ENEMY] - other * there[:, _OTHER]) / total[_OTHER]
    half = math.inf
    if games > 1:  # of two ratios, linearised
        half = student_half_width(math.sqrt(float((parts**2).sum()) * games / (games - 1)), games - 1, OF_SHARES)
    distance = total[_DISTANCE] / total[_ASKED] if states else math.nan
    return ExchangeResult(asked, games, named, other, named - other - half, named - other + half, total[_CHANCE] / total[_TRUE], distance)
