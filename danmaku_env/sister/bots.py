"""What the bots of every sister game share: names that are checked, random play, and networks that are loaded by name."""

from __future__ import annotations

import difflib
import pkgutil
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Protocol, runtime_checkable

import numpy as np

from danmaku_env.arguments import ConfigError, shown
from danmaku_env.envs.learners import is_opponent
from danmaku_env.machine.random_answers import random_legal
from danmaku_env.machine.records import RNG, Array

_MOST_SIMULATIONS = 999_999


class BotError(ValueError):
    """A name that no bot has; the message says what would be right."""


def check_simulations(name: str, number: int | None) -> int:
    """The number, if a bot of this name can play on that many games. Raises BotError."""
    if number is None or not 1 <= number <= _MOST_SIMULATIONS:
        raise BotError(f"{shown(name)}: simulations is a whole number from 1 to {_MOST_SIMULATIONS:,}, as in search:simulations=40")
    return number


class Bot(Protocol):
    """Whoever answers. With a row `plan`, a game's `engine/policy.py` can answer for it without asking."""

    name: str

    def answer(self, games: Array, seats: Array, observations: Array, masks: Array) -> Array:
        """[k] answers of the seats that are asked in k games."""


@runtime_checkable
class Introduced(Protocol):
    """A bot that is told the configuration before it plays."""

    def know(self, config: Any) -> None:
        """What everybody knows of the table."""


def introduce(config: Any, bots: Sequence[Bot]) -> None:
    """Tell the configuration to the bots that ask for it."""
    for bot in bots:
        if isinstance(bot, Introduced):
            bot.know(config)


class RandomBot:
    """Takes every legal answer with the same chance."""

    name = "random"

    def __init__(self, plan: Any, seed: int = 0) -> None:
        """`plan` is what says "at random" to the game's `engine/policy.py`."""
        self.plan = plan
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Seed the random numbers."""
        self._rng = np.random.default_rng(seed)

    def answer(self, games: Array, seats: Array, observations: Array, masks: Array) -> Array:
        """[k] answers in k games."""
        return random_legal(masks, self._rng)


class WorldsBot:
    """Base of bots that try their answers in worlds that fit what their seat knows, one question at a time."""

    scratch: ClassVar[np.dtype[Any]]
    """What the game deals worlds with: a record with the field `rng`."""

    def reset(self, seed: int) -> None:
        """Seed the random numbers: those that deal worlds, and those of the play that follows."""
        self._rng: Array = np.zeros(1, self.scratch)
        self._play_rng: Array = np.zeros(1, RNG)
        self._rng["rng"][0], self._play_rng["rng"][0] = np.random.SeedSequence(seed).generate_state(8, np.uint32).reshape(2, 4)

    def answer(self, games: Array, seats: Array, observations: Array, masks: Array) -> Array:
        """[k] answers in k games."""
        return np.array([self._one(games[i : i + 1], int(seats[i]), masks[i]) for i in range(len(games))], np.int64)

    def _one(self, game: Array, seat: int, mask: Array) -> int:
        """The answer in one game, `game` [1], by a mask [N]."""
        raise NotImplementedError


def split_name(name: Any, names: Sequence[str]) -> tuple[str, str]:
    """`search:simulations=40` -> the bot and its options. Raises BotError unless the bot is one of these names."""
    if not isinstance(name, str):
        raise BotError(f"a bot is named by a text, not {shown(name)}")
    word, _, rest = name.partition(":")
    if word not in names:
        near = difflib.get_close_matches(word, names, 1)
        raise BotError(f"there is no bot {shown(word)}; {f'do you mean {near[0]!r}?' if near else 'the bots are ' + ', '.join(names)}")
    return word, rest


def loaded(name: str, module: str, place: str, seed: int) -> Any:
    """The network at a place, by `neural_bot` of a module that needs torch. Raises BotError."""
    try:
        return pkgutil.resolve_name(f"{module}:neural_bot")(place, seed)
    except ModuleNotFoundError as error:
        raise BotError(f"{name} needs the package {error.name}: pip install 'danmaku-env[neural]'") from None
    except (ValueError, ImportError, OSError) as error:
        raise BotError(f"{name}: {error}") from None


def seated(opponents: Any, config: Any, names: Sequence[str], make: Callable[[str], Any]) -> Any:
    """Opponents as the environments take them: names of bots become bots, "random" and None random answers; all are told the configuration.

    Raises ConfigError for anything else, and for a bot that cannot play at this table.
    """
    if opponents is None:
        return None
    listed = opponents if isinstance(opponents, (list, tuple)) else (opponents,)
    found = tuple(_opponent(one, names, make) for one in listed)
    try:
        introduce(config, found)
    except BotError as error:
        raise ConfigError(f"opponents: {error}") from None
    return found


def _opponent(one: Any, names: Sequence[str], make: Callable[[str], Any]) -> Any:
    if one is None or one == "random":
        return None
    if isinstance(one, str):
        try:
            return make(one)
        except BotError as error:
            raise ConfigError(f"opponents: {error}") from None
    if is_opponent(one):
        return one
    raise ConfigError(f"an opponent is the name of a bot ({', '.join(names)}), one with answer and reset, or None, not {shown(one)}")
