"""A question and its answers as one says them to a person: what stands on buttons."""

import pytest

from danmaku_env import Game, GameConfig, Scenario
from danmaku_env.agents.base import answer
from danmaku_env.agents.random import RandomAgent
from danmaku_env.decoding import decode
from danmaku_env.engine.actions import QUESTIONS
from danmaku_env.engine.compiled import JIT
from danmaku_env.render.asking import question
from danmaku_env.render.occasion import PLAIN
from tests.play import BOXES
from tests.table import scene


def labels(game):
    return [one.label for one in question(game).answers]


def test_cards_are_played():
    game = Scenario(num_players=4).seat(0, hand=["grimoire", "party"]).turn(0).build(seed=1)
    asked = question(game)
    assert asked.plain == "Your main step: play, use or activate something, or end the step."
    assert {"End the main step", "Play Grimoire", "Play Party"} <= set(labels(game))
    assert next(one.note for one in asked.answers if one.name == "play grimoire") == "Draw 2 cards."


def test_who_is_chosen_is_named_and_what_asks_is_explained():
    table = (
        Scenario(num_players=4).seat(0, hand=["laser_shot", "shoot", "shoot"], character="cirno").seat(2, character="ibuki_suika", life=3)
    )
    game = table.turn(0).build(seed=1)
    game.act("play laser_shot")
    asked = question(game)
    assert asked.plain == "Laser Shot: Which player?"
    assert asked.why
    assert "Seat 2 (Suika)" in labels(game)
    assert next(one.note for one in asked.answers if one.name == "choose seat:2") == "3 life"


def test_the_card_a_question_is_about_is_named():
    game = Scenario(num_players=4).seat(0, hand=["master_plan"]).deck(top=["party", "tempest", "kourindou"]).turn(0).build(seed=1)
    game.act("play master_plan")
    assert labels(game) == ["The Main deck", "The Incident deck"]
    for name in ("choose deck:main", "choose card:tempest"):
        game.act(name)
    assert question(game).plain == "Master Plan: On top of the deck, or at the bottom? (It is Tempest.)"
    assert labels(game) == ["On top", "At the bottom"]


@pytest.mark.parametrize("box", [*BOXES, "draft"])
def test_every_answer_of_many_games_has_words_of_its_own(box):
    """No name that only the machine knows, and no two alike."""
    options = BOXES.get(box, {"characters": "draft", "expansion": "lunatic_extra", "bonus_character": True})
    asked = set()
    for seed in range(20 if JIT else 4):
        game, agent = Game.new(GameConfig(num_players=4 + seed % 5, **options), seed), RandomAgent(seed)
        while game.asking is not None:
            found = question(game)
            asked.add(found.word)
            said = [one.label for one in found.answers]
            assert len(set(said)) == len(said), (found.word, said)
            assert not any("_" in words or ":" in words or not words for words in (*said, found.plain.replace(": ", " "))), said
            game.act(answer(agent, game))
    assert not JIT or len(asked) > len(QUESTIONS) / 2, sorted(asked)


def test_a_role_that_asks_is_named():
    table = scene(turns=2).seat(0, role="true_phantom_boss", hand="focus").turn(0, step="start")
    game = table.incident("saigyou_ayakashi_blooming").build()
    assert question(game).plain == "True Phantom Boss: Will you?"
    assert decode(game.observe(0), words=True)["source"] == "true_phantom_boss"


def test_every_question_is_put_in_words():
    assert set(QUESTIONS) - set(PLAIN) == {"none"}
