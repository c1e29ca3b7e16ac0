"""The labels of beliefs: the true roles of all seats, relative to the seat that is asked."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from danmaku_env.danmaku import DANMAKU_SPEC
from danmaku_env.machine.records import Array
from danmaku_env.nets.network import NamedNet

NO_ROLE = 255
"""In the place of the role of a seat that is not at the table, or that the net has no name for."""


def true_roles(net: NamedNet, games: Array, seats: Array, some: Array | slice = slice(None)) -> Array:
    """Of `some` of the records [B], as the seats asked [B] see them: [k, 8] uint8 the roles, by the numbers of the net, seats relative."""
    number: Array = np.full(DANMAKU_SPEC.num_labels, NO_ROLE, np.uint8)
    number[net.roles[::-1]] = np.arange(len(net.roles))[::-1]
    players = games["num_players"][some].astype(np.int64)[:, None]
    every = np.arange(DANMAKU_SPEC.most_seats)
    turned = (every + seats[some, None]) % players
    roles: Array = np.where(every < players, number[np.take_along_axis(games["role"][some], turned, 1)], NO_ROLE)
    return roles


def belief_loss(said: Tensor, roles: Tensor) -> Tensor:
    """Mean over the rows of the log loss of [B, 8, roles] log-probabilities on the true roles [B, 8], a mean over the hidden seats.

    What a seat knows is true and stated as certain, so it costs nothing; a certainty that costs something is a belief that is wrong.
    """
    seated = roles != NO_ROLE
    losses = -said.gather(2, torch.where(seated, roles, 0).long().unsqueeze(2)).squeeze(2)
    there = seated & (losses.detach() > 0)
    return (torch.where(there, losses, 0.0).sum(1) / there.sum(1).clamp(min=1)).mean()
