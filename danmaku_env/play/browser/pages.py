"""The pages: the lobby, the host's page, the page of a seat. The parts that change are blocks (message.py)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from danmaku_env.engine.state import FEWEST_CANDIDATES, MOST_CANDIDATES
from danmaku_env.play.browser.guide import BOXES, CHARACTER_OPTIONS, about_agent, rules_sheet
from danmaku_env.play.browser.lobby import CLOCKS, FEWEST_PLAYERS, MOST_PLAYERS
from danmaku_env.play.browser.table import MOST_LETTERS, PHRASES, SeatedPerson, ServedTable
from danmaku_env.play.game_in_play import PERSON
from danmaku_env.render.faces import printed_pages
from danmaku_env.render.html import board, whole_page

_HEAD = '<link rel="stylesheet" href="/static/table.css"><link rel="stylesheet" href="/static/serve.css">'
_LIVE = '<script src="/static/table.js"></script><script type="module" src="/static/live.js"></script>'
_SINK = '<iframe name="sink" class="sink" title="answers of the server" tabindex="-1"></iframe>'
_LOST = '<p class="lost" role="alert">The connection is lost; trying again ...</p>'


def _options(words: Mapping[str, str]) -> str:
    return "".join(f'<option value="{escape(value)}">{escape(shown)}</option>' for value, shown in words.items())


def lobby_page(agents: Sequence[str], action: str) -> str:
    """Where a table is laid."""
    numbers = range(FEWEST_PLAYERS, MOST_PLAYERS + 1)
    players = "".join(f'<option value="{number}"{" selected" * (number == 6)}>{number}</option>' for number in numbers)
    candidates = _options({str(number): f"{number} each" for number in range(FEWEST_CANDIDATES, MOST_CANDIDATES + 1)})
    seats = "".join(_seat_choice(seat, agents) for seat in range(MOST_PLAYERS))
    low, high = (f"{seconds:g}" for seconds in CLOCKS)
    body = f'''<main class="danmaku lobby"><h1>Danmaku!!</h1>
<form method="post" action="{escape(action)}"><p>New to the game? <button class="main" name="guided" value="on">A guided first game</button>
</p></form><h2>Lay a table</h2><p>People come by a link of their own for each seat.</p>
<form method="post" action="{escape(action)}">
<fieldset><legend>The game</legend>
<label>players <select name="players" id="players">{players}</select></label>
<label>roles <select name="roles"><option value="advanced">all</option><option value="basic">of a first game</option></select></label>
<label>box <select name="expansion">{_options(BOXES)}</select></label>
<label>characters <select name="characters">{_options(CHARACTER_OPTIONS)}</select></label>
<label>to choose from <select name="candidates">{candidates}</select></label>
<label><input type="checkbox" name="bonus"> with Player 2, the bonus character</label></fieldset>
<fieldset><legend>Who sits where</legend><div class="seats">{seats}</div>
<dl>{_about_agents(agents)}</dl></fieldset>
<fieldset><legend>How</legend>
<label>clock <input name="clock" inputmode="numeric" placeholder="none" size="6" aria-describedby="clock-words"></label>
<small id="clock-words">seconds for an answer, {low} to {high}; then an agent gives it</small>
<label><input type="checkbox" name="practice"> practice: answers may be taken back (one person)</label>
<label>seed <input name="seed" inputmode="numeric" size="12" placeholder="random"></label><small>for practice only</small>
<label>ask <select name="ask"><option value="usual">everybody where several people play, else those who can answer</option>
<option value="everybody">everybody, whenever somebody may react</option><option value="able">those who can answer</option></select></label>
<small>A pause tells that somebody could react, unless everybody is asked.</small>
</fieldset><button class="main">Lay the table</button></form></main>'''
    return whole_page("Danmaku!!", body, head=_HEAD)


def _seat_choice(seat: int, agents: Sequence[str]) -> str:
    default = PERSON if seat == 0 else agents[0]
    options = "".join(
        f'<option value="{escape(name)}"{" selected" * (name == default)}>{escape("a person" if name == PERSON else name)}</option>'
        for name in (PERSON, *agents)
    )
    return f'<label>seat {seat} <select name="seat{seat}">{options}</select></label>'


def _about_agents(agents: Sequence[str]) -> str:
    """What each agent is, in a sentence."""
    return "".join(f"<dt>{escape(name)}</dt><dd>{escape(words)}</dd>" for name in agents if (words := about_agent(name)))


def host_page(table: ServedTable, filled: Mapping[str, str]) -> str:
    """For whoever laid a table: the links to the seats."""
    body = (
        f'<form method="post" target="sink"><main class="danmaku lobby">{_LOST}<h1>The table is laid</h1>'
        "<p>Give everybody the link to their seat, and only that one: whoever has it plays the seat and sees its cards. Keep this page.</p>"
        f'<p>Or send all of them <a href="/j/{table.joining}/">one link, by which each draws a seat</a> and a secret of their own.</p>'
        f'<p>A spectator needs <a href="/w/{table.watching}/">another link</a>: it shows what everybody may know, and no hand.</p>'
        f'<div data-block="notice" role="status">{filled["notice"]}</div>'
        f'<div data-block="people">{filled["people"]}</div><div data-block="state">{filled["state"]}</div>{_SINK}</main></form>{_LIVE}'
    )
    return whole_page("Danmaku!!: the table", body, head=f'<base href="/h/{table.host}/">{_HEAD}')


def seat_page(table: ServedTable, person: SeatedPerson, filled: Mapping[str, str]) -> str:
    """A person's place at the table."""
    undo = '<button formaction="undo" data-key="u"><kbd>u</kbd> take back</button>' if table.setting.practice else ""
    tools = f'<button formaction="belief" data-key="b"><kbd>b</kbd> beliefs</button>{undo}'
    return _live_page(table, f"Danmaku!!, seat {person.seat}", f"/s/{person.secret}/", filled, tools, _saying(table, person))


def outside_page(table: ServedTable, filled: Mapping[str, str]) -> str:
    """The table for somebody who only looks on."""
    return _live_page(table, "Danmaku!!, looking on", f"/w/{table.watching}/", filled)


def _live_page(table: ServedTable, title: str, base: str, filled: Mapping[str, str], tools: str = "", saying: str = "") -> str:
    """The table, what is asked, and beside it tools, beliefs and the log."""

    def block(name: str, *attributes: str) -> str:
        return f'<div data-block="{name}" {" ".join(attributes)}>{filled.get(name, "")}</div>'

    beliefs = block("belief", 'tabindex="0" role="region" aria-label="beliefs"')
    body = (
        f'<form method="post" action="answer" target="sink"><main class="danmaku live">{_LOST}'
        f'<h1 class="unseen">{title}</h1>'
        f'<section class="place" aria-label="the table"><p class="banner" role="status" hidden></p>'
        f"{board(table.setting.config.num_players, filled)}</section>"
        f'<section class="ask" aria-label="your question"><p class="latest" aria-live="polite"></p>{block("coach")}{block("clock")}'
        f"{block('notice', 'role=alert')}{block('question', 'aria-live=polite')}{block('passing')}{block('after')}</section>"
        f'<aside aria-label="tools, beliefs and the log">{_tools(tools)}{beliefs}'
        '<div class="lines" tabindex="0" role="region" aria-label="log"><ol class="log"></ol></div>'
        f"{block('talk')}{saying}{block('people')}</aside>"
        f"{_SINK}</main></form>{printed_pages()}{rules_sheet()}{_LIVE}"
    )
    return whole_page(title, body, head=f'<base href="{base}">{_HEAD}')


def _tools(more: str) -> str:
    return (
        f'<p class="tools">{more}<a href="log" target="_blank" data-key="l"><kbd>l</kbd> log</a>'
        '<button type="button" popovertarget="help" data-key="h"><kbd>h</kbd> rules</button>'
        '<button type="button" id="theme">light, dark</button><button type="button" id="sound" aria-pressed="true">sound</button></p>'
        '<p class="tools pace"><label>an event lasts <input type="range" id="pace" min="0" max="1.2" step="0.1" value="0.6">'
        '</label><span id="pace-words"></span><button type="button" id="skip" data-key="s" hidden><kbd>s</kbd> skip</button></p>'
    )


def _saying(table: ServedTable, person: SeatedPerson) -> str:
    """What a person can say, what they are called, and the link for their friends."""
    phrases = "".join(f'<button formaction="say-{number}">{escape(words)}</button>' for number, words in enumerate(PHRASES))
    return (
        f'<details class="saying"><summary>say something, your name, a link to look on</summary><p class="tools">{phrases}</p>'
        f'<p class="tools"><label>you are <input name="name" maxlength="{MOST_LETTERS}" size="12" value="{escape(person.name)}"></label>'
        f'<button formaction="name">be called that</button> <a href="/w/{table.watching}/" target="_blank">the table for spectators</a>'
        "</p></details>"
    )


def join_page(secret: str) -> str:
    """For somebody who comes by the joining link."""
    body = (
        '<main class="danmaku lobby"><h1>Danmaku!!</h1><p>A table is laid for you. Keep the address of your seat: it is yours alone.</p>'
        f'<form method="post" action="/j/{secret}/draw"><button class="main">Draw a seat</button></form></main>'
    )
    return whole_page("Danmaku!!: come to the table", body, head=_HEAD)


def sentence_page(sentence: str) -> str:
    """A refusal, or anything else that is one sentence."""
    return whole_page("Danmaku!!", f'<main class="danmaku lobby"><h1>Danmaku!!</h1><p>{escape(sentence)}</p></main>', head=_HEAD)


def log_page(lines: Sequence[str]) -> str:
    """All of a log."""
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    body = f'<main class="danmaku lobby"><h1>The log</h1><ol class="log">{items}</ol></main>'
    return whole_page("Danmaku!!: the log", body, head=_HEAD)
