"""Answers that name a seat, counted: whether they name an enemy where somebody is to be harmed, and whether they name the Heroine.

`agents/role_separation.py` defines what counts. What is harm, and which role belongs where, comes from above as `NAMING`.
"""

import numpy as np

from danmaku_env.cards.tables import ROLE_ROWS, ROWS
from danmaku_env.cards.vocabulary import NUM_FACTIONS
from danmaku_env.engine import actions
from danmaku_env.engine import frames as fr
from danmaku_env.engine import state as st
from danmaku_env.jit.kernels import count_bits, entry, kernel

HARM, HEROINE = range(2)
"""What is counted: choices of whom to harm, those that name an enemy; answers that could name the Heroine, those that do."""
MADE, NAMED, BY_CHANCE = range(3)
"""Of each: how many, how many of them name what is counted, and how many would by chance, in parts of PARTS."""
PARTS = 840
"""Every number of seats up to 8 divides it."""
COUNTS = (2, NUM_FACTIONS, 3)
"""Shape of what is counted of a seat, by its own faction."""
NOBODY = -1

NAMING = np.dtype(
    [
        ("harms", "u1", ROWS),  # rows of programs that ask whom to harm
        ("team", "i1", ROLE_ROWS),  # the team of a role, 0 for none
        ("own", "i1", ROLE_ROWS),  # the faction of its holder by place in `beliefs.factions.FACTIONS`, or NOBODY
        ("card", "i1", ROLE_ROWS),  # that of the card, or NOBODY
        ("counted", "u1", NUM_FACTIONS),  # whether holders of such a card are counted in the share of the Heroine
        ("her_faction", "i8"),  # hers
    ]
)
"""What is to be known of texts and roles, one record."""


def room(games: int) -> np.ndarray:
    """[games, 8, 2, NUM_FACTIONS, 3] int32: counts of nothing yet."""
    return np.zeros((games, st.SEATS, *COUNTS), np.int32)


@kernel
def _asks_whom_to_harm(naming, s):
    frame = s["stack"][int(s["depth"]) - 1]
    question = int(s["question"])
    asks = question == actions.Q_TARGET or question == actions.Q_SECOND_TARGET
    return asks and frame[fr.PROCEDURE] == fr.PLAY_FRAME and naming["harms"][int(frame[fr.PLAY_PC])] != 0


@kernel
def _add(counts, choices, named, parts):
    counts[MADE] += choices
    counts[NAMED] += named
    counts[BY_CHANCE] += parts


@kernel
def _is_enemy(naming, s, seat, other):
    mine, theirs = naming["team"][int(s["role"][seat])], naming["team"][int(s["role"][other])]
    return mine != theirs and mine != 0 and theirs != 0


@kernel
def _count_enemies(naming, s, seat, legal, many, named, counts):
    own = int(naming["own"][int(s["role"][seat])])
    if own == NOBODY or not _asks_whom_to_harm(naming, s):
        return
    enemies = 0
    for other in range(int(s["num_players"])):
        if (legal >> other) & 1 and _is_enemy(naming, s, seat, other):
            enemies += 1
    _add(counts[HARM, own], 1, int(_is_enemy(naming, s, seat, named)), enemies * PARTS // many)


@kernel
def _count_heroine(naming, s, seat, legal, many, named, counts):
    card = int(naming["card"][int(s["role"][seat])])
    if card == NOBODY or naming["counted"][card] == 0:
        return
    for other in range(int(s["num_players"])):
        if (legal >> other) & 1 and naming["card"][int(s["role"][other])] == naming["her_faction"]:
            _add(counts[HEROINE, card], 1, int(other == named), PARTS // many)
            return


@entry
def count_named(naming, games, seats, masks, answers, counts):
    """Add the [B] answers of the [B] seats asked, with their [B, N] masks, to the counts [B, 8, 2, NUM_FACTIONS, 3] of the seats.

    Answers that name no seat, or where only one could be named, add nothing.
    """
    for i in range(len(games)):
        answer = int(answers[i])
        if answer < actions.SEAT_BASE or answer >= actions.SEAT_BASE + st.SEATS:
            continue
        s, seat = games[i], int(seats[i])
        players, legal = int(s["num_players"]), 0
        for turned in range(players):
            if masks[i, actions.SEAT_BASE + turned]:
                legal |= 1 << ((seat + turned) % players)
        many, named = count_bits(legal), (seat + answer - actions.SEAT_BASE) % players
        if many > 1:
            _count_enemies(naming[0], s, seat, legal, many, named, counts[i, seat])
            _count_heroine(naming[0], s, seat, legal, many, named, counts[i, seat])
