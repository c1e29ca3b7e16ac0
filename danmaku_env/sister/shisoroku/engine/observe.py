"""Writes what a seat may know, and the full state. The only reader of a game that takes a seat."""

import numpy as np

from danmaku_env.jit.kernels import kernel, shared
from danmaku_env.machine import event_ring
from danmaku_env.sister.shisoroku.cards.words import PLACES
from danmaku_env.sister.shisoroku.engine import state as st
from danmaku_env.sister.shisoroku.engine import zones as z
from danmaku_env.sister.shisoroku.engine.observation import HISTORY_COLUMNS, KNOWN_TOP, OBSERVATION_SIZE, OFFSETS, STATE_OFFSETS

_QUESTION, _CAUSE, _PHASE, _TURN, _EXTRA = OFFSETS["question"], OFFSETS["cause"], OFFSETS["phase"], OFFSETS["turn"], OFFSETS["extra_turn"]
_PLAYERS, _TURN_NUMBER, _TURNS, _ACTIONS = OFFSETS["players"], OFFSETS["turn_number"], OFFSETS["turns"], OFFSETS["actions"]
_BUYS, _COINS, _PLAYED, _CARDS = OFFSETS["buys"], OFFSETS["coins"], OFFSETS["actions_played"], OFFSETS["cards"]
_SUPPLY, _COST, _TRASH, _TOKENS, _BANNED = OFFSETS["supply"], OFFSETS["cost"], OFFSETS["trash"], OFFSETS["tokens"], OFFSETS["banned"]
_HAND, _HIDDEN, _LAID, _LAID_OF, _PICKED = OFFSETS["hand"], OFFSETS["aside_hidden"], OFFSETS["laid"], OFFSETS["laid_of"], OFFSETS["picked"]
_OWNED, _PASSED, _IN_PLAY, _LASTING = OFFSETS["owned"], OFFSETS["passed"], OFFSETS["in_play"], OFFSETS["lasting"]
_ASIDE, _KNOWN_HAND, _SIZES, _DISCARD_TOP = OFFSETS["aside"], OFFSETS["known_hand"], OFFSETS["sizes"], OFFSETS["discard_top"]
_KNOWN_TOP, _KNOWN_BOTTOM, _GAINED = OFFSETS["known_top"], OFFSETS["known_bottom"], OFFSETS["gained"]
_ATTACKED_BY = OFFSETS["attacked_by"]
_MOST = 255
_EVENT_BYTES = len(HISTORY_COLUMNS)


@kernel
def _seats(s, me, row):
    """What there is of every seat."""
    players = int(s["num_players"])
    for place in range(players):
        seat = (me + place) % players
        at = place * PLACES
        giver = z.right_of(s, seat)
        unseen = 0
        hand, deck, discard = 0, np.int64(s["top_size"][seat]) + (1 if s["bottom"][seat] else 0), 0
        for kind in range(PLACES):
            row[_OWNED + at + kind] = min(_MOST, s["owned"][seat, kind])
            row[_IN_PLAY + at + kind] = s["play"][seat, kind] + s["lasting"][seat, kind]
            row[_LASTING + at + kind] = s["lasting"][seat, kind]
            row[_ASIDE + at + kind] = s["away"][seat, kind] + s["aside"][seat, kind]
            row[_KNOWN_HAND + at + kind] = s["known"][seat, me, kind]
            hand += np.int64(s["hand"][seat, kind])
            deck += np.int64(s["deck"][seat, kind])
            discard += np.int64(s["discard"][seat, kind])
            if players > 2 and seat != me and (s["passed"][seat, kind] or s["passed"][giver, kind]):
                row[_OWNED + at + kind] = max(0, z.shown_owned(s, seat, kind, me))
            if players > 2 and z.left_of(s, seat) != me and seat != me:
                unseen += np.int64(s["passed"][seat, kind])
        row[_PASSED + place] = min(_MOST, unseen)
        row[_SIZES + 3 * place] = min(_MOST, hand)
        row[_SIZES + 3 * place + 1] = min(_MOST, deck)
        row[_SIZES + 3 * place + 2] = min(_MOST, discard)
        row[_DISCARD_TOP + place] = s["discard_top"][seat]
        row[_TURNS + place] = min(_MOST, int(s["turns"][seat]))
        size = np.int64(s["top_size"][seat])
        for depth in range(min(size, KNOWN_TOP)):
            if (np.int64(s["top_seen"][seat, size - 1 - depth]) >> me) & 1:
                row[_KNOWN_TOP + place * KNOWN_TOP + depth] = s["top"][seat, size - 1 - depth]


@kernel
def _cards(t, s, me, row):
    """What there is of every place."""
    right = z.right_of(s, me)
    sees_laid = (np.int64(s["laid_seen"]) >> me) & 1 == 1
    asked = s["asking"] == me
    laid = 0
    for kind in range(PLACES):
        if not s["kinds"][kind]:
            continue
        row[_CARDS + kind] = s["kinds"][kind]
        row[_SUPPLY + kind] = s["supply"][kind]
        row[_COST + kind] = z.cost(t, s, kind)
        row[_TRASH + kind] = s["trash"][kind]
        row[_TOKENS + kind] = s["tokens"][kind]
        row[_BANNED + kind] = (np.int64(s["banned"]) >> kind) & 1
        row[_HAND + kind] = s["hand"][me, kind]
        row[_HIDDEN + kind] = s["hidden"][me, kind]
        row[_GAINED + kind] = (np.int64(s["gained"][right]) >> kind) & 1
        laid += np.int64(s["laid"][kind])
        if sees_laid:
            row[_LAID + kind] = s["laid"][kind]
        if asked:
            row[_PICKED + kind] = s["marked"][kind]
    if laid:
        players = int(s["num_players"])
        row[_LAID_OF + (int(s["laid_owner"]) - me + players) % players] = 1


@kernel
def _moment(s, me, row):
    """Whose turn it is, where it is, and what I am asked."""
    players = int(s["num_players"])
    if s["asking"] == me:
        row[_QUESTION + int(s["question"])] = 1
        row[_CAUSE] = s["cause"]
        for f in range(1, int(s["depth"])):
            if s["stack"][f, 0] == st.WINDOW_FRAME and f == int(s["depth"]) - 1:
                row[_ATTACKED_BY + (int(s["stack"][f, 2]) - me + players) % players] = 1
    row[_PHASE + int(s["phase"])] = 1
    row[_PLAYERS + players - st.FEWEST_SEATS] = 1
    row[_TURN + (int(s["current"]) - me + players) % players] = 1
    row[_EXTRA] = s["extra_turn"]
    row[_TURN_NUMBER] = min(_MOST, int(s["turn_number"]))
    row[_ACTIONS] = min(_MOST, int(s["actions"]))
    row[_BUYS] = min(_MOST, int(s["buys"]))
    row[_COINS] = min(_MOST, int(s["coins"]))
    row[_PLAYED] = min(_MOST, int(s["played"]))
    row[_KNOWN_BOTTOM] = s["bottom"][me]


@kernel
def _history(s, me, row, at):
    """The last events, the newest first; seats relative to the observer, plus one."""
    count, players = int(s["log_count"]), int(s["num_players"])
    for place in range(min((len(row) - at) // _EVENT_BYTES, event_ring.kept(s))):
        event = event_ring.seen_by(event_ring.event_at(s, count - 1 - place), me, st.CARD_BYTE, st.SEEN_BYTE)
        for column in range(_EVENT_BYTES):
            byte = (event >> 8 * column) & 0xFF
            if (column == 1 or column == 2) and byte:
                byte = (byte - 1 - me + players) % players + 1
            row[at + _EVENT_BYTES * place + column] = byte


@shared
def observe(t, s, seat, row):
    """Write what the seat may know into a row, which may hold anything."""
    row[:] = 0
    _moment(s, seat, row)
    _seats(s, seat, row)
    _cards(t, s, seat, row)
    if len(row) > OBSERVATION_SIZE:
        _history(s, seat, row, OBSERVATION_SIZE)


_HANDS, _DECKS, _DISCARDS = STATE_OFFSETS["hands"], STATE_OFFSETS["decks"], STATE_OFFSETS["discards"]
_ALL_HIDDEN, _TOPS, _ASKED = STATE_OFFSETS["hidden"], STATE_OFFSETS["tops"], STATE_OFFSETS["asked"]


@kernel
def write_state(t, s, row):
    """Write the full state: what seat 0 observes, then what is hidden."""
    row[:] = 0
    observe(t, s, 0, row[:OBSERVATION_SIZE])
    for seat in range(s["num_players"]):
        for kind in range(PLACES):
            at = seat * PLACES + kind
            row[_HANDS + at] = s["hand"][seat, kind]
            row[_DECKS + at] = s["deck"][seat, kind]
            row[_DISCARDS + at] = s["discard"][seat, kind]
            row[_ALL_HIDDEN + at] = s["hidden"][seat, kind]
        size = np.int64(s["top_size"][seat])
        for place in range(size):
            kind = np.int64(s["top"][seat, place]) - 1
            row[_DECKS + seat * PLACES + kind] += 1
        if s["bottom"][seat]:
            row[_DECKS + seat * PLACES + np.int64(s["bottom"][seat]) - 1] += 1
        for depth in range(min(size, KNOWN_TOP)):
            row[_TOPS + seat * KNOWN_TOP + depth] = s["top"][seat, size - 1 - depth]
    if s["asking"] >= 0:
        row[_ASKED + int(s["asking"])] = 1
