"""Rulings U: set-up. `test_u3_...` asks what ruling U-3 answers."""

from danmaku_env import Game, GameConfig
from tests.table import scene


def test_u1_roles_are_secret_but_the_heroines():
    """U-1, R-15, X-5: nobody learns another's role at the deal, but the Heroine's."""
    game = Game.new(GameConfig(num_players=8, characters="none"), seed=1)
    assert [seat.role for seat in game.seats if seat.role_revealed] == ["heroine"]


def test_u2_characters_are_chosen_in_secret():
    """U-2: two private candidates each; nobody sees a choice, nor the Heroine, before all have chosen."""
    game = Game.new(GameConfig(num_players=4), seed=2)
    assert (game.asking, game.question) == (0, "character")
    assert [len(seat.candidates) for seat in game.seats] == [2, 2, 2, 2]
    assert not any(seat.role_revealed for seat in game.seats)
    other = game.clone()
    first, second = game.legal()
    game.act(first)
    other.act(second)
    assert (game.observe(1) == other.observe(1)).all()
    while game.question == "character":
        game.act(game.legal()[0])
    assert game.seat(0).character == first.removeprefix("choose character:")
    assert sum(seat.role_revealed for seat in game.seats) == 1


def test_u3_max_hand_is_the_largest_base_plus_bonuses():
    """U-3: 7 is a base value, the role's bonus is added."""
    start = scene().seat(0, "patchouli_knowledge", role="heroine", items="sorcerers_sutra_scroll", hand="grimoire")
    start.seat(1, role="ex_boss_revealed").seat(2, "hong_meiling").seat(3, role="stage_boss", defeated=True)
    assert [seat.max_hand for seat in start.build().seats][:3] == [8, 5, 7]


def test_u4_meiling_starts_with_a_plain_hand():
    """U-4: her 7 counts on others' turns only; before the first turn nobody has a turn."""
    for seed in range(6):
        characters = ["hong_meiling", "cirno", "hakurei_reimu", "patchouli_knowledge"]
        game = Game.new(GameConfig(num_players=4, characters=characters), seed=seed)
        meiling = next(line for line in game.log if line.startswith("seat 0 (Meiling) draws"))
        patchouli = next(line for line in game.log if line.startswith("seat 3 (Patchouli) draws"))
        assert meiling == f"seat 0 (Meiling) draws {5 if game.seat(0).role == 'heroine' else 4} cards"
        assert patchouli == f"seat 3 (Patchouli) draws {8 if game.seat(3).role == 'heroine' else 7} cards"


def test_u5_hands_are_dealt_from_the_heroine_on():
    """U-5: everybody begins with full life and draws up to max hand size, the Heroine first, then clockwise."""
    for seed in range(4):
        game = Game.new(GameConfig(num_players=6, characters="none", ask_forced=True), seed=seed)
        heroine = next(index for index, seat in enumerate(game.seats) if seat.role == "heroine")
        order = [(heroine + step) % 6 for step in range(6)]
        draws = [line for line in game.log if " draws " in line]
        assert draws[:6] == [f"seat {seat} draws {5 if seat == heroine else 4} cards" for seat in order]
        assert [seat.life for seat in game.seats if seat.index != heroine] == [4] * 5
        assert game.turn == heroine


def test_u6_player_2_plays_only_where_asked_for():
    """U-6: of the promotional characters there is Player 2, dealt and chosen like the others with `bonus_character`."""
    for expansion in ("none", "lunatic_extra"):
        without, with_bonus = (GameConfig(expansion=expansion, bonus_character=bonus) for bonus in (False, True))
        assert {*with_bonus.character_ids} - {*without.character_ids} == {"player_2"}
        met = {
            name
            for config in (without, with_bonus)
            for seed in range(40)
            for seat in Game.new(config, seed).seats
            for name in seat.candidates
            if config is with_bonus or name == "player_2"
        }
        assert "player_2" in met
        assert not any("player_2" in seat.candidates for seed in range(40) for seat in Game.new(without, seed).seats)


def test_u7_the_first_incident_comes_with_the_heroines_first_turn():
    """U-7: it enters in her first incident step; later ones only when none is in play."""
    start = scene(turns=2).seat(0, role="heroine").turn(0, step="incident").deck(["power"] * 6)
    game = start.incident_deck(top="spring_snow voyage_to_makai").build()
    assert game.incidents == ["spring_snow"]
    game.act("pass")
    assert game.turn == 1
    assert game.incidents == ["spring_snow"]
