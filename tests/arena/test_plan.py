"""Plans: every agent plays every seat of every deal once."""

from collections import Counter
from dataclasses import replace

import pytest

from danmaku_env import Game, GameConfig
from danmaku_env.arena.tournaments.plan import Plan
from danmaku_env.console.errors import UserError
from danmaku_env.console.options import DEALT_AT_RANDOM


@pytest.mark.parametrize(("agents", "players"), [(2, 6), (3, 4), (4, 6), (5, 4), (7, 6), (2, 5)])
def test_every_agent_plays_every_seat_of_every_deal_once(agents, players):
    plan = Plan(agents=("random",) * agents, players=(players,), deals=5)
    for deal in range(5):
        jobs = plan.jobs(players, deal)
        assert len({job.seed for job in jobs}) == 1
        for seat in range(players):
            assert sorted(job.seats[seat] for job in jobs) == list(range(agents))
        for job in jobs:
            seats = Counter(dict.fromkeys(range(agents), 0) | Counter(job.seats))
            assert max(seats.values()) - min(seats.values()) <= 1


def test_lineups_and_deals_differ_and_follow_from_the_seed():
    plan = Plan(agents=("random", "random"), deals=40)
    lineups = [plan.lineup(6, deal) for deal in range(40)]
    assert len(set(lineups)) > 10
    assert len({plan.jobs(6, deal)[0].seed for deal in range(40)}) == 40
    assert lineups == [Plan(agents=("a", "b"), deals=99).lineup(6, deal) for deal in range(40)]
    assert lineups != [Plan(agents=("a", "b"), seed=1).lineup(6, deal) for deal in range(40)]


def test_a_deal_fixes_roles_characters_and_decks():
    plan = Plan(agents=("random", "random"))
    first, second = (Game.new(plan.config(6), job.seed) for job in plan.jobs(6, 3))
    assert first == second
    assert all(seat.character for seat in first.seats), "characters are dealt, for a choice would differ between the games of a deal"


def test_chunks_hold_every_game_once():
    plan = Plan(agents=("random",) * 3, players=(4, 6), deals=50)
    keys = [job.key for chunk in plan.chunks() for job in chunk.jobs]
    assert len(keys) == len(set(keys)) == plan.games == 300
    assert all(chunk.config.num_players == job.key[0] == len(job.seats) for chunk in plan.chunks() for job in chunk.jobs)
    assert len({chunk.seed for chunk in plan.chunks()}) == len(list(plan.chunks()))


def test_labels_tell_equal_agents_apart():
    assert Plan(agents=("random", "search", "random")).labels == ("random (1)", "search", "random (2)")


def test_plain_data_and_command():
    basic = replace(DEALT_AT_RANDOM, roles="basic")
    plan = Plan(agents=("random", "my.bot:Bot x"), players=(4, 8), table=basic, deals=7, seed=3, time_limit=2.5000001)
    assert Plan.from_dict(plan.to_dict()) == plan
    assert (
        plan.command() == "danmaku tournament random 'my.bot:Bot x' --players 4,8 --roles basic --deals 7 --seed 3 --time-limit 2.5000001"
    )
    assert Plan.from_dict({"agents": ["random", "random"]}) == Plan(agents=("random", "random")), "older versions wrote less"
    for bad in ({}, plan.to_dict() | {"extra": 1}, plan.to_dict() | {"deals": "many"}):
        with pytest.raises(UserError):
            Plan.from_dict(bad)


def test_how_the_games_are_set_up_is_in_the_plan_and_its_command():
    asked = {"characters": "choose", "candidates": 3, "max_turns": 50, "ask_seasons": True, "bonus_character": True}
    plan = Plan(agents=("random", "random"), table=GameConfig(**asked))
    assert plan.config(6) == GameConfig(num_players=6, **asked)
    assert Plan.from_dict(plan.to_dict()) == plan
    said = "--roles advanced --bonus-character --characters choose --candidates 3 --max-turns 50 --ask-seasons --deals 1000"
    assert said in plan.command()
    assert Plan(agents=("random", "random")).config(4) == GameConfig(num_players=4, characters="random")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"agents": ("random",)}, "at least two agents, not 1"),
        ({"players": (3,)}, "players are numbers from 4 to 8, each once, with commas between, not 3"),
        ({"players": (6, 6)}, "players are numbers from 4 to 8, each once"),
        ({"players": ()}, "not none"),
        ({"deals": 1}, "deals must be at least 2"),
        ({"seed": -1}, "a seed is a whole number"),
        ({"roles": "all"}, 'roles must be "advanced", "basic" or one role per seat'),
        ({"expansion": "lunatic"}, "expansion must be"),
        ({"characters": ("cirno",) * 6}, "characters must be choose, random, draft, double_threat, none in a plan"),
        ({"characters": "draft", "players": (6, 8)}, "at most 6 players can play so"),
        ({"candidates": 5}, "candidates must be a whole number from 2 to 4, not 5"),
        ({"candidates": 2.0}, "candidates must be a whole number"),
        ({"max_turns": 0}, "max_turns must be a whole number from 1 to 32767, not 0"),
        ({"ask_seasons": "yes"}, "ask_seasons must be True or False"),
        ({"time_limit": 0.0}, "above 0"),
        ({"time_limit": float("nan")}, "above 0"),
    ],
)
def test_plans_that_make_no_sense_are_refused(options, words):
    with pytest.raises(UserError, match=words):
        Plan.from_dict({"agents": ("random", "random"), **options})
