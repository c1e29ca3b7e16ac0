"""What a page shows of what happens: every event once, with the life that it leaves, and no more than the log tells the observer."""

import pytest

from danmaku_env import Game, GameConfig, Scenario
from danmaku_env.agents.base import answer
from danmaku_env.agents.random import RandomAgent
from danmaku_env.cards.encyclopedia import pages
from danmaku_env.jit.kernels import JIT
from danmaku_env.render.happening import happenings
from tests.random_play import BOXES


@pytest.mark.parametrize("box", BOXES)
def test_every_event_between_two_questions_is_told_and_leaves_the_life_there_is(box):
    for seed in range(4 if JIT else 1):
        game, agent, life, shown = Game.new(GameConfig(num_players=4 + seed % 5, **BOXES[box]), seed), RandomAgent(seed), {}, 0
        while game.asking is not None:
            before = int(game.record["log_count"])
            game.act(answer(agent, game))
            for observer in (None, 1):
                told = happenings(game, observer, before)
                log = game.log.above() if observer is None else game.log.of(observer)
                assert [one["text"] for one in told] == [line.removeprefix("--- ") for line in log.since(before)]
                assert [one["n"] for one in told][-1:] == [int(game.record["log_count"])] * bool(told)
                assert all(one.get("face", "graze") in pages() for one in told)
            for one in happenings(game, None, before):
                life |= one.get("life", {})
            assert all(game.seat(seat).life == left for seat, left in life.items() if not game.seat(seat).defeated)
            shown += len(told)
        assert not JIT or shown > 50


def test_a_hit_is_shown_from_attacker_to_target_and_tells_whom_it_concerns():
    table = Scenario(num_players=4).seat(0, hand=["shoot"], character="cirno").seat(1, life=1, hand=[], character="ibuki_suika")
    game = table.seat(2, hand=[]).seat(3, hand=[]).turn(0).build(seed=1)
    before = int(game.record["log_count"])
    game.act("play shoot")
    while game.asking is not None and not game.seat(1).defeated:
        game.act("choose seat:1" if "choose seat:1" in game.legal() else "pass")
    told = happenings(game, 1, before)
    attack = next(one for one in told if one["kind"] == "attack")
    assert (attack["actor"], attack["target"], attack["tone"]) == (0, 1, "harm")
    banners = [one["banner"] for one in told if "banner" in one]
    assert banners == [
        "Seat 0 (Cirno) uses Shoot on you.", "Seat 0 (Cirno) attacks you.", "You lose 1 life, 0 left.", "Seat 0 (Cirno) hits you.",
        "You are defeated by seat 0 (Cirno).",
    ]  # fmt: skip
    assert "You are defeated by seat 0 (Cirno)." not in str(happenings(game, 2, before))
    assert any(one.get("banner", "").startswith("Seat 1 (Suika) is defeated: ") for one in happenings(game, 2, before))
