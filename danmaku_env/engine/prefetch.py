"""Which memory is asked for ahead of time (`machine/prefetch.py`). It was counted: these are the lines that most decisions touch."""

from danmaku_env.cards.tables import KINDS
from danmaku_env.engine import state as st
from danmaku_env.engine.observation import OBSERVATION_SIZE
from danmaku_env.jit.kernels import kernel, prefetch
from danmaku_env.machine.prefetch import lines
from danmaku_env.machine.records import LINE

_FIRST_FRAMES = st.place_of("stack") + 2 * LINE
_CARDS, _CARDS_END = st.place_of("zone"), st.place_of("hand_counts")
_TALLIES, _LATE_TALLIES = st.place_of("tallied"), st.place_of("tallies") + 8 * st.TALLIES * st.SEATS
_LOG = st.place_of("log")
_DISCARD, _SPELLS = st.place_of("discard"), st.place_of("spells")
_HAND_CARDS, _HAND_COUNTS = st.place_of("hand_cards"), st.place_of("hand_counts")


@kernel
def record(raw, row):
    """What every decision touches, wherever the game is."""
    lines(raw, row, 0, _FIRST_FRAMES)
    lines(raw, row, _CARDS, _CARDS_END)
    lines(raw, row, _TALLIES, _TALLIES + 2 * LINE)


@kernel
def found(games, raw, row, size):
    """What the record says will be touched next: piles, the hand of the seat that is asked, the events that are observed."""
    s = games[row]
    seat = max(0, int(s["asking"]))
    prefetch(raw, row, _SPELLS)
    prefetch(raw, row, _HAND_CARDS + 8 * st.HAND_WORDS * seat)
    prefetch(raw, row, _HAND_COUNTS + KINDS * seat)
    prefetch(raw, row, _HAND_COUNTS + KINDS * seat + KINDS - 1)
    prefetch(raw, row, _DISCARD + int(s["discard_size"]))
    if s["tallied"][1]:
        lines(raw, row, _LATE_TALLIES, _LATE_TALLIES + 2 * LINE)
    place = _LOG + st.EVENT_COLUMNS * (int(s["log_count"]) & (st.LOG_ROWS - 1))
    first = max(_LOG, place + OBSERVATION_SIZE - size)
    lines(raw, row, first, min(place + LINE, st.STATE_BYTES))
