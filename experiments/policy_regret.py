"""The regret of a player at each kind of question, by the estimates of a search with far more time.

    python experiments/policy_regret.py [--player neural] [--judge JUDGE] [--games 1000] [--each 60] [--seed 1]

At questions of games that the player plays against itself, the judge tries answers twice, in independent samples. The answer that is best
in one half is compared with the player's own in the other half, so luck cancels out. Regret is in the judge's reward, of which only a part
is real (`experiments/search_accuracy.py`). It counts only answers that the judge tries.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np
from rich.console import Console
from rich.progress import Progress

from benchmarks.machine import at_least, print_machine, table_size
from danmaku_env import GameConfig, make_vec
from danmaku_env.agents.base import Agent
from danmaku_env.agents.search import SearchAgent, asked
from danmaku_env.arena import rollout
from danmaku_env.arena.reports.tables import Column, Row, Table
from danmaku_env.engine.actions import QUESTIONS
from danmaku_env.estimates import half_width
from danmaku_env.info_states import InfoStates
from danmaku_env.machine.records import Array
from experiments.search_accuracy import made, searching

JUDGE = "search:net=shipped,simulations=384,questions=all"
ROWS = 64
OPENING = 60
"""Steps that are not looked at: until then all games are at the same stage."""


def gains(judges: list[SearchAgent], observations: Array, masks: Array, info_states: InfoStates, own: int) -> tuple[Array, Array] | None:
    """By how much better each answer that both judges thought of did than the player's own; None where that is not among them."""
    found = []
    for judge in judges:
        action_values = judge.evaluate_actions(observations, masks, info_states)
        gain = action_values.advantages[0]
        gain[action_values.answers[0]] = np.nan_to_num(gain[action_values.answers[0]])  # an answer without a rival is not tried
        found.append(gain)
    tried = np.flatnonzero(np.isfinite(found[0]) & np.isfinite(found[1]))
    return (found[0][tried] - found[0][own], found[1][tried] - found[1][own]) if own in tried else None


class Looked(NamedTuple):
    """A question that was looked at."""

    kind: int
    left: int
    """Players who were not defeated yet."""
    missed: float


class Missed:
    """What was found of each kind of question."""

    def __init__(self) -> None:
        self.games = 0
        self.asked: Array = np.zeros(len(QUESTIONS), np.int64)
        """Questions with a choice."""
        self.left_out = 0
        """Questions at which the judge did not think of the player's own answer."""
        self.found: list[Looked] = []

    def look(self, player: Agent, judges: list[SearchAgent], config: GameConfig, games: int, each: int, seed: int, bar: Progress) -> None:
        """Play this many games, and look at some questions of each kind: fewer of those that are asked often."""
        rng = np.random.default_rng(seed)
        vec = make_vec(ROWS, config)
        vec.reset(seed)
        task, begun = bar.add_task("looking", total=games), False

        def answer(_: Array) -> Array:
            seats = vec.seats.astype(np.int64)
            answers = player.act(vec.observations, vec.action_masks, InfoStates(vec.games, seats, config))
            kinds = asked(vec.observations)
            for row in np.flatnonzero(vec.action_masks.sum(1) > 1) if begun else ():
                kind = kinds[row]
                self.asked[kind] += 1
                if rng.random() < each / (each + self.asked[kind]):
                    info_states = InfoStates(vec.clone(np.array([row])), seats[row : row + 1], config)
                    one = slice(row, row + 1)
                    both = gains(judges, vec.observations[one], vec.action_masks[one], info_states, int(answers[row]))
                    if both is None:
                        self.left_out += 1
                    else:
                        missed = float(both[1][both[0].argmax()] + both[0][both[1].argmax()]) / 2
                        self.found.append(Looked(int(kind), int(vec.games["active"][row]).bit_count(), missed))
            return answers

        for number, step in enumerate(rollout.play(vec, rollout.Episodes(vec, rollout.WITHOUT_END), answer), 1):
            begun = number >= OPENING
            self.games += len(step.ended) if number > OPENING else 0
            bar.update(task, completed=self.games)
            if self.games >= games:
                return

    def table(self, players: int) -> Table:
        """By kind of question, the most often asked first, and by how many players are left."""
        kinds, left, missed = map(np.array, zip(*self.found, strict=True))
        looked = np.bincount(kinds, minlength=len(QUESTIONS))
        stands_for = (self.asked / np.maximum(looked, 1))[kinds] / (self.games * players)  # questions of a seat and game

        def line(name: str, rows: Array) -> Row:
            often, of_game = float(stands_for[rows].sum()), float(stands_for[rows] @ missed[rows])
            each = of_game / often
            half = half_width(float(np.sqrt(np.square(stands_for[rows] * (missed[rows] - each)).sum())), 0.99)
            return name, f"{often:.2f}", f"{len(rows):,}", f"{each:+.4f} ± {half / often:.4f}", f"{of_game:+.4f} ± {half:.4f}"

        columns = (Column("question", number=False), *map(Column, ("a seat and game", "looked at", "missed each time", "missed in a game")))
        sections = (
            (
                "",
                [
                    line(QUESTIONS[kind], np.flatnonzero(kinds == kind))
                    for kind in np.argsort(-self.asked, kind="stable")
                    if looked[kind] > 1
                ],
            ),
            ("", [line(f"{count} players left", np.flatnonzero(left == count)) for count in np.unique(left)[::-1]]),
            ("", [line("all", np.arange(len(kinds)))]),
        )
        return Table("", "In reward, 99 % intervals", columns, sections)


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--player", default="neural", help="an agent by name")
    parser.add_argument("--judge", default=JUDGE, help="an agent by name that tries its answers")
    parser.add_argument("--games", type=at_least(1), default=1_000)
    parser.add_argument(
        "--each", type=at_least(0), default=60, help="about this many questions of rare kinds are looked at, of frequent ones more"
    )
    parser.add_argument("--players", type=table_size, default=6)
    parser.add_argument("--roles", choices=("basic", "advanced"), default="advanced")
    parser.add_argument("--seed", type=at_least(0), default=1)
    args = parser.parse_args()
    try:
        judges = [searching(args.judge, args.seed + part) for part in range(2)]
        player = made(args.player, args.seed)
    except ValueError as error:
        parser.error(str(error))
    config, missed = GameConfig(num_players=args.players, roles=args.roles), Missed()
    print_machine()
    with Progress(console=Console(stderr=True)) as bar:
        missed.look(player, judges, config, args.games, args.each, args.seed, bar)
    if not missed.found:
        parser.error("nothing was looked at: more --games are needed")
    Console(width=110).print(missed.table(args.players).terminal())
    print(f"{missed.left_out} questions left out, at which the judge did not think of the player's own answer")


if __name__ == "__main__":
    main()
