"""The plan of a duplicate tournament: which deals are played, who sits where, and in which pieces.

A deal is a configuration and a seed: they fix roles, characters and decks. Each of k agents plays every deal k times, so that in
the k games of a deal each agent sits in every seat exactly once, and thus plays every role and character there: agent number
(line-up[s] + r) mod k sits in seat s of game r. Of teams, every pair of agents plays every deal, one in the seats of the Heroine's side and
one in the others (`Plan.sitting`): then too each agent has every seat, as often as the others. Everything follows from the plan, so the
same plan gives the same tournament.

Characters are dealt (`characters="random"`) unless the plan says otherwise, not chosen as in the default of GameConfig: a choice by the
agents makes different games of one deal. It stays fair, since everybody chooses in every seat, but less of the luck falls out.
"""

from __future__ import annotations

import math
import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from danmaku_env import Game, GameConfig
from danmaku_env.arena.errors import ArenaError
from danmaku_env.arena.matches.match import TIME_LIMIT, Job
from danmaku_env.arena.options import DealtOptions, config_of, table_words
from danmaku_env.arena.roles import on_her_side
from danmaku_env.arguments import make_plain, truth, whole_number
from danmaku_env.config import CharacterWay, Expansion, RoleSet
from danmaku_env.game import check_seed

Array = npt.NDArray[Any]
_CHUNK = 64
"""Games that are played side by side in one process; a chunk is also what an interruption costs of work in progress."""
_SEED_BITS = 62
_SECONDS = (int, float, np.integer, np.floating)


class Chunk(NamedTuple):
    """Games that one process plays together."""

    jobs: tuple[Job, ...]
    config: GameConfig
    seed: int
    """Seed of the agents' dice."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What is played. Raises ArenaError on a plan that makes no sense."""

    agents: tuple[str, ...]
    """At least two specs (agents/registry.py)."""
    players: tuple[int, ...] = (6,)
    """Seats at the table; each of these sizes gets all the deals."""
    roles: RoleSet = "advanced"
    """All roles, or those of a first game."""
    expansion: Expansion = "none"
    """The base game, or with Lunatic Extra."""
    bonus_character: bool = False
    """With Player 2 among the characters."""
    characters: CharacterWay = "random"
    """How the seats come to them."""
    candidates: int = 2
    """Characters that each seat chooses from."""
    max_turns: int = 400
    """Turns after which a game ends without winners."""
    ask_seasons: bool = False
    """Whether it is asked which copy of a card is meant whenever copies differ."""
    deals: int = 1000
    """Deals for each table size."""
    seed: int = 0
    """Seed of deals, line-ups and dice."""
    time_limit: float = TIME_LIMIT
    """Seconds for a decision."""
    teams: bool = False
    """Teams against teams: one agent is Heroine and Partners, one everybody else, in all pairs, instead of rotating through the seats."""

    def __post_init__(self) -> None:
        make_plain(self)
        if not (isinstance(self.agents, (tuple, list)) and isinstance(self.players, (tuple, list))):
            raise ArenaError("agents and players are tuples: of specs, and of numbers of players")
        if not all(isinstance(spec, str) for spec in self.agents):
            raise ArenaError("the agents of a tournament are named by words")
        self._take_numbers()
        if len(self.agents) < 2:
            raise ArenaError(f"a tournament needs at least two agents, not {len(self.agents)}")
        if not self.players or len(set(self.players)) != len(self.players) or not set(self.players) <= set(range(4, 9)):
            raise ArenaError(f"the numbers of players are different ones from 4 to 8, not {', '.join(map(str, self.players)) or 'none'}")
        if self.deals < 2:
            raise ArenaError(f"deals must be at least 2, not {self.deals}: chance is judged by how deals differ")
        if not (math.isfinite(self.time_limit) and self.time_limit > 0):
            raise ArenaError(f"the time limit is a number of seconds above 0, not {self.time_limit}")
        try:
            check_seed(self.seed)
            for players in self.players:
                self.config(players)
        except ValueError as error:
            raise ArenaError(str(error)) from None

    def _take_numbers(self) -> None:
        """Make all numbers Python's own, those of NumPy too. Raises ArenaError for what is none."""
        taken: dict[str, Any] = {name: whole_number(getattr(self, name)) for name in ("deals", "candidates", "max_turns")}
        taken["players"] = tuple(map(whole_number, self.players))
        taken["agents"] = tuple(self.agents)
        taken["teams"] = truth(self.teams)
        if None in (*taken.values(), *taken["players"]) or type(self.time_limit) is bool or not isinstance(self.time_limit, _SECONDS):
            raise ArenaError(
                "players, deals, candidates and max_turns are whole numbers, the time limit is a number of seconds, teams true or false"
            )
        taken["time_limit"] = self.time_limit.item() if isinstance(self.time_limit, np.generic) else self.time_limit
        for name, value in taken.items():
            object.__setattr__(self, name, value)

    @property
    def labels(self) -> tuple[str, ...]:
        """What the agents are called in tables: their specs, numbered where one sits at the table twice."""
        seen = Counter[str]()
        labels = []
        for spec in self.agents:
            seen[spec] += 1
            labels.append(spec if self.agents.count(spec) == 1 else f"{spec} ({seen[spec]})")
        return tuple(labels)

    @property
    def games(self) -> int:
        """Games in all."""
        return len(self.players) * self.deals * self.rotations

    @property
    def rotations(self) -> int:
        """Games of a deal: one for each agent, or for each pair of them."""
        return len(self.agents) ** 2 if self.teams else len(self.agents)

    def config(self, players: int) -> GameConfig:
        """How the games of one table size are set up."""
        return config_of(self, DealtOptions, players)

    def lineup(self, players: int, deal: int) -> tuple[int, ...]:
        """The agent in each seat of a deal's first game: everybody has as many seats as the others, or one more, at random."""
        agents = len(self.agents)
        dice = np.random.default_rng([self.seed, players, deal, 1])
        extra = dice.permutation(agents)[: players % agents]
        seats = np.concatenate([np.repeat(np.arange(agents), players // agents), extra])
        return tuple(int(agent) for agent in dice.permutation(seats))

    def jobs(self, players: int, deal: int) -> list[Job]:
        """The games of a deal; their keys are (players, deal, rotation). All are kept, to be looked at."""
        seed = _seed(self.seed, players, deal)
        roles = np.asarray(Game.new(self.config(players), seed).record["role"][:players], np.int64) if self.teams else None
        seats = self.sitting(players, deal, roles)
        return [Job((players, deal, rotation), seed, seats[rotation], kept=True) for rotation in range(self.rotations)]

    def sitting(self, players: int, deal: int, roles: Array | None) -> list[tuple[int, ...]]:
        """The agent in each seat, for each game of a deal in which these roles [players] are dealt; they matter to teams only.

        Of teams, game h * k + b has agent h on the Heroine's side and agent b on the other one, of k agents.
        """
        agents = len(self.agents)
        if self.teams:
            assert roles is not None
            hers = on_her_side(roles)
            return [tuple(np.where(hers, one, other).tolist()) for one in range(agents) for other in range(agents)]
        lineup = self.lineup(players, deal)
        return [tuple((agent + rotation) % agents for agent in lineup) for rotation in range(agents)]

    def chunks(self) -> Iterator[Chunk]:
        """All games, in pieces that depend on nothing but the plan."""
        size = max(1, _CHUNK // self.rotations)
        for players in self.players:
            for first in range(0, self.deals, size):
                deals = range(first, min(first + size, self.deals))
                jobs = tuple(job for deal in deals for job in self.jobs(players, deal))
                yield Chunk(jobs, self.config(players), _seed(self.seed, players, first, 2))

    def command(self, more: Sequence[str] = ()) -> str:
        """The command that plays this tournament again, with more words on how it is played or reported."""
        words = ["danmaku", "tournament", *self.agents, "--players", ",".join(map(str, self.players)), *table_words(self, DealtOptions)]
        words += ["--deals", str(self.deals), "--seed", str(self.seed), "--time-limit", repr(self.time_limit)]
        words += ["--teams"] if self.teams else []
        return shlex.join([*words, *more])

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Plan:
        """The inverse of `to_dict`; what older versions did not write yet has its default. Raises ArenaError on unknown or bad fields."""
        if not isinstance(data, dict) or not {"agents"} <= set(data) <= {field.name for field in fields(cls)}:
            raise ArenaError(f"a plan has the fields {', '.join(field.name for field in fields(cls))}, not {data!s:.200}")
        values: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in data.items()}
        try:
            return cls(**values)
        except (TypeError, ValueError, OverflowError) as error:
            raise ArenaError(f"the plan cannot be read: {error}") from None


def _seed(*numbers: int) -> int:
    """A seed that depends on all the numbers."""
    return int(np.random.SeedSequence(list(numbers)).generate_state(1, np.uint64)[0]) & ((1 << _SEED_BITS) - 1)
