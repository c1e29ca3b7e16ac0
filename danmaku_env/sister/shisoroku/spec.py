"""Shisouroku as a `GameSpec`: everything that game faces, environments and networks know of it."""

from __future__ import annotations

import functools

import numpy as np

from danmaku_env.machine.records import Array
from danmaku_env.sister.rules import fingerprint
from danmaku_env.sister.shisoroku import names
from danmaku_env.sister.shisoroku.cards import box, tables, words
from danmaku_env.sister.shisoroku.config import ShisorokuConfig
from danmaku_env.sister.shisoroku.engine import actions, batch, invariants, observation
from danmaku_env.sister.shisoroku.engine import state as st
from danmaku_env.sister.shisoroku.engine.warm import compile_engine
from danmaku_env.spec import EntryPoints, GameSpec, SeatOf, register_spec

RULES_BEHAVIOUR = 3
"""Rises whenever the engine makes another final record of a seeded game."""


@functools.cache
def rules_fingerprint() -> str:
    """`1-0123456789ab`: the number of the engine's behaviour, and a hash of the compiled cards and of the names of the answers."""
    ids = (*(card.id for card in box.CARDS), *actions.ACTION_IDS)
    return fingerprint(RULES_BEHAVIOUR, (*tables.digest_parts(), *(name.encode() for name in ids)))


def _check_fits(games: Array, config: ShisorokuConfig, what: str) -> None:
    """Raise ValueError for a game of another number of players, start, or kingdom."""
    for players in set(games["num_players"].tolist()) - {config.num_players}:
        raise ValueError(f"a game of {players} players does not fit {what} of {config.num_players}")
    for bit, words_of in ((st.CHIREI_START, "starting decks"), (st.OPTIONAL_CARDS, "optional cards")):
        wanted = config.start == "chirei" if bit == st.CHIREI_START else config.optional_cards
        if ((games["config"] & bit > 0) != wanted).any():
            raise ValueError(f"a game with other {words_of} does not fit {what}")
    pool = [box.NUMBERS[name] + 1 for name in config.pool]
    if not np.isin(games["kinds"][:, words.KINGDOM : words.CHIREI], pool).all():
        raise ValueError(f"a game with another kingdom does not fit {what}")


def _event(columns: list[int], seat_of: SeatOf) -> names.Event:
    return names.event_of(columns, actions.PLACE_IDS, seat_of)


def _unseen(config: ShisorokuConfig) -> frozenset[str]:
    """Nothing: each place may hold any card of its kind."""
    return frozenset()


SHISOROKU_SPEC = register_spec(
    GameSpec(
        name="shisoroku",
        title="Shisouroku",
        config=ShisorokuConfig,
        fewest_seats=st.FEWEST_SEATS,
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
