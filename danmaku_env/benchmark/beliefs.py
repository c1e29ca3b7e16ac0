"""The score of stated beliefs in a task: `belief` scores every statement about a hidden seat, `partner` asks who the Partner is.

The games, the statements and the exact reference are those of a deduction study (arena/deduction) with the seed of the task.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from danmaku_env.agents.by_faction import COLUMNS, FACTION_OF_ROLE, IN_FACTION
from danmaku_env.arena.deduction.games import Findings
from danmaku_env.arena.deduction.measures import measure
from danmaku_env.arena.deduction.report import Study
from danmaku_env.arena.deduction.scores import score
from danmaku_env.benchmark.result import CONFIDENCE, Sums
from danmaku_env.benchmark.task import Task
from danmaku_env.danmaku import DANMAKU_SPEC
from danmaku_env.machine.records import Array

ASKED_AFTER = (1, 2, 3)
"""After how many rounds it is asked who the Partner is."""
_PARTNER = COLUMNS.index("Partner")
ABOVE_REFERENCE = "bits above the reference"


def is_partner(roles: Array) -> Array:
    """Role numbers -> whether they are dealt as a Partner's, same shape."""
    partners: Array = FACTION_OF_ROLE[roles] == _PARTNER
    return partners


class StatedBeliefs(NamedTuple):
    """Statements about hidden seats: S of them, of one belief model, beside the prior and the exact reference."""

    game: Array
    """[S]"""
    turn: Array
    """[S] at whose first question it was stated."""
    observer: Array
    """[S] the seat in whose place."""
    seat: Array
    """[S] the seat that is judged."""
    truth: Array
    """[S] the number of its role."""
    prior: Array
    """[S, NUM_ROLES]"""
    reference: Array
    """[S, NUM_ROLES]"""
    stated: Array
    """[S, NUM_ROLES]"""

    @classmethod
    def of(cls, findings: Findings, belief_model: int) -> StatedBeliefs:
        """Those of a study that kept them, of the belief model at this place; where it has no reference, the last one stands for that."""
        kept = findings.statements
        assert kept is not None
        chances = kept.chances.astype(np.float64)
        who = kept.observer, kept.seat, kept.truth
        return cls(findings.game, findings.turn, *who, chances[:, 0], chances[:, -1], chances[:, belief_model])

    def of_first(self, games: int) -> StatedBeliefs:
        """Those of the first games."""
        return self.among(self.game < games)

    def among(self, chosen: Array) -> StatedBeliefs:
        """Those at places [k], or where flags [S] are set."""
        return StatedBeliefs(*(column[chosen] for column in self))


class TaskStudy(Study):
    """A study that is part of a task."""

    FOLDER = Path("runs/bench")
    EVENTS = False


def study_of(task: Task, belief_models: tuple[str, ...], games: int, *, reference: bool = True) -> TaskStudy:
    """The deduction study that a task is: `danmaku deduce` makes the same with the seed of the task.

    It plays whole parts, this many games at least, so that the first games are the same in every run.
    """
    whole = -(-games // TaskStudy.PART_SIZE) * TaskStudy.PART_SIZE
    return TaskStudy(
        belief_models=belief_models, agents=task.members, table=task.config, games=whole, seed=task.seed("games"),
        confidence=CONFIDENCE, reference=reference, statements=True,
    )  # fmt: skip


def metrics(task: Task, said: StatedBeliefs, games: int) -> tuple[dict[str, Sums], dict[str, Any]]:
    """What a task of beliefs measures, and what more is told. Raises UserError unless they are statements."""
    if task.kind == "partner":
        return _partner(said, games, task.config.num_players), {}
    found = measure(said.stated, said.truth, said.game, prior=said.prior, reference=said.reference, confidence=CONFIDENCE)
    error = found.calibration_error
    return _belief(said, games), {"calibration error": {"mean": error.mean, "low": error.low, "high": error.high}}


# ---------------------------------------------------------------- every hidden seat


def _belief(said: StatedBeliefs, games: int) -> dict[str, Sums]:
    def sums(values: Array, chosen: Array | None = None) -> Sums:
        chosen = np.ones(len(values), np.bool_) if chosen is None else chosen
        return _sums(said.game[chosen], values[chosen], games)

    stated, true_faction = _normal(said.stated), FACTION_OF_ROLE[said.truth]
    roles, factions = score(stated, said.truth), score(stated @ IN_FACTION, true_faction)
    floor, prior = (score(_normal(chances), said.truth).log_loss for chances in (said.reference, said.prior))
    found = {
        ABOVE_REFERENCE: sums(roles.log_loss - floor), "log loss of the role": sums(roles.log_loss),
        "log loss of the faction": sums(factions.log_loss), "bits saved": sums(prior - roles.log_loss), "Brier score": sums(roles.brier),
    }  # fmt: skip
    found |= {f"log loss of the faction, {COLUMNS[one]}": sums(factions.log_loss, true_faction == one) for one in np.unique(true_faction)}
    of_role = {DANMAKU_SPEC.labels[one] or "none": said.truth == one for one in np.unique(said.truth)}
    return found | {f"log loss of the role, {name}": sums(roles.log_loss, chosen) for name, chosen in of_role.items()}


# ---------------------------------------------------------------- the Partner


def partner_items(said: StatedBeliefs, players: int) -> Iterator[tuple[int, Array]]:
    """(rounds played, statements [k] of an observer from whom exactly one Partner is hidden) for each item, in the order of the games."""
    for rounds in ASKED_AFTER:
        asked = np.flatnonzero(said.turn == rounds * players + 1)
        keys = said.game[asked].astype(np.int64) * players + said.observer[asked]
        asked, keys = asked[np.argsort(keys, kind="stable")], np.sort(keys)
        for mine in np.split(asked, np.flatnonzero(np.diff(keys)) + 1):
            if is_partner(said.truth[mine]).sum() == 1:
                yield rounds, mine


def partner_chances(stated: Array) -> Array:
    """[k] how likely each of the hidden seats is the Partner, of beliefs [k, NUM_ROLES] about their roles; all alike where none can be."""
    chances: Array = (stated @ IN_FACTION)[:, _PARTNER]
    total = chances.sum()
    return chances / total if total > 0 else np.full(len(chances), 1 / len(chances))


def _partner(said: StatedBeliefs, games: int, players: int) -> dict[str, Sums]:
    rows: list[tuple[float, ...]] = []
    for rounds, mine in partner_items(said, players):
        is_it = np.array(np.argmax(is_partner(said.truth[mine])))
        stated, reference = (score(partner_chances(chances[mine]), is_it) for chances in (said.stated, said.reference))
        rows.append((int(said.game[mine[0]]), rounds, float(stated.log_loss), float(reference.log_loss), float(stated.top1)))
    table: Array = np.array(rows, np.float64).reshape(-1, 5)

    def sums(column: Array, chosen: Array) -> Sums:
        return _sums(table[chosen, 0].astype(np.int64), column[chosen], games)

    every = np.ones(len(table), np.bool_)
    found = {
        "log loss": sums(table[:, 2], every), ABOVE_REFERENCE: sums(table[:, 2] - table[:, 3], every),
        "accuracy": sums(table[:, 4], every),
    }  # fmt: skip
    for rounds in ASKED_AFTER:
        after, when = table[:, 1] == rounds, f"after {rounds} round{'s' * (rounds > 1)}"
        if after.any():
            found |= {f"log loss {when}": sums(table[:, 2], after), f"accuracy {when}": sums(table[:, 4], after)}
    return found


def _normal(chances: Array) -> Array:
    """Probabilities that were kept as float32 sum to 1 again."""
    normal: Array = chances / chances.sum(1, keepdims=True)
    return normal


def _sums(game: Array, values: Array, games: int) -> Sums:
    """Of statements, by game."""
    total, counts = np.bincount(game, values, games), np.bincount(game, minlength=games)
    return Sums(tuple(total.tolist()), tuple(map(float, counts.tolist())))
