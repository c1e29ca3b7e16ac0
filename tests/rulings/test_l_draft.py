"""The character draft of Lunatic Extra's rulebook: secret bans, an open pool, open bans in turn order, picks in reverse order."""

import numpy as np
import pytest

from danmaku_env import Game, GameConfig, Replay, resample
from danmaku_env.config import ConfigError
from danmaku_env.decoding import decode
from danmaku_env.engine import invariants


def drafted(players=5, seed=3, **config):
    config.setdefault("expansion", "lunatic_extra")
    return Game.new(GameConfig(num_players=players, characters="draft", **config), seed=seed)


def names(game):
    """The characters among the legal answers."""
    return [answer.removeprefix("choose character:") for answer in game.legal()]


def ban_in_secret(game):
    """Every seat bans the first of its own; returns who was banned by whom."""
    banned = {}
    while game.step == "setup":
        banned[game.asking] = names(game)[0]
        game.act(game.legal()[0])
    return banned


def play_out(game, rng):
    while not game.over:
        legal = game.legal()
        game.act(legal[int(rng.integers(len(legal)))])


@pytest.mark.parametrize(("players", "expansion"), [(4, "none"), (6, "none"), (5, "lunatic_extra"), (8, "lunatic_extra")])
def test_a_draft_from_the_deal_to_the_first_turn(players, expansion):
    """Four each, a secret ban each, then open bans from the Heroine on in turn order, and picks from her on in reverse turn order."""
    game = drafted(players, expansion=expansion)
    hands = {}
    for seat in range(players):
        assert (game.asking, game.question, game.step) == (seat, "ban", "setup")
        hands[seat] = names(game)
        assert len(hands[seat]) == 4
        game.act(game.legal()[0])
    dealt = [name for hand in hands.values() for name in hand]
    assert len(set(dealt)) == 4 * players
    pool = {name for hand in hands.values() for name in hand[1:]}
    heroine = next(seat.index for seat in game.seats if seat.role == "heroine")
    assert game.seat(heroine).role_revealed
    for place in range(players):
        assert (game.asking, game.question, game.step) == ((heroine + place) % players, "ban", "draft")
        assert set(names(game)) == pool
        pool.remove(names(game)[-1])
        game.act(game.legal()[-1])
    picked = {}
    for place in range(players):
        seat = (heroine - place) % players
        assert (game.asking, game.question) == (seat, "character")
        assert set(names(game)) == pool
        picked[seat] = names(game)[0]
        pool.remove(picked[seat])
        game.act(game.legal()[0])
    assert {seat.index: seat.character for seat in game.seats} == picked
    assert len(pool) == players
    assert [line for line in game.log if "is revealed as Heroine" in line] == [line for line in game.log if "Heroine" in line]


def test_everybody_sees_the_pool_and_the_open_bans():
    """The pool lies open: all see the same characters, also who is not asked, and the picks as they are made."""
    game = drafted()
    ban_in_secret(game)
    pool = set(names(game))
    for seat in range(5):
        assert set(decode(game.observe(seat), words=True)["candidates"]) == pool
    first = names(game)[0]
    game.act(game.legal()[0])
    for seat in range(5):
        assert set(decode(game.observe(seat), words=True)["candidates"]) == pool - {first}
    assert "bans" in game.log[-1]
    while game.question == "ban":
        game.act(game.legal()[0])
    picker = game.asking
    game.act(game.legal()[0])
    for seat in range(5):
        assert decode(game.observe(seat))["character"][(picker - seat) % 5] == game.record["character"][picker]


def test_a_secret_ban_is_known_to_who_made_it_alone():
    """In a secret ban nobody else learns which character it was; the others' characters are secret until the pool lies open."""
    game = drafted()
    other = game.clone()
    game.act(game.legal()[0])
    other.act(other.legal()[1])
    for seat in range(1, 5):
        assert (game.observe(seat) == other.observe(seat)).all()
    assert (game.observe(0) != other.observe(0)).any()
    assert list(game.log) == list(other.log)


@pytest.mark.parametrize("expansion", ["none", "lunatic_extra"])
def test_worlds_of_a_draft_fit_what_a_seat_knows(expansion):
    """At every question of a draft another world has the same observation, keeps the seat's own ban, and can be."""
    game = drafted(6, expansion=expansion)
    banned = {}
    others = set()
    while game.turn_number == 0 and game.step != "zero":
        for seat in range(6):
            world = resample(game, seat, 5)
            assert (world.observe(seat) == game.observe(seat)).all()
            assert invariants.position_problem(world.record) is None
            if seat in banned:
                assert int(world.record["discarded_characters"]) >> banned[seat] & 1
        if game.step == "setup":
            before = int(game.record["discarded_characters"])
            asked = game.asking
            others.add(int(resample(game, 5, asked).record["candidates"][0]))
            game.act(game.legal()[0])
            banned[asked] = (int(game.record["discarded_characters"]) & ~before).bit_length() - 1
        else:
            game.act(game.legal()[0])
        assert invariants.problem(game.record) is None
    assert len(others) > 1


def test_who_recruits_draws_none_that_lies_in_the_discard_pile():
    """Banned characters and those left over make the character discard pile; recruiting draws from those nobody was dealt."""
    game = drafted(4)
    dealt = int(np.bitwise_or.reduce(game.record["candidates"]))
    ban_in_secret(game)
    while game.step == "draft":
        game.act(game.legal()[0])
    picked = sum(1 << int(number) - 1 for number in game.record["character"][:4])
    assert (dealt & ~picked) & ~int(game.record["discarded_characters"]) == 0
    assert int(game.record["unused_characters"]) & dealt == 0


def test_a_drafted_game_is_played_to_its_end_and_replayed():
    """The replay of a drafted game gives the same bytes."""
    game = drafted(4, max_turns=4)
    play_out(game, np.random.default_rng(1))
    again = Replay.from_json(game.replay().to_json()).play()
    assert again.to_bytes() == game.to_bytes()


def test_a_draft_without_enough_characters_is_refused():
    with pytest.raises(ConfigError, match="each of 7 players, more than the 24 characters of the box; at most 6"):
        GameConfig(num_players=7, characters="draft")
    assert GameConfig(num_players=8, characters="draft", expansion="lunatic_extra").characters == "draft"
    with pytest.raises(ConfigError, match='"draft"'):
        GameConfig(characters="drafted")


@pytest.mark.parametrize("field", ["open_characters", "discarded_characters", "unused_characters", "candidates"])
def test_the_gate_refuses_character_piles_of_a_draft_that_cannot_be(field):
    game = drafted(4)
    ban_in_secret(game)
    record = game.record.copy()
    record[field] ^= 1 << 3
    assert invariants.problem(record) is not None
