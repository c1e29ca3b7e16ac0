"""Whether the frames of a record can be: every column holds what its layout (`frames.LAYOUTS`) says, and the frames fit together.

Pure reading, in NumPy and Python. The rest of a record is judged by `checks.py`, which calls `problem` here; whether the pending question
follows from the top frame is not judged here either.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.compile import compile_cards
from danmaku_env.cards.tables import T_ANNOUNCE, T_EVENTS, T_RESOLVE
from danmaku_env.engine import actions
from danmaku_env.engine import frames as fr
from danmaku_env.engine import state as st


class _Bounds(NamedTuple):
    """What the values of a record's frames are measured against."""

    players: int
    cards: int
    incidents: int
    texts: int
    place: int
    """Of the frame: those it may point at lie below."""
    frame: Any


def _is_pick(value: int, bounds: _Bounds) -> bool:
    return 0 <= value <= bounds.cards or 1 <= value - st.INCIDENT_CARD <= bounds.incidents


def _is_offered_action(value: int, _: _Bounds) -> bool:
    offered = (
        (actions.USE_BASE, actions.REVEAL_ROLE),
        (actions.PLAY_BASE, actions.KIND_BASE),
        (actions.ABILITY_BASE, actions.CHARACTER_BASE),
    )
    return value == 0 or any(low <= value < high for low, high in offered)


def _is_row(value: int, bounds: _Bounds) -> bool:
    """Whether the frame is in that one of its text's programs which it runs at its step; 0 where it runs none."""
    text, at = int(bounds.frame[fr.PLAY_TEXT]), int(bounds.frame[fr.AT])
    if value == 0 or not 0 <= text < bounds.texts:
        return value == 0
    column = {fr.AT_ANNOUNCE: T_ANNOUNCE, fr.AT_RUN: T_RESOLVE, fr.AT_DONE: T_RESOLVE}.get(at)
    start = int(compile_cards().tables[0]["text"][text, column]) if column is not None else 0
    return start > 0 and start <= value < program_end(start)


def _is_remaining(value: int, bounds: _Bounds) -> bool:
    """Whether a loop can have this much before it; nothing is left over outside of loops."""
    loop = loops()[int(bounds.frame[fr.PLAY_PC])]
    most = {v.NEXT_EACH: (1 << bounds.players) - 1, v.COUNT_DOWN: fr.MOST_NUMBER}.get(int(loop), 0)
    return 0 <= value <= most


_FITS: dict[str, Callable[[int, _Bounds], bool]] = {
    fr.A_SEAT_OR_NOBODY: lambda value, bounds: 0 <= value <= bounds.players,
    fr.A_SEAT_AT_LEAST: lambda value, bounds: 1 <= value <= bounds.players,
    fr.SEAT_BITS: lambda value, bounds: 0 <= value < 1 << bounds.players,
    fr.A_CARD_OR_NONE: lambda value, bounds: 0 <= value <= bounds.cards,
    fr.A_PICK_OR_NONE: _is_pick,
    fr.A_TEXT: lambda value, bounds: 1 <= value < bounds.texts,
    fr.A_TEXT_OR_NONE: lambda value, bounds: 0 <= value < bounds.texts,
    fr.A_ROW_OR_NONE: _is_row,
    fr.A_FRAME_OR_NONE: lambda value, bounds: 0 <= value <= bounds.place,
    fr.A_WINDOW: lambda value, _: value in v.ANY_WINDOW,
    fr.A_MOMENT: lambda value, _: value in v.ANY_PRIORITY,
    fr.AN_ACTION_OR_NONE: _is_offered_action,
    fr.SEATS_OR_REPETITIONS: _is_remaining,
    fr.A_NUMBER: lambda value, _: 0 <= value <= fr.MOST_NUMBER,
    fr.A_PLACE: lambda value, _: 0 <= value <= st.SEATS,
    fr.A_SEASON_OR_NONE: lambda value, _: 0 <= value <= len(v.SEASONS),
    fr.A_DECK_OR_NONE: lambda value, _: 0 <= value <= len(v.DECKS),
    fr.AN_END_OR_NONE: lambda value, _: 0 <= value <= fr.BOTTOM_END,
    fr.PLAY_FLAG_BITS: lambda value, _: value & ~fr.PLAY_FLAGS_USED == 0,
    fr.ATTACK_FLAG_BITS: lambda value, _: value & ~fr.ATTACK_FLAGS_USED == 0,
    fr.ONCE_BITS: lambda value, bounds: (value & 0xFFFF) >> 2 * bounds.players == 0,
}
"""Phrase of a layout -> whether a value is what it says."""
assert set(_FITS) == {column.holds for layout in fr.LAYOUTS.values() for column in layout.columns}


@functools.cache
def _starts() -> tuple[int, ...]:
    """First rows of all programs, in order, and behind them the number of rows."""
    compiled = compile_cards()
    rows = compiled.tables[0]["text"][:, [T_ANNOUNCE, T_RESOLVE]].ravel()
    return (*sorted({int(row) for row in rows if row}), compiled.rows)


@functools.cache
def program_end(start: int) -> int:
    """One past the last row of the program that begins there."""
    return next(row for row in _starts() if row > start)


@functools.cache
def loops() -> np.ndarray:
    """[rows] for every program row the operation that heads the loop around it: NEXT_EACH, COUNT_DOWN, or 0."""
    compiled = compile_cards()
    heads = np.zeros(compiled.rows, np.int64)
    for row, (code, _, _, jump, _) in enumerate(compiled.tables[0]["program"][: compiled.rows].tolist()):
        if code in (v.NEXT_EACH, v.COUNT_DOWN):
            heads[row:jump] = code
    return heads


def _column_problem(bounds: _Bounds) -> str | None:
    frame = bounds.frame
    layout = fr.LAYOUTS.get(int(frame[fr.PROCEDURE]))
    if layout is None:
        return "a frame of an unknown procedure"
    if not 0 <= int(frame[fr.AT]) < max(1, len(layout.steps)):
        return f"a frame of {layout.name} at step {int(frame[fr.AT])}"
    if not 0 <= int(frame[fr.SEAT]) < bounds.players:
        return f"a frame of {layout.name} of a seat that does not exist"
    unused = frame[fr.SEAT + 1 + len(layout.columns) :]
    if unused.any():
        return f"a frame of {layout.name} with more columns than it has"
    for column in layout.columns:
        value = int(frame[column.slot])
        if not _FITS[column.holds](value, bounds):
            return f"a frame of {layout.name} whose {column.name} is {value}, which is not {column.holds}"
    return None


_ANSWERED_AT: dict[int, int] = {v.CANCEL: fr.PLAY_FRAME, v.RESPONSE: fr.PLAY_FRAME, v.ATTACKED: fr.ATTACK_FRAME}
"""What the frame answered to is, at a moment at which something is offered; at the others nothing is answered."""
_ANSWERED_BY_TRIGGERS: dict[int, tuple[int, ...]] = {
    v.ATTACK_DECLARED: (fr.ATTACK_FRAME,), v.AVOIDED: (fr.ATTACK_FRAME,), v.PLAYED: (fr.PLAY_FRAME,),
    v.DAMAGED: (fr.ATTACK_FRAME, fr.PLAY_FRAME),
}  # fmt: skip


def _answers(frame: Any) -> tuple[int, tuple[int, ...]]:
    """The frame answered to + 1, and which procedures it may run (none: nothing is answered)."""
    if frame[fr.PROCEDURE] == fr.WINDOW_FRAME:
        answered = _ANSWERED_AT.get(int(frame[fr.WINDOW_EVENT]))
        return int(frame[fr.WINDOW_SUBJECT]), (answered,) if answered else ()
    if frame[fr.PLAY_ACTION] or int(frame[fr.PLAY_FLAGS]) & fr.IS_COPY:
        answered = _ANSWERED_AT.get(int(frame[fr.PLAY_MOMENT]))
        return int(frame[fr.PLAY_SUBJECT]), (answered,) if answered else ()
    events = int(compile_cards().tables[0]["text"][int(frame[fr.PLAY_TEXT]), T_EVENTS])
    event = events.bit_length() - 1
    return int(frame[fr.PLAY_SUBJECT]), _ANSWERED_BY_TRIGGERS.get(event, ())


def _subject_problem(frames: Any, place: int) -> str | None:
    """A frame that points at one it cannot answer, or an attack at one that makes no attacks."""
    frame = frames[place]
    name = fr.LAYOUTS[int(frame[fr.PROCEDURE])].name
    if frame[fr.PROCEDURE] == fr.ATTACK_FRAME:
        source = int(frame[fr.ATTACK_SOURCE])
        if source and frames[source - 1, fr.PROCEDURE] != fr.PLAY_FRAME:
            return "an attack that nothing played has made"
        if frame[fr.ATTACK_TARGET] == frame[fr.SEAT] + 1 or frame[fr.ATTACK_PENDING] >> frame[fr.SEAT] & 1:
            return "an attack of a seat on itself"
    if frame[fr.PROCEDURE] in (fr.PLAY_FRAME, fr.WINDOW_FRAME):
        subject, procedures = _answers(frame)
        if bool(subject) != bool(procedures) or (subject and frames[subject - 1, fr.PROCEDURE] not in procedures):
            return f"a frame of {name} that answers what it cannot answer"
    return None


def _order_problem(frames: Any) -> str | None:
    """The bottom frame is the turn's, or set-up alone; no other is."""
    first, rest = frames[0, fr.PROCEDURE], frames[1:, fr.PROCEDURE]
    if first not in (fr.SETUP_FRAME, fr.TURN_FRAME) or np.isin(rest, (fr.SETUP_FRAME, fr.TURN_FRAME)).any():
        return "a stack that does not stand on a turn"
    if first == fr.SETUP_FRAME and len(rest):
        return "something happens during set-up"
    return None


def problem(s: Any, players: int) -> str | None:
    """The first thing that cannot be true of the frames in use, or None."""
    compiled = compile_cards()
    depth = int(s["depth"])
    if not 0 < depth <= fr.DEPTH:
        return f"{depth} frames"
    if s["stack"][depth:].any():
        return "frames beyond the depth are not zero"
    frames = s["stack"][:depth].astype(int)
    tables = compiled.tables[0]
    for place, frame in enumerate(frames):
        bounds = _Bounds(players, int(tables["num_cards"]), int(tables["num_incidents"]), len(compiled.texts), place, frame)
        if found := _column_problem(bounds):
            return found
    if found := _order_problem(frames):
        return found
    return next((found for place in range(depth) if (found := _subject_problem(frames, place))), None)
