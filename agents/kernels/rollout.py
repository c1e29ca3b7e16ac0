"""Trying answers out: whole worlds played to their end by the heuristic.

A world is a record in which everything hidden has been dealt (`danmaku_env.resample`), so that it may be read as a whole. The players of
a rollout do not: each sees its own observation row.
"""

import numpy as np

from agents.kernels import choice, sides
from danmaku_env.engine import actions, dice, observe
from danmaku_env.engine import state as st
from danmaku_env.engine.advance import advance
from danmaku_env.engine.compiled import copy_row, entry, kernel

# ---------------------------------------------------------------- rollouts


LIMIT = 3000
"""Answers after which a rollout counts as a draw."""


@kernel
def _reward(s, seat):
    """+1, -1, or 0 for a draw or a game without end."""
    if s["outcome"] != st.WON:
        return 0.0
    return 1.0 if (np.int64(s["winners"]) >> seat) & 1 else -1.0


@kernel
def _play_out(t, f, postures, s, observation, mask, belief, room, enmity):
    """The heuristic answers for every seat until the game is over, or has gone on for too long."""
    for _ in range(LIMIT):
        if s["asking"] == st.NOBODY:
            return
        observe.observe(t, s, int(s["asking"]), observation)
        mask[:] = 0
        actions.write_mask(s, mask)
        sides.grudge_enmity(t, postures, observation, belief, room, enmity)
        answer = choice.choose(t, f, observation, mask, enmity, dice.roll(s, choice.NOISE_WORDS))
        actions.give_answer(s, answer)
        advance(t, s)


@entry
def try_answers(
    tables, facts, postures, worlds, raw, spare, spare_raw, seat, answers, observation, mask, belief, room, enmity, results,
):  # fmt: skip
    """Try each of the answers [k] of a seat in the worlds [W] and write what it wins into results [k, W].

    The same world begins every answer with the same dice. `raw` and `spare_raw` are the byte views of `worlds` and of `spare`,
    one record of room; the rest is room for one decision.
    """
    t = tables[0]
    s = spare[0]
    for w in range(len(worlds)):
        for k in range(len(answers)):
            copy_row(spare_raw, 0, raw, w)
            actions.give_answer(s, answers[k])
            advance(t, s)
            _play_out(t, facts[0], postures, s, observation, mask, belief, room, enmity)
            results[k, w] = _reward(s, seat)


@entry
def worth_rows(tables, facts, observations, masks, enmities, worths):
    """The heuristic's worth of every legal answer, in lives: worths [B, N] float64, -inf where illegal."""
    for i in range(len(observations)):
        question = choice.row.asked(observations[i])
        for action in range(masks.shape[1]):
            worths[i, action] = -np.inf
            if masks[i, action]:
                worths[i, action] = choice.answer_worth(tables[0], facts[0], observations[i], masks[i], enmities[i], question, action)
