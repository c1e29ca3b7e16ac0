"""Trying answers out: whole worlds played on by the heuristic, from an answer to a horizon, and the value of the position there.

A world is a record in which everything hidden has been dealt (`danmaku_env.resample`), so it may be read as a whole. The players of
a rollout do not read it: each sees its own observation row.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from danmaku_env.cards.box import NUM_ROLES
from danmaku_env.engine import actions, observation, observe, queries
from danmaku_env.engine import state as st
from danmaku_env.engine.advance import advance
from danmaku_env.heuristics import role_classes
from danmaku_env.heuristics.kernels import opponent_model, policy
from danmaku_env.jit.kernels import copy_start, entry, kernel
from danmaku_env.machine import rng

# ---------------------------------------------------------------- the value of a position

PER_FACTION = 5
"""Members still in the game, those with more than one life, their life, cards in hand, items in play."""
OWN = role_classes.NUM_FACTIONS * PER_FACTION
FEATURES = OWN + 9
"""Then whether I am in the game, whether with more than one life, my life, cards, items, whether it is my turn, whether a Stage Boss and
whether a Partner has fallen, and the number of players."""
HAND_UNIT, ITEM_UNIT, PLAYERS_UNIT = 0.25, 0.5, 0.25
HIDDEN = 8
"""Units between features and chances: what a player's life is worth depends on who else is left."""
VALUES = np.dtype([("hidden", "f8", (role_classes.CLASSES, HIDDEN, FEATURES + 1)), ("chance", "f8", (role_classes.CLASSES, HIDDEN + 1))])
"""One record, shape (1,): for each class of role a net from the features to the log odds of winning; the last weight of each unit is
its bias."""


@kernel
def _items_of(s, seat):
    items = 0
    for slot in range(s["item_counts"].shape[1]):
        items += int(s["item_counts"][seat, slot])
    return items


@kernel
def _add(s, seat, row, at):
    """Add the PER_FACTION numbers of a seat."""
    row[at] += 1.0
    row[at + 1] += 1.0 if s["life"][seat] > 1 else 0.0
    row[at + 2] += int(s["life"][seat])
    row[at + 3] += HAND_UNIT * int(s["hand_size"][seat])
    row[at + 4] += ITEM_UNIT * _items_of(s, seat)


@kernel
def write_features(classes, s, seat, row):
    """What the chances of a seat are read from, in a world where all roles are known; `classes` is role_classes.CLASS_OF_ROLE."""
    for i in range(FEATURES):
        row[i] = 0.0
    fallen = 0
    for other in range(s["num_players"]):
        c = int(classes[int(s["role"][other])])
        if c < 0:
            continue
        faction = role_classes.FACTION_OF_CLASS[c]
        if not queries.is_active(s, other):
            fallen |= 1 << faction
            continue
        _add(s, other, row, faction * PER_FACTION)
    if queries.is_active(s, seat):
        _add(s, seat, row, OWN)
    row[OWN + 5] = 1.0 if s["current"] == seat else 0.0
    row[OWN + 6] = 1.0 if (fallen >> 2) & 1 else 0.0
    row[OWN + 7] = 1.0 if (fallen >> 1) & 1 else 0.0
    row[OWN + 8] = PLAYERS_UNIT * int(s["num_players"])


@kernel
def _value(classes, values, s, seat, row):
    """Expected reward of a seat, -1 to 1: paid when the game is over, else read from the features."""
    if s["outcome"] != st.RUNNING:
        if s["outcome"] != st.WON:
            return 0.0
        return 1.0 if (np.int64(s["winners"]) >> seat) & 1 else -1.0
    write_features(classes, s, seat, row)
    c = max(0, int(classes[int(s["role"][seat])]))
    total = values["chance"][c, HIDDEN]
    for unit in range(HIDDEN):
        weights = values["hidden"][c, unit]
        drive = weights[FEATURES]
        for i in range(FEATURES):
            drive += weights[i] * row[i]
        total += values["chance"][c, unit] * math.tanh(drive)
    return math.tanh(0.5 * total)


@entry
def feature_rows(classes, games, features):
    """Write the features of every seat: features [B, 8, FEATURES] float64."""
    for i in range(len(games)):
        for seat in range(games[i]["num_players"]):
            write_features(classes, games[i], seat, features[i, seat])


# ---------------------------------------------------------------- rollouts


MOST_ANSWERS = 90
"""Answers before the horizon, at most."""


class Scratch(NamedTuple):
    """Room for one rollout. Observations in it end without a history: in the log the events of one rollout lie among those of others."""

    games: Any
    """[1] the record that is played on."""
    raw: Any
    """[1, bytes] its bytes."""
    observation: Any
    mask: Any
    belief: Any
    counts: Any
    preference: Any
    features: Any


def make_scratch() -> Scratch:
    """Room as `try_answers` needs it; one rollout after the other has the same."""
    games = np.zeros(1, st.STATE)
    row, mask = np.zeros(observation.OBSERVATION_SIZE, np.uint8), np.zeros(actions.NUM_ACTIONS, np.uint8)
    belief, counts = np.zeros((st.SEATS, NUM_ROLES)), np.zeros((opponent_model.SCRATCH_ROWS, opponent_model.HIDDEN_FACTIONS))
    return Scratch(games, st.as_bytes(games), row, mask, belief, counts, np.zeros(st.SEATS), np.zeros(FEATURES))


@kernel
def _play_on(t, f, y, s, turns, scratch):
    """The heuristic answers for every seat until this many turns have begun, or MOST_ANSWERS were given, or the game is over."""
    last_turn = int(s["turn_number"]) + turns
    observation, mask, preference = scratch.observation, scratch.mask, scratch.preference
    for _ in range(MOST_ANSWERS):
        if s["asking"] == st.NOBODY or s["turn_number"] >= last_turn:
            return
        observe.observe(t, s, int(s["asking"]), observation)
        mask[:] = 0
        actions.write_mask(s, mask)
        opponent_model.count_preference(t, y, observation, scratch.belief, scratch.counts, preference)
        answer = policy.choose(t, f, y, observation, mask, preference, rng.below(s, policy.NOISE_WORDS))
        actions.give_answer(s, answer)
        advance(t, s)


@entry
def try_answers(tables, facts, styles, classes, values, worlds, seat, answers, turns, scratch, results):
    """Try each of the answers [k] in the worlds [W, bytes of a record] and write what becomes of it for a seat into results [k, W].

    The same world begins every answer with the same random numbers.
    """
    t, s = tables[0], scratch.games[0]
    for w in range(len(worlds)):
        for k in range(len(answers)):
            copy_start(scratch.raw, 0, worlds, w, st.BYTES_BEFORE_LOG)
            actions.give_answer(s, answers[k])
            advance(t, s)
            _play_on(t, facts[0], styles[0], s, turns, scratch)
            results[k, w] = _value(classes, values[0], s, seat, scratch.features)


@entry
def value_rows(tables, facts, styles, observations, masks, preferences, values):
    """The heuristic's value of every legal answer, in lives: values [B, N] float64, -inf where illegal."""
    t, f, y = tables[0], facts[0], styles[0]
    for i in range(len(observations)):
        o, mask, e = observations[i], masks[i], preferences[i]
        question = policy.reader.asked(o)
        for action in range(masks.shape[1]):
            values[i, action] = policy.action_value(t, f, y, o, mask, e, question, action) if mask[action] else -np.inf
