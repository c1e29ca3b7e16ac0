"""Range as it will be after the earlier steps of a text: its targets are judged by that (K-10).

Steps that bear on range (life regained, abilities taken, the incident resolved) are done in the record itself, without what follows from
them, and undone. Nothing here changes the record for longer.
"""

import numpy as np

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.tables import PROJECTS_RANGE, R_A, R_B, R_C, R_CODE, T_FLAGS, T_RESOLVE
from danmaku_env.engine import characters, distances, queries
from danmaku_env.jit.kernels import kernel

NO_OPTION, EVERY_OPTION = 0, -1
"""Options of a text that are not named yet, as bits: at worst, and at best."""


@kernel
def is_projected(t, text):
    """Whether the range of a text's target is another than now, once the text is carried out so far."""
    return int(t["text"][text, T_FLAGS]) & PROJECTS_RANGE != 0


@kernel
def targets(t, s, text, seat, chosen, options):
    """Bits of the seats that the text's attack will be able to reach. `chosen` is the player chosen before, or -1.

    Where several incidents are in play it is said later which one is resolved: whoever can be reached then is a target.
    """
    mask = 0
    for place in range(max(1, int(s["incident_size"]))):
        mask |= _after(t, s, text, seat, chosen, options, place)
    return mask


@kernel
def _is_skipped(row, options, hand):
    """Whether what follows an IF is not carried out."""
    condition = int(row[R_A])
    if v.OPTION_1 <= condition <= v.OPTION_5:
        return (options >> (condition - v.OPTION_1)) & 1 == 0
    return condition == v.HAND_LEFT and hand <= 0


@kernel
def _left_in_play(t, s, place):
    """How many incidents stay in play once the one at this place is resolved: none where one that collects the resolved is over with it."""
    incident = int(s["incidents"][place]) - 1
    over, kept = t["collects_incidents"][incident] > 0, int(s["incidents_kept"])
    s["incidents_kept"] = kept | (1 << incident)
    for i in range(s["incident_size"]):
        over |= t["collects_incidents"][int(s["incidents"][i]) - 1] > 0 and queries.has_all(t, s, i)
    s["incidents_kept"] = kept
    return 0 if over else int(s["incident_size"]) - 1


@kernel
def _to_the_end(s, place, size):
    """The incident at this place and the last of `size` change places."""
    incident = int(s["incidents"][place])
    s["incidents"][place] = s["incidents"][size - 1]
    s["incidents"][size - 1] = incident


@kernel
def _after(t, s, text, seat, chosen, options, place):
    """The same, where the incident at this place is the one that is resolved."""
    mine = int(s["life"][seat])
    hers = int(s["life"][chosen]) if chosen >= 0 else 0
    hand = int(s["hand_size"][seat])
    limit_due = int(s["limit_due"])
    incidents = int(s["incident_size"])
    resolved, other_abilities = False, False
    pc = int(t["text"][text, T_RESOLVE])
    while t["program"][pc, R_CODE] != v.ATTACK and t["program"][pc, R_CODE] != v.END:
        row = t["program"][pc]
        op, who = int(row[R_CODE]), int(row[R_A])
        pc += 1
        if op == v.IF:
            pc = int(row[R_C]) if _is_skipped(row, options, hand) else pc
        elif op == v.DRAW and who == v.ME:
            hand += int(row[R_B])
        elif op == v.GAIN_LIFE and not queries.has_law(t, s, v.NO_HEALING):
            whose = seat if who == v.ME else chosen
            if whose >= 0:
                s["life"][whose] = min(int(s["life"][whose]) + int(row[R_B]), queries.max_life(t, s, whose))
        elif op == v.LAST and who == v.ABILITIES_OFF and chosen >= 0:
            s["abilities"][chosen] = 0
            other_abilities = True
        elif op == v.RESOLVE_INCIDENT and incidents > 0:
            silent = queries.has_law(t, s, v.NO_ABILITIES)
            left = _left_in_play(t, s, place)
            _to_the_end(s, place, incidents)
            s["incident_size"] = left
            resolved = True
            if silent and not queries.has_law(t, s, v.NO_ABILITIES):
                characters.refresh_all(t, s)
                other_abilities = True
    mask = distances.range_mask(t, s, seat, 0, 0) & distances.near_mask(t, s, seat, 0)
    s["life"][seat] = mine
    if chosen >= 0:
        s["life"][chosen] = hers
    if resolved:
        s["incident_size"] = incidents
        _to_the_end(s, place, incidents)
    if other_abilities:
        characters.refresh_all(t, s)
    s["limit_due"] = limit_due
    return np.int64(mask)
