"""The shape of the code: imports go one way, numba is in one place, and the engine knows no card by name."""

import ast
import importlib
import io
import re
import subprocess
import sys
import tokenize
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from danmaku_env.cards.box import CHARACTER_IDS, INCIDENT_IDS, KIND_IDS, ROLE_IDS
from danmaku_env.wording import CARD_NAMES, CHARACTER_NAMES, INCIDENT_NAMES

ROOT = Path(__file__).resolve().parent.parent
LAYERS = (
    ("danmaku_env.jit",),
    ("danmaku_env.machine",),
    ("danmaku_env.arguments", "danmaku_env.fields", "danmaku_env.files", "danmaku_env.named_tables", "danmaku_env.markdown_pages"),
    ("danmaku_env.spec", "danmaku_env.views"),
    ("danmaku_env.cards",),
    ("danmaku_env.engine",),
    ("danmaku_env.config", "danmaku_env.seeds", "danmaku_env.wording"),
    ("danmaku_env.console",),
    ("danmaku_env.estimates",),
    ("danmaku_env.danmaku",),
    ("danmaku_env.decoding",),
    ("danmaku_env.game",),
    ("danmaku_env.render",),
    ("danmaku_env.envs",),
    ("danmaku_env.sister",),
    ("danmaku_env.danmaku_v0", "danmaku_env.shisoroku_v0", "danmaku_env.utage_v0", "danmaku_env.registration"),
    ("danmaku_env",),
    ("danmaku_env.info_states", "danmaku_env.heuristics"),
    ("danmaku_env.beliefs",),
    ("danmaku_env.nets",),
    ("danmaku_env.agents",),
    ("danmaku_env.play",),
    ("danmaku_env.arena",),
    ("danmaku_env.training",),
    ("danmaku_env.sister.learning",),
    ("danmaku_env.sister.shisoroku.learning", "danmaku_env.sister.utage.learning"),
    ("danmaku_env.benchmark",),
    ("danmaku_env.docs",),
    ("danmaku_env.commands",),
    ("danmaku_env.__main__",),
)
"""The first imports nothing of the others; each may import those before it. A module belongs to the longest name that fits."""


def modules():
    """Name -> path of every module of the project."""
    found = {}
    for path in sorted((ROOT / "danmaku_env").rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


NAMED_FROM_BELOW = {
    "danmaku_env.registration": "what a library, or somebody who looks at a game, has loaded by its name",
    "danmaku_env.spec": "the game that is meant where none is named, and others that are",
    "danmaku_env.sister.shisoroku.bots": "a network that plays needs torch",
    "danmaku_env.sister.utage.bots": "a network that plays needs torch",
    "danmaku_env.engine.warm": "the agents are compiled beside the engine",
    "danmaku_env.play.browser.app": "a replay page is made by a command, in a process of its own",
}
"""Who names, in a string, modules that stand above it, and what for; everybody else's strings are arrows like imports."""

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


def named(path):
    """Modules of the project that a file names in strings, as `module` or `module:function`: what is imported, or run, by its name."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and (name := node.value.partition(":")[0]) in MODULES:
            yield name


def test_there_is_something_to_check():
    assert {"danmaku_env.cards.vocabulary", "danmaku_env.engine.advance", "danmaku_env.game", "danmaku_env.agents.base"} <= set(MODULES)


def test_a_wrong_arrow_would_be_found(tmp_path):
    path = tmp_path / "bad.py"
    path.write_text("def f():\n    from danmaku_env import game\n    import danmaku_env.envs.vector\n", "utf-8")
    assert list(imports(path, "bad")) == ["danmaku_env.game", "danmaku_env.envs.vector"]
    path.write_text('import_module("danmaku_env.commands.main")\nDRAWN_BY = {"page": "danmaku_env.play.replay_page:page"}\n', "utf-8")
    assert sorted(named(path)) == ["danmaku_env.commands.main", "danmaku_env.play.replay_page"]
    assert layer("danmaku_env.cards.x") < layer("danmaku_env.engine.y") < layer("danmaku_env.game") < layer("danmaku_env")


@pytest.mark.parametrize("module", MODULES)
def test_imports_go_one_way(module):
    mine = layer(module)
    assert mine is not None
    for imported in imports(MODULES[module], module):
        theirs = layer(imported)
        if theirs is not None:
            assert theirs <= mine, f"{module} imports {imported}, which stands above it"


def rooms(folder):
    """Room -> rooms of the same folder that it imports; a module that lies loose in the folder is a room of its own."""
    found = {}
    for module, path in MODULES.items():
        if module.startswith(f"{folder}."):
            room = module.removeprefix(f"{folder}.").partition(".")[0]
            there = (name.removeprefix(f"{folder}.").partition(".")[0] for name in imports(path, module) if name.startswith(f"{folder}."))
            found.setdefault(room, set()).update(set(there) - {room})
    return found


@pytest.mark.parametrize("folder", ["danmaku_env.arena", "danmaku_env.benchmark", "danmaku_env.console", "danmaku_env.training"])
def test_the_rooms_of_a_folder_form_no_circle(folder):
    """Whoever reads one room need not read the one that it is read from."""
    graph = rooms(folder)
    assert len(graph) > 5
    list(TopologicalSorter(graph).static_order())  # raises CycleError, which names the circle


@pytest.mark.parametrize("module", MODULES)
def test_names_in_strings_go_one_way(module):
    above = sorted({name for name in named(MODULES[module]) if layer(name) > layer(module)})
    assert bool(above) == (module in NAMED_FROM_BELOW), f"{module} names {', '.join(above) or 'nothing'} above it"


@pytest.mark.parametrize("module", [name for name in MODULES if name.startswith("danmaku_env.engine")])
def test_the_engine_imports_little_else(module):
    """No library but NumPy and the standard one; numba only in `jit/`."""
    for imported in imports(MODULES[module], module):
        top = imported.partition(".")[0]
        assert top not in ("rich", "typer", "gymnasium", "pettingzoo", "torch"), f"{module} imports {imported}"


READS_THE_ENGINE = {
    "it is Danmaku!! itself: options, words, the spec, names for users, the pages on its record": (
        "danmaku_env", "danmaku_env.config", "danmaku_env.danmaku", "danmaku_env.docs", "danmaku_env.wording",
    ),
    "the face of its games: what no other game is asked, positions set up by hand, worlds dealt anew": (
        "danmaku_env.game", "danmaku_env.game.deals", "danmaku_env.game.game", "danmaku_env.game.scenario.dealing",
        "danmaku_env.game.scenario.position", "danmaku_env.game.scenario.recruiting", "danmaku_env.game.scenario.scenario",
        "danmaku_env.game.seat", "danmaku_env.game.worlds",
    ),
    "frames of the stack: what exactly is going on": (
        "danmaku_env.agents.harm", "danmaku_env.play.browser.together", "danmaku_env.render.occasion",
    ),
    "the log, event by event": (
        "danmaku_env.arena.data.held_roles", "danmaku_env.arena.data.tables", "danmaku_env.arena.deduction.intermediate_states",
        "danmaku_env.beliefs.action_likelihood", "danmaku_env.beliefs.log_cache", "danmaku_env.training.fits.deducer",
    ),
    "roles that lie open, and games that go on from a record in which some are assumed": (
        "danmaku_env.info_states", "danmaku_env.arena.deduction.exact_posterior", "danmaku_env.arena.deduction.games",
        "danmaku_env.arena.deduction.own_knowledge",
    ),
    "who is named to be harmed: the engine counts it": (
        "danmaku_env.agents.role_separation", "danmaku_env.arena.matches.match", "danmaku_env.arena.roles_exchanged",
        "danmaku_env.arena.tournaments.report", "danmaku_env.play.harmed",
    ),
    "bits, limits and prices that the record has as numbers": (
        "danmaku_env.play.browser.lobby", "danmaku_env.play.browser.pages", "danmaku_env.play.recording", "danmaku_env.render.asking",
        "danmaku_env.render.table_view",
    ),
}  # fmt: skip
"""What for -> modules above the engine that import it, because the spec does not have what they need. The list can only shrink."""
READS_THE_CARDS = {
    "it is Danmaku!! itself: options, words, the spec, names for users, the pages on its cards": (
        "danmaku_env", "danmaku_env.commands.app", "danmaku_env.commands.cards", "danmaku_env.config", "danmaku_env.danmaku",
        "danmaku_env.docs", "danmaku_env.wording",
    ),
    "positions set up by hand, and what a seat or a table has of cards": (
        "danmaku_env.game.game", "danmaku_env.game.scenario.dealing", "danmaku_env.game.scenario.position",
        "danmaku_env.game.scenario.recruiting", "danmaku_env.game.scenario.scenario", "danmaku_env.game.seat",
    ),
    "the table in words and pictures: what cards say and do": (
        "danmaku_env.play.browser.guide", "danmaku_env.play.frame", "danmaku_env.play.person", "danmaku_env.play.screen",
        "danmaku_env.render.ansi", "danmaku_env.render.answers", "danmaku_env.render.asking", "danmaku_env.render.faces",
        "danmaku_env.render.happening", "danmaku_env.render.html", "danmaku_env.render.occasion", "danmaku_env.render.picture",
        "danmaku_env.render.prose", "danmaku_env.render.table_view",
    ),
    "what programs of cards do, for whoever plays by rules": ("danmaku_env.agents.harm", "danmaku_env.heuristics.effects"),
    "roles, their factions and what each wants": (
        "danmaku_env.agents.role_separation", "danmaku_env.beliefs.factions", "danmaku_env.benchmark.lineups",
        "danmaku_env.heuristics.role_classes", "danmaku_env.heuristics.role_preferences",
    ),
    "tables by card, character and box": (
        "danmaku_env.arena.data.tables", "danmaku_env.arena.deduction.own_knowledge", "danmaku_env.training.balance",
    ),
}  # fmt: skip
"""The same of modules that import the cards; what a role is called, and how many there are, the spec has (`labels`)."""
LISTS = {"engine": ("READS_THE_ENGINE", READS_THE_ENGINE), "cards": ("READS_THE_CARDS", READS_THE_CARDS)}
BESIDE_THE_ENGINE = {"engine", "cards", "machine", "jit", "sister"}
"""Folders that have rules of their own here; `kernels` are compiled with the engine."""
ABOVE_THE_ENGINE = [name for name in MODULES if not BESIDE_THE_ENGINE & {*name.split(".")[1:2]} and "kernels" not in name.split(".")]


@pytest.mark.parametrize("below", LISTS)
@pytest.mark.parametrize("module", ABOVE_THE_ENGINE)
def test_who_stands_above_the_engine_asks_the_spec(module, below):
    called, reasons = LISTS[below]
    taken = sorted({name for name in imports(MODULES[module], module) if f"{name}.".startswith(f"danmaku_env.{below}.")})
    listed = [reason for reason, names in reasons.items() if module in names]
    assert listed or not taken, f"{module} imports {', '.join(taken)}: ask the spec (spec_of(config), or DANMAKU_SPEC) for what it holds"
    assert taken or not listed, f"{module} imports nothing of danmaku_env.{below} any more: take it off the list {called}"
    assert len(listed) <= 1, f"{module} is on the list {called} twice"


@pytest.mark.parametrize("below", LISTS)
def test_the_lists_of_who_reads_engine_and_cards_name_modules(below):
    called, reasons = LISTS[below]
    missing = {name for names in reasons.values() for name in names} - set(ABOVE_THE_ENGINE)
    assert not missing, f"{', '.join(sorted(missing))}: no module above the engine is called that; take it off the list {called}"


@pytest.mark.parametrize("module", [name for name in MODULES if name.startswith("danmaku_env.machine")])
def test_the_machine_knows_no_game(module):
    """It imports nothing of ours but itself and jit/, and has no word for what a game is about."""
    ours = {imported for imported in imports(MODULES[module], module) if imported.startswith("danmaku_env")}
    assert all(name.startswith(("danmaku_env.jit.", "danmaku_env.machine")) for name in ours)
    text = MODULES[module].read_text("utf-8").lower().replace("danmaku_env", "").replace("_", " ")
    of_games = {"card", "cards", "deck", "hand", "pile", "zone", "role", "roles", "character", "incident", "danmaku", "trigger"}
    assert not of_games & set(re.findall(r"[a-z]+", text))


@pytest.mark.parametrize("module", MODULES)
def test_one_door_to_numba(module):
    uses = [imported for imported in imports(MODULES[module], module) if imported.partition(".")[0] == "numba"]
    assert not uses or module.startswith("danmaku_env.jit.")


@pytest.mark.parametrize("module", [name for name in MODULES if name.startswith("danmaku_env.engine.procedures")])
def test_procedures_leave_the_rows_of_programs_to_the_interpreter(module):
    """Operations start procedures; a procedure knows no operation, and has programs run by `program.py`."""
    assert not [name for name in imports(MODULES[module], module) if name.startswith("danmaku_env.engine.operations")]


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
    for word, line in _words(MODULES[module]):
        assert word not in ids | names, f"{module}, line {line}: {word!r} is a card; what makes it special belongs on the card"


def test_the_engine_knows_no_role_by_its_id():
    """What makes a role special are words from the cards' side: its group, its team, its goal."""
    for module in (name for name in MODULES if name.startswith("danmaku_env.engine")):
        literals = {node.value for node in ast.walk(ast.parse(MODULES[module].read_text("utf-8"))) if isinstance(node, ast.Constant)}
        assert not literals & set(ROLE_IDS[1:]), module


def constants(module):
    """Upper-case names that a module binds itself at its top level, and their values; private ones are nobody else's."""
    names = set()
    for statement in ast.parse(MODULES[module].read_text("utf-8")).body:
        targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
        names |= {node.id for target in targets if target for node in ast.walk(target) if isinstance(node, ast.Name)}
    loaded = importlib.import_module(module)
    return {name: getattr(loaded, name) for name in names if name.isupper() and not name.startswith("_")}


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def names_of_two_minds(values):
    """Sentences about names that are a number in one module and something else in another. `values`: module -> name -> value."""
    seen = {}
    for module, constants_there in values.items():
        for name, value in constants_there.items():
            seen.setdefault(name, []).append((value, module))
    for name, uses in seen.items():
        numbers = {value for value, _ in uses if is_number(value)}
        if numbers and (len(numbers) > 1 or not all(is_number(value) for value, _ in uses)):
            yield f"{name}: " + ", ".join(f"{value if is_number(value) else type(value).__name__} in {module}" for value, module in uses)


def test_a_name_of_two_minds_would_be_found():
    values = {"a": {"ATTACK": 5, "SAME": 1}, "b": {"ATTACK": 64, "SAME": 1}, "c": {"CARDS": 100}, "d": {"CARDS": ("shoot",)}}
    assert list(names_of_two_minds(values)) == ["ATTACK: 5 in a, 64 in b", "CARDS: 100 in c, tuple in d"]


def test_a_name_means_one_number():
    """A reader who meets ATTACK in two files may take it for the same thing; what only its own file needs begins with an underscore."""
    values = dict(loadable_constants())
    sisters = {module: module.split(".")[2] for module in values if module.startswith("danmaku_env.sister.")}
    below = {module for module in values if layer(module) < layer("danmaku_env.cards")}
    assert list(names_of_two_minds({module: values[module] for module in values.keys() - sisters.keys()})) == []
    for game in set(sisters.values()):  # games beside each other have words of their own
        own = {module for module, name in sisters.items() if name == game}
        assert list(names_of_two_minds({module: values[module] for module in own | below})) == []


@pytest.mark.parametrize("module", [name for name in MODULES if name.startswith("danmaku_env.sister.")])
def test_a_sister_game_stands_on_its_own(module):
    """It imports nothing of the cards and the engine of Danmaku!!; its engine nothing but the machine and itself."""
    mine = ".".join(module.split(".")[:3])
    for imported in imports(MODULES[module], module):
        assert not imported.startswith(("danmaku_env.cards", "danmaku_env.engine")), f"{module} imports {imported}"
        if module.startswith((f"{mine}.cards", f"{mine}.engine")) and imported.startswith("danmaku_env"):
            assert imported.startswith(("danmaku_env.jit", "danmaku_env.machine", "danmaku_env.fields", mine)), (
                f"{module} imports {imported}"
            )


@pytest.mark.parametrize("use", ["from danmaku_env import Game, make_vec; Game.new(4)", "import danmaku_env.commands.main"])
def test_no_sister_game_is_loaded_until_it_is_named(use):
    code = f"import sys; {use}; assert not [name for name in sys.modules if name.startswith('danmaku_env.sister')]"
    subprocess.run([sys.executable, "-c", code], check=True)


def loadable_constants():
    """(module, constants) of all modules whose packages are installed."""
    for module in MODULES:
        try:
            yield module, constants(module)
        except ModuleNotFoundError as missing:
            if (missing.name or "").startswith("danmaku_env"):
                raise


def consoles(path):
    """Consoles of rich that a file makes and that are heard: whatever they print of an agent's name or a file's reaches the terminal."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        is_console = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Console"
        if is_console and "quiet" not in [option.arg for option in node.keywords]:
            yield node.lineno


@pytest.mark.parametrize("module", [name for name in MODULES if layer(name) >= layer("danmaku_env.arena")])
def test_what_comes_from_outside_reaches_the_terminal_as_letters(module):
    """Commands print with `console.terminal.Terminal`, which lets neither markup nor control characters through."""
    assert not list(consoles(MODULES[module])), f"{module} prints with a console of its own"
