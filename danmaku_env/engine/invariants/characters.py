"""Whether the Extra Characters, the character piles and the abilities of a record can be."""

from __future__ import annotations

import functools
from collections import Counter
from typing import Any

import numpy as np

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.compile import compile_cards
from danmaku_env.engine import batch, characters, queries
from danmaku_env.engine import frames as fr
from danmaku_env.engine import state as st
from danmaku_env.engine.invariants.seats import both_characters
from danmaku_env.engine.procedures import draft

_MASKS = ("unused_characters", "discarded_characters", "drawn_characters")
_ASKS_FOR_DRAWN = (v.RECRUIT, v.REPLACE_EXTRA)


def _tables() -> Any:
    return compile_cards().tables[0]


def _bits(numbers: list[int]) -> int:
    """Bits of characters given plus one; 0 is none."""
    return sum({1 << number >> 1 for number in numbers})


def _played(s: Any, players: int) -> int:
    """Bits of the primary characters."""
    return sum((1 << first | 1 << second) >> 1 for first, second in zip(*both_characters(s, players), strict=True))


def _recruited(text: v.Text) -> int:
    return sum(op.code == v.RECRUIT for op in v.every_row(text.resolve))


def _recruiting() -> list[tuple[int, v.Text]]:
    """The texts that recruit, each with what it recruits for."""
    texts = [(number, text) for number, text in enumerate(compile_cards().texts) if text and _recruited(text)]
    return [(int(characters.source_of(_tables(), number)), text) for number, text in texts]


@functools.cache
def _most_of() -> dict[int, int]:
    """Source -> how many Extra Characters a seat can have from it: those its texts recruit one after the other."""
    most: dict[int, int] = {}
    for source, text in _recruiting():
        most[source] = max(most.get(source, 0), most_at_rest(source) + (_recruited(text) if text.types & v.SPELL else 0))
    return most


def most_at_rest(source: int) -> int:
    """How many of them it has when nothing is under way: those of one text, and none that its Spell Card recruits besides."""
    return max((_recruited(text) for owner, text in _recruiting() if owner == source and not text.types & v.SPELL), default=0)


def _row_problem(s: Any, players: int, there: int) -> str | None:
    size = int(s["extras_size"])
    if not 0 <= size <= st.EXTRA_ROWS or s["extras"][max(0, size) :].any():
        return "an impossible number of Extra Characters"
    tables = _tables()
    free = there & ~_played(s, players) & ~int(tables["recruiters"])
    for character, seat, source in s["extras"][:size].tolist():
        if character < 1 or not free >> character - 1 & 1:
            return "an Extra Character that cannot be one"
        free &= ~(1 << character - 1)
        if not 0 <= seat < players or not int(s["active"]) >> seat & 1:
            return "an Extra Character of nobody"
        if source not in _most_of() or not characters.has_source(tables, s, seat, source):
            return "an Extra Character that nothing has granted"
    rows = Counter(map(tuple, s["extras"][:size, [st.EXTRA_SEAT, st.EXTRA_SOURCE]].tolist()))
    if any(number > _most_of()[source] for (_, source), number in rows.items()):
        return "more Extra Characters than were granted"
    return None


def _pile_problem(s: Any, players: int, there: int) -> str | None:
    unused, discarded, drawn = (int(s[name]) for name in _MASKS)
    playing = _played(s, players) | _bits(s["extras"][:, st.EXTRA_CHARACTER].tolist())
    begun = queries.has_expansion(s) and queries.is_revealed(s)
    drafting = _is_drafting(s)
    dealt = int(s["open_characters"]) | int(np.bitwise_or.reduce(s["candidates"])) if drafting else 0
    left = there & ~playing & ~dealt if begun or drafting else 0
    if unused & discarded or unused & drawn or discarded & drawn or unused | discarded | drawn != left:
        return "character piles that do not hold the characters that are left"
    if drafting and not _is_turn_of_draft(s, players):
        return "a draft in which some have banned or picked too much or too little"
    if int(s["open_characters"]) & (playing | ~there) or (s["open_characters"] and int(s["turn_step"]) != st.STEP_DRAFT):
        return "characters that lie open where none can"
    recruiters = 0 if int(s["config"]) & st.CHARACTERS_DRAFTED else int(_tables()["recruiters"])  # banned in secret too
    for character, seen in enumerate(s["characters_seen"].tolist()):
        lies = discarded >> character & 1
        known = seen == st.EVERYBODY or (seen in [1 << seat for seat in range(players)] and not recruiters >> character & 1)
        if (known if lies else seen == 0) is False:
            return "a character known where it does not lie"
    return _drawn_problem(s, drawn & int(_tables()["recruiters"]), drawn.bit_count()) if drawn else None


def _is_drafting(s: Any) -> bool:
    """Whether characters are being drafted."""
    return bool(int(s["config"]) & st.CHARACTERS_DRAFTED) and int(s["turn_step"]) in (st.STEP_SETUP, st.STEP_DRAFT)


def _is_turn_of_draft(s: Any, players: int) -> bool:
    """Whether the numbers of characters dealt, banned and picked, and the seats, agree with the place in the draft."""
    at, place = int(s["stack"][0, fr.AT]), int(s["stack"][0, fr.SETUP_PLACE])
    dealt = [int(characters).bit_count() for characters in s["candidates"][:players]]
    banned, left = int(s["discarded_characters"]).bit_count(), int(s["open_characters"]).bit_count()
    picked = {seat for seat in range(players) if s["character"][seat]}
    if at == fr.AT_SECRET_BANS:
        return dealt == [draft.DEALT - (seat < place) for seat in range(players)] and (banned, left, len(picked)) == (place, 0, 0)
    pool = (draft.DEALT - 1) * players
    if at == fr.AT_OPEN_BANS:
        return not any(dealt) and (banned, left, len(picked)) == (players + place, pool - place, 0)
    inverse = {(int(s["current"]) - turn) % players for turn in range(place)}
    return not any(dealt) and (banned, left) == (2 * players, pool - players - place) and picked == inverse


def _drawn_problem(s: Any, recruiters: int, number: int) -> str | None:
    frame = s["stack"][min(max(0, int(s["depth"]) - 1), fr.DEPTH - 1)]
    pc = int(frame[fr.PLAY_PC]) if frame[fr.PROCEDURE] == fr.PLAY_FRAME else 0
    row = int(_tables()["program"][pc, 0]) if 0 < pc < compile_cards().rows else 0
    if recruiters or number > queries.candidates(s) or row not in _ASKS_FOR_DRAWN:
        return "characters drawn that nobody chooses from"
    return None


def _naming_problem(s: Any, players: int) -> str | None:
    tables = _tables()
    for seat in np.flatnonzero(s["mirrored"][:players] | s["copied"][:players]).tolist():
        held = int(queries.primaries(s, seat) | characters.extras_of(s, seat, 0))
        for field, who in (("mirrored", "mirrors"), ("copied", "copiers")):
            if not (named := int(s[field][seat])):
                continue
            others = characters.namable(tables, s, seat, 1) & ~(0 if field == "mirrored" else int(tables["recruiters"]))
            if not held & int(tables[who]) or named < 0 or not int(others) >> named - 1 & 1:
                return f"seat {seat} has named an ability that it cannot have named"
            held |= 1 << named - 1
    return None


def problem(s: Any, players: int) -> str | None:
    """The first thing that cannot be true of Extra Characters and the character piles, or None."""
    there = int(queries.characters_in(_tables(), s))
    if s["character_pool"] and int(s["character_pool"]) != there:
        return "a pool of characters that are not in the box"
    if int(s["hurt"]) >> players or (s["hurt"] and not queries.has_expansion(s)):
        return "somebody hurt who cannot be"
    if (s["lost_due"] or s["drew_due"] or s["limit_due"] or s["extra_turn"]) and not queries.has_expansion(s):
        return "something is due that the base game does not know"
    if s["extra_turn"] and (int(s["extra_turn"]) - st.EXTRA_TURN_OF) % st.SEATS >= players:
        return "an extra turn of a seat that is not there"
    if s["extras_size"] and not queries.has_expansion(s):
        return "an Extra Character in the base game"
    return _row_problem(s, players, there) or _pile_problem(s, players, there) or _naming_problem(s, players)


def ability_problem(s: Any, players: int) -> str | None:
    """Whether abilities and Spell Cards are those that follow from the rest of a record, in which everything else can be."""
    derived = np.array([s], st.STATE)
    if queries.is_revealed(s):
        batch.refresh_characters(compile_cards().tables, derived)
    else:
        derived["abilities"] = derived["spells"] = 0
    for seat in range(players):
        if any(int(derived[name][0, seat]) != int(s[name][seat]) for name in ("abilities", "spells")):
            return f"abilities or a Spell Card that seat {seat} cannot have"
    return None
