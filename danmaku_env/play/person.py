"""A person at the table: one seat played from the keyboard against agents in the others, seeing what that seat may see."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from danmaku_env.agents.base import Agent, BeliefModel
from danmaku_env.agents.by_faction import COLUMNS, deduced, prior
from danmaku_env.arguments import number_said
from danmaku_env.cards.encyclopedia import UnknownCard, pages
from danmaku_env.game import REPLAY_BEGINS, Game, check_writable
from danmaku_env.machine.records import Array
from danmaku_env.play.beliefs import percent
from danmaku_env.play.frame import ask, draw
from danmaku_env.play.game_in_play import GameInPlay
from danmaku_env.play.screen import NO_MORE_WORDS, QUIT, Leave, Screen, ending, events, happened
from danmaku_env.render.asking import (
    ANSWER_DOC,
    explanation,
    label,
    plain_words,
    price,
    subject,
)
from danmaku_env.wording import seat_name

HELP = (
    ("a number, or the answer's words", "give that answer"),
    ("?", "explain every answer"),
    ("? 2, ? graze", "explain answer 2, or any card, character, incident or role"),
    ("b, belief", "who may have which role, as far as your seat can tell"),
    ("t, table", "print the table and the question in full"),
    ("l, log", "everything that has happened, as your seat knows it"),
    ("u, undo", "take back your last answer (only with --practice)"),
    ("s, save FILE", "write the replay so far; without FILE where --replay says"),
    ("h, help", "this list"),
    ("q, quit", "leave the table"),
)
_SAVE = ("s", "save")
_UNDO = ("u", "undo")
_NO = ("n", "no")
_NOT_IN_PRACTICE = "Answers are taken back only in practice: start with --practice."


class TerminalGame:
    """One game of a person against agents, at a terminal."""

    def __init__(
        self, game: Game, seat: int, agents: Mapping[int, Agent], screen: Screen, *,
        practice: bool = False, belief_model: Agent | None = None, replay: Path | None = None,
    ) -> None:  # fmt: skip
        """The person plays `seat`, `agents` all others; `belief_model` tells in the belief view what it would think in that place."""
        self.in_play = GameInPlay(game, agents, practice=practice)
        self.seat = seat
        self.screen = screen
        self.belief_model = belief_model
        self.replay = replay
        self._told = 0  # events of the log the person has read
        self._shown = ""  # the table as the person saw it last
        self._hurries = False  # whether the person, defeated, wants to see the end at once
        self._commands: dict[str, Callable[[], None]] = {
            "b": self._belief, "belief": self._belief, "t": self._show_again, "table": self._show_again, "l": self._log, "log": self._log,
            "h": self._help, "help": self._help,
        }  # fmt: skip

    @property
    def game(self) -> Game:
        """The game where it stands."""
        return self.in_play.game

    def play(self) -> None:
        """Play until the game is over or the person leaves; `game` is then where it stands."""
        self.screen.say(f"You are seat {self.seat} of {self.game.config.num_players}; against you: {self._opponents()}. h = help.")
        try:
            while True:
                self._others_play()
                if self.game.asking == self.seat:
                    self._turn_of_person()
                elif not self.game.over:
                    self._look_on()
                elif not self._end():
                    return
        except (Leave, KeyboardInterrupt):  # Ctrl-C also while the others think: what was played can still be saved
            if not self.game.over:
                self.screen.say("You leave the table.")

    def _others_play(self) -> None:
        """Let the others answer: to the person's question, the end of the game, or, once the person is defeated, the end of a turn."""
        if not self.screen.is_live or self._hurries:
            self.in_play.agents_answer()
            return
        self.in_play.agents_play_a_turn()
        while self.game.asking not in (None, self.seat) and not self.game.seat(self.seat).defeated:
            self.in_play.agents_play_a_turn()

    def _look_on(self) -> None:
        """What happened in a turn after the person's defeat; a key goes on."""
        self._draw(_nothing)
        words = self.screen.ask("You are defeated. Enter = the next turn, e = to the end, q = leave > ").lower()
        self._hurries = words in ("e", "end")

    def _opponents(self) -> str:
        return ", ".join(f"{other} {agent.name}" for other, agent in sorted(self.in_play.agents.items()))

    def _turn_of_person(self) -> None:
        """Ask until there is an answer, or the last one is taken back."""
        told = self._told
        self._draw()
        action = self._answer()
        if action is None:
            return
        self.in_play.answer(action, told)

    def _end(self) -> bool:
        """Say how it ended; whether the person takes the last answer back."""
        self._draw(self._say_end)
        while self.in_play.can_take_back():
            words = self.screen.ask("u = take back your last answer, Enter = leave > ").lower()
            if words in _UNDO:
                return self._undo()
            if not words:
                break
        return False

    def _say_end(self) -> None:
        self.screen.say(ending(self.game), "bold")
        self.screen.say("You have won." if self.seat in self.game.winners else "You have not won.")

    # ---- asking

    def _draw(self, below: Callable[[], None] | None = None) -> None:
        """What has happened since the last question, and the table; before a terminal no more than it has lines."""
        lines = happened(self.game, self.seat, self._told)
        head = "Since your last question:" if self._told else "So far:"
        self._told = events(self.game)
        drawn = self.screen.drawn(self.game, self.seat)
        if self.screen.is_live:
            self.screen.anew()
            draw(self.screen, self.game, self.seat, lines, head, below)
        else:
            if lines:
                self.screen.say(head, "dim")
                self.screen.events(lines, self.seat)
            if drawn != self._shown or below is not None:
                self.screen.table(self.game, self.seat)
            if below is not None:
                below()
            else:
                ask(self.screen, self.game)
        self._shown = drawn

    def _show_again(self) -> None:
        self.screen.table(self.game, self.seat)
        ask(self.screen, self.game)

    def _answer(self) -> int | None:
        """The person's answer, or None when the last one was taken back. Raises Leave."""
        actions, names = self.game.legal_actions(), self.game.legal()
        self.screen.offer([*names, *(f"? {subject(name)}" for name in names if subject(name) in pages()), *self._commands, *_SAVE])
        while True:
            words = self.screen.ask("> ")
            command, _, rest = words.partition(" ")
            word = command.lower()
            if name := self._typed(words, names):
                if self._is_meant(name):
                    return actions[names.index(name)]
                if self.screen.is_live:
                    self._draw()
                continue
            if words.startswith("?"):
                self._explain(words[1:].strip(), names)
            elif word in _SAVE:
                self._save_as(rest.strip())
            elif rest and (word in self._commands or word in (*_UNDO, *QUIT)):
                self.screen.say(NO_MORE_WORDS)
            elif word in _UNDO:
                if self._undo():
                    return None
            elif word in self._commands:
                self._commands[word]()
            elif words:
                self.screen.say(f"That is no answer here: type a number from 1 to {len(names)}, or h for help.")

    def _is_meant(self, name: str) -> bool:
        """Whether the person means an answer that has a price, which cannot be declined any more once it is given."""
        words = price(self.game, name)
        if words and self.screen.is_live:
            self.screen.anew()
        return not words or self.screen.ask(f"{label(self.game, name)}: {words}. Enter = yes, n = no > ").lower() not in _NO

    def _typed(self, words: str, names: Sequence[str]) -> str:
        """The answer whose name, words or number from 1 on were typed, "" where nothing matches."""
        place = number_said(words)
        if place is not None:
            return names[place - 1] if 1 <= place <= len(names) else ""
        return next((name for name in names if words.casefold() in (name, label(self.game, name).casefold())), "")

    # ---- on request

    def _explain(self, words: str, names: list[str]) -> None:
        """Answer a question mark."""
        if name := self._typed(words, names):
            self._explain_answer(name)
        elif words in ANSWER_DOC:
            self.screen.say(f"{words}: {ANSWER_DOC[words]}")
        elif words:
            try:
                self.screen.page_of(words)
            except UnknownCard as error:
                self.screen.sorry(error)
        else:
            keys = [subject(name) if subject(name) in pages() else name for name in names]
            for name in dict(zip(keys, names, strict=True)).values():  # of the answers that name one card, one
                self._explain_answer(name)

    def _explain_answer(self, name: str) -> None:
        """The page of what the answer names, or its meaning in a line."""
        if subject(name) in pages():
            self.screen.page(subject(name))
            return
        words = explanation(self.game, name) or ANSWER_DOC.get(name) or f"answers the question: {plain_words(self.game)}"
        self.screen.say(f"{name}: {words}")

    def _undo(self) -> bool:
        """Go back to the person's previous question; whether that could be done."""
        if not self.in_play.practice:
            self.screen.say(_NOT_IN_PRACTICE)
        elif not self.in_play.can_take_back():
            self.screen.say("There is nothing to take back: this is your first question.")
        else:
            self._told = self.in_play.take_back()
            self._shown = ""
            self.screen.say("Taken back.", "bold")
            return True
        return False

    def _belief(self) -> None:
        """What the seat may know of the roles, and what the deducer makes of it."""
        thoughts = [("What the deal allows", prior(self.game, self.seat))]
        if self.belief_model is not None and isinstance(self.belief_model, BeliefModel):
            thoughts.append(
                (f"What {self.belief_model.name} would believe in your place", deduced(self.game, self.seat, self.belief_model))
            )
        shown = [column for column in range(len(COLUMNS)) if any(belief[:, column].any() for _, belief in thoughts)]
        for title, belief in thoughts:
            rows = [
                (seat_name(self.game.record, other) + (", you" if other == self.seat else ""), cells(belief[other], shown))
                for other in range(self.game.config.num_players)
            ]
            self.screen.belief(title, rows, [COLUMNS[column] for column in shown])

    def _log(self) -> None:
        self.screen.events(happened(self.game, self.seat), self.seat)

    def _help(self) -> None:
        self.screen.listed(HELP)

    def _save_as(self, words: str) -> None:
        file = Path(os.path.expanduser(words)) if words else self.replay
        if file is None:
            self.screen.say("Say where: s FILE.")
            return
        try:
            check_writable(file, REPLAY_BEGINS, "replay")
            self.game.replay().save(file)
        except OSError as error:
            self.screen.say(_not_saved(file, error))
        else:
            self.screen.say(f"Replay saved to {file}.")


def _not_saved(file: Path, error: OSError) -> str:
    """Why there is no replay in a file, as a sentence; what `check_writable` refuses is one already."""
    return f"The replay could not be written to {file}: {error.strerror}." if error.strerror else f"The replay is not saved: {error}."


def _nothing() -> None:
    """Says nothing."""


def cells(belief: Array, columns: Sequence[int]) -> list[str]:
    """The shares of these columns of a belief about one seat."""
    return [percent(float(belief[column])) for column in columns]
