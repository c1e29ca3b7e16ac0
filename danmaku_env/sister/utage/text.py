"""A table of Gensou no Utage as text of 80 columns and at most 24 lines, as a seat sees it; and what a card says."""

from __future__ import annotations

import textwrap
from typing import Any

from danmaku_env.sister.text_table import HEIGHT, WIDTH, cut, headed, in_cells, question
from danmaku_env.sister.utage import names
from danmaku_env.sister.utage.cards import box
from danmaku_env.sister.utage.cards import words as w
from danmaku_env.sister.utage.cards.sentences import sentence
from danmaku_env.sister.utage.cards.tables import tables
from danmaku_env.sister.utage.engine import state as st
from danmaku_env.sister.utage.game import Card, Game

_CELL = 20
PLAIN = {
    "leader": "who leads", "mulligan": "no spell in hand: show it and draw anew, or pass", "act": "use an event or ability, or pass",
    "attack": "which spell attacks, or pass", "intercept": "which spell intercepts, or pass",
    "border": "pay the border, or pass and be hit",
    "prepare": "put down, activate or place, or pass to end", "discard": "which card to discard", "pay": "what to pay with",
    "target": "which card it is aimed at", "place on": "where it is placed", "search": "which card of the deck", "pick": "which card",
    "order": "which text happens first",
}  # fmt: skip
"""What each question asks."""


def card_text(card: box.Card) -> str:
    """Name, kind, numbers and text of a card, in lines of 80 columns."""
    requires = ", ".join(f"{name} {level}" for name, level in card.requirement.items()) or "nothing"
    if card.kind == w.CHARACTER:
        traits = ", ".join(name for place, name in enumerate(w.TRAITS) if card.traits >> place & 1)
        what = f"character; HP {card.hp}, EV {card.ev}, BV {card.bv}; {traits}"
    elif card.kind == w.SPELL:
        keywords = "".join(f", {name}({number})" if name not in ("guided", "penetration") else f", {name}"
                           for name, number in (card.keywords or {}).items())  # fmt: skip
        what = f"{w.TYPE_WORDS[card.type]} spell, {card.sp} SP; AV {card.av}, IV {card.iv}, HV {card.hv}{keywords}; requires {requires}"
    elif card.kind == w.SUPPORT:
        cls = f", {w.CLASS_WORDS[card.cls]}" if card.cls else ""
        what = f"{w.PLACEMENT_WORDS[card.place]} support{cls}, {card.sp} SP; requires {requires}"
    else:
        what = f"event of {w.PHASES[card.phase]}, {card.sp} SP; requires {requires}"
    head = f"{card.id}  {card.name} ({card.name_ja}): {what}"
    return headed(head, sentence(card))


def _spell(card: Card, carried: str) -> str:
    """`>0105 3/1/4 spr P1 +0109`: battling, values as they stand, type, keywords, support."""
    short = {"protection": "P", "fast": "F", "slow": "S", "faith": "faith", "guided": "G", "penetration": "N"}
    words = [f"{short[name]}{number if name not in ('guided', 'penetration') else ''}" for name, number in card.keywords.items()]
    head = f"{'>' if card.battles else ''}{card.id} {card.av}/{card.iv}/{card.hv} {card.type[:3]}"
    return " ".join([head, *words, *([f"+{carried}"] if carried else [])])


def _side(game: Game, index: int, observer: int | None) -> list[str]:
    """Two or three lines: the leader, then spells, then supports."""
    seat, you = game.seat(index), " (you)" if index == observer else ""
    turn = ">" if game.turn_number and index == game.attacker and not game.over else " "
    sizes = f"hand {sum(seat.hand.values())}, deck {len(seat.deck)}, discard {sum(seat.discard.values())}"
    shown = seat.leader if observer in (None, index) or game.turn_number else None
    head = f"{turn}seat {index}{you}: {shown or 'no leader yet'}, HP {seat.hp}, SP {seat.sp}, EV {seat.ev}, BV {seat.bv}; {sizes}"
    field = seat.field
    carried = {card.on: card.id for card in field if card.on}
    spells = {where: [_spell(card, carried.get(card.id, "")) for card in field if card.where == where] for where in ("active", "reserve")}
    rest = [f"{card.id} on leader" if card.where == "on the leader" else f"{card.id} scene" for card in field if card.where in
            ("on the leader", "scene")]  # fmt: skip
    lines = [cut(head)]
    for where, found in spells.items():
        if found:
            lines += textwrap.wrap(f"   {where}: " + "; ".join(found), WIDTH, subsequent_indent="     ")[:3]
    return lines + ([cut("   supports: " + "; ".join(rest))] if rest else [])


def why(game: Game, seat: int, card: str) -> list[str]:
    """Why the values of a card are what they are: every source, in lines. Raises ValueError for a card that is not on that side."""
    found = game.seat(seat).find(card)
    printed = box.CARDS[box.NUMBERS[card]]
    lines = [f"{card} stands at {found.av}/{found.iv}/{found.hv}; printed {printed.av}/{printed.iv}/{printed.hv}"]
    for side in game.seats:
        for other in [*side.field]:
            if other.id in box.STATICS:
                lines.append(f"{other.id} of seat {side.index}: {sentence(box.CARDS[box.NUMBERS[other.id]])}")
        leader = box.LEADER_IDS[w.CHARACTERS.index(side.leader)] if side.leader else ""
        if leader in box.STATICS:
            lines.append(f"{leader} of seat {side.index}: {sentence(box.CARDS[box.NUMBERS[leader]])}")
    for row in game.record["lasting"][: int(game.record["lasting_count"])]:
        what = f"{w.STATS[int(row[st.LA_STAT])]} {int(row[st.LA_AMOUNT]):+d}"
        lines.append(f"{names.card_id(int(row[st.LA_CARD]))}, until the {'turn' if row[st.LA_TURN] else 'phase'} ends: {what}")
    return lines


def answers(game: Game) -> list[str]:
    """The legal answers, numbered from 1, with the SP that cards cost."""
    t = tables()[0]
    found = []
    for place, name in enumerate(game.legal(), 1):
        words = name.split()
        card = next((word for word in words if word in box.NUMBERS), "")
        moment = w.TO_ACTIVE if words[0] == "activate" else w.ABILITY if words[0] == "use" else w.USE
        paid = words[0] in ("play", "activate", "use") and card
        price = f" {int(t['cost'][box.NUMBERS[card], moment, 0])}SP" if paid and box.CARDS[box.NUMBERS[card]].kind != w.SPELL else ""
        price = f" {int(t['cost'][box.NUMBERS[card], moment, 0])}SP" if words[0] in ("activate", "use") and card else price
        found.append(f"{place} {name.removeprefix('choose ')}{price}")
    return found


def table(game: Game, seat: int | None = None, *, color: bool = False) -> str:
    """The table as a seat sees it, or from above: at most 24 lines of 80 columns. `color` is for the sake of other games' tables."""
    head = f"Gensou no Utage, {names.position(game.record)}" if game.turn_number else "Gensou no Utage, set-up"
    if game.over:
        winners = ", ".join(f"seat {winner}" for winner in game.winners) or "nobody"
        head = f"Gensou no Utage, over in turn {game.turn_number} ({game.outcome}): {winners}"
    asked_here = game.asking is not None and (seat is None or seat == game.asking)
    if asked_here and not game.over:
        head += f"; seat {game.asking} answers"
    lines = [cut(head)]
    for index in (1, 0) if seat in (None, 0) else (0, 1):
        lines += _side(game, index, seat)
    for index in range(st.SEATS) if seat is None else (seat,):
        cards = ", ".join(name if copies == 1 else f"{name} x{copies}" for name, copies in game.seat(index).hand.items()) or "nothing"
        lines += textwrap.wrap(f"{f'hand of seat {index}' if seat is None else 'your hand'}: {cards}", WIDTH, subsequent_indent="  ")[:2]
    asked = [cut(f"{question(game, PLAIN)}:"), *map(cut, in_cells(answers(game), _CELL))] if asked_here else []
    room = HEIGHT - len(lines) - len(asked)
    log = game.log.above() if seat is None else game.log.of(seat)
    lines += [cut(f"  {line}") for line in log[-min(room, 6) :]] if room > 0 else []
    return "\n".join((lines + asked)[:HEIGHT])


def describe(game: Any, seat: int | None) -> str:
    """What a seat sees, in prose: the table, and the texts of the cards that lie on the field and in its hand."""
    seen = {card.id for side in game.seats for card in side.field}
    for index in range(st.SEATS) if seat is None else (seat,):
        seen |= set(game.seat(index).hand)
    return "\n".join([table(game, seat), "", *(card_text(box.CARDS[box.NUMBERS[name]]) for name in sorted(seen))])
