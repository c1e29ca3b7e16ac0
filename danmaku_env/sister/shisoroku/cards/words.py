"""The words that texts of cards are written in. Each becomes rows of a program, and a sentence for people.

A text is a list of `Step`s. A step is one or more rows (operation, four operands, whom it concerns, who decides) and an English phrase. The
sentences that a player reads are made of these phrases; for a few cards `box.IN_OTHER_WORDS` has plainer ones, written by hand.
`engine/program.py` runs the rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

ACTION, RESOURCE, VICTORY, MINUS, ATTACK, REACTION, DURATION = (1 << bit for bit in range(7))
TYPES = {
    "action": ACTION,
    "resource": RESOURCE,
    "victory": VICTORY,
    "minus": MINUS,
    "attack": ATTACK,
    "reaction": REACTION,
    "duration": DURATION,
}

# ---------------------------------------------------------------- places: what kinds of cards there can be in a game (M-2)

COIN, RICE, SAKE, TALISMAN, ONE_VP, THREE_VP, SIX_VP, TEN_VP, MINUS_CARD = range(9)
BASIC = 9
KINGDOM, CHIREI, PRIZES, PLACES = 9, 19, 22, 27
"""The first place of each: 10 kingdom cards, 3 chirei cards, 5 prizes; a game has at most 27 kinds."""
KINGDOM_CARDS = CHIREI - KINGDOM

# ---------------------------------------------------------------- events a text may answer

(
    ON_PLAY,
    ON_NEXT_TURN,
    ON_BUY,
    ON_BUYING,
    ON_GAIN,
    ON_GAINING,
    ON_WOULD_GAIN,
    ON_TRASH,
    ON_TRASHING,
    ON_ATTACKED,
    ON_DISCARDED,
    ON_CLEAN_UP,
) = range(12)
EVENTS = (
    "when played", "at the start of the next turn", "when bought", "when a card is bought", "when gained", "when a card is gained",
    "when a card would be gained", "when trashed", "when a card of yours is trashed", "when another player plays an attack",
    "when discarded", "at clean-up",
)  # fmt: skip

# ---------------------------------------------------------------- operations and their operands

OPERATIONS = (
    "end", "cards", "actions", "buys", "coins", "draw to", "each", "end each", "mode", "unless", "jump", "pick", "mark", "move", "gain",
    "gain picked", "reveal", "reveal until", "show hand", "look at bottom", "bottom to top", "deck to discard", "move self",
    "play picked", "play laid", "unaffected", "pass left", "name", "due", "ban", "token", "extra turn", "reduce", "number", "move gained",
    "set aside self", "return aside", "note", "draw one", "return trashed",
)  # fmt: skip
(
    OP_END, OP_CARDS, OP_ACTIONS, OP_BUYS, OP_COINS, OP_DRAW_TO, OP_EACH, OP_END_EACH, OP_MODE, OP_UNLESS, OP_JUMP, OP_PICK, OP_MARK,
    OP_MOVE, OP_GAIN_CARD, OP_GAIN_PICKED, OP_REVEAL, OP_REVEAL_UNTIL, OP_SHOW_HAND, OP_LOOK_AT_BOTTOM, OP_BOTTOM_TO_TOP,
    OP_DECK_TO_DISCARD, OP_MOVE_SELF, OP_PLAY_PICKED, OP_PLAY_LAID, OP_UNAFFECTED, OP_PASS_LEFT, OP_NAME, OP_DUE, OP_BAN, OP_TOKEN,
    OP_EXTRA_TURN, OP_REDUCE, OP_NUMBER, OP_MOVE_GAINED, OP_SET_ASIDE_SELF, OP_RETURN_ASIDE, OP_NOTE, OP_DRAW_ONE, OP_RETURN_TRASHED,
) = range(len(OPERATIONS))  # fmt: skip
ME, THAT, LEFT = range(3)
"""Whom a row concerns: whose card it is, the player an `each` is at, the left neighbour."""
OTHERS, ALL = range(2)
HAND, DISCARD, LAID, IN_PLAY, SPOILS, SUPPLY, TRASHED, REWARDS, NEIGHBOUR, DECK, AWAY, HIDDEN, PILE, SHUFFLED = range(14)
"""Zones: `LAID` is what was revealed or looked at, `SPOILS` what this text has trashed, `REWARDS` the prizes and the 3-VP card, `NEIGHBOUR`
what the right neighbour gained in its last turn, `AWAY` set aside until the end, `HIDDEN` set aside face down, `SHUFFLED` into the deck."""
_ZONE_NAMES = (
    "hand", "discard pile", "those cards", "play", "the trashed cards", "supply", "trash", "prizes and the 3-VP card",
    "what the right neighbour gained last turn", "deck", "set aside", "set aside face down", "its pile", "deck, shuffled",
)  # fmt: skip
(
    C_PICKED, C_NUMBER, C_MODE, C_KIND, C_HAND, C_UNIQUE, C_HAND_HAS, C_LAID_HAS, C_TRASH_HAS, C_PLAYED, C_EMPTY_PILES, C_COINS, C_NOTED,
    C_IN_PLAY, C_GAINED, C_NO_VICTORY_BOUGHT,
) = range(16)  # fmt: skip
"""Conditions of `unless`."""
N_PICKED, N_COST, N_KINDS_LAID, N_KINDS_TRASHED, N_HAND, N_IN_PLAY, N_ACTIONS = range(7)
"""What `number` counts."""
ANY_NUMBER = 63
DOWN_TO = 40
"""Added to a number of cards that are to be left."""


class Filter(NamedTuple):
    """Which kinds of cards are meant. `relative` costs are counted from the number at hand."""

    any: int = 0
    none: int = 0
    which: int = 0
    low: int = -99
    high: int = 99
    relative: int = 0


KIND, NOT_KIND, NOT_SELF, RICE_OR_SAKE, KIND_WITH_PILE = 100, 101, 102, 103, 104
"""`which`: the kind picked last (if it has a pile), others than it, others than the card itself; below these a place plus one."""
EVERY = Filter()
_FILTERS = [EVERY]


def filter_number(wanted: Filter) -> int:
    """The number of a filter in the table."""
    if wanted not in _FILTERS:
        _FILTERS.append(wanted)
    return _FILTERS.index(wanted)


def filters() -> list[Filter]:
    """All filters that a text uses."""
    return _FILTERS


QUESTIONS = (
    "none", "action", "resources", "buy", "reaction", "order", "trash", "discard", "gain", "put on deck", "option", "may", "name",
    "reveal", "play", "set aside", "pass left", "choose", "token", "top",
)  # fmt: skip
(
    Q_NONE, Q_ACTION, Q_RESOURCES, Q_BUY, Q_REACTION, Q_ORDER, Q_TRASH, Q_DISCARD, Q_GAIN, Q_DECK, Q_OPTION, Q_MAY, Q_NAME, Q_REVEAL,
    Q_PLAY, Q_ASIDE, Q_PASS, Q_CHOOSE, Q_TOKEN, Q_TOP,
) = range(len(QUESTIONS))  # fmt: skip


class Row(NamedTuple):
    """One row of a program; a jump in `b` is relative to the row after it until the tables are made."""

    op: int
    a: int = 0
    b: int = 0
    c: int = 0
    d: int = 0
    who: int = ME
    by: int = ME


class Step(NamedTuple):
    """Rows, and what they say."""

    rows: tuple[Row, ...]
    says: str


Text = Sequence[Step]


def _rows(text: Text) -> tuple[Row, ...]:
    return tuple(row for step in text for row in step.rows)


def say(text: Text) -> str:
    """The sentence of a text."""
    return "; ".join(step.says for step in text if step.says)


def _s(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"


_WHO = ("", "that player: ", "the left neighbour: ")


def _words(wanted: Filter) -> str:
    """`action`, `card costing at most 4` and so on."""
    names = [name for name, bit in TYPES.items() if wanted.any & bit]
    noun = " or ".join({"victory": "victory card", "minus": "Minus"}.get(name, name) for name in names) or "card"
    if wanted.none:
        noun = "card that is no " + " or ".join(name for name, bit in TYPES.items() if wanted.none & bit)
    if 0 < wanted.which <= BASIC:
        noun = BASIC_WORDS[wanted.which - 1]
    noun = {
        KIND: "card of that kind",
        KIND_WITH_PILE: "card of that kind",
        NOT_KIND: f"other {noun}",
        NOT_SELF: "card of another kind",
        RICE_OR_SAKE: "Rice or Sake",
    }.get(wanted.which, noun)
    low, high = wanted.low, wanted.high
    if wanted.relative:
        about = {0: "its cost", 1: "exactly 1 more", 2: "exactly 2 more", -1: "exactly 1 less"}
        costs = about[low] if low == high else f"at most {high} more" if high > 0 else f"at least {-high} less"
        return f"{noun} costing {costs}"
    if low > 0 and high < 99:
        return f"{noun} costing {low} to {high}"
    if low > 0:
        return f"{noun} costing at least {low}"
    return f"{noun} costing at most {high}" if high < 99 else noun


def _several(number: int, wanted: Filter) -> str:
    """The same for a number of them: `cards costing at most 4`."""
    words = _words(wanted)
    if number == 1 or wanted.which == RICE_OR_SAKE:
        return words
    head, middle, tail = words.partition(" costing") if " costing" in words else words.partition(" that is")
    return f"{head}s{middle.replace('is', 'are')}{tail}"


BASIC_WORDS = ("Coin", "Rice", "Sake", "Talisman", "1-VP", "3-VP", "6-VP", "10-VP", "Minus")

# ---------------------------------------------------------------- steps: what players get


def cards(number: int, times: int = 0, who: int = ME) -> Step:
    """Draw cards: `number`, and `times` the number at hand."""
    return Step((Row(OP_CARDS, number, times, who=who),), _WHO[who] + ("+1 card for each" if times else f"+{_s(number, 'card')}"))


def actions(number: int, times: int = 0) -> Step:
    """More actions."""
    return Step((Row(OP_ACTIONS, number, times),), f"+{_s(times, 'action')} for each" if times else f"+{_s(number, 'action')}")


def buys(number: int) -> Step:
    """More purchases."""
    return Step((Row(OP_BUYS, number),), f"+{_s(number, 'purchase')}")


def coins(number: int, times: int = 0) -> Step:
    """Coins; never below 0 in all."""
    each = f"{'+' if times > 0 else '-'}{_s(abs(times), 'coin')} for each" if times else f"{number:+d} coin{'s' * (abs(number) != 1)}"
    return Step((Row(OP_COINS, number, times),), each)


def draw_to(number: int) -> Step:
    """Draw until the hand has that many."""
    return Step((Row(OP_DRAW_TO, number),), f"draw until {number} cards are in hand")


def number(what: int, wanted: Filter = EVERY) -> Step:
    """Put a number at hand."""
    says = {N_KINDS_LAID: "for each kind of {} among them", N_KINDS_TRASHED: "for each kind of {} in the trash",
            N_HAND: "for each {} there",
            N_IN_PLAY: "for each {} you have in play", N_ACTIONS: "for each unused action"}  # fmt: skip
    return Step((Row(OP_NUMBER, what, filter_number(wanted)),), says.get(what, "").format(_words(wanted)))


# ---------------------------------------------------------------- steps: who, whether, which


def each(scope: int, text: Text) -> Step:
    """A text for each other player, or for all from the player on; players unaffected by the attack are passed over."""
    body = _rows(text)
    whom = "each player from you on" if scope == ALL else "each other player"
    return Step(
        (Row(OP_EACH, scope, len(body) + 1), *body, Row(OP_END_EACH, 0, -len(body) - 1)), f"{whom}: {say(text).replace(_WHO[THAT], '')}"
    )


def when(condition: int, operand: int, text: Text, otherwise: Text = (), who: int = ME, says: str = "if so") -> Step:
    """A text if a condition holds, else another."""
    body, other = _rows(text), _rows(otherwise)
    if other:
        body = (*body, Row(OP_JUMP, 0, len(other)))
    then = f"{says}: {say(text)}" if says and text else say(text)
    unless = f"otherwise: {say(otherwise)}" if text else f"{says.replace('if', 'unless', 1)}: {say(otherwise)}"
    words = "; ".join(filter(None, (then, unless if otherwise else "")))
    return Step((Row(OP_UNLESS, condition, len(body), operand, who=who), *body, *other), words)


def repeat(text: Text, says: str = "") -> Step:
    """A text over and over; a `stop_unless` in it ends it."""
    body = list(_rows(text))
    whole = [
        Row(OP_UNLESS, row.a, len(body) - at, row.c, who=row.who) if row.op == OP_UNLESS and row.d == _STOP else row
        for at, row in enumerate(body)
    ]
    return Step((*whole, Row(OP_JUMP, 0, -len(body) - 1)), says or say(text))


_STOP = 1


def stop_unless(condition: int, operand: int = 1, who: int = ME) -> Step:
    """Ends a `repeat` unless a condition holds."""
    return Step((Row(OP_UNLESS, condition, 0, operand, _STOP, who=who),), "")


def options(*texts: Text, count: int = 1, by: int = ME, may: bool = False) -> Step:
    """Choose one, or several different ones, carried out in the printed order (P-3)."""
    rows = [Row(OP_MODE, len(texts), 0, count, int(may), by=by)]
    for place, text in enumerate(texts):
        body = _rows(text)
        rows += [Row(OP_UNLESS, C_MODE, len(body), place), *body]
    choice = " / ".join(say(text) for text in texts)
    who = {ME: "", THAT: "that player may " if may else "that player chooses: "}.get(by, "")
    if may and len(texts) == 1:
        return Step(tuple(rows), f"{who or 'you may '}{_all_or_nothing(texts[0])}")
    how = "you may choose 1" if may else f"choose {count} different" if count > 1 else "choose 1"
    return Step(tuple(rows), f"{who or how + ': '}{choice}")


def _all_or_nothing(text: Text) -> str:
    """The sentence of a text that is carried out whole or left."""
    first, *rest = (step.says for step in text if step.says)
    then = "; ".join(rest)
    return "; ".join(filter(None, (first, f"if so: {then}" if rest and not then.startswith("if ") else then)))


def may(*text: Step, by: int = ME) -> Step:
    """A text if one likes."""
    return options(text, by=by, may=True)


# ---------------------------------------------------------------- steps: cards that are picked, and where they go

_VERBS = {
    Q_TRASH: "trash", Q_DISCARD: "discard", Q_DECK: "put on the deck", Q_REVEAL: "reveal", Q_ASIDE: "set aside", Q_CHOOSE: "take",
    Q_GAIN: "gain", Q_PLAY: "pick", Q_TOKEN: "name", Q_TOP: "put back",
}  # fmt: skip


def pick(
    zone: int, wanted: Filter, least: int, most: int, question: int, who: int = ME, by: int | None = None, shown: bool = False
) -> Step:
    """Pick cards of a zone, one after the other; fewer where it runs out."""
    decides = who if by is None else by
    row = Row(OP_PICK, zone, filter_number(wanted), least + 64 * most, question + 32 * shown, who, decides)
    if most >= DOWN_TO and most != ANY_NUMBER:
        return Step((row,), f"{_WHO[who]}{_VERBS[question]} down to {_s(most - DOWN_TO, 'card')} in hand")
    many = "any number of " if most == ANY_NUMBER else "" if most == 1 else f"up to {most} " if least < most else f"{most} "
    article = ("an " if _words(wanted)[0] in "aeiou" else "a ") if most == 1 else ""
    allowed = "you may " if least == 0 and most == 1 else ""
    where = "" if zone in (SPOILS, LAID) else f" from {_ZONE_NAMES[zone]}"
    whose = f"{_WHO[who]}{'you choose: ' if decides == ME != who else ''}{allowed}"
    says = f"{whose}{_VERBS[question]} {article}{many}{_several(most, wanted)}{where}"
    return Step((row,), says)


def mark(zone: int, wanted: Filter = EVERY, who: int = ME) -> Step:
    """All matching cards of a zone."""
    return Step((Row(OP_MARK, zone, filter_number(wanted), who=who),), "")


def move(source: int, to: int, who: int = ME, known: bool = False, says: str = "") -> Step:
    """Move the cards that were picked, all at once."""
    return Step((Row(OP_MOVE, source, to, int(known), who=who),), says)


def pick_and(zone: int, wanted: Filter, least: int, most: int, question: int, to: int, **options: int) -> tuple[Step, ...]:
    """Pick cards and move them."""
    return pick(zone, wanted, least, most, question, **options), move(zone, to, options.get("who", ME))  # type: ignore[arg-type]


def trash(least: int = 1, most: int = 1, wanted: Filter = EVERY, who: int = ME) -> tuple[Step, ...]:
    """Trash from a hand."""
    return pick_and(HAND, wanted, least, most, Q_TRASH, TRASHED, who=who)


def discard(least: int = 1, most: int | None = None, wanted: Filter = EVERY, who: int = ME) -> tuple[Step, ...]:
    """Discard from a hand."""
    return pick_and(HAND, wanted, least, least if most is None else most, Q_DISCARD, DISCARD, who=who)


def discard_down_to(left: int) -> tuple[Step, ...]:
    """That player discards until `left` cards are left (D-7)."""
    return discard(DOWN_TO + left, who=THAT)


def put_on_deck(times: int = 1, who: int = ME) -> tuple[Step, ...]:
    """Put cards of a hand on the deck, one by one."""
    return pick_and(HAND, EVERY, 1, 1, Q_DECK, DECK, who=who) * times


def move_all(zone: int, to: int, wanted: Filter = EVERY, who: int = ME) -> tuple[Step, ...]:
    """Move all matching cards of a zone at once."""
    verb, behind = {DISCARD: ("discard", ""), HAND: ("take", " to hand"), DECK: ("put", " back"), TRASHED: ("trash", "")}[to]
    of_them = {EVERY: "them", Filter(which=NOT_KIND): "the others", Filter(which=KIND): "it"}.get(wanted, f"every {_words(wanted)} of them")
    what = {LAID: of_them, HAND: "the hand"}.get(zone, f"every {_words(wanted)} in {_ZONE_NAMES[zone]}")
    return mark(zone, wanted, who), move(zone, to, who, says=f"{_WHO[who]}{verb} {what}{behind}")


def back_in_order(who: int = ME, wanted: Filter = EVERY, zone: int = LAID) -> Step:
    """Put cards on the deck in any order, one by one; the last lies on top."""
    body = (*pick_and(zone, wanted, 1, 1, Q_TOP, DECK, who=who), stop_unless(C_PICKED))
    rest = "the rest" if zone == LAID else f"every {_words(wanted)} in {_ZONE_NAMES[zone]}"
    return repeat(body, f"{_WHO[who]}put {rest} on the deck in any order")


def _top(number: int) -> str:
    return "card" if number == 1 else f"{number} cards"


def reveal(number: int, who: int = ME) -> Step:
    """Reveal from the deck: everybody sees."""
    return Step((Row(OP_REVEAL, number, 1, who=who),), f"{_WHO[who]}reveal the top {_top(number)} of the deck")


def look(number: int, who: int = ME) -> Step:
    """Look at the top of the deck: the player alone."""
    return Step((Row(OP_REVEAL, number, 0, who=who),), f"{_WHO[who]}look at the top {_top(number)} of the deck")


def reveal_until(wanted: Filter, count: int = 1, who: int = ME) -> Step:
    """Reveal until cards are found."""
    found = f"{count} {_several(count, wanted)} {'are' if count > 1 else 'is'} found"
    return Step((Row(OP_REVEAL_UNTIL, filter_number(wanted), count, who=who),), f"{_WHO[who]}reveal until {found}")


def show_hand(who: int = ME) -> Step:
    """Reveal a hand."""
    return Step((Row(OP_SHOW_HAND, who=who),), f"{_WHO[who]}reveal the hand")


def gain(place: int, to: int = DISCARD, number: int = 1, times: int = 0, who: int = ME) -> Step:
    """Gain cards of a basic pile."""
    where = {DISCARD: "", HAND: " to the hand", DECK: " onto the deck"}[to]
    return Step(
        (Row(OP_GAIN_CARD, place, to, number, times, who),),
        f"{_WHO[who]}gain {'for each ' if times else ''}{number or 1} {BASIC_WORDS[place]}{where}",
    )


def gain_another() -> Step:
    """Gain another card of the kind whose text this is."""
    return Step((Row(OP_GAIN_CARD, -1, DISCARD, 1),), "gain a copy of this")


def gain_choice(wanted: Filter, to: int = DISCARD, zone: int = SUPPLY, who: int = ME, least: int = 1) -> Step:
    """Gain a card of one's choice."""
    where = {DISCARD: "", HAND: " to the hand", DECK: " onto the deck"}[to]
    source = TRASHED if zone in (TRASHED, SPOILS) else SUPPLY
    body = (pick(zone, wanted, least, 1, Q_GAIN, who), Step((Row(OP_GAIN_PICKED, to, source, who=who),), ""))
    of = {
        SUPPLY: "",
        TRASHED: " of the trash",
        SPOILS: " that was trashed",
        REWARDS: ", a prize or the 3-VP,",
        NEIGHBOUR: " the right neighbour gained last turn",
    }[zone]
    return Step(_rows(body), f"{_WHO[who]}{'you may ' if least == 0 else ''}gain 1 {_words(wanted)}{of}{where}")


def gain_copy(who: int = ME) -> Step:
    """Gain a copy of the kind picked last."""
    return Step((Row(OP_GAIN_PICKED, DISCARD, SUPPLY, who=who),), f"{_WHO[who]}gain a copy of it")


def bare(op: int, says: str, a: int = 0, b: int = 0, who: int = ME, by: int = ME) -> Step:
    """A step of one row."""
    return Step((Row(op, a, b, who=who, by=by),), says)
