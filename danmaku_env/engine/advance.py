"""The loop: run to the next question. And its two doors: start a game, give an answer."""

from danmaku_env.engine import actions
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


@kernel
def apply(t, s, action):
    """Answer the pending question and run on. Returns OK, or why nothing was changed."""
    if s["outcome"] != st.RUNNING or s["status"] != st.OK:
        return st.GAME_OVER
    if s["asking"] == st.NOBODY or not actions.is_legal(s, action):
        return st.ILLEGAL_ANSWER
    s["answer"] = action
    s["asking"] = st.NOBODY
    s["question"] = actions.Q_NONE
    actions.clear_legal(s)
    s["decisions"] = int(s["decisions"]) + 1
    advance(t, s)
    return st.OK


@kernel
def start(t, settings, s, seed):
    """Zero the record, begin a game and run to the first question."""
    setup.new_game(settings, s, seed)
    advance(t, s)
