"""Environments with one learning seat whose opponents are agents by name: what `gymnasium.make` and `gymnasium.make_vec` call.

The environments are in `envs`, which knows no agents; this file makes their opponents from agents of the registry.
"""

from __future__ import annotations

from typing import Any

from danmaku_env.agents import base, registry
from danmaku_env.agents.base import Agent
from danmaku_env.arguments import shown
from danmaku_env.config import ConfigError, GameConfig
from danmaku_env.envs.gymnasium_vector import DanmakuVector
from danmaku_env.envs.learners import Opponent, close_all, has_methods, is_opponent
from danmaku_env.envs.one_game import config_of
from danmaku_env.envs.single import DanmakuSingle
from danmaku_env.info_states import InfoStates
from danmaku_env.machine.records import Array


class AgentOpponent:
    """An agent in the seats that do not learn; it gets the observation, the mask and the information states of each row, as in a match.

    Where it fails, an AnswerError says who failed and how, and is chained to what it raised.
    """

    def __init__(self, agent: Agent, config: GameConfig) -> None:
        self.agent = agent
        self.config = config
        self.name = str(getattr(agent, "name", type(agent).__name__))

    def reset(self, seed: int) -> None:
        """Seed the agent's random numbers."""
        base.reset(self.agent, seed)

    def close(self) -> None:
        """Have the agent end what it holds open, such as a process of its own."""
        close_all((self.agent,))

    def answer(self, games: Array, seats: Array, observations: Array, masks: Array) -> Array:
        """[k] the agent's answers."""
        return base.answers_of(self.agent, observations, masks, InfoStates(games, seats, self.config))


def seated(opponents: Any, config: GameConfig) -> tuple[Opponent | None, ...] | None:
    """Opponents as the environments take them: names become agents, "random" and None answers that the environment draws at random.

    Raises ConfigError for an unknown name, for one that needs a package that is not installed, and for anything but an opponent.
    """
    if opponents is None:
        return None
    seated_agents: list[Opponent | None] = []
    for one in opponents if isinstance(opponents, (list, tuple)) else (opponents,):
        if one is None or one == "random":
            seated_agents.append(None)
        elif isinstance(one, str):
            try:
                seated_agents.append(AgentOpponent(registry.make(one, 0), config))
            except registry.AgentError as error:
                raise ConfigError(f"opponents: {error}") from None
        elif has_methods(one, "act", "reset"):
            seated_agents.append(AgentOpponent(one, config))
        elif is_opponent(one):
            seated_agents.append(one)
        else:
            raise ConfigError(_no_opponent(one))
    return tuple(seated_agents)


def _no_opponent(one: object) -> str:
    """What to give instead."""
    takes = 'an opponent is a name ("heuristic", "my_bots:MyAgent"), an agent (an object with act and reset), or None'
    if isinstance(one, type):
        return f'{takes}, not the class {one.__name__}: give {one.__name__}() or "{one.__module__}:{one.__name__}"'
    if callable(one):
        return f"{takes}, not a function; gymnasium.make takes a function of an observation as policy="
    return f"{takes}, not {shown(one)}"


def single(*, opponents: Any = None, **options: Any) -> DanmakuSingle:
    """`gymnasium.make("danmaku/Danmaku-v0", ...)`: see `danmaku_env.envs.single`. Raises ConfigError."""
    seated_agents = seated(opponents, config_of(DanmakuSingle, options))
    return DanmakuSingle(opponents=seated_agents, **options)


# Gymnasium looks here for the modes that it can make lists of, "ansi_list" and "rgb_array_list"
single.metadata = DanmakuSingle.metadata  # type: ignore[attr-defined]


def vector(*, opponents: Any = None, **options: Any) -> DanmakuVector:
    """`gymnasium.make_vec("danmaku/Danmaku-v0", ...)`: see `danmaku_env.envs.gymnasium_vector`. Raises ConfigError."""
    seated_agents = seated(opponents, config_of(DanmakuVector, options))
    return DanmakuVector(opponents=seated_agents, **options)
