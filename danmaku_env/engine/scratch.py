"""The scratch buffer in which another world is dealt (`resample.py`, `hidden_roles.py`): a generator, and lists of what is hidden where.

Kernels allocate nothing, so the caller brings this record along. Only its generator matters before and after; the rest is written anew
each time.
"""

from __future__ import annotations

from danmaku_env.cards.tables import CARDS, MAX_POOL, NUM_POOLS
from danmaku_env.engine.state import HAND_WORDS, SEATS
from danmaku_env.machine import records

SCRATCH_FIELDS: list[records.RecordField] = [
    ("rng", "u4", records.RNG_WORDS, "the generator of the new world, as in a game"),
    ("hidden", "i8", HAND_WORDS, "bit per physical card that is dealt again, 60 to a word"),
    ("place_zone", "u1", CARDS, "of each place that hides a card or an incident: its zone"),
    ("place_holder", "u1", CARDS, "whose hand, or who looks at the cards aside"),
    ("place_seen", "u1", CARDS, "bit per seat that knows what lies there"),
    ("place_at", "u1", CARDS, "where in the deck or among the cards aside"),
    ("dealt", "u1", CARDS, "cards, incidents or characters in the order in which they go to the places"),
    ("role_cards", "u1", MAX_POOL, "role cards of a pool that may lie before hidden seats"),
    ("dealt_roles", "u1", NUM_POOLS * MAX_POOL + 1, "roles in the order in which they go to the hidden seats"),
    ("hidden_seats", "u1", SEATS, "the seats whose role is hidden"),
    ("choice", "i1", SEATS, "of each hidden seat, while deals are listed: the option taken, or -1"),
]

SCRATCH = records.record_type(SCRATCH_FIELDS)
