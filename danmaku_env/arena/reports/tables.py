"""A table of a report, once: for the terminal, a page, Markdown, a spreadsheet (CSV) and a paper (LaTeX)."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, TypeAlias

from markupsafe import Markup, escape
from rich.table import Table as RichTable
from rich.text import Text

from danmaku_env.estimates import Estimate

Words: TypeAlias = Callable[[Any], str]
Row: TypeAlias = Sequence[Any]
_NOTHING = "–"
_LATEX = {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "–": "--", "±": r"$\pm$", "×": r"$\times$", "≲": r"$\lesssim$", **{sign: f"\\{sign}" for sign in "&%$#_{}"},
}  # fmt: skip


class AgentLabel(str):
    """The label of an agent, as a cell or the heading of a column: pages show its colour."""

    __slots__ = ()


@dataclass(frozen=True)
class Column:
    """A column: its heading, and how its values are written."""

    name: str
    words: Words | tuple[Words, ...] = str
    """Makes words of a value; several make words of the values of a cell that holds one for each."""
    number: bool = True
    """Whether the values are numbers, which stand to the right; else they are words."""
    parts: tuple[str, ...] = ()
    """What the values are called, of cells that hold several."""

    def lines(self, value: Any) -> list[str]:
        """The words of a cell, a line for each value; a dash for None."""
        words, values = (self.words, value) if isinstance(self.words, tuple) else ((self.words,), (value,))
        return [_NOTHING if one is None else say(one) for say, one in zip(words, values, strict=True)]

    def numbers(self, value: Any) -> dict[str, Any]:
        """Name -> value for a spreadsheet."""
        if not self.parts:
            return _plain(self.name, value)
        named = zip(self.parts, value if value is not None else [None] * len(self.parts), strict=True)
        return {name: number for part, one in named for name, number in _plain(f"{self.name} {part}", one).items()}


@dataclass(frozen=True)
class Table:
    """A table: sections of rows, each with a heading or none."""

    name: str
    """Of its files."""
    title: str
    columns: tuple[Column, ...]
    sections: tuple[tuple[str, Sequence[Row]], ...]
    note: str = ""

    @classmethod
    def of(cls, name: str, title: str, columns: Sequence[Column], rows: Sequence[Row], note: str = "") -> Table:
        """A table of a single section."""
        return cls(name, title, tuple(columns), (("", rows),), note)

    @property
    def rows(self) -> Iterator[Row]:
        """Of all sections."""
        return (row for _, rows in self.sections for row in rows)

    def _lines(self, row: Row) -> Iterator[tuple[Column, list[str]]]:
        return ((column, column.lines(value)) for column, value in zip(self.columns, row, strict=True))

    # ---- for people

    def terminal(self, most: int | None = None) -> RichTable:
        """For the terminal; of each section at most this many rows, where a number is given."""
        table = RichTable(title=self.title, title_justify="left")
        for column in self.columns:
            table.add_column(Text(column.name, overflow="fold"), justify="right" if column.number else "left", overflow="fold")
        left = 0
        for heading, rows in self.sections:
            if heading:
                table.add_row(heading, style="bold")
            for row in rows[:most]:
                table.add_row(*(Text("\n".join(lines), overflow="fold") for _, lines in self._lines(row)))
            left += len(rows[most:]) if most is not None else 0
            table.add_section()
        table.caption = f"{left} more in the report" if left else self.note or None
        return table

    def html(self, colors: Mapping[str, str]) -> Markup:
        """For a page; `colors` are those of the agents."""
        head = Markup("").join(_html_cell("th", column, [column.name], column.name, colors) for column in self.columns)
        body = []
        for heading, rows in self.sections:
            if heading:
                body.append(Markup('<tr><th colspan="{}">{}</th></tr>\n').format(len(self.columns), heading))
            for row in rows:
                cells = (
                    _html_cell("td", column, column.lines(value), value, colors) for column, value in zip(self.columns, row, strict=True)
                )
                body.append(Markup("<tr>{}</tr>\n").format(Markup("").join(cells)))
        whole = Markup('<div class="wide"><table>\n<thead><tr>{}</tr></thead>\n<tbody>\n{}</tbody>\n</table></div>')
        return whole.format(head, Markup("").join(body))

    def markdown(self) -> str:
        """As a table of GitHub's Markdown; a bar in a cell is escaped."""
        lines = [[column.name for column in self.columns], ["---:" if column.number else "---" for column in self.columns]]
        for heading, rows in self.sections:
            lines += [[f"**{heading}**", *[""] * (len(self.columns) - 1)]] if heading else []
            lines += [[" ".join(words).replace("|", r"\|") for _, words in self._lines(row)] for row in rows]
        return "".join(f"| {' | '.join(line)} |\n" for line in lines)

    # ---- for other programs

    def csv(self) -> str:
        """With a row for each row and all numbers in full: an estimate has columns for its interval and its p-value."""
        sectioned = any(heading for heading, _ in self.sections)
        records = []
        for heading, rows in self.sections:
            for row in rows:
                record: dict[str, Any] = {"section": heading} if sectioned else {}
                for column, value in zip(self.columns, row, strict=True):
                    record |= column.numbers(value)
                records.append(record)
        names = {name: any(record.get(name, "") != "" for record in records) for record in records for name in record}
        names = {name: full for name, full in names.items() if full or not any(other.startswith(f"{name} ") for other in names)}
        with io.StringIO() as file:
            writer = csv.DictWriter(file, list(names), extrasaction="ignore", lineterminator="\n")
            writer.writeheader()
            writer.writerows(records)
            return file.getvalue()

    def latex(self) -> str:
        """As a `tabular` of the package booktabs, to be taken into a paper."""
        align = "".join("r" if column.number else "l" for column in self.columns)
        lines = [f"% {self.title}", f"\\begin{{tabular}}{{{align}}}", "\\toprule"]
        lines.append(" & ".join(_latex(column.name) for column in self.columns) + r" \\")
        for heading, rows in self.sections:
            lines.append("\\midrule")
            if heading:
                lines.append(f"\\multicolumn{{{len(self.columns)}}}{{l}}{{{_latex(heading)}}} \\\\")
            lines += [" & ".join(_latex(" ".join(words)) for _, words in self._lines(row)) + r" \\" for row in rows]
        return "\n".join([*lines, "\\bottomrule", "\\end{tabular}", ""])


def _html_cell(tag: str, column: Column, lines: Sequence[str], value: Any, colors: Mapping[str, str]) -> Markup:
    first, *more = (escape(line) for line in lines)
    if isinstance(value, AgentLabel):
        first = Markup('<span class="agent"><i style="background: {}"></i>{}</span>').format(colors[value], first)
    small = Markup("").join(Markup(" <small>{}</small>").format(line) for line in more)
    kind = Markup(' class="number"') if column.number else Markup("")
    return Markup("<{}{}>{}{}</{}>").format(Markup(tag), kind, first, small, Markup(tag))


def _plain(name: str, value: Any) -> dict[str, Any]:
    """Name -> number or words, of what consists of several numbers one for each."""
    if isinstance(value, Estimate):
        parts = {name: value.mean, f"{name} low": value.low, f"{name} high": value.high, f"{name} p": value.p}
    elif hasattr(value, "numbers"):
        parts = {f"{name} {part}": one for part, one in value.numbers().items()}
    elif is_dataclass(value):
        parts = {f"{name} {field.name}": getattr(value, field.name) for field in fields(value)}
    elif isinstance(value, tuple) and hasattr(value, "_asdict"):
        parts = {f"{name} {part}": one for part, one in value._asdict().items()}
    else:
        parts = {name: value}
    return {part: "" if one is None or (isinstance(one, float) and not math.isfinite(one)) else one for part, one in parts.items()}


def _latex(words: str) -> str:
    """The words with every sign that LaTeX would take for a command written as itself."""
    return "".join(_LATEX.get(letter, letter) for letter in words)
