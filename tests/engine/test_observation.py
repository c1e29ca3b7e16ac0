"""What an observation says of a table, field by field, from every seat; what a seat knows of hidden cards stands in test_knowledge.py."""

from pathlib import Path

import numpy as np
import pytest

from danmaku_env import Game, GameConfig
from danmaku_env.cards.box import CHARACTER_IDS, INCIDENT_IDS, ITEM_IDS, KIND_IDS, ROLE_IDS
from danmaku_env.cards.compile import compile_cards
from danmaku_env.cards.vocabulary import LASTING, SEASONS, TYPES
from danmaku_env.engine.actions import QUESTIONS
from danmaku_env.engine.observation import OBSERVATION_FIELDS, OFFSETS
from danmaku_env.engine.state import STEPS
from tests.table import act, pass_until, scene

LUNATIC_CARDS = int(compile_cards().tables[0]["card_lunatic"].sum())
SHAPES = {field.name: field.shape for field in OBSERVATION_FIELDS}
ELSEWHERE = {
    "known_hands": "test_knowledge.py", "known_top": "test_knowledge.py", "known_bottom": "test_knowledge.py",
    "known_incidents": "test_knowledge.py", "attacks": "test_log.py", "hits": "test_log.py", "heals": "test_log.py",
    "gives": "test_log.py", "spells": "test_log.py", "known_lunatic_top": "test_knowledge.py",
    "known_lunatic_bottom": "test_knowledge.py", "incident_order": "../cards/test_lunatic_incidents.py",
    "collected_by": "../cards/test_lunatic_incidents.py", "incidents_kept": "../cards/test_lunatic_incidents.py",
}  # fmt: skip
"""Pieces that other files test."""


def seen(game, observer, name):
    """A field of what a seat observes."""
    start, shape = OFFSETS[name], SHAPES[name]
    return game.observe(observer)[start : start + int(np.prod(shape))].reshape(shape)


def by_seat(game, name):
    """A field with an entry per seat, as every seat observes it; they agree, and the entry of seat 0 stands first."""
    players = game.config.num_players
    rows = [np.roll(seen(game, observer, name)[:players], observer, axis=0).tolist() for observer in range(players)]
    assert all(row == rows[0] for row in rows)
    assert not any(seen(game, observer, name)[players:].any() for observer in range(players))
    return rows[0]


def for_all(game, name):
    """A field that is the same for all."""
    rows = [seen(game, observer, name).tolist() for observer in range(game.config.num_players)]
    assert all(row == rows[0] for row in rows)
    return rows[0]


def marked(flags, words):
    """The words whose flags are set."""
    return {word for word, flag in zip(words, flags, strict=False) if flag}


def counted(counts, words):
    """{word: count} of what is there."""
    return {word: int(count) for word, count in zip(words, counts, strict=False) if count}


def test_the_lunatic_deck_and_the_backs_of_its_cards():
    table = scene(expansion="lunatic_extra").seat(0, hand="lunatic_bomb/spring bomb/winter shoot").seat(2, hand="lunatic_focus graze")
    game = table.lunatic_deck(discard="lunatic_one_up/autumn lunatic_bomb/winter").build()
    assert by_seat(game, "lunatic_in_hand") == [1, 0, 1, 0]
    assert counted(seen(game, 0, "hand_lunatic"), KIND_IDS) == {"bomb": 1}
    assert counted(seen(game, 2, "hand_lunatic"), KIND_IDS) == {"focus": 1}
    assert for_all(game, "lunatic_deck_size") == [LUNATIC_CARDS - 4]
    assert counted(for_all(game, "lunatic_discard"), KIND_IDS) == {"one_up": 1, "bomb": 1}
    assert for_all(game, "lunatic_discard_top") == [KIND_IDS.index("one_up") + 1, SEASONS.index("autumn") + 1]


def test_what_lunatic_cards_do_is_seen_by_all():
    """Danmaku cards that do not count, who cannot lose life, and who is about to get an item."""
    table = scene(expansion="lunatic_extra").seat(0, hand="shoot ghost_lantern").seat(1, hand="revenge_shot", items="jeweled_pagoda")
    game = table.seat(3, hand="one_up", life=1).build()
    act(game, "play ghost_lantern", "play shoot", "choose seat:1")
    assert by_seat(game, "spared") == [1, 0, 0, 0]
    pass_until(game, "attacked", 1)
    game.act("play revenge_shot")
    assert by_seat(game, "danmaku_cards") == [1, 1, 0, 0]
    table = scene(expansion="lunatic_extra", ask_everyone=True, ask_forced=True).seat(0, hand="shoot").seat(1, items="jeweled_pagoda")
    game = table.build()
    act(game, "play shoot", "choose seat:1")
    pass_until(game, "step")
    assert by_seat(game, "item_due") == [1, 0, 0, 0]


def test_rounds_in_a_row_are_seen_by_all():
    start = scene(expansion="lunatic_extra").seat(1, "horikawa_raiko", hand="spiritual_attack voile").turn(1)
    game = start.build()
    assert by_seat(game, "streak") == [0, 0, 0, 0]
    act(game, "play spiritual_attack", "pass")
    assert by_seat(game, "streak") == [0, 1, 0, 0]


def test_extra_turns_are_seen_by_all():
    """First that another turn follows, then that this is it."""
    game = scene(turns=3, expansion="lunatic_extra", ask_forced=True).seat(0, "houraisan_kaguya", hand="spiritual_attack").build()
    assert for_all(game, "extra_turn") == [0, 0]
    act(game, "play spiritual_attack", "choose character:houraisan_kaguya")
    pass_until(game, "may")
    game.act("choose yes")
    assert (game.turn_number, for_all(game, "extra_turn")) == (1, [1, 0])
    while game.turn_number == 1:
        game.act("pass")
    assert (game.turn, for_all(game, "extra_turn")) == (0, [0, 1])


def test_every_piece_is_tested():
    text = Path(__file__).read_text("utf-8")
    for name in SHAPES:
        place = (Path(__file__).parent / ELSEWHERE[name]).read_text("utf-8") if name in ELSEWHERE else text
        assert f'"{name}"' in place, name


def test_extra_characters_and_what_they_come_from_show_to_all():
    """Who has which Extra Character by what, whose ability was named, whose abilities are off, and the character piles."""
    leaf = {"items": "tanuki_leaf", "extras": ["cirno", "hakurei_reimu/tanuki_leaf"]}
    table = scene(expansion="lunatic_extra").seat(0, "futatsuiwa_mamizou", **leaf)
    game = table.seat(1, "komeiji_koishi", named="komeiji_satori", hand="shoot").seat(2, "komeiji_satori").turn(1).build()
    names = [[CHARACTER_IDS[number - 1] for number in row if number] for row in by_seat(game, "extras")]
    assert names == [["cirno", "hakurei_reimu"], [], [], []]
    assert [row[:2] for row in by_seat(game, "extra_sources")] == [[1, 2], [0, 0], [0, 0], [0, 0]]
    assert [row[0] for row in by_seat(game, "named")] == [0, CHARACTER_IDS.index("komeiji_satori") + 1, 0, 0]
    assert by_seat(game, "abilities_off") == [0, 0, 0, 0]
    assert by_seat(table.incident("dream_world").build(), "abilities_off") == [1, 1, 1, 1]
    assert for_all(game, "characters_left")[1] == 0
    assert not any(for_all(game, "discarded_characters"))


def test_both_characters_of_double_threat_show_to_all():
    pairs = [("cirno", "hong_meiling"), ("hakurei_reimu", "komeiji_satori"), ("junko", "kirisame_marisa"), ("nagae_iku", "ibuki_suika")]
    table = scene(expansion="lunatic_extra", characters="double_threat")
    for seat, pair in enumerate(pairs):
        table.seat(seat, pair)
    game = table.build()
    for place, field in enumerate(("character", "second_character")):
        assert by_seat(game, field) == [CHARACTER_IDS.index(pair[place]) + 1 for pair in pairs]


# ---------------------------------------------------------------- what is asked


def test_the_question_shows_to_who_is_asked():
    game = scene().seat(2, hand="shoot").seat(1, hand="graze").turn(2).build()
    for question, answer in (("main", "play shoot"), ("target", "choose seat:1"), ("attacked", "play graze")):
        for observer in range(4):
            assert marked(seen(game, observer, "question"), QUESTIONS) == ({question} if observer == game.asking else set())
        game.act(answer)


@pytest.mark.parametrize(
    ("start", "answers", "source"),
    [
        (scene().seat(0, hand="shoot"), ["play shoot"], [KIND_IDS.index("shoot") + 1, 0, 0, 0]),
        (scene().seat(0, "ibuki_suika", hand="bomb"), ["play bomb"], [0, CHARACTER_IDS.index("ibuki_suika") + 1, 0, 0]),
        (scene().seat(0, hand="shoot").incident("great_fairy_wars").turn(0, step="incident"), [],
         [0, 0, INCIDENT_IDS.index("great_fairy_wars") + 1, 0]),
        (scene(turns=2).seat(0, role="true_phantom_boss").incident("overdrive").turn(0, step="start"), [],
         [0, 0, 0, ROLE_IDS.index("true_phantom_boss") + 1]),
    ],
)  # fmt: skip
def test_the_source_of_a_question_is_a_card_a_character_an_incident_or_a_role(start, answers, source):
    game = start.build()
    act(game, *answers)
    assert seen(game, 0, "source").tolist() == source
    assert not seen(game, 1, "source").any()


def test_what_was_chosen_so_far_shows_with_the_next_question():
    game = scene(5).seat(2, "mononobe_no_futo", hand="spiritual_attack").turn(2).build()
    act(game, "play spiritual_attack", "choose seat:4")
    assert seen(game, 2, "chosen").tolist() == [0, 0, 1, 0, 0, 0, 0, 0]  # two seats further on
    game.act("choose seat:1")
    assert seen(game, 2, "chosen").tolist() == [0, 0, 1, 0, 0, 0, 0, 0]
    assert seen(game, 2, "chosen_second").tolist() == [0, 0, 0, 0, 1, 0, 0, 0]
    for observer in (0, 1, 3, 4):
        assert not seen(game, observer, "chosen").any()
        assert not seen(game, observer, "chosen_second").any()


def test_a_number_named_or_counted_shows_with_the_next_question():
    game = scene().seat(0, "ibuki_suika", hand="spiritual_attack").build()
    act(game, "play spiritual_attack", "choose number:2")
    assert seen(game, 0, "chosen_number").tolist() == [2]
    game = scene().seat(0, hand="kourindou graze focus power bomb").build()
    act(game, "play kourindou", "choose card:graze", "choose card:focus", "choose card:power")
    assert seen(game, 0, "chosen_number").tolist() == [3]


def test_the_kind_of_card_shows_whose_season_is_asked():
    game = scene().seat(0, hand="voile graze/winter graze/spring").build()
    act(game, "play voile", "choose card:graze")
    assert game.question == "season"
    assert seen(game, 0, "chosen_kind").tolist() == [KIND_IDS.index("graze") + 1]


def test_the_kind_of_card_shows_whose_place_is_asked():
    game = scene().seat(1, "kamishirasawa_keine", hand="bomb focus").turn(1, step="draw").build()
    pass_until(game, "card", 1)
    game.act("choose card:bomb")
    assert (game.question, seen(game, 1, "chosen_kind").tolist()) == ("end", [KIND_IDS.index("bomb") + 1])


def test_candidates_show_at_set_up_to_who_chooses():
    game = Game.new(GameConfig(num_players=5), seed=3)
    for observer in range(5):
        assert marked(seen(game, observer, "candidates"), CHARACTER_IDS) == set(game.seat(observer).candidates)
    while game.question == "character":
        game.act(game.legal()[0])
    assert not any(seen(game, observer, "candidates").any() for observer in range(5))


# ---------------------------------------------------------------- the turn and the stack


@pytest.mark.parametrize("players", range(4, 9))
def test_turn_step_and_number_of_players(players):
    game = scene(players).seat(2, hand="shoot").turn(2).build()
    assert by_seat(game, "turn") == [int(seat == 2) for seat in range(players)]
    assert marked(for_all(game, "step"), STEPS) == {"main"}
    assert for_all(game, "players") == [int(players == number) for number in range(4, 9)]
    assert by_seat(game, "active") == [1] * players


@pytest.mark.parametrize(("step", "question"), [("incident", "discard"), ("draw", "target"), ("discard", "discard")])
def test_steps_have_names(step, question):
    start = scene().seat(0, "kirisame_marisa", hand=["shoot"] * 6).seat(1, items="power").incident("great_fairy_wars").turn(0, step=step)
    game = start.build()
    assert (game.question, marked(for_all(game, "step"), STEPS)) == (question, {step})


def test_the_attack_on_top_of_the_stack():
    """Its attacker, its target, its damage and whether it can be avoided; of several the one that resolves next."""
    start = scene().seat(2, "kirisame_marisa", hand="spiritual_attack laser_shot", items="power power").turn(2)
    game = start.seat(1, "hong_meiling", hand="graze spiritual_attack").seat(0, hand="bomb").build()
    act(game, "play spiritual_attack", "choose seat:1", "pass")
    assert by_seat(game, "attack_by") == [0, 0, 1, 0]
    assert by_seat(game, "attack_on") == [0, 1, 0, 0]
    assert for_all(game, "attack") == [3, 0]
    act(game, "play graze", "play laser_shot", "choose seat:1", "pass")
    assert (by_seat(game, "attack_on"), for_all(game, "attack")) == ([0, 1, 0, 0], [1, 1])
    game = scene(5).seat(4, hand="last_word").seat(0, hand="graze").seat(1, hand="graze").turn(4).build()
    game.act("play last_word")
    assert (game.asking, by_seat(game, "attack_on")) == (0, [1, 0, 0, 0, 0])
    game.act("pass")
    assert (game.asking, by_seat(game, "attack_on")) == (1, [0, 1, 0, 0, 0])
    game.act("pass")
    assert (by_seat(game, "attack_by"), for_all(game, "attack")) == ([0] * 5, [0, 0])


def test_the_card_or_spell_card_that_was_announced():
    """Who plays it, on whom, the card; of a Spell Card the character it is of."""
    start = scene().seat(2, "kirisame_marisa", hand="spiritual_attack shoot").turn(2).seat(0, hand="bomb")
    game = start.build()
    act(game, "play shoot", "choose seat:1")
    assert game.question == "cancel"
    assert (by_seat(game, "played_by"), by_seat(game, "played_on")) == ([0, 0, 1, 0], [0, 1, 0, 0])
    assert for_all(game, "played") == [KIND_IDS.index("shoot") + 1, 0]
    act(game, "pass", "play spiritual_attack", "choose seat:3")
    assert (by_seat(game, "played_by"), by_seat(game, "played_on")) == ([0, 0, 1, 0], [0, 0, 0, 1])
    assert for_all(game, "played") == [0, CHARACTER_IDS.index("kirisame_marisa") + 1]
    assert for_all(game, "played_spell") == [1]


@pytest.mark.parametrize(
    ("character", "answers", "field", "value", "words"),
    [
        ("kawashiro_nitori", ("choose seat:4", "choose seat:4"), "played_second", [0, 0, 0, 0, 1], "on seat 4, then seat 4"),
        ("kawashiro_nitori", ("choose seat:4", "pass"), "played_second", [0] * 5, "on seat 4"),
        ("konpaku_youmu", ("choose seat:2", "choose seat:3"), "played_second", [0, 0, 0, 1, 0], "on seat 2, then seat 3"),
        (
            "mononobe_no_futo",
            ("choose seat:2", "choose seat:3", "choose seat:4"),
            "played_third",
            [0, 0, 0, 0, 1],
            "then seat 3, then seat 4",
        ),
        ("ibuki_suika", ("choose number:1", "choose seat:2"), "played_number", [1], "on seat 2 (naming 1)"),
    ],
)
def test_all_that_was_announced_is_seen_before_anybody_cancels_it(character, answers, field, value, words):
    """K-11: optional attacks, second and third targets, numbers; as the player who holds a Bomb sees it, and in words."""
    game = scene(5).seat(0, character, hand="spiritual_attack").seat(1, hand="bomb").build()
    act(game, "play spiritual_attack", *answers)
    assert (game.asking, game.question) == (1, "cancel")
    assert (by_seat(game, field) if len(value) > 1 else for_all(game, field)) == value
    for told in (game.describe(1), game.explain()):
        assert any(line.endswith(words) for line in told.splitlines())


def test_the_type_item_deck_and_half_that_were_announced():
    """K-2: Fantasy Seal names a type, Seal Away an item, Master Plan a deck; a Bomb in its other half is a Spell Card."""
    game = scene(5).seat(0, "hakurei_reimu", hand="spiritual_attack").seat(1, hand="bomb").build()
    act(game, "play spiritual_attack", "choose type:dodge", "choose seat:4")
    assert "(naming dodge)" in game.describe(1)
    assert for_all(game, "played_half") == [0]
    game = scene(5).seat(0, hand="seal_away master_plan").seat(1, hand="bomb").seat(2, items="focus power").build()
    act(game, "play seal_away", "choose seat:2", "choose card:power")
    assert for_all(game, "played_item") == [KIND_IDS.index("power") + 1]
    assert "(picking Power)" in game.describe(1)


# ---------------------------------------------------------------- the seats


def test_what_lies_open_at_every_seat():
    """Life, hands, limits used, skips, characters and items, each at the seat it belongs to."""
    start = scene(5).seat(0, "ibuki_suika", life=3, hand="graze focus", danmaku_played=1, items="power power focus")
    start.seat(1, "cirno", life=2, spell_used=True, hand="graze").seat(2, "kazami_yuuka", skip_next=True, items="stopwatch")
    game = start.seat(3, "hong_meiling", life=1, skipped_last=True, hand="bomb bomb bomb").seat(4, defeated=True).build()
    assert by_seat(game, "active") == [1, 1, 1, 1, 0]
    assert by_seat(game, "life") == [3, 2, 4, 1, 0]
    assert by_seat(game, "hand_size") == [2, 1, 0, 3, 0]
    assert by_seat(game, "danmaku_played") == [1, 0, 0, 0, 0]
    assert by_seat(game, "spell_used") == [0, 1, 0, 0, 0]
    assert by_seat(game, "skip_next") == [0, 0, 1, 0, 0]
    assert by_seat(game, "skipped_last") == [0, 0, 0, 1, 0]
    names = ["ibuki_suika", "cirno", "kazami_yuuka", "hong_meiling"]
    assert by_seat(game, "character") == [*(CHARACTER_IDS.index(name) + 1 for name in names), 0]
    assert [counted(items, ITEM_IDS) for items in by_seat(game, "items")] == [{"power": 2, "focus": 1}, {}, {"stopwatch": 1}, {}, {}]


def test_who_has_drawn_and_which_incidents_lie_discarded():
    """I-9, X-4: Great Barrier Weakening asks for the first; the incident discard pile is public as all discard piles are."""
    game = scene().incident("great_barrier_weakening").incident_deck(discard=["lily_white"]).turn(0, drew=(1,)).build()
    assert by_seat(game, "drawn") == [0, 1, 0, 0]
    assert counted(for_all(game, "discarded_incidents"), INCIDENT_IDS) == {"lily_white": 1}


def test_characters_are_hidden_until_all_have_chosen():
    game = Game.new(GameConfig(num_players=4), seed=5)
    game.act(game.legal()[0])
    mine = CHARACTER_IDS.index(game.seat(0).character) + 1
    assert seen(game, 0, "character").tolist() == [mine, 0, 0, 0, 0, 0, 0, 0]
    assert not seen(game, 1, "character").any()


def test_max_life_and_max_hand():
    """Max life as far as roles are known: the Heroine's is; max hand size is one's own."""
    game = scene().roles("heroine stage_boss stage_boss ex_boss_revealed").seat(1, "patchouli_knowledge").build()
    assert by_seat(game, "max_life") == [5, 4, 4, 5]
    assert [seen(game, observer, "max_hand").tolist() for observer in range(4)] == [[5], [7], [4], [5]]


def test_range_is_seen_from_ones_own_seat():
    game = scene(6).seat(0, "cirno").seat(2, items="mini_hakkero").seat(3, items="focus").build()
    for observer in range(6):
        flags = seen(game, observer, "in_range")
        assert [bool(flag) for flag in flags[:6]] == [other and game.in_range(observer, (observer + other) % 6) for other in range(6)]


def test_roles_are_seen_by_who_knows_them():
    """One's own, the Heroine's, those of defeated and revealed players; nobody else's."""
    start = scene(5).roles("heroine partner stage_boss stage_boss ex_boss").seat(2, defeated=True).seat(3, revealed=True)
    game = start.build()
    known = {0, 2, 3}
    for observer in range(5):
        roles = np.roll(seen(game, observer, "role")[:5], observer, axis=0)
        for seat in range(5):
            role = {game.seat(seat).role} if seat in known | {observer} else set()
            assert marked(roles[seat], ROLE_IDS[1:]) == role


def test_a_once_per_round_ability_is_seen_to_be_used():
    game = scene().seat(1, "komeiji_satori", hand="focus").turn(1).seat(2, hand="graze").build()
    assert by_seat(game, "ability_used") == [0, 0, 0, 0]
    act(game, "ability komeiji_satori", "choose seat:2")
    assert by_seat(game, "ability_used") == [0, 1, 0, 0]
    game = scene().seat(1, "shameimaru_aya", hand="shoot").seat(0, hand="shoot power").build()
    act(game, "play shoot", "choose seat:1", "ability shameimaru_aya")
    assert by_seat(game, "ability_used") == [0, 1, 0, 0]


# ---------------------------------------------------------------- cards


def test_ones_own_hand_by_kind_and_season():
    game = scene().seat(1, hand="graze/spring graze/spring graze/winter bomb/summer").seat(2, hand="focus").build()
    hand = seen(game, 1, "hand")
    cards = {f"{KIND_IDS[kind]}/{SEASONS[season]}": int(hand[kind, season]) for kind, season in np.argwhere(hand)}
    assert cards == {"graze/spring": 2, "graze/winter": 1, "bomb/summer": 1}
    assert not seen(game, 0, "hand").any()


def test_piles_and_decks():
    start = scene().seat(0, hand="shoot").discard("focus/summer graze/spring graze/winter")
    game = start.incident("spring_snow", collected="shoot/spring bomb/spring").build()
    assert counted(for_all(game, "discard"), KIND_IDS) == {"focus": 1, "graze": 2}
    assert for_all(game, "discard_top") == [KIND_IDS.index("focus") + 1, SEASONS.index("summer") + 1]
    assert counted(for_all(game, "collected"), KIND_IDS) == {"shoot": 1, "bomb": 1}
    assert for_all(game, "collected_seasons") == [2, 0, 0, 0]
    assert marked(for_all(game, "incidents"), INCIDENT_IDS) == {"spring_snow"}
    assert for_all(game, "deck_size") == [80 - 6, 15]
    assert for_all(scene().build(), "discard_top") == [0, 0]


def test_cards_laid_aside_are_seen_by_who_may_see_them():
    """Party's are seen by whoever deals them, those of the Undefined Fantastic Object by all."""
    game = scene().seat(1, hand="party").turn(1).deck("bomb focus graze graze").build()
    game.act("play party")
    assert counted(seen(game, 1, "aside"), KIND_IDS) == {"bomb": 1, "focus": 1, "graze": 2}
    assert not any(seen(game, observer, "aside").any() for observer in (0, 2, 3))
    start = scene().seat(1).turn(1, step="incident").incident("undefined_fantastic_object").deck("bomb/spring focus graze")
    assert counted(for_all(start.build(), "aside"), KIND_IDS) == {"bomb": 1, "focus": 1, "graze": 1}


def test_incidents_laid_aside_are_seen_by_who_looks_at_them():
    game = scene().seat(1, hand="master_plan").turn(1).incident_deck(top="lily_white overdrive spring_snow").build()
    act(game, "play master_plan", "choose deck:incident")
    assert marked(seen(game, 1, "aside_incidents"), INCIDENT_IDS) == {"lily_white", "overdrive", "spring_snow"}
    assert not any(seen(game, observer, "aside_incidents").any() for observer in (0, 2, 3))


# ---------------------------------------------------------------- what lasts


def test_lasting_effects_stand_at_the_seat_that_made_them():
    game = scene(5).seat(3, "ibuki_suika", hand="spiritual_attack").turn(3).build()
    act(game, "play spiritual_attack", "choose number:4")
    rows = by_seat(game, "lasting")
    assert [counted(row, LASTING) for row in rows] == [{}, {}, {}, {"all distances are this number": 4}, {}]
    game = scene(5).seat(3, "konpaku_youmu", hand="spiritual_attack").turn(3).build()
    act(game, "play spiritual_attack", "choose seat:1", "pass")
    assert [counted(row, LASTING) for row in by_seat(game, "lasting")][3] == {"everybody is in range": 1}


def test_items_are_off_at_the_seat_that_was_flooded():
    """Nitori floods another's items: that one's have no effect, seen from every seat."""
    game = scene(5).seat(3, "kawashiro_nitori", hand="spiritual_attack shoot").turn(3).seat(1, items="power").build()
    assert by_seat(game, "items_off") == [0] * 5
    act(game, "play spiritual_attack", "choose seat:1", "pass")
    assert by_seat(game, "items_off") == [0, 1, 0, 0, 0]
    assert counted(by_seat(game, "lasting")[3], LASTING) == {"items have no effect": 1}


def test_banned_types_are_seen_by_all():
    game = scene().seat(1, "hakurei_reimu", hand="spiritual_attack").turn(1).build()
    assert not any(for_all(game, "banned"))
    act(game, "play spiritual_attack", "choose type:dodge", "pass")
    assert marked(for_all(game, "banned"), TYPES) == {"dodge"}
    start = scene().seat(0, hand="shoot power").seat(1, "izayoi_sakuya", hand="spiritual_attack")
    game = start.build()
    act(game, "play shoot", "choose seat:1", "play spiritual_attack")
    assert (game.question, marked(for_all(game, "banned"), TYPES)) == ("main", {"action"})
