"""What is true of every record that play can reach; the first thing that is not, in words.

A record from outside is checked here before anything runs on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from danmaku_env.machine import records
from danmaku_env.machine.records import Array
from danmaku_env.sister.shisoroku.cards import box
from danmaku_env.sister.shisoroku.cards import words as w
from danmaku_env.sister.shisoroku.cards.tables import tables
from danmaku_env.sister.shisoroku.engine import batch
from danmaku_env.sister.shisoroku.engine import state as st
from danmaku_env.sister.shisoroku.engine.procedures import STEP_SET_UP

_SEAT_ZONES = ("hand", "deck", "discard", "play", "lasting", "away", "aside", "hidden")
_TRACES = ("stays", "due", "old_hand", "open_discard")
_MOST_CARDS = 60
"""Of a kind, in all."""


def problem(s: Any) -> str | None:
    """The first invariant that a record breaks, in words; None for a record that play can have reached."""
    for check in (_plain, _places, _cards, _knowledge, _frames, _question):
        if found := next(check(s), None):
            return found
    return None


def _plain(s: Any) -> Iterator[str]:
    """Numbers that stand alone."""
    if not st.FEWEST_SEATS <= s["num_players"] <= st.SEATS:
        yield f"{int(s['num_players'])} seats"
        return
    players = int(s["num_players"])
    for name, low, high in (
        ("asking", -1, players - 1), ("question", 0, len(w.QUESTIONS) - 1), ("outcome", 0, 3), ("winners", 0, (1 << players) - 1),
        ("status", 0, 0), ("depth", 1, st.FRAMES), ("config", 0, 31), ("current", 0, players - 1), ("phase", 0, len(st.PHASES) - 1),
        ("extra_turn", 0, 1), ("extra_next", 0, 1), ("short_draw", 0, 1), ("victory_bought", 0, 1), ("cause", 0, w.PLACES),
        ("gained_kind", 0, w.PLACES), ("laid_owner", 0, players - 1), ("laid_seen", 0, st.EVERYBODY), ("max_turns", 1, 32767),
        ("actions", 0, 32767), ("buys", 0, 32767), ("coins", 0, 32767), ("played", 0, 32767), ("answer", -1, -1),
        ("seed", 0, (1 << records.SEED_BITS) - 1),
        ("decisions", 0, 1 << 30), ("log_count", 0, 1 << 30), ("turn_number", 0, int(s["max_turns"])), ("banned", 0, (1 << w.PLACES) - 1),
    ):  # fmt: skip
        if not low <= int(s[name]) <= high:
            yield f"{name} is {int(s[name])}, not {low} to {high}"
    if (s["turns"] < 0).any() or s["turns"].sum() > s["turn_number"] or (s["less"] < 0).any():
        yield "turns or costs that cannot be"
    if (s["outcome"] == st.RUNNING) != (s["asking"] >= 0):
        yield "a game that is over asks nobody, and one that goes on asks somebody"
    if (s["outcome"] in (st.WON, st.DRAWN)) != (s["winners"] > 0) or (s["outcome"] == st.WON and int(s["winners"]).bit_count() != 1):
        yield "the winners do not fit the outcome"
    if not s["rng"].any():
        yield "a generator of zeros"
    for name in records.gaps(st.STATE):
        if s[name].any():
            yield "bytes between the fields"


def expected_kinds(s: Any) -> Array:
    """[27] the numbers of the cards that must lie at the places, plus one; of the kingdom what the record says."""
    kinds = np.zeros(w.PLACES, np.int64)
    kinds[: w.BASIC] = np.arange(w.BASIC) + 1
    if not int(s["config"]) & st.OPTIONAL_CARDS:
        kinds[[w.TALISMAN, w.TEN_VP]] = 0
    kinds[w.KINGDOM : w.CHIREI] = s["kinds"][w.KINGDOM : w.CHIREI]
    if int(s["config"]) & st.CHIREI_START:
        kinds[w.CHIREI : w.PRIZES] = [box.NUMBERS[name] + 1 for name in box.CHIREI_IDS]
    if box.NUMBERS["in-01"] + 1 in kinds:
        kinds[w.PRIZES :] = [box.NUMBERS[name] + 1 for name in box.PRIZE_IDS]
    return kinds


def _places(s: Any) -> Iterator[str]:
    kingdom = s["kinds"][w.KINGDOM : w.CHIREI].tolist()
    valid = {box.NUMBERS[name] + 1 for name in box.KINGDOM_IDS}
    if not set(kingdom) <= valid or kingdom != sorted(set(kingdom)):
        yield "the kingdom is not ten kingdom cards in box order"
    elif (s["kinds"] != expected_kinds(s)).any():
        yield "cards lie at places that are not theirs"


def totals(s: Any) -> Array:
    """[27] how many cards of each kind there are in all."""
    blank = np.zeros(1, st.STATE)
    for name in ("num_players", "config", "kinds"):
        blank[0][name] = s[name]
    batch.lay_out(tables(), blank)
    cards: Array = blank[0]["supply"].astype(np.int64)
    players = int(s["num_players"])
    cards[w.COIN] += 7 * players
    if int(s["config"]) & st.CHIREI_START:
        cards[w.CHIREI : w.PRIZES] += players
    else:
        cards[w.ONE_VP] += 3 * players
    return cards


def _listed(s: Any, seat: int) -> Array:
    """[27] cards of a deck at known places."""
    size = int(s["top_size"][seat])
    places = [*s["top"][seat, :size].tolist(), *([int(s["bottom"][seat])] if s["bottom"][seat] else [])]
    return np.bincount(np.array(places, np.int64), minlength=w.PLACES + 1)[1:]


def _cards(s: Any) -> Iterator[str]:
    players, used = int(s["num_players"]), s["kinds"] > 0
    if (
        (s["top_size"] > st.TOP_ROOM).any()
        or (s["top"] > w.PLACES).any()
        or (s["bottom"] > w.PLACES).any()
        or (s["discard_top"] > w.PLACES).any()
    ):
        yield "a place that does not exist"
        return
    for name in (*_SEAT_ZONES, *_TRACES, "made_of", "passed", "owned"):
        if s[name][players:].any() or s[name][:, ~used].any() or (s[name] > _MOST_CARDS + 8).any():
            yield f"{name} of seats or cards that are not there"
    for name in ("supply", "trash", "tokens", "laid", "marked", "spoils", "gone"):
        if s[name][~used].any():
            yield f"{name} of cards that are not there"
    for seat in range(players):
        size = int(s["top_size"][seat])
        if (s["top"][seat, :size] == 0).any() or s["top"][seat, size:].any() or s["top_seen"][seat, size:].any():
            yield f"the known top of the deck of seat {seat} has a gap"
            return
        cards = sum(s[name][seat].astype(np.int64) for name in _SEAT_ZONES) + _listed(s, seat)
        if s["laid_owner"] == seat:
            cards = cards + s["laid"]
        if (cards != s["owned"][seat]).any():
            yield f"seat {seat} owns other cards than lie with it"
        if (s["discard_top"][seat] > 0) != s["discard"][seat].any() or (
            s["discard_top"][seat] and not s["open_discard"][seat, s["discard_top"][seat] - 1]
        ):
            yield f"the top of the discard pile of seat {seat} does not lie there"
    if (s["owned"].astype(np.int64).sum(0) + s["supply"] + s["trash"] != totals(s)).any():
        yield "cards are missing, or there are too many"
    if (s["stays"] > s["play"]).any() or (s["old_hand"] > s["hand"]).any() or (s["open_discard"] > s["discard"]).any():
        yield "more cards are known of a zone than lie there"
    if (s["gone"] > s["trash"]).any() or (s["spoils"] > _MOST_CARDS).any():
        yield "cards were trashed that are not in the trash"


def _knowledge(s: Any) -> Iterator[str]:
    players = int(s["num_players"])
    if (s["known"] > s["hand"][:, np.newaxis]).any() or s["known"][:, players:].any():
        yield "a seat knows cards that are not in a hand"
    if (s["top_seen"] >= 1 << players).any() and (s["top_seen"][s["top_seen"] >= 1 << players] != st.EVERYBODY).any():
        yield "somebody who is not at the table knows a card of a deck"


def _frames(s: Any) -> Iterator[str]:
    players, depth, stack = int(s["num_players"]), int(s["depth"]), s["stack"]
    if stack[depth:].any():
        yield "frames above the top of the stack"
    if stack[0, 0] != st.TURN_FRAME or (stack[1:depth, 0] == st.TURN_FRAME).any() or stack[0, 1] == STEP_SET_UP:
        yield "the bottom of the stack is not a turn"
    t = tables()[0]
    for f in range(depth):
        frame = stack[f]
        procedure, kind = int(frame[0]), int(frame[st.COL_KIND])
        if not st.TURN_FRAME <= procedure <= st.TRASHED_FRAME or not 0 <= frame[1] <= STEP_SET_UP or not 0 <= frame[2] < players:
            yield f"frame {f} of the stack is none"
            return
        about = kind - 1 if procedure in (st.RESPOND_FRAME, st.TRASHED_FRAME) else kind
        if (
            not -1 <= about < w.PLACES
            or (about >= 0 and not s["kinds"][about] and procedure != st.TURN_FRAME)
            or (about < 0 and procedure not in (st.RESPOND_FRAME, st.TRASHED_FRAME))
        ):
            yield f"frame {f} is about a card that is not there"
            return
        if not (
            0 <= frame[st.COL_THAT_SEAT] <= players
            and 0 <= frame[st.COL_PICKED_KIND] <= w.PLACES
            and 0 <= frame[st.COL_EVENT] < len(w.EVENTS)
        ):
            yield f"frame {f} names a seat, card or event that is not there"
            return
        if frame[st.COL_PICKED_KIND] and not s["kinds"][frame[st.COL_PICKED_KIND] - 1] and procedure in (st.PLAY_FRAME, st.TEXT_FRAME):
            yield f"frame {f} names a card that is not there"
            return
        if (
            frame[
                [st.COL_PICKING, st.COL_PICKED, st.COL_TIMES, st.COL_IMMUNE, st.COL_MODES, st.COL_NOTES, st.COL_IN_PLAY, st.COL_PLAYED_BY]
            ]
            < 0
        ).any():
            yield f"frame {f} counts below nothing"
            return
        yield from _program(t, s, f, procedure, frame)
        if procedure == st.WINDOW_FRAME and (f == 0 or stack[f - 1, 0] != st.PLAY_FRAME):
            yield f"frame {f} answers an attack that nobody plays"
        if frame[st.COL_PLAYED_BY] and (f == 0 or stack[f - 1, 0] not in (st.PLAY_FRAME, st.TEXT_FRAME)):
            yield f"frame {f} is played by nothing"


def _program(t: Any, s: Any, f: int, procedure: int, frame: Array) -> Iterator[str]:
    """Whether a frame stands within the text it carries out, and those its rows reach for lie below."""
    if procedure not in (st.PLAY_FRAME, st.TEXT_FRAME):
        return
    event = int(frame[st.COL_EVENT]) if procedure == st.TEXT_FRAME else w.ON_PLAY
    start = int(t["text"][int(s["kinds"][frame[st.COL_KIND]]) - 1, event])
    ends = np.flatnonzero(t["program"][start:, 0] == w.OP_END) if start else np.zeros(1, np.int64)
    if not 0 <= frame[st.COL_PC] <= int(ends[0]):
        yield f"frame {f} stands outside its text"
        return
    if start == 0 and frame[st.COL_PC]:
        yield f"frame {f} has no text"
    rows = t["program"][start : start + int(ends[0])]
    if (rows[:, 0] == w.OP_MOVE_GAINED).any() and (f < 2 or s["stack"][f - 2, 0] != st.GAIN_FRAME):
        yield f"frame {f} answers a gain that is none"
    if (rows[:, 0] == w.OP_UNAFFECTED).any() and event == w.ON_ATTACKED and s["stack"][f - 1, 0] != st.WINDOW_FRAME:
        yield f"frame {f} answers an attack that is none"


def _question(s: Any) -> Iterator[str]:
    """A question is put again by the same lines, so a record that is asked anew must come to itself."""
    if s["outcome"] != st.RUNNING:
        return
    again = np.zeros(1, st.STATE)
    again[0] = s
    again[0]["asking"], again[0]["question"], again[0]["legal"] = -1, 0, 0
    status = np.zeros(1, np.int8)
    batch.drive(tables(), np.zeros(1, np.int64), again, records.as_bytes(again), np.zeros(1, np.int64), status, batch.RESUME)
    if again[0]["status"] or any((again[0][name] != s[name]).any() for name in ("asking", "question", "legal", "cause", "decisions")):
        yield "it is not what it would ask"
    elif (again[0]["stack"] != s["stack"]).any() or (again[0]["owned"] != s["owned"]).any():
        yield "it asks before it has done what comes first"
