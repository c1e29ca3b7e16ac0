"""`Game`: one game of Danmaku!!, and all there is to look at in it. What it has in common with any game is any_game.py."""

from __future__ import annotations

import numpy as np

from danmaku_env.arguments import shown
from danmaku_env.cards.box import INCIDENT_IDS
from danmaku_env.config import GameConfig
from danmaku_env.danmaku import DANMAKU_SPEC
from danmaku_env.engine import batch
from danmaku_env.engine import state as st
from danmaku_env.game.any_game import AnyGame
from danmaku_env.game.seat import Seat, check_seat
from danmaku_env.machine.records import Array
from danmaku_env.wording import Log, card_name, lasting_lines


class Game(AnyGame, spec=DANMAKU_SPEC):
    """One game. Make one with `Game.new`, `Scenario.build`, `Game.from_bytes` or `Replay.play`."""

    @property
    def config(self) -> GameConfig:
        """How it was set up."""
        config: GameConfig = self._config
        return config

    @property
    def log(self) -> Log:
        """What happened, one line per event, as everybody knows it; `log.of(seat)` as a seat knows it, `log.above()` with everything.

        A game that was loaded or taken from a batch knows its last 1,024 events.
        """
        return Log(self.record, self._logged_rows())

    def _when_over(self) -> str:
        return f" in turn {self.turn_number}"

    def seat(self, index: int) -> Seat:
        """One seat. Raises IndexError for anything but a seat of the table."""
        return Seat(self, check_seat(index, self.config.num_players))

    @property
    def seats(self) -> list[Seat]:
        """All seats in clockwise order."""
        return [Seat(self, index) for index in range(self.config.num_players)]

    def _seat_figures(self) -> Array:
        figures: Array = np.zeros((st.SEATS, batch.SEAT_FIGURES), np.int64)
        batch.measure(self._tables, self._games, 0, figures, np.zeros((st.SEATS, batch.WAYS), np.int64))
        return figures

    def _distances(self, seat: int) -> Array:
        observer = check_seat(seat, self.config.num_players)
        distances: Array = np.zeros((st.SEATS, batch.WAYS), np.int64)
        batch.measure(self._tables, self._games, observer, np.zeros((st.SEATS, batch.SEAT_FIGURES), np.int64), distances)
        return distances

    def distance(self, seat: int, other: int) -> int:
        """Distance from one active seat to another; 0 to oneself or where one is defeated (D-1).

        Raises IndexError for a seat that is not at the table.
        """
        return int(self._distances(seat)[check_seat(other, self.config.num_players), batch.WAY_DISTANCE])

    def in_range(self, seat: int, other: int) -> bool:
        """Whether `other` is in range of `seat` (D-1). Raises IndexError for a seat that is not at the table."""
        return bool(self._distances(seat)[check_seat(other, self.config.num_players), batch.WAY_IN_RANGE])

    @property
    def incidents(self) -> list[str]:
        """Incidents in play, oldest first."""
        return [INCIDENT_IDS[int(number) - 1] for number in self.record["incidents"][: int(self.record["incident_size"])]]

    @property
    def incident(self) -> str | None:
        """The incident in play, or None."""
        return self.incidents[0] if self.incidents else None

    @property
    def incidents_kept(self) -> list[str]:
        """Resolved incidents that an incident in play has collected."""
        return [name for number, name in enumerate(INCIDENT_IDS) if int(self.record["incidents_kept"]) >> number & 1]

    def collected_by(self, incident: str) -> list[str]:
        """Cards that an incident has collected; none where it is not in play. Raises ValueError for an id that no incident has."""
        if not isinstance(incident, str) or incident not in INCIDENT_IDS:
            raise ValueError(f"{shown(incident)} is not an incident; the incidents are {', '.join(INCIDENT_IDS)}")
        found = (self.record["zone"] == st.COLLECTED) & (self.record["holder"] == INCIDENT_IDS.index(incident))
        return [card_name(int(card)) for card in np.flatnonzero(found)]

    @property
    def collected(self) -> list[str]:
        """Cards collected by incidents in play."""
        return [card_name(int(card)) for card in np.flatnonzero(self.record["zone"] == st.COLLECTED)]

    @property
    def discard(self) -> list[str]:
        """The discard pile, bottom to top."""
        return [card_name(int(card) - 1) for card in self.record["discard"][: int(self.record["discard_size"])]]

    @property
    def lunatic_discard(self) -> list[str]:
        """The Lunatic discard pile, bottom to top."""
        return [card_name(int(card) - 1) for card in self.record["lunatic_discard"][: int(self.record["lunatic_discard_size"])]]

    @property
    def lunatic_deck(self) -> list[str]:
        """The Lunatic deck, top first (nobody at the table may see this)."""
        return [card_name(int(card) - 1) for card in self.record["lunatic_deck"][: int(self.record["lunatic_deck_size"])][::-1]]

    @property
    def deck(self) -> list[str]:
        """The Main deck, top first (nobody at the table may see this)."""
        return [card_name(int(card) - 1) for card in self.record["deck"][: int(self.record["deck_size"])][::-1]]

    @property
    def incident_deck(self) -> list[str]:
        """The incident deck, top first."""
        size = int(self.record["incident_deck_size"])
        return [INCIDENT_IDS[int(number) - 1] for number in self.record["incident_deck"][:size][::-1]]

    @property
    def turn(self) -> int:
        """The seat whose turn it is."""
        return int(self.record["current"])

    @property
    def turn_number(self) -> int:
        """Turns started, skipped ones included."""
        return int(self.record["turn_number"])

    @property
    def step(self) -> str:
        """Where the turn is: setup, draft, zero (turn zero), start, incident, draw, main or discard."""
        return st.STEPS[int(self.record["turn_step"])]

    @property
    def lasting(self) -> list[str]:
        """Effects until somebody's next turn, and the ban of action cards for the rest of this one, a sentence each."""
        return lasting_lines(self.record)
