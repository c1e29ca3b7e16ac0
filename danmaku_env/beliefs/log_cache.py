"""Beliefs that read the log of a game incrementally: a game that is asked about again is continued from its new events.

A game has no name, so it is recognised by its log: the part that was read is its beginning. No belief may depend on what was cached.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import OrderedDict
from typing import NamedTuple

import numpy as np

from danmaku_env.config import GameConfig
from danmaku_env.danmaku import DANMAKU_SPEC
from danmaku_env.engine import events
from danmaku_env.engine import state as st
from danmaku_env.info_states import InfoStates
from danmaku_env.machine.records import Array

REMEMBERED = 2048
"""Games that are remembered, at most."""
_ANY = 0
"""The slot of games that are not."""
_NAMED_BY = 48 * st.EVENT_COLUMNS
"""Bytes at the beginning of a log by which a game is looked up; one with a shorter log is read each time."""

_Name = tuple[GameConfig, bytes]


class LogPosition(NamedTuple):
    """Where a game is read into."""

    slot: int
    """Below REMEMBERED."""
    first: int
    """The event to read first: those before it have been read into the slot."""
    whole: bool
    """Whether the log goes back to the deal; that of a full log is never taken for granted, whatever was read before it was full."""
    log: bytes


class LogCache:
    """Slots for games; that of the game not asked about for longest is given to the next."""

    def __init__(self) -> None:
        self._logs: dict[int, bytes] = {}
        """What was read into each slot. One that is being read into has none: if that is broken off, nobody builds on it."""
        self._named: dict[_Name, list[int]] = {}
        self._used: OrderedDict[int, _Name] = OrderedDict()

    def place(self, config: GameConfig, log: Array) -> LogPosition:
        """Where to read the game with this log, [k, 8] uint8 as `danmaku_env.game.public_log` has it. Say `done` afterwards."""
        as_bytes = log.tobytes()
        name = config, as_bytes[:_NAMED_BY]
        if len(log) == st.LOG_ROWS:  # it may have lost its beginning
            return LogPosition(_ANY, 0, whole=False, log=as_bytes)
        if slots := [slot for slot in self._named.get(name, ()) if slot in self._logs and as_bytes.startswith(self._logs[slot])]:
            slot = max(slots, key=lambda slot: len(self._logs[slot]))
            self._used.move_to_end(slot)
            return LogPosition(slot, len(self._logs.pop(slot)) // st.EVENT_COLUMNS, whole=True, log=as_bytes)
        whole = _is_whole(log, config.num_players)
        slot = self._free() if whole and len(as_bytes) >= _NAMED_BY else _ANY
        if slot != _ANY:
            self._named.setdefault(name, []).append(slot)
            self._used[slot] = name
        return LogPosition(slot, 0, whole, as_bytes)

    def done(self, place: LogPosition) -> None:
        """The game has been read to its end."""
        if place.slot != _ANY:
            self._logs[place.slot] = place.log

    def _free(self) -> int:
        if len(self._used) < REMEMBERED - 1:
            return _ANY + 1 + len(self._used)
        slot, name = self._used.popitem(last=False)
        self._logs.pop(slot, None)
        self._named[name].remove(slot)
        if not self._named[name]:
            del self._named[name]
        return slot


def grown_to(records: Array, slot: int) -> Array:
    """[n] records, doubled where the slot lies beyond them, up to REMEMBERED: an agent at one table has room for one game."""
    if slot < len(records):
        return records
    grown: Array = np.zeros(max(slot + 1, min(2 * len(records), REMEMBERED)), records.dtype)
    grown.view(np.uint8)[: records.nbytes] = records.view(np.uint8)
    return grown


Deals = list[tuple[Array, Array]]
"""Of each row, the deals [n, players] of the roles that fit, the seats relative to the observer, and their probabilities [n]."""


class CachedBelief(ABC):
    """Bayes over every deal of the roles that fits what a seat knows, from what was done. Not to be shared between threads.

    Games are remembered as far as they were read; what is believed does not depend on it.
    """

    def __init__(self) -> None:
        self._memory = LogCache()

    def posterior(self, info_states: InfoStates) -> Array:
        """[B, 8, NUM_ROLES] float64, as `danmaku_env.agents.base.BeliefModel` says."""
        return self.posteriors(info_states)[0]

    def posteriors(self, info_states: InfoStates) -> tuple[Array, Deals]:
        """The beliefs [B, 8, NUM_ROLES], and what they are the sums of."""
        beliefs: Array = np.zeros((len(info_states), st.SEATS, DANMAKU_SPEC.num_labels))
        found = []
        for row in range(len(info_states)):
            deals, weights = info_states.role_assignments(row)
            posterior: Array = np.zeros(len(deals))
            self._weigh(info_states, row, (deals, weights), posterior, beliefs[row])
            found.append((deals, posterior))
        return beliefs, found

    @abstractmethod
    def _weigh(self, info_states: InfoStates, row: int, prior: tuple[Array, Array], posterior: Array, belief: Array) -> None:
        """Work out the probabilities `posterior` [n] of the deals of `prior`, and the seats' `belief` [8, NUM_ROLES]."""


def _is_whole(log: Array, players: int) -> bool:
    """Whether a log [k, 8] that has lost nothing goes back to the deal of a game: every seat draws cards before the first turn."""
    turns = np.flatnonzero(log[:, st.EVENT] == events.L_TURN)
    if not len(turns):
        return False
    before = log[: turns[0]]
    return len(np.unique(before[before[:, st.EVENT] == events.L_DRAW, st.ACTOR])) == players
