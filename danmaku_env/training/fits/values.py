"""Fit the position values of the search: the chances of winning of each class of roles, and write `agents/search.json`.

    python -m danmaku_env.training.fits.values [--games 4000] [--seed 1] [--expansion lunatic_extra] [--out agents/search.json]

Positions of the heuristic's games against itself, in the fitted style, all roles known, labelled with how they ended: for each class of
role a small net over `rollout.write_features`, as in rollouts nothing larger would pay.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import torch
from rich.progress import track

from danmaku_env.agents.heuristic import HeuristicAgent
from danmaku_env.agents.kernels import rollout
from danmaku_env.agents.search import FITTED, SEARCH_SCHEMA
from danmaku_env.config import Expansion
from danmaku_env.console import options
from danmaku_env.heuristics import role_classes
from danmaku_env.machine.records import Array
from danmaku_env.spec import spec_of
from danmaku_env.training.fits.fitting import FitGames, Fitting, configurations, fit_command, self_play, tables_of

_ROWS = 256
_POSITIONS_EVERY = 23
"""Steps between two positions taken from the same game."""
EPOCHS, BATCH, RATE, DECAY = 12, 1024, 3e-3, 0.01
SMALLEST_SPREAD = 1e-3
HELD_OUT = 5
"""One in this many games tests the fit."""


def collect(spec: FitGames, part: int) -> Iterator[int | dict[str, Array]]:
    """Positions of the games of a part: [n, FEATURES], class of the seat's role [n], whether it won [n], number of the game [n]."""
    config, seed = spec.config_of(part), spec.seed_of(part)
    waiting: list[list[tuple[Array, Array]]] = [[] for _ in range(_ROWS)]
    rows: list[tuple[Array, Array, Array, int]] = []
    features: Array = np.zeros((_ROWS, spec_of(config).most_seats, rollout.FEATURES))
    seats = np.arange(config.num_players)

    for number, (records, step) in enumerate(self_play(config, spec.games, _ROWS, seed, HeuristicAgent(seed, style="fitted"))):
        if number % _POSITIONS_EVERY == 0:
            rollout.feature_rows(role_classes.CLASS_OF_ROLE, records, features)
            for row in step.rows[records["turn_number"][step.rows] > 0]:
                waiting[row].append((features[row, seats].copy(), role_classes.CLASS_OF_ROLE[records["role"][row, seats]]))
        for row, game, rewards in zip(step.ended.tolist(), step.over.tolist(), step.rewards, strict=True):
            rows += [(one, classes, rewards[seats] > 0, game) for one, classes in waiting[row]]
            waiting[row] = []
        yield len(step.ended)
    features_of, kinds, won, numbers = zip(*((one, classes, won, np.full(len(won), game)) for one, classes, won, game in rows), strict=True)
    named = {"features": features_of, "kinds": kinds, "won": won, "numbers": numbers}
    yield {name: np.concatenate(columns) for name, columns in named.items()}


class Fit(NamedTuple):
    """The net of one class of roles, as rollout.VALUES has it, and its log loss."""

    hidden: Array
    chance: Array
    bits: dict[str, float]
    """Log loss on the games held out, in bits: of always saying the share of the fitted games that are won, and of the net."""


def fit(features: Array, won: Array, tested: Array, seed: int) -> Fit:
    """Fit the chances of winning [n] to the features [n, FEATURES]; `tested` [n] bool are held out."""
    if tested.all():  # no game to fit on had such a role
        return Fit(np.zeros((rollout.HIDDEN, rollout.FEATURES + 1)), np.zeros(rollout.HIDDEN + 1), {})
    torch.manual_seed(seed)
    rows, labels = torch.from_numpy(features.astype(np.float32)), torch.from_numpy(won.astype(np.float32))
    held = torch.from_numpy(tested)
    known = rows[~held]
    middle, spread = known.mean(0), known.std(0, correction=min(1, len(known) - 1)) + SMALLEST_SPREAD
    rows = (rows - middle) / spread
    first, last = torch.nn.Linear(rollout.FEATURES, rollout.HIDDEN), torch.nn.Linear(rollout.HIDDEN, 1)
    net = torch.nn.Sequential(first, torch.nn.Tanh(), last)
    optimizer = torch.optim.AdamW(net.parameters(), lr=RATE, weight_decay=DECAY)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, EPOCHS)
    loss_of = torch.nn.functional.binary_cross_entropy_with_logits
    kept = torch.nonzero(~held)[:, 0]
    for _ in range(EPOCHS):
        for batch in torch.split(kept[torch.randperm(len(kept))], BATCH):
            optimizer.zero_grad()
            torch.autograd.backward(loss_of(net(rows[batch])[:, 0], labels[batch]))
            optimizer.step()
        schedule.step()
    with torch.no_grad():
        fitted = loss_of(net(rows[held])[:, 0], labels[held])
        share = labels[kept].mean().clamp(SMALLEST_SPREAD, 1 - SMALLEST_SPREAD)
        guess = loss_of(torch.logit(share).expand(int(held.sum())), labels[held])
        weights = first.weight / spread
        hidden = torch.cat([weights, (first.bias - weights @ middle)[:, None]], 1)
        chance = torch.cat([last.weight[0], last.bias])
    bits = {name: round(float(loss) / math.log(2), 4) for name, loss in (("share", guess), ("fitted", fitted))}
    return Fit(hidden.numpy(), chance.numpy(), bits)


@fit_command("fits.values", FITTED, games=4_000, seed=1)
def main(
    job: Fitting,
    *,
    games: int,
    seed: int,
    expansion: Expansion,
) -> None:
    """Fit the values of positions on games of the heuristic."""
    spec = FitGames(fit="values", **tables_of(configurations(expansion)), games=games, seed=seed)
    parts = job.games(spec, collect, "games to fit on")
    features, kinds, won, numbers = (np.concatenate([part[name] for part in parts]) for name in ("features", "kinds", "won", "numbers"))
    fits = []
    for kind in track(range(role_classes.CLASSES), "fitting", console=job.console):
        mine = kinds == kind
        fits.append(fit(features[mine], won[mine], numbers[mine] % HELD_OUT == 0, seed))
    bits = {names[0]: one.bits for names, one in zip(role_classes.CLASS_ROLES, fits, strict=True) if one.bits}
    for name, of in bits.items():
        job.console.print(f"{name}: {of} bits")
    nets = {part: [getattr(one, part).round(4).tolist() for one in fits] for part in ("hidden", "chance")}
    job.written |= {"danmaku_search": SEARCH_SCHEMA, "bits": bits, **nets}


if __name__ == "__main__":
    options.run_function(main)
