"""The Python blocks of README.md and of the pages written by hand run as somebody would paste them."""

import ast
import importlib.util
import os
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

import danmaku_env
from danmaku_env.jit.kernels import JIT

ROOT = Path(__file__).resolve().parent.parent
PAGES = ("first_steps", "game", "recipes", "write_an_agent", "agents", "tournaments", "deduction", "sister")


def snippets(page):
    """The Python blocks of a page, each after as many empty lines as stand before it, so that errors name the line of the page."""
    text = (ROOT / page).read_text("utf-8")
    for found in re.finditer(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        yield "\n" * text[: found.start(1)].count("\n") + found[1]


@pytest.mark.skipif(not JIT, reason="the snippets play a million decisions")
def test_what_the_readme_shows_works(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = list(snippets("README.md"))
    assert len(blocks) >= 4
    for block in blocks:
        exec(compile(block, "README.md", "exec"), {})  # each as it stands, alone


@pytest.mark.skipif(not JIT, reason="the snippets play whole games")
@pytest.mark.parametrize("page", [f"docs/{name}.md" for name in PAGES])
def test_what_a_page_shows_works(page, tmp_path, monkeypatch):
    """Each block by itself."""
    monkeypatch.chdir(tmp_path)
    blocks = list(snippets(page))
    assert blocks
    for block in blocks:
        if "torch" not in packages(block) or importlib.util.find_spec("torch"):
            exec(compile(block, page, "exec"), {"__name__": page})


def packages(code):
    """The names of the packages that a block imports, the standard library and this project apart."""
    nodes = [node for node in ast.walk(ast.parse(code)) if isinstance(node, (ast.Import, ast.ImportFrom))]
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module for node in nodes if isinstance(node, ast.ImportFrom)}
    return {name.partition(".")[0] for name in names} - set(sys.stdlib_module_names) - {"danmaku_env"}


LIBRARIES = ("torchrl", "tianshou", "jax", "pyspiel", "ray", "sb3_contrib", "torch")
OLDEST = {"tianshou": 2}
"""The major version that a block needs, where older ones have another API."""
TRAINING = {
    next(name for name in LIBRARIES if name in packages(block)): block
    for block in snippets("docs/training.md")
    if packages(block) & set(LIBRARIES)
}
"""Each block by the library it is about; the one with torch alone is in the manner of CleanRL."""


@pytest.mark.slow
@pytest.mark.skipif(not JIT, reason="the snippets play whole games")
@pytest.mark.parametrize("package", TRAINING)
def test_training_with_the_libraries_people_use(package, tmp_path):
    """In a process of its own: these libraries change much when they are imported."""
    for name in sorted(packages(TRAINING[package])):
        if importlib.util.find_spec(name) is None:
            pytest.skip(
                f"{name} is not installed: pip install -c constraints.txt '.[ray,trainers]'; '.[tianshou]' in an environment of its own"
            )
        if name in OLDEST and int(version(name).partition(".")[0]) < OLDEST[name]:
            pytest.skip(f"{name} {version(name)} is too old: pip install '.[{name}]' in an environment of its own")
    path = os.pathsep.join([str(Path(danmaku_env.__file__).parent.parent), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, "-W", "ignore", "-c", TRAINING[package]]
    done = subprocess.run(
        command,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": path, "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr


def test_there_is_a_block_for_each_library():
    assert set(TRAINING) == set(LIBRARIES)
