"""A task: what is played, by whom, on which deals, and what is measured. Each is a TOML file in `tasks/` that never changes.

A correction is a new version: `belief-v2` beside `belief-v1`. All chance follows from the name of the task, by SHA-256.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from pathlib import Path
from typing import Any

from danmaku_env import GameConfig
from danmaku_env.arguments import shown
from danmaku_env.console.errors import UserError
from danmaku_env.named_tables import NAMED_TABLES

FOLDER = Path(__file__).with_name("tasks")
TASK_KINDS = ("panel", "belief", "partner", "strangers", "cross", "exploit")
"""How a task is played and measured; docs/benchmark.md says each in words."""
BELIEF_KINDS = ("belief", "partner")
"""Those of beliefs, which are scored; the others are played for reward."""
_AS_PUBLISHED = {"neural": "neural:version=1"}
"""Name in a task -> name of the same agent today. A later task that is played with a later net names its version."""
_NAME = re.compile(r"[a-z0-9-]+-v[0-9]+")


@dataclass(frozen=True, kw_only=True)
class Task:
    """One task. Raises UserError where that makes no sense."""

    name: str
    kind: str
    """One of TASK_KINDS."""
    title: str
    table: str
    """A name of `named_tables.NAMED_TABLES`."""
    deals: int
    """Deals, or games, of a whole run."""
    quick: int
    """Of a quick one, how many of them, from the first on."""
    headline: str
    """The metric that entries are ranked by."""
    columns: tuple[str, ...] = ()
    """Further metrics that the board shows."""
    lower_is_better: bool = False
    budget: str
    """What an entry may have used before it is measured, and what it may use here."""
    protocol: str
    """What is played and measured, in sentences."""
    population: Mapping[str, str] = field(default_factory=dict)
    """Spec of an agent -> its fingerprint (population.py)."""
    beliefs: bool = False
    """Whether a task played for reward also asks an entry that states beliefs for `bits saved`."""
    decisions: int = 0
    """Of training in a whole run, where the task itself trains."""
    digest: str = ""
    """SHA-256 of the file, in hexadecimal digits."""

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise UserError(f"a task is named like belief-v1, not {shown(self.name)}")
        if self.kind not in TASK_KINDS:
            raise UserError(f"the kind of the task {self.name} is one of {', '.join(TASK_KINDS)}, not {shown(self.kind)}")
        if self.table not in NAMED_TABLES:
            raise UserError(f"the table of the task {self.name} is one of {', '.join(NAMED_TABLES)}, not {shown(self.table)}")
        if not 2 <= self.quick <= self.deals:
            raise UserError(f"the task {self.name} needs at least 2 deals, and no more for a quick run than for a whole one")

    @property
    def members(self) -> tuple[str, ...]:
        """Its population, by the names that make the same agents today: a newer net may be shipped than when it was published."""
        return tuple(_AS_PUBLISHED.get(spec, spec) for spec in self.population)

    @property
    def config(self) -> GameConfig:
        """How its games are set up."""
        return GameConfig(**NAMED_TABLES[self.table])

    def seed(self, *words: object) -> int:
        """The seed of something of the task: the first 62 bits of the SHA-256 of `NAME/word/word ...`."""
        text = "/".join([self.name, *map(str, words)])
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 2

    def deal(self, number: int) -> int:
        """The seed of a deal, as `Game.new(task.config, seed)` takes it."""
        return self.seed("deal", number)


def names() -> list[str]:
    """The names of all tasks."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def read_task(name: str) -> Task:
    """A task by its name. Raises UserError for an unknown one."""
    path = FOLDER / f"{name}.toml"
    if not _NAME.fullmatch(name) or not path.is_file():
        raise UserError(f"there is no task {shown(name)}; the tasks are {', '.join(names())}")
    blob = path.read_bytes()
    try:
        data: dict[str, Any] = tomllib.loads(blob.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"{path} is no task that can be read: {error}") from None
    known = {one.name: one for one in fields(Task) if one.name != "digest"}
    needed = {name for name, one in known.items() if one.default is MISSING and one.default_factory is MISSING}
    if not needed <= set(data) <= set(known) or data["name"] != name:
        raise UserError(f"{path} is no task: it has the fields {', '.join(known)}, and the name of its file")
    data = {name: " ".join(value.split()) if isinstance(value, str) else value for name, value in data.items()}
    data["columns"] = tuple(data.get("columns", ()))
    return Task(**data, digest=hashlib.sha256(blob).hexdigest())
