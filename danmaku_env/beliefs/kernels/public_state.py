"""The table as everybody saw it at any time: rebuilt from the log, event by event.

A board is a record of STATE that keeps only the active seats, lives, sizes of hands, items, incidents, lasting effects,
characters and their abilities, and the roles that lie open. `TABLE` adds the counted interactions and what is pending. A
hand is a number; cards laid aside are told from those of a hand by what was played last, so it may now and then be one off.
"""

import numpy as np

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.box import NUM_CHARACTERS, NUM_ROLES
from danmaku_env.cards.tables import KINDS, SLOTS, T_CHARACTER
from danmaku_env.engine import distances, events, queries
from danmaku_env.engine import state as st
from danmaku_env.heuristics import effects as fx
from danmaku_env.heuristics.kernels import observation_reader as reader
from danmaku_env.jit.kernels import kernel

SEATS = st.SEATS
NOBODY = -1
_PLENTY = 60
"""Cards in a hand that no run of events empties."""

TABLE = np.dtype(
    [
        ("event", "u1", st.EVENT_COLUMNS),  # the row of the log that is read, as everybody sees it
        ("tallies", "u1", (st.TALLIES, st.PHASES, SEATS, SEATS)),
        ("phase", "i8"),
        ("begun", "i8"),  # the first turn has
        ("turn", "i8"),  # whose it is
        ("attacker", "i8"),  # of the attacks that are not answered yet, or NOBODY
        ("damage", "i8", SEATS),  # that is coming to each seat
        ("player", "i8"),  # of the last card or Spell Card that was announced in this turn, or NOBODY
        ("aimed", "i8"),
        ("kind", "i8"),  # of that card + 1, or 0
        ("spell", "i8"),  # the character of that Spell Card + 1, or 0
        ("aside", "i8"),  # cards laid aside
        ("deals", "i8"),  # what was played lays the cards that are drawn aside, to deal them out
        ("swapping", "i8"),  # the cards given belong to an exchange of hands
        ("hands", "i8", SEATS),  # room for `go_back`
        ("items", "i8", (SEATS, SLOTS)),
    ]
)
"""What is kept beside the board, one record."""

_TALLY_AT = (reader.O_ATTACKS, reader.O_SPELLS, reader.O_HEALS, reader.O_GIVES)
_TALLIES = (st.ATTACKS, st.SPELLS, st.HEALS, st.GIVES)

# ---------------------------------------------------------------- the beginning


@kernel
def set_up(s, b, now, roles):
    """The empty table before the first event of a game like that of the record `now`, the roles [8] open."""
    players = int(now["num_players"])
    s["num_players"] = players
    s["config"] = now["config"]
    s["active"] = (1 << players) - 1
    s["incident_size"] = 0
    s["lasting_size"] = 0
    for seat in range(SEATS):
        s["life"][seat] = queries.given_life(s) or queries.BASE_LIFE
        s["hand_size"][seat] = 0
        s["role"][seat] = roles[seat]
        s["abilities"][seat] = 0
        s["character"][seat] = 0
        s["second_character"][seat] = 0
        s["item_slots"][seat] = 0
        for slot in range(SLOTS):
            s["item_counts"][seat, slot] = 0
        for which in range(v.NUM_ITEM_STATS):
            s["item_stats"][seat, which] = 0
    b["begun"] = 0
    forget_pending(b)


@kernel
def _forget_attacks(b):
    b["attacker"] = NOBODY
    for seat in range(SEATS):
        b["damage"][seat] = 0


@kernel
def attacked_seat(b, defender):
    """Whose attack a seat may answer: its own, or else the first; NOBODY without any."""
    if b["damage"][defender]:
        return defender
    for seat in range(SEATS):
        if b["damage"][seat]:
            return seat
    return NOBODY


@kernel
def forget_pending(b):
    """Nothing has been done and nothing is to come."""
    b["phase"] = 0
    b["turn"] = NOBODY
    b["player"] = NOBODY
    b["kind"] = 0
    b["spell"] = 0
    b["aside"] = 0
    b["deals"] = 0
    b["swapping"] = 0
    _forget_attacks(b)
    for interaction in range(st.TALLIES):
        for phase in range(st.PHASES):
            for seat in range(SEATS):
                for other in range(SEATS):
                    b["tallies"][interaction, phase, seat, other] = 0


# ---------------------------------------------------------------- what an event changes


@kernel
def _move_item(t, s, seat, slot, by):
    s["item_counts"][seat, slot] += by
    for which in range(v.NUM_ITEM_STATS):
        s["item_stats"][seat, which] += by * t["slot_stats"][slot, which]
    others = int(s["item_slots"][seat]) & ~(1 << slot)
    s["item_slots"][seat] = others | (1 << slot) if s["item_counts"][seat, slot] > 0 else others


@kernel
def _put_down(s, b, seat):
    """A card is put somewhere: one laid aside, where there are any, else one of the hand."""
    if b["aside"] > 0:
        b["aside"] -= 1
    else:
        s["hand_size"][seat] = max(0, int(s["hand_size"][seat]) - 1)


@kernel
def _draw(s, b, seat):
    if b["deals"]:
        b["aside"] += 1
    else:
        b["aside"] = 0
        s["hand_size"][seat] += 1


@kernel
def _take(t, s, b, seat, giver, slot, from_play):
    if not from_play:
        s["hand_size"][seat] += 1
        if giver >= 0:
            s["hand_size"][giver] = max(0, int(s["hand_size"][giver]) - 1)
        elif b["aside"] > 0:
            b["aside"] -= 1
    elif slot >= 0 and giver >= 0:  # an event of its own puts it into play
        _move_item(t, s, giver, slot, -1)


@kernel
def _move_cards(t, s, b, event, seat, other):
    """Hands and items after an event."""
    word, number, deck = int(event[st.EVENT]), int(event[st.NUMBER]), int(event[st.ABOUT]) - 1
    kind = int(event[st.CARD_SHOWN]) - 1
    slot = int(t["kind_slot"][kind]) if 0 <= kind < KINDS else -1
    if word == events.L_DRAW:
        _draw(s, b, seat)
    elif word == events.L_PLAY and event[st.EXTRA] == 0:
        s["hand_size"][seat] = max(0, int(s["hand_size"][seat]) - 1)
    elif word == events.L_LOOK and other < 0 and number > 0 and deck != v.INCIDENT_DECK:
        b["aside"] += 1
    elif (word == events.L_TO_DECK and deck != v.INCIDENT_DECK) or (word == events.L_DISCARD and number == 0):
        _put_down(s, b, seat)
    elif word == events.L_DISCARD and slot >= 0:
        _move_item(t, s, seat, slot, -1)
    elif word == events.L_ITEM and slot >= 0:
        _move_item(t, s, seat, slot, 1)
    elif word == events.L_GIVE and other >= 0:
        s["hand_size"][other] += 1
        if kind < 0 or kind != b["kind"] - 1 or b["player"] != seat:  # else the very card that was played
            _put_down(s, b, seat)
    elif word == events.L_TAKE:
        _take(t, s, b, seat, other, slot, number == 0)


@kernel
def _resolve(s, incident):
    kept = 0
    for i in range(int(s["incident_size"])):
        if s["incidents"][i] != incident + 1:
            s["incidents"][kept] = s["incidents"][i]
            kept += 1
    s["incident_size"] = kept


@kernel
def _begin_lasting(s, owner, kind, seat, value):
    size = int(s["lasting_size"])
    if size < st.LASTING_ROWS and seat >= 0:
        s["lasting"][size, st.LASTING_WORD] = kind + 1
        s["lasting"][size, st.LASTING_OWNER] = owner
        s["lasting"][size, st.LASTING_SEAT] = seat
        s["lasting"][size, st.LASTING_VALUE] = value
        s["lasting_size"] = size + 1


@kernel
def _end_lasting(s, owner):
    kept = 0
    for i in range(int(s["lasting_size"])):
        if s["lasting"][i, st.LASTING_OWNER] != owner:
            for column in range(st.LASTING_COLUMNS):
                s["lasting"][kept, column] = s["lasting"][i, column]
            kept += 1
    s["lasting_size"] = kept


@kernel
def _change_character(s, word, seat, character):
    bit = 1 << character
    if word == events.L_DISMISS:
        s["abilities"][seat] = int(s["abilities"][seat]) & ~bit
        return
    s["abilities"][seat] = int(s["abilities"][seat]) | bit
    if word == events.L_DEAL:
        if s["character"][seat]:
            s["second_character"][seat] = character + 1
        else:
            s["character"][seat] = character + 1


@kernel
def move(t, f, s, b):
    """What the event b["event"] changes on the board and in what is pending."""
    event = b["event"]
    word, seat, other = int(event[st.EVENT]), int(event[st.ACTOR]) - 1, int(event[st.TARGET]) - 1
    about, number = int(event[st.ABOUT]) - 1, int(event[st.NUMBER])
    if word == events.L_INCIDENT and s["incident_size"] < st.INCIDENTS_IN_PLAY:
        s["incidents"][int(s["incident_size"])] = about + 1
        s["incident_size"] += 1
    elif word == events.L_RESOLVED:
        _resolve(s, about)
    if seat < 0:
        return
    if word == events.L_LOSE or word == events.L_GAIN or word == events.L_REVIVE:
        s["life"][seat] = event[st.EXTRA]
    elif word == events.L_DEFEAT:
        s["active"] = np.int64(s["active"]) & ~(1 << seat)
        s["role"][seat] = about
        b["phase"] = 1
    elif word == events.L_REVEAL:
        s["role"][seat] = about
        if not b["begun"]:
            s["life"][seat] = queries.max_life(t, s, seat)
    elif word == events.L_ROLES:
        role = int(s["role"][seat])
        s["role"][seat] = s["role"][other]
        s["role"][other] = role
        s["life"][seat] = min(int(s["life"][seat]), queries.max_life(t, s, seat))
    elif word == events.L_LASTING:
        _begin_lasting(s, seat, about, other, number)
    elif word == events.L_DEAL or word == events.L_RECRUIT or word == events.L_NAMED or word == events.L_DISMISS:
        if 0 <= about < NUM_CHARACTERS:
            _change_character(s, word, seat, about)
    elif word == events.L_TURN:
        _end_lasting(s, seat)
    else:
        _move_cards(t, s, b, event, seat, other)
    note_pending(t, f, b)


@kernel
def note_pending(t, f, b):
    """What is under way after the event b["event"], and the counted interactions."""
    event = b["event"]
    word, seat, other, number = int(event[st.EVENT]), int(event[st.ACTOR]) - 1, int(event[st.TARGET]) - 1, int(event[st.NUMBER])
    interaction, by, on = -1, seat, other
    if word != events.L_GIVE:
        b["swapping"] = 1 if word == events.L_SWAP else 0
    if word == events.L_TURN:
        b["begun"] = 1
        b["turn"] = seat
        b["player"] = NOBODY
        _forget_attacks(b)
        b["aside"] = 0
        b["deals"] = 0
    elif word == events.L_ATTACK:
        interaction = st.ATTACKS
        b["attacker"] = seat
        b["damage"][other] = number
    elif word == events.L_AVOID or word == events.L_HIT:
        b["damage"][seat] = 0
    elif word == events.L_GAIN or word == events.L_REVIVE:
        interaction, by, on = st.HEALS, other, seat
    elif word == events.L_GIVE and b["swapping"] == 0:
        interaction = st.GIVES
    elif word == events.L_SPELL and seat != other:
        interaction = st.SPELLS
    if word == events.L_PLAY or word == events.L_SPELL:
        b["player"], b["aimed"] = seat, other
        b["kind"] = event[st.CARD_SHOWN] if word == events.L_PLAY else 0
        b["spell"] = int(t["text"][number, T_CHARACTER]) if word == events.L_SPELL else 0
    if word == events.L_PLAY or word == events.L_SPELL or word == events.L_USE:
        b["aside"] = 0
        b["deals"] = int(f["flags"][number]) & fx.DEALS
    if interaction >= 0 and by >= 0 and on >= 0:
        phase = int(b["phase"])
        b["tallies"][interaction, phase, by, on] = min(events.MOST_COUNTED, int(b["tallies"][interaction, phase, by, on]) + 1)


# ---------------------------------------------------------------- a log that begins later


@kernel
def _copy_event(log, i, event):
    for column in range(st.EVENT_COLUMNS):
        event[column] = log[i * st.EVENT_COLUMNS + column]


@kernel
def go_back(t, f, s, b, log, now, roles):
    """Set up the table before the first event of a log [8 k] that does not begin with the deal, from the record `now` of its end.

    It is as far from the end as the events lead away from an empty table.
    """
    players, count = int(now["num_players"]), log.shape[0] // st.EVENT_COLUMNS
    for seat in range(players):
        s["hand_size"][seat] = _PLENTY
    for i in range(count):
        _copy_event(log, i, b["event"])
        move(t, f, s, b)
    for seat in range(players):
        b["hands"][seat] = s["hand_size"][seat]
        for slot in range(SLOTS):
            b["items"][seat, slot] = s["item_counts"][seat, slot]
    set_up(s, b, now, roles)
    s["active"] = now["active"]
    for seat in range(players):
        s["life"][seat] = now["life"][seat]
        s["hand_size"][seat] = max(0, int(now["hand_size"][seat]) - (int(b["hands"][seat]) - _PLENTY))
        s["character"][seat] = now["character"][seat]
        s["second_character"][seat] = now["second_character"][seat]
        for character in (int(now["character"][seat]) - 1, int(now["second_character"][seat]) - 1):
            if character >= 0:
                s["abilities"][seat] = int(s["abilities"][seat]) | 1 << character
        for slot in range(SLOTS):
            before = int(now["item_counts"][seat, slot]) - int(b["items"][seat, slot])
            if before > 0:
                _move_item(t, s, seat, slot, before)
    for i in range(now["incident_size"]):
        s["incidents"][i] = now["incidents"][i]
    s["incident_size"] = now["incident_size"]
    b["begun"] = 1
    b["turn"] = now["current"]
    for i in range(count - 1, -1, -1):
        _copy_event(log, i, b["event"])
        _undo(s, b)


@kernel
def _undo(s, b):
    """Who was still at the table, how many lives there were, and which incidents were not yet in play, before the event b["event"]."""
    event = b["event"]
    word, seat, number, left = int(event[st.EVENT]), int(event[st.ACTOR]) - 1, int(event[st.NUMBER]), int(event[st.EXTRA])
    if word == events.L_DEFEAT:
        s["active"] = np.int64(s["active"]) | 1 << seat
    elif word == events.L_LOSE:
        s["life"][seat] = left + number
    elif word == events.L_GAIN or word == events.L_REVIVE:
        s["life"][seat] = left - number
    elif word == events.L_INCIDENT:
        _resolve(s, int(event[st.ABOUT]) - 1)
    elif word == events.L_TURN:
        b["turn"] = NOBODY  # somebody's, but whose is not told


# ---------------------------------------------------------------- what a seat saw


@kernel
def look(t, s, b, actor, o):
    """Write into `o` [n] uint8 what action values read of a seat's row (`observation_reader.py`): no hand and no role."""
    players = int(s["num_players"])
    in_range = distances.range_mask(t, s, actor, 0, 0)
    o[reader.O_PLAYERS + players - st.FEWEST_SEATS] = 1
    o[reader.O_MAX_HAND] = queries.given_hand(s) or queries.BASE_HAND
    attacked = attacked_seat(b, actor)
    o[reader.O_ATTACK] = b["damage"][attacked] if attacked >= 0 else 0
    o[reader.O_PLAYED] = b["kind"]
    o[reader.O_PLAYED + 1] = b["spell"]
    for rel in range(players):
        seat = (actor + rel) % players
        o[reader.O_ACTIVE + rel] = (np.int64(s["active"]) >> seat) & 1
        o[reader.O_LIFE + rel] = s["life"][seat]
        o[reader.O_MAX_LIFE + rel] = queries.max_life(t, s, seat)
        o[reader.O_HAND_SIZE + rel] = s["hand_size"][seat]
        o[reader.O_IN_RANGE + rel] = (in_range >> seat) & 1
        o[reader.O_PRIMARIES[0] + rel] = s["character"][seat]
        o[reader.O_PRIMARIES[1] + rel] = s["second_character"][seat]
        o[reader.O_ATTACK_BY + rel] = 1 if attacked >= 0 and b["attacker"] == seat else 0
        o[reader.O_ATTACK_ON + rel] = 1 if attacked == seat else 0
        o[reader.O_PLAYED_BY + rel] = 1 if b["player"] == seat else 0
        o[reader.O_PLAYED_ON + rel] = 1 if b["player"] >= 0 and b["aimed"] == seat else 0
        for slot in range(SLOTS):
            o[reader.O_ITEMS + rel * SLOTS + slot] = max(0, int(s["item_counts"][seat, slot]))
        write_role(o, rel, int(s["role"][seat]))
        _write_tallies(b, actor, seat, rel, players, o)


@kernel
def write_role(o, rel, role):
    """Which role lies open before a seat; 0 = none."""
    at = reader.O_ROLE + rel * (NUM_ROLES - 1) - 1
    for number in range(1, NUM_ROLES):
        o[at + number] = 1 if number == role else 0


@kernel
def _write_tallies(b, actor, seat, rel, players, o):
    for which in range(len(_TALLIES)):
        for phase in range(st.PHASES):
            at = _TALLY_AT[which] + (phase * SEATS + rel) * SEATS
            for on in range(players):
                o[at + on] = b["tallies"][_TALLIES[which], phase, seat, (actor + on) % players]
