"""What is drawn for a seat holds what the seat may know and nothing more; cards, seats and answers can be pressed.

That no letter changes once all that a seat has not seen is dealt again is proven over the messages, which hold all that is drawn
(tests/play/browser/test_message.py). Here the counter-proof: that comparison catches each hidden thing that a table could show by mistake.
"""

import json
from collections import Counter
from dataclasses import replace

import pytest

from danmaku_env import Game, GameConfig, Scenario
from danmaku_env.engine import actions
from danmaku_env.jit.kernels import JIT
from danmaku_env.render.answers import ANSWER_KEYS, keyed, question_block
from danmaku_env.render.asking import question
from danmaku_env.render.faces import printed_pages
from danmaku_env.render.html import blocks, board
from danmaku_env.render.table_view import OUTSIDE, _ViewBuilder, table_view
from tests.engine import test_secrecy as secrecy
from tests.random_play import play_randomly
from tests.redealt import is_noticed
from tests.table import act, lunatic_scene, pass_until, scene


def everything_drawn(game, seen):
    """All that is drawn of one view of a position, as one string."""
    parts = blocks(seen)
    if seen.question is not None:
        parts["question"] = question_block(seen.question)
    return json.dumps(parts)


def changed_seat(seen, index, **changes):
    return replace(seen, seats=tuple(replace(seat, **changes) if seat.index == index else seat for seat in seen.seats))


def left_of(seen):
    return (seen.observer + 1) % seen.players


def kinds(hand):
    return tuple(Counter(card.partition("/")[0] for card in hand).items())


def told_too(seen, *words):
    return replace(seen, private=(*seen.private, *words))


LEAKS = {
    "the role of a neighbour": lambda seen, game: changed_seat(seen, left_of(seen), role=game.seat(left_of(seen)).role),
    "the hand of a neighbour": lambda seen, game: changed_seat(seen, left_of(seen), hand=table_view(game, None).seat(left_of(seen)).hand),
    "a kind in a hidden hand": lambda seen, game: changed_seat(seen, left_of(seen), known=kinds(game.seat(left_of(seen)).hand)),
    "what somebody else may answer": lambda seen, game: replace(seen, question=None if game.over else question(game)),
    "the top of the deck": lambda seen, game: told_too(seen, *game.deck[:1]),
    "the next incident": lambda seen, game: told_too(seen, *game.incident_deck[:1]),
    "the log from above": lambda seen, game: told_too(seen, *game.log.above()[-3:]),
}


@pytest.mark.skipif(not JIT, reason="needs many positions")
@pytest.mark.parametrize("leak", LEAKS)
def test_a_planted_leak_is_caught(leak):
    def drawn(game, seat):
        return everything_drawn(game, LEAKS[leak](table_view(game, seat), game))

    assert is_noticed(drawn, 40 * secrecy.ROWS)


def test_without_a_leak_nothing_is_noticed():
    assert not is_noticed(lambda game, seat: everything_drawn(game, table_view(game, seat)), 2 * secrecy.ROWS if JIT else 2)


def test_only_the_seat_that_is_asked_sees_a_question():
    for game in play_randomly(Game.new(GameConfig(num_players=5), 3), 3, limit=60):
        for seat in range(5):
            assert (table_view(game, seat).question is not None) == (game.asking == seat)
            assert [other.index for other in table_view(game, seat).seats if other.is_asked] == [seat] * (game.asking == seat)
        assert all(table_view(game, observer, asked=False).question is None for observer in (None, *range(5)))


def test_the_observer_is_at_the_table():
    with pytest.raises(IndexError, match="seat 4: the seats are 0 to 3"):
        table_view(Game.new(GameConfig(num_players=4), 1), 4)


@pytest.mark.parametrize(
    ("effect", "options", "notes"),
    [
        ("items have no effect", {"on": 1}, {1: "items have no effect"}),
        ("abilities have no effect", {"on": 1}, {1: "abilities have no effect"}),
        ("nobody plays cards of this type", {"value": "dodge"}, {0: "nobody plays cards of this type (dodge)"}),
        ("all distances are this number", {"value": 1}, {0: "all distances are this number (1)"}),
        ("range bonus", {"value": 5}, {0: "range bonus (5)"}),
    ],
)
def test_a_lasting_effect_has_its_number_and_stands_at_the_seat_concerned(effect, options, notes):
    """Seat 0 has caused it; whoever has no items or abilities is another."""
    start = lunatic_scene(4, 3).seat(0, hand="shoot power").seat(1, "cirno", items="power")
    start.lasting(effect, until=0, **options)
    view = table_view(start.turn(2).build(), 2)
    found = {seat.index: note for seat in view.seats for note in seat.notes if note.startswith(effect)}
    assert found == notes


def test_an_item_in_play_is_used_and_a_card_is_played():
    """Yuugi, whose Supernatural Border has been flipped, is asked whether she gives up avoiding."""
    start = lunatic_scene(5, 3).seat(0, hand="shoot power").seat(1, "hoshiguma_yuugi", items="supernatural_border", hand="power")
    game = start.deck("shoot/spring").build()
    act(game, "play shoot", "choose seat:1")
    pass_until(game, "respond", 1)
    assert table_view(game, 2).stack[0] == "seat 1 (Yuugi) uses Supernatural Border"
    game = lunatic_scene(5, 3).seat(0, hand="shoot power").seat(2, hand="bomb").build()
    act(game, "play shoot", "choose seat:1")
    assert table_view(game, 2).stack[0] == "seat 0 plays Shoot on seat 1"


def test_an_empty_hand_that_is_looked_at_is_called_that():
    game = lunatic_scene(5, 3).seat(0, "komeiji_satori", hand="power").seat(1).build()
    act(game, "ability komeiji_satori", "choose seat:1")
    assert game.log[-1] == "seat 0 (Satori) looks at the empty hand of seat 1"


# ---------------------------------------------------------------- HTML


@pytest.mark.parametrize("options", [{}, {"characters": "draft"}, {"expansion": "lunatic_extra", "characters": "double_threat"}])
def test_who_looks_on_sees_what_every_seat_may_know(options):
    """It is the same for all seats, so of no seat is anything told that another does not know."""
    for game in play_randomly(Game.new(GameConfig(num_players=5, **options), 2), 2, limit=600 if JIT else 40):
        first, *others = (_ViewBuilder(game, OUTSIDE, False, seat).build() for seat in range(5))
        for seen in others:
            assert set(seen.seats) == set(first.seats)
            assert replace(seen, seats=()) == replace(first, seats=())
        assert first == table_view(game, OUTSIDE)
        assert all(seat.hand is None and not seat.known and not seat.mine for seat in first.seats)
        assert game.over or all(not seat.role_hidden for seat in first.seats)
        assert (first.question, first.private, first.frames) == (None, (), ())


def test_cards_and_seats_that_are_answers_can_be_pressed():
    game = Scenario(num_players=4).seat(0, role="heroine", hand=["shoot/spring", "graze"]).turn(0).build(seed=1)
    shoot = actions.ACTION_IDS.index("play shoot")
    hand = blocks(table_view(game, 0))["hand"]
    assert hand.count('name="answer"') == 1
    assert f'value="{shoot}"' in hand
    game.act("play shoot")
    drawn = blocks(table_view(game, 0))
    for answer in table_view(game, 0).question.answers:
        seat = answer.name.removeprefix("choose seat:")
        assert f'value="{answer.action}" class="pick"' in drawn[f"seat-{seat}"]
    assert 'name="answer"' not in drawn["seat-0"] + drawn["hand"]


def test_a_lunatic_copy_in_hand_is_played_as_the_card_it_is():
    """Both copies of a card have its page, and the answer that plays it; which copy, is asked afterwards."""
    config = GameConfig(num_players=4, expansion="lunatic_extra")
    scene = Scenario(config=config).seat(0, hand=["lunatic_laser_shot/autumn", "laser_shot/summer"]).turn(0)
    hand = blocks(table_view(scene.build(seed=1), 0))["hand"]
    assert hand.count('class="pick"') == 2
    assert "Lunatic autumn" in hand


def test_every_answer_has_a_button_and_keys_are_told_apart():
    asked = 0
    for game in play_randomly(Game.new(GameConfig(num_players=6), 4), 4, limit=400 if JIT else 40):
        if game.over:
            break
        text = question_block(table_view(game, game.asking).question)
        for action in game.legal_actions():
            assert f'value="{action}"' in text
        keys = [key for _, key in keyed(table_view(game, game.asking).question.answers)]
        assert len({key for key in keys if key.strip()}) == min(len(keys), len(ANSWER_KEYS))
        asked += 1
    assert asked > 10
    assert not set("bhlu") & set(ANSWER_KEYS.lower())


def test_whatever_can_be_opened_is_there():
    pages = printed_pages()
    for game in play_randomly(Game.new(GameConfig(num_players=6), 4), 4, limit=400 if JIT else 40):
        for observer in (None, 2):
            text = board(6, blocks(table_view(game, observer)))
            for part in text.split('popovertarget="')[1:]:
                assert f'id="{part.partition(chr(34))[0]}"' in pages


def test_under_the_mallet_every_danmaku_card_counts():
    game = lunatic_scene(4).seat(0, hand="melee shoot grimoire", items="uchides_mallet").turn(0).build()
    act(game, "play melee", "choose seat:1")
    pass_until(game, "main")
    assert "play shoot" not in game.legal()
    assert "danmaku played 1 of 1" in table_view(game, 0).seats[0].limits, "one's own seat comes first"


def test_a_seat_that_skipped_its_last_turn_is_not_said_to_skip_the_next():
    """T-5: nobody skips twice in a row."""
    table = scene(4, turns=3).seat(0, "cirno", hand="spiritual_attack")
    for skipped in (False, True):
        game = table.seat(2, "kirisame_marisa", skipped_last=skipped, hand="shoot").turn(0).build()
        act(game, "play spiritual_attack", "choose seat:2")
        pass_until(game, "main")
        (told,) = [seat.notes for seat in table_view(game, 2).seats if seat.index == 2]
        assert told == (("skipped the last turn",) if skipped else ("skips the next turn",))
