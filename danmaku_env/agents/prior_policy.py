"""The prior policy: what the deducer thinks of a question, as bytes that a network may read beside the observation.

A network with a prior policy need not learn what can be computed: which role deals fit what a seat has seen, how likely each
is, and the value of an answer at first sight. It learns what to change about that (residual policy learning, Silver et al. 2018), and
plays like the deducer before it has learned anything.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import numpy as np

from danmaku_env.agents.deducer import DeducerAgent
from danmaku_env.danmaku import DANMAKU_SPEC
from danmaku_env.info_states import InfoStates, with_history
from danmaku_env.machine.records import Array
from danmaku_env.nets.prior_format import FINE, ILLEGAL, PREFERENCE_STEP, prior_size

if TYPE_CHECKING:
    from danmaku_env import VectorEnv
    from danmaku_env.nets.network import AnyNet

_WORST = -1e9
"""Less than any answer is worth: the best one, for a seat that is not asked."""
_PRIOR_SIZE = prior_size(DANMAKU_SPEC.num_actions, DANMAKU_SPEC.num_labels)
_OWN = threading.local()


def _deducer(belief: str) -> DeducerAgent:
    """That of this thread, for its rooms are written while it thinks."""
    deducers: dict[str, DeducerAgent] = _OWN.__dict__
    if belief not in deducers:
        deducers[belief] = DeducerAgent(belief=belief)
    return deducers[belief]


def prior_bytes(observations: Array, masks: Array, info_states: InfoStates, belief: str) -> Array:
    """[B, NUM_ACTIONS + 8 NUM_ROLES + 8] uint8: what the deducer with this belief thinks of B questions; the rest as for `Agent.act`.

    A byte for each action, for each role of each seat, and for each seat.
    """
    deducer = _deducer(belief)
    observations, masks = np.ascontiguousarray(observations, np.uint8), np.ascontiguousarray(masks, np.uint8)
    beliefs = deducer.posterior(observations, info_states)
    play = deducer.policy_for(info_states)
    preferences = play.preferences(observations, beliefs)
    values = play.values(observations, masks, preferences)
    best = values.max(1, keepdims=True, where=masks != 0, initial=_WORST)
    below = np.where(masks != 0, best - values, 0)
    of_actions = np.where(masks != 0, np.minimum(np.rint(FINE * np.sqrt(below)), ILLEGAL - 1), ILLEGAL)
    of_roles = np.rint(255 * np.sqrt(beliefs)).reshape(len(observations), -1)
    of_seats = np.clip(np.rint(PREFERENCE_STEP * (1 + preferences)), 0, 255)
    found: Array = np.concatenate([of_actions, of_roles, of_seats], axis=1).astype(np.uint8)
    return found


def liked_best(observations: Array) -> Array:
    """[B, n] observations that end with what the prior policy says -> [B, NUM_ACTIONS] bool: the answers that the deducer finds best."""
    best: Array = observations[:, -_PRIOR_SIZE:][:, : DANMAKU_SPEC.num_actions] == 0
    return best


def complete(net: AnyNet, observations: Array, masks: Array, info_states: InfoStates | None) -> Array:
    """[B, n] observations as the net reads them: ending with the events and the prior policy's bytes it needs.

    Raises ValueError where it needs what neither the observations nor information states have.
    """
    size = DANMAKU_SPEC.row_size
    row = size + len(DANMAKU_SPEC.history_columns) * net.history
    observations = with_history("network", net.history, observations, info_states)
    if not net.has_prior_policy:
        return observations
    if info_states is None:
        raise ValueError("this network has the deducer as its prior policy, which reads the public log: give it information states")
    return np.concatenate([observations[:, :row], prior_bytes(observations[:, :size], masks, info_states, net.prior_policy)], axis=1)


def seen(net: AnyNet, vec: VectorEnv, rows: Array) -> Array:
    """[k, n] what the net reads in some games of a batch, for the seats asked. Raises ValueError as `complete`."""
    info_states = InfoStates.of(vec, rows) if net.has_prior_policy else None
    return complete(net, vec.observations[rows], vec.action_masks[rows], info_states)
