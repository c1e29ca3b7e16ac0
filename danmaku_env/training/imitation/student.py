"""A network that learns from examples (imitate.py): gradient steps on them, and the running mean of its weights."""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable
from typing import NamedTuple, Self

import torch
from torch import Tensor

from danmaku_env.nets.network import Net
from danmaku_env.training.imitation.replay_buffer import LOSSES, Batch, ReplayBuffer
from danmaku_env.training.learner import Learner
from danmaku_env.training.parallel import Threads
from danmaku_env.training.resuming import TrainingError

_MEMORY = 0.999
"""How much of the running mean of the weights stays at each gradient step."""
_MAX_GRAD_NORM = 1.0


class LearningSettings(NamedTuple):
    """How a student learns."""

    batch: int
    """Questions in a gradient step, at most."""
    weights: tuple[float, ...]
    """Of the losses named in LOSSES."""


class Student:
    """Everything that its next gradient step depends on."""

    def __init__(
        self, net: Net, learning_settings: LearningSettings, threads: Threads, rng: torch.Generator, first: Net | None = None
    ) -> None:
        """`net` learns, `rng` say in which order; its play is held to that of `first`, where one is given."""
        self.net, self.first, self.rng = net, first, rng
        self.learner = Learner(net, "", 1.0, threads, max_grad_norm=_MAX_GRAD_NORM, eps=1e-6)
        self.mean = copy.deepcopy(net)
        """The running mean of the weights: what is kept and played."""
        self.steps = 0
        """Gradient steps."""
        self._settings = learning_settings

    def fork(self) -> Self:
        """One that learns on by itself, from where this one is."""
        rng = torch.Generator()
        rng.set_state(self.rng.get_state())
        fork = type(self)(copy.deepcopy(self.net), self._settings, self.learner.threads, rng, self.first)
        fork.learner.adam.load_state_dict(copy.deepcopy(self.learner.adam.state_dict()))
        fork.mean.load_state_dict(self.mean.state_dict())
        fork.steps = self.steps
        return fork

    def learn(
        self, replay: ReplayBuffer, order: Tensor, first_rate: float, last_rate: float, tell: Callable[[float], None]
    ) -> dict[str, float]:
        """Gradient steps on the questions `order` of the replay buffer. Returns the mean losses by name.

        The step size goes linearly from `first_rate` to `last_rate`. `tell` hears what share of the steps is done. Raises
        TrainingError when the network becomes NaN.
        """
        if not len(order):
            return {}
        parts = replay.batches(order, self._settings.batch, self.rng)
        losses = []
        for place, rows in enumerate(parts):
            self.learner.scale_rate(first_rate + (last_rate - first_rate) * place / len(parts))
            losses.append(self._step(replay, rows))
            tell((place + 1) / len(parts))
        if not self.learner.is_finite():
            raise TrainingError("the network has become NaN")
        return dict(zip(LOSSES, torch.stack(losses).mean(0).tolist(), strict=True))

    def _step(self, replay: ReplayBuffer, rows: Tensor) -> Tensor:
        """One gradient step; returns the losses."""
        losses = self.learner.step(rows, functools.partial(self._gradients, replay))
        self.steps += 1
        memory = min(_MEMORY, self.steps / (self.steps + 10))
        with torch.no_grad():
            for kept, now in zip(self.mean.parameters(), self.net.parameters(), strict=True):
                kept.lerp_(now, 1 - memory)
        return losses

    def _gradients(self, replay: ReplayBuffer, rows: Tensor, weight: float) -> tuple[tuple[Tensor, ...], Tensor]:
        """Gradients of the loss on some rows, times `weight`."""
        losses = Batch(replay.picked(rows)).losses(self.net, self.first)
        loss = losses @ torch.tensor(self._settings.weights)
        return self.learner.gradients(loss * weight), losses.detach() * weight
