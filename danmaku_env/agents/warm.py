"""Compile the kernels of agents by calling each entry once: what `compile_once("danmaku_env.agents.warm")` runs in a child process."""

import numpy as np

from danmaku_env.agents.base import Array
from danmaku_env.agents.effects import play_facts
from danmaku_env.agents.kernels import choice, evidence, rollout, sides
from danmaku_env.agents.style import hand_style
from danmaku_env.cards.box import NUM_ROLES
from danmaku_env.cards.compile import compile_cards
from danmaku_env.config import GameConfig
from danmaku_env.engine import actions, observe
from danmaku_env.engine import state as st
from danmaku_env.engine.compiled import end_with_parent
from danmaku_env.game import Game


def main() -> None:
    """Call each entry point with the types the agents use."""
    tables, facts, styles = compile_cards().tables, play_facts(), hand_style()
    observations = np.zeros((1, observe.OBSERVATION_SIZE), np.uint8)
    masks = np.ones((1, actions.NUM_ACTIONS), np.uint8)
    beliefs, room = np.zeros((1, sides.SEATS, NUM_ROLES)), np.zeros((sides.SCRATCH_ROWS, sides.HIDDEN_CAMPS))
    enmities, words, chosen = np.zeros((1, sides.SEATS)), np.zeros(1, np.int64), np.zeros(1, np.int64)
    sides.enmities_of_beliefs(tables, styles, observations, beliefs, enmities)
    sides.grudge_beliefs(tables, styles, observations, room, beliefs)
    sides.grudge_enmities(tables, styles, observations, beliefs[0], room, enmities)
    choice.choose_rows(tables, facts, styles, observations, masks, enmities, words, chosen)
    choice.play_rows(tables, facts, styles, observations, masks, beliefs[0], room, enmities[0], words, chosen)
    which = np.zeros(1, np.int64)
    choice.play_in_styles(tables, facts, styles, which, observations, masks, beliefs, enmities[0], words, chosen)
    contenders, worths = np.zeros(actions.NUM_ACTIONS, np.int64), np.zeros(actions.NUM_ACTIONS)
    choice.chance_rows(tables, facts, styles, observations, masks, enmities, contenders, worths, np.zeros(masks.shape))
    _warm_evidence(beliefs[0])
    _warm_search(observations, masks, beliefs[0], enmities)


def _warm_evidence(belief: Array) -> None:
    parameters, work = np.zeros(1, evidence.PARAMETERS), np.zeros(1, evidence.WORK)
    history, priors = np.zeros((1, st.EVENT_COLUMNS), np.uint8), np.ones(evidence.CLASSES)
    nothing, none_open = np.zeros((0, evidence.EXAMPLE_COLUMNS)), np.zeros(st.SEATS, np.int64)
    evidence.believe(parameters, work, 4, history, none_open, priors, nothing, np.ones((1, 4), np.int8), np.ones(1), np.zeros(1), belief)
    evidence.read_examples(parameters, work, 4, history, none_open, priors, nothing)


def _warm_search(observations: Array, masks: Array, belief: Array, enmities: Array) -> None:
    tables, facts, styles, classes = compile_cards().tables, play_facts(), hand_style(), evidence.CLASS_OF_ROLE
    game = Game.new(GameConfig(num_players=4)).records
    spare, values = game.copy(), np.zeros(1, rollout.VALUES)
    rollout.feature_rows(classes, game, np.zeros((1, st.SEATS, rollout.FEATURES)))
    rollout.worth_rows(tables, facts, styles, observations, masks, enmities, np.zeros((1, actions.NUM_ACTIONS)))
    rollout.try_answers(
        tables, facts, styles, classes, values, game, st.as_bytes(game), spare, st.as_bytes(spare), 0, np.zeros(0, np.int64), 1, 1,
        observations[0], masks[0], belief, np.zeros((sides.SCRATCH_ROWS, sides.HIDDEN_CAMPS)), enmities[0],
        np.zeros(rollout.FEATURES), np.zeros((0, 1)),
    )  # fmt: skip


if __name__ == "__main__":
    end_with_parent()
    main()
