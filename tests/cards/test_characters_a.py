"""The first twelve characters of the base game: ability, Spell Card, what they may not do, and the rulings that name them."""

import pytest

from tests.table import act, box_without, end_turn, first_hands, kinds, life, pass_until, scene

# ---------------------------------------------------------------- Alice Margatroid


def test_alice_margatroid_keeps_powerups():
    """Losing life never costs her a powerup; anybody else loses one."""
    game = scene().seat(0, "alice_margatroid", items="power").seat(1, "cirno", hand="shoot grimoire").turn(1).build()
    act(game, "play shoot", "choose seat:0")
    assert game.seat(0).life == 3
    assert kinds(game.seat(0).items) == ["power"]
    game = scene().seat(0, items="power").seat(1, "cirno", hand="shoot grimoire").turn(1).build()
    act(game, "play shoot", "choose seat:0")
    assert game.seat(0).life == 3
    assert game.seat(0).items == []


def test_alice_margatroid_discards_an_item_for_her_spell():
    """On her turn she may discard an item in play to activate her Spell Card, counted for the round."""
    game = scene().seat(0, "alice_margatroid", hand="grimoire", items="focus stopwatch").deck("power").build()
    act(game, "spell alice_margatroid", "choose card:focus", "choose seat:1")
    assert kinds(game.seat(0).items) == ["power", "stopwatch"]
    assert kinds(game.discard) == ["focus"]
    assert game.seat(1).life == 3
    assert game.seat(0).spell_used
    assert "spell alice_margatroid" not in game.legal()


def test_alice_margatroid_needs_an_item_and_her_own_turn():
    """Without an item in play, or on another's turn, the other way to her Spell Card is closed."""
    game = scene().seat(0, "alice_margatroid", hand="grimoire").build()
    assert game.legal() == ["pass", "play grimoire"]
    game = scene().seat(0, "alice_margatroid", hand="graze", items="power").seat(1, hand="shoot grimoire").turn(1).build()
    act(game, "play shoot", "choose seat:0")
    assert (game.asking, game.legal()) == (0, ["pass", "play graze"])


def test_alice_margatroid_artful_sacrifice():
    """Reveal until an item shows up, put it into play, discard the rest in the order revealed; may attack."""
    game = (
        scene()
        .seat(0, "alice_margatroid", hand="spiritual_attack grimoire")
        .deck("shoot/spring graze/winter power/spring bomb/spring")
        .build()
    )
    act(game, "play spiritual_attack")
    assert game.legal() == ["pass", "choose seat:1", "choose seat:3"]
    game.act("choose seat:3")
    assert game.seat(0).items == ["power/spring"]
    assert game.discard[:2] == ["shoot/spring", "graze/winter"]
    assert life(game) == [4, 4, 4, 4]


def test_alice_margatroid_artful_sacrifice_attacks_last():
    """The item is in play and the other cards are discarded before she attacks."""
    game = scene().seat(0, "alice_margatroid", hand="spiritual_attack").seat(1, hand="graze").deck("shoot bomb power").build()
    act(game, "play spiritual_attack", "choose seat:1")
    assert (game.asking, game.question) == (1, "attacked")
    assert kinds(game.seat(0).items) == ["power"]
    assert kinds(game.discard) == ["bomb", "shoot"]


def test_alice_margatroid_artful_sacrifice_needs_range_when_it_attacks():
    """Named while her Mini-Hakkero reached so far, the player is out of range once she has discarded it for the artifact revealed."""
    game = scene(6).seat(0, "alice_margatroid", hand="spiritual_attack", items="mini_hakkero").deck("stopwatch").build()
    act(game, "play spiritual_attack", "choose seat:3", "choose card:mini_hakkero")
    assert kinds(game.seat(0).items) == ["stopwatch"]
    assert game.seat(3).life == 5


def test_alice_margatroid_artful_sacrifice_discards_what_it_reveals():
    """The other cards go to the discard pile, whatever incident is in play, unless that collects such cards."""
    start = scene().seat(0, "alice_margatroid", hand="spiritual_attack").deck("shoot bomb power").incident("endless_party")
    game = start.build()
    act(game, "play spiritual_attack", "pass")
    assert game.collected == []
    assert kinds(game.discard) == ["bomb", "shoot", "spiritual_attack"]


def test_alice_margatroid_artful_sacrifice_does_not_play_the_item():
    """The item enters play without being played, so the Sutra Scroll lets her draw nothing; its limit counts at once."""
    game = scene().seat(0, "alice_margatroid", hand="spiritual_attack grimoire", items="stopwatch").deck("sorcerers_sutra_scroll").build()
    act(game, "play spiritual_attack", "pass")
    assert (game.question, game.legal()) == ("limit", ["choose card:sorcerers_sutra_scroll", "choose card:stopwatch"])
    game.act("choose card:stopwatch")
    assert kinds(game.seat(0).items) == ["sorcerers_sutra_scroll"]
    assert kinds(game.seat(0).hand) == ["grimoire"]


def test_alice_margatroid_artful_sacrifice_without_items_left():
    """With no item in deck and discard pile everything is revealed and discarded (H-1)."""
    items = ("focus", "mini_hakkero", "power", "sorcerers_sutra_scroll", "stopwatch", "supernatural_border")
    held = " ".join(card for card in box_without() if card.split("/")[0] in items)
    game = scene().seat(0, "alice_margatroid", hand="spiritual_attack grimoire").seat(2, hand=held).deck("shoot/spring").build()
    left = len(game.deck)
    act(game, "play spiritual_attack", "pass")
    assert game.seat(0).items == []
    assert game.deck == []
    assert game.discard[0] == "shoot/spring"
    assert len(game.discard) == left + 1  # and the invocation card


def test_alice_margatroid_artful_sacrifice_under_worldly_desires():
    """Worldly Desires discards the item instead (S-9)."""
    game = scene().seat(0, "alice_margatroid", hand="spiritual_attack grimoire").deck("power").incident("worldly_desires").build()
    act(game, "play spiritual_attack", "pass")
    assert game.seat(0).items == []
    assert kinds(game.collected) == ["power"]


# ---------------------------------------------------------------- Cirno


def test_cirno_neighbours_are_out_of_range():
    """+2 range, but at distance 1 she reaches nobody unless the long way round is short enough."""
    game = scene(6).seat(0, "cirno", hand="shoot").build()
    assert game.seat(0).range == 3
    assert [game.in_range(0, other) for other in range(1, 6)] == [False, True, True, True, False]
    game.act("play shoot")
    assert game.legal() == ["choose seat:2", "choose seat:3", "choose seat:4"]


def test_cirno_may_count_the_long_way_round():
    """At a table of four the neighbours are at distance 3 the long way round."""
    game = scene().seat(0, "cirno", hand="grimoire").build()
    assert game.distance(0, 1) == 1
    assert [game.in_range(0, other) for other in (1, 2, 3)] == [True, True, True]
    game = scene(5).seat(0, "cirno", hand="grimoire").build()
    assert [game.in_range(0, other) for other in (1, 2, 3, 4)] == [False, True, True, False]


def test_cirno_reaches_a_neighbour_with_focus():
    """What counts is how far the other is: a neighbour with Focus is at distance 3, so in range."""
    game = scene(6).seat(0, "cirno", hand="shoot").seat(1, items="focus").build()
    assert game.distance(0, 1) == 3
    game.act("play shoot")
    assert game.legal() == ["choose seat:1", "choose seat:2", "choose seat:3", "choose seat:4"]


def test_cirno_attacks_normally_when_two_are_left():
    """The restriction needs two other active players (D-2)."""
    game = scene(4).seat(0, "cirno", hand="grimoire").seat(2, defeated=True).seat(3, role="heroine").build()
    assert [game.in_range(0, 1), game.in_range(0, 3)] == [True, True]  # one way 1, the other way 2
    game = scene().seat(0, "cirno", hand="grimoire").seat(1, defeated=True).seat(2, defeated=True).seat(3, role="heroine").build()
    assert game.distance(0, 3) == 1
    assert game.in_range(0, 3)


def test_cirno_attacks_that_ignore_range_reach_neighbours():
    """Her restriction is about range: Laser Shot and Last Word reach everybody (H-21)."""
    game = scene(6).seat(0, "cirno", hand="laser_shot last_word").build()
    game.act("play laser_shot")
    assert game.legal() == [f"choose seat:{other}" for other in range(1, 6)]
    game = scene(6).seat(0, "cirno", hand="laser_shot last_word").build()
    game.act("play last_word")
    assert life(game) == [4, 3, 3, 4, 3, 3]  # the Heroine had 5


def test_cirno_everybody_in_range_beats_her_restriction():
    """Crossing to Higan puts her neighbours in range too (D-3)."""
    game = scene(6).seat(0, "cirno", hand="grimoire").incident("crossing_to_higan").build()
    assert all(game.in_range(0, other) for other in range(1, 6))


def test_cirno_reaches_nobody_at_distance_one():
    """When Suika's number is 1 she reaches nobody; with 2 or 3 everybody (D-3)."""
    for number, reached in (("1", False), ("2", True), ("3", True), ("4", False)):
        game = scene(6).seat(0, "cirno", hand="capture_spell_card grimoire").seat(1, "ibuki_suika").build()
        act(game, "play capture_spell_card", f"choose number:{number}")
        if reached:
            game.act("pass")
        assert [game.in_range(0, other) for other in range(1, 6)] == [reached] * 5


def test_cirno_perfect_freeze():
    """Attack a player in range; that player skips the next turn."""
    game = scene(turns=9).seat(0, "cirno", hand="spiritual_attack grimoire").build()
    act(game, "play spiritual_attack", "choose seat:1")
    assert game.seat(1).life == 3
    assert game.seat(1).skip_next
    hand = len(game.seat(1).hand)
    end_turn(game)
    assert game.turn == 2
    assert game.seat(1).skipped_last
    assert len(game.seat(1).hand) == hand


def test_cirno_perfect_freeze_works_when_the_attack_is_avoided():
    """The skip comes hit or not (H-2)."""
    game = scene().seat(0, "cirno", hand="spiritual_attack grimoire").seat(1, hand="graze").build()
    act(game, "play spiritual_attack", "choose seat:1", "play graze")
    assert game.seat(1).life == 4
    assert game.seat(1).skip_next


def test_cirno_perfect_freeze_attacks_first():
    """The attack comes before the frost."""
    game = scene().seat(0, "cirno", hand="spiritual_attack").seat(1, hand="graze").build()
    act(game, "play spiritual_attack", "choose seat:1")
    assert (game.question, game.seat(1).skip_next) == ("attacked", False)
    game.act("play graze")
    assert game.seat(1).skip_next


def test_cirno_perfect_freeze_cancelled_freezes_nobody():
    """A cancelled Spell Card does nothing at all, and is used up for the round (H-2)."""
    game = scene(turns=9).seat(0, "cirno", hand="spiritual_attack spiritual_attack").seat(1, "hakurei_reimu", hand="bomb").build()
    act(game, "play spiritual_attack", "choose seat:1", "play bomb")
    assert game.seat(1).life == 4
    assert not game.seat(1).skip_next
    assert game.turn == 1  # nothing was left for Cirno to do


def test_cirno_perfect_freeze_against_somebody_who_skipped():
    """Nobody skips twice in a row: the player is attacked all the same, and the skip is lost, not put off."""
    game = scene(turns=9).seat(0, "cirno", hand="spiritual_attack").seat(1, skipped_last=True).build()
    act(game, "play spiritual_attack", "choose seat:1")
    assert game.seat(1).life == 3
    assert (game.turn, game.step) == (1, "main")
    assert not game.seat(1).skip_next
    assert not game.seat(1).skipped_last


# ---------------------------------------------------------------- Hakurei Reimu


def test_hakurei_reimu_dodging_costs_a_card_more():
    """A dodge card against her attack costs one more card."""
    game = scene().seat(0, "hakurei_reimu", hand="shoot grimoire").seat(1, hand="graze power").build()
    act(game, "play shoot", "choose seat:1", "play graze")
    assert game.seat(1).life == 4
    assert game.seat(1).hand == []
    assert kinds(game.discard) == ["graze", "power", "shoot"]


def test_hakurei_reimu_dodging_needs_the_card_more():
    """A player with nothing but the Graze cannot play it against her."""
    game = scene().seat(0, "hakurei_reimu", hand="shoot grimoire").seat(1, hand="graze").build()
    act(game, "play shoot", "choose seat:1")
    assert game.seat(1).life == 3
    assert "graze" in kinds(game.seat(1).hand)


@pytest.mark.parametrize(("hand", "enough"), [("graze shoot", False), ("graze power power", False), ("graze shoot power", True)])
def test_hakurei_reimu_protecting_another_costs_danmaku_and_a_card(hand, enough):
    """Graze for somebody else costs a danmaku card and, against her, one card more (C-2, C-3)."""
    game = scene().seat(0, "hakurei_reimu", hand="shoot grimoire").seat(2, hand=hand).build()
    act(game, "play shoot", "choose seat:1")
    assert (game.asking == 2) == enough
    if enough:
        game.act("play graze")
        assert game.seat(2).hand == []
        assert game.seat(1).life == 4


def test_hakurei_reimu_surcharge_is_for_dodge_cards_only():
    """Abilities and items that avoid cost nothing more (C-3)."""
    game = scene().seat(0, "hakurei_reimu", hand="shoot grimoire").seat(1, "mononobe_no_futo", items="power").build()
    act(game, "play shoot", "choose seat:1", "ability mononobe_no_futo")
    assert game.seat(1).life == 4
    game = scene().seat(0, "hakurei_reimu", hand="shoot grimoire").seat(1, items="supernatural_border").deck("graze/spring").build()
    act(game, "play shoot", "choose seat:1")
    assert game.seat(1).life == 4


def test_hakurei_reimu_surcharge_is_for_her_attacks_only():
    """Against somebody else's attack a Graze is enough."""
    game = scene().seat(0, "hakurei_reimu").seat(1, hand="graze").seat(2, hand="shoot grimoire").turn(2).build()
    act(game, "play shoot", "choose seat:1", "play graze")
    assert game.seat(1).life == 4


def test_hakurei_reimu_fantasy_seal_names_four_types():
    """She names danmaku, dodge, invocation or item."""
    game = scene().seat(0, "hakurei_reimu", hand="spiritual_attack grimoire").build()
    game.act("play spiritual_attack")
    assert sorted(game.legal()) == ["choose type:danmaku", "choose type:dodge", "choose type:invocation", "choose type:item"]


def test_hakurei_reimu_fantasy_seal_dodge_protects_its_own_attack():
    """Naming dodge comes before the attack of the same Spell Card (C-4)."""
    game = scene().seat(0, "hakurei_reimu", hand="spiritual_attack grimoire").seat(1, hand="graze power").build()
    act(game, "play spiritual_attack", "choose type:dodge", "choose seat:1")
    assert game.seat(1).life == 3
    assert "graze" in kinds(game.seat(1).hand)


def test_hakurei_reimu_fantasy_seal_binds_her_too():
    """Nobody plays danmaku cards until her next turn, herself included; they may still be discarded as costs (C-4)."""
    game = (
        scene(turns=9)
        .seat(0, "hakurei_reimu", hand="spiritual_attack shoot grimoire")
        .seat(1, "hijiri_byakuren", hand="shoot laser_shot")
        .build()
    )
    act(game, "play spiritual_attack", "choose type:danmaku", "choose seat:3")
    assert (game.asking, game.legal()) == (1, ["pass", "choose card:laser_shot", "choose card:shoot"])
    game.act("choose card:shoot")
    assert game.seat(0).life == 3
    assert (game.asking, game.question) == (0, "main")
    assert "play shoot" not in game.legal()
    end_turn(game)
    assert game.turn == 1
    assert "laser_shot" in kinds(game.seat(1).hand)
    assert "play laser_shot" not in game.legal()


def test_hakurei_reimu_fantasy_seal_invocation_leaves_the_other_half():
    """The half being played counts: a Bomb activates nothing, but still cancels (C-4, K-22)."""
    game = (
        scene(turns=9)
        .seat(0, "hakurei_reimu", hand="spiritual_attack")
        .seat(1, "cirno", hand="shoot grimoire bomb")
        .seat(2, "kazami_yuuka", hand="bomb")
        .build()
    )
    act(game, "play spiritual_attack", "choose type:invocation", "pass", "pass", "pass")
    assert game.turn == 1
    assert "play bomb" not in game.legal()
    act(game, "play shoot", "choose seat:2")
    assert (game.asking, game.question) == (2, "cancel")
    game.act("play bomb")
    assert game.seat(2).life == 4


def test_hakurei_reimu_fantasy_seal_item_until_her_next_turn():
    """The ban ends when her next turn begins."""
    game = scene(turns=9).seat(0, "hakurei_reimu", hand="spiritual_attack power grimoire").seat(1, hand="power grimoire").build()
    act(game, "play spiritual_attack", "choose type:item", "pass")
    assert "play power" not in game.legal()
    end_turn(game)
    assert game.turn == 1
    assert "play grimoire" in game.legal()
    assert "play power" not in game.legal()
    pass_until(game, "main", 0)
    assert "play power" in game.legal()


def test_hakurei_reimu_fantasy_seal_may_attack():
    """The finishing attack is optional, needs range, and is announced before anybody cancels (K-11)."""
    game = scene().seat(0, "hakurei_reimu", hand="spiritual_attack grimoire").seat(2, "cirno", hand="bomb").build()
    act(game, "play spiritual_attack", "choose type:danmaku")
    assert game.legal() == ["pass", "choose seat:1", "choose seat:3"]
    game.act("choose seat:1")
    assert (game.asking, game.question) == (2, "cancel")
    game.act("play bomb")
    assert game.seat(1).life == 4


# ---------------------------------------------------------------- Hijiri Byakuren


def test_hijiri_byakuren_answers_any_attack_by_another():
    """When another player attacks anybody she may discard a danmaku card and attack that player at any range."""
    game = scene(6).seat(0, "hijiri_byakuren", hand="shoot").seat(3, hand="shoot grimoire").turn(3).build()
    act(game, "play shoot", "choose seat:4")
    assert (game.asking, game.question, game.legal()) == (0, "discard", ["pass", "choose card:shoot"])
    assert game.distance(0, 3) == 3
    game.act("choose card:shoot")
    assert life(game) == [4, 4, 4, 4, 3, 4]  # the Heroine in seat 3 had 5
    assert game.seat(0).hand == []


def test_hijiri_byakuren_may_let_it_be():
    game = scene().seat(0, "hijiri_byakuren", hand="shoot").seat(1, hand="shoot grimoire").turn(1).build()
    act(game, "play shoot", "choose seat:2", "pass")
    assert (life(game), kinds(game.seat(0).hand)) == ([4, 4, 3, 5], ["shoot"])


def test_hijiri_byakuren_answers_before_the_attack_resolves():
    """Her attack is on top of the stack, so it hits first (H-3)."""
    game = scene().seat(0, "hijiri_byakuren", hand="shoot").seat(1, hand="shoot grimoire").turn(1).build()
    act(game, "play shoot", "choose seat:0", "choose card:shoot")
    losses = [line for line in game.log if "loses" in line]
    assert [line[:6] for line in losses] == ["seat 1", "seat 0"]


def test_hijiri_byakuren_is_asked_before_anybody_has_priority():
    """A dodge played by somebody with earlier priority does not shut her out (H-3)."""
    game = scene().seat(0, hand="shoot grimoire").seat(1, hand="graze melee").seat(3, "hijiri_byakuren", hand="shoot shoot").build()
    act(game, "play shoot", "choose seat:1")
    assert (game.asking, game.question) == (3, "discard")
    game.act("choose card:shoot")
    assert (game.asking, game.question) == (1, "attacked")  # may protect the attacker from her
    game.act("pass")
    assert (game.asking, game.question) == (1, "attacked")
    game.act("play graze")
    assert life(game) == [3, 4, 4, 5]


@pytest.mark.parametrize(("border", "byakuren"), [(1, 3), (3, 1)])
@pytest.mark.parametrize("season", ["spring", "winter"])
def test_hijiri_byakuren_answers_what_a_border_avoids(border, byakuren, season):
    """Border and Byakuren are both triggered by the attack: the later in play order first, and neither stops the other (H-3, K-14)."""
    start = scene().seat(0, hand="shoot grimoire").seat(border, items="supernatural_border")
    game = start.seat(byakuren, "hijiri_byakuren", hand="shoot shoot").deck(f"power/{season} power/{season}").build()
    full = life(game)
    act(game, "play shoot", f"choose seat:{border}")
    assert (game.asking, game.question) == (byakuren, "discard")
    assert not any("flips" in line for line in game.log)  # she decides first, wherever she sits
    game.act("choose card:shoot")
    flip = next(place for place, line in enumerate(game.log) if "flips" in line)
    attack = next(place for place, line in enumerate(game.log) if "(Byakuren) attacks" in line)
    assert (flip < attack) is (border > byakuren)
    assert full[0] - game.seat(0).life == 1
    assert full[border] - game.seat(border).life == (season == "winter")
    assert (game.asking, game.question) == (0, "main")


@pytest.mark.parametrize("first", ["card:supernatural_border", "character:hijiri_byakuren"])
def test_hijiri_byakuren_puts_her_own_border_in_order(first):
    """She decides before it is flipped, and says then which of the two happens first (K-14)."""
    game = (
        scene()
        .seat(0, hand="shoot grimoire")
        .seat(1, "hijiri_byakuren", hand="shoot", items="supernatural_border")
        .deck("power/spring")
        .build()
    )
    act(game, "play shoot", "choose seat:1")
    assert (game.asking, game.question, game.discard) == (1, "discard", [])
    game.act("choose card:shoot")
    assert game.legal() == ["choose card:supernatural_border", "choose character:hijiri_byakuren"]
    game.act(f"choose {first}")
    assert life(game)[0] == 3
    lines = [line for line in game.log if "flips" in line or "(Byakuren) attacks" in line]
    assert ("flips" in lines[0]) is first.startswith("card")


def test_hijiri_byakuren_once_per_attack():
    """At most one danmaku card for each attack (H-3)."""
    game = scene().seat(0, "hijiri_byakuren", hand="shoot shoot shoot shoot").seat(1, hand="shoot grimoire").turn(1).build()
    act(game, "play shoot", "choose seat:0", "choose card:shoot")
    assert game.seat(1).life == 3
    assert (game.asking, game.question) == (1, "main")


def test_hijiri_byakuren_pays_with_danmaku_only():
    """A dodge card, an item or another action card is none."""
    game = scene().seat(0, hand="shoot").seat(1, "hijiri_byakuren", hand="graze grimoire focus seal_away").build()
    act(game, "play shoot", "choose seat:1")
    assert (game.asking, game.legal()) == (1, ["pass", "choose card:seal_away"])


def test_hijiri_byakuren_answers_each_attack_of_last_word():
    """Each attack of one card is answered on its own (H-3)."""
    game = scene().seat(0, "hijiri_byakuren", hand="shoot shoot shoot shoot").seat(1, hand="last_word grimoire").turn(1).build()
    act(game, "play last_word", "choose card:shoot", "pass", "choose card:shoot")
    assert game.seat(1).life == 2
    assert life(game) == [3, 2, 3, 4]


def test_hijiri_byakuren_not_for_her_own_attacks_nor_without_danmaku():
    """Only others' attacks, and only for a danmaku card."""
    game = scene().seat(0, "hijiri_byakuren", hand="shoot shoot grimoire").build()
    act(game, "play shoot", "choose seat:1", "pass")  # no further card for more range
    assert game.seat(1).life == 3
    assert game.question == "main"
    game = scene().seat(0, "hijiri_byakuren", hand="power grimoire").seat(1, hand="shoot grimoire").turn(1).build()
    act(game, "play shoot", "choose seat:0")
    assert game.seat(0).life == 3
    assert game.asking == 1


def test_hijiri_byakuren_without_danmaku_can_be_made_to_say_so():
    """Whoever sees whom the game asks learns nothing of her hand where everybody is asked everything."""
    start = scene(ask_forced=True, ask_everyone=True).seat(0, "hijiri_byakuren", hand="power").seat(1, hand="shoot grimoire").turn(1)
    game = start.build()
    act(game, "play shoot", "choose seat:2")
    pass_until(game, "discard")
    assert (game.asking, game.legal(), life(game)) == (0, ["pass"], [4, 4, 4, 5])


def test_hijiri_byakuren_her_counterattack_can_be_avoided():
    """It is an ordinary attack."""
    game = scene().seat(0, "hijiri_byakuren", hand="shoot").seat(1, hand="shoot grimoire graze").turn(1).build()
    act(game, "play shoot", "choose seat:0", "choose card:shoot", "play graze")
    assert life(game)[:2] == [3, 4]


def test_hijiri_byakuren_spell_reaches_far_at_once():
    """+5 range and distance until her next turn; the attack of the same Spell Card is judged with it (K-10)."""
    game = scene(8).seat(0, "hijiri_byakuren", hand="spiritual_attack grimoire").build()
    assert not game.in_range(0, 4)
    game.act("play spiritual_attack")
    assert game.legal() == ["pass", *(f"choose seat:{other}" for other in range(1, 8))]
    game.act("choose seat:4")
    assert game.seat(4).life == 3
    assert game.seat(0).range == 6
    assert game.distance(1, 0) == 6
    assert game.distance(0, 1) == 1


@pytest.mark.parametrize(("items", "distance"), [("focus", 6), ("focus stopwatch", 7)])
def test_hijiri_byakuren_spell_reaches_five_further_and_no_more(items, distance):
    """+5 range: six in all, so a player at distance 6 is in range, one at distance 7 is not."""
    game = scene(8).seat(0, "hijiri_byakuren", hand="spiritual_attack").seat(4, items=items).build()
    assert game.distance(0, 4) == distance
    game.act("play spiritual_attack")
    assert ("choose seat:4" in game.legal()) is (distance == 6)


def test_hijiri_byakuren_spell_puts_her_out_of_reach_before_it_attacks():
    """+5 range and +5 distance, then the attack."""
    game = scene(6).seat(0, "hijiri_byakuren", hand="spiritual_attack").seat(3, hand="graze").build()
    act(game, "play spiritual_attack", "choose seat:3")
    assert (game.question, game.seat(0).range, game.distance(3, 0)) == ("attacked", 6, 8)


def test_hijiri_byakuren_spell_ends_with_her_next_turn():
    game = scene(turns=9).seat(0, "hijiri_byakuren", hand="spiritual_attack grimoire").build()
    act(game, "play spiritual_attack", "pass")
    assert game.distance(1, 0) == 6
    pass_until(game, "main", 1)
    assert game.distance(1, 0) == 6
    pass_until(game, "main", 0)
    assert (game.seat(0).range, game.distance(1, 0)) == (1, 1)


def test_hijiri_byakuren_spell_cancelled_gives_nothing():
    game = scene().seat(0, "hijiri_byakuren", hand="spiritual_attack grimoire").seat(1, "cirno", hand="bomb").build()
    act(game, "play spiritual_attack", "choose seat:2", "play bomb")
    assert (game.seat(0).range, game.distance(1, 0), game.seat(2).life) == (1, 1, 4)


# ---------------------------------------------------------------- Hinanawi Tenshi


def test_hinanawi_tenshi_draws_one_more_for_lost_life():
    """Each time she loses life she may draw a card more than usual."""
    for answer, cards in (("choose yes", 2), ("pass", 1)):
        game = scene().seat(0, "hinanawi_tenshi").seat(1, hand="shoot grimoire").turn(1).build()
        act(game, "play shoot", "choose seat:0")
        assert (game.asking, game.question) == (0, "may")
        game.act(answer)
        assert len(game.seat(0).hand) == cards


def test_hinanawi_tenshi_one_card_for_a_loss_of_several():
    """One extra card for one event, however much life it takes (A-19)."""
    game = scene().seat(0, "hinanawi_tenshi").deck("graze/spring").incident("lily_white").turn(0, step="incident").build()
    game.act("choose yes")
    assert game.seat(0).life == 1
    pass_until(game, "main", 0)
    assert len(game.seat(0).hand) == 3 + 1 + 2


def test_hinanawi_tenshi_draws_for_paid_life():
    """Paying life is losing it too."""
    game = scene().seat(0, "hinanawi_tenshi", hand="grimoire").incident("overdrive").build()
    game.act("spell overdrive")
    assert (game.question, game.seat(0).life) == ("may", 3)
    act(game, "choose yes", "choose seat:1")
    assert len(game.seat(0).hand) == 3
    assert game.seat(0).life == 4


def test_hinanawi_tenshi_sword_of_swagger_duel():
    """She regains 1 life; the chosen player and she discard danmaku cards in turn; the first to stop loses 1 life."""
    game = scene().seat(0, "hinanawi_tenshi", hand="spiritual_attack shoot shoot", life=2).seat(2, hand="shoot laser_shot graze").build()
    act(game, "play spiritual_attack", "choose seat:2")
    assert game.seat(0).life == 3
    assert (game.asking, game.legal()) == (2, ["pass", "choose card:laser_shot", "choose card:shoot"])
    game.act("choose card:shoot")
    assert (game.asking, game.legal()) == (0, ["pass", "choose card:shoot"])
    game.act("choose card:shoot")
    assert game.asking == 2
    game.act("pass")  # although a danmaku card is left (H-17)
    assert game.seat(2).life == 3
    assert game.seat(0).life == 3
    assert kinds(game.discard) == ["shoot", "shoot", "spiritual_attack"]


def test_hinanawi_tenshi_sword_of_swagger_may_hurt_herself():
    """If she stops first, she loses the life, and draws for it as always."""
    game = scene().seat(0, "hinanawi_tenshi", hand="spiritual_attack grimoire").seat(1, hand="shoot").build()
    act(game, "play spiritual_attack", "choose seat:1", "choose card:shoot", "choose yes")
    assert life(game)[:2] == [3, 4]
    assert len(game.seat(0).hand) == 1 + 2


def test_hinanawi_tenshi_sword_of_swagger_is_fought_with_danmaku_only():
    """Both discard danmaku cards; other cards are of no use in it."""
    game = scene().seat(0, "hinanawi_tenshi", hand="spiritual_attack graze grimoire melee").seat(1, hand="graze focus shoot").build()
    act(game, "play spiritual_attack", "choose seat:1")
    assert (game.asking, game.legal()) == (1, ["pass", "choose card:shoot"])
    game.act("choose card:shoot")
    assert (game.asking, game.legal()) == (0, ["pass", "choose card:melee"])


def test_hinanawi_tenshi_sword_of_swagger_is_no_attack():
    """Its loss cannot be avoided and costs no powerup; any distance will do; life stops at its maximum."""
    game = scene(6).seat(0, "hinanawi_tenshi", hand="spiritual_attack grimoire").seat(3, hand="graze", items="power").build()
    game.act("play spiritual_attack")
    assert game.legal() == [f"choose seat:{other}" for other in range(1, 6)]
    game.act("choose seat:3")
    assert game.seat(3).life == 4  # the Heroine had 5
    assert kinds(game.seat(3).items) == ["power"]
    assert game.seat(0).life == 4


# ---------------------------------------------------------------- Hong Meiling


def test_hong_meiling_max_hand_on_others_turns():
    """Base max hand size 7 on others' turns, 4 on her own; as Heroine one more (U-3)."""
    game = scene().seat(0, "hong_meiling", hand="grimoire").build()
    assert game.seat(0).max_hand == 4
    game = scene().seat(0, "hong_meiling").seat(1, hand="grimoire").turn(1).build()
    assert game.seat(0).max_hand == 7
    game = scene().seat(0, "hong_meiling", role="heroine").seat(1, hand="grimoire").turn(1).build()
    assert game.seat(0).max_hand == 8


def test_hong_meiling_keeps_seven_cards_on_others_turns():
    """In the discard step of another player she trims to 7, in her own to 4."""
    game = scene(turns=9).seat(0, "hong_meiling", hand="power " * 6 + "focus focus").turn(1, step="discard").build()
    assert (game.asking, game.question) == (0, "discard")
    game.act("choose card:power")
    assert len(game.seat(0).hand) == 7
    assert game.turn == 2
    game = scene(turns=9).seat(0, "hong_meiling", hand="power " * 5).turn(0, step="discard").build()
    game.act("choose card:power")
    assert len(game.seat(0).hand) == 4
    assert game.turn == 1


def test_hong_meiling_starts_with_four_cards():
    """Her 7 is for others' turns; before the first turn nobody has one (U-4)."""
    assert first_hands("hong_meiling") == (4, 5)


def test_hong_meiling_may_skip_her_turn_and_draw_four():
    """She may skip her turn; whenever she skips one she may draw 4. No incident, draw, main or discard step."""
    game = scene(turns=9).seat(0, "hong_meiling", hand="power").turn(0, step="start").build()
    assert (game.asking, game.question) == (0, "may")
    game.act("choose yes")
    assert (game.asking, game.question) == (0, "may")
    game.act("choose yes")
    assert len(game.seat(0).hand) == 5
    assert game.turn == 1
    assert game.seat(0).skipped_last
    assert [line for line in game.log if "incident" in line] == ["incident: Voyage to Makai"]
    assert game.log.index("incident: Voyage to Makai") > game.log.index("--- turn 3: seat 1")


def test_hong_meiling_need_not_skip_nor_draw():
    game = scene(turns=9).seat(0, "hong_meiling", hand="power").turn(0, step="start").build()
    game.act("pass")
    assert (game.turn, game.question) == (0, "main")
    assert len(game.seat(0).hand) == 3
    game = scene(turns=9).seat(0, "hong_meiling", hand="power").turn(0, step="start").build()
    act(game, "choose yes", "pass")
    assert (game.turn, len(game.seat(0).hand)) == (1, 1)


def test_hong_meiling_cannot_skip_twice_in_a_row():
    """Right after a skipped turn, whatever caused it, she may not skip."""
    game = scene(turns=9).seat(0, "hong_meiling", skipped_last=True).turn(0, step="start").build()
    assert (game.turn, game.question) == (0, "main")
    assert not game.seat(0).skipped_last


def test_hong_meiling_forced_to_skip_may_still_draw_four():
    """Cirno makes her skip: she is not asked whether, but may draw the 4 cards."""
    game = scene(turns=9).seat(0, "cirno", hand="spiritual_attack").seat(1, "hong_meiling").deck("power").build()
    act(game, "play spiritual_attack", "choose seat:1")
    assert (game.turn, game.asking, game.question) == (1, 1, "may")
    assert len(game.seat(1).hand) == 1
    game.act("choose yes")
    assert len(game.seat(1).hand) == 5
    assert game.turn == 2


def test_hong_meiling_forced_skip_right_after_a_skip_is_lost():
    """She takes that turn as normal, without the 4 cards and without skipping by choice."""
    game = scene(turns=9).seat(0, "hong_meiling", skip_next=True, skipped_last=True).turn(0, step="start").build()
    assert (game.turn, game.question) == (0, "main")
    assert len(game.seat(0).hand) == 2


def test_hong_meiling_extreme_color_typhoon():
    """When another player attacks anybody: draw 2 and attack the attacker at any range. The attack stays (H-4)."""
    start = scene(6).seat(0, "hong_meiling", hand="spiritual_attack").deck("power power")
    game = start.seat(3, hand="shoot grimoire").turn(3).build()
    act(game, "play shoot", "choose seat:4")
    assert (game.asking, game.legal()) == (0, ["pass", "play spiritual_attack"])
    game.act("play spiritual_attack")
    assert life(game) == [4, 4, 4, 4, 3, 4]
    assert kinds(game.seat(0).hand) == ["power", "power"]


def test_hong_meiling_extreme_color_typhoon_draws_before_it_attacks():
    """Draw 2, then attack the attacker."""
    start = scene().seat(0, "hong_meiling", hand="spiritual_attack").seat(1, hand="shoot graze").deck("focus power").turn(1)
    game = start.build()
    act(game, "play shoot", "choose seat:0", "play spiritual_attack")
    assert (game.asking, game.question) == (1, "attacked")
    assert kinds(game.seat(0).hand) == ["focus", "power"]


def test_hong_meiling_extreme_color_typhoon_needs_an_attack_by_another():
    """Not in her main step, and not for attacks of her own."""
    game = scene().seat(0, "hong_meiling", hand="spiritual_attack shoot").build()
    assert game.legal() == ["pass", "play shoot"]
    act(game, "play shoot", "choose seat:1")
    assert game.seat(1).life == 3
    assert "spiritual_attack" in kinds(game.seat(0).hand)


def test_hong_meiling_extreme_color_typhoon_can_be_cancelled():
    """Its cancel window comes before its effects; the attack it answers resolves."""
    game = scene().seat(0, "hong_meiling", hand="spiritual_attack").seat(1, "cirno", hand="shoot bomb").turn(1).build()
    act(game, "play shoot", "choose seat:0", "play spiritual_attack", "play bomb")
    assert life(game)[:2] == [3, 4]
    assert len(game.seat(0).hand) == 1  # only the card for the lost life


# ---------------------------------------------------------------- Ibuki Suika


def test_ibuki_suika_range_and_danmaku():
    """+1 range and two danmaku cards per round."""
    game = scene(6, turns=9).seat(0, "ibuki_suika", hand="shoot shoot shoot").build()
    assert (game.seat(0).range, game.seat(0).danmaku_limit) == (2, 2)
    act(game, "play shoot", "choose seat:2", "pass", "play shoot", "choose seat:4", "pass")
    assert game.seat(0).danmaku_played == 2
    assert game.turn == 1  # the third cannot be played
    assert kinds(game.seat(0).hand) == ["shoot"]


def test_ibuki_suika_gathering_and_dissipating():
    """She names 1 to 5: until her next turn every distance is that number, Focus or not."""
    game = scene(6).seat(0, "ibuki_suika", hand="spiritual_attack grimoire").seat(2, items="focus").build()
    assert game.distance(0, 2) == 4
    game.act("play spiritual_attack")
    assert game.legal() == [f"choose number:{number}" for number in range(1, 6)]
    game.act("choose number:2")
    assert game.legal() == ["pass", *(f"choose seat:{other}" for other in range(1, 6))]
    game.act("choose seat:2")
    assert game.seat(2).life == 3
    assert {game.distance(a, b) for a in range(6) for b in range(6) if a != b} == {2}
    assert not game.in_range(1, 2)


def test_ibuki_suika_number_beyond_her_range():
    """With a number she cannot reach there is nobody to attack (K-10)."""
    game = scene().seat(0, "ibuki_suika", hand="spiritual_attack grimoire").build()
    act(game, "play spiritual_attack", "choose number:3")
    assert (game.asking, game.question) == (0, "main")
    assert game.distance(0, 1) == 3
    assert not game.in_range(0, 1)


def test_ibuki_suika_number_ends_with_her_next_turn():
    game = scene(turns=9).seat(0, "ibuki_suika", hand="spiritual_attack grimoire").build()
    act(game, "play spiritual_attack", "choose number:5")
    pass_until(game, "main", 3)
    assert game.distance(3, 0) == 5
    pass_until(game, "main", 0)
    assert game.distance(3, 0) == 1


def test_ibuki_suika_a_later_number_replaces_hers():
    """Somebody who captures her Spell Card overwrites the number; the later one stays when hers runs out (D-5)."""
    game = (
        scene(turns=9).seat(0, "ibuki_suika", hand="spiritual_attack").seat(1, "kazami_yuuka", hand="capture_spell_card grimoire").build()
    )
    act(game, "play spiritual_attack", "choose number:4")
    assert (game.turn, game.distance(2, 3)) == (1, 4)
    act(game, "play capture_spell_card", "choose number:2")
    assert game.distance(2, 3) == 2
    pass_until(game, "main", 0)
    assert game.distance(2, 3) == 2
    pass_until(game, "main", 1)
    assert game.distance(2, 3) == 1


# ---------------------------------------------------------------- Izayoi Sakuya


def test_izayoi_sakuya_three_danmaku_cards():
    """Two danmaku cards more per round."""
    game = scene(turns=9).seat(0, "izayoi_sakuya", hand="shoot laser_shot seal_away last_word").build()
    assert game.seat(0).danmaku_limit == 3
    act(game, "play laser_shot", "choose seat:2", "play seal_away", "choose seat:2", "play shoot", "choose seat:1", "pass")
    assert game.seat(0).danmaku_played == 3
    assert game.turn == 1
    assert kinds(game.seat(0).hand) == ["last_word"]


def test_izayoi_sakuya_the_world_saves_anybody():
    """When anybody is attacked: the attack is avoided, she attacks the attacker at any range, and no more action cards this turn."""
    game = scene(6).seat(0, "izayoi_sakuya", hand="spiritual_attack").seat(3, hand="shoot grimoire power").turn(3).build()
    act(game, "play shoot", "choose seat:4", "play spiritual_attack")
    assert life(game) == [4, 4, 4, 4, 4, 4]  # the Heroine in seat 3 had 5
    assert game.asking == 3
    assert "play grimoire" not in game.legal()
    assert "play power" in game.legal()


def test_izayoi_sakuya_the_world_attacks_with_an_attack_like_any():
    """Her attack on the attacker can be avoided."""
    game = scene().seat(0, "izayoi_sakuya", hand="spiritual_attack").seat(1, hand="shoot graze").turn(1).build()
    act(game, "play shoot", "choose seat:0", "play spiritual_attack")
    assert (game.asking, game.legal()) == (1, ["pass", "play graze"])
    game.act("play graze")
    assert life(game) == [4, 4, 4, 5]


def test_izayoi_sakuya_the_world_bans_action_cards_this_turn_only():
    """Action cards are banned for everybody, action Spell Cards, items and reactions are not; the next turn is free again (C-14)."""
    game = (
        scene(turns=9)
        .seat(0, "izayoi_sakuya", hand="spiritual_attack")
        .seat(1, "patchouli_knowledge", hand="seal_away grimoire one_up bomb")
        .seat(2, hand="grimoire", life=3)
        .deck("power power power power")
        .turn(1)
        .build()
    )
    act(game, "play seal_away", "choose seat:0", "play spiritual_attack", "pass")
    assert life(game)[:3] == [4, 3, 3]
    assert game.legal() == ["pass", "play bomb", "play power"]
    act(game, "play bomb", "choose seat:0")
    assert game.seat(0).life == 3
    end_turn(game)
    assert game.turn == 2
    assert "play grimoire" in game.legal()


def test_izayoi_sakuya_the_world_against_an_unavoidable_attack():
    """Laser Shot hits all the same; the counterattack and the ban happen."""
    game = scene().seat(0, "izayoi_sakuya", hand="spiritual_attack").seat(1, hand="laser_shot grimoire").turn(1).build()
    act(game, "play laser_shot", "choose seat:0", "play spiritual_attack")
    assert life(game)[:2] == [3, 3]
    assert "play grimoire" not in game.legal()


def test_izayoi_sakuya_the_world_against_herself():
    """She may stop an attack of her own, but never attacks herself (A-16)."""
    game = scene().seat(0, "izayoi_sakuya", hand="spiritual_attack shoot grimoire").build()
    assert "play spiritual_attack" not in game.legal()
    act(game, "play shoot", "choose seat:1")
    assert (game.asking, game.legal()) == (0, ["pass", "play spiritual_attack"])
    game.act("play spiritual_attack")
    assert life(game) == [4, 4, 4, 5]


def test_izayoi_sakuya_the_world_makes_the_attacked_player_avoid():
    """It is the attacked player who avoids, so Remilia may draw."""
    game = (
        scene().seat(0, "izayoi_sakuya", hand="spiritual_attack").seat(1, "remilia_scarlet").seat(2, hand="shoot grimoire").turn(2).build()
    )
    act(game, "play shoot", "choose seat:1", "play spiritual_attack")
    pass_until(game, "may", 1)
    game.act("choose yes")
    assert len(game.seat(1).hand) == 1


# ---------------------------------------------------------------- Kamishirasawa Keine


@pytest.mark.parametrize("end", ["top", "bottom"])
def test_kamishirasawa_keine_draw_step(end):
    """She draws 3 in her draw step, then puts any hand card, also an old one, on top or bottom of the deck."""
    game = scene().seat(0, "kamishirasawa_keine", hand="bomb/summer grimoire").deck("power power power").turn(0, step="draw").build()
    assert kinds(game.seat(0).hand) == ["bomb", "grimoire", "power", "power", "power"]
    assert (game.question, game.legal()) == ("card", ["choose card:bomb", "choose card:grimoire", "choose card:power"])
    assert game.step == "draw"
    game.act("choose card:bomb")
    assert (game.step, game.legal()) == ("draw", ["choose top", "choose bottom"])
    game.act(f"choose {end}")
    assert game.deck[0 if end == "top" else -1] == "bomb/summer"
    assert kinds(game.seat(0).hand) == ["grimoire", "power", "power", "power"]
    assert (game.step, game.question) == ("main", "main")


def test_kamishirasawa_keine_only_in_her_draw_step():
    """Other draws are not followed by a put-back (H-5)."""
    game = scene().seat(0, "kamishirasawa_keine", hand="grimoire voile shoot").deck("power power").build()
    game.act("play grimoire")
    assert kinds(game.seat(0).hand) == ["power", "power", "shoot", "voile"]
    assert game.question == "main"


def test_kamishirasawa_keine_puts_back_the_very_copy_she_chooses():
    """Of two copies of a card the one she says."""
    start = scene().seat(0, "kamishirasawa_keine", hand="graze/winter graze/spring").turn(0, step="draw").deck("focus power shoot")
    game = start.build()
    game.act("choose card:graze")
    assert (game.question, game.legal()) == ("season", ["choose season:spring", "choose season:winter"])
    act(game, "choose season:winter", "choose top")
    assert game.deck[0] == "graze/winter"


def test_kamishirasawa_keine_phantasmal_emperor_cancels_an_action_card():
    """Cancel an action card of somebody else; may attack a player in range."""
    game = scene().seat(0, "kamishirasawa_keine", hand="spiritual_attack").seat(1, hand="grimoire power").turn(1).build()
    game.act("play grimoire")
    assert (game.asking, game.question) == (0, "cancel")
    act(game, "play spiritual_attack", "choose seat:3")
    assert game.seat(3).life == 4  # the Heroine had 5
    assert kinds(game.seat(1).hand) == ["power"]


def test_kamishirasawa_keine_phantasmal_emperor_attacks_in_range():
    """Its attack is on a player in range, and can be avoided."""
    start = scene(6).seat(0, "kamishirasawa_keine", hand="spiritual_attack").seat(1, hand="grimoire graze").turn(1)
    game = start.build()
    act(game, "play grimoire", "play spiritual_attack")
    assert game.legal() == ["pass", "choose seat:1", "choose seat:5"]
    game.act("choose seat:1")
    assert (game.asking, game.question) == (1, "attacked")
    game.act("play graze")
    assert game.seat(1).life == 4


def test_kamishirasawa_keine_phantasmal_emperor_needs_range_when_it_attacks():
    """Miko attacks her in between, and the Power that reached so far is gone (K-12); the card is cancelled all the same."""
    start = scene(6).seat(0, "kamishirasawa_keine", hand="spiritual_attack", items="power").seat(1, hand="grimoire focus").turn(1)
    game = start.seat(5, "toyosatomimi_no_miko").deck("graze").build()
    act(game, "play grimoire", "pass", "play spiritual_attack", "choose seat:2")
    assert (game.asking, game.question) == (5, "cancel")
    act(game, "spell toyosatomimi_no_miko", "choose seat:4", "choose seat:0")
    assert (game.question, game.seat(0).life, game.seat(0).items) == ("main", 3, [])
    assert game.seat(2).life == 4
    assert kinds(game.seat(1).hand) == ["focus"]


def test_kamishirasawa_keine_phantasmal_emperor_cancels_danmaku():
    """Danmaku cards are action cards too; they stay counted (K-6)."""
    game = scene().seat(0, "kamishirasawa_keine", hand="spiritual_attack").seat(1, hand="shoot grimoire").turn(1).build()
    act(game, "play shoot", "choose seat:0", "play spiritual_attack", "choose seat:1")
    assert life(game)[:2] == [4, 3]
    assert game.seat(1).danmaku_played == 1


def test_kamishirasawa_keine_phantasmal_emperor_cancels_an_action_spell():
    """Spell Cards of kind action too."""
    game = scene().seat(0, "kamishirasawa_keine", hand="spiritual_attack").seat(1, "patchouli_knowledge", hand="bomb power").turn(1).build()
    act(game, "play bomb", "choose seat:0", "play spiritual_attack", "pass")
    assert game.seat(0).life == 4
    assert kinds(game.seat(1).hand) == ["power"]
    assert game.seat(1).spell_used


def test_kamishirasawa_keine_phantasmal_emperor_refusals():
    """Not against items, reactions, reaction Spell Cards, or her own cards; not in her main step."""
    game = scene().seat(0, "kamishirasawa_keine", hand="spiritual_attack").seat(1, hand="power grimoire").turn(1).build()
    game.act("play power")
    assert (game.asking, game.question) == (1, "main")
    game = (
        scene()
        .seat(0, "kamishirasawa_keine", hand="spiritual_attack shoot power")
        .seat(1, hand="graze")
        .seat(2, "hong_meiling", hand="bomb")
        .build()
    )
    assert "play spiritual_attack" not in game.legal()
    act(game, "play shoot", "choose seat:1")
    assert (game.asking, game.question) == (2, "cancel")  # nobody asked Keine about her own Shoot
    act(game, "pass", "play graze")
    assert game.seat(1).life == 4
    game = scene().seat(0, "kamishirasawa_keine", hand="spiritual_attack shoot power").seat(2, "hong_meiling", hand="bomb").build()
    act(game, "play shoot", "choose seat:1", "pass", "play bomb")
    assert (game.seat(0).life, game.seat(1).life) == (3, 3)
    assert "spiritual_attack" in kinds(game.seat(0).hand)


def test_kamishirasawa_keine_bombed_herself_the_original_resolves():
    """If Phantasmal Emperor is cancelled, the card it answered takes effect."""
    game = (
        scene()
        .seat(0, "kamishirasawa_keine", hand="spiritual_attack")
        .seat(1, "cirno", hand="voile bomb")
        .deck("power power grimoire")
        .turn(1)
        .build()
    )
    act(game, "play voile", "play spiritual_attack", "choose seat:1", "play bomb")
    assert (game.asking, game.question) == (1, "card")
    assert kinds(game.seat(1).hand) == ["grimoire", "power", "power"]
    assert game.seat(1).life == 4


# ---------------------------------------------------------------- Kawashiro Nitori


def test_kawashiro_nitori_distance():
    """+1 distance."""
    game = scene().seat(0, "kawashiro_nitori").seat(1, hand="grimoire shoot").turn(1).build()
    assert (game.distance(1, 0), game.distance(0, 1)) == (2, 1)
    game.act("play shoot")  # only seat 2 is in range, so nothing is asked
    assert life(game) == [4, 4, 3, 5]


def test_kawashiro_nitori_discards_items_to_draw():
    """On her turn she may discard items in play, as often as she likes, to draw 1 each."""
    game = scene().seat(0, "kawashiro_nitori", hand="grimoire", items="power focus").deck("graze bomb").build()
    act(game, "ability kawashiro_nitori", "choose card:power", "ability kawashiro_nitori")
    assert game.seat(0).items == []
    assert kinds(game.seat(0).hand) == ["bomb", "graze", "grimoire"]
    assert "ability kawashiro_nitori" not in game.legal()


def test_kawashiro_nitori_not_on_others_turns():
    game = scene().seat(0, "kawashiro_nitori", hand="graze", items="power").seat(1, hand="laser_shot shoot", items="power").turn(1).build()
    assert game.legal() == ["pass", "play laser_shot", "play shoot"]
    act(game, "play shoot", "choose seat:0", "pass")
    assert (game.asking, game.legal()) == (0, ["pass", "play graze"])


def test_kawashiro_nitori_flood_switches_items_off():
    """The items of a player have no effect until her next turn: ranges, limits, distances, max hand, artifacts."""
    game = (
        scene(turns=9)
        .seat(0, "kawashiro_nitori", hand="spiritual_attack grimoire")
        .seat(2, "kazami_yuuka", items="power focus mini_hakkero", hand="shoot bomb")
        .build()
    )
    assert (game.seat(2).range, game.seat(2).danmaku_limit, game.distance(0, 2)) == (5, 2, 4)
    act(game, "play spiritual_attack", "choose seat:2", "pass", "pass")
    assert (game.seat(2).range, game.seat(2).danmaku_limit, game.distance(0, 2)) == (1, 1, 2)
    pass_until(game, "main", 2)
    assert "use mini_hakkero" not in game.legal()
    assert "play bomb" in game.legal()
    pass_until(game, "main", 0)
    assert (game.seat(2).range, game.seat(2).danmaku_limit) == (5, 2)


def test_kawashiro_nitori_flood_lets_her_own_attack_through():
    """Focus counts no more for the attack of the same Spell Card (K-10), nor does the Border flip."""
    game = scene().seat(0, "kawashiro_nitori", hand="spiritual_attack grimoire").seat(1, items="focus").build()
    assert not game.in_range(0, 1)
    act(game, "play spiritual_attack", "choose seat:1", "choose seat:1")
    assert game.seat(1).life == 3
    game = (
        scene()
        .seat(0, "kawashiro_nitori", hand="spiritual_attack grimoire")
        .seat(1, items="supernatural_border")
        .deck("graze/spring")
        .build()
    )
    act(game, "play spiritual_attack", "choose seat:1", "choose seat:1")
    assert game.seat(1).life == 3


def test_kawashiro_nitori_flood_floods_at_any_distance():
    """Any player may be flooded; only the attack needs range."""
    game = scene(6).seat(0, "kawashiro_nitori", hand="spiritual_attack grimoire").seat(3, items="focus").build()
    game.act("play spiritual_attack")
    assert game.legal() == [f"choose seat:{other}" for other in range(1, 6)]
    act(game, "choose seat:3", "choose seat:3")
    assert (game.asking, game.question) == (0, "main")
    assert game.seat(3).life == 5  # out of reach even without Focus
    assert game.distance(0, 3) == 3


def test_kawashiro_nitori_flood_attacks_the_flooded_player_or_nobody():
    """The attack may be left out, and is on nobody else."""
    game = scene().seat(0, "kawashiro_nitori", hand="spiritual_attack").build()
    act(game, "play spiritual_attack", "choose seat:1")
    assert game.legal() == ["pass", "choose seat:1"]
    game.act("pass")
    assert life(game) == [4, 4, 4, 5]


def test_kawashiro_nitori_flood_and_a_borrowed_item():
    """An item that leaves the flooded player works again at once; one the flooded player gains does not."""
    game = (
        scene(turns=9)
        .seat(0, "kawashiro_nitori", hand="spiritual_attack")
        .seat(1, hand="borrow grimoire", items="power")
        .seat(2, items="power")
        .build()
    )
    act(game, "play spiritual_attack", "choose seat:2", "pass")
    assert (game.turn, game.seat(2).range) == (1, 1)
    game.act("play borrow")
    assert game.seat(1).range == 3
    game = (
        scene(turns=9).seat(0, "kawashiro_nitori", hand="spiritual_attack").seat(1, hand="borrow grimoire").seat(2, items="power").build()
    )
    act(game, "play spiritual_attack", "choose seat:1", "pass", "play borrow")
    assert kinds(game.seat(1).items) == ["power"]
    assert game.seat(1).range == 1
    pass_until(game, "main", 0)
    assert game.seat(1).range == 2


def test_kawashiro_nitori_flooded_items_count_for_limits_and_costs():
    """A flooded artifact still counts as the one allowed, and items can still be discarded for costs (H-16)."""
    game = (
        scene(turns=9)
        .seat(0, "kawashiro_nitori", hand="spiritual_attack")
        .seat(1, "alice_margatroid", hand="stopwatch", items="mini_hakkero")
        .build()
    )
    act(game, "play spiritual_attack", "choose seat:1", "pass", "play stopwatch")
    assert game.question == "limit"
    game.act("choose card:mini_hakkero")
    assert kinds(game.seat(1).items) == ["stopwatch"]
    assert game.seat(1).danmaku_limit == 1
    act(game, "spell alice_margatroid", "pass")
    assert "stopwatch" in kinds(game.discard)


# ---------------------------------------------------------------- Kazami Yuuka


def test_kazami_yuuka_draws_for_damage():
    """When she damages another player she may draw 1."""
    for answer, cards in (("choose yes", 2), ("pass", 1)):
        game = scene().seat(0, "kazami_yuuka", hand="shoot grimoire").build()
        act(game, "play shoot", "choose seat:1")
        assert (game.asking, game.question) == (0, "may")
        game.act(answer)
        assert len(game.seat(0).hand) == cards


def test_kazami_yuuka_draws_nothing_without_damage():
    """Not when the attack is avoided, not when the target has nothing left to lose, not for her own losses."""
    game = scene().seat(0, "kazami_yuuka", hand="shoot grimoire").seat(1, hand="graze").build()
    act(game, "play shoot", "choose seat:1", "play graze")
    assert (game.question, kinds(game.seat(0).hand)) == ("main", ["grimoire"])
    game = scene().seat(0, "kazami_yuuka").seat(1, hand="shoot grimoire").turn(1).build()
    act(game, "play shoot", "choose seat:0")
    assert (game.asking, len(game.seat(0).hand)) == (1, 1)


def test_kazami_yuuka_draws_for_life_loss_she_causes():
    """Her effects that take life directly count too (A-20), here a captured Sword of Swagger; one card per event."""
    game = scene().seat(0, "kazami_yuuka", hand="capture_spell_card grimoire").seat(1, "hinanawi_tenshi").build()
    act(game, "play capture_spell_card", "choose seat:2")
    assert game.seat(2).life == 3
    game.act("choose yes")
    assert len(game.seat(0).hand) == 2


def test_kazami_yuuka_draws_once_for_a_hit_of_several():
    """One card for one hit, whatever its damage (A-20)."""
    game = scene().seat(0, "kazami_yuuka", hand="capture_spell_card grimoire", items="power power").seat(1, "kirisame_marisa").build()
    act(game, "play capture_spell_card", "choose seat:1", "choose yes")
    assert game.seat(1).life == 1
    assert len(game.seat(0).hand) == 2


def test_kazami_yuuka_incidents_are_not_hers():
    """Life lost to an incident is nobody's damage."""
    game = scene().seat(0, "kazami_yuuka", hand="graze").incident("great_fairy_wars").turn(0, step="incident").build()
    game.act("pass")
    assert game.seat(0).life == 3
    assert game.question == "main"


def test_kazami_yuuka_reflowering():
    """Attack every other player, range ignored, one after the other from her left."""
    game = scene(6).seat(0, "kazami_yuuka", hand="spiritual_attack grimoire").seat(1, items="focus").seat(2, hand="graze").build()
    act(game, "play spiritual_attack", "choose yes")
    assert (game.asking, game.legal()) == (2, ["pass", "play graze"])
    assert life(game) == [4, 3, 4, 5, 4, 4]
    act(game, "play graze", "choose yes", "choose yes", "pass")
    assert life(game) == [4, 3, 4, 4, 3, 3]
    assert len(game.seat(0).hand) == 1 + 3


# ---------------------------------------------------------------- Kirisame Marisa


def test_kirisame_marisa_takes_an_item_in_her_draw_step():
    """In her draw step she may draw one card less to take control of any item in play."""
    game = (
        scene()
        .seat(0, "kirisame_marisa")
        .seat(1, items="power focus")
        .seat(3, items="stopwatch")
        .deck("grimoire voile")
        .turn(0, step="draw")
        .build()
    )
    assert (game.question, game.legal()) == ("target", ["pass", "choose seat:1", "choose seat:3"])
    game.act("choose seat:1")
    assert game.legal() == ["choose card:focus", "choose card:power"]
    game.act("choose card:power")
    assert kinds(game.seat(0).items) == ["power"]
    assert kinds(game.seat(1).items) == ["focus"]
    assert kinds(game.seat(0).hand) == ["grimoire"]
    assert game.question == "main"


def test_kirisame_marisa_may_draw_as_usual():
    game = scene().seat(0, "kirisame_marisa").seat(1, items="power").deck("grimoire voile").turn(0, step="draw").build()
    game.act("pass")
    assert kinds(game.seat(0).hand) == ["grimoire", "voile"]
    assert kinds(game.seat(1).items) == ["power"]


def test_kirisame_marisa_is_not_asked_without_items_of_others():
    """There must be an item to take; her own are none (H-6)."""
    game = scene().seat(0, "kirisame_marisa", items="power").deck("grimoire voile").turn(0, step="draw").build()
    assert game.question == "main"
    assert len(game.seat(0).hand) == 2


def test_kirisame_marisa_limits_apply_at_once():
    """A second artifact means discarding one of the two right away, before she draws (H-6)."""
    game = (
        scene()
        .seat(0, "kirisame_marisa", items="stopwatch")
        .seat(1, items="mini_hakkero")
        .deck("grimoire voile")
        .turn(0, step="draw")
        .build()
    )
    game.act("choose seat:1")
    assert (game.question, game.seat(0).hand) == ("limit", [])
    game.act("choose card:stopwatch")
    assert kinds(game.seat(0).items) == ["mini_hakkero"]
    assert kinds(game.discard) == ["stopwatch"]
    assert kinds(game.seat(0).hand) == ["grimoire"]


def test_kirisame_marisa_taken_sutra_scroll_works_for_this_draw():
    """The number drawn is two, plus extras, less what she gave up (T-6): a Scroll taken now already counts."""
    game = (
        scene().seat(0, "kirisame_marisa").seat(1, items="sorcerers_sutra_scroll").deck("grimoire voile party").turn(0, step="draw").build()
    )
    game.act("choose seat:1")
    assert kinds(game.seat(0).hand) == ["grimoire", "voile"]


def test_kirisame_marisa_master_spark():
    """Attack in range; damage 1 plus her powerups in play, Border included. One loss, as many cards, one powerup lost."""
    start = scene(5).seat(0, "kirisame_marisa", hand="spiritual_attack grimoire", items="power supernatural_border stopwatch")
    game = start.seat(1, items="power power").build()
    game.act("play spiritual_attack")
    assert game.legal() == [f"choose seat:{other}" for other in (1, 2, 3, 4)]
    game.act("choose seat:1")
    assert game.seat(1).life == 1
    assert len(game.seat(1).hand) == 3
    assert kinds(game.seat(1).items) == ["power"]


def test_kirisame_marisa_master_spark_takes_no_more_than_there_is():
    """Cards drawn equal the life really lost (A-4)."""
    game = (
        scene()
        .seat(0, "kirisame_marisa", hand="spiritual_attack grimoire", items="power power")
        .seat(1, life=2)
        .seat(2, hand="one_up")
        .build()
    )
    act(game, "play spiritual_attack", "choose seat:1")
    assert (game.seat(1).life, len(game.seat(1).hand)) == (0, 2)
    game.act("play one_up")
    assert game.seat(1).life == 1


def test_kirisame_marisa_master_spark_can_be_avoided():
    game = scene().seat(0, "kirisame_marisa", hand="spiritual_attack grimoire", items="power power").seat(1, hand="graze").build()
    act(game, "play spiritual_attack", "choose seat:1", "play graze")
    assert game.seat(1).life == 4
