"""The role of every seat at every event: roles are exchanged, taken over and revealed, and the log has every change."""

from __future__ import annotations

import numpy as np

from danmaku_env.danmaku import DANMAKU_SPEC
from danmaku_env.engine import events
from danmaku_env.engine import state as st
from danmaku_env.machine.records import Array

_HEROINE = DANMAKU_SPEC.labels.index("heroine")
_NO_ROLE = 0
_CHANGES = (events.L_ROLES, events.L_REVEAL)


def dealt_roles(rows: Array, log: Array, decisions: Array, roles: Array) -> Array:
    """[B, players] the roles dealt, of games whose seats had `roles` [B, players] at their first questions.

    An incident may exchange roles before that: in events [E] of no decision, -1 in `decisions`. The others are as for `roles_before`.
    """
    dealt = roles.copy()
    for place in np.flatnonzero((decisions < 0) & (log[:, st.EVENT] == events.L_ROLES))[::-1]:
        dealt[rows[place]] = _after(log[place], dealt[rows[place]])
    return dealt


def roles_before(rows: Array, log: Array, dealt: Array) -> Array:
    """[E, players] the role of every seat just before each event.

    `rows` [E] is the place of the game of an event, in order from 0; `log` [E, 8] are its columns; `dealt` [B, players] are the roles at
    the beginning of each game.
    """
    changes = np.flatnonzero(np.isin(log[:, st.EVENT], _CHANGES))
    held: Array = np.zeros((len(dealt) + len(changes), dealt.shape[1]), dealt.dtype)
    """The roles from the beginning of each game, and from after each change, in the order of the events."""
    games = np.arange(len(dealt))
    begins = games + np.searchsorted(rows[changes], games)
    held[begins] = dealt
    for place, change in enumerate(changes):
        at = place + int(rows[change]) + 1
        held[at] = _after(log[change], held[at - 1])
    passed: Array = np.zeros(len(rows), np.int64)
    passed[changes] = 1
    before: Array = held[rows + np.cumsum(passed) - passed]
    return before


def _after(event: Array, roles: Array) -> Array:
    """[players] the roles after an event that may have changed them."""
    changed = roles.copy()
    actor, target = int(event[st.ACTOR]) - 1, int(event[st.TARGET]) - 1
    if event[st.EVENT] == events.L_ROLES:
        changed[[actor, target]] = roles[[target, actor]]
        return changed
    revealed = int(event[st.ABOUT]) - 1
    if revealed == _HEROINE:  # the Rival has taken over, or she reveals herself at the beginning
        changed[roles == _HEROINE] = _NO_ROLE
    changed[actor] = revealed  # the other side of an Extra Boss's card
    return changed
