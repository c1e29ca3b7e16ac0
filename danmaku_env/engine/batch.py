"""The entry points that Python calls, all over batches, all taking `(tables, games, ...)`.

The first are those of any game: `machine/batch.py` makes them from the kernels of this one, and says what their arguments are.
"""

import numpy as np

from danmaku_env.cards import vocabulary as v
from danmaku_env.engine import (
    actions,
    characters,
    distances,
    events,
    hands,
    hidden_roles,
    observe,
    piles,
    prefetch,
    queries,
    resample,
    tabletop,
)
from danmaku_env.engine import state as st
from danmaku_env.engine.advance import advance
from danmaku_env.engine.procedures import setup, victory
from danmaku_env.jit.kernels import entry
from danmaku_env.machine import batch

START, ANSWER, RESUME, BLANK = batch.START, batch.ANSWER, batch.RESUME, batch.BLANK
next_seed = batch.next_seed
# columns of what `measure` writes
FIGURE_MAX_LIFE, FIGURE_MAX_HAND, FIGURE_RANGE, FIGURE_DANMAKU_LIMIT, FIGURE_DANMAKU_COUNTED = range(5)
SEAT_FIGURES = 5
WAY_DISTANCE, WAY_IN_RANGE = range(2)
WAYS = 2
_GAME = batch.GameKernels(
    advance=advance, new_game=setup.new_game, observe=observe.observe, answers=actions.ANSWERS, pass_action=actions.PASS,
    prefetch_record=prefetch.record, prefetch_found=prefetch.found,
)  # fmt: skip
_drive, _step_rows, _play_on, _rollout = batch.drive_of(_GAME), batch.step_rows_of(_GAME), batch.play_on_of(_GAME), batch.rollout_of(_GAME)
_sample_rows, _first_illegal = batch.sample_rows_of(actions.ANSWERS), batch.first_illegal_of(actions.ANSWERS)
_mask_rows = batch.mask_rows_of(actions.ANSWERS)


@entry
def drive(tables, settings, games, raw, inputs, status, mode):
    """Start, answer or resume every game and run each to its next question (`machine.batch.drive_of`)."""
    _drive(tables, settings, games, raw, inputs, status, mode)


@entry
def deal_rows(tables, settings, games, raw, seeds, decks):
    """Deal each game by its seed and go no further; write the cards of its Main deck, from the top, into decks[i]."""
    for i in range(len(games)):
        s = games[i]
        raw[i, :] = 0
        setup.new_game(settings, s, seeds[i])
        setup.setup(tables[0], s, 0)
        size = np.int64(s["deck_size"])
        for place in range(size):
            decks[i, place] = np.int64(s["deck"][size - 1 - place]) - 1


@entry
def step_rows(tables, settings, games, raw, chosen, status, observations, masks, seats, rewards, dones, low, high):
    """Answer in rows low..high and write what follows (`machine.batch.step_rows_of`)."""
    return _step_rows(tables, settings, games, raw, chosen, status, observations, masks, seats, rewards, dones, low, high)


@entry
def play_on(tables, games, raw, rows, answers, learners, at_random, own_rng, asked, observations, masks):
    """Answer where one seat of each game learns, and play on to its next question (`machine.batch.play_on_of`)."""
    _play_on(tables, games, raw, rows, answers, learners, at_random, own_rng, asked, observations, masks)


@entry
def first_illegal(games, raw, chosen):
    """The first game in which `chosen` is illegal, or -1."""
    return _first_illegal(games, raw, chosen)


@entry
def sample_rows(games, raw, chosen, rng_record):
    """A uniformly random legal answer for every game, from the generator of one record."""
    _sample_rows(games, raw, chosen, rng_record)


@entry
def rollout(tables, games, limit, rng_record):
    """Play every game with random legal answers, up to `limit` answers each, or to its end."""
    _rollout(tables, games, limit, rng_record)


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
def resample_rows(tables, games, seats, roles, scratch):
    """Turn each game into another world consistent with what `seats[i]` knows; roles[i] [8] sets the roles unless it begins with -1."""
    for i in range(len(games)):
        resample.resample(tables[0], games[i], int(seats[i]), roles[i], scratch[0])


@entry
def list_roles(tables, games, seat, scratch, options, roles, ways):
    """The deals of the hidden roles that fit what the seat knows in the first game (hidden_roles.py); returns how many there are."""
    return hidden_roles.list_roles(tables[0], games[0], seat, scratch[0], options, roles, ways)


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
def count_interaction(games, interaction, seat, target):
    """Count an interaction of one seat towards another in the first game: for records that follow a log."""
    events.tally(games[0], interaction, seat, target)


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
    _mask_rows(games, masks)


@entry
def write_states(tables, games, states):
    """Write the full states, for central critics."""
    for i in range(len(games)):
        observe.write_state(tables[0], games[i], states[i])


@entry
def measure(tables, games, seat, numbers, ways):
    """For people: how every seat stands (columns FIGURE_...), and how it lies from `seat` (columns WAY_...)."""
    t = tables[0]
    s = games[0]
    reached = distances.range_mask(t, s, seat, 0, 0)
    for other in range(s["num_players"]):
        numbers[other, FIGURE_MAX_LIFE] = queries.max_life(t, s, other)
        numbers[other, FIGURE_MAX_HAND] = queries.max_hand(t, s, other)
        numbers[other, FIGURE_RANGE] = distances.reach(t, s, other)
        capped = queries.stat(t, s, other, v.ONE_DANMAKU) > 0
        numbers[other, FIGURE_DANMAKU_LIMIT] = 1 if capped else queries.danmaku_limit(t, s, other)
        numbers[other, FIGURE_DANMAKU_COUNTED] = s["danmaku_cards"][other] if capped else s["danmaku_played"][other]
        ways[other, WAY_DISTANCE] = 0
        if other != seat and queries.is_active(s, other) and queries.is_active(s, seat):
            ways[other, WAY_DISTANCE] = distances.distance(t, s, seat, other)
        ways[other, WAY_IN_RANGE] = (reached >> other) & 1
