"""The results of a deduction study as one object, from which tables, plots and the JSON file are made."""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np

from danmaku_env import GameConfig
from danmaku_env.arena.deduction.games import LEVELS, Findings
from danmaku_env.arena.deduction.scores import BINS, LEAST_PROBABILITY, calibration_estimate
from danmaku_env.arena.jobs.parts import PART, PartedSpec
from danmaku_env.arena.jobs.spec import check_specs
from danmaku_env.arguments import shown, whole_number
from danmaku_env.beliefs.factions import FACTIONS
from danmaku_env.console.errors import UserError
from danmaku_env.console.options import ALL_TABLE_OPTIONS, DEALT_AT_RANDOM, MOST_GAMES
from danmaku_env.estimates import Estimate, check_confidence, plain_data, ratio
from danmaku_env.game import check_seed
from danmaku_env.machine.records import Array

_FORMAT = 1
_DEAREST = -math.log2(LEAST_PROBABILITY) - 1e-3
"""Bits of log loss from which on the least probability that counts was stated."""
_MANY = 0.1
"""Rounds that a smaller share of the games reaches are counted together."""


@dataclass(frozen=True, kw_only=True)
class Study(PartedSpec):
    """What is studied."""

    belief_models: tuple[str, ...]
    """Specs of agents that state beliefs (agents/registry.py); the baseline is always there besides."""
    agents: tuple[str, ...] = ("deducer",)
    """Who plays: seat s of game g is played by number (s + g) mod k."""
    table: GameConfig = DEALT_AT_RANDOM
    games: int = 400
    confidence: float = 0.99
    """Of all intervals."""
    reference: bool = False
    """Whether the exact posterior (exact_posterior.py) is judged beside the belief models."""
    statements: bool = False
    """Whether every statement is kept, in statements.parquet."""

    OPTIONS = ALL_TABLE_OPTIONS
    DEFAULT_TABLE = DEALT_AT_RANDOM
    NEEDED = "belief_models"
    KEY = "study"
    CALLED = "study of deduction"
    FOLDER_PHRASES = ("a study", "is no study", "another study")
    FILE = "study.json"
    MARK = "danmaku_study"
    FOLDER = Path("runs/deduction")
    RESULTS = ("deduction.json", f"*/{PART}*")
    PART_SIZE = 32
    EVENTS: ClassVar[bool] = True
    """Whether it is asked what events told."""

    def _check(self) -> None:
        check_specs(self.belief_models, "belief models")
        check_specs(self.agents, "agents")
        if len(set(self.belief_models)) != len(self.belief_models):
            raise UserError("a belief model is named twice")
        if not self.agents:
            raise UserError("somebody must play")
        if not 2 <= (whole_number(self.games) or 0) <= MOST_GAMES:
            reason = "chance is judged by how games differ, and the statements about all of them are kept"
            raise UserError(f"games must be from 2 to {MOST_GAMES:,}, not {shown(self.games)}: {reason}")
        check_confidence(self.confidence)
        object.__setattr__(self, "seed", check_seed(self.seed))

    def command(self) -> str:
        """The command that makes this study again."""
        words = ["danmaku", "deduce", *self.belief_models, "--players", str(self.table.num_players), *self.table_words()]
        words += ["--games", str(self.games), "--seed", str(self.seed), "--agents", ",".join(self.agents)]
        words += ["--confidence", repr(self.confidence)]
        words += [f"--{name}" for name in ("reference", "statements") if getattr(self, name)]
        return shlex.join(words)

    def seeds(self) -> list[int]:
        """The deals, one for each game."""
        numbers = [self.seed, self.table.num_players, self.table.roles == "advanced"]
        words = np.random.SeedSequence(numbers).generate_state(self.games, np.uint64)
        return [int(word >> np.uint64(2)) for word in words]


class Quality(NamedTuple):
    """How good a belief model's statements are."""

    log_loss: Estimate
    """Bits for a hidden seat."""
    brier: Estimate
    top1: Estimate
    saved: Estimate
    """Bits of log loss less than the baseline on the same statements."""


@dataclass(frozen=True)
class Slice:
    """The scores of some of the statements."""

    by: str
    """all, round, observer or judged."""
    name: str
    statements: int
    qualities: Mapping[str, tuple[Quality, ...]]
    """Level -> by belief model."""


@dataclass(frozen=True)
class Reliability:
    """How often what a belief model stated with some probability was so."""

    error: Estimate
    """Expected calibration error."""
    bins: tuple[tuple[int, float, Estimate], ...]
    """For every bin of probabilities that was used: statements, mean probability, share that was so."""


@dataclass(frozen=True)
class EventType:
    """What events of one type told a spectator, who sees only what lies open."""

    name: str
    per_game: float
    """How often it happens."""
    each: Mapping[str, tuple[Estimate, ...]]
    """Level -> by belief model: bits for one event."""
    whole: Mapping[str, tuple[Estimate, ...]]
    """Level -> by belief model: bits in a game."""


@dataclass(frozen=True)
class DeductionReport:
    """See the module docstring."""

    study: Study
    labels: tuple[str, ...]
    """The belief models, the baseline first."""
    versions: Mapping[str, str]
    sections: tuple[Slice, ...]
    reliability: Mapping[str, tuple[Reliability, ...]]
    """Level -> by belief model."""
    events: tuple[EventType, ...]
    """Those that told anybody anything, by what they told the last belief model in a game; the most first."""
    gained: Mapping[str, tuple[Estimate, ...]]
    """Level -> by belief model: what all events of a game told."""
    floored: Mapping[str, tuple[float, ...]]
    """Level -> by belief model: share of statements that gave the truth less than the least probability that counts."""
    left_out: int
    """Positions left out because no deal of the roles fits them."""

    def section(self, by: str = "all", name: str = "all") -> Slice:
        """A section. Raises KeyError for a missing one."""
        for section in self.sections:
            if (section.by, section.name) == (by, name):
                return section
        raise KeyError((by, name))

    def by(self, what: str) -> list[Slice]:
        """The sections by round, observer or judged."""
        return [section for section in self.sections if section.by == what]

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; numbers that are not finite are None."""
        data = {
            "danmaku_deduction": _FORMAT,
            "study": self.study.to_dict(),
            "versions": dict(self.versions),
            "sections": [{**_shallow(section), "qualities": self._named(section.qualities)} for section in self.sections],
            "reliability": self._named(self.reliability),
            "events": [{**_shallow(event), "each": self._named(event.each), "whole": self._named(event.whole)} for event in self.events],
            "gained": self._named(self.gained),
            "floored": self._named(self.floored),
            "left out": self.left_out,
        }
        plain: dict[str, Any] = _plain(data)
        return plain

    def _named(self, levels: Mapping[str, tuple[Any, ...]]) -> dict[str, dict[str, Any]]:
        return {level: dict(zip(self.labels, values, strict=True)) for level, values in levels.items()}


def _shallow(thing: Any) -> dict[str, Any]:
    return {field.name: getattr(thing, field.name) for field in fields(thing)}


def _plain(data: Any) -> Any:
    if isinstance(data, Estimate):
        data = {"games": data.deals, "mean": data.mean, "low": data.low, "high": data.high, "p": data.p}
    elif isinstance(data, Quality):
        data = data._asdict()
    elif isinstance(data, Reliability):
        bins = [{"statements": count, "stated": stated, "true": true} for count, stated, true in data.bins]
        data = {"calibration error": data.error, "bins": bins}
    if isinstance(data, Mapping):
        return {name: _plain(value) for name, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [_plain(value) for value in data]
    return plain_data(data)


# ---------------------------------------------------------------- making it


def make_report(study: Study, labels: tuple[str, ...], findings: Findings, versions: Mapping[str, str]) -> DeductionReport:
    """The report on the findings; `labels` are the belief models, the baseline first."""
    models, floored = range(len(labels)), findings.scores.log_loss >= _DEAREST
    reliability, gained, share = {}, {}, {}
    for at, level in enumerate(LEVELS):
        reliability[level] = tuple(_reliability(findings.calibration[:, who, at], study) for who in models)
        gained[level] = tuple(_mean(findings.gained[:, who, at], study) for who in models)
        share[level] = tuple(float(floored[:, who, at].mean()) for who in models)
    sections, events = tuple(_sections(study, findings)), tuple(_events(study, findings))
    return DeductionReport(study, labels, versions, sections, reliability, events, gained, share, findings.left_out)


def _mean(values: Array, study: Study) -> Estimate:
    """Of one value a game."""
    return ratio(values, np.ones(len(values)), study.confidence)


def _sections(study: Study, findings: Findings) -> Iterator[Slice]:
    yield _section(study, findings, "all", "all", np.ones(len(findings.game), np.bool_))
    rounds = 1 + (findings.turn - 1) // study.table.num_players
    last = _last_round(study, findings.game, rounds)
    for number in range(1, last + 1):
        open_end = number == last and bool((rounds > last).any())
        yield _section(
            study, findings, "round", f"{number}+" if open_end else str(number), rounds >= last if open_end else rounds == number
        )
    for by, factions in (("observer", findings.observer), ("judged", findings.judged)):
        for name, bit in FACTIONS.items():
            if (factions == bit).any():
                yield _section(study, findings, by, name, factions == bit)


def _last_round(study: Study, game: Array, rounds: Array) -> int:
    """The last round that enough games reach."""
    longest = np.zeros(study.games, np.int64)
    np.maximum.at(longest, game, rounds)
    reached = [int((longest >= number).sum()) for number in range(1, int(longest.max()) + 1)]
    return max(number for number, games in enumerate(reached, 1) if games >= max(2, _MANY * study.games) or number == 1)


def _section(study: Study, findings: Findings, by: str, name: str, chosen: Array) -> Slice:
    game = findings.game[chosen]
    counts = np.bincount(game, minlength=study.games)
    parts = [part[chosen].astype(np.float64) for part in findings.scores]
    saved = parts[0][:, :1] - parts[0]

    def estimate(part: Array, who: int, at: int) -> Estimate:
        return ratio(np.bincount(game, part[:, who, at], study.games), counts, study.confidence)

    models = range(parts[0].shape[1])
    qualities = {
        level: tuple(Quality(*(estimate(part, who, at) for part in (*parts, saved))) for who in models) for at, level in enumerate(LEVELS)
    }
    return Slice(by, name, len(game), qualities)


def _reliability(games: Array, study: Study) -> Reliability:
    """From [G, BINS, 3]."""
    bins = []
    for place in range(BINS):
        count, stated, _ = games[:, place].sum(0)
        if count:
            bins.append((int(count), float(stated / count), ratio(games[:, place, 2], games[:, place, 0], study.confidence)))
    return Reliability(calibration_estimate(games, study.confidence), tuple(bins))


def _events(study: Study, findings: Findings) -> Iterator[EventType]:
    models = range(findings.gains.shape[1])
    found = []
    for kind, name in enumerate(findings.types):
        mine = findings.event_type == kind
        if not np.abs(findings.gains[mine]).max(initial=0.0) > 1e-9:
            continue
        game = findings.event_game[mine]
        counts = np.bincount(game, minlength=study.games)
        sums = {level: [np.bincount(game, findings.gains[mine, who, at], study.games) for who in models] for at, level in enumerate(LEVELS)}
        each = {level: tuple(ratio(some, counts, study.confidence) for some in by) for level, by in sums.items()}
        whole = {level: tuple(_mean(some, study) for some in by) for level, by in sums.items()}
        found.append(EventType(name, float(counts.mean()), each, whole))
    yield from sorted(found, key=lambda event: (-event.whole[LEVELS[0]][-1].mean, event.name))
