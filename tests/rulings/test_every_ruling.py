"""Fails when a ruling of docs/rules.md has no test: `test_k7_...` is one of K-7, and its docstring says so."""

import ast
import re
from pathlib import Path

TESTS = Path(__file__).parent.parent
RULES = (TESTS.parent / "docs" / "rules.md").read_text("utf-8")


def ruling_tests():
    """[(ruling, name, docstring)] of the tests named after a ruling."""
    found = []
    for path in sorted(Path(__file__).parent.glob("test_*.py")):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.FunctionDef) and (named := re.match(r"test_([a-z])(\d+)_", node.name)):
                found.append((f"{named[1].upper()}-{named[2]}", node.name, ast.get_docstring(node) or ""))
    return found


def test_every_ruling_has_a_test():
    listed = set(re.findall(r"^- \*\*([A-Z]-\d+)\*\*", RULES, re.MULTILINE))
    tested = {ruling for ruling, _, _ in ruling_tests()}
    assert listed == tested


def test_every_test_of_a_ruling_cites_it():
    for ruling, name, docstring in ruling_tests():
        assert re.match(rf"[^:]*\b{ruling}\b[^:]*: ", docstring), f"{name} does not begin with its ruling"
