"""A language model as an agent, against a stub that speaks the usual JSON of chat completions."""

import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from danmaku_env import Game, GameConfig, Scenario
from danmaku_env.agents import registry
from danmaku_env.agents.base import answer
from danmaku_env.agents.language_model import LanguageModelAgent, play_games, read_answer

CONFIG = GameConfig(num_players=4, characters="none", max_turns=3)


@pytest.fixture
def stub():
    """A model that says what `replies` has in turn, then passes or takes the last answer it is told; it keeps what it was asked."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            model.asked.append(asked)
            reply = model.replies.pop(0) if model.replies else last_answer(asked["messages"][1]["content"])
            if isinstance(reply, int):
                self.send_response(reply)
                self.end_headers()
                return
            body = json.dumps({"choices": [{"message": {"content": reply}}], "usage": {"prompt_tokens": 1000, "completion_tokens": 10}})
            self.send_response(200)
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_):
            """Say nothing."""

    model = HTTPServer(("127.0.0.1", 0), Handler)
    model.asked, model.replies = [], []
    model.url = f"http://127.0.0.1:{model.server_port}/v1"
    thread = threading.Thread(target=model.serve_forever, daemon=True)
    thread.start()
    yield model
    model.shutdown()
    model.server_close()
    thread.join()


def last_answer(text):
    return text.rpartition("\n- ")[2].partition(" (")[0]


def table():
    scene = Scenario(num_players=4).seat(0, role="heroine", hand=["shoot", "voile"]).seat(1, role="stage_boss")
    return scene.seat(2, role="stage_boss").seat(3, role="ex_boss").turn(0, step="main").build(seed=1)


def test_it_is_told_the_table_and_its_answer_is_played(stub):
    stub.replies[:] = ["The Heroine should attack.\n\nplay shoot"]
    game, agent = table(), LanguageModelAgent(stub.url, "m", price_in=1.0, price_out=10.0)
    game.act(answer(agent, game))
    assert game.question == "target"
    assert stub.asked[0]["messages"][1]["content"] == table().describe(0)
    assert "Your goal: " in stub.asked[0]["messages"][1]["content"]
    assert (agent.usage.calls, agent.usage.tokens_in, agent.usage.cost) == (1, 1000, pytest.approx(0.0011))


def test_what_names_no_answer_is_asked_again(stub):
    stub.replies[:] = ["I attack everybody!", 503, "`play voile`"]
    game, agent = table(), LanguageModelAgent(stub.url, "m")
    assert answer(agent, game) == game.legal_actions()[game.legal().index("play voile")]
    assert "That names no legal answer" in stub.asked[1]["messages"][-1]["content"]
    assert (agent.usage.unread, agent.usage.failed, agent.usage.random) == (1, 1, 0)


def test_after_some_attempts_it_answers_at_random_and_counts_that(stub):
    stub.replies[:] = ["no"] * 2
    game, agent = table(), LanguageModelAgent(stub.url, "m", attempts=2)
    assert answer(agent, game) in game.legal_actions()
    assert (agent.usage.unread, agent.usage.random) == (2, 1)


def test_a_refused_key_is_a_sentence(stub):
    stub.replies[:] = [401]
    with pytest.raises(Exception, match="refuses to answer: 401"):
        answer(LanguageModelAgent(stub.url, "m"), table())


def test_whole_games_are_played_and_each_has_its_cost(stub, capsys):
    play_games(LanguageModelAgent(stub.url, "m", price_in=1.0), 2, CONFIG)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("game 0: ")
    questions = [int(line.partition("; ")[2].partition(" ")[0]) for line in lines[:2]]
    assert f"cost {sum(questions) / 2 / 1000:.4f} a game; 0 of {sum(questions)} answered at random" in lines[2]
    assert len(stub.asked) == sum(questions)


def test_it_is_an_agent_by_name(stub):
    game = Game.new(CONFIG, 1)
    agent = registry.make(f"danmaku_env.agents.language_model:LanguageModelAgent:url={stub.url},model=m", 0)
    assert answer(agent, game) in game.legal_actions()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"url": "localhost"}, "url is the address"),
        ({"key": "NO_SUCH_KEY_HERE"}, "no environment variable"),
        ({"attempts": 0}, "at least one"),
    ],
)
def test_options_that_make_no_sense_are_refused(options, words):
    with pytest.raises(ValueError, match=words):
        LanguageModelAgent(**{"url": "http://localhost", "model": "m", **options})


@pytest.mark.parametrize(
    ("reply", "name"),
    [
        ("pass", "pass"),
        ("choose seat:2 or pass?\nchoose seat:2", "choose seat:2"),
        ("**Pass**", "pass"),
        ("Answer: **pass**", "pass"),
        ("**Answer:** `choose seat:2`.", "choose seat:2"),
        ("__answer__: Pass", "pass"),
        ("pass\nThat is it.", "pass"),
        ("", None),
    ],
)
def test_the_last_line_that_is_an_answer_counts(reply, name):
    legal = {"pass": 0, "choose seat:2": 5}
    assert read_answer(reply, legal) == legal.get(name)
