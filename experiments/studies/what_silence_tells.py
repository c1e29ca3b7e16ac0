"""What does saying nothing tell?

    python experiments/studies/what_silence_tells.py [--games 128] [--players 6] [--seed 42]

The exact posterior (all hands open, by the players' own policies) of the same games three times: from everything, from deeds alone, for
which all passes and what an Extra Boss did not reveal are left out of the likelihood, and from those silences alone. The games are of the
heuristic and the deducer; every active seat states the hidden roles at the first question of each turn.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import numpy as np

from danmaku_env import GameConfig
from danmaku_env.agents.by_faction import FACTION_OF_ROLE, IN_FACTION
from danmaku_env.agents.registry import make
from danmaku_env.arena.deduction.exact_posterior import Evidence, ExactPosterior
from danmaku_env.arena.deduction.games import StudyStep, play
from danmaku_env.arena.deduction.scores import score
from danmaku_env.arena.reports.plots import Line, draw_lines, plot, svg
from danmaku_env.arena.reports.style import COLORS
from danmaku_env.cards.box import NUM_ROLES
from danmaku_env.engine import actions
from danmaku_env.estimates import Estimate, plain, ratio
from danmaku_env.info_states import InfoStates
from danmaku_env.machine.records import Array
from experiments.studies.telling import CONFIDENCE, claims, keep

AGENTS = ("heuristic", "deducer")
READERS = ("role cards alone", "silences", "deeds", "both")
LAST = 5
PREDICTIONS = (
    "Silence tells: who leaves it out of the likelihood has more bits of log loss, shown at 99 %.",
    "It tells less than deeds: silences alone save less than half of what deeds alone save.",
    "Who reads deeds alone loses less than a tenth of what there is to be had.",
)


class Heard(ExactPosterior):
    """An exact posterior that hears only some of the answers."""

    def __init__(self, *given: Any, deeds: bool) -> None:
        super().__init__(*given)
        self._deeds = deeds

    def _weigh_answers(self, games: Array, records: Array, answers: Array, evidence: list[Evidence]) -> None:
        heard = np.flatnonzero((answers != actions.PASS) == self._deeds)
        if len(heard):
            super()._weigh_answers(games[heard], records[heard], answers[heard], [evidence[place] for place in heard])

    def _weigh_silence(self, *given: Any) -> None:
        if not self._deeds:
            super()._weigh_silence(*given)


def stated(config: GameConfig, games: int, seed: int) -> Iterator[tuple[int, int, Array]]:
    """(game, round, [readers] bits of log loss of the faction) for each hidden seat of each observer at the first question of a turn."""
    agents = [make(name, seed) for name in AGENTS]
    seeds = [int(word >> np.uint64(2)) for word in np.random.SeedSequence(seed).generate_state(games, np.uint64)]
    given = (agents, config, games)
    readers = [Heard(*given, deeds=False), Heard(*given, deeds=True), ExactPosterior(*given)]
    for step in play(agents, config, seeds, seed):
        for reader in readers:
            reader.begin(step.begun)
            if len(step.games):
                reader.see(step.games, step.before, step.after, step.answers)
        yield from _losses(step, readers, config)


def _losses(step: StudyStep, readers: list[ExactPosterior], config: GameConfig) -> Iterator[tuple[int, int, Array]]:
    players = config.num_players
    for place in np.flatnonzero(step.after["turn_number"] != step.before["turn_number"]):
        record, game = step.after[place : place + 1], int(step.games[place])
        for seat in range(players):
            turned = (np.arange(players) + seat) % players
            hidden = np.flatnonzero(record["role_seen"][0, turned] >> seat & 1 == 0)
            if not record["active"][0] >> seat & 1 or not len(hidden):
                continue
            states = InfoStates(record, np.array([seat]), config)
            said = [_prior(states, players), *(reader.posterior(states, [reader.now(game)])[0] for reader in readers)]
            truth = FACTION_OF_ROLE[record["role"][0, turned][hidden]]
            bits = np.stack([score(beliefs[hidden] @ IN_FACTION, truth).log_loss for beliefs in said], 1)
            for row in bits:
                yield game, int(record["turn_number"][0] - 1) // players + 1, row


def _prior(states: InfoStates, players: int) -> Array:
    """[players, NUM_ROLES] what the role cards say."""
    return np.asarray(states.role_assignments(0).marginals()).reshape(players, NUM_ROLES)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=128)
    parser.add_argument("--players", type=int, default=6)
    parser.add_argument("--seed", type=int, default=42)
    given = parser.parse_args()
    rows = list(stated(GameConfig(num_players=given.players, characters="random"), given.games, given.seed))
    game, rounds = (np.array([row[place] for row in rows]) for place in (0, 1))
    bits = np.stack([row[2] for row in rows])

    def mean(values: Array, chosen: Array | None = None) -> Estimate:
        chosen = np.ones(len(values), np.bool_) if chosen is None else chosen
        counts = np.bincount(game[chosen], minlength=given.games).astype(np.float64)
        return ratio(np.bincount(game[chosen], values[chosen], given.games), counts, CONFIDENCE)

    whole = {name: mean(bits[:, place]) for place, name in enumerate(READERS)}
    by_round = {name: [mean(bits[:, place], rounds == one) for one in range(1, LAST + 1)] for place, name in enumerate(READERS)}
    missed = mean(bits[:, 2] - bits[:, 3])
    silent, loud, both = (mean(bits[:, 0] - bits[:, place]) for place in (1, 2, 3))
    came = [
        (f"{plain(missed)} bits a hidden seat", missed.low > 0),
        (f"silences alone save {plain(silent)}, deeds alone {plain(loud)}, both {plain(both)}", silent.high < loud.low / 2),
        (f"{missed.mean / both.mean:.1%} of {plain(both)}", missed.high / both.mean < 0.1),
    ]
    with plot(8, 3.6) as figure:
        axes = figure.subplots()
        draw_lines(axes, [Line(name, range(1, LAST + 1), by_round[name], COLORS[place]) for place, name in enumerate(READERS)])
        axes.set(title="Exact readers, all hands open", xlabel="round", ylabel="log loss of the faction, bits")
        axes.set_xticks(range(1, LAST + 1))
        axes.legend()
        picture = svg(figure)
    command = f"python experiments/studies/what_silence_tells.py --games {given.games} --players {given.players} --seed {given.seed}"
    numbers = {"log loss of the faction": whole, "saved": {"silences": silent, "deeds": loud, "both": both}, "statements": len(rows)}
    keep(__file__, command, claims(PREDICTIONS, came), numbers, picture)


if __name__ == "__main__":
    main()
