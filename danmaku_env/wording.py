"""Words for people: names of cards, actions and seats, the log line of an event, the stack in words."""

from __future__ import annotations

from typing import Any

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.characters import CHARACTERS
from danmaku_env.cards.compile import CHARACTER_IDS, INCIDENT_IDS, KIND_IDS, ROLE_IDS, compile_cards
from danmaku_env.cards.incidents import INCIDENTS
from danmaku_env.cards.main_deck import MAIN_CARDS
from danmaku_env.cards.roles import ROLES
from danmaku_env.engine import actions, piles
from danmaku_env.engine import state as st
from danmaku_env.engine.procedures import window

CARD_NAMES = {card.id: card.name for card in MAIN_CARDS}
ROLE_NAMES = {role.id: role.name for role in ROLES}
INCIDENT_NAMES = {incident.id: incident.name for incident in INCIDENTS}
CHARACTER_NAMES = {character.id: character.name for character in CHARACTERS}
SHORT_NAMES = {character.id: character.short_name for character in CHARACTERS}

QUESTION_DOC = {
    "none": "nothing: the game is over",
    "main": "main step, nothing on the stack: play, use or activate something, or pass to end the step",
    "cancel": "a card or Spell Card has been announced: cancel it?",
    "respond": "its effects are on the stack: respond?",
    "attacked": "an attack is on the stack: answer it?",
    "rescue": "somebody is at 0 life and nothing is pending: the last chance to bring them back",
    "step": "between two steps of a turn: do something now?",
    "target": "which player",
    "second target": "which other player the same text concerns",
    "item": "which item in play",
    "card": "which card of a hand",
    "pay": "which card to discard as a cost",
    "discard": "which card to discard; pass, where it is legal, accepts the consequence instead",
    "boost": "which further card to discard for more; pass when done",
    "may": "yes, or pass for no",
    "number": "which number",
    "type": "which card type",
    "deck": "which deck",
    "aside": "which of the cards laid aside; pass, where it is legal, for none",
    "end": "top or bottom of the deck",
    "season": "the season of the card just named: asked only when it matters and copies differ",
    "half": "which half of the card, or which ability: top is the first",
    "spell": "whose Spell Card, when several are one's own",
    "character": "which of the two characters dealt at set-up",
    "incident": "which incident",
    "powerup": "which powerup to lose after a hit",
    "limit": "which of two defense cards or two artifacts to discard",
    "controller": "who controls the item being played (only when playing on behalf of others)",
}
"""What each question asks."""


def card_name(card: int) -> str:
    """A physical card as tests and replays write it: `shoot/spring`."""
    tables = compile_cards().tables[0]
    return f"{KIND_IDS[tables['card_kind'][card]]}/{v.SEASONS[tables['card_season'][card]]}"


def seat_name(s: Any, seat: int) -> str:
    """`seat 2 (Cirno)`."""
    if seat < 0:
        return "nobody"
    character = int(s["character"][seat]) - 1
    if character < 0 or s["turn_number"] == 0:
        return f"seat {seat}"
    return f"seat {seat} ({SHORT_NAMES[CHARACTER_IDS[character]]})"


def action_name(action: int, asking: int, players: int) -> str:
    """The name of an action with absolute seats."""
    if actions.CHOOSE_SEAT <= action < actions.CHOOSE_SEASON:
        return f"choose seat:{(action - actions.CHOOSE_SEAT + asking) % players}"
    return actions.ACTION_IDS[action]


def action_index(name: str, asking: int, players: int) -> int:
    """The inverse of `action_name`. Raises KeyError for a name that no action has."""
    if name.startswith("choose seat:"):
        seat = int(name.removeprefix("choose seat:")) if name.removeprefix("choose seat:").isdecimal() else -1
        if not 0 <= seat < players:
            raise KeyError(name)
        return actions.CHOOSE_SEAT + (seat - asking) % players
    return _INDEX[name]


_INDEX = {name: index for index, name in enumerate(actions.ACTION_IDS)}


def _times(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def _lasting(word: int, value: int) -> str:
    """`range bonus (5)`, `nobody plays cards of this type (dodge)`."""
    shown = v.TYPES[value.bit_length() - 1] if word == v.BAN_TYPE else str(value)
    return v.LASTING[word] + (f" ({shown})" if value else "")


def event_line(s: Any, row: Any) -> str:
    """One public event as a sentence."""
    event, pair, what, number, extra = (int(value) for value in row)
    actor, target = divmod(pair, 16)
    who, whom, what = seat_name(s, actor - 1), seat_name(s, target - 1), what - 1
    title = compile_cards().titles[number] if event in (piles.L_PLAY, piles.L_SPELL, piles.L_USE, piles.L_CANCEL) else ""
    on = f" on {whom}" if target else ""
    card = CARD_NAMES[KIND_IDS[what]] if 0 <= what < len(MAIN_CARDS) and event in (piles.L_DISCARD, piles.L_FLIP, piles.L_ITEM) else ""
    incident = INCIDENT_NAMES[INCIDENT_IDS[what]] if event in (piles.L_INCIDENT, piles.L_RESOLVED, piles.L_COLLECT) else ""
    role = ROLE_NAMES.get(ROLE_IDS[what], "no role") if event in (piles.L_DEFEAT, piles.L_REVEAL) else ""
    lines = {
        piles.L_TURN: f"--- turn {number}: {who}",
        piles.L_PLAY: f"{who} plays {title}{on}",
        piles.L_SPELL: f"{who} {'copies' if extra else 'activates'} the Spell Card {title}{on}",
        piles.L_USE: f"{who} {'copies' if extra else 'uses'} {title}{on}",
        piles.L_ATTACK: f"{who} attacks {whom}" + (f" for {number}" if number > 1 else "") + (", unavoidably" if extra else ""),
        piles.L_AVOID: f"{who} avoids the attack of {whom}",
        piles.L_HIT: f"the attack of {whom} hits {who}" + ("" if number else ", who has nothing left to lose"),
        piles.L_LOSE: f"{who} loses {number} life, {extra} left",
        piles.L_GAIN: f"{who} regains {number} life, now {extra}",
        piles.L_REVIVE: f"{who} is back at 1 life",
        piles.L_DRAW: f"{who} draws {_times(number, 'card')}",
        piles.L_DISCARD: f"{who} discards {card}" + (" from play" if number else ""),
        piles.L_FLIP: f"{who} {'reveals' if extra else 'flips'} {card} ({v.SEASONS[number % 4]})",
        piles.L_ITEM: f"{who} has {card} in play",
        piles.L_CANCEL: f"{who} cancels {title} of {whom}",
        piles.L_DEFEAT: f"{who} is defeated: {role}",
        piles.L_REVEAL: f"{who} is revealed as {role}",
        piles.L_INCIDENT: f"incident: {incident}",
        piles.L_RESOLVED: f"incident over: {incident}",
        piles.L_COLLECT: f"{incident} collects {CARD_NAMES.get(KIND_IDS[number], '')}" if event == piles.L_COLLECT else "",
        piles.L_LOOK: f"{who} looks at the hand of {whom}" if target else f"{who} looks at {_times(number, 'card')} of a deck",
        piles.L_SHOW: f"{whom} shows the hand to all",
        piles.L_SWAP: f"{who} and {whom} exchange hands",
        piles.L_GIVE: f"{whom} gets a card" + (f" of {who}" if actor else ""),
        piles.L_SKIP: f"{who} skips the turn",
        piles.L_ROLES: f"{who} and {whom} exchange roles; {whom} is the Heroine now",
        piles.L_SHUFFLE: f"the discard pile is shuffled into a new deck of {number}",
        piles.L_OVER: f"game over: {st.OUTCOMES[number % 4]}",
        piles.L_LASTING: f"until the next turn of {who}: {_lasting(what, number)}" + (f" for {whom}" if actor != target else "")
        if event == piles.L_LASTING
        else "",
        piles.L_DEAL: f"seat {actor - 1} is {CHARACTER_NAMES.get(CHARACTER_IDS[what], '')}" if event == piles.L_DEAL else "",
    }
    return lines[event]


_PROCEDURES = {
    st.SETUP: "setting up",
    st.SETTLE: "settling: last rescue, then defeats",
    st.LIMIT: "item limit",
}


def _frame_line(s: Any, frame: Any) -> str:
    procedure, seat = int(frame[st.PROCEDURE]), seat_name(s, int(frame[st.SEAT]))
    title = compile_cards().titles[int(frame[st.TEXT])] if procedure in (st.PLAY, st.ATTACK) else ""
    target = f" on {seat_name(s, int(frame[st.PICKED]) - 1)}" if frame[st.PICKED] else ""
    if procedure == st.TURN:
        return f"turn of {seat}, {st.STEPS[int(s['turn_step'])]} step"
    if procedure == st.PLAY:
        kind = "Spell Card " if int(frame[st.FLAGS]) & st.IS_SPELL else ""
        state = ", cancelled" if int(frame[st.FLAGS]) & st.CANCELLED else ""
        return f"{kind}{title or actions.ACTION_IDS[int(frame[st.WHAT])]} of {seat}{target}{state}"
    if procedure == st.ATTACK:
        flags = int(frame[st.FLAGS])
        state = ", avoided" if flags & st.AVOIDED else ", unavoidable" if flags & st.UNAVOIDABLE_ATTACK else ""
        return f"attack of {seat}{target} ({title}){state}"
    if procedure == st.WINDOW:
        priority = int(frame[window.PRIORITY]) - 1
        asked = f": priority of {seat_name(s, priority)}" if priority >= 0 else ""
        return f"window: {v.EVENTS[int(frame[st.TEXT])]}{asked}"
    if procedure == st.TRIM:
        return f"{seat} discards down to {int(frame[st.AMOUNT_IS])}"
    return _PROCEDURES[procedure]


def stack_lines(s: Any) -> list[str]:
    """The stack in words, the bottom first."""
    return [f"{'  ' * place}{_frame_line(s, s['stack'][place])}" for place in range(int(s["depth"]))]
