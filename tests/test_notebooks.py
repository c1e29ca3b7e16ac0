"""The notebooks run from their first cell to their last, at small size, and show pictures."""

import re
from pathlib import Path

import pytest

from danmaku_env import ACTION_IDS, Scenario
from danmaku_env.agents.base import answer
from danmaku_env.agents.registry import make
from danmaku_env.jit.kernels import JIT

pytest.importorskip("nbclient", reason="the notebooks need nbclient: pip install 'danmaku-env[arena,data,dev,train]'")
pytest.importorskip("ipykernel", reason="the notebooks need ipykernel: pip install 'danmaku-env[arena,data,dev,train]'")
pytest.importorskip("pyarrow", reason="the notebooks need pyarrow: pip install 'danmaku-env[arena,data,dev,train]'")
pytest.importorskip("pandas", reason="the notebooks need pandas: pip install 'danmaku-env[arena,data,dev,train]'")
pytest.importorskip("torch", reason="the notebooks need torch: pip install 'danmaku-env[arena,data,dev,train]'")

import nbformat

from notebooks.running import FOLDER, run

NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def test_there_are_notebooks_and_each_shows_pictures():
    names = ["1_quickstart", "2_train_a_bot", "3_who_is_the_partner", "4_write_an_agent", "5_bring_a_trainer"]
    assert [path.stem for path in NOTEBOOKS] == names
    for path in NOTEBOOKS:
        outputs = [output for cell in nbformat.read(path, as_version=4).cells for output in cell.get("outputs", ())]
        assert any("image/png" in output.get("data", {}) for output in outputs), f"{path.name}: python -m notebooks"


def test_the_agent_of_the_notebook_heals_itself_and_only_when_it_is_hurt(tmp_path, monkeypatch):
    cells = nbformat.read(NOTEBOOKS[3], as_version=4).cells
    (code,) = (found for cell in cells for found in re.findall(r"write_text\(\'\'\'(.*?)\'\'\'\)", cell.source, re.DOTALL))
    (tmp_path / "grumpy.py").write_text(code, "utf-8")
    monkeypatch.chdir(tmp_path)
    grumpy = make("grumpy:GrumpyAgent", 1)
    for life, answers in (({"life": 1}, ["play one_up", "choose seat:0"]), ({}, ["play shoot"])):
        table = Scenario(num_players=4).seat(0, role="heroine", hand=["one_up", "shoot"], **life)
        game = table.seat(1, life=2).turn(0, step="main").build(seed=1)
        for expected in answers:
            assert ACTION_IDS[answer(grumpy, game)] == expected
            game.act(expected)


@pytest.mark.slow
@pytest.mark.skipif(not JIT, reason="whole games, trained nets")
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_runs(path: Path, tmp_path):
    notebook = run(path, small=True, folder=tmp_path)
    assert all(cell.execution_count for cell in notebook.cells if cell.cell_type == "code")
