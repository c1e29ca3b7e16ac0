"""The table as HTML: a view (`table_view.py`) in named blocks, so that a page can be kept in step by exchanging the blocks that changed.

The same blocks make the page of a game in a notebook, the file of a replay, and what a browser at the table is sent. Whatever may be
clicked stands in the blocks as a button: answers named `answer`, and the text of anything printed, which opens by itself (`popovertarget`).
Text from outside is escaped here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from html import escape
from pathlib import Path

from danmaku_env.cards.box import kind_named
from danmaku_env.cards.encyclopedia import pages
from danmaku_env.game import Game
from danmaku_env.render.answers import Keys, asked_words, card_picks, pick, seat_picks
from danmaku_env.render.asking import Answer
from danmaku_env.render.faces import card_face, crest, goal, named, printed_pages, role_chip, season_sign
from danmaku_env.render.table_view import Counts, LunaticPiles, SeatView, TableView, named_cards, table_view
from danmaku_env.wording import CARD_NAMES, SHORT_NAMES, shown_card, times

_STILL_EVENTS = 12
"""How many of the last events the page of a game in a notebook tells."""
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


def blocks(seen: TableView, keys: Keys | None = None, called: Sequence[str] = ()) -> dict[str, str]:
    """The table without its question: block -> HTML. `keys` are those of the answers, `called` what whoever plays each seat is called."""
    found = {"head": _headline(seen), "middle": _middle(seen), "hand": _hand(seen, keys)}
    picks = seat_picks(seen.question, keys)
    for seat in seen.seats:
        found[f"seat-{seat.index}"] = _seat(seen, seat, picks.get(str(seat.index)), called[seat.index] if called else "")
    return found


def on_board(seen: TableView) -> set[str]:
    """Names of the answers that have their place on the table: they are cards of the hand, or seats."""
    hand = {kind_named(card) for card, _ in seen.seats[0].hand or ()} if seen.seats[0].active else set()
    cards = {answer.name for kind, (answer, _) in card_picks(seen.question).items() if kind in hand}
    return cards | {answer.name for answer, _ in seat_picks(seen.question).values()}


def board(players: int, filled: Mapping[str, str]) -> str:
    """A table for the blocks of this number of players; `filled` are the blocks that are there already."""
    seats = "".join(_place(f"seat-{seat}", filled) for seat in range(players))
    center = f'<div class="center">{_place("middle", filled)}<div class="spotlight" aria-hidden="true"></div></div>'
    table = (
        f'<div class="board" style="--middle:{_middle_area(players)}">{center}{seats}<svg class="arrows" aria-hidden="true"></svg></div>'
    )
    return f"{_place('head', filled)}{table}{_place('hand', filled)}"


def _at_a_side(players: int) -> int:
    """How many seats there are at the left, and at the right, of a wide table; the observer sits at the bottom, the others at the top."""
    return 1 if players < 7 else 2


def _middle_area(players: int) -> str:
    """Where the middle of a wide table lies, as lines of its grid."""
    return f"2 / {_LEFT} / {2 + _at_a_side(players)} / {_RIGHT}"


def _area(place: int, players: int, *, mine: bool) -> str:
    """Where the seat `place` places clockwise from the observer lies at a wide table: in a cell of its own, however much is in it."""
    side = _at_a_side(players)
    bottom, top = 2 + side, players - 1 - 2 * side
    if place == 0:
        return f"{bottom} / 1 / {bottom + 1} / {_COLUMNS_END}" if mine else f"{bottom} / {_LEFT} / {bottom + 1} / {_RIGHT}"
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


# ---------------------------------------------------------------- the middle


def _headline(seen: TableView) -> str:
    if seen.ending:
        how = f"Won by {', '.join(seen.winners)}." if seen.winners else _NOBODY[seen.ending]
        return f'<p class="head ended">The game is over. {escape(how)}</p>'
    if not seen.turn_number:
        return f'<p class="head">{escape(seen.opening[:1].upper())}{escape(seen.opening[1:])}.</p>'
    return f'<p class="head">Turn {seen.turn_number}: <b>{escape(seen.turn)}</b>, {seen.step} step</p>'


def _middle(seen: TableView) -> str:
    parts = [_incident(incident) for incident in seen.incidents] or ['<p class="none">no incident</p>']
    if seen.collected:
        parts.append(f'<p class="collected">{" ".join(f"{count} {season_sign(season)}" for season, count in seen.collected)} collected</p>')
    discard = sum(count for _, count in seen.discard)
    piles = [_pile("deck", seen.deck), _pile("incidents", seen.incident_deck), _pile("discard", discard, seen.discard, seen.discard_top)]
    parts.append(f'<p class="piles">{"".join(piles)}</p>')
    if seen.lunatic and seen.begun:
        parts.append(_lunatic(seen.lunatic))
    parts += [f'<p class="private">{escape(line)}</p>' for line in seen.private]
    parts += [_stacked(line) for line in seen.stack]
    return f'<div class="middle">{"".join(parts)}</div>'


def _stacked(line: str) -> str:
    """What is being answered, as a sentence; what is done to the observer is marked."""
    mine = " me" if line.endswith(" you") or " you " in line else ""
    return f'<p class="stack{mine}">{escape(line[:1].upper() + line[1:])}</p>'


def _pile(called: str, size: int, cards: Counts = (), top: str = "") -> str:
    """A pile: how many cards it has, and, where they lie open, which and what is on top."""
    kinds = named_cards(cards)
    shown = f" <small>top: {named(kind_named(top), shown_card(top))}</small>" if top else ""
    title = f' title="{escape(kinds)}"' if kinds else ""
    return f'<span class="pile"{title}><b>{size}</b> {called}{shown}</span>'


def _lunatic(piles: LunaticPiles) -> str:
    discard = sum(count for _, count in piles.discard)
    characters = f"{piles.characters_left} characters to recruit, {piles.characters_discarded} discarded"
    found = (_pile("Lunatic deck", piles.deck), _pile("Lunatic discard", discard, piles.discard, piles.discard_top))
    return f'<p class="piles lunatic">{"".join(found)} <small>{characters}</small></p>'


def _incident(incident: str) -> str:
    return f'<p class="incident"><b>Incident: {named(incident)}</b> <span class="says">{escape(pages()[incident].summary)}</span></p>'


# ---------------------------------------------------------------- a seat


def _seat(seen: TableView, seat: SeatView, picked: tuple[Answer, str] | None, called: str) -> str:
    marks = {"mine": seat.mine, "turn": seat.has_turn, "asked": seat.is_asked, "out": not seat.active}
    marks |= {"reach": bool(seat.in_range), "beyond": seat.in_range is False and not seat.mine}
    classes = " ".join(["seat", *(name for name, on in marks.items() if on)])
    place = [other.index for other in seen.seats].index(seat.index)
    where = f"--area:{_area(place, seen.players, mine=seat.mine)};order:{place}"
    parts = [_who(seat, called), _life_and_cards(seen, seat), _items(seat)]
    if seat.hand and not seat.mine:
        cards = " ".join(named(kind_named(card), times(shown_card(card), count)) for card, count in seat.hand)
        parts.append(f'<p class="holds">{cards}</p>')
    notes = [*(["has won"] if seat.name in seen.winners else []), *(["in range"] if seat.in_range else []), *_notes(seat)]
    if notes:
        parts.append(f'<p class="notes">{escape(" · ".join(notes))}</p>')
    if seat.mine and seat.role:
        parts.append(f'<p class="goal"><i>Your goal</i> {escape(goal(seat.role))}</p>')
    parts.append('<p class="thought"></p>')
    if picked is not None:
        parts.append(pick(*picked))
    return f'<div class="{classes}" data-seat="{seat.index}" style="{where}">{"".join(parts)}</div>'


def _who(seat: SeatView, called: str) -> str:
    who = " and ".join(named(name, SHORT_NAMES[name]) for name in (seat.character, seat.second_character) if name) or "…"
    role = _UNKNOWN if seat.role is None else role_chip(seat.role, hidden=seat.role_hidden) if seat.role else ""
    you = " <em>you</em>" if seat.mine else ""
    mark = '<span class="mark" title="has the turn">▶</span>' if seat.has_turn else ""
    player = f' <small class="player">{escape(called)}</small>' if called else ""
    return f'<p class="who">{crest(seat.character)}<b class="number">{seat.index}</b> {who}{you}{player} {mark}{role}</p>'


def _life_and_cards(seen: TableView, seat: SeatView) -> str:
    if not seat.active:
        return '<p class="life">defeated</p>'
    if not seen.begun:
        return ""
    hearts = f"{'♥' * seat.life}{'♡' * max(0, seat.max_life - seat.life)}"
    life = f'<span class="hearts" aria-hidden="true">{hearts}</span> <span class="count">{seat.life}/{seat.max_life}</span>'
    size = f'<span class="held">{seat.hand_size} card{"" if seat.hand_size == 1 else "s"}</span>'
    limits = f'<span class="limits">{escape(" · ".join(seat.limits))}</span>' if seat.limits else ""
    return f'<p class="life">{life} {size} {limits}</p>'


def _notes(seat: SeatView) -> Iterator[str]:
    """What else is to be said of a seat; of one's own the limits say how many danmaku were played."""
    yield from (note for note in seat.notes if not (seat.limits and note.endswith(" danmaku played")))


def _items(seat: SeatView) -> str:
    """What lies in play before a seat, Extra Characters among it, and the kinds that are known in its hand."""
    chips = [f'<span class="chip">{crest(name)}{named(name, SHORT_NAMES[name])}</span>' for name in seat.extras]
    chips += [f'<span class="chip">{named(kind, times(CARD_NAMES[kind], count))}</span>' for kind, count in seat.items]
    known = " ".join(named(kind, times(CARD_NAMES[kind], count)) for kind, count in seat.known)
    lying = f'<p class="items">{"".join(chips)}</p>' if chips else ""
    return lying + (f'<p class="holds">holds {known}</p>' if known else "")


# ---------------------------------------------------------------- the hand


def _hand(seen: TableView, keys: Keys | None) -> str:
    """The hand of the seat that looks, as cards; those that are an answer by themselves can be clicked."""
    hand = seen.seats[0].hand
    if seen.observer is None or hand is None or not seen.seats[0].active:
        return ""
    picks = card_picks(seen.question, keys)
    cards = "".join(_hand_card(card, count, picks.get(kind_named(card))) for card, count in hand)
    return f'<div class="hand" role="group" aria-label="your hand">{cards or "<p>no cards in hand</p>"}</div>'


def _hand_card(card: str, count: int, picked: tuple[Answer, str] | None) -> str:
    more = pick(*picked) if picked else ""
    return card_face(card, count, more=more, classes="playable" if picked else "")


# ---------------------------------------------------------------- a game in a notebook


def game_page(game: Game) -> str:
    """The table from above and the last events: what a notebook shows of a game."""
    seen = table_view(game, None)
    lines = "".join(f"<li>{escape(line)}</li>" for line in game.log.above()[-_STILL_EVENTS:])
    there = f'{board(seen.players, blocks(seen))}{asked_words(seen)}<ol class="log">{lines}</ol>'
    return f'<style>{style()}</style><div class="danmaku still">{there}</div>{printed_pages()}'
