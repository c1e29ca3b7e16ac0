"""Goals as states (R-1), who may declare (R-2), who wins with them (R-3)."""

import numpy as np

from danmaku_env.cards import vocabulary as v
from danmaku_env.engine import events, queries
from danmaku_env.engine import state as st
from danmaku_env.jit.kernels import kernel


@kernel
def _has(t, s, seats, faction):
    """Whether one of the seats in the mask is of the faction."""
    return queries.faction_seat(t, s, faction, seats) >= 0


@kernel
def _is_met(t, s, goal, others):
    """Whether what a goal asks is true now, other Partners apart; `others` are the seats that may be "another" to its owner."""
    active = np.int64(s["active"])
    if goal & v.STAGE_DEAD and _has(t, s, active, v.STAGE_BOSSES):
        return False
    if goal & v.EXTRA_DEAD and _has(t, s, active, v.EXTRA_BOSSES):
        return False
    if goal & v.HEROINE_DEAD and _has(t, s, active, v.HEROINES | v.RIVALS):
        return False
    if goal & v.A_PARTNER_DEAD and not _has(t, s, ~active, v.PARTNERS):
        return False
    return not (goal & v.ANOTHER_STAGE_DEAD and not _has(t, s, others & ~active, v.STAGE_BOSSES))


@kernel
def is_goal_met(t, s, seat):
    """Whether the goal on the seat's role card is true now. Somebody without a role has none."""
    goal = int(t["role_goal"][int(s["role"][seat])])
    if goal == 0 or goal & v.IS_HEROINE:
        return False  # a Rival who took over holds the Heroine role instead
    others = ~(1 << seat)
    if goal & v.OTHER_PARTNERS_DEAD and _has(t, s, others & np.int64(s["active"]), v.PARTNERS):
        return False
    return _is_met(t, s, goal, others)


@kernel
def winning_roles(t, s):
    """Bits of the roles with which an active seat would have met its goal. Everybody can tell: how many of a faction are left is public."""
    partners = 0
    for seat in range(s["num_players"]):
        if _has(t, s, np.int64(s["active"]) & (1 << seat), v.PARTNERS):
            partners += 1
    roles = 0
    for role in range(1, t["role_goal"].shape[0]):
        goal = int(t["role_goal"][role])
        if goal == 0 or goal & v.IS_HEROINE or (goal & v.OTHER_PARTNERS_DEAD and partners > 1):
            continue
        if _is_met(t, s, goal, st.EVERYBODY):
            roles |= 1 << role
    return roles


@kernel
def end_game(s, outcome, winners):
    """The game is over: nobody is asked any more, all roles are open."""
    s["outcome"] = outcome
    s["winners"] = winners
    s["asking"] = st.NOBODY
    for seat in range(s["num_players"]):
        s["role_seen"][seat] = st.EVERYBODY
    events.log(s, events.L_OVER, -1, -1, -1, outcome, 0)


@kernel
def check_victory(t, s):
    """End the game when an active seat's goal is met, or nobody is left."""
    if s["active"] == 0:
        end_game(s, st.DRAWN, 0)
        return
    winners = 0
    teams = 0
    for seat in range(s["num_players"]):
        if queries.is_active(s, seat) and is_goal_met(t, s, seat):
            winners |= 1 << seat
            teams |= 1 << int(t["role_team"][int(s["role"][seat])])
    if winners == 0:
        return
    for seat in range(s["num_players"]):
        if not queries.is_active(s, seat) and (teams >> int(t["role_team"][int(s["role"][seat])])) & 1:
            if is_goal_met(t, s, seat):
                winners |= 1 << seat
    end_game(s, st.WON, winners)
