"""The documentation builds as a site, without a warning."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("mkdocs", reason="the site needs mkdocs: pip install 'danmaku-env[site]'")
pytest.importorskip("mkdocstrings", reason="the site needs mkdocstrings: pip install 'danmaku-env[site]'")

WEBSITE = Path(__file__).resolve().parent.parent / "website"


@pytest.mark.slow
def test_the_site_is_built_without_a_warning(tmp_path):
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-f", "mkdocs.yml", "-d", str(tmp_path / "site")]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=WEBSITE, env=environment, capture_output=True, text=True, check=False, timeout=300)
    assert (done.returncode, done.stderr) == (0, "")
    names = ("index.html", "api/game.html", "first_steps.html", "replay.html", "notebooks/1_quickstart.html")
    front, game, steps, replay, notebook = ((tmp_path / "site" / name).read_text("utf-8") for name in names)
    assert 'src="replay.html"' in front
    assert "deducer" in replay
    assert "<table" in notebook or 'src="data:image/png' in notebook
    assert 'src="table.png"' in steps
    assert 'href="training.html"' in front
    assert 'id="danmaku_env.game.game.Game.legal"' in game
