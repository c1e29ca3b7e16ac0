"""A network that learns from lessons (imitate.py): gradient steps on them, and the running mean of its weights."""

from __future__ import annotations

import copy
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple, Self

import torch
from torch import Tensor, nn

from danmaku_env.nets.network import Net
from danmaku_env.training.imitation.replay_buffer import LOSSES, Batch, ReplayBuffer
from danmaku_env.training.resuming import TrainingError

_MEMORY = 0.999
"""How much of the running mean of the weights stays at each gradient step."""
_LONGEST_GRADIENT = 1.0


class LearningSettings(NamedTuple):
    """How a pupil learns."""

    batch: int
    """Questions in a gradient step, at most."""
    weights: tuple[float, ...]
    """Of the losses named in LOSSES."""
    threads: int
    """Parts that a gradient step is worked out in, side by side."""


class Pupil:
    """Everything that its next gradient step depends on."""

    def __init__(
        self, net: Net, learning_settings: LearningSettings, threads: ThreadPoolExecutor, rng: torch.Generator, first: Net | None = None
    ) -> None:
        """`net` learns, `rng` say in which order; its play is held to that of `first`, where one is given."""
        self.net, self.first, self.rng = net, first, rng
        self.adam = torch.optim.Adam(net.parameters(), eps=1e-6)
        self.mean = copy.deepcopy(net)
        """The running mean of the weights: what is kept and played."""
        self.steps = 0
        """Gradient steps."""
        self._settings, self._threads = learning_settings, threads

    def fork(self) -> Self:
        """One that learns on by itself, from where this one is."""
        rng = torch.Generator()
        rng.set_state(self.rng.get_state())
        fork = type(self)(copy.deepcopy(self.net), self._settings, self._threads, rng, self.first)
        fork.adam.load_state_dict(copy.deepcopy(self.adam.state_dict()))
        fork.mean.load_state_dict(self.mean.state_dict())
        fork.steps = self.steps
        return fork

    def learn(
        self, replay: ReplayBuffer, order: Tensor, first_rate: float, last_rate: float, tell: Callable[[float], None]
    ) -> dict[str, float]:
        """Gradient steps on these questions of a shelf, with a step size that goes from one to the other; returns the mean losses.

        `tell` hears what share of them is done. Raises TrainingError when the network becomes NaN.
        """
        if not len(order):
            return {}
        parts = replay.batches(order, self._settings.batch, self.rng)
        losses = []
        for place, rows in enumerate(parts):
            for group in self.adam.param_groups:
                group["lr"] = first_rate + (last_rate - first_rate) * place / len(parts)
            losses.append(self._step(replay, rows))
            tell((place + 1) / len(parts))
        if not all(parameter.isfinite().all() for parameter in self.net.parameters()):
            raise TrainingError("the network has become NaN")
        return dict(zip(LOSSES, torch.stack(losses).mean(0).tolist(), strict=True))

    def _step(self, replay: ReplayBuffer, rows: Tensor) -> Tensor:
        """One gradient step; returns the losses."""
        shares = [share for share in torch.tensor_split(rows, self._settings.threads) if len(share)]
        results = list(self._threads.map(lambda share: self._gradients(replay, share, len(share) / len(rows)), shares))
        for place, parameter in enumerate(self.net.parameters()):
            parameter.grad = sum((gradients[place] for gradients, _ in results[1:]), start=results[0][0][place])
        nn.utils.clip_grad_norm_(self.net.parameters(), _LONGEST_GRADIENT)
        self.adam.step()
        self.steps += 1
        memory = min(_MEMORY, self.steps / (self.steps + 10))
        with torch.no_grad():
            for kept, now in zip(self.mean.parameters(), self.net.parameters(), strict=True):
                kept.lerp_(now, 1 - memory)
        return torch.stack([losses for _, losses in results]).sum(0)

    def _gradients(self, replay: ReplayBuffer, rows: Tensor, weight: float) -> tuple[tuple[Tensor, ...], Tensor]:
        """Gradients of the loss on some rows, times `weight`."""
        losses = Batch(replay.picked(rows)).losses(self.net, self.first)
        loss = losses @ torch.tensor(self._settings.weights)
        return torch.autograd.grad(loss * weight, list(self.net.parameters())), losses.detach() * weight
