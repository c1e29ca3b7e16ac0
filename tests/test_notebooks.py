"""The notebooks run from their first cell to their last, at small size, and show pictures."""

from pathlib import Path

import pytest

from danmaku_env.engine.compiled import JIT

pytest.importorskip("nbclient", reason="the notebooks need nbclient: pip install 'danmaku-env[arena,data,dev,train]'")
pytest.importorskip("ipykernel", reason="the notebooks need ipykernel: pip install 'danmaku-env[arena,data,dev,train]'")
pytest.importorskip("pyarrow", reason="the notebooks need pyarrow: pip install 'danmaku-env[arena,data,dev,train]'")
pytest.importorskip("pandas", reason="the notebooks need pandas: pip install 'danmaku-env[arena,data,dev,train]'")
pytest.importorskip("torch", reason="the notebooks need torch: pip install 'danmaku-env[arena,data,dev,train]'")

import nbformat

from notebooks.running import FOLDER, run

NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def test_there_are_notebooks_and_each_shows_pictures():
    assert [path.stem for path in NOTEBOOKS] == ["1_quickstart", "2_train_a_bot", "3_who_is_the_partner", "4_write_an_agent"]
    for path in NOTEBOOKS:
        outputs = [output for cell in nbformat.read(path, as_version=4).cells for output in cell.get("outputs", ())]
        assert any("image/png" in output.get("data", {}) for output in outputs), f"{path.name}: python -m notebooks"


@pytest.mark.slow
@pytest.mark.skipif(not JIT, reason="whole games, trained nets")
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_runs(path: Path, tmp_path):
    notebook = run(path, small=True, folder=tmp_path)
    assert all(cell.execution_count for cell in notebook.cells if cell.cell_type == "code")
