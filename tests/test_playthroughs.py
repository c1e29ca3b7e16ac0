"""Golden playthroughs: a change of any rule, question or observation shows as a difference in readable text."""

import pytest

from tests.playthroughs.record import FOLDER, playthrough


@pytest.mark.parametrize("players", range(4, 9))
def test_the_playthrough_is_the_recorded_one(players):
    recorded = (FOLDER / f"{players}_players.txt").read_text()
    assert playthrough(players) == recorded, "regenerate with `python -m tests.playthroughs.record` and review the difference"
