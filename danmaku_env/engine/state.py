"""The state of one game: one flat record. A batch is a one-dimensional array of it.

Copying a game is copying its bytes, hashing it is hashing its bytes (unused slots stay zero), saving it is writing
its bytes. Everything that influences play lives here.
"""

from __future__ import annotations

import numpy as np

from danmaku_env.cards.box import NUM_CHARACTERS, NUM_INCIDENTS
from danmaku_env.cards.tables import CARDS, KINDS, LUNATIC_ROOM, PILE_ROOM, SLOTS
from danmaku_env.cards.vocabulary import NUM_ITEM_STATS, SEASONS
from danmaku_env.engine.frames import DEPTH, FRAME_COLUMNS
from danmaku_env.machine import records

SEATS = 8
FEWEST_SEATS = 4
NUM_SEASONS = len(SEASONS)
NOBODY = records.NOBODY
EVERYBODY = 255
"""Bits of all seats, also of those that are not at the table."""
LOG_ROWS = 1024
"""Events kept: three of four games of random play at six seats have fewer, and games between players who want to win far fewer."""
TALLIES = 5
"""Words of pairs: who did how often what to whom (see `FIELDS`)."""
PHASES = 2
"""Of the tallies: before and after the first defeat."""
LASTING_ROWS = 20
EXTRA_ROWS = 12
"""Extra Characters at a table: two seats can have four for a moment, and every other way gives one."""
INCIDENTS_IN_PLAY = NUM_INCIDENTS
HAND_WORD_BITS = 60
HAND_WORDS = 3

# ---------------------------------------------------------------- columns of an event

EVENT, ACTOR, TARGET, ABOUT, NUMBER, EXTRA, CARD_SHOWN, KNOWN_TO = range(8)
EVENT_COLUMNS = records.EVENT_BYTES
EVENT_COLUMN_DOC = {
    "event": "what happened (events.L_...)",
    "actor": "seat + 1, 0 = nobody",
    "target": "seat + 1, 0 = nobody",
    "about": "character, incident, role, lasting effect, deck or the options that are named (as bits) + 1, 0 = nothing",
    "number": "a number: text played, damage, life, cards moved together, which turn of the game",
    "extra": "another: life left, which of the cards moved together this is, from 1; of the turns, how many 256s",
    "card": "physical card + 1 (incidents: + INCIDENT_CARD), 0 = none: the private part of the row",
    "known to": "bit per seat that knows the card; to others the row has none",
}
INCIDENT_CARD = 200
"""Incidents laid aside or logged among cards are numbered from here."""

# interactions that are counted, from seat to seat
ATTACKS, HITS, HEALS, GIVES, SPELLS = range(TALLIES)

# ---------------------------------------------------------------- columns of a lasting effect

LASTING_WORD, LASTING_OWNER, LASTING_SEAT, LASTING_VALUE = range(4)
LASTING_COLUMNS = 4

# ---------------------------------------------------------------- columns of an Extra Character

EXTRA_CHARACTER, EXTRA_SEAT, EXTRA_SOURCE = range(3)
EXTRA_COLUMNS = 3
BY_ITEM, BY_ROLE = 64, 80
"""Of what granted an Extra Character: a character + 1 whose ability it is, BY_ITEM + an item slot, or BY_ROLE + a role."""

# zones of a card
(NOT_IN_GAME, IN_DECK, IN_DISCARD, IN_LUNATIC_DECK, IN_LUNATIC_DISCARD, IN_HAND, IN_PLAY, BEING_PLAYED, ASIDE_PUBLIC, ASIDE_PRIVATE,
 COLLECTED) = range(11)  # fmt: skip

# steps of a turn, as people and observations see them
STEP_SETUP, STEP_START, STEP_INCIDENT, STEP_DRAW, STEP_MAIN, STEP_DISCARD, STEP_ZERO, STEP_DRAFT = range(8)
STEPS = ("setup", "start", "incident", "draw", "main", "discard", "zero", "draft")

# extra turns
EXTRA_TURN_OF, IS_EXTRA_TURN = 1, 1 + SEATS
"""What `extra_turn` is counted from: whose turn follows, and after whom the seats go on in order."""

# configuration bits
(ASK_FORCED, ASK_EVERYONE, CHARACTERS_CHOSEN, CHARACTERS_RANDOM, ADVANCED_ROLES, MIDBOSS_FROM_7, ASK_SEASONS,
 WITH_LUNATIC_EXTRA) = (1 << bit for bit in range(8))  # fmt: skip
CHOICE_SHIFT, CHOICE_MASK = 8, 0b11
"""Where the options keep how many characters more than FEWEST_CANDIDATES there are to choose from."""
FEWEST_CANDIDATES, MOST_CANDIDATES = 2, 4
WITH_BONUS, CHARACTERS_DRAFTED, DOUBLE_THREAT = 1 << 10, 1 << 11, 1 << 12
LIFE_SHIFT, LIFE_MASK = 13, 0b111
"""Where the options keep the max life of every seat, whatever its role; 0 = as printed."""
HAND_SHIFT, HAND_MASK = 16, 0b111
"""And the base of everybody's max hand size."""
OWN_DECK, OWN_INCIDENTS = 1 << 19, 1 << 20
"""The Main deck, the incident deck lacks cards of the box."""
ALL_OPTIONS = (1 << 21) - 1
MIDBOSS_PLAYERS = 7
"""With MIDBOSS_FROM_7 the EX Midboss is left out below this many players (S-7)."""

# end of the game
RUNNING, WON, DRAWN, TRUNCATED = records.RUNNING, records.WON, records.DRAWN, records.TRUNCATED
OUTCOMES = records.OUTCOMES

# status codes of the machine
OK, STACK_FULL, ILLEGAL_ANSWER, GAME_OVER, ENDLESS = (
    records.OK,
    records.STACK_FULL,
    records.ILLEGAL_ANSWER,
    records.GAME_OVER,
    records.ENDLESS,
)

# answers: groups of the action space, each one bit mask in the record
NUM_GROUPS = 8
MISC, PLAY_KIND, CHOOSE_KIND, USE_ABILITY, PICK_CHARACTER, PICK_INCIDENT, PICK_ROLE, PICK_BONUS = range(NUM_GROUPS)

FIELDS: list[records.RecordField] = [
    # read or written at nearly every decision
    ("legal", "i8", NUM_GROUPS, "legal answers to the pending question, one bit per action, by action group"),
    ("log_count", "i4", 1, "events logged since the start"),
    ("decisions", "i4", 1, "answers given by seats since the start"),
    ("config", "i4", 1, "configuration bits"),
    ("answer", "i2", 1, "answer waiting to be used by the top frame (an action index), or -1"),
    ("turn_number", "i2", 1, "turns started"),
    ("max_turns", "i2", 1, "the game is truncated when a turn beyond this would start"),
    ("item_slots", "i2", SEATS, "bit per item slot in play"),
    ("depth", "i1", 1, "frames in use"),
    ("asking", "i1", 1, "seat that must answer, or -1"),
    ("question", "i1", 1, "which question is asked (actions.QUESTIONS)"),
    ("status", "i1", 1, "0, or why the machine stopped"),
    ("outcome", "i1", 1, "running, won, drawn, truncated"),
    ("pending_kind", "i1", 1, "kind of which it is asked which copy is meant + 1"),
    ("pending_back", "i1", 1, "of which deck that copy is: 0 not asked, 1 Main deck, 2 Lunatic deck"),
    ("num_players", "i1", 1, "4 to 8"),
    ("current", "i1", 1, "seat whose turn it is"),
    ("turn_step", "i1", 1, "step of the turn"),
    ("draws", "i1", 1, "cards this draw step gives, before extras"),
    ("skipping", "i1", 1, "whether the current turn is being skipped"),
    ("skip_incident", "i1", 1, "whether the current turn has no incident step"),
    ("action_ban", "i1", 1, "whether action cards are banned for the rest of the turn"),
    ("spring_due", "i1", 1, "whether a spring card has gone to a discard pile since the stack was empty"),
    (
        "extra_turn",
        "i1",
        1,
        "1 + the seat that has an extra turn after this one; in that turn 9 + the seat after which the order goes on",
    ),
    ("priority_due", "i1", 1, "whether an attack has left the stack since anybody had priority"),
    ("active", "u1", 1, "bit per undefeated seat"),
    ("winners", "u1", 1, "bit per winner"),
    ("drew", "u1", 1, "bit per seat that has drawn a card of the Main deck this turn"),
    ("spared", "u1", 1, "bit per seat that cannot lose life for the rest of the turn"),
    ("due_item", "u1", 1, "item that changes hands when the stack is empty: card + 1, 0 = none"),
    ("due_from", "i1", 1, "from whom it goes then: seat + 1"),
    ("due_to", "i1", 1, "and to whom: seat + 1"),
    ("lost_due", "u1", 1, "bit per seat that has lost life, which can be answered when the effect is over; with Lunatic Extra"),
    ("drew_due", "u1", 1, "bit per seat that has drawn, the same"),
    ("limit_due", "u1", 1, "bit per seat whose items have a limit again, looked at when the effect is over; with Lunatic Extra"),
    ("hurt", "u1", 1, "bit per seat that has lost life to an attack this turn; kept with Lunatic Extra"),
    ("lasting_size", "i1", 1, "rows in use"),
    ("extras_size", "i1", 1, "rows in use"),
    ("incident_size", "i1", 1, "incidents in play"),
    ("deck_size", "u1", 1, "cards in it"),
    ("lunatic_deck_size", "u1", 1, "cards in the Lunatic deck"),
    ("lunatic_discard_size", "u1", 1, "cards in the Lunatic discard pile"),
    ("deck_seen", "u1", 1, "bit per seat that may know a card in the Main deck; the seats of all others know none"),
    ("discard_size", "u1", 1, "cards in it"),
    ("aside_size", "u1", 1, "cards aside"),
    ("played_size", "u1", 1, "cards being played"),
    ("incident_deck_size", "i1", 1, "cards in it"),
    ("incident_discard_size", "i1", 1, "cards in it"),
    ("incidents", "i1", INCIDENTS_IN_PLAY, "incidents in play + 1, oldest first"),
    ("incidents_kept", "i4", 1, "bit per resolved incident that another in play has collected"),
    ("life", "i1", SEATS, "0 to max life"),
    ("role", "i1", SEATS, "role number, 0 = none"),
    ("role_seen", "u1", SEATS, "bit per seat that knows this seat's role"),
    ("character", "i1", SEATS, "primary character + 1, 0 = none"),
    ("hand_size", "i1", SEATS, "cards in hand"),
    ("lunatic_in_hand", "i1", SEATS, "Lunatic cards in hand: their backs differ"),
    ("danmaku_played", "i1", SEATS, "danmaku cards counted this round"),
    ("danmaku_cards", "i1", SEATS, "danmaku cards played this round, those too that are not counted against the limit"),
    ("spell_used", "i1", SEATS, "Spell Card activated this round"),
    ("streak", "i1", SEATS, "rounds in a row, the current one included, in which the Spell Card that counts them was carried out"),
    ("in_streak", "i1", SEATS, "whether it was carried out in the current round"),
    ("skip_next", "i1", SEATS, "must skip the next turn, unless it skipped the last one (T-5)"),
    ("second_character", "i1", SEATS, "the other primary character + 1 in Double Threat, 0 = none"),
    ("skipped_last", "i1", SEATS, "skipped the last turn"),
    ("exposed", "i8", HAND_WORDS, "bit per hand card known to somebody besides its holder"),
    ("item_stats", "i1", (SEATS, NUM_ITEM_STATS), "what the items in play add to range, distance, danmaku limit and draws"),
    ("hand_kinds", "i8", SEATS, "bit per card kind in hand"),
    ("abilities", "i8", SEATS, "bit per character whose ability the seat has"),
    ("used_turn", "i4", SEATS, "bit per once-per-turn text used in this turn of the game"),
    ("used_round", "i4", SEATS, "bit per once-per-round text used since the seat's last turn start"),
    ("item_counts", "i1", (SEATS, SLOTS), "items in play by item slot"),
    ("discard_kinds", "i1", KINDS, "discard pile by kind"),
    ("collected_kinds", "i1", KINDS, "collected cards by kind"),
    ("lunatic_discard_kinds", "i1", KINDS, "Lunatic discard pile by kind"),
    ("collected", "i1", (INCIDENTS_IN_PLAY, NUM_SEASONS), "cards collected by those incidents, by season"),
    ("incident_seen", "u1", NUM_INCIDENTS, "bit per seat that knows where in the incident deck this incident lies"),
    # of these a decision touches a few lines
    ("stack", "i2", (DEPTH, FRAME_COLUMNS), "the frames, see `frames.LAYOUTS`"),
    ("spells", "i8", SEATS, "bit per character whose Spell Card the seat may activate as its own"),
    ("hand_cards", "i8", (SEATS, HAND_WORDS), "bit per physical card in hand, 60 to a word"),
    ("rng", "u4", records.RNG_WORDS, "xoshiro128** state, the one source of chance"),
    ("zone", "u1", CARDS, "zone of each physical card"),
    ("holder", "u1", CARDS, "seat that holds or controls it; for collected cards the incident; 0 elsewhere"),
    ("seen_by", "u1", CARDS, "bit per seat that knows which card this is, where it lies"),
    ("hand_counts", "i1", (SEATS, KINDS), "cards in hand by kind"),
    ("lasting", "i1", (LASTING_ROWS, LASTING_COLUMNS), "effects until the owner's next turn: word + 1, owner, seat, value"),
    ("extras", "i1", (EXTRA_ROWS, EXTRA_COLUMNS), "Extra Characters, the oldest first: character + 1, seat, what granted it"),
    ("copied", "i1", SEATS, "character + 1 whose ability the seat has named, until it names another; 0 = none"),
    ("mirrored", "i1", SEATS, "and once and for all"),
    ("characters_seen", "u1", NUM_CHARACTERS, "bit per seat that knows this character among those discarded"),
    ("deck", "u1", PILE_ROOM, "Main deck, bottom to top: card + 1"),
    ("discard", "u1", PILE_ROOM, "Main discard pile, bottom to top: card + 1"),
    ("lunatic_deck", "u1", LUNATIC_ROOM, "Lunatic deck, bottom to top: card + 1"),
    ("lunatic_discard", "u1", LUNATIC_ROOM, "Lunatic discard pile, bottom to top: card + 1"),
    ("played", "u1", PILE_ROOM, "cards being played, in order: card + 1"),
    ("aside", "u1", PILE_ROOM, "cards revealed or looked at, in order: card + 1"),
    ("incident_deck", "i1", NUM_INCIDENTS, "incident + 1, bottom to top"),
    ("incident_discard", "i1", NUM_INCIDENTS, "incident + 1, bottom to top"),
    ("seed", "i8", 1, "seed this game was started with"),
    ("candidates", "i8", SEATS, "bit per character dealt for the choice at set-up"),
    ("unused_characters", "i8", 1, "bit per character that can be drawn by whoever recruits; with Lunatic Extra"),
    ("discarded_characters", "i8", 1, "bit per character in the character discard pile"),
    ("open_characters", "i8", 1, "bit per character that lies open to be banned or picked in a draft"),
    ("drawn_characters", "i8", 1, "bit per character drawn by the seat that is asked which one to recruit"),
    ("character_pool", "i8", 1, "bit per character that this game is limited to; 0 = all of the box"),
    # what is remembered: the rules read none of it
    ("tallied", "i8", PHASES, "bit per interaction and seat that has a word in `tallies`: a bit per seat, interaction by interaction"),
    ("tallies", "i8", (PHASES, TALLIES * SEATS), "before and after the first defeat: those words, a byte per other seat, up to 100"),
    ("ruled_out", "i4", SEATS, "bit per role that would have won here when there was no Heroine, before Crisis of Faith"),
    ("log", "u1", (LOG_ROWS, EVENT_COLUMNS), "ring of events, see `EVENT_COLUMN_DOC`"),
]
BEGINS_A_LINE = (
    "legal", "config", "life", "skipped_last", "hand_kinds", "abilities", "used_turn", "item_counts", "discard_kinds", "stack", "spells",
    "tallied", "log",
)  # fmt: skip
"""Fields that begin a memory line: what is read together then lies in as few lines as can be."""
STATE = records.record_type(FIELDS, BEGINS_A_LINE)
STATE_BYTES = STATE.itemsize
ROOM = records.gaps(STATE)
"""Columns of the record that only pad to fields that begin a line: always zero."""
as_bytes = records.as_bytes


def place_of(field: str) -> int:
    """Where a field begins in the record, in bytes."""
    return records.place_of(STATE, field)


PLAY_BYTES = place_of("tallied")
"""The part of the record that play reads; the rest is only remembered."""
BYTES_BEFORE_LOG = place_of("log")
"""The part that play and an observation without a history read: trying answers out needs a copy of no more."""

assert PLAY_BYTES <= 6144, PLAY_BYTES
assert STATE_BYTES % records.LINE == 0, STATE_BYTES
assert LOG_ROWS & (LOG_ROWS - 1) == 0, "a place in the ring is found by a mask"


def room_for(games: int) -> np.ndarray:
    """This number of records of zeros, each of which begins a memory line."""
    return records.room_for(STATE, games)
