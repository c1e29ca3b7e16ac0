"""One table: a game, who sits where, and what each person may do at which moment. No network here.

Whoever holds the secret of a seat is its person. Questions are numbered for each person separately: how many questions others were asked
is nobody's business. Everything that cannot be is `Refused` and changes nothing.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from danmaku_env.agents.base import Agent, AnswerError, answer
from danmaku_env.agents.registry import make
from danmaku_env.agents.seating import seat_seed, strongest_quick
from danmaku_env.config import GameConfig
from danmaku_env.decoding import decode
from danmaku_env.game import Game
from danmaku_env.play.browser.http_errors import malformed, not_now
from danmaku_env.play.browser.pace import Pace
from danmaku_env.play.browser.together import Round, asked_together, is_window, later_questions
from danmaku_env.play.browser.waits import Waits
from danmaku_env.play.game_in_play import PERSON, GameInPlay
from danmaku_env.play.screen import events
from danmaku_env.render.answers import keyed
from danmaku_env.render.asking import question

SECRET_BYTES = 24
"""192 bits: nobody guesses one."""
GONE_FOR = 20.0
"""Seconds after which the seat of somebody who is not there may be given to an agent."""
PASSES = {"turn": "until your turn", "attacked": "until you are attacked", "me": "until something is done to you"}
"""For how long a person may pass at once: word -> in words."""
PHRASES = ("Hello!", "Well played.", "Thank you.", "Trust me.", "I am on your side.", "I doubt that.", "One moment, please.", "Good game!")
"""What can be said at a table."""
MOST_LETTERS = 20
"""Of a name."""
MISSES = 2
"""Questions in a row that the clock answers before an agent plays the seat."""
_TALK = 4
"""Phrases that a page shows."""


_QUICK = 0.1
"""An answer that takes less than this share of a tick is quick: those of a whole table fit into one."""


def is_name(words: str) -> bool:
    """Whether a person can be called so."""
    return 1 <= len(words) <= MOST_LETTERS and words.isprintable()


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
    guided: bool = False
    """Whether a coach says what to do (guided.py)."""
    specs: tuple[str, ...] = ()
    """What the agents are made by, where that is not what they are called: a command is nobody's business at the table."""

    def spec(self, seat: int) -> str:
        """What the agent of a seat is made by."""
        return self.specs[seat] if self.specs else self.seats[seat]


@dataclass
class Ahead:
    """A question that a person is put before the engine asks them, as it asks others first."""

    around: Round
    """The round that it belongs to."""
    game: Game
    """The game where they would be asked."""
    given: int | None = None
    """Their answer, which waits."""


class Forced(NamedTuple):
    """An answer that is given for a person, or that they have given ahead."""

    seat: int
    answer: int
    decisions: int
    """Answers of the game before it."""


@dataclass
class SeatedPerson:
    """A person and their seat at the table."""

    seat: int
    secret: str = field(default_factory=new_secret)
    drawn: bool = False
    """Whether the person drew the secret by the joining link, so that nobody else has it."""
    came: bool = False
    """Whether a page was ever open: the seat is theirs from then on, also while its page is away for a moment."""
    pages: int = 0
    """Open pages."""
    left: float = 0.0
    """When the last page was closed, or the seat was drawn."""
    question: int = 0
    """The number of the last question put to this person."""
    ahead: Ahead | None = None
    """A question that was put ahead, until the engine asks it."""
    dropped: int = -1
    """The number of the last question that was put ahead and is no longer asked."""
    asked_at: float = 0.0
    """When the last question was put, and all before it shown."""
    ends_at: float = 0.0
    """When its clock runs out, in seconds of the calendar."""
    read: int = 0
    """Events of the log that were there when the person last answered."""
    believes: bool = False
    """Whether the belief panel is open."""
    notice: str = ""
    """A sentence for this person alone."""
    name: str = ""
    """What the person calls themselves."""
    missed: int = 0
    """Questions in a row that the clock has answered."""
    passes: str = ""
    """For how long the person passes: a word of PASSES, or ""."""
    keys: dict[str, str] = field(default_factory=dict)
    """Name of an answer -> its key in this turn."""
    turn: int = 0
    """The turn that the keys are of."""


class ServedTable:
    """A game that people and agents play."""

    def __init__(
        self, setting: Setting, *, now: Callable[[], float] = time.monotonic, game: Game | None = None, pace: Pace | None = None
    ) -> None:  # fmt: skip
        """Lay the table, for a game that is under way where one is given. Raises AgentError for an agent that cannot be made."""
        seed = secrets.randbelow(1 << 62) if setting.seed is None else setting.seed
        self.setting = setting
        self.host = new_secret()
        """The secret of whoever laid the table."""
        self.joining = new_secret()
        """The secret of the link by which people come: each draws a seat, and a secret of their own."""
        self.watching = new_secret()
        """The secret of the link by which people look on: they see what every seat may know."""
        self.following: dict[int, str] = {}
        """Once somebody has asked to play again: the secrets of the people at the next table, by seat; that to look on as OUTSIDE."""
        self.talk: list[tuple[int, int]] = []
        """Phrases said lately: seat and number of the phrase."""
        self.pace = pace or Pace()
        self._now = now
        happened = 0 if game is None else events(game)
        game = game or Game.new(setting.config, seed)
        self._seed = int(game.record["seed"])
        names = {seat: name for seat, name in enumerate(setting.seats) if name != PERSON}
        agents = {seat: make(setting.spec(seat), seat_seed(self._seed, seat, int(game.record["decisions"]))) for seat in names}
        self.in_play = GameInPlay(game, agents, practice=setting.practice, names=names)
        people = [seat for seat, name in enumerate(setting.seats) if name == PERSON]
        self.people = {seat: SeatedPerson(seat, left=now()) for seat in people}
        self.shown = self.game.clone()
        """The game as pages show it: where it stood when a person was last waited for. Agents answer in another thread."""
        self.kept = self.shown
        """The game as it is kept: with a person's answer, without those of the agents that have not come to a question yet."""
        self.pending: int | None = None
        """The seat of the person who is asked."""
        self.forced: Forced | None = None
        """The answer of a person who has no choice, passes for a while, or has answered ahead: it is given for them."""
        self._waits = Waits(self.pace, now, happened)
        self.replay: Path | None = None
        """The file of the finished game; None while it goes on, and where it could not be saved."""
        self.trouble = ""
        """What the server's own terminal is told of an agent that failed: it may name a command."""

    @property
    def game(self) -> Game:
        """The game where it stands."""
        return self.in_play.game

    def is_played_by_agent(self, seat: int) -> bool:
        """Whether an agent plays a person's seat."""
        return seat in self.in_play.agents

    # ---- the game goes on

    def asked_agent(self) -> Agent | None:
        """The agent that is asked, None where a person is asked or the game is over."""
        return None if self.game.asking is None else self.in_play.agents.get(self.game.asking)

    def agent_answers(self, action: int, seconds: float) -> None:
        """The answer of the agent that is asked, which took `seconds`."""
        self.in_play.agent_answers(action, seconds)

    @property
    def is_slow(self) -> bool:
        """Whether agents here think: the table is then seen to change by one event at a time, however long each took."""
        return bool(self.pace.tick) and self.in_play.is_slow(self.pace.tick * _QUICK)

    @property
    def tick(self) -> float:
        """Seconds: the table is seen to change only whole multiples of this after an answer."""
        return self.pace.slow_tick if self.is_slow else self.pace.tick

    def agents_answer(self, seconds: float, each: float = float("inf")) -> bool:
        """Let agents answer for `seconds`; whether a person is asked now, or the game is over. May run in another thread; then `settle`."""
        while True:
            try:
                return self.in_play.agents_answer(seconds, each, one_event=self.is_slow)
            except AnswerError as error:
                self._replace(error)

    def _replace(self, error: AnswerError) -> None:
        """The agent that is asked has failed: the strongest quick one plays its seat from now on, and the people hear of it."""
        seat = self.game.asking
        assert seat is not None
        self.trouble = str(error)
        failed = self.in_play.called(seat)
        self.in_play.hand_over(seat, self.helper(seat))
        for person in self.people.values():
            person.notice = f"The agent of seat {seat}, {failed}, has failed. Another agent plays seat {seat} from now on."

    def helper(self, seat: int, name: str | None = None) -> Agent:
        """Who plays a seat from now on in somebody's place: the strongest quick agent where none is named."""
        return make(name or strongest_quick(), seat_seed(self._seed, seat, int(self.game.record["decisions"])))

    def settle(self) -> None:
        """The agents have answered: put the question to the person who is asked now, and to those who come after them in the round."""
        asking, around = self.game.asking, asked_together(self.game)
        self._waits.happens(events(self.game))
        self._waits.opens(around or (int(self.game.record["decisions"]),))
        self._drop(around)
        self.forced = None if asking is None else self._answer_without_choice(asking, self.game)
        if self.forced is not None:
            asking = None
        elif asking is not None and self.pending != asking:
            self._put_question(self.people[asking], self.game)
        self.pending = asking
        if len(self.people) > 1 and around is not None:
            self._ask_ahead(around)
        self.reveal()

    def reveal(self) -> None:
        """Show the game as it stands."""
        self._waits.happens(events(self.game))
        self._drop(asked_together(self.game))
        self.shown = self.kept = self.game.clone()

    def _ask_ahead(self, around: Round) -> None:
        """Put their questions to the people who come later in the round, where they have a choice."""
        for seat, game in later_questions(self.game):
            person = self.people.get(seat)
            if person is None or self.is_played_by_agent(seat) or person.ahead is not None:
                continue
            if self._answer_without_choice(seat, game) is None:
                self._put_question(person, game)
                person.ahead = Ahead(around, game)

    def _drop(self, around: Round | None) -> None:
        """Take back the questions that were put ahead and will not be asked: somebody has reacted."""
        for person in self.people.values():
            if person.ahead is not None and person.ahead.around != around:
                person.ahead, person.dropped = None, person.question
                person.notice = "That is no longer asked: somebody has reacted before you."

    def _put_question(self, person: SeatedPerson, game: Game) -> None:
        """The question that is asked in a game, unless it was put ahead."""
        if person.ahead is not None:
            person.ahead = None
            return
        person.question += 1
        if person.turn != game.turn_number:
            person.turn = game.turn_number
            person.keys.clear()
        keyed(question(game).answers, person.keys)
        person.asked_at = self._waits.shown_at()
        person.ends_at = time.time() + (person.asked_at - self._now()) + (self.setting.clock or 0.0)

    def is_asked(self, person: SeatedPerson) -> bool:
        """Whether a question waits for the answer of this person: it is their turn to answer, or they may do so ahead."""
        return self.pending == person.seat or (person.ahead is not None and person.ahead.given is None)

    def seen_by(self, person: SeatedPerson) -> Game:
        """The game as a person's page shows it: where their question is asked."""
        return person.ahead.game if person.ahead is not None and person.ahead.given is None else self.shown

    def _answer_without_choice(self, seat: int, game: Game) -> Forced | None:
        """The answer of a person who has no choice in a game, passes for a while, or has answered ahead; else None."""
        legal, person, decisions = game.legal_actions(), self.people[seat], int(game.record["decisions"])
        if len(legal) == 1:
            return Forced(seat, legal[0], decisions)
        if person.ahead is not None and person.ahead.given is not None:
            return Forced(seat, person.ahead.given, decisions)
        if person.passes and self._is_awaited(person, game):
            person.passes = ""
        return Forced(seat, game.spec.pass_action, decisions) if person.passes and is_window(game) else None

    def _is_awaited(self, person: SeatedPerson, game: Game) -> bool:
        """Whether that has come until which a person passes: their turn, an attack on them, or anything that is done to them."""
        if (game.turn == person.seat and game.turn_number) or game.seat(person.seat).life == 0:
            return True
        seen = decode(game.observe(person.seat))
        pieces = {"attacked": ("attack_on",), "me": ("attack_on", "played_on", "played_second", "played_third")}.get(person.passes, ())
        return any(seen[piece][0] for piece in pieces)

    def wait_for_forced(self) -> float:
        """Seconds after which an answer without a choice is given: as long as people have taken lately for those with one."""
        if len(self.people) == 1 or self.forced is None or self.people[self.forced.seat].ahead is not None:
            return 0.0
        return self._waits.for_seat(self.forced.seat)

    def answer_forced(self) -> None:
        """Give the answer of the person who has no choice, or has answered ahead."""
        if self.forced is not None and self.game.asking == self.forced.seat:
            self.people[self.forced.seat].ahead = None
            self.in_play.answer_without_choice(self.forced.answer)
        self.forced = None

    def pass_for_a_while(self, person: SeatedPerson, until: str) -> None:
        """Pass from now on until that comes; "" ends it."""
        self._check_person_plays(person)
        person.passes = until
        if until and self.is_asked(person) and is_window(self.seen_by(person)):
            self._act(person, self.game.spec.pass_action)

    def called(self, seat: int) -> str:
        """What whoever plays a seat is called at the table."""
        if seat in self.people and not self.is_played_by_agent(seat):
            return self.people[seat].name or PERSON
        return self.in_play.called(seat)

    def rename(self, person: SeatedPerson, name: str) -> None:
        """Let a person be called something."""
        words = " ".join(name.split())
        if not is_name(words):
            raise malformed(f"A name has 1 to {MOST_LETTERS} letters.")
        if any(words.casefold() == self.called(seat).casefold() for seat in range(len(self.setting.seats)) if seat != person.seat):
            raise not_now(f"Somebody at this table is called {words} already.")
        person.name, person.notice = words, ""

    def say(self, person: SeatedPerson, number: int) -> None:
        """Say one of the phrases to the table."""
        if number >= len(PHRASES):
            raise malformed(f"There are {len(PHRASES)} phrases.")
        self.talk = [*self.talk, (person.seat, number)][-_TALK:]

    def draw_seat(self) -> tuple[SeatedPerson, str]:
        """The seat for somebody who comes by the joining link, with a new secret; and the old one, which opens nothing any more."""
        free = sorted((person for person in self.people.values() if self._is_free(person)), key=lambda person: person.drawn)
        if not free:
            raise not_now("All seats of this table are taken.")
        person, before = free[0], free[0].secret
        person.secret, person.drawn, person.left = new_secret(), True, self._now()
        return person, before

    def _is_free(self, person: SeatedPerson) -> bool:
        """Whether a seat can be drawn: nobody ever sat there, nor has anybody drawn it just now. A double click draws a second seat."""
        return not person.came and (not person.drawn or self.is_gone(person))

    def asked_for(self, person: SeatedPerson) -> float:
        """Seconds since a person's question was put, and all before it shown; below 0 while it is shown."""
        return self._now() - person.asked_at

    def answer(self, person: SeatedPerson, question: int, action: int) -> None:
        """A person's answer to the question of that number."""
        self._check_turn(person, question)
        game = self.seen_by(person)
        if action not in game.legal_actions():
            raise not_now(f"{game.illegal(action)}.")
        self._act(person, action)
        person.notice, person.missed = "", 0

    def _check_turn(self, person: SeatedPerson, question: int) -> None:
        if self.game.over:
            raise not_now("The game is over: nobody is asked any more.")
        self._check_person_plays(person)
        if question > person.question:
            raise not_now(f"You have not been asked question {question} yet.")
        if question == person.dropped:
            raise not_now("That is no longer asked: somebody has reacted before you.")
        if question < person.question or not self.is_asked(person):
            raise not_now("That question is answered already; the table has moved on.")

    def _check_person_plays(self, person: SeatedPerson) -> None:
        if self.is_played_by_agent(person.seat):
            raise not_now("An agent plays your seat now: take it back first.")

    def _act(self, person: SeatedPerson, action: int) -> None:
        read = person.read
        person.read = events(self.game)
        if is_window(self.seen_by(person)):
            self._waits.took(self.asked_for(person))
        if self.pending != person.seat:
            assert person.ahead is not None
            person.ahead.given = action
            return
        self.in_play.answer(action, read)
        self.pending = None
        self.kept = self.game.clone()

    def take_back(self, person: SeatedPerson) -> None:
        """In practice: undo the person's last answer."""
        if not self.setting.practice:
            raise not_now("Answers are taken back only at a practice table.")
        self._check_person_plays(person)
        if not self.in_play.can_take_back():
            raise not_now("There is nothing to take back: this is your first question.")
        person.read = self.in_play.take_back()
        person.notice = "Taken back."
        self.pending = self.replay = None
        self.reveal()

    def time_is_up(self, seat: int, question: int) -> None:
        """The clock answers for a person who is still asked that question; with what the strongest quick agent would do."""
        person = self.people[seat]
        if self.pending != seat or person.question != question or self.game.over:
            return
        helper = make(strongest_quick(), seat_seed(self._seed, seat, question))
        self._act(person, answer(helper, self.game))
        person.notice = "The time was up: an agent gave that answer for you."
        person.missed += 1
        if person.missed == MISSES:
            self.in_play.hand_over(seat, self.helper(seat))
            person.notice = f"The time was up {MISSES} times: an agent plays your seat until you take it back."

    # ---- coming and going

    def enter(self, person: SeatedPerson) -> None:
        """A page was opened."""
        person.came = True
        person.pages += 1

    def leave(self, person: SeatedPerson) -> None:
        """A page was closed."""
        person.pages -= 1
        person.left = self._now()

    def is_gone(self, person: SeatedPerson) -> bool:
        """Whether this person has had no page open for a while."""
        return person.pages == 0 and self._now() - person.left >= GONE_FOR

    def give_to_agent(self, seat: int, name: str | None = None) -> None:
        """Let an agent play the seat of somebody who is gone, from now on and until they take it back."""
        person = self.people.get(seat)
        if self.game.over:
            raise not_now("The game is over: nobody's seat is to be played any more.")
        if person is None or self.is_played_by_agent(seat):
            raise not_now(f"Nobody's seat is to be given away there: an agent plays seat {seat}.")
        if not self.is_gone(person):
            raise not_now(f"The person of seat {seat} is here, or was a moment ago: a seat is given away {GONE_FOR:.0f} seconds after.")
        self.in_play.hand_over(seat, self.helper(seat, name))
        self._moved_on(seat)

    def come_back(self, person: SeatedPerson) -> None:
        """The person plays the seat again."""
        if not self.is_played_by_agent(person.seat):
            raise not_now("The seat is yours: no agent plays it.")
        self.in_play.hand_over(person.seat, None)
        person.missed = 0
        self._moved_on(person.seat)

    def _moved_on(self, seat: int) -> None:
        self.people[seat].ahead = None
        if self.pending == seat:
            self.pending = None
        if self.forced is not None and self.forced.seat == seat:
            self.forced = None
