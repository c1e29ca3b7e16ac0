"""The entry points, over batches of games: what Python calls of the engine (`machine/batch.py` says what their arguments are)."""

from danmaku_env.jit.kernels import entry, kernel
from danmaku_env.machine import batch, prefetch, records
from danmaku_env.sister.shisoroku.engine import actions, observe, procedures, resample, state
from danmaku_env.sister.shisoroku.engine import zones as z
from danmaku_env.sister.shisoroku.engine.advance import advance

START, ANSWER, RESUME, BLANK = batch.START, batch.ANSWER, batch.RESUME, batch.BLANK
next_seed = batch.next_seed
_FIRST_LINES = 1024
"""Bytes of a record that nearly every decision touches."""
_USUAL_LINES = records.place_of(state.STATE, "stack") + 24 * 2 * state.COLUMNS
"""Those that a decision may touch, but for frames of a deep stack."""


@kernel
def _prefetch_record(raw, row):
    prefetch.lines(raw, row, 0, _FIRST_LINES)


@kernel
def _prefetch_found(games, raw, row, size):
    prefetch.lines(raw, row, _FIRST_LINES, _USUAL_LINES)


_GAME = batch.GameKernels(
    advance=advance, new_game=procedures.new_game, observe=observe.observe, answers=actions.ANSWERS, pass_action=actions.PASS,
    prefetch_record=_prefetch_record, prefetch_found=_prefetch_found,
)  # fmt: skip
_drive, _step_rows, _play_on, _rollout = batch.drive_of(_GAME), batch.step_rows_of(_GAME), batch.play_on_of(_GAME), batch.rollout_of(_GAME)
_sample_rows, _first_illegal = batch.sample_rows_of(actions.ANSWERS), batch.first_illegal_of(actions.ANSWERS)
_mask_rows = batch.mask_rows_of(actions.ANSWERS)


@entry
def drive(tables, settings, games, raw, inputs, status, mode):
    """Start, answer or resume every game and run each to its next question."""
    _drive(tables, settings, games, raw, inputs, status, mode)


@entry
def step_rows(tables, settings, games, raw, chosen, status, observations, masks, seats, rewards, dones, low, high):
    """Answer in rows low..high and write what follows."""
    return _step_rows(tables, settings, games, raw, chosen, status, observations, masks, seats, rewards, dones, low, high)


@entry
def play_on(tables, games, raw, rows, answers, learners, at_random, own_rng, asked, observations, masks):
    """Answer where one seat of each game learns, and play on to its next question."""
    _play_on(tables, games, raw, rows, answers, learners, at_random, own_rng, asked, observations, masks)


@entry
def first_illegal(games, raw, chosen):
    """The first game in which `chosen` is illegal, or -1."""
    return _first_illegal(games, raw, chosen)


@entry
def sample_rows(games, raw, chosen, rng_record):
    """A uniformly random legal answer for every game."""
    _sample_rows(games, raw, chosen, rng_record)


@entry
def rollout(tables, games, limit, rng_record):
    """Play every game with random legal answers, up to `limit` answers each, or to its end."""
    _rollout(tables, games, limit, rng_record)


@entry
def observe_rows(tables, games, seats, observations):
    """Write what `seats[i]` may know of game i."""
    for i in range(len(games)):
        observe.observe(tables[0], games[i], int(seats[i]), observations[i])


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
def scores(tables, games, viewers, points):
    """Write the points of every seat of game i into points[i] [4]: in truth for viewer -1, else as far as that seat can tell."""
    for i in range(len(games)):
        for seat in range(games[i]["num_players"]):
            points[i, seat] = procedures.score(tables[0], games[i], seat, int(viewers[i]))


@entry
def costs(tables, games, numbers):
    """Write what every card costs now into numbers[i] [27]."""
    for i in range(len(games)):
        for kind in range(len(numbers[i])):
            numbers[i, kind] = z.cost(tables[0], games[i], kind) if games[i]["kinds"][kind] else 0


@entry
def lay_out(tables, games):
    """Lay the piles of a position that is set up by hand; its kingdom stands."""
    for i in range(len(games)):
        procedures.lay_out(tables[0], games[i])


@entry
def resample_rows(tables, games, seats, rng_record):
    """Turn each game into another world that fits what `seats[i]` knows."""
    for i in range(len(games)):
        resample.resample(tables[0], games[i], int(seats[i]), rng_record[0])
