"""Studies: their page is what their results say, predictions are those of their files, and what they change in a game is seen."""

import importlib
import json

import numpy as np
import pytest

from danmaku_env import Game, GameConfig, make_vec
from danmaku_env.agents.registry import make
from danmaku_env.arena.deduction.exact_posterior import ExactPosterior
from danmaku_env.arena.deduction.games import play
from danmaku_env.info_states import InfoStates
from danmaku_env.jit.kernels import JIT
from experiments.studies import telling, what_hiding_pays, what_silence_tells, worth_of_knowing

RESULTS = sorted(telling.HERE.glob("*.json"))
CONFIG = GameConfig(num_players=6, characters="random")


def test_the_page_is_what_the_results_say():
    assert RESULTS
    assert telling.PAGE.read_text("utf-8") == telling.page()


@pytest.mark.parametrize("path", RESULTS, ids=lambda path: path.stem)
def test_the_predictions_are_those_of_the_file(path):
    told = json.loads(path.read_text("utf-8"))
    study = importlib.import_module(f"experiments.studies.{path.stem}")
    assert [claim["prediction"] for claim in told["claims"]] == list(study.PREDICTIONS)
    assert path.with_suffix(".svg").exists()


def test_who_is_told_roles_knows_them():
    seeds = [3, 4]
    games = worth_of_knowing.plan(CONFIG, seeds, np.random.default_rng(1))
    every = [one for one in games if one.deal == 0 and one.dose == "all roles"]
    assert [one.seat for one in every] == list(range(6))
    record = Game.new(CONFIG, 3).records
    for one in every:
        deals = InfoStates(record, np.array([one.seat]), CONFIG).role_assignments(0)
        assert worth_of_knowing.bits_of(record, one, CONFIG) == pytest.approx(-np.log2(_chance_of_the_truth(deals, record, one.seat)))
        told = record.copy()
        told["role_seen"][0, list(one.told)] |= 1 << one.seat
        assert len(InfoStates(told, np.array([one.seat]), CONFIG).role_assignments(0).weights) == 1


def _chance_of_the_truth(deals, record, seat):
    truth = np.roll(record["role"][0, :6], -seat)
    return deals.weights[(deals.roles == truth).all(1)].sum() / deals.weights.sum()


@pytest.mark.skipif(not JIT, reason="questions of several games")
def test_an_open_role_tells_nothing_and_bits_are_of_the_role():
    vec, hider = make_vec(32, CONFIG), what_hiding_pays.Hider(CONFIG, 0)
    vec.reset(2)
    told = []
    for _ in range(60):
        rows = np.arange(32)
        answers, bits = hider.answers(vec, rows, np.zeros(32))
        hidden = vec.games["role_seen"][rows, vec.seats] != 255
        assert not bits[~hidden].any()
        told += bits[hidden].tolist()
        vec.step(answers)
    assert np.mean(told) > 0.01, "what a seat does tells of its role on average"
    assert max(told) < np.log2(1 / what_hiding_pays.SLIP) + 5


@pytest.mark.skipif(not JIT, reason="whole games")
def test_deeds_and_silences_are_all_there_is_to_hear():
    agents = [make("heuristic", 0)]
    heard = [what_silence_tells.Heard(agents, CONFIG, 2, deeds=deeds) for deeds in (True, False)]
    every = ExactPosterior(agents, CONFIG, 2)
    for step in play(agents, CONFIG, [5, 6], 0):
        for one in (*heard, every):
            one.begin(step.begun)
            if len(step.games):
                one.see(step.games, step.before, step.after, step.answers)
    for seats, table in every.now(0).items():
        parts = [one.now(0).get(seats, np.zeros_like(table)) for one in heard]
        np.testing.assert_allclose(parts[0] + parts[1], table, atol=1e-9)
    assert all(one.now(0) for one in heard)
