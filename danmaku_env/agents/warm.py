"""The argument types that the agents' units are compiled for: those of the agents, and for shared kernels those of their callers."""

from typing import Any

import numpy as np

from danmaku_env.agents.kernels import rollout
from danmaku_env.beliefs.kernels import action_likelihood, inverse_planning
from danmaku_env.danmaku import DANMAKU_SPEC
from danmaku_env.heuristics import role_classes
from danmaku_env.heuristics.effects import play_facts
from danmaku_env.heuristics.kernels import opponent_model, policy
from danmaku_env.heuristics.style import hand_style

Example = tuple[Any, tuple[Any, ...]]
AFTER = ("danmaku_env.engine.warm",)
"""The agents' kernels call the engine's."""
WITH = ("danmaku_env.heuristics", "danmaku_env.beliefs")


def examples() -> list[Example]:
    """Every unit with arguments of the types that it is called with."""
    tables, facts, styles = DANMAKU_SPEC.entries.tables(), play_facts(), hand_style()
    t, f, y = tables[0], facts[0], styles[0]
    observations = np.zeros((1, DANMAKU_SPEC.row_size), np.uint8)
    masks = np.ones((1, DANMAKU_SPEC.num_actions), np.uint8)
    beliefs = np.zeros((1, opponent_model.SEATS, DANMAKU_SPEC.num_labels))
    room = np.zeros((opponent_model.SCRATCH_ROWS, opponent_model.HIDDEN_FACTIONS))
    preferences, words, chosen = np.zeros((1, opponent_model.SEATS)), np.zeros(1, np.int64), np.zeros(1, np.int64)
    values, probabilities = np.zeros(DANMAKU_SPEC.num_actions), np.zeros(masks.shape)
    return [
        (policy.action_value, (t, f, y, observations[0], masks[0], preferences[0], 0, 0)),
        (opponent_model.preferences_of_beliefs, (tables, styles, observations, beliefs, preferences)),
        (opponent_model.count_beliefs, (tables, styles, observations, room, beliefs)),
        (opponent_model.count_preferences, (tables, styles, observations, beliefs[0], room, preferences)),
        (policy.choose_rows, (tables, facts, styles, observations, masks, preferences, words, chosen)),
        (policy.play_in_styles, (tables, facts, styles, chosen, observations, masks, beliefs, preferences[0], words, chosen)),
        (policy.probability_rows, (tables, facts, styles, observations, masks, preferences, chosen, values, probabilities)),
        *_of_action_likelihood(beliefs[0]),
        *_of_inverse_planning((tables, facts), observations[0], beliefs[0]),
        (rollout.value_rows, (tables, facts, styles, observations, masks, preferences, probabilities)),
        *_of_search((tables, facts, styles)),
    ]


def _of_action_likelihood(belief: Any) -> list[Example]:
    parameters, work = np.zeros(1, action_likelihood.PARAMETERS), np.zeros(1, action_likelihood.WORK)
    log, priors = np.zeros(0, np.uint8), np.ones(role_classes.CLASSES)
    nothing, none_open = np.zeros((0, action_likelihood.EXAMPLE_COLUMNS)), np.zeros(DANMAKU_SPEC.most_seats, np.int64)
    deals = *_deals(), np.zeros(1), belief
    return [
        (action_likelihood.posterior_of_deals, (parameters, work, 0, 4, 0, log, 0, none_open, priors, nothing, *deals)),
        (action_likelihood.read_examples, (parameters, work, 4, log, none_open, priors, nothing)),
    ]


def _deals() -> tuple[Any, Any]:
    """As `InfoStates.role_assignments` gives them: they can only be read."""
    roles, weights = np.ones((1, 4), np.int8), np.ones(1)
    for shared in (roles, weights):
        shared.setflags(write=False)
    return roles, weights


def _of_inverse_planning(data: tuple[Any, ...], observation: Any, belief: Any) -> list[Example]:
    parameters, dealt = np.zeros(1, action_likelihood.PARAMETERS), np.zeros(1, inverse_planning.ROLE_CARDS)
    styles = np.concatenate([hand_style(), hand_style()])
    work, boards, log = np.zeros(1, inverse_planning.WORK), np.zeros(1, DANMAKU_SPEC.record), np.zeros(0, np.uint8)
    nothing = np.zeros((0, action_likelihood.EXAMPLE_COLUMNS))
    game = (log, 0, boards, True, np.ones(role_classes.CLASSES), nothing, observation)
    return [
        (inverse_planning.read, (*data, parameters, styles, dealt, work, boards, 0, *game)),
        (inverse_planning.weigh_deals, (dealt, work, 0, 4, 0, *_deals(), np.zeros((1, *belief.shape)), np.zeros(1), belief)),
    ]


def _of_search(data: tuple[Any, ...]) -> list[Example]:
    games, values, classes = np.zeros(1, DANMAKU_SPEC.record), np.zeros(1, rollout.VALUES), role_classes.CLASS_OF_ROLE
    tried = DANMAKU_SPEC.as_bytes(games), 0, np.zeros(0, np.int64), 1
    return [
        (rollout.feature_rows, (classes, games, np.zeros((1, DANMAKU_SPEC.most_seats, rollout.FEATURES)))),
        (rollout.try_answers, (*data, classes, values, *tried, rollout.make_scratch(), np.zeros((0, 1)))),
    ]
