"""What was said of a table: plain data that scenario.py fills in and position.py carries out. Nothing is checked here."""

from __future__ import annotations

from dataclasses import dataclass, field

Cards = tuple[str, ...]
Seats = tuple[int, ...]
NO_INCIDENT = ""
"""What is said to have collected cards where no incident is."""


@dataclass(frozen=True)
class SeatPlan:
    """One seat; the options of `Scenario.seat`."""

    role: str | None = None
    characters: tuple[str, ...] = ()
    life: int | None = None
    hand: Cards = ()
    items: Cards = ()
    defeated: bool = False
    revealed: bool = False
    danmaku_played: int = 0
    spell_used: bool = False
    ability_used: bool = False
    extras: Cards = ()
    named: str = ""
    hurt: bool = False
    skip_next: bool = False
    skipped_last: bool = False


@dataclass(frozen=True)
class TurnPlan:
    """The turn; the options of `Scenario.turn`."""

    seat: int = 0
    step: str = "main"
    drew: Seats = ()
    action_ban: bool = False


@dataclass(frozen=True)
class Effect:
    """An effect until the next turn of a seat."""

    word: int
    """Number of the lasting effect in the vocabulary."""
    owner: int
    seat: int
    """Whom it concerns; the owner where it concerns nobody else."""
    value: int


@dataclass(frozen=True)
class Knowledge:
    """What seats know beyond their own cards."""

    seats: Seats
    hands: tuple[tuple[int, Cards | None], ...]
    """Seat -> cards of its hand that are known; None: all of them."""
    roles: Seats
    deck: tuple[int, ...]
    """Places in the Main deck, 0 the topmost, -1 the lowest."""
    incident_deck: tuple[int, ...]


@dataclass
class Description:
    """Everything that was said so far."""

    seats: dict[int, SeatPlan] = field(default_factory=dict)
    turn: TurnPlan = field(default_factory=TurnPlan)
    incidents: dict[str, Cards] = field(default_factory=dict)
    """In play, the oldest first: what each has collected."""
    deck_top: Cards = ()
    deck_bottom: Cards = ()
    deck_only: Cards | None = None
    discard_top: Cards = ()
    lunatic_top: Cards = ()
    lunatic_discard: Cards = ()
    characters_left: tuple[str, ...] | None = None
    incident_top: tuple[str, ...] = ()
    incident_discard: tuple[str, ...] = ()
    effects: list[Effect] = field(default_factory=list)
    knowledge: list[Knowledge] = field(default_factory=list)

    def seat(self, index: int) -> SeatPlan:
        """What was said of a seat, or the seat of which nothing was said."""
        return self.seats.get(index, SeatPlan())
