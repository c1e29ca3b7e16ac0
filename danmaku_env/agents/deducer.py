"""The heuristic's play over a Bayesian belief about the roles.

Its belief is exact under a model of who harms and helps whom (`deduction.py`), or, on demand, under a model of why things were done
(`motives.py`).

What it makes of the belief is the heuristic's play in another style (`style.py`): how much each role wants which other brought down, and
what lives, cards and dodges are worth, were fitted on games with open roles. Knowing more pays little in the style set by hand, which is
made for doubt.
"""

from __future__ import annotations

import numpy as np

from danmaku_env.agents.base import Array, Handles, Verdicts
from danmaku_env.agents.heuristic import Play, play_of
from danmaku_env.agents.kernels import choice
from danmaku_env.beliefs.deduction import Deduction
from danmaku_env.beliefs.motives import Motives
from danmaku_env.beliefs.remembering import Posterior
from danmaku_env.jit.precompile import compile_once

BELIEFS: dict[str, type[Posterior]] = {"deeds": Deduction, "motives": Motives}
"""By what is done to whom, or by why it is done."""


def _needed(handles: Handles | None) -> Handles:
    if handles is None:
        raise ValueError("the deducer reads the public log: give it handles")
    return handles


class Deducing:
    """An agent with a belief about the roles, and the heuristic's play over it."""

    def __init__(self, seed: int = 0, *, style: str = "fitted", belief: str = "deeds") -> None:
        """`style` is one of `style.NAMES`, `belief` one of BELIEFS; another raises ValueError."""
        if belief not in BELIEFS:
            raise ValueError(f"a belief is by {' or '.join(BELIEFS)}, not {belief!r}")
        self._style = style
        play_of(style, "none")
        self.deduction: Posterior = BELIEFS[belief]()
        compile_once("danmaku_env.agents.warm")
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Seed the dice that break ties."""
        self._dice = np.random.default_rng(seed)

    def play(self, handles: Handles) -> Play:
        """How it plays by what it believes."""
        return play_of(self._style, handles.config.expansion)

    def believe(self, observations: Array, handles: Handles) -> Array:
        """[B, 8, NUM_ROLES] float64: the probability of each role for each seat, relative to the observer."""
        return self.deduction.believe(handles)

    def choose(self, play: Play, observations: Array, masks: Array, enmities: Array) -> Array:
        """[B] answers of the play under these enmities, ties broken by its own dice."""
        return play.choose(observations, masks, enmities, self._dice.integers(0, choice.NOISE_WORDS, len(observations)))


class DeducerAgent(Deducing):
    """It takes the best answer of that play."""

    name = "deducer"

    def act(self, observations: Array, masks: Array, handles: Handles | None = None) -> Array:
        """[B] answers. Raises ValueError without handles: the log is what it deduces from."""
        play = self.play(handles := _needed(handles))
        return self.choose(play, observations, masks, self._enmities(play, observations, handles))

    def probabilities(self, observations: Array, masks: Array, handles: Handles | None = None) -> Array:
        """[B, N] exact, over all dice that break ties. Raises ValueError without handles."""
        play = self.play(handles := _needed(handles))
        return play.chances(observations, masks, self._enmities(play, observations, handles))

    def judge(self, observations: Array, masks: Array, handles: Handles) -> Verdicts:
        """What each answer is worth to it, see `danmaku_env.agents.base.Judge`."""
        play = self.play(handles)
        enmities = self._enmities(play, observations, handles)
        answers = self.choose(play, observations, masks, enmities)
        return Verdicts(answers, play.worths(observations, masks, enmities), np.full(masks.shape, np.nan))

    def _enmities(self, play: Play, observations: Array, handles: Handles) -> Array:
        return play.enmities(observations, self.believe(observations, handles))
