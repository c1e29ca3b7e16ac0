"""The game in OpenSpiel: their own test of a game, their search and their evaluation, and resampling that no player can notice."""

import copy
import pickle
import runpy
import subprocess
import sys

import numpy as np
import pytest

from danmaku_env import Game, GameConfig, IllegalAction, decode
from danmaku_env.jit.kernels import JIT

pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install 'danmaku-env[openspiel]'")

import pyspiel
from open_spiel.python.algorithms import evaluate_bots, ismcts, mcts
from open_spiel.python.bots.uniform_random import UniformRandomBot
from open_spiel.python.observation import make_observation

from danmaku_env.envs import openspiel

SHORT = {"players": 4, "deals": 50, "max_turns": 8}


def load(**parameters):
    return pyspiel.load_game(openspiel.SHORT_NAME, {**SHORT, **parameters})


def play(state, answers, seed=3):
    """Play on, by this number of random answers."""
    rng = np.random.default_rng(seed)
    for _ in range(answers):
        if state.is_terminal():
            break
        outcomes = [action for action, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
        state.apply_action(int(rng.choice(outcomes)))
    return state


@pytest.mark.parametrize("players", [4, 8])
def test_their_own_test_of_a_game(players):
    pyspiel.random_sim_test(load(players=players), num_sims=2 if JIT else 1, serialize=True, verbose=False)


def test_it_is_the_game():
    state = play(load(seed=100).new_initial_state(), 1)
    game = Game.new(GameConfig(num_players=4, max_turns=8), 100 + state.history()[0])
    while not state.is_terminal():
        assert (state.current_player(), state.legal_actions()) == (game.asking, game.legal_actions())
        assert [state.action_to_string(action) for action in state.legal_actions()] == game.legal()
        assert state.returns() == [0.0] * 4
        game.act(state.legal_actions()[0])
        state.apply_action(state.legal_actions()[0])
    assert state.returns() == game.rewards()
    assert state.table == game


FEW = {"roles": "basic", "characters": "none", "incidents": "none", "life": 1, "hand": 1, "every_deal": True}


def test_every_deal_of_a_small_table_is_an_outcome_of_chance():
    """Twelve deals of the roles times 84 orders of nine cards; probabilities sum to 1, and each is the deal of its game."""
    game = load(**FEW, deck="shoot/autumn=6,graze/autumn=3", max_turns=1)
    outcomes = game.new_initial_state().chance_outcomes()
    assert len(outcomes) == 12 * 84
    assert sum(chance for _, chance in outcomes) == pytest.approx(1)
    dealt = set()
    for deal, _ in outcomes:
        state = game.new_initial_state()
        state.apply_action(deal)
        table = state.table
        assert (table.config.life, table.config.hand, table.config.incidents) == (1, 1, ())
        dealt.add((tuple(seat.role for seat in table.seats), tuple(tuple(seat.hand) for seat in table.seats), tuple(table.deck)))
    assert len(dealt) > 12


@pytest.mark.parametrize(
    "table",
    [
        {"deck": "shoot=16"}, {"deck": "shoot/autumn=6,graze/autumn=3,shoot/spring=4"},
        {"deck": "shoot/autumn:6;graze/autumn:3;shoot/spring:4"}, {"incidents": "lily_white,overdrive"},
    ],
)  # fmt: skip
def test_a_small_table_is_copied_saved_and_loaded_by_its_name(table):
    """OpenSpiel writes parameters into the name of a game, where commas and equal signs are its own."""
    game = load(**{**FEW, "every_deal": False, "incidents": "none", **table}, max_turns=3)
    state = play(game.new_initial_state(), 1, 5)
    assert pyspiel.load_game(str(game)).config == game.config
    saved = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))[1]
    for other in (copy.copy(state), copy.deepcopy(state), pickle.loads(pickle.dumps(state)), saved):
        assert (str(other), other.history()) == (str(state), state.history())


def test_a_clone_shares_the_deals_which_nobody_can_write_into():
    state = load(**FEW, deck="shoot/autumn=6,graze/autumn=3", max_turns=1).new_initial_state()
    for other in (state.clone(), copy.copy(state), copy.deepcopy(state)):
        assert other.listed.seeds.shape == state.listed.seeds.shape
    assert state.clone().listed is state.listed is copy.copy(state.listed)
    for array in (state.listed.seeds, state.listed.chances):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_a_table_that_shuffles_after_the_deal_says_so():
    """Six cards are soon drawn: the discard pile is shuffled within a few turns."""
    state = play(load(**FEW, deck="shoot/autumn=4,graze/autumn=2", max_turns=8).new_initial_state(), 1)
    with pytest.raises(ValueError, match="an outcome of chance that is not listed"):
        play(state, 200)


@pytest.mark.parametrize(
    ("parameters", "reason"),
    [
        ({"deck": "shoot"}, "deck is written like \"shoot=12,graze=8\", not 'shoot'"),
        ({"deck": "shot=3"}, "not a kind of card"),
        ({"every_deal": True}, "a small deck"),
    ],
)
def test_small_tables_that_make_no_sense_are_refused(parameters, reason):
    with pytest.raises(ValueError, match=reason):
        load(**parameters)


def test_parameters_are_checked_by_the_configuration():
    assert load(players=7, roles="basic").num_players() == 7
    state = load(players=8, expansion="lunatic_extra", characters="double_threat", bonus_character=True).new_initial_state()
    state.apply_action(state.legal_actions()[0])
    assert (state.table.config.expansion, state.table.question) == ("lunatic_extra", "character")
    with pytest.raises(ValueError, match="num_players must be a whole number from 4 to 8"):
        openspiel.DanmakuGame({"players": 3})
    with pytest.raises(ValueError, match="deals must be at least 1"):
        openspiel.DanmakuGame({"deals": 0})
    with pytest.raises(ValueError, match="a seed is a whole number from 0"):
        openspiel.DanmakuGame({"seed": -1})


@pytest.mark.parametrize("answers", [0, 1, 30, 100_000])
def test_an_answer_that_is_refused_has_changed_nothing(answers):
    """Before the deal, in a game and after its end: the history is as it was, and so is what every player remembers."""
    state = play(load(deals=1).new_initial_state(), answers)
    remembered = state.history(), [state.information_state_string(player) for player in range(4)]
    illegal = next(action for action in (1, 2) if action not in state.legal_actions())
    with pytest.raises(IllegalAction, match=r"a deal is a whole number from 0 to 0|is not legal: (seat \d is asked|the game is over)"):
        state.apply_action(illegal)
    assert (state.history(), [state.information_state_string(player) for player in range(4)]) == remembered


def test_the_observation_tensor_is_the_row():
    game = load()
    state, observer = play(game.new_initial_state(), 30), make_observation(game)
    for player in range(4):
        observer.set_from(state, player)
        assert np.array_equal(observer.tensor, state.table.observe(player))
        assert observer.dict["life"].tolist() == decode(state.table.observe(player))["life"].tolist()
        assert observer.string_from(state, player) == state.table.describe(player)


def observed(**wanted):
    return make_observation(load(), pyspiel.IIGObservationType(**wanted))


def test_an_observer_with_perfect_recall_tells_the_information_state():
    state, observer = play(load().new_initial_state(), 30), observed(perfect_recall=True)
    observer.set_from(state, 2)
    assert (observer.tensor, observer.dict) == (None, {})
    assert observer.string_from(state, 2) == state.information_state_string(2)
    assert observed(perfect_recall=False).tensor is not None


@pytest.mark.parametrize(
    "wanted",
    [
        {"public_info": False, "private_info": pyspiel.PrivateInfoType.SINGLE_PLAYER},
        {"private_info": pyspiel.PrivateInfoType.NONE},
        {"private_info": pyspiel.PrivateInfoType.ALL_PLAYERS},
    ],
)
def test_observations_that_there_are_not_are_refused(wanted):
    with pytest.raises(ValueError, match=r"ask for public_info=True and private_info=SINGLE_PLAYER, not public_info="):
        observed(perfect_recall=False, **wanted)
    with pytest.raises(ValueError, match="observers of python_danmaku have no parameters, such as 'size'"):
        make_observation(load(), None, {"size": 3})


def test_a_clone_goes_its_own_way():
    state = play(load().new_initial_state(), 20)
    before = state.information_state_string()
    play(state.clone(), 10)
    assert state.information_state_string() == before


def test_who_is_dealt_another_world_cannot_tell_and_the_others_can():
    for answers in (1, 12, 40):
        state = play(load(max_turns=400).new_initial_state(), answers, seed=answers)
        player, rng = state.current_player(), np.random.default_rng(answers)
        worlds = [state.resample_from_infostate(player, rng.random) for _ in range(8)]
        for world in worlds:
            assert world.information_state_string(player) == state.information_state_string(player)
            assert world.observation_string(player) == state.observation_string(player)
            assert (world.current_player(), world.legal_actions()) == (player, state.legal_actions())
        other = (player + 1) % 4
        assert len({world.information_state_string(other) for world in worlds}) > 1
        play(worlds[0], 20)


def test_nothing_can_be_dealt_anew_before_it_is_dealt():
    with pytest.raises(ValueError, match="nothing is dealt"):
        load().new_initial_state().resample_from_infostate(0, lambda: 0.5)


def test_different_pasts_are_different_information_states():
    game = load(deals=1)
    first, second = (play(game.new_initial_state(), 1) for _ in range(2))
    assert first.information_state_string() == second.information_state_string()
    first.apply_action(first.legal_actions()[0])
    second.apply_action(second.legal_actions()[1])
    assert first.information_state_string(0) != second.information_state_string(0)


class Searcher(ismcts.ISMCTSBot):
    """Their search, with the one method of a bot that it lacks and that their evaluation calls."""

    def restart_at(self, state):
        self.reset()


@pytest.mark.skipif(not JIT, reason="searches through many games")
def test_is_mcts_plays_a_game_against_random_bots():
    game, rng = load(), np.random.RandomState(5)
    rollouts = mcts.RandomRolloutEvaluator(1, rng)
    searcher = Searcher(game, rollouts, uct_c=2.0, max_simulations=6, random_state=rng, allow_inconsistent_action_sets=True)
    bots = [searcher, *(UniformRandomBot(player, rng) for player in range(1, 4))]
    returns = evaluate_bots.evaluate_bots(game.new_initial_state(), bots, rng)
    assert len(returns) == 4
    assert set(returns) <= {-1.0, 0.0, 1.0}


def test_the_rest_of_the_package_does_without_it():
    code = "import sys, danmaku_env; assert 'pyspiel' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, env={"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": ":".join(filter(None, sys.path))})


def test_without_openspiel_a_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(ModuleNotFoundError, match=r"^OpenSpiel is not installed: pip install 'danmaku-env\[openspiel\]'$"):
        runpy.run_path(openspiel.__file__)


def test_a_game_can_be_copied_and_pickled():
    for game in (copy.deepcopy(load(seed=7)), pickle.loads(pickle.dumps(load(seed=7)))):
        assert (game.config, game.first_seed, str(game)) == (load(seed=7).config, 7, str(load(seed=7)))
        assert game.new_initial_state().is_chance_node()
