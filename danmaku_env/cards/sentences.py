"""Programs -> English: the sentences of `vocabulary.OPERATIONS` with their operands put into words, and the flow words as clauses.

No program is run here: the sentences are made of the same steps that `compile.py` turns into rows. Texts, cards and roles are described in
`describe.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.errors import CardError


def listed(words: Sequence[str], last: str) -> str:
    """`a, b or c`."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"


def capital(words: str) -> str:
    """The words with a capital first letter; the others stay as they are."""
    return words[:1].upper() + words[1:]


def bit_words(bits: int, words: Sequence[str]) -> list[str]:
    """The words whose bits are set."""
    return [word for bit, word in enumerate(words) if bits >> bit & 1]


def _an(noun: str) -> str:
    """`noun` with its indefinite article; chosen players are definite."""
    if noun.startswith("chosen"):
        return f"the {noun}"
    if noun.startswith("other "):
        return f"an{noun}"
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def of_types(types: int, noun: str) -> str:
    """`danmaku card`, `powerup, invocation or healing cards`; any type at all for 0."""
    return noun if types == v.ANY_TYPE else f"{listed(bit_words(types, v.TYPES), 'or')} {noun}"


def _seasons(bits: int) -> str:
    return listed(bit_words(bits, v.SEASONS), "or")


class Narrator:
    """What earlier sentences of a program have settled: the meaning of the AMOUNT, of the seat of a loop, of the named end."""

    def __init__(self, *, incident: bool = False) -> None:
        self.amount = v.COUNTS[v.AMOUNT_WORD]
        self.end = "the top"
        self.incident = "this incident" if incident else "an incident in play, which you name if there are several,"
        self.who = list(v.WHO)

    def hear(self, op: v.Op) -> None:
        """Remember what an operation settles for the sentences after it."""
        self.amount = v.OPERATIONS[op.code].amount or self.amount
        if op.code == v.CHOOSE_END:
            self.end = "that end"
        if op.code == v.CHOOSE_PLAYER and op.c & v.AS_THIRD:
            self.who[v.THIRD] = "the third player"

    def counted(self, number: v.Count) -> str:
        """What is counted, without what is added to it."""
        return " plus ".join(self.amount if word == v.AMOUNT_WORD else v.COUNTS[word] for word in number.words)


def _and_more(plus: int) -> str:
    """What is added to a count, behind it."""
    return f", and {plus} more" if plus > 0 else f", less {-plus}" if plus else ""


# ---------------------------------------------------------------- operands: all ways a sentence may want to read one of a kind


class _Number:
    """`{cards.cards}` in a sentence, for an operand called `cards`."""

    def __init__(self, value: v.Number, narrator: Narrator) -> None:
        self._value = value
        self._narrator = narrator

    def __str__(self) -> str:
        if not isinstance(self._value, v.Count):
            return str(self._value)
        counted, plus = self._narrator.counted(self._value), self._value.plus
        return f"{plus} plus {counted}" if plus > 0 else f"{counted}, less {-plus}" if plus else counted

    def _as(self, one: str, several: str, counted: str) -> str:
        """A constant with its noun, or `counted` with what is counted in the braces."""
        if isinstance(self._value, v.Count):
            return counted.format(self._narrator.counted(self._value)) + _and_more(self._value.plus)
        return f"{self._value} {one if self._value == 1 else several}"

    @property
    def cards(self) -> str:
        return self._as("card", "cards", "as many cards as {}")

    @property
    def life(self) -> str:
        return self._as("life", "life", "as much life as {}")

    @property
    def times(self) -> str:
        return self._as("time", "times", "as many times as {}")

    @property
    def damage(self) -> str:
        return "" if self._value == 1 else f" with damage {self}"

    @property
    def bonus(self) -> str:
        return f" (as if you had {self._value:+} range)" if self._value else ""

    @property
    def more(self) -> str:
        if isinstance(self._value, v.Count):
            return self._as("", "", "more cards, as many as {}")
        return f"{abs(self._value)} card{'s' * (abs(self._value) != 1)} {'more' if self._value > 0 else 'fewer'}"


class _Seat:
    def __init__(self, value: int, narrator: Narrator) -> None:
        self._value = value
        self._narrator = narrator

    def __str__(self) -> str:
        return self._narrator.who[self._value]

    @property
    def s(self) -> str:
        return "" if self._value == v.ME else "s"

    @property
    def own(self) -> str:
        return "your" if self._value == v.ME else "their"

    @property
    def of(self) -> str:
        return "yours" if self._value == v.ME else str(self)

    @property
    def hand(self) -> str:
        return "your hand" if self._value == v.ME else f"the hand of {self}"

    @property
    def spell(self) -> str:
        return "your own Spell Card" if self._value == v.ME else f"the Spell Card of {self} as your own"


class _Group:
    def __init__(self, value: int, narrator: Narrator) -> None:
        self._value = value

    @property
    def one_of(self) -> str:
        return _an(v.GROUPS[self._value])

    @property
    def every(self) -> str:
        return f"every {v.GROUPS[self._value]}"


class _Types:
    def __init__(self, value: int, narrator: Narrator) -> None:
        self._value = value

    @property
    def card(self) -> str:
        return _an(of_types(self._value, "card"))

    @property
    def cards(self) -> str:
        return of_types(self._value, "cards")

    @property
    def types(self) -> str:
        return listed(bit_words(self._value, v.TYPES), "or")

    @property
    def dodging(self) -> str:
        return "if you protect another player" if self._value else "if the attacker makes dodging cost more"


class _YesNo:
    def __init__(self, value: int, narrator: Narrator) -> None:
        self._value = value

    @property
    def copy(self) -> str:
        return " and which copy of it" if self._value else ""

    @property
    def own_copy(self) -> str:
        return f", no Lunatic card while there is another,{self.copy}" if self._value else ""

    @property
    def settling(self) -> str:
        return ", you choosing which goes if it is one too many" if self._value else ""

    @property
    def later(self) -> str:
        return " when the stack is empty" if self._value else ""

    @property
    def deck(self) -> str:
        return "deck named" if self._value else "Main deck"

    @property
    def own(self) -> str:
        return " from this" if self._value else ""

    @property
    def naming(self) -> str:
        if self._value:
            return "you have its ability for the rest of the game, and its Spell Card as yours"
        return "you have its ability until you name another"

    @property
    def whose(self) -> str:
        return "" if self._value else ", defeated or not"


class _Gives:
    def __init__(self, value: int, narrator: Narrator) -> None:
        self._value = value

    @property
    def gives(self) -> str:
        return v.EXTRA_GIVES[self._value]


class _Flags:
    def __init__(self, value: int, narrator: Narrator) -> None:
        self._value = value

    @property
    def may(self) -> str:
        return "may " if self._value & v.OPTIONAL else ""

    @property
    def place(self) -> str:
        place = " as the third player" if self._value & v.AS_THIRD else " as the second player" if self._value & v.AS_SECOND else ""
        place += ", not the chosen one" if self._value & v.DISTINCT else ""
        return place + (", if there is one" if self._value & v.IF_ANY else "")

    @property
    def attacker(self) -> str:
        return "the second player attacks" if self._value & v.BY_SECOND else "you attack"

    @property
    def reach(self) -> str:
        reach = " at any range" if self._value & v.ANY_RANGE else " if in range"
        boost = " with the range added" if self._value & v.BOOSTED else ""
        return reach + boost + (", unavoidably" if self._value & v.UNAVOIDABLE else "")


class _Lasting:
    def __init__(self, value: int, narrator: Narrator) -> None:
        self._value = value

    @property
    def lasting(self) -> str:
        return v.LASTING[self._value]


class _Value:
    def __init__(self, value: v.Number, narrator: Narrator) -> None:
        self._value = value
        self._narrator = narrator

    @property
    def value(self) -> str:
        if isinstance(self._value, v.Types):
            return f" ({listed(bit_words(self._value, v.TYPES), 'or')})"
        return f" ({_Number(self._value, self._narrator)})" if self._value else ""


class _Condition:
    def __init__(self, value: int, narrator: Narrator) -> None:
        self._value = value

    def __str__(self) -> str:
        return v.CONDITIONS[self._value]


class _Seasons:
    def __init__(self, value: int, narrator: Narrator) -> None:
        self._value = value

    def __str__(self) -> str:
        return f" {_seasons(self._value)}" if self._value else ""


_READERS: dict[v.Kind, Callable[[Any, Narrator], object]] = {
    v.Kind.SEAT: _Seat, v.Kind.GROUP: _Group, v.Kind.NUMBER: _Number, v.Kind.TYPES: _Types, v.Kind.SEASONS: _Seasons,
    v.Kind.YES_NO: _YesNo, v.Kind.FLAGS: _Flags, v.Kind.CONDITION: _Condition, v.Kind.GIVES: _Gives, v.Kind.LASTING: _Lasting,
    v.Kind.VALUE: _Value,
}  # fmt: skip
"""Kind of an operand -> what sentences read of it."""


def sentence(op: v.Op, narrator: Narrator) -> str:
    """One row in words. Raises CardError for a code that no operation has."""
    operation = v.OPERATIONS.get(op.code)
    if operation is None:
        raise CardError(f"unknown operation {op.code}")
    said = {
        operand.name: _READERS[operand.kind](value, narrator)
        for operand, value in zip(operation.operands, op[1:], strict=True)
        if operand.kind in _READERS
    }
    concerned = "" if op.code != v.LAST or v.LASTING_WORDS[op.a].table_wide else f", for {narrator.who[op.b]}"
    words = operation.english.format(**said, end=narrator.end, incident=narrator.incident, concerned=concerned)
    narrator.hear(op)
    return words


def _bracketed(program: v.Program, narrator: Narrator) -> str:
    return f"[{'; '.join(sentences(program, narrator))}]"


def _block(program: v.Program, narrator: Narrator) -> str:
    """A branch of a program: in brackets when it is more than one operation."""
    single = len(program) == 1 and isinstance(program[0], v.Op)
    return sentences(program, narrator)[0] if single else _bracketed(program, narrator)


def _either(head: v.Op, then: v.Program, otherwise: v.Program, narrator: Narrator) -> str:
    if not then:
        return f"{sentence(head, narrator).replace('if ', 'unless ', 1)}, {_block(otherwise, narrator)}"
    words = f"{sentence(head, narrator)}, {_block(then, narrator)}"
    return f"{words}, otherwise {_block(otherwise, narrator)}" if otherwise else words


def _loop(step: v.Each | v.Repeat | v.While, narrator: Narrator) -> str:
    if isinstance(step, v.While):
        so = "again and again" if step.condition == v.TRUE else f"as long as {v.CONDITIONS[step.condition]}"
        return f"{so}: {_bracketed(step.body, narrator)}"
    first = v.head(step)
    assert first is not None
    words = sentence(first, narrator)
    outer = narrator.who[v.EACH]
    if isinstance(step, v.Each):
        narrator.who[v.EACH] = v.WHO[v.EACH]
    words = f"{words}: {_bracketed(step.body, narrator)}"
    narrator.who[v.EACH] = outer
    return words


def sentences(program: v.Program, narrator: Narrator) -> list[str]:
    """A program sentence by sentence. Raises CardError on anything that is not a word of the vocabulary."""
    said: list[str] = []
    for step in v.plain_steps(program):
        first = v.head(step)
        if first is None:
            raise CardError(f"{step!r} is not a word of the vocabulary")
        if isinstance(step, v.If):
            said.append(_either(first, step.then, step.otherwise, narrator))
        elif isinstance(step, v.Branch):
            said.append(_either(first, step.body, step.otherwise, narrator))
        elif isinstance(step, v.Each | v.Repeat | v.While):
            said.append(_loop(step, narrator))
        else:
            said.append(sentence(first, narrator))
    return _folded(said)


def _folded(sentences: Iterable[str]) -> list[str]:
    """The same sentence several times in a row becomes one."""
    runs: list[tuple[str, int]] = []
    for sentence in sentences:
        if runs and runs[-1][0] == sentence:
            runs[-1] = (sentence, runs[-1][1] + 1)
        else:
            runs.append((sentence, 1))
    return [sentence if times == 1 else f"{sentence} ({times} times)" for sentence, times in runs]


def describe_program(program: v.Program, *, incident: bool = False) -> str:
    """One program as a clause without a full stop; `incident`: it is an incident's own. Raises CardError on an unknown word."""
    return "; ".join(sentences(program, Narrator(incident=incident))) or "nothing happens"
