"""Games played side by side to their ends, with every decision and every event written to columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from danmaku_env import GameConfig
from danmaku_env.agents.base import Agent, answers_of, reset
from danmaku_env.arena.data.held_roles import dealt_roles, roles_before
from danmaku_env.arena.data.spec import DatasetPart
from danmaku_env.info_states import InfoStates
from danmaku_env.machine.records import NOBODY, Array
from danmaku_env.spec import spec_of


@dataclass
class Played:
    """What happened in the games of a part, in the order of the games. B games, D decisions, E events."""

    part: DatasetPart
    records: Array
    """[B] the games as they ended."""
    roles: Array
    """[B, players] the roles dealt."""
    decisions: dict[str, Array] = field(default_factory=dict)
    """[D] each: row (place of the game in the part), number, seat, role (of the seat then), question, step, turn, legal (how many
    answers were), action."""
    events: dict[str, Array] = field(default_factory=dict)
    """[E] each: row, number, decision (-1 = the set-up), `log` [E, 8], see `state.EVENT_COLUMN_DOC`, and `roles` [E, players], those that
    the seats had just before."""


class _Columns:
    """Columns that grow by pieces."""

    def __init__(self) -> None:
        self._pieces: list[dict[str, Array]] = []

    def add(self, **columns: Array) -> None:
        self._pieces.append(columns)

    def by_game(self) -> dict[str, Array]:
        """All pieces in one, game after game; within a game the order stays."""
        whole = {name: np.concatenate([piece[name] for piece in self._pieces]) for name in self._pieces[0]}
        order = np.argsort(whole["row"], kind="stable")
        return {name: column[order] for name, column in whole.items()}


class _Table:
    """The games of a part, as they are played."""

    def __init__(self, part: DatasetPart, config: GameConfig) -> None:
        self.config, self._spec = config, spec_of(config)
        self.games: Array = self._spec.room_for(len(part.seeds))
        self._raw = self._spec.as_bytes(self.games)
        self._entries = self._spec.entries
        self._tables = self._entries.tables()
        self._settings = config.settings()
        self._status: Array = np.zeros(len(self.games), np.int8)
        self._masks: Array = np.zeros((len(self.games), self._spec.num_actions), np.uint8)
        self._observations: Array = np.zeros((len(self.games), config.observation_size), np.uint8)
        self._drive(np.array(part.seeds, np.int64), self._entries.start)

    def _drive(self, inputs: Array, mode: int) -> None:
        self._entries.drive(self._tables, self._settings, self.games, self._raw, inputs, self._status, mode)

    def look(self) -> tuple[Array, Array]:
        """Observation and mask of whoever is asked, a row for each game; those of games that are over mean nothing."""
        self._entries.observe_rows(self._tables, self.games, np.maximum(self.games["asking"], 0).astype(np.int64), self._observations)
        self._entries.mask_rows(self.games, self._masks)
        return self._observations, self._masks

    def info_states(self, rows: Array) -> InfoStates:
        """What the seats asked in these rows may know besides."""
        records = self._raw[rows].view(self._spec.record).reshape(-1)
        return InfoStates(records, self.games["asking"][rows].astype(np.int64), self.config)

    def answer(self, actions: Array) -> None:
        """Answer in every game that is not over."""
        self._drive(actions, self._entries.answer)


def play(part: DatasetPart, agents: Sequence[Agent], config: GameConfig) -> Played:
    """Play the games of a part. Raises UserError when an agent fails: what it did before belongs to no table."""
    for agent, seed in zip(agents, part.agent_seeds, strict=True):
        reset(agent, seed)
    table = _Table(part, config)
    games = table.games
    roles = games["role"][:, : config.num_players].copy()
    asked_before, logged = np.zeros(len(games), np.int64), np.zeros(len(games), np.int64)
    decisions, events = _Columns(), _Columns()
    _note_events(events, games, logged, asked_before)
    while len(rows := np.flatnonzero(games["asking"] != NOBODY)):
        observations, masks = table.look()
        seats = games["asking"][rows].astype(np.int64)
        turns = (seats + part.first + rows) % len(agents)
        actions: Array = np.zeros(len(games), np.int64)
        for number, agent in enumerate(agents):
            mine = rows[turns == number]
            if len(mine):
                actions[mine] = answers_of(agent, observations[mine], masks[mine], table.info_states(mine))
        decisions.add(
            row=rows, number=asked_before[rows], seat=seats, role=games["role"][rows, seats], question=games["question"][rows],
            step=games["turn_step"][rows], turn=games["turn_number"][rows], legal=masks[rows].sum(axis=1, dtype=np.int64),
            action=actions[rows],
        )  # fmt: skip
        table.answer(actions)
        asked_before[rows] += 1
        _note_events(events, games, logged, asked_before)
    told = events.by_game()
    dealt = dealt_roles(told["row"], told["log"], told["decision"], roles)
    return Played(part, games, dealt, decisions.by_game(), told | {"roles": roles_before(told["row"], told["log"], dealt)})


def _note_events(events: _Columns, games: Array, logged: Array, decisions: Array) -> None:
    """Note what the logs have more than `logged` of each game, which is brought up to date."""
    counts = games["log_count"].astype(np.int64)
    new = counts - logged
    rows = np.repeat(np.arange(len(games)), new)
    numbers = np.arange(len(rows)) - np.repeat(np.cumsum(new) - new - logged, new)
    events.add(row=rows, number=numbers, decision=decisions[rows] - 1, log=games["log"][rows, numbers % games["log"].shape[1]])
    logged[:] = counts
