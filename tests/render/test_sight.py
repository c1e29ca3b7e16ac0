"""What is drawn for a seat, and sent to its browser, holds what the seat may know and nothing more.

The proof is that of tests/engine/test_secrecy.py: deal again all that the seat has not seen, and no letter changes. The counter-proof:
each hidden thing that a table could show by mistake is caught by the same comparison.
"""

import json
from dataclasses import replace

import numpy as np
import pytest

from danmaku_env import Game, GameConfig, Scenario
from danmaku_env.engine import actions
from danmaku_env.engine.compiled import JIT
from danmaku_env.render.asking import question
from danmaku_env.render.html import ANSWER_KEYS, blocks, board, keyed, printed_pages, question_block
from danmaku_env.render.sight import sight
from tests.engine import test_secrecy as secrecy
from tests.play import play_randomly

LINES = 12
"""Events told with a position: each is compared while it is new."""


def everything_sent(game, seat, look=sight):
    """All that a browser at a seat can be sent of one position, as one string."""
    seen = look(game, seat)
    parts = blocks(seen)
    if seen.question is not None:
        parts["question"] = question_block(seen.question)
    return json.dumps([parts, list(game.log.of(seat).since(int(game.record["log_count"]) - LINES))])


def dealt_again(games, seat, seed):
    """The games with all that the seat has not seen dealt again, and its question put for what lies there then."""
    worlds = secrecy.worlds_of(games, seat, seed)
    return secrecy.asked_anew(worlds, (worlds["asking"] == seat) & (worlds["pending_kind"] == 0))


def leaks(games, seat, seed, players, look=sight):
    """The first position in which the seat is sent something else once it is dealt again, or None."""
    config = GameConfig(num_players=players)
    asked = secrecy.asked_anew(games, (games["asking"] == seat) & (games["pending_kind"] == 0))
    worlds = dealt_again(games, seat, seed)
    for row in range(len(games)):
        one, other = (Game.trusting(rows[row : row + 1].copy(), config) for rows in (asked, worlds))
        if everything_sent(one, seat, look) != everything_sent(other, seat, look):
            return one
    return None


@pytest.mark.parametrize("players", secrecy.PLAYERS)
def test_dealing_the_unseen_again_changes_no_letter_of_what_any_seat_is_sent(players):
    points = 0
    for step, games in enumerate(secrecy.decision_points(players, secrecy.DECISIONS)):
        points += len(games)
        often = int(np.bincount(games["asking"], minlength=players)[:players].argmax())
        eyes = often if step % 2 else step // 2 % players
        assert leaks(games, eyes, step, players) is None, f"seat {eyes}, step {step}"
    assert points >= secrecy.DECISIONS


def changed_seat(seen, index, **changes):
    return replace(seen, seats=tuple(replace(seat, **changes) if seat.index == index else seat for seat in seen.seats))


def planted(name):
    """A look at the table that shows one thing too many."""

    def look(game, eyes):
        seen, above = sight(game, eyes), sight(game, None)
        other = (eyes + 1) % seen.players
        return {
            "the role of a neighbour": lambda: changed_seat(seen, other, role=game.seat(other).role),
            "the hand of a neighbour": lambda: changed_seat(seen, other, hand=above.seat(other).hand),
            "a kind in a hidden hand": lambda: changed_seat(seen, other, known=tuple(_kinds(above.seat(other).hand))),
            "who is asked": lambda: changed_seat(seen, other, is_asked=game.asking == other and len(game.legal()) > 1),
            "what somebody else may answer": lambda: replace(seen, question=question(game) if game.asking is not None else None),
            "the whole stack": lambda: replace(seen, stack=(*seen.stack, f"priority {len(game.legal())} {game.asking}")),
            "the top of the deck": lambda: replace(seen, private=(*seen.private, *game.deck[:1])),
            "the next incident": lambda: replace(seen, private=(*seen.private, *game.incident_deck[:1])),
            "life by the true role": lambda: changed_seat(seen, other, max_life=game.seat(other).max_life),
            "the log from above": lambda: replace(seen, private=(*seen.private, *game.log.above()[-3:])),
        }[name]()

    return look


def _kinds(hand):
    return {card.partition("/")[0]: count for card, count in hand}.items()


LEAKS = (
    "the role of a neighbour", "the hand of a neighbour", "a kind in a hidden hand", "what somebody else may answer", "the top of the deck",
    "the next incident", "the log from above",
)  # fmt: skip


@pytest.mark.skipif(not JIT, reason="needs many positions")
@pytest.mark.parametrize("leak", LEAKS)
def test_a_planted_leak_is_caught(leak):
    for step, games in enumerate(secrecy.decision_points(6, 40 * secrecy.ROWS)):
        if any(leaks(games, seat, step, 6, planted(leak)) is not None for seat in range(6)):
            return
    pytest.fail("nothing was noticed")


def test_only_the_seat_that_is_asked_sees_a_question():
    for game in play_randomly(Game.new(GameConfig(num_players=5), 3), 3, limit=60):
        for seat in range(5):
            assert (sight(game, seat).question is not None) == (game.asking == seat)
            assert [other.index for other in sight(game, seat).seats if other.is_asked] == [seat] * (game.asking == seat)
        assert all(sight(game, eyes, asked=False).question is None for eyes in (None, *range(5)))


def test_the_eyes_are_at_the_table():
    with pytest.raises(IndexError, match="seat 4: the seats are 0 to 3"):
        sight(Game.new(GameConfig(num_players=4), 1), 4)


# ---------------------------------------------------------------- HTML


def test_cards_and_seats_that_are_answers_can_be_pressed():
    game = Scenario(num_players=4).seat(0, role="heroine", hand=["shoot/spring", "graze"]).turn(0).build(seed=1)
    shoot = actions.ACTION_IDS.index("play shoot")
    hand = blocks(sight(game, 0))["hand"]
    assert hand.count('name="answer"') == 1
    assert f'value="{shoot}"' in hand
    game.act("play shoot")
    drawn = blocks(sight(game, 0))
    for answer in sight(game, 0).question.answers:
        seat = answer.name.removeprefix("choose seat:")
        assert f'value="{answer.action}" class="pick"' in drawn[f"seat-{seat}"]
    assert 'name="answer"' not in drawn["seat-0"] + drawn["hand"]


def test_every_answer_has_a_button_and_keys_are_told_apart():
    asked = 0
    for game in play_randomly(Game.new(GameConfig(num_players=6), 4), 4, limit=400 if JIT else 40):
        if game.over:
            break
        text = question_block(sight(game, game.asking).question)
        for action in game.legal_actions():
            assert f'value="{action}"' in text
        keys = [key for _, key in keyed(sight(game, game.asking).question.answers)]
        assert len({key for key in keys if key.strip()}) == min(len(keys), len(ANSWER_KEYS))
        asked += 1
    assert asked > 10
    assert not set("bhlu") & set(ANSWER_KEYS.lower())


def test_whatever_can_be_opened_is_there():
    pages = printed_pages()
    for game in play_randomly(Game.new(GameConfig(num_players=6), 4), 4, limit=400 if JIT else 40):
        for eyes in (None, 2):
            text = board(6, blocks(sight(game, eyes)))
            for part in text.split('popovertarget="')[1:]:
                assert f'id="{part.partition(chr(34))[0]}"' in pages
