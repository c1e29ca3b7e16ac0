"""Games side by side are the single games, and what an agent does wrong costs it the game and nobody else anything."""

import base64
import zlib
from dataclasses import replace

import numpy as np
import pytest

from danmaku_env import Game, GameConfig
from danmaku_env.agents import registry
from danmaku_env.agents.base import answer
from danmaku_env.arena.matches.match import PATIENCE, Fault, Job, RefereeSettings, Result, play
from danmaku_env.cards.box import ROLE_IDS
from tests.arena import bots

CONFIG = GameConfig(num_players=4, characters="random", max_turns=60)


def make(*names):
    return [registry.make(name if ":" in name or name == "random" else f"tests.arena.bots:{name}", 1) for name in names]


def jobs(number, agents=2):
    return [Job((place,), 300 + place, tuple((seat + place) % agents for seat in range(4))) for place in range(number)]


def alone(job, agents):
    game = Game.new(CONFIG, job.seed)
    roles = tuple(ROLE_IDS.index(seat.role) for seat in game.seats)
    decisions = 0
    while (seat := game.asking) is not None:
        game.act(answer(agents[job.seats[seat]], game))
        decisions += 1
    return Result(job.key, tuple(int(reward) for reward in game.rewards()), roles, decisions)


def test_games_side_by_side_are_the_single_games():
    agents, todo = make("First", "Last"), jobs(9)
    results = sorted(play(todo, agents, CONFIG, rows=4), key=lambda result: result.key)
    assert [replace(result, named=()) for result in results] == [alone(job, agents) for job in todo]
    assert not any(result.faults for result in results)
    assert {len(result.rewards) for result in results} == {4}


def test_agents_are_handed_copies_that_belong_together():
    results = list(play(jobs(6), make("Checking", "Last"), CONFIG))
    assert not any(result.faults for result in results)
    key = lambda result: result.key  # noqa: E731
    assert sorted(results, key=key) == sorted(play(jobs(6), make("First", "Last"), CONFIG), key=key)


def test_random_answers_are_those_of_the_seed():
    first, again, other = (list(play(jobs(8), make("Seeded", "random"), CONFIG, seed=seed)) for seed in (5, 5, 6))
    assert first == again != other


@pytest.mark.parametrize(
    ("name", "kind", "words"),
    [
        ("Raising", "raised", "ValueError: <b>$no$</b>"),
        ("Leaving", "raised", "SystemExit: 3"),
        ("Cheating", "illegal", " ("),
        ("OutOfRange", "illegal", "10000 (no action)"),
        ("WrongShape", "illegal", "with shape (1, 2) instead of 1 whole numbers"),
        ("Wordy", "illegal", "an array of <U4"),
    ],
)
def test_a_fault_costs_the_game_and_is_recorded(name, kind, words):
    todo = jobs(12)
    results = {result.key: result for result in play(todo, make(f"tests.arena.bots:{name}:seldom=2", "Last"), CONFIG)}
    assert len(results) == 12
    faulty = [result for result in results.values() if result.faults]
    assert faulty
    for result in faulty:
        (fault,) = result.faults
        seats = todo[result.key[0]].seats
        assert (fault.agent, fault.kind) == (0, kind)
        assert words in fault.words
        assert seats[fault.seat] == 0
        assert fault.question
        assert 0 <= fault.decision < result.decisions
        assert all(reward == -1 for seat, reward in zip(seats, result.rewards, strict=True) if seat == 0)
    assert any(1 in result.rewards for result in faulty), "the others still get what they have earned"
    assert results == {result.key: result for result in play(todo, make(f"tests.arena.bots:{name}:seldom=2", "Last"), CONFIG)}


@pytest.mark.parametrize("seats", [(0, 1), (0, 1, 0, 1, 0), (0, 1, 0, 2), (0, 1, 0, -1)])
def test_a_job_seats_an_agent_of_the_list_in_every_seat(seats):
    with pytest.raises(ValueError, match=r"the job \(7,\) has the seats .*; at this table they are 4 numbers of agents, each from 0 to 1"):
        next(play([Job((7,), 1, seats)], make("First", "Last"), CONFIG))


def test_games_without_a_fault_are_the_same_next_to_one_with():
    todo = jobs(12)
    faulty = {result.key: result for result in play(todo, make("tests.arena.bots:Raising:seldom=2", "Last"), CONFIG)}
    clean = {result.key: result for result in play(todo, make("First", "Last"), CONFIG)}
    same = [key for key, result in faulty.items() if not result.faults]
    assert same
    assert all(faulty[key] == clean[key] for key in same)


def test_an_agent_that_can_answer_one_by_one_has_answered():
    assert not any(result.faults for result in play(jobs(6), make("BatchShy", "Last"), CONFIG))


def test_an_agent_that_cannot_be_reset_loses_all_its_games():
    results = list(play(jobs(3), [bots.First(), bots.NoReset()], CONFIG))
    assert [[fault.words for fault in result.faults] for result in results] == [["in reset: RuntimeError: not today"]] * 3


def test_a_sleeper_is_woken_and_after_some_games_not_asked_any_more():
    results = list(
        play(jobs(PATIENCE + 8), make("tests.arena.bots:Sleeping:seldom=97", "Last"), CONFIG, settings=RefereeSettings(time_limit=0.01))
    )
    kinds = [fault.kind for result in results for fault in result.faults]
    assert kinds.count("slow") == PATIENCE
    assert kinds.count("forfeit") > 0
    assert all("0.01 s" in fault.words for result in results for fault in result.faults if fault.kind == "slow")


def test_faults_found_out_before_are_not_tried_again():
    known = {((1,), 0): Fault(0, -1, 6, "hung", "", "did not answer")}
    results = {result.key: result for result in play(jobs(3), make("First", "Last"), CONFIG, settings=RefereeSettings(known=known))}
    (fault,) = results[1,].faults
    assert (fault.kind, fault.words) == ("hung", "did not answer")
    assert fault.decision >= 6
    assert not results[0,].faults
    assert not results[2,].faults


def test_results_as_plain_data():
    result = Result((6, 1, 0), (1, -1), (3, 4), 77, (Fault(0, 1, 5, "raised", "main", "x"),))
    assert Result.from_dict(result.to_dict()) == result
    for bad in ({}, [], {**result.to_dict(), "rewards": [2, 0]}, {**result.to_dict(), "roles": [1]}, {**result.to_dict(), "faults": [{}]}):
        with pytest.raises((ValueError, KeyError, TypeError)):
            Result.from_dict(bad)


def test_a_game_of_more_answers_than_there_can_be_is_not_unpacked():
    many = 30_000_000
    packed = base64.b64encode(zlib.compress(bytes(2 * many), 9)).decode()
    data = {**Result((6, 1, 0), (1, -1), (3, 4), 77).to_dict(), "decisions": many, "answers": packed}
    for most in (400, 32_767):
        with pytest.raises(ValueError, match=f"no game of {most} turns has 30000000 answers"):
            Result.from_dict(data, most)


def test_roles_are_those_dealt():
    (result,) = play([Job((0,), 300, (0, 0, 0, 0))], make("First"), CONFIG)
    assert result.roles == tuple(ROLE_IDS.index(seat.role) for seat in Game.new(CONFIG, 300).seats)
    assert np.count_nonzero(result.rewards) in (0, 4)
