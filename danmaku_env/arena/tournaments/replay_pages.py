"""Games of a tournament to look at: any of them by name, and some as pages: one deal with the agents rotated through the seats."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from danmaku_env.arena.jobs.folder import read_spec
from danmaku_env.arena.matches.match import Result
from danmaku_env.arena.tournaments.plan import Plan
from danmaku_env.arena.tournaments.record import SHOWN_DEAL, kept_game
from danmaku_env.console.errors import UserError
from danmaku_env.game import Replay, ReplayError, rules_fingerprint, warn_of_unknown_rules, write_atomically
from danmaku_env.play.recording import Recording
from danmaku_env.play.replay_page import belief_models_of, replay_html

FOLDER = "replays"
_DIGITS = 9


@dataclass(frozen=True)
class ReplayPage:
    """A game that can be looked at."""

    players: int
    rotation: int
    replay: Replay
    winners: tuple[int, ...]
    """Agents in the seats that won."""

    @property
    def path(self) -> str:
        """Where its page is, from the folder of the tournament."""
        return f"{FOLDER}/{self.players}-players-game-{self.rotation}.html"


def replay_pages(plan: Plan, results: Iterable[Result], most: int) -> list[ReplayPage]:
    """The pages there can be, at most this many for each table size: of the first deal, in the order of their rotations."""
    first = (result for result in results if result.answers and result.key[1] == SHOWN_DEAL and result.key[2] < most)
    return [_page(plan, result) for result in sorted(first, key=lambda result: result.key)]


def _page(plan: Plan, result: Result) -> ReplayPage:
    players, deal, rotation = result.key
    seats = plan.jobs(players, deal)[rotation].seats
    winners = tuple(dict.fromkeys(agent for agent, reward in zip(seats, result.rewards, strict=True) if reward > 0))
    return ReplayPage(players, rotation, replay(plan, result, rules_fingerprint()), winners)


def replay(plan: Plan, result: Result, rules: str | None) -> Replay:
    """A finished game, to be played again by the rules that made it; who won it is known where no agent failed."""
    players, deal, rotation = result.key
    job = plan.jobs(players, deal)[rotation]
    winners = None if result.faults else tuple(seat for seat, reward in enumerate(result.rewards) if reward > 0)
    names = tuple(plan.labels[agent] for agent in job.seats)
    return Replay(plan.config(players), job.seed, result.answers, names, rules=rules, winners=winners)


def replay_by_name(folder: Path, name: str) -> Replay:
    """The game `players/deal/rotation` of the tournament in a folder. Raises UserError where there is none.

    Warns (RulesWarning) where neither the game nor the plan names the rules that made it.
    """
    plan, _ = read_spec(Plan, folder)
    numbers = name.split("/")
    key = tuple(int(number) for number in numbers if number.isascii() and number.isdecimal() and len(number) <= _DIGITS)
    last = (plan.deals - 1, plan.rotations - 1)
    if len(numbers) != 3 or len(key) != 3 or key[0] not in plan.players or not (key[1] <= last[0] and key[2] <= last[1]):
        first = f"{plan.players[0]}/0/0"
        sizes = ", ".join(map(str, plan.players))
        raise UserError(
            f"{folder} has no game {name!r}: a game is called players/deal/game, such as {first}, "
            f"with {sizes} players, deals 0 to {last[0]} and games 0 to {last[1]}"
        )
    plan, result, rules = kept_game(folder, key)
    if rules is None:
        warn_of_unknown_rules(f"the tournament in {folder}")
    try:
        return replay(plan, result, rules)
    except ReplayError as error:
        raise UserError(f"the game {name} in {folder} cannot be played again: {error}") from None


def write_replay_pages(found: Iterable[ReplayPage], folder: Path) -> None:
    """Write each page, and its replay beside it. Raises OSError."""
    belief_models = belief_models_of(None)
    for there in found:
        page = folder / there.path
        page.parent.mkdir(exist_ok=True)
        there.replay.save(page.with_suffix(".json"))
        write_atomically(page, replay_html(Recording.of_replay(there.replay), belief_models).encode())
