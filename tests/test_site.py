"""The documentation builds as a site, without a warning."""

import os
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

pytest.importorskip("mkdocs", reason="the site needs mkdocs: pip install 'danmaku-env[site]'")
pytest.importorskip("mkdocstrings", reason="the site needs mkdocstrings: pip install 'danmaku-env[site]'")

griffe = pytest.importorskip("griffe")  # comes with mkdocstrings

WEBSITE = Path(__file__).resolve().parent.parent / "website"


PUBLIC = (
    "danmaku_env",
    "danmaku_env.danmaku_v0",
    "danmaku_env.game",
    "danmaku_env.game.scenario",
    "danmaku_env.agents",
    "danmaku_env.arena.data.record",
    "danmaku_env.arena.deduction.study",
    "danmaku_env.sister.shisoroku",
    "danmaku_env.sister.utage",
)
"""The packages of which every name in `__all__` has an entry."""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The folder of the site, built without a warning."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-f", "mkdocs.yml", "-d", str(folder)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=WEBSITE, env=environment, capture_output=True, text=True, check=False, timeout=300)
    assert (done.returncode, done.stderr) == (0, "")
    return folder


@pytest.mark.slow
def test_the_site_has_its_pages(site):
    names = ("index.html", "api/game.html", "first_steps.html", "replay.html", "notebooks/1_quickstart.html")
    front, game, steps, replay, notebook = ((site / name).read_text("utf-8") for name in names)
    assert 'src="replay.html"' in front
    assert "deducer" in replay
    assert "<table" in notebook or 'src="data:image/png' in notebook
    assert 'src="table.png"' in steps
    assert 'href="training.html"' in front
    assert 'id="danmaku_env.game.game.Game.legal"' in game


def entries(inventory):
    """The names that a Sphinx inventory lists: four lines of head, then compressed a line for each."""
    return {line.split(" ")[0] for line in zlib.decompress(inventory.split(b"\n", 4)[4]).decode().splitlines()}


@pytest.mark.slow
def test_every_public_name_has_an_entry(site):
    package = griffe.load("danmaku_env", search_paths=[WEBSITE.parent], resolve_aliases=True, resolve_external=False)
    there = entries((site / "objects.inv").read_bytes())
    for path in PUBLIC:
        module = package[path.partition(".")[2]] if "." in path else package
        assert module.exports, path
        missing = [name for name in module.exports if module[name].canonical_path not in there]
        assert not missing, f"{path}: no page of website/pages.py has {missing}"
    assert {"danmaku_env.game.game.Game.act", "danmaku_env.training.rllib.MaskedNet"} <= there
