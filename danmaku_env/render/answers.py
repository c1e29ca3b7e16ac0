"""A question as HTML: what is asked, and every legal answer as a button with its key; those that are cards or seats can be pressed there.

An answer keeps its key for a whole turn (`held`): a card has the same key as long as it is in the hand, a seat has its own number, and
ending and declining have keys of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, MutableMapping
from html import escape

from danmaku_env.cards.encyclopedia import pages
from danmaku_env.render.asking import Answer, Question, subject
from danmaku_env.render.faces import crest, named
from danmaku_env.render.table_view import TableView

ANSWER_KEYS = "123456789acdfgijkmnopqrtvwxyzACDFGIJKMNOPQRTVWXYZ"
"""Keys of the answers, in order; those left out have another meaning: beliefs, end, help, log, skip, undo."""
END_KEY = "e"
"""The key of the answer that passes, declines or ends a step."""
Keys = MutableMapping[str, str]
"""Name of an answer -> the key that it has in this turn."""
_OF_OWN_HAND = ("discard", "pay", "boost")
"""Questions in which `choose card:` names a card of one's own hand."""


def keyed(answers: Iterable[Answer], held: Keys | None = None) -> list[tuple[Answer, str]]:
    """Each answer with its key, "" where the keys have run out. `held` are the keys of this turn, and hears of new ones."""
    answers = list(answers)
    held = {} if held is None else held
    names = {answer.name for answer in answers}
    taken = {key for name, key in held.items() if name in names} | {_own_key(name) for name in names}
    for answer in answers:
        if _own_key(answer.name) or answer.name in held:
            continue
        fresh = (key for key in ANSWER_KEYS if key not in taken and key not in held.values())
        reused = (key for key in ANSWER_KEYS if key not in taken)
        held[answer.name] = next(fresh, next(reused, ""))
        taken.add(held[answer.name])
    return [(answer, _own_key(answer.name) or held[answer.name]) for answer in answers]


def _own_key(name: str) -> str:
    """The key that an answer has in every turn: a seat its number, an end its own; else ""."""
    return END_KEY if name == "pass" else name.removeprefix("choose seat:") if name.startswith("choose seat:") else ""


def question_block(question: Question, keys: Keys | None = None, *, on_board: Iterable[str] = ()) -> str:
    """The question and all its answers as buttons. Those `on_board`, by name, lie on the table and show here once chosen there."""
    on_board = set(on_board)
    characters = "".join(
        f'<p class="choice">{crest(key)} <span>{named(key)} {escape(pages()[key].summary)}</span></p>' for key in question.characters
    )
    ordered = sorted(keyed(question.answers, keys), key=lambda pair: pair[0].name == "pass")
    buttons = "".join(_answer(answer, key, answer.name in on_board) for answer, key in ordered)
    return f'<p class="asks">{escape(question.plain)}</p>{_why(question)}{characters}<div class="answers">{buttons}</div>'


def _why(question: Question) -> str:
    """The text that asks."""
    return f'<p class="why">{escape(question.why)}</p>' if question.why else ""


def asked_words(seen: TableView) -> str:
    """The question as it is told to somebody who only looks on."""
    if seen.question is None:
        return ""
    asked = seen.seat(seen.question.seat)
    answers = " · ".join(answer.label for answer in seen.question.answers)
    words = f"{escape(asked.name)} is asked: {escape(seen.question.plain)}"
    return f'<p class="asks">{words}</p>{_why(seen.question)}<p class="may">{escape(answers)}</p>'


def _answer(answer: Answer, key: str, is_on_board: bool) -> str:
    words = f"<small>{escape(answer.note)}</small>" if answer.note else ""
    press = f' data-key="{key}"' if key else ""
    kind = ' class="on-board"' if is_on_board else ' class="pass"' if answer.name == "pass" else ""
    return (
        f'<button name="answer" value="{answer.action}"{press}{kind}{_confirmed(answer)}>'
        f"{_key(key)}<span>{escape(answer.label)}</span>{words}</button>"
    )


def pick(answer: Answer, key: str) -> str:
    """What lies over a card or seat that is itself an answer."""
    what = f'value="{answer.action}" class="pick" aria-label="{escape(answer.label)}"'
    return f'<button name="answer" {what}{_confirmed(answer)}>{_key(key)}</button>'


def _confirmed(answer: Answer) -> str:
    """What a page says before it sends an answer that has a price."""
    return f' data-confirm="{escape(f"{answer.label}: {answer.price}.")}"' if answer.price else ""


def _key(key: str) -> str:
    return f"<kbd>{key}</kbd>" if key else ""


Picks = dict[str, tuple[Answer, str]]


def seat_picks(question: Question | None, keys: Keys | None = None) -> Picks:
    """Number of a seat -> the answer that chooses it, and its key."""
    return _picks(question, "seat:", keys)


def card_picks(question: Question | None, keys: Keys | None = None) -> Picks:
    """Kind -> the one answer that a card of one's own hand stands for."""
    if question is None:
        return {}
    if question.word in _OF_OWN_HAND:
        return _picks(question, "card:", keys)
    return {subject(answer.name): (answer, key) for answer, key in keyed(question.answers, keys) if answer.name.startswith("play ")}


def _picks(question: Question | None, prefix: str, keys: Keys | None) -> Picks:
    """What stands behind `prefix` in answers like `choose seat:2` -> the answer and its key."""
    found = {}
    for answer, key in keyed(question.answers, keys) if question else []:
        verb, _, what = answer.name.partition(" ")
        if verb == "choose" and what.startswith(prefix):
            found[what.removeprefix(prefix)] = (answer, key)
    return found
