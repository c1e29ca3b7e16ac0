"""Who is for me and who against me: from roles to preferences, and from counted interactions to a crude guess at the roles.

*Preference* is one number a seat, relative to me: +1 for a seat I surely want defeated, -1 for one I surely protect, 0 for no opinion.
It comes from a *belief*, a probability of every role for every seat, by one mapping (`preference_of_belief`), whoever holds
the belief: the counts below, or a better deduction. The mapping follows the printed goals.

The counts take every attack and every kindness so far as a sign of who wants whom dead: the more a faction's goal asks for it, the likelier
a seat of that faction has done it.
"""

import math

import numpy as np

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.box import NUM_ROLES, ROLE_IDS
from danmaku_env.cards.tables import ANY_DEAL, NUM_POOLS, POOL_FACTIONS, STAGE_POOL
from danmaku_env.engine import state as st
from danmaku_env.heuristics.kernels import observation_reader as reader
from danmaku_env.heuristics.role_preferences import ALLY, PARTNER_FELL, STAGE_FELL, STAGES_LEFT
from danmaku_env.jit.kernels import entry, kernel

SEATS = reader.SEATS

# ---------------------------------------------------------------- reading the observation row

INTERACTIONS_COUNTED = 2
"""Further interactions of the same kind between the same two tell nothing new."""


@kernel
def situation_of(t, o):
    """Which of SITUATIONS the table is in, as far as I can see."""
    players = reader.number_of_players(o)
    stages = int(t["dealt"][ANY_DEAL, players, STAGE_POOL])
    situation = 0
    for seat in range(players):
        if o[reader.O_ACTIVE + seat]:
            continue
        factions = int(t["role_factions"][reader.known_role(o, seat)])
        if factions & v.STAGE_BOSSES:
            stages -= 1
            situation |= STAGE_FELL
        if factions & v.PARTNERS:
            situation |= PARTNER_FELL
    return situation | STAGES_LEFT if stages > 0 else situation


@kernel
def tally(o, at, actor, target):
    """How often one did the interaction counted from byte `at` to the other, up to INTERACTIONS_COUNTED."""
    times = 0
    for phase in range(st.PHASES):
        times += np.int64(o[at + (phase * SEATS + actor) * SEATS + target])
    return min(times, INTERACTIONS_COUNTED)


# ---------------------------------------------------------------- belief -> preference


@kernel
def preference_of_belief(t, y, o, belief, out):
    """Write my preference toward each seat into `out` [8]: the preferences of my role toward every role, weighted by the belief.

    `t` is the record of card tables, `y` that of a style of play (style.py), `o` my observation row, `belief` [8, NUM_ROLES] float64
    the probability of each role number for each seat, relative to me. I get -1, defeated and absent seats 0.
    """
    me = reader.known_role(o, 0)
    situation = situation_of(t, o)
    for seat in range(SEATS):
        out[seat] = 0.0
        if o[reader.O_ACTIVE + seat] == 0:
            continue
        known = reader.known_role(o, seat)
        if known:
            out[seat] = y["role_preferences"][situation, me, known]
        else:
            for role in range(1, NUM_ROLES):
                out[seat] += belief[seat, role] * y["role_preferences"][situation, me, role]
        if out[seat] > ALLY / 2:
            out[seat] += y["revenge"] * tally(o, reader.O_ATTACKS, seat, 0)
    out[0] = ALLY


# ---------------------------------------------------------------- interactions -> belief

HIDDEN_FACTIONS = NUM_POOLS
"""Factions of hidden roles: one for each pool they are dealt from."""
SCRATCH_ROWS = 2
"""Rows of scratch numbers, one for each faction."""
FACTION_ROLE = tuple(ROLE_IDS.index(name) for name in ("partner", "stage_boss", "ex_boss", "rival"))
"""The role that stands for a faction: its members are mostly this, and act like it."""
HEROINE = ROLE_IDS.index("heroine")

SIGN_OPEN = 0.35
"""Log odds that an interaction adds per unit of role preference, when the role of the one it is done to lies open."""
SIGN_HIDDEN = 0.4
"""The same, when it is hidden and weighed by what I believe of it."""
KINDNESS = -1.5
"""A life given, in attacks."""
SPELL_HARM = 0.7
"""A Spell Card, besides the attack it may be, in attacks: most do harm."""
GIFT = -0.5
"""A card given, in attacks."""
ROUNDS_OF_GUESSING = 2
"""The first round reads interactions to open roles, the second also those to seats about whom the first told something."""


@kernel
def net_harm(o, actor, target):
    """What one has done to the other so far, in attacks; below 0 it was mostly kindness."""
    harm = tally(o, reader.O_ATTACKS, actor, target) + SPELL_HARM * tally(o, reader.O_SPELLS, actor, target)
    return harm + KINDNESS * tally(o, reader.O_HEALS, actor, target) + GIFT * tally(o, reader.O_GIVES, actor, target)


@kernel
def _faction_of(factions):
    """The faction whose pool a role is dealt from (the EX Midboss: the Partners'); -1 for the Heroine and no role."""
    for faction in range(HIDDEN_FACTIONS):
        if factions & POOL_FACTIONS[faction]:
            return faction
    return -1


@kernel
def _prior(t, o, players, left):
    """Fill `left` [HIDDEN_FACTIONS] with how many of each faction are hidden from me, and return how many seats are."""
    for faction in range(HIDDEN_FACTIONS):
        left[faction] = float(t["dealt"][ANY_DEAL, players, faction])
    hidden = 0
    for seat in range(players):
        role = reader.known_role(o, seat)
        if role == 0:
            hidden += o[reader.O_ACTIVE + seat]
            continue
        faction = _faction_of(int(t["role_factions"][role]))
        if faction >= 0:
            left[faction] = max(0.0, left[faction] - 1.0)
    return hidden


@kernel
def _signs(y, o, belief, situation, actor, players, left, scores):
    """Fill `scores` [HIDDEN_FACTIONS] with how well each faction explains what a seat did, times how many of the faction are hidden."""
    for faction in range(HIDDEN_FACTIONS):
        scores[faction] = 0.0
    for target in range(players):
        if target == actor:
            continue
        interactions = net_harm(o, actor, target)
        if interactions == 0:
            continue
        known = reader.known_role(o, target)
        # I know my own role, but a player who does something to me mostly does not
        weight = SIGN_HIDDEN if target == 0 and known != HEROINE else SIGN_OPEN
        for faction in range(HIDDEN_FACTIONS):
            if known:
                scores[faction] += weight * interactions * y["role_preferences"][situation, FACTION_ROLE[faction], known]
                continue
            for role in FACTION_ROLE:
                sign = SIGN_HIDDEN * interactions * y["role_preferences"][situation, FACTION_ROLE[faction], role]
                scores[faction] += sign * belief[target, role]
    top = max(max(scores[0], scores[1]), max(scores[2], scores[3]))
    for faction in range(HIDDEN_FACTIONS):
        scores[faction] = left[faction] * math.exp(scores[faction] - top)


@kernel
def count_belief(t, y, o, belief, room):
    """Write into `belief` [8, NUM_ROLES] float64 what interactions say about the roles.

    `room` [SCRATCH_ROWS, HIDDEN_FACTIONS]
    float64 is scratch.
    """
    players = reader.number_of_players(o)
    situation = situation_of(t, o)
    left, scores = room[0], room[1]
    hidden = _prior(t, o, players, left)
    total = left[0] + left[1] + left[2] + left[3]
    for seat in range(SEATS):
        for role in range(NUM_ROLES):
            belief[seat, role] = 0.0
        if seat >= players:
            continue
        known = reader.known_role(o, seat)
        if known or o[reader.O_ACTIVE + seat] == 0:  # roles of the defeated are open; a Heroine whose role a Rival took has none
            belief[seat, known] = 1.0
        elif total > 0.0:
            for faction in range(HIDDEN_FACTIONS):
                belief[seat, FACTION_ROLE[faction]] = left[faction] / total
    if hidden == 0 or total == 0.0:
        return
    for _ in range(ROUNDS_OF_GUESSING):
        for seat in range(1, players):
            if reader.known_role(o, seat) == 0 and o[reader.O_ACTIVE + seat]:
                _signs(y, o, belief, situation, seat, players, left, scores)
                whole = scores[0] + scores[1] + scores[2] + scores[3]
                for faction in range(HIDDEN_FACTIONS):
                    belief[seat, FACTION_ROLE[faction]] = scores[faction] / whole


@kernel
def count_preference(t, y, o, belief, room, out):
    """Write into `out` [8] the preference that the counts give; `belief` and `room` as in `count_belief`."""
    count_belief(t, y, o, belief, room)
    preference_of_belief(t, y, o, belief, out)


# ---------------------------------------------------------------- the same for batches


@entry
def preferences_of_beliefs(tables, styles, observations, beliefs, preferences):
    """Row by row `preference_of_belief`: [B, n] uint8, [B, 8, NUM_ROLES] float64 -> [B, 8] float64, in place."""
    for i in range(len(observations)):
        preference_of_belief(tables[0], styles[0], observations[i], beliefs[i], preferences[i])


@entry
def count_beliefs(tables, styles, observations, room, beliefs):
    """Row by row `count_belief`: [B, n] uint8 -> [B, 8, NUM_ROLES] float64, in place; `room` is scratch for one row."""
    for i in range(len(observations)):
        count_belief(tables[0], styles[0], observations[i], beliefs[i], room)


@entry
def count_preferences(tables, styles, observations, belief, room, preferences):
    """Row by row `count_preference`: [B, n] uint8 -> [B, 8] float64, in place; `belief` and `room` are scratch for one row."""
    for i in range(len(observations)):
        count_preference(tables[0], styles[0], observations[i], belief, room, preferences[i])
