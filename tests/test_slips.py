"""The command that plants slips finds what it should: a slip that a test of the card notices, and one that nothing could notice."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.slips import cards, engine
from tests.slips.equivalent import EQUIVALENT
from tests.slips.report import table

ROOT = Path(__file__).parent.parent


def command(*options):
    run = subprocess.run([sys.executable, "-m", "tests.slips", *options], cwd=ROOT, capture_output=True, text=True, check=True, timeout=900)
    return run.stdout.splitlines()


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="slips are planted in forked processes")
def test_slips_in_a_card_are_noticed_by_its_tests():
    lines = command("--only", "kourindou", "--near")
    assert lines[-1].split()[0] == "all"
    assert lines[-1].split()[-1] == "100.0"


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="slips are planted in forked processes")
def test_a_slip_that_nothing_could_notice_is_told_with_the_reason():
    lines = command("--only", "last_word", "--near")
    assert "equivalent last_word: mode: resolve: each 1 -> group 0  [nobody attacks themselves (A-16)" in "\n".join(lines)


FOREVER, ASLEEP = "while True: pass", "import time; time.sleep(2)"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="slips are planted in forked processes")
@pytest.mark.parametrize(("body", "noticed"), [(FOREVER, True), (ASLEEP, False)])
def test_a_slip_is_noticed_by_a_test_that_works_without_end_and_not_by_one_that_waits(tmp_path, body, noticed):
    """A busy machine makes every test wait: only the time of the processor counts."""
    (tmp_path / "test_it.py").write_text(f"def test_it():\n    {body}\n")
    code = """
import sys
from tests.slips import notice
notice.TEST_SECONDS = 1
class Slip:
    owner = words = "it"
    plant = staticmethod(lambda: None)
notice.with_tests([sys.argv[1]], lambda items: print(notice.notice(Slip, {"own": items}).nearness))
"""
    run = subprocess.run([sys.executable, "-c", code, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=True, timeout=600)
    assert run.stdout.split() == ["own" if noticed else "unnoticed"]


def test_everything_printed_has_slips():
    owners = {slip.owner for slip in cards.slips()}
    assert owners == set(cards.ids())


def test_the_rules_have_slips():
    modules = {engine.group_of(slip.owner) for slip in engine.slips()}
    assert {
        "procedures.attack",
        "procedures.turn",
        "queries",
        "piles",
        "legality",
        "stack",
        "observe",
        "machine.answers",
        "machine.lists",
    } <= modules


def test_excuses_name_things_in_the_box():
    """An excuse for a text that is no longer printed is stale."""
    for owner, _, _ in EQUIVALENT:
        assert owner == ".*" or set(owner.split("|")) <= set(cards.ids()), owner


def test_the_table_counts_what_can_be_noticed():
    from tests.slips.notice import Finding

    findings = [Finding("voile", f"slip {number}", nearness, "") for number, nearness in enumerate(["own"] * 3 + ["unnoticed", "refused"])]
    assert table(findings, lambda owner: "cards").splitlines()[-1].split() == ["all", "3", "1", "1", "75.0"]
