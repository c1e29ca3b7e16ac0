"""Options that several trainers share. A trainer's own class adds to them, and gives those that differ its defaults."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

from danmaku_env.console import options
from danmaku_env.game import check_seed
from danmaku_env.training import resuming


@dataclass(frozen=True, kw_only=True)
class RunArgs:
    """Options of every run. Raises ValueError on what makes no sense."""

    folder: Path = Path("runs/training")
    """Where checkpoint, log and reports go: no folder of another run. Where the default is taken, the next free one: with -2, -3 ..."""
    resume: bool = False
    """Go on with the run in the folder, where its checkpoint is, with its options; budgets, reports and who computes are as given."""
    seconds: float = 600.0
    """Stop after this much training time, parts before a resume included, reports not; 0 = no limit."""
    seed: int = 1
    """Seed of the network, the games and all draws."""
    batch: int = 512
    """Decisions in a gradient step."""
    learning_rate: float = 1e-3
    """Step size of Adam."""
    report_deals: int = 96
    """Deals for each line of the log and opponent, each played twice, with the seats exchanged; 0 = no lines."""

    FREE: ClassVar[tuple[str, ...]] = ("folder", "resume", "seconds", "report_deals")
    """Options that may differ when a run is resumed."""
    AGENTS: ClassVar[tuple[str, ...]] = ("opponents",)
    """Options that name agents."""
    MOST: ClassVar[Mapping[str, int]] = {}
    """The largest values of options that count something."""

    def __post_init__(self) -> None:
        options.check_types(self)
        object.__setattr__(self, "seed", check_seed(self.seed))
        options.check_finite(self, "seconds")
        options.check_deals(self, "report_deals")

    def resumed(self, kept: dict[str, Any]) -> Self:
        """The options of the run whose options were `kept`, with these budgets. Raises ResumeError where these ask for something else."""
        return resuming.resumed(self, kept, self.FREE, agents=self.AGENTS)


@dataclass(frozen=True, kw_only=True)
class WindowArgs(RunArgs):
    """Options of a trainer that plays a window of decisions, and then learns from it."""

    decisions: int = 0
    """Stop after this many decisions of the environment, rounded up to whole windows; 0 = no limit."""
    games: int = 512
    """Games side by side."""
    window: int = 64
    """Decisions in each game between two updates."""
    epochs: int = 1
    """Passes over the decisions of a window."""
    checkpoint_every: int = 20
    """Windows between checkpoints; one is written at the end too."""
    report_every: float = 60.0
    """Seconds of training between lines of the log: reward against random play and the heuristic, role separation; 0 = only at the end."""

    FREE = (*RunArgs.FREE, "decisions", "checkpoint_every", "report_every")

    def __post_init__(self) -> None:
        super().__post_init__()
        options.check_counts(self, "games", "window", "epochs", "checkpoint_every", most=self.MOST)
        options.check_finite(self, "decisions", "report_every")
