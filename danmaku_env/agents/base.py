"""The protocol that every agent follows, for one game and for batches alike.

An agent answers for the seat that is asked, one row per game. It gets what that seat may know: the observation row (docs/observation.md)
and the mask of the legal answers (docs/actions.md). Agents that need more, such as the public log or sampled hidden states, ask the
information states, which know nothing that the seat may not know.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol, overload, runtime_checkable

import numpy as np
import numpy.typing as npt

from danmaku_env import Game, GameConfig
from danmaku_env.agents.user_code import UserCode, words_of
from danmaku_env.arguments import for_kernels, shown
from danmaku_env.console.errors import UserError
from danmaku_env.engine import batch, queries
from danmaku_env.engine import state as st
from danmaku_env.envs.vector import VectorEnv
from danmaku_env.game import RoleAssignments, histories, public_log, resample, resample_many, role_assignments
from danmaku_env.render.prose import happened, prose
from danmaku_env.render.table_view import TableView, table_view
from danmaku_env.spec import spec_of
from danmaku_env.wording import Log

Array = npt.NDArray[Any]
OPEN_FIELDS = (
    "num_players", "config", "current", "active", "life", "hand_size", "item_counts", "character", "second_character",
    "incidents", "incident_size",
)  # fmt: skip
"""Fields of a record that everybody at the table can see."""
RECENT = 64
"""Events that are told with a question, where nobody asks for another number."""
_SUM = 1e-6
"""By how much the probabilities that are believed of a seat may miss 1."""
_MOST_VALUE = 1e5
"""Lives, or rewards: a larger number is a slip, such as a mark for an action to avoid."""


class InfoState:
    """What a seat, as a rule the one that is asked, may know of one game, beyond the observation row."""

    def __init__(self, game: Game, seat: int) -> None:
        """What `seat` knows of a game that goes on elsewhere; make a new information state for every decision."""
        self._game = game
        self.seat = seat
        """The seat whose information it is."""

    @property
    def config(self) -> GameConfig:
        """How the game was set up; everybody at the table knows it."""
        return self._game.config

    @property
    def question(self) -> str:
        """What the seat is asked; "none" where another one is, for what that one is asked tells what is in its hand."""
        return self._game.question if self._game.asking == self.seat else self._game.spec.questions[0]

    @property
    def log(self) -> Log:
        """What happened so far as the seat knows it, one line per event; it holds nothing that other seats know."""
        return self._game.log.of(self.seat).sealed()

    def recent(self, events: int = RECENT) -> list[str]:
        """The lines of the log about this many last events."""
        return list(self.log.since(int(self._game.record["log_count"]) - events))

    def since(self) -> list[str]:
        """The lines of the log since the seat last did something, its own action first: at most 64."""
        return happened(self._game, self.seat)

    def describe(self) -> str:
        """What the seat sees in prose, as `Game.describe` tells it, for language models."""
        return prose(self.table_view(), self.since())

    def table_view(self) -> TableView:
        """What the seat sees, in ids and words: the table, the question, and each legal answer."""
        return table_view(self._game, self.seat)

    def name(self, action: int) -> str:
        """The name of an answer, with absolute seats."""
        return self._game.spec.action_name(action, self.seat, self.config.num_players)

    def history(self, events: int) -> Array:
        """[events, 8] uint8: the last events, the newest first, laid out as the `history` field of an observation."""
        row: Array = histories(self._game.records, np.array([self.seat]), events)[0]
        return row

    def role_assignments(self) -> RoleAssignments:
        """Every deal of the roles that fits what the seat knows, with its prior probability; the seats as they are at the table.

        (`InfoStates.role_assignments` counts them from the seat that looks, as observations do.)
        """
        return role_assignments(self._game, self.seat)

    def resample(self, seed: int, roles: Array | None = None) -> Game:
        """A whole game in which everything the seat has not seen is dealt anew: what search agents may try answers on.

        `roles` [players] numbers, as in `role_assignments`, sets the roles instead of dealing them.
        """
        return resample(self._game, self.seat, seed, roles=roles)

    def worlds(self, count: int, seed: int, roles: Array | None = None) -> Array:
        """[count] records, each another world as from `resample`; `roles` [count, players] sets the roles of each."""
        return resample_many(self._game, self.seat, count, seed, roles=roles)


class _Kept(dict[Any, RoleAssignments]):
    """Deals worked out before, up to MOST of them in all (a deal takes 16 bytes); the oldest make room."""

    MOST = 5_000_000

    def __init__(self) -> None:
        super().__init__()
        self.deals = 0

    def keep(self, key: Any, found: RoleAssignments) -> None:
        while self and self.deals + len(found.weights) > self.MOST:
            self.deals -= len(self.pop(next(iter(self))).weights)
        self[key] = found
        self.deals += len(found.weights)


_KEPT = _Kept()


class InfoStates(Sequence[InfoState]):
    """The information states of a batch, one per row; what a whole batch needs of the log comes in one call."""

    def __init__(self, games: Array, seats: Array, config: GameConfig) -> None:
        """[B] records of one configuration and the [B] seats asked. The records must not change while the information states are used."""
        self._games = for_kernels(games)
        self.seats: Array = for_kernels(seats, np.int64)
        """[B] the seats asked."""
        self.config = config
        """How the games were set up."""

    @classmethod
    def of(cls, vec: VectorEnv, rows: Array) -> InfoStates:
        """The seats that are asked in some games of a batch, with copies of these: they can neither be changed nor seen to change."""
        return cls(vec.records(rows), vec.seats[rows], vec.config)

    def __len__(self) -> int:
        return len(self._games)

    @overload
    def __getitem__(self, row: int) -> InfoState: ...
    @overload
    def __getitem__(self, row: slice) -> InfoStates: ...
    def __getitem__(self, row: int | slice) -> InfoState | InfoStates:
        if isinstance(row, slice):
            return InfoStates(self._games[row], self.seats[row], self.config)
        place = range(len(self))[row]
        return InfoState(Game.from_trusted_record(self._games[place : place + 1].copy(), self.config), int(self.seats[place]))

    def role_assignments(self, row: int) -> RoleAssignments:
        """Every deal of the roles that fits what the seat of a row knows, the seats relative to it.

        It is kept for rows that know the same, so its arrays can only be read.
        """
        key = self.config, self._known[row].tobytes()
        kept = _KEPT.get(key)
        if kept is None:
            seat, players = int(self.seats[row]), self.config.num_players
            spec = spec_of(self.config)
            found = role_assignments(Game.from_trusted_record(self._games[row : row + 1].copy(), self.config), seat)
            roles = np.roll(found.roles, -seat, axis=1)
            # in the same order whoever asked first, or what is drawn from them would depend on games played before
            order = np.argsort(roles.astype(np.int64) @ (len(spec.ids[spec.label]) ** np.arange(players)), kind="stable")
            kept = RoleAssignments(np.ascontiguousarray(roles[order]), found.weights[order])
            for shared in kept:  # with everybody who asks: what one wrote there, all others would believe
                shared.setflags(write=False)
            _KEPT.keep(key, kept)
        return kept

    @functools.cached_property
    def _known(self) -> Array:
        """[B, 1 + 4 players] int64: all that the deals that fit depend on, the seats relative to that of each row."""
        games, rows, seats = self._games, np.arange(len(self))[:, np.newaxis], self.seats[:, np.newaxis]
        turned = (np.arange(self.config.num_players) + seats) % self.config.num_players
        seen = games["role_seen"][rows, turned] >> seats & 1
        known = np.where(seen, games["role"][rows, turned].astype(np.int64), -1)
        begun = games["turn_step"][:, np.newaxis] != st.STEP_SETUP
        judged = np.empty(len(self), np.int64)
        batch.seats_at_last_check(games, judged)
        active, judged = (seats_of[:, np.newaxis] >> turned & 1 for seats_of in (games["active"].astype(np.int64), judged))
        return np.concatenate([begun, active, judged, known, games["ruled_out"][rows, turned]], axis=1, dtype=np.int64)

    def open_roles(self, row: int) -> Array:
        """[8] int64: the roles that everybody knows, by seat; 0 = hidden, or none."""
        game = self._games[row]
        return np.where(game["role_seen"] == st.EVERYBODY, game["role"], 0).astype(np.int64)

    def masks(self) -> Array:
        """[B, NUM_ACTIONS] uint8: the legal answers, in rows whose seat is the one that is asked; none in others."""
        spec = spec_of(self.config)
        masks: Array = np.zeros((len(self), spec.num_actions), np.uint8)
        spec.entries.mask_rows(self._games, masks)
        masks[self._games["asking"] != self.seats] = 0
        return masks

    def histories(self, events: int) -> Array:
        """[B, events, 8] uint8: the last events of each game as its seat knows them, the newest first."""
        return histories(self._games, self.seats, events)

    def public_log(self, row: int) -> Array:
        """[k, 8] uint8: the log of the game of a row as everybody sees it, the oldest event first, the seats as they are, plus one."""
        return public_log(self._games, row)

    def board(self, row: int) -> Array:
        """The record of a row, shape (1,), with nothing in it but what lies open: what OPEN_FIELDS say, and the open roles.

        Characters are in it once everybody has chosen one.
        """
        game, found = self._games[row], np.zeros(1, st.STATE)
        for field in OPEN_FIELDS:
            found[field] = game[field]
        if not queries.is_revealed(game):
            found["character"] = found["second_character"] = 0
        found["role"] = self.open_roles(row)
        return found


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
    shape = (len(info_states), spec.most_seats, len(spec.ids[spec.label]))
    if beliefs.shape != shape:
        raise AnswerError(f"{who} must state its belief as numbers of shape {shape}, not {beliefs.shape}")
    there = beliefs[:, : info_states.config.num_players]
    if not (np.isfinite(there).all() and (there >= -_SUM).all() and (np.abs(there.sum(-1) - 1) <= _SUM).all()):
        raise AnswerError(f"{who} states a belief that is no probability: for each seat at the table the roles must sum to 1")
    return beliefs


def probabilities_of(policy: Policy, observations: Array, masks: Array, info_states: InfoStates) -> Array:
    """[B, N] float64: how likely the policy is to give each answer. Raises AnswerError, whatever it does instead."""
    with _asked(policy, "was asked for its probabilities"):
        chances: Array = np.asarray(policy.probabilities(observations, masks.copy(), info_states), np.float64)
    if chances.shape != masks.shape or not ((chances >= 0) & (chances <= 1 + _SUM)).all():
        raise AnswerError(f"{_called(policy)} must state its probabilities as numbers from 0 to 1 of shape {masks.shape}")
    return chances


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
