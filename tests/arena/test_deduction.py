"""Studies of deduction: scores with known answers, what events tell, and the report."""

import contextlib
import csv
import io
import itertools
import json
import math
import multiprocessing
import os
import re
import sys
from html.parser import HTMLParser

import numpy as np
import pytest
from rich.console import Console
from scipy.stats import ttest_1samp

from danmaku_env import Game, GameConfig, Scenario
from danmaku_env.agents.registry import make
from danmaku_env.arena.deduction import intermediate_states as states
from danmaku_env.arena.deduction import study as deduction
from danmaku_env.arena.deduction.belief_models import BASELINE, Frequencies, make_belief_models
from danmaku_env.arena.deduction.games import LEVELS, REST, BeliefScorer, StudyStep, play, together
from danmaku_env.arena.deduction.measures import measure
from danmaku_env.arena.deduction.parts import FINDINGS, judged, judging
from danmaku_env.arena.deduction.report import Study, make_report
from danmaku_env.arena.deduction.scores import (
    LEAST_PROBABILITY,
    bin_of,
    calibration,
    calibration_error,
    calibration_estimate,
    is_open,
    score,
)
from danmaku_env.arena.jobs.parts import Parts
from danmaku_env.beliefs.factions import FACTIONS
from danmaku_env.cards.box import NUM_ROLES, ROLE_IDS
from danmaku_env.commands import main as cli
from danmaku_env.console.cli_errors import BAD_USAGE
from danmaku_env.console.errors import Stopped, UserError
from danmaku_env.console.run_folders import locked_folder
from danmaku_env.engine import events
from danmaku_env.engine import state as st
from danmaku_env.estimates import plain, ratio, signed
from danmaku_env.jit.kernels import JIT
from tests.command import exit_status

HERE = "tests.arena.test_deduction"
FIVE = GameConfig(num_players=5, characters="random")
SHORT = GameConfig(num_players=4, characters="random", max_turns=6)
SEEDED = "tests.arena.bots:Seeded"


class Double:
    """Believes something; never plays."""

    name = "double"

    def __init__(self, seed: int = 0):
        pass

    def reset(self, seed):
        pass

    def act(self, observations, masks, info_states=None):
        return masks.argmax(1)


class Oracle(Double):
    """Knows the truth, against all rules."""

    def posterior(self, observations, info_states):
        beliefs = np.zeros((len(info_states), 8, NUM_ROLES))
        for row, (record, seat) in enumerate(zip(info_states._games, info_states.seats, strict=True)):
            for other in range(info_states.config.num_players):
                beliefs[row, other, record["role"][(seat + other) % info_states.config.num_players]] = 1
        return beliefs


class Drawing(Oracle):
    """Believes what it draws, and changes its mind at every call."""

    def reset(self, seed):
        self.rng = np.random.default_rng(seed)

    def posterior(self, observations, info_states):
        drawn = super().posterior(observations, info_states)
        drawn[:, :, 1:] += self.rng.random((*drawn.shape[:2], NUM_ROLES - 1)) * drawn.any(-1, keepdims=True)
        return drawn / np.maximum(drawn.sum(-1, keepdims=True), 1e-9)


class Halves(Oracle):
    """States nonsense."""

    def posterior(self, observations, info_states):
        return super().posterior(observations, info_states) / 2


class Flat(Oracle):
    """States too little."""

    def posterior(self, observations, info_states):
        return super().posterior(observations, info_states)[0]


class Silent(Oracle):
    def posterior(self, observations, info_states):
        raise RuntimeError("no comment")


class Wrong(Double):
    """Gives answers that are not legal."""

    def act(self, observations, masks, info_states=None):
        return masks.argmin(1)


class Scribbler(Double):
    """Writes into the mask that all is legal, and answers illegally."""

    def act(self, observations, masks, info_states=None):
        illegal = masks.argmin(1)
        masks[:] = 1
        return illegal


class Leaver(Oracle):
    def posterior(self, observations, info_states):
        raise SystemExit(0)


class Far(Oracle):
    """Fails in other processes than the one that was started."""

    def posterior(self, observations, info_states):
        if multiprocessing.parent_process():
            self.fail()
        return super().posterior(observations, info_states)

    def fail(self):
        raise RuntimeError("no comment")


class Gone(Far):
    """Ends them."""

    def fail(self):
        os._exit(7)


def judged_once(config, seeds, belief_models):
    """The findings at the first question of each of these games."""
    scorer = BeliefScorer([f"number {number}" for number in range(len(belief_models))], belief_models, config, len(seeds))
    first = np.concatenate([Game.new(config, seed).records for seed in seeds])
    none = np.zeros(0, np.int64)
    scorer.see(StudyStep(none, first[:0], none, first[:0], np.arange(len(seeds)), first, 0))
    return scorer.findings()


def small(monkeypatch, **options):
    """A study of short games."""
    config = GameConfig(num_players=4, characters="random", max_turns=6)
    monkeypatch.setattr(Study, "config", lambda self: config)
    return Study.from_dict({"belief_models": (f"{HERE}:Oracle",), "agents": (SEEDED,), "players": 4, "games": 3, **options})


# ---------------------------------------------------------------- scores


def test_scores_of_one_statement():
    found = score(np.array([[0.5, 0.25, 0.25], [0.0, 0.5, 0.5], [1.0, 0.0, 0.0]]), np.array([1, 2, 1]))
    assert found.log_loss == pytest.approx([2, 1, -math.log2(LEAST_PROBABILITY)])
    assert found.brier == pytest.approx([0.25 + 0.5625 + 0.0625, 0.5, 2])
    assert found.top1.tolist() == [0, 0.5, 0]


def test_who_knows_the_truth_loses_nothing():
    config = GameConfig(num_players=6, characters="random")
    found = judged_once(config, range(3), [Frequencies(), Oracle()])
    assert len(found.game) == 3 * (5 + 5 * 4)  # the Heroine judges five seats, everybody else four
    assert (found.scores.log_loss[:, 1] == 0).all()
    assert (found.scores.brier[:, 1] == 0).all()
    assert (found.scores.top1[:, 1] == 1).all()
    assert calibration_error(found.calibration.sum(0))[1].tolist() == [0, 0]


def test_frequencies_at_a_table_of_four():
    """Basic roles: a Heroine, two Stage Bosses, an EX Boss."""
    found = judged_once(GameConfig(num_players=4, roles="basic", characters="random"), range(4), [Frequencies()])
    half, third = 1.0, math.log2(3)
    for level in range(len(LEVELS)):
        loss, brier, top1 = (part[:, 0, level] for part in found.scores)
        heroine = found.observer == FACTIONS["Heroine"]
        stage, extra = (found.judged == FACTIONS[name] for name in ("Stage Boss", "Extra Boss"))
        assert loss[heroine & stage] == pytest.approx(np.full(8, third - 1))
        assert loss[heroine & extra] == pytest.approx(np.full(4, third))
        assert brier[heroine & stage] == pytest.approx(np.full(8, 2 / 9))
        assert brier[heroine & extra] == pytest.approx(np.full(4, 8 / 9))
        assert (top1[heroine & stage] == 1).all()
        assert (top1[heroine & extra] == 0).all()
        boss = found.observer == FACTIONS["Stage Boss"]  # one of the two hidden seats is the other Stage Boss
        assert loss[boss] == pytest.approx(np.full(16, half))
        assert brier[boss] == pytest.approx(np.full(16, 0.5))
        assert (top1[boss] == 0.5).all()
        assert (loss[found.observer == FACTIONS["Extra Boss"]] == 0).all()  # she knows them all


def beliefs(*rows):
    """[S, NUM_ROLES] from {role: probability}."""
    found = np.zeros((len(rows), NUM_ROLES))
    for row, stated in zip(found, rows, strict=True):
        for role, chance in stated.items():
            row[ROLE_IDS.index(role)] = chance
    return found


def test_measures_of_beliefs_from_arrays():
    """By hand: two games, the first with two statements, the second with one."""
    stated = beliefs(
        {"partner": 0.25, "ex_midboss": 0.25, "stage_boss": 0.5}, {"stage_boss": 0.5, "final_boss": 0.25, "ex_boss": 0.25}, {"ex_boss": 1.0}
    )
    truth = np.array([ROLE_IDS.index(role) for role in ("partner", "final_boss", "ex_boss")])
    games = np.array([7, 7, 9])
    prior = beliefs({"partner": 0.5, "stage_boss": 0.5}, {"final_boss": 0.125, "stage_boss": 0.875}, {"ex_boss": 0.5, "partner": 0.5})
    exact = beliefs({"partner": 1.0}, {"final_boss": 0.5, "stage_boss": 0.5}, {"ex_boss": 1.0})
    found = measure(stated, truth, games, prior=prior, reference=exact)
    assert found.role_loss.mean == pytest.approx((2 + 2 + 0) / 3)
    assert found.faction_loss.mean == pytest.approx((1 - math.log2(0.75) + 0) / 3), "the EX Midboss is dealt as a Partner"
    assert found.brier.mean == pytest.approx((0.75**2 + 0.25**2 + 0.5**2 + (0.75**2 + 0.5**2 + 0.25**2) + 0) / 3)
    assert found.above_reference.mean == pytest.approx((2 + 1 + 0) / 3)
    assert found.saved.mean == pytest.approx((-1 + 1 + 1) / 3)
    assert {name: one.mean for name, one in found.by_role.items()} == {"partner": 2, "final_boss": 2, "ex_boss": 0}
    assert {name: (one.deals, one.mean) for name, one in found.by_faction.items()} == {
        "Partner": (1, 1), "Stage Boss": (1, pytest.approx(-math.log2(0.75))), "Extra Boss": (1, 0)
    }  # fmt: skip
    # in the bins: 0.2 to 0.3 holds 0.25 twice, both true; 0.5 to 0.6 holds 0.5 twice, none true; 0 once (Partner, not so), 1 once (so)
    assert found.calibration_error.mean == pytest.approx((abs(0.5 - 2) + abs(1.0 - 0) + 0 + 0) / 6)
    assert (found.role_loss.deals, found.role_loss.low < found.role_loss.mean < found.role_loss.high) == (2, True)


@pytest.mark.parametrize(
    ("chances", "truth", "words"),
    [
        (np.full((1, NUM_ROLES), 0.5), [1], "do not sum to 1"),
        (np.ones((1, 3)), [1], "not the shape"),
        (beliefs({"partner": 1.0}), [NUM_ROLES], "true roles are numbers from 0"),
        (beliefs({"partner": 2.0, "rival": -1.0}), [1], "are no probabilities"),
        (beliefs({"partner": np.nan}), [1], "statement 0 do not sum to 1"),
        (beliefs(), [], "not the shape"),
    ],
)
def test_what_is_no_belief_is_refused_in_a_sentence(chances, truth, words):
    with pytest.raises(UserError, match=words):
        measure(chances, np.array(truth, np.int64), np.zeros(len(truth), np.int64))


def test_calibration_tells_honest_from_overconfident():
    rng = np.random.default_rng(1)
    chances = rng.random((50, 2000))
    true = rng.random(chances.shape) < chances
    bold = np.where(chances > 0.5, 0.5 + chances / 2, chances / 2)
    honest, overconfident = (np.stack([calibration(game, so) for game, so in zip(stated, true, strict=True)]) for stated in (chances, bold))
    assert calibration_error(honest.sum(0)) < 0.01
    assert calibration_error(overconfident.sum(0)) == pytest.approx(0.125, abs=0.01)
    found = calibration_estimate(overconfident, 0.99)
    assert found.low < found.mean < found.high < found.low + 0.02


def test_exact_odds_fall_into_the_bin_that_they_begin():
    """A fifth as a sum of floats may be a rounding below it; and a prior a rounding below 1 leaves nothing open."""
    below = np.array([0.3, 0.2, 0.7]) - 1e-15
    assert bin_of(below).tolist() == bin_of(below + 2e-15).tolist() == [3, 2, 7]
    assert is_open(np.array([0.0, 1e-12, 0.2, 1 - 1e-12, 1.0])).tolist() == [False, False, True, False, False]


@pytest.mark.parametrize("games", [1, 5])
def test_a_game_and_its_copies_tell_nothing_of_the_calibration_in_others(games):
    game = calibration(np.array([0.9, 0.2]), np.array([True, False]))
    found = calibration_estimate(np.stack([game] * games), 0.99)
    assert (found.mean, found.low, found.high) == (pytest.approx(0.15), 0, 1)


@pytest.mark.parametrize("error", [0.0, 0.02, 0.05])
def test_the_interval_of_the_calibration_error_holds_it(error):
    """Also for a belief model who states the very truth: what chance adds to the error is no reason to doubt that."""
    rng, held, studies = np.random.default_rng(3), 0, 60
    for _ in range(studies):
        chances = rng.uniform(0.1, 0.9, (200, 20))
        true = rng.random(chances.shape) < chances - error * np.sign(chances - 0.5)
        found = calibration_estimate(np.stack([calibration(game, so) for game, so in zip(chances, true, strict=True)]), 0.95)
        assert 0 <= found.low <= found.mean <= found.high
        held += found.low <= error <= found.high
    assert held >= 0.9 * studies


def test_the_game_is_the_independent_unit():
    rng = np.random.default_rng(2)
    means = rng.normal(1, 1, 40)
    found = ratio(means * 7, np.full(40, 7), 0.95)  # statements of a game that say all the same count once
    interval = ttest_1samp(means, 0).confidence_interval(0.95)
    assert (found.mean, found.low, found.high) == pytest.approx((means.mean(), *interval))
    assert found.p == pytest.approx(ttest_1samp(means, 0).pvalue)
    assert ratio(np.array([1.0, 0.0, 6.0]), np.array([1, 0, 3]), 0.95).mean == 7 / 4
    assert not math.isfinite(ratio(np.array([1.0]), np.array([1]), 0.95).half)


def test_games_that_are_all_alike_do_not_make_certain():
    alike = ratio(np.full(2, 0.5), np.array([1, 1]), 0.95)
    assert (alike.mean, alike.p) == (0.5, 0.5)
    assert not math.isfinite(alike.half)
    assert plain(alike, 2) == "0.50"
    assert signed(alike, 2) == "+0.50"
    counts = np.array([3, 1, 7])
    assert not math.isfinite(ratio(counts * 0.1, counts, 0.95).half), "they differ by rounding"
    nothing = ratio(np.zeros(5), np.ones(5), 0.95)
    assert (nothing.mean, nothing.p) == (0, 1)
    assert not math.isfinite(nothing.half), "none of five right is no more certain than five of five"


# ---------------------------------------------------------------- events


@pytest.mark.parametrize("players", [6, 8])
def test_the_last_intermediate_state_remembers_what_the_next_question_does(players):
    """Log, counted interactions and open roles, also where the ring of the log is full and where roles are exchanged."""
    games = 24 if JIT else 1
    seen = set()
    steps = play([make(SEEDED, 0)], GameConfig(num_players=players, characters="random"), range(games), 0)
    for step in itertools.islice(steps, None if JIT else 60):
        for before, after in zip(step.before, step.after, strict=True):
            found = states.intermediate_states(before, after)
            assert len(found) == after["log_count"] - before["log_count"]
            last = found[-1] if len(found) else before
            for field in ("log", "log_count", "tallies", "role", "role_seen", "active", "ruled_out"):
                assert (last[field] == after[field]).all(), field
            seen |= {events.EVENT_WORDS[event[st.EVENT]] for event in states.new_events(before, after)}
            seen |= {"full ring"} if after["log_count"] > st.LOG_ROWS else set()
    assert not JIT or {"defeat", "gain", "give", "roles", "full ring"} <= seen


def test_types_of_events():
    s = Scenario(4).seat(0, role="heroine", hand=["shoot"]).seat(1, role="stage_boss", hand=["graze"])
    game = s.turn(0, step="main").build(seed=1)
    start = game.records.copy()[0]
    game.act("play shoot")
    game.act("choose seat:1")
    events = states.new_events(start, game.record)
    assert [states.event_type(event, 0) for event in events][:2] == ["harmful play on another", "attack on another"]
    assert [states.event_type(event, 1) for event in events][:2] == ["harmful play on Heroine", "attack on Heroine"]
    assert states.heroine_of(game.record) == 0


def test_a_spectator_knows_only_what_lies_open():
    config = GameConfig(num_players=6, characters="random")
    records = np.concatenate([Game.new(config, 3).records] * 2)
    heroine = states.heroine_of(records[0])
    records["role_seen"][1, (heroine + 1) % 6] |= 1 << heroine  # as after an exchange of roles
    scorer = BeliefScorer([BASELINE], [Frequencies()], config, 1)
    one, other = scorer._truth_bits(records, np.array([heroine, heroine]), [])
    assert (one == other).all()
    assert (one < 0).all()


def study_games(study, labels, belief_models):
    """The findings of all games, played in this process."""
    return together([[*judged(study, labels, belief_models, part)][-1] for part in range(study.parts)])


@pytest.mark.skipif(not JIT, reason="too many games without the compiler")
def test_the_deducer_beats_counting_and_its_gains_add_up():
    study = Study(belief_models=("heuristic", "deducer"), table=FIVE, games=40, seed=1)
    labels = (BASELINE, *study.belief_models)
    findings = study_games(study, labels, make_belief_models(study.belief_models, 0))
    report = make_report(study, labels, findings, {})
    for level in LEVELS:
        baseline, _, deducer = report.section().qualities[level]
        assert deducer.saved.low > 0
        assert deducer.brier.mean < baseline.brier.mean
        assert deducer.top1.mean > baseline.top1.mean
        assert [report.reliability[level][who].error.mean < 0.05 for who in (0, 2)] == [True, True]
    sums = np.zeros_like(findings.gained)
    np.add.at(sums, findings.event_game, findings.gains)
    assert sums == pytest.approx(findings.gained)
    rest = findings.event_type == findings.types.index(REST)
    assert findings.gains[rest] == pytest.approx(0)  # all they go by is in the log, and the intermediate states show it
    told = {event.name: event.whole["faction"] for event in report.events}
    assert {name for name, whole in told.items() if abs(whole[0].mean) > 1e-9} == {"defeat", "reveal"}
    assert told["harmful play on Heroine"][2].mean > 0
    parts = sum(whole[2].mean for whole in told.values())
    assert parts == pytest.approx(report.gained["faction"][2].mean)
    rounds = [section.qualities["faction"][2].log_loss.mean for section in report.by("round")]
    assert rounds[1] < rounds[0]


def test_every_event_of_an_oracle_tells_nothing(monkeypatch):
    study = small(monkeypatch)
    findings = study_games(study, (BASELINE, "oracle"), [Frequencies(), Oracle()])
    assert (findings.gains[:, 1] == 0).all()
    assert set(findings.game) == {0, 1, 2}


# ---------------------------------------------------------------- the command


def run(study, folder):
    console = Console(file=io.StringIO(), width=80)
    report = deduction.run(study, out=folder, console=console)
    return report, console.file.getvalue()


def test_the_same_study_gives_the_same_files(tmp_path, monkeypatch):
    study = small(monkeypatch)
    _, words = run(study, tmp_path / "one")
    run(study, tmp_path / "two")
    for name in (deduction.REPORT, deduction.PAGE):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    data = json.loads((tmp_path / "one" / deduction.REPORT).read_text())
    assert data["study"] == study.to_dict()
    assert data["command"].startswith(f"danmaku deduce {HERE}:Oracle --players 4 --roles advanced --games 3 --seed 0 --agents {SEEDED}")
    section = data["sections"][0]
    assert (section["by"], section["qualities"]["faction"][f"{HERE}:Oracle"]["log_loss"]["mean"]) == ("all", 0)
    assert [entry["name"] for entry in data["sections"] if entry["by"] == "judged"] == ["Stage Boss", "Extra Boss"]
    assert "Counting role cards leaves" in words
    overall = list(csv.DictReader((tmp_path / "one" / "tables" / "overall.csv").read_text().splitlines()))
    assert [(row["section"], row["belief model"]) for row in overall[:2]] == [("by faction", BASELINE), ("by faction", f"{HERE}:Oracle")]
    assert float(overall[0]["log loss, bits"]) == data["sections"][0]["qualities"]["faction"][BASELINE]["log_loss"]["mean"]
    assert {path.name for path in (tmp_path / "one" / "plots").iterdir()} == {
        "by_round.svg",
        "by_role.svg",
        "reliability.svg",
        "events.svg",
    }
    assert "inf" not in words + (tmp_path / "one" / deduction.REPORT).read_text()
    assert max(map(len, words.splitlines()[:-1])) <= 80
    _check_page((tmp_path / "one" / deduction.PAGE).read_text())
    with pytest.raises(UserError, match="holds a study already"):
        run(study, tmp_path / "one")


@pytest.mark.parametrize("reference", [False, True])
def test_a_study_that_was_interrupted_goes_on_to_the_same_bytes(reference, tmp_path, monkeypatch):
    """Two agents take turns in the seats across parts of one and three games, and a damaged part is judged again."""
    monkeypatch.setattr(Study, "PART_SIZE", 3)
    agents = ("heuristic", "deducer")
    study = small(monkeypatch, belief_models=("heuristic", "deducer"), agents=agents, reference=reference, games=7)
    run(study, tmp_path / "whole")
    keep, kept = Parts.keep, []

    def interrupted(parts, part, blobs):
        if len(kept) == 2:
            raise KeyboardInterrupt
        kept.append(part)
        keep(parts, part, blobs)

    monkeypatch.setattr(Parts, "keep", interrupted)
    console = Console(file=io.StringIO(), width=60)
    with pytest.raises(Stopped):
        deduction.run(study, out=tmp_path / "parts", console=console)
    assert not (tmp_path / "parts" / deduction.REPORT).exists()
    said = console.file.getvalue().replace("\n", " ")
    assert "Stopped: 6 of 7 games are finished and kept. To go on: danmaku deduce heuristic deducer" in said
    assert f"--out {tmp_path}/parts --resume" in said
    monkeypatch.setattr(Parts, "keep", lambda parts, part, blobs: (kept.append(part), keep(parts, part, blobs)))
    (tmp_path / "parts" / "findings" / "part-00001.npz").write_bytes(b"of another study")
    deduction.run(study, out=tmp_path / "parts", resume=True, console=Console(quiet=True))
    assert kept == [0, 1, 1, 2]
    for name in (deduction.REPORT, deduction.PAGE):
        assert (tmp_path / "parts" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


@pytest.mark.parametrize(
    ("belief_model", "reason"),
    [
        ("Far", f"the agent '{HERE}:Far' failed while it was asked for its belief: RuntimeError: no comment"),
        ("Gone", "a process that asks the belief models was ended, from outside or by an agent"),
        ("Oracle", ""),
    ],
)
def test_processes_share_a_study_and_none_stays_behind(belief_model, reason, tmp_path):
    study = Study(belief_models=(f"{HERE}:{belief_model}",), agents=(SEEDED,), table=SHORT, games=3)
    with pytest.raises(UserError, match=reason) if reason else contextlib.nullcontext():
        deduction.run(study, out=tmp_path / "shared", processes=2, console=Console(quiet=True))
    assert not multiprocessing.active_children()
    assert (tmp_path / "shared").exists() == (not reason)
    if not reason:
        deduction.run(study, out=tmp_path / "alone", console=Console(quiet=True))
        assert (tmp_path / "shared" / deduction.REPORT).read_bytes() == (tmp_path / "alone" / deduction.REPORT).read_bytes()


def test_a_belief_model_is_as_new_in_every_part(tmp_path, monkeypatch):
    """So what it draws, or remembers, does not depend on which process judges which parts, or on what came before."""
    monkeypatch.setattr(Study, "PART_SIZE", 2)
    study = Study(belief_models=(f"{HERE}:Drawing",), agents=(SEEDED,), table=SHORT, games=6)
    deduction.run(study, out=tmp_path / "alone", console=Console(quiet=True))
    work = judging(study)
    do = work.begin(*work.given)
    for part in (2, 1):
        *_, done = do(part, None)
        assert done.blobs[FINDINGS] == (tmp_path / "alone" / FINDINGS / f"part-{part:05}.npz").read_bytes()


def test_statements_are_the_numbers_that_are_reported(tmp_path):
    """A row for each belief model and hidden seat; the same file from one process or two, and the report counts these rows."""
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    pytest.importorskip("pyarrow", reason="statements need pyarrow: pip install 'danmaku-env[data]'")
    games = Study.PART_SIZE + 3 if JIT else 3
    study = Study(belief_models=("heuristic", f"{HERE}:Oracle"), agents=(SEEDED, "random"), table=SHORT, games=games, statements=True)
    for name, processes in (("alone", 1), ("shared", 2)):
        report = deduction.run(study, out=str(tmp_path / name), processes=processes, console=Console(quiet=True))
    assert (tmp_path / "alone" / deduction.STATEMENTS).read_bytes() == (tmp_path / "shared" / deduction.STATEMENTS).read_bytes()
    rows = pandas.read_parquet(tmp_path / "alone" / deduction.STATEMENTS)
    assert len(rows) == 3 * report.section().statements
    assert rows["belief_model"].unique().tolist() == list(report.labels)
    order = rows[["game", "turn"]].apply(tuple, axis=1)
    assert (order.is_monotonic_increasing, (rows["observer"] != rows["seat"]).all(), set(rows["game"])) == (True, True, set(range(games)))
    chances = rows.filter(like="p_")
    assert chances.sum(axis=1).to_numpy() == pytest.approx(1)
    true = chances.to_numpy()[np.arange(len(rows)), chances.columns.get_indexer("p_" + rows["truth"].astype(str))]
    loss = pandas.Series(-np.log2(np.maximum(true, LEAST_PROBABILITY))).groupby(rows["belief_model"], observed=True).mean()
    assert [loss[name] for name in report.labels] == pytest.approx(
        [quality.log_loss.mean for quality in report.section().qualities["role"]], abs=1e-5
    )
    by_name = {name: rows[rows["belief_model"] == name] for name in report.labels}
    truths = np.array([ROLE_IDS.index(role) for role in by_name[BASELINE]["truth"]])
    stated = {name: some.filter(like="p_").to_numpy(np.float64) for name, some in by_name.items()}
    for number, name in enumerate(report.labels):
        found = measure(stated[name], truths, by_name[name]["game"].to_numpy(), prior=stated[BASELINE])
        told = report.section().qualities["role"][number]
        assert (found.role_loss.mean, found.brier.mean, found.saved.mean) == pytest.approx(
            (told.log_loss.mean, told.brier.mean, told.saved.mean), abs=1e-5
        )
        assert found.role_loss.half == pytest.approx(told.log_loss.half, abs=1e-4)
        assert found.faction_loss.mean == pytest.approx(report.section().qualities["faction"][number].log_loss.mean, abs=1e-5)
        assert found.calibration_error.mean == pytest.approx(report.reliability["role"][number].error.mean, abs=1e-3)
    first = Game.new(study.config(), study.seeds()[0])
    while first.turn_number < 1:
        first.act(first.legal()[0])
    roles = [seat.role for seat in first.seats]
    for row in rows[(rows["game"] == 0) & (rows["turn"] == 1)].itertuples():
        assert (row.observer_role, row.truth) == (roles[row.observer], roles[row.seat])
        assert row.truth != "heroine", "she lies open"


def test_statements_of_a_study_that_was_interrupted_are_not_left_beside_another(tmp_path, monkeypatch):
    (tmp_path / deduction.STATEMENTS).write_bytes(b"of another study")
    run(small(monkeypatch), tmp_path)
    assert not (tmp_path / deduction.STATEMENTS).exists()


def test_statements_without_the_library_for_them_are_refused_at_once(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "danmaku_env.arena.deduction.statements", None)
    with pytest.raises(UserError, match=r"needs the package .*: pip install 'danmaku-env\[data\]'"):
        run(small(monkeypatch, statements=True), tmp_path / "study")
    assert not (tmp_path / "study").exists()


def test_a_study_of_numpy_numbers_is_written_as_any_other(tmp_path, monkeypatch):
    numbers = {
        "games": np.int64(3),
        "seed": np.uint8(0),
        "players": np.int8(4),
        "confidence": np.float64(0.99),
        "reference": np.bool_(False),
    }
    assert small(monkeypatch, **numbers, agents=[np.str_(SEEDED)]) == small(monkeypatch)
    run(small(monkeypatch, **numbers), tmp_path)
    assert json.loads((tmp_path / deduction.REPORT).read_text())["study"] == small(monkeypatch).to_dict()


def test_two_studies_in_one_folder_are_refused_and_half_a_report_is_none(tmp_path, monkeypatch):
    """The page is written first: who is stopped before the report is there can begin again."""
    study, folder = small(monkeypatch), tmp_path / "study"
    with locked_folder(folder, folder), pytest.raises(UserError, match="is being filled at this moment"):
        run(study, folder)
    assert not folder.exists()
    monkeypatch.setattr(deduction, "REPORT", "no/where")
    with pytest.raises(UserError, match="the report cannot be written"):
        run(study, folder)
    monkeypatch.undo()
    assert {path.name for path in folder.iterdir() if path.is_file()} == {deduction.PAGE, Study.FILE}
    deduction.run(small(monkeypatch), out=folder, resume=True, console=Console(quiet=True))
    assert (folder / deduction.REPORT).exists()


def _check_page(text):
    sources = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag, attrs):
            sources.extend(value for name, value in attrs if name in ("src", "href"))

    Reader().feed(text)
    assert text.count("<table") == text.count('<div class="wide"><table'), "a table too wide for the page can be moved"
    assert not re.search(r"\S·|·\S", text)
    assert len(sources) == 4
    assert all(source.startswith("data:image/svg+xml;base64,") for source in sources)


def test_another_seed_gives_other_games(monkeypatch):
    study = small(monkeypatch)
    assert set(study.seeds()).isdisjoint(small(monkeypatch, seed=1).seeds())
    assert study.seeds()[:2] == small(monkeypatch, games=2).seeds()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (
            {"belief_models": (SEEDED,)},
            f"{SEEDED}' does not say what it believes about the roles; those that do are neural, heuristic, deducer",
        ),
        ({"belief_models": ("nobody",)}, "there is no agent 'nobody'"),
        ({"belief_models": (f"{HERE}:Halves",)}, "states a belief that is no probability"),
        ({"belief_models": (f"{HERE}:Flat",)}, "must state its belief as numbers of shape"),
        ({"belief_models": (f"{HERE}:Silent",)}, "RuntimeError: no comment"),
        ({"belief_models": (f"{HERE}:Leaver",)}, "SystemExit: 0"),
        ({"agents": (f"{HERE}:Wrong",)}, "an answer that is not legal"),
        ({"agents": (f"{HERE}:Scribbler",)}, "an answer that is not legal"),
        ({"agents": ("nobody",)}, "there is no agent 'nobody'"),
    ],
)
def test_what_cannot_be_studied_is_refused_in_a_sentence(tmp_path, monkeypatch, options, words):
    study = small(monkeypatch, **options)
    with pytest.raises(UserError) as error:
        run(study, tmp_path)
    assert words in str(error.value)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"games": 1}, "from 2 to"),
        ({"games": 2.5}, "from 2 to .*, not 2.5"),
        ({"confidence": 1.0}, "between 0 and 1"),
        ({"players": 9}, "from 4 to 8"),
        ({"characters": ("cirno",) * 6}, "in a plan, not"),
        ({"candidates": 5}, "from 2 to 4, not 5"),
        ({"seed": -1}, "a seed is a whole number"),
        ({"agents": ()}, "somebody must play"),
        ({"belief_models": ("deducer", "deducer")}, "named twice"),
        ({"belief_models": "deducer"}, "belief models are named by a tuple of words, .* not 'deducer'"),
        ({"agents": "heuristic"}, "agents are named by a tuple of words, .* not 'heuristic'"),
    ],
)
def test_a_study_that_makes_no_sense(options, words):
    with pytest.raises(UserError, match=words):
        Study.from_dict({"belief_models": (), **options})


def test_the_command_relays(capsys, monkeypatch, tmp_path):
    asked = {}
    monkeypatch.setattr(deduction, "run", lambda study, **given: asked.update(study=study, **given))
    words = ["deduce", "deducer", "-n", "5", "--agents", "random,heuristic", "--games", "7", "--seed", "3", "--out", str(tmp_path)]
    assert exit_status(cli.main, *words) == 0
    assert asked["study"] == Study(belief_models=("deducer",), agents=("random", "heuristic"), table=FIVE, games=7, seed=3)
    assert (asked["out"], asked["processes"], asked["ray"], asked["resume"]) == (tmp_path, None, False, False)
    assert exit_status(cli.main, *words, "--processes", "3") == 0
    assert asked["processes"] == 3
    assert exit_status(cli.main, "deduce", "--games", "1") == BAD_USAGE
    assert "games must be from 2 to" in capsys.readouterr().err


@pytest.mark.parametrize("characters", ["choose", "double_threat", "none"])
def test_games_are_set_up_as_the_command_says(tmp_path, characters):
    """Also where whoever plays chooses characters, questions at which belief models are asked before anybody has one."""
    asked = ["--characters", characters, "--candidates", "3", "--max-turns", "4", "--ask-seasons"]
    words = ["deduce", "deducer", "-n", "4", "--agents", "heuristic", "--games", "2", "--reference", "--out", str(tmp_path)]
    assert exit_status(cli.main, *words, *asked) == 0
    data = json.loads((tmp_path / deduction.REPORT).read_text())
    assert {"characters": characters, "candidates": 3, "max_turns": 4, "ask_seasons": True}.items() <= data["study"].items()
    assert " ".join(asked) in data["command"]


def test_a_belief_for_a_seat_that_is_not_there_is_not_looked_at():
    config = GameConfig(num_players=4, characters="random")
    game = Game.new(config, 0)
    from danmaku_env.agents.base import beliefs_of
    from danmaku_env.info_states import InfoStates

    beliefs = beliefs_of(Oracle(), game.observe(0)[np.newaxis], InfoStates(game.records, np.array([0]), config))
    assert beliefs.shape == (1, 8, NUM_ROLES)
    assert ROLE_IDS[int(beliefs[0, 1].argmax())] == game.seat(1).role
