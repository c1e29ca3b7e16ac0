"""The doors Python comes through: few entry points, all over batches, all taking `(tables, games, ...)`."""

import numpy as np

from danmaku_env.engine import actions, dice, observe, queries
from danmaku_env.engine import state as st
from danmaku_env.engine.advance import advance
from danmaku_env.engine.compiled import entry, kernel
from danmaku_env.engine.procedures import setup

START, STEP = 0, 1
RECORD_BYTES = st.STATE_BYTES
SEED_BITS = 62
_SEED_MASK = (1 << SEED_BITS) - 1
_NEXT_EPISODE = 0x1E3779B97F4A7C15


@kernel
def next_seed(seed):
    """Seed of the game that follows in the same row of a batch."""
    return (seed + _NEXT_EPISODE) & _SEED_MASK


@kernel
def _begin(t, settings, games, raw, i, seed):
    raw[i, :] = 0
    setup.new_game(settings, games[i], seed)


@kernel
def _pay(s, rewards):
    """+1 for each winner, -1 for the other seats; 0 in a draw or a truncated game."""
    if s["outcome"] == st.WON:
        for seat in range(s["num_players"]):
            rewards[seat] = 1.0 if (np.int64(s["winners"]) >> seat) & 1 else -1.0


@entry
def drive(tables, settings, games, raw, inputs, status, mode):
    """Start (`inputs` are seeds) or answer (`inputs` are actions) every game and run each to its next question.

    `raw` is the byte view of `games`. `status[i]` is OK, or why nothing was changed in game i.
    """
    t = tables[0]
    for i in range(len(games)):
        s = games[i]
        status[i] = st.OK
        if mode == START:
            _begin(t, settings, games, raw, i, inputs[i])
        elif s["outcome"] != st.RUNNING or s["status"] != st.OK:
            status[i] = st.GAME_OVER
            continue
        elif s["asking"] == st.NOBODY or not actions.is_legal(s, inputs[i]):
            status[i] = st.ILLEGAL_ANSWER
            continue
        else:
            actions.give_answer(s, inputs[i])
        advance(t, s)


@entry
def step_rows(tables, settings, games, raw, chosen, status, observations, masks, seats, rewards, dones, low, high):
    """Answer in rows low..high; finished games are paid and started anew; then write observation, mask and seat of who is asked.

    `chosen` < 0 in a row answers nothing, which writes a fresh row (after a reset or a restore).
    """
    t = tables[0]
    for i in range(low, high):
        s = games[i]
        dones[i] = False
        rewards[i, :] = 0.0
        status[i] = st.OK
        if chosen[i] >= 0:
            if not actions.is_legal(s, chosen[i]):
                status[i] = st.ILLEGAL_ANSWER
                continue
            actions.give_answer(s, chosen[i])
        advance(t, s)
        while s["outcome"] != st.RUNNING or s["status"] != st.OK:
            dones[i] = True
            _pay(s, rewards[i])
            _begin(t, settings, games, raw, i, next_seed(int(s["seed"])))
            advance(t, s)
        seat = int(s["asking"])
        seats[i] = seat
        observe.observe(t, s, seat, observations[i])
        masks[i, :] = 0
        actions.write_mask(s, masks[i])


@entry
def sample_rows(masks, chosen, dice_state):
    """A uniformly random legal action for every mask row; `dice_state` is one record whose dice are used."""
    s = dice_state[0]
    for i in range(masks.shape[0]):
        legal = 0
        for action in range(masks.shape[1]):
            legal += np.int64(masks[i, action])
        if legal == 0:
            chosen[i] = -1
            continue
        left = dice.roll(s, legal)
        action = 0
        while True:
            if masks[i, action]:
                if left == 0:
                    break
                left -= 1
            action += 1
        chosen[i] = action


@entry
def rollout(tables, games, limit, dice_state):
    """Play every game with random legal answers, up to `limit` answers each, or to its end."""
    t = tables[0]
    d = dice_state[0]
    for i in range(len(games)):
        s = games[i]
        for _ in range(limit):
            if s["outcome"] != st.RUNNING or s["status"] != st.OK:
                break
            actions.give_answer(s, actions.random_answer(s, dice.roll(d, actions.count_legal(s))))
            advance(t, s)


@entry
def observe_rows(tables, games, seats, observations):
    """Write what `seats[i]` may know of game i."""
    for i in range(len(games)):
        observe.observe(tables[0], games[i], int(seats[i]), observations[i])


@entry
def mask_rows(games, masks):
    """Write the legal answers of each game's pending question."""
    for i in range(len(games)):
        masks[i, :] = 0
        actions.write_mask(games[i], masks[i])


@entry
def write_states(tables, games, states):
    """Write the full states, for central critics."""
    for i in range(len(games)):
        observe.write_state(tables[0], games[i], states[i])


@entry
def measure(tables, games, seat, numbers, distances):
    """For people: numbers[seat] = max life, max hand, range, danmaku limit; distances from `seat`, and whether in range."""
    t = tables[0]
    s = games[0]
    reached = queries.range_mask(t, s, seat, 0, 0)
    for other in range(s["num_players"]):
        numbers[other, 0] = queries.max_life(t, s, other)
        numbers[other, 1] = queries.max_hand(t, s, other)
        numbers[other, 2] = queries.reach(t, s, other)
        numbers[other, 3] = queries.danmaku_limit(t, s, other)
        distances[other, 0] = 0
        if other != seat and queries.is_active(s, other) and queries.is_active(s, seat):
            distances[other, 0] = queries.distance(t, s, seat, other)
        distances[other, 1] = (reached >> other) & 1
