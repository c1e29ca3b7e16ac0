"""A rule-based player: plays every card sensibly, knows its role's goal, counts who hurt whom.

Its play is compiled (`kernels/`) and reads one observation row and one mask row, so it cannot see what its seat may not see. Each legal
answer gets a value in lives, and the best is taken; passing is worth nothing, a little noise breaks ties. The worth of a text follows
from what its printed program does to whom (`effects.py`), and from *preferences*: who is for me and who against me, guessed from
the counts (`kernels/opponent_model.py`). `kernels.policy.choose_rows` plays in the same way with a better guess.

What it does not do: plan a turn ahead, count which cards are gone, choose among incidents or seasons, pay cards for range before it knows
that it can, or take being hidden into account (it reveals the Extra Boss for the life at once).

Measured on one core of an AMD EPYC (`python benchmarks/rule_play.py`): a decision costs 1 to 2 microseconds, and self-play with the
engine makes about 500,000 decisions a second, half the rate of random play (docs/speed.md). At tables where half the seats play at random
its own win two to three times as often, with every role.
"""

from __future__ import annotations

import functools

import numpy as np

from danmaku_env.agents.base import ActionValues
from danmaku_env.agents.kernels import rollout
from danmaku_env.arguments import for_kernels
from danmaku_env.danmaku import DANMAKU_SPEC
from danmaku_env.heuristics import effects
from danmaku_env.heuristics.kernels import opponent_model, policy
from danmaku_env.heuristics.style import style_of
from danmaku_env.info_states import InfoStates, check_questions
from danmaku_env.jit.precompile import compile_once
from danmaku_env.machine.records import Array


class HeuristicPolicy:
    """The heuristic's play in a style (style.py), for whatever its preferences [B, 8] come from: see `preferences`."""

    def __init__(self, style: Array) -> None:
        self.style = style
        self._data = DANMAKU_SPEC.entries.tables(), effects.play_facts(), style

    def preferences(self, observations: Array, beliefs: Array) -> Array:
        """[B, 8] float64: how much the observer wants each seat brought down, from -1 (an ally) on, of beliefs [B, 8, NUM_ROLES]."""
        check_questions(observations)
        preferences: Array = np.zeros((len(observations), opponent_model.SEATS))
        opponent_model.preferences_of_beliefs(
            self._data[0], self.style, for_kernels(observations, np.uint8), for_kernels(beliefs), preferences
        )
        return preferences

    def count_preferences(self, observations: Array) -> Array:
        """[B, 8] float64: the same, from the counts of who hurt whom instead of a belief."""
        check_questions(observations)
        preferences: Array = np.zeros((len(observations), opponent_model.SEATS))
        scratch: Array = np.zeros((opponent_model.SCRATCH_ROWS, opponent_model.HIDDEN_FACTIONS))
        rows, beliefs = for_kernels(observations, np.uint8), np.zeros((opponent_model.SEATS, DANMAKU_SPEC.num_labels))
        opponent_model.count_preferences(self._data[0], self.style, rows, beliefs, scratch, preferences)
        return preferences

    def count_beliefs(self, observations: Array) -> Array:
        """[B, 8, NUM_ROLES] float64: what the counts of who hurt whom say about the roles."""
        check_questions(observations)
        beliefs: Array = np.zeros((len(observations), opponent_model.SEATS, DANMAKU_SPEC.num_labels))
        rows, scratch = for_kernels(observations, np.uint8), np.zeros((opponent_model.SCRATCH_ROWS, opponent_model.HIDDEN_FACTIONS))
        opponent_model.count_beliefs(self._data[0], self.style, rows, scratch, beliefs)
        return beliefs

    def values(self, observations: Array, masks: Array, preferences: Array) -> Array:
        """[B, N] float64: the value of each legal answer, in lives; -inf for the others."""
        check_questions(observations, masks)
        values: Array = np.zeros(masks.shape)
        observations, masks = for_kernels(observations, np.uint8), for_kernels(masks, np.uint8)
        rollout.value_rows(*self._data, observations, masks, preferences, values)
        return values

    def choose(self, observations: Array, masks: Array, preferences: Array, noise: Array) -> Array:
        """[B] the answers; `noise` [B] are the random numbers that break ties, below policy.NOISE_WORDS."""
        check_questions(observations, masks)
        chosen: Array = np.zeros(len(observations), np.int64)
        observations, masks = for_kernels(observations, np.uint8), for_kernels(masks, np.uint8)
        policy.choose_rows(*self._data, observations, masks, preferences, noise, chosen)
        return chosen

    def probabilities(self, observations: Array, masks: Array, preferences: Array) -> Array:
        """[B, N] float64: how likely each answer is, over all random tie-breaks."""
        check_questions(observations, masks)
        observations, masks = for_kernels(observations, np.uint8), for_kernels(masks, np.uint8)
        probabilities: Array = np.zeros(masks.shape)
        contenders, values = np.zeros(masks.shape[1], np.int64), np.zeros(masks.shape[1])
        policy.probability_rows(*self._data, observations, masks, preferences, contenders, values, probabilities)
        return probabilities


@functools.cache
def heuristic_policy(style: str, expansion: str) -> HeuristicPolicy:
    """Play in a style that has a name, in the games of a box. Raises ValueError for an unknown style."""
    return HeuristicPolicy(style_of(style, expansion))


class HeuristicAgent:
    """The rule-based player. It keeps nothing between decisions: all it needs is on the table."""

    name = "heuristic"

    def __init__(self, seed: int = 0, *, style: str = "hand") -> None:
        """`style` is one of `style.NAMES`; another raises ValueError. One that is fitted is that of the box in the information states."""
        self._style = style
        self._policy_for(None)
        compile_once("danmaku_env.agents.warm")
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Seed the random numbers that break ties."""
        self._rng = np.random.default_rng(seed)

    def _policy_for(self, info_states: InfoStates | None) -> HeuristicPolicy:
        """The policy with which it plays; without information states that of the base game."""
        return heuristic_policy(self._style, info_states.config.expansion if info_states is not None else "none")

    def act(self, observations: Array, masks: Array, info_states: InfoStates | None = None) -> Array:
        """[B] answers; looks at observations and masks only. Raises ValueError where these do not fit together."""
        play, noise = self._policy_for(info_states), self._rng.integers(0, policy.NOISE_WORDS, len(observations))
        return play.choose(observations, masks, play.count_preferences(observations), noise)

    def probabilities(self, observations: Array, masks: Array, info_states: InfoStates | None = None) -> Array:
        """[B, N] exact, over all random tie-breaks; see `danmaku_env.agents.base.Policy`."""
        play = self._policy_for(info_states)
        return play.probabilities(observations, masks, play.count_preferences(observations))

    def evaluate_actions(self, observations: Array, masks: Array, info_states: InfoStates | None = None) -> ActionValues:
        """The value of each answer to it, see `danmaku_env.agents.base.ActionEvaluator`."""
        play = self._policy_for(info_states)
        values = play.values(observations, masks, play.count_preferences(observations))
        return ActionValues(self.act(observations, masks, info_states), values, np.full(masks.shape, np.nan))

    def posterior(self, observations: Array, info_states: InfoStates) -> Array:
        """[B, 8, NUM_ROLES] what the counts of who hurt whom say about the roles: one role for each faction, rarer ones not told apart."""
        return self._policy_for(info_states).count_beliefs(np.ascontiguousarray(observations, np.uint8))
