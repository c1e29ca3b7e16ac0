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
def _resample_incidents(s, seat, spare):
    """Permute the incidents of the deck whose place the seat does not know."""
    size = 0
    for i in range(s["incident_deck_size"]):
        if (np.int64(s["incident_seen"][int(s["incident_deck"][i]) - 1]) >> seat) & 1 == 0:
            spare["incident_deck"][size] = s["incident_deck"][i]
            spare["incident_discard"][size] = i
            spare["aside"][size] = s["incident_seen"][int(s["incident_deck"][i]) - 1]
            size += 1
    dice.shuffle(spare, spare["incident_deck"], size)
    for i in range(size):
        incident = int(spare["incident_deck"][i])
        s["incident_deck"][int(spare["incident_discard"][i])] = incident
        s["incident_seen"][incident - 1] = spare["aside"][i]


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
def _deal_hidden_roles(t, s, seat, spare):
    """Write into spare["role"] a random consistent deal for the seats whose role is hidden; returns how many they are."""
    table = 1 if int(s["config"]) & st.ADVANCED_ROLES else 0
    players = int(s["num_players"])
    midboss_out = _extra_boss_fallen(t, s) or (int(s["config"]) & st.MIDBOSS_FROM_7 and players < 7)
    hidden = 0
    for other in range(players):
        if (np.int64(s["role_seen"][other]) >> seat) & 1 == 0:
            spare["life"][hidden] = other
            hidden += 1
    size = 0
    for group in range(GROUPS):
        wanted = 1 if group == GROUPS - 1 else int(t["dealt"][table, players, group])
        cards = 1 if group == GROUPS - 1 else int(t["pool_size"][table, players, group])
        for i in range(cards):
            role = HEROINE if group == GROUPS - 1 else int(t["pool"][table, players, group, i])
            spare["aside"][i] = role
        for other in range(players):
            role = int(s["role"][other])
            known = (np.int64(s["role_seen"][other]) >> seat) & 1 == 1
            if known and role == 0 and group == 3:
                wanted -= 1  # the Rival took over
            if known and role and _pool_group(t, s, role) == group:
                wanted -= 1
                for i in range(cards):
                    dealt = np.int64(spare["aside"][i])
                    if dealt == role or (dealt and t["role_becomes"][dealt] == role):
                        spare["aside"][i] = 0
                        break
        left = 0
        for i in range(cards):
            role = np.int64(spare["aside"][i])
            if role and not (role == MIDBOSS and midboss_out):
                spare["aside"][left] = role
                left += 1
        dice.shuffle(spare, spare["aside"], left)
        for i in range(min(wanted, left)):
            spare["role"][size] = spare["aside"][i]
            size += 1
    dice.shuffle(spare, spare["role"], size)
    return hidden


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
def resample(t, s, seat, spare):
    """Turn a game into another world consistent with what the seat knows."""
    _resample_cards(t, s, seat, spare)
    _resample_incidents(s, seat, spare)
    _resample_roles(t, s, seat, spare)
    if s["turn_number"] == 0:
        _resample_characters(t, s, seat, spare)
