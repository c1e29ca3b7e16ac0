"""The doors Python comes through: few entry points, all over batches, all taking `(tables, games, ...)`."""

import numpy as np

from danmaku_env.cards import vocabulary as v
from danmaku_env.engine import (
    actions,
    characters,
    dice,
    distances,
    events,
    fetch,
    hands,
    hidden_roles,
    observe,
    piles,
    queries,
    resample,
    tabletop,
)
from danmaku_env.engine import state as st
from danmaku_env.engine.advance import advance
from danmaku_env.engine.pieces import OBSERVATION_SIZE
from danmaku_env.engine.procedures import setup, victory
from danmaku_env.jit.kernels import entry, kernel

START, ANSWER, RESUME, BLANK = range(4)
# columns of what `measure` writes
STANDING_MAX_LIFE, STANDING_MAX_HAND, STANDING_RANGE, STANDING_LIMIT = range(4)
STANDINGS = 4
WAY_DISTANCE, WAY_IN_RANGE = range(2)
WAYS = 2
SEED_BITS = 62
_SEED_MASK = (1 << SEED_BITS) - 1
_NEXT_EPISODE = 0x1E3779B97F4A7C15


@kernel
def next_seed(seed):
    """Seed of the game that follows in the same row of a batch."""
    return (seed + _NEXT_EPISODE) & _SEED_MASK


@kernel
def _begin(settings, games, raw, i, seed):
    raw[i, :] = 0
    setup.new_game(settings, games[i], seed)
    setup.lay_given_cards(settings, games[i])


@kernel
def _pay(s, rewards):
    """+1 for each winner, -1 for the other seats; 0 in a draw or a truncated game."""
    if s["outcome"] == st.WON:
        for seat in range(s["num_players"]):
            rewards[seat] = 1.0 if (np.int64(s["winners"]) >> seat) & 1 else -1.0


@entry
def drive(tables, settings, games, raw, inputs, status, mode):
    """Start (`inputs` are seeds), answer (`inputs` are actions) or resume every game and run each to its next question.

    BLANK only seeds a record for a position that is then set up by hand.

    `raw` is the byte view of `games`. `status[i]` is OK, or why nothing was changed in game i.
    """
    t = tables[0]
    for i in range(len(games)):
        s = games[i]
        status[i] = st.OK
        if mode == BLANK:
            raw[i, :] = 0
            setup.new_game(settings, s, inputs[i])
            continue
        if mode == START:
            _begin(settings, games, raw, i, inputs[i])
        elif mode == RESUME:
            pass
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
def deal_rows(tables, settings, games, raw, seeds, decks):
    """Deal each game by its seed and go no further; write the cards of its Main deck, from the top, into decks[i]."""
    for i in range(len(games)):
        s = games[i]
        _begin(settings, games, raw, i, seeds[i])
        setup.setup(tables[0], s, 0)
        size = np.int64(s["deck_size"])
        for place in range(size):
            decks[i, place] = np.int64(s["deck"][size - 1 - place]) - 1


@entry
def step_rows(tables, settings, games, raw, chosen, status, observations, masks, seats, rewards, dones, low, high):
    """Answer in rows low..high; finished games are paid and started anew; then write observation, mask and seat of who is asked.

    `chosen` < 0 in a row answers nothing, which writes a fresh row (after a reset or a restore).
    """
    t = tables[0]
    shown = (observations.shape[1] - OBSERVATION_SIZE) // st.EVENT_COLUMNS
    for i in range(low, high):
        if i + fetch.AHEAD < high:
            fetch.fetch_record(raw, i + fetch.AHEAD)
            fetch.fetch_found(games, raw, i + 1, shown)
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
        if i + 1 < high:
            fetch.fetch_rows(observations, masks, i + 1)
        while s["outcome"] != st.RUNNING or s["status"] != st.OK:
            dones[i] = True
            status[i] = s["status"]
            _pay(s, rewards[i])
            _begin(settings, games, raw, i, next_seed(int(s["seed"])))
            advance(t, s)
        seat = int(s["asking"])
        seats[i] = seat
        observe.observe(t, s, seat, observations[i])
        masks[i, :] = 0
        actions.write_mask(s, masks[i])


@entry
def first_illegal(games, raw, chosen):
    """The first game in which `chosen` is no legal answer, or -1."""
    for i in range(len(games)):
        fetch.fetch_question(raw, i)
        if not actions.is_legal(games[i], chosen[i]):
            return i
    return -1


@entry
def sample_rows(games, raw, chosen, dice_state):
    """A uniformly random legal answer for every game; `dice_state` is one record whose dice are used."""
    d = dice_state[0]
    for i in range(len(games)):
        fetch.fetch_question(raw, i)
        legal = actions.count_legal(games[i])
        chosen[i] = actions.legal_answer(games[i], dice.roll(d, legal)) if legal else -1


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
            actions.give_answer(s, actions.legal_answer(s, dice.roll(d, actions.count_legal(s))))
            advance(t, s)


@entry
def place_cards(tables, games, moves):
    """Put cards by hand where a position wants them, each card out of every pile before.

    `moves` are rows of (card, zone, seat or incident, bits of the seats that know it besides those who see it there).
    """
    t = tables[0]
    s = games[0]
    for i in range(len(moves)):
        card, zone, holder = moves[i, 0], moves[i, 1], moves[i, 2]
        s["seen_by"][card] = moves[i, 3]
        if zone == st.IN_HAND:
            hands.enter_hand(t, s, card, holder)
        elif zone == st.IN_PLAY:
            tabletop.enter_play(t, s, card, holder)
        elif zone == st.COLLECTED:
            piles.collect(t, s, holder, card)
        elif zone == st.IN_DISCARD or zone == st.IN_LUNATIC_DISCARD:
            piles.put_on_discard(t, s, card)
        elif zone == st.IN_LUNATIC_DECK:
            piles.put_on_lunatic(s, card, False)
        else:
            piles.put_on_deck(s, card, False)


@entry
def refresh_characters(tables, games):
    """Derive who has which ability and which Spell Card: for positions set up by hand."""
    for i in range(len(games)):
        characters.refresh_all(tables[0], games[i])


@entry
def resample_rows(tables, games, seats, roles, spare):
    """Turn each game into another world consistent with what `seats[i]` knows; roles[i] [8] sets the roles unless it begins with -1."""
    for i in range(len(games)):
        resample.resample(tables[0], games[i], int(seats[i]), roles[i], spare[0])


@entry
def list_roles(tables, games, seat, spare, options, roles, ways):
    """The deals of the hidden roles that fit what the seat knows in the first game (hidden_roles.py); returns how many there are."""
    return hidden_roles.list_roles(tables[0], games[0], seat, spare[0], options, roles, ways)


@entry
def public_log(tables, games, place, log):
    """Write the log of the game at `place` into `log` [LOG_ROWS, 8] as everybody sees it, the oldest event first; returns their number."""
    return observe.write_public_log(tables[0], games[place], log)


@entry
def history_rows(tables, games, seats, histories):
    """Write the last events of game i as `seats[i]` knows them into histories[i], bytes of HISTORY_COLUMNS, the newest first."""
    for i in range(len(games)):
        histories[i, :] = 0
        observe.write_history(tables[0], games[i], int(seats[i]), histories[i], 0, histories.shape[1] // st.EVENT_COLUMNS)


@entry
def count_deed(games, deed, seat, target):
    """Count a deed of one seat towards another in the first game: for records that follow a log."""
    events.tally(games[0], deed, seat, target)


@entry
def judge(tables, games):
    """End every game that somebody has already won, or in which nobody is left: for positions set up by hand."""
    for i in range(len(games)):
        victory.check_victory(tables[0], games[i])


@entry
def observe_rows(tables, games, seats, observations):
    """Write what `seats[i]` may know of game i."""
    for i in range(len(games)):
        observe.observe(tables[0], games[i], int(seats[i]), observations[i])


@entry
def seats_at_last_check(games, seats):
    """Write bits of the seats of each game that were active when it was last seen that nobody has won (hidden_roles.py)."""
    for i in range(len(games)):
        seats[i] = hidden_roles.seats_at_last_check(games[i])


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
def measure(tables, games, seat, numbers, ways):
    """For people: how every seat stands (columns STANDING_...), and how it lies from `seat` (columns WAY_...)."""
    t = tables[0]
    s = games[0]
    reached = distances.range_mask(t, s, seat, 0, 0)
    for other in range(s["num_players"]):
        numbers[other, STANDING_MAX_LIFE] = queries.max_life(t, s, other)
        numbers[other, STANDING_MAX_HAND] = queries.max_hand(t, s, other)
        numbers[other, STANDING_RANGE] = distances.reach(t, s, other)
        capped = queries.stat(t, s, other, v.ONE_DANMAKU) > 0
        numbers[other, STANDING_LIMIT] = 1 if capped else queries.danmaku_limit(t, s, other)
        ways[other, WAY_DISTANCE] = 0
        if other != seat and queries.is_active(s, other) and queries.is_active(s, seat):
            ways[other, WAY_DISTANCE] = distances.distance(t, s, seat, other)
        ways[other, WAY_IN_RANGE] = (reached >> other) & 1
