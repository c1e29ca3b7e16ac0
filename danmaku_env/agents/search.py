"""Information-set Monte Carlo search over the deducer's belief.

For every decision of weight it deals worlds that fit what its seat knows (`danmaku_env.resample`), the roles drawn from the deducer's
belief, tries the deducer's few best answers in each of them, lets the heuristic play on in the same style for every seat until
`TURNS_AHEAD` more turns have begun, and reads off what the position is worth, with nets fitted on games in that style. All answers are
tried in the same worlds with the same dice, so their differences are compared and not their noise; the answers that fall behind get no
more worlds (sequential halving, Karnin et al. 2013). `TRUST` worlds in which another answer does worse by `PRIOR_DOUBT` are taken as seen
before, so that a few lucky worlds do not outvote the deducer.

How far to look was measured, with coarser values of positions than today's: over 1,390 pairs of answers, 24 worlds to a horizon of two
turns foretell the outcome of whole games from there on better (correlation 0.30) than 24 whole games do (0.19), for those differ by luck;
the same regression gave TRUST and PRIOR_DOUBT.

With `net=PATH` a trained network takes the deducer's place: the answers it would rather give are tried, the roles are dealt by its
belief, and the doubt is what it has learned of the differences between answers.

Playing each world as if it were known is determinisation (Long et al. 2010): it sees no worth in hiding one's role.
"""

from __future__ import annotations

import functools
import math
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from danmaku_env.agents import effects
from danmaku_env.agents.base import ActionValues, Array, InfoState, InfoStates
from danmaku_env.agents.deducer import BeliefAgent
from danmaku_env.agents.fitted import fitted_numbers, read_fitted, shipped_for
from danmaku_env.agents.heuristic import heuristic_policy
from danmaku_env.agents.kernels import rollout
from danmaku_env.beliefs.kernels import action_likelihood
from danmaku_env.beliefs.log_cache import Deals
from danmaku_env.cards.box import NUM_ROLES
from danmaku_env.cards.compile import compile_cards
from danmaku_env.config import GameConfig
from danmaku_env.engine import actions, observation
from danmaku_env.engine import state as st

FITTED = Path(__file__).with_name("search.json")
SEARCH_SCHEMA = 2
TRIED = 4
"""Answers tried, at most: the deducer's best."""
BEHIND = 1.5
"""Answers worth so many lives less than the best are not tried."""
BEHIND_IN_NET = 5.0
"""Nor are those whose log-probability is so much less, where a network says what to try."""
WORLDS_AT_ONCE = 8
"""Worlds dealt at once; between two batches the time is looked at and answers are dropped."""
TRUST = 10.0
"""Worlds that the doubt counts as: the variance of a difference from world to world, 0.051, by that of its mean about the doubt (0.0048
about PRIOR_DOUBT, 0.0042 about a network's; 1,202 pairs of answers, 192 worlds each)."""
PRIOR_DOUBT = 0.04
"""By how much another answer than the deducer's is expected to do worse, before any world is seen."""
TURNS_AHEAD = 2
"""Turns begun before the horizon."""
REWARD_OF_LOGIT = 0.02
"""By how much reward two answers differ whose log-probabilities differ by 1, for a network that learned from a search."""
_PASSES = 3
_MOST_DEALS = 512
"""Deals that are fitted to the beliefs of a network, at most; many more are never drawn from."""
_SEARCHED_NAMES = ("main", "cancel", "respond", "attacked", "rescue", "step", "target", "second target", "may", "item")
SEARCHED = tuple(actions.QUESTIONS.index(name) for name in _SEARCHED_NAMES)
"""Questions worth a search; the others are left to the deducer, or the network."""
QUESTIONS = ("weighty", "all")
"""Which questions are searched: those of SEARCHED, or every one."""
_MOST = 1 << 30
_TIES = 1e-4
"""The temperature at least, where every question is searched: the deducer finds incidents all alike, and not always the first are tried."""


class _Sight(NamedTuple):
    """B questions as they look before anything is tried."""

    answers: Array
    """[B] the answers that come first."""
    ranks: Array
    """[B, N] the order of the answers: the largest is tried first."""
    behind: float
    """Answers whose rank is so much below the first one's are not tried."""
    doubts: Array
    """[B, N] by how much each answer is expected to do worse than the first."""
    deals: Deals
    values: Array
    """[B, N] what the answers are worth to the deducer, in lives."""


def values_from(data: Any) -> Array:
    """The record of rollout.VALUES from the plain data of a file. Raises FittedError."""
    record: Array = np.zeros(1, rollout.VALUES)
    shapes = {name: record[name][0].shape for name in rollout.VALUES.names or ()}
    for name, numbers in fitted_numbers(data, "search", SEARCH_SCHEMA, shapes).items():
        record[name][0] = numbers
    return record


@functools.cache
def fitted_values(expansion: str = "none") -> Array:
    """What is shipped for the games of a box: `python -m danmaku_env.training.fits.values` made it."""
    return values_from(read_fitted(shipped_for(FITTED, expansion)))


class _Advice:
    """What a network says to a search."""

    def __init__(self, net: str) -> None:
        from danmaku_env.agents import neural  # torch is needed only here

        self._agent = neural.NeuralAgent("" if net == "shipped" else net)

    def sight(
        self, observations: Array, masks: Array, info_states: InfoStates, values: Array, deals: Deals, dice: np.random.Generator
    ) -> _Sight:
        """The questions as the network sees them; `values` and `deals` are the deducer's."""
        logprobs, beliefs = self._agent.advise(observations, masks, info_states)
        deals = [fewer(roles, chances, dice) for roles, chances in deals]
        deals = [(roles, fitted_deals(roles, chances, belief)) for (roles, chances), belief in zip(deals, beliefs, strict=True)]
        chosen = logprobs.argmax(1)
        doubts = REWARD_OF_LOGIT * (logprobs.max(1, keepdims=True) - logprobs)
        return _Sight(chosen, logprobs, BEHIND_IN_NET, doubts, deals, values)


def fewer(roles: Array, chances: Array, dice: np.random.Generator) -> tuple[Array, Array]:
    """At most _MOST_DEALS deals drawn from [n, players] deals of these probabilities [n], and theirs."""
    if len(roles) <= _MOST_DEALS:
        return roles, chances
    drawn = dice.choice(len(roles), _MOST_DEALS, p=chances)
    return roles[drawn], np.full(_MOST_DEALS, 1 / _MOST_DEALS)


def fitted_deals(roles: Array, weights: Array, beliefs: Array) -> Array:
    """[n] the probabilities of deals [n, players] that are nearest to `weights` and give each seat these beliefs [8, roles].

    By iterated proportional fitting (Deming and Stephan 1940), stopped after a few passes.
    """
    found = weights.copy()
    for _ in range(_PASSES):
        for seat in range(roles.shape[1]):
            share = np.bincount(roles[:, seat], found, NUM_ROLES)
            found *= (beliefs[seat] / np.where(share > 0, share, 1.0))[roles[:, seat]]
    found = np.where(found.sum() > 0, found, weights)
    fitted: Array = found / found.sum()
    return fitted


def asked(observations: Array) -> Array:
    """[B] the question of each observation, a number in actions.QUESTIONS."""
    start = observation.OFFSETS["question"]
    kinds: Array = observations[:, start : start + len(actions.QUESTIONS)].argmax(1)
    return kinds


def worth_a_search(observations: Array) -> Array:
    """[B] whether the question of an observation is one of those searched."""
    found: Array = np.isin(asked(observations), SEARCHED)
    return found


class SearchAgent(BeliefAgent):
    """The deducer with a look ahead. Its answers depend on the worlds it deals, so it is no `Policy`: their odds are not known."""

    name = "search"

    def __init__(
        self, seed: int = 0, *, simulations: int = 200, milliseconds: float = 0.0, turns: int = TURNS_AHEAD, trust: float = TRUST,
        belief: str = "likelihood", net: str = "", questions: str = "weighty", temperature: float = 0.0,
    ) -> None:  # fmt: skip
        """`simulations` rollouts a decision at most, or as many as fit into `milliseconds` where that is given.

        `net` names a checkpoint, or is `shipped`: answers to try and beliefs then come from that network. `belief` is one of
        `deducer.BELIEFS`: by which deals are drawn, or fitted to those of the network. `trust` is how many worlds the doubt counts as.
        `questions` is one of QUESTIONS. Above a `temperature` of 0 the answers tried beside the first one are drawn, as a teacher wants
        them: with probabilities that go by their ranks, divided by it, without replacement. Raises ValueError on what makes no search.
        """
        if not (1 <= simulations <= _MOST and 1 <= turns <= _MOST):
            raise ValueError(f"a search needs from 1 to {_MOST:,} simulations and turns, not {simulations} and {turns}")
        for name, number in (("milliseconds", milliseconds), ("trust", trust), ("temperature", temperature)):
            if not 0 <= number < math.inf:
                raise ValueError(f"{name} must be 0 or more, not {number}")
        if questions not in QUESTIONS:
            raise ValueError(f"a search looks at {' or '.join(QUESTIONS)} questions, not {questions!r}")
        self._net = _Advice(net) if net else None
        self._all = questions == "all"
        self._temperature = max(temperature, _TIES) if self._all else temperature
        self.simulations, self.milliseconds, self.turns, self.trust = simulations, milliseconds, turns, trust
        self._room = rollout.make_room()
        super().__init__(seed, belief=belief)

    def act(self, observations: Array, masks: Array, info_states: InfoStates | None = None) -> Array:
        """[B] answers. Raises ValueError without information states: worlds are dealt through them."""
        if info_states is None:
            raise ValueError("the search deals worlds: give it information states")
        return self.evaluate_actions(observations, masks, info_states).answers

    def evaluate_actions(self, observations: Array, masks: Array, info_states: InfoStates) -> ActionValues:
        """What became of the answers it tried, see `danmaku_env.agents.base.ActionEvaluator`."""
        sight = self._sight(observations, masks, info_states)
        chosen, advantages = sight.answers.copy(), np.full(masks.shape, np.nan)
        for row in range(len(observations)):
            answers = self._candidates(observations[row], sight.ranks[row], int(chosen[row]), sight.behind)
            if len(answers) > 1:
                results, left = self._search(info_states[row], answers, sight.doubts[row, answers], *sight.deals[row])
                chosen[row] = answers[max(left, key=lambda which: self._lead(results, sight.doubts[row, answers], which))]
                advantages[row, answers] = [float((found - results[0][: len(found)]).mean()) for found in results]
        return ActionValues(chosen, sight.values, advantages)

    def _sight(self, observations: Array, masks: Array, info_states: InfoStates) -> _Sight:
        """What the deducer, or the network, makes of the questions."""
        beliefs, deals = self.belief_model.posteriors(info_states)
        play = self.play(info_states)
        preferences = play.preferences(observations, beliefs)
        values = play.values(observations, masks, preferences)
        if self._net:
            return self._net.sight(observations, masks, info_states, values, deals, self._dice)
        return _Sight(self.choose(play, observations, masks, preferences), values, BEHIND, np.full(masks.shape, PRIOR_DOUBT), deals, values)

    def searches(self, observations: Array) -> Array:
        """[B] whether the question of an observation is one of those it searches."""
        searched: Array = worth_a_search(observations) | self._all
        return searched

    def _candidates(self, observation: Array, ranks: Array, first: int, behind: float) -> Array:
        """The answers to try, the one that comes first without a search at the front."""
        if not self.searches(observation[np.newaxis])[0]:
            return np.array([first])
        # the largest of ranks to which Gumbel noise is added are drawn without replacement (Kool et al. 2019)
        order = ranks + self._temperature * self._dice.gumbel(size=len(ranks)) if self._temperature else ranks
        best = np.argsort(-order, kind="stable")[: TRIED + 1]
        near = [int(answer) for answer in best if answer != first and ranks[answer] > ranks[first] - behind]
        most = TRIED if self.milliseconds else min(TRIED, self.simulations)  # each takes a rollout at least
        return np.array([first, *near[: most - 1]])

    def _search(
        self, info_state: InfoState, answers: Array, doubts: Array, deals: Array, posterior: Array
    ) -> tuple[list[Array], list[int]]:
        """What became of each answer, world by world, in worlds drawn from the posterior over the deals; and the last ones not dropped."""
        start, used = time.perf_counter(), 0
        results: list[Array] = [np.zeros(0)] * len(answers)
        left = list(range(len(answers)))
        seat = info_state.seat
        halve_at = self.simulations // 2
        while True:
            count = max(1, min(WORLDS_AT_ONCE, (self.simulations - used) // len(left))) if not self.milliseconds else WORLDS_AT_ONCE
            drawn = self._dice.choice(len(deals), count, p=posterior)
            worlds = info_state.worlds(count, int(self._dice.integers(1 << 62)), np.roll(deals[drawn], seat, axis=1))
            found = self._try(info_state.config, worlds, seat, answers[left])
            for place, which in enumerate(left):
                results[which] = np.concatenate([results[which], found[place]])
            used += count * len(left)
            if used >= halve_at and len(left) > 2:
                left = self._better_half(results, doubts, left)
                halve_at += (self.simulations - used) // 2
            if self._time_is_up(start) if self.milliseconds else used + len(left) > self.simulations:
                return results, left

    def _time_is_up(self, start: float) -> bool:
        return (time.perf_counter() - start) * 1000 >= self.milliseconds

    def _better_half(self, results: list[Array], doubts: Array, left: list[int]) -> list[int]:
        """The first answer, and the better half of the others."""
        others = sorted(left[1:], key=lambda which: -self._lead(results, doubts, which))
        return [left[0], *others[: max(1, len(others) // 2)]]

    def _lead(self, results: list[Array], doubts: Array, which: int) -> float:
        """Expected reward of an answer above the first one's: the worlds seen, and the doubt held before."""
        seen = len(results[which])
        lead = (results[which] - results[0][:seen]).sum()
        return float(lead - self.trust * doubts[which]) / (seen + self.trust) if which else 0.0

    def _try(self, config: GameConfig, worlds: Array, seat: int, answers: Array) -> Array:
        """[k, W] what becomes of each answer in each world."""
        results: Array = np.zeros((len(answers), len(worlds)))
        rollout.try_answers(
            compile_cards().tables, effects.play_facts(), heuristic_policy(self._style, config.expansion).style,
            action_likelihood.CLASS_OF_ROLE, fitted_values(config.expansion), st.as_bytes(worlds), seat, answers, self.turns,
            self._room, results,
        )  # fmt: skip
        return results
