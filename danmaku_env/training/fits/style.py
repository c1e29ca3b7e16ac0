"""Fit the weights of the policy on who wins: moves the hand-set style, and writes `heuristics/style.json`.

    python -m danmaku_env.training.fits.style [--games 10000] [--rounds 8] [--seed 0] [--expansion lunatic_extra] [--out style.json]

All seats are played with open roles, since the weights are for a player who knows the roles. Each seat of each game has a style of its own:
every weight, and the preference of its role toward each faction, is moved at random a little. A regression of the rewards on all these
changes and their squares says which of them win games, and the style is moved there, round by round: response surface methodology (Box and
Wilson, 1951), with shrinkage of what may be chance. The roles of a faction are moved together in the first rounds, and each class of roles
by itself in the last ones. At the end the style is tried in half of the seats, with open roles, against the heuristic in the others.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, NamedTuple

import numpy as np
import typer

from danmaku_env import GameConfig, make_vec
from danmaku_env.agents.heuristic import HeuristicAgent
from danmaku_env.arena import rollout
from danmaku_env.config import Expansion
from danmaku_env.console import options
from danmaku_env.danmaku import DANMAKU_SPEC
from danmaku_env.heuristics import effects, role_classes
from danmaku_env.heuristics.kernels import policy
from danmaku_env.heuristics.style import FITTED, SHIFTS, STYLE, WEIGHTS, column, flat, hand_style, shift, style_data
from danmaku_env.machine.records import Array
from danmaku_env.training.fits.fitting import FitGames, Fitting, configurations, fit_command, tables_of

_ROWS = 256
"""Games played at once."""
SIGMA = 0.8
"""Standard deviation of the random changes, in spreads."""
SHIFT_SPREAD = 0.25
"""Spread of the preference of a class of roles toward a faction."""
CURVATURE = 0.012
"""Least curvature that is assumed of the reward, per spread squared."""
SHRINKAGE = 4.0
"""A slope of t standard errors counts t² / (t² + SHRINKAGE)."""


COARSE = 0.6
"""Share of the rounds in which the roles of a faction are moved together."""
APART = [[kind] for kind in range(role_classes.CLASSES)]
TOGETHER = [
    [kind for kind in range(role_classes.CLASSES) if role_classes.FACTION_OF_CLASS[kind] == faction]
    for faction in range(role_classes.NUM_FACTIONS)
]


class Point(NamedTuple):
    """A style as a fit sees it."""

    weights: Array
    """[WEIGHTS]."""
    shifts: Array
    """[CLASSES, SHIFTS], as in `style.make_style`."""


class Sample(NamedTuple):
    """Games that were played: G of them with P seats."""

    styled: Array
    """[G, P] bool: seats with styles of their own; the heuristic played the others."""
    kinds: Array
    """[G, P] class of the role dealt."""
    changes: Array
    """[G, P, WEIGHTS + SHIFTS] float32, in spreads."""
    deals: Array
    """[G] number of the deal: a game has it in common with the one in which the sides are exchanged."""
    rewards: Array
    """[G, P]."""


class StyleJob(NamedTuple):
    """Games for one process."""

    point: Point
    sigma: float
    """Of the random changes, in spreads; with 0 the style itself plays, in half of the seats, and the heuristic in the others."""
    config: GameConfig
    games: int
    seed: int


class StyledGames:
    """Games side by side in which some seats, or all, have styles of their own and see all roles."""

    def __init__(self, job: StyleJob) -> None:
        self.job = job
        self.rng = np.random.default_rng(job.seed)
        self.players = job.config.num_players
        self.vec = make_vec(_ROWS, job.config)
        self.vec.reset(0)
        self.heuristic = HeuristicAgent(job.seed)
        self.styles: Array = np.zeros(_ROWS * self.players, STYLE)
        seats = (job.games, self.players)
        self.sample = Sample(
            np.zeros(seats, np.bool_), np.zeros(seats, np.int64), np.zeros((*seats, WEIGHTS + SHIFTS), np.float32),
            np.zeros(job.games, np.int64), np.zeros(seats),
        )  # fmt: skip
        self.dealt = 0
        self.partner: tuple[int, Array] | None = None

    def start(self, rows: Array, games: Array) -> None:
        """Deal new games; every deal is played twice, with the two sides exchanged."""
        seeds = []
        for game in games:
            if self.partner is None:
                seed = int(self.rng.integers(1 << 62))
                self.dealt += 1
                styled = self.rng.permutation(self.players) < (self.players if self.job.sigma else self.players // 2)
                self.partner = seed, styled if self.job.sigma else ~styled
            else:
                (seed, styled), self.partner = self.partner, None
            seeds.append(seed)
            self.sample.styled[game], self.sample.deals[game] = styled, self.dealt
        self.vec.start([int(row) for row in rows], seeds)
        self.sample.kinds[games] = role_classes.CLASS_OF_ROLE[self.vec.games["role"][rows, : self.players]]
        for row, game in zip(rows, games, strict=True):
            self._draw(int(row), int(game))

    def _draw(self, row: int, game: int) -> None:
        """Draw the styles of a game."""
        point, seats = self.job.point, np.flatnonzero(self.sample.styled[game])
        changes = self.job.sigma * self.rng.standard_normal((len(seats), WEIGHTS + SHIFTS))
        self.sample.changes[game, seats] = changes
        drawn = np.repeat(hand_style(), len(seats))
        flat(drawn)[:] = np.clip(point.weights + changes[:, :WEIGHTS] * column("spread"), column("low"), column("high"))
        for number, kind in enumerate(self.sample.kinds[game, seats]):
            shift(drawn["role_preferences"][number], int(kind), point.shifts[kind] + SHIFT_SPREAD * changes[number, WEIGHTS:])
        self.styles[row * self.players + seats] = drawn

    def play(self) -> Iterator[int | dict[str, Array]]:
        """Play the games of the job: how many have ended, after every step, and the sample at last."""
        vec, episodes = self.vec, rollout.Episodes(self.vec, self.job.games, self.start)

        def answer(rows: Array) -> Array:
            answers: Array = self.heuristic.act(vec.observations, vec.action_masks)
            knowing = rows[self.sample.styled[episodes.game[rows], vec.seats[rows]]]
            answers[knowing] = self._answers(knowing, vec.seats[knowing].astype(np.int64))
            return answers

        for step in rollout.play(vec, episodes, answer):
            self.sample.rewards[step.over] = step.rewards[:, : self.players]
            yield len(step.over)
        yield self.sample._asdict()

    def _answers(self, rows: Array, seats: Array) -> Array:
        """[k] answers of players who see all roles."""
        games, players, most = self.vec.games, np.arange(self.players), self.vec.spec.most_seats
        beliefs: Array = np.zeros((len(rows), most, DANMAKU_SPEC.num_labels))
        others = (seats[:, np.newaxis] + players) % self.players
        beliefs[np.arange(len(rows))[:, np.newaxis], players, games["role"][rows[:, np.newaxis], others]] = 1.0
        chosen: Array = np.zeros(len(rows), np.int64)
        words = self.rng.integers(0, policy.NOISE_WORDS, len(rows))
        policy.play_in_styles(
            DANMAKU_SPEC.entries.tables(), effects.play_facts(), self.styles, rows * self.players + seats, self.vec.observations[rows],
            self.vec.action_masks[rows], beliefs, np.zeros(most), words, chosen,
        )  # fmt: skip
        return chosen


@dataclass(frozen=True, kw_only=True)
class StyleGames(FitGames):
    """Games around a point."""

    round: int
    """Number of the round, which the deals depend on."""
    sigma: float
    """See `StyleJob`."""

    PART_SIZE = 2000

    def job(self, part: int) -> StyleJob:
        """The games of a part."""
        weights, shifts = np.split(np.array(self.point), [WEIGHTS])
        seeds = np.random.SeedSequence([self.seed, self.round]).generate_state(self.parts, np.uint64) >> 2
        point = Point(weights, shifts.reshape(-1, SHIFTS))
        return StyleJob(point, self.sigma, self.config_of(part), len(self.games_of(part)), int(seeds[part]))


def _play(spec: StyleGames, part: int) -> Iterator[int | dict[str, Array]]:
    """What a worker does."""
    yield from StyledGames(spec.job(part)).play()


# ---------------------------------------------------------------- what the games say


class Gain(NamedTuple):
    """What styled seats won more than the heuristic's, in rewards from -1 to 1, and its standard error over deals."""

    mean: float
    error: float

    def __str__(self) -> str:
        return f"{self.mean:+.4f} ± {self.error:.4f}"


def gain(samples: list[Sample]) -> Gain:
    """The difference of mean rewards between the sides, by game; the two games of a deal are dependent, so their mean counts once."""
    each = [_leads(some) for some in samples]
    deals = np.concatenate([_by_deal(some.deals, leads) for some, leads in zip(samples, each, strict=True)])
    return Gain(float(np.concatenate(each).mean()), float(deals.std(ddof=1) / math.sqrt(len(deals))))


def _leads(some: Sample) -> Array:
    """[G] the mean reward of the styled seats of a game above that of the others."""
    own = np.where(some.styled, some.rewards, 0).sum(1) / some.styled.sum(1)
    others = np.where(some.styled, 0, some.rewards).sum(1) / (~some.styled).sum(1)
    leads: Array = own - others
    return leads


def _by_deal(deals: Array, leads: Array) -> Array:
    """[D] the mean of each deal."""
    _, places, counts = np.unique(deals, return_inverse=True, return_counts=True)
    means: Array = np.bincount(places, leads) / counts
    return means


def _steps(changes: Array, rewards: Array) -> Array:
    """How far to move in each direction, in spreads: uphill, no further than the curvature or SIGMA allows, less where it may be chance."""
    count = changes.shape[1]
    rows = np.concatenate([np.ones((len(changes), 1)), changes, changes**2], axis=1)
    inverse = np.linalg.inv(rows.T @ rows + np.eye(rows.shape[1]))
    found = inverse @ (rows.T @ rewards)
    errors = np.sqrt(np.diag(inverse) * ((rewards - rows @ found) ** 2).mean())
    slope, error, bend = found[1 : count + 1], errors[1 : count + 1], found[count + 1 :]
    sure = (slope / error) ** 2
    steps: Array = np.clip(slope / np.maximum(-2 * bend, CURVATURE) * sure / (sure + SHRINKAGE), -SIGMA, SIGMA)
    return steps


def moved(point: Point, samples: list[Sample], groups: Sequence[Sequence[int]]) -> Point:
    """The point uphill, as far as these games tell; classes of roles in one group have their role preferences moved together."""
    kinds, changes, rewards = (
        np.concatenate([getattr(some, name)[some.styled] for some in samples]).astype(float) for name in ("kinds", "changes", "rewards")
    )
    shifts = point.shifts.copy()
    for kind in np.unique(kinds):
        rewards[kinds == kind] -= rewards[kinds == kind].mean()
    for group in groups:
        mine = np.isin(kinds, group)
        if not mine.any():
            continue
        shifts[list(group)] += SHIFT_SPREAD * _steps(changes[mine, WEIGHTS:], rewards[mine])
    weights = point.weights + column("spread") * _steps(changes[:, :WEIGHTS], rewards)
    return Point(np.clip(weights, column("low"), column("high")), shifts)


@fit_command("fits.style", FITTED, games=10_000, seed=0)
def main(
    job: Fitting,
    *,
    games: int,
    rounds: Annotated[int, typer.Option(min=1, help="Times the style is moved.")] = 8,
    seed: int,
    expansion: Expansion,
) -> None:
    """Fit the style of play on games in which every seat sees all roles, then let half of the seats play it against the heuristic."""
    tables = tables_of(configurations(expansion))

    def sampled(point: Point, number: int, sigma: float, games: int, words: str) -> list[Sample]:
        coordinates = tuple(np.concatenate([point.weights, point.shifts.ravel()]).tolist())
        spec = StyleGames(fit="style", **tables, point=coordinates, round=number, sigma=sigma, games=games, seed=seed)
        return [Sample(**arrays) for arrays in job.games(spec, _play, words)]

    by_hand = point = Point(column("values"), np.zeros((role_classes.CLASSES, SHIFTS)))
    for number in range(rounds):
        samples = sampled(point, number, SIGMA, games, f"round {number + 1} of {rounds}")
        point = moved(point, samples, TOGETHER if number < rounds * COARSE else APART)
    styles = {"set by hand": by_hand, "fitted": point}
    gains = {words: str(gain(sampled(style, rounds, 0.0, games // 2, words))) for words, style in styles.items()}
    job.written |= style_data(*point) | {"gain with open roles": gains}
    found = f"{gains['set by hand']} with the style set by hand, {gains['fitted']} fitted"
    job.console.print(f"with open roles, against the heuristic: {found}")


if __name__ == "__main__":
    options.run_function(main)
