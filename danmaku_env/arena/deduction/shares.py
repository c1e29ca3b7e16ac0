"""A study shared by processes. Each plays all the games, since what agents answer may depend on the games beside, and judges its share.

So the findings are those of one process, but for the rounding of believers whose numbers depend on how many rows they are asked about.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from danmaku_env.agents.base import BeliefModel
from danmaku_env.agents.registry import make
from danmaku_env.arena.deduction.believers import make_believers
from danmaku_env.arena.deduction.games import Findings, Judge, play
from danmaku_env.arena.deduction.reference import Reference
from danmaku_env.arena.deduction.report import Study
from danmaku_env.arena.jobs.workers import Beat, Work


def judged(
    study: Study,
    labels: Sequence[str],
    believers: Sequence[BeliefModel],
    share: int,
    shares: int,
    tick: Callable[[int], object] | None = None,
) -> Findings:
    """What the believers make of every game whose number leaves `share` when divided by `shares`. Raises UserError when anybody fails.

    `tick` is told after every step how many games have ended.
    """
    players = [make(spec, study.seed) for spec in study.agents]
    reference = Reference(players, study.config(), study.games) if study.reference else None
    judge = Judge(labels, believers, study.config(), study.games, reference, study.statements)
    for step in play(players, study.config(), study.seeds(), study.seed):
        judge.see(step if shares == 1 else step.of(share, shares))
        if tick:
            tick(step.ended)
    return judge.findings()


def others(study: Study, labels: Sequence[str], shares: int) -> Work:
    """What the processes do that judge all shares but the first: their task is the number of a share."""
    return Work(_begin, (study, tuple(labels), shares))


def _begin(study: Study, labels: Sequence[str], shares: int) -> Callable[[int, Beat], Iterator[Findings]]:
    def do(share: int, _: Beat) -> Iterator[Findings]:
        yield judged(study, labels, make_believers(study.believers, study.seed), share, shares)

    return do
