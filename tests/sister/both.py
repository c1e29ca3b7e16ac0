"""What both sister games are tested for alike."""

import os
import subprocess
import sys

import numpy as np
from typer.testing import CliRunner

from danmaku_env import make_vec
from danmaku_env.commands.main import app
from danmaku_env.game import game_class

_PLAYED = """
import hashlib
from tests.sister.{game}.test_random_play import positions
digest = hashlib.sha256()
for seed in {seeds}:
    for game in positions(seed, max_turns={turns}):
        digest.update(game.to_bytes())
        digest.update(game.observe(0).tobytes())
print(digest.hexdigest())
"""


def plays_the_same_without_the_compiler(game, seeds, turns):
    """Whether games and observations are the same bytes with the compiler and without."""
    code = _PLAYED.format(game=game, seeds=seeds, turns=turns)
    with_it, without = (
        subprocess.run([sys.executable, "-c", code], env={**os.environ, **run}, capture_output=True, text=True, check=True).stdout
        for run in ({}, {"NUMBA_DISABLE_JIT": "1"})
    )
    return with_it == without != ""


def check_batch_against_single_games(config):
    """Six games of a batch show and offer what they do alone, answer by answer."""
    vec = make_vec(6, config)
    vec.reset(5)
    single = [game_class(config).new(config, int(record["seed"])) for record in vec.games]
    for _ in range(120):
        answers = vec.sample()
        vec.step(answers)
        for row, game in enumerate(single):
            if not game.over:
                game.act(int(answers[row]))
                if not game.over:
                    assert (vec.observations[row] == game.observe(game.asking)).all()
                    assert (vec.action_masks[row] == game.action_mask()).all()


def altered_records_refused(game, read_bytes):
    """Of 300 records with one bit changed, how many are refused; the others play on without a bad status."""
    rng, refused = np.random.default_rng(3), 0
    for _ in range(300):
        raw = game.records.copy().view(np.uint8)
        raw[int(rng.integers(read_bytes))] ^= np.uint8(1 << rng.integers(8))
        try:
            altered = type(game).from_record(raw.view(game.spec.record), game.config)
        except ValueError:
            refused += 1
            continue
        for step in range(50):
            if altered.over:
                break
            altered.act(altered.legal_actions()[step % len(altered.legal_actions())])
    return refused


def said(*arguments, **options):
    """(status, output) of a `danmaku` command."""
    result = CliRunner().invoke(app, list(arguments), **options)
    return result.exit_code, result.output
