"""Effects that last until their owner's next turn: rows of (word + 1, owner, seat, value), the oldest first.

Here they are added and removed. What they do is summed up by `queries.py`; when they end is the turn's affair (`procedures/turn.py`).
"""

from danmaku_env.cards import vocabulary as v
from danmaku_env.engine import characters, events
from danmaku_env.engine import state as st
from danmaku_env.jit.kernels import kernel
from danmaku_env.machine import lists


@kernel
def _settle(t, s, kind, seat):
    """Who has which ability follows from some effects."""
    if kind == v.ABILITIES_OFF or kind == v.ITEMS_OFF:
        characters.refresh(t, s, seat)


@kernel
def add(t, s, owner, kind, seat, value):
    """A row that lasts until the owner's next turn; the oldest row gives way when all are taken."""
    if seat < 0:
        return
    if s["lasting_size"] == st.LASTING_ROWS:
        remove(t, s, 0)
    row = s["lasting"][int(s["lasting_size"])]
    row[st.LASTING_WORD] = kind + 1
    row[st.LASTING_OWNER] = owner
    row[st.LASTING_SEAT] = seat
    row[st.LASTING_VALUE] = value
    s["lasting_size"] += 1
    events.log(s, events.L_LASTING, owner, seat, kind, value, 0)
    _settle(t, s, kind, seat)


@kernel
def remove(t, s, place):
    """The effect in the row at `place` ends."""
    kind, seat = int(s["lasting"][place, st.LASTING_WORD]) - 1, int(s["lasting"][place, st.LASTING_SEAT])
    lists.take_row(s["lasting"], int(s["lasting_size"]), place)
    s["lasting_size"] -= 1
    _settle(t, s, kind, seat)
