"""The table as a picture, drawn as the page draws it: what `rgb_array` returns.

Seats lie round the table with the observer at the bottom, and the observer's hand lies below as cards. An attack is an arrow. Every picture
of a game has the same size. Needs Pillow and matplotlib (`pip install 'danmaku-env[arena]'`).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from danmaku_env.cards.box import kind_named
from danmaku_env.cards.encyclopedia import pages
from danmaku_env.game import Game
from danmaku_env.render import canvas
from danmaku_env.render.canvas import Canvas, Rect
from danmaku_env.render.faces import SEASON_SIGNS, band, points_of, role_faction, types_of
from danmaku_env.render.table_view import Counts, SeatView, TableView, named_cards, table_view
from danmaku_env.wording import CARD_NAMES, INCIDENT_NAMES, ROLE_NAMES, SHORT_NAMES, shown_card

SIZE = (1280, 800)
"""Width and height in pixels, both even, as video encoders want them."""
_GAP = 12
_SIDE, _CELL = 310, 150
"""Width of the seats at the sides, height of a seat."""
_HEAD, _OWN, _HAND = 32, 84, 128
"""Heights of the head line, of the observer's seat and of their hand."""
_AROUND = {3: (1, 1, 1), 4: (1, 2, 1), 5: (1, 3, 1), 6: (2, 2, 2), 7: (2, 3, 2)}
"""How many of the other seats sit to the left, opposite and to the right."""
_BAND_COLOURS = {"shots": "danmaku"}
"""Where a band has another name than its colour."""
_MOST_CARDS, _WIDEST_CARD = 14, 172


def picture(game: Game, seat: int | None = None) -> npt.NDArray[np.uint8]:
    """[800, 1280, 3] uint8: the table from above, or as a seat sees it.

    Raises IndexError for a seat beyond the table, NoPictures where Pillow and matplotlib are missing. The same position gives the
    same pixels (on one installation).
    """
    return drawing(table_view(game, seat))


def drawing(seen: TableView) -> npt.NDArray[np.uint8]:
    """[800, 1280, 3] uint8: the picture of what somebody sees. Raises NoPictures."""
    drawn = Canvas(*SIZE, "ground")
    bottom = SIZE[1] - 64
    drawn.panel(Rect(0, _HEAD, SIZE[0] - 1, bottom - _HEAD), "felt", "line", width=1, radius=14)
    boxes = dict(zip((seat.index for seat in seen.seats), _boxes(seen, bottom), strict=True))
    _head(drawn, seen)
    for seat in seen.seats:
        _seat(drawn, seen, seat, boxes[seat.index])
    _centre(drawn, seen, bottom)
    if seen.observer is not None:
        _hand(drawn, seen.seats[0].hand or (), Rect(_GAP, bottom - _HAND - _GAP, SIZE[0] - 2 * _GAP, _HAND))
    if seen.aimed and seen.aimed[0] != seen.aimed[1]:
        by, on = (boxes[seat] for seat in seen.aimed)
        drawn.arrow(by.edge_towards(on.centre), on.edge_towards(by.centre))
    _question(drawn, seen, bottom + 8)
    return drawn.pixels()


def _boxes(seen: TableView, bottom: float) -> Iterator[Rect]:
    """Where the seats sit: the first below, the others clockwise from the left."""
    left, opposite, right = _AROUND[seen.players - 1]
    yield _own(seen, bottom)
    top, first = _HEAD + _GAP, _HEAD + 2 * _GAP + _CELL
    room = _own(seen, bottom).top - _GAP - first
    each = (room - _GAP * (max(left, right) - 1)) / max(left, right)
    side = min(_CELL, each)
    start = first + (room - side * left - _GAP * (left - 1)) / 2
    for place in reversed(range(left)):
        yield Rect(_GAP, start + place * (side + _GAP), _SIDE, side)
    wide = min(400, (SIZE[0] - _GAP * (opposite + 1)) / opposite)
    begin = (SIZE[0] - wide * opposite - _GAP * (opposite - 1)) / 2
    for place in range(opposite):
        yield Rect(begin + place * (wide + _GAP), top, wide, _CELL)
    for place in range(right):
        yield Rect(SIZE[0] - _GAP - _SIDE, start + place * (side + _GAP), _SIDE, side)


def _own(seen: TableView, bottom: float) -> Rect:
    """Where the seat at the bottom is; with a hand below it, it needs no room for that."""
    if seen.observer is None:
        return Rect(_SIDE + 2 * _GAP, bottom - _CELL - _GAP, SIZE[0] - 2 * _SIDE - 4 * _GAP, _CELL)
    return Rect(_GAP, bottom - _HAND - _OWN - 2 * _GAP, SIZE[0] - 2 * _GAP, _OWN)


def _head(drawn: Canvas, seen: TableView) -> None:
    when = f"Turn {seen.turn_number}: {seen.turn}, {seen.step} step" if seen.turn_number else seen.opening.capitalize()
    drawn.text(_GAP, 7, when, size=15, bold=True)
    drawn.text(SIZE[0] - _GAP, 9, f"Danmaku!!, {seen.players} players, {seen.viewer}", color="soft", anchor="ra")


def _seat(drawn: Canvas, seen: TableView, seat: SeatView, box: Rect) -> None:
    """A seat: who it is, its role, life, hand and items."""
    fill = "out" if not seat.active else "turn" if seat.has_turn else "paper"
    edge = "accent" if seat.is_asked else "warn-edge" if seat.has_turn else "line"
    drawn.panel(box, fill, edge, width=3 if seat.is_asked else 2)
    x, y, right = box.left + 10, box.top + 8, box.left + box.width - 10
    drawn.crest(x, y, seat.character, 28)
    x += 36
    drawn.bar(Rect(x, y + 6, 18, 17), "ink")
    drawn.text(x + 9, y + 7, str(seat.index), size=12, bold=True, color="paper", anchor="ma")
    names = [SHORT_NAMES[name] for name in (seat.character, seat.second_character) if name]
    name = " and ".join(names) or f"seat {seat.index}"
    words, color = _role(seat)
    taken = drawn.text(right, y + 6, words, bold=True, color=color, anchor="ra")
    drawn.lines(Rect(x + 26, y + 5, right - x - 34 - taken, 20), name, size=14, bold=True, color="ink" if seat.active else "soft")
    y += 33
    x = box.left + 10
    if not seat.active:
        drawn.text(x, y, "defeated", color="soft")
        y += 18
    elif seen.begun:
        x += drawn.text(x, y, "♥" * seat.life, size=15, color="hurt")
        x += drawn.text(x, y, "♡" * max(0, seat.max_life - seat.life), size=15, color="soft")
        drawn.text(x + 10, y + 1, _holds(seat), color="ink")
        y += 20
    details = Rect(box.left + 10, y, box.width - 20, box.top + box.height - y)
    rest = "; ".join(_rest(seen, seat))
    drawn.lines(details, rest, lines=max(1, int(details.height // 16)), size=12, color="soft")


def _role(seat: SeatView) -> tuple[str, str]:
    """The role in words with the shape of its faction, and its colour."""
    if not seat.role:
        return ("role unknown" if seat.role is None else "no role"), "soft"
    kind, shape = role_faction(seat.role)
    words = f"{shape} {ROLE_NAMES[seat.role]}"
    return (f"({words})" if seat.role_hidden else words), kind or "soft"


def _holds(seat: SeatView) -> str:
    marks = [*(["has the turn"] if seat.has_turn else []), *(["is asked"] if seat.is_asked else [])]
    return ", ".join([f"{seat.hand_size} card{'s' * (seat.hand_size != 1)}", *marks])


def _rest(seen: TableView, seat: SeatView) -> Iterator[str]:
    """What else there is to be said of a seat, what lies open first."""
    if seat.items:
        yield f"items: {named_cards(seat.items)}"
    if seat.extras:
        yield f"with {', '.join(SHORT_NAMES[name] for name in seat.extras)}"
    if seat.hand and not seat.mine:
        yield f"hand: {named_cards(seat.hand)}"
    if seat.known:
        yield f"holds {named_cards(seat.known)}"
    if seat.in_range and not seat.mine:
        yield "in range"
    yield from seat.limits
    yield from seat.notes


def _centre(drawn: Canvas, seen: TableView, bottom: float) -> None:
    """Incidents, piles, and what is happening."""
    box = Rect(_SIDE + 3 * _GAP, _HEAD + 2 * _GAP + _CELL + 4, SIZE[0] - 2 * _SIDE - 6 * _GAP, 0)
    y, end = box.top, _own(seen, bottom).top - _GAP
    collected = ", ".join(f"{count} {SEASON_SIGNS[season]}" for season, count in seen.collected)
    for incident in seen.incidents:
        words = f"Incident: {INCIDENT_NAMES[incident]}{f' (collected: {collected})' if collected else ''}"
        drawn.panel(Rect(box.left, y, box.width, 26), "warn", "warn-edge", width=1, radius=7)
        drawn.lines(Rect(box.left + 8, y + 5, box.width - 16, 20), words, bold=True, centred=True)
        y += 32
    y = drawn.lines(Rect(box.left, y, box.width, 0), "  ·  ".join(_piles(seen)), lines=2, color="soft", centred=True) + 6
    for line in seen.private:
        if y + 18 < end:
            y = drawn.lines(Rect(box.left, y, box.width, 0), line, lines=2, size=12, color="soft", centred=True) + 2
    for line in seen.stack:
        high = 14 + 18 * len(canvas.wrapped(line, box.width - 28, 2, 14, True))
        if y + high > end:
            break
        drawn.panel(Rect(box.left, y, box.width, high), "paper", "accent")
        drawn.bar(Rect(box.left + 1, y + 4, 7, high - 8), "accent")
        drawn.lines(Rect(box.left + 18, y + 7, box.width - 28, 0), line, lines=2, size=14, bold=True)
        y += high + 6


def _piles(seen: TableView) -> Iterator[str]:
    yield f"deck {seen.deck}"
    discarded = sum(count for _, count in seen.discard)
    yield f"discard pile {discarded}{f', top {shown_card(seen.discard_top)}' if seen.discard_top else ''}"
    yield f"incidents {seen.incident_deck}"
    if seen.lunatic and seen.begun:
        yield f"Lunatic deck {seen.lunatic.deck}"
        yield f"characters to recruit {seen.lunatic.characters_left}"


def _hand(drawn: Canvas, hand: Counts, box: Rect) -> None:
    """The observer's cards, side by side; equal ones are one with their number."""
    shown = hand[:_MOST_CARDS]
    wide = min(_WIDEST_CARD, (box.width - 8 * (len(shown) - 1)) / max(1, len(shown)))
    left = box.left + (box.width - len(shown) * wide - 8 * (len(shown) - 1)) / 2
    for place, (card, count) in enumerate(shown):
        _card(drawn, card, count, Rect(left + place * (wide + 8), box.top, wide, box.height))


def _card(drawn: Canvas, card: str, count: int, box: Rect) -> None:
    kind, season = kind_named(card), card.partition("/")[2]
    drawn.panel(box, "paper", "edge", width=1, radius=7)
    drawn.bar(Rect(box.left + 1, box.top + 4, box.width - 2, 15), _BAND_COLOURS.get(band(kind), band(kind) or "action"))
    inner = box.width - 12
    drawn.lines(Rect(box.left + 6, box.top + 5, inner, 14), types_of(kind), size=10, color="paper")
    taken = drawn.text(box.left + box.width - 6, box.top + 23, str(points_of(kind)), size=12, bold=True, color="soft", anchor="ra")
    y = drawn.lines(Rect(box.left + 6, box.top + 23, inner - taken - 4, 0), CARD_NAMES[kind], lines=2, bold=True)
    copies = f" ×{count}" if count > 1 else ""
    if season:
        words = f"{SEASON_SIGNS[season]} {season}{copies}"
        y = drawn.lines(Rect(box.left + 6, y, inner, 0), words, size=11, color=season)
    lines = int((box.top + box.height - y) // 14)
    drawn.lines(Rect(box.left + 6, y + 1, inner, 0), pages()[kind].summary, lines=lines, size=11, color="soft")


def _question(drawn: Canvas, seen: TableView, y: float) -> None:
    """What is asked and the answers, or how the game ended."""
    box = Rect(_GAP, y, SIZE[0] - 2 * _GAP, 0)
    if seen.over:
        drawn.lines(box, seen.over, size=15, bold=True)
    elif seen.question:
        whose = "" if seen.observer is not None else f"Seat {seen.question.seat} is asked. "
        y = drawn.lines(box, f"{whose}{seen.question.plain}", size=14, bold=True) + 4
        x = box.left
        for answer in seen.question.answers:
            wide = canvas.length(answer.label, 12) + 16
            if x + wide > box.left + box.width - 20:
                drawn.text(x, y + 4, "…", color="soft")
                break
            drawn.panel(Rect(x, y, wide, 22), "paper", "accent", width=1, radius=6)
            drawn.text(x + 8, y + 4, answer.label, size=12)
            x += wide + 6
