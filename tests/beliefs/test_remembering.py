"""Games are remembered as far as their logs were read: what is believed is what is believed of a game read at once."""

import numpy as np
import pytest

from danmaku_env import Game, GameConfig, Scenario
from danmaku_env.beliefs import log_cache
from danmaku_env.beliefs.action_likelihood import ActionLikelihoodBelief
from danmaku_env.beliefs.inverse_planning import InversePlanningBelief
from danmaku_env.beliefs.kernels import action_likelihood, inverse_planning
from danmaku_env.engine.state import LOG_ROWS
from danmaku_env.game import RoleAssignments, role_assignments
from danmaku_env.info_states import InfoStates
from tests.beliefs.beliefs import belief, played_by
from tests.random_play import play_randomly


def test_deals_that_everybody_shares_can_only_be_read():
    games, config = next(iter(played_by("heuristic", 4, 1)))
    info_states = InfoStates(games[:1], games[:1]["asking"].astype(np.int64), config)
    deals = info_states.role_assignments(0)
    kept = deals.marginals(), deals.possible_roles((1, 2))
    assert (kept[0] == RoleAssignments(*deals).marginals()).all()
    assert set(map(tuple, kept[1].tolist())) == {(row[1], row[2]) for row in deals.roles.tolist()}
    assert all(one is again for one, again in zip(kept, (deals.marginals(), deals.possible_roles((1, 2))), strict=True))
    for shared in (*deals, *kept):
        with pytest.raises(ValueError, match="read-only"):
            shared[0] = 0


def test_what_is_asked_while_a_defeat_is_settled_is_not_kept_for_afterwards():
    """A-8: Rin draws before it is seen that nobody has won; from then on deals in which somebody would have are out."""
    start = Scenario(config=GameConfig(num_players=5, characters="none", expansion="lunatic_extra"))
    start.seat(0, role="heroine", life=0).seat(1, role="partner", character="kaenbyou_rin").seat(2, role="final_boss")
    game = start.seat(3, role="challenger").seat(4, role="ex_boss").turn(2, step="main").build(seed=1)
    while game.question != "may":
        game.act("pass")
    counts = []
    for _ in range(2):
        info_states = InfoStates(game.records, np.array([1]), game.config)
        counts.append(len(info_states.role_assignments(0).weights))
        assert counts[-1] == len(role_assignments(game, 1).weights)
        game.act("pass")
    assert counts[1] < counts[0]


READERS = pytest.mark.parametrize("reader", [ActionLikelihoodBelief, InversePlanningBelief])


@READERS
@pytest.mark.parametrize("remembered", [2, 64])
def test_games_come_in_any_order(reader, remembered, monkeypatch):
    """Bit by bit, beside others that begin alike, and again from where they were before."""
    monkeypatch.setattr(log_cache, "REMEMBERED", remembered)
    one = reader()
    games = [*played_by("heuristic", 4, 3), *played_by("deducer", 4, 3), *played_by("heuristic", 4, 3, roles="basic")]
    positions = [(records[row : row + 1], config) for records, config in games for row in range(4)]
    order = np.random.default_rng(1).permutation(len(positions))
    for place in [*range(len(positions)), *order]:
        records, config = positions[place]
        info_states = InfoStates(records, records["asking"].astype(np.int64), config)
        np.testing.assert_array_equal(one.posterior(info_states), reader().posterior(info_states))


@READERS
def test_tables_of_all_sizes_take_turns(reader):
    """What was seen of a larger table, or of one of the other box, is not seen at the next one."""
    one = reader()
    for players, given in ((8, {}), (4, {"roles": "basic"}), (7, {"expansion": "lunatic_extra"}), (5, {}), (6, {"characters": "none"})):
        for records, config in played_by("heuristic", 6, players, num_players=players, **given):
            info_states = InfoStates(records, records["asking"].astype(np.int64), config)
            np.testing.assert_array_equal(one.posterior(info_states), reader().posterior(info_states))


@READERS
def test_a_game_goes_on_in_two_ways(reader):
    """As when somebody tries an answer and takes it back: what was read of the one way says nothing about the other."""
    one, believed = reader(), []
    game = Game.new(GameConfig(num_players=6, characters="random"), 4)
    *_, fork = play_randomly(game, 1, limit=60)
    ways = [[position.clone() for position in play_randomly(fork.clone(), seed, limit=40) if not position.over] for seed in (2, 3)]
    for positions in zip(*ways, strict=False):
        for position in positions:
            believed.append(belief(one, position, position.asking))
            np.testing.assert_array_equal(believed[-1], belief(reader(), position, position.asking))
    assert any((first != second).any() for first, second in zip(believed[::2], believed[1::2], strict=True))


@READERS
def test_what_was_read_before_a_log_was_full_says_nothing_about_the_full_one(reader):
    """A full log may have lost its beginning; this one is just full, and whoever reads it at once cannot tell."""
    one, lengths = reader(), []
    for position in play_randomly(Game.new(GameConfig(num_players=6, characters="random"), 172), 1, limit=420):
        lengths.append(int(position.record["log_count"]))
        if lengths[-1] > LOG_ROWS - 30:
            np.testing.assert_array_equal(belief(one, position, position.asking), belief(reader(), position, position.asking))
    assert min(lengths) < LOG_ROWS < max(lengths)
    assert LOG_ROWS in lengths


@READERS
def test_a_game_whose_reading_was_broken_off_is_read_anew(reader, monkeypatch):
    """As by Ctrl-C in a notebook, after which the same agent is asked again."""
    one = reader()
    game = Game.new(GameConfig(num_players=6, characters="random"), 4)
    *_, position = play_randomly(game, 1, limit=60)
    belief(one, position, position.asking)
    *_, position = play_randomly(position, 2, limit=30)
    with monkeypatch.context() as patch:
        module, kernel = (action_likelihood, "posterior_of_deals") if reader is ActionLikelihoodBelief else (inverse_planning, "read")
        patch.setattr(module, kernel, _stopped)
        with pytest.raises(KeyboardInterrupt):
            belief(one, position, position.asking)
    np.testing.assert_array_equal(belief(one, position, position.asking), belief(reader(), position, position.asking))


def _stopped(*_):
    raise KeyboardInterrupt
