"""How far it is from seat to seat, and who is in range of whom (D-1 to D-6). Nothing here changes the record."""

import numpy as np

from danmaku_env.cards import vocabulary as v
from danmaku_env.engine import queries
from danmaku_env.engine import state as st
from danmaku_env.jit.kernels import kernel


@kernel
def near_mask(t, s, seat, number):
    """Bits of the other active seats that the seat may attack at all: some items forbid attacks on players further away than 1 (D-4).

    `number` > 0 stands for every distance (K-10).
    """
    others = np.int64(s["active"]) & ~(1 << seat)
    if not queries.has_expansion(s) or queries.stat(t, s, seat, v.ATTACKS_NEAR_ONLY) == 0:
        return others
    mask = 0
    for other in range(s["num_players"]):
        if (others >> other) & 1 and (number if number else distance(t, s, seat, other)) <= queries.NEAREST:
            mask |= 1 << other
    return mask


@kernel
def reach(t, s, seat):
    """The seat's range, at least 1 (D-1)."""
    return max(queries.NEAREST, queries.BASE_RANGE + queries.stat(t, s, seat, v.RANGE))


@kernel
def set_distance(s):
    """The number that stands for every distance (Suika; the latest wins, D-5), or 0."""
    number = 0
    for i in range(s["lasting_size"]):
        if s["lasting"][i, st.LASTING_WORD] == v.SET_DISTANCE + 1:
            number = max(1, int(s["lasting"][i, st.LASTING_VALUE]))  # D-1
    return number


@kernel
def _seats_between(s, seat, other):
    """Active seats passed going clockwise from `seat` to `other`, counting the last."""
    players = int(s["num_players"])
    steps = 0
    while seat != other:
        seat = (seat + 1) % players
        steps += (np.int64(s["active"]) >> seat) & 1
    return steps


@kernel
def distance(t, s, seat, other):
    """Distance from `seat` to another active seat: the shorter way round plus the other's modifiers, at least 1 (D-1)."""
    number = set_distance(s)
    if number:
        return number
    clockwise = _seats_between(s, seat, other)
    way = min(clockwise, queries.count_active(s) - clockwise)
    return max(queries.NEAREST, way + queries.stat(t, s, other, v.DISTANCE))


@kernel
def everybody_in_range(t, s, seat):
    """Crossing to Higan, or the seat's own lasting effect (Youmu); both beat Cirno's restriction (D-3)."""
    if queries.has_law(t, s, v.ALL_REACH):
        return True
    for i in range(s["lasting_size"]):
        if s["lasting"][i, st.LASTING_WORD] == v.ALL_IN_RANGE + 1 and s["lasting"][i, st.LASTING_SEAT] == seat:
            return True
    return False


@kernel
def range_mask(t, s, seat, bonus, number):
    """Bits of the other active seats in range; `bonus` adds range, `number` > 0 stands for every distance (K-10)."""
    others = np.int64(s["active"]) & ~(1 << seat)
    if everybody_in_range(t, s, seat):
        return others
    players = int(s["num_players"])
    active = queries.count_active(s)
    reach_now = max(queries.NEAREST, queries.BASE_RANGE + bonus + queries.stat(t, s, seat, v.RANGE))
    restricted = queries.stat(t, s, seat, v.LONG_WAY_ROUND) > 0 and active >= 3
    long_way = restricted and not (queries.has_expansion(s) and queries.stat(t, s, seat, v.ATTACKS_NEAR_ONLY) > 0)  # D-4
    if number == 0:
        number = set_distance(s)
    mask = 0
    clockwise = 0
    other = seat
    for _ in range(1, players):
        other = other + 1 if other + 1 < players else 0
        if (others >> other) & 1 == 0:
            continue
        clockwise += 1
        near = number
        far = number
        if number == 0:
            extra = queries.stat(t, s, other, v.DISTANCE)
            near = max(queries.NEAREST, min(clockwise, active - clockwise) + extra)
            far = max(queries.NEAREST, max(clockwise, active - clockwise) + extra)
        reached = near <= reach_now
        if restricted:  # either way round will do, but not at distance 1 (D-2)
            reached = (queries.NEAREST < near <= reach_now) or (long_way and queries.NEAREST < far <= reach_now)
        if reached:
            mask |= 1 << other
    if queries.has_expansion(s) and queries.stat(t, s, seat, v.PREYS_ON_LAST_LIFE) > 0:
        mask |= queries.last_life_mask(s) & others
    return mask
