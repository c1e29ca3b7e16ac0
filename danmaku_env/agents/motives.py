"""A belief about the roles from why things were done: Bayes over every deal of the roles, by `kernels/motives.py`.

`deduction.py` asks which players each class of role harms and helps. This asks what each role would have gained: it knows how the
heuristic and the deducer play, and looks at every choice in the log as they would have looked at it with every role. It is sharper, also
about players who play otherwise. To read a log like that takes a millisecond, so games are remembered as far as they were read, and a
decision reads what is new. What is believed does not depend on what was remembered.
"""

from __future__ import annotations

import functools
from collections import OrderedDict

import numpy as np

from danmaku_env.agents import effects
from danmaku_env.agents.base import Array, Handles
from danmaku_env.agents.deduction import class_priors, fitted_parameters
from danmaku_env.agents.kernels import evidence, motives
from danmaku_env.agents.style import style_of
from danmaku_env.cards.box import NUM_ROLES
from danmaku_env.cards.compile import compile_cards
from danmaku_env.config import GameConfig
from danmaku_env.engine import events
from danmaku_env.engine import state as st
from danmaku_env.engine.pieces import OBSERVATION_SIZE

REMEMBERED = 2048
"""Games that are remembered as far as they were read, at most (28 KiB each)."""
_ANY = 0
"""The slot of games that are not remembered."""
_NAMED_BY = 48 * st.EVENT_COLUMNS
"""Bytes at the beginning of the log by which a game is looked up; a shorter log is read each time."""


_Name = tuple[GameConfig, bytes]


@functools.cache
def dealt(config: GameConfig) -> Array:
    """From where the roles of a table come: a record of motives.ROLE_CARDS, shape (1,)."""
    tables = compile_cards().tables[0]
    found: Array = np.zeros(1, motives.ROLE_CARDS)
    record = found[0]
    record["card"] = np.arange(NUM_ROLES)
    record["pool"] = -1
    for role, becomes in enumerate(tables["role_becomes"][:NUM_ROLES]):
        if becomes:
            record["card"][becomes] = role
    place = config.deal_table, config.num_players
    record["dealt"] = tables["dealt"][place]
    for pool in range(motives.POOLS):
        for role in tables["pool"][place][pool][: int(tables["pool_size"][place][pool])]:
            record["copies"][role] += 1
            record["pool"][role] = pool
    return found


class _Memory:
    """Games as far as they were read: slots of `motives.WORK` and their boards; the one not asked about for longest gives way."""

    def __init__(self) -> None:
        self.work: Array = np.zeros(REMEMBERED, motives.WORK)
        self.boards: Array = np.zeros(REMEMBERED, st.STATE)
        self._logs: list[bytes] = [b""] * REMEMBERED
        self._named: dict[_Name, list[int]] = {}
        self._used: OrderedDict[int, _Name] = OrderedDict()

    def found(self, config: GameConfig, log: bytes) -> int | None:
        """The slot in which a game with this log was read, up to work["read"]; None for one that is not remembered."""
        slots = [slot for slot in self._named.get((config, log[:_NAMED_BY]), ()) if log.startswith(self._logs[slot])]
        if not slots:
            return None
        slot = max(slots, key=lambda slot: len(self._logs[slot]))
        self._used.move_to_end(slot)
        self._logs[slot] = log
        return slot

    def begun(self, config: GameConfig, log: bytes, whole: bool) -> int:
        """A slot to read a game into from the beginning; it is remembered if its log is whole, and long enough to know it again."""
        slot = _ANY
        if whole and len(log) >= _NAMED_BY:
            slot = self._free()
            self._used[slot] = name = config, log[:_NAMED_BY]
            self._named.setdefault(name, []).append(slot)
            self._logs[slot] = log
        self.work["read"][slot] = 0
        return slot

    def _free(self) -> int:
        if len(self._used) < REMEMBERED - 1:
            return _ANY + 1 + len(self._used)
        slot, name = self._used.popitem(last=False)
        self._named[name].remove(slot)
        if not self._named[name]:
            del self._named[name]
        return slot


class Motives:
    """The posterior over the roles; not to be shared between threads."""

    def __init__(self) -> None:
        self._memory = _Memory()
        self._nothing: Array = np.zeros((0, evidence.EXAMPLE_COLUMNS))
        self._row: Array = np.zeros(OBSERVATION_SIZE, np.uint8)
        self._likely: Array = np.zeros((len(motives.MIXES), st.SEATS, NUM_ROLES))
        self._nobody: Array = np.zeros(1, st.STATE)
        self._none_open: Array = np.zeros(st.SEATS, np.int64)

    def believe(self, handles: Handles) -> Array:
        """[B, 8, NUM_ROLES] float64, as `danmaku_env.agents.base.Believer` says."""
        return self.posteriors(handles)[0]

    def posteriors(self, handles: Handles) -> tuple[Array, list[tuple[Array, Array]]]:
        """The beliefs [B, 8, NUM_ROLES], and for each row the deals [n, players] that fit, seats relative, with their probabilities [n]."""
        config = handles.config
        beliefs: Array = np.zeros((len(handles), st.SEATS, NUM_ROLES))
        found = []
        for row in range(len(handles)):
            where = (self._memory.work, self._read(handles, row), config.num_players, int(handles.seats[row]))
            deals, weights = handles.role_assignments(row)
            posterior: Array = np.zeros(len(deals))
            motives.weigh_deals(dealt(config), *where, deals, weights, self._likely, posterior, beliefs[row])
            found.append((deals, posterior))
        return beliefs, found

    def table(self, handles: Handles, row: int) -> Array:
        """The board of a row as the log tells it, a record of STATE, shape (1,), with what `kernels/table.py` keeps of one."""
        slot = self._read(handles, row)
        return self._memory.boards[slot : slot + 1].copy()

    def _read(self, handles: Handles, row: int) -> int:
        """The slot in which the game of a row has been read to its end."""
        config, memory, log = handles.config, self._memory, handles.public_log(row)
        now, open_roles, whole = self._nobody, self._none_open, True
        slot = memory.found(config, as_bytes := log.tobytes())
        if slot is None:
            whole = _is_whole(log, config.num_players)
            slot = memory.begun(config, as_bytes, whole)
            now = handles.board(row)
            open_roles = now[0]["role"].astype(np.int64)
        box = config.expansion
        data = compile_cards().tables, effects.play_facts(), fitted_parameters(box), _styles(box), dealt(config)
        game = log.reshape(-1), now, whole, open_roles, class_priors(config.num_players, config.roles)
        motives.read(*data, memory.work, memory.boards, slot, *game, self._nothing, self._row)
        return slot


def _is_whole(log: Array, players: int) -> bool:
    """Whether a log [k, 8] goes back to the deal of a game: every seat draws cards before the first turn."""
    turns = np.flatnonzero(log[:, st.EVENT] == events.L_TURN)
    if not len(turns) or len(log) == st.LOG_ROWS:
        return False
    before = log[: turns[0]]
    return len(np.unique(before[before[:, st.EVENT] == events.L_DRAW, st.ACTOR])) == players


@functools.cache
def _styles(expansion: str) -> Array:
    """[2] records of STYLE: how the heuristic and the deducer play."""
    return np.concatenate([style_of("hand", expansion), style_of("fitted", expansion)])
