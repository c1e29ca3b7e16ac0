"""Who may do what: conditions of texts, feasibility of their costs, the offer made to a seat.

Writes nothing but legal masks (`offer`), and which limited texts are used up (`mark_spent`).
"""

import numpy as np

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.tables import (
    ABILITIES,
    ACTIVATES_SPELL,
    CAPTURABLE,
    COUNTS_AS_DANMAKU,
    MODES,
    PICKS_FALLEN,
    PICKS_OWNER,
    R_A,
    R_B,
    R_C,
    R_CODE,
    SOURCES,
    T_ANNOUNCE,
    T_BIT,
    T_CANCEL,
    T_COPIES,
    T_EVENTS,
    T_FLAGS,
    T_KIND,
    T_ONCE,
    T_RELATION,
    T_TAGS,
    T_TYPES,
    TARGETS_ALL,
    USES,
)
from danmaku_env.engine import actions, characters, distances, groups, item_counts, projected_range, queries
from danmaku_env.engine import frames as fr
from danmaku_env.engine import state as st
from danmaku_env.jit.kernels import count_bits, kernel, lowest_bit

A_COPY = -2
"""Instead of a kind of card: what is announced is a copy, for which nothing more is discarded (H-14)."""
NOT_NAMED = -2
"""Instead of the options of a text, as bits: none of them has been named yet."""


@kernel
def can_protect(t, s, seat, attack, hand, danmaku):
    """Whether the seat can pay for a dodge card against an attack with `hand` further cards, `danmaku` of them danmaku (C-2, C-3)."""
    target = int(attack[fr.ATTACK_TARGET]) - 1
    needed = 0
    if target != seat and queries.stat(t, s, seat, v.ON_BEHALF) == 0:
        if danmaku < 1:
            return False
        needed += 1
    if queries.stat(t, s, int(attack[fr.SEAT]), v.DODGE_SURCHARGE) > 0:
        needed += 1
    return hand >= needed


@kernel
def _is_for_others(t, s, text, seat):
    """Whether the seat may play this reaction card on behalf of other players, whose own card the announced one is not (H-12)."""
    types = int(t["text"][text, T_TYPES])
    return types & v.REACTION != 0 and types & v.SPELL == 0 and queries.stat(t, s, seat, v.ON_BEHALF) > 0


@kernel
def _is_played_card(frame):
    """Whether a PLAY frame is that of a card itself, not of a Spell Card or a copy."""
    return frame[fr.PLAY_CARD] > 0 and int(frame[fr.PLAY_FLAGS]) & (fr.IS_SPELL | fr.IS_COPY) == 0


@kernel
def _is_card_with(t, frame, types):
    """Whether a PLAY frame is that of a card itself, no Spell Card and no copy, played as one of the types and not as an instant (L-30)."""
    if frame[fr.PROCEDURE] != fr.PLAY_FRAME or not _is_played_card(frame):
        return False
    played = int(t["text"][int(frame[fr.PLAY_TEXT]), T_TYPES])
    return played & types != 0 and played & v.INSTANT == 0


@kernel
def _is_aimed_at(t, frame, seat):
    """Whether what was announced targets the seat, alone or with everybody else (L-7)."""
    if queries.played_by(frame) == seat:
        return False
    return frame[fr.PLAY_CHOSEN] == seat + 1 or int(t["text"][int(frame[fr.PLAY_TEXT]), T_FLAGS]) & TARGETS_ALL != 0


@kernel
def relation_holds(t, s, text, seat, event, subject):
    """Whether the moment concerns the seat in the way the text asks for. `subject` is the frame answered to, or -1."""
    row = t["text"][text]
    relation = int(row[T_RELATION])
    if relation == v.ALWAYS:
        return True
    if relation == v.MY_TURN:
        return s["current"] == seat
    if relation == v.EMPTY_HAND:
        return s["hand_size"][seat] == 0
    if relation == v.ROLE_HIDDEN:
        return not queries.is_role_open(s, seat)
    if relation == v.SOMEONE_AT_ZERO:
        return queries.zero_mask(s) != 0 and not queries.has_law(t, s, v.NO_HEALING)
    if subject < 0:
        return False
    frame = s["stack"][subject]
    if relation == v.ANOTHERS_PLAY:
        return _is_card_with(t, frame, int(row[T_TAGS])) and queries.played_by(frame) != seat
    if relation == v.AT_ME and not _is_aimed_at(t, frame, seat):
        return False
    if event == v.CANCEL:
        cancel = int(t["text"][int(frame[fr.PLAY_TEXT]), T_CANCEL])
        mine = queries.played_by(frame) == seat  # K-23
        if relation == v.OTHERS_CARD and mine and not _is_for_others(t, s, text, seat):
            return False
        if relation == v.OTHERS_PLAYED and (mine or not _is_played_card(frame)):
            return False
        return cancel & int(row[T_TAGS]) != 0 and int(frame[fr.PLAY_FLAGS]) & fr.IS_CANCELLED == 0
    if event == v.LIFE_GONE or event == v.DREW:
        return (int(frame[fr.WINDOW_OWNER]) - 1 == seat) == (relation == v.MINE)
    if event != v.ATTACKED and event != v.AVOIDING:
        return False
    mine = int(frame[fr.ATTACK_TARGET]) - 1 == seat or _is_for_others(t, s, text, seat)  # her own attack on another included (H-12)
    avoidable = int(frame[fr.ATTACK_FLAGS]) & fr.IS_UNAVOIDABLE == 0
    if relation == v.MINE or relation == v.SOMEBODY_ELSES:
        return mine == (relation == v.MINE)
    if relation == v.MINE_AVOIDABLE:
        return mine and avoidable
    if relation == v.BY_ANOTHER:
        return frame[fr.SEAT] != seat
    return relation == v.PROTECTABLE and avoidable


@kernel
def _unspent_copies(t, s, row, seat):
    """Bits of those of an item's copies that the seat has in play and nobody has used up (L-31)."""
    used = 0
    for other in range(s["num_players"]):
        used |= int(s["used_turn"][other]) if row[T_ONCE] == v.ONCE_PER_TURN else int(s["used_round"][other])
    used >>= int(row[T_BIT])
    card = int(t["first_copy"][int(row[T_KIND]) - 1])
    copy = 0
    unspent = 0
    while card >= 0:
        if (used >> copy) & 1 == 0 and queries.is_at(s, card, st.IN_PLAY, seat):
            unspent |= 1 << copy
        card = int(t["next_copy"][card])
        copy += 1
    return unspent


@kernel
def triggering_copies(t, s, text, seat, slot):
    """How many of the items in a slot have a triggered text that is not used up: each works for itself (L-31)."""
    row = t["text"][text]
    return count_bits(_unspent_copies(t, s, row, seat)) if row[T_COPIES] else int(s["item_counts"][seat, slot])


@kernel
def is_spent(t, s, text, seat, subject):
    """Whether a once-per-turn, -round or -attack text has been used up."""
    row = t["text"][text]
    once = int(row[T_ONCE])
    bit = int(row[T_BIT])
    if once == v.UNLIMITED:
        return False
    if row[T_COPIES]:
        return _unspent_copies(t, s, row, seat) == 0
    if once == v.ONCE_PER_TURN:
        return (int(s["used_turn"][seat]) >> bit) & 1 == 1
    if once == v.ONCE_PER_ROUND:
        return (int(s["used_round"][seat]) >> bit) & 1 == 1
    return subject >= 0 and ((int(s["stack"][subject, fr.ATTACK_USED]) & 0xFFFF) >> (2 * seat + (bit & 1))) & 1 == 1


@kernel
def mark_spent(t, s, text, seat, subject):
    """Use up a limited text."""
    row = t["text"][text]
    once = int(row[T_ONCE])
    bit = int(row[T_BIT])
    if row[T_COPIES]:
        bit += lowest_bit(_unspent_copies(t, s, row, seat))
    if once == v.ONCE_PER_TURN:
        s["used_turn"][seat] = int(s["used_turn"][seat]) | (1 << bit)
    elif once == v.ONCE_PER_ROUND:
        s["used_round"][seat] = int(s["used_round"][seat]) | (1 << bit)
    elif once == v.ONCE_PER_ATTACK and subject >= 0:
        used = int(s["stack"][subject, fr.ATTACK_USED]) | (1 << (2 * seat + (bit & 1)))
        s["stack"][subject, fr.ATTACK_USED] = ((used + 0x8000) & 0xFFFF) - 0x8000  # sixteen bits, two a seat, in a signed column


@kernel
def _left_of(t, s, seat, types, kind):
    """Cards of the types in hand, without the one of the kind that is being played (-1: none is)."""
    left = queries.count_hand(t, s, seat, types)
    if kind >= 0 and (types == v.ANY_TYPE or int(t["kind_types"][kind]) & types):
        left -= 1
    return left


@kernel
def _choosable(t, s, text, group, seat, bonus, spare, options):
    """Bits of the seats that the first choice of a text would have, before it is announced; `options` are named, or NOT_NAMED."""
    if group == v.IN_RANGE_BUT_HERS:
        return distances.range_mask(t, s, seat, bonus, 0) & ~groups.holders_mask(t, s, text)
    if group == v.IN_RANGE and projected_range.is_projected(t, text):
        if options != NOT_NAMED:
            return projected_range.targets(t, s, text, seat, -1, options)
        at_worst = projected_range.targets(t, s, text, seat, -1, projected_range.NO_OPTION)
        return at_worst | projected_range.targets(t, s, text, seat, -1, projected_range.EVERY_OPTION)
    return groups.group_mask(t, s, group, seat, -1, bonus, spare)


@kernel
def _can_choose(t, s, text, row, seat, kind):
    """Whether there is anybody for the first choice of a player, if that is one that must be made."""
    group, flags = int(row[R_A]), int(row[R_C])
    if flags & (v.AS_SECOND | v.AS_THIRD) or group == v.SPELL_OWNERS or group == v.FALLEN_OWNERS:
        return True
    return _finds_somebody(t, s, text, row, seat, kind, NOT_NAMED)


@kernel
def _finds_somebody(t, s, text, row, seat, kind, options):
    """Whether there is anybody for a choice of a player, or none is needed; `options` as for `_choosable`."""
    group, bonus, flags = int(row[R_A]), int(row[R_B]), int(row[R_C])
    if flags & (v.OPTIONAL | v.IF_ANY):
        return True
    spare = _left_of(t, s, seat, v.DANMAKU, kind) if group == v.REACHABLE and kind != A_COPY else 0
    mask = _choosable(t, s, text, group, seat, bonus, spare, options)
    if flags & v.TO_STRIKE and group != v.AT_NUMBER:
        mask &= distances.near_mask(t, s, seat, 0)
    return mask != 0


@kernel
def _asks_for_option(row):
    """Whether what follows a row is for an option of the text alone."""
    return row[R_CODE] == v.IF and row[R_A] >= v.OPTION_1 and row[R_A] <= v.OPTION_5


@kernel
def names_options(t, text):
    """Whether a text names some of its options when it is announced."""
    pc = int(t["text"][text, T_ANNOUNCE])
    while pc > 0 and t["program"][pc, R_CODE] != v.END:
        if t["program"][pc, R_CODE] == v.CHOOSE_OPTIONS:
            return True
        pc += 1
    return False


@kernel
def _serve(t, s, text, seat, options):
    """Whether there is somebody for every choice of a player that these options of a text ask for, if they are the ones (K-10, L-32)."""
    pc = int(t["text"][text, T_ANNOUNCE])
    option, end = 0, 0
    while t["program"][pc, R_CODE] != v.END:
        row = t["program"][pc]
        pc += 1
        if _asks_for_option(row):
            option, end = int(row[R_A]) - v.OPTION_1, int(row[R_C])
        elif pc <= end and row[R_CODE] == v.CHOOSE_PLAYER and (options >> option) & 1:
            if not _finds_somebody(t, s, text, row, seat, -1, options):
                return False
    return True


@kernel
def open_options(t, s, text, seat, count, of, named):
    """Bits of the options among `of` that can be named with those `named` before: there is somebody for every choice of all `count`."""
    found = 0
    for options in range(1 << of):
        if options & named == named and count_bits(options) == count and _serve(t, s, text, seat, options):
            found |= options
    return found


@kernel
def _can_afford(t, s, text, row, seat, subject):
    """Whether the seat has what a row costs besides cards of the hand; a row that costs nothing anybody can afford."""
    op = int(row[R_CODE])
    if op == v.PAY_POINTS:
        return queries.hand_points(t, s, seat) >= row[R_A]
    if op == v.PAY_SEASON:
        card = int(s["stack"][subject, fr.PLAY_CARD]) - 1
        return queries.kinds_of_season(t, s, seat, int(t["card_season"][card])) != 0
    if op == v.PAY_ITEM:
        return s["item_slots"][seat] != 0
    if op == v.PAY_LIFE:
        return s["life"][seat] >= 1 and (np.int64(s["spared"]) >> seat) & 1 == 0
    return op != v.DISMISS_OWN or characters.has_own(t, s, seat, text)


@kernel
def can_announce(t, s, text, seat, subject, kind, leaving):
    """Whether all mandatory choices and costs of a text can be met; `kind` is the card being played from hand, A_COPY, or -1.

    `leaving` cards of the hand go before, for a Spell Card: with the card that activates it, or as a price.
    """
    pc = int(t["text"][text, T_ANNOUNCE])
    if pc == 0:
        return True
    hand = int(s["hand_size"][seat]) - (1 if kind >= 0 else 0)
    paid = 0  # cards of the one sort that payments ask for
    while t["program"][pc, R_CODE] != v.END:
        row = t["program"][pc]
        op, types = int(row[R_CODE]), int(row[R_A])
        pc += 1
        if _asks_for_option(row):
            pc = int(row[R_C])  # one of several, and whether it is open is asked when they are named
        elif op == v.CHOOSE_PLAYER:
            if not _can_choose(t, s, text, row, seat, kind):
                return False
        elif op == v.PAY:
            hand -= 1
            paid += 1 if types != v.ANY_TYPE else 0
            if hand < 0 or (types != v.ANY_TYPE and _left_of(t, s, seat, types, kind) < paid):
                return False
        elif op == v.CHOOSE_CARD:
            if int(row[R_C]) & v.OPTIONAL == 0 and (hand < 1 or _left_of(t, s, seat, types, kind) < 1):
                return False
        elif op == v.HOLD_CARD:
            if hand - leaving < 1:
                return False
        elif op == v.DODGE_COST:
            if kind != A_COPY and not can_protect(t, s, seat, s["stack"][subject], hand, _left_of(t, s, seat, v.DANMAKU, kind)):
                return False
        elif not _can_afford(t, s, text, row, seat, subject):
            return False
    return True


@kernel
def has_had_danmaku(t, s, seat):
    """Whether an item lets the seat play no further danmaku card this round, whatever its kind."""
    return s["danmaku_cards"][seat] > 0 and queries.stat(t, s, seat, v.ONE_DANMAKU) > 0


@kernel
def _player_of(s, text_row, seat, subject):
    """Who plays a card with this text: the seat, or whoever is attacked if it is played on behalf of that player (H-12)."""
    relation = int(text_row[T_RELATION])
    if subject >= 0 and (relation == v.MINE or relation == v.MINE_AVOIDABLE):
        if s["stack"][subject, fr.PROCEDURE] == fr.ATTACK_FRAME:
            return int(s["stack"][subject, fr.ATTACK_TARGET]) - 1
    return seat


@kernel
def is_usable(t, s, text, seat, event, subject, kind):
    """Whether a text may be used at this moment: its window, condition, bans, limits, choices and costs."""
    row = t["text"][text]
    if (int(row[T_EVENTS]) >> event) & 1 == 0:
        return False
    if kind >= 0 and int(row[T_TYPES]) & queries.banned_types(s):
        return False
    if int(row[T_FLAGS]) & COUNTS_AS_DANMAKU and s["danmaku_played"][seat] >= queries.danmaku_limit(t, s, seat):
        return False
    if kind >= 0 and int(row[T_TYPES]) & v.DANMAKU and has_had_danmaku(t, s, _player_of(s, row, seat, subject)):
        return False
    if is_spent(t, s, text, seat, subject) or not relation_holds(t, s, text, seat, event, subject):
        return False
    return can_announce(t, s, text, seat, subject, kind, 0)


@kernel
def _is_spell_ready(t, s, character, seat, event, subject, at_once, leaving):
    """Whether the Spell Card of a character could be activated now; `at_once` waives the timing of an action (Miko's ability, H-11)."""
    text = int(t["spell_text"][character])
    if text == 0:
        return False
    row = t["text"][text]
    if at_once and int(row[T_TYPES]) & v.ACTION:
        return can_announce(t, s, text, seat, -1, -1, leaving)
    if (int(row[T_EVENTS]) >> event) & 1 == 0:
        return False
    return relation_holds(t, s, text, seat, event, subject) and can_announce(t, s, text, seat, subject, -1, leaving)


@kernel
def capturable(t, chars):
    """Of these characters those whose Spell Card others can activate."""
    found = 0
    while chars:
        if int(t["text"][int(t["spell_text"][lowest_bit(chars)]), T_FLAGS]) & CAPTURABLE:
            found |= 1 << lowest_bit(chars)
        chars &= chars - 1
    return found


@kernel
def spells_of(t, s, seat, owner, event, subject, leaving):
    """Bits of the primary characters of another seat, active or defeated, whose Spell Card the seat could activate now (C-16)."""
    ready = 0
    chars = capturable(t, queries.primaries(s, owner))
    while chars:
        character = lowest_bit(chars)
        chars &= chars - 1
        if _is_spell_ready(t, s, character, seat, event, subject, False, leaving):
            ready |= 1 << character
    return ready


@kernel
def owners_mask(t, s, seat, event, subject, leaving):
    """Bits of the other seats with such a Spell Card."""
    mask = 0
    for other in range(s["num_players"]):
        if other != seat and spells_of(t, s, seat, other, event, subject, leaving):
            mask |= 1 << other
    return mask


@kernel
def own_spells(t, s, seat, event, subject, at_once, leaving):
    """Bits of the characters whose Spell Card the seat could activate as its own now, when `leaving` cards of its hand have gone for it."""
    ready = 0
    spells = int(s["spells"][seat])
    while spells:
        character = lowest_bit(spells)
        spells &= spells - 1
        text = int(t["spell_text"][character])
        if text and int(t["text"][text, T_FLAGS]) & PICKS_OWNER:  # Satori's has the timing of the one it picks
            owners = owners_mask(t, s, seat, event, subject, leaving)
            if int(t["text"][text, T_FLAGS]) & PICKS_FALLEN:
                owners &= ~np.int64(s["active"])
            if owners:
                ready |= 1 << character
        elif _is_spell_ready(t, s, character, seat, event, subject, at_once, leaving):
            ready |= 1 << character
    return ready


@kernel
def _leaving_for(t, s, text, seat):
    """Cards that go out of the hand, at least, for the price of a way to one's Spell Card; life paid brings one."""
    leaving = 0
    pc = int(t["text"][text, T_ANNOUNCE])
    while t["program"][pc, R_CODE] != v.END:
        op = int(t["program"][pc, R_CODE])
        if op == v.PAY:
            leaving += 1
        elif op == v.PAY_LIFE and s["deck_size"] + s["discard_size"] > 0:
            leaving -= 1
        elif op == v.PAY_POINTS:
            leaving += 1 if queries.can_spare_one(t, s, seat, int(t["program"][pc, R_A])) else int(s["hand_size"][seat])
        pc += 1
    return leaving


@kernel
def _costs(t, text, op):
    """Whether a text has a cost of this sort."""
    pc = int(t["text"][text, T_ANNOUNCE])
    while t["program"][pc, R_CODE] != v.END:
        if t["program"][pc, R_CODE] == op:
            return True
        pc += 1
    return False


@kernel
def spells_for_item(t, s, text, seat, slot, event, subject):
    """Bits of the characters whose Spell Card the seat could still activate in this way once it has paid with an item of this kind.

    Without it a target may be out of range (C-17), and an Extra Character that it has granted is gone (L-32).
    """
    at_once = t["text"][text, T_RELATION] == v.EMPTY_HAND
    item_counts.count(t, s, seat, slot, -1)
    ready = own_spells(t, s, seat, event, subject, at_once, _leaving_for(t, s, text, seat))
    item_counts.count(t, s, seat, slot, 1)
    return ready & ~characters.extras_of(s, seat, st.BY_ITEM + slot)


@kernel
def spells_in_way(t, s, text, seat, event, subject):
    """Bits of the characters whose Spell Card the seat could activate as its own in this way now, and still once its price is paid."""
    at_once, leaving = t["text"][text, T_RELATION] == v.EMPTY_HAND, _leaving_for(t, s, text, seat)
    ready = own_spells(t, s, seat, event, subject, at_once, leaving)
    if ready and _costs(t, text, v.PAY_ITEM):
        kept, slots = 0, int(s["item_slots"][seat])
        while slots:
            kept |= spells_for_item(t, s, text, seat, lowest_bit(slots), event, subject)
            slots &= slots - 1
        ready &= kept
    elif ready and s["life"][seat] >= 1 and _costs(t, text, v.PAY_LIFE):
        s["life"][seat] -= 1
        ready &= own_spells(t, s, seat, event, subject, at_once, leaving)
        s["life"][seat] += 1
    return ready


@kernel
def is_mode_playable(t, s, seat, kind, mode, event, subject):
    """Whether one half of a card could be played now."""
    text = int(t["mode_text"][kind, mode])
    if text == 0:
        return False
    row = t["text"][text]
    if int(row[T_TYPES]) & v.INVOCATION == 0:
        return is_usable(t, s, text, seat, event, subject, kind)
    if s["spell_used"][seat] or queries.has_law(t, s, v.NO_SPELLS) or v.INVOCATION & queries.banned_types(s):
        return False
    if int(row[T_FLAGS]) & PICKS_OWNER:
        return owners_mask(t, s, seat, event, subject, 1) != 0
    return own_spells(t, s, seat, event, subject, False, 1) != 0


@kernel
def is_source_usable(t, s, seat, text, event, subject):
    """Whether another way than an invocation card could activate the seat's own Spell Card now."""
    if not is_usable(t, s, text, seat, event, subject, -1):
        return False
    return spells_in_way(t, s, text, seat, event, subject) != 0


@kernel
def can_reveal(t, s, seat):
    """Whether the seat's role may be revealed for its other form: somebody else must have been defeated (R-13)."""
    if t["role_becomes"][int(s["role"][seat])] == 0:
        return False
    return np.int64(s["active"]) | (1 << seat) != (1 << int(s["num_players"])) - 1


@kernel
def can_exchange(t, s, seat, event):
    """Whether the seat may give cards for a Lunatic card: in its main step, in any discard step and in turn zero (L-2, L-21)."""
    if not queries.has_expansion(s) or (event != v.MAIN and event != v.DISCARD_STEP and event != v.TURN_ZERO):
        return False
    return queries.can_draw_lunatic(t, s) and queries.can_pay_price(t, s, seat)


@kernel
def _playable_kinds(t, s, seat, event, subject):
    """Bits of the kinds with a half that could be played now."""
    hand = int(s["hand_kinds"][seat])
    playable = 0
    kinds = hand & int(t["event_kinds"][event])
    while kinds:
        kind = lowest_bit(kinds)
        kinds &= kinds - 1
        for mode in range(MODES):
            text = int(t["mode_text"][kind, mode])
            if text and int(t["text"][text, T_TYPES]) & v.INVOCATION == 0:
                if is_usable(t, s, text, seat, event, subject, kind):
                    playable |= 1 << kind
    return playable


@kernel
def _invocation_kinds(t, s, seat, event, subject, own):
    """Bits of the invocation cards in hand that could activate something now; `own` = a Spell Card of one's own is ready."""
    if v.INVOCATION & queries.banned_types(s):
        return 0
    playable = 0
    kinds = int(s["hand_kinds"][seat]) & int(t["invocations"])
    while kinds:
        kind = lowest_bit(kinds)
        kinds &= kinds - 1
        if int(t["text"][int(t["mode_text"][kind, 0]), T_FLAGS]) & PICKS_OWNER:
            if owners_mask(t, s, seat, event, subject, 1):
                playable |= 1 << kind
        elif own:
            playable |= 1 << kind
    return playable


@kernel
def _text_in_use(t, s, seat, use):
    """The text of an item with a use that the seat has in play; 0 when it has not."""
    if (int(s["item_slots"][seat]) >> int(t["use_slot"][use])) & 1 and queries.items_work(s, seat):
        return int(t["use_text"][use])
    return 0


@kernel
def _item_uses(t, s, seat, event, subject):
    """Bits, in the first action group, of the items that can be used for something else than one's own Spell Card."""
    uses = 0
    for use in range(USES):
        text = _text_in_use(t, s, seat, use)
        if text and int(t["text"][text, T_FLAGS]) & ACTIVATES_SPELL == 0 and is_usable(t, s, text, seat, event, subject, -1):
            uses |= 1 << (actions.USE_BASE + use)
    return uses


@kernel
def _spell_ways(t, s, seat, event, subject):
    """Bits, in the first action group, of the ways without a card to activate one's own Spell Card."""
    ways = 0
    for use in range(USES):
        text = _text_in_use(t, s, seat, use)
        if text and int(t["text"][text, T_FLAGS]) & ACTIVATES_SPELL and is_source_usable(t, s, seat, text, event, subject):
            ways |= 1 << (actions.USE_BASE + use)
    for source in range(SOURCES):
        text = int(t["source_text"][source])
        character = int(t["source_char"][source]) - 1
        if text == 0:
            continue
        if character >= 0:
            held = (int(s["abilities"][seat]) >> character) & 1 == 1
        else:
            held = queries.has_law(t, s, v.SPELL_WAY)
        if held and is_source_usable(t, s, seat, text, event, subject):
            ways |= 1 << (actions.SOURCE_BASE + source)
    return ways


@kernel
def _usable_abilities(t, s, seat, event, subject):
    """Bits of the characters with an ability that could be activated now."""
    usable = 0
    chars = int(s["abilities"][seat]) & int(t["event_chars"][event])
    while chars:
        character = lowest_bit(chars)
        chars &= chars - 1
        for place in range(ABILITIES):
            text = int(t["ability_text"][character, place])
            if text and is_usable(t, s, text, seat, event, subject, -1):
                usable |= 1 << character
    return usable


@kernel
def _might_act(t, s, seat, event):
    """Quick look before the careful one: whether the seat holds anything at all that answers this event."""
    hand = int(s["hand_kinds"][seat])
    if hand & int(t["event_kinds"][event]) or int(s["abilities"][seat]) & int(t["event_chars"][event]):
        return True
    if int(s["item_slots"][seat]) & int(t["event_slots"][event]):
        return True
    if s["spell_used"][seat]:
        return False
    if int(s["abilities"][seat]) & int(t["source_chars"]) or hand & int(t["captures"]):
        return True
    if int(s["spells"][seat]) & int(t["event_spells"][event]) == 0:
        return False
    return hand & int(t["invocations"]) != 0 or int(s["item_slots"][seat]) & int(t["use_slots"]) != 0 or queries.has_law(t, s, v.SPELL_WAY)


@kernel
def offer(t, s, seat, event, subject):
    """Set the legal masks to everything the seat may do at this moment, passing included; whether that is more than passing."""
    actions.clear_legal(s)
    misc = 0
    plays = 0
    abilities = 0
    if s["depth"] <= fr.DEPTH - fr.ROOM_FOR_REACTION and _might_act(t, s, seat, event):
        plays = _playable_kinds(t, s, seat, event, subject)
        abilities = _usable_abilities(t, s, seat, event, subject)
        if int(s["item_slots"][seat]) & int(t["event_slots"][event]):
            misc |= _item_uses(t, s, seat, event, subject)
        if not s["spell_used"][seat] and not queries.has_law(t, s, v.NO_SPELLS):
            if int(s["hand_kinds"][seat]) & int(t["invocations"]):
                own = own_spells(t, s, seat, event, subject, False, 1) != 0
                plays |= _invocation_kinds(t, s, seat, event, subject, own)
            misc |= _spell_ways(t, s, seat, event, subject)
    if can_reveal(t, s, seat):
        misc |= 1 << actions.REVEAL_ROLE
    if can_exchange(t, s, seat, event):
        misc |= 1 << actions.EXCHANGE
    s["legal"][st.MISC] = misc | actions.PASS_BIT
    s["legal"][st.PLAY_KIND] = plays
    s["legal"][st.USE_ABILITY] = abilities
    return (misc | plays | abilities) != 0
