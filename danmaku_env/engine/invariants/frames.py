"""Whether the frames of a record can be: every column holds what its layout (`frames.LAYOUTS`) says, and the frames fit together.

Whether the pending question follows from the top frame is judged by the package itself (`invariants.problem`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.box import NUM_INCIDENTS
from danmaku_env.cards.compile import compile_cards
from danmaku_env.cards.tables import ACTIVATES_SPELL, CHARS, T_ANNOUNCE, T_EVENTS, T_FLAGS, T_KIND, T_RESOLVE
from danmaku_env.engine import actions, queries
from danmaku_env.engine import frames as fr
from danmaku_env.engine import state as st
from danmaku_env.engine.invariants import programs


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
    return start > 0 and start <= value < programs.program_end(start)


def _is_remaining(value: int, bounds: _Bounds) -> bool:
    """Whether a loop can have this much before it, or a way to a Spell Card can have named it; nothing is left over outside of these."""
    tables, text = compile_cards().tables[0], int(bounds.frame[fr.PLAY_TEXT])
    if 0 < text < bounds.texts and tables["text"][text, T_FLAGS] & ACTIVATES_SPELL:
        return value == 0 or (1 <= value <= CHARS and tables["spell_text"][value - 1] > 0)
    if programs.counts_flips(int(bounds.frame[fr.PLAY_PC])):
        return 0 <= value <= programs.MOST_FLIPPED
    loop = programs.loops()[int(bounds.frame[fr.PLAY_PC])]
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
    fr.A_FRAME: lambda value, bounds: 1 <= value <= bounds.place + 1,
    fr.FRAMES_BELOW: lambda value, bounds: 0 <= value <= bounds.place,
    fr.A_WINDOW: lambda value, _: value in (*v.ANY_WINDOW, v.DISCARD_STEP),
    fr.A_MOMENT: lambda value, _: value in (*v.ANY_PRIORITY, v.TURN_ZERO, v.DISCARD_STEP),
    fr.AN_ACTION_OR_NONE: _is_offered_action,
    fr.SEATS_OR_REPETITIONS: _is_remaining,
    fr.A_NUMBER: lambda value, _: 0 <= value <= fr.MOST_NUMBER,
    fr.A_PLACE: lambda value, _: 0 <= value <= st.SEATS,
    fr.A_PLACE_OR_INCIDENTS: lambda value, _: 0 <= value <= st.INCIDENTS_IN_PLAY,
    fr.A_SEASON_OR_NONE: lambda value, _: 0 <= value <= len(v.SEASONS),
    fr.A_DECK_OR_NONE: lambda value, _: 0 <= value <= len(v.DECKS),
    fr.AN_END_OR_NONE: lambda value, _: 0 <= value <= fr.BOTTOM_END,
    fr.PLAY_FLAG_BITS: lambda value, _: value & ~fr.PLAY_FLAGS_USED == 0,
    fr.ATTACK_FLAG_BITS: lambda value, _: value & ~fr.ATTACK_FLAGS_USED == 0,
    fr.ONCE_BITS: lambda value, bounds: (value & 0xFFFF) >> 2 * bounds.players == 0,
}
"""Phrase of a layout -> whether a value is what it says."""
assert set(_FITS) == {column.holds for layout in fr.LAYOUTS.values() for column in layout.columns}


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


_ANSWERED_AT: dict[int, int] = {
    v.CANCEL: fr.PLAY_FRAME, v.RESPONSE: fr.PLAY_FRAME, v.ATTACKED: fr.ATTACK_FRAME, v.AVOIDING: fr.ATTACK_FRAME,
    v.LIFE_GONE: fr.WINDOW_FRAME, v.DREW: fr.WINDOW_FRAME,
}  # fmt: skip
"""What the frame answered to is, at a moment at which something is offered; at the others nothing is answered."""
_ANSWERED_BY_TRIGGERS: dict[int, tuple[int, ...]] = {
    v.ATTACK_DECLARED: (fr.ATTACK_FRAME,), v.HIT: (fr.ATTACK_FRAME,), v.STRUCK: (fr.ATTACK_FRAME,),
    v.AVOIDED: (fr.ATTACK_FRAME,), v.PLAYED: (fr.PLAY_FRAME,),
    v.SPELL_ACTIVATED: (fr.PLAY_FRAME,), v.CARD_DONE: (fr.PLAY_FRAME,),
    v.DAMAGED: (fr.ATTACK_FRAME, fr.PLAY_FRAME), v.DRAWING: (fr.DRAWING_FRAME,), v.LOSS_DRAW: (fr.DRAWING_FRAME,),
}  # fmt: skip


def _answers(frame: Any) -> tuple[int, tuple[int, ...]]:
    """The frame answered to + 1, and which procedures it may run (none: nothing is answered)."""
    if frame[fr.PROCEDURE] == fr.WINDOW_FRAME:
        answered = None if frame[fr.WINDOW_EVENT] in v.OWNED_WINDOWS else _ANSWERED_AT.get(int(frame[fr.WINDOW_EVENT]))
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
    if frame[fr.PROCEDURE] == fr.WINDOW_FRAME and bool(frame[fr.WINDOW_OWNER]) != (frame[fr.WINDOW_EVENT] in v.OWNED_WINDOWS):
        return "a window that happened to somebody who has nothing to do with it"
    if frame[fr.PROCEDURE] in (fr.PLAY_FRAME, fr.WINDOW_FRAME):
        subject, procedures = _answers(frame)
        if bool(subject) != bool(procedures) or (subject and frames[subject - 1, fr.PROCEDURE] not in procedures):
            return f"a frame of {name} that answers what it cannot answer"
    return None


def _rows_to_come(frame: Any) -> tuple[int, ...]:
    """The program rows at which a PLAY frame goes on: where it is, and where its effect will begin."""
    announce, resolve = compile_cards().tables[0]["text"][int(frame[fr.PLAY_TEXT]), [T_ANNOUNCE, T_RESOLVE]].tolist()
    at, pc = int(frame[fr.AT]), int(frame[fr.PLAY_PC])
    rows = {fr.AT_MODE: (), fr.AT_CARD: (announce, resolve), fr.AT_ANNOUNCE: (pc or announce, resolve), fr.AT_RUN: (pc,), fr.AT_DONE: ()}
    return tuple(row for row in rows.get(at, (resolve,)) if row)


def _pick_problem(s: Any, frame: Any, on_top: bool) -> str | None:
    """A pick that does not lie where the text will take it from."""
    card = int(frame[fr.PLAY_PICK]) - 1
    uses = set().union(*(programs.uses_of_pick(row) for row in _rows_to_come(frame)))
    aside = (s["aside"][: int(s["aside_size"])] == card + 1).any()
    if card >= st.INCIDENT_CARD:
        return None if aside and uses <= {v.ASIDE_TO_DECK} else "an incident is picked that cannot be"
    if not on_top and uses - {*programs.FROM_PLAY}:
        return "a card is picked, but something else happens before it moves"
    in_hand = s["zone"][card] == st.IN_HAND
    if uses & {*programs.FROM_HAND} and not in_hand:
        return "a card is picked that is in no hand"
    if uses & {*programs.FROM_ASIDE} and not aside:
        return "a card is picked that does not lie aside"
    lies_open = s["zone"][card] in (st.IN_DISCARD, st.COLLECTED)
    if uses & {*programs.FROM_BOTH} and not (in_hand or aside or lies_open):
        return "a card is picked that is neither in a hand nor aside"
    if v.PUT_IN_PLAY in uses and not int(_types(card)) & v.ITEM:
        return "a card is picked to be put in play that is no item"
    return None


def _deck_of(card: int) -> int:
    """The deck that a card, or an incident, aside is of."""
    if card >= st.INCIDENT_CARD:
        return v.INCIDENT_DECK
    return v.LUNATIC_DECK if compile_cards().tables[0]["card_lunatic"][card] else v.MAIN_DECK


def _types(card: int) -> int:
    t = compile_cards().tables[0]
    return int(t["kind_types"][int(t["card_kind"][card])])


def _is_played_below(frames: Any, card: int) -> bool:
    return bool((frames[frames[:, fr.PROCEDURE] == fr.PLAY_FRAME, fr.PLAY_CARD] == card + 1).any())


def _texts_of(action: int) -> tuple[int, ...]:
    """The texts that an offered action may turn out to be; 0 stands for none."""
    t = compile_cards().tables[0]
    for base, end, texts in (
        (actions.USE_BASE, actions.SOURCE_BASE, "use_text"), (actions.SOURCE_BASE, actions.REVEAL_ROLE, "source_text"),
        (actions.PLAY_BASE, actions.KIND_BASE, "mode_text"), (actions.ABILITY_BASE, actions.CHARACTER_BASE, "ability_text"),
    ):  # fmt: skip
        if base <= action < end:
            return tuple(np.atleast_1d(t[texts][action - base]).tolist())
    return ()


def _play_problem(s: Any, frames: Any, place: int) -> str | None:
    """A frame of a text that its card, its flags or what it has picked do not go with."""
    frame, t = frames[place], compile_cards().tables[0]
    at, text, card = int(frame[fr.AT]), int(frame[fr.PLAY_TEXT]), int(frame[fr.PLAY_CARD]) - 1
    is_spell = bool(int(frame[fr.PLAY_FLAGS]) & fr.IS_SPELL)
    if at in (fr.AT_MODE, fr.AT_CARD) and (place < len(frames) - 1 or card >= 0 or frame[fr.PLAY_PICK] or not frame[fr.PLAY_ACTION]):
        return "something is under way of which it is not settled what it is"
    if (text == 0) != (at == fr.AT_MODE):
        return "something is played, and it is not settled what" if text == 0 else "what is played is settled too early"
    if text and is_spell != bool((t["spell_text"] == text).any()):
        return "a Spell Card that is none, or the other way round"
    action, settled_by_action = int(frame[fr.PLAY_ACTION]), not int(frame[fr.PLAY_FLAGS]) & (fr.IS_SPELL | fr.IS_COPY)
    if text and action and settled_by_action and text not in _texts_of(action):
        return "a text that is not of what was offered"
    if at == fr.AT_CARD and not actions.PLAY_BASE <= action < actions.KIND_BASE:
        return "a card is played that was not offered"
    if card >= 0 and at < fr.AT_RUN:
        if s["zone"][card] != st.BEING_PLAYED or _is_played_below(frames[:place], card):
            return "a card is played that is not on the table"
        if not is_spell and t["text"][text, T_KIND] != int(t["card_kind"][card]) + 1:
            return "a card is played with the text of another"
    if programs.counts_flips(int(frame[fr.PLAY_PC])) and frame[fr.PLAY_REMAINING] > s["aside_size"]:
        return "a card counts that nobody has flipped"
    waits = at == fr.AT_RESOLVE and fr.is_triggered(frame)  # it looks first whether what it has picked is still there
    if frame[fr.PLAY_PICK] and not waits and (found := _pick_problem(s, frame, place == len(frames) - 1)):
        return found
    return _missing_problem(s, frame)


def _missing_problem(s: Any, frame: Any) -> str | None:
    """The text will use somebody, or somebody else's Spell Card, that is not there."""
    to_come = set().union(*(programs.operations_from(row) for row in _rows_to_come(frame)))
    chosen = int(frame[fr.PLAY_CHOSEN]) - 1
    if frame[fr.AT] <= fr.AT_ANNOUNCE:
        return None
    if (v.ACTIVATE, v.CHOSEN) in to_come and (chosen < 0 or not s["character"][chosen]):
        return "a Spell Card is activated that nobody has"
    if (v.HAND_ON_ATTACK, 0) in to_come and chosen < 0:
        return "an attack is handed on by nobody"
    return None


_GAINED = 1 << v.GAINED_ITEM | 1 << v.ITEM_GAINED
"""Coming under somebody's control triggers what is printed on the item and what is not, together."""
_WHILE_ASIDE = (fr.LIMIT_FRAME, fr.TRIGGERS_FRAME, fr.DRAWING_FRAME)


def _events_of(frame: Any) -> int:
    """The events, a bit each, of the text in a PLAY frame."""
    return int(compile_cards().tables[0]["text"][int(frame[fr.PLAY_TEXT]), T_EVENTS])


def _is_of_item(frame: Any) -> bool:
    """Whether a frame is that of a text triggered by an item that comes or goes, such as one found among the cards aside."""
    is_text = frame[fr.PROCEDURE] == fr.PLAY_FRAME and fr.is_triggered(frame)
    return bool(is_text and _events_of(frame) & (_GAINED | 1 << v.ITEM_LOST))


_OF_CARDS_ASIDE = {
    v.TAKE, v.TAKE_ALL, v.GIVE, v.GIVE_ASIDE, v.PUT_IN_PLAY, v.DISCARD_ASIDE, v.COLLECT_ASIDE, v.REVEAL, v.REVEAL_UNTIL, v.DRAW_ASIDE,
}  # fmt: skip


def _drawing_aside(frames: Any) -> Any | None:
    """The frame of a draw whose cards lie aside until it is known whether they are kept: on top, or below the text that asks."""
    top = frames[-1]
    if top[fr.PROCEDURE] == fr.PLAY_FRAME and top[fr.PLAY_SUBJECT]:
        top = frames[int(top[fr.PLAY_SUBJECT]) - 1]
    return top if top[fr.PROCEDURE] == fr.DRAWING_FRAME and top[fr.DRAWING_KEPT] else None


def _draw_problem(s: Any, frame: Any) -> str | None:
    """A draw that counts wrongly, or shows what was not drawn."""
    if frame[fr.DRAWING_KEPT] > 1 or frame[fr.DRAWING_NEW] > frame[fr.DRAWING_KEPT]:
        return "cards are drawn anew that are not kept aside"
    if frame[fr.AT] == fr.AT_LOSS and frame[fr.DRAWING_MAIN + 1 :].any():
        return "a draw that has begun before it is said how many cards it is"
    card = int(frame[fr.DRAWING_CARD]) - 1
    if (card >= 0) != (frame[fr.AT] == fr.AT_SHOW):
        return "a card may be shown that has not been named, or the other way round"
    zone = st.ASIDE_PRIVATE if frame[fr.DRAWING_KEPT] else st.IN_HAND
    if card >= 0 and (s["zone"][card] != zone or s["holder"][card] != frame[fr.SEAT]):
        return "a card may be shown that was not drawn"
    return None


def _aside_problem(s: Any, frames: Any) -> str | None:
    """What lies aside is not what the text that is carried out has laid there, or something else happens meanwhile."""
    aside = s["aside"][: int(s["aside_size"])]
    if not len(aside):
        return None
    if (drawing := _drawing_aside(frames)) is not None:
        if (aside > st.INCIDENT_CARD).any():
            return "incidents lie aside that nobody looks at"
        mine = (s["holder"][aside - 1] == drawing[fr.SEAT]).all() and (s["zone"][aside - 1] == st.ASIDE_PRIVATE).all()
        return None if mine else "cards lie aside that nobody draws"
    playing = [place for place, frame in enumerate(frames) if frame[fr.PROCEDURE] == fr.PLAY_FRAME and not _is_of_item(frame)]
    if not playing:
        return "cards lie aside that nothing has laid there"
    if not all(_is_of_item(frame) or frame[fr.PROCEDURE] in _WHILE_ASIDE for frame in frames[playing[-1] + 1 :]):
        return "cards lie aside while something else happens"
    frame = frames[playing[-1]]
    row, incidents = int(frame[fr.PLAY_PC]), aside > st.INCIDENT_CARD
    decks = {int(frame[fr.PLAY_DECK]) - 1 if named else v.MAIN_DECK for named in programs.lays_aside(row)} if row else set()
    if not decks or frame[fr.AT] != fr.AT_RUN:
        return "cards lie aside that nothing has laid there"
    found = {_deck_of(int(card) - 1) for card in aside}
    if len(found) > 1 or found - decks:
        return "cards lie aside that are not of the deck they were taken from"
    if not incidents.any() and (s["holder"][aside - 1] != frame[fr.SEAT]).any():
        return "cards lie aside for somebody else than whose text it is"
    to_come = {code for code, _ in programs.operations_from(row)}
    if incidents.any() and (v.ASIDE_TO_DECK not in to_come or to_come & _OF_CARDS_ASIDE):
        return "incidents lie aside that nobody looks at"
    return None


def _is_being_decided(frames: Any, place: int) -> bool:
    """Whether the frame above a TRIGGERS frame is one of its texts; what it does not gather, as an item too many, is settled before it."""
    if place + 1 == len(frames):
        return False
    above = frames[place + 1]
    is_text = above[fr.PROCEDURE] == fr.PLAY_FRAME and fr.is_triggered(above)
    return bool(is_text and above[fr.AT] == fr.AT_ANNOUNCE)


def _triggered_together(frames: Any, place: int) -> Any:
    """The frames of texts that a TRIGGERS frame gathers: those below it, and the one that is being decided above it."""
    gathered = frames[int(frames[place, fr.TRIGGERS_FIRST]) - 1 : place]
    if not _is_being_decided(frames, place):
        return gathered
    decided = int(frames[place, fr.TRIGGERS_DECIDED])
    return np.insert(gathered, min(decided, len(gathered)), frames[place + 1], 0)


def _triggers_problem(s: Any, frames: Any, place: int) -> str | None:
    """Texts that have not been triggered together, or not in play order; or more of them are decided than can be."""
    frame = frames[place]
    first, decided = int(frame[fr.TRIGGERS_FIRST]) - 1, int(frame[fr.TRIGGERS_DECIDED])
    together = _triggered_together(frames, place)
    if first < 1 or not all(other[fr.PROCEDURE] == fr.PLAY_FRAME and fr.is_triggered(other) for other in together):
        return "things are put in order that no event has triggered"
    if decided > len(together) - _is_being_decided(frames, place) or frame[fr.TRIGGERS_ORDERED] + frame[fr.TRIGGERS_SETTLED] > decided:
        return "more triggered texts are decided than there are"
    undecided = together[decided:, fr.AT]
    if (together[:decided, fr.AT] != fr.AT_RESOLVE).any() or not np.isin(undecided, (fr.AT_ANNOUNCE, fr.AT_RESOLVE)).all():
        return "a triggered text happens before all are decided"
    turns = (together[:, fr.SEAT] - int(s["current"])) % int(s["num_players"])
    if (np.diff(turns) < 0).any():
        return "triggered texts are not decided in play order"
    events = {_events_of(other) for other in together}
    if len(events) > 1 and any(event & ~_GAINED for event in events):
        return "texts wait together that one event cannot trigger"
    if 1 << v.AVOIDED in events and not _is_avoiding(frames, first, together):
        return "what an avoided attack triggers lies on something that avoids none"
    return None


def _is_avoiding(frames: Any, first: int, together: Any) -> bool:
    """Whether the frame below what an avoided attack has triggered is that of the effect that avoids it."""
    effect = frames[first - 1]
    is_effect = effect[fr.PROCEDURE] == fr.PLAY_FRAME and effect[fr.AT] == fr.AT_RUN
    return bool(is_effect and (together[:, fr.PLAY_SUBJECT] == effect[fr.PLAY_SUBJECT]).all())


def _order_problem(s: Any, frames: Any) -> str | None:
    """The bottom frame is the turn's, or set-up alone; no other is."""
    first, rest = frames[0, fr.PROCEDURE], frames[1:, fr.PROCEDURE]
    if first not in (fr.SETUP_FRAME, fr.TURN_FRAME) or np.isin(rest, (fr.SETUP_FRAME, fr.TURN_FRAME)).any():
        return "a stack that does not stand on a turn"
    if first == fr.SETUP_FRAME and len(rest) and s["turn_step"] == st.STEP_SETUP:
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
        bounds = _Bounds(players, int(tables["cards_in"][queries.box(s)]), NUM_INCIDENTS, len(compiled.texts), place, frame)
        if found := _column_problem(bounds):
            return found
    if found := _order_problem(s, frames):
        return found
    for place in range(depth):
        if found := _subject_problem(frames, place):
            return found
        if frames[place, fr.PROCEDURE] == fr.PLAY_FRAME and (found := _play_problem(s, frames, place)):
            return found
        if frames[place, fr.PROCEDURE] == fr.TRIGGERS_FRAME and (found := _triggers_problem(s, frames, place)):
            return found
        if frames[place, fr.PROCEDURE] == fr.DRAWING_FRAME and (found := _draw_problem(s, frames[place])):
            return found
    running = s["outcome"] == st.RUNNING  # a game that is truncated ends between two turns
    if running and frames[0, fr.PROCEDURE] == fr.TURN_FRAME and frames[0, fr.SEAT] != s["current"]:
        return "the turn is not of the seat whose turn it is"
    return _aside_problem(s, frames)
