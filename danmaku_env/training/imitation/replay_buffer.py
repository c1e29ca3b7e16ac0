"""The replay buffer: questions picked from the examples of several rounds, and the losses of a network on them."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from danmaku_env.agents.search import REWARD_OF_LOGIT
from danmaku_env.danmaku import DANMAKU_SPEC
from danmaku_env.machine.records import Array
from danmaku_env.nets.network import Net
from danmaku_env.training.imitation.examples import Examples, joined
from danmaku_env.training.role_labels import belief_loss

SHARPNESS = 4.0
"""Logits that a life is worth, where a teacher judges answers at first sight."""
REWARD = 1 / REWARD_OF_LOGIT
"""Logits that a whole reward is worth, where a teacher has tried answers out."""
LOSSES = ("loss/first sight", "loss/tried", "loss/value", "loss/belief", "loss/play")
"""The parts of the loss, in the order of `Batch.losses`."""


class ReplayBuffer:
    """Examples of several rounds, one after another. They stay where they are: together they are gigabytes, and are not copied."""

    def __init__(self, parts: Sequence[Examples], net: Net) -> None:
        """At least one part, for this net."""
        self._parts = parts
        self._ends: Array = np.cumsum([len(part.inputs) for part in parts])
        self._players: Array = np.concatenate([net.players_in(part.inputs) for part in parts])
        self.outcomes: Array = np.concatenate([part.outcomes for part in parts])
        """[n] how the games ended of questions only watched, as `Examples` keeps it."""

    def __len__(self) -> int:
        return int(self._ends[-1])

    def picked(self, rows: Tensor) -> Examples:
        """The questions with these numbers, in this order."""
        numbers = rows.numpy()
        places = np.searchsorted(self._ends, numbers, side="right")
        there = [numbers[places == place] - end for place, end in enumerate(self._ends)]  # counted from the end of the part
        found = joined([Examples(*(array[mine] for array in part)) for part, mine in zip(self._parts, there, strict=True)])
        back = np.argsort(np.argsort(places, kind="stable"))
        return Examples(*(array[back] for array in found))

    def batches(self, order: Tensor, most: int, rng: torch.Generator) -> list[Tensor]:
        """The questions in batches of at most this many, each of tables of one size: seats that are not there would be work for nothing."""
        players = self._players[order.numpy()]
        alike = (order[torch.from_numpy(players == count)] for count in np.unique(players))
        parts = [part for rows in alike for part in torch.tensor_split(rows, math.ceil(len(rows) / most))]
        return [parts[place] for place in torch.randperm(len(parts), generator=rng)]


class Batch:
    """Questions as a gradient step takes them."""

    def __init__(self, examples: Examples) -> None:
        self.inputs = torch.from_numpy(examples.inputs)
        self.masks = torch.from_numpy(np.unpackbits(examples.masks, axis=1, count=DANMAKU_SPEC.num_actions))
        offered = torch.from_numpy(examples.offered.astype(np.int64))
        self.there, self.offered = offered >= 0, offered.clamp(min=0)
        values, self.advantages = torch.from_numpy(examples.values), torch.from_numpy(examples.advantages)
        self.tried = self.advantages.isfinite()
        self.searched = self.tried.any(1)
        judged = values.isfinite().any(1, keepdim=True)
        liked = torch.where(self.there & values.isfinite(), SHARPNESS * values, -torch.inf)
        chosen = torch.zeros_like(liked).index_fill(1, torch.tensor([0]), 1.0)
        self.liking = torch.where(judged, liked.softmax(1), chosen)
        self.roles = torch.from_numpy(examples.roles)
        self.outcomes = torch.from_numpy(examples.outcomes)

    def losses(self, net: Net, first: Net | None = None) -> Tensor:
        """[5] the means named in LOSSES; the last is the divergence from the play of `first`, where one is given."""
        said = net(self.inputs, self.masks)
        logprobs = said.logprobs.gather(1, self.offered).masked_fill(~self.there, 0)
        first_sight = -(self.liking * logprobs).sum(1)  # nothing, where nobody was asked
        # where answers were tried, it is only asked that one of them is given; which one, the trials say
        among = -torch.where(self.tried, logprobs, -torch.inf).logsumexp(1)
        first_sight = torch.where(self.searched, torch.where(self.searched, among, 0.0), first_sight)
        ended = self.outcomes.isfinite()
        value = torch.where(ended, said.values - self.outcomes.nan_to_num(), 0.0).square().mean()
        play = torch.where(ended, self._divergence(first, said.logprobs), 0.0).mean() if first else value.new_zeros(())
        return torch.stack((first_sight.mean(), self._tried(logprobs).mean(), value, belief_loss(said.roles, self.roles), play))

    def _divergence(self, first: Net, logprobs: Tensor) -> Tensor:
        """[B] Kullback-Leibler divergence of log-probabilities [B, N] from those of `first`."""
        with torch.no_grad():
            before = first(self.inputs, self.masks).logprobs.masked_fill(self.masks == 0, 0)
        divergence: Tensor = (before.exp() * (before - logprobs.masked_fill(self.masks == 0, 0))).sum(1)
        return divergence

    def _tried(self, logprobs: Tensor) -> Tensor:
        """[B] squared error of the differences between tried answers, in logits."""
        count = self.tried.sum(1, keepdim=True).clamp(min=1)
        error = torch.where(self.tried, logprobs - REWARD * self.advantages, 0.0)
        error = torch.where(self.tried, error - error.sum(1, keepdim=True) / count, 0.0)
        return error.square().sum(1)

    @torch.inference_mode()
    def figures(self, net: Net) -> Tensor:
        """[6] sums: how often the net answers as the teacher, of how many, how many were tried, and how much better it did there.

        Then the log loss of its beliefs in games only watched, and at how many questions.
        """
        said = net(self.inputs, self.masks)
        logprobs = said.logprobs.gather(1, self.offered).masked_fill(~self.there, -torch.inf)
        asked = self.there.any(1)
        agreed = ((logprobs.argmax(1) == 0) & asked).float().sum()
        among = torch.where(self.tried, logprobs, -torch.inf).argmax(1, keepdim=True)
        better = torch.where(self.searched, self.advantages.gather(1, among).squeeze(1), 0.0).sum()
        watched = self.outcomes.isfinite()
        missed = belief_loss(said.roles[watched], self.roles[watched]) * watched.sum() if watched.any() else better.new_zeros(())
        return torch.stack((agreed, asked.float().sum(), self.searched.float().sum(), better, missed, watched.float().sum()))
