"""`Seat`: what lies before one seat and what it may do, read from a game.

It sees from above: hidden cards and roles too. What the seat itself may know is in `Game.observe` and `Game.log.of`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from danmaku_env.arguments import check_index
from danmaku_env.cards.box import CHARACTER_IDS, ROLE_IDS
from danmaku_env.cards.compile import compile_cards
from danmaku_env.engine import batch, queries
from danmaku_env.engine import state as st
from danmaku_env.wording import card_name

if TYPE_CHECKING:
    from danmaku_env.game.game import Game


def check_seat(index: object, players: int) -> int:
    """The seat as an int. Raises IndexError for anything but a seat of the table."""
    return check_index(index, players, "seat")


def _characters(bits: int) -> list[str]:
    return [name for number, name in enumerate(CHARACTER_IDS) if bits >> number & 1]


class Seat:
    """One seat of a game, read-only, seen from above (everything, hidden or not)."""

    def __init__(self, game: Game, index: int) -> None:
        self._game = game
        self._s = game.record
        self.index = index

    @property
    def life(self) -> int:
        """0 to `max_life`."""
        return int(self._s["life"][self.index])

    @property
    def max_life(self) -> int:
        """4 and what the role adds, or `GameConfig.life` (1 to 5) where that is given."""
        return int(self._game._seat_figures()[self.index, batch.FIGURE_MAX_LIFE])

    @property
    def max_hand(self) -> int:
        """Max hand size now."""
        return int(self._game._seat_figures()[self.index, batch.FIGURE_MAX_HAND])

    @property
    def range(self) -> int:
        """At least 1."""
        return int(self._game._seat_figures()[self.index, batch.FIGURE_RANGE])

    @property
    def danmaku_limit(self) -> int:
        """Danmaku cards per round; 99 = unlimited; 1 under Uchide's Mallet, then also of those that do not count."""
        return int(self._game._seat_figures()[self.index, batch.FIGURE_DANMAKU_LIMIT])

    @property
    def danmaku_counted(self) -> int:
        """Danmaku cards of this round that count against `danmaku_limit`: under Uchide's Mallet all of them, else `danmaku_played`."""
        return int(self._game._seat_figures()[self.index, batch.FIGURE_DANMAKU_COUNTED])

    @property
    def danmaku_played(self) -> int:
        """Danmaku cards counted since the seat's last turn start."""
        return int(self._s["danmaku_played"][self.index])

    @property
    def spell_used(self) -> bool:
        """Whether a Spell Card was activated since the seat's last turn start."""
        return bool(self._s["spell_used"][self.index])

    @property
    def ability_used(self) -> bool:
        """Whether an ability for once per turn or once per round is used up."""
        return bool(self._s["used_turn"][self.index] or self._s["used_round"][self.index])

    @property
    def has_drawn(self) -> bool:
        """Whether the seat has drawn a card of the Main deck in this turn."""
        return bool(int(self._s["drew"]) >> self.index & 1)

    @property
    def skip_next(self) -> bool:
        """Whether the next turn must be skipped, unless the last one was (T-5)."""
        return bool(self._s["skip_next"][self.index])

    @property
    def skipped_last(self) -> bool:
        """Whether the last turn was skipped."""
        return bool(self._s["skipped_last"][self.index])

    @property
    def hand(self) -> list[str]:
        """Cards in hand, `shoot/spring`, in card order."""
        return self._cards(st.IN_HAND)

    @property
    def items(self) -> list[str]:
        """Items in play under this seat's control."""
        return self._cards(st.IN_PLAY)

    @property
    def role(self) -> str:
        """Role id; "" for the former Heroine after a takeover."""
        return ROLE_IDS[int(self._s["role"][self.index])]

    @property
    def role_revealed(self) -> bool:
        """Whether everybody knows the role."""
        return int(self._s["role_seen"][self.index]) == st.EVERYBODY

    @property
    def character(self) -> str:
        """Character id, or ""; in Double Threat the one chosen first."""
        number = int(self._s["character"][self.index])
        return CHARACTER_IDS[number - 1] if number else ""

    @property
    def second_character(self) -> str:
        """Id of the other character in Double Threat, or ""."""
        number = int(self._s["second_character"][self.index])
        return CHARACTER_IDS[number - 1] if number else ""

    @property
    def extras(self) -> list[str]:
        """Extra Characters, the one had longest first."""
        rows = self._s["extras"][: int(self._s["extras_size"])].tolist()
        return [CHARACTER_IDS[character - 1] for character, seat, _ in rows if seat == self.index]

    @property
    def abilities(self) -> list[str]:
        """Characters whose ability the seat has now."""
        return _characters(int(self._s["abilities"][self.index]))

    @property
    def spell_cards(self) -> list[str]:
        """Characters whose Spell Card the seat may activate as its own."""
        return _characters(int(self._s["spells"][self.index]))

    @property
    def candidates(self) -> list[str]:
        """Characters dealt for the choice at set-up."""
        return _characters(int(self._s["candidates"][self.index]))

    @property
    def defeated(self) -> bool:
        """Whether the seat is out of the game."""
        return not int(self._s["active"]) >> self.index & 1

    def _cards(self, zone: int) -> list[str]:
        total = int(compile_cards().tables[0]["cards_in"][queries.box(self._s)])
        held = (self._s["zone"][:total] == zone) & (self._s["holder"][:total] == self.index)
        return [card_name(int(card)) for card in np.flatnonzero(held)]

    def __repr__(self) -> str:
        return f"<Seat {self.index}: {self.character or 'no character'}, {self.role or 'no role'}, life {self.life}>"
