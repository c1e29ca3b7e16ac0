"""Plant small slips, one by one, and count which tests notice them. The compiler is off: a slip takes a fraction of a second.

python -m tests.slips                           every slip in the cards
python -m tests.slips --sample 300              a sample of them
python -m tests.slips --only voile cirno        those of these cards, characters, incidents or roles
python -m tests.slips --engine --sample 300     slips in the source of the engine instead
python -m tests.slips --results slips.jsonl     every slip, in several sittings: what the file has is not done again
"""

import argparse
import json
import os
import random
import sys
from pathlib import Path

os.environ["NUMBA_DISABLE_JIT"] = "1"  # before anything imports the engine

TESTS = (
    "tests/cards", "tests/rulings", "tests/test_interplay.py", "tests/test_scenario.py",
    "tests/engine/test_knowledge.py", "tests/engine/test_log.py", "tests/engine/test_observation.py",
)  # fmt: skip
"""Tests of tables. Goldens and the pages made from the cards notice everything, and say nothing about what is wrong."""


def options():
    parser = argparse.ArgumentParser(
        prog="python -m tests.slips", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--engine", action="store_true", help="slips in the engine instead of the cards")
    parser.add_argument("--only", nargs="+", metavar="ID", help="only those of these cards, or of these modules or functions of the engine")
    parser.add_argument("--sample", type=int, metavar="N", help="only this number, drawn at random")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument("--near", action="store_true", help="ask only tests that name the card, not all the others when those fail")
    parser.add_argument("--results", type=Path, metavar="FILE", help="keep what was found, and go on from there")
    parser.add_argument("--verbose", action="store_true", help="a line for every slip")
    return parser


def chosen(slips, arguments):
    """The slips to plant."""
    if arguments.only:
        slips = [slip for slip in slips if any(slip.owner == name or slip.owner.startswith(f"{name}.") for name in arguments.only)]
    if arguments.sample:
        slips = random.Random(arguments.seed).sample(slips, min(arguments.sample, len(slips)))
    return slips


def main(arguments):
    from tests.slips import cards, engine, report
    from tests.slips.notice import Finding, notice, with_tests

    subject = engine if arguments.engine else cards
    slips = chosen(subject.slips(), arguments)
    file = arguments.results
    known = [Finding(*json.loads(line)) for line in file.read_text("utf-8").splitlines()] if file and file.exists() else []
    done = {(finding.owner, finding.words): finding for finding in known}
    findings = [done[slip.owner, slip.words] for slip in slips if (slip.owner, slip.words) in done]

    def plant_all(items):
        suite = subject.Suite(items)
        for slip in [slip for slip in slips if (slip.owner, slip.words) not in done]:
            tests = suite.for_slip(slip)
            if arguments.near:
                tests.pop(cards.ELSEWHERE, None)
            finding = notice(slip, tests)
            findings.append(finding)
            if file:
                with file.open("a", encoding="utf-8") as results:
                    print(json.dumps(finding), file=results)
            if arguments.verbose:
                print(report.line(finding), flush=True)

    with_tests(TESTS, plant_all)
    for finding in findings:
        if report.verdict(finding) in report.TELLING and not arguments.verbose:
            print(report.line(finding))
    print(report.table(findings, subject.group_of))


if __name__ == "__main__":
    sys.exit(main(options().parse_args()))
