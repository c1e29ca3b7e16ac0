"""The heuristic's play over a Bayesian belief about the roles.

Its belief is exact under a model of who harms and helps whom (`beliefs/action_likelihood.py`), or, on demand, under a model of why things
were done (`beliefs/inverse_planning.py`).

What it makes of the belief is the heuristic's play in another style (`style.py`): how much each role wants which other brought down, and
what lives, cards and dodges are worth, were fitted on games with open roles. Knowing more pays little in the style set by hand, which is
made for doubt.
"""

from __future__ import annotations

import numpy as np

from danmaku_env.agents.base import Array, InfoStates, Verdicts
from danmaku_env.agents.heuristic import Play, play_of
from danmaku_env.agents.kernels import policy
from danmaku_env.beliefs.action_likelihood import ActionLikelihoodBelief
from danmaku_env.beliefs.inverse_planning import InversePlanningBelief
from danmaku_env.beliefs.log_cache import CachedBelief
from danmaku_env.jit.precompile import compile_once

BELIEFS: dict[str, type[CachedBelief]] = {"deeds": ActionLikelihoodBelief, "motives": InversePlanningBelief}
"""By what is done to whom, or by why it is done."""


def _needed(info_states: InfoStates | None) -> InfoStates:
    if info_states is None:
        raise ValueError("the deducer reads the public log: give it information states")
    return info_states


class Deducing:
    """An agent with a belief about the roles, and the heuristic's play over it."""

    def __init__(self, seed: int = 0, *, style: str = "fitted", belief: str = "deeds") -> None:
        """`style` is one of `style.NAMES`, `belief` one of BELIEFS; another raises ValueError."""
        if belief not in BELIEFS:
            raise ValueError(f"a belief is by {' or '.join(BELIEFS)}, not {belief!r}")
        self._style = style
        play_of(style, "none")
        self.deduction: CachedBelief = BELIEFS[belief]()
        compile_once("danmaku_env.agents.warm")
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Seed the dice that break ties."""
        self._dice = np.random.default_rng(seed)

    def play(self, info_states: InfoStates) -> Play:
        """How it plays by what it believes."""
        return play_of(self._style, info_states.config.expansion)

    def posterior(self, observations: Array, info_states: InfoStates) -> Array:
        """[B, 8, NUM_ROLES] float64: the probability of each role for each seat, relative to the observer."""
        return self.deduction.posterior(info_states)

    def choose(self, play: Play, observations: Array, masks: Array, enmities: Array) -> Array:
        """[B] answers of the play under these enmities, ties broken by its own dice."""
        return play.choose(observations, masks, enmities, self._dice.integers(0, policy.NOISE_WORDS, len(observations)))


class DeducerAgent(Deducing):
    """It takes the best answer of that play."""

    name = "deducer"

    def act(self, observations: Array, masks: Array, info_states: InfoStates | None = None) -> Array:
        """[B] answers. Raises ValueError without information states: the log is what it deduces from."""
        play = self.play(info_states := _needed(info_states))
        return self.choose(play, observations, masks, self._enmities(play, observations, info_states))

    def probabilities(self, observations: Array, masks: Array, info_states: InfoStates | None = None) -> Array:
        """[B, N] exact, over all dice that break ties. Raises ValueError without information states."""
        play = self.play(info_states := _needed(info_states))
        return play.chances(observations, masks, self._enmities(play, observations, info_states))

    def judge(self, observations: Array, masks: Array, info_states: InfoStates) -> Verdicts:
        """What each answer is worth to it, see `danmaku_env.agents.base.Judge`."""
        play = self.play(info_states)
        enmities = self._enmities(play, observations, info_states)
        answers = self.choose(play, observations, masks, enmities)
        return Verdicts(answers, play.worths(observations, masks, enmities), np.full(masks.shape, np.nan))

    def _enmities(self, play: Play, observations: Array, info_states: InfoStates) -> Array:
        return play.enmities(observations, self.posterior(observations, info_states))
