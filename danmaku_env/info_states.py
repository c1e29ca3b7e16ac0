"""Information states: all that one seat may know of a game, beyond its observation row, for one game and for batches.

Agents, belief models and networks are given these. They hold the log as the seat knows it, the deals of the roles that fit, and worlds that
fit, and nothing that the seat may not know.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, overload

import numpy as np

from danmaku_env import Game, GameConfig
from danmaku_env.arguments import for_kernels
from danmaku_env.danmaku import DANMAKU_SPEC
from danmaku_env.engine import batch, queries
from danmaku_env.engine import state as st
from danmaku_env.envs.vector import VectorEnv
from danmaku_env.game import RoleAssignments, histories, public_log, resample, resample_many, role_assignments
from danmaku_env.machine.records import Array
from danmaku_env.render.prose import happened, prose
from danmaku_env.render.table_view import TableView, table_view
from danmaku_env.spec import spec_of
from danmaku_env.wording import Log

OPEN_FIELDS = (
    "num_players", "config", "current", "active", "life", "hand_size", "item_counts", "character", "second_character",
    "incidents", "incident_size",
)  # fmt: skip
"""Fields of a record that everybody at the table can see."""
RECENT = 64
"""Events that are told with a question, where nobody asks for another number."""


def check_questions(observations: Array, masks: Array | None = None, info_states: InfoStates | None = None) -> None:
    """Raise ValueError where these are not B questions of Danmaku!!: [B, n] observations, [B, N] masks, B information states."""
    shape = np.shape(observations)
    if len(shape) != 2 or shape[1] < DANMAKU_SPEC.row_size:
        one = "; one row alone is given as observation[np.newaxis]" if len(shape) == 1 else ""
        raise ValueError(f"observations have the shape [B, n], with n at least {DANMAKU_SPEC.row_size}, not {list(shape)}{one}")
    if masks is not None and np.shape(masks) != (shape[0], DANMAKU_SPEC.num_actions):
        given = list(np.shape(masks))
        raise ValueError(f"masks for {shape[0]} observations have the shape [{shape[0]}, {DANMAKU_SPEC.num_actions}], not {given}")
    if info_states is not None and len(info_states) != shape[0]:
        raise ValueError(f"each of the {shape[0]} observations needs its information state, and there are {len(info_states)}")


def with_history(reader: str, events: int, observations: Array, info_states: InfoStates | None) -> Array:
    """[B, n] observations that end with this many events: those of the information states where they do not yet.

    Raises ValueError, about the `reader`, where there are none.
    """
    spec = DANMAKU_SPEC
    if observations.shape[1] >= spec.row_size + len(spec.history_columns) * events:
        return observations
    if info_states is None:
        reads = f"this {reader} reads the last {events} events"
        raise ValueError(f"{reads}: give it information states, or observations that end with them, GameConfig(history=...)")
    return np.concatenate([observations[:, : spec.row_size], info_states.histories(events).reshape(len(observations), -1)], axis=1)


class InfoState:
    """What a seat, as a rule the one that is asked, may know of one game, beyond the observation row."""

    def __init__(self, game: Game, seat: int) -> None:
        """What `seat` knows of a game that goes on elsewhere; make a new information state for every decision."""
        self._game = game
        self.seat = seat
        """The seat whose information it is."""

    @property
    def config(self) -> GameConfig:
        """How the game was set up; everybody at the table knows it."""
        return self._game.config

    @property
    def question(self) -> str:
        """What the seat is asked; "none" where another one is, for what that one is asked tells what is in its hand."""
        return self._game.question if self._game.asking == self.seat else self._game.spec.questions[0]

    @property
    def log(self) -> Log:
        """What happened so far as the seat knows it, one line per event; it holds nothing that other seats know."""
        return self._game.log.of(self.seat).redacted()

    def recent(self, events: int = RECENT) -> list[str]:
        """The lines of the log about this many last events."""
        return list(self.log.since(int(self._game.record["log_count"]) - events))

    def since(self) -> list[str]:
        """The lines of the log since the seat last did something, its own action first: at most 64."""
        return happened(self._game, self.seat)

    def describe(self) -> str:
        """What the seat sees in prose, as `Game.describe` tells it, for language models."""
        return prose(self.table_view(), self.since())

    def table_view(self) -> TableView:
        """What the seat sees, in ids and words: the table, the question, and each legal answer."""
        return table_view(self._game, self.seat)

    def name(self, action: int) -> str:
        """The name of an answer, with absolute seats."""
        return self._game.spec.action_name(action, self.seat, self.config.num_players)

    def history(self, events: int) -> Array:
        """[events, 8] uint8: the last events, the newest first, laid out as the `history` field of an observation."""
        row: Array = histories(self._game.records, np.array([self.seat]), events)[0]
        return row

    def role_assignments(self) -> RoleAssignments:
        """Every deal of the roles that fits what the seat knows, with its prior probability; the seats as they are at the table.

        (`InfoStates.role_assignments` counts them from the seat that looks, as observations do.)
        """
        return role_assignments(self._game, self.seat)

    def resample(self, seed: int, roles: Array | None = None) -> Game:
        """A whole game in which everything the seat has not seen is dealt anew: what search agents may try answers on.

        `roles` [players] numbers, as in `role_assignments`, sets the roles instead of dealing them.
        """
        return resample(self._game, self.seat, seed, roles=roles)

    def worlds(self, count: int, seed: int, roles: Array | None = None) -> Array:
        """[count] records, each another world as from `resample`; `roles` [count, players] sets the roles of each."""
        return resample_many(self._game, self.seat, count, seed, roles=roles)


class KeptDeals(RoleAssignments):
    """Deals that are kept for whoever asks again, and with them what was worked out from them; all that can only be read."""

    def marginals(self) -> Array:
        """[players, NUM_ROLES] float64: the probability of each role for each seat."""
        return self._marginals

    def possible_roles(self, seats: tuple[int, ...]) -> Array:
        """[m, seats] int8: the roles that these seats may have together."""
        if seats not in self._possible:
            self._possible[seats] = _shared(np.unique(self.roles[:, seats], axis=0))
        return self._possible[seats]

    @functools.cached_property
    def _marginals(self) -> Array:
        return _shared(super().marginals())

    @functools.cached_property
    def _possible(self) -> dict[tuple[int, ...], Array]:
        return {}


def _shared(array: Array) -> Array:
    """The array, which can only be read from now on: what one wrote there, all others would believe."""
    array.setflags(write=False)
    return array


class _DealCache(dict[Any, KeptDeals]):
    """Deals worked out before, up to MOST of them in all (a deal takes 16 bytes); the oldest make room."""

    MOST = 5_000_000

    def __init__(self) -> None:
        super().__init__()
        self.deals = 0

    def keep(self, key: Any, found: KeptDeals) -> None:
        while self and self.deals + len(found.weights) > self.MOST:
            self.deals -= len(self.pop(next(iter(self))).weights)
        self[key] = found
        self.deals += len(found.weights)


_DEALS = _DealCache()


class InfoStates(Sequence[InfoState]):
    """The information states of a batch, one per row; what a whole batch needs of the log comes in one call."""

    def __init__(self, games: Array, seats: Array, config: GameConfig) -> None:
        """[B] records of one configuration and the [B] seats asked. The records must not change while the information states are used.

        Raises ValueError for games of another number of players than the configuration has, or of another number than seats.
        """
        self._games = for_kernels(games)
        self.seats: Array = for_kernels(seats, np.int64)
        """[B] the seats asked."""
        self.config = config
        """How the games were set up."""
        if self.seats.shape != self._games.shape:
            raise ValueError(f"there is one seat for each game, not {self.seats.shape} seats for {self._games.shape} games")
        if (self._games["num_players"] != config.num_players).any():
            raise ValueError(f"these are not games of {config.num_players} players, as the configuration says")

    @classmethod
    def of(cls, vec: VectorEnv, rows: Array) -> InfoStates:
        """The seats that are asked in some games of a batch, with copies of these: they can neither be changed nor seen to change."""
        return cls(vec.records(rows), vec.seats[rows], vec.config)

    def __len__(self) -> int:
        return len(self._games)

    @overload
    def __getitem__(self, row: int) -> InfoState: ...
    @overload
    def __getitem__(self, row: slice) -> InfoStates: ...
    def __getitem__(self, row: int | slice) -> InfoState | InfoStates:
        if isinstance(row, slice):
            return InfoStates(self._games[row], self.seats[row], self.config)
        place = range(len(self))[row]
        return InfoState(Game.from_trusted_record(self._games[place : place + 1].copy(), self.config), int(self.seats[place]))

    def role_assignments(self, row: int) -> KeptDeals:
        """Every deal of the roles that fits what the seat of a row knows, the seats relative to it.

        It is kept for rows that know the same, with its marginals, so its arrays can only be read.
        """
        key = self.config, self._known[row].tobytes()
        kept = _DEALS.get(key)
        if kept is None:
            seat, players = int(self.seats[row]), self.config.num_players
            spec = spec_of(self.config)
            found = role_assignments(Game.from_trusted_record(self._games[row : row + 1].copy(), self.config), seat)
            roles = np.roll(found.roles, -seat, axis=1)
            # in the same order whoever asked first, or what is drawn from them would depend on games played before
            order = np.argsort(roles.astype(np.int64) @ (spec.num_labels ** np.arange(players)), kind="stable")
            kept = KeptDeals(_shared(np.ascontiguousarray(roles[order])), _shared(found.weights[order]))
            _DEALS.keep(key, kept)
        return kept

    @functools.cached_property
    def _known(self) -> Array:
        """[B, 1 + 4 players] int64: all that the deals that fit depend on, the seats relative to that of each row."""
        games, rows, seats = self._games, np.arange(len(self))[:, np.newaxis], self.seats[:, np.newaxis]
        turned = (np.arange(self.config.num_players) + seats) % self.config.num_players
        seen = games["role_seen"][rows, turned] >> seats & 1
        known = np.where(seen, games["role"][rows, turned].astype(np.int64), -1)
        begun = games["turn_step"][:, np.newaxis] != st.STEP_SETUP
        judged = np.empty(len(self), np.int64)
        batch.seats_at_last_check(games, judged)
        active, judged = (seats_of[:, np.newaxis] >> turned & 1 for seats_of in (games["active"].astype(np.int64), judged))
        return np.concatenate([begun, active, judged, known, games["ruled_out"][rows, turned]], axis=1, dtype=np.int64)

    def open_roles(self, row: int) -> Array:
        """[8] int64: the roles that everybody knows, by seat; 0 = hidden, or none."""
        game = self._games[row]
        return np.where(game["role_seen"] == st.EVERYBODY, game["role"], 0).astype(np.int64)

    def masks(self) -> Array:
        """[B, NUM_ACTIONS] uint8: the legal answers, in rows whose seat is the one that is asked; none in others."""
        spec = spec_of(self.config)
        masks: Array = np.zeros((len(self), spec.num_actions), np.uint8)
        spec.entries.mask_rows(self._games, masks)
        masks[self._games["asking"] != self.seats] = 0
        return masks

    def histories(self, events: int) -> Array:
        """[B, events, 8] uint8: the last events of each game as its seat knows them, the newest first."""
        return histories(self._games, self.seats, events)

    def public_log(self, row: int) -> Array:
        """[k, 8] uint8: the log of the game of a row as everybody sees it, the oldest event first, the seats as they are, plus one."""
        return public_log(self._games, row)

    def board(self, row: int) -> Array:
        """The record of a row, shape (1,), with nothing in it but what lies open: what OPEN_FIELDS say, and the open roles.

        Characters are in it once everybody has chosen one.
        """
        game, found = self._games[row], np.zeros(1, st.STATE)
        for field in OPEN_FIELDS:
            found[field] = game[field]
        if not queries.is_revealed(game):
            found["character"] = found["second_character"] = 0
        found["role"] = self.open_roles(row)
        return found
