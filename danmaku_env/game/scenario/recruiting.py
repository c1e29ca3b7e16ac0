"""Extra Characters, abilities that were named, and the character piles of a description."""

from __future__ import annotations

from typing import Any

from danmaku_env.arguments import shown
from danmaku_env.cards.box import CHARACTER_IDS, ITEM_IDS, ROLE_IDS
from danmaku_env.cards.compile import compile_cards
from danmaku_env.config import IN_BOTH_BOXES, GameConfig, no_such_character
from danmaku_env.engine import queries
from danmaku_env.engine import state as st
from danmaku_env.engine.characters import extras_of
from danmaku_env.engine.invariants import characters
from danmaku_env.engine.state import EVERYBODY
from danmaku_env.game.errors import ScenarioError
from danmaku_env.game.scenario.description import Description


def set_extras(s: Any, table: Description, config: GameConfig) -> None:
    """Write them into the record. Raises ScenarioError for what cannot be recruited or named."""
    for seat in range(config.num_players):
        plan = table.seat(seat)
        if config.expansion == "none" and (plan.extras or plan.hurt):
            what = "has no Extra Characters" if plan.extras else "is not kept as hurt"
            raise ScenarioError(f"seat {seat} {what} in the base game; {IN_BOTH_BOXES}")
        for name in plan.extras:
            _add_extra(s, seat, name, config)
        if plan.named:
            _set_named(s, seat, plan.named, config)
        if plan.hurt:
            s["hurt"] |= 1 << seat
    _set_piles(s, table, config)


def _number(name: str, where: str, config: GameConfig) -> int:
    if name not in config.character_ids:
        raise ScenarioError(f"{where}: {no_such_character(config, name)}")
    return CHARACTER_IDS.index(name)


def _sources(s: Any, seat: int) -> dict[str, int]:
    """What of a seat grants Extra Characters: id -> the number kept with them."""
    tables = compile_cards().tables[0]
    found = {}
    for number in (int(s["character"][seat]), int(s["mirrored"][seat])):  # in Double Threat no ability grants any
        if number and tables["char_gives"][number - 1]:
            found[CHARACTER_IDS[number - 1]] = number
    for slot, name in enumerate(ITEM_IDS):
        if s["item_counts"][seat, slot] and tables["slot_gives"][slot]:
            found[name] = st.BY_ITEM + slot
    if tables["role_gives"][int(s["role"][seat])]:
        found[ROLE_IDS[int(s["role"][seat])]] = st.BY_ROLE + int(s["role"][seat])
    return found


def _add_extra(s: Any, seat: int, written: str, config: GameConfig) -> None:
    name, _, said = written.partition("/")
    number = _number(name, f"seat {seat}", config)
    sources = _sources(s, seat)
    if said and said not in sources:
        raise ScenarioError(f"seat {seat}: {shown(said)} grants it no Extra Character")
    size = int(s["extras_size"])
    taken = s["extras"][:size, st.EXTRA_SOURCE][s["extras"][:size, st.EXTRA_SEAT] == seat].tolist()
    free = [source for source in sources.values() if taken.count(source) < characters.most_at_rest(source)]
    if not (said or free) or size == st.EXTRA_ROWS:
        raise ScenarioError(f"seat {seat}: nothing it has grants it the Extra Character {name}")
    s["extras"][size] = number + 1, seat, sources[said] if said else free[0]
    s["extras_size"] = size + 1


def _set_named(s: Any, seat: int, name: str, config: GameConfig) -> None:
    tables = compile_cards().tables[0]
    if not int(queries.primaries(s, seat) | extras_of(s, seat, 0)) & (int(tables["mirrors"]) | int(tables["copiers"])):
        raise ScenarioError(f"seat {seat} has named {shown(name)}, but nobody it plays names an ability")
    for_good = int(queries.primaries(s, seat)) & int(tables["mirrors"])
    s["mirrored" if for_good else "copied"][seat] = _number(name, f"named by seat {seat}", config) + 1


def _set_piles(s: Any, table: Description, config: GameConfig) -> None:
    if config.expansion == "none":
        if table.characters_left is not None:
            raise ScenarioError(f"nobody recruits in the base game; {IN_BOTH_BOXES}")
        return
    playing = {*s["character"].tolist(), *s["second_character"].tolist(), *s["extras"][:, st.EXTRA_CHARACTER].tolist()}
    there = [CHARACTER_IDS.index(name) for name in config.character_ids]
    out_of_play = [number for number in there if number + 1 not in playing]
    left = out_of_play
    if table.characters_left is not None:
        left = [_number(name, "characters to recruit", config) for name in table.characters_left]
        if len(set(left)) != len(left) or not set(left) <= set(out_of_play):
            raise ScenarioError("characters to recruit: one that is in play, or named twice")
    s["unused_characters"] = sum(1 << number for number in left)
    for number in set(out_of_play) - set(left):
        s["discarded_characters"] |= 1 << number
        s["characters_seen"][number] = EVERYBODY
