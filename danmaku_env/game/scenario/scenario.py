"""`Scenario`: the words with which a table is described, and the refusal of what describes nothing.

Every method refuses a value of the wrong kind at once; whether the whole can be is asked when it is built (position.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from danmaku_env.arguments import sequence, shown, truth, whole_number
from danmaku_env.cards import vocabulary as v
from danmaku_env.config import ConfigError, GameConfig
from danmaku_env.engine import state as st
from danmaku_env.game.errors import ScenarioError
from danmaku_env.game.game import Game
from danmaku_env.game.scenario import position
from danmaku_env.game.scenario.description import NO_INCIDENT, Cards, Description, Effect, Knowledge, SeatPlan, Seats, TurnPlan
from danmaku_env.seeds import check_seed

DEFAULT_PLAYERS = 4
"""Seats of a table where no number is given."""
STEPS_TO_STAND_AT = ("game start", "turn zero", "start", "incident", "draw", "main", "discard")
_AS_GAMES_SAY = {"zero": "turn zero"}
_BEFORE_ALL = ("setup", "draft")
"""What `Game.step` says, too, while roles, characters and hands are still to come."""
_NUMBERED = (v.LASTING_RANGE, v.LASTING_DISTANCE, v.SET_DISTANCE)
_TYPE_NAMES = {v.TYPES[bit.bit_length() - 1]: bit for bit in v.NAMED_TYPES}


class Scenario:
    """A position set up by hand: for tests, puzzles and curricula.

    Seats that are not described have no character, an empty hand, no items, full life, and a role dealt by the seed from those
    that are left. Cards not named anywhere lie in the deck, shuffled by the seed. Nobody knows more than their own cards, their own
    role and what is public. Each method returns the scenario itself, and raises ScenarioError on what describes nothing.
    """

    def __init__(self, num_players: int | None = None, config: GameConfig | None = None, **options: Any) -> None:
        """This number of players, 4 unless `config` says otherwise; without `config`, nobody chooses a character.

        Options have their place in `config`: any given here is refused. Raises ScenarioError.
        """
        if options:
            name = next(iter(options))
            raise ScenarioError(f"a Scenario is made with num_players and config; say {name} in it: config=GameConfig({name}=...)")
        if config is not None and not isinstance(config, GameConfig):
            raise ScenarioError(f"config is a GameConfig, not {shown(config)}")
        if num_players is None:
            num_players = config.num_players if config else DEFAULT_PLAYERS
        try:
            plain = GameConfig(num_players=num_players, characters="none")
        except ConfigError as error:
            raise ScenarioError(str(error)) from None
        self.num_players = plain.num_players
        self.config = config or plain
        self._table = Description()

    # ---- the table

    def seat(
        self, index: int, *, role: str | None = None, character: str | Sequence[str] | None = "", life: int | None = None,
        hand: Sequence[str] = (), items: Sequence[str] = (), defeated: bool = False, revealed: bool = False, danmaku_played: int = 0,
        spell_used: bool = False, ability_used: bool = False, extras: Sequence[str] = (), named: str = "", hurt: bool = False,
        skip_next: bool = False, skipped_last: bool = False,
    ) -> Scenario:  # fmt: skip
        """Describe a seat, anew if it was described before. Cards are kinds with an optional season: "shoot", "shoot/spring".

        `character`: in Double Threat two, like ("cirno", "hakurei_reimu"). `life` 0: the seat is not yet defeated, everybody is asked for
        its rescue first. `defeated`: out of the game, its role known to all. `revealed`: everybody knows the role. `danmaku_played`,
        `spell_used`: since its last turn began. `ability_used`: what its character can do once per turn or round is used up. `extras`: its
        Extra Characters, from its ability, items and role in this order, or with what granted it: "cirno/tanuki_leaf". `named`: the
        character whose ability it has named. `hurt`: an attack has taken life of it in this turn. `skip_next`, `skipped_last`: its next
        turn, and its last one.
        """
        seat = self._seat(index)
        of = f"seat {seat}"
        self._table.seats[seat] = SeatPlan(
            role=_name(role, f"{of}: role") if role is not None else None,
            characters=self._characters(character, of),
            life=_number(life, f"{of}: life") if life is not None else None,
            hand=_cards(hand, f"hand of {of}"),
            items=_cards(items, f"items of {of}"),
            defeated=_truth(defeated, f"{of}: defeated"),
            revealed=_truth(revealed, f"{of}: revealed"),
            danmaku_played=_number(danmaku_played, f"{of}: danmaku_played"),
            spell_used=_truth(spell_used, f"{of}: spell_used"),
            ability_used=_truth(ability_used, f"{of}: ability_used"),
            extras=_names(extras, f"{of}: extras"),
            named=_name(named, f"{of}: named"),
            hurt=_truth(hurt, f"{of}: hurt"),
            skip_next=_truth(skip_next, f"{of}: skip_next"),
            skipped_last=_truth(skipped_last, f"{of}: skipped_last"),
        )
        return self

    def incident(self, name: str | None, *, collected: Sequence[str] = ()) -> Scenario:
        """The incident in play (None: none) and the cards it has collected. Raises ScenarioError for an empty name."""
        cards = _cards(collected, "collected cards")
        named = NO_INCIDENT if name is None else _name(name, "the incident")
        if name is not None and not named:
            raise ScenarioError("'' is not an incident; where there is none, its name is None")
        self._table.incidents = {named: cards} if named or cards else {}
        return self

    def incidents(self, collected: Mapping[str, Sequence[str]]) -> Scenario:
        """Several incidents in play, the oldest first, and what each has collected: cards, or incidents by their ids.

        Raises ScenarioError for anything but a mapping.
        """
        if not isinstance(collected, Mapping):
            raise ScenarioError(f"incidents come with what they have collected, like {{'lily_white': []}}, not {shown(collected)}")
        self._table.incidents = {
            _name(name, "an incident"): _cards(cards, f"collected by {shown(name)}") for name, cards in collected.items()
        }
        return self

    def deck(self, *, top: Sequence[str] = (), bottom: Sequence[str] = (), only: Sequence[str] | None = None) -> Scenario:
        """Cards on top of the Main deck and at its bottom, the topmost first; what is named nowhere lies between them.

        `only` instead: the deck is these cards, the topmost first, and what is named nowhere lies in the discard pile. Raises ScenarioError
        where both are given.
        """
        if only is not None and (_cards(top, "top of the deck") or _cards(bottom, "bottom of the deck")):
            raise ScenarioError("the deck has a top and a bottom to name, or only these cards, not both")
        lists = _cards(top, "top of the deck"), _cards(bottom, "bottom of the deck"), _cards(only, "deck") if only is not None else None
        self._table.deck_top, self._table.deck_bottom, self._table.deck_only = lists
        return self

    def discard(self, *, top: Sequence[str] = ()) -> Scenario:
        """Cards on the discard pile, the topmost first."""
        self._table.discard_top = _cards(top, "discard pile")
        return self

    def lunatic_deck(self, *, top: Sequence[str] = (), discard: Sequence[str] = ()) -> Scenario:
        """Cards on top of the Lunatic deck, and on its discard pile, the topmost first; only with Lunatic Extra.

        A copy of a card that the Main deck has too is written "lunatic_bomb".
        """
        cards = _cards(top, "top of the Lunatic deck"), _cards(discard, "Lunatic discard pile")
        self._table.lunatic_top, self._table.lunatic_discard = cards
        return self

    def recruits(self, left: Sequence[str]) -> Scenario:
        """The characters that can be drawn by whoever recruits; the others out of play are discarded, and everybody knows them."""
        self._table.characters_left = _names(left, "characters to recruit")
        return self

    def incident_deck(self, *, top: Sequence[str] = (), discard: Sequence[str] = ()) -> Scenario:
        """Incidents on top of their deck, and on their discard pile, the topmost first."""
        names = _names(top, "top of the incident deck"), _names(discard, "discarded incidents")
        self._table.incident_top, self._table.incident_discard = names
        return self

    # ---- the moment

    def turn(self, seat: int, *, step: str = "main", drew: Sequence[int] = (), action_ban: bool = False) -> Scenario:
        """Whose turn it is, and at which step: start, incident, draw, main or discard.

        With Lunatic Extra also before the first turn: "game start" and "turn zero", which the seats from the Heroine to the one before
        this have already had. The words of `Game.step` are taken, so "zero" is "turn zero"; at its "setup" and "draft" there is nothing to
        set up by hand yet, and they are refused.

        `drew`: the seats that have drawn a card in this turn. `action_ban`: nobody plays action cards for the rest of it. A step in
        which nobody can do anything asks nobody, so it is over when the game asks its first question.
        Raises ScenarioError for a step that there is not.
        """
        said = _name(step, "the step")
        name = _AS_GAMES_SAY.get(said, said)
        if name in _BEFORE_ALL:
            raise ScenarioError(f"at {name} a game has no position to set up by hand yet: Game.new begins there")
        if name not in STEPS_TO_STAND_AT:
            raise ScenarioError(f"{shown(step)} is not a step; the steps are {', '.join(STEPS_TO_STAND_AT)}")
        whose = self._seat(seat, "turn of seat")
        self._table.turn = TurnPlan(whose, name, self._seats(drew, "drew"), _truth(action_ban, "action_ban"))
        return self

    def lasting(self, effect: str, *, until: int, on: int | None = None, value: int | str | None = None) -> Scenario:
        """One more effect that lasts until the next turn of the seat `until`, who brought it about.

        "range bonus", "distance bonus" (`value` 1 to 5), "everybody is in range": for that seat. "items have no effect",
        "abilities have no effect": of the other seat `on`. For all: "all distances are this number" (`value` 1 to 5), "nobody plays cards
        of this type" (`value` "danmaku", "dodge", "invocation" or "item"). Raises ScenarioError for another effect, one described twice, or
        one more than fit.
        """
        if _name(effect, "the effect") not in v.LASTING:
            raise ScenarioError(f"{shown(effect)} is not an effect that lasts; there are {', '.join(map(repr, v.LASTING))}")
        word, owner = v.LASTING.index(effect), self._seat(until, f"{effect!r} until the turn of seat")
        row = Effect(word, owner, self._concerned(effect, owner, on), _value(effect, value))
        if any((row.word, row.owner, row.seat) == (other.word, other.owner, other.seat) for other in self._table.effects):
            raise ScenarioError(f"{effect!r} until the next turn of seat {owner} is described twice")
        if len(self._table.effects) == st.LASTING_ROWS:
            raise ScenarioError(f"no more than {st.LASTING_ROWS} effects last at a time")
        self._table.effects.append(row)
        return self

    # ---- what is known

    def knows(
        self, seats: int | Sequence[int], *, hands: Mapping[int, Sequence[str] | Literal["all"]] | None = None, roles: Sequence[int] = (),
        deck: Sequence[int] = (), incident_deck: Sequence[int] = (),
    ) -> Scenario:  # fmt: skip
        """What a seat, or several, know besides; what all seats know is public.

        `hands`: cards in the hands of other seats, `{2: ["graze"], 3: "all"}`. `roles`: of these seats. `deck`, `incident_deck`: which
        cards lie at these places, 0 the topmost, 1 the next, -1 the lowest. Raises ScenarioError where `hands` is not a mapping.
        """
        who = self._seats(seats, "knows") if whole_number(seats) is None else (self._seat(seats),)
        if hands is not None and not isinstance(hands, Mapping):
            raise ScenarioError(f"known hands are given by seat, like {{2: ['graze'], 3: 'all'}}, not {shown(hands)}")
        known = tuple((self._seat(seat, "hand of seat"), self._known_hand(seat, cards)) for seat, cards in (hands or {}).items())
        self._table.knowledge.append(
            Knowledge(who, known, self._seats(roles, "known roles"), _places(deck, "deck"), _places(incident_deck, "incident deck"))
        )
        return self

    # ---- the game

    def build(self, seed: int = 0) -> Game:
        """The game at its first question, which is asked even where only one answer is legal; from there on it goes as configured.

        Raises ScenarioError, with the reason, for an impossible position, and ValueError for an invalid seed.
        """
        if self.config.num_players != self.num_players:
            raise ScenarioError(f"the configuration is for {self.config.num_players} players, the scenario for {self.num_players}")
        return position.build(self._table, self.config, check_seed(seed))

    # ---- words of a description

    def _seat(self, value: object, what: str = "seat") -> int:
        seat = whole_number(value)
        if seat is None or not 0 <= seat < self.num_players:
            raise ScenarioError(f"{what} {shown(value)}: the seats are 0 to {self.num_players - 1}")
        return seat

    def _characters(self, value: object, of: str) -> tuple[str, ...]:
        if value is None:
            return ()
        if isinstance(value, str):
            return (str(value),) if value else ()
        if not sequence(value):
            raise ScenarioError(f"{of}: character is given by its name, not as {shown(value)}")
        names = _names(value, f"{of}: characters")
        if len(names) > 1 and self.config.characters != "double_threat":
            raise ScenarioError(f"{of} plays one character; two are played with GameConfig(characters='double_threat')")
        if len(names) > 2:
            raise ScenarioError(f"{of} plays two characters in Double Threat, not {len(names)}")
        return names

    def _seats(self, value: object, what: str) -> Seats:
        seats = sequence(value)
        if seats is None:
            raise ScenarioError(f"{what}: seats are given as a list like [0, 2], not {shown(value)}")
        return tuple(self._seat(seat, f"{what}: seat") for seat in seats)

    def _concerned(self, effect: str, owner: int, on: int | None) -> int:
        """Whom an effect of its owner concerns."""
        if v.LASTING.index(effect) not in (v.ITEMS_OFF, v.ABILITIES_OFF):
            if on is not None:
                raise ScenarioError(f"{effect!r} is not about one other seat, so `on` is not given")
            return owner
        if on is None or self._seat(on, f"{effect!r} on seat") == owner:
            raise ScenarioError(f"{effect!r} concerns another seat: on=... and another one than until={owner}")
        return self._seat(on)

    def _known_hand(self, seat: int, cards: object) -> Cards | None:
        return None if isinstance(cards, str) and cards == "all" else _cards(cards, f"known of the hand of seat {seat}")


def _name(value: object, what: str) -> str:
    if not isinstance(value, str):
        raise ScenarioError(f"{what} is given by its name, not as {shown(value)}")
    return str(value)


def _names(value: object, what: str) -> tuple[str, ...]:
    names = sequence(value)
    if names is None:
        raise ScenarioError(f"{what}: names are given as a list, not as {shown(value)}")
    return tuple(_name(name, f"{what}: each") for name in names)


def _cards(value: object, where: str) -> Cards:
    cards = sequence(value)
    if cards is None:
        raise ScenarioError(f"{where}: cards are given as a list like ['shoot', 'graze/winter'], not as {shown(value)}")
    for card in cards:
        if not isinstance(card, str):
            raise ScenarioError(f"{where}: {shown(card)} is not a card; cards are written like 'shoot' or 'shoot/spring'")
    return tuple(str(card) for card in cards)


def _places(value: object, where: str) -> tuple[int, ...]:
    places = sequence(value)
    if places is None:
        raise ScenarioError(f"{where}: places are given as a list like [0, 1], not as {shown(value)}")
    return tuple(_number(place, f"{where}: a place") for place in places)


def _number(value: object, what: str) -> int:
    number = whole_number(value)
    if number is None:
        raise ScenarioError(f"{what} is a whole number, not {shown(value)}")
    return number


def _truth(value: object, what: str) -> bool:
    found = truth(value)
    if found is None:
        raise ScenarioError(f"{what} is True or False, not {shown(value)}")
    return found


def _value(effect: str, value: object) -> int:
    """The number kept with an effect."""
    word = v.LASTING.index(effect)
    if word in _NUMBERED:
        number = whole_number(value)
        if number is None or not 1 <= number <= v.LARGEST_NAMED:
            raise ScenarioError(f"{effect!r}: value is a whole number from 1 to {v.LARGEST_NAMED}, not {shown(value)}")
        return number
    if word == v.BAN_TYPE:
        if not isinstance(value, str) or value not in _TYPE_NAMES:
            raise ScenarioError(f"{effect!r}: value is one of {', '.join(_TYPE_NAMES)}, not {shown(value)}")
        return _TYPE_NAMES[value]
    if value is not None:
        raise ScenarioError(f"{effect!r} has no value, so {shown(value)} is not given")
    return 0
