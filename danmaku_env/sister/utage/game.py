"""`Game`: one game of Gensou no Utage, and all there is to look at in it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from danmaku_env.arguments import check_count, check_index, shown
from danmaku_env.game import AnyGame, check_seed
from danmaku_env.machine.records import Array
from danmaku_env.seeds import seed_generator
from danmaku_env.sister.utage import names
from danmaku_env.sister.utage.cards import words
from danmaku_env.sister.utage.config import UtageConfig
from danmaku_env.sister.utage.engine import batch
from danmaku_env.sister.utage.engine import state as st
from danmaku_env.sister.utage.engine.resample import SCRATCH
from danmaku_env.sister.utage.spec import UTAGE_SPEC


@dataclass(frozen=True)
class Card:
    """A card of the field, with its values as they stand."""

    id: str
    place: int
    """From 1."""
    where: str
    """reserve, active, on a spell, on the leader, scene."""
    owner: int
    on: str
    """Id of the spell it lies on."""
    av: int
    iv: int
    hv: int
    type: str
    keywords: dict[str, int]
    battles: bool


class Seat:
    """One seat, with everything that lies there: for people who look from above."""

    def __init__(self, game: Game, index: int) -> None:
        """A seat of a game."""
        self._record, self.index = game.record, index

    def _cards(self, counts: Array) -> dict[str, int]:
        slots = names.own_slots(self._record, self.index)
        return {slots[slot]: int(counts[slot]) for slot in np.flatnonzero(counts).tolist()}

    @property
    def hand(self) -> dict[str, int]:
        """Cards in hand -> copies."""
        return self._cards(self._record["hand"][self.index])

    @property
    def deck(self) -> list[str]:
        """The deck, the topmost first."""
        slots = names.own_slots(self._record, self.index)
        return [slots[int(slot) - 1] for slot in self._record["deck"][self.index, : int(self._record["deck_size"][self.index])][::-1]]

    @property
    def discard(self) -> dict[str, int]:
        """Cards of the discard pile -> copies."""
        return self._cards(self._record["discard"][self.index])

    @property
    def team(self) -> list[str]:
        """The four characters."""
        return [words.CHARACTERS[int(number)] for number in self._record["team"][self.index]]

    @property
    def leader(self) -> str | None:
        """The leader, once it is named."""
        place = int(self._record["leader"][self.index])
        return self.team[place] if place >= 0 else None

    @property
    def hp(self) -> int:
        """HP of the leader."""
        return int(self._record["hp"][self.index])

    @property
    def sp(self) -> int:
        """SP."""
        return int(self._record["sp"][self.index])

    @property
    def ev(self) -> int:
        """EV of the leader as it stands."""
        return int(self._record["value_ev"][self.index])

    @property
    def bv(self) -> int:
        """BV of the leader."""
        return int(self._record["value_bv"][self.index])

    @property
    def field(self) -> list[Card]:
        """What lies on this side."""
        record, side = self._record, self.index
        return [self._card(place) for place in np.flatnonzero(record["where"][side]).tolist()]

    def _card(self, place: int) -> Card:
        record, side = self._record, self.index
        host = int(record["host"][side, place])
        numbers = record["value_keyword"][side, place].tolist()
        keywords = {words.STATS[stat]: number for stat, number in zip(words.KEYWORDS, numbers, strict=True) if number}
        return Card(
            names.card_id(int(record["at_card"][side, place])), place + 1, st.WHERE_WORDS[int(record["where"][side, place])],
            int(record["at_owner"][side, place]), names.card_id(int(record["at_card"][side, host - 1])) if host else "",
            int(record["value_av"][side, place]), int(record["value_iv"][side, place]), int(record["value_hv"][side, place]),
            words.TYPE_WORDS[int(record["value_type"][side, place])], keywords, int(record["battling"][side]) == place + 1,
        )  # fmt: skip

    def find(self, card: str) -> Card:
        """The first card of the field with this id. Raises ValueError for an unknown one."""
        for found in self.field:
            if found.id == card:
                return found
        raise ValueError(f"{card} is not on side {self.index}; there are {', '.join(one.id for one in self.field) or 'no cards'}")


class Game(AnyGame, spec=UTAGE_SPEC):
    """One game. Make one with `Game.new`, `Scenario.build`, `Game.from_bytes` or `Replay.play`."""

    @property
    def config(self) -> UtageConfig:
        """How it was set up."""
        config: UtageConfig = self._config
        return config

    def seat(self, index: int) -> Seat:
        """One seat. Raises IndexError for anything but a seat of the table."""
        return Seat(self, check_index(index, st.SEATS, "seat"))

    @property
    def seats(self) -> list[Seat]:
        """Both seats."""
        return [Seat(self, index) for index in range(st.SEATS)]

    @property
    def attacker(self) -> int:
        """The seat whose turn it is."""
        return int(self.record["attacker"])

    @property
    def turn_number(self) -> int:
        """Turns begun."""
        return int(self.record["turn_number"])

    @property
    def phase(self) -> str:
        """Where the turn is: replenish, battle, preparation or end; before the first, set-up."""
        return words.PHASES[int(self.record["phase"])]

    @property
    def cause(self) -> str | None:
        """The card that asks, or None where the turn itself does."""
        return names.card_id(int(self.record["cause"])) or None if self.asking is not None else None


def resample(game: Game, seat: int, seed: int) -> Game:
    """Another game that fits everything `seat` knows, at the same instant: hidden cards and decks are dealt anew (H-6).

    To play on, `seat` should be the one who is asked: the question of the other seat was put for the cards it really holds. Raises
    IndexError for a seat that is not at the table, ValueError for an invalid seed, TypeError for anything but such a game.
    """
    return Game.from_trusted_record(resample_many(game, seat, 1, seed), game.config)


def resample_many(game: Game, seat: int, count: int, seed: int) -> Array:
    """[count] records, each another world as from `resample`. Raises ValueError for a count below 0, and as `resample` does."""
    if not isinstance(game, Game):
        raise TypeError(f"a seat knows something of a game of Gensou no Utage, not of {shown(game)}")
    observer = check_index(seat, st.SEATS, "seat")
    number = check_count(count)
    worlds: Array = np.repeat(game.records, number)
    scratch: Array = np.zeros(1, SCRATCH)
    seed_generator(scratch, check_seed(seed))
    batch.resample_rows(UTAGE_SPEC.entries.tables(), game.config.settings(), worlds, np.full(number, observer), scratch)
    return worlds
