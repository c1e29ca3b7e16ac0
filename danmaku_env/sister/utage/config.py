"""`UtageConfig` and `Deck`: how a game of Gensou no Utage is set up."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from danmaku_env.arguments import ConfigError, GameOptions, printable, sequence, shown, whole_number
from danmaku_env.files import open_file
from danmaku_env.sister.utage.cards import box
from danmaku_env.sister.utage.cards import words as w
from danmaku_env.sister.utage.engine import state as st
from danmaku_env.sister.utage.engine import turn
from danmaku_env.sister.utage.engine.observation import HISTORY_COLUMNS, OBSERVATION_SIZE

RANDOM = "random"
_MOST_DECKS = 62
_MOST_BYTES = 1 << 16
"""Of a file with a deck."""
_NAMES = {card.name: card.id for card in box.CARDS} | {card.name_ja: card.id for card in box.CARDS}


def no_such_card(name: object) -> str:
    """Why a deck cannot have this card, with the nearest that there is."""
    if not isinstance(name, str):
        return f"{shown(name)} is no id of a card; they are called like 0101"
    if name in box.LEADER_IDS or _NAMES.get(name) in box.LEADER_IDS or name in w.CHARACTERS:
        return f"{name!r} is a character; characters are no part of the deck, say it in the team"
    if len(name) == 4 and name.isdecimal():
        near = difflib.get_close_matches(name, box.PLAYABLE_IDS, 1)
        hint = f"; do you mean {near[0]!r}?" if near else ""
        return f"{name!r} is no card of volume 1 (cards of a later volume are not here){hint}"
    near = difflib.get_close_matches(name, [*_NAMES, *box.PLAYABLE_IDS], 1)
    return f"{name!r} is no card of volume 1{f'; do you mean {near[0]!r} ({_NAMES.get(near[0], near[0])})?' if near else ''}"


@dataclass(frozen=True)
class Deck:
    """A team and 40 cards (S-1, S-2), validated; nothing in it can be changed. Raises ConfigError on anything else."""

    team: Mapping[str, int]
    """Character -> how many of its cards; four in all."""
    cards: Mapping[str, int]
    """Id of a card -> copies; forty in all. English or Japanese names are taken too."""
    name: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.name, str):
            raise ConfigError(f"the name of a deck is a text, not {shown(self.name)}")
        object.__setattr__(self, "team", MappingProxyType(_checked(self.team, "team", self._character)))
        object.__setattr__(self, "cards", MappingProxyType(_checked(self.cards, "cards", self._card)))
        if (total := sum(self.team.values())) != w.TEAM:
            raise ConfigError(f"a team has {w.TEAM} characters, not {shown(total)}")
        for card, copies in self.cards.items():
            if copies > w.MOST_COPIES:
                raise ConfigError(f"the deck has {shown(copies)} of {card}; at most {w.MOST_COPIES} of one name are allowed")
        if (total := sum(self.cards.values())) != w.DECK_SIZE:
            raise ConfigError(f"a deck has exactly {w.DECK_SIZE} cards besides the characters, not {total}")

    @staticmethod
    def _character(name: object) -> str:
        for character, card in zip(w.CHARACTERS, box.LEADER_IDS, strict=True):
            if name in (character, card, box.CARDS[box.NUMBERS[card]].name, box.CARDS[box.NUMBERS[card]].name_ja):
                return character
        near = difflib.get_close_matches(name, w.CHARACTERS, 1) if isinstance(name, str) else []
        hint = f"; do you mean {near[0]!r}?" if near else f"; they are {', '.join(w.CHARACTERS)}"
        raise ConfigError(f"team: {shown(name)} is no character of volume 1{hint}")

    @staticmethod
    def _card(name: object) -> str:
        found = name if name in box.PLAYABLE_IDS else _NAMES.get(name, "") if isinstance(name, str) else ""
        if found not in box.PLAYABLE_IDS:
            raise ConfigError(f"cards: {no_such_card(name)}")
        return str(found)

    @classmethod
    def of(cls, deck: object) -> Deck:
        """A deck by its name (`reimu4`), by the Path of the file it lies in, or from a mapping {"team": ..., "cards": ...}.

        A text is never the name of a file: what is read from a replay cannot have another file opened. Raises ConfigError.
        """
        if isinstance(deck, Deck):
            return deck
        if isinstance(deck, str) and deck in STANDARD:
            return STANDARD[deck]
        if isinstance(deck, Path):
            return cls.read(deck)
        if isinstance(deck, Mapping):
            for name in deck:
                if name not in ("team", "cards", "name"):
                    raise ConfigError(f"a deck has a team and cards, and may have a name; it has no {shown(name)}")
            if "team" not in deck or "cards" not in deck:
                raise ConfigError(f"a deck has a team and cards; {'team' if 'team' not in deck else 'cards'} is missing")
            return cls(deck["team"], deck["cards"], deck.get("name", ""))
        near = difflib.get_close_matches(deck, STANDARD, 1) if isinstance(deck, str) else []
        hint = f"do you mean {near[0]!r}?" if near else f"the decks are {', '.join(STANDARD)}, and a file is named by a Path"
        raise ConfigError(f"{shown(deck)} is no deck; {hint}")

    @classmethod
    def read(cls, path: Path) -> Deck:
        """A deck from a TOML file with a `team` and `cards`. Raises ConfigError with the file's name."""
        try:
            return cls.of(_toml(path))
        except OSError as error:
            raise ConfigError(f"{printable(str(path))}: {error.strerror}") from None
        except ConfigError as error:
            raise ConfigError(f"{printable(str(path))}: {error}") from None

    def warnings(self) -> list[str]:
        """What is allowed and of no use: cards whose requirement this team can never meet (S-2)."""
        found = []
        for name in self.cards:
            needs = box.CARDS[box.NUMBERS[name]].requirement
            if lacking := [f"{character} {level}" for character, level in needs.items() if self.team.get(character, 0) < level]:
                found.append(f"{name} can never be played: it requires {' and '.join(lacking)}")
        return found

    def row(self) -> list[int]:
        """The numbers of the settings: the team, then the card (plus one) and the copies of each slot, in box order."""
        team = [box.CHARACTERS[name] for name, number in self.team.items() for _ in range(number)]
        cards = [number for name, copies in self.cards.items() for number in (box.NUMBERS[name] + 1, copies)]
        return [*team, *cards, *[0] * (turn.DECK_ROOM - w.TEAM - len(cards))]

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {"team": dict(self.team), "cards": dict(self.cards), **({"name": self.name} if self.name else {})}

    def __hash__(self) -> int:
        return hash((tuple(self.team.items()), tuple(self.cards.items())))

    def __reduce__(self) -> tuple[type[Deck], tuple[dict[str, int], dict[str, int], str]]:
        """How it is copied and pickled, as its mappings cannot be."""
        return Deck, (dict(self.team), dict(self.cards), self.name)


def _toml(path: Path) -> dict[str, Any]:
    """What a TOML file holds. Raises OSError, and ConfigError for a file of another kind."""
    with open_file(path) as file:
        data = file.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise ConfigError(f"it is longer than {_MOST_BYTES >> 10} KiB, so it is no deck")
    try:
        return tomllib.loads(data.decode("utf-8"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"it is no TOML: {error}") from None
    except (ValueError, RecursionError):
        raise ConfigError("it is no deck: something in it is nested too deeply, or a number in it has too many digits") from None


def _checked(counts: object, what: str, named: Any) -> dict[str, int]:
    """Names with numbers, in the order of the box."""
    if not isinstance(counts, Mapping):
        listed = sequence(counts)
        if listed is None:
            raise ConfigError(f"{what} must be names with numbers, like {{'Reimu': 4}}, not {shown(counts)}")
        counts = {name: list(listed).count(name) for name in listed}
    found: dict[str, int] = {}
    for name, number in counts.items():
        whole = whole_number(number)
        if whole is None or whole < 1:
            raise ConfigError(f"{what}: {shown(name)} must be there once or more often, not {shown(number)}")
        known = named(name)
        found[known] = found.get(known, 0) + whole
    order = box.CHARACTERS if what == "team" else box.NUMBERS
    return dict(sorted(found.items(), key=lambda item: order[item[0]]))


STANDARD: dict[str, Deck] = {name: Deck(team, cards, name) for name, (_, team, cards) in box.DECKS.items()}
"""Our three decks (S-8)."""


@dataclass(frozen=True, kw_only=True)
class UtageConfig(GameOptions):
    """A validated set-up. Raises ConfigError for a value that cannot be (a name that no option has is Python's own TypeError)."""

    _of_game = " of Gensou no Utage"

    decks: Any = ("reimu4", "marisa4")
    """The decks of both seats: names, mappings {"team": ..., "cards": ...}, Paths of files or `Deck`s; or "random": each game draws one of
    the three for each seat."""
    open_lists: bool = True
    """Whether each seat knows the other's deck list (H-3)."""
    possible: Any = ()
    """Decks that a seat takes the other's to be among, where lists are closed; those of the game always are. None named: our three."""
    max_turns: int = 120
    """The game is truncated, without a winner, when a turn beyond this would start; 1 to 32767."""
    ask_forced: bool = False
    """Ask also when only one answer is legal; otherwise the engine takes it."""
    ask_everyone: bool = False
    """Where both sides may use something in turn, come also to a side that can only pass. The engine still passes for it unless
    `ask_forced` is set: set both to hide who could have used something."""
    history: int = 0
    """Events that every observation ends with, the newest first; 0 to 512."""

    @property
    def num_players(self) -> int:
        """Two."""
        return st.SEATS

    @property
    def observation_size(self) -> int:
        """Bytes of an observation row, history included."""
        return OBSERVATION_SIZE + len(HISTORY_COLUMNS) * self.history

    def __post_init__(self) -> None:
        self._check_number("history", 0, st.LOG_ROWS)
        self._check_number("max_turns", 1, 32767)
        self._check_truths("open_lists", "ask_forced", "ask_everyone")
        if not isinstance(self.decks, str) or self.decks != RANDOM:
            pair = sequence(self.decks)
            if pair is None or len(pair) != st.SEATS:
                raise ConfigError(f'decks must be "random" or two decks, one for each seat, not {shown(self.decks)}')
            object.__setattr__(self, "decks", tuple(self._deck(deck, f"deck of seat {seat}") for seat, deck in enumerate(pair)))
        listed = sequence(self.possible)
        if listed is None:
            raise ConfigError(f"possible must be a list of decks, not {shown(self.possible)}")
        object.__setattr__(self, "possible", tuple(self._deck(deck, "possible") for deck in listed))
        if len(self._all_decks()) > _MOST_DECKS:
            raise ConfigError(f"possible names more than {_MOST_DECKS - st.SEATS} decks")

    @staticmethod
    def _deck(deck: object, what: str) -> Deck:
        try:
            return Deck.of(deck)
        except ConfigError as error:
            raise ConfigError(f"{what}: {error}") from None

    def _all_decks(self) -> list[Deck]:
        """The decks of the settings: those that are drawn or thought possible, and those of the game; each once."""
        own = list(STANDARD.values()) if self.decks == RANDOM else [*self.decks]
        more = [] if self.open_lists else [*(self.possible or STANDARD.values())]
        found: list[Deck] = []
        for deck in (*own, *more):
            if deck.row() not in [other.row() for other in found]:
                found.append(deck)
        return found

    def settings(self) -> npt.NDArray[np.int64]:
        """The row the engine's set-up reads."""
        decks = self._all_decks()
        rows = [deck.row() for deck in decks]
        chosen = (-1, -1) if self.decks == RANDOM else tuple(rows.index(deck.row()) for deck in self.decks)
        bits = self.ask_forced * st.ASK_FORCED | self.ask_everyone * st.ASK_EVERYONE | self.open_lists * st.OPEN_LISTS
        drawn = len(STANDARD) if self.decks == RANDOM else len(decks)
        head = [bits, self.max_turns, drawn, *chosen]
        return np.array([*head, *(number for row in rows for number in row)], np.int64)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        data = {field.name: getattr(self, field.name) for field in fields(self)}
        data["decks"] = self.decks if self.decks == RANDOM else [_plain(deck) for deck in self.decks]
        data["possible"] = [_plain(deck) for deck in self.possible]
        return data

    @classmethod
    def of(cls, config: UtageConfig | int | None, options: dict[str, Any]) -> UtageConfig:
        """The arguments of an entry point: a configuration, the number of players, or neither, and options by name. Raises ConfigError."""
        if isinstance(config, cls):
            return super().of(config, options)
        options = dict(options)
        players = options.pop("num_players", config)
        if players is not None and whole_number(players) != st.SEATS:
            raise ConfigError(f"Gensou no Utage is a game of {st.SEATS} seats, not {shown(players)}")
        return cls.from_dict(options)


def _plain(deck: Deck) -> str | dict[str, Any]:
    return deck.name if STANDARD.get(deck.name) == deck else deck.to_dict()
