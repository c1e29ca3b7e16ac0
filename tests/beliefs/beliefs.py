"""Tables and beliefs for tests of who is taken for what."""

import numpy as np

from danmaku_env import GameConfig, Scenario, make_vec
from danmaku_env.agents import registry
from danmaku_env.cards.box import ROLE_IDS
from danmaku_env.info_states import InfoStates

ROLE = {name: number for number, name in enumerate(ROLE_IDS)}
STAGE = [ROLE[name] for name in ("stage_boss", "final_boss", "challenger", "anti_heroine")]


def table(turn, life=4, **seats):
    """Six seats, the Heroine with this number of lives at 0; each seat's hand is given by its number."""
    scenario = Scenario(num_players=6, config=GameConfig(num_players=6, roles="basic", characters="none"))
    roles = ("heroine", "stage_boss", "partner", "stage_boss", "ex_boss", "stage_boss")
    for seat, role in enumerate(roles):
        scenario.seat(seat, role=role, hand=seats.get(f"hand{seat}", []), life=4 if seat else life)
    return scenario.turn(turn, step="main").build(seed=3)


def belief(reader, game, seat):
    """[players, NUM_ROLES] what is believed at a seat, by absolute seat."""
    players = game.config.num_players
    relative = reader.posterior(InfoStates(game.records, np.array([seat]), game.config))[0]
    return np.array([relative[(other - seat) % players] for other in range(players)])


def played_by(name, games, seed, **config):
    """The records of games of one agent, as they are every 25 answers."""
    vec = make_vec(games, GameConfig(**{"num_players": 6, "characters": "random", **config}))
    vec.reset(seed)
    agent = registry.make(name, seed)
    for step in range(1, 201):
        vec.step(agent.act(vec.observations, vec.action_masks, InfoStates(vec.clone(), vec.seats, vec.config)))
        if step % 25 == 0:
            yield vec.clone(), vec.config
