"""One game with people in some seats and agents in the others, without a screen: what the terminal and the browser play on."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Mapping
from dataclasses import replace

from danmaku_env.agents.base import Agent, answer, reset
from danmaku_env.agents.seating import seat_seed
from danmaku_env.envs.learners import close_all
from danmaku_env.game import Game

PERSON = "person"
"""What people are called in replays."""


_LATELY, _OFTEN = 20, 3
"""Answers by which it is told whether agents are slow, and how many of them have to be: one may have been held up by something else."""


class GameInPlay:
    """A game that is played, and who plays it."""

    def __init__(self, game: Game, agents: Mapping[int, Agent], *, practice: bool = False, names: Mapping[int, str] | None = None) -> None:
        """Seats without an agent are people's. In practice answers may be taken back. `names` are what agents are called, if not theirs."""
        self.game = game
        self.agents = dict(agents)
        self.practice = practice
        self._names = dict(names or {})
        self.past: list[tuple[int, int]] = []
        """In practice, of each question to a person: the answers of the game before theirs, and what they had read."""
        self._seconds: deque[float] = deque(maxlen=_LATELY)  # how long agents took for answers lately
        self._is_slow = False
        self._fresh: set[int] = set()  # seats whose agents have been asked since a person answered or took back
        self._name()

    def agents_answer(self, seconds: float = float("inf"), each: float = float("inf"), *, one_event: bool = False) -> bool:
        """Let agents answer until a person is asked or the game is over.

        False when that takes longer than `seconds`, or, for `one_event`, once something has happened: to be called again. An agent that can
        be told thinks no longer than `each`.
        """
        end, logged = time.monotonic() + seconds, int(self.game.record["log_count"])
        while self.game.asking in self.agents:
            if time.monotonic() > end or (one_event and int(self.game.record["log_count"]) > logged):
                return False
            self._agent_answers(self.game.asking, each)
        return True

    def is_slow(self, seconds: float) -> bool:
        """Whether agents here have taken longer than that for an answer, more than once by chance; from then on they are slow."""
        if not self._is_slow and len(self._seconds) >= _OFTEN:
            self._is_slow = sorted(self._seconds)[-_OFTEN] > seconds
        return self._is_slow

    def agent_answers(self, action: int, seconds: float) -> None:
        """The answer of the agent that is asked, given by somebody who asked it, and how long it took."""
        self._seconds.append(seconds)
        self.game.act(action)

    def agents_play_a_turn(self) -> None:
        """Let agents answer until the next turn begins, a person is asked or the game is over."""
        turn = self.game.turn_number
        while self.game.asking in self.agents and self.game.turn_number == turn:
            self._agent_answers(self.game.asking)

    def answer(self, action: int | str, read: int = 0) -> None:
        """A person's answer; `read` events of the log had been read. Raises IllegalAction, changing nothing."""
        given = len(self.game.replay().answers) if self.practice else 0
        self.game.act(action)
        self._fresh.clear()
        if self.practice:
            self.past.append((given, read))

    def answer_without_choice(self, action: int) -> None:
        """Give an answer for a person who need not be asked; it cannot be taken back."""
        self.game.act(action)
        self._fresh.clear()

    def can_take_back(self) -> bool:
        """Whether there is an answer to take back."""
        return bool(self.past)

    def take_back(self) -> int:
        """Go back to where the last answer was given; returns what had been read there. Raises IndexError when there is none."""
        given, read = self.past.pop()
        replay = self.game.replay()
        self.game = replace(replay, answers=replay.answers[:given]).play()
        self._fresh.clear()
        self._name()
        return read

    def hand_over(self, seat: int, agent: Agent | None) -> None:
        """Let an agent play a seat from now on, or a person (None)."""
        self._names.pop(seat, None)
        if agent is None:
            self.agents.pop(seat, None)
        else:
            self.agents[seat] = agent
        self._name()

    def rest(self) -> None:
        """Nobody is asked for a while: agents that hold processes let them go, and begin anew when they are asked again."""
        close_all(self.agents.values())

    def _name(self) -> None:
        seats = range(self.game.config.num_players)
        self.game.agents = tuple(self.called(seat) for seat in seats)

    def called(self, seat: int) -> str:
        """What whoever plays a seat is called."""
        return self._names.get(seat) or self.agents[seat].name if seat in self.agents else PERSON

    def _agent_answers(self, seat: int, limit: float = float("inf")) -> None:
        """In practice what was taken back must not be remembered, and the same answer must lead to the same game again."""
        if self.practice and seat not in self._fresh:
            self._fresh.add(seat)
            reset(self.agents[seat], seat_seed(int(self.game.record["seed"]), seat, int(self.game.record["decisions"])))
        agent, begun = self.agents[seat], time.monotonic()
        if hasattr(agent, "time_limit"):
            agent.time_limit = limit
        action = answer(agent, self.game)
        self.agent_answers(action, time.monotonic() - begun)
