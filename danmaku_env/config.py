"""GameConfig: how a game is set up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from danmaku_env.arguments import ConfigError as ConfigError  # it is raised here, and found here
from danmaku_env.arguments import GameOptions, sequence, shown, whole_number
from danmaku_env.cards.box import CHARACTER_IDS, INCIDENT_IDS, KIND_IDS, ROLE_IDS
from danmaku_env.cards.compile import compile_cards
from danmaku_env.cards.tables import ADVANCED_DEAL, BASE_BOX, BASIC_DEAL, BOTH_BOXES
from danmaku_env.cards.vocabulary import SEASONS
from danmaku_env.engine import queries
from danmaku_env.engine import state as st
from danmaku_env.engine.observation import OBSERVATION_SIZE
from danmaku_env.engine.procedures import draft, setup
from danmaku_env.named_tables import NAMED_TABLES, TABLE_OF_ID

Expansion = Literal["none", "lunatic_extra"]
"""What is played with besides the base game."""
EXPANSIONS: tuple[Expansion, ...] = get_args(Expansion)
RoleSet = Literal["advanced", "basic"]
"""Which roles are dealt."""
ROLE_SETS: tuple[RoleSet, ...] = get_args(RoleSet)
CharacterWay = Literal["choose", "random", "draft", "double_threat", "none"]
"""How the seats come to their characters, where these are not named."""
CHARACTER_WAYS: tuple[CharacterWay, ...] = get_args(CharacterWay)

IN_BOTH_BOXES = "play with GameConfig(expansion='lunatic_extra')"
"""What would be right where somebody asks for what only the expansion has."""


@dataclass(frozen=True, kw_only=True)
class GameConfig(GameOptions):
    """A validated set-up. Raises ConfigError for a value that cannot be (a name that no option has is Python's own TypeError)."""

    num_players: int = 6
    """Seats at the table, 4 to 8."""
    expansion: Expansion = "none"
    """The base game, or with the expansion Lunatic Extra."""
    roles: RoleSet | Sequence[str] = "advanced"
    """Every role whose minimum player count is met, or the rulebook's first game (plain Partners and Stage Bosses, EX Boss, and the Rival
    with 8 players), or one role per seat. Then the deck, the incidents and the characters lie as the seed has them, and no player knows
    that roles were given: all beliefs start from the advanced deal."""
    characters: CharacterWay | Sequence[str] = "choose"
    """Each seat chooses from `candidates` of them (a decision of the game); they are dealt at random; they are drafted from a common pool;
    each seat chooses two of four and plays both (Double Threat); nobody has one; or one id per seat."""
    candidates: int = 2
    """Characters that each seat chooses from, also when it recruits: 2, or 3 or 4 for Players' Choice."""
    character_pool: Sequence[str] | None = None
    """The only characters that are dealt, drafted or recruited; None is all of the box. Everybody knows the pool."""
    bonus_character: bool = False
    """With Player 2, the bonus character, among the characters."""
    deck: Mapping[str, int] | Sequence[tuple[str, int]] | None = None
    """The Main deck: copies of each kind, such as {"shoot": 12, "graze": 8}, of each the first ones in the box, or of a season,
    {"shoot/spring": 4}; None is all of the box. Everybody knows it. Kept as pairs. Fewer cards make a game that is quick to learn, and very
    few one that can be solved."""
    incidents: Sequence[str] | None = None
    """The only incidents; () is a game without any, None all of the box. Everybody knows them."""
    life: int | None = None
    """Max life of every seat, whatever its role, 1 to 5; None is as printed: 4 and what the role adds. Everybody begins at max life."""
    hand: int | None = None
    """Hand limit of every seat, 1 to 7, before items and characters change it; in the base game also the size of the first hand. None is as
    printed: 4 and what the role adds."""
    ex_midboss_from: int = 5
    """Fewest players with which the EX Midboss may be dealt: 5 (as printed) or 7 (S-7)."""
    max_turns: int = 400
    """The game is truncated, without winners, when a turn beyond this would start (T-11); 1 to 32767."""
    ask_forced: bool = False
    """Ask also when only one answer is legal; otherwise the engine takes it."""
    ask_everyone: bool = False
    """In windows, give priority also to the seats that can only pass. The engine still passes for them unless `ask_forced` is set: set both
    to hide who could have answered."""
    ask_seasons: bool = False
    """Ask which copy of a card is meant whenever copies differ; otherwise only while an incident in play collects by season, and
    where a card goes onto a deck (C-19)."""

    history: int = 0
    """Events that every observation ends with, the newest first: the `history` field of docs/observation.md; 0 to 1024."""

    @property
    def observation_size(self) -> int:
        """Bytes of an observation row, history included."""
        return OBSERVATION_SIZE + st.EVENT_COLUMNS * self.history

    def __post_init__(self) -> None:
        self._check_number("num_players", 4, st.SEATS)
        self._check_number("history", 0, st.LOG_ROWS)
        self._check_number("max_turns", 1, 32767)
        if self.life is not None:
            self._check_number("life", 1, 5)
        if self.hand is not None:
            self._check_number("hand", 1, 7)
        self._check_number("candidates", st.FEWEST_CANDIDATES, st.MOST_CANDIDATES)
        self._check_word("expansion", EXPANSIONS)
        if whole_number(self.ex_midboss_from) not in (5, 7):
            raise ConfigError(f"ex_midboss_from must be 5 or 7, not {shown(self.ex_midboss_from)}")
        object.__setattr__(self, "ex_midboss_from", int(self.ex_midboss_from))
        self._check_truths("bonus_character", "ask_forced", "ask_everyone", "ask_seasons")
        self._check_deck()
        self._check_incidents()
        self._check_pool()
        self._check_characters()
        self._check_choice()
        self._check_roles()

    def _check_roles(self) -> None:
        if isinstance(self.roles, str) and self.roles in ROLE_SETS:
            return
        names = sequence(self.roles)
        if names is None:
            sets = ", ".join(f'"{roles}"' for roles in ROLE_SETS)
            raise ConfigError(f"roles must be {sets} or one role per seat, not {shown(self.roles)}")
        object.__setattr__(self, "roles", names)
        if len(names) != self.num_players:
            raise ConfigError(f"roles names {len(names)} roles for {self.num_players} players; one per seat is needed")
        for name in names:
            if not isinstance(name, str) or name not in ROLE_IDS[1:]:
                raise ConfigError(f"roles: {shown(name)} is not a role; the roles are {', '.join(ROLE_IDS[1:])}")
        left = Counter(name for name in names if isinstance(name, str))
        left.subtract({"heroine": 1})
        for dealt, cards in self.role_pools:
            there = Counter(ROLE_IDS[role] for role in cards)
            given = {name: left.pop(name) for name in there if name in left}
            if sum(given.values()) != dealt or any(number > there[name] for name, number in given.items()):
                raise ConfigError(self._no_such_roles())
        if any(left.values()):
            raise ConfigError(self._no_such_roles())

    def _no_such_roles(self) -> str:
        """What roles such a table has, where others were given."""
        pools = []
        for dealt, cards in self.role_pools:
            copies = Counter(ROLE_IDS[role] for role in cards)
            names = [name if number == 1 else f"{name} (at most {number})" for name, number in copies.items()]
            pools += [f"{dealt} of {', '.join(names)}"] if dealt else []
        such = f"{self.num_players} players{'' if self.expansion == 'none' else ' and Lunatic Extra'}"
        return f"roles: {', '.join(map(str, self.roles))} cannot be dealt; with {such} there are the heroine, {'; '.join(pools)}"

    def _check_deck(self) -> None:
        if self.deck is None:
            return
        given = tuple(self.deck.items()) if isinstance(self.deck, Mapping) else sequence(self.deck)
        pairs = [()] if given is None else [sequence(pair) or () for pair in given]
        if not all(len(pair) == 2 and isinstance(pair[0], str) for pair in pairs):
            raise ConfigError(f'deck must say how many copies of each kind, like {{"shoot": 12, "graze": 8}}, not {shown(self.deck)}')
        wanted: dict[str, int] = {}
        for name, copies in ((str(pair[0]), pair[1]) for pair in pairs):
            there = len(self._copies(name))
            if not there:
                raise ConfigError(f"deck: {self._no_such_card(name)}")
            number = whole_number(copies)
            if number is None or not 0 <= number <= there:
                raise ConfigError(f"deck: the box has {there} of {name}; 0 to {there} can be played, not {shown(copies)}")
            if name in wanted:
                raise ConfigError(f"deck names {name} twice")
            wanted[name] = number
        object.__setattr__(self, "deck", tuple(sorted((name, number) for name, number in wanted.items() if number)))
        cards = self.cards
        if not self.deck:
            raise ConfigError("deck is empty; name some cards, or leave it out for all of the box")
        if len(cards) == int(compile_cards().tables[0]["cards_in"][self.box]):
            object.__setattr__(self, "deck", None)

    def _copies(self, name: str) -> list[int]:
        """The physical cards of the box's Main deck that a kind, or a kind and a season, names, in the order of the box."""
        tables = compile_cards().tables[0]
        total, (kind, _, season) = int(tables["cards_in"][self.box]), name.partition("/")
        if kind not in KIND_IDS or (season and season not in SEASONS):
            return []
        fits = (tables["card_kind"][:total] == KIND_IDS.index(kind)) & (tables["card_lunatic"][:total] == 0)
        if season:
            fits &= tables["card_season"][:total] == SEASONS.index(season)
        return [int(card) for card in np.flatnonzero(fits)]

    def _no_such_card(self, name: str) -> str:
        """Why a name is not that of a card in the Main deck."""
        kind, _, season = name.partition("/")
        if kind not in KIND_IDS:
            kinds = [kind for kind in KIND_IDS if self._copies(kind)]
            return f"{shown(name)} is not a kind of card; the kinds are {', '.join(kinds)}"
        if season and season not in SEASONS:
            return f"{shown(name)} is not a card; the seasons are {', '.join(SEASONS)}"
        if self._copies(kind):
            return f"no {kind} is of {season}"
        return f"{shown(name)} is not in the Main deck of this box; {IN_BOTH_BOXES}"

    def _check_incidents(self) -> None:
        if self.incidents is None:
            return
        names = sequence(self.incidents)
        if names is None:
            raise ConfigError(f"incidents must be a list of incidents or None, not {shown(self.incidents)}")
        bits = int(compile_cards().tables[0]["incidents_in"][self.box])
        there = [name for number, name in enumerate(INCIDENT_IDS) if bits >> number & 1]
        for name in names:
            if not isinstance(name, str) or name not in INCIDENT_IDS:
                raise ConfigError(f"incidents: {shown(name)} is not an incident; the incidents are {', '.join(there)}")
            if name not in there:
                raise ConfigError(f"incidents: {shown(name)} is an incident of Lunatic Extra; {IN_BOTH_BOXES}")
        if len(set(names)) != len(names):
            raise ConfigError("incidents names one twice; each exists once")
        object.__setattr__(self, "incidents", None if len(names) == len(there) else tuple(name for name in there if name in names))

    def _check_pool(self) -> None:
        if self.character_pool is None:
            return
        names = sequence(self.character_pool)
        if names is None:
            raise ConfigError(f"character_pool must be a list of characters or None, not {shown(self.character_pool)}")
        object.__setattr__(self, "character_pool", None)  # what is asked about a name is whether the box has it
        for name in names:
            if not isinstance(name, str) or name not in self.character_ids:
                raise ConfigError(f"character_pool: {no_such_character(self, name)}")
        if len(set(names)) != len(names):
            raise ConfigError("character_pool names somebody twice; each character exists once")
        if not names:
            raise ConfigError("character_pool is empty; name the characters that may be played, or leave it out for all of the box")
        there = self.character_ids
        object.__setattr__(self, "character_pool", None if len(names) == len(there) else tuple(name for name in there if name in names))

    def _check_characters(self) -> None:
        if isinstance(self.characters, str) and self.characters in CHARACTER_WAYS:
            return
        names = sequence(self.characters)
        if names is None:
            ways = ", ".join(f'"{way}"' for way in CHARACTER_WAYS)
            raise ConfigError(f"characters must be {ways} or one id per seat, not {shown(self.characters)}")
        object.__setattr__(self, "characters", names)
        if len(names) != self.num_players:
            raise ConfigError(f"characters names {len(names)} ids for {self.num_players} players; one per seat is needed")
        for name in names:
            if not isinstance(name, str) or name not in self.character_ids:
                raise ConfigError(no_such_character(self, name))
        if len(set(names)) != len(names):
            raise ConfigError("characters names somebody twice; each character exists once")

    def _check_choice(self) -> None:
        there, of, more = len(self.character_ids), "box", "play with expansion='lunatic_extra'"
        if self.character_pool is not None:
            of, more = "character_pool", "name more"
        if self.characters in ("draft", "double_threat") and draft.DEALT * self.num_players > there:
            what = "a draft" if self.characters == "draft" else "Double Threat"
            raise ConfigError(
                f"characters: {what} deals {draft.DEALT} characters to each of {self.num_players} players, more than the {there} "
                f"characters of the {of}; at most {there // draft.DEALT} players can play so, or {more}"
            )
        if self.characters == "choose" and self.candidates * self.num_players > there:
            most = there // self.num_players
            raise ConfigError(
                f"candidates: {self.candidates} for each of {self.num_players} players are more than the {there} characters of the {of}; "
                f"{f'at most {most}' if most >= st.FEWEST_CANDIDATES else 'have fewer players'}, or {more}"
            )
        if self.characters == "random" and self.num_players > there:
            raise ConfigError(f"characters: {self.num_players} players are more than the {there} characters of the {of}; {more}")

    @property
    def character_ids(self) -> tuple[str, ...]:
        """The characters in the game."""
        tables = compile_cards().tables[0]
        there = int(tables["characters_in"][self.box]) | (int(tables["bonus_characters"]) if self.bonus_character else 0)
        if self.characters == "double_threat":
            there &= ~int(tables["recruiters"])
        wanted = CHARACTER_IDS if self.character_pool is None else self.character_pool
        return tuple(name for number, name in enumerate(CHARACTER_IDS) if there >> number & 1 and name in wanted)

    @property
    def incident_ids(self) -> tuple[str, ...]:
        """The incidents in the game."""
        bits = int(compile_cards().tables[0]["incidents_in"][self.box])
        wanted = INCIDENT_IDS if self.incidents is None else self.incidents
        return tuple(name for number, name in enumerate(INCIDENT_IDS) if bits >> number & 1 and name in wanted)

    @property
    def cards(self) -> tuple[int, ...]:
        """The physical cards in the game, Lunatic cards included."""
        tables = compile_cards().tables[0]
        total = int(tables["cards_in"][self.box])
        if self.deck is None:
            return tuple(range(total))
        there = set(np.flatnonzero(tables["card_lunatic"][:total]).tolist())
        for name, copies in sorted(self._deck_pairs(), key=lambda pair: "/" not in pair[0]):  # a plain name takes what is left
            left = [card for card in self._copies(name) if card not in there]
            if len(left) < copies:
                raise ConfigError(f"deck: {copies} of {name} are more than the {len(left)} that the rest of the deck leaves in the box")
            there.update(left[:copies])
        return tuple(sorted(there))

    def _deck_pairs(self) -> tuple[tuple[str, int], ...]:
        assert isinstance(self.deck, tuple)
        return self.deck

    @property
    def box(self) -> int:
        """Which physical cards are in the game: BASE_BOX or BOTH_BOXES of the tables."""
        return BASE_BOX if self.expansion == "none" else BOTH_BOXES

    @property
    def _deal(self) -> tuple[int, int]:
        """Where the tables say from which pools roles are dealt."""
        return 2 * self.box + (BASIC_DEAL if self.roles == "basic" else ADVANCED_DEAL), self.num_players

    @property
    def roles_dealt(self) -> tuple[int, ...]:
        """How many roles are dealt from each pool, of Partners, Stage Bosses, Extra Bosses and Rivals; the Heroine's is in every game."""
        return tuple(compile_cards().tables[0]["dealt"][self._deal].tolist())

    @property
    def role_pools(self) -> tuple[tuple[int, tuple[int, ...]], ...]:
        """How many role cards are dealt from each pool, and its cards, by their numbers in `cards.box.ROLE_IDS`."""
        tables = compile_cards().tables[0]
        bits = int(self.settings()[setup.SET_CONFIG])
        pools = (tables["pool"][self._deal][which][:size].tolist() for which, size in enumerate(tables["pool_size"][self._deal]))
        there = (tuple(role for role in pool if queries.is_role_in(tables, bits, self.num_players, role)) for pool in pools)
        return tuple(zip(self.roles_dealt, there, strict=True))

    def settings(self) -> np.ndarray:
        """The row the engine's set-up reads: players, bits, turn cap, pool of characters, fixed characters + 1, fixed roles (int64)."""
        bits = st.ADVANCED_ROLES * (self.roles != "basic") | st.MIDBOSS_FROM_7 * (self.ex_midboss_from == 7)
        bits |= st.ASK_FORCED * self.ask_forced | st.ASK_EVERYONE * self.ask_everyone | st.ASK_SEASONS * self.ask_seasons
        bits |= (self.candidates - st.FEWEST_CANDIDATES) << st.CHOICE_SHIFT
        bits |= st.WITH_LUNATIC_EXTRA * (self.expansion == "lunatic_extra") | st.WITH_BONUS * self.bonus_character
        bits |= st.CHARACTERS_DRAFTED * (self.characters == "draft")
        bits |= st.CHARACTERS_CHOSEN * (self.characters in ("choose", "double_threat"))
        bits |= st.DOUBLE_THREAT * (self.characters == "double_threat") | st.CHARACTERS_RANDOM * (self.characters == "random")
        bits |= st.OWN_DECK * (self.deck is not None) | st.OWN_INCIDENTS * (self.incidents is not None)
        bits |= (self.life or 0) << st.LIFE_SHIFT | (self.hand or 0) << st.HAND_SHIFT
        row = np.zeros(setup.SETTINGS, np.int64)
        row[setup.SET_PLAYERS] = self.num_players
        row[setup.SET_CONFIG] = bits
        row[setup.SET_MAX_TURNS] = self.max_turns
        row[setup.SET_POOL] = sum(1 << CHARACTER_IDS.index(name) for name in self.character_pool or ())
        row[setup.SET_INCIDENTS] = sum(1 << INCIDENT_IDS.index(name) for name in self.incidents or ())
        if self.deck is not None:
            lunatic = compile_cards().tables[0]["card_lunatic"]
            for card in self.cards:
                row[setup.SET_DECK + card // st.HAND_WORD_BITS] |= 0 if lunatic[card] else 1 << card % st.HAND_WORD_BITS
        if not isinstance(self.characters, str):
            for seat, name in enumerate(self.characters):
                row[setup.SET_CHARACTERS + seat] = CHARACTER_IDS.index(name) + 1
        if not isinstance(self.roles, str):
            for seat, name in enumerate(self.roles):
                row[setup.SET_ROLES + seat] = ROLE_IDS.index(name)
        return row

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return super().to_dict() | {"deck": self.deck if self.deck is None else dict(self.deck)}

    @classmethod
    def named(cls, name: str, history: int = 0) -> GameConfig:
        """The table with this name, such as "Tiny-v0" (`named_tables`). Raises ConfigError for a name that no table has."""
        if not isinstance(name, str) or name not in NAMED_TABLES:
            raise ConfigError(f"there is no table {shown(name)}; the tables are {', '.join(NAMED_TABLES)}")
        return cls(**NAMED_TABLES[name], history=history)

    @property
    def table(self) -> str:
        """The name of such a table, however long the history that observations end with; empty where it has none."""
        return next((name for name in NAMED_TABLES if GameConfig.named(name, self.history) == self), "")

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> GameConfig:
        """The inverse of `to_dict`; or the table that `table` names, with a `history` if need be. Raises ConfigError on anything else."""
        if isinstance(data, Mapping) and TABLE_OF_ID in data:
            name, data = data[TABLE_OF_ID], {option: value for option, value in data.items() if option != TABLE_OF_ID}
            if data.get("table", name) != name:
                raise ConfigError(f"danmaku/{name} is the table {name}, not {shown(data['table'])}: leave table out")
            data["table"] = name
        if isinstance(data, Mapping) and "table" in data:
            if others := sorted(str(name) for name in data if name not in ("table", "history")):
                raise ConfigError(
                    f"{others[0]} is said beside the table {shown(data['table'])}, which has its own: leave one of the two out"
                )
            return cls.named(**{"name" if name == "table" else name: value for name, value in data.items()})
        return super().from_dict(data)


def no_such_character(config: GameConfig, name: object) -> str:
    """Why nobody can play this character in such a game."""
    if not isinstance(name, str) or name not in CHARACTER_IDS:
        return f"{shown(name)} is not a character; the characters are {', '.join(config.character_ids)}"
    tables, bit = compile_cards().tables[0], 1 << CHARACTER_IDS.index(name)
    if int(tables["bonus_characters"]) & bit:
        return f"{shown(name)} is the bonus character; play with GameConfig(bonus_character=True)"
    if config.character_pool is not None and name not in config.character_pool:
        return f"{shown(name)} is not in the character_pool"
    if config.characters == "double_threat" and int(tables["recruiters"]) & bit:
        return f"{shown(name)} recruits Extra Characters, and nobody who does is played in Double Threat"
    return f"{shown(name)} is a character of Lunatic Extra; {IN_BOTH_BOXES}"
