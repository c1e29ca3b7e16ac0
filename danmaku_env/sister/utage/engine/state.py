"""The record of a game.

Cards of a deck have *slots*, one for each different card in box order, so equal cards are interchangeable. A hand, a discard pile and the
rest of a deck are counts by slot. A *side* is what lies before a seat: 32 places (M-1), and each card there keeps its owner. The deck
itself lies in order; what a seat knows of that order stands beside it.
"""

from __future__ import annotations

from danmaku_env.machine import records
from danmaku_env.machine.records import DRAWN, GAME_OVER, NOBODY, OK, OUTCOMES, RUNNING, TRUNCATED, WON
from danmaku_env.sister.utage.cards.words import DECK_SIZE, KEYWORDS, PLACES, SLOTS, TEAM

__all__ = ["DRAWN", "GAME_OVER", "NOBODY", "OK", "OUTCOMES", "RUNNING", "STATE", "TRUNCATED", "WON"]
SEATS = 2
FRAMES, COLUMNS = 8, 15
LOG_ROWS = 512
EVERYBODY = 3
LASTING, LATER = 32, 16
"""Effects that last, and effects still to come, at most (M-2)."""

# ---------------------------------------------------------------- bits of `config`

ASK_FORCED, ASK_EVERYONE, OPEN_LISTS = (1 << bit for bit in range(3))

# ---------------------------------------------------------------- where a card of the field is

EMPTY, IN_RESERVE, IS_ACTIVE, AT_SPELL, AT_LEADER, IS_SCENE = range(6)
WHERE_WORDS = ("", "reserve", "active", "on a spell", "on the leader", "scene")

# ---------------------------------------------------------------- bits of a place

P_USED_ABILITY, P_USED_IN_BATTLE, P_TOLD = (1 << bit for bit in range(3))
"""The ability was used in this phase; the spell was chosen for battle in it, or the support prevented damage;
its text has happened at this moment."""
V_CANNOT_BATTLE, V_SAFE_FROM_EVENTS, V_SAFE_FROM_ABILITIES, V_SHIKIGAMI = (1 << bit for bit in range(4))
"""Bits of `value_flags`."""

# ---------------------------------------------------------------- frames: procedures, and their columns after PROCEDURE, AT and SEAT

GAME_FRAME, MOMENT_FRAME, USE_FRAME = range(1, 4)
(
    COL_CARD, COL_PLACE, COL_PC, COL_TARGET_SIDE, COL_TARGET, COL_SLOT, COL_KIND, COL_DISCARDED, COL_PAID, COL_MOMENT, COL_OPEN, COL_PICKED,
) = range(3, COLUMNS)  # fmt: skip
"""COL_CARD: number of the card, plus one. COL_PLACE: its place on the side of SEAT, plus one, while it is there. COL_PC: row of its
program. COL_TARGET_SIDE, COL_TARGET: the place that was chosen, plus one. COL_SLOT: slot of an event or support of the hand, plus one.
COL_KIND: what is done, see K_. COL_DISCARDED: cards that the effect moved. COL_PAID: cards paid so far. COL_MOMENT: of a MOMENT frame.
COL_PICKED: slot of the card that was searched for or taken, plus one; COL_OPEN: whether everybody saw it."""
K_EVENT, K_ABILITY, K_LEADER, K_TEXT, K_SUPPORT, K_BATTLE, K_LATER = range(1, 8)
"""What a USE frame carries out: an event, the ability of a card in play or of the leader, a text that happens by itself, a support that
is placed, the costs of a spell that battles, an effect that was put off."""
COL_PASSES, COL_ACTOR, COL_PLACED = 3, 4, 6
"""Columns of the GAME frame: passes in a row, whose priority it is, spells put into play in this phase."""

_PER_SLOT, _PER_PLACE = (SEATS, SLOTS), (SEATS, PLACES)
FIELDS: list[records.RecordField] = [
    ("legal", "i8", 7, "legal answers, a bit each"),
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
    ("num_players", "i1", 1, "always 2"),
    ("depth", "i1", 1, "open frames"),
    ("phase", "i1", 1, ""),
    ("rng", "u4", 4, ""),
    ("turn_number", "i2", 1, "turns begun"),
    ("max_turns", "i2", 1, ""),
    ("attacker", "i1", 1, "whose turn it is"),
    ("first", "i1", 1, "who attacked first"),
    ("events_banned", "i1", 1, "whether no event can be used this turn"),
    ("battles", "i1", 1, "battle phases still to come in this turn"),
    ("hit", "u1", 1, "bits of the seats whose leader was hit in this battle"),
    ("hurt", "u1", 1, "bits of the seats whose leader took spell damage in this battle"),
    ("half", "i1", 1, "1 and 2: the spell of the attacker, of the interceptor, is judged"),
    ("stale", "i1", 1, "whether values have to be worked out anew"),
    ("cause", "u1", 1, "number of the card that asks, plus one"),
    ("lasting_count", "i1", 1, ""),
    ("later_count", "i1", 1, ""),
    ("ends", "i1", 1, "whether the turn ends at once"),
    ("used", "i8", SEATS, "bits of the places where something lies"),
    ("meets", "i8", SEATS, "bits of the slots whose requirement the team meets"),
    ("in_hand", "i8", SEATS, "bits of the slots of which there are cards in hand"),
    ("slots_seen", "i1", SEATS, "slots of a deck that the other seat has seen, with closed lists"),
    ("hp", "i2", SEATS, ""),
    ("sp", "i2", SEATS, ""),
    ("leader", "i1", SEATS, "place in the team, or -1"),
    ("leader_used", "i1", SEATS, "whether the leader's ability was used in this phase"),
    ("battling", "i1", SEATS, "place of the battling spell, plus one"),
    ("deck_size", "i1", SEATS, ""),
    ("hand_size", "i1", SEATS, ""),
    ("value_ev", "i1", SEATS, ""),
    ("value_bv", "i1", SEATS, ""),
    ("team", "u1", (SEATS, TEAM), "numbers of the characters"),
    ("level", "i1", (SEATS, 8), "how many of each character the team has"),
    ("card", "u1", _PER_SLOT, "number of the card of a slot, plus one"),
    ("copies", "u1", _PER_SLOT, "in the whole deck list"),
    ("hand", "u1", _PER_SLOT, ""),
    ("discard", "u1", _PER_SLOT, ""),
    ("known", "u1", _PER_SLOT, "cards of the hand that the other seat knows"),
    ("rank", "u1", _PER_SLOT, "how the other seat counts the slot, plus one; 0 while it has not seen it"),
    ("shown", "u1", _PER_SLOT, "with closed lists: the most cards that the other seat has seen at once before some were hidden again"),
    ("deck", "u1", (SEATS, DECK_SIZE), "slots plus one, from the bottom"),
    ("deck_seen", "u1", (SEATS, DECK_SIZE), "bits of the seats that know the card there"),
    ("at_card", "u1", _PER_PLACE, "number of the card, plus one"),
    ("at_owner", "u1", _PER_PLACE, "whose card it is"),
    ("at_slot", "u1", _PER_PLACE, "its slot in the owner's deck"),
    ("where", "u1", _PER_PLACE, ""),
    ("host", "u1", _PER_PLACE, "place of the spell it lies on, plus one"),
    ("carries", "u1", _PER_PLACE, "place of the support on a spell, plus one"),
    ("marks", "u1", _PER_PLACE, "bits, see P_"),
    ("value_av", "i1", _PER_PLACE, ""),
    ("value_iv", "i1", _PER_PLACE, ""),
    ("value_hv", "i1", _PER_PLACE, ""),
    ("value_type", "i1", _PER_PLACE, ""),
    ("value_flags", "u1", _PER_PLACE, "bits, see V_"),
    ("value_keyword", "i1", (SEATS, PLACES, len(KEYWORDS)), ""),
    ("lasting", "i2", (LASTING, 9), "whose, scope, filter, stat, amount, turn, side, place plus one, card"),
    ("later", "i2", (LATER, 5), "moment, row of the program, whose, place plus one, card"),
    ("stack", "i4", (FRAMES, COLUMNS), ""),
    ("log", "u1", (LOG_ROWS, records.EVENT_BYTES), ""),
]
STATE = records.record_type(FIELDS, ("stack", "log"))
READ_BYTES = records.place_of(STATE, "log")
"""Bytes of a record that play reads; behind them is the log."""
LA_WHOSE, LA_SCOPE, LA_FILTER, LA_STAT, LA_AMOUNT, LA_TURN, LA_SIDE, LA_PLACE, LA_CARD = range(9)
LT_MOMENT, LT_PC, LT_WHOSE, LT_PLACE, LT_CARD = range(5)

# ---------------------------------------------------------------- events of the log

EVENT_COLUMNS = ("event", "actor", "owner", "card", "number", "seen")
"""Bytes of an event; the last two of eight are nothing."""
CARD_BYTE, SEEN_BYTE = EVENT_COLUMNS.index("card"), EVENT_COLUMNS.index("seen")
EVENT_WORDS = (
    "", "turn", "phase", "leader", "show hand", "draw", "mill", "put into play", "activate", "to reserve", "place", "use event",
    "use ability", "text", "attack", "no attack", "intercept", "no intercept", "border", "hit", "no hit", "spell damage", "damage", "heal",
    "gain SP", "discard", "return to hand", "shuffle", "put on deck", "put under deck", "take to hand", "look at hand", "pay", "win",
    "pass", "mulligan", "pay HP",
)  # fmt: skip
(
    L_NONE, L_TURN, L_PHASE, L_LEADER, L_SHOW, L_DRAW, L_MILL, L_INTO_PLAY, L_ACTIVATE, L_RESERVE, L_PLACE, L_EVENT, L_ABILITY, L_TEXT,
    L_ATTACK, L_NO_ATTACK, L_INTERCEPT, L_NO_INTERCEPT, L_BORDER, L_HIT, L_MISS, L_SPELL_DAMAGE, L_DAMAGE, L_HEAL, L_GAIN_SP, L_DISCARD,
    L_RETURN, L_SHUFFLE, L_TOP, L_BOTTOM, L_TAKE, L_LOOK, L_PAY, L_WIN, L_PASS, L_MULLIGAN, L_PAY_HP,
) = range(len(EVENT_WORDS))  # fmt: skip
