"""The tables kernels read: one record of fixed shape, so that editing or adding a card recompiles no kernel.

They are a record and not a namedtuple of arrays because kernels take them as an argument everywhere: a record is one pointer, thirty
arrays are two hundred machine words a call. This module has their shape and their room; `compile.py` fills them.
"""

from __future__ import annotations

import numpy as np

from danmaku_env.cards import vocabulary as v

# ---------------------------------------------------------------- capacities

KINDS, SLOTS, CHARS, INCS, ROLE_ROWS, CARDS = 48, 16, 56, 24, 20, 144
TEXTS, ROWS, SOURCES, USES = 512, 4096, 5, 4
MODES, ABILITIES = 2, 2
"""Halves of a card, and abilities of a character, at most."""
POOL_FACTIONS = (v.PARTNERS, v.STAGE_BOSSES, v.EXTRA_BOSSES, v.RIVALS)
"""The faction whose roles are dealt from each pool."""
STAGE_POOL, RIVAL_POOL = 1, 3
"""The pools of Stage Bosses and of the Rival, by their places in POOL_FACTIONS."""
NUM_POOLS = 4
MAX_POOL = 8
PILE_ROOM, LUNATIC_ROOM = 104, 40
"""The room of their piles in the record: the 100 cards of the Main deck with the expansion and 4 of one's own, and the Lunatic deck."""
BASE_BOX, BOTH_BOXES = range(2)
NUM_BOXES = 2
BASIC_DEAL, ADVANCED_DEAL = range(2)
NUM_DEALS = 2 * NUM_BOXES
"""Ways to deal roles: basic and advanced ones for either box."""
ANY_DEAL = BASIC_DEAL
"""To look up how many cards are dealt of each pool: the number is the same in all deals (checked with the box), the cards of the pools
differ."""
PLAYERS = range(4, 9)
ONCE_TEXTS, ONCE_PER_ATTACK_TEXTS = 31, 2
"""Texts that can be limited per turn, the same number per round; and per attack, two bits a seat in the frame of the attack."""

# columns of a program row: the operation, its operands, and what one of them counts
R_CODE, R_A, R_B, R_C, R_COUNT = range(5)
ROW_COLUMNS = 5
COUNT_PLACE, COUNT_ABOUT = 16, 64
"""What a row counts is one number: the count word + 1, then, in these units, the operand that it is added to, and the operand + 1 of the
seat it is about (0: oneself)."""

# columns of the text table
(T_EVENTS, T_RELATION, T_TYPES, T_TAGS, T_CANCEL, T_FLAGS, T_ONCE, T_BIT, T_ANNOUNCE, T_RESOLVE, T_KIND, T_CHARACTER, T_INCIDENT,
 T_ROLE, T_COPIES) = range(15)  # fmt: skip
TEXT_COLUMNS = 16
"""T_COPIES: of a text of an item that is limited per turn or round, for how many copies there are bits from T_BIT on (L-31); else 0."""
(COUNTS_AS_DANMAKU, TARGETS_ALL, CAPTURABLE, PICKS_OWNER, RESOLVES_LAST, MAKES_ATTACKS, ACTIVATES_SPELL, PICKS_FALLEN, PROJECTS_RANGE,
 SPENT_BY_OFFER) = (1 << bit for bit in range(10))  # fmt: skip

TABLES = np.dtype(
    [
        ("event_kinds", "i8", v.NUM_EVENTS),  # bit per kind that has a mode for this window
        ("event_chars", "i8", v.NUM_EVENTS),  # bit per character with an ability or trigger for this event
        ("event_spells", "i8", v.NUM_EVENTS),  # bit per character whose Spell Card answers this window
        ("event_roles", "i8", v.NUM_EVENTS),
        ("event_slots", "i8", v.NUM_EVENTS),
        ("answers", "i8", v.NUM_EVENTS),  # bit per character with an ability or Spell Card for this window and not for any
        ("answer_kinds", "i8", v.NUM_EVENTS),  # bit per kind with a half for this window and not for any
        ("response_kinds", "i8"),  # bit per kind that answers a card after its cancel window, and is no invocation or rescue
        ("response_spells", "i8"),
        ("use_slots", "i8"),  # bit per item slot with a use that activates one's Spell Card
        ("source_chars", "i8"),  # bit per character with a way to her Spell Card
        ("power_slots", "i8"),  # bit per item slot with modifiers that are not among the sums of the record
        ("invocations", "i8"),  # bit per kind with an invocation mode
        ("captures", "i8"),  # of these, the kinds that activate another player's Spell Card
        ("type_kinds", "i8", len(v.TYPES)),  # bit per kind, for each card type
        ("text", "i8", (TEXTS, TEXT_COLUMNS)),
        ("kind_types", "i4", KINDS),
        ("program", "i2", (ROWS, ROW_COLUMNS)),
        ("reached", "u1", ROWS),  # set by the interpreter when a row is first carried out: coverage, read by tests only
        ("mode_text", "i2", (KINDS, MODES)),
        ("use_text", "i2", USES),
        ("use_slot", "i2", USES),
        ("source_text", "i2", SOURCES),
        ("source_char", "i2", SOURCES),  # character + 1, 0 for the incident's
        ("spell_text", "i2", CHARS),
        ("ability_text", "i2", (CHARS, ABILITIES)),
        ("char_trigger", "i2", (v.NUM_EVENTS, CHARS)),
        ("slot_trigger", "i2", (v.NUM_EVENTS, SLOTS)),
        ("role_trigger", "i2", (v.NUM_EVENTS, ROLE_ROWS)),
        ("enter_text", "i2", INCS),
        ("step_text", "i2", INCS),
        ("collects_types", "i2", INCS),
        ("laws", "i2", INCS),
        ("first_copy", "i2", KINDS),  # physical id of a kind's first copy
        ("next_copy", "i2", CARDS),  # the next copy of the same kind; -1 behind the last
        ("card_kind", "u1", CARDS),
        ("card_season", "i1", CARDS),
        ("card_lunatic", "u1", CARDS),  # whether it belongs to the Lunatic deck
        ("kind_points", "i1", KINDS),
        ("kind_slot", "i1", KINDS),  # item slot or -1
        ("slot_kind", "i1", SLOTS),
        ("slot_stats", "i1", (SLOTS, v.NUM_STATS)),
        ("char_stats", "i1", (CHARS, v.NUM_STATS)),
        ("role_stats", "i1", (ROLE_ROWS, v.NUM_STATS)),
        ("char_stats_when", "i1", (CHARS, v.NUM_CIRCUMSTANCES, v.NUM_STATS)),  # besides those, under a circumstance
        ("chars_when", "i8"),  # bit per character with such stats
        ("collects_season", "i1", INCS),
        ("collects_each", "i1", INCS),
        ("collects_lunatic", "i1", INCS),  # whether it collects cards of the Lunatic deck
        ("collects_points", "i1", INCS),  # it collects cards worth this many points or more; 0: points do not matter
        ("collects_incidents", "i1", INCS),  # whether it collects resolved incidents
        ("needs", "i1", INCS),
        ("needs_per_player", "i1", INCS),  # whether it needs a card more for every active player
        ("by_season", "i1", INCS),  # whether seasons matter while it is in play
        ("ends_itself", "i1", INCS),  # its own action, not the last card, resolves it when all is collected meanwhile
        ("ends_on_defeat", "i1", INCS),
        ("ends_on_reshuffle", "i1", INCS),
        ("first_role", "i1"),  # dealt in every game; whoever has it lies open and begins
        ("role_factions", "i1", ROLE_ROWS),
        ("role_team", "i1", ROLE_ROWS),
        ("role_goal", "i2", ROLE_ROWS),
        ("role_becomes", "i1", ROLE_ROWS),
        ("role_fate", "i1", ROLE_ROWS),
        ("role_season", "i1", ROLE_ROWS),
        ("pool", "i1", (NUM_DEALS, PLAYERS.stop, NUM_POOLS, MAX_POOL)),  # [basic/advanced of a box, players, pool, card] -> role
        ("pool_size", "i1", (NUM_DEALS, PLAYERS.stop, NUM_POOLS)),
        ("dealt", "i1", (NUM_DEALS, PLAYERS.stop, NUM_POOLS)),  # how many of each pool are dealt
        ("first_lunatic", "i2"),  # physical ids of the Lunatic deck begin here
        ("cards_in", "i2", NUM_BOXES),  # physical cards of the base game; of both boxes
        ("characters_in", "i8", NUM_BOXES),  # bit per character
        ("bonus_characters", "i8"),  # of those that come with either box if one likes
        ("recruiters", "i8"),  # of those whose ability recruits Extra Characters
        ("unlimited", "i8"),  # of those whose ability lets them have any number of items of a kind
        ("copiers", "i8"),  # of those whose ability names the ability of another, again and again
        ("mirrors", "i8"),  # and once for the whole game
        ("char_gives", "i1", CHARS),  # what Extra Characters give that are recruited by an ability (v.EXTRA_GIVES); 0 = it recruits none
        ("slot_gives", "i1", SLOTS),  # by an item
        ("role_gives", "i1", ROLE_ROWS),  # by a role
        ("incidents_in", "i8", NUM_BOXES),  # bit per incident
    ]
)
