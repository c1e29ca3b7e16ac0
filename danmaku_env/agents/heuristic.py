"""A rule-based player: plays every card sensibly, knows its role's goal, keeps a grudge table of who hurt whom.

Its play is compiled (`kernels/`) and reads one observation row and one mask row, so it cannot see what its seat may not see. Each legal
answer gets a worth in lives, and the best is taken; passing is worth nothing, a little noise breaks ties. What a text is worth follows
from what its printed program does to whom (`effects.py`), and from who is for me and who against me: *enmity*, which the grudge table
guesses from deeds (`kernels/sides.py`). A better guess goes through the same play by `kernels.choice.choose_rows`.

What it does not do: plan a turn ahead, count which cards are gone, choose among incidents or seasons, pay cards for range before it knows
that it can, or take being hidden into account (it reveals the Extra Boss for the life at once).

Measured on one core of an AMD EPYC (`python benchmarks/rule_play.py`): a decision costs 1 to 2 microseconds, self-play with the engine
makes 300,000 to 480,000 decisions a second, 0.4 to 0.5 of random play. At tables where half the seats play at random its own win two to
three times as often, with every role.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from danmaku_env.agents import effects
from danmaku_env.agents.base import Array, Handles, Verdicts
from danmaku_env.agents.kernels import choice, rollout, sides
from danmaku_env.agents.style import style_of
from danmaku_env.cards.box import NUM_ROLES
from danmaku_env.cards.compile import compile_cards
from danmaku_env.engine.cold_start import compile_once


def answer_chances(style: Array, observations: Array, masks: Array, enmities: Array) -> Array:
    """[B, N] float64: how likely each answer is in play of a style (style.py) under enmities [B, 8], over all dice that break ties."""
    observations, masks = np.ascontiguousarray(observations, np.uint8), np.ascontiguousarray(masks, np.uint8)
    chances: Array = np.zeros(masks.shape)
    contenders, worths = np.zeros(masks.shape[1], np.int64), np.zeros(masks.shape[1])
    choice.chance_rows(compile_cards().tables, effects.play_facts(), style, observations, masks, enmities, contenders, worths, chances)
    return chances


class HeuristicAgent:
    """The rule-based player with its grudge table. It keeps nothing between decisions: all it needs is on the table."""

    name = "heuristic"

    def __init__(self, seed: int = 0, *, style: str = "hand") -> None:
        """`style` is one of `style.NAMES`; another raises ValueError."""
        self._tables = compile_cards().tables
        self._facts = effects.play_facts()
        self._style = style_of(style)
        self._belief: npt.NDArray[np.float64] = np.zeros((sides.SEATS, NUM_ROLES))
        self._room: npt.NDArray[np.float64] = np.zeros((sides.SCRATCH_ROWS, sides.HIDDEN_CAMPS))
        self._enmity: npt.NDArray[np.float64] = np.zeros(sides.SEATS)
        compile_once("danmaku_env.agents.warm")
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Seed the dice that break ties."""
        self._dice = np.random.default_rng(seed)

    def act(self, observations: Array, masks: Array, handles: Handles | None = None) -> Array:
        """[B] answers; looks at observations and masks only."""
        observations, masks = np.ascontiguousarray(observations, np.uint8), np.ascontiguousarray(masks, np.uint8)
        chosen: Array = np.zeros(len(observations), np.int64)
        words = self._dice.integers(0, choice.NOISE_WORDS, len(observations))
        choice.play_rows(
            self._tables, self._facts, self._style, observations, masks, self._belief, self._room, self._enmity, words, chosen
        )  # fmt: skip
        return chosen

    def probabilities(self, observations: Array, masks: Array, handles: Handles | None = None) -> Array:
        """[B, N] exact, over all dice that break ties; see `danmaku_env.agents.base.Policy`."""
        observations = np.ascontiguousarray(observations, np.uint8)
        enmities: Array = np.zeros((len(observations), sides.SEATS))
        sides.grudge_enmities(self._tables, self._style, observations, self._belief, self._room, enmities)
        return answer_chances(self._style, observations, masks, enmities)

    def judge(self, observations: Array, masks: Array, handles: Handles | None = None) -> Verdicts:
        """What each answer is worth to it, see `danmaku_env.agents.base.Judge`."""
        observations, masks = np.ascontiguousarray(observations, np.uint8), np.ascontiguousarray(masks, np.uint8)
        enmities, worths = np.zeros((len(observations), sides.SEATS)), np.zeros(masks.shape)
        sides.grudge_enmities(self._tables, self._style, observations, self._belief, self._room, enmities)
        rollout.worth_rows(self._tables, self._facts, self._style, observations, masks, enmities, worths)
        return Verdicts(self.act(observations, masks), worths, np.full(masks.shape, np.nan))

    def believe(self, observations: Array, handles: Handles) -> Array:
        """[B, 8, NUM_ROLES] what the grudge table makes of the roles: one role for each camp, rarer ones not told apart."""
        observations = np.ascontiguousarray(observations, np.uint8)
        beliefs: Array = np.zeros((len(observations), sides.SEATS, NUM_ROLES))
        sides.grudge_beliefs(self._tables, self._style, observations, self._room, beliefs)
        return beliefs
