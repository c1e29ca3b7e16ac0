"""Watching: forwards and backwards the same screens, as a seat sees it nothing hidden, and files that cannot be."""

import json
import re

import numpy as np
import pytest

from danmaku_env import Game, GameConfig, Replay, ReplayError, Scenario, resample
from danmaku_env.agents.base import play_out
from danmaku_env.agents.random import RandomAgent
from danmaku_env.console.cli_errors import BAD_USAGE
from danmaku_env.engine import state as st
from danmaku_env.game import OtherRules, rules_fingerprint
from danmaku_env.play.recording import Recording, View
from danmaku_env.play.replay_page import belief_models_of
from danmaku_env.play.watching import NoSuchStep, Watcher
from tests.play.typed import Typed
from tests.test_cli import run as command


def played(seed=5, players=4, **config):
    game = Game.new(GameConfig(num_players=players, **config), seed)
    return play_out(game, [RandomAgent(seat) for seat in range(players)])


def recording_of(game):
    replay = game.replay()
    return Recording(replay.begin(), replay.answers)


@pytest.fixture(scope="module")
def game():
    return played()


@pytest.fixture(scope="module")
def recording(game):
    return recording_of(game)


def screen_of(recording, seat, step):
    """What is printed for one step by somebody who goes there straight."""
    return next(screens_of(recording, seat, [step]))


def screens_of(recording, seat, steps):
    """The same of several steps; only the list of steps is common to them."""
    watcher = Watcher(recording, Typed(), seat)
    for step in steps:
        watcher.screen, watcher.step = Typed(), step
        watcher.show()
        yield watcher.screen.text


def walked(recording, *lines, seat=None):
    watcher = Watcher(recording, Typed(*lines), seat)
    watcher.walk()
    return watcher


# ---------------------------------------------------------------- positions


@pytest.mark.parametrize("config", [{}, {"ask_forced": True}, {"ask_everyone": True, "ask_forced": True}, {"characters": "random"}])
def test_from_above_the_steps_are_the_answers_of_the_replay(config):
    game = played(players=5, seed=4, **config)
    recording = recording_of(game)
    view = View(recording, None)
    assert view.find_all() == len(game.replay().answers)
    same = np.ones(st.STATE_BYTES, bool)
    for field in ("config", "decisions"):
        same[st.place_of(field) : st.place_of(field) + st.STATE[field].itemsize] = False
    for place, position in zip(view.places, game.replay().positions(), strict=True):
        mine = st.as_bytes(recording.position(place).records)[0]
        assert (mine == st.as_bytes(position.records)[0])[same].all()
    assert recording.problem is None


def test_a_game_that_is_not_over_has_its_last_position():
    game = Game.new(GameConfig(num_players=4), 3)
    for _ in range(30):
        game.act(game.legal_actions()[-1])
    recording = recording_of(game)
    view = View(recording, None)
    assert view.find_all() == 30
    assert recording.position(view.places[-1]).legal() == game.legal()
    assert recording.problem is None


def test_a_position_set_up_by_hand_is_watched_too():
    game = Scenario(num_players=4).seat(0, role="heroine", hand=["shoot", "grimoire"]).turn(0).build(seed=2)
    game.act("play grimoire")
    view = View(recording_of(game), None)
    assert view.find_all() == 1
    assert view.recording.position(view.places[0]).seat(0).hand != game.seat(0).hand
    assert view.recording.position(view.places[1]).seat(0).hand == game.seat(0).hand


def test_there_is_no_position_beyond_the_last(recording):
    view = View(recording, None)
    view.find_all()
    for place in (-1, len(recording.asks)):
        with pytest.raises(IndexError):
            recording.position(place)
    assert not view.find(len(view.places))


# ---------------------------------------------------------------- back and forth


@pytest.mark.parametrize("seat", [None, 2])
def test_back_and_forth_shows_the_same_as_going_straight(game, seat):
    straight = recording_of(game)
    last = View(straight, seat).find_all()
    fresh = list(screens_of(straight, seat, range(last + 1)))
    assert len(set(fresh)) == last + 1
    rng = np.random.default_rng(1)
    watcher = Watcher(straight, Typed(), seat)
    for step in rng.permutation(last + 1).tolist():
        watcher.screen = Typed()
        watcher.step = step
        watcher.show()
        assert watcher.screen.text == fresh[step]
    lines = ["", "n", "b", "p", "b", "g 150", "150", "p", "e", "b", "s", "n"]
    visited = [0, 1, 2, 1, 0, None, 150, 150, 149, last, last - 1, 0, 1]
    walker = walked(straight, *lines, seat=seat)
    shown = walker.screen.text
    for step in visited:
        if step is not None:
            found = shown.index(fresh[step])
            shown = shown[found + len(fresh[step]) :]
    assert walker.step == 1
    assert "This is the first step." in walker.screen.text


def test_going_back_plays_few_answers(game, monkeypatch):
    recording = recording_of(game)
    View(recording, None).find_all()
    acted = []
    monkeypatch.setattr(Game, "act", lambda self, action: acted.append(action))
    most = 0
    for place in range(len(recording.asks)):
        acted.clear()
        recording.position(place)
        most = max(most, len(acted))
    assert len(recording.asks) > 500
    assert most < 64


def test_keys_that_lead_nowhere_say_so_and_stay(recording):
    walker = walked(recording, "g 5", "g 99999", "seat 4", "seat", "g", "juggle", "h", "e", "n")
    text = walker.screen.text
    last = View(recording, None).find_all()
    assert f"There is no step 99999; the last is {last}." in text
    assert "There is no seat 4 at a table of 4; the seats are 0 to 3." in text
    assert text.count("means nothing here; h = help.") == 3
    assert "watch as seat 3 sees it" in text
    assert "This is the last step." in text
    assert walker.step == last
    assert walked(recording, "g 5", "q").step == 5


def test_a_step_says_what_was_answered_and_what_is_asked(game, recording):
    answers = game.replay().answers
    positions = game.replay().positions()
    asked = [(position.asking, position.question, position.legal()) for position, _ in zip(positions, answers, strict=False)]
    for step in (1, 20, len(answers)):
        text = screen_of(recording, None, step)
        seat, question, _ = asked[step - 1]
        assert f"\n> seat {seat}" in text
        assert f", {question}: " in text
    seat, question, legal = asked[20]
    assert f"is asked: {question} - " in screen_of(recording, None, 20)
    assert " | ".join(legal) in " ".join(screen_of(recording, None, 20).split())
    assert screen_of(recording, None, len(answers)).splitlines()[-1].startswith(("The winners:", "Nobody is left", "The turn limit"))
    assert f"Step 20 of {len(answers)}, from above" in screen_of(recording, None, 20)


def test_every_event_is_told_once_on_the_way(game, recording):
    for seat, lines in ((None, game.log.above()), (1, game.log.of(1))):
        view = View(recording, seat)
        shown = screens_of(recording, seat, range(view.find_all() + 1))
        told = " ".join(" ".join(text.split("Danmaku!!")[0] for text in shown).split())
        for line in lines:
            assert told.count(line) >= 1


# ---------------------------------------------------------------- views


@pytest.mark.parametrize("seat", range(4))
def test_a_seat_sees_a_step_whenever_it_is_asked(game, seat):
    recording = recording_of(game)
    view = View(recording, seat)
    view.find_all()
    asked = [step for step in range(len(view.places)) if view.is_asked(step)]
    assert len(asked) == sum(position.asking == seat for position in game.replay().positions())
    assert len(asked) < len(view.places)
    for step in asked:
        assert recording.position(view.places[step]).asking == seat


@pytest.mark.parametrize("seed", range(3))
def test_a_seat_is_shown_nothing_hidden(seed, monkeypatch):
    """Deal everything the seat has not seen anew at each step: not a letter may change."""
    game = played(seed=seed, players=4 + seed)
    seat = seed + 1
    recording = recording_of(game)
    view = View(recording, seat)
    steps = range(0, view.find_all(), 5)  # at the last everything is revealed
    true = list(screens_of(recording, seat, steps))
    there = recording.position
    for number in range(2):
        monkeypatch.setattr(recording, "position", lambda place, number=number: resample(there(place), seat, place + number))
        fresh = Watcher(recording, Typed(), None)
        fresh.view = view
        for step, text in zip(steps, true, strict=True):
            fresh.screen = Typed()
            fresh.step = step
            fresh.show()
            assert fresh.screen.text == text


def test_the_answers_of_others_and_their_hands_are_not_shown():
    scenario = Scenario(num_players=4).seat(0, role="heroine", hand=["shoot"]).seat(1, hand=["voile", "party", "tempest"])
    game = scenario.turn(1).build(seed=1)
    game.act("pass")
    recording = recording_of(game)
    text = "".join(screens_of(recording, 0, range(View(recording, 0).find_all() + 1)))
    assert "as seat 0 sees it" in text
    assert "> " not in text
    assert not any(name in text for name in ("Voile", "Party", "Tempest", "voile", "party", "tempest"))
    above = screen_of(recording, None, 0)
    assert "Voile" in above


def attack(hand):
    """Seat 0 shoots seat 1; seat 2 holds this hand and lets it happen."""
    scenario = Scenario(num_players=4).seat(0, role="heroine", hand=["shoot", "grimoire"]).seat(1, hand=["grimoire"]).seat(2, hand=hand)
    game = scenario.deck(top=["party", "kourindou", "tempest"]).turn(0).build(seed=1)
    game.act("play shoot")
    game.act("choose seat:1")
    hidden = 0
    while game.asking == 2:
        hidden += 1
        game.act("pass")
    return recording_of(game), hidden


@pytest.mark.parametrize("seat", [0, 1, 3])
def test_hidden_questions_put_to_others_make_no_steps(seat):
    """Seat 2 could have cancelled, or dodged for another: who watches as another seat cannot tell from the number of steps."""
    idle, none = attack(["power", "voile"])
    able, several = attack(["bomb", "graze"])
    assert (none, several > 0) == (0, True), "the case needs a question that only one of the hands is asked"
    seen = [[screen_of(recording, seat, step) for step in range(View(recording, seat).find_all() + 1)] for recording in (idle, able)]
    assert seen[0] == seen[1]
    mine = [View(recording, 2).find_all() for recording in (idle, able)]
    assert mine[0] < mine[1], "its own questions are steps"


@pytest.mark.parametrize("words", ["9" * 5000, "g " + "9" * 5000, "seat " + "9" * 5000, "g", "seat", "g x"])
def test_words_that_mean_nothing_are_refused_in_a_sentence(recording, words):
    walker = walked(recording, "", words)
    assert walker.step == 1
    assert "means nothing here; h = help." in " ".join(walker.screen.text.split())


@pytest.mark.parametrize("words", ["above me", "b 3", "n n", "beliefs x", "h x", "quit it"])
def test_commands_that_stand_alone_take_no_more_words(recording, words):
    walker = walked(recording, "", words)
    assert walker.step == 1
    assert walker.screen.text.endswith("That takes no more words.\n")


def test_other_views_show_the_same_moment(recording):
    above = View(recording, None)
    above.find_all()
    walker = walked(recording, "g 100", "seat 1")
    assert walker.view.seat == 1
    place = walker.view.places[walker.step]
    assert place <= above.places[100]
    assert walker.view.find(walker.step + 1)
    assert walker.view.places[walker.step + 1] > above.places[100]
    back = walked(recording, "g 100", "seat 1", "above")
    assert back.view.seat is None
    assert above.places[back.step] <= place
    with pytest.raises(NoSuchStep, match="there is no seat 9 at a table of 4"):
        Watcher(recording, Typed(), 9)


# ---------------------------------------------------------------- agents, playing on


def test_agents_play_only_as_far_as_somebody_looks():
    asked = []

    class Counting(RandomAgent):
        def act(self, observations, masks, info_states=None):
            asked.append(1)
            return super().act(observations, masks, info_states)

    recording = Recording.of_agents(Game.new(GameConfig(num_players=4), 5), {seat: Counting(seat) for seat in range(4)})
    walker = walked(recording, "", "", "b")
    assert len(asked) == 2
    assert "Step 2, from above" in walker.screen.text
    walker.screen.lines = ["e"]
    walker.walk()
    assert recording.position(walker.view.places[-1]).log.above() == played().log.above()
    assert f"Step {walker.step} of {walker.step}, from above" in walker.screen.text


def test_playing_on_shows_every_step(game, recording):
    watcher = Watcher(recording, Typed())
    watcher.play(0.0)
    assert watcher.screen.text.count(", from above\n") == len(game.replay().answers) + 1


# ---------------------------------------------------------------- files


@pytest.fixture(scope="module")
def short(tmp_path_factory):
    """A file of 12 answers, and the replay in it."""
    game = Game.new(GameConfig(num_players=4), 3)
    for _ in range(12):
        game.act(game.legal_actions()[-1])
    file = tmp_path_factory.mktemp("files") / "short.json"
    game.replay().save(file)
    return file, game.replay()


def problem_of(file, text):
    """Why a file with this text cannot be watched to its end."""
    file.write_text(text, "utf-8")
    try:
        problem = Recording.load(file).problem
    except ReplayError as error:
        problem = error
    assert problem is not None
    assert "\n" not in str(problem)
    assert str(problem).startswith(str(file))
    return str(problem).removeprefix(f"{file}: ")


def test_a_whole_file_has_no_problem(short):
    recording = Recording.load(short[0])
    assert recording.problem is None
    assert recording.ended
    assert recording.steps == 12


def test_a_file_cut_off_at_any_byte_names_the_first_step_that_cannot_be(short, tmp_path):
    file, replay = short
    text = file.read_text("utf-8")
    opening = text.index('"answers": [') + len('"answers": [')
    positions = [(position.asking, position.question) for position in replay.positions()]
    for size in range(len(text)):
        problem = problem_of(tmp_path / "cut.json", text[:size])
        if size < opening:
            marked = '"danmaku_replay"' in text[:size]
            assert problem.startswith(f"{'step 0 cannot be: ' * marked}the replay is not readable JSON")
            continue
        whole = 12 if text[:size].endswith("]") else text[opening:size].count(",")
        seat, question = positions[whole]
        assert problem.startswith(f"step {whole + 1} cannot be: the file cannot be read from there on; seat {seat}")
        assert f" is asked {question!r} and may answer " in problem
        assert problem.endswith(f"`--step {whole}` shows the last position that can be")


@pytest.mark.parametrize("place", [0, 1, 7, 11])
@pytest.mark.parametrize("answer", [261, -1, 10**30])
def test_an_edited_answer_is_the_first_step_that_cannot_be(short, tmp_path, place, answer):
    data = json.loads(short[0].read_text("utf-8"))
    data["answers"][place] = answer
    asked = [(position.asking, position.question) for position in short[1].positions()]
    problem = problem_of(tmp_path / "edited.json", json.dumps(data))
    assert problem.startswith(f"step {place + 1} cannot be: ")
    assert f"is not legal: seat {asked[place][0]} is asked {asked[place][1]!r} and may answer" in problem


def test_answers_that_are_no_numbers(short, tmp_path):
    text = short[0].read_text("utf-8")
    head, numbers = text.split('"answers": [')
    words = numbers.split(", ")
    for junk in ("2.5", '"pass"', "null", "oops", "1e3", "[1]"):
        edited = f'{head}"answers": [{", ".join([*words[:4], junk, *words[5:]])}'
        assert problem_of(tmp_path / "junk.json", edited).startswith("step 5 cannot be: the file cannot be read from there on; seat ")


def test_answers_after_the_end_of_the_game(game, tmp_path):
    data = json.loads(game.replay().to_json())
    last = len(data["answers"])
    data["answers"] += [0, 0]
    problem = problem_of(tmp_path / "long.json", json.dumps(data))
    assert problem.startswith(f"step {last + 1} cannot be: the game is over (won), nobody is asked any more")


@pytest.mark.parametrize(
    ("config", "reason"),
    [
        ({"num_players": 12}, "num_players must be a whole number from 4 to 8, not 12"),
        ({"players": 4}, "unknown option 'players'"),
        (7, "the replay is damaged"),
    ],
)
def test_a_wrong_configuration(short, tmp_path, config, reason):
    data = json.loads(short[0].read_text("utf-8"))
    problem = problem_of(tmp_path / "config.json", json.dumps({**data, "config": config}))
    assert problem.startswith("step 0 cannot be: ")
    assert reason in problem


def test_another_configuration_or_seed_than_the_game_was_played_with(game, tmp_path):
    """The answers then belong to another game: some step cannot be, and it is the one at which the replay fails too."""
    data = json.loads(game.replay().to_json())
    for change in ({"config": {**data["config"], "num_players": 6}}, {"seed": 77}):
        text = json.dumps({**data, **change})
        problem = problem_of(tmp_path / "other.json", text)
        with pytest.raises(ReplayError) as failed:
            Replay.from_json(text).play()
        answer = int(str(failed.value).split()[1])
        assert problem.startswith(f"step {answer + 1} cannot be: ")


def test_a_good_beginning_can_be_looked_at(short, tmp_path):
    data = json.loads(short[0].read_text("utf-8"))
    data["answers"][8] = 261
    file = tmp_path / "edited.json"
    file.write_text(json.dumps(data), "utf-8")
    recording = Recording.load(file)
    assert recording.steps == 8
    assert "is asked" in screen_of(recording, None, 8)
    assert not View(recording, None).find(9)


# ---------------------------------------------------------------- files of other rules


def test_a_file_of_other_rules_is_refused_unless_it_is_wished(short, tmp_path):
    """Also one that breaks off."""
    data = json.loads(short[0].read_text("utf-8"))
    for text in (whole := json.dumps(data | {"rules": "9b992b469dd8"}), whole[:-6]):
        (tmp_path / "other.json").write_text(text, "utf-8")
        sentence = f"the replay {tmp_path}/other.json was made under the rules 9b992b469dd8, and these are the rules {rules_fingerprint()}"
        with pytest.raises(OtherRules, match=sentence):
            Recording.load(tmp_path / "other.json")
        recording = Recording.load(tmp_path / "other.json", other_rules=True)
        assert recording.steps >= 10
        assert (recording.problem is None) == (text == whole)


def test_a_recording_that_goes_astray_names_the_rules(game, tmp_path):
    data = json.loads(game.replay().to_json()) | {"rules": "9b992b469dd8"}
    losers = [seat for seat in range(4) if seat not in data["winners"]]
    changes = ({"winners": losers}, {"answers": data["answers"][:-1]}, {"answers": [*data["answers"][:4], 261]})
    for change, reason in zip(changes, ("after the last answer seat", "it is not over", "step 5 cannot be"), strict=True):
        (tmp_path / "other.json").write_text(json.dumps(data | change), "utf-8")
        problem = str(Recording.load(tmp_path / "other.json", other_rules=True).problem)
        assert reason in problem
        assert f"(it was made under the rules 9b992b469dd8, and these are {rules_fingerprint()}): " in problem


def test_the_command_compares_the_rules(short, tmp_path):
    file, data = tmp_path / "other.json", json.loads(short[0].read_text("utf-8"))
    file.write_text(json.dumps(data | {"rules": "9b992b469dd8"}), "utf-8")
    for more in (["--step", "3"], ["--html", str(tmp_path / "page.html")]):
        refused = command("watch", str(file), *more)
        assert refused.exit_code == BAD_USAGE
        (line,) = refused.stderr.splitlines()
        assert line.startswith(f"danmaku: the replay {file} was made under the rules 9b992b469dd8, and these are the rules ")
        assert line.endswith("or try it under these rules with --other-rules")
        assert command("watch", str(file), *more, "--other-rules").exit_code == 0
    assert "give its file" in command("watch", "--other-rules").stderr
    del data["rules"]
    file.write_text(json.dumps(data), "utf-8")
    read = command("watch", str(file), "--step", "3")
    assert read.exit_code == 0
    (line,) = read.stderr.splitlines()
    assert line.startswith("danmaku: the replay does not say which rules made it")


# ---------------------------------------------------------------- beliefs


def test_watch_shows_what_the_seat_believes(recording):
    belief_models = belief_models_of(["heuristic"])
    watcher = Watcher(recording, Typed("g 60", "beliefs", "seat 1", "beliefs", "q"), belief_models=belief_models)
    watcher.walk()
    above, _, mine = watcher.screen.text.partition("What heuristic would believe in this place")
    assert above.count("What heuristic would believe in everybody's place") == 1
    assert "S Stage Boss" in above
    assert re.search(r"^seat 0 .* [RPSE] \d+ %", above, re.MULTILINE)
    assert max(map(len, above.splitlines())) <= 120
    assert "Heroine" in mine
    assert "100 %" in mine
    assert mine.count("would believe") == 0


def test_without_belief_models_watch_says_so(recording):
    assert "Nobody here says what to believe" in walked(recording, "beliefs", "q").screen.text
