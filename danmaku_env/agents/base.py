"""The protocol that every agent follows, for one game and for batches alike.

An agent answers for the seat that is asked, one row per game. It gets what that seat may know: the observation row (docs/observation.md)
and the mask of the legal answers (docs/actions.md). Agents that need more, such as the public log or sampled hidden states, ask the
information states (`info_states.py`), which know nothing that the seat may not know.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np

from danmaku_env import Game
from danmaku_env.agents.user_code import UserCode, words_of
from danmaku_env.arguments import shown
from danmaku_env.console.errors import UserError
from danmaku_env.info_states import InfoState as InfoState
from danmaku_env.info_states import InfoStates as InfoStates
from danmaku_env.machine.records import Array as Array
from danmaku_env.spec import spec_of

_SUM = 1e-6
"""By how much the probabilities that are believed of a seat may miss 1."""
_ROUNDING = 1e-4
"""By how much the probabilities of answers may: they are often sums of many numbers in single precision or less."""
_MOST_VALUE = 1e5
"""Lives, or rewards: a larger number is a slip, such as a mark for an action to avoid."""


class Agent(Protocol):
    """An agent: it answers for the seat that is asked."""

    name: str
    """What it is called in logs, replays and tables."""

    def reset(self, seed: int) -> None:
        """Begin anew: forget everything and seed the agent's own random numbers. The same seed and questions give the same answers."""

    def act(self, observations: Array, masks: Array, info_states: InfoStates | None = None) -> Array:
        """[B] legal answers to B questions: [B, n] uint8 observations and [B, N] masks, each of the seat asked in that row.

        `info_states`, where given, has one information state per row. The arrays may be rewritten after the call: keep copies.
        """


@runtime_checkable
class BeliefModel(Protocol):
    """An agent that says what it believes about the roles."""

    def posterior(self, observations: Array, info_states: InfoStates) -> Array:
        """[B, 8, NUM_ROLES] float64: for each row and seat, relative to the observer (0 = me), the probability of each role number.

        Role numbers index `cards.box.ROLE_IDS`; column 0 is "no role". The rows of seats at the table sum to 1, the others are 0.
        """


@runtime_checkable
class Policy(Protocol):
    """An agent whose policy is known: it says how likely it is to give each answer."""

    def probabilities(self, observations: Array, masks: Array, info_states: InfoStates | None = None) -> Array:
        """[B, N] float64: for each row the probability with which `act` gives each answer, 0 where it is not legal; rows sum to 1.

        Arguments as for `act`. Its own generator is left as it is.
        """


class ActionValues(NamedTuple):
    """What an agent thinks of the answers to B questions, for whoever learns from it."""

    answers: Array
    """[B] those it would give."""
    values: Array
    """[B, N] float64: the value of each legal answer at first sight, in lives; -inf for the others."""
    advantages: Array
    """[B, N] float64: by how much more reward an answer did better than the first one tried, where several were tried; else NaN."""


@runtime_checkable
class ActionEvaluator(Protocol):
    """An agent that says what it thinks of every answer, and not only which is best."""

    def evaluate_actions(self, observations: Array, masks: Array, info_states: InfoStates) -> ActionValues:
        """What it thinks, as a teacher is asked."""


class AnswerError(UserError, RuntimeError):
    """An agent raised something, or gave no legal answer: a sentence that names it."""


def answers_of(agent: Agent, observations: Array, masks: Array, info_states: InfoStates) -> Array:
    """[B] int64: the agent's answers, which are legal. Raises AnswerError, whatever a person's own class does instead of answering."""
    with _asked(agent, "played"):
        answers = np.asarray(agent.act(observations, masks.copy(), info_states))  # what it writes there changes nothing
    return _legal(agent, answers, masks)


def action_values_of(agent: Agent, observations: Array, masks: Array, info_states: InfoStates) -> ActionValues:
    """What the agent thinks of the answers, NaN for all of them where it only answers. Raises AnswerError, whatever it does instead."""
    if not isinstance(agent, ActionEvaluator):
        unsaid = np.full(masks.shape, np.nan)
        return ActionValues(answers_of(agent, observations, masks, info_states), unsaid, unsaid)
    with _asked(agent, "judged"):
        answers, values, advantages = map(np.asarray, agent.evaluate_actions(observations, masks.copy(), info_states))
    chosen, legal = _legal(agent, answers, masks), masks != 0
    for what, numbers in (("values", values), ("advantages", advantages)):
        if numbers.shape != masks.shape or numbers.dtype.kind not in "fiu":
            wrong = f"an array of {numbers.dtype} with shape {numbers.shape} instead of numbers with shape {masks.shape}"
            raise AnswerError(f"{_called(agent)} gave {what} that are {wrong}")
        said = numbers[legal].astype(np.float64)
        if (bad := said[~(np.abs(said) <= _MOST_VALUE) & ~((what == "advantages") & np.isnan(said))]).size:
            raise AnswerError(f"{_called(agent)} gave {bad[0]:g} among the {what} of legal answers, which no answer can have")
    return ActionValues(chosen, values.astype(np.float64), advantages.astype(np.float64))


def reset(agent: Agent, seed: int) -> None:
    """Let the agent begin anew. Raises AnswerError, whatever it does instead."""
    with _asked(agent, "was reset"):
        agent.reset(seed)


def beliefs_of(belief_model: BeliefModel, observations: Array, info_states: InfoStates, name: str | None = None) -> Array:
    """[B, 8, NUM_ROLES] float64: what the belief model says, which are probabilities. Raises AnswerError, whatever it does instead.

    `name` is what it is called there; by default its own.
    """
    who = _called(belief_model, name)
    with _asked(belief_model, "was asked for its belief", name):
        beliefs: Array = np.asarray(belief_model.posterior(observations, info_states), np.float64)
    spec = spec_of(info_states.config)
    shape = (len(info_states), spec.most_seats, spec.num_labels)
    if beliefs.shape != shape:
        raise AnswerError(f"{who} must state its belief as numbers of shape {shape}, not {beliefs.shape}")
    there = beliefs[:, : info_states.config.num_players]
    if not (np.isfinite(there).all() and (there >= -_SUM).all() and (np.abs(there.sum(-1) - 1) <= _SUM).all()):
        raise AnswerError(f"{who} states a belief that is no probability: for each seat at the table the roles must sum to 1")
    return beliefs


def probabilities_of(policy: Policy, observations: Array, masks: Array, info_states: InfoStates) -> Array:
    """[B, N] float64: how likely the policy is to give each answer: in each row they sum to 1 over the legal answers, up to rounding.

    Raises AnswerError, whatever it does instead.
    """
    with _asked(policy, "was asked for its probabilities"):
        probabilities: Array = np.asarray(policy.probabilities(observations, masks.copy(), info_states), np.float64)
    if probabilities.shape != masks.shape or not ((probabilities >= 0) & (probabilities <= 1 + _SUM)).all():
        raise AnswerError(f"{_called(policy)} must state its probabilities as numbers from 0 to 1 of shape {masks.shape}")
    if (np.abs(probabilities.sum(1) - 1) > _ROUNDING).any() or (probabilities[masks == 0] > _ROUNDING).any():
        raise AnswerError(f"{_called(policy)} must state probabilities that sum to 1 over the legal answers to each question")
    return probabilities


def _asked(agent: object, doing: str, name: str | None = None) -> UserCode:
    """Whatever a person's own class raises is an AnswerError."""
    return UserCode(lambda error: AnswerError(f"{_called(agent, name)} failed while it {doing}: {words_of(error)}"))


def _called(agent: object, name: str | None = None) -> str:
    """How sentences name it."""
    said = name or getattr(agent, "name", type(agent).__name__)
    return f"the agent {said!r}" if isinstance(said, str) else f"the agent {shown(said)}"


def _legal(agent: Agent, answers: Array, masks: Array) -> Array:
    """[B] int64: what should be a legal answer for each row. Raises AnswerError where it is something else."""
    if answers.shape != (len(masks),) or answers.dtype.kind not in "iu":
        what = f"an array of {answers.dtype} with shape {answers.shape} instead of {len(masks)} whole numbers"
        raise AnswerError(f"{_called(agent)} gave {what}")
    inside = (answers >= 0) & (answers < masks.shape[1])
    if not inside.all() or not masks[np.arange(len(masks)), answers].all():
        raise AnswerError(f"{_called(agent)} gave an answer that is not legal")
    chosen: Array = answers.astype(np.int64)
    return chosen


def answer(agent: Agent, game: Game) -> int:
    """The agent's answer to the pending question of one game. Raises ValueError when nobody is asked, AnswerError when it has none."""
    seat = game.asking
    if seat is None:
        raise ValueError("the game is over, nobody is asked")
    info_states = InfoStates(game.records, np.array([seat]), game.config)
    return int(answers_of(agent, game.observe(seat)[np.newaxis], game.action_mask()[np.newaxis], info_states)[0])


def play_out(game: Game, agents: Sequence[Agent]) -> Game:
    """Play a game to its end with one agent per seat, in place, and return it. Raises ValueError on a wrong number of agents."""
    if len(agents) != game.config.num_players:
        raise ValueError(f"{len(agents)} agents for {game.config.num_players} seats")
    while (seat := game.asking) is not None:
        game.act(answer(agents[seat], game))
    return game
