"""Opponents in training: agents of the registry, and earlier versions of the network.

The opponents of a game are drawn by priority (prioritised fictitious self-play, Vinyals et al. 2019): the more a member of the league wins,
the likelier it is drawn, by the square of its share. So the network does not forget how to play against anybody, and spends no time on
opponents that it beats anyway.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from danmaku_env import GameConfig, VectorEnv
from danmaku_env.agents import base, registry
from danmaku_env.agents.base import Agent, answers_of
from danmaku_env.agents.prior_policy import seen
from danmaku_env.agents.seating import split_specs
from danmaku_env.console.options import is_given
from danmaku_env.info_states import InfoStates
from danmaku_env.machine.records import Array
from danmaku_env.nets.network import NamedNet, choose_actions
from danmaku_env.spec import spec_of

SELF, PAST = "self", "past"
"""Words for the net itself and for what it was, among names of agents."""
MOST_PAST = 6
"""Past selves that are kept; then the one that wins least makes room."""
_EVEN_GAMES = 10.0
"""Games of even result that a member counts as having played before its first."""
_MEMORY = 0.99
"""What a result still counts when the next one comes in."""
_LEAST = 0.02
"""The least priority, so that an opponent that never wins is still met."""


def members_of(opponents: str) -> list[str]:
    """The words of a comma list, each an agent's spec, SELF or PAST. Raises ValueError (AgentError) where nobody has that name."""
    words = split_specs(opponents)
    if len(set(words)) != len(words):
        raise ValueError(f"opponents: {opponents!r} names somebody twice")
    for word in words:
        if word not in (SELF, PAST):
            registry.make(word, 0)
    return words


def check_members(opponents: str, own: int, players: int, *, resume: bool) -> None:
    """Raise ValueError unless these words name a league, and a net can have this many seats beside it, or 0 for half of them.

    Also for options that say something of a league that there is not. A run to `resume` has its league in its checkpoint.
    """
    members = members_of(opponents)
    if not 0 <= own < players:
        raise ValueError(f"own_seats must be from 0 (half) to {players - 1}, not {own}")
    if own and members == [SELF] and not resume:
        raise ValueError("own_seats is of games with others, and the net plays with itself alone: name opponents too")
    if PAST not in members and is_given("remember_every") and not resume:
        raise ValueError("remember_every is of past selves, and there are none among the opponents: name past too, as in self,past")


def own_seats(opponents: str, asked: int, players: int) -> int:
    """Seats that the net has in a game against others, of this many players: those asked for, or half of them for 0."""
    return players if opponents == SELF else asked or players // 2


def shares_won(results: Array) -> Array:
    """[members] what the net wins against each, 0 to 1, from [members, 2] what it won and in how many games."""
    won, games = results.T
    shares: Array = (won + _EVEN_GAMES / 2) / (games + _EVEN_GAMES)
    return shares


def priorities(shares: Array) -> Array:
    """[members] how likely each is to be drawn, in proportion."""
    likely: Array = np.maximum((1 - shares) ** 2, _LEAST)
    return likely


def with_game(result: Array, lead: float) -> Array:
    """[2] a member's result after another game, which the net's seats ended ahead of the member's by this much mean reward."""
    after: Array = result * _MEMORY + (0.5 + lead / 4, 1.0)
    return after


class Lead(NamedTuple):
    """A game with others that ended."""

    member: int
    holder: int
    """Which past self had the member's place when the game began (`League.holder`)."""
    by: float
    """By how much the net was ahead."""


class League:
    """The others in some seats of every game; who, and where, is drawn anew for each."""

    def __init__(self, opponents: str, games: int, own: int, config: GameConfig, net: NamedNet, rng: torch.Generator) -> None:
        """The net has `own` seats of a game with others. `rng` are the run's: all that is drawn here comes from them."""
        words = members_of(opponents)
        self.config, self.rng = config, rng
        self.seats = config.num_players - own
        """How many seats of a game are theirs."""
        self.agents: list[Agent] = [registry.make(word, 0) for word in words if word not in (SELF, PAST)]
        self.names = [word for word in words if word not in (SELF, PAST)]
        self.by_itself = words.count(SELF) / len(words)
        """Share of the games that the net plays alone."""
        self.keeps_past = PAST in words
        self.past: list[NamedNet] = []
        self.results: Array = np.zeros((len(self.agents) + MOST_PAST, 2))
        """Of each member what the net won against it, 0 to 1 a game, and in how many games; older ones count less."""
        self.member: Array = np.full(games, -1, np.int64)
        """[B] who plays in each game, the agents first; -1 = nobody else."""
        self.theirs: Array = np.zeros((games, spec_of(config).most_seats), np.bool_)
        """[B, 8] which seats are theirs."""
        self.holder: Array = np.zeros(len(self.results), np.int64)
        """[members] which past self has each place, counted from 1."""
        self.against: Array = np.zeros(games, np.int64)
        """[B] which one it was when the game began."""
        self.leads: list[Lead] = []
        """Games with others that ended in this window."""
        self.every: Array = np.arange(games)
        if self.keeps_past:
            self.remember(net)
        self.sit(self.every)

    def __len__(self) -> int:
        return len(self.agents) + len(self.past)

    @property
    def outdated(self) -> Array:
        """[B] games whose member has left the league since they began: they count for nobody, whoever has its place and plays on in it."""
        left: Array = (self.member >= 0) & (self.against != self.holder[self.member])
        return left

    def remember(self, net: NamedNet) -> None:
        """Take the net as it is now into the league; where it is full, in the place and seats of the past self that wins least."""
        first, taken = len(self.agents), copy.deepcopy(net).cpu().requires_grad_(False)
        if len(self.past) < MOST_PAST:
            self.past.append(taken)
            place = len(self.past) - 1
        else:
            place = int(self.won()[first:].argmax())
            self.past[place] = taken
        self.results[first + place] = 0
        self.holder[first + place] += 1

    def won(self) -> Array:
        """[members] what the net wins against each, 0 to 1."""
        return shares_won(self.results[: len(self)])

    def sit(self, games: Array) -> None:
        """Draw who plays, and where, of games that begin."""
        if not len(self) or not len(games):
            return
        priority = priorities(self.won()).cumsum()
        draws = torch.rand(len(games), 2, generator=self.rng, dtype=torch.float64).numpy()
        drawn = np.searchsorted(priority, draws[:, 1] * priority[-1], side="right").clip(max=len(self) - 1)
        self.member[games] = np.where(draws[:, 0] < self.by_itself, -1, drawn)
        self.against[games] = self.holder[self.member[games]]
        order = torch.rand(len(games), self.config.num_players, generator=self.rng).argsort(1).numpy()
        self.theirs[games] = False
        self.theirs[games[:, None], order[:, : self.seats]] = True
        self.theirs[games] &= self.member[games, None] >= 0

    def reset(self) -> None:
        """Seed the agents from the run's generator: done for each window, so that a checkpoint between two needs only the latter.

        Raises AnswerError.
        """
        self.leads = []
        for agent in self.agents:
            base.reset(agent, int(torch.randint(1 << 62, (1,), generator=self.rng)))

    def asked(self, seats: Array) -> Array:
        """[B] whether the seats asked are theirs."""
        mine: Array = self.theirs[self.every, seats]
        return mine

    def act(self, vec: VectorEnv, games: Array) -> Array:
        """[k] their answers in some games of the batch. Raises AnswerError."""
        answers: Array = np.zeros(len(games), np.int64)
        for member in np.unique(self.member[games]):
            places = np.flatnonzero(self.member[games] == member)
            rows = games[places]
            if member < len(self.agents):
                info_states = InfoStates.of(vec, rows)
                answers[places] = answers_of(self.agents[member], vec.observations[rows], vec.action_masks[rows], info_states)
            else:
                past = self.past[member - len(self.agents)]
                answers[places] = choose_actions(past, seen(past, vec, rows), vec.action_masks[rows], self.rng)
        return answers

    def add_results(self, games: Array, rewards: Array) -> None:
        """Note the rewards [k, 8] of games that ended [k]: the mean of the net's seats against that of theirs."""
        at_table = np.arange(self.theirs.shape[1]) < self.config.num_players
        for game, of_game in zip(games, rewards, strict=True):
            member, theirs = self.member[game], self.theirs[game]
            if member >= 0:
                by = float(of_game[at_table & ~theirs].mean() - of_game[theirs].mean())
                self.note([Lead(int(member), int(self.against[game]), by)])

    def note(self, leads: Iterable[Lead]) -> None:
        """Count games with others that ended, but those against a past self that has left."""
        for lead in leads:
            if lead.holder == self.holder[lead.member]:
                self.leads.append(lead)
                self.results[lead.member] = with_game(self.results[lead.member], lead.by)

    def figures(self) -> dict[str, float]:
        """What the net wins against each, for the log."""
        names = [*self.names, *(f"{PAST} {number}" for number in range(len(self.past)))]
        return {f"league/{name}": share for name, share in zip(names, self.won().tolist(), strict=True)}

    # ---- checkpoints

    def tensors(self, *, games: bool = True) -> dict[str, Tensor]:
        """Everything that the next game depends on; without `games`, without the players of games under way."""
        own = {"results": self.results, **({"theirs": self.theirs, "member": self.member} if games else {})}
        own |= {"outdated": self.outdated} if games and self.outdated.any() else {}  # earlier checkpoints do without
        kept = {f"league.{name}": torch.from_numpy(array) for name, array in own.items()}
        for number, net in enumerate(self.past):
            kept |= {f"past.{number}.{name}": tensor for name, tensor in net.state_dict().items()}
        return kept

    def restore(self, net: NamedNet, tensors: dict[str, Tensor], *, games: bool = True) -> None:
        """The inverse of `tensors`, on a fresh league; without `games` others sit down. Raises ValueError, KeyError or RuntimeError."""
        names = list(net.state_dict())
        number = 0
        self.past = []
        while f"past.{number}.{names[0]}" in tensors and self.keeps_past and number < MOST_PAST:
            past = copy.deepcopy(net).cpu().requires_grad_(False)
            past.load_state_dict({name: tensors[f"past.{number}.{name}"] for name in names})
            self.past.append(past)
            number += 1
        for name, kept in (("results", self.results), *((("theirs", self.theirs), ("member", self.member)) if games else ())):
            kept[:] = tensors[f"league.{name}"].numpy()
        self.holder[len(self.agents) : len(self)] = 1
        self.against[:] = self.holder[self.member]
        if games and "league.outdated" in tensors:
            self.against[tensors["league.outdated"].numpy()] = 0
        if not ((self.member >= -1) & (self.member < len(self))).all() or (self.theirs.any(1) != (self.member >= 0)).any():
            raise ValueError("somebody plays who is not in the league")
        if not (np.isfinite(self.results).all() and (self.results >= 0).all()):
            raise ValueError("its league has results that cannot be")
        if not games:
            self.sit(self.every)
