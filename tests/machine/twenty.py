"""A second game on the machine: seats in turn draw from a shuffled deck as often as they dare, and the most points up to 21 win."""

import numpy as np

from danmaku_env.jit.kernels import entry, kernel, shared
from danmaku_env.machine import answers, batch, event_ring, flow, lists, prefetch, records, rng, stack
from danmaku_env.machine.frames import PROCEDURE, SEAT
from danmaku_env.machine.records import ENDLESS, NOBODY, WON

TITLE = "the second game"
SEATS, CARDS, MOST = 4, 40, 21
STOP, DRAW = range(2)
ROUND_FRAME, TAKE_FRAME = 1, 2
FIELDS = [
    ("legal", "i8", 2, ""), ("seed", "i8", 1, ""), ("decisions", "i4", 1, ""), ("log_count", "i4", 1, ""), ("config", "i2", 1, ""),
    ("answer", "i2", 1, ""), ("asking", "i1", 1, ""), ("question", "i1", 1, ""), ("outcome", "i1", 1, ""), ("winners", "u1", 1, ""),
    ("status", "i1", 1, ""), ("num_players", "i1", 1, ""), ("depth", "i1", 1, ""), ("points", "i1", SEATS, ""), ("deck_size", "i1", 1, ""),
    ("stack", "i2", (3, 3), ""), ("rng", "u4", 4, ""), ("deck", "u1", CARDS, ""), ("log", "u1", (8, 8), ""),
]  # fmt: skip
STATE = records.record_type(FIELDS, ("stack", "log"))
TABLES = np.zeros(1, [("points", "i1", CARDS)])
TABLES["points"] = 1 + np.arange(CARDS) % 10
ROW = SEATS + 1
ANSWERS = answers.answers_of((1, 2), ask_forced=1)
clear_legal, allow, ask = ANSWERS.clear_legal, ANSWERS.allow, ANSWERS.ask


@kernel
def new_game(settings, s, seed):
    s["seed"] = seed
    s["answer"] = -1
    s["asking"] = NOBODY
    s["num_players"] = settings[0]
    s["config"] = settings[1]
    rng.seed_rng(s, seed)
    for card in range(CARDS):
        lists.put_on(s["deck"], card, card, card % 2 == 1)
    s["deck_size"] = CARDS
    rng.shuffle(s, s["deck"], CARDS)
    stack.push(s, ROUND_FRAME, 0)


@kernel
def _judge(s):
    best = 0
    for seat in range(s["num_players"]):
        if best < s["points"][seat] <= MOST:
            best = int(s["points"][seat])
    for seat in range(s["num_players"]):
        if s["points"][seat] == best:
            s["winners"] = int(s["winners"]) | (1 << seat)
    s["outcome"] = WON


@kernel
def _take(t, s, seat):
    card = lists.take_top(s["deck"], int(s["deck_size"]))
    s["deck_size"] = int(s["deck_size"]) - 1
    s["points"][seat] = int(s["points"][seat]) + int(t["points"][card])
    event_ring.append(s, (seat + 1) | (card + 1) << 8)
    stack.pop(s)


@kernel
def _round(s, frame):
    seat = int(frame[SEAT])
    if seat == s["num_players"]:
        _judge(s)
        return
    if not answers.has_answer(s):
        clear_legal(s)
        allow(s, STOP)
        if s["points"][seat] < MOST:
            allow(s, DRAW)
        if ask(s, seat, 1):
            return
    if answers.take_answer(s) == DRAW:
        stack.push(s, TAKE_FRAME, seat)
    else:
        frame[SEAT] = seat + 1


@shared
def advance(t, s):
    for _ in range(flow.MOST_STEPS):
        if flow.is_at_rest(s):
            return
        frame = s["stack"][int(s["depth"]) - 1]
        if frame[PROCEDURE] == TAKE_FRAME:
            _take(t, s, int(frame[SEAT]))
        else:
            _round(s, frame)
    s["status"] = ENDLESS


@kernel
def observe(t, s, seat, row):
    for other in range(s["num_players"]):
        row[other] = s["points"][(seat + other) % s["num_players"]]
    row[SEATS] = s["deck_size"]


@kernel
def prefetch_record(raw, row):
    prefetch.lines(raw, row, 0, raw.shape[1])


@kernel
def prefetch_found(games, raw, row, size):
    """Nothing: it was all asked for."""


GAME = batch.GameKernels(advance, new_game, observe, ANSWERS, STOP, prefetch_record, prefetch_found)
_drive, _step_rows, _sample_rows, _play_on = (
    batch.drive_of(GAME), batch.step_rows_of(GAME), batch.sample_rows_of(ANSWERS), batch.play_on_of(GAME)
)  # fmt: skip


@entry
def drive(tables, settings, games, raw, inputs, status, mode):
    _drive(tables, settings, games, raw, inputs, status, mode)


@entry
def step_rows(tables, settings, games, raw, chosen, status, observations, masks, seats, rewards, dones, low, high):
    return _step_rows(tables, settings, games, raw, chosen, status, observations, masks, seats, rewards, dones, low, high)


@entry
def sample_rows(games, raw, chosen, rng_record):
    _sample_rows(games, raw, chosen, rng_record)


@entry
def play_on(tables, games, raw, rows, chosen, learners, at_random, own_rng, asked, observations, masks):
    _play_on(tables, games, raw, rows, chosen, learners, at_random, own_rng, asked, observations, masks)


@entry
def events(games, row, log):
    """Write what is left of a game's log, the oldest first; returns how many events there are."""
    s = games[row]
    kept = event_ring.kept(s)
    for place in range(kept):
        log[place] = event_ring.event_at(s, int(s["log_count"]) - kept + place)
    return kept


@entry
def roll(rng_record, sides, numbers):
    """Seed a generator, and fill an array with numbers from it."""
    rng.seed_rng(rng_record[0], 7)
    for place in range(len(numbers)):
        numbers[place] = rng.below(rng_record[0], sides)


class Batch:
    """Games side by side, with the arrays that the entry points write."""

    def __init__(self, count, players=SEATS, config=0):
        self.games = records.room_for(STATE, count)
        self.raw, self.settings = records.as_bytes(self.games), np.array([players, config])
        self.observations, self.masks = np.zeros((count, ROW), np.uint8), np.zeros((count, 2), np.uint8)
        self.status, self.seats, self.dones = np.zeros(count, np.int8), np.zeros(count, np.int8), np.zeros(count, np.bool_)
        self.rewards, self.chosen, self.rng = np.zeros((count, SEATS), np.float32), np.full(count, -1), np.zeros(1, records.RNG)
        self.rng["rng"] = 1, 2, 3, 4

    def start(self, seed):
        drive(TABLES, self.settings, self.games, self.raw, seed + np.arange(len(self.games)), self.status, batch.START)
        self.step(self.chosen)

    def answer(self, inputs):
        drive(TABLES, self.settings, self.games, self.raw, np.array(inputs), self.status, batch.ANSWER)

    def step(self, chosen):
        arrays = self.status, self.observations, self.masks, self.seats, self.rewards, self.dones
        step_rows(TABLES, self.settings, self.games, self.raw, chosen, *arrays, 0, len(self.games))

    def sample(self):
        sample_rows(self.games, self.raw, self.chosen, self.rng)
        return self.chosen


def examples():
    b, none = Batch(1), np.zeros(1, np.int64)
    return [
        (advance, (TABLES[0], b.games[0])),
        (drive, (TABLES, b.settings, b.games, b.raw, none, b.status, batch.START)),
        (step_rows, (TABLES, b.settings, b.games, b.raw, none, b.status, b.observations, b.masks, b.seats, b.rewards, b.dones, 0, 1)),
        (sample_rows, (b.games, b.raw, none, b.rng)),
        (play_on, (TABLES, b.games, b.raw, none, none, none, none, b.rng, none, b.observations, b.masks)),
        (events, (b.games, 0, none)),
        (roll, (b.rng, 6, none)),
    ]
