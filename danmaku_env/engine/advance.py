"""The loop: run to the next question."""

from danmaku_env.engine import state as st
from danmaku_env.engine.compiled import kernel
from danmaku_env.engine.procedures import attack, play, settle, setup, turn, window


@kernel
def advance(t, s):
    """Run until a seat must answer, the game is over, or the machine stops with a status."""
    while s["asking"] == st.NOBODY and s["outcome"] == st.RUNNING and s["status"] == st.OK:
        f = int(s["depth"]) - 1
        procedure = s["stack"][f, st.PROCEDURE]
        if procedure == st.PLAY:
            play.play(t, s, f)
        elif procedure == st.WINDOW:
            window.window(t, s, f)
        elif procedure == st.ATTACK:
            attack.attack(t, s, f)
        elif procedure == st.SETTLE:
            settle.settle(t, s, f)
        elif procedure == st.TRIM:
            settle.trim(t, s, f)
        elif procedure == st.LIMIT:
            settle.limit(t, s, f)
        elif procedure == st.TURN:
            turn.turn(t, s, f)
        else:
            setup.setup(t, s, f)
