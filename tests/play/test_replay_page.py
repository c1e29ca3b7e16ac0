"""A game as one file: what is in it, that it is small, and that it needs nothing else."""

import base64
import json
import re
import zlib

import numpy as np
import pytest

from danmaku_env import Game, GameConfig
from danmaku_env.agents.base import play_out
from danmaku_env.agents.heuristic import HeuristicAgent
from danmaku_env.agents.random import RandomAgent
from danmaku_env.agents.registry import AgentError
from danmaku_env.cards.box import NUM_ROLES, ROLE_IDS
from danmaku_env.commands.main import main
from danmaku_env.play.beliefs import BeliefTrace, chart, everybody, gained, likeliest, likeliest_in_short
from danmaku_env.play.recording import Recording
from danmaku_env.play.replay_page import belief_models_of, replay_html
from danmaku_env.render.html import blocks
from danmaku_env.render.table_view import table_view
from tests.command import exit_status
from tests.random_play import play_randomly


def played(players=4, seed=3, kind=HeuristicAgent, names=()):
    agents = [kind(seat) for seat in range(players)]
    game = Game.new(GameConfig(num_players=players), seed)
    game.agents = names or tuple(agent.name for agent in agents)
    return play_out(game, agents)


def recording_of(game):
    """The whole recording."""
    recording = Recording.of_replay(game.replay())
    while recording.extend():
        pass
    return recording


def data_of(text):
    packed = re.search(r'id="replay">([^<]*)</script>', text)[1]
    return json.loads(zlib.decompress(base64.b64decode(packed)))


def at(data, changes, place):
    found = [number for when, number in zip(*changes, strict=True) if when <= place]
    return data["strings"][found[-1]] if found else ""


@pytest.fixture(scope="module")
def game():
    return played()


@pytest.fixture(scope="module")
def data(game):
    return data_of(replay_html(Recording.of_replay(game.replay()), belief_models_of(["heuristic"])))


def test_every_step_of_all_views_is_the_table_as_it_was(game, data):
    recording = recording_of(game)
    assert len(data["views"]) == 5
    assert len(data["views"][0]["places"]) == len(game.replay().answers) + 1
    for view in data["views"]:
        for place in view["places"][::7]:
            position = recording.position(place)
            asked = recording.asks[place] and view["seat"] in (None, position.asking)
            for name, html in blocks(table_view(position, view["seat"], asked=asked)).items():
                assert at(data, view["blocks"][name], place) == html


def test_the_log_of_all_views_is_whole(game, data):
    for view in data["views"]:
        lines = [data["strings"][number] for _, number in view["lines"]]
        log = game.log.above() if view["seat"] is None else game.log.of(view["seat"])
        assert sorted(lines) == sorted(log)


def test_a_seat_sees_its_own_answers_and_no_others(data):
    for view in data["views"][1:]:
        given = {data["strings"][number] for number in view["blocks"]["given"][1]}
        assert len(given) > 3
        assert all(not text or f"seat {view['seat']}" in text.partition(":")[0] for text in given)


def test_the_file_needs_nothing_else(game):
    text = replay_html(Recording.of_replay(game.replay()))
    assert not re.search(r"\b(src|href)=.(?!data:)|https?://|@import|url\(|fetch\(|XMLHttp|import\(", text)
    assert data_of(text)["beliefs"] == []


def test_names_from_outside_are_text():
    text = replay_html(Recording.of_replay(played(names=("<script>alert(1)</script>", "b", "c", "d")).replay()))
    assert "<script>alert" not in text
    assert "&lt;script&gt;alert" in text


def test_a_long_game_stays_under_a_megabyte():
    seed = next(seed for seed in range(200) if len(played(8, seed, RandomAgent).replay().answers) >= 600)
    text = replay_html(Recording.of_replay(played(8, seed, RandomAgent).replay()), belief_models_of(["heuristic"]))
    assert len(text.encode()) < 1_000_000


# ---------------------------------------------------------------- beliefs


class Counting:
    """Believes the more in a seat's guilt the more it has attacked: a belief that moves by leaps."""

    name = "counting"

    def posterior(self, observations, info_states):
        beliefs = np.zeros((len(info_states), 8, NUM_ROLES))
        for row, info_state in enumerate(info_states):
            for place in range(info_state.config.num_players):
                seat = (info_state.seat + place) % info_state.config.num_players
                guilty = min(1.0, 0.3 * sum(line.startswith(f"seat {seat} ") and " attacks " in line for line in info_state.log))
                beliefs[row, place, ROLE_IDS.index("stage_boss")] = guilty
                beliefs[row, place, ROLE_IDS.index("partner")] = 1 - guilty
        return beliefs


@pytest.fixture(scope="module")
def trace(game):
    """A belief model who has watched the game."""
    trace = BeliefTrace("counting", Counting())
    for place, position in enumerate(Recording.of_replay(game.replay()).positions()):
        trace.see(place, position)
    return trace


def test_events_that_move_a_belief_are_noted_with_what_they_did(trace):
    assert len(trace.shifts) >= 4
    for shift in trace.shifts:
        assert f"seat {shift.judged}" in shift.news
        assert "attacks" in shift.news
        assert re.fullmatch(r"Stage Boss (< )?\d+ % → (> )?\d+ %", shift.change)
    above = trace.most(None, 5)
    assert 0 < len(above) <= 5
    assert "about seat" in above[0][1]
    assert "also for seats" in above[0][1], "a public event moves all who watch, and is told once"
    assert {place for place, _ in trace.most(2, 99)} <= {shift.place for shift in trace.shifts if shift.observer == 2}


def test_what_everybody_believes_is_asked_in_everybodys_place(game):
    position = recording_of(game).position(90)
    belief = everybody(position, Counting())
    assert belief.shape == (4, 4, 6)
    np.testing.assert_allclose(belief.sum(-1), 1)
    assert (belief == belief[0]).all(), "attacks are public: here all observers count the same"
    assert likeliest(np.array([0, 0, 0.25, 0.75, 0, 0])) == "Stage Boss 75 %"


def test_no_words_claim_more_than_the_numbers_beside_them():
    nearly, nothing = np.array([0, 0, 0.001, 0.999, 0, 0]), np.array([0.5, 0, 0.5, 0, 0, 0])
    assert likeliest(nearly) == "Stage Boss > 99 %"
    assert likeliest_in_short(nearly) == "S > 99 %"
    assert gained(nothing, nearly) == "Stage Boss 0 % → > 99 %"


def test_a_chart_has_a_step_where_the_belief_has_one(trace):
    moved = next(shift for shift in trace.shifts)
    drawn = chart(trace.moments, trace.moments[-1].place, moved.observer, moved.judged)
    assert drawn.count("<path") == 2
    assert "v" in re.search(r'class="partner" d="([^"]*)"', drawn)[1]


# ---------------------------------------------------------------- the command


def test_watch_writes_a_page(game, tmp_path, capsys):
    replay, page = tmp_path / "game.json", tmp_path / "game.html"
    game.replay().save(replay)
    assert exit_status(main, "watch", str(replay), "--html", str(page), "--belief-model", "heuristic") == 0
    assert page.read_text("utf-8").startswith("<!doctype html>")
    assert f"{page}: {len(game.replay().answers)} steps" in capsys.readouterr().out
    assert sorted(path.name for path in tmp_path.iterdir()) == ["game.html", "game.json"]


def test_what_cannot_be_written_is_said_in_a_sentence(game, tmp_path, capsys):
    replay = tmp_path / "game.json"
    game.replay().save(replay)
    broken = tmp_path / "broken.json"
    broken.write_text(replay.read_text("utf-8")[:-40], "utf-8")
    cases = (
        ((str(replay), "--html", str(tmp_path)), f"nothing can be written to {tmp_path}: it is a folder"),
        ((str(replay), "--html", str(tmp_path / "no" / "x.html")), "its folder does not exist"),
        ((str(replay), "--html", str(tmp_path / ".." / tmp_path.name / "game.json")), "would write the page over the replay"),
        ((str(replay), "--html", "x.html", "--step", "3"), "leave out --step"),
        ((str(replay), "--belief-model", "heuristic"), "give --html too"),
        ((str(replay), "--html", str(tmp_path / "x.html"), "--belief-model", "random"), "does not say what it believes"),
        ((str(broken), "--html", str(tmp_path / "x.html")), "cannot be: the file cannot be read from there on"),
    )
    for words, sentence in cases:
        assert exit_status(main, "watch", *words) == 2
        error = capsys.readouterr().err
        assert sentence in error
        assert error.count("\n") == 1
    assert not (tmp_path / "x.html").exists()


def test_an_agent_that_believes_nothing_is_no_belief_model():
    with pytest.raises(AgentError, match="does not say what it believes"):
        belief_models_of(["random"])


def test_random_games_with_any_number_of_seats_make_a_replay_page():
    for players in (4, 8):
        game = Game.new(GameConfig(num_players=players), 1)
        for _ in play_randomly(game, 1, limit=40):
            pass
        found = data_of(replay_html(Recording.of_replay(game.replay())))
        assert len(found["views"]) == players + 1


# ---------------------------------------------------------------- notebooks


def test_a_notebook_shows_a_game_and_steps_through_a_replay(game):
    still = game._repr_html_()
    assert 'data-block="seat-3"' in still
    assert "The game is over." in still
    assert "<script" not in still
    whole = game.replay()._repr_html_()
    assert whole.startswith("<iframe")
    assert "srcdoc=" in whole
    assert "Who believed what about whom" in whole
