"""How fair the game is: win rates by role, by player count and by character, under random play and with one agent in every seat.

`python -m danmaku_env.training.balance --agent neural` writes docs/balance.md and docs/balance.png. Both policies play the same
deals (the same game seeds), and wins count for the role and the character a seat was dealt at the start, whatever becomes of it later.
"""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from rich.console import Console

from danmaku_env import Game, GameConfig, estimates, make_vec
from danmaku_env.agents import registry
from danmaku_env.arena import rollout
from danmaku_env.arena.fingerprints import OF_RUNS, versions
from danmaku_env.arena.jobs.parts import PART, PartedSpec
from danmaku_env.arena.jobs.ray_tasks import Workers
from danmaku_env.arena.jobs.temporary import temporary_job
from danmaku_env.arena.reports.plots import Dots, Span, draw_dots, plot, png
from danmaku_env.arena.reports.style import COLORS
from danmaku_env.arena.reports.tables import Column, Row, Table
from danmaku_env.arguments import printable
from danmaku_env.beliefs.factions import FACTIONS, dealt_factions
from danmaku_env.cards.box import CHARACTER_IDS, NUM_BASE_CHARACTERS, ROLE_IDS
from danmaku_env.cards.tables import PLAYERS
from danmaku_env.config import Expansion
from danmaku_env.console import options
from danmaku_env.console.options import DEALT_AT_RANDOM
from danmaku_env.console.terminal import Terminal
from danmaku_env.game import check_folder, check_seed, write_atomically
from danmaku_env.machine.records import Array
from danmaku_env.spec import spec_of
from danmaku_env.wording import CHARACTER_NAMES, ROLE_NAMES

ENOUGH = 500
"""Seats a character needs for its win rate to say something; the page says so where there are fewer."""
_ROWS = 256
"""Games side by side; each row plays the same number of games to the end, so short games do not count more."""
_CONFIDENCE = 0.95


@dataclass(frozen=True, kw_only=True)
class BalanceArgs:
    """What the page depends on. Raises ValueError on numbers that make no sense."""

    agent: str = ""
    """The agent in all seats, by name as in tournaments: neural, deducer, neural:runs/ppo ...; without one, only random play."""
    games: int = 2048
    """Games for each policy and player count, rounded up to full batches."""
    seed: int = 7
    """Seed of the deals and of all draws."""
    out: Path = Path("docs")
    """Folder for balance.md and balance.png; of the expansion balance_lunatic_extra.md and .png."""
    table: GameConfig = field(default=GameConfig(), metadata=options.flags("expansion"))
    """The games that are played, at every number of players."""
    processes: int = 0
    """Processes that play, or with Ray tasks at a time; 0 = one for each core. The figures do not depend on it."""
    ray: bool = False
    """Play as tasks of Ray, here or on a cluster, instead of in processes."""
    address: str = ""
    """With --ray: a running cluster (host:port, or auto)."""

    @property
    def name(self) -> str:
        """Of the files."""
        return "balance" if self.table.expansion == "none" else f"balance_{self.table.expansion}"

    def __post_init__(self) -> None:
        options.check_types(self)
        object.__setattr__(self, "seed", check_seed(self.seed))
        options.check_counts(self, "games", most={"games": options.MOST_GAMES})
        options.check_counts(self, "processes", least=0, most={"processes": 1 << 10})
        self.workers()

    def workers(self) -> Workers:
        """Who plays. Raises UserError."""
        return Workers(self.processes or None, self.ray, self.address)

    def command(self) -> str:
        """The command that makes the page again."""
        command = f"python -m danmaku_env.training.balance{f' --agent {shlex.quote(self.agent)}' if self.agent else ''}"
        command += f" --games {self.games} --seed {self.seed}"
        return command + ("" if self.table.expansion == "none" else f" --expansion {self.table.expansion}")


@dataclass(frozen=True, kw_only=True)
class BalanceGames(PartedSpec):
    """The games that a page is made of: a part for each policy and number of players, those that take longest first."""

    agent: str
    table: GameConfig = DEALT_AT_RANDOM

    OPTIONS = ("expansion",)
    DEFAULT_TABLE = DEALT_AT_RANDOM
    KEY, NEEDED, CALLED, FOLDER_PHRASES = "balance", "agent", "job of a balance page", ("games", "are no games", "other games")
    FILE, MARK, FOLDER, RESULTS = "balance.json", "danmaku_balance", Path("runs/balance"), (f"*/{PART}*",)

    @property
    def pairs(self) -> list[tuple[str, int]]:
        """Agent ("" for random answers) and number of players of each part."""
        return [(agent, players) for agent in dict.fromkeys((self.agent, "")) for players in reversed(PLAYERS)]

    @property
    def parts(self) -> int:
        """See PartedSpec."""
        return len(self.pairs)

    def games_of(self, part: int) -> range:
        """See PartedSpec; rounded up to full batches."""
        rows = min(_ROWS, self.games)
        each = rows * -(-self.games // rows)
        return range(part * each, (part + 1) * each)


class PlayedGames(NamedTuple):
    """Games of one policy at one table size."""

    roles: Array
    """[G, 8] the role each seat was dealt, 0 where nobody sits."""
    factions: Array
    """[G, 8] the faction bit of that role."""
    characters: Array
    """[G, 8] the character each seat was dealt, plus one."""
    won: Array
    """[G, 8] whether the seat won."""
    decisions: Array
    """[G] answers given."""
    turns: Array
    """[G] the turn in which the game ended."""
    drawn: Array
    """[G] whether it ended without winners by the rules."""
    truncated: Array
    """[G] whether it was cut off at the turn cap."""


_OF_SEATS, _OF_GAMES = PlayedGames._fields[:4], PlayedGames._fields[4:]
"""Those of [G, 8], and those of [G]."""


class PolicyGames(NamedTuple):
    """What plays all seats, and its games by number of players."""

    name: str
    games: dict[int, PlayedGames]


class Rate(NamedTuple):
    """A share from 0 to 1 and its 95% interval."""

    number: int
    share: float
    low: float
    high: float

    def percent(self) -> Span:
        """The share and its interval in percent."""
        return Span(*(100 * part for part in self[1:]))

    def __str__(self) -> str:
        return f"{100 * self.share:.1f} ({100 * self.low:.1f}–{100 * self.high:.1f})" if self.number else "–"


def wilson(share: float, number: int) -> Rate:
    """The 95% Wilson interval of a share seen in this many independent draws."""
    if not number:
        return Rate(0, math.nan, math.nan, math.nan)
    return Rate(number, share, *estimates.wilson(share, number, _CONFIDENCE))


# ---------------------------------------------------------------- playing


def play(agent: str, players: int, *, games: int, seed: int, expansion: Expansion = "none") -> PlayedGames:
    """Whole games with an agent in every seat, or random answers without one; characters are dealt at random.

    Raises AgentError where nobody has that name, AnswerError where the agent does not answer.
    """
    *_, played = _play(agent, players, games, seed, expansion)
    assert isinstance(played, PlayedGames)
    return played


def _play(agent: str, players: int, games: int, seed: int, expansion: Expansion) -> Iterator[int | PlayedGames]:
    """How many games have ended, after every step; at last the games."""
    player = registry.make(agent, seed) if agent else None
    config = GameConfig(num_players=players, characters="random", expansion=expansion)
    rows = min(_ROWS, games)
    rounds = -(-games // rows)
    vec = make_vec(rows, config)
    vec.reset(seed)
    episodes = rollout.Episodes(vec, rounds * rows, each=rounds)
    kept: dict[str, Array] = {name: np.zeros((rounds * rows, 8), np.int64) for name in _OF_SEATS}
    kept |= {name: np.zeros(rounds * rows, np.int64) for name in _OF_GAMES}
    before = vec.records()

    def begin(fresh: Array) -> None:
        for name, column in (("roles", "role"), ("factions", "role"), ("characters", "character")):
            dealt = vec.games[column][fresh]
            kept[name][episodes.game[fresh]] = dealt_factions(dealt) if name == "factions" else dealt

    def answer(playing: Array) -> Array:
        before[:] = vec.records()
        return rollout.ask(vec, [player], np.zeros(rows, np.int64), playing) if player else vec.sample()

    begin(np.arange(rows))
    for step in rollout.play(vec, episodes, answer):
        kept["won"][step.over] = step.rewards > 0
        kept["decisions"][step.over] = before["decisions"][step.ended] + 1
        kept["turns"][step.over] = before["turn_number"][step.ended]
        for place in np.flatnonzero(~step.rewards.any(1)):  # nobody won: the last answer once more, to see why
            row = step.ended[place]
            kept[_why(before[row : row + 1], int(step.answers[row]), config)][step.over[place]] = 1
        begin(step.begun)
        yield len(step.ended)
    vec.close()
    yield PlayedGames(**kept)


def _why(record: Array, answer: int, config: GameConfig) -> str:
    """Why a game ends without winners at this answer: `drawn` or `truncated`."""
    game = Game.from_trusted_record(record.copy(), config)
    game.act(answer)
    return "drawn" if game.outcome == "draw" else "truncated"


def _part(spec: BalanceGames, part: int) -> Iterator[int | dict[str, Array]]:
    """What workers do: play a part of the games."""
    for told in _play(*spec.pairs[part], spec.games, spec.seed, spec.table.expansion):
        yield told._asdict() if isinstance(told, PlayedGames) else told


def measure(args: BalanceArgs, console: Console | None = None) -> list[PolicyGames]:
    """Play all games of both policies, or those that an interrupted command has left. Raises AnswerError or WorkerLostError."""
    table = GameConfig(characters="random", expansion=args.table.expansion)
    spec = BalanceGames(agent=args.agent, table=table, games=args.games, seed=args.seed)
    agents = [args.agent] if args.agent else []
    spec_of(table).entries.compile_once()
    policies = [PolicyGames("random", {}), *([PolicyGames("bot", {})] if args.agent else [])]
    again = " ".join([args.command(), *args.workers().words()])
    with temporary_job(spec, _part, agents, args.workers(), console or Terminal(stderr=True), again) as parts:
        for (agent, players), arrays in reversed([*zip(spec.pairs, parts, strict=True)]):
            policies[agent != ""].games[players] = PlayedGames(**arrays)
    return policies


# ---------------------------------------------------------------- counting


def _rate(won: Array, seats: Array) -> Rate:
    """[G, 8] wins and the seats concerned -> their win rate. Seats of one game mostly win together: a game counts as one draw."""
    in_game = seats.any(1)
    if not in_game.any():
        return wilson(0.0, 0)
    shares = (won.astype(bool) & seats)[in_game].sum(1) / seats[in_game].sum(1)
    return wilson(float(shares.mean()), int(in_game.sum()))


def faction_rate(policy: PolicyGames, faction: str, players: int) -> Rate:
    """Win rate of a faction at a table size; of number 0 where there is none."""
    games = policy.games.get(players)
    return _rate(games.won, games.factions == FACTIONS[faction]) if games else wilson(0.0, 0)


def role_rate(policy: PolicyGames, role: int) -> Rate:
    """Win rate of those dealt a role card, over all table sizes."""
    return _rate(_together(policy, "won"), _together(policy, "roles") == role)


def character_rate(policy: PolicyGames, character: int) -> Rate:
    """Win rate of a character, over all table sizes; each is in a game at most once, so this is a plain count of seats."""
    return _rate(_together(policy, "won"), _together(policy, "characters") == character + 1)


def mean_rate(policy: PolicyGames) -> float:
    """Share of all seats that won."""
    return float(_together(policy, "won").sum() / (_together(policy, "roles") > 0).sum())


def _together(policy: PolicyGames, name: str) -> Array:
    together: Array = np.concatenate([getattr(games, name) for games in policy.games.values()])
    return together


def _mean(numbers: Array) -> str:
    if len(numbers) == 1:
        return f"{numbers[0]:.1f}"
    half = estimates.student_half_width(float(numbers.std(ddof=1)) / math.sqrt(len(numbers)), len(numbers) - 1, _CONFIDENCE)
    return f"{numbers.mean():.1f} ± {half:.1f}"


# ---------------------------------------------------------------- the page


def _dealt_roles(policies: Sequence[PolicyGames]) -> list[int]:
    return [int(role) for role in np.unique(_together(policies[0], "roles")) if role]


def _character_ids(policies: Sequence[PolicyGames]) -> tuple[str, ...]:
    """The characters of the box that was played."""
    both = bool((_together(policies[0], "characters") > NUM_BASE_CHARACTERS).any())
    return GameConfig(expansion="lunatic_extra" if both else "none").character_ids


def _sorted_characters(policies: Sequence[PolicyGames]) -> list[tuple[str, list[Rate]]]:
    """Name and a rate for each policy, the best under the last policy first."""
    names = _character_ids(policies)
    rows = [(CHARACTER_NAMES[name], [character_rate(policy, CHARACTER_IDS.index(name)) for policy in policies]) for name in names]
    return sorted(rows, key=lambda row: row[1][-1].share if row[1][-1].number else 0.0, reverse=True)


def _findings(policies: Sequence[PolicyGames]) -> Iterator[str]:
    """What a reader should not have to look for."""
    for policy in policies:
        never = [ROLE_NAMES[ROLE_IDS[role]] for role in _dealt_roles(policies) if role_rate(policy, role).share == 0]
        if never:
            yield f"- Never won under {policy.name} play: {', '.join(never)}."
        fewest = min(character_rate(policy, CHARACTER_IDS.index(name)).number for name in _character_ids(policies))
        if fewest < ENOUGH:
            yield f"- Too few games to judge characters by under {policy.name} play: one had only {fewest} seats, {ENOUGH} are wanted."


def page(args: BalanceArgs, policies: Sequence[PolicyGames]) -> str:
    """docs/balance.md."""
    lines = [
        *_heading(args, policies), *_findings(policies), "",
        "## By player count", "", _by_players(policies),
        f"Decisions are answers with at least two to choose from. A game is truncated after {GameConfig().max_turns} turns.", "",
        "## By faction dealt and player count", "", *_by_faction(policies),
        "The faction is that of the card dealt: an EX Midboss is dealt among the Partners and wins with the Extra Boss, and a",
        "Rival who takes over from the Heroine is still counted as a Rival. So is a seat that exchanges its role with the Heroine's:",
        "it wins by another goal than that of the role it is counted for.", "",
        "## By role card dealt", "", _by_role(policies),
        "## By character", "", *_by_character(policies),
    ]  # fmt: skip
    return "\n".join(lines).rstrip() + "\n"


def _heading(args: BalanceArgs, policies: Sequence[PolicyGames]) -> list[str]:
    """What was played by which command, and how the figures are to be read."""
    games = len(next(iter(policies[0].games.values())).won)
    here = ", ".join(f"{name} {version}" for name, version in versions(libraries=OF_RUNS).items())
    lines = [
        "<!-- generated by `python -m danmaku_env.training.balance`; do not edit -->", "", "# Balance", "",
        "How often each role and each character wins, for each number of players, when all seats play at random"
        + ("\nand when one agent (the bot) plays all of them." if args.agent else "."), "",
        f"![Win rates by faction and player count, and by character]({args.name}.png)", "",
        f"- Command: `{args.command()}`",
        f"  with {here}.",
        f"- {games} games for each {'policy and ' if args.agent else ''}player count, seed {args.seed}"
        + ("; both policies play the same deals." if args.agent else "."),
    ]  # fmt: skip
    if args.agent:
        lines += [
            f"- The bot: `{printable(args.agent)}` ([agents.md](agents.md)), fingerprint `{registry.fingerprint(args.agent)}`.",
            "  The figures show how it plays, not what best play would give.",
        ]
    return [
        *lines,
        "- Win rates are percentages of seats, with 95% Wilson intervals in brackets. Where several seats of a game hold the role, they",
        "  often win or lose together: the game counts as one draw, which makes the interval a little too wide rather than too narrow.",
        "- A seat counts for the role and the character it was dealt at the start. Characters are dealt at random and not chosen",
        '  from two (`GameConfig(characters="random")`), so all are equally frequent, and with every role.',
        "- Rates over all player counts give each count the same number of games.",
    ]  # fmt: skip


def _by_players(policies: Sequence[PolicyGames]) -> str:
    rows = []
    for players in PLAYERS:
        for policy in policies:
            if played := policy.games.get(players):
                ends = (wilson(float(ended.mean()), len(ended)) for ended in (played.drawn, played.truncated))
                won = _rate(played.won, played.roles > 0)
                rows.append((f"{players}, {policy.name}", won, _mean(played.decisions), _mean(played.turns), *ends))
    names = ("seats that won, %", "decisions per game", "turns per game", "drawn games, %", "truncated games, %")
    return _markdown("players", names, rows)


def _by_faction(policies: Sequence[PolicyGames]) -> Iterator[str]:
    for policy in policies:
        rows = [(faction, *(faction_rate(policy, faction, players) for players in PLAYERS)) for faction in FACTIONS]
        yield _markdown(f"dealt, {policy.name}, %", [f"{players} players" for players in PLAYERS], rows)


def _by_role(policies: Sequence[PolicyGames]) -> str:
    rows = []
    for role in _dealt_roles(policies):
        rates = [role_rate(policy, role) for policy in policies]
        seats = int((_together(policies[0], "roles") == role).sum())
        rows.append((ROLE_NAMES[ROLE_IDS[role]], seats, rates[0].number, *rates))
    return _markdown("role dealt", ["seats", "games", *(f"{policy.name}, %" for policy in policies)], rows)


def _number(number: int) -> str:
    return "one" if number == 1 else str(number)


def _by_character(policies: Sequence[PolicyGames]) -> list[str]:
    means = [mean_rate(policy) for policy in policies]
    characters = len(_character_ids(policies))
    by_chance = _number(round((1 - _CONFIDENCE) * characters))
    overall = ", ".join(f"{policy.name} {100 * mean:.1f}%" for policy, mean in zip(policies, means, strict=True))
    rows = []
    for name, rates in _sorted_characters(policies):
        cells: list[object] = [name]
        for rate, mean in zip(rates, means, strict=True):
            cells += [rate.number, f"**{rate}**" if not rate.low <= mean <= rate.high and rate.number else rate]
        rows.append(cells)
    return [
        "Over all roles and player counts, sorted by the last column. **Bold**: the interval does not hold the mean of all seats",
        f"({overall}); were the {characters} characters all alike, about {by_chance} would be bold by chance.", "",
        _markdown("character", [word for policy in policies for word in (f"seats, {policy.name}", f"{policy.name}, %")], rows),
    ]  # fmt: skip


def _markdown(first: str, names: Sequence[str], rows: Sequence[Row]) -> str:
    """A table whose first column has words, and the others numbers."""
    return Table.of("", "", [Column(first, number=False), *map(Column, names)], rows).markdown()


def picture(policies: Sequence[PolicyGames]) -> bytes:
    """docs/balance.png: dots with 95% intervals, by faction and player count, and by character."""
    with plot(13, 7.5) as figure:
        left, right = figure.subfigures(1, 2, squeeze=False, width_ratios=(1.15, 1))[0]
        for axes, policy in zip(left.subplots(len(policies), 1, sharex=True, squeeze=False)[:, 0], policies, strict=True):
            _draw_factions(axes, policy)
        axes.set(xlabel="seats that won, %, with 95% intervals")
        axes.set_xlim(left=0)  # after all are drawn: they share the axis
        axes.legend(ncols=len(PLAYERS), loc="upper center", bbox_to_anchor=(0.45, -0.14), fontsize="small", handletextpad=0.1)
        _draw_characters(right.subplots(), policies)
        return png(figure)


def _draw_factions(axes: Axes, policy: PolicyGames) -> None:
    """How often each faction wins, one dot for each number of players."""
    series = []
    for players, color in zip(PLAYERS, colormaps["viridis"](np.linspace(0, 0.9, len(PLAYERS))), strict=True):
        rates = [faction_rate(policy, faction, players) for faction in FACTIONS]
        series.append(Dots(f"{players} players", [rate.percent() if rate.number else None for rate in rates], [to_hex(color)]))
    draw_dots(axes, [*FACTIONS], series, spread=0.15, stripes=True)
    axes.set(title=f"Role dealt, {policy.name} play")


def _draw_characters(axes: Axes, policies: Sequence[PolicyGames]) -> None:
    """How often each character wins, the best at the top."""
    characters = _sorted_characters(policies)
    colors = dict(zip((policy.name for policy in policies), (COLORS[9], COLORS[0]), strict=False))
    rates = zip(*(rates for _, rates in characters), strict=True)
    series = [
        Dots(policy.name, [rate.percent() if rate.number else None for rate in column], [colors[policy.name]])
        for policy, column in zip(policies, rates, strict=True)
    ]
    draw_dots(axes, [name for name, _ in characters], series, spread=0.24, stripes=True)
    for policy in policies:
        mean = 100 * mean_rate(policy)
        axes.axvline(mean, color=colors[policy.name], linestyle=":", label=f"mean of all seats, {policy.name}")
    axes.set(title="Character dealt, all numbers of players", xlabel="seats that won, %, with 95% intervals")
    axes.legend(ncols=len(policies), loc="upper center", bbox_to_anchor=(0.4, -0.07), fontsize="small")


def write(args: BalanceArgs, console: Console | None = None) -> list[PolicyGames]:
    """Play, count, and write both files. Raises ValueError (AgentError) or OSError before anything is played, AnswerError afterwards."""
    check_folder(args.out)
    if args.agent:
        registry.make(args.agent, args.seed)
    args.out.mkdir(parents=True, exist_ok=True)
    policies = measure(args, console)
    for name, blob in ((f"{args.name}.md", page(args, policies).encode()), (f"{args.name}.png", picture(policies))):
        write_atomically(args.out / name, blob)
        Terminal(stderr=True).print(f"wrote {args.out / name}", soft_wrap=True)
    return policies


def main(argv: Sequence[str] | None = None) -> None:
    """Run from the command line. Raises SystemExit with the exit status unless all went well."""
    options.run(BalanceArgs, write, argv, "Write docs/balance.md and docs/balance.png: who wins how often.")


if __name__ == "__main__":
    main()
