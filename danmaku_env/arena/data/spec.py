"""The spec of a dataset: configuration, agents, seed and number of games, in parts that depend on nothing else."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from danmaku_env.arena.jobs.parts import CHECKSUMS, PART, PartedSpec
from danmaku_env.arena.jobs.spec import check_specs, seed_of
from danmaku_env.arguments import shown, whole_number
from danmaku_env.console.errors import UserError

MOST_RECORDED = 10**9


class DatasetPart(NamedTuple):
    """Games that are played side by side."""

    number: int
    first: int
    """The number of its first game."""
    seeds: tuple[int, ...]
    """The seed of each of its games."""
    agent_seeds: tuple[int, ...]
    """The seed of each agent."""


@dataclass(frozen=True, kw_only=True)
class DatasetSpec(PartedSpec):
    """What is recorded."""

    agents: tuple[str, ...] = ("heuristic",)
    """Specs; seat s of game g has agent (s + g) mod k."""
    observations: bool = False
    """Whether what was seen at every decision is kept as well."""

    KEY = "recipe"
    CALLED = "recipe of recorded games"
    FOLDER_PHRASES = ("games", "are no games", "other games")
    FILE = "recipe.json"
    MARK = "danmaku_record"
    FOLDER = Path("runs/games")
    RESULTS = tuple(f"{name}/{PART}*" for name in ("games", "decisions", "events", "observations", CHECKSUMS))

    def _check(self) -> None:
        check_specs(self.agents, "agents")
        if not self.agents:
            raise UserError("the agents that play are named by words, at least one")
        games = whole_number(self.games) or 0
        if not 1 <= games <= MOST_RECORDED:
            raise UserError(f"the games to record must be at least 1 and at most {MOST_RECORDED:,}, not {shown(self.games)}")

    def part(self, number: int) -> DatasetPart:
        """A piece of the games, which depends on the dataset spec alone."""
        games = self.games_of(number)
        agent_seeds = tuple(seed_of(self.seed, 1, number, agent) for agent in range(len(self.agents)))
        return DatasetPart(number, games.start, tuple(seed_of(self.seed, 0, game) for game in games), agent_seeds)

    def command(self) -> str:
        """The command that records the same."""
        words = ["danmaku", "record", "--agents", ",".join(self.agents), "--players", str(self.table.num_players), *self.table_words()]
        words += ["--games", str(self.games), "--seed", str(self.seed), *(["--observations"] if self.observations else [])]
        return shlex.join(words)
