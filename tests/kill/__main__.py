"""Kill the project at random instants, and look at what is left.

    python -m tests.kill training --times 50      SIGKILL; each run is resumed to its end and compared with one that nobody killed
    python -m tests.kill imitation --times 20     the same for imitation, two processes of which play
    python -m tests.kill exploit --times 20       the same for an exploiter, up to its card
    python -m tests.kill tournament --times 20    the same for tournaments, on two processes
    python -m tests.kill saving --times 20        SIGKILL while replays and saved games are written
    python -m tests.kill ctrl-c --times 20        SIGINT while commands load, compile, train and play: one line, no traceback
    python -m tests.kill cold-starts              two processes with an empty cache at once; and one whose compiler was killed

Prints a line of figures, and every finding; the exit status is 1 when there is one. `--seed` draws other instants.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from tests.kill import cold_starts, ctrl_c, saving, tournament, training
from tests.kill.victims import freeze

EXPERIMENTS = {
    "training": training.of_ppo,
    "imitation": training.of_imitation,
    "exploit": training.of_exploit,
    "tournament": tournament.experiment,
    "saving": saving.experiment,
    "ctrl-c": ctrl_c.experiment,
    "cold-starts": cold_starts.experiment,
}


def main() -> None:
    """Carry out one experiment."""
    parser = argparse.ArgumentParser(prog="python -m tests.kill", description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=EXPERIMENTS)
    parser.add_argument("--times", type=int, default=20, help="how often is killed")
    parser.add_argument("--seed", type=int, default=0, help="of the instants")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as source, tempfile.TemporaryDirectory() as folder:
        freeze(Path(source))
        figures, findings = EXPERIMENTS[given.what](Path(folder), given.times, given.seed)
    print(figures)
    for finding in findings:
        print(f"FOUND: {finding}")
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
