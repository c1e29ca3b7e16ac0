"""Teams against teams, and the folder of a tournament that is spoiled or wanted twice."""

import json

import numpy as np
import pytest

from danmaku_env import GameConfig
from danmaku_env.arena.matches.match import Job, Result
from danmaku_env.arena.tournaments.page import html_report, plots
from danmaku_env.arena.tournaments.plan import Plan
from danmaku_env.arena.tournaments.record import RESULTS, Record, kept_game
from danmaku_env.arena.tournaments.report import make_report
from danmaku_env.arena.tournaments.statistics import tables
from danmaku_env.beliefs.factions import on_her_side
from danmaku_env.cards.box import ROLE_IDS
from danmaku_env.console.errors import UserError

TEAMS = Plan(agents=("random", "heuristic"), players=(6,), deals=2, teams=True)
ROLES = tuple(map(ROLE_IDS.index, ("heroine", "stage_boss", "partner", "stage_boss", "ex_boss", "ex_midboss")))
HERS = (0, 2)


def game(plan, deal, rotation, hers_win):
    rewards = tuple((1 if hers_win else -1) if seat in HERS else (-1 if hers_win else 1) for seat in range(6))
    return Result((6, deal, rotation), rewards, ROLES, 9)


def results():
    """The heuristic wins on her side, whoever it plays against, and nobody else does."""
    return [game(TEAMS, deal, rotation, rotation >= 2) for deal in range(2) for rotation in range(4)]


def test_each_agent_plays_her_side_against_each_other_on_the_same_deal():
    jobs = TEAMS.jobs(6, 1)
    assert len(jobs) == TEAMS.rotations == 4
    assert len({job.seed for job in jobs}) == 1
    assert [len(set(job.seats)) for job in jobs] == [1, 2, 2, 1]
    assert all(one != other for one, other in zip(jobs[1].seats, jobs[2].seats, strict=True))
    assert on_her_side(np.array(ROLES)).tolist() == [seat in HERS for seat in range(6)]


def test_the_table_of_teams_has_all_pairs_paired_by_deal():
    report = make_report(TEAMS, results(), {}, confidence=0.95)
    data = report.to_dict()
    rows = {(row["heroine side"], row["boss side"]): row for row in data["teams"]}
    assert {pair: (row["won"], row["estimate"], row["boss estimate"]) for pair, row in rows.items()} == {
        ("random", "random"): (0, -1, 1), ("random", "heuristic"): (0, -1, 1),
        ("heuristic", "random"): (1, 1, -1), ("heuristic", "heuristic"): (1, 1, -1),
    }  # fmt: skip
    assert all(low <= row["paired estimate"] <= high for row in rows.values() for low, high in [row["paired interval"]])
    best = data["team_differences"][0]
    assert (best["side"], best["better"], best["than"], best["estimate"]) == ("heroine side", "heuristic", "random", 2)
    assert report.games == 8
    assert "Team against team" in html_report(report, plots(report))
    assert "--teams" in report.command()


def test_an_agent_scores_what_it_did_on_both_sides():
    (table,) = tables(TEAMS, results())
    assert np.allclose(table.scores(), [[-1 / 3, 1 / 3]] * 2)
    assert np.allclose(table.rewards[:, 0, list(HERS)], -1)
    assert np.allclose(table.rewards[:, 0, 1], 0)
    assert np.allclose(table.won("Heroine"), [[0, 1]] * 2)


# ---------------------------------------------------------------- the folder


def kept(folder):
    with Record(folder, TEAMS, {}) as record:
        return sorted(record.results), list(record.remarks)


def begun(folder):
    with Record(folder, TEAMS, {}) as record:
        for result in results():
            record.add(result)
    return folder / RESULTS


def test_a_changed_digit_anywhere_in_a_line_is_noticed(tmp_path):
    file = begun(tmp_path)
    whole = file.read_bytes()
    line = whole.split(b"\n")[0]
    for place in [place for place in range(len(line)) if chr(line[place]).isdigit()]:
        digit = b"%d" % ((line[place] - 48 + 1) % 10)
        file.write_bytes(whole[:place] + digit + whole[place + 1 :])
        found, remarks = kept(tmp_path)
        assert (6, 0, 0) not in found
        assert len(found) == 7
        assert "played again" in remarks[0]
    with pytest.raises(UserError, match="not among the finished games"):
        kept_game(tmp_path, (6, 0, 0))


def test_lines_without_a_checksum_are_taken_with_a_word_and_only_if_they_are_old(tmp_path):
    file = begun(tmp_path)
    old = [{name: value for name, value in json.loads(line).items() if name != "check"} for line in file.read_text().splitlines()]
    old[1]["chack"] = "00000000"
    file.write_text("".join(f"{json.dumps(line)}\n" for line in old))
    found, remarks = kept(tmp_path)
    assert len(found) == 7
    assert (6, 0, 1) not in found
    assert "7 games" in remarks[1]
    assert "without checksums" in remarks[1]


def test_who_comes_second_to_a_folder_leaves_nothing(tmp_path):
    other = Plan(agents=("random", "random"), players=(4,), deals=2)
    folder = tmp_path / "new"
    folder.mkdir()
    with Record(folder, TEAMS, {}):
        before = (folder / Plan.FILE).read_bytes()
        (folder / Plan.FILE).unlink()  # as at the instant when the first has the results and not yet written its plan
        with pytest.raises(UserError, match="at this moment"):
            Record(folder, other, {})
        assert not (folder / Plan.FILE).exists()
        (folder / Plan.FILE).write_bytes(before)
    with pytest.raises(UserError, match="another tournament"):
        Record(folder, other, {})


# ---------------------------------------------------------------- numbers of NumPy


def test_plans_and_jobs_take_numbers_of_numpy(tmp_path):
    plan = Plan(
        agents=("random", "random"),
        players=(np.int64(4),),
        deals=np.int32(2),
        seed=np.uint8(3),
        time_limit=np.float32(2.5),
        table=GameConfig(max_turns=np.int16(90)),
    )
    assert plan == Plan.from_dict(json.loads(json.dumps(plan.to_dict())))
    job = Job(key=(np.int64(1),), seed=np.int64(2), seats=tuple(np.arange(4)))
    assert json.dumps([job.key, job.seed, job.seats]) == "[[1], 2, [0, 1, 2, 3]]"
    with pytest.raises(ValueError, match="whole numbers"):
        Job(key=(1,), seed=2.5, seats=(0,))
    with pytest.raises(UserError, match="whole numbers"):
        Plan(agents=("random", "random"), deals=2.0)
