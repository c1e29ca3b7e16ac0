"""Programs -> integer tables: one record of fixed shape, so that editing or adding a card recompiles no kernel.

The tables are a record and not a namedtuple of arrays because kernels take them as an argument everywhere: a record is
one pointer, thirty arrays are two hundred machine words a call.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from danmaku_env.cards import lunatic_extra as reserved
from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.characters import CHARACTERS
from danmaku_env.cards.incidents import INCIDENTS
from danmaku_env.cards.main_deck import MAIN_CARDS
from danmaku_env.cards.roles import ADVANCED, BASIC, ROLES, Composition

# ---------------------------------------------------------------- names, in table order

KIND_IDS = tuple(card.id for card in MAIN_CARDS) + reserved.CARD_IDS
ITEM_IDS = tuple(card.id for card in MAIN_CARDS if card.types & v.ITEM) + reserved.ITEM_IDS
USE_IDS = tuple(card.id for card in MAIN_CARDS if card.use) + reserved.USE_IDS
CHARACTER_IDS = tuple(character.id for character in CHARACTERS) + reserved.CHARACTER_IDS
INCIDENT_IDS = tuple(incident.id for incident in INCIDENTS) + reserved.INCIDENT_IDS
ROLE_IDS = ("", *(role.id for role in ROLES), *reserved.ROLE_IDS)
"""Role 0 is no role: what the former Heroine holds after a takeover."""
SOURCE_IDS = ("overdrive", *(character.id for character in CHARACTERS if character.source), *reserved.SOURCE_IDS)

NUM_KINDS, NUM_CHARACTERS, NUM_INCIDENTS, NUM_ROLES = len(KIND_IDS), len(CHARACTER_IDS), len(INCIDENT_IDS), len(ROLE_IDS)
NUM_BASE_KINDS, NUM_BASE_CHARACTERS, NUM_BASE_INCIDENTS = len(MAIN_CARDS), len(CHARACTERS), len(INCIDENTS)

# ---------------------------------------------------------------- capacities (shapes of the compiled kernels)

KINDS, SLOTS, CHARS, INCS, ROLE_ROWS, CARDS = 48, 16, 48, 24, 20, 140
TEXTS, ROWS, SOURCES, USES = 512, 4096, 5, 4
MAX_POOL = 8
MODES, ABILITIES = 2, 2
"""Halves of a card, and abilities of a character, at most."""
PARTNER_POOL, STAGE_POOL, EXTRA_POOL, RIVAL_POOL = range(4)
NUM_POOLS = 4

# columns of the text table
(T_EVENTS, T_RELATION, T_TYPES, T_TAGS, T_CANCEL, T_FLAGS, T_ONCE, T_BIT, T_ANNOUNCE, T_RESOLVE, T_KIND, T_CHARACTER, T_INCIDENT,
 T_ROLE) = range(14)  # fmt: skip
TEXT_COLUMNS = 16
COUNTS_AS_DANMAKU, TARGETS_ALL, CAPTURABLE, PICKS_OWNER, RESOLVES_LAST, MAKES_ATTACKS = 1, 2, 4, 8, 16, 32

TABLES = np.dtype(
    [
        ("event_kinds", "i8", v.NUM_EVENTS),  # bit per kind that has a mode for this window
        ("event_chars", "i8", v.NUM_EVENTS),  # bit per character with an ability or trigger for this event
        ("event_spells", "i8", v.NUM_EVENTS),  # bit per character whose Spell Card answers this window
        ("event_roles", "i8", v.NUM_EVENTS),
        ("event_slots", "i8", v.NUM_EVENTS),
        ("response_kinds", "i8"),  # bit per kind that answers a card after its cancel window, and nothing else
        ("response_spells", "i8"),
        ("use_slots", "i8"),  # bit per item slot with a use
        ("source_chars", "i8"),  # bit per character with a way to her Spell Card
        ("invocations", "i8"),  # bit per kind with an invocation mode
        ("captures", "i8"),  # of these, the kinds that activate another player's Spell Card
        ("type_kinds", "i8", 12),  # bit per kind, for each card type
        ("text", "i4", (TEXTS, TEXT_COLUMNS)),
        ("kind_types", "i4", KINDS),
        ("program", "i2", (ROWS, 4)),
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
        ("kind_first", "u1", KINDS),  # physical ids of a kind: first, one past the last
        ("kind_end", "u1", KINDS),
        ("card_kind", "u1", CARDS),
        ("card_season", "i1", CARDS),
        ("kind_points", "i1", KINDS),
        ("kind_slot", "i1", KINDS),  # item slot or -1
        ("slot_kind", "i1", SLOTS),
        ("slot_stats", "i1", (SLOTS, v.NUM_STATS)),
        ("char_stats", "i1", (CHARS, v.NUM_STATS)),
        ("role_stats", "i1", (ROLE_ROWS, v.NUM_STATS)),
        ("collects_season", "i1", INCS),
        ("collects_each", "i1", INCS),
        ("needs", "i1", INCS),
        ("by_season", "i1", INCS),  # whether seasons matter while it is in play
        ("ends_itself", "i1", INCS),  # its own action, not the last card, resolves it when all is collected meanwhile
        ("ends_on_defeat", "i1", INCS),
        ("ends_on_reshuffle", "i1", INCS),
        ("first_role", "i1"),  # dealt in every game; whoever has it lies open and begins
        ("role_groups", "i1", ROLE_ROWS),
        ("role_team", "i1", ROLE_ROWS),
        ("role_goal", "i2", ROLE_ROWS),
        ("role_becomes", "i1", ROLE_ROWS),
        ("role_fate", "i1", ROLE_ROWS),
        ("pool", "i1", (2, 9, NUM_POOLS, MAX_POOL)),  # [basic/advanced, players, pool, card] -> role
        ("pool_size", "i1", (2, 9, NUM_POOLS)),
        ("dealt", "i1", (2, 9, NUM_POOLS)),  # how many of each pool are dealt
        ("num_cards", "i2"),
        ("num_characters", "i2"),
        ("num_incidents", "i2"),
    ]
)


class CardError(ValueError):
    """A card's program breaks a rule of the vocabulary; the message names the card."""


@dataclass(frozen=True)
class Compiled:
    """The tables kernels read, and what people need to talk about them."""

    tables: np.ndarray
    """One record of dtype TABLES, shape (1,)."""
    texts: tuple[v.Text | None, ...]
    """Text number -> its source; number 0 is no text."""
    titles: tuple[str, ...]
    """Text number -> what it is called in logs and `explain()`."""
    rows: int
    """Program rows in use."""


class _Assembler:
    """Flattens programs into rows; row 0 is an END so that 0 can mean 'nothing'."""

    def __init__(self) -> None:
        self.rows: list[v.Op] = [v.Op(v.END)]

    def add(self, program: v.Program, title: str) -> int:
        if not program:
            return 0
        start = len(self.rows)
        self._emit(program, title)
        self.rows.append(v.Op(v.END))
        return start

    def _emit(self, program: v.Program | v.Step | list[v.Op], title: str) -> None:
        for step in program if isinstance(program, Sequence) and not isinstance(program, v.Op) else [program]:
            if isinstance(step, v.Op):
                self.rows.append(step)
            elif isinstance(step, list):
                self._emit(step, title)
            elif isinstance(step, v.If):
                self._either(v.Op(v.IF, step.condition, step.operand), step.then, step.otherwise, title)
            elif isinstance(step, v.Branch):
                self._either(step.op, step.body, step.otherwise, title)
            elif isinstance(step, v.Each):
                self.rows.append(v.Op(v.START_EACH, step.group))
                self._loop(v.Op(v.NEXT_EACH), step.body, title)
            elif isinstance(step, v.Repeat):
                self.rows.append(v.Op(v.SET_COUNT, step.times))
                self._loop(v.Op(v.COUNT_DOWN), step.body, title)
            elif isinstance(step, v.While):
                self._loop(v.Op(v.IF, step.condition), step.body, title)
            else:
                raise CardError(f"{title}: {step!r} is not a word of the vocabulary")

    def _either(self, head: v.Op, then: v.Program, otherwise: v.Program, title: str) -> None:
        """`head` falls through into `then`, or jumps (operand c) behind it."""
        at = len(self.rows)
        self.rows.append(head)
        self._emit(then, title)
        if otherwise:
            skip = len(self.rows)
            self.rows.append(v.Op(v.JUMP))
            self.rows[at] = head._replace(c=len(self.rows))
            self._emit(otherwise, title)
            self.rows[skip] = v.Op(v.JUMP, 0, 0, len(self.rows))
        else:
            self.rows[at] = head._replace(c=len(self.rows))

    def _loop(self, head: v.Op, body: v.Program, title: str) -> None:
        """`head` falls through into the body, which jumps back, or jumps (operand c) out."""
        at = len(self.rows)
        self.rows.append(head)
        self._emit(body, title)
        self.rows.append(v.Op(v.JUMP, 0, 0, at))
        self.rows[at] = head._replace(c=len(self.rows))


def lint(rows: Sequence[v.Op], start: int, end: int, title: str) -> None:
    """Refuse unknown operations, jumps out of the program, loops without a bound, and operands that do not fit."""
    for at in range(start, end):
        op = rows[at]
        if op.code not in v.OPERATIONS:
            raise CardError(f"{title}: row {at - start} has unknown operation {op.code}")
        if any(not -32768 <= operand <= 32767 for operand in op[1:]):
            raise CardError(f"{title}: row {at - start} has an operand outside 16 bits: {op}")
        if v.OPERATIONS[op.code].jumps and not start <= op.c <= end:
            raise CardError(f"{title}: row {at - start} jumps to {op.c - start}, outside 0..{end - start}")
        backward = op.code == v.JUMP and op.c <= at
        if backward and rows[op.c].code == v.IF and not any(v.OPERATIONS[row.code].moves_card for row in rows[op.c : at]):
            raise CardError(f"{title}: the loop at row {op.c - start} moves no card, so it might never end")


def _bits(positions: Iterable[int]) -> int:
    return sum({1 << position for position in positions})


class _TextTable:
    def __init__(self, tables: np.void, assembler: _Assembler) -> None:
        self.tables = tables
        self.assembler = assembler
        self.texts: list[v.Text | None] = [None]
        self.titles = [""]
        self._once = {v.ONCE_PER_TURN: 0, v.ONCE_PER_ROUND: 0, v.ONCE_PER_ATTACK: 0}

    def add(self, text: v.Text, title: str, column: int, owner: int, *, capturable: bool = True) -> int:
        number = len(self.texts)
        if number >= TEXTS:
            raise CardError(f"{title}: more than {TEXTS - 1} texts; raise TEXTS in compile.py")
        self.texts.append(text)
        self.titles.append(title)
        row = self.tables["text"][number]
        row[T_EVENTS] = _bits(text.events)
        row[T_RELATION] = text.relation
        row[T_TYPES] = text.types
        row[T_TAGS] = text.tags
        row[T_CANCEL] = text.types & (v.DANMAKU | v.ACTION | v.SPELL) if text.cancelable else 0
        picks_owner = any(isinstance(op, v.Op) and op[:2] == (v.CHOOSE_PLAYER, v.SPELL_OWNERS) for op in text.announce)
        row[T_FLAGS] = (
            COUNTS_AS_DANMAKU * text.counts
            | TARGETS_ALL * text.targets_all
            | CAPTURABLE * capturable
            | PICKS_OWNER * picks_owner
            | RESOLVES_LAST * text.resolves_last
        )
        row[T_ONCE] = text.once
        if text.once:
            row[T_BIT] = self._once[text.once]
            self._once[text.once] += 1
        for column_of, program in ((T_ANNOUNCE, text.announce), (T_RESOLVE, text.resolve)):
            start = self.assembler.add(program, title)
            row[column_of] = start
            if start:
                lint(self.assembler.rows, start, len(self.assembler.rows), title)
            if any(op.code == v.ATTACK for op in self.assembler.rows[start:]) and start:
                row[T_FLAGS] |= MAKES_ATTACKS
        row[column] = owner + 1
        return number


def _stats(row: np.ndarray, modifiers: dict[int, int]) -> None:
    for stat, amount in modifiers.items():
        row[stat] = amount


def _compile_cards(tables: np.void, texts: _TextTable) -> None:
    card_id = 0
    for kind, card in enumerate(MAIN_CARDS):
        tables["kind_first"][kind] = card_id
        for season in card.seasons.split():
            tables["card_kind"][card_id] = kind
            tables["card_season"][card_id] = v.SEASONS.index(season)
            card_id += 1
        tables["kind_end"][kind] = card_id
        tables["kind_types"][kind] = card.types
        tables["kind_points"][kind] = card.points
        if card.types & v.ITEM:
            slot = ITEM_IDS.index(card.id)
            tables["kind_slot"][kind] = slot
            _stats(tables["slot_stats"][slot], card.in_play)
            for text in card.triggers:
                tables["slot_trigger"][text.events[0], slot] = texts.add(text, card.name, T_KIND, kind)
                tables["event_slots"][text.events[0]] |= 1 << slot
        if card.use:
            use = USE_IDS.index(card.id)
            tables["use_text"][use] = texts.add(card.use, card.name, T_KIND, kind)
            tables["use_slot"][use] = tables["kind_slot"][kind]
            tables["use_slots"] |= 1 << int(tables["kind_slot"][kind])
        for mode, text in enumerate(card.modes):
            tables["mode_text"][kind, mode] = texts.add(text, card.name, T_KIND, kind)
            if text.types & v.INVOCATION:
                tables["invocations"] |= 1 << kind
                if int(tables["text"][int(tables["mode_text"][kind, mode]), T_FLAGS]) & PICKS_OWNER:
                    tables["captures"] |= 1 << kind
            else:
                for event in text.events:
                    tables["event_kinds"][event] |= 1 << kind
                if v.RESPONSE in text.events and v.STEP not in text.events:
                    tables["response_kinds"] |= 1 << kind
        for bit in range(12):
            if card.types >> bit & 1:
                tables["type_kinds"][bit] |= 1 << kind
    tables["num_cards"] = card_id
    for slot, name in enumerate(ITEM_IDS):
        tables["slot_kind"][slot] = KIND_IDS.index(name)


def _compile_characters(tables: np.void, texts: _TextTable) -> None:
    for number, character in enumerate(CHARACTERS):
        _stats(tables["char_stats"][number], character.modifiers)
        for slot, text in enumerate(character.abilities):
            tables["ability_text"][number, slot] = texts.add(text, character.name, T_CHARACTER, number)
            for event in text.events:
                tables["event_chars"][event] |= 1 << number
        for text in character.triggers:
            event = text.events[0]
            if tables["char_trigger"][event, number]:
                raise CardError(f"{character.name}: two triggers for {v.EVENTS[event]}")
            tables["char_trigger"][event, number] = texts.add(text, character.name, T_CHARACTER, number)
            tables["event_chars"][event] |= 1 << number
        if character.source:
            source = SOURCE_IDS.index(character.id)
            tables["source_text"][source] = texts.add(character.source, character.name, T_CHARACTER, number)
            tables["source_char"][source] = number + 1
            tables["source_chars"] |= 1 << number
        if character.spell is None:
            raise CardError(f"{character.name} has no Spell Card")
        tables["spell_text"][number] = texts.add(
            character.spell, character.spell_name, T_CHARACTER, number, capturable=character.capturable
        )
        for event in character.spell.events:
            tables["event_spells"][event] |= 1 << number
        if v.RESPONSE in character.spell.events and v.STEP not in character.spell.events:
            tables["response_spells"] |= 1 << number
    overdrive = v.spell_source([v.pay_life()], text="Pay 1 life to activate your Spell Card.")
    incident = INCIDENT_IDS.index("overdrive")
    tables["source_text"][SOURCE_IDS.index("overdrive")] = texts.add(overdrive, "Overdrive", T_INCIDENT, incident)
    tables["num_characters"] = len(CHARACTERS)


def _compile_incidents(tables: np.void, texts: _TextTable) -> None:
    for number, incident in enumerate(INCIDENTS):
        for field, program in (("enter_text", incident.enter), ("step_text", incident.step)):
            if program:
                text = v.Text(events=(), resolve=program, text=incident.text)
                tables[field][number] = texts.add(text, incident.name, T_INCIDENT, number)
        tables["collects_types"][number] = incident.collects_types
        tables["collects_season"][number] = incident.collects_season
        tables["collects_each"][number] = incident.collects_each_season
        tables["needs"][number] = incident.needs
        tables["by_season"][number] = incident.collects_season >= 0 or incident.collects_each_season > 0
        tables["laws"][number] = incident.laws
        tables["ends_itself"][number] = any(isinstance(step, v.If) and step.condition == v.COLLECTED_ALL for step in incident.step)
        tables["ends_on_defeat"][number] = incident.resolves_on_defeat
        tables["ends_on_reshuffle"][number] = incident.resolves_on_reshuffle
    tables["num_incidents"] = len(INCIDENTS)


def _compile_roles(tables: np.void, texts: _TextTable) -> None:
    for role in ROLES:
        number = ROLE_IDS.index(role.id)
        _stats(tables["role_stats"][number], role.modifiers)
        tables["role_groups"][number] = role.groups
        tables["role_team"][number] = role.team
        tables["role_goal"][number] = role.goal
        tables["role_becomes"][number] = ROLE_IDS.index(role.becomes) if role.becomes else 0
        tables["role_fate"][number] = role.shared_fate
        for text in role.triggers:
            tables["role_trigger"][text.events[0], number] = texts.add(text, role.name, T_ROLE, number)
            tables["event_roles"][text.events[0]] |= 1 << number
    tables["first_role"] = next(ROLE_IDS.index(role.id) for role in ROLES if role.groups == v.HEROINES)
    for table, compositions in enumerate((BASIC, ADVANCED)):
        for players, composition in compositions.items():
            _compile_composition(tables, table, players, composition)


def _compile_composition(tables: np.void, table: int, players: int, composition: Composition) -> None:
    pools = {
        PARTNER_POOL: (composition.partners, composition.partner_pool),
        STAGE_POOL: (composition.stage_bosses, composition.stage_pool),
        EXTRA_POOL: (composition.extra_bosses, composition.extra_pool),
        RIVAL_POOL: (composition.rivals, ("rival",) * composition.rivals),
    }
    for group, (dealt, pool) in pools.items():
        tables["dealt"][table, players, group] = dealt
        tables["pool_size"][table, players, group] = len(pool)
        for position, name in enumerate(pool):
            tables["pool"][table, players, group, position] = ROLE_IDS.index(name)


@functools.cache
def compile_cards() -> Compiled:
    """All tables. Raises CardError, naming the card, when a program is not sound."""
    array = np.zeros(1, TABLES)
    tables = array[0]
    tables["kind_slot"][:] = -1
    tables["collects_season"][:] = -1
    assembler = _Assembler()
    texts = _TextTable(tables, assembler)
    _compile_cards(tables, texts)
    _compile_characters(tables, texts)
    _compile_incidents(tables, texts)
    _compile_roles(tables, texts)
    if len(assembler.rows) > ROWS:
        raise CardError(f"{len(assembler.rows)} program rows, more than {ROWS}; raise ROWS in compile.py")
    tables["program"][: len(assembler.rows)] = assembler.rows
    return Compiled(array, tuple(texts.texts), tuple(texts.titles), len(assembler.rows))
