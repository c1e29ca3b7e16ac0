"""Beliefs from why things were done: at tables a player would recognise, and that the table is rebuilt as it was."""

import numpy as np
import pytest

from danmaku_env import Game, GameConfig
from danmaku_env.agents import registry
from danmaku_env.agents.base import answer
from danmaku_env.agents.deducer import DeducerAgent
from danmaku_env.beliefs.action_likelihood import ActionLikelihoodBelief
from danmaku_env.beliefs.inverse_planning import InversePlanningBelief
from danmaku_env.engine import state as st
from danmaku_env.info_states import InfoStates
from tests.beliefs.beliefs import ROLE, belief, played_by, table
from tests.random_play import play_randomly

# ---------------------------------------------------------------- the table, from the log


@pytest.mark.parametrize("name", ["random", "heuristic", "deducer"])
def test_the_table_is_rebuilt_as_it_is(name):
    """Lives, characters, incidents, who is still there and which roles lie open exactly; hands but for a card now and then."""
    reader, hands = InversePlanningBelief(), []
    for records, config in played_by(name, 12, 5):
        for row, record in enumerate(records):
            if record["turn_number"] == 0 or record["log_count"] >= st.LOG_ROWS:
                continue
            built = reader.table(InfoStates(records, np.zeros(len(records), np.int64), config), row)[0]
            there = (int(record["active"]) >> np.arange(6) & 1).astype(bool)
            assert built["active"] == record["active"]
            for field in ("life", "character"):
                np.testing.assert_array_equal(built[field][:6][there], record[field][:6][there], field)
            np.testing.assert_array_equal(built["role"][:6], np.where(record["role_seen"][:6] == 255, record["role"][:6], 0))
            hands.extend(np.abs(built["hand_size"][:6].astype(int) - record["hand_size"][:6])[there])
            in_play = int(record["incident_size"])
            assert sorted(built["incidents"][: int(built["incident_size"])]) == sorted(record["incidents"][:in_play])
    assert np.mean(hands) < 0.35, "cards"


def test_a_table_set_up_by_hand_is_gone_back_to():
    """A log that begins in the middle: the lives and hands of then, from those of now."""
    game = table(1, life=2, hand1=["shoot", "graze", "graze"], hand0=["bomb"])
    game.act("play shoot")
    game.act("choose seat:0")
    while game.asking != 1 and not game.over:
        game.act("pass")
    built = InversePlanningBelief().table(InfoStates(game.records, np.zeros(1, np.int64), game.config), 0)[0]
    np.testing.assert_array_equal(built["life"][:6], game.record["life"][:6])
    np.testing.assert_array_equal(built["hand_size"][:6], game.record["hand_size"][:6])


# ---------------------------------------------------------------- who is taken for what


def test_who_cancels_an_attack_on_the_heroine_is_taken_for_her_friend():
    """Nobody was chosen: what was worth a card is what tells."""
    game = table(1, life=1, hand1=["shoot"], hand2=["bomb"])
    game.act("play shoot")
    game.act("choose seat:0")
    before = belief(InversePlanningBelief(), game, 0)
    while game.asking != 2:
        game.act("pass")
    game.act("play bomb")
    after = belief(InversePlanningBelief(), game, 0)
    assert after[2, ROLE["partner"]] > 1.3 * before[2, ROLE["partner"]]
    assert after[2, ROLE["stage_boss"]] < before[2, ROLE["stage_boss"]]


@pytest.mark.parametrize("name", ["heuristic", "deducer"])
def test_it_knows_more_than_what_actions_tell(name):
    """Over games of either player its log loss by role is the smaller one, and the truth is never ruled out."""
    loss = {InversePlanningBelief: [], ActionLikelihoodBelief: []}
    readers = {kind: kind() for kind in loss}
    for records, config in played_by(name, 16, 8):
        records = records[records["turn_number"] > 0]
        seats = records["asking"].astype(np.int64)
        info_states = InfoStates(records, seats, config)
        for kind, reader in readers.items():
            found = reader.posterior(info_states)
            for record, seat, rows in zip(records, seats, found, strict=True):
                hidden = [other for other in range(6) if not int(record["role_seen"][other]) >> int(seat) & 1]
                chances = [rows[(other - seat) % 6, int(record["role"][other])] for other in hidden]
                assert not hidden or min(chances) > 0
                loss[kind].extend(-np.log(chances))
    assert np.mean(loss[InversePlanningBelief]) < np.mean(loss[ActionLikelihoodBelief]) - 0.05


# ---------------------------------------------------------------- what it goes by


def test_a_log_whose_beginning_is_lost_is_read_as_far_as_it_goes():
    game = Game.new(GameConfig(num_players=8, characters="random"), 6)
    for position in play_randomly(game, 3, limit=3000):
        if position.over or int(position.record["log_count"]) > st.LOG_ROWS + 20:
            break
    assert int(game.record["log_count"]) > st.LOG_ROWS
    rows = belief(InversePlanningBelief(), game, game.turn)
    np.testing.assert_allclose(rows.sum(1), 1)


# ---------------------------------------------------------------- the deducer that goes by it


def test_the_deducer_plays_by_it_when_asked():
    agent = registry.make("deducer:belief=inverse_planning", 3)
    assert isinstance(agent, DeducerAgent)
    game = Game.new(GameConfig(num_players=5, characters="random"), 2)
    for _ in range(60):
        if game.over:
            break
        game.act(answer(agent, game))
    info_states = InfoStates(game.records, np.array([0]), game.config)
    np.testing.assert_array_equal(agent.posterior(game.observe(0)[np.newaxis], info_states), InversePlanningBelief().posterior(info_states))


def test_a_belief_that_is_not_there_is_refused():
    with pytest.raises(registry.AgentError, match="a belief is by likelihood or inverse_planning, not 'tea leaves'"):
        registry.make("deducer:belief=tea leaves", 0)
