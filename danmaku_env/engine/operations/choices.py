"""Family ASK: the choices and costs of texts; costs are paid as soon as they are chosen.

`advance.py` explains how a row asks and is entered again. The choice is kept in the frame. Not here: which card is picked
(`picking.py`), what recruiting, activating and the bespoke operations ask on their way (`recruiting.py`, `stack_control.py`, `natives.py`),
windows and the main step, in which a seat is offered what it may do (`legality.offer`), and what an effect does with what was chosen.
"""

import numpy as np

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.tables import ACTIVATES_SPELL, SPENT_BY_OFFER, T_FLAGS
from danmaku_env.engine import actions, distances, events, groups, hands, incident_deck, legality, piles, queries
from danmaku_env.engine import frames as fr
from danmaku_env.engine import state as st
from danmaku_env.engine.operations import AGAIN, JUMPED, NEXT, WAIT, moving, picking
from danmaku_env.engine.procedures import life
from danmaku_env.jit.kernels import count_bits, kernel, lowest_bit


@kernel
def _choose_player(t, s, f, group, bonus, flags):
    frame = s["stack"][f]
    seat = int(frame[fr.SEAT])
    column = fr.PLAY_CHOSEN
    if flags & v.AS_SECOND:
        column = fr.PLAY_SECOND
    elif flags & v.AS_THIRD:
        column = fr.PLAY_EACH
    if not actions.has_answer(s):
        if group == v.SPELL_OWNERS or group == v.FALLEN_OWNERS:
            mask = legality.owners_mask(t, s, seat, int(frame[fr.PLAY_MOMENT]), int(frame[fr.PLAY_SUBJECT]) - 1, 0)
            if group == v.FALLEN_OWNERS:
                mask &= ~np.int64(s["active"])
        else:
            spare = 0 if int(frame[fr.PLAY_FLAGS]) & fr.IS_COPY else queries.count_hand(t, s, seat, v.DANMAKU)
            mask = groups.group_mask(t, s, group, seat, f, bonus, spare)
        if flags & v.TO_STRIKE:
            mask &= distances.near_mask(t, s, seat, int(frame[fr.PLAY_AMOUNT]) if group == v.AT_NUMBER else 0)
        if flags & v.DISTINCT and frame[fr.PLAY_CHOSEN] > 0:
            mask &= ~(1 << (int(frame[fr.PLAY_CHOSEN]) - 1))
        frame[column] = 0
        if mask == 0:
            return NEXT
        question = actions.Q_TARGET if column == fr.PLAY_CHOSEN else actions.Q_SECOND_TARGET
        if actions.ask_seat(s, seat, question, mask, flags & v.OPTIONAL != 0):
            return WAIT
    frame[column] = actions.chosen_seat(s, seat) + 1
    return NEXT


@kernel
def _choose_card(t, s, f, types, to_deck, may_pass):
    """A card of the hand is picked; of one that goes to a deck it matters which copy, and none is Lunatic while another will do (L-19)."""
    frame = s["stack"][f]
    seat = int(frame[fr.SEAT])
    matters = to_deck or queries.seasons_matter(t, s)
    if not to_deck or s["lunatic_in_hand"][seat] == 0:
        return picking.pick_hand_card(t, s, f, seat, actions.Q_CARD, types, matters, may_pass)
    kinds = queries.main_kinds(t, s, seat) & queries.hand_kinds_of(t, s, seat, types)
    if kinds == 0:
        return picking.pick_hand_card(t, s, f, seat, actions.Q_CARD, types, matters, may_pass)
    if not actions.has_answer(s):
        frame[fr.PLAY_PICK] = 0
        if actions.ask_kind(s, seat, actions.Q_CARD, kinds, may_pass):
            return WAIT
    card = actions.chosen_main_card(t, s, seat, matters)
    if card == actions.WAITING:
        return WAIT
    frame[fr.PLAY_PICK] = card + 1
    return NEXT


@kernel
def _pay(t, s, f, types):
    """The controller discards one card of the types."""
    seat = int(s["stack"][f, fr.SEAT])
    if picking.pick_hand_card(t, s, f, seat, actions.Q_PAY, types, queries.seasons_matter(t, s), False) == WAIT:
        return WAIT
    moving.discard_pick(t, s, f)
    return NEXT


@kernel
def _pay_any(t, s, f, types, may_stop):
    """Discard cards one by one until passing; the amount counts them."""
    frame = s["stack"][f]
    seat = int(frame[fr.SEAT])
    if picking.pick_hand_card(t, s, f, seat, actions.Q_BOOST, types, queries.seasons_matter(t, s), may_stop) == WAIT:
        return WAIT
    if not moving.discard_pick(t, s, f):
        return NEXT
    frame[fr.PLAY_AMOUNT] += 1
    return AGAIN


@kernel
def _boost(t, s, f, types):
    """Cards thrown in for range, at least until the target is in range; none for a copy (H-14)."""
    frame = s["stack"][f]
    target = int(frame[fr.PLAY_CHOSEN]) - 1
    if target < 0 or int(frame[fr.PLAY_FLAGS]) & fr.IS_COPY:
        return NEXT
    in_range = distances.range_mask(t, s, int(frame[fr.SEAT]), int(frame[fr.PLAY_AMOUNT]), 0)
    return _pay_any(t, s, f, types, (in_range >> target) & 1 == 1)


@kernel
def _dodge_cost(t, s, f, types):
    """Costs of a dodge card, where they apply (C-2, C-3); none for a copy, which is not played (K-18)."""
    frame = s["stack"][f]
    if int(frame[fr.PLAY_FLAGS]) & fr.IS_COPY:
        return NEXT
    seat = int(frame[fr.SEAT])
    attack = s["stack"][int(frame[fr.PLAY_SUBJECT]) - 1]
    if types == v.DANMAKU:
        due = int(attack[fr.ATTACK_TARGET]) - 1 != seat and queries.stat(t, s, seat, v.ON_BEHALF) == 0
    else:
        due = queries.stat(t, s, int(attack[fr.SEAT]), v.DODGE_SURCHARGE) > 0
    if due:
        return _pay(t, s, f, types)
    return NEXT


@kernel
def _may(t, s, f, word, jump):
    seat = groups.who(s, f, word)
    if not actions.has_answer(s):
        if seat < 0 or not queries.is_active(s, seat):
            s["stack"][f, fr.PLAY_PC] = jump
            return JUMPED
        if actions.ask_misc(s, seat, actions.Q_MAY, actions.YES_BIT | actions.PASS_BIT):
            return WAIT
    frame = s["stack"][f]
    accepted = actions.take_answer(s) == actions.YES
    text = int(frame[fr.PLAY_TEXT])
    if frame[fr.PLAY_ACTION] == 0 and (accepted or int(t["text"][text, T_FLAGS]) & SPENT_BY_OFFER):  # an offer with a limit
        legality.mark_spent(t, s, text, int(frame[fr.SEAT]), -1)
    if accepted:
        return NEXT
    s["stack"][f, fr.PLAY_PC] = jump
    return JUMPED


@kernel
def _discard_or(t, s, f, word, types, jump):
    seat = groups.who(s, f, word)
    frame = s["stack"][f]
    if seat < 0 or not queries.is_active(s, seat):
        frame[fr.PLAY_PC] = jump
        return JUMPED
    if picking.pick_hand_card(t, s, f, seat, actions.Q_DISCARD, types, queries.seasons_matter(t, s), True) == WAIT:
        return WAIT
    if not moving.discard_pick(t, s, f):
        return NEXT
    frame[fr.PLAY_PC] = jump
    return JUMPED


@kernel
def _choose_word(s, f, question, mask):
    """Ask the controller for an answer of the first group; returns it, or -1 while waiting."""
    if not actions.has_answer(s) and actions.ask_misc(s, int(s["stack"][f, fr.SEAT]), question, mask):
        return -1
    return actions.take_answer(s)


@kernel
def _choose_named(s, f, op, low, high):
    """A number, a type, a deck or an end of a deck is named, and kept in its column of the frame."""
    mask = 0
    column = fr.PLAY_AMOUNT
    if op == v.CHOOSE_NUMBER:
        for number in range(low, high + 1):
            mask |= 1 << (actions.NUMBER_BASE + number - 1)
        answer = _choose_word(s, f, actions.Q_NUMBER, mask)
        value = answer - actions.NUMBER_BASE + 1
    elif op == v.CHOOSE_TYPE:
        for place in range(len(v.NAMED_TYPES)):
            if v.NAMED_TYPES[place] & low:
                mask |= 1 << (actions.TYPE_BASE + place)
        answer = _choose_word(s, f, actions.Q_TYPE, mask)
        value = v.NAMED_TYPES[max(0, answer - actions.TYPE_BASE)]
    elif op == v.CHOOSE_DECK:
        mask = (1 << (actions.DECK_BASE + v.MAIN_DECK)) | (1 << (actions.DECK_BASE + v.INCIDENT_DECK))
        if queries.has_expansion(s):
            mask |= 1 << (actions.DECK_BASE + v.LUNATIC_DECK)
        answer = _choose_word(s, f, actions.Q_DECK, mask)
        value = answer - actions.DECK_BASE + 1
        column = fr.PLAY_DECK
    else:
        answer = _choose_word(s, f, actions.Q_END, actions.TOP_OR_BOTTOM)
        value = fr.TOP_END if answer == actions.TOP else fr.BOTTOM_END
        column = fr.PLAY_END
    if answer < 0:
        return WAIT
    s["stack"][f, column] = value
    return NEXT


@kernel
def _choose_several(s, f, question, choices, base, count):
    """The choices are named one by one, up to this number, and kept as bits in the amount."""
    frame = s["stack"][f]
    named = int(frame[fr.PLAY_AMOUNT])
    if not actions.has_answer(s) and actions.ask_misc(s, int(frame[fr.SEAT]), question, (choices & ~named) << base):
        return WAIT
    named |= 1 << (actions.take_answer(s) - base)
    frame[fr.PLAY_AMOUNT] = named
    return NEXT if count_bits(named) >= count else AGAIN


@kernel
def _pay_season(t, s, f):
    """The controller discards a card with the season of the card answered to."""
    frame = s["stack"][f]
    seat = int(frame[fr.SEAT])
    season = int(t["card_season"][int(s["stack"][int(frame[fr.PLAY_SUBJECT]) - 1, fr.PLAY_CARD]) - 1])
    if not actions.has_answer(s):
        kinds = queries.kinds_of_season(t, s, seat, season)
        if kinds == 0:
            return NEXT
        if actions.ask_kind(s, seat, actions.Q_PAY, kinds, False):
            return WAIT
    card = actions.chosen_of_season(t, s, seat, season)
    if card == actions.WAITING:
        return WAIT
    piles.discard_from_hand(t, s, card)
    return NEXT


@kernel
def _pay_points(t, s, f, points):
    """Hand cards are discarded one by one until they are worth the points."""
    frame = s["stack"][f]
    seat = int(frame[fr.SEAT])
    if frame[fr.PLAY_AMOUNT] >= points:
        return NEXT
    if picking.pick_hand_card(t, s, f, seat, actions.Q_PAY, v.ANY_TYPE, queries.seasons_matter(t, s), False) == WAIT:
        return WAIT
    card = int(frame[fr.PLAY_PICK]) - 1
    if card < 0:
        return NEXT
    frame[fr.PLAY_AMOUNT] += queries.points_in_hand(t, s, seat, card)
    moving.discard_pick(t, s, f)
    return AGAIN


@kernel
def _discard_one(t, s, f, word):
    """A seat discards a hand card of its own choice."""
    seat = groups.who(s, f, word)
    if seat < 0 or not queries.is_active(s, seat):
        return NEXT
    if picking.pick_hand_card(t, s, f, seat, actions.Q_DISCARD, v.ANY_TYPE, queries.seasons_matter(t, s), False) == WAIT:
        return WAIT
    moving.discard_pick(t, s, f)
    return NEXT


@kernel
def _take_worth(t, s, f, points):
    """Cards aside go into the hand one by one while they are worth no more than what is left of the points."""
    frame = s["stack"][f]
    seat = int(frame[fr.SEAT])
    left = points - int(frame[fr.PLAY_AMOUNT])
    kinds = 0
    for i in range(s["aside_size"]):
        kind = np.int64(t["card_kind"][np.int64(s["aside"][i]) - 1])
        if int(t["kind_points"][kind]) <= left:
            kinds |= 1 << kind
    if kinds == 0:
        frame[fr.PLAY_PICK] = 0
        return NEXT
    zone = np.int64(s["zone"][np.int64(s["aside"][0]) - 1])
    if picking.pick_kind(t, s, f, seat, actions.Q_ASIDE, kinds, zone, seat, True, True) == WAIT:
        return WAIT
    card = int(frame[fr.PLAY_PICK]) - 1
    if card < 0:
        return NEXT
    frame[fr.PLAY_AMOUNT] += int(t["kind_points"][np.int64(t["card_kind"][card])])
    moving.take_pick(t, s, f, seat)
    return AGAIN


@kernel
def _show_card(t, s, f, word):
    """A hand card is picked and shown to one seat; only the two know which."""
    frame = s["stack"][f]
    seat = int(frame[fr.SEAT])
    other = groups.who(s, f, word)
    if other < 0 or not queries.is_active(s, other):
        frame[fr.PLAY_PICK] = 0
        return NEXT
    if picking.pick_hand_card(t, s, f, seat, actions.Q_CARD, v.ANY_TYPE, True, False) == WAIT:
        return WAIT
    card = int(frame[fr.PLAY_PICK]) - 1
    if card >= 0:
        s["seen_by"][card] = np.int64(s["seen_by"][card]) | (1 << other)
        hands.note_exposed(s, card, seat)
        events.log_card(s, events.L_LOOK, other, seat, -1, 1, 0, card, (1 << seat) | (1 << other))
    return NEXT


@kernel
def ask_incident(s, f, incidents):
    """Ask the controller for an incident of the mask; returns it, or -1 while waiting."""
    if not actions.has_answer(s):
        actions.clear_legal(s)
        s["legal"][st.PICK_INCIDENT] = incidents
        if actions.ask(s, int(s["stack"][f, fr.SEAT]), actions.Q_INCIDENT):
            return -1
    return actions.take_answer(s) - actions.INCIDENT_BASE


@kernel
def _choose_aside(t, s, f, types, matters, flags):
    frame = s["stack"][f]
    kinds = 0
    incidents = 0
    zone = st.ASIDE_PUBLIC
    for i in range(s["aside_size"]):
        card = np.int64(s["aside"][i]) - 1
        if card >= st.INCIDENT_CARD:
            incidents |= 1 << (card - st.INCIDENT_CARD)
            continue
        kind = np.int64(t["card_kind"][card])
        zone = np.int64(s["zone"][card])
        if types == v.ANY_TYPE or int(t["kind_types"][kind]) & types:
            kinds |= 1 << kind
    if incidents:
        incident = ask_incident(s, f, incidents)
        if incident < 0:
            return WAIT
        frame[fr.PLAY_PICK] = st.INCIDENT_CARD + incident + 1
        return NEXT
    seat = int(frame[fr.SEAT])
    matters = matters or queries.seasons_matter(t, s)
    return picking.pick_kind(t, s, f, seat, actions.Q_ASIDE, kinds, zone, seat, matters, flags & v.OPTIONAL != 0)


@kernel
def _search_incident(s, f):
    mask = 0
    size = int(s["incident_deck_size"])
    for i in range(size):
        mask |= 1 << (int(s["incident_deck"][i]) - 1)
    if mask == 0:
        return NEXT
    incident = ask_incident(s, f, mask)
    if incident < 0:
        return WAIT
    incident_deck.fetch_incident(s, incident, int(s["stack"][f, fr.SEAT]))
    return NEXT


@kernel
def _choose_controller(t, s, f):
    """Who controls the item: another one only in the main step (H-12, L-1)."""
    frame = s["stack"][f]
    seat = int(frame[fr.SEAT])
    if not actions.has_answer(s):
        if queries.stat(t, s, seat, v.ON_BEHALF) == 0 or s["turn_step"] == st.STEP_ZERO:
            return NEXT
        if actions.ask_seat(s, seat, actions.Q_CONTROLLER, np.int64(s["active"]), False):
            return WAIT
    frame[fr.PLAY_BEHALF] = actions.chosen_seat(s, seat) + 1
    return NEXT


@kernel
def _choose_from_hand(t, s, f, word):
    """A card of another's hand: by kind after looking, else at random."""
    frame = s["stack"][f]
    owner = groups.who(s, f, word)
    if owner < 0:
        return NEXT
    if int(frame[fr.PLAY_FLAGS]) & fr.HAS_LOOKED == 0:
        frame[fr.PLAY_PICK] = piles.random_hand_card(t, s, owner) + 1
        return NEXT
    return picking.pick_kind(t, s, f, int(frame[fr.SEAT]), actions.Q_CARD, int(s["hand_kinds"][owner]), st.IN_HAND, owner, True, False)


@kernel
def _choose_item(t, s, f, word, flags):
    owner = groups.who(s, f, word)
    if owner < 0:
        return NEXT
    seat = int(s["stack"][f, fr.SEAT])
    matters = queries.seasons_matter(t, s)
    kinds = queries.item_kinds(t, s, owner)
    return picking.pick_kind(t, s, f, seat, actions.Q_ITEM, kinds, st.IN_PLAY, owner, matters, flags & v.OPTIONAL != 0)


@kernel
def _pay_item(t, s, f):
    """The controller discards an item, for a Spell Card one without which that can still be activated (C-17, L-32)."""
    frame = s["stack"][f]
    seat = int(frame[fr.SEAT])
    kinds, text = queries.item_kinds(t, s, seat), int(frame[fr.PLAY_TEXT])
    if frame[fr.PLAY_REMAINING] and int(t["text"][text, T_FLAGS]) & ACTIVATES_SPELL:
        moment, subject, slots = int(frame[fr.PLAY_MOMENT]), int(frame[fr.PLAY_SUBJECT]) - 1, int(s["item_slots"][seat])
        while slots:
            slot = lowest_bit(slots)
            slots &= slots - 1
            if (legality.spells_for_item(t, s, text, seat, slot, moment, subject) >> (int(frame[fr.PLAY_REMAINING]) - 1)) & 1 == 0:
                kinds &= ~(1 << int(t["slot_kind"][slot]))
    if picking.pick_kind(t, s, f, seat, actions.Q_ITEM, kinds, st.IN_PLAY, seat, queries.seasons_matter(t, s), False) == WAIT:
        return WAIT
    moving.discard_picked_item(t, s, f, int(s["stack"][f, fr.SEAT]))
    return NEXT


@kernel
def carry_out(t, s, f, op, a, b, c):
    if op == v.NAME_INCIDENT_DECK:
        s["stack"][f, fr.PLAY_DECK] = v.INCIDENT_DECK + 1
        return NEXT
    if op == v.HOLD_CARD:
        return NEXT
    if op == v.CHOOSE_PLAYER:
        return _choose_player(t, s, f, a, b, c)
    if op == v.CHOOSE_ITEM:
        return _choose_item(t, s, f, a, c)
    if op == v.CHOOSE_CARD:
        return _choose_card(t, s, f, a, b != 0, c & v.OPTIONAL != 0)
    if op == v.PAY:
        return _pay(t, s, f, a)
    if op == v.PAY_ANY:
        return _pay_any(t, s, f, a, True)
    if op == v.BOOST:
        return _boost(t, s, f, a)
    if op == v.PAY_ITEM:
        return _pay_item(t, s, f)
    if op == v.PAY_LIFE:
        life.lose_life(t, s, int(s["stack"][f, fr.SEAT]), 1, -1, 0, f)
        return NEXT
    if op == v.DODGE_COST:
        return _dodge_cost(t, s, f, a)
    if op == v.MAY:
        return _may(t, s, f, a, c)
    if op == v.DISCARD_OR:
        return _discard_or(t, s, f, a, b, c)
    if op == v.CHOOSE_ASIDE:
        return _choose_aside(t, s, f, a, b != 0, c)
    if op == v.SEARCH_INCIDENT:
        return _search_incident(s, f)
    if op == v.CHOOSE_CONTROLLER:
        return _choose_controller(t, s, f)
    if op == v.CHOOSE_FROM_HAND:
        return _choose_from_hand(t, s, f, a)
    if op == v.AIM:
        s["stack"][f, fr.PLAY_CHOSEN] = groups.who(s, f, a) + 1
        return NEXT
    if op == v.CHOOSE_OPTIONS:
        frame = s["stack"][f]
        text, seat = int(frame[fr.PLAY_TEXT]), int(frame[fr.SEAT])
        options = legality.open_options(t, s, text, seat, a, b, int(frame[fr.PLAY_AMOUNT]))
        return _choose_several(s, f, actions.Q_NUMBER, options, actions.NUMBER_BASE, a)
    if op == v.CHOOSE_SEASONS:
        return _choose_several(s, f, actions.Q_SEASON, (1 << st.NUM_SEASONS) - 1, actions.SEASON_BASE, a)
    if op == v.PAY_SEASON:
        return _pay_season(t, s, f)
    if op == v.TAKE_WORTH:
        return _take_worth(t, s, f, a)
    if op == v.SHOW_CARD:
        return _show_card(t, s, f, a)
    if op == v.PAY_POINTS:
        return _pay_points(t, s, f, a)
    if op == v.CHOOSE_DISCARD:
        return picking.choose_discard(t, s, f, a, c & v.OPTIONAL != 0)
    if op == v.CHOOSE_COLLECTED:
        return picking.choose_collected(t, s, f, c & v.OPTIONAL != 0)
    if op == v.DISCARD_ONE:
        return _discard_one(t, s, f, a)
    if op == v.CHOOSE_SEARCH:
        return picking.choose_search(s, f, c)
    if op == v.SEARCH_ITEM:
        return picking.search_item(t, s, f, a)
    return _choose_named(s, f, op, a, b)
