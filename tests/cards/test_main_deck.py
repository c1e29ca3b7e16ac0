"""One test or more per card of the Main deck, in box order. The first line of a docstring says what is printed, in our words."""

import pytest

from danmaku_env import IllegalAction
from tests.table import act, kinds, pass_until, scene

# ---------------------------------------------------------------- 1UP


def test_one_up_heals_any_hurt_player():
    """A player of your choice regains 1 life."""
    game = scene().seat(0, role="heroine", hand="one_up", life=4).seat(2, life=2).build()
    game.act("play one_up")
    assert game.legal() == ["choose seat:0", "choose seat:2"]
    game.act("choose seat:2")
    assert game.seat(2).life == 3
    assert game.seat(0).life == 4
    assert kinds(game.discard) == ["one_up"]


def test_one_up_heals_up_to_max_life_only():
    """A player of your choice regains 1 life. Not offered while everybody has full life."""
    game = scene().seat(0, role="heroine", hand="one_up grimoire").build()
    assert game.legal() == ["pass", "play grimoire"]


def test_one_up_rescues_another_player_at_zero():
    """A player at 0 life who is not yet defeated is back at 1 life, and keeps the card drawn for the lost life."""
    game = scene().seat(0, role="heroine", hand="shoot").seat(1, life=1).seat(3, hand="one_up").deck("focus").build()
    act(game, "play shoot", "choose seat:1")
    assert (game.asking, game.question) == (3, "rescue")
    assert game.seat(1).life == 0
    assert not game.seat(1).defeated
    game.act("play one_up")
    assert game.seat(1).life == 1
    assert not game.seat(1).defeated
    assert kinds(game.seat(1).hand) == ["focus"]
    assert kinds(game.discard) == ["one_up", "shoot"]


def test_one_up_rescues_while_a_spell_card_is_announced():
    """A player at 0 life is back at 1 life from the moment the last life is lost (A-6): here paid for a Spell Card not yet carried out."""
    start = scene().seat(0, "kazami_yuuka", life=1).seat(2, hand="one_up bomb").incident("overdrive").deck("power power power")
    game = start.build()
    game.act("spell overdrive")
    assert (game.asking, game.question, game.legal()) == (2, "cancel", ["pass", "play one_up", "play bomb"])
    game.act("play one_up")
    assert (game.seat(0).life, game.question) == (1, "cancel")


def test_one_up_rescues_before_what_lies_below_on_the_stack():
    """A player at 0 life is back at 1 life: here when Youmu's extra attack is over, and her Shoot still to come (K-3)."""
    start = scene().seat(0, "konpaku_youmu", hand="shoot grimoire").seat(1, life=1).seat(2, hand="one_up").deck("power power")
    game = start.build()
    act(game, "play shoot", "choose seat:3", "choose seat:1")
    assert (game.asking, game.question, game.legal()) == (2, "respond", ["pass", "play one_up"])
    game.act("play one_up")
    assert [seat.life for seat in game.seats] == [4, 1, 4, 4]


def test_one_up_names_whom_it_rescues():
    """A player at 0 life who is not yet defeated is back at 1 life: one of them, if there are several."""
    start = scene().seat(0, hand="last_word").seat(1, life=1).seat(2, life=1, hand="one_up").deck("power power power")
    game = start.build()
    game.act("play last_word")
    pass_until(game, "rescue", 2)
    game.act("play one_up")
    assert (game.question, game.legal()) == ("target", ["choose seat:2", "choose seat:1"])
    game.act("choose seat:1")
    assert not game.seat(1).defeated
    assert game.seat(2).defeated


def test_one_up_drawn_for_the_last_life_saves_its_owner():
    """A player at 0 life who is not yet defeated is back at 1 life."""
    game = scene().seat(0, role="heroine", hand="shoot").seat(1, life=1).deck("one_up").build()
    act(game, "play shoot", "choose seat:1")
    assert (game.asking, game.question) == (1, "rescue")
    game.act("play one_up")
    assert game.seat(1).life == 1


def test_one_up_declined_means_defeat():
    """A player at 0 life who is not yet defeated is back at 1 life; whoever is defeated stays defeated."""
    start = scene().seat(0, role="heroine", hand="shoot one_up", life=4).seat(1, role="ex_boss", life=1).seat(3, life=2)
    game = start.deck("focus").build()
    act(game, "play shoot", "choose seat:1", "pass")
    assert game.seat(1).defeated
    game.act("play one_up")
    assert game.legal() == ["choose seat:0", "choose seat:3"]


# ---------------------------------------------------------------- Bomb


def test_bomb_activates_the_own_spell_card():
    """Activate your Spell Card; the round's only activation."""
    game = scene().seat(0, "patchouli_knowledge", role="heroine", hand="bomb bomb").deck("grimoire graze").build()
    act(game, "play bomb", "pass")  # Philosopher's Stone without its attack
    assert kinds(game.seat(0).hand) == ["bomb", "graze", "grimoire"]
    assert game.seat(0).spell_used
    assert game.legal() == ["pass", "play grimoire"]


def test_bomb_cancels_a_danmaku_card():
    """Cancel a danmaku card or Spell Card somebody else has just announced."""
    game = scene().seat(0, role="heroine", hand="shoot").seat(2, hand="bomb").build()
    act(game, "play shoot", "choose seat:1")
    assert (game.asking, game.question) == (2, "cancel")
    game.act("play bomb")
    assert game.seat(1).life == 4
    assert game.seat(0).danmaku_played == 1
    assert [card.split("/")[0] for card in game.discard] == ["shoot", "bomb"]


def test_bomb_cancels_a_spell_card_whose_activation_stays_used():
    """Cancel a danmaku card or Spell Card somebody else has just announced."""
    game = scene().seat(0, "patchouli_knowledge", role="heroine", hand="spiritual_attack").seat(2, hand="bomb").build()
    act(game, "play spiritual_attack", "pass")
    assert (game.asking, game.question) == (2, "cancel")
    game.act("play bomb")
    assert game.seat(0).hand == []
    assert game.seat(0).spell_used


def test_bomb_does_not_answer_one_self_nor_a_plain_action_card():
    """Cancel a danmaku card or Spell Card somebody else has just announced."""
    game = scene().seat(0, role="heroine", hand="shoot bomb").seat(1, hand="bomb").build()
    act(game, "play shoot", "choose seat:1")
    assert game.asking == 1  # the attacker with a Bomb of her own is not asked
    game.act("pass")
    assert game.seat(1).life == 3
    game = scene().seat(0, role="heroine", hand="grimoire").seat(1, hand="bomb").build()
    game.act("play grimoire")
    assert len(game.seat(0).hand) == 2
    assert kinds(game.seat(1).hand) == ["bomb"]


def test_bomb_is_not_cancelled_by_another_bomb():
    """Cancel a danmaku card or Spell Card; the cancelling half of a Bomb is neither."""
    game = scene().seat(0, role="heroine", hand="shoot bomb").seat(1, hand="bomb").seat(2, hand="bomb").build()
    act(game, "play shoot", "choose seat:1", "play bomb")
    assert game.over  # nobody was asked any more
    assert game.seat(1).life == 4
    assert kinds(game.seat(0).hand) == ["bomb"]
    assert kinds(game.seat(2).hand) == ["bomb"]


def test_bomb_answers_a_spell_card_that_cancels():
    """Cancel a danmaku card or Spell Card: Keine's cancelled cancel lets the first card through."""
    game = scene().seat(0, role="heroine", hand="grimoire bomb").seat(1, "kamishirasawa_keine", hand="spiritual_attack").build()
    act(game, "play grimoire", "play spiritual_attack", "pass")
    assert (game.asking, game.question) == (0, "cancel")
    game.act("play bomb")
    assert len(game.seat(0).hand) == 2  # Grimoire drew
    assert game.seat(1).spell_used


def test_bomb_used_to_cancel_leaves_the_spell_card_of_the_round():
    """Cancel a danmaku card or Spell Card: independent of the one activation per round."""
    game = scene().seat(0, role="heroine", hand="shoot").seat(1, "patchouli_knowledge", hand="bomb", spell_used=True).build()
    act(game, "play shoot", "choose seat:1", "play bomb")
    assert game.seat(1).life == 4
    game = scene().seat(0, role="heroine", hand="shoot").seat(1, "patchouli_knowledge", hand="bomb").build()
    act(game, "play shoot", "choose seat:1", "play bomb")
    assert not game.seat(1).spell_used


def test_bomb_asks_for_the_half_when_both_fit():
    """Activate your Spell Card, or cancel: Keine may use either half against a danmaku card."""
    game = scene().seat(0, role="heroine", hand="shoot").seat(1, "kamishirasawa_keine", hand="bomb").build()
    act(game, "play shoot", "choose seat:1", "play bomb")
    assert (game.asking, game.question) == (1, "half")
    act(game, "choose top", "choose seat:0")  # Phantasmal Emperor cancels and attacks
    assert game.seat(1).life == 4
    assert game.seat(0).life == 4
    assert game.seat(1).spell_used


# ---------------------------------------------------------------- "Borrow"


def test_borrow_takes_control_of_an_item():
    """Take control of an item somebody has in play."""
    game = scene().seat(0, role="heroine", hand="borrow", items="focus").seat(2, items="power stopwatch").build()
    game.act("play borrow")
    assert (game.question, game.legal()) == ("item", ["choose card:power", "choose card:stopwatch"])
    game.act("choose card:power")
    assert kinds(game.seat(0).items) == ["focus", "power"]
    assert kinds(game.seat(2).items) == ["stopwatch"]
    assert game.seat(0).range == 2


def test_borrow_of_a_second_artifact_makes_one_go():
    """Take control of an item; of two artifacts the new controller discards one, possibly the borrowed one."""
    game = scene().seat(0, role="heroine", hand="borrow", items="mini_hakkero").seat(2, items="stopwatch").build()
    game.act("play borrow")
    assert (game.asking, game.question) == (0, "limit")
    assert game.legal() == ["choose card:mini_hakkero", "choose card:stopwatch"]
    game.act("choose card:stopwatch")
    assert kinds(game.seat(0).items) == ["mini_hakkero"]
    assert kinds(game.discard) == ["borrow", "stopwatch"]


def test_borrow_of_the_sutra_scroll_draws_nothing():
    """Take control of an item; that is not playing it."""
    game = scene().seat(0, role="heroine", hand="borrow").seat(2, items="sorcerers_sutra_scroll").build()
    game.act("play borrow")
    assert game.seat(0).hand == []
    assert game.seat(0).max_hand == 8


def test_borrow_takes_what_the_item_gives():
    """Take control of an item somebody has in play: it works for the new controller, and for the old one no more."""
    start = scene().seat(0, hand="borrow").seat(1, items="power power").seat(2, items="focus")
    game = start.build()
    act(game, "play borrow", "choose seat:1")
    assert (game.asking, game.question) == (None, "none")  # one player, one item: there is nothing more to say
    assert [seat.range for seat in game.seats] == [2, 2, 1, 1]
    assert [seat.danmaku_limit for seat in game.seats] == [2, 2, 1, 1]


def test_borrow_needs_an_item_of_somebody_else():
    """Take control of an item somebody else has in play."""
    game = scene().seat(0, role="heroine", hand="borrow grimoire", items="focus").build()
    assert game.legal() == ["pass", "play grimoire"]


# ---------------------------------------------------------------- Capture Spell Card


def test_capture_spell_card_of_marisa_counts_the_own_powerups():
    """Activate the Spell Card of another player, defeated or not, as your own."""
    game = scene().seat(0, "ibuki_suika", role="heroine", hand="capture_spell_card", items="power power").seat(2, "kirisame_marisa").build()
    act(game, "play capture_spell_card", "choose seat:3")
    assert game.seat(3).life == 1  # 1 plus two powerups
    assert game.seat(0).spell_used


def test_capture_spell_card_of_a_reaction_waits_for_its_moment():
    """Activate the Spell Card of another player in its own timing."""
    start = scene().seat(0, role="heroine", hand="shoot").seat(1, "ibuki_suika", hand="capture_spell_card")
    game = start.seat(2, "hong_meiling").build()
    act(game, "play shoot", "choose seat:1")
    assert (game.asking, game.question) == (1, "attacked")
    game.act("play capture_spell_card")
    assert game.seat(0).life == 4  # Meiling's counterattack
    assert game.seat(1).life == 3  # which avoids nothing
    assert len(game.seat(1).hand) == 3
    start.seat(0, role="heroine").seat(1, "ibuki_suika", hand="capture_spell_card grimoire").turn(1)
    assert start.build().legal() == ["pass", "play grimoire"]


def test_capture_spell_card_reaches_defeated_players():
    """Activate the Spell Card of another player, defeated or not: The World avoids the attack and ends actions."""
    start = scene().seat(0, role="heroine", hand="shoot grimoire focus").seat(1, "ibuki_suika", hand="capture_spell_card")
    game = start.seat(2, "izayoi_sakuya", role="ex_boss", defeated=True).deck("graze").build()
    act(game, "play shoot", "choose seat:1", "play capture_spell_card")
    assert game.seat(1).life == 4
    assert game.seat(0).life == 4
    assert game.legal() == ["pass", "play focus"]


# ---------------------------------------------------------------- Focus


def test_focus_adds_two_distance():
    """Others need 2 more range to reach you."""
    game = scene(6).seat(0, role="heroine", items="focus", hand="shoot").build()
    assert game.distance(1, 0) == 3
    assert game.distance(3, 0) == 5
    assert game.distance(0, 1) == 1
    assert not game.in_range(1, 0)
    assert game.in_range(0, 1)


def test_focus_is_limited_to_one_defense_card():
    """Others need 2 more range to reach you; a second defense card makes one go."""
    game = scene().seat(0, role="heroine", hand="focus", items="supernatural_border").build()
    game.act("play focus")
    assert (game.question, game.legal()) == ("limit", ["choose card:focus", "choose card:supernatural_border"])
    game.act("choose card:supernatural_border")
    assert kinds(game.seat(0).items) == ["focus"]


# ---------------------------------------------------------------- Graze


def test_graze_avoids_an_attack_on_oneself():
    """Avoid an attack on you."""
    game = scene().seat(0, role="heroine", hand="shoot").seat(1, hand="graze").build()
    act(game, "play shoot", "choose seat:1")
    assert (game.asking, game.question) == (1, "attacked")
    game.act("play graze")
    assert game.seat(1).life == 4
    assert kinds(game.discard) == ["graze", "shoot"]


def test_graze_for_another_player_costs_a_danmaku_card():
    """Avoid an attack on you; for an attack on somebody else, discard a danmaku card too."""
    start = scene().seat(0, role="heroine", hand="shoot")
    game = start.seat(2, hand="graze shoot grimoire").build()
    act(game, "play shoot", "choose seat:1")
    assert (game.asking, game.question) == (2, "attacked")
    game.act("play graze")
    assert game.seat(1).life == 4
    assert kinds(game.seat(2).hand) == ["grimoire"]
    assert game.seat(2).danmaku_played == 0
    game = start.seat(2, hand="graze grimoire").build()  # without a danmaku card nobody can be protected
    act(game, "play shoot", "choose seat:1")
    assert game.seat(1).life == 3
    assert kinds(game.seat(2).hand) == ["graze", "grimoire"]


def test_graze_for_another_player_costs_one_danmaku_card_only():
    """For an attack on somebody else, discard a danmaku card too: one, however many there are; against Reimu any card more."""
    game = scene().seat(0, hand="shoot").seat(2, hand="graze shoot shoot grimoire").build()
    act(game, "play shoot", "choose seat:1", "play graze")
    assert kinds(game.seat(2).hand) == ["grimoire", "shoot"]
    game = scene().seat(0, "hakurei_reimu", hand="shoot").seat(1, hand="graze power grimoire focus").build()
    act(game, "play shoot", "choose seat:1", "play graze", "choose card:focus")
    assert kinds(game.seat(1).hand) == ["grimoire", "power"]
    assert game.asking != 1, "nothing more is to be paid"
    assert game.seat(1).life == 4


def test_graze_avoids_one_attack_only():
    """Avoid an attack on you: other attacks of the same card go on."""
    game = scene().seat(0, role="heroine", hand="last_word").seat(1, hand="graze").build()
    act(game, "play last_word", "play graze")
    assert [game.seat(seat).life for seat in range(4)] == [5, 4, 3, 3]


# ---------------------------------------------------------------- Grimoire


def test_grimoire_draws_two():
    """Draw 2 cards."""
    game = scene().seat(0, role="heroine", hand="grimoire").deck("focus graze shoot").build()
    game.act("play grimoire")
    assert kinds(game.seat(0).hand) == ["focus", "graze"]
    assert game.deck[0].startswith("shoot/")


# ---------------------------------------------------------------- Kourindou


def test_kourindou_draws_one_more_than_discarded():
    """Discard as many hand cards as you like while playing this, then draw one more than that."""
    game = scene().seat(0, role="heroine", hand="kourindou graze graze focus").deck(["power"] * 4).build()
    act(game, "play kourindou", "choose card:graze", "choose card:graze", "pass")
    assert kinds(game.seat(0).hand) == ["focus", "power", "power", "power"]
    assert kinds(game.discard) == ["graze", "graze", "kourindou"]


def test_kourindou_may_discard_nothing():
    """Discard as many hand cards as you like, also none, then draw one more than that."""
    game = scene().seat(0, role="heroine", hand="kourindou focus").build()
    act(game, "play kourindou", "pass")
    assert len(game.seat(0).hand) == 2


def test_kourindou_cancelled_loses_the_discards():
    """Discard as many hand cards as you like while playing this; a cancelled card gives nothing back."""
    game = scene().seat(0, role="heroine", hand="kourindou graze").seat(1, "kamishirasawa_keine", hand="spiritual_attack").build()
    act(game, "play kourindou", "choose card:graze", "play spiritual_attack", "pass")
    assert game.seat(0).hand == []
    assert kinds(game.discard) == ["graze", "kourindou", "spiritual_attack"]


# ---------------------------------------------------------------- Laser Shot


def test_laser_shot_ignores_range_and_dodging():
    """Attack anybody at any range; the attack cannot be avoided."""
    game = scene(6).seat(0, role="heroine", hand="laser_shot").seat(3, hand="graze").build()
    game.act("play laser_shot")
    assert game.legal() == [f"choose seat:{seat}" for seat in range(1, 6)]
    game.act("choose seat:3")
    assert game.seat(3).life == 3
    assert "graze" in kinds(game.seat(3).hand)


def test_laser_shot_counts_and_can_be_cancelled():
    """Attack anybody at any range; the attack cannot be avoided, but the card can be cancelled."""
    game = scene().seat(0, role="heroine", hand="laser_shot shoot grimoire").seat(2, hand="bomb").build()
    act(game, "play laser_shot", "choose seat:1", "play bomb")
    assert game.seat(1).life == 4
    assert game.legal() == ["pass", "play grimoire"]


# ---------------------------------------------------------------- Last Word


def test_last_word_attacks_everybody_else():
    """Attack everybody else, whatever the range."""
    game = scene(6).seat(0, role="heroine", hand="last_word").seat(3, items="focus").build()
    game.act("play last_word")
    assert [game.seat(seat).life for seat in range(6)] == [5, 3, 3, 3, 3, 3]
    assert game.seat(0).danmaku_played == 1


# ---------------------------------------------------------------- Master Plan


def test_master_plan_resolves_the_incident_and_orders_the_deck():
    """The incident in play is resolved; then look at 3 cards of a deck and put each on its top or bottom."""
    game = (
        scene()
        .seat(0, role="heroine", hand="master_plan")
        .incident("spring_snow", collected="shoot/spring")
        .deck("focus/autumn graze/winter bomb/spring power/winter")
        .build()
    )
    act(game, "play master_plan", "choose deck:main")
    assert game.incident is None
    assert game.collected == []
    assert game.discard == ["shoot/spring"]
    assert game.legal() == ["choose card:bomb", "choose card:focus", "choose card:graze"]
    act(game, "choose card:bomb", "choose bottom", "choose card:focus", "choose top", "choose top")
    assert game.deck[:3] == ["graze/winter", "focus/autumn", "power/winter"]
    assert game.deck[-1] == "bomb/spring"
    assert game.seat(0).hand == []


def test_master_plan_may_order_the_incident_deck():
    """The incident in play is resolved; then look at 3 cards of a deck and put each on its top or bottom."""
    game = scene().seat(0, role="heroine", hand="master_plan").incident_deck(top="lily_white overdrive spring_snow endless_party").build()
    act(game, "play master_plan", "choose deck:incident", "choose incident:spring_snow", "choose top")
    act(game, "choose incident:lily_white", "choose bottom", "choose top")
    assert game.incident_deck[:3] == ["overdrive", "spring_snow", "endless_party"]
    assert game.incident_deck[-1] == "lily_white"


def test_master_plan_returns_the_very_copy_that_is_chosen():
    """Look at 3 cards of a deck and put each on its top or bottom: of two copies of a card the one you say."""
    game = scene().seat(0, hand="master_plan").deck("graze/winter graze/spring bomb/spring").build()
    act(game, "play master_plan", "choose deck:main", "choose card:graze")
    assert (game.question, game.legal()) == ("season", ["choose season:spring", "choose season:winter"])
    act(game, "choose season:winter", "choose bottom", "choose card:graze", "choose bottom", "choose top")
    assert game.deck[-2:] == ["graze/winter", "graze/spring"]


def test_master_plan_names_its_deck_before_anybody_can_cancel_it():
    """The incident in play is resolved; then look at 3 cards of a deck: named when the card is announced."""
    game = scene().seat(0, hand="master_plan").seat(1, "kamishirasawa_keine", hand="spiritual_attack").incident("spring_snow").build()
    game.act("play master_plan")
    assert (game.asking, game.question, game.legal()) == (0, "deck", ["choose deck:main", "choose deck:incident"])
    game = scene().seat(0, hand="master_plan").seat(1, "kamishirasawa_keine", hand="spiritual_attack").build()
    act(game, "play master_plan", "choose deck:incident")
    assert (game.asking, game.question) == (1, "cancel")


# ---------------------------------------------------------------- Melee


def test_melee_does_not_count_and_has_any_range():
    """Attack anybody, not counted as danmaku."""
    game = scene(6).seat(0, role="heroine", hand="melee", danmaku_played=1).build()
    act(game, "play melee", "choose seat:3")
    assert game.seat(3).life == 3
    assert game.seat(0).danmaku_played == 1


def test_melee_is_handed_on_for_danmaku_cards():
    """Attack anybody; the attacked player may discard a danmaku card to hand the attack on, and so on."""
    game = scene(6).seat(0, role="heroine", hand="melee laser_shot").seat(3, hand="shoot").deck("focus graze power").build()
    act(game, "play melee", "choose seat:3")
    assert (game.asking, game.question, game.seat(3).life) == (3, "discard", 3)
    game.act("choose card:shoot")
    assert (game.asking, game.question) == (3, "target")
    assert "choose seat:3" not in game.legal()
    game.act("choose seat:0")
    assert game.seat(0).life == 4
    assert (game.asking, game.question) == (0, "discard")
    act(game, "choose card:laser_shot", "choose seat:1")
    assert game.seat(1).life == 3
    assert kinds(game.seat(1).hand) == ["power"]  # no danmaku card, so the chain ends here
    assert game.seat(0).danmaku_played == 0
    assert game.seat(3).danmaku_played == 0


def test_melee_is_not_for_oneself():
    """Attack anybody: somebody else, who must be named."""
    game = scene().seat(0, hand="melee").build()
    game.act("play melee")
    assert game.legal() == ["choose seat:1", "choose seat:2", "choose seat:3"]


def test_melee_handed_on_can_be_avoided():
    """Attack anybody; handed on it is the same attack, by the one who hands it on: a dodge card avoids it."""
    game = scene().seat(0, hand="melee").seat(1, hand="shoot").seat(2, hand="graze").build()
    act(game, "play melee", "choose seat:1", "choose card:shoot", "choose seat:2")
    assert (game.asking, game.question) == (2, "attacked")
    game.act("play graze")
    assert [seat.life for seat in game.seats] == [4, 3, 4, 5]


def test_melee_avoided_is_handed_on_all_the_same():
    """Attack anybody; the attacked player may discard a danmaku card to hand the attack on, also after avoiding it."""
    game = scene().seat(0, role="heroine", hand="melee").seat(1, hand="graze shoot").build()
    act(game, "play melee", "choose seat:1", "play graze", "choose card:shoot", "choose seat:2")
    assert game.seat(1).life == 4
    assert game.seat(2).life == 3


# ---------------------------------------------------------------- Mini-Hakkero


def test_mini_hakkero_gives_range():
    """+3 range."""
    game = scene(8).seat(0, role="heroine", hand="mini_hakkero").build()
    game.act("play mini_hakkero")
    assert game.seat(0).range == 4
    assert game.in_range(0, 4)


def test_mini_hakkero_activates_the_spell_card_for_two_cards():
    """You may discard 2 cards to activate your Spell Card."""
    game = (
        scene().seat(0, "patchouli_knowledge", role="heroine", items="mini_hakkero", hand="graze graze focus").deck("power power").build()
    )
    assert game.legal() == ["pass", "use mini_hakkero", "play focus"]
    act(game, "use mini_hakkero", "choose card:graze", "choose card:graze", "pass")
    assert kinds(game.seat(0).hand) == ["focus", "power", "power"]
    assert kinds(game.discard) == ["graze", "graze"]
    assert game.seat(0).spell_used
    assert game.legal() == ["pass", "play focus", "play power"]


def test_mini_hakkero_obeys_the_timing_of_the_spell_card():
    """You may discard 2 cards to activate your Spell Card, on others' turns when it is a reaction."""
    game = scene().seat(0, role="heroine", hand="shoot").seat(1, "hong_meiling", items="mini_hakkero", hand="focus focus").build()
    act(game, "play shoot", "choose seat:1")
    assert (game.asking, game.legal()) == (1, ["pass", "use mini_hakkero"])
    game.act("use mini_hakkero")
    assert game.seat(0).life == 4
    assert game.seat(1).life == 3
    game = scene().seat(0, "hong_meiling", role="heroine", items="mini_hakkero", hand="shoot focus").build()
    assert game.legal() == ["pass", "play focus", "play shoot"]


def test_mini_hakkero_activates_a_spell_card_that_cancels():
    """You may discard 2 cards to activate your Spell Card, here in a cancel window."""
    start = scene().seat(0, hand="grimoire").seat(1, "kamishirasawa_keine", items="mini_hakkero", hand="focus focus")
    game = start.build()
    game.act("play grimoire")
    assert (game.asking, game.question, game.legal()) == (1, "cancel", ["pass", "use mini_hakkero"])
    act(game, "use mini_hakkero", "pass")
    assert game.seat(0).hand == []


def test_mini_hakkero_needs_two_cards():
    """You may discard 2 cards to activate your Spell Card."""
    game = scene().seat(0, "patchouli_knowledge", role="heroine", items="mini_hakkero", hand="shoot").build()
    assert game.legal() == ["pass", "play shoot"]


# ---------------------------------------------------------------- Party


def test_party_deals_a_card_to_everybody():
    """Draw a card for each active player and deal those out, one to everybody, as you choose; then draw 1."""
    game = scene().seat(0, role="heroine", hand="party shoot").deck("bomb focus graze power stopwatch").build()
    act(game, "play party")
    assert game.legal() == ["choose card:bomb", "choose card:focus", "choose card:graze", "choose card:power"]
    act(game, "choose card:graze", "choose card:bomb", "choose card:power")
    assert kinds(game.seat(0).hand) == ["graze", "shoot", "stopwatch"]
    assert [kinds(game.seat(seat).hand) for seat in (1, 2, 3)] == [["bomb"], ["power"], ["focus"]]


def test_party_leaves_out_the_defeated():
    """Draw a card for each active player and deal those out, one to everybody; then draw 1."""
    game = scene().seat(0, role="heroine", hand="party").seat(2, role="ex_boss", defeated=True).deck(["shoot"] * 5).build()
    game.act("play party")
    assert [len(game.seat(seat).hand) for seat in range(4)] == [2, 1, 0, 1]


def test_party_counts_players_and_not_cards():
    """Draw a card for each active player and deal those out: five for five players, whatever the hand holds."""
    deck = "bomb/spring focus/summer graze/spring power/spring stopwatch/winter voile/autumn"
    game = scene(5).seat(0, hand="party shoot grimoire").deck(deck).build()
    game.act("play party")
    assert game.legal() == [f"choose card:{card}" for card in ("bomb", "focus", "graze", "power", "stopwatch")]
    act(game, "choose card:graze", "choose card:bomb", "choose card:power", "choose card:focus")
    assert [len(seat.hand) for seat in game.seats] == [4, 1, 1, 1, 1]
    assert "voile/autumn" in game.seat(0).hand


# ---------------------------------------------------------------- Power


def test_power_adds_range_and_danmaku_cards():
    """+1 range and one danmaku card more per round."""
    game = scene().seat(0, role="heroine", hand="power power shoot shoot").build()
    act(game, "play power", "play power")
    assert game.seat(0).range == 3
    assert game.seat(0).danmaku_limit == 3
    act(game, "play shoot", "choose seat:2", "pass", "play shoot", "choose seat:2")
    assert game.seat(2).life == 2


def test_power_is_lost_by_a_hit():
    """+1 range and one danmaku card more per round; who loses life to an attack discards a powerup of her choice."""
    game = scene().seat(0, role="heroine", hand="laser_shot").seat(2, items="power supernatural_border").build()
    act(game, "play laser_shot", "choose seat:2")
    assert (game.asking, game.question) == (2, "powerup")
    assert game.legal() == ["choose card:power", "choose card:supernatural_border"]
    game.act("choose card:power")
    assert kinds(game.seat(2).items) == ["supernatural_border"]


# ---------------------------------------------------------------- Seal Away


def test_seal_away_removes_an_item_then_attacks():
    """You may make a player discard an item of your choice; then attack that player if in range."""
    game = scene().seat(0, role="heroine", hand="seal_away").seat(1, items="power stopwatch").build()
    act(game, "play seal_away", "choose seat:1", "choose card:stopwatch")
    assert game.seat(1).life == 3
    assert kinds(game.seat(1).items) == []  # the Power went with the life
    assert game.seat(0).danmaku_played == 1


def test_seal_away_of_focus_brings_the_target_into_range():
    """You may make a player discard an item of your choice; then attack that player if in range by then."""
    start = scene().seat(0, role="heroine", hand="seal_away").seat(1, items="focus")
    game = start.build()
    act(game, "play seal_away", "choose seat:1", "choose card:focus")
    assert game.seat(1).life == 3
    game = start.build()
    act(game, "play seal_away", "choose seat:1", "pass")
    assert game.seat(1).life == 4
    assert kinds(game.seat(1).items) == ["focus"]


def test_seal_away_out_of_range_only_takes_the_item():
    """You may make a player discard an item of your choice; then attack that player if in range."""
    game = scene(6).seat(0, role="heroine", hand="seal_away").seat(3, items="power").build()
    act(game, "play seal_away", "choose seat:3", "choose card:power")
    assert game.seat(3).items == []
    assert game.seat(3).life == 4


def test_seal_away_cancelled_does_neither():
    """You may make a player discard an item of your choice; then attack: cancelled, nothing of it happens."""
    game = scene().seat(0, role="heroine", hand="seal_away").seat(1, items="power", hand="bomb").build()
    act(game, "play seal_away", "choose seat:1", "choose card:power", "play bomb")
    assert kinds(game.seat(1).items) == ["power"]
    assert game.seat(1).life == 4


# ---------------------------------------------------------------- Shoot


def test_shoot_attacks_in_range_once_per_round():
    """Attack a player in range."""
    game = scene(6).seat(0, role="heroine", hand="shoot graze").build()
    game.act("play shoot")
    assert game.legal() == ["choose seat:1", "choose seat:5"]
    game.act("choose seat:5")
    assert game.seat(5).life == 3
    assert len(game.seat(5).hand) == 1


def test_shoot_is_limited_to_one_per_round():
    """Attack a player in range; one danmaku card per round."""
    game = scene().seat(0, role="heroine", hand="shoot shoot grimoire").build()
    act(game, "play shoot", "choose seat:1", "pass")
    assert game.legal() == ["pass", "play grimoire"]
    with pytest.raises(IllegalAction, match="seat 0 is asked"):
        game.act("play shoot")


def test_shoot_reaches_further_with_thrown_danmaku_cards():
    """Attack a player in range; each danmaku card thrown in gives +1 range for this attack."""
    game = scene(6).seat(0, role="heroine", hand="shoot seal_away melee laser_shot").build()
    game.act("play shoot")
    assert "choose seat:3" in game.legal()
    game.act("choose seat:3")
    assert game.question == "boost"
    assert "pass" not in game.legal()  # not in range yet
    game.act("choose card:melee")
    assert "pass" not in game.legal()
    game.act("choose card:laser_shot")
    assert "pass" in game.legal()
    game.act("pass")
    assert game.seat(3).life == 3
    assert kinds(game.seat(0).hand) == ["seal_away"]
    assert game.seat(0).danmaku_played == 1
    assert game.seat(0).range == 1


def test_shoot_cancelled_keeps_the_thrown_cards_away():
    """Attack a player in range; each danmaku card thrown in gives +1 range and never comes back."""
    game = scene().seat(0, role="heroine", hand="shoot melee").seat(1, hand="bomb").build()
    act(game, "play shoot", "choose seat:2", "play bomb")
    assert game.seat(2).life == 4
    assert game.seat(0).hand == []
    assert kinds(game.discard) == ["bomb", "melee", "shoot"]


def test_shoot_asks_for_the_season_when_an_incident_collects_seasons():
    """Attack a player in range: with Spring Snow in play it matters which copy is played."""
    start = scene().seat(0, role="heroine", hand="shoot/spring shoot/winter").incident("spring_snow")
    game = start.build()
    game.act("play shoot")
    assert (game.question, game.legal()) == ("season", ["choose season:spring", "choose season:winter"])
    act(game, "choose season:winter", "choose seat:1")
    assert (game.question, game.legal()) == ("boost", ["pass", "choose card:shoot"])
    game.act("pass")
    assert game.discard == ["shoot/winter"]
    assert game.collected == []
    game = start.build()
    act(game, "play shoot", "choose season:spring", "choose seat:1", "pass")
    assert game.collected == ["shoot/spring"]
    game = start.incident(None).build()
    game.act("play shoot")
    assert game.question == "target"


# ---------------------------------------------------------------- Sorcerer's Sutra Scroll


def test_sorcerers_sutra_scroll_draws_and_enlarges_the_hand():
    """Draw 1 when played. One card more in your draw step; your base max hand size is 7."""
    game = scene().seat(1, hand="sorcerers_sutra_scroll").seat(0, role="heroine").turn(1).build()
    game.act("play sorcerers_sutra_scroll")
    assert len(game.seat(1).hand) == 1
    assert game.seat(1).max_hand == 7
    game = scene().seat(0, role="heroine", items="sorcerers_sutra_scroll").turn(0, step="draw").build()
    assert len(game.seat(0).hand) == 3
    assert game.seat(0).max_hand == 8


# ---------------------------------------------------------------- Spiritual Attack


def test_spiritual_attack_activates_once_per_round():
    """Activate your Spell Card."""
    game = scene().seat(0, "patchouli_knowledge", role="heroine", hand="spiritual_attack spiritual_attack").deck("graze focus").build()
    act(game, "play spiritual_attack", "choose seat:1")
    assert game.seat(1).life == 3
    assert kinds(game.seat(0).hand) == ["focus", "graze", "spiritual_attack"]
    assert game.legal() == ["pass", "play focus"]


# ---------------------------------------------------------------- Stopwatch


def test_stopwatch_adds_distance_and_danmaku_cards():
    """+1 distance and two danmaku cards more per round."""
    game = scene().seat(0, role="heroine", hand="stopwatch").build()
    game.act("play stopwatch")
    assert game.seat(0).danmaku_limit == 3
    assert game.distance(1, 0) == 2
    assert game.distance(0, 1) == 1


# ---------------------------------------------------------------- Supernatural Border


@pytest.mark.parametrize(("season", "life"), [("spring", 4), ("summer", 4), ("autumn", 3), ("winter", 3)])
def test_supernatural_border_flips_when_attacked(season, life):
    """When you are attacked, flip: on spring or summer you avoid the attack."""
    game = scene().seat(0, role="heroine", hand="shoot").seat(1, items="supernatural_border").deck([f"power/{season}"]).build()
    act(game, "play shoot", "choose seat:1")
    assert game.seat(1).life == life
    assert game.discard[0] == f"power/{season}"
    assert kinds(game.seat(1).items) == ([] if life == 3 else ["supernatural_border"])  # a powerup too


def test_supernatural_border_failed_leaves_graze():
    """When you are attacked, flip: after a failed flip other answers remain."""
    game = (
        scene()
        .seat(0, role="heroine", hand="shoot")
        .seat(1, items="supernatural_border", hand="graze")
        .deck("power/winter power/spring")
        .build()
    )
    act(game, "play shoot", "choose seat:1")
    assert (game.asking, game.question) == (1, "attacked")
    game.act("play graze")
    assert game.seat(1).life == 4
    assert game.deck[0] == "power/spring"


# ---------------------------------------------------------------- Tempest


def test_tempest_renews_all_hands():
    """Everybody discards the whole hand, then everybody draws 3."""
    game = (
        scene()
        .seat(0, role="heroine", hand="tempest graze")
        .seat(1, hand="shoot shoot focus power bomb")
        .seat(3, role="ex_boss", defeated=True)
        .build()
    )
    game.act("play tempest")
    assert [len(game.seat(seat).hand) for seat in range(4)] == [3, 3, 3, 0]
    assert kinds(game.discard) == ["bomb", "focus", "graze", "power", "shoot", "shoot", "tempest"]


# ---------------------------------------------------------------- Voile


def test_voile_draws_three_and_puts_one_back():
    """Draw 3 cards, then put a card of your hand on top of the Main deck."""
    game = scene().seat(0, role="heroine", hand="voile bomb/summer").deck("focus graze power shoot").build()
    game.act("play voile")
    assert game.legal() == ["choose card:bomb", "choose card:focus", "choose card:graze", "choose card:power"]
    game.act("choose card:bomb")
    assert game.deck[0] == "bomb/summer"
    assert kinds(game.seat(0).hand) == ["focus", "graze", "power"]


def test_voile_returns_the_very_copy_that_is_chosen():
    """Draw 3 cards, then put a card of your hand on top of the Main deck: which copy of a card is for you to say."""
    game = scene().seat(0, hand="voile graze/winter graze/spring").deck("focus power shoot").build()
    act(game, "play voile", "choose card:graze")
    assert game.legal() == ["choose season:spring", "choose season:winter"]
    game.act("choose season:winter")
    assert game.deck[0] == "graze/winter"
    assert "graze/spring" in game.seat(0).hand
