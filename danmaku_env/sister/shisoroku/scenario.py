"""`Scenario`: a table of Shisouroku set up by hand, for tests, puzzles and curricula."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from danmaku_env.arguments import ConfigError, check_index, sequence, shown, whole_number
from danmaku_env.game import ScenarioError, check_seed
from danmaku_env.machine.records import Array, as_bytes
from danmaku_env.sister.shisoroku import names
from danmaku_env.sister.shisoroku.cards import box, words
from danmaku_env.sister.shisoroku.cards.tables import tables
from danmaku_env.sister.shisoroku.config import ShisorokuConfig, no_such_card
from danmaku_env.sister.shisoroku.engine import batch, procedures
from danmaku_env.sister.shisoroku.engine import state as st
from danmaku_env.sister.shisoroku.game import Game
from danmaku_env.sister.shisoroku.spec import SHISOROKU_SPEC

__all__ = ["Scenario", "ScenarioError"]
_DEFAULT_KINGDOM = (
    "eosd-08",
    "eosd-17",
    "eosd-19",
    "eosd-20",
    "eosd-01",
    "eosd-09",
    "eosd-16",
    "eosd-21",
    "eosd-22",
    "eosd-04",
    "eosd-25",
    "eosd-23",
)
"""Cards that fill a kingdom where fewer than ten are named."""
_STEPS = {
    "start": procedures.STEP_BEGIN,
    "actions": procedures.STEP_ACTIONS,
    "resources": procedures.STEP_RESOURCES,
    "purchases": procedures.STEP_PURCHASES,
}
_PHASES = {"start": st.CLEAN_UP_PHASE, "actions": st.ACTION_PHASE, "resources": st.RESOURCE_PHASE, "purchases": st.BUY_PHASE}
Cards = Sequence[str] | Mapping[str, int]


@dataclass
class _SeatPlan:
    hand: list[str]
    deck: list[str]
    discard: list[str]
    play: list[str]
    lasting: list[str]
    aside: list[str]
    turns: int


class Scenario:
    """A position set up by hand. Each method returns the scenario itself, and raises ScenarioError on what describes nothing.

    A seat that is not described has its starting deck and hand, shuffled by the seed; one that is has what is named and nothing else.
    Nobody knows more than lies open. Cards that are named nowhere lie in their piles; chirei
    cards, which have none, in the trash.
    """

    def __init__(self, config: ShisorokuConfig | int | None = None, *, kingdom: Sequence[str] = (), **options: Any) -> None:
        """The table: a configuration, or a number of players and options of one. A kingdom of fewer than ten cards is filled up."""
        try:
            if (named := sequence(kingdom)) is None:  # "first", or what the configuration refuses
                options["kingdom"] = kingdom
            elif named:
                filled = [*named, *(name for name in _DEFAULT_KINGDOM if name not in named)][: max(words.KINGDOM_CARDS, len(named))]
                options["kingdom"] = filled
            self.config = ShisorokuConfig.of(config, options)
        except ConfigError as error:
            raise ScenarioError(str(error)) from None
        if self.config.kingdom_ids is None:
            raise ScenarioError("a position has a kingdom of ten cards that are named; this configuration draws one for each game")
        self._seats: dict[int, _SeatPlan] = {}
        self._supply: dict[str, int] = {}
        self._trash: list[str] = []
        self._turn: dict[str, Any] = {}

    # ---- the table

    def seat(
        self, index: int, *, hand: Cards = (), deck: Cards = (), discard: Cards = (), in_play: Cards = (), lasting: Cards = (),
        aside: Cards = (), turns: int = 0,
    ) -> Scenario:  # fmt: skip
        """Describe a seat, anew if it was before. Cards are ids, or ids with numbers of copies: ["osaisen"] * 3 or {"osaisen": 3}.

        `deck`: the topmost first. `discard`: the last lies on top. `in_play`: cards of this turn, which have been carried out; `lasting`:
        durations of the turn before. `aside`: set aside until the end. `turns` it has had.
        """
        try:
            seat = check_index(index, self.config.num_players, "seat")
        except IndexError as error:
            raise ScenarioError(str(error)) from None
        zones = {"hand": hand, "deck": deck, "discard": discard, "play": in_play, "lasting": lasting, "aside": aside}
        lists = {name: self._cards(cards, f"{name} of seat {seat}") for name, cards in zones.items()}
        if len(lists["deck"]) > st.TOP_ROOM:
            raise ScenarioError(f"the deck of seat {seat} has {len(lists['deck'])} cards; the order of {st.TOP_ROOM} can be told")
        self._seats[seat] = _SeatPlan(**lists, turns=self._number(turns, f"turns of seat {seat}"))
        return self

    def supply(self, left: Mapping[str, int] | None = None, **more: int) -> Scenario:
        """How many cards are left in some piles, or of some prizes; what is missing then lies in the trash."""
        said = {**(left or {}), **more}.items()
        self._supply |= {self._card(name, "supply"): self._number(number, f"supply of {name}") for name, number in said}
        return self

    def trash(self, cards: Cards) -> Scenario:
        """Cards in the trash."""
        self._trash = self._cards(cards, "trash")
        return self

    def turn(
        self,
        seat: int = 0,
        phase: str = "actions",
        *,
        actions: int = 1,
        buys: int = 1,
        coins: int = 0,
        number: int = 1,
        extra: bool = False,
    ) -> Scenario:
        """Whose turn it is, and where: "start" (texts due come first), "actions", "resources" or "purchases".

        Raises ScenarioError for another phase, or a seat that is not at the table.
        """
        if not isinstance(phase, str) or phase not in _STEPS:
            raise ScenarioError(f"a turn stands at {', '.join(_STEPS)}, not {shown(phase)}")
        if whole_number(seat) is None or not 0 <= seat < self.config.num_players:
            raise ScenarioError(f"the turn is one of seats 0 to {self.config.num_players - 1}, not {shown(seat)}")
        given = {"actions": actions, "buys": buys, "coins": coins, "number": number}
        self._turn = {name: self._number(value, name) for name, value in given.items()}
        self._turn |= {"seat": int(seat), "phase": phase, "extra": bool(extra)}
        return self

    # ---- what is said

    def _in_game(self) -> list[str]:
        kingdom = list(self.config.kingdom_ids or ())
        basic = [name for name in box.BASIC_IDS if self.config.optional_cards or name not in ("ofuda", "gensoukyou")]
        chirei = list(box.CHIREI_IDS) if self.config.start == "chirei" else []
        return [*basic, *kingdom, *chirei, *(box.PRIZE_IDS if "in-01" in kingdom else ())]

    def _card(self, name: object, where: str) -> str:
        if not isinstance(name, str) or name not in self._in_game():
            why = (
                f"{name!r} is not in this game; put it into its kingdom"
                if isinstance(name, str) and name in box.NUMBERS
                else no_such_card(name)
            )
            raise ScenarioError(f"{where}: {why}")
        return name

    def _cards(self, cards: Cards, where: str) -> list[str]:
        if isinstance(cards, Mapping):
            return [
                self._card(name, where) for name, number in cards.items() for _ in range(self._number(number, f"{where}: {shown(name)}"))
            ]
        listed = sequence(cards)
        if listed is None:
            raise ScenarioError(f"{where}: cards are a list of ids, or ids with numbers, not {shown(cards)}")
        return [self._card(name, where) for name in listed]

    def _number(self, value: object, what: str) -> int:
        number = whole_number(value)
        if number is None or not 0 <= number <= 200:
            raise ScenarioError(f"{what}: a whole number from 0 to 200 is meant, not {shown(value)}")
        return number

    # ---- building

    def build(self, seed: int = 0) -> Game:
        """The position as a game, run to its first question. Raises ScenarioError for what cannot lie so."""
        SHISOROKU_SPEC.entries.compile_once()
        games: Array = np.zeros(1, st.STATE)
        settings, status = self.config.settings(), np.zeros(1, np.int8)
        seeds = np.array([check_seed(seed)])
        batch.drive(tables(), settings, games, as_bytes(games), seeds, status, batch.BLANK)
        batch.lay_out(tables(), games)
        s = games[0]
        places = {names.card_id(s, place): place for place in range(words.PLACES) if s["kinds"][place]}
        rng = np.random.default_rng(seed)
        starting = {"osaisen": 7, **(dict.fromkeys(box.CHIREI_IDS, 1) if self.config.start == "chirei" else {"hakurei": 3})}
        for seat in range(self.config.num_players):
            plan = self._seats.get(seat)
            if plan is None:
                cards = rng.permutation([name for name, copies in starting.items() for _ in range(copies)]).tolist()
                plan = _SeatPlan(cards[:5], cards[5:], [], [], [], [], 0)
            self._lay(s, seat, plan, places)
        self._share_out(s, places, starting)
        self._begin(s)
        batch.drive(tables(), settings, games, as_bytes(games), seeds, status, batch.RESUME)
        if found := SHISOROKU_SPEC.problem(games[0]):
            raise ScenarioError(f"no such position is possible: {found}")
        return Game.from_trusted_record(games, replace(self.config))

    def _lay(self, s: Any, seat: int, plan: _SeatPlan, places: Mapping[str, int]) -> None:
        for zone, cards in (("hand", plan.hand), ("discard", plan.discard), ("open_discard", plan.discard), ("play", plan.play),
                            ("lasting", plan.lasting), ("away", plan.aside)):  # fmt: skip
            for name in cards:
                s[zone][seat, places[name]] += 1
        for place, name in enumerate(reversed(plan.deck)):
            s["top"][seat, place] = places[name] + 1
        s["top_size"][seat] = len(plan.deck)
        if plan.discard:
            s["discard_top"][seat] = places[plan.discard[-1]] + 1
        s["turns"][seat] = plan.turns
        for name in (*plan.hand, *plan.deck, *plan.discard, *plan.play, *plan.lasting, *plan.aside):
            s["owned"][seat, places[name]] += 1
        for name in plan.lasting:
            if words.ON_NEXT_TURN in box.TEXTS.get(name, {}):
                s["due"][seat, places[name]] += 1

    def _share_out(self, s: Any, places: Mapping[str, int], starting: Mapping[str, int]) -> None:
        """Leave in each pile what lies nowhere else."""
        for name, copies in Counter(self._trash).items():
            s["trash"][places[name]] = copies
        for name, place in places.items():
            pile = int(s["supply"][place])
            total = pile + self.config.num_players * starting.get(name, 0)
            left = total - int(s["owned"][:, place].sum()) - int(s["trash"][place])
            if left < 0:
                raise ScenarioError(f"there are only {total} {name}, and {total - left} of them are named")
            if name in self._supply:
                if self._supply[name] > left:
                    raise ScenarioError(f"{name} cannot have {self._supply[name]} cards in its pile: {left} are left of {total}")
                s["trash"][place] += left - self._supply[name]
                left = self._supply[name]
            elif place >= words.CHIREI and place < words.PRIZES and left:
                s["trash"][place] += left
                left = 0
            s["supply"][place] = left

    def _begin(self, s: Any) -> None:
        turn = self._turn or {"seat": 0, "phase": "actions", "actions": 1, "buys": 1, "coins": 0, "number": 1, "extra": False}
        t, seat = tables()[0], turn["seat"]
        s["current"], s["turn_number"], s["extra_turn"] = seat, turn["number"], turn["extra"]
        s["actions"], s["buys"], s["coins"], s["phase"] = turn["actions"], turn["buys"], turn["coins"], _PHASES[turn["phase"]]
        if not s["turns"].any() and turn["number"]:
            s["turns"][seat] = int(turn["phase"] != "start")
        s["turn_number"] = max(int(s["turn_number"]), int(s["turns"].sum()))
        for place in range(words.PLACES):
            number = int(s["kinds"][place]) - 1
            if number >= 0 and t["less"][number]:
                s["less"][int(t["less_types"][number] > 0)] += int(t["less"][number]) * int(s["play"][seat, place])
            if number >= 0 and t["types"][number] & words.ACTION:
                s["played"] += s["play"][seat, place]
        frame = s["stack"][0]
        frame[1], frame[2], frame[st.COL_TIMES] = _STEPS[turn["phase"]], seat, 0
