"""Gensou no Utage as one object for everything above its engine: `UTAGE_SPEC` (danmaku_env/spec.py says what its parts are)."""

from __future__ import annotations

import functools

from danmaku_env.machine.records import Array
from danmaku_env.sister.rules import fingerprint
from danmaku_env.sister.utage import names
from danmaku_env.sister.utage.cards import box, tables, words
from danmaku_env.sister.utage.config import RANDOM, UtageConfig
from danmaku_env.sister.utage.engine import actions, batch, invariants, observation
from danmaku_env.sister.utage.engine import state as st
from danmaku_env.sister.utage.engine.warm import compile_engine
from danmaku_env.spec import EntryPoints, GameSpec, SeatOf, register_spec

RULES_BEHAVIOUR = 3
"""Rises whenever the engine makes another final record of a seeded game."""


@functools.cache
def rules_fingerprint() -> str:
    """`1-0123456789ab`: the number of the engine's behaviour, and a hash of the compiled cards and of the names of the answers."""
    ids = (*(card.id for card in box.CARDS), *actions.ACTION_IDS)
    return fingerprint(RULES_BEHAVIOUR, (*tables.digest_parts(), *(name.encode() for name in ids)))


def _check_fits(games: Array, config: UtageConfig, what: str) -> None:
    """Raise ValueError for a game of other decks, or with lists that are open where these are closed."""
    if ((games["config"] & st.OPEN_LISTS > 0) != config.open_lists).any():
        raise ValueError(f"a game whose deck lists are {'closed' if config.open_lists else 'open'} does not fit {what}")
    if config.decks != RANDOM:
        for seat, deck in enumerate(config.decks):
            row = deck.row()[words.TEAM :]
            if (games["card"][:, seat] != row[0::2]).any() or (games["copies"][:, seat] != row[1::2]).any():
                raise ValueError(f"a game with another deck of seat {seat} does not fit {what}")


def _event(columns: list[int], seat_of: SeatOf) -> names.Event:
    return names.event_of(columns, seat_of)


def _unseen(config: UtageConfig) -> frozenset[str]:
    """Nothing: any card may be in a deck."""
    return frozenset()


UTAGE_SPEC = register_spec(
    GameSpec(
        name="utage",
        title="Gensou no Utage",
        config=UtageConfig,
        fewest_seats=st.SEATS,
        most_seats=st.SEATS,
        record=st.STATE,
        entries=EntryPoints.of(batch, tables.tables, compile_engine),
        outcomes=st.OUTCOMES,
        problem=invariants.problem,
        check_fits=_check_fits,
        rules=rules_fingerprint,
        actions=actions.ACTION_IDS,
        pass_action=actions.PASS,
        questions=words.QUESTIONS,
        action_name=names.action_name,
        action_index=names.action_index,
        actions_of=names.actions_of,
        fields=observation.OBSERVATION_FIELDS,
        state_fields=observation.STATE_FIELDS,
        highest=observation.highest,
        history_columns=observation.HISTORY_COLUMNS,
        ids=observation.IDS,
        events=st.EVENT_WORDS,
        text_events=(),
        titles=lambda: ("",),
        say={},
        event=_event,
        unseen=_unseen,
        log=names.Log,
        seat_name=names.seat_name,
        stack_lines=names.stack_lines,
        position=names.position,
    )
)
