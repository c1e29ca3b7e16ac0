"""What is put on the stack: effects, windows, and triggered texts."""

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.tables import (
    MAKES_ATTACKS,
    PICKS_OWNER,
    T_ANNOUNCE,
    T_CHARACTER,
    T_EVENTS,
    T_FLAGS,
    T_ONCE,
    T_RELATION,
    T_TAGS,
    T_TYPES,
)
from danmaku_env.engine import characters, groups, legality, queries
from danmaku_env.engine import frames as fr
from danmaku_env.engine import state as st
from danmaku_env.jit.kernels import kernel, lowest_bit
from danmaku_env.machine import stack

is_triggered = kernel(fr.is_triggered)
push, pop, move = stack.push, stack.pop, stack.move


@kernel
def push_text(t, s, seat, text, subject):
    """Put an effect on the stack that nobody can answer, a trigger or an incident's action; what it leaves to choose is chosen first."""
    f = push(s, fr.PLAY_FRAME, seat)
    frame = s["stack"][f]
    frame[fr.AT] = fr.AT_ANNOUNCE if t["text"][text, T_ANNOUNCE] else fr.AT_RESOLVE
    frame[fr.PLAY_TEXT] = text
    frame[fr.PLAY_SUBJECT] = subject + 1
    return f


@kernel
def push_window(s, event, subject):
    """Open a window in which every seat may answer the subject frame (-1: none). In turn zero nobody has priority (L-1)."""
    if s["turn_step"] == st.STEP_ZERO:
        return
    f = push(s, fr.WINDOW_FRAME, int(s["current"]))
    s["stack"][f, fr.WINDOW_EVENT] = event
    s["stack"][f, fr.WINDOW_SUBJECT] = subject + 1


@kernel
def is_answered(t, s, event):
    """Whether anybody could have a text that is for this window in particular, also by activating another's Spell Card."""
    if not queries.has_expansion(s) or s["turn_step"] == st.STEP_ZERO:
        return False
    for seat in range(s["num_players"]):
        if (int(s["abilities"][seat]) | int(s["spells"][seat])) & int(t["answers"][event]):
            return True
        if int(s["hand_kinds"][seat]) & int(t["answer_kinds"][event]):
            return True
    return False


@kernel
def push_owned_window(s, event, owner):
    """Open a window about something that happened to a seat."""
    f = push(s, fr.WINDOW_FRAME, int(s["current"]))
    s["stack"][f, fr.WINDOW_EVENT] = event
    s["stack"][f, fr.WINDOW_OWNER] = owner + 1


@kernel
def restart_round(window):
    """Something has been done: priority starts again with the current player (K-3)."""
    window[fr.WINDOW_PASSES] = 0
    window[fr.WINDOW_PRIORITY] = 0


@kernel
def restart_rounds(s, f):
    """The same in every window below frame `f`: what an instant has brought about may be answered by more than an instant."""
    for below in range(f):
        if s["stack"][below, fr.PROCEDURE] == fr.WINDOW_FRAME:
            restart_round(s["stack"][below])


@kernel
def attack_source(t, s, f):
    """The frame whose card or Spell Card an attack made in frame `f` belongs to (H-13: an extra attack belongs to the first one's)."""
    frame = s["stack"][f]
    row = t["text"][int(frame[fr.PLAY_TEXT])]
    if row[T_ONCE] == v.ONCE_PER_ATTACK and (int(row[T_EVENTS]) >> v.AVOIDED) & 1:
        return int(s["stack"][int(frame[fr.PLAY_SUBJECT]) - 1, fr.ATTACK_SOURCE]) - 1
    return f


@kernel
def _is_play_of(t, s, f, types):
    """Whether the card of a PLAY frame was played as one of the types, and will go to the discard pile as things are (L-9)."""
    frame = s["stack"][f]
    if int(frame[fr.PLAY_FLAGS]) & fr.IS_SPELL:
        played = v.INVOCATION
    else:
        played = int(t["text"][int(frame[fr.PLAY_TEXT]), T_TYPES])
    card = int(frame[fr.PLAY_CARD]) - 1
    return played & types != 0 and s["zone"][card] == st.BEING_PLAYED and s["holder"][card] == 0


@kernel
def _is_own_spell(t, s, f, seat):
    """Whether a Spell Card on the stack is one of the seat's own; one that picks another's is activated only as that other."""
    frame = s["stack"][f]
    text = int(frame[fr.PLAY_TEXT])
    if int(frame[fr.PLAY_FLAGS]) & fr.IS_FOR_OWN:
        return True
    return int(t["text"][text, T_FLAGS]) & PICKS_OWNER == 0 and (groups.holders_mask(t, s, text) >> seat) & 1 == 1


@kernel
def _concerns(t, s, text, seat, mine, by, subject):
    """Whether a triggered text of `seat` answers an event that happened to `mine` through `by`."""
    row = t["text"][text]
    relation = int(row[T_RELATION])
    if relation == v.MINE:
        return seat == mine
    if relation == v.ALWAYS:
        return True
    if relation == v.OWN_EXTRA_SPELL:
        character = int(t["text"][int(s["stack"][subject, fr.PLAY_TEXT]), T_CHARACTER])
        return seat == by and row[T_CHARACTER] > 0 and characters.source_of_extra(s, seat, character) == row[T_CHARACTER]
    if relation == v.OWN_DANMAKU:
        played = t["text"][int(s["stack"][subject, fr.PLAY_TEXT])]
        return seat == by and int(played[T_TYPES]) & v.DANMAKU != 0
    if relation == v.BY_ME and seat == by:
        if row[T_ONCE] != v.ONCE_PER_ATTACK:
            return True
        source = int(s["stack"][subject, fr.ATTACK_SOURCE]) - 1
        return source < 0 or int(s["stack"][source, fr.PLAY_FLAGS]) & fr.HAS_EXTRA_ATTACK == 0
    if relation == v.OWN_SPELL:
        return seat == by and _is_own_spell(t, s, subject, seat)
    if relation == v.OWN_PLAY:
        return seat == by and _is_play_of(t, s, subject, int(row[T_TAGS]))
    if relation == v.BY_MY_ATTACK:
        return seat == by and s["stack"][subject, fr.PROCEDURE] == fr.ATTACK_FRAME
    return relation == v.BY_ANOTHER and seat != by


@kernel
def _push_trigger(t, s, seat, text, mine, by, subject):
    """Put one triggered text on the stack if it concerns the seat; one that attacks wants room for what may come of that."""
    if text == 0 or legality.is_spent(t, s, text, seat, -1) or not _concerns(t, s, text, seat, mine, by, subject):
        return
    if int(t["text"][text, T_FLAGS]) & MAKES_ATTACKS == 0 or s["depth"] <= fr.DEPTH - fr.ROOM_FOR_REACTION:
        push_text(t, s, seat, text, subject)


@kernel
def _push_seat_triggers(t, s, event, seat, mine, by, subject):
    chars = int(s["abilities"][seat]) & int(t["event_chars"][event])
    if s["turn_step"] == st.STEP_ZERO and event != v.GAME_START:  # L-1
        chars = 0
    while chars:
        _push_trigger(t, s, seat, int(t["char_trigger"][event, lowest_bit(chars)]), mine, by, subject)
        chars &= chars - 1
    slots = int(s["item_slots"][seat]) & int(t["event_slots"][event])
    while slots and queries.items_work(s, seat):
        slot = lowest_bit(slots)
        text = int(t["slot_trigger"][event, slot])
        for _ in range(legality.triggering_copies(t, s, text, seat, slot)):
            _push_trigger(t, s, seat, text, mine, by, subject)
        slots &= slots - 1
    _push_trigger(t, s, seat, int(t["role_trigger"][event, int(s["role"][seat])]), mine, by, subject)


@kernel
def push_own(t, s, event, slot, seat):
    """Put what an item itself does when it comes to a seat, or leaves it, on the stack."""
    text = int(t["slot_trigger"][event, slot])
    if text and queries.is_active(s, seat) and queries.items_work(s, seat):
        push_text(t, s, seat, text, -1)


@kernel
def _has_text(s, seat, chars, slots, roles):
    """Whether an active seat has any of these abilities, items and roles."""
    found = int(s["abilities"][seat]) & chars | int(s["item_slots"][seat]) & slots | (1 << int(s["role"][seat])) & roles
    return found != 0 and queries.is_active(s, seat)


@kernel
def lay_triggers(t, s, event, mine, by, subject):
    """Put every text that an event triggers on the stack, in play order from the current player; `gather` has to follow.

    `mine` and `by` are the seats the event happened to and came from (-1: nobody).
    """
    chars, slots, roles = int(t["event_chars"][event]), int(t["event_slots"][event]), int(t["event_roles"][event])
    players = int(s["num_players"])
    seat = int(s["current"])
    for _ in range(players):
        seat = seat - players if seat >= players else seat
        if _has_text(s, seat, chars, slots, roles):
            _push_seat_triggers(t, s, event, seat, mine, by, subject)
        seat += 1


@kernel
def gather(s, first):
    """Have the texts of one event, from frame `first` on, decided and ordered before any of them happens (K-14).

    Nothing is to be done for none. One alone is decided and carried out as it is.
    """
    if int(s["depth"]) > first + 1:
        _open_triggers(s, first)


@kernel
def _open_triggers(s, first):
    f = push(s, fr.TRIGGERS_FRAME, int(s["current"]))
    s["stack"][f, fr.TRIGGERS_FIRST] = first + 1


@kernel
def push_triggers(t, s, event, mine, by, subject):
    """Put every text that an event triggers on the stack, the current player's lowest, so that the last resolves first (K-14)."""
    first = int(s["depth"])
    lay_triggers(t, s, event, mine, by, subject)
    gather(s, first)


@kernel
def push_avoided(t, s, target, attacker, subject):
    """Put the texts that an avoided attack triggers on the stack; `triggers` moves them below the effect that avoids it (A-14)."""
    first = int(s["depth"])
    lay_triggers(t, s, v.AVOIDED, target, attacker, subject)
    if int(s["depth"]) > first:
        _open_triggers(s, first)


@kernel
def end_decision(s, f):
    """The triggered text on top has been decided: declined, it is gone, else it waits for the others of its event, or is carried out."""
    frame = s["stack"][f]
    frame[fr.PLAY_PC] = 0
    if int(frame[fr.PLAY_FLAGS]) & fr.IS_CANCELLED:
        pop(s)
        return
    frame[fr.AT] = fr.AT_RESOLVE
    below = s["stack"][f - 1]
    if below[fr.PROCEDURE] == fr.TRIGGERS_FRAME:
        place = int(below[fr.TRIGGERS_FIRST]) - 1 + int(below[fr.TRIGGERS_DECIDED])
        below[fr.TRIGGERS_DECIDED] += 1
        move(s, f, place)
