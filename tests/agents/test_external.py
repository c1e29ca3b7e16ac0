"""`exec:COMMAND`: a process that answers JSON lines, and every way in which it can fail to."""

import copy
import gc
import json
import os
import pickle
import re
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path

import gymnasium
import numpy as np
import pytest

from danmaku_env import Game, GameConfig, Scenario
from danmaku_env.agents import external, registry
from danmaku_env.agents.base import answer
from danmaku_env.arena.matches.match import Job, RefereeSettings, play
from danmaku_env.info_states import InfoStates
from danmaku_env.jit.kernels import JIT
from danmaku_env.render.message import message
from danmaku_env.render.table_view import table_view
from tests.engine import test_secrecy as secrecy
from tests.redealt import leaking, observer_at

ROOT = Path(__file__).resolve().parent.parent.parent
CONFIG = GameConfig(num_players=4, characters="random", max_turns=20)
ANSWERING = """
import json, os, subprocess, sys, time
for line in sys.stdin:
    told = json.loads(line)
    if told["message"] == "start":
        seed = told["seed"]
        continue
    names = list(told["answers"])
    {body}
    print(json.dumps({{"answer": name}}), flush=True)
"""

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the commands of these tests are those of a POSIX system")


@pytest.fixture
def bot(tmp_path):
    """A command that answers like this."""

    def written(body="name = names[0]", text=ANSWERING):
        path = tmp_path / f"bot_{len(list(tmp_path.iterdir()))}.py"
        path.write_text(text.format(body=body.replace("\n", "\n    ")) if text is ANSWERING else text, "utf-8")
        return f"exec:{sys.executable} -S {path}"

    return written


def ask(spec, seed=1):
    """What the bot itself answers, or raises."""
    game = Game.new(CONFIG, 3)
    info_states = InfoStates(game.records, np.array([game.asking]), game.config)
    return int(registry.make(spec, seed).act(game.observe(game.asking)[np.newaxis], game.action_mask()[np.newaxis], info_states)[0])


def alive(pid):
    """Whether a process runs: neither gone nor only waiting for somebody to ask how it ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def ends(pid, seconds=5.0):
    until = time.monotonic() + seconds
    while alive(pid) and time.monotonic() < until:
        time.sleep(0.01)
    return not alive(pid)


# ---------------------------------------------------------------- one that plays


def test_a_process_plays_whole_games(bot):
    jobs = [Job((place,), 300 + place, (0, 1, 0, 1)) for place in range(3)]
    results = list(play(jobs, [registry.make(bot(), 1), registry.make("random", 1)], CONFIG))
    assert len(results) == 3
    assert not any(result.faults for result in results)


def test_it_is_told_the_seed_and_begins_anew_with_every_reset(bot, tmp_path):
    spec = bot(f"open({str(tmp_path / 'told')!r}, 'a').write(f'{{seed}} {{told[\"number\"]}} ')\nname = names[0]")
    agent, game = registry.make(spec, 5), Game.new(CONFIG, 3)
    answer(agent, game)
    answer(agent, game)
    agent.reset(6)
    answer(agent, game)
    assert (tmp_path / "told").read_text() == "5 1 5 2 6 1 "


def test_a_language_model_gets_the_table_in_prose(bot, tmp_path):
    spec = bot(f"json.dump(told, open({str(tmp_path / 'told')!r}, 'w'))\nname = names[-1]")
    game = Game.new(CONFIG, 3)
    chosen = answer(registry.make(spec, 5), game)
    told = json.loads((tmp_path / "told").read_text())
    assert chosen == game.legal_actions()[-1]
    assert list(told["answers"]) == game.legal()
    assert told["text"] == game.describe(game.asking)
    assert told["log"] == list(game.log.of(game.asking))[-len(told["log"]) :]
    assert (told["seat"], told["players"], told["question"]) == (game.asking, 4, game.question)


def test_every_field_of_the_message_is_on_its_page():
    page = (ROOT / "docs" / "exec.md").read_text("utf-8")
    game = Game.new(CONFIG, 3)
    told = message(table_view(game, game.asking))
    for name in (*told, *told["seats"][0], *told["turn"]):
        assert f"`{name}`" in page, name


@pytest.fixture
def bot_of_the_page(tmp_path):
    if shutil.which("node") is None:
        pytest.skip("there is no node here")
    (code,) = re.findall(r"^```javascript\n(.*?)^```$", (ROOT / "docs" / "exec.md").read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert len(code.splitlines()) <= 40
    (tmp_path / "bot.js").write_text(code, "utf-8")
    return registry.make(f"exec:node {tmp_path / 'bot.js'}", 1)


def test_the_bot_of_the_page_heals_itself_when_it_is_hurt(bot_of_the_page):
    table = Scenario(num_players=4).seat(0, role="heroine", hand=["one_up"], life=1).seat(1, role="stage_boss", life=2)
    game = table.turn(0, step="main").build(seed=1)
    for _ in ("the card", "and for whom"):
        game.act(answer(bot_of_the_page, game))
    assert (game.seat(0).life, game.seat(1).life) == (2, 2)


def test_the_bot_of_the_page_beats_nobody_but_plays(bot_of_the_page):
    agents = [bot_of_the_page, registry.make("random", 1)]
    games = 12 if JIT else 1
    results = list(play([Job((place,), 300 + place, (0, 1, 0, 1)) for place in range(games)], agents, CONFIG))
    assert len(results) == games
    assert [result.faults for result in results] == [()] * games


@pytest.mark.parametrize("players", secrecy.PLAYERS)
def test_dealing_the_unseen_again_changes_no_letter_of_a_question(players):
    def told(game, seat):
        return json.dumps(message(table_view(game, seat)))

    for step, games in enumerate(secrecy.decision_points(players, 400 if JIT else 20)):
        assert leaking(games, observer_at(games, step, players), step, told) is None


# ---------------------------------------------------------------- one that fails

FAILING = {
    "dies": ("sys.exit(3)", "ended with exit status 3"),
    "dies with a word": ("sys.stderr.write('no such weights\\n'); sys.exit(3)", "ended with exit status 3: no such weights"),
    "is killed": ("os.kill(os.getpid(), 9)", "was ended by signal 9"),
    "closes its output": ("os.close(1); time.sleep(60)", "closed its output without an answer"),
    "writes garbage": ("print('shoot!', flush=True); time.sleep(60)", "a line that is not JSON: 'shoot!'"),
    "writes bytes that are no text": ("os.write(1, b'\\xff\\xfe\\n'); time.sleep(60)", "a line that is not JSON"),
    "writes a list": ("print('[1]', flush=True); time.sleep(60)", "not of the form"),
    "writes brackets": ("print('[' * 60000, flush=True); time.sleep(60)", "a line that is not JSON"),
    "writes a number": ("name = 3", "not of the form"),
    "writes no name of an answer": ("name = 'play chess'", "'play chess', which is the name of no answer"),
    "writes a seat beyond the table": ("name = 'choose seat:7'", "which is the name of no answer"),
    "writes without end": ("while True: os.write(1, b'x' * 4096)", "wrote a line of more than 65536 bytes"),
    "writes too long a line": (
        "print(json.dumps({'answer': 'x' * 65536}), flush=True); time.sleep(60)",
        "wrote a line of more than 65536 bytes",
    ),
    "writes what a terminal would do": ("sys.stderr.write('\\x1b[2J\\u202eno\\n'); sys.exit(3)", "status 3: \ufffd[2J\ufffdno"),
    "writes two lines": ('os.write(1, b\'{"answer": "pass"}\\n{}\\n\'); time.sleep(60)', "more than one line"),
    "writes nothing": ("time.sleep(60)", "did not answer within 0.5 s"),
    "writes nothing but words about itself": ("while True: sys.stderr.write('thinking ')", "did not answer within 0.5 s"),
}


@pytest.mark.parametrize("how", FAILING)
def test_a_process_that_fails_is_a_fault_with_a_sentence(how, bot, monkeypatch):
    monkeypatch.setattr(external, "_PATIENCE", 0.5 if how.startswith("writes nothing") else 10.0)
    monkeypatch.setattr(external, "_LAST_WORDS", 0.5)
    with pytest.raises(external.BotError, match=re.escape(FAILING[how][1])) as raised:
        ask(bot(FAILING[how][0]))
    assert str(raised.value).startswith("the bot '")
    assert "\n" not in str(raised.value)


def test_one_that_does_not_read_is_not_waited_for(bot, monkeypatch):
    monkeypatch.setattr(external, "_PATIENCE", 0.5)
    monkeypatch.setattr(external, "message", lambda seen, log: {"padding": "x" * 10_000_000})
    with pytest.raises(external.BotError, match=r"did not read its question within 0.5 s"):
        ask(bot(text="import time\ntime.sleep(60)"))


def test_one_that_talks_before_it_is_asked_is_refused(bot):
    with pytest.raises(external.BotError, match=r"a line that nobody asked for|more than one line|a line that is not JSON"):
        ask(bot(text="import time\nprint('ready', flush=True)\nprint('ready', flush=True)\ntime.sleep(60)"))


def test_a_second_line_that_comes_late_is_not_taken_for_the_next_answer(bot):
    game = Game.new(CONFIG, 3)
    question = game.observe(game.asking)[np.newaxis], game.action_mask()[np.newaxis], InfoStates(game.records, [game.asking], game.config)
    agent = registry.make(bot("print(json.dumps({'answer': names[0]}), flush=True); time.sleep(0.1); name = 'pass'"), 1)
    agent.act(*question)
    assert select.select([agent._process._output], [], [], 20)[0]
    with pytest.raises(external.BotError, match=r"wrote a line that nobody asked for: .*pass"):
        agent.act(*question)


def test_what_it_writes_about_itself_does_not_hold_it_up(bot):
    assert ask(bot("sys.stderr.write('thinking ' * 100_000)\nname = names[0]")) >= 0


@pytest.mark.parametrize(
    "written",
    ["f' {name} '", "name.upper()", "name.title()", "name.replace('_', ' ')", "name.replace(' ', '').replace(':', ' : ')", r"'\t' + name"],
)
def test_capitals_and_blanks_do_not_matter(bot, written):
    expected = Game.new(CONFIG, 3).legal_actions()[-1]
    assert ask(bot(f"name = names[-1]\nname = {written}")) == expected


def test_an_answer_that_is_not_legal_now_is_an_illegal_answer(bot):
    agents = [registry.make(bot("name = 'choose season:spring'"), 1), registry.make("random", 1)]
    (result,) = play([Job((0,), 300, (0, 1, 0, 1))], agents, CONFIG)
    assert [(fault.agent, fault.kind) for fault in result.faults] == [(0, "illegal")]
    assert "choose season:spring" in result.faults[0].words


def test_the_referee_says_who_failed_and_the_next_game_begins_with_a_new_process(bot):
    agents = [registry.make(bot("if told['turn']['number'] > 2: sys.exit('giving up')\nname = names[0]"), 1), registry.make("random", 1)]
    results = list(play([Job((place,), 300 + place, (0, 1, 0, 1)) for place in range(2)], agents, CONFIG, rows=1))
    assert [[(fault.agent, fault.kind) for fault in result.faults] for result in results] == [[(0, "raised")], [(0, "raised")]]
    assert all("BotError: the bot" in result.faults[0].words and "giving up" in result.faults[0].words for result in results)


def test_the_referees_clock_interrupts_it_and_a_late_answer_is_nobodys(bot, tmp_path):
    note = str(tmp_path / "pid")
    body = f"open({note!r}, 'w').write(str(os.getpid()))\nif told['number'] == 3: time.sleep(60)\nname = names[0]"
    agents = [registry.make(bot(body), 1), registry.make("random", 1)]
    (result,) = play([Job((0,), 300, (0, 1, 0, 1))], agents, CONFIG, settings=RefereeSettings(time_limit=1.0))
    assert [(fault.agent, fault.kind) for fault in result.faults] == [(0, "slow")]
    assert ends(int(Path(note).read_text()))


# ---------------------------------------------------------------- no process is left

FAMILY = "child = subprocess.Popen(['sleep', '60'])\nopen({note!r}, 'w').write(f'{{os.getpid()}} {{child.pid}}')\nname = names[0]"


def test_a_process_ends_with_its_agent_and_so_do_its_children(bot, tmp_path):
    note = str(tmp_path / "pids")
    agent = registry.make(bot(FAMILY.format(note=note)), 1)
    answer(agent, Game.new(CONFIG, 3))
    pids = [int(word) for word in Path(note).read_text().split()]
    assert all(map(alive, pids))
    del agent
    gc.collect()
    assert all(map(ends, pids))


def env_against(spec):
    """An environment in which the bot has been asked."""
    env = gymnasium.make("danmaku_env:danmaku/Basic4-v0", opponents=spec).unwrapped
    env.reset(seed=3)
    walk(env)
    return env


def walk(env, steps=3):
    for _ in range(steps):
        if env.step(int(env.action_masks().argmax()))[2]:
            env.reset()


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copied_environment_starts_a_process_of_its_own(bot, copied):
    env = env_against(bot())
    other = copied(env)
    walk(other)
    walk(env)
    (mine,), (theirs,) = ([one.agent._process._process.pid for one in here.opponents] for here in (env, other))
    assert mine != theirs
    env.close()
    walk(other)


def test_closing_an_environment_ends_the_process_and_playing_on_starts_another(bot, tmp_path):
    env = env_against(bot(f"open({str(tmp_path / 'pids')!r}, 'a').write(f'{{os.getpid()}}\\n')\nname = names[0]"))
    env.close()
    env.close()
    (pid,) = set((tmp_path / "pids").read_text().split())
    assert ends(int(pid))
    walk(env)
    assert len(set((tmp_path / "pids").read_text().split())) == 2


def test_a_forked_process_leaves_the_bot_of_its_parent_alone(bot):
    """Neither letting go of it there nor playing on is noticed here."""
    env = env_against(bot())
    child = os.fork()
    if child == 0:
        walk(env)
        del env
        gc.collect()
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    before = env.opponents[0].agent._process
    walk(env)
    assert env.opponents[0].agent._process is before


def test_a_process_ends_when_the_program_that_started_it_is_killed(bot, tmp_path):
    note = str(tmp_path / "pids")
    spec = bot(FAMILY.format(note=note))
    code = (
        "import time; from danmaku_env import Game; from danmaku_env.agents import registry; from danmaku_env.agents.base import answer\n"
        f"agent = registry.make({spec!r}, 1); answer(agent, Game.new(4, 3)); print('asked', flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, cwd=ROOT) as parent:
        assert parent.stdout.readline() == b"asked\n"
        parent.kill()
    pids = [int(word) for word in Path(note).read_text().split()]
    assert all(map(ends, pids))


# ---------------------------------------------------------------- its name


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("exec", "a command is needed"),
        ("exec:", "a command is needed"),
        ("exec:no_such_command_here --fast", "there is no command 'no_such_command_here'"),
        ("exec:sh 'never ends", "cannot be split into words"),
    ],
)
def test_a_command_that_is_none_is_said_at_once(spec, words):
    with pytest.raises(registry.AgentError, match=words):
        registry.make(spec, 1)


def test_a_command_may_have_commas_and_equal_signs(bot, tmp_path):
    note = str(tmp_path / "words")
    agent = registry.make(bot(f"json.dump(sys.argv[1:], open({note!r}, 'w'))\nname = names[0]") + " a=1,b=2 'c d'", 1)
    answer(agent, Game.new(CONFIG, 3))
    assert json.loads(Path(note).read_text()) == ["a=1,b=2", "c d"]


def test_its_fingerprint_is_that_of_the_files_it_names(bot):
    spec = bot()
    before = registry.fingerprint(spec)
    path = Path(spec.split()[-1])
    path.write_text(path.read_text() + "# changed\n")
    assert registry.fingerprint(spec) != before
