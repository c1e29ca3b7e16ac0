"""What a player misses at each kind of question, as a search counts that has far more time.

python benchmarks/missed.py [--player neural] [--judge JUDGE] [--games 1000] [--each 60] [--seed 1]

At questions of games that the player plays against itself, the judge tries answers twice, each time in worlds of its own. The answer that
does best in one half is counted in the other half, beside the player's own, so that luck counts for nothing. What is missed is in the
judge's reward, of which a part only is real (`benchmarks/foresight.py`). Answers that the judge does not try are not missed here.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from benchmarks.foresight import SURE
from benchmarks.machine import print_machine
from danmaku_env import GameConfig, make_vec
from danmaku_env.agents import registry
from danmaku_env.agents.base import Agent, Handles, Judge
from danmaku_env.agents.search import asked
from danmaku_env.engine.actions import QUESTIONS

Array = npt.NDArray[Any]
JUDGE = "search:net=shipped,simulations=384,questions=all"
ROWS = 64
OPENING = 60
"""Steps that are not looked at: until then all games are at the same stage."""


def gains(judges: list[Judge], observations: Array, masks: Array, handles: Handles, own: int) -> tuple[Array, Array] | None:
    """By how much better each answer that both judges tried did than the player's own; None where they did not try that."""
    found = [judge.judge(observations, masks, handles).gains[0] for judge in judges]
    tried = np.flatnonzero(np.isfinite(found[0]) & np.isfinite(found[1]))
    return (found[0][tried] - found[0][own], found[1][tried] - found[1][own]) if own in tried else None


class Missed:
    """What was found of each kind of question."""

    def __init__(self) -> None:
        self.games = 0
        self.asked: Array = np.zeros(len(QUESTIONS), np.int64)
        """Questions with a choice."""
        self.left_out = 0
        """Questions at which the judge did not try the player's own answer."""
        self.found: list[list[float]] = [[] for _ in QUESTIONS]

    def look(self, player: Agent, judges: list[Judge], config: GameConfig, games: int, each: int, seed: int, bar: Progress) -> None:
        """Play so many games, and look at some questions of each kind: fewer of those that are asked often."""
        dice = np.random.default_rng(seed)
        vec = make_vec(ROWS, config)
        vec.reset(seed)
        task, step = bar.add_task("looking", total=games), 0
        while self.games < games:
            seats = vec.seats.astype(np.int64)
            answers = player.act(vec.observations, vec.action_masks, Handles(vec.games, seats, config))
            kinds = asked(vec.observations)
            for row in np.flatnonzero(vec.action_masks.sum(1) > 1) if step >= OPENING else ():
                kind = kinds[row]
                self.asked[kind] += 1
                if dice.random() < each / (each + self.asked[kind]):
                    handles = Handles(vec.clone(np.array([row])), seats[row : row + 1], config)
                    one = slice(row, row + 1)
                    both = gains(judges, vec.observations[one], vec.action_masks[one], handles, int(answers[row]))
                    if both is None:
                        self.left_out += 1
                    else:
                        self.found[kind].append(float(both[1][both[0].argmax()] + both[0][both[1].argmax()]) / 2)
            vec.step(answers)
            step += 1
            self.games += int(vec.dones.sum()) if step > OPENING else 0
            bar.update(task, completed=self.games)
        vec.check()

    def table(self, players: int) -> Table:
        """The kinds of questions, the most often asked first."""
        table = Table("question", "a seat and game", "looked at", "missed each time", "missed in a game", title="In reward, 99 % intervals")
        often, total, error = self.asked / (self.games * players), 0.0, 0.0
        for kind in np.argsort(-self.asked, kind="stable"):
            found = np.array(self.found[kind])
            if len(found) > 1:
                wide = SURE * float(found.std() / np.sqrt(len(found)))
                of_game, off = float(found.mean() * often[kind]), wide * float(often[kind])
                total, error = total + of_game, float(np.hypot(error, off))
                words = (f"{found.mean():+.4f} ± {wide:.4f}", f"{of_game:+.4f} ± {off:.4f}")
                table.add_row(QUESTIONS[kind], f"{often[kind]:.2f}", f"{len(found):,}", *words)
        table.add_section()
        table.add_row("all", f"{often.sum():.2f}", f"{sum(map(len, self.found)):,}", "", f"{total:+.4f} ± {error:.4f}")
        return table


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--player", default="neural", help="an agent by name")
    parser.add_argument("--judge", default=JUDGE, help="an agent by name that tries its answers")
    parser.add_argument("--games", type=int, default=1_000)
    parser.add_argument("--each", type=int, default=60, help="about so many questions of rare kinds are looked at, of frequent ones more")
    parser.add_argument("--players", type=int, default=6)
    parser.add_argument("--roles", choices=("basic", "advanced"), default="advanced")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    judges = [judge for judge in (registry.make(args.judge, args.seed + part) for part in range(2)) if isinstance(judge, Judge)]
    if len(judges) < 2:
        parser.error(f"{args.judge} does not say what it thinks of answers")
    config, missed = GameConfig(num_players=args.players, roles=args.roles), Missed()
    print_machine()
    with Progress(console=Console(stderr=True)) as bar:
        missed.look(registry.make(args.player, args.seed), judges, config, args.games, args.each, args.seed, bar)
    Console(width=110).print(missed.table(args.players))
    print(f"{missed.left_out} questions left out, at which the judge did not try the player's own answer")


if __name__ == "__main__":
    main()
