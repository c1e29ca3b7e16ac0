"""What must be true of every record that play can reach: records from outside are checked here, and the fuzz tests use it.

`problem` checks a record at rest, that is at a question or over. Its fields are checked one topic a file: `seats.py`, `cards.py`,
`characters.py`, `frames.py`, `log_and_tallies.py`. The pending question is asked again: on a copy, the frame on top is entered anew, and
must come to rest with exactly the same bytes. `position_problem` checks the rest of a record, without its question.

This only reads; nothing here is compiled.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.box import NUM_CHARACTERS, NUM_INCIDENTS
from danmaku_env.cards.compile import compile_cards
from danmaku_env.cards.tables import CARDS, KINDS, PILE_ROOM
from danmaku_env.engine import actions, batch, queries
from danmaku_env.engine import state as st
from danmaku_env.engine.invariants import cards, characters, frames, log_and_tallies, seats
from danmaku_env.machine.records import SEED_BITS

_MOST = 1 << 30
_RANGES = {
    "config": (0, st.ALL_OPTIONS), "seed": (0, (1 << SEED_BITS) - 1), "log_count": (0, _MOST), "decisions": (0, _MOST),
    "answer": (-1, -1), "turn_number": (0, 32767), "max_turns": (1, 32767), "status": (st.OK, st.OK),
    "outcome": (0, len(st.OUTCOMES) - 1), "question": (0, len(actions.QUESTIONS) - 1), "pending_kind": (0, KINDS), "pending_back": (0, 2),
    "turn_step": (0, len(st.STEPS) - 1), "draws": (-PILE_ROOM, PILE_ROOM), "skipping": (0, 1), "skip_incident": (0, 1),
    "action_ban": (0, 1), "extra_turn": (0, st.IS_EXTRA_TURN + st.SEATS - 1), "spring_due": (0, 1), "priority_due": (0, 1),
    "incidents_kept": (0, (1 << NUM_INCIDENTS) - 1), "character_pool": (0, (1 << NUM_CHARACTERS) - 1),
    "due_item": (0, CARDS), "due_from": (0, st.SEATS), "due_to": (0, st.SEATS),
}  # fmt: skip
"""Field -> its least and its largest value."""


def _range_problem(s: Any) -> str | None:
    for name, (low, high) in _RANGES.items():
        if not low <= int(s[name]) <= high:
            return f"{name} is {int(s[name])}, outside {low} to {high}"
    if any(s[name].any() for name in st.ROOM):
        return "something between the fields"
    if queries.candidates(s) > st.MOST_CANDIDATES:
        return f"{queries.candidates(s)} characters to choose from"
    if not s["rng"].any():
        return "a random generator without a state"
    if int(s["turn_number"]) > int(s["max_turns"]):
        return f"turn {int(s['turn_number'])} of at most {int(s['max_turns'])}"
    if (s["turn_number"] == 0) != (int(s["turn_step"]) in (st.STEP_SETUP, st.STEP_ZERO, st.STEP_DRAFT)):
        return "a step that does not go with the turn"
    return None


def position_problem(s: Any) -> str | None:
    """The first thing that cannot be true of a record, its pending question apart, or None."""
    players = int(s["num_players"])
    if not st.FEWEST_SEATS <= players <= st.SEATS:
        return f"{players} players"
    return (
        _range_problem(s)
        or seats.problem(s, players)
        or cards.problem(s, players)
        or characters.problem(s, players)
        or frames.problem(s, players)
        or log_and_tallies.problem(s, players)
        or characters.ability_problem(s, players)
    )


# ---------------------------------------------------------------- the question


def _run(copy: np.ndarray, mode: int, action: int = 0) -> None:
    status = np.zeros(1, np.int8)
    batch.drive(compile_cards().tables, np.zeros(0, np.int64), copy, st.as_bytes(copy), np.array([action]), status, mode)


def _asked_anew(record: np.ndarray, kind: int) -> np.ndarray:
    """A copy whose top frame is entered anew; `kind` + 1 is answered first if its season is then still to be asked.

    Forced questions are asked too, in a window also those who can only pass: the first of a position set up by hand may be such a question
    (`Scenario.build`).
    """
    copy = record.copy()
    passing_only = int(record["legal"][0, st.MISC]) == 1 << actions.PASS and np.count_nonzero(record["legal"]) == 1
    copy["config"] |= st.ASK_FORCED | (st.ASK_EVERYONE if passing_only else 0)
    copy["asking"], copy["question"], copy["legal"] = st.NOBODY, actions.Q_NONE, 0
    copy["pending_kind"], copy["pending_back"] = 0, 0
    _run(copy, batch.RESUME)
    if kind and not copy["pending_kind"][0] and copy["asking"][0] != st.NOBODY:
        _run(copy, batch.ANSWER, actions.KIND_BASE + kind - 1)
        copy["decisions"] = record["decisions"]
    if record["pending_back"][0] and copy["question"][0] == actions.Q_COPY:
        deck = v.LUNATIC_DECK if record["pending_back"][0] - 1 == queries.LUNATIC_COPY else v.MAIN_DECK
        _run(copy, batch.ANSWER, actions.DECK_BASE + deck)
        copy["decisions"] = record["decisions"]
    copy["config"] = record["config"]
    return copy


def question_problem(s: Any) -> str | None:
    """What is wrong with the pending question of a record in which everything else can be, or None."""
    asked, legal = int(s["asking"]), s["legal"].any()
    if s["outcome"] != st.RUNNING:
        return "a question although the game is over" if asked != st.NOBODY or legal or s["question"] or s["pending_kind"] else None
    if not 0 <= asked < int(s["num_players"]) or not legal:
        return "nobody is asked, or without a legal answer"
    record = np.array([s], st.STATE)
    if _asked_anew(record, int(s["pending_kind"])).tobytes() != record.tobytes():
        return "a question, or legal answers, that do not follow from the position"
    return None


def problem(s: Any) -> str | None:
    """The first thing that cannot be true of a record at rest (at a question, or over), or None."""
    return position_problem(s) or question_problem(s)
