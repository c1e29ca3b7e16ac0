"""A policy that a trainer of another library has learned, as an agent: `policy:runs/sb3`, the file or the folder of a run."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch

from danmaku_env.game import check_seed
from danmaku_env.info_states import InfoStates, check_questions, with_history
from danmaku_env.machine.records import Array
from danmaku_env.nets.layered_policy import load_policy, logprobs_of
from danmaku_env.nets.network import one_torch_thread, pick


class PolicyAgent:
    """Takes the answers that the policy finds likeliest, or draws them with its probabilities, as in training.

    Where it reads the log, and observations do not end with it (`GameConfig(history=...)`), it asks the information states.
    """

    name = "policy"

    def __init__(self, path: str | Path, seed: int = 0, *, greedy: bool = True) -> None:
        """`path` names a file that `save_policy` wrote, or the folder of a run. Raises CheckpointError."""
        self._policy = load_policy(path)
        self._greedy = greedy
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Seed the generator that answers are drawn with."""
        self._rng = torch.Generator().manual_seed(check_seed(seed))

    def act(self, observations: Array, masks: Array, info_states: InfoStates | None = None) -> Array:
        """[B] answers. Raises ValueError where the policy reads the log and gets it neither with observations nor by information states."""
        with one_torch_thread():
            return pick(self._ask(observations, masks, info_states), None if self._greedy else self._rng)

    def probabilities(self, observations: Array, masks: Array, info_states: InfoStates | None = None) -> Array:
        """[B, N] what the policy gives each answer, or all to the likeliest; see `danmaku_env.agents.base.Policy`."""
        with one_torch_thread():
            logprobs = self._ask(observations, masks, info_states).double()
            probabilities: Array = np.eye(logprobs.shape[1])[logprobs.argmax(1).numpy()] if self._greedy else logprobs.softmax(1).numpy()
        return probabilities

    def _ask(self, observations: Array, masks: Array, info_states: InfoStates | None) -> torch.Tensor:
        check_questions(observations, masks, info_states)
        return logprobs_of(self._policy, with_history("policy", self._policy.history, observations, info_states), masks)
