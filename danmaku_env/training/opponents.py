"""Who else plays in the games that a net learns from: agents of the project in some of the seats."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from danmaku_env.agents.heuristic import HeuristicAgent
from danmaku_env.engine import state as st

Array = npt.NDArray[Any]
OPPONENTS = ("self", "mixed", "heuristic")


def own_seats(opponents: str, players: int) -> int:
    """Seats of each game that the net plays, for a word of OPPONENTS."""
    return {"self": players, "mixed": players // 2, "heuristic": 1}[opponents]


class Opponents:
    """The heuristic in some seats of every game; which, is drawn anew for each."""

    def __init__(self, games: int, players: int, own: int, dice: torch.Generator) -> None:
        """The net has `own` of the `players` seats of each game. `dice` are the run's: all that is drawn here comes from them."""
        self.players = players
        self.seats = players - own
        """How many seats of a game are theirs."""
        self.dice = dice
        self.theirs: Array = np.zeros((games, st.SEATS), np.bool_)
        """[B, 8] which seats these are."""
        self.every: Array = np.arange(games)
        self.agent = HeuristicAgent() if self.seats else None
        self.sit(self.every)

    def sit(self, games: Array) -> None:
        """Draw their seats of games that begin."""
        if self.seats and len(games):
            self.theirs[games] = False
            order = torch.rand(len(games), self.players, generator=self.dice).argsort(1).numpy()
            self.theirs[games[:, None], order[:, : self.seats]] = True

    def reset(self) -> None:
        """Seed their own dice from the run's: done for each window, so that a checkpoint between two needs only the latter."""
        if self.agent:
            self.agent.reset(int(torch.randint(1 << 62, (1,), generator=self.dice)))

    def asked(self, seats: Array) -> Array:
        """[B] whether the seats asked are theirs."""
        mine: Array = self.theirs[self.every, seats]
        return mine

    def act(self, observations: Array, masks: Array) -> Array:
        """[k] their answers."""
        assert self.agent
        return self.agent.act(observations, masks)
