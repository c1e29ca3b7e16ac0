"""Who learns and who plays the other seats, for environments with one learning seat: `single` and `gymnasium_vector` share it.

Names of agents (`opponents="heuristic"`) are not known here, because agents stand above environments. `gymnasium.make` goes through
`danmaku_env.agents.opponents`, which turns each name into an `Opponent`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol, TypeAlias

import numpy as np

from danmaku_env.arguments import ConfigError, shown
from danmaku_env.machine.records import Array
from danmaku_env.spec import spec_of

Learner: TypeAlias = int | str


class Opponent(Protocol):
    """Whoever plays seats that do not learn, in many games at once."""

    def reset(self, seed: int) -> None:
        """Begin anew with this generator."""

    def answer(self, games: Array, seats: Array, observations: Array, masks: Array) -> Array:
        """[k] legal answers: [k] records, the seats [k] asked in them, what those observe [k, n], and their masks [k, N]."""


def check_learners(config: Any, learner: Learner | Sequence[Learner]) -> tuple[Learner, ...]:
    """The learners that take turns, one a game. Raises ConfigError for one that cannot be."""
    spec = spec_of(config)
    learners = tuple(learner) if isinstance(learner, (list, tuple)) else (learner,)
    if not learners:
        raise ConfigError("learner is an empty list; name at least one seat or faction")
    for one in learners:
        is_seat = isinstance(one, (int, np.integer)) and not isinstance(one, bool) and 0 <= one < config.num_players
        if not is_seat and not (isinstance(one, str) and (one == "any" or one in spec.factions)):
            others = f', "any" or a faction ({", ".join(spec.factions)})' if spec.factions else ' or "any"'
            raise ConfigError(f"learner must be a seat from 0 to {config.num_players - 1}{others}, not {shown(one)}")
        if isinstance(one, str) and one in spec.factions and not spec.is_dealt(config, one):
            raise ConfigError(f"learner {one!r}: nobody is dealt that role with {config.num_players} players")
    return learners


def learner_seats(config: Any, record: Any, learner: Learner) -> Array:
    """[k] the seats a learner may have in a game that has been dealt. Raises ValueError when nobody who could be is asked any more."""
    seats = np.arange(config.num_players)
    if isinstance(learner, str) and learner != "any":
        seats = spec_of(config).seats_of(record, learner)
        if len(seats) == 0:
            raise ValueError(f"nobody is a {learner} in the position to start from")
    elif learner != "any":
        seats = seats[[int(learner)]]
    still_in: Array = seats[spec_of(config).playing(record) >> seats & 1 > 0]
    if len(still_in) == 0:
        who = f"every {learner}" if isinstance(learner, str) else f"seat {int(learner)}, the learner's,"
        raise ValueError(f"{who} is defeated in the position to start from, and never asked again")
    return still_in


def choose_seat(config: Any, record: Any, learner: Learner, rng: np.random.Generator) -> int:
    """The learner's seat, one of `learner_seats`. Raises ValueError as that does."""
    seats = learner_seats(config, record, learner)
    return int(seats[rng.integers(len(seats))]) if isinstance(learner, str) else int(seats[0])


def check_opponents(opponents: Any) -> tuple[Opponent | None, ...]:
    """The agents from which every other seat draws its player, None for random answers. Raises ConfigError on anything else."""
    found = tuple(opponents) if isinstance(opponents, (list, tuple)) else (opponents,)
    if not found:
        raise ConfigError("opponents is an empty list; name at least one, or leave it out for random answers")
    for one in found:
        if isinstance(one, str):
            raise ConfigError(f"opponents by name ({one!r}) are for gymnasium.make and make_vec; here they are objects (envs/learners.py)")
        if one is not None and not is_opponent(one):
            raise ConfigError(f"an opponent is an object with the methods answer and reset (envs/learners.py), which {one!r} is not")
    return found


def is_opponent(one: object) -> bool:
    """Whether it is an object with the methods of an `Opponent`."""
    return has_methods(one, "answer", "reset")


def has_methods(one: object, *names: str) -> bool:
    """Whether it is an object, not a class, with these methods."""
    return not isinstance(one, type) and all(callable(getattr(one, name, None)) for name in names)


def opponent_names(opponents: Sequence[Opponent | None]) -> tuple[str, ...]:
    """Their names, for people: "random" for random answers."""
    return tuple("random" if one is None else str(getattr(one, "name", type(one).__name__)) for one in opponents)


def seed_opponents(opponents: Sequence[Opponent | None], rng: np.random.Generator) -> None:
    """Begin all opponents anew; `rng` is what the seed of the first game gives, and is used once if there is anybody to seed."""
    if any(one is not None for one in opponents):
        first = int(rng.integers(1 << 62))
        for place, opponent in enumerate(opponents):
            if opponent is not None:
                opponent.reset(first + place)


def close_all(players: Iterable[Any]) -> None:
    """Have players let go of what they hold open, such as a process: those that have a method `close`."""
    for player in players:
        if callable(close := getattr(player, "close", None)):
            close()


def seat_opponents(opponents: Sequence[Opponent | None], config: Any, learner: int, rng: np.random.Generator) -> Array:
    """[most seats of the game] for every seat the place in `opponents` of its player; -1 for the learner and for seats beyond the table."""
    players: Array = np.full(spec_of(config).most_seats, -1, np.int64)
    players[: config.num_players] = rng.integers(len(opponents), size=config.num_players) if len(opponents) > 1 else 0
    players[learner] = -1
    return players


def random_seats(opponents: Sequence[Opponent | None], players: Array) -> Array:
    """[...] a bit for every seat that answers at random; `players` [..., most seats] are what `seat_opponents` gives."""
    at_random = np.array([*(one is None for one in opponents), False])  # the last one is -1: nobody
    seats: Array = (at_random[players].astype(np.int64) << np.arange(players.shape[-1])).sum(-1)
    return seats
