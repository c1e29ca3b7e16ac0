"""What is to be recorded: configuration, agents, seed and number of games, in pieces that depend on nothing else."""

from __future__ import annotations

import shlex
from dataclasses import asdict, dataclass, fields
from typing import Any, NamedTuple

import numpy as np

from danmaku_env import ConfigError, GameConfig
from danmaku_env.arena.errors import ArenaError
from danmaku_env.arena.options import TableOptions, config_of, table_words
from danmaku_env.arguments import make_plain, shown, whole_number
from danmaku_env.config import CharacterWay, Expansion, RoleSet
from danmaku_env.game import check_seed

_PART = 256
"""Games that are played side by side and lie in one file; what an interruption costs at most."""
_SEED_BITS = 62
MOST_RECORDED = 10**9


class Part(NamedTuple):
    """Games that are played side by side."""

    number: int
    first: int
    """The number of its first game."""
    seeds: tuple[int, ...]
    """The seed of each of its games."""
    dice: tuple[int, ...]
    """The seed of each agent's dice."""


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """What is recorded. Raises ArenaError where that makes no sense."""

    agents: tuple[str, ...] = ("heuristic",)
    """Specs; seat s of game g has agent (s + g) mod k."""
    players: int = 6
    roles: RoleSet = "advanced"
    expansion: Expansion = "none"
    bonus_character: bool = False
    characters: CharacterWay = "choose"
    candidates: int = 2
    games: int = 1000
    seed: int = 0

    def __post_init__(self) -> None:
        make_plain(self)
        if not self.agents or not all(isinstance(spec, str) for spec in self.agents):
            raise ArenaError("the agents that play are named by words, at least one")
        games = whole_number(self.games) or 0
        if not 1 <= games <= MOST_RECORDED:
            raise ArenaError(f"the games to record must be at least 1 and at most {MOST_RECORDED:,}, not {shown(self.games)}")
        try:
            check_seed(self.seed)
            self.config()
        except (ValueError, ConfigError) as error:
            raise ArenaError(str(error)) from None

    def config(self) -> GameConfig:
        """How the games are set up."""
        return config_of(self, TableOptions, self.players)

    @property
    def parts(self) -> int:
        """Pieces of all the games."""
        return -(-self.games // _PART)

    def part(self, number: int) -> Part:
        """A piece of the games, which depends on the recipe alone; more games add pieces and fill the last one."""
        games = self.games_of(number)
        dice = tuple(_seed(self.seed, 1, number, agent) for agent in range(len(self.agents)))
        return Part(number, games.start, tuple(_seed(self.seed, 0, game) for game in games), dice)

    def games_of(self, part: int) -> range:
        """The numbers of its games."""
        return range(part * _PART, min((part + 1) * _PART, self.games))

    def command(self) -> str:
        """The command that records the same."""
        words = ["danmaku", "record", "--agents", ",".join(self.agents), "--players", str(self.players), *table_words(self, TableOptions)]
        words += ["--games", str(self.games), "--seed", str(self.seed)]
        return shlex.join(words)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {**asdict(self), "agents": list(self.agents)}

    @classmethod
    def from_dict(cls, data: Any) -> Recipe:
        """The inverse of `to_dict`; what older versions did not write yet has its default. Raises ArenaError on unknown or bad fields."""
        names = {field.name for field in fields(cls)}
        if not isinstance(data, dict) or not {"agents"} <= set(data) <= names or not isinstance(data["agents"], list):
            raise ArenaError(f"a recipe has the fields {', '.join(field.name for field in fields(cls))}, not {data!s:.200}")
        return cls(**{**data, "agents": tuple(data["agents"])})


def _seed(*numbers: int) -> int:
    """A seed that depends on all the numbers."""
    return int(np.random.SeedSequence(list(numbers)).generate_state(1, np.uint64)[0]) & ((1 << _SEED_BITS) - 1)
