"""Another world consistent with everything a seat knows: what it has not seen is dealt again.

Hidden cards change places among the places that hide them, hidden roles are dealt again from what the player count and the open
roles leave, uniformly over the physical cards; worlds in which the game would be over are thrown back. The spare record brings
the dice and room to work in; nothing else of it is used.
"""

import numpy as np

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.compile import ROLE_IDS
from danmaku_env.engine import dice, piles, queries
from danmaku_env.engine import state as st
from danmaku_env.engine.compiled import kernel
from danmaku_env.engine.procedures import victory

HEROINE, MIDBOSS = ROLE_IDS.index("heroine"), ROLE_IDS.index("ex_midboss")
GROUPS = 5
"""Partners, Stage Bosses, Extra Bosses, Rival (as in the tables), and the Heroine."""
MAX_TRIES = 2000
ROLE, COPIES, PLACES = range(3)
"""Columns of an option: a role, its cards left, and on the first option of a group the places its group still has."""
MOST_KINDS = 4
"""Different roles within a group, at most."""


@kernel
def _is_hidden(s, card, seat):
    """Whether the seat does not know which card lies there, and the place is one that hides cards."""
    if (np.int64(s["seen_by"][card]) >> seat) & 1:
        return False
    zone = s["zone"][card]
    return zone == st.IN_DECK or zone == st.IN_HAND or zone == st.ASIDE_PRIVATE


@kernel
def _resample_cards(t, s, seat, spare):
    """Permute the hidden cards; a place keeps its zone, its holder and who has seen it."""
    total = int(t["num_cards"])
    size = 0
    for card in range(total):
        if _is_hidden(s, card, seat):
            spare["deck"][size] = card
            spare["discard"][size] = card
            spare["zone"][size] = s["zone"][card]
            spare["holder"][size] = s["holder"][card]
            spare["seen_by"][size] = s["seen_by"][card]
            size += 1
    dice.shuffle(spare, spare["deck"], size)
    for card in range(total):
        spare["played"][card] = card + 1
    for i in range(size):
        old, new = np.int64(spare["discard"][i]), np.int64(spare["deck"][i])
        spare["played"][old] = new + 1
        s["zone"][new] = spare["zone"][i]
        s["holder"][new] = spare["holder"][i]
        s["seen_by"][new] = spare["seen_by"][i]
    for i in range(np.int64(s["deck_size"])):
        s["deck"][i] = spare["played"][np.int64(s["deck"][i]) - 1]
    for i in range(np.int64(s["aside_size"])):
        if s["aside"][i] <= total:
            s["aside"][i] = spare["played"][np.int64(s["aside"][i]) - 1]
    for f in range(s["depth"]):
        pick = int(s["stack"][f, st.PICK])
        if s["stack"][f, st.PROCEDURE] == st.PLAY and 0 < pick <= total:
            s["stack"][f, st.PICK] = np.int64(spare["played"][pick - 1])
    _recount_hands(t, s)


@kernel
def _recount_hands(t, s):
    for word in range(st.HAND_WORDS):
        s["exposed"][word] = 0
    for seat in range(s["num_players"]):
        s["hand_kinds"][seat] = 0
        for word in range(st.HAND_WORDS):
            s["hand_cards"][seat, word] = 0
        for kind in range(s["hand_counts"].shape[1]):
            s["hand_counts"][seat, kind] = 0
    for card in range(t["num_cards"]):
        if s["zone"][card] == st.IN_HAND:
            seat, kind = np.int64(s["holder"][card]), np.int64(t["card_kind"][card])
            s["hand_counts"][seat, kind] += 1
            piles.flip_hand_bit(s, seat, card)
            piles.note_exposed(s, card, seat)
            s["hand_kinds"][seat] = int(s["hand_kinds"][seat]) | (1 << kind)


@kernel
def _is_unseen(s, incident, seat):
    return (np.int64(s["incident_seen"][incident]) >> seat) & 1 == 0


@kernel
def _resample_incidents(s, seat, spare):
    """Permute the incidents, in their deck or laid aside, whose place the seat does not know."""
    size = 0
    for i in range(s["incident_deck_size"]):
        incident = int(s["incident_deck"][i]) - 1
        if _is_unseen(s, incident, seat):
            spare["incident_deck"][size] = incident
            spare["incident_discard"][size] = i
            size += 1
    in_deck = size
    for i in range(s["aside_size"]):
        incident = np.int64(s["aside"][i]) - 1 - st.INCIDENT_CARD
        if incident >= 0 and _is_unseen(s, incident, seat):
            spare["incident_deck"][size] = incident
            spare["incident_discard"][size] = i
            size += 1
    for i in range(size):
        spare["aside"][i] = s["incident_seen"][int(spare["incident_deck"][i])]
    dice.shuffle(spare, spare["incident_deck"], size)
    for i in range(size):
        incident, place = int(spare["incident_deck"][i]), int(spare["incident_discard"][i])
        s["incident_seen"][incident] = spare["aside"][i]
        if i < in_deck:
            s["incident_deck"][place] = incident + 1
        else:
            s["aside"][place] = st.INCIDENT_CARD + incident + 1


@kernel
def _pool_group(t, s, role):
    """Which pool a role card was dealt from: its printed form counts."""
    if role == HEROINE:
        return GROUPS - 1
    table = 1 if int(s["config"]) & st.ADVANCED_ROLES else 0
    for group in range(4):
        for i in range(t["pool_size"][table, int(s["num_players"]), group]):
            dealt = int(t["pool"][table, int(s["num_players"]), group, i])
            if dealt == role or t["role_becomes"][dealt] == role:
                return group
    return -1


@kernel
def _open_cards(t, s, seat, group, cards):
    """Write the role cards of a group that may lie before hidden seats into `cards`; returns how many, and how many do lie there."""
    table = 1 if int(s["config"]) & st.ADVANCED_ROLES else 0
    players = int(s["num_players"])
    heroines = group == GROUPS - 1
    wanted = 1 if heroines else int(t["dealt"][table, players, group])
    size = 1 if heroines else int(t["pool_size"][table, players, group])
    for i in range(size):
        cards[i] = HEROINE if heroines else int(t["pool"][table, players, group, i])
    for other in range(players):
        if (np.int64(s["role_seen"][other]) >> seat) & 1 == 0:
            continue
        role = int(s["role"][other])
        if role == 0 and group == 3:
            wanted -= 1  # the Rival took over
        if role and _pool_group(t, s, role) == group:
            wanted -= 1
            _take_card(t, cards, size, role)
    left = 0
    midboss_out = _extra_boss_fallen(t, s) or (int(s["config"]) & st.MIDBOSS_FROM_7 and players < 7)
    for i in range(size):
        role = np.int64(cards[i])
        if role and not (role == MIDBOSS and midboss_out):
            cards[left] = role
            left += 1
    return left, min(wanted, left)


@kernel
def _take_card(t, cards, size, role):
    """Strike one copy of a role, in the form it was dealt in."""
    for i in range(size):
        dealt = np.int64(cards[i])
        if dealt == role or (dealt and t["role_becomes"][dealt] == role):
            cards[i] = 0
            return


@kernel
def _hidden_seats(s, seat, seats):
    """Write the seats whose role `seat` does not know into `seats`; returns how many."""
    hidden = 0
    for other in range(s["num_players"]):
        if (np.int64(s["role_seen"][other]) >> seat) & 1 == 0:
            seats[hidden] = other
            hidden += 1
    return hidden


@kernel
def _deal_hidden_roles(t, s, seat, spare):
    """Write into spare["role"] a random consistent deal for the seats whose role is hidden; returns how many they are."""
    size = 0
    for group in range(GROUPS):
        left, wanted = _open_cards(t, s, seat, group, spare["aside"])
        dice.shuffle(spare, spare["aside"], left)
        for i in range(wanted):
            spare["role"][size] = spare["aside"][i]
            size += 1
    dice.shuffle(spare, spare["role"], size)
    return _hidden_seats(s, seat, spare["life"])


@kernel
def _extra_boss_fallen(t, s):
    """Whether an Extra Boss has been defeated: then the EX Midboss, if dealt, has revealed (R-9)."""
    for seat in range(s["num_players"]):
        if not queries.is_active(s, seat) and int(t["role_groups"][int(s["role"][seat])]) == v.EXTRA_BOSSES:
            return True
    return False


@kernel
def _would_be_over(t, s):
    for seat in range(s["num_players"]):
        if queries.is_active(s, seat) and victory.is_goal_met(t, s, seat):
            return True
    return False


@kernel
def list_roles(t, s, seat, spare, options, roles, ways):
    """Every consistent deal of the hidden roles: rows of `roles` [n, 8], and in how many ways the physical cards make each.

    A search in depth over the hidden seats. `options` [GROUPS * MOST_KINDS, 3] and `spare` are room to work in. Returns how many
    deals there are; beyond the length of `roles` they are counted and not written.
    """
    hidden = _hidden_seats(s, seat, spare["life"])
    size = _list_options(t, s, seat, spare, options)
    count = 0
    depth = 0
    choice = spare["lasting"][:, 0]  # of each hidden seat: the option taken, or -1 while none is
    choice[0] = -1
    while depth >= 0:
        if depth == hidden:
            if s["turn_number"] == 0 or not _would_be_over(t, s):
                _write_deal(s, options, choice, hidden, count, roles, ways)
                count += 1
            depth -= 1
            continue
        if choice[depth] >= 0:
            _move_option(options, int(choice[depth]), 1)
        following = _next_option(options, size, int(choice[depth]) + 1)
        choice[depth] = following
        if following < 0:
            depth -= 1
            continue
        _move_option(options, following, -1)
        s["role"][int(spare["life"][depth])] = options[following, ROLE]
        depth += 1
        if depth < hidden:
            choice[depth] = -1
    return count


@kernel
def _list_options(t, s, seat, spare, options):
    """One row per group and different role left in it; a group's rows lie together, MOST_KINDS each, the unused ones without copies."""
    for group in range(GROUPS):
        first = group * MOST_KINDS
        for i in range(first, first + MOST_KINDS):
            options[i, ROLE] = 0
            options[i, COPIES] = 0
            options[i, PLACES] = 0
        left, wanted = _open_cards(t, s, seat, group, spare["aside"])
        options[first, PLACES] = wanted
        for i in range(left):
            place = first
            while options[place, COPIES] and options[place, ROLE] != np.int64(spare["aside"][i]):
                place += 1
            options[place, ROLE] = np.int64(spare["aside"][i])
            options[place, COPIES] += 1
    return GROUPS * MOST_KINDS


@kernel
def _move_option(options, place, change):
    options[place, COPIES] += change
    options[place - place % MOST_KINDS, PLACES] += change


@kernel
def _next_option(options, size, place):
    """The next option that has a card and a place left, or -1."""
    while place < size:
        if options[place, COPIES] > 0 and options[place - place % MOST_KINDS, PLACES] > 0:
            return place
        place += 1
    return -1


@kernel
def _write_deal(s, options, choice, hidden, count, roles, ways):
    """One deal; the ways follow from the copies that were left when each was taken."""
    if count >= roles.shape[0]:
        return
    product = 1
    for i in range(hidden):
        place = int(choice[i])
        taken_after = 0
        for j in range(i + 1, hidden):
            if choice[j] == place:
                taken_after += 1
        product *= int(options[place, COPIES]) + 1 + taken_after
    ways[count] = product
    for other in range(s["num_players"]):
        roles[count, other] = s["role"][other]


@kernel
def _resample_roles(t, s, seat, spare):
    """Deal hidden roles until the game is not over in the world they make."""
    for _ in range(MAX_TRIES):
        hidden = _deal_hidden_roles(t, s, seat, spare)
        for i in range(hidden):
            s["role"][int(spare["life"][i])] = spare["role"][i]
        if hidden == 0 or s["turn_number"] == 0 or not _would_be_over(t, s):
            return


@kernel
def _resample_characters(t, s, seat, spare):
    """Before the characters are revealed: the others' candidates are dealt again, those who chose chose either."""
    size = 0
    for character in range(t["num_characters"]):
        if (int(s["candidates"][seat]) >> character) & 1 == 0:
            spare["aside"][size] = character
            size += 1
    dice.shuffle(spare, spare["aside"], size)
    place = 0
    for other in range(s["num_players"]):
        count = 0
        bits = int(s["candidates"][other])
        while bits:
            count += 1
            bits &= bits - 1
        if other == seat or count == 0:
            continue
        dealt = 0
        for i in range(count):
            dealt |= 1 << np.int64(spare["aside"][place + i])
        s["candidates"][other] = dealt
        if s["character"][other]:
            s["character"][other] = np.int64(spare["aside"][place + dice.roll(spare, count)]) + 1
        place += count


@kernel
def _forget(s, seat, spare):
    """Take out what would tell of the true world: private parts of the log, the dice to come, the seed, the count of questions."""
    bit = 1 << seat
    for i in range(min(int(s["log_count"]), st.LOG_ROWS)):
        if np.int64(s["log"][i, st.KNOWN_TO]) & bit == 0:
            s["log"][i, st.CARD_SHOWN] = 0
            s["log"][i, st.KNOWN_TO] = 0
    for i in range(4):
        s["rng"][i] = dice.roll(spare, 1 << 31)
    s["rng"][0] = np.int64(s["rng"][0]) | 1
    s["seed"] = 0
    s["decisions"] = 0


@kernel
def resample(t, s, seat, roles, spare):
    """Turn a game into another world consistent with what the seat knows; roles[0] < 0: the roles are dealt too, else they are these."""
    _resample_cards(t, s, seat, spare)
    _resample_incidents(s, seat, spare)
    if roles[0] < 0:
        _resample_roles(t, s, seat, spare)
    else:
        for other in range(s["num_players"]):
            s["role"][other] = roles[other]
    if s["turn_number"] == 0:
        _resample_characters(t, s, seat, spare)
    _forget(s, seat, spare)
