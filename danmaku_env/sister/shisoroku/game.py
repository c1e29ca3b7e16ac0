"""`Game`: one game of Shisouroku, and all there is to look at in it."""

from __future__ import annotations

import numpy as np

from danmaku_env.arguments import check_count, check_index, for_kernels, shown
from danmaku_env.game import AnyGame, check_seed
from danmaku_env.machine.records import Array
from danmaku_env.seeds import seed_generator
from danmaku_env.sister.shisoroku import names
from danmaku_env.sister.shisoroku.cards import words
from danmaku_env.sister.shisoroku.config import ShisorokuConfig
from danmaku_env.sister.shisoroku.engine import batch
from danmaku_env.sister.shisoroku.engine import state as st
from danmaku_env.sister.shisoroku.engine.resample import SCRATCH
from danmaku_env.sister.shisoroku.spec import SHISOROKU_SPEC


class Seat:
    """One seat, with everything that lies there: for people who look from above."""

    def __init__(self, game: Game, index: int) -> None:
        """A seat of a game."""
        self._game, self.index = game, index

    def _zone(self, name: str) -> dict[str, int]:
        return self._game._counts(self._game.record[name][self.index])

    @property
    def hand(self) -> dict[str, int]:
        """Cards in hand -> copies."""
        return self._zone("hand")

    @property
    def deck(self) -> dict[str, int]:
        """All cards of the deck -> copies."""
        record, counts = self._game.record, self._game.record["deck"][self.index].astype(np.int64)
        listed = [*record["top"][self.index, : int(record["top_size"][self.index])], record["bottom"][self.index]]
        for place in filter(None, map(int, listed)):
            counts[place - 1] += 1
        return self._game._counts(counts)

    @property
    def deck_top(self) -> list[str]:
        """The cards of the deck whose order somebody knows, the topmost first."""
        record = self._game.record
        places = record["top"][self.index, : int(record["top_size"][self.index])][::-1]
        return [names.card_id(record, int(place) - 1) for place in places]

    @property
    def discard(self) -> dict[str, int]:
        """Cards of the discard pile -> copies."""
        return self._zone("discard")

    @property
    def discard_top(self) -> str | None:
        """The open top of the discard pile."""
        place = int(self._game.record["discard_top"][self.index])
        return names.card_id(self._game.record, place - 1) if place else None

    @property
    def in_play(self) -> dict[str, int]:
        """Cards in play, those of the turn before too."""
        record = self._game.record
        return self._game._counts(record["play"][self.index].astype(np.int64) + record["lasting"][self.index])

    @property
    def lasting(self) -> dict[str, int]:
        """Cards in play of the turn before (R-4)."""
        return self._zone("lasting")

    @property
    def aside(self) -> dict[str, int]:
        """Cards set aside, face up or down."""
        record = self._game.record
        return self._game._counts(sum(record[name][self.index].astype(np.int64) for name in ("away", "aside", "hidden")))

    @property
    def owned(self) -> dict[str, int]:
        """All cards of the seat."""
        return self._zone("owned")

    @property
    def points(self) -> int:
        """What they are worth now (E-3)."""
        return self._game.points[self.index]

    @property
    def turns(self) -> int:
        """Turns it has had; extra ones are not counted."""
        return int(self._game.record["turns"][self.index])


class Game(AnyGame, spec=SHISOROKU_SPEC):
    """One game. Make one with `Game.new`, `Scenario.build`, `Game.from_bytes` or `Replay.play`."""

    @property
    def config(self) -> ShisorokuConfig:
        """How it was set up."""
        config: ShisorokuConfig = self._config
        return config

    def _counts(self, counts: Array) -> dict[str, int]:
        return {names.card_id(self.record, int(place)): int(counts[place]) for place in np.flatnonzero(counts)}

    def seat(self, index: int) -> Seat:
        """One seat. Raises IndexError for anything but a seat of the table."""
        return Seat(self, check_index(index, self.config.num_players, "seat"))

    @property
    def seats(self) -> list[Seat]:
        """All seats in clockwise order."""
        return [Seat(self, index) for index in range(self.config.num_players)]

    @property
    def kingdom(self) -> list[str]:
        """The ten kingdom cards of this game."""
        return [names.card_id(self.record, place) for place in range(words.KINGDOM, words.CHIREI)]

    @property
    def supply(self) -> dict[str, int]:
        """Cards left in each pile, empty ones too; prizes have none."""
        places = [place for place in range(words.CHIREI) if self.record["kinds"][place]]
        return {names.card_id(self.record, place): int(self.record["supply"][place]) for place in places}

    @property
    def prizes(self) -> list[str]:
        """Prizes that lie out."""
        places = range(words.PRIZES, words.PLACES)
        return [names.card_id(self.record, place) for place in places if self.record["supply"][place]]

    @property
    def trash(self) -> dict[str, int]:
        """Cards of the trash -> copies."""
        return self._counts(self.record["trash"])

    @property
    def tokens(self) -> dict[str, int]:
        """Trauma tokens by pile."""
        return self._counts(self.record["tokens"])

    def cost(self, card: str) -> int:
        """What a card of this game costs now (G-9). Raises ValueError for one that is not in it."""
        numbers: Array = np.zeros((1, words.PLACES), np.int64)
        batch.costs(self._tables, self._games, numbers)
        ids = [names.card_id(self.record, place) for place in range(words.PLACES)]
        if not card or card not in ids:
            raise ValueError(f"{shown(card)} is not in this game; its cards are {', '.join(filter(None, ids))}")
        return int(numbers[0, ids.index(card)])

    @property
    def points(self) -> list[int]:
        """Points of every seat, as if the game ended now."""
        return [int(points) for points in points_of(self.records, np.array([-1]))[0, : self.config.num_players]]

    def points_seen(self, seat: int) -> list[int]:
        """Points of every seat as far as one seat can tell: a card passed unseen counts for its giver (H-4). After the end all is told."""
        observer = np.array([check_index(seat, self.config.num_players, "seat")])
        return [int(points) for points in points_of(self.records, observer)[0, : self.config.num_players]]

    @property
    def cause(self) -> str | None:
        """The card whose text asks, or None where the turn itself does."""
        place = int(self.record["cause"])
        return names.card_id(self.record, place - 1) if place and self.asking is not None else None

    @property
    def turn(self) -> int:
        """The seat whose turn it is."""
        return int(self.record["current"])

    @property
    def turn_number(self) -> int:
        """Turns begun, of all seats together."""
        return int(self.record["turn_number"])

    @property
    def phase(self) -> str:
        """Where the turn is: actions, resources, purchases or clean-up."""
        return st.PHASES[int(self.record["phase"])]

    @property
    def actions(self) -> int:
        """Actions left."""
        return int(self.record["actions"])

    @property
    def buys(self) -> int:
        """Purchases left."""
        return int(self.record["buys"])

    @property
    def coins(self) -> int:
        """Coins left."""
        return int(self.record["coins"])


def points_of(games: Array, viewers: Array) -> Array:
    """[k, 4] points of every seat in k games, as far as a seat of each can tell; -1, and after the end, in truth."""
    points: Array = np.zeros((len(games), st.SEATS), np.int64)
    observer = np.where(games["outcome"] == st.RUNNING, viewers, -1).astype(np.int64)
    batch.scores(SHISOROKU_SPEC.entries.tables(), for_kernels(games), observer, points)
    return points


def resample(game: Game, seat: int, seed: int) -> Game:
    """Another game that fits everything `seat` knows, at the same instant: hidden hands, decks and piles dealt anew (H-7).

    To play on, `seat` should be the one who is asked: the question of another seat was put for the cards it really holds. Raises IndexError
    for a seat that is not at the table, ValueError for an invalid seed, TypeError for anything but a game of Shisouroku.
    """
    return Game.from_trusted_record(resample_many(game, seat, 1, seed), game.config)


def resample_many(game: Game, seat: int, count: int, seed: int) -> Array:
    """[count] records, each another world as from `resample`. Raises ValueError for a count below 0, and as `resample` does."""
    if not isinstance(game, Game):
        raise TypeError(f"a seat knows something of a game of Shisouroku, not of {shown(game)}")
    observer = check_index(seat, game.config.num_players, "seat")
    number = check_count(count)
    worlds: Array = np.repeat(game.records, number)
    scratch: Array = np.zeros(1, SCRATCH)
    seed_generator(scratch, check_seed(seed))
    batch.resample_rows(SHISOROKU_SPEC.entries.tables(), worlds, np.full(number, observer), scratch)
    return worlds
