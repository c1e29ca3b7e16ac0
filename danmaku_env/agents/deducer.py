"""The heuristic's policy over a Bayesian belief about the roles.

The belief is exact under a model of who harms and helps whom (`beliefs/action_likelihood.py`) or, by option, under a model of why things
were done (`beliefs/inverse_planning.py`).

The policy is the heuristic's with other weights (`style.py`): the preferences of each role, and the values of lives, cards and dodges, were
fitted on games with open roles. The weights set by hand gain little from a better belief, because they were made for an uncertain one.
"""

from __future__ import annotations

import numpy as np

from danmaku_env.agents.base import ActionValues
from danmaku_env.agents.heuristic import HeuristicPolicy, heuristic_policy
from danmaku_env.beliefs.log_cache import CachedBelief
from danmaku_env.beliefs.models import BELIEFS, belief_name
from danmaku_env.heuristics.kernels import policy
from danmaku_env.info_states import InfoStates, check_questions
from danmaku_env.jit.precompile import compile_once
from danmaku_env.machine.records import Array


def _needed(info_states: InfoStates | None) -> InfoStates:
    if info_states is None:
        raise ValueError("the deducer reads the public log: give it information states")
    return info_states


class BeliefAgent:
    """An agent with a belief about the roles, and the heuristic's play over it."""

    def __init__(self, seed: int = 0, *, style: str = "fitted", belief: str = "likelihood") -> None:
        """`style` is one of `style.NAMES`, `belief` one of BELIEFS; another raises ValueError."""
        belief = belief_name(belief)
        if belief not in BELIEFS:
            raise ValueError(f"a belief is by {' or '.join(BELIEFS)}, not {belief!r}")
        self._style = style
        heuristic_policy(style, "none")
        self.belief_model: CachedBelief = BELIEFS[belief]()
        compile_once("danmaku_env.agents.warm")
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Seed the random numbers that break ties."""
        self._rng = np.random.default_rng(seed)

    def policy_for(self, info_states: InfoStates) -> HeuristicPolicy:
        """The policy with which it acts on its beliefs."""
        return heuristic_policy(self._style, info_states.config.expansion)

    def posterior(self, observations: Array, info_states: InfoStates) -> Array:
        """[B, 8, NUM_ROLES] float64: the probability of each role for each seat, relative to the observer."""
        check_questions(observations, None, info_states)
        return self.belief_model.posterior(info_states)

    def choose(self, play: HeuristicPolicy, observations: Array, masks: Array, preferences: Array) -> Array:
        """[B] answers of the play under these preferences, ties broken by its own random numbers."""
        return play.choose(observations, masks, preferences, self._rng.integers(0, policy.NOISE_WORDS, len(observations)))


class DeducerAgent(BeliefAgent):
    """It takes the best answer of that play."""

    name = "deducer"

    def act(self, observations: Array, masks: Array, info_states: InfoStates | None = None) -> Array:
        """[B] answers. Raises ValueError without information states: the log is what it deduces from."""
        play = self.policy_for(info_states := _needed(info_states))
        return self.choose(play, observations, masks, self._preferences(play, observations, info_states))

    def probabilities(self, observations: Array, masks: Array, info_states: InfoStates | None = None) -> Array:
        """[B, N] exact, over all random tie-breaks. Raises ValueError without information states."""
        play = self.policy_for(info_states := _needed(info_states))
        return play.probabilities(observations, masks, self._preferences(play, observations, info_states))

    def evaluate_actions(self, observations: Array, masks: Array, info_states: InfoStates) -> ActionValues:
        """The value of each answer to it, see `danmaku_env.agents.base.ActionEvaluator`."""
        play = self.policy_for(info_states)
        preferences = self._preferences(play, observations, info_states)
        answers = self.choose(play, observations, masks, preferences)
        return ActionValues(answers, play.values(observations, masks, preferences), np.full(masks.shape, np.nan))

    def _preferences(self, play: HeuristicPolicy, observations: Array, info_states: InfoStates) -> Array:
        return play.preferences(observations, self.posterior(observations, info_states))
