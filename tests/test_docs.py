"""The generated pages are fresh and complete, and every word of the vocabulary can be said in English."""

import ast
import inspect
import itertools
import json
import re
from pathlib import Path

import pytest

from danmaku_env import Scenario, docs
from danmaku_env.cards import describe
from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.characters import CHARACTERS
from danmaku_env.cards.compile import compile_cards
from danmaku_env.cards.errors import CardError
from danmaku_env.cards.incidents import INCIDENTS
from danmaku_env.cards.main_deck import MAIN_CARDS
from danmaku_env.cards.roles import ROLES
from danmaku_env.engine import actions, observation, observe
from danmaku_env.engine import frames as fr
from danmaku_env.engine import state as st

ROOT = Path(__file__).resolve().parent.parent


def test_the_committed_pages_are_what_the_code_says():
    assert docs.stale() == [], "run python -m danmaku_env.docs"


def test_check_fails_when_a_page_is_stale(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(docs, "FOLDER", tmp_path)
    assert docs.main(["--check"]) == 1
    assert "cards.md" in capsys.readouterr().err
    assert docs.main([]) == 0
    assert docs.main(["--check"]) == 0
    (tmp_path / "state.md").write_text("something else", "utf-8")
    assert docs.main(["--check"]) == 1
    assert "stale: state.md" in capsys.readouterr().err


def test_every_card_stands_in_the_cards_page():
    page = docs.cards_page()
    for thing in (*MAIN_CARDS, *INCIDENTS, *ROLES, *CHARACTERS):
        assert f"`{thing.id}`" in page
        assert thing.name in page


def test_the_observation_page_covers_every_byte_once():
    page = docs.observation_page()
    for piece in observation.OBSERVATION_FIELDS:
        assert f"| `{piece.name}` | {observation.OFFSETS[piece.name]}:" in page
    assert f":{observation.OBSERVATION_SIZE} |" in page
    assert f":{observe.STATE_SIZE} |" in page


def test_the_actions_page_covers_every_index_and_question():
    page = docs.actions_page()
    assert set(docs.QUESTION_DOC) == set(actions.QUESTIONS)
    covered = []
    for bounds, *_ in docs._action_ranges():
        first, _, last = str(bounds).partition("..")
        covered += range(int(first), int(last or first) + 1)
    assert covered == list(range(actions.NUM_ACTIONS))
    for index, name in enumerate(actions.ACTION_IDS):
        assert f"{index:3d}  {name}\n" in page


def test_the_state_page_covers_every_field_and_column():
    page = docs.state_page()
    for name, *_ in st.FIELDS:
        assert f"| `{name}` |" in page
    for layout in fr.LAYOUTS.values():
        section = page.partition(f" {layout.name}\n")[2].partition("\n#")[0]
        assert layout.doc in section
        assert all(f"| {column.slot} | `{column.name}` | {column.holds} |" in section for column in layout.columns)


# ---------------------------------------------------------------- describe


def test_the_table_of_operations_has_no_gaps():
    """Codes are consecutive inside each family, so a forgotten one would show."""
    for family in (v.ASK, v.MOVE, v.LIFE, v.STACK, v.FLOW, v.NATIVE, v.EXTRAS):
        codes = sorted(code for code in v.OPERATIONS if code // v.FAMILY == family // v.FAMILY)
        assert codes == list(range(family, family + len(codes)))
    names = [operation.name for operation in v.OPERATIONS.values()]
    assert len(set(names)) == len(names)


def test_every_operation_is_named_after_its_constant():
    for code, operation in v.OPERATIONS.items():
        assert getattr(v, operation.name.upper()) == code


@pytest.mark.parametrize("code", sorted(v.OPERATIONS))
def test_every_operation_can_be_said(code):
    words = describe.describe_program([v.Op(code, 1, 1, 1)])
    assert "{" not in words


def test_every_word_can_be_said():
    for seat in range(len(v.WHO)):
        assert v.WHO[seat] in describe.describe_program([v.draw(1, v.SeatOperand(seat))])
    for group in range(len(v.GROUPS)):
        assert v.GROUPS[group].removeprefix("other ") in describe.describe_program([v.choose_player(v.Group(group))])
        assert f"every {v.GROUPS[group]}" in describe.describe_program([v.Each(v.Group(group), [v.draw(1, v.EACH)])])
    for word in range(len(v.COUNTS)):
        assert v.COUNTS[word] in describe.describe_program([v.draw(v.Count((word,)) + 2)])
    for condition in range(len(v.CONDITIONS)):
        assert v.CONDITIONS[condition] in describe.describe_program([v.If(v.Condition(condition), 1, [v.stop()], ())])
    for lasting in range(len(v.LASTING)):
        assert v.LASTING[lasting] in describe.describe_program([v.lasting(v.Lasting(lasting), v.ME, 3)])
    for stat in range(len(v.STATS)):
        assert describe.describe_modifiers({v.Stat(stat): 2})
    for law in range(len(v.LAWS)):
        incident = v.Incident(id="x", name="X", season=v.SPRING, text="", laws=v.Laws(1 << law))
        assert v.LAWS[law] in describe.describe_incident(incident)
    for bit in range(len(v.GOALS)):
        role = v.Role(id="x", name="X", factions=1, team=1, goal=1 << bit, text="")
        assert v.GOALS[bit] in describe.describe_role(role)


def other_values(operand):
    """Two values of an operand that sentences must tell apart, for each way in which it can differ."""
    words = {
        v.Kind.SEAT: [v.SeatOperand(seat) for seat in range(len(v.WHO))],
        v.Kind.GROUP: [v.Group(group) for group in range(len(v.GROUPS))],
        v.Kind.NUMBER: [1, 2, *([v.AMOUNT, v.AMOUNT + 1, v.AMOUNT - 1, v.MY_POWERUPS, v.ACTIVE_PLAYERS] if operand.counts else [])],
        v.Kind.TYPES: [v.ANY_TYPE, v.DANMAKU, v.DODGE, v.DANMAKU | v.DODGE],
        v.Kind.SEASONS: [1, 2, 3],
        v.Kind.YES_NO: [0, 1],
        v.Kind.FLAGS: [0, *(1 << bit for bit in range(8) if operand.flags >> bit & 1)],
        v.Kind.CONDITION: [v.Condition(condition) for condition in range(len(v.CONDITIONS))],
        v.Kind.LASTING: [v.Lasting(effect) for effect in range(len(v.LASTING))],
        v.Kind.GIVES: [v.ITS_ABILITY, v.ITS_SPELL, v.ITS_ALL],
        v.Kind.VALUE: [1, 2, v.AMOUNT, v.DANMAKU, v.DODGE],
    }
    fitting = [value for value in words.get(operand.kind, []) if not operand.only or value in operand.only]
    return fitting[1:] if operand.kind is v.Kind.TYPES and operand.low else fitting


@pytest.mark.parametrize("code", sorted(v.OPERATIONS))
def test_every_operand_of_every_operation_is_said(code):
    """Two rows that differ in one operand are two sentences: nothing that a program says is left out of docs/cards.md."""
    for place, operand in enumerate(v.OPERATIONS[code].operands):
        values = other_values(operand)
        rows = [v.Op(code)._replace(**{"abc"[place]: value}) for value in values]
        assert len({describe.describe_program([row]) for row in rows}) == len(values), operand.name


def test_every_event_and_relation_can_be_said():
    for event, relation, once in itertools.product(range(v.NUM_EVENTS), range(len(v.RELATIONS)), range(4)):
        words = describe.describe_moment(v.Text(events=(event,), relation=relation, once=once, tags=v.DANMAKU))
        assert words
        assert "{" not in words


def test_all_moments_of_the_base_game_have_a_phrase_of_their_own():
    for text in compile_cards().texts[1:]:
        if text.events:
            assert not describe.describe_moment(text).startswith("at: ")


def test_the_amount_is_what_the_program_made_it():
    assert describe.describe_program([v.discard_hand(), v.draw(v.AMOUNT)]) == (
        "you discard your whole hand; you draw as many cards as the number of cards discarded"
    )
    assert "the type named" in describe.describe_program([v.choose_type(v.DODGE), v.lasting(v.BAN_TYPE, v.ME, v.AMOUNT)])


def test_brackets_show_what_belongs_together():
    body = [v.draw(1), v.lose_life(v.ME, 1)]
    assert describe.describe_program([v.may(body), v.flip()]) == (
        "if you want, [you draw 1 card; you lose 1 life]; you flip the top card of the Main deck"
    )
    assert describe.describe_program([v.repeat(3, [v.attack()])]) == "3 times: [you attack the chosen player if in range]"


def test_an_unknown_operation_is_refused():
    with pytest.raises(CardError, match="unknown operation 63"):
        describe.describe_program([v.Op(63)])
    with pytest.raises(CardError, match="not a word"):
        describe.describe_program(["draw"])


# ---------------------------------------------------------------- rulings


def test_every_ruling_cited_is_on_the_rulings_page():
    listed = set(re.findall(r"^- \*\*([A-Z]-\d+)\*\*", (ROOT / "docs" / "rules.md").read_text("utf-8"), re.MULTILINE))
    assert len(listed) > 100
    for path in [*ROOT.glob("danmaku_env/**/*.py"), *ROOT.glob("tests/**/*.py")]:
        if "sister" in path.parts:
            continue
        for ruling in re.findall(r"\b([SUTKADIRXCH]-\d+)\b", path.read_text("utf-8")):
            assert ruling in listed, f"{path.name} cites {ruling}, which docs/rules.md does not have"


# ---------------------------------------------------------------- pages written by hand


def parsed(module):
    """The statements of a module, or of the package of that name."""
    path = ROOT / module.replace(".", "/")
    return ast.parse((path / "__init__.py" if path.is_dir() else path.with_suffix(".py")).read_text("utf-8")).body


def defined(module):
    """The names that a module defines and documents, alone, as the site wants it; and those that it exports, if it says so."""
    found, exported = set(), set()
    for line, after in itertools.pairwise([*parsed(module), ast.Pass()]):
        if isinstance(line, (ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(line):
            found.add(line.name)
        elif isinstance(line, (ast.Assign, ast.AnnAssign)):
            name = ast.unparse(line.targets[0] if isinstance(line, ast.Assign) else line.target)
            if name == "__all__":
                exported = set(ast.literal_eval(line.value))
            elif isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
                found.add(name)
    return found, exported


def imported(words):
    """(module, name) of all that a page or a cell imports by name from the package."""
    for module, names in re.findall(r"^\s*from (danmaku_env[\w.]*) import (\([^)]*\)|[^\n#]*)", words, re.MULTILINE):
        yield from ((module, name.split(" as ")[0].strip()) for name in names.strip("()").split(",") if name.strip())


def test_what_the_pages_import_has_an_entry_on_the_site():
    """website/pages.py says which: of some packages every name they export, of other modules all they define, and single names."""
    (listed,) = (line.value for line in parsed("website.pages") if ast.unparse(line).startswith("FROM_DOCSTRINGS"))
    packages, whole = ({name for page in ast.literal_eval(listed).values() for name in page[part]} for part in (1, 2))
    texts = {path.name: path.read_text("utf-8") for path in [*docs.FOLDER.rglob("*.md"), ROOT / "README.md"]}
    for path in (ROOT / "notebooks").glob("*.ipynb"):
        cells = json.loads(path.read_text("utf-8"))["cells"]
        texts[path.name] = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    used = {(page, module, name) for page, text in texts.items() for module, name in imported(text)}
    assert len(used) > 80
    for page, module, name in sorted(used):
        own, exported = defined(module)
        there = f"{module}.{name}" in whole or (module in whole and name in own) or (module in packages and name in exported)
        assert there or name.endswith("_v0"), f"{page} imports {name} from {module}: no page of website/pages.py has it"


_FOLDERS = ("danmaku_env", "docs", "tests", "experiments", "benchmarks", "notebooks", "website", "agents", "training", "results")
"""Folders whose names begin a whole path."""


def test_the_files_that_the_pages_name_are_there():
    """By the end of their paths, as the pages name them within a section: `rollout.py`, `arena/rollout.py`; folders by their whole path."""
    files = {f"/{path.relative_to(ROOT).as_posix()}" for folder in _FOLDERS for path in (ROOT / folder).rglob("*")}
    files |= {f"/{path.name}" for path in ROOT.iterdir()}
    for page in [*docs.FOLDER.rglob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]:
        prose = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
        for named in re.findall(r"`([\w./-]+\.(?:py|js|css|jinja|md|toml|yml|ipynb))`", prose):
            assert any(file.endswith(f"/{named}") for file in files), f"{page.name} names {named}, which is not there"
        for named in re.findall(rf"`((?:{'|'.join(_FOLDERS)})/[\w./-]+)/?`", prose):
            assert (ROOT / named).exists(), f"{page.name} names {named}, which is not there"


def test_the_page_about_positions_says_what_happens():
    page = (docs.FOLDER / "positions.md").read_text("utf-8")
    pieces = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    for code in pieces:
        exec(compile(code, "positions.md", "exec"), {})
    methods = [name for name, _ in inspect.getmembers(Scenario, inspect.isfunction) if not name.startswith("_")]
    for method in methods:
        assert f"table.{method}(" in "".join(pieces), method
