"""A table of Shisouroku as text of 80 columns and at most 24 lines, as a seat sees it; and what a card says."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

from danmaku_env.sister.shisoroku import names
from danmaku_env.sister.shisoroku.cards import box
from danmaku_env.sister.shisoroku.cards import words as w
from danmaku_env.sister.shisoroku.game import Game
from danmaku_env.sister.text_table import HEIGHT, cut, headed, in_cells, question

_CELL = 16
_TOLD = 40
"""Events that are looked at for the last lines of a table."""
PLAIN = {
    "action": "play an action, or pass to end the phase", "resources": "play resources, buy, or pass to play no more",
    "buy": "buy a card, or pass to end the turn", "reaction": "show a card of your hand, or pass", "order": "which text happens first",
    "trash": "which card to trash", "discard": "which card to discard", "gain": "which card to gain",
    "put on deck": "which card to put on the deck", "option": "which option", "may": "do it, or pass", "name": "name a card",
    "reveal": "which card to reveal", "play": "which action to play", "set aside": "which card to set aside",
    "pass left": "which card to pass to the left", "choose": "which card", "token": "which pile",
    "top": "which card goes on the pile first",
}  # fmt: skip
"""What each question asks."""


def card_text(card: box.Card) -> str:
    """Name, types, cost and text of a card, in lines of 80 columns."""
    types = ", ".join(name for name, bit in w.TYPES.items() if card.types & bit)
    head = f"{card.id}  {card.name}  ({types}, cost {card.cost})"
    return headed(head, box.sentence(card))


def _counted(cards: Mapping[str, int]) -> str:
    return ", ".join(name if copies == 1 else f"{name} x{copies}" for name, copies in cards.items()) or "nothing"


def _seat(game: Game, index: int, observer: int | None) -> str:
    seat, you = game.seat(index), " (you)" if index == observer else ""
    turn = ">" if index == game.turn and not game.over else " "
    owned = sum(seat.owned.values())
    sizes = f"hand {sum(seat.hand.values())}, deck {sum(seat.deck.values())}, discard {sum(seat.discard.values())}"
    top = f" (top {seat.discard_top})" if seat.discard_top else ""
    lasting = f"; lasting {_counted(seat.lasting)}" if seat.lasting else ""
    points = (game.points if observer is None else game.points_seen(observer))[index]
    return cut(f"{turn}seat {index}{you}: {points} points in {owned} cards; {sizes}{top}{lasting}")


def answers(game: Game) -> list[str]:
    """The legal answers, numbered from 1; options say what they are."""
    return [f"{place} {_answer_text(game, name)}" for place, name in enumerate(game.legal(), 1)]


def _answer_text(game: Game, name: str) -> str:
    if game.question == "may" and name == "choose option 1":
        return "yes"
    return name.removeprefix("choose ")


def _together(lines: list[str]) -> list[str]:
    """Lines of a log, those that are alike in one."""
    counted = [(line, len(list(same))) for line, same in itertools.groupby(lines)]
    return [line if times == 1 else f"{line}, {times} times" for line, times in counted]


def table(game: Game, seat: int | None = None, *, color: bool = False) -> str:
    """The table as a seat sees it, or from above: at most 24 lines of 80 columns. `color` is for the sake of other games' tables."""
    head = f"Shisouroku, {names.position(game.record)}: actions {game.actions}, purchases {game.buys}, coins {game.coins}"
    if game.over:
        winners = ", ".join(f"seat {winner}" for winner in game.winners) or "nobody"
        head = f"Shisouroku, over in turn {game.turn_number} ({game.outcome}): {winners}"
    cells = [f"{name} {game.cost(name)}$ {left}" for name, left in game.supply.items()]
    cells += [f"{name} prize" for name in game.prizes]
    lines = [cut(head), *in_cells([cell.replace("kirinomizuumi", "kirinomizu.") for cell in cells], _CELL)]
    lines += [_seat(game, index, seat) for index in range(game.config.num_players)]
    lines.append(cut(f"in play: {_counted(game.seat(game.turn).in_play)}; trash: {_counted(game.trash)}"))
    for index in range(game.config.num_players) if seat is None else (seat,):
        whose = f"hand of seat {index}" if seat is None else "your hand"
        lines.append(cut(f"{whose}: {_counted(game.seat(index).hand)}"))
    asked = []
    if game.asking is not None and (seat is None or seat == game.asking):
        asked = [cut(f"seat {game.asking}: {question(game, PLAIN)}"), *in_cells(answers(game), _CELL)]
    room = HEIGHT - len(lines) - len(asked)
    log = game.log.above() if seat is None else game.log.of(seat)
    lines += [cut(f"  {line}") for line in _together(log[-_TOLD:])[-min(room, 6) :]] if room > 0 else []
    return "\n".join((lines + asked)[:HEIGHT])


def describe(game: Any, seat: int | None) -> str:
    """What a seat sees, in prose: the table, and the texts of the cards in its kingdom."""
    texts = [card_text(box.CARDS[box.NUMBERS[name]]) for name in game.kingdom]
    return "\n".join([table(game, seat), "", *texts])
