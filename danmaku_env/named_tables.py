"""The tables that benchmarks and papers name: `danmaku/Base6-v0` and its kin, as options of `GameConfig`.

Plain data, so that whoever registers the names need not load the engine. A table never changes; a correction is a new version.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

TABLE_OF_ID = "table_of_id"
"""The option by which a registered id says its table, so that nobody makes another one under its name."""
NAMED_TABLES: Mapping[str, Mapping[str, Any]] = {
    "Tiny-v0": {
        "num_players": 4, "roles": "basic", "characters": "none", "incidents": (), "deck": {"shoot": 16}, "life": 2, "hand": 2,
    },
    "Basic4-v0": {"num_players": 4, "roles": "basic", "characters": "random"},
    "Base6-v0": {"num_players": 6, "characters": "random"},
    "Base8-v0": {"num_players": 8, "characters": "random"},
    "Lunatic6-v0": {"num_players": 6, "expansion": "lunatic_extra", "characters": "random"},
}  # fmt: skip
"""Name -> options. Characters are dealt, not chosen, so that all games of a deal begin alike."""
