"""Cards, characters, incidents and roles -> the tables kernels read (`tables.py`).

Everything is checked first (`lint/`); programs are flattened into rows. The engine can run whatever is compiled.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.box import BASE_GAME, Box, Names, names_of
from danmaku_env.cards.errors import Where
from danmaku_env.cards.lint import memory
from danmaku_env.cards.lint.box import check_box, check_room
from danmaku_env.cards.lint.texts import (
    ANNOUNCED,
    EFFECT,
    ONCE_LIMITED,
    ONCE_OFFERED,
    PICKS_SPELL_OWNER,
    TRIGGERS,
    Use,
    check_text,
    decision,
)
from danmaku_env.cards.roles import Composition
from danmaku_env.cards.tables import (
    ACTIVATES_SPELL,
    BASE_BOX,
    BOTH_BOXES,
    CAPTURABLE,
    COUNT_ABOUT,
    COUNT_PLACE,
    COUNTS_AS_DANMAKU,
    MAKES_ATTACKS,
    PICKS_FALLEN,
    PICKS_OWNER,
    PROJECTS_RANGE,
    RESOLVES_LAST,
    SPENT_BY_OFFER,
    T_ANNOUNCE,
    T_BIT,
    T_CANCEL,
    T_CHARACTER,
    T_COPIES,
    T_EVENTS,
    T_FLAGS,
    T_INCIDENT,
    T_KIND,
    T_ONCE,
    T_RELATION,
    T_RESOLVE,
    T_ROLE,
    T_TAGS,
    T_TYPES,
    TABLES,
    TARGETS_ALL,
    TEXTS,
)


@dataclass(frozen=True)
class Compiled:
    """The tables kernels read, and what people need to talk about them."""

    tables: np.ndarray
    """One record of dtype TABLES, shape (1,)."""
    texts: tuple[v.Text | None, ...]
    """Text number -> its source; number 0 means no text."""
    titles: tuple[str, ...]
    """Text number -> what it is called in logs and `explain()`."""
    rows: int
    """Program rows in use."""


# ---------------------------------------------------------------- programs


class _Assembler:
    """Flattens programs into rows; row 0 is an END so that 0 can mean 'nothing'."""

    def __init__(self) -> None:
        self.rows: list[v.Op] = [v.Op(v.END)]

    def add(self, program: v.Program, before: memory.Memory, where: Where) -> tuple[int, memory.Memory]:
        """The first row of a program, and what is remembered after it. Raises CardError when it cannot be carried out."""
        if not program:
            return 0, before
        start = len(self.rows)
        self._emit(program, where)
        self.rows.append(v.Op(v.END))
        return start, memory.follow(self.rows, start, len(self.rows), before, where)

    def _emit(self, program: v.Program, where: Where) -> None:
        for step in v.plain_steps(program):
            head = v.head(step)
            if head is None:
                raise where.error(f"{step!r} is not a word of the vocabulary")
            if isinstance(step, v.If):
                self._either(head, step.then, step.otherwise, where)
            elif isinstance(step, v.Branch):
                self._either(head, step.body, step.otherwise, where)
            elif isinstance(step, v.While):
                self._loop(head, step.body, where)
            else:
                self.rows.append(head)
            if isinstance(step, v.Each | v.Repeat):
                self._loop(v.Op(v.NEXT_EACH if isinstance(step, v.Each) else v.COUNT_DOWN), step.body, where)

    def _either(self, head: v.Op, then: v.Program, otherwise: v.Program, where: Where) -> None:
        """`head` falls through into `then`, or jumps (operand c) behind it."""
        at = len(self.rows)
        self.rows.append(head)
        self._emit(then, where)
        if otherwise:
            skip = len(self.rows)
            self.rows.append(v.Op(v.JUMP))
            self.rows[at] = head._replace(c=len(self.rows))
            self._emit(otherwise, where)
            self.rows[skip] = v.Op(v.JUMP, 0, 0, len(self.rows))
        else:
            self.rows[at] = head._replace(c=len(self.rows))

    def _loop(self, head: v.Op, body: v.Program, where: Where) -> None:
        """`head` falls through into the body, which jumps back, or jumps (operand c) out."""
        at = len(self.rows)
        self.rows.append(head)
        self._emit(body, where)
        self.rows.append(v.Op(v.JUMP, 0, 0, at))
        self.rows[at] = head._replace(c=len(self.rows))


def _numbers(op: v.Op) -> tuple[int, int, int, int, int]:
    """A row as the kernels read it: a count leaves what is added to it in its place, and its word in the last column."""
    counted = 0
    operands = list(op[1:])
    for place, value in enumerate(operands):
        if isinstance(value, v.Count):
            seats = [about + 1 for about, operand in enumerate(v.OPERATIONS[op.code].operands) if operand.kind is v.Kind.SEAT]
            counted = (value.words[0] + 1) | place * COUNT_PLACE | (seats[0] if seats else 0) * COUNT_ABOUT
            operands[place] = value.plus
    return op.code, int(operands[0]), int(operands[1]), int(operands[2]), counted


# ---------------------------------------------------------------- texts


def _bits(positions: Iterable[int]) -> int:
    return sum({1 << position for position in positions})


def _attacked(rows: list[v.Op]) -> dict[v.SeatOperand, bool]:
    """Chosen player that a text attacks -> whether it does so at any range, or makes everybody be in range."""
    everywhere = any(op.code == v.LAST and op.a == v.ALL_IN_RANGE for op in rows)
    attacks = [(op.a, everywhere or bool(op.c & v.ANY_RANGE)) for op in rows if op.code == v.ATTACK and not op.c & v.BY_SECOND]
    if any(op.code == v.START_EACH and op.a == v.THE_PAIR for op in rows):
        attacks += [(who, far) for word, far in attacks if word == v.EACH for who in (v.CHOSEN, v.SECOND)]
    return {who: any(far for word, far in attacks if word == who) for who, _ in attacks}


def _projects_range(text: v.Text) -> bool:
    """Whether steps before its attack change who is in range: life regained, abilities taken, the incident resolved (K-10)."""
    before = list(itertools.takewhile(lambda op: op.code != v.ATTACK, v.every_row(text.resolve)))
    changes = any(op.code in (v.GAIN_LIFE, v.RESOLVE_INCIDENT) or (op.code == v.LAST and op.a == v.ABILITIES_OFF) for op in before)
    return changes and any(op.code == v.CHOOSE_PLAYER and op.a == v.IN_RANGE for op in v.every_row(text.announce))


def _mark_targets(text: v.Text, rows: list[v.Op], start: int) -> None:
    """Mark the choices, in rows from `start` on, of a player who must be one that can be attacked: in range, or attacked at any range.

    Where range is projected, the possible targets are too.
    """
    projected = _projects_range(text)
    attacked = _attacked(list(v.every_row((*text.announce, *text.resolve))))
    for place, op in enumerate(rows[start:], start):
        if op.code == v.CHOOSE_PLAYER:
            who = v.SECOND if op.c & v.AS_SECOND else v.THIRD if op.c & v.AS_THIRD else v.CHOSEN
            if who in attacked and (attacked[who] or v.GROUP_WORDS[op.a].in_range) and not (projected and op.a == v.IN_RANGE):
                rows[place] = op._replace(c=op.c | v.TO_STRIKE)


class _TextTable:
    """The texts of a box, numbered as they come."""

    def __init__(self, tables: Any, assembler: _Assembler) -> None:
        self.tables = tables
        self.assembler = assembler
        self.texts: list[v.Text | None] = [None]
        self.titles = [""]
        self.once = {v.ONCE_PER_TURN: 0, v.ONCE_PER_ROUND: 0, v.ONCE_PER_ATTACK: 0}
        """How many texts are limited in each way: their bits in the record."""

    def _limit(self, text: v.Text, use: Use, row: np.ndarray, copies: int) -> None:
        """Write how often the text can happen, and keep its bits; every copy of an item has bits of its own (L-31)."""
        once = v.ONCE_PER_TURN if text.once == v.OFFERED_ONCE_PER_TURN else text.once
        row[T_ONCE] = once
        if once and (use in ONCE_LIMITED or (use in TRIGGERS and text.once in ONCE_OFFERED)):
            row[T_COPIES] = copies if once in (v.ONCE_PER_TURN, v.ONCE_PER_ROUND) else 0
            row[T_BIT] = self.once[once]
            self.once[once] += max(1, int(row[T_COPIES]))

    def add(
        self, text: v.Text, use: Use, title: str, owner: tuple[int, int], where: Where, *, capturable: bool = True, copies: int = 0
    ) -> int:
        """The number of a text; `owner` is its column in the table and the number of what it is printed on. Raises CardError.

        `copies`: of an item, how many there are in both decks.
        """
        check_text(text, use, where)
        number = len(self.texts)
        self.texts.append(text)
        self.titles.append(title)
        if number >= TEXTS:
            return 0  # refused when all are counted
        row = self.tables["text"][number]
        row[T_EVENTS] = _bits(text.events)
        row[T_RELATION] = text.relation
        row[T_TYPES] = text.types
        row[T_TAGS] = text.tags
        row[T_CANCEL] = text.types & (v.DANMAKU | v.ACTION | v.SPELL) if text.cancelable else 0
        row[T_FLAGS] = (
            COUNTS_AS_DANMAKU * text.counts
            | TARGETS_ALL * text.targets_all
            | CAPTURABLE * capturable
            | PICKS_OWNER * any(row in text.announce for row in PICKS_SPELL_OWNER)
            | PICKS_FALLEN * (v.choose_player(v.FALLEN_OWNERS) in text.announce)
            | RESOLVES_LAST * text.resolves_last
            | PROJECTS_RANGE * _projects_range(text)
            | SPENT_BY_OFFER * (text.once == v.OFFERED_ONCE_PER_TURN)
        )
        self._limit(text, use, row, copies)
        start = len(self.assembler.rows)
        announce, resolve = decision(text) if use in TRIGGERS else (text.announce, text.resolve)
        row[T_ANNOUNCE], after = self.assembler.add(announce, memory.NO_MEMORIES, where._replace(program=ANNOUNCED))
        row[T_RESOLVE], _ = self.assembler.add(resolve, after, where._replace(program=EFFECT))
        if any(op.code == v.ATTACK for op in v.every_row((*text.announce, *text.resolve))):
            row[T_FLAGS] |= MAKES_ATTACKS
        if v.activate(v.ME) in text.resolve:
            row[T_FLAGS] |= ACTIVATES_SPELL
        _mark_targets(text, self.assembler.rows, start)
        column, thing = owner
        row[column] = thing + 1
        return number


# ---------------------------------------------------------------- what is printed


def _stats(row: np.ndarray, modifiers: Mapping[v.Stat, int]) -> None:
    for stat, amount in modifiers.items():
        row[stat] = amount


def _physical_cards(box: Box, names: Names) -> Iterator[tuple[int, str, bool]]:
    """Kind, season, and whether it is of the Lunatic deck, of every physical card: first the base game, last the Lunatic deck."""
    for cards in (box.cards, box.expansion.cards):
        for card in cards:
            for season in card.seasons.split():
                yield names.kinds.index(card.id), season, False
    for card in box.all_cards:
        for season in box.lunatic_seasons(card).split():
            yield names.kinds.index(card.id), season, True


def _compile_copies(tables: Any, box: Box, names: Names) -> None:
    """The physical cards, and the chain from copy to copy of a kind.

    Season by season, in the order in which the card's list first has them: which copy goes where nobody is asked (C-19) must follow from
    what can be seen of the copies.
    """
    copies: dict[int, list[int]] = {}
    printed = list(_physical_cards(box, names))
    tables["first_copy"][:] = -1
    tables["next_copy"][:] = -1
    for card, (kind, season, lunatic) in enumerate(printed):
        tables["card_kind"][card] = kind
        tables["card_season"][card] = v.SEASONS.index(season)
        tables["card_lunatic"][card] = lunatic
        copies.setdefault(kind, []).append(card)
    tables["cards_in"][BOTH_BOXES] = len(printed)
    for kind, cards in copies.items():
        chain = sorted(cards, key=lambda card: printed.index(printed[card]))
        tables["first_copy"][kind] = chain[0]
        tables["next_copy"][chain[:-1]] = chain[1:]
    tables["first_lunatic"] = sum(len(card.seasons.split()) for card in box.all_cards)
    tables["cards_in"][BASE_BOX] = sum(len(card.seasons.split()) for card in box.cards)


def _compile_cards(tables: Any, texts: _TextTable, box: Box, names: Names) -> None:
    _compile_copies(tables, box, names)
    for card in box.all_cards:
        kind = names.kinds.index(card.id)
        tables["kind_types"][kind] = card.types
        tables["kind_points"][kind] = card.points
        if card.types & v.ITEM:
            _compile_item(tables, texts, names, kind, card)
        for mode, text in enumerate(card.modes):
            where = Where(card.name, ("first half", "second half")[mode] if len(card.modes) > 1 else "")
            tables["mode_text"][kind, mode] = texts.add(text, Use.HALF, card.name, (T_KIND, kind), where)
            _offer_mode(tables, kind, text)
        for bit in range(len(v.TYPES)):
            if card.types >> bit & 1:
                tables["type_kinds"][bit] |= 1 << kind
    for slot, name in enumerate(names.items):
        tables["slot_kind"][slot] = names.kinds.index(name)


def _compile_item(tables: Any, texts: _TextTable, names: Names, kind: int, card: v.Card) -> None:
    """What an item does in play."""
    slot = names.items.index(card.id)
    copies = int((tables["card_kind"][: tables["cards_in"][BOTH_BOXES]] == kind).sum())
    tables["kind_slot"][kind] = slot
    tables["slot_gives"][slot] = _gives(card.triggers)
    _stats(tables["slot_stats"][slot], card.in_play)
    if any(stat >= v.NUM_ITEM_STATS and v.STAT_WORDS[stat].kind is not v.ModifierKind.SETS for stat in card.in_play):
        tables["power_slots"] |= 1 << slot
    for text in card.triggers:
        where = Where(card.name, f"in play, trigger on {v.EVENTS[text.events[0]]}")
        tables["slot_trigger"][text.events[0], slot] = texts.add(text, Use.ITEM_TRIGGER, card.name, (T_KIND, kind), where, copies=copies)
        tables["event_slots"][text.events[0]] |= 1 << slot
    if card.use:
        use = names.uses.index(card.id)
        where = Where(card.name, "in play, use")
        tables["use_text"][use] = texts.add(card.use, Use.ITEM_USE, card.name, (T_KIND, kind), where, copies=copies)
        tables["use_slot"][use] = slot
        if v.activate(v.ME) in card.use.resolve:
            tables["use_slots"] |= 1 << slot
        else:
            for event in card.use.events:
                tables["event_slots"][event] |= 1 << slot


def _offer_mode(tables: Any, kind: int, text: v.Text) -> None:
    """Note where a half is offered."""
    if text.types & v.INVOCATION:
        tables["invocations"] |= 1 << kind
        if any(row in text.announce for row in PICKS_SPELL_OWNER):
            tables["captures"] |= 1 << kind
        return
    for event in text.events:
        tables["event_kinds"][event] |= 1 << kind
        if v.STEP not in text.events:
            tables["answer_kinds"][event] |= 1 << kind
    if v.RESPONSE in text.events and (v.STEP not in text.events or text.types & v.INSTANT):
        tables["response_kinds"] |= 1 << kind


def _compile_characters(tables: Any, texts: _TextTable, box: Box, names: Names) -> None:
    for character in box.all_characters:
        number = names.characters.index(character.id)
        name, owner = character.name, (T_CHARACTER, number)
        _stats(tables["char_stats"][number], character.modifiers)
        for circumstance, modifiers in character.circumstances.items():
            _stats(tables["char_stats_when"][number, circumstance], modifiers)
            tables["chars_when"] |= 1 << number
        for slot, text in enumerate(character.abilities):
            tables["ability_text"][number, slot] = texts.add(text, Use.ABILITY, name, owner, Where(name, f"ability {slot + 1}"))
            for event in text.events:
                tables["event_chars"][event] |= 1 << number
            _note_answers(tables, number, text)
        for text in character.triggers:
            event = text.events[0]
            where = Where(name, f"trigger on {v.EVENTS[event]}")
            tables["char_trigger"][event, number] = texts.add(text, Use.TRIGGER, name, owner, where)
            tables["event_chars"][event] |= 1 << number
        _note_abilities(tables, number, character)
        if character.source:
            source = _compile_source(tables, texts, names, character, character.source, owner)
            tables["source_char"][source] = number + 1
            tables["source_chars"] |= 1 << number
        _compile_spell(tables, texts, number, character)
    for which, characters in ((BASE_BOX, box.characters), (BOTH_BOXES, box.characters + box.expansion.characters)):
        tables["characters_in"][which] = _bits(names.characters.index(character.id) for character in characters)
    tables["bonus_characters"] = _bits(names.characters.index(character.id) for character in box.bonus)


def _compile_source(
    tables: Any, texts: _TextTable, names: Names, thing: v.Character | v.Incident, text: v.Text, owner: tuple[int, int]
) -> int:
    """The number of the way to one's Spell Card that comes with a character or an incident."""
    source = names.sources.index(thing.id)
    tables["source_text"][source] = texts.add(text, Use.SOURCE, thing.name, owner, Where(thing.name, "way to the Spell Card"))
    return source


def _gives(triggers: Iterable[v.Text]) -> int:
    """What Extra Characters give that these texts recruit; 0 when they recruit none."""
    return next((op.a for text in triggers for op in v.every_row(text.resolve) if op.code == v.RECRUIT), 0)


def _note_abilities(tables: Any, number: int, character: v.Character) -> None:
    """Note whether an ability recruits, names the ability of another, or lifts the limits of items."""
    tables["char_gives"][number] = _gives(character.triggers)
    tables["recruiters"] |= int(tables["char_gives"][number] > 0) << number
    for op in [op for text in character.triggers for op in v.every_row(text.resolve) if op.code == v.NAME_ABILITY]:
        tables["mirrors" if op.a else "copiers"] |= 1 << number
    tables["unlimited"] |= int(v.NO_ITEM_LIMITS in character.modifiers) << number


def _note_answers(tables: Any, number: int, text: v.Text) -> None:
    """Note which windows a text of a character is for, unless it is for any."""
    if v.STEP not in text.events:
        for event in text.events:
            tables["answers"][event] |= 1 << number


def _compile_spell(tables: Any, texts: _TextTable, number: int, character: v.Character) -> None:
    spell = character.spell
    assert spell is not None  # checked with the character
    where = Where(character.name, f"Spell Card {character.spell_name}")
    owner = (T_CHARACTER, number)
    text = texts.add(spell, Use.SPELL, character.spell_name, owner, where, capturable=character.capturable)
    tables["spell_text"][number] = text
    for event in spell.events:
        tables["event_spells"][event] |= 1 << number
    _note_answers(tables, number, spell)
    if v.RESPONSE in spell.events and v.STEP not in spell.events:
        tables["response_spells"] |= 1 << number


def _compile_incidents(tables: Any, texts: _TextTable, box: Box, names: Names) -> None:
    for incident in box.all_incidents:
        if incident.source:
            owner = (T_INCIDENT, names.incidents.index(incident.id))
            _compile_source(tables, texts, names, incident, incident.source, owner)
    for incident in box.all_incidents:
        number = names.incidents.index(incident.id)
        for field, when, program in (("enter_text", "on entering", incident.enter), ("step_text", "in its step", incident.step)):
            if program:
                text = v.Text(events=(), resolve=program, text=incident.text)
                tables[field][number] = texts.add(text, Use.INCIDENT, incident.name, (T_INCIDENT, number), Where(incident.name, when))
        tables["collects_types"][number] = incident.collects_types
        tables["collects_season"][number] = incident.collects_season
        tables["collects_each"][number] = incident.collects_each_season
        tables["collects_lunatic"][number] = incident.collects_lunatic
        tables["collects_points"][number] = incident.collects_points
        tables["collects_incidents"][number] = incident.collects_incidents
        tables["needs"][number] = incident.needs
        tables["needs_per_player"][number] = incident.needs_per_player
        tables["by_season"][number] = incident.collects_season >= 0 or incident.collects_each_season > 0
        tables["laws"][number] = incident.laws
        tables["ends_itself"][number] = any(isinstance(step, v.If) and step.condition == v.COLLECTED_ALL for step in incident.step)
        tables["ends_on_defeat"][number] = incident.resolves_on_defeat
        tables["ends_on_reshuffle"][number] = incident.resolves_on_reshuffle
    for which, incidents in ((BASE_BOX, box.incidents), (BOTH_BOXES, box.all_incidents)):
        tables["incidents_in"][which] = _bits(names.incidents.index(incident.id) for incident in incidents)


def _compile_roles(tables: Any, texts: _TextTable, box: Box, names: Names) -> None:
    for role in box.all_roles:
        number = names.roles.index(role.id)
        _stats(tables["role_stats"][number], role.modifiers)
        tables["role_factions"][number] = role.factions
        tables["role_team"][number] = role.team
        tables["role_goal"][number] = role.goal
        tables["role_becomes"][number] = names.roles.index(role.becomes) if role.becomes else 0
        tables["role_fate"][number] = role.shared_fate
        tables["role_season"][number] = next(season for faction, season in v.ROLE_SEASONS.items() if role.factions & faction)
        tables["role_gives"][number] = _gives(role.triggers)
        for text in role.triggers:
            event = text.events[0]
            where = Where(role.name, f"trigger on {v.EVENTS[event]}")
            tables["role_trigger"][event, number] = texts.add(text, Use.TRIGGER, role.name, (T_ROLE, number), where)
            tables["event_roles"][event] |= 1 << number
    tables["first_role"] = next(names.roles.index(role.id) for role in box.roles if role.factions == v.HEROINES)
    for table, compositions in enumerate((box.basic, box.advanced, box.expansion.basic, box.expansion.advanced)):
        for players, composition in compositions.items():
            _compile_composition(tables, names, table, players, composition)


def _compile_composition(tables: Any, names: Names, table: int, players: int, composition: Composition) -> None:
    for number, (dealt, pool) in enumerate(composition.pools):
        tables["dealt"][table, players, number] = dealt
        tables["pool_size"][table, players, number] = len(pool)
        for position, name in enumerate(pool):
            tables["pool"][table, players, number, position] = names.roles.index(name)


def compile_box(box: Box) -> Compiled:
    """The tables of a box. Raises CardError, naming card, text and word, when something in it cannot be carried out."""
    names = names_of(box)
    check_box(box, names)
    array = np.zeros(1, TABLES)
    tables = array[0]
    tables["kind_slot"][:] = -1
    tables["collects_season"][:] = -1
    assembler = _Assembler()
    texts = _TextTable(tables, assembler)
    _compile_cards(tables, texts, box, names)
    _compile_characters(tables, texts, box, names)
    _compile_incidents(tables, texts, box, names)
    _compile_roles(tables, texts, box, names)
    check_room(len(texts.texts), len(assembler.rows), texts.once)
    tables["program"][: len(assembler.rows)] = [_numbers(op) for op in assembler.rows]
    return Compiled(array, tuple(texts.texts), tuple(texts.titles), len(assembler.rows))


@functools.cache
def compile_cards() -> Compiled:
    """All tables of both boxes. Raises CardError, naming card, text and word, when a program is not sound."""
    return compile_box(BASE_GAME)
