"""A second game, as small as one can be: two seats take 1 to 3 of 7 sticks in turn, and whoever takes the last has won."""

from dataclasses import asdict, dataclass, fields

import numpy as np

from danmaku_env.arguments import ConfigError
from danmaku_env.fields import OF_SEATS, SINGLE, Axis, Field, numbered
from danmaku_env.machine.records import RUNNING, WON
from danmaku_env.spec import EntryPoints, GameSpec

RECORD = np.dtype(
    [("seed", "i8"), ("asking", "i1"), ("question", "i1"), ("outcome", "i1"), ("winners", "u1"), ("status", "i1"), ("num_players", "i1"),
     ("decisions", "i4"), ("sticks", "i1"), ("first", "i1"), ("log_count", "i4"), ("log", "u1", (8, 2)), ("rng", "u4", 4)]
)  # fmt: skip
ACTIONS = ("take 1", "take 2", "take 3")
SEATS = numbered(OF_SEATS, range(2))
FIELDS = (
    Field("sticks", (SINGLE,), "count", 7, "sticks that lie there"),
    Field("first", (SEATS,), "flag", 1, "whoever began", words="one"),
    Field("last", (Axis("action", ACTIONS),), "flag", 1, "what was taken last", words="one"),
)
ROW = 1 + 2 + 3
STATE_FIELDS = (Field("observation", (numbered("byte", range(ROW)),), "mixed", 255, "what seat 0 observes"),)


@dataclass(frozen=True, kw_only=True)
class NimConfig:
    num_players: int = 2
    history: int = 0

    def __post_init__(self):
        if self.num_players != 2:
            raise ConfigError(f"num_players must be 2, not {self.num_players}")

    @property
    def observation_size(self):
        return ROW + 2 * self.history

    def settings(self):
        return np.zeros(1, np.int64)

    def to_dict(self):
        return asdict(self)

    @classmethod
    def from_dict(cls, data):
        if unknown := sorted(set(data) - {field.name for field in fields(cls)}):
            raise ConfigError(f"unknown option {unknown[0]!r}")
        return cls(**data)

    @classmethod
    def of(cls, config, options):
        return config if isinstance(config, cls) else cls.from_dict(options)


def begin(s, seed):
    s["seed"], s["num_players"], s["sticks"] = seed, 2, 7
    for field in ("question", "outcome", "winners", "status", "decisions", "log_count", "log"):
        s[field] = 0
    s["asking"] = s["first"] = seed % 2


def legal(s, action):
    return s["outcome"] == RUNNING and 0 <= action < min(3, s["sticks"])


def take(s, action):
    s["log"][s["log_count"] % 8] = action + 1, s["asking"] + 1
    s["log_count"] += 1
    s["decisions"] += 1
    s["sticks"] -= action + 1
    if s["sticks"] == 0:
        s["outcome"], s["winners"], s["asking"] = WON, 1 << int(s["asking"]), -1
    else:
        s["asking"] = 1 - s["asking"]


def drive(tables, settings, games, raw, inputs, status, mode):
    for i, s in enumerate(games):
        status[i] = 0
        if mode == 0:
            begin(s, inputs[i])
        elif legal(s, inputs[i]):
            take(s, inputs[i])
        else:
            status[i] = 2


def observe_rows(tables, games, seats, rows):
    for s, seat, row in zip(games, seats, rows, strict=True):
        row[:] = 0
        row[0] = s["sticks"]
        row[1 + (s["first"] - seat) % 2] = 1
        if s["log_count"]:
            row[3 + s["log"][(s["log_count"] - 1) % 8][0] - 1] = 1


def mask_rows(games, masks):
    for s, mask in zip(games, masks, strict=True):
        mask[:] = [legal(s, action) for action in range(3)]


def step_rows(tables, settings, games, raw, chosen, status, observations, masks, seats, rewards, dones, low, high):
    for i in range(low, high):
        s = games[i]
        dones[i], rewards[i] = False, 0
        if chosen[i] >= 0:
            take(s, chosen[i])
        if s["outcome"] == WON:
            dones[i], rewards[i] = True, [1 if s["winners"] >> seat & 1 else -1 for seat in range(2)]
            begin(s, next_seed(int(s["seed"])))
        seats[i] = s["asking"]
    observe_rows(tables, games[low:high], seats[low:high], observations[low:high])
    mask_rows(games[low:high], masks[low:high])
    return -1  # somebody is asked in every row


def sample_rows(games, raw, chosen, rng):
    for i, s in enumerate(games):
        rng["rng"][0][0] = (int(rng["rng"][0][0]) * 1664525 + 1013904223) % (1 << 32)
        chosen[i] = (int(rng["rng"][0][0]) >> 16) % min(3, int(s["sticks"])) if s["outcome"] == RUNNING else -1


def play_on(tables, games, raw, rows, answers, learners, at_random, own_rng, asked, observations, masks):
    for place, i in enumerate(rows):
        s = games[i : i + 1]
        if answers[place] >= 0:
            take(s[0], answers[place])
        while s[0]["asking"] >= 0 and at_random[i] >> s[0]["asking"] & 1:
            chosen = np.zeros(1, np.int64)
            sample_rows(s, None, chosen, own_rng[i : i + 1])
            take(s[0], chosen[0])
        asked[i] = s[0]["asking"]
        observe_rows(tables, s, [learners[i] if asked[i] < 0 else asked[i]], observations[i : i + 1])
        mask_rows(s, masks[i : i + 1])
        if asked[i] < 0:
            masks[i] = [1, 0, 0]


def next_seed(seed):
    return seed + 1


def check_fits(games, config, what):
    """Any game of it fits."""


NIM = GameSpec(
    name="nim", title="Nim", config=NimConfig, fewest_seats=2, most_seats=2, record=RECORD,
    entries=EntryPoints(
        tables=lambda: None, compile_once=lambda: None, start=0, answer=1, drive=drive, step_rows=step_rows, play_on=play_on,
        own_rng=np.dtype([("rng", np.uint32, 4)]), sample_rows=sample_rows, observe_rows=observe_rows, mask_rows=mask_rows,
        first_illegal=lambda games, raw, chosen: next((i for i, s in enumerate(games) if not legal(s, chosen[i])), -1),
        write_states=lambda tables, games, rows: observe_rows(tables, games, [0] * len(games), rows), next_seed=next_seed,
    ),
    outcomes=("running", "won"), problem=lambda s: None if 0 <= s["sticks"] <= 7 else f"{int(s['sticks'])} sticks", check_fits=check_fits,
    rules=lambda: "nim-1", actions=ACTIONS, pass_action=0, questions=("take",), action_name=lambda action, asked, players: ACTIONS[action],
    action_index=lambda name, asked, players: {name: action for action, name in enumerate(ACTIONS)}[name],
    fields=FIELDS, state_fields=STATE_FIELDS, history_columns=("event", "actor"),
    highest=lambda history: np.array([7, 1, 1, 1, 1, 1] + [3, 2] * history, np.uint8), ids={}, events=("", *ACTIONS), text_events=(),
    titles=lambda: ("",), say={}, event=lambda columns, seat_of: (ACTIONS[columns[0] - 1], seat_of(columns[1])),
    unseen=lambda config: frozenset(),
    log=lambda s, rows: [f"seat {seat - 1} takes {taken}" for taken, seat in rows.tolist()], seat_name=lambda s, seat: f"seat {seat}",
    stack_lines=lambda s: [], position=lambda s: f"{int(s['sticks'])} sticks",
)  # fmt: skip
