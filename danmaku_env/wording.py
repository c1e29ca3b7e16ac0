"""Words for people: names of cards, actions and seats, the log line of an event, the stack in words."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, overload

from danmaku_env.arguments import check_index
from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.box import BASE_GAME, CHARACTER_IDS, INCIDENT_IDS, KIND_IDS, LUNATIC_PREFIX, ROLE_IDS
from danmaku_env.cards.compile import compile_cards
from danmaku_env.engine import actions, events, queries
from danmaku_env.engine import frames as fr
from danmaku_env.engine import state as st

CARD_NAMES = {card.id: card.name for card in BASE_GAME.all_cards}
ROLE_NAMES = {role.id: role.name for role in BASE_GAME.all_roles}
INCIDENT_NAMES = {incident.id: incident.name for incident in BASE_GAME.all_incidents}
CHARACTER_NAMES = {character.id: character.name for character in BASE_GAME.all_characters}
SHORT_NAMES = {character.id: character.short_name for character in BASE_GAME.all_characters}

QUESTION_DOC = {
    "none": "nothing: the game is over",
    "main": "main step, nothing on the stack: play, use or activate something, or pass to end the step",
    "cancel": "a card or Spell Card has been announced: cancel it?",
    "respond": "its effects are on the stack: do something now?",
    "attacked": "an attack is on the stack: answer it?",
    "rescue": "somebody is at 0 life and nothing is pending: the last chance to bring them back",
    "step": "between two steps of a turn, or after an attack, with nothing left to answer: do something now?",
    "target": "which player",
    "second target": "which other player the same text concerns",
    "item": "which item in play",
    "card": "which card of a hand",
    "pay": "which card to discard as a cost",
    "discard": "which card to discard; pass, where it is legal, discards none and accepts what follows from that",
    "boost": "which further card to discard for more; pass when done",
    "may": "yes, or pass for no",
    "number": "which number",
    "type": "which card type",
    "deck": "which deck",
    "aside": "which of the cards laid aside; pass, where it is legal, for none",
    "end": "top or bottom of the deck",
    "season": "the season of the card just named, where copies differ; or a season to name, such as before a draw, pass naming none",
    "half": "which half of the card, or which ability: top is the first",
    "spell": "whose Spell Card, when several are one's own",
    "character": "which of the characters dealt to choose from, or drawn to recruit from",
    "extra": "which of one's Extra Characters; pass, where it is legal, for none",
    "ability": "whose ability to have besides one's own; pass, where it is legal, to leave it as it is; or, of several of one's own texts "
    "triggered by one event, which one happens first",
    "ban": "which character is to be left out of the draft: of one's own in secret, then of those that lie open",
    "incident": "which incident",
    "powerup": "which powerup to lose after a hit",
    "limit": "which of two defense cards or two artifacts to discard",
    "turn zero": "before the first turn, with Lunatic Extra: put items into play, exchange cards, or pass when done",
    "exchange": "which card of the Main deck to give for a Lunatic card; pass, once it is enough, to give no more",
    "copy": "whether the copy of the Main deck or that of the Lunatic deck is meant",
    "controller": "who controls the item being played (only when playing on behalf of others)",
}
"""What each question asks."""


@functools.cache
def card_name(card: int) -> str:
    """A physical card as tests and replays write it: `shoot/spring`, and `lunatic_bomb/spring` for the Lunatic copy of a Main-deck card."""
    tables = compile_cards().tables[0]
    kind = int(tables["card_kind"][card])
    reprinted = tables["card_lunatic"][card] and not tables["card_lunatic"][tables["first_copy"][kind]]
    return f"{LUNATIC_PREFIX * bool(reprinted)}{KIND_IDS[kind]}/{v.SEASONS[tables['card_season'][card]]}"


def seat_name(s: Any, seat: int) -> str:
    """`seat 2 (Cirno)`; in Double Threat `seat 2 (Cirno and Aya)`."""
    return seat_names(s)[seat] if seat >= 0 else "nobody"


def seat_names(s: Any) -> list[str]:
    """The names of all seats, in order."""
    seats = range(int(s["num_players"]))
    if not queries.is_revealed(s):
        return [f"seat {seat}" for seat in seats]
    characters = zip(*(s[field].tolist() for field in ("character", "second_character")), strict=True)
    names = [" and ".join(SHORT_NAMES[CHARACTER_IDS[number - 1]] for number in numbers if number) for numbers in characters]
    return [f"seat {seat} ({names[seat]})" if names[seat] else f"seat {seat}" for seat in seats]


def action_name(action: int, asking: int, players: int) -> str:
    """The name of an action with absolute seats."""
    if actions.SEAT_BASE <= action < actions.SEASON_BASE:
        return f"choose seat:{(action - actions.SEAT_BASE + asking) % players}"
    return actions.ACTION_IDS[action]


def action_index(name: str, asking: int, players: int) -> int:
    """The inverse of `action_name`. Raises KeyError for a name that no action has."""
    if name in _SEAT_NAMES:
        seat = _SEAT_NAMES.index(name)
        if seat >= players:
            raise KeyError(name)
        return actions.SEAT_BASE + (seat - asking) % players
    return _INDEX[name]


def name_meant(words: str) -> str | None:
    """The name of an action that is written with other capitals, or with extra or missing blanks.

    None where no name looks like that, or several do.
    """
    names = _LOOKS.get(_look(words), [])
    return names[0] if len(names) == 1 else None


def _look(words: str) -> str:
    """What is left of a name without blanks, the underscores that stand for them, and capitals."""
    return "".join(words.casefold().replace("_", " ").split())


_INDEX = {name: index for index, name in enumerate(actions.ACTION_IDS)}
_SEAT_NAMES = [f"choose seat:{seat}" for seat in range(st.SEATS)]
_LOOKS: dict[str, list[str]] = {}
for _name in dict.fromkeys([*actions.ACTION_IDS, *_SEAT_NAMES]):
    _LOOKS.setdefault(_look(_name), []).append(_name)


def _times(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def _until(owner: str, whom: str, word: int, value: int) -> str:
    """`until the next turn of seat 2 (Reimu): nobody plays cards of this type (dodge)`."""
    return f"until the next turn of {owner}: {lasting_words(word, value)}{f' for {whom}' if owner != whom else ''}"


def lasting_words(word: int, value: int) -> str:
    """`range bonus (5)`, `nobody plays cards of this type (dodge)`, `items have no effect`."""
    effect = v.LASTING_WORDS[word]
    if effect.value is v.Value.NONE:
        return effect.english
    return f"{effect.english} ({v.TYPES[value.bit_length() - 1] if effect.value is v.Value.TYPE else value})"


def lasting_lines(s: Any) -> list[str]:
    """The effects that last until somebody's next turn, the oldest first, and the ban for the rest of this one."""
    lines = []
    for word, owner, seat, value in s["lasting"][: int(s["lasting_size"])].tolist():
        lines.append(_until(seat_name(s, owner), seat_name(s, seat), word - 1, value))
    return [*lines, "until the end of this turn: nobody plays action cards"] if s["action_ban"] else lines


OMNISCIENT, PUBLIC = -1, -2
"""Observers other than a seat: one who sees everything, and one who sees what everybody knows."""


class Event(NamedTuple):
    """One event as somebody sees it."""

    word: str
    """What happened: events.EVENT_WORDS."""
    actor: int | None
    """Seat, or None."""
    target: int | None
    """Seat, or None."""
    about: int
    """Number of a character, incident, role, deck or lasting effect, or the options that a text names, as bits; else -1."""
    number: int
    """Text played, damage, life, cards moved together, which turn of the game."""
    extra: int
    """Life left; which of the cards moved together this is, from 1."""
    card: str | None
    """`shoot/spring`, or an incident's id; None when there is none or the observer does not know it."""


def _must_know(observer: int) -> int:
    """Bits of the seats that must know a card for the observer (a seat, OMNISCIENT or PUBLIC) to see it in the log."""
    if observer == OMNISCIENT:
        return 0
    return st.EVERYBODY if observer == PUBLIC else 1 << observer


def event_seen(row: Any, observer: int) -> Event:
    """An event of the log as the observer sees it: a seat, OMNISCIENT or PUBLIC."""
    event, actor, target, about, number, extra, card, known = (int(value) for value in row)
    must = _must_know(observer)
    shown = card > 0 and known & must == must
    if event == events.L_TURN:
        number, extra = number + events.NUMBER_ROOM * extra, 0
    name = (INCIDENT_IDS[card - st.INCIDENT_CARD - 1] if card > st.INCIDENT_CARD else card_name(card - 1)) if shown else None
    return Event(events.EVENT_WORDS[event], actor - 1 if actor else None, target - 1 if target else None, about - 1, number, extra, name)


ABOUT_CHARACTERS = ("deal", "recruit", "dismiss", "turned away", "named", "character ban")
"""Events that are about a character, by their words."""


class _Told:
    """The parts of a sentence about one event, or about several cards that moved together."""

    def __init__(self, seats: Sequence[str], run: list[Event]) -> None:
        """`seats` are the names of the seats."""
        event = run[0]
        self.number, self.extra, self.about = event.number, event.extra, event.about
        self.who, self.whom = ("nobody" if seat is None else seats[seat] for seat in (event.actor, event.target))
        self.on = f" on {self.whom}" if event.target is not None else ""
        if event.word in ("play", "spell", "use") and event.about > 0:
            options = [str(bit + 1) for bit in range(event.about.bit_length()) if event.about >> bit & 1]
            self.on += f" (option{'s' * (len(options) > 1)} {', '.join(options)})"
        self.has_target = event.target is not None
        self.count = len(run)
        self.of_hand = "the hand" if event.extra else "a card of the hand" if event.number else "the empty hand"
        names = [event.card for event in run if event.card is not None]
        self.card = shown_card(names[0]) if names else "a card"
        self.cards = f": {', '.join(shown_card(name) for name in names)}" if names else ""
        self.title = compile_cards().titles[event.number] if event.word in ("play", "spell", "use", "cancel") else ""
        self.incident = INCIDENT_NAMES[INCIDENT_IDS[event.about]] if event.word in ("incident", "resolved", "collect") else ""
        self.character = CHARACTER_NAMES.get(CHARACTER_IDS[event.about], "") if event.word in ABOUT_CHARACTERS else ""
        self.role = ROLE_NAMES.get(ROLE_IDS[event.about], "no role") if event.word in ("defeat", "reveal") else ""


def counted(names: Sequence[str]) -> list[str]:
    """Equal names once, with their number: `Graze ×2`."""
    return [times(name, names.count(name)) for name in dict.fromkeys(names)]


def times(name: str, count: int) -> str:
    """`Graze ×2`, and one by its name alone."""
    return name if count == 1 else f"{name} ×{count}"


def shown_card(name: str) -> str:
    """`Shoot (spring)` for `shoot/spring`, `Lunatic Bomb (spring)` for `lunatic_bomb/spring`; the name of an incident."""
    kind, _, season = name.partition("/")
    if not season:
        return INCIDENT_NAMES[name]
    return f"{'Lunatic ' * kind.startswith(LUNATIC_PREFIX)}{CARD_NAMES[kind.removeprefix(LUNATIC_PREFIX)]} ({season})"


_DECK_NAMES = {v.INCIDENT_DECK: "incident", v.LUNATIC_DECK: "Lunatic"}
"""The decks that are named in the log where it could be another."""


def _look_line(told: _Told) -> str:
    if told.has_target:
        return f"{told.who} looks at {told.of_hand} of {told.whom}{told.cards}"
    deck = _DECK_NAMES.get(told.about)
    return f"{told.who} looks at {_times(told.count, 'card')} of {f'the {deck}' if deck else 'a'} deck{told.cards}"


def _take_line(told: _Told) -> str:
    if told.number == 0:
        return f"{told.who} takes control of {told.card} of {told.whom}"
    return f"{told.who} takes {_times(told.count, 'card')}" + (f" of {told.whom}" if told.has_target else "") + told.cards


_SENTENCES: dict[str, Callable[[_Told], str]] = {
    "turn": lambda told: f"--- turn {told.number}: {told.who}",
    "play": lambda told: f"{told.who} plays {told.title}{told.on}",
    "spell": lambda told: f"{told.who} {'copies' if told.extra else 'activates'} the Spell Card {told.title}{told.on}",
    "use": lambda told: f"{told.who} {'copies' if told.extra else 'uses'} {told.title}{told.on}",
    "attack": lambda told: (
        f"{told.who} attacks {told.whom}" + (f" for {told.number}" if told.number > 1 else "") + (", unavoidably" if told.extra else "")
    ),
    "avoid": lambda told: f"{told.who} avoids the attack of {told.whom}",
    "hit": lambda told: f"the attack of {told.whom} hits {told.who}" + ("" if told.number else ", who loses no life"),
    "lose": lambda told: f"{told.who} loses {told.number} life, {told.extra} left",
    "gain": lambda told: (
        f"{told.who} regains {told.number} life" + (f" from {told.whom}" if told.has_target else "") + f", now {told.extra}"
    ),
    "revive": lambda told: f"{told.who} is back at 1 life" + (f", saved by {told.whom}" if told.has_target else ""),
    "draw": lambda told: f"{told.who} draws {_times(told.count, 'Lunatic card' if told.about == v.LUNATIC_DECK else 'card')}{told.cards}",
    "discard": lambda told: f"{told.who} discards {told.card}" + (" from play" if told.number else ""),
    "flip": lambda told: f"{told.who} {'reveals' if told.number else 'flips'}{told.cards.replace(':', '', 1)}",
    "item": lambda told: f"{told.who} has {told.card} in play",
    "cancel": lambda told: f"{told.who} cancels {told.title} of {told.whom}",
    "defeat": lambda told: f"{told.who} is defeated: {told.role}",
    "reveal": lambda told: f"{told.who} is revealed as {told.role}",
    "incident": lambda told: f"incident: {told.incident}",
    "resolved": lambda told: f"incident over: {told.incident}",
    "collect": lambda told: f"{told.incident} collects {told.card}",
    "look": _look_line,
    "show": lambda told: f"{told.whom} shows {told.of_hand} to all{told.cards}",
    "swap": lambda told: f"{told.who} and {told.whom} exchange hands",
    "give": lambda told: f"{told.whom} gets {_times(told.count, 'card')} of {told.who}{told.cards}",
    "take": _take_line,
    "to deck": lambda told: (
        f"{told.who} puts {told.card} on {'top of' if told.extra else 'one end of'} the {_DECK_NAMES.get(told.about, 'Main')} deck"
    ),
    "search": lambda told: f"{told.who} looks for an incident and puts it on top of its deck" + told.cards,
    "skip": lambda told: f"{told.who} skips the turn",
    "roles": lambda told: (
        f"{told.who} and {told.whom} exchange roles; {told.whom} is the Heroine now"
        + (f", and the life of {told.who} falls to {told.number}" if told.number else "")
    ),
    "shuffle": lambda told: (
        f"the {_DECK_NAMES.get(told.about, 'Main')} deck is shuffled"
        if told.extra or told.about == v.INCIDENT_DECK
        else f"the {'Lunatic ' * (told.about == v.LUNATIC_DECK)}discard pile is shuffled into a new deck of {told.number}"
    ),
    "over": lambda told: f"game over: {st.OUTCOMES[told.number % 4]}",
    "lasting": lambda told: _until(told.who, told.whom, told.about, told.number),
    "recruit": lambda told: f"{told.who} recruits {told.character}",
    "dismiss": lambda told: f"{told.who} dismisses {told.character}",
    "turned away": lambda told: f"{told.who} draws {told.character}, who cannot be recruited",
    "restock": lambda told: f"the discarded characters become a new pile of {told.number}",
    "character ban": lambda told: f"{told.who.partition(' (')[0]} bans {told.character}",
    "named": lambda told: f"{told.who} has the ability of {told.character}" + (" for the rest of the game" if told.number else " too"),
    "season called": lambda told: f"{told.who} names {v.SEASONS[told.number]} before drawing",
    "deal": lambda told: f"{told.who.partition(' (')[0]} is {told.character}",
}


def event_lines(s: Any, events: Iterable[Event]) -> list[str]:
    """Events as sentences, one line each; cards that moved together share a line."""
    seats = seat_names(s)
    return [_SENTENCES[run[0].word](_Told(seats, run)) for run in event_runs(events)]


def event_runs(events: Iterable[Event]) -> list[list[Event]]:
    """Events as they share lines: cards that moved together are one run."""
    runs: list[list[Event]] = []
    for event in events:
        last = runs[-1][-1] if runs else None
        if last and event.extra > 1 and event[:3] == last[:3] and event.extra == last.extra + 1 and event.word in _RUNS:
            runs[-1].append(event)
        else:
            runs.append([event])
    return runs


_RUNS = ("draw", "look", "show", "give", "take", "flip")
"""Events of which one row per card is kept."""


class Log(Sequence[str]):
    """What happened, one readable line per event, as everybody knows it; `of(seat)` and `above()` tell more."""

    def __init__(self, s: Any, rows: Any, observer: int = PUBLIC) -> None:
        """`rows` [n, 8] are events of the record `s`, oldest first."""
        self._s, self._rows, self._observer = s, rows, observer

    @functools.cached_property
    def events(self) -> list[Event]:
        """The events for programs."""
        return [event_seen(row, self._observer) for row in self._rows.tolist()]

    @functools.cached_property
    def _lines(self) -> list[str]:
        return event_lines(self._s, self.events)

    def of(self, seat: int) -> Log:
        """The log as a seat knows it: with the cards it has seen move. Raises IndexError for a seat that is not at the table."""
        return Log(self._s, self._rows, check_index(seat, int(self._s["num_players"]), "seat"))

    def above(self) -> Log:
        """The log with everything."""
        return Log(self._s, self._rows, OMNISCIENT)

    def redacted(self) -> Log:
        """The log as the observer sees it, from which nobody can get more."""
        rows, must = self._rows.copy(), _must_know(self._observer)
        rows[rows[:, st.KNOWN_TO] & must != must, st.CARD_SHOWN] = 0
        return Log(self._s, rows, self._observer)

    def since(self, events: int) -> Log:
        """The log without what had been told when the game had logged this many events; lines no longer kept are missing."""
        return Log(self._s, self._rows[max(0, len(self._rows) - max(0, int(self._s["log_count"]) - events)) :], self._observer)

    def __len__(self) -> int:
        return len(self._lines)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> list[str]: ...
    def __getitem__(self, place: int | slice) -> str | list[str]:
        return self._lines[place]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, (Log, list)) and self._lines == list(other)

    def __hash__(self) -> int:
        return hash(tuple(self._lines))

    def __str__(self) -> str:
        return "\n".join(self._lines)

    __repr__ = __str__


_OTHER_FRAMES = {
    fr.DRAWING_FRAME: "cards are drawn one by one",
    fr.SETUP_FRAME: "setting up",
    fr.SETTLE_FRAME: "settling: last rescue, then defeats",
    fr.LIMIT_FRAME: "item limit",
    fr.TRIGGERS_FRAME: "what has triggered together is decided, then put in order",
}


def _on(s: Any, seat_plus_one: int) -> str:
    return f" on {seat_name(s, seat_plus_one - 1)}" if seat_plus_one else ""


_DECK_WORDS = {v.MAIN_DECK: "the Main deck", v.INCIDENT_DECK: "the incident deck", v.LUNATIC_DECK: "the Lunatic deck"}


def named_words(text: int, number: int) -> str:
    """What was named when a text was announced, as a number says it (the field `played_number`): "5", "danmaku", "the Main deck"; or ""."""
    source = compile_cards().texts[text]
    asked = {op.code for op in v.every_row(source.announce)} if source else set()
    if not number:
        return ""
    if v.CHOOSE_DECK in asked or v.CHOOSE_SEARCH in asked:
        return _DECK_WORDS[number - 1]
    if v.CHOOSE_ABILITY in asked:
        return CHARACTER_NAMES[CHARACTER_IDS[number - 1]]
    if v.CHOOSE_TYPE in asked:
        return v.TYPES[number.bit_length() - 1]
    if v.CHOOSE_NUMBER in asked:
        return str(number)
    if v.CHOOSE_OPTIONS in asked:
        return ", ".join(str(option + 1) for option in range(number.bit_length()) if number >> option & 1)
    if v.CHOOSE_SEASONS in asked:
        return ", ".join(season for place, season in enumerate(v.SEASONS) if number >> place & 1)
    return ""


def announced_words(targets: Sequence[str], item: str, named: str) -> str:
    """What was announced with a card or Spell Card, after its name: the targets in order, the item picked, what was named."""
    parts = [f" on {', then '.join(targets)}"] if targets else []
    parts += [f" (picking {item})"] if item else []
    parts += [f" (naming {named})"] if named else []
    return "".join(parts)


def announced(s: Any, frame: Any, called: Callable[[int], str]) -> str:
    """What was announced in a PLAY frame, in words, with seats as they are `called`; what its effects changed later does not count."""
    waits = frame[fr.AT] == fr.AT_RESOLVE and fr.is_triggered(frame)  # for what the same event has triggered
    is_pending = waits or fr.AT_PUT <= int(frame[fr.AT]) <= fr.AT_RESPONSE
    columns = (fr.PLAY_CHOSEN, fr.PLAY_SECOND, fr.PLAY_EACH) if is_pending else (fr.PLAY_CHOSEN,)
    targets = [called(int(frame[column]) - 1) for column in columns if frame[column]]
    if not is_pending:
        return announced_words(targets, "", "")
    pick = int(frame[fr.PLAY_PICK]) - 1
    is_open = 0 <= pick < st.INCIDENT_CARD and s["zone"][pick] in (st.IN_PLAY, st.IN_DISCARD, st.COLLECTED)
    item = CARD_NAMES[KIND_IDS[int(compile_cards().tables[0]["card_kind"][pick])]] if is_open else ""
    return announced_words(targets, item, named_words(int(frame[fr.PLAY_TEXT]), int(frame[fr.PLAY_DECK]) or int(frame[fr.PLAY_AMOUNT])))


def _to_come(s: Any, frame: Any) -> str:
    """The attacks of the same effect that come after the one on top."""
    again, seats = int(frame[fr.ATTACK_AGAIN]), int(frame[fr.ATTACK_PENDING])
    names = [seat_name(s, seat) for seat in range(st.SEATS) if seats >> seat & 1]
    return (f", and {again} more" if again else "") + (f", then on {', '.join(names)}" if names else "")


def _frame_line(s: Any, frame: Any) -> str:
    procedure, seat = int(frame[fr.PROCEDURE]), seat_name(s, int(frame[fr.SEAT]))
    titles = compile_cards().titles
    if procedure == fr.TURN_FRAME:
        return f"turn of {seat}, {st.STEPS[int(s['turn_step'])]} step"
    if procedure == fr.PLAY_FRAME:
        kind = "Spell Card " if int(frame[fr.PLAY_FLAGS]) & fr.IS_SPELL else ""
        state = ", cancelled" if int(frame[fr.PLAY_FLAGS]) & fr.IS_CANCELLED else ""
        title = titles[int(frame[fr.PLAY_TEXT])] or actions.ACTION_IDS[int(frame[fr.PLAY_ACTION])]
        return f"{kind}{title} of {seat}{announced(s, frame, functools.partial(seat_name, s))}{state}"
    if procedure == fr.ATTACK_FRAME:
        flags = int(frame[fr.ATTACK_FLAGS])
        state = ", avoided" if flags & fr.IS_AVOIDED else ", unavoidable" if flags & fr.IS_UNAVOIDABLE else ""
        return f"attack of {seat}{_on(s, int(frame[fr.ATTACK_TARGET]))} ({titles[int(frame[fr.ATTACK_TEXT])]}){state}{_to_come(s, frame)}"
    if procedure == fr.WINDOW_FRAME:
        priority = int(frame[fr.WINDOW_PRIORITY]) - 1
        asked = f": priority of {seat_name(s, priority)}" if priority >= 0 else ""
        return f"window: {v.EVENTS[int(frame[fr.WINDOW_EVENT])]}{asked}"
    if procedure == fr.TRIM_FRAME:
        return f"{seat} discards down to {int(frame[fr.TRIM_SIZE]) or 'the maximum hand size'}"
    if procedure == fr.EXCHANGE_FRAME:
        return f"{seat} gives cards for a Lunatic card: {int(frame[fr.EXCHANGE_POINTS])} of {queries.PRICE} points"
    return _OTHER_FRAMES[procedure]


def puts_texts_in_order(s: Any) -> bool:
    """Whether the pending question is which of several texts of one's own, triggered by one event, happens first (K-14)."""
    return bool(s["question"] == actions.Q_ABILITY and s["stack"][int(s["depth"]) - 1, fr.PROCEDURE] == fr.TRIGGERS_FRAME)


def stack_lines(s: Any) -> list[str]:
    """The stack in words, the bottom first."""
    return [f"{'  ' * place}{_frame_line(s, s['stack'][place])}" for place in range(int(s["depth"]))]
