"""How many items of a kind a seat has in play, and the sums of what they change: always written together."""

from danmaku_env.cards import vocabulary as v
from danmaku_env.jit.kernels import kernel


@kernel
def count(t, s, seat, slot, change):
    """Have one more (1) or one fewer (-1) of a kind in play."""
    s["item_counts"][seat, slot] += change
    for which in range(v.NUM_ITEM_STATS):
        s["item_stats"][seat, which] += change * int(t["slot_stats"][slot, which])
    slots = int(s["item_slots"][seat])
    s["item_slots"][seat] = slots | (1 << slot) if s["item_counts"][seat, slot] else slots & ~(1 << slot)
