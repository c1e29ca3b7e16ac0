"""Shisouroku on one core: random play against Danmaku!!'s, bots against an outside engine of the same rules, and whether the two agree.

    python benchmarks/shisoroku.py [--seconds 2] [--games 4000] [--agree]

Rounds alternate, ratios count. The outside engine is pyminion (`pip install pyminion==0.4.0`), a simulator of another published
deck-builder that shares many cards; the mapping between its names and our ids stands here and nowhere else. Without it these lines say
so. `--agree` plays ten pairs of menus in both engines, `--games` each, and prints by how many standard deviations they differ; it takes
some minutes.
"""

from __future__ import annotations

import argparse
import importlib.util
import math
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np

from benchmarks.machine import at_least, print_machine, span
from danmaku_env import Game, GameConfig, make_vec
from danmaku_env.engine import state as danmaku_state
from danmaku_env.estimates import half_width
from danmaku_env.game import resample_many
from danmaku_env.machine.records import RNG, as_bytes
from danmaku_env.sister import shisoroku
from danmaku_env.sister.shisoroku import SHISOROKU_SPEC, ShisorokuConfig, bots, tournament
from danmaku_env.sister.shisoroku.cards import box
from danmaku_env.sister.shisoroku.cards.tables import tables
from danmaku_env.sister.shisoroku.engine import batch, policy
from danmaku_env.sister.shisoroku.engine import state as st

ROUNDS = 5
THEIRS = {
    "eosd-17": "smithy", "eosd-08": "laboratory", "eosd-20": "village", "eosd-09": "market", "eosd-19": "festival",
    "eosd-18": "council_room",
    "eosd-06": "witch", "eosd-07": "militia", "eosd-11": "moat", "pcb-17": "harem", "pcb-11": "bridge", "eosd-04": "conspirator",
}  # fmt: skip
"""Our ids and the names of the same cards there."""
PAIRS = (
    ({"eosd-17": 1}, {}), ({"eosd-08": 4}, {}), ({"eosd-20": 2, "eosd-17": 2}, {}), ({"eosd-09": 4}, {"eosd-17": 1}),
    ({"eosd-19": 2, "eosd-17": 2}, {}), ({"eosd-18": 2}, {"eosd-17": 1}), ({"eosd-06": 2}, {}), ({"eosd-07": 1}, {"eosd-17": 1}),
    ({"eosd-06": 2}, {"eosd-11": 2}), ({"pcb-17": 3}, {"pcb-11": 2}),
)  # fmt: skip
"""Menus against each other, in both engines."""


def rounds(*contenders: Callable[[], float]) -> list[float]:
    """The median of each contender's rates, in turns."""
    found = [[contender() for contender in contenders] for _ in range(ROUNDS)]
    return [float(np.median(rates)) for rates in zip(*found, strict=True)]


def rate_of(step: Callable[[], int], seconds: float) -> float:
    """How much a second `step` does, which returns how much it did."""
    done, start = 0, time.perf_counter()
    while (spent := time.perf_counter() - start) < seconds:
        done += step()
    return done / spent


def random_play(config: Any, seconds: float) -> Callable[[], float]:
    """Decisions a second of random play in a batch, rows and masks included."""
    vec = make_vec(1024, config)
    vec.reset(0)
    for _ in range(400):
        vec.step(vec.sample())

    def step() -> int:
        vec.step(vec.sample())
        return vec.num_envs

    return lambda: rate_of(step, seconds / ROUNDS)


def started(games: int, seed: int) -> Any:
    """Games of the first kingdom."""
    records = SHISOROKU_SPEC.room_for(games)
    seeds = np.arange(seed, seed + games)
    batch.drive(tables(), ShisorokuConfig().settings(), records, as_bytes(records), seeds, np.zeros(games, np.int8), batch.START)
    return records


def money_games(seconds: float) -> Callable[[], float]:
    """Games a second of money against itself."""
    games, rng = 2048, np.ones(1, RNG)
    plans = np.zeros((games, st.SEATS, 2 * policy.PLAN_ROOM), np.int64)

    def step() -> int:
        records = started(games, step.seed)
        step.seed += games
        policy.play_out(tables(), records, plans, 1 << 20, rng)
        return games

    step.seed = 0
    return lambda: rate_of(step, seconds / ROUNDS)


def turns_to_four(menu: dict[str, int], games: int) -> tuple[float, float]:
    """Mean turns of a bot alone until it owns its fourth 6-VP card, and half of its 99 % interval."""
    plans = np.zeros((games, st.SEATS, 2 * policy.PLAN_ROOM), np.int64)
    plans[:, 0], plans[:, 1:, 0] = bots.plan_of(menu), policy.IDLE
    turns = np.zeros(games, np.int64)
    policy.turns_to_points(tables(), started(games, 0), plans, 4, turns)
    return float(turns.mean()), half_width(float(turns.std()) / math.sqrt(games), 0.99)


# ---------------------------------------------------------------- the outside engine


def _decider(menu: dict[str, int]) -> Any:
    """Our menu bot in the outside engine: the same purchases, actions and discards (engine/policy.py)."""
    from pyminion.bots.bot import BotDecider

    plan = {THEIRS[name].replace("_", " ").title(): (copies, box.CARDS[box.NUMBERS[name]].cost) for name, copies in menu.items()}
    ours = {there.replace("_", " ").title(): box.NUMBERS[name] for name, there in THEIRS.items()}
    money = {"Province": (1000, 8), "Gold": (160, 6), "Silver": (130, 3)}

    def keep(card: Any) -> int:
        kinds = {kind.name.upper() for kind in card.type}
        if "CURSE" in kinds:
            return -10
        if not kinds & {"ACTION", "TREASURE"}:
            return 0
        actions = int(tables()["gives"][0, ours[card.name], 1]) if card.name in ours else 0
        return 10 if card.name == "Copper" else 20 + 10 * card._cost + actions

    class Decider(BotDecider):
        def action_phase_decision(self, valid_actions: Any, player: Any, game: Any) -> Any:
            def worth(card: Any) -> int:
                cards, actions = (int(number) for number in tables()["gives"][0, ours[card.name]])
                return 100 * min(actions, 2) + 10 * card._cost + cards

            return max(sorted(valid_actions, key=lambda card: ours[card.name]), key=worth, default=None)

        def buy_phase_decision(self, valid_cards: Any, player: Any, game: Any) -> Any:
            owned = [card.name for card in player.get_all_cards()]
            left = game.supply.pile_length("Province")

            def wish(card: Any) -> int:
                if card.name in plan and owned.count(card.name) < plan[card.name][0]:
                    return 105 + 10 * plan[card.name][1]
                if card.name in ("Duchy", "Estate"):
                    return (500 if left <= policy.LATE else 0) if card.name == "Duchy" else 20 if left <= policy.VERY_LATE else 0
                return money.get(card.name, (0, 0))[0]

            best = max(valid_cards, key=wish, default=None)
            return best if best is not None and wish(best) > 0 else None

        def discard_decision(
            self, prompt: str, card: Any, valid_cards: Any, player: Any, game: Any, min_num_discard: int = 0, **_: Any
        ) -> Any:
            return sorted(valid_cards, key=keep)[:min_num_discard]

    return Decider()


def their_games(first: dict[str, int], second: dict[str, int], games: int) -> tuple[float, float]:
    """(share won by the first, a tie as half; games a second) in the outside engine, who begins drawn for each game."""
    import logging

    from pyminion.bots.bot import Bot
    from pyminion.expansions import base, intrigue
    from pyminion.game import Game as TheirGame

    logging.getLogger().setLevel(logging.CRITICAL)
    named = [THEIRS[name] for name in dict.fromkeys([*first, *second])]
    kingdom = [getattr(base, name, None) or getattr(intrigue, name) for name in named]
    usual = (base.smithy, base.village, base.moat, base.market, base.militia, base.festival, base.laboratory, base.witch, base.cellar)
    kingdom += [card for card in (*usual, base.chapel, base.workshop, base.gardens) if card not in kingdom][: 10 - len(kingdom)]
    won, start = 0.0, time.perf_counter()
    for seed in range(games):
        random.seed(seed)
        players = [Bot(_decider(first), "first"), Bot(_decider(second), "second")]
        result = TheirGame(players, [base.base_set, intrigue.intrigue_set], kingdom, log_stdout=False).play()
        names = [player.player_id for player in result.winners]
        won += ("first" in names) / len(names)
    return won / games, games / (time.perf_counter() - start)


def our_games(first: dict[str, int], second: dict[str, int], games: int) -> float:
    """The same here: the share won by the first, each seat half of the games."""
    kingdom = [*dict.fromkeys([*first, *second])]
    usual = (
        "eosd-17",
        "eosd-20",
        "eosd-11",
        "eosd-09",
        "eosd-07",
        "eosd-19",
        "eosd-08",
        "eosd-06",
        "eosd-22",
        "pcb-21",
        "eosd-16",
        "eosd-10",
    )
    config = ShisorokuConfig(kingdom=[*kingdom, *(name for name in usual if name not in kingdom)][:10])
    won = []
    for shift in range(2):
        paid = tournament.play(config, [bots.MenuBot((first, second)[(seat + shift) % 2]) for seat in range(2)], np.arange(games // 2))
        won.append((1 + paid[:, shift]) / 2)
    return float(np.mean(won))


def agree(games: int) -> None:
    """Ten pairs of menus in both engines."""
    for first, second in PAIRS:
        ours, (theirs, _) = our_games(first, second, games), their_games(first, second, games)
        spread = math.sqrt(2 * max(ours * (1 - ours), theirs * (1 - theirs)) / games)
        print(f"{first} against {second or 'money'}: here {ours:.3f}, there {theirs:.3f}, {(ours - theirs) / spread:+.1f} sigma")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=span, default=2.0, help="of each contender")
    parser.add_argument("--games", type=at_least(100), default=4000, help="of each figure about bots")
    parser.add_argument("--agree", action="store_true", help="play ten pairs of menus in both engines")
    options = parser.parse_args()
    print_machine()
    theirs = importlib.util.find_spec("pyminion") is not None
    contenders = [
        random_play(GameConfig(num_players=6), options.seconds), random_play(ShisorokuConfig(), options.seconds),
        random_play(ShisorokuConfig(num_players=4, kingdom="random", sets=box.SETS), options.seconds),
    ]  # fmt: skip
    danmaku, two, four = rounds(*contenders)
    print(f"random play, decisions/s: Danmaku!! 6 seats {danmaku:,.0f}; 2 seats {two:,.0f} ({two / danmaku:.2f}), ", end="")
    print(f"4 seats of all sets {four:,.0f} ({four / danmaku:.2f})")
    print(f"record: play reads {st.READ_BYTES} bytes, log {st.STATE.itemsize - st.READ_BYTES}; row {SHISOROKU_SPEC.row_size} bytes")
    print_worlds(options.seconds)
    if theirs:
        here, there = rounds(money_games(options.seconds), lambda: their_games({}, {}, 60)[1])
        print(f"money against money, games/s: {here:,.0f}; pyminion {there:,.0f} ({here / there:.0f} times)")
    else:
        print(f"money against money, games/s: {rounds(money_games(options.seconds))[0]:,.0f}; no peer: pip install pyminion==0.4.0")
    for name, menu in (("money", {}), ("with eosd-17", {"eosd-17": 1})):
        mean, half = turns_to_four(menu, options.games)
        print(f"turns to the fourth 6-VP, {name}: {mean:.2f} ± {half:.2f}")
    print(f"that menu against money: {our_games({'eosd-17': 1}, {}, options.games):.3f} won, a tie as half")
    if options.agree and theirs:
        agree(options.games)


def print_worlds(seconds: float) -> None:
    """Worlds dealt anew, and records copied, a second, beside Danmaku!!'s."""
    mine = shisoroku.Game.new(ShisorokuConfig(num_players=4), 1)
    other = Game.new(6, 1)

    def dealt(deal: Callable[..., Any], game: Any) -> Callable[[], float]:
        return lambda: rate_of(lambda: len(deal(game, game.asking, 2000, 1)), seconds / ROUNDS)

    def copied(dtype: Any, read: int) -> Callable[[], float]:
        source, target = np.zeros(1024, dtype).view(np.uint8).reshape(1024, -1), np.zeros((1024, dtype.itemsize), np.uint8)

        def step() -> int:
            target[:, :read] = source[:, :read]
            return 1024

        return lambda: rate_of(step, seconds / ROUNDS)

    here, there = rounds(dealt(shisoroku.resample_many, mine), dealt(resample_many, other))
    print(f"worlds dealt anew a second: {here:,.0f} at 4 seats; Danmaku!! at 6 {there:,.0f} ({here / there:.2f})")
    here, there = rounds(copied(st.STATE, st.READ_BYTES), copied(danmaku_state.STATE, danmaku_state.PLAY_BYTES))
    print(f"records copied a second: {here:,.0f}; Danmaku!!'s {there:,.0f} ({here / there:.2f})")


if __name__ == "__main__":
    main()
