"""`AnyGame`: one game of any kind, to ask and to answer, to copy and to save.

Which game it is, its spec says (spec.py), behind whose few entry points the rules are; this file only relays. What can be looked at besides
is the game's own: game.py for Danmaku!!. Many games at once are envs/vector.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from danmaku_env import views
from danmaku_env.arguments import check_index, for_kernels, shown, whole_number
from danmaku_env.game import saving, validation
from danmaku_env.game.errors import IllegalAction, ReplayError, status_error
from danmaku_env.game.rules import warn_of_unknown_rules
from danmaku_env.machine.records import OK, RUNNING, Array, payoffs
from danmaku_env.seeds import check_seed
from danmaku_env.spec import GameSpec, spec_of

if TYPE_CHECKING:
    from danmaku_env.game.replay import Replay

_FACES: dict[str, type[AnyGame]] = {}
"""Name of a game -> the class of its games."""


def game_class(config: object) -> type[Any]:
    """The class of the games of a configuration."""
    return _FACES[spec_of(config).name]


class AnyGame:
    """One game. Make one with `new`, `from_bytes` or `Replay.play`. `class Game(AnyGame, spec=...)` makes the class of a game."""

    spec: ClassVar[GameSpec]

    def __init_subclass__(cls, *, spec: GameSpec | None = None, **options: Any) -> None:
        super().__init_subclass__(**options)
        if spec is not None:
            cls.spec = spec
            _FACES[spec.name] = cls

    def __init__(self, record: Array, config: Any, *, start: bytes | None = None) -> None:
        """Wrap a record array of shape (1,), or a copy of one that cannot be written to; use the constructors named above instead."""
        self.spec.entries.compile_once()
        record = for_kernels(record)
        self._config = config
        self._agents: tuple[str, ...] = ()
        self._games = record
        looked_at = record.view()
        looked_at.flags.writeable = False
        self._record = looked_at[0]
        self._raw = self.spec.as_bytes(record)
        self._tables = self.spec.entries.tables()
        self._settings = config.settings()
        self._input: Array = np.zeros(1, np.int64)
        self._status: Array = np.zeros(1, np.int8)
        self._answers: list[int] = []
        self._start = start
        self._older: list[Array] = []
        self._logged = max(0, int(record["log_count"][0]) - record["log"].shape[1])
        self._keep_log()

    # ---- making

    @classmethod
    def new(cls, config: Any = None, seed: int = 0, **options: Any) -> Self:
        """A fresh game at its first question. The same config and seed give the same game, always.

        Instead of a configuration, a number of players and options of one: `Game.new(6, roles="basic")`. Raises ConfigError on
        anything else, and ValueError on an invalid seed.
        """
        game = cls(np.zeros(1, cls.spec.record), cls.spec.configured(config, options))
        game._input[0] = check_seed(seed)
        game._drive(cls.spec.entries.start)
        return game

    @classmethod
    def from_record(cls, record: Array, config: Any) -> Self:
        """A game from a record of a batch, shape (1,), which it takes over, or of which it takes a copy where it cannot be written to.

        Its replay starts here.

        The record goes on by the options it was begun with; it does not tell them all, so `config` is taken at its word.
        Raises ValueError for a record that play cannot have reached, or that is of another number of players.
        """
        if not isinstance(record, np.ndarray) or record.dtype != cls.spec.record or record.shape != (1,):
            raise ValueError("from_record() takes one record of a batch, an array of shape (1,)")
        cls.spec.check_fits(record, config, "a configuration")
        cls.spec.entries.compile_once()
        validation.validate(record, cls.spec)
        return cls.from_trusted_record(record, config)

    @classmethod
    def from_trusted_record(cls, record: Array, config: Any) -> Self:
        """The same without a look at the record: for what the engine has just written."""
        return cls(record, config, start=record.tobytes())

    def clone(self) -> Self:
        """An independent copy at the same instant."""
        copy = type(self)(self._games.copy(), self.config, start=self._start)
        copy._agents = self._agents
        copy._answers = self._answers.copy()
        copy._older = self._older.copy()
        return copy

    def __copy__(self) -> Self:
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.clone()

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).from_bytes, (self.to_bytes(),)

    def _repr_html_(self) -> str:
        """The table from above, for a notebook."""
        return str(views.drawn(views.TABLE, self.spec, self))

    def __eq__(self, other: object) -> bool:
        """Same configuration and same bytes."""
        return isinstance(other, AnyGame) and self.config == other.config and bool((self._raw == other._raw).all())

    def __hash__(self) -> int:
        """Of its bytes at this moment: a game that is kept in a set or a mapping must not play on; keep a copy there."""
        return hash(self._raw.tobytes())

    def __repr__(self) -> str:
        """`<Game: 6 players, seed 7, turn 3 of seat 2 (Reimu), main step; seat 4 (Cirno) is asked 'attacked'>`."""
        begun = f"<Game: {self.config.num_players} players, seed {int(self.record['seed'])}, "
        if self.asking is None:
            seats = ", ".join(self.spec.seat_name(self.record, seat) for seat in self.winners)
            return f"{begun}over{self._when_over()}: {self.outcome}{' by ' if seats else ''}{seats}>"
        asked = self.spec.seat_name(self.record, self.asking)
        return f"{begun}{self.spec.position(self.record)}; {asked} is asked {self.question!r}>"

    def _when_over(self) -> str:
        """For `repr`, when it ended."""
        return ""

    # ---- what it is

    @property
    def config(self) -> Any:
        """How it was set up."""
        return self._config

    @property
    def agents(self) -> tuple[str, ...]:
        """Optional names of the players of the seats, kept in replays; may be set. Raises ValueError on anything but a list of names."""
        return self._agents

    @agents.setter
    def agents(self, names: Sequence[str]) -> None:
        self._agents = saving.agent_names(names, self.config.num_players)

    @property
    def record(self) -> Any:
        """The record itself (`spec.record`), read-only."""
        return self._record

    @property
    def records(self) -> Array:
        """[1] the record as a batch of one, for the entry points of batches, which take no read-only array; do not write to it."""
        return self._games

    # ---- asking and answering

    @property
    def asking(self) -> int | None:
        """The seat that must answer, or None when the game is over."""
        seat = int(self.record["asking"])
        return None if seat < 0 else seat

    @property
    def question(self) -> str:
        """What is asked: "main", "attacked", "target", "discard" ... (`spec.questions`)."""
        return self.spec.questions[int(self.record["question"])]

    def legal_actions(self) -> list[int]:
        """Indices of the legal answers."""
        return [int(action) for action in np.flatnonzero(self.action_mask())]

    def legal(self) -> list[str]:
        """Names of the legal answers, with absolute seats."""
        return [] if self.asking is None else self._names_of(self.legal_actions())

    def _names_of(self, actions: Sequence[int]) -> list[str]:
        """The names of actions in this game, with the seats of the table."""
        if self.spec.actions_of is not None:
            names = self.spec.actions_of(self.record)
            return [names[action] for action in actions]
        return [self.spec.action_name(action, self.asking or 0, self.config.num_players) for action in actions]

    def action_mask(self) -> Array:
        """[N] uint8, 1 for each legal answer of the pending question; all zero when the game is over."""
        mask: Array = np.zeros(self.spec.num_actions, np.uint8)
        self.spec.entries.mask_rows(self._games, mask[np.newaxis])
        return mask

    def act(self, action: str | int) -> None:
        """Answer the pending question, by name or index. Raises IllegalAction, changing nothing."""
        index = self._index(action)
        self._input[0] = index
        self._drive(self.spec.entries.answer)
        if self._status[0] != OK:
            raise IllegalAction(self.illegal(action))
        self._answers.append(index)

    def _index(self, action: str | int) -> int:
        if isinstance(action, str):
            try:
                if self.spec.actions_of is not None and action in (names := self.spec.actions_of(self.record)):
                    return names.index(action)
                return self.spec.action_index(action, self.asking or 0, self.config.num_players)
            except KeyError:
                raise IllegalAction(self.illegal(action)) from None
        index = whole_number(action)
        if index is None:
            raise IllegalAction(f"an action is a name or a whole number, not {shown(action)}; {self._legal_words()}")
        return index if 0 <= index < self.spec.num_actions else -1

    def illegal(self, action: str | int) -> str:
        """The sentence that refuses an answer."""
        name: str | int = action
        index = whole_number(action)
        if index is not None and 0 <= index < self.spec.num_actions and self.asking is not None:
            (name,) = self._names_of([index])
        return f"{shown(name)} is not legal: {self._legal_words()}"

    def _legal_words(self) -> str:
        if self.asking is None:
            return f"the game is over ({self.outcome}), nobody is asked"
        return f"seat {self.asking} is asked {self.question!r} and may answer {', '.join(self.legal())}"

    def _drive(self, mode: int) -> None:
        self.spec.entries.drive(self._tables, self._settings, self._games, self._raw, self._input, self._status, mode)
        if self.record["status"] != OK:
            raise status_error(self.record)
        self._keep_log()

    # ---- looking

    def observe(self, seat: int) -> Array:
        """[config.observation_size] uint8: everything the seat may know, and nothing more (docs/observation.md).

        Raises IndexError for a seat that is not at the table.
        """
        observer = np.array([check_index(seat, self.config.num_players, "seat")])
        row: Array = np.zeros(self.config.observation_size, np.uint8)
        self.spec.entries.observe_rows(self._tables, self._games, observer, row[np.newaxis])
        return row

    def state(self) -> Array:
        """[spec.state_size] uint8: the full state, for central critics."""
        row: Array = np.zeros(self.spec.state_size, np.uint8)
        self.spec.entries.write_states(self._tables, self._games, row[np.newaxis])
        return row

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.record["outcome"] != RUNNING)

    @property
    def outcome(self) -> str:
        """running, won, draw or truncated."""
        return self.spec.outcomes[int(self.record["outcome"])]

    @property
    def winners(self) -> list[int]:
        """Seats that have won, defeated ones included."""
        return [seat for seat in range(self.config.num_players) if int(self.record["winners"]) >> seat & 1]

    def rewards(self) -> list[float]:
        """One number a seat, 0 while the game runs and in a draw.

        In a game that is won, +1 for every winner and -1 for the others. Where several share the first place (sister games), 0 for those
        that share it and -1 for the others.
        """
        paid: list[float] = payoffs(self._games, self.config.num_players)[0].tolist()
        return paid

    # ---- what happened

    def _keep_log(self) -> None:
        """Keep the new events before the ring of the record overwrites them."""
        count, rows = int(self.record["log_count"]), len(self.record["log"])
        if count > self._logged:
            first = max(self._logged, count - rows)
            self._older.append(self.record["log"][np.arange(first, count) % rows])
            self._logged = count

    def _logged_rows(self) -> Array:
        """[n, columns] uint8: every event that is known, the oldest first."""
        return np.concatenate([self.record["log"][:0], *self._older])

    @property
    def log(self) -> Any:
        """What happened, one line per event, as everybody knows it; a game that was loaded knows only the events that a record keeps."""
        return self.spec.log(self.record, self._logged_rows())

    def describe(self, seat: int | None) -> str:
        """What a seat sees, in prose: itself, the moment, the others, the piles and its question; None sees everything.

        Raises IndexError for a seat that is not at the table.
        """
        return str(views.drawn(views.PROSE, self.spec, self, seat))

    def explain(self) -> str:
        """The stack in words, and who is asked what."""
        lines = self.spec.stack_lines(self.record)
        if self.asking is not None:
            lines.append(f"seat {self.asking} is asked {self.question!r}: {', '.join(self.legal())}")
        return "\n".join(lines)

    # ---- saving

    def to_bytes(self) -> bytes:
        """The game and its history, with version, rules and checksum."""
        history = (self.config, tuple(self._answers), self.agents, self._start)
        return saving.pack(saving.Saved(*history, self._games, self.spec.rules()))

    @classmethod
    def from_bytes(cls, blob: bytes, *, other_rules: bool = False) -> Self:
        """The inverse of `to_bytes`. Raises ReplayError on anything else; nothing in it is executed.

        A game played by other rules is refused (OtherRules), unless `other_rules` asks for the attempt: it then goes on by the rules
        of today. A blob that names no rules does too, after a warning (RulesWarning). The replay of either starts here: how it came to
        this position is a matter of its own rules.
        """
        saved = saving.unpack(blob, other_rules=other_rules)
        if spec_of(saved.config) is not cls.spec:
            raise ReplayError(f"the saved game is one of {spec_of(saved.config).title}, not of {cls.spec.title}")
        if saved.rules is None:
            warn_of_unknown_rules("the saved game", cls.spec)
        if saved.rules != cls.spec.rules():
            game = cls.from_trusted_record(saved.record, saved.config)
        else:
            game = cls(saved.record, saved.config, start=saved.start)
            game._answers = list(saved.answers)
        game.agents = saved.agents
        return game

    def replay(self) -> Replay:
        """Config, seed (or starting position) and answers so far."""
        from danmaku_env.game.replay import Replay  # a game and its replay make each other

        winners = tuple(self.winners) if self.over else None
        return Replay(self.config, int(self.record["seed"]), tuple(self._answers), self.agents, self._start, winners=winners)
