"""Single rows: every operand is a word of the kind that its operation asks for in that place, within its bounds.

`memory.py` and `texts.py` check what a row reads and sets, and where it may stand.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.errors import Where

_WORDS: dict[v.Kind, tuple[type[int], Sequence[str]]] = {
    v.Kind.SEAT: (v.SeatOperand, v.WHO),
    v.Kind.GROUP: (v.Group, v.GROUPS),
    v.Kind.CONDITION: (v.Condition, v.CONDITIONS),
    v.Kind.LASTING: (v.Lasting, v.LASTING),
    v.Kind.GIVES: (v.Gives, v.EXTRA_GIVES),
}
"""Kinds whose operands are words from a list."""
_SORTS = {v.SeatOperand: "seat", v.Group: "group", v.Condition: "condition", v.Lasting: "lasting effect", v.Gives: "gain",
          v.Types: "card type", v.Season: "season",
          v.TimingEvent: "event", v.Relation: "relation", v.Stat: "stat", v.Laws: "law"}  # fmt: skip
_ALL_SEASONS = (1 << len(v.SEASONS)) - 1


def check_row(op: v.Op, where: Where) -> None:
    """Raise CardError unless the operands of a row fit the description of its operation."""
    operation = v.OPERATIONS.get(op.code)
    if operation is None:
        raise where.error(f"unknown operation {op.code}")
    for operand, value in zip(operation.operands, op[1:], strict=True):
        wrong = _wrong(operand, value)
        if wrong:
            raise where.error(f"{operand.name or 'it'} {wrong}", operation.written)
    wrong = _wrong_together(op)
    if wrong:
        raise where.error(wrong, operation.written)


def _wrong(operand: v.Operand, value: Any) -> str:
    """What is wrong with one operand, or nothing."""
    if operand.kind in _WORDS:
        sort, words = _WORDS[operand.kind]
        if not isinstance(value, sort) or not 0 <= int(value) < len(words):
            return f"must be {operand.kind.value}, not {_shown(value)}"
        if operand.only and value not in operand.only:
            return f"cannot be {words[value]!r}"
        return ""
    check = _CHECKS.get(operand.kind)
    return check(operand, value) if check else ""


def _shown(value: Any) -> str:
    """An operand of the wrong sort, in a message."""
    sort = _SORTS.get(type(value))
    if sort:
        return f"the {sort} word {int(value)}"
    return f"a number read from the game ({v.COUNTS[value.words[0]]})" if isinstance(value, v.Count) else repr(value)


def _wrong_number(operand: v.Operand, value: Any) -> str:
    if isinstance(value, v.Count):
        return _wrong_count(operand, value)
    if type(value) is not int:
        return f"must be a number, not {_shown(value)}"
    return "" if operand.low <= value <= operand.high else f"must be from {operand.low} to {operand.high}, not {value}"


def _wrong_count(operand: v.Operand, value: v.Count) -> str:
    if len(value.words) != 1:
        return f"adds several counts ({' and '.join(v.COUNTS[word] for word in value.words)}); a number has one, and a constant"
    if not operand.counts:
        return f"must be a constant number, not {_shown(value)}"
    return "" if -v.MOST <= value.plus <= v.MOST else f"adds {value.plus} to a count; at most {v.MOST} can be added"


def _wrong_types(operand: v.Operand, value: Any) -> str:
    if not isinstance(value, v.Types):
        return f"must be card types, not {_shown(value)}"
    allowed = operand.flags or v.CARD_TYPES
    if int(value) & ~allowed or int(value) < operand.low:
        return f"must be among {_types(allowed)}, not {_types(value)}"
    return f"must be {' or '.join(_types(types) for types in operand.only)}" if operand.only and value not in operand.only else ""


def _types(types: int) -> str:
    return ", ".join(word for bit, word in enumerate(v.TYPES) if types >> bit & 1) or "any type"


def _wrong_flags(operand: v.Operand, value: Any) -> str:
    if type(value) is not int:
        return f"must be flags, not {_shown(value)}"
    return "" if value & ~operand.flags == 0 else f"has flags that mean nothing here ({value & ~operand.flags})"


def _wrong_yes_no(operand: v.Operand, value: Any) -> str:
    return "" if value in (0, 1) and isinstance(value, int) else f"must be yes or no, not {_shown(value)}"


def _wrong_seasons(operand: v.Operand, value: Any) -> str:
    return "" if isinstance(value, int) and 0 <= value <= _ALL_SEASONS else f"names an unknown season ({_shown(value)})"


def _wrong_nothing(operand: v.Operand, value: Any) -> str:
    return "" if type(value) is int and value == 0 else f"takes nothing there, not {_shown(value)}"


_CHECKS = {
    v.Kind.NUMBER: _wrong_number,
    v.Kind.TYPES: _wrong_types,
    v.Kind.FLAGS: _wrong_flags,
    v.Kind.YES_NO: _wrong_yes_no,
    v.Kind.SEASONS: _wrong_seasons,
    v.Kind.NONE: _wrong_nothing,
}  # a row is known to be one of the program's since the assembler wrote it; what a lasting effect comes with is judged together with it

# ---------------------------------------------------------------- operands that must go together


def _wrong_together(op: v.Op) -> str:
    """What is wrong with the operands of a row taken together, or nothing."""
    check = _TOGETHER.get(op.code)
    return check(op) if check else ""


def _wrong_choice(op: v.Op) -> str:
    if op.b and op.a != v.IN_RANGE:
        return "a bonus on range means something only for players in range"
    if op.c & v.AS_SECOND and op.c & v.AS_THIRD:
        return "a player is chosen as the second or as the third, not both"
    return (
        "only a second or third player can be other than the chosen one"
        if op.c & v.DISTINCT and not op.c & ~(v.DISTINCT | v.OPTIONAL | v.IF_ANY)
        else ""
    )


def _wrong_attack(op: v.Op) -> str:
    if op.c & v.BY_SECOND and op.a == v.SECOND:
        return "nobody attacks themselves"
    return "range is added, but any range will do" if op.c & v.BOOSTED and op.c & v.ANY_RANGE else ""


def _wrong_exchange(op: v.Op) -> str:
    return "two different players exchange hands" if op.a == op.b else ""


def _wrong_bounds(op: v.Op) -> str:
    return f"there is no number from {op.a} to {op.b}" if op.a > op.b else ""


def _wrong_loop(op: v.Op) -> str:
    return "" if v.GROUP_WORDS[op.a].in_loops else f"no loop goes over every {v.GROUPS[op.a]}"


def _wrong_condition(op: v.Op) -> str:
    if op.a in (v.FLIPPED, v.FLIP_1, v.FLIP_2, v.FLIP_3):
        return "" if op.b else "asks for no season; write if_flipped([...], ...)"
    return "only a flip shows seasons" if op.b else ""


def _wrong_lasting(op: v.Op) -> str:
    word = v.LASTING_WORDS[op.a]
    if word.table_wide and op.b != v.ME:
        return f"'{word.english}' concerns everybody, not {v.WHO[op.b]}"
    if word.value is v.Value.NONE:
        return "" if type(op.c) is int and op.c == 0 else f"'{word.english}' comes with no value"
    if word.value is v.Value.TYPE and not isinstance(op.c, v.Count):
        wrong = "" if op.c in v.NAMED_TYPES and isinstance(op.c, v.Types) else f"must be one of {_types(sum(v.NAMED_TYPES))}"
    else:
        wrong = _wrong_number(v.OPERATIONS[op.code].c, op.c)
    if word.value is v.Value.TYPE and isinstance(op.c, v.Count) and op.c != v.AMOUNT:
        wrong = "must be a type, or the AMOUNT after a type was named"
    return f"value {wrong}" if wrong else ""


def _wrong_options(op: v.Op) -> str:
    return f"there are no {op.a} of {op.b} options" if op.a > op.b else ""


_TOGETHER = {
    v.CHOOSE_OPTIONS: _wrong_options,
    v.CHOOSE_PLAYER: _wrong_choice,
    v.ATTACK: _wrong_attack,
    v.SWAP_HANDS: _wrong_exchange,
    v.CHOOSE_NUMBER: _wrong_bounds,
    v.START_EACH: _wrong_loop,
    v.IF: _wrong_condition,
    v.LAST: _wrong_lasting,
}
