"""The loop: run to the next question."""

from danmaku_env.engine import frames as fr
from danmaku_env.engine import state as st
from danmaku_env.engine.compiled import kernel
from danmaku_env.engine.procedures import attack, play, settle, setup, turn, window


@kernel
def advance(t, s):
    """Run until a seat must answer, the game is over, or the machine stops with a status."""
    while s["asking"] == st.NOBODY and s["outcome"] == st.RUNNING and s["status"] == st.OK:
        f = int(s["depth"]) - 1
        procedure = s["stack"][f, fr.PROCEDURE]
        if procedure == fr.PLAY_FRAME:
            play.play(t, s, f)
        elif procedure == fr.WINDOW_FRAME:
            window.window(t, s, f)
        elif procedure == fr.ATTACK_FRAME:
            attack.attack(t, s, f)
        elif procedure == fr.SETTLE_FRAME:
            settle.settle(t, s, f)
        elif procedure == fr.TRIM_FRAME:
            settle.trim(t, s, f)
        elif procedure == fr.LIMIT_FRAME:
            settle.limit(t, s, f)
        elif procedure == fr.TURN_FRAME:
            turn.turn(t, s, f)
        else:
            setup.setup(t, s, f)
