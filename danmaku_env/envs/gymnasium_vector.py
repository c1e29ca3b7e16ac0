"""Many games with one learning seat each, as a `gymnasium.vector.VectorEnv`: one call steps all of them in compiled code.

```python
import gymnasium

envs = gymnasium.make_vec("danmaku_env:danmaku/Danmaku-v0", num_envs=1024, num_players=6, learner="any")
observations, infos = envs.reset(seed=7)
actions = envs.unwrapped.sample()
observations, rewards, terminations, truncations, infos = envs.step(actions)
```

- Learners, opponents, rewards and seeds are those of `single`. Row i of `reset(seed=7)` plays the very games that a `DanmakuSingle` plays
  after `reset(seed=7 + i)`, step by step, with the same answers. Where opponents draw random numbers, as agents by name do, this holds
  for a batch of one game: they have one generator for all rows. There is no `policy`, and nothing is drawn for a human.
- **Autoreset** is that of Gymnasium, by `autoreset_mode`, a word or an `AutoresetMode`; `metadata["autoreset_mode"]` says which.
  "SameStep", which it is unless another is asked for: where a game ends, the step returns the first observation of the next one; the last
  one is `infos["final_obs"][i]`, for the rows that `infos["_final_obs"]` marks, and its info row i of the arrays in
  `infos["final_info"]`: `infos["final_info"]["seat"][i]`. "NextStep": the step returns the last observation of the game, and the next one
  begins the next game, whatever is answered in that row, with reward 0. "Disabled": a game that has ended must be reset before the next
  step, with `reset(options={"reset_mask": ended})`, [B] bool, which leaves the other rows as they are (in every mode). Case and
  underscores do not matter: "next_step" is a word for it too. The wrappers of Gymnasium that observe need
  "NextStep"; some also take "Disabled".
- **Positions.** `reset(options={"game": game})` begins every row that is reset from a copy of a `Game`; with a list of them, each from its
  own, or, where it holds None, from a deal. The games after that are dealt anew.
- `observations` is a dict of arrays: "observation" [B, n] uint8 and "action_mask" [B, N] int8; `infos["action_mask"]` is the mask
  again, `infos["seat"]` [B] the learner's seat, and `infos["opponents"]` [B, num_players] which opponent plays each seat: its place in
  the list that was given (`unwrapped.opponent_names` has their names), and -1 where the learner sits. Arrays are new at every call unless
  `copy=False` was asked for.
- Infos have the form of Gymnasium's own `SyncVectorEnv`: beside every array there is one of truths, with an underscore before its
  name, that marks the rows which have such an info (`infos["_seat"]`, `infos["final_info"]["_illegal"]`).
- The last observation of a game comes with a mask of one answer, passing, so that a distribution can always be made of it.
- Illegal actions end their game with reward -1 and `illegal` in its info, the first of them with a warning, or raise `IllegalAction`, and
  then no row has changed (`illegal="raise"`). What an
  opponent raises comes out of `step` or `reset`, of an agent as an AnswerError that names it; the games it has left half way cannot be
  continued: `reset`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, Literal, TypeAlias

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from danmaku_env.arguments import ConfigError, array_of, array_shown, check_index, sequence, shown
from danmaku_env.danmaku import DANMAKU_SPEC
from danmaku_env.envs.learners import (
    Learner,
    Opponent,
    check_learners,
    check_opponents,
    choose_seat,
    close_all,
    learner_seats,
    opponent_names,
    random_seats,
    seat_opponents,
    seed_opponents,
)
from danmaku_env.envs.one_game import (
    Observation,
    bytes_of,
    check_position,
    check_render_mode,
    config_of,
    illegal_warning,
    observation_space,
    render,
)
from danmaku_env.envs.whole_copies import WholeCopies
from danmaku_env.game import AnyGame, IllegalAction, check_seed, game_class, status_error, whole_seed
from danmaku_env.machine.records import GAMES_TRIED, TRUNCATED, Array, payoffs
from danmaku_env.spec import GameSpec

Seeds: TypeAlias = int | Sequence[int | None] | None
"""One for row 0, from which those of the other rows follow; or one for each row."""

_OVER = -1
"""The seat asked once a game is over."""


def _autoreset_mode(mode: object) -> AutoresetMode:
    """The mode that is meant: one of Gymnasium's, or a word for it. Raises ConfigError."""
    words = {one.name.replace("_", "").lower(): one for one in AutoresetMode}
    if isinstance(mode, AutoresetMode):
        return mode
    found = words.get(mode.replace("_", "").replace("-", "").lower()) if isinstance(mode, str) else None
    if found is None:
        raise ConfigError(f"autoreset_mode must be {', '.join(one.value for one in AutoresetMode)} or an AutoresetMode, not {shown(mode)}")
    return found


def _not_numbers(what: str, count: int, given: object) -> str:
    return f"{what}: {count} whole numbers are needed, as NumPy reads them, not {array_shown(given, array_of(given))}"


class GameVector(WholeCopies, gymnasium.vector.VectorEnv[Any, Any, Any]):
    """One learning seat in each of many games; a class of it names its game. The module docstring says how it behaves."""

    game_spec: ClassVar[GameSpec]
    metadata: dict[str, Any] = {  # noqa: RUF012 (Gymnasium's own form)
        "autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": ["ansi", "rgb_array"], "render_fps": 4,
    }  # fmt: skip

    def __init__(
        self, num_envs: int = 1, *, learner: Learner | Sequence[Learner] = 0, opponents: Opponent | Sequence[Opponent | None] | None = None,
        illegal: Literal["loss", "raise"] = "loss", autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP, copy: bool = True,
        render_mode: str | None = None, **options: Any,
    ) -> None:  # fmt: skip
        """`options` are the fields of GameConfig. Raises ConfigError or ValueError on anything else."""
        if isinstance(num_envs, bool) or not isinstance(num_envs, (int, np.integer)) or num_envs < 1:
            raise ConfigError(f"num_envs must be a whole number of at least 1, not {num_envs!r}")
        if illegal not in ("loss", "raise"):
            raise ConfigError(f'illegal must be "loss" or "raise", not {illegal!r}')
        self.render_mode = check_render_mode(render_mode, self.metadata["render_modes"])
        self.autoreset_mode = _autoreset_mode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        self.config = config_of(type(self), options)
        self.learners = check_learners(self.config, learner)
        self.opponents = check_opponents(opponents)
        self.illegal, self.copy = illegal, copy
        self.num_envs = int(num_envs)
        self.single_observation_space = observation_space(self.config)
        self.single_action_space = gymnasium.spaces.Discrete(self.game_spec.num_actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._allocate()

    def _allocate(self) -> None:
        size = self.num_envs
        self._games: Array = np.zeros(size, self.game_spec.record)
        self._status: Array = np.zeros(1, np.int8)
        self._input: Array = np.zeros(1, np.int64)
        self._none: Array = np.full(size, -1, np.int64)
        self._rows: Array = np.arange(size)
        self._rng: Array = np.zeros(size, self.game_spec.entries.own_rng)
        self._asked: Array = np.zeros(size, np.int64)
        self._random: Array = np.zeros(size, np.int64)
        self._players: Array = np.full((size, self.game_spec.most_seats), -1, np.int64)
        self._started: Array = np.zeros(size, np.int64)
        self._generators: list[np.random.Generator] = []
        self._sampler: Array = np.zeros(1, self.game_spec.record)
        self._running = self._warned = False
        self._over: Array = np.zeros(size, np.bool_)
        self._positions: list[AnyGame | None] = [None] * size
        self.seats: Array = np.zeros(size, np.int64)
        """[B] the learners' seats."""
        self._observations: Array = np.zeros((size, self.config.observation_size), np.uint8)
        self._masks: Array = np.zeros((size, self.game_spec.num_actions), np.uint8)
        self._nothing_to_do: Array = (np.arange(self.game_spec.num_actions) == self.game_spec.pass_action).astype(np.int8)
        """The mask of a game that is over: passing alone, so that a distribution can be made of it."""
        self._link()

    def _link(self) -> None:
        """What goes with the arrays and is not copied with them."""
        self._entries = self.game_spec.entries
        self._tables, self._settings = self._entries.tables(), self.config.settings()
        self._raw = self.game_spec.as_bytes(self._games)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in ("_entries", "_tables", "_settings", "_raw")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._link()

    # ---- starting

    @property
    def opponent_names(self) -> tuple[str, ...]:
        """The names of the opponents, in the order in which `infos["opponents"]` counts them."""
        return opponent_names(self.opponents)

    def reset(self, *, seed: Seeds = None, options: dict[str, Any] | None = None) -> tuple[Observation, dict[str, Any]]:
        """Start every game anew, or those that options["reset_mask"] [B] marks; an int is the seed of row 0, the next one that of row 1 ...

        Raises ValueError, changing nothing, on a bad seed, mask or position, and TypeError on a mask that is not a boolean array.
        """
        rows, positions = self._check_options(options)
        seeds = self._check_seeds(seed)
        self._check_positions(rows, seeds, positions)
        self._entries.compile_once()
        self._running = False
        self._seed(rows, seeds)
        self._positions = positions
        self._begin(rows, [seeds[row] for row in rows.tolist()])
        self._positions = [None] * self.num_envs
        self._running = True
        return self._observations_and_infos(rows)

    def _check_options(self, options: object) -> tuple[Array, list[AnyGame | None]]:
        """The rows to reset, and for every row of the batch the position to start from, if any."""
        if options is None:
            return self._rows, [None] * self.num_envs
        if not isinstance(options, Mapping):
            raise ValueError(f'options are a mapping like {{"reset_mask": mask}}, not {shown(options)}')
        if unknown := [name for name in options if name not in ("game", "reset_mask")]:
            raise ValueError(f"the options of reset() are game and reset_mask, not {shown(unknown[0])}")
        game = options.get("game")
        games = list(game) if isinstance(game, (list, tuple)) else [game] * self.num_envs
        if len(games) != self.num_envs:
            raise ValueError(f"reset() got {len(games)} positions for {self.num_envs} games")
        return self._masked_rows(options.get("reset_mask")), [check_position(one, self.config) for one in games]

    def _masked_rows(self, mask: object) -> Array:
        """The rows that a mask marks, as Gymnasium has it; without one all of them."""
        if mask is None:
            return self._rows
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
            raise TypeError(f'options["reset_mask"] is an array of truths, one for each game, not {shown(mask)}')
        if mask.shape != (self.num_envs,) or not mask.any():
            raise ValueError(f'options["reset_mask"] marks at least one of {self.num_envs} games, and has a truth for each: {shown(mask)}')
        if not self._running and not mask.all():
            yet = "games were left half way: the next" if self._generators else "no games are running yet: the first"
            raise ValueError(f"{yet} reset() is one without a reset_mask")
        rows: Array = np.flatnonzero(mask)
        return rows

    def _check_seeds(self, seed: object) -> list[int | None]:
        """A seed for every row of the batch, or None. The first games have the seed that Gymnasium keeps where none is given."""
        if seed is None:
            kept = -1 if self._generators else self.np_random_seed  # -1 also where somebody put another generator in its place
            if kept is None or kept < 0:
                return [None] * self.num_envs
            seed = kept
        each = tuple(seed) if isinstance(seed, np.ndarray) and seed.ndim else sequence(seed)
        if each is None:
            first = whole_seed(seed)
            return [first + row for row in range(self.num_envs)]
        if len(each) != self.num_envs:
            raise ValueError(f"reset() got {len(each)} seeds for {self.num_envs} games")
        return [None if one is None else whole_seed(one) for one in each]

    def _check_positions(self, rows: Array, seeds: list[int | None], positions: list[AnyGame | None]) -> None:
        """Raise ValueError if a learner has no seat in the position that it is to start from."""
        for row in rows.tolist():
            position = positions[row]
            if position is not None:
                learner_seats(self.config, position.record, self._learner(row, self._started[row] if seeds[row] is None else 0))

    def _learner(self, row: int, games: int) -> Learner:
        """The learners of a row in which that many games have begun."""
        return self.learners[games % len(self.learners)]

    def _seed(self, rows: Array, seeds: list[int | None]) -> None:
        """Seed the generators of these rows, and, where all are reset, the one that they share."""
        fresh = not self._generators
        for row in rows.tolist():
            if fresh or seeds[row] is not None:
                generator = np.random.Generator(np.random.PCG64(seeds[row]))  # as Gymnasium seeds that of a single environment
                self._generators[row : row + 1] = [generator]
                self._started[row] = 0
        if len(rows) < self.num_envs:
            return
        if seeds[0] is not None:
            super().reset(seed=seeds[0])
            if seeds != [seeds[0] + row for row in range(self.num_envs)]:
                self._np_random_seed = -1  # no single seed stands for all of them
        if fresh or seeds[0] is not None:
            rng = np.random.default_rng(seeds[0])
            seed_opponents(self.opponents, rng)
            self._sampler["rng"] = rng.integers(1, 1 << 32, 4, dtype=np.uint32)

    def _begin(self, rows: Array, seeds: Sequence[int | None]) -> None:
        """Start games in these rows and play them up to the learner's first question; a game that ends before that is played again."""
        self._over[rows] = False
        for row in rows.tolist():
            self._rng["rng"][row] = self._generators[row].integers(1, 1 << 32, 4, dtype=np.uint32)
        self._started[rows] += 1
        for _ in range(GAMES_TRIED):
            for row, seed in zip(rows.tolist(), seeds, strict=True):
                self._deal(row, seed)
            self._random[rows] = random_seats(self.opponents, self._players[rows])
            self._play(rows, self._none[: len(rows)])
            rows = rows[self._asked[rows] == _OVER]
            if not len(rows):
                return
            seeds = [None] * len(rows)
        origin = "" if self._positions[rows[0]] is None else " from this position"
        raise RuntimeError(f"{GAMES_TRIED} games{origin} ended before the learner was asked anything")

    def _deal(self, row: int, seed: int | None) -> None:
        """One game: its seed, its learner and its opponents, drawn in the order of the single environment."""
        generator, position = self._generators[row], self._positions[row]
        self._input[0] = int(generator.integers(1 << 62)) if seed is None else check_seed(seed)
        game = self._games[row : row + 1]
        if position is None:
            self._entries.drive(
                self._tables, self._settings, game, self._raw[row : row + 1], self._input, self._status, self._entries.start
            )
        else:
            self._raw[row] = bytes_of(position)
        self.seats[row] = choose_seat(self.config, game[0], self._learner(row, self._started[row] - 1), generator)
        self._players[row] = seat_opponents(self.opponents, self.config, int(self.seats[row]), generator)

    # ---- playing

    def _play(self, rows: Array, answers: Array) -> None:
        """Answer in these rows, and have the others answer until the learner is asked in all of them, or the game is over."""
        while len(rows):
            self._entries.play_on(
                self._tables, self._games, self._raw, rows, answers, self.seats, self._random, self._rng, self._asked, self._observations,
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
            there, opponent = rows[mine], self.opponents[place]
            assert opponent is not None
            games = self._raw[there].view(self.game_spec.record).reshape(-1)
            given = opponent.answer(games, seats[mine], self._observations[there], self._masks[there])
            answers[mine] = self._checked(there, given, f"the answer of opponent {place}")
        return answers

    def _checked(self, rows: Array, answered: object, what: str) -> Array:
        """The answers as int64. Raises IllegalAction for the first that is not legal in its row."""
        given = array_of(answered)
        if given.shape != rows.shape or given.dtype.kind not in "iu":
            raise IllegalAction(_not_numbers(what, len(rows), answered))
        answers: Array = np.ascontiguousarray(given, np.int64)
        legal = self._are_legal(rows, answers)
        if not legal.all():
            place = int(np.argmin(legal))
            raise IllegalAction(f"{what}, game {rows[place]}: {self.game(int(rows[place])).illegal(int(given[place]))}")
        return answers

    def _are_legal(self, rows: Array, answers: Array) -> Array:
        inside = (answers >= 0) & (answers < self.game_spec.num_actions)
        legal: Array = inside & (self._masks[rows, np.where(inside, answers, 0)] != 0)
        return legal

    def step(self, actions: Any) -> tuple[Observation, Array, Array, Array, dict[str, Any]]:
        """Answer for the learner in every game and play on until it is asked again; where games have ended, see *Autoreset* above.

        Returns the observation ({"observation": [B, n], "action_mask": [B, N]}), rewards [B] float64 from -1 to 1, terminations [B] and
        truncations [B] (bool), and infos. Raises IllegalAction, changing nothing, on anything but a whole number for each game, and on an
        illegal one with illegal="raise"; RuntimeError where a game has ended and, without autoreset, waits for its reset.
        """
        self._check_running("step()")
        again = np.flatnonzero(self._over)
        if len(again) and self.autoreset_mode == AutoresetMode.DISABLED:
            ended = (
                f"game {again[0]} of the batch has ended" if len(again) == 1 else f"games {shown(again.tolist())} of the batch have ended"
            )
            raise RuntimeError(f'{ended}: call reset(options={{"reset_mask": ...}}) before step()')
        rows = np.flatnonzero(~self._over)
        answers, lost = self._answers(rows, actions)
        self._running = False  # an opponent may raise anything, and what it leaves half way cannot be continued
        self._play(rows[~lost], answers[~lost])
        settled = self._settle(rows, rows[lost], again)
        self._running = True
        return settled

    def _answers(self, rows: Array, actions: object) -> tuple[Array, Array]:
        """[k] the learners' answers in these rows, and which of them are illegal and lose their game. Raises IllegalAction."""
        given = array_of(actions)
        if given.shape != self._rows.shape or given.dtype.kind not in "iu":
            raise IllegalAction(_not_numbers("step()", self.num_envs, actions))
        if self.illegal == "raise":
            return self._checked(rows, given[rows], "step()"), np.zeros(len(rows), np.bool_)
        answers: Array = given[rows].astype(np.int64)
        lost = ~self._are_legal(rows, answers)
        if lost.any() and not self._warned:
            place = int(np.argmax(lost))
            row = int(rows[place])
            gymnasium.logger.warn("%s", illegal_warning(f"step(), game {row}", self.game(row).illegal(int(given[row]))))
            self._warned = True
        return answers, lost

    def _check_running(self, call: str) -> None:
        if not self._running:
            raise RuntimeError(f"no games are running, or an opponent has left them half way; call reset() before {call}")

    def _settle(self, rows: Array, lost: Array, again: Array) -> tuple[Observation, Array, Array, Array, dict[str, Any]]:
        """Pay the games of these `rows` that ended, the `lost` ones by an illegal answer, and start others where it is time, or `again`."""
        rewards: Array = np.zeros(self.num_envs)
        terminations, truncations = np.zeros(self.num_envs, np.bool_), np.zeros(self.num_envs, np.bool_)
        terminations[lost], rewards[lost] = True, -1.0
        self._masks[lost] = self._nothing_to_do
        self._over[lost] = True
        ended = rows[(self._asked[rows] == _OVER) & ~self._over[rows]]
        if len(ended):
            rewards[ended] = payoffs(self._games[ended], self.config.num_players)[np.arange(len(ended)), self.seats[ended]]
            truncations[ended] = self._games["outcome"][ended] == TRUNCATED
            terminations[ended] = ~truncations[ended]
            self._over[ended] = True
        finals: dict[str, Any] = {}
        if self.autoreset_mode == AutoresetMode.SAME_STEP:
            again = np.flatnonzero(self._over)
            finals = self._finals(again, lost)
        elif len(lost):
            finals = self._illegal(lost)
        if len(again):
            self._begin(again, [None] * len(again))
        observations, infos = self._observations_and_infos(self._rows)
        return observations, rewards, terminations, truncations, {**infos, **finals}

    # ---- looking

    def _finals(self, rows: Array, lost: Array) -> dict[str, Any]:
        """The last observations and infos of games that are over, the `lost` ones by an illegal answer."""
        if not len(rows):
            return {}
        last: Array = np.full(self.num_envs, None, object)
        for row in rows.tolist():
            last[row] = {"observation": self._observations[row].copy(), "action_mask": self._nothing_to_do.copy()}
        about = self._infos(rows, self._masks.view(np.int8), copied=True)
        if len(lost):
            about |= self._illegal(lost)
        return self._marked({"final_obs": last, "final_info": about}, rows)

    def _illegal(self, lost: Array) -> dict[str, Any]:
        """The info of those that lost by an illegal answer."""
        illegal: Array = np.zeros(self.num_envs, np.bool_)
        illegal[lost] = True
        return self._marked({"illegal": illegal}, lost)

    def _infos(self, rows: Array, masks: Array, *, copied: bool) -> dict[str, Any]:
        """The infos of these rows, and zeros in the others."""
        infos: dict[str, Any] = {"action_mask": masks, "seat": self.seats, "opponents": self._players[:, : self.config.num_players]}
        if copied or len(rows) < self.num_envs:
            infos = {name: array.copy() for name, array in infos.items()}
        for array in infos.values():
            array[np.isin(self._rows, rows, invert=True)] = 0
        return self._marked(infos, rows)

    def _marked(self, infos: dict[str, Any], rows: Array) -> dict[str, Any]:
        """The infos, and beside each, as Gymnasium's vector environments have it, [B] which rows have it."""
        there = np.zeros(self.num_envs, np.bool_)
        there[rows] = True
        return infos | {f"_{name}": there.copy() for name in infos}

    def _observations_and_infos(self, rows: Array) -> tuple[Observation, dict[str, Any]]:
        """All observations as they are now, and the infos of these rows."""
        observations, masks = self._observations, self._masks.view(np.int8)
        if self.copy:
            observations, masks = observations.copy(), masks.copy()
        return {"observation": observations, "action_mask": masks}, self._infos(rows, masks, copied=self.copy)

    def action_masks(self) -> Array:
        """[B, N] bool: the learners' legal actions."""
        masks: Array = self._masks.astype(np.bool_)
        return masks

    def sample(self) -> Array:
        """[B] uniformly random legal actions of the learners, from a generator that `reset` seeds."""
        self._check_running("sample()")
        actions: Array = np.empty(self.num_envs, np.int64)
        self._entries.sample_rows(self._games, self._raw, actions, self._sampler)
        actions[self._over] = self.game_spec.pass_action
        return actions

    def game(self, row: int) -> Any:
        """A copy of one game as a `Game`, hidden cards included. Raises IndexError for a row that is not in the batch."""
        place = check_index(row, self.num_envs, "row")
        if not self._generators:
            raise RuntimeError("call reset() before game()")
        return game_class(self.config).from_trusted_record(self._games[place : place + 1].copy(), self.config)

    def render(self) -> tuple[Any, ...] | None:
        """The tables as the learners see them, one for each game."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() does nothing: this environment was made without a render_mode")
            return None
        return tuple(render(self.render_mode, partial(self.game, row), int(self.seats[row])) for row in range(self.num_envs))

    def close_extras(self, **kwargs: Any) -> None:
        """End the processes of opponents; one that is asked again starts anew."""
        close_all(self.opponents)


class DanmakuVector(GameVector):
    """One learning seat in each of many games of Danmaku!!."""

    game_spec = DANMAKU_SPEC
