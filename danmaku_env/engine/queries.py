"""Read-only questions about a game: seats, stats, limits, hands, incidents. Nothing here changes the record.

Distances between seats are in `distances.py`, the meaning of a program's words in `groups.py`.
"""

import numpy as np

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.tables import ADVANCED_DEAL, BASIC_DEAL, T_INCIDENT
from danmaku_env.engine import frames as fr
from danmaku_env.engine import state as st
from danmaku_env.jit.kernels import count_bits, entry, kernel, lowest_bit
from danmaku_env.machine import answers

# what a seat has before any modifier (U-3, D-1)
BASE_LIFE, BASE_HAND, BASE_DANMAKU, BASE_RANGE = 4, 4, 1, 1
NEAREST = 1
"""The least that a distance or a range can be."""
NO_LIMIT = 99
ANY_COPY, MAIN_COPY, LUNATIC_COPY = -1, 0, 1
"""Which deck a copy belongs to."""
has_several = answers.has_several


@kernel
def stored_bit(number_plus_one):
    """The bit of a seat or a character that is stored plus one; nothing for 0."""
    return (1 << number_plus_one) >> 1


@kernel
def faction_seat(t, s, faction, seats):
    """The first seat of the mask, active or defeated, whose role is of the faction; -1 when there is none."""
    for seat in range(s["num_players"]):
        if (seats >> seat) & 1 and int(t["role_factions"][int(s["role"][seat])]) & faction:
            return seat
    return -1


@kernel
def is_role_open(s, seat):
    return s["role_seen"][seat] == st.EVERYBODY


@kernel
def is_active(s, seat):
    return (np.int64(s["active"]) >> seat) & 1 == 1


@kernel
def count_active(s):
    return count_bits(np.int64(s["active"]))


@kernel
def next_active(s, seat):
    """The next active seat clockwise (to the left); `seat` itself when no other is."""
    active = np.int64(s["active"])
    later = active >> (seat + 1)
    if later:
        return seat + 1 + lowest_bit(later)
    return lowest_bit(active) if active else seat


@kernel
def previous_active(s, seat):
    """The next active seat counter-clockwise (to the right)."""
    players = int(s["num_players"])
    for step in range(1, players + 1):
        other = (seat - step) % players
        if is_active(s, other):
            return other
    return seat


@kernel
def has_law(t, s, law):
    """Whether an incident in play imposes this law."""
    for i in range(s["incident_size"]):
        if int(t["laws"][int(s["incidents"][i]) - 1]) & law:
            return True
    return False


@kernel
def seasons_matter(t, s):
    """Whether it is asked which copy of a card goes: an incident in play collects by season, or the configuration has it so (C-19)."""
    if int(s["config"]) & st.ASK_SEASONS:
        return True
    for i in range(s["incident_size"]):
        if t["by_season"][int(s["incidents"][i]) - 1]:
            return True
    return False


@kernel
def items_work(s, seat):
    """Whether the seat's items have effect (Nitori's flood, H-16)."""
    for i in range(s["lasting_size"]):
        if s["lasting"][i, st.LASTING_WORD] == v.ITEMS_OFF + 1 and s["lasting"][i, st.LASTING_SEAT] == seat:
            return False
    return True


@kernel
def banned_types(s):
    """Card types nobody may play now (Fantasy Seal C-4, The World C-14)."""
    banned = v.ACTION if s["action_ban"] else 0
    for i in range(s["lasting_size"]):
        if s["lasting"][i, st.LASTING_WORD] == v.BAN_TYPE + 1:
            banned |= int(s["lasting"][i, st.LASTING_VALUE])
    return banned


@kernel
def _is_when(t, s, seat, circumstance):
    """Whether the seat is in a circumstance that switches modifiers of characters."""
    if circumstance == v.ROLE_OPEN:
        return is_role_open(s, seat)
    if circumstance == v.AT_FULL_LIFE:
        return is_at_max_life(t, s, seat)
    if circumstance == v.WOUNDED:
        return s["life"][seat] > 1 and not is_at_max_life(t, s, seat)
    return s["life"][seat] <= 1 and not is_at_max_life(t, s, seat)


@kernel
def _stat_when(t, s, seat, which):
    """Sum of the modifiers of abilities that are in force in the circumstances of the seat."""
    total = 0
    chars = int(s["abilities"][seat]) & int(t["chars_when"])
    while chars:
        character = lowest_bit(chars)
        chars &= chars - 1
        for circumstance in range(v.NUM_CIRCUMSTANCES):
            amount = int(t["char_stats_when"][character, circumstance, which])
            if amount and _is_when(t, s, seat, circumstance):
                total += amount
    return total


@kernel
def stat(t, s, seat, which):
    """Sum of the modifiers of role, items in play, abilities and lasting effects."""
    total = int(t["role_stats"][int(s["role"][seat]), which])
    if which < v.NUM_ITEM_STATS and s["item_stats"][seat, which] and items_work(s, seat):
        total += int(s["item_stats"][seat, which])
    powers = int(s["item_slots"][seat]) & int(t["power_slots"])
    if powers and which >= v.NUM_ITEM_STATS and items_work(s, seat):
        while powers:
            total += int(t["slot_stats"][lowest_bit(powers), which]) * int(s["item_counts"][seat, lowest_bit(powers)])
            powers &= powers - 1
    chars = int(s["abilities"][seat])
    while chars:
        total += int(t["char_stats"][lowest_bit(chars), which])
        chars &= chars - 1
    if int(s["abilities"][seat]) & int(t["chars_when"]):
        total += _stat_when(t, s, seat, which)
    for i in range(s["lasting_size"]):
        if s["lasting"][i, st.LASTING_WORD] == which + 1 and s["lasting"][i, st.LASTING_SEAT] == seat and which <= v.LASTING_DISTANCE:
            total += int(s["lasting"][i, st.LASTING_VALUE])
    return total


@kernel
def played_by(frame):
    """Whose play a PLAY frame is, for every condition: the player who announced it, or the one it is played for (H-12, K-23)."""
    return int(frame[fr.PLAY_BEHALF]) - 1 if frame[fr.PLAY_BEHALF] else int(frame[fr.SEAT])


@kernel
def draws(t, s, seat):
    """Cards that the draw step gives the current player as things are, those of the items that add Lunatic ones apart (T-6)."""
    return max(0, int(s["draws"]) + stat(t, s, seat, v.DRAWS))


@kernel
def given_life(s):
    """The max life that the options give every seat, or 0."""
    return (int(s["config"]) >> st.LIFE_SHIFT) & st.LIFE_MASK


@kernel
def given_hand(s):
    """The base of the max hand size that the options give every seat, or 0."""
    return (int(s["config"]) >> st.HAND_SHIFT) & st.HAND_MASK


@entry
def max_life_of(t, s, role):
    """Max life of a seat with this role: 4 and what the role adds, unless the options give everybody another."""
    given = given_life(s)
    return given if given else BASE_LIFE + int(t["role_stats"][role, v.MAX_LIFE])


@kernel
def max_life(t, s, seat):
    return max_life_of(t, s, int(s["role"][seat]))


@kernel
def is_at_max_life(t, s, seat):
    return s["life"][seat] >= max_life(t, s, seat)


@kernel
def last_life_mask(s):
    """Bits of the active seats at 1 life."""
    mask = 0
    for seat in range(s["num_players"]):
        if s["life"][seat] == 1:
            mask |= 1 << seat
    return mask & np.int64(s["active"])


@kernel
def _hand_base(t, s, seat, which, base):
    """The largest base max hand size anything sets (U-3)."""
    slots = int(s["item_slots"][seat])
    if slots and items_work(s, seat):
        while slots:
            base = max(base, int(t["slot_stats"][lowest_bit(slots), which]))
            slots &= slots - 1
    chars = int(s["abilities"][seat])
    while chars:
        base = max(base, int(t["char_stats"][lowest_bit(chars), which]))
        chars &= chars - 1
    return base


@kernel
def max_hand(t, s, seat):
    """Largest base set (default BASE_HAND) plus the role's bonus; Meiling's counts on other players' turns only (U-3, U-4)."""
    given = given_hand(s)
    base = _hand_base(t, s, seat, v.HAND_BASE, given if given else BASE_HAND)
    if s["current"] != seat and s["turn_number"] > 0:
        base = _hand_base(t, s, seat, v.HAND_BASE_AWAY, base)
    return base if given else base + int(t["role_stats"][int(s["role"][seat]), v.HAND_BONUS])


@kernel
def danmaku_limit(t, s, seat):
    """Danmaku cards that the seat may play per round, of those that count; NO_LIMIT under Eternal Night."""
    if has_law(t, s, v.FREE_DANMAKU):
        return NO_LIMIT
    return BASE_DANMAKU + stat(t, s, seat, v.DANMAKU_LIMIT)


@kernel
def count_hand(t, s, seat, types):
    """Hand cards with one of the types (0 = any)."""
    if types == v.ANY_TYPE:
        return int(s["hand_size"][seat])
    total = 0
    kinds = int(s["hand_kinds"][seat])
    while kinds:
        kind = lowest_bit(kinds)
        kinds &= kinds - 1
        if int(t["kind_types"][kind]) & types:
            total += int(s["hand_counts"][seat, kind])
    return total


@kernel
def kinds_of(t, types):
    """Bits of the kinds with one of the types."""
    kinds = 0
    while types:
        kinds |= int(t["type_kinds"][lowest_bit(types)])
        types &= types - 1
    return kinds


@kernel
def is_of(t, card, types):
    """Whether a physical card has one of the types (0 = any)."""
    return types == v.ANY_TYPE or int(t["kind_types"][np.int64(t["card_kind"][card])]) & types != 0


@kernel
def hand_kinds_of(t, s, seat, types):
    """Bits of the kinds in hand with one of the types (0 = any)."""
    kinds = int(s["hand_kinds"][seat])
    if types == v.ANY_TYPE:
        return kinds
    return kinds & kinds_of(t, types)


@kernel
def item_kinds(t, s, seat):
    """Bits of the kinds the seat has in play."""
    kinds = 0
    slots = int(s["item_slots"][seat])
    while slots:
        kinds |= 1 << int(t["slot_kind"][lowest_bit(slots)])
        slots &= slots - 1
    return kinds


@entry
def has_expansion(s):
    """Whether the game is played with Lunatic Extra."""
    return int(s["config"]) & st.WITH_LUNATIC_EXTRA != 0


@entry
def box(s):
    """Which cards are in the game: BASE_BOX or BOTH_BOXES of the tables."""
    return 1 if int(s["config"]) & st.WITH_LUNATIC_EXTRA else 0


@entry
def characters_in(t, s):
    """Bits of the characters in the game."""
    config = int(s["config"])
    there = int(t["characters_in"][box(s)]) | (int(t["bonus_characters"]) if config & st.WITH_BONUS else 0)
    if s["character_pool"]:
        there &= int(s["character_pool"])
    return there & ~int(t["recruiters"]) if config & st.DOUBLE_THREAT else there


@entry
def primaries(s, seat):
    """Bits of the characters a seat plays, those apart that it has recruited: one, or two in Double Threat."""
    return ((1 << int(s["character"][seat])) | (1 << int(s["second_character"][seat]))) >> 1


@kernel
def abilities_work(t, s, seat):
    """Whether abilities of the seat have effect (Dream World L-23, Danmaku Paranoia)."""
    for i in range(s["lasting_size"]):
        if s["lasting"][i, st.LASTING_WORD] == v.ABILITIES_OFF + 1 and s["lasting"][i, st.LASTING_SEAT] == seat:
            return False
    return not has_law(t, s, v.NO_ABILITIES)


@kernel
def deal_table(s):
    """Which pools the roles are dealt from: basic or advanced ones of the box."""
    return 2 * box(s) + (ADVANCED_DEAL if int(s["config"]) & st.ADVANCED_ROLES else BASIC_DEAL)


@entry
def is_role_in(t, config, players, role):
    """Whether a role card is in a game configured so.

    The EX Midboss may need more players (S-7), and in Double Threat, where everybody has two characters, no Extra Boss recruits another.
    """
    if config & st.MIDBOSS_FROM_7 and players < st.MIDBOSS_PLAYERS and t["role_factions"][role] == v.MIDBOSSES:
        return False
    return config & st.DOUBLE_THREAT == 0 or t["role_gives"][int(t["role_becomes"][role])] == 0


@entry
def candidates(s):
    """Characters that one chooses from, at set-up and when recruiting (players' choice: three or four)."""
    return st.FEWEST_CANDIDATES + ((int(s["config"]) >> st.CHOICE_SHIFT) & st.CHOICE_MASK)


@entry
def is_revealed(s):
    """Whether characters and the Heroine are open: set-up but for turn zero is over."""
    return s["turn_step"] != st.STEP_SETUP


PRICE = 5
"""Points of Main-deck cards that a Lunatic card costs (L-2)."""


@kernel
def next_hand_card(s, seat, card):
    """The card of a hand that comes next after a card in the order of their numbers, the first after -1; -1 behind the last."""
    word, bit = (card + 1) // st.HAND_WORD_BITS, (card + 1) % st.HAND_WORD_BITS
    while word < st.HAND_WORDS:
        bits = int(s["hand_cards"][seat, word]) >> bit
        if bits:
            return word * st.HAND_WORD_BITS + bit + lowest_bit(bits)
        word += 1
        bit = 0
    return -1


@kernel
def points_in_hand(t, s, seat, card):
    """What a hand card is worth to the seat."""
    return int(t["kind_points"][np.int64(t["card_kind"][card])]) + stat(t, s, seat, v.CARD_POINTS)


@kernel
def hand_points(t, s, seat):
    """What all cards of a hand are worth to the seat."""
    points = 0
    card = next_hand_card(s, seat, -1)
    while card >= 0:
        points += points_in_hand(t, s, seat, card)
        card = next_hand_card(s, seat, card)
    return points


@kernel
def can_spare_one(t, s, seat, points):
    """Whether a hand is worth this many points without one of its cards."""
    least = NO_LIMIT
    card = next_hand_card(s, seat, -1)
    while card >= 0:
        least = min(least, points_in_hand(t, s, seat, card))
        card = next_hand_card(s, seat, card)
    return hand_points(t, s, seat) - least >= points


@kernel
def kinds_of_season(t, s, seat, season):
    """Bits of the kinds of which the seat holds a card with the season."""
    found = 0
    card = next_hand_card(s, seat, -1)
    while card >= 0:
        if t["card_season"][card] == season:
            found |= 1 << np.int64(t["card_kind"][card])
        card = next_hand_card(s, seat, card)
    return found


@kernel
def main_kinds(t, s, seat):
    """Bits of the kinds of which the seat holds a card of the Main deck."""
    if s["lunatic_in_hand"][seat] == 0:
        return int(s["hand_kinds"][seat])
    found = 0
    kinds = int(s["hand_kinds"][seat])
    while kinds:
        kind = lowest_bit(kinds)
        kinds &= kinds - 1
        if find_card(t, s, kind, st.IN_HAND, seat, -1, MAIN_COPY) >= 0:
            found |= 1 << kind
    return found


@kernel
def can_draw_lunatic(t, s):
    """Whether there is a card that could be drawn from the Lunatic deck, and no incident forbids it (X-3, L-21)."""
    return (s["lunatic_deck_size"] > 0 or s["lunatic_discard_size"] > 0) and not has_law(t, s, v.NO_LUNATIC)


@kernel
def can_pay_price(t, s, seat):
    """Whether the Main-deck cards of a hand are worth a Lunatic card."""
    points = 0
    card = next_hand_card(s, seat, -1)
    while card >= 0:
        if t["card_lunatic"][card] == MAIN_COPY:
            points += points_in_hand(t, s, seat, card)
        card = next_hand_card(s, seat, card)
    return points >= PRICE


@kernel
def is_at(s, card, zone, holder):
    """Whether a physical card lies in a zone, and with that holder (a seat, or an incident); -1, no card, lies nowhere."""
    return card >= 0 and s["zone"][card] == zone and s["holder"][card] == holder


@kernel
def _is_copy(t, s, card, zone, holder, season, back):
    return (
        is_at(s, card, zone, holder) and (season < 0 or t["card_season"][card] == season) and (back < 0 or t["card_lunatic"][card] == back)
    )


@kernel
def find_card(t, s, kind, zone, holder, season, back):
    """A physical card of the kind there, of a season (-1: any) and of a deck (ANY_COPY ...); -1 when there is none."""
    card = int(t["first_copy"][kind])
    while card >= 0 and not _is_copy(t, s, card, zone, holder, season, back):
        card = int(t["next_copy"][card])
    return card


@kernel
def seasons_of(t, s, kind, zone, holder, back):
    """Bits of the seasons of the cards of a kind there, of a deck (ANY_COPY ...)."""
    seasons = 0
    card = int(t["first_copy"][kind])
    while card >= 0:
        if _is_copy(t, s, card, zone, holder, -1, back):
            seasons |= 1 << int(t["card_season"][card])
        card = int(t["next_copy"][card])
    return seasons


@kernel
def zero_mask(s):
    """Bits of the active seats at 0 life."""
    mask = 0
    for seat in range(st.SEATS):
        mask |= (s["life"][seat] == 0) << seat
    return mask & np.int64(s["active"])


@kernel
def has_all(t, s, i):
    """Whether the incident at place `i` has collected all it needs."""
    incident = int(s["incidents"][i]) - 1
    total = count_bits(int(s["incidents_kept"])) if t["collects_incidents"][incident] else 0
    for season in range(st.NUM_SEASONS):
        total += int(s["collected"][i, season])
    return total >= t["needs"][incident] + (count_active(s) if t["needs_per_player"][incident] else 0)


@kernel
def is_acting(t, s, incident):
    """Whether an action of the incident is under way."""
    for f in range(1, int(s["depth"])):
        if s["stack"][f, fr.PROCEDURE] == fr.PLAY_FRAME and t["text"][int(s["stack"][f, fr.PLAY_TEXT]), T_INCIDENT] == incident + 1:
            return True
    return False


@kernel
def own_incident(t, s, f):
    """Place among the incidents in play of the one this frame belongs to, or -1."""
    return place_of_incident(s, int(t["text"][int(s["stack"][f, fr.PLAY_TEXT]), T_INCIDENT]) - 1)


@kernel
def place_of_incident(s, incident):
    """Place of an incident among those in play, or -1."""
    for i in range(s["incident_size"]):
        if s["incidents"][i] == incident + 1:
            return i
    return -1


@kernel
def incidents_in_play(s):
    """Bits of the incidents in play."""
    incidents = 0
    for i in range(s["incident_size"]):
        incidents |= 1 << (int(s["incidents"][i]) - 1)
    return incidents
