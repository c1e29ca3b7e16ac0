"""A trained network as an agent: the one that is shipped, or any checkpoint by the path of its file or of the folder of its run."""

from __future__ import annotations

import functools
import math
import os
from collections.abc import Hashable
from pathlib import Path
from weakref import WeakValueDictionary

import numpy as np
import torch

from danmaku_env.agents.prior_policy import complete, liked_best
from danmaku_env.beliefs.action_likelihood import ActionLikelihoodBelief
from danmaku_env.beliefs.inverse_planning import InversePlanningBelief
from danmaku_env.config import GameConfig
from danmaku_env.danmaku import DANMAKU_SPEC
from danmaku_env.game import check_seed
from danmaku_env.heuristics.fitted import file_for, shipped_for
from danmaku_env.info_states import InfoStates, check_questions
from danmaku_env.machine.records import Array
from danmaku_env.nets.checkpoints import checkpoint_file, load_player
from danmaku_env.nets.network import AnyNet, Output, look, one_torch_thread, pick

SHIPPED = Path(__file__).with_name("neural.safetensors")
"""The net of today, of the base game; that of another box stands beside it."""
_FORMER = {1: "neural_1.safetensors"}
"""Version -> the file of a net that was shipped before: tasks of the benchmark go on being played with it."""
VERSION = 2
"""The version of the net of today."""
MARGIN = 1.0
"""Logits by which a network with a prior policy must prefer an answer to overrule the deducer: a smaller lead is as often an
error that its search repeats as an improvement (docs/nets.md)."""
_ROLES = DANMAKU_SPEC.num_labels
_PRIOR_SHARE = 1e-4
"""Share of what the cards alone say in a belief: a role that the network never met stays possible."""
_SMALL = 1e-3
"""Probabilities of this size and below are as good as equal where two are compared."""
_ROUNDING = 1e-5
"""Differences of log-probabilities that rounding can make."""


class NeuralAgent:
    """Takes the answers that the network finds likeliest, or draws them with its probabilities, as in training by self-play.

    What of an observation the network does not read may be there or not. Where it reads the log, and observations do not end with it
    (`GameConfig(history=...)`), it asks the information states; so it does for its prior policy, the deducer, where it has one.
    A greedy network with a prior policy keeps to an answer that the deducer finds best unless another leads by more than a margin.
    """

    name = "neural"

    def __init__(
        self, path: str | Path = "", seed: int = 0, *, greedy: bool = True, margin: float = MARGIN, version: int = VERSION
    ) -> None:
        """`path` names a checkpoint or the folder of a run; without one, the net that is shipped for the box of the games plays.

        `margin` is in logits; `version` is that of the shipped net, 1 or 2. Raises CheckpointError when there is no net that fits this
        program, ValueError for a margin below 0, for another version, and for one beside a path.
        """
        if not 0 <= margin < math.inf:
            raise ValueError(f"margin must be 0 or more, not {margin}")
        if version not in (*_FORMER, VERSION) or (path and version != VERSION):
            known = f"the versions of the shipped net are {', '.join(map(str, (*_FORMER, VERSION)))}"
            raise ValueError(f"{known}, not {version}" if not path else f"{known}: leave the version or the path out")
        net = _net_of(path) if path else _shipped_net("none", version)
        self._set_up(net, seed, named=bool(path), greedy=greedy, margin=margin, version=version)

    @classmethod
    def of(cls, net: AnyNet, seed: int = 0, *, greedy: bool = True, margin: float = MARGIN) -> NeuralAgent:
        """An agent that plays by a network in memory, as while it is trained; `greedy` and `margin` as in the constructor."""
        agent = cls.__new__(cls)
        agent._set_up(net, seed, named=True, greedy=greedy, margin=margin, version=VERSION)
        return agent

    def _set_up(self, net: AnyNet, seed: int, *, named: bool, greedy: bool, margin: float, version: int) -> None:
        self.net = net
        """Of the base game, where none was named."""
        self._named, self._greedy, self._margin, self._version = named, greedy, margin, version
        self._likelihood, self._inverse_planning = ActionLikelihoodBelief(), InversePlanningBelief()
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Seed the generator that answers are drawn with."""
        self._rng = torch.Generator().manual_seed(check_seed(seed))

    def batch_key(self, config: GameConfig) -> Hashable:
        """Agents with equal keys give equal answers in games of this configuration, so one batch does for all. None: answers are drawn."""
        if not self._greedy:
            return None
        return id(self.net if self._named else _shipped_net(config.expansion, self._version)), self._margin

    def net_for(self, info_states: InfoStates | None) -> AnyNet:
        """The network that is asked in these games."""
        return self.net if self._named or info_states is None else _shipped_net(info_states.config.expansion, self._version)

    def act(self, observations: Array, masks: Array, info_states: InfoStates | None = None) -> Array:
        """[B] answers. The same question gets the same probabilities up to rounding, whichever rows it is asked among.

        Raises ValueError where the network reads the log and gets it neither with the observations nor by information states, or has a
        prior policy and gets no information states.
        """
        with one_torch_thread():
            return pick(self._ask(observations, masks, info_states).logprobs, None if self._greedy else self._rng)

    def probabilities(self, observations: Array, masks: Array, info_states: InfoStates | None = None) -> Array:
        """[B, N] what the network gives each answer, or all to the likeliest; see `danmaku_env.agents.base.Policy`.

        Which of two answers that are equal up to rounding is the likeliest depends on the rows beside them, so they share it.
        """
        with one_torch_thread():
            logprobs = self._ask(observations, masks, info_states).logprobs.double()
            if self._greedy:
                logprobs = torch.where(logprobs >= logprobs.amax(1, keepdim=True) - _ROUNDING, 0.0, -torch.inf)
            probabilities: Array = logprobs.softmax(1).cpu().numpy()
        return probabilities

    def _ask(self, observations: Array, masks: Array, info_states: InfoStates | None) -> Output:
        """What the network says; with the margin on top of the answers that the deducer finds best, where that counts."""
        check_questions(observations, masks, info_states)
        net = self.net_for(info_states)
        seen = complete(net, observations, masks, info_states)
        said = look(net, seen, np.array(masks, np.uint8))
        if self._greedy and net.has_prior_policy:
            said = said._replace(logprobs=said.logprobs + self._margin * torch.from_numpy(liked_best(seen)))
        return said

    def posterior(self, observations: Array, info_states: InfoStates) -> Array:
        """[B, 8, NUM_ROLES] float64: what the network reads from the seats, within what the cards allow.

        Such a network has learned to correct the posterior of `action_likelihood.py`, by which it plays. Here it corrects the sharper one
        of `inverse_planning.py` in the same way.
        """
        check_questions(observations, None, info_states)
        read = self.policy_and_beliefs(observations, info_states.masks(), info_states)[1]
        net = self.net_for(info_states)
        if net.prior_policy == "likelihood":
            corrected = (read + _SMALL) / (self._likelihood.posterior(info_states) + _SMALL)
            read = self._inverse_planning.posterior(info_states) * np.where(np.isin(np.arange(_ROLES), net.roles), corrected, 1.0)
        return allowed(read, info_states)

    def policy_and_beliefs(self, observations: Array, masks: Array, info_states: InfoStates) -> tuple[Array, Array]:
        """What a search goes by: [B, N] log-probabilities of the answers, the margin among them, and [B, 8, NUM_ROLES] beliefs."""
        with one_torch_thread():
            said = self._ask(observations, masks, info_states)
        return said.logprobs.numpy(), roles_by_number(self.net_for(info_states), np.exp(said.roles.numpy().astype(np.float64)))


_IN_USE: WeakValueDictionary[tuple[object, ...], AnyNet] = WeakValueDictionary()
"""Networks that some agent plays by, by the file they were read from: at many tables they are one."""


def _net_of(path: str | Path) -> AnyNet:
    """The network of a checkpoint, read anew where its file has changed. Raises CheckpointError."""
    place = checkpoint_file(path)
    try:
        told = os.stat(place)
        key: tuple[object, ...] = (os.path.realpath(place), told.st_mtime_ns, told.st_size, told.st_ino)
    except OSError:
        return load_player(path)  # which says what is wrong
    net = _IN_USE.get(key)
    if net is None:
        net = _IN_USE[key] = load_player(path)
    return net


@functools.cache
def _shipped_net(expansion: str, version: int) -> AnyNet:
    """The net of a version for a box; where that version had none of its own for the box, today's."""
    own = file_for(SHIPPED.with_name(_FORMER.get(version, SHIPPED.name)), expansion)
    return _loaded(own if own.exists() else shipped_for(SHIPPED, expansion))


@functools.cache
def _loaded(path: Path) -> AnyNet:
    return load_player(path)


def roles_by_number(net: AnyNet, said: Array) -> Array:
    """[B, 8, roles of the net] -> [B, 8, NUM_ROLES]."""
    beliefs: Array = np.zeros((*said.shape[:2], _ROLES))
    for place, number in enumerate(net.roles):
        beliefs[:, :, number] += said[:, :, place]
    return beliefs


def allowed(beliefs: Array, info_states: InfoStates) -> Array:
    """[B, 8, NUM_ROLES] beliefs without what the role cards exclude: each seat's probabilities sum to 1, absent seats have none."""
    possible: Array = np.zeros((len(info_states), DANMAKU_SPEC.most_seats, _ROLES))
    for row in range(len(info_states)):
        possible[row, : info_states.config.num_players] = info_states.role_assignments(row).marginals()
    within = beliefs * (possible > 0)
    total = within.sum(2, keepdims=True)
    shares: Array = np.where(total > 0, within / np.where(total > 0, total, 1), possible)
    believed: Array = (1 - _PRIOR_SHARE) * shares + _PRIOR_SHARE * possible
    return believed
