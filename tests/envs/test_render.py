"""The table as text."""

import io
import random
import re
from dataclasses import replace

import numpy as np
import pytest
from rich.console import Console

from danmaku_env import Game, GameConfig, Scenario
from danmaku_env.render.ansi import drawing, table
from danmaku_env.render.picture import SIZE, picture
from danmaku_env.render.picture import drawing as drawing_of
from danmaku_env.render.table_view import table_view
from danmaku_env.wording import ROLE_NAMES, SHORT_NAMES


def scene(*, mine="shoot/spring", theirs="graze/summer", roles=("stage_boss", "ex_boss"), top="bomb") -> Game:
    """Seat 0, the Heroine, has the turn; what the options name is hidden from it, but for `mine`."""
    s = Scenario(num_players=4, config=GameConfig(characters="none", num_players=4)).turn(0)
    s.seat(0, role="heroine", hand=[mine], items=["power/winter"]).seat(1, role=roles[0], hand=[theirs, theirs.split("/")[0]], life=2)
    s.seat(2, role=roles[1]).seat(3, role="stage_boss", defeated=True).deck(top=[top]).incident("crossing_to_higan")
    return s.build(seed=1)


def played(steps: int, players: int = 6, seed: int = 3) -> Game:
    game, rng = Game.new(GameConfig(num_players=players), seed), random.Random(seed)
    for _ in range(steps):
        if game.over:
            break
        game.act(rng.choice(game.legal_actions()))
    return game


def test_from_above_everything_is_seen():
    text = table(scene(), color=False, width=200)
    seats = ("Shoot (spring)", "Graze (summer)", "Power", "Heroine", "(Stage Boss)", "(EX Boss)", "♥♥♡♡ 2/4", "defeated", "range 1")
    table_words = ("from above", "turn 1: seat 0, main step", "Crossing to Higan", "deck ", "discard pile ")
    for words in (*seats, *table_words, "turn of seat 0", "seat 0 is asked 'main': pass | play shoot"):
        assert words in text, words


def test_a_seat_sees_its_own_hand_and_question():
    text = table(scene(), 0, color=False)
    assert "as seat 0 sees it" in text
    assert "Shoot (spring)" in text
    assert "You are asked 'main'" in text
    assert "2 cards" in text


def test_a_seat_sees_nothing_hidden():
    seen = table(scene(), 0)
    assert seen == table(scene(theirs="shoot/autumn"), 0)
    assert seen == table(scene(roles=("ex_boss", "stage_boss")), 0)
    assert seen == table(scene(top="party"), 0)
    assert seen != table(scene(mine="bomb"), 0)


def test_a_seat_is_not_told_who_else_is_asked():
    game = played(60)
    for seat in range(6):
        text = table(game, seat, color=False)
        assert ("asked" in text) == (seat == game.asking)
        assert "priority" not in text


def test_a_seat_sees_the_attack_it_is_asked_about():
    game = played(0)
    rng = random.Random(1)
    while game.question != "attacked":
        game.act(rng.choice(game.legal_actions()))
    attacker = next(line for line in table(game, game.asking, color=False).splitlines() if "attacks" in line and " for " in line)
    assert attacker.strip().startswith("seat ")
    assert "'attacked'" in table(game, game.asking, color=False)


@pytest.mark.parametrize("players", range(4, 9))
def test_whole_games_can_be_drawn_within_the_width(players):
    game, rng = played(0, players), random.Random(players)
    for step in range(400):
        if game.over:
            break
        if step % 40 == 0:
            for seat in (None, *range(players)):
                text = table(game, seat, color=False, below=False)
                assert max(len(line) for line in text.splitlines()) <= 120
                assert "\x1b" not in text
        game.act(rng.choice(game.legal_actions()))


def test_the_table_of_six_with_a_hand_fits_a_terminal_without_splitting_words():
    words = {word for text in ROLE_NAMES.values() for word in text.split()} | set(SHORT_NAMES.values())
    for seed in range(4):
        game, rng = played(0, 6, seed), random.Random(seed)
        while not game.over:
            if game.record["decisions"] % 10 == 0:
                lines = table(game, 2, color=False, width=80, below=False).splitlines()
                assert len(lines) <= 22, "two rows are left for the question and its answer"
                assert max(len(line) for line in lines) <= 80
            game.act(rng.choice(game.legal_actions()))
        end = table(game, 2, color=False, width=80, below=False)
        shown = {game.seat(seat).character for seat in range(6)}
        assert all(SHORT_NAMES[character] in end for character in shown)
        assert words & set(end.split())


def test_no_word_of_a_role_is_split():
    start = table_view(scene(), None)
    for role in ROLE_NAMES:
        seen = replace(start, seats=tuple(replace(seat, role=role, role_hidden=True) for seat in start.seats))
        console = Console(file=io.StringIO(), width=80, color_system=None, force_jupyter=False)
        console.print(drawing(seen))
        words = console.file.getvalue().split()
        assert set(f"({ROLE_NAMES[role]})".split()) <= set(words), role


def test_a_picture_shows_a_seat_nothing_hidden():
    seen = picture(scene(), 0)
    assert np.array_equal(seen, picture(scene(theirs="shoot/autumn"), 0))
    assert np.array_equal(seen, picture(scene(roles=("ex_boss", "stage_boss")), 0))
    assert np.array_equal(seen, picture(scene(top="party"), 0))
    assert not np.array_equal(seen, picture(scene(mine="bomb"), 0))
    assert not np.array_equal(picture(scene(), None), picture(scene(theirs="shoot/autumn"), None))


def test_the_picture_of_an_attack_has_an_arrow():
    game, rng = played(0), random.Random(1)
    while game.question != "attacked":
        game.act(rng.choice(game.legal_actions()))
    seen = table_view(game, game.asking)
    by, on = seen.aimed
    assert "attacks" in " ".join(seen.stack)
    assert by != on
    assert np.count_nonzero(drawing_of(seen) != drawing_of(replace(seen, aimed=None))) > 1000


@pytest.mark.parametrize("players", range(4, 9))
def test_every_picture_of_a_game_has_one_even_size(players):
    game, rng = Game.new(GameConfig(num_players=players, expansion="lunatic_extra"), players), random.Random(players)
    while not game.over:
        if game.record["decisions"] % 60 == 0:
            for seat in (None, 0, players - 1):
                assert picture(game, seat).shape == (SIZE[1], SIZE[0], 3)
        game.act(rng.choice(game.legal_actions()))
    assert picture(game).shape == (SIZE[1], SIZE[0], 3)
    assert SIZE[0] % 2 == SIZE[1] % 2 == 0


def test_a_notebook_gets_the_text_and_no_empty_output(monkeypatch):
    """rich shows what it is printed in a notebook, where nobody tells it not to."""
    displayed = []
    monkeypatch.setattr("rich.console._is_jupyter", lambda: True)
    monkeypatch.setattr("rich.jupyter.display", lambda *what: displayed.append(what))
    assert "as seat 0 sees it" in table(scene(), 0)
    assert picture(scene(), 0).any()
    assert not displayed


def test_the_end_is_told_to_everybody():
    game = scene()
    rng = random.Random(0)
    while not game.over:
        game.act(rng.choice(game.legal_actions()))
    for seat in (None, 0, 3):
        text = table(game, seat, color=False)
        assert "Game over, won by seat" in text
        assert not re.search(r"\((Stage|Final|Phantom|EX|Partner|One)", text)


def test_color_only_adds_escape_codes():
    game = played(80)
    colored = table(game, 2)
    assert "\x1b[" in colored
    plain = "\n".join(line.rstrip() for line in re.sub(r"\x1b\[[\d;]*m", "", colored).splitlines())
    assert plain == table(game, 2, color=False)


def test_a_seat_beyond_the_table_is_refused():
    with pytest.raises(IndexError, match="seat 4: the seats are 0 to 3"):
        table(scene(), 4)
