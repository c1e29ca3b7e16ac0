"""A network and its Adam, taught in threads: each works out the gradients of its share of a batch."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn

from danmaku_env.training import resuming
from danmaku_env.training.parallel import Threads


class Learner:
    """Parameters of a module and the optimiser that moves them."""

    def __init__(
        self, module: nn.Module, prefix: str, rate: float, threads: Threads, *, max_grad_norm: float | None = None, eps: float = 1e-8
    ) -> None:
        """`prefix` stands before the names in checkpoints; gradients are clipped to the norm `max_grad_norm`."""
        self.parameters = {prefix + name: parameter for name, parameter in module.named_parameters()}
        self.adam = torch.optim.Adam(self.parameters.values(), lr=rate, eps=eps, fused=True)
        self.threads, self._rate, self._max_grad_norm = threads, rate, max_grad_norm

    def scale_rate(self, factor: float) -> None:
        """Set the step size to `factor` times what it was at the beginning."""
        for group in self.adam.param_groups:
            group["lr"] = self._rate * factor

    def gradients(self, loss: Tensor) -> tuple[Tensor, ...]:
        """Of the loss, for every parameter; zero where one plays no part in it."""
        found = torch.autograd.grad(loss, list(self.parameters.values()), allow_unused=True)
        return tuple(torch.zeros_like(one) if some is None else some for some, one in zip(found, self.parameters.values(), strict=True))

    def step(self, batch: Tensor, work: Callable[[Tensor, float], tuple[tuple[Tensor, ...], Tensor]]) -> Tensor:
        """One step on the rows of a batch. `work(rows [k], weight)` is asked for each thread's share of them.

        It gives (gradients of their mean loss times `weight`, one for each parameter; figures [f], times `weight` too). The weights sum to
        1. Returns the figures [f] of the whole batch, on the CPU.
        """
        shares = [batch[share] for share in self.threads.shares(len(batch))]
        results = self.threads.map(work, [(rows, len(rows) / len(batch)) for rows in shares])
        for place, parameter in enumerate(self.parameters.values()):
            parameter.grad = sum((found[place] for found, _ in results[1:]), start=results[0][0][place])
        if self._max_grad_norm is not None:
            nn.utils.clip_grad_norm_(self.parameters.values(), self._max_grad_norm)
        self.adam.step()
        return torch.stack([told for _, told in results]).sum(0).cpu()

    def is_finite(self) -> bool:
        """Whether all weights are numbers."""
        return all(bool(parameter.isfinite().all()) for parameter in self.parameters.values())

    def tensors(self) -> dict[str, Tensor]:
        """What Adam keeps, for a checkpoint."""
        named = self.parameters.items() if self.adam.state else ()
        return {f"adam.{name}.{key}": self.adam.state[parameter][key] for name, parameter in named for key in resuming.ADAM}

    def restore(self, tensors: dict[str, Tensor]) -> None:
        """The inverse of `tensors`. Raises ValueError or KeyError where it cannot have been kept."""
        for name, parameter in self.parameters.items():
            kept = resuming.adam_kept(tensors, name, parameter)
            self.adam.state[parameter] = {key: tensor.to(parameter.device) for key, tensor in kept.items()}
