"""The centralized critic of training: it sees all roles, all hands and the pending question. The network sees none of these.

It estimates the value of a position for every seat at once. Every seat is a token through the same weights, so what it learns about one
seat holds for all. Goals are about roles ("the Heroine and a Partner are defeated"), so the tokens are also summed up role by role, and
every role has a value of its own over what all share: that explains a third more of who wins (experiments/critic_capacity.py). It reads
`VectorEnv.states()` by the names of the observation's fields, and is not needed after training.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import torch
from torch import Tensor, nn

from danmaku_env import GameConfig, VectorEnv, make_vec
from danmaku_env.agents.base import Agent
from danmaku_env.info_states import InfoStates
from danmaku_env.machine.records import Array
from danmaku_env.nets.input_spec import columns_of, input_spec_of, state_layout_of
from danmaku_env.nets.network import look_up, of_every_byte
from danmaku_env.spec import GameSpec, spec_of
from danmaku_env.training.learner import Learner
from danmaku_env.training.parallel import Threads
from danmaku_env.training.seeds import table_seed

_OF_ONE_SEAT = (
    "role", "hand", "known_hands", "hand_lunatic", "max_hand", "in_range", "candidates", "known_top", "known_bottom", "known_incidents",
    "known_lunatic_top", "known_lunatic_bottom", "max_life",
)  # fmt: skip
"""Pieces that are seat 0's view in a full state; roles and hands stand whole behind them."""
_EMBEDDING = 16
_OF_A_ROLE = 8
"""Numbers that are summed up over the seats of each role."""
_IDS = 1 << 8
"""Numbers that an id byte can have."""
_MOST_LIFE = 5
_GAMES, _STEPS, _STRIDE = 1024, 1200, 24
"""At most: random games side by side; answers in each between two rounds of training; answers between two positions that are kept."""
_ROUNDS, _FEWEST_GAMES = 10, 16
"""Rounds in which the critic is taught, at least; games of a number of players, at least, so that some of them end."""
_TEACHING_RATE = 2e-3
_TEACHING_BATCH = 1024
_JUDGED = 20_000
"""Positions on which it is measured what the critic explains, before it learns from them."""


class CentralCritic(nn.Module):
    """Values of full states to all seats. `take` cuts what it reads out of them."""

    def __init__(self, config: GameConfig, width: int = 64, *, roles: bool = True, by_role: bool = True) -> None:
        """For games of this box and any number of players; tokens of `width` numbers.

        Without `roles` it sees none. Without `by_role` roles are flags of the seats only: ablations.
        """
        super().__init__()
        input_spec, spec = input_spec_of(config), spec_of(config)
        layout, unseen = state_layout_of(spec), spec.unseen(config)
        seats = [place for place in input_spec.seats if place.split("/")[0] not in _OF_ONE_SEAT]
        table = [place for place in input_spec.table if place.split("/")[0] not in _OF_ONE_SEAT]
        table_ids = [place for place in input_spec.table_ids if place.split("/")[0] not in _OF_ONE_SEAT]
        whole = ["hands", "asking", *(["roles"] if roles else []), "hands_lunatic"]
        of_seats = [*columns_of(layout, tuple(seats), 1)]
        self.roles: slice | None = None
        """Where a seat's role stands among its numbers, a flag for each; None where nothing is summed up by role."""
        for field in whole:
            columns = [] if field in unseen else _of_all_seats(spec, field)
            if field == "roles" and by_role:
                self.roles = slice(len(of_seats), len(of_seats) + len(columns))
            of_seats += columns
        parts = [
            np.stack(of_seats).T,
            columns_of(layout, input_spec.seat_ids, 1),
            columns_of(layout, tuple(table), 0),
            columns_of(layout, tuple(table_ids), 0),
        ]
        self.most_seats = spec.most_seats
        self.columns: Array = np.concatenate([part.ravel() for part in parts]).astype(np.int64)
        self.reads = len(self.columns)
        """Bytes it reads of a state."""
        self.sizes = [part.size for part in parts]
        numbers, ids = parts[0].shape[1], parts[1].shape[0]
        kinds = self.roles.stop - self.roles.start if self.roles else 1
        self.seat_ids = nn.Embedding(ids * _IDS, _EMBEDDING)
        self.table_ids = nn.Embedding(max(1, len(table_ids)) * _IDS, _EMBEDDING)
        self.register_buffer("first_seat", torch.arange(ids)[None, :, None] * _IDS, persistent=False)
        self.register_buffer("first_table", torch.arange(len(table_ids)) * _IDS, persistent=False)
        self.register_buffer("growth", of_every_byte(torch.sqrt), persistent=False)
        self.life = seats.index("life/*")
        self.register_buffer("lives", torch.arange(1, _MOST_LIFE + 1, dtype=torch.uint8), persistent=False)
        self.seat_in, self.seat_out = nn.Linear(numbers + _MOST_LIFE + ids * _EMBEDDING, width), nn.Linear(width, width)
        self.table_in = nn.Linear(len(table) + len(table_ids) * _EMBEDDING, width)
        self.table_out = nn.Linear(width, width)
        self.of_a_role = nn.Linear(width, _OF_A_ROLE)
        self.own, self.around = nn.Linear(width, width, bias=False), nn.Linear(3 * width + kinds * _OF_A_ROLE, width)
        self.value = nn.Linear(width, kinds)
        with torch.no_grad():  # what seats have and who they are comes first, names and the table later
            for weight, factor in ((self.seat_in, 2.0), (self.table_in, 0.3), (self.table_out, 0.1)):
                weight.weight.mul_(factor)
        for embedding in (self.seat_ids, self.table_ids):
            nn.init.normal_(embedding.weight, 0, 0.03)
        nn.init.orthogonal_(self.value.weight, 0.3)

    growth: Tensor
    """[256] the bytes as numbers that grow slowly."""
    first_seat: Tensor
    first_table: Tensor
    lives: Tensor

    def take(self, states: Array) -> Array:
        """[B, spec.state_size] full states -> [B, reads] the bytes it reads."""
        return np.take(states, self.columns, axis=1)

    def forward(self, states: Tensor, players: int) -> Tensor:
        """[B, reads] bytes of `take` -> [B, players] the reward expected by each seat at the end, -1 to 1."""
        seats, seat_ids, table, table_ids = torch.split(states, self.sizes, 1)
        named = self.table_ids(table_ids.int() + self.first_table).flatten(1)
        board = torch.relu(self.table_in(torch.cat([look_up(self.growth, table), named], 1)))
        ids = self.seat_ids(seat_ids.view(len(states), -1, self.most_seats)[:, :, :players].int() + self.first_seat)
        numbers = seats.view(len(states), self.most_seats, -1)[:, :players]
        lives = numbers[:, :, self.life, None] >= self.lives  # each of them counts by itself: the last one is worth more
        tokens = self.seat_in(torch.cat([look_up(self.growth, numbers), lives.float(), ids.transpose(1, 2).flatten(2)], 2))
        tokens = torch.relu(self.seat_out(torch.relu(tokens + self.table_out(board)[:, None])))
        role = numbers[:, :, self.roles].float() if self.roles else tokens.new_ones(len(states), players, 1)
        by_role = (role.transpose(1, 2) @ torch.relu(self.of_a_role(tokens))).flatten(1)
        around = self.around(torch.cat([tokens.sum(1), tokens.amax(1), board, by_role], 1))
        of_roles = self.value(torch.relu(self.own(tokens) + around[:, None]))
        values: Tensor = (of_roles * role).sum(2).tanh()
        return values


def _of_all_seats(spec: GameSpec, name: str) -> list[Array]:
    """[k] x [seats] the columns of a piece of the full state that has k bytes for each seat."""
    field = next(field for field in spec.state_fields if field.name == name)
    return list((spec.state_offsets[name] + np.arange(field.size).reshape(spec.most_seats, -1)).T)


def teach(
    critic: CentralCritic, configs: list[GameConfig], decisions: int, seed: int, rng: torch.Generator, threads: Threads, *,
    player: Agent | None = None,
) -> float:  # fmt: skip
    """Let the critic learn how games of random play end, or those of a `player`.

    Returns the share of the outcomes' variance that it explains in the end, up to 1, the mean over the configurations.

    These are `decisions` answers in games of `configs`. A critic that knows nothing would say noise, and the first answers would be
    credited with it. Random play already shows that the Heroine's life is worth something to those who need it.
    """
    device = critic.value.weight.device
    games = min(_GAMES, max(_FEWEST_GAMES * len(configs), math.ceil(decisions / (_ROUNDS * _STEPS))))
    stride = max(1, _STRIDE * games // _GAMES)
    if not player:
        configs = [replace(config, history=0) for config in configs]
    vecs = [make_vec(max(1, games // len(configs)), config, threads=threads.count) for config in configs]
    for number, vec in enumerate(vecs):
        vec.reset(table_seed((seed + 7) % (1 << 61), number))
    learner = Learner(critic, "", _TEACHING_RATE, threads)
    played, explained = 0, [0.0] * len(vecs)
    while played < decisions:
        learner.scale_rate(max(0.1, 1 - played / decisions))
        for number, vec in enumerate(vecs):
            answer = functools.partial(_answers, player, vec) if player else vec.sample
            states, ends = endings(critic, vec, answer, _STEPS, stride)
            played += _STEPS * vec.num_envs
            if not len(states):
                continue  # no game has ended
            with torch.no_grad():
                said = critic(states[:_JUDGED].to(device), vec.config.num_players).cpu()
            explained[number] = share_explained(said, ends[:_JUDGED])
            for batch in torch.split(torch.randperm(len(states), generator=rng), _TEACHING_BATCH):
                learner.step(batch, functools.partial(_gradients, critic, learner, states, ends))
    return sum(explained) / len(explained)


def _gradients(
    critic: CentralCritic, learner: Learner, states: Tensor, ends: Tensor, rows: Tensor, weight: float
) -> tuple[tuple[Tensor, ...], Tensor]:
    """Of the error on some rows of what games paid in the end [k, players], times `weight`; and the error."""
    device = critic.value.weight.device
    error = (critic(states[rows].to(device), ends.shape[1]) - ends[rows].to(device)).square().mean() * weight
    return learner.gradients(error), error.detach()


def _answers(player: Agent, vec: VectorEnv) -> Array:
    return player.act(vec.observations, vec.action_masks, InfoStates(vec.games, vec.seats, vec.config))


def share_explained(said: Tensor, truth: Tensor) -> float:
    """The share of the variance of what games paid that estimates of the same shape explain; 1 at most, below 0 where they mislead."""
    return float(1 - (said - truth).square().mean() / truth.var().clamp(min=1e-6))


def endings(critic: CentralCritic, vec: VectorEnv, answer: Callable[[], Array], steps: int, stride: int) -> tuple[Tensor, Tensor]:
    """Go on with the games, `answer()` [B] in all of them, for this many steps.

    Returns what the critic reads of every `stride`th state [k, reads], and what their games paid in the end [k, players]; without the
    states of games that have not ended.
    """
    players = vec.config.num_players
    kept: list[tuple[int, Array]] = []
    dones: Array = np.zeros((steps, vec.num_envs), np.bool_)
    rewards: Array = np.zeros((steps, vec.num_envs, players), np.float32)
    for step in range(steps):
        if step % stride == 0:
            kept.append((step, critic.take(vec.states())))
        vec.step(answer())
        dones[step], rewards[step] = vec.dones, vec.rewards[:, :players]
    vec.check()
    states, ends = [], []
    ending: Array = np.zeros((vec.num_envs, players), np.float32)
    known: Array = np.zeros(vec.num_envs, np.bool_)
    for step in reversed(range(steps)):
        ending[dones[step]], known[dones[step]] = rewards[step][dones[step]], True
        if kept[-1][0] == step:
            states.append(kept.pop()[1][known])
            ends.append(ending[known])
    return torch.from_numpy(np.concatenate(states)), torch.from_numpy(np.concatenate(ends))
