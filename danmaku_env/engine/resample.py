"""Another world consistent with everything a seat knows: what it has not seen is dealt again.

Hidden cards are dealt anew to the places that hide cards, hidden roles from what the player count and the open roles leave, uniformly
over the physical cards; worlds in which the game would be over are thrown back. Cards and places are listed in an order that tells
nothing of which card lay where, so the new world follows from the generator and from what the seat knows alone: two games that the seat
cannot tell apart give the same world. A place keeps who else knows its card. The caller brings the generator, in a scratch buffer
(`scratch.py`).
"""

import numpy as np

from danmaku_env.engine import frames as fr
from danmaku_env.engine import hands, hidden_roles, queries
from danmaku_env.engine import state as st
from danmaku_env.jit.kernels import count_bits, kernel, lowest_bit
from danmaku_env.machine import rng
from danmaku_env.machine.records import RNG_WORDS

# ---------------------------------------------------------------- cards


@kernel
def _is_hidden(scratch, card):
    return (int(scratch["hidden"][card // st.HAND_WORD_BITS]) >> (card % st.HAND_WORD_BITS)) & 1 == 1


@kernel
def _hide(scratch, card):
    word = card // st.HAND_WORD_BITS
    scratch["hidden"][word] = int(scratch["hidden"][word]) | (1 << (card % st.HAND_WORD_BITS))


@kernel
def _write_place(scratch, size, zone, holder, seen_by, where):
    scratch["place_zone"][size] = zone
    scratch["place_holder"][size] = holder
    scratch["place_seen"][size] = seen_by
    scratch["place_at"][size] = where


@kernel
def _insert_hand_place(scratch, first, size, holder, seen_by):
    """One more place of a hand, sorted by who has seen it: the order must not tell of the cards."""
    place = size
    while place > first and scratch["place_seen"][place - 1] > seen_by:
        scratch["place_seen"][place] = scratch["place_seen"][place - 1]
        place -= 1
    _write_place(scratch, size, st.IN_HAND, holder, scratch["place_seen"][size], 0)
    scratch["place_seen"][place] = seen_by


@kernel
def _with_back(t, word, back):
    """Bits of the physical cards of a word that belong to the Main deck or to the Lunatic deck: those of the latter come last."""
    first = int(t["first_lunatic"]) - word * st.HAND_WORD_BITS
    main = (1 << min(max(first, 0), st.HAND_WORD_BITS)) - 1
    return ~main if back == queries.LUNATIC_COPY else main


@kernel
def _list_hand(t, s, seat, holder, scratch, size, back):
    """Take the hidden cards out of a hand and list their places: first those nobody else knows; returns how many places there are now."""
    for word in range(st.HAND_WORDS):
        bits = int(s["hand_cards"][holder, word]) & _with_back(t, word, back)
        exposed = bits & int(s["exposed"][word])
        while exposed:
            bit = exposed & -exposed
            exposed &= exposed - 1
            if (np.int64(s["seen_by"][word * st.HAND_WORD_BITS + lowest_bit(bit)]) >> seat) & 1:
                bits &= ~bit
        scratch["hidden"][word] = int(scratch["hidden"][word]) | bits
        s["hand_cards"][holder, word] = int(s["hand_cards"][holder, word]) & ~bits
        for _ in range(count_bits(bits & ~int(s["exposed"][word]))):
            _write_place(scratch, size, st.IN_HAND, holder, 1 << holder, 0)
            size += 1
    first = size
    for word in range(st.HAND_WORDS):
        bits = int(scratch["hidden"][word]) & int(s["exposed"][word])
        while bits:
            card = word * st.HAND_WORD_BITS + lowest_bit(bits)
            bits &= bits - 1
            if s["holder"][card] == holder:
                _insert_hand_place(scratch, first, size, holder, np.int64(s["seen_by"][card]))
                size += 1
    return size


@kernel
def _list_deck(s, deck, cards, zone, seat, scratch, size):
    """List the places of a deck that hide their card from the seat; returns how many places there are now."""
    for i in range(cards):
        card = np.int64(deck[i]) - 1
        if (np.int64(s["seen_by"][card]) >> seat) & 1 == 0:
            _hide(scratch, card)
            _write_place(scratch, size, zone, 0, np.int64(s["seen_by"][card]), i)
            size += 1
    return size


@kernel
def _list_piles(t, s, seat, scratch, size, back):
    """List the places of the deck and of the cards aside that hide their card from the seat; returns how many places there are now."""
    if back == queries.LUNATIC_COPY:
        size = _list_deck(s, s["lunatic_deck"], np.int64(s["lunatic_deck_size"]), st.IN_LUNATIC_DECK, seat, scratch, size)
    else:
        size = _list_deck(s, s["deck"], np.int64(s["deck_size"]), st.IN_DECK, seat, scratch, size)
    for i in range(np.int64(s["aside_size"])):
        card = np.int64(s["aside"][i]) - 1
        if card >= st.INCIDENT_CARD or t["card_lunatic"][card] != back:
            continue
        if (np.int64(s["seen_by"][card]) >> seat) & 1 == 0:
            _hide(scratch, card)
            _write_place(scratch, size, st.ASIDE_PRIVATE, np.int64(s["holder"][card]), np.int64(s["seen_by"][card]), i)
            size += 1
    return size


@kernel
def _picked(s):
    """The card or incident picked in the text that asks the pending question, or -1."""
    frame = s["stack"][int(s["depth"]) - 1]
    if frame[fr.PROCEDURE] == fr.DRAWING_FRAME:
        return int(frame[fr.DRAWING_CARD]) - 1
    return int(frame[fr.PLAY_PICK]) - 1 if frame[fr.PROCEDURE] == fr.PLAY_FRAME else -1


@kernel
def _place_picked(s, scratch, size):
    """The place of the card that is picked in the pending question, if it is hidden; of equal places in a hand the first; else -1."""
    card = _picked(s)
    if card < 0 or card >= st.INCIDENT_CARD or not _is_hidden(scratch, card):
        return -1
    for place in range(size):
        zone = int(s["zone"][card])
        if scratch["place_zone"][place] != zone or scratch["place_holder"][place] != s["holder"][card]:
            continue
        if scratch["place_seen"][place] != s["seen_by"][card]:
            continue
        if zone == st.IN_HAND or (zone == st.ASIDE_PRIVATE and np.int64(s["aside"][np.int64(scratch["place_at"][place])]) == card + 1):
            return place
    return -1


@kernel
def _take_out_hidden(t, s, scratch):
    """Forget the hidden cards of hands in all that counts hands, and write every hidden card into scratch["dealt"], by number."""
    size = 0
    for word in range(st.HAND_WORDS):
        bits = int(scratch["hidden"][word])
        s["exposed"][word] = int(s["exposed"][word]) & ~bits
        while bits:
            card = word * st.HAND_WORD_BITS + lowest_bit(bits)
            bits &= bits - 1
            scratch["dealt"][size] = card
            size += 1
            if s["zone"][card] == st.IN_HAND:
                holder, kind = np.int64(s["holder"][card]), np.int64(t["card_kind"][card])
                s["hand_counts"][holder, kind] -= 1
                if s["hand_counts"][holder, kind] == 0:
                    s["hand_kinds"][holder] = int(s["hand_kinds"][holder]) & ~(1 << kind)


@kernel
def _fill_place(t, s, scratch, place):
    """Put the card dealt to a place there."""
    card = np.int64(scratch["dealt"][place])
    zone, holder = int(scratch["place_zone"][place]), np.int64(scratch["place_holder"][place])
    s["zone"][card] = zone
    s["holder"][card] = holder
    s["seen_by"][card] = scratch["place_seen"][place]
    if zone == st.IN_LUNATIC_DECK:
        s["lunatic_deck"][np.int64(scratch["place_at"][place])] = card + 1
    elif zone == st.IN_DECK:
        s["deck"][np.int64(scratch["place_at"][place])] = card + 1
    elif zone == st.ASIDE_PRIVATE:
        s["aside"][np.int64(scratch["place_at"][place])] = card + 1
    else:
        kind = np.int64(t["card_kind"][card])
        s["hand_counts"][holder, kind] += 1
        s["hand_kinds"][holder] = int(s["hand_kinds"][holder]) | (1 << kind)
        hands.flip_hand_bit(s, holder, card)
        hands.note_exposed(s, card, holder)


@kernel
def _resample_cards(t, s, seat, scratch, back):
    """Deal the hidden cards of one deck anew to the places that hide them: a hand shows how many it has of each (backs differ)."""
    for word in range(st.HAND_WORDS):
        scratch["hidden"][word] = 0
    size = 0
    for holder in range(s["num_players"]):
        if holder != seat:
            size = _list_hand(t, s, seat, holder, scratch, size, back)
    size = _list_piles(t, s, seat, scratch, size, back)
    picked = _place_picked(s, scratch, size)
    _take_out_hidden(t, s, scratch)
    rng.shuffle(scratch, scratch["dealt"], size)
    for place in range(size):
        _fill_place(t, s, scratch, place)
    if picked >= 0:
        top = s["stack"][int(s["depth"]) - 1]
        column = fr.DRAWING_CARD if top[fr.PROCEDURE] == fr.DRAWING_FRAME else fr.PLAY_PICK
        top[column] = np.int64(scratch["dealt"][picked]) + 1


@kernel
def _shuffle(scratch, numbers):
    """Write the numbers of the bits of a mask into scratch["dealt"] in random order; returns how many they are."""
    size = 0
    while numbers:
        scratch["dealt"][size] = lowest_bit(numbers)
        numbers &= numbers - 1
        size += 1
    rng.shuffle(scratch, scratch["dealt"], size)
    return size


# ---------------------------------------------------------------- incidents


@kernel
def _is_unseen(s, incident, seat):
    return (np.int64(s["incident_seen"][incident]) >> seat) & 1 == 0


@kernel
def _list_incidents(s, seat, scratch):
    """List the places, in deck and aside, whose incident the seat does not know; returns how many, and the bits of those incidents."""
    size = 0
    hidden = 0
    for i in range(s["incident_deck_size"]):
        incident = int(s["incident_deck"][i]) - 1
        if _is_unseen(s, incident, seat):
            hidden |= 1 << incident
            _write_place(scratch, size, st.IN_DECK, 0, np.int64(s["incident_seen"][incident]), i)
            size += 1
    for i in range(s["aside_size"]):
        incident = np.int64(s["aside"][i]) - 1 - st.INCIDENT_CARD
        if incident >= 0 and _is_unseen(s, incident, seat):
            hidden |= 1 << incident
            _write_place(scratch, size, st.ASIDE_PRIVATE, 0, np.int64(s["incident_seen"][incident]), i)
            size += 1
    return size, hidden


@kernel
def _resample_incidents(s, seat, scratch):
    """Deal the incidents whose place the seat does not know anew to those places."""
    places, hidden = _list_incidents(s, seat, scratch)
    _shuffle(scratch, hidden)
    picked = _picked(s)
    for i in range(places):
        incident, where = np.int64(scratch["dealt"][i]), np.int64(scratch["place_at"][i])
        s["incident_seen"][incident] = scratch["place_seen"][i]
        if scratch["place_zone"][i] == st.IN_DECK:
            s["incident_deck"][where] = incident + 1
            continue
        if np.int64(s["aside"][where]) == picked + 1:
            s["stack"][int(s["depth"]) - 1, fr.PLAY_PICK] = st.INCIDENT_CARD + incident + 1
        s["aside"][where] = st.INCIDENT_CARD + incident + 1


# ---------------------------------------------------------------- the rest


@kernel
def _strange_characters(t, s, seat):
    """Bits of the characters that may be candidates of others: not the seat's own, and not those at the table once they are revealed."""
    strange = queries.characters_in(t, s)
    strange &= ~int(s["candidates"][seat])
    if queries.is_revealed(s):
        for other in range(s["num_players"]):
            strange &= ~queries.primaries(s, other)
    return strange


@kernel
def _choose_again(s, seat, scratch, place, count):
    """Of the characters dealt to a seat in another world those that it has chosen there; the first comes to lie first."""
    chosen = place + rng.below(scratch, count)
    character = np.int64(scratch["dealt"][chosen])
    s["character"][seat] = character + 1
    if s["second_character"][seat]:
        scratch["dealt"][chosen] = scratch["dealt"][place]
        scratch["dealt"][place] = character
        s["second_character"][seat] = np.int64(scratch["dealt"][place + 1 + rng.below(scratch, count - 1)]) + 1


@kernel
def _resample_characters(t, s, seat, scratch):
    """Deal the others' candidates again, but for those revealed; before that, those who have chosen chose any of theirs.

    In Double Threat they choose two.
    """
    _shuffle(scratch, _strange_characters(t, s, seat))
    place = 0
    for other in range(s["num_players"]):
        count = count_bits(int(s["candidates"][other]))
        if other == seat or count == 0:
            continue
        dealt = 0
        if queries.is_revealed(s):
            dealt = queries.primaries(s, other)
            count -= count_bits(dealt)
        elif s["character"][other]:
            _choose_again(s, other, scratch, place, count)
        for i in range(place, place + count):
            dealt |= 1 << np.int64(scratch["dealt"][i])
        s["candidates"][other] = dealt
        place += count


@kernel
def _without_seen(s, seat, characters):
    """Bits of these characters without those that the seat has seen."""
    for character in range(s["characters_seen"].shape[0]):
        if (np.int64(s["characters_seen"][character]) >> seat) & 1:
            characters &= ~(1 << character)
    return characters


@kernel
def _shuffle_unseen(s, scratch, unseen):
    """`_shuffle` of characters; who has seen them is forgotten until they lie somewhere again."""
    left = unseen
    while left:
        s["characters_seen"][lowest_bit(left)] = 0
        left &= left - 1
    return _shuffle(scratch, unseen)


@kernel
def _resample_draft(t, s, seat, scratch):
    """While bans are secret: what the others hold, what they have banned, and what nobody was dealt, all dealt anew."""
    hidden = _without_seen(s, seat, queries.characters_in(t, s) & ~int(s["candidates"][seat]))
    discards = _list_discards(s, hidden, scratch)
    s["discarded_characters"] = int(s["discarded_characters"]) & ~hidden
    size = _shuffle_unseen(s, scratch, hidden)
    for place in range(discards):
        character = np.int64(scratch["dealt"][place])
        s["discarded_characters"] = int(s["discarded_characters"]) | (1 << character)
        s["characters_seen"][character] = scratch["place_seen"][place]
    place = discards
    for other in range(s["num_players"]):
        if other != seat:
            dealt = 0
            for _ in range(count_bits(int(s["candidates"][other]))):
                dealt |= 1 << np.int64(scratch["dealt"][place])
                place += 1
            s["candidates"][other] = dealt
    s["unused_characters"] = 0
    for i in range(place, size):
        s["unused_characters"] = int(s["unused_characters"]) | (1 << np.int64(scratch["dealt"][i]))


@kernel
def _unseen_characters(t, s, seat):
    """Bits of the characters that may be drawn, discarded or in the pile, for all the seat knows; none that recruits is kept secret."""
    unseen = int(s["unused_characters"]) | int(s["discarded_characters"])
    if s["asking"] != seat:
        unseen |= int(s["drawn_characters"])
    unseen = _without_seen(s, seat, unseen)
    if int(s["config"]) & st.CHARACTERS_DRAFTED:
        return unseen  # one that recruits may have been banned in secret
    return unseen & ~int(t["recruiters"])


@kernel
def _bring_forward(t, scratch, size, drawn):
    """Put characters that do not recruit at the first `drawn` places to be dealt: nobody draws one that recruits."""
    place = 0
    for i in range(size):
        if place < drawn and (int(t["recruiters"]) >> np.int64(scratch["dealt"][i])) & 1 == 0:
            character = np.int64(scratch["dealt"][i])
            scratch["dealt"][i] = scratch["dealt"][place]
            scratch["dealt"][place] = character
            place += 1


@kernel
def _list_discards(s, unseen, scratch):
    """List who knows the characters of the discard pile that the seat does not, sorted: the order must not tell which they are."""
    size = 0
    hidden = int(s["discarded_characters"]) & unseen
    while hidden:
        seen = np.int64(s["characters_seen"][lowest_bit(hidden)])
        hidden &= hidden - 1
        place = size
        while place > 0 and scratch["place_seen"][place - 1] > seen:
            scratch["place_seen"][place] = scratch["place_seen"][place - 1]
            place -= 1
        scratch["place_seen"][place] = seen
        size += 1
    return size


@kernel
def _resample_unused(t, s, seat, scratch):
    """Deal the characters out of play anew that the seat has not seen: those drawn by somebody else, those discarded, those in the pile."""
    unseen = _unseen_characters(t, s, seat)
    discards = _list_discards(s, unseen, scratch)
    drawn = count_bits(int(s["drawn_characters"]) & unseen)
    s["discarded_characters"] = int(s["discarded_characters"]) & ~unseen
    s["drawn_characters"] = int(s["drawn_characters"]) & ~unseen
    s["unused_characters"] = int(s["unused_characters"]) & ~unseen
    size = _shuffle_unseen(s, scratch, unseen)
    _bring_forward(t, scratch, size, drawn)
    for i in range(size):
        character = np.int64(scratch["dealt"][i])
        if i < drawn:
            s["drawn_characters"] = int(s["drawn_characters"]) | (1 << character)
        elif i < drawn + discards:
            s["discarded_characters"] = int(s["discarded_characters"]) | (1 << character)
            s["characters_seen"][character] = scratch["place_seen"][i - drawn]
        else:
            s["unused_characters"] = int(s["unused_characters"]) | (1 << character)


@kernel
def _forget(s, seat, scratch):
    """Take out what would tell of the true world: private parts of the log, the random numbers to come, the seed, the count of questions.

    The log keeps who took part in a card's move, not who else saw it. No branches in the loop: it goes over every event.
    """
    for i in range(min(int(s["log_count"]), st.LOG_ROWS)):
        row = s["log"][i]
        known = np.int64(row[st.KNOWN_TO])
        allowed = 1 << seat | (1 << np.int64(row[st.ACTOR])) >> 1 | (1 << np.int64(row[st.TARGET])) >> 1
        allowed |= st.EVERYBODY * (known == st.EVERYBODY)
        knows = (known >> seat) & 1
        row[st.CARD_SHOWN] = np.int64(row[st.CARD_SHOWN]) * knows
        row[st.KNOWN_TO] = (known & allowed) * knows
    for i in range(RNG_WORDS):
        s["rng"][i] = rng.below(scratch, 1 << 31)
    s["rng"][0] = np.int64(s["rng"][0]) | 1
    s["seed"] = 0
    s["decisions"] = 0


@kernel
def resample(t, s, seat, roles, scratch):
    """Turn a game into another world consistent with what the seat knows; roles[0] < 0: the roles are dealt too, else they are these."""
    _resample_cards(t, s, seat, scratch, queries.MAIN_COPY)
    if queries.has_expansion(s):
        _resample_cards(t, s, seat, scratch, queries.LUNATIC_COPY)
    _resample_incidents(s, seat, scratch)
    if roles[0] < 0:
        hidden_roles.deal(t, s, seat, scratch)
    else:
        for other in range(s["num_players"]):
            s["role"][other] = roles[other]
    if int(s["config"]) & st.CHARACTERS_CHOSEN:
        _resample_characters(t, s, seat, scratch)
    if int(s["config"]) & st.CHARACTERS_DRAFTED and not queries.is_revealed(s):
        _resample_draft(t, s, seat, scratch)
    elif int(s["config"]) & (st.WITH_LUNATIC_EXTRA | st.CHARACTERS_DRAFTED):
        _resample_unused(t, s, seat, scratch)
    _forget(s, seat, scratch)
