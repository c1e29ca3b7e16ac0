"""The loop: run to the next question. Start reading here."""

from danmaku_env.jit.kernels import shared
from danmaku_env.machine import flow
from danmaku_env.machine.frames import PROCEDURE
from danmaku_env.machine.records import ENDLESS
from danmaku_env.sister.shisoroku.engine import procedures as p
from danmaku_env.sister.shisoroku.engine import state as st


@shared
def advance(t, s):
    """Run until a seat must answer, the game is over, or the machine stops with a status."""
    for _ in range(flow.MOST_STEPS):
        if flow.is_at_rest(s):
            return
        f = int(s["depth"]) - 1
        procedure = s["stack"][f, PROCEDURE]
        if procedure == st.TURN_FRAME:
            p.turn(t, s, f)
        elif procedure == st.PLAY_FRAME:
            p.play(t, s, f)
        elif procedure == st.TEXT_FRAME:
            p.text(t, s, f)
        elif procedure == st.GAIN_FRAME:
            p.gain(t, s, f)
        elif procedure == st.BUY_FRAME:
            p.buy(t, s, f)
        elif procedure == st.RESPOND_FRAME:
            p.respond(t, s, f)
        elif procedure == st.WINDOW_FRAME:
            p.window(t, s, f)
        else:
            p.trashed(t, s, f)
    s["status"] = ENDLESS
