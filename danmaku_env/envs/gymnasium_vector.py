"""Many games with one learning seat each, as a `gymnasium.vector.VectorEnv`: one call steps all of them in compiled code.

```python
import gymnasium

envs = gymnasium.make_vec("danmaku_env:danmaku/Danmaku-v0", num_envs=1024, num_players=6, learner="any")
observations, infos = envs.reset(seed=7)
actions = envs.unwrapped.sample()
observations, rewards, terminations, truncations, infos = envs.step(actions)
```

- Learners, opponents and rewards are those of `single`. With opponents that play at random, row i of `reset(seed=7)` plays the very
  games that a `DanmakuSingle` plays after `reset(seed=7 + i)`, step by step, with the same answers; agents by name answer for all rows
  with the same dice. There is no `policy`, no position to start from, and nothing is drawn for a human.
- **Autoreset** is `AutoresetMode.SAME_STEP`: where a game ends, the step returns the first observation of the next one; the last
  one is `infos["final_obs"][i]`, for the rows that `infos["_final_obs"]` marks, and its info row i of the arrays in
  `infos["final_info"]`: `infos["final_info"]["seat"][i]`.
- `observations` is a dict of arrays: "observation" [B, n] uint8 and "action_mask" [B, N] int8; `infos["action_mask"]` is the mask
  again and `infos["seat"]` [B] the learner's seat. Arrays are new at every call unless `copy=False` was asked for.
- Infos have the form of Gymnasium's own `SyncVectorEnv`: beside every array there is one of truths, with an underscore before its
  name, that marks the rows which have such an info (`infos["_seat"]`, `infos["final_info"]["_illegal"]`).
- The last observation of a game comes with a mask of one answer, passing, so that a distribution can always be made of it.
- Illegal actions raise `IllegalAction`, and then no row has changed, or end their game with reward -1 (`illegal="loss"`). What an
  opponent raises comes out of `step` or `reset`, of an agent as an AnswerError that names it; the games it has left half way cannot be
  continued: `reset`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Literal, cast

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from danmaku_env.arguments import array_of, check_index, shown
from danmaku_env.cards.compile import compile_cards
from danmaku_env.config import ConfigError, GameConfig
from danmaku_env.engine import batch
from danmaku_env.engine import state as st
from danmaku_env.engine.actions import NUM_ACTIONS, PASS
from danmaku_env.engine.cold_start import compile_once
from danmaku_env.engine.learners import DICE, play_on
from danmaku_env.envs.learners import (
    GAMES_TRIED,
    Learner,
    Opponent,
    check_learners,
    check_opponents,
    choose_seat,
    random_seats,
    seat_opponents,
)
from danmaku_env.envs.one_game import Array, Observation, check_render_mode, observation_space, render
from danmaku_env.game import Game, IllegalAction, check_seed, status_error

_OVER = -1
"""Who is asked once a game is over."""


class DanmakuVector(gymnasium.vector.VectorEnv[Any, Any, Any]):
    """One learning seat in each of many games. The module docstring says how it behaves."""

    metadata: dict[str, Any] = {  # noqa: RUF012 (Gymnasium's own form)
        "autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": ["ansi", "rgb_array"], "render_fps": 1,
    }  # fmt: skip

    def __init__(
        self, num_envs: int = 1, *, learner: Learner | Sequence[Learner] = 0, opponents: Opponent | Sequence[Opponent | None] | None = None,
        illegal: Literal["loss", "raise"] = "raise", copy: bool = True, render_mode: str | None = None, **options: Any,
    ) -> None:  # fmt: skip
        """`options` are the fields of GameConfig. Raises ConfigError or ValueError on anything else."""
        if isinstance(num_envs, bool) or not isinstance(num_envs, (int, np.integer)) or num_envs < 1:
            raise ConfigError(f"num_envs must be a whole number of at least 1, not {num_envs!r}")
        if illegal not in ("loss", "raise"):
            raise ConfigError(f'illegal must be "loss" or "raise", not {illegal!r}')
        self.render_mode = check_render_mode(render_mode, self.metadata["render_modes"])
        self.config = GameConfig.from_dict(options)
        self.learners = check_learners(self.config, learner)
        self.crew = check_opponents(opponents)
        self.illegal, self.copy = illegal, copy
        self.num_envs = int(num_envs)
        self.single_observation_space = observation_space(self.config)
        self.single_action_space = gymnasium.spaces.Discrete(NUM_ACTIONS)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._allocate()

    def _allocate(self) -> None:
        size = self.num_envs
        self._games: Array = np.zeros(size, st.STATE)
        self._status: Array = np.zeros(1, np.int8)
        self._input: Array = np.zeros(1, np.int64)
        self._none: Array = np.full(size, -1, np.int64)
        self._rows: Array = np.arange(size)
        self._dice: Array = np.zeros(size, DICE)
        self._asked: Array = np.zeros(size, np.int64)
        self._random: Array = np.zeros(size, np.int64)
        self._players: Array = np.full((size, st.SEATS), -1, np.int64)
        self._started: Array = np.zeros(size, np.int64)
        self._generators: list[np.random.Generator] = []
        self._sampler: Array = np.zeros(1, st.STATE)
        self._running = False
        self.seats: Array = np.zeros(size, np.int64)
        """[B] the learners' seats."""
        self._observations: Array = np.zeros((size, self.config.observation_size), np.uint8)
        self._masks: Array = np.zeros((size, NUM_ACTIONS), np.uint8)
        self._link()

    def _link(self) -> None:
        """What goes with the arrays and is not copied with them."""
        self._tables, self._settings = compile_cards().tables, self.config.settings()
        self._raw = st.as_bytes(self._games)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in ("_tables", "_settings", "_raw")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._link()

    # ---- starting

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start every game anew; an int is the seed of row 0, the next one that of row 1, and so on. Raises ValueError on a bad seed."""
        seeds = self._check_seeds(seed)
        if options:
            such = repr(next(iter(options))) if isinstance(options, Mapping) else shown(options)
            raise ValueError(f"reset() of a batch knows no options, such as {such}; positions are for one game alone")
        compile_once()
        self._running = False
        fresh = not self._generators
        for row, one in enumerate(seeds):
            if fresh or one is not None:
                generator = np.random.Generator(np.random.PCG64(one))  # as Gymnasium seeds that of a single environment
                self._generators[row : row + 1] = [generator]
                self._started[row] = 0
        if fresh or seeds[0] is not None:
            dice = np.random.default_rng(seeds[0])
            for place, opponent in enumerate(self.crew):
                if opponent is not None:
                    opponent.reset(int(dice.integers(1 << 62)) + place)
            self._sampler["rng"] = dice.integers(1, 1 << 32, 4, dtype=np.uint32)
        self._begin(self._rows, seeds)
        self._running = True
        return self._told()

    def _check_seeds(self, seed: int | Sequence[int | None] | None) -> list[int | None]:
        if seed is None:
            return [None] * self.num_envs
        if not isinstance(seed, (Sequence, np.ndarray)) or np.ndim(cast(Any, seed)) == 0:
            first = check_seed(seed)
            if first + self.num_envs > 1 << batch.SEED_BITS:
                raise ValueError(f"seed {first} leaves no seeds for the other {self.num_envs - 1} games: they have those that follow it")
            return [check_seed(first + row) for row in range(self.num_envs)]
        if len(seed) != self.num_envs:
            raise ValueError(f"reset() got {len(seed)} seeds for {self.num_envs} games")
        return [None if one is None else check_seed(one) for one in seed]

    def _begin(self, rows: Array, seeds: Sequence[int | None]) -> None:
        """Start games in these rows and play them up to the learner's first question; a game that ends before that is played again."""
        self._started[rows] += 1
        for _ in range(GAMES_TRIED):
            for row, seed in zip(rows.tolist(), seeds, strict=True):
                self._deal(row, seed)
            self._random[rows] = random_seats(self.crew, self._players[rows])
            self._play(rows, self._none[: len(rows)])
            rows = rows[self._asked[rows] == _OVER]
            if not len(rows):
                return
            seeds = [None] * len(rows)
        raise RuntimeError(f"{GAMES_TRIED} games ended before the learner was asked anything")

    def _deal(self, row: int, seed: int | None) -> None:
        """One game: its dice, its seed, its learner and its opponents, drawn in the order of the single environment."""
        generator = self._generators[row]
        self._dice["rng"][row] = generator.integers(1, 1 << 32, 4, dtype=np.uint32)
        self._input[0] = int(generator.integers(1 << 62)) if seed is None else seed
        game = self._games[row : row + 1]
        batch.drive(self._tables, self._settings, game, self._raw[row : row + 1], self._input, self._status, batch.START)
        learner = self.learners[(self._started[row] - 1) % len(self.learners)]
        self.seats[row] = choose_seat(self.config, game[0], learner, generator)
        self._players[row] = seat_opponents(self.crew, self.config, int(self.seats[row]), generator)

    # ---- playing

    def _play(self, rows: Array, answers: Array) -> None:
        """Answer in these rows, and have the others answer until the learner is asked in all of them, or the game is over."""
        while len(rows):
            play_on(
                self._tables, self._games, self._raw, rows, answers, self.seats, self._random, self._dice, self._asked, self._observations,
                self._masks,
            )  # fmt: skip
            asked = self._asked[rows]
            waiting = (asked != _OVER) & (asked != self.seats[rows])
            if not waiting.any():
                break
            rows = rows[waiting]
            answers = self._ask_opponents(rows)
        if self._games["status"].any():
            raise status_error(self._games[np.flatnonzero(self._games["status"])[0]])

    def _ask_opponents(self, rows: Array) -> Array:
        """[k] the answers of those who play the seats asked in these rows. Raises IllegalAction."""
        seats = self._asked[rows]
        who, answers = self._players[rows, seats], np.empty(len(rows), np.int64)
        for place in np.unique(who):
            mine = np.flatnonzero(who == place)
            there, opponent = rows[mine], self.crew[place]
            assert opponent is not None
            games = self._raw[there].view(st.STATE).reshape(-1)
            given = opponent.answer(games, seats[mine], self._observations[there], self._masks[there])
            answers[mine] = self._checked(there, array_of(given), f"the answer of opponent {place}")
        return answers

    def _checked(self, rows: Array, given: Array, what: str) -> Array:
        """The answers as int64. Raises IllegalAction for the first that is not legal in its row."""
        if given.shape != rows.shape or given.dtype.kind not in "iu":
            raise IllegalAction(f"{what}: {len(rows)} whole numbers are needed, not an array of {given.dtype} with shape {given.shape}")
        answers: Array = np.ascontiguousarray(given, np.int64)
        legal = self._are_legal(rows, answers)
        if not legal.all():
            place = int(np.argmin(legal))
            raise IllegalAction(f"{what}, game {rows[place]}: {self.game(int(rows[place])).illegal(int(given[place]))}")
        return answers

    def _are_legal(self, rows: Array, answers: Array) -> Array:
        inside = (answers >= 0) & (answers < NUM_ACTIONS)
        legal: Array = inside & (self._masks[rows, np.where(inside, answers, 0)] != 0)
        return legal

    def step(self, actions: Any) -> tuple[Observation, Array, Array, Array, dict[str, Any]]:
        """Answer for the learner in every game and play on until it is asked again; games that end are started anew in the same step."""
        self._check_running("step()")
        given = array_of(actions)
        if self.illegal == "raise" or given.shape != self._rows.shape or given.dtype.kind not in "iu":
            answers = self._checked(self._rows, given, "step()")
            lost = np.zeros(self.num_envs, np.bool_)
        else:
            answers = np.ascontiguousarray(given, np.int64)
            lost = ~self._are_legal(self._rows, answers)
        rows = np.flatnonzero(~lost)
        self._running = False  # an opponent may raise anything, and what it leaves half way cannot be continued
        self._play(rows, answers[rows])
        settled = self._settle(lost)
        self._running = True
        return settled

    def _check_running(self, call: str) -> None:
        if not self._running:
            raise RuntimeError(f"no games are running, or an opponent has left them half way; call reset() before {call}")

    def _settle(self, lost: Array) -> tuple[Observation, Array, Array, Array, dict[str, Any]]:
        """Pay the games that ended and start others in their rows; `lost` are those with an illegal answer."""
        rewards: Array = np.zeros(self.num_envs)
        terminations, truncations = lost.copy(), np.zeros(self.num_envs, np.bool_)
        rewards[lost] = -1.0
        ended = np.flatnonzero((self._asked == _OVER) & ~lost)
        if len(ended):
            outcome, winners = self._games["outcome"][ended], self._games["winners"][ended].astype(np.int64)
            won = winners >> self.seats[ended] & 1
            rewards[ended] = np.where(outcome == st.WON, 2.0 * won - 1.0, 0.0)
            truncations[ended] = outcome == st.TRUNCATED
            terminations[ended] = ~truncations[ended]
        over = np.flatnonzero(lost | (self._asked == _OVER))
        finals = self._finals(over, lost)
        if len(over):
            self._begin(over, [None] * len(over))
        observations, infos = self._told()
        return observations, rewards, terminations, truncations, {**infos, **finals}

    # ---- looking

    def _finals(self, rows: Array, lost: Array) -> dict[str, Any]:
        """The last observations and infos of games that are over."""
        if not len(rows):
            return {}
        mask: Array = np.zeros(NUM_ACTIONS, np.int8)
        mask[PASS] = 1
        last, masks, seats = (
            np.full(self.num_envs, None, object),
            np.zeros((self.num_envs, NUM_ACTIONS), np.int8),
            np.zeros_like(self.seats),
        )
        masks[rows], seats[rows] = mask, self.seats[rows]
        for row in rows.tolist():
            last[row] = {"observation": self._observations[row].copy(), "action_mask": mask.copy()}
        about = self._marked({"action_mask": masks, "seat": seats}, rows)
        if lost.any():
            about |= self._marked({"illegal": lost.copy()}, np.flatnonzero(lost))
        return self._marked({"final_obs": last, "final_info": about}, rows)

    def _marked(self, infos: dict[str, Any], rows: Array) -> dict[str, Any]:
        """The infos, and beside each, as Gymnasium's vector environments have it, [B] which rows have it."""
        there = np.zeros(self.num_envs, np.bool_)
        there[rows] = True
        return infos | {f"_{name}": there.copy() for name in infos}

    def _told(self) -> tuple[Observation, dict[str, Any]]:
        """Observations and infos as they are now; the mask is one array in both."""
        observations, masks, seats = self._observations, self._masks.view(np.int8), self.seats
        if self.copy:
            observations, masks, seats = observations.copy(), masks.copy(), seats.copy()
        return {"observation": observations, "action_mask": masks}, self._marked({"action_mask": masks, "seat": seats}, self._rows)

    def action_masks(self) -> Array:
        """[B, N] bool: the learners' legal actions."""
        masks: Array = self._masks.astype(np.bool_)
        return masks

    def sample(self) -> Array:
        """[B] uniformly random legal actions of the learners, from dice that `reset` seeds."""
        self._check_running("sample()")
        actions: Array = np.empty(self.num_envs, np.int64)
        batch.sample_rows(self._games, self._raw, actions, self._sampler)
        return actions

    def game(self, row: int) -> Game:
        """A copy of one game as a `Game`, hidden cards included. Raises IndexError for a row that is not in the batch."""
        place = check_index(row, self.num_envs, "row")
        if not self._generators:
            raise RuntimeError("call reset() before game()")
        return Game.trusting(self._games[place : place + 1].copy(), self.config)

    def render(self) -> tuple[Any, ...] | None:
        """The tables as the learners see them, one for each game."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() does nothing: this environment was made without a render_mode")
            return None
        return tuple(render(self.render_mode, partial(self.game, row), int(self.seats[row])) for row in range(self.num_envs))

    def close_extras(self, **kwargs: Any) -> None:
        """Nothing is held open."""
