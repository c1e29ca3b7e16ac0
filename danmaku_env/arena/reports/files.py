"""The files of a report: a page, its tables as CSV and LaTeX, its plots as SVG, and all of it as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from danmaku_env.arena.reports.tables import Table
from danmaku_env.console.errors import UserError
from danmaku_env.game import write_atomically

TABLES, PLOTS = "tables", "plots"
"""Folders beside the page."""


def write_report(folder: Path, page: tuple[str, str], data: tuple[str, Any], tables: Sequence[Table], plots: Mapping[str, bytes]) -> None:
    """Write tables/NAME.csv and .tex, plots/NAME.svg, the page and at last the data; the last two are (name of the file, what is in it).

    Raises UserError when the folder does not take them.
    """
    try:
        for name in (TABLES, PLOTS):
            (folder / name).mkdir(exist_ok=True)
        for table in tables:
            write_atomically(folder / TABLES / f"{table.name}.csv", table.csv().encode())
            write_atomically(folder / TABLES / f"{table.name}.tex", table.latex().encode())
        for name, plot in plots.items():
            write_atomically(folder / PLOTS / f"{name}.svg", plot)
        write_atomically(folder / page[0], page[1].encode())
        write_atomically(folder / data[0], json.dumps(data[1], indent=1, allow_nan=False).encode() + b"\n")
    except OSError as error:
        raise UserError(f"the report cannot be written to {folder}: {error.strerror}") from None
