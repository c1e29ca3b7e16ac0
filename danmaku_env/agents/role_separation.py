"""Role separation: whether an agent harms its enemies, and how often it names the Heroine.

A *choice of whom to harm* is an answer that names a seat where the text that asks attacks the chosen seat, or takes its life, its cards or
its items (agents/harm.py reads it off the program), and where two seats or more could be named. An *enemy* is a seat of another faction
(ruling R-3) at that moment: Heroine and Partners; Stage Bosses; Extra Boss and EX Midboss; the Rival. *Chance* is the share of enemies
among the seats that could be named. The *share of the Heroine* counts all answers that name a seat, for whatever purpose, when she and
another seat could be named: how many of them name her. The first is reported by one's own faction of R-3, with Heroine and Partner apart.
The second is reported by the role card: an EX Midboss, whose faction is that of the Extra Boss, counts as the Partner that her card says.

How to use it, in a trainer or wherever there is a batch of games:

    measure = RoleSeparation(config)
    measure.add(vec.games, vec.seats, vec.action_masks, actions)    # before vec.step(actions); every fourth decision will do
    measure.line()      # "Stage Boss 67 % / Partner 2 % / Extra Boss 4 % to the Heroine (chance 27); enemies ..."
    measure.result()    # Separation: .harm and .heroine, each {faction: Share}
    measure = measure.fresh()   # what is counted from here on begins anew

`add` takes the [B] records, the [B] seats that are asked, the [B, N] masks, and the [B] answers about to be given, as arrays or CPU tensors
(`rows`, [k] numbers or [B] truths, restricts it to these rows). Rows must keep their places from call to call, because a row is one
game until its seed changes. It costs some 0.07 milliseconds for 512 games. A `Share` has `choices`, `named`, `chance` (means, 0 to 1),
`games`, `difference` = named - chance with its interval `low` to `high` of 95 %, for which the game is the unit.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from danmaku_env import GameConfig
from danmaku_env.agents.harm import harming_rows
from danmaku_env.beliefs.factions import FACTIONS, dealt_factions, faction_names
from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.compile import compile_cards
from danmaku_env.cards.tables import ROLE_ROWS
from danmaku_env.danmaku import DANMAKU_SPEC
from danmaku_env.engine import naming
from danmaku_env.engine.naming import BY_CHANCE, COUNTS, HARM, HEROINE, MADE, NAMED, PARTS
from danmaku_env.estimates import student_half_width
from danmaku_env.machine.records import Array
from danmaku_env.spec import spec_of

NAMES = tuple(FACTIONS)
OF_SHARES = 0.95
"""Of intervals, by default."""
_TEAM_FACTION = {v.STAGE_TEAM: "Stage Boss", v.EXTRA_TEAM: "Extra Boss", v.RIVAL_TEAM: "Rival"}
_HER_SIDE = ("Heroine", "Rival")
"""Role cards whose holders are not counted in the share of the Heroine: herself, and those who are to be like her."""
TOLD_OF_HER = ("Stage Boss", "Partner", "Extra Boss")
"""Factions whose share to the Heroine a line tells, first to last."""


@dataclass(frozen=True)
class Share:
    """How often something was named, against what chance gives."""

    choices: float
    """Answers counted (with probabilities, their sum)."""
    games: int
    """Games they are from."""
    named: float
    """Share that named it; NaN without choices."""
    chance: float
    """The share if every seat that could be named were equally likely."""
    low: float
    """Of the difference of the two: the lower end of its 95 % interval, with the game as the unit; minus infinity for fewer than two."""
    high: float

    @property
    def difference(self) -> float:
        """By how much it was named more often than chance gives."""
        return self.named - self.chance

    def words(self) -> str:
        """92 % ± 1 (67): the share that named it, with its interval, and what chance gives; – where nothing was chosen."""
        if not self.choices:
            return "–"
        half = f" ± {50 * (self.high - self.low):.0f}" if self.games > 1 else ""
        return f"{100 * self.named:.0f} %{half} ({100 * self.chance:.0f})"

    def numbers(self) -> dict[str, Any]:
        """For a spreadsheet: the interval is that of the difference."""
        return {f"difference {name}" if name in ("low", "high") else name: value for name, value in self.to_dict().items()}

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON, None for numbers that are not finite."""
        data = {"choices": self.choices, "games": self.games, "named": self.named, "chance": self.chance, "difference": self.difference}
        data |= {"low": self.low, "high": self.high}
        return {name: value if math.isfinite(value) else None for name, value in data.items()}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Share:
        """What `to_dict` has made plain data of."""
        missing: dict[str, Any] = {"named": math.nan, "chance": math.nan, "low": -math.inf, "high": math.inf}
        return cls(**{one.name: missing[one.name] if data[one.name] is None else data[one.name] for one in fields(cls)})


@dataclass(frozen=True)
class Separation:
    """What was counted, by own faction (`beliefs.factions.FACTIONS`); factions that cannot be dealt are left out."""

    harm: Mapping[str, Share]
    """Of choices of whom to harm: those that name an enemy."""
    heroine: Mapping[str, Share]
    """Of answers that could name the Heroine or another: those that name her. Neither she herself nor the Rival is counted."""

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {name: {faction: share.to_dict() for faction, share in getattr(self, name).items()} for name in ("harm", "heroine")}

    def line(self) -> str:
        """In a line for a log."""
        hers = [(faction, self.heroine[faction]) for faction in TOLD_OF_HER if faction in self.heroine and self.heroine[faction].choices]
        words = " / ".join(f"{faction} {share.named:.0%}" for faction, share in hers).replace("%", " %")
        total = sum(share.choices for _, share in hers)
        blind = sum(share.chance * share.choices for _, share in hers) / total if total else math.nan
        enemies = [(faction, share) for faction, share in self.harm.items() if share.choices]
        others = " / ".join(f"{faction} {share.named:.0%} ({share.chance:.0%})" for faction, share in enemies).replace("%", " %")
        found = [f"{words} to the Heroine (chance {blind * 100:.0f} %)"] if hers else []
        return "; ".join(found + ([f"enemies harmed (chance): {others}"] if enemies else [])) or "nobody has been chosen yet"


@functools.cache
def facts() -> Array:
    """[1] of naming.NAMING: which texts harm, and which role belongs where."""
    tables, found = compile_cards().tables[0], np.zeros(1, naming.NAMING)
    dealt, row = dealt_factions(np.arange(ROLE_ROWS)), found[0]
    row["harms"], row["team"] = harming_rows(), tables["role_team"]
    row["card"] = naming.NOBODY
    for place, bit in enumerate(FACTIONS.values()):
        row["card"][dealt == bit] = place
    row["own"] = row["card"]
    for team, name in _TEAM_FACTION.items():
        row["own"][tables["role_team"] == team] = NAMES.index(name)
    row["counted"] = [name not in _HER_SIDE for name in NAMES]
    row["her_faction"] = NAMES.index("Heroine")
    return found


def count(games: Array, seats: Any, masks: Any, answers: Any, counts: Array) -> None:
    """Add what [B] answers tell to the counts [B, 8, 2, factions, 3] of the seats that give them; see `naming.count_named`."""
    seats, masks, answers = (
        np.ascontiguousarray(seats, np.int8),
        np.ascontiguousarray(masks, np.uint8),
        np.ascontiguousarray(answers, np.int64),
    )
    size = len(games)
    for what, array, shape in ("seats", seats, [size]), ("masks", masks, [size, DANMAKU_SPEC.num_actions]), ("answers", answers, [size]):
        if list(array.shape) != shape:
            raise ValueError(f"{what} of {size} games have the shape {shape}, not {list(array.shape)}")
    naming.count_named(facts(), games, seats, masks, answers, counts)


def listed(counts: Array) -> tuple[tuple[int, ...], ...]:
    """The counts [8, 2, factions, 3] of a game that are not 0, as rows of small numbers: seat, what, faction, choices, named, chance."""
    places = np.nonzero(counts[..., MADE])
    return tuple(map(tuple, np.column_stack((*places, counts[places])).tolist()))


def check_listed(rows: tuple[tuple[int, ...], ...], players: int, decisions: int) -> None:
    """Raise ValueError unless these are rows of `listed` of a game with this many players and answers."""
    sizes = (players, *COUNTS[:2])
    for row in rows:
        if len(row) != 6 or not all(number < size for number, size in zip(row, sizes, strict=False)):
            raise ValueError("whom the seats named must be rows of six numbers in range: seat, what, faction, choices, named, chance")
        choices, named, chance = row[3:]
        if not (0 < choices <= decisions and named <= choices and chance <= choices * PARTS):
            raise ValueError("whom the seats named cannot be more than were chosen, nor the choices more than the decisions of the game")
    if len({row[:3] for row in rows}) != len(rows):
        raise ValueError("whom the seats named must have one row for each seat, kind and faction")


def unlisted(rows: tuple[tuple[int, ...], ...]) -> Array:
    """[8, 2, factions, 3] counts: the inverse of `listed`. The rows must be as `check_listed` wants them."""
    counts: Array = naming.room(1)[0]
    for row in rows:
        counts[row[:3]] = row[3:]
    return counts


class SeparationSums:
    """Sums over games of what `separation` needs: counts, and squares of their differences from chance."""

    def __init__(self) -> None:
        self.counts: Array = np.zeros(COUNTS)
        self.games: Array = np.zeros(COUNTS[:2], np.int64)
        self.squares: Array = np.zeros((*COUNTS[:2], 3))
        """Of choices, of choices times difference, and of differences."""

    def take(self, counts: Array) -> None:
        """Add [k, 2, factions, 3] counts of k games that are over."""
        choices, difference = counts[..., MADE].astype(np.float64), counts[..., NAMED] - counts[..., BY_CHANCE] / PARTS
        self.counts += counts.sum(0)
        self.games += (choices > 0).sum(0)
        self.squares += np.stack([choices**2, choices * difference, difference**2], -1).sum(0)

    def arrays(self) -> dict[str, Array]:
        """Name -> sums, none where nothing was counted: all there is to keep."""
        return {"counts": self.counts, "games": self.games, "squares": self.squares} if self.counts.any() else {}

    @classmethod
    def of(cls, arrays: Mapping[str, Array]) -> SeparationSums:
        """The inverse of `arrays`. Raises ValueError or KeyError where they cannot be."""
        found = cls()
        for name, sums in vars(found).items() if arrays else ():
            sums[:] = arrays[name]
        choices, named, chance = np.moveaxis(found.counts, -1, 0)
        within = ((named, choices), (chance, choices * PARTS), (found.games, choices))
        if not (np.isfinite(found.squares).all() and all(((part >= 0) & (part <= most)).all() for part, most in within)):
            raise ValueError("whom its seats named cannot be")
        return found

    def plus(self, other: SeparationSums) -> SeparationSums:
        """Both together."""
        found = SeparationSums()
        found.counts, found.games, found.squares = self.counts + other.counts, self.games + other.games, self.squares + other.squares
        return found

    def separation(self, config: GameConfig | None = None, confidence: float = OF_SHARES) -> Separation:
        """What the games say, for the factions that such a table deals, or those there were."""
        names = faction_names(config) if config else [name for place, name in enumerate(NAMES) if self.counts[:, place, MADE].any()]
        shares = [{name: self._share(what, NAMES.index(name), confidence) for name in names} for what in (HARM, HEROINE)]
        return Separation(shares[HARM], {name: share for name, share in shares[HEROINE].items() if name not in _HER_SIDE})

    def _share(self, what: int, faction: int, confidence: float) -> Share:
        choices, named, chance = self.counts[what, faction] / (1, 1, PARTS)
        games = int(self.games[what, faction])
        if not choices:
            return Share(0.0, 0, math.nan, math.nan, -math.inf, math.inf)
        difference = (named - chance) / choices
        sizes, both, squares = self.squares[what, faction]
        if games < 2:
            return Share(float(choices), games, named / choices, chance / choices, -math.inf, math.inf)
        spread = max(0.0, squares - 2 * difference * both + difference**2 * sizes) * games / (games - 1)  # a ratio, linearised
        half = student_half_width(math.sqrt(spread), games - 1, confidence) / choices
        return Share(float(choices), games, named / choices, chance / choices, difference - half, difference + half)


class RoleSeparation:
    """Role separation of whoever answers in a batch of games. See the module docstring."""

    def __init__(self, config: GameConfig) -> None:
        spec_of(config).entries.compile_once()
        self.config = config
        self._over = SeparationSums()
        self._seeds: Array = np.zeros(0, np.int64)
        self._running = naming.room(0)

    def fresh(self) -> RoleSeparation:
        """Another one that has counted nothing yet."""
        return RoleSeparation(self.config)

    def add(self, games: Array, seats: Any, masks: Any, actions: Any, rows: Any = None) -> None:
        """Count the answers that are about to be given. Raises ValueError for other numbers of rows than before, or than games."""
        if len(self._seeds) != len(games):
            if len(self._seeds):
                raise ValueError(f"there are {len(games)} games, and there were {len(self._seeds)}: rows must keep their places")
            self._seeds, self._running = games["seed"].copy(), naming.room(len(games))
        begun = np.flatnonzero(games["seed"] != self._seeds)
        if len(begun):
            self._over.take(self._running[begun].sum(1))
            self._running[begun] = 0
            self._seeds[begun] = games["seed"][begun]
        answers = np.array(actions, np.int64)
        if rows is not None:
            others: Array = np.ones(len(games), np.bool_)
            others[np.asarray(rows)] = False
            answers[others] = -1
        count(games, seats, masks, answers, self._running)

    def sums(self) -> SeparationSums:
        """What has been counted so far, games under way included, to be sent elsewhere."""
        under_way = SeparationSums()
        under_way.take(self._running.sum(1))
        return self._over.plus(under_way)

    def kept(self) -> dict[str, Array]:
        """The arrays of `sums`, for a checkpoint: from here on games under way count as others, here as in a run that is resumed."""
        self._over = self.sums()
        self._running[:] = 0
        return self._over.arrays()

    def take(self, sums: SeparationSums) -> None:
        """Add what was counted elsewhere."""
        self._over = self._over.plus(sums)

    def result(self) -> Separation:
        """What has been counted so far, games under way included."""
        return self.sums().separation(self.config)

    def line(self) -> str:
        """What has been counted so far, in a line for a log."""
        return self.result().line()
