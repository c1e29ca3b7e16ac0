"""PLAY: a card, Spell Card, ability, trigger or incident action on its way from announcement to effect (K-2)."""

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.compile import COUNTS_AS_DANMAKU, T_ANNOUNCE, T_CANCEL, T_FLAGS, T_RESOLVE, T_TYPES
from danmaku_env.engine import actions, events, legality, piles, program, queries, stack
from danmaku_env.engine import state as st
from danmaku_env.engine.compiled import kernel
from danmaku_env.engine.operations import moving


@kernel
def push_play(s, seat, action, event, subject):
    """A seat uses an offered action; what exactly it means is settled by the frame's first step."""
    f = stack.push(s, st.PLAY, seat)
    frame = s["stack"][f]
    frame[st.WHAT] = action
    frame[stack.MOMENT] = event
    frame[st.SUBJECT] = subject + 1


@kernel
def _choose_mode(t, s, f, first, second):
    """Settle which of two texts is meant (0: not usable); the question comes up only when both are."""
    frame = s["stack"][f]
    if first and second:
        if not actions.has_answer(s):
            actions.ask_misc(s, int(frame[st.SEAT]), actions.Q_HALF, (1 << actions.TOP) | (1 << actions.BOTTOM))
            if not actions.has_answer(s):
                return False
        frame[st.TEXT] = first if actions.take_answer(s) == actions.TOP else second
    else:
        frame[st.TEXT] = first if first else second
    return True


@kernel
def _settle_mode(t, s, f):
    frame = s["stack"][f]
    seat = int(frame[st.SEAT])
    action = int(frame[st.WHAT])
    event = int(frame[stack.MOMENT])
    subject = int(frame[st.SUBJECT]) - 1
    frame[st.AT] = stack.P_ANNOUNCE
    if action < actions.SOURCE:
        frame[st.TEXT] = t["use_text"][action - actions.USE]
        return
    if action < actions.REVEAL:
        frame[st.TEXT] = t["source_text"][action - actions.SOURCE]
        return
    if action < actions.KIND_BASE:
        kind = action - actions.PLAY_BASE
        texts = t["mode_text"][kind]
        usable0 = legality.is_mode_playable(t, s, seat, kind, 0, event, subject)
        usable1 = legality.is_mode_playable(t, s, seat, kind, 1, event, subject)
        frame[st.AT] = stack.P_CARD
    else:
        texts = t["ability_text"][action - actions.ABILITY_BASE]
        usable0 = legality.is_usable(t, s, int(texts[0]), seat, event, subject, -1)
        usable1 = texts[1] > 0 and legality.is_usable(t, s, int(texts[1]), seat, event, subject, -1)
    if not _choose_mode(t, s, f, int(texts[0]) if usable0 else 0, int(texts[1]) if usable1 else 0):
        frame[st.AT] = stack.P_MODE


@kernel
def _settle_card(t, s, f):
    """The physical card leaves the hand and is shown; danmaku is counted on announcement (K-19)."""
    frame = s["stack"][f]
    seat = int(frame[st.SEAT])
    kind = int(frame[st.WHAT]) - actions.PLAY_BASE
    if s["pending_kind"]:
        card = actions.chosen_card(t, s, seat, st.IN_HAND, seat, True)
    else:
        card = actions.pick_copy(t, s, seat, kind, st.IN_HAND, seat, queries.seasons_matter(t, s))
        if card == actions.WAITING and actions.has_answer(s):
            card = actions.chosen_card(t, s, seat, st.IN_HAND, seat, True)
    if card == actions.WAITING:
        return
    piles.start_playing(t, s, card)
    frame[st.CARD] = card + 1
    row = t["text"][int(frame[st.TEXT])]
    if int(row[T_FLAGS]) & COUNTS_AS_DANMAKU:
        s["danmaku_played"][seat] += 1
    if queries.has_law(t, s, v.NO_ITEMS) and int(row[T_TYPES]) & v.ITEM:  # S-9: discarded instead, nothing happens
        piles.stop_playing(s, card)
        events.log_card(s, events.L_DISCARD, seat, -1, -1, 0, 0, card, piles.EVERYBODY)
        piles.discard(t, s, card)
        frame[st.AT] = stack.P_DONE
        return
    frame[st.AT] = stack.P_ANNOUNCE


@kernel
def _announce(t, s, f):
    frame = s["stack"][f]
    text = int(frame[st.TEXT])
    if frame[st.PC] == 0:
        legality.mark_spent(t, s, text, int(frame[st.SEAT]), int(frame[st.SUBJECT]) - 1)
        frame[st.PC] = t["text"][text, T_ANNOUNCE]
    if frame[st.PC] and not program.run(t, s, f):
        return
    frame[st.PC] = 0
    frame[st.AT] = stack.P_DECLARED


@kernel
def _declare(t, s, f):
    """Everybody knows what is played on whom; cancelling comes now or never."""
    frame = s["stack"][f]
    text = int(frame[st.TEXT])
    flags = int(frame[st.FLAGS])
    event = events.L_USE
    if flags & st.IS_SPELL:
        event = events.L_SPELL
    elif frame[st.CARD]:
        event = events.L_PLAY
    seat = int(frame[st.SEAT])
    target = int(frame[st.PICKED]) - 1
    events.log_card(s, event, seat, target, -1, text, flags & st.IS_COPY, int(frame[st.CARD]) - 1, piles.EVERYBODY)
    if event == events.L_SPELL and target >= 0 and target != seat:
        events.tally(s, st.SPELLS, seat, target)
    frame[st.AT] = stack.P_PUT
    if t["text"][text, T_CANCEL] and flags & st.IS_COPY == 0:
        stack.push_window(s, v.CANCEL, f)


@kernel
def _is_answerable(t, s):
    """Whether anything in these sets answers a card between its cancel window and its effect."""
    if int(t["response_kinds"]) == 0 and int(t["response_spells"]) == 0:
        return False
    for seat in range(s["num_players"]):
        if int(s["hand_kinds"][seat]) & int(t["response_kinds"]) or int(s["spells"][seat]) & int(t["response_spells"]):
            return True
    return False


@kernel
def _put_on_stack(t, s, f):
    """Through the cancel window: the effects are on the stack, texts that trigger on playing come on top."""
    frame = s["stack"][f]
    if int(frame[st.FLAGS]) & st.CANCELLED:
        frame[st.AT] = stack.P_DONE
        return
    frame[st.AT] = stack.P_RESPONSE
    if frame[st.CARD] and int(frame[st.FLAGS]) & st.IS_SPELL == 0:
        stack.push_triggers(t, s, v.PLAYED, -1, int(frame[st.SEAT]), f)


@kernel
def _resolve(t, s, f):
    """Begin the effect. What was played on behalf of another is that player's from now on (H-12). Items enter play."""
    frame = s["stack"][f]
    row = t["text"][int(frame[st.TEXT])]
    if frame[st.BEHALF]:
        frame[st.SEAT] = frame[st.BEHALF] - 1
    frame[st.AT] = stack.P_RUN
    frame[st.PC] = row[T_RESOLVE]
    if int(row[T_TYPES]) & v.ITEM and frame[st.CARD]:
        card = int(frame[st.CARD]) - 1
        piles.stop_playing(s, card)
        moving.gain_item(t, s, card, int(frame[st.SEAT]))


@kernel
def _run(t, s, f):
    frame = s["stack"][f]
    if frame[st.PC] and not program.run(t, s, f):
        return
    if frame[st.AT] == stack.P_RUN:  # not turned into a Spell Card meanwhile
        frame[st.AT] = stack.P_DONE


@kernel
def play(t, s, f):
    """One step of PLAY."""
    at = s["stack"][f, st.AT]
    if at == stack.P_MODE:
        _settle_mode(t, s, f)
    elif at == stack.P_CARD:
        _settle_card(t, s, f)
    elif at == stack.P_ANNOUNCE:
        _announce(t, s, f)
    elif at == stack.P_DECLARED:
        _declare(t, s, f)
    elif at == stack.P_PUT:
        _put_on_stack(t, s, f)
    elif at == stack.P_RESPONSE:
        s["stack"][f, st.AT] = stack.P_RESOLVE
        if s["stack"][f, st.CARD] and _is_answerable(t, s):
            stack.push_window(s, v.RESPONSE, f)
    elif at == stack.P_RESOLVE:
        _resolve(t, s, f)
    elif at == stack.P_RUN:
        _run(t, s, f)
    else:
        stack.pop(s)
