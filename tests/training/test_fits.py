"""The commands that fit what the agents play by."""

import json
from pathlib import Path

import numpy as np
import pytest

from danmaku_env import Game, GameConfig
from danmaku_env.agents.search import values_from
from danmaku_env.beliefs.action_likelihood import parameters_from
from danmaku_env.config import EXPANSIONS
from danmaku_env.console import options
from danmaku_env.console.errors import Stopped
from danmaku_env.console.options import MOST_GAMES
from danmaku_env.heuristics.role_classes import CLASS_OF_ROLE, CLASSES
from danmaku_env.heuristics.style import SHIFTS, column, style_from
from danmaku_env.seeds import row_seeds
from danmaku_env.training.fits import deducer as fit_deducer
from danmaku_env.training.fits import fitting
from danmaku_env.training.fits import style as fit_style
from danmaku_env.training.fits import values as fit_values
from danmaku_env.training.fits.style import SIGMA


@pytest.mark.parametrize(
    ("fit", "reader", "options"),
    [
        (fit_deducer, parameters_from, {"games": 20}),
        (fit_values, values_from, {"games": 20}),
        (fit_style, style_from, {"games": 40, "rounds": 1}),
    ],
)
def test_a_fit_writes_what_its_agent_reads(fit, reader, options, monkeypatch, tmp_path, tmp_path_factory):
    def one_table(expansion):
        return [GameConfig(num_players=4, roles="basic", characters="random", expansion=expansion)]

    monkeypatch.setattr(fit, "configurations", one_table)
    monkeypatch.chdir(tmp_path_factory.mktemp("here"))
    found = []
    for expansion in EXPANSIONS:
        fit.main(seed=3, expansion=expansion, out=tmp_path / "fitted.json", **options)
        found.append(json.loads((tmp_path / "fitted.json").read_text("utf-8")))
        reader(found[-1])
        assert found[-1]["made by"].startswith(f"python -m {fit.__name__} --games")
    base, both = found
    assert base["made by"] + " --expansion lunatic_extra" == both["made by"]
    assert base != {**both, "made by": base["made by"]}, "games of another box"
    assert list(tmp_path.iterdir()) == [tmp_path / "fitted.json"]
    assert not [*Path("runs").iterdir()], "games that nobody needs any more are not kept"


def test_an_interrupted_fit_goes_on_with_the_games_it_has(monkeypatch, tmp_path):
    """The file is the same as of a fit that nobody interrupts."""
    fitted, again = tmp_path / "fitted.json", tmp_path / "again.json"
    tables = [GameConfig(num_players=number, roles="basic", characters="random") for number in (4, 5)]
    monkeypatch.setattr(fit_deducer, "configurations", lambda _: tables)
    monkeypatch.setattr(fitting, "cores", lambda: 1)
    monkeypatch.chdir(tmp_path)
    collect, played = fit_deducer.collect, []

    def interrupted(spec, part):
        played.append((spec.seed, part))
        if played == [(3, 0), (3, 1)]:
            raise KeyboardInterrupt
        return collect(spec, part)

    monkeypatch.setattr(fit_deducer, "collect", interrupted)
    with pytest.raises(Stopped):
        fit_deducer.main(games=20, seed=3, expansion="none", out=fitted)
    assert not fitted.exists()
    for out in (fitted, again):
        fit_deducer.main(games=20, seed=3, expansion="none", out=out)
    assert played == [(3, 0), (3, 1), (3, 1), (4, 0), (4, 1), (3, 0), (3, 1), (4, 0), (4, 1)]
    assert fitted.read_bytes() == again.read_bytes()


def test_the_games_of_a_fit_are_those_that_begin_first_and_not_those_that_end_first():
    """Games that end first are short, and other roles win them."""
    config = GameConfig(num_players=4, roles="basic", characters="random")
    spec = fitting.FitGames(fit="deducer", **fitting.tables_of([config]), games=20, seed=5)
    seeds = row_seeds(5, 20)
    *_, logs = fit_deducer.collect(spec, 0)
    assert set(logs["positions"]["seed"].tolist()) <= set(seeds.tolist())
    assert (seeds[logs["numbers"]] == logs["positions"]["seed"]).all()
    *_, positions = fit_values.collect(spec, 0)
    for game, seed in enumerate(seeds):
        dealt = Game.new(config, int(seed)).record["role"][:4]
        assert positions["kinds"][positions["numbers"] == game][:4].tolist() == CLASS_OF_ROLE[dealt].tolist()


def test_tables_of_a_fit_deal_other_games():
    tables = [GameConfig(num_players=4, roles=roles, characters="random") for roles in ("basic", "advanced")]
    spec = fitting.FitGames(fit="deducer", **fitting.tables_of(tables), games=20, seed=5)
    first, second = ({*[*fit_deducer.collect(spec, part)][-1]["positions"]["seed"].tolist()} for part in range(2))
    assert not first & second


def test_the_deducer_is_tested_on_games_on_which_nothing_was_chosen(monkeypatch, tmp_path):
    monkeypatch.setattr(fit_deducer, "configurations", lambda _: [GameConfig(num_players=4, roles="basic", characters="random")])
    monkeypatch.setattr(fit_deducer, "ROUNDS", 1)
    monkeypatch.setattr(fitting, "cores", lambda: 1)
    monkeypatch.chdir(tmp_path)
    asked, log_loss = [], fit_deducer.belief_log_loss

    def noted(logs, data):
        asked.append(set(logs[0].positions["seed"].tolist()))
        return log_loss(logs, data)

    monkeypatch.setattr(fit_deducer, "belief_log_loss", noted)
    fit_deducer.main(games=20, seed=3, expansion="none", out=tmp_path / "fitted.json")
    assert len(asked) > len(fit_deducer.MIXES) * len(fit_deducer.REPEATS)
    *on_which_it_was_chosen, knowing_nothing, fitted = asked
    assert fitted == knowing_nothing
    assert not fitted & set.union(*on_which_it_was_chosen)


@pytest.mark.parametrize("fit", [fit_deducer, fit_values, fit_style])
def test_a_file_that_could_not_be_written_is_refused_before_anything_is_played(fit, tmp_path):
    for out, reason in ((tmp_path, "it is a folder"), (tmp_path / "no" / "fitted.json", "its folder does not exist")):
        with pytest.raises(OSError, match=f"nothing can be written to {out}: {reason}"):
            fit.main(games=MOST_GAMES, seed=1, expansion="none", out=out)


def test_a_style_moves_uphill_and_stays_where_there_is_nothing_to_gain():
    rng = np.random.default_rng(0)
    changes = SIGMA * rng.standard_normal((40_000, 3))
    rewards = np.sign(rng.standard_normal(40_000) + 0.1 * changes[:, 0] - 0.1 * (changes[:, 1] - 0.5) ** 2)
    up, bent, nothing = fit_style._steps(changes, rewards)
    assert up == SIGMA  # as far as one step goes
    assert bent == pytest.approx(0.5, abs=0.2)
    assert abs(nothing) < 0.3


def test_both_games_of_a_deal_are_one_observation():
    """A deal that is played twice says nothing twice: its games are found together, and their mean is what the error is made of."""
    job = fit_style.StyleJob(
        fit_style.Point(column("values"), np.zeros((CLASSES, SHIFTS))), 0.0, GameConfig(num_players=4, characters="random"), 60, 5
    )
    *_, played = fit_style.StyledGames(job).play()
    sample = fit_style.Sample(**played)
    assert np.unique(sample.deals, return_counts=True)[1].tolist() == [2] * 30
    for deal in np.unique(sample.deals):
        one, other = np.flatnonzero(sample.deals == deal)
        assert (sample.kinds[one] == sample.kinds[other]).all()
        assert (sample.styled[one] == ~sample.styled[other]).all()
    paired = fit_style.Sample(
        styled=np.array([[True, False]] * 8), kinds=np.zeros((8, 2)), changes=np.zeros((8, 2, 1)), deals=np.array([1, 2, 3, 4, 4, 3, 2, 1]),
        rewards=np.array([[1, -1], [-1, 1], [1, -1], [0, 0], [0, 0], [1, -1], [-1, 1], [1, -1]]),
    )  # fmt: skip
    found = fit_style.gain([paired])
    assert found.mean == 0.5
    assert found.error == pytest.approx(np.std([2, -2, 2, 0], ddof=1) / 2)
    assert fit_style.gain([paired, paired]).error == pytest.approx(np.std([2, -2, 2, 0] * 2, ddof=1) / np.sqrt(8)), "other deals"


@pytest.mark.parametrize("fit", [fit_deducer, fit_style, fit_values])
def test_a_refusal_begins_with_the_name_of_the_fit(fit, tmp_path, capsys):
    name = fit.__name__.rpartition(".")[2]
    for words in (["--games", "few"], ["--out", str(tmp_path / "nowhere" / "at_all.json")], ["--seed", "-1"]):
        with pytest.raises(SystemExit) as leaving:
            options.run_function(fit.main, words)
        said = capsys.readouterr().err
        assert (leaving.value.code, said.count("\n")) == (2, 1)
        assert said.startswith(f"{name}: ")
