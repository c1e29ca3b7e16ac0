"""SETTLE: the stack is empty. Last rescue, played cards to the discard pile, defeats, victory (A-7, A-8, K-7).

Also the two small procedures that make a seat discard: TRIM (down to a hand size) and LIMIT (one defense, one artifact).
"""

import numpy as np

from danmaku_env.cards import vocabulary as v
from danmaku_env.engine import actions, characters, events, piles, queries, stack, tabletop
from danmaku_env.engine import frames as fr
from danmaku_env.engine import state as st
from danmaku_env.engine.procedures import life, triggers, victory
from danmaku_env.jit.kernels import kernel, lowest_bit

SHARED_FATE_KEEPS = 2


@kernel
def is_unsettled(s):
    """Whether there is anything to settle: somebody at 0 life, played cards still on the table, or priority due."""
    due = s["priority_due"] != 0 or s["spring_due"] != 0 or s["due_item"] != 0
    return s["played_size"] > 0 or due or queries.zero_mask(s) != 0


@kernel
def _defeat(t, s, fallen):
    """Mark all, discard hands and items in turn order, reveal roles (A-8, steps 1 to 3)."""
    s["active"] = np.int64(s["active"]) & ~fallen
    players = int(s["num_players"])
    for step in range(players):
        seat = (int(s["current"]) + step) % players
        if (fallen >> seat) & 1:
            events.log(s, events.L_DEFEAT, seat, -1, int(s["role"][seat]), 0, 0)
            piles.discard_hand(t, s, seat)
            tabletop.discard_items(t, s, seat)
            characters.leave(t, s, seat)
    for seat in range(players):
        if (fallen >> seat) & 1:
            s["role_seen"][seat] = st.EVERYBODY


@kernel
def reveal_midboss(t, s, fallen):
    """The EX Midboss reveals as soon as the Extra Boss has fallen (R-9)."""
    extra = -1
    for seat in range(s["num_players"]):
        if (fallen >> seat) & 1 and int(t["role_factions"][int(s["role"][seat])]) == v.EXTRA_BOSSES:
            extra = seat
    if extra < 0:
        return
    for seat in range(s["num_players"]):
        factions = int(t["role_factions"][int(s["role"][seat])])
        if factions == v.MIDBOSSES and not queries.is_role_open(s, seat):
            tabletop.open_role(s, seat)


@kernel
def _mourn(t, s, fallen):
    """What defeats bring to others (A-8, step 4)."""
    if not queries.has_expansion(s):
        return
    first = int(s["depth"])
    for seat in range(s["num_players"]):
        if (fallen >> seat) & 1:
            stack.lay_triggers(t, s, v.DEFEATED, seat, -1, -1)
    triggers.sort_by_seat(s, first)
    stack.gather(s, first)


@kernel
def _share_fate(t, s, fallen):
    """A fallen Partner strips the Heroine of all items and all but two hand cards; she cannot answer (A-9)."""
    heroine = queries.faction_seat(t, s, v.HEROINES, np.int64(s["active"]))
    if heroine < 0:
        return
    for seat in range(s["num_players"]):
        if (fallen >> seat) & 1 and t["role_fate"][int(s["role"][seat])]:
            f = stack.push(s, fr.TRIM_FRAME, heroine)
            s["stack"][f, fr.TRIM_SIZE] = SHARED_FATE_KEEPS
            tabletop.discard_items(t, s, heroine)  # what an item does on leaving lies above: it comes before the hand
            return


@kernel
def _take_over(t, s, fallen):
    """The Rival becomes the Heroine when she falls (R-5); the former Heroine keeps no role."""
    heroine = queries.faction_seat(t, s, v.HEROINES, fallen)
    rival = queries.faction_seat(t, s, v.RIVALS, np.int64(s["active"]))
    if heroine < 0 or rival < 0:
        return
    s["role"][rival] = s["role"][heroine]
    s["role"][heroine] = 0
    tabletop.open_role(s, rival)
    life.gain_life(t, s, rival, 1, -1)


@kernel
def _is_over(t, s, i):
    """Whether a defeat ends the incident at place `i`: as printed, or because fewer cards are enough now."""
    incident = int(s["incidents"][i]) - 1
    return t["ends_on_defeat"][incident] or (t["needs_per_player"][incident] and queries.has_all(t, s, i))


@kernel
def _end_incidents(t, s):
    for i in range(int(s["incident_size"]) - 1, -1, -1):
        if i < s["incident_size"] and _is_over(t, s, i):
            piles.resolve_incident_at(t, s, i)


@kernel
def _give_last_chances(s, frame):
    """Before anything is settled all must have passed since somebody fell to 0 life, and since an attack left the stack (A-7, K-3)."""
    if queries.zero_mask(s):
        frame[fr.AT] = fr.AT_CHECK
        stack.push_window(s, v.RESCUE, -1)
    elif s["priority_due"]:
        stack.push_window(s, v.STEP, -1)
    else:
        frame[fr.AT] = fr.AT_CHECK


@kernel
def settle(t, s, f):
    """One step of SETTLE."""
    frame = s["stack"][f]
    at = frame[fr.AT]
    if at == fr.AT_RESCUE:
        _give_last_chances(s, frame)
    elif at == fr.AT_CHECK:
        tabletop.discard_played(t, s)
        fallen = queries.zero_mask(s)
        if fallen == 0:
            stack.pop(s)
            if s["spring_due"]:
                s["spring_due"] = 0
                stack.push_triggers(t, s, v.SPRING_GONE, -1, -1, -1)
            if s["due_item"]:
                tabletop.hand_over_due(t, s)
            return
        frame[fr.SETTLE_FALLEN] = fallen
        _defeat(t, s, fallen)
        reveal_midboss(t, s, fallen)
        frame[fr.AT] = fr.AT_FATE
    elif at == fr.AT_FATE:
        frame[fr.AT] = fr.AT_TAKEOVER
        _share_fate(t, s, int(frame[fr.SETTLE_FALLEN]))
    elif at == fr.AT_TAKEOVER:
        frame[fr.AT] = fr.AT_VICTORY
        _take_over(t, s, int(frame[fr.SETTLE_FALLEN]))
        _mourn(t, s, int(frame[fr.SETTLE_FALLEN]))
    else:
        frame[fr.AT] = fr.AT_RESCUE
        _end_incidents(t, s)
        victory.check_victory(t, s)


@kernel
def trim(t, s, f):
    """TRIM: a seat discards down to a hand size, one card of its choice at a time (I-18)."""
    frame = s["stack"][f]
    seat = int(frame[fr.SEAT])
    if not actions.has_answer(s):
        size = int(frame[fr.TRIM_SIZE])
        if s["hand_size"][seat] <= (size if size else queries.max_hand(t, s, seat)):  # what is discarded can end an incident (I-3)
            stack.pop(s)
            return
        if actions.ask_kind(s, seat, actions.Q_DISCARD, int(s["hand_kinds"][seat]), False):
            return
    card = actions.chosen_card(t, s, seat, st.IN_HAND, seat, queries.seasons_matter(t, s))
    if card != actions.WAITING:
        piles.discard_from_hand(t, s, card)


@kernel
def _excess(t, s, seat, kind_bits):
    """Bits of the kinds in play of a limited type, when there are more than one card of them."""
    kinds = queries.item_kinds(t, s, seat) & kind_bits
    cards = 0
    left = kinds
    while left:
        cards += int(s["item_counts"][seat, int(t["kind_slot"][lowest_bit(left)])])
        left &= left - 1
    return kinds if cards > 1 else 0


@kernel
def limit(t, s, f):
    """LIMIT: of two defense cards or two artifacts the controller discards one at once (C-8), or has one chosen (L-8)."""
    seat = int(s["stack"][f, fr.SEAT])
    chooser = int(s["stack"][f, fr.LIMIT_BY]) - 1 if s["stack"][f, fr.LIMIT_BY] else seat
    if not actions.has_answer(s):
        if queries.has_expansion(s) and queries.stat(t, s, seat, v.NO_ITEM_LIMITS) > 0:
            stack.pop(s)
            return
        kinds = _excess(t, s, seat, queries.kinds_of(t, v.DEFENSE))
        if kinds == 0:
            kinds = _excess(t, s, seat, queries.kinds_of(t, v.ARTIFACT))
        if kinds == 0:
            stack.pop(s)
            return
        if actions.ask_kind(s, chooser, actions.Q_LIMIT, kinds, False):
            return
    card = actions.chosen_card(t, s, chooser, st.IN_PLAY, seat, queries.seasons_matter(t, s))
    if card != actions.WAITING:
        tabletop.discard_item(t, s, card)
