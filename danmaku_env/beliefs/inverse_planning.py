"""A belief about the roles from why things were done: Bayes over every deal of the roles, by `kernels/inverse_planning.py`.

`action_likelihood.py` asks which players each class of role harms and helps. This module asks what each role would have gained: it knows
how the heuristic and the deducer play, and values every choice in the log as they would have valued it with every role. It is sharper, also
about players who play otherwise. Reading a log takes a millisecond, so a game is cached as far as it was read, and a decision reads only
what is new. The belief does not depend on the cache.
"""

from __future__ import annotations

import functools

import numpy as np

from danmaku_env.beliefs.action_likelihood import class_priors, fitted_parameters
from danmaku_env.beliefs.kernels import action_likelihood, inverse_planning
from danmaku_env.beliefs.log_cache import CachedBelief, grown_to
from danmaku_env.config import GameConfig
from danmaku_env.danmaku import DANMAKU_SPEC
from danmaku_env.heuristics import effects
from danmaku_env.heuristics.style import style_of
from danmaku_env.info_states import InfoStates
from danmaku_env.machine.records import Array


@functools.cache
def dealt(config: GameConfig) -> Array:
    """From where the roles of a table come: a record of inverse_planning.ROLE_CARDS, shape (1,)."""
    tables = DANMAKU_SPEC.entries.tables()[0]
    found: Array = np.zeros(1, inverse_planning.ROLE_CARDS)
    record = found[0]
    record["card"] = np.arange(DANMAKU_SPEC.num_labels)
    record["pool"] = -1
    for role, becomes in enumerate(tables["role_becomes"][: DANMAKU_SPEC.num_labels]):
        if becomes:
            record["card"][becomes] = role
    for pool, (count, roles) in enumerate(config.role_pools):
        record["dealt"][pool] = count
        for role in roles:
            record["copies"][role] += 1
            record["pool"][role] = pool
    return found


class InversePlanningBelief(CachedBelief):
    """The posterior by what each role would have gained."""

    def __init__(self) -> None:
        super().__init__()
        self._work: Array = np.zeros(1, inverse_planning.WORK)
        self._boards: Array = np.zeros(1, DANMAKU_SPEC.record)
        self._nothing: Array = np.zeros((0, action_likelihood.EXAMPLE_COLUMNS))
        self._row: Array = np.zeros(DANMAKU_SPEC.row_size, np.uint8)
        self._likely: Array = np.zeros((len(inverse_planning.MIXES), DANMAKU_SPEC.most_seats, DANMAKU_SPEC.num_labels))
        self._nobody: Array = np.zeros(1, DANMAKU_SPEC.record)

    def _weigh(self, info_states: InfoStates, row: int, prior: tuple[Array, Array], posterior: Array, belief: Array) -> None:
        slot = self._read(info_states, row)
        where = self._work, slot, info_states.config.num_players, int(info_states.seats[row])
        inverse_planning.weigh_deals(dealt(info_states.config), *where, *prior, self._likely, posterior, belief)

    def table(self, info_states: InfoStates, row: int) -> Array:
        """The board of a row as the log tells it, a record of STATE, shape (1,), with what `kernels/public_state.py` keeps of one."""
        slot = self._read(info_states, row)
        return self._boards[slot : slot + 1].copy()

    def _read(self, info_states: InfoStates, row: int) -> int:
        """The slot in which the game of a row has been read to its end."""
        config, log = info_states.config, info_states.public_log(row)
        place = self._memory.place(config, log)
        self._work, self._boards = grown_to(self._work, place.slot), grown_to(self._boards, place.slot)
        now = self._nobody if place.first else info_states.board(row)
        box = config.expansion
        data = DANMAKU_SPEC.entries.tables(), effects.play_facts(), fitted_parameters(box), _styles(box), dealt(config)
        game = log.reshape(-1), place.first, now, place.whole, class_priors(config)
        inverse_planning.read(*data, self._work, self._boards, place.slot, *game, self._nothing, self._row)
        self._memory.done(place)
        return place.slot


@functools.cache
def _styles(expansion: str) -> Array:
    """[2] records of STYLE: how the heuristic and the deducer play."""
    return np.concatenate([style_of("hand", expansion), style_of("fitted", expansion)])
