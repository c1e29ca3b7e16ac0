"""Double Threat of Lunatic Extra's rulebook: every player chooses two of four characters and plays both."""

import numpy as np
import pytest

from danmaku_env import Game, GameConfig, Replay, ScenarioError, resample, role_assignments
from danmaku_env.cards.box import CHARACTER_IDS, ROLE_IDS
from danmaku_env.config import ConfigError
from danmaku_env.decoding import decode
from danmaku_env.engine import invariants
from danmaku_env.engine import state as st
from danmaku_env.wording import seat_name
from tests.table import act, life, pass_until, scene

REMOVED = {"futatsuiwa_mamizou", "houjuu_nue", "yakumo_ran"}


def doubled(players=5, seed=3, **config):
    config.setdefault("expansion", "lunatic_extra")
    return Game.new(GameConfig(num_players=players, characters="double_threat", **config), seed=seed)


def both(players=4, turns=1, **config):
    """A table of Double Threat to describe."""
    return scene(players, turns, characters="double_threat", **{"expansion": "lunatic_extra", **config})


def names(game):
    """The characters among the legal answers."""
    return [answer.removeprefix("choose character:") for answer in game.legal()]


def choose_all(game):
    """Everybody chooses the first and the last of the four."""
    while game.question == "character" and game.step == "setup":
        game.act(game.legal()[0])
        game.act(game.legal()[-1])


@pytest.mark.parametrize(("players", "expansion"), [(4, "none"), (6, "none"), (5, "lunatic_extra"), (8, "lunatic_extra")])
def test_each_player_draws_four_and_chooses_two(players, expansion):
    game = doubled(players, expansion=expansion)
    dealt = []
    for seat in range(players):
        assert (game.asking, game.question, game.step) == (seat, "character", "setup")
        four = names(game)
        assert len(four) == 4
        game.act(f"choose character:{four[2]}")
        assert (game.asking, names(game)) == (seat, [four[0], four[1], four[3]])
        game.act(f"choose character:{four[0]}")
        assert (game.seat(seat).character, game.seat(seat).second_character) == (four[2], four[0])
        dealt += four
    assert len(set(dealt)) == 4 * players
    for seat in game.seats:
        assert set(seat.abilities) == set(seat.spell_cards) == {seat.character, seat.second_character}
        assert seat.extras == []


def test_who_recruits_and_the_lone_wolf_are_left_out():
    """Mamizou, Nue and Ran are dealt to nobody and lie in no pile; the Lone Wolf is no Extra Boss, and nobody thinks her one."""
    bosses = set()
    for seed in range(40):
        game = doubled(8, seed)
        seen = {name for seat in game.seats for name in seat.candidates}
        choose_all(game)
        bosses |= {seat.role for seat in game.seats}
        piles = int(game.record["unused_characters"]) | int(game.record["discarded_characters"])
        assert not REMOVED & (seen | {name for number, name in enumerate(CHARACTER_IDS) if piles >> number & 1})
    assert "secret_boss" in bosses
    assert "lone_wolf" not in bosses
    thought = role_assignments(game, 0).marginals()
    assert not thought[:, ROLE_IDS.index("lone_wolf")].any()
    with pytest.raises(ScenarioError, match="no 'lone_wolf' is left to deal"):
        both().roles("heroine stage_boss stage_boss lone_wolf").build()


def test_the_characters_that_were_not_chosen_are_discarded():
    """Face down: each knows her own two. Whoever recruits draws from those that nobody was dealt."""
    game = doubled(4)
    dealt = int(np.bitwise_or.reduce(game.record["candidates"]))
    four = game.seat(1).candidates
    choose_all(game)
    played = {name for seat in game.seats for name in (seat.character, seat.second_character)}
    assert int(game.record["discarded_characters"]).bit_count() == 8
    assert int(game.record["unused_characters"]) & dealt == 0
    known = [set(decode(game.observe(seat), words=True)["discarded_characters"]) for seat in range(4)]
    assert known[1] == set(four) - played
    assert not known[1] & known[2]


def test_both_abilities_count():
    """Suika and Sakuya on one seat: what they add to range and danmaku limit adds up; both are primary, so either can be named (L-12)."""
    table = both(turns=3).seat(0, ("ibuki_suika", "izayoi_sakuya")).seat(1, ("komeiji_koishi", "cirno"), hand="shoot")
    game = table.turn(1, step="start").build()
    assert (game.seat(0).range, game.seat(0).danmaku_limit) == (2, 4)
    assert game.question == "ability"
    assert {"choose character:ibuki_suika", "choose character:izayoi_sakuya"} <= set(game.legal())
    game.act("choose character:izayoi_sakuya")
    assert game.seat(1).danmaku_limit == 3


def test_the_spell_card_of_either_character_is_one_activation_a_round():
    """An invocation card asks which of the two Spell Cards; the round has one activation for both."""
    table = both().seat(0, ("saigyouji_yuyuko", "kirisame_marisa"), hand="spiritual_attack spiritual_attack shoot").seat(3)
    game = table.turn(0).build()
    game.act("play spiritual_attack")
    assert game.question == "spell"
    assert set(names(game)) == {"saigyouji_yuyuko", "kirisame_marisa"}
    act(game, "choose character:kirisame_marisa", "choose seat:1")
    pass_until(game, "main", 0)
    assert life(game)[1] == 3
    assert "play spiritual_attack" not in game.legal()


def test_another_players_spell_card_is_either_of_the_two():
    """Capture Spell Card: of the player chosen, here the only one with any, either Spell Card that fits the moment."""
    table = both().seat(0, ("cirno", "reisen_udongein_inaba"), hand="capture_spell_card").seat(1, ("saigyouji_yuyuko", "kirisame_marisa"))
    game = table.turn(0).build()
    game.act("play capture_spell_card")
    assert game.question == "spell"
    assert set(names(game)) == {"saigyouji_yuyuko", "kirisame_marisa"}
    act(game, "choose character:kirisame_marisa", "choose seat:3")
    assert life(game)[3] == 4


def test_a_name_has_both_characters():
    game = both().seat(0, ("cirno", "hong_meiling")).turn(0).build()
    assert seat_name(game.record, 0) == "seat 0 (Cirno and Meiling)"


def test_a_choice_is_known_to_who_made_it_alone():
    """Nobody sees what others choose from, nor whom, before all have; then all see both."""
    game, other = doubled(), doubled()
    for place, table in enumerate((game, other)):
        table.act(table.legal()[place])
        table.act(table.legal()[-1])
    for seat in range(1, 5):
        assert (game.observe(seat) == other.observe(seat)).all()
    assert (game.observe(0) != other.observe(0)).any()
    choose_all(game)
    for seat in range(5):
        assert decode(game.observe(seat))["second_character"][-seat % 5] == game.record["second_character"][0]


@pytest.mark.parametrize("expansion", ["none", "lunatic_extra"])
def test_worlds_of_double_threat_fit_what_a_seat_knows(expansion):
    """At every question of the choice another world has the same observation, can be, and is not always the same; and in play."""
    game = doubled(6, expansion=expansion)
    others = set()
    for number in range(30):
        for seat in range(6):
            world = resample(game, seat, number)
            assert (world.observe(seat) == game.observe(seat)).all()
            assert invariants.position_problem(world.record) is None
        others.add((int(world.record["character"][0]), int(world.record["second_character"][0])))
        game.act(game.legal()[0])
        assert invariants.problem(game.record) is None
    assert len(others) > 3


def test_a_game_of_double_threat_is_played_to_its_end_and_replayed():
    """The replay gives the same bytes, and the game goes through a file."""
    game = doubled(4, max_turns=4)
    rng = np.random.default_rng(1)
    while not game.over:
        game.act(int(rng.choice(game.legal_actions())))
    again = Replay.from_json(game.replay().to_json()).play()
    assert again.to_bytes() == game.to_bytes()
    assert Game.from_bytes(game.to_bytes()).seat(1).second_character == game.seat(1).second_character


def test_double_threat_without_enough_characters_is_refused():
    with pytest.raises(ConfigError, match=r"Double Threat deals 4 characters to each of 7 players, more than the 24 .* at most 6"):
        GameConfig(num_players=7, characters="double_threat")
    assert GameConfig(num_players=8, characters="double_threat", expansion="lunatic_extra").characters == "double_threat"


def test_two_characters_where_one_is_played_are_refused():
    with pytest.raises(ScenarioError, match=r"seat 0 plays one character; two are played with GameConfig\(characters='double_threat'\)"):
        scene().seat(0, ("cirno", "reisen_udongein_inaba")).build()
    with pytest.raises(ScenarioError, match="seat 0 plays two characters in Double Threat, not 3"):
        both().seat(0, ("cirno", "reisen_udongein_inaba", "hakurei_reimu")).build()
    with pytest.raises(ScenarioError, match="cirno is already at the table"):
        both().seat(0, ("cirno", "cirno")).build()
    with pytest.raises(ScenarioError, match="'yakumo_ran' recruits Extra Characters"):
        both().seat(0, ("cirno", "yakumo_ran")).build()


@pytest.mark.parametrize(
    ("field", "value"),
    [("second_character", 3), ("second_character", 120), ("config", 0), ("candidates", 1), ("config", st.CHARACTERS_RANDOM)],
)
def test_the_gate_refuses_second_characters_that_cannot_be(field, value):
    game = doubled(4)
    choose_all(game)
    record = game.record.copy()
    if field == "config":
        record["config"] = value
    else:
        record[field][1] = value
    assert invariants.problem(record) is not None
