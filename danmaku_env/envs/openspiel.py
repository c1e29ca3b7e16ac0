"""OpenSpiel: the game as `pyspiel.load_game("python_danmaku", {"players": 6})`, once this module is imported.

A game begins with a chance node that draws one of `deals` seeds, from `seed` on (OpenSpiel's numbers have 32 bits); all else that is left
to chance follows from the seed, as in every other face of the game, so a history of actions is a whole game. Actions are those of
docs/actions.md, with seats relative to the player.
With `every_deal`, for tables that are small enough (`GameConfig(deck=...)`), the chance node lists every deal of roles and cards with its
probability, none missing, so that solvers and exact best responses see the whole game; `deck` is written "shoot/autumn=6,graze/autumn=3",
`incidents` by names with commas, "none" for no incidents. In names of games, where OpenSpiel reads commas and equal signs itself, write
"shoot/autumn:6;graze/autumn:3" and names with semicolons. Such a table must not shuffle different cards after the deal; if it does, a
ValueError says so.
Utilities are those of the game: +1 for each winner, -1 for the others, 0 where nobody wins.

`resample_from_infostate` deals everything that a player has not seen anew, so IS-MCTS searches without looking at hidden cards. A state
from it cannot be rebuilt from its history.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

try:
    import pyspiel
except ModuleNotFoundError as error:
    raise ModuleNotFoundError("OpenSpiel is not installed: pip install 'danmaku-env[openspiel]'", name=error.name) from None

from danmaku_env.arguments import shown
from danmaku_env.danmaku import DANMAKU_SPEC
from danmaku_env.decoding import decode
from danmaku_env.game import Game, IllegalAction, check_seed, every_deal, histories, resample

SHORT_NAME = "python_danmaku"
_LONGEST = 100_000
"""Answers that no game reaches; OpenSpiel wants a bound."""
_SEEDS = 1 << 62
_DIGEST = 16
"""Bytes that stand for what a player has seen."""

_GAME_TYPE = pyspiel.GameType(
    short_name=SHORT_NAME,
    long_name=DANMAKU_SPEC.title,
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.GENERAL_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=DANMAKU_SPEC.most_seats,
    min_num_players=DANMAKU_SPEC.fewest_seats,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={
        "players": 6, "seed": 0, "deals": 1000, "roles": "advanced", "expansion": "none", "characters": "choose", "candidates": 2,
        "bonus_character": False, "max_turns": 400, "deck": "", "incidents": "", "life": 0, "hand": 0, "every_deal": False,
    },
)  # fmt: skip
_OF_THE_GAME = ("roles", "expansion", "characters", "candidates", "bonus_character", "max_turns")
"""Parameters that are options of GameConfig by the same names."""
_SHUFFLED = (
    "cards were shuffled or drawn at random after the deal, an outcome of chance that is not listed: have more cards or fewer turns, "
    "or say every_deal=False"
)


class DanmakuGame(pyspiel.Game):  # type: ignore[misc]
    """The game with its parameters: those of GameConfig, and `deals` from `seed` on.

    Raises ConfigError for an invalid configuration, and ValueError for fewer than one deal or an invalid seed.
    """

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = {**_GAME_TYPE.parameter_specification, **(params or {})}
        self.first_seed, self.deals = check_seed(given["seed"]), int(given["deals"])
        self.config = DANMAKU_SPEC.config(
            num_players=given["players"], **_small_table(given), **{name: given[name] for name in _OF_THE_GAME}
        )
        if self.deals < 1:
            raise ValueError(f"deals must be at least 1, not {self.deals}")
        self.listed = every_deal(self.config) if given["every_deal"] else None
        """Seeds and probabilities of all deals, if they are listed."""
        if self.listed:
            self.deals = len(self.listed.seeds)
        super().__init__(
            _GAME_TYPE,
            pyspiel.GameInfo(
                num_distinct_actions=DANMAKU_SPEC.num_actions, max_chance_outcomes=self.deals, num_players=self.config.num_players,
                min_utility=-1.0, max_utility=1.0, max_game_length=_LONGEST,
            ),
            {**given, **{name: _in_a_name(given[name]) for name in ("deck", "incidents")}},
        )  # fmt: skip

    def __reduce__(self) -> tuple[Any, ...]:
        """What pickle and copy keep: the name and the parameters."""
        return pyspiel.load_game, (_GAME_TYPE.short_name, self.get_parameters())

    def new_initial_state(self) -> DanmakuState:
        """The chance node before the deal."""
        return DanmakuState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> DanmakuObserver | InformationStateObserver:
        """What writes observations: with perfect recall as a string, without as a tensor and a string.

        Raises ValueError for other types: what is public and what the player alone knows are one observation.
        """
        if params:
            raise ValueError(f"observers of {SHORT_NAME} have no parameters, such as {shown(next(iter(params)))}")
        wanted = pyspiel.IIGObservationType(perfect_recall=False) if iig_obs_type is None else iig_obs_type
        if not wanted.public_info or wanted.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            raise ValueError(
                f"observations of {SHORT_NAME} hold what is public and what one player knows besides: ask for public_info=True and "
                f"private_info=SINGLE_PLAYER, not public_info={bool(wanted.public_info)} and private_info={wanted.private_info.name}"
            )
        return InformationStateObserver() if wanted.perfect_recall else DanmakuObserver()


def _in_a_name(value: str) -> str:
    """A list of cards or incidents without what separates the parameters in the name of a game."""
    return value.replace(",", ";").replace("=", ":")


def _small_table(given: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a small table, written as parameters. Raises ValueError."""
    found: dict[str, Any] = {name: given[name] or None for name in ("life", "hand")}
    if given["incidents"]:
        found["incidents"] = () if given["incidents"] == "none" else tuple(_in_a_name(given["incidents"]).split(";"))
    if given["deck"]:
        pairs = [pair.partition(":") for pair in _in_a_name(given["deck"]).split(";")]
        if not all(sign and copies.isdecimal() for _, sign, copies in pairs):
            raise ValueError(f'deck is written like "shoot=12,graze=8", not {shown(given["deck"])}')
        found["deck"] = [(name, int(copies)) for name, _, copies in pairs]
    return found


class DanmakuState(pyspiel.State):  # type: ignore[misc]
    """A state: before the deal, or a `Game`, which is `state.table`."""

    def __init__(self, game: DanmakuGame) -> None:
        super().__init__(game)
        self.config = game.config
        self.first_seed, self.deals, self.listed = game.first_seed, game.deals, game.listed
        self.table: Game | None = None
        self._answered: list[list[int]] = [[] for _ in range(game.config.num_players)]

    # ---- whose move it is

    def current_player(self) -> int:
        """The seat that is asked."""
        if self.table is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.table.asking is None else self.table.asking

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The deals."""
        return list(enumerate(self.listed.chances.tolist() if self.listed else [1.0 / self.deals] * self.deals))

    def _legal_actions(self, player: int) -> list[int]:
        return self.table.legal_actions() if self.table is not None and self.table.asking == player else []

    def _apply_action(self, action: int) -> None:
        if self.table is None:
            if not 0 <= action < self.deals:
                raise IllegalAction(f"a deal is a whole number from 0 to {self.deals - 1}, not {action}")
            self.table = Game.new(self.config, int(self.listed.seeds[action]) if self.listed else self.first_seed + action)
            return
        asked, rng = self.table.asking, self.table.record["rng"].tolist()
        self.table.act(action)  # first: what it refuses has changed nothing
        if self.listed and not self.listed.alike and self.table.record["rng"].tolist() != rng:
            raise ValueError(_SHUFFLED)
        if asked is not None:
            self._answered[asked].append(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"deal {action}"
        return DANMAKU_SPEC.action_name(action, player, self.config.num_players)

    # ---- how it ends

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.table is not None and self.table.over

    def returns(self) -> list[float]:
        """What the game pays every seat."""
        return [0.0] * self.config.num_players if self.table is None else self.table.rewards()

    # ---- what a player knows

    def information_state_string(self, player: int | None = None) -> str:
        """The player's own answers, and a digest of all that it sees and of every event it remembers."""
        seat = self.current_player() if player is None else player
        if self.table is None:
            return f"{seat}: before the deal"
        seen = self.table.observe(seat).tobytes() + histories(self.table.records, np.array([seat]), len(self.table.record["log"])).tobytes()
        return f"{seat}: {self._answered[seat]} {hashlib.blake2b(seen, digest_size=_DIGEST).hexdigest()}"

    def observation_string(self, player: int | None = None) -> str:
        """What the player sees, in prose."""
        seat = self.current_player() if player is None else player
        return "Nothing is dealt." if self.table is None else self.table.describe(seat)

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> DanmakuState:
        """Another state that the player cannot tell from this one; `sampler` gives numbers from 0 to 1.

        Raises ValueError before the deal, when nobody knows anything.
        """
        if self.table is None:
            raise ValueError("nothing is dealt, so there is nothing to deal anew")
        other: DanmakuState = self.clone()
        other.table = resample(self.table, player, int(sampler() * _SEEDS))
        return other

    def __str__(self) -> str:
        return "before the deal" if self.table is None else self.table.describe(None)


class DanmakuObserver:
    """Writes the observation row of docs/observation.md as a tensor, with its fields by name in `dict`."""

    def __init__(self) -> None:
        self.tensor = np.zeros(DANMAKU_SPEC.row_size, np.float32)
        self.dict = decode(self.tensor)

    def set_from(self, state: DanmakuState, player: int) -> None:
        """Write what a player sees of a state."""
        self.tensor[:] = 0 if state.table is None else state.table.observe(player)

    def string_from(self, state: DanmakuState, player: int) -> str:
        """What a player sees of a state, in prose."""
        return state.observation_string(player)


class InformationStateObserver:
    """With perfect recall: the information state as a string. It has no tensor (`tensor` is None, as OpenSpiel has it)."""

    def __init__(self) -> None:
        self.tensor: Any = None
        self.dict: dict[str, Any] = {}

    def set_from(self, state: DanmakuState, player: int) -> None:
        """Nothing to write."""

    def string_from(self, state: DanmakuState, player: int) -> str:
        """The player's own answers, and a digest of all that it has seen."""
        return state.information_state_string(player)


pyspiel.register_game(_GAME_TYPE, DanmakuGame)
