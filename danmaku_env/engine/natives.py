"""The bespoke operations, each with the reason why the vocabulary does not carry it."""

import numpy as np

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.tables import MODES, T_EVENTS, T_TYPES
from danmaku_env.engine import actions, characters, distances, events, legality, queries, stack, tabletop
from danmaku_env.engine import frames as fr
from danmaku_env.engine import state as st
from danmaku_env.engine.operations import ENDED, NEXT, WAIT, moving, picking
from danmaku_env.engine.procedures import life, settle, victory
from danmaku_env.jit.kernels import kernel


@kernel
def _autumn_left(t, s):
    for card in range(t["cards_in"][queries.box(s)]):
        zone = s["zone"][card]
        if (zone == st.IN_DECK or zone == st.IN_DISCARD) and t["card_season"][card] == v.AUTUMN:
            return True
    return False


@kernel
def swap_with_heroine(t, s, f):
    """Crisis of Faith. Native: a flip that goes round the table until a season shows, and the only exchange of role cards (I-5 to I-8).

    The flipped cards stay aside until it is over, so that no reshuffle on the way brings one back (K-8). EACH is whose flip it is, and
    REMAINING how many cards that seat has flipped of which one counts. Returns whether the answers are in.
    """
    frame = s["stack"][f]
    heroine = queries.faction_seat(t, s, v.HEROINES, st.EVERYBODY)
    if frame[fr.PLAY_EACH] == 0:
        seat = int(s["current"])
        if seat == heroine or not queries.is_active(s, seat):
            seat = queries.next_active(s, seat)
        if heroine < 0 or seat == heroine:
            return True
        frame[fr.PLAY_EACH] = seat + 1
    while frame[fr.PLAY_REMAINING] or _autumn_left(t, s):
        seat = int(frame[fr.PLAY_EACH]) - 1
        if frame[fr.PLAY_REMAINING] == 0:
            cards = picking.cards_to_flip(t, s, seat)
            if cards == 0:
                return False
            frame[fr.PLAY_REMAINING] = moving.flip_aside(t, s, f, seat, cards)
        season = picking.season_that_counts(t, s, seat, int(frame[fr.PLAY_REMAINING]))
        if season < 0:
            return False
        frame[fr.PLAY_REMAINING] = 0
        if season == v.AUTUMN:
            exchange_roles(t, s, heroine, seat)
            life.gain_life(t, s, seat, 1, -1)
            tabletop.discard_aside(t, s)
            victory.check_victory(t, s)
            frame[fr.PLAY_EACH] = 0
            return True
        seat = queries.next_active(s, seat)
        if seat == heroine:
            seat = queries.next_active(s, seat)
        frame[fr.PLAY_EACH] = seat + 1
    frame[fr.PLAY_EACH] = 0
    tabletop.discard_aside(t, s)
    return True


@kernel
def _rule_out(t, s):
    """Note who would have won without a Heroine, and did not: once there is one again, the table no longer shows it."""
    roles = victory.winning_roles(t, s)
    for seat in range(s["num_players"]):
        if queries.is_active(s, seat):
            s["ruled_out"][seat] = int(s["ruled_out"][seat]) | roles


@kernel
def exchange_roles(t, s, heroine, seat):
    """The Heroine and another seat exchange role cards; only the two know which role went over, unless it lay open (I-6).

    The role that goes to a defeated Heroine is defeated with her, so it is open, and so is the EX Midboss if it is the Extra Boss's
    (I-7, R-9, R-15).
    """
    if not queries.is_active(s, heroine):
        _rule_out(t, s)
    s["ruled_out"][heroine] = s["ruled_out"][seat]
    s["ruled_out"][seat] = 0
    role = s["role"][seat]
    s["role"][seat] = s["role"][heroine]
    s["role"][heroine] = role
    characters.lose_source(t, s, seat, st.BY_ROLE + int(role))  # L-26
    stack.push_triggers(t, s, v.ROLE_GAINED, heroine, -1, -1)
    seen = np.int64(s["role_seen"][seat]) | (1 << seat) | (1 << heroine)
    s["role_seen"][heroine] = seen
    s["role_seen"][seat] = st.EVERYBODY
    most = queries.max_life(t, s, heroine)
    falls = s["life"][heroine] > most
    if falls:
        s["life"][heroine] = most
    events.log(s, events.L_ROLES, heroine, seat, -1, most if falls else 0, 0)
    if not queries.is_active(s, heroine):
        tabletop.open_role(s, heroine)
        settle.reveal_midboss(t, s, 1 << heroine)


@kernel
def flip_and_play(t, s, f):
    """Kogasa. Native: the only card that is played from nobody's hand. REMAINING are the cards flipped of which one counts.

    Returns whether the answers are in.
    """
    frame = s["stack"][f]
    seat = int(frame[fr.SEAT])
    if frame[fr.PLAY_PICK] == 0:
        if frame[fr.PLAY_REMAINING] == 0:
            cards = picking.cards_to_flip(t, s, seat)
            if cards == 0:
                return False
            frame[fr.PLAY_REMAINING] = moving.flip_aside(t, s, f, seat, cards)
            if frame[fr.PLAY_REMAINING] == 0:
                return True
        if frame[fr.PLAY_REMAINING] == 1:
            frame[fr.PLAY_PICK] = s["aside"][s["aside_size"] - 1]
        elif picking.pick_flipped(t, s, f, seat) == WAIT:
            return False
        frame[fr.PLAY_REMAINING] = 0
        if _action_halves(t, s, seat, int(frame[fr.PLAY_PICK]) - 1) == 0:
            frame[fr.PLAY_PICK] = 0
            tabletop.discard_aside(t, s)
            return True
    if not actions.has_answer(s):
        if _action_halves(t, s, seat, int(frame[fr.PLAY_PICK]) - 1) == 2:
            question, wanted = actions.Q_HALF, actions.TOP_OR_BOTTOM
        else:
            question, wanted = actions.Q_MAY, actions.YES_BIT
        if actions.ask_misc(s, seat, question, wanted | actions.PASS_BIT):
            return False
    card = moving.unpick(frame)
    answer = actions.take_answer(s)
    if answer == actions.PASS:
        tabletop.discard_aside(t, s)
        return True
    tabletop.start_playing_aside(s, card)
    tabletop.discard_aside(t, s)  # the other of two
    halves = t["mode_text"][np.int64(t["card_kind"][card])]
    top = answer == actions.TOP or (answer == actions.YES and _is_action_half(t, s, seat, int(halves[0])))
    _play_flipped(t, s, seat, card, int(halves[0] if top else halves[1]))
    return True


@kernel
def _play_flipped(t, s, seat, card, text):
    """The card is played with this half, from its announcement on."""
    if int(t["text"][text, T_TYPES]) & v.DANMAKU:
        s["danmaku_cards"][seat] += 1
    p = stack.push(s, fr.PLAY_FRAME, seat)
    play = s["stack"][p]
    play[fr.AT] = fr.AT_ANNOUNCE
    play[fr.PLAY_TEXT] = text
    play[fr.PLAY_CARD] = card + 1
    play[fr.PLAY_ACTION] = actions.PLAY_BASE + np.int64(t["card_kind"][card])
    play[fr.PLAY_MOMENT] = v.MAIN


@kernel
def hand_on_attack(t, s, f):
    """Melee. Native: the only effect that passes from player to player, so that the attacked one becomes the attacker (C-5).

    Returns how the program goes on.
    """
    frame = s["stack"][f]
    seat = int(frame[fr.PLAY_CHOSEN]) - 1
    if not actions.has_answer(s):
        near = distances.near_mask(t, s, seat, 0)
        if near == 0:  # nobody it may attack at all: it ends here
            return ENDED
        if actions.ask_seat(s, seat, actions.Q_TARGET, near, False):
            return WAIT
    target = actions.chosen_seat(s, seat)
    frame[fr.PLAY_SECOND] = seat + 1
    frame[fr.PLAY_CHOSEN] = target + 1
    return NEXT


@kernel
def _is_action_half(t, s, seat, text):
    """Whether the seat could play this half of a card in nobody's hand as an action, whatever the usual limit (K-19)."""
    row = t["text"][text]
    types = int(row[T_TYPES])
    if text == 0 or types & v.ACTION == 0 or (int(row[T_EVENTS]) >> v.MAIN) & 1 == 0 or types & queries.banned_types(s):
        return False
    if types & v.DANMAKU and legality.has_had_danmaku(t, s, seat):
        return False
    return legality.relation_holds(t, s, text, seat, v.MAIN, -1) and legality.can_announce(t, s, text, seat, -1, -1, 0)


@kernel
def _action_halves(t, s, seat, card):
    """How many halves of a card the seat could play so."""
    found = 0
    for mode in range(MODES):
        if _is_action_half(t, s, seat, int(t["mode_text"][np.int64(t["card_kind"][card]), mode])):
            found += 1
    return found
