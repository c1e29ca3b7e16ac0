"""Asking for memory ahead of time: what the next games of a large batch will need is on its way while this one is played.

A batch that no cache holds lies in memory that takes as long to answer as a decision's whole arithmetic. Nothing here changes a game, and
with the compiler off nothing happens at all. Which lines are asked for was counted: those that most decisions touch.
"""

from danmaku_env.cards.tables import KINDS
from danmaku_env.engine import state as st
from danmaku_env.jit.kernels import kernel, prefetch

AHEAD = 2
"""Games between asking for a record and playing it."""
_FIRST_FRAMES = st.place_of("stack") + 2 * st.LINE
_CARDS, _CARDS_END = st.place_of("zone"), st.place_of("hand_counts")
_TALLIES, _LATE_TALLIES = st.place_of("tallied"), st.place_of("tallies") + 8 * st.TALLIES * st.SEATS
_LOG = st.place_of("log")
_DISCARD, _SPELLS = st.place_of("discard"), st.place_of("spells")
_HAND_CARDS, _HAND_COUNTS = st.place_of("hand_cards"), st.place_of("hand_counts")


@kernel
def _fetch_lines(rows, row, low, high):
    """The lines of a row from one byte to another."""
    for place in range(low, high, st.LINE):
        prefetch(rows, row, place)


@kernel
def fetch_record(raw, row):
    """What every decision touches, wherever the game is."""
    _fetch_lines(raw, row, 0, _FIRST_FRAMES)
    _fetch_lines(raw, row, _CARDS, _CARDS_END)
    _fetch_lines(raw, row, _TALLIES, _TALLIES + 2 * st.LINE)


@kernel
def fetch_found(games, raw, row, events):
    """What the record, which is there by now, says will be touched: piles, the hand of who is asked, the end of the log."""
    s = games[row]
    seat = max(0, int(s["asking"]))
    prefetch(raw, row, _SPELLS)
    prefetch(raw, row, _HAND_CARDS + 8 * st.HAND_WORDS * seat)
    prefetch(raw, row, _HAND_COUNTS + KINDS * seat)
    prefetch(raw, row, _HAND_COUNTS + KINDS * seat + KINDS - 1)
    prefetch(raw, row, _DISCARD + int(s["discard_size"]))
    if s["tallied"][1]:
        _fetch_lines(raw, row, _LATE_TALLIES, _LATE_TALLIES + 2 * st.LINE)
    place = _LOG + st.EVENT_COLUMNS * (int(s["log_count"]) & (st.LOG_ROWS - 1))
    first = max(_LOG, place - st.EVENT_COLUMNS * events)
    _fetch_lines(raw, row, first, min(place + st.LINE, st.STATE_BYTES))


@kernel
def fetch_rows(observations, masks, row):
    """The rows that are about to be written."""
    _fetch_lines(observations, row, 0, observations.shape[1])
    _fetch_lines(masks, row, 0, masks.shape[1])


@kernel
def fetch_question(raw, row):
    """The line with the legal answers, some games ahead: for loops that look at nothing else."""
    prefetch(raw, min(row + 8, raw.shape[0] - 1), 0)
