"""Chunks in worker processes: all cores change nothing, and neither a hang nor a dead process stops the tournament."""

import pytest

from danmaku_env import GameConfig
from danmaku_env.arena.jobs.workers import Processes
from danmaku_env.arena.matches.match import Job
from danmaku_env.arena.tournaments.plan import Chunk
from danmaku_env.arena.tournaments.scheduler import Scheduler, player
from danmaku_env.console.errors import UserError

CONFIG = GameConfig(num_players=4, characters="random", max_turns=30)
BOTS = "tests.arena.bots"


def chunks(number, games=4):
    return [
        Chunk(tuple(Job((chunk, game), 50 + 10 * chunk + game, (0, 1, game % 2, 1 - game % 2)) for game in range(games)), CONFIG, chunk)
        for chunk in range(number)
    ]


def run(specs, todo, processes=1, time_limit=5.0):
    return sorted(Scheduler(Processes(player(specs), processes), time_limit=time_limit).play(todo), key=lambda result: result.key)


def test_two_processes_play_the_games_of_one():
    specs = [f"{BOTS}:Seeded", f"{BOTS}:Last"]
    assert run(specs, chunks(3)) == (both := run(specs, chunks(3), processes=2))
    assert [result.key for result in both] == [job.key for chunk in chunks(3) for job in chunk.jobs]


@pytest.mark.parametrize(
    ("name", "kind", "words"), [("Stubborn", "hung", "could not be interrupted"), ("Dying", "crashed", "exit status was 7")]
)
def test_an_agent_that_takes_its_process_along_loses_that_game_only(name, kind, words, monkeypatch):
    monkeypatch.setattr("danmaku_env.arena.jobs.workers._GRACE", 0.3)
    todo = chunks(1, games=2)
    clean = run([f"{BOTS}:First", f"{BOTS}:Last"], todo)
    results = run([f"{BOTS}:{name}:seldom=1", f"{BOTS}:Last"], todo, time_limit=0.2)
    assert [result.key for result in results] == [job.key for chunk in todo for job in chunk.jobs]
    faults = [fault for result in results for fault in result.faults]
    assert faults
    assert all((fault.agent, fault.kind) == (0, kind) and words in fault.words for fault in faults)
    for result, job in zip(results, todo[0].jobs, strict=True):
        if result.faults:
            assert {reward for reward, agent in zip(result.rewards, job.seats, strict=True) if agent == 0} == {-1}
        else:
            assert result in clean


def test_workers_that_cannot_begin_are_given_up():
    with pytest.raises(UserError, match="a worker process had to stop: AgentError"):
        run([f"{BOTS}:Unmakeable", f"{BOTS}:Last"], chunks(1))


def test_closing_the_iterator_ends_the_processes():
    scheduler = Scheduler(Processes(player([f"{BOTS}:First", f"{BOTS}:Last"]), 1), time_limit=5)
    results = scheduler.play(chunks(1, games=8))
    next(results)
    results.close()
    assert not any(slot.worker.process.is_alive() for slot in scheduler._slots)
