"""Opening, closing and moving frames. The bottom frame is row 0 of `stack`, the top frame is the one that goes on."""

from danmaku_env.jit.kernels import kernel
from danmaku_env.machine.frames import PROCEDURE, SEAT
from danmaku_env.machine.records import STACK_FULL


@kernel
def push(s, procedure, seat):
    """Open a frame; returns its index. A full stack stops the machine with a status."""
    depth = int(s["depth"])
    if depth >= s["stack"].shape[0]:
        s["status"] = STACK_FULL
        return depth - 1
    frame = s["stack"][depth]
    frame[PROCEDURE] = procedure
    frame[SEAT] = seat
    s["depth"] = depth + 1
    return depth


@kernel
def pop(s):
    """Close the top frame and zero it."""
    depth = int(s["depth"]) - 1
    frame = s["stack"][depth]
    for column in range(s["stack"].shape[1]):
        frame[column] = 0
    s["depth"] = depth


@kernel
def move(s, place, to):
    """Move a frame to another place of the stack; those in between close up."""
    step = 1 if to > place else -1
    while place != to:
        for column in range(s["stack"].shape[1]):
            other = int(s["stack"][place + step, column])
            s["stack"][place + step, column] = s["stack"][place, column]
            s["stack"][place, column] = other
        place += step
