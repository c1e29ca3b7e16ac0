"""Recorded games as arrays: at every decision what was seen, what was legal and what was answered, for learning from them.

The tables hold the answers and not what was seen. So the games of a part are played once more, side by side, which is many times as fast as
playing them one by one with `Replay.positions`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from danmaku_env import GameConfig
from danmaku_env.arena.data.provenance import rules_of
from danmaku_env.arena.data.rollout import Played
from danmaku_env.arena.records import legal_answers, observations_of
from danmaku_env.arguments import shown, whole_number
from danmaku_env.console.errors import UserError
from danmaku_env.game import as_today, check_rules, check_seed, read_json
from danmaku_env.machine.records import NOBODY, OK, RUNNING, Array, payoffs
from danmaku_env.spec import GameSpec, spec_of

_PIECE = 32
"""Games that are played again at once where rows are written."""


def arrays(
    folder: str | Path,
    *,
    agents: str | Sequence[str] | None = None,
    games: Iterable[int] | None = None,
    history: int = 0,
    other_rules: bool = False,
) -> dict[str, Array]:
    """The decisions of a recorded folder, game after game: D rows in every array.

    - `observations` [D, n] uint8 and `action_masks` [D, N] uint8: what the seat asked could see, and 1 for each legal answer
    - `actions` [D] int64: the answers
    - `games` and `decisions` [D]: which game, and how many answers had been given in it before
    - `turns` and `seats` [D]: the number of the turn, and the seat asked
    - `agents` [D]: who answered, by the place of its spec among those of recipe.json, each counted once
    - `roles` [D]: the number of the role that the seat had then (`danmaku_env.ROLE_IDS`), 0 where it had none any more
    - `rewards` [D]: what the game paid the seat at its end, 1, -1 or 0

    Only the decisions of these agents, by their specs, and of these games, where some are named. With `history` the observations end with
    this many events (docs/observation.md). Raises UserError where the tables cannot be read or hold no such decisions, OtherRules where
    they were made by other rules, unless `other_rules` asks for the attempt, and ConfigError for a history that no game has.
    """
    wanted = _Wanted.of(agents, games, history, other_rules)
    parts = [(path, _read(path, wanted).size) for path in _paths(folder)]
    total = sum(size for _, size in parts)
    if not total:
        raise UserError(f"there are no such decisions in {folder}")
    whole: dict[str, Array] = {}
    filled = 0
    for path, size in parts:
        for name, piece in _played_again(_read(path, wanted)).items() if size else ():
            whole.setdefault(name, np.empty((total, *piece.shape[1:]), piece.dtype))[filled : filled + size] = piece
        filled += size
    return whole


def arrays_by_part(
    folder: str | Path,
    *,
    agents: str | Sequence[str] | None = None,
    games: Iterable[int] | None = None,
    history: int = 0,
    other_rules: bool = False,
) -> Iterator[dict[str, Array]]:
    """What `arrays` gives, in pieces, one for each part of the tables with such decisions: room for 256 games is enough. Raises alike."""
    wanted = _Wanted.of(agents, games, history, other_rules)
    for path in _paths(folder):
        part = _read(path, wanted)
        if part.size:
            yield _played_again(part)


def arrays_of(played: Played, config: GameConfig) -> Iterator[dict[str, Array]]:
    """What `arrays` gives, of games that were just played: a few at a time, in the order of their decisions."""
    decisions, count = played.decisions, len(played.records)
    lengths = np.bincount(decisions["row"], minlength=count)
    ends = np.cumsum(lengths)
    rewards = payoffs(played.records, config.num_players).astype(np.int8)
    for low in range(0, count, _PIECE):
        games = slice(low, low + _PIECE)
        rows = slice(int(ends[low] - lengths[low]), int(ends[games][-1]))
        size = rows.stop - rows.start
        numbers, seeds = np.arange(count)[games] + played.part.first, np.array(played.part.seeds[games], np.int64)
        answers = decisions["action"][rows].astype(np.int64)
        here = Path(f"part {played.part.number}")
        yield _played_again(
            _Part(here, config, numbers, seeds, rewards[games], lengths[games], answers, np.zeros(size, np.int64), np.arange(size))
        )


# ---------------------------------------------------------------- reading


class _Wanted(NamedTuple):
    """Which decisions, and how they are seen."""

    agents: tuple[str, ...] | None
    games: Array | None
    history: int
    other_rules: bool
    """Whether games of other rules are tried."""

    @classmethod
    def of(cls, agents: str | Sequence[str] | None, games: Iterable[int] | None, history: int, other_rules: bool) -> _Wanted:
        """All where none are named.

        Raises UserError for agents that are not named by words and games that are not by numbers, ConfigError for an invalid history.
        """
        specs = (agents,) if isinstance(agents, str) else agents
        if specs is not None and not (isinstance(specs, (tuple, list)) and all(isinstance(spec, str) for spec in specs)):
            raise UserError(f"agents are named by the words of the recipe, not by {shown(agents)}")
        numbers = None if games is None else [whole_number(game) for game in games] if isinstance(games, Iterable) else [None]
        if numbers is not None and not all(number is not None and 0 <= number < 1 << 62 for number in numbers):
            raise UserError(f"games are named by their numbers, not by {shown(games)}")
        GameConfig(history=history)
        return cls(
            None if specs is None else tuple(specs), None if numbers is None else np.array(numbers, np.int64), int(history), other_rules
        )


@dataclass
class _Part:
    """What the tables say of some games. B games, D decisions, k of them wanted."""

    path: Path
    config: GameConfig
    numbers: Array
    """[B] of the games."""
    seeds: Array
    """[B]"""
    rewards: Array
    """[B, players]"""
    lengths: Array
    """[B] decisions of each game."""
    answers: Array
    """[D], game after game."""
    agents: Array
    """[D] places of those who answered."""
    places: Array
    """[D] where the decision stands among the wanted ones, -1 where it is not wanted."""

    @property
    def size(self) -> int:
        """Wanted decisions."""
        return int((self.places >= 0).sum())


def _paths(folder: str | Path) -> list[Path]:
    """The games tables of a folder. Raises UserError where there is none."""
    found = sorted((Path(folder) / "games").glob("*.parquet"))
    if not found:
        raise UserError(f"there are no recorded games in {folder}")
    return found


@contextlib.contextmanager
def _readable(path: Path) -> Iterator[None]:
    """Raise UserError for whatever is wrong with the tables of a part."""
    try:
        yield
    except (pa.ArrowException, OSError, KeyError, ValueError, TypeError, OverflowError) as error:
        raise UserError(f"the tables of {path} cannot be read: {error}") from None


def _read(path: Path, wanted: _Wanted) -> _Part:
    """What the tables say of the games of a part. Raises UserError where they cannot be read."""
    with _readable(path):
        games = pq.read_table(path, columns=["game", "seed", "config", "rewards", "decisions"])
        rules = rules_of(path.parent.parent, games.schema.metadata or {})
        asked = pq.read_table(path.parent.parent / "decisions" / path.name, columns=["game", "decision", "agent", "action"])
        (config,) = {GameConfig.from_dict(read_json(text)) for text in games["config"].unique().to_pylist()}
        numbers, lengths = games["game"].to_numpy(), games["decisions"].to_numpy().astype(np.int64)
        _check_whole(asked, numbers, lengths)
        rewards: Array = np.array(games["rewards"].to_pylist(), np.int8).reshape(len(numbers), config.num_players)
        seeds: Array = np.array([check_seed(seed) for seed in games["seed"].to_pylist()], np.int64)
        specs, agents = _who_answered(asked)
        answers: Array = asked["action"].to_numpy().astype(np.int64)
    check_rules(as_today(rules, config), f"the record in {path.parent.parent}", other_rules=wanted.other_rules)
    kept: Array = np.ones(len(asked), np.bool_)
    if wanted.agents is not None:
        if strangers := [spec for spec in wanted.agents if spec not in specs]:
            raise UserError(f"nobody called {strangers[0]!r} answers in {path}; those who do are {', '.join(specs)}")
        kept = np.isin(agents, [specs.index(spec) for spec in wanted.agents])
    if wanted.games is not None:
        kept &= np.isin(asked["game"].to_numpy(), wanted.games)
    return _Part(
        path, replace(config, history=wanted.history), numbers, seeds, rewards, lengths, answers, agents,
        np.where(kept, np.cumsum(kept) - 1, -1),
    )  # fmt: skip


def _who_answered(asked: pa.Table) -> tuple[list[str], Array]:
    """The agents by name, and [D] their places there. Raises ValueError where the column is none of these tables."""
    column = asked["agent"]
    if not pa.types.is_dictionary(column.type) or column.null_count:
        kind = "nulls in it" if column.null_count else f"the type {column.type}"
        raise ValueError(f"the column agent has {kind}, and it is a dictionary of names: their order tells who is who")
    names = column.unify_dictionaries().combine_chunks()
    places: Array = names.indices.to_numpy()
    return names.dictionary.to_pylist(), places


def _check_whole(asked: pa.Table, numbers: Array, lengths: Array) -> None:
    """Raise ValueError unless the decisions are all those of the games, in order."""
    first = np.repeat(np.cumsum(lengths) - lengths, lengths)
    in_order = len(first) == len(asked) and np.array_equal(asked["decision"].to_numpy(), np.arange(len(first)) - first)
    if not (in_order and np.array_equal(asked["game"].to_numpy(), np.repeat(numbers, lengths))):
        raise ValueError("the decisions are not those of its games")


# ---------------------------------------------------------------- playing again


def _played_again(part: _Part) -> dict[str, Array]:
    """The wanted decisions of a part. Raises UserError where the games do not come out as they were recorded."""
    spec = spec_of(part.config)
    spec.entries.compile_once()
    game = np.repeat(np.arange(len(part.lengths)), part.lengths)
    first = np.cumsum(part.lengths) - part.lengths
    kept = part.places >= 0
    found: dict[str, Array] = {
        "observations": np.empty((part.size, part.config.observation_size), np.uint8),
        "action_masks": np.empty((part.size, spec.num_actions), np.uint8),
        "actions": part.answers[kept],
        "games": part.numbers[game[kept]],
        "decisions": (np.arange(len(game)) - first[game])[kept].astype(np.int32),
        "turns": np.empty(part.size, np.int16),
        "seats": np.empty(part.size, np.int8),
        "agents": part.agents[kept].astype(np.int16),
        "roles": np.empty(part.size, np.int8),
    }
    for at, games in _steps(part, first):
        places = part.places[at]
        mine = np.flatnonzero(places >= 0)
        into, asked = places[mine], _rows(games, mine, spec)
        found["observations"][into] = observations_of(asked, asked["asking"].astype(np.int64), part.config)
        found["action_masks"][into] = legal_answers(asked, part.config)
        found["turns"][into], found["seats"][into] = asked["turn_number"], asked["asking"]
        found["roles"][into] = asked["role"][np.arange(len(mine)), asked["asking"]]
    return found | {"rewards": part.rewards[game[kept], found["seats"]]}


def _steps(part: _Part, first: Array) -> Iterator[tuple[Array, Array]]:
    """The places [n] of the decisions that come next in the games that go on, and the records [n] of these games, until all have ended.

    Raises UserError where an answer cannot be given, or a game ends otherwise than it did.
    """
    order = np.argsort(-part.lengths, kind="stable")  # the games that go on are always the first ones
    spec = spec_of(part.config)
    entries, games = spec.entries, spec.room_for(len(order))
    raw, status = spec.as_bytes(games), np.zeros(len(order), np.int8)
    tables, settings = entries.tables(), part.config.settings()
    entries.drive(tables, settings, games, raw, part.seeds[order], status, entries.start)
    for step in range(int(part.lengths.max())):
        going = int((part.lengths > step).sum())
        at = first[order[:going]] + step
        if (games["asking"][:going] == NOBODY).any():
            raise _other_game(part, order[np.argmax(games["asking"][:going] == NOBODY)], step)
        yield at, games[:going]
        entries.drive(tables, settings, games[:going], raw[:going], part.answers[at], status[:going], entries.answer)
        if status[:going].any():
            raise _other_game(part, order[np.argmax(status[:going] != OK)], step)
    expected = payoffs(games, part.config.num_players)
    for wrong in np.flatnonzero((games["outcome"] == RUNNING) | (expected != part.rewards[order]).any(1)):
        raise _other_game(part, order[wrong], int(part.lengths[order[wrong]]))


def _other_game(part: _Part, row: int, step: int) -> UserError:
    """The sentence on a game that becomes another one."""
    return UserError(
        f"game {part.numbers[row]} of {part.path} becomes another game at answer {step}: it was recorded with other rules, "
        "or its table was altered; record the games anew"
    )


def _rows(games: Array, rows: Array, spec: GameSpec) -> Array:
    """These records of a batch; all of them without a copy."""
    return games if len(rows) == len(games) else spec.as_bytes(games)[rows].view(spec.record).reshape(-1)
