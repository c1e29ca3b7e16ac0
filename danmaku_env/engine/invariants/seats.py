"""Whether the seats of a record can be: roles that the box can deal, characters, life, counters, and effects that last."""

from __future__ import annotations

import functools
from collections import Counter
from typing import Any

import numpy as np

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.box import NUM_CHARACTERS
from danmaku_env.cards.compile import compile_cards
from danmaku_env.cards.tables import NUM_POOLS, RIVAL_POOL
from danmaku_env.engine import frames as fr
from danmaku_env.engine import queries
from danmaku_env.engine import state as st

_FLAGS = ("spell_used", "skip_next", "skipped_last", "in_streak")
_SEAT_BITS = ("active", "winners", "drew", "spared", "lost_due", "drew_due", "limit_due")
_BY_OTHERS = ("incidents", "collected", "legal")
_BY_SEAT = [name for name, _, shape, _ in st.FIELDS if st.SEATS in (shape, *np.atleast_1d(shape)[:1]) and name not in _BY_OTHERS]


# ---------------------------------------------------------------- roles


@functools.cache
def _box(config: int, players: int) -> tuple[dict[int, int], dict[int, int], tuple[int, ...]]:
    """For a table: role -> its pool, role as dealt -> its copies, and how many cards of each pool are dealt."""
    t = compile_cards().tables[0]
    table = (2 if config & st.WITH_LUNATIC_EXTRA else 0) + (1 if config & st.ADVANCED_ROLES else 0)
    pools: dict[int, int] = {}
    copies: Counter[int] = Counter()
    for pool in range(NUM_POOLS):
        for role in t["pool"][table, players, pool, : int(t["pool_size"][table, players, pool])].tolist():
            if queries.is_role_in(t, config, players, role):
                pools[role] = pool
                copies[role] += 1
    return pools, copies, tuple(t["dealt"][table, players].tolist())


def _as_dealt(role: int) -> int:
    """The form in which a role card was dealt: a boss may have revealed."""
    becomes = compile_cards().tables[0]["role_becomes"]
    origin = np.flatnonzero(becomes == role)
    return int(origin[0]) if role and len(origin) else role


@functools.lru_cache(1 << 16)
def deal_problem(config: int, players: int, roles: tuple[int, ...]) -> str | None:
    """Why these roles [players] cannot have been dealt to a table, or None. Role 0 is what a Rival leaves who took over."""
    pools, copies, dealt = _box(config, players)
    first = int(compile_cards().tables[0]["first_role"])
    held = Counter(_as_dealt(int(role)) for role in roles)
    none, heroines = held.pop(0, 0), held.pop(first, 0)
    if heroines != 1:
        return f"{heroines} Heroines"
    if unknown := [role for role in held if role not in pools]:
        return f"role {unknown[0]}, which is not dealt to this table"
    if any(number > copies[role] for role, number in held.items()):
        return "more of a role than there are cards of it"
    for pool in range(NUM_POOLS):
        number = sum(held[role] for role in held if pools[role] == pool) + (none if pool == RIVAL_POOL else 0)
        if number != dealt[pool]:
            return f"{number} role cards of a pool of which {dealt[pool]} are dealt"
    return None


def _is_taking_over(s: Any) -> bool:
    """Whether a defeat is being carried out that the Rival has still to take over from."""
    frames = s["stack"][: int(s["depth"])]
    return bool(((frames[:, fr.PROCEDURE] == fr.SETTLE_FRAME) & np.isin(frames[:, fr.AT], (fr.AT_FATE, fr.AT_TAKEOVER))).any())


def _lacks_takeover(s: Any, roles: tuple[int, ...], active: list[int]) -> bool:
    """Whether the Heroine is defeated and the Rival still one: the takeover belongs to that defeat, or nobody might ever win (R-4, R-5)."""
    factions = [int(faction) for faction in compile_cards().tables[0]["role_factions"][list(roles)]]
    fallen = any(faction & v.HEROINES for faction, alive in zip(factions, active, strict=True) if not alive)
    rival = any(faction & v.RIVALS for faction, alive in zip(factions, active, strict=True) if alive)
    return fallen and rival and not _is_taking_over(s)


def _role_problem(s: Any, players: int) -> str | None:
    roles = tuple(s["role"][:players].tolist())
    if found := deal_problem(int(s["config"]), players, roles):
        return found
    active = [int(s["active"]) >> seat & 1 for seat in range(players)]
    if any(alive and not role for role, alive in zip(roles, active, strict=True)):
        return "a seat without a role that is not defeated"
    if _lacks_takeover(s, roles, active):
        return "a defeated Heroine from whom an active Rival has not taken over"
    if any(not int(seen) >> seat & 1 for seat, seen in enumerate(s["role_seen"][:players])):
        return "a seat that does not know its own role"
    ruled_out = s["ruled_out"].tolist()
    if any(alive and ruled_out[seat] >> roles[seat] & 1 for seat, alive in enumerate(active)):
        return "a role that is ruled out"
    return None


# ---------------------------------------------------------------- characters


def _character_problem(s: Any, players: int) -> str | None:
    there = int(queries.characters_in(compile_cards().tables[0], s))
    characters = [character for both in both_characters(s, players) for character in both]
    if not all(character == 0 or (0 < character <= NUM_CHARACTERS and there >> character - 1 & 1) for character in characters):
        return "a character that does not exist"
    config = int(s["config"])
    if (config & (st.CHARACTERS_CHOSEN | st.CHARACTERS_RANDOM | st.CHARACTERS_DRAFTED)).bit_count() > 1:
        return "characters that are dealt in several ways"
    if config & st.DOUBLE_THREAT and not config & st.CHARACTERS_CHOSEN:
        return "two characters each, which nobody has chosen"
    named = [character for character in characters if character]
    if len(set(named)) != len(named):
        return "a character that is played twice"
    if any(second and not (config & st.DOUBLE_THREAT and first) for first, second in zip(*both_characters(s, players), strict=True)):
        return "a second character where nobody has two"
    dealt = 0
    for seat in range(players):
        candidates = int(s["candidates"][seat])
        if candidates & ~there or candidates & dealt or (candidates and int(queries.primaries(s, seat)) & ~candidates):
            return f"seat {seat} was dealt characters that it cannot choose from"
        dealt |= candidates
    return None


def both_characters(s: Any, players: int) -> tuple[list[int], list[int]]:
    """The characters of the seats, plus one, and the second ones."""
    return s["character"][:players].tolist(), s["second_character"][:players].tolist()


# ---------------------------------------------------------------- life and counters


def _life_problem(s: Any, players: int) -> str | None:
    tables = compile_cards().tables[0]
    roles = s["role"][:players].tolist()
    most_of = {role: int(queries.max_life_of(tables, s, role)) for role in set(roles)}
    most = np.array([most_of[role] for role in roles])
    life = s["life"][:players].astype(int)
    if (life < 0).any() or (life > most).any():
        return "a life total outside 0 to max life"
    fallen = ~(int(s["active"]) >> np.arange(players)) & 1
    if (fallen * (life + s["hand_size"][:players] + s["item_slots"][:players])).any():
        return "a defeated seat with life, cards or items"
    if s["outcome"] == st.RUNNING and not int(s["active"]):
        return "a game that goes on although nobody is left"
    return None


def _counter_problem(s: Any, players: int) -> str | None:
    for name in _BY_SEAT:
        if s[name][players:].any():
            return f"{name} of a seat that does not exist"
    for name in _SEAT_BITS:
        if int(s[name]) >> players:
            return f"{name} names a seat that does not exist"
    if not 0 <= int(s["current"]) < players:
        return "the turn of a seat that does not exist"
    for name in _FLAGS:
        if (s[name] < 0).any() or (s[name] > 1).any():
            return f"{name} is neither 0 nor 1"
    if (s["streak"] < s["in_streak"]).any():
        return "a round that is counted in no row of rounds"
    if (s["danmaku_played"] < 0).any():
        return "danmaku_played below 0"
    if (s["danmaku_cards"] < s["danmaku_played"]).any() or (s["danmaku_cards"] > queries.NO_LIMIT).any():
        return "danmaku_cards below danmaku_played, or too many"
    if (s["danmaku_played"] > queries.NO_LIMIT).any():
        return f"danmaku_played above {queries.NO_LIMIT}"
    if (s["outcome"] == st.WON) != bool(s["winners"]):
        return "winners and outcome disagree"
    return None


# ---------------------------------------------------------------- effects that last


def _lasting_problem(s: Any, players: int) -> str | None:
    size = int(s["lasting_size"])
    if not 0 <= size <= st.LASTING_ROWS or s["lasting"][max(0, size) :].any():
        return "an impossible number of lasting effects"
    rows = s["lasting"][:size].astype(int)
    words, seats = rows[:, st.LASTING_WORD], rows[:, [st.LASTING_OWNER, st.LASTING_SEAT]]
    if (words < 1).any() or (words > len(v.LASTING)).any():
        return "a lasting effect that does not exist"
    if (seats < 0).any() or (seats >= players).any():
        return "a lasting effect of a seat that does not exist"
    if (rows[:, st.LASTING_VALUE] < 0).any():
        return "a lasting effect below 0"
    return None


def problem(s: Any, players: int) -> str | None:
    """The first thing that cannot be true of the seats, or None."""
    return (
        _counter_problem(s, players)
        or _role_problem(s, players)
        or _character_problem(s, players)
        or _life_problem(s, players)
        or _lasting_problem(s, players)
    )
