"""What is true of every record that play can reach; the first thing that is not, in words.

A record from outside is checked here before anything runs on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from danmaku_env.machine import records
from danmaku_env.machine.records import Array
from danmaku_env.sister.utage.cards import box
from danmaku_env.sister.utage.cards import words as w
from danmaku_env.sister.utage.cards.tables import tables
from danmaku_env.sister.utage.engine import batch, turn
from danmaku_env.sister.utage.engine import state as st

_VALUES = ("value_av", "value_iv", "value_hv", "value_type", "value_flags", "value_keyword", "value_ev", "value_bv")


def problem(s: Any) -> str | None:
    """The first invariant that a record breaks, in words; None for a record that play can have reached."""
    for check in (_plain, _decks, _field, _cards, _effects, _frames, _values, _question):
        if found := next(check(s), None):
            return found
    return None


def _plain(s: Any) -> Iterator[str]:
    """Numbers that stand alone."""
    for name, low, high in (
        ("num_players", 2, 2), ("asking", -1, 1), ("question", 0, len(w.QUESTIONS) - 1), ("outcome", 0, 3), ("winners", 0, 3),
        ("status", 0, 0), ("depth", 1, st.FRAMES), ("config", 0, 7), ("phase", 0, len(w.PHASES) - 1), ("attacker", 0, 1), ("first", 0, 1),
        ("events_banned", 0, 1), ("battles", 0, 100), ("hit", 0, 3), ("hurt", 0, 3), ("half", 0, 3), ("stale", 0, 1), ("ends", 0, 1),
        ("cause", 0, len(box.CARDS)), ("max_turns", 1, 32767), ("turn_number", 0, int(s["max_turns"])), ("answer", -1, -1),
        ("lasting_count", 0, st.LASTING), ("later_count", 0, st.LATER), ("decisions", 0, 1 << 30), ("log_count", 0, 1 << 30),
        ("seed", 0, (1 << records.SEED_BITS) - 1),
    ):  # fmt: skip
        if not low <= int(s[name]) <= high:
            yield f"{name} is {int(s[name])}, not {low} to {high}"
    if (s["outcome"] == st.RUNNING) != (s["asking"] >= 0):
        yield "a game that is over asks nobody, and one that goes on asks somebody"
    if (s["outcome"] in (st.WON, st.DRAWN)) != (s["winners"] > 0) or (s["outcome"] == st.WON and int(s["winners"]) == st.EVERYBODY):
        yield "the winners do not fit the outcome"
    if not s["rng"].any():
        yield "a generator of zeros"
    for name in records.gaps(st.STATE):
        if s[name].any():
            yield "bytes between the fields"


def _decks(s: Any) -> Iterator[str]:
    """Teams and lists are legal, and what is worked out from them fits."""
    t = tables()[0]
    if (s["team"] >= len(w.CHARACTERS)).any() or (s["leader"] < -1).any() or (s["leader"] >= w.TEAM).any():
        yield "a character that does not exist"
        return
    for seat in range(st.SEATS):
        if (np.bincount(s["team"][seat], minlength=len(w.CHARACTERS)) != s["level"][seat]).any():
            yield f"the levels of seat {seat} are not those of its team"
        cards, copies = s["card"][seat].astype(np.int64), s["copies"][seat]
        used = cards > 0
        numbers = cards[used].tolist()
        if (cards > len(box.CARDS)).any() or any(number <= len(box.LEADER_IDS) for number in numbers):
            yield f"the deck of seat {seat} has a card that does not exist"
            return
        if numbers != sorted(set(numbers)) or used[len(numbers) :].any() or (copies[~used]).any() or copies.sum() != w.DECK_SIZE:
            yield f"the deck list of seat {seat} is not one of 40 cards in box order"
            return
        if (copies[used] < 1).any() or (copies > w.MOST_COPIES).any():
            yield f"the deck of seat {seat} has more than {w.MOST_COPIES} of a card"
        meets = sum(1 << slot for slot, number in enumerate(numbers) if (t["requirement"][number - 1] <= s["level"][seat]).all())
        if s["turn_number"] and meets != int(s["meets"][seat]):
            yield f"what the team of seat {seat} can play is not noted right"
        if (s["shown"][seat] > copies).any() or (s["shown"][seat] > 0)[s["rank"][seat] == 0].any():
            yield f"cards of seat {seat} were seen that there are not"
        if int(s["config"]) & st.OPEN_LISTS and s["shown"][seat].any():
            yield f"of the open list of seat {seat} cards are noted as seen"
        ranks = sorted(s["rank"][seat][s["rank"][seat] > 0].tolist())
        if not int(s["config"]) & st.OPEN_LISTS and (ranks != list(range(1, len(ranks) + 1)) or int(s["slots_seen"][seat]) != len(ranks)):
            yield f"the cards of seat {seat} are not numbered in a row"
        if int(s["config"]) & st.OPEN_LISTS and s["rank"][seat].tolist() != list(range(1, w.SLOTS + 1)):
            yield f"the open list of seat {seat} has other numbers"


def _field(s: Any) -> Iterator[str]:
    """What lies on the field lies where it may."""
    t = tables()[0]
    scenes = 0
    for side in range(st.SEATS):
        for place in range(w.PLACES):
            where, there = int(s["where"][side, place]), int(s["used"][side]) >> place & 1
            if not 0 <= where <= st.IS_SCENE or bool(there) != bool(where) or bool(where) != bool(s["at_card"][side, place]):
                yield f"place {place + 1} of side {side} is both empty and not"
                return
            if not where:
                if any(s[name][side, place].any() for name in ("at_owner", "at_slot", "host", "carries", "marks")):
                    yield f"place {place + 1} of side {side} is empty and has something"
                continue
            owner, slot = int(s["at_owner"][side, place]), int(s["at_slot"][side, place])
            if owner > 1 or slot >= w.SLOTS or s["card"][owner, slot] != s["at_card"][side, place]:
                yield f"the card at place {place + 1} of side {side} is in nobody's deck"
                return
            number = int(s["at_card"][side, place]) - 1
            kinds = {st.AT_SPELL: w.ON_SPELL, st.AT_LEADER: w.ON_LEADER, st.IS_SCENE: w.SCENE}
            if where in (st.IN_RESERVE, st.IS_ACTIVE):
                if t["kind"][number] != w.SPELL or owner != side or s["host"][side, place]:
                    yield f"place {place + 1} of side {side} has no spell of that side"
            elif t["kind"][number] != w.SUPPORT or t["place"][number] != kinds[where] or s["carries"][side, place]:
                yield f"place {place + 1} of side {side} has a card that cannot lie so"
            scenes += where == st.IS_SCENE
            host, carried = int(s["host"][side, place]), int(s["carries"][side, place])
            if host > w.PLACES or carried > w.PLACES or (where == st.AT_SPELL) != (host > 0):
                yield f"place {place + 1} of side {side} lies on nothing"
                return
            if host and int(s["carries"][side, host - 1]) != place + 1:
                yield f"the spell under place {place + 1} of side {side} does not carry it"
            if carried and int(s["host"][side, carried - 1]) != place + 1:
                yield f"the spell at place {place + 1} of side {side} carries what does not lie on it"
        battling = int(s["battling"][side])
        if not 0 <= battling <= w.PLACES or (battling and (s["where"][side, battling - 1] != st.IS_ACTIVE or s["phase"] != w.BATTLE)):
            yield f"side {side} battles with something that is not an active spell"
    if scenes > 1:
        yield "there is more than one scene"
    if (s["marks"] > 7).any():
        yield "marks that do not exist"


def _limbo(s: Any, seat: int) -> Array:
    """[40] cards of a seat that are being used just now."""
    found = np.zeros(w.SLOTS, np.int64)
    for frame in s["stack"][: int(s["depth"])]:
        if frame[0] == st.USE_FRAME and frame[2] == seat and 0 < frame[st.COL_SLOT] <= w.SLOTS:
            found[frame[st.COL_SLOT] - 1] += 1
    return found


def _cards(s: Any) -> Iterator[str]:
    """No card is missing, and nobody knows anything false."""
    for seat in range(st.SEATS):
        size = int(s["deck_size"][seat])
        deck = s["deck"][seat].astype(np.int64)
        if not 0 <= size <= w.DECK_SIZE or (deck[:size] == 0).any() or deck[size:].any() or (deck > w.SLOTS).any():
            yield f"the deck of seat {seat} has a gap"
            return
        if s["deck_seen"][seat, size:].any() or (s["deck_seen"][seat] > st.EVERYBODY).any():
            yield f"somebody knows a card of the deck of seat {seat} that is not there"
        cards = np.bincount(deck[:size] - 1, minlength=w.SLOTS) + s["hand"][seat] + s["discard"][seat] + _limbo(s, seat)
        for side in range(st.SEATS):
            mine = (s["where"][side] > 0) & (s["at_owner"][side] == seat)
            cards = cards + np.bincount(s["at_slot"][side][mine], minlength=w.SLOTS)
        if (cards != s["copies"][seat]).any():
            yield f"cards of seat {seat} are missing, or there are too many"
        bits = sum(1 << slot for slot in np.flatnonzero(s["hand"][seat]).tolist())
        if bits != int(s["in_hand"][seat]) or int(s["hand_size"][seat]) != int(s["hand"][seat].sum()):
            yield f"the hand of seat {seat} is not counted right"
        if (s["known"][seat] > s["hand"][seat]).any():
            yield "a seat knows cards that are not in a hand"
        open_to_other = s["known"][seat].astype(bool) | s["discard"][seat].astype(bool)
        if (open_to_other & (s["rank"][seat] == 0)).any():
            yield "a seat knows a card that it has no number for"
    if s["turn_number"] and (s["leader"] < 0).any():
        yield "a turn has begun before the leaders are named"
    if (s["sp"] < 0).any() or (s["sp"] > 20000).any() or (s["hp"] > 99).any() or (s["hp"] < -200).any():
        yield "HP or SP that cannot be"
    if s["outcome"] == st.RUNNING and s["turn_number"]:
        t = tables()[0]
        for seat in range(st.SEATS):
            if s["hp"][seat] > t["hp"][int(s["team"][seat, int(s["leader"][seat])])]:
                yield f"the leader of seat {seat} has more HP than are printed"
            if s["hp"][seat] <= 0 or s["deck_size"][seat] == 0:
                yield f"seat {seat} has lost already"


def _effects(s: Any) -> Iterator[str]:
    """What lasts, and what was put off."""
    t = tables()[0]
    count, later = int(s["lasting_count"]), int(s["later_count"])
    if s["lasting"][count:].any() or s["later"][later:].any():
        yield "effects beyond those that are counted"
    for row in s["lasting"][:count]:
        if not (
            (0 <= row[st.LA_WHOSE] <= 1 and w.TARGET <= row[st.LA_SCOPE] <= w.ALL) or row[st.LA_SCOPE] in (w.OWN_LEADER, w.OPP_LEADER)
        ) or not (
            0 <= row[st.LA_FILTER] < len(t["filter"]) and 0 <= row[st.LA_STAT] < len(w.STATS) and 0 <= row[st.LA_TURN] <= 1
            and 0 <= row[st.LA_SIDE] <= 1 and 0 <= row[st.LA_PLACE] <= w.PLACES and 0 < row[st.LA_CARD] <= len(box.CARDS)
        ):  # fmt: skip
            yield "an effect that no card has"
            return
        if (row[st.LA_SCOPE] == w.TARGET) != (row[st.LA_PLACE] > 0) or (
            row[st.LA_PLACE] and not s["where"][row[st.LA_SIDE], row[st.LA_PLACE] - 1]
        ):
            yield "an effect on nothing"
    for row in s["later"][:later]:
        if not (
            0 < row[st.LT_MOMENT] < len(w.MOMENTS) and 0 < row[st.LT_PC] < len(t["program"]) and 0 <= row[st.LT_WHOSE] <= 1
            and 0 <= row[st.LT_PLACE] <= w.PLACES and 0 < row[st.LT_CARD] <= len(box.CARDS)
        ):  # fmt: skip
            yield "an effect put off that no card has"
            return
        if int(t["program"][row[st.LT_PC] - 1, 0]) != w.OP_LATER:
            yield "an effect put off that begins in the middle of a text"


def _frames(s: Any) -> Iterator[str]:
    depth, stack = int(s["depth"]), s["stack"]
    if stack[depth:].any():
        yield "frames above the top of the stack"
    bottom = stack[0]
    if bottom[0] != st.GAME_FRAME or not 0 <= bottom[1] < len(turn.STEPS) or (stack[1:depth, 0] == st.GAME_FRAME).any():
        yield "the bottom of the stack is not a game"
        return
    if (bottom[1] < turn.G_TURN) != (s["phase"] == w.SETUP) and s["outcome"] == st.RUNNING:
        yield "the phase is not that of the step"
    if not (
        0 <= bottom[2] <= 2 and 0 <= bottom[st.COL_PASSES] <= 2 and 0 <= bottom[st.COL_ACTOR] <= 1 and 0 <= bottom[st.COL_PLACED] <= 99
    ):
        yield "the game stands at what cannot be"
    if (bottom[[5, *range(7, st.COLUMNS)]] != 0).any():
        yield "the game has numbers that it has no use for"
    t = tables()[0]
    for f in range(1, depth):
        frame = stack[f]
        if frame[0] == st.MOMENT_FRAME:
            others = np.delete(frame, [0, 2, st.COL_MOMENT])
            if not 0 < frame[st.COL_MOMENT] < len(w.MOMENTS) or not 0 <= frame[2] <= 1 or others.any() or f != 1:
                yield f"frame {f} is no moment"
        elif frame[0] != st.USE_FRAME or f != depth - 1:
            yield f"frame {f} of the stack is none"
            return
        else:
            yield from _use_frame(t, s, frame)


def _use_frame(t: Any, s: Any, frame: Array) -> Iterator[str]:
    """A use stands within the text of its card."""
    kind, number, place = int(frame[st.COL_KIND]), int(frame[st.COL_CARD]) - 1, int(frame[st.COL_PLACE])
    in_range = 0 <= frame[1] <= turn.U_DONE and 0 <= frame[2] <= 1 and 0 <= number < len(box.CARDS) and 0 <= place <= w.PLACES
    if not in_range or not st.K_EVENT <= kind <= st.K_LATER:
        yield "something is used that no card has"
        return
    if place and int(s["at_card"][int(frame[2]), place - 1]) - 1 != number:
        yield "something is used by a card that is not there"
    if not (0 <= frame[st.COL_TARGET_SIDE] <= 1 and 0 <= frame[st.COL_TARGET] <= w.PLACES and 0 <= frame[st.COL_PAID] <= 1):
        yield "a target that does not exist"
        return
    if frame[st.COL_TARGET] and not s["where"][frame[st.COL_TARGET_SIDE], frame[st.COL_TARGET] - 1]:
        yield "a target that is not there"
    if frame[st.COL_PICKED] or frame[st.COL_MOMENT] or not 0 <= frame[st.COL_OPEN] <= 1 or not 0 <= frame[st.COL_DISCARDED] <= 2 * w.PLACES:
        yield "a card is held in the middle of a text"
    slot, from_hand = int(frame[st.COL_SLOT]), kind in (st.K_EVENT, st.K_SUPPORT)
    if not 0 <= slot <= w.SLOTS or (slot > 0) != from_hand or (slot and int(s["card"][int(frame[2]), slot - 1]) - 1 != number):
        yield "a card is used that is not the one in hand"
        return
    starts = {st.K_EVENT: t["use"][number, 0], st.K_ABILITY: t["use"][number, 0], st.K_LEADER: t["use"][number, 0]}
    starts[st.K_TEXT] = t["trigger"][number, 1]
    if kind in starts:
        start = int(starts[kind])
        if (
            not start
            or not start <= frame[st.COL_PC] <= start + int(np.flatnonzero(t["program"][start:, 0] == w.OP_END)[-1])
            or any(t["program"][pc, 0] == w.OP_END for pc in range(start, int(frame[st.COL_PC])))
        ):
            yield "a use stands outside its text"
    elif kind != st.K_LATER and frame[st.COL_PC]:
        yield "a use without a text stands in one"
    elif kind == st.K_LATER and not 0 < frame[st.COL_PC] < len(t["program"]):
        yield "a use stands outside its text"


def _values(s: Any) -> Iterator[str]:
    """Worked out anew, all values are the same (V-1)."""
    if (s["leader"] < 0).any() or s["stale"]:
        return
    again = np.zeros(1, st.STATE)
    again[0] = s
    batch.work_out(tables(), again)
    for name in _VALUES:
        if (again[0][name] != s[name]).any():
            yield f"{name} is not what it must be"


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
    elif (again[0]["stack"] != s["stack"]).any() or (again[0]["hand"] != s["hand"]).any():
        yield "it asks before it has done what comes first"
