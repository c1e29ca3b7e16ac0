"""A recorded game as one HTML file that needs no server and no network.

It shows every step, from above or as any seat sees it, and what everybody believed. The table is drawn here (`render/html.py`), not in the
browser: for each view and each block of the table the file has the strings it went through and where they begin. Equal strings are kept
once and all of it is deflated, so that a game of 600 steps takes less than a megabyte. `replay_page.js` puts the strings of a step in
their places.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from danmaku_env.agents.base import BeliefModel
from danmaku_env.agents.by_faction import COLUMNS
from danmaku_env.agents.registry import AgentError, make
from danmaku_env.agents.seating import default_belief_model
from danmaku_env.game import Game, Replay
from danmaku_env.play.beliefs import BeliefTrace, Moment, chart, legend, likeliest
from danmaku_env.play.harmed import Harmed
from danmaku_env.play.recording import Recording, View
from danmaku_env.play.screen import ending, happened
from danmaku_env.render.answers import asked_words
from danmaku_env.render.faces import printed_pages
from danmaku_env.render.html import blocks, board, script, style, whole_page
from danmaku_env.render.table_view import table_view
from danmaku_env.wording import ROLE_NAMES, seat_name

MOST_SHIFTS = 12
"""Shifts of beliefs that are listed for one view."""
SPEEDS = (0.5, 1, 2, 4, 8)
"""The speeds at which a replay can play."""
_HERE = Path(__file__).parent
_BUTTONS = (
    ("start", "Home", "|◀", "to the start (Home)"), ("back", "ArrowLeft", "◀", "one step back (left arrow)"),
    ("next", "ArrowRight", "▶", "one step on (right arrow)"), ("end", "End", "▶|", "to the end (End)"),
    ("play", " ", "play", "play on, stop (space)"), ("turn", "t", "turn ▶", "to the next turn (t)"),
    ("attack", "a", "attack ▶", "to the next attack (a)"), ("shift", "b", "belief ▶", "to the next event that moves a belief (b)"),
)  # fmt: skip


def replay_html(recording: Recording, belief_models: Mapping[str, BeliefModel] | None = None) -> str:
    """The file's text. `belief_models` by the label they are shown under; without any no beliefs are drawn."""
    built = _ReplayPage(recording, belief_models or {})
    return built.page()


def belief_models_of(specs: Sequence[str] | None) -> dict[str, BeliefModel]:
    """The belief models of these specs by name; the strongest quick one when none are named.

    Raises AgentError for an agent that cannot be made or that says nothing about the roles.
    """
    if not specs:
        default = default_belief_model(0)
        return {default.name: default} if isinstance(default, BeliefModel) else {}
    found: dict[str, BeliefModel] = {}
    for spec in specs:
        agent = make(spec, 0)
        if not isinstance(agent, BeliefModel):
            raise AgentError(f"the agent {spec!r} does not say what it believes about the roles")
        found[spec] = agent
    return found


def replay_page(replay: Replay) -> str:
    """The page of a replay in a frame, for a notebook. Raises ReplayError for a replay that cannot be played to its end."""
    recording = Recording.of_replay(replay)
    page = replay_html(recording, belief_models_of(None))
    if recording.problem:
        raise recording.problem
    return f'<iframe srcdoc="{escape(page)}" style="width:100%;height:60rem;border:0" title="a game of Danmaku!!"></iframe>'


class _Strings:
    """Equal strings once."""

    def __init__(self) -> None:
        self.all: dict[str, int] = {}

    def number(self, text: str) -> int:
        return self.all.setdefault(text, len(self.all))


class _Track:
    """What stood in each block, and from which position on."""

    def __init__(self, strings: _Strings) -> None:
        self._strings = strings
        self.changes: dict[str, tuple[list[int], list[int]]] = {}

    def put(self, place: int, filled: Iterable[tuple[str, str]]) -> None:
        for name, html in filled:
            places, numbers = self.changes.setdefault(name, ([], []))
            number = self._strings.number(html)
            if not numbers or numbers[-1] != number:
                places.append(place)
                numbers.append(number)


class _ReplayPage:
    """The page of one recording, built position by position."""

    def __init__(self, recording: Recording, belief_models: Mapping[str, BeliefModel]) -> None:
        self.recording = recording
        self.players = recording.players
        self.strings = _Strings()
        self.views = [View(recording, seat) for seat in (None, *range(self.players))]
        self.tracks = [_Track(self.strings) for _ in self.views]
        self.lines: list[list[tuple[int, int]]] = [[] for _ in self.views]
        self.traces = [BeliefTrace(label, belief_model) for label, belief_model in belief_models.items()]
        self.harmed = Harmed()
        for view in self.views:
            view.find_all()
        for place, game in enumerate(recording.positions()):
            self._add(place, game)
            if recording.given[place]:
                self.harmed.see(game, recording.move(place))
            for trace in self.traces:
                trace.see(place, game)
        self.last = place
        self.final = game

    def _add(self, place: int, game: Game) -> None:
        for view, track, lines in zip(self.views, self.tracks, self.lines, strict=True):
            step = view.last_before(place)
            if view.places[step] != place:
                continue
            asked = self.recording.asks[place] and view.seat in (None, game.asking)
            seen = table_view(game, view.seat, asked=asked)
            track.put(place, [*blocks(seen).items(), ("question", asked_words(seen) or f"<p>{escape(ending(game))}</p>")])
            track.put(place, [("given", self._given(view, step))])
            news = happened(game, view.seat, view.told[step - 1] if step else 0)
            lines += [(place, self.strings.number(line)) for line in news]

    def _given(self, view: View, step: int) -> str:
        """The answer that led to a step, where the view may show it."""
        if not step:
            return ""
        before = view.places[step - 1]
        said = self.recording.said[before]
        mine = view.seat is None or said.startswith((f"seat {view.seat}:", f"seat {view.seat} "))
        return f"<p>{escape(said)}</p>" if said and mine else ""

    # ---- the page

    def page(self) -> str:
        game, config = self.final, self.final.config
        title = f"Danmaku!!, {config.num_players} players, seed {int(game.record['seed'])}"
        agents = ", ".join(f"{seat} {name}" for seat, name in enumerate(self.recording.agents))
        names = f"<p>{escape(agents)}</p>" if agents else ""
        packed = base64.b64encode(zlib.compress(json.dumps(self._data(), separators=(",", ":")).encode(), 9)).decode()
        table = board(self.players, blocks(table_view(game, None)))
        asked = '<div data-block="given"></div><div data-block="question" aria-live="polite"></div>'
        log = '<ol class="log" id="log" tabindex="0" aria-label="what happened"></ol>'
        body = (
            f'<main class="danmaku replay"><header><h1>{escape(title)}</h1>{names}</header>{self._controls()}'
            f'<div class="split"><section>{table}{asked}</section><aside>{log}</aside></div>{self._beliefs()}'
            f"{self._harmed()}</main>{printed_pages()}"
            f'<script type="application/octet-stream" id="replay">{packed}</script>'
            f"<script>{script()}{_file('replay_page.js')}</script>"
        )
        return whole_page(title, body, head=f"<style>{style()}{_file('replay_page.css')}</style>")

    def _controls(self) -> str:
        buttons = "".join(
            f'<button type="button" id="{name}" data-key="{key}" title="{words}" aria-label="{words}">{sign}</button>'
            for name, key, sign, words in _BUTTONS
        )
        views = "".join(f'<option value="{place}">{escape(self._view_name(view))}</option>' for place, view in enumerate(self.views))
        speeds = "".join(f'<option value="{speed:g}"{" selected" * (speed == 1)}>{speed:g} ×</option>' for speed in SPEEDS)
        return (
            f'<nav>{buttons}<input type="range" id="slider" min="0" value="0" aria-label="step"><output id="step"></output>'
            f'<label>speed <select id="speed">{speeds}</select></label><label>seen <select id="view">{views}</select></label></nav>'
        )

    def _view_name(self, view: View) -> str:
        return "from above" if view.seat is None else f"as {seat_name(self.final.record, view.seat)} sees it"

    def _beliefs(self) -> str:
        if not self.traces:
            return ""
        options = "".join(f'<option value="{place}">{escape(trace.label)}</option>' for place, trace in enumerate(self.traces))
        seats = range(self.players)
        truth = "<small class='truth'>{}</small>"
        head = "".join(f"<th>about {escape(self._name(seat))}{truth.format(escape(self._truth(seat)))}</th>" for seat in seats)
        rows = "".join(self._belief_row(seat) for seat in seats)
        return (
            f'<section class="beliefs"><h2>Who believed what about whom, over the game</h2><p class="legend">{legend()} '
            f'<label>as told by <select id="belief-model">{options}</select></label> '
            f'<button type="button" id="save-svg">the chart as SVG</button> <button type="button" id="save-csv">as CSV</button></p>'
            f'<div class="scroll" tabindex="0" role="region" aria-label="beliefs">'
            f"<table><thead><tr><td></td>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
            f'<h3>What moved it most</h3><ol id="shifts"></ol></section>'
        )

    def _harmed(self) -> str:
        return self.harmed.table([f"{self._name(seat)}, {self._truth(seat)}" for seat in range(self.players)])

    def _belief_row(self, observer: int) -> str:
        cells = "".join(
            f'<td><div class="chart" data-chart="{observer}-{judged}"></div><small data-belief="{observer}-{judged}"></small></td>'
            for judged in range(self.players)
        )
        return f'<tr data-observer="{observer}"><th>{escape(self._name(observer))} believes</th>{cells}</tr>'

    def _name(self, seat: int) -> str:
        return seat_name(self.final.record, seat)

    def _truth(self, seat: int) -> str:
        return ROLE_NAMES.get(self.final.seat(seat).role, "no role")

    # ---- the data

    def _data(self) -> dict[str, Any]:
        views = [
            {"seat": view.seat, "places": view.places, "blocks": track.changes, "lines": lines}
            for view, track, lines in zip(self.views, self.tracks, self.lines, strict=True)
        ]
        beliefs = [self._belief_data(trace) for trace in self.traces if trace.moments]
        return {"last": self.last, "views": views, "beliefs": beliefs, "strings": list(self.strings.all)}

    def _belief_data(self, trace: BeliefTrace) -> dict[str, Any]:
        track = _Track(self.strings)
        pairs = [(observer, judged) for observer in range(self.players) for judged in range(self.players) if observer != judged]
        for moment in trace.moments:
            track.put(moment.place, [(f"{one}-{other}", likeliest(moment.belief[one, other])) for one, other in pairs])
        charts = {f"{one}-{other}": chart(trace.moments, self.last, one, other) for one, other in pairs}
        marks = [[shift.place, shift.observer, shift.judged, f"{shift.news}: {shift.change}"] for shift in trace.shifts]
        shifts = [trace.most(view.seat, MOST_SHIFTS) for view in self.views]
        shares = {f"{one}-{other}": _shares(trace.moments, one, other) for one, other in pairs}
        return {"charts": charts, "blocks": track.changes, "marks": marks, "shifts": shifts, "shares": shares, "columns": COLUMNS}


def _shares(moments: Sequence[Moment], observer: int, judged: int) -> list[list[float]]:
    """The place and the share of each role, in percent, wherever the belief of one seat about another changed."""
    rows = [[moment.place, *(round(100 * share, 1) for share in moment.belief[observer, judged].tolist())] for moment in moments]
    return [row for row, before in zip(rows, [[-1.0], *rows], strict=False) if row[1:] != before[1:]]


def _file(name: str) -> str:
    return (_HERE / name).read_text("utf-8")
