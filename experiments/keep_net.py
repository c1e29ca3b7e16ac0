"""Keep the net of a run in the checkout: weights in half precision, its curve, and how it was made.

    python experiments/keep_net.py RUN NAME

What the run needs to go on (games, critic, optimisers) and the folder it lay in are left out. The result is experiments/runs/NAME; a run
can be begun with it (`--start`), and it plays as `neural:experiments/runs/NAME`.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from danmaku_env.nets.checkpoints import CHECKPOINT, load_net, read_tensors, write_tensors
from danmaku_env.training.progress_report import CURVE

HERE = Path(__file__).resolve().parent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("run", type=Path)
    parser.add_argument("name")
    given = parser.parse_args()
    tensors, about = read_tensors(given.run / CHECKPOINT)
    about["args"] = {name: value for name, value in about["args"].items() if name != "folder"}
    folder = HERE / "runs" / given.name
    folder.mkdir(parents=True, exist_ok=True)
    write_tensors(folder / CHECKPOINT, {name: tensor.half() for name, tensor in tensors.items() if name.startswith("net.")}, about)
    shutil.copy(given.run / CURVE, folder / CURVE)
    load_net(folder)


if __name__ == "__main__":
    main()
