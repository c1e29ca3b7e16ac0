"""The network that training trains and `neural` plays: how it reads an observation. The files it is kept in are checkpoints.py.

Nothing about the layout of observations is written down here: columns, scales and ids follow from `observe.PIECES`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from danmaku_env.cards import box as cards
from danmaku_env.cards.roles import ROLES
from danmaku_env.engine import state as st
from danmaku_env.engine.actions import NUM_ACTIONS
from danmaku_env.engine.observe import OFFSETS, PIECES, Piece

Array = npt.NDArray[Any]
EMBEDDING = 8
"""Numbers an id is turned into."""
MOST_HIDDEN = 1 << 14
"""The widest network there can be."""
_FEW = 16
"""Counts up to here are read one to one, larger ones are scaled down to it."""


def _places(piece: Piece, seats: int) -> Array:
    """Columns of a piece that a base game of so many seats can fill: reserved cards and absent seats come last on every axis."""
    used = {
        st.SEATS: seats,
        cards.NUM_KINDS: cards.NUM_BASE_KINDS,
        cards.NUM_CHARACTERS: cards.NUM_BASE_CHARACTERS,
        cards.NUM_INCIDENTS: cards.NUM_BASE_INCIDENTS,
        cards.NUM_ROLES - 1: len(ROLES),
    }
    every = np.arange(int(np.prod(piece.shape))).reshape(piece.shape) + OFFSETS[piece.name]
    return every[tuple(slice(used.get(size, size)) for size in piece.shape)].ravel()


class Net(nn.Module):
    """Two hidden layers; logits of all actions and the value of the position, for whoever is asked (the role is in what it sees).

    It reads `inputs` [B, len(columns)] bytes: those columns of an observation that a game of up to `seats` players can fill.
    """

    scale: Tensor
    rows: Tensor

    def __init__(self, seats: int, hidden: int = 256) -> None:
        super().__init__()
        self.seats, self.hidden = seats, hidden
        numbers = [(column, 1 / max(1, piece.high / _FEW)) for piece in PIECES if piece.kind != "id" for column in _places(piece, seats)]
        ids = [(piece.high + 1, _places(piece, seats)) for piece in PIECES if piece.kind == "id"]
        self.columns: Array = np.array([column for column, _ in numbers] + [column for _, places in ids for column in places], np.int64)
        self.numbers = len(numbers)
        # one table for each piece, all in one matrix: a column's id is looked up from the first row of its table on
        firsts = np.cumsum([0, *(size for size, _ in ids)])
        rows = np.repeat(firsts[:-1], [len(places) for _, places in ids])
        self.register_buffer("scale", torch.tensor([scale for _, scale in numbers], dtype=torch.float32), persistent=False)
        self.register_buffer("rows", torch.tensor(rows, dtype=torch.int32), persistent=False)
        self.ids = nn.Embedding(int(firsts[-1]), EMBEDDING)
        self.first = nn.Linear(self.numbers, hidden)
        self.of_ids = nn.Linear(len(rows) * EMBEDDING, hidden, bias=False)
        self.second = nn.Linear(hidden, hidden)
        self.policy = nn.Linear(hidden, NUM_ACTIONS)
        self.value = nn.Linear(hidden, 1)
        gains = ((self.first, 2**0.5), (self.of_ids, 1.0), (self.second, 2**0.5), (self.policy, 0.01), (self.value, 1.0))
        for layer, gain in gains:
            nn.init.orthogonal_(layer.weight, gain)
            if layer.bias is not None:
                nn.init.zeros_(layer.bias)

    def inputs(self, observations: Array) -> Array:
        """[B, n] observations -> [B, len(columns)] the bytes the net reads."""
        return np.take(observations, self.columns, axis=1)

    def forward(self, inputs: Tensor, masks: Tensor) -> tuple[Tensor, Tensor]:
        """[B, len(columns)] bytes and [B, N] masks -> [B, N] log-probabilities (-inf where illegal) and [B] values."""
        numbers = (inputs[:, : self.numbers] * self.scale).sqrt_()  # the first card matters more than the tenth
        ids = self.ids(inputs[:, self.numbers :] + self.rows).flatten(1)
        seen = torch.relu(self.first(numbers) + self.of_ids(ids))
        seen = torch.relu(self.second(seen))
        logits = self.policy(seen).masked_fill(masks == 0, -torch.inf)
        return logits.log_softmax(1), self.value(seen).squeeze(1)


@contextlib.contextmanager
def one_torch_thread() -> Iterator[None]:
    """Let torch use one thread here, and ours take whole shares of the work instead.

    torch's own threads wait busily for each other in every operation, which costs a factor of ten where others use the machine too.
    For the main thread only: a part of what is put back at the end holds for the whole process.
    """
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


@torch.inference_mode()
def draw_actions(logprobs: Tensor, draws: Tensor) -> Tensor:
    """[B, N] log-probabilities and [B, 1] float64 numbers from [0, 1) -> [B] int64 actions.

    In double precision, where rounding cannot lift a draw beyond the last legal action.
    """
    up_to = logprobs.exp().cumsum(1, dtype=torch.float64)
    return (up_to <= draws.to(logprobs.device) * up_to[:, -1:]).sum(1)


@torch.inference_mode()
def choose_actions(net: Net, observations: Array, masks: Array, generator: torch.Generator | None = None) -> Array:
    """[B, n] observations and [B, N] masks -> [B] int64 actions: drawn with the generator, or the likeliest ones without."""
    device = net.scale.device
    logprobs, _ = net(torch.from_numpy(net.inputs(observations)).to(device), torch.from_numpy(masks).to(device))
    if generator is None:
        actions = logprobs.argmax(1)
    else:
        actions = draw_actions(logprobs, torch.rand(len(logprobs), 1, generator=generator, dtype=torch.float64))
    numbers: Array = actions.cpu().numpy()
    return numbers
