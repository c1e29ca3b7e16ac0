"""One table: a game, who sits where, and what each person may do at which moment. No network here.

A person is who holds the secret of a chair. Questions are numbered for each chair by itself: how many questions others were asked is
nobody's business. Everything that cannot be is `Refused` and changes nothing.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from danmaku_env.agents.base import Agent, AnswerError, answer
from danmaku_env.agents.registry import make
from danmaku_env.agents.seating import seat_seed, strongest_quick
from danmaku_env.config import GameConfig
from danmaku_env.game import Game
from danmaku_env.play.browser.refusal import not_now
from danmaku_env.play.party import PERSON, Party
from danmaku_env.play.screen import events

SECRET_BYTES = 24
"""192 bits: nobody guesses one."""
GONE_FOR = 20.0
"""Seconds after which the seat of somebody who is not there may be given to an agent."""


def new_secret() -> str:
    """A word for a link that nobody can guess."""
    return secrets.token_urlsafe(SECRET_BYTES)


@dataclass(frozen=True)
class Setting:
    """How a table is laid."""

    config: GameConfig
    seats: tuple[str, ...]
    """PERSON, or what the agent is called at the table."""
    practice: bool = False
    clock: float | None = None
    """Seconds for an answer; then an agent gives it."""
    seed: int | None = None
    specs: tuple[str, ...] = ()
    """What the agents are made by, where that is not what they are called: a command is nobody's business at the table."""

    def spec(self, seat: int) -> str:
        """What the agent of a seat is made by."""
        return self.specs[seat] if self.specs else self.seats[seat]


@dataclass
class Chair:
    """A person's place at the table."""

    seat: int
    secret: str = field(default_factory=new_secret)
    pages: int = 0
    """Open pages."""
    left: float = 0.0
    """When the last page was closed."""
    question: int = 0
    """The number of the last question put to this chair."""
    read: int = 0
    """Events of the log that were there when the person last answered."""
    believes: bool = False
    """Whether the belief panel is open."""
    notice: str = ""
    """A sentence for this person alone."""


class Table:
    """A game that people and agents play."""

    def __init__(self, setting: Setting, *, now: Callable[[], float] = time.monotonic, game: Game | None = None) -> None:
        """Lay the table, for a game that is under way where one is given. Raises AgentError for an agent that cannot be made."""
        seed = secrets.randbelow(1 << 62) if setting.seed is None else setting.seed
        self.setting = setting
        self.host = new_secret()
        """The secret of who laid the table."""
        self._now = now
        game = game or Game.new(setting.config, seed)
        self._seed = int(game.record["seed"])
        names = {seat: name for seat, name in enumerate(setting.seats) if name != PERSON}
        agents = {seat: make(setting.spec(seat), seat_seed(self._seed, seat, int(game.record["decisions"]))) for seat in names}
        self.party = Party(game, agents, practice=setting.practice, names=names)
        people = [seat for seat, name in enumerate(setting.seats) if name == PERSON]
        self.chairs = {seat: Chair(seat, left=now()) for seat in people}
        self.shown = self.game.clone()
        """The game as pages show it: where it stood when agents last waited for a person. They answer in another thread."""
        self.pending: int | None = None
        """The seat of the person who is asked."""
        self.asked_at = 0.0
        self.replay: Path | None = None
        """The file of the finished game; None while it goes on, and where it could not be saved."""
        self.trouble = ""
        """What the server's own terminal is told of an agent that failed: it may name a command."""

    @property
    def game(self) -> Game:
        """The game where it stands."""
        return self.party.game

    def is_played_by_agent(self, seat: int) -> bool:
        """Whether an agent sits in a person's chair."""
        return seat in self.party.agents

    # ---- the game goes on

    def agents_answer(self, seconds: float) -> bool:
        """Let agents answer for so long; whether a person is asked now, or the game is over. May run in another thread; then `settle`."""
        while True:
            try:
                return self.party.agents_answer(seconds)
            except AnswerError as error:
                self._replace(error)

    def _replace(self, error: AnswerError) -> None:
        """The agent that is asked has failed: the strongest quick one plays its seat from now on, and the people hear of it."""
        seat = self.game.asking
        assert seat is not None
        self.trouble = str(error)
        failed = self.party.called(seat)
        self.party.hand_over(seat, self.helper(seat))
        for chair in self.chairs.values():
            chair.notice = f"The agent of seat {seat}, {failed}, has failed. Another agent plays seat {seat} from now on."

    def helper(self, seat: int, name: str | None = None) -> Agent:
        """Who plays a seat from now on in somebody's place: the strongest quick agent where none is named."""
        return make(name or strongest_quick(), seat_seed(self._seed, seat, int(self.game.record["decisions"])))

    def settle(self) -> None:
        """The agents have answered: put the question to the person who is asked now."""
        asking = self.game.asking
        if asking is not None and self.pending != asking:
            self._put_question(asking)
        self.pending = asking
        self.shown = self.game.clone()

    def _put_question(self, seat: int) -> None:
        self.chairs[seat].question += 1
        self.asked_at = self._now()

    def asked_for(self) -> float:
        """Seconds since the pending question was put."""
        return self._now() - self.asked_at

    def answer(self, chair: Chair, question: int, action: int) -> None:
        """A person's answer to the question of that number."""
        self._check_turn(chair, question)
        if action not in self.game.legal_actions():
            raise not_now(f"{self.game.illegal(action)}.")
        self._act(chair, action)
        chair.notice = ""

    def _check_turn(self, chair: Chair, question: int) -> None:
        if self.game.over:
            raise not_now("The game is over: nobody is asked any more.")
        self._check_person_plays(chair)
        if question > chair.question:
            raise not_now(f"You have not been asked question {question} yet.")
        if question < chair.question or self.pending != chair.seat:
            raise not_now("That question is answered already; the table has moved on.")

    def _check_person_plays(self, chair: Chair) -> None:
        if self.is_played_by_agent(chair.seat):
            raise not_now("An agent plays your seat now: take it back first.")

    def _act(self, chair: Chair, action: int) -> None:
        read = chair.read
        chair.read = events(self.game)
        self.party.answer(action, read)
        self.pending = None
        self.shown = self.game.clone()

    def take_back(self, chair: Chair) -> None:
        """In practice: undo the person's last answer."""
        if not self.setting.practice:
            raise not_now("Answers are taken back only at a practice table.")
        self._check_person_plays(chair)
        if not self.party.can_take_back():
            raise not_now("There is nothing to take back: this is your first question.")
        chair.read = self.party.take_back()
        chair.notice = "Taken back."
        self.pending = self.replay = None
        self.shown = self.game.clone()

    def time_is_up(self, seat: int, question: int) -> None:
        """The clock answers for a person who is still asked that question; with what the strongest quick agent would do."""
        chair = self.chairs[seat]
        if self.pending != seat or chair.question != question or self.game.over:
            return
        helper = make(strongest_quick(), seat_seed(self._seed, seat, question))
        self._act(chair, answer(helper, self.game))
        chair.notice = "The time was up: an agent gave that answer for you."

    # ---- coming and going

    def enter(self, chair: Chair) -> None:
        """A page was opened."""
        chair.pages += 1

    def leave(self, chair: Chair) -> None:
        """A page was closed."""
        chair.pages -= 1
        chair.left = self._now()

    def is_gone(self, chair: Chair) -> bool:
        """Whether nobody has had a page of this chair open for a while."""
        return chair.pages == 0 and self._now() - chair.left >= GONE_FOR

    def give_to_agent(self, seat: int, name: str | None = None) -> None:
        """Let an agent play the seat of somebody who is gone, from now on and until they take it back."""
        chair = self.chairs.get(seat)
        if self.game.over:
            raise not_now("The game is over: nobody's seat is to be played any more.")
        if chair is None or self.is_played_by_agent(seat):
            raise not_now(f"Nobody's seat is to be given away there: an agent plays seat {seat}.")
        if not self.is_gone(chair):
            raise not_now(f"The person of seat {seat} is here, or was a moment ago: a seat is given away {GONE_FOR:.0f} seconds after.")
        self.party.hand_over(seat, self.helper(seat, name))
        self._moved_on(seat)

    def come_back(self, chair: Chair) -> None:
        """The person plays the seat again."""
        if not self.is_played_by_agent(chair.seat):
            raise not_now("The seat is yours: no agent plays it.")
        self.party.hand_over(chair.seat, None)
        self._moved_on(chair.seat)

    def _moved_on(self, seat: int) -> None:
        if self.pending == seat:
            self.pending = None
