"""What a person's browser is sent: the whole page in named blocks, of which a message carries those that changed, and what happened.

A page shows only this of the game: the view of the person's seat (`render/table_view.py`), the log as that seat knows it, and what follows
from both. It shows this of the table: what everybody may know (who is here, the clock), and what concerns the person alone (the number of
their question, their notice).
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from html import escape
from typing import Any

from danmaku_env.agents.base import BeliefModel
from danmaku_env.agents.by_faction import COLUMNS, deduced, prior
from danmaku_env.game import Game
from danmaku_env.machine.records import Array
from danmaku_env.play.beliefs import STYLES, likeliest, percent
from danmaku_env.play.browser.guided import lesson
from danmaku_env.play.browser.table import PASSES, PHRASES, SeatedPerson, ServedTable
from danmaku_env.play.browser.together import is_window
from danmaku_env.play.screen import events
from danmaku_env.render.answers import Keys, question_block
from danmaku_env.render.faces import goal, role_chip
from danmaku_env.render.happening import happenings
from danmaku_env.render.html import blocks, on_board
from danmaku_env.render.table_view import OUTSIDE, table_view
from danmaku_env.wording import seat_name

LINES = 60
"""Events of which a page that is opened is told at least; the whole log is on a page of its own."""
Page = dict[str, Any]
"""Blocks of HTML by name, `events` (render/happening.py), `count`, the number of events logged, and `read`, how many are known already."""


def seat_blocks(
    game: Game, seat: int, *, read: int, number: int | None, keys: Keys | None = None, called: Sequence[str] = ()
) -> Page:  # fmt: skip
    """The part of a page that shows the game; `read` events were there when the person last answered.

    `number` is that of the question that is put to the person, None while others are waited for. `keys` are those of the answers in this
    turn, `called` what whoever plays each seat is called.
    """
    seen = table_view(game, seat, asked=number is not None)
    found: Page = dict(blocks(seen, keys, called))
    if seen.question is not None:
        asked = question_block(seen.question, keys, on_board=on_board(seen))
        found["question"] = f'<input type="hidden" name="question" value="{number}">{asked}'
    else:
        found["question"] = _verdict(game, seat) if seen.ending else f'<p class="asks waiting">{_awaited(game)}</p>'
    count = events(game)
    return found | {"events": happenings(game, seat, min(read, count - LINES)), "count": count, "read": min(read, count)}


def _awaited(game: Game) -> str:
    """That others think, and whose turn it is: never who is asked, nor whether somebody may react, as that would tell of a hand."""
    whose = f"The turn of {seat_name(game.record, game.turn)}. " if game.turn_number else ""
    return f'{escape(whose)}<span class="thinking">Answers are awaited</span>'


def page_blocks(table: ServedTable, person: SeatedPerson) -> Page:
    """Everything on a person's page but the belief panel."""
    number = person.question if table.is_asked(person) else None
    called = [table.called(seat) for seat in range(len(table.setting.seats))]
    found = seat_blocks(table.seen_by(person), person.seat, read=person.read, number=number, keys=person.keys, called=called)
    if table.is_played_by_agent(person.seat):
        found["question"] = f'<p class="asks">An agent plays your seat.</p>{_post("back", "take it back")}'
    found["coach"] = _coach(table, person)
    found["talk"] = _talk(table)
    found["notice"] = f"<p>{escape(person.notice)}</p>" if person.notice else ""
    found["people"] = people(table)
    found["clock"] = _clock(table, person)
    found["passing"] = _passing(table, person)
    found["after"] = _ending(table, person)
    return found


def outside_blocks(table: ServedTable) -> Page:
    """The page of somebody who only looks on: what every seat may know, and at the end everything."""
    called = [table.called(seat) for seat in range(len(table.setting.seats))]
    found = seat_blocks(table.shown, OUTSIDE, read=events(table.shown), number=None, called=called)
    return found | {"talk": _talk(table), "people": people(table, may_give=False), "after": _ending(table)}


def people(table: ServedTable, *, links: bool = False, may_give: bool = True) -> str:
    """Who sits where, and who is here.

    `links`: with the links to the seats, for whoever laid the table. `may_give`: offer the seats of those who are gone to agents.
    """
    rows = []
    for seat, name in enumerate(table.setting.seats):
        person = table.people.get(seat)
        if person is None:
            rows.append(f"<li>{seat} <b>{escape(name)}</b></li>")
            continue
        name = f" {escape(person.name)}" if person.name else ""
        open_pages = f"here on {person.pages} pages" if person.pages > 1 else "here" if person.pages else "not here"
        state = "an agent, for now" if table.is_played_by_agent(seat) else open_pages + _waited_for(table, person)
        link = f' <a href="/s/{person.secret}/">the link to this seat</a>' if links and not person.drawn else ""
        give = _post(f"give/{seat}", f"give seat {seat} to an agent") if may_give and _can_be_given(table, person) else ""
        rows.append(f"<li>{seat} <b>a person</b>{name}, {state}{link}{give}</li>")
    return f'<ul class="people">{"".join(rows)}</ul>'


def _waited_for(table: ServedTable, person: SeatedPerson) -> str:
    """Since when a person is waited for in their own main step; who is asked at other times would tell what they hold."""
    if table.pending != person.seat or table.game.question != "main":
        return ""
    return f", to move since {time.strftime('%H:%M:%S', time.localtime(person.ends_at - (table.setting.clock or 0.0)))}"


def _talk(table: ServedTable) -> str:
    said = (f"<li><b>{escape(table.called(seat))}</b> ({seat}): {escape(PHRASES[number])}</li>" for seat, number in table.talk)
    return f'<ul class="talk">{"".join(said)}</ul>' if table.talk else ""


def _coach(table: ServedTable, person: SeatedPerson) -> str:
    if not table.setting.guided or table.pending != person.seat:
        return ""
    words = lesson(table.shown, len(table.in_play.past))
    return f'<p class="coach"><b>Coach</b> {escape(words)}</p>' if words else ""


def state(table: ServedTable) -> str:
    """How far a game is, for the host, who may not look into it."""
    if table.shown.over:
        return f"<p>The game is over.</p>{_ending(table)}"
    turn = f"turn {table.shown.turn_number}" if table.shown.turn_number else "the first turn has not begun"
    return f"<p>The game is on: {turn}.</p>"


def _can_be_given(table: ServedTable, person: SeatedPerson) -> bool:
    return not table.shown.over and not table.is_played_by_agent(person.seat) and table.is_gone(person)


def _post(what: str, words: str) -> str:
    """A button that posts to a place below the page."""
    return f' <button formaction="{what}" formnovalidate>{escape(words)}</button>'


def _clock(table: ServedTable, person: SeatedPerson) -> str:
    if table.setting.clock is None or not table.is_asked(person):
        return ""
    seconds, ends = table.setting.clock, round(1000 * person.ends_at)
    return (
        f'<p class="clock" role="timer" style="--seconds:{seconds:g}s" data-seconds="{seconds:g}" data-ends="{ends}">'
        f"<b>{seconds:g} s</b> for your answer</p>"
    )


def _passing(table: ServedTable, person: SeatedPerson) -> str:
    """Passing for a while: what is on, or, beside a question that can be passed, what there is."""
    if person.passes:
        return f'<p class="passing">You pass {PASSES[person.passes]}.{_post("pass-stop", "stop")}</p>'
    if not table.is_asked(person) or not is_window(table.seen_by(person)):
        return ""
    return f'<p class="passing">Pass{"".join(_post(f"pass-{word}", words) for word, words in PASSES.items())}</p>'


def _ending(table: ServedTable, person: SeatedPerson | None = None) -> str:
    """What can be done after the end; whoever has a seat can also ask for another game."""
    if table.replay is None:
        return ""
    again = _post("again", "again with the same table") if person is not None else ""
    if table.following:
        to = f"/s/{table.following[person.seat]}/" if person is not None else f"/w/{table.following[OUTSIDE]}/"
        again = f' <a href="{to}" data-key="3"><kbd>3</kbd> to the next game</a>'
    return (
        '<p class="after"><a href="replay.html" data-key="1"><kbd>1</kbd> look at the game</a> '
        '<a href="replay.json" download data-key="2"><kbd>2</kbd> the replay as a file</a>'
        f"{again}</p>"
    )


def _verdict(game: Game, seat: int) -> str:
    """Who has won, by which goal, role by role; one's own first in words, then ticked or crossed."""
    won = seat in game.winners
    if seat is OUTSIDE:
        return f'<p class="asks">{"The game is over." if game.winners else "Nobody has won."}</p>{_outcomes(game)}'
    words = "You have won." if won else "Others have won." if game.winners else "Nobody has won."
    role = game.seat(seat).role
    own = f" Your goal {'is' if won else 'was not'} reached: {goal(role)}" if role and game.winners else ""
    return f'<p class="asks">{words}{escape(own)}</p>{_outcomes(game, seat)}'


def _outcomes(game: Game, mine: int = OUTSIDE) -> str:
    """Who has won, role by role."""
    rows = "".join(_outcome(game, other, is_mine=other == mine) for other in range(game.config.num_players))
    head = "<tr><th>seat</th><th>role</th><th>goal</th><th>won</th></tr>"
    return f'<div class="scroll" tabindex="0" role="region" aria-label="who has won"><table class="outcome">{head}{rows}</table></div>'


def _outcome(game: Game, seat: int, *, is_mine: bool) -> str:
    role, won = game.seat(seat).role, seat in game.winners
    mark = '<b class="yes">✓ won</b>' if won else '<span class="no">✗</span>'
    cells = (escape(seat_name(game.record, seat)), role_chip(role) if role else "no role", escape(goal(role)), mark)
    return f"<tr{' class=mine' if is_mine else ''}>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"


def belief_panel(game: Game, seat: int, belief_model: BeliefModel | None) -> str:
    """Who may have which role, as this person sees it: what the deal allows, and what a deducing agent would believe in their place."""
    thoughts = [("What the deal allows", prior(game, seat))]
    if belief_model is not None:
        name = getattr(belief_model, "name", "an agent")
        thoughts.append((f"What {name} would believe in your place", deduced(game, seat, belief_model)))
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
    return "".join([*parts, *(_bar(other, thoughts[-1][1][other]) for other in range(game.config.num_players) if other != seat)])


def _bar(seat: int, belief: Array) -> str:
    """What is believed about a seat as a bar of the roles, which the page also puts at the seat."""
    parts = "".join(f'<i class="{name}" style="flex:{share:.3f}"></i>' for name, share in zip(STYLES, belief, strict=True) if share > 0.004)
    return f'<div hidden data-about="{seat}"><span class="bar">{parts}</span><small>{escape(likeliest(belief))}</small></div>'


def _cell(probability: float) -> str:
    return f'<td style="--share:{100 * probability:.0f}%">{percent(probability)}</td>'
