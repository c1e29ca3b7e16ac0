"""Tables and plots of reports: the same numbers in the terminal, on a page, in Markdown, CSV and LaTeX; colours that can be told apart."""

import csv
import io
import itertools
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from rich.console import Console

pytest.importorskip("matplotlib", reason="reports need the extra 'arena'")

from danmaku_env.agents.role_separation import Share
from danmaku_env.arena.reports.plots import Dots, Line, draw_dots, draw_lines, plot, png, svg
from danmaku_env.arena.reports.style import COLORS, colors_of
from danmaku_env.arena.reports.tables import AgentLabel, Column, Table
from danmaku_env.estimates import Estimate, signed

SURE = Estimate(100, 0.25, 0.125, 0.375, 0.01)
UNKNOWN = Estimate(1, -0.5, -float("inf"), float("inf"), 1.0)
COLUMNS = (
    Column("agent", number=False),
    Column("reward", signed),
    Column(AgentLabel("my_bot"), ("{:.0%}".format, "{:.1f}".format), parts=("won", "rating")),
)
ROWS = ((AgentLabel("my_bot"), SURE, (0.5, 1.25)), ("a|b & 50% <i>", UNKNOWN, (0.25, None)))
TABLE = Table.of("example", "An example", COLUMNS, ROWS)


def test_a_table_in_a_spreadsheet_has_every_number_in_full():
    rows = list(csv.DictReader(io.StringIO(TABLE.csv())))
    assert rows == [
        {"agent": "my_bot", "reward": "0.25", "reward low": "0.125", "reward high": "0.375", "reward p": "0.01", "my_bot won": "0.5",
         "my_bot rating": "1.25"},
        {"agent": "a|b & 50% <i>", "reward": "-0.5", "reward low": "", "reward high": "", "reward p": "1.0", "my_bot won": "0.25",
         "my_bot rating": ""},
    ]  # fmt: skip


def test_a_share_in_a_spreadsheet_says_whose_the_interval_is():
    share = Share(choices=10, games=4, named=0.75, chance=0.5, low=0.125, high=0.375)
    table = Table.of("shares", "Shares", (Column("agent", number=False), Column("Heroine", Share.words)), (("one", None), ("other", share)))
    nothing, row = csv.DictReader(io.StringIO(table.csv()))
    assert row == {
        "agent": "other", "Heroine choices": "10", "Heroine games": "4", "Heroine named": "0.75", "Heroine chance": "0.5",
        "Heroine difference": "0.25", "Heroine difference low": "0.125", "Heroine difference high": "0.375",
    }  # fmt: skip
    assert nothing == {**dict.fromkeys(row, ""), "agent": "one"}


def test_sections_of_a_table_are_a_column_of_the_spreadsheet():
    table = Table("example", "", COLUMNS[:2], (("by faction", ROWS[:1]), ("by role", ROWS[1:])))
    assert [row["section"] for row in csv.DictReader(io.StringIO(Table("x", "", (COLUMNS[0],), (("a", [("b",)]),)).csv()))] == ["a"]
    with pytest.raises(ValueError, match="argument 2 is"):
        table.csv()  # a row has a value for each column


def test_a_table_in_a_paper_takes_no_word_for_a_command():
    assert TABLE.latex().splitlines() == [
        "% An example",
        r"\begin{tabular}{lrr}",
        r"\toprule",
        r"agent & reward & my\_bot \\",
        r"\midrule",
        r"my\_bot & +0.250 $\pm$ 0.125 & 50\% 1.2 \\",
        r"a|b \& 50\% \textless{}i\textgreater{} & -0.500 & 25\% -- \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]


def test_a_table_on_a_page_escapes_and_shows_the_colour_of_an_agent():
    page = TABLE.html({"my_bot": "#123456"})
    assert page.count('<i style="background: #123456"></i>my_bot</span>') == 2, "in the heading and in the row"
    assert "a|b &amp; 50% &lt;i&gt;" in page
    assert '<td class="number">50% <small>1.2</small></td>' in page


def test_a_table_in_markdown_and_in_the_terminal():
    assert TABLE.markdown().splitlines() == [
        "| agent | reward | my_bot |",
        "| --- | ---: | ---: |",
        "| my_bot | +0.250 ± 0.125 | 50% 1.2 |",
        r"| a\|b & 50% <i> | -0.500 | 25% – |",
    ]
    console = Console(file=io.StringIO(), width=60)
    console.print(TABLE.terminal(most=1))
    words = console.file.getvalue()
    assert "+0.250 ± 0.125" in words
    assert "1 more in the report" in words
    assert "a|b" not in words


def test_plots_are_svg_or_png_and_the_same_each_time():
    def draw(as_file):
        with plot(5, 2) as figure:
            one, other = figure.subplots(1, 2)
            draw_dots(one, ["my_bot", "no_one", "$x$"], [Dots("dots", [SURE, None, UNKNOWN], ["#0072b2"])])
            draw_lines(
                other, [Line("line", [4, 6], [SURE, UNKNOWN], "#0072b2"), Line("bars", [4, 6], [SURE, SURE], "#e69f00")], bands=False
            )
            assert [label.get_text() for label in one.get_yticklabels()] == ["$x$", "no_one", "my_bot"]
            return as_file(figure)

    assert ET.fromstring(draw(svg)).tag.endswith("svg")
    assert draw(svg) == draw(svg)
    assert draw(png)[:4] == b"\x89PNG"


_CONES = {
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
}
"""How colours look without one kind of cones: Machado, Oliveira and Fernandes 2009, severity 1."""
_TO_XYZ = np.array(((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041)))
_WHITE = np.array((0.95047, 1.0, 1.08883))


def lab(color, cones):
    """CIE L*a*b* of a colour as it is seen with these cones."""
    rgb = np.array([int(color[place : place + 2], 16) for place in (1, 3, 5)]) / 255
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    seen = np.clip(np.array(cones) @ linear, 0, 1)
    scaled = _TO_XYZ @ seen / _WHITE
    x, y, z = np.where(scaled > (6 / 29) ** 3, np.cbrt(scaled), scaled / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array((116 * y - 16, 500 * (x - y), 200 * (y - z)))


@pytest.mark.parametrize("eyes", ["all", *_CONES])
def test_the_colours_of_the_agents_are_told_apart_by_the_colour_blind(eyes):
    """They are at least 15 of the 100 steps from black to white apart."""
    cones = _CONES.get(eyes, np.eye(3))
    named = colors_of(["random", "heuristic", "deducer", "search", "neural", "reference"])
    for (one, first), (other, second) in itertools.combinations(named.items(), 2):
        assert np.linalg.norm(lab(first, cones) - lab(second, cones)) > 15, (one, other)
    assert len(set(COLORS)) == len(COLORS)
