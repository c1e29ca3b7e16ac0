"""When the loop of a game stops: a seat must answer, the game is over, or the machine has stopped with a status.

The loop itself is the game's own, which knows what procedures there are:

    for _ in range(flow.MOST_STEPS):
        if flow.is_at_rest(s):
            return
        ...  # have the procedure of the top frame carry it one step further
    s["status"] = ENDLESS
"""

from danmaku_env.jit.kernels import kernel
from danmaku_env.machine.records import NOBODY, OK, RUNNING

MOST_STEPS = 1 << 22
"""Steps from one question to the next; a whole game in which nobody has a choice takes far fewer."""


@kernel
def is_at_rest(s):
    """Whether the game waits for an answer, or goes on no more."""
    return s["asking"] != NOBODY or s["outcome"] != RUNNING or s["status"] != OK
