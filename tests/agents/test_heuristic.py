"""The rule-based player at table situations a player would recognise, and over many games."""

import numpy as np
import pytest

from danmaku_env import Game, GameConfig, make_vec, resample
from danmaku_env.agents.base import answer
from danmaku_env.agents.heuristic import HeuristicAgent
from danmaku_env.agents.random import RandomAgent
from danmaku_env.cards.box import ROLE_IDS
from danmaku_env.info_states import InfoStates
from danmaku_env.jit.kernels import JIT
from danmaku_env.wording import action_name
from tests.table import act, end_turn, pass_until, scene


def says(game, seed=0):
    """What the heuristic answers to the pending question, in words."""
    return action_name(answer(HeuristicAgent(seed), game), game.asking, game.config.num_players)


def always(game, expected):
    """The same answer, whatever the seed."""
    assert {says(game, seed) for seed in range(5)} == {expected}


def go_on(game, *, until):
    """The heuristic plays for everybody until the question comes up; the answers given."""
    given = []
    while game.question != until:
        given.append(says(game))
        game.act(given[-1])
    return given


# ---------------------------------------------------------------- the main step


def test_a_powerup_is_played():
    always(scene().seat(0, hand="power graze").build(), "play power")


def test_of_two_artifacts_the_better_stays():
    """A second artifact would only push out the first."""
    worse = scene().seat(0, hand="mini_hakkero", items="sorcerers_sutra_scroll").build()
    better = scene().seat(0, hand="sorcerers_sutra_scroll", items="mini_hakkero").build()
    assert worse.question != "main" or says(worse) == "pass"
    always(better, "play sorcerers_sutra_scroll")


def test_cards_that_draw_are_played():
    always(scene().seat(0, hand="grimoire graze").build(), "play grimoire")


def test_a_stage_boss_shoots_the_heroine():
    game = scene().seat(0, hand="shoot").build()  # she sits to the right
    assert says(game) == "play shoot"
    game.act("play shoot")
    always(game, "choose seat:3")


def test_a_partner_shoots_anybody_but_the_heroine():
    game = scene(5).roles("partner heroine stage_boss ex_boss stage_boss").seat(0, hand="shoot").build()
    game.act("play shoot")
    always(game, "choose seat:4")


def test_a_partner_lays_his_danmaku_aside_when_only_the_heroine_is_near():
    start = scene(5).roles("partner heroine stage_boss ex_boss stage_boss").seat(0, hand="shoot")
    game = start.seat(4, items="focus").build()
    always(game, "pass")


def test_the_extra_boss_spares_the_heroine_while_stage_bosses_live():
    """Her defeat would let them win."""
    game = (
        scene().seat(0, role="ex_boss", hand="shoot").seat(1, role="heroine").seat(2, role="stage_boss").seat(3, role="stage_boss").build()
    )
    game.act("play shoot")
    always(game, "choose seat:3")


def test_the_extra_boss_hunts_the_heroine_when_they_have_fallen():
    start = scene().roles("ex_boss heroine stage_boss stage_boss").seat(0, hand="shoot")
    game = start.seat(2, defeated=True).seat(3, defeated=True).build()
    always(game, "play shoot")


@pytest.mark.parametrize("pair", [("izayoi_sakuya", "kirisame_marisa"), ("kirisame_marisa", "izayoi_sakuya")])
def test_of_two_characters_either_spell_card_is_a_reason_to_invoke(pair):
    """In Double Threat: Sakuya's is for other moments, Marisa's brings the Heroine down."""
    table = scene(characters="double_threat", expansion="lunatic_extra").roles("stage_boss heroine ex_boss stage_boss")
    game = table.seat(0, pair, hand="spiritual_attack", revealed=True).seat(1, life=1, revealed=True).build()
    always(game, "play spiritual_attack")


def test_healing_goes_to_the_one_who_needs_it():
    game = (
        scene()
        .seat(0, role="heroine", hand="one_up", life=1)
        .seat(1, role="stage_boss", life=1)
        .seat(2, role="stage_boss")
        .seat(3, role="ex_boss")
        .build()
    )
    assert says(game) == "play one_up"
    game.act("play one_up")
    always(game, "choose seat:0")


# ---------------------------------------------------------------- who hurt whom


@pytest.mark.parametrize(
    ("roles", "target"),
    [
        ("heroine stage_boss partner stage_boss partner stage_boss ex_boss", 1),  # seat 1 is her Partners' target; seat 3 might be one too
        ("heroine stage_boss stage_boss partner ex_boss", 3),  # and no target of another Stage Boss
    ],
)
def test_whoever_attacked_the_heroine_is_a_target_of_her_partners_alone(roles, target):
    """Seat 1 has shot the Heroine; now seat 2 shoots, with a neighbour on either side."""
    start = scene(len(roles.split()), turns=9).roles(roles)
    game = start.seat(1, hand="shoot").seat(2, hand="shoot").turn(1).build()
    act(game, "play shoot", "choose seat:0")
    end_turn(game)
    pass_until(game, "main", 2)
    game.act("play shoot")
    go_on(game, until="target")
    always(game, f"choose seat:{target}")


# ---------------------------------------------------------------- reactions


def test_an_attack_on_the_last_life_is_dodged():
    game = scene().seat(0, hand="shoot").seat(3, hand="graze", life=1).build()
    act(game, "play shoot", "choose seat:3")
    assert game.question == "attacked"
    always(game, "play graze")


def test_an_enemy_is_not_protected():
    """Graze and a danmaku card could save the Heroine; a Stage Boss keeps both."""
    game = (
        scene()
        .seat(0, role="stage_boss", hand="shoot")
        .seat(1, role="stage_boss", hand="graze shoot")
        .seat(2, role="ex_boss")
        .seat(3, role="heroine")
        .build()
    )
    act(game, "play shoot", "choose seat:3")
    assert (game.question, game.asking) == ("attacked", 1)
    always(game, "pass")


def test_a_partner_protects_the_heroine_on_her_last_life():
    start = scene(5).roles("heroine stage_boss partner stage_boss ex_boss").turn(1)
    game = start.seat(0, life=1).seat(1, hand="shoot").seat(2, hand="graze shoot").build()
    act(game, "play shoot", "choose seat:0")
    assert (game.question, game.asking) == ("attacked", 2)
    always(game, "play graze")


def test_who_attacks_the_heroine_is_attacked_back_and_she_is_not():
    """Byakuren, a Partner, spends a card on a Stage Boss who shoots the Heroine, but none on the Heroine who shoots."""
    start = scene(5).roles("heroine stage_boss partner stage_boss ex_boss").seat(2, "hijiri_byakuren", hand="shoot melee")
    game = start.turn(1).seat(1, hand="shoot").build()
    act(game, "play shoot", "choose seat:0")
    assert (game.question, game.asking) == ("discard", 2)
    assert says(game) != "pass"
    game = start.turn(0).seat(0, hand="shoot").build()
    act(game, "play shoot", "choose seat:1")
    assert (game.question, game.asking) == ("discard", 2)
    always(game, "pass")


def test_a_life_card_saves_oneself_at_zero():
    game = scene().seat(0, hand="shoot").seat(3, hand="one_up", life=1).build()
    act(game, "play shoot", "choose seat:3")
    pass_until(game, "rescue", 3)
    always(game, "play one_up")


def test_no_life_card_is_spent_on_an_enemy_at_zero():
    game = scene().seat(0, hand="shoot").seat(1, hand="one_up").seat(3, life=1).build()
    act(game, "play shoot", "choose seat:3")
    pass_until(game, "rescue", 1)
    always(game, "pass")


def test_a_bomb_cancels_what_would_kill():
    game = scene().seat(0, hand="laser_shot").seat(3, hand="bomb", life=1).build()
    act(game, "play laser_shot", "choose seat:3")
    assert (game.question, game.asking) == ("cancel", 3)
    always(game, "play bomb")


def test_a_bomb_is_kept_when_enemies_fight():
    game = scene().seat(0, hand="shoot").seat(3, hand="bomb").build()
    act(game, "play shoot", "choose seat:1")
    assert (game.question, game.asking) == ("cancel", 3)
    always(game, "pass")


# ---------------------------------------------------------------- losing cards


def test_the_least_valuable_card_is_discarded():
    game = scene().seat(0, hand="graze bomb one_up shoot spiritual_attack").build()
    game.act("pass")
    assert game.question == "discard"
    always(game, "choose card:shoot")


def test_a_danmaku_card_is_discarded_rather_than_a_life():
    game = scene().seat(0, hand="shoot seal_away").incident("great_fairy_wars").turn(0, step="incident").build()
    assert game.question == "discard"
    always(game, "choose card:shoot")


# ---------------------------------------------------------------- many games


@pytest.mark.parametrize("players", [4, 5, 6, 7, 8])
@pytest.mark.parametrize("roles", ["basic", "advanced"])
def test_every_answer_is_legal(players, roles):
    vec = make_vec(64 if JIT else 2, GameConfig(num_players=players, roles=roles))
    vec.reset(players)
    agent = HeuristicAgent(players)
    for _ in range(400 if JIT else 40):
        vec.step(agent.act(vec.observations, vec.action_masks))  # raises IllegalAction
    vec.check()


def test_the_same_seed_gives_the_same_answers():
    vec = make_vec(8, GameConfig(num_players=5))
    vec.reset(3)
    one, other = HeuristicAgent(7), HeuristicAgent(8)
    other.reset(7)
    for _ in range(50):
        chosen = one.act(vec.observations, vec.action_masks)
        assert (chosen == other.act(vec.observations, vec.action_masks)).all()
        vec.step(chosen)


def test_what_it_may_not_see_changes_nothing():
    """The same answer in another world that fits what the seat has seen."""
    game = Game.new(GameConfig(num_players=6), seed=5)
    for number in range(40):
        said = says(game, number)
        assert says(resample(game, game.asking, number), number) == said
        game.act(said)


def test_beliefs_are_probabilities():
    """What is known is certain, every seat has one role, and nobody beyond the table has any."""
    game = Game.new(GameConfig(num_players=5, characters="none"), seed=5)
    for _ in range(40):
        asking = game.asking
        info_states = InfoStates(game.records, np.array([asking]), game.config)
        belief = HeuristicAgent().posterior(game.observe(asking)[np.newaxis], info_states)[0]
        assert belief[0, ROLE_IDS.index(game.seat(asking).role)] == 1
        np.testing.assert_allclose(belief[:5].sum(1), 1)
        assert not belief[5:].any()
        game.act(says(game))


def wins_against_random(players, games, seed):
    """Shares of games won by seats of the heuristic and of random play, three or so of each at every table."""
    vec = make_vec(games, GameConfig(num_players=players))
    vec.reset(seed)
    agents = (HeuristicAgent(seed), RandomAgent(seed))
    ours = np.random.default_rng(seed).permuted(np.tile(np.arange(players) % 2 == 0, (games, 1)), axis=1)
    results = np.zeros((games, players))
    done = np.zeros(games, bool)
    while not done.all():
        mine = ours[np.arange(games), vec.seats]
        chosen = np.where(mine, *(agent.act(vec.observations, vec.action_masks) for agent in agents))
        vec.step(chosen)
        first = vec.dones & ~done
        results[first] = vec.rewards[first, :players]
        done |= vec.dones
    return (results[ours] > 0).mean(), (results[~ours] > 0).mean()


@pytest.mark.skipif(not JIT, reason="needs hundreds of games")
@pytest.mark.parametrize("players", [4, 6, 8])
def test_it_beats_random_play(players):
    ours, theirs = wins_against_random(players, 300, seed=players)
    assert ours > 2 * theirs
