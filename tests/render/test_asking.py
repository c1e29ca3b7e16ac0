"""A question and its answers as one says them to a person: what stands on buttons."""

from html import escape

import pytest

from danmaku_env import Game, GameConfig, Scenario
from danmaku_env.agents.base import answer
from danmaku_env.agents.random import RandomAgent
from danmaku_env.cards.box import BASE_GAME, ITEM_IDS, ROLE_IDS, SOURCE_IDS, USE_IDS
from danmaku_env.cards.compile import compile_cards
from danmaku_env.decoding import decode
from danmaku_env.engine import frames as fr
from danmaku_env.engine.actions import QUESTIONS
from danmaku_env.jit.kernels import JIT
from danmaku_env.render.answers import question_block
from danmaku_env.render.asking import question
from danmaku_env.render.message import message
from danmaku_env.render.occasion import PLAIN
from danmaku_env.render.table_view import table_view
from tests.random_play import BOXES, play_randomly
from tests.table import act, lunatic_scene, pass_until, scene


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
    assert asked.plain == "Laser Shot: Which player? You attack that player at any range, unavoidably."
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


def test_the_card_that_asks_for_its_own_season_is_named_once():
    table = Scenario(num_players=4).seat(0, hand=["shoot/spring", "shoot/winter"]).incident("spring_snow")
    game = table.turn(0).build(seed=1)
    game.act("play shoot")
    assert question(game).plain == "Shoot: Of which season?"


@pytest.mark.parametrize("box", [*BOXES, "draft"])
def test_every_answer_of_many_games_has_words_of_its_own(box):
    """No name that only the machine knows, and no two alike."""
    options = BOXES.get(box, {"characters": "draft", "expansion": "lunatic_extra", "bonus_character": True})
    asked = set()
    for seed in range(10 if JIT else 4):
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
    asked = question(game)
    assert asked.plain.startswith("True Phantom Boss: Will you? If so, an incident in play")
    assert asked.why == next(role.text for role in BASE_GAME.all_roles if role.id == "true_phantom_boss")
    assert decode(game.observe(0), words=True)["source"] == "true_phantom_boss"


# ---------------------------------------------------------------- the text that asks


def printed_texts():
    """Number of a text -> what it is, and what is printed there, from the lists of the box."""
    tables, found = compile_cards().tables[0], {}
    for kind, card in enumerate(BASE_GAME.all_cards):
        found |= {int(tables["mode_text"][kind, half]): ("half", mode.text) for half, mode in enumerate(card.modes)}
        for trigger in card.triggers:
            number = int(tables["slot_trigger"][trigger.events[0], ITEM_IDS.index(card.id)])
            found[number] = ("item", trigger.text or card.text or card.modes[0].text)
        if card.use:
            found[int(tables["use_text"][USE_IDS.index(card.id)])] = ("use", card.use.text)
    for number, character in enumerate(BASE_GAME.all_characters):
        found |= {int(text): ("ability", character.text) for text in tables["ability_text"][number]}
        found |= {int(text): ("ability", character.text) for text in tables["char_trigger"][:, number]}
        found[int(tables["spell_text"][number])] = ("spell", character.spell.text)
    for number, incident in enumerate(BASE_GAME.all_incidents):
        found |= {int(tables[field][number]): ("incident", incident.text) for field in ("enter_text", "step_text")}
    for role in BASE_GAME.all_roles:
        found |= {int(text): ("role", role.text) for text in tables["role_trigger"][:, ROLE_IDS.index(role.id)]}
    for thing in (*BASE_GAME.all_characters, *BASE_GAME.all_incidents):
        if thing.source:
            found[int(tables["source_text"][SOURCE_IDS.index(thing.id)])] = ("way to the Spell Card", thing.source.text)
    return {number: text for number, text in found.items() if number}


@pytest.mark.parametrize("box", BOXES)
def test_the_text_shown_is_the_one_that_asks(box):
    """Of the Spell Card and not of the ability, of the half played, of the item, the incident or the role; all words have it."""
    texts, met = printed_texts(), set()
    for seed in range(3 if JIT else 1):
        for game in play_randomly(Game.new(GameConfig(num_players=4 + seed % 5, **BOXES[box]), seed), seed, limit=800 if JIT else 200):
            if game.over:
                break
            frame = game.record["stack"][int(game.record["depth"]) - 1]
            number = int(frame[fr.PLAY_TEXT]) if frame[fr.PROCEDURE] == fr.PLAY_FRAME else 0
            if not number or game.question == "half":
                continue
            what, text = texts[number]
            asked = question(game)
            assert asked.why == text, asked.plain
            assert asked.plain.startswith(f"{compile_cards().titles[number]}: ")
            assert text in game.describe(game.asking)
            assert message(table_view(game, game.asking))["why"] == text
            assert escape(text) in question_block(asked)
            met.add(what)
    assert not JIT or {"half", "spell", "ability"} <= met, met


def test_a_spell_card_that_asks_shows_its_own_text():
    table = Scenario(num_players=4).seat(0, hand=["bomb"], character="kirisame_marisa").turn(0)
    game = table.build(seed=1)
    game.act("play bomb")
    asked = question(game)
    assert asked.plain.startswith("Master Spark: Which player? You attack that player")
    assert asked.why == "Attack a player in range; damage 1 plus your powerups in play."


# ---------------------------------------------------------------- what a question is about


def asked_of(start, *answers):
    """What is asked, in words, behind the name of what asks."""
    game = start.build()
    act(game, *answers)
    return question(game).plain.partition(": ")[2]


def test_what_a_discard_brings_about_is_not_told_of_keeping_the_card():
    """Byakuren's attack and Mamizou's recruit follow from the discard: whoever passes declines."""
    start = lunatic_scene(5).seat(0, hand="shoot power").seat(3, "hijiri_byakuren", hand="shoot graze")
    assert asked_of(start, "play shoot", "choose seat:1").endswith("discard? If you do, you attack seat 0 at any range.")
    start = lunatic_scene(5, 3).seat(0, "futatsuiwa_mamizou", hand="power grimoire").turn(0, step="start")
    assert asked_of(start).startswith("Which card do you discard? If you do, you recruit an Extra Character")


@pytest.mark.parametrize(
    ("season", "what"),
    [
        ("spring", "That player draws 1 card."),
        ("summer", "You attack that player if in range."),
        ("winter", "You pick an item of that player."),
    ],
)
def test_a_season_that_was_flipped_says_what_its_target_is_for(season, what):
    start = lunatic_scene(5, 3).seat(0, "hata_no_kokoro", hand="spiritual_attack power").seat(1, items="focus power")
    said = asked_of(start.deck(f"shoot/{season} shoot/autumn shoot/autumn"), "play spiritual_attack")
    assert said == f"Which player? {what}"


def test_yuugis_attack_is_unavoidable_in_range_alone():
    for items, ending in (("focus", "seat 0 at any range."), ("", "seat 0 at any range, unavoidably.")):
        start = lunatic_scene(6 if items else 4, 3).seat(0, hand="melee power", items=items)
        start = start.seat(3, "hoshiguma_yuugi", hand="graze")
        game = start.build()
        act(game, "play melee", "choose seat:3")
        pass_until(game, "attacked", 3)
        game.act("play graze")
        pass_until(game, "respond", 3)
        game.act("ability hoshiguma_yuugi")
        assert question(game).plain.endswith(ending)


def test_a_deck_is_searched_for_what_enters_play():
    game = lunatic_scene(4).seat(0, "kijin_seija").turn(0, step="game start").build()
    assert question(game).plain == "Kijin Seija: Which deck do you search?"
    game.act("choose deck:main")
    assert question(game).plain == "Kijin Seija: Which of the cards found do you put into play?"


def test_a_card_that_is_cancelled_is_not_offered_to_be_cancelled():
    game = lunatic_scene(4).seat(0, hand="shoot grimoire").seat(1, hand="bomb").seat(2, hand="point_of_collection").turn(0).build()
    act(game, "play shoot", "choose seat:1", "play bomb", "pass")
    assert (game.asking, game.question) == (2, "cancel")
    assert question(game).plain == "Seat 0 plays Shoot on seat 1, which is cancelled already. Do something about that?"
    assert question(game).answers[0].label == "Do nothing"


def test_where_nobody_can_be_brought_back_nobody_is_asked_to():
    table = scene(5).roles("heroine partner stage_boss stage_boss ex_boss").seat(1, life=1).seat(2, defeated=True)
    for incident, then in (("voyage_to_makai", "Nobody can be brought back now."), ("saigyou_ayakashi_blooming", "The last chance to")):
        game = table.seat(0, hand="laser_shot grimoire").incident(incident).turn(0).build()
        act(game, "play laser_shot", "choose seat:1")
        pass_until(game, "rescue")
        assert question(game).plain.startswith(f"Seat 1 is at 0 life. {then}")


def test_how_many_lunatic_cards_are_drawn_is_asked_one_by_one():
    game = lunatic_scene(4).incident("lunar_wars").seat(0, hand="shoot").turn(0, step="draw").build()
    assert question(game).plain.startswith("Does one more card of your draw step come from the Lunatic deck?")


def test_another_player_is_asked_for_only_where_it_must_be_another():
    start = lunatic_scene(5, 3).seat(0, "kawashiro_nitori", hand="spiritual_attack power")
    assert asked_of(start, "play spiritual_attack", "choose seat:1").startswith("Which player? You attack that player if in range.")


def test_whoever_is_made_to_discard_may_do_so():
    start = lunatic_scene(5, 3).seat(0, "hinanawi_tenshi", hand="spiritual_attack power")
    said = asked_of(start, "play spiritual_attack")
    assert said == "Which player? That player loses 1 life, unless a danmaku card is discarded."


def test_party_says_who_gets_the_card():
    game = Scenario(num_players=4).seat(0, hand=["party"], character="cirno").seat(1, character="ibuki_suika").turn(0).build(seed=1)
    game.act("play party")
    said = []
    while game.asking == 0 and game.question == "aside":
        said.append(question(game).plain)
        game.act(game.legal()[0])
    assert said[0] == "Party: Which of the cards laid aside? It goes into your hand, unseen by the others."
    assert said[1] == "Party: Which of the cards laid aside? It goes into the hand of seat 1 (Suika), unseen by the others."


def test_a_shoot_names_its_price_before_it_has_to_be_paid():
    """C-18: each danmaku card thrown in gives 1 range; who is out of range is reached by no fewer than are missing."""
    game = Scenario(num_players=6).seat(0, hand=["shoot", "shoot", "melee", "laser_shot"]).turn(0).build(seed=1)
    game.act("play shoot")
    prices = {answer.name: answer.price for answer in question(game).answers}
    assert prices["choose seat:1"] == ""
    assert prices["choose seat:2"] == "out of range: 1 more danmaku card of your hand must be discarded"
    assert prices["choose seat:3"] == "out of range: 2 more danmaku cards of your hand must be discarded"
    assert 'data-confirm="Seat 3: out of range' in question_block(question(game))
    game.act("choose seat:3")
    assert question(game).plain == (
        "Shoot: Which danmaku card do you discard for +1 range? Seat 3 is out of range by 2. So far 0 thrown in."
    )
    game.act("choose card:melee")
    game.act("choose card:shoot")
    assert question(game).plain == (
        "Shoot: Discard a danmaku card more for +1 range? You attack seat 3, who is in range. So far 2 thrown in."
    )


def test_windows_name_the_card_and_the_attack():
    table = Scenario(num_players=4).seat(0, hand=["shoot"], character="cirno").seat(1, hand=["bomb", "graze"], character="ibuki_suika")
    game = table.turn(0).build(seed=1)
    game.act("play shoot")
    game.act("choose seat:1")
    asked = []
    while game.asking == 1 and "pass" in game.legal():
        asked.append(question(game).plain)
        game.act("pass")
    assert "Seat 0 (Cirno) plays Shoot on you. Cancel it?" in asked
    assert "Seat 0 (Cirno) attacks you with Shoot, for 1 life. Do something about the attack?" in asked


def test_every_question_is_put_in_words():
    assert set(QUESTIONS) - set(PLAIN) == {"none"}
