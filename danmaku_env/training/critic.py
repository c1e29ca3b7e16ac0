"""A critic that sees everything while a net is trained: all hands, all roles, the next cards of the deck. The net sees none of it.

What a position is worth is much less doubtful to who knows the roles, and an advantage over that worth is less luck (centralised critics:
Lowe et al. 2017, Foerster et al. 2018). Once the net is trained nobody needs the critic.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn

from danmaku_env.agents.base import Array
from danmaku_env.agents.nets import Net
from danmaku_env.cards.box import NUM_KINDS, NUM_ROLES
from danmaku_env.cards.compile import compile_cards
from danmaku_env.engine import state as st

CRITICS = ("central", "own")
DECK = 8
"""Cards from the top of the deck that it sees."""
_EMBEDDING = 8
_ROLES, _HANDS = st.SEATS, st.SEATS * NUM_KINDS
UNSEEN = _ROLES + _HANDS + DECK
"""Bytes of what only the critic sees: the role number of each seat, its hand by kind, then the kinds + 1 on the deck."""

HIGHEST: Array = np.repeat([NUM_ROLES - 1, 255, NUM_KINDS], [_ROLES, _HANDS, DECK])
"""[UNSEEN] the highest byte that there can be in each of their places."""


def everything(games: Array, seats: Array) -> Array:
    """[B] records and the seats asked -> [B, UNSEEN] uint8 what these seats do not see, the seats relative to them."""
    players = games["num_players"].astype(np.int64)[:, None]
    turned = (np.arange(st.SEATS) + seats[:, None]) % players
    absent = np.arange(st.SEATS) >= players
    roles = np.where(absent, 0, np.take_along_axis(games["role"], turned, 1))
    hands = np.where(absent[:, :, None], 0, np.take_along_axis(games["hand_counts"][:, :, :NUM_KINDS], turned[:, :, None], 1))
    places = games["deck_size"].astype(np.int64)[:, None] - 1 - np.arange(DECK)
    cards = np.take_along_axis(games["deck"], places.clip(min=0), 1).astype(np.int64) - 1
    kinds = np.where(places >= 0, compile_cards().tables[0]["card_kind"][cards.clip(min=0)].astype(np.int64) + 1, 0)
    whole: Array = np.concatenate([roles, hands.reshape(len(games), -1), kinds], 1).astype(np.uint8)
    return whole


class Critic(nn.Module):
    """What a position is worth to the seat that is asked, from the bytes its net reads and from what only the critic sees.

    Like the net it has one token for each seat, all through the same weights.
    """

    seat_scale: Tensor
    table_scale: Tensor

    def __init__(self, net: Net, width: int) -> None:
        super().__init__()
        reading = net.reading
        self.numbers = len(reading.seats)
        self.table_at = st.SEATS * self.numbers + st.SEATS**2 * len(reading.pairs)
        scales = torch.split(net.scale.detach().cpu(), [self.numbers, len(reading.pairs), len(reading.table)])
        self.register_buffer("seat_scale", scales[0].clone(), persistent=False)
        self.register_buffer("table_scale", scales[2].clone(), persistent=False)
        self.seat_in = nn.Linear(self.numbers + NUM_KINDS, width)
        self.roles = nn.Embedding(NUM_ROLES, width)
        self.places = nn.Parameter(0.1 * torch.randn(st.SEATS, width))
        self.kinds = nn.Embedding(NUM_KINDS + 1, _EMBEDDING)
        self.table_in = nn.Linear(len(reading.table) + DECK * _EMBEDDING, width)
        self.think = nn.Linear(4 * width, width)
        self.join = nn.Linear(4 * width, 2 * width)
        self.value = nn.Linear(2 * width, 1)
        nn.init.orthogonal_(self.value.weight, 0.1)
        nn.init.zeros_(self.value.bias)

    def forward(self, inputs: Tensor, seen: Tensor) -> Tensor:
        """[B, k] bytes of the net and [B, UNSEEN] bytes of `everything` -> [B] the reward expected at the end of the game."""
        roles, hands, deck = torch.split(seen, [_ROLES, _HANDS, DECK], 1)
        numbers = (inputs[:, : st.SEATS * self.numbers].view(-1, st.SEATS, self.numbers) * self.seat_scale).sqrt()
        cards = hands.view(-1, st.SEATS, NUM_KINDS).float().sqrt()
        tokens = torch.relu(self.seat_in(torch.cat([numbers, cards], 2)) + self.roles(roles.int()) + self.places)
        table = (inputs[:, self.table_at : self.table_at + len(self.table_scale)] * self.table_scale).sqrt()
        board = torch.relu(self.table_in(torch.cat([table, self.kinds(deck.int()).flatten(1)], 1)))
        around = torch.cat([tokens.mean(1), tokens[:, 0], board], 1)[:, None].expand(-1, st.SEATS, -1)
        tokens = tokens + torch.relu(self.think(torch.cat([tokens, around], 2)))
        whole = torch.relu(self.join(torch.cat([tokens[:, 0], tokens.mean(1), tokens.amax(1), board], 1)))
        worth: Tensor = self.value(whole).squeeze(1)
        return worth
