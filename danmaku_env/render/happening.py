"""What happens at a table as a page shows it: one event after the other, each with its line, its face, and what it changes.

It is made of the log as one observer knows it, so it tells no more than the log does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from danmaku_env.cards.box import CHARACTER_IDS, INCIDENT_IDS, ROLE_IDS, kind_named
from danmaku_env.cards.compile import compile_cards
from danmaku_env.cards.sentences import capital
from danmaku_env.game import Game
from danmaku_env.render.occasion import bearer
from danmaku_env.render.table_view import OUTSIDE
from danmaku_env.wording import ABOUT_CHARACTERS, ROLE_NAMES, Event, event_lines, event_runs, seat_names

Happening = dict[str, Any]
"""`n` (events logged up to it), `text`, `kind`, and, where there are any: `actor`, `target`, `face` (id of what is shown), `tone`
(`harm` or `good`), `life` and `cards` (seat -> life left, cards more in hand), `mine`, `banner` (a sentence for the observer alone)."""
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


def happenings(game: Game, observer: int | None, since: int) -> list[Happening]:
    """What the observer (a seat, None = from above, OUTSIDE) has seen happen since the game had logged this number of events."""
    log = (game.log.above() if observer is None else game.log if observer is OUTSIDE else game.log.of(observer)).since(since)
    events, n = log.events, int(game.record["log_count"]) - len(log.events)
    names = seat_names(game.record)
    found, by = [], dict[int, int]()
    for run, text in zip(event_runs(events), event_lines(game.record, events), strict=True):
        n += len(run)
        event = run[0]
        if event.word == "hit" and event.actor is not None and event.target is not None:
            by[event.actor] = event.target
        happening = {"n": n, "text": text.removeprefix("--- "), "kind": event.word, **_who(event), **_changes(event, len(run))}
        if key := _face(run):
            happening["face"] = key
        if tone := _TONES.get(event.word):
            happening["tone"] = tone
        if observer is not None and observer in (event.actor, event.target):
            happening["mine"] = True
        if observer is not None and observer is not OUTSIDE and (banner := _banner(event, observer, names, by)):
            happening["banner"] = banner
        found.append(happening)
    return found


def _who(event: Event) -> Happening:
    """Who does it, and to whom; a hit is done by the attacker."""
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
    """The id of what is shown in the middle; "" where the observer saw nothing printed."""
    event = run[0]
    if event.word in _OF_TEXTS:
        return bearer(event.number)
    if event.card is not None:
        return event.card if event.card in INCIDENT_IDS else kind_named(event.card)
    if event.word in ("incident", "resolved"):
        return INCIDENT_IDS[event.about]
    if event.word in ABOUT_CHARACTERS:
        return CHARACTER_IDS[event.about]
    return ROLE_IDS[event.about] if event.word in ("defeat", "reveal") and event.about >= 0 else ""


def _banner(event: Event, me: int, names: Sequence[str], by: Mapping[int, int]) -> str:
    """What concerns the seat that looks, as one says it to a person; "" where nothing does. `by` says who hit whom last."""
    whom = "" if event.target is None else names[event.target]
    who = "" if event.actor is None else capital(names[event.actor])
    if event.word == "roles" and me in (event.actor, event.target):
        return f"Your role changes: {'you are' if event.target == me else f'{whom} is'} the Heroine now."
    if event.actor == me:
        return _of_mine(event, capital(whom), names[by[me]] if me in by else "")
    if event.target == me and event.word in _ON_ME:
        return _ON_ME[event.word].format(who=who)
    if event.target == me and event.word in ("play", "spell", "use"):
        return f"{who} uses {compile_cards().titles[event.number]} on you."
    if event.word in _OPENED:
        return f"{who} is {_OPENED[event.word]} {_role(event)}."
    return ""


_ON_ME = {"attack": "{who} attacks you.", "swap": "{who} exchanges hands with you.", "cancel": "{who} cancels what you played."}
_OPENED = {"defeat": "defeated:", "reveal": "revealed as"}
"""Events that open a role."""


def _of_mine(event: Event, whom: str, by: str) -> str:
    """What happens to the seat that looks, or what it does."""
    if event.word == "hit":
        return f"{whom} hits you."
    if event.word == "lose":
        return f"You lose {event.number} life, {event.extra} left."
    if event.word == "defeat":
        return f"You are defeated{by and f' by {by}'}."
    if event.word == "reveal":
        return f"You are revealed as {_role(event)}."
    plain = {"gain": f"You regain {event.number} life.", "revive": "You are back at 1 life.", "avoid": "You avoid the attack."}
    return (plain | {"skip": "Your turn is skipped.", "turn": "Your turn."}).get(event.word, "")


def _role(event: Event) -> str:
    return ROLE_NAMES.get(ROLE_IDS[event.about], "no role")
