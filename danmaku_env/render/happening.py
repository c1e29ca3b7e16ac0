"""What happens at a table as a page shows it: one event after the other, each with its line, its face, and what it changes.

Made of the log as one pair of eyes knows it, so it tells no more than the log does.
"""

from __future__ import annotations

from typing import Any

from danmaku_env.cards.box import CHARACTER_IDS, INCIDENT_IDS, KIND_IDS, ROLE_IDS, kind_named
from danmaku_env.cards.compile import compile_cards
from danmaku_env.cards.tables import T_CHARACTER, T_INCIDENT, T_KIND, T_ROLE
from danmaku_env.game import Game
from danmaku_env.wording import ABOUT_CHARACTERS, ROLE_NAMES, Event, event_lines, event_runs, seat_name

Happening = dict[str, Any]
"""`n` (events logged up to it), `text`, `kind`, and, where there are any: `actor`, `target`, `face` (id of what is shown), `tone`
(`harm` or `good`), `life` and `cards` (seat -> life left, cards more in hand), `mine`, `banner` (a sentence for the eyes alone)."""
_OWNERS = ((T_KIND, KIND_IDS), (T_CHARACTER, CHARACTER_IDS), (T_INCIDENT, INCIDENT_IDS), (T_ROLE, ROLE_IDS))
"""Columns of a text that say on what it is printed, and the ids they count from 1."""
_TONES = {
    "attack": "harm",
    "hit": "harm",
    "lose": "harm",
    "defeat": "harm",
    "avoid": "good",
    "gain": "good",
    "revive": "good",
    "cancel": "good",
}
_OF_TEXTS = ("play", "spell", "use", "cancel")
"""Events whose number is that of a text."""


def happenings(game: Game, eyes: int | None, since: int) -> list[Happening]:
    """What these eyes (None = from above) have seen happen since the game had logged so many events."""
    log = (game.log.above() if eyes is None else game.log.of(eyes)).since(since)
    events, n = log.events, int(game.record["log_count"]) - len(log.events)
    found, by = [], dict[int, int]()
    for run in event_runs(events):
        n += len(run)
        event = run[0]
        if event.word == "hit" and event.actor is not None and event.target is not None:
            by[event.actor] = event.target
        (text,) = event_lines(game.record, run)
        happening = {"n": n, "text": text.removeprefix("--- "), "kind": event.word, **_who(event), **_changes(event, len(run))}
        if key := _face(run):
            happening["face"] = key
        if tone := _TONES.get(event.word):
            happening["tone"] = tone
        if eyes is not None and eyes in (event.actor, event.target):
            happening["mine"] = True
        if eyes is not None and (banner := _banner(game, event, eyes, by)):
            happening["banner"] = banner
        found.append(happening)
    return found


def _who(event: Event) -> Happening:
    """Whose deed it is, and whom it is done to; a hit is the deed of the attacker."""
    actor, target = (event.target, event.actor) if event.word == "hit" else (event.actor, event.target)
    return {name: seat for name, seat in (("actor", actor), ("target", target)) if seat is not None}


def _changes(event: Event, count: int) -> Happening:
    """Life left and cards more or fewer in hands, by seat, as far as one event says it."""
    actor, target = event.actor, event.target
    if actor is None:
        return {}
    if event.word in ("lose", "gain"):
        return {"life": {actor: event.extra}}
    if event.word == "revive":
        return {"life": {actor: 1}}
    if event.word == "roles" and event.number:
        return {"life": {actor: event.number}}
    if event.word == "play":
        return {"cards": {actor: -1}}
    if event.word == "draw":
        return {"cards": {actor: count}}
    if event.word == "discard" and not event.number:
        return {"cards": {actor: -count}}
    if event.word == "give" and target is not None:
        return {"cards": {actor: -count, target: count}}
    if event.word == "take" and event.number:
        return {"cards": {actor: count} if target is None else {actor: count, target: -count}}
    return {}


def _face(run: list[Event]) -> str:
    """The id of what is shown in the middle; "" where the eyes saw nothing printed."""
    event = run[0]
    if event.word in _OF_TEXTS:
        row = compile_cards().tables[0]["text"][event.number]
        return next((ids[int(row[column]) - 1] for column, ids in _OWNERS if row[column]), "")
    if event.card is not None:
        return event.card if event.card in INCIDENT_IDS else kind_named(event.card)
    if event.word in ("incident", "resolved"):
        return INCIDENT_IDS[event.about]
    if event.word in ABOUT_CHARACTERS:
        return CHARACTER_IDS[event.about]
    return ROLE_IDS[event.about] if event.word in ("defeat", "reveal") and event.about >= 0 else ""


def _banner(game: Game, event: Event, me: int, by: dict[int, int]) -> str:
    """What concerns the seat that looks, as one says it to a person; "" where nothing does."""
    who, whom = ("" if seat is None else _capital(seat_name(game.record, seat)) for seat in (event.actor, event.target))
    role = ROLE_NAMES.get(ROLE_IDS[event.about], "no role") if event.word in ("defeat", "reveal") else ""
    if event.actor == me:
        mine = {
            "hit": f"{whom} hits you.", "lose": f"You lose {event.number} life, {event.extra} left.",
            "gain": f"You regain {event.number} life.",
            "revive": "You are back at 1 life.", "avoid": "You avoid the attack.", "skip": "Your turn is skipped.", "turn": "Your turn.",
            "defeat": f"You are defeated{f' by {_lower(seat_name(game.record, by[me]))}' if me in by else ''}.",
            "reveal": f"You are revealed as {role}.",
        }  # fmt: skip
        if event.word in mine:
            return mine[event.word]
    if event.word == "roles" and me in (event.actor, event.target):
        return (
            "Your role changes: you are the Heroine now."
            if event.target == me
            else f"Your role changes: {_lower(whom)} is the Heroine now."
        )
    if event.target == me:
        of_me = {"attack": f"{who} attacks you.", "swap": f"{who} exchanges hands with you.", "cancel": f"{who} cancels what you played."}
        if event.word in of_me:
            return of_me[event.word]
        if event.word in ("play", "spell", "use"):
            return f"{who} uses {compile_cards().titles[event.number]} on you."
    if event.word == "defeat":
        return f"{who} is defeated: {role}."
    return f"{who} is revealed as {role}." if event.word == "reveal" else ""


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def _lower(words: str) -> str:
    return words[:1].lower() + words[1:]
