"""One game in preallocated arrays, for loops that step a single game: what `aec` and `single` share.

A `Game` keeps a log and names its answers; this keeps nothing but the record, and a step is two calls into compiled code.
"""

from __future__ import annotations

import inspect
import operator
import secrets
import sys
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import gymnasium
import numpy as np

from danmaku_env import views
from danmaku_env.arguments import UnknownOptionError, shown, whole_number
from danmaku_env.console.ascii_fallback import encodable
from danmaku_env.game import AnyGame, IllegalAction, check_seed, game_class, status_error
from danmaku_env.machine.records import OK, SEED_BITS, Array, payoffs
from danmaku_env.spec import spec_of

Observation: TypeAlias = dict[str, Array]
"""{"observation": [n] uint8, "action_mask": [N] int8}."""

_REBUILT = ("spec", "_entries", "_raw", "_asking", "_actions", "_outcome", "_tables", "_status", "_input", "_seat")


def config_of(environment: type[Any], options: Mapping[str, Any]) -> Any:
    """The configuration of an environment's games, by options of which some may be the environment's own: parameters of its constructor.

    Raises ConfigError on a bad one.
    """
    parameters = inspect.signature(environment).parameters.values()
    own = {one.name for one in parameters if one.kind is not one.VAR_KEYWORD}
    try:
        return environment.game_spec.config.from_dict({name: value for name, value in options.items() if name not in own})
    except UnknownOptionError as error:
        what, known = error.args
        raise UnknownOptionError(what, {*known, *own}) from None


def observation_space(config: Any) -> gymnasium.spaces.Dict:
    """What one seat is shown: a row of bytes, each with its own largest value, and the mask of legal answers."""
    spec = spec_of(config)
    high = spec.highest(config.history)
    return gymnasium.spaces.Dict(
        {
            "observation": gymnasium.spaces.Box(np.zeros_like(high), high, dtype=np.uint8),
            "action_mask": gymnasium.spaces.Box(0, 1, (spec.num_actions,), np.int8),
        }
    )


def check_render_mode(mode: str | None, modes: list[str]) -> str | None:
    """The mode. Raises ValueError unless it is None or one of them."""
    if mode is not None and mode not in modes:
        raise ValueError(f"render_mode must be None or one of {', '.join(modes)}, not {mode!r}")
    return mode


def render(mode: str | None, game: Callable[[], AnyGame], seat: int | None = None) -> Any:
    """The table as a seat sees it, or from above: returned as text (ansi) or pixels (rgb_array), or printed (human)."""
    if mode is None:
        gymnasium.logger.warn("render() does nothing: this environment was made without a render_mode")
        return None
    shown_game = game()
    if mode == "rgb_array":
        return views.drawn(views.PICTURE, shown_game.spec, shown_game, seat)
    if mode == "ansi":
        return views.drawn(views.TEXT, shown_game.spec, shown_game, seat)
    text = views.drawn(views.TEXT, shown_game.spec, shown_game, seat, color=sys.stdout.isatty())
    print(encodable(text, getattr(sys.stdout, "encoding", None)))
    return None


def whole_action(action: Any, size: int) -> int:
    """The action as an int from 0 to `size` - 1. Raises IllegalAction for anything else."""
    number = number_of(action)
    if number is None or not 0 <= number < size:
        raise IllegalAction(f"an action is one whole number from 0 to {size - 1}, not {shown(action)}")
    return number


def number_of(action: Any) -> int | None:
    """The whole number that an action is, or that an array of NumPy or another library holds alone; None for all else, truth values too."""
    if (number := whole_number(action)) is not None:
        return number
    if isinstance(action, bool) or str(getattr(action, "dtype", "")).endswith("bool"):
        return None
    try:
        return operator.index(action)
    except TypeError:
        return None


def position_of(options: object, config: Any) -> AnyGame | None:
    """The position options["game"] to start from, if there is one.

    Raises ValueError on one that is over, or has another number of players or another box than the games of this configuration.
    """
    if options is not None and not isinstance(options, Mapping):
        raise ValueError(f'options are a mapping like {{"game": game}}, not {shown(options)}')
    return check_position(options.get("game"), config) if options else None


def check_position(game: object, config: Any) -> AnyGame | None:
    """The game, or None where there is none. Raises ValueError as `position_of` does."""
    if game is None:
        return None
    spec = spec_of(config)
    if not isinstance(game, AnyGame):
        raise ValueError(f"a position to start from is a Game, not {shown(game)}")
    if game.spec is not spec:
        raise ValueError(f"a position to start from is a game of {spec.title}, not of {game.spec.title}")
    spec.check_fits(game.records, config, "an environment")
    if game.over:
        raise ValueError(f"the game to start from is over ({game.outcome})")
    return game


def bytes_of(game: AnyGame) -> Array:
    """[bytes] uint8: its record. Fields of records copy slowly."""
    raw: Array = np.frombuffer(game.record.tobytes(), np.uint8)
    return raw


def illegal_warning(where: str, refusal: str) -> str:
    """What is said of the first illegal answer of an environment in which such answers lose."""
    mask = 'Legal is what observation["action_mask"] and info["action_mask"] mark'
    return f'{where}: an illegal answer has lost the game: {refusal}. {mask}; illegal="raise" makes it an error.'


class OneGame:
    """A running game. `start` or `restart` first."""

    def __init__(self, config: Any) -> None:
        self.config, self.spec = config, spec_of(config)
        self.asking: int = -1
        """The seat that must answer, or -1."""
        self._games: Array = np.zeros(1, self.spec.record)
        self._settings = config.settings()
        self._next_seed: int | None = None
        self._link()

    def _link(self) -> None:
        """Everything that looks into the record, or that compiled code writes to."""
        self.spec = spec_of(self.config)
        self._entries = self.spec.entries
        self._actions = self.spec.num_actions
        self._tables = self._entries.tables()
        self._raw = self.spec.as_bytes(self._games)
        self._asking: Array = self._games["asking"]
        self._outcome: Array = self._games["outcome"]
        self._status: Array = np.zeros(1, np.int8)
        self._input: Array = np.zeros(1, np.int64)
        self._seat: Array = np.zeros(1, np.int64)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in _REBUILT}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._link()

    # ---- starting

    def start(self, seed: int | None = None) -> None:
        """The game of a seed. Without one: the game that follows the last, and at first one that nobody can foretell."""
        if seed is None:
            seed = secrets.randbits(SEED_BITS) if self._next_seed is None else self._next_seed
        checked = check_seed(seed)
        self._input[0] = checked
        self._next_seed = self._entries.next_seed(checked)
        self._entries.compile_once()
        self._drive(self._entries.start)

    def restart(self, seed: int | None, options: dict[str, Any] | None) -> None:
        """Go on from a copy of the position options["game"], or else `start`.

        With a position the seed is that of the game after it. Raises ValueError, changing nothing, on a bad seed or position.
        """
        self.begin(seed, position_of(options, self.config))

    def begin(self, seed: int | None, position: AnyGame | None) -> None:
        """Go on from a copy of a position that was checked, or else `start`."""
        if position is None:
            self.start(seed)
            return
        checked = None if seed is None else check_seed(seed)
        self._raw[0] = bytes_of(position)
        self._next_seed = self._entries.next_seed(int(position.record["seed"])) if checked is None else checked
        self.asking = self._asking.item()

    # ---- playing

    def _drive(self, mode: int) -> None:
        self._entries.drive(self._tables, self._settings, self._games, self._raw, self._input, self._status, mode)
        self.asking = self._asking.item()
        if self.asking < 0 and self._games["status"][0] != OK:
            raise status_error(self._games[0])

    def answer(self, action: Any) -> None:
        """Answer the pending question. Raises IllegalAction, changing nothing."""
        self._input[0] = action if type(action) is int and 0 <= action < self._actions else whole_action(action, self._actions)
        self._drive(self._entries.answer)
        if self._status[0]:
            raise IllegalAction(self.to_game().illegal(int(self._input[0])))

    def sample(self, rng: Array) -> int:
        """A uniformly random legal answer; `rng` is a record of which only the generator is used, and goes on."""
        self._entries.sample_rows(self._games, self._raw, self._input, rng)
        return int(self._input[0])

    # ---- looking

    def mask(self) -> Array:
        """[N] int8, a new array: 1 for each legal answer of the seat that is asked."""
        masks: Array = np.zeros((1, self._actions), np.uint8)
        self._entries.mask_rows(self._games, masks)
        mask: Array = masks[0].view(np.int8)
        return mask

    def observe(self, seat: int) -> Array:
        """[n] uint8, a new array: what the seat may know."""
        rows: Array = np.empty((1, self.config.observation_size), np.uint8)
        self._seat[0] = seat
        self._entries.observe_rows(self._tables, self._games, self._seat, rows)
        row: Array = rows[0]
        return row

    def state(self) -> Array:
        """[spec.state_size] uint8, a new array: the full state."""
        rows: Array = np.empty((1, self.spec.state_size), np.uint8)
        self._entries.write_states(self._tables, self._games, rows)
        row: Array = rows[0]
        return row

    @property
    def record(self) -> Any:
        """The record itself, read-only by convention."""
        return self._games[0]

    @property
    def records(self) -> Array:
        """[1] a copy of the record."""
        records: Array = self._games.copy()
        return records

    @property
    def outcome(self) -> int:
        """RUNNING, WON, DRAWN or TRUNCATED (machine/records.py)."""
        return int(self._outcome.item())

    def rewards(self) -> list[float]:
        """What `AnyGame.rewards` says."""
        paid: list[float] = payoffs(self._games, self.config.num_players)[0].tolist()
        return paid

    def to_game(self) -> Any:
        """A copy as a `Game`."""
        return game_class(self.config).from_trusted_record(self._games.copy(), self.config)
