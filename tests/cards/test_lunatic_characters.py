"""The characters of Lunatic Extra: ability, Spell Card, what they may not do, and the rulings that name them."""

import pytest

from tests.table import act, end_turn, kinds, life, pass_until
from tests.table import scene as base_scene


def scene(players=4, turns=1, **config):
    """A table with the expansion."""
    return base_scene(players, turns, expansion="lunatic_extra", **config)


def attack_from(attacker, target, *, players=4, **config):
    """A table at which the attacker holds a Shoot and nobody anything else; described further, then `shoot` it."""
    return scene(players, **config).seat(attacker, hand="shoot grimoire").turn(attacker)


# ---------------------------------------------------------------- Flandre Scarlet


def test_flandre_scarlet_makes_her_victim_discard_any_item():
    """Who loses life to her attack loses an item that she picks instead of a powerup."""
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
    """Reduced to 1 life before she performs the attack, she attacks nobody who was in range for her +2 alone."""
    table = scene(6).seat(0, "hecatia_lapislazuli", life=2, hand="shoot").seat(3, "hong_meiling", hand="spiritual_attack")
    game = table.build()
    assert game.in_range(0, 3)
    act(game, "play shoot", "choose seat:3", "pass")
    assert game.seat(3).life == 4


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
    """Not against Spell Cards (L-29), nor against what is no action card, nor against her own."""
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
