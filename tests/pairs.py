"""Every pair of characters meets at a table: `python -m tests.pairs` plays random games until each pair has had this number together.

    python -m tests.pairs                               every pair with a character of the expansion, 200 games each
    python -m tests.pairs --results pairs.jsonl         the same in several sittings: a table that the file has is not played again

Tables of eight are filled so that as many pairs as can be meet that have not met often enough. All games are played to the end and
watched: the record must stay possible throughout. A finding names the characters and the seed that brings it back.
"""

import argparse
import itertools
import json
import sys
from collections import Counter
from pathlib import Path

import numpy as np
from rich.progress import track

from danmaku_env import GameConfig, IllegalAction, make_vec
from danmaku_env.cards.box import BASE_GAME
from danmaku_env.engine import invariants
from danmaku_env.engine import state as st

SEATS = 8
ROWS = 50
"""Games of one table."""
LOOKS_EVERY = 25
"""Answers between two looks at a record, another row each time."""


def wanted(expansion):
    """The characters, and the pairs that are to meet: all of a box, or those with a character of the expansion."""
    base = [character.id for character in BASE_GAME.characters]
    more = [character.id for character in BASE_GAME.expansion.characters] if expansion == "lunatic_extra" else []
    pairs = itertools.combinations([*base, *more], 2)
    return [*base, *more], [pair for pair in pairs if not more or set(pair) & set(more)]


def fill(names, missing, rng):
    """Eight characters among whom many pairs are still to meet: each next one has most of them with those who sit there."""
    first = max(missing, key=lambda pair: (missing[pair], rng.random()))
    table = [*first]
    while len(table) < SEATS:
        left = [name for name in names if name not in table]
        table.append(max(left, key=lambda name: (sum(missing[pair_of(name, other)] > 0 for other in table), rng.random())))
    return table


def pair_of(one, other):
    return tuple(sorted((one, other)))


def play(table, expansion, seed):
    """Play ROWS games of a table to their ends; what was found, or None."""
    vec = make_vec(ROWS, GameConfig(num_players=SEATS, characters=table, expansion=expansion))
    vec.reset(seed=seed)
    over, step = np.zeros(ROWS, bool), 0
    while not over.all():
        try:
            vec.step(vec.sample())
        except IllegalAction as error:
            return f"a seat is asked that has no answer: {error}"
        over |= vec.dones
        step += 1
        if (vec.games["status"] != st.OK).any():
            return f"the machine stopped with status {vec.games['status'].max()}"
        if step % LOOKS_EVERY == 0:
            row = step // LOOKS_EVERY % ROWS
            if found := invariants.problem(vec.games[row]):
                return f"seed {vec.games['seed'][row]}, decision {vec.games['decisions'][row]}: {found}"
    return None


def played_before(file, expansion):
    """[(characters, finding)] of the tables in a file of results."""
    if file is None or not file.exists():
        return []
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    return [(row["characters"], row["found"]) for row in rows if row["expansion"] == expansion]


def study(expansion, games, seed, file=None):
    """Counts of games by pair, and findings. Each table is drawn with its own generator, so that a study goes on as it would have gone."""
    names, pairs = wanted(expansion)
    missing, played, findings = Counter({pair_of(*pair): games for pair in pairs}), Counter(), []
    before = iter(played_before(file, expansion))
    rounds = -(-games * len(pairs) // (ROWS * SEATS * (SEATS - 1) // 2))
    for number in track(itertools.count(), "tables", total=rounds, transient=True):
        if not any(left > 0 for left in missing.values()):
            break
        table, found = next(before, (None, None))
        if table is None:
            rng = np.random.default_rng((seed, number))
            table = fill(names, missing, rng)
            rng.shuffle(table)
            found = play(table, expansion, seed + number)
            if file is not None:
                with file.open("a", encoding="utf-8") as results:
                    print(json.dumps({"expansion": expansion, "characters": table, "seed": seed + number, "found": found}), file=results)
        if found:
            findings.append(f"{', '.join(table)}: {found}")
        for pair in itertools.combinations(sorted(table), 2):
            played[pair] += ROWS
            missing[pair] -= ROWS
    return {pair_of(*pair): played[pair_of(*pair)] for pair in pairs}, findings


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--expansion", choices=("none", "lunatic_extra"), default="lunatic_extra")
    parser.add_argument("--games", type=int, default=200, help="games of every pair, at least")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--results", type=Path, metavar="FILE", help="keep what was found, and go on from there")
    options = parser.parse_args()
    played, findings = study(options.expansion, options.games, options.seed, options.results)
    print(f"{len(played)} pairs, each together in {min(played.values())} games or more; {len(findings)} findings")
    for finding in findings:
        print(finding)
    return int(bool(findings))


if __name__ == "__main__":
    sys.exit(main())
