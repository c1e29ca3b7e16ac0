"""A network that learns from lessons (imitate.py): gradient steps on them, and the running mean of its weights."""

from __future__ import annotations

import copy
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple, Self

import torch
from torch import Tensor, nn

from danmaku_env.nets.network import Net
from danmaku_env.training.lesson_batch import LOSSES, Batch, Shelf
from danmaku_env.training.resuming import TrainingError

_MEMORY = 0.999
"""How much of the running mean of the weights stays at each gradient step."""
_LONGEST_GRADIENT = 1.0


class Diligence(NamedTuple):
    """How a pupil learns."""

    batch: int
    """Questions in a gradient step, at most."""
    weights: tuple[float, ...]
    """Of the losses named in LOSSES."""
    threads: int
    """Parts that a gradient step is worked out in, side by side."""


class Pupil:
    """Everything that its next gradient step depends on."""

    def __init__(self, net: Net, diligence: Diligence, crew: ThreadPoolExecutor, dice: torch.Generator, first: Net | None = None) -> None:
        """`net` learns, `dice` say in which order; its play is held to that of `first`, where one is given."""
        self.net, self.first, self.dice = net, first, dice
        self.adam = torch.optim.Adam(net.parameters(), eps=1e-6)
        self.mean = copy.deepcopy(net)
        """The running mean of the weights: what is kept and played."""
        self.steps = 0
        """Gradient steps."""
        self._diligence, self._crew = diligence, crew

    def twin(self) -> Self:
        """One that learns on by itself, from where this one is."""
        dice = torch.Generator()
        dice.set_state(self.dice.get_state())
        twin = type(self)(copy.deepcopy(self.net), self._diligence, self._crew, dice, self.first)
        twin.adam.load_state_dict(copy.deepcopy(self.adam.state_dict()))
        twin.mean.load_state_dict(self.mean.state_dict())
        twin.steps = self.steps
        return twin

    def learn(self, shelf: Shelf, order: Tensor, first_rate: float, last_rate: float, tell: Callable[[float], None]) -> dict[str, float]:
        """Gradient steps on these questions of a shelf, with a step size that goes from one to the other; returns the mean losses.

        `tell` hears what share of them is done. Raises TrainingError when the network becomes NaN.
        """
        if not len(order):
            return {}
        parts = shelf.batches(order, self._diligence.batch, self.dice)
        losses = []
        for place, rows in enumerate(parts):
            for group in self.adam.param_groups:
                group["lr"] = first_rate + (last_rate - first_rate) * place / len(parts)
            losses.append(self._step(shelf, rows))
            tell((place + 1) / len(parts))
        if not all(parameter.isfinite().all() for parameter in self.net.parameters()):
            raise TrainingError("the network has become NaN")
        return dict(zip(LOSSES, torch.stack(losses).mean(0).tolist(), strict=True))

    def _step(self, shelf: Shelf, rows: Tensor) -> Tensor:
        """One gradient step; returns the losses."""
        shares = [share for share in torch.tensor_split(rows, self._diligence.threads) if len(share)]
        results = list(self._crew.map(lambda share: self._gradients(shelf, share, len(share) / len(rows)), shares))
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

    def _gradients(self, shelf: Shelf, rows: Tensor, weight: float) -> tuple[tuple[Tensor, ...], Tensor]:
        """Gradients of the loss on some rows, times `weight`."""
        losses = Batch(shelf.picked(rows)).losses(self.net, self.first)
        loss = losses @ torch.tensor(self._diligence.weights)
        return torch.autograd.grad(loss * weight, list(self.net.parameters())), losses.detach() * weight
