"""Information-set Monte Carlo search over the deducer's belief.

At every critical decision it samples whole games that fit what its seat knows (`danmaku_env.resample`), with roles drawn from the
deducer's belief. It tries the deducer's best answers in each of them, lets the heuristic play every seat in the same style until
`TURNS_AHEAD` more turns have begun, and evaluates the position there with nets that were fitted on games in that style. All answers are
tried in the same samples with the same random numbers, so their differences are compared and not their noise. Answers that fall behind
get no more samples (sequential halving, Karnin et al. 2013). The prior counts as `PRIOR_STRENGTH` samples in which another answer did
worse by `PRIOR_LOSS`, so that a few lucky samples do not outvote the deducer.

The horizon was chosen by measurement, with coarser position values than today's. Over 1,390 pairs of answers, 24 rollouts of two turns
predict the outcome of the whole game better (correlation 0.30) than 24 whole games do (0.19), which differ mostly by luck. The same
regression gave PRIOR_STRENGTH and PRIOR_LOSS.

With `net=PATH` a trained network replaces the deducer: it names the answers to try, the roles are drawn from its belief, and the prior
is the differences between answers that it has learned.

Playing each sample as if it were known is determinisation (Long et al. 2010): it sees no value in hiding one's role.
"""

from __future__ import annotations

import functools
import math
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from danmaku_env.agents.base import ActionValues
from danmaku_env.agents.deducer import BeliefAgent
from danmaku_env.agents.heuristic import heuristic_policy
from danmaku_env.agents.kernels import rollout
from danmaku_env.beliefs.log_cache import Deals
from danmaku_env.config import GameConfig
from danmaku_env.danmaku import DANMAKU_SPEC
from danmaku_env.heuristics import effects, role_classes
from danmaku_env.heuristics.fitted import fitted_numbers, read_fitted, shipped_for
from danmaku_env.info_states import InfoState, InfoStates, check_questions
from danmaku_env.machine.records import Array

FITTED = Path(__file__).with_name("search.json")
SEARCH_SCHEMA = 2
TRIED = 4
"""Answers tried, at most: the deducer's best."""
BEHIND = 1.5
"""Answers worth this many lives less than the best are not tried."""
BEHIND_IN_NET = 5.0
"""Where a network says what to try, answers whose log-probability is below the best by more than this are not tried either."""
WORLDS_AT_ONCE = 8
"""Games sampled at once; between two batches the time is checked and answers are dropped."""
PRIOR_STRENGTH = 10.0
"""Samples that the prior counts as: the variance of a difference between samples, 0.051, divided by that of its mean about the prior
(0.0048 about PRIOR_LOSS, 0.0042 about a network's; 1,202 pairs of answers, 192 samples each)."""
PRIOR_LOSS = 0.04
"""By how much another answer than the deducer's is expected to do worse, before any world is seen."""
TURNS_AHEAD = 2
"""Turns begun before the horizon."""
REWARD_OF_LOGIT = 0.02
"""By how much reward two answers differ whose log-probabilities differ by 1, for a network that learned from a search."""
_PASSES = 3
_MOST_DEALS = 512
"""Deals that are fitted to the beliefs of a network, at most; many more are never drawn from."""
_SEARCHED_NAMES = ("main", "cancel", "respond", "attacked", "rescue", "step", "target", "second target", "may", "item")
SEARCHED = tuple(DANMAKU_SPEC.questions.index(name) for name in _SEARCHED_NAMES)
"""Questions worth a search; the others are left to the deducer, or the network."""
QUESTIONS = ("critical", "all")
"""Which questions are searched: those of SEARCHED, or every one."""
_MOST = 1 << 30
_TIES = 1e-4
"""The temperature at least, where every question is searched: the deducer finds incidents all alike, and not always the first are tried."""


class _Root(NamedTuple):
    """B questions before anything is tried."""

    answers: Array
    """[B] the answers that come first."""
    ranks: Array
    """[B, N] the order of the answers: the largest is tried first."""
    behind: float
    """Answers whose rank is below the first one's by more than this are not tried."""
    prior_losses: Array
    """[B, N] by how much each answer is expected to do worse than the first."""
    deals: Deals
    values: Array
    """[B, N] the deducer's values of the answers, in lives."""


def values_from(data: Any) -> Array:
    """[1] a record of rollout.VALUES from the plain data of a file. Raises FittedError."""
    record: Array = np.zeros(1, rollout.VALUES)
    shapes = {name: record[name][0].shape for name in rollout.VALUES.names or ()}
    for name, numbers in fitted_numbers(data, "search", SEARCH_SCHEMA, shapes).items():
        record[name][0] = numbers
    return record


@functools.cache
def fitted_values(expansion: str = "none") -> Array:
    """[1] the values shipped for the games of a box: `python -m danmaku_env.training.fits.values` made it."""
    return values_from(read_fitted(shipped_for(FITTED, expansion)))


class _NetPrior:
    """A network as the prior of a search."""

    def __init__(self, net: str) -> None:
        from danmaku_env.agents import neural  # torch is needed only here

        self._agent = neural.NeuralAgent("" if net == "shipped" else net)

    def root(
        self, observations: Array, masks: Array, info_states: InfoStates, values: Array, deals: Deals, rng: np.random.Generator
    ) -> _Root:
        """The prior of the network; `values` and `deals` are the deducer's."""
        logprobs, beliefs = self._agent.policy_and_beliefs(observations, masks, info_states)
        deals = [fewer(roles, probabilities, rng) for roles, probabilities in deals]
        deals = [(roles, fitted_deals(roles, probabilities, belief)) for (roles, probabilities), belief in zip(deals, beliefs, strict=True)]
        chosen = logprobs.argmax(1)
        prior_losses = REWARD_OF_LOGIT * (logprobs.max(1, keepdims=True) - logprobs)
        return _Root(chosen, logprobs, BEHIND_IN_NET, prior_losses, deals, values)


def fewer(roles: Array, probabilities: Array, rng: np.random.Generator) -> tuple[Array, Array]:
    """At most _MOST_DEALS deals drawn from [n, players] deals of these probabilities [n], and theirs."""
    if len(roles) <= _MOST_DEALS:
        return roles, probabilities
    drawn = rng.choice(len(roles), _MOST_DEALS, p=probabilities)
    return roles[drawn], np.full(_MOST_DEALS, 1 / _MOST_DEALS)


def fitted_deals(roles: Array, weights: Array, beliefs: Array) -> Array:
    """[n] the probabilities of deals [n, players] that are nearest to `weights` and give each seat these beliefs [8, roles].

    By iterated proportional fitting (Deming and Stephan 1940), stopped after a few passes.
    """
    found = weights.copy()
    for _ in range(_PASSES):
        for seat in range(roles.shape[1]):
            share = np.bincount(roles[:, seat], found, DANMAKU_SPEC.num_labels)
            found *= (beliefs[seat] / np.where(share > 0, share, 1.0))[roles[:, seat]]
    found = np.where(found.sum() > 0, found, weights)
    fitted: Array = found / found.sum()
    return fitted


def asked(observations: Array) -> Array:
    """[B] the question of each observation, a number in the spec's `questions`."""
    start = DANMAKU_SPEC.offsets["question"]
    kinds: Array = observations[:, start : start + len(DANMAKU_SPEC.questions)].argmax(1)
    return kinds


def worth_a_search(observations: Array) -> Array:
    """[B] whether the question of an observation is one of those searched."""
    found: Array = np.isin(asked(observations), SEARCHED)
    return found


class SearchAgent(BeliefAgent):
    """The deducer with a look ahead. Its answers depend on the worlds it deals, so it is not a `Policy`: their odds are not known."""

    name = "search"
    time_limit: float = math.inf
    """Seconds of rollouts for an answer at most, set where somebody waits for it."""

    def __init__(
        self, seed: int = 0, *, simulations: int = 200, milliseconds: float = 0.0, turns: int = TURNS_AHEAD,
        prior_strength: float = PRIOR_STRENGTH, belief: str = "likelihood", net: str = "", questions: str = "critical",
        temperature: float = 0.0,
    ) -> None:  # fmt: skip
        """`simulations` rollouts a decision at most, or as many as fit into `milliseconds` where that is given.

        `net` names a checkpoint, or is `shipped`: answers to try and beliefs then come from that network. `belief` is one of
        `beliefs.models.BELIEFS`: the belief model from which deals are drawn. With `net` they are reweighted to fit the network's beliefs.
        `prior_strength` is how many samples the prior counts as. `questions` is one of QUESTIONS. Above a
        `temperature` of 0 the answers tried beside the first one are drawn, as a teacher wants them: with probabilities that go by their
        ranks, divided by it, without replacement. Raises ValueError on options that make no search.
        """
        if not (1 <= simulations <= _MOST and 1 <= turns <= _MOST):
            raise ValueError(f"a search needs from 1 to {_MOST:,} simulations and turns, not {simulations} and {turns}")
        for name, number in (("milliseconds", milliseconds), ("prior_strength", prior_strength), ("temperature", temperature)):
            if not 0 <= number < math.inf:
                raise ValueError(f"{name} must be 0 or more, not {number}")
        if questions not in QUESTIONS:
            raise ValueError(f"a search looks at {' or '.join(QUESTIONS)} questions, not {questions!r}")
        self._net = _NetPrior(net) if net else None
        self._all = questions == "all"
        self._temperature = max(temperature, _TIES) if self._all else temperature
        self.simulations, self.milliseconds, self.turns, self.prior_strength = simulations, milliseconds, turns, prior_strength
        self._scratch = rollout.make_scratch()
        super().__init__(seed, belief=belief)

    def __getstate__(self) -> dict[str, Any]:
        """What a copy gets: all but the room for rollouts, part of which is a view of another part."""
        return {name: value for name, value in self.__dict__.items() if name != "_scratch"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._scratch = rollout.make_scratch()

    def act(self, observations: Array, masks: Array, info_states: InfoStates | None = None) -> Array:
        """[B] answers. Raises ValueError without information states: worlds are dealt through them."""
        if info_states is None:
            raise ValueError("the search deals worlds: give it information states")
        return self.evaluate_actions(observations, masks, info_states).answers

    def evaluate_actions(self, observations: Array, masks: Array, info_states: InfoStates) -> ActionValues:
        """What became of the answers it tried, see `danmaku_env.agents.base.ActionEvaluator`."""
        check_questions(observations, masks, info_states)
        root = self._root(observations, masks, info_states)
        chosen, advantages = root.answers.copy(), np.full(masks.shape, np.nan)
        for row in range(len(observations)):
            answers = self._candidates(observations[row], root.ranks[row], int(chosen[row]), root.behind)
            if len(answers) > 1:
                results, survivors = self._search(info_states[row], answers, root.prior_losses[row, answers], *root.deals[row])
                chosen[row] = answers[max(survivors, key=lambda which: self._advantage(results, root.prior_losses[row, answers], which))]
                advantages[row, answers] = [float((found - results[0][: len(found)]).mean()) for found in results]
        return ActionValues(chosen, root.values, advantages)

    def _root(self, observations: Array, masks: Array, info_states: InfoStates) -> _Root:
        """The prior of the deducer, or of the network."""
        beliefs, deals = self.belief_model.posteriors(info_states)
        play = self.policy_for(info_states)
        preferences = play.preferences(observations, beliefs)
        values = play.values(observations, masks, preferences)
        if self._net:
            return self._net.root(observations, masks, info_states, values, deals, self._rng)
        return _Root(self.choose(play, observations, masks, preferences), values, BEHIND, np.full(masks.shape, PRIOR_LOSS), deals, values)

    def searches(self, observations: Array) -> Array:
        """[B] whether the question of an observation is one of those it searches."""
        searched: Array = worth_a_search(observations) | self._all
        return searched

    def _candidates(self, observation: Array, ranks: Array, first: int, behind: float) -> Array:
        """The answers to try, the one that comes first without a search at the front."""
        if not self.searches(observation[np.newaxis])[0]:
            return np.array([first])
        # the largest of ranks to which Gumbel noise is added are drawn without replacement (Kool et al. 2019)
        order = ranks + self._temperature * self._rng.gumbel(size=len(ranks)) if self._temperature else ranks
        best = np.argsort(-order, kind="stable")[: TRIED + 1]
        near = [int(answer) for answer in best if answer != first and ranks[answer] > ranks[first] - behind]
        most = TRIED if self.milliseconds else min(TRIED, self.simulations)  # each takes a rollout at least
        return np.array([first, *near[: most - 1]])

    def _search(
        self, info_state: InfoState, answers: Array, prior_losses: Array, deals: Array, posterior: Array
    ) -> tuple[list[Array], list[int]]:
        """The reward of each answer in every game sampled from the posterior over the deals, and the answers that were not dropped."""
        start, used = time.perf_counter(), 0
        results: list[Array] = [np.zeros(0)] * len(answers)
        survivors = list(range(len(answers)))
        seat = info_state.seat
        budget = self.milliseconds or self.simulations
        halve_at = budget // 2
        while True:
            count = max(1, min(WORLDS_AT_ONCE, (self.simulations - used) // len(survivors))) if not self.milliseconds else WORLDS_AT_ONCE
            drawn = self._rng.choice(len(deals), count, p=posterior)
            worlds = info_state.worlds(count, int(self._rng.integers(1 << 62)), np.roll(deals[drawn], seat, axis=1))
            found = self._try(info_state.config, worlds, seat, answers[survivors])
            for place, which in enumerate(survivors):
                results[which] = np.concatenate([results[which], found[place]])
            used += count * len(survivors)
            seconds = time.perf_counter() - start
            spent = 1000 * seconds if self.milliseconds else used
            if spent >= halve_at and len(survivors) > 2:
                survivors = self._better_half(results, prior_losses, survivors)
                halve_at += (budget - spent) // 2
            is_done = spent >= budget if self.milliseconds else used + len(survivors) > budget
            if is_done or seconds >= self.time_limit:
                return results, survivors

    def _better_half(self, results: list[Array], prior_losses: Array, survivors: list[int]) -> list[int]:
        """The first answer, and the better half of the others."""
        others = sorted(survivors[1:], key=lambda which: -self._advantage(results, prior_losses, which))
        return [survivors[0], *others[: max(1, len(others) // 2)]]

    def _advantage(self, results: list[Array], prior_losses: Array, which: int) -> float:
        """Expected reward of an answer above the first one's: the mean of the samples and the prior."""
        seen = len(results[which])
        advantage = (results[which] - results[0][:seen]).sum()
        return float(advantage - self.prior_strength * prior_losses[which]) / (seen + self.prior_strength) if which else 0.0

    def _try(self, config: GameConfig, worlds: Array, seat: int, answers: Array) -> Array:
        """[k, W] what becomes of each answer in each world."""
        results: Array = np.zeros((len(answers), len(worlds)))
        rollout.try_answers(
            DANMAKU_SPEC.entries.tables(), effects.play_facts(), heuristic_policy(self._style, config.expansion).style,
            role_classes.CLASS_OF_ROLE, fitted_values(config.expansion), DANMAKU_SPEC.as_bytes(worlds), seat, answers, self.turns,
            self._scratch, results,
        )  # fmt: skip
        return results
