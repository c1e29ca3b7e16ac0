"""What one observer sees of a game, as plain data. Every drawn table and every message to a browser is made of this and nothing else.

`table_view(game, 2)` is made of the observation of seat 2, of what everybody may know (whose turn it is, the characters, how the game
ended) and, while seat 2 is asked, of its question; so whatever is drawn of it cannot show more than the seat may know.
`table_view(game, None)` sees everything, `table_view(game, OUTSIDE)` what every seat may know.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.box import CHARACTER_IDS, INCIDENT_IDS, ITEM_IDS, KIND_IDS, ROLE_IDS
from danmaku_env.cards.compile import compile_cards
from danmaku_env.decoding import decode
from danmaku_env.engine import state as st
from danmaku_env.engine.queries import NO_LIMIT
from danmaku_env.game import Game
from danmaku_env.machine.records import Array
from danmaku_env.render.asking import Question, question
from danmaku_env.wording import (
    CARD_NAMES,
    CHARACTER_NAMES,
    INCIDENT_NAMES,
    announced_words,
    card_name,
    counted,
    lasting_words,
    named_words,
    seat_names,
    shown_card,
    stack_lines,
    times,
)  # fmt: skip

Counts = tuple[tuple[str, int], ...]
"""Ids, each with how many there are of it."""


class _NoSeat(int):
    """A number that is not a seat: a plain -1 from a caller is refused, and is not this one."""


OUTSIDE = _NoSeat(-1)
"""A spectator: sees what all seats see, and no hand."""
_MARKS = {
    "spell_used": "spell used", "ability_used": "ability used", "skip_next": "skips the next turn",
    "skipped_last": "skipped the last turn", "items_off": "items have no effect", "abilities_off": "abilities have no effect",
    "spared": "cannot lose life in this turn", "item_due": "gets an item when the stack is empty",
}  # fmt: skip
_MARKED_AT_THEIR_SEAT = (v.ITEMS_OFF, v.ABILITIES_OFF)
"""Lasting effects that a mark shows at the seat concerned, which is another than whose turn ends them."""
_BEFORE_TURNS = {
    "setup": "setting up: everybody chooses a character", "draft": "setting up: characters are banned and picked",
    "zero": "before the first turn: items are put into play, cards exchanged",
}  # fmt: skip
"""What happens in the steps before the first turn."""


@dataclass(frozen=True, slots=True)
class SeatView:
    """One seat, as the observer sees it."""

    index: int
    name: str
    """`seat 2 (Cirno)`."""
    character: str
    """Id, "" while it is hidden or there is none."""
    second_character: str
    """In Double Threat."""
    extras: tuple[str, ...]
    """Ids of the Extra Characters."""
    role: str | None
    """Id, None where the observer does not know it, "" for a player who has none any more."""
    role_hidden: bool
    """Whether the role is known to the observer and not to everybody."""
    mine: bool
    active: bool
    has_turn: bool
    is_asked: bool
    """Whether it must answer, as far as the observer sees that: a seat knows only of itself."""
    life: int
    max_life: int
    hand_size: int
    hand: Counts | None
    """The cards, `shoot/spring`, where the observer sees the whole hand; else None."""
    known: Counts
    """Kinds in the hand that the observer knows otherwise."""
    items: Counts
    """Kinds of items in play."""
    in_range: bool | None
    """Whether it is in the range of the observer; None from above."""
    notes: tuple[str, ...]
    """What else is to be said of it, in words."""
    limits: tuple[str, ...]
    """Of the seat that looks: its range, danmaku played of how many, cards that it may keep; else empty."""


@dataclass(frozen=True, slots=True)
class LunaticPiles:
    """The piles that there are with Lunatic Extra only."""

    deck: int
    discard: Counts
    """Kinds in its discard pile."""
    discard_top: str
    """Its top card, `occult_ball/spring`, or ""."""
    characters_left: int
    """Characters in the pile from which one is recruited."""
    characters_discarded: int


@dataclass(frozen=True, slots=True)
class TableView:
    """The table, as the observer sees it."""

    observer: int | None
    """A seat, None from above, or OUTSIDE."""
    players: int
    turn_number: int
    """0 before the first turn."""
    opening: str
    """What happens before the first turn, in words; "" from then on."""
    begun: bool
    """Whether characters and the Heroine are open, and hands are dealt."""
    turn: str
    """Whose turn it is: `seat 2 (Cirno)`."""
    step: str
    incidents: tuple[str, ...]
    collected: Counts
    """Collected cards by season."""
    deck: int
    incident_deck: int
    discard: Counts
    """Kinds in the discard pile."""
    discard_top: str
    """Its top card, `shoot/spring`, or ""."""
    lunatic: LunaticPiles | None
    """With Lunatic Extra; else None."""
    private: tuple[str, ...]
    """What the observer knows of cards laid aside and of the decks, in words."""
    stack: tuple[str, ...]
    """What is happening, in words: the topmost card and the topmost attack."""
    aimed: tuple[int, int] | None
    """Who attacks whom, where that is what happens."""
    frames: tuple[str, ...]
    """The whole stack as the engine has it, from above; else empty."""
    seats: tuple[SeatView, ...]
    """Clockwise; the seat that looks is the first."""
    question: Question | None
    """The pending question, where the observer may see it."""
    ending: str
    """How the game ended, "" while it goes on: running, won, draw, truncated."""
    winners: tuple[str, ...]
    """Names of the seats that have won."""

    @property
    def viewer(self) -> str:
        """Who observes, in words: `from above`, `as seat 2 sees it`."""
        if self.observer is OUTSIDE:
            return "as everybody sees it"
        return "from above" if self.observer is None else f"as seat {self.observer} sees it"

    @property
    def over(self) -> str:
        """How the game ended, in a sentence; "" while it goes on."""
        how = f"won by {', '.join(self.winners)}" if self.winners else self.ending
        return how and f"Game over, {how}."

    def seat(self, index: int) -> SeatView:
        """A seat by its place at the table."""
        return next(seat for seat in self.seats if seat.index == index)


def table_view(game: Game, observer: int | None, *, asked: bool = True) -> TableView:
    """What `observer` sees of a game; None sees everything, OUTSIDE what all see. `asked` = False leaves out the question and who is asked.

    Raises IndexError for a seat beyond the table.
    """
    if observer is not None and observer is not OUTSIDE:
        game.seat(observer)
    return _ViewBuilder(game, observer, asked, max(0, observer or 0)).build()


def named_cards(counts: Counts) -> str:
    """`Shoot (spring) ×2, Graze (winter)`; kinds without a season by their name alone."""
    return ", ".join(times(shown_card(name) if "/" in name else CARD_NAMES[name], count) for name, count in counts)


def _oldest_first(seen: Mapping[str, Array]) -> list[int]:
    """Incidents in play in the order in which they entered, as far as that matters: with the expansion there may be several."""
    return sorted(np.flatnonzero(seen["incidents"]).tolist(), key=lambda number: int(seen["incident_order"][number]))


class _ViewBuilder:
    """One look at a game."""

    def __init__(self, game: Game, observer: int | None, asked: bool, viewer: int) -> None:
        self.game = game
        self.observer = observer
        self.asked = asked
        self.players = game.config.num_players
        self.viewer = viewer
        """Of whose observation it is made."""
        self.sits = observer is not None and observer is not OUTSIDE
        self.begun = game.step not in ("setup", "draft")
        self.seen = decode(game.observe(self.viewer))
        self.names = seat_names(game.record)

    def build(self) -> TableView:
        game, seen = self.game, self.seen
        deck, incident_deck = seen["deck_size"].tolist()
        return TableView(
            observer=self.observer,
            players=self.players,
            turn_number=game.turn_number,
            opening=_BEFORE_TURNS.get(game.step, "") if not game.turn_number else "",
            begun=self.begun,
            turn=self.names[game.turn],
            step=game.step,
            incidents=tuple(INCIDENT_IDS[number] for number in _oldest_first(seen)),
            collected=_counts(v.SEASONS, seen["collected_seasons"]),
            deck=deck,
            incident_deck=incident_deck,
            discard=_counts(KIND_IDS, seen["discard"]),
            discard_top=_card(*seen["discard_top"].tolist()),
            lunatic=self._lunatic_piles(),
            private=tuple(self._laid_aside() if self.observer is None else self._private() if self.sits else ()),
            stack=tuple(self._stack()),
            aimed=self._aimed(),
            frames=tuple(stack_lines(game.record)) if self.observer is None else (),
            seats=tuple(self._seat((self.viewer + place) % self.players, place) for place in range(self.players)),
            question=self._question(),
            ending=game.outcome if game.over else "",
            winners=tuple(self.names[seat] for seat in game.winners),
        )

    def _question(self) -> Question | None:
        asking = self.game.asking
        if asking is None or not self.asked or self.observer not in (None, asking):
            return None
        return question(self.game)

    # ---- a seat

    def _seat(self, index: int, place: int) -> SeatView:
        game, seen = self.game, self.seen
        role = self._role(index, place)
        active = bool(seen["active"][place])
        return SeatView(
            index=index,
            name=self.names[index],
            character=self._character("character", index, place),
            second_character=self._character("second_character", index, place),
            extras=tuple(CHARACTER_IDS[number - 1] for number in seen["extras"][place].tolist() if number),
            role=role,
            role_hidden=bool(role) and not game.seat(index).role_revealed,
            mine=index == self.observer,
            active=active,
            has_turn=game.turn_number > 0 and game.turn == index,
            is_asked=self.asked and game.asking == index and self.observer in (None, index),
            life=int(seen["life"][place]),
            max_life=self._max_life(index, place),
            hand_size=int(seen["hand_size"][place]),
            hand=self._hand(index),
            known=_counts(KIND_IDS, seen["known_hands"][place]) if self.sits else (),
            items=_counts(ITEM_IDS, seen["items"][place]),
            in_range=bool(seen["in_range"][place]) if self.sits else None,
            notes=tuple(self._notes(index, place)) if active and self.begun else (),
            limits=tuple(self._limits(index)) if active and self.begun and index == self.observer else (),
        )

    def _role(self, index: int, place: int) -> str | None:
        if self.observer is None:
            return self.game.seat(index).role
        if self.observer is OUTSIDE:
            return self.game.seat(index).role if self.game.seat(index).role_revealed or self.game.over else None
        known = np.flatnonzero(self.seen["role"][place])
        if len(known):
            return ROLE_IDS[int(known[0]) + 1]
        return "" if self.game.seat(index).role_revealed else None  # who was the Heroine before the Rival took over

    def _max_life(self, index: int, place: int) -> int:
        if self.observer is None:
            return self.game.seat(index).max_life
        return 0 if self.observer is OUTSIDE and not self.begun else int(self.seen["max_life"][place])  # it tells of a role

    def _character(self, which: str, index: int, place: int) -> str:
        if self.observer is OUTSIDE and self.game.step == "setup":
            return ""
        number = int(self.game.record[which][index]) if self.observer is None else int(self.seen[which][place])
        return CHARACTER_IDS[number - 1] if number else ""

    def _hand(self, index: int) -> Counts | None:
        """The cards that the observer holds; above the table, everybody's."""
        if self.observer not in (None, index):
            return None
        hand = self.game.seat(index).hand
        return tuple((card, hand.count(card)) for card in dict.fromkeys(hand))

    def _limits(self, index: int) -> list[str]:
        """What the seat that looks may do in a round, and how far it reaches."""
        mine = self.game.seat(index)
        most = "any number" if mine.danmaku_limit >= NO_LIMIT else str(mine.danmaku_limit)
        return [f"range {mine.range}", f"danmaku played {mine.danmaku_counted} of {most}", f"keeps {mine.max_hand} cards"]

    def _notes(self, index: int, place: int) -> list[str]:
        seen = self.seen
        notes = [f"range {self.game.seat(index).range}"] if self.observer is None else []
        if count := int(seen["danmaku_played"][place]):
            notes.append(f"{count} danmaku played")
        if count := int(seen["lunatic_in_hand"][place]):
            notes.append(f"{count} Lunatic card{'s' * (count > 1)} in hand")
        notes += [f"has the ability of {CHARACTER_NAMES[CHARACTER_IDS[number - 1]]}" for number in seen["named"][place].tolist() if number]
        marks = [name for name in _MARKS if seen[name][place]]
        notes += [_MARKS[name] for name in marks if name != "skip_next" or "skipped_last" not in marks]  # T-5: not twice in a row
        lasting = enumerate(seen["lasting"][place].tolist())
        return notes + [lasting_words(word, value) for word, value in lasting if value and word not in _MARKED_AT_THEIR_SEAT]

    # ---- between the seats

    def _lunatic_piles(self) -> LunaticPiles | None:
        if self.game.config.expansion == "none":
            return None
        seen = self.seen
        left, discarded = seen["characters_left"].tolist()
        top = _card(*seen["lunatic_discard_top"].tolist())
        return LunaticPiles(int(seen["lunatic_deck_size"][0]), _counts(KIND_IDS, seen["lunatic_discard"]), top, left, discarded)

    def _laid_aside(self) -> list[str]:
        """From above: the cards laid aside."""
        cards = [int(card) - 1 for card in self.game.record["aside"][: int(self.game.record["aside_size"])]]
        names = [shown_card(card_name(card)) for card in cards if card < st.INCIDENT_CARD]
        return [f"laid aside: {', '.join(counted(names))}"] if names else []

    def _private(self) -> list[str]:
        """Cards laid aside, and what the seat knows of the decks."""
        seen, lines = self.seen, []
        aside = [CARD_NAMES[KIND_IDS[kind]] for kind, count in enumerate(seen["aside"]) for _ in range(int(count))]
        aside += [INCIDENT_NAMES[INCIDENT_IDS[number]] for number in np.flatnonzero(seen["aside_incidents"])]
        if aside:
            lines.append(f"laid aside: {', '.join(counted(aside))}")
        for end in ("top", "bottom"):
            for deck, words in (("known", "deck"), ("known_lunatic", "Lunatic deck")):
                if known := _known_end(seen[f"{deck}_{end}"]):
                    lines.append(f"you know the {end} of the {words}: {known}")
        depths = seen["known_incidents"]
        incidents = [f"{depths[number]}. {INCIDENT_NAMES[INCIDENT_IDS[number]]}" for number in np.argsort(depths) if depths[number]]
        if incidents:
            lines.append(f"you know of the incident deck: {', '.join(incidents)}")
        gone = [CHARACTER_NAMES[CHARACTER_IDS[number]] for number in np.flatnonzero(seen["discarded_characters"])]
        if gone:
            lines.append(f"you know of the discarded characters: {', '.join(gone)}")
        return lines

    def _stack(self) -> list[str]:
        lines = []
        if (actor := self._seat_in("played_by")) is not None:
            targets = [self._seat_in(piece) for piece in ("played_on", "played_second", "played_third")]
            item, text = int(self.seen["played_item"][0]), self._text_played()
            announced = announced_words(
                [self._whom(target) for target in targets if target is not None],
                CARD_NAMES[KIND_IDS[item - 1]] if item else "",
                named_words(text, int(self.seen["played_number"][0])) if text else "",
            )
            lines.append(f"{self.names[actor]} {self._played_in_words()}{announced}")
        if (actor := self._seat_in("attack_by")) is not None:
            target, (damage, unavoidable) = self._seat_in("attack_on"), self.seen["attack"].tolist()
            whom = "somebody" if target is None else self._whom(target)
            lines.append(f"{self.names[actor]} attacks {whom} for {damage}{', unavoidably' if unavoidable else ''}")
        return lines

    def _aimed(self) -> tuple[int, int] | None:
        by, on = self._seat_in("attack_by"), self._seat_in("attack_on")
        return None if by is None or on is None else (by, on)

    def _played_in_words(self) -> str:
        """What is played, activated or used."""
        kind, character = self.seen["played"].tolist()
        if kind:
            return f"{'plays' if self.seen['played_half'][0] else 'uses'} {CARD_NAMES[KIND_IDS[kind - 1]]}"
        if not character:
            return "acts for an incident or a role"
        if self.seen["played_spell"][0]:
            return f"activates the Spell Card {compile_cards().titles[self._text_played()]}"
        return f"uses {CHARACTER_NAMES[CHARACTER_IDS[character - 1]]}"

    def _text_played(self) -> int:
        """The text of it; 0 for abilities, with which nothing is named that others do not hear of otherwise."""
        tables = compile_cards().tables[0]
        kind, character = self.seen["played"].tolist()
        if kind and (half := int(self.seen["played_half"][0])):
            return int(tables["mode_text"][kind - 1, half - 1])
        return int(tables["spell_text"][character - 1]) if self.seen["played_spell"][0] and character else 0

    def _whom(self, seat: int) -> str:
        return "you" if seat == self.observer else self.names[seat]

    def _seat_in(self, piece: str) -> int | None:
        """The seat a flag piece names."""
        places = np.flatnonzero(self.seen[piece])
        return int(places[0] + self.viewer) % self.players if len(places) else None


def _counts(ids: tuple[str, ...] | list[str], numbers: Array) -> Counts:
    return tuple((ids[number], int(numbers[number])) for number in np.flatnonzero(numbers))


def _card(kind: int, season: int) -> str:
    """`shoot/spring` of two id bytes of an observation, "" where there is none."""
    return f"{KIND_IDS[kind - 1]}/{v.SEASONS[season - 1]}" if kind else ""


def _known_end(rows: Array) -> str:
    """The known cards at an end of a deck, "" when there are none."""
    names = [shown_card(card) if (card := _card(*row)) else "?" for row in rows.tolist()]
    while names and names[-1] == "?":
        names.pop()
    return ", ".join(names)
