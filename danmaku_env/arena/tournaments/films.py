"""Some games of a tournament as films: the same deal with the agents rotated through the seats, one file for each game."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from danmaku_env.arena.matches.match import Result
from danmaku_env.arena.table.film import film, film_believers
from danmaku_env.arena.table.recording import Recording
from danmaku_env.arena.tournaments.plan import Plan
from danmaku_env.game import Replay, write_atomically

FOLDER = "films"
FILMED = 3
"""Games of each table size that are filmed, where nobody says how many."""


@dataclass(frozen=True)
class Film:
    """A game that can be looked at."""

    players: int
    rotation: int
    replay: Replay
    winners: tuple[int, ...]
    """Agents in the seats that won."""

    @property
    def path(self) -> str:
        """Where its page is, from the folder of the tournament."""
        return f"{FOLDER}/{self.players}-players-game-{self.rotation}.html"


def films(plan: Plan, results: Iterable[Result], most: int) -> list[Film]:
    """The films there can be, at most so many for each table size: of the first deal, in the order of their rotations."""
    kept = sorted((result for result in results if result.answers and result.key[2] < most), key=lambda result: result.key)
    return [_film(plan, result) for result in kept]


def _film(plan: Plan, result: Result) -> Film:
    players, deal, rotation = result.key
    (job,) = [job for job in plan.jobs(players, deal) if job.key == result.key]
    names = tuple(plan.labels[agent] for agent in job.seats)
    winners = tuple(dict.fromkeys(agent for agent, reward in zip(job.seats, result.rewards, strict=True) if reward > 0))
    return Film(players, rotation, Replay(plan.config(players), job.seed, result.answers, names), winners)


def write_films(found: Iterable[Film], folder: Path) -> None:
    """Write each film, and its replay beside it. Raises OSError."""
    believers = film_believers(None)
    for there in found:
        page = folder / there.path
        page.parent.mkdir(exist_ok=True)
        there.replay.save(page.with_suffix(".json"))
        write_atomically(page, film(Recording.of_replay(there.replay), believers).encode())
