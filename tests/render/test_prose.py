"""`Game.describe`: what a seat sees, in prose, and no more than that."""

import pytest

from danmaku_env import Game, GameConfig, Scenario
from danmaku_env.jit.kernels import JIT
from tests.engine import test_secrecy as secrecy
from tests.random_play import play_randomly
from tests.redealt import is_noticed, leaking, observer_at


def scene():
    table = Scenario(num_players=5).seat(
        0, role="heroine", character="cirno", life=3, hand=["shoot/spring", "shoot/spring", "graze/winter"]
    )
    table.seat(1, role="partner", character="ibuki_suika", hand=["bomb"], items=["power", "power"])
    return table.seat(2, role="stage_boss", character="hong_meiling", defeated=True).turn(0, step="main")


def test_a_seat_is_told_itself_the_others_and_its_answers():
    lines = scene().build(seed=1).describe(0).split("\n")
    assert lines[0] == "You are seat 0 (Cirno), the Heroine, at a table of 5."
    assert lines[1] == "Your hand: Graze (winter), Shoot (spring) ×2."
    assert any(line.startswith("Turn 1, the main step of seat 0 (Cirno)") or "the main step of seat 0 (Cirno)" in line for line in lines)
    (suika,) = [line for line in lines if line.startswith("- seat 1")]
    assert suika == "- seat 1 (Suika): role unknown; 4 of 4 life; 1 card in hand; in play: Power ×2; in your range"
    assert "- seat 2 (Meiling): Stage Boss; defeated" in lines
    asked = next(place for place, line in enumerate(lines) if line.startswith("You are asked: main"))
    assert [line.removeprefix("- ").partition(" (")[0] for line in lines[asked + 1 :]] == scene().build(seed=1).legal()


def test_who_was_the_heroine_before_the_rival_has_no_role_any_more():
    """R-5: everybody saw it happen, she too."""
    table = Scenario(num_players=8)
    for seat, role in enumerate(["heroine", "rival", "partner", "one_true_partner", "stage_boss", "final_boss", "challenger", "ex_boss"]):
        table.seat(seat, role=role, **({"life": 0} if seat == 0 else {}))
    game = table.turn(4, step="main").build(seed=1)
    while game.seat(1).role == "rival":
        game.act("pass")
    for observer in range(8):
        (line,) = [line for line in game.describe(observer).split("\n") if line.startswith("- seat 0")]
        assert "no role any more" in line
    assert "role unknown" in game.describe(2)


def test_who_is_not_asked_is_told_no_question_and_no_hand():
    text = scene().build(seed=1).describe(1)
    assert "the Partner, at a table" in text
    assert "Not everybody knows your role." in text
    assert "asked" not in text
    assert "Shoot" not in text


def test_from_above_everything_is_told():
    text = scene().build(seed=1).describe(None)
    assert "they are Bomb" in text
    assert "Partner (not known to all)" in text
    assert "seat 0 (Cirno) is asked: main" in text


def test_the_end_is_told():
    for game in play_randomly(Game.new(4, seed=2, characters="none", max_turns=2), 2):
        if game.over:
            assert f"The game is over ({game.outcome})" in game.describe(1)


def test_every_position_can_be_described_to_everybody():
    for game in play_randomly(Game.new(GameConfig(num_players=6), 9), 9, limit=3000 if JIT else 60):
        for observer in (None, *range(6)):
            assert game.describe(observer)


def test_there_is_no_seat_beyond_the_table():
    with pytest.raises(IndexError, match="the seats are 0 to 3"):
        Game.new(4).describe(4)


# ---------------------------------------------------------------- secrecy


@pytest.mark.parametrize("players", secrecy.PLAYERS)
def test_dealing_the_unseen_again_changes_no_letter(players):
    for step, games in enumerate(secrecy.decision_points(players, 700 if JIT else 40)):
        observer = observer_at(games, step, players)
        assert leaking(games, observer, step, Game.describe) is None, f"seat {observer}, step {step}"


@pytest.mark.skipif(not JIT, reason="needs many positions")
def test_a_planted_leak_is_caught():
    assert is_noticed(lambda game, seat: f"{game.describe(seat)} {game.seat((seat + 1) % 6).role}", secrecy.ROWS)
    assert is_noticed(lambda game, seat: game.describe(None), secrecy.ROWS)


# ---------------------------------------------------------------- for language models


def test_a_seat_is_told_its_goal_and_what_is_printed_on_its_cards():
    lines = scene().incident("great_barrier_weakening", collected=[]).build(seed=1).describe(0).split("\n")
    assert "Your goal: Every Stage Boss is defeated and every Extra Boss is defeated." in lines
    printed = lines[lines.index("What is printed:") :]
    assert any(line.startswith("- Graze: Avoid an attack on you") for line in printed)
    assert any(line.startswith("- Great Barrier Weakening: ") for line in printed)


def test_a_seat_is_told_what_has_happened_since_it_last_did_something():
    game = Scenario(num_players=4).seat(0, role="heroine", hand=["shoot", "voile"]).seat(1, role="stage_boss", hand=["graze"])
    game = game.seat(2, role="stage_boss").seat(3, role="ex_boss").turn(0, step="main").build(seed=1)
    assert "Since you last did something:" not in game.describe(0)
    game.act("play shoot")
    game.act("choose seat:1")
    assert "* seat 0 attacks seat 1" in game.describe(1).split("\n")
    game.act("play graze")
    assert game.asking == 0
    lines = game.describe(0).split("\n")
    since = lines[lines.index("Since you last did something:") + 1 :]
    assert since[0].startswith("* seat 0 plays Shoot")
    assert "* seat 1 avoids the attack of seat 0" in since
