"""EXCHANGE: Main-deck cards of a hand worth PRICE points or more are given for one card of the Lunatic deck (L-2).

When somebody may do so is `legality.offer`; this is what happens then, card by card.
"""

from danmaku_env.engine import actions, piles, queries, stack
from danmaku_env.engine import frames as fr
from danmaku_env.engine.procedures import drawing
from danmaku_env.jit.kernels import kernel


@kernel
def exchange(t, s, f):
    """One step of EXCHANGE: the next card is given; from PRICE points on it is enough, but more may be given."""
    frame = s["stack"][f]
    seat = int(frame[fr.SEAT])
    if not actions.has_answer(s):
        kinds = queries.main_kinds(t, s, seat)
        enough = frame[fr.EXCHANGE_POINTS] >= queries.PRICE
        if enough and kinds == 0:
            _finish(t, s, seat)
            return
        if actions.ask_kind(s, seat, actions.Q_EXCHANGE, kinds, enough):
            return
    card = actions.chosen_main_card(t, s, seat, queries.seasons_matter(t, s))
    if card == actions.PASSED:
        _finish(t, s, seat)
    elif card != actions.WAITING:
        points = int(frame[fr.EXCHANGE_POINTS]) + queries.points_in_hand(t, s, seat, card)
        frame[fr.EXCHANGE_POINTS] = min(points, queries.PRICE)
        piles.discard_from_hand(t, s, card)


@kernel
def _finish(t, s, seat):
    stack.pop(s)
    drawing.draw(t, s, seat, 0, 1)
