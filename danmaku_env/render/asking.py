"""A pending question in words: what is asked, by which card, and each legal answer with what it means.

Only for the eyes of the seat that is asked, or from above: that somebody is asked, and what they may answer, tells of their hand.
"""

from __future__ import annotations

from dataclasses import dataclass

from danmaku_env.cards.box import CHARACTER_IDS, INCIDENT_IDS, KIND_IDS, ROLE_IDS
from danmaku_env.cards.encyclopedia import pages, spell_texts, text_in_play
from danmaku_env.engine.observe import OFFSETS
from danmaku_env.game import Game
from danmaku_env.wording import QUESTION_DOC, seat_name

_PASS = {
    "main": "end the main step", "cancel": "let it happen", "respond": "do nothing", "attacked": "do nothing about the attack",
    "rescue": "do nothing", "step": "do nothing", "discard": "discard none", "boost": "enough", "may": "no", "aside": "none",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Answer:
    """One legal answer."""

    action: int
    """Its index."""
    name: str
    """Its name, with absolute seats: `play shoot`, `choose seat:2`."""
    words: str
    """What it means, in a few words, or ""."""


@dataclass(frozen=True, slots=True)
class Question:
    """What a seat is asked."""

    seat: int
    word: str
    """`main`, `dodge`, `target` ... (engine/actions.py)."""
    words: str
    """What is asked, in a sentence without the seat: `target for Laser Shot - which player`."""
    answers: tuple[Answer, ...]
    characters: tuple[str, ...]
    """At set-up: the ids of the characters to choose from."""


def question(game: Game) -> Question:
    """The pending question. Raises ValueError when nobody is asked."""
    if game.asking is None:
        raise ValueError("the game is over, nobody is asked")
    names = game.legal()
    pairs = zip(game.legal_actions(), names, strict=True)
    answers = tuple(Answer(action, name, explanation(game, name)) for action, name in pairs)
    characters = tuple(subject(name) for name in names) if game.question == "character" else ()
    return Question(game.asking, game.question, question_words(game), answers, characters)


def subject(name: str) -> str:
    """The id in the name of an answer: `bomb` of `play bomb` and of `choose card:bomb`; "" where there is none."""
    what = name.partition(" ")[2]
    return what.partition(":")[2] or what


def question_words(game: Game) -> str:
    """What is asked, by which card, and about which card."""
    assert game.asking is not None
    asker, about = _asker(game, game.asking), int(game.observe(game.asking)[OFFSETS["chosen_kind"]])
    by = f" for {pages()[asker].name}" if asker in pages() else ""
    which = f" (it is {pages()[KIND_IDS[about - 1]].name})" if about else ""
    return f"{game.question}{by} - {QUESTION_DOC[game.question]}{which}"


def explanation(game: Game, name: str) -> str:
    """A few words beside an answer of the seat that is asked."""
    verb, _, what = name.partition(" ")
    kind, _, key = what.partition(":")
    if verb == "pass":
        return _PASS.get(game.question, "decline")
    if kind == "seat":
        return _seat_words(game, int(key))
    if game.question == "half":
        return _half_words(game, what)
    if game.question == "character":
        return pages()[key].name  # both are explained above the answers
    page = pages().get(key or what)
    if page is None:
        return ""
    text = page.summary
    if verb == "use":
        text = text_in_play(what) or text
    elif verb == "spell":
        text = _spell_words(game)
    return text if page.name.lower() == (key or what).replace("_", " ") else f"{page.name}: {text}"


def _asker(game: Game, seat: int) -> str:
    """The id of the card, character, incident or role whose text asks the seat, or ""."""
    at = OFFSETS["source"]
    numbers = game.observe(seat)[at : at + 4].tolist()
    names = (KIND_IDS, CHARACTER_IDS, INCIDENT_IDS, ROLE_IDS[1:])
    return next((ids[number - 1] for number, ids in zip(numbers, names, strict=True) if number), "")


def _seat_words(game: Game, other: int) -> str:
    if other == game.asking:
        return "you"
    life = game.seat(other).life
    return f"{seat_name(game.record, other)}, {life} life" if game.turn_number else seat_name(game.record, other)


def _half_words(game: Game, half: str) -> str:
    """The text of the half of a card, where a card asks."""
    assert game.asking is not None
    asker = _asker(game, game.asking)
    rows = pages()[asker].rows if asker in KIND_IDS and asker in pages() else []
    place = ("top", "bottom").index(half) if half in ("top", "bottom") else 0
    return rows[place][1] if place < len(rows) else ""


def _spell_words(game: Game) -> str:
    assert game.asking is not None
    spell = spell_texts().get(game.seat(game.asking).character)
    return f"activate your Spell Card {spell[0]}: {spell[1]}" if spell else "activate your Spell Card"
