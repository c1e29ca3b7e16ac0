"""The loop: one step after another, until a seat must answer, the game is over, or the machine stops with a status."""

from typing import Any

from danmaku_env.jit.kernels import kernel
from danmaku_env.machine.records import ENDLESS, NOBODY, OK, RUNNING

MOST_STEPS = 1 << 22
"""Steps from one question to the next; a whole game in which nobody has a choice takes far fewer."""


def loop(step: Any) -> Any:
    """A kernel (t, s) that runs a game to its next question. `step` (t, s) carries the top frame one step further."""

    @kernel
    def run(t, s):
        for _ in range(MOST_STEPS):
            if s["asking"] != NOBODY or s["outcome"] != RUNNING or s["status"] != OK:
                return
            step(t, s)
        s["status"] = ENDLESS

    return run
