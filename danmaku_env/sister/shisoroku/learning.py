"""Learning Shisouroku: a network whose tokens are the places of a table, and the bots it is measured against.

A token says which card lies at a place, what it does, and how many copies are where. The same weights read every kingdom, because a card is
its row of `card_features()`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from danmaku_env.estimates import Estimate
from danmaku_env.sister.bots import Bot
from danmaku_env.sister.duels import estimate_of
from danmaku_env.sister.learning.nets import NeuralBot, TokenNet
from danmaku_env.sister.learning.nets import neural_bot as any_neural_bot
from danmaku_env.sister.learning.selfplay import Learnable
from danmaku_env.sister.shisoroku import bots, tournament
from danmaku_env.sister.shisoroku.cards.features import card_features
from danmaku_env.sister.shisoroku.cards.words import PLACES
from danmaku_env.sister.shisoroku.engine import actions
from danmaku_env.sister.shisoroku.engine.observation import OBSERVATION_FIELDS, OBSERVATION_SIZE, OFFSETS, PLACE_AXIS, SEAT_AXIS
from danmaku_env.sister.shisoroku.spec import SHISOROKU_SPEC

_BY_PLACE = [field for field in OBSERVATION_FIELDS if field.axes[-1] == PLACE_AXIS and field.kind != "id"]
"""Fields with a number for each place, or for each seat and place."""
_IDS = ("cause", "discard_top", "known_top", "known_bottom")
"""Fields that name places."""


def _columns() -> tuple[list[list[int]], list[int]]:
    """[C, 27] bytes that count something for each place, and the bytes that say something of the table as a whole."""
    by_place, taken = [], set[int]()
    for field in _BY_PLACE:
        for row in range(field.size // PLACES):
            at = OFFSETS[field.name] + row * PLACES
            by_place.append(list(range(at, at + PLACES)))
            taken.update(by_place[-1])
    for name in ("cards", *_IDS):
        field = next(field for field in OBSERVATION_FIELDS if field.name == name)
        taken.update(range(OFFSETS[name], OFFSETS[name] + field.size))
    return by_place, [byte for byte in range(OBSERVATION_SIZE) if byte not in taken]


class PlaceNet(TokenNet):
    """Observations [B, n] uint8 and masks [B, N] -> log probabilities [B, N] of the legal actions, and values [B] from -1 to 1."""

    spec, kind = SHISOROKU_SPEC, "shisoroku-tokens-1"
    cards: Tensor
    by_place: Tensor
    whole: Tensor

    def __init__(self, width: int = 64, wide: int = 256) -> None:
        """`width` numbers of each token, `wide` of the summary."""
        super().__init__(width, wide)
        features = torch.from_numpy(np.vstack([np.zeros((1, card_features().shape[1]), np.float32), card_features()]))
        self.register_buffer("cards", features / features.abs().max(0).values.clamp(min=1), persistent=False)
        by_place, whole = _columns()
        self.register_buffer("by_place", torch.tensor(by_place).T.contiguous(), persistent=False)
        self.register_buffer("whole", torch.tensor(whole), persistent=False)
        named = SEAT_AXIS.size + 2
        self.card = nn.Linear(self.cards.shape[1], width, bias=False)
        self.counts = nn.Linear(len(by_place) + named, width)
        self.token = nn.Linear(width, width)
        self.summary = nn.Sequential(nn.Linear(2 * width + len(whole), wide), nn.ReLU(), nn.Linear(wide, wide), nn.ReLU())
        self.told = nn.Linear(wide, width)
        self.verbs = nn.Linear(width, len(actions.VERBS))
        self.others = nn.Linear(wide, actions.PLAY_BASE)
        self.value = nn.Linear(wide, 1)

    def forward(self, observations: Tensor, masks: Tensor) -> tuple[Tensor, Tensor]:
        """As the class says."""
        counts = torch.log1p(observations[:, self.by_place].float())
        there = observations[:, OFFSETS["cards"] : OFFSETS["cards"] + PLACES].long()
        cards = nn.functional.embedding(there, self.card(self.cards))
        tokens = torch.relu(cards + self.counts(torch.cat([counts, self._named(observations)], 2)))
        tokens = torch.relu(self.token(tokens)) + tokens
        whole = torch.log1p(observations[:, self.whole].float())
        summary = self.summary(torch.cat([tokens.mean(1), tokens.amax(1), whole], 1))
        told = torch.relu(tokens + self.told(summary)[:, None])
        logits = torch.cat([self.others(summary), self.verbs(told).transpose(1, 2).flatten(1)], 1)
        logprobs = torch.log_softmax(logits.masked_fill(masks == 0, -1e9), 1)
        return logprobs, torch.tanh(self.value(summary).squeeze(1))

    def _named(self, rows: Tensor) -> Tensor:
        """[B, 27, 6] which places are named: by my question, on top of discard piles, and at the top of my deck."""
        at = [OFFSETS["cause"], *(OFFSETS["discard_top"] + seat for seat in range(SEAT_AXIS.size)), OFFSETS["known_top"]]
        found = torch.zeros((len(rows), PLACES + 1, len(at)), device=rows.device)
        return found.scatter_(1, rows[:, at].long()[:, None], 1.0)[:, 1:]


def measured(config: Any, bot: Bot, opponent: str, deals: int) -> Estimate:
    """What the bot is paid against another over deals that no game of training has, from both sides."""
    return estimate_of(tournament.duel(config, bot, bots.make(opponent), deals, 1 << 40))


def neural_bot(place: str, seed: int = 0) -> NeuralBot:
    """The bot of a run's folder or a file, with `,greedy` its likeliest answers. Raises BotError or CheckpointError."""
    return any_neural_bot(PlaceNet, place, seed)


LEARNABLE = Learnable(PlaceNet, ("money", "random"), measured)
"""What `sister.learning.selfplay.train` needs to know of this game."""
