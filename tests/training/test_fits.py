"""The commands that fit what the agents play by."""

import json

import numpy as np
import pytest

from danmaku_env import GameConfig
from danmaku_env.agents.deduction import parameters_from
from danmaku_env.agents.search import values_from
from danmaku_env.agents.style import style_from
from danmaku_env.arena.options import Expansion
from danmaku_env.training import fit_deducer, fit_style, fit_values
from danmaku_env.training.fit_style import SIGMA


@pytest.mark.parametrize(
    ("fit", "reader", "options"),
    [
        (fit_deducer, parameters_from, {"games": 20}),
        (fit_values, values_from, {"games": 20}),
        (fit_style, style_from, {"games": 40, "rounds": 1}),
    ],
)
def test_a_fit_writes_what_its_agent_reads(fit, reader, options, monkeypatch, tmp_path):
    def one_table(expansion):
        return [GameConfig(num_players=4, roles="basic", characters="random", expansion=expansion.value)]

    monkeypatch.setattr(fit, "configurations", one_table)
    found = []
    for expansion in Expansion:
        fit.main(seed=3, expansion=expansion, out=tmp_path / "fitted.json", **options)
        found.append(json.loads((tmp_path / "fitted.json").read_text("utf-8")))
        reader(found[-1])
        assert found[-1]["made by"].startswith(f"python -m {fit.__name__} --games")
    base, both = found
    assert base["made by"] + " --expansion lunatic_extra" == both["made by"]
    assert base != {**both, "made by": base["made by"]}, "games of another box"
    assert list(tmp_path.iterdir()) == [tmp_path / "fitted.json"]


@pytest.mark.parametrize("fit", [fit_deducer, fit_values, fit_style])
def test_a_file_that_could_not_be_written_is_refused_before_anything_is_played(fit, tmp_path):
    for out, reason in ((tmp_path, "it is a folder"), (tmp_path / "no" / "fitted.json", "its folder does not exist")):
        with pytest.raises(OSError, match=f"nothing can be written to {out}: {reason}"):
            fit.main(games=fit_deducer.MOST_GAMES, seed=1, expansion=Expansion.none, out=out)


def test_a_style_moves_uphill_and_stays_where_there_is_nothing_to_gain():
    dice = np.random.default_rng(0)
    changes = SIGMA * dice.standard_normal((40_000, 3))
    rewards = np.sign(dice.standard_normal(40_000) + 0.1 * changes[:, 0] - 0.1 * (changes[:, 1] - 0.5) ** 2)
    up, bent, nothing = fit_style._steps(changes, rewards)
    assert up == SIGMA  # as far as one step goes
    assert bent == pytest.approx(0.5, abs=0.2)
    assert abs(nothing) < 0.3
