"""The deducer's belief: what was done to whom, and what that says about the roles.

It goes over every deal of the roles that fits what the seat has seen, with the prior of the physical cards. Each interaction in the public
log is weighed by its likelihood under every role that its actor may have (`kernels/action_likelihood.py`); the posterior over all deals is
exact under that model. `python -m danmaku_env.training.fits.deducer` fits the parameters on games of self-play and writes `deducer.json`,
and another file for the games of another box.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import numpy as np

from danmaku_env.beliefs.kernels import action_likelihood
from danmaku_env.beliefs.log_cache import CachedBelief, grown_to
from danmaku_env.config import GameConfig
from danmaku_env.engine import state as st
from danmaku_env.heuristics import effects, role_classes
from danmaku_env.heuristics.fitted import fitted_numbers, read_fitted, shipped_for
from danmaku_env.info_states import InfoStates
from danmaku_env.machine.records import Array

FITTED = Path(__file__).with_name("deducer.json")
SCHEMA = 1
_NONE_OPEN: Array = np.zeros(st.SEATS, np.int64)


@functools.cache
def signs() -> Array:
    """[TEXTS] int64: +1 for texts that are bad for the player they are played on, -1 for good ones, 0 for others."""
    facts = effects.play_facts()[0]
    effect = facts["effect"][:, effects.ON_CHOSEN].astype(float)
    kind = [effects.DOES_LIFE, effects.DOES_HEAL, effects.DOES_CARDS, effects.DOES_ITEMS, effects.DOES_TURNS, effects.DOES_REVIVED]
    unkind = [effects.DOES_ATTACK, effects.DOES_FAR_ATTACK, effects.DOES_SURE_ATTACK, effects.DOES_HAND]
    good, bad = effect[:, kind].sum(1), effect[:, unkind].sum(1)
    signed: Array = np.sign(bad - good).astype(np.int64)
    return signed


def parameters_from(data: Any) -> Array:
    """[1] a record of action_likelihood.PARAMETERS from the plain data of a file. Raises FittedError."""
    record: Array = np.zeros(1, action_likelihood.PARAMETERS)
    shapes = {name: record[name][0].shape for name in ("choice", "trait", "mix", "repeat", "blind")}
    for name, numbers in fitted_numbers(data, "deducer", SCHEMA, shapes).items():
        record[name][0] = numbers
    record["sign"][0, : len(signs())] = signs()
    record["class_of_role"][0] = role_classes.CLASS_OF_ROLE
    return record


@functools.cache
def fitted_parameters(expansion: str = "none") -> Array:
    """[1] the parameters shipped for the games of a box."""
    return parameters_from(read_fitted(shipped_for(FITTED, expansion)))


@functools.cache
def class_priors(config: GameConfig) -> Array:
    """[CLASSES] float64: how many of each class of roles are dealt on average."""
    counts: Array = np.zeros(role_classes.CLASSES)
    counts[0] = 1
    for dealt, pool in config.role_pools:
        for role in pool:
            counts[role_classes.CLASS_OF_ROLE[role]] += dealt / len(pool)
    return counts


class ActionLikelihoodBelief(CachedBelief):
    """The posterior by who harmed and helped whom: what `DeducerAgent` and deduction studies ask."""

    def __init__(self, parameters: Array | None = None) -> None:
        """`parameters` is a record of action_likelihood.PARAMETERS; those fitted on games of the same box when left out."""
        super().__init__()
        self._given = parameters
        self._work: Array = np.zeros(1, action_likelihood.WORK)
        self._nothing: Array = np.zeros((0, action_likelihood.EXAMPLE_COLUMNS))

    def _parameters(self, config: GameConfig) -> Array:
        return fitted_parameters(config.expansion) if self._given is None else self._given

    def examples(self, config: GameConfig, history: Array, examples: Array) -> int:
        """Write the interactions of a log for a fit (action_likelihood.read_examples); returns how many there were."""
        log = np.ascontiguousarray(history[history[:, st.EVENT] > 0][::-1]).reshape(-1)
        priors = class_priors(config)
        return int(
            action_likelihood.read_examples(self._parameters(config), self._work, config.num_players, log, _NONE_OPEN, priors, examples)
        )

    def _weigh(self, info_states: InfoStates, row: int, prior: tuple[Array, Array], posterior: Array, belief: Array) -> None:
        config, log = info_states.config, info_states.public_log(row)
        place = self._memory.place(config, log)
        self._work = grown_to(self._work, place.slot)
        open_roles = _NONE_OPEN if place.first else info_states.open_roles(row)
        game = self._work, place.slot, config.num_players, int(info_states.seats[row]), log.reshape(-1), place.first
        known = open_roles, class_priors(config), self._nothing
        action_likelihood.posterior_of_deals(self._parameters(config), *game, *known, *prior, posterior, belief)
        self._memory.done(place)
