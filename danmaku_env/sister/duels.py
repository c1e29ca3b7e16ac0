"""Bots against each other on the same deals, in any game that has a spec; means with intervals, the deal as the unit."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from danmaku_env.arguments import shown
from danmaku_env.estimates import Estimate, estimate
from danmaku_env.game import IllegalAction
from danmaku_env.machine.records import OK, RNG, RUNNING, Array
from danmaku_env.seeds import seed_generator
from danmaku_env.sister.bots import Bot
from danmaku_env.spec import GameSpec, spec_of

_LIMIT = 1 << 20
"""Answers that no game has."""
CONFIDENCE = 0.99
"""Of the intervals."""
OnProgress = Callable[[float, str], None]
"""Called with the share that is done, from 0 to 1, and what is being played."""


def estimate_of(by_deal: Array) -> Estimate:
    """The mean of payoffs or shares [deals] with its 99 % interval. Needs scipy."""
    return estimate([by_deal], CONFIDENCE)


def begun(config: Any, seeds: Array) -> Array:
    """[n] games of some seeds at their first question."""
    spec = spec_of(config)
    spec.entries.compile_once()
    games: Array = spec.room_for(len(seeds))
    status = np.zeros(len(seeds), np.int8)
    settings, raw = config.settings(), spec.as_bytes(games)
    spec.entries.drive(spec.entries.tables(), settings, games, raw, seeds.astype(np.int64), status, spec.entries.start)
    return games


def play_out(spec: GameSpec, games: Array, bots: Sequence[Bot], whose: Array, by_plans: Callable[..., None]) -> None:
    """Play games to their end in place; `whose` [n, seats] says which bot sits where.

    Where all bots have plans, `by_plans(tables, games, plans, limit, rng)` plays without asking them. Raises IllegalAction for an
    answer that is not legal, and RuntimeError where the machine stops.
    """
    if all(hasattr(bot, "plan") for bot in bots):
        rng: Array = np.zeros(1, RNG)
        seed_generator(rng, int(games["seed"][0]))
        plans = np.array([getattr(bot, "plan", 0) for bot in bots], np.int64)[whose]
        by_plans(spec.entries.tables(), games, np.ascontiguousarray(plans), _LIMIT, rng)
    else:
        _by_question(spec, games, bots, whose)
    if found := np.flatnonzero(games["status"]).tolist():
        raise RuntimeError(f"the machine stopped in the game of seed {int(games['seed'][found[0]])}")


def _by_question(spec: GameSpec, games: Array, bots: Sequence[Bot], whose: Array) -> None:
    entries, tables = spec.entries, spec.entries.tables()
    running = np.flatnonzero(_goes_on(games))
    while len(running):
        these = np.ascontiguousarray(games[running])
        asked = these["asking"].astype(np.int64)
        masks: Array = np.zeros((len(these), spec.num_actions), np.uint8)
        rows: Array = np.zeros((len(these), spec.row_size), np.uint8)
        entries.mask_rows(these, masks)
        entries.observe_rows(tables, these, asked, rows)
        chosen, status = np.zeros(len(these), np.int64), np.zeros(len(these), np.int8)
        answering = whose[running, asked]
        for number, bot in enumerate(bots):
            there = np.flatnonzero(answering == number)
            if len(there):
                chosen[there] = bot.answer(these[there], asked[there], rows[there], masks[there])
        entries.drive(tables, np.zeros(1, np.int64), these, spec.as_bytes(these), chosen, status, entries.answer)
        if wrong := np.flatnonzero(status).tolist():
            raise _illegal(spec, bots[answering[wrong[0]]], these[wrong[0]], int(chosen[wrong[0]]))
        games[running] = these
        running = running[_goes_on(these)]


def _goes_on(games: Array) -> Array:
    going: Array = (games["outcome"] == RUNNING) & (games["status"] == OK)
    return going


def _illegal(spec: GameSpec, bot: Bot, game: Any, answer: int) -> IllegalAction:
    asked = f"seat {int(game['asking'])} is asked {spec.questions[int(game['question'])]!r}"
    return IllegalAction(f"{shown(bot.name)} answers {answer} in the game of seed {int(game['seed'])}, which is not legal: {asked}")


def pairs(names: Sequence[str], on_progress: OnProgress | None, *, alike: bool = False) -> Iterator[tuple[int, int, OnProgress | None]]:
    """The numbers of each pair, the smaller first, and a callback for its own progress; a bot against itself only where `alike`."""
    both = [(one, other) for one in range(len(names)) for other in range(one + (not alike), len(names))]
    for number, (one, other) in enumerate(both):
        what = f"{names[one]} against {names[other]}"
        if on_progress:
            on_progress(number / len(both), what)
        yield one, other, on_progress and functools.partial(_part, on_progress, number, len(both), what)


def _part(on_progress: OnProgress, number: int, parts: int, what: str, share: float, note: str) -> None:
    on_progress((number + share) / parts, f"{what}, {note}")
