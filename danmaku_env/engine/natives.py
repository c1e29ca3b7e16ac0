"""The bespoke operations, each with the reason why the vocabulary does not carry it."""

import numpy as np

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.tables import MODES, T_EVENTS, T_TYPES
from danmaku_env.engine import actions, characters, events, legality, piles, queries, stack, tabletop
from danmaku_env.engine import frames as fr
from danmaku_env.engine import state as st
from danmaku_env.engine.compiled import kernel
from danmaku_env.engine.procedures import life, settle, victory


@kernel
def _autumn_left(t, s):
    for card in range(t["cards_in"][queries.box(s)]):
        zone = s["zone"][card]
        if (zone == st.IN_DECK or zone == st.IN_DISCARD) and t["card_season"][card] == v.AUTUMN:
            return True
    return False


@kernel
def swap_with_heroine(t, s):
    """Crisis of Faith. Native: a flip that goes round the table until a season shows, and the only exchange of role cards (I-5 to I-8).

    The flipped cards stay aside until it is over, so that no reshuffle on the way brings one back (K-8).
    """
    heroine = queries.group_seat(t, s, v.HEROINES, piles.EVERYBODY)
    seat = int(s["current"])
    if seat == heroine or not queries.is_active(s, seat):
        seat = queries.next_active(s, seat)
    if heroine < 0 or seat == heroine:
        return
    while _autumn_left(t, s):
        card = piles.take_top(t, s)
        events.log_card(s, events.L_FLIP, seat, -1, -1, 0, 0, card, piles.EVERYBODY)
        tabletop.lay_aside(s, card, st.ASIDE_PUBLIC, seat, piles.EVERYBODY)
        if t["card_season"][card] == v.AUTUMN:
            exchange_roles(t, s, heroine, seat)
            life.gain_life(t, s, seat, 1, -1)
            tabletop.discard_aside(t, s)
            victory.check_victory(t, s)
            return
        seat = queries.next_active(s, seat)
        if seat == heroine:
            seat = queries.next_active(s, seat)
    tabletop.discard_aside(t, s)


@kernel
def _rule_out(t, s):
    """Note what nobody will be able to read off the table once there is a Heroine again: who would have won without one, and did not."""
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
    s["role_seen"][seat] = piles.EVERYBODY
    s["life"][heroine] = min(int(s["life"][heroine]), queries.max_life(t, s, heroine))
    events.log(s, events.L_ROLES, heroine, seat, -1, 0, 0)
    if not queries.is_active(s, heroine):
        s["role_seen"][heroine] = piles.EVERYBODY
        events.log(s, events.L_REVEAL, heroine, -1, int(role), 0, 0)
        settle.reveal_midboss(t, s, 1 << heroine)


@kernel
def flip_and_play(t, s, f):
    """Kogasa. Native: the only card that is played from nobody's hand. Returns whether the answer is in."""
    frame = s["stack"][f]
    seat = int(frame[fr.SEAT])
    if frame[fr.PLAY_PICK] == 0:
        card = piles.take_top(t, s)
        if card < 0:
            return True
        events.log_card(s, events.L_FLIP, seat, -1, -1, 0, 0, card, piles.EVERYBODY)
        if _action_half(t, s, seat, card) == 0:
            piles.discard(t, s, card)
            return True
        tabletop.lay_aside(s, card, st.ASIDE_PUBLIC, seat, piles.EVERYBODY)
        frame[fr.PLAY_PICK] = card + 1
    if not actions.has_answer(s):
        actions.ask_misc(s, seat, actions.Q_MAY, (1 << actions.YES) | actions.PASS_BIT)
        if not actions.has_answer(s):
            return False
    card = int(frame[fr.PLAY_PICK]) - 1
    frame[fr.PLAY_PICK] = 0
    if actions.take_answer(s) == actions.YES:
        tabletop.start_playing_aside(s, card)
        _play_flipped(t, s, seat, card)
    else:
        tabletop.discard_aside(t, s)
    return True


@kernel
def _play_flipped(t, s, seat, card):
    """The card is played with its action half, from its announcement on."""
    p = stack.push(s, fr.PLAY_FRAME, seat)
    play = s["stack"][p]
    play[fr.AT] = fr.AT_ANNOUNCE
    play[fr.PLAY_TEXT] = _action_half(t, s, seat, card)
    play[fr.PLAY_CARD] = card + 1
    play[fr.PLAY_ACTION] = actions.PLAY_BASE + np.int64(t["card_kind"][card])
    play[fr.PLAY_MOMENT] = v.MAIN


@kernel
def hand_on_attack(s, f):
    """Melee. Native: the only effect that passes from player to player, so that the attacked one becomes the attacker (C-5).

    Returns whether the answer is in.
    """
    frame = s["stack"][f]
    seat = int(frame[fr.PLAY_CHOSEN]) - 1
    if not actions.has_answer(s):
        actions.ask_seat(s, seat, actions.Q_TARGET, np.int64(s["active"]) & ~(1 << seat), False)
        if not actions.has_answer(s):
            return False
    target = actions.chosen_seat(s, seat)
    frame[fr.PLAY_SECOND] = seat + 1
    frame[fr.PLAY_CHOSEN] = target + 1
    return True


@kernel
def _action_half(t, s, seat, card):
    """The text of the half of a card, in nobody's hand, that the seat could play as an action whatever the limits; 0 for none (K-19)."""
    for mode in range(MODES):
        text = int(t["mode_text"][np.int64(t["card_kind"][card]), mode])
        row = t["text"][text]
        types = int(row[T_TYPES])
        if text == 0 or types & v.ACTION == 0 or (int(row[T_EVENTS]) >> v.MAIN) & 1 == 0 or types & queries.banned_types(s):
            continue
        if legality.relation_holds(t, s, text, seat, v.MAIN, -1) and legality.can_announce(t, s, text, seat, -1, -1):
            return text
    return 0
