"""The draft of characters: secret bans, an open pool, open bans in turn order, picks in reverse order. A part of SETUP.

Each seat is dealt DEALT characters and bans one of them face down. The rest lies open for all. The Heroine reveals, and from her on each
seat bans another; then each picks one, in reverse order. The characters that are banned and those left over make the discard pile that
recruiting falls back on; in the base game nobody recruits, and they leave the game.
"""

import numpy as np

from danmaku_env.engine import actions, characters, events, queries, tabletop
from danmaku_env.engine import frames as fr
from danmaku_env.engine import state as st
from danmaku_env.jit.kernels import kernel

DEALT = 4
"""Characters that each seat is dealt to ban one of them."""


@kernel
def _chosen_of(s, f, seat, question, mask):
    """The character of the mask that the seat has named, or -1 while it is asked."""
    if not actions.has_answer(s) and actions.ask_character(s, seat, question, mask, False):
        return -1
    s["stack"][f, fr.SETUP_PLACE] += 1
    return actions.chosen_character(s)


@kernel
def ban_secretly(t, s, f):
    """The next seat bans one of its own; when all have, the others lie open and the Heroine reveals."""
    seat = int(s["stack"][f, fr.SETUP_PLACE])
    if seat == s["num_players"]:
        _open_pool(t, s, f)
        return
    banned = _chosen_of(s, f, seat, actions.Q_BAN, int(s["candidates"][seat]))
    if banned >= 0:
        s["candidates"][seat] = int(s["candidates"][seat]) & ~(1 << banned)
        characters.discard(s, banned, 1 << seat)


@kernel
def _open_pool(t, s, f):
    frame = s["stack"][f]
    for seat in range(s["num_players"]):
        s["open_characters"] = int(s["open_characters"]) | int(s["candidates"][seat])
        s["candidates"][seat] = 0
        if s["role"][seat] == t["first_role"]:
            s["current"] = seat
    tabletop.open_role(s, int(s["current"]))
    s["turn_step"] = st.STEP_DRAFT
    frame[fr.AT] = fr.AT_OPEN_BANS
    frame[fr.SETUP_PLACE] = 0


@kernel
def ban_openly(s, f):
    """The next seat in turn order from the Heroine bans one of the pool; all see which."""
    frame = s["stack"][f]
    players = int(s["num_players"])
    if frame[fr.SETUP_PLACE] == players:
        frame[fr.AT] = fr.AT_PICKS
        frame[fr.SETUP_PLACE] = 0
        return
    seat = (int(s["current"]) + int(frame[fr.SETUP_PLACE])) % players
    banned = _chosen_of(s, f, seat, actions.Q_BAN, int(s["open_characters"]))
    if banned >= 0:
        s["open_characters"] = int(s["open_characters"]) & ~(1 << banned)
        characters.discard(s, banned, st.EVERYBODY)
        events.log(s, events.L_BANNED, seat, -1, banned, 0, 0)


@kernel
def pick(t, s, f):
    """The next seat the other way round, the Heroine first, picks its character; what is left over is discarded."""
    frame = s["stack"][f]
    players = int(s["num_players"])
    if frame[fr.SETUP_PLACE] == players:
        _discard_rest(s)
        frame[fr.AT] = fr.AT_HANDS
        return
    seat = (int(s["current"]) - int(frame[fr.SETUP_PLACE])) % players
    picked = _chosen_of(s, f, seat, actions.Q_CHARACTER, int(s["open_characters"]))
    if picked >= 0:
        s["open_characters"] = int(s["open_characters"]) & ~(1 << picked)
        s["character"][seat] = picked + 1
        characters.refresh(t, s, seat)
        events.log(s, events.L_DEAL, seat, -1, picked, 0, 0)


@kernel
def _discard_rest(s):
    for character in range(s["characters_seen"].shape[0]):
        if (int(s["open_characters"]) >> character) & 1:
            characters.discard(s, character, st.EVERYBODY)
        if not queries.has_expansion(s):
            s["characters_seen"][character] = 0
    s["open_characters"] = 0
    if not queries.has_expansion(s):
        s["discarded_characters"] = 0
        s["unused_characters"] = 0


@kernel
def is_drafted(s):
    """Whether the characters of this game are drafted."""
    return int(s["config"]) & st.CHARACTERS_DRAFTED != 0


@kernel
def deal_rest(t, s):
    """The characters that nobody was dealt lie face down."""
    unused = queries.characters_in(t, s)
    for seat in range(s["num_players"]):
        unused &= ~int(s["candidates"][seat])
    s["unused_characters"] = np.int64(unused)
