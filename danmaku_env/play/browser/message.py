"""What the browser of a chair is sent: the whole page in named blocks, of which a message carries those that changed.

Of the game nothing enters but the sight of the chair's seat (`render/sight.py`), the log as that seat knows it, and what it may make of
both; of the table what everybody may know (who is here, the clock) and what is this chair's own (its question's number, its notice).
"""

from __future__ import annotations

from html import escape

from danmaku_env.agents.base import BeliefModel
from danmaku_env.beliefs.by_faction import COLUMNS, deduced, prior
from danmaku_env.game import Game
from danmaku_env.play.browser.table import Chair, Table
from danmaku_env.play.person import percent
from danmaku_env.play.screen import events
from danmaku_env.render.html import blocks, question_block
from danmaku_env.render.sight import sight
from danmaku_env.wording import seat_name

LINES = 60
"""Lines of the log that a page shows; all of it is on a page of its own."""


def seat_blocks(game: Game, seat: int, *, read: int, number: int | None) -> dict[str, str]:
    """The part of a page that shows the game; `read` events were there when the person last answered.

    `number` is that of the question that is put to the person, None while the others think.
    """
    seen = sight(game, seat, asked=number is not None)
    found = blocks(seen)
    if seen.question is not None:
        found["question"] = f'<input type="hidden" name="question" value="{number}">{question_block(seen.question)}'
    else:
        found["question"] = _verdict(game, seat) if seen.ending else '<p class="asks waiting">The others think.</p>'
    return found | {"log": _log(game, seat, read)}


def page_blocks(table: Table, chair: Chair) -> dict[str, str]:
    """Everything on the page of a chair but the belief panel."""
    number = chair.question if table.pending == chair.seat else None
    found = seat_blocks(table.shown, chair.seat, read=chair.read, number=number)
    if table.is_played_by_agent(chair.seat):
        found["question"] = f'<p class="asks">An agent plays your seat.</p>{_post("back", "take it back")}'
    found["notice"] = f"<p>{escape(chair.notice)}</p>" if chair.notice else ""
    found["people"] = people(table)
    found["clock"] = _clock(table, chair)
    found["after"] = _ending(table)
    return found


def people(table: Table, links: bool = False) -> str:
    """Who sits where, and who is here; with the links to the chairs for who laid the table."""
    rows = []
    for seat, name in enumerate(table.setting.seats):
        chair = table.chairs.get(seat)
        if chair is None:
            rows.append(f"<li>{seat} <b>{escape(name)}</b></li>")
            continue
        state = "an agent, for now" if table.is_played_by_agent(seat) else "here" if chair.pages else "not here"
        link = f' <a href="/s/{chair.secret}/">the link to this seat</a>' if links else ""
        give = _post(f"give/{seat}", f"give seat {seat} to an agent") if _can_be_given(table, chair) else ""
        rows.append(f"<li>{seat} <b>a person</b>, {state}{link}{give}</li>")
    return f'<ul class="people">{"".join(rows)}</ul>'


def state(table: Table) -> str:
    """How far a game is, for who laid the table and may not look into it."""
    if table.shown.over:
        return f"<p>The game is over.</p>{_ending(table)}"
    turn = f"turn {table.shown.turn_number}" if table.shown.turn_number else "the first turn has not begun"
    return f"<p>The game is on: {turn}.</p>"


def _can_be_given(table: Table, chair: Chair) -> bool:
    return not table.shown.over and not table.is_played_by_agent(chair.seat) and table.is_gone(chair)


def _post(what: str, words: str) -> str:
    """A button that posts to a place below the page."""
    return f' <button formaction="{what}" formnovalidate>{escape(words)}</button>'


def _clock(table: Table, chair: Chair) -> str:
    if table.setting.clock is None or table.pending != chair.seat:
        return ""
    return f'<p class="clock" style="--seconds:{table.setting.clock:g}s" data-question="{chair.question}">{table.setting.clock:g} s</p>'


def _ending(table: Table) -> str:
    if table.replay is None:
        return ""
    return (
        '<p class="after"><a href="replay.html" data-key="1"><kbd>1</kbd> look at the game</a> '
        '<a href="replay.json" download data-key="2"><kbd>2</kbd> the replay as a file</a></p>'
    )


def _verdict(game: Game, seat: int) -> str:
    words = "You have won." if seat in game.winners else "Others have won." if game.winners else "Nobody has won."
    return f'<p class="asks">{words}</p>'


def _log(game: Game, seat: int, read: int) -> str:
    log = game.log.of(seat)
    lines = list(log.since(events(game) - 2 * LINES))[-LINES:]
    fresh = len(list(log.since(max(read, events(game) - LINES))))
    me = f"seat {seat} "
    items = []
    for place, line in enumerate(lines):
        marks = {"turn": line.startswith("---"), "me": me in line or line.endswith(me.strip()), "new": place >= len(lines) - fresh}
        items.append(f'<li class="{" ".join(name for name, on in marks.items() if on)}">{escape(line)}</li>')
    return f'<ol class="log">{"".join(items)}</ol>'


def belief_panel(game: Game, seat: int, believer: BeliefModel | None) -> str:
    """Who may have which role, from this chair: what the deal allows, and what a deducing agent would believe in the person's place."""
    thoughts = [("What the deal allows", prior(game, seat))]
    if believer is not None:
        name = getattr(believer, "name", "an agent")
        thoughts.append((f"What {name} would believe in your place", deduced(game, seat, believer)))
    shown = [column for column in range(len(COLUMNS)) if any(belief[:, column].any() for _, belief in thoughts)]
    parts = []
    for title, belief in thoughts:
        head = "".join(f"<th>{COLUMNS[column]}</th>" for column in shown)
        rows = "".join(
            f"<tr><th>{escape(seat_name(game.record, other))}</th>{''.join(_cell(float(belief[other, column])) for column in shown)}</tr>"
            for other in range(game.config.num_players)
            if other != seat
        )
        parts.append(f'<table class="belief"><caption>{escape(title)}</caption><tr><td></td>{head}</tr>{rows}</table>')
    return "".join(parts)


def _cell(probability: float) -> str:
    return f'<td style="--share:{100 * probability:.0f}%">{percent(probability)}</td>'
