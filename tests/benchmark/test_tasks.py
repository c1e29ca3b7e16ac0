"""The tasks as they are shipped: each can be read, is on the page, and is played with the population that it names."""

import hashlib
import json

import pytest

from danmaku_env import Game
from danmaku_env.arena.jobs.parts import Parts
from danmaku_env.benchmark.duplicates import RESULTS, TIMES, TaskGames, played
from danmaku_env.benchmark.population import check_population, fingerprint
from danmaku_env.benchmark.task import FOLDER, names, read_task
from danmaku_env.console.errors import UserError
from danmaku_env.jit.kernels import JIT

TASKS = {
    "belief-v1": "eeda35d66f97caf0",
    "cross-v1": "052ad96470b1807d",
    "exploit-v1": "d77cd8e87522a238",
    "partner-v1": "24bfe5a868b52b95",
    "selfplay-base6-v1": "c545aa5d93082d2b",
    "selfplay-base8-v1": "210406e715713c59",
    "selfplay-basic4-v1": "65bd074c961db536",
    "selfplay-lunatic6-v1": "043fb39264871eae",
    "selfplay-tiny-v1": "e8a00e2109ed354f",
    "strangers-v1": "499fe6166e383672",
    "strength-base6-v1": "df70445585e43756",
    "strength-base8-v1": "febb8c33b37b9cee",
    "strength-basic4-v1": "a1cd8a528588b443",
    "strength-lunatic6-v1": "be43e85724aaddcd",
}
"""Name -> the first digits of the SHA-256 of its file."""


def test_no_task_has_changed_since_it_was_published():
    """A correction is a new version, beside the old one: add it here, and change nothing."""
    assert {name: hashlib.sha256((FOLDER / f"{name}.toml").read_bytes()).hexdigest()[:16] for name in names()} == TASKS


@pytest.mark.parametrize("name", TASKS)
def test_a_task_can_be_read_and_dealt(name):
    task = read_task(name)
    assert task.digest.startswith(TASKS[name])
    assert Game.new(task.config, task.deal(0)).config == task.config


@pytest.mark.skipif(not JIT, reason="answers 1,000 questions at each of five tables")
@pytest.mark.parametrize("name", ["belief-v1", "strength-basic4-v1"])
def test_the_population_is_the_one_that_the_task_names(name):
    check_population(read_task(name))


def test_a_population_that_answers_otherwise_is_refused_by_name(small, monkeypatch):
    task = small("panel", ["random"])
    other = type(task)(**{**vars(task), "population": {"random": "0123456789ab"}})
    with pytest.raises(UserError, match="small-panel-v1 is played with another random than there is here"):
        check_population(other)


def test_a_task_goes_on_with_the_net_that_it_was_published_with():
    assert read_task("strength-base6-v1").members == ("random", "heuristic", "deducer", "neural:version=1")


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


TWO = {"rewards": [1, -1, -1, -1], "roles": [1, 6, 6, 12], "decisions": 1, "faults": []}
ROWS = [{"key": [deal, place], **TWO} for deal in range(2) for place in range(8)]


@pytest.mark.parametrize(
    ("rows", "times"),
    [
        (ROWS, "[" * 100_000),
        (ROWS, '{"seconds": 1' + "0" * 400 + ', "decisions": 1}'),
        (ROWS, '{"seconds": NaN, "decisions": 1}'),
        (ROWS, '{"seconds": 1, "decisions": -1}'),
        (ROWS[:-1], '{"seconds": 1, "decisions": 1}'),
        (ROWS[::-1], '{"seconds": 1, "decisions": 1}'),
        ([*ROWS[:-1], {**ROWS[-1], "rewards": [1], "roles": [1]}], '{"seconds": 1, "decisions": 1}'),
    ],
    ids=["nested", "endless seconds", "no seconds", "decisions below 0", "a game less", "another order", "a table of one"],
)
def test_games_of_a_task_that_were_altered_are_refused_in_a_sentence(tmp_path, rows, times):
    """Also where somebody has put the checksums right."""
    parts = Parts(tmp_path, TaskGames.of(read_task("strength-basic4-v1"), ("random",), 2), {RESULTS: "jsonl", TIMES: "json"})
    parts.keep(0, {RESULTS: lines_of(ROWS), TIMES: b'{"seconds": 1, "decisions": 500}'})
    found, milliseconds = played(parts)
    assert ([len(deal) for deal in found], milliseconds) == ([8, 8], 2)
    parts.keep(0, {RESULTS: lines_of(rows), TIMES: times.encode()})
    with pytest.raises(UserError, match=r"results/part-00000\.jsonl cannot be read"):
        played(parts)


def lines_of(rows):
    return "".join(f"{json.dumps(row)}\n" for row in rows).encode()
