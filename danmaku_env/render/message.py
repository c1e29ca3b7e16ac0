"""What a seat sees and is asked, as plain data for JSON: what programs in other languages and language models get (docs/exec.md).

Made of the view (render/table_view.py) and of the seat's own log, so it tells no more than the seat may know.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from danmaku_env.render.prose import prose
from danmaku_env.render.table_view import LunaticPiles, SeatView, TableView


def message(seen: TableView, log: Sequence[str] = ()) -> dict[str, Any]:
    """The table as a seat sees it, its question and the legal answers; `log` is what happened lately, the oldest first."""
    return {
        "seat": seen.observer,
        "players": seen.players,
        "question": "" if seen.question is None else seen.question.word,
        "words": "" if seen.question is None else seen.question.words,
        "why": "" if seen.question is None else seen.question.why,
        "answers": {} if seen.question is None else {answer.name: answer.words for answer in seen.question.answers},
        "turn": {"number": seen.turn_number, "seat": next((seat.index for seat in seen.seats if seat.has_turn), None), "step": seen.step},
        "incidents": list(seen.incidents),
        "collected": dict(seen.collected),
        "deck": seen.deck,
        "incident_deck": seen.incident_deck,
        "discard": dict(seen.discard),
        "discard_top": seen.discard_top,
        "lunatic": None if seen.lunatic is None else _lunatic(seen.lunatic),
        "private": list(seen.private),
        "stack": list(seen.stack),
        "seats": [_seat(seat) for seat in seen.seats],
        "log": list(log),
        "text": prose(seen),
    }


def _lunatic(piles: LunaticPiles) -> dict[str, Any]:
    return {
        "deck": piles.deck, "discard": dict(piles.discard), "discard_top": piles.discard_top,
        "characters_left": piles.characters_left, "characters_discarded": piles.characters_discarded,
    }  # fmt: skip


def _seat(seat: SeatView) -> dict[str, Any]:
    return {
        "seat": seat.index,
        "character": seat.character,
        "second_character": seat.second_character,
        "extras": list(seat.extras),
        "role": seat.role,
        "role_hidden": seat.role_hidden,
        "active": seat.active,
        "life": seat.life,
        "max_life": seat.max_life,
        "hand_size": seat.hand_size,
        "hand": None if seat.hand is None else dict(seat.hand),
        "known": dict(seat.known),
        "items": dict(seat.items),
        "in_range": seat.in_range,
        "notes": list(seat.notes),
    }
