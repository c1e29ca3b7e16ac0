"""`python -m tests.bounds`: does the package work with the oldest libraries it admits, and with every Python it names?

For each interpreter that is there, a fresh environment with the lower bounds of all dependencies, then one with the newest; in each the
command starts, a game is played, and PettingZoo and Gymnasium make their environments. The compiler is off unless `--compiled` is given,
which takes two minutes an environment.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
SMOKE = """
import gymnasium, pettingzoo, danmaku_env
from danmaku_env import Game, danmaku_v0, decode, make_vec
game = Game.new(5, seed=1)
for _ in range(80):
    game.act(game.legal()[0])
assert decode(game.observe(0), words=True)["players"] == 5 and game.describe(0)
env = danmaku_v0.env(num_players=4)
env.reset(seed=1)
for agent in env.agent_iter(40):
    observation, _, over, cut, _ = env.last()
    env.step(None if over or cut else int(observation["action_mask"].argmax()))
single = gymnasium.make("danmaku/Danmaku-v0", num_players=4, opponents="random")
observation, info = single.reset(seed=1)
single.step(int(info["action_mask"].argmax()))
envs = gymnasium.make_vec("danmaku/Danmaku-v0", num_envs=3, num_players=4, autoreset_mode="next_step")
observations, infos = envs.reset(seed=1)
for _ in range(20):
    observations, *_ = envs.step(envs.unwrapped.sample())
if hasattr(pettingzoo, "make"):
    pettingzoo.make("aec", "danmaku/danmaku_v0").reset(seed=1)
vec = make_vec(4, 4)
vec.reset(seed=1)
for _ in range(20):
    vec.step(vec.sample())
"""

COMMANDS = """
from typer.testing import CliRunner
from danmaku_env.commands import main
for words in (["tournament"], ["play"], ["watch"], ["record"], ["deduce"], ["speed"], ["bench", "run"], ["serve"]):
    asked = CliRunner().invoke(main.app, [*words, "--help"])
    assert asked.exit_code == 0, f"danmaku {' '.join(words)} --help: {asked.exception or asked.stderr}"
"""
"""Every command reads its options from functions and dataclasses, in ways that each Python has its own mind about."""

_NO_WHEEL = "not tried, for it has no wheel of"
"""What is said of a Python that is younger than the oldest libraries: building those from source takes many minutes and tells nothing."""


def requirements() -> list[str]:
    """What the core declares, as in `numpy>=2.0`."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]


def lowest(requirement: str) -> str:
    """`numpy==2.0` for `numpy>=2.0`, with or without an upper bound behind it."""
    found = re.fullmatch(r"([\w.-]+)>=([\w.]+)(?:,<[\w.]+)?", requirement)
    assert found, f"{requirement!r} has no lower bound of the form name>=version"
    return f"{found[1]}=={found[2]}"


def interpreter(version: str) -> str | None:
    """A Python of this version that starts, or None."""
    kept = sorted(Path.home().glob(f".pyenv/versions/{version}*/bin/python"))
    for name in (f"python{version}", *map(str, kept)):
        path = shutil.which(name)
        if path and subprocess.run([path, "-c", ""], capture_output=True, check=False).returncode == 0:
            return path
    return None


def attempt(python: str, pins: list[str], folder: Path, *, compiled: bool) -> str:
    """Make an environment and try the package in it: "" where all is well, else what went wrong."""
    run(python, "-m", "venv", str(folder))
    own = str(folder / ("Scripts" if os.name == "nt" else "bin") / "python")
    environment = {**os.environ, "PYTHONPATH": "", "NUMBA_DISABLE_JIT": "0" if compiled else "1"}
    steps = (
        [own, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary=:all:", *pins, str(ROOT)],
        [own, "-m", "danmaku_env", "--version"],
        [own, "-m", "danmaku_env", "cards", "shoot"],
        [own, "-W", "error::DeprecationWarning:danmaku_env", "-c", COMMANDS],
        [own, "-W", "error::DeprecationWarning:danmaku_env", "-c", SMOKE],
    )
    for step in steps:
        done = subprocess.run(step, cwd=folder, env=environment, capture_output=True, text=True, check=False)
        if done.returncode:
            if pins and (missing := re.search(r"No matching distribution found for (\S+)", done.stderr)):
                return f"{_NO_WHEEL} {missing[1]}"
            lines = [line for line in done.stderr.strip().splitlines() if not line.startswith("WARNING")]
            return f"{' '.join(step[1:4])}: {lines[-1] if lines else f'exit status {done.returncode}'}"
    return ""


def run(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True)


def main(words: list[str] | None = None) -> int:
    """Try every pair of Python and bounds; the number of those that fail is the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.bounds", description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("pythons", nargs="*", default=list(PYTHONS), help="versions, such as 3.11")
    parser.add_argument("--compiled", action="store_true", help="with the compiler on")
    options = parser.parse_args(words)
    failed = 0
    for version in options.pythons:
        python = interpreter(version)
        if python is None:
            print(f"Python {version}: not here, so not tried")
            continue
        for name, pins in (("lower bounds", [lowest(one) for one in requirements()]), ("newest", [])):
            with tempfile.TemporaryDirectory() as folder:
                wrong = attempt(python, pins, Path(folder) / "env", compiled=options.compiled)
            failed += bool(wrong) and not wrong.startswith(_NO_WHEEL)
            print(f"Python {version}, {name}: {wrong or 'works'}", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
