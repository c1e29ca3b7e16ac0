"""The table as HTML: a sight (`sight.py`) in named blocks, so that a page can be kept in step by exchanging the blocks that changed.

The same blocks make the page of a game in a notebook, the file of a replay, and what a browser at the table is sent. Whatever may be
clicked stands in the blocks as a button: answers named `answer`, and the text of anything printed, which opens by itself (`popovertarget`).
Text from outside is escaped here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from html import escape
from pathlib import Path

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.box import LUNATIC_PREFIX, ROLE_IDS, kind_named
from danmaku_env.cards.compile import compile_cards
from danmaku_env.cards.encyclopedia import pages
from danmaku_env.game import Game
from danmaku_env.render.asking import Answer, Question, subject
from danmaku_env.render.sight import Counts, LunaticPiles, SeatSight, Sight, sight
from danmaku_env.wording import CARD_NAMES, ROLE_NAMES, SHORT_NAMES, shown_card

ANSWER_KEYS = "123456789acdefgijkmnopqrstvwxyzACDEFGIJKMNOPQRSTVWXYZ"
"""Keys of the answers, in order; b, h, l and u are left for belief, help, log and undo."""
_STILL_EVENTS = 12
"""How many of the last events the page of a game in a notebook tells."""
_GROUPS = {
    v.HEROINES: ("heroine", "★"), v.PARTNERS: ("partner", "☆"), v.STAGE_BOSSES: ("stage", "■"), v.EXTRA_BOSSES: ("extra", "▲"),
    v.RIVALS: ("rival", "◆"),
}  # fmt: skip
"""Class and shape of a group of roles: told apart without colours too."""
_NOBODY = {"draw": "Nobody is left: a draw.", "truncated": "The turn limit is reached: nobody wins."}
_UNKNOWN = '<span class="role unknown">?</span>'
_LEFT, _RIGHT, _COLUMNS_END = 4, 10, 13
"""Lines of the twelve columns of a wide table: those between which its middle lies, and the last."""
_HERE = Path(__file__).parent


@cache
def style() -> str:
    """The style sheet of every page with a table on it."""
    return (_HERE / "table.css").read_text("utf-8")


@cache
def script() -> str:
    """What exchanges blocks and presses buttons by key."""
    return (_HERE / "table.js").read_text("utf-8")


def blocks(seen: Sight) -> dict[str, str]:
    """The table without its question: block -> HTML."""
    found = {"head": _headline(seen), "middle": _middle(seen), "hand": _hand(seen)}
    picks = _picks(seen.question, "seat:")
    return found | {f"seat-{seat.index}": _seat(seen, seat, picks.get(str(seat.index))) for seat in seen.seats}


def board(players: int, filled: Mapping[str, str]) -> str:
    """A table for the blocks of so many players; `filled` are the blocks that are there already."""
    seats = "".join(_place(f"seat-{seat}", filled) for seat in range(players))
    table = f'<div class="board" style="--middle:{_middle_area(players)}">{_place("middle", filled)}{seats}</div>'
    return f"{_place('head', filled)}{table}{_place('hand', filled)}"


def _at_a_side(players: int) -> int:
    """How many seats there are at the left, and at the right, of a wide table; who looks sits at the bottom, the others at the top."""
    return 1 if players < 7 else 2


def _middle_area(players: int) -> str:
    """Where the middle of a wide table lies, as lines of its grid."""
    return f"2 / {_LEFT} / {2 + _at_a_side(players)} / {_RIGHT}"


def _area(place: int, players: int) -> str:
    """Where the seat `place` places clockwise from who looks lies at a wide table: in a cell of its own, however much is in it."""
    side = _at_a_side(players)
    bottom, top = 2 + side, players - 1 - 2 * side
    if place == 0:
        return f"{bottom} / {_LEFT} / {bottom + 1} / {_RIGHT}"
    if place <= side:
        return f"{bottom - place} / 1 / {bottom - place + 1} / {_LEFT}"
    if place >= players - side:
        row = bottom - (players - place)
        return f"{row} / {_RIGHT} / {row + 1} / {_COLUMNS_END}"
    width = 6 if top == 1 else 4
    first = 1 + (_COLUMNS_END - 1 - width * top) // 2 + width * (place - side - 1)
    return f"1 / {first} / 2 / {first + width}"


def whole_page(title: str, body: str, *, head: str = "") -> str:
    """A page that needs nothing else."""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<title>{escape(title)}</title><link rel="icon" href="data:,">{head}</head>\n<body>{body}</body></html>\n'
    )


def _place(name: str, filled: Mapping[str, str]) -> str:
    return f'<div class="block" data-block="{name}">{filled.get(name, "")}</div>'


# ---------------------------------------------------------------- printed texts


def named(key: str, name: str = "") -> str:
    """The name of something printed; its text opens on a click, and shows under the mouse."""
    words = escape(name or pages()[key].name)
    return f'<button type="button" class="name" popovertarget="page-{key}" title="{escape(pages()[key].summary)}">{words}</button>'


@cache
def printed_pages() -> str:
    """The texts of everything printed, closed, for a page that uses `named`."""
    return "".join(_printed(key) for key in pages())


def _printed(key: str) -> str:
    page = pages()[key]
    rows = "".join(f"<p><i>{escape(part)}</i> {escape(text or program)}</p>" for part, text, program in page.rows)
    return f'<div popover class="printed" id="page-{key}"><b>{escape(page.name)}</b><small>{escape(page.facts)}</small>{rows}</div>'


def role_chip(role: str, *, hidden: bool = False) -> str:
    """A role with the shape of its group."""
    groups = int(compile_cards().tables[0]["role_groups"][ROLE_IDS.index(role)])
    kind, shape = _GROUPS.get(groups & -groups, ("", ""))  # the EX Midboss is dealt as a Partner
    words = f"({ROLE_NAMES[role]})" if hidden else ROLE_NAMES[role]
    return f'<span class="role {kind}">{shape} {named(role, words) if role in pages() else escape(words)}</span>'


def _kinds(kinds: Counts) -> str:
    return ", ".join(named(kind, _times(CARD_NAMES[kind], count)) for kind, count in kinds)


def _times(name: str, count: int) -> str:
    return name if count == 1 else f"{name} ×{count}"


# ---------------------------------------------------------------- the blocks


def _headline(seen: Sight) -> str:
    if seen.ending:
        how = f"Won by {', '.join(seen.winners)}." if seen.winners else _NOBODY[seen.ending]
        return f'<p class="head ended">The game is over. {escape(how)}</p>'
    if not seen.turn_number:
        return f'<p class="head">{escape(seen.opening[:1].upper())}{escape(seen.opening[1:])}.</p>'
    return f'<p class="head">Turn {seen.turn_number}: <b>{escape(seen.turn)}</b>, {seen.step} step</p>'


def _middle(seen: Sight) -> str:
    parts = [f'<p class="stack{" me" if line.endswith(" you") or " you " in line else ""}">{escape(line)}</p>' for line in seen.stack]
    parts += [_incident(incident) for incident in seen.incidents] or ['<p class="none">no incident</p>']
    if seen.collected:
        parts.append(f"<p>collected: {', '.join(f'{count} {season}' for season, count in seen.collected)}</p>")
    pile = _pile("discard pile", seen.discard, seen.discard_top)
    parts.append(f"<p>deck {seen.deck} · incidents left {seen.incident_deck} · {pile}</p>")
    if seen.lunatic and seen.begun:
        parts.append(_lunatic(seen.lunatic))
    parts += [f'<p class="private">{escape(line)}</p>' for line in seen.private]
    return f'<div class="middle">{"".join(parts)}</div>'


def _pile(called: str, discard: Counts, top: str) -> str:
    kinds = ", ".join(_times(CARD_NAMES[kind], count) for kind, count in discard)
    shown = f", top {named(kind_named(top), shown_card(top))}" if top else ""
    return f'<span title="{escape(kinds)}">{called} {sum(count for _, count in discard)}</span>{shown}'


def _lunatic(piles: LunaticPiles) -> str:
    pile = _pile("its discard pile", piles.discard, piles.discard_top)
    characters = f"characters to recruit {piles.characters_left}, discarded {piles.characters_discarded}"
    return f'<p class="lunatic">Lunatic deck {piles.deck} · {pile} · {characters}</p>'


def _incident(incident: str) -> str:
    return f'<p class="incident">Incident: {named(incident)}</p><p class="says">{escape(pages()[incident].summary)}</p>'


def _seat(seen: Sight, seat: SeatSight, pick: tuple[Answer, str] | None) -> str:
    marks = {"mine": seat.mine, "turn": seat.has_turn, "asked": seat.is_asked, "out": not seat.active}
    marks |= {"reach": bool(seat.in_range), "beyond": seat.in_range is False and not seat.mine}
    classes = " ".join(["seat", *(name for name, on in marks.items() if on)])
    place = [other.index for other in seen.seats].index(seat.index)
    where = f"--area:{_area(place, seen.players)};order:{place}"
    parts = [_who(seat), _standing(seen, seat)]
    if seat.extras:
        parts.append(f'<p class="extras">with {", ".join(named(name, SHORT_NAMES[name]) for name in seat.extras)}</p>')
    if seat.items:
        parts.append(f'<p class="items">{_kinds(seat.items)}</p>')
    if seat.known:
        parts.append(f"<p>holds {_kinds(seat.known)}</p>")
    if seat.hand and not seat.mine:
        parts.append(f"<p>{', '.join(named(kind_named(card), _times(shown_card(card), count)) for card, count in seat.hand)}</p>")
    notes = [*(["has won"] if seat.name in seen.winners else []), *(["in range"] if seat.in_range else []), *seat.notes]
    if notes:
        parts.append(f'<p class="notes">{escape(" · ".join(notes))}</p>')
    if pick is not None:
        answer, key = pick
        parts.append(_pick(answer, key))
    return f'<div class="{classes}" style="{where}">{"".join(parts)}</div>'


def _who(seat: SeatSight) -> str:
    who = " and ".join(named(name, SHORT_NAMES[name]) for name in (seat.character, seat.second_character) if name) or "…"
    role = _UNKNOWN if seat.role is None else role_chip(seat.role, hidden=seat.role_hidden) if seat.role else ""
    you = " <em>you</em>" if seat.mine else ""
    mark = '<span class="mark" title="has the turn">▶</span>' if seat.has_turn else ""
    return f'<p class="who">{mark}<b>{seat.index}</b> {who}{you} {role}</p>'


def _standing(seen: Sight, seat: SeatSight) -> str:
    if not seat.active:
        return '<p class="life">defeated</p>'
    if not seen.begun:
        return ""
    hearts = f"{'♥' * seat.life}{'♡' * max(0, seat.max_life - seat.life)}"
    life = f'<span class="hearts" aria-hidden="true">{hearts}</span> {seat.life}/{seat.max_life}'
    return f'<p class="life">{life} · {seat.hand_size} card{"" if seat.hand_size == 1 else "s"}</p>'


def _hand(seen: Sight) -> str:
    """The hand of the seat that looks, as cards; those that are an answer by themselves can be clicked."""
    hand = seen.seats[0].hand
    if seen.eyes is None or hand is None or not seen.seats[0].active:
        return ""
    picks = _card_picks(seen)
    cards = "".join(_hand_card(card, count, picks.get(kind_named(card))) for card, count in hand)
    return f'<div class="hand" aria-label="your hand">{cards or "<p>no cards in hand</p>"}</div>'


def _hand_card(card: str, count: int, pick: tuple[Answer, str] | None) -> str:
    kind, season = kind_named(card), card.partition("/")[2]
    page = pages()[kind]
    play = ""
    if pick is not None:
        answer, key = pick
        play = f'<button name="answer" value="{answer.action}" class="pick" aria-label="{escape(answer.label)}">{_key(key)}</button>'
    copies = f"{'Lunatic ' * card.startswith(LUNATIC_PREFIX)}{season}{f' ×{count}' if count > 1 else ''}"
    words = f'<small class="season">{copies}</small><span class="does">{escape(page.summary)}</span>'
    return f'<div class="card{" playable" if pick else ""}">{named(kind)}{words}{play}</div>'


# ---------------------------------------------------------------- the question


def question_block(question: Question) -> str:
    """The question and all its answers as buttons, each with its key."""
    characters = "".join(f'<p class="choice">{named(key)} {escape(pages()[key].summary)}</p>' for key in question.characters)
    buttons = "".join(_answer(answer, key) for answer, key in keyed(question.answers))
    return f'<p class="asks">{escape(question.plain)}</p>{_why(question)}{characters}<div class="answers">{buttons}</div>'


def _why(question: Question) -> str:
    """The text that asks."""
    return f'<p class="why">{escape(question.why)}</p>' if question.why else ""


def asked_words(seen: Sight) -> str:
    """The question as it is told to who only looks on."""
    if seen.question is None:
        return ""
    asked = seen.seat(seen.question.seat)
    answers = " · ".join(answer.label for answer in seen.question.answers)
    words = f"{escape(asked.name)} is asked: {escape(seen.question.plain)}"
    return f'<p class="asks">{words}</p>{_why(seen.question)}<p class="may">{escape(answers)}</p>'


def keyed(answers: Iterable[Answer]) -> list[tuple[Answer, str]]:
    """Each answer with its key, "" where the keys have run out."""
    answers = list(answers)
    return list(zip(answers, ANSWER_KEYS.ljust(len(answers))[: len(answers)], strict=True))


def _answer(answer: Answer, key: str) -> str:
    words = f"<small>{escape(answer.note)}</small>" if answer.note else ""
    press = f' data-key="{key}"' if key.strip() else ""
    return (
        f'<button name="answer" value="{answer.action}"{press}{_confirmed(answer)}>'
        f"{_key(key)}<span>{escape(answer.label)}</span>{words}</button>"
    )


def _pick(answer: Answer, key: str) -> str:
    """A card or seat that is itself an answer."""
    what = f'value="{answer.action}" class="pick" aria-label="{escape(answer.label)}"'
    return f'<button name="answer" {what}{_confirmed(answer)}>{_key(key)}</button>'


def _confirmed(answer: Answer) -> str:
    """What a page asks before it sends an answer that has a price."""
    return f' data-confirm="{escape(f"{answer.label}: {answer.price}.")}"' if answer.price else ""


def _key(key: str) -> str:
    return f"<kbd>{key}</kbd>" if key.strip() else ""


def _picks(question: Question | None, prefix: str) -> dict[str, tuple[Answer, str]]:
    """What stands behind `prefix` in answers like `choose seat:2` -> the answer and its key."""
    found = {}
    for answer, key in keyed(question.answers) if question else []:
        verb, _, what = answer.name.partition(" ")
        if verb == "choose" and what.startswith(prefix):
            found[what.removeprefix(prefix)] = (answer, key)
    return found


_OF_OWN_HAND = ("discard", "pay", "boost")
"""Questions in which `choose card:` names a card of one's own hand."""


def _card_picks(seen: Sight) -> dict[str, tuple[Answer, str]]:
    """Kind -> the one answer that a card of one's own hand stands for."""
    if seen.question is None:
        return {}
    if seen.question.word in _OF_OWN_HAND:
        return _picks(seen.question, "card:")
    found = {}
    for answer, key in keyed(seen.question.answers):
        if answer.name.startswith("play "):
            found[subject(answer.name)] = (answer, key)
    return found


# ---------------------------------------------------------------- a game in a notebook


def game_page(game: Game) -> str:
    """The table from above and the last events: what a notebook shows of a game."""
    seen = sight(game, None)
    lines = "".join(f"<li>{escape(line)}</li>" for line in game.log.above()[-_STILL_EVENTS:])
    there = f'{board(seen.players, blocks(seen))}{asked_words(seen)}<ol class="log">{lines}</ol>'
    return f'<style>{style()}</style><div class="danmaku still">{there}</div>{printed_pages()}'
