"""The shape of the code: imports go one way, numba is behind one door, and the engine knows no card by name."""

import ast
import io
import tokenize
from pathlib import Path

import pytest

from danmaku_env.cards.compile import CHARACTER_IDS, INCIDENT_IDS, KIND_IDS
from danmaku_env.wording import CARD_NAMES, CHARACTER_NAMES, INCIDENT_NAMES

ROOT = Path(__file__).resolve().parent.parent
LAYERS = (
    ("danmaku_env.cards",),
    ("danmaku_env.engine",),
    ("danmaku_env.config", "danmaku_env.wording"),
    ("danmaku_env.game",),
    ("danmaku_env.render",),
    ("danmaku_env.envs",),
    ("danmaku_env.danmaku_v0", "danmaku_env.registration"),
    ("danmaku_env",),
    ("danmaku_env.agents",),
    ("danmaku_env.arena",),
    ("danmaku_env.training",),
    ("danmaku_env.docs",),
    ("danmaku_env.cli",),
)
"""The first imports nothing of the others; each may import those before it. A module belongs to the longest name that fits."""


def modules():
    """Name -> path of every module of the project."""
    found = {}
    for path in sorted((ROOT / "danmaku_env").rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = modules()


def layer(name):
    fitting = [(len(prefix), rank) for rank, prefixes in enumerate(LAYERS) for prefix in prefixes if f"{name}.".startswith(f"{prefix}.")]
    return max(fitting)[1] if fitting else None


def imports(path, module):
    """Full names of everything a file imports, also inside functions: modules, and `package.name` for names taken from one."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: relative imports hide where an arrow goes"
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                yield whole if whole in MODULES else node.module


def test_there_is_something_to_check():
    assert {"danmaku_env.cards.vocabulary", "danmaku_env.engine.advance", "danmaku_env.game", "danmaku_env.agents.base"} <= set(MODULES)


def test_a_wrong_arrow_would_be_found(tmp_path):
    path = tmp_path / "bad.py"
    path.write_text("def f():\n    from danmaku_env import game\n    import danmaku_env.envs.vector\n", "utf-8")
    assert list(imports(path, "bad")) == ["danmaku_env.game", "danmaku_env.envs.vector"]
    assert layer("danmaku_env.cards.x") < layer("danmaku_env.engine.y") < layer("danmaku_env.game") < layer("danmaku_env")


@pytest.mark.parametrize("module", MODULES)
def test_imports_go_one_way(module):
    mine = layer(module)
    assert mine is not None
    for imported in imports(MODULES[module], module):
        theirs = layer(imported)
        if theirs is not None:
            assert theirs <= mine, f"{module} imports {imported}, which stands above it"


@pytest.mark.parametrize("module", [name for name in MODULES if name.startswith("danmaku_env.engine")])
def test_the_engine_imports_little_else(module):
    """No library but NumPy and the standard one; numba only in compiled.py."""
    for imported in imports(MODULES[module], module):
        top = imported.partition(".")[0]
        assert top not in ("rich", "typer", "gymnasium", "pettingzoo", "torch"), f"{module} imports {imported}"


@pytest.mark.parametrize("module", MODULES)
def test_one_file_imports_numba(module):
    uses = [imported for imported in imports(MODULES[module], module) if imported.partition(".")[0] == "numba"]
    assert not uses or module == "danmaku_env.engine.compiled"


def _words(path):
    """Identifiers and strings of a file; comments and docstrings, which may name a card to explain a rule, are left out."""
    source = path.read_text("utf-8")
    tree = ast.parse(source)
    texts = set()
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        for statement in body if isinstance(body, list) else []:
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                texts.add(statement.lineno)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.NAME or (token.type == tokenize.STRING and token.start[0] not in texts):
            yield token.string.strip("\"'").lower(), token.start[0]


@pytest.mark.parametrize("module", [name for name in MODULES if name.startswith("danmaku_env.engine") and not name.endswith("natives")])
def test_the_engine_names_no_card(module):
    ids = {*KIND_IDS, *CHARACTER_IDS, *INCIDENT_IDS}
    names = {name.lower() for group in (CARD_NAMES, CHARACTER_NAMES, INCIDENT_NAMES) for name in group.values()}
    laws = {"overdrive"}  # the law that lets a life be paid is called like its incident
    for word, line in _words(MODULES[module]):
        assert word in laws or word not in ids | names, (
            f"{module}, line {line}: {word!r} is a card; what makes it special belongs on the card"
        )
