"""The accuracy of a search: its estimates of answers against the outcomes of the games themselves.

    python experiments/search_accuracy.py [--questions 4000] [--seed 1] [--judge search:simulations=72] [--player deducer] [--players 6]

At questions in games of a player (by default the heuristic) a searching judge estimates by how much more reward each answer gets than the
first. Each answer is then given in the real game, with its roles, hands, deck and random numbers, and the player plays every seat to the
end with what that seat may know. A single outcome is mostly luck, but over many questions the outcomes show which share of the judge's
differences is real (slope; 1 = all of it), for which roles, and where it is overconfident.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np
from rich.console import Console
from rich.progress import track

from benchmarks.machine import at_least, print_machine, table_size
from danmaku_env import GameConfig, estimates, make_vec
from danmaku_env.agents import registry
from danmaku_env.agents.base import Agent
from danmaku_env.agents.search import SearchAgent, asked
from danmaku_env.arena import rollout
from danmaku_env.arena.reports.tables import Column, Row, Table
from danmaku_env.engine.actions import QUESTIONS
from danmaku_env.heuristics.role_classes import CLASS_OF_ROLE, CLASS_ROLES
from danmaku_env.info_states import InfoStates
from danmaku_env.machine.records import Array

PLAYER = "heuristic:style=fitted"
"""Plays before and after the answers that are looked at, as a rule: the rollouts of the search are in its style."""
ROWS = 256
OPENING = 40
"""Decisions of each game that are not looked at."""
EVERY = 3
"""Decisions of each game between two looks."""
LOOKS = 16
"""Questions taken in one look, at most."""
LIMITS = (-1.0, -0.1, -0.05, -0.02, 0.0, 0.02, 0.05, 0.1, 1.0)
BLOCK = 500
"""Questions that are looked at, and then played on from, together."""


class Tried(NamedTuple):
    """A question at which answers were tried."""

    game: Array
    """[1] the record."""
    seat: int
    kind: int
    """Its question."""
    role: int
    answers: Array
    """[k]"""
    said: Array
    """[k] by how much better each does than the first, to the judge."""


def made(name: str, seed: int) -> Agent:
    """The agent of that name. Raises ValueError for an unknown one."""
    try:
        return registry.make(name, seed)
    except registry.AgentError as error:
        raise ValueError(str(error)) from None


def searching(name: str, seed: int) -> SearchAgent:
    """The agent of that name, which tries its answers. Raises ValueError for one that does not, or an unknown one."""
    agent = made(name, seed)
    if not isinstance(agent, SearchAgent):
        raise ValueError(f"{name} tries no answers: name a search, as search:simulations=72")
    return agent


def questions(judge: SearchAgent, player: Agent, config: GameConfig, seed: int) -> Iterator[Tried]:
    """Questions of games of the player, for ever."""
    rng = np.random.default_rng(seed)
    vec = make_vec(ROWS, config)
    vec.reset(seed)

    def answer(_: Array) -> Array:
        return player.act(vec.observations, vec.action_masks, InfoStates.of(vec, np.arange(ROWS)))

    for number, _ in enumerate(rollout.play(vec, rollout.Episodes(vec, rollout.WITHOUT_END), answer), 1):
        if number >= OPENING and number % EVERY == 0:
            open_ = np.flatnonzero(judge.searches(vec.observations) & (vec.action_masks.sum(1) > 1))
            rows = rng.permutation(open_)[:LOOKS]
            games, seats = vec.clone(rows), vec.seats[rows].astype(np.int64)
            kinds = asked(vec.observations[rows])
            gains = judge.evaluate_actions(
                vec.observations[rows], vec.action_masks[rows], InfoStates(games.copy(), seats, config)
            ).advantages
            for place in range(len(rows)):
                tried = np.flatnonzero(np.isfinite(gains[place]))
                if len(tried) > 1:
                    answers = tried[np.argsort(gains[place, tried] != 0, kind="stable")]  # the one that others are compared with has 0
                    role = int(games["role"][place, seats[place]])
                    yield Tried(games[place : place + 1], int(seats[place]), int(kinds[place]), role, answers, gains[place, answers])


def outcomes(found: list[Tried], player: Agent, config: GameConfig, seed: int) -> list[Array]:
    """What each answer of each question is paid in the end."""
    player.reset(seed)
    vec = make_vec(ROWS, config)
    vec.reset(seed)
    jobs = [(number, place) for number, question in enumerate(found) for place in range(len(question.answers))][::-1]
    paid: list[Array] = [np.zeros(len(question.answers)) for question in found]
    fresh: Array = np.zeros(ROWS, np.bool_)

    def begin(rows: Array, numbers: Array) -> None:
        vec.restore(np.concatenate([found[jobs[number][0]].game for number in numbers]), rows)
        fresh[rows] = True

    episodes = rollout.Episodes(vec, len(jobs), begin)

    def answer(_: Array) -> Array:
        actions = player.act(vec.observations, vec.action_masks, InfoStates.of(vec, np.arange(ROWS)))
        for row in np.flatnonzero(fresh):
            number, place = jobs[episodes.game[row]]
            actions[row] = found[number].answers[place]
        fresh[:] = False
        return actions

    for step in rollout.play(vec, episodes, answer):
        for over, rewards in zip(step.over, step.rewards, strict=True):
            number, place = jobs[over]
            paid[number][place] = rewards[found[number].seat]
    return paid


class Pairs(NamedTuple):
    """Answers, each beside the one that it is compared with."""

    question: Array
    """Number of the question."""
    kind: Array
    role: Array
    said: Array
    paid: Array
    """By how much more it was paid."""


def pairs(found: list[Tried], paid: list[Array]) -> Pairs:
    """Those of all questions."""
    rows = [
        (number, question.kind, CLASS_OF_ROLE[question.role], question.said[place], rewards[place] - rewards[0])
        for number, (question, rewards) in enumerate(zip(found, paid, strict=True))
        for place in range(1, len(rewards))
    ]
    return Pairs(*map(np.array, zip(*rows, strict=True)))


def half_width(question: Array, errors: Array) -> float:
    """Half a 99 % interval of the sum of errors, those of one question taken together."""
    return estimates.half_width(float(np.sqrt(np.square(np.bincount(question, errors)).sum())), 0.99)


def line(name: str, of: Pairs, rows: Array, *, slope: bool = True) -> Iterator[Row]:
    """Mean of what was said and paid, and the slope of the one by the other: a row of the table, or none."""
    question, said, paid = of.question[rows], of.said[rows], of.paid[rows]
    if len(said) < 2 or not said.any():
        return
    mean, weight = paid.mean(), np.square(said).sum()
    real = (said * paid).sum() / weight
    of_one = f"{real:.2f} ± {half_width(question, said * (paid - real * said)) / weight:.2f}" if slope else None
    yield name, f"{len(said):,}", f"{said.mean():+.4f}", f"{mean:+.4f} ± {half_width(question, paid - mean) / len(said):.4f}", of_one


def show(of: Pairs, console: Console) -> None:
    """The table."""
    columns = (Column("", number=False), *map(Column, ("pairs", "said, mean", "paid, mean", "slope")))
    sections = (
        ("", [*line("all", of, np.ones(len(of.said), np.bool_))]),
        ("by question", [row for kind in np.unique(of.kind) for row in line(QUESTIONS[kind], of, of.kind == kind)]),
        ("by role", [row for role in np.unique(of.role) for row in line(CLASS_ROLES[role][0], of, of.role == role)]),
        ("by what was said", [
            row for low, high in itertools.pairwise(LIMITS)
            for row in line(f"{low:+.2f} to {high:+.2f}", of, (of.said > low) & (of.said <= high), slope=False)
        ]),
    )  # fmt: skip
    console.print(Table("", "Differences of reward between two answers, 99 % intervals", columns, sections).terminal())
    console.print(f"correlation {np.corrcoef(of.said, of.paid)[0, 1]:.3f}")


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--questions", type=at_least(1), default=4_000)
    parser.add_argument("--seed", type=at_least(0), default=1)
    parser.add_argument("--judge", default="search:simulations=72", help="an agent by name that tries its answers")
    parser.add_argument("--player", default=PLAYER, help="the agent by name that plays the games")
    parser.add_argument("--players", type=table_size, default=6)
    parser.add_argument("--roles", choices=("basic", "advanced"), default="advanced")
    args = parser.parse_args()
    try:
        judge, before, after = searching(args.judge, args.seed), made(args.player, args.seed), made(args.player, args.seed)
    except ValueError as error:
        parser.error(str(error))
    config = GameConfig(num_players=args.players, roles=args.roles)
    print_machine()
    stream = itertools.islice(questions(judge, before, config, args.seed), args.questions)
    found: list[Tried] = []
    paid: list[Array] = []
    for _ in track(range(0, args.questions, BLOCK), "looking and playing on", console=Console(stderr=True)):
        block = list(itertools.islice(stream, BLOCK))
        found += block
        paid += outcomes(block, after, config, args.seed)
    show(pairs(found, paid), Console(width=110))


if __name__ == "__main__":
    main()
