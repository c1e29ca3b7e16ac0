"""Fit what the search reads positions by: the chances of winning of each class of role, and write `agents/search.json`.

    python -m training.fit_values [--games 20000] [--seed 0] [--out agents/search.json]

Positions of the heuristic's games against itself, all roles known, labelled with how they ended: a logistic regression for each class of
role over `rollout.write_features`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt
import scipy.optimize
import typer
from rich.console import Console
from rich.progress import track

from agents.heuristic import HeuristicAgent
from agents.kernels import evidence, rollout
from agents.search import FITTED, SCHEMA
from danmaku_env import GameConfig, make_vec
from danmaku_env.engine import state as st
from danmaku_env.game import write_atomically
from training.fit_deducer import configurations

Array = npt.NDArray[Any]
ROWS = 256
POSITIONS_EVERY = 23
"""Steps between two positions taken from the same game."""
PENALTY = 1.0
HELD_OUT = 5
"""One game in so many tests the fit."""


def collect(config: GameConfig, games: int, seed: int) -> tuple[Array, Array, Array, Array]:
    """Positions of so many games: [n, FEATURES], class of the seat's role [n], whether it won [n], number of the game [n]."""
    vec = make_vec(ROWS, config)
    vec.reset(seed)
    agent = HeuristicAgent(seed)
    waiting: list[list[tuple[Array, Array]]] = [[] for _ in range(ROWS)]
    rows: list[tuple[Array, Array, Array, int]] = []
    features: Array = np.zeros((ROWS, st.SEATS, rollout.FEATURES))
    seats = np.arange(config.num_players)
    done = step = 0
    while done < games:
        if step % POSITIONS_EVERY == 0:
            rollout.feature_rows(evidence.CLASS_OF_ROLE, vec.games, features)
            for row in np.flatnonzero(vec.games["turn_number"] > 0):
                waiting[row].append((features[row, seats].copy(), evidence.CLASS_OF_ROLE[vec.games["role"][row, seats]]))
        vec.step(agent.act(vec.observations, vec.action_masks))
        step += 1
        for row in np.flatnonzero(vec.dones):
            rows += [(one, classes, vec.rewards[row, seats] > 0, done) for one, classes in waiting[row]]
            waiting[row] = []
            done += 1
    kinds = np.concatenate([classes for _, classes, _, _ in rows])
    numbers = np.concatenate([np.full(len(classes), game) for _, classes, _, game in rows])
    return np.concatenate([one for one, _, _, _ in rows]), kinds, np.concatenate([won for _, _, won, _ in rows]), numbers


def _loss(weights: Array, features: Array, won: Array) -> tuple[float, Array]:
    """Penalised negative log-likelihood of a logistic regression, and its gradient."""
    scores = features @ weights
    loss = np.logaddexp(0, np.where(won, -scores, scores)).sum() + PENALTY * (weights**2).sum() / 2
    return float(loss), features.T @ (1 / (1 + np.exp(-scores)) - won) + PENALTY * weights


def _bits(weights: Array, features: Array, won: Array) -> float:
    """Log loss in bits."""
    scores = features @ weights
    return float(np.logaddexp(0, np.where(won, -scores, scores)).mean() / np.log(2))


def main(
    games: Annotated[int, typer.Option(min=20, help="Games of each configuration; one in five tests the fit.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the games.")] = 0,
    out: Annotated[Path, typer.Option(help="Where to write the values.")] = FITTED,
) -> None:
    """Fit the values of positions on games of the heuristic."""
    console = Console(stderr=True)
    parts = [collect(config, games, seed) for config in track(configurations(), "playing", console=console)]
    features, kinds, won, numbers = (np.concatenate([part[i] for part in parts]) for i in range(4))
    values = np.zeros((evidence.CLASSES, rollout.FEATURES))
    tested = numbers % HELD_OUT == 0
    bits = {}
    for kind in range(evidence.CLASSES):
        fit, test = (kinds == kind) & ~tested, (kinds == kind) & tested
        start = np.zeros(rollout.FEATURES)
        values[kind] = scipy.optimize.minimize(_loss, start, (features[fit], won[fit]), "L-BFGS-B", jac=True).x
        share = won[fit].mean()
        guess = -(won[test].mean() * np.log2(share) + (1 - won[test].mean()) * np.log2(1 - share))
        name = evidence.CLASS_ROLES[kind][0]
        bits[name] = {"share": round(float(guess), 4), "fitted": round(_bits(values[kind], features[test], won[test]), 4)}
        console.print(f"{name}: {bits[name]} bits")
    data = {
        "danmaku_search": SCHEMA, "values": values.round(4).tolist(), "bits": bits,
        "made by": f"python -m training.fit_values --games {games} --seed {seed}",
    }  # fmt: skip
    write_atomically(out, (json.dumps(data, indent=1) + "\n").encode())
    console.print(f"written to {out}")


if __name__ == "__main__":
    typer.run(main)
