"""Texts: when they may happen, how often, and which words their programs may contain there.

A text belongs to its owner in one of a few ways (`Use`). The engine reads some things of each and nothing else, so anything else would be
promised in English and never done. `rows.py` and `memory.py` check single rows and their memory.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from enum import Enum

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.errors import Where
from danmaku_env.cards.lint.rows import check_row


class Use(Enum):
    """How a text hangs on what it is printed on."""

    HALF = "a half of a card"
    ITEM_USE = "the use of an item"
    ABILITY = "an ability"
    SOURCE = "a way to one's Spell Card"
    SPELL = "a Spell Card"
    TRIGGER = "a trigger"
    ITEM_TRIGGER = "a trigger of an item"
    INCIDENT = "an incident's own"


ANNOUNCED, EFFECT = "announced", "effect"
"""What a text's two programs are called in messages."""
ONCE_LIMITED = (Use.HALF, Use.ITEM_USE, Use.ABILITY, Use.SOURCE)
"""Texts whose use is noted, so that it can be limited."""
ONCE_OFFERED = (v.ONCE_PER_TURN, v.OFFERED_ONCE_PER_TURN)
"""How often a trigger can happen that is an offer."""
PICKS_SPELL_OWNER = tuple(v.choose_player(group) for group in v.SPELL_GROUPS)
"""Rows that pick somebody whose Spell Card is then activated."""
_WORDS: dict[v.Kind, Sequence[v.Word | v.GroupWord]] = {
    v.Kind.SEAT: v.SEAT_WORDS,
    v.Kind.GROUP: v.GROUP_WORDS,
    v.Kind.CONDITION: v.CONDITION_WORDS,
}
"""Kinds of words that may be about an attack or a card."""
TRIGGERS = (Use.TRIGGER, Use.ITEM_TRIGGER)
_WITH_SOURCE = (Use.ABILITY, Use.SPELL, *TRIGGERS)
"""Texts that can give Extra Characters: of a character, of an item in play, of a role."""
_TAGS = v.DANMAKU | v.ACTION | v.SPELL
_PLAYED_TAGS = v.ACTION | v.REACTION | v.INVOCATION | v.DANMAKU
_SPELL_KINDS = v.SPELL | v.ACTION | v.REACTION


def check_text(text: v.Text, use: Use, where: Where) -> None:
    """Refuse a text that can never happen, or says what is never read. Raises CardError."""
    for program, part in ((text.announce, ANNOUNCED), (text.resolve, EFFECT)):
        for op in v.every_row(program):
            check_row(op, where._replace(program=part))
    _check_moment(text, use, where)
    _check_types(text, use, where)
    _check_limits(text, use, where)
    _check_activation(text, use, where)
    if text.announce and use is Use.INCIDENT:
        raise where.error(f"{use.value} announces nothing; its choices belong to the effect")
    if text.resolves_last and use not in TRIGGERS:
        raise where.error("only of triggers can one say that they come last")
    if use not in _WITH_SOURCE:
        for program, part in ((text.announce, ANNOUNCED), (text.resolve, EFFECT)):
            for op in v.every_row(program):
                if op.code in (v.RECRUIT, v.DISMISS_OWN, v.ACTIVATE_PRINTED) or op[:2] in ((v.CHOOSE_EXTRA, 1), (v.IF, v.EXTRA_MISSING)):
                    raise where._replace(program=part).error(
                        "is for abilities, Spell Cards, and what items in play and roles bring about", _word(op)
                    )
    _check_words(text.announce, text, use, where._replace(program=ANNOUNCED))
    _check_words(text.resolve, text, use, where._replace(program=EFFECT))
    if use in TRIGGERS:
        _check_decision(text, where._replace(program=EFFECT))
    else:
        _check_announcement(text.announce, where._replace(program=ANNOUNCED))


# ---------------------------------------------------------------- when


def _check_moment(text: v.Text, use: Use, where: Where) -> None:
    for event in text.events:
        if not isinstance(event, v.TimingEvent) or not 0 <= event < v.NUM_EVENTS:
            raise where.error(f"{event!r} is no event")
    if not isinstance(text.relation, v.Relation) or not 0 <= text.relation < len(v.RELATIONS):
        raise where.error(f"{text.relation!r} is no relation")
    if use is Use.INCIDENT:
        return
    if use in TRIGGERS and len(text.events) != 1:
        raise where.error(f"{use.value} has one event, not {len(text.events)}")
    if not text.events:
        raise where.error("has no event at which it may happen")
    for event in text.events:
        name = v.EVENTS[event]
        if v.EVENT_SPECS[event].offers == (use in TRIGGERS):
            raise where.error(f"{use.value} is never {'triggered' if use in TRIGGERS else 'offered'} at {name!r}")
        if not v.fits(text.relation, event):
            raise where.error(f"at {name!r} nothing is known of {v.RELATIONS[text.relation] or 'always'!r}; it would never happen")
    if (text.relation in v.TAGGED) != bool(text.tags):
        raise where.error("tags say which announced cards it answers: needed where it answers cards, and nowhere else")
    if int(text.tags) & ~(_PLAYED_TAGS if text.relation in (v.ANOTHERS_PLAY, v.OWN_PLAY) else _TAGS):
        raise where.error("tags can only be DANMAKU, ACTION and SPELL, or for cards played also REACTION and INVOCATION")


def _check_limits(text: v.Text, use: Use, where: Where) -> None:
    """How often: only where the use of a text is noted."""
    if text.once not in (v.UNLIMITED, v.ONCE_PER_TURN, v.ONCE_PER_ROUND, v.ONCE_PER_ATTACK, v.OFFERED_ONCE_PER_TURN):
        raise where.error(f"{text.once!r} is no limit on how often")
    extra_attack = use in TRIGGERS and text.once == v.ONCE_PER_ATTACK and text.events == (v.AVOIDED,) and text.relation == v.BY_ME
    if not text.once or extra_attack or (use in TRIGGERS and text.once in ONCE_OFFERED and _is_offer(text.resolve)):
        return
    if use not in ONCE_LIMITED or text.once == v.OFFERED_ONCE_PER_TURN or text.types & v.INVOCATION:
        raise where.error(
            f"how often {use.value} happens cannot be limited, but once per attack when an attack of one's own was avoided, "
            "and once per turn when it is an offer"
        )
    if text.once == v.ONCE_PER_ATTACK and text.events != (v.ATTACKED,):
        raise where.error("once per attack means something only at an attack")


def _is_offer(program: v.Program) -> bool:
    """Whether a program is one thing that its player may do or leave."""
    return len(program) == 1 and isinstance(program[0], v.Branch) and program[0].op == v.Op(v.MAY, v.ME)


# ---------------------------------------------------------------- what it is


def _check_types(text: v.Text, use: Use, where: Where) -> None:
    types = int(text.types)
    if use is Use.HALF and (not types or types & ~v.CARD_TYPES):
        raise where.error("a half of a card has one of the types of cards, and is no Spell Card")
    if use is Use.SPELL and (not types & v.SPELL or types & ~_SPELL_KINDS):
        raise where.error("a Spell Card has the type SPELL, and perhaps ACTION or REACTION")
    if use not in (Use.HALF, Use.SPELL) and types and not (use is Use.ABILITY and types == v.INSTANT):
        raise where.error(f"{use.value} has no types")
    for said, name in ((text.counts, "counts toward the danmaku limit"), (text.targets_all, "targets all")):
        if said and use is not Use.HALF:
            raise where.error(f"only a half of a card {name}")


def _check_activation(text: v.Text, use: Use, where: Where) -> None:
    """Spell Cards are activated by invocation cards, uses of items and sources, and by Spell Cards that pick another's."""
    invokes = use is Use.HALF and bool(text.types & v.INVOCATION)
    own = (tuple(text.announce), tuple(text.resolve)) == ((), (v.activate(v.ME),))
    another = any((tuple(text.announce), tuple(text.resolve)) == ((row,), (v.activate(v.CHOSEN),)) for row in PICKS_SPELL_OWNER)
    if invokes and not (own or another):
        raise where.error("an invocation card activates one's own Spell Card, or that of a player chosen for it, and does nothing else")
    if invokes and (text.types != v.INVOCATION or text.events != v.ANY_PRIORITY or text.relation != v.ALWAYS):
        raise where.error("an invocation card is an invocation alone, whenever one has priority: the Spell Card has types and timing")
    activates = any(op.code == v.ACTIVATE for op in v.every_row((*text.announce, *text.resolve)))
    if use is Use.SOURCE or (use is Use.ITEM_USE and activates):
        if tuple(text.resolve) != (v.activate(v.ME),):
            raise where.error(f"{use.value} activates one's own Spell Card; anything else would be offered only when that could be")
        return
    if not invokes and not (use is Use.SPELL and another):
        for program, part in ((text.announce, ANNOUNCED), (text.resolve, EFFECT)):
            for op in v.every_row(program):
                if op.code == v.ACTIVATE or op[:2] in [row[:2] for row in PICKS_SPELL_OWNER]:
                    where = where._replace(program=part)
                    raise where.error("is for invocation cards, ways to one's Spell Card, and Spell Cards that pick another's", _word(op))


# ---------------------------------------------------------------- which words


def _check_words(program: v.Program, text: v.Text, use: Use, where: Where) -> None:
    for op in v.every_row(program):
        operation = v.OPERATIONS[op.code]
        of_incident = operation.when is v.When.OF_INCIDENT or (op.code == v.IF and v.CONDITION_WORDS[op.a].of_incident)
        if of_incident and use is not Use.INCIDENT:
            raise where.error("is for what an incident does", operation.written)
        if where.program == ANNOUNCED and not _is_announced(op, use):
            raise where.error("is part of an effect; on announcement there are only choices and costs", operation.written)
        if operation.when is v.When.OF_ITEM and use not in (Use.ITEM_USE, Use.ITEM_TRIGGER):
            raise where.error("is for what an item does in play", operation.written)
        if operation.when is v.When.OF_CARD and use is not Use.HALF:
            raise where.error("is for cards that are played", operation.written)
        if where.program == EFFECT and operation.when in (v.When.ANNOUNCED, v.When.TRIGGERED):
            raise where.error("is chosen or paid on announcement, not in the effect", operation.written)
        if op.code == v.CHOOSE_CONTROLLER and use is not Use.HALF:
            raise where.error("is for cards that are played", operation.written)
        _check_events(op, text, where)
    _check_nesting(program, where)


_DECIDED = (v.MAY, v.DISCARD_OR, v.CHOOSE_DISCARD, v.CHOOSE_COLLECTED)
"""Besides what may stand in either program, what is asked when it is decided whether a triggered text happens, and with what."""


def _is_announced(op: v.Op, use: Use) -> bool:
    when = v.OPERATIONS[op.code].when
    if use in TRIGGERS:
        return when in (v.When.EITHER, v.When.TRIGGERED) or op.code in _DECIDED
    return when in (v.When.EITHER, v.When.ANNOUNCED)


def _check_events(op: v.Op, text: v.Text, where: Where) -> None:
    """Refuse a word about an attack or a card where none is answered to."""
    for events, what in _about_events(op):
        for event in text.events or (None,):
            if events and event not in events:
                meant = " or ".join(v.EVENTS[other] for other in events)
                at = "in an incident" if event is None else f"at {v.EVENTS[event]!r}"
                raise where.error(f"{what} means nothing {at}; it is about: {meant}", _word(op))


def _about_events(op: v.Op) -> Iterator[tuple[tuple[v.TimingEvent, ...], str]]:
    operation = v.OPERATIONS[op.code]
    yield operation.events, "it"
    for operand, value in zip(operation.operands, op[1:], strict=True):
        if operand.kind in _WORDS:
            word = _WORDS[operand.kind][value]
            yield word.events, repr(word.english)


def _check_nesting(program: v.Program, where: Where) -> None:
    """One loop over seats or numbers at a time: what is left of it is kept in one place."""
    for step in v.plain_steps(program):
        if isinstance(step, v.Each | v.Repeat):
            for op in v.every_row(step.body):
                if op.code in (v.START_EACH, v.SET_COUNT):
                    raise where.error("loops over players and counted loops cannot stand inside one another", _word(op))
                if isinstance(step, v.Each) and op.code == v.CHOOSE_PLAYER and op.c & v.AS_THIRD:
                    raise where.error("inside a loop over players the third player is the player of the loop", "choose_third")
        for body in v.bodies(step):
            _check_nesting(body, where)


# ---------------------------------------------------------------- announcement: whether it can be met is judged before it is offered


def decision(text: v.Text) -> tuple[v.Program, v.Program]:
    """The two programs of a trigger: what is decided when it is triggered, and its effect (K-14).

    A text that announces nothing of its own, but opens with an offer or with targets, is split into the two.
    """
    return (text.announce, text.resolve) if text.announce else _split(text.resolve)


def _split(program: v.Program) -> tuple[v.Program, v.Program]:
    """What a program opens with that its player decides, and the rest."""
    if _is_offer(program) and isinstance(program[0], v.Branch) and not program[0].otherwise:
        targets, effect = _split_targets(program[0].body)
        return [v.Branch(program[0].op, (), [v.decline()]), *targets], effect
    if len(program) == 1 and isinstance(program[0], v.If) and not program[0].otherwise:
        decided, effect = _split(program[0].then)
        return ([program[0]._replace(then=decided, otherwise=[v.decline()])], effect) if decided else ((), program)
    return _split_targets(program)


def _split_targets(program: v.Program) -> tuple[v.Program, v.Program]:
    steps = list(v.plain_steps(program))
    targets = list(itertools.takewhile(lambda step: isinstance(step, v.Op) and step.code in (v.CHOOSE_PLAYER, v.CHOOSE_ITEM), steps))
    return targets, steps[len(targets) :]


def _check_decision(text: v.Text, where: Where) -> None:
    """What a triggered text leaves to its player before it does anything is decided when it is triggered, not when it happens."""
    decided, effect = decision(text)
    opening = next(v.every_row(effect), None)
    if decided or opening is None:
        return
    asks_owner = opening.code in (v.MAY, v.DISCARD_OR) and opening.a == v.ME
    is_optional = opening.code in (v.CHOOSE_DISCARD, v.CHOOSE_COLLECTED, v.CHOOSE_CARD) and opening.c & v.OPTIONAL
    if asks_owner or is_optional:
        raise where.error("is decided as soon as it is triggered: it belongs to what is announced (K-14)", _word(opening))


def _check_announcement(program: v.Program, where: Where) -> None:
    """Every cost of an announcement is judged beforehand, row by row, as if all were due."""
    paid = {int(op.a) for op in v.every_row(program) if op.code == v.PAY and op.a != v.ANY_TYPE}
    if len(paid) > 1:
        raise where.error("the cards of an announcement's costs are of one sort, or any", "pay")
    _check_order_of_costs([op for op in v.every_row(program) if op.code in (v.PAY, v.PAY_ANY, v.BOOST, v.PAY_POINTS)], where)
    for step in v.plain_steps(program):
        if isinstance(step, v.Each | v.Repeat | v.While | v.Branch):
            raise where.error("there are no loops and no offers on announcement", _word(next(v.every_row([step]))))
        for op in (op for body in v.bodies(step) for op in v.every_row(body)):
            if op.code in (v.PAY, v.PAY_ITEM, v.PAY_LIFE, v.DODGE_COST) or (op.code == v.CHOOSE_CARD and not op.c & v.OPTIONAL):
                raise where.error("a cost cannot depend on a condition", _word(op))
            # a second or third player need not be found
            needed = op.code == v.CHOOSE_PLAYER and not op.c & (v.OPTIONAL | v.IF_ANY | v.AS_SECOND | v.AS_THIRD)
            if needed and not v.GROUP_WORDS[op.a].never_empty:
                raise where.error("a first choice that depends on a condition is optional, or among players there always are", _word(op))


def _check_order_of_costs(costs: Sequence[v.Op], where: Where) -> None:
    """No cost may be paid with the cards that a later one needs."""
    for earlier, later in itertools.pairwise(costs):
        if later.code != v.PAY:
            continue
        if earlier.code != v.PAY:
            raise where.error("costs come before what any number of cards is discarded for", "pay")
        if earlier.a == v.ANY_TYPE and later.a != v.ANY_TYPE:
            raise where.error("costs of a certain sort come before those that any card pays", "pay")


def _word(op: v.Op) -> str:
    return v.OPERATIONS[op.code].written
