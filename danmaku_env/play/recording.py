"""A game that can be looked at after any answer, forwards and backwards, from above or as a seat sees it."""

from __future__ import annotations

import bisect
import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from danmaku_env.agents.base import Agent, answer
from danmaku_env.engine import state as st
from danmaku_env.game import Game, IllegalAction, OtherRules, Replay, ReplayError, replay_text
from danmaku_env.play.screen import events
from danmaku_env.render.asking import label
from danmaku_env.wording import action_name, seat_name

_EVERY = 64
"""Positions between two copies that are kept: going back plays fewer answers than this."""
_ASKED_MORE = ("config", "decisions")
"""Fields in which a game in which everybody is asked differs from the same moment of the game as it was played."""
_ANSWERS = re.compile(r'"answers"\s*:\s*\[')
_WHOLE_NUMBER = re.compile(r"\s*(-?\d+)\s*([,\]])")


class Recording:
    """The positions of one game, played as far as anybody has looked.

    It runs the game as it was played, in which only those are asked who have a choice, and its shadow: the same game with everybody asked
    everything. The positions are those of the shadow: which of them there are depends on nothing hidden, whereas a question put
    only to a seat that can answer would show that it can.
    """

    def __init__(self, game: Game, answers: Iterable[int], *, replay: Replay | None = None, breaks_off: bool = False) -> None:
        """`game` before the first of the `answers`, which are drawn when they are needed; it is played on here.

        `replay`: what it is a recording of, if of a replay. `breaks_off`: answers that should follow are missing.
        """
        self._replay = replay
        self._played = game
        self._shadow = _shadow_of(game)
        self._answers: Iterator[int] = iter(answers)
        self._breaks_off = breaks_off
        self._moves: list[int] = []
        self._kept = [self._shadow.clone()]
        self._mask = _mask()
        self.players = game.config.num_players
        self.agents = game.agents
        """Names of who played, where they are known."""
        self.asks: list[bool] = [self._same_moment()]
        """Of each position, whether somebody is really asked there, or it is the last: a position of the game as it was played."""
        self.given: list[str] = [""]
        """Of each position, who gave which answer to which question, by their names; "" where nobody had a choice."""
        self.said: list[str] = [""]
        """The same as a person would say it: `seat 2 (Cirno): Play Shoot`."""
        self.steps = 0
        """Answers of the game as it was played, so far."""
        self.ended = False
        """Whether the last position is known."""
        self.problem: ReplayError | None = None
        """Why the recording cannot go on after its last position, if it should."""

    @classmethod
    def of_agents(cls, game: Game, agents: Mapping[int, Agent]) -> Recording:
        """A game that agents play while it is watched."""
        game.agents = tuple(agents[seat].name for seat in range(game.config.num_players))

        def answers() -> Iterator[int]:
            while (asking := game.asking) is not None:
                yield answer(agents[asking], game)

        return cls(game, answers())

    @classmethod
    def of_replay(cls, replay: Replay, *, other_rules: bool = False) -> Recording:
        """A game that was played. Raises ReplayError when it cannot even begin, OtherRules unless they are wished."""
        return cls(replay.begin(other_rules=other_rules), replay.answers, replay=replay)

    @classmethod
    def load(cls, file: Path, *, other_rules: bool = False) -> Recording:
        """The recording of a replay file, played to its end or to its `problem`.

        Raises ReplayError naming step 0 when not even the beginning can be, OtherRules for one that was made under other rules, unless
        they are wished, and OSError when the file cannot be read.
        """
        text = replay_text(file)
        try:
            recording = _read(text, other_rules=other_rules)
        except OtherRules as error:
            raise error.of(f"the replay {file}") from None
        except ReplayError as error:
            first = "step 0 cannot be: " if '"danmaku_replay"' in text else ""
            raise ReplayError(f"{file}: {first}{error}") from None
        while recording.extend():
            pass
        if recording.problem:
            recording.problem = ReplayError(f"{file}: {recording.problem}; `--step {recording.steps}` shows the last position that can be")
        return recording

    def extend(self) -> bool:
        """Play one more answer of the shadow game; False at the end."""
        if self.ended:
            return False
        shadow = self._shadow
        if self.asks[-1]:
            asking = self._played.asking
            who, word = ("", "") if asking is None else (seat_name(self._played.record, asking), self._played.question)
            action = self._next_answer()
            if action is None or asking is None:
                self.ended = True
                return False
            name = action_name(action, asking, self.players)
            self.given[-1], self.said[-1] = f"{who}, {word}: {name}", f"{who}: {label(shadow, name)}"
        else:
            (action,) = shadow.legal_actions()
        shadow.act(action)
        self._moves.append(action)
        self.asks.append(self._same_moment())
        self.given.append("")
        self.said.append("")
        if len(self._moves) % _EVERY == 0:
            self._kept.append(shadow.clone())
        return True

    def _next_answer(self) -> int | None:
        """Let the game as it was played go on; None at its end, which is a `problem` where it should not be."""
        game = self._played
        action = next(self._answers, None)
        if action is None:
            if self._breaks_off:
                self._cannot_be(f"the file cannot be read from there on; {_asked(game)}")
            else:
                self._check_end(game)
            return None
        if game.over:
            self._cannot_be(f"the game is over ({game.outcome}), nobody is asked any more")
            return None
        try:
            game.act(action)
        except IllegalAction as error:
            self._cannot_be(str(error))
            return None
        except RuntimeError:  # a starting position made by hand may lead nowhere
            self._cannot_be("no game goes on from the position before it")
            return None
        self.steps += 1
        return action

    def _cannot_be(self, why: str) -> None:
        """Note why the next step is impossible."""
        rules = self._replay.whose_rules if self._replay else ""
        self.problem = ReplayError(f"step {self.steps + 1} cannot be{rules}: {why}")

    def _check_end(self, game: Game) -> None:
        """Note it where the game after the last answer is another than the one that was played."""
        try:
            if self._replay:
                self._replay.check_end(game)
        except ReplayError as error:
            self.problem = error

    def _same_moment(self) -> bool:
        """Whether the shadow game stands where the game as it was played stands."""
        one, other = (st.as_bytes(game.records)[0] for game in (self._played, self._shadow))
        return bool((one[self._mask] == other[self._mask]).all())

    def positions(self) -> Iterator[Game]:
        """One and the same game at every position, one after the other, played on to the end."""
        game = self.position(0)
        yield game
        for place in itertools.count():
            if place + 1 >= len(self.asks) and not self.extend():
                return
            game.act(self._moves[place])
            yield game

    def position(self, place: int) -> Game:
        """The shadow game after `place` of its answers, at once: a copy. Raises IndexError beyond what has been played."""
        if not 0 <= place < len(self.asks):
            raise IndexError(f"position {place} of {len(self.asks)}")
        game = self._kept[place // _EVERY].clone()
        for action in self._moves[place - place % _EVERY : place]:
            game.act(action)
        return game

    def move(self, place: int) -> int:
        """The answer that leads on from a position."""
        return self._moves[place]


class View:
    """A recording from above, or as a seat sees it, in steps.

    From above a step is an answer. A seat's steps are the positions at which something it may see has changed or it is asked itself.
    """

    def __init__(self, recording: Recording, seat: int | None) -> None:
        """As `seat` sees it; None is from above."""
        self.recording = recording
        self.seat = seat
        self.places: list[int] = []
        """Positions of the steps found so far."""
        self.told: list[int] = []
        """Events that had happened at each step."""
        self._cursor = recording.position(0)
        self._at = 0
        self._seen = b""
        self._look()

    def find(self, step: int) -> bool:
        """Look ahead until there is such a step; False when the recording has fewer."""
        while len(self.places) <= step and self._go_on():
            pass
        return step < len(self.places)

    def find_all(self) -> int:
        """The number of the last step, looked for to the end of the recording."""
        while self._go_on():
            pass
        return len(self.places) - 1

    def last_before(self, place: int) -> int:
        """The last step at or before a position, 0 when there is none."""
        while self._at <= place and self._go_on():
            pass
        return max(0, bisect.bisect_right(self.places, place) - 1)

    def is_asked(self, step: int) -> bool:
        """Whether this view shows that somebody has a choice there: a seat sees only its own."""
        place = self.places[step]
        if not self.recording.asks[place]:
            return False
        return self.seat is None or self.recording.position(place).asking == self.seat

    def _go_on(self) -> bool:
        if self._at + 1 >= len(self.recording.asks) and not self.recording.extend():
            return False
        self._cursor.act(self.recording.move(self._at))
        self._at += 1
        self._look()
        return True

    def _look(self) -> None:
        """Note the position at the cursor if it is a step."""
        game, really = self._cursor, self.recording.asks[self._at]
        if self.seat is None:
            is_step = really
        else:
            seen = events(game).to_bytes(4, "little") + game.observe(self.seat)[game.spec.offsets["step"] :].tobytes()
            is_step = seen != self._seen or (really and game.asking == self.seat)
            self._seen = seen
        if is_step:
            self.places.append(self._at)
            self.told.append(events(game))


def _shadow_of(game: Game) -> Game:
    """The same game, set up so that everybody is asked everything, at its very beginning."""
    config = replace(game.config, ask_forced=True, ask_everyone=True)
    replay = game.replay()
    if replay.start is None:
        return Game.new(config, replay.seed)
    records = game.records.copy()
    records["config"] |= st.ASK_FORCED | st.ASK_EVERYONE
    return Game.from_trusted_record(records, config)


def _mask() -> np.ndarray:
    """[STATE_BYTES] bool: the bytes in which the two games agree at the same moment."""
    mask = np.ones(st.STATE_BYTES, np.bool_)
    for field in _ASKED_MORE:
        at = st.place_of(field)
        mask[at : at + st.STATE[field].itemsize] = False
    return mask


def _asked(game: Game) -> str:
    if game.asking is None:
        return "the game is already over"
    return f"{seat_name(game.record, game.asking)} is asked {game.question!r} and may answer {', '.join(game.legal())}"


# ---------------------------------------------------------------- files that break off


def _read(text: str, *, other_rules: bool) -> Recording:
    """The recording of a file's text, which may break off or be unreadable from some answer on. Raises ReplayError."""
    try:
        replay = Replay.from_json(text)
    except ReplayError:
        whole = _up_to_the_break(text)
        if whole is None:
            raise
        replay = Replay.from_json(whole)
        return Recording(replay.begin(other_rules=other_rules), replay.answers, replay=replay, breaks_off=True)
    return Recording.of_replay(replay, other_rules=other_rules)


def _up_to_the_break(text: str) -> str | None:
    """A readable file with the answers that can be trusted, of a text in which the list of answers is not finished; else None.

    A number is trusted when a comma or the closing bracket follows: of 123 the break may have left 12.
    """
    opening = _ANSWERS.search(text)
    if opening is None:
        return None
    numbers: list[str] = []
    at = opening.end()
    while number := _WHOLE_NUMBER.match(text, at):
        numbers.append(number[1])
        at = number.end()
        if number[2] == "]":
            break
    if text[at - 1] == "]" and text[at:].strip():
        return None
    return f"{text[: opening.end()]}{', '.join(numbers)}]}}"
