"""The protocol every agent follows, for one game and for batches alike.

An agent answers for the seat that is asked, one row per game. It gets what that seat may know: the observation row
(docs/observation.md) and the mask of the legal answers (docs/actions.md). Agents that need more of the same, such as the names of
the answers or the public log, ask the handle of a row; a handle knows nothing that the seat may not know either.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from danmaku_env import Game, GameConfig, resample
from danmaku_env.wording import action_name

Array = npt.NDArray[Any]


class Handle:
    """What the seat that is asked may know of one game, beyond the observation row."""

    def __init__(self, game: Game, seat: int) -> None:
        """The eyes of `seat` on a game that goes on elsewhere; make a new handle for every decision."""
        self._game = game
        self.seat = seat
        """The seat that is asked."""

    @property
    def config(self) -> GameConfig:
        """How the game was set up; everybody at the table knows it."""
        return self._game.config

    @property
    def question(self) -> str:
        """What is asked."""
        return self._game.question

    @property
    def log(self) -> list[str]:
        """What happened so far, one line per public event."""
        return self._game.log

    def name(self, action: int) -> str:
        """The name of an answer, with absolute seats."""
        return action_name(action, self.seat, self.config.num_players)

    def resample(self, seed: int) -> Game:
        """A whole game in which everything the seat has not seen is dealt anew: what search agents may try answers on."""
        return resample(self._game, self.seat, seed)


class Agent(Protocol):
    """Somebody who answers."""

    name: str
    """What it is called in logs, replays and tables."""

    def reset(self, seed: int) -> None:
        """Begin anew: forget everything and seed the agent's own dice. The same seed and questions give the same answers."""

    def act(self, observations: Array, masks: Array, handles: Sequence[Handle] | None = None) -> Array:
        """[B] legal answers to B questions: [B, n] uint8 observations and [B, N] masks, each of the seat asked in that row.

        `handles`, where given, has one handle per row. The arrays may be rewritten after the call: keep copies.
        """


def answer(agent: Agent, game: Game) -> int:
    """The agent's answer to the pending question of one game. Raises ValueError when nobody is asked."""
    seat = game.asking
    if seat is None:
        raise ValueError("the game is over, nobody is asked")
    chosen = agent.act(game.observe(seat)[np.newaxis], game.action_mask()[np.newaxis], [Handle(game, seat)])
    return int(chosen[0])


def play_out(game: Game, agents: Sequence[Agent]) -> Game:
    """Play a game to its end with one agent per seat, in place, and return it. Raises ValueError on a wrong number of agents."""
    if len(agents) != game.config.num_players:
        raise ValueError(f"{len(agents)} agents for {game.config.num_players} seats")
    while (seat := game.asking) is not None:
        game.act(answer(agents[seat], game))
    return game
