"""The batched AEC: many games at once, one acting seat per game at each step, everything in place.

`step` answers the pending question of every game. A game that ends pays its rewards, is marked done and is started anew in the
same step, so that every row always has somebody to ask. The arrays are allocated once and rewritten, so torch can view them.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from danmaku_env.arguments import array_of, array_shown, check_index, sequence, shown, whole_number
from danmaku_env.envs.whole_copies import WholeCopies
from danmaku_env.game import AnyGame, IllegalAction, check_seed, game_class, row_seeds, validation
from danmaku_env.machine.records import GAMES_TRIED, OK, RUNNING, Array
from danmaku_env.seeds import seed_generator
from danmaku_env.spec import GameSpec, default_spec, spec_of

_LINKED = ("spec", "_entries", "_tables", "_settings", "_raw", "_pool", "_process")


class VectorEnv(WholeCopies):
    """A batch of games. See the module docstring; all arrays are rewritten in place by `reset` and `step`."""

    spec: GameSpec
    """Which game it is."""

    def __init__(self, num_envs: int, config: Any = None, *, threads: int = 1, **options: Any) -> None:
        """`num_envs` games of one configuration, advanced by `threads` threads.

        Instead of a configuration, a number of players and options of GameConfig. Raises ConfigError on anything else, and ValueError on
        numbers of games or threads below 1.
        """
        for name, number in (("num_envs", num_envs), ("threads", threads)):
            if (whole_number(number) or 0) < 1:
                raise ValueError(f"{name} must be a whole number of at least 1, not {shown(number)}")
        self.config = _configured(config, options)
        self.spec = spec_of(self.config)
        self.num_envs = int(num_envs)
        self.threads = min(int(threads), self.num_envs)
        self.games: Array = self.spec.room_for(self.num_envs)
        """[B] the records."""
        self.observations: Array = np.zeros((self.num_envs, self.config.observation_size), np.uint8)
        """[B, n] what the acting seat may know (see docs/observation.md)."""
        self.action_masks: Array = np.zeros((self.num_envs, self.spec.num_actions), np.uint8)
        """[B, N] 1 for each legal answer."""
        self.seats: Array = np.zeros(self.num_envs, np.int8)
        """[B] the acting seat of each game."""
        self.rewards: Array = np.zeros((self.num_envs, self.spec.most_seats), np.float32)
        """[B, spec.most_seats] float32: paid when a game ends, to all its seats: +1 won, -1 lost, 0 in a truncated game or a draw. In a
        draw that some seats share, 0 for those and -1 for the others."""
        self.dones: Array = np.zeros(self.num_envs, np.bool_)
        """[B] whether the last step ended the game; the row already shows the next game."""
        self._status: Array = np.zeros(self.num_envs, np.int8)
        self._none: Array = np.full(self.num_envs, -1, np.int64)
        self._rng: Array = np.zeros(1, self.spec.record)
        self._begun: Array = np.zeros(self.num_envs, np.bool_)
        self._all_begun = False
        self._link()

    def _link(self) -> None:
        """What goes with the arrays and is not copied with them."""
        self.spec = spec_of(self.config)
        self._entries = self.spec.entries
        self._tables = self._entries.tables()
        self._settings = self.config.settings()
        self._raw = self.spec.as_bytes(self.games)
        self._pool = self._new_pool() if self.threads > 1 else None

    def _new_pool(self) -> ThreadPoolExecutor:
        self._process = os.getpid()
        return ThreadPoolExecutor(self.threads - 1, "danmaku")

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in _LINKED}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.spec = spec_of(self.config)
        self.games = self.spec.room_for(self.num_envs)
        self.games[:] = state["games"]
        self._link()

    def reset(self, seed: int = 0) -> None:
        """Start every game anew. Row 0 plays exactly the game that `Game.new(config, seed)` plays; the others follow from the seed.

        A game that ends before its first question, as one of very few cards may, is replaced by the one that follows in its row. Raises
        ValueError on an invalid seed, and RuntimeError where 100 games in a row ended so.
        """
        seed = check_seed(seed)
        seeds = row_seeds(seed, self.num_envs)
        self._entries.compile_once()
        self._entries.drive(self._tables, self._settings, self.games, self._raw, seeds, self._status, self._entries.start)
        self._seed_rng(seed)
        self._begun[:] = self._all_begun = True
        self._run(self._none)

    def _seed_rng(self, seed: int) -> None:
        seed_generator(self._rng, seed)

    def start(self, rows: Array | Sequence[int] | slice, seeds: Array | Sequence[int]) -> None:
        """Begin the given rows anew, each with its own seed: a row then plays exactly the game that `Game.new(config, seed)` plays.

        A game that ends before its first question is replaced, as by `reset`. Rewrites those rows of every array. Raises ValueError on
        invalid seeds, another number of them than rows, or a row named twice, and IndexError on rows that are not in the batch.
        """
        places = self._places(rows)
        if len(set(places.tolist())) < len(places):
            raise ValueError(f"start() got a row twice: {shown(rows)}")
        given = sequence(seeds.tolist() if isinstance(seeds, np.ndarray) else seeds)
        if given is None:
            raise ValueError(f"start() takes a list of seeds, one for each row, not {shown(seeds)}")
        if len(places) != len(given):
            raise ValueError(f"start() got {len(given)} seeds for {len(places)} rows")
        checked = np.array([check_seed(seed) for seed in given], np.int64)
        self._entries.compile_once()
        games: Array = np.zeros(len(places), self.spec.record)
        status: Array = np.zeros(len(places), np.int8)
        self._entries.drive(self._tables, self._settings, games, self.spec.as_bytes(games), checked, status, self._entries.start)
        self._put(games, places)

    def step(self, actions: Array | Sequence[int]) -> None:
        """Answer in every game: `actions` [B] integers. Rewrites observations, action_masks, seats, rewards and dones in place.

        Raises IllegalAction, naming the row, when an answer is not legal, ValueError for another shape or dtype, and RuntimeError before
        `reset`; then no row has changed.
        """
        chosen = self._check_actions(actions)
        self._run(chosen)

    def _check_actions(self, actions: Array | Sequence[int]) -> Array:
        self._check_begun("step()")
        given = array_of(actions)
        if given.shape != (self.num_envs,) or given.dtype.kind not in "iu":
            found = array_shown(actions, given)
            raise ValueError(f"step() takes {self.num_envs} whole numbers, one action per game, as NumPy reads them, not {found}")
        chosen: Array = np.array(given, np.int64, order="C")  # a copy: for a read-only array everything would be compiled anew
        row = self._entries.first_illegal(self.games, self._raw, chosen)
        if row >= 0:
            error = self.game(row).illegal(int(given[row]))
            raise IllegalAction(f"game {row} of the batch: {error}")
        return chosen

    def _check_begun(self, what: str, rows: Array | slice = slice(None)) -> None:
        """Raise RuntimeError unless a game has begun in each of the rows."""
        if not (self._all_begun or self._begun[rows].all()):
            raise RuntimeError(f"call reset() before {what}: no game has begun in row {int(np.flatnonzero(~self._begun)[0])}")

    def _run(self, chosen: Array) -> None:
        if self._pool and self._process != os.getpid():
            self._pool = self._new_pool()  # a fork takes the pool along, but none of its threads: it would wait for ever
        pieces = self.threads if self._pool else 1
        bounds = [self.num_envs * i // pieces for i in range(pieces + 1)]
        waiting = []
        if self._pool:
            waiting = [self._pool.submit(self._run_rows, chosen, bounds[i], bounds[i + 1]) for i in range(1, pieces)]
        without = self._run_rows(chosen, bounds[0], bounds[1])
        for future in waiting:
            without = max(without, future.result())
        self._check_asked(without)

    def _run_rows(self, chosen: Array, low: int, high: int) -> int:
        """Step these rows; returns -1, or one in which nobody is asked."""
        without: int = self._entries.step_rows(
            self._tables, self._settings, self.games, self._raw, chosen, self._status,
            self.observations, self.action_masks, self.seats, self.rewards, self.dones, low, high,
        )  # fmt: skip
        return without

    def _check_asked(self, without: int) -> None:
        if without >= 0:
            raise RuntimeError(f"{GAMES_TRIED} games in a row ended before anybody was asked anything, in row {without} of the batch")

    def sample(self) -> Array:
        """[B] uniformly random legal answers.

        The generator is seeded by every `reset`, and by the first `start` or `restore` where none came before, with the seed of the first
        game it puts into a row. Raises RuntimeError before `reset`.
        """
        self._check_begun("sample()")
        chosen = np.empty(self.num_envs, np.int64)
        self._entries.sample_rows(self.games, self._raw, chosen, self._rng)
        return chosen

    def observe(self, seats: Array | Sequence[int]) -> Array:
        """[B, n] uint8: what a seat of each game, `seats` [B] integers, may know now.

        Raises ValueError for seats that are not at the table, and RuntimeError before `reset`.
        """
        self._check_begun("observe()")
        given = array_of(seats)
        if given.shape != (self.num_envs,) or given.dtype.kind not in "iu" or given.min() < 0 or given.max() >= self.config.num_players:
            raise ValueError(f"observe() takes {self.num_envs} seats from 0 to {self.config.num_players - 1}, not {shown(seats)}")
        asked: Array = np.array(given, np.int64, order="C")
        observations = np.empty_like(self.observations)
        self._entries.observe_rows(self._tables, self.games, asked, observations)
        return observations

    def states(self) -> Array:
        """[B, spec.state_size] uint8: the full state of every game, for central critics. Raises RuntimeError before `reset`."""
        self._check_begun("states()")
        states: Array = np.empty((self.num_envs, self.spec.state_size), np.uint8)
        self._entries.write_states(self._tables, self.games, states)
        return states

    def clone(self, rows: Array | Sequence[int] | slice = slice(None)) -> Array:
        """Copies of the chosen games, [k] records: `restore` puts them back.

        Raises IndexError for rows that are not in the batch, and RuntimeError where no game has begun.
        """
        return validation.issue(self.records(rows))

    def records(self, rows: Array | Sequence[int] | slice = slice(None)) -> Array:
        """[k] the same records, to be read only: quicker to make, but `restore` would validate each as if it came from outside.

        Raises as `clone` does.
        """
        places = rows if isinstance(rows, slice) else self._places(rows)
        self._check_begun("clone() or records()", places)
        return np.array(self._raw[places], order="C").view(self.spec.record).reshape(-1)  # a copy also of a plain slice

    def restore(self, games: Array | AnyGame, rows: Array | Sequence[int] | slice = slice(None)) -> None:
        """Put cloned games, or one `Game` into each, into the chosen rows and rewrite those rows of every array.

        Other records are taken too, after a look at each that takes about a millisecond. Raises ValueError for one that play cannot have
        reached, or that is over; then no row has changed. A game that was begun with other options goes on by its own (`max_turns`, what it
        asks); the one after it in its row has the batch's.
        """
        places = self._places(rows)
        if isinstance(games, AnyGame):
            games = validation.issue(games.records).repeat(len(places))
        if not isinstance(games, np.ndarray) or games.dtype != self.spec.record or games.ndim != 1:
            raise ValueError(f"restore() takes games as clone() returns them, or a Game, of {self.spec.title}, not {shown(games)}")
        if len(places) != len(games):
            raise ValueError(f"restore() got {len(games)} games for {len(places)} rows")
        self.spec.check_fits(games, self.config, "a batch")
        if over := np.flatnonzero(games["outcome"] != RUNNING).tolist():
            raise ValueError(f"games to restore must still be running; number {over[0]} is over")
        self._entries.compile_once()
        validation.validate(games, self.spec)
        self._put(games, places)

    def _places(self, rows: Array | Sequence[int] | slice) -> Array:
        """The numbers of rows given as NumPy takes them. Raises IndexError for a row outside the batch."""
        try:
            places = np.atleast_1d(np.arange(self.num_envs)[list(rows) if isinstance(rows, tuple) else rows])
        except (IndexError, TypeError, ValueError, RecursionError):
            places = np.zeros((0, 0), np.int64)
        if places.ndim != 1:
            raise IndexError(f"rows are whole numbers below {self.num_envs}, a truth for each, or a slice, not {shown(rows)}")
        return places

    def _put(self, games: Array, places: Array) -> None:
        """Games into rows, every array of which is rewritten."""
        if len(games) and not self._rng["rng"].any():
            self._seed_rng(int(games["seed"][0]))
        self._raw[places] = self.spec.as_bytes(np.ascontiguousarray(games))
        self._status[places] = OK
        for place in places:
            self._check_asked(self._run_rows(self._none, place, place + 1))
        self._begun[places] = True
        self._all_begun = bool(self._begun.all())

    def game(self, row: int) -> Any:
        """A copy of one game as a `Game`. Raises IndexError for a row that is not in the batch, RuntimeError where no game has begun.

        Its `config` is the batch's, also where `restore` has put in a game that was begun with other options: a record does not tell all.
        """
        place = check_index(row, self.num_envs, "row")
        self._check_begun("game()", np.array([place]))
        return game_class(self.config).from_trusted_record(self.games[place : place + 1].copy(), self.config)

    def check(self) -> None:
        """Raise RuntimeError if the machine stopped in any row since that row was filled by `reset`, `start` or `restore`.

        That is a bug, and the game that was stopped counts as one that nobody has won: please report how the batch was made and played.
        """
        for row in np.flatnonzero(self._status):
            raise RuntimeError(
                f"row {row}: the machine stopped with status {int(self._status[row])} in a game there, and another one was dealt"
            )

    def close(self) -> None:
        """Stop the threads; what is stepped after that is stepped by the calling one."""
        if self._pool and self._process == os.getpid():
            self._pool.shutdown()
        self._pool = None


def _configured(config: Any, options: dict[str, Any]) -> Any:
    """The configuration that is meant: of any game, or options of Danmaku!!. Raises ConfigError on anything else."""
    try:
        spec = spec_of(config)
    except TypeError:
        spec = default_spec()
    return spec.configured(config, options)


def make_vec(num_envs: int, config: Any = None, *, threads: int = 1, **options: Any) -> VectorEnv:
    """A batched AEC of `num_envs` games; call `reset(seed)` first.

    `make_vec(1024, GameConfig(num_players=6))`, `make_vec(1024, 6)` and `make_vec(1024, num_players=6)` are the same.

    The configuration says which game is played; `threads` threads share the rows. Raises ConfigError for an invalid configuration or
    option, and ValueError for `num_envs` or `threads` below 1.
    """
    return VectorEnv(num_envs, config, threads=threads, **options)
