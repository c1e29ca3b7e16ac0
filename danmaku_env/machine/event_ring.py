"""The log: a ring of rows of eight bytes, each written and read as one word of 64 bits. What the bytes mean is the game's own.

The number of rows is a power of two, so a mask finds a place. When the ring is full, new events overwrite the oldest.
"""

from danmaku_env.jit.kernels import kernel, load_word, store_word
from danmaku_env.machine.records import EVENT_BYTES


@kernel
def append(s, event):
    """Write the next event."""
    count = int(s["log_count"])
    store_word(s["log"], EVENT_BYTES * (count & (s["log"].shape[0] - 1)), event)
    s["log_count"] = count + 1


@kernel
def kept(s):
    """How many of the events are left."""
    return min(int(s["log_count"]), s["log"].shape[0])


@kernel
def event_at(s, number):
    """The event of a number, counted from the first of the game; it must be one that is left."""
    return load_word(s["log"], EVENT_BYTES * (number & (s["log"].shape[0] - 1)))


@kernel
def seen_by(event, viewer, secret, known_to):
    """An event as a viewer knows it: its byte `secret` is 0 unless the byte `known_to` has the viewer's bit; -1 sees all."""
    if viewer < 0 or (event >> 8 * known_to >> viewer) & 1:
        return event
    return event & ~(0xFF << 8 * secret)
