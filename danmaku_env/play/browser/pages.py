"""The pages: the lobby, the page of who laid a table, the page of a seat. What changes on them are blocks (message.py)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from danmaku_env.engine.state import FEWEST_CANDIDATES, MOST_CANDIDATES
from danmaku_env.play.browser.lobby import CLOCKS, FEWEST_PLAYERS, MOST_PLAYERS
from danmaku_env.play.browser.table import Chair, Table
from danmaku_env.play.party import PERSON
from danmaku_env.render.html import board, printed_pages, whole_page

_HEAD = '<link rel="stylesheet" href="/static/table.css"><link rel="stylesheet" href="/static/serve.css">'
_LIVE = '<script src="/static/table.js"></script><script src="/static/live.js"></script>'
_SINK = '<iframe name="sink" class="sink" title="answers of the server" tabindex="-1"></iframe>'
_LOST = '<p class="lost" role="alert">The connection is lost; trying again ...</p>'
_HELP = (
    ("1 2 ... a c ...", "give that answer; cards and seats that are answers can be clicked too"),
    ("b", "who may have which role, as far as your seat can tell"),
    ("l", "everything that has happened, as your seat knows it"),
    ("u", "take back your last answer (at a practice table)"),
    ("h", "this list"),
    ("a name", "click it: what is printed there"),
)


_BOXES = {"none": "the base game", "lunatic_extra": "with Lunatic Extra"}
_WAYS = {
    "choose": "everybody chooses one", "random": "dealt at random", "draft": "drafted from an open pool",
    "double_threat": "everybody chooses two and plays both (Double Threat)",
}  # fmt: skip


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
<p>Lay a table: people come by a link of their own for each seat.</p>
<form method="post" action="{escape(action)}">
<fieldset><legend>The game</legend>
<label>players <select name="players" id="players">{players}</select></label>
<label>roles <select name="roles"><option value="advanced">all</option><option value="basic">of a first game</option></select></label>
<label>box <select name="expansion">{_options(_BOXES)}</select></label>
<label>characters <select name="characters">{_options(_WAYS)}</select></label>
<label>of <select name="candidates">{candidates}</select></label>
<label><input type="checkbox" name="bonus"> with Player 2, the bonus character</label></fieldset>
<fieldset><legend>Who sits where</legend><div class="chairs">{seats}</div>
<p><small>Seats beyond the number of players stay empty.</small></p></fieldset>
<fieldset><legend>How</legend>
<label>clock <input name="clock" inputmode="numeric" placeholder="none" size="6" aria-describedby="clock-words"></label>
<small id="clock-words">seconds for an answer, {low} to {high}; then an agent gives it</small>
<label><input type="checkbox" name="practice"> practice: answers may be taken back (one person)</label>
<label>seed <input name="seed" inputmode="numeric" size="12" placeholder="random"></label><small>for practice only</small>
<label>ask <select name="ask"><option value="usual">everybody where several people play, else who can answer</option>
<option value="everybody">everybody, whenever somebody may react</option><option value="able">only who can answer</option></select></label>
<small>A pause tells that somebody could react, unless everybody is asked.</small>
</fieldset><button class="main">Lay the table</button></form></main>'''
    return whole_page("Danmaku!!", body, head=_HEAD)


def _seat_choice(seat: int, agents: Sequence[str]) -> str:
    usual = PERSON if seat == 0 else agents[0]
    options = "".join(
        f'<option value="{escape(name)}"{" selected" * (name == usual)}>{escape("a person" if name == PERSON else name)}</option>'
        for name in (PERSON, *agents)
    )
    return f'<label>seat {seat} <select name="seat{seat}">{options}</select></label>'


def host_page(table: Table, filled: Mapping[str, str]) -> str:
    """For who laid a table: the links to the seats."""
    body = (
        f'<form method="post" target="sink"><main class="danmaku lobby">{_LOST}<h1>The table is laid</h1>'
        "<p>Give everybody the link to their seat, and only that one: who has it plays the seat and sees its cards. Keep this page.</p>"
        f'<div data-block="people">{filled["people"]}</div><div data-block="state">{filled["state"]}</div>{_SINK}</main></form>{_LIVE}'
    )
    return whole_page("Danmaku!!: the table", body, head=f'<base href="/h/{table.host}/">{_HEAD}')


def seat_page(table: Table, chair: Chair, filled: Mapping[str, str]) -> str:
    """A person's place at the table."""

    def block(name: str, *attributes: str) -> str:
        return f'<div data-block="{name}" {" ".join(attributes)}>{filled.get(name, "")}</div>'

    undo = '<button formaction="undo" data-key="u"><kbd>u</kbd> take back</button>' if table.setting.practice else ""
    body = (
        f'<form method="post" action="answer" target="sink"><main class="danmaku live">{_LOST}'
        f'<section class="place">{board(table.setting.config.num_players, filled)}</section>'
        f'<section class="ask">{block("clock")}{block("notice", "role=alert")}'
        f"{block('question', 'aria-live=polite')}{block('after')}</section>"
        f'<aside><p class="tools"><button formaction="belief" data-key="b"><kbd>b</kbd> beliefs</button> {undo}'
        '<a href="log" target="_blank" data-key="l"><kbd>l</kbd> log</a> '
        f'<button type="button" popovertarget="help" data-key="h"><kbd>h</kbd> help</button></p>'
        f"{block('belief')}{block('log', 'tabindex=0', 'aria-label=log')}{block('people')}</aside>{_SINK}</main></form>"
        f"{printed_pages()}{_help()}{_LIVE}"
    )
    return whole_page(f"Danmaku!!, seat {chair.seat}", body, head=f'<base href="/s/{chair.secret}/">{_HEAD}')


def _help() -> str:
    rows = "".join(f"<p><kbd>{escape(keys)}</kbd> {escape(words)}</p>" for keys, words in _HELP)
    return f'<div popover class="printed" id="help">{rows}</div>'


def sentence_page(sentence: str) -> str:
    """A refusal, or anything else that is one sentence."""
    return whole_page("Danmaku!!", f'<main class="danmaku lobby"><p>{escape(sentence)}</p></main>', head=_HEAD)


def log_page(lines: Sequence[str]) -> str:
    """All of a log."""
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return whole_page("Danmaku!!: the log", f'<main class="danmaku lobby"><ol class="log">{items}</ol></main>', head=_HEAD)
