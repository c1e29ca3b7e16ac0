"""`Scenario`: a table of Gensou no Utage set up by hand, for tests, puzzles and curricula."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from danmaku_env.arguments import ConfigError, check_index, sequence, shown, whole_number
from danmaku_env.game import ScenarioError, check_seed
from danmaku_env.machine.records import Array, as_bytes
from danmaku_env.sister.utage import names
from danmaku_env.sister.utage.cards import box
from danmaku_env.sister.utage.cards import words as w
from danmaku_env.sister.utage.cards.tables import tables
from danmaku_env.sister.utage.config import RANDOM, Deck, UtageConfig, no_such_card
from danmaku_env.sister.utage.engine import batch, turn
from danmaku_env.sister.utage.engine import state as st
from danmaku_env.sister.utage.game import Game
from danmaku_env.sister.utage.spec import UTAGE_SPEC

__all__ = ["Scenario", "ScenarioError"]
_STEPS = {
    "start": (turn.G_TURN, w.END), "replenish": (turn.G_REPLENISH, w.REPLENISH), "battle": (turn.G_BATTLE, w.REPLENISH),
    "preparation": (turn.G_PREPARE, w.BATTLE), "end": (turn.G_END, w.PREP),
}  # fmt: skip
_MOST_CHANGE = 100
_CHANGED = tuple(name for stat, name in enumerate(w.STATS) if stat not in (w.EV, w.COUNTS_AS))
"""Values of a spell that effects which last change: EV is a leader's, and a class only supports gain."""
Cards = Sequence[str] | Mapping[str, int]


@dataclass
class _SeatPlan:
    team: Any = None
    leader: str = ""
    hp: int | None = None
    sp: int = 0
    hand: list[str] = field(default_factory=list)
    deck: list[str] = field(default_factory=list)
    discard: list[str] = field(default_factory=list)
    reserve: list[str] = field(default_factory=list)
    active: list[str] = field(default_factory=list)
    on_leader: list[str] = field(default_factory=list)
    on: dict[str, str] = field(default_factory=dict)
    scene: str = ""
    rest: int | None = None

    def own_places(self) -> list[str]:
        """Cards that lie on the side."""
        return [*self.reserve, *self.active, *self.on_leader, *self.on.values(), *([self.scene] if self.scene else [])]


class Scenario:
    """A position set up by hand. Each method returns the scenario itself, and raises ScenarioError on what describes nothing.

    Without decks of its own each seat gets one of the cards that are named and of others, which lie under its deck. Nobody knows more than
    lies open, and open lists if the configuration has them.
    """

    def __init__(self, config: UtageConfig | None = None, **options: Any) -> None:
        """The table: a configuration, or options of one."""
        self._own_decks = config is None and "decks" not in options
        try:
            self.config = UtageConfig.of(config, options)
        except ConfigError as error:
            raise ScenarioError(str(error)) from None
        if self.config.decks == RANDOM:
            raise ScenarioError("a position has decks that are named; decks='random' draws them for each game")
        self._seats = [_SeatPlan(), _SeatPlan()]
        self._turn: dict[str, Any] = {"seat": 0, "phase": "preparation", "number": 3}
        self._lasting: list[tuple[int, str, str, int]] = []

    def seat(
        self, index: int, *, team: Any = None, leader: str = "", hp: int | None = None, sp: int = 0, hand: Cards = (), deck: Cards = (),
        discard: Cards = (), reserve: Cards = (), active: Cards = (), on_leader: Cards = (), on: Mapping[str, str] | None = None,
        scene: str = "", rest: int | None = None,
    ) -> Scenario:  # fmt: skip
        """Describe a seat, anew if it was before. Cards are ids, or ids with numbers of copies.

        `team` is for a table without decks of its own. `deck`: the topmost first; `rest` of the cards that are named nowhere lie under it
        (all of them unless said), the others are discarded. `on`: spell -> the support that lies on it, on this side. A support that this
        seat's deck has not is the other's. Raises ScenarioError for a side that cannot be.
        """
        try:
            side = check_index(index, st.SEATS, "seat")
        except IndexError as error:
            raise ScenarioError(str(error)) from None
        if team is not None and not self._own_decks:
            raise ScenarioError(f"seat {side}: the decks of the configuration have their teams; team is for a table without such decks")
        carried = self._check_words(side, leader=leader, scene=scene, on=on)
        zones = {
            "hand": hand,
            "deck": deck,
            "discard": discard,
            "reserve": reserve,
            "active": active,
            "on_leader": on_leader,
            "scene": [scene] if scene != "" else [],
            "on": list(carried.values()),
        }
        lists = {name: _cards(cards, f"{name} of seat {side}") for name, cards in zones.items()}
        self._check_kinds(side, lists)
        for spell in carried:
            if spell not in (*lists["reserve"], *lists["active"]):
                raise ScenarioError(f"seat {side}: {shown(spell)} carries a support and is no spell of this side")
        if len(set(lists["on_leader"])) < len(lists["on_leader"]) and leader != "Alice":
            raise ScenarioError(f"seat {side}: two leader supports of one name lie on one leader (F-3)")
        plan = _SeatPlan(team, leader, hp, _number(sp, f"SP of seat {side}", 20000))
        plan.rest = None if rest is None else _number(rest, f"rest of seat {side}", w.DECK_SIZE)
        for name in ("hand", "deck", "discard", "reserve", "active", "on_leader"):
            setattr(plan, name, lists[name])
        plan.on, plan.scene = carried, scene
        if scene and any(one.scene for other, one in enumerate(self._seats) if other != side):
            raise ScenarioError("one scene is in play at a time; two are named (F-4)")
        self._seats[side] = plan
        return self

    @staticmethod
    def _check_words(side: int, *, leader: object, scene: object, on: object) -> dict[str, str]:
        """What `on` says, where these are of the types they must have."""
        for name, word, what in (("leader", leader, "a character"), ("scene", scene, "the id of a card")):
            if not isinstance(word, str):
                raise ScenarioError(f"{name} of seat {side} is {what}, not {shown(word)}")
        if on is not None and not isinstance(on, Mapping):
            raise ScenarioError(f"on of seat {side} names spells with supports, like {{'0101': '0006'}}, not {shown(on)}")
        return dict(on or {})

    @staticmethod
    def _check_kinds(side: int, lists: Mapping[str, list[str]]) -> None:
        wanted = {"reserve": (w.SPELL, 0), "active": (w.SPELL, 0), "on_leader": (w.SUPPORT, w.ON_LEADER), "scene": (w.SUPPORT, w.SCENE),
                  "on": (w.SUPPORT, w.ON_SPELL)}  # fmt: skip
        for zone, (kind, place) in wanted.items():
            for name in lists[zone]:
                card = box.CARDS[box.NUMBERS[name]]
                if card.kind != kind or card.place != place:
                    what = "a spell" if kind == w.SPELL else f"a {w.PLACEMENT_WORDS[place]} support"
                    raise ScenarioError(f"{zone} of seat {side}: {name} is not {what}")

    def turn(self, seat: int = 0, phase: str = "preparation", *, number: int = 3) -> Scenario:
        """Who attacks, and where the turn is: "start", "replenish", "battle", "preparation" or "end".

        Raises ScenarioError for another phase or seat.
        """
        if not isinstance(phase, str) or phase not in _STEPS:
            raise ScenarioError(f"a turn stands at {', '.join(_STEPS)}, not {shown(phase)}")
        if whole_number(seat) not in (0, 1):
            raise ScenarioError(f"seat 0 or 1 attacks, not {shown(seat)}")
        self._turn = {"seat": int(seat), "phase": phase, "number": _number(number, "number of the turn", 30000)}
        return self

    def lasting(self, seat: int, spell: str, stat: str, amount: int) -> Scenario:
        """An effect on a spell of a side that lasts until the end of the turn: `lasting(0, "0105", "faith", 2)`.

        A `type` becomes 1 to 3: spread, concentrated, normal. Raises ScenarioError for another side, card or value, an amount beyond 100
        either way, or one effect more than fit.
        """
        if stat not in _CHANGED:
            raise ScenarioError(f"{shown(stat)} is not a value of a spell that effects change; they are {', '.join(_CHANGED)}")
        if whole_number(seat) not in (0, 1):
            raise ScenarioError(f"an effect lies on a side, 0 or 1, not {shown(seat)}")
        if (number := whole_number(amount)) is None or abs(number) > _MOST_CHANGE:
            raise ScenarioError(f"an effect changes a value by a whole number from {-_MOST_CHANGE} to {_MOST_CHANGE}, not {shown(amount)}")
        if stat == w.STATS[w.BECOMES] and not w.SPREAD <= number <= w.NORMAL:
            raise ScenarioError(f"a type is {w.SPREAD} to {w.NORMAL} ({', '.join(w.TYPE_WORDS[w.SPREAD :])}), not {shown(amount)}")
        if spell not in box.PLAYABLE_IDS:
            raise ScenarioError(f"an effect lies on a spell: {no_such_card(spell)}")
        if box.CARDS[box.NUMBERS[spell]].kind != w.SPELL:
            raise ScenarioError(f"an effect lies on a spell, and {spell} is none")
        if len(self._lasting) == st.LASTING:
            raise ScenarioError(f"at most {st.LASTING} effects last at a time (M-2)")
        self._lasting.append((int(seat), spell, stat, number))
        return self

    # ---- building

    def _decks(self) -> list[Deck]:
        """The decks of both seats: those of the configuration, or of what is named and others."""
        if not self._own_decks:
            return list(self.config.decks)
        found = []
        for seat, plan in enumerate(self._seats):
            team = {plan.leader or "Reimu": 4} if plan.team is None else plan.team
            cards = Counter([*plan.hand, *plan.deck, *plan.discard, *plan.own_places()])
            for name, copies in cards.items():
                if copies > w.MOST_COPIES:
                    raise ScenarioError(f"seat {seat}: {copies} of {name} are named; a deck has at most {w.MOST_COPIES}")
            spare = [name for name in _FILLERS if name not in cards]
            missing = w.DECK_SIZE - sum(cards.values())
            if missing < 0:
                raise ScenarioError(f"seat {seat}: {w.DECK_SIZE - missing} cards are named; a deck has {w.DECK_SIZE}")
            for place in range(missing):
                cards[spare[place // w.MOST_COPIES]] += 1
            try:
                found.append(Deck(team, cards))
            except ConfigError as error:
                raise ScenarioError(f"seat {seat}: {error}") from None
        return found

    def build(self, seed: int = 0) -> Game:
        """The position as a game, run to its first question. Raises ScenarioError for what cannot lie so."""
        UTAGE_SPEC.entries.compile_once()
        decks = self._decks()
        config = replace(self.config, decks=tuple(decks), possible=self.config.possible)
        games: Array = np.zeros(1, st.STATE)
        settings, status = config.settings(), np.zeros(1, np.int8)
        seeds = np.array([check_seed(seed)])
        batch.drive(tables(), settings, games, as_bytes(games), seeds, status, batch.BLANK)
        s = games[0]
        batch.note_requirements(tables(), games)
        left = [Counter(dict(deck.cards)) for deck in decks]
        rng = np.random.default_rng(seed)
        for seat, plan in enumerate(self._seats):
            self._name_leader(s, seat, plan)
        for seat, plan in enumerate(self._seats):
            self._lay(s, seat, plan, left)
        for seat, plan in enumerate(self._seats):
            self._fill(s, seat, plan, left[seat], rng)
        self._begin(s)
        batch.drive(tables(), settings, games, as_bytes(games), seeds, status, batch.RESUME)
        if found := UTAGE_SPEC.problem(games[0]):
            raise ScenarioError(f"no such position is possible: {found}")
        return Game.from_trusted_record(games, config)

    @staticmethod
    def _name_leader(s: Any, seat: int, plan: _SeatPlan) -> None:
        team = [w.CHARACTERS[int(number)] for number in s["team"][seat]]
        leader = plan.leader or team[0]
        if leader not in team:
            raise ScenarioError(f"seat {seat}: {shown(leader)} is not in its team, which is {', '.join(team)}")
        s["leader"][seat] = team.index(leader)
        printed = box.CARDS[box.NUMBERS[box.LEADER_IDS[w.CHARACTERS.index(leader)]]].hp
        hp = printed if plan.hp is None else whole_number(plan.hp)
        if hp is None or not 1 <= hp <= printed:
            raise ScenarioError(f"seat {seat}: HP of {leader} is from 1 to {printed}, not {shown(plan.hp)}")
        s["hp"][seat], s["sp"][seat] = hp, plan.sp

    def _lay(self, s: Any, seat: int, plan: _SeatPlan, left: list[Counter[str]]) -> None:
        for name in plan.hand:
            slot = self._take(s, seat, name, left, "hand")
            s["hand"][seat, slot] += 1
            s["hand_size"][seat] += 1
            s["in_hand"][seat] = int(s["in_hand"][seat]) | 1 << slot
        for name in plan.discard:
            slot = self._take(s, seat, name, left, "discard")
            s["discard"][seat, slot] += 1
            _show(s, seat, slot)
        for zone, where in (("reserve", st.IN_RESERVE), ("active", st.IS_ACTIVE), ("on_leader", st.AT_LEADER)):
            for name in getattr(plan, zone):
                self._put(s, seat, name, where, left)
        for spell, support in plan.on.items():
            host = next(place for place in range(w.PLACES) if s["at_card"][seat, place] == box.NUMBERS[spell] + 1)
            if s["carries"][seat, host]:
                raise ScenarioError(f"seat {seat}: {spell} carries two supports (F-2)")
            place = self._put(s, seat, support, st.AT_SPELL, left)
            s["host"][seat, place], s["carries"][seat, host] = host + 1, place + 1
        if plan.scene:
            self._put(s, seat, plan.scene, st.IS_SCENE, left)

    def _take(self, s: Any, seat: int, name: str, left: list[Counter[str]], where: str) -> int:
        """The slot of a card of the seat, which is used up by it."""
        if not left[seat][name]:
            raise ScenarioError(f"{where} of seat {seat}: there is no {name} left in its deck")
        left[seat][name] -= 1
        return names.own_slots(s, seat).index(name)

    def _put(self, s: Any, side: int, name: str, where: int, left: list[Counter[str]]) -> int:
        owner = side if left[side][name] or where in (st.IN_RESERVE, st.IS_ACTIVE) else 1 - side
        slot = self._take(s, owner, name, left, st.WHERE_WORDS[where])
        place = int(s["used"][side]).bit_length()
        if place >= w.PLACES:
            raise ScenarioError(f"side {side} has only {w.PLACES} places")
        s["used"][side] = int(s["used"][side]) | 1 << place
        s["at_card"][side, place], s["at_owner"][side, place] = box.NUMBERS[name] + 1, owner
        s["at_slot"][side, place], s["where"][side, place] = slot, where
        _show(s, owner, slot)
        return place

    def _fill(self, s: Any, seat: int, plan: _SeatPlan, left: Counter[str], rng: np.random.Generator) -> None:
        """The deck, top first, and under it what is named nowhere."""
        top = [self._take(s, seat, name, [left, left], "deck") for name in plan.deck]
        slots = names.own_slots(s, seat)
        under = rng.permutation([slots.index(name) for name, copies in left.items() for _ in range(copies)]).astype(int).tolist()
        if plan.rest is not None:
            if plan.rest > len(under):
                raise ScenarioError(f"seat {seat}: rest is {plan.rest}, and only {len(under)} cards are named nowhere")
            for slot in under[plan.rest :]:
                s["discard"][seat, slot] += 1
                _show(s, seat, slot)
            under = under[: plan.rest]
        deck = [*under, *reversed(top)]
        s["deck"][seat] = 0
        s["deck"][seat, : len(deck)] = np.array(deck, np.int64) + 1
        s["deck_size"][seat] = len(deck)
        if not deck:
            raise ScenarioError(f"seat {seat} has no deck left and has lost (E-2)")

    def _begin(self, s: Any) -> None:
        step, phase = _STEPS[self._turn["phase"]]
        starts = self._turn["phase"] == "start"
        s["attacker"], s["phase"], s["turn_number"] = self._turn["seat"], phase, self._turn["number"] - starts
        s["battles"], s["stale"], s["max_turns"] = int(step <= turn.G_BATTLE), 1, self.config.max_turns
        frame = s["stack"][0]
        frame[1], frame[st.COL_ACTOR] = step, self._turn["seat"]
        for line, (side, spell, stat, amount) in enumerate(self._lasting):
            places = np.flatnonzero(s["at_card"][side] == box.NUMBERS[spell] + 1)
            if not len(places):
                raise ScenarioError(f"side {side} has no {shown(spell)}")
            row = [side, w.TARGET, 0, w.STATS.index(stat), amount, 1, side, int(places[0]) + 1, box.NUMBERS[spell] + 1]
            s["lasting"][line] = row
            s["lasting_count"] = line + 1


def _show(s: Any, owner: int, slot: int) -> None:
    if not s["rank"][owner, slot]:
        s["slots_seen"][owner] += 1
        s["rank"][owner, slot] = s["slots_seen"][owner]


def _number(value: object, what: str, most: int) -> int:
    number = whole_number(value)
    if number is None or not 0 <= number <= most:
        raise ScenarioError(f"{what} is a whole number from 0 to {most}, not {shown(value)}")
    return number


def _cards(cards: Cards, where: str) -> list[str]:
    if isinstance(cards, Mapping):
        pairs: Iterable[tuple[Any, int]] = [(name, _number(number, f"{where}: {shown(name)}", 3)) for name, number in cards.items()]
    else:
        listed = sequence(cards)
        if listed is None:
            raise ScenarioError(f"{where}: cards are a list of ids, or ids with numbers, not {shown(cards)}")
        pairs = [(name, 1) for name in listed]
    for name, _ in pairs:
        if name not in box.PLAYABLE_IDS:
            raise ScenarioError(f"{where}: {no_such_card(name)}")
    return [name for name, number in pairs for _ in range(number)]


_FILLERS = [
    *(name for name in box.PLAYABLE_IDS if not box.CARDS[box.NUMBERS[name]].requirement),
    *(name for name in reversed(box.PLAYABLE_IDS) if box.CARDS[box.NUMBERS[name]].requirement),
]
"""What the rest of a deck is filled with, the first of these that are not named."""
