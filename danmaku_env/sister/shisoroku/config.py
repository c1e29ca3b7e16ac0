"""`ShisorokuConfig`: how a game of Shisouroku is set up."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from danmaku_env.arguments import ConfigError, GameOptions, sequence, shown
from danmaku_env.sister.shisoroku.cards import box
from danmaku_env.sister.shisoroku.cards.words import KINGDOM_CARDS
from danmaku_env.sister.shisoroku.engine import procedures
from danmaku_env.sister.shisoroku.engine import state as st
from danmaku_env.sister.shisoroku.engine.observation import HISTORY_COLUMNS, OBSERVATION_SIZE

Start = Literal["shrine", "chirei"]
"""Which starting deck everybody has (S-5)."""
STARTS: tuple[Start, ...] = get_args(Start)
KINGDOM_WORDS = ("first", "random")


def no_such_card(name: object) -> str:
    """Why a kingdom cannot have this card, with the nearest that there is."""
    if isinstance(name, str) and name in box.NUMBERS:
        kind = box.CARDS[box.NUMBERS[name]].kind
        return f"{name!r} is a {kind} card; a kingdom is of kingdom cards"
    near = difflib.get_close_matches(name, box.KINGDOM_IDS, 1) if isinstance(name, str) else []
    return f"{shown(name)} is not a kingdom card; {f'do you mean {near[0]!r}?' if near else 'they are called like eosd-01'}"


@dataclass(frozen=True, kw_only=True)
class ShisorokuConfig(GameOptions):
    """A validated set-up. Raises ConfigError for a value that cannot be (a name that no option has is Python's own TypeError)."""

    _of_game = " of Shisouroku"

    num_players: int = 2
    """Seats at the table, 2 to 4."""
    kingdom: str | Sequence[str] = "first"
    """The ten kingdom cards: "first" (S-8), "random" from the sets, or ten ids; of more than ten, each game draws ten. In box order."""
    sets: Sequence[str] = ("eosd",)
    """Sets a random kingdom is drawn from: eosd, pcb, in, mof, sa, sp."""
    start: Start = "shrine"
    """Starting decks: 7 Coin and 3 1-VP, or 7 Coin and the three chirei cards."""
    optional_cards: bool = False
    """With the Talisman and the 10-VP card (S-4)."""
    max_turns: int = 200
    """The game is truncated, without winners, when a turn beyond this would start, of all seats together; 1 to 32767."""
    ask_order: bool = False
    """Ask which card lies on top of a discard pile where its owner may say; otherwise the lowest slot of a hand, the last in play (T-7)."""
    ask_forced: bool = False
    """Ask also when only one answer is legal; otherwise the engine takes it."""
    ask_everyone: bool = False
    """When an attack is played, come also to the seats that can only pass. The engine still passes for them unless `ask_forced` is set: set
    both to hide who could have reacted."""
    history: int = 0
    """Events that every observation ends with, the newest first; 0 to 1024."""

    @property
    def observation_size(self) -> int:
        """Bytes of an observation row, history included."""
        return OBSERVATION_SIZE + len(HISTORY_COLUMNS) * self.history

    def __post_init__(self) -> None:
        self._check_number("num_players", st.FEWEST_SEATS, st.SEATS)
        self._check_number("history", 0, st.LOG_ROWS)
        self._check_number("max_turns", 1, 32767)
        self._check_truths("optional_cards", "ask_order", "ask_forced", "ask_everyone")
        self._check_word("start", STARTS)
        self._check_sets()
        self._check_kingdom()

    def _check_sets(self) -> None:
        names = (self.sets,) if isinstance(self.sets, str) else sequence(self.sets)
        if not names:
            raise ConfigError(f"sets must be some of {', '.join(box.SETS)}, not {shown(self.sets)}")
        for name in names:
            if not isinstance(name, str) or name not in box.SETS:
                raise ConfigError(f"{shown(name)} is not a set; the sets are {', '.join(box.SETS)}")
            if names.count(name) > 1:
                raise ConfigError(f"sets names {name} twice")
        object.__setattr__(self, "sets", tuple(sorted(names, key=lambda name: box.SETS.index(str(name)))))

    def _check_kingdom(self) -> None:
        if isinstance(self.kingdom, str) and self.kingdom in KINGDOM_WORDS:
            return
        names = sequence(self.kingdom)
        if names is None:
            raise ConfigError(f'kingdom must be "first", "random" or ten ids like "eosd-01" or more, not {shown(self.kingdom)}')
        for name in names:
            if not isinstance(name, str) or name not in box.KINGDOM_IDS:
                raise ConfigError(f"kingdom: {no_such_card(name)}")
            if names.count(name) > 1:
                raise ConfigError(f"kingdom names {name} twice; its cards differ")
        if len(names) < KINGDOM_CARDS:
            raise ConfigError(
                f"kingdom names {len(names)} cards; {KINGDOM_CARDS} are needed, or more, of which each game draws {KINGDOM_CARDS}"
            )
        object.__setattr__(self, "kingdom", tuple(sorted(names, key=lambda name: box.NUMBERS[str(name)])))

    @property
    def pool(self) -> tuple[str, ...]:
        """The cards that a kingdom is drawn from, in box order; ten are the kingdom."""
        if self.kingdom == "random":
            return tuple(name for name in box.KINGDOM_IDS if box.CARDS[box.NUMBERS[name]].set in self.sets)
        return box.FIRST_KINGDOM if self.kingdom == "first" else tuple(self.kingdom)

    @property
    def kingdom_ids(self) -> tuple[str, ...] | None:
        """The kingdom in box order; None where each game draws its own."""
        return self.pool if len(self.pool) == KINGDOM_CARDS else None

    def settings(self) -> npt.NDArray[np.int64]:
        """The row the engine's set-up reads."""
        row = np.zeros(procedures.SETTINGS, np.int64)
        bits = st.ASK_FORCED * self.ask_forced | st.ASK_EVERYONE * self.ask_everyone | st.ASK_ORDER * self.ask_order
        bits |= st.CHIREI_START * (self.start == "chirei") | st.OPTIONAL_CARDS * self.optional_cards
        row[procedures.SET_PLAYERS], row[procedures.SET_CONFIG], row[procedures.SET_MAX_TURNS] = self.num_players, bits, self.max_turns
        row[procedures.SET_POOL] = len(self.pool)
        row[procedures.SET_CARDS : procedures.SET_CARDS + len(self.pool)] = [box.NUMBERS[name] + 1 for name in self.pool]
        return row
