"""Rulings S: which print of a card is followed. `test_s8_...` asks what ruling S-8 answers."""

from danmaku_env import Game, GameConfig
from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.compile import compile_cards
from tests.table import act, kinds, life, pass_until, scene


def test_s1_there_are_instants_among_the_lunatic_cards():
    """S-1: a Ghost Lantern is played in the middle of somebody else's attack, and nothing but life is kept."""
    table = scene(expansion="lunatic_extra").seat(0, hand="shoot voile").seat(1, hand="ghost_lantern")
    game = table.build()
    act(game, "play shoot", "choose seat:1")
    while "play ghost_lantern" not in game.legal():
        game.act("pass")
    game.act("play ghost_lantern")
    pass_until(game, "main", 0)
    assert life(game)[1] == 4


def test_s2_seasons_of_the_lunatic_deck():
    """S-2: 11 of spring, 9 of summer, 10 of autumn and of winter."""
    tables = compile_cards().tables[0]
    there = [int(season) for season, lunatic in zip(tables["card_season"], tables["card_lunatic"], strict=True) if lunatic]
    assert {name: there.count(number) for number, name in enumerate(v.SEASONS)} == {"spring": 11, "summer": 9, "autumn": 10, "winter": 10}


def test_s11_rin_activates_the_spell_card_of_any_defeated_player():
    """S-11: of whoever is defeated, and of nobody else."""
    table = scene(5, expansion="lunatic_extra").roles("heroine stage_boss stage_boss ex_boss partner")
    game = (
        table.seat(0, "kaenbyou_rin", hand="spiritual_attack voile")
        .seat(1, "saigyouji_yuyuko", defeated=True)
        .seat(2, "kazami_yuuka")
        .build()
    )
    game.act("play spiritual_attack")
    pass_until(game, "main", 0)
    assert "activates the Spell Card Vengeful Cannibal Spirit" in " ".join(game.log)
    assert life(game)[2:] == [3, 3, 3]


def test_s4_aya_cancels_once_a_turn_for_a_danmaku_card():
    """S-4: the second danmaku card of the turn goes through, though she could pay for it."""
    game = scene().seat(0, hand="shoot melee").seat(1, "shameimaru_aya", hand="shoot shoot power").build()
    act(game, "play shoot", "choose seat:1", "pass", "ability shameimaru_aya")
    assert kinds(game.seat(1).hand) == ["power", "shoot"]
    act(game, "play melee", "choose seat:1")
    assert game.seat(1).life == 3


def test_s5_the_phantom_boss_skips_her_incident_step_without_searching():
    """S-5: the two powers do not depend on each other."""
    start = scene(turns=2).seat(0, role="true_phantom_boss", hand="focus").turn(0, step="start").incident("saigyou_ayakashi_blooming")
    game = start.build()
    act(game, "pass", "choose yes")
    assert game.incident == "saigyou_ayakashi_blooming"
    assert (game.step, game.seat(0).life) == ("main", 5)


def test_s6_party_draws_its_cards():
    """S-6: so under Great Barrier Weakening the first of them comes from the discard pile (I-9)."""
    start = scene().seat(0, hand="party").discard("bomb/winter").deck("focus graze power shoot")
    game = start.incident("great_barrier_weakening").build()
    game.act("play party")
    assert game.legal() == ["choose card:bomb", "choose card:focus", "choose card:graze", "choose card:power"]


def test_s7_the_ex_midboss_may_be_dealt_from_five_players_on():
    """S-7: or from seven, if the configuration says so."""

    def dealt(**config):
        games = (Game.new(GameConfig(num_players=5, characters="none", **config), seed=seed) for seed in range(30))
        return {seat.role for game in games for seat in game.seats}

    assert "ex_midboss" in dealt()
    assert "ex_midboss" not in dealt(ex_midboss_from=7)


def test_s8_last_word_ignores_range():
    """S-8: it attacks the player across the table."""
    game = scene(8).seat(0, hand="last_word").seat(4, items="focus").build()
    game.act("play last_word")
    assert life(game) == [4, 3, 3, 4, 3, 3, 3, 3]  # seat 3 is the Heroine


def test_s9_worldly_desires_stops_what_an_item_does_when_played():
    """S-9: a Sutra Scroll goes to the collection from the hand, and no card is drawn for it."""
    game = scene().seat(0, hand="sorcerers_sutra_scroll grimoire").incident("worldly_desires").build()
    game.act("play sorcerers_sutra_scroll")
    assert kinds(game.collected) == ["sorcerers_sutra_scroll"]
    assert kinds(game.seat(0).hand) == ["grimoire"]


def test_s10_both_halves_of_1up_are_healing():
    """S-10: neither can be played under Voyage to Makai."""
    start = scene().seat(0, hand="one_up shoot", life=2).seat(1, life=1).incident("voyage_to_makai").deck("power")
    game = start.build()
    assert game.legal() == ["pass", "play shoot"]
    act(game, "play shoot", "choose seat:1")
    assert game.seat(1).defeated


def test_s12_protecting_another_costs_a_danmaku_card():
    """S-12: no other card will do."""
    game = scene().seat(0, hand="shoot").seat(2, hand="graze power focus grimoire").build()
    act(game, "play shoot", "choose seat:1")
    assert game.seat(1).life == 3
    assert len(game.seat(2).hand) == 4


def test_s13_keine_puts_her_card_on_either_end():
    """S-13: top or bottom, as she likes."""
    for end, place in (("top", 0), ("bottom", -1)):
        game = scene().seat(0, "kamishirasawa_keine", hand="bomb/spring").turn(0, step="draw").build()
        pass_until(game, "card")
        act(game, "choose card:bomb", f"choose {end}")
        assert game.deck[place] == "bomb/spring"
