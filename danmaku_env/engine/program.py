"""The interpreter: one small function per family of operations, each row asking at most one question.

An operation returns how the program goes on. Rows that ask are entered again when the answer is there.
"""

import numpy as np

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.compile import T_INCIDENT, T_RELATION
from danmaku_env.engine import actions, legality, natives, piles, queries, stack
from danmaku_env.engine import state as st
from danmaku_env.engine.compiled import kernel
from danmaku_env.engine.procedures import life

# how a program goes on after a row
NEXT, WAIT, AGAIN, JUMPED, ENDED = range(5)
END_NAMED = 1
"""An end of a deck that was named is kept as this number for the top and the next for the bottom; 0 = none was named."""
_RESET_COLUMNS = (st.PC, st.PICKED, st.SECOND_SEAT, st.AMOUNT_IS, st.PICK, st.EACH_SEAT, st.REMAINING)


# ---------------------------------------------------------------- family ASK


@kernel
def _choose_player(t, s, f, group, bonus, flags):
    frame = s["stack"][f]
    seat = int(frame[st.SEAT])
    column = st.PICKED
    if flags & v.AS_SECOND:
        column = st.SECOND_SEAT
    elif flags & v.AS_THIRD:
        column = st.EACH_SEAT
    if not actions.has_answer(s):
        if group == v.SPELL_OWNERS:
            mask = legality.owners_mask(t, s, seat, int(frame[stack.MOMENT]), int(frame[st.SUBJECT]) - 1)
        else:
            mask = queries.group_mask(t, s, group, seat, f, bonus, queries.count_hand(t, s, seat, v.DANMAKU))
        if flags & v.DISTINCT and frame[st.PICKED] > 0:
            mask &= ~(1 << (int(frame[st.PICKED]) - 1))
        frame[column] = 0
        if mask == 0:
            return NEXT
        question = actions.Q_TARGET if column == st.PICKED else actions.Q_SECOND_TARGET
        actions.ask_seat(s, seat, question, mask, flags & v.OPTIONAL != 0)
        if not actions.has_answer(s):
            return WAIT
    frame[column] = actions.chosen_seat(s, seat) + 1
    return NEXT


@kernel
def _pick_kind(t, s, f, seat, question, kinds, zone, holder, matters, may_pass):
    """Ask a seat for a card there; the pick of the frame is the card, or 0. WAIT until it is answered."""
    frame = s["stack"][f]
    if not actions.has_answer(s):
        frame[st.PICK] = 0
        if kinds == 0:
            return NEXT
        actions.ask_kind(s, seat, question, kinds, may_pass)
        if not actions.has_answer(s):
            return WAIT
    card = actions.chosen_card(t, s, seat, zone, holder, matters)
    if card == actions.WAITING:
        return WAIT
    frame[st.PICK] = card + 1
    return NEXT


@kernel
def _pick_hand_card(t, s, f, seat, question, types, matters, may_pass):
    kinds = queries.hand_kinds_of(t, s, seat, types)
    return _pick_kind(t, s, f, seat, question, kinds, st.IN_HAND, seat, matters, may_pass)


@kernel
def _pay(t, s, f, types):
    """The controller discards one card of the types."""
    seat = int(s["stack"][f, st.SEAT])
    if _pick_hand_card(t, s, f, seat, actions.Q_PAY, types, queries.seasons_matter(t, s), False) == WAIT:
        return WAIT
    _discard_pick(t, s, f)
    return NEXT


@kernel
def _discard_pick(t, s, f):
    """Discard the picked hand card; whether there was one."""
    card = int(s["stack"][f, st.PICK]) - 1
    s["stack"][f, st.PICK] = 0
    if card < 0:
        return False
    piles.discard_from_hand(t, s, card)
    return True


@kernel
def _pay_any(t, s, f, types, may_stop):
    """Discard cards one by one until passing; the amount counts them."""
    frame = s["stack"][f]
    seat = int(frame[st.SEAT])
    if _pick_hand_card(t, s, f, seat, actions.Q_BOOST, types, queries.seasons_matter(t, s), may_stop) == WAIT:
        return WAIT
    if not _discard_pick(t, s, f):
        return NEXT
    frame[st.AMOUNT_IS] += 1
    return AGAIN


@kernel
def _boost(t, s, f, types):
    frame = s["stack"][f]
    target = int(frame[st.PICKED]) - 1
    if target < 0:
        return NEXT
    in_range = queries.range_mask(t, s, int(frame[st.SEAT]), int(frame[st.AMOUNT_IS]), 0)
    return _pay_any(t, s, f, types, (in_range >> target) & 1 == 1)


@kernel
def _dodge_cost(t, s, f, types):
    """Costs of a dodge card, where they apply (C-2, C-3)."""
    frame = s["stack"][f]
    seat = int(frame[st.SEAT])
    attack = s["stack"][int(frame[st.SUBJECT]) - 1]
    if types == v.DANMAKU:
        due = int(attack[st.PICKED]) - 1 != seat and queries.stat(t, s, seat, v.ON_BEHALF) == 0
    else:
        due = queries.stat(t, s, int(attack[st.SEAT]), v.DODGE_SURCHARGE) > 0
    if due:
        return _pay(t, s, f, types)
    return NEXT


@kernel
def _may(s, f, word, jump):
    seat = queries.who(s, f, word)
    if not actions.has_answer(s):
        if seat < 0 or not queries.is_active(s, seat):
            s["stack"][f, st.PC] = jump
            return JUMPED
        actions.ask_misc(s, seat, actions.Q_MAY, (1 << actions.YES) | 1)
        if not actions.has_answer(s):
            return WAIT
    if actions.take_answer(s) == actions.YES:
        return NEXT
    s["stack"][f, st.PC] = jump
    return JUMPED


@kernel
def _discard_or(t, s, f, word, types, jump):
    seat = queries.who(s, f, word)
    frame = s["stack"][f]
    if seat < 0 or not queries.is_active(s, seat):
        frame[st.PC] = jump
        return JUMPED
    if _pick_hand_card(t, s, f, seat, actions.Q_DISCARD, types, queries.seasons_matter(t, s), True) == WAIT:
        return WAIT
    if not _discard_pick(t, s, f):
        return NEXT
    frame[st.PC] = jump
    return JUMPED


@kernel
def _choose_word(s, f, question, mask):
    """Ask the controller for an answer of the first group; returns it, or -1 while waiting."""
    if not actions.has_answer(s):
        actions.ask_misc(s, int(s["stack"][f, st.SEAT]), question, mask)
        if not actions.has_answer(s):
            return -1
    return actions.take_answer(s)


@kernel
def _choose_amount(s, f, op, low, high):
    """Number, type, deck or end: the amount of the frame."""
    mask = 0
    if op == v.CHOOSE_NUMBER:
        for number in range(low, high + 1):
            mask |= 1 << (actions.CHOOSE_NUMBER + number - 1)
        answer = _choose_word(s, f, actions.Q_NUMBER, mask)
        value = answer - actions.CHOOSE_NUMBER + 1
    elif op == v.CHOOSE_TYPE:
        for place in range(len(actions.NAMED_TYPES)):
            if actions.NAMED_TYPES[place] & low:
                mask |= 1 << (actions.CHOOSE_TYPE + place)
        answer = _choose_word(s, f, actions.Q_TYPE, mask)
        value = actions.NAMED_TYPES[max(0, answer - actions.CHOOSE_TYPE)]
    elif op == v.CHOOSE_DECK:
        mask = (1 << (actions.CHOOSE_DECK + v.MAIN_DECK)) | (1 << (actions.CHOOSE_DECK + v.INCIDENT_DECK))
        answer = _choose_word(s, f, actions.Q_DECK, mask)
        value = answer - actions.CHOOSE_DECK
    else:
        answer = _choose_word(s, f, actions.Q_END, (1 << actions.TOP) | (1 << actions.BOTTOM))
        value = answer - actions.TOP + END_NAMED
    if answer < 0:
        return WAIT
    s["stack"][f, st.AMOUNT_IS] = value
    return NEXT


@kernel
def _ask_incident(s, f, incidents):
    """Ask the controller for an incident of the mask; returns it, or -1 while waiting."""
    if not actions.has_answer(s):
        actions.clear_legal(s)
        s["legal"][st.PICK_INCIDENT] = incidents
        actions.ask(s, int(s["stack"][f, st.SEAT]), actions.Q_INCIDENT)
        if not actions.has_answer(s):
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
        incident = _ask_incident(s, f, incidents)
        if incident < 0:
            return WAIT
        frame[st.PICK] = st.INCIDENT_CARD + incident + 1
        return NEXT
    seat = int(frame[st.SEAT])
    matters = matters or queries.seasons_matter(t, s)
    return _pick_kind(t, s, f, seat, actions.Q_ASIDE, kinds, zone, seat, matters, flags & v.OPTIONAL != 0)


@kernel
def _search_incident(s, f):
    mask = 0
    size = int(s["incident_deck_size"])
    for i in range(size):
        mask |= 1 << (int(s["incident_deck"][i]) - 1)
    if mask == 0:
        return NEXT
    incident = _ask_incident(s, f, mask)
    if incident < 0:
        return WAIT
    piles.fetch_incident(s, incident, int(s["stack"][f, st.SEAT]))
    return NEXT


@kernel
def _choose_controller(t, s, f):
    frame = s["stack"][f]
    seat = int(frame[st.SEAT])
    if not actions.has_answer(s):
        if queries.stat(t, s, seat, v.ON_BEHALF) == 0:
            return NEXT
        actions.ask_seat(s, seat, actions.Q_CONTROLLER, np.int64(s["active"]), False)
        if not actions.has_answer(s):
            return WAIT
    frame[st.BEHALF] = actions.chosen_seat(s, seat) + 1
    return NEXT


@kernel
def _choose_from_hand(t, s, f, word):
    """A card of another's hand: by kind after looking, else at random."""
    frame = s["stack"][f]
    owner = queries.who(s, f, word)
    if owner < 0:
        return NEXT
    if int(frame[st.FLAGS]) & st.LOOKED == 0:
        frame[st.PICK] = piles.random_hand_card(t, s, owner) + 1
        return NEXT
    return _pick_kind(t, s, f, int(frame[st.SEAT]), actions.Q_CARD, int(s["hand_kinds"][owner]), st.IN_HAND, owner, True, False)


@kernel
def _choose_item(t, s, f, word, flags):
    owner = queries.who(s, f, word)
    if owner < 0:
        return NEXT
    seat = int(s["stack"][f, st.SEAT])
    matters = queries.seasons_matter(t, s)
    kinds = queries.item_kinds(t, s, owner)
    return _pick_kind(t, s, f, seat, actions.Q_ITEM, kinds, st.IN_PLAY, owner, matters, flags & v.OPTIONAL != 0)


@kernel
def _pay_item(t, s, f):
    if _choose_item(t, s, f, v.ME, 0) == WAIT:
        return WAIT
    _discard_picked_item(t, s, f)
    return NEXT


@kernel
def _discard_picked_item(t, s, f):
    card = int(s["stack"][f, st.PICK]) - 1
    s["stack"][f, st.PICK] = 0
    if card >= 0 and s["zone"][card] == st.IN_PLAY:
        piles.discard_item(t, s, card)


@kernel
def _ask_family(t, s, f, op, a, b, c):
    if op == v.CHOOSE_PLAYER:
        return _choose_player(t, s, f, a, b, c)
    if op == v.CHOOSE_ITEM:
        return _choose_item(t, s, f, a, c)
    if op == v.CHOOSE_CARD:
        seat = int(s["stack"][f, st.SEAT])
        return _pick_hand_card(t, s, f, seat, actions.Q_CARD, a, b != 0, c & v.OPTIONAL != 0)
    if op == v.PAY:
        return _pay(t, s, f, a)
    if op == v.PAY_ANY:
        return _pay_any(t, s, f, a, True)
    if op == v.BOOST:
        return _boost(t, s, f, a)
    if op == v.PAY_ITEM:
        return _pay_item(t, s, f)
    if op == v.PAY_LIFE:
        life.lose_life(t, s, int(s["stack"][f, st.SEAT]), 1, -1)
        return NEXT
    if op == v.DODGE_COST:
        return _dodge_cost(t, s, f, a)
    if op == v.MAY:
        return _may(s, f, a, c)
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
    return _choose_amount(s, f, op, a, b)


# ---------------------------------------------------------------- family MOVE


@kernel
def _reveal(t, s, f, cards, zone, seats):
    """Lay cards of the Main deck aside; the last one is the pick."""
    frame = s["stack"][f]
    seat = int(frame[st.SEAT])
    event = piles.L_LOOK if zone == st.ASIDE_PRIVATE else piles.L_FLIP
    for place in range(cards):
        card = piles.take_top(t, s)
        if card < 0:
            return
        piles.lay_aside(s, card, zone, seat, seats)
        piles.log_card(s, event, seat, -1, v.MAIN_DECK, cards, place + 1, card, np.int64(s["seen_by"][card]))
        frame[st.PICK] = card + 1


@kernel
def _look(t, s, f, cards, chosen_deck):
    frame = s["stack"][f]
    seat = int(frame[st.SEAT])
    deck = int(frame[st.AMOUNT_IS]) if chosen_deck else v.MAIN_DECK
    if deck == v.MAIN_DECK:
        _reveal(t, s, f, cards, st.ASIDE_PRIVATE, 1 << seat)
        return
    for place in range(cards):
        incident = piles.next_incident(s)
        if incident < 0:
            return
        piles.log_card(s, piles.L_LOOK, seat, -1, deck, cards, place + 1, st.INCIDENT_CARD + incident, 1 << seat)
        size = np.int64(s["aside_size"])
        s["aside"][size] = st.INCIDENT_CARD + incident + 1
        s["aside_size"] = size + 1
        s["incident_seen"][incident] = np.int64(s["incident_seen"][incident]) | (1 << seat)


@kernel
def _reveal_until(t, s, f, types):
    frame = s["stack"][f]
    frame[st.PICK] = 0
    while True:
        card = piles.take_top(t, s)
        if card < 0:
            return
        piles.lay_aside(s, card, st.ASIDE_PUBLIC, int(frame[st.SEAT]), piles.EVERYBODY)
        piles.log_card(s, piles.L_FLIP, int(frame[st.SEAT]), -1, v.MAIN_DECK, 1, 1, card, piles.EVERYBODY)
        if int(t["kind_types"][np.int64(t["card_kind"][card])]) & types:
            frame[st.PICK] = card + 1
            return


@kernel
def _flip(t, s, f):
    frame = s["stack"][f]
    card = piles.take_top(t, s)
    frame[st.AMOUNT_IS] = 0
    if card >= 0:
        frame[st.AMOUNT_IS] = int(t["card_season"][card]) + 1
        piles.log_card(s, piles.L_FLIP, int(frame[st.SEAT]), -1, -1, 0, 0, card, piles.EVERYBODY)
        piles.discard(t, s, card)


@kernel
def _take_pick(t, s, f, seat):
    """The picked card, aside or in a hand, goes into the seat's hand; nobody but giver and taker knows it (X-6)."""
    frame = s["stack"][f]
    card = int(frame[st.PICK]) - 1
    frame[st.PICK] = 0
    if card < 0 or seat < 0:
        return
    me = int(frame[st.SEAT])
    giver = me
    if s["zone"][card] == st.IN_HAND:
        giver = np.int64(s["holder"][card])
        piles.lose_twin(t, s, card)
        piles.leave_hand(t, s, card)
        s["seen_by"][card] = np.int64(s["seen_by"][card]) & ((1 << giver) | (1 << me))
        piles.lose_track(t, s, giver, 1 << seat)
    else:
        piles.take_aside(s, card)
        s["holder"][card] = 0
    piles.enter_hand(t, s, card, seat)
    known = np.int64(s["seen_by"][card])
    if giver == me and seat != me:
        piles.tally(s, st.GIVES, me, seat)
        piles.log_card(s, piles.L_GIVE, me, seat, -1, 1, 1, card, known)
    else:
        piles.log_card(s, piles.L_TAKE, seat, giver if giver != seat else -1, -1, 1, 1, card, known)


@kernel
def _take_all(t, s, f, types):
    i = 0
    while i < s["aside_size"]:
        card = np.int64(s["aside"][i]) - 1
        if int(t["kind_types"][np.int64(t["card_kind"][card])]) & types:
            s["stack"][f, st.PICK] = card + 1
            _take_pick(t, s, f, int(s["stack"][f, st.SEAT]))
        else:
            i += 1
    s["stack"][f, st.PICK] = 0


@kernel
def own_incident(t, s, f):
    """Place among the incidents in play of the one this frame belongs to, or -1."""
    incident = int(t["text"][int(s["stack"][f, st.TEXT]), T_INCIDENT])
    for i in range(s["incident_size"]):
        if s["incidents"][i] == incident:
            return i
    return -1


@kernel
def _clear_aside(t, s, f, collecting):
    """Discard the cards aside in order; or this incident collects them as long as it is in play."""
    while s["aside_size"] > 0:
        card = np.int64(s["aside"][0]) - 1
        if s["zone"][card] == st.ASIDE_PRIVATE:  # what was turned over has its event already
            piles.log_card(s, piles.L_DISCARD, int(s["stack"][f, st.SEAT]), -1, -1, 0, 0, card, piles.EVERYBODY)
        piles.take_aside(s, card)
        s["holder"][card] = 0
        place = own_incident(t, s, f) if collecting else -1
        if place >= 0:
            piles.collect(t, s, place, card)
        else:
            piles.discard(t, s, card)


@kernel
def _to_deck(s, f, card):
    """A card goes on the Main deck, on top unless an end was named; an end named is the secret of who named it (X-9)."""
    frame = s["stack"][f]
    seat = int(frame[st.SEAT])
    end = int(frame[st.AMOUNT_IS])
    if end:
        s["seen_by"][card] = np.int64(s["seen_by"][card]) & (1 << seat)
        piles.lose_deck(s, seat)
    piles.put_on_deck(s, card, end == END_NAMED + 1)
    piles.log_card(s, piles.L_TO_DECK, seat, -1, v.MAIN_DECK, 0, 0 if end else 1, card, np.int64(s["seen_by"][card]))


@kernel
def _to_incident_deck(s, f, incident):
    """An incident goes back on its deck, on the end that its looker named in secret."""
    frame = s["stack"][f]
    seat = int(frame[st.SEAT])
    s["incident_seen"][incident] = 1 << seat
    for other in range(s["incident_seen"].shape[0]):
        s["incident_seen"][other] = np.int64(s["incident_seen"][other]) & (1 << seat)
    piles.put_on_incident_deck(s, incident, int(frame[st.AMOUNT_IS]) == END_NAMED + 1)
    piles.log_card(s, piles.L_TO_DECK, seat, -1, v.INCIDENT_DECK, 0, 0, st.INCIDENT_CARD + incident, 1 << seat)


@kernel
def _hand_to_deck(t, s, f):
    frame = s["stack"][f]
    card = int(frame[st.PICK]) - 1
    frame[st.PICK] = 0
    if card >= 0:
        seat = int(frame[st.SEAT])
        piles.leave_hand(t, s, card)
        s["seen_by"][card] = np.int64(s["seen_by"][card]) & (1 << seat)
        piles.lose_track(t, s, seat, 0)
        _to_deck(s, f, card)


@kernel
def _aside_to_deck(s, f):
    frame = s["stack"][f]
    card = int(frame[st.PICK]) - 1
    frame[st.PICK] = 0
    if card < 0:
        return
    piles.take_aside(s, card)
    if card >= st.INCIDENT_CARD:
        _to_incident_deck(s, f, card - st.INCIDENT_CARD)
    else:
        _to_deck(s, f, card)


@kernel
def gain_item(t, s, card, seat):
    """An item, already out of its place, comes under a seat's control; an exceeded limit is settled at once (C-8)."""
    piles.enter_play(t, s, card, seat)
    stack.push(s, st.LIMIT, seat)


@kernel
def _take_control(t, s, f, word):
    card = int(s["stack"][f, st.PICK]) - 1
    s["stack"][f, st.PICK] = 0
    seat = queries.who(s, f, word)
    if card >= 0 and seat >= 0 and s["zone"][card] == st.IN_PLAY and s["holder"][card] != seat:
        piles.log_card(s, piles.L_TAKE, seat, np.int64(s["holder"][card]), -1, 0, 0, card, piles.EVERYBODY)
        piles.leave_play(t, s, card)
        gain_item(t, s, card, seat)


@kernel
def _put_in_play(t, s, f):
    frame = s["stack"][f]
    card = int(frame[st.PICK]) - 1
    frame[st.PICK] = 0
    if card < 0:
        return
    piles.take_aside(s, card)
    s["holder"][card] = 0
    if queries.has_law(t, s, v.NO_ITEMS):  # S-9
        piles.discard(t, s, card)
    else:
        gain_item(t, s, card, int(frame[st.SEAT]))


@kernel
def _collect_top(t, s, f):
    card = piles.take_top(t, s)
    if card < 0:
        return
    place = own_incident(t, s, f)
    if place >= 0:
        piles.collect(t, s, place, card)
    else:
        piles.discard(t, s, card)


@kernel
def _see_hand(t, s, f, seat, everybody):
    frame = s["stack"][f]
    if seat < 0:
        return
    me = int(frame[st.SEAT])
    piles.see_hand(t, s, seat, piles.EVERYBODY if everybody else 1 << me, me)
    frame[st.FLAGS] = int(frame[st.FLAGS]) | st.LOOKED


@kernel
def _draw_aside(t, s, f, cards):
    seat = int(s["stack"][f, st.SEAT])
    for place in range(cards):
        card = piles.draw_one(t, s, seat)
        if card < 0:
            return
        piles.lay_aside(s, card, st.ASIDE_PRIVATE, seat, 1 << seat)
        piles.log_card(s, piles.L_DRAW, seat, -1, -1, cards, place + 1, card, np.int64(s["seen_by"][card]))


@kernel
def _move_hand(t, s, f, op, seat, amount):
    """Operations that concern the hand of one seat."""
    if seat < 0 or not queries.is_active(s, seat):
        return
    if op == v.DRAW:
        piles.draw(t, s, seat, amount)
    elif op == v.DISCARD_HAND:
        s["stack"][f, st.AMOUNT_IS] = piles.discard_hand(t, s, seat)
    elif op == v.DISCARD_ITEMS:
        piles.discard_items(t, s, seat)
    elif op == v.DISCARD_RANDOM:
        card = piles.random_hand_card(t, s, seat)
        if card >= 0:
            piles.discard_from_hand(t, s, card)


@kernel
def _move_family(t, s, f, op, a, b):
    if op == v.DRAW or op == v.DISCARD_HAND or op == v.DISCARD_ITEMS or op == v.DISCARD_RANDOM:
        seat = queries.who(s, f, a)
        _move_hand(t, s, f, op, seat, queries.number(t, s, f, b, max(0, seat)))
    elif op == v.FLIP:
        _flip(t, s, f)
    elif op == v.REVEAL:
        _reveal(t, s, f, a, st.ASIDE_PUBLIC, piles.EVERYBODY)
    elif op == v.LOOK:
        _look(t, s, f, a, b)
    elif op == v.REVEAL_UNTIL:
        _reveal_until(t, s, f, a)
    elif op == v.TAKE:
        _take_pick(t, s, f, int(s["stack"][f, st.SEAT]))
    elif op == v.TAKE_ALL:
        _take_all(t, s, f, a)
    elif op == v.DISCARD_ASIDE or op == v.COLLECT_ASIDE:
        _clear_aside(t, s, f, op == v.COLLECT_ASIDE)
    elif op == v.HAND_TO_DECK:
        _hand_to_deck(t, s, f)
    elif op == v.ASIDE_TO_DECK:
        _aside_to_deck(s, f)
    elif op == v.DISCARD_ITEM:
        _discard_picked_item(t, s, f)
    elif op == v.TAKE_CONTROL:
        _take_control(t, s, f, a)
    elif op == v.PUT_IN_PLAY:
        _put_in_play(t, s, f)
    elif op == v.SWAP_HANDS:
        one = queries.who(s, f, a)
        other = queries.who(s, f, b)
        if one >= 0 and other >= 0 and one != other:
            piles.swap_hands(t, s, one, other)
    elif op == v.COLLECT_TOP:
        _collect_top(t, s, f)
    elif op == v.GIVE or op == v.GIVE_ASIDE:
        _take_pick(t, s, f, queries.who(s, f, a))
    elif op == v.LOOK_AT_HAND or op == v.SHOW_HAND:
        _see_hand(t, s, f, queries.who(s, f, a), op == v.SHOW_HAND)
    else:
        _draw_aside(t, s, f, queries.number(t, s, f, a, 0))


# ---------------------------------------------------------------- families LIFE and STACK


@kernel
def push_attack(t, s, f, attacker, target, damage, flags):
    """Put an attack on the stack, if the target is another active player and in range (K-12, K-13, A-16)."""
    frame = s["stack"][f]
    if target < 0 or target == attacker or not queries.is_active(s, target) or not queries.is_active(s, attacker):
        return
    if flags & v.ANY_RANGE == 0:
        bonus = int(frame[st.AMOUNT_IS]) if flags & v.BOOSTED else 0
        if (queries.range_mask(t, s, attacker, bonus, 0) >> target) & 1 == 0:
            return
    source = stack.attack_source(s, t, f)
    if source >= 0 and source != f:
        s["stack"][source, st.FLAGS] = int(s["stack"][source, st.FLAGS]) | st.EXTRA_USED
    a = stack.push(s, st.ATTACK, attacker)
    attack = s["stack"][a]
    attack[st.TEXT] = frame[st.TEXT]
    attack[st.PICKED] = target + 1
    attack[st.AMOUNT_IS] = damage
    attack[st.FLAGS] = st.UNAVOIDABLE_ATTACK if flags & v.UNAVOIDABLE else 0
    attack[st.SOURCE] = source + 1
    piles.tally(s, st.ATTACKS, attacker, target)
    piles.log(s, piles.L_ATTACK, attacker, target, -1, damage, 1 if flags & v.UNAVOIDABLE else 0)


@kernel
def _lose_life(t, s, f, victim, amount):
    """Direct life loss; from a card or Spell Card it counts as damage done by its controller (A-20)."""
    if victim < 0 or not queries.is_active(s, victim):
        return
    frame = s["stack"][f]
    seat = int(frame[st.SEAT])
    loss = life.lose_life(t, s, victim, amount, seat if victim != seat else -1)
    if loss and victim != seat and t["text"][int(frame[st.TEXT]), T_INCIDENT] == 0:
        stack.push_triggers(t, s, v.DAMAGED, victim, seat, f)


@kernel
def _healer(t, s, f):
    """Who heals in this frame: its controller, or nobody when an incident does."""
    frame = s["stack"][f]
    return -1 if t["text"][int(frame[st.TEXT]), T_INCIDENT] else int(frame[st.SEAT])


@kernel
def _life_family(t, s, f, op, a, b, c):
    seat = queries.who(s, f, a)
    if op == v.ATTACK:
        attacker = queries.who(s, f, v.SECOND if c & v.BY_SECOND else v.ME)
        push_attack(t, s, f, attacker, seat, queries.number(t, s, f, b, max(0, seat)), c)
    elif op == v.LOSE_LIFE:
        _lose_life(t, s, f, seat, b)
    elif seat >= 0 and op == v.GAIN_LIFE:
        life.gain_life(t, s, seat, b, _healer(t, s, f))
    elif seat >= 0:
        life.revive(t, s, seat, _healer(t, s, f))


@kernel
def _avoid(s, f):
    """The attack answered to is avoided, unless it cannot be."""
    subject = int(s["stack"][f, st.SUBJECT]) - 1
    if subject < 0 or s["stack"][subject, st.PROCEDURE] != st.ATTACK:
        return
    flags = int(s["stack"][subject, st.FLAGS])
    if flags & st.UNAVOIDABLE_ATTACK == 0:
        s["stack"][subject, st.FLAGS] = flags | st.AVOIDED


@kernel
def _cancel(t, s, f):
    frame = s["stack"][f]
    subject = int(frame[st.SUBJECT]) - 1
    if subject >= 0:
        s["stack"][subject, st.FLAGS] = int(s["stack"][subject, st.FLAGS]) | st.CANCELLED
        piles.log(s, piles.L_CANCEL, int(frame[st.SEAT]), int(s["stack"][subject, st.SEAT]), -1, int(s["stack"][subject, st.TEXT]), 0)


@kernel
def _activate(t, s, f, word):
    """The frame turns into the activation of a Spell Card: that of `word`, or one of one's own. WAIT while several are ready."""
    frame = s["stack"][f]
    seat = int(frame[st.SEAT])
    if word == v.ME:
        text = int(frame[st.TEXT])
        at_once = t["text"][text, T_RELATION] == v.EMPTY_HAND
        ready = legality.own_spells(t, s, seat, int(frame[stack.MOMENT]), int(frame[st.SUBJECT]) - 1, at_once)
        if ready == 0:
            ready = int(s["spells"][seat])  # a cost paid meanwhile took the target away: it is activated all the same
        if not actions.has_answer(s):
            actions.clear_legal(s)
            s["legal"][st.PICK_CHARACTER] = ready
            actions.ask(s, seat, actions.Q_SPELL)
            if not actions.has_answer(s):
                return WAIT
        character = actions.take_answer(s) - actions.CHARACTER_BASE
    else:
        owner = queries.who(s, f, word)
        if owner < 0:
            return ENDED
        character = int(s["character"][owner]) - 1
    frame[st.TEXT] = t["spell_text"][character]
    frame[st.FLAGS] = st.IS_SPELL
    for column in _RESET_COLUMNS:
        frame[column] = 0
    frame[st.AT] = stack.P_ANNOUNCE
    s["spell_used"][seat] = 1
    return ENDED


@kernel
def _copy(t, s, f):
    """Put a copy of the thing answered to on the stack: announced anew by the copier, uncancellable, not played (H-14)."""
    frame = s["stack"][f]
    subject = s["stack"][int(frame[st.SUBJECT]) - 1]
    c = stack.push(s, st.PLAY, int(frame[st.SEAT]))
    copy = s["stack"][c]
    copy[st.AT] = stack.P_ANNOUNCE
    copy[st.TEXT] = subject[st.TEXT]
    copy[st.SUBJECT] = subject[st.SUBJECT]
    copy[stack.MOMENT] = subject[stack.MOMENT]
    copy[st.FLAGS] = st.IS_COPY | (int(subject[st.FLAGS]) & st.IS_SPELL)


@kernel
def _add_lasting(s, owner, kind, seat, value):
    """A row that lasts until the owner's next turn; the oldest row gives way when all are taken."""
    if seat < 0:
        return
    if s["lasting_size"] == st.LASTING_ROWS:
        remove_lasting(s, 0)
    row = s["lasting"][int(s["lasting_size"])]
    row[0] = kind + 1
    row[1] = owner
    row[2] = seat
    row[3] = value
    s["lasting_size"] += 1
    piles.log(s, piles.L_LASTING, owner, seat, kind, value, 0)


@kernel
def remove_lasting(s, place):
    """Close up the rows behind `place`."""
    last = int(s["lasting_size"]) - 1
    for i in range(place, last):
        for column in range(4):
            s["lasting"][i, column] = s["lasting"][i + 1, column]
    for column in range(4):
        s["lasting"][last, column] = 0
    s["lasting_size"] = last


@kernel
def _stack_family(t, s, f, op, a, b, c):
    if op == v.CANCEL_IT:
        _cancel(t, s, f)
    elif op == v.AVOID_IT:
        _avoid(s, f)
    elif op == v.ACTIVATE:
        return _activate(t, s, f, a)
    elif op == v.COPY_IT:
        _copy(t, s, f)
    elif op == v.LAST:
        _add_lasting(s, int(s["stack"][f, st.SEAT]), a, queries.who(s, f, b), queries.number(t, s, f, c, 0))
    elif op == v.SKIP_NEXT_TURN:
        seat = queries.who(s, f, a)
        if seat >= 0:
            s["skip_next"][seat] = 1
    elif op == v.SKIP_THIS_TURN:
        s["skipping"] = 1
    elif op == v.BAN_ACTIONS:
        s["action_ban"] = 1
    elif op == v.RESOLVE_INCIDENT:
        if t["text"][int(s["stack"][f, st.TEXT]), T_INCIDENT]:
            place = own_incident(t, s, f)
        else:
            place = 0 if s["incident_size"] > 0 else -1
        if place >= 0:
            piles.resolve_incident_at(t, s, place)
    elif op == v.ADD_DRAWS:
        s["draws"] += a
    else:
        s["skip_incident"] = 1
    return NEXT


# ---------------------------------------------------------------- family FLOW


@kernel
def _holds(t, s, f, condition, operand):
    frame = s["stack"][f]
    if condition == v.FLIPPED:
        return frame[st.AMOUNT_IS] > 0 and (operand >> (int(frame[st.AMOUNT_IS]) - 1)) & 1 == 1
    if condition == v.HAS_CHOSEN:
        return frame[st.PICKED] > 0
    if condition == v.HAS_SECOND:
        return frame[st.SECOND_SEAT] > 0
    if condition == v.HAS_PICK:
        return frame[st.PICK] > 0
    if condition == v.ASIDE_LEFT:
        return s["aside_size"] > 0
    if condition == v.INCIDENT_IN_PLAY:
        return s["incident_size"] > 0
    if condition == v.CAN_COPY:
        subject = s["stack"][int(frame[st.SUBJECT]) - 1]
        return legality.can_announce(t, s, int(subject[st.TEXT]), int(frame[st.SEAT]), int(subject[st.SUBJECT]) - 1, -1)
    if condition == v.HAS_ITEMS:
        return s["item_slots"][int(frame[st.PICKED]) - 1] != 0
    if condition == v.HAS_HAND:
        return s["hand_size"][int(frame[st.PICKED]) - 1] > 0
    if condition == v.HAND_LEFT:
        return s["hand_size"][int(frame[st.SEAT])] > 0
    return True


@kernel
def _next_each(s, f, jump):
    """The next seat of the loop, clockwise from the controller."""
    frame = s["stack"][f]
    remaining = int(frame[st.REMAINING])
    if remaining == 0:
        frame[st.EACH_SEAT] = 0
        frame[st.PC] = jump
        return JUMPED
    players = int(s["num_players"])
    seat = int(frame[st.SEAT])
    while (remaining >> seat) & 1 == 0:
        seat = (seat + 1) % players
    frame[st.EACH_SEAT] = seat + 1
    frame[st.REMAINING] = remaining & ~(1 << seat)
    return NEXT


@kernel
def _flow_family(t, s, f, op, a, b, c):
    frame = s["stack"][f]
    if op == v.END:
        return ENDED
    if op == v.JUMP:
        frame[st.PC] = c
        return JUMPED
    if op == v.IF:
        if _holds(t, s, f, a, b):
            return NEXT
        frame[st.PC] = c
        return JUMPED
    if op == v.START_EACH:
        frame[st.REMAINING] = queries.group_mask(t, s, a, int(frame[st.SEAT]), f, 0, 0)
        return NEXT
    if op == v.NEXT_EACH:
        return _next_each(s, f, c)
    if op == v.SET_COUNT:
        frame[st.REMAINING] = queries.number(t, s, f, a, 0)
        return NEXT
    if frame[st.REMAINING] == 0:
        frame[st.PC] = c
        return JUMPED
    frame[st.REMAINING] -= 1
    return NEXT


# ---------------------------------------------------------------- the loop


@kernel
def _native_family(t, s, f, op):
    if op == v.SWAP_WITH_HEROINE:
        natives.swap_with_heroine(t, s)
        return NEXT
    return NEXT if natives.hand_on_attack(s, f) else WAIT


@kernel
def _step(t, s, f):
    """Carry out the row the frame stands at."""
    pc = int(s["stack"][f, st.PC])
    if t["reached"][pc] == 0:
        t["reached"][pc] = 1
    row = t["program"][pc]
    op, a, b, c = int(row[0]), int(row[1]), int(row[2]), int(row[3])
    family = op & ~31
    if family == v.ASK:
        return _ask_family(t, s, f, op, a, b, c)
    if family == v.MOVE:
        _move_family(t, s, f, op, a, b)
        return NEXT
    if family == v.LIFE:
        _life_family(t, s, f, op, a, b, c)
        return NEXT
    if family == v.STACK:
        return _stack_family(t, s, f, op, a, b, c)
    if family == v.FLOW:
        return _flow_family(t, s, f, op, a, b, c)
    return _native_family(t, s, f, op)


@kernel
def run(t, s, f):
    """Run the frame's program until it ends (True), waits for an answer, or put something on top of itself (False)."""
    while True:
        outcome = _step(t, s, f)
        if outcome == ENDED:
            return True
        if outcome == WAIT:
            return False
        if outcome == NEXT:
            s["stack"][f, st.PC] += 1
        if s["depth"] > f + 1 or s["outcome"] != st.RUNNING:
            return False
