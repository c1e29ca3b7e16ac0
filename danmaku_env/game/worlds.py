"""What a seat may know of a game, for agents that think: other worlds that fit it, the roles that fit it, the events it remembers.

The re-deal itself is engine/resample.py and engine/hidden_roles.py; what a seat sees at a question is `Game.observe`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from danmaku_env.arguments import array_of, check_count, for_kernels, shown, whole_number
from danmaku_env.danmaku import DANMAKU_SPEC
from danmaku_env.engine import batch, hidden_roles
from danmaku_env.engine import state as st
from danmaku_env.engine.invariants import seats
from danmaku_env.engine.scratch import SCRATCH
from danmaku_env.game.game import Game
from danmaku_env.game.seat import check_seat
from danmaku_env.machine.records import Array
from danmaku_env.seeds import check_seed, seed_generator


def resample(game: Game, seat: int, seed: int, *, roles: Array | None = None) -> Game:
    """Another game consistent with everything `seat` knows, at the same instant: hidden hands, deck orders and roles dealt anew.

    Uniform over the consistent deals of the physical cards; `roles` [players] role numbers set the roles instead. The random numbers to
    come are new, and private parts of the log that the seat does not know are blank. To play on, `seat` should be the one who is asked: the
    pending question of another seat was put for the cards it really holds. Raises IndexError for a seat that is not at the table, and
    ValueError for an invalid seed, and for roles that cannot be dealt to it or contradict what `seat` knows.
    """
    given = None if roles is None else array_of(roles)[np.newaxis]
    return Game.from_trusted_record(resample_many(game, seat, 1, seed, roles=given), game.config)


def resample_many(game: Game, seat: int, count: int, seed: int, *, roles: Array | None = None) -> Array:
    """[count] records, each another world as from `resample`; `roles` [count, players] set the roles of each.

    Raises ValueError for a count below 0, and as `resample` does.
    """
    observer, number = _observer(game, seat), check_count(count)
    worlds: Array = np.repeat(game.records, number)
    dealt: Array = np.full((number, st.SEATS), -1, np.int8)
    if roles is not None:
        given = array_of(roles)
        _check_roles(game, observer, number, given)
        dealt[:, : given.shape[1]] = given
    scratch: Array = np.zeros(1, SCRATCH)
    seed_generator(scratch, check_seed(seed))
    batch.resample_rows(DANMAKU_SPEC.entries.tables(), worlds, np.full(number, observer), dealt, scratch)
    return worlds


def _observer(game: Game, seat: int) -> int:
    """The seat whose knowledge counts. Raises IndexError unless it is at the table, TypeError where there is no game."""
    if not isinstance(game, Game):
        raise TypeError(f"a seat knows something of a Game, not of {shown(game)}")
    return check_seat(seat, game.config.num_players)


def _check_roles(game: Game, seat: int, count: int, roles: Array) -> None:
    """Raises ValueError unless the rows are roles that can have been dealt, and among them those that the seat knows."""
    players, s = game.config.num_players, game.record
    if roles.shape != (count, players) or roles.dtype.kind not in "iu":
        raise ValueError(f"roles must be {players} role numbers for each world, whole numbers, not {roles.dtype} of shape {roles.shape}")
    known = (s["role_seen"][:players] >> seat & 1).astype(bool)
    config, known_roles = int(s["config"]), s["role"][:players][known]
    for row in set(map(tuple, roles.tolist())):
        if found := seats.deal_problem(config, players, row):
            raise ValueError(f"roles {list(row)} cannot have been dealt: {found}")
    if (wrong := (roles[:, known] != known_roles).any(1)).any():
        raise ValueError(f"roles {roles[int(np.argmax(wrong))].tolist()} contradict what seat {seat} knows")


class RoleAssignments(NamedTuple):
    """Every deal of the roles that fits what a seat knows."""

    roles: Array
    """[n, players] int8 role numbers, indices of ROLE_IDS; 0 = no role (a former Heroine)."""
    weights: Array
    """[n] float64 prior probabilities: each physical deal of the role cards counts the same. They sum to 1."""

    def named(self) -> list[tuple[tuple[str, ...], float]]:
        """Each deal as the ids of its roles, by seat, with its probability; the likeliest first."""
        names = DANMAKU_SPEC.labels
        rows = [(tuple(names[role] for role in row), float(weight)) for row, weight in zip(self.roles, self.weights, strict=True)]
        return sorted(rows, key=lambda row: (-row[1], row[0]))

    def marginals(self) -> Array:
        """[players, NUM_ROLES] float64: the probability of each role for each seat."""
        probabilities: Array = np.stack([(self.roles == role).T @ self.weights for role in range(DANMAKU_SPEC.num_labels)], axis=1)
        return probabilities


def role_assignments(game: Game, seat: int) -> RoleAssignments:
    """Every deal of the roles that fits what `seat` knows, with its prior probability: exact.

    It knows the player count, the roles it has seen, and that nobody has won yet. Raises IndexError for a seat that is not at the table.
    """
    observer = _observer(game, seat)
    if game.over:
        return RoleAssignments(game.records["role"][:, : game.config.num_players].copy(), np.ones(1))
    size = 1024
    while True:
        roles: Array = np.zeros((size, st.SEATS), np.int8)
        ways: Array = np.zeros(size, np.int64)
        options: Array = np.zeros((hidden_roles.OPTIONS, 3), np.int64)
        scratch: Array = np.zeros(1, SCRATCH)
        count = batch.list_roles(DANMAKU_SPEC.entries.tables(), game.records.copy(), observer, scratch, options, roles, ways)
        if count <= size:
            break
        size = count
    return RoleAssignments(roles[:count, : game.config.num_players].copy(), ways[:count] / ways[:count].sum())


def _records(games: Any) -> Array:
    """The records, as compiled code takes them. Raises ValueError for anything else."""
    if not isinstance(games, np.ndarray) or games.dtype != st.STATE or games.ndim != 1:
        raise ValueError(f"games are the records of a batch, not {shown(games)}")
    return for_kernels(games)


def histories(games: Array, seats: Array, events: int) -> Array:
    """[B, events, 8] uint8: the last events of each record as the seat [B] knows them, the newest first.

    The columns are those of the `history` field in docs/observation.md. Raises IndexError for a seat that is not at its table, and
    ValueError for more events than a record has, or another number of seats than games.
    """
    number = whole_number(events)
    if number is None or not 0 <= number <= st.LOG_ROWS:
        raise ValueError(f"events is a whole number from 0 to {st.LOG_ROWS}, not {shown(events)}")
    games = _records(games)
    given = array_of(seats)
    if given.shape != games.shape or given.dtype.kind not in "iu":
        raise ValueError(f"seats are {len(games)} whole numbers, one for each game, not {shown(seats)}")
    observer: Array = np.array(given, np.int64, order="C")  # a copy: for a read-only array everything would be compiled anew
    if ((observer < 0) | (observer >= games["num_players"])).any():
        raise IndexError("a seat that is not at its table")
    rows: Array = np.zeros((len(games), number * st.EVENT_COLUMNS), np.uint8)
    batch.history_rows(DANMAKU_SPEC.entries.tables(), games, observer, rows)
    return rows.reshape(len(games), number, st.EVENT_COLUMNS)


def public_log(games: Array, place: int) -> Array:
    """[k, 8] uint8: the log of the record at `place` as everybody sees it, the oldest event first, as far back as it is kept.

    The columns are those of the `history` field in docs/observation.md, but seats are as they are at the table, plus one. `games` [B] are
    records of a batch. Raises IndexError for a place that is not among them, and ValueError for anything but records.
    """
    games = _records(games)
    number = whole_number(place)
    if number is None or not 0 <= number < len(games):
        raise IndexError(f"place is a whole number from 0 to {len(games) - 1}, not {shown(place)}")
    rows: Array = np.zeros((st.LOG_ROWS, st.EVENT_COLUMNS), np.uint8)
    return rows[: batch.public_log(DANMAKU_SPEC.entries.tables(), games, number, rows)]
