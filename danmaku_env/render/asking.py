"""A pending question in words: what is asked, by which card, and each legal answer with what it means.

This is only for the seat that is asked, or from above, because the question and its answers reveal something of the hand.
"""

from __future__ import annotations

from dataclasses import dataclass

from danmaku_env.cards.box import CHARACTER_IDS, KIND_IDS
from danmaku_env.cards.compile import compile_cards
from danmaku_env.cards.encyclopedia import pages, spell_texts, text_in_play
from danmaku_env.cards.sentences import capital, describe_program
from danmaku_env.engine.queries import PRICE
from danmaku_env.game import Game
from danmaku_env.render.occasion import Occasion, price_of_target
from danmaku_env.wording import ROLE_NAMES, puts_texts_in_order, seat_name

_PASS = {
    "main": "end the main step", "cancel": "let it happen", "respond": "do nothing", "attacked": "do nothing about the attack",
    "rescue": "do nothing", "step": "do nothing", "discard": "discard none", "boost": "enough", "may": "no", "aside": "none",
    "turn zero": "be done", "exchange": "give no more", "extra": "none", "ability": "leave it as it is",
}  # fmt: skip
_VERBS = {"pay": "Discard ", "discard": "Discard ", "boost": "Discard ", "limit": "Discard ", "powerup": "Lose "}
"""What is done with a card that is chosen, where a question says it."""
_ENDS = {"top": ("On top", "The first"), "bottom": ("At the bottom", "The second")}
"""Of a deck, and of two halves or abilities."""


ANSWER_DOC = {
    "pass": "pass, decline, or done",
    "reveal": "show your role to all: your maximum of life becomes 5, unless the table has its own; you regain 1 life if you may",
    "exchange": f"give Main-deck cards worth {PRICE} points or more for a card of the Lunatic deck",
}
"""What the answers do that are one word."""
OF_CHARACTERS = ("character", "ban", "extra", "ability", "spell")
"""Questions whose answers are characters, which are explained above the answers, unless one's own texts are put in order."""
_WHICH_FIRST = "All of these happen now: which of them first?"


@dataclass(frozen=True, slots=True)
class Answer:
    """One legal answer."""

    action: int
    """Its index."""
    name: str
    """Its name, with absolute seats: `play shoot`, `choose seat:2`."""
    words: str
    """What it means, in a few words, or ""; for a reader who knows its name."""
    label: str
    """What it is called on a button: `Play Shoot`, `Seat 2 (Cirno)`."""
    note: str
    """What it means, for a reader of the label, or ""."""
    price: str = ""
    """What has to be paid for it that cannot be declined any more once it is given, or ""."""


@dataclass(frozen=True, slots=True)
class Question:
    """What a seat is asked."""

    seat: int
    word: str
    """`main`, `dodge`, `target` ... (engine/actions.py)."""
    words: str
    """What is asked, with its word and without the seat: `target for Laser Shot - which player`."""
    plain: str
    """What is asked, as one asks a person: `Laser Shot: Which player?`."""
    why: str
    """The text of what asks, or ""."""
    answers: tuple[Answer, ...]
    characters: tuple[str, ...]
    """At set-up, in a draft, when recruiting: the ids of the characters to choose from."""


def question(game: Game) -> Question:
    """The pending question. Raises ValueError when nobody is asked."""
    if game.asking is None:
        raise ValueError("the game is over, nobody is asked")
    names = game.legal()
    answers = tuple(
        Answer(action, name, explanation(game, name), label(game, name), note(game, name), price(game, name))
        for action, name in zip(game.legal_actions(), names, strict=True)
    )
    characters = tuple(subject(name) for name in names if subject(name)) if _is_of_characters(game) else ()
    return Question(game.asking, game.question, question_words(game), plain_words(game), text_that_asks(game), answers, characters)


def _is_of_characters(game: Game) -> bool:
    """Whether the answers are characters, to be explained above them."""
    return game.question in OF_CHARACTERS and not puts_texts_in_order(game.record)


def subject(name: str) -> str:
    """The id in the name of an answer: `bomb` of `play bomb` and of `choose card:bomb`; "" where there is none."""
    what = name.partition(" ")[2]
    return what.partition(":")[2] or what


# ---------------------------------------------------------------- the question


def _passing(game: Game) -> str:
    """What it means to pass."""
    if game.question == "cancel" and Occasion(game).answers_cancelled():
        return "do nothing"
    return _PASS.get(game.question, "decline")


def question_words(game: Game) -> str:
    """What is asked, by which card, and about which card."""
    if puts_texts_in_order(game.record):
        return f"{game.question} - {_WHICH_FIRST}"
    asks = Occasion(game)
    return f"{game.question}{asks.title and f' for {asks.title}'} - {asks.words()}{_about(asks)}"


def plain_words(game: Game) -> str:
    """What is asked, as one asks a person; see `Question.plain`."""
    if puts_texts_in_order(game.record):
        return _WHICH_FIRST
    asks = Occasion(game)
    return f"{asks.title and f'{asks.title}: '}{asks.words()}{_about(asks)}"


def text_that_asks(game: Game) -> str:
    """What is printed on whose behalf the seat is asked, such as what passing costs; "" where nothing printed asks."""
    return Occasion(game).text


def _about(asks: Occasion) -> str:
    """The card that the question is about, in brackets, "" where there is none."""
    about = asks.about()
    return about and f" (It is {about}.)"


# ---------------------------------------------------------------- an answer


def explanation(game: Game, name: str) -> str:
    """A few words beside the name of an answer of the seat that is asked."""
    verb, _, what = name.partition(" ")
    kind, _, key = what.partition(":")
    if verb == "pass":
        return _passing(game)
    if kind == "seat":
        return ", ".join(filter(None, (_seat_words(game, int(key)), note(game, name))))
    text, page = note(game, name), pages().get(key or what)
    if verb == "spell":
        text = f"activate your Spell Card {_spell(game)[0]}: {text}"
    if page is None or game.question == "half":
        return text
    if _is_of_characters(game):
        return page.name  # both are explained above the answers
    return text if page.name.lower() == (key or what).replace("_", " ") else f"{page.name}: {text}"


def label(game: Game, name: str) -> str:
    """An answer as a person would say it."""
    verb, _, what = name.partition(" ")
    if verb == "choose":
        return _choice_label(game, *what.partition(":")[::2])
    if verb == "spell":
        return f"Activate {_spell(game)[0]} by {pages()[what].name}"
    if what:
        called = pages()[what].name
        return {"play": f"Play {called}", "use": f"Use {called}", "ability": f"The ability of {called}"}[verb]
    return {"pass": capital(_passing(game)), "reveal": "Reveal your role", "exchange": "Trade for a Lunatic card"}[verb]


def _choice_label(game: Game, kind: str, key: str) -> str:
    if kind == "seat":
        return capital(_seat_words(game, int(key)))
    if kind in _ENDS:
        return _ENDS[kind][game.question == "half"]
    if kind in ("card", "character", "incident"):
        return f"{_VERBS.get(game.question, '')}{pages()[key].name}"
    if kind == "role":
        return ROLE_NAMES[key]
    return {"type": f"{capital(key)} cards", "deck": f"The {capital(key)} deck"}.get(kind, capital(key or kind))


def note(game: Game, name: str) -> str:
    """What an answer means, beyond its label."""
    verb, _, what = name.partition(" ")
    kind, _, key = what.partition(":")
    if kind == "seat":
        return _seat_note(game, name, int(key))
    if game.question == "half":
        return _half_words(game, what)
    if verb == "spell":
        return _spell(game)[1]
    if not what and verb != "pass":
        return ANSWER_DOC[verb]
    page = pages().get(key or what)
    if page is None or _is_of_characters(game):  # both characters are explained above the answers
        return ""
    return (text_in_play(what) if verb == "use" else "") or page.summary


def _seat_words(game: Game, other: int) -> str:
    return "you" if other == game.asking else seat_name(game.record, other)


def _seat_note(game: Game, name: str, other: int) -> str:
    """What is to be said of a seat that may be chosen: its life, and what it costs to reach it."""
    life = f"{game.seat(other).life} life" if game.step not in ("setup", "draft") and other != game.asking else ""
    return ", ".join(filter(None, (life, price(game, name))))


def price(game: Game, name: str) -> str:
    """What has to be paid for an answer of the seat that is asked once it is given, "" where nothing has."""
    kind, _, key = name.removeprefix("choose ").partition(":")
    cards = price_of_target(game, int(key)) if kind == "seat" else 0
    return f"out of range: {cards} more danmaku card{'s' * (cards > 1)} of your hand must be discarded" if cards else ""


def _half_words(game: Game, half: str) -> str:
    """The text of the half of a card, or of one of two abilities."""
    compiled, halved = compile_cards(), Occasion(game).halved
    for field, ids in (("mode_text", KIND_IDS), ("ability_text", CHARACTER_IDS)):
        if half in ("top", "bottom") and halved in ids:
            source = compiled.texts[int(compiled.tables[0][field][ids.index(halved)][int(half == "bottom")])]
            return source.text or capital(describe_program((*source.announce, *source.resolve))) if source is not None else ""
    return ""


def _spell(game: Game) -> tuple[str, str]:
    """Name and text of the Spell Card of the seat that is asked; of several, their names."""
    assert game.asking is not None
    texts = [spell_texts()[name] for name in game.seat(game.asking).spell_cards]
    return texts[0] if len(texts) == 1 else (" or ".join(name for name, _ in texts), "one of your Spell Cards")
