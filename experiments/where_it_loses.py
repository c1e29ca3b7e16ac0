"""Where a player loses against another: by question, by role, and by who is chosen for what.

    python experiments/where_it_loses.py --player neural:runs/ppo,greedy=no [--other heuristic] [--seconds 400] [--seed 5]

One seat of every game is the player's and all others are the other's. Wherever the player answers otherwise than the other would, both
answers are tried: copies of the true position are played to the end, all seats by the other. The mean of these differences, times how many
there are in a game, is exactly what the player's seat wins or loses by its answers (the performance difference lemma: Kakade and Langford
2002), so the parts add up. Intervals are 95 %, with the game as the unit. The result is experiments/where_it_loses/NAME.json.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import deque
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np

from danmaku_env import GameConfig, make_vec
from danmaku_env.agents import registry
from danmaku_env.agents.opponents import AgentOpponent
from danmaku_env.arena import rollout
from danmaku_env.cards.box import ROLE_IDS
from danmaku_env.console.terminal import Terminal, training_bar
from danmaku_env.engine.actions import QUESTIONS
from danmaku_env.estimates import half_width
from danmaku_env.game import write_atomically
from danmaku_env.machine.records import Array
from danmaku_env.nets.input_spec import current_layout
from danmaku_env.nets.network import one_torch_thread

CONFIG = GameConfig(num_players=6)
GAMES, COPIES = 1024, 4096
"""Games that answers come from, and copies that are played to the end, side by side."""
ROUND = 16
"""Decisions of the copies between two looks at which of them are over."""
LEAST = 100
"""Differences of a kind that has a row."""


class Trial(NamedTuple):
    """A copy to be played to its end."""

    record: Array
    action: int
    seat: int
    number: int
    """Of the difference."""
    arm: int
    """0 for the player's answer, 1 for the other's."""


class Difference(NamedTuple):
    """A decision that the two would answer otherwise."""

    game: int
    """The number of its game."""
    question: str
    role: str
    detail: str


class Games:
    """Games with one seat of the player, and where it differs."""

    def __init__(self, player: str, other: str, seed: int) -> None:
        self.vec, self.rng = make_vec(GAMES, CONFIG), np.random.default_rng(seed)
        self.vec.reset(seed)
        self.player, self.other = (AgentOpponent(registry.make(name, seed), CONFIG) for name in (player, other))
        for agent in (self.player, self.other):
            agent.reset(seed)
        self.own = self.rng.integers(0, 6, GAMES)
        self.made: Array = np.zeros(GAMES, np.int64)
        """Decisions of the player in the games as they stand."""
        self.decisions, self.ended, self.of_ended = 0, 0, 0
        columns, self.actions = current_layout().columns, current_layout().actions
        self.kinds = current_layout().ids["kind"]
        self.asks = [columns[f"question/{name}"] for name in QUESTIONS]
        self.source = columns["source/kind"]
        self.found: list[tuple[Difference, Array, int, tuple[int, int]]] = []
        """The differences that the last step has shown, each with the game, the seat, and the player's answer and the other's."""
        self.episodes = rollout.Episodes(self.vec, rollout.WITHOUT_END)
        self.steps = rollout.play(self.vec, self.episodes, self._answer)

    def _answer(self, _: Array) -> Array:
        vec, self.found = self.vec, []
        actions = self.other.answer(vec.games, vec.seats, vec.observations, vec.action_masks)
        mine = np.flatnonzero((vec.seats == self.own) & (vec.action_masks.sum(1) > 1))
        if len(mine):
            given = self.player.answer(vec.games[mine], vec.seats[mine], vec.observations[mine], vec.action_masks[mine])
            rows = np.flatnonzero(given != actions[mine])
            records = vec.clone(mine[rows]) if len(rows) else np.zeros(0)
            for record, row in zip(records, rows, strict=True):
                game, answers = mine[row], (int(given[row]), int(actions[mine[row]]))
                self.found.append((self._about(game, answers), np.array([record]), int(vec.seats[game]), answers))
            actions = actions.copy()
            actions[mine] = given
            self.made[mine] += 1
            self.decisions += len(mine)
        return actions

    def step(self) -> list[tuple[Difference, Array, int, tuple[int, int]]]:
        """Answer everywhere, and say what differs."""
        over = next(self.steps).ended
        self.own[over] = self.rng.integers(0, 6, len(over))
        self.ended += len(over)
        self.of_ended += int(self.made[over].sum())
        self.made[over] = 0
        return self.found

    def amount(self) -> float:
        """How many games the player's decisions amount to; those that go on count in part."""
        return self.decisions * self.ended / max(1, self.of_ended)

    def _about(self, game: int, answers: tuple[int, int]) -> Difference:
        row, seat = self.vec.observations[game], int(self.vec.seats[game])
        question = QUESTIONS[int(row[self.asks].argmax())]
        card = self.kinds[row[self.source]] if row[self.source] else "no card"
        names = [self.actions[answer] for answer in answers]
        chosen = all(name.startswith("choose seat:") for name in names)
        detail = f"{question}, for {card}" if chosen else f"{question}: {names[0]} instead of {names[1]}"
        return Difference(int(self.episodes.game[game]), question, ROLE_IDS[int(self.vec.games["role"][game, seat])], detail)


class Copies:
    """Copies of positions that are played to their ends by one agent in all seats."""

    def __init__(self, other: str, seed: int) -> None:
        self.vec = make_vec(COPIES, CONFIG)
        self.vec.reset(seed)
        self.agent = AgentOpponent(registry.make(other, seed + 1), CONFIG)
        self.agent.reset(seed + 1)
        self.free = list(range(COPIES))
        self.trials: dict[int, Trial] = {}
        self.ends: dict[tuple[int, int], float] = {}

    def begin(self, trials: list[Trial]) -> None:
        """Put copies into free rows and give the first answer."""
        rows = [self.free.pop() for _ in trials]
        self.vec.restore(np.concatenate([trial.record for trial in trials]), np.array(rows))
        actions = self.agent.answer(self.vec.games, self.vec.seats, self.vec.observations, self.vec.action_masks)
        for row, trial in zip(rows, trials, strict=True):
            actions[row], self.trials[row] = trial.action, trial
        self._step(actions)

    def play(self) -> None:
        """Go on for a round."""
        for _ in range(ROUND):
            self._step(self.agent.answer(self.vec.games, self.vec.seats, self.vec.observations, self.vec.action_masks))

    def _step(self, actions: Array) -> None:
        self.vec.step(actions)
        self.vec.check()
        for row in np.flatnonzero(self.vec.dones).tolist():
            if trial := self.trials.pop(row, None):
                self.ends[trial.number, trial.arm] = float(self.vec.rewards[row, trial.seat])
                self.free.append(row)


def summed(lost: Array, played: Array, names: list[str], begun: int, games: float) -> dict[str, dict[str, float]]:
    """By name: what is won by such differences in a game of one seat, with its 95 % interval, and how many there are.

    `played` [D] are the numbers of the games; those that were `begun` amount to `games`. Differences of one game hang together: they count
    as one, and a game without any as 0.
    """
    by_name: dict[str, list[int]] = {}
    for place, name in enumerate(names):
        by_name.setdefault(name, []).append(place)
    rows = {}
    for name, places in by_name.items():
        if len(places) >= LEAST:
            sums = np.bincount(played[places], lost[places], begun)
            half = half_width(float(np.std(sums)) * begun**0.5, 0.95) / games
            rows[name] = {"won in a game": float(sums.sum()) / games, "95 %": half, "in a game": len(places) / games}
    return dict(sorted(rows.items(), key=lambda row: row[1]["won in a game"]))


def compared(player: str, other: str, seconds: float, seed: int) -> dict[str, Any]:
    """Play for this many seconds; what was found."""
    games, copies = Games(player, other, seed), Copies(other, seed + 100)
    differences: list[Difference] = []
    waiting: deque[Trial] = deque()
    started = time.perf_counter()
    with training_bar(Terminal(stderr=True)) as bar:
        task = bar.add_task("", total=1.0, note="")
        while (spent := time.perf_counter() - started) < seconds:
            while len(waiting) < COPIES // 2:
                for about, record, seat, answers in games.step():
                    waiting += [Trial(record, answer, seat, len(differences), arm) for arm, answer in enumerate(answers)]
                    differences.append(about)
            if some := [waiting.popleft() for _ in range(min(len(copies.free), len(waiting)))]:
                copies.begin(some)
            copies.play()
            bar.update(task, completed=min(1.0, spent / seconds), note=f"{len(copies.ends) // 2:,} differences")
    ends = copies.ends
    known = [number for number in range(len(differences)) if (number, 0) in ends and (number, 1) in ends]
    lost = np.array([ends[number, 0] - ends[number, 1] for number in known])
    seen = [differences[number] for number in known]
    share = games.amount() * len(known) / len(differences)
    played, begun = np.array([one.game for one in seen]), GAMES + games.ended

    def by(names: list[str]) -> dict[str, dict[str, float]]:
        return summed(lost, played, names, begun, share)

    return {
        "games": games.ended,
        "differences": len(known),
        "all": by(["all"] * len(lost))["all"],
        "by question": by([one.question for one in seen]),
        "by role": by([one.role for one in seen]),
        "by answer": by([one.detail for one in seen]),
    }


@one_torch_thread()
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--player", required=True)
    parser.add_argument("--other", default="heuristic")
    parser.add_argument("--seconds", type=float, default=400)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--name", help="of the result; what is printed is all when left out")
    given = parser.parse_args()
    words = f"--player {given.player} --other {given.other} --seconds {given.seconds:g} --seed {given.seed}"
    found = {"command": f"python experiments/where_it_loses.py {words}", **compared(given.player, given.other, given.seconds, given.seed)}
    print(f"{'all':60} {found['all']['won in a game']:+.4f} ± {found['all']['95 %']:.4f}")
    for what in ("by question", "by role", "by answer"):
        print(what)
        rows = list(found[what].items())
        for name, row in rows[:20] + [one for one in rows[-5:] if one not in rows[:20]]:
            print(f"  {name:58} {row['won in a game']:+.4f} ± {row['95 %']:.4f}, {row['in a game']:.2f} in a game")
    if given.name:
        folder = Path(__file__).with_suffix("")
        folder.mkdir(exist_ok=True)
        write_atomically(folder / f"{given.name}.json", json.dumps(found, indent=1).encode() + b"\n")


if __name__ == "__main__":
    main()
