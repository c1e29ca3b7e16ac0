"""Who sits where in the games of a deal, for each kind of task that is played for reward, and what those games are worth to an entry.

Agents are numbered: the entries first, then the population of the task. Every game of a deal begins alike, so the luck of the deal cancels
in comparisons.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from danmaku_env.arena.matches.match import Result
from danmaku_env.benchmark.task import Task
from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.compile import compile_cards
from danmaku_env.machine.records import Array

DealSums = dict[str, tuple[float, float]]
"""Metric -> (sum, count) of a deal; the metric is the sum over all deals divided by the count over all deals."""
FACTIONS = {"heroine": v.HEROINE_TEAM, "stage": v.STAGE_TEAM, "extra": v.EXTRA_TEAM}
"""Faction -> with whom its roles win, as they are dealt; the Rival, who has no faction before she takes over, is in none."""
_EVERYBODY = ""


class Lineup(NamedTuple):
    """A game of a deal."""

    series: str
    """What it counts for."""
    mine: tuple[int, ...]
    """The seats of `one`; nothing where those are meant that are dealt to the faction named by the series."""
    one: int
    """The number of the agent in these seats."""
    other: int
    """The number of the agent in all others."""

    def seats(self, roles: Array) -> tuple[int, ...]:
        """The agent in each seat, where the roles [players] are dealt."""
        there = self.mine or np.flatnonzero(of_faction(roles, self.series)).tolist()
        return tuple(self.one if seat in there else self.other for seat in range(len(roles)))


def of_faction(roles: Array, faction: str) -> Array:
    """[players] whether the role dealt to a seat is of the faction."""
    teams: Array = compile_cards().tables[0]["role_team"][roles] == FACTIONS[faction]
    return teams


def lineups_of(task: Task, entries: int) -> list[Lineup]:
    """The games of a deal, in order."""
    return _KINDS[task.kind].lineups(task, entries)


def sums(task: Task, entries: int, results: Sequence[Result]) -> DealSums:
    """What the games of a deal say, which are in the order of `lineups_of`."""
    played = list(zip(lineups_of(task, entries), results, strict=True))
    return _KINDS[task.kind].sums(np.array(results[0].roles), played)


def _paid(result: Result, seats: Sequence[int] | Array) -> float:
    """The mean reward of some seats."""
    return float(np.array(result.rewards, np.float64)[seats].mean())


# ---------------------------------------------------------------- against a panel


def _against_the_panel(task: Task, entries: int) -> list[Lineup]:
    """Against each member twice: the entry has every other seat, then those between."""
    halves = [tuple(range(half, task.config.num_players, 2)) for half in range(2)]
    return [Lineup(spec, half, 0, entries + number) for number, spec in enumerate(task.population) for half in halves]


def _sums_of_panel(roles: Array, played: Sequence[tuple[Lineup, Result]]) -> DealSums:
    leads: dict[str, float] = {}
    for lineup, result in played:
        others = [seat for seat in range(len(roles)) if seat not in lineup.mine]
        lead = _paid(result, list(lineup.mine)) - _paid(result, others)
        leads[lineup.series] = leads.get(lineup.series, 0.0) + lead / 2
    named = {f"reward above {series}": (lead, 1.0) for series, lead in leads.items()}
    return {"reward": (float(np.mean(list(leads.values()))), 1.0), **named}


# ---------------------------------------------------------------- among strangers


def _among_strangers(task: Task, entries: int) -> list[Lineup]:
    """With each stranger: all seats its own, then the entry in each seat in turn."""
    players, found = task.config.num_players, []
    for number, spec in enumerate(task.population):
        stranger = entries + number
        found.append(Lineup(spec, tuple(range(players)), stranger, stranger))
        found += [Lineup(spec, (seat,), 0, stranger) for seat in range(players)]
    return found


def _sums_of_strangers(roles: Array, played: Sequence[tuple[Lineup, Result]]) -> DealSums:
    """By how much more the entry is paid in a seat than the stranger is there on the same deal."""
    players, found = len(roles), dict[str, tuple[float, float]]()
    for first in range(0, len(played), players + 1):
        (alone, own), *others = played[first : first + players + 1]
        gains = np.array([result.rewards[seat] - own.rewards[seat] for seat, (_, result) in enumerate(others)], np.float64)
        found[f"gain with {alone.series}"] = float(gains.mean()), 1.0
        for faction in FACTIONS:
            mine = of_faction(roles, faction)
            before = found.get(f"gain as {faction}", (0.0, 0.0))
            found[f"gain as {faction}"] = before[0] + float(gains[mine].sum()), before[1] + float(mine.sum())
    with_each = [total for name, (total, _) in found.items() if name.startswith("gain with ")]
    return {"gain": (float(np.mean(with_each)), 1.0), **found}


# ---------------------------------------------------------------- seeds of one trainer


def _across_seeds(task: Task, entries: int) -> list[Lineup]:
    """Each entry alone; then for every faction, each in its seats and each other one everywhere else."""
    players = tuple(range(task.config.num_players))
    alone = [Lineup(_EVERYBODY, players, one, one) for one in range(entries)]
    pairs = [(one, other) for one in range(entries) for other in range(entries) if one != other]
    return alone + [Lineup(faction, (), one, other) for faction in FACTIONS for one, other in pairs]


def _sums_of_seeds(roles: Array, played: Sequence[tuple[Lineup, Result]]) -> DealSums:
    """Reward of a faction's seats where the same entry has all others, and by how much less it is where another one has them."""
    found, gaps = dict[str, tuple[float, float]](), []
    for faction in FACTIONS:
        mine = np.flatnonzero(of_faction(roles, faction))
        alone, across = (
            float(np.mean([_paid(result, mine) for lineup, result in played if lineup.series == series]))
            for series in (_EVERYBODY, faction)
        )
        gaps.append(alone - across)
        found[f"self-play as {faction}"] = alone, 1.0
        found[f"self-play minus cross-play as {faction}"] = alone - across, 1.0
    return {"self-play minus cross-play": (float(np.mean(gaps)), 1.0), **found}


class _Kind(NamedTuple):
    """How a kind of task is seated and counted."""

    lineups: Callable[[Task, int], list[Lineup]]
    sums: Callable[[Array, Sequence[tuple[Lineup, Result]]], DealSums]


_KINDS: Mapping[str, _Kind] = {
    "panel": _Kind(_against_the_panel, _sums_of_panel),
    "strangers": _Kind(_among_strangers, _sums_of_strangers),
    "cross": _Kind(_across_seeds, _sums_of_seeds),
}
