"""Networks that are fast enough to learn by self-play on one processor. `ppo.new_net` makes one, `remade` takes one from a checkpoint.

`seats` has the shape of the table: a token for each seat, all through the same weights; relations between tokens for what seats did to each
other; one summary of the rest. `mlp` reads everything as one vector. Both state a belief about the role of every seat and are trained on
the true roles, their own included, which makes them use their own role: without it, learning to play by role takes ten times as long
(docs/training.md). What they read and answer has names (input_spec.py), so their files keep working when observations grow.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from danmaku_env import GameConfig, make_vec
from danmaku_env.machine.records import Array
from danmaku_env.nets.input_spec import InputSpec, ObservationLayout, current_layout
from danmaku_env.nets.network import Inputs, NamedNet, Output, events_between, look_up, of_every_byte
from danmaku_env.nets.prior_format import NO_PRIOR_POLICY

ID_NUMBERS = 16
"""Numbers an id byte is turned into."""
_MESSAGE = 32
"""Numbers of a message between two seats."""
_KEY = 32
"""Numbers by which a seat and the position are compared, to score `choose seat`."""
_RANDOM_STEPS = 800
"""Steps of random play in which a byte that ever changes has changed."""
_SILENCE = 1e9
"""Taken off what an empty seat says, so that nobody hears it."""
_LESS = 0.4
"""Factor on the sum of the messages a seat hears: five of them weigh the same as two."""

_QUIET = 0.05
"""Factor on what an exchange changes that is new to a trained net."""


def role_blind(input_spec: InputSpec) -> InputSpec:
    """The same without anybody's role, one's own included: an ablation (docs/training.md)."""
    places = tuple(place for place in input_spec.seats if not place.startswith("role/"))
    return InputSpec(**{**input_spec.to_dict(), "seats": places})


class SeatsNet(NamedNet):
    """A token for each seat, relations between them, a summary of the rest; see the module docstring."""

    kind = "seats"

    def __init__(
        self, width: int = 64, wide: int = 256, exchanges: int = 1, history: int = 0, *, by_role: int = 8,
        input_spec: InputSpec | None = None, layout: ObservationLayout | None = None,
    ) -> None:  # fmt: skip
        """Tokens of `width` numbers, a summary of `wide`, and this many exchanges of messages; the last `history` events are read.

        The summary has `by_role` numbers for each role: the sum over the seats, weighted by the believed probability that the seat has it.
        With 0 it has none, and the query that scores seats has no `stance`, as in checkpoints that were made before there were these.
        Raises MissingError where the layout lacks what is read.
        """
        super().__init__(history, NO_PRIOR_POLICY, input_spec, layout)
        input_spec = self.input_spec
        self.width, self.wide, self.exchanges, self.by_role = width, wide, exchanges, by_role
        seat_sizes = [len(input_spec.ids[input_spec.named[place]]) for place in input_spec.seat_ids]
        table_sizes = [len(input_spec.ids[input_spec.named[place]]) for place in input_spec.table_ids]
        self.seat_ids = nn.ModuleList(nn.Embedding(size, width) for size in seat_sizes)
        self.table_ids = nn.Embedding(sum(table_sizes), ID_NUMBERS)
        self.events = nn.Embedding(len(input_spec.events), ID_NUMBERS) if history else None
        pairs = 2 * (len(input_spec.pairs) + ID_NUMBERS * bool(history))
        self.rest_in, self.rest_out = nn.Linear(len(input_spec.table) + ID_NUMBERS * len(table_sizes), wide), nn.Linear(wide, width)
        self.seat_in = nn.Linear(len(input_spec.seats), width)
        self.relate = nn.Linear(pairs, exchanges * _MESSAGE)
        self.sender = nn.ModuleList(nn.Linear(width, _MESSAGE, bias=False) for _ in range(exchanges))
        self.receiver = nn.ModuleList(nn.Linear(width, _MESSAGE, bias=False) for _ in range(exchanges))
        self.heard = nn.ModuleList(nn.Linear(width + _MESSAGE, width) for _ in range(exchanges))
        self.join, self.think = nn.Linear(wide + 3 * width + len(input_spec.roles) * by_role, wide), nn.Linear(wide, wide)
        self.policy, self.key, self.query = nn.Linear(wide, len(input_spec.actions)), nn.Linear(width, _KEY), nn.Linear(wide, _KEY)
        self.belief, self.value = nn.Linear(width, len(input_spec.roles)), nn.Linear(wide, 1)
        gains = {self.policy: 0.01, self.query: 0.1, self.belief: 0.1, self.value: 0.1}
        if by_role:
            self.of_role = nn.Linear(width, by_role)
            self.stance = nn.Linear(ID_NUMBERS * len(table_sizes) + len(input_spec.seats), _KEY)
            """Scales the query by what asks and by one's own role: a seat that is worth an attack is not worth a gift."""
            gains[self.stance] = 0.0
        self.register_buffer("growth", of_every_byte(torch.log1p), persistent=False)
        _begin(self, gains)

    growth: Tensor
    """[256] the bytes as numbers that grow slowly."""

    def made(self) -> dict[str, Any]:
        """See NamedNet."""
        made = {"width": self.width, "wide": self.wide, "exchanges": self.exchanges}
        return made | ({"by_role": self.by_role} if self.by_role else {})

    def deeper(self, exchanges: int) -> SeatsNet:
        """The same with this many exchanges of messages, no fewer than it has. The new ones say little, so it answers almost as before."""
        net = SeatsNet(self.width, self.wide, exchanges, self.history, by_role=self.by_role, input_spec=self.input_spec)
        weights = net.state_dict()
        for name, tensor in self.state_dict().items():
            weights[name][: len(tensor)] = tensor  # `relate` has more rows than before, behind those that there were
        for number in range(self.exchanges, exchanges):
            weights[f"heard.{number}.weight"].mul_(_QUIET)
        return net

    def forward(self, inputs: Tensor, masks: Tensor) -> Output:
        """[B, k] bytes and [B, N] masks -> what the network says."""
        seen = self.split(inputs)
        named = self.table_ids(seen.table_ids + self.first_rows).flatten(1)
        rest = torch.relu(self.rest_in(torch.cat([look_up(self.growth, seen.table), named], 1)))
        seats = look_up(self.growth, seen.seats)
        tokens = self.seat_in(seats) + self.rest_out(rest)[:, None]
        for place, ids in enumerate(seen.seat_ids.unbind(1)):
            tokens = tokens + self.seat_ids[place](ids.int())
        tokens = torch.relu(tokens) * seen.there
        silence = _SILENCE * (1 - seen.there)
        for number, between in enumerate(self._relations(seen.pairs, seen.events).chunk(self.exchanges, 3)):
            heard = between + (self.sender[number](tokens) - silence)[:, None] + self.receiver[number](tokens)[:, :, None]
            message = torch.relu(heard).sum(2)
            tokens = (tokens + torch.relu(self.heard[number](torch.cat([tokens, _LESS * message], 2)))) * seen.there
        mean = tokens.sum(1) / seen.there.sum(1)
        roles = self.belief(tokens).log_softmax(2)  # of known roles too: to tell them is to have heeded them
        parts = [rest, tokens[:, 0], mean, tokens.amax(1)]
        if self.by_role:
            shares = (roles.exp() * seen.there).transpose(1, 2)
            parts.append((shares @ torch.relu(self.of_role(tokens))).flatten(1))
        whole = torch.relu(self.join(torch.cat(parts, 1)))
        whole = whole + torch.relu(self.think(whole))
        query = self.query(whole)
        if self.by_role:
            query = query * (1 + self.stance(torch.cat([named, seats[:, 0]], 1)))
        of_seats = (self.key(tokens) * query[:, None]).sum(2)
        return self.output(self.policy(whole), of_seats, masks, self.value(whole).squeeze(1), roles * seen.there)

    def _relations(self, pairs: Tensor, events: Tensor) -> Tensor:
        """[B, s, s, .] what lies between the first seat and the second, in both directions."""
        both = look_up(self.growth, torch.cat([pairs, pairs.transpose(1, 2)], 3))
        if self.events is not None:
            happened = events_between(self.events, events, pairs.shape[1])
            there, back = both.chunk(2, 3)
            both = torch.cat([there, happened, back, happened.transpose(1, 2)], 3)
        between: Tensor = self.relate(both)
        return between


class MLPNet(NamedNet):
    """All that ever changes in the rows of such games, in one vector: amounts in shares of their highest, ids one-hot."""

    kind = "mlp"
    amounts: Tensor
    highest: Tensor
    ids: Tensor

    def __init__(
        self, live: Mapping[int, int], hidden: Sequence[int] = (256, 256), history: int = 0, *, input_spec: InputSpec | None = None,
        layout: ObservationLayout | None = None,
    ) -> None:  # fmt: skip
        """`live`: which of the bytes that are read ever change, and the highest value of each (`live_bytes`); `hidden` layers.

        Raises MissingError where the layout lacks what is read, ValueError on bytes that are not read.
        """
        super().__init__(history, NO_PRIOR_POLICY, input_spec, layout)
        input_spec = self.input_spec
        self.live, self.hidden = {int(place): int(most) for place, most in live.items()}, tuple(hidden)
        if not self.live or not 0 <= min(self.live) <= max(self.live) < self.taken.width:
            raise ValueError(f"live bytes must be some of the {self.taken.width} that are read")
        first = self.most_seats * len(input_spec.seats) + self.most_seats**2 * len(input_spec.pairs) + len(input_spec.table)
        ids = range(first, first + self.most_seats * len(input_spec.seat_ids) + len(input_spec.table_ids))
        sizes = [len(input_spec.ids[input_spec.named[place]]) for place in input_spec.seat_ids for _ in range(self.most_seats)]
        sizes += [len(input_spec.ids[input_spec.named[place]]) for place in input_spec.table_ids]
        shown = [place for place in ids if place in self.live]
        shown_sizes = [sizes[place - first] for place in shown]
        amounts = [place for place in self.live if place not in ids]
        self.register_buffer("amounts", torch.tensor(amounts), persistent=False)
        self.register_buffer("highest", torch.tensor([self.live[place] for place in amounts]).float().clamp(min=1), persistent=False)
        self.register_buffer("ids", torch.tensor(shown, dtype=torch.int64), persistent=False)
        self.register_buffer("one_hot_at", torch.tensor(np.cumsum([0, *shown_sizes[:-1]]), dtype=torch.int64), persistent=False)
        self.first = nn.Linear(len(amounts), hidden[0])
        self.of_ids = nn.EmbeddingBag(max(1, sum(shown_sizes)), hidden[0], mode="sum")
        """A one-hot code times a matrix is a row of it."""
        self.layers = nn.ModuleList(nn.Linear(wide, next_wide) for wide, next_wide in itertools.pairwise(hidden))
        self.policy, self.seats = nn.Linear(hidden[-1], len(input_spec.actions)), nn.Linear(hidden[-1], self.most_seats)
        self.belief, self.value = nn.Linear(hidden[-1], self.most_seats * len(input_spec.roles)), nn.Linear(hidden[-1], 1)
        _begin(self, {self.policy: 0.01, self.seats: 0.01, self.belief: 0.1, self.value: 0.1})

    one_hot_at: Tensor

    def made(self) -> dict[str, Any]:
        """See NamedNet."""
        return {"live": {str(place): most for place, most in self.live.items()}, "hidden": list(self.hidden)}

    def forward(self, inputs: Tensor, masks: Tensor) -> Output:
        """[B, k] bytes and [B, N] masks -> what the network says."""
        seen = self.split(inputs)
        whole = self.first((inputs[:, self.amounts] / self.highest).clamp(max=2))
        if len(self.ids):
            whole = whole + self.of_ids(inputs[:, self.ids].long() + self.one_hot_at)
        whole = torch.relu(whole)
        for layer in self.layers:
            whole = torch.relu(layer(whole))
        roles = self.belief(whole).view(len(inputs), self.most_seats, -1)[:, : seen.most_seats].log_softmax(2) * seen.there
        return self.output(self.policy(whole), self.seats(whole)[:, : seen.most_seats], masks, self.value(whole).squeeze(1), roles)


def live_bytes(input_spec: InputSpec, rows: Iterable[Array], history: int = 0) -> dict[int, int]:
    """Which of the bytes that a net reads are not the same in all these rows [B, n], and the highest of each: for an MLPNet."""
    taken = Inputs(input_spec, history, current_layout())
    low, high = np.full(taken.width, 255, np.uint8), np.zeros(taken.width, np.uint8)
    for some in rows:
        found = taken.take(some)
        low, high = np.minimum(low, found.min(0)), np.maximum(high, found.max(0))
    return {int(place): int(high[place]) for place in np.flatnonzero(high > low)}


def random_rows(configs: Iterable[GameConfig], seed: int) -> Iterator[Array]:
    """[256, n] observations after each step of random play, for `live_bytes`."""
    for config in configs:
        vec = make_vec(256, config)
        vec.reset(seed)
        for _ in range(_RANDOM_STEPS):
            vec.step(vec.sample())
            yield vec.observations


_MOST_MADE = {"width": 1 << 12, "wide": 1 << 12, "exchanges": 8, "by_role": 1 << 8}
_MOST_LAYERS = 16
"""Sizes of a network that a checkpoint describes: more than any has."""


def remade(kind: str, made: Mapping[str, Any], history: int, input_spec: InputSpec | None) -> NamedNet:
    """The untrained network that a checkpoint describes. Raises ValueError or TypeError on anything else."""
    if kind == SeatsNet.kind and {*made, "by_role"} == {*_MOST_MADE}:
        if all(type(size) is int and 1 <= size <= _MOST_MADE[name] for name, size in made.items()):
            return SeatsNet(**{"by_role": 0, **made}, history=history, input_spec=input_spec)
    elif kind == MLPNet.kind and set(made) == {"live", "hidden"}:
        live, hidden = made["live"], made["hidden"]
        layers = 1 <= len(hidden) <= _MOST_LAYERS and all(type(size) is int and 1 <= size <= 1 << 14 for size in hidden)
        if layers and all(type(most) is int and 1 <= most <= 255 for most in live.values()):
            return MLPNet({int(place): most for place, most in live.items()}, hidden, history, input_spec=input_spec)
    raise ValueError(f"there is no network of the kind {kind!r} like that")


def _begin(net: nn.Module, gains: Mapping[nn.Linear, float]) -> None:
    """Orthogonal weights, small ones where answers come out, so that play begins almost at random (Andrychowicz et al. 2021)."""
    for module in net.modules():
        if isinstance(module, nn.Linear):
            nn.init.orthogonal_(module.weight, gains.get(module, 2**0.5))
            if module.bias is not None:
                nn.init.zeros_(module.bias)
        elif isinstance(module, nn.Embedding | nn.EmbeddingBag):
            nn.init.normal_(module.weight, 0, 0.3)
