"""Altered records: what the gate (`engine/invariants`) lets through must play on without reading or writing where it should not, and end.

`NUMBA_BOUNDSCHECK=1 python -m tests.altered --records 100000` alters 100,000 records of random games, gives each to the gate, plays those
that pass to their end with random answers, with bounds checked, and prints its figures. A part of it is in the suite
(engine/test_altered.py).

Half of the altered records are then put right as whoever forges one would: counts are counted anew and the question is asked anew.
"""

from __future__ import annotations

import argparse
import contextlib
import faulthandler
import functools
import signal
import sys
from collections import Counter

import numpy as np

from danmaku_env import GameConfig, make_vec
from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.compile import compile_cards
from danmaku_env.cards.tables import PILE_ROOM
from danmaku_env.engine import actions, batch, hidden_roles, invariants, observation, observe, queries
from danmaku_env.engine import frames as fr
from danmaku_env.engine import state as st
from danmaku_env.engine.invariants import cards
from danmaku_env.engine.scratch import SCRATCH
from danmaku_env.jit.kernels import JIT

TABLES = compile_cards().tables
CONFIGS = [
    GameConfig(num_players=players, roles=roles, characters=characters, ask_forced=forced, ask_everyone=everyone, ask_seasons=seasons)
    for players, roles, characters, forced, everyone, seasons in [
        (4, "basic", "random", False, False, False), (5, "advanced", "choose", False, True, False),
        (6, "advanced", "random", True, True, True), (6, "advanced", "none", False, False, True),
        (7, "advanced", "random", False, False, False),
        (8, "advanced", "random", False, False, False), (8, "basic", "choose", True, False, False),
        (5, "advanced", "draft", False, False, False), (6, "advanced", "double_threat", False, False, False),
    ]
]  # fmt: skip
SECONDS_STUCK = 60 if JIT else 900
"""A record that keeps the processor busy for so long hangs."""
FRESH_EVERY = 2000
"""Records after which another batch of positions is played."""
STRANGE = (-128, -2, -1, 0, 1, 2, 3, 4, 7, 8, 20, 63, 100, 127, 201, 255, 30_000)


def positions(config, seed, count):
    """[count] records at rest, from all of many random games."""
    vec = make_vec(16, config)
    vec.reset(seed)
    found = []
    while len(found) < count:
        for _ in range(13):
            vec.step(vec.sample())
        found.extend(vec.clone())
    return np.array(found[:count], st.STATE)


# ---------------------------------------------------------------- altering


def one_number(record, rng, others):
    """One element of one field becomes a strange number, or one more or less."""
    flat = record[str(rng.choice(st.STATE.names))].reshape(-1)
    place = rng.integers(len(flat))
    low, high = np.iinfo(flat.dtype).min, np.iinfo(flat.dtype).max
    value = int(flat[place]) + int(rng.choice((-1, 1))) if rng.random() < 0.5 else int(rng.choice(STRANGE))
    flat[place] = min(max(value, low), high)


def one_byte(record, rng, others):
    raw = st.as_bytes(record)[0]
    raw[rng.integers(st.PLAY_BYTES if rng.random() < 0.8 else st.STATE_BYTES)] = rng.integers(256)


def one_bit(record, rng, others):
    raw = st.as_bytes(record)[0]
    raw[rng.integers(st.PLAY_BYTES)] ^= 1 << rng.integers(8)


def swapped(record, rng, others):
    """Two elements of a field change places."""
    flat = record[str(rng.choice(st.STATE.names))].reshape(-1)
    one, other = rng.integers(len(flat)), rng.integers(len(flat))
    flat[one], flat[other] = int(flat[other]), int(flat[one])


def from_another(record, rng, others):
    """A field as it is in another game."""
    name = str(rng.choice(st.STATE.names))
    record[name] = others[rng.integers(len(others))][name]


def a_resting_frame(s, rng):
    return s["stack"][rng.integers(min(max(1, int(s["depth"])), fr.DEPTH))]


def in_a_frame(record, rng, others):
    """A column of a frame in use: strange, or as in another frame, or another row of the same program."""
    frame = a_resting_frame(record[0], rng)
    column = rng.integers(fr.FRAME_COLUMNS)
    if rng.random() < 0.3 and frame[fr.PLAY_PC] > 0:
        frame[fr.PLAY_PC] += rng.choice((-3, -2, -1, 1, 2, 3))
    elif rng.random() < 0.5:
        frame[column] = a_resting_frame(others[rng.integers(len(others))], rng)[column]
    else:
        frame[column] = rng.choice(STRANGE)


def a_frame(record, rng, others):
    """A frame of another game on top, or instead of one."""
    frame = a_resting_frame(others[rng.integers(len(others))], rng)
    depth = int(record["depth"][0])
    if rng.random() < 0.5 and 0 < depth < fr.DEPTH:
        record["stack"][0, depth] = frame
        record["depth"] = depth + 1
    else:
        a_resting_frame(record[0], rng)[:] = frame


def a_card(record, rng, others):
    """A card lies somewhere else, perhaps also in the piles."""
    s = record[0]
    card = rng.integers(int(TABLES["cards_in"][0, 0]))
    s["zone"][card], s["holder"][card] = rng.integers(1, st.COLLECTED + 1), rng.integers(st.SEATS)
    s["seen_by"][card] = 255


def something_plausible(record, rng, others):
    """What play might have done, or nearly: somebody's life, a step, a choice, the order of the deck, who has which role, an effect."""
    s = record[0]
    players = min(max(int(s["num_players"]), 1), st.SEATS)
    what, seat, other = rng.integers(12), rng.integers(players), rng.integers(players)
    frame = a_resting_frame(s, rng)
    layout = fr.LAYOUTS.get(int(frame[fr.PROCEDURE]))
    if what == 0:
        s["life"][seat] = rng.integers(6)
    elif what == 1:
        rng.shuffle(s["deck"][: min(int(s["deck_size"]), PILE_ROOM)])
    elif what == 2:
        name = str(rng.choice(("spell_used", "skip_next", "skipped_last", "danmaku_played", "skipping", "skip_incident", "action_ban")))
        record[name].reshape(-1)[seat if record[name].size > 1 else 0] = rng.integers(2)
    elif what in (3, 4, 5) and layout and layout.columns:
        column = layout.columns[rng.integers(len(layout.columns))]
        frame[column.slot] = rng.integers(players + 2) if rng.random() < 0.8 else rng.integers(150)
    elif what == 6 and layout:
        frame[fr.AT] = rng.integers(max(1, len(layout.steps)))
    elif what == 7:
        frame[fr.SEAT] = seat
    elif what == 8 and 0 <= s["lasting_size"] < st.LASTING_ROWS:
        s["lasting"][int(s["lasting_size"])] = rng.integers(1, len(v.LASTING) + 1), seat, other, rng.integers(64)
        s["lasting_size"] += 1
    elif what == 9:
        s["role"][seat], s["role"][other] = int(s["role"][other]), int(s["role"][seat])
    elif what == 10:
        s["used_turn"][seat], s["used_round"][other] = rng.integers(1 << 20), rng.integers(1 << 20)
    else:
        s["config"] = rng.integers(st.ALL_OPTIONS + 1)


ALTERATIONS = (
    something_plausible, something_plausible, something_plausible, one_number, one_byte, one_bit, swapped, from_another,
    in_a_frame, in_a_frame, a_frame, a_card,
)  # fmt: skip


def put_right(record):
    """Count everything anew and ask the question anew: what a forger would do to get through."""
    s = record[0]
    if not ((s["zone"] <= st.COLLECTED).all() and (s["holder"] < st.SEATS).all()):
        return
    total = int(TABLES["cards_in"][0, queries.box(s)])
    for name, zones in cards._PILES.items():
        lying = [card + 1 for card in range(total) if s["zone"][card] in zones]
        kept = [card for card in s[name].tolist() if card in lying or (name == "aside" and card > st.INCIDENT_CARD)]
        pile = (list(dict.fromkeys(kept)) + [card for card in lying if card not in kept])[: len(s[name])]
        s[name] = 0
        s[name][: len(pile)] = pile
        s[f"{name}_size"] = len(pile)
    s["holder"][:total][~np.isin(s["zone"][:total], [*cards._WITH_HOLDER, st.COLLECTED])] = 0
    if _counts(s) and invariants.position_problem(s) is None and s["outcome"] == st.RUNNING:
        record[:] = invariants._asked_anew(record, int(s["pending_kind"]))


def _counts(s):
    """Write the counted fields; whether they could be counted."""
    try:
        for name, value in cards._counted(s).items():
            s[name] = value
    except (IndexError, OverflowError):
        return False
    return True


def altered(records, rng):
    """A record of the batch, altered in one to three ways."""
    record = records[rng.integers(len(records))].reshape(1).copy()
    names = []
    for _ in range(rng.integers(1, 4)):
        alteration = ALTERATIONS[rng.integers(len(ALTERATIONS))]
        alteration(record, rng, records)
        names.append(alteration.__name__)
    if rng.random() < 0.5:
        put_right(record)
        names.append("put right")
    return record, names


# ---------------------------------------------------------------- playing on


def look(record):
    """Everything that reads a record: observations, masks, states, histories, worlds, roles."""
    s = record[0]
    players = int(s["num_players"])
    room = np.zeros(1, SCRATCH)
    room["rng"][0] = 1, 2, 3, 4
    row = np.zeros((1, observation.OBSERVATION_SIZE + 64 * st.EVENT_COLUMNS), np.uint8)
    for seat in range(players):
        batch.observe_rows(TABLES, record, np.array([seat]), row)
        world = record.copy()
        batch.resample_rows(TABLES, world, np.array([seat]), np.full((1, st.SEATS), -1, np.int8), room)
    batch.mask_rows(record, np.zeros((1, actions.NUM_ACTIONS), np.uint8))
    batch.write_states(TABLES, record, np.zeros((1, observe.STATE_SIZE), np.uint8))
    options = np.zeros((hidden_roles.OPTIONS, 3), np.int64)
    batch.list_roles(TABLES, record.copy(), 0, room, options, np.zeros((8, st.SEATS), np.int8), np.zeros(8, np.int64))


def play_on(record, engine_rng, answers=40_000, every=40):
    """Answer at random to the end. Returns how it ended, in words."""
    for _ in range(0, answers, every):
        look(record)
        batch.rollout(TABLES, record, every, engine_rng)
        s = record[0]
        if s["status"] != st.OK:
            return f"stopped with status {int(s['status'])}"
        if found := invariants.problem(s):
            return f"came to an impossible position: {found}"
        if s["outcome"] != st.RUNNING:
            return "over"
    return "still running"


@functools.lru_cache(2 * len(CONFIGS))
def fresh_positions(place, seed):
    return positions(CONFIGS[place], seed, 64)


def positions_for(number, seed, rng):
    """The batch that a record is taken from; each is played anew now and then."""
    place = int(rng.integers(len(CONFIGS)))
    played = (number // FRESH_EVERY - place) // len(CONFIGS) + 1
    return fresh_positions(place, seed + place + 1000 * played)


def study(count, seed, report=None, first=0):
    """Alter `count` records. Returns a Counter of what became of them: refused (with why), or let through and how they ended.

    Every record has a generator of its own, so that a finding can be repeated alone.
    """
    found = Counter()
    for number in range(first, first + count):
        if report and number % 1000 == 999:
            report(number + 1, found)
        rng = np.random.default_rng((seed, number))
        records = positions_for(number, seed, rng)
        record, names = altered(records, rng)
        if record.tobytes() in {other.tobytes() for other in records}:
            found["unchanged", ""] += 1
            continue
        with watched():
            found[what_becomes_of(record, rng, f"seed {seed}, record {number}: {', '.join(names)}")] += 1
    return found


@contextlib.contextmanager
def watched():
    """What hangs within, perhaps in a kernel, ends the process and says where it was."""
    if not hasattr(signal, "setitimer"):
        yield
        return
    faulthandler.register(signal.SIGPROF, chain=True)
    signal.setitimer(signal.ITIMER_PROF, SECONDS_STUCK)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        faulthandler.unregister(signal.SIGPROF)


def what_becomes_of(record, rng, words):
    """(result, how): refused and why, let through and how it ended, or out of bounds; what must not be comes with the record's words."""
    engine_rng = np.zeros(1, st.STATE)
    engine_rng["rng"][0] = rng.integers(1, 1 << 32, 4)
    try:
        if outcome := invariants.problem(record[0]):
            return "refused", " ".join(word for word in outcome.split() if not word.lstrip("-").isdigit())
        ended = play_on(record, engine_rng)
        return "let through", ended if ended == "over" else f"{ended} ({words})"
    except IndexError as error:
        return "OUT OF BOUNDS", f"{error} ({words})"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="begin with this record: with --records 1, a finding alone")
    options = parser.parse_args()

    def report(number, found):
        through = sum(times for what, times in found.items() if what[0] == "let through")
        print(f"record {number}: {through} let through, {len(findings(found))} findings", file=sys.stderr, flush=True)

    found = study(options.records, options.seed, report, options.first)
    return summary(found)


def summary(found, reasons=20):
    """Print what became of the records; 1 when something did that must not."""
    for result in ("unchanged", "refused", "let through", "OUT OF BOUNDS"):
        kinds = Counter({what[1]: times for what, times in found.items() if what[0] == result})
        print(f"{sum(kinds.values()):7d} {result}")
        for what, times in kinds.most_common(reasons if result == "refused" else None):
            print(f"        {times:7d} {what}")
    return int(bool(findings(found)))


def findings(found):
    """What must not be: a record that was let through and did not play on to its end."""
    return [what for what in found if what[0] == "OUT OF BOUNDS" or (what[0] == "let through" and what[1] != "over")]


if __name__ == "__main__":
    sys.exit(main())
