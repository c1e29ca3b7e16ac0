"""Where a recorded folder comes from: its dataset spec, and the rules of its games."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from danmaku_env.arena.data.spec import DatasetSpec
from danmaku_env.arena.data.tables import RULES
from danmaku_env.files import open_file
from danmaku_env.game import read_json, rules_fingerprint, warn_of_unknown_rules

SPEC_FILE = DatasetSpec.FILE


def spec_data(folder: Path) -> dict[str, Any]:
    """What the file of a folder's dataset spec says; empty where none can be read."""
    there: Any = {}
    with contextlib.suppress(OSError, ValueError), open_file(folder / SPEC_FILE) as file:
        there = read_json(file.read())
    return there if isinstance(there, dict) else {}


def rules_of(folder: Path, said: Mapping[bytes, bytes]) -> str | None:
    """The rules that made a table, by its metadata and the dataset spec beside it: other ones than today's, if either names any.

    Warns (RulesWarning) and returns None if neither says so.
    """
    versions = spec_data(folder).get("versions")
    named = [said[RULES].decode()] if RULES in said else []
    named += [versions["rules"]] if isinstance(versions, dict) and "rules" in versions else []
    if not named:
        warn_of_unknown_rules(f"the record in {folder}", stacklevel=4)
        return None
    return next((rules for rules in named if rules != rules_fingerprint()), rules_fingerprint())
