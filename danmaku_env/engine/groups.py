"""What the words of a program stand for at this moment: a seat, a group of seats, a number. Nothing here changes the record."""

import numpy as np

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.tables import T_CHARACTER, T_FLAGS, TARGETS_ALL
from danmaku_env.engine import distances, projected_range, queries
from danmaku_env.engine import frames as fr
from danmaku_env.jit.kernels import kernel, lowest_bit

SOME_POINTS, MANY_POINTS = 3, 5


@kernel
def hurt_mask(t, s):
    """Bits of the active seats that could regain life."""
    mask = 0
    if not queries.has_law(t, s, v.NO_HEALING):
        for seat in range(s["num_players"]):
            if queries.is_active(s, seat) and s["life"][seat] < queries.max_life(t, s, seat):
                mask |= 1 << seat
    return mask


@kernel
def who(s, f, word):
    """The seat a WHO word names in frame `f`, or -1."""
    frame = s["stack"][f]
    if word == v.ME:
        return int(frame[fr.SEAT])
    if word == v.CHOSEN:
        return int(frame[fr.PLAY_CHOSEN]) - 1
    if word == v.SECOND:
        return int(frame[fr.PLAY_SECOND]) - 1
    if word == v.EACH:
        return int(frame[fr.PLAY_EACH]) - 1
    if word == v.CURRENT:
        return int(s["current"])
    if word == v.LEFT:
        return queries.next_active(s, int(s["current"]))
    if word == v.RIGHT:
        return queries.previous_active(s, int(s["current"]))
    subject = int(frame[fr.PLAY_SUBJECT]) - 1
    if subject < 0:
        return -1
    if word == v.ATTACKED_ONE:
        return int(s["stack"][subject, fr.ATTACK_TARGET]) - 1
    if word == v.ITS_OWNER:
        return int(s["stack"][subject, fr.WINDOW_OWNER]) - 1
    if word == v.ITS_PLAYER:
        return queries.played_by(s["stack"][subject])
    return int(s["stack"][subject, fr.SEAT])  # ATTACKER


@kernel
def holders_mask(t, s, text):
    """Bits of the seats that may activate the Spell Card with this text as their own."""
    mask = 0
    bit = (1 << int(t["text"][text, T_CHARACTER])) >> 1
    for seat in range(s["num_players"]):
        if int(s["spells"][seat]) & bit:
            mask |= 1 << seat
    return mask


@kernel
def _item_owners(s):
    """Bits of the seats with items in play."""
    mask = 0
    for seat in range(s["num_players"]):
        if s["item_slots"][seat]:
            mask |= 1 << seat
    return mask


@kernel
def group_mask(t, s, group, seat, f, bonus, spare):
    """Bits of the seats in a group, for `seat`, in frame `f` (-1: not announced yet). `spare` = danmaku cards to throw in."""
    active = np.int64(s["active"])
    others = active & ~(1 << seat)
    if group == v.EVERYONE:
        return active
    if group == v.OTHERS:
        return others
    if group == v.IN_RANGE:
        if f >= 0 and projected_range.is_projected(t, int(s["stack"][f, fr.PLAY_TEXT])):
            frame = s["stack"][f]
            chosen = int(frame[fr.PLAY_CHOSEN]) - 1
            return projected_range.targets(t, s, int(frame[fr.PLAY_TEXT]), seat, chosen, int(frame[fr.PLAY_AMOUNT]))
        return distances.range_mask(t, s, seat, bonus, 0)
    if group == v.REACHABLE:
        return distances.range_mask(t, s, seat, spare, 0)
    if group == v.HURT:
        return hurt_mask(t, s)
    if group == v.OTHERS_HURT:
        return hurt_mask(t, s) & others
    if group == v.AT_ZERO:
        return queries.zero_mask(s)
    if group == v.WITH_ITEMS:
        return others & _item_owners(s)
    if group == v.ITEM_OWNERS:
        return active & _item_owners(s)
    if f < 0:
        return others
    if group == v.IN_RANGE_BUT_HERS:
        return distances.range_mask(t, s, seat, bonus, 0) & ~holders_mask(t, s, int(s["stack"][f, fr.PLAY_TEXT]))
    frame = s["stack"][f]
    if group == v.AT_NUMBER:
        return distances.range_mask(t, s, seat, 0, int(frame[fr.PLAY_AMOUNT]))
    if group == v.THE_CHOSEN:
        return others & queries.stored_bit(int(frame[fr.PLAY_CHOSEN]))
    if group == v.THE_PAIR:
        return others & (queries.stored_bit(int(frame[fr.PLAY_CHOSEN])) | queries.stored_bit(int(frame[fr.PLAY_SECOND])))
    if group == v.CHOSEN_AND_NEXT:
        chosen = int(frame[fr.PLAY_CHOSEN]) - 1
        if chosen < 0:
            return 0
        return others & ((1 << chosen) | (1 << queries.next_active(s, chosen)) | (1 << queries.previous_active(s, chosen)))
    subject = s["stack"][int(frame[fr.PLAY_SUBJECT]) - 1]
    if group == v.NOT_AVOIDER:
        return distances.range_mask(t, s, seat, 0, 0) & ~queries.stored_bit(int(subject[fr.ATTACK_TARGET]))
    if subject[fr.PLAY_FLAGS] & fr.IS_SPELL == 0 and _targets_all(t, subject):
        return 0
    return distances.range_mask(t, s, seat, 0, 0) & ~queries.stored_bit(int(subject[fr.PLAY_CHOSEN]))


@kernel
def _targets_all(t, frame):
    return int(t["text"][int(frame[fr.PLAY_TEXT]), T_FLAGS]) & TARGETS_ALL != 0


@kernel
def count(t, s, f, word, concerned):
    """What a count word comes to in frame `f`; `concerned` is the seat the operation is about, or -1."""
    frame = s["stack"][f]
    if word == v.AMOUNT_WORD:
        return int(frame[fr.PLAY_AMOUNT])
    if word == v.ACTIVE_WORD:
        return queries.count_active(s)
    if word == v.SHORTFALL_WORD:
        return 0 if concerned < 0 else max(0, queries.max_hand(t, s, concerned) - int(s["hand_size"][concerned]))
    if word == v.DANMAKU_SHOWN_WORD:
        shown = int(frame[fr.PLAY_CHOSEN]) - 1
        return 1 if shown < 0 else max(1, queries.count_hand(t, s, shown, v.DANMAKU))
    if word == v.ITEM_POINTS_WORD:
        chosen = int(frame[fr.PLAY_CHOSEN]) - 1
        return 1 if chosen < 0 else max(1, most_points(t, queries.item_kinds(t, s, chosen)))
    if word == v.POINTS_SHOWN_WORD:
        chosen = int(frame[fr.PLAY_CHOSEN]) - 1
        points = 0 if chosen < 0 else most_points(t, int(s["hand_kinds"][chosen]))
        return 3 if points >= MANY_POINTS else 2 if points >= SOME_POINTS else 1
    return count_powerups(t, s, int(frame[fr.SEAT]))


@kernel
def most_points(t, kinds):
    """The largest number of points printed on a card of the kinds; 0 for none."""
    points = 0
    while kinds:
        points = max(points, int(t["kind_points"][lowest_bit(kinds)]))
        kinds &= kinds - 1
    return points


@kernel
def count_powerups(t, s, seat):
    """Powerups the seat has in play."""
    powerups = 0
    slots = int(s["item_slots"][seat])
    while slots:
        slot = lowest_bit(slots)
        slots &= slots - 1
        if int(t["kind_types"][int(t["slot_kind"][slot])]) & v.POWERUP:
            powerups += int(s["item_counts"][seat, slot])
    return powerups
