"""A job in parts: the same folder in one go, in two processes or after interruptions, and nothing foreign in it."""

import contextlib
import hashlib
import io
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from danmaku_env.arena.fingerprints import versions
from danmaku_env.arena.jobs.folder import begun, choose_folder, how_to_go_on, read_spec
from danmaku_env.arena.jobs.parts import CHECKSUMS, PART, PartDone, PartedSpec, Parts, as_npz, do_parts, from_npz
from danmaku_env.arena.jobs.ray_tasks import Workers
from danmaku_env.arena.jobs.temporary import temporary_job
from danmaku_env.arena.jobs.workers import InProcess, Processes, Team, Work, WorkerLostError
from danmaku_env.console.errors import Stopped, UserError
from danmaku_env.console.run_folders import lock
from tests.full_disk import no_space


@dataclass(frozen=True, kw_only=True)
class Dice(PartedSpec):
    """Dice that are thrown for each game."""

    sides: int = 6

    NEEDED = "sides"
    KEY, CALLED, FOLDER_PHRASES = "dice", "dice of a test", ("dice", "are no dice", "other dice")
    FILE, MARK, FOLDER, RESULTS = "dice.json", "danmaku_dice", Path("runs/dice"), (f"*/{PART}*",)
    PART_SIZE = 2

    def command(self):
        return f"danmaku dice --sides {self.sides}"


def begin(spec, stop=""):
    """Throws the dice of a part; with `stop` the second part comes to nothing: by Ctrl-C, an error, or the end of the process."""

    def throw(part, beat):
        if part == 1 and stop:
            {"ctrl-c": interrupt, "error": fail, "end": lambda: os._exit(7)}[stop]()
        for _ in spec.games_of(part):
            yield 1
        thrown = hashlib.sha256(repr((spec.seed, spec.sides, *spec.games_of(part))).encode()).digest()
        yield PartDone({"thrown": thrown}, len(spec.games_of(part)))

    return throw


def interrupt():
    raise KeyboardInterrupt


def fail(*_):
    raise UserError("the dice fell off the table")


def count(spec, part):
    yield {"games": len(spec.games_of(part))}


SPEC = Dice(games=5, seed=3)
NEEDED = {"rules": "abc"}


def run(out, spec=SPEC, *, resume=False, processes=1, stop="", needed=NEEDED):
    console = Console(file=io.StringIO(), width=200)
    workers = Workers(processes).pool(Work(begin, (spec, stop)), needed, (), here=True)
    with begun(choose_folder(out, spec, needed, resume=resume), spec, needed) as folder, workers as pool:
        parts = Parts(folder, spec, {"thrown": "bin"})
        with contextlib.suppress(Stopped):
            do_parts(parts, pool, console, how_to_go_on(spec.command(), folder), "throws dice")
    return folder, console.file.getvalue()


def files(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_two_processes_fill_the_folder_that_one_does(tmp_path):
    run(tmp_path / "one")
    run(tmp_path / "two", processes=2)
    whole = files(tmp_path / "one")
    assert whole == files(tmp_path / "two")
    kinds = {"thrown": "bin", CHECKSUMS: "json"}
    assert set(whole) == {"dice.json", *(f"{kind}/part-0000{part}.{end}" for part in range(3) for kind, end in kinds.items())}
    assert read_spec(Dice, tmp_path / "one") == (SPEC, NEEDED)


def test_an_interrupted_job_says_how_to_go_on_and_ends_as_if_it_had_not_been(tmp_path):
    run(tmp_path / "whole")
    folder, said = run(tmp_path / "parts", stop="ctrl-c")
    assert said.endswith(f"Stopped: 2 of 5 games are finished and kept. To go on: danmaku dice --sides 6 --out {folder} --resume\n")
    assert files(folder).keys() == {"dice.json", "thrown/part-00000.bin", f"{CHECKSUMS}/part-00000.json"}
    run(folder, resume=True)
    assert files(folder) == files(tmp_path / "whole")


@pytest.mark.parametrize("name", ["thrown/part-00001.bin", f"{CHECKSUMS}/part-00001.json"])
@pytest.mark.parametrize("damage", [lambda blob: blob[:-9], lambda blob: blob + b"x", lambda _: b"", lambda _: b"[" * 9999])
def test_a_damaged_part_is_done_again(tmp_path, name, damage):
    run(tmp_path)
    whole = files(tmp_path)
    (tmp_path / name).write_bytes(damage(whole[name]))
    run(tmp_path, resume=True)
    assert files(tmp_path) == whole


def test_what_does_not_belong_together_is_refused(tmp_path):
    run(tmp_path)
    with pytest.raises(UserError, match="holds dice already: add --resume to go on"):
        run(tmp_path)
    with pytest.raises(UserError, match="holds other dice: its sides is 6, not 8"):
        run(tmp_path, Dice(games=5, seed=3, sides=8), resume=True)
    with pytest.raises(UserError, match=r"was begun with another rules \(abc, now xyz\)"):
        run(tmp_path, resume=True, needed={"rules": "xyz"})
    (tmp_path / Dice.FILE).unlink()
    for resume in (False, True):
        with pytest.raises(UserError, match="holds results, but the dice that they belong to is gone"):
            run(tmp_path, resume=resume)


def test_a_job_that_fails_before_it_has_anything_leaves_nothing(tmp_path):
    """Of one that has, the results stay."""
    with pytest.raises(UserError, match="fell off the table"):
        run(tmp_path / "new", Dice(games=4), stop="error")
    assert files(tmp_path / "new").keys() == {"dice.json", "thrown/part-00000.bin", f"{CHECKSUMS}/part-00000.json"}
    with pytest.raises(UserError, match="fell off the table"), begun(tmp_path / "none", SPEC, NEEDED) as folder:
        fail(Parts(folder, SPEC, {"thrown": "bin"}))
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("kept", [0, 1])
def test_where_the_disk_is_full_the_command_that_is_named_goes_on(tmp_path, monkeypatch, kept):
    """Also where nothing was kept yet."""
    run(tmp_path / "whole")
    keep = Parts.keep
    monkeypatch.setattr(Parts, "keep", lambda parts, part, blobs: (keep if part < kept else no_space)(parts, part, blobs))
    folder = tmp_path / "full"
    with pytest.raises(UserError, match=rf"No space left on device; {2 * kept} games are .* kept. To go on: .* --out .*full --resume"):
        run(folder)
    monkeypatch.undo()
    run(folder, resume=True)
    assert files(folder) == files(tmp_path / "whole")


def test_a_folder_of_another_kind_of_job_is_called_so(tmp_path):
    """And nobody is told to remove what is in it."""
    run(tmp_path)
    (tmp_path / Dice.FILE).rename(tmp_path / "recipe.json")
    with pytest.raises(UserError, match=r"holds another kind of job, that of recipe\.json; choose another folder with --out"):
        run(tmp_path)


def test_a_temporary_folder_is_emptied_while_nobody_else_can_have_it(tmp_path, monkeypatch):
    """Whoever found it before would lose what they write there; of one that is killed meanwhile, the rest is found again."""
    monkeypatch.chdir(tmp_path)
    remove, had_by_others = shutil.rmtree, []

    def look_and_remove(folder):
        assert (Dice.FOLDER / Dice.FILE).exists()
        with lock(Dice.FOLDER, fresh=False) as mine:
            had_by_others.append(mine)
        remove(folder)

    monkeypatch.setattr(shutil, "rmtree", look_and_remove)
    given = SPEC, count, (), Workers(1), Console(file=io.StringIO()), "again"
    with temporary_job(*given) as parts:
        assert [int(part["games"]) for part in parts] == [2, 2, 1]
    assert had_by_others == [False, False]
    assert not Dice.FOLDER.exists()


def test_a_process_that_ends_ends_the_job_with_a_sentence(tmp_path):
    with pytest.raises(WorkerLostError, match="a process that throws dice was ended, from outside or by an agent: its exit status was 7"):
        run(tmp_path, processes=2, stop="end")


@pytest.mark.parametrize("pool", [InProcess, lambda work: Processes(work, 2)])
def test_results_come_in_order_or_as_they_are_done_and_tasks_are_taken_as_they_are_needed(pool):
    taken = []

    def tasks():
        for part in range(3):
            taken.append(part)
            yield part

    heard = []
    with Team(pool(Work(begin, (SPEC,)))) as team:
        results = team.each(tasks(), heard.append)
        first = next(results)
        assert 1 <= len(taken) <= 3
        assert [first.decisions, *(result.decisions for result in results)] == [2, 2, 1]
        assert sorted(part for part, _ in team.as_done(range(3))) == [0, 1, 2]
    assert heard == [1] * 5


def test_versions_name_libraries_and_agents():
    found = versions(["random", "random"], libraries=("numpy", "python"))
    assert list(found) == ["danmaku-env", "rules", "numpy", "python", "agent random"]
    assert all(found.values())


def test_bytes_that_are_no_archive_are_a_value_error():
    whole = as_npz({"thrown": np.arange(1000) % 7})
    assert (from_npz(whole)["thrown"] == np.arange(1000) % 7).all()
    for place in range(0, len(whole), 3):
        with contextlib.suppress(ValueError):
            from_npz(whole[:place] + bytes([whole[place] ^ 0x15]) + whole[place + 1 :])


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
def test_a_pipe_in_the_place_of_a_file_of_a_part_is_not_waited_for(tmp_path):
    parts = Parts(tmp_path, Dice(games=2), {"thrown": "bin"})
    parts.keep(0, {"thrown": b"1"})
    assert parts.is_finished(0)
    parts.file("thrown", 0).unlink()
    os.mkfifo(parts.file("thrown", 0))
    assert not parts.is_finished(0)
