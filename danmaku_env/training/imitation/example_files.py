"""The files of past rounds, examples and students, which a resumed run needs again."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

from danmaku_env.arena.jobs.parts import from_npz
from danmaku_env.danmaku import DANMAKU_SPEC
from danmaku_env.files import open_file
from danmaku_env.game import write_atomically
from danmaku_env.nets.checkpoints import CheckpointError
from danmaku_env.nets.network import Net
from danmaku_env.training.imitation.examples import OFFERED, Examples


def examples_file(folder: Path, number: int) -> Path:
    """The file of what was learned in a round."""
    return folder / f"lessons-{number:06d}.npz"  # the name in folders of former versions


def student_file(folder: Path, number: int) -> Path:
    """The file of the student after this many rounds."""
    return folder / f"student-{number:06d}.safetensors"


def write_examples(path: Path, examples: Examples) -> str:
    """Write them, atomically; the SHA-256 of the file, by which they are known when they are read. Raises OSError."""
    room = io.BytesIO()
    with zipfile.ZipFile(room, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file:
        for name, array in examples._asdict().items():
            with file.open(zipfile.ZipInfo(f"{name}.npy"), "w", force_zip64=True) as part:
                np.lib.format.write_array(part, np.ascontiguousarray(array), allow_pickle=False)
    write_atomically(path, room.getvalue())
    return hashlib.sha256(room.getbuffer()).hexdigest()


def read_examples(path: Path, net: Net, checksum: str) -> Examples:
    """The inverse of `write_examples`, for what this net reads. Raises CheckpointError, before another file than that one is opened."""
    try:
        with open_file(path) as there:
            blob = there.read()
        if hashlib.sha256(blob).hexdigest() != checksum:
            changed = "was changed or damaged after it was written: its checksum does not match"
            raise CheckpointError(f"the file of examples {path} {changed}, and without it the run cannot be resumed")
        arrays = from_npz(blob)
        examples = Examples(**{name: arrays[name] for name in Examples._fields})
    except CheckpointError:
        raise
    except (OSError, ValueError, KeyError) as error:
        raise CheckpointError(f"the examples in {path} cannot be read, without which the run cannot be resumed: {error}") from None
    packed, seats = -(-DANMAKU_SPEC.num_actions // 8), DANMAKU_SPEC.most_seats
    like = {
        "inputs": (np.uint8, (net.taken.width,)), "masks": (np.uint8, (packed,)), "offered": (np.int16, (OFFERED,)),
        "values": (np.float32, (OFFERED,)), "advantages": (np.float32, (OFFERED,)), "roles": (np.uint8, (seats,)),
        "outcomes": (np.float32, ()),
    }  # fmt: skip
    for name, (kind, shape) in like.items():
        array = getattr(examples, name)
        if array.dtype != kind or array.shape != (len(examples.inputs), *shape):
            raise CheckpointError(f"the examples in {path} are of another version: {name} is {array.shape} numbers of {array.dtype}")
    return examples


def forget_before(folder: Path, file: Callable[[Path, int], Path], number: int) -> None:
    """Delete the files of this kind of the rounds before this one."""
    first = file(folder, number).name
    for path in folder.glob(first.replace(f"{number:06d}", "*")):
        if path.name < first:
            path.unlink(missing_ok=True)
