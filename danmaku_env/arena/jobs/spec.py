"""What a job depends on, as one object: the table, the seed and what more there is. The same spec gives the same results."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from danmaku_env import GameConfig
from danmaku_env.arguments import make_plain, shown
from danmaku_env.console.errors import UserError
from danmaku_env.console.options import TABLE_OPTIONS, table_data, table_of, table_words
from danmaku_env.game import check_seed
from danmaku_env.machine.records import SEED_BITS

_PLAYED = GameConfig()


@dataclass(frozen=True, kw_only=True)
class Spec:
    """What a job depends on. Raises UserError where that makes no sense.

    In files and on command lines the options of the table stand beside the others, and `players` is the number of its seats.
    """

    table: GameConfig = _PLAYED
    """How the games are set up."""
    seed: int = 0
    """Seed of deals and agents."""

    OPTIONS: ClassVar[tuple[str, ...]] = TABLE_OPTIONS
    """Options of the table that may differ from the defaults."""
    DEFAULT_TABLE: ClassVar[GameConfig] = _PLAYED
    """The table where nothing is asked for."""
    NEEDED: ClassVar[str] = "agents"
    """The field that every file has."""
    KEY: ClassVar[str] = "plan"
    """What the spec is called in its file."""
    CALLED: ClassVar[str] = "plan of a job"
    """What the spec is called in sentences, without an article."""
    FOLDER_PHRASES: ClassVar[tuple[str, str, str]] = "a job", "is no job", "another job"
    """How messages name what its folder holds: "holds ...", "there ..." of a folder without it, "holds ..." of another spec's."""
    FILE: ClassVar[str] = "plan.json"
    """The file of the folder that has the spec."""
    MARK: ClassVar[str] = "danmaku_job"
    """The key of that file's format."""
    FOLDER: ClassVar[Path] = Path("runs/job")
    """Where the job is done unless another folder is asked for."""
    RESULTS: ClassVar[tuple[str, ...]] = ()
    """Patterns of the files with results."""

    def __post_init__(self) -> None:
        make_plain(self)
        try:
            if not isinstance(self.table, GameConfig):
                raise UserError(f"the table is a GameConfig, not {self.table!r:.80}")
            self._check()
            check_seed(self.seed)
            table_data(self.table, self.OPTIONS)
        except UserError:
            raise
        except (ValueError, TypeError) as error:
            raise UserError(str(error)) from None

    def _check(self) -> None:
        """Raise ValueError for what makes no sense in the fields of its own."""

    def config(self, players: int | None = None) -> GameConfig:
        """How the games of a table size are set up, that of the table where none is named. Raises ConfigError."""
        return self.table if players is None else replace(self.table, num_players=players)

    def table_words(self) -> list[str]:
        """The words on a command line that ask for such games, but for the number of players."""
        return table_words(self.table, self.OPTIONS, self.DEFAULT_TABLE)

    def command(self) -> str:
        """The command that does the same job."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        own = {field.name: getattr(self, field.name) for field in fields(self) if field.name != "table"}
        data = {name: list(value) if isinstance(value, tuple) else value for name, value in own.items()}
        return {"players": self.table.num_players, **data, **table_data(self.table, self.OPTIONS)}

    @classmethod
    def from_dict(cls, data: Any) -> Self:
        """The inverse of `to_dict`; what older versions did not write yet has its default. Raises UserError on unknown or bad fields."""
        own = {field.name for field in fields(cls)} - {"table"}
        names = [*own, *cls.OPTIONS, "players", "table"]
        if not isinstance(data, dict) or not {cls.NEEDED} <= set(data) <= set(names):
            raise UserError(f"a {cls.CALLED} has the fields {', '.join(dict.fromkeys(names))}, not {data!s:.200}")
        values: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in data.items()}
        try:
            players = values.get("players", cls.DEFAULT_TABLE.num_players)
            size = players if not isinstance(players, tuple) else next((one for one in players if one in range(4, 9)), 6)
            table = table_of(values, cls.OPTIONS, cls.DEFAULT_TABLE, size)
            return cls(table=table, **{name: value for name, value in values.items() if name in own})
        except (TypeError, ValueError, OverflowError) as error:
            raise UserError(f"the {cls.CALLED} cannot be read: {error}") from None


def check_specs(specs: object, what: str) -> None:
    """Raise UserError unless this is a tuple or list of names of agents: a text alone would be taken for its letters."""
    if not isinstance(specs, (tuple, list)) or not all(isinstance(spec, str) for spec in specs):
        raise UserError(f"{what} are named by a tuple of words, such as ('heuristic', 'deducer'), not {shown(specs)}")


def seed_of(*numbers: int) -> int:
    """A seed that depends on all the numbers."""
    return int(np.random.SeedSequence(list(numbers)).generate_state(1, np.uint64)[0]) & ((1 << SEED_BITS) - 1)
