"""Compile the kernels of agents by calling each entry once: what `compile_once("agents.warm")` runs in a child process."""

import numpy as np

from agents.effects import play_facts
from agents.kernels import choice, sides
from agents.postures import postures
from danmaku_env.cards.compile import NUM_ROLES, compile_cards
from danmaku_env.engine import actions, observe


def main() -> None:
    """Call each entry point with the types the agents use."""
    tables, facts, goals = compile_cards().tables, play_facts(), postures()
    observations = np.zeros((1, observe.OBSERVATION_SIZE), np.uint8)
    masks = np.ones((1, actions.NUM_ACTIONS), np.uint8)
    beliefs, room = np.zeros((1, sides.SEATS, NUM_ROLES)), np.zeros((sides.ROOM, sides.CAMPS))
    enmities, words, chosen = np.zeros((1, sides.SEATS)), np.zeros(1, np.int64), np.zeros(1, np.int64)
    sides.enmities_of_beliefs(tables, goals, observations, beliefs, enmities)
    sides.grudge_beliefs(tables, goals, observations, room, beliefs)
    sides.grudge_enmities(tables, goals, observations, beliefs[0], room, enmities)
    choice.choose_rows(tables, facts, observations, masks, enmities, words, chosen)
    choice.play_rows(tables, facts, goals, observations, masks, beliefs[0], room, enmities[0], words, chosen)


if __name__ == "__main__":
    main()
