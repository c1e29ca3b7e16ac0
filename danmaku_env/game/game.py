"""`Game`: one game, to ask and to answer, to look at, to copy and to save.

The rules are in engine/, behind the few entry points of engine/batch.py; this file only relays. Many games at once are envs/vector.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from danmaku_env import views
from danmaku_env.arguments import for_kernels, shown, whole_number
from danmaku_env.cards.box import INCIDENT_IDS
from danmaku_env.cards.compile import compile_cards
from danmaku_env.config import GameConfig
from danmaku_env.engine import actions, batch
from danmaku_env.engine import state as st
from danmaku_env.engine.cold_start import compile_once
from danmaku_env.engine.observe import STATE_SIZE
from danmaku_env.engine.rules import rules_fingerprint
from danmaku_env.game import gate, saving
from danmaku_env.game.errors import IllegalAction, status_error
from danmaku_env.game.rules import warn_of_unknown_rules
from danmaku_env.game.seat import Seat, check_seat
from danmaku_env.seeds import check_seed
from danmaku_env.wording import Log, action_index, action_name, card_name, lasting_lines, seat_name, stack_lines

if TYPE_CHECKING:
    from danmaku_env.game.replay import Replay

Array = npt.NDArray[Any]


class Game:
    """One game. Make one with `Game.new`, `Scenario.build`, `Game.from_bytes` or `Replay.play`."""

    def __init__(self, record: Array, config: GameConfig, *, start: bytes | None = None) -> None:
        """Wrap a record array of shape (1,), or a copy of one that cannot be written to; use the constructors named above instead."""
        compile_once()
        record = for_kernels(record)
        self._config = config
        self._agents: tuple[str, ...] = ()
        self._games = record
        looked_at = record.view()
        looked_at.flags.writeable = False
        self._record = looked_at[0]
        self._raw = st.as_bytes(record)
        self._tables = compile_cards().tables
        self._settings = config.settings()
        self._input: Array = np.zeros(1, np.int64)
        self._status: Array = np.zeros(1, np.int8)
        self._answers: list[int] = []
        self._start = start
        self._older: list[Array] = []
        self._logged = max(0, int(record["log_count"][0]) - st.LOG_ROWS)
        self._keep_log()

    # ---- making

    @classmethod
    def new(cls, config: GameConfig | int | None = None, seed: int = 0, **options: Any) -> Game:
        """A fresh game at its first question. The same config and seed give the same game, always.

        Instead of a GameConfig, a number of players and options of GameConfig: `Game.new(6, roles="basic")`. Raises ConfigError on
        anything else, and ValueError on a seed that is none.
        """
        game = cls(np.zeros(1, st.STATE), GameConfig.of(config, options))
        game._input[0] = check_seed(seed)
        game._drive(batch.START)
        return game

    @classmethod
    def from_record(cls, record: Array, config: GameConfig) -> Game:
        """A game from a record of a batch, shape (1,), which it takes over, or of which it takes a copy where it cannot be written to.

        Its replay starts here.

        The record goes on by the options it was begun with; it does not tell them all, so `config` is taken at its word.
        Raises ValueError for a record that play cannot have reached, or that is of another number of players.
        """
        if not isinstance(record, np.ndarray) or record.dtype != st.STATE or record.shape != (1,):
            raise ValueError("from_record() takes one record of a batch, an array of shape (1,)")
        gate.check_fits(record, config, "a configuration")
        compile_once()
        gate.admit(record)
        return cls.trusting(record, config)

    @classmethod
    def trusting(cls, record: Array, config: GameConfig) -> Game:
        """The same without a look at the record: for what the engine has just written."""
        return cls(record, config, start=record.tobytes())

    def clone(self) -> Game:
        """An independent copy at the same instant."""
        copy = Game(self._games.copy(), self.config, start=self._start)
        copy._agents = self._agents
        copy._answers = self._answers.copy()
        copy._older = self._older.copy()
        return copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        return self.clone()

    def __reduce__(self) -> tuple[Any, ...]:
        return Game.from_bytes, (self.to_bytes(),)

    def _repr_html_(self) -> str:
        """The table from above, for a notebook."""
        return views.drawn(views.TABLE, self)

    def __eq__(self, other: object) -> bool:
        """Same configuration and same bytes."""
        return isinstance(other, Game) and self.config == other.config and bool((self._raw == other._raw).all())

    def __hash__(self) -> int:
        return hash(self._raw.tobytes())

    def __repr__(self) -> str:
        """`<Game: 6 players, seed 7, turn 3 of seat 2 (Reimu), main step; seat 4 (Cirno) is asked 'attacked'>`."""
        begun = f"<Game: {self.config.num_players} players, seed {int(self.record['seed'])}, "
        if self.asking is None:
            seats = ", ".join(seat_name(self.record, seat) for seat in self.winners)
            return f"{begun}over in turn {self.turn_number}: {self.outcome}{' by ' if seats else ''}{seats}>"
        turn = f"turn {self.turn_number} of {seat_name(self.record, self.turn)}, " if self.turn_number else ""
        return f"{begun}{turn}{self.step} step; {seat_name(self.record, self.asking)} is asked {self.question!r}>"

    # ---- what it is

    @property
    def config(self) -> GameConfig:
        """How it was set up."""
        return self._config

    @property
    def agents(self) -> tuple[str, ...]:
        """Optional names of who plays the seats, kept in replays; may be set. Raises ValueError on anything but a list of names."""
        return self._agents

    @agents.setter
    def agents(self, names: Sequence[str]) -> None:
        self._agents = saving.agent_names(names, self.config.num_players)

    @property
    def record(self) -> Any:
        """The record itself (see engine/state.py), read-only."""
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
        return None if seat == st.NOBODY else seat

    @property
    def question(self) -> str:
        """What is asked: "main", "attacked", "target", "discard" ... (actions.QUESTIONS)."""
        return actions.QUESTIONS[int(self.record["question"])]

    def legal_actions(self) -> list[int]:
        """Indices of the legal answers."""
        return [int(action) for action in np.flatnonzero(self.action_mask())]

    def legal(self) -> list[str]:
        """Names of the legal answers, with absolute seats."""
        asking = self.asking
        return [] if asking is None else [action_name(action, asking, self.config.num_players) for action in self.legal_actions()]

    def action_mask(self) -> Array:
        """[N] uint8, 1 for each legal answer of the pending question; all zero when the game is over."""
        mask: Array = np.zeros(actions.NUM_ACTIONS, np.uint8)
        batch.mask_rows(self._games, mask[np.newaxis])
        return mask

    def act(self, action: str | int) -> None:
        """Answer the pending question, by name or index. Raises IllegalAction, changing nothing."""
        index = self._index(action)
        self._input[0] = index
        self._drive(batch.ANSWER)
        if self._status[0] != st.OK:
            raise IllegalAction(self.illegal(action))
        self._answers.append(index)

    def _index(self, action: str | int) -> int:
        if isinstance(action, str):
            try:
                return action_index(action, self.asking or 0, self.config.num_players)
            except KeyError:
                raise IllegalAction(self.illegal(action)) from None
        index = whole_number(action)
        if index is None:
            raise IllegalAction(f"an action is a name or a whole number, not {shown(action)}; {self._legal_words()}")
        return index if 0 <= index < actions.NUM_ACTIONS else -1

    def illegal(self, action: str | int) -> str:
        """The sentence that refuses an answer."""
        name: str | int = action
        index = whole_number(action)
        if index is not None and 0 <= index < actions.NUM_ACTIONS and self.asking is not None:
            name = action_name(index, self.asking, self.config.num_players)
        return f"{shown(name)} is not legal: {self._legal_words()}"

    def _legal_words(self) -> str:
        if self.asking is None:
            return f"the game is over ({self.outcome}), nobody is asked"
        return f"seat {self.asking} is asked {self.question!r} and may answer {', '.join(self.legal())}"

    def _drive(self, mode: int) -> None:
        batch.drive(self._tables, self._settings, self._games, self._raw, self._input, self._status, mode)
        if self.record["status"] != st.OK:
            raise status_error(self.record)
        self._keep_log()

    # ---- looking

    def seat(self, index: int) -> Seat:
        """One seat. Raises IndexError for anything that is no seat of the table."""
        return Seat(self, check_seat(index, self.config.num_players))

    @property
    def seats(self) -> list[Seat]:
        """All seats in clockwise order."""
        return [Seat(self, index) for index in range(self.config.num_players)]

    def _standings(self) -> Array:
        standings: Array = np.zeros((st.SEATS, batch.STANDINGS), np.int64)
        batch.measure(self._tables, self._games, 0, standings, np.zeros((st.SEATS, batch.WAYS), np.int64))
        return standings

    def _distances(self, seat: int) -> Array:
        eyes = check_seat(seat, self.config.num_players)
        distances: Array = np.zeros((st.SEATS, batch.WAYS), np.int64)
        batch.measure(self._tables, self._games, eyes, np.zeros((st.SEATS, batch.STANDINGS), np.int64), distances)
        return distances

    def distance(self, seat: int, other: int) -> int:
        """Distance from one active seat to another; 0 to oneself or where one is defeated (D-1)."""
        return int(self._distances(seat)[check_seat(other, self.config.num_players), batch.WAY_DISTANCE])

    def in_range(self, seat: int, other: int) -> bool:
        """Whether `other` is in range of `seat`."""
        return bool(self._distances(seat)[check_seat(other, self.config.num_players), batch.WAY_IN_RANGE])

    def observe(self, seat: int) -> Array:
        """[n] uint8: everything the seat may know, and nothing more (docs/observation.md)."""
        eyes = np.array([check_seat(seat, self.config.num_players)])
        row: Array = np.zeros(self.config.observation_size, np.uint8)
        batch.observe_rows(self._tables, self._games, eyes, row[np.newaxis])
        return row

    def state(self) -> Array:
        """[STATE_SIZE] uint8: the full state, for central critics."""
        row: Array = np.zeros(STATE_SIZE, np.uint8)
        batch.write_states(self._tables, self._games, row[np.newaxis])
        return row

    @property
    def incidents(self) -> list[str]:
        """Incidents in play, oldest first."""
        return [INCIDENT_IDS[int(number) - 1] for number in self.record["incidents"][: int(self.record["incident_size"])]]

    @property
    def incident(self) -> str | None:
        """The incident in play, or None."""
        return self.incidents[0] if self.incidents else None

    @property
    def incidents_kept(self) -> list[str]:
        """Resolved incidents that an incident in play has collected."""
        return [name for number, name in enumerate(INCIDENT_IDS) if int(self.record["incidents_kept"]) >> number & 1]

    def collected_by(self, incident: str) -> list[str]:
        """Cards that an incident has collected; none where it is not in play."""
        if not isinstance(incident, str) or incident not in INCIDENT_IDS:
            raise ValueError(f"{shown(incident)} is not an incident; the incidents are {', '.join(INCIDENT_IDS)}")
        found = (self.record["zone"] == st.COLLECTED) & (self.record["holder"] == INCIDENT_IDS.index(incident))
        return [card_name(int(card)) for card in np.flatnonzero(found)]

    @property
    def collected(self) -> list[str]:
        """Cards collected by incidents in play."""
        return [card_name(int(card)) for card in np.flatnonzero(self.record["zone"] == st.COLLECTED)]

    @property
    def discard(self) -> list[str]:
        """The discard pile, bottom to top."""
        return [card_name(int(card) - 1) for card in self.record["discard"][: int(self.record["discard_size"])]]

    @property
    def lunatic_discard(self) -> list[str]:
        """The Lunatic discard pile, bottom to top."""
        return [card_name(int(card) - 1) for card in self.record["lunatic_discard"][: int(self.record["lunatic_discard_size"])]]

    @property
    def lunatic_deck(self) -> list[str]:
        """The Lunatic deck, top first (nobody at the table may see this)."""
        return [card_name(int(card) - 1) for card in self.record["lunatic_deck"][: int(self.record["lunatic_deck_size"])][::-1]]

    @property
    def deck(self) -> list[str]:
        """The Main deck, top first (nobody at the table may see this)."""
        return [card_name(int(card) - 1) for card in self.record["deck"][: int(self.record["deck_size"])][::-1]]

    @property
    def incident_deck(self) -> list[str]:
        """The incident deck, top first."""
        size = int(self.record["incident_deck_size"])
        return [INCIDENT_IDS[int(number) - 1] for number in self.record["incident_deck"][:size][::-1]]

    @property
    def turn(self) -> int:
        """The seat whose turn it is."""
        return int(self.record["current"])

    @property
    def turn_number(self) -> int:
        """Turns started, skipped ones included."""
        return int(self.record["turn_number"])

    @property
    def step(self) -> str:
        """Where the turn is: setup, draft, zero (turn zero), start, incident, draw, main or discard."""
        return st.STEPS[int(self.record["turn_step"])]

    @property
    def lasting(self) -> list[str]:
        """Effects until somebody's next turn, and the ban of action cards for the rest of this one, a sentence each."""
        return lasting_lines(self.record)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.record["outcome"] != st.RUNNING)

    @property
    def outcome(self) -> str:
        """running, won, draw or truncated."""
        return st.OUTCOMES[int(self.record["outcome"])]

    @property
    def winners(self) -> list[int]:
        """Seats that have won, defeated ones included."""
        return [seat for seat in range(self.config.num_players) if int(self.record["winners"]) >> seat & 1]

    def rewards(self) -> list[float]:
        """+1 for each winner and -1 for the others once the game is won; else 0."""
        if self.record["outcome"] != st.WON:
            return [0.0] * self.config.num_players
        return [1.0 if seat in self.winners else -1.0 for seat in range(self.config.num_players)]

    # ---- what happened

    def _keep_log(self) -> None:
        """Keep the new events before the ring of the record overwrites them."""
        count = int(self.record["log_count"])
        if count > self._logged:
            first = max(self._logged, count - st.LOG_ROWS)
            self._older.append(self.record["log"][np.arange(first, count) % st.LOG_ROWS])
            self._logged = count

    @property
    def log(self) -> Log:
        """What happened, one line per event, as everybody knows it; `log.of(seat)` as a seat knows it, `log.above()` with everything.

        A game that was loaded or taken from a batch knows its last 1,024 events.
        """
        return Log(self.record, np.concatenate([np.zeros((0, st.EVENT_COLUMNS), np.uint8), *self._older]))

    def describe(self, seat: int | None) -> str:
        """What a seat sees, in prose: itself, the moment, the others, the piles and its question; None sees everything.

        Raises IndexError for a seat that is not at the table.
        """
        return views.drawn(views.PROSE, self, seat)

    def explain(self) -> str:
        """The stack in words, and who is asked what."""
        lines = stack_lines(self.record)
        if self.asking is not None:
            lines.append(f"seat {self.asking} is asked {self.question!r}: {', '.join(self.legal())}")
        return "\n".join(lines)

    # ---- saving

    def to_bytes(self) -> bytes:
        """The game and its history, with version, rules and checksum."""
        history = (self.config, tuple(self._answers), self.agents, self._start)
        return saving.pack(saving.Saved(*history, self._games, rules_fingerprint()))

    @classmethod
    def from_bytes(cls, blob: bytes, *, other_rules: bool = False) -> Game:
        """The inverse of `to_bytes`. Raises ReplayError on anything else; nothing in it is executed.

        One that was played by other rules is refused (OtherRules), unless `other_rules` asks for the attempt: it then goes on by the rules
        of today, and so does one that names none, after a warning (RulesWarning). The replay of either starts here: how it came to
        this position is a matter of its own rules.
        """
        saved = saving.unpack(blob, other_rules=other_rules)
        if saved.rules is None:
            warn_of_unknown_rules("the saved game")
        if saved.rules != rules_fingerprint():
            game = cls.trusting(saved.record, saved.config)
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
