"""The characters of Lunatic Extra: ability, Spell Card, what they may not do, and the rulings that name them."""

import pytest

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.box import BASE_GAME
from tests.table import act, end_turn, kinds, life, pass_until
from tests.table import lunatic_scene as scene

LUNATIC_ARTIFACTS = [card for card in BASE_GAME.expansion.cards if card.types & v.ARTIFACT]


# ---------------------------------------------------------------- Flandre Scarlet


def test_flandre_scarlet_makes_her_victim_discard_any_item():
    """Whoever loses life to her attack loses an item that she picks instead of a powerup."""
    game = scene().seat(0, "flandre_scarlet", hand="shoot grimoire").seat(1, items="power mini_hakkero").build()
    act(game, "play shoot", "choose seat:1")
    assert (game.asking, game.question, game.legal()) == (0, "item", ["pass", "choose card:mini_hakkero", "choose card:power"])
    game.act("choose card:mini_hakkero")
    assert kinds(game.seat(1).items) == ["power"]
    assert game.seat(1).life == 3


def test_flandre_scarlet_may_leave_the_items():
    """She may decline, even if the victim has powerup cards; none of them is lost then."""
    game = scene().seat(0, "flandre_scarlet", hand="shoot grimoire").seat(1, items="power mini_hakkero").build()
    act(game, "play shoot", "choose seat:1", "pass")
    assert kinds(game.seat(1).items) == ["mini_hakkero", "power"]


def test_flandre_scarlet_reaches_items_of_those_who_keep_powerups():
    """Alice, Futo and Shou keep no item from her."""
    for character in ("alice_margatroid", "mononobe_no_futo", "toramaru_shou"):
        table = scene().seat(0, "flandre_scarlet", hand="shoot grimoire").seat(1, character, items="power")
        game = table.build()
        act(game, "play shoot", "choose seat:1")
        pass_until(game, "item", 0)
        game.act("choose card:power")
        assert game.seat(1).items == []


def test_flandre_scarlet_discards_nothing_when_no_life_is_lost():
    """An avoided attack, or one on somebody at 0 life, costs no item."""
    game = scene().seat(0, "flandre_scarlet", hand="shoot grimoire").seat(1, hand="graze", items="power").build()
    act(game, "play shoot", "choose seat:1", "play graze")
    assert (game.question, kinds(game.seat(1).items)) == ("main", ["power"])


def test_flandre_scarlet_takes_items_for_attacks_only():
    """Life that her Spell Card takes without an attack (Captured) costs no item."""
    game = scene().seat(0, "flandre_scarlet", hand="capture_spell_card grimoire").seat(1, "saigyouji_yuyuko", items="power").build()
    act(game, "play capture_spell_card")
    assert life(game) == [4, 3, 3, 4]
    assert (game.question, kinds(game.seat(1).items)) == ("main", ["power"])


def test_flandre_scarlet_laevateinn_attacks_three():
    """The chosen player, at any range, and both beside that player are attacked; it cannot be cancelled."""
    game = scene(6).seat(0, "flandre_scarlet", hand="spiritual_attack").seat(1, "hakurei_reimu", hand="bomb").build()
    act(game, "play spiritual_attack", "choose seat:3")
    assert life(game) == [4, 4, 3, 4, 3, 4]  # the Heroine, seat 3, had 5


def test_flandre_scarlet_laevateinn_spares_herself():
    """All three must be attacked if able, but never herself; a neighbour of two counts once."""
    game = scene(6).seat(0, "flandre_scarlet", hand="spiritual_attack").build()
    act(game, "play spiritual_attack", "choose seat:1")
    assert life(game) == [4, 3, 3, 5, 4, 4]
    game = scene().seat(0, "flandre_scarlet", hand="spiritual_attack").seat(2, defeated=True).build()
    act(game, "play spiritual_attack", "choose seat:1")
    assert [game.seat(1).life, game.seat(3).life] == [3, 4]


# ---------------------------------------------------------------- Fujiwara no Mokou


@pytest.mark.parametrize(("season", "lost"), [("spring", 0), ("summer", 0), ("autumn", 1), ("winter", 1)])
def test_fujiwara_no_mokou_flips_when_hit(season, lost):
    """A hit lets her flip: spring or summer costs no life, no card is drawn and no powerup lost."""
    card = {"spring": "bomb", "summer": "bomb", "autumn": "bomb", "winter": "bomb"}[season]
    table = scene().seat(0, hand="shoot grimoire").seat(1, "fujiwara_no_mokou", items="power").deck(f"{card}/{season}")
    game = table.build()
    act(game, "play shoot", "choose seat:1")
    assert (game.asking, game.question) == (1, "may")
    game.act("choose yes")
    assert game.seat(1).life == 4 - lost
    assert len(game.seat(1).hand) == lost
    assert len(game.seat(1).items) == 1 - lost
    assert game.discard[0] == f"{card}/{season}"


def test_fujiwara_no_mokou_need_not_flip():
    """The flip is optional."""
    game = scene().seat(0, hand="shoot grimoire").seat(1, "fujiwara_no_mokou").deck("bomb/spring").build()
    act(game, "play shoot", "choose seat:1", "pass")
    assert game.seat(1).life == 3
    assert kinds(game.discard) == ["shoot"]


def test_fujiwara_no_mokou_prevents_all_damage_of_a_hit():
    """A hit with more damage costs nothing at all (L-28), and the attack was no avoidance."""
    table = scene().seat(0, "kirisame_marisa", hand="spiritual_attack", items="power power").seat(1, "fujiwara_no_mokou")
    game = table.deck("bomb/spring").build()
    act(game, "play spiritual_attack", "choose seat:1", "choose yes")
    assert game.seat(1).life == 4


def test_fujiwara_no_mokou_pays_for_life_lost_otherwise():
    """Life that no attack takes is no hit."""
    game = scene().seat(0, "saigyouji_yuyuko", hand="spiritual_attack grimoire").seat(1, "fujiwara_no_mokou").build()
    act(game, "play spiritual_attack")
    assert (game.question, game.seat(1).life) == ("main", 3)


@pytest.mark.parametrize(("own", "attacks"), [(4, 1), (3, 2), (2, 2), (1, 3)])
def test_fujiwara_no_mokou_fire_bird(own, attacks):
    """One attack at max life, two above 1 life, else three."""
    game = scene().seat(0, "fujiwara_no_mokou", hand="spiritual_attack", life=own).build()
    act(game, "play spiritual_attack", "choose seat:1")
    assert game.seat(1).life == 4 - attacks


# ---------------------------------------------------------------- Hecatia Lapislazuli


def test_hecatia_lapislazuli_changes_with_her_life():
    """At max life two danmaku cards more, else above 1 life +2 range, else +2 distance."""
    for own, limit, reach, away in ((4, 3, 1, 1), (3, 1, 3, 1), (2, 1, 3, 1), (1, 1, 1, 3)):
        game = scene(6).seat(1, "hecatia_lapislazuli", life=own).seat(0, hand="grimoire").build()
        assert (game.seat(1).range, game.distance(0, 1)) == (reach, away)
        game = scene(6).seat(0, "hecatia_lapislazuli", life=own, hand="shoot shoot shoot shoot grimoire").build()
        played = 0
        while "play shoot" in game.legal():
            act(game, "play shoot", "choose seat:1")
            pass_until(game, "main")
            played += 1
        assert played == limit


def test_hecatia_lapislazuli_as_heroine():
    """Max life is what counts, so the Heroine with 4 of 5 has her range."""
    game = scene(6).seat(3, "hecatia_lapislazuli", life=4).seat(0, hand="grimoire").build()
    assert game.seat(3).range == 3


def test_hecatia_lapislazuli_out_of_range_when_it_is_performed():
    """Reduced to 1 life before she performs the attack, she attacks nobody who was in range for her +2 alone: Youmu's comes first."""
    table = scene(6, 9, characters="double_threat").seat(0, ("hecatia_lapislazuli", "konpaku_youmu"), life=2, hand="shoot grimoire")
    game = table.seat(1, hand="revenge_shot").build()
    assert game.in_range(0, 3)
    act(game, "play shoot", "choose seat:3", "choose seat:1", "play revenge_shot")
    pass_until(game, "main", 0)
    assert (game.seat(0).life, game.seat(3).life) == (1, 5)


def test_hecatia_lapislazuli_trinitarian_rhapsody_names_three():
    """Three different options of five, in the printed order; who draws or is attacked is named at once."""
    table = scene().seat(0, "hecatia_lapislazuli", hand="spiritual_attack voile", life=2).deck("power grimoire")
    game = table.build()
    act(game, "play spiritual_attack", "choose number:2")
    assert "choose number:2" not in game.legal()
    act(game, "choose number:1", "choose number:3")
    assert game.question == "target"
    game.act("choose seat:2")
    assert kinds(game.seat(2).hand) == ["grimoire"]
    assert game.question == "pay"
    game.act("choose card:voile")
    assert game.seat(0).life == 3
    assert kinds(game.seat(0).hand) == ["power"]


def test_hecatia_lapislazuli_trinitarian_rhapsody_resolves_and_attacks():
    """The incident in play is resolved; a player in range is attacked."""
    game = scene().seat(0, "hecatia_lapislazuli", hand="spiritual_attack grimoire").incident("five_impossible_requests").build()
    act(game, "play spiritual_attack", "choose number:4", "choose number:5", "choose number:1", "choose seat:1")
    assert game.incident is None
    assert game.seat(1).life == 3


def test_hecatia_lapislazuli_trinitarian_rhapsody_without_cards_to_discard():
    """With nothing to discard there is no life; the other options happen all the same."""
    game = scene().seat(0, "hecatia_lapislazuli", hand="spiritual_attack", life=2).build()
    act(game, "play spiritual_attack", "choose number:3", "choose number:4", "choose number:5", "choose seat:1")
    assert life(game)[:2] == [2, 3]


# ---------------------------------------------------------------- Houraisan Kaguya


@pytest.mark.parametrize(("season", "gained"), [("spring", 0), ("summer", 0), ("autumn", 1), ("winter", 1)])
def test_houraisan_kaguya_flips_at_the_start_of_her_turn(season, gained):
    """At the start of her turn she flips the top card: autumn or winter regains 1 life."""
    game = scene(turns=9).seat(0, "houraisan_kaguya", life=2, hand="grimoire").deck(f"bomb/{season}").turn(0, step="start").build()
    assert game.seat(0).life == 2 + gained
    assert game.discard[0] == f"bomb/{season}"


def test_houraisan_kaguya_dawn_gives_an_extra_turn():
    """After an optional attack she may discard her hand for a turn of her own directly after this one."""
    table = scene(turns=3).seat(0, "houraisan_kaguya", hand="spiritual_attack voile party grimoire", life=4).seat(1, hand="grimoire")
    game = table.deck("", bottom="").build() if False else table.build()
    act(game, "play spiritual_attack", "choose seat:1")
    assert game.question == "may"
    game.act("choose yes")
    assert game.seat(1).life == 3
    assert kinds(game.discard) == ["grimoire", "party", "spiritual_attack", "voile"] or len(game.seat(0).hand) == 0
    while game.turn_number == 1:
        game.act("pass")
    assert game.turn == 0
    end_turn(game)
    assert game.turn == 1


def test_houraisan_kaguya_dawn_may_keep_the_hand():
    """Without the discard there is no extra turn."""
    game = scene(turns=3).seat(0, "houraisan_kaguya", hand="spiritual_attack grimoire").seat(1, hand="grimoire").build()
    act(game, "play spiritual_attack", "pass", "pass")
    assert kinds(game.seat(0).hand) == ["grimoire"]
    end_turn(game)
    assert game.turn == 1


def test_houraisan_kaguya_dawn_on_an_extra_turn_gives_no_other():
    """She can use her Spell Card on extra turns, but will not get another."""
    table = scene(turns=4).seat(0, "houraisan_kaguya", hand="spiritual_attack").seat(1, hand="grimoire")
    game = table.deck("bomb/spring spiritual_attack grimoire").build()
    act(game, "play spiritual_attack", "pass", "choose yes")
    pass_until(game, "main", 0)
    assert (game.turn_number, game.turn) == (2, 0)
    act(game, "play spiritual_attack", "pass", "choose yes")
    end_turn(game) if game.turn == 0 and game.turn_number == 2 else None
    assert (game.turn_number, game.turn) == (3, 1)


def test_houraisan_kaguya_dawn_captured():
    """Who Captures it has the extra turn."""
    game = scene(turns=3).seat(0, hand="capture_spell_card").seat(1, "houraisan_kaguya").build()
    act(game, "play capture_spell_card", "pass", "choose yes")
    pass_until(game, "main", 0) if not game.over else None
    assert game.turn_number >= 2


# ---------------------------------------------------------------- Junko


def test_junko_plays_a_danmaku_card_more():
    """One danmaku card more per round."""
    game = scene().seat(0, "junko", hand="shoot shoot shoot grimoire").build()
    for _ in range(2):
        act(game, "play shoot", "choose seat:1", "pass")
    assert "play shoot" not in game.legal()


def test_junko_exchanges_for_less():
    """Cards of her hand are worth a point more: two cards of 2 points buy a Lunatic card."""
    for character, enough in (("junko", True), ("cirno", False)):
        game = scene().seat(0, character, hand="borrow/spring power").build()
        assert ("exchange" in game.legal()) == enough


def test_junko_refinement_of_earthen_impurity_takes_five_points():
    """Of five cards revealed she takes any that are worth 5 points or less together."""
    table = scene().seat(0, "junko", hand="spiritual_attack").deck("voile grimoire power shoot bomb")
    game = table.build()
    act(game, "play spiritual_attack", "pass")
    assert game.question == "aside"
    game.act("choose card:grimoire")
    assert game.legal() == ["pass", "choose card:power", "choose card:shoot"]
    game.act("choose card:power")
    assert kinds(game.seat(0).hand) == ["grimoire", "power"]
    assert kinds(game.discard)[:3] == ["bomb", "shoot", "spiritual_attack"] or "voile" in kinds(game.discard)


def test_junko_refinement_of_earthen_impurity_may_take_nothing_and_attacks_last():
    """Any number is none too; the others are discarded before the attack."""
    game = scene().seat(0, "junko", hand="spiritual_attack").seat(1, hand="graze").deck("voile grimoire power shoot bomb").build()
    act(game, "play spiritual_attack", "choose seat:1", "pass")
    assert (game.asking, game.question) == (1, "attacked")
    assert kinds(game.discard) == ["bomb", "grimoire", "power", "shoot", "voile"]


# ---------------------------------------------------------------- Nagae Iku


def test_nagae_iku_cancels_an_action_card_of_the_same_season():
    """Once per turn she discards a card of the same season to cancel an action card of somebody else."""
    table = scene().seat(0, hand="shoot/spring voile").seat(1, "nagae_iku", hand="shoot/spring graze/winter")
    game = table.build()
    act(game, "play shoot", "choose seat:3")
    assert (game.asking, game.legal()) == (1, ["pass", "ability nagae_iku"])
    game.act("ability nagae_iku")
    assert game.seat(3).life == 5
    assert kinds(game.seat(1).hand) == ["graze"]
    assert kinds(game.discard) == ["shoot", "shoot"]


def test_nagae_iku_needs_a_card_of_that_season():
    """A card of another season pays nothing."""
    game = scene().seat(0, hand="shoot/spring voile").seat(1, "nagae_iku", hand="graze/winter").build()
    act(game, "play shoot", "choose seat:3")
    assert (game.question, game.seat(3).life) == ("main", 4)


def test_nagae_iku_once_in_each_turn():
    """One use in each turn of the game."""
    table = scene().seat(0, hand="shoot/spring party/spring voile/autumn").seat(1, "nagae_iku", hand="graze/spring shoot/spring")
    game = table.build()
    act(game, "play shoot", "choose seat:3", "ability nagae_iku", "choose card:graze")
    game.act("play party")
    assert game.question == "main"
    assert kinds(game.seat(2).hand) == ["power"]


def test_nagae_iku_does_not_cancel_spell_cards_reactions_or_items():
    """Not against Spell Cards (L-29), nor against cards that are no actions, nor against her own."""
    game = scene().seat(0, "patchouli_knowledge", hand="spiritual_attack power voile").seat(1, "nagae_iku", hand="graze graze").build()
    act(game, "play spiritual_attack", "pass")
    assert game.question == "main"
    game.act("play power")
    assert kinds(game.seat(0).items) == ["power"]
    game = scene().seat(0, "nagae_iku", hand="shoot/spring graze/spring").build()
    act(game, "play shoot", "choose seat:1")
    assert game.seat(1).life == 3


def test_nagae_iku_raiment_like_the_sky():
    """Flip cards until both seasons named have shown; the first of each goes to her hand, the others are discarded."""
    table = scene().seat(0, "nagae_iku", hand="spiritual_attack")
    game = table.deck("shoot/winter bomb/spring graze/spring graze/winter voile/autumn power/winter").build()
    act(game, "play spiritual_attack", "choose season:spring")
    assert "choose season:spring" not in game.legal()
    act(game, "choose season:autumn", "choose seat:1")
    assert kinds(game.seat(0).hand) == ["bomb", "voile"]
    assert game.discard[:3] == ["shoot/winter", "graze/spring", "graze/winter"]
    assert game.seat(1).life == 3


# ---------------------------------------------------------------- Saigyouji Yuyuko


def test_saigyouji_yuyuko_reaches_players_at_one_life():
    """Players at 1 life are in range for her, whatever the distance; others are not."""
    game = scene(6).seat(0, "saigyouji_yuyuko", hand="shoot grimoire").seat(3, life=1).build()
    assert [game.in_range(0, other) for other in range(1, 6)] == [True, False, True, False, True]
    game.act("play shoot")
    assert "choose seat:3" in game.legal()


def test_saigyouji_yuyuko_is_not_avoided_at_one_life():
    """Her attacks on a player at 1 life are unavoidable, those on others are not."""
    for own, dodges in ((1, False), (2, True)):
        game = scene().seat(0, "saigyouji_yuyuko", hand="shoot grimoire").seat(1, life=own, hand="graze").build()
        act(game, "play shoot", "choose seat:1")
        assert (game.asking == 1 and "play graze" in game.legal()) == dodges


def test_saigyouji_yuyuko_attacks_everybody_by_their_own_life():
    """One card, several attacks: only those on players at 1 life are unavoidable."""
    table = scene().seat(0, "saigyouji_yuyuko", hand="last_word").seat(1, life=2, hand="graze").seat(2, life=1, hand="graze one_up")
    game = table.build()
    game.act("play last_word")
    assert (game.asking, "play graze" in game.legal()) == (1, True)
    game.act("play graze")
    pass_until(game, "rescue", 2) if game.question != "rescue" else None
    assert game.seat(2).life == 0
    assert "play graze" not in game.legal()


def test_saigyouji_yuyuko_eternal_sleep_in_dreamland():
    """Every other player above 1 life loses 1 life; it is no attack, and nobody falls to 0."""
    table = (
        scene().seat(0, "saigyouji_yuyuko", hand="spiritual_attack", life=3).seat(1, life=1, hand="graze").seat(2, life=2, items="power")
    )
    game = table.build()
    game.act("play spiritual_attack")
    assert life(game) == [3, 1, 1, 4]
    assert kinds(game.seat(2).items) == ["power"]


# ---------------------------------------------------------------- Shiki Eiki


def test_shiki_eiki_reveals_her_role_and_draws_one_more():
    """At any time she may reveal her role; as long as it lies open she draws 3 in her draw step."""
    game = scene(turns=9).seat(0, "shiki_eiki", hand="grimoire").build()
    act(game, "ability shiki_eiki")
    assert game.seat(0).role_revealed
    assert "ability shiki_eiki" not in game.legal()
    while game.turn_number < 5:
        game.act("pass") if "pass" in game.legal() else game.act(game.legal()[0])
    game = scene().seat(0, "shiki_eiki", hand="grimoire", revealed=True).turn(0, step="draw").build()
    assert len(game.seat(0).hand) == 4
    game = scene().seat(0, "shiki_eiki", hand="grimoire").turn(0, step="draw").build()
    pass_until(game, "main")
    assert len(game.seat(0).hand) == 3


def test_shiki_eiki_reveals_in_the_middle_of_anything():
    """She needs no turn of her own for it, and gets no response."""
    game = scene().seat(0, hand="shoot grimoire").seat(1, "shiki_eiki").build()
    act(game, "play shoot", "choose seat:1")
    assert (game.asking, "ability shiki_eiki" in game.legal()) == (1, True)
    game.act("ability shiki_eiki")
    assert game.seat(1).role_revealed


def test_shiki_eiki_as_heroine_lies_open_already():
    """The Heroine's role is revealed, so she draws one card more from the beginning."""
    game = scene().seat(3, "shiki_eiki", hand="grimoire").turn(3, step="draw").build()
    assert len(game.seat(3).hand) == 4


@pytest.mark.parametrize(("call", "change"), [("1", -1), ("2", 1)])
def test_shiki_eiki_judges_by_the_season_of_the_role(call, change):
    """Black costs and white gives 1 life if the card shown has the season of the role; else nothing happens."""
    for card, hit in (("graze/winter", False), ("shoot/autumn", True)):
        table = scene().seat(0, "shiki_eiki", hand=f"spiritual_attack {card}", revealed=True).seat(1, life=2)
        game = table.build()
        act(game, "play spiritual_attack", "choose seat:1", f"choose number:{call}")
        assert game.seat(1).life == 2 + change * hit


def test_shiki_eiki_calls_black_or_white_aloud():
    """L-16: the call is public, also where it changes nothing and nobody can answer it."""
    lines = []
    for call in ("1", "2"):
        game = scene().seat(0, "shiki_eiki", hand="spiritual_attack graze/winter", revealed=True).build()
        act(game, "play spiritual_attack", "choose seat:1", f"choose number:{call}")
        lines.append([line for line in game.log.of(2) if "Guilty or Not Guilty" in line])
    title = "seat 0 (Eiki) activates the Spell Card Guilty or Not Guilty on seat 1"
    assert lines == [[f"{title} (option 1)"], [f"{title} (option 2)"]]


@pytest.mark.parametrize(("hand", "playable"), [("spiritual_attack", False), ("spiritual_attack grimoire", True)])
def test_shiki_eiki_needs_a_card_to_show(hand, playable):
    """Show a card of the hand: without one left her Spell Card cannot be activated (L-32)."""
    game = scene().seat(0, "shiki_eiki", hand=hand).seat(1, hand="grimoire").build()
    assert ("play spiritual_attack" in game.legal()) is playable


def test_shiki_eiki_shows_the_card_to_the_judged_player_alone():
    """The card shown is known to the judged player and nobody else; it stays in her hand."""
    table = scene().seat(0, "shiki_eiki", hand="spiritual_attack graze/winter", revealed=True).seat(1, hand="grimoire")
    game = table.build()
    act(game, "play spiritual_attack", "choose seat:1", "choose number:1")
    assert kinds(game.seat(0).hand) == ["graze"]
    seen = [int(seen) for zone, holder, seen in zip(game.record["zone"], game.record["holder"], game.record["seen_by"], strict=True)
            if zone == 5 and holder == 0]  # fmt: skip
    assert seen == [0b11]


# ---------------------------------------------------------------- Toramaru Shou


def test_toramaru_shou_keeps_powerups():
    """Losing life never costs her a powerup."""
    game = scene().seat(0, hand="shoot grimoire").seat(1, "toramaru_shou", items="power").build()
    act(game, "play shoot", "choose seat:1")
    assert kinds(game.seat(1).items) == ["power"]


def test_toramaru_shou_draws_for_an_item():
    """When she gains control of an item she may draw 1: played, or taken from somebody."""
    game = scene().seat(0, "toramaru_shou", hand="power borrow voile").seat(1, items="focus").build()
    game.act("play power")
    assert game.question == "may"
    game.act("choose yes")
    assert len(game.seat(0).hand) == 3
    act(game, "play borrow", "pass")
    assert len(game.seat(0).hand) == 2
    assert kinds(game.seat(0).items) == ["focus", "power"]


def test_toramaru_shou_radiant_treasure_gun_spends_an_item():
    """Damage is the points of the item she discards, or 1 without one."""
    for item, damage in (("focus", 3), (None, 1)):
        table = scene().seat(0, "toramaru_shou", hand="spiritual_attack", items="focus power").seat(1, life=4)
        game = table.build()
        act(game, "play spiritual_attack", "choose seat:1", f"choose card:{item}" if item else "pass")
        assert game.seat(1).life == 4 - damage
        assert kinds(game.seat(0).items) == (["power"] if item else ["focus", "power"])


def test_toramaru_shou_radiant_treasure_gun_cancelled_keeps_the_item():
    """The item is announced on activation; if the Spell Card is cancelled it is not discarded."""
    table = scene().seat(0, "toramaru_shou", hand="spiritual_attack", items="focus").seat(1, "hakurei_reimu", hand="bomb")
    game = table.build()
    act(game, "play spiritual_attack", "choose seat:1", "choose card:focus", "play bomb")
    assert kinds(game.seat(0).items) == ["focus"]
    assert game.seat(1).life == 4


# ---------------------------------------------------------------- Horikawa Raiko


def test_horikawa_raiko_pays_three_points_for_her_spell():
    """In her own turn she discards hand cards worth at least 3 points to activate her Spell Card, counted for the round."""
    game = scene().seat(0, "horikawa_raiko", hand="power/spring shoot/spring voile").build()
    act(game, "spell horikawa_raiko", "choose card:shoot")
    assert game.question == "pay"
    act(game, "choose card:power", "choose seat:1")
    assert game.seat(1).life == 3
    assert kinds(game.seat(0).hand) == ["voile"]
    assert "spell horikawa_raiko" not in game.legal()


def test_horikawa_raiko_needs_three_points_and_her_turn():
    """Two points are too few; on another's turn it is no way at all."""
    game = scene().seat(0, "horikawa_raiko", hand="power").build()
    assert "spell horikawa_raiko" not in game.legal()
    game = scene().seat(0, "horikawa_raiko", hand="voile graze").seat(1, hand="shoot grimoire").turn(1).build()
    act(game, "play shoot", "choose seat:0")
    assert game.legal() == ["pass", "play graze"]


def test_horikawa_raiko_spell_cards_by_invocation_are_not_cancelled():
    """Activated with an invocation card it cannot be cancelled, also another's that she Captures; paid for with points it can."""
    for card, question in (("spiritual_attack", "main"), ("capture_spell_card", "main")):
        table = scene().seat(0, "horikawa_raiko", hand=f"{card} grimoire").seat(1, "patchouli_knowledge", hand="bomb")
        game = table.build()
        act(game, f"play {card}", "pass")
        assert game.question == question
    game = scene().seat(0, "horikawa_raiko", hand="voile grimoire").seat(1, hand="bomb").build()
    act(game, "spell horikawa_raiko", "choose card:voile", "pass")
    assert (game.asking, game.question) == (1, "cancel")


def test_horikawa_raiko_pristine_beat_grows_from_round_to_round():
    """Damage is the number of rounds in a row in which she did it; a round without resets that, and so does a cancelled one (L-13)."""
    spells = "spiritual_attack/spring spiritual_attack/summer spiritual_attack/winter spiritual_attack/autumn"
    table = scene(turns=30).seat(0, "horikawa_raiko", hand=f"{spells} grimoire").seat(1, life=4, hand="grimoire")
    game = table.build()

    def beat(*seats):
        act(game, "play spiritual_attack")
        if "choose season:spring" in game.legal() or game.question == "season":
            game.act(game.legal()[0])
        act(game, *seats)

    beat("choose seat:3")
    assert game.seat(3).life == 4
    until_turn_of(game, 0)
    beat("choose seat:1")
    assert game.seat(1).life == 2
    until_turn_of(game, 0)
    until_turn_of(game, 0)
    beat("choose seat:1")
    pass_until(game, "main")
    assert game.seat(1).life == 1


def until_turn_of(game, seat):
    """Everybody passes until a turn of the seat has begun and its main step is reached."""
    number = game.turn_number
    while game.turn_number == number or game.turn != seat or game.question != "main":
        game.act("pass" if "pass" in game.legal() else game.legal()[0])


# ---------------------------------------------------------------- Hoshiguma Yuugi


def test_hoshiguma_yuugi_keeps_powerups():
    """Losing life never costs her a powerup."""
    game = scene().seat(0, hand="shoot grimoire").seat(1, "hoshiguma_yuugi", items="power").build()
    act(game, "play shoot", "choose seat:1")
    assert (game.seat(1).life, kinds(game.seat(1).items)) == (3, ["power"])


def test_hoshiguma_yuugi_gives_up_an_avoidance_to_attack():
    """When she would avoid an attack she may be hit instead, and attack the attacker, unavoidably if in range."""
    game = scene().seat(0, hand="shoot graze").seat(1, "hoshiguma_yuugi", hand="graze").build()
    act(game, "play shoot", "choose seat:1", "play graze")
    assert (game.asking, game.legal()) == (1, ["pass", "ability hoshiguma_yuugi"])
    act(game, "ability hoshiguma_yuugi", "choose yes")
    assert [game.seat(0).life, game.seat(1).life] == [3, 3]  # the Graze of seat 0 was no help
    assert "graze" in kinds(game.discard)  # hers is spent


def test_hoshiguma_yuugi_may_avoid_as_anybody():
    """She need not give it up; then the attack is avoided."""
    game = scene().seat(0, hand="shoot grimoire").seat(1, "hoshiguma_yuugi", hand="graze").build()
    act(game, "play shoot", "choose seat:1", "play graze", "pass")
    assert life(game)[:2] == [4, 4]


def test_hoshiguma_yuugi_out_of_range_she_can_be_dodged():
    """An attacker out of her range is attacked all the same, but may avoid that."""
    game = scene(6).seat(0, hand="last_word graze").seat(3, "hoshiguma_yuugi", hand="graze").build()
    act(game, "play last_word")
    pass_until(game, "attacked", 3)
    act(game, "play graze", "ability hoshiguma_yuugi", "choose yes")
    assert (game.asking, game.legal()) == (0, ["pass", "play graze"])
    game.act("play graze")
    assert [game.seat(0).life, game.seat(3).life] == [4, 4]  # the Heroine, seat 3, had 5


def test_hoshiguma_yuugi_hells_wheel_of_pain_when_attacked():
    """When she is attacked: draw 1, regain 1 life, optional attack on a player in range."""
    game = scene().seat(0, hand="shoot grimoire").seat(1, "hoshiguma_yuugi", hand="spiritual_attack", life=2).build()
    act(game, "play shoot", "choose seat:1", "play spiritual_attack", "choose seat:2")
    assert life(game)[:3] == [4, 2, 3]
    assert len(game.seat(1).hand) == 2


def test_hoshiguma_yuugi_hells_wheel_of_pain_when_life_is_lost():
    """When she loses life for whatever reason; it may save her."""
    game = scene().seat(0, "saigyouji_yuyuko", hand="spiritual_attack grimoire").seat(1, "hoshiguma_yuugi", hand="spiritual_attack").build()
    act(game, "play spiritual_attack")
    assert (game.asking, game.question, game.legal()) == (1, "respond", ["pass", "play spiritual_attack"])
    act(game, "play spiritual_attack", "pass")
    assert game.seat(1).life == 4
    game = scene().seat(0, hand="shoot grimoire").seat(1, "hoshiguma_yuugi", hand="spiritual_attack", life=1).build()
    act(game, "play shoot", "choose seat:1", "pass")
    assert (game.asking, game.seat(1).life) == (1, 0)
    act(game, "play spiritual_attack", "pass")
    assert game.seat(1).life == 1


def test_hoshiguma_yuugi_hells_wheel_of_pain_is_about_her_alone():
    """Somebody else's loss is none of hers."""
    game = scene().seat(0, hand="shoot grimoire").seat(3, "hoshiguma_yuugi", hand="spiritual_attack").build()
    act(game, "play shoot", "choose seat:1")
    assert (game.question, game.seat(1).life) == ("main", 3)


# ---------------------------------------------------------------- Hata no Kokoro


def test_hata_no_kokoro_hands_her_danmaku_card_on():
    """After a danmaku card of hers has resolved she may hand it to another player; incidents do not collect it."""
    table = scene().seat(0, "hata_no_kokoro", hand="shoot/spring grimoire").incident("eternal_night")
    game = table.build()
    act(game, "play shoot", "choose seat:1")
    assert (game.asking, game.question, game.legal()) == (0, "target", ["pass", "choose seat:1", "choose seat:2", "choose seat:3"])
    game.act("choose seat:2")
    assert "shoot/spring" in game.seat(2).hand
    assert game.collected == []


def test_hata_no_kokoro_keeps_quiet_about_cancelled_cards():
    """Not for cancelled cards, and not for cards of other sorts."""
    game = scene().seat(0, "hata_no_kokoro", hand="shoot grimoire").seat(1, hand="bomb").build()
    act(game, "play shoot", "choose seat:1", "play bomb")
    assert game.question == "main"
    game.act("play grimoire")
    assert game.question == "main"


def test_hata_no_kokoro_hands_on_an_invocation_card():
    """Of an invocation card the Spell Card is what resolves."""
    game = scene().seat(0, "hata_no_kokoro", hand="capture_spell_card grimoire").seat(1, "saigyouji_yuyuko").build()
    act(game, "play capture_spell_card")
    assert (game.asking, game.question) == (0, "target")
    game.act("choose seat:1")
    assert "capture_spell_card" in kinds(game.seat(1).hand)


def test_hata_no_kokoro_four_humors():
    """Three flips, a player named for each before the next; then they resolve in order."""
    table = scene().seat(0, "hata_no_kokoro", hand="spiritual_attack").seat(1, hand="voile graze").seat(3, items="power focus")
    game = table.deck("bomb/spring graze/autumn shoot/winter").build()
    act(game, "play spiritual_attack", "choose seat:2", "choose seat:1")
    assert len(game.seat(2).hand) == 0  # nothing happens before the third flip
    game.act("choose seat:3") if game.question == "second target" else None
    assert len(game.seat(2).hand) == 1
    assert (game.asking, game.question) == (1, "discard")
    game.act("choose card:voile")
    assert (game.asking, game.question) == (0, "item")
    game.act("choose card:focus")
    assert kinds(game.seat(3).items) == ["power"]


# ---------------------------------------------------------------- Kaenbyou Rin


def test_kaenbyou_rin_takes_one_of_the_top_three_discards():
    """In her draw step she may draw one card less to take one of the top 3 cards of the discard pile."""
    table = scene().seat(0, "kaenbyou_rin", hand="grimoire").discard("voile party tempest melee").turn(0, step="draw")
    game = table.build()
    pass_until(game, "card", 0)
    assert len(game.legal()) == 4
    taken = game.legal()[1]
    game.act(taken)
    assert len(game.seat(0).hand) == 3
    assert taken.removeprefix("choose card:") in kinds(game.seat(0).hand)


def test_kaenbyou_rin_takes_a_collected_card():
    """Or one of the cards that the incident in play has collected."""
    table = scene().seat(0, "kaenbyou_rin", hand="grimoire").incident("great_barrier_weakening", collected="spiritual_attack")
    game = table.turn(0, step="draw").build()
    pass_until(game, "card", 0)
    game.act("choose card:spiritual_attack")
    assert "spiritual_attack" in kinds(game.seat(0).hand)
    assert game.collected == []
    assert len(game.seat(0).hand) == 3


def test_kaenbyou_rin_draws_two_when_another_is_defeated():
    """Whenever another player is defeated she may draw 2."""
    game = scene(turns=2).seat(0, hand="shoot grimoire").seat(1, life=1).seat(2, "kaenbyou_rin").build()
    act(game, "play shoot", "choose seat:1")
    pass_until(game, "may", 2)
    game.act("choose yes")
    assert len(game.seat(2).hand) == 2


def test_kaenbyou_rin_vengeful_cannibal_spirit():
    """A defeated player's Spell Card as her own; activating it lets her attack a player in range. Nobody else can."""
    table = scene().seat(0, "kaenbyou_rin", hand="spiritual_attack").seat(2, "patchouli_knowledge", defeated=True)
    game = table.build()
    act(game, "play spiritual_attack", "choose seat:1")  # the target of the Philosopher's Stone, announced first (K-11)
    assert (game.asking, game.question, game.legal()) == (0, "target", ["pass", "choose seat:1", "choose seat:3"])
    game.act("choose seat:3")
    assert [game.seat(1).life, game.seat(3).life, len(game.seat(0).hand)] == [3, 4, 2]  # the Heroine, seat 3, had 5


def test_kaenbyou_rin_can_be_stopped_where_the_spell_card_she_picks_can():
    """Cancelled, the Spell Card she picked brings her no attack either; Remilia's cannot be cancelled, and nor can it as hers."""
    table = scene().seat(0, "kaenbyou_rin", hand="spiritual_attack voile").seat(2, "patchouli_knowledge", defeated=True)
    game = table.seat(3, hand="bomb").build()
    act(game, "play spiritual_attack", "pass", "play bomb")
    assert (game.question, kinds(game.seat(0).hand), game.seat(1).life) == ("main", ["voile"], 4)
    table = scene().seat(0, "kaenbyou_rin", hand="spiritual_attack voile").seat(2, "remilia_scarlet", defeated=True)
    game = table.seat(3, hand="bomb").build()
    act(game, "play spiritual_attack", "choose seat:1")
    assert (game.asking, game.question) == (0, "target")  # that of the attack which the activation brings
    act(game, "choose seat:3")
    assert [game.seat(1).life, game.seat(3).life] == [3, 4]


def test_kaenbyou_rin_needs_somebody_defeated():
    """With everybody in the game her Spell Card cannot be activated, and others never can."""
    game = scene().seat(0, "kaenbyou_rin", hand="spiritual_attack voile").seat(1, "patchouli_knowledge").build()
    assert "play spiritual_attack" not in game.legal()
    game = scene().seat(0, hand="capture_spell_card voile").seat(1, "kaenbyou_rin").seat(2, defeated=True).build()
    assert "play capture_spell_card" not in game.legal()


# ---------------------------------------------------------------- Kijin Seija


def test_kijin_seija_has_any_number_of_artifacts_and_defense_cards():
    """No limit on her defense and artifact cards in play."""
    game = scene().seat(0, "kijin_seija", hand="stopwatch supernatural_border grimoire", items="mini_hakkero focus").build()
    act(game, "play stopwatch", "play supernatural_border")
    assert kinds(game.seat(0).items) == ["focus", "mini_hakkero", "stopwatch", "supernatural_border"]


def test_kijin_seija_searches_a_deck_at_the_start_of_the_game():
    """At the start of the game she may search a deck for an artifact and put it into play; the deck is shuffled."""
    table = scene().seat(0, "kijin_seija").seat(3, hand="focus").turn(3, step="game start")
    game = table.build()
    assert (game.asking, game.question, game.legal()) == (0, "deck", ["pass", "choose deck:main", "choose deck:lunatic"])
    game.act("choose deck:main")
    assert "choose card:stopwatch" in game.legal()
    assert "choose card:focus" not in game.legal()
    game.act("choose card:stopwatch")
    assert kinds(game.seat(0).items) == ["stopwatch"]


def test_kijin_seija_need_not_search():
    """The search is optional."""
    game = scene().seat(0, "kijin_seija").seat(3, hand="focus").turn(3, step="game start").build()
    game.act("pass")
    assert game.seat(0).items == []


def test_kijin_seija_without_an_artifact_in_one_deck_searches_the_other():
    """If the searched deck yields no artifact she may search another one."""
    held = "stopwatch mini_hakkero sorcerers_sutra_scroll"
    lunatic = [card.id for card in LUNATIC_ARTIFACTS if not card.seasons]
    main = [card.id for card in LUNATIC_ARTIFACTS if card.seasons]
    table = scene().seat(0, "kijin_seija", hand="grimoire").seat(2, hand=" ".join([held, *main])).turn(3, step="game start")
    game = table.build()
    game.act("choose deck:main")
    if lunatic:
        assert (game.asking, game.question, game.legal()) == (0, "deck", ["pass", "choose deck:lunatic"])
        game.act("choose deck:lunatic")
        assert f"choose card:{lunatic[0]}" in game.legal()


@pytest.mark.parametrize(("items", "damage"), [("", 1), ("power", 2), ("power focus", 3)])
def test_kijin_seija_reverse_hierarchy(items, damage):
    """Damage is the highest points among the target's items, or 1; no more than the life there is."""
    game = scene().seat(0, "kijin_seija", hand="spiritual_attack", items="mini_hakkero").seat(1, items=items).build()
    act(game, "play spiritual_attack", "choose seat:1")
    while game.question == "powerup":
        game.act(game.legal()[0])
    assert game.seat(1).life == 4 - damage


def test_kijin_seija_is_never_the_target_of_her_spell():
    """The player using Seija can never be the target, whoever Captures it."""
    game = scene().seat(0, hand="capture_spell_card grimoire").seat(1, "kijin_seija").build()
    act(game, "play capture_spell_card")
    assert game.seat(3).life == 4  # of 5; seat 1 was not to be chosen
    assert game.seat(1).life == 4


# ---------------------------------------------------------------- Kumoi Ichirin


def test_kumoi_ichirin_victims_draw_one_card_less():
    """A player hit by her attack draws one card less for the life lost to it."""
    game = scene().seat(0, "kumoi_ichirin", hand="shoot grimoire").build()
    act(game, "play shoot", "choose seat:1")
    assert (game.seat(1).life, game.seat(1).hand) == (3, [])
    table = scene().seat(0, "kumoi_ichirin", hand="capture_spell_card", items="power power").seat(1, "kirisame_marisa")
    game = table.build()
    act(game, "play capture_spell_card", "choose seat:1")
    assert (game.seat(1).life, len(game.seat(1).hand)) == (1, 2)


def test_kumoi_ichirin_punches_who_draws_in_the_draw_step():
    """When another player draws, also in the draw step: two attacks on that player at any range."""
    table = scene(6, turns=1).seat(0, hand="grimoire").seat(3, "kumoi_ichirin", hand="spiritual_attack").turn(0, step="draw")
    game = table.build()
    pass_until(game, "respond", 3)
    game.act("play spiritual_attack")
    assert game.seat(0).life == 2


def test_kumoi_ichirin_punches_who_draws_for_lost_life_but_not_herself():
    """Cards drawn for life lost, or for a Grimoire, are drawn; her own draws are none of another player."""
    game = scene().seat(0, hand="shoot grimoire").seat(3, "kumoi_ichirin", hand="spiritual_attack").build()
    act(game, "play grimoire")
    assert (game.asking, game.question) == (3, "respond")
    game.act("pass")
    act(game, "play shoot", "choose seat:1")
    assert (game.asking, game.question) == (3, "respond")
    game.act("play spiritual_attack")
    assert game.seat(1).life == 1
    game = scene().seat(0, "kumoi_ichirin", hand="spiritual_attack grimoire voile").build()
    game.act("play grimoire")
    assert (game.asking, game.question) == (0, "main")


# ---------------------------------------------------------------- Onozuka Komachi


def test_onozuka_komachi_holds_seven_cards_on_other_turns():
    """Base max hand size 7 on others' turns, 4 on her own."""
    game = scene().seat(0, "onozuka_komachi", hand="grimoire").build()
    assert game.seat(0).max_hand == 4
    game = scene().seat(0, "onozuka_komachi", hand="grimoire").seat(1, hand="grimoire").turn(1).build()
    assert game.seat(0).max_hand == 7


def test_onozuka_komachi_skips_and_takes_three_of_seven_discards():
    """She may skip her turn; then she takes 3 of the topmost 7 cards of the discard pile into her hand."""
    pile = "bomb/spring voile tempest grimoire shoot/spring graze/winter melee power/spring party"
    table = scene(turns=9).seat(0, "onozuka_komachi").discard(pile).turn(0, step="start")
    game = table.build()
    act(game, "choose yes", "choose yes")
    top = game.discard[-7:] if game.discard[-1].startswith("bomb") else game.discard[:7]
    names = {f"choose card:{card.split('/')[0]}" for card in top}
    assert set(game.legal()) == names
    act(game, "choose card:voile", "choose card:grimoire")
    act(game, "choose card:bomb" if "choose card:bomb" in game.legal() else game.legal()[0])
    assert len(game.seat(0).hand) == 3
    assert game.seat(0).skipped_last


def test_onozuka_komachi_takes_nothing_without_discards():
    """An empty pile has nothing for her; no two skips in a row."""
    game = scene(turns=9).seat(0, "onozuka_komachi", skipped_last=True, hand="grimoire").turn(0, step="start").build()
    pass_until(game, "main")
    assert game.turn == 0
    game = scene(turns=9).seat(0, "onozuka_komachi", hand="grimoire").seat(1, hand="grimoire").turn(0, step="start").build()
    act(game, "choose yes")
    pass_until(game, "main")
    assert (game.turn, kinds(game.seat(0).hand)) == (1, ["grimoire"])


def test_onozuka_komachi_scythe_of_final_judgment():
    """When somebody is about to avoid an attack, that player does not, and is attacked at any range as well (A-13)."""
    table = scene(6).seat(0, hand="shoot grimoire").seat(1, hand="graze").seat(4, "onozuka_komachi", hand="spiritual_attack")
    game = table.build()
    act(game, "play shoot", "choose seat:1", "play graze")
    assert (game.asking, game.question) == (4, "respond")
    game.act("play spiritual_attack")
    assert game.seat(1).life == 2
    assert "graze" in kinds(game.discard)


def test_onozuka_komachi_leaves_no_avoidance_to_profit_from():
    """A player kept from avoiding has avoided nothing: Remilia draws only for the life she loses (A-13)."""
    table = scene().seat(0, hand="shoot grimoire").seat(1, "remilia_scarlet", hand="graze")
    game = table.seat(3, "onozuka_komachi", hand="spiritual_attack").build()
    act(game, "play shoot", "choose seat:1", "play graze", "play spiritual_attack")
    assert (game.question, game.seat(1).life, len(game.seat(1).hand)) == ("main", 2, 2)


def test_onozuka_komachi_cannot_use_it_on_an_unavoidable_attack():
    """Nothing is avoided where nothing can be (L-24)."""
    game = scene().seat(0, hand="laser_shot grimoire").seat(1, hand="graze").seat(3, "onozuka_komachi", hand="spiritual_attack").build()
    act(game, "play laser_shot", "choose seat:1")
    assert (game.question, game.seat(1).life) == ("main", 3)


# ---------------------------------------------------------------- Moriya Suwako


def test_moriya_suwako_has_more_distance():
    """+1 distance."""
    game = scene(6).seat(0, hand="grimoire").seat(1, "moriya_suwako").build()
    assert game.distance(0, 1) == 2


def test_moriya_suwako_draws_anew_once_per_turn():
    """Once in each turn she may discard exactly the cards she drew and draw as many again."""
    table = scene().seat(0, "moriya_suwako", hand="grimoire/summer grimoire/autumn voile")
    game = table.deck("bomb/spring shoot/summer graze/winter melee party tempest").build()
    game.act("play grimoire")
    assert (game.asking, game.question) == (0, "may")
    assert kinds(game.seat(0).hand) == ["grimoire", "voile"]
    game.act("choose yes")
    assert kinds(game.seat(0).hand) == ["graze", "grimoire", "melee", "voile"]
    assert {"bomb", "shoot"} <= set(kinds(game.discard))
    game.act("play grimoire")
    assert game.question == "main"
    assert {"party", "tempest"} <= set(kinds(game.seat(0).hand))


def test_moriya_suwako_may_keep_what_she_drew():
    """Kept, the cards are hers, and she may still draw anew later in the turn."""
    table = scene().seat(0, "moriya_suwako", hand="grimoire voile").deck("bomb/spring shoot/summer graze/winter melee party tempest")
    game = table.build()
    act(game, "play grimoire", "pass")
    assert kinds(game.seat(0).hand) == ["bomb", "shoot", "voile"]
    act(game, "play voile")
    assert game.question == "may"


def test_moriya_suwako_draws_the_draw_step_anew():
    """Allowed for the cards of her draw step, and on others' turns for those of lost life."""
    game = (
        scene().seat(0, "moriya_suwako", hand="grimoire").deck("bomb/spring shoot/summer graze/winter melee").turn(0, step="draw").build()
    )
    pass_until(game, "may", 0)
    game.act("choose yes")
    pass_until(game, "main", 0)
    assert kinds(game.seat(0).hand) == ["graze", "grimoire", "melee"]
    table = scene().seat(0, hand="shoot/autumn shoot/winter grimoire", items="mini_hakkero power power").seat(1, "moriya_suwako")
    game = table.deck("bomb/spring graze/summer").build()
    act(game, "play shoot")
    pass_until(game, "may", 1) if game.question != "target" else act(game, "choose seat:1")
    pass_until(game, "may", 1)
    game.act("choose yes")
    assert kinds(game.seat(1).hand) == ["graze"]


def test_moriya_suwako_flips_two_cards():
    """When she would flip a card she may flip two and choose which counts."""
    table = scene().seat(0, hand="shoot/autumn grimoire", items="mini_hakkero").seat(1, "moriya_suwako", items="supernatural_border/spring")
    game = table.deck("bomb/winter graze/spring").build()
    act(game, "play shoot", "choose seat:1")
    assert (game.asking, game.question) == (1, "may")
    game.act("choose yes")
    assert (game.question, game.legal()) == ("aside", ["choose card:bomb", "choose card:graze"])
    game.act("choose card:graze")
    pass_until(game, "main")
    assert {"bomb", "graze"} <= set(kinds(game.discard))


def test_moriya_suwako_the_snake_takes_the_card():
    """An action card somebody else has just played goes to her hand when it has resolved, and she may attack."""
    table = scene().seat(0, hand="grimoire/summer voile").seat(1, "moriya_suwako", hand="spiritual_attack")
    game = table.build()
    act(game, "play grimoire")
    assert (game.asking, game.question) == (1, "respond")
    act(game, "play spiritual_attack", "choose seat:2")
    pass_until(game, "main", 0)
    assert "grimoire/summer" in game.seat(1).hand
    assert len(game.seat(0).hand) == 3
    assert game.seat(2).life == 3


# ---------------------------------------------------------------- Tatara Kogasa, her ability


def test_tatara_kogasa_flips_after_a_spring_card():
    """After a spring card has gone to the discard pile she may flip; an action card may be played at once."""
    table = scene().seat(0, hand="party/spring voile").seat(1, "tatara_kogasa").deck("power power power power power grimoire/summer")
    game = table.build()
    game.act("play party")
    assert (game.asking, game.question) == (1, "may")
    game.act("choose yes")
    assert (game.asking, game.question) == (1, "may")
    hand = len(game.seat(1).hand)
    game.act("choose yes")
    pass_until(game, "main", 0)
    assert len(game.seat(1).hand) == hand + 2
    assert "grimoire/summer" in game.discard


def test_tatara_kogasa_discards_what_is_no_action():
    """Another card is only flipped, and one use in each turn is all."""
    table = scene().seat(0, hand="party/spring voile").seat(1, "tatara_kogasa").deck("power power power power power graze/winter")
    game = table.build()
    act(game, "play party", "choose yes")
    assert (game.asking, game.question) == (0, "main")
    assert "graze/winter" in game.discard


def test_tatara_kogasa_waits_for_a_spring_card():
    """Cards of other seasons bring nothing."""
    game = scene().seat(0, hand="voile/autumn grimoire").seat(1, "tatara_kogasa").build()
    game.act("play voile")
    while game.question != "main":
        assert game.asking == 0
        game.act(game.legal()[0])


# ---------------------------------------------------------------- Tatara Kogasa


def test_tatara_kogasa_guerrilla_typhoon():
    """When somebody else has played an action card she attacks that player at any range, unavoidably; it cannot be cancelled."""
    table = scene(6).seat(0, hand="grimoire graze bomb").seat(3, "tatara_kogasa", hand="spiritual_attack")
    game = table.build()
    act(game, "play grimoire")
    if game.question == "cancel":
        game.act("pass")
    assert (game.asking, game.question) == (3, "respond")
    game.act("play spiritual_attack")
    assert game.seat(0).life == 3
    assert len(game.seat(0).hand) == 5  # the Graze and Bomb, a card for the life, two for the Grimoire


def test_tatara_kogasa_guerrilla_typhoon_answers_cards_only():
    """No Spell Card of kind action, no item, and no cancelled card."""
    table = scene().seat(0, "patchouli_knowledge", hand="spiritual_attack/winter power grimoire")
    game = table.seat(3, "tatara_kogasa", hand="spiritual_attack").build()
    act(game, "play spiritual_attack", "pass")
    assert (game.asking, game.question) == (0, "main")
    game.act("play power")
    assert (game.asking, game.question) == (0, "main")
    table = scene().seat(0, hand="shoot/winter grimoire").seat(1, hand="bomb/winter").seat(3, "tatara_kogasa", hand="spiritual_attack")
    game = table.build()
    act(game, "play shoot", "choose seat:1", "play bomb")
    assert (game.asking, game.question) == (0, "main")


# ---------------------------------------------------------------- Usami Sumireko


def test_usami_sumireko_names_a_season_and_draws_one_more():
    """Before drawing a card she may name a season; if it has it she may show it and draw 1 extra, for which she names none."""
    game = scene().seat(0, "usami_sumireko", hand="grimoire voile").deck("bomb/spring shoot/summer graze/winter party").build()
    act(game, "play grimoire")
    assert game.question == "season"
    assert "pass" in game.legal()
    game.act("choose season:spring")
    assert game.question == "may"
    game.act("choose yes")
    assert kinds(game.seat(0).hand) == ["bomb", "shoot", "voile"]
    assert game.question == "season"
    game.act("choose season:spring")
    assert game.question == "main"
    assert kinds(game.seat(0).hand) == ["bomb", "graze", "shoot", "voile"]


def test_usami_sumireko_shows_one_card_and_not_her_hand():
    """The log says so; and that Eiki shows one, to a single player."""
    game = scene().seat(0, "usami_sumireko", hand="grimoire voile").deck("bomb/spring shoot/summer graze/winter party").build()
    act(game, "play grimoire", "choose season:spring", "choose yes")
    assert "seat 0 (Sumireko) shows a card of the hand to all: Bomb (spring)" in game.log
    game = scene().seat(0, "shiki_eiki", hand="spiritual_attack graze/winter power", revealed=True).build()
    act(game, "play spiritual_attack", "choose seat:1", "choose number:1", "choose card:graze")
    assert "seat 1 looks at a card of the hand of seat 0 (Eiki)" in game.log
    assert "seat 1 looks at a card of the hand of seat 0 (Eiki): Graze (winter)" in game.log.of(1)


def test_usami_sumireko_need_not_show_the_card():
    """Unshown it stays hers alone, and nothing more is drawn."""
    game = scene().seat(0, "usami_sumireko", hand="grimoire voile").deck("bomb/spring shoot/summer").build()
    act(game, "play grimoire", "choose season:spring", "pass", "pass")
    assert kinds(game.seat(0).hand) == ["bomb", "shoot", "voile"]


def test_usami_sumireko_names_the_season_aloud():
    """Everybody hears which season she named, also when the card is not shown; no card of her draw is told with it."""
    game = scene().seat(0, "usami_sumireko", hand="grimoire voile").deck("bomb/spring shoot/summer").build()
    act(game, "play grimoire", "choose season:spring", "pass", "pass")
    named = [line for line in game.log.of(2) if "before drawing" in line]
    assert [line.endswith("names spring before drawing") for line in named] == [True]
    assert not any("Bomb" in line for line in game.log.of(2))


def test_usami_sumireko_in_the_draw_step_and_for_lost_life():
    """Every card she draws, also in the draw step and for life lost."""
    game = scene().seat(0, "usami_sumireko", hand="grimoire").deck("bomb/spring shoot/summer").turn(0, step="draw").build()
    pass_until(game, "season", 0)
    act(game, "pass", "pass")
    assert kinds(game.seat(0).hand) == ["bomb", "grimoire", "shoot"]
    game = scene().seat(0, hand="shoot/autumn grimoire").seat(1, "usami_sumireko").deck("bomb/spring shoot/summer").build()
    act(game, "play shoot", "choose seat:1")
    assert (game.asking, game.question, game.seat(1).life) == (1, "season", 3)
    act(game, "choose season:spring", "choose yes")
    assert kinds(game.seat(1).hand) == ["bomb", "shoot"]


@pytest.mark.parametrize(("hand", "attacks"), [("", 1), ("shoot", 1), ("grimoire", 2), ("laser_shot", 2), ("voile graze", 3)])
def test_usami_sumireko_psychexplosion(hand, attacks):
    """The target shows the hand: a card of 5 points means three attacks, of 3 or 4 two, otherwise one."""
    game = scene().seat(0, "usami_sumireko", hand="spiritual_attack").seat(1, hand=hand, life=4).build()
    act(game, "play spiritual_attack", "choose seat:1")
    while game.question == "attacked":
        game.act("pass")
    assert game.seat(1).life == 4 - attacks


# ---------------------------------------------------------------- Yasaka Kanako


def test_yasaka_kanako_has_more_range():
    """+1 range."""
    game = scene(6).seat(0, "yasaka_kanako", hand="grimoire").build()
    assert game.seat(0).range == 2


def test_yasaka_kanako_looks_at_the_top_of_a_deck():
    """Once per round, at any time, she looks at the top card of a deck and leaves it or puts it underneath."""
    table = scene().seat(0, hand="grimoire shoot").seat(1, "yasaka_kanako").deck("voile party")
    game = table.lunatic_deck("lunatic_bomb/spring").build()
    act(game, "play grimoire")
    assert (game.asking, game.question, game.legal()) == (1, "cancel", ["pass", "ability yasaka_kanako"])
    game.act("ability yasaka_kanako")
    assert game.legal() == ["choose deck:main", "choose deck:incident", "choose deck:lunatic"]
    act(game, "choose deck:main", "choose bottom")
    assert "voile" not in kinds(game.seat(0).hand)
    assert kinds(game.seat(0).hand)[0] == "party"
    act(game, "play shoot", "choose seat:1")
    assert "ability yasaka_kanako" not in game.legal()


def test_yasaka_kanako_looks_at_the_lunatic_deck():
    """The Lunatic deck is one of the decks."""
    table = scene().seat(0, "yasaka_kanako", hand="grimoire").lunatic_deck("lunatic_bomb/spring lunatic_focus")
    game = table.build()
    act(game, "ability yasaka_kanako", "choose deck:lunatic", "choose bottom")
    assert game.question == "main"
    assert "ability yasaka_kanako" not in game.legal()


def test_yasaka_kanako_omiwatari():
    """The incident is resolved; the top 3 of a deck go to its top or bottom in any order; then an optional attack."""
    table = scene().seat(0, "yasaka_kanako", hand="spiritual_attack grimoire").incident("crossing_to_higan").deck("voile party tempest")
    game = table.build()
    act(game, "play spiritual_attack")
    pass_until(game, "deck") if game.question == "cancel" else None
    act(game, "choose deck:main", "choose seat:1")
    pass_until(game, "aside")
    assert game.incident is None
    act(game, "choose card:party", "choose top", "choose card:voile", "choose bottom", "choose top")
    pass_until(game, "main")
    assert game.seat(1).life == 3
    assert game.seat(1).hand[0].startswith("tempest")


def test_yasaka_kanako_looks_whenever_an_instant_could_be_played():
    """Also in somebody's discard step, before hands are trimmed; nobody can answer it."""
    game = scene(turns=3).seat(0, hand="shoot").seat(1, "yasaka_kanako").deck("voile party").build()
    game.act("pass")
    while game.step != "discard" or game.asking != 1:
        game.act("pass")
    game.act("pass")
    assert (game.asking, game.step, game.turn_number) == (1, "discard", 1)  # a boundary, and the moment at which cards are exchanged
    act(game, "ability yasaka_kanako", "choose deck:main", "choose bottom")
