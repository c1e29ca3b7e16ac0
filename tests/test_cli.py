"""The `danmaku` command: what it prints, what it refuses in one sentence, and that a person sees no more than the seat may see."""

import importlib
import io
import os
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import gymnasium
import numpy as np
import pytest
from typer.testing import CliRunner

from danmaku_env import Game, GameConfig, Replay, Scenario
from danmaku_env.agents.base import answer, play_out
from danmaku_env.agents.random import RandomAgent
from danmaku_env.agents.registry import make
from danmaku_env.agents.seating import strongest_quick
from danmaku_env.cards.main_deck import MAIN_CARDS
from danmaku_env.commands import main as cli
from danmaku_env.commands import speed
from danmaku_env.console import errors, startup
from danmaku_env.console.errors import Stopped
from danmaku_env.envs.vector import VectorEnv
from danmaku_env.info_states import InfoState
from tests.command import exit_status

ONES = "1\n" * 3000


def run(*words, text=""):
    return CliRunner().invoke(cli.app, list(words), input=text, prog_name="danmaku")


@pytest.fixture(scope="module")
def replay_file(tmp_path_factory):
    file = tmp_path_factory.mktemp("replays") / "game.json"
    game = play_out(Game.new(GameConfig(num_players=4), 3), [RandomAgent(seat) for seat in range(4)])
    game.replay().save(file)
    return file


# ---------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["juggle"], "juggle"),
        (["play", "--cheat"], "--cheat"),
        (["play", "--players", "3"], "--players"),
        (["play", "--players", "many"], "--players"),
        (["play", "--players"], "--players"),
        (["play", "--seat", "8"], "--seat"),
        (["play", "--players", "4", "--seat", "5"], "there is no seat 5 at a table of 4; the seats are 0 to 3"),
        (["play", "--seed", "-1"], "a seed is a whole number from 0, not -1"),
        (["play", "--seed", "-1"], "a seed is a whole number"),
        (["play", "--seed", "seven"], "--seed"),
        (["play", "--roles", "all"], "--roles"),
        (["play", "--expansion", "lunatic"], "--expansion"),
        (["play", "--players", "7", "--characters", "draft"], "at most 6 players can play so, or play with expansion='lunatic_extra'"),
        (["speed", "--candidates", "5"], "candidates must be a whole number from 2 to 4, not 5"),
        (["play", "--replay", "/nowhere/at/all.json"], "nothing can be written to /nowhere/at/all.json: its folder does not exist"),
        (["play", "--replay", "/proc/game.json"], "nothing can be written to /proc/game.json: "),
        (["play", "extra"], "extra"),
        (["play", "game.json", "--players", "6"], "--players is of a new game: leave it out, or the file"),
        (["play", "game.json", "--bonus-character"], "--bonus-character is of a new game: leave it out, or the file"),
        (["play", "--other-rules"], "--other-rules tries a game that was kept: give its file too"),
        (["watch", "game.json", "-n", "6"], "--players is of a new game: leave it out, or the file"),
        (["watch", "game.json", "--seed", "1"], "--seed is of a new game: leave it out, or the file"),
        (["watch", "game.json", "--against", "random"], "--against is of a new game: leave it out, or the file"),
        (["watch", "/nowhere.json"], "/nowhere.json cannot be read: No such file"),
        (["watch", "."], ". is a folder: name one of its tournament's games"),
        (["watch", "--seat", "6", "--players", "6"], "there is no seat 6 at a table of 6"),
        (["watch", "--delay", "-1"], "--delay"),
        (["watch", "--step", "-1"], "--step"),
        (["watch", "--step", "1", "--delay", "1"], "--step shows one step and --delay plays on: give one of them"),
        (["watch", "--against", "nobody"], "there is no agent 'nobody'"),
        (["play", "--against", "random,nobody"], "there is no agent 'nobody'"),
        (["play", "--against", "random,,random"], "leaves a place empty"),
        (["watch", "--delay", "soon"], "--delay"),
        (["speed", "--games", "0"], "--games"),
        (["speed", "--seconds", "0"], "--seconds"),
        (["bench", "run", "belief-v9", "--agent", "random"], "there is no task 'belief-v9'; the tasks are belief-v1"),
        (["bench", "run", "belief-v1"], "belief-v1 takes one agent (--agent), not 0"),
        (["bench", "run", "cross-v1", "--agent", "random"], "cross-v1 compares several seeds of one trainer"),
        (["bench", "run", "exploit-v1", "--predictions", "x.parquet"], "exploit-v1 is played: it takes an agent, and no predictions"),
        (["bench", "items", "cross-v1"], "cross-v1 is played: it has no items"),
        (["bench", "juggle"], "juggle"),
        (["cards", "sword_of_damocles"], "there is no card 'sword_of_damocles'"),
        (["cards", "grase"], "did you mean graze"),
        (["cards", "msater spark"], "did you mean Master Spark"),
        (["cards", "minihakero"], "did you mean mini_hakkero"),
        (["cards", ""], "there is no card"),
        (["play", "--replay", "a\0b"], "an argument holds the character NUL"),
        (["watch", "a\0b"], "an argument holds the character NUL"),
        (["tournament", "random", "heuristic", "--out", "a\0b"], "an argument holds the character NUL"),
        (["deduce", "--games", str(10**23)], "games must be from 2 to 1,000,000"),
        (["deduce", "--out", __file__], f"nothing can be written to {__file__}: Not a directory"),
        (["deduce", "--games", "1e23"], "--games"),
        (["tournament", "random", "heuristic", "--deals", "1e8"], "--deals"),
        (["tournament", "random", "heuristic", "--players", "4,,5"], "--players takes numbers with commas between"),
        (["tournament", "random", "heuristic", "--players", "\u0664"], "--players takes numbers with commas between"),
        (["bench", "rerun", "--results", "/nowhere"], "there is no folder of results at /nowhere"),
        (["bench", "run", "cross-v1", "--agent", "random", "--agent", "random", "--out", "x" * 300], "nothing can be written to xxx"),
    ],
)
def test_bad_input_is_one_sentence_and_status_2(words, reason):
    result = run(*words)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert reason in result.stderr
    assert result.stderr.startswith("danmaku: ")
    assert result.stderr.count("\n") == 1
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("error", "status", "words"),
    [
        (KeyboardInterrupt(), 130, "danmaku: stopped\n"),
        (Stopped(), 130, ""),
        (MemoryError(), 2, "danmaku: this takes more memory than there is\n"),
        (OSError(28, "No space left on device", "game.json"), 2, "danmaku: game.json: No space left on device\n"),
    ],
)
def test_whatever_ends_a_command_is_one_line(monkeypatch, error, status, words):
    def fail(*_, **__):
        raise error

    monkeypatch.setattr(speed, "make_vec", fail)
    result = run("speed")
    assert (result.exit_code, result.stderr) == (status, words)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(
    ("words", "said"),
    [(["cards"], "No space left on device"), (["--version"], "No space left on device"), (["cards", "nobody"], "there is no")],
)
def test_output_that_goes_nowhere_is_said(words, said, unbuffered):
    with Path("/dev/full").open("w") as full:
        command, env = [sys.executable, "-m", "danmaku_env", *words], {**os.environ, "PYTHONUNBUFFERED": unbuffered}
        done = subprocess.run(command, env=env, stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith(f"danmaku: {said}")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("columns", ["0", "000", "99999999999", "\u00b2"])
def test_a_width_that_cannot_be_is_as_none(monkeypatch, columns):
    monkeypatch.delenv("COLUMNS", raising=False)
    usual = run("cards", "graze").stdout
    monkeypatch.setenv("COLUMNS", columns)
    assert run("cards", "graze").stdout == usual
    assert "graze" in usual


PATHS = [
    ["record", "--games", "1", "--out"], ["deduce", "--out"], ["tournament", "random", "heuristic", "--out"], ["watch", "--html"],
    ["play", "--replay"], ["serve", "--games"],
]  # fmt: skip


@pytest.mark.parametrize("words", PATHS, ids=lambda words: words[0])
@pytest.mark.parametrize(("path", "why"), [("", "is needed, not ''"), (" ", "is needed, not ' '"), ("x ", "begins or ends with a blank")])
def test_blanks_are_no_path(words, path, why, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = run(*words, path)
    assert result.exit_code == 2
    assert why in result.stderr
    assert result.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_replay_may_have_a_blank_in_its_name(replay_file, tmp_path):
    odd = tmp_path / "game .json "
    odd.write_bytes(replay_file.read_bytes())
    assert run("watch", str(odd), "--step", "1").exit_code == 0
    assert "is needed, not ''" in run("watch", "").stderr


def test_no_further_thread_is_a_sentence(monkeypatch):
    def refuse(*_, **__):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(speed, "make_vec", refuse)
    assert run("speed").stderr == "danmaku: no further thread can be started: the system allows this user no more\n"


@pytest.mark.parametrize(
    ("program", "words", "ours"),
    [
        ("-m", ["python", "-m", "danmaku_env.commands.main", "speed"], True),
        ("-m", ["python", "-X", "dev", "-m", "danmaku_env"], True),
        ("-m", ["python", "-m", "pytest"], False),
        ("-m", ["python", "-mdanmaku_env.training.ppo"], True),
        ("-m", ["python", "-um", "danmaku_env"], True),
        ("-m", ["python", "-W", "error", "-Xdev", "-ImMODULE", "-m", "danmaku_env"], False),
        ("-m", ["python", "-Wmodule", "--check-hash-based-pycs", "always", "-Imdanmaku_env"], True),
        ("-m", ["python", "mine.py", "-m", "danmaku_env"], False),
        ("-m", ["python", "-um"], False),
        ("/usr/bin/danmaku", ["python", "/usr/bin/danmaku", "speed"], True),
        ("C:/Scripts/danmaku.exe", ["python", "C:/Scripts/danmaku.exe"], True),
        ("mine.py", ["python", "mine.py", "danmaku"], False),
        ("-c", ["python", "-c", "import danmaku_env"], False),
    ],
)
def test_only_our_own_commands_speak_of_ctrl_c(program, words, ours):
    assert startup.is_our_command(program, words) == ours


def test_importing_the_package_changes_nothing_in_the_process():
    """Hooks and signal handlers belong to commands: a program that happens to be called danmaku is none of ours."""
    code = """
import signal, sys
sys.argv, sys.orig_argv = ["danmaku"], ["python", "-m", "danmaku_env"]
def state():
    return sys.excepthook, [signal.getsignal(number) for number in signal.valid_signals()], sys.stdin.errors, sys.stdout.errors
before = state()
import danmaku_env
danmaku_env.make_vec, danmaku_env.danmaku_v0, danmaku_env.game.Replay
import danmaku_env.agents, danmaku_env.commands.main
assert state() == before
"""
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300).stderr == ""


@pytest.mark.parametrize(("before", "said"), [("os.kill(os.getpid(), signal.SIGINT)", "danmaku: stopped\n"), ("pass", "Traceback")])
def test_a_library_that_spoils_ctrl_c_is_not_believed(before, said):
    """NumPy, stopped while it is loaded, says that its installation is broken. Without a Ctrl-C that may be so."""
    code = f"""
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have it ignored in what it runs in the background
sys.argv = ["danmaku"]
from danmaku_env.console import startup
startup.begin()
try:
    {before}
except KeyboardInterrupt:
    pass
raise ImportError("broken")
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert ended.returncode == 1
    assert ended.stderr.startswith(said)


WITHOUT = """
import runpy, sys
sys.modules[sys.argv[1]], sys.argv[0], sys.orig_argv = None, "-m", ["python", "-m", "danmaku_env.training.league"]
from danmaku_env.console import startup
startup.begin()
{then}
"""


@pytest.mark.parametrize(
    ("package", "then", "said"),
    [
        ("torch", "import danmaku_env.training.league", "danmaku: this needs the package torch: pip install 'danmaku-env[train]'\n"),
        ("rich", "import danmaku_env.training.fits.fitting", "danmaku: this needs the package rich: pip install 'danmaku-env[train]'\n"),
        ("numpy.fft", "import numpy.fft", "Traceback"),
        ("danmaku_env.wording", "import danmaku_env.wording", "Traceback"),
    ],
)
def test_what_is_not_installed_is_a_sentence(package, then, said):
    """A part that is missing is another matter, and so is one of ours: there the trace says more."""
    ended = subprocess.run([sys.executable, "-c", WITHOUT.format(then=then), package], capture_output=True, text=True, timeout=300)
    assert ended.returncode == 1
    assert ended.stderr.startswith(said)
    assert ended.stderr == said or said == "Traceback"


def shell(line, **environment):
    """A command line of a shell, in which `danmaku` is this one."""
    command = f"danmaku() {{ '{sys.executable}' -m danmaku_env \"$@\"; }}; {line}"
    return subprocess.run(["bash", "-c", command], capture_output=True, env={**os.environ, **environment})


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8:strict"])
def test_characters_that_an_encoding_lacks_are_replaced(encoding):
    ended = shell("printf '1\\n\\xff\\nq\\n' | danmaku play --seed 1 --against random", PYTHONIOENCODING=encoding)
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert b"You leave the table." in ended.stdout


@pytest.mark.slow
def test_plain_marks_stand_for_what_the_table_is_drawn_with():
    ended = shell("danmaku watch --seed 1 --players 4 --step 30", LC_ALL="C", PYTHONUTF8="0", PYTHONIOENCODING="")
    drawn = shell("danmaku watch --seed 1 --players 4 --step 30", PYTHONIOENCODING="utf-8").stdout.decode()
    assert {"♥", "♡", "▶"} <= set(drawn)
    assert ended.stdout.decode("ascii") == drawn.translate(str.maketrans("♥♡▶×·…", "*->x-~"))


def test_a_stream_of_another_encoding_takes_the_table(monkeypatch):
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    env = gymnasium.make("danmaku/Danmaku-v0", num_players=4, render_mode="human")
    env.reset(seed=1, options={"game": Scenario(num_players=4).turn(0).build(seed=1)})
    monkeypatch.setattr("sys.stdout", stream)
    env.render()
    stream.flush()
    assert b"****" in stream.buffer.getvalue()


@pytest.mark.parametrize(
    "line", ["danmaku --version >&-", "danmaku cards graze >&-", "danmaku play --seed 1 <&- >&-", "danmaku cards 2>&-"]
)
def test_a_closed_stream_is_nothing_to_stumble_over(line):
    ended = shell(line)
    assert (ended.returncode, ended.stderr) == (0, b"")


@pytest.mark.parametrize(
    "streams", ["sys.stdin = sys.stdout = sys.stderr = None", "sys.stdin.close(); sys.stdout.close(); sys.stderr.close()"]
)
def test_a_program_without_streams_can_call_the_command(streams):
    code = f"""
import os, sys
{streams}
from danmaku_env.commands.main import main
for words, status in ((["--version"], 0), (["cards", "graze"], 0), (["cards", "grase"], 2), (["watch", "--step", "1", "--seed", "3"], 0)):
    try:
        main(words)
    except SystemExit as leaving:
        if leaving.code != status:
            os._exit(9)
"""
    assert subprocess.run([sys.executable, "-c", code], capture_output=True).returncode == 0


def test_what_comes_from_outside_reaches_the_terminal_as_letters(replay_file, tmp_path):
    odd = "a\x1b[2J\u202e.html"
    for words in (
        ["watch", odd], ["watch", str(replay_file), "--html", str(tmp_path / odd)], ["watch", "--against", odd], ["cards", odd],
        ["play", "--replay", str(tmp_path / odd), "--against", "tests.arena.bad_agents:Half", "--seed", "1"], ["speed", f"--{odd}"],
        ["tournament", "random", "heuristic", "--out", odd, "--resume"],
        ["watch", "--against", "tests.arena.bad_agents:Quitting:does=act,what=exit"],
    ):  # fmt: skip
        result = run(*words, text="q\n")
        assert len(result.output) > 20
        assert not set(result.output) & set("\x1b\a\u202e\ud800"), words


def test_damaged_replays_are_refused(replay_file, tmp_path):
    text = replay_file.read_text("utf-8")
    damaged = tmp_path / "damaged.json"
    for content, reason in (
        (text[: len(text) // 2].encode(), "cannot be: the file cannot be read from there on; seat "),
        (text[:40].encode(), "step 0 cannot be: the replay is not readable JSON"),
        (b"\xff\x00", "no text file"),
        (b"{}", "this is no replay"),
        (b"[" * 100_000, "not readable JSON"),
        (text.replace('"danmaku_replay": 2', '"danmaku_replay": 3').encode(), "a replay of version 3"),
        (text.replace('"answers": [', '"answers": [261, ').encode(), "step 1 cannot be: 'choose role:"),
    ):
        damaged.write_bytes(content)
        result = run("watch", str(damaged), "--delay", "0")
        assert result.exit_code == 2
        assert reason in result.stderr
        assert result.stderr.count("\n") == 1


def test_a_replay_is_watched_by_the_seats_it_has(replay_file):
    result = run("watch", str(replay_file), "--seat", "4")
    assert result.exit_code == 2
    assert "there is no seat 4 at a table of 4" in result.stderr


def test_training_without_its_packages(monkeypatch):
    def missing(name):
        raise ModuleNotFoundError(name="torch")

    monkeypatch.setattr(errors, "importlib", SimpleNamespace(import_module=missing))  # of the command alone
    result = run("train", "--steps", "10")
    assert result.exit_code == 2
    assert "training needs the package torch: pip install 'danmaku-env[train]'" in result.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("shisoroku", "tournament", "money", "random"), ("utage", "balance", "--deals", "2"), ("tournament", "random", "heuristic"),
        ("deduce",), ("bench", "run", "belief-v1", "--agent", "heuristic"), ("bench", "rerun"), ("bench", "board"),
    ],
    ids=" ".join,
)  # fmt: skip
def test_intervals_without_their_package(monkeypatch, words):
    """It is said before anything is played, though only the end needs it."""

    def missing(name):
        if name.startswith("scipy"):
            raise ModuleNotFoundError(name="scipy")
        return importlib.import_module(name)

    monkeypatch.setattr(errors, "importlib", SimpleNamespace(import_module=missing))
    result = run(*words)
    assert result.exit_code == 2
    extra = "arena,data" if words[:2] in {("bench", "run"), ("bench", "rerun")} else "arena"
    assert f"needs the package scipy: pip install 'danmaku-env[{extra}]'" in result.stderr


# ---------------------------------------------------------------- help, cards, speed, train


def test_help_and_version():
    for words in ([], ["--help"]):
        result = run(*words)
        assert result.exit_code == 0
        assert all(command in result.stdout for command in ("play", "watch", "speed", "bench", "cards", "train"))
    assert run("--version").stdout.startswith("danmaku-env ")
    assert "--seat" in run("play", "--help").stdout


@pytest.mark.parametrize("words", [[], ["bench"]])
def test_help_cuts_no_sentence_about_a_command(words, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    lines = run(*words, "--help").stdout.splitlines()
    listed = lines[lines.index("Commands:") :]
    assert not [line for line in listed if line.rstrip().endswith("...") or len(line) > 80]
    assert listed[-1].rstrip().endswith(".")


def test_the_process_ends_with_the_status(capsys):
    assert exit_status(cli.main, "cards", "nobody") == 2
    assert capsys.readouterr().err.startswith("danmaku: there is no card 'nobody'")
    assert exit_status(cli.main, "cards", "bomb") == 0


def test_cards_lists_everything():
    text = run("cards").stdout
    for card in MAIN_CARDS:
        assert card.id in text


@pytest.mark.parametrize("name", ["mini_hakkero", "Mini-Hakkero", " mini  hakkero", "hakkero"])
def test_cards_finds_one_by_id_or_name(name):
    text = run("cards", name).stdout
    assert text.startswith("Mini-Hakkero (mini_hakkero)\n  item, artifact; 5 points; summer\n")
    assert "program: +3 range." in text


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("cirno", "character; winter; Spell Card: Perfect Freeze"),
        ("perfect freeze", "Cirno (cirno)"),
        ("lily_white", "incident; spring"),
        ("anti-heroine", "Goal:"),
        ("power", "Power (power)"),
        ("lunatic_spell_assist", "Spell Assist (spell_assist)"),
        ("bomb/spring", "Bomb (bomb)"),
    ],
)
def test_cards_knows_characters_incidents_and_roles(name, words):
    assert words in run("cards", name).stdout


def test_bench_lists_the_tasks():
    result = run("bench", "list")
    assert result.exit_code == 0
    assert "belief-v1" in result.stdout
    assert "selfplay-tiny-v1" in result.stdout


def test_speed_measures():
    result = run("speed", "--games", "4", "--seconds", "0.05", "--players", "4")
    assert result.exit_code == 0
    assert "decisions/s" in result.stdout
    assert "numpy" in result.stdout
    assert "numba" in result.stdout


@pytest.mark.parametrize("words", [["speed"], ["shisoroku", "speed"]])
def test_speed_closes_its_batch(monkeypatch, words):
    closed = []
    monkeypatch.setattr(VectorEnv, "close", lambda vec: closed.append(vec))
    assert run(*words, "--games", "4", "--seconds", "0.05").exit_code == 0
    assert len(closed) == 1


def test_train_passes_its_options_on(monkeypatch):
    given = []
    trainer = type("Trainer", (), {"main": staticmethod(lambda *words: given.extend(words) or 3)})
    monkeypatch.setattr(errors, "importlib", SimpleNamespace(import_module=lambda name: trainer))
    result = run("train", "--steps", "10", "--help", "x")
    assert (result.exit_code, given) == (3, [["--steps", "10", "--help", "x"], "danmaku train"])


# ---------------------------------------------------------------- play


def test_a_whole_game_against_agents(tmp_path):
    file = tmp_path / "mine.json"
    words = ("play", "--players", "4", "--seed", "5", "--seat", "2", "--against", "random,tests.test_cli:Last", "--replay", str(file))
    result = run(*words, text=ONES)
    assert result.exit_code == 0
    assert "You are seat 2 of 4; against you: 0 last, 1 random, 3 random." in result.stdout
    assert "You have won." in result.stdout or "You have not won." in result.stdout
    assert "Seed 5." in result.stdout
    game = Replay.load(file).play()
    assert game.over
    assert game.agents == ("last", "random", "person", "random")


@pytest.mark.parametrize("ways", [(), ("--characters", "draft"), ("--characters", "double_threat", "--bonus-character")])
def test_a_whole_game_of_the_expansion_in_the_terminal(ways, tmp_path):
    """Every question of it is asked in words, and the table shows its piles."""
    file = tmp_path / "mine.json"
    words = ("play", "--players", "4", "--seed", "3", "--against", "random", "--expansion", "lunatic_extra", "--replay", str(file))
    result = run(*words, *ways, text=ONES)
    assert result.exit_code == 0
    assert "Lunatic deck " in result.stdout
    assert "You are asked: Before the first turn: put an item into play" in result.stdout
    game = Replay.load(file).play()
    assert game.over
    assert game.config.expansion == "lunatic_extra"
    assert game.config.bonus_character == ("--bonus-character" in ways)


class Last:
    """Gives the last legal answer."""

    name = "last"

    def reset(self, seed):
        pass

    def act(self, observations, masks, info_states=None):
        return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)


def test_without_a_wish_one_plays_against_the_strongest_that_answers_at_once():
    strongest = make(strongest_quick(), 0).name
    assert f"1 {strongest}, 2 {strongest}, " in run("play", "--seed", "5", "--players", "4", text="q\n").stdout


def test_the_same_seed_and_answers_give_the_same_game():
    first, second = (run("play", "--players", "5", "--seed", "8", "--against", "random", text=ONES).stdout for _ in range(2))
    assert first == second


def test_quitting_saves_the_replay_so_far(tmp_path):
    file = tmp_path / "mine.json"
    for text in ("1\nq\n", "1\n"):  # q, or the end of the input
        result = run("play", "--seed", "1", "--against", "random", "--replay", str(file), text=text)
        assert result.exit_code == 0
        assert "You leave the table." in result.stdout
        assert not Replay.load(file).play().over


@pytest.mark.parametrize("words", [("play", "--against", "random", "--replay"), ("watch", "--against", "random", "--html")])
def test_notes_are_not_written_over(words, tmp_path):
    (tmp_path / "notes.txt").write_text("my precious notes")
    result = run(*words, str(tmp_path / "notes.txt"), text="q\n")
    assert (result.exit_code, "is there and would be lost" in result.stderr) == (2, True)
    assert (tmp_path / "notes.txt").read_text() == "my precious notes"


def test_answers_by_number_or_name_and_nonsense():
    result = run("play", "--seed", "1", "--against", "random", text="99\n0\nhello\nchoose character:nobody\n-1\nq\n")
    assert result.stdout.count("That is no answer here: type a number from 1 to 2, or h for help.") == 5
    assert (
        "is Ibuki" in run("play", "--seed", "5", "--players", "4", "--against", "random", text="choose character:ibuki_suika\nq\n").stdout
    )


def test_undo_needs_practice():
    words = ("play", "--seed", "5", "--players", "4", "--against", "random")
    assert "start with --practice" in run(*words, text="1\nu\nq\n").stdout
    assert "Taken back." in run(*words, "--practice", text="1\nu\nq\n").stdout


# ---------------------------------------------------------------- watch


@pytest.mark.parametrize("ended_by", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_that_ends_the_process_saves_the_replay_first(tmp_path, ended_by):
    """And another that comes meanwhile does not prevent it; the game can be gone on with."""
    file = tmp_path / "game.json"
    words = [
        sys.executable,
        "-m",
        "danmaku_env.commands.main",
        "play",
        "-n",
        "4",
        "--seed",
        "3",
        "--against",
        "random",
        "--replay",
        str(file),
    ]
    environment = os.environ | {"PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment) as process:
        process.stdin.write("1\n1\n")
        process.stdin.flush()
        assert any(line.startswith("Since your last question") for line in process.stdout)
        process.send_signal(ended_by)
        process.send_signal(ended_by)
        assert process.wait(60) == -ended_by
    assert len(Replay.load(file).answers) >= 2
    going_on = run("play", str(file), "--against", "random", text="q\n")
    assert "You are seat 0 of 4" in going_on.stdout


def test_watching_a_replay_to_its_end(replay_file):
    result = run("watch", str(replay_file), "--delay", "0")
    assert result.exit_code == 0
    assert result.stdout.count(", from above\n") == len(Replay.load(replay_file).answers) + 1
    assert result.stdout.rstrip().splitlines()[-1].startswith(("The winners:", "Nobody is left", "The turn limit"))
    told = " ".join(result.stdout.split())
    for line in Replay.load(replay_file).play().log.above():
        assert line in told


def test_stepping_by_keys(replay_file):
    result = run("watch", str(replay_file), text="\n\nb\nseat 2\nq\n")
    assert result.exit_code == 0
    assert [line for line in result.stdout.splitlines() if line.startswith("Step ")][:4] == [
        f"Step {step} of {len(Replay.load(replay_file).answers)}, from above" for step in (0, 1, 2, 1)
    ]
    assert "as seat 2 sees it" in result.stdout
    assert run("watch", str(replay_file), text="\n").stdout.count(", from above\n") == 2, "the end of the input ends the watching"


def test_one_step_and_no_more(replay_file):
    result = run("watch", str(replay_file), "--step", "20")
    assert result.exit_code == 0
    assert result.stdout.startswith("Step 20 of ")
    assert result.stdout.count("Danmaku!!") == 1
    whole = run("watch", str(replay_file), text="g 20\n").stdout
    assert result.stdout in whole
    seen = run("watch", str(replay_file), "--step", "20", "--seat", "1").stdout
    assert "as seat 1 sees it" in seen
    assert "from above" not in seen


def test_a_step_beyond_the_last_is_refused(replay_file):
    result = run("watch", str(replay_file), "--step", "100000")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"danmaku: there is no step 100000; the last is {len(Replay.load(replay_file).answers)}\n"


def test_watching_as_a_seat_sees_it(replay_file):
    result = run("watch", str(replay_file), "--seat", "1", "--delay", "0")
    assert result.exit_code == 0
    assert "from above" not in result.stdout
    assert "as seat 1 sees it" in result.stdout
    answered = [line for line in result.stdout.splitlines() if line.startswith("> ")]
    assert answered
    assert all(line.startswith("> seat 1") for line in answered), "answers of others are not public"


@pytest.mark.slow
def test_watching_a_fresh_game():
    first, second = (run("watch", "--players", "4", "--seed", "2", "--delay", "0").stdout for _ in range(2))
    assert first == second
    assert "game over" in first
    other = run("watch", "--players", "4", "--seed", "2", "--delay", "0", "--against", "tests.test_cli:Last").stdout
    assert other != first


def test_a_broken_replay_is_shown_up_to_where_it_breaks(replay_file, tmp_path):
    file = tmp_path / "cut.json"
    file.write_text(replay_file.read_text("utf-8")[:600], "utf-8")
    result = run("watch", str(file), text="\n\n")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.count("\n") == 1
    last = int(result.stderr.partition("--step ")[2].partition("`")[0])
    assert f"step {last + 1} cannot be: the file cannot be read from there on; seat " in result.stderr
    shown = run("watch", str(file), "--step", str(last))
    assert shown.exit_code == 0
    assert shown.stdout == run("watch", str(replay_file), "--step", str(last)).stdout.replace(
        f"Step {last} of {len(Replay.load(replay_file).answers)},", f"Step {last} of {last},"
    )
    beyond = run("watch", str(file), "--step", str(last + 1))
    assert (beyond.exit_code, beyond.stdout, beyond.stderr) == (2, "", result.stderr)


# ---------------------------------------------------------------- agents


def test_random_answers_are_legal_and_uniform():
    agent = RandomAgent(1)
    masks = np.zeros((6000, 5), np.uint8)
    masks[:, [1, 4]] = 1
    masks[3000:, 2] = 1
    chosen = agent.act(np.zeros((6000, 1), np.uint8), masks)
    assert set(chosen[:3000]) == {1, 4}
    assert set(chosen[3000:]) == {1, 2, 4}
    counts = np.bincount(chosen[3000:], minlength=5)[[1, 2, 4]]
    assert abs(counts - 1000).max() < 150
    agent.reset(1)
    assert (agent.act(np.zeros((6000, 1), np.uint8), masks) == chosen).all()


def test_agents_are_asked_only_while_the_game_runs():
    game = play_out(Game.new(GameConfig(num_players=4), 3), [RandomAgent(seat) for seat in range(4)])
    assert game.over
    with pytest.raises(ValueError, match="nobody is asked"):
        answer(RandomAgent(), game)
    with pytest.raises(ValueError, match="3 agents for 4 seats"):
        play_out(Game.new(GameConfig(num_players=4), 3), [RandomAgent()] * 3)


def test_an_info_state_names_answers_and_deals_other_worlds():
    game = Scenario(num_players=4).seat(2, hand=["shoot", "grimoire"]).turn(2).build(seed=1)
    info_state = InfoState(game, 2)
    assert [info_state.name(action) for action in game.legal_actions()] == game.legal()
    assert (info_state.question, info_state.config, info_state.log) == ("main", game.config, game.log)
    world = info_state.resample(seed=5)
    assert (world.observe(2) == game.observe(2)).all()
    assert world != game
