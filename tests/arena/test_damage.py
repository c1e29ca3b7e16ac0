"""Folders of tournaments that were damaged, by accident or on purpose: an UserError with a sentence, or the games that are whole."""

import contextlib
import json
import random
import shutil

import pytest

from danmaku_env.arena.jobs.folder import choose_folder
from danmaku_env.arena.matches.match import Fault, Result
from danmaku_env.arena.tournaments.plan import Plan
from danmaku_env.arena.tournaments.record import RESULTS, Record
from danmaku_env.arena.tournaments.report import make_report
from danmaku_env.console.errors import UserError

PLAN_OF_TWO = Plan(agents=("random", "heuristic"), players=(4,), deals=3)
VERSIONS = {"rules": "abc"}
STRANGE = [None, True, -1, 0, 99, 10**30, 1.5, float("nan"), float("inf"), "", "x", [], {}, [[]], {"a": 1}, "random", [0], 2**63]


@pytest.fixture
def folder(tmp_path):
    whole = tmp_path / "whole"
    with Record(whole, PLAN_OF_TWO, VERSIONS) as record:
        for deal in range(3):
            for rotation in range(2):
                faults = (Fault(1, 2, 3, "raised", "main", "é"),) * rotation
                record.add(Result((4, deal, rotation), (1, -1, -1, 1), (1, 2, 3, 4), 9, faults))
    return whole


def everything(data, path=()):
    """Every place in plain data."""
    yield path
    if isinstance(data, dict | list):
        for key, value in list(data.items()) if isinstance(data, dict) else list(enumerate(data)):
            yield from everything(value, (*path, key))


def changed(data, path, value):
    if not path:
        return value
    copy = dict(data) if isinstance(data, dict) else list(data)
    copy[path[0]] = changed(copy[path[0]], path[1:], value)
    return copy


def read(folder):
    """The results of a folder, as far as they can be used; when all are there, a report can be made of them."""
    with Record(folder, PLAN_OF_TWO, VERSIONS) as record:
        found = dict(record.results)
    if len(found) == PLAN_OF_TWO.games:
        make_report(PLAN_OF_TWO, found.values(), VERSIONS, confidence=0.99)
    return found


def test_a_whole_folder_is_read(folder):
    assert len(read(folder)) == 6


def test_every_change_of_a_plan_is_refused_or_of_no_account(folder):
    text = (folder / Plan.FILE).read_text()
    data = json.loads(text)
    for path in everything(data):
        for value in STRANGE:
            (folder / Plan.FILE).write_text(json.dumps(changed(data, path, value)))
            with contextlib.suppress(UserError):
                choose_folder(folder, PLAN_OF_TWO, VERSIONS, resume=True)
                assert len(read(folder)) == 6


def test_every_change_of_a_result_is_dropped_or_can_be_reported(folder):
    lines = (folder / RESULTS).read_text().splitlines()
    data = json.loads(lines[1])
    for path in everything(data):
        for value in STRANGE:
            line = json.dumps(changed(data, path, value))
            (folder / RESULTS).write_text("\n".join([lines[0], line, *lines[2:]]) + "\n")
            assert 5 <= len(read(folder)) <= 6


def test_noise_in_the_results_costs_the_lines_it_is_in(folder):
    whole = (folder / RESULTS).read_bytes()
    rng = random.Random(1)
    for _ in range(200):
        spoiled = bytearray(whole)
        for _ in range(rng.randrange(1, 4)):
            spoiled[rng.randrange(len(spoiled))] = rng.randrange(256)
        (folder / RESULTS).write_bytes(spoiled)
        assert 0 <= len(read(folder)) <= 6
        assert (folder / RESULTS).read_bytes().count(b"\n") == len(read(folder)), "what was dropped is gone"


@pytest.mark.parametrize("name", [Plan.FILE, RESULTS])
@pytest.mark.parametrize("damage", ["a folder", "nothing", "noise", "too deep", "a number too long"])
def test_a_damaged_file_is_refused_with_a_sentence_or_read_as_empty(folder, name, damage):
    path = folder / name
    path.unlink()
    if damage == "a folder":
        path.mkdir()
    elif damage != "nothing":
        path.write_bytes({"noise": bytes(range(256)) * 9, "too deep": b"[" * 100_000, "a number too long": b"9" * 9999}[damage])
    if name == RESULTS and damage != "a folder":
        assert read(folder) == {}
        return
    with pytest.raises(UserError, match=r"can be read|cannot be used|is gone"):
        read(folder)


def test_results_without_a_plan_are_not_taken_for_those_of_a_new_one(folder):
    (folder / Plan.FILE).unlink()
    with pytest.raises(UserError, match="holds results, but the plan that they belong to is gone"):
        Record(choose_folder(folder, PLAN_OF_TWO, VERSIONS, resume=False), PLAN_OF_TWO, VERSIONS)


def test_what_killed_saves_left_is_swept_up(folder):
    for name in (Plan.FILE, RESULTS):
        shutil.copy(folder / name, folder / f".{name}.0123456789abcdef.tmp")
    read(folder)
    assert {path.name for path in folder.iterdir()} == {Plan.FILE, RESULTS}


def test_a_full_disk_ends_with_a_sentence_and_keeps_what_is_there(tmp_path):
    """With a limit on the size of files, which fails in the same place."""
    resource = pytest.importorskip("resource")
    signal = pytest.importorskip("signal")
    before, heeded = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        with Record(tmp_path, PLAN_OF_TWO, VERSIONS) as record:
            record.add(Result((4, 0, 0), (1, -1, -1, 1), (1, 2, 3, 4), 9))
            size = (tmp_path / RESULTS).stat().st_size
            resource.setrlimit(resource.RLIMIT_FSIZE, (size + 10, before[1]))
            with pytest.raises(UserError, match=r"File too large; 1 games are finished and kept. To go on: danmaku .* --resume"):
                record.add(Result((4, 0, 1), (1, -1, -1, 1), (1, 2, 3, 4), 9))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, heeded)
    assert (tmp_path / RESULTS).stat().st_size == size + 10, "a torn line"
    with Record(tmp_path, PLAN_OF_TWO, VERSIONS) as record:
        assert list(record.results) == [(4, 0, 0)]


def test_a_tournament_of_any_size_is_planned_as_it_goes(tmp_path):
    for deals in (10**8, 10**23):
        plan = Plan(agents=("random", "heuristic"), players=(4, 6), deals=deals)
        with Record(tmp_path / str(deals), plan, VERSIONS) as record:
            assert next(record.missing()).jobs[0].key == (4, 0, 0)
            assert plan.games == deals * 4
