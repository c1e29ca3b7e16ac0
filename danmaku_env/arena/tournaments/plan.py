"""The plan of a duplicate tournament: its deals, seats and chunks.

A deal is a configuration and a seed: they fix roles, characters and decks. Each of k agents plays every deal k times, so that in the k
games of a deal each agent sits in every seat exactly once, and thus plays every role and character there: agent number (line-up[s] + r) mod
k sits in seat s of game r. In tournaments of teams every pair of agents plays every deal, one in the seats of the Heroine's side and one in
the others (`Plan.seating`); each agent has every seat as often as the others there, too. Everything follows from the plan, so the same plan
gives the same tournament.

Characters are dealt (`DEALT_AT_RANDOM`) unless the table says otherwise. The default of GameConfig lets players choose, but choices would
make different games of one deal. That would be fair, since everybody chooses in every seat, but less of the luck would cancel out.
"""

from __future__ import annotations

import math
import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from danmaku_env import Game, GameConfig
from danmaku_env.arena.jobs.spec import Spec, check_specs, seed_of
from danmaku_env.arena.matches.match import TIME_LIMIT, Job
from danmaku_env.arguments import shown, truth, whole_number
from danmaku_env.beliefs.factions import on_her_side
from danmaku_env.console.errors import UserError
from danmaku_env.console.options import ALL_TABLE_OPTIONS, DEALT_AT_RANDOM
from danmaku_env.machine.records import Array

_CHUNK = 64
"""Games that are played side by side in one process; a chunk is also what an interruption costs of work in progress."""
_SECONDS = (int, float, np.integer, np.floating)


class Chunk(NamedTuple):
    """Games that one process plays together."""

    jobs: tuple[Job, ...]
    config: GameConfig
    seed: int
    """Seed of the agents."""


@dataclass(frozen=True, kw_only=True)
class Plan(Spec):
    """What is played: a Spec for all these table sizes."""

    agents: tuple[str, ...]
    """At least two specs (agents/registry.py)."""
    players: tuple[int, ...] = (6,)
    """Seats at the table; each of these sizes gets all the deals."""
    table: GameConfig = DEALT_AT_RANDOM
    """How the games are set up, but for the number of players."""
    deals: int = 1000
    """Deals for each table size."""
    time_limit: float = TIME_LIMIT
    """Seconds for a decision."""
    teams: bool = False
    """Teams against teams: one agent is Heroine and Partners, one everybody else, in all pairs, instead of rotating through the seats."""

    OPTIONS = ALL_TABLE_OPTIONS
    DEFAULT_TABLE = DEALT_AT_RANDOM
    CALLED = "plan of a tournament"
    FOLDER_PHRASES = ("a tournament", "is no tournament", "another tournament")
    MARK = "danmaku_tournament"
    FOLDER = Path("runs/tournament")
    RESULTS = ("results.jsonl",)

    def _check(self) -> None:
        check_specs(self.agents, "agents")
        if not isinstance(self.players, (tuple, list)):
            raise UserError(f"players are a tuple of numbers of players, not {shown(self.players)}")
        self._take_numbers()
        if len(self.agents) < 2:
            raise UserError(f"a tournament needs at least two agents, not {len(self.agents)}")
        if not self.players or len(set(self.players)) != len(self.players) or not set(self.players) <= set(range(4, 9)):
            raise UserError(
                f"players are numbers from 4 to 8, each once, with commas between, not {', '.join(map(str, self.players)) or 'none'}"
            )
        if self.deals < 2:
            raise UserError(f"deals must be at least 2, not {self.deals}: chance is judged by how deals differ")
        if not (math.isfinite(self.time_limit) and self.time_limit > 0):
            raise UserError(f"the time limit is a number of seconds above 0, not {self.time_limit}")
        for players in reversed(self.players):
            object.__setattr__(self, "table", replace(self.table, num_players=players))

    def _take_numbers(self) -> None:
        """Make all numbers Python's own, those of NumPy too. Raises UserError for anything else."""
        taken: dict[str, Any] = {"deals": whole_number(self.deals)}
        taken["players"] = tuple(map(whole_number, self.players))
        taken["agents"] = tuple(self.agents)
        taken["teams"] = truth(self.teams)
        if None in (*taken.values(), *taken["players"]) or type(self.time_limit) is bool or not isinstance(self.time_limit, _SECONDS):
            raise UserError("players and deals are whole numbers, the time limit is a number of seconds, teams true or false")
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

    def lineup(self, players: int, deal: int) -> tuple[int, ...]:
        """The agent in each seat of a deal's first game: everybody has the same number of seats, or one more, at random."""
        agents = len(self.agents)
        rng = np.random.default_rng([self.seed, players, deal, 1])
        extra = rng.permutation(agents)[: players % agents]
        seats = np.concatenate([np.repeat(np.arange(agents), players // agents), extra])
        return tuple(int(agent) for agent in rng.permutation(seats))

    def jobs(self, players: int, deal: int) -> list[Job]:
        """The games of a deal; their keys are (players, deal, rotation). All are kept, to be looked at."""
        seed = seed_of(self.seed, players, deal)
        roles = np.asarray(Game.new(self.config(players), seed).record["role"][:players], np.int64) if self.teams else None
        seats = self.seating(players, deal, roles)
        return [Job((players, deal, rotation), seed, seats[rotation], kept=True) for rotation in range(self.rotations)]

    def seating(self, players: int, deal: int, roles: Array | None) -> list[tuple[int, ...]]:
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
                yield Chunk(jobs, self.config(players), seed_of(self.seed, players, first, 2))

    def command(self, more: Sequence[str] = ()) -> str:
        """The command that plays this tournament again, with more words on how it is played or reported."""
        words = ["danmaku", "tournament", *self.agents, "--players", ",".join(map(str, self.players)), *self.table_words()]
        words += ["--deals", str(self.deals), "--seed", str(self.seed), "--time-limit", repr(self.time_limit)]
        words += ["--teams"] if self.teams else []
        return shlex.join([*words, *more])
