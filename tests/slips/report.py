"""What became of the slips, in words and as a table."""

from collections import Counter

from tests.slips.cards import ELSEWHERE, NAMED, OWN, REFUSED, SAME
from tests.slips.engine import NOTICED, UNREACHED
from tests.slips.equivalent import reason
from tests.slips.notice import UNNOTICED

EQUIVALENT = "equivalent"
NEAR = (OWN, NAMED, NOTICED)
COLUMNS = {
    OWN: "own tests", NAMED: "tests that name it", NOTICED: "noticed", ELSEWHERE: "elsewhere", UNNOTICED: "unnoticed",
    UNREACHED: "not reached", EQUIVALENT: "equivalent", SAME: "same tables", REFUSED: "refused",
}  # fmt: skip
NO_SLIPS = (EQUIVALENT, SAME, REFUSED)
"""What nothing could notice, or nobody could overlook: not counted."""
TELLING = (ELSEWHERE, UNNOTICED, UNREACHED, EQUIVALENT)
"""What a report tells of in words."""


def verdict(finding):
    """How near the test is that noticed it, or what else became of it; unnoticed slips are excused with a reason."""
    return EQUIVALENT if finding.nearness == UNNOTICED and reason(finding) else finding.nearness


def line(finding):
    """A slip in words, and who noticed it or why nobody could."""
    why = reason(finding) if verdict(finding) == EQUIVALENT else finding.by
    return f"{verdict(finding):10} {finding.owner}: {finding.words}" + (f"  [{why}]" if why else "")


def table(findings, group_of):
    """A row per group and one for all: what became of its slips, and how many of a hundred were noticed by a near test."""
    counts = {}
    for finding in findings:
        counts.setdefault(group_of(finding.owner), Counter())[verdict(finding)] += 1
    total = sum(counts.values(), Counter())
    columns = [column for column in COLUMNS if total[column]]
    rows = [["", *(COLUMNS[column] for column in columns), "of 100"]]
    for group, count in [*counts.items(), ("all", total)]:
        rows.append([group, *(str(count[column]) for column in columns), share(count)])
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    cells = ([cell.ljust(width) if not place else cell.rjust(width) for place, (cell, width) in enumerate(zip(row, widths, strict=True))]
             for row in rows)  # fmt: skip
    return "\n".join("  ".join(row) for row in cells)


def share(count):
    """Noticed by a near test, of a hundred slips that can be noticed."""
    slips = sum(number for column, number in count.items() if column not in NO_SLIPS)
    return f"{100 * sum(count[column] for column in NEAR) / slips:.1f}" if slips else "-"
