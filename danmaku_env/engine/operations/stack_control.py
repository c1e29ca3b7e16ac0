"""Family STACK: what changes other frames, the turn, or the rules for a while: cancel, avoid, activate, copy, lasting effects, skips, bans.

A program's row that answers something on the stack marks the frame answered to (its subject); that frame itself draws the consequence when
it is carried on (`procedures/play.py`, `procedures/attack.py`). Frames are opened and closed by `engine/stack.py`; the rows of lasting
effects are kept by `engine/lasting.py`.
"""

import numpy as np

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.tables import CHARS, T_INCIDENT, T_RELATION
from danmaku_env.engine import actions, events, groups, incident_deck, lasting, legality, piles, queries, stack, tabletop
from danmaku_env.engine import frames as fr
from danmaku_env.engine import state as st
from danmaku_env.engine.operations import AGAIN, ENDED, NEXT, WAIT, choices, flow
from danmaku_env.jit.kernels import kernel, lowest_bit

_RESET_COLUMNS = (
    fr.PLAY_PC, fr.PLAY_CHOSEN, fr.PLAY_SECOND, fr.PLAY_AMOUNT, fr.PLAY_PICK, fr.PLAY_EACH, fr.PLAY_REMAINING, fr.PLAY_FLIPPED,
    fr.PLAY_DECK, fr.PLAY_END,
)  # fmt: skip
"""What the text that is given up has chosen, counted and gone through."""


@kernel
def _is_copied_for_another(t, frame, target):
    """Whether a text by which its user avoids an attack is copied by somebody who is not attacked: that step does nothing (K-13)."""
    if int(frame[fr.PLAY_FLAGS]) & fr.IS_COPY == 0 or target == int(frame[fr.SEAT]):
        return False
    relation = int(t["text"][int(frame[fr.PLAY_TEXT]), T_RELATION])
    return relation == v.MINE or relation == v.MINE_AVOIDABLE


@kernel
def _avoid(t, s, f):
    """The attack answered to is avoided, unless it cannot be, before the text goes on.

    First whoever may replace that is asked (A-13): AGAIN until the window is over. If it was not given up, the attack has left the stack,
    and what this triggers is laid below whatever the text does from here on (A-14).
    """
    frame = s["stack"][f]
    subject = int(frame[fr.PLAY_SUBJECT]) - 1
    if subject < 0 or s["stack"][subject, fr.PROCEDURE] != fr.ATTACK_FRAME:
        return NEXT
    avoided = s["stack"][subject]
    if _is_copied_for_another(t, frame, int(avoided[fr.ATTACK_TARGET]) - 1):
        return NEXT
    if int(frame[fr.PLAY_FLAGS]) & fr.IS_AVOIDING == 0:
        if int(avoided[fr.ATTACK_FLAGS]) & (fr.IS_UNAVOIDABLE | fr.IS_AVOIDED):
            return NEXT
        avoided[fr.ATTACK_FLAGS] = int(avoided[fr.ATTACK_FLAGS]) | fr.IS_AVOIDED
        if stack.is_answered(t, s, v.AVOIDING):
            frame[fr.PLAY_FLAGS] = int(frame[fr.PLAY_FLAGS]) | fr.IS_AVOIDING
            stack.push_window(s, v.AVOIDING, subject)
            return AGAIN
    frame[fr.PLAY_FLAGS] = int(frame[fr.PLAY_FLAGS]) & ~fr.IS_AVOIDING
    if int(avoided[fr.ATTACK_FLAGS]) & fr.IS_AVOIDED:
        target, attacker = int(avoided[fr.ATTACK_TARGET]) - 1, int(avoided[fr.SEAT])
        events.log(s, events.L_AVOID, target, attacker, -1, 0, 0)
        stack.push_avoided(t, s, target, attacker, subject)
    return NEXT


@kernel
def _prevent(s, f):
    """The hit that is about to land takes no life (L-28)."""
    subject = int(s["stack"][f, fr.PLAY_SUBJECT]) - 1
    s["stack"][subject, fr.ATTACK_FLAGS] = int(s["stack"][subject, fr.ATTACK_FLAGS]) | fr.IS_HARMLESS


@kernel
def _give_up(s, f):
    """The avoidance that is about to take effect does not."""
    subject = int(s["stack"][f, fr.PLAY_SUBJECT]) - 1
    if subject >= 0 and s["stack"][subject, fr.PROCEDURE] == fr.ATTACK_FRAME:
        s["stack"][subject, fr.ATTACK_FLAGS] = int(s["stack"][subject, fr.ATTACK_FLAGS]) & ~fr.IS_AVOIDED


@kernel
def _count_rounds(s, f):
    """One more round in a row, once in a round (L-13)."""
    frame = s["stack"][f]
    seat = int(frame[fr.SEAT])
    if s["in_streak"][seat] == 0:
        s["in_streak"][seat] = 1
        s["streak"][seat] = min(int(s["streak"][seat]) + 1, fr.MOST_NUMBER)
    frame[fr.PLAY_AMOUNT] = s["streak"][seat]


@kernel
def _cancel(s, f):
    frame = s["stack"][f]
    subject = int(frame[fr.PLAY_SUBJECT]) - 1
    if subject >= 0 and s["stack"][subject, fr.PROCEDURE] == fr.PLAY_FRAME:
        s["stack"][subject, fr.PLAY_FLAGS] = int(s["stack"][subject, fr.PLAY_FLAGS]) | fr.IS_CANCELLED
        events.log(
            s, events.L_CANCEL, int(frame[fr.SEAT]), int(s["stack"][subject, fr.SEAT]), -1, int(s["stack"][subject, fr.PLAY_TEXT]), 0
        )


@kernel
def become_spell(t, s, f, character):
    """The frame turns into the activation of a character's Spell Card; of one that picks another's it goes on to be that."""
    frame = s["stack"][f]
    picked_by_spell = int(frame[fr.PLAY_FLAGS]) & fr.IS_SPELL
    frame[fr.PLAY_TEXT] = t["spell_text"][character]
    frame[fr.PLAY_FLAGS] = fr.IS_SPELL | (fr.IS_FOR_OWN if picked_by_spell else 0)
    for column in _RESET_COLUMNS:
        frame[column] = 0
    frame[fr.AT] = fr.AT_ANNOUNCE


@kernel
def _spells_of_owner(t, s, f, word):
    """Bits of the characters of the seat of `word` whose Spell Card a frame may activate."""
    frame = s["stack"][f]
    owner = groups.who(s, f, word)
    if owner < 0:
        return 0
    ready = legality.spells_of(t, s, int(frame[fr.SEAT]), owner, int(frame[fr.PLAY_MOMENT]), int(frame[fr.PLAY_SUBJECT]) - 1, 0)
    return ready if ready else legality.capturable(t, queries.primaries(s, owner))


@kernel
def _activate(t, s, f, word):
    """The frame turns into the activation of a Spell Card: one's own that was named, or one of `word`. WAIT while several are ready."""
    if word == v.ME:  # also when what was paid meanwhile took its target away, or it itself
        named = int(s["stack"][f, fr.PLAY_REMAINING]) - 1
        if 0 <= named < CHARS and t["spell_text"][named]:
            become_spell(t, s, f, named)
        return ENDED
    ready = _spells_of_owner(t, s, f, word)
    if ready == 0:  # nobody has been chosen (K-13)
        return ENDED
    if not queries.has_several(ready):
        become_spell(t, s, f, lowest_bit(ready))
        return ENDED
    if not actions.has_answer(s) and actions.ask_character(s, int(s["stack"][f, fr.SEAT]), actions.Q_SPELL, ready, False):
        return WAIT
    become_spell(t, s, f, actions.chosen_character(s))
    return ENDED


@kernel
def _copy(s, f):
    """Put a copy of the thing answered to on the stack: announced anew by the copier, uncancellable, not played (H-14)."""
    frame = s["stack"][f]
    if frame[fr.PLAY_SUBJECT] == 0:
        return
    subject = s["stack"][int(frame[fr.PLAY_SUBJECT]) - 1]
    c = stack.push(s, fr.PLAY_FRAME, int(frame[fr.SEAT]))
    copy = s["stack"][c]
    copy[fr.AT] = fr.AT_ANNOUNCE
    copy[fr.PLAY_TEXT] = subject[fr.PLAY_TEXT]
    copy[fr.PLAY_SUBJECT] = subject[fr.PLAY_SUBJECT]
    copy[fr.PLAY_MOMENT] = subject[fr.PLAY_MOMENT]
    copy[fr.PLAY_FLAGS] = fr.IS_COPY | (int(subject[fr.PLAY_FLAGS]) & fr.IS_SPELL)


@kernel
def _spare(s, seat):
    if seat >= 0:
        s["spared"] = np.int64(s["spared"]) | (1 << seat)


@kernel
def _resolve_incident(t, s, f):
    """An incident's own text resolves that one; others the one in play, or of several the one that is named (I-21)."""
    if t["text"][int(s["stack"][f, fr.PLAY_TEXT]), T_INCIDENT]:
        place = queries.own_incident(t, s, f)
    elif s["incident_size"] <= 1:
        place = int(s["incident_size"]) - 1
    else:
        incident = choices.ask_incident(s, f, queries.incidents_in_play(s))
        if incident < 0:
            return WAIT
        place = queries.place_of_incident(s, incident)
    if place >= 0:
        piles.resolve_incident_at(t, s, place)
    return NEXT


@kernel
def carry_out(t, s, f, op, a, b, c):
    if op == v.CANCEL_IT:
        _cancel(s, f)
    elif op == v.AVOID_IT:
        return _avoid(t, s, f)
    elif op == v.ACTIVATE:
        return _activate(t, s, f, a)
    elif op == v.COPY_IT:
        _copy(s, f)
    elif op == v.LAST:
        lasting.add(t, s, int(s["stack"][f, fr.SEAT]), a, groups.who(s, f, b), c)
    elif op == v.SKIP_NEXT_TURN:
        seat = groups.who(s, f, a)
        if seat >= 0:
            s["skip_next"][seat] = 1
    elif op == v.SKIP_THIS_TURN:
        s["skipping"] = 1
    elif op == v.BAN_ACTIONS:
        s["action_ban"] = 1
    elif op == v.RESOLVE_INCIDENT:
        return _resolve_incident(t, s, f)
    elif op == v.SHUFFLE_INCIDENTS:
        incident_deck.shuffle_incidents(s)
    elif op == v.BRING_INCIDENT:
        incident_deck.bring_incident(t, s, int(s["current"]))
    elif op == v.ADD_DRAWS:
        s["draws"] += a
    elif op == v.GIVE_UP_IT:
        _give_up(s, f)
    elif op == v.REMEMBER_FLIP:
        flow.remember_flip(s["stack"][f], a)
    elif op == v.COUNT_ROUNDS:
        _count_rounds(s, f)
    elif op == v.DRAW_AGAIN:
        s["stack"][int(s["stack"][f, fr.PLAY_SUBJECT]) - 1, fr.DRAWING_NEW] = 1
    elif op == v.DRAW_MORE:
        s["stack"][int(s["stack"][f, fr.PLAY_SUBJECT]) - 1, fr.DRAWING_MAIN] += a
    elif op == v.PREVENT_IT:
        _prevent(s, f)
    elif op == v.EXTRA_TURN:
        if s["extra_turn"] == 0:  # they never follow on each other
            s["extra_turn"] = st.EXTRA_TURN_OF + int(s["stack"][f, fr.SEAT])
    elif op == v.REVEAL_MY_ROLE:
        tabletop.open_role(s, int(s["stack"][f, fr.SEAT]))
    elif op == v.SPARE_LIFE:
        _spare(s, groups.who(s, f, a))
    else:
        s["skip_incident"] = 1
    return NEXT
