"""Saves that are killed: what lies in the file is whole, and the next save sweeps up."""

import random

from danmaku_env import Game, Replay
from danmaku_env.game import write_atomically
from tests.kill.victims import kill_at

SAVE = """
import sys
from danmaku_env import Game, GameConfig
from danmaku_env.game import write_atomically
game = Game.new(GameConfig(num_players=4), seed=int(sys.argv[2]))
while True:
    if game.over:
        game = Game.new(game.config, seed=game.replay().seed + 1)
    game.act(game.legal()[-1])
    game.replay().save(sys.argv[1] + "/game.json")
    write_atomically(sys.argv[1] + "/game.bin", game.to_bytes())
"""


def experiment(folder, times, seed):
    """Figures and findings."""
    rng, findings = random.Random(seed), []
    left, answers = 0, set()
    for number in range(times):
        kill_at(["-c", SAVE, str(folder), str(number)], folder, rng.uniform(2.0, 4.0), NUMBA_DISABLE_JIT="1")
        left += len(list(folder.glob(".*")))
        try:
            replay = Replay.load(folder / "game.json")
            replay.play()
            Game.from_bytes((folder / "game.bin").read_bytes())
            answers.add((replay.seed, len(replay.answers)))
        except Exception as error:
            findings.append(f"kill {number}: {type(error).__name__}: {error}")
    for name in ("game.json", "game.bin"):
        write_atomically(folder / name, b"")
    if still := [path.name for path in folder.glob(".*")]:
        findings.append(f"not swept up: {still}")
    figures = f"saving: {times} kills, {len(answers)} different games found whole, {left} temporary files left by kills and swept up later"
    return f"{figures}; {len(findings)} findings", findings
