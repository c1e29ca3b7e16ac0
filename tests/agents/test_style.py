"""Styles of play: what the fitted numbers do at tables a player would recognise, and files that hold none."""

import json

import numpy as np
import pytest

from danmaku_env import make_vec
from danmaku_env.agents.base import answer
from danmaku_env.agents.heuristic import HeuristicAgent, heuristic_policy
from danmaku_env.agents.registry import AgentError, make
from danmaku_env.heuristics.fitted import FittedError
from danmaku_env.heuristics.role_classes import CLASSES
from danmaku_env.heuristics.style import FITTED, SHIFTS, column, flat, hand_style, style_data, style_from, style_of
from danmaku_env.info_states import InfoStates
from danmaku_env.wording import action_name
from tests.table import scene


def target(style, *roles):
    """Whom the first of the seats shoots when all roles lie open."""
    start = scene().roles(roles).seat(0, hand="shoot", revealed=True)
    for other in (1, 2, 3):
        start.seat(other, revealed=True)
    game = start.build()
    agent = HeuristicAgent(style=style)
    for expected in ("main", "target"):
        assert game.question == expected
        chosen = action_name(answer(agent, game), game.asking, len(roles))
        game.act(chosen)
    return roles[int(chosen.removeprefix("choose seat:"))]


@pytest.mark.parametrize("roles", [("heroine", "ex_boss", "stage_boss", "stage_boss"), ("heroine", "stage_boss", "stage_boss", "ex_boss")])
def test_the_heroine_has_learnt_to_leave_the_extra_boss_for_later(roles):
    """He needs her alive for as long as there are Stage Bosses."""
    assert target("fitted", *roles) == "stage_boss"


def test_the_weights_come_back_from_a_file():
    weights = column("values") + column("spread") / 2
    style = style_from(style_data(weights, np.full((CLASSES, SHIFTS), 0.25)))
    assert flat(style)[0] == pytest.approx(weights, abs=1e-4)
    assert style["role_preferences"].max() == pytest.approx(hand_style()["role_preferences"].max() + 0.25)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"danmaku_style": 9}, "style of version 9"),
        ({"loss": [1.0, 2.0]}, "'loss' must be finite numbers of shape"),
        ({"shifts": "many"}, "'shifts' must be finite numbers"),
        ({"card": [float("inf")]}, "'card' must be finite"),
    ],
)
def test_damaged_styles_are_refused(change, message):
    with pytest.raises(FittedError, match=message):
        style_from({**json.loads(FITTED.read_text("utf-8")), **change})


def test_a_style_nobody_has_is_named():
    with pytest.raises(AgentError, match="a style is hand or fitted, not 'bold'"):
        make("heuristic:style=bold", 0)
    assert heuristic_policy("hand", "none").style is style_of("hand")


def test_each_box_has_its_own_numbers():
    """What was fitted on games of the base game is not what games with the expansion taught; both are shipped."""
    base, both = style_of("fitted"), style_of("fitted", "lunatic_extra")
    assert not np.array_equal(flat(base), flat(both))
    assert heuristic_policy("fitted", "lunatic_extra").style is both
    for expansion in ("none", "lunatic_extra"):
        vec = make_vec(1, expansion=expansion)
        vec.reset(1)
        assert make("deducer", 0).policy_for(InfoStates.of(vec, np.arange(1))).style is style_of("fitted", expansion)
