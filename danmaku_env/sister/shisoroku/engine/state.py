"""The record of a game.

Equal cards are interchangeable, so a pile, a hand or a deck is a number of cards of each kind, by *place* (0 to 26, M-2). A deck is lazy: a
draw takes a random card by these numbers. Only cards whose position somebody knows are kept in order, in `top` and `bottom` (M-1).
"""

from __future__ import annotations

from danmaku_env.machine import records
from danmaku_env.machine.records import DRAWN, GAME_OVER, NOBODY, OK, OUTCOMES, RUNNING, TRUNCATED, WON
from danmaku_env.sister.shisoroku.cards.words import PLACES

__all__ = ["DRAWN", "GAME_OVER", "NOBODY", "OK", "OUTCOMES", "RUNNING", "STATE", "TRUNCATED", "WON"]
SEATS = 4
FEWEST_SEATS = 2
TOP_ROOM = 64
"""Cards of a deck whose order is remembered (M-1)."""
FRAMES, COLUMNS = 112, 17
LOG_ROWS = 1024
EVERYBODY = 15
"""Bits of all seats."""
HAND_SIZE = 5

# ---------------------------------------------------------------- phases

SETUP, ACTION_PHASE, RESOURCE_PHASE, BUY_PHASE, CLEAN_UP_PHASE = range(5)
PHASES = ("set-up", "actions", "resources", "purchases", "clean-up")

# ---------------------------------------------------------------- bits of `config`

ASK_FORCED, ASK_EVERYONE, ASK_ORDER, CHIREI_START, OPTIONAL_CARDS = (1 << bit for bit in range(5))

# ---------------------------------------------------------------- frames: procedures, and their columns after PROCEDURE, AT and SEAT

TURN_FRAME, PLAY_FRAME, TEXT_FRAME, WINDOW_FRAME, RESPOND_FRAME, GAIN_FRAME, BUY_FRAME, TRASHED_FRAME = range(1, 9)
(
    COL_KIND, COL_PC, COL_THAT_SEAT, COL_NUMBER, COL_PICKED_KIND, COL_PICKED, COL_PICKING, COL_TIMES, COL_IMMUNE, COL_MODES, COL_NOTES,
    COL_IN_PLAY, COL_PLAYED_BY, COL_EVENT,
) = range(3, COLUMNS)  # fmt: skip
"""COL_KIND: the place of the card a frame is about. COL_PC: the row of its program. COL_THAT_SEAT: the player an `each` is at, plus one.
COL_NUMBER: the number at hand. COL_PICKED_KIND, COL_PICKED: the place picked last, plus one, and how many were picked; COL_PICKING: cards
picked so far, plus one, while it is asked. COL_TIMES: how often something is still to be done. COL_IMMUNE: bits of seats. COL_MODES: bits
of the options chosen. COL_NOTES: bits, see N_. COL_IN_PLAY: whether the card still lies there. COL_PLAYED_BY: whether another card plays
it. COL_EVENT: what a text answers. Of a RESPOND frame, COL_MODES and COL_NOTES are bits of the kinds whose texts wait, COL_IMMUNE and
COL_NUMBER of those whose texts have answered."""
N_SELF, N_OTHER, N_FOUND, N_STAYS, N_NO_TRADER = (1 << bit for bit in range(5))
"""COL_NOTES: what `note` noted; the card that was played last is still in play; this card stays for the next turn; no text may replace
this gain."""

_PER_SEAT = (SEATS, PLACES)
FIELDS: list[records.RecordField] = [
    ("legal", "i8", 3, "legal answers, a bit each"),
    ("seed", "i8", 1, "the seed it began with"),
    ("decisions", "i4", 1, "answers so far"),
    ("log_count", "i4", 1, "events so far"),
    ("config", "i2", 1, "bits"),
    ("answer", "i2", 1, "the answer given, or -1"),
    ("asking", "i1", 1, "the seat that is asked, or -1"),
    ("question", "i1", 1, "what it is asked"),
    ("outcome", "i1", 1, ""),
    ("winners", "u1", 1, "a bit per seat"),
    ("status", "i1", 1, ""),
    ("num_players", "i1", 1, ""),
    ("depth", "i1", 1, "open frames"),
    ("rng", "u4", 4, ""),
    ("turn_number", "i2", 1, "turns begun, of all seats together"),
    ("max_turns", "i2", 1, ""),
    ("current", "i1", 1, "whose turn it is"),
    ("phase", "i1", 1, ""),
    ("extra_turn", "i1", 1, "whether this is one"),
    ("extra_next", "i1", 1, "whether one follows"),
    ("short_draw", "i1", 1, "whether only 3 cards are drawn at the end of this turn"),
    ("victory_bought", "i1", 1, "whether a victory card was bought this turn"),
    ("cause", "i1", 1, "place of the card whose text asks, plus one"),
    ("gained_kind", "i1", 1, "place of the card gained last, plus one"),
    ("laid_owner", "i1", 1, "whose cards lie in `laid`"),
    ("laid_seen", "u1", 1, "bits of the seats that see them"),
    ("actions", "i2", 1, ""),
    ("buys", "i2", 1, ""),
    ("coins", "i2", 1, ""),
    ("played", "i2", 1, "actions played this turn"),
    ("less", "i2", 2, "what all cards, and actions, cost less now"),
    ("banned", "u4", 1, "bits of kinds that cannot be bought this turn"),
    ("turns", "i2", SEATS, "turns of each seat, extra ones not counted"),
    ("gained", "u4", SEATS, "bits of the kinds a seat gained in its last turn"),
    ("kinds", "u1", PLACES, "number of the card at a place, plus one"),
    ("supply", "u1", PLACES, "cards left; of prizes too"),
    ("trash", "u1", PLACES, ""),
    ("tokens", "u1", PLACES, "trauma tokens"),
    ("laid", "u1", PLACES, "cards revealed or looked at"),
    ("marked", "u1", PLACES, "cards picked for what follows"),
    ("spoils", "u1", PLACES, "cards of the trash that a text trashed"),
    ("gone", "u1", PLACES, "cards trashed at once whose texts are still due"),
    ("hand", "u1", _PER_SEAT, ""),
    ("deck", "u1", _PER_SEAT, "cards of the deck at places nobody knows"),
    ("discard", "u1", _PER_SEAT, ""),
    ("play", "u1", _PER_SEAT, "cards in play of this turn"),
    ("stays", "u1", _PER_SEAT, "those of them that stay for the next"),
    ("lasting", "u1", _PER_SEAT, "cards in play of the turn before"),
    ("due", "u1", _PER_SEAT, "texts due at the start of the next turn"),
    ("away", "u1", _PER_SEAT, "cards set aside until the end"),
    ("aside", "u1", _PER_SEAT, "cards set aside until the next turn"),
    ("hidden", "u1", _PER_SEAT, "the same, face down"),
    ("owned", "u1", _PER_SEAT, "all cards of a seat"),
    ("open_discard", "u1", _PER_SEAT, "cards of the discard pile that all have seen come there"),
    ("made_of", "u1", _PER_SEAT, "such cards when the deck was made last, and not seen since"),
    ("old_hand", "u1", _PER_SEAT, "cards of the hand drawn before that"),
    ("passed", "u1", _PER_SEAT, "cards passed to the left that others have not seen"),
    ("known", "u1", (SEATS, SEATS, PLACES), "cards of a hand [owner, viewer] that a seat knows"),
    ("top", "u1", (SEATS, TOP_ROOM), "known top of the deck: places plus one, from below"),
    ("top_seen", "u1", (SEATS, TOP_ROOM), "bits of the seats that know each"),
    ("top_size", "u1", SEATS, ""),
    ("bottom", "u1", SEATS, "known bottom card, plus one"),
    ("discard_top", "u1", SEATS, "open top of the discard pile, plus one"),
    ("stack", "i2", (FRAMES, COLUMNS), ""),
    ("log", "u1", (LOG_ROWS, records.EVENT_BYTES), ""),
]
STATE = records.record_type(FIELDS, ("stack", "log"))
READ_BYTES = records.place_of(STATE, "log")
"""Bytes of a record that play reads; behind them is the log."""

# ---------------------------------------------------------------- events of the log

EVENT_COLUMNS = ("event", "actor", "about", "card", "number", "seen")
"""Bytes of an event; the last three of eight are nothing."""
CARD_BYTE, SEEN_BYTE = EVENT_COLUMNS.index("card"), EVENT_COLUMNS.index("seen")
EVENT_WORDS = (
    "", "turn", "draw", "shuffle", "play", "buy", "gain", "trash", "discard", "put on deck", "set aside", "reveal", "look", "return",
    "pass", "react", "extra turn", "clean-up", "name", "token", "win", "take", "deck to discard", "option",
)  # fmt: skip
(
    L_NONE, L_TURN, L_DRAW, L_SHUFFLE, L_PLAY, L_BUY, L_GAIN, L_TRASH, L_DISCARD, L_DECK, L_ASIDE, L_REVEAL, L_LOOK, L_RETURN, L_PASS,
    L_REACT, L_EXTRA_TURN, L_CLEAN_UP, L_NAME, L_TOKEN, L_WIN, L_TAKE, L_FLIP, L_OPTION,
) = range(len(EVENT_WORDS))  # fmt: skip
