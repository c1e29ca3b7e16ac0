"""Whatever an agent of somebody's own raises is its own fault, in one line of letters; Ctrl-C is the person's."""

import os
import signal
import threading

import numpy as np
import pytest

from danmaku_env import Game, GameConfig
from danmaku_env.agents import registry
from danmaku_env.agents.base import AnswerError, answer, beliefs_of, play_out, probabilities_of, reset
from danmaku_env.agents.by_faction import deduced
from danmaku_env.agents.user_code import TimeUp, UserCode, words_of
from danmaku_env.arena.matches.match import Job, play
from danmaku_env.arguments import printable
from danmaku_env.console.errors import UserError
from danmaku_env.info_states import InfoStates
from danmaku_env.play.game_in_play import GameInPlay
from tests.arena.bad_agents import WordlessError

BAD = "tests.arena.bad_agents"
RAISED = {
    "wordless": "WordlessError: what it says cannot be said",
    "ctrl-c": "KeyboardInterrupt",
    "exit": "SystemExit: \ufffd[31mred lines",
    "generator": "GeneratorExit",
    "stop": "StopIteration",
    "memory": "MemoryError",
    "base": "BaseException: gone",
}
CONFIG = GameConfig(num_players=4)


@pytest.fixture(autouse=True)
def ctrl_c_is_heard_as_in_a_command():
    def hear(number, frame):
        signal.default_int_handler(number, frame)

    before = signal.signal(signal.SIGINT, hear)
    yield
    signal.signal(signal.SIGINT, before)


def quitting(does, what):
    return registry.make(f"{BAD}:Quitting:does={does},what={what}", 0)


@pytest.mark.parametrize("what", RAISED)
def test_whatever_an_agent_raises_is_said_of_it(what):
    game = Game.new(CONFIG, 3)
    for does, doing, entry_point in (
        ("act", "played", lambda agent: answer(agent, game)),
        ("reset", "was reset", lambda agent: reset(agent, 1)),
        ("weigh", "was asked for its probabilities", lambda agent: probabilities_of(agent, np.zeros((1, 9)), np.ones((1, 2)), None)),
        ("believe", "was asked for its belief", lambda agent: beliefs_of(agent, np.zeros((1, 9)), InfoStates(game.records, [0], CONFIG))),
    ):
        with pytest.raises(AnswerError) as raised:
            entry_point(quitting(does, what))
        assert str(raised.value) == f"the agent 'first' failed while it {doing}: {RAISED[what]}"
    with pytest.raises(registry.AgentError) as raised:
        quitting("made", what)
    assert str(raised.value).endswith(f"cannot be made: {RAISED[what]}")


@pytest.mark.parametrize("what", RAISED)
def test_the_referee_notes_it_and_the_games_go_on(what):
    for does, words in (("act", RAISED[what]), ("reset", f"in reset: {RAISED[what]}")):
        agents = [quitting(does, what), registry.make("random", 1)]
        (result,) = play([Job((0,), 300, (0, 1, 0, 1))], agents, CONFIG)
        assert [(fault.agent, fault.kind, fault.words) for fault in result.faults] == [(0, "raised", words)]


def test_what_comes_from_outside_passes_through():
    def refused(error):
        raise AssertionError(error)

    for raising in (lambda: os.kill(os.getpid(), signal.SIGINT), lambda: signal.raise_signal(signal.SIGINT)):
        with pytest.raises(KeyboardInterrupt), UserCode(refused):
            raising()
    with pytest.raises(TimeUp), UserCode(refused):
        raise TimeUp
    signal.signal(signal.SIGINT, signal.default_int_handler)  # nothing tells one from another
    with pytest.raises(KeyboardInterrupt), UserCode(refused):
        raise KeyboardInterrupt


def test_in_a_thread_nobody_pressed_ctrl_c():
    signal.signal(signal.SIGINT, signal.default_int_handler)
    said = []

    def ask():
        try:
            answer(quitting("act", "ctrl-c"), Game.new(CONFIG, 3))
        except AnswerError as error:
            said.append(str(error))

    thread = threading.Thread(target=ask)
    thread.start()
    thread.join()
    assert said == ["the agent 'first' failed while it played: KeyboardInterrupt"]


def test_at_a_practice_table_the_agent_that_cannot_be_reset_is_named():
    agents = {seat: quitting("reset", "base") if seat == 2 else registry.make("random", seat) for seat in range(4)}
    in_play = GameInPlay(Game.new(CONFIG, 3), agents, practice=True)
    with pytest.raises(AnswerError, match="the agent 'first' failed while it was reset: BaseException: gone"):
        in_play.agents_answer()
    assert in_play.game.asking == 2
    with pytest.raises(AnswerError):
        play_out(in_play.game, [quitting("act", "base")] * 4)


def test_a_belief_and_a_policy_that_are_none_are_refused():
    with pytest.raises(UserError, match=r"the agent 'first' must state its belief as numbers of shape \(1, 8, "):
        deduced(Game.new(CONFIG, 3), 0, quitting("never", ""))
    with pytest.raises(AnswerError, match=r"the agent 'first' must state its probabilities as numbers from 0 to 1 of shape \(1, 2\)"):
        probabilities_of(quitting("never", ""), np.zeros((1, 9)), np.ones((1, 2)), None)


@pytest.mark.parametrize("stated", [[0.0, 0.0, 0.0], [0.5, 0.4, 0.0], [0.5, 0.0, 0.5]], ids=["nothing", "too little", "not legal"])
def test_probabilities_that_miss_one_over_the_legal_answers_are_refused(stated):
    """Likelihoods go by them: an answer that is given would count as impossible. Rounding is none of their fault."""
    agent, asked = quitting("never", ""), (np.zeros((1, 9)), np.array([[1, 1, 0]]), None)
    agent.probabilities = lambda *_: np.array([[0.25, 0.75 + 1e-9, 0.0]])
    assert probabilities_of(agent, *asked)[0, 0] == 0.25
    agent.probabilities = lambda *_: np.array([stated])
    with pytest.raises(AnswerError, match="the agent 'first' must state probabilities that sum to 1 over the legal answers"):
        probabilities_of(agent, *asked)


def test_words_are_letters_that_can_be_printed():
    assert printable("a\x1b[2J\nb\u202ec\ud800\u2028d") == "a\ufffd[2J b\ufffdc\ufffd d"
    assert words_of(WordlessError()) == RAISED["wordless"]
    assert len(words_of(ValueError("x" * 10_000))) == 1000


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Signed", "cannot be made: TypeError: unexpected object 5 in __signature__ attribute"),
        ("Abstract", "cannot be made: TypeError: Can't instantiate abstract class Abstract"),
        ("Unmakeable", "cannot be made: GeneratorExit"),
        ("Nameless", "cannot be made: SystemExit: 3"),
        ("Elsewhere", "cannot be made: ValueError: \ufffd[2JElsewhere"),
        ("Hinted:pth=1", "'pth' is not an option"),
    ],
)
def test_odd_classes_are_refused_in_a_sentence(name, words):
    with pytest.raises(registry.AgentError) as raised:
        registry.make(f"{BAD}:{name}", 0)
    assert words in str(raised.value)


def test_odd_names_are_said_in_letters():
    assert registry.make(f"{BAD}:Half", 0).name == "half\ufffd \ufffd]0;title\ufffd\ufffd"
    assert registry.make(f"{BAD}:Hinted:path=1", 0).name == "hinted1"
    assert registry.fingerprint(f"{BAD}:Half")


@pytest.mark.parametrize("what", ["KeyboardInterrupt", "GeneratorExit", "SystemExit(3)", "StopIteration", "1 / 0", "open('nowhere')"])
def test_a_module_that_leaves_when_it_is_imported_is_named(what, tmp_path, monkeypatch):
    (tmp_path / "leaving_bot.py").write_text(f"raise {what}")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", list(registry.sys.path))
    for entry_point in (registry.fingerprint, lambda spec: registry.make(spec, 0)):
        with pytest.raises(registry.AgentError, match="the agent 'leaving_bot:Bot' cannot be imported: "):
            entry_point("leaving_bot:Bot")
