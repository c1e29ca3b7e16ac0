"""A trained network as an agent: any checkpoint of `training/`, by the path of its file or of the folder of its run."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch

from danmaku_env.agents.base import Array, Handles
from danmaku_env.agents.checkpoints import load_net
from danmaku_env.agents.nets import choose_actions, one_torch_thread
from danmaku_env.engine.observe import OFFSETS

_FEWEST, _MOST = 4, 8
"""Players at a table; an observation has a flag for each number of them."""


class NeuralAgent:
    """Draws its answers with the probabilities that the network gives them, as in training, or takes the likeliest ones.

    Columns that the network does not read, such as the history at the end of an observation, may be there or not.
    """

    name = "neural"

    def __init__(self, path: str | Path, seed: int = 0, *, greedy: bool = False) -> None:
        """`path` names a checkpoint or the folder of a run. Raises CheckpointError when there is none that fits this version."""
        self._net = load_net(path)
        self._greedy = greedy
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Seed the dice that answers are drawn with."""
        self._dice = torch.Generator().manual_seed(seed)

    def act(self, observations: Array, masks: Array, handles: Handles | None = None) -> Array:
        """[B] answers; looks at observations and masks only.

        Raises ValueError when there are more players than the network was trained with: what it would see of them it never learned
        to read. The same question gets the same probabilities up to rounding, whichever rows it is asked among.
        """
        self._check_players(observations)
        with one_torch_thread():
            return choose_actions(self._net, observations, np.array(masks, np.uint8), None if self._greedy else self._dice)

    def _check_players(self, observations: Array) -> None:
        unknown = np.arange(OFFSETS["players"] + self._net.seats + 1 - _FEWEST, OFFSETS["players"] + _MOST + 1 - _FEWEST)
        flags = observations[:, unknown].any(0)
        if flags.any():
            players = self._net.seats + 1 + int(flags.argmax())
            raise ValueError(f"this network was trained for tables of up to {self._net.seats} players and cannot play at one of {players}")
