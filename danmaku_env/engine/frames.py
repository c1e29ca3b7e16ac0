"""What a frame of the stack holds: for every procedure its steps, its columns, and the values each column may have.

Every procedure has names of its own for the columns of its frames, and no name serves two procedures. `LAYOUTS` has all of it in one
table. docs/state.md is written from it, and `invariants/` refuses a record with a value that its layout does not know.

Frames are opened and closed by `machine/stack.py` and carried on by the files of `procedures/`.
"""

from __future__ import annotations

from typing import Any

from danmaku_env.machine import frames
from danmaku_env.machine.frames import Column, Layout

DEPTH = 36
"""Frames on the stack. Reactions that would need more are not offered (see `ROOM_FOR_REACTION`)."""
ROOM_FOR_REACTION = 10
"""Free frames a window wants before it offers anything that puts more on the stack."""

# ---------------------------------------------------------------- procedures and their steps

(SETUP_FRAME, TURN_FRAME, PLAY_FRAME, WINDOW_FRAME, ATTACK_FRAME, SETTLE_FRAME, TRIM_FRAME, LIMIT_FRAME,
 EXCHANGE_FRAME, DRAWING_FRAME, TRIGGERS_FRAME) = range(1, 12)  # fmt: skip

AT_DEAL, AT_CHARACTERS, AT_HANDS, AT_GAME_START, AT_TURN_ZERO, AT_TRIM, AT_SECRET_BANS, AT_OPEN_BANS, AT_PICKS = range(9)
(AT_START, AT_SKIP_CHECK, AT_SKIP_DECIDED, AT_BEGIN, AT_INCIDENT, AT_INCIDENT_ENTERS, AT_INCIDENT_ACTS, AT_BEFORE_DRAW, AT_DRAW_CHOICE,
 AT_DRAW, AT_MAIN, AT_BEFORE_DISCARD, AT_EXCHANGES, AT_DISCARD, AT_TURN_OVER, AT_NEXT_TURN) = range(16)  # fmt: skip
# in the order a turn runs through them, which procedures/turn.py relies on
AT_MODE, AT_CARD, AT_ANNOUNCE, AT_DECLARE, AT_PUT, AT_RESPONSE, AT_RESOLVE, AT_RUN, AT_DONE = range(9)
AT_DECLARED, AT_ANSWERABLE, AT_LANDS, AT_STRIKES, AT_COSTS_POWERUP, AT_TRIGGERS, AT_OVER = range(7)
AT_CALL, AT_TAKE, AT_SHOW, AT_OFFER, AT_KEEP, AT_DREW, AT_LOSS = range(7)
AT_RESCUE, AT_CHECK, AT_FATE, AT_TAKEOVER, AT_VICTORY = range(5)

# ---------------------------------------------------------------- columns

FRAME_COLUMNS = 20
PROCEDURE, AT, SEAT = frames.PROCEDURE, frames.AT, frames.SEAT
(PLAY_CARD, PLAY_TEXT, PLAY_PC, PLAY_SUBJECT, PLAY_CHOSEN, PLAY_SECOND, PLAY_AMOUNT, PLAY_FLAGS, PLAY_PICK, PLAY_EACH, PLAY_REMAINING,
 PLAY_FLIPPED, PLAY_DECK, PLAY_END, PLAY_MOMENT, PLAY_BEHALF, PLAY_ACTION) = range(3, 20)  # fmt: skip
WINDOW_EVENT, WINDOW_SUBJECT, WINDOW_PASSES, WINDOW_PRIORITY, WINDOW_OWNER = range(3, 8)
DRAWING_MAIN, DRAWING_LUNATIC, DRAWING_EXTRA, DRAWING_CALLED, DRAWING_CARD, DRAWING_COUNT, DRAWING_KEPT, DRAWING_NEW = range(3, 11)
(ATTACK_TEXT, ATTACK_TARGET, ATTACK_DAMAGE, ATTACK_FLAGS, ATTACK_SOURCE, ATTACK_USED, ATTACK_LOST, ATTACK_PENDING,
 ATTACK_AGAIN, ATTACK_SURE) = range(3, 13)  # fmt: skip
TRIGGERS_FIRST, TRIGGERS_DECIDED, TRIGGERS_SETTLED, TRIGGERS_ORDERED = range(3, 7)
SETUP_PLACE = 3
TURN_PLACE = 3
SETTLE_FALLEN = 3
TRIM_SIZE = 3
LIMIT_BY = 3
EXCHANGE_POINTS = 3

# flags of a PLAY frame
IS_CANCELLED, IS_AVOIDING, IS_SPELL, IS_COPY, HAS_LOOKED, HAS_EXTRA_ATTACK, IS_FOR_OWN = 1, 2, 8, 16, 32, 64, 128
PLAY_FLAGS_USED = IS_CANCELLED | IS_AVOIDING | IS_SPELL | IS_COPY | HAS_LOOKED | HAS_EXTRA_ATTACK | IS_FOR_OWN
# flags of an ATTACK frame
IS_AVOIDED, IS_UNAVOIDABLE, IS_HARMLESS = 2, 4, 8
ATTACK_FLAGS_USED = IS_AVOIDED | IS_UNAVOIDABLE | IS_HARMLESS

TOP_END, BOTTOM_END = 1, 2
MOST_NUMBER = 127
MOST_SEATS = 8
MOST_INCIDENTS = 20

# ---------------------------------------------------------------- the table

A_SEAT_AT_LEAST = "a seat + 1"
A_SEAT_OR_NOBODY = "a seat + 1, or 0"
SEAT_BITS = "a bit per seat"
A_CARD_OR_NONE = "a physical card + 1, or 0"
A_PICK_OR_NONE = "a physical card + 1, INCIDENT_CARD + an incident + 1, or 0"
A_TEXT = "a text"
A_TEXT_OR_NONE = "a text, or 0"
A_ROW_OR_NONE = "a row of its text's program, or 0"
A_FRAME_OR_NONE = "a frame below + 1, or 0"
A_FRAME = "a frame below, or this one, + 1"
A_WINDOW = "a moment of priority"
A_MOMENT = "a moment at which something is offered"
AN_ACTION_OR_NONE = "an action that an offer can have, or 0"
SEATS_OR_REPETITIONS = "a bit per seat, a number, or a character + 1"
A_NUMBER = f"0 to {MOST_NUMBER}"
A_PLACE = f"0 to {MOST_SEATS}"
FRAMES_BELOW = "0 to the frames below"
A_PLACE_OR_INCIDENTS = f"0 to {MOST_INCIDENTS}"
A_SEASON_OR_NONE = "a season + 1, or 0"
A_DECK_OR_NONE = "a deck + 1, or 0"
AN_END_OR_NONE = "1 the top, 2 the bottom, or 0"
PLAY_FLAG_BITS = "flags of a play"
ATTACK_FLAG_BITS = "flags of an attack"
ONCE_BITS = "two bits per seat"


LAYOUTS = {
    SETUP_FRAME: Layout(
        "setup", "Dealing roles, characters, decks and hands, and turn zero; then it becomes the TURN frame.",
        ("deal", "characters", "hands", "game start", "turn zero", "trim", "secret bans", "open bans", "picks"),
        (Column(SETUP_PLACE, "place", A_PLACE, "seats that have their character, or have had their turn in the step"),), seat="none (0)"),
    TURN_FRAME: Layout(
        "turn", "The bottom frame while the game runs: one turn after another.",
        ("start", "skip check", "skip decided", "begin", "incident", "incident enters", "incident acts", "before draw", "draw choice",
         "draw", "main", "before discard", "exchanges", "discard", "turn over", "next turn"),
        (Column(
            TURN_PLACE, "place", A_PLACE_OR_INCIDENTS,
            "in the step: incidents that have acted, cards to come from the Lunatic deck, or seats that have trimmed their hand"),),
        seat="whose turn it is"),
    PLAY_FRAME: Layout(
        "play", "A card, Spell Card, ability, trigger or incident action, from announcement to effect; it runs the text's programs.",
        ("mode", "card", "announce", "declare", "put", "response", "resolve", "run", "done"),
        (Column(PLAY_CARD, "card", A_CARD_OR_NONE, "the card that is played"),
         Column(PLAY_TEXT, "text", A_TEXT_OR_NONE, "the text that is carried out; 0 while it is not settled which half or ability"),
         Column(PLAY_PC, "pc", A_ROW_OR_NONE, "the program row to be carried out next; 0 before and between programs"),
         Column(PLAY_SUBJECT, "subject", A_FRAME_OR_NONE, "the frame it answers"),
         Column(PLAY_CHOSEN, "chosen", A_SEAT_OR_NOBODY, "CHOSEN of the text"),
         Column(PLAY_SECOND, "second", A_SEAT_OR_NOBODY, "SECOND of the text"),
         Column(PLAY_AMOUNT, "amount", A_NUMBER, "AMOUNT of the text: a number named or counted, or the bit of the type named"),
         Column(PLAY_FLAGS, "flags", PLAY_FLAG_BITS,
                "cancelled, avoiding an attack, a Spell Card, a copy, has looked at a hand, has made its extra attack"),
         Column(PLAY_PICK, "pick", A_PICK_OR_NONE, "the card or incident picked last and not yet moved"),
         Column(PLAY_EACH, "each", A_SEAT_OR_NOBODY, "EACH of the running loop, or THIRD of a text without one"),
         Column(PLAY_REMAINING, "remaining", SEATS_OR_REPETITIONS,
                "what the running loop has still before it, or whose Spell Card was named before its price is paid"),
         Column(PLAY_FLIPPED, "flipped", A_SEASON_OR_NONE, "the season flipped last"),
         Column(PLAY_DECK, "deck", A_DECK_OR_NONE, "the deck named"),
         Column(PLAY_END, "end", AN_END_OR_NONE, "the end of a deck named last"),
         Column(PLAY_MOMENT, "moment", A_MOMENT, "the moment at which it was offered"),
         Column(PLAY_BEHALF, "behalf", A_SEAT_OR_NOBODY, "on whose behalf it is played"),
         Column(PLAY_ACTION, "action", AN_ACTION_OR_NONE, "the answer to the offer, from which text and card are settled")),
        seat="who controls it"),
    WINDOW_FRAME: Layout(
        "window", "Priority going round until all have passed in a row.", (),
        (Column(WINDOW_EVENT, "event", A_WINDOW, "what may be answered"),
         Column(WINDOW_SUBJECT, "subject", A_FRAME_OR_NONE, "the frame that may be answered"),
         Column(WINDOW_PASSES, "passes", A_PLACE, "passes in a row so far"),
         Column(WINDOW_PRIORITY, "priority", A_SEAT_OR_NOBODY, "who has priority; 0 = the round starts anew"),
         Column(WINDOW_OWNER, "owner", A_SEAT_OR_NOBODY, "to whom that happened which may be answered")),
        seat="whose turn it was when it opened"),
    ATTACK_FRAME: Layout(
        "attack", "The attacks of one effect, one after the other: each from declaration to hit or avoidance (K-9).",
        ("declared", "answerable", "lands", "strikes", "costs powerup", "triggers", "over"),
        (Column(ATTACK_TEXT, "text", A_TEXT, "the text that made it"),
         Column(ATTACK_TARGET, "target", A_SEAT_AT_LEAST, "who is attacked"),
         Column(ATTACK_DAMAGE, "damage", A_NUMBER, "the damage of each, fixed when they were put on the stack (C-18)"),
         Column(ATTACK_FLAGS, "flags", ATTACK_FLAG_BITS, "avoided, unavoidable, takes no life"),
         Column(ATTACK_SOURCE, "source", A_FRAME_OR_NONE, "the frame whose card or Spell Card it belongs to (H-13)"),
         Column(ATTACK_USED, "used", ONCE_BITS, "once-per-attack texts used against this one: bit 2 * seat + text bit"),
         Column(ATTACK_LOST, "lost", A_NUMBER, "the life this one has taken"),
         Column(ATTACK_PENDING, "pending", SEAT_BITS, "whom the effect attacks after this one"),
         Column(ATTACK_AGAIN, "again", A_NUMBER, "how often it attacks the same target once more"),
         Column(ATTACK_SURE, "sure", SEAT_BITS, "whom the effect attacks unavoidably")),
        seat="the attacker"),
    TRIGGERS_FRAME: Layout(
        "triggers", "Texts that one event has triggered: they lie below it, and all are decided and ordered before any happens (K-14).", (),
        (Column(TRIGGERS_FIRST, "first", A_FRAME, "the lowest of the texts"),
         Column(TRIGGERS_DECIDED, "decided", FRAMES_BELOW, "how many of them, from the lowest on, are decided"),
         Column(TRIGGERS_SETTLED, "settled", FRAMES_BELOW, "how many of those are of seats that have done with all of theirs"),
         Column(TRIGGERS_ORDERED, "ordered", FRAMES_BELOW, "how many of the others, from the last decided down, have their place")),
        seat="whose turn it is"),
    SETTLE_FRAME: Layout(
        "settle", "The stack is empty: last rescue, played cards to the discard pile, defeats, victory.",
        ("rescue", "check", "fate", "takeover", "victory"),
        (Column(SETTLE_FALLEN, "fallen", SEAT_BITS, "the seats defeated together"),), seat="whose turn it is"),
    TRIM_FRAME: Layout(
        "trim", "A seat discards down to a hand size.", (),
        (Column(TRIM_SIZE, "size", A_NUMBER, "the hand size; 0 = the seat's maximum, which may change on the way"),), seat="who discards"),
    DRAWING_FRAME: Layout(
        "drawing", "A seat draws, card by card, because it or somebody else has something to say about that (L-18).",
        ("call", "take", "show", "offer", "keep", "drew", "loss"),
        (Column(DRAWING_MAIN, "main", A_NUMBER, "cards still to be drawn from the Main deck"),
         Column(DRAWING_LUNATIC, "lunatic", A_NUMBER, "cards still to be drawn from the Lunatic deck"),
         Column(DRAWING_EXTRA, "extra", A_NUMBER, "cards of the Main deck earned by seasons named"),
         Column(DRAWING_CALLED, "called", A_SEASON_OR_NONE, "the season named before the next card"),
         Column(DRAWING_CARD, "card", A_CARD_OR_NONE, "the card drawn that has it and may be shown"),
         Column(DRAWING_COUNT, "count", A_NUMBER, "cards drawn so far"),
         Column(DRAWING_KEPT, "kept", A_NUMBER, "1: the cards lie aside, for they may be drawn anew"),
         Column(DRAWING_NEW, "new", A_NUMBER, "1: they are drawn anew")),
        seat="who draws"),
    LIMIT_FRAME: Layout(
        "limit", "A seat gives up one of two defense cards or artifacts.", (),
        (Column(LIMIT_BY, "by", A_SEAT_OR_NOBODY, "who chooses which, if somebody else does"),), seat="who has them"),
    EXCHANGE_FRAME: Layout(
        "exchange", "A seat gives Main-deck cards for one of the Lunatic deck.", (),
        (Column(EXCHANGE_POINTS, "points", A_NUMBER, "points given so far, up to the price"),), seat="who gives them"),
}  # fmt: skip
"""What the frames of each procedure hold."""


def is_triggered(frame: Any) -> bool:
    """Whether a PLAY frame is that of a text nobody has played, used or activated: an event has triggered it, or it is an incident's."""
    return frame[PLAY_ACTION] == 0 and int(frame[PLAY_FLAGS]) & (IS_SPELL | IS_COPY) == 0
