"""The loop: run to the next question. Start reading here.

The machine is a stack of frames in the record (`frames.py` says what each holds). The loop takes the top frame and lets its procedure
take one step, again and again, until a seat must answer. A step may push a frame; the one below then rests until that is gone.

**Asking.** Kernels have no memory but the record. So the same lines of code put a question and use its answer, and they run twice. A
procedure or an operation that needs an answer first looks whether there is one (`actions.has_answer`). If not, it writes the legal answers
into the record and asks (`actions.ask`). If only one answer is legal, it is taken at once; otherwise the procedure returns and leaves
everything as it is, and the loop stops because somebody is asked. `batch.drive` puts the answer into the record (`actions.give_answer`),
and the loop takes the same frame at the same step again: now there is an answer, `actions.take_answer` uses it up, and the frame goes on.
So the code before a question must do no harm when it runs again, and a step asks at most once. There is one exception: after a card has
been named, its season may be asked, and `pending_kind` remembers the name (`actions.chosen_card`).

A card's program (`program.py`) works in the same way: a row that asks returns WAIT and is entered again; the frame's `pc` stays where it
is.
"""

from danmaku_env.engine import frames as fr
from danmaku_env.engine import state as st
from danmaku_env.engine.procedures import attack, drawing, exchange, play, settle, setup, triggers, turn, window
from danmaku_env.jit.kernels import shared
from danmaku_env.machine import flow


@shared
def advance(t, s):
    """Run until a seat must answer, the game is over, or the machine stops with a status."""
    for _ in range(flow.MOST_STEPS):
        if flow.is_at_rest(s):
            return
        f = int(s["depth"]) - 1
        if (s["lost_due"] | s["drew_due"] | s["limit_due"]) and window.is_between_effects(t, s):
            window.open_due(t, s)
            continue
        procedure = s["stack"][f, fr.PROCEDURE]
        if procedure == fr.PLAY_FRAME:
            play.play(t, s, f)
        elif procedure == fr.WINDOW_FRAME:
            window.window(t, s, f)
        elif procedure == fr.ATTACK_FRAME:
            attack.attack(t, s, f)
        elif procedure == fr.TRIGGERS_FRAME:
            triggers.triggers(t, s, f)
        elif procedure == fr.SETTLE_FRAME:
            settle.settle(t, s, f)
        elif procedure == fr.TRIM_FRAME:
            settle.trim(t, s, f)
        elif procedure == fr.LIMIT_FRAME:
            settle.limit(t, s, f)
        elif procedure == fr.TURN_FRAME:
            turn.turn(t, s, f)
        elif procedure == fr.DRAWING_FRAME:
            drawing.drawing(t, s, f)
        elif procedure == fr.EXCHANGE_FRAME:
            exchange.exchange(t, s, f)
        else:
            setup.setup(t, s, f)
    s["status"] = st.ENDLESS
