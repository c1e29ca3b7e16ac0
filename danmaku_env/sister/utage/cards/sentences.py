"""A card's text in a sentence, read off its rows: what the machine does is what stands here."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence

from danmaku_env.sister.utage.cards import box
from danmaku_env.sister.utage.cards import words as w

_SCOPES = {
    w.THIS: "this spell", w.HOST: "the spell it lies on", w.OWN_LEADER: "own leader", w.OPP_LEADER: "the other leader",
    w.BOTH_LEADERS: "both leaders", w.OPP_BATTLING: "the enemy's battling spell", w.TARGET: "it",
}  # fmt: skip
_WHOSE = {w.OWN: "own ", w.OPP: "the other's ", w.BOTH: ""}
_SEATS = {w.OWN: "you", w.OPP: "the other side"}


def _id(number: int) -> str:
    return box.CARDS[number].id


def _traits(bits: int) -> str:
    return " or ".join(name for place, name in enumerate(w.TRAITS) if bits >> place & 1)


def _amount(number: int, x: w.Amount) -> str:
    if x.what == w.X_NONE:
        return str(number)
    counted = {
        w.X_CLASS: f"the number of {w.CLASS_WORDS[x.arg]}s on the own leader" if x.what == w.X_CLASS else "",
        w.X_CARD: f"the number of {_id(x.arg)} on the own leader" if x.what == w.X_CARD else "",
        w.X_LEADER_LEVEL: "the own leader's level", w.X_DISCARDED: "the number of cards discarded",
    }[x.what]  # fmt: skip
    return f"half of {counted}, rounded down" if x.divided_by == 2 else counted


def change(stat: int, number: int, x: w.Amount = w.NO_AMOUNT) -> str:
    """`AV +1`, `protection(2)`, `guided`."""
    if stat in (w.AV, w.IV, w.HV, w.EV):
        sign = "+" if number >= 0 or x != w.NO_AMOUNT else "-"
        return f"{w.STATS[stat]} {sign}{_amount(abs(number), x)}" if x == w.NO_AMOUNT else f"{w.STATS[stat]} raised by {_amount(number, x)}"
    if stat in (w.PROTECTION, w.FAST, w.SLOW, w.FAITH):
        return f"{w.STATS[stat]}({_amount(number, x)})"
    if stat == w.BECOMES:
        return f"becomes {w.TYPE_WORDS[number]}"
    if stat == w.COUNTS_AS:
        return f"counts as carrying a {w.CLASS_WORDS[number]}"
    return {w.SAFE_FROM_EVENTS: "cannot be targeted by the other's events", w.SAFE_FROM_ABILITIES: "nor by the other's abilities"}.get(
        stat, w.STATS[stat]
    )


def cards(one: w.Filter, *, many: bool = False) -> str:
    """What a filter takes: `an own reserve spell that requires Reimu`."""
    kinds = [word for kind, word in ((w.SPELL, "spell"), (w.SUPPORT, "support"), (w.EVENT, "event")) if one.kinds & kind]
    noun = "card" if len(kinds) == 3 else " or ".join(kinds)
    where = {w.RESERVE: "reserve ", w.ACTIVE: "active "}.get(one.where, "") if one.kinds == w.SPELL else ""
    kind = f"{w.TYPE_WORDS[one.type]} " if one.type else ""
    cls = f"{w.CLASS_WORDS[one.cls]} " if one.cls and one.kinds == w.SUPPORT else ""
    words = f"{_WHOSE[one.side]}{where}{kind}{cls}{noun}{'s' * many}"
    if one.card:
        words = f"{_WHOSE[one.side]}{where}{_id(one.card - 1)}"
    more = [
        f"requiring {w.CHARACTERS[one.character - 1]}" if one.character else "",
        ("", "requiring the own leader's name", "not requiring the own leader's name")[one.leader],
        f"of level {one.high} or less" if one.high < 9 else "", f"of another level than {one.not_level}" if one.not_level >= 0 else "",
        f"carrying a {w.CLASS_WORDS[one.cls]}" if one.cls and one.kinds == w.SPELL else "", "on the own leader" if one.on_leader else "",
        f"except {_id(one.but - 1)}" if one.but else "", "whose requirement is met" if one.playable else "",
    ]  # fmt: skip
    return " ".join([("all " if many else "") + words, *filter(None, more)])


def _one(words: str) -> str:
    return f"an {words}" if words[0] in "aeio" else f"a {words}"


def condition(cond: w.Cond) -> str:
    """A condition, to stand behind "if"."""
    a, b = cond.a, cond.b
    said: dict[int, Callable[[], str]] = {
        w.C_ALWAYS: lambda: "", w.C_OWN_TRAIT: lambda: f"the own leader is {_traits(a)}",
        w.C_OPP_TRAIT: lambda: f"the other leader is {_traits(a)}", w.C_LEVEL: lambda: f"{w.CHARACTERS[a]} is at level {b} or more",
        w.C_HP_AT_MOST: lambda: f"own HP is {a} or less",
        w.C_CARRIES: lambda: f"the own leader carries {' or '.join(dict.fromkeys((_id(a), _id(b))))}",
        w.C_CARRIES_BOTH: lambda: f"the own leader carries {_id(a)} and {_id(b)}",
        w.C_COPIES: lambda: f"the own leader carries {b} or more {_id(a)}",
        w.C_CARRIES_CLASS: lambda: f"the own leader carries {b} or more {w.CLASS_WORDS[a]}s",
        w.C_LACKS_CLASS: lambda: f"the own leader carries fewer than {b} {w.CLASS_WORDS[a]}s",
        w.C_OWN_LEADER: lambda: f"{w.CHARACTERS[a]} leads",
        w.C_MORE_SUPPORTS: lambda: "the own leader carries more supports than the other",
        w.C_BATTLING: lambda: "it battles", w.C_USED: lambda: "it was used in this battle", w.C_HIT: lambda: "it hit",
        w.C_DEALT_DAMAGE: lambda: "the own spell dealt damage",
    }  # fmt: skip
    return said[cond.test]()


def _moment(phases: Iterable[int], role: int) -> str:
    named = [w.PHASES[phase] for phase in phases]
    return ("always" if len(named) == len(w.PHASES) else " and ".join(named)) + (f", {w.ROLES[role]}ing" if role else "")


def static(rows: Sequence[w.Static], *, of_spell: bool = False) -> list[str]:
    """Static texts; changes with the same moment, condition and scope stand together. Those of a spell hold while it battles (V-7)."""
    found: dict[tuple[object, ...], list[str]] = {}
    for row in rows:
        found.setdefault((row.phases, row.role, row.cond, row.scope, row.filter), []).append(change(row.stat, row.amount, row.x))
    lines = []
    for (phases, role, cond, scope, among), said in found.items():
        when = _moment([phase for phase in range(len(w.PHASES)) if int(phases) >> phase & 1], int(role))  # type: ignore[call-overload]
        if of_spell and phases == 1 << w.BATTLE:
            when = when.replace("battle", "while it battles")
        whom = cards(among, many=True) if scope == w.ALL else _SCOPES[int(scope)]  # type: ignore[arg-type,call-overload]
        lines.append(_sentence(when, cond, f"{whom}: {', '.join(said)}"))  # type: ignore[arg-type]
    return lines


def _sentence(when: str, cond: w.Cond, what: str) -> str:
    words = f"if {condition(cond)}, {what}" if cond.test else what
    return f"{when}: {words}" if when else words


def effect(rows: Sequence[w.Row], target: w.Filter | None = None) -> str:
    """What rows do, one after the other."""
    parts, place = [f"choose {_one(cards(target))}"] if target else [], 0
    while place < len(rows):
        row, size = rows[place], 1
        if row.op == w.OP_UNLESS:
            size += row.a
            parts.append(f"if {condition(row.cond)}, {effect(rows[place + 1 : place + size])}")
        elif row.op == w.OP_LATER:
            size += row.a
            parts.append(f"at {w.MOMENTS[row.b]} {effect(rows[place + 1 : place + size - 1])}")
        elif row.op in (w.OP_UNTIL_PHASE, w.OP_UNTIL_TURN):
            same = list(itertools.takewhile(lambda one: (one.op, one.a, one.filter) == (row.op, row.a, row.filter), rows[place:]))  # noqa: B023
            size = len(same)
            whom = cards(row.filter or w.Filter(), many=True) if row.a == w.ALL else _SCOPES[row.a]
            said = ", ".join(change(one.b, one.c, one.x) for one in same)
            parts.append(f"until the {'turn' if row.op == w.OP_UNTIL_TURN else 'phase'} ends {whom}: {said}")
        else:
            parts.append(_step(row))
        place += size
    return "; then ".join(parts)


def _step(row: w.Row) -> str:
    number = _amount(row.b, row.x)
    taken, many = cards(row.filter or w.Filter()), row.a == w.ALL
    whom = cards(row.filter or w.Filter(), many=True) if many else _SCOPES.get(row.a, "it")
    return {
        w.OP_MILL: f"{_SEATS.get(row.a, '')} mills {row.b}", w.OP_DRAW: f"draw {row.b}", w.OP_GAIN_SP: f"gain SP: {number}",
        w.OP_HEAL: f"own leader heals {number}", w.OP_DISCARD_RANDOM: "the other side discards a card at random",
        w.OP_DAMAGE: f"{row.b} damage to {'the own leader' if row.a == w.OWN else 'the other leader'}",
        w.OP_SHUFFLE_IN: "shuffle the own discard pile into the deck", w.OP_SHUFFLE: "shuffle the deck",
        w.OP_SEARCH: f"search the own deck for a {taken}{'' if row.a else ', or none'}{', shown' if row.b else ''}",
        w.OP_FROM_DISCARD: f"take a {taken} of the own discard pile",
        w.OP_FROM_OPP_HAND: f"look at the other hand and discard a {taken} of it", w.OP_TO_HAND: "it comes to the hand",
        w.OP_TO_TOP: "it comes on top of the deck", w.OP_INTO_PLAY: "it comes into reserve",
        w.OP_RESERVE: f"{whom} {'go' if many else 'goes'} to reserve", w.OP_ACTIVATE: f"{whom} becomes active",
        w.OP_DISCARD: f"{'this card' if row.a == w.THIS else whom} {'are' if many else 'is'} discarded",
        w.OP_RETURN: f"{whom} returns to its owner's hand", w.OP_TO_BOTTOM: "this card goes under its owner's deck",
        w.OP_BAN_EVENTS: "no events can be used until the turn ends", w.OP_BATTLE_AGAIN: "there is one battle phase more in this turn",
        w.OP_END_TURN: "the turn ends at once",
    }[row.op]  # fmt: skip


def cost(one: w.Cost) -> str:
    """`2 SP, a card of the hand`."""
    words = [f"{one.sp} SP" if one.sp else "", f"{one.hp} HP" if one.hp else "", "a card of the hand" if one.hand else ""]
    words.append(f"a reserve spell requiring {w.CHARACTERS[one.reserve - 1]}" if one.reserve else "")
    return ", ".join(filter(None, words)) or "nothing"


_MOMENTS = {w.AT_HIT: "after a hit", w.AT_ACTIVATED: "when it becomes active by your own act in preparation"}
_PRICES = {w.USE: "besides its SP it costs", w.TO_ACTIVE: "to become active it also costs", w.TO_BATTLE: "to battle it costs"}
_BESPOKE = {
    box.PLACES_IN_REPLENISH: "replenish, attacking: supports may be placed where an event could be used",
    box.MANY_DOLLS: "any number of dolls may lie on this leader",
    box.MORE_SPELLS: "preparation, attacking: one spell more may be put into play",
    box.PREVENTS: "battle: spell damage to the own leader is prevented; then it has been used in this battle",
}  # fmt: skip
"""The four texts that no row says."""


def sentence(card: box.Card) -> str:
    """All that a card says."""
    lines = [_BESPOKE[card.id]] if card.id in _BESPOKE else []
    lines += static(box.STATICS.get(card.id, []), of_spell=card.kind == w.SPELL)
    if own := box.ABILITIES.get(card.id):
        when = _moment([phase for phase in range(len(w.PHASES)) if own.phases >> phase & 1], own.role)
        limit = ", once a phase" if own.limit else ""
        active = "if this spell is active, " if own.active_only else ""
        lines.append(_sentence(f"{when}, {cost(own.cost)}{limit}", own.cond, active + effect(own.rows, own.target)))
    if itself := box.TRIGGERS.get(card.id):
        role = f", {w.ROLES[itself.role]}ing" if itself.role else ""
        lines.append(_sentence(f"{_MOMENTS.get(itself.moment, f'at {w.MOMENTS[itself.moment]}')}{role}", itself.cond, effect(itself.rows)))
    if event := box.EVENTS.get(card.id):
        role = f", {w.ROLES[event.role]}ing" if event.role else ""
        lines.append(_sentence(f"{w.PHASES[card.phase]}{role}", event.cond, effect(event.rows, event.target)))
    for moment, extra in box.EXTRA_COSTS.get(card.id, {}).items():
        lines.append(f"{_PRICES[moment]} {cost(extra)}")
    if only := box.PLACED_ONLY.get(card.id):
        lines.append(f"placed only if {condition(only).replace('the own leader', 'the leader')}")
    if character := box.PLACED_ONLY_ON_SPELLS_OF.get(card.id):
        lines.append(f"placed only on a spell requiring {w.CHARACTERS[character - 1]}")
    text = ". ".join(line[0].upper() + line[1:] for line in lines)
    return text + "." if text else "No text."
