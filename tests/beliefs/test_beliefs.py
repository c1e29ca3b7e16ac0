"""What any belief about the roles must be like, at tables a player would recognise: by interactions, and by motives."""

import numpy as np
import pytest

from danmaku_env import Game, GameConfig, resample
from danmaku_env.beliefs.action_likelihood import ActionLikelihoodBelief
from danmaku_env.beliefs.inverse_planning import InversePlanningBelief
from danmaku_env.game import role_assignments
from tests.beliefs.beliefs import ROLE, STAGE, belief, table
from tests.random_play import BOXES, play_randomly


@pytest.fixture(scope="module", params=[ActionLikelihoodBelief, InversePlanningBelief])
def reader(request):
    return request.param()


def test_before_anything_happened_it_is_what_the_role_cards_say(reader):
    game = Game.new(GameConfig(num_players=7, characters="random"), 4)
    for seat in range(7):
        np.testing.assert_allclose(belief(reader, game, seat), role_assignments(game, seat).marginals(), atol=1e-12)


@pytest.mark.parametrize("life", [1, 4])
def test_who_shoots_the_heroine_is_taken_for_a_stage_boss(reader, life):
    game = table(1, life, hand1=["shoot"])
    before = belief(reader, game, 0)
    game.act("play shoot")
    game.act("choose seat:0")
    after = belief(reader, game, 0)
    assert after[1, STAGE].sum() > before[1, STAGE].sum() + 0.15
    assert after[1, ROLE["partner"]] < before[1, ROLE["partner"]] / 3
    assert after[2, ROLE["partner"]] > before[2, ROLE["partner"]], "who has done nothing becomes the likelier Partner"


def test_who_heals_the_heroine_is_taken_for_her_partner(reader):
    game = table(2, life=2, hand2=["one_up"])
    before = belief(reader, game, 0)
    game.act("play one_up")  # she is the only one hurt
    assert game.seat(0).life == 3
    assert belief(reader, game, 0)[2, ROLE["partner"]] > 1.5 * before[2, ROLE["partner"]]


@pytest.mark.parametrize("box", BOXES)
@pytest.mark.parametrize("players", [4, 6, 8])
def test_beliefs_are_probabilities_and_known_roles_are_certain(reader, players, box):
    game = Game.new(GameConfig(num_players=players, **BOXES[box]), players)
    for decision, position in enumerate(play_randomly(game, players, limit=300)):
        if decision % 60 or position.over:
            continue
        for seat in range(players):
            rows = belief(reader, position, seat)
            np.testing.assert_allclose(rows.sum(1), 1)
            for other in range(players):
                if int(position.record["role_seen"][other]) >> seat & 1:
                    assert rows[other, int(position.record["role"][other])] == pytest.approx(1)


def test_it_is_the_same_in_every_world_that_a_seat_cannot_tell_apart(reader):
    game = Game.new(GameConfig(num_players=6, characters="random"), 9)
    for decision, position in enumerate(play_randomly(game, 9, limit=150)):
        if decision % 30 == 29:
            seat = position.asking
            for seed in range(3):
                np.testing.assert_array_equal(belief(reader, resample(position, seat, seed), seat), belief(reader, position, seat))
