"""The layouts of frames say what the engine keeps there, and a frame that holds anything else is refused."""

import pytest

from danmaku_env import Game, GameConfig
from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.compile import compile_cards
from danmaku_env.cards.tables import T_RESOLVE
from danmaku_env.config import EXPANSIONS
from danmaku_env.engine import checks
from danmaku_env.engine import frames as fr
from danmaku_env.engine import state as st
from danmaku_env.engine.checks import programs
from danmaku_env.jit.kernels import JIT
from tests.random_play import play_randomly
from tests.table import scene

COLUMNS = [(procedure, column) for procedure, layout in fr.LAYOUTS.items() for column in layout.columns]


def name_of(value):
    procedure, column = value
    return f"{fr.LAYOUTS[procedure].name} {column.name}"


def resting_frames(games=24 if JIT else 8):
    """Records in which frames of every procedure rest, by procedure: (record, place of the frame)."""
    found = {}
    drawing = scene(expansion="lunatic_extra").seat(0, "usami_sumireko", hand="grimoire shoot").build()
    drawing.act("play grimoire")
    found[fr.DRAWING_FRAME] = drawing.record.copy(), int(drawing.record["depth"]) - 1
    for seed in range(games):
        game = Game.new(GameConfig(num_players=4 + seed % 5, characters="choose", expansion=EXPANSIONS[seed % 2]), seed)
        for position in play_randomly(game, seed):
            for place in range(int(position.record["depth"])):
                found.setdefault(int(position.record["stack"][place, fr.PROCEDURE]), (position.record.copy(), place))
        if set(found) == set(fr.LAYOUTS):
            break
    return found


@pytest.fixture(scope="module")
def resting():
    return resting_frames()


def test_every_procedure_rests_somewhere(resting):
    assert set(resting) == set(fr.LAYOUTS)


def test_columns_have_the_names_of_their_constants_and_leave_no_gap():
    for procedure, layout in fr.LAYOUTS.items():
        prefix = layout.name.upper()
        assert getattr(fr, f"{prefix}_FRAME") == procedure
        assert [column.slot for column in layout.columns] == list(range(fr.SEAT + 1, fr.SEAT + 1 + len(layout.columns)))
        for column in layout.columns:
            assert getattr(fr, f"{prefix}_{column.name.upper()}") == column.slot
        for place, step in enumerate(layout.steps):
            assert getattr(fr, f"AT_{step.upper().replace(' ', '_')}") == place
    assert max(column.slot for _, column in COLUMNS) == fr.FRAME_COLUMNS - 1
    assert fr.MOST_SEATS == st.SEATS


@pytest.mark.parametrize("value", COLUMNS, ids=name_of)
def test_a_value_that_the_layout_does_not_know_is_refused(resting, value):
    procedure, column = value
    record, place = resting[procedure]
    assert checks.problem(record) is None
    for strange in (-2, 30_000):
        record = record.copy()
        record["stack"][place, column.slot] = strange
        assert f"{fr.LAYOUTS[procedure].name} whose {column.name} is {strange}" in (checks.problem(record) or "nothing")


@pytest.mark.parametrize("procedure", fr.LAYOUTS)
def test_a_column_that_the_layout_does_not_have_is_refused(resting, procedure):
    record, place = resting[procedure]
    layout = fr.LAYOUTS[procedure]
    if fr.SEAT + 1 + len(layout.columns) == fr.FRAME_COLUMNS:
        return
    record = record.copy()
    record["stack"][place, -1] = 1
    assert checks.problem(record) == f"a frame of {layout.name} with more columns than it has"


@pytest.mark.parametrize(("title", "heads"), [("Grimoire", set()), ("Tempest", {v.NEXT_EACH}), ("Nuclear Excursion", {v.COUNT_DOWN})])
def test_loops_are_found_in_their_programs_and_nowhere_else(title, heads):
    compiled = compile_cards()
    start = int(compiled.tables[0]["text"][compiled.titles.index(title), T_RESOLVE])
    rows = range(start, programs.program_end(start))
    assert {int(programs.loops()[row]) for row in rows} == heads | {0}
