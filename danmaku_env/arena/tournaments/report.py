"""The results of a tournament as one object, from which tables, plots and the JSON file are made."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations, pairwise
from typing import Any

import numpy as np

from danmaku_env.agents.role_separation import Separation, SeparationSums
from danmaku_env.arena.matches.match import Fault, Result
from danmaku_env.arena.tournaments.plan import Plan
from danmaku_env.arena.tournaments.rating import Rating, rate
from danmaku_env.arena.tournaments.statistics import DealResults, paired_variance, tables, unpaired_variance
from danmaku_env.arena.tournaments.teams import Teams, make_teams
from danmaku_env.beliefs.factions import FACTIONS
from danmaku_env.engine.naming import COUNTS
from danmaku_env.estimates import Estimate, estimate, holm, percent, plain_data
from danmaku_env.machine.records import Array

_FORMAT = 1
CONFIDENCE, REPLAYS = 0.99, 3
"""Defaults: the confidence of all intervals and tests, and how many games of each table size have a page."""


@dataclass(frozen=True)
class Standing:
    """How an agent did."""

    agent: int
    won: float
    """Share of seats won, the mean over deals, 0 to 1."""
    reward: Estimate
    """Mean reward per seat, the mean over deals."""
    advantage: Estimate
    """Paired difference to the mean of all agents on the same deal; what chance dealt cancels out."""


@dataclass(frozen=True)
class Pair:
    """Two agents compared; the first has the higher mean reward."""

    first: int
    second: int
    difference: Estimate
    """Paired difference of their mean rewards on a deal."""
    holm: float
    """The p-value as it counts when all pairs of the section are compared."""


@dataclass(frozen=True)
class Section:
    """The results of one table size and faction, or of all."""

    players: int | None
    faction: str | None
    standings: tuple[Standing, ...]
    """The best first."""
    pairs: tuple[Pair, ...]


@dataclass(frozen=True)
class Precision:
    """What the paired design gained for one pair of agents."""

    first: int
    second: int
    error: float
    """Standard error of the difference as played."""
    unpaired_error: float
    """The same, had each game had a deal of its own."""
    gain: float
    """Unpaired play would need this many times as many games."""


@dataclass(frozen=True)
class Report:
    """See the module docstring."""

    plan: Plan
    versions: Mapping[str, str]
    confidence: float
    games: int
    """Finished games of complete deals."""
    sections: tuple[Section, ...]
    """All; then by faction; by table size, and factions within each, if there are several sizes."""
    ratings: tuple[Rating, ...]
    precision: tuple[Precision, ...]
    faults: tuple[tuple[tuple[int, ...], Fault], ...]
    """(key of the game, fault), in the order of the plan."""
    replays: int = REPLAYS
    """Games of each table size that were asked for as pages."""
    separations: tuple[Separation, ...] = ()
    """Role separation of each agent, over complete deals, with the deal as the unit; nothing is counted in games of older versions."""
    teams: Teams | None = None
    """Of a tournament of teams: all pairs."""

    def section(self, players: int | None = None, faction: str | None = None) -> Section:
        """A section. Raises KeyError for a missing one."""
        for section in self.sections:
            if (section.players, section.faction) == (players, faction):
                return section
        raise KeyError((players, faction))

    @property
    def gain(self) -> float:
        """The geometric mean of the gains of all pairs that are finite and above 0; NaN without any."""
        gains = [precision.gain for precision in self.precision if 0 < precision.gain < math.inf]
        return math.exp(float(np.mean(np.log(gains)))) if gains else math.nan

    def fault_counts(self) -> dict[str, Counter[str]]:
        """Label -> kind -> games lost by it, for every agent."""
        counts: dict[str, Counter[str]] = {label: Counter() for label in self.plan.labels}
        for _, fault in self.faults:
            counts[self.plan.labels[fault.agent]][fault.kind] += 1
        return counts

    def ordering(self) -> str:
        """The agents from the weakest to the strongest, and which steps are shown, in a sentence."""
        section = self.section()
        ranked = [standing.agent for standing in reversed(section.standings)]
        ps = {(pair.second, pair.first): pair.holm for pair in section.pairs}
        shown = [ps[step] < 1 - self.confidence for step in pairwise(ranked)]
        words = self.plan.labels[ranked[0]]
        for step, agent in zip(shown, ranked[1:], strict=True):
            words += f" {'<' if step else '≲'} {self.plan.labels[agent]}"
        level = f"at {percent(self.confidence)}" + (f", allowing for {len(ps)} comparisons (Holm)" if len(ps) > 1 else "")
        if all(shown):
            return f"{words}: {'every step is' if len(shown) > 1 else 'the step is'} significant {level}."
        if not any(shown):
            return f"{words}: {'no step is' if len(shown) > 1 else 'the step is not'} significant {level}."
        return f"{words}: steps marked < are significant {level}, those marked ≲ are not."

    def precision_words(self) -> str:
        """The gain in precision in a sentence."""
        gains = sorted(precision.gain for precision in self.precision)
        if not gains or not math.isfinite(self.gain):
            return "What replaying the deals gained cannot be told: there was no difference between the deals."
        between = f" ({gains[0]:.2f} to {gains[-1]:.2f} for single pairs)" if len(gains) > 1 else ""
        if self.gain < 1:
            return f"Replaying the deals gained no precision here: without it, {self.gain:.2f} times the games would have done{between}."
        return f"Without replaying the deals, the same precision would have taken {self.gain:.2f} times as many games{between}."

    def command(self) -> str:
        """The command that makes this report again."""
        return self.plan.command(reporting(self.confidence, self.replays))

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; numbers that are not finite are None."""
        labels = self.plan.labels
        data: dict[str, Any] = {
            "danmaku_tournament_report": _FORMAT,
            "plan": self.plan.to_dict(),
            "command": self.command(),
            "versions": dict(self.versions),
            "confidence": self.confidence,
            "games": self.games,
            "ordering": self.ordering(),
            "gain": self.gain,
            "precision": [asdict(precision) for precision in self.precision],
            "ratings": [rating._asdict() | {"agent": agent} for agent, rating in enumerate(self.ratings)],
            "sections": [_plain(section) for section in self.sections],
            "role_separation": [{"agent": agent, **there.to_dict()} for agent, there in enumerate(self.separations)],
            "fault_counts": {label: dict(counts) for label, counts in self.fault_counts().items()},
            "faults": [{"players": key[0], "deal": key[1], "game": key[2], **asdict(fault)} for key, fault in self.faults],
        }
        if self.teams:
            data["teams"] = [row.to_dict(labels) for row in self.teams.rows]
            data["team_differences"] = [row.to_dict(labels) for row in self.teams.differences]
        named: dict[str, Any] = plain_data(_named(data, labels))
        return named


def _plain(section: Section) -> dict[str, Any]:
    """A section as data; the file calls the faction `group`."""
    return {"group" if name == "faction" else name: value for name, value in asdict(section).items()}


def _named(data: Any, labels: Sequence[str]) -> Any:
    """The data with agents by label."""
    if isinstance(data, dict):
        return {
            name: labels[value] if name in ("agent", "first", "second") and isinstance(value, int) else _named(value, labels)
            for name, value in data.items()
        }
    return [_named(value, labels) for value in data] if isinstance(data, (list, tuple)) else data


def reporting(confidence: float, replays: int) -> list[str]:
    """The words of a command that ask for such a report, without the defaults."""
    words = ["--confidence", repr(confidence)] if confidence != CONFIDENCE else []
    return words + (["--replays", str(replays)] if replays != REPLAYS else [])


# ---------------------------------------------------------------- making it


def make_report(plan: Plan, results: Iterable[Result], versions: Mapping[str, str], *, confidence: float, replays: int = REPLAYS) -> Report:
    """The report on the complete deals among the results. `confidence` is that of all intervals and tests, between 0 and 1."""
    kept = sorted(results, key=lambda result: result.key)
    strata = tables(plan, kept)
    agents = len(plan.agents)
    return Report(
        plan,
        versions,
        confidence,
        sum(len(table.rewards) * plan.rotations for table in strata),
        tuple(_sections(plan, strata, confidence)),
        tuple(rate(strata, agents)),
        () if plan.teams else tuple(_precision(strata, first, second) for first, second in combinations(range(agents), 2)),
        tuple((result.key, fault) for result in kept for fault in result.faults),
        replays,
        tuple(_separations(plan, kept, confidence)),
        make_teams(plan, kept, confidence) if plan.teams else None,
    )


def _separations(plan: Plan, results: Sequence[Result], confidence: float) -> Iterator[Separation]:
    """Role separation of each agent, for the factions there were."""
    counts: dict[tuple[int, ...], Array] = {}
    seats: dict[tuple[int, ...], list[tuple[int, ...]]] = {}
    games = Counter(result.key[:2] for result in results)
    for result in results:
        players, number, rotation = result.key
        deal = (players, number)
        if games[deal] < plan.rotations:
            continue
        if deal not in counts:
            counts[deal] = np.zeros((len(plan.agents), *COUNTS))
            seats[deal] = plan.seating(players, number, np.array(result.roles))
        for seat, *place, choices, named, chance in result.named:
            counts[deal][(seats[deal][rotation][seat], *place)] += (choices, named, chance)
    together = np.array([*counts.values()]).reshape(-1, len(plan.agents), *COUNTS)
    for agent in range(len(plan.agents)):
        sums = SeparationSums()
        sums.take(together[:, agent])
        yield sums.separation(confidence=confidence)


def _sections(plan: Plan, strata: Sequence[DealResults], confidence: float) -> Iterator[Section]:
    for players in (None, *(plan.players if len(plan.players) > 1 else ())):
        there = [table for table in strata if players in (None, table.players)]
        yield _section(there, players, None, confidence)
        for faction, bit in FACTIONS.items():
            if any((table.factions == bit).any() for table in there):
                yield _section(there, players, faction, confidence)


def _section(strata: Sequence[DealResults], players: int | None, faction: str | None, confidence: float) -> Section:
    scores = [table.scores(faction) for table in strata]
    won = np.concatenate([table.won(faction) for table in strata]).mean(0)
    standings = [
        Standing(
            agent,
            float(won[agent]),
            estimate([score[:, agent] for score in scores], confidence),
            estimate([score[:, agent] - score.mean(1) for score in scores], confidence),
        )
        for agent in range(scores[0].shape[1])
    ]
    standings.sort(key=lambda standing: (-standing.reward.mean, standing.agent))
    ranked = list(combinations([standing.agent for standing in standings], 2))
    differences = [estimate([score[:, first] - score[:, second] for score in scores], confidence) for first, second in ranked]
    adjusted = holm([difference.p for difference in differences])
    pairs = (Pair(*pair, difference, p) for pair, difference, p in zip(ranked, differences, adjusted, strict=True))
    return Section(players, faction, tuple(standings), tuple(pairs))


def _precision(strata: Sequence[DealResults], first: int, second: int) -> Precision:
    paired, unpaired = paired_variance(strata, first, second), unpaired_variance(strata, first, second)
    return Precision(first, second, math.sqrt(paired), math.sqrt(unpaired), unpaired / paired if paired else math.inf)
