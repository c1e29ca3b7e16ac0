"""The network that training trains and `neural` plays. checkpoints.py has its files, input_spec.py the names of what it reads.

It has the shape of the game. Every seat is a token, all through the same weights: its table, its role where that is known, its character.
What seats did to each other (the counted interactions and, with `history`, the last events of the log) are relations over which the
tokens exchange messages. The table and the hand are another input. From each token a belief about that seat's role is read (trained on
the true roles) and fed back. A summary of everything then gives the scores of actions and the value of the position; each `choose seat`
is scored from that seat's token. A network with a prior policy (prior_format.py) also reads what the deducer thinks, and states
what it would change about that: it begins as the deducer.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import layer_norm, pad

from danmaku_env.machine.records import Array
from danmaku_env.nets.input_spec import (
    InputSpec,
    ObservationLayout,
    base_game,
    columns_of,
    current_layout,
    event_numbers,
    numbers_of,
    unmarked,
    unread,
)
from danmaku_env.nets.prior_format import FINE, ILLEGAL, NO_PRIOR_POLICY, PREFERENCE_STEP, prior_size

EMBEDDING = 8
"""Numbers an id byte of the table is turned into."""
_EVENT_WIDTH = 16
"""Numbers that an event of the log is turned into."""
EXCHANGES = 2
"""Exchanges of messages between the seats."""
MOST_WIDE = 1 << 12
"""The widest network there can be."""
_FEW = 16
"""Counts up to here are read one to one, larger ones are scaled down to it."""
_UNHEARD = -20.0
"""The logit of actions that the net never met: anything else is likelier, unless a prior policy is for it."""
_IMPOSSIBLE = -30.0
"""The log-probability of a role that a seat is known not to have: small enough to count for nothing, and finite."""
_UNLIKELY = 1e-6
"""The probability of a role that the deducer rules out: small, and not nothing."""
_PRIOR_SCALE = 4.0
"""Logits that a life is worth to a net with a prior policy, before it has learned anything."""
_ANY_BYTE = 255
_EVENT_BYTES = 4
"""What is read of an event: what it is, who, to whom, and about which text."""


class Output(NamedTuple):
    """What the network says of B positions, each as the seat that is asked sees it."""

    logprobs: Tensor
    """[B, N] log-probabilities of the actions, -inf where illegal."""
    values: Tensor
    """[B] the reward expected at the end of the game."""
    roles: Tensor
    """[B, 8, len(input_spec.roles)] log-probabilities of the roles of each seat, relative to the one that is asked; 0 where nobody sits."""


def _scales(layout: ObservationLayout, names: tuple[str, ...]) -> Tensor:
    """Factors that make bytes comparable."""
    return torch.tensor([min(1.0, _FEW / layout.highest.get(name.partition("/")[0], _FEW)) for name in unmarked(names)])


class Inputs:
    """Takes the bytes that a net reads out of observations of a layout."""

    def __init__(self, input_spec: InputSpec, history: int, layout: ObservationLayout, has_prior_policy: bool = False) -> None:
        """Raises MissingError when the layout does not show everything that is read."""
        self.history, self.size, self.seats, self._columns = history, layout.size, layout.seats, len(layout.history)
        self.of_prior: Array | None = _prior_columns(input_spec, layout) if has_prior_policy else None
        """[k] the columns read of the prior policy's bytes; the one behind its end is that of an action that there is not."""
        self._prior = _prior_size(layout)
        seats, pairs = columns_of(layout, input_spec.seats, 1).T, columns_of(layout, input_spec.pairs, 2).transpose(1, 2, 0)
        ids = [columns_of(layout, input_spec.seat_ids, 1).ravel(), columns_of(layout, input_spec.table_ids, 0)]
        parts = [seats.ravel(), pairs.ravel(), columns_of(layout, input_spec.table, 0), *ids]
        self.columns: Array = np.concatenate(parts)
        """[k] the columns read: of each seat, each pair of seats, the table, then the ids."""
        seats, pairs = unread(layout, input_spec.seats, 1).T, unread(layout, input_spec.pairs, 2).transpose(1, 2, 0)
        ids = [unread(layout, input_spec.seat_ids, 1).ravel(), unread(layout, input_spec.table_ids, 0)]
        self._unread: Array = np.flatnonzero(np.concatenate([seats.ravel(), pairs.ravel(), unread(layout, input_spec.table, 0), *ids]))
        self.width = len(self.columns) + _EVENT_BYTES * history + (0 if self.of_prior is None else len(self.of_prior))
        self._first_id = len(self.columns) - sum(map(len, ids))
        places = [place for place in input_spec.seat_ids for _ in range(layout.seats)] + list(input_spec.table_ids)
        meanings = [input_spec.named[place] for place in places]
        tables = {what: numbers_of(layout.ids[what], input_spec.ids[what]) for what in set(meanings)}
        self._ids: Array = np.stack([tables[what] for what in meanings])
        self._input_spec = input_spec
        self._event_columns = [layout.history.index(name) for name in ("event", "actor", "target", "number")]
        self._events, self._is_text, self._texts = event_numbers(layout, input_spec.events)

    def highest(self, players: int) -> Array:
        """[width] the highest byte that can be read in each place, at a table of this many."""
        input_spec, history = self._input_spec, self.history
        size = f"players/{players}"
        found: Array = np.full(self.width, _ANY_BYTE, np.uint8)
        table = self._first_id - len(input_spec.table)
        found[table : self._first_id] = [int(name == size) if name.startswith("players/") else _ANY_BYTE for name in input_spec.table]
        places = [place for place in input_spec.seat_ids for _ in range(self.seats)] + list(input_spec.table_ids)
        found[self._first_id : len(self.columns)] = [len(input_spec.ids[input_spec.named[place]]) - 1 for place in places]
        columns_of_event = (len(input_spec.events) - 1, players, players, len(input_spec.events) - 1)
        found[len(self.columns) :][: _EVENT_BYTES * history] = np.repeat(columns_of_event, history)
        return found

    def take(self, observations: Array) -> Array:
        """[B, n] observations -> [B, width] bytes. Raises ValueError when events or what a prior policy says are read and missing."""
        read = np.take(observations, self.columns, axis=1)
        ids = read[:, self._first_id :]
        ids[:] = self._ids[np.arange(ids.shape[1]), ids]
        if len(self._unread):
            read[:, self._unread] = 0
        parts, end = [read], self.size + self._columns * self.history
        if self.history:
            events = observations[:, self.size : end]
            if events.shape[1] < end - self.size:
                reads = f"this network reads the last {self.history} events"
                raise ValueError(f"{reads}: observations must end with them, GameConfig(history=...)")
            parts.append(self._read_events(events.reshape(len(events), self.history, -1)))
        if self.of_prior is not None:
            said = observations[:, end : end + self._prior]
            if said.shape[1] < self._prior:
                raise ValueError(
                    "this network has the deducer as its prior policy: observations must end with what it says (agents/prior_policy.py)"
                )
            parts.append(np.pad(said, ((0, 0), (0, 1)), constant_values=ILLEGAL)[:, self.of_prior])
        return np.concatenate(parts, axis=1)

    def _read_events(self, events: Array) -> Array:
        """[B, K, 8] events as an observation has them -> [B, 4 K] what it was, who did it, to whom, about which text."""
        what, actor, target, number = (events[:, :, column] for column in self._event_columns)
        text = self._texts[number] * self._is_text[what]
        return np.stack([self._events[what], actor, target, text], axis=1).reshape(len(events), -1)


def _scored(input_spec: InputSpec, layout: ObservationLayout) -> list[str]:
    """The actions that have a score: first those of the input spec, then those that name a seat."""
    return [*input_spec.actions, *(f"choose seat:{seat}" for seat in layout.seat_names)]


def _unknown_actions(input_spec: InputSpec, layout: ObservationLayout) -> list[str]:
    """The actions of a layout that a net never met."""
    known = set(_scored(input_spec, layout))
    return [name for name in layout.actions if name not in known]


def role_numbers(input_spec: InputSpec, layout: ObservationLayout) -> Array:
    """[k] the number that each role of a net has in the layout."""
    return np.array([layout.roles.index(name) if name in layout.roles else 0 for name in input_spec.roles])


def _prior_columns(input_spec: InputSpec, layout: ObservationLayout) -> Array:
    """What a net reads of the prior policy: a column of each action, those with a score first, each role of each seat, each seat."""
    numbers = {name: number for number, name in enumerate(layout.actions)}
    of_actions = [numbers.get(name, _prior_size(layout)) for name in (*_scored(input_spec, layout), *_unknown_actions(input_spec, layout))]
    of_roles = len(layout.actions) + np.add.outer(len(layout.roles) * np.arange(layout.seats), role_numbers(input_spec, layout))
    return np.concatenate([of_actions, of_roles.ravel(), _prior_size(layout) - layout.seats + np.arange(layout.seats)])


def _prior_size(layout: ObservationLayout) -> int:
    """Bytes of a prior policy in a layout."""
    return prior_size(len(layout.actions), len(layout.roles), layout.seats)


class _Prior(NamedTuple):
    """What the deducer says of B questions."""

    below: Tensor
    """[B, actions] by how many lives each is worth less than the best, those with a score first."""
    liked: Tensor
    """[B, scored actions] from 1 for the best to 0 for those that are worth much less, or are not legal."""
    roles: Tensor
    """[B, s, roles] log-probabilities."""
    seats: Tensor
    """[B, s, roles + 2] what of it is of a seat."""


class _Round(nn.Module):
    """One exchange of messages: every seat hears from every other over what lies between the two, and thinks it over."""

    def __init__(self, width: int, half: int) -> None:
        super().__init__()
        self.send = nn.Linear(width, half, bias=False)
        self.receive = nn.Linear(width, half, bias=False)
        self.think = nn.Linear(width + half, width)
        self.conclude = nn.Linear(width, width)

    def forward(self, tokens: Tensor, relations: Tensor, there: Tensor) -> Tensor:
        """[B, s, width] tokens, [B, s, s, half] relations and [B, s, 1] seats that are there -> [B, s, width] tokens."""
        calm = layer_norm(tokens, tokens.shape[-1:])
        heard = torch.relu(self.receive(calm)[:, :, None] + self.send(calm)[:, None] + relations)
        message = (heard * there[:, None]).sum(2)
        thought: Tensor = self.conclude(torch.relu(self.think(torch.cat([calm, message], 2))))
        return tokens + thought


class Seen(NamedTuple):
    """The bytes that a net reads of B positions, by what they are of; s is the number of seats at the largest table."""

    most_seats: int
    there: Tensor
    """[B, s, 1] 1 for each seat that somebody sits in."""
    seats: Tensor
    """[B, s, numbers]"""
    pairs: Tensor
    """[B, s, s, numbers]"""
    table: Tensor
    seat_ids: Tensor
    """[B, ids, s]"""
    table_ids: Tensor
    events: Tensor
    prior: Tensor


class NamedNet(nn.Module):
    """A network that reads and answers by name (input_spec.py), and is called with the bytes of `inputs(observations)` and the masks."""

    score_of: Tensor
    first_rows: Tensor
    kind = "tokens"
    """What checkpoints call networks of this class."""

    def __init__(self, history: int, prior_policy: str, input_spec: InputSpec | None, layout: ObservationLayout | None) -> None:
        """Raises MissingError where the layout lacks what is read."""
        super().__init__()
        self.history, self.prior_policy, self.input_spec = history, prior_policy, input_spec or base_game()
        self.rules: str | None = None
        """The fingerprint of the rules it was trained under, if it comes from a file that says so."""
        self.taken = Inputs(self.input_spec, history, layout or current_layout(), self.has_prior_policy)
        self.most_seats = self.taken.seats
        """Seats that an observation has places for."""
        self._place(self.input_spec, layout or current_layout())
        input_spec = self.input_spec
        sizes = [len(input_spec.ids[input_spec.named[place]]) for place in input_spec.table_ids]
        self.register_buffer("first_rows", torch.tensor(np.cumsum([0, *sizes[:-1]]), dtype=torch.int32), persistent=False)

    def _place(self, input_spec: InputSpec, layout: ObservationLayout) -> None:
        """Where what the net answers stands in a layout."""
        self.roles = role_numbers(input_spec, layout)
        """[k] the number that each role of the net has in the layout."""
        names = [*_scored(input_spec, layout), *_unknown_actions(input_spec, layout)]
        places = {name: place for place, name in enumerate(names)}
        score_of = torch.tensor([places[name] for name in layout.actions])
        self._unknown_actions = len(names) - len(_scored(input_spec, layout))
        self.register_buffer("score_of", score_of, persistent=False)
        seats = unmarked(input_spec.seats)
        sees_roles = any(place.startswith("role/*/") for place in seats)
        self._role_flags = [seats.index(f"role/*/{name}") for name in input_spec.roles[1:]] if sees_roles else []
        self._players = [input_spec.table.index(f"players/{count}") for count in layout.players]
        self._fewest = layout.players[0]

    @property
    def has_prior_policy(self) -> bool:
        """Whether the net reads what a deducer thinks."""
        return self.prior_policy != NO_PRIOR_POLICY

    @property
    def device(self) -> torch.device:
        """Where the network is."""
        return self.score_of.device

    def made(self) -> dict[str, Any]:
        """What a network of this class is made with besides history, prior policy and input spec: plain data for a checkpoint."""
        return {}

    def inputs(self, observations: Array) -> Array:
        """[B, n] observations -> [B, k] the bytes the net reads."""
        return self.taken.take(observations)

    def players_in(self, inputs: Array) -> Array:
        """[B, k] bytes the net reads -> [B] the number of players."""
        first = self.most_seats * len(self.input_spec.seats) + self.most_seats**2 * len(self.input_spec.pairs)
        counts: Array = inputs[:, [first + place for place in self._players]].argmax(1) + self._fewest
        return counts

    def split(self, inputs: Tensor) -> Seen:
        """The parts of [B, k] bytes that the net reads, for the number of seats of the largest table in the batch."""
        input_spec = self.input_spec
        kinds = (len(input_spec.seats), len(input_spec.pairs))
        sizes = [
            self.most_seats * kinds[0],
            self.most_seats**2 * kinds[1],
            len(input_spec.table),
            self.most_seats * len(input_spec.seat_ids),
            len(input_spec.table_ids),
        ]
        sizes.append(_EVENT_BYTES * self.history)
        seats, pairs, table, seat_ids, table_ids, events, said = torch.split(inputs, [*sizes, inputs.shape[1] - sum(sizes)], 1)
        players = table[:, self._players].argmax(1) + self._fewest
        count = int(players.max()) if len(players) else self._fewest
        there = (torch.arange(count, device=players.device) < players[:, None]).unsqueeze(2).float()
        seats = seats.view(-1, self.most_seats, kinds[0])[:, :count]
        pairs = pairs.view(-1, self.most_seats, self.most_seats, kinds[1])[:, :count, :count]
        seat_ids = seat_ids.view(-1, len(input_spec.seat_ids), self.most_seats)[:, :, :count]
        return Seen(count, there, seats, pairs, table, seat_ids, table_ids, events, said)

    def known_roles(self, seen: Seen) -> Tensor:
        """[B, s, roles - 1] which role each seat is known to have; nothing is known where the net does not read roles."""
        known: Tensor = seen.seats[:, :, self._role_flags] > 0
        return known

    def output(
        self, of_actions: Tensor, of_seats: Tensor, masks: Tensor, values: Tensor, roles: Tensor, below: Tensor | None = None
    ) -> Output:  # fmt: skip
        """The answers by their number today, from scores of the actions [B, a] and seats [B, s], and beliefs [B, s, roles].

        `below` [B, a + 8 + unheard] is taken off the scores; without it actions that the net never met are all but ruled out.
        """
        absent = self.most_seats - of_seats.shape[1]
        unheard = of_actions.new_full((len(of_actions), 1), _UNHEARD if below is None else 0.0)
        scores = torch.cat([of_actions, of_seats, unheard.expand(-1, absent + self._unknown_actions)], 1)
        if below is not None:
            scores = scores - below
        logits = scores.index_select(1, self.score_of).masked_fill(masks == 0, -torch.inf)
        return Output(logits.log_softmax(1), values, pad(roles, (0, 0, 0, absent)))


def of_every_byte(grow: Callable[[Tensor], Tensor]) -> Tensor:
    """[256] what a function makes of each byte as a number, for `look_up`."""
    return grow(torch.arange(_ANY_BYTE + 1).float())


def look_up(numbers: Tensor, places: Tensor) -> Tensor:
    """[256] a number for each byte, and bytes of any shape -> the numbers of these bytes: quicker than to work them out each time."""
    return numbers.index_select(0, places.flatten().int()).view(places.shape)


def events_between(meaning: nn.Embedding, events: Tensor, count: int) -> Tensor:
    """[B, s, s, n] the sum of what the last events [B, 4 K] mean, each between the seat that acted and its target; s is `count`.

    An event without a particular target lies between a seat and itself; an event without an actor is left out.
    """
    batch = len(events)
    what, actor, target, text = events.view(batch, _EVENT_BYTES, events.shape[1] // _EVENT_BYTES).int().unbind(1)
    meant = meaning(what) + meaning(text)
    place = (actor - 1).clamp(min=0) * count + torch.where(target > 0, target, actor).sub(1).clamp(min=0)
    place = place + torch.arange(batch, device=place.device, dtype=torch.int32)[:, None] * count * count
    done = meant.new_zeros(batch * count * count, meaning.embedding_dim)
    done = done.index_add(0, place.flatten(), (meant * (actor > 0).unsqueeze(2)).flatten(0, 1))
    between: Tensor = done.view(batch, count, count, meaning.embedding_dim)
    return between


def beliefs(logits: Tensor, known: Tensor) -> Tensor:
    """[B, s, roles] log-probabilities; roles that are known, from flags [B, s, roles - 1], are certain."""
    if not known.shape[2]:
        return logits.log_softmax(2)
    certain = torch.cat([torch.zeros_like(known[:, :, :1]), known], 2)
    return torch.where(known.any(2, keepdim=True), torch.where(certain, 0.0, _IMPOSSIBLE), logits.log_softmax(2))


class Net(NamedNet):
    """See the module docstring. It is called with the bytes of `inputs(observations)` and the masks."""

    scale: Tensor

    def __init__(
        self, width: int = 128, history: int = 0, *, prior_policy: str = NO_PRIOR_POLICY, input_spec: InputSpec | None = None,
        layout: ObservationLayout | None = None,
    ) -> None:  # fmt: skip
        """Tokens of `width` numbers; the last `history` events are read, and what the deducer thinks whose belief is `prior_policy`.

        That is one of PRIOR_POLICIES. Raises MissingError where the layout lacks what is read.
        """
        super().__init__(history, prior_policy, input_spec, layout)
        self.width = width
        input_spec, half, double = self.input_spec, max(2, width // 2), 2 * width
        sizes = [len(input_spec.ids[input_spec.named[place]]) for place in (*input_spec.seat_ids, *input_spec.table_ids)]
        of_seats = len(input_spec.seat_ids)
        self.register_buffer(
            "scale",
            torch.cat([_scales(layout or current_layout(), names) for names in (input_spec.seats, input_spec.pairs, input_spec.table)]),
        )
        self.seat_in = nn.Linear(len(input_spec.seats), width)
        self.places = nn.Parameter(0.1 * torch.randn(self.most_seats, width))
        self.seat_ids = nn.ModuleList(nn.Embedding(size, width) for size in sizes[:of_seats])
        self.table_ids = nn.Embedding(sum(sizes[of_seats:]), EMBEDDING)
        self.table_in = nn.Linear(len(input_spec.table) + len(sizes[of_seats:]) * EMBEDDING, double)
        self.table_out = nn.Linear(double, width)
        self.deeds = nn.Embedding(len(input_spec.events), _EVENT_WIDTH) if history else None
        self.relate = nn.Linear(2 * (len(input_spec.pairs) + _EVENT_WIDTH * bool(history)), EXCHANGES * half)
        self.rounds = nn.ModuleList(_Round(width, half) for _ in range(EXCHANGES))
        self.belief = nn.Linear(width, len(input_spec.roles))
        self.believed = nn.Linear(len(input_spec.roles), width)
        self.pool = nn.Linear(width, width)
        self.join = nn.Linear(double + 3 * width, double)
        self.weigh = nn.Linear(double, double)
        self.policy = nn.Linear(double, len(input_spec.actions))
        self.of_seat, self.of_table = nn.Linear(width, half), nn.Linear(double, half, bias=False)
        self.seat_policy = nn.Linear(half, 1)
        self.value = nn.Linear(double, 1)
        for layer, gain in ((self.policy, 0.01), (self.seat_policy, 0.01), (self.belief, 0.1), (self.value, 0.1)):
            nn.init.orthogonal_(layer.weight, 0.0 if self.has_prior_policy else gain)
            nn.init.zeros_(layer.bias)
        if self.has_prior_policy:
            self.trust = nn.Parameter(torch.tensor(_PRIOR_SCALE))
            self.liked_in = nn.Linear(len(input_spec.actions) + self.most_seats, double, bias=False)
            self.advice_in = nn.Linear(len(input_spec.roles) + 2, width, bias=False)

    @property
    def shape(self) -> tuple[int, int, str]:
        """Width, events read, and prior policy."""
        return self.width, self.history, self.prior_policy

    # ---- the way from bytes to answers

    def forward(self, inputs: Tensor, masks: Tensor) -> Output:
        """[B, k] bytes and [B, N] masks -> what the network says."""
        input_spec, seen = self.input_spec, self.split(inputs)
        of_seats, of_pairs, of_table = torch.split(self.scale, [len(input_spec.seats), len(input_spec.pairs), len(input_spec.table)])
        prior = self._prior(seen.prior, seen.most_seats) if self.has_prior_policy else None
        board = self._board((seen.table * of_table).sqrt(), seen.table_ids, prior)
        tokens = self.seat_in((seen.seats * of_seats).sqrt()) + self.places[: seen.most_seats] + self.table_out(board)[:, None]
        if prior:
            tokens = tokens + self.advice_in(prior.seats)
        for place, ids in enumerate(seen.seat_ids.unbind(1)):
            tokens = tokens + self.seat_ids[place](ids.int())
        relations = self._relations((seen.pairs * of_pairs).sqrt(), seen.events)
        for exchange, between in zip(self.rounds, relations.chunk(EXCHANGES, 3), strict=True):
            tokens = exchange(tokens, between, seen.there)
        tokens = layer_norm(tokens, tokens.shape[-1:])
        logits = self.belief(tokens)
        roles = beliefs(logits + prior.roles if prior else logits, self.known_roles(seen))
        tokens = torch.relu(tokens + self.believed(roles.detach().exp())) * seen.there
        return self._answers(tokens, board, seen.there, roles, masks, prior)

    def _prior(self, said: Tensor, count: int) -> _Prior:
        """What the prior policy says as numbers, for the first `count` seats."""
        scored = len(self.input_spec.actions) + self.most_seats
        sizes = [scored + self._unknown_actions, self.most_seats * len(self.input_spec.roles), self.most_seats]
        of_actions, of_roles, of_seats = torch.split(said, sizes, 1)
        below = (of_actions / FINE).square()
        liked = torch.where(of_actions == ILLEGAL, 0.0, (-below).exp())[:, :scored]
        probabilities = (of_roles.view(-1, self.most_seats, len(self.input_spec.roles))[:, :count] / 255).square()
        preferences, named = of_seats[:, :count] / PREFERENCE_STEP - 1, liked[:, -self.most_seats :][:, :count]
        seats = torch.cat([probabilities, preferences.unsqueeze(2), named.unsqueeze(2)], 2)
        return _Prior(below, liked, probabilities.clamp(min=_UNLIKELY).log(), seats)

    def _board(self, numbers: Tensor, ids: Tensor, prior: _Prior | None) -> Tensor:
        """[B, 2 width] the table and the hand."""
        named = self.table_ids(ids + self.first_rows).flatten(1)
        board = self.table_in(torch.cat([numbers, named], 1))
        return torch.relu(board + self.liked_in(prior.liked) if prior else board)

    def _relations(self, pairs: Tensor, events: Tensor) -> Tensor:
        """[B, s, s, .] what lies between the first seat and the second, in both directions."""
        if self.deeds is not None:
            pairs = torch.cat([pairs, events_between(self.deeds, events, pairs.shape[1])], 3)
        between: Tensor = self.relate(torch.cat([pairs, pairs.transpose(1, 2)], 3))
        return between

    def _answers(self, tokens: Tensor, board: Tensor, there: Tensor, roles: Tensor, masks: Tensor, prior: _Prior | None) -> Output:
        """The scores, from the tokens and a summary of everything."""
        pooled = torch.relu(self.pool(tokens)) * there
        whole = torch.cat([board, tokens[:, 0], pooled.sum(1) / self.most_seats, pooled.amax(1)], 1)
        whole = torch.relu(self.join(whole))
        whole = whole + torch.relu(self.weigh(whole))
        of_seats = self.seat_policy(torch.relu(self.of_seat(tokens) + self.of_table(whole)[:, None])).squeeze(2)
        below = self.trust * prior.below if prior else None
        return self.output(self.policy(whole), of_seats, masks, self.value(whole).squeeze(1), roles * there, below)


class Ensemble(nn.Module):
    """Several networks that read the same, as one: it says what they say on average, of which each is wrong in its own way.

    Lakshminarayanan et al. 2017. It is called as a `Net` is.
    """

    def __init__(self, nets: Sequence[NamedNet]) -> None:
        """At least one network."""
        super().__init__()
        self.nets = tuple(nets)
        self.members = nn.ModuleList(nets)
        first = nets[0]
        self.history, self.prior_policy, self.has_prior_policy = first.history, first.prior_policy, first.has_prior_policy
        self.input_spec, self.roles, self.rules = first.input_spec, first.roles, first.rules

    @property
    def device(self) -> torch.device:
        """Where the networks are."""
        return self.nets[0].device

    def inputs(self, observations: Array) -> Array:
        """[B, n] observations -> [B, k] the bytes that are read."""
        return self.nets[0].inputs(observations)

    def forward(self, inputs: Tensor, masks: Tensor) -> Output:
        """[B, k] bytes and [B, N] masks -> what they say on average: of log-probabilities, of values, and of the roles' probabilities."""
        logprobs, values, roles = (torch.stack(said) for said in zip(*(net(inputs, masks) for net in self.nets), strict=True))
        return Output(logprobs.mean(0).log_softmax(1), values.mean(0), roles.exp().mean(0).log())


AnyNet = NamedNet | Ensemble
MOST_NETS = 64
"""The most networks that play as one."""


def together(nets: Sequence[NamedNet]) -> AnyNet:
    """These networks as one."""
    return Ensemble(nets) if len(nets) > 1 else nets[0]


@contextlib.contextmanager
def one_torch_thread() -> Iterator[None]:
    """Let torch use one thread here, and ours take whole shares of the work instead.

    torch's own threads wait busily for each other in every operation, which costs a factor of ten where others use the machine too.
    For the main thread, and for threads that have one already: a part of what is put back at the end holds for the whole process.
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
def look(net: AnyNet, observations: Array, masks: Array) -> Output:
    """[B, n] observations and [B, N] masks -> what the network says of them."""
    device = net.device
    found: Output = net(torch.from_numpy(net.inputs(observations)).to(device), torch.from_numpy(masks).to(device))
    return found


@torch.inference_mode()
def choose_actions(net: AnyNet, observations: Array, masks: Array, generator: torch.Generator | None = None) -> Array:
    """[B, n] observations and [B, N] masks -> [B] int64 actions: drawn with the generator, or the likeliest ones without."""
    return pick(look(net, observations, masks).logprobs, generator)


@torch.inference_mode()
def pick(logprobs: Tensor, generator: torch.Generator | None) -> Array:
    """[B, N] log-probabilities -> [B] int64 actions: drawn with the generator, or the likeliest ones without."""
    if generator is None:
        actions = logprobs.argmax(1)
    else:
        actions = draw_actions(logprobs, torch.rand(len(logprobs), 1, generator=generator, dtype=torch.float64))
    numbers: Array = actions.cpu().numpy()
    return numbers
