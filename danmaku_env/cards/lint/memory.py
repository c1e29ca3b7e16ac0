"""Checks of what a text remembers, followed through its two programs: whatever a row reads has been set, and every loop ends.

The rows are walked with what every register may hold at each of them (`registers.py`), over all paths of the program at once. A row that
can only find nothing, or finds what something else left there, is refused. A loop ends when every round of it takes a card from where there
are only a few, visits one seat fewer or counts down.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.errors import Where
from danmaku_env.cards.vocabulary import Content, Read, Register

_NOTHING = frozenset((Content.NOTHING,))
_OF_CHOSEN = {Content.LOOKED_CHOSEN, Content.SHOWN_CHOSEN}


@dataclass(frozen=True)
class Memory:
    """What may be remembered at one row."""

    held: Mapping[Register, frozenset[Content]]
    hand_left: bool = False
    """Whether one certainly has a card in hand."""

    def get(self, register: Register) -> frozenset[Content]:
        """What a register may hold."""
        return self.held[register]

    def put(self, register: Register, contents: frozenset[Content]) -> Memory:
        """A copy in which one register may hold these contents."""
        return replace(self, held={**self.held, register: contents})

    def joined(self, other: Memory) -> Memory:
        """What may be remembered where two ways meet."""
        held = {register: self.get(register) | other.get(register) for register in Register}
        return Memory(held, self.hand_left and other.hand_left)


NO_MEMORIES = Memory(dict.fromkeys(Register, _NOTHING))
"""What a text remembers before its first row."""


class Way(NamedTuple):
    """One way on from a row."""

    row: int
    memory: Memory
    progress: bool = False
    """Whether a loop cannot go this way for ever."""


def follow(rows: Sequence[v.Op], start: int, end: int, before: Memory, where: Where) -> Memory:
    """Walk the program in rows `start` to `end`, the last being its END; returns what is remembered afterwards. Raises CardError."""
    at: dict[int, Memory] = {start: before}
    ways: dict[int, list[Way]] = {}
    todo = [start]
    while todo:
        row = todo.pop()
        ways[row] = _ways(rows[row], row, at[row])
        for way in ways[row]:
            memory = at[way.row].joined(way.memory) if way.row in at else way.memory
            if way.row not in at or memory != at[way.row]:
                at[way.row] = memory
                todo.append(way.row)
    for row in sorted(at):  # only now: a row is reached by all its ways
        _check_reads(rows[row], at[row], where)
    for row in range(start, end - 1):
        if row not in at and rows[row].code != v.JUMP:
            raise where.error("is never carried out", v.OPERATIONS[rows[row].code].written)
    _check_loops(rows, ways, where)
    after = [at[row] for row in at if rows[row].code in v.ENDING and rows[row].code != v.DECLINE]
    if not after:
        raise where.error("never ends; a loop for ever needs a stop()")
    memory = functools.reduce(Memory.joined, after)
    if Content.INCIDENTS in memory.get(Register.ASIDE):
        raise where.error("leaves incidents aside; they go back to their deck", "look")
    return memory


# ---------------------------------------------------------------- reading


def reads_of(op: v.Op) -> Iterator[Read]:
    """Everything a row reads: its operation, and the words among its operands."""
    operation = v.OPERATIONS[op.code]
    yield from operation.reads
    for operand, value in zip(operation.operands, op[1:], strict=True):
        if operand.kind is v.Kind.SEAT:
            yield from v.SEAT_WORDS[value].reads
        elif operand.kind is v.Kind.GROUP:
            yield from v.GROUP_WORDS[value].reads
        elif operand.kind is v.Kind.CONDITION:
            yield from v.CONDITION_WORDS[value].reads
        elif isinstance(value, v.Count):
            yield from _counted(op, value)
    yield from _reads_of_flags(op)


def _counted(op: v.Op, count: v.Count) -> tuple[Read, ...]:
    """What a count reads; the AMOUNT is a number, but the type named where types are banned."""
    if op.code == v.LAST and v.LASTING_WORDS[op.a].value is v.Value.TYPE:
        return (Read(Register.AMOUNT, (Content.TYPE,), sure=True),)
    return v.COUNT_WORDS[count.words[0]].reads


def _reads_of_flags(op: v.Op) -> Iterator[Read]:
    """What a row reads because of its flags, or because of which player it is about."""
    if op.code == v.CHOOSE_PLAYER and op.c & v.DISTINCT:
        yield Read(Register.CHOSEN, v.A_PLAYER)
    if op.code == v.ATTACK and op.c & v.BY_SECOND:
        yield Read(Register.SECOND, v.A_PLAYER)
    if op.code == v.ATTACK and op.c & v.BOOSTED:
        yield Read(Register.AMOUNT, (Content.NUMBER,))
    if op.code == v.LOOK and op.b:
        yield Read(Register.DECK, (Content.DECK,), sure=True)
    if op.code == v.ACTIVATE and op.a == v.CHOSEN:
        yield Read(Register.CHOSEN, (Content.SPELL_OWNER,))
    if op.code == v.CHOOSE_FROM_HAND:
        yield Read(Register.SEEN, (Content.NOTHING, *_OF_CHOSEN) if op.a == v.CHOSEN else (Content.NOTHING,))


def _check_reads(op: v.Op, memory: Memory, where: Where) -> None:
    for read in reads_of(op):
        held, accepted = memory.get(read.register), frozenset(read.accepts)
        word = v.OPERATIONS[op.code].written
        others = (held - _NOTHING) - accepted
        if others:
            found = " or ".join(sorted(content.value for content in others))
            raise where.error(f"reads {read.register.value}, but finds {found} there, not {_wanted(read)}", word)
        if not held & accepted:
            raise where.error(f"reads {read.register.value}, which nothing before it sets", word)
        if read.sure and not held <= accepted:
            raise where.error(f"needs {_wanted(read)} as {read.register.value}, which may be missing here", word)
    if v.OPERATIONS[op.code].pushes and memory.get(Register.ASIDE) != _NOTHING:
        raise where.error("interrupts the text while cards are aside; deal with those first", v.OPERATIONS[op.code].written)


def _wanted(read: Read) -> str:
    return " or ".join(content.value for content in read.accepts)


# ---------------------------------------------------------------- setting, and going on


def _ways(op: v.Op, row: int, memory: Memory) -> list[Way]:
    """Where a program goes on after a row, and with what in mind."""
    if op.code in v.ENDING:
        return []
    if op.code == v.JUMP:
        return [Way(op.c, memory)]
    if op.code == v.IF:
        met = Way(row + 1, _where_holds(op.a, memory))
        return [met] if op.a == v.TRUE else [met, Way(op.c, _where_fails(op.a, memory))]
    if op.code == v.NEXT_EACH:
        return [
            Way(row + 1, memory.put(Register.THIRD, frozenset((Content.ANYBODY,))), progress=True),
            Way(op.c, memory.put(Register.THIRD, _NOTHING)),
        ]
    if op.code == v.COUNT_DOWN:
        return [Way(row + 1, memory, progress=True), Way(op.c, memory)]
    after = _after(op, memory)
    if op.code == v.DISCARD_OR:
        return [Way(row + 1, after), Way(op.c, after, progress=_is_sure_of(op.a, memory))]
    if v.OPERATIONS[op.code].jumps:
        return [Way(row + 1, after), Way(op.c, after)]
    return [Way(row + 1, after, progress=_takes_away(op, memory))]


def _where_holds(condition: v.Condition, memory: Memory) -> Memory:
    register = v.SURE_THAT.get(condition)
    if register:
        return memory.put(register, memory.get(register) - _NOTHING)
    return replace(memory, hand_left=True) if condition == v.HAND_LEFT else memory


def _where_fails(condition: v.Condition, memory: Memory) -> Memory:
    register = v.SURE_THAT.get(condition)
    return memory.put(register, _NOTHING) if register else memory


def _after(op: v.Op, memory: Memory) -> Memory:
    """What may be remembered after a row."""
    operation = v.OPERATIONS[op.code]
    after = memory if op.code in _LEAVE_HAND_ALONE else replace(memory, hand_left=False)
    for register, leaves in (*operation.sets, *_sets_by_operands(op, memory)):
        after = _written(after, register, frozenset(leaves))
    if any(source is v.Place.ASIDE for source, _ in operation.moves) and Register.ASIDE not in dict(operation.sets):
        after = after.put(Register.ASIDE, after.get(Register.ASIDE) | _NOTHING)
    return after


_LEAVE_HAND_ALONE = (v.CHOOSE_PLAYER, v.CHOOSE_CARD, v.CHOOSE_NUMBER, v.CHOOSE_TYPE, v.CHOOSE_DECK, v.CHOOSE_END, v.START_EACH, v.SET_COUNT)


def _written(memory: Memory, register: Register, leaves: frozenset[Content]) -> Memory:
    if register is Register.ASIDE and leaves != _NOTHING:  # laid to what is there, or to nothing when the deck is empty
        return memory.put(register, memory.get(register) | leaves)
    if register is Register.ASIDE:
        memory = memory.put(Register.PICK, frozenset(_gone(content) for content in memory.get(Register.PICK)))
    if register is Register.CHOSEN:  # whoever's hand was looked at is the chosen player no longer
        seen = memory.get(Register.SEEN)
        memory = memory.put(Register.SEEN, frozenset(Content.OTHER_HAND if content in _OF_CHOSEN else content for content in seen))
    return memory.put(register, leaves)


def _gone(content: Content) -> Content:
    return Content.NOTHING if content in (Content.ASIDE_CARD, Content.ASIDE_ITEM, Content.ASIDE_INCIDENT) else content


def _sets_by_operands(op: v.Op, memory: Memory) -> Iterator[tuple[Register, tuple[Content, ...]]]:
    """What a row sets because of its operands."""
    if op.code == v.CHOOSE_PLAYER:
        register = Register.THIRD if op.c & v.AS_THIRD else Register.SECOND if op.c & v.AS_SECOND else Register.CHOSEN
        yield register, _player_of(op)
    elif op.code == v.CHOOSE_CARD and op.a == v.ANY_TYPE and not op.c & v.OPTIONAL and memory.hand_left:
        yield Register.PICK, (Content.OWN_CARD,)
    elif op.code == v.CHOOSE_ASIDE:
        yield Register.PICK, _pick_of_aside(op, memory.get(Register.ASIDE))
    elif op.code == v.REVEAL_UNTIL:
        yield Register.PICK, (Content.NOTHING, Content.ASIDE_ITEM if op.a == v.ITEM else Content.ASIDE_CARD)
    elif op.code == v.LOOK and op.b:
        yield Register.ASIDE, (Content.INCIDENTS,)
    elif op.code in (v.LOOK_AT_HAND, v.SHOW_HAND):
        of_chosen = Content.SHOWN_CHOSEN if op.code == v.SHOW_HAND else Content.LOOKED_CHOSEN
        yield Register.SEEN, (of_chosen if op.a == v.CHOSEN else Content.OTHER_HAND,)


def _player_of(op: v.Op) -> tuple[Content, ...]:
    group = v.GROUP_WORDS[op.a]
    player = Content.SPELL_OWNER if op.a in v.SPELL_GROUPS else Content.ANYBODY if group.with_me else Content.ANOTHER
    sure = group.never_empty and not op.c & (v.OPTIONAL | v.DISTINCT | v.IF_ANY)
    return (player,) if sure else (Content.NOTHING, player)


def _pick_of_aside(op: v.Op, aside: frozenset[Content]) -> tuple[Content, ...]:
    picks = [Content.ASIDE_ITEM if op.a == v.ITEM else Content.ASIDE_CARD] if aside & set(v.CARDS_ASIDE) else []
    if Content.INCIDENTS in aside:
        picks.append(Content.ASIDE_INCIDENT)
    sure = op.a == v.ANY_TYPE and not op.c & v.OPTIONAL and Content.NOTHING not in aside
    return tuple(picks) if sure else (Content.NOTHING, *picks)


# ---------------------------------------------------------------- loops


def _is_sure_of(seat: v.SeatOperand, memory: Memory) -> bool:
    """Whether a seat word names somebody for certain."""
    return all(Content.NOTHING not in memory.get(read.register) for read in v.SEAT_WORDS[seat].reads) and seat != v.ATTACKER


def _takes_away(op: v.Op, memory: Memory) -> bool:
    """Whether a row certainly takes a card away from where it was picked."""
    if not v.OPERATIONS[op.code].spends_pick or Content.NOTHING in memory.get(Register.PICK):
        return False
    if op.code not in (v.GIVE, v.GIVE_ASIDE):
        return True
    receivers = [memory.get(read.register) for read in v.SEAT_WORDS[op.a].reads]
    oneself = op.code == v.GIVE and any(Content.ANYBODY in receiver for receiver in receivers)
    return _is_sure_of(op.a, memory) and not oneself


def _check_loops(rows: Sequence[v.Op], ways: Mapping[int, Sequence[Way]], where: Where) -> None:
    """Refuse a round that takes nothing away, and one that brings back what its end depends on."""
    if all(way.row > row for row, on in ways.items() for way in on):
        return  # no way leads back
    for row in ways:
        if row in _reached_from(row, ways, lambda way: not way.progress):
            raise where.error(
                "the loop it belongs to may go round for ever: nothing in it certainly runs out", v.OPERATIONS[rows[row].code].written
            )
    for row in ways:
        round_of = [other for other in _reached_from(row, ways, lambda way: True) if row in _reached_from(other, ways, lambda way: True)]
        if row in round_of and not any(rows[other].code in (v.NEXT_EACH, v.COUNT_DOWN) for other in round_of):
            _check_refill(rows, round_of, where)


def _check_refill(rows: Sequence[v.Op], round_of: Sequence[int], where: Where) -> None:
    takers = {row for row in round_of if v.OPERATIONS[rows[row].code].spends_pick or rows[row].code == v.DISCARD_OR}
    sources = {source for row in takers for source, _ in v.OPERATIONS[rows[row].code].moves}
    for row in set(round_of) - takers:
        operation = v.OPERATIONS[rows[row].code]
        if not operation.pushes and any(target in sources for _, target in operation.moves):
            raise where.error("brings cards to where the loop it stands in takes them from, so that it may never end", operation.written)


def _reached_from(row: int, ways: Mapping[int, Sequence[Way]], goes: Callable[[Way], bool]) -> set[int]:
    """Rows that can be reached from a row by such ways, itself only if it is reached again."""
    found: set[int] = set()
    todo = [row]
    while todo:
        for way in ways.get(todo.pop(), ()):
            if goes(way) and way.row not in found:
                found.add(way.row)
                todo.append(way.row)
    return found
