"""PLAY: a card, Spell Card, ability, trigger or incident action on its way from announcement to effect (K-2)."""

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.tables import ACTIVATES_SPELL, COUNTS_AS_DANMAKU, T_ANNOUNCE, T_CANCEL, T_FLAGS, T_RELATION, T_RESOLVE, T_TYPES
from danmaku_env.engine import actions, events, legality, piles, program, queries, stack, tabletop
from danmaku_env.engine import frames as fr
from danmaku_env.engine import state as st
from danmaku_env.jit.kernels import kernel


@kernel
def push_play(s, seat, action, event, subject):
    """A seat uses an offered action; what exactly it means is settled by the frame's first step."""
    f = stack.push(s, fr.PLAY_FRAME, seat)
    frame = s["stack"][f]
    frame[fr.PLAY_ACTION] = action
    frame[fr.PLAY_MOMENT] = event
    frame[fr.PLAY_SUBJECT] = subject + 1


@kernel
def _choose_mode(s, f, first, second):
    """Settle which of two texts is meant (0: not usable); the question comes up only when both are."""
    frame = s["stack"][f]
    if first and second:
        if not actions.has_answer(s) and actions.ask_misc(s, int(frame[fr.SEAT]), actions.Q_HALF, actions.TOP_OR_BOTTOM):
            return False
        frame[fr.PLAY_TEXT] = first if actions.take_answer(s) == actions.TOP else second
    else:
        frame[fr.PLAY_TEXT] = first if first else second
    return True


@kernel
def _settle_mode(t, s, f):
    frame = s["stack"][f]
    seat = int(frame[fr.SEAT])
    action = int(frame[fr.PLAY_ACTION])
    event = int(frame[fr.PLAY_MOMENT])
    subject = int(frame[fr.PLAY_SUBJECT]) - 1
    frame[fr.AT] = fr.AT_ANNOUNCE
    if action < actions.SOURCE_BASE:
        frame[fr.PLAY_TEXT] = t["use_text"][action - actions.USE_BASE]
        return
    if action < actions.REVEAL_ROLE:
        frame[fr.PLAY_TEXT] = t["source_text"][action - actions.SOURCE_BASE]
        return
    if action < actions.KIND_BASE:
        kind = action - actions.PLAY_BASE
        texts = t["mode_text"][kind]
        usable0 = legality.is_mode_playable(t, s, seat, kind, 0, event, subject)
        usable1 = legality.is_mode_playable(t, s, seat, kind, 1, event, subject)
        frame[fr.AT] = fr.AT_CARD
    else:
        texts = t["ability_text"][action - actions.ABILITY_BASE]
        usable0 = legality.is_usable(t, s, int(texts[0]), seat, event, subject, -1)
        usable1 = texts[1] > 0 and legality.is_usable(t, s, int(texts[1]), seat, event, subject, -1)
    if not _choose_mode(s, f, int(texts[0]) if usable0 else 0, int(texts[1]) if usable1 else 0):
        frame[fr.AT] = fr.AT_MODE


@kernel
def _settle_card(t, s, f):
    """The physical card leaves the hand and is shown; danmaku is counted on announcement (K-19)."""
    frame = s["stack"][f]
    seat = int(frame[fr.SEAT])
    kind = int(frame[fr.PLAY_ACTION]) - actions.PLAY_BASE
    if s["pending_kind"]:
        card = actions.chosen_card(t, s, seat, st.IN_HAND, seat, True)
    else:
        card = actions.pick_copy(t, s, seat, kind, st.IN_HAND, seat, queries.seasons_matter(t, s))
        if card == actions.WAITING and actions.has_answer(s):
            card = actions.chosen_card(t, s, seat, st.IN_HAND, seat, True)
    if card == actions.WAITING:
        return
    tabletop.start_playing(t, s, card)
    frame[fr.PLAY_CARD] = card + 1
    row = t["text"][int(frame[fr.PLAY_TEXT])]
    if int(row[T_FLAGS]) & COUNTS_AS_DANMAKU:
        s["danmaku_played"][seat] += 1
    _answer_for(s, frame, int(row[T_RELATION]))
    if int(row[T_TYPES]) & v.DANMAKU:
        s["danmaku_cards"][queries.played_by(frame)] += 1
    if queries.has_law(t, s, v.NO_ITEMS) and int(row[T_TYPES]) & v.ITEM:  # S-9: discarded instead, nothing happens
        tabletop.stop_playing(s, card)
        events.log_card(s, events.L_DISCARD, seat, -1, -1, 0, 0, card, st.EVERYBODY)
        piles.discard(t, s, card)
        frame[fr.AT] = fr.AT_DONE
        return
    frame[fr.AT] = fr.AT_ANNOUNCE


@kernel
def _answer_for(s, frame, relation):
    """What answers an attack is played on behalf of whoever is attacked, be it by Eirin or a Graze for another (H-12, K-23)."""
    if relation == v.MINE or relation == v.MINE_AVOIDABLE or relation == v.PROTECTABLE:
        target = int(s["stack"][int(frame[fr.PLAY_SUBJECT]) - 1, fr.ATTACK_TARGET])
        if target != frame[fr.SEAT] + 1:
            frame[fr.PLAY_BEHALF] = target


@kernel
def _uses_up_spell(t, frame):
    """Whether a Spell Card is being activated, or what will turn into one; no copy, which nobody has activated (H-14)."""
    if int(frame[fr.PLAY_FLAGS]) & (fr.IS_SPELL | fr.IS_COPY) == fr.IS_SPELL:
        return True
    row = t["text"][int(frame[fr.PLAY_TEXT])]
    return int(row[T_FLAGS]) & ACTIVATES_SPELL != 0 or int(row[T_TYPES]) & v.INVOCATION != 0


@kernel
def _choose_spell(t, s, f):
    """Which of one's own Spell Cards is meant is said before anything is paid for it, be it what gave it (K-2). Whether it is settled."""
    frame = s["stack"][f]
    seat = int(frame[fr.SEAT])
    if not actions.has_answer(s):
        moment, subject = int(frame[fr.PLAY_MOMENT]), int(frame[fr.PLAY_SUBJECT]) - 1
        ready = legality.spells_in_way(t, s, int(frame[fr.PLAY_TEXT]), seat, moment, subject)
        if ready == 0:
            return True
        if actions.ask_character(s, seat, actions.Q_SPELL, ready, False):
            return False
    frame[fr.PLAY_REMAINING] = actions.chosen_character(s) + 1
    return True


@kernel
def _announce(t, s, f):
    frame = s["stack"][f]
    text = int(frame[fr.PLAY_TEXT])
    if stack.is_triggered(frame):
        if frame[fr.PLAY_PC] == 0:
            frame[fr.PLAY_PC] = t["text"][text, T_ANNOUNCE]
        if program.run(t, s, f):
            stack.end_decision(s, f)
        return
    if frame[fr.PLAY_PC] == 0:
        if int(t["text"][text, T_FLAGS]) & ACTIVATES_SPELL and not _choose_spell(t, s, f):
            return
        legality.mark_spent(t, s, text, int(frame[fr.SEAT]), int(frame[fr.PLAY_SUBJECT]) - 1)
        if _uses_up_spell(t, frame):
            s["spell_used"][int(frame[fr.SEAT])] = 1  # from here on: neither its cost nor what answers it leaves room for another
        frame[fr.PLAY_PC] = t["text"][text, T_ANNOUNCE]
    if frame[fr.PLAY_PC] and not program.run(t, s, f):
        return
    frame[fr.PLAY_PC] = 0
    frame[fr.AT] = fr.AT_DECLARE


@kernel
def _is_sure(t, s, frame):
    """Whether it is a Spell Card that cannot be cancelled because of the player who activated it with an invocation card."""
    if int(frame[fr.PLAY_FLAGS]) & fr.IS_SPELL == 0 or frame[fr.PLAY_CARD] == 0:
        return False
    return queries.stat(t, s, int(frame[fr.SEAT]), v.SURE_INVOCATIONS) > 0


@kernel
def _is_beyond_cancelling(t, s, frame):
    """Whether what is announced cannot be cancelled because of whose it is (L-6)."""
    if not queries.has_expansion(s):
        return False
    return queries.stat(t, s, queries.played_by(frame), v.NOT_CANCELLED) > 0 or _is_sure(t, s, frame)


@kernel
def _declare(t, s, f):
    """Everybody knows what is played on whom; cancelling comes now or never."""
    frame = s["stack"][f]
    text = int(frame[fr.PLAY_TEXT])
    flags = int(frame[fr.PLAY_FLAGS])
    event = events.L_USE
    if flags & fr.IS_SPELL:
        event = events.L_SPELL
    elif frame[fr.PLAY_CARD]:
        event = events.L_PLAY
    seat = int(frame[fr.SEAT])
    if s["stack"][f - 1, fr.PROCEDURE] == fr.WINDOW_FRAME and int(t["text"][text, T_TYPES]) & v.INSTANT == 0:
        stack.restart_rounds(s, f)
    target = int(frame[fr.PLAY_CHOSEN]) - 1
    options = int(frame[fr.PLAY_AMOUNT]) if legality.names_options(t, text) else -1
    events.log_card(s, event, seat, target, options, text, flags & fr.IS_COPY, int(frame[fr.PLAY_CARD]) - 1, st.EVERYBODY)
    if event == events.L_SPELL and target >= 0 and target != seat:
        events.tally(s, st.SPELLS, seat, target)
    frame[fr.AT] = fr.AT_PUT
    if t["text"][text, T_CANCEL] and flags & fr.IS_COPY == 0 and not _is_beyond_cancelling(t, s, frame):
        stack.push_window(s, v.CANCEL, f)


@kernel
def _is_answerable(t, s, frame):
    """Whether a card or a Spell Card, however that was activated, is answered between its cancel window and its effect (K-2).

    That is so where anybody holds what answers there. Where everybody is asked it always is, so that it tells nothing of hands (K-3).
    """
    if frame[fr.PLAY_CARD] == 0 and int(frame[fr.PLAY_FLAGS]) & fr.IS_SPELL == 0:
        return False
    if int(s["config"]) & st.ASK_EVERYONE and queries.has_expansion(s):
        return True
    for seat in range(s["num_players"]):
        if int(s["hand_kinds"][seat]) & int(t["response_kinds"]) or int(s["spells"][seat]) & int(t["response_spells"]):
            return True
    return False


@kernel
def _put_on_stack(t, s, f):
    """Through the cancel window: the effects are on the stack, texts that trigger on playing come on top."""
    frame = s["stack"][f]
    if int(frame[fr.PLAY_FLAGS]) & fr.IS_CANCELLED:
        frame[fr.AT] = fr.AT_DONE
        return
    frame[fr.AT] = fr.AT_RESPONSE
    if frame[fr.PLAY_CARD] and int(frame[fr.PLAY_FLAGS]) & fr.IS_SPELL == 0:
        stack.push_triggers(t, s, v.PLAYED, -1, queries.played_by(frame), f)
    elif int(frame[fr.PLAY_FLAGS]) & (fr.IS_SPELL | fr.IS_COPY) == fr.IS_SPELL:
        stack.push_triggers(t, s, v.SPELL_ACTIVATED, -1, int(frame[fr.SEAT]), f)


@kernel
def _forget_lost_pick(s, frame):
    """What was picked when a triggered text was decided is gone where it does not lie open for all to see any more (K-13)."""
    card = int(frame[fr.PLAY_PICK]) - 1
    if card >= 0:
        zone = s["zone"][card]
        if zone != st.IN_PLAY and zone != st.IN_DISCARD and zone != st.COLLECTED:
            frame[fr.PLAY_PICK] = 0


@kernel
def _resolve(t, s, f):
    """Begin the effect. What was played on behalf of another is that player's from now on (H-12). Items enter play."""
    frame = s["stack"][f]
    row = t["text"][int(frame[fr.PLAY_TEXT])]
    if stack.is_triggered(frame):
        _forget_lost_pick(s, frame)
    frame[fr.SEAT] = queries.played_by(frame)
    frame[fr.AT] = fr.AT_RUN
    frame[fr.PLAY_PC] = row[T_RESOLVE]
    if int(row[T_TYPES]) & v.ITEM and frame[fr.PLAY_CARD]:
        if not queries.items_work(s, int(frame[fr.SEAT])):  # H-16
            frame[fr.PLAY_PC] = 0
        card = int(frame[fr.PLAY_CARD]) - 1
        tabletop.stop_playing(s, card)
        tabletop.gain_item(t, s, card, int(frame[fr.SEAT]))


@kernel
def _is_within_another(s, f):
    """Whether another effect, or a draw, is under way below: what lies aside then is not this one's own (K-8)."""
    for below in range(1, f):
        procedure = s["stack"][below, fr.PROCEDURE]
        if procedure == fr.DRAWING_FRAME or (procedure == fr.PLAY_FRAME and s["stack"][below, fr.AT] == fr.AT_RUN):
            return True
    return False


@kernel
def _run(t, s, f):
    frame = s["stack"][f]
    if frame[fr.PLAY_PC] and not program.run(t, s, f):
        return
    if frame[fr.AT] == fr.AT_RUN:  # not turned into a Spell Card meanwhile
        if not _is_within_another(s, f):
            tabletop.clear_aside(t, s, f, False)  # K-8
        frame[fr.AT] = fr.AT_DONE
        if frame[fr.PLAY_CARD] and queries.has_expansion(s):
            stack.push_triggers(t, s, v.CARD_DONE, -1, int(frame[fr.SEAT]), f)


@kernel
def play(t, s, f):
    """One step of PLAY."""
    at = s["stack"][f, fr.AT]
    if at == fr.AT_MODE:
        _settle_mode(t, s, f)
    elif at == fr.AT_CARD:
        _settle_card(t, s, f)
    elif at == fr.AT_ANNOUNCE:
        _announce(t, s, f)
    elif at == fr.AT_DECLARE:
        _declare(t, s, f)
    elif at == fr.AT_PUT:
        _put_on_stack(t, s, f)
    elif at == fr.AT_RESPONSE:
        s["stack"][f, fr.AT] = fr.AT_RESOLVE
        if int(t["text"][int(s["stack"][f, fr.PLAY_TEXT]), T_TYPES]) & v.INSTANT:
            return
        if s["priority_due"] or _is_answerable(t, s, s["stack"][f]):
            stack.push_window(s, v.RESPONSE, f)
    elif at == fr.AT_RESOLVE:
        _resolve(t, s, f)
    elif at == fr.AT_RUN:
        _run(t, s, f)
    else:
        stack.pop(s)
