"""Watching a recorded game at a terminal: one step after the other, backwards too, from above or as any seat sees it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from danmaku_env.agents.base import BeliefModel
from danmaku_env.agents.by_faction import COLUMNS, deduced
from danmaku_env.arguments import number_said, shown
from danmaku_env.game import Game
from danmaku_env.play.beliefs import everybody, letters, likeliest_in_short
from danmaku_env.play.person import cells
from danmaku_env.play.recording import Recording, View
from danmaku_env.play.screen import NO_MORE_WORDS, QUIT, Leave, Screen, ending, happened
from danmaku_env.render.asking import question_words, text_that_asks
from danmaku_env.wording import seat_name

HELP = (
    ("Enter, n", "the next step"),
    ("b, p", "back to the step before"),
    ("g 120, or just 120", "go to step 120"),
    ("s, e", "to the start, to the end"),
    ("seat 3, above", "watch as seat 3 sees it, from above"),
    ("beliefs", "show, or no longer, what the seat believes; from above, what everybody does"),
    ("h, help", "this list"),
    ("q, quit", "stop watching"),
)
PROMPT = "Enter = next, b = back, h = help > "


class NoSuchStep(IndexError):  # noqa: N818 (it reads as what it is)
    """A step or seat that is not there; the message says which there are."""


class Watcher:
    """Somebody who watches a recording."""

    def __init__(
        self, recording: Recording, screen: Screen, seat: int | None = None, *, belief_models: Mapping[str, BeliefModel] | None = None
    ) -> None:  # fmt: skip
        """Begin at step 0 as `seat` sees it, or from above; `belief_models` by name say what is believed where that is asked for.

        Raises NoSuchStep for a seat beyond the table.
        """
        self.belief_models = belief_models or {}
        self._believes = False
        self.recording = recording
        self.screen = screen
        self.step = 0
        self._views: dict[int | None, View] = {}
        self.view = self._view_of(seat)
        self._commands: dict[str, Callable[[], bool]] = {
            **dict.fromkeys(("", "n", "next"), lambda: self._go(self.step + 1)),
            **dict.fromkeys(("b", "p", "back"), lambda: self._go(self.step - 1)),
            **dict.fromkeys(("s", "start"), lambda: self._go(0)),
            **dict.fromkeys(("e", "end"), lambda: self._go(self.view.find_all())),
            **dict.fromkeys(("beliefs", "belief"), self._believe),
            **dict.fromkeys(("h", "help"), self._help),
            "above": lambda: self._change_view(None),
        }
        """What takes no more words."""

    def show(self) -> None:
        """Print the step: what happened, the table, and who is asked what."""
        view, step, say = self.view, self.step, self.screen.say
        if not view.find(step):
            raise NoSuchStep(f"there is no step {step}; the last is {view.find_all()}")
        game = self.recording.position(view.places[step])
        who = "from above" if view.seat is None else f"as seat {view.seat} sees it"
        of = f" of {view.find_all()}" if self.recording.ended else ""
        say(f"Step {step}{of}, {who}", "bold reverse" if self.screen.console.is_terminal else "bold")
        if step and view.is_asked(step - 1):
            say(f"> {self.recording.given[view.places[step - 1]]}", "cyan")
        self.screen.events(happened(game, view.seat, view.told[step - 1] if step else 0), view.seat)
        asked = view.is_asked(step)
        self.screen.table(game, view.seat, asked=asked)
        if self._believes:
            self._show_beliefs(game)
        if game.over:
            say(ending(game), "bold")
        elif asked and game.asking is not None:
            say(f"{seat_name(game.record, game.asking)} is asked: {question_words(game)}", "bold")
            if text := text_that_asks(game):
                say(f"  {text}")
            say(f"  {' | '.join(game.legal())}", "cyan")

    def play(self, delay: float) -> None:
        """Print step after step, `delay` seconds apart, to the end."""
        self.show()
        while self.view.find(self.step + 1):
            time.sleep(delay)
            self.step += 1
            self.show()

    def walk(self) -> None:
        """Let the person step about until they leave."""
        self.show()
        while True:
            try:
                words = self.screen.ask(PROMPT).lower()
            except Leave:
                return
            try:
                if self._obey(words):
                    self.screen.console.clear()
                    self.show()
            except NoSuchStep as error:
                self.screen.sorry(error)

    def _obey(self, words: str) -> bool:
        """Carry out what was typed; whether the screen has to be drawn again. Raises NoSuchStep, changing nothing."""
        command, _, rest = words.partition(" ")
        number = number_said(rest.strip() if command in ("g", "go", "seat") else words)
        if number is not None:
            return self._change_view(number) if command == "seat" else self._go(number)
        if command not in self._commands and command not in QUIT:
            self.screen.say(f"{shown(words)} means nothing here; h = help.")
        elif rest:
            self.screen.say(NO_MORE_WORDS)
        else:
            return self._commands[command]()
        return False

    def _show_beliefs(self, game: Game) -> None:
        """What the observer believes about each seat; from above a line for each observer with the likeliest of every seat."""
        if not self.belief_models:
            self.screen.say("Nobody here says what to believe about the roles.")
        for label, belief_model in self.belief_models.items():
            if self.view.seat is None:
                self._show_all_beliefs(game, label, belief_model)
            else:
                belief = deduced(game, self.view.seat, belief_model)
                shown = [column for column in range(len(COLUMNS)) if belief[:, column].any()]
                rows = [(seat_name(game.record, other), cells(belief[other], shown)) for other in range(self.recording.players)]
                self.screen.belief(f"What {label} would believe in this place", rows, [COLUMNS[column] for column in shown])

    def _show_all_beliefs(self, game: Game, label: str, belief_model: BeliefModel) -> None:
        seats, belief = range(self.recording.players), everybody(game, belief_model)
        cells = [["" if one == other else likeliest_in_short(belief[one, other]) for other in seats] for one in seats]
        rows = [(seat_name(game.record, seat), cells[seat]) for seat in seats]
        title = f"What {label} would believe in everybody's place, about seat 0, 1 ... ({letters()})"
        self.screen.belief(title, rows, [str(seat) for seat in seats])

    def _go(self, step: int) -> bool:
        if step < 0:
            raise NoSuchStep("this is the first step")
        if not self.view.find(step):
            last = self.view.find_all()
            raise NoSuchStep("this is the last step" if self.step == last else f"there is no step {step}; the last is {last}")
        self.step = step
        return True

    def _view_of(self, seat: int | None) -> View:
        if seat is not None and not 0 <= seat < self.recording.players:
            players = self.recording.players
            raise NoSuchStep(f"there is no seat {seat} at a table of {players}; the seats are 0 to {players - 1}")
        if seat not in self._views:
            self._views[seat] = View(self.recording, seat)
        return self._views[seat]

    def _believe(self) -> bool:
        self._believes = not self._believes
        return True

    def _change_view(self, seat: int | None) -> bool:
        """Another view of the same moment: its last step that is not later."""
        view = self._view_of(seat)
        self.step = view.last_before(self.view.places[self.step])
        self.view = view
        return True

    def _help(self) -> bool:
        self.screen.listed(HELP)
        return False
