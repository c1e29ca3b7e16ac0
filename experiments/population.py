"""Make the population of nets that `strangers-v1` is played with, from runs of training: `python experiments/population.py NET [NET ...]`

Each NET is a checkpoint, or the folder of a run; the first becomes `population/1.safetensors`, and so on. Weights are rounded to half
precision, which `load_net` widens again. `population/README.md` has for every member how it was made and, measured here in half of the
seats with every deal played twice, its reward above random play and the heuristic, and whom it names (`--deals`, 6 players, advanced
roles). Without a NET the page is measured and written anew for the members that are there.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from danmaku_env import GameConfig
from danmaku_env.agents import population
from danmaku_env.agents.neural import NeuralAgent
from danmaku_env.arena.reports.tables import Column, Row, Table
from danmaku_env.game import write_atomically
from danmaku_env.nets.checkpoints import checkpoint_file, load_checkpoint, save_checkpoint
from danmaku_env.training.progress_report import measure
from danmaku_env.training.seeds import evaluation_seed

CONFIG = GameConfig(num_players=6)
KEPT = ("command", "decisions", "seconds", "teacher", "answers", "agreement", "curve")
HEAD = """# The population

Nets that play as `population:1` to `population:{last}` wherever an agent is named: the partners and opponents of the task
[`strangers-v1`](../docs/benchmark.md#strangers-v1). They are held out: no entry of that task may be trained with them, or be chosen by its
games with them. They lie outside the package; `danmaku bench run --population FOLDER` or the variable `DANMAKU_POPULATION` names another
folder.

Reward above random play and the heuristic in half of the seats each ({deals} deals, each played twice with the seats exchanged, 95 %), and
the share of choices that name the Heroine (by chance); likeliest answers. Made by `python experiments/population.py`.

"""
COLUMNS = (
    *map(Column, ("number", "above random play", "above the heuristic", "Stage Boss to the Heroine", "Partner to the Heroine")),
    Column("how it was made", number=False),
)


def kept(path: Path, number: int) -> None:
    """Keep a net as a member, in half precision, with what its checkpoint says of how it was made."""
    net, _, about = load_checkpoint(checkpoint_file(path))
    save_checkpoint(population.folder() / f"{number}.safetensors", net.half(), {}, {name: about[name] for name in KEPT if name in about})


def made(about: dict[str, Any]) -> str:
    """How a member was made, in words."""
    if "teacher" in about:
        return f"{about['answers'] / 1e6:.1f} million answers of the {about['teacher']} copied (experiments/clone_then_selfplay.py)"
    return f"`{about['command']}`, {about['decisions'] / 1e6:.1f} million decisions"


def row(number: int, deals: int) -> Row:
    """A row of the table."""
    path = population.member(str(number))
    point = measure(NeuralAgent(path), [CONFIG], evaluation_seed(2), deals)
    rewards = [f"{point[name]:+.2f} ± {point[f'{name} ±']:.2f}" for name in ("random", "heuristic")]
    shares = [
        f"{100 * point[f'{faction} to the Heroine']:.0f} % ({100 * point[f'{faction} to the Heroine by chance']:.0f} %)"
        for faction in ("Stage Boss", "Partner")
    ]
    return number, *rewards, *shares, made(load_checkpoint(path)[2])


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("nets", nargs="*", type=Path)
    parser.add_argument("--deals", type=int, default=300)
    given = parser.parse_args(argv)
    population.folder().mkdir(parents=True, exist_ok=True)
    for number, path in enumerate(given.nets, 1):
        kept(path, number)
    rows = [row(number, given.deals) for number in population.numbers()]
    page = HEAD.format(last=len(rows), deals=given.deals) + Table.of("", "", COLUMNS, rows).markdown()
    write_atomically(population.folder() / "README.md", page.encode())
    print(page)


if __name__ == "__main__":
    main()
