"""What one observer sees of a game, in prose: `Game.describe`.

Made of the view (render/table_view.py) and of the seat's own log, so it tells no more than the observer may know.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from danmaku_env.cards.encyclopedia import pages
from danmaku_env.game import Game
from danmaku_env.render.faces import goal
from danmaku_env.render.table_view import LunaticPiles, SeatView, TableView, named_cards, table_view
from danmaku_env.wording import CHARACTER_NAMES, INCIDENT_NAMES, ROLE_NAMES, event_runs, shown_card

_MOST_EVENTS = 64
"""Events that are told at most."""
_ANSWERED = ("play", "spell", "use", "discard")
"""Events of an actor that answered; others happen to it."""


def describe(game: Game, observer: int | None) -> str:
    """The table in sentences and short lists; `observer` None sees everything. Raises IndexError for a seat beyond the table."""
    return prose(table_view(game, observer), () if observer is None else happened(game, observer))


def happened(game: Game, seat: int) -> list[str]:
    """What has happened since the seat last did something, its own action first, as it knows it: at most 64 lines."""
    log = game.log.of(seat).since(int(game.record["log_count"]) - _MOST_EVENTS)
    told = [run[0] for run in event_runs(log.events)]
    mine = [place for place, event in enumerate(told) if event.actor == seat and event.word in _ANSWERED]
    return list(log)[mine[-1] if mine else 0 :]


def prose(seen: TableView, since: Sequence[str] = ()) -> str:
    """One view in sentences and short lists; `since` are the lines of what has happened since the seat last did something."""
    parts = (_observer(seen), _moment(seen), _seats(seen), _piles(seen), _happened(since), _stack(seen), _printed(seen), _question(seen))
    return "\n".join(line for part in parts for line in part)


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."


def _role(seat: SeatView) -> str:
    if seat.role is None:
        return "role unknown"
    return f"{ROLE_NAMES[seat.role]}{' (not known to all)' if seat.role_hidden else ''}" if seat.role else "no role any more"


def _observer(seen: TableView) -> Iterator[str]:
    """Who looks, and the cards in hand."""
    if seen.observer is None:
        yield f"A table of {seen.players}, seen from above."
        return
    mine = seen.seat(seen.observer)
    role = f"the {ROLE_NAMES[mine.role]}" if mine.role else "without a role"
    names = [CHARACTER_NAMES[name] for name in (mine.character, mine.second_character) if name]
    chosen = f" with {' and '.join(names)}" if names and not seen.begun else ""
    yield f"You are {mine.name}, {role}{chosen}, at a table of {seen.players}."
    if mine.role_hidden:
        yield "Not everybody knows your role."
    yield f"Your hand: {named_cards(mine.hand)}." if mine.hand else "Your hand is empty."
    if mine.role:
        yield f"Your goal: {goal(mine.role)}"


def _moment(seen: TableView) -> Iterator[str]:
    """When it is, and under which incidents."""
    if seen.ending:
        winners = f"; the winners are {', '.join(seen.winners)}" if seen.winners else ", nobody has won"
        yield f"The game is over ({seen.ending}){winners}."
        return
    if not seen.turn_number:
        yield _sentence(seen.opening)
        return
    yield f"Turn {seen.turn_number}, the {seen.step} step of {seen.turn}."
    names = ", ".join(INCIDENT_NAMES[incident] for incident in seen.incidents)
    collected = f"; collected: {', '.join(f'{season} {count}' for season, count in seen.collected)}" if seen.collected else ""
    yield f"Incident: {names}{collected}." if names else "There is no incident."


def _seats(seen: TableView) -> Iterator[str]:
    """A line for each seat, clockwise from the observer."""
    yield "Clockwise from you:" if seen.observer is not None else "Clockwise:"
    for seat in seen.seats:
        yield f"- {seat.name}{' (you)' if seat.mine else ''}: {'; '.join(_facts(seat))}"


def _facts(seat: SeatView) -> Iterator[str]:
    yield _role(seat)
    if not seat.active:
        yield "defeated"
        return
    yield f"{seat.life} of {seat.max_life} life"
    yield f"{seat.hand_size} card{'' if seat.hand_size == 1 else 's'} in hand"
    if seat.hand and not seat.mine:
        yield f"they are {named_cards(seat.hand)}"
    if seat.known and not seat.mine:
        yield f"among them {named_cards(seat.known)}"
    if seat.extras:
        yield f"Extra Characters: {', '.join(CHARACTER_NAMES[name] for name in seat.extras)}"
    if seat.items:
        yield f"in play: {named_cards(seat.items)}"
    if seat.in_range is not None and not seat.mine:
        yield "in your range" if seat.in_range else "out of your range"
    yield from seat.notes


def _piles(seen: TableView) -> Iterator[str]:
    """The decks, the discard pile, and what the observer knows of hidden cards."""
    yield f"The Main deck has {seen.deck} cards, the incident deck {seen.incident_deck}."
    if seen.discard:
        yield f"Discarded: {named_cards(seen.discard)}; on top lies {shown_card(seen.discard_top)}."
    if seen.lunatic and seen.begun:
        yield from _lunatic(seen.lunatic)
    yield from map(_sentence, seen.private)


def _lunatic(piles: LunaticPiles) -> Iterator[str]:
    pile = f"; discarded: {named_cards(piles.discard)}; on top lies {shown_card(piles.discard_top)}" if piles.discard else ""
    yield f"The Lunatic deck has {piles.deck} cards{pile}."
    yield f"{piles.characters_left} characters are left to recruit from, {piles.characters_discarded} are discarded."


def _stack(seen: TableView) -> Iterator[str]:
    lines = seen.frames or seen.stack
    if lines and not seen.ending:
        yield "What is happening:"
        yield from (f"- {line.strip()}" for line in lines)


def _happened(since: Sequence[str]) -> Iterator[str]:
    if since:
        yield "Since you last did something:"
        yield from (f"* {line}" for line in since)


def _printed(seen: TableView) -> Iterator[str]:
    """What is printed on the incidents, the own characters and hand, and all that answers name, where these do not tell it themselves."""
    if seen.question is None or seen.observer is None:
        return
    mine, answers = seen.seat(seen.observer), seen.question.answers
    named = [answer.name.rpartition(":")[2] if ":" in answer.name else answer.name.rpartition(" ")[2] for answer in answers]
    there = [*seen.incidents, mine.character, mine.second_character, *mine.extras, *(name for name, _ in mine.hand or ()), *named]
    told = " ".join(answer.words for answer in answers)
    texts = [pages()[name] for name in dict.fromkeys(word.partition("/")[0] for word in there) if name in pages()]
    if lines := [f"- {page.name}: {page.summary}" for page in texts if page.summary and page.summary not in told]:
        yield "What is printed:"
        yield from lines


def _question(seen: TableView) -> Iterator[str]:
    """What is asked, and each legal answer by the name that `Game.act` takes."""
    asked = seen.question
    if asked is None:
        return
    who = "You are" if asked.seat == seen.observer else f"{seen.seat(asked.seat).name} is"
    why = f" ({asked.why})" if asked.why else ""
    yield f"{who} asked: {asked.words}{why} The answers:"
    yield from (f"- {answer.name}{f' ({answer.words})' if answer.words else ''}" for answer in asked.answers)
