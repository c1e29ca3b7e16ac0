"""The steps of a game: set-up, the four phases of a turn, what is used in them, and texts that happen by themselves."""

import numpy as np

from danmaku_env.jit.kernels import kernel, lowest_bit
from danmaku_env.machine import rng
from danmaku_env.machine.answers import has_answer, take_answer
from danmaku_env.machine.frames import AT, SEAT
from danmaku_env.machine.stack import pop, push
from danmaku_env.sister.utage.cards import box
from danmaku_env.sister.utage.cards import tables as tb
from danmaku_env.sister.utage.cards import words as w
from danmaku_env.sister.utage.engine import actions, program
from danmaku_env.sister.utage.engine import state as st
from danmaku_env.sister.utage.engine import use as u
from danmaku_env.sister.utage.engine import values as v
from danmaku_env.sister.utage.engine import zones as z

clear_legal, allow, ask = actions.ANSWERS.clear_legal, actions.ANSWERS.allow, actions.ANSWERS.ask
STEPS = (
    "name leaders", "deal", "mulligan", "turn", "draw", "replenish", "battle", "attack", "intercept", "in battle", "half", "after a hit",
    "after battle", "battle over", "prepare", "preparing", "end", "turn over",
)  # fmt: skip
"""Steps of the game, as `Scenario` names those that it can begin with."""
(
    G_LEADERS, G_DEAL, G_MULLIGAN, G_TURN, G_DRAW, G_REPLENISH, G_BATTLE, G_ATTACK, G_INTERCEPT, G_IN_BATTLE, G_HALF, G_AFTER_HIT,
    G_AFTER_BATTLE, G_BATTLE_OVER, G_PREPARE, G_PREPARING, G_END, G_TURN_OVER,
) = range(len(STEPS))  # fmt: skip
U_TARGET, U_COST, U_RUN, U_DONE = range(4)
"""Steps of a use (P-4)."""
_PREVENTS = box.NUMBERS[box.PREVENTS]
DECK_ROOM = w.TEAM + 2 * w.SLOTS
"""Numbers of a deck in the settings: the team, then the card (plus one) and the copies of each slot."""
SET_CONFIG, SET_TURNS, SET_DECKS, SET_FIRST = range(4)
FIRST_DECK = SET_FIRST + st.SEATS
"""The settings: bits, turns, how many decks follow, and from SET_FIRST on which each seat has, or -1 for a drawn one."""


# ---------------------------------------------------------------- set-up


@kernel
def deal_deck(s, seat, deck):
    """A seat gets the team and cards of a deck, in order; its list is open or not."""
    for place in range(w.TEAM):
        character = deck[place]
        s["team"][seat, place] = character
        s["level"][seat, character] += 1
    size = 0
    for slot in range(w.SLOTS):
        card, copies = deck[w.TEAM + 2 * slot], deck[w.TEAM + 2 * slot + 1]
        s["card"][seat, slot] = card
        s["copies"][seat, slot] = copies
        if s["config"] & st.OPEN_LISTS:
            s["rank"][seat, slot] = slot + 1
        for _ in range(copies):
            s["deck"][seat, size] = slot + 1
            size += 1
    s["deck_size"][seat] = size
    s["leader"][seat] = -1


@kernel
def note_requirements(t, s):
    """Which slots' requirements each team meets (S-3)."""
    for seat in range(st.SEATS):
        bits = 0
        for slot in range(w.SLOTS):
            if not s["card"][seat, slot]:
                continue
            fine = True
            for character in range(len(w.CHARACTERS)):
                if t["requirement"][z.card_of(s, seat, slot), character] > s["level"][seat, character]:
                    fine = False
            if fine:
                bits |= 1 << slot
        s["meets"][seat] = bits


@kernel
def new_game(settings, s, seed):
    """Begin a game in a zeroed record."""
    s["seed"] = seed
    s["config"] = settings[SET_CONFIG]
    s["max_turns"] = settings[SET_TURNS]
    s["num_players"] = st.SEATS
    s["answer"] = -1
    s["asking"] = st.NOBODY
    rng.seed_rng(s, seed)
    for seat in range(st.SEATS):
        chosen = settings[SET_FIRST + seat]
        if chosen < 0:
            chosen = rng.below(s, settings[SET_DECKS])
        low = FIRST_DECK + chosen * DECK_ROOM
        deal_deck(s, seat, settings[low : low + DECK_ROOM])
    push(s, st.GAME_FRAME, 0)


@kernel
def _name_leaders(t, s, frame):
    """Each seat names its leader, unseen until both have (S-4, H-5); whether they have."""
    for seat in range(st.SEATS):
        if s["leader"][seat] >= 0:
            continue
        if not has_answer(s):
            clear_legal(s)
            for place in range(w.TEAM):
                first = True
                for before in range(place):
                    if s["team"][seat, before] == s["team"][seat, place]:
                        first = False
                if first:
                    allow(s, actions.CHARACTER_BASE + place)
            s["cause"] = 0
            if ask(s, seat, w.Q_LEADER):
                return False
        s["leader"][seat] = take_answer(s) - actions.CHARACTER_BASE
    for seat in range(st.SEATS):
        s["hp"][seat] = t["hp"][z.leader_card(s, seat)]
        z.log(s, st.L_LEADER, seat, seat, z.leader_card(s, seat) + 1, 0, st.EVERYBODY)
    return True


@kernel
def _has_spell(t, s, seat, in_hand):
    """Whether there is a spell in a hand, or in a whole deck list."""
    for slot in range(w.SLOTS):
        if s["card"][seat, slot] and t["kind"][z.card_of(s, seat, slot)] == w.SPELL and (s["hand"][seat, slot] or not in_hand):
            return True
    return False


@kernel
def _mulligan(t, s, frame):
    """A first hand without a spell may be shown, shuffled in and drawn anew, again and again (S-6); whether that is over."""
    while frame[SEAT] < st.SEATS:
        seat = int(frame[SEAT])
        if _has_spell(t, s, seat, True) or not _has_spell(t, s, seat, False):
            frame[SEAT] += 1
            continue
        if not has_answer(s):
            clear_legal(s)
            allow(s, actions.YES)
            allow(s, actions.PASS)
            if ask(s, seat, w.Q_MULLIGAN):
                return False
        if take_answer(s) == actions.PASS:
            frame[SEAT] += 1
            continue
        z.show_hand(s, seat)
        z.note_shown(s, seat)
        z.log(s, st.L_MULLIGAN, seat, seat, 0, int(s["hand_size"][seat]), st.EVERYBODY)
        for slot in range(w.SLOTS):
            while s["hand"][seat, slot]:
                z.log(s, st.L_SHOW, seat, seat, np.int64(s["card"][seat, slot]), 1, st.EVERYBODY)
                z.take_from_hand(s, seat, slot)
                size = int(s["deck_size"][seat])
                s["deck"][seat, size] = slot + 1
                s["deck_size"][seat] = size + 1
        z.shuffle_deck(s, seat)
        for _ in range(w.HAND_SIZE):
            z.draw(s, seat)
    frame[SEAT] = 0
    return True


# ---------------------------------------------------------------- a use: target, cost, effect (P-4)


@kernel
def push_use(s, seat, kind, card, place, pc):
    """Have something carried out; returns the index of its frame."""
    f = push(s, st.USE_FRAME, seat)
    frame = s["stack"][f]
    frame[st.COL_KIND] = kind
    frame[st.COL_CARD] = card + 1
    frame[st.COL_PLACE] = place + 1
    frame[st.COL_PC] = pc
    frame[AT] = U_RUN if kind == st.K_TEXT or kind == st.K_LATER else U_TARGET
    return f


@kernel
def use_from_hand(t, s, seat, slot):
    """An event is used, or a support placed, from the hand."""
    card = z.card_of(s, seat, slot)
    is_event = t["kind"][card] == w.EVENT
    z.take_from_hand(s, seat, slot)
    f = push_use(s, seat, st.K_EVENT if is_event else st.K_SUPPORT, card, -1, np.int64(t["use"][card, tb.U_PC]) if is_event else 0)
    s["stack"][f, st.COL_SLOT] = slot + 1
    if is_event:
        z.log(s, st.L_EVENT, seat, seat, card + 1, 1, st.EVERYBODY)


@kernel
def _use(t, s, seat, answer):
    """Carry out what a seat chose where it has priority."""
    if answer == actions.USE_LEADER:
        card = z.leader_card(s, seat)
        s["leader_used"][seat] = t["use"][card, tb.U_LIMIT]
        z.log(s, st.L_ABILITY, seat, seat, card + 1, 1, st.EVERYBODY)
        push_use(s, seat, st.K_LEADER, card, -1, np.int64(t["use"][card, tb.U_PC]))
    elif answer >= actions.USE_BASE:
        place = answer - actions.USE_BASE
        card = np.int64(s["at_card"][seat, place]) - 1
        if t["use"][card, tb.U_LIMIT]:
            s["marks"][seat, place] = np.int64(s["marks"][seat, place]) | st.P_USED_ABILITY
        z.log(s, st.L_ABILITY, seat, np.int64(s["at_owner"][seat, place]), card + 1, 1, st.EVERYBODY)
        push_use(s, seat, st.K_ABILITY, card, place, np.int64(t["use"][card, tb.U_PC]))
    else:
        use_from_hand(t, s, seat, answer - actions.PLAY_BASE)


@kernel
def _take_place(frame, me, answer):
    """Note the place, or the leader, that was chosen."""
    if answer >= actions.OTHER_PLACE_BASE:
        frame[st.COL_TARGET_SIDE], frame[st.COL_TARGET] = 1 - me, answer - actions.OTHER_PLACE_BASE + 1
    elif answer >= actions.OWN_PLACE_BASE:
        frame[st.COL_TARGET_SIDE], frame[st.COL_TARGET] = me, answer - actions.OWN_PLACE_BASE + 1
    else:
        frame[st.COL_TARGET_SIDE] = me if answer == actions.LEADER_BASE else 1 - me


@kernel
def _choose_target(t, s, frame, kind, card):
    """Have a target, or the place of a support, chosen; whether that is done."""
    me = int(frame[SEAT])
    wanted = np.int64(t["use"][card, tb.U_FILTER]) - 1 if kind != st.K_SUPPORT else -1
    if wanted < 0 and (kind != st.K_SUPPORT or t["place"][card] == w.SCENE):
        return True
    if not has_answer(s):
        clear_legal(s)
        if kind == st.K_SUPPORT:
            u.allow_hosts(t, s, me, card, True)
        else:
            u.allow_targets(t, s, me, card, kind == st.K_EVENT, wanted, True)
        s["cause"] = card + 1
        if ask(s, me, w.Q_PLACE_ON if kind == st.K_SUPPORT else w.Q_TARGET):
            return False
    _take_place(frame, me, take_answer(s))
    return True


@kernel
def _pay_cards(t, s, frame, card, moment):
    """Have cards of the hand, or a reserve spell, chosen to pay with; whether that is done. A target cannot pay (P-4)."""
    me = int(frame[SEAT])
    if t["cost"][card, moment, tb.COST_RESERVE] and not frame[st.COL_PAID]:
        if not has_answer(s):
            clear_legal(s)
            bits = int(s["used"][me])
            while bits:
                place = lowest_bit(bits)
                bits &= bits - 1
                aimed_at = frame[st.COL_TARGET_SIDE] == me and frame[st.COL_TARGET] == place + 1
                if u.pays_with(t, s, me, card, place) and not aimed_at:
                    allow(s, actions.OWN_PLACE_BASE + place)
            s["cause"] = card + 1
            if ask(s, me, w.Q_PAY):
                return False
        z.discard_place(s, me, take_answer(s) - actions.OWN_PLACE_BASE, me)
        frame[st.COL_PAID] = 1
    while frame[st.COL_PAID] < t["cost"][card, moment, tb.COST_HAND]:
        if not _discard_chosen(s, me, card + 1, w.Q_PAY):
            return False
        frame[st.COL_PAID] += 1
    return True


@kernel
def _discard_chosen(s, seat, cause, question):
    """Have a card of the own hand chosen and discarded; whether that is done."""
    if not has_answer(s):
        clear_legal(s)
        bits = int(s["in_hand"][seat])
        while bits:
            allow(s, actions.OWN_CARD_BASE + lowest_bit(bits))
            bits &= bits - 1
        s["cause"] = cause
        if ask(s, seat, question):
            return False
    slot = take_answer(s) - actions.OWN_CARD_BASE
    z.take_from_hand(s, seat, slot)
    z.to_discard(s, seat, slot, seat)
    return True


@kernel
def _place_support(t, s, frame, card):
    """A support comes to lie where it was chosen to (F-2 to F-5)."""
    me, slot = int(frame[SEAT]), int(frame[st.COL_SLOT]) - 1
    side, host = int(frame[st.COL_TARGET_SIDE]), int(frame[st.COL_TARGET]) - 1
    if t["place"][card] == w.SCENE:
        old = z.scene_side(s)
        if old >= 0:
            z.discard_place(s, old, z.scene_place(s, old), me)
        z.put_down(s, me, me, slot, st.IS_SCENE)
    elif t["place"][card] == w.ON_LEADER:
        z.put_down(s, side, me, slot, st.AT_LEADER)
    else:
        place = z.put_down(s, side, me, slot, st.AT_SPELL)
        s["host"][side, place] = host + 1
        s["carries"][side, host] = place + 1
    z.log(s, st.L_PLACE, me, me, card + 1, 1, st.EVERYBODY)


@kernel
def use(t, s, f):
    """Target, cost, effect of what is used, or the effect alone of what happens by itself."""
    frame = s["stack"][f]
    kind, card, me = int(frame[st.COL_KIND]), int(frame[st.COL_CARD]) - 1, int(frame[SEAT])
    if frame[AT] == U_TARGET:
        if kind != st.K_BATTLE and not _choose_target(t, s, frame, kind, card):
            return
        frame[AT] = U_COST
    if frame[AT] == U_COST:
        moment = w.ABILITY
        if kind == st.K_EVENT or kind == st.K_SUPPORT:
            moment = w.USE
        elif kind == st.K_BATTLE:
            moment = w.TO_BATTLE
        if not _pay_cards(t, s, frame, card, moment):
            return
        u.pay(s, me, t["cost"][card, moment])
        frame[AT] = U_RUN
        if z.judge(s):
            return
        v.refresh(t, s)
    if kind == st.K_SUPPORT:
        _place_support(t, s, frame, card)
    elif kind != st.K_BATTLE and not program.run(t, s, f):
        return
    if kind == st.K_EVENT:
        z.to_discard(s, me, int(frame[st.COL_SLOT]) - 1, -1)
    z.judge(s)
    pop(s)


# ---------------------------------------------------------------- texts that happen by themselves (F-9)


@kernel
def push_moment(s, moment):
    """The texts of a moment happen: the attacker's first, then the interceptor's."""
    for side in range(st.SEATS):
        bits = int(s["used"][side])
        while bits:
            place = lowest_bit(bits)
            bits &= bits - 1
            s["marks"][side, place] = np.int64(s["marks"][side, place]) & ~st.P_TOLD
    s["stack"][push(s, st.MOMENT_FRAME, int(s["attacker"]))][st.COL_MOMENT] = moment


@kernel
def _waits(t, s, me, place, moment):
    """Whether the text of a card waits for this moment and has not happened in it."""
    card = np.int64(s["at_card"][me, place]) - 1
    text = t["trigger"][card]
    if text[tb.T_MOMENT] != moment or np.int64(s["marks"][me, place]) & st.P_TOLD:
        return False
    if text[tb.T_ROLE] and (text[tb.T_ROLE] == w.ATTACK) != (me == int(s["attacker"])):
        return False
    if moment == w.AT_BATTLE_START and t["kind"][card] == w.SPELL and s["where"][me, place] != st.IS_ACTIVE:
        return False
    return v.holds(t, s, np.int64(text[tb.T_TEST]), np.int64(text[tb.T_TA]), np.int64(text[tb.T_TB]), me, place)


@kernel
def _later_answer(s, line):
    """How an effect that was put off is named: by the place of its card, or by the card."""
    row = s["later"][line]
    if row[st.LT_PLACE]:
        return actions.OWN_PLACE_BASE + int(row[st.LT_PLACE]) - 1
    for slot in range(w.SLOTS):
        if np.int64(s["card"][int(row[st.LT_WHOSE]), slot]) == int(row[st.LT_CARD]):
            return actions.OWN_CARD_BASE + slot
    return actions.PASS


@kernel
def moment(t, s, f):
    """Have the next text of a moment carried out, in the order that its side chooses."""
    frame = s["stack"][f]
    me, what = int(frame[SEAT]), int(frame[st.COL_MOMENT])
    clear_legal(s)
    found = False
    bits = int(s["used"][me])
    while bits:
        place = lowest_bit(bits)
        bits &= bits - 1
        if _waits(t, s, me, place, what):
            allow(s, actions.OWN_PLACE_BASE + place)
            found = True
    for line in range(s["later_count"]):
        if s["later"][line, st.LT_MOMENT] == what and s["later"][line, st.LT_WHOSE] == me:
            allow(s, _later_answer(s, line))
            found = True
    if not found:
        if me == int(s["attacker"]):
            frame[SEAT] = 1 - me
        else:
            pop(s)
        return
    if not has_answer(s):
        s["cause"] = 0
        if ask(s, me, w.Q_ORDER):
            return
    answer = take_answer(s)
    clear_legal(s)
    for line in range(s["later_count"]):
        row = s["later"][line]
        if row[st.LT_MOMENT] == what and row[st.LT_WHOSE] == me and _later_answer(s, line) == answer:
            push_use(s, me, st.K_LATER, int(row[st.LT_CARD]) - 1, int(row[st.LT_PLACE]) - 1, int(row[st.LT_PC]))
            _drop_later(s, line)
            return
    place = answer - actions.OWN_PLACE_BASE
    s["marks"][me, place] = np.int64(s["marks"][me, place]) | st.P_TOLD
    card = np.int64(s["at_card"][me, place]) - 1
    z.log(s, st.L_TEXT, me, np.int64(s["at_owner"][me, place]), card + 1, 1, st.EVERYBODY)
    push_use(s, me, st.K_TEXT, card, place, np.int64(t["trigger"][card, tb.T_PC]))


@kernel
def _drop_later(s, line):
    count = int(s["later_count"]) - 1
    for row in range(line, count):
        for column in range(s["later"].shape[1]):
            s["later"][row, column] = s["later"][row + 1, column]
    for column in range(s["later"].shape[1]):
        s["later"][count, column] = 0
    s["later_count"] = count


# ---------------------------------------------------------------- phases


@kernel
def begin_phase(s, phase):
    """A phase begins: what lasted until the end of the last is over, and abilities may be used again (P-7)."""
    program.expire(s, 0)
    s["phase"] = phase
    for side in range(st.SEATS):
        s["leader_used"][side] = 0
        s["battling"][side] = 0
        for place in range(w.PLACES):
            s["marks"][side, place] = 0
    s["hit"] = 0
    s["hurt"] = 0
    s["half"] = 0


@kernel
def _priority(t, s, frame):
    """In turn, attacker first: use something or pass, until two have passed (P-1 to P-3); whether it is over."""
    while frame[st.COL_PASSES] < st.SEATS:
        seat = int(frame[st.COL_ACTOR])
        if not has_answer(s):
            clear_legal(s)
            if not u.allow_uses(t, s, seat) and not s["config"] & st.ASK_EVERYONE:
                frame[st.COL_PASSES] += 1
                frame[st.COL_ACTOR] = 1 - seat
                continue
            allow(s, actions.PASS)
            s["cause"] = 0
            if ask(s, seat, w.Q_ACT):
                return False
        answer = take_answer(s)
        frame[st.COL_ACTOR] = 1 - seat
        if answer != actions.PASS:
            frame[st.COL_PASSES] = 0
            _use(t, s, seat, answer)
            return False
        frame[st.COL_PASSES] += 1
    return True


@kernel
def _give_priority(s, frame):
    frame[st.COL_PASSES] = 0
    frame[st.COL_ACTOR] = s["attacker"]


@kernel
def _choose_spell(t, s, side, question):
    """Have a side choose the spell it battles with, or none; 0 for none, -1 while it is asked, else the place plus one."""
    if not has_answer(s):
        clear_legal(s)
        u.allow_battlers(t, s, side)
        allow(s, actions.PASS)
        s["cause"] = 0
        if ask(s, side, question):
            return -1
    answer = take_answer(s)
    if answer == actions.PASS:
        return 0
    place = answer - actions.OWN_PLACE_BASE
    card = np.int64(s["at_card"][side, place])
    s["battling"][side] = place + 1
    s["marks"][side, place] = np.int64(s["marks"][side, place]) | st.P_USED_IN_BATTLE
    s["stale"] = 1
    z.log(s, st.L_ATTACK if question == w.Q_ATTACK else st.L_INTERCEPT, side, side, card, 1, st.EVERYBODY)
    push_use(s, side, st.K_BATTLE, card - 1, place, 0)
    return place + 1


@kernel
def _evades(t, s, defender, hv):
    """Whether a spell misses: its HV is below EV, or equal and the border is paid (B-2); 2 while that is asked."""
    ev, bv = int(s["value_ev"][defender]), int(s["value_bv"][defender])
    if hv != ev:
        return 1 if hv < ev else 0
    if not has_answer(s):
        if s["sp"][defender] < bv:
            return 0
        clear_legal(s)
        allow(s, actions.YES)
        allow(s, actions.PASS)
        s["cause"] = 0
        if ask(s, defender, w.Q_BORDER):
            return 2
    if take_answer(s) == actions.PASS:
        return 0
    s["sp"][defender] -= bv
    z.log(s, st.L_BORDER, defender, defender, 0, bv, st.EVERYBODY)
    return 1


@kernel
def _prevented(s, defender):
    """Whether spell damage to a leader is prevented (B-9)."""
    bits = int(s["used"][defender])
    while bits:
        place = lowest_bit(bits)
        bits &= bits - 1
        if s["where"][defender, place] == st.AT_LEADER and s["at_card"][defender, place] == _PREVENTS + 1:
            s["marks"][defender, place] = np.int64(s["marks"][defender, place]) | st.P_USED_IN_BATTLE
            return True
    return False


@kernel
def _half(t, s):
    """One spell is judged against the other leader (B-2, B-3, B-5); whether that is done."""
    side = int(s["attacker"]) if s["half"] == 1 else 1 - int(s["attacker"])
    place, defender = int(s["battling"][side]) - 1, 1 - side
    if place < 0:
        return True
    missed = _evades(t, s, defender, int(s["value_hv"][side, place]))
    if missed == 2:
        return False
    card = np.int64(s["at_card"][side, place])
    if missed:
        z.log(s, st.L_MISS, side, side, card, 1, st.EVERYBODY)
        return True
    z.log(s, st.L_HIT, side, side, card, 1, st.EVERYBODY)
    s["hit"] = np.int64(s["hit"]) | 1 << defender
    amount = v.spell_damage(s, side, place, defender)
    if amount and not _prevented(s, defender):
        s["hurt"] = np.int64(s["hurt"]) | 1 << defender
        s["hp"][defender] -= amount
        s["stale"] = 1
        z.log(s, st.L_SPELL_DAMAGE, defender, side, card, amount, st.EVERYBODY)
    if not z.judge(s):
        push_moment(s, w.AT_HIT)
    return True


@kernel
def _after_battle(s):
    """The battling spell of each side whose leader was hit becomes a reserve spell (B-6)."""
    for side in range(st.SEATS):
        if (np.int64(s["hit"]) >> side) & 1 and s["battling"][side]:
            z.to_reserve(s, side, int(s["battling"][side]) - 1)
    s["half"] = 0


@kernel
def _prepare(t, s, frame):
    """The attacker puts down, activates and places until it passes (T-4); whether it has."""
    me = int(s["attacker"])
    if not has_answer(s):
        clear_legal(s)
        u.allow_preparations(t, s, me, int(frame[st.COL_PLACED]))
        allow(s, actions.PASS)
        s["cause"] = 0
        if ask(s, me, w.Q_PREPARE):
            return False
    answer = take_answer(s)
    if answer == actions.PASS:
        return True
    if answer >= actions.ACTIVATE_BASE:
        _activate(t, s, me, answer - actions.ACTIVATE_BASE)
        return False
    slot = answer - actions.PLAY_BASE
    card = z.card_of(s, me, slot)
    if t["kind"][card] == w.SPELL:
        z.take_from_hand(s, me, slot)
        z.put_down(s, me, me, slot, st.IN_RESERVE)
        z.log(s, st.L_INTO_PLAY, me, me, card + 1, 1, st.EVERYBODY)
        frame[st.COL_PLACED] += 1
    else:
        use_from_hand(t, s, me, slot)
    return False


@kernel
def _activate(t, s, me, place):
    """A reserve spell becomes active for its SP and extra cost, and its text answers that."""
    card = np.int64(s["at_card"][me, place]) - 1
    u.pay(s, me, t["cost"][card, w.TO_ACTIVE])
    z.to_active(s, me, place)
    if not z.judge(s) and t["trigger"][card, tb.T_MOMENT] == w.AT_ACTIVATED:
        push_use(s, me, st.K_TEXT, card, place, np.int64(t["trigger"][card, tb.T_PC]))


@kernel
def _begin_turn(s, frame):
    """The next turn begins, or the game is cut off (T-8)."""
    if s["turn_number"] >= s["max_turns"]:
        s["outcome"] = st.TRUNCATED
        z.log(s, st.L_WIN, -1, -1, 0, 0, st.EVERYBODY)
        return
    s["turn_number"] += 1
    s["events_banned"] = 0
    s["battles"] = 1
    begin_phase(s, w.REPLENISH)
    z.log(s, st.L_TURN, int(s["attacker"]), -1, 0, int(s["turn_number"]), st.EVERYBODY)
    push_moment(s, w.AT_REPLENISH_START)
    frame[AT] = G_DRAW


@kernel
def _draw_and_replenish(s):
    """The attacker draws, but not in the first turn of the game, and gains SP (T-2)."""
    me = int(s["attacker"])
    if s["turn_number"] > 1:
        z.draw(s, me)
        if z.judge(s):
            return
    reserve, bits = 0, int(s["used"][me])
    while bits:
        if s["where"][me, lowest_bit(bits)] == st.IN_RESERVE:
            reserve += 1
        bits &= bits - 1
    z.gain_sp(s, me, 1 + reserve)


@kernel
def _over(s):
    """The turn is over: what lasted until its end too, and the sides change (T-1, T-5)."""
    begin_phase(s, w.END)
    program.expire(s, 1)
    for line in range(s["later_count"]):
        for column in range(s["later"].shape[1]):
            s["later"][line, column] = 0
    s["later_count"] = 0
    s["ends"] = 0
    s["attacker"] = 1 - int(s["attacker"])


# ---------------------------------------------------------------- the game


@kernel
def _set_up(t, s, frame, step):
    """Leaders, hands, mulligans, and who attacks first (S-4)."""
    if step == G_LEADERS:
        if frame[SEAT] == 0 and not s["meets"].any():
            note_requirements(t, s)
        if _name_leaders(t, s, frame):
            frame[AT] = G_DEAL
    elif step == G_DEAL:
        for seat in range(st.SEATS):
            z.shuffle_deck(s, seat)
            for _ in range(w.HAND_SIZE):
                z.draw(s, seat)
        s["stale"] = 1
        frame[SEAT] = 0
        frame[AT] = G_MULLIGAN
    elif _mulligan(t, s, frame):
        s["attacker"] = rng.below(s, st.SEATS)
        s["first"] = s["attacker"]
        frame[AT] = G_TURN


@kernel
def _battle(t, s, frame, step):
    """The battle phase (T-3, B-1 to B-8)."""
    if step == G_BATTLE:
        begin_phase(s, w.BATTLE)
        s["battles"] -= 1
        push_moment(s, w.AT_BATTLE_START)
        frame[AT] = G_ATTACK
    elif step == G_ATTACK:
        chosen = _choose_spell(t, s, int(s["attacker"]), w.Q_ATTACK)
        if chosen == 0:
            z.log(s, st.L_NO_ATTACK, int(s["attacker"]), -1, 0, 0, st.EVERYBODY)
            push_moment(s, w.AT_BATTLE_END)
            frame[AT] = G_BATTLE_OVER
        elif chosen > 0:
            frame[AT] = G_INTERCEPT
    elif step == G_INTERCEPT:
        chosen = _choose_spell(t, s, 1 - int(s["attacker"]), w.Q_INTERCEPT)
        if chosen == 0:
            z.log(s, st.L_NO_INTERCEPT, 1 - int(s["attacker"]), -1, 0, 0, st.EVERYBODY)
        if chosen >= 0:
            _give_priority(s, frame)
            frame[AT] = G_IN_BATTLE
    elif step == G_IN_BATTLE:
        if _priority(t, s, frame):
            s["half"] = 1
            frame[AT] = G_HALF
    elif step == G_HALF:
        if _half(t, s):
            frame[AT] = G_AFTER_HIT
    elif step == G_AFTER_HIT:
        s["half"] += 1
        frame[AT] = G_HALF if s["half"] <= st.SEATS else G_AFTER_BATTLE
    elif step == G_AFTER_BATTLE:
        _after_battle(s)
        push_moment(s, w.AT_BATTLE_END)
        frame[AT] = G_BATTLE_OVER
    else:
        frame[AT] = G_BATTLE if s["battles"] > 0 else G_PREPARE


@kernel
def game(t, s, f):
    """Carry the game one step further."""
    frame = s["stack"][f]
    step = int(frame[AT])
    if s["ends"] and step != G_TURN_OVER:
        frame[AT] = G_TURN_OVER
    elif step <= G_MULLIGAN:
        _set_up(t, s, frame, step)
    elif step == G_TURN:
        _begin_turn(s, frame)
    elif step == G_DRAW:
        _draw_and_replenish(s)
        _give_priority(s, frame)
        frame[AT] = G_REPLENISH
    elif step == G_REPLENISH:
        if _priority(t, s, frame):
            push_moment(s, w.AT_REPLENISH_END)
            frame[AT] = G_BATTLE
    elif step <= G_BATTLE_OVER:
        _battle(t, s, frame, step)
    elif step == G_PREPARE:
        begin_phase(s, w.PREP)
        frame[st.COL_PLACED] = 0
        frame[AT] = G_PREPARING
    elif step == G_PREPARING:
        if _prepare(t, s, frame):
            push_moment(s, w.AT_PREP_END)
            frame[AT] = G_END
    elif step == G_END:
        if s["phase"] != w.END:
            begin_phase(s, w.END)
        if s["hand_size"][s["attacker"]] <= w.MOST_IN_HAND:
            frame[AT] = G_TURN_OVER
        else:
            _discard_chosen(s, int(s["attacker"]), 0, w.Q_DISCARD)
    else:
        _over(s)
        frame[AT] = G_TURN
