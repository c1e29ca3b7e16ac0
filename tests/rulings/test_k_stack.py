"""Rulings K: stack, windows, cancelling. `test_k7_...` asks what ruling K-7 answers. Several texts at once: test_interplay.py."""

import pytest

from tests.table import act, kinds, life, pass_until, scene


def test_k1_effects_resolve_last_in_first_out():
    """K-1: a counterattack to a counterattack hits first, the attack that all began with last."""
    start = scene().seat(0, "hong_meiling", hand="shoot spiritual_attack").seat(2, "hijiri_byakuren", hand="shoot")
    game = start.deck("power power power power power").build()
    act(game, "play shoot", "choose seat:1", "choose card:shoot", "play spiritual_attack")
    hits = [line.split(" hits ")[1] for line in game.log if " hits " in line]
    assert hits == ["seat 2 (Byakuren)", "seat 0 (Meiling)", "seat 1"]


def test_k2_the_cancel_window_comes_before_the_response_window():
    """K-2: first only cancelling, then dodging; after that the card cannot be cancelled any more."""
    game = scene().seat(0, role="heroine", hand="shoot").seat(1, hand="bomb graze").build()
    act(game, "play shoot", "choose seat:1")
    assert (game.question, game.legal()) == ("cancel", ["pass", "play bomb"])
    game.act("pass")
    assert (game.question, game.legal()) == ("attacked", ["pass", "play graze"])


def test_k3_priority_goes_clockwise_from_the_current_player():
    """K-3: and starts anew after every action."""
    start = scene().seat(2, role="ex_boss", hand="shoot").turn(2).seat(0, role="heroine", hand="graze melee")
    game = start.seat(1, "hong_meiling", hand="graze spiritual_attack").build()
    act(game, "play shoot", "choose seat:1")
    assert (game.asking, game.question) == (0, "attacked")
    game.act("pass")
    assert game.asking == 1
    act(game, "play spiritual_attack")
    assert game.asking == 0  # may protect seat 2 from the counterattack
    game.act("pass")
    assert game.seat(2).life == 3
    assert (game.asking, game.question) == (0, "attacked")  # she passed before, and is asked again
    game.act("pass")
    assert (game.asking, game.question) == (1, "attacked")


def test_k3_windows_ask_who_can_answer_in_seat_order():
    """K-3: everybody with an answer is asked, clockwise from the current player."""
    start = scene().seat(2, role="ex_boss", hand="shoot").turn(2)
    game = start.seat(0, role="heroine", hand="bomb").seat(1, hand="bomb").seat(3, hand="bomb").build()
    act(game, "play shoot", "choose seat:1")
    asked = []
    while game.question == "cancel":
        asked.append(game.asking)
        game.act("pass")
    assert asked == [3, 0, 1]


def test_k3_an_action_starts_the_round_of_priority_anew():
    """K-3: who passed may act again once somebody has acted, and the current player is the first to be asked again."""
    start = scene().seat(2, hand="shoot graze shoot").turn(2).seat(0, hand="graze shoot")
    game = start.seat(1, "komeiji_satori", hand="graze").deck("power/spring").build()
    act(game, "play shoot", "choose seat:1", "pass")  # no danmaku card thrown in
    asked = []
    for answer in ("pass", "pass", "ability komeiji_satori", "pass", "pass", "play graze"):
        assert game.question == "attacked"
        asked.append(game.asking)
        game.act(answer)
    assert asked == [2, 0, 1, 2, 0, 1]  # Satori's flip, which shows spring, avoids nothing
    assert life(game) == [4, 4, 4, 5]


def test_k3_priority_is_given_again_when_an_avoided_attack_has_left_the_stack():
    """K-3, H-11: Miko, whose last card was the Graze, may act there; played cards still wait for everybody to pass (K-7)."""
    start = scene().seat(0, "toyosatomimi_no_miko", hand="graze").seat(1, hand="shoot grimoire").turn(1)
    game = start.deck("focus voile tempest").build()
    act(game, "play shoot", "choose seat:0", "play graze")
    assert (game.asking, game.question) == (0, "step")
    assert (game.legal(), game.discard) == (["pass", "spell toyosatomimi_no_miko"], [])
    other = game.clone()
    act(game, "spell toyosatomimi_no_miko", "choose seat:0", "choose seat:1")
    assert (kinds(game.seat(0).hand), game.seat(1).life) == (["focus", "tempest", "voile"], 3)
    assert (game.asking, game.question, kinds(game.discard)) == (1, "main", ["graze", "shoot"])
    other.act("pass")
    assert (other.asking, other.question, kinds(other.discard)) == (1, "main", ["graze", "shoot"])


def test_k3_priority_is_given_again_after_a_hit():
    """K-3: to whoever can use it, once: an Extra Boss who may reveal, on a turn and in an attack of others."""
    start = scene().roles("heroine stage_boss stage_boss ex_boss").seat(2, defeated=True)
    game = start.seat(0, hand="laser_shot grimoire").seat(3, life=2).build()
    act(game, "play laser_shot", "choose seat:1")
    asked = []
    while game.question != "main":
        asked.append((game.asking, game.question, game.seat(1).life))
        game.act("pass")
    assert asked == [(3, "cancel", 4), (3, "attacked", 4), (3, "step", 3)]


def test_k3_priority_comes_before_what_lies_below_the_attack():
    """K-3: Youmu's extra attack is avoided with Miko's last card; before the Shoot below happens, she takes Youmu's range away."""
    start = scene(5).seat(0, "konpaku_youmu", hand="shoot grimoire", items="power").deck("focus voile tempest party")
    game = start.seat(1, "toyosatomimi_no_miko", hand="graze").build()
    act(game, "play shoot", "choose seat:2", "choose seat:1", "play graze")
    assert (game.asking, game.question) == (1, "respond")
    act(game, "spell toyosatomimi_no_miko", "choose seat:1", "choose seat:0")
    assert game.seat(0).items == []
    assert (game.asking, game.question, game.seat(2).life) == (0, "main", 4)


def test_k3_the_next_attack_of_an_effect_gives_priority_of_its_own():
    """K-3: so nobody is asked twice between two of them."""
    start = scene().seat(0, "reiuji_utsuho", hand="spiritual_attack grimoire").seat(1, "toyosatomimi_no_miko", hand="graze")
    game = start.build()
    act(game, "play spiritual_attack", "choose seat:1", "play graze")
    assert (game.asking, game.question) == (1, "attacked")
    assert game.legal() == ["pass", "spell toyosatomimi_no_miko"]
    game.act("pass")
    assert (game.asking, game.question, game.seat(1).life) == (0, "main", 2)


def test_k3_who_falls_after_an_attack_can_still_be_rescued():
    """K-3, A-7: what somebody does with the priority after an attack is settled like anything else."""
    start = scene().seat(0, "toyosatomimi_no_miko", hand="graze").seat(1, hand="shoot one_up", life=1).turn(1)
    game = start.build()
    act(game, "play shoot", "choose seat:0", "play graze", "spell toyosatomimi_no_miko", "choose seat:0", "choose seat:1")
    assert (game.asking, game.question, game.seat(1).life) == (1, "step", 0)
    assert game.legal() == ["pass", "play one_up"]
    game.act("pass")
    assert (game.asking, game.question) == (1, "rescue")
    act(game, "play one_up")
    assert (game.asking, game.question, game.seat(1).life) == (1, "main", 1)


def test_k4_only_reactions_fit_into_a_window():
    """K-4: action cards and items wait for one's own main step."""
    hand = ["graze", "bomb", "shoot", "grimoire", "focus", "one_up", "spiritual_attack"]
    game = scene().seat(0, role="heroine", hand="laser_shot shoot").seat(1, "hong_meiling", hand=hand, life=2).build()
    act(game, "play shoot", "choose seat:1", "pass", "pass")
    assert (game.asking, game.question) == (1, "attacked")
    assert game.legal() == ["pass", "play bomb", "play graze", "play spiritual_attack"]  # Meiling's Spell Card is a reaction


def test_k5_nothing_cancels_a_reaction_card():
    """K-5: Graze, 1UP and the cancelling half of Bomb open no cancel window."""
    start = scene().seat(0, role="heroine", hand="shoot bomb").seat(1, hand="graze")
    game = start.seat(2, "shameimaru_aya", hand="shoot").build()
    act(game, "play shoot", "choose seat:1", "pass", "play graze")
    assert game.over
    assert kinds(game.seat(0).hand) == ["bomb"]
    assert game.seat(1).life == 4


def test_k6_costs_of_cancelled_cards_stay_paid():
    """K-6: discards for Mini-Hakkero and paid life are gone, the activation is used."""
    start = scene().seat(0, "patchouli_knowledge", role="heroine", items="mini_hakkero", hand="focus focus")
    game = start.seat(2, hand="bomb").build()
    act(game, "use mini_hakkero", "pass", "play bomb")
    assert game.seat(0).hand == []
    assert game.seat(0).spell_used
    start = scene().seat(0, "patchouli_knowledge", role="heroine").incident("overdrive").deck("focus")
    game = start.seat(2, hand="bomb").build()
    act(game, "spell overdrive", "pass", "play bomb")
    assert game.seat(0).life == 4
    assert kinds(game.seat(0).hand) == ["focus"]
    assert game.seat(0).spell_used


def test_k7_played_cards_wait_for_the_empty_stack_costs_do_not():
    """K-7: what is discarded as a cost lies on the pile at once; played cards follow, in the order played."""
    start = scene().seat(0, role="heroine", hand="shoot melee").seat(1, hand="graze bomb")
    game = start.deck("power").build()
    act(game, "play shoot", "choose seat:1", "choose card:melee")
    assert (game.question, kinds(game.discard)) == ("cancel", ["melee"])
    act(game, "pass")
    assert (game.question, kinds(game.discard)) == ("attacked", ["melee"])
    game.act("play graze")
    assert [card.split("/")[0] for card in game.discard] == ["melee", "shoot", "graze"]


def test_k8_revealed_cards_lie_aside_until_the_effect_is_over():
    """K-8: then they are discarded in the order revealed."""
    start = scene().seat(0, "alice_margatroid", role="heroine", hand="spiritual_attack")
    game = start.deck("graze shoot bomb focus").build()
    act(game, "play spiritual_attack", "pass")
    assert [card.split("/")[0] for card in game.discard] == ["graze", "shoot", "bomb", "spiritual_attack"]
    assert kinds(game.seat(0).items) == ["focus"]


def test_k9_several_attacks_come_one_by_one_from_the_left():
    """K-9: each with its own window, damage and draws, clockwise from the attacker's left."""
    start = scene().seat(2, role="ex_boss", hand="last_word").turn(2).seat(1, hand="graze").deck(["power"] * 3)
    game = start.seat(0, role="heroine").seat(3, hand="graze").build()
    game.act("play last_word")
    assert (game.asking, game.question, life(game)) == (3, "attacked", [5, 4, 4, 4])
    game.act("play graze")
    assert (game.asking, game.question, life(game)) == (1, "attacked", [4, 4, 4, 4])
    game.act("pass")
    assert life(game) == [4, 3, 4, 4]
    assert [line for line in game.log if " attacks " in line] == [f"seat 2 attacks seat {seat}" for seat in (3, 0, 1)]


def test_k9_the_attacks_of_one_effect_are_on_the_stack_together():
    """K-9: all hear of all of them before the first is answered; the later ones wait below it."""
    start = scene(5).seat(2, hand="last_word grimoire").turn(2).seat(3, hand="graze")
    game = start.build()
    game.act("play last_word")
    assert (game.asking, game.question) == (3, "attacked")
    assert [line for line in game.log if " attacks " in line] == [f"seat 2 attacks seat {seat}" for seat in (3, 4, 0, 1)]
    assert "attack of seat 2 on seat 3 (Last Word), then on seat 0, seat 1, seat 4" in game.explain()
    game.act("pass")
    assert life(game) == [3, 3, 4, 4, 3]  # the Heroine, seat 3, had 5
    start = scene().seat(0, "reiuji_utsuho", hand="spiritual_attack grimoire").seat(1, hand="graze")
    game = start.build()
    act(game, "play spiritual_attack", "choose seat:1")
    assert "attack of seat 0 (Utsuho) on seat 1 (Nuclear Excursion), and 2 more" in game.explain()
    assert sum(" attacks " in line for line in game.log) == 3


def test_k9_an_attack_of_several_is_answered_on_its_own():
    """K-9: what was used against the first, or avoided it, is used anew against the second; nobody answers one that waits below."""
    start = scene().seat(0, "reiuji_utsuho", hand="spiritual_attack grimoire").deck("power/winter power/spring shoot/winter focus/summer")
    game = start.seat(1, "komeiji_satori").build()
    act(game, "play spiritual_attack", "choose seat:1", "ability komeiji_satori")  # winter: the first is avoided
    assert (game.asking, game.question, game.legal()) == (1, "attacked", ["pass", "ability komeiji_satori"])
    game.act("ability komeiji_satori")  # spring: the second hits
    assert game.seat(1).life == 3
    assert (game.asking, game.question, game.legal()) == (1, "attacked", ["pass", "ability komeiji_satori"])


def test_k9_attacks_go_clockwise_from_their_attacker():
    """K-9: from her left, whoever's turn it is: Reisen's copy of Last Word."""
    start = scene(5).seat(0, hand="last_word grimoire").seat(3, "reisen_udongein_inaba", hand="spiritual_attack")
    game = start.build()
    act(game, "play last_word", "play spiritual_attack", "choose yes")
    assert [line for line in game.log if " attacks " in line] == [f"seat 3 (Reisen) attacks seat {seat}" for seat in (4, 0, 1, 2)]
    assert [line[:6] for line in game.log if "loses" in line] == ["seat 4", "seat 0", "seat 1", "seat 2"]


def test_k9_any_number_of_attacks_fits():
    """K-9: Last Word at a full table, and Miracle Fruit on a hand of twelve danmaku cards, each with a window of its own."""
    game = scene(8).seat(0, hand="last_word grimoire").seat(7, hand="graze").build()
    game.act("play last_word")
    assert (game.asking, life(game)) == (7, [4, 3, 3, 4, 3, 3, 3, 4])
    game.act("play graze")
    assert game.seat(7).life == 4
    start = scene().seat(0, "kochiya_sanae", hand="spiritual_attack grimoire")
    game = start.seat(1, hand=["shoot"] * 12 + ["graze", "one_up"]).build()
    act(game, "play spiritual_attack", "choose seat:1")
    asked = 0
    while game.question == "attacked":
        asked += 1
        game.act("pass")
    assert (asked, game.question, game.seat(1).life) == (12, "rescue", 0)


def test_k10_range_is_judged_with_the_earlier_steps_of_the_effect():
    """K-10: Byakuren's own +5 range and Suika's number help the attack of the same Spell Card."""
    start = scene(8).seat(0, "hijiri_byakuren", role="heroine", hand="spiritual_attack")
    game = start.build()
    game.act("play spiritual_attack")
    assert "choose seat:4" in game.legal()
    game.act("choose seat:4")
    assert game.seat(4).life == 3
    start = scene(8).seat(0, "ibuki_suika", role="heroine", hand="spiritual_attack")
    game = start.build()
    act(game, "play spiritual_attack", "choose number:2", "choose seat:4")
    assert game.seat(4).life == 3
    assert game.distance(1, 5) == 2


def test_k11_an_optional_attack_is_announced_before_cancelling():
    """K-11: opponents see its target before they decide."""
    start = scene().seat(0, "patchouli_knowledge", role="heroine", hand="spiritual_attack").seat(2, hand="bomb")
    game = start.build()
    act(game, "play spiritual_attack", "choose seat:3")
    assert (game.asking, game.question) == (2, "cancel")
    assert "on seat 3" in game.log[-1]


@pytest.mark.parametrize(("character", "losses"), [("reiuji_utsuho", 3), ("kochiya_sanae", 2)])
def test_k12_range_is_not_looked_at_again(character, losses):
    """K-12: who loses her Power, and with it the range, between her attacks still makes them all."""
    start = scene(6).seat(0, character, hand="spiritual_attack grimoire", items="power").turn(0)
    start.seat(2, "hong_meiling", hand="spiritual_attack shoot melee").deck(["focus"] * 2)
    game = start.build()
    act(game, "play spiritual_attack", "choose seat:2")
    pass_until(game, "attacked", 2)
    game.act("play spiritual_attack")  # the counterattack costs the attacker the Power
    assert game.seat(0).items == []
    pass_until(game, "main", 0)
    assert game.seat(2).life == 4 - losses
    assert not game.in_range(0, 2)


def test_k12_range_is_checked_again_when_the_attack_begins():
    """K-12, K-13: a target out of range by then is not attacked."""
    start = scene().seat(0, "konpaku_youmu", role="heroine", items="power", hand="shoot")
    game = start.deck("focus focus graze graze").seat(1, "hong_meiling", hand="spiritual_attack").build()
    act(game, "play shoot", "choose seat:2", "choose seat:1")  # Youmu's extra attack on Meiling
    assert (game.asking, game.question) == (1, "attacked")
    game.act("play spiritual_attack")  # her counterattack costs Youmu the Power
    pass_until(game, "none")
    assert game.seat(0).items == []
    assert life(game) == [4, 3, 4, 4]


def test_k13_a_step_that_has_become_impossible_does_nothing_and_the_later_ones_happen():
    """K-13: Utsuho's three attacks find their target out of range; she loses her life all the same."""
    start = scene(6).seat(0, "reiuji_utsuho", hand="spiritual_attack", items="power").seat(1, "toyosatomimi_no_miko")
    game = start.deck("graze graze graze").build()
    act(game, "play spiritual_attack", "choose seat:2", "spell toyosatomimi_no_miko", "choose seat:3", "choose seat:0")
    assert game.seat(0).range == 1
    assert (game.seat(0).life, game.seat(2).life) == (2, 4)  # one for Miko's attack, one for the Spell Card


def avoided_by(avoider, attacker_at, avoider_at):
    """Reisen's attack on somebody who avoids it, on the turn of seat 0: by Melee, handed on by her unless she plays it herself."""
    start = scene(5).seat(0, hand="melee grimoire").seat(avoider_at, avoider, hand="graze")
    game = start.seat(attacker_at, "reisen_udongein_inaba", hand="shoot shoot" if attacker_at else "melee grimoire").build()
    if attacker_at:
        act(game, "play melee", f"choose seat:{attacker_at}", "choose card:shoot", f"choose seat:{avoider_at}", "play graze")
    else:
        act(game, "play melee", f"choose seat:{avoider_at}", "play graze")
    return game


@pytest.mark.parametrize(
    ("reisen", "remilia", "first"), [(0, 1, "remilia"), (0, 4, "remilia"), (1, 2, "remilia"), (2, 1, "reisen"), (4, 2, "reisen")]
)
def test_k14_triggered_texts_resolve_in_reverse_play_order(reisen, remilia, first):
    """K-14: Remilia and Reisen decide from the current player on, both before anything happens; who decided later is first."""
    game = avoided_by("remilia_scarlet", reisen, remilia)
    wishes = [(remilia, "may"), (reisen, "target")]
    for seat, question in wishes[::-1] if first == "remilia" else wishes:
        assert (game.asking, game.question) == (seat, question)
        assert not any(line.startswith(f"seat {remilia} (Remilia) draws") for line in game.log)
        before = sum(life(game))
        game.act("choose yes" if question == "may" else next(name for name in game.legal() if name != "pass"))
    assert sum(life(game)) == before - 1
    drawn = next(place for place, line in enumerate(game.log) if line.startswith(f"seat {remilia} (Remilia) draws"))
    attacked = max(place for place, line in enumerate(game.log) if line.startswith(f"seat {reisen} (Reisen) attacks"))
    assert (drawn < attacked) is (first == "remilia")


@pytest.mark.parametrize(("reisen", "yukari"), [(0, 1), (0, 4), (1, 2), (2, 1), (4, 2)])
def test_k14_reisen_attacks_before_yukari(reisen, yukari):
    """K-14: as ruled, wherever they sit: the only exception. They decide in play order; Reisen's attack is the first to happen."""
    game = avoided_by("yakumo_yukari", reisen, yukari)
    before = sum(life(game))
    for seat in sorted((reisen, yukari)):  # on the turn of seat 0
        assert (game.asking, game.question, sum(life(game))) == (seat, "target", before)
        assert f"choose seat:{yukari}" not in game.legal()
        game.act(next(name for name in game.legal() if name != "pass"))
    assert sum(life(game)) == before - 2
    attacks = [line for line in game.log if line.startswith((f"seat {reisen} (Reisen) attacks", f"seat {yukari} (Yukari) attacks"))]
    assert [line.startswith(f"seat {reisen} ") for line in attacks[-2:]] == [True, False]


def test_k15_border_flips_even_when_that_cannot_help():
    """K-15: automatic, once per attack, also against an unavoidable one."""
    start = scene().seat(0, role="heroine", hand="laser_shot").seat(1, items="supernatural_border")
    game = start.deck("power/spring power/summer").build()
    act(game, "play laser_shot", "choose seat:1")
    assert game.seat(1).life == 3
    assert game.discard[0] == "power/spring"
    assert game.seat(1).hand == ["power/summer"]


def test_k16_the_extra_boss_may_reveal_whenever_somebody_has_priority():
    """K-16: at every priority point, without any response, but not in the middle of an effect."""
    start = scene().seat(0, role="heroine", hand="shoot borrow").seat(3, role="ex_boss", life=2, items="focus")
    game = start.seat(1, role="stage_boss", defeated=True).build()
    act(game, "play shoot")  # at seat 2, the only one in range
    assert (game.asking, game.question, game.legal()) == (3, "cancel", ["pass", "reveal"])
    game.act("reveal")
    assert game.seat(3).life == 3
    assert game.seat(2).life == 3
    assert game.question == "main"


def test_k18_handing_on_is_not_playing():
    """K-18: Sanae and Youmu answer the card they play, not the Melee they hand on, nor the danmaku card that costs."""
    game = scene().seat(0, hand="melee").seat(1, "kochiya_sanae", hand="shoot").seat(2, hand="graze").build()
    act(game, "play melee", "choose seat:1", "choose card:shoot", "choose seat:2")
    assert (game.asking, game.question) == (2, "attacked")
    assert game.seat(1).danmaku_played == 0


def test_k18_an_item_put_into_play_was_not_played():
    """K-18: Alice's Sutra Scroll draws nothing."""
    game = scene().seat(0, "alice_margatroid", hand="spiritual_attack").deck("sorcerers_sutra_scroll").build()
    act(game, "play spiritual_attack", "pass")
    assert kinds(game.seat(0).items) == ["sorcerers_sutra_scroll"]
    assert game.seat(0).hand == []
    assert life(game) == [4, 4, 4, 5]


def test_k19_a_cancelled_danmaku_card_counts():
    """K-19: counting happens on announcement."""
    game = scene().seat(0, role="heroine", hand="shoot shoot grimoire").seat(1, hand="bomb").build()
    act(game, "play shoot", "choose seat:1", "pass", "play bomb")
    assert game.seat(0).danmaku_played == 1
    assert game.legal() == ["pass", "play grimoire"]


def test_k20_a_shrinking_limit_stops_further_danmaku():
    """K-20: cards already played stay counted."""
    start = scene().seat(0, role="heroine", items="power", hand="shoot melee shoot focus").seat(1, hand="shoot")
    game = start.deck(["grimoire"] * 2 + ["voile"] * 1).build()
    act(game, "play shoot", "choose seat:2", "pass")
    assert "play shoot" in game.legal()
    act(game, "play melee", "choose seat:1", "choose card:shoot", "choose seat:0", "pass")  # hits back, the Power is lost
    assert game.seat(0).items == []
    assert game.seat(0).danmaku_limit == 1
    assert [name for name in game.legal() if name.startswith("play")] == ["play focus", "play voile"]


def test_k21_items_and_invocation_cards_are_not_cancelled():
    """K-21: nothing cancels an item; an invocation card is discarded whatever happens to the Spell Card."""
    start = scene().seat(0, role="heroine", hand="focus").seat(1, hand="bomb")
    game = start.seat(2, "kamishirasawa_keine", hand="spiritual_attack").build()
    game.act("play focus")
    assert kinds(game.seat(0).items) == ["focus"]


def test_k22_split_cards_have_the_types_of_both_halves():
    """K-22, S-10: in hand and among revealed cards; Bomb is an invocation and 1UP a healing card."""
    start = scene().seat(0, role="heroine").turn(0, step="incident").incident("undefined_fantastic_object")
    game = start.deck("one_up bomb shoot").build()
    assert game.legal() == ["pass", "choose card:one_up", "choose card:bomb"]


def test_k23_a_spell_card_out_of_turn_can_be_cancelled():
    """K-23: "another player plays" includes plays on somebody else's turn."""
    start = scene().seat(0, role="heroine", hand="shoot").seat(1, "hong_meiling", hand="spiritual_attack")
    game = start.seat(2, hand="bomb").build()
    act(game, "play shoot", "choose seat:1", "pass", "play spiritual_attack")
    assert (game.asking, game.question) == (2, "cancel")
    game.act("play bomb")
    assert life(game) == [5, 3, 4, 4]


def test_k24_counterattacks_chain():
    """K-24: Meiling answers Sakuya's answer; each attack has its own window."""
    start = scene().seat(0, "hong_meiling", role="heroine", hand="shoot spiritual_attack").deck(["power"] * 5)
    game = start.seat(1, "izayoi_sakuya", hand="spiritual_attack").build()
    act(game, "play shoot", "choose seat:1", "play spiritual_attack")
    assert (game.asking, game.question) == (0, "attacked")
    game.act("play spiritual_attack")
    assert life(game) == [4, 3, 4, 4]  # the Shoot is avoided, both counterattacks hit
    assert game.seat(0).spell_used
    assert game.seat(1).spell_used
