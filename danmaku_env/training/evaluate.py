"""How often a net wins in the seats of one role group, while another agent has all other seats; tables, plots and a replay of it.

Every group plays the same deals (the same game seeds), and so does the other agent alone, so gains are compared deal by deal.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from rich.table import Table

from danmaku_env import Game, GameConfig, Replay, make_vec
from danmaku_env.agents import registry
from danmaku_env.agents.advice import complete, seen
from danmaku_env.agents.base import Agent, Handles, answers_of
from danmaku_env.agents.nets import Net, choose_actions, one_torch_thread
from danmaku_env.arena.roles import GROUPS, dealt_groups, group_names
from danmaku_env.arena.tournaments.statistics import estimate
from danmaku_env.training.crew import Threads, Tick

Array = npt.NDArray[Any]
MEASURED_AGAINST = ("random", "heuristic")
"""Whom a net is measured against."""
EVALUATION_SEED = 1_000_003
"""Added to a run's seed: deals of the learning curve and, plus one, of the final tables are none of those trained on."""
_CONFIDENCE = 0.95
_SEEDS = 1 << 61
_ROWS = 256
"""Games side by side; each row plays the same number of games to the end, so short games do not count more."""


def evaluation_seed(seed: int, more: int = 0) -> int:
    """The seed of a run's measurements: another for each `more`, and among those that leave room for seeds after it."""
    return (seed + EVALUATION_SEED + more) % _SEEDS


class Gain(NamedTuple):
    """What a net gains in the seats of one role group over the agent that has all other seats."""

    group: str
    games: int
    usual: float
    """Share of games won with that agent there too, the mean over the group's seats, 0 to 1."""
    usual_error: float
    """Half the width of its 95% confidence interval, as in the other two: of the t distribution, infinite where all games are alike."""
    trained: float
    trained_error: float
    gain: float
    """Mean difference game by game, over the same deals."""
    gain_error: float


def play(
    net: Net | None, group: str | None, config: GameConfig, *, games: int, seed: int, greedy: bool = True, others: Agent | None = None,
    tick: Tick | None = None,
) -> tuple[Array, Array]:  # fmt: skip
    """Play whole games with the net in the seats of a group (None: in every seat), the others elsewhere (None: random answers).

    Returns the rewards [G, 8] and the dealt group bits [G, 8]; G is `games` rounded up to full rows. The order of games is that
    of their seeds, whoever plays.
    """
    if net is not None:
        config = replace(config, history=net.history)
    rows = min(_ROWS, games)
    rounds = -(-games // rows)
    vec = make_vec(rows, config)
    vec.reset(seed)
    dice = None if greedy else torch.Generator().manual_seed(seed)
    bits = GROUPS[group] if group else -1
    rewards: Array = np.zeros((rounds, rows, 8), np.float32)
    dealt: Array = np.zeros((rounds, rows, 8), np.int64)
    dealt[0] = dealt_groups(vec.games["role"])
    played: Array = np.zeros(rows, np.int64)
    every: Array = np.arange(rows)
    while (playing := played < rounds).any():
        actions = vec.sample()
        nets = (dealt[np.minimum(played, rounds - 1), every, vec.seats] & bits != 0) & (net is not None)
        if net is not None and len(mine := np.flatnonzero(playing & nets)):
            actions[mine] = choose_actions(net, seen(net, vec, mine), vec.action_masks[mine], dice)
        if others is not None and len(theirs := np.flatnonzero(playing & ~nets)):
            handles = Handles.of(vec, theirs)
            actions[theirs] = answers_of(others, vec.observations[theirs], vec.action_masks[theirs], handles)
        vec.step(actions)
        ended = np.flatnonzero(vec.dones & playing)
        if len(ended):
            rewards[played[ended], ended] = vec.rewards[ended]
            played[ended] += 1
            again = ended[played[ended] < rounds]
            dealt[played[again], again] = dealt_groups(vec.games["role"][again])
        if tick:
            tick(len(ended))
    vec.close()
    return rewards.reshape(-1, 8), dealt.reshape(-1, 8)


def _share_won(rewards: Array, seats: Array) -> Array:
    """[G, 8] rewards and a group's seats -> the share of its seats that won, for each game that has the group."""
    in_game = seats.any(1)
    shares: Array = ((rewards > 0) & seats)[in_game].sum(1) / seats[in_game].sum(1)
    return shares


def _mean(numbers: Array) -> tuple[float, float]:
    """Mean, and half the width of its 95% confidence interval: infinite where the numbers do not differ, for nothing tells it then."""
    found = estimate([numbers.astype(np.float64)], _CONFIDENCE)
    return found.mean, found.half if len(np.unique(numbers)) > 1 else math.inf


@one_torch_thread()
def win_rates(net: Net, config: GameConfig, *, games: int, seed: int, threads: int = 1) -> dict[str, float]:
    """Share of games the net wins in the seats of each role group in turn, 0 to 1, the mean over the group's seats."""

    def rate(group: str) -> float:
        rewards, dealt = play(net, group, config, games=games, seed=seed, tick=crew.tick())
        return float(_share_won(rewards, dealt == GROUPS[group]).mean())

    names = group_names(config)
    with Threads(threads, "evaluation") as crew:
        return dict(zip(names, crew.map(rate, names), strict=True))


@one_torch_thread()
def gains_by_group(
    net: Net, config: GameConfig, *, games: int, seed: int, others: str = "random", threads: int = 1, tick: Tick | None = None
) -> list[Gain]:
    """Play games with the others (an agent by name) alone, then the net in each role group in turn: `group_names(config)` lists them.

    See `play`. Raises AgentError.
    """
    names = group_names(config)
    # each match has an agent of its own, for they run side by side; random play needs none
    rivals = {group: None if others == "random" else registry.make(others, seed) for group in (None, *names)}

    def match(group: str | None) -> tuple[Array, Array]:
        return play(net if group else None, group, config, games=games, seed=seed, others=rivals[group], tick=crew.tick(tick))

    with Threads(threads, "evaluation") as crew:
        (base, dealt), *matches = crew.map(match, (None, *names))
    gains = []
    for group, (rewards, same) in zip(names, matches, strict=True):
        assert (same == dealt).all(), "every group must play the same deals"
        seats = dealt == GROUPS[group]
        usual, trained = _share_won(base, seats), _share_won(rewards, seats)
        gains.append(Gain(group, len(usual), *_mean(usual), *_mean(trained), *_mean(trained - usual)))
    return gains


def gains_table(gains: Sequence[Gain], title: str) -> Table:
    """The gains as a table for the terminal."""
    table = Table(title=title)
    table.add_column("role group")
    for name in ("games", "like the others", "trained", "gain (same deals)"):
        table.add_column(name, justify="right")
    table.add_column("better?")
    for gain in gains:
        verdict = "yes" if gain.gain > gain.gain_error else "worse" if gain.gain < -gain.gain_error else "not shown"
        pairs = ((gain.usual, gain.usual_error), (gain.trained, gain.trained_error), (gain.gain, gain.gain_error))
        first, second, third = (f"{number:.1%} ± {error:.1%}" if math.isfinite(error) else f"{number:.1%}" for number, error in pairs)
        table.add_row(gain.group, str(gain.games), first, second, f"{'+' * (gain.gain >= 0)}{third}", verdict)
    return table


def save_plot(path: Path, gains: Mapping[str, Sequence[Gain]], curve: Array, names: Sequence[str]) -> None:
    """Write a PNG: win rates while training, and after it among each of the others.

    `gains` are those by role group for each other agent; `curve` [k, 1 + len(names)] holds decisions and, for each role group, the
    share of games won so far.
    """
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context({"axes.spines.top": False, "axes.spines.right": False}):
        figure = Figure(figsize=(5.5 * (1 + len(gains)), 4.5), layout="constrained")
        left, *right = figure.subplots(1, 1 + len(gains))
        for place, name in enumerate(names):
            left.plot(curve[:, 0] / 1e6, 100 * curve[:, 1 + place], marker="o", markersize=3, label=name)
        left.set(title="While training", xlabel="decisions (millions)", ylabel="games won against random play (%)", ylim=(0, 100))
        left.legend()
        for axes, (others, rows) in zip(right, gains.items(), strict=True):
            places = np.arange(len(rows))
            for shift, part, label in ((-0.2, "usual", others), (0.2, "trained", "trained")):
                heights = [100 * getattr(gain, part) for gain in rows]
                halves = [getattr(gain, f"{part}_error") for gain in rows]
                errors = [100 * half if math.isfinite(half) else 0.0 for half in halves]
                axes.bar(places + shift, heights, 0.4, yerr=errors, capsize=3, label=label)
            axes.set(title=f"After training, the other seats {others} (95% intervals)", xticks=places, ylim=(0, 100))
            axes.set_xticklabels([gain.group for gain in rows])
            axes.legend()
        figure.savefig(path, dpi=120)


@one_torch_thread()
def record_game(net: Net, config: GameConfig, *, seed: int, greedy: bool = True) -> Replay:
    """One game with the net in every seat, as a replay."""
    game = Game.new(replace(config, history=net.history), seed)
    game.agents = ("trained",) * config.num_players
    dice = None if greedy else torch.Generator().manual_seed(seed)
    while (seat := game.asking) is not None:
        observations, masks = game.observe(seat)[None], game.action_mask()[None]
        given = complete(net, observations, masks, Handles(game.records, np.array([seat]), game.config))
        game.act(int(choose_actions(net, given, masks, dice)[0]))
    return game.replay()
