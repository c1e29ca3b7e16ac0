"""The batched AEC against single games, and its arrays."""

import copy
import multiprocessing
import pickle

import numpy as np
import pytest
import torch

from danmaku_env import Game, GameConfig, IllegalAction, make_vec
from danmaku_env.cards.compile import compile_cards
from danmaku_env.engine import batch
from danmaku_env.engine import state as st
from danmaku_env.engine.observation import OFFSETS
from danmaku_env.engine.observe import STATE_FIELDS, STATE_OFFSETS


def run(vec, steps):
    for _ in range(steps):
        vec.step(vec.sample())


@pytest.mark.parametrize("players", [4, 6, 8])
def test_a_batch_of_one_is_the_single_game_bit_for_bit(players):
    config = GameConfig(num_players=players)
    vec, game = make_vec(1, config), Game.new(config, 42)
    vec.reset(42)
    total = np.zeros(st.SEATS)
    while not game.over:
        assert vec.seats[0] == game.asking
        np.testing.assert_array_equal(vec.observations[0], game.observe(game.asking))
        np.testing.assert_array_equal(vec.action_masks[0], game.action_mask())
        assert vec.games.tobytes() == game._games.tobytes()
        action = int(vec.sample()[0])
        game.act(action)
        vec.step([action])
        total += vec.rewards[0]
    assert vec.dones[0]
    assert total[:players].tolist() == game.rewards()


def test_arrays_are_rewritten_in_place_and_games_start_anew():
    vec = make_vec(16, GameConfig(num_players=4))
    vec.reset(1)
    views = [vec.observations, vec.action_masks, vec.seats, vec.rewards, vec.dones, vec.games]
    addresses = [view.ctypes.data for view in views]
    finished = 0
    seeds = {int(seed) for seed in vec.games["seed"]}
    for _ in range(1500):
        run(vec, 1)
        finished += int(vec.dones.sum())
        assert (vec.games["outcome"] == st.RUNNING).all()
        assert (vec.action_masks.sum(axis=1) >= 2).all()
    assert finished > 10
    assert addresses == [view.ctypes.data for view in (vec.observations, vec.action_masks, vec.seats, vec.rewards, vec.dones, vec.games)]
    assert not seeds & {int(seed) for seed in vec.games["seed"][vec.games["seed"] != 1]} or finished < 16


def test_rows_started_with_seeds_play_those_games_and_leave_the_others_alone():
    config = GameConfig(num_players=5)
    vec = make_vec(4, config)
    vec.reset(0)
    run(vec, 40)
    others = vec.games[[0, 2]].tobytes()
    vec.start([3, 1], [77, 78])
    assert vec.games[[0, 2]].tobytes() == others
    games = {3: Game.new(config, 77), 1: Game.new(config, 78)}
    for _ in range(30):
        for row, game in games.items():
            assert vec.games[row].tobytes() == game.record.tobytes()
            assert vec.seats[row] == game.asking
            np.testing.assert_array_equal(vec.observations[row], game.observe(game.asking))
            np.testing.assert_array_equal(vec.action_masks[row], game.action_mask())
        chosen = vec.sample()
        vec.step(chosen)
        for row, game in games.items():
            game.act(int(chosen[row]))
    with pytest.raises(ValueError, match="1 seeds for 2 rows"):
        vec.start([0, 1], [5])
    with pytest.raises(ValueError, match="a seed is a whole number"):
        vec.start([0], [-5])
    with pytest.raises(ValueError, match=r"a row twice: \[1, 1\]"):
        vec.start([1, 1], [5, 6])


def test_threads_change_nothing():
    one, two = make_vec(13, threads=1), make_vec(13, threads=2)
    one.reset(7)
    two.reset(7)
    run(one, 300)
    run(two, 300)
    assert one.games.tobytes() == two.games.tobytes()
    np.testing.assert_array_equal(one.observations, two.observations)
    two.close()


def test_global_generators_do_not_matter():
    games = []
    for seed in (0, 1):
        np.random.seed(seed)  # noqa: NPY002 - the point of the test
        vec = make_vec(4)
        vec.reset(5)
        run(vec, 200)
        games.append(vec.games.tobytes())
    assert games[0] == games[1]


def test_clone_and_restore_rows():
    vec = make_vec(6, GameConfig(num_players=5))
    vec.reset(3)
    run(vec, 150)
    saved, seen, masks = vec.clone([1, 4]), vec.observations.copy(), vec.action_masks.copy()
    others = vec.games[[0, 2, 3, 5]].tobytes()
    chosen = vec.sample()
    vec.step(chosen)
    after = vec.games[[1, 4]].tobytes()
    moved = vec.games[[0, 2, 3, 5]].tobytes()
    vec.restore(saved, [1, 4])
    np.testing.assert_array_equal(vec.observations[[1, 4]], seen[[1, 4]])
    np.testing.assert_array_equal(vec.action_masks[[1, 4]], masks[[1, 4]])
    assert vec.games[[0, 2, 3, 5]].tobytes() == moved != others
    again = vec.sample()
    again[[1, 4]] = chosen[[1, 4]]
    vec.step(again)
    assert vec.games[[1, 4]].tobytes() == after


def test_rows_are_a_list_a_tuple_or_an_array():
    vec = make_vec(8, num_players=4)
    vec.reset(3)
    for rows in ([3, 5], (3, 5), np.array([3, 5]), slice(3, 6, 2)):
        assert (vec.clone(rows) == vec.games[[3, 5]]).all()
    with pytest.raises(IndexError, match="rows are whole numbers below 8"):
        vec.clone((3, 8))


def test_a_game_that_is_over_is_not_restored():
    vec, game = make_vec(2, 5, max_turns=3), Game.new(5, seed=5, max_turns=3)
    vec.reset(3)
    before = vec.games.tobytes()
    while not game.over:
        game.act(game.legal()[-1])
    with pytest.raises(ValueError, match="must still be running; number 0 is over"):
        vec.restore(game.records.copy(), [1])
    assert vec.games.tobytes() == before


def test_cloning_the_whole_batch_takes_copies():
    vec = make_vec(3)
    vec.reset(3)
    saved = vec.clone()
    before = saved.tobytes()
    run(vec, 5)
    assert saved.tobytes() == before
    vec.restore(saved)
    assert vec.games.tobytes() == before


def test_a_single_game_taken_out_of_a_batch_plays_on_alone():
    vec = make_vec(3, GameConfig(num_players=4))
    vec.reset(8)
    run(vec, 50)
    game, before = vec.game(1), vec.games[1].tobytes()
    game.act(game.legal_actions()[0])
    assert vec.games[1].tobytes() == before
    assert game.replay().play() == game


@pytest.mark.parametrize(
    ("actions", "error", "words"),
    [
        ([0, 0], ValueError, "3 whole numbers"),
        ([0.5, 1.0, 2.0], ValueError, "whole numbers"),
        ([10_000, 0, 0], IllegalAction, "game 0 of the batch"),
        ([-1, 0, 0], IllegalAction, "may answer"),
    ],
)
def test_bad_actions_are_refused_and_change_nothing(actions, error, words):
    vec = make_vec(3, GameConfig(num_players=4))
    vec.reset(0)
    before = vec.games.tobytes()
    with pytest.raises(error, match=words):
        vec.step(actions)
    assert vec.games.tobytes() == before


def test_bad_sizes_and_a_step_before_reset_are_refused():
    with pytest.raises(ValueError, match="num_envs must be a whole number of at least 1"):
        make_vec(0)
    with pytest.raises(ValueError, match="threads"):
        make_vec(4, threads=0)
    with pytest.raises(RuntimeError, match="call reset"):
        make_vec(2).step([0, 0])
    with pytest.raises(ValueError, match="a seed is a whole number"):
        make_vec(2).reset(-1)
    other = make_vec(2, GameConfig(num_players=5))
    other.reset(0)
    vec = make_vec(2, GameConfig(num_players=4))
    vec.reset(0)
    with pytest.raises(ValueError, match="a game of 5 players does not fit a batch of 4"):
        vec.restore(other.clone())


def test_states_show_all_and_differ_between_games():
    vec = make_vec(4)
    vec.reset(0)
    run(vec, 30)
    states = vec.states()
    assert len({row.tobytes() for row in states}) == 4
    known = slice(OFFSETS["step"], OFFSETS["end"])
    np.testing.assert_array_equal(vec.observe([0] * 4)[:, known], states[:, known])
    assert states[:, : OFFSETS["source"]].any(axis=1).all(), "the pending question shows, whoever is asked"


@pytest.mark.parametrize("expansion", ["none", "lunatic_extra"])
def test_states_open_every_deck_and_hand(expansion):
    """Hands, Lunatic cards and decks of the full state are those of the game, the tops of the decks first."""
    vec = make_vec(8, GameConfig(num_players=6, expansion=expansion))
    vec.reset(1)
    run(vec, 300)
    states, tables = vec.states(), compile_cards().tables[0]

    def field(game, name):
        size = next(field.size for field in STATE_FIELDS if field.name == name)
        return states[game, STATE_OFFSETS[name] :][:size]

    for number, game in enumerate(vec.games):
        for name, of_card in [("deck", tables["card_kind"]), ("lunatic_deck", tables["card_kind"]), ("incident_deck", None)]:
            size = int(game[f"{name}_size"])
            ids = game[name][:size][::-1].astype(int)
            shown = field(number, name)
            np.testing.assert_array_equal(shown[:size], ids if of_card is None else of_card[ids - 1] + 1)
            assert not shown[size:].any()
        lunatic = field(number, "hands_lunatic").reshape(8, -1)
        np.testing.assert_array_equal(lunatic.sum(1), game["lunatic_in_hand"])
        assert (lunatic <= field(number, "hands").reshape(8, -1)).all()
    assert (expansion == "lunatic_extra") == any(field(number, "hands_lunatic").any() for number in range(8))
    assert (expansion == "lunatic_extra") == field(0, "lunatic_deck").any()


def first_legal(vec, steps):
    for _ in range(steps):
        vec.step(vec.action_masks.argmax(1))


def test_what_a_copy_shows_is_its_own():
    """After a step of the copy the arrays of the first batch still show its own games."""
    first = make_vec(3, 4)
    first.reset(seed=1)
    shown = first.observations.copy()
    again = copy.copy(first)
    again.step(again.sample())
    assert (first.observations == shown).all()
    assert not (again.observations == shown).all()


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("again", [copy.deepcopy, lambda vec: pickle.loads(pickle.dumps(vec))], ids=["deepcopy", "pickle"])
def test_a_copy_of_a_batch_plays_on_by_itself(threads, again):
    vec = make_vec(4, 4, threads=threads)
    vec.reset(3)
    first_legal(vec, 20)
    clone, before = again(vec), vec.games.tobytes()
    first_legal(clone, 30)
    assert vec.games.tobytes() == before
    first_legal(vec, 30)
    assert vec.games.tobytes() == clone.games.tobytes()
    np.testing.assert_array_equal(vec.observations, clone.observations)


def test_after_close_all_rows_are_stepped_by_the_calling_thread():
    vec, clone = make_vec(4, 4, threads=2), make_vec(4, 4)
    for one in (vec, clone):
        one.reset(0)
    vec.close()
    first_legal(vec, 10)
    first_legal(clone, 10)
    assert vec.games.tobytes() == clone.games.tobytes()


def test_nothing_is_told_of_rows_in_which_no_game_has_begun():
    vec = make_vec(2, 4)
    for call in (vec.sample, vec.states, vec.clone, lambda: vec.game(0), lambda: vec.observe([0, 0])):
        with pytest.raises(RuntimeError, match="call reset"):
            call()
    vec.start([0], [3])
    assert vec.game(0) == Game.new(4, 3)
    with pytest.raises(RuntimeError, match="no game has begun in row 1"):
        vec.step([0, 0])


def test_a_game_of_another_box_does_not_fit():
    lunatic, vec = Game.new(4, 1, expansion="lunatic_extra"), make_vec(1, 4)
    vec.reset(0)
    with pytest.raises(ValueError, match="a game of both boxes does not fit a batch of the base game"):
        vec.restore(lunatic.records)
    with pytest.raises(ValueError, match="does not fit a configuration of the base game"):
        Game.from_record(lunatic.records, GameConfig(num_players=4))


def test_ragged_answers_are_refused_in_words():
    vec = make_vec(2, 4)
    vec.reset(0)
    with pytest.raises(ValueError, match=r"step\(\) takes 2 whole numbers"):
        vec.step([[1], [1, 2]])
    on_a_graphics_card = torch.empty(2, dtype=torch.int64, device="meta")  # like it, this one holds nothing that NumPy could read
    with pytest.raises(ValueError, match=r"as NumPy reads them, not tensor\(.*device='meta'"):
        vec.step(on_a_graphics_card)


@pytest.mark.parametrize("begin", ["start", "restore"])
def test_sample_is_random_however_the_games_came_into_the_rows(begin):
    """Not the first legal answer, and the same answers every time."""
    other = make_vec(8, 4)
    other.reset(7)
    drawn = []
    for _ in range(2):
        vec = make_vec(8, 4)
        vec.start(range(8), range(5, 13)) if begin == "start" else vec.restore(other.clone())
        drawn.append([vec.sample().tolist() for _ in range(20)])
    assert drawn[0] == drawn[1]
    assert {tuple(np.flatnonzero(mask)) for mask in vec.action_masks} == {tuple(sorted(set(row))) for row in np.array(drawn[0]).T.tolist()}


def step_in_a_child(vec):
    vec.step(vec.sample())
    vec.close()


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork")
def test_a_batch_with_threads_steps_in_a_forked_process_too():
    vec = make_vec(4, 4, threads=2)
    vec.reset(0)
    vec.step(vec.sample())
    child = multiprocessing.get_context("fork").Process(target=step_in_a_child, args=(vec,))
    child.start()
    child.join(60)
    try:
        assert child.exitcode == 0
    finally:
        child.kill()
    vec.step(vec.sample())


def test_read_only_answers_and_seats_compile_nothing():
    vec = make_vec(4, 4)
    vec.reset(0)
    run(vec, 1)
    vec.observe(np.zeros(4, np.int64))
    entries = [batch.first_illegal, batch.step_rows, batch.observe_rows]
    compiled = [len(getattr(entry, "signatures", ())) for entry in entries]
    for array, call in ((vec.sample(), vec.step), (np.zeros(4, np.int64), vec.observe)):
        array.flags.writeable = False
        call(array)
    assert [len(getattr(entry, "signatures", ())) for entry in entries] == compiled


def test_a_restored_game_keeps_the_options_it_was_begun_with():
    other, vec = make_vec(1, 4, max_turns=1, characters="none"), make_vec(1, 4)
    other.reset(1)
    vec.restore(other.clone())
    assert (vec.games["max_turns"][0], vec.game(0).config) == (1, vec.config)
    while not vec.dones[0]:
        run(vec, 1)
    assert not vec.rewards.any()
    assert vec.games["max_turns"][0] == 400


def test_a_game_that_the_machine_stopped_is_told_however_long_its_row_plays_on():
    vec = make_vec(3, 4)
    vec.reset(1)
    vec.check()
    vec.games["status"][1] = st.ENDLESS
    vec.step(vec.sample())
    assert vec.dones.tolist() == [False, True, False]
    run(vec, 20)
    with pytest.raises(RuntimeError, match="row 1: the machine stopped with status 4 in a game there, and another one was dealt"):
        vec.check()
    vec.start([1], [5])
    vec.check()
