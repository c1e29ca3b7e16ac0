"""Options handed over from Python: numbers of NumPy and folders as texts are taken, and what is of another type is refused at once."""

import json
from dataclasses import asdict, fields, replace
from pathlib import Path

import numpy as np
import pytest

from danmaku_env.arena.matches.match import Job, Result
from danmaku_env.arena.tournaments.plan import Plan
from danmaku_env.console.options import DEALT_AT_RANDOM
from danmaku_env.training import balance, exploit, ppo, rllib_selfplay, sb3_maskable
from danmaku_env.training.imitation import imitate

OPTIONS = [
    balance.BalanceArgs, exploit.ExploitArgs, imitate.ImitationArgs, ppo.PPOArgs, rllib_selfplay.RLlibArgs, sb3_maskable.SB3Args,
]  # fmt: skip
OF_NUMPY = {int: np.int64, float: np.float64, bool: np.bool_, str: np.str_}


def odd(value):
    """The same value as NumPy has it, and a folder as a text."""
    return str(value) if isinstance(value, Path) else OF_NUMPY.get(type(value), lambda same: same)(value)


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: options.__module__.rpartition(".")[2])
def test_options_of_numpy_are_those_of_python(options):
    usual = options()
    asked = options(**{field.name: odd(getattr(usual, field.name)) for field in fields(options)})
    assert asked == usual
    for field in fields(options):
        assert type(getattr(asked, field.name)) is type(getattr(usual, field.name))
    json.dumps({name: str(value) if isinstance(value, Path) else value for name, value in asdict(asked).items()})


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: options.__module__.rpartition(".")[2])
def test_options_of_another_type_are_refused(options):
    for name, value, words in (
        ("seed", 1.5, "a seed|whole number"),
        ("games", "7", "whole number"),
        ("games", 8.0, "whole"),
        ("games", True, "whole"),
    ):
        if name in {field.name for field in fields(options)}:
            with pytest.raises(ValueError, match=words):
                replace(options(), **{name: value})


def test_a_plan_and_its_games_take_numbers_of_numpy():
    usual = Plan(agents=("random", "heuristic"), players=(4, 6), deals=3, seed=5, time_limit=2.0)
    asked = Plan(
        agents=["random", np.str_("heuristic")], players=np.array([4, 6]), deals=np.int32(3), seed=np.uint64(5), time_limit=np.float64(2),
        table=replace(DEALT_AT_RANDOM, candidates=np.int8(2), bonus_character=np.bool_(False)),
    )  # fmt: skip
    assert asked == usual
    assert json.dumps(asked.to_dict()) == json.dumps(usual.to_dict())
    job = Job(key=(np.int64(4), np.int64(0)), seed=np.int64(7), seats=list(np.arange(4)))
    assert job == Job((4, 0), 7, (0, 1, 2, 3))
    json.dumps(Result(job.key, (1, -1, -1, 1), (1, 2, 3, 4), 9).to_dict())
