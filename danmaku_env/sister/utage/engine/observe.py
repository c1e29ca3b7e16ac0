"""Writes what a seat may know, and the full state. The only reader of a game that takes a seat."""

import numpy as np

from danmaku_env.jit.kernels import kernel, lowest_bit, shared
from danmaku_env.machine import event_ring
from danmaku_env.sister.utage.cards import words as w
from danmaku_env.sister.utage.engine import state as st
from danmaku_env.sister.utage.engine import zones as z
from danmaku_env.sister.utage.engine.observation import HISTORY_COLUMNS, KNOWN_TOP, OBSERVATION_SIZE, OFFSETS, STATE_OFFSETS, ZERO

_QUESTION, _CAUSE, _PHASE, _ATTACKER, _TURN = (OFFSETS[name] for name in ("question", "cause", "phase", "attacker", "turn_number"))
_BATTLES, _HALF, _BANNED, _HP, _SP, _EV, _BV = (OFFSETS[name] for name in ("battles", "half", "events_banned", "hp", "sp", "ev", "bv"))
_TEAM, _LEADER, _LEADER_USED, _HAND_SIZE = (OFFSETS[name] for name in ("team", "leader", "leader_used", "hand_size"))
_DECK_SIZE, _MINE, _HAND, _DECK = (OFFSETS[name] for name in ("deck_size", "my_cards", "hand", "deck"))
_THEIRS, _LIST, _KNOWN, _DISCARD = (OFFSETS[name] for name in ("their_cards", "their_list", "known_hand", "discard"))
_KNOWN_TOP, _BATTLING, _CARD, _WHERE = (OFFSETS[name] for name in ("known_top", "battling", "card", "where"))
_HOST, _VALUE, _TYPE, _PROTECTION = (OFFSETS[name] for name in ("host", "value", "type", "protection"))
_EVASION, _MARKS = OFFSETS["evasion"], OFFSETS["marks"]
_MOST = 255
_EVENT_BYTES = len(HISTORY_COLUMNS)
_KEYWORD = {w.STATS[stat]: place for place, stat in enumerate(w.KEYWORDS)}
_K_PROTECTION, _K_FAST, _K_SLOW = _KEYWORD["protection"], _KEYWORD["fast"], _KEYWORD["slow"]
_K_GUIDED, _K_PENETRATION = _KEYWORD["guided"], _KEYWORD["penetration"]


@kernel
def _moment(s, me, row):
    """Where the game is, what I am asked, and what is open of both seats."""
    if s["asking"] == me:
        row[_QUESTION + int(s["question"])] = 1
        row[_CAUSE] = s["cause"]
    row[_PHASE + int(s["phase"])] = 1
    row[_TURN] = min(_MOST, int(s["turn_number"]))
    if s["turn_number"]:
        row[_ATTACKER + (0 if int(s["attacker"]) == me else 1)] = 1
    row[_BATTLES] = min(_MOST, int(s["battles"]))
    row[_HALF] = min(3, int(s["half"]))
    row[_BANNED] = s["events_banned"]
    named = s["leader"][0] >= 0 and s["leader"][1] >= 0
    for turn in range(st.SEATS):
        seat = me if turn == 0 else 1 - me
        row[_HP + turn] = max(0, min(_MOST, int(s["hp"][seat])))
        row[_SP + turn] = min(_MOST, int(s["sp"][seat]))
        row[_EV + turn] = ZERO + int(s["value_ev"][seat])
        row[_BV + turn] = s["value_bv"][seat]
        for place in range(w.TEAM):
            row[_TEAM + turn * w.TEAM + place] = np.int64(s["team"][seat, place]) + 1
        if named or (turn == 0 and s["leader"][seat] >= 0):
            row[_LEADER + turn] = z.leader_card(s, seat) + 1
        row[_LEADER_USED + turn] = s["leader_used"][seat]
        row[_HAND_SIZE + turn] = s["hand_size"][seat]
        row[_DECK_SIZE + turn] = s["deck_size"][seat]
        row[_BATTLING + turn] = s["battling"][seat]
        size = int(s["deck_size"][seat])
        for depth in range(min(size, KNOWN_TOP)):
            if (np.int64(s["deck_seen"][seat, size - 1 - depth]) >> me) & 1:
                slot = np.int64(s["deck"][seat, size - 1 - depth]) - 1
                row[_KNOWN_TOP + turn * KNOWN_TOP + depth] = s["card"][seat, slot]


@kernel
def _cards(s, me, row):
    """My cards by slot, the other's by number."""
    for place in range(s["deck_size"][me]):
        row[_DECK + np.int64(s["deck"][me, place]) - 1] += 1
    other = 1 - me
    for slot in range(w.SLOTS):
        row[_MINE + slot] = s["card"][me, slot]
        row[_HAND + slot] = s["hand"][me, slot]
        row[_DISCARD + slot] = s["discard"][me, slot]
        rank = np.int64(s["rank"][other, slot]) - 1
        if rank >= 0 and s["card"][other, slot]:
            row[_THEIRS + rank] = s["card"][other, slot]
            if s["config"] & st.OPEN_LISTS:
                row[_LIST + rank] = s["copies"][other, slot]
            row[_KNOWN + rank] = s["known"][other, slot]
            row[_DISCARD + w.SLOTS + rank] = s["discard"][other, slot]


@kernel
def _field(s, me, row):
    """Everything that lies on the field, with its values as they stand."""
    for turn in range(st.SEATS):
        side = me if turn == 0 else 1 - me
        bits = int(s["used"][side])
        while bits:
            place = lowest_bit(bits)
            bits &= bits - 1
            at = turn * w.PLACES + place
            where = np.int64(s["where"][side, place])
            row[_CARD + at] = s["at_card"][side, place]
            row[_WHERE + at] = where
            row[_HOST + at] = s["host"][side, place]
            flags = np.int64(s["value_flags"][side, place])
            marks = np.int64(s["marks"][side, place]) & st.P_USED_ABILITY
            if where == st.IN_RESERVE or where == st.IS_ACTIVE:
                row[_VALUE + 3 * at] = ZERO + int(s["value_av"][side, place])
                row[_VALUE + 3 * at + 1] = ZERO + int(s["value_iv"][side, place])
                row[_VALUE + 3 * at + 2] = ZERO + int(s["value_hv"][side, place])
                row[_TYPE + at] = s["value_type"][side, place]
                row[_PROTECTION + at] = max(0, int(s["value_keyword"][side, place, _K_PROTECTION]))
                row[_EVASION + 2 * at] = max(0, int(s["value_keyword"][side, place, _K_FAST]))
                row[_EVASION + 2 * at + 1] = max(0, int(s["value_keyword"][side, place, _K_SLOW]))
                if s["value_keyword"][side, place, _K_GUIDED] > 0:
                    marks |= 2
                if s["value_keyword"][side, place, _K_PENETRATION] > 0:
                    marks |= 4
            if flags & st.V_CANNOT_BATTLE:
                marks |= 8
            if flags & st.V_SAFE_FROM_EVENTS:
                marks |= 16
            if flags & st.V_SAFE_FROM_ABILITIES:
                marks |= 32
            if s["at_owner"][side, place] != side:
                marks |= 64
            row[_MARKS + at] = marks


@kernel
def _history(s, me, row, at):
    """The last events, the newest first; seats relative to the observer, plus one."""
    count = int(s["log_count"])
    for place in range(min((len(row) - at) // _EVENT_BYTES, event_ring.kept(s))):
        event = event_ring.seen_by(event_ring.event_at(s, count - 1 - place), me, st.CARD_BYTE, st.SEEN_BYTE)
        for column in range(_EVENT_BYTES):
            byte = (event >> 8 * column) & 0xFF
            if (column == 1 or column == 2) and byte:
                byte = 1 if byte - 1 == me else 2
            row[at + _EVENT_BYTES * place + column] = byte


@shared
def observe(t, s, seat, row):
    """Write what the seat may know into a row, which may hold anything."""
    row[:] = 0
    _moment(s, seat, row)
    _cards(s, seat, row)
    _field(s, seat, row)
    if len(row) > OBSERVATION_SIZE:
        _history(s, seat, row, OBSERVATION_SIZE)


_HANDS, _DECKS, _LISTS = STATE_OFFSETS["hands"], STATE_OFFSETS["decks"], STATE_OFFSETS["lists"]
_TOPS, _ASKED = STATE_OFFSETS["tops"], STATE_OFFSETS["asked"]


@kernel
def write_state(t, s, row):
    """Write the full state: what seat 0 observes, then what is hidden."""
    row[:] = 0
    observe(t, s, 0, row[:OBSERVATION_SIZE])
    for seat in range(st.SEATS):
        for slot in range(w.SLOTS):
            row[_HANDS + seat * w.SLOTS + slot] = s["hand"][seat, slot]
            row[_LISTS + seat * w.SLOTS + slot] = s["card"][seat, slot]
        size = int(s["deck_size"][seat])
        for place in range(size):
            row[_DECKS + seat * w.SLOTS + np.int64(s["deck"][seat, place]) - 1] += 1
        for depth in range(min(size, KNOWN_TOP)):
            row[_TOPS + seat * KNOWN_TOP + depth] = s["card"][seat, np.int64(s["deck"][seat, size - 1 - depth]) - 1]
    if s["asking"] >= 0:
        row[_ASKED + int(s["asking"])] = 1
