"""What a run of training ends with: how much the net wins by role group, a plot, a replay and a tournament."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from danmaku_env.agents.checkpoints import CHECKPOINT
from danmaku_env.agents.nets import Net
from danmaku_env.arena.folders import first_free
from danmaku_env.arena.roles import group_names
from danmaku_env.arena.terminal import Terminal
from danmaku_env.arena.tournaments import tournament
from danmaku_env.arena.tournaments.plan import Plan
from danmaku_env.training import evaluate

if TYPE_CHECKING:
    from danmaku_env.training.ppo_selfplay import Args


def report(args: Args, net: Net, curve: Sequence[Sequence[float]]) -> dict[str, list[evaluate.Gain]]:
    """Measure the net of a run against each of `evaluate.MEASURED_AGAINST`; write plot and replay; hold the tournament; print tables.

    `curve` are the points of its learning curve. Returns the gains by role group for each of the others. Raises ArenaError when the
    tournament cannot be held.
    """
    console = Terminal()
    config = args.config()
    gains = measure(args, net)
    for others, rows in gains.items():
        table = f"{args.players} players, seed {args.seed}, 95% intervals"
        title = f"Games won in the seats of a role group, all other seats {others} ({table})"
        console.print(evaluate.gains_table(rows, title))
    if args.tournament_deals:
        hold_tournament(args, console)
    plot, replay = args.folder / "learning.png", args.folder / "replay.json"
    names = group_names(config)
    evaluate.save_plot(plot, gains, np.array(curve).reshape(-1, 1 + len(names)), names)
    evaluate.record_game(net, config, seed=evaluate.evaluation_seed(args.seed, 1)).save(replay)
    for what, path in (("checkpoint", args.folder / CHECKPOINT), ("plot", plot), ("replay", replay), ("log", args.folder)):
        console.print(f"{what:>10}  {path}", soft_wrap=True)
    return gains


def measure(args: Args, net: Net) -> dict[str, list[evaluate.Gain]]:
    """The net's gains by role group over each of `evaluate.MEASURED_AGAINST`."""
    config = args.config()
    runs = len(evaluate.MEASURED_AGAINST) * (1 + len(group_names(config)))
    with Progress(TextColumn("evaluating"), BarColumn(), TimeRemainingColumn(), console=Terminal(stderr=True)) as bar:
        task = bar.add_task("", total=args.final_games * runs)
        return {
            others: evaluate.gains_by_group(
                net, config, games=args.final_games, seed=evaluate.evaluation_seed(args.seed, 1), others=others, threads=args.threads,
                tick=lambda n: bar.advance(task, n),
            )
            for others in evaluate.MEASURED_AGAINST
        }  # fmt: skip


def hold_tournament(args: Args, console: Console) -> None:
    """The run's net against the others over the same deals; a new folder within the run's for each. Raises ArenaError."""
    games = args.config()
    plan = Plan(
        agents=(*evaluate.MEASURED_AGAINST, f"neural:{args.folder},greedy=yes"), players=(games.num_players,),
        roles="basic" if games.roles == "basic" else "advanced", expansion=games.expansion, bonus_character=games.bonus_character,
        deals=args.tournament_deals, seed=evaluate.evaluation_seed(args.seed, 2),
    )  # fmt: skip
    tournament.run(plan, out=first_free(args.folder / "tournament"), processes=args.threads, console=console)
