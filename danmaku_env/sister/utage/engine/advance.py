"""The loop: run to the next question. Start reading here."""

from danmaku_env.jit.kernels import shared
from danmaku_env.machine import flow
from danmaku_env.machine.frames import PROCEDURE
from danmaku_env.machine.records import ENDLESS
from danmaku_env.sister.utage.engine import state as st
from danmaku_env.sister.utage.engine import turn
from danmaku_env.sister.utage.engine import values as v


@shared
def advance(t, s):
    """Run until a seat must answer, the game is over, or the machine stops with a status."""
    for _ in range(flow.MOST_STEPS):
        if flow.is_at_rest(s):
            return
        v.refresh(t, s)
        f = int(s["depth"]) - 1
        procedure = s["stack"][f, PROCEDURE]
        if procedure == st.GAME_FRAME:
            turn.game(t, s, f)
        elif procedure == st.MOMENT_FRAME:
            turn.moment(t, s, f)
        else:
            turn.use(t, s, f)
    s["status"] = ENDLESS
