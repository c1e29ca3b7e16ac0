"""The roles that the hidden role cards can be, as far as a seat can tell: one random deal of them, or all with their number of ways.

A deal takes the physical role cards that the player count and the open roles leave; deals in which the game would be over are thrown
back. The rest of a world is dealt by `resample.py`, which calls `deal` here; `list_roles` is for deduction, in and outside of agents.
"""

import numpy as np

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.tables import NUM_POOLS, RIVAL_POOL
from danmaku_env.engine import frames as fr
from danmaku_env.engine import queries
from danmaku_env.engine.procedures import victory
from danmaku_env.jit.kernels import kernel
from danmaku_env.machine import rng

FIRST_ROLE_POOL = NUM_POOLS
"""Besides the pools of the tables: the one card of the role that is dealt in every game."""
MAX_TRIES = 2000
OPTION_ROLE, OPTION_COPIES, OPTION_PLACES = range(3)
"""Columns of an option: a role, its cards left, and on the first option of a pool the places its pool still has."""
MOST_KINDS = 4
"""Different roles within a pool, at most."""
OPTIONS = (FIRST_ROLE_POOL + 1) * MOST_KINDS


@kernel
def _open_cards(t, s, seat, pool, cards):
    """Write the role cards of a pool that may lie before hidden seats into `cards`; returns how many, and how many do lie there."""
    table = queries.deal_table(s)
    players = int(s["num_players"])
    if pool == FIRST_ROLE_POOL:
        wanted, size = 1, 1
        cards[0] = t["first_role"]
    else:
        wanted, size = int(t["dealt"][table, players, pool]), int(t["pool_size"][table, players, pool])
        for i in range(size):
            cards[i] = int(t["pool"][table, players, pool, i])
    for other in range(players):
        if (np.int64(s["role_seen"][other]) >> seat) & 1:
            role = int(s["role"][other])
            if role == 0 and pool == RIVAL_POOL:
                wanted -= 1  # the Rival took over
            elif role:
                wanted -= _strike_card(t, cards, size, role)
    left = 0
    midboss_out = _extra_boss_fallen(t, s)
    for i in range(size):
        role = np.int64(cards[i])
        out = midboss_out and t["role_factions"][role] == v.MIDBOSSES
        if role and not out and queries.is_role_in(t, int(s["config"]), players, role):
            cards[left] = role
            left += 1
    return left, min(wanted, left)


@kernel
def _strike_card(t, cards, size, role):
    """Strike one copy of a role, in the form it was dealt in; returns how many were struck."""
    for i in range(size):
        dealt = np.int64(cards[i])
        if dealt == role or (dealt and t["role_becomes"][dealt] == role):
            cards[i] = 0
            return 1
    return 0


@kernel
def _hidden_seats(s, seat, seats):
    """Write the seats whose role `seat` does not know into `seats`; returns how many."""
    hidden = 0
    for other in range(s["num_players"]):
        if (np.int64(s["role_seen"][other]) >> seat) & 1 == 0:
            seats[hidden] = other
            hidden += 1
    return hidden


@kernel
def _deal_hidden_roles(t, s, seat, scratch):
    """Write into scratch["dealt_roles"] a random consistent deal for the seats whose role is hidden; returns how many they are."""
    size = 0
    for pool in range(FIRST_ROLE_POOL + 1):
        left, wanted = _open_cards(t, s, seat, pool, scratch["role_cards"])
        rng.shuffle(scratch, scratch["role_cards"], left)
        for i in range(wanted):
            scratch["dealt_roles"][size] = scratch["role_cards"][i]
            size += 1
    rng.shuffle(scratch, scratch["dealt_roles"], size)
    return _hidden_seats(s, seat, scratch["hidden_seats"])


@kernel
def _extra_boss_fallen(t, s):
    """Whether an Extra Boss has been defeated: then the EX Midboss, if dealt, has revealed (R-9)."""
    for seat in range(s["num_players"]):
        if not queries.is_active(s, seat) and int(t["role_factions"][int(s["role"][seat])]) == v.EXTRA_BOSSES:
            return True
    return False


@kernel
def seats_at_last_check(s):
    """Bits of the seats that were active when it was last seen that nobody has won: those who fell since are still to be judged (A-8)."""
    seats = np.int64(s["active"])
    for f in range(s["depth"]):
        frame = s["stack"][f]
        if frame[fr.PROCEDURE] == fr.SETTLE_FRAME and fr.AT_CHECK < frame[fr.AT] <= fr.AT_VICTORY:
            seats |= int(frame[fr.SETTLE_FALLEN])
    return seats


@kernel
def _would_be_over(t, s):
    """Whether somebody would have won already, now or before Crisis of Faith made a new Heroine."""
    for seat in range(s["num_players"]):
        if not queries.is_active(s, seat):
            continue
        if (int(s["ruled_out"][seat]) >> int(s["role"][seat])) & 1 or victory.is_goal_met(t, s, seat):
            return True
    return False


@kernel
def list_roles(t, s, seat, scratch, options, roles, ways):
    """Every consistent deal of the hidden roles: rows of `roles` [n, 8], and in how many ways the physical cards make each.

    A search in depth over the hidden seats; it uses up the game. `options` [OPTIONS, 3] and `scratch` are written over.
    Returns how many deals there are; beyond the length of `roles` they are counted and not written.
    """
    hidden = _hidden_seats(s, seat, scratch["hidden_seats"])
    size = _list_options(t, s, seat, scratch, options)
    s["active"] = seats_at_last_check(s)
    count = 0
    depth = 0
    choice = scratch["choice"]
    choice[0] = -1
    while depth >= 0:
        if depth == hidden:
            if not queries.is_revealed(s) or not _would_be_over(t, s):
                _write_deal(s, options, choice, hidden, count, roles, ways)
                count += 1
            depth -= 1
            continue
        if choice[depth] >= 0:
            _move_option(options, int(choice[depth]), 1)
        following = _next_option(options, size, int(choice[depth]) + 1)
        choice[depth] = following
        if following < 0:
            depth -= 1
            continue
        _move_option(options, following, -1)
        s["role"][int(scratch["hidden_seats"][depth])] = options[following, OPTION_ROLE]
        depth += 1
        if depth < hidden:
            choice[depth] = -1
    return count


@kernel
def _list_options(t, s, seat, scratch, options):
    """One row per pool and different role left in it; a pool's rows lie together, MOST_KINDS each, the unused ones without copies."""
    for pool in range(FIRST_ROLE_POOL + 1):
        first = pool * MOST_KINDS
        for i in range(first, first + MOST_KINDS):
            options[i, OPTION_ROLE] = 0
            options[i, OPTION_COPIES] = 0
            options[i, OPTION_PLACES] = 0
        left, wanted = _open_cards(t, s, seat, pool, scratch["role_cards"])
        options[first, OPTION_PLACES] = wanted
        for i in range(left):
            place = first
            while options[place, OPTION_COPIES] and options[place, OPTION_ROLE] != np.int64(scratch["role_cards"][i]):
                place += 1
            options[place, OPTION_ROLE] = np.int64(scratch["role_cards"][i])
            options[place, OPTION_COPIES] += 1
    return OPTIONS


@kernel
def _move_option(options, place, change):
    options[place, OPTION_COPIES] += change
    options[place - place % MOST_KINDS, OPTION_PLACES] += change


@kernel
def _next_option(options, size, place):
    """The next option that has a card and a place left, or -1."""
    while place < size:
        if options[place, OPTION_COPIES] > 0 and options[place - place % MOST_KINDS, OPTION_PLACES] > 0:
            return place
        place += 1
    return -1


@kernel
def _write_deal(s, options, choice, hidden, count, roles, ways):
    """One deal; the ways follow from the copies that were left when each was taken."""
    if count >= roles.shape[0]:
        return
    product = 1
    for i in range(hidden):
        place = int(choice[i])
        taken_after = 0
        for j in range(i + 1, hidden):
            if choice[j] == place:
                taken_after += 1
        product *= int(options[place, OPTION_COPIES]) + 1 + taken_after
    ways[count] = product
    for other in range(s["num_players"]):
        roles[count, other] = s["role"][other]


@kernel
def deal(t, s, seat, scratch):
    """Deal hidden roles until the game is not over in the world they make."""
    active = np.int64(s["active"])
    for _ in range(MAX_TRIES):
        hidden = _deal_hidden_roles(t, s, seat, scratch)
        for i in range(hidden):
            s["role"][int(scratch["hidden_seats"][i])] = scratch["dealt_roles"][i]
        if hidden == 0 or not queries.is_revealed(s):
            return
        s["active"] = seats_at_last_check(s)
        over = _would_be_over(t, s)
        s["active"] = active
        if not over:
            return
