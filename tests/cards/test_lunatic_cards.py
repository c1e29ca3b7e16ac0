"""One test or more per card of Lunatic Extra, in box order. The first line of a docstring says what is printed, in our words."""

import pytest

from tests.table import act, end_turn, kinds, lost, pass_until
from tests.table import lunatic_scene as scene

# ---------------------------------------------------------------- Erase Shot


def test_erase_shot_attacks_in_range():
    """Attack a player in range. Counts toward the danmaku limit."""
    game = scene(5).seat(0, hand="erase_shot shoot grimoire").build()
    game.act("play erase_shot")
    assert game.legal() == ["choose seat:1", "choose seat:4"]
    game.act("choose seat:1")
    assert (lost(game)[1], game.question, game.legal()) == (1, "main", ["pass", "play grimoire"])


def test_erase_shot_avoids_an_attack_on_oneself_only():
    """Avoid an attack on you."""
    game = scene().seat(0, hand="shoot").seat(1, hand="erase_shot").seat(2, hand="erase_shot shoot").build()
    act(game, "play shoot", "choose seat:1")
    assert (game.asking, game.question, game.legal()) == (1, "attacked", ["pass", "play erase_shot"])
    game.act("play erase_shot")
    assert lost(game) == [0, 0, 0, 0]
    assert kinds(game.discard) == ["erase_shot", "shoot"]


def test_erase_shot_is_no_dodge_against_laser_shot():
    """Avoid an attack on you: not one that cannot be avoided (A-12)."""
    game = scene().seat(0, hand="laser_shot grimoire").seat(1, hand="erase_shot").build()
    act(game, "play laser_shot", "choose seat:1")
    assert (lost(game)[1], game.question) == (1, "main")


# ---------------------------------------------------------------- Extra Stage


def test_extra_stage_gives_everybody_a_lunatic_card():
    """Everybody draws a Lunatic card, then you draw 1 from the Main deck."""
    start = scene().seat(1, hand="extra_stage").turn(1).lunatic_deck("interrupt full_power reflect_shot scorched_earth").deck("voile")
    game = start.build()
    game.act("play extra_stage")
    hands = [kinds(seat.hand) for seat in game.seats]
    assert hands == [["scorched_earth"], ["interrupt", "voile"], ["full_power"], ["reflect_shot"]]


# ---------------------------------------------------------------- Occult Ball


def test_occult_ball_draws_a_lunatic_card():
    """Draw a Lunatic card."""
    game = scene().seat(0, hand="occult_ball").lunatic_deck("full_power interrupt").build()
    game.act("play occult_ball")
    assert kinds(game.seat(0).hand) == ["full_power"]


# ---------------------------------------------------------------- Purification


def test_purification_attacks_and_cannot_be_cancelled():
    """Attack a player in range; this card cannot be cancelled. The attack can be avoided."""
    game = scene(5).seat(0, hand="purification").seat(1, hand="bomb graze interrupt").build()
    act(game, "play purification", "choose top")
    assert game.legal() == ["choose seat:1", "choose seat:4"]
    game.act("choose seat:1")
    assert (game.asking, game.question, game.legal()) == (1, "attacked", ["pass", "play graze"])


def test_purification_removes_an_item_at_any_distance():
    """You may make a player discard an item of your choice. This half can be cancelled, and counts as no danmaku (C-6: not oneself)."""
    start = scene(5).seat(0, hand="purification shoot", items="power").seat(2, items="focus power").seat(3, hand="interrupt bomb")
    game = start.build()
    act(game, "play purification", "choose bottom")
    assert game.legal() == [f"choose seat:{seat}" for seat in (1, 2, 3, 4)]
    game.act("choose seat:2")
    assert (game.question, game.legal()) == ("item", ["pass", "choose card:focus", "choose card:power"])
    game.act("choose card:focus")
    assert (game.asking, game.question, game.legal()) == (3, "cancel", ["pass", "play interrupt"])
    game.act("pass")
    assert (kinds(game.seat(2).items), lost(game)[2]) == (["power"], 0)
    assert "play shoot" in game.legal()


def test_purification_may_leave_items_alone():
    """You may make a player discard an item of your choice."""
    game = scene().seat(0, hand="purification").seat(2, items="focus").build()
    act(game, "play purification", "choose bottom", "choose seat:2", "pass")
    assert kinds(game.seat(2).items) == ["focus"]


# ---------------------------------------------------------------- Revenge Shot


def test_revenge_shot_attacks_the_attacker():
    """When you are attacked, attack the attacker at any range, not counted as danmaku. It avoids nothing."""
    start = scene(6).seat(0, hand="last_word").seat(3, hand="revenge_shot revenge_shot")
    game = start.seat(1, hand="").build()
    game.act("play last_word")
    pass_until(game, "attacked", 3)
    act(game, "play revenge_shot", "play revenge_shot")
    assert lost(game) == [2, 1, 1, 1, 1, 1]


def test_revenge_shot_can_be_cancelled_as_danmaku():
    """When you are attacked, attack the attacker: a danmaku card, but no action card."""
    game = scene().seat(0, hand="shoot").seat(1, hand="revenge_shot").seat(2, hand="bomb interrupt").build()
    act(game, "play shoot", "choose seat:1")
    pass_until(game, "attacked", 1)
    game.act("play revenge_shot")
    assert (game.asking, game.question, game.legal()) == (2, "cancel", ["pass", "play bomb"])
    game.act("play bomb")
    assert lost(game) == [0, 1, 0, 0]


def test_revenge_shot_on_behalf_attacks_in_the_name_of_who_is_attacked():
    """When you are attacked, attack the attacker: Eirin plays it for another player, who then is the attacker (H-12)."""
    game = scene().seat(0, hand="shoot").seat(1).seat(2, "yagokoro_eirin", hand="revenge_shot").build()
    act(game, "play shoot", "choose seat:1")
    assert (game.asking, game.legal()) == (2, ["pass", "play revenge_shot"])
    game.act("play revenge_shot")
    assert lost(game) == [1, 1, 0, 0]
    assert "seat 1 attacks seat 0" in game.log


# ---------------------------------------------------------------- Full Power


def test_full_power_gives_three_range_and_three_danmaku_cards():
    """+3 range and three danmaku cards more per round."""
    game = scene(8).seat(0, hand="full_power shoot shoot shoot shoot shoot").build()
    assert game.seat(0).range == 1
    game.act("play full_power")
    assert game.seat(0).range == 4
    for _ in range(4):
        act(game, "play shoot", "choose seat:1", "pass")
    assert "play shoot" not in game.legal()


def test_full_power_is_one_powerup_card():
    """+3 range and three danmaku cards more per round. Lost like one powerup."""
    game = scene().seat(0, hand="shoot").seat(1, items="full_power").build()
    act(game, "play shoot", "choose seat:1")
    assert game.seat(1).items == []
    assert kinds(game.lunatic_discard) == ["full_power"]


# ---------------------------------------------------------------- Interrupt


def test_interrupt_cancels_an_action_card():
    """Cancel an action card or Spell Card somebody else has just announced."""
    game = scene().seat(0, hand="grimoire").seat(1, hand="interrupt").build()
    act(game, "play grimoire")
    assert (game.asking, game.question, game.legal()) == (1, "cancel", ["pass", "play interrupt"])
    game.act("play interrupt")
    assert game.seat(0).hand == []


def test_interrupt_cancels_spell_cards_of_both_kinds():
    """Cancel an action card or Spell Card somebody else has just announced (L-29)."""
    game = scene().seat(0, "kazami_yuuka", hand="spiritual_attack").seat(1, hand="interrupt").build()
    game.act("play spiritual_attack")
    pass_until(game, "cancel", 1)
    game.act("play interrupt")
    assert lost(game) == [0, 0, 0, 0]
    game = scene().seat(0, hand="shoot interrupt").seat(1, "izayoi_sakuya", hand="spiritual_attack").build()
    act(game, "play shoot", "choose seat:1")
    pass_until(game, "attacked", 1)
    game.act("play spiritual_attack")
    pass_until(game, "cancel", 0)
    game.act("play interrupt")
    assert lost(game) == [0, 1, 0, 0]


# ---------------------------------------------------------------- Reflect Shot


def test_reflect_shot_avoids_and_attacks():
    """Avoid an attack on you, then attack the attacker at any range, not counted as danmaku."""
    game = scene(6).seat(0, hand="last_word").seat(3, hand="reflect_shot").build()
    game.act("play last_word")
    pass_until(game, "attacked", 3)
    game.act("play reflect_shot")
    assert lost(game) == [1, 1, 1, 0, 1, 1]


def test_reflect_shot_cancelled_neither_avoids_nor_attacks():
    """Avoid an attack on you, then attack the attacker: a danmaku card that can be cancelled."""
    game = scene().seat(0, hand="shoot bomb").seat(1, hand="reflect_shot").build()
    act(game, "play shoot", "choose seat:1")
    pass_until(game, "attacked", 1)
    act(game, "play reflect_shot", "play bomb")
    assert lost(game) == [0, 1, 0, 0]


def test_reflect_shot_answers_what_cannot_be_avoided():
    """Avoid an attack on you, then attack the attacker: against a Laser Shot only the attack is left (A-12)."""
    game = scene().seat(0, hand="laser_shot").seat(1, hand="reflect_shot").build()
    act(game, "play laser_shot", "choose seat:1", "play reflect_shot")
    assert lost(game) == [1, 1, 0, 0]


def test_reflect_shot_costs_a_card_more_against_reimu():
    """Avoid an attack on you: a dodge card, which costs another card against Reimu (C-3). So does Erase Shot."""
    for dodge in ("reflect_shot", "erase_shot"):
        game = scene().seat(0, "hakurei_reimu", hand="shoot shoot").seat(1, hand=dodge).seat(3, hand=f"{dodge} voile").build()
        act(game, "play shoot", "choose seat:1")
        assert game.asking == 0  # nothing to pay with
        game = scene().seat(0, "hakurei_reimu", hand="shoot").seat(1).seat(3, hand=f"{dodge} voile").build()
        act(game, "play shoot", "choose seat:3", f"play {dodge}")
        assert (lost(game)[3], game.seat(3).hand) == (0, [])


@pytest.mark.parametrize("reimu", [False, True])
def test_a_copied_reflect_shot_costs_nothing_and_avoids_nothing_for_another(reimu):
    """H-14, K-18: Reisen cancels and copies it. She plays no dodge card and is not attacked: only the counterattack is left."""
    start = scene(6).seat(1, hand="reflect_shot power").seat(2, "reisen_udongein_inaba", hand="spiritual_attack")
    game = start.seat(0, "hakurei_reimu" if reimu else "", hand="erase_shot voile").build()
    act(game, "play erase_shot", "choose seat:1", "pass")  # Reisen lets the Erase Shot be
    act(game, "play reflect_shot", "play spiritual_attack", "choose yes")
    assert (game.asking, game.question) == (0, "main")
    assert lost(game) == [1, 1, 0, 0, 0, 0]


# ---------------------------------------------------------------- Scorched Earth


def test_scorched_earth_strips_all_items_then_attacks():
    """You may make a player discard all items; then attack that player if in range."""
    game = scene().seat(0, hand="scorched_earth").seat(2, items="focus power power").build()
    act(game, "play scorched_earth", "choose seat:2")
    assert (game.question, game.legal()) == ("may", ["pass", "choose yes"])
    game.act("choose yes")
    assert (game.seat(2).items, lost(game)[2]) == ([], 0)
    game = scene().seat(0, hand="scorched_earth").seat(1, items="focus power").build()
    act(game, "play scorched_earth", "choose seat:1", "choose yes")
    assert (game.seat(1).items, lost(game)[1]) == ([], 1)  # in range without the Focus (K-10)


def test_scorched_earth_takes_all_or_nothing():
    """You may make a player discard all items."""
    game = scene().seat(0, hand="scorched_earth shoot").seat(2, items="focus power").build()
    act(game, "play scorched_earth", "choose seat:2", "pass")
    assert (kinds(game.seat(2).items), lost(game)[2], "play shoot" in game.legal()) == (["focus", "power"], 0, False)


# ---------------------------------------------------------------- Nimble Cloth


def test_nimble_cloth_avoids_an_attack_for_a_card():
    """+1 distance; once per turn you may discard a card to avoid an attack on you."""
    game = scene(5).seat(0, hand="shoot erase_shot", items="power").seat(1, items="nimble_cloth", hand="power borrow").build()
    assert game.distance(0, 1) == 2
    act(game, "play erase_shot", "choose seat:1")
    assert (game.asking, game.question, game.legal()) == (1, "attacked", ["pass", "use nimble_cloth"])
    act(game, "use nimble_cloth", "choose card:borrow")
    assert (lost(game)[1], kinds(game.seat(1).hand)) == (0, ["power"])
    act(game, "play shoot", "choose seat:1")
    assert lost(game)[1] == 1  # once per turn (T-2)


def test_nimble_cloth_is_refreshed_on_every_turn():
    """Once per turn you may discard a card to avoid an attack on you: once in each player's turn (T-2)."""
    start = scene(turns=3).seat(0, hand="shoot", items="power").seat(1, items="nimble_cloth", hand="power power")
    game = start.seat(2, hand="shoot", items="power").build()
    act(game, "play shoot", "choose seat:1", "use nimble_cloth")
    assert lost(game)[1] == 0
    while game.turn == 0 or game.turn == 1:
        game.act("pass")
    pass_until(game, "main", 2)
    act(game, "play shoot", "choose seat:1")
    assert game.legal() == ["pass", "use nimble_cloth"]


def test_nimble_cloth_is_of_no_use_without_a_card_or_against_a_laser_shot():
    """You may discard a card to avoid an attack on you: a cost, and only what can be avoided (A-12)."""
    for hand, shot in (("", "shoot"), ("voile", "laser_shot")):
        game = scene().seat(0, hand=shot, items="power").seat(1, items="nimble_cloth", hand=hand).build()
        act(game, f"play {shot}", "choose seat:1")
        assert lost(game)[1] == 1


# ---------------------------------------------------------------- Spell Assist


def test_spell_assist_activates_the_spell_card():
    """Activate your Spell Card."""
    game = scene().seat(0, "kazami_yuuka", hand="spell_assist grimoire").build()
    game.act("play spell_assist")
    assert game.question == "half"
    game.act("choose top")
    pass_until(game, "main")
    assert game.seat(0).spell_used


def test_spell_assist_is_handed_on():
    """Show this card and put it into the hand of another player."""
    game = scene().seat(0, hand="spell_assist/summer").seat(1, hand="bomb interrupt").build()
    act(game, "play spell_assist", "choose seat:2")
    assert (game.seat(0).hand, game.seat(2).hand, game.discard) == ([], ["spell_assist/summer"], [])


def test_spell_assist_is_handed_on_in_the_middle_of_an_attack():
    """Show this card and put it into the hand of another player: an instant, who has played it still has priority (K-17)."""
    game = scene().seat(0, hand="shoot").seat(1, hand="lunatic_spell_assist/spring graze").build()
    act(game, "play shoot", "choose seat:1")
    pass_until(game, "attacked", 1)
    act(game, "play spell_assist", "choose seat:3")
    assert (game.asking, game.question, game.legal()) == (1, "attacked", ["pass", "play graze"])
    assert game.seat(3).hand == ["lunatic_spell_assist/spring"]


# ---------------------------------------------------------------- Ghost Lantern


def test_ghost_lantern_keeps_life_for_a_turn():
    """You cannot lose life for the rest of this turn."""
    start = scene(turns=3).seat(0, hand="shoot shoot", items="power").seat(1, hand="ghost_lantern", items="power")
    game = start.seat(2, hand="shoot").build()
    act(game, "play shoot", "choose seat:1")
    pass_until(game, "attacked", 1)
    game.act("play ghost_lantern")
    pass_until(game, "main")
    assert (lost(game)[1], game.seat(1).hand, kinds(game.seat(1).items)) == (0, [], ["power"])
    act(game, "play shoot", "choose seat:1")
    assert lost(game)[1] == 0
    end_turn(game)
    pass_until(game, "main", 2)
    act(game, "play shoot", "choose seat:1")
    assert (lost(game)[1], game.seat(1).items) == (1, [])


# ---------------------------------------------------------------- Gift of Yatagarasu


def test_gift_of_yatagarasu_is_for_another_or_for_oneself():
    """Another player draws 3; or draw 2."""
    game = scene().seat(0, hand="gift_of_yatagarasu gift_of_yatagarasu").build()
    act(game, "play gift_of_yatagarasu", "choose top")
    assert game.legal() == ["choose seat:1", "choose seat:2", "choose seat:3"]
    game.act("choose seat:2")
    assert len(game.seat(2).hand) == 3
    act(game, "play gift_of_yatagarasu", "choose bottom")
    assert len(game.seat(0).hand) == 2
    assert len(game.lunatic_discard) == 2


def test_gift_of_yatagarasu_may_bring_the_answer():
    """Draw 2: also while an attack is under way, to have something to answer it with."""
    game = scene().seat(0, hand="shoot").seat(1, hand="gift_of_yatagarasu").deck("graze voile").build()
    act(game, "play shoot", "choose seat:1")
    pass_until(game, "attacked", 1)
    act(game, "play gift_of_yatagarasu", "choose bottom")
    assert (game.question, game.legal()) == ("attacked", ["pass", "play graze"])


# ---------------------------------------------------------------- "Offering"


def test_offering_moves_any_item():
    """A player takes control of an item in play, both of your choice."""
    start = scene().seat(0, hand="offering", items="mini_hakkero").seat(1, items="power focus")
    game = start.build()
    game.act("play offering")
    assert game.legal() == ["choose seat:0", "choose seat:1"]
    act(game, "choose seat:1", "choose card:focus")
    assert game.legal() == ["choose seat:0", "choose seat:2", "choose seat:3"]
    game.act("choose seat:2")
    assert (kinds(game.seat(1).items), kinds(game.seat(2).items)) == (["power"], ["focus"])


def test_offering_leaves_the_choice_at_a_limit_to_its_player():
    """If it is one too many, you choose which one goes (L-8)."""
    game = scene().seat(0, hand="offering", items="focus").seat(1, items="nimble_cloth").build()
    act(game, "play offering", "choose seat:0", "choose seat:1")
    assert (game.asking, game.question, game.legal()) == (0, "limit", ["choose card:focus", "choose card:nimble_cloth"])
    game.act("choose card:nimble_cloth")
    assert kinds(game.seat(1).items) == ["focus"]


# ---------------------------------------------------------------- Point of Collection


def test_point_of_collection_takes_the_card():
    """An action, reaction or invocation card another player has just played goes to your hand when it is done."""
    game = scene().seat(0, hand="grimoire").seat(2, hand="point_of_collection").build()
    game.act("play grimoire")
    assert (game.asking, game.question, game.legal()) == (2, "cancel", ["pass", "play point_of_collection"])
    game.act("play point_of_collection")
    assert (len(game.seat(0).hand), kinds(game.seat(2).hand), kinds(game.discard)) == (2, ["grimoire"], [])
    assert kinds(game.lunatic_discard) == ["point_of_collection"]


def test_point_of_collection_takes_a_reaction_and_an_invocation():
    """An action, reaction or invocation card another player has just played."""
    game = scene().seat(0, hand="shoot").seat(1, hand="graze").seat(2, hand="point_of_collection").build()
    act(game, "play shoot", "choose seat:1", "pass")
    pass_until(game, "attacked", 1)
    game.act("play graze")
    assert (game.asking, game.question) == (2, "respond")
    game.act("play point_of_collection")
    assert (kinds(game.seat(2).hand), kinds(game.discard), lost(game)[1]) == (["graze"], ["shoot"], 0)
    game = scene().seat(0, "kazami_yuuka", hand="spiritual_attack grimoire").seat(2, hand="point_of_collection").build()
    game.act("play spiritual_attack")
    assert (game.asking, game.question) == (2, "respond")
    game.act("play point_of_collection")
    pass_until(game, "main")
    assert kinds(game.seat(2).hand)[-1] == "spiritual_attack"


def test_point_of_collection_takes_a_cancelled_card():
    """The card goes to your hand when it is done, or cancelled."""
    game = scene().seat(0, hand="grimoire").seat(1, hand="interrupt").seat(2, hand="point_of_collection").build()
    act(game, "play grimoire", "pass", "play point_of_collection", "play interrupt")
    assert (kinds(game.seat(2).hand), game.seat(0).hand) == (["grimoire"], [])


def test_point_of_collection_keeps_the_card_from_incidents():
    """No incident collects it."""
    start = scene().seat(0, hand="shoot grimoire").seat(2, hand="point_of_collection").incident("eternal_night", collected="shoot")
    game = start.build()
    act(game, "play shoot", "choose seat:1", "play point_of_collection")
    pass_until(game, "main")
    assert (kinds(game.seat(2).hand), len(game.collected)) == (["shoot"], 1)


def test_point_of_collection_takes_no_items_instants_or_spell_cards():
    """An action, reaction or invocation card: no item, no instant, and no ability or use of an item."""
    for plan in (
        {"hand": "power grimoire"},
        {"hand": "ghost_lantern grimoire"},
        {"items": "mini_hakkero", "hand": "voile tempest grimoire"},
    ):
        game = scene().seat(0, "kazami_yuuka", **plan).seat(2, hand="point_of_collection").build()
        game.act(next(answer for answer in game.legal() if answer.split()[-1] in ("power", "ghost_lantern", "mini_hakkero")))
        while game.question != "main":
            assert "play point_of_collection" not in game.legal()
            game.act(game.legal()[0] if game.asking == 0 else "pass")


# ---------------------------------------------------------------- Hourai Elixir


def test_hourai_elixir_heals_whoever_gains_it():
    """Whoever gains control of it regains 1 life: played, borrowed or given."""
    game = scene().seat(0, hand="hourai_elixir offering", life=2).seat(1, life=2).build()
    game.act("play hourai_elixir")
    assert game.seat(0).life == 3
    act(game, "play offering", "choose seat:1")
    assert (game.seat(0).life, game.seat(1).life) == (3, 3)


def test_hourai_elixir_heals_at_the_start_of_the_turn():
    """You regain 1 life at the start of your turn, up to max life."""
    game = scene(turns=2).seat(0, items="hourai_elixir", life=3, hand="grimoire").turn(0, step="start").build()
    pass_until(game, "main")
    assert game.seat(0).life == 4
    game = scene(turns=2).seat(0, items="hourai_elixir", hand="grimoire").turn(0, step="start").build()
    pass_until(game, "main")
    assert game.seat(0).life == 4


def test_hourai_elixir_heals_for_itself_alone():
    """Whoever gains control of it: another item brings nothing."""
    game = scene().seat(0, items="hourai_elixir", hand="power", life=2).build()
    game.act("play power")
    assert game.seat(0).life == 2


# ---------------------------------------------------------------- Jeweled Pagoda


def test_jeweled_pagoda_shields_cards_and_spell_cards():
    """+1 range; your cards and Spell Cards cannot be cancelled."""
    game = scene(5).seat(0, hand="shoot grimoire", items="jeweled_pagoda").seat(1, hand="bomb interrupt").build()
    assert game.seat(0).range == 2
    game.act("play grimoire")
    assert len(game.seat(0).hand) == 3
    game = scene().seat(0, "kazami_yuuka", hand="spiritual_attack grimoire", items="jeweled_pagoda").seat(1, hand="bomb interrupt").build()
    game.act("play spiritual_attack")
    while game.question != "main":
        assert game.question != "cancel"
        game.act("pass")


def test_jeweled_pagoda_goes_to_whoever_hits():
    """Whoever hits you takes control of this when the stack is empty."""
    game = scene().seat(0, hand="shoot grimoire").seat(1, items="jeweled_pagoda").build()
    act(game, "play shoot", "choose seat:1")
    assert (game.seat(0).items, game.seat(1).items) == (["jeweled_pagoda/summer"], [])
    game = scene().seat(0, hand="shoot grimoire").seat(1, items="jeweled_pagoda", hand="graze").build()
    act(game, "play shoot", "choose seat:1")
    pass_until(game, "attacked", 1)
    game.act("play graze")
    assert game.seat(1).items == ["jeweled_pagoda/summer"]


# ---------------------------------------------------------------- Seven Star Sword


def test_seven_star_sword_draws_a_lunatic_card_more():
    """A Lunatic card more in your draw step."""
    start = scene().seat(0, items="seven_star_sword").turn(0, step="draw").deck("party voile").lunatic_deck("interrupt")
    game = start.build()
    pass_until(game, "main")
    assert kinds(game.seat(0).hand) == ["interrupt", "party", "voile"]


def test_seven_star_sword_pays_whoever_loses_it():
    """Whoever loses control of it draws a Lunatic card: when it is discarded, taken or given away."""
    for hand, answers in (
        ("seal_away", ["choose seat:1"]),
        ("borrow", ["choose seat:1"]),
        ("offering", ["choose seat:1", "choose seat:2"]),
    ):
        game = scene().seat(0, hand=hand).seat(1, items="seven_star_sword").lunatic_deck("interrupt").build()
        game.act(f"play {hand}")
        for answer in answers:
            if answer in game.legal():
                game.act(answer)
        while game.question == "item":
            game.act("choose card:seven_star_sword")
        assert "interrupt" in kinds(game.seat(1).hand), hand


def test_seven_star_sword_of_the_defeated_pays_nobody():
    """Whoever loses control of it draws a Lunatic card, but not who is defeated."""
    game = scene().seat(0, hand="shoot grimoire").seat(1, items="seven_star_sword", life=1).build()
    act(game, "play shoot", "choose seat:1")
    pass_until(game, "main")
    assert (game.seat(1).defeated, game.seat(1).hand) == (True, [])


# ---------------------------------------------------------------- Spirit Camera


def test_spirit_camera_cancels_danmaku_cards_that_target_you():
    """You may discard a danmaku card to cancel a danmaku card that targets you."""
    game = scene().seat(0, hand="shoot").seat(1, items="spirit_camera", hand="laser_shot voile").build()
    act(game, "play shoot", "choose seat:1")
    assert (game.asking, game.question, game.legal()) == (1, "cancel", ["pass", "use spirit_camera"])
    game.act("use spirit_camera")
    assert (lost(game)[1], kinds(game.seat(1).hand)) == (0, ["voile"])
    game = scene().seat(0, hand="shoot").seat(1).seat(3, items="spirit_camera", hand="laser_shot").build()
    act(game, "play shoot", "choose seat:1")
    assert lost(game)[1] == 1  # somebody else is the target


def test_spirit_camera_draws_once_a_turn_for_a_hit():
    """Once per turn you may draw 1 when an attack of yours hits."""
    game = scene().seat(0, hand="erase_shot shoot", items="spirit_camera power").build()
    act(game, "play erase_shot", "choose seat:1")
    assert (game.asking, game.question) == (0, "may")
    game.act("pass")
    act(game, "play shoot", "choose seat:3")
    assert (game.asking, game.question) == (0, "may")
    game.act("choose yes")
    assert len(game.seat(0).hand) == 1
    game = scene().seat(0, hand="last_word", items="spirit_camera power").build()
    act(game, "play last_word", "choose yes")
    assert (len(game.seat(0).hand), lost(game)) == (1, [0, 1, 1, 1])  # the other hits bring nothing more


# ---------------------------------------------------------------- Uchide's Mallet


def test_uchides_mallet_hits_harder_and_surely():
    """Your attacks cannot be avoided and have +1 damage."""
    game = scene().seat(0, hand="shoot", items="uchides_mallet").seat(1, hand="graze erase_shot").build()
    act(game, "play shoot", "choose seat:1")
    assert lost(game)[1] == 2


def test_uchides_mallet_reaches_neighbours_only():
    """You attack nobody at a distance above 1, whatever else is said (D-4)."""
    start = scene(6).seat(0, hand="laser_shot last_word seal_away", items="uchides_mallet power").seat(3, items="focus")
    game = start.incident("crossing_to_higan").build()
    game.act("play laser_shot")
    assert game.legal() == ["choose seat:1", "choose seat:5"]
    game = start.build()
    game.act("play last_word")
    pass_until(game, "main") if not game.over else None
    assert lost(game) == [0, 2, 0, 0, 0, 2]


def test_uchides_mallet_allows_one_danmaku_card_a_round():
    """You play one danmaku card a round, whatever else is said: those too that are not counted (K-19)."""
    start = scene(turns=9).seat(0, hand="melee shoot", items="uchides_mallet power power").incident("eternal_night")
    game = start.build()
    act(game, "play melee", "choose seat:1")
    pass_until(game, "main") if game.question != "main" else None
    assert "play shoot" not in game.legal()
    game = (
        scene(turns=9)
        .seat(0, hand="erase_shot shoot", items="stopwatch")
        .seat(1, hand="revenge_shot revenge_shot", items="uchides_mallet")
        .build()
    )
    act(game, "play erase_shot", "choose seat:1")
    pass_until(game, "attacked", 1)
    game.act("play revenge_shot")
    pass_until(game, "main", 0)
    act(game, "play shoot", "choose seat:1")
    while game.question != "main" and not game.over:
        assert "play revenge_shot" not in game.legal()
        game.act("pass")


def test_uchides_mallet_is_handed_on():
    """In your turn you may discard a card to hand it to another player."""
    game = scene().seat(0, hand="grimoire", items="uchides_mallet").build()
    assert "use uchides_mallet" in game.legal()
    act(game, "use uchides_mallet", "choose seat:2")
    assert (game.seat(2).items, game.seat(0).hand) == (["uchides_mallet/spring"], [])


# ---------------------------------------------------------------- Tanuki Leaf


def test_tanuki_leaf_brings_an_extra_character():
    """Gaining control: recruit an Extra Character, with ability and Spell Card."""
    game = scene().seat(0, hand="tanuki_leaf").recruits(["cirno", "hakurei_reimu"]).build()
    game.act("play tanuki_leaf")
    assert (game.question, game.legal()) == ("character", ["choose character:cirno", "choose character:hakurei_reimu"])
    game.act("choose character:cirno")
    assert game.seat(0).extras == game.seat(0).abilities == game.seat(0).spell_cards == ["cirno"]
    assert game.seat(0).range == 3


def test_tanuki_leaf_takes_it_along_when_it_is_discarded():
    """Losing control: dismiss that Extra Character."""
    game = scene().seat(0, hand="seal_away").seat(1, items="tanuki_leaf", extras=["cirno"]).build()
    assert game.seat(1).range == 3
    act(game, "play seal_away", "choose seat:1", "choose card:tanuki_leaf")
    assert (game.seat(1).items, game.seat(1).extras, game.seat(1).range) == ([], [], 1)


def test_tanuki_leaf_brings_a_new_controller_another():
    """A new controller recruits a different one (the rulebook's answer on "Borrow")."""
    table = scene().seat(0, hand="borrow").seat(1, items="tanuki_leaf", extras=["cirno"])
    game = table.recruits(["hakurei_reimu", "kazami_yuuka"]).build()
    game.act("play borrow")
    assert (game.seat(1).extras, game.legal()) == ([], ["choose character:hakurei_reimu", "choose character:kazami_yuuka"])
    game.act("choose character:kazami_yuuka")
    assert (game.seat(0).extras, game.seat(0).items) == (["kazami_yuuka"], ["tanuki_leaf/autumn"])


def test_tanuki_leaf_that_goes_at_once_brings_nobody():
    """Of two artifacts one goes at once (C-8): if it is this, nobody is recruited; if it is the other, somebody is."""
    for gone, there in (("tanuki_leaf", 0), ("mini_hakkero", 1)):
        game = scene().seat(0, hand="tanuki_leaf", items="mini_hakkero").build()
        act(game, "play tanuki_leaf", f"choose card:{gone}")
        while game.question == "character":
            game.act(game.legal()[0])
        assert len(game.seat(0).extras) == there


def test_tanuki_leaf_under_a_flood_gives_nothing():
    """Items without effect (H-16): the Extra Character stays, its ability and Spell Card come back with the item."""
    table = scene(turns=3).seat(0, "kawashiro_nitori").seat(1, items="tanuki_leaf", extras=["cirno"])
    game = table.lasting("items have no effect", until=0, on=1).turn(3).build()
    assert (game.seat(1).extras, game.seat(1).abilities, game.seat(1).spell_cards) == (["cirno"], [], [])
    game.act("pass")
    assert (game.turn, game.seat(1).abilities) == (0, ["cirno"])
