"""What everybody believed about everybody while a game went on: the numbers, the charts, and the events that moved them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import NamedTuple

import numpy as np

from danmaku_env.agents.base import BeliefModel, beliefs_of
from danmaku_env.agents.by_faction import COLUMNS, by_faction
from danmaku_env.game import Game
from danmaku_env.info_states import InfoStates
from danmaku_env.machine.records import Array
from danmaku_env.wording import Log

STYLES = ("heroine", "rival", "partner", "stage", "extra", "none")
"""Style classes of `COLUMNS`."""
_LETTERS = ("H", "R", "P", "S", "E", "-")
_HEIGHT = 100
_WIDTH = 1000
_LEAST = 0.12
"""A shift of a belief by less, as a share of certainty, is not marked."""
_TELLING = 2
"""Events named for one move."""


class Shift(NamedTuple):
    """What moved a belief, and how far."""

    place: int
    """Position of the recording at which it had happened."""
    observer: int
    judged: int
    moved: float
    """How much of the belief went from some roles to others, 0 to 1."""
    news: str
    """What happened, as the observer knows it."""
    change: str
    """What it did to the belief: `Stage Boss 53 % → 95 %`."""


class Moment(NamedTuple):
    """The beliefs at one position."""

    place: int
    belief: Array
    """[observers, judged, columns], absolute seats."""


@dataclass
class BeliefTrace:
    """One belief model, asked in everybody's place whenever something has happened."""

    label: str
    belief_model: BeliefModel

    def __post_init__(self) -> None:
        self.moments: list[Moment] = []
        self.shifts: list[Shift] = []
        self._told = 0

    def see(self, place: int, game: Game) -> None:
        """Ask, if there is news; before the first turn nobody has done anything, and after the last everything is open."""
        told = int(game.record["log_count"])
        if not game.turn_number or game.over or (self.moments and told == self._told):
            return
        belief = everybody(game, self.belief_model)
        if self.moments:
            self._note(place, game, belief)
        self.moments.append(Moment(place, belief))
        self._told = told

    def _note(self, place: int, game: Game, belief: Array) -> None:
        """Keep what moved each observer most."""
        before = self.moments[-1].belief
        moved = np.abs(belief - before).sum(-1) / 2
        for observer in np.flatnonzero(moved.max(-1) >= _LEAST).tolist():
            judged = int(moved[observer].argmax())
            news = telling(game.log.of(observer).since(self._told), judged)
            change = gained(before[observer, judged], belief[observer, judged])
            self.shifts.append(Shift(place, observer, judged, float(moved[observer, judged]), news or "a role is known", change))

    def most(self, observer: int | None, count: int) -> list[tuple[int, str]]:
        """What moved an observer most, or, from above, anybody: position and words. Each event is told once."""
        found: dict[tuple[int, int], list[Shift]] = {}
        for shift in sorted(self.shifts, key=lambda shift: -shift.moved):
            if observer in (None, shift.observer):
                found.setdefault((shift.place, shift.judged), []).append(shift)
        return [(shifts[0].place, _shift_text(shifts, observer is None)) for shifts in list(found.values())[:count]]


def _shift_text(shifts: Sequence[Shift], observers: bool) -> str:
    """One event and the shifts that it caused; `observers` says for whom."""
    first = shifts[0]
    words = f"{first.news} - about seat {first.judged}: {first.change}"
    if not observers:
        return words
    others = [str(shift.observer) for shift in shifts[1:]]
    return f"{words} for seat {first.observer}" + (f"; also for seat{'s' * (len(others) > 1)} {', '.join(others)}" if others else "")


def everybody(game: Game, belief_model: BeliefModel) -> Array:
    """[observers, judged, columns] what the belief model would think in each seat's place. Each row of roles sums to 1."""
    players = game.config.num_players
    seats = np.arange(players)
    info_states = InfoStates(np.repeat(game.records, players), seats, game.config)
    rows = np.stack([game.observe(seat) for seat in range(players)])
    relative = beliefs_of(belief_model, rows, info_states)
    turned = (seats[np.newaxis, :] - seats[:, np.newaxis]) % players
    return np.stack([by_faction(relative[seat][turned[seat]]) for seat in range(players)])


def telling(log: Log, judged: int) -> str:
    """The events of a log that say most about a seat, in words."""
    telling_lines = [line for line in log if not line.startswith("---") and not any(word in line for word in _SAYS_NOTHING)]
    own = [line for line in telling_lines if line.startswith((f"seat {judged} ", f"seat {judged},"))]
    return ", ".join(list(dict.fromkeys(own or telling_lines))[-_TELLING:])


_SAYS_NOTHING = (" draws ", " flips ", " discards ", " loses ", " collects ")
"""Parts of lines about what happens to a seat rather than what it does."""


def percent(probability: float) -> str:
    """0.5 as `50 %`; only what is certain is `100 %` or `-`."""
    if probability <= 0:
        return "-"
    if probability < 0.01:
        return "< 1 %"
    if 0.99 < probability < 1 - 1e-9:
        return "> 99 %"
    return f"{100 * probability:.0f} %"


def likeliest(belief: Array) -> str:
    """`Stage Boss 74 %`."""
    column = int(belief.argmax())
    return f"{COLUMNS[column]} {percent(float(belief[column]))}"


def likeliest_in_short(belief: Array) -> str:
    """`S 74 %`: the faction by its first letter."""
    column = int(belief.argmax())
    return f"{_LETTERS[column]} {percent(float(belief[column]))}"


def letters() -> str:
    """What the letters mean."""
    return ", ".join(f"{letter} {name}" for letter, name in zip(_LETTERS, COLUMNS, strict=True))


def gained(before: Array, after: Array) -> str:
    """`Stage Boss 53 % → 95 %`: the faction that gained most."""
    column = int((after - before).argmax())
    begun = percent(float(before[column])) if before[column] > 0 else "0 %"  # the sign of nothing is hard to read beside an arrow
    return f"{COLUMNS[column]} {begun} → {percent(float(after[column]))}"


# ---------------------------------------------------------------- charts


def chart(moments: Sequence[Moment], last: int, observer: int, judged: int) -> str:
    """The belief of one seat about another over the game as SVG: the roles on top of one another, the share of each its height."""
    below = np.zeros(len(moments))
    paths = []
    for column, name in enumerate(STYLES):
        share = np.array([moment.belief[observer, judged, column] for moment in moments])
        if share.max(initial=0) < 0.005:
            continue
        paths.append((name, below + share))
        below = below + share
    places = [moment.place for moment in moments]
    drawn = "".join(_path(name, places, top, last) for name, top in reversed(paths))  # the highest first: the others cover what is theirs
    return f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" preserveAspectRatio="none" aria-hidden="true">{drawn}</svg>'


def _path(name: str, places: Sequence[int], top: Array, last: int) -> str:
    """The area below steps."""
    xs = [round(_WIDTH * place / max(1, last)) for place in places]
    ys = np.round(_HEIGHT * (1 - np.minimum(top, 1))).astype(int).tolist()
    steps, x, y = [f"M{xs[0]} {_HEIGHT}V{ys[0]}"], xs[0], ys[0]
    for there, height in zip(xs[1:], ys[1:], strict=True):
        if height != y:
            steps.append(f"h{there - x}v{height - y}")
            x, y = there, height
    return f'<path class="{name}" d="{"".join(steps)}H{_WIDTH}V{_HEIGHT}z"/>'


def legend() -> str:
    """Which colour is which faction."""
    return "".join(f'<span class="key"><i class="{name}"></i>{escape(words)}</span>' for name, words in zip(STYLES, COLUMNS, strict=True))
