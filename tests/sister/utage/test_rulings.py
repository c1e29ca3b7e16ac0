"""Rulings and statements of the rules (u1 to u42), and the toml's `[[rule]]`s, that no single card shows; the docstrings cite them."""

import re
from collections import Counter
from pathlib import Path

import pytest

from danmaku_env.sister.utage import ConfigError, Deck, Game, Scenario, UtageConfig, decode, resample
from danmaku_env.sister.utage.cards import box
from danmaku_env.sister.utage.cards import words as w
from danmaku_env.sister.utage.cards.tables import tables
from danmaku_env.sister.utage.config import STANDARD
from danmaku_env.sister.utage.engine import batch
from danmaku_env.sister.utage.engine import state as st
from tests.sister.utage.table import CONCENTRATED, PLAIN, SPREAD, act, battle, evs, keywords, over, table, until, values, where

HERE = Path(__file__).parent
REIMU, MARISA, SAKUYA, YOUMU, YUKARI, ALICE, REMILIA, YUYUKO = (
    {"team": {name: 4}, "leader": name} for name in ("Reimu", "Marisa", "Sakuya", "Youmu", "Yukari", "Alice", "Remilia", "Yuyuko")
)
LOUD = {"ask_forced": True, "ask_everyone": True}


# ---------------------------------------------------------------- S: set-up and decks


def test_a_deck():
    """S-1, S-2, S-8, deck-check (u1, u2, u3): four characters, 40 other cards, three of one name at most; our three decks are such."""
    assert {name: (sum(deck.team.values()), sum(deck.cards.values()), max(deck.cards.values())) for name, deck in STANDARD.items()} == {
        "reimu4": (4, 40, 3), "marisa4": (4, 40, 3), "remilia3-sakuya1": (4, 40, 3),
    }  # fmt: skip
    kinds = Counter(box.CARDS[box.NUMBERS[name]].kind for name, copies in STANDARD["reimu4"].cards.items() for _ in range(copies))
    assert kinds == {w.SPELL: 19, w.SUPPORT: 9, w.EVENT: 12}
    for wrong in ({"0101": 4}, {"0101": 3}, {"0100": 1, "0101": 2}):
        with pytest.raises(ConfigError):
            Deck({"Reimu": 4}, wrong)


def test_a_card_whose_requirement_cannot_be_met():
    """S-2, S-3 (u4, u36): it may be in the deck and can never be played; all four characters count, the leader's ability alone is used."""
    cards = {**STANDARD["reimu4"].cards, "0101": 1, "0207": 2}
    deck = Deck({"Reimu": 4}, cards)
    assert deck.warnings() == ["0207 can never be played: it requires Marisa 3"]
    team = {"team": {"Remilia": 3, "Sakuya": 1}, "leader": "Remilia"}
    game = table({**team, "hand": ["0302", "0308", "0701"]}, **LOUD)
    assert game.legal() == ["pass", "play 0302", "play 0701"]  # 0308 requires Sakuya 3
    assert evs(battle(PLAIN, PLAIN, {**team, "sp": 9})) == (3, 3)
    used = act(battle(PLAIN, None, {**team, "sp": 9}), "use leader", f"choose {PLAIN}")
    assert values(used, 0, PLAIN)[0] == 4  # Remilia's, not Sakuya's


def test_set_up():
    """S-4, S-5, S-7, H-5, official-setup-order (u5, u6, u8): leaders are named unseen, then hands of six are drawn and the dice say who
    attacks.
    """
    game = Game.new(UtageConfig(decks=("remilia3-sakuya1", "remilia3-sakuya1")), 3)
    assert (game.question, game.asking, game.legal()) == ("leader", 0, ["choose 1: Sakuya", "choose 2: Remilia"])
    assert game.seat(0).hand == {}
    act(game, "choose 1")
    assert decode(game.observe(1))["leader"].tolist() == [0, 0]
    worlds = {resample(game, 1, seed).seat(0).leader for seed in range(30)}
    assert worlds == {"Remilia", "Sakuya"}
    act(game, "choose 2")
    assert (game.seat(0).leader, game.seat(0).hp, game.seat(1).hp, game.seat(0).sp) == ("Sakuya", 20, 18, 0)
    assert [sum(seat.hand.values()) for seat in game.seats][1 - game.attacker] == 6
    assert Game.new(seed=1).question != "leader"  # four of one character leave nothing to name
    assert {Game.new(seed=seed).record["first"].item() for seed in range(12)} == {0, 1}


def test_mulligan():
    """S-6, mulligan (u7): a hand without a spell may be shown, shuffled in and drawn anew until there is one; what was shown is known no
    more.
    """
    events = {"0001": 3, "0002": 3, "0003": 3, "0004": 3, "0005": 3, "0111": 3, "0112": 3, "0006": 3, "0007": 3, "0009": 3, "0010": 3,
              "0011": 3, "0012": 3, "0101": 1}  # fmt: skip
    deck = {"team": {"Reimu": 4}, "cards": events}
    games = [Game.new(UtageConfig(decks=(deck, deck)), seed) for seed in range(4)]
    game = next(game for game in games if game.asking == 0)
    declined = act(game.clone(), "pass")
    assert declined.asking == 1 or declined.question != "mulligan"
    again = 0
    while game.question == "mulligan" and game.asking == 0:
        act(game, "choose yes")
        again += 1
        assert len([event for event in game.log.of(1).events if event.event == "show hand"]) == 6 * again
        assert not game.record["known"][0].any()
    assert again > 0
    assert "0101" in game.seat(0).hand


# ---------------------------------------------------------------- T: the turn


def test_a_turn():
    """T-1, T-2, replenish-order (u9, u11): no draw in the very first turn, SP 1 and 1 for each reserve spell; the second player draws."""
    game = until(Game.new(UtageConfig(ask_forced=True, ask_everyone=True), 2), "act")
    first = game.attacker
    assert (sum(game.seat(first).hand.values()), game.seat(first).sp) == (6, 1)
    until(game, "prepare")
    spell = next(name for name in game.legal() if name.startswith("play"))
    act(game, spell)
    while game.attacker == first:
        act(game, "pass")
    until(game, "act")
    assert (game.phase, sum(game.seat(1 - first).hand.values()), game.seat(1 - first).sp) == ("replenish", 7, 1)
    while game.attacker != first:
        until(game, "discard", "act", "prepare", "attack")
        act(game, game.legal()[0])
    until(game, "act")
    assert game.seat(first).sp in (2, 3)  # one reserve spell more, if it was one


def test_no_attack():
    """T-3, battle-skip (u14, u13): who does not attack ends the phase at once: no interception, no priority, only its end triggers."""
    game = table({"active": [PLAIN], "hand": ["0005"], "sp": 9}, {"hand": ["0005"], "sp": 9, "active": ["0808"]}, "battle", **LOUD)
    act(game, "pass")
    assert (game.question, game.phase) == ("prepare", "preparation")


def test_preparation():
    """T-4, F-1 (u22, u23, u24, u25, u32): one spell into reserve at no SP, any number made active and placed, in any order, until one
    passes.
    """
    seat = {**REIMU, "hand": ["0101", "0102", "0109"], "reserve": ["0103", "0105"], "sp": 6}
    game = act(table(seat, **LOUD), "activate 0105", "play 0101")
    assert (game.seat(0).sp, "play 0102" in game.legal(), where(game, 0, "0101")) == (3, False, "reserve")
    act(game, "play 0109", "choose 0101 at own", "activate 0101", "pass")
    assert (game.seat(0).sp, where(game, 0, "0101"), game.seat(0).find("0109").on) == (1, "active", "0101")
    assert table(seat, phase="preparation").asking == 0


def test_discard_down_to_seven():
    """T-5, hand-limit (u29): only the attacker, in its own end phase, of its own choice."""
    many = ["0001", "0002", "0003", "0004", "0005", "0006", "0007", "0009", "0010"]
    game = table({"hand": many}, {"hand": many}, "end", **LOUD)
    assert (game.question, game.asking) == ("discard", 0)
    act(game, "choose own card 0004", "choose own card 0010")
    assert (sum(game.seat(0).hand.values()), game.seat(0).discard, game.seat(1).discard) == (7, {"0004": 1, "0010": 1}, {})


def test_the_turn_ends_at_once():
    """T-6: 0513 leaves out all further phases, end triggers and the discard; what was put off until then does not happen."""
    hand = ["0513", "0001", "0002", "0003", "0004", "0005", "0006", "0007", "0009"]
    zero = {"team": {"Yukari": 2, "Marisa": 2}, "leader": "Yukari", "hand": hand, "sp": 9, "hp": 10}
    game = act(table(zero, phase="replenish", **LOUD), "play 0513")
    assert (game.attacker, sum(game.seat(0).hand.values()), game.seat(0).discard) == (1, 8, {"0513": 1})


def test_two_battle_phases():
    """T-7, P-7: each is whole; abilities that are used once a phase may be used in each, and what lasted until the first's end is over."""
    seat = {**SAKUYA, "hand": ["0314"], "sp": 9, "active": ["0206"]}
    game = until(act(table(seat, phase="replenish", **LOUD), "play 0314"), "attack")
    act(until(act(game, "choose 0206"), "act"), "use 0206")
    assert values(game, 0, "0206") == (5, 2, 3)
    act(until(game, "border", "attack"), "pass") if game.question == "border" else None
    until(game, "attack")
    assert values(game, 0, "0206") == (4, 2, 4)
    act(until(act(game, "choose 0206"), "act"), "use 0206")


def test_cut_off():
    """T-8, E-3: when a turn beyond `max_turns` would start, nobody has won."""
    game = Game.new(UtageConfig(max_turns=3), 1)
    while not game.over:
        act(game, game.legal()[0] if "pass" not in game.legal() else "pass")
    assert (game.outcome, game.turn_number, game.rewards()) == ("truncated", 3, [0.0, 0.0])


# ---------------------------------------------------------------- P: priority, events, abilities


def test_priority():
    """P-1, P-2 (u12, u16): attacker first, then in turn; two passes in a row end it, and who passed may use again."""
    zero, one = {"hand": ["0001", "0001"], "sp": 9}, {"on_leader": ["9009"], "sp": 5}
    game = table(zero, one, "replenish", **LOUD)
    act(game, "play 0001")
    assert game.asking == 1
    act(game, "use 9009", "pass", "pass")
    game = act(table(zero, one, "replenish", **LOUD), "pass", "use 9009", "play 0001", "pass", "pass")
    assert game.phase != "replenish"
    assert game.seat(0).discard == {"0001": 1}


def test_who_can_do_nothing_is_passed_over():
    """P-3: only `ask_everyone` asks."""
    assert table({}, {"hand": ["0001"], "sp": 2}, "replenish").asking == 1
    assert table({}, {"hand": ["0001"], "sp": 2}, "replenish", **LOUD).asking == 0


def test_the_order_of_a_use():
    """P-4, P-8, P-9 (u33, u37): target, then cost, then effect; it is offered only if all can be done, and a target is no cost."""
    team = {"team": {"Remilia": 2, "Sakuya": 2}, "leader": "Remilia", "hand": ["9006"]}
    spells = {"reserve": ["0301"]}
    assert "play 9006" not in battle(PLAIN, None, {**team, **spells, "sp": 5}).legal()  # no spell that requires Remilia
    assert "play 9006" not in battle("0701", None, {**team, "sp": 5}).legal()  # nothing to pay with
    assert "play 9006" not in battle("0701", None, {**team, **spells, "sp": 4}).legal()
    assert "play 9006" in battle("0701", None, {**team, **spells, "sp": 5}).legal()
    alone = {**YUYUKO, "hand": ["0814"], "sp": 5, "on_leader": ["0114"]}
    assert "play 0814" not in table(alone, phase="replenish", **LOUD).legal()  # itself is no card of the hand any more
    assert "play 0814" in table({**alone, "hand": ["0814", "0001"]}, phase="replenish", **LOUD).legal()


def test_an_event_lies_in_the_discard_after_its_effect():
    """P-5, P-6 (u30): events in the phase printed, requirement met, SP paid."""
    seat = {**MARISA, "hand": ["0001", "0003", "0212"], "sp": 9}
    assert table({**seat, "active": [CONCENTRATED]}, phase="replenish", **LOUD).legal() == ["pass", "play 0001"]
    game = battle(CONCENTRATED, None, seat)
    assert set(game.legal()) == {"pass", "play 0003", "play 0212", "use leader"}
    assert "play 0212" not in battle(CONCENTRATED, None, {**seat, **REIMU}).legal()


def test_abilities_by_phase_and_role():
    """P-6, battle-abilities (u31): a spell's battle ability only while it battles; `@attack`, `@intercept` only in that role."""
    game = battle("0206", "0106", {"active": ["0205"], "sp": 9}, {"active": ["0207"], "hand": ["0001"], "sp": 9})
    assert [name for name in game.legal() if name.startswith("use 0")] == ["use 0206 at 2"]
    act(game, "pass")
    assert [name for name in game.legal() if name.startswith("use 0")] == ["use 0106 at 2"]


def test_limits_are_of_cards():
    """P-7: counted per card in play, not per name."""
    game = battle(PLAIN, None, {"active": [SPREAD, PLAIN], "on": {SPREAD: "0006", PLAIN: "0006"}, "sp": 9})
    used = next(card.place for card in game.seat(0).field if card.id == "0006")
    act(game, f"use 0006 at {used}", "pass")
    assert [name for name in game.legal() if name.startswith("use 0006")] == [f"use 0006 at {used + 1}"]


def test_life_as_a_cost():
    """P-8, E-1: HP may be paid while there is as much, and at 0 one has lost."""
    game = act(table({**REMILIA, "reserve": ["0705"], "sp": 3, "hp": 1}), "activate 0705")
    assert (game.outcome, game.winners, game.rewards()) == ("won", [1], [-1.0, 1.0])
    assert [line for line in game.log if "pays" in line] == ["seat 0 pays 3 SP", "seat 0 pays 1 HP"]


def test_effects_are_free():
    """P-10, sp-cost (u34): what an effect activates costs nothing and asks no requirement unless it says playable."""
    seat = {**MARISA, "hand": ["0213"], "reserve": ["0705", "0206"], "sp": 5}
    game = table(seat, phase="replenish", **LOUD)
    act(game, "play 0213")
    assert game.legal() == ["choose 0206 at own 2"]  # 0705 requires Remilia
    swap = act(table({**MARISA, "active": ["0102"], "reserve": ["0103"], "sp": 1}, phase="replenish"), "use 0102")
    assert where(swap, 0, "0103") == "active"  # although the team has no Reimu


def test_a_prohibition_beats_a_permission():
    """P-11: after 0210 nobody uses an event in this turn, its user included; abilities go on."""
    game = act(table({**MARISA, "hand": ["0210", "0005"], "sp": 9, "active": [PLAIN]}, phase="replenish", **LOUD), "play 0210")
    act(until(game, "attack"), f"choose {PLAIN}")
    until(game, "act")
    assert game.legal() == ["pass", "use leader"]


def test_what_cannot_be_done_is_skipped():
    """P-12, K-1: milling a deck of one takes one; drawing takes what there is."""
    game = act(table({"hand": ["0001"], "sp": 2}, {"rest": 1}, "replenish"), "play 0001")
    assert (game.over, game.winners) == (True, [0])


# ---------------------------------------------------------------- V: values


def test_targets_come_before_static_bonuses():
    """V-1: a spell that 9001 makes safe is still reached by what is for all (F-7), whatever came first."""
    game = battle("0701", None, {"on": {"0701": "9001"}, "active": ["0701"]}, {"scene": "0012"})
    assert values(game, 0, "0701")[2] == 7


def test_classes_gained_come_before_static_bonuses():
    """V-1: 0504 counts as carrying a shikigami in replenish and battle, not in preparation."""
    flags = [
        table({"active": ["0504"]}, phase=phase, **LOUD).record["value_flags"][0, 0] for phase in ("replenish", "battle", "preparation")
    ]
    assert [bool(flag & st.V_SHIKIGAMI) for flag in flags] == [True, True, False]


def test_types_come_before_keywords():
    """V-1, V-2: what the type has become decides whom fast and slow help, and of two changes the later holds."""
    game = battle(PLAIN, "0201", {"active": [PLAIN], "on": {PLAIN: "0209"}})
    assert evs(game) == (3, 4)  # 0503 is concentrated now, and 0201 is fast(1)
    assert evs(battle(PLAIN, "0201")) == (3, 3)


def test_keywords_granted_come_after_static_bonuses():
    """V-1, V-3: protection that 0113 grants is taken off after AV and IV were raised."""
    game = battle("0101", "0503", {**REIMU, "scene": "0113"}, {"active": ["0503"], "on": {"0503": "0811"}})
    assert values(game, 1, "0503") == (3, 1, 5)


def test_effects_come_in_the_order_they_came():
    """V-1, V-8: until the end of the phase, for the card they were put on; over when it leaves play, and they follow no support."""
    game = battle(PLAIN, SPREAD, {"active": [PLAIN], "on": {PLAIN: "0006"}, "sp": 9, "hand": ["0005"]})
    act(game, "use 0006")
    assert values(game, 0, PLAIN)[0] == 4
    over(game)
    assert values(game, 0, PLAIN)[0] == 3


def test_what_keywords_do_comes_last():
    """V-1, V-3: protection counts after an effect has raised AV."""
    game = act(battle("0206", "0303", {"sp": 1}), "use 0206")
    assert values(game, 0, "0206") == (5, 2, 3)  # penetration
    assert values(act(battle("0704", "0303", {"sp": 2}), "use 0704"), 0, "0704")[0] == 3


def test_equal_keywords_add_up():
    """V-2, basic-abilities (u35, u38, u39): protection(1) and protection(1) are protection(2)."""
    game = act(battle(PLAIN, "0505", one={"sp": 1}), "pass", "use 0505")
    assert values(game, 0, PLAIN) == (1, -1, 4)


def test_guided_and_penetration():
    """V-3, V-12 (u40): the other's fast and slow, or protection, do nothing; they are still had."""
    game = battle("0801", "0201")
    assert (evs(game)[1], keywords(game, 1, "0201")) == (3, {"fast": 1})
    through = battle("0703", "0303")
    assert (values(through, 0, "0703")[0], keywords(through, 1, "0303")) == (4, {"protection": 1})


def test_no_interception():
    """V-4, no-intercept: the attack meets the plain EV, and nothing comes back."""
    game = battle("0201", None, one={"active": ["0202"]})
    assert evs(game) == (3, 3)
    assert over(game).seat(0).hp == 19


@pytest.mark.parametrize(("mine", "theirs", "hp"), [(3, 0, 19), (2, 0, 16), (3, 1, 16), (1, 3, 16)])
def test_faith(mine, theirs, hp):
    """V-5, V-6, faith (u41): damage of at most X - Y from a spell is none, more is taken in full; 0503 deals 3."""
    scenario = Scenario(**LOUD).seat(0, active=[PLAIN]).seat(1, active=[SPREAD], **MARISA).turn(0, "battle")
    if theirs:
        scenario.lasting(0, PLAIN, "faith", theirs)
    game = scenario.lasting(1, SPREAD, "faith", mine).build()
    act(game, f"choose {PLAIN}", f"choose {SPREAD}")
    assert over(game).seat(1).hp == hp + 1  # Marisa has 20


def test_damage_is_never_below_0():
    """V-6, hit-vs-damage (u19): a spell with AV 0 or less hits all the same."""
    game = battle("0601", "0105", {"scene": "0012"})
    assert values(game, 0, "0601") == (0, -1, 5)
    over(game)
    assert (game.seat(1).hp, where(game, 1, "0105")) == (19, "reserve")


def test_static_texts_of_spells():
    """V-7: while they battle; those of leaders, supports and scenes always in their phase and role; keywords always."""
    game = battle(PLAIN, None, {"active": ["0104"]})
    assert evs(game) == (3, 3)
    assert keywords(table({"active": ["0104"]}), 0, "0104") == {"protection": 1}
    assert values(table({"scene": "0012", "active": [PLAIN]}, **LOUD), 0, PLAIN)[2] == 4  # in preparation


def test_all_is_looked_at_anew():
    """V-9: a scene raises a spell that comes later too."""
    game = table({"scene": "0012", "active": [PLAIN]}, {"active": [SPREAD]}, "battle", **LOUD)
    assert [values(game, seat, card)[2] for seat, card in ((0, PLAIN), (1, SPREAD))] == [7, 8]


def test_names_and_levels():
    """V-10: a spell that requires two characters has their sum as level; the leader's name is that of whoever controls the text."""
    assert (box.CARDS[box.NUMBERS["0105"]].level, box.CARDS[box.NUMBERS["0006"]].level) == (2, 0)
    game = battle("0701", "0101", {**REMILIA, "scene": "0113"}, REIMU)
    assert (keywords(game, 0, "0701"), keywords(game, 1, "0101")) == ({}, {"protection": 1})  # Remilia is no barrier-keeper


def test_numbers_that_are_counted():
    """V-11: when the effect happens, and rounded down: half of three dolls is one."""
    assert values(battle("0603", None, {**ALICE, "on_leader": ["0609", "0610", "0611"]}), 0, "0603")[:2] == (2, 2)
    seat = {**ALICE, "on_leader": ["0609", "0610"], "hand": ["0614"], "sp": 3}
    game = act(battle(PLAIN, None, seat), "play 0614")
    act(game, f"choose {PLAIN}") if game.question == "target" else None
    assert values(game, 0, PLAIN)[2] == 6


# ---------------------------------------------------------------- B: battle


def test_who_may_battle():
    """B-1 (u15): active spells whose battle cost is paid; reserve spells never."""
    game = table({"active": [PLAIN, "0702"], "reserve": ["0701"]}, phase="battle", **LOUD)
    assert game.legal() == ["pass", f"choose {PLAIN} at own 2"]


def test_hv_against_ev():
    """B-2, border (u17): above hits, below does not; equal: the BV in SP, if one can and will."""
    assert over(battle(PLAIN)).seat(1).hp == 16
    for sp, answer, hp in ((3, "choose yes", 19), (3, "pass", 16), (2, "pass", 16)):
        game = over(battle(PLAIN, None, one={"sp": sp, "scene": "0011"}, zero={}), border=answer)
        assert (game.seat(1).hp, game.seat(1).sp) == (hp, sp - 3 * (answer == "choose yes"))


def test_both_halves():
    """B-3, B-4, B-5, hit-order (u18): AV first, then IV; an interceptor at 0 has lost before its spell is judged."""
    game = over(battle(PLAIN, SPREAD))
    assert (game.seat(1).hp, game.seat(0).hp) == (16, 17)
    dead = over(battle(PLAIN, SPREAD, {"hp": 1}, {"hp": 3}))
    assert (dead.outcome, dead.winners, dead.seat(0).hp) == ("won", [0], 1)


def test_what_was_hit_goes_to_reserve():
    """B-6 (u20): with its support; other battling spells stay active."""
    game = over(battle(PLAIN, SPREAD, {"active": [PLAIN], "on": {PLAIN: "0109"}}))
    assert (where(game, 0, PLAIN), where(game, 1, SPREAD), game.seat(0).find("0109").on) == ("reserve", "reserve", PLAIN)
    assert where(over(battle(PLAIN, None)), 0, PLAIN) == "active"


def test_used_in_battle():
    """B-7 (u21): chosen in this phase, also if it has become reserve since; texts of the battle's end come after B-6."""
    lines = list(over(battle(PLAIN, "0204", attacker=0)).log)
    assert lines.index("0204 of seat 1 goes to reserve") < lines.index("the text of 0204 of seat 1 happens")


def test_a_battling_spell_that_leaves():
    """B-8: the battle goes on without it; it neither hits nor protects."""
    scenario = Scenario(**LOUD).seat(0, active=["0303"]).seat(1, active=[PLAIN]).turn(0, "battle")
    game = act(scenario.build(), "choose 0303", f"choose {PLAIN}")
    record = game.records.copy()
    record["where"][0, 0, 0], record["battling"][0, 0] = st.IN_RESERVE, 0  # no card of volume 1 does it at this moment
    batch.work_out(tables(), record)
    left = Game.from_trusted_record(record, game.config)
    assert values(left, 1, PLAIN) == (3, 1, 4)
    over(left)
    assert (left.seat(1).hp, left.seat(0).hp) == (19, 18)


def test_prevented_damage():
    """B-9: the hit stays a hit; the card goes under the deck once."""
    game = over(battle("0301", None, one={"on_leader": ["9003"]}))
    assert (game.seat(1).hp, where(game, 1, "9003")) == (19, "gone")


def test_damage_by_effects():
    """B-10: no faith, no border, and 9003 does not prevent it."""
    game = over(act(battle("0603", "0108", {"sp": 2}, {"hand": ["0001"], "on_leader": ["9003"]}), "use 0603"))
    assert (game.seat(1).hp, where(game, 1, "9003")) == (17, "on the leader")


# ---------------------------------------------------------------- F: the field


def test_supports_on_spells():
    """F-2, F-6, support-placement (u26): on either side's spell, reserve too, one each; it moves with it and goes when it goes."""
    seat = {**REIMU, "hand": ["0110", "0109"], "sp": 9, "active": ["0101"], "on": {"0101": "0006"}}
    game = act(table(seat, {"reserve": [PLAIN], "active": ["0701"]}, **LOUD), "play 0110")
    assert sorted(game.legal()) == ["choose 0503 at other 1", "choose 0701 at other 2"]
    act(game, "choose 0503")
    assert (game.seat(1).find("0110").owner, game.seat(1).find("0110").on) == (0, PLAIN)


def test_supports_on_leaders():
    """F-3 (u27): on either leader, not two of one name on one leader."""
    seat = {**REIMU, "hand": ["0114"], "on_leader": ["0114"], "sp": 4}
    game = act(table(seat, **LOUD), "play 0114")
    assert game.legal() == ["choose leader other"]
    act(game, "choose leader other")
    assert game.seat(1).find("0114").owner == 0


def test_scenes():
    """F-4 (u28): a new one discards the old, whoever's it is."""
    game = act(table({"hand": ["0011"], "sp": 4}, {"scene": "0012"}), "play 0011")
    assert (where(game, 0, "0011"), where(game, 1, "0012"), game.seat(1).discard) == ("scene", "gone", {"0012": 1})


def test_who_controls_a_support():
    """F-5: the side it lies on, a scene whoever placed it; the discard is always the owner's."""
    game = act(table({"active": ["0701"], "on": {"0701": "0311"}, "sp": 5}, {"hand": ["0311"]}, "replenish"), "use 0311")
    assert game.seat(0).discard == {"0311": 1}


def test_safe_cards():
    """F-7: out of what can be targeted; what is for all reaches them."""
    one = {"active": [PLAIN], "on": {PLAIN: "9001"}}
    team = {"team": {"Yuyuko": 3, "Yukari": 1}, "leader": "Yuyuko", "hand": ["0814", "0001"], "sp": 5, "hp": 10}
    assert "play 0313" not in table({**SAKUYA, "hand": ["0313"], "sp": 5}, one, "replenish", **LOUD).legal()
    game = act(table(team, one, "replenish", **LOUD), "play 0814", "choose own card 0001")
    assert (where(game, 1, "9001"), game.seat(0).hp) == ("gone", 11)


def test_supports_in_replenish():
    """F-8: with Yukari as leader, in her own priority; not in the other's turn."""
    one = {**YUKARI, "hand": ["0011"], "sp": 4}
    assert "play 0011" in table(one, phase="replenish", **LOUD).legal()
    assert act(table({}, one, "replenish", **LOUD), "pass").legal() == ["pass"]


def test_the_order_of_texts():
    """F-9: the attacker's before the interceptor's, a side's own in the order it chooses; also what was put off."""
    both = until(battle("0204", "0808", {"on_leader": ["9003"]}, {**YUYUKO, "sp": 1}), "order", "border")
    while both.question == "border":
        act(both, "pass")
        until(both, "order", "border")
    assert both.asking == 0
    assert sorted(name.split()[1] for name in both.legal()) == ["0204", "9003"]
    act(both, "choose 9003")
    assert [name.split()[1] for name in both.legal()] == ["0204"]
    act(both, "choose 0204")
    assert both.asking == 1


# ---------------------------------------------------------------- K, H: deck, hand, and what a seat may know


def test_discards_lie_open():
    """K-1 (u10): and milled cards too."""
    game = act(table({"hand": ["0001"], "sp": 2}, {"deck": ["0101", "0102"]}, "replenish"), "play 0001")
    assert decode(game.observe(0))["discard"][1].sum() == 2


def test_searching():
    """K-2, K-3: a card of the kind asked for may be left there, any card may not; the deck is shuffled, and what is put on top is known
    to one.
    """
    kind = act(table({**REMILIA, "hand": ["0711"], "sp": 3, "deck": ["0701"]}, phase="replenish", **LOUD), "play 0711")
    assert "pass" in kind.legal()
    act(kind, "pass")
    assert any("the deck of seat 0 is shuffled" in line for line in kind.log)
    any_card = act(table({"hand": ["0112"], "sp": 3, "deck": ["0101", "0102", "0103"]}, phase="replenish", **LOUD), "play 0112")
    assert "pass" not in any_card.legal()
    act(any_card, "choose own card 0103")
    assert decode(any_card.observe(0), words=True)["known_top"][0][0] == "0103"
    assert {resample(any_card, 0, seed).seat(0).deck[0] for seed in range(8)} == {"0103"}
    assert len({resample(any_card, 1, seed).seat(0).deck[0] for seed in range(20)}) > 1
    open_top = act(
        table({**SAKUYA, "hand": ["0310"], "sp": 2, "discard": ["0101", "0102"]}, phase="replenish", **LOUD),
        "play 0310",
        "choose own card 0102",
    )
    assert {resample(open_top, 1, seed).seat(0).deck[0] for seed in range(8)} == {"0102"}


def test_a_random_discard():
    """K-4: by the dice; whoever looks at a hand knows those cards while they stay."""
    seen = set()
    for seed in range(12):
        game = over(battle("0207", None, one={"hand": ["0003", "0004", "0005"]}, seed=seed))
        seen |= set(game.seat(1).discard)
    assert seen == {"0003", "0004", "0005"}
    look = table({**MARISA, "hand": ["0211"], "sp": 3}, {"hand": ["0101", "0102", "0003"]}, "replenish", **LOUD)
    act(look, "play 0211", "choose other card 0003")
    assert all(resample(look, 0, seed).seat(1).hand == {"0101": 1, "0102": 1} for seed in range(6))


def test_sp_that_is_not_there():
    """K-5: SP never falls below 0: what cannot be paid cannot be done."""
    assert table({"hand": ["0012"], "sp": 5}, **LOUD).legal() == ["pass"]


def test_what_lies_open():
    """H-1, H-2, H-3: field, values, discards, sizes; the own hand and list; the other's list where it is open."""
    game = table({"hand": ["0001"], "active": [PLAIN], "scene": "0012"}, {"hand": ["0101", "0102"], "active": [SPREAD]}, "battle", **LOUD)
    row = decode(game.observe(0))
    assert row["hand_size"].tolist() == [1, 2]
    assert (int(row["hand"].sum()), int(row["their_list"].sum()), int(row["deck"].sum())) == (1, 40, len(game.seat(0).deck))
    assert row["value"][0, 0].tolist() == [103, 101, 107]
    closed = table({"hand": ["0001"]}, {"hand": ["0101"], "active": [SPREAD]}, **LOUD, open_lists=False)
    assert decode(closed.observe(0))["their_list"].sum() == 0


def test_numbers_tell_nothing():
    """H-4: with closed lists the other's cards are numbered as they were seen; equal cards are one number."""
    game = table({}, {"hand": ["0101"], "active": [SPREAD, "0105"], "discard": ["0003"]}, **LOUD, open_lists=False)
    cards = [name for name in decode(game.observe(0), words=True)["their_cards"] if name]
    assert sorted(cards) == ["0003", "0105", SPREAD]
    hidden = [resample(game, 0, seed).record["rank"][1] for seed in range(4)]
    assert all((rank == game.record["rank"][1]).all() for rank in hidden)


def test_what_is_not_shown():
    """H-5: the other's question and legal answers, and what it passed over."""
    game = table({"hand": ["0001"], "sp": 2}, {}, "replenish", **LOUD)
    assert not decode(game.observe(1))["question"].any()
    act(game, "pass")
    assert not any("pass" in line for line in game.log.of(1))


def test_worlds_with_closed_lists():
    """H-6: one of the decks thought possible that has the team and all that was seen, weighed by its copies of that."""
    deck = STANDARD["reimu4"]
    other = Deck({"Reimu": 4}, {**{name: copies for name, copies in deck.cards.items() if name != "0110"}, "0105": 3})
    config = UtageConfig(
        decks=("reimu4", "marisa4"), open_lists=False, possible=(deck, other, "marisa4"), ask_forced=True, ask_everyone=True
    )
    game = until(Game.new(config, 5), "prepare")
    lists = Counter(resample(game, 1, seed).record["card"][0].tobytes() for seed in range(60))
    assert len(lists) == 2
    assert {resample(game, 0, seed).record["card"][1].tobytes() for seed in range(20)} == {game.record["card"][1].tobytes()}


def test_a_closed_list_has_what_was_seen_before_it_was_shuffled_in():
    """H-3, H-6: cards that 0002 has shuffled back in are in the list, as many as lay open at once."""
    cards = {**STANDARD["reimu4"].cards, "0002": 2}
    del cards["0112"]
    deck = Deck({"Reimu": 4}, cards)
    one = Deck({"Reimu": 4}, {**cards, "0110": 1, "0105": 2})
    none = Deck({"Reimu": 4}, {**{name: copies for name, copies in cards.items() if name != "0110"}, "0105": 3})
    config = UtageConfig(decks=("marisa4", deck), possible=(deck, one, none), open_lists=False, ask_forced=True, ask_everyone=True)
    for seen, lists in ((["0110", "0110"], 1), (["0110"], 2), (["0111"], 3)):
        game = Scenario(config).seat(0).seat(1, hand=["0002"], discard=seen, sp=2).turn(1, "replenish").build()
        act(game, "play 0002")
        assert game.seat(1).discard == {"0002": 1}
        worlds = [resample(game, 0, seed) for seed in range(60)]
        assert len({world.record["copies"][1].tobytes() for world in worlds}) == lists
        for world in worlds:
            assert (world.observe(0) == game.observe(0)).all()
            again = resample(world, 0, 5)
            assert again.record["shown"][1].sum() == game.record["shown"][1].sum()


# ---------------------------------------------------------------- E, M


def test_the_end():
    """E-1, E-2: at 0 HP or with an empty deck one has lost; both at once is a draw."""
    assert over(battle(PLAIN, None, one={"hp": 3})).winners == [0]
    empty = until(table({"rest": 2}, {}, "start", **LOUD), "act")
    assert not empty.over
    last = table({"rest": 1}, {}, "start")
    assert (last.outcome, last.winners) == ("won", [1])
    both = over(act(battle("0603", None, {"sp": 2, "hp": 1, "on_leader": ["9009"]}, {"hp": 2}), "use 0603"))
    assert both.winners == [0]


def test_a_draw():
    """E-1, E-3: both leaders at 0 by one effect: nobody is paid. (No card of volume 1 does it: the position is judged as it stands.)"""
    game = table({"hand": ["0001"], "sp": 2}, {}, "replenish", **LOUD)
    record = game.records.copy()
    record["hp"] = 0
    ended = act(Game.from_trusted_record(record, game.config), "play 0001")
    assert (ended.outcome, ended.rewards()) == ("draw", [0.0, 0.0])


def test_room():
    """M-1, M-2: a side has 32 places; with none left nothing more is offered there."""
    spells = [name for name in box.PLAYABLE_IDS if box.CARDS[box.NUMBERS[name]].kind == w.SPELL][:31]
    game = table({"reserve": spells, "hand": ["0006", "0802"], **YUYUKO, "sp": 9}, **LOUD)
    act(game, "play 0802")
    assert len(game.seat(0).field) == 32
    assert not any(name.startswith("play") for name in game.legal())
    assert (st.LASTING, st.LATER) == (32, 16)
    alice = {**ALICE, "sp": 3, "hand": ["0612"], "reserve": spells, "on_leader": ["0114"]}
    assert "play 0612" in table(alice, phase="replenish", **LOUD).legal()  # what it finds comes to the hand


def test_no_more_effects_than_the_machine_keeps():
    """M-2: 32 effects last; a use that would need more is not offered, and the game goes on."""
    game = battle("0308", PLAIN, {"sp": 200, "hand": ["0005"]}, {"sp": 9, "hand": ["0005"]})
    for _ in range(31):
        act(game, "use 0308", "pass")
    assert {"use 0308 at 1", "play 0005"} <= set(game.legal())
    act(game, "use 0308")
    assert (game.record["lasting_count"], values(game, 0, "0308"), game.legal()) == (32, (5, 2, 70), ["pass"])
    act(game, "pass")
    assert game.legal() == ["pass"]
    over(game)
    assert (game.seat(1).hp, game.record["lasting_count"]) == (14, 0)


@pytest.mark.parametrize(("there", "offered"), [(30, True), (31, False)])
def test_an_ability_with_two_effects_needs_room_for_both(there, offered):
    """M-2: 0207 raises AV and HV."""
    scene = Scenario(**LOUD).seat(0, active=["0207"], hand=["0001", "0002"]).turn(0, "battle")
    for _ in range(there):
        scene.lasting(0, "0207", "IV", 1)
    game = until(act(until(scene.build(), "attack"), "choose 0207"), "act")
    assert any(name.startswith("use 0207") for name in game.legal()) == offered


def test_support_classes():
    """V-1 (u42): a class does nothing by itself; texts ask for it."""
    assert {card.cls for card in box.CARDS if card.kind == w.SUPPORT} == {w.NO_CLASS, w.DOLL, w.SHIKIGAMI}


# ---------------------------------------------------------------- cards against each other


def test_a_support_of_the_other_on_the_own_leader():
    """F-3, F-5, P-6: 9009 that seat 0 has put on seat 1 hurts seat 1, which may buy it off; then it is in seat 0's discard."""
    game = act(table({"team": {"Reimu": 3, "Marisa": 1}, "hand": ["9009"], "sp": 3}, {"sp": 5}, **LOUD), "play 9009", "choose leader other")
    assert (game.seat(1).find("9009").owner, game.seat(0).hp) == (0, 19)
    until(act(game, "pass"), "act")
    assert (game.attacker, game.asking) == (1, 1)
    bought = act(game.clone(), "use 9009")
    assert (bought.seat(0).discard, bought.seat(1).sp) == ({"9009": 1}, 1)
    until(act(until(game, "prepare"), "pass"), "act")
    assert (game.seat(0).hp, game.seat(1).hp) == (19, 18)


def test_a_leader_of_two_kinds():
    """Youmu is human and youkai: 0105, 0305, 0007 and 0008 all mind her."""
    assert values(battle("0105", PLAIN, one=YOUMU), 1, PLAIN)[2] == 3
    assert values(battle("0305", PLAIN, one=YOUMU), 0, "0305")[2] == 5
    own = {**YOUMU, "on_leader": ["0007", "0008"], "sp": 2}
    assert {"use 0007 at 2", "use 0008 at 3"} <= set(battle(PLAIN, None, {**own, "active": [PLAIN]}, YOUMU).legal())


def test_a_search_that_finds_nothing():
    """K-2, P-12: 9005 without a spell of Sakuya in the deck is used for nothing, and the deck is shuffled."""
    game = table({**REMILIA, "team": {"Remilia": 3, "Sakuya": 1}, "hand": ["9005", "0001"], "sp": 3}, {}, "replenish", **LOUD)
    act(game, "play 9005", "choose own card 0001")
    assert game.legal() == ["pass"]
    act(game, "pass")
    assert (game.seat(0).discard, game.seat(0).field) == ({"9005": 1, "0001": 1}, [])
    assert "the deck of seat 0 is shuffled" in list(game.log)


def test_a_support_on_a_spell_that_pays():
    """F-2, P-8: 9006 is paid with a reserve spell, and its support goes with it; the target may be the other's."""
    team = {"team": {"Remilia": 2, "Sakuya": 2}, "leader": "Remilia"}
    game = battle("0701", "0702", {**team, "hand": ["9006"], "sp": 5, "reserve": ["0301"], "on": {"0301": "0006"}}, {"sp": 1})
    act(game, "play 9006", "choose 0702 at other")
    act(game, "choose 0301") if game.question == "pay" else None
    assert (values(game, 1, "0702"), game.seat(0).discard) == ((6, 4, 6), {"9006": 1, "0301": 1, "0006": 1})


def test_a_spell_that_is_hit_and_discarded():
    """B-6, B-7: 0603 that was hit is a reserve spell by the time its ability discards it, with its support; its damage comes first."""
    game = act(battle("0603", "0802", {"sp": 2, "active": ["0603"], "on": {"0603": "0006"}}), "use 0603")
    over(game)
    assert (where(game, 0, "0603"), game.seat(0).discard, game.seat(1).hp) == ("gone", {"0603": 1, "0006": 1}, 16)  # hit for 1


# ---------------------------------------------------------------- all of them

RULINGS = {"S": 8, "T": 8, "P": 12, "V": 12, "B": 10, "F": 9, "K": 5, "E": 3, "H": 6, "M": 2}
RULES = (
    "replenish-order", "battle-skip", "battle-abilities", "hit-order", "hit-vs-damage", "border", "basic-abilities", "faith",
    "support-placement", "sp-cost", "no-intercept", "deck-check", "mulligan", "hand-limit", "max-hp", "official-setup-order",
)  # fmt: skip


def test_healing_stops_at_the_printed_hp():
    """S-7, max-hp: 0513 heals 5, and no more than are missing."""
    game = act(table({**YUKARI, "hand": ["0513"], "sp": 3, "hp": 19}, phase="replenish"), "play 0513")
    assert game.seat(0).hp == 21


def test_every_ruling_statement_and_rule_is_cited():
    """What has no test would go unnoticed, and so would a ruling that the page of rulings lacks."""
    rulings = {f"{chapter}-{number}" for chapter, most in RULINGS.items() for number in range(1, most + 1)}
    page = (HERE.parents[2] / "docs" / "utage" / "rules.md").read_text("utf-8")
    assert Counter(re.findall(r"^- \*\*([A-Z]-\d+)\*\*", page, re.MULTILINE)) == dict.fromkeys(rulings, 1)
    text = "\n".join(path.read_text("utf-8") for path in sorted(HERE.glob("test_*.py")))
    assert rulings - set(re.findall(r"\b[A-Z]-\d+\b", text)) == set()
    assert {f"u{number}" for number in range(1, 43)} - set(re.findall(r"\bu\d+\b", text)) == set()
    docstrings = " ".join(re.findall(r'"""(.*?)"""', text, re.DOTALL))
    assert [rule for rule in RULES if rule not in docstrings] == []


def test_every_card_has_a_test():
    """In box order, one each."""
    text = "\n".join(path.read_text("utf-8") for path in sorted(HERE.glob("test_cards_*.py")))
    named = re.findall(r"def test_(\d{4})\(", text)
    assert sorted(named) == sorted(box.NUMBERS)
