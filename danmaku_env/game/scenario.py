"""`Scenario`: a position set up by hand, for tests, puzzles and curricula, and its refusal when it cannot be.

What happens from there on is an ordinary `Game`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.box import CHARACTER_IDS, INCIDENT_IDS, ITEM_IDS, KIND_IDS, ROLE_IDS
from danmaku_env.cards.compile import compile_cards
from danmaku_env.cards.incidents import INCIDENTS
from danmaku_env.cards.roles import ADVANCED, BASIC, ROLES
from danmaku_env.config import BASE_CHARACTERS, GameConfig
from danmaku_env.engine import batch, checks, piles
from danmaku_env.engine import frames as fr
from danmaku_env.engine import state as st
from danmaku_env.game.errors import ScenarioError
from danmaku_env.game.game import Game
from danmaku_env.game.seeds import check_seed
from danmaku_env.wording import card_name

Array = npt.NDArray[Any]


@dataclass
class _SeatPlan:
    role: str | None = None
    character: str = ""
    life: int | None = None
    hand: Sequence[str] = ()
    items: Sequence[str] = ()
    defeated: bool = False
    revealed: bool = False
    danmaku_played: int = 0
    spell_used: bool = False
    skip_next: bool = False
    skipped_last: bool = False


_REVEALED_FORMS = {"ex_boss_revealed": "ex_boss", "true_phantom_boss": "phantom_boss"}
_EXTRA_BOSSES = {role.id for role in ROLES if role.groups == v.EXTRA_BOSSES}
_STEP_AT = {
    "start": fr.AT_START,
    "incident": fr.AT_INCIDENT,
    "draw": fr.AT_BEFORE_DRAW,
    "main": fr.AT_MAIN,
    "discard": fr.AT_BEFORE_DISCARD,
}


@dataclass
class Scenario:
    """A position set up by hand: for tests, puzzles and curricula.

    Seats that are not described have no character, an empty hand, no items, full life, and a role dealt by the seed from those
    that are left. Cards not named anywhere lie in the deck, shuffled by the seed.
    """

    num_players: int = 4
    config: GameConfig | None = None
    _seats: dict[int, _SeatPlan] = field(default_factory=dict)
    _incident: str | None = None
    _collected: Sequence[str] = ()
    _deck_top: Sequence[str] = ()
    _discard_top: Sequence[str] = ()
    _incident_top: Sequence[str] = ()
    _incident_discard: Sequence[str] = ()
    _turn: tuple[int, str] = (0, "main")

    def seat(
        self, index: int, *, role: str | None = None, character: str = "", life: int | None = None, hand: Sequence[str] = (),
        items: Sequence[str] = (), defeated: bool = False, revealed: bool = False, danmaku_played: int = 0, spell_used: bool = False,
        skip_next: bool = False, skipped_last: bool = False,
    ) -> Scenario:  # fmt: skip
        """Describe a seat. Cards are kinds with an optional season: "shoot", "shoot/spring"."""
        if not 0 <= index < self.num_players:
            raise ScenarioError(f"seat {index}: the seats are 0 to {self.num_players - 1}")
        self._seats[index] = _SeatPlan(
            role, character, life, hand, items, defeated, revealed, danmaku_played, spell_used, skip_next, skipped_last
        )
        return self

    def incident(self, name: str | None, *, collected: Sequence[str] = ()) -> Scenario:
        """The incident in play (None: none) and the cards it has collected."""
        self._incident, self._collected = name, collected
        return self

    def deck(self, *, top: Sequence[str] = ()) -> Scenario:
        """Cards on top of the Main deck, the topmost first."""
        self._deck_top = top
        return self

    def discard(self, *, top: Sequence[str] = ()) -> Scenario:
        """Cards on the discard pile, the topmost first."""
        self._discard_top = top
        return self

    def incident_deck(self, *, top: Sequence[str] = (), discard: Sequence[str] = ()) -> Scenario:
        """Incidents on top of their deck, and on their discard pile, the topmost first."""
        self._incident_top, self._incident_discard = top, discard
        return self

    def turn(self, seat: int, *, step: str = "main") -> Scenario:
        """Whose turn it is, and at which step: start, incident, draw, main or discard."""
        if step not in _STEP_AT:
            raise ScenarioError(f"{step!r} is not a step; the steps are {', '.join(_STEP_AT)}")
        if not 0 <= seat < self.num_players:
            raise ScenarioError(f"turn of seat {seat}: the seats are 0 to {self.num_players - 1}")
        self._turn = (seat, step)
        return self

    def build(self, seed: int = 0) -> Game:
        """The game at its first question, which is asked even where only one answer is legal; from there on it goes as configured.

        Raises ScenarioError, with the reason, for an impossible position.
        """
        config = self.config or GameConfig(num_players=self.num_players, characters="none")
        if config.num_players != self.num_players:
            raise ScenarioError(f"the configuration is for {config.num_players} players, the scenario for {self.num_players}")
        rng = np.random.default_rng(check_seed(seed))
        record: Array = np.zeros(1, st.STATE)
        s: Any = record[0]
        game = Game(record, config)
        game._input[0] = int(seed)
        game._drive(batch.BLANK)
        self._set_turn(s)
        self._set_seats(s, self._roles(config, rng))
        self._set_incidents(s, rng)
        batch.place_cards(compile_cards().tables, record, np.array(self._moves(rng), np.int64).reshape(-1, 3))
        s["log_count"] = 0
        s["log"] = 0
        if self._incident and self._incident not in game.incidents:
            raise ScenarioError(f"{self._incident} would be over with {', '.join(self._collected)} collected")
        if found := checks.position_problem(s):
            raise ScenarioError(f"an impossible position: {found}")
        batch.judge(compile_cards().tables, record)
        if game.over:
            winners = ", ".join(f"seat {seat}" for seat in game.winners)
            raise ScenarioError(f"the game would be over already: {winners or 'nobody'} would have won")
        self._run_to_first_question(game)
        game._start = record.tobytes()
        return game

    @staticmethod
    def _run_to_first_question(game: Game) -> None:
        """The first question is asked though only one answer be legal, or what was described would be over already."""
        s = game.record
        configured = int(s["config"])
        s["config"] = configured | st.ASK_FORCED
        game._drive(batch.RESUME)
        s["config"] = configured

    def _plan(self, seat: int) -> _SeatPlan:
        return self._seats.get(seat, _SeatPlan())

    def _set_turn(self, s: Any) -> None:
        seat, step = self._turn
        if self._plan(seat).defeated:
            raise ScenarioError(f"seat {seat} is defeated and cannot have the turn")
        s["stack"][0] = 0
        s["stack"][0, fr.PROCEDURE] = fr.TURN_FRAME
        s["stack"][0, fr.SEAT] = seat
        s["stack"][0, fr.AT] = _STEP_AT[step]
        s["current"] = seat
        s["turn_number"] = 1
        s["turn_step"] = st.STEPS.index(step)

    def _set_seats(self, s: Any, roles: Sequence[str]) -> None:
        characters: list[str] = []
        boss_fallen = any(self._plan(seat).defeated and role in _EXTRA_BOSSES for seat, role in enumerate(roles))
        for seat, role in enumerate(roles):
            plan = self._plan(seat)
            s["role"][seat] = ROLE_IDS.index(role)
            public = plan.revealed or plan.defeated or role in ("heroine", *_REVEALED_FORMS) or (role == "ex_midboss" and boss_fallen)
            s["role_seen"][seat] = piles.EVERYBODY if public else 1 << seat
            if plan.character:
                if plan.character not in BASE_CHARACTERS:
                    raise ScenarioError(f"seat {seat}: {plan.character!r} is not a character; there are {', '.join(BASE_CHARACTERS)}")
                if plan.character in characters:
                    raise ScenarioError(f"seat {seat}: {plan.character} is already at the table")
                characters.append(plan.character)
                number = CHARACTER_IDS.index(plan.character)
                s["character"][seat] = number + 1
                s["abilities"][seat] = s["spells"][seat] = 1 << number
            if plan.defeated:
                if plan.hand or plan.items or plan.life:
                    raise ScenarioError(f"seat {seat} is defeated, so it has no hand, items or life")
                s["active"] &= ~np.uint8(1 << seat)
                continue
            most = 4 + int(compile_cards().tables[0]["role_stats"][s["role"][seat], v.MAX_LIFE])
            life = most if plan.life is None else plan.life
            if not 1 <= life <= most:
                raise ScenarioError(f"seat {seat}: life {life} is not between 1 and {most} (use defeated=True for a defeated player)")
            s["life"][seat] = life
            s["danmaku_played"][seat] = plan.danmaku_played
            s["spell_used"][seat] = plan.spell_used
            s["skip_next"][seat] = plan.skip_next
            s["skipped_last"][seat] = plan.skipped_last

    def _roles(self, config: GameConfig, rng: np.random.Generator) -> list[str]:
        """A role for every seat: those named, the rest dealt from what the configuration leaves."""
        composition = (ADVANCED if config.roles == "advanced" else BASIC)[self.num_players]
        partners = [role for role in composition.partner_pool if role != "ex_midboss" or self.num_players >= config.ex_midboss_from]
        slots = {"heroine": ["heroine"], "partner": partners, "stage": list(composition.stage_pool)}
        slots |= {"extra": list(composition.extra_pool), "rival": ["rival"] * composition.rivals}
        left = Counter(heroine=1, partner=composition.partners, stage=composition.stage_bosses, extra=1, rival=composition.rivals)
        roles: list[str | None] = [None] * self.num_players
        for seat in range(self.num_players):
            role = self._plan(seat).role
            if role is None:
                continue
            if role == "" and self._plan(seat).defeated and composition.rivals:  # the former Heroine after a takeover
                left["rival"] -= 1
            else:
                printed = _REVEALED_FORMS.get(role, role)
                group = next((name for name, pool in slots.items() if printed in pool), None)
                if group is None or left[group] == 0:
                    raise ScenarioError(f"seat {seat}: no {role!r} is left to deal with {self.num_players} players")
                slots[group].remove(printed)
                left[group] -= 1
            roles[seat] = role
        rest: list[str] = []
        for group, number in left.items():
            rest += [str(name) for name in rng.permutation(slots[group])[:number]] if number > 0 else []
        dealt = iter([str(name) for name in rng.permutation(rest)])
        return [role if role is not None else next(dealt) for role in roles]

    def _set_incidents(self, s: Any, rng: np.random.Generator) -> None:
        total = int(compile_cards().tables[0]["num_incidents"])
        named = [*([self._incident] if self._incident else []), *self._incident_top, *self._incident_discard]
        for name in named:
            if name not in INCIDENT_IDS[:total]:
                raise ScenarioError(f"{name!r} is not an incident; the incidents are {', '.join(INCIDENT_IDS[:total])}")
        if len(set(named)) != len(named):
            raise ScenarioError("an incident is named twice; each exists once")
        rest = [number for number in rng.permutation(total) if INCIDENT_IDS[number] not in named]
        deck = rest + [INCIDENT_IDS.index(name) for name in reversed(self._incident_top)]
        s["incident_deck"][: len(deck)] = np.array(deck, np.int64) + 1
        s["incident_deck_size"] = len(deck)
        discard = [INCIDENT_IDS.index(name) for name in reversed(self._incident_discard)]
        s["incident_discard"][: len(discard)] = np.array(discard, np.int64) + 1
        s["incident_discard_size"] = len(discard)
        if self._incident:
            s["incidents"][0] = INCIDENT_IDS.index(self._incident) + 1
            s["incident_size"] = 1

    def _moves(self, rng: np.random.Generator) -> list[tuple[int, int, int]]:
        """Rows for `place_cards`: the rest of the deck first, then everything named."""
        box = _CardBox(rng)
        places: list[tuple[str, str, int, int]] = []
        for seat in range(self.num_players):
            plan = self._plan(seat)
            places += [(card, f"hand of seat {seat}", st.IN_HAND, seat) for card in plan.hand]
            self._check_items(seat, plan.items)
            places += [(card, f"items of seat {seat}", st.IN_PLAY, seat) for card in plan.items]
        places += [(card, "collected cards", st.COLLECTED, 0) for card in self._collected]
        places += [(card, "discard pile", st.IN_DISCARD, 0) for card in reversed(self._discard_top)]
        places += [(card, "deck", st.IN_DECK, 0) for card in reversed(self._deck_top)]
        self._check_collected()
        # cards of a given season are taken first, so that a plain name never takes the last one of a season
        taken: dict[int, int] = {}
        for place in sorted(range(len(places)), key=lambda place: "/" not in places[place][0]):
            taken[place] = box.take(places[place][0], places[place][1])
        rest = [(card, st.IN_DECK, 0) for card in box.rest()]
        return rest + [(taken[place], places[place][2], places[place][3]) for place in range(len(places))]

    def _check_items(self, seat: int, items: Sequence[str]) -> None:
        types = []
        for card in items:
            kind = card.split("/")[0]
            if kind not in ITEM_IDS:
                raise ScenarioError(f"seat {seat}: {card!r} is not an item")
            types.append(int(compile_cards().tables[0]["kind_types"][KIND_IDS.index(kind)]))
        for limited, word in ((v.DEFENSE, "defense card"), (v.ARTIFACT, "artifact")):
            if sum(1 for bits in types if bits & limited) > 1:
                raise ScenarioError(f"seat {seat}: nobody has more than one {word} in play")

    def _check_collected(self) -> None:
        """Every collected card must be one that the incident takes."""
        if not self._collected:
            return
        if not self._incident:
            raise ScenarioError("cards are collected, but no incident is in play")
        incident = next(incident for incident in INCIDENTS if incident.id == self._incident)
        takes_any = any(isinstance(step, v.Op) and step.code in (v.COLLECT_TOP, v.COLLECT_ASIDE) for step in incident.step)
        for card in self._collected:
            kind, _, season = card.partition("/")
            types = int(compile_cards().tables[0]["kind_types"][KIND_IDS.index(kind)]) if kind in KIND_IDS else 0
            wanted = v.SEASONS[incident.collects_season] if incident.collects_season >= 0 else ""
            if not (takes_any or types & incident.collects_types or incident.collects_each_season or (wanted and season in ("", wanted))):
                raise ScenarioError(f"{incident.id} does not collect {card!r}")


class _CardBox:
    """The physical cards not yet placed."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._left = list(rng.permutation(int(compile_cards().tables[0]["num_cards"])))

    def take(self, name: str, where: str) -> int:
        kind, _, season = name.partition("/")
        if kind not in KIND_IDS or (season and season not in v.SEASONS):
            raise ScenarioError(f"{where}: {name!r} is not a card; cards are written like 'shoot' or 'shoot/spring'")
        for card in self._left:
            if card_name(card) == name or (not season and card_name(card).split("/")[0] == kind):
                self._left.remove(card)
                return int(card)
        raise ScenarioError(f"{where}: no {name!r} is left, all copies are placed already")

    def rest(self) -> list[int]:
        return [int(card) for card in self._left]
