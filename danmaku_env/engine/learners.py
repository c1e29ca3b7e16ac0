"""Batches in which one seat of each game learns and the others are played for it: what `envs.gymnasium_vector` stands on.

Here lives the one door for that; the batched AEC, in which everybody is asked, is `batch.py`.
"""

import numpy as np

from danmaku_env.engine import actions, dice, fetch, observe, pieces
from danmaku_env.engine import state as st
from danmaku_env.engine.advance import advance
from danmaku_env.jit.kernels import entry

DICE = np.dtype([("rng", np.uint32, 4)])
"""Dice outside a game, as `dice.roll` takes them."""


@entry
def play_on(tables, games, raw, rows, answers, learners, at_random, own_dice, asked, observations, masks):
    """Answer in the games `rows` [k] with `answers` [k] (< 0: nothing), and play on until somebody is asked who does not play at random.

    `raw` is the byte view of `games`. For every game of the batch: `learners` [B] its learning seat, `at_random` [B] a bit per seat that
    answers uniformly at random from `own_dice` [B]. Written in the rows named: `asked` [B] the seat that is asked, or -1 when the game is
    over; `observations` and `masks` [B, ...] what that seat sees and may answer, after the end what the learner sees, with nothing to do
    but to pass.
    """
    t = tables[0]
    events = (observations.shape[1] - pieces.OBSERVATION_SIZE) // st.EVENT_COLUMNS
    for place in range(len(rows)):
        i = rows[place]
        if place + fetch.AHEAD < len(rows):
            fetch.fetch_record(raw, rows[place + fetch.AHEAD])
            fetch.fetch_found(games, raw, rows[place + 1], events)
        fetch.fetch_rows(observations, masks, i)
        s = games[i]
        if answers[place] >= 0:
            actions.give_answer(s, answers[place])
            advance(t, s)
        while s["asking"] != st.NOBODY and (np.int64(at_random[i]) >> int(s["asking"])) & 1:
            actions.give_answer(s, actions.legal_answer(s, dice.roll(own_dice[i], actions.count_legal(s))))
            advance(t, s)
        asked[i] = s["asking"]
        masks[i, :] = 0
        if s["asking"] == st.NOBODY:
            observe.observe(t, s, int(learners[i]), observations[i])
            masks[i, actions.PASS] = 1
        else:
            observe.observe(t, s, int(s["asking"]), observations[i])
            actions.write_mask(s, masks[i])
