"""The Python blocks of README.md run, in order, in one namespace, as somebody would paste them."""

import re
from pathlib import Path

import pytest

from danmaku_env.engine.compiled import JIT

ROOT = Path(__file__).resolve().parent.parent


def snippets(page):
    """The Python blocks of a page, each after as many empty lines as stand before it, so that errors name the line of the page."""
    text = (ROOT / page).read_text("utf-8")
    for found in re.finditer(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        yield "\n" * text[: found.start(1)].count("\n") + found[1]


@pytest.mark.skipif(not JIT, reason="the snippets play a million decisions")
def test_what_the_readme_shows_works(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = list(snippets("README.md"))
    assert len(blocks) >= 6
    names = {}
    for block in blocks:
        exec(compile(block, "README.md", "exec"), names)
