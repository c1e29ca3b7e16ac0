"""Readable playthroughs, one per player count, and a replay with the hash of the game it leads to.

`python -m tests.playthroughs.record` writes them anew; review the difference.
"""

import hashlib
from pathlib import Path

import numpy as np

from danmaku_env import Game, GameConfig
from danmaku_env.engine.observation import HISTORY_COLUMNS, OBSERVATION_FIELDS, OBSERVATION_SIZE, OFFSETS

FOLDER = Path(__file__).parent
DECISIONS = 70
FULL_EVERY = 10
"""Decisions between two printings of everything the asked seat observes."""


def fields(row):
    """The non-zero named fields of an observation, one line each."""
    for field in OBSERVATION_FIELDS:
        values = row[OFFSETS[field.name] : OFFSETS[field.name] + field.size]
        if values.any():
            where = np.flatnonzero(values)
            yield f"      {field.name}: " + " ".join(f"{place}={values[place]}" for place in where)
    for event in row[OBSERVATION_SIZE:].reshape(-1, len(HISTORY_COLUMNS)):
        yield "      history: " + " ".join(f"{name}={value}" for name, value in zip(HISTORY_COLUMNS, event, strict=True) if value)


class Told:
    """What the log has told so far: the public lines, and under each the line of every seat that knows more."""

    def __init__(self, game):
        self.game, self.seen = game, 0

    def news(self):
        """The lines since the last call."""
        public = self.game.log
        private = [public.of(seat) for seat in range(self.game.config.num_players)]
        assert all(len(log) == len(public) for log in private)
        for place in range(self.seen, len(public)):
            yield f"  {public[place]}"
            for seat, log in enumerate(private):
                if log[place] != public[place]:
                    yield f"    for seat {seat}: {log[place]}"
        self.seen = len(public)


def playthrough(players):
    """The text of one game's first decisions: log, question, legal answers, hands, and now and then the observation."""
    game, rng = Game.new(GameConfig(num_players=players, history=4), players), np.random.default_rng(players)
    told = Told(game)
    lines = [f"{players} players, seed {players}"]
    for decision in range(DECISIONS):
        lines += told.news()
        if game.over:
            break
        seat, legal = game.asking, game.legal()
        lines.append(f"{decision}: seat {seat} is asked {game.question}: {', '.join(legal)}")
        if decision % FULL_EVERY == FULL_EVERY - 1:
            lines += [
                f"    seat {other.index}: {other.role}, life {other.life}, hand {' '.join(other.hand) or '-'}" for other in game.seats
            ]
            lines += fields(game.observe(seat))
        answer = legal[int(rng.integers(len(legal)))]
        lines.append(f"    > {answer}")
        game.act(answer)
    return "\n".join(lines) + "\n"


def whole_game(seed=22):
    """A whole game of six, all answers random."""
    game, rng = Game.new(GameConfig(num_players=6), seed), np.random.default_rng(seed)
    while not game.over:
        game.act(int(rng.choice(game.legal_actions())))
    return game


def fingerprint(game):
    """Changes with any byte of the record."""
    return hashlib.sha256(game.record.tobytes()).hexdigest()


def main():
    game = whole_game()
    game.replay().save(FOLDER / "replay.json")
    (FOLDER / "replay.sha256").write_text(fingerprint(game) + "\n")
    for players in range(4, 9):
        (FOLDER / f"{players}_players.txt").write_text(playthrough(players))


if __name__ == "__main__":
    main()
