"""One test or more per card of Lunatic Extra, in box order. The first line of a docstring says what is printed, in our words."""

from tests import table
from tests.table import act, kinds, pass_until


def scene(players=4, **options):
    """A table of both boxes."""
    return table.scene(players, expansion="lunatic_extra", **options)


def lost(game):
    """Life that every seat is missing."""
    return [seat.max_life - seat.life for seat in game.seats]


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
