"""`python -m notebooks [NAME ...]`: run the notebooks at full size and write their results into them."""

import sys
import tempfile
from pathlib import Path

import nbformat

from danmaku_env.game import write_atomically
from notebooks.running import FOLDER, run, tidy


def main(names: list[str]) -> None:
    """Run those whose names begin with one of the words, or all."""
    for path in sorted(FOLDER.glob("*.ipynb")):
        if not names or any(path.name.startswith(name) for name in names):
            print(path.name, flush=True)
            with tempfile.TemporaryDirectory() as folder:
                notebook = tidy(run(path, small=False, folder=Path(folder)))
            write_atomically(path, nbformat.writes(notebook).encode() + b"\n")


if __name__ == "__main__":
    main(sys.argv[1:])
