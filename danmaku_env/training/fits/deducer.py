"""Fit the deducer's likelihood of interactions on games of self-play, and write `beliefs/deducer.json`.

    python -m danmaku_env.training.fits.deducer [--games 400] [--seed 0] [--expansion lunatic_extra] [--out beliefs/deducer.json]

Every interaction in the logs is an example of a choice by a player whose role is known afterwards. The choices of each class of role are a
conditional logit over what was public at the time; penalised maximum likelihood fits it (L-BFGS). What was public includes the public
guess at the roles, which depends on the parameters themselves, so examples and parameters are renewed in turn, `ROUNDS` times. How much
is left to chance and how much repeated interactions count is what gives the smallest log loss of the belief on one half of the held-out
games; the file has that on the other half.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import scipy.optimize
from rich.progress import track

from danmaku_env import GameConfig
from danmaku_env.agents.heuristic import HeuristicAgent
from danmaku_env.beliefs.action_likelihood import FITTED, SCHEMA, ActionLikelihoodBelief, parameters_from
from danmaku_env.beliefs.kernels import action_likelihood
from danmaku_env.config import Expansion
from danmaku_env.console import options
from danmaku_env.engine import events
from danmaku_env.engine import state as st
from danmaku_env.game import histories
from danmaku_env.heuristics import role_classes
from danmaku_env.info_states import InfoStates
from danmaku_env.machine.records import Array
from danmaku_env.training.fits.fitting import FitGames, Fitting, configurations, fit_command, self_play, tables_of

ROUNDS = 3
_ROWS = 128
"""Games played at once."""
_POSITIONS_EVERY, _ONE_IN = 37, 4
"""Steps between two at which positions are kept for the belief's log loss, and of how many games that go on it is one then."""
PENALTY = 1.0
"""Weight of half the sum of squared parameters against the log-likelihood."""
MIXES, REPEATS = (0.02, 0.05, 0.1, 0.2), (0.4, 0.6, 0.8, 1.0)
BLIND = 0.05
"""Share of players whose choices may have nothing to do with their roles; not fitted, for the games it is fitted on have none."""
TESTED = 1500
"""Positions the belief is tested on."""
SMALLEST = 1e-6
"""Beliefs below this count as this in the log loss."""


class Logs(NamedTuple):
    """Finished games of one configuration, and positions on the way."""

    config: GameConfig
    histories: Array
    """[games, LOG_ROWS, 8] uint8, as seat 0 knows them."""
    roles: Array
    """[games, players] int8 role numbers at the end."""
    positions: Array
    """[n] records at a question."""
    numbers: Array
    """[n] the number of the game of each."""

    def half(self, which: int) -> Logs:
        """The same with the positions of every other game alone, the first and on (0) or the second and on (1)."""
        mine = self.numbers % 2 == which
        return self._replace(positions=self.positions[mine], numbers=self.numbers[mine])


def collect(spec: FitGames, part: int) -> Iterator[int | dict[str, Array]]:
    """Play games of the heuristic at every seat. The last answer of a game and what followed it are not in its log."""
    config, seed = spec.config_of(part), spec.seed_of(part)
    finished: list[Array] = []
    positions: list[Array] = []
    numbers: list[Array] = []
    for number, (before, step) in enumerate(self_play(config, spec.games, _ROWS, seed, HeuristicAgent(seed))):
        if number % _POSITIONS_EVERY == 0:
            some = slice(number // _POSITIONS_EVERY % _ONE_IN, None, _ONE_IN)
            positions.append(before[step.rows[some]])
            numbers.append(step.games[some])
        finished.append(before[step.ended])
        yield len(step.ended)
    records = np.concatenate(finished)
    steady = np.array([_keeps_roles(record) for record in records])
    records = records[steady]
    seen = histories(records, np.zeros(len(records), np.int64), st.LOG_ROWS)
    roles = records["role"][:, : config.num_players]
    yield {"histories": seen, "roles": roles, "positions": np.concatenate(positions), "numbers": np.concatenate(numbers)}


def _keeps_roles(record: Any) -> bool:
    """Whether nobody's role changed in a game: else the role at the end is not that of the interaction."""
    return not (record["log"][:, st.EVENT] == events.L_ROLES).any() and bool((record["role"][: int(record["num_players"])] > 0).all())


# ---------------------------------------------------------------- the conditional logit


class FitExamples(NamedTuple):
    """Interactions: who did what to whom, and what was public about everybody."""

    interaction: Array
    """[n] int64."""
    kind: Array
    """[n] int64 class of the actor's role."""
    target: Array
    """[n] int64."""
    times: Array
    """[n] how often before."""
    active: Array
    """[n, 8] bool: whom it could have been."""
    factions: Array
    """[n, 8, NUM_FACTIONS]."""
    traits: Array
    """[n, 8, TRAITS]."""


def examples_of(logs: Sequence[Logs], parameters: Array) -> FitExamples:
    """The interactions of all logs; the public guess is made with the parameters."""
    deduction = ActionLikelihoodBelief(parameters)
    room: Array = np.zeros((st.LOG_ROWS, action_likelihood.EXAMPLE_COLUMNS))
    found, kinds = [], []
    for some in logs:
        for history, roles in zip(some.histories, some.roles, strict=True):
            count = deduction.examples(some.config, history, room)
            found.append(room[:count].copy())
            kinds.append(role_classes.CLASS_OF_ROLE[roles[found[-1][:, 1].astype(int)]])
    rows = np.concatenate(found)
    seats = rows[:, 4:].reshape(len(rows), st.SEATS, 1 + role_classes.NUM_FACTIONS + action_likelihood.TRAITS)
    whole = rows[:, :4].astype(np.int64)
    return FitExamples(
        whole[:, 0], np.concatenate(kinds), whole[:, 2], whole[:, 3], seats[:, :, 0] > 0,
        seats[:, :, 1 : 1 + role_classes.NUM_FACTIONS], seats[:, :, 1 + role_classes.NUM_FACTIONS :],
    )  # fmt: skip


_CHOICE_SHAPE = (action_likelihood.INTERACTIONS, role_classes.CLASSES, role_classes.NUM_FACTIONS)
_CHOICES = int(np.prod(_CHOICE_SHAPE))


def _loss(flat: Array, examples: FitExamples, weights: Array) -> tuple[float, Array]:
    """Penalised negative log-likelihood and its gradient."""
    choice, trait = (
        flat[:_CHOICES].reshape(_CHOICE_SHAPE),
        flat[_CHOICES:].reshape(action_likelihood.INTERACTIONS, action_likelihood.TRAITS),
    )
    scores = np.einsum("nsc,nc->ns", examples.factions, choice[examples.interaction, examples.kind])
    scores += np.einsum("nst,nt->ns", examples.traits, trait[examples.interaction])
    scores[~examples.active] = -np.inf
    scores -= scores.max(1, keepdims=True)
    probabilities = np.exp(scores)
    probabilities /= probabilities.sum(1, keepdims=True)
    row = np.arange(len(weights))
    loss = -(weights * np.log(np.maximum(probabilities[row, examples.target], 1e-300))).sum() + PENALTY * (flat**2).sum() / 2
    probabilities[row, examples.target] -= 1
    probabilities *= weights[:, np.newaxis]
    by_faction = np.einsum("ns,nsc->nc", probabilities, examples.factions)
    by_trait = np.einsum("ns,nst->nt", probabilities, examples.traits)
    slope, slope_trait = np.zeros(_CHOICE_SHAPE), np.zeros(trait.shape)
    np.add.at(slope, (examples.interaction, examples.kind), by_faction)
    np.add.at(slope_trait, examples.interaction, by_trait)
    return float(loss), np.concatenate([slope.ravel(), slope_trait.ravel()]) + PENALTY * flat


def fit(examples: FitExamples, start: dict[str, Any]) -> dict[str, Any]:
    """The parameters of the logit that explain the examples best."""
    flat = np.concatenate([np.ravel(start["choice"]), np.ravel(start["trait"])])
    weights = float(start["repeat"]) ** examples.times
    found = scipy.optimize.minimize(_loss, flat, (examples, weights), "L-BFGS-B", jac=True, options={"maxiter": 300})
    choice = found.x[:_CHOICES].reshape(_CHOICE_SHAPE).round(4).tolist()
    return {
        **start,
        "choice": choice,
        "trait": found.x[_CHOICES:].reshape(action_likelihood.INTERACTIONS, action_likelihood.TRAITS).round(4).tolist(),
    }


# ---------------------------------------------------------------- how good the belief is


def belief_log_loss(logs: Sequence[Logs], data: dict[str, Any]) -> float:
    """Mean over positions and hidden seats of minus the natural log of the belief in the true role, of the seat that is asked."""
    deduction = ActionLikelihoodBelief(parameters_from(data))
    losses = []
    for some in logs:
        positions = some.positions[:: max(1, len(some.positions) * len(logs) // TESTED)]
        positions = positions[positions["turn_number"] > 0]
        asked = positions["asking"].astype(np.int64)
        beliefs = deduction.posterior(InfoStates(positions, asked, some.config))
        for record, seat, belief in zip(positions, asked, beliefs, strict=True):
            for other in range(some.config.num_players):
                if not int(record["role_seen"][other]) >> int(seat) & 1:
                    losses.append(-np.log(max(SMALLEST, belief[(other - seat) % some.config.num_players, int(record["role"][other])])))
    return float(np.mean(losses))


def _settings(data: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for mix, repeat in itertools.product(MIXES, REPEATS):
        yield {**data, "mix": mix, "repeat": repeat}


def blank() -> dict[str, Any]:
    """Parameters that know nothing: every choice is as likely for every class."""
    choice, trait = np.zeros(_CHOICE_SHAPE).tolist(), np.zeros((action_likelihood.INTERACTIONS, action_likelihood.TRAITS)).tolist()
    return {"danmaku_deducer": SCHEMA, "mix": 0.05, "repeat": 0.8, "blind": BLIND, "choice": choice, "trait": trait}


@fit_command("fits.deducer", FITTED, games=400, seed=0)
def main(
    job: Fitting,
    *,
    games: int,
    seed: int,
    expansion: Expansion,
) -> None:
    """Fit the deducer's parameters on games of the heuristic."""
    configs = configurations(expansion)

    def played(words: str, games: int, seed: int) -> list[Logs]:
        spec = FitGames(fit="deducer", **tables_of(configs), games=games, seed=seed)
        return [Logs(config, **arrays) for config, arrays in zip(configs, job.games(spec, collect, words), strict=True)]

    logs, held = played("games to fit on", games, seed), played("games held out", 2 * max(4, games // 5), seed + 1)
    chosen_on, tested_on = ([some.half(which) for some in held] for which in range(2))
    console = job.console
    data = blank()
    console.print(f"log loss knowing nothing: {belief_log_loss(chosen_on, data):.4f}")
    for number in range(ROUNDS):
        data = fit(examples_of(logs, parameters_from(data)), data)
        console.print(f"round {number + 1}: {belief_log_loss(chosen_on, data):.4f}")
    data = min(track(list(_settings(data)), "settings", console=console), key=lambda settings: belief_log_loss(chosen_on, settings))
    data = fit(examples_of(logs, parameters_from(data)), data)
    losses = {"knowing nothing": round(belief_log_loss(tested_on, blank()), 4), "fitted": round(belief_log_loss(tested_on, data), 4)}
    job.written |= {**data, "log_loss": losses, "classes": [names[0] for names in role_classes.CLASS_ROLES]}
    console.print(f"log loss on other games {losses['fitted']} (mix {data['mix']}, repeat {data['repeat']})")


if __name__ == "__main__":
    options.run_function(main)
