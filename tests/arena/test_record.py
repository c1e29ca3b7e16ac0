"""The folder of a tournament: nothing finished is lost, nothing foreign is mixed in."""

import json
import shutil
from pathlib import Path

import pytest

from danmaku_env.arena.jobs.folder import begun, choose_folder
from danmaku_env.arena.matches.match import Fault, Result
from danmaku_env.arena.tournaments.plan import Plan
from danmaku_env.arena.tournaments.record import RESULTS, Record
from danmaku_env.console.errors import UserError

TABLE = Plan(agents=("random", "random"), players=(4,), deals=3)
VERSIONS = {"rules": "abc"}


def result(deal, rotation, **other):
    return Result((4, deal, rotation), **{"rewards": (1, -1, -1, 1), "roles": (1, 2, 3, 4), "decisions": 9, **other})


def keys(folder):
    with Record(folder, TABLE, VERSIONS) as record:
        return sorted(record.results)


def test_games_are_in_the_file_at_once_and_read_again(tmp_path):
    with Record(tmp_path / "new" / "folder", TABLE, VERSIONS) as record:
        record.add(result(0, 1, faults=(Fault(1, 2, 3, "raised", "main", "é"),)))
        assert len((tmp_path / "new/folder" / RESULTS).read_bytes().splitlines()) == 1
        record.add(result(0, 0))
        record.add(result(0, 0, rewards=(0, 0, 0, 0)))
    with Record(tmp_path / "new" / "folder", TABLE, VERSIONS) as record:
        assert record.results == {(4, 0, 1): result(0, 1, faults=(Fault(1, 2, 3, "raised", "main", "é"),)), (4, 0, 0): result(0, 0)}


@pytest.mark.parametrize("cut", [1, 5, 60])
def test_a_torn_line_is_dropped_and_the_next_game_goes_on_a_line_of_its_own(tmp_path, cut):
    with Record(tmp_path, TABLE, VERSIONS) as record:
        record.add(result(0, 0))
        record.add(result(0, 1))
    data = (tmp_path / RESULTS).read_bytes()
    (tmp_path / RESULTS).write_bytes(data[:-cut])
    with Record(tmp_path, TABLE, VERSIONS) as record:
        assert set(record.results) <= {(4, 0, 0), (4, 0, 1)}
        assert (4, 0, 0) in record.results
        record.add(result(1, 0))
    assert {(4, 0, 0), (4, 1, 0)} <= set(keys(tmp_path))


def test_lines_that_are_no_games_of_the_plan_are_dropped(tmp_path):
    with Record(tmp_path, TABLE, VERSIONS) as record:
        record.add(result(2, 1))
    foreign = [result(3, 0), result(0, 2), result(0, 0, faults=(Fault(5, 0, 0, "", "", ""),)), result(0, 0, rewards=(1,), roles=(1,))]
    lines = [json.dumps(there.to_dict()) for there in foreign]
    fault = {"agent": 0, "seat": 0, "decision": 3, "kind": "raised", "question": "main", "words": "no"}
    altered = [
        {"roles": [9999, 2, 3, 4]}, {"roles": [10**30, 2, 3, 4]}, {"roles": [-1, 2, 3, 4]}, {"key": [4.9, 0, 0]}, {"decisions": -5},
        {"faults": "abc"}, *({"faults": [fault | wrong]} for wrong in ({"kind": {}}, {"agent": 0.5}, {"seat": 99}, {"kind": "sleepy"})),
    ]  # fmt: skip
    lines += [json.dumps(result(0, 0).to_dict() | change) for change in altered]
    lines += ["{}", "null", "[1]", "[" * 100_000, "\x00"]
    with (tmp_path / RESULTS).open("a") as file:
        file.write("\n".join(lines) + "\n")
    assert keys(tmp_path) == [(4, 2, 1)] == keys(tmp_path)


def test_missing_chunks(tmp_path, monkeypatch):
    monkeypatch.setattr("danmaku_env.arena.tournaments.plan._CHUNK", 2)
    with Record(tmp_path, TABLE, VERSIONS) as record:
        assert len(list(record.missing())) == 3
        record.add(result(1, 0))
        assert len(list(record.missing())) == 3
        record.add(result(1, 1))
        assert [chunk.jobs[0].key for chunk in record.missing()] == [(4, 0, 0), (4, 2, 0)]


@pytest.mark.parametrize(
    ("plan", "versions", "words"),
    [
        (Plan(agents=("random", "random"), players=(4,), deals=4), VERSIONS, "another tournament: its deals is 3, not 4"),
        (Plan(agents=("random", "heuristic"), players=(4,), deals=3), VERSIONS, "its agents is random, random, not random, heuristic"),
        (TABLE, {"rules": "xyz"}, r"begun with another rules \(abc, now xyz\)"),
    ],
)
def test_another_plan_in_the_same_folder_is_refused(tmp_path, plan, versions, words):
    keys(tmp_path)
    with pytest.raises(UserError, match=words):
        Record(tmp_path, plan, versions)


@pytest.mark.parametrize(("part", "change"), [("plan", {"agents": ["a" * 100_000, "b"]}), ("versions", {"rules": ["a" * 100_000]})])
def test_a_plan_of_endless_words_is_quoted_in_part(tmp_path, part, change):
    keys(tmp_path)
    data = json.loads((tmp_path / Plan.FILE).read_text())
    (tmp_path / Plan.FILE).write_text(json.dumps({**data, part: {**data[part], **change}}))
    with pytest.raises(UserError, match=r"another tournament: its agents|begun with another rules") as error:
        Record(tmp_path, TABLE, VERSIONS)
    assert len(str(error.value)) < 500 + len(str(tmp_path))


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", '{"danmaku_tournament": 1}', '{"danmaku_tournament": 99, "plan": {}, "versions": {}}', "[" * 9999]
)
def test_a_plan_that_cannot_be_read_is_refused(tmp_path, text):
    (tmp_path / Plan.FILE).write_text(text)
    with pytest.raises(UserError, match="no plan of a tournament that can be read"):
        Record(tmp_path, TABLE, VERSIONS)


def test_two_tournaments_in_one_folder_are_refused(tmp_path):
    with Record(tmp_path, TABLE, VERSIONS), pytest.raises(UserError, match="is being filled at this moment"):
        Record(tmp_path, TABLE, VERSIONS)


def test_a_folder_that_cannot_be_made_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match=r"nothing can be written to .*: (Not a directory|File exists)"):
        Record(tmp_path / "file", TABLE, VERSIONS)


def test_folders(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    default, other = Plan.FOLDER, Plan(agents=("random", "random"), players=(5,), deals=3)

    def choose(plan, *, resume, asked=None):
        with begun(choose_folder(asked, plan, VERSIONS, resume=resume), plan, VERSIONS) as folder:
            return folder

    with pytest.raises(UserError, match="no tournament of this plan"):
        choose(TABLE, resume=True)
    assert choose(TABLE, resume=False) == default
    assert choose(TABLE, resume=False) == Path("runs/tournament-2")
    shutil.rmtree("runs/tournament-2")
    assert choose(TABLE, resume=True) == default
    with pytest.raises(UserError, match="no tournament of this plan"):
        choose(other, resume=True)
    with pytest.raises(UserError, match="holds a tournament already: add --resume"):
        choose(TABLE, resume=False, asked=default)
    with pytest.raises(UserError, match="there is no tournament in"):
        choose(TABLE, resume=True, asked=tmp_path)
    assert choose(TABLE, resume=True, asked=default) == default


def test_what_an_agent_says_can_always_be_written(tmp_path):
    """A message that no file can hold, as the name of an undecodable file is, is kept with the letters that can be."""
    fault = Fault(0, 0, 3, "raised", "main", "cannot open \udcff.txt\x1b[31m")
    with Record(tmp_path, TABLE, VERSIONS) as record:
        record.add(result(0, 0, faults=(fault,)))
    with Record(tmp_path, TABLE, VERSIONS) as record:
        (kept,) = record.results[4, 0, 0].faults
    assert kept.words.isprintable()
    assert kept.words.startswith("cannot open \N{REPLACEMENT CHARACTER}.txt")
