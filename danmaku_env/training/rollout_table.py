"""The games of self-play side by side, what happened in a window of their decisions, and what each answer is credited with."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any, cast

import numpy as np
import torch
from torch import Tensor

from danmaku_env import GameConfig, VectorEnv, make_vec
from danmaku_env.agents.role_separation import RoleSeparation
from danmaku_env.config import CHARACTER_WAYS, CharacterWay
from danmaku_env.console.options import is_given, player_counts
from danmaku_env.machine.records import Array
from danmaku_env.nets.network import NamedNet
from danmaku_env.training.central_critic import CentralCritic
from danmaku_env.training.league import League, own_seats
from danmaku_env.training.role_labels import NO_ROLE
from danmaku_env.training.seeds import table_seed
from danmaku_env.training.trajectories import carry, seat_credit

_CARRIED = ("inputs", "masks", "roles", "actions", "logprobs", "values")
"""What of an answer goes over to the next window."""
_UNASKED = {"players": "6", "characters": ""}
"""What these options of a trainer are where nothing is asked for."""


def configs_of(table: GameConfig, players: str, characters: str) -> list[GameConfig]:
    """The table for each of these numbers of players, with each of these ways to characters if any are named; commas between.

    A table that has a name stays as it is. Raises ValueError where something else is asked for besides, and on an invalid number or way.
    """
    if name := table.table:
        for option, said, whole in (("players", players, table.num_players), ("characters", characters, table.characters)):
            if said != str(whole) and (said != _UNASKED[option] or is_given(option)):
                raise ValueError(f"{option} is {said}, and the table {name} has {whole}: leave one of the two out")
        return [table]
    counts, ways = player_counts(players), [word.strip() for word in characters.split(",")]
    if not characters:
        return [replace(table, num_players=count) for count in counts]
    if not set(ways) <= set(CHARACTER_WAYS) or len(set(ways)) != len(ways):
        raise ValueError(f"characters must be different ones of {', '.join(CHARACTER_WAYS)}, with commas between, not {characters!r}")
    pairs = itertools.product(counts, cast("list[CharacterWay]", ways))
    return [replace(table, num_players=count, characters=way) for count, way in pairs]


class RolloutTable:
    """Games of one number of players, and what happened in them in a window of T decisions in each of B games.

    With the network's own value, T includes the steps in front of the window (`carried`).
    """

    def __init__(
        self, args: Any, config: GameConfig, games: int, net: NamedNet, critic: CentralCritic | None, rng: torch.Generator, number: int
    ) -> None:
        """`args` are those of the trainer (ppo.PPOArgs); `number` is the table's among those of the run."""
        self.config, self.games, self.window = config, games, args.window
        self.vec: VectorEnv = make_vec(games, config, threads=args.threads)
        self.vec.reset(table_seed(args.seed, number))
        own = own_seats(args.opponents, args.own_seats, config.num_players)
        self.league = League(args.opponents, games, own, config, net, rng)
        self.separation = RoleSeparation(config)
        self.most_roles = len(net.roles)
        self.carried = 0 if critic else config.num_players
        """Steps in front of the window. With the net's own value, the last answer of each seat waits there for the seat's next decision."""
        self.steps = self.carried + args.window
        shape = (self.steps, games)
        self.inputs = torch.zeros(*shape, net.taken.width, dtype=torch.uint8)
        self.masks = torch.zeros(*shape, self.vec.spec.num_actions, dtype=torch.uint8)
        self.roles = torch.zeros(*shape, self.vec.spec.most_seats, dtype=torch.uint8)
        self.states = torch.zeros(self.steps + 1, games, critic.reads if critic else 0, dtype=torch.uint8)
        """What the critic sees before each decision, and after the last."""
        self.actions = torch.zeros(shape, dtype=torch.int64)
        self.logprobs, self.values = torch.zeros(shape), torch.zeros(shape)
        self.seats: Array = np.zeros(shape, np.int64)
        self.seats[: self.carried] = np.arange(self.carried)[:, None]
        self.own: Array = np.zeros(shape, np.bool_)
        """Whether the answer was the network's, and its credit is known."""
        self.waiting: Array = np.zeros(shape, np.bool_)
        """Whether it was, and its credit is not known yet."""
        self.opening: Array = np.zeros(shape, np.bool_)
        """Whether no turn had begun: answers of then, such as which character to play, have effects much later."""
        self.dones: Array = np.zeros(shape, np.bool_)
        self.rewards: Array = np.zeros((*shape, config.num_players), np.float32)
        self.returns = torch.zeros(*shape, config.num_players)
        """[T, B, P] what the critic learns; with the own value, [T, B, 1]."""
        self.advantages = torch.zeros(shape)
        self.weights = torch.ones(self.steps * games)
        """[T B] what a decision weighs, if it is learned from."""
        self.rows: dict[str, Tensor] = {}
        """name -> [T B, ...] what is learned from, on the device."""

    def flat(self, name: str) -> Tensor:
        """One of the tensors [T, B, ...] as rows [T B, ...]."""
        tensor: Tensor = getattr(self, name)[: self.steps]
        return tensor.reshape(self.steps * self.games, *tensor.shape[2:])

    def put_on(self, device: torch.device) -> None:
        """Have `rows` on the device: once in a window, all that is learned from."""
        names = ("inputs", "masks", "roles", "states", "actions", "logprobs", "returns", "advantages")
        self.rows = {name: self.flat(name).to(device) for name in names} | {"weights": self.weights.to(device)}

    def credit_by_game(self, values: Array, gae_lambda: float, value_lambda: float) -> Array:
        """[T, B] credit of the answers, from the critic's values [T + 1, B, P]: TD(lambda) of the answering seat along the game.

        Answers before the first turn have `value_lambda` too. `returns` becomes what the critic should have said.
        """
        credit, targets = np.zeros_like(values[:-1]), np.zeros_like(values[:-1])
        ahead, further = np.zeros_like(values[0]), np.zeros_like(values[0])
        for step in reversed(range(self.steps)):
            over = self.dones[step][:, None]
            change = np.where(over, self.rewards[step], values[step + 1]) - values[step]
            ahead = change + gae_lambda * np.where(over, 0, ahead)
            further = change + value_lambda * np.where(over, 0, further)
            credit[step] = np.where(self.opening[step][:, None], further, ahead)
            targets[step] = values[step] + further
        self.returns = torch.from_numpy(targets)
        own: Array = np.take_along_axis(credit, self.seats[:, :, None], 2)[:, :, 0]
        return own

    def credit_by_seat(self, gae_lambda: float) -> tuple[Array, Array]:
        """[T, B] credit of the answers along each seat's own decisions, from the network's values; and whether it is known already."""
        values = self.values.numpy()
        credit, known = seat_credit(values, self.seats, self.dones, self.rewards, gae_lambda)
        self.returns = torch.from_numpy((credit + values)[:, :, None])
        self.waiting, self.own = self.own & ~known, self.own & known
        return credit, known

    def carry(self) -> None:
        """Move the answers that wait in front of the next window, where they are the network's own again. Twice is as once."""
        carry(self.carried, self.seats, self.own, self.waiting, (getattr(self, name) for name in _CARRIED))

    def waiting_tensors(self) -> dict[str, Tensor]:
        """Name -> [P, B, ...] the answers that wait, for a checkpoint."""
        self.carry()
        return {name: torch.as_tensor(getattr(self, name)[: self.carried]) for name in (*_CARRIED, "own")} if self.carried else {}

    def restore(self, tensors: dict[str, Tensor]) -> None:
        """Have these answers wait. Raises ValueError or RuntimeError where they cannot be."""
        for name, tensor in tensors.items():
            getattr(self, name)[: self.carried] = tensor if name != "own" else tensor.numpy()
        waits = self.own[: self.carried]
        actions, masks, roles = (tensor[: self.carried][waits] for tensor in (self.actions, self.masks, self.roles))
        legal = (actions >= 0) & (actions < masks.shape[1])
        legal &= masks.gather(1, torch.where(legal, actions, 0)[:, None])[:, 0] == 1
        if not (legal.all() and ((roles < self.most_roles) | (roles == NO_ROLE)).all()):
            raise ValueError("an answer waits that nobody can have given")
        self.waiting[: self.carried] = waits
