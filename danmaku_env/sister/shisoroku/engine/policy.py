"""How the rule-based bots answer, as a kernel: it reads what the seat that is asked may know, and a plan of what to buy.

A plan is a row of numbers: for each of `PLAN_ROOM` entries the number of a card plus one, and how many of it to buy in all. Money alone is
an empty plan.
"""

import numpy as np

from danmaku_env.jit.kernels import entry, kernel
from danmaku_env.machine import rng
from danmaku_env.machine.records import OK, RUNNING
from danmaku_env.sister.shisoroku.cards import words as w
from danmaku_env.sister.shisoroku.cards.words import PLACES
from danmaku_env.sister.shisoroku.engine import actions
from danmaku_env.sister.shisoroku.engine import state as st
from danmaku_env.sister.shisoroku.engine import zones as z
from danmaku_env.sister.shisoroku.engine.advance import advance

PLAN_ROOM = 8
AT_RANDOM = -1
"""In the first place of a plan: answer at random."""
IDLE = -2
"""The same: pass, or else give the first legal answer."""
LATE, VERY_LATE = 4, 2
"""Cards left of the 6-VP pile when 3-VP and 1-VP cards are bought too."""
is_legal, legal_answer, count_legal = actions.ANSWERS.is_legal, actions.ANSWERS.legal_answer, actions.ANSWERS.count_legal
give_answer = actions.ANSWERS.give_answer


@kernel
def _keep(t, s, kind):
    """How much a card is worth keeping in a deck."""
    number = z.card(s, kind)
    types = int(t["types"][number])
    if types & w.MINUS:
        return -10
    if not types & (w.ACTION | w.RESOURCE):
        return 0
    return 10 if kind == w.COIN else 20 + 10 * int(t["cost"][number]) + int(t["gives"][number, 1])


@kernel
def _worst(t, s, base):
    """The legal card that is worth least, or -1; of equal ones the first."""
    found, least = -1, 1 << 20
    for kind in range(PLACES):
        if s["kinds"][kind] and is_legal(s, base + kind) and _keep(t, s, kind) < least:
            found, least = kind, _keep(t, s, kind)
    return found


@kernel
def _best_action(t, s, base):
    """The action to play: those that give actions first, then the dearest; -1 for none."""
    found, most = -1, -1
    for kind in range(PLACES):
        if s["kinds"][kind] and is_legal(s, base + kind):
            number = z.card(s, kind)
            worth = 100 * min(int(t["gives"][number, 1]), 2) + 10 * int(t["cost"][number]) + int(t["gives"][number, 0])
            if worth > most:
                found, most = kind, worth
    return found


@kernel
def _is_late(s, left):
    return s["supply"][w.SIX_VP] <= left


@kernel
def _wish(t, s, seat, kind, plan):
    """How much a purse wants a card: 0 not at all. Points, then the dearest of the plan and money."""
    if kind == w.TEN_VP:
        return 2000
    if kind == w.SIX_VP:
        return 1000
    if kind == w.THREE_VP:
        return 500 if _is_late(s, LATE) else 0
    if kind == w.ONE_VP:
        return 20 if _is_late(s, VERY_LATE) else 0
    number = z.card(s, kind)
    for place in range(PLAN_ROOM):
        if plan[2 * place] == number + 1 and s["owned"][seat, kind] < plan[2 * place + 1]:
            return 100 + 10 * int(t["cost"][number]) + 5
    if kind == w.RICE or kind == w.SAKE or kind == w.TALISMAN:
        return 100 + 10 * int(t["cost"][number])
    return 0


@kernel
def _purchase(t, s, seat, plan, base):
    """The card to buy, or to gain; -1 for none."""
    found, most = -1, 0
    for kind in range(PLACES):
        if s["kinds"][kind] and is_legal(s, base + kind):
            wish = _wish(t, s, seat, kind, plan)
            if wish > most:
                found, most = kind, wish
    return found


@kernel
def _best_gain(t, s, seat, plan):
    """The card to take: a wanted one, else the most expensive that is not a burden."""
    found = _purchase(t, s, seat, plan, actions.CHOOSE_BASE)
    if found >= 0:
        return found
    most = -1 << 20
    for kind in range(PLACES):
        if s["kinds"][kind] and is_legal(s, actions.CHOOSE_BASE + kind) and _keep(t, s, kind) > most:
            found, most = kind, _keep(t, s, kind)
    return found


@kernel
def answer_of(t, s, plan):
    """The answer of a bot for the seat that is asked."""
    if plan[0] == IDLE:
        return legal_answer(s, 0)
    seat, question = int(s["asking"]), int(s["question"])
    may_pass = is_legal(s, actions.PASS)
    if question == w.Q_ACTION:
        kind = _best_action(t, s, actions.PLAY_BASE)
        return actions.PLAY_BASE + kind
    if question == w.Q_RESOURCES:
        if is_legal(s, actions.PLAY_RESOURCES):
            return actions.PLAY_RESOURCES
        for kind in range(PLACES):
            if is_legal(s, actions.PLAY_BASE + kind):
                return actions.PLAY_BASE + kind
    if question == w.Q_RESOURCES or question == w.Q_BUY:
        kind = _purchase(t, s, seat, plan, actions.BUY_BASE)
        return actions.BUY_BASE + kind if kind >= 0 else actions.PASS
    if question == w.Q_REACTION and may_pass:
        # a card that would be gained is replaced only where it is a burden
        cause = int(s["cause"]) - 1
        if cause >= 0 and s["stack"][int(s["depth"]) - 1, 0] == st.GAIN_FRAME and cause != w.MINUS_CARD:
            return actions.PASS
        for kind in range(PLACES):
            if is_legal(s, actions.REVEAL_BASE + kind):
                return actions.REVEAL_BASE + kind
        return actions.PASS
    if question == w.Q_TRASH or question == w.Q_DISCARD:
        kind = _worst(t, s, actions.CHOOSE_BASE)
        bar = 0 if question == w.Q_DISCARD else 5
        return actions.PASS if may_pass and (kind < 0 or _keep(t, s, kind) > bar) else actions.CHOOSE_BASE + kind
    if question == w.Q_GAIN:
        kind = _best_gain(t, s, seat, plan)
        return actions.PASS if may_pass and (kind < 0 or _keep(t, s, kind) <= 10) else actions.CHOOSE_BASE + kind
    if question == w.Q_DECK or question == w.Q_ASIDE or question == w.Q_PASS:
        kind = _worst(t, s, actions.CHOOSE_BASE)
        return actions.CHOOSE_BASE + kind if kind >= 0 else actions.PASS
    if question == w.Q_PLAY:
        kind = _best_action(t, s, actions.CHOOSE_BASE)
        return actions.CHOOSE_BASE + kind if kind >= 0 else actions.PASS
    if question == w.Q_REVEAL:
        for kind in range(PLACES):
            if is_legal(s, actions.REVEAL_BASE + kind):
                return actions.REVEAL_BASE + kind
    if question == w.Q_NAME and is_legal(s, actions.CHOOSE_BASE + w.RICE):
        return actions.CHOOSE_BASE + w.RICE
    place = 1 if may_pass and count_legal(s) > 1 else 0
    return legal_answer(s, place)


@entry
def answer_rows(tables, games, plans, chosen):
    """The answer of a bot in every game: `plans` [B, 16], `chosen` [B] is written."""
    for i in range(len(games)):
        chosen[i] = answer_of(tables[0], games[i], plans[i])


@entry
def play_out(tables, games, plans, limit, rng_record):
    """Play every game on with bots: plans [B, seats, 16] of every seat, up to `limit` answers each, or to its end."""
    t, r = tables[0], rng_record[0]
    for i in range(len(games)):
        s = games[i]
        for _ in range(limit):
            if s["outcome"] != RUNNING or s["status"] != OK:
                break
            plan = plans[i, int(s["asking"])]
            answer = legal_answer(s, rng.below(r, count_legal(s))) if plan[0] == AT_RANDOM else answer_of(t, s, plan)
            give_answer(s, answer)
            advance(t, s)


@entry
def turns_to_points(tables, games, plans, wanted, turns):
    """Play each game with bots until seat 0 owns `wanted` 6-VP cards; turns[i] is how many turns that took it, 0 if it never did."""
    t = tables[0]
    for i in range(len(games)):
        s = games[i]
        turns[i] = 0
        while s["outcome"] == RUNNING and s["status"] == OK:
            if np.int64(s["owned"][0, w.SIX_VP]) >= wanted:
                turns[i] = s["turns"][0]
                break
            give_answer(s, answer_of(t, s, plans[i, int(s["asking"])]))
            advance(t, s)
