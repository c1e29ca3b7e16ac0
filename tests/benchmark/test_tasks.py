"""The tasks as they are shipped: each can be read, is on the page, and is played with the population that it names."""

import hashlib

import pytest

from danmaku_env import Game
from danmaku_env.benchmark.population import check_population, fingerprint
from danmaku_env.benchmark.task import FOLDER, names, read_task
from danmaku_env.console.errors import UserError
from danmaku_env.jit.kernels import JIT

TASKS = [
    "belief-v1", "cross-v1", "exploit-v1", "partner-v1", "selfplay-base6-v1", "selfplay-base8-v1", "selfplay-basic4-v1",
    "selfplay-lunatic6-v1", "selfplay-tiny-v1", "strangers-v1", "strength-base6-v1", "strength-base8-v1", "strength-basic4-v1",
    "strength-lunatic6-v1",
]  # fmt: skip


def test_all_tasks_are_there_and_can_be_read():
    assert names() == TASKS
    for name in names():
        task = read_task(name)
        assert Game.new(task.config, task.deal(0)).config == task.config
        assert task.digest == hashlib.sha256((FOLDER / f"{name}.toml").read_bytes()).hexdigest()


@pytest.mark.skipif(not JIT, reason="answers 1,000 questions at each of five tables")
@pytest.mark.parametrize("name", ["belief-v1", "strength-basic4-v1"])
def test_the_population_is_the_one_that_the_task_names(name):
    check_population(read_task(name))


def test_a_population_that_answers_otherwise_is_refused_by_name(small, monkeypatch):
    task = small("panel", ["random"])
    other = type(task)(**{**vars(task), "population": {"random": "0123456789ab"}})
    with pytest.raises(UserError, match="small-panel-v1 is played with another random than there is here"):
        check_population(other)


def test_source_alone_moves_no_fingerprint():
    config = read_task("strength-basic4-v1").config
    one, same, other = (fingerprint(f"tests.arena.bots:{spec}", config) for spec in ("First", "Checking", "Last"))
    assert one == same != other


def test_chance_follows_from_the_name_alone():
    task = read_task("belief-v1")
    assert task.deal(3) == int.from_bytes(hashlib.sha256(b"belief-v1/deal/3").digest()[:8], "big") >> 2


@pytest.mark.parametrize(
    ("name", "words"), [("belief-v9", "there is no task 'belief-v9'; the tasks are belief-v1"), ("../x-v1", "there is no")]
)
def test_a_task_that_is_none_is_a_sentence(name, words):
    with pytest.raises(UserError, match=words):
        read_task(name)
