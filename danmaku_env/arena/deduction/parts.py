"""A study in parts: what workers do, and findings as files (jobs/parts.py). The parts of a study depend on nothing but the study."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, cast

import numpy as np

from danmaku_env.agents.base import Agent, BeliefModel, reset
from danmaku_env.agents.registry import make
from danmaku_env.arena.deduction.belief_models import BASELINE, make_belief_models
from danmaku_env.arena.deduction.exact_posterior import NAME as REFERENCE
from danmaku_env.arena.deduction.exact_posterior import ExactPosterior
from danmaku_env.arena.deduction.games import BeliefScorer, Findings, Statements, StudyStep, play, together
from danmaku_env.arena.deduction.report import Study
from danmaku_env.arena.deduction.scores import Scores
from danmaku_env.arena.jobs.parts import PartDone, Parts, as_npz, from_npz
from danmaku_env.arena.jobs.spec import seed_of
from danmaku_env.arena.jobs.workers import Beat, Work
from danmaku_env.console.errors import UserError

FINDINGS = "findings"
"""The folder of the findings, a file for each part."""
_GROUPS: dict[str, Any] = {"scores": Scores, "statements": Statements}
_UNREADABLE = (OSError, ValueError, KeyError, TypeError, IndexError)


def labels_of(study: Study) -> tuple[str, ...]:
    """Those who are judged: the baseline first, the reference last where it is wanted."""
    return (BASELINE, *study.belief_models, *((REFERENCE,) if study.reference else ()))


def agents_of(study: Study, part: int) -> list[Agent]:
    """The agents of a part in the order in which they sit in its first game: over all games they take turns. Raises UserError."""
    first = study.games_of(part).start % len(study.agents)
    return [make(spec, study.seed) for spec in (*study.agents[first:], *study.agents[:first])]


def part_steps(study: Study, part: int, agents: Sequence[Agent]) -> Iterator[StudyStep]:
    """The steps of the games of a part, which are numbered from 0. Raises UserError when an agent fails."""
    numbers = study.games_of(part)
    return play(agents, study.config(), study.seeds()[numbers.start : numbers.stop], seed_of(study.seed, part))


def judged(study: Study, labels: Sequence[str], belief_models: Sequence[BeliefModel], part: int) -> Iterator[int | Findings]:
    """How many games of the part have ended, after every step; at last what the belief models make of them. Raises UserError."""
    numbers, agents = study.games_of(part), agents_of(study, part)
    reference = ExactPosterior(agents, study.config(), len(numbers)) if study.reference else None
    scorer = BeliefScorer(labels, belief_models, study.config(), len(numbers), reference, study.statements, study.EVENTS)
    for step in part_steps(study, part, agents):
        scorer.see(step)
        yield step.ended
    yield scorer.findings().moved(numbers.start)


def judging(study: Study) -> Work:
    """What workers do: judge parts of the study, by their numbers."""
    return Work(_begin, (study,))


def _begin(study: Study) -> Callable[[int, Beat], Iterator[int | PartDone]]:
    belief_models = make_belief_models(study.belief_models, study.seed)
    agents = [cast(Agent, model) for model in belief_models[1:]]  # all but the baseline

    def do(part: int, _: Beat) -> Iterator[int | PartDone]:
        for number, agent in enumerate(agents):  # as new, whichever parts this process has judged before
            reset(agent, seed_of(study.seed, part, number))
        for told in judged(study, labels_of(study), belief_models, part):
            yield PartDone({FINDINGS: as_file(told)}, len(told.game)) if isinstance(told, Findings) else told

    return do


# ---------------------------------------------------------------- files


def as_file(findings: Findings) -> bytes:
    """The findings as the bytes of a NumPy archive."""
    arrays: dict[str, Any] = {}
    for name, value in vars(findings).items():
        if name in _GROUPS:
            arrays |= {f"{name}.{part}": array for part, array in value._asdict().items()} if value is not None else {}
        else:
            arrays[name] = np.array(value)
    return as_npz(arrays)


def from_file(blob: bytes) -> Findings:
    """The inverse of `as_file`. Raises what `_UNREADABLE` names."""
    arrays = from_npz(blob)
    values: dict[str, Any] = {name: array for name, array in arrays.items() if "." not in name}
    for group, kind in _GROUPS.items():
        there = {name: arrays[f"{group}.{name}"] for name in kind._fields if f"{group}.{name}" in arrays}
        values[group] = kind(**there) if there else None
    return Findings(**{**values, "types": tuple(map(str, values["types"])), "left_out": int(values["left_out"])})


def all_findings(parts: Parts) -> Findings:
    """The findings of all parts of a study that is done. Raises UserError where a file is not what it was."""
    part = 0
    try:
        found = []
        for part in range(parts.spec.parts):
            found.append(from_file(parts.read(part)[FINDINGS]))
        return together(found)
    except _UNREADABLE as error:
        raise UserError(f"{parts.file(FINDINGS, part)} cannot be read ({error}): begin again with --resume") from None
