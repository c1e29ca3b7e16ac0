"""Belief models for the benchmark, some with a fault each."""

import numpy as np

from danmaku_env.arena.deduction.belief_models import Frequencies
from tests.arena.bots import First


class Prior(First):
    """Believes what the role cards allow, and nothing that anybody does."""

    name = "prior"

    def reset(self, seed):
        self.frequencies = Frequencies()

    def posterior(self, observations, info_states):
        return self.frequencies.posterior(observations, info_states)


class Late(Prior):
    """Fails when it has been asked for a while."""

    name = "late"
    asked = 0

    def posterior(self, observations, info_states):
        self.asked += 1
        if self.asked > 10:
            raise RuntimeError("game 1,999")
        return super().posterior(observations, info_states)


class Unsure(Prior):
    """Its probabilities do not sum to 1."""

    name = "unsure"

    def posterior(self, observations, info_states):
        return np.asarray(super().posterior(observations, info_states)) * 0.9
