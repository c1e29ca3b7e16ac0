"""Programs -> English, so that a card can be proof-read: its paraphrase and what its program says, side by side.

The sentences of single operations stand in `vocabulary.OPERATIONS`; here their operands are put into words and the flow words
turned into clauses. Nobody's program is interpreted: what is printed here is what `compile.py` turns into rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.compile import CardError

_FLAG_STATS = (v.KEEPS_POWERUPS, v.LONG_WAY_ROUND, v.DODGE_SURCHARGE, v.ON_BEHALF)
_BASE_STATS = (v.HAND_BASE, v.HAND_BASE_AWAY)

_MOMENTS = {
    ((v.MAIN,), v.ALWAYS): "in your main step",
    ((v.MAIN,), v.MY_TURN): "in your main step",
    (v.ANY_PRIORITY, v.ALWAYS): "whenever you have priority",
    (v.ANY_PRIORITY, v.MY_TURN): "whenever you have priority in your own turn",
    (v.ANY_PRIORITY, v.EMPTY_HAND): "whenever you have priority and no card in hand",
    (v.ANY_WINDOW, v.SOMEONE_AT_ZERO): "in any window, while a player is at 0 life and can still be brought back",
    ((v.CANCEL,), v.OTHERS_CARD): "when another player has announced {tags}",
    ((v.CANCEL,), v.ANYONES_CARD): "when anybody has announced {tags}",
    ((v.ATTACKED,), v.ALWAYS): "when anybody is attacked",
    ((v.ATTACKED,), v.MINE): "when you are attacked",
    ((v.ATTACKED,), v.MINE_AVOIDABLE): "when you are attacked by an attack that can be avoided",
    ((v.ATTACKED,), v.PROTECTABLE): "when anybody is attacked by an attack that can be avoided",
    ((v.ATTACKED,), v.BY_ANOTHER): "when another player attacks anybody",
    ((v.ATTACK_DECLARED,), v.MINE): "as soon as an attack on you is declared",
    ((v.ATTACK_DECLARED,), v.BY_ANOTHER): "as soon as an attack of another player is declared",
    ((v.PLAYED,), v.OWN_DANMAKU): "when a danmaku card of yours is past its cancel window",
    ((v.AVOIDED,), v.MINE): "when you have avoided an attack",
    ((v.AVOIDED,), v.BY_ME): "when an attack of yours has been avoided",
    ((v.DAMAGED,), v.BY_ME): "when you have made another player lose life",
    ((v.LOST_LIFE,), v.MINE): "when you have lost life",
    ((v.SKIP_CHECK,), v.MINE): "when your turn begins and may be skipped",
    ((v.SKIPPED,), v.MINE): "when you skip a turn",
    ((v.TURN_START,), v.MINE): "at the start of your turn",
    ((v.INCIDENT_START,), v.MINE): "before your incident step",
    ((v.DRAW_STEP,), v.MINE): "before you draw in your draw step",
    ((v.DREW_STEP,), v.MINE): "after you have drawn in your draw step",
}
"""Events and relation of a text -> when it may happen; others are composed of the words for the event and the relation."""

_OFTEN = ("", ", once per turn", ", once per round", ", once per attack")
_ONCE_PER_CARD = ", once per card or Spell Card"
"""An avoided attack counts for the card it came from (H-13)."""


def _listed(words: Sequence[str], last: str) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"


def _bit_words(bits: int, words: Sequence[str]) -> list[str]:
    return [word for bit, word in enumerate(words) if bits >> bit & 1]


def _an(noun: str) -> str:
    """`noun` with its indefinite article; chosen players are definite."""
    if noun.startswith("chosen"):
        return f"the {noun}"
    if noun.startswith("other "):
        return f"an{noun}"
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def _of_types(types: int, noun: str) -> str:
    """`danmaku card`, `powerup, invocation or healing cards`; any type at all for 0."""
    return noun if types == v.ANY_TYPE else f"{_listed(_bit_words(types, v.TYPES), 'or')} {noun}"


def _seasons(bits: int) -> str:
    return _listed(_bit_words(bits, v.SEASONS), "or")


class _Narrator:
    """What earlier sentences of a program have settled: the meaning of the AMOUNT, of the seat of a loop, of the named end."""

    def __init__(self, *, incident: bool = False) -> None:
        self.amount = v.COUNTS[v.AMOUNT_WORD]
        self.end = "the top"
        self.incident = "this incident" if incident else "the incident in play"
        self.who = list(v.WHO)

    def hear(self, op: v.Op) -> None:
        """Remember what an operation settles for the sentences after it."""
        self.amount = v.OPERATIONS[op.code].amount or self.amount
        if op.code == v.CHOOSE_END:
            self.end = "that end"
        if op.code == v.CHOOSE_PLAYER and op.c & v.AS_THIRD:
            self.who[v.THIRD] = "the third player"

    def number(self, operand: int) -> str:
        """A constant, or a count in words, with what is added to it."""
        constant, word = v.split_number(operand)
        if word is None:
            return str(constant)
        counted = self.amount if word == v.AMOUNT_WORD else v.COUNTS[word]
        return f"{constant} plus {counted}" if constant else counted

    def cards(self, operand: int) -> str:
        """`1 card`, `as many cards as ...`."""
        constant, word = v.split_number(operand)
        if word is None:
            return f"{constant} card" if constant == 1 else f"{constant} cards"
        more = f", and {constant} more" if constant else ""
        return f"as many cards as {self.number(operand - constant)}{more}"


class _Operand:
    """One operand of an operation, in all the ways a sentence may want to read it (`{a.who}` in a template)."""

    def __init__(self, value: int, narrator: _Narrator) -> None:
        self._value = value
        self._narrator = narrator

    def __str__(self) -> str:
        return self._narrator.number(self._value)

    # seats

    @property
    def who(self) -> str:
        return self._narrator.who[self._value]

    @property
    def whom(self) -> str:
        return self.who

    @property
    def s(self) -> str:
        return "" if self._value == v.ME else "s"

    @property
    def own(self) -> str:
        return "your" if self._value == v.ME else "their"

    @property
    def spell(self) -> str:
        return "your own Spell Card" if self._value == v.ME else f"the Spell Card of {self.who} as your own"

    # groups of seats

    @property
    def one_of(self) -> str:
        return _an(v.GROUPS[self._value])

    @property
    def every(self) -> str:
        return f"every {v.GROUPS[self._value]}"

    # cards

    @property
    def cards(self) -> str:
        return self._narrator.cards(self._value)

    @property
    def card(self) -> str:
        return _an(_of_types(self._value, "card"))

    @property
    def cards_of(self) -> str:
        return _of_types(self._value, "cards")

    @property
    def types(self) -> str:
        return _listed(_bit_words(self._value, v.TYPES), "or")

    @property
    def deck(self) -> str:
        return "deck named" if self._value else "Main deck"

    @property
    def dodging(self) -> str:
        return "if you protect another player" if self._value else "if the attacker makes dodging cost more"

    @property
    def more(self) -> str:
        return f"{abs(self._value)} card{'s' * (abs(self._value) > 1)} {'more' if self._value > 0 else 'fewer'}"

    # numbers and effects

    @property
    def times(self) -> str:
        return f"{self} times" if self._value < 1000 else f"as many times as {self}"

    @property
    def bonus(self) -> str:
        return f" (as if you had {self._value:+} range)" if self._value else ""

    @property
    def damage(self) -> str:
        return "" if self._value == 1 else f" with damage {self}"

    @property
    def lasting(self) -> str:
        return v.LASTING[self._value]

    @property
    def value(self) -> str:
        return f" ({self})" if self._value else ""

    @property
    def condition(self) -> str:
        return v.CONDITIONS[self._value]

    @property
    def seasons(self) -> str:
        return f" {_seasons(self._value)}" if self._value else ""

    # flags

    @property
    def may(self) -> str:
        return "may " if self._value & v.OPTIONAL else ""

    @property
    def place(self) -> str:
        if self._value & v.AS_THIRD:
            return " as the third player"
        if self._value & v.AS_SECOND:
            return " as the second player" + (", not the chosen one" if self._value & v.DISTINCT else "")
        return ""

    @property
    def attacker(self) -> str:
        return "the second player attacks" if self._value & v.BY_SECOND else "you attack"

    @property
    def how(self) -> str:
        reach = " at any range" if self._value & v.ANY_RANGE else " if in range"
        boost = " with the range added" if self._value & v.BOOSTED else ""
        return reach + boost + (", unavoidably" if self._value & v.UNAVOIDABLE else "")


def _sentence(op: v.Op, narrator: _Narrator) -> str:
    operation = v.OPERATIONS.get(op.code)
    if operation is None:
        raise CardError(f"unknown operation {op.code}")
    a, b, c = (_Operand(value, narrator) for value in op[1:])
    concerned = "" if op.a in v.TABLE_WIDE else f", for {b.who}" if op.code == v.LAST else ""
    words = operation.english.format(a=a, b=b, c=c, end=narrator.end, incident=narrator.incident, concerned=concerned)
    narrator.hear(op)
    return words


def _bracketed(program: v.Program, narrator: _Narrator) -> str:
    return f"[{'; '.join(_sentences(program, narrator))}]"


def _block(program: v.Program, narrator: _Narrator) -> str:
    """A branch of a program: in brackets when it is more than one operation."""
    single = len(program) == 1 and isinstance(program[0], v.Op)
    return _sentences(program, narrator)[0] if single else _bracketed(program, narrator)


def _either(head: v.Op, then: v.Program, otherwise: v.Program, narrator: _Narrator, *, so: str = ",") -> str:
    words = f"{_sentence(head, narrator)}{so} {_block(then, narrator)}"
    return f"{words}, otherwise {_block(otherwise, narrator)}" if otherwise else words


def _loop(step: v.Each | v.Repeat | v.While, narrator: _Narrator) -> str:
    if isinstance(step, v.Each):
        head = _sentence(v.Op(v.START_EACH, step.group), narrator)
        outer, narrator.who[v.EACH] = narrator.who[v.EACH], v.WHO[v.EACH]
        words = f"{head}: {_bracketed(step.body, narrator)}"
        narrator.who[v.EACH] = outer
        return words
    if isinstance(step, v.Repeat):
        return f"{_sentence(v.Op(v.SET_COUNT, step.times), narrator)}: {_bracketed(step.body, narrator)}"
    head = "again and again" if step.condition == v.TRUE else f"as long as {v.CONDITIONS[step.condition]}"
    return f"{head}: {_bracketed(step.body, narrator)}"


def _sentences(program: v.Program, narrator: _Narrator) -> list[str]:
    sentences: list[str] = []
    steps: Sequence[object] = program
    for step in steps:
        if isinstance(step, v.Op):
            sentences.append(_sentence(step, narrator))
        elif isinstance(step, list):
            sentences += _sentences(step, narrator)
        elif isinstance(step, v.If):
            sentences.append(_either(v.Op(v.IF, step.condition, step.operand), step.then, step.otherwise, narrator))
        elif isinstance(step, v.Branch):
            sentences.append(_either(step.op, step.body, step.otherwise, narrator))
        elif isinstance(step, (v.Each, v.Repeat, v.While)):
            sentences.append(_loop(step, narrator))
        else:
            raise CardError(f"{step!r} is not a word of the vocabulary")
    return _folded(sentences)


def _folded(sentences: Iterable[str]) -> list[str]:
    """The same sentence several times in a row becomes one."""
    runs: list[tuple[str, int]] = []
    for sentence in sentences:
        if runs and runs[-1][0] == sentence:
            runs[-1] = (sentence, runs[-1][1] + 1)
        else:
            runs.append((sentence, 1))
    return [sentence if times == 1 else f"{sentence} ({times} times)" for sentence, times in runs]


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def describe_program(program: v.Program, *, incident: bool = False) -> str:
    """One program as a clause without a full stop; `incident`: it is an incident's own. Raises CardError on an unknown word."""
    return "; ".join(_sentences(program, _Narrator(incident=incident))) or "nothing happens"


def _tags(tags: int) -> str:
    words = {v.DANMAKU: "a danmaku card", v.ACTION: "an action card or a Spell Card of kind action", v.SPELL: "a Spell Card"}
    return _listed([word for bit, word in words.items() if tags & bit], "or") if tags else "a card"


def describe_moment(text: v.Text) -> str:
    """When a text may happen, and how often."""
    words = _MOMENTS.get((tuple(text.events), text.relation))
    if words is None:
        relation = v.RELATIONS[text.relation]
        words = f"at: {_listed([v.EVENTS[event] for event in text.events] or ['no event'], 'or')}{f' ({relation})' if relation else ''}"
    often = _ONCE_PER_CARD if text.once == v.ONCE_PER_ATTACK and v.AVOIDED in text.events else _OFTEN[text.once]
    return words.format(tags=_tags(text.tags)) + often


def describe_text(text: v.Text) -> str:
    """A whole text: when, what is announced or paid first, what then happens, and what is special about it."""
    narrator = _Narrator()
    announced, resolved = _sentences(text.announce, narrator), _sentences(text.resolve, narrator)
    parts = [f"first {'; '.join(announced)}"] if announced else []
    parts += [f"{'then ' if announced else ''}{'; '.join(resolved)}"] if resolved else []
    when = describe_moment(text) if text.events else ""
    words = "; ".join(parts) or "nothing happens at once"
    return _capital(f"{when}: {words}." if when else f"{words}.") + _notes(text)


def _notes(text: v.Text) -> str:
    notes = []
    if text.counts:
        notes.append("Counts toward the danmaku limit.")
    elif text.types & v.DANMAKU and text.types & v.ACTION:
        notes.append("Does not count toward the danmaku limit.")
    if text.types & v.SPELL and not text.cancelable:
        notes.append("Cannot be cancelled.")
    if text.resolves_last:
        notes.append("After what the same event brings others.")
    if any(isinstance(step, v.Op) and step.code == v.ACTIVATE for step in text.resolve):
        at_once = text.relation == v.EMPTY_HAND
        notes.append("The Spell Card's own timing does not matter." if at_once else "Only in the Spell Card's own timing.")
    return "".join(f" {note}" for note in notes)


def describe_modifiers(modifiers: dict[int, int]) -> str:
    """Static modifiers: "+3 range, +1 danmaku cards per round"."""
    words = []
    for stat, amount in modifiers.items():
        if stat in _FLAG_STATS:
            words.append(v.STATS[stat])
        elif stat in _BASE_STATS:
            words.append(f"{v.STATS[stat]} {amount}")
        else:
            noun = v.STATS[stat] if amount > 1 else v.STATS[stat].replace("cards", "card")
            words.append(f"{amount:+} {noun}")
    return f"{_capital('; '.join(words))}." if words else ""


def describe_types(types: int) -> str:
    """The types of a text or card: "action, danmaku"."""
    return ", ".join(_bit_words(types, v.TYPES)) or "none"


def describe_card(card: v.Card) -> list[tuple[str, str, str]]:
    """Rows (part, paraphrase, program in words) of a Main-deck card: each half, then what it does in play."""
    rows = []
    for mode in card.modes:
        rows.append((describe_types(mode.types), mode.text, describe_text(mode)))
    if card.in_play:
        rows.append(("in play", "", describe_modifiers(card.in_play)))
    rows += [("in play", text.text, describe_text(text)) for text in card.triggers]
    if card.use:
        rows.append(("in play", card.use.text, describe_text(card.use)))
    return rows


def describe_character(character: v.Character) -> list[tuple[str, str, str]]:
    """Rows (part, paraphrase, program in words) of a character: everything of the ability, then the Spell Card."""
    words = [describe_modifiers(character.modifiers)] if character.modifiers else []
    words += [describe_text(text) for text in (*character.abilities, *character.triggers)]
    words += [describe_text(character.source)] if character.source else []
    rows = [("ability", character.text, " ".join(words))]
    if character.spell:
        kind = describe_types(character.spell.types & ~v.SPELL)
        captured = "" if character.capturable else " Nobody else can activate it."
        part = "Spell Card" if kind == "none" else f"Spell Card, {kind}"
        rows.append((part, character.spell.text, describe_text(character.spell) + captured))
    return rows


def _collects(incident: v.Incident) -> str:
    if incident.collects_types:
        return f"collects {_of_types(incident.collects_types, 'cards')}"
    if incident.collects_season >= 0:
        return f"collects {v.SEASONS[incident.collects_season]} cards"
    if incident.collects_each_season:
        return f"collects {incident.collects_each_season} cards of every season"
    return ""


def describe_incident(incident: v.Incident) -> str:
    """Laws, programs and end of an incident."""
    parts = [f"In force: {law}." for law in _bit_words(incident.laws, v.LAWS)]
    if incident.enter:
        parts.append(f"On entering: {describe_program(incident.enter, incident=True)}.")
    if incident.step:
        parts.append(f"In each incident step: {describe_program(incident.step, incident=True)}.")
    if words := _collects(incident):
        parts.append(f"{_capital(words)}.")
    if incident.needs:
        parts.append(f"Over with {incident.needs} collected.")
    if incident.resolves_on_defeat:
        parts.append("Over when somebody is defeated.")
    if incident.resolves_on_reshuffle:
        parts.append("Over when the discard pile becomes a new deck.")
    return " ".join(parts)


def describe_role(role: v.Role) -> str:
    """Goal and powers of a role."""
    parts = [f"Goal: {_listed(_bit_words(role.goal, v.GOALS), 'and')}."]
    if role.modifiers:
        parts.append(describe_modifiers(role.modifiers))
    if role.shared_fate:
        parts.append("When defeated, the Heroine discards all items and then all but 2 hand cards.")
    if role.becomes:
        parts.append(f"Once another player is defeated: may reveal, becoming {role.becomes} and gaining 1 life.")
    return " ".join([*parts, *(describe_text(text) for text in role.triggers)])
