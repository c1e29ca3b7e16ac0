"""The pages of reports, made from templates."""

from __future__ import annotations

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined


def templates() -> Environment:
    """The pages of the rooms, in which whatever comes from outside is escaped."""
    folder = FileSystemLoader(Path(__file__).parent.parent)
    return Environment(loader=folder, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
