"""What PPO keeps of the decisions of a window, row by row of their trajectories."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import torch
from torch import Tensor

from danmaku_env.engine import state as st
from danmaku_env.engine.actions import NUM_ACTIONS
from danmaku_env.training.trajectories import Array, Trajectories


class Buffer(Trajectories):
    """What the network saw and answered in one window, and what its critic saw besides."""

    def __init__(self, games: int, window: int, width: int, seen: int) -> None:
        """`width` bytes that the network reads, and `seen` that only its critic sees."""
        super().__init__(games, window)
        size = len(self.values)
        self.inputs = torch.zeros(size, width, dtype=torch.uint8)
        self.seen = torch.zeros(size, seen, dtype=torch.uint8)
        self.masks = torch.zeros(size, NUM_ACTIONS, dtype=torch.uint8)
        self.roles = torch.zeros(size, st.SEATS, dtype=torch.uint8)
        self.actions = torch.zeros(size, dtype=torch.int64)
        self.logprobs = torch.zeros(size)

    def move(self, old: Array, new: Array) -> None:
        """The same for what is kept here."""
        for kept in self._kept().values():
            kept[new] = kept[old]

    def _kept(self) -> dict[str, Tensor]:
        names = ("inputs", "seen", "masks", "roles", "actions", "logprobs")
        return {name: getattr(self, name) for name in names}

    def state(self) -> dict[str, Tensor]:
        """What the next window needs, after `carry`."""
        rows = torch.from_numpy(np.flatnonzero(self.used))
        kept = {**self._kept(), "values": torch.from_numpy(self.values)}
        return {"carried.rows": rows, **{f"carried.{name}": tensor[rows] for name, tensor in kept.items()}}

    def restore(self, state: dict[str, Tensor], highest: Mapping[str, Array]) -> None:
        """The inverse of `state`, on a fresh buffer. `highest` are the highest bytes that can be read. Raises ValueError."""
        rows = state["carried.rows"]
        if len(rows) and not 0 <= int(rows.min()) <= int(rows.max()) < self.carried:
            raise ValueError("decisions are carried over that no seat can have made")
        if not state["carried.masks"].gather(1, state["carried.actions"][:, None]).all():
            raise ValueError("decisions are carried over that were not legal")
        if any((state[f"carried.{name}"].numpy() > most).any() for name, most in highest.items()):
            raise ValueError("decisions are carried over at which something was read that no observation shows")
        for name, kept in self._kept().items():
            kept[rows] = state[f"carried.{name}"]
        places = rows.numpy()
        self.values[places] = state["carried.values"].numpy()
        self.pending[places // st.SEATS, places % st.SEATS] = places
        self.used[places] = True
