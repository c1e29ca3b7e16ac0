"""A second game on the machine (twenty.py): it plays, compiled and not, is kept for the next process, and shares nothing with the first."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import danmaku_env
from danmaku_env.jit import kernel_hash
from danmaku_env.jit.kernels import JIT
from danmaku_env.machine import answers, batch, lists, records
from tests.edits import edited
from tests.machine import twenty

ROOT = Path(danmaku_env.__file__).resolve().parent.parent
PLAY = """
import hashlib
from danmaku_env.jit.precompile import compile_once
from tests.machine import twenty
compile_once("tests.machine.twenty")
games, seen = twenty.Batch(32), hashlib.sha256()
games.start(5)
for _ in range(100):
    games.step(games.sample())
    for array in (games.games, games.observations, games.masks, games.seats, games.rewards, games.dones):
        seen.update(array.tobytes())
print(seen.hexdigest(), int(games.dones.sum()))
print("kept:", len(twenty.step_rows.stats.cache_hits) if hasattr(twenty.step_rows, "stats") else 0)
"""


def python(folder, code, **environment):
    """What a fresh process prints, and what it says."""
    env = {**os.environ, "PYTHONPATH": str(ROOT), "DANMAKU_CACHE_DIR": str(folder), **environment}
    env.pop("DANMAKU_COMPILING", None)
    done = subprocess.run([sys.executable, "-B", "-c", code], env=env, capture_output=True, text=True, cwd=ROOT, timeout=600)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines(), done.stderr


@pytest.mark.skipif(not JIT, reason="is about the compiler")
def test_it_plays_alike_compiled_and_not_and_a_second_process_compiles_nothing(tmp_path):
    first, said = python(tmp_path, PLAY)
    assert "compiling the second game" in said
    assert python(tmp_path, PLAY) == (first, "")
    assert first[1] == "kept: 1"
    assert python(tmp_path, PLAY, NUMBA_DISABLE_JIT="1")[0][0] == first[0]


FINGERPRINTS = """
from danmaku_env.jit import kernel_hash, linked, precompile
games = {"danmaku": "danmaku_env.engine.warm", "twenty": "tests.machine.twenty"}
print({name: kernel_hash.digest(map(linked.file_name, precompile.units(module))) for name, module in games.items()})
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of the project's code, with the second game."""
    folder = tmp_path_factory.mktemp("copy")
    for part in ("danmaku_env", "tests/machine"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__", "*.safetensors"))
    return folder


def fingerprints(folder):
    env = {"PYTHONPATH": str(folder), "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-B", "-c", FINGERPRINTS]
    return eval(subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=True, timeout=120).stdout)


@pytest.fixture(scope="module")
def untouched(copy):
    return fingerprints(copy)


@pytest.mark.parametrize(
    ("file", "old", "new", "recompiled"),
    [
        ("tests/machine/twenty.py", "SEATS, CARDS, MOST = 4, 40, 21", "SEATS, CARDS, MOST = 4, 40, 20", {"twenty"}),
        ("tests/machine/twenty.py", "answers_of((1, 2), ask_forced=1)", "answers_of((1, 2), ask_forced=2)", {"twenty"}),
        ("danmaku_env/engine/procedures/setup.py", "STARTING_HANDS = (5,", "STARTING_HANDS = (4,", {"danmaku"}),
        ("danmaku_env/machine/batch.py", "rewards[seat] = -1.0", "rewards[seat] = -2.0", {"danmaku", "twenty"}),
    ],
)
def test_an_edit_in_one_game_recompiles_that_one_alone(copy, untouched, file, old, new, recompiled):
    with edited(copy / file, old, new):
        after = fingerprints(copy)
    assert {game for game in after if after[game] != untouched[game]} == recompiled


def test_kernels_of_one_factory_are_told_apart():
    """They have one name; a unit that calls two of them is another when they change places."""
    one, other = answers.answers_of((3,)), answers.answers_of((4,))
    assert kernel_hash.recipe(one.is_legal) != kernel_hash.recipe(other.is_legal)
    assert kernel_hash.recipe(one.is_legal) == kernel_hash.recipe(answers.answers_of((3,)).is_legal)

    def both(before, after):
        def run(s):
            return before(s, 2) + after(s, 3)

        kernel_hash.mark(run, {})
        return kernel_hash.recipe(run)

    assert len({both(x, y) for x in (one.is_legal, other.is_legal) for y in (one.is_legal, other.is_legal)}) == 4


# ---------------------------------------------------------------- a table of it


def table(seed=1, **options):
    games = twenty.Batch(1, **options)
    games.start(seed)
    return games, games.games[0]


def test_a_seat_is_asked_draws_from_the_shuffled_deck_and_the_next_is_asked():
    games, s = table(players=2)
    top = s["deck"][s["deck_size"] - 1]
    assert (s["asking"], games.masks[0].tolist(), s["deck_size"]) == (0, [1, 1], twenty.CARDS)
    assert sorted(s["deck"].tolist()) == list(range(1, twenty.CARDS + 1))
    games.answer([twenty.DRAW])
    assert (s["points"][0], s["asking"], s["deck_size"], s["depth"]) == (twenty.TABLES["points"][0][top - 1], 0, twenty.CARDS - 1, 1)
    games.answer([twenty.STOP])
    assert s["asking"] == 1
    games.answer([twenty.STOP])
    assert (s["outcome"], s["winners"], s["asking"]) == (records.WON, 1, records.NOBODY)
    games.answer([twenty.STOP])
    assert games.status[0] == records.GAME_OVER


def test_an_illegal_answer_changes_nothing():
    games, s = table()
    before = s.tobytes()
    for wrong in (2, -1, 99):
        games.answer([wrong])
        assert (games.status[0], s.tobytes()) == (records.ILLEGAL_ANSWER, before)


@pytest.mark.parametrize("config", [0, 1])
def test_a_single_answer_is_taken_at_once_unless_the_game_wants_to_ask(config):
    games, s = table(players=2, config=config)
    while s["points"][0] < twenty.MOST and s["asking"] == 0:
        games.answer([twenty.DRAW])
    assert s["asking"] == (0 if config else 1)


def test_the_log_keeps_the_last_events():
    games, s = table()
    while s["log_count"] < 11:
        games.answer([twenty.STOP if s["points"][s["asking"]] > 15 else twenty.DRAW])
    log, drawn = np.zeros(8, np.int64), int(s["log_count"])
    assert twenty.events(games.games, 0, log) == 8
    games, s = table()
    seen = []
    while s["log_count"] < drawn:
        seat, top = int(s["asking"]), int(s["deck"][s["deck_size"] - 1])
        if s["points"][seat] > 15:
            games.answer([twenty.STOP])
        else:
            games.answer([twenty.DRAW])
            seen.append((seat + 1) | top << 8)
    assert log.tolist() == seen[-8:]


def test_a_full_stack_stops_the_machine():
    games, s = table()
    s["stack"][1:] = s["stack"][0]
    s["depth"] = 3
    games.answer([twenty.DRAW])
    assert s["status"] == records.STACK_FULL


def test_a_finished_game_is_paid_and_another_begins():
    games, s = table(players=2)
    seed = int(s["seed"])
    for _ in range(2):
        games.step(np.array([twenty.STOP]))
    assert games.dones[0]
    assert games.rewards[0].tolist() == [1, 1, 0, 0]
    assert (s["seed"], s["decisions"], s["asking"]) == (kernel_hash.plain(batch.next_seed)(seed), 0, 0)


def test_a_seat_learns_and_the_others_play_at_random():
    games, s = table()
    rows, learners, at_random, asked = np.zeros(1, np.int64), np.array([2]), np.array([0b1011]), np.zeros(1, np.int64)
    rest = learners, at_random, games.rng, asked, games.observations, games.masks
    twenty.play_on(twenty.TABLES, games.games, games.raw, rows, np.array([-1]), *rest)
    assert (asked[0], s["asking"]) == (2, 2)
    assert games.observations[0, 0] == s["points"][2]
    twenty.play_on(twenty.TABLES, games.games, games.raw, rows, np.array([twenty.STOP]), *rest)
    assert (asked[0], s["outcome"], games.masks[0].tolist()) == (-1, records.WON, [1, 0])


# ---------------------------------------------------------------- parts


def test_fields_begin_memory_lines_and_gaps_are_no_fields():
    at = {name: records.place_of(twenty.STATE, name) for name, *_ in twenty.FIELDS}
    assert at["stack"] % records.LINE == at["log"] % records.LINE == 0
    assert set(twenty.STATE.names) - set(records.gaps(twenty.STATE)) == set(at)
    room = records.room_for(twenty.STATE, 3)
    assert (len(room), room.ctypes.data % records.LINE, records.as_bytes(room).shape) == (3, 0, (3, twenty.STATE.itemsize))


def test_lists_close_up():
    put_on, take_top, take_out, take_row = map(kernel_hash.plain, (lists.put_on, lists.take_top, lists.take_out, lists.take_row))
    row = np.zeros(4, np.uint8)
    for size, (thing, bottom) in enumerate([(5, False), (6, False), (7, True)]):
        put_on(row, size, thing, bottom)
    assert row.tolist() == [8, 6, 7, 0]
    take_out(row, 3, 5)
    assert (row.tolist(), take_top(row, 2), row.tolist()) == ([8, 7, 0, 0], 6, [8, 0, 0, 0])
    rows = np.arange(1, 7).reshape(3, 2)
    take_row(rows, 3, 0)
    assert rows.tolist() == [[3, 4], [5, 6], [0, 0]]


def test_groups_of_actions_must_fit_a_word():
    with pytest.raises(AssertionError, match="one to 63"):
        answers.answers_of((64,))


def test_random_numbers_are_even():
    numbers = np.zeros(60_000, np.int64)
    twenty.roll(np.zeros(1, records.RNG), 6, numbers)
    counts = np.bincount(numbers, minlength=6)
    assert len(counts) == 6
    assert ((counts - 10_000) ** 2 / 10_000).sum() < 20.5  # chi-square of 5 degrees, one in a thousand
