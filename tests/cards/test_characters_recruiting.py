"""Characters who recruit Extra Characters or have abilities of others: Mamizou, Nue, Koishi, Ran, and the bonus character Player 2."""

import pytest

from danmaku_env import Game, GameConfig
from tests.table import act, kinds, lost, offered, pass_until
from tests.table import lunatic_scene as scene
from tests.table import scene as base_scene

MAMIZOU, NUE, KOISHI, RAN = "futatsuiwa_mamizou", "houjuu_nue", "komeiji_koishi", "yakumo_ran"


# ---------------------------------------------------------------- Futatsuiwa Mamizou


def test_futatsuiwa_mamizou_recruits_for_a_card_at_the_start_of_her_turn():
    """Start of your turn, without an Extra Character from this: may discard a card to recruit one, with ability and Spell Card."""
    game = scene(4, 3).seat(0, MAMIZOU, hand="shoot graze").recruits(["cirno", "hakurei_reimu"]).turn(0, step="start").build()
    assert (game.question, game.legal()) == ("discard", ["pass", "choose card:graze", "choose card:shoot"])
    game.act("choose card:graze")
    assert (game.asking, game.question, offered(game)) == (0, "character", {"cirno", "hakurei_reimu"})
    game.act("choose character:cirno")
    assert game.seat(0).extras == ["cirno"]
    assert game.seat(0).abilities == game.seat(0).spell_cards == ["cirno", MAMIZOU]
    assert (game.seat(0).range, "graze" in kinds(game.discard)) == (3, True)


def test_futatsuiwa_mamizou_need_not_recruit_and_has_one_at_a_time():
    """May discard a card, only without an Extra Character from this."""
    game = scene(4, 3).seat(0, MAMIZOU, hand="shoot graze").turn(0, step="start").build()
    assert game.question == "discard"
    game.act("pass")
    assert game.seat(0).extras == []
    with_one = scene(4, 3).seat(0, MAMIZOU, hand="shoot graze", extras=["cirno"]).turn(0, step="start").build()
    assert (with_one.question, with_one.step) != ("discard", "start")


def test_futatsuiwa_mamizou_recruits_at_the_start_of_the_game():
    """Game start: as at the start of your turn, before turn zero."""
    game = scene().roles("heroine stage_boss stage_boss ex_boss").seat(0, MAMIZOU, hand="shoot graze").turn(0, step="game start").build()
    assert (game.asking, game.question, game.turn_number) == (0, "discard", 0)
    game.act("choose card:shoot")
    game.act(game.legal()[0])
    assert len(game.seat(0).extras) == 1


def test_futatsuiwa_mamizou_dismisses_to_avoid_an_attack():
    """You may dismiss it to avoid an attack on you."""
    game = scene().seat(0, hand="shoot").seat(1, MAMIZOU, extras=["cirno"]).build()
    act(game, "play shoot", "choose seat:1")
    assert (game.asking, game.question, game.legal()) == (1, "attacked", ["pass", f"ability {MAMIZOU}"])
    game.act(f"ability {MAMIZOU}")
    assert (lost(game), game.seat(1).extras, game.seat(1).abilities) == ([0, 0, 0, 0], [], [MAMIZOU])
    assert "seat 1 (Mamizou) dismisses Cirno" in game.log


def test_futatsuiwa_mamizou_dismisses_no_other_extra_and_not_for_nothing():
    """Not one from elsewhere, and not against an attack that cannot be avoided (A-12)."""
    leaf = {"items": "tanuki_leaf", "extras": ["cirno/tanuki_leaf"]}
    game = scene().seat(0, hand="shoot").seat(1, MAMIZOU, **leaf).build()
    act(game, "play shoot", "choose seat:1")
    assert (lost(game)[1], game.seat(1).extras) == (1, ["cirno"])
    game = scene().seat(0, hand="laser_shot").seat(1, MAMIZOU, extras=["cirno"]).build()
    act(game, "play laser_shot", "choose seat:1")
    assert (lost(game)[1], game.seat(1).extras) == (1, ["cirno"])


def test_futatsuiwa_mamizou_scrolls_replace_any_extra_and_attack():
    """Draw 1; you may replace an Extra Character of yours, whatever granted it; attack a player in range."""
    plan = {"items": "tanuki_leaf", "extras": ["cirno", "hakurei_reimu/tanuki_leaf"], "hand": "spiritual_attack"}
    game = scene().seat(0, MAMIZOU, **plan).recruits(["kazami_yuuka", "ibuki_suika"]).deck("voile").build()
    act(game, "play spiritual_attack", f"choose character:{MAMIZOU}")
    game.act("choose seat:1")
    assert (game.question, offered(game), kinds(game.seat(0).hand)) == ("extra", {"cirno", "hakurei_reimu"}, ["voile"])
    game.act("choose character:hakurei_reimu")
    assert (game.question, offered(game)) == ("character", {"kazami_yuuka", "ibuki_suika"})
    game.act("choose character:ibuki_suika")
    assert (game.seat(0).extras, lost(game)) == (["cirno", "ibuki_suika"], [0, 1, 0, 0])
    game = scene().seat(0, MAMIZOU, **plan).deck("voile").build()
    act(game, "play spiritual_attack", f"choose character:{MAMIZOU}", "choose seat:3", "pass")
    assert (game.seat(0).extras, lost(game)) == (["cirno", "hakurei_reimu"], [0, 0, 0, 1])


def test_futatsuiwa_mamizou_scrolls_attack_nobody_where_nobody_is_in_range():
    """Attack a player in range: without one she draws all the same (C-17); without Extra Characters nothing is replaced."""
    game = scene().seat(0, MAMIZOU, hand="spiritual_attack").seat(1, items="focus").seat(3, items="focus").build()
    game.act("play spiritual_attack")
    assert (lost(game), game.question, len(game.seat(0).hand)) == ([0] * len(lost(game)), "main", 1)
    game = scene().seat(0, MAMIZOU, hand="spiritual_attack").build()
    act(game, "play spiritual_attack", "choose seat:1")
    assert (lost(game)[1], game.question, len(game.seat(0).hand)) == (1, "main", 1)


# ---------------------------------------------------------------- Houjuu Nue


def test_houjuu_nue_recruits_two_abilities_at_the_start_of_the_game():
    """Game start: recruit 2 Extra Characters for their abilities, not their Spell Cards."""
    table_ = scene().roles("heroine stage_boss stage_boss ex_boss").seat(0, NUE).turn(0, step="game start")
    game = table_.recruits(["cirno", "hakurei_reimu", "kazami_yuuka", "ibuki_suika"]).build()
    first = sorted(offered(game))[0]
    game.act(f"choose character:{first}")
    second = sorted(offered(game))[0]
    game.act(f"choose character:{second}")
    assert game.seat(0).extras == [first, second]
    assert set(game.seat(0).abilities) == {first, second, NUE}
    assert game.seat(0).spell_cards == [NUE]


def test_houjuu_nue_has_two_others_after_a_turn_in_which_an_attack_hurt_her():
    """End of every turn in which an attack took life of you: dismiss them and recruit 2 others."""
    table_ = scene(4, 2).seat(0, hand="shoot").seat(1, NUE, extras=["cirno", "hakurei_reimu"])
    game = table_.recruits(["kazami_yuuka", "ibuki_suika", "kirisame_marisa", "kochiya_sanae"]).build()
    act(game, "play shoot", "choose seat:1")
    assert (game.asking, game.question, game.turn_number, game.step) == (1, "character", 1, "discard")
    assert "seat 1 (Nue) dismisses Cirno" in game.log
    game.act(game.legal()[0])
    game.act(game.legal()[0])
    assert len(game.seat(1).extras) == 2
    assert not {"cirno", "hakurei_reimu"} & {*game.seat(1).extras}


@pytest.mark.parametrize("how", ["dodged", "no attack", "nothing lost"])
def test_houjuu_nue_keeps_them_otherwise(how):
    """Lost life to an attack: not avoided, not otherwise lost."""
    table_ = scene(4, 2).seat(0, "cirno" if how == "no attack" else "", hand="shoot").seat(2, hand="power")
    table_.seat(1, NUE, extras=["kazami_yuuka", "hakurei_reimu"], hand="graze" if how == "dodged" else "")
    if how == "no attack":
        table_ = table_.turn(1, step="incident").incident("saigyou_ayakashi_blooming")
    game = table_.build()
    if how == "dodged":
        act(game, "play shoot", "choose seat:1", "play graze")
    while game.turn_number == 1 and not game.over:
        game.act("pass" if "pass" in game.legal() else game.legal()[0])
    assert game.seat(1).extras == ["kazami_yuuka", "hakurei_reimu"]


def test_houjuu_nue_keeps_them_while_her_ability_is_off():
    """Losing the ability for a while dismisses nobody, and nothing happens at the end of the turn."""
    table_ = scene(4, 2).seat(0, KOISHI, hand="shoot").seat(1, NUE, extras=["cirno", "hakurei_reimu"])
    game = table_.lasting("abilities have no effect", until=0, on=1).build()
    assert (game.seat(1).extras, game.seat(1).abilities) == (["cirno", "hakurei_reimu"], [])
    act(game, "play shoot", "choose seat:1", "pass")
    assert lost(game)[1] == 1
    assert game.seat(1).extras == ["cirno", "hakurei_reimu"]


def test_houjuu_nue_danmaku_chimera_recruits_two_and_dismisses_two():
    """Recruit 2, then dismiss 2 of those from this, old or new; you may attack a player in range."""
    table_ = scene().seat(0, NUE, hand="spiritual_attack", extras=["cirno", "hakurei_reimu"])
    game = table_.recruits(["kazami_yuuka", "ibuki_suika", "kirisame_marisa", "kochiya_sanae"]).build()
    act(game, "play spiritual_attack", "choose seat:1")
    while game.question == "character":
        game.act(game.legal()[0])
    new = game.seat(0).extras[2:]
    assert (game.question, offered(game)) == ("extra", {"cirno", "hakurei_reimu", *new})
    act(game, f"choose character:{new[0]}", "choose character:cirno")
    assert (game.seat(0).extras, lost(game)) == (["hakurei_reimu", new[1]], [0, 1, 0, 0])


def test_houjuu_nue_danmaku_chimera_dismisses_none_from_elsewhere():
    """Those from her ability or this Spell Card, and not the one of an item. Others cannot activate it."""
    plan = {"items": "tanuki_leaf", "extras": ["cirno/tanuki_leaf", f"hakurei_reimu/{NUE}", f"kazami_yuuka/{NUE}"]}
    game = scene().seat(0, NUE, hand="spiritual_attack", **plan).recruits(["ibuki_suika"]).build()
    game.act("play spiritual_attack")
    if game.question == "spell":
        game.act(f"choose character:{NUE}")
    game.act("pass")
    assert "cirno" not in offered(game)
    thief = scene().seat(0, hand="capture_spell_card").seat(1, NUE).build()
    assert "play capture_spell_card" not in thief.legal()


# ---------------------------------------------------------------- Komeiji Koishi


def test_komeiji_koishi_names_an_ability_at_the_start_of_every_turn():
    """Start of anybody's turn: may name another player's character and have that ability until you name another."""
    game = scene(4, 3).seat(0, KOISHI).seat(1, "cirno").seat(2, "ibuki_suika").turn(1, step="start").build()
    assert (game.asking, game.question, offered(game)) == (0, "ability", {"cirno", "ibuki_suika"})
    game.act("choose character:cirno")
    assert (game.seat(0).abilities, game.seat(0).spell_cards, game.seat(0).range) == (["cirno", KOISHI], [KOISHI], 3)
    assert "seat 0 (Koishi) has the ability of Cirno too" in game.log
    pass_until(game, "ability")
    assert (game.turn, offered(game)) == (2, {"ibuki_suika"})
    game.act("choose character:ibuki_suika")
    assert (game.seat(0).abilities, game.seat(0).range, game.seat(0).danmaku_limit) == (["ibuki_suika", KOISHI], 2, 2)


def test_komeiji_koishi_may_leave_it_as_it_is():
    """May name: passing keeps the ability she has."""
    game = scene(4, 3).seat(0, KOISHI, named="cirno").seat(1, "cirno").seat(2, "ibuki_suika").turn(1, step="start").build()
    game.act("pass")
    assert game.seat(0).abilities == ["cirno", KOISHI]


def test_komeiji_koishi_names_defeated_players_and_nobody_who_recruits():
    """Defeated players too; abilities that recruit cannot be copied, nor those of Extra Characters."""
    table_ = scene(5, 3).seat(0, KOISHI).seat(1, MAMIZOU, extras=["cirno"]).seat(2, "ibuki_suika", role="ex_boss", defeated=True)
    game = table_.seat(3, NUE).seat(4, "kazami_yuuka", role="stage_boss").turn(1, step="start").build()
    pass_until(game, "ability")
    assert offered(game) == {"ibuki_suika", "kazami_yuuka"}


def test_komeiji_koishi_uses_a_copied_ability():
    """You have that ability: what can be activated is hers to activate, counted for herself."""
    table_ = scene().seat(0, hand="shoot").seat(1, KOISHI, named="komeiji_satori").seat(2, "komeiji_satori")
    game = table_.deck("graze/winter").build()
    act(game, "play shoot", "choose seat:1", "ability komeiji_satori")
    assert lost(game) == [0, 0, 0, 0]


def test_komeiji_koishi_danmaku_paranoia_takes_all_abilities():
    """Another player has no abilities until your next turn, Extra Characters included; you may attack a player in range."""
    plan = {"extras": ["cirno"], "hand": "graze"}
    game = scene(4, 2).seat(0, KOISHI, hand="spiritual_attack").seat(1, MAMIZOU, **plan).seat(3, "ibuki_suika").build()
    act(game, "play spiritual_attack", "choose seat:1", "choose seat:3")
    assert (game.seat(1).abilities, game.seat(1).spell_cards, game.seat(1).extras) == ([], [MAMIZOU], ["cirno"])
    assert (game.seat(1).range, lost(game)[3]) == (1, 1)
    assert game.lasting == ["until the next turn of seat 0 (Koishi): abilities have no effect for seat 1 (Mamizou)"]


def test_komeiji_koishi_danmaku_paranoia_ends_with_her_next_turn():
    """Until the start of your next turn."""
    table_ = scene(4, 3).seat(0, KOISHI).seat(1, "cirno").lasting("abilities have no effect", until=0, on=1)
    game = table_.turn(3).build()
    assert game.seat(1).range == 1
    game.act("pass")
    assert (game.turn, game.seat(1).abilities, game.seat(1).range) == (0, ["cirno"], 3)


# ---------------------------------------------------------------- Yakumo Ran


def test_yakumo_ran_recruits_a_spell_card_at_the_start_of_the_game():
    """Game start: recruit an Extra Character for its Spell Card; its ability is not gained."""
    table_ = scene().roles("heroine stage_boss stage_boss ex_boss").seat(0, RAN).recruits(["cirno", "ibuki_suika"])
    game = table_.turn(0, step="game start").build()
    game.act("choose character:cirno")
    assert (game.seat(0).abilities, game.seat(0).spell_cards, game.seat(0).range) == ([RAN], ["cirno", RAN], 1)


def test_yakumo_ran_may_activate_her_own_besides():
    """When you activate that Spell Card you may activate your own too; it happens first (L-25)."""
    game = scene().seat(0, RAN, hand="spiritual_attack shoot", extras=["kazami_yuuka"]).deck("voile party").build()
    act(game, "play spiritual_attack", "choose character:kazami_yuuka")
    assert (game.asking, game.question) == (0, "may")
    act(game, "choose yes", "choose number:3")
    assert kinds(game.seat(0).hand) == ["party", "shoot", "voile"]
    lines = list(game.log)
    assert lines.index("seat 0 (Ran) draws 2 cards") < lines.index("seat 0 (Ran) attacks seat 1")
    assert lost(game) == [0, 1, 1, 1]


def test_yakumo_ran_need_not_and_her_own_alone_brings_nothing_more():
    """You may; and your own Spell Card can be activated by itself, once a round as any."""
    game = scene().seat(0, RAN, hand="spiritual_attack shoot", extras=["kazami_yuuka"]).build()
    act(game, "play spiritual_attack", "choose character:kazami_yuuka", "pass")
    assert (len(game.seat(0).hand), lost(game)) == (1, [0, 1, 1, 1])
    game = scene().seat(0, RAN, hand="spiritual_attack spiritual_attack", extras=["kazami_yuuka"]).deck("voile party").build()
    act(game, "play spiritual_attack", f"choose character:{RAN}", "choose number:3")
    assert (game.question, len(game.seat(0).hand), "play spiritual_attack" in game.legal()) == ("main", 3, False)


@pytest.mark.parametrize(("answers", "cards", "life", "losses"), [
    (["choose number:1", "choose seat:2"], 1, 3, [1, 0, 1, 0]),
    (["choose number:2"], 0, 4, [0, 0, 0, 0]),
    (["choose number:3"], 3, 3, [1, 0, 0, 0]),
])  # fmt: skip
def test_yakumo_ran_banquet_is_one_of_three(answers, cards, life, losses):
    """Attack a player at any range; or discard a card to regain 1 life; or draw 2."""
    game = scene().roles("stage_boss heroine stage_boss ex_boss").seat(0, RAN, hand="spiritual_attack shoot", life=3).build()
    act(game, "play spiritual_attack", *answers)
    assert (len(game.seat(0).hand), game.seat(0).life, lost(game)) == (cards, life, losses)


# ---------------------------------------------------------------- Player 2


def test_player_2_has_the_ability_of_another_for_the_whole_game():
    """Game start: name the character of another player and have its ability for the rest of the game, and its Spell Card as yours."""
    names = ["player_2", "cirno", "ibuki_suika", "kazami_yuuka"]
    game = Game.new(GameConfig(num_players=4, characters=names, bonus_character=True), seed=1)
    assert (game.asking, game.question, offered(game)) == (0, "ability", {"cirno", "ibuki_suika", "kazami_yuuka"})
    assert game.step == "zero"
    game.act("choose character:cirno")
    assert (game.seat(0).abilities, game.seat(0).spell_cards, game.turn_number) == (["cirno", "player_2"], ["cirno"], 1)
    assert "seat 0 (Player_2) has the ability of Cirno for the rest of the game" in game.log


def test_player_2_activates_the_spell_card_in_its_own_timing():
    """The Spell Card of the character named, in that card's timing; nobody else can activate hers (C-16)."""
    config = {"bonus_character": True}
    table_ = base_scene(4, 1, **config).seat(0, "player_2", named="cirno", hand="spiritual_attack").seat(1, "cirno")
    game = table_.build()
    act(game, "play spiritual_attack", "choose seat:1")
    assert (lost(game)[1], game.seat(1).skip_next) == (1, True)
    thief = base_scene(4, 1, **config).seat(0, hand="capture_spell_card").seat(1, "player_2", named="cirno").seat(2, "cirno").build()
    act(thief, "play capture_spell_card", "choose seat:3")
    assert (thief.seat(3).skip_next, thief.seat(0).spell_used) == (True, True)  # Cirno's own: there was no other to choose


def test_player_2_is_only_there_when_asked_for():
    """The bonus character is one of the characters with `bonus_character=True`."""
    assert "player_2" not in GameConfig().character_ids
    with_bonus = GameConfig(bonus_character=True).character_ids
    assert (with_bonus[-1], len(with_bonus)) == ("player_2", 25)


def test_an_extra_character_is_not_the_price_of_its_own_spell_card():
    """L-32: Player 2 activates the Spell Card of the Leaf's Alice, and pays for it with anything but the Tanuki Leaf."""
    table_ = scene(4, 1, bonus_character=True)
    game = table_.seat(0, "player_2", hand="grimoire", items="tanuki_leaf", extras=["alice_margatroid"]).build()
    assert "spell alice_margatroid" not in game.legal()
    game = table_.seat(0, "player_2", hand="grimoire", items="tanuki_leaf power", extras=["alice_margatroid"]).build()
    game.act("spell alice_margatroid")
    assert (game.question, game.seat(0).extras, kinds(game.seat(0).items)) == ("target", ["alice_margatroid"], ["tanuki_leaf"])


def nue_with_player_2(**others):
    """Nue in seat 1 has just recruited Player 2 at the start of the game, beside these characters in other seats."""
    start = scene(4, 2, bonus_character=True).roles("heroine stage_boss stage_boss ex_boss").seat(0, "cirno", hand="shoot").seat(1, NUE)
    for seat, character in others.items():
        start.seat(int(seat[-1]), character)
    game = start.recruits(["player_2", "junko", "kazami_yuuka", "yasaka_kanako"]).turn(1, step="game start").build()
    while "choose character:player_2" not in game.legal():
        game = start.build(seed=game.record["seed"] + 1)
    game.act("choose character:player_2")
    return game


def test_player_2_as_an_extra_character_has_no_ability_that_recruits():
    """Nobody recruits an Extra Character with an ability that grants others: beside Ran and Mamizou there is only Cirno to name."""
    game = nue_with_player_2(seat2=RAN, seat3=MAMIZOU)
    assert game.seat(1).abilities == ["cirno", NUE, "player_2"]


def test_who_is_dismissed_takes_along_what_the_ability_it_named_had_named():
    """L-12: Nue's Player 2 had Koishi's ability, by which Nue had Cirno's; with Player 2 both are gone, and such a game is a game."""
    game = nue_with_player_2(seat2=KOISHI, seat3="ibuki_suika")
    game.act(f"choose character:{KOISHI}")
    while (game.asking, game.question) != (1, "ability"):
        game.act("pass" if "pass" in game.legal() else game.legal()[0])
    game.act("choose character:ibuki_suika")
    pass_until(game, "main", 0)
    assert {"player_2", KOISHI, "ibuki_suika"} <= set(game.seat(1).abilities)
    act(game, "play shoot", "choose seat:1")
    pass_until(game, "character", 1)
    assert game.seat(1).abilities == [NUE]
    assert Game.from_bytes(game.to_bytes()) == game
