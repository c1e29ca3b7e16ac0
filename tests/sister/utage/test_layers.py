"""V-1: every pair of the layers in which values are worked out, in its order and the other way round.

The order is one line (`words.ORDER`), and the engine reads it as data. So each case is worked out twice: as it stands, and with its two
layers exchanged, which must give another value, or the same where a reason is given. Where no card of volume 1 tells two layers apart, a
filter of one is planted that does (`planted`), or an effect that lasts (`Scenario.lasting`).
"""

import itertools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

from danmaku_env.machine.records import RNG
from danmaku_env.sister.utage import Game, Scenario, UtageConfig, tournament
from danmaku_env.sister.utage.cards import box
from danmaku_env.sister.utage.cards import tables as tb
from danmaku_env.sister.utage.cards import words as w
from danmaku_env.sister.utage.cards.words import L_CLASSES, L_GRANTED, L_KEYWORDS, L_PRINTED, L_STATIC, L_TARGETS, L_UNTIL
from danmaku_env.sister.utage.engine import batch, policy
from danmaku_env.sister.utage.engine import state as st
from tests.sister.utage.table import PLAIN, act, battle, evs, keywords, until, values

REIMU, REMILIA = ({"team": {name: 4}, "leader": name} for name in ("Reimu", "Remilia"))
SHIKIGAMI = w.Filter(cls=w.SHIKIGAMI)
SPREAD = w.Filter(type=w.SPREAD)


def flags(bit):
    """Reads whether a spell of seat 0 has a flag."""
    return lambda game, card=PLAIN: bool(game.record["value_flags"][0, game.seat(0).find(card).place - 1] & bit)


safe, classed = flags(st.V_SAFE_FROM_EVENTS), flags(st.V_SHIKIGAMI)


def lasting(stat, amount, zero=None, attack=PLAIN, intercept=None):
    """A battle in which an effect lasts on the attacking spell."""
    scene = Scenario(ask_forced=True, ask_everyone=True)
    scene.seat(0, **{"active": [attack], **(zero or {})}).seat(1, active=[PLAIN] if intercept else [])
    game = until(scene.turn(0, "battle").lasting(0, attack, stat, amount).build(), "attack")
    act(game, f"choose {attack} at own")
    if game.question == "intercept":
        act(game, f"choose {PLAIN} at own" if intercept else "pass")
    return until(game, "act")


def planted(card, among, row=0):
    """The tables with another filter in a static text of a card, and the filter's number."""
    t = tb.tables().copy()
    number = int(t[0]["statics"][int(t[0]["span"][box.NUMBERS[card], 0]) + row, tb.S_FILTER])
    t[0]["filter"][number] = among
    return t, number


def safe_spells(among, zero, **last):
    """A battle with an 0712 that says "these own spells cannot be targeted" instead of "own Remilia supports"."""
    zero = {**REMILIA, "on_leader": ["0712"], **zero}
    game = lasting(last["stat"], last["amount"], zero) if last else battle(zero["active"][0], None, zero)
    return game, planted("0712", w.Filter(**{**among._asdict(), "side": w.OWN}))[0]


def for_all_shikigami():
    """A battle in which AV +2 lasts on whatever carries a shikigami."""
    game = lasting("AV", 2, attack="0504")
    t, number = planted("0712", SHIKIGAMI)
    record = game.records.copy()
    record["lasting"][0, 0, st.LA_SCOPE], record["lasting"][0, 0, st.LA_FILTER] = w.ALL, number
    return Game.from_trusted_record(record, game.config), t


class Case(NamedTuple):
    """Two layers, a battle in which they meet, and what is read of it: in their order, and exchanged."""

    first: int
    second: int
    scene: Callable[[], Any]
    read: Callable[[Any], Any]
    right: Any
    exchanged: Any
    alike: str = ""
    """Why the two may be exchanged, where they may."""


_BARRIER = {**REIMU, "scene": "0113"}
_NO_TEXT_READS_WHO_IS_SAFE = "who may be targeted is read where a target is chosen, and by no value"
CASES = (
    Case(L_PRINTED, L_TARGETS, lambda: battle(PLAIN, None, {"active": [PLAIN], "on": {PLAIN: "9001"}}), safe, True, False),
    Case(L_PRINTED, L_CLASSES, lambda: battle("0504"), lambda game: classed(game, "0504"), True, False),
    Case(L_PRINTED, L_STATIC, lambda: battle(PLAIN, None, {"active": [PLAIN], "on": {PLAIN: "0709"}}),
         lambda game: values(game, 0, PLAIN), (4, 1, 4), (3, 1, 4)),
    Case(L_PRINTED, L_GRANTED, lambda: battle("0101", PLAIN, _BARRIER), lambda game: keywords(game, 0, "0101"), {"protection": 1}, {}),
    Case(L_PRINTED, L_UNTIL, lambda: lasting("AV", 2), lambda game: values(game, 0, PLAIN), (5, 1, 4), (3, 1, 4)),
    Case(L_PRINTED, L_KEYWORDS, lambda: battle("0303", PLAIN), lambda game: values(game, 1, PLAIN), (2, 0, 4), (3, 1, 4)),
    # "own spells that carry a shikigami cannot be targeted": 0504 counts as one only after that has been asked
    Case(L_TARGETS, L_CLASSES, lambda: safe_spells(SHIKIGAMI, {"active": ["0504"]}), lambda game: safe(game, "0504"), False, True),
    # "own spread spells cannot be targeted": 0809 makes it spread later
    Case(L_TARGETS, L_STATIC, lambda: safe_spells(SPREAD, {"active": [PLAIN], "on": {PLAIN: "0809"}}), safe, False, True),
    Case(L_TARGETS, L_GRANTED, lambda: battle("0101", PLAIN, {**_BARRIER, "active": ["0101"], "on": {"0101": "9001"}}),
         lambda game: (safe(game, "0101"), keywords(game, 0, "0101")), (True, {"protection": 1}), (True, {"protection": 1}),
         _NO_TEXT_READS_WHO_IS_SAFE + "; and no filter asks for keywords"),
    Case(L_TARGETS, L_UNTIL, lambda: safe_spells(SPREAD, {"active": [PLAIN]}, stat="type", amount=w.SPREAD), safe, False, True),
    Case(L_TARGETS, L_KEYWORDS, lambda: battle(PLAIN, "0303", {"active": [PLAIN], "on": {PLAIN: "9001"}}),
         lambda game: (safe(game), values(game, 0, PLAIN)), (True, (2, 0, 4)), (True, (2, 0, 4)),
         _NO_TEXT_READS_WHO_IS_SAFE + "; and no filter asks for AV, IV or EV"),
    # "all spells that carry a shikigami HV +3": 0504 counts as one by then
    Case(L_CLASSES, L_STATIC, lambda: (battle("0504", None, {"scene": "0012"}), planted("0012", SHIKIGAMI)[0]),
         lambda game: values(game, 0, "0504"), (4, 2, 7), (4, 2, 4)),
    Case(L_CLASSES, L_GRANTED, lambda: (battle("0504", None, _BARRIER), planted("0113", SHIKIGAMI)[0]),
         lambda game: keywords(game, 0, "0504"), {"protection": 1}, {}),
    Case(L_CLASSES, L_UNTIL, for_all_shikigami, lambda game: values(game, 0, "0504"), (6, 2, 4), (4, 2, 4)),
    Case(L_CLASSES, L_KEYWORDS, lambda: battle("0504", "0303"), lambda game: (classed(game, "0504"), values(game, 0, "0504")),
         (True, (3, 1, 4)), (True, (3, 1, 4)), "keywords ask for no class, and give none"),
    # "all spread spells have protection(1)": 0809 has made it spread by then
    Case(L_STATIC, L_GRANTED,
         lambda: (battle(PLAIN, None, {**_BARRIER, "active": [PLAIN], "on": {PLAIN: "0809"}}), planted("0113", SPREAD)[0]),
         lambda game: keywords(game, 0, PLAIN), {"protection": 1}, {}),
    # of two changes of type the later holds (V-2)
    Case(L_STATIC, L_UNTIL, lambda: lasting("type", w.SPREAD, {"on": {PLAIN: "0209"}}), lambda game: game.seat(0).find(PLAIN).type,
         "spread", "concentrated"),
    # 0209 makes it concentrated, so the fast(1) of 0201 raises EV
    Case(L_STATIC, L_KEYWORDS, lambda: battle(PLAIN, "0201", {"active": [PLAIN], "on": {PLAIN: "0209"}}), evs, (3, 4), (3, 3)),
    Case(L_GRANTED, L_UNTIL, lambda: lasting("protection", 2, {**_BARRIER, "active": ["0101"]}, "0101", PLAIN),
         lambda game: (keywords(game, 0, "0101"), values(game, 1, PLAIN)), ({"protection": 3}, (0, -2, 4)), ({"protection": 3}, (0, -2, 4)),
         "equal keywords add up (V-2), and no filter asks for keywords"),
    Case(L_GRANTED, L_KEYWORDS, lambda: battle("0101", PLAIN, _BARRIER), lambda game: values(game, 1, PLAIN), (2, 0, 4), (3, 1, 4)),
    Case(L_UNTIL, L_KEYWORDS, lambda: lasting("protection", 1, intercept=PLAIN), lambda game: values(game, 1, PLAIN), (2, 0, 4), (3, 1, 4)),
)  # fmt: skip
PAIRS = list(itertools.combinations(w.ORDER, 2))


def worked_out(game, order, t=None):
    """The same position with its values worked out anew, the layers in another order."""
    t = (tb.tables() if t is None else t).copy()
    t["order"][0], record = order, game.records.copy()
    batch.work_out(t, record)
    return Game.from_trusted_record(record, game.config)


@pytest.mark.parametrize("case", CASES, ids=[f"{w.LAYERS[case.first]} - {w.LAYERS[case.second]}" for case in CASES])
def test_a_pair_of_layers(case):
    """V-1: the value that their order gives; exchanged, another, or the same for a reason."""
    scene = case.scene()
    game, t = scene if isinstance(scene, tuple) else (scene, None)
    assert case.read(worked_out(game, w.ORDER, t)) == case.right
    if t is None:
        assert case.read(game) == case.right  # the table that stands there says so too
    order = [case.second if layer == case.first else case.first if layer == case.second else layer for layer in w.ORDER]
    assert case.read(worked_out(game, order, t)) == case.exchanged
    assert (case.right == case.exchanged) == bool(case.alike)


def test_every_pair_of_layers_has_a_case():
    """V-1: in the order of the ruling; static texts know their layer."""
    assert [(case.first, case.second) for case in CASES] == PAIRS
    assert sorted(w.ORDER) == list(range(len(w.LAYERS)))
    layers = {w.layer_of(row.stat) for rows in box.STATICS.values() for row in rows}
    assert layers == {L_TARGETS, L_CLASSES, L_STATIC, L_GRANTED}


def test_what_of_the_order_the_cards_of_volume_1_tell():
    """V-1: in random play only that printed values come first and what keywords do comes after all that changes type and keywords."""
    games, rng = [], np.zeros(1, RNG)
    rng["rng"] = 1, 2, 3, 4
    for seed, decks in enumerate(itertools.product(("reimu4", "marisa4", "remilia3-sakuya1"), repeat=2)):
        played = tournament.begun(UtageConfig(decks=decks), np.arange(60 * seed, 60 * seed + 60))
        for _ in range(8):
            policy.play_out(tb.tables(), played, np.full((60, 2), policy.GREEDY), 17, rng)
            games.append(played[(played["phase"] == w.BATTLE) & (played["outcome"] == st.RUNNING)].copy())
    records = np.concatenate(games)
    both = (records["battling"] > 0).all(1)
    assert both.sum() > 100
    names = ("value_av", "value_iv", "value_hv", "value_type", "value_flags", "value_keyword", "value_ev")

    def told(order):
        t, again = tb.tables().copy(), records.copy()
        t["order"] = order
        batch.work_out(t, again)
        return np.concatenate([again[name].reshape(len(again), -1) for name in names], 1)

    right = told(w.ORDER)
    for middle in itertools.permutations(w.ORDER[1:-1]):
        assert (told((L_PRINTED, *middle, L_KEYWORDS)) == right).all()
    for layer in (L_GRANTED, L_UNTIL):  # types that change whom fast and slow help hardly come up by chance
        early = [one for one in w.ORDER if one != layer] + [layer]  # after what keywords do
        assert (told(early) != right).any(), w.LAYERS[layer]
