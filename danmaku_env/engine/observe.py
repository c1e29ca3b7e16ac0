"""What a seat may know: named fields in one row of bytes. The only reader of a game that takes a seat.

Seats are relative to the observer (0 = me, 1 = next clockwise); absent seats, cards and characters stay zero. Three kinds of
field: *count* and *flag* bytes are numbers; an *id* byte names a card kind, character, incident or season, plus one, 0 for none.
The layout is the same for every player count and both expansions.
"""

from __future__ import annotations

import numpy as np

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.box import NUM_INCIDENTS, NUM_KINDS, NUM_ROLES
from danmaku_env.cards.tables import LUNATIC_ROOM, MODES, PILE_ROOM, SLOTS, T_CHARACTER, T_INCIDENT, T_KIND, T_ROLE
from danmaku_env.engine import distances, queries, stack
from danmaku_env.engine import frames as fr
from danmaku_env.engine import state as st
from danmaku_env.engine.observation import (
    EXTRAS_SHOWN,
    KIND_AXIS,
    KNOWN_ENDS,
    MOST_ID,
    OBSERVATION_SIZE,
    OFFSETS,
    ROLE_AXIS,
    SEAT_AXIS,
)
from danmaku_env.engine.state import SEATS
from danmaku_env.fields import Field, numbered, offsets_of
from danmaku_env.jit.kernels import count_bits, kernel, load_word, lowest_bit, shared, store_word
from danmaku_env.machine import event_ring

_QUESTION, _SOURCE, _STEP, _TURN = OFFSETS["question"], OFFSETS["source"], OFFSETS["step"], OFFSETS["turn"]
_CHOSEN, _CHOSEN_SECOND = OFFSETS["chosen"], OFFSETS["chosen_second"]
_CHOSEN_NUMBER, _CHOSEN_KIND = OFFSETS["chosen_number"], OFFSETS["chosen_kind"]
_PLAYERS, _ATTACK_BY, _ATTACK_ON, _ATTACK = OFFSETS["players"], OFFSETS["attack_by"], OFFSETS["attack_on"], OFFSETS["attack"]
_PLAYED_BY, _PLAYED_ON, _PLAYED = OFFSETS["played_by"], OFFSETS["played_on"], OFFSETS["played"]
_ACTIVE, _LIFE, _MAX_LIFE, _HAND_SIZE = OFFSETS["active"], OFFSETS["life"], OFFSETS["max_life"], OFFSETS["hand_size"]
_MAX_HAND, _IN_RANGE, _DANMAKU_PLAYED = OFFSETS["max_hand"], OFFSETS["in_range"], OFFSETS["danmaku_played"]
_SPELL_USED, _ABILITY_USED = OFFSETS["spell_used"], OFFSETS["ability_used"]
_SKIPPED_LAST, _SKIP_NEXT, _ROLE, _CHARACTER = OFFSETS["skipped_last"], OFFSETS["skip_next"], OFFSETS["role"], OFFSETS["character"]
_ITEMS, _HAND, _KNOWN_HANDS, _CANDIDATES = OFFSETS["items"], OFFSETS["hand"], OFFSETS["known_hands"], OFFSETS["candidates"]
_ASIDE, _ASIDE_INCIDENTS, _DISCARD, _DISCARD_TOP = OFFSETS["aside"], OFFSETS["aside_incidents"], OFFSETS["discard"], OFFSETS["discard_top"]
_COLLECTED, _COLLECTED_SEASONS, _INCIDENTS = OFFSETS["collected"], OFFSETS["collected_seasons"], OFFSETS["incidents"]
_DECK_SIZE, _KNOWN_TOP, _KNOWN_BOTTOM = OFFSETS["deck_size"], OFFSETS["known_top"], OFFSETS["known_bottom"]
_KNOWN_INCIDENTS, _LASTING, _ITEMS_OFF = OFFSETS["known_incidents"], OFFSETS["lasting"], OFFSETS["items_off"]
_BANNED, _TALLIES = OFFSETS["banned"], OFFSETS["attacks"]
_HAND_LUNATIC, _LUNATIC_IN_HAND, _LUNATIC_SIZE = OFFSETS["hand_lunatic"], OFFSETS["lunatic_in_hand"], OFFSETS["lunatic_deck_size"]
_EXTRA_TURN, _STREAK = OFFSETS["extra_turn"], OFFSETS["streak"]
_LUNATIC_DISCARD, _LUNATIC_DISCARD_TOP = OFFSETS["lunatic_discard"], OFFSETS["lunatic_discard_top"]
_DANMAKU_CARDS = OFFSETS["danmaku_cards"]
_INCIDENT_ORDER, _COLLECTED_BY, _INCIDENTS_KEPT = OFFSETS["incident_order"], OFFSETS["collected_by"], OFFSETS["incidents_kept"]
_SPARED, _ITEM_DUE = OFFSETS["spared"], OFFSETS["item_due"]
_LUNATIC_TOP, _LUNATIC_BOTTOM = OFFSETS["known_lunatic_top"], OFFSETS["known_lunatic_bottom"]
_EXTRAS, _EXTRA_SOURCES, _NAMED, _ABILITIES_OFF = OFFSETS["extras"], OFFSETS["extra_sources"], OFFSETS["named"], OFFSETS["abilities_off"]
_CHARACTERS_LEFT, _DISCARDED_CHARACTERS = OFFSETS["characters_left"], OFFSETS["discarded_characters"]
_SECOND_CHARACTER = OFFSETS["second_character"]
_PLAYED_HALF, _PLAYED_SPELL, _PLAYED_SECOND = OFFSETS["played_half"], OFFSETS["played_spell"], OFFSETS["played_second"]
_PLAYED_THIRD, _PLAYED_NUMBER, _PLAYED_ITEM = OFFSETS["played_third"], OFFSETS["played_number"], OFFSETS["played_item"]
_DRAWN, _DISCARDED_INCIDENTS = OFFSETS["drawn"], OFFSETS["discarded_incidents"]
_PAIRS = SEATS * SEATS
_LOWEST_BITS = 0x0101010101010101
"""Of each byte of a word."""
_AS_LOGGED = 0x0000FFFFFF0000FF
"""Bytes of an event that a history row takes as they are: event, about, number, extra."""
_AS_SEEN = 0x0000FFFFFFFFFFFF
"""Those and the seats: what everybody sees of one."""
_LASTING_WORDS = len(v.LASTING)
_TYPE_BITS = len(v.TYPES)


@kernel
def _named_last(frame):
    """The end, deck, season or number that was named, flipped or counted last for the text of a PLAY frame; a deck without its plus one."""
    if frame[fr.PLAY_END]:
        return frame[fr.PLAY_END]
    if frame[fr.PLAY_DECK]:
        return frame[fr.PLAY_DECK] - 1
    return frame[fr.PLAY_FLIPPED] if frame[fr.PLAY_FLIPPED] else frame[fr.PLAY_AMOUNT]


@kernel
def _write_question(t, s, seat, row):
    """The pending question, which text asks it, and what has been chosen for that text so far; seats relative to `seat`."""
    row[_QUESTION + int(s["question"])] = 1
    row[_CHOSEN_KIND] = s["pending_kind"]
    frame = s["stack"][int(s["depth"]) - 1]
    text = int(frame[fr.PLAY_TEXT])
    if frame[fr.PROCEDURE] != fr.PLAY_FRAME or text == 0:
        return
    for i in range(4):
        row[_SOURCE + i] = t["text"][text, (T_KIND, T_CHARACTER, T_INCIDENT, T_ROLE)[i]]
    players = int(s["num_players"])
    if frame[fr.PLAY_CHOSEN]:
        row[_CHOSEN + (int(frame[fr.PLAY_CHOSEN]) - 1 - seat) % players] = 1
    if frame[fr.PLAY_SECOND]:
        row[_CHOSEN_SECOND + (int(frame[fr.PLAY_SECOND]) - 1 - seat) % players] = 1
    row[_CHOSEN_NUMBER] = _named_last(frame)
    pick = int(frame[fr.PLAY_PICK]) - 1
    if 0 <= pick < st.INCIDENT_CARD and s["pending_kind"] == 0:
        row[_CHOSEN_KIND] = np.int64(t["card_kind"][pick]) + 1


@kernel
def _write_announced(t, s, seat, frame, row):
    """The topmost announced card or Spell Card; and, before its effects begin, all that was announced with it (K-2, K-10, K-11)."""
    players = int(s["num_players"])
    text = int(frame[fr.PLAY_TEXT])
    kind = int(t["text"][text, T_KIND])
    row[_PLAYED_BY + (int(frame[fr.SEAT]) - seat) % players] = 1
    row[_PLAYED] = kind
    row[_PLAYED + 1] = t["text"][text, T_CHARACTER]
    row[_PLAYED_SPELL] = 1 if int(frame[fr.PLAY_FLAGS]) & fr.IS_SPELL else 0
    for half in range(MODES):
        if kind > 0 and int(t["mode_text"][kind - 1, half]) == text:
            row[_PLAYED_HALF] = half + 1
    if frame[fr.PLAY_CHOSEN]:
        row[_PLAYED_ON + (int(frame[fr.PLAY_CHOSEN]) - 1 - seat) % players] = 1
    if frame[fr.AT] > fr.AT_RESPONSE and not (frame[fr.AT] == fr.AT_RESOLVE and stack.is_triggered(frame)):
        return
    if frame[fr.PLAY_SECOND]:
        row[_PLAYED_SECOND + (int(frame[fr.PLAY_SECOND]) - 1 - seat) % players] = 1
    if frame[fr.PLAY_EACH]:
        row[_PLAYED_THIRD + (int(frame[fr.PLAY_EACH]) - 1 - seat) % players] = 1
    row[_PLAYED_NUMBER] = frame[fr.PLAY_DECK] if frame[fr.PLAY_DECK] else frame[fr.PLAY_AMOUNT]
    pick = int(frame[fr.PLAY_PICK]) - 1
    if 0 <= pick < st.INCIDENT_CARD and s["zone"][pick] == st.IN_PLAY:  # a card of a hand is nobody's business
        row[_PLAYED_ITEM] = np.int64(t["card_kind"][pick]) + 1


@kernel
def _write_stack(t, s, seat, row):
    """The topmost attack and the topmost announced card or Spell Card."""
    players = int(s["num_players"])
    attack_due = True
    played_due = True
    for f in range(int(s["depth"]) - 1, 0, -1):
        frame = s["stack"][f]
        procedure = frame[fr.PROCEDURE]
        if procedure == fr.ATTACK_FRAME and attack_due:
            attack_due = False
            row[_ATTACK_BY + (int(frame[fr.SEAT]) - seat) % players] = 1
            row[_ATTACK_ON + (int(frame[fr.ATTACK_TARGET]) - 1 - seat) % players] = 1
            row[_ATTACK] = frame[fr.ATTACK_DAMAGE]
            row[_ATTACK + 1] = 1 if int(frame[fr.ATTACK_FLAGS]) & fr.IS_UNAVOIDABLE else 0
        elif procedure == fr.PLAY_FRAME and played_due and frame[fr.AT] >= fr.AT_PUT:
            played_due = False
            _write_announced(t, s, seat, frame, row)


@kernel
def _turned(word, seat, players):
    """A word with a byte per seat, turned so that the observer's comes first."""
    present = ((1 << (8 * (players - 1))) << 8) - 1  # two shifts: one by 64 is not defined
    return ((word >> (8 * seat)) | ((word << (8 * (players - 1 - seat))) << 8)) & present


@kernel
def _write_tallies(s, seat, row):
    """Who did what to whom, of those who did anything."""
    players = int(s["num_players"])
    for phase in range(st.PHASES):
        tallied = int(s["tallied"][phase])
        place = 0
        while tallied:
            interaction, other = lowest_bit(tallied) // SEATS, lowest_bit(tallied) % SEATS
            tallied &= tallied - 1
            r = other - seat if other >= seat else other - seat + players
            at = _TALLIES + (st.PHASES * interaction + phase) * _PAIRS + SEATS * r
            store_word(row, at, _turned(int(s["tallies"][phase, place]), seat, players))
            place += 1


@kernel
def _turned_seats(seat, players):
    """What stands in a history row for the seats of an event: four bits each, for nobody and seats 0, 1, ...; relative, plus one."""
    turned = 0
    for other in range(players):
        relative = other - seat if other >= seat else other - seat + players
        turned |= (relative + 1) << 4 * (other + 1)
    return turned


@kernel
def _shown_card(t, card):
    """The last two bytes of a history row, for a card that is known: kind and season, or the incident; nothing for 0.

    The seasons of the Lunatic deck are numbered behind those of the Main deck: both have copies of some kinds, in the same seasons.
    """
    is_card = 0 < card <= st.INCIDENT_CARD
    number = (card - 1) * is_card
    season = int(t["card_season"][number]) + st.NUM_SEASONS * int(t["card_lunatic"][number])
    shown = (np.int64(t["card_kind"][number]) + 1 | (season + 1) << 8) * is_card
    return shown | (card - st.INCIDENT_CARD) * (card > st.INCIDENT_CARD)


@kernel
def write_history(t, s, seat, row, at, events):
    """The last events as the seat knows them, in the columns of HISTORY_COLUMNS, the newest first; unused rows stay as they are.

    A row of the log is read and written at once, and without branches: an observation may end with hundreds.
    """
    last = int(s["log_count"]) - 1
    turned = _turned_seats(seat, int(s["num_players"]))
    for i in range(min(events, event_ring.kept(s))):
        event = event_ring.event_at(s, last - i)
        word = event & _AS_LOGGED
        word |= ((turned >> 4 * ((event >> 8) & 0xFF)) & 15) << 8
        word |= ((turned >> 4 * ((event >> 16) & 0xFF)) & 15) << 16
        knows = (event >> (8 * st.KNOWN_TO + seat)) & 1
        word |= _shown_card(t, ((event >> 8 * st.CARD_SHOWN) & 0xFF) * knows) << 8 * st.CARD_SHOWN
        store_word(row, at + st.EVENT_COLUMNS * i, word)


@kernel
def write_public_log(t, s, log):
    """The events that are left of the log, the oldest first, with seats as they are; cards that not everybody knows are left out."""
    size = event_ring.kept(s)
    first = int(s["log_count"]) - size
    for i in range(size):
        event = event_ring.event_at(s, first + i)
        known = (event >> 8 * st.KNOWN_TO) & 0xFF == st.EVERYBODY
        card = _shown_card(t, ((event >> 8 * st.CARD_SHOWN) & 0xFF) * known)
        store_word(log, st.EVENT_COLUMNS * i, (event & _AS_SEEN) | card << 8 * st.CARD_SHOWN)
    return size


@kernel
def _spread(mask):
    """A byte of 0 or 1 for each of eight bits. Seven bits go to their bytes in one multiplication; an eighth would meet its neighbour."""
    return ((mask & 0x7F) * 0x0002040810204081 & _LOWEST_BITS) | (mask >> 7) << 56


@kernel
def _write_flags(mask, seat, players, row, at):
    """A mask of seats as flags."""
    turned = ((mask >> seat) | (mask << (players - seat))) & ((1 << players) - 1)
    store_word(row, at, _spread(turned))


@kernel
def _write_numbers(numbers, seat, players, row, at):
    """A number of every seat, a byte each."""
    store_word(row, at, _turned(load_word(numbers, 0), seat, players))


@kernel
def _write_numbers_of_seats(t, s, seat, row):
    players = int(s["num_players"])
    _write_flags(np.int64(s["active"]), seat, players, row, _ACTIVE)
    _write_flags(np.int64(s["drew"]), seat, players, row, _DRAWN)
    _write_numbers(s["life"], seat, players, row, _LIFE)
    _write_numbers(s["hand_size"], seat, players, row, _HAND_SIZE)
    _write_numbers(s["danmaku_played"], seat, players, row, _DANMAKU_PLAYED)
    _write_numbers(s["spell_used"], seat, players, row, _SPELL_USED)
    _write_numbers(s["skipped_last"], seat, players, row, _SKIPPED_LAST)
    _write_numbers(s["skip_next"], seat, players, row, _SKIP_NEXT)
    if queries.is_revealed(s):
        _write_numbers(s["character"], seat, players, row, _CHARACTER)
        _write_numbers(s["second_character"], seat, players, row, _SECOND_CHARACTER)
        row[_TURN + (int(s["current"]) - seat) % players] = 1
        _write_flags(distances.range_mask(t, s, seat, 0, 0), seat, players, row, _IN_RANGE)
    else:
        row[_CHARACTER] = s["character"][seat]
        row[_SECOND_CHARACTER] = s["second_character"][seat]


@kernel
def _write_seats(t, s, seat, row):
    players = int(s["num_players"])
    other = seat - 1
    for r in range(players):
        other = other + 1 if other + 1 < players else 0
        row[_ABILITY_USED + r] = 1 if s["used_turn"][other] or s["used_round"][other] else 0
        # written without branches: which way they would go is what a processor cannot guess
        role = int(s["role"][other]) * ((np.int64(s["role_seen"][other]) >> seat) & 1)
        row[_ROLE + r * (NUM_ROLES - 1) + max(0, role - 1)] = min(1, role)
        row[_MAX_LIFE + r] = queries.max_life_of(t, s, role)
        for slots in range(0, SLOTS, 8):
            store_word(row, _ITEMS + r * SLOTS + slots, load_word(s["item_counts"], other * SLOTS + slots))
    row[_MAX_HAND] = queries.max_hand(t, s, seat)


@kernel
def _write_hand(t, s, seat, row):
    """My hand by kind and season, and what I know of other hands."""
    for word in range(st.HAND_WORDS):
        bits = int(s["hand_cards"][seat, word])
        while bits:
            card = word * st.HAND_WORD_BITS + lowest_bit(bits)
            bits &= bits - 1
            row[_HAND + st.NUM_SEASONS * np.int64(t["card_kind"][card]) + int(t["card_season"][card])] += 1
    players = int(s["num_players"])
    for word in range(st.HAND_WORDS):
        bits = int(s["exposed"][word])
        while bits:
            card = word * st.HAND_WORD_BITS + lowest_bit(bits)
            bits &= bits - 1
            r = (np.int64(s["holder"][card]) - seat) % players
            if r and (np.int64(s["seen_by"][card]) >> seat) & 1:
                row[_KNOWN_HANDS + r * NUM_KINDS + np.int64(t["card_kind"][card])] += 1


@kernel
def _write_deck_card(t, s, seat, deck, place, row, at):
    card = np.int64(deck[place]) - 1
    if (np.int64(s["seen_by"][card]) >> seat) & 1:
        row[at] = np.int64(t["card_kind"][card]) + 1
        row[at + 1] = int(t["card_season"][card]) + 1


@kernel
def _write_kinds(counts, row, at):
    """A number for each kind of card, a word at a time; the last word reaches back, for it ends with the last kind."""
    for place in range(0, NUM_KINDS - 8, 8):
        store_word(row, at + place, load_word(counts, place))
    store_word(row, at + NUM_KINDS - 8, load_word(counts, NUM_KINDS - 8))


@kernel
def _write_decks(t, s, seat, row):
    """Piles everybody sees, and the ends of decks as far as I know them."""
    _write_kinds(s["discard_kinds"], row, _DISCARD)
    _write_kinds(s["collected_kinds"], row, _COLLECTED)
    if s["discard_size"] > 0:
        top = np.int64(s["discard"][np.int64(s["discard_size"]) - 1]) - 1
        row[_DISCARD_TOP] = np.int64(t["card_kind"][top]) + 1
        row[_DISCARD_TOP + 1] = int(t["card_season"][top]) + 1
    size = np.int64(s["deck_size"])
    row[_DECK_SIZE] = size
    row[_DECK_SIZE + 1] = s["incident_deck_size"]
    if (np.int64(s["deck_seen"]) >> seat) & 1:
        for i in range(min(KNOWN_ENDS, size)):
            _write_deck_card(t, s, seat, s["deck"], size - 1 - i, row, _KNOWN_TOP + 2 * i)
            _write_deck_card(t, s, seat, s["deck"], i, row, _KNOWN_BOTTOM + 2 * i)
    for i in range(s["aside_size"]):
        card = np.int64(s["aside"][i]) - 1
        if card >= st.INCIDENT_CARD:
            if (np.int64(s["incident_seen"][card - st.INCIDENT_CARD]) >> seat) & 1:
                row[_ASIDE_INCIDENTS + card - st.INCIDENT_CARD] = 1
        elif (np.int64(s["seen_by"][card]) >> seat) & 1:
            row[_ASIDE + np.int64(t["card_kind"][card])] += 1


@kernel
def _write_lunatic_hand(t, s, seat, row, at):
    """The Lunatic cards of a hand, by kind."""
    for word in range(st.HAND_WORDS):
        bits = int(s["hand_cards"][seat, word]) if s["lunatic_in_hand"][seat] else 0
        while bits:
            card = word * st.HAND_WORD_BITS + lowest_bit(bits)
            bits &= bits - 1
            row[at + np.int64(t["card_kind"][card])] += t["card_lunatic"][card]


@kernel
def _write_lunatic(t, s, seat, row):
    """What there is with the expansion only: the Lunatic deck, its discard pile, whose hands hold its cards, and what cards of it do."""
    _write_numbers(s["lunatic_in_hand"], seat, int(s["num_players"]), row, _LUNATIC_IN_HAND)
    _write_lunatic_hand(t, s, seat, row, _HAND_LUNATIC)
    players = int(s["num_players"])
    _write_numbers(s["danmaku_cards"], seat, players, row, _DANMAKU_CARDS)
    _write_flags(np.int64(s["spared"]), seat, players, row, _SPARED)
    if s["due_to"]:
        row[_ITEM_DUE + (int(s["due_to"]) - 1 - seat) % players] = 1
    size = np.int64(s["lunatic_deck_size"])
    row[_LUNATIC_SIZE] = size
    for i in range(min(KNOWN_ENDS, size)):
        _write_deck_card(t, s, seat, s["lunatic_deck"], size - 1 - i, row, _LUNATIC_TOP + 2 * i)
        _write_deck_card(t, s, seat, s["lunatic_deck"], i, row, _LUNATIC_BOTTOM + 2 * i)
    _write_numbers(s["streak"], seat, int(s["num_players"]), row, _STREAK)
    if s["extra_turn"]:
        row[_EXTRA_TURN + (1 if s["extra_turn"] >= st.IS_EXTRA_TURN else 0)] = 1
    _write_kinds(s["lunatic_discard_kinds"], row, _LUNATIC_DISCARD)
    if s["lunatic_discard_size"] > 0:
        top = np.int64(s["lunatic_discard"][np.int64(s["lunatic_discard_size"]) - 1]) - 1
        row[_LUNATIC_DISCARD_TOP] = np.int64(t["card_kind"][top]) + 1
        row[_LUNATIC_DISCARD_TOP + 1] = int(t["card_season"][top]) + 1


@kernel
def _write_bits(bits, row, at):
    """A flag for each bit."""
    while bits:
        row[at + lowest_bit(bits)] = 1
        bits &= bits - 1


@kernel
def _write_extras(t, s, seat, row):
    """Extra Characters and the abilities of others that were named, and the character piles as far as I know them."""
    players = int(s["num_players"])
    for other in range(players):
        r = (other - seat) % players
        place = r * EXTRAS_SHOWN
        for i in range(s["extras_size"]):
            if s["extras"][i, st.EXTRA_SEAT] == other and place < (r + 1) * EXTRAS_SHOWN:
                source = int(s["extras"][i, st.EXTRA_SOURCE])
                row[_EXTRAS + place] = s["extras"][i, st.EXTRA_CHARACTER]
                row[_EXTRA_SOURCES + place] = 1 + (source >= st.BY_ITEM) + (source >= st.BY_ROLE)
                place += 1
        row[_NAMED + 2 * r] = s["copied"][other]
        row[_NAMED + 2 * r + 1] = s["mirrored"][other]
        row[_ABILITIES_OFF + r] = 0 if queries.abilities_work(t, s, other) else 1
    row[_CHARACTERS_LEFT] = count_bits(int(s["unused_characters"]))
    row[_CHARACTERS_LEFT + 1] = count_bits(int(s["discarded_characters"]))
    discarded = int(s["discarded_characters"])
    while discarded:
        character = lowest_bit(discarded)
        discarded &= discarded - 1
        row[_DISCARDED_CHARACTERS + character] = (np.int64(s["characters_seen"][character]) >> seat) & 1
    if s["asking"] == seat:
        _write_bits(int(s["drawn_characters"]), row, _CANDIDATES)


@kernel
def _write_several_incidents(s, row):
    """With the expansion several incidents can be in play: in which order, what each has collected, and which of them were collected."""
    for i in range(s["incident_size"]):
        incident = int(s["incidents"][i]) - 1
        row[_INCIDENT_ORDER + incident] = i + 1
        for season in range(st.NUM_SEASONS):
            row[_COLLECTED_BY + st.NUM_SEASONS * incident + season] = s["collected"][i, season]
    kept = int(s["incidents_kept"])
    while kept:
        row[_INCIDENTS_KEPT + lowest_bit(kept)] = 1
        kept &= kept - 1


@kernel
def _knows_incident(s, seat):
    """Whether the seat knows where any incident lies. Nearly never, so all are asked at once, a word at a time."""
    seen = load_word(s["incident_seen"], NUM_INCIDENTS - 8)
    for place in range(0, NUM_INCIDENTS - 8, 8):
        seen |= load_word(s["incident_seen"], place)
    return (seen >> seat) & _LOWEST_BITS != 0


@kernel
def _write_incidents(s, seat, row):
    for i in range(s["incident_size"]):
        row[_INCIDENTS + int(s["incidents"][i]) - 1] = 1
        for season in range(st.NUM_SEASONS):
            row[_COLLECTED_SEASONS + season] += s["collected"][i, season]
    for i in range(s["incident_discard_size"]):
        row[_DISCARDED_INCIDENTS + int(s["incident_discard"][i]) - 1] = 1
    if not _knows_incident(s, seat):
        return
    size = int(s["incident_deck_size"])
    for i in range(size):
        incident = int(s["incident_deck"][i]) - 1
        if (np.int64(s["incident_seen"][incident]) >> seat) & 1:
            row[_KNOWN_INCIDENTS + incident] = size - i


@kernel
def _write_lasting(s, seat, row):
    players = int(s["num_players"])
    for i in range(s["lasting_size"]):
        word = int(s["lasting"][i, st.LASTING_WORD]) - 1
        owner = (int(s["lasting"][i, st.LASTING_OWNER]) - seat) % players
        row[_LASTING + owner * _LASTING_WORDS + word] = max(1, int(s["lasting"][i, st.LASTING_VALUE]))
        if word == v.ITEMS_OFF:
            row[_ITEMS_OFF + (int(s["lasting"][i, st.LASTING_SEAT]) - seat) % players] = 1
    if s["lasting_size"] or s["action_ban"]:
        banned = queries.banned_types(s)
        for bit in range(_TYPE_BITS):
            row[_BANNED + bit] = (banned >> bit) & 1


@shared
def observe(t, s, seat, row):
    """Write everything the seat may know into a row of OBSERVATION_SIZE bytes; what is longer takes the last events."""
    row[:] = 0
    if s["asking"] == seat:
        _write_question(t, s, seat, row)
    row[_STEP + int(s["turn_step"])] = 1
    row[_PLAYERS + int(s["num_players"]) - st.FEWEST_SEATS] = 1
    if s["open_characters"]:
        _write_bits(int(s["open_characters"]), row, _CANDIDATES)
    elif not queries.is_revealed(s):
        _write_bits(int(s["candidates"][seat]), row, _CANDIDATES)
    _write_stack(t, s, seat, row)
    _write_numbers_of_seats(t, s, seat, row)
    _write_seats(t, s, seat, row)
    _write_hand(t, s, seat, row)
    _write_decks(t, s, seat, row)
    if queries.has_expansion(s):
        _write_lunatic(t, s, seat, row)
    if int(s["config"]) & (st.WITH_LUNATIC_EXTRA | st.WITH_BONUS | st.CHARACTERS_DRAFTED):
        _write_extras(t, s, seat, row)
        _write_several_incidents(s, row)
    _write_incidents(s, seat, row)
    _write_lasting(s, seat, row)
    _write_tallies(s, seat, row)
    if row.shape[0] > OBSERVATION_SIZE:
        write_history(t, s, seat, row, OBSERVATION_SIZE, (row.shape[0] - OBSERVATION_SIZE) // st.EVENT_COLUMNS)


# ---------------------------------------------------------------- the full state, for central critics

STATE_FIELDS = (
    Field(
        "observation",
        (numbered("byte", range(OBSERVATION_SIZE)),),
        "mixed",
        255,
        "what seat 0 observes, and the pending question whoever is asked",
    ),
    Field("roles", (SEAT_AXIS, ROLE_AXIS), "flag", 1, "all roles, from seat 0"),
    Field("hands", (SEAT_AXIS, KIND_AXIS), "count", 24, "all hands by card kind, from seat 0"),
    Field("deck", (numbered("place", range(PILE_ROOM)),), "id", MOST_ID, "Main deck from the top, card kinds", ids=("kind",)),
    Field("asking", (SEAT_AXIS,), "flag", 1, "who is asked"),
    Field("hands_lunatic", (SEAT_AXIS, KIND_AXIS), "count", 24, "Lunatic cards among all hands by card kind, from seat 0"),
    Field("lunatic_deck", (numbered("place", range(LUNATIC_ROOM)),), "id", MOST_ID, "Lunatic deck from the top, card kinds", ids=("kind",)),
    Field("incident_deck", (numbered("place", range(NUM_INCIDENTS)),), "id", MOST_ID, "incident deck from the top", ids=("incident",)),
)
STATE_OFFSETS = offsets_of(STATE_FIELDS)
_ROLES_AT, _HANDS_AT, _DECK_AT, _ASKING_AT = (STATE_OFFSETS[name] for name in ("roles", "hands", "deck", "asking"))
_HANDS_LUNATIC_AT, _LUNATIC_DECK_AT = STATE_OFFSETS["hands_lunatic"], STATE_OFFSETS["lunatic_deck"]
_INCIDENT_DECK_AT = STATE_OFFSETS["incident_deck"]
STATE_SIZE = STATE_OFFSETS["end"]


@kernel
def _write_open_deck(t, deck, size, row, at):
    """The kinds of a deck's cards, the top first."""
    for i in range(size):
        row[at + i] = np.int64(t["card_kind"][np.int64(deck[size - 1 - i]) - 1]) + 1


@kernel
def write_state(t, s, row):
    """Write the full state into a row of STATE_SIZE bytes."""
    row[:] = 0
    observe(t, s, 0, row[:OBSERVATION_SIZE])
    if s["asking"] > 0:
        _write_question(t, s, 0, row)
    for seat in range(s["num_players"]):
        if s["role"][seat]:
            row[_ROLES_AT + seat * (NUM_ROLES - 1) + int(s["role"][seat]) - 1] = 1
        for kind in range(NUM_KINDS):
            row[_HANDS_AT + seat * NUM_KINDS + kind] = s["hand_counts"][seat, kind]
    _write_open_deck(t, s["deck"], np.int64(s["deck_size"]), row, _DECK_AT)
    size = np.int64(s["incident_deck_size"])
    for i in range(size):
        row[_INCIDENT_DECK_AT + i] = s["incident_deck"][size - 1 - i]
    if queries.has_expansion(s):
        _write_open_deck(t, s["lunatic_deck"], np.int64(s["lunatic_deck_size"]), row, _LUNATIC_DECK_AT)
        for seat in range(s["num_players"]):
            _write_lunatic_hand(t, s, seat, row, _HANDS_LUNATIC_AT + seat * NUM_KINDS)
    if s["asking"] >= 0:
        row[_ASKING_AT + int(s["asking"])] = 1
