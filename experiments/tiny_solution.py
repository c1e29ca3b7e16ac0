"""A game smaller than Tiny-v0, solved: every deal, every line of play, and what each player could still gain by playing otherwise.

    python experiments/tiny_solution.py [--iterations 500]

The table is Tiny-v0 with fewer Shoots, all of one season, and one life and one card for everybody, cut off after few turns. Its cards are
all alike, so no shuffle and no draw is an outcome of chance: the deal of the roles is the only one, and `every_deal` lists it. `grow`
writes out every line of play; for other decks it stops with a ValueError where the generator of the game has moved after the deal.
Counterfactual regret minimisation (CFR+) makes a profile, and best responses over the whole tree say, exactly up to rounding, what each
player gains at most by deviating alone. Their sum is *NashConv*; 0 would be a Nash equilibrium. There are three factions, so no two-team
theorem holds: nothing here says that the game has one value, and CFR promises no more than a coarse correlated equilibrium.

The result is experiments/tiny_solution.json, with the whole profile of the smallest table, and the page beside it. OpenSpiel is asked for
the NashConv of uniform play there, too (`pip install 'danmaku-env[openspiel]'`).
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import json
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np

from danmaku_env import GameConfig
from danmaku_env.danmaku import DANMAKU_SPEC
from danmaku_env.game import Game, every_deal, histories, write_atomically
from danmaku_env.game.deals import Deals
from danmaku_env.machine.records import OK, RUNNING, WON, Array
from danmaku_env.named_tables import NAMED_TABLES

_AT_ONCE = 64
"""Deals whose lines of play are written out side by side."""


# ---------------------------------------------------------------- every line of play


@dataclass(frozen=True)
class Tree:
    """All histories of a game: nodes by depth, those of a parent beside each other; and the information sets they belong to.

    A *slot* is an answer in an information set: a profile is an array [slots] of probabilities.
    """

    players: int
    levels: tuple[slice, ...]
    """Nodes of each depth; the first are the deals."""
    chance: Array
    """[n] probability of the deal."""
    parent: Array
    """[n] -1 for deals."""
    slot: Array
    """[n] the answer that led here, -1 for deals."""
    infoset: Array
    """[n] the information set of the player who is asked, -1 where the game is over."""
    payoff: Array
    """[n, players] what it pays where it is over, else 0."""
    owner: Array
    """[infosets] the seat that is asked."""
    asked_before: Array
    """[infosets] decisions that this seat took before."""
    first_slot: Array
    """[infosets + 1] where the slots of each begin."""
    actions: Array
    """[slots] numbers of docs/actions.md."""

    @property
    def sizes(self) -> dict[str, int]:
        """How large it is."""
        over = int((self.infoset < 0).sum())
        counts = {"deals": self.levels[0].stop, "histories": len(self.parent), "endings": over}
        return counts | {"information sets": len(self.owner), "answers in them": len(self.actions)}

    def of_infosets(self, of_slots: Array) -> Array:
        """[infosets] sums over the slots of each."""
        sums: Array = np.add.reduceat(of_slots, self.first_slot[:-1])
        return sums

    def of_slots(self, of_infosets: Array) -> Array:
        """[slots] the value of each slot's information set."""
        return np.repeat(of_infosets, np.diff(self.first_slot))

    def uniform(self) -> Array:
        """[slots] the profile in which all answers are as likely."""
        return self.of_slots(1.0 / np.diff(self.first_slot))


class _Infosets:
    """What players know when they are asked: their own last decision and answer, and all they see and remember of the table.

    The first makes recall perfect by construction; the second is what the OpenSpiel adapter digests too.
    """

    def __init__(self) -> None:
        self.found: dict[tuple[int, int, bytes], int] = {}
        self.owner: list[int] = []
        self.asked_before: list[int] = []
        self.first_slot = [0]
        self.actions: list[int] = []
        self.of_slot: list[int] = []

    def number(self, seat: int, last: int, seen: bytes, legal: list[int]) -> int:
        """The information set of a position; `last` is the slot of the seat's last answer, -1 before the first."""
        key = seat, last, seen
        number = self.found.setdefault(key, len(self.found))
        if number == len(self.owner):
            self.owner.append(seat)
            self.asked_before.append(0 if last < 0 else self.asked_before[self.of_slot[last]] + 1)
            self.actions += legal
            self.of_slot += [number] * len(legal)
            self.first_slot.append(len(self.actions))
        elif legal != self.actions[self.first_slot[number] : self.first_slot[number + 1]]:
            raise AssertionError("a player could tell two positions apart by what is legal in them")
        return number


def grow(config: GameConfig, deals: Deals | None = None) -> Tree:
    """Every line of play of every deal, or of these. Raises ValueError where chance has a say after the deal."""
    deals, infosets = deals or every_deal(config), _Infosets()
    parts: list[tuple[Array, ...]] = []
    count = 0
    for low in range(0, len(deals.seeds), _AT_ONCE):
        some = slice(low, low + _AT_ONCE)
        for part in _lines(config, Deals(deals.seeds[some], deals.chances[some], deals.alike), infosets, count):
            parts.append(part)
            count += len(part[0])
    depth, chance, parent, slot, infoset, payoff = (np.concatenate(column) for column in zip(*parts, strict=True))
    order = np.argsort(depth, kind="stable")
    place: Array = np.empty(count + 1, np.int64)
    place[order], place[-1] = np.arange(count), -1
    ends = np.searchsorted(depth[order], np.arange(depth.max() + 2))
    levels = tuple(slice(int(low), int(high)) for low, high in itertools.pairwise(ends))
    columns = (np.array(column) for column in (infosets.owner, infosets.asked_before, infosets.first_slot, infosets.actions))
    nodes = chance[order], place[parent[order]], slot[order], infoset[order], payoff[order]
    return Tree(config.num_players, levels, *nodes, *columns)


def _lines(config: GameConfig, deals: Deals, infosets: _Infosets, first: int) -> Iterator[tuple[Array, ...]]:
    """Depth by depth: depth, chance, parent, slot, infoset and payoff of the nodes of some deals, numbered from `first` on."""
    seeds, chances, alike = deals
    games, depth = _driven(config, DANMAKU_SPEC.room_for(len(seeds)), seeds, DANMAKU_SPEC.entries.start), 0
    chance, parent, slot = chances, np.full(len(seeds), -1), np.full(len(seeds), -1)
    last: Array = np.full((len(seeds), config.num_players), -1)
    rng = games["rng"].copy()
    while len(games):
        if not alike and (games["rng"] != rng).any():
            raise ValueError("cards were shuffled or drawn at random after the deal: have more cards or fewer turns")
        infoset, legal = _asked(games, last, infosets)
        seats = np.arange(config.num_players)
        won = (games["winners"].astype(np.int64)[:, None] >> seats & 1) * 2 - 1
        payoff = np.where((games["outcome"] == WON)[:, None], won, 0).astype(np.float64)
        yield np.full(len(games), depth), chance, parent, slot, infoset, payoff
        rows = np.repeat(np.arange(len(games)), [len(answers) for answers in legal])
        answers: Array = np.array([answer for some in legal for answer in some], np.int64)
        within = np.arange(len(rows)) - np.searchsorted(rows, rows)
        slot = np.array(infosets.first_slot)[infoset[rows]] + within if len(rows) else rows
        chance, parent, last, rng = chance[rows], first + rows, last[rows], games["rng"][rows]
        last[np.arange(len(rows)), games["asking"][rows]] = slot
        first, depth = first + len(games), depth + 1
        copies = DANMAKU_SPEC.as_bytes(games)[rows].view(DANMAKU_SPEC.record).reshape(-1)
        games = _driven(config, copies, answers, DANMAKU_SPEC.entries.answer)


def _driven(config: GameConfig, games: Array, inputs: Array, mode: int) -> Array:
    """The games, begun or answered, at their next questions or over."""
    status: Array = np.zeros(len(games), np.int8)
    entries = DANMAKU_SPEC.entries
    entries.compile_once()
    entries.drive(entries.tables(), config.settings(), games, DANMAKU_SPEC.as_bytes(games), inputs.astype(np.int64), status, mode)
    assert (status == OK).all()
    assert (games["status"] == OK).all()
    return games


def _asked(games: Array, last: Array, infosets: _Infosets) -> tuple[Array, list[list[int]]]:
    """[k] the information set of whoever is asked, -1 where nobody is; and the legal answers of each game."""
    found: Array = np.full(len(games), -1)
    legal: list[list[int]] = [[] for _ in games]
    places = np.flatnonzero(games["outcome"] == RUNNING)
    if not len(places):
        return found, legal
    asked = np.ascontiguousarray(games[places])
    seats = asked["asking"].astype(np.int64)
    rows: Array = np.zeros((len(places), DANMAKU_SPEC.row_size), np.uint8)
    masks: Array = np.zeros((len(places), DANMAKU_SPEC.num_actions), np.uint8)
    DANMAKU_SPEC.entries.observe_rows(DANMAKU_SPEC.entries.tables(), asked, seats, rows)
    DANMAKU_SPEC.entries.mask_rows(asked, masks)
    remembered = histories(asked, seats, asked["log"].shape[1]).reshape(len(places), -1)
    for number, place in enumerate(places):
        seen = hashlib.blake2b(rows[number].tobytes() + remembered[number].tobytes(), digest_size=16).digest()
        legal[place] = np.flatnonzero(masks[number]).tolist()
        seat = int(seats[number])
        found[place] = infosets.number(seat, int(last[place, seat]), seen, legal[place])
    return found, legal


# ---------------------------------------------------------------- profiles and best responses


class Solver:
    """Values, best responses and CFR+ over a tree, all players at once."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self._asked = np.flatnonzero(tree.infoset >= 0)
        self._answered = np.arange(tree.levels[0].stop, len(tree.parent))
        """Nodes that an answer led to."""
        self._actor = tree.owner[tree.infoset[tree.parent[self._answered]]]
        """[answered] whose answer it was."""
        self._deals = tree.levels[0].stop
        self._steps = [self._step(level) for level in tree.levels[1:]]
        self._some_node: Array = np.zeros(len(tree.owner), np.int64)
        self._some_node[tree.infoset[self._asked]] = self._asked

    def _step(self, level: slice) -> tuple[slice, Array, Array, Array]:
        """Nodes of a depth, their parents, the distinct parents, and where the children of each begin."""
        parents = self.tree.parent[level]
        distinct, starts = np.unique(parents, return_index=True)
        return level, parents, distinct, starts

    def values(self, profile: Array) -> Array:
        """[n, players] what each node is worth to each player."""
        worth = self.tree.payoff.copy()
        for level, _, distinct, starts in reversed(self._steps):
            worth[distinct] = np.add.reduceat(worth[level] * profile[self.tree.slot[level], None], starts)
        return worth

    def payoffs(self, profile: Array) -> Array:
        """[players] what the profile pays each seat."""
        paid: Array = self.tree.chance[: self._deals] @ self.values(profile)[: self._deals]
        return paid

    def _own_reach(self, profile: Array) -> Array:
        """[n, players] the part that each player's own answers have in getting there."""
        reach = np.ones((len(self.tree.parent), self.tree.players))
        for level, parents, _, _ in self._steps:
            reach[level] = reach[parents]
            actors = self._actor[level.start - self._deals : level.stop - self._deals]
            reach[np.arange(level.start, level.stop), actors] *= profile[self.tree.slot[level]]
        return reach

    def _of_others(self, reach: Array, player: Array | int) -> Array:
        """[answered] the part that chance and the others than `player` have in getting to the parent."""
        before = reach[self.tree.parent[self._answered]].copy()
        before[np.arange(len(before)), player] = 1.0
        part: Array = self.tree.chance[self._answered] * before.prod(1)
        return part

    def best_response(self, profile: Array, player: int) -> float:
        """What the player gets by the best answers to the others' part of the profile, who go on as they are.

        Its decisions are settled from the last to the first: an information set is worth what its best answer brings over all the
        positions that cannot be told apart, weighed by how likely the others and chance make them.
        """
        tree, best = self.tree, profile.copy()
        weight = self._of_others(self._own_reach(profile), player)
        mine = tree.owner == player
        for asked_before in range(int(tree.asked_before[mine].max()), -1, -1):
            worth = self.values(best)[self._answered, player]
            brings = np.bincount(tree.slot[self._answered], weight * worth, len(tree.actions))
            for infoset in np.flatnonzero(mine & (tree.asked_before == asked_before)):
                slots = slice(tree.first_slot[infoset], tree.first_slot[infoset + 1])
                best[slots] = 0
                best[slots.start + int(brings[slots].argmax())] = 1
        return float(self.payoffs(best)[player])

    def gains(self, profile: Array) -> Array:
        """[players] what each gains at most by deviating alone; their sum is NashConv."""
        responses = [self.best_response(profile, player) for player in range(self.tree.players)]
        return np.array(responses) - self.payoffs(profile)

    def solve(self, iterations: int) -> Array:
        """[slots] the average profile of CFR+: regret matching plus, all players at once, iterations weighed by their number."""
        tree = self.tree
        regrets, total, profile = np.zeros(len(tree.actions)), np.zeros(len(tree.actions)), tree.uniform()
        for iteration in range(1, iterations + 1):
            reach, worth = self._own_reach(profile), self.values(profile)
            gained = self._of_others(reach, self._actor) * worth[self._answered, self._actor]
            brings = np.bincount(tree.slot[self._answered], gained, len(tree.actions))
            regrets = np.maximum(regrets + brings - tree.of_slots(tree.of_infosets(profile * brings)), 0)
            total += iteration * tree.of_slots(reach[self._some_node, tree.owner]) * profile
            profile = self._shares(regrets)
        return self._shares(total)

    def _shares(self, weights: Array) -> Array:
        """[slots] the weights as probabilities, all alike where an information set has none."""
        sums = self.tree.of_slots(self.tree.of_infosets(weights))
        return np.where(sums > 0, weights / np.where(sums > 0, sums, 1), self.tree.uniform())


# ---------------------------------------------------------------- what is published

HERE = Path(__file__).resolve().parent
RESULT, PAGE = HERE / "tiny_solution.json", HERE / "tiny_solution.md"
TURNS = (2, 4, 6)
"""After how many turns the game is cut off; the profile of the first is published whole."""
_DIGITS = 6


def table(turns: int) -> GameConfig:
    """The table: as Tiny-v0, with six Shoots, all of one season, one life and one card each."""
    options = {**NAMED_TABLES["Tiny-v0"], "deck": {"shoot/autumn": 6}, "life": 1, "hand": 1}
    return GameConfig(**options, max_turns=turns)


def solved(turns: int, iterations: int) -> tuple[dict[str, Any], Array]:
    """The numbers of one table, and the profile they are of."""
    start = time.process_time()
    tree = grow(table(turns))
    solver, uniform = Solver(tree), tree.uniform()
    profile = np.round(solver.solve(iterations), _DIGITS)
    profile /= tree.of_slots(tree.of_infosets(profile))
    over = tree.infoset < 0
    found = {
        "max_turns": turns, **tree.sizes, "cut off": int((tree.payoff[over] == 0).all(1).sum()),
        "NashConv of uniform play": float(solver.gains(uniform).sum()), "iterations": iterations,
        "NashConv": float(solver.gains(profile).sum()), "gains": solver.gains(profile).tolist(),
        "by role, uniform play": by_role(tree, solver, uniform), "by role": by_role(tree, solver, profile),
        "processor_seconds": round(time.process_time() - start, 1),
    }  # fmt: skip
    return found, profile


def by_role(tree: Tree, solver: Solver, profile: Array) -> dict[str, float]:
    """What the profile pays whoever has a role, the mean over the deals."""
    deals = every_deal(table(1))
    worth, paid = solver.values(profile)[tree.levels[0]], dict.fromkeys(("heroine", "stage_boss", "ex_boss"), 0.0)
    seats = dict.fromkeys(paid, 0.0)
    for deal, (seed, chance) in enumerate(zip(deals.seeds, deals.chances, strict=True)):
        for seat in Game.new(table(1), int(seed)).seats:
            paid[seat.role] += chance * worth[deal, seat.index]
            seats[seat.role] += chance
    return {role: paid[role] / seats[role] for role in paid}


def openspiel_nash_conv(turns: int) -> float:
    """What OpenSpiel says of uniform play, through the adapter."""
    import pyspiel
    from open_spiel.python import policy
    from open_spiel.python.algorithms import exploitability

    from danmaku_env.envs import openspiel

    small = {"deck": "shoot/autumn=6", "incidents": "none", "life": 1, "hand": 1, "max_turns": turns, "every_deal": True}
    game = pyspiel.load_game(openspiel.SHORT_NAME, {"players": 4, "roles": "basic", "characters": "none", **small})
    return float(exploitability.nash_conv(game, policy.UniformRandomPolicy(game)))


def page(result: dict[str, Any]) -> str:
    """The result as Markdown."""
    rows = [
        f"| {one['max_turns']} | {one['histories']:,} | {one['endings']:,} | {one['cut off']:,} | {one['information sets']:,} "
        f"| {one['NashConv of uniform play']:.4f} | {one['NashConv']:.1e} | {_roles(one['by role, uniform play'])} "
        f"| {_roles(one['by role'])} |"
        for one in result["tables"]
    ]
    return f"""<!-- generated by `python experiments/tiny_solution.py`; do not edit -->

# A game smaller than Tiny-v0, solved

Tiny-v0 with six Shoots of one season, one life and one card each, cut off after a few turns. All cards are alike, so the deal of the roles is the
only chance there is: {result["tables"][0]["deals"]} deals, each listed with its probability. Everything else follows from the answers.

| turns | histories | endings | of them cut off | information sets | NashConv, uniform play | NashConv | reward of Heroine, Stage Boss, EX Boss: uniform play | solved |
|---|---|---|---|---|---|---|---|---|
{chr(10).join(rows)}

*NashConv* is what the four players gain at most by deviating alone, added up; each gain is a best response over the whole tree, exact up to
rounding. Recall is perfect: an information set is a player's own decisions and answers and all it sees and remembers of the table. The profile is
the average of {result["tables"][0]["iterations"]:,} iterations of CFR+, all players at once, rounded to {_DIGITS} digits. Three factions play, so
there is no theorem of two teams, and no value of the game: this is one profile from which nobody gains more than the number says. CFR by itself
promises only a coarse correlated equilibrium; that the average comes this near to a Nash equilibrium is measured, not promised.

OpenSpiel's `nash_conv` of uniform play, through `python_danmaku` with `every_deal`, is {result["openspiel"]:.12f} for {TURNS[0]} turns, and ours
{result["tables"][0]["NashConv of uniform play"]:.12f}. The whole profile of {TURNS[0]} turns is in tiny_solution.json; a test works its NashConv out anew.
"""  # noqa: E501


def _roles(paid: dict[str, float]) -> str:
    return ", ".join(f"{value:+.3f}" for value in paid.values())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--iterations", type=int, default=500)
    given = parser.parse_args()
    tables, profiles = [], []
    for turns in TURNS:
        found, profile = solved(turns, given.iterations)
        tables.append(found)
        profiles.append(profile)
        print(json.dumps(found))
    result = {
        "table": table(TURNS[0]).to_dict(),
        "tables": tables,
        "openspiel": openspiel_nash_conv(TURNS[0]),
        "profile": profiles[0].tolist(),
    }
    write_atomically(RESULT, json.dumps(result).encode() + b"\n")
    write_atomically(PAGE, page(result).encode())


if __name__ == "__main__":
    main()
