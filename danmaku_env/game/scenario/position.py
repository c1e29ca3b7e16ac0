"""From a description to a game: the record is filled in, what cannot be is refused with the reason, and the first question is asked.

Which roles and cards these are is dealing.py; the words they were described with are scenario.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from danmaku_env.arguments import shown
from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.box import BASE_GAME, CHARACTER_IDS, INCIDENT_IDS, ITEM_IDS, KIND_IDS, LUNATIC_PREFIX, ROLE_IDS, kind_named
from danmaku_env.cards.compile import compile_cards
from danmaku_env.cards.tables import BASE_BOX, T_BIT, T_CHARACTER, T_ONCE
from danmaku_env.config import IN_BOTH_BOXES, GameConfig, no_such_character
from danmaku_env.danmaku import DANMAKU_SPEC
from danmaku_env.engine import batch, invariants, queries
from danmaku_env.engine import frames as fr
from danmaku_env.engine import state as st
from danmaku_env.engine.procedures import setup
from danmaku_env.engine.state import EVERYBODY
from danmaku_env.game.errors import ScenarioError, status_error
from danmaku_env.game.game import Game
from danmaku_env.game.scenario.dealing import REVEALED_FORMS, deal_roles, knowers, place_cards, place_in
from danmaku_env.game.scenario.description import NO_INCIDENT, Description, SeatPlan
from danmaku_env.game.scenario.recruiting import set_extras
from danmaku_env.machine.records import Array

_EXTRA_BOSSES = {role.id for role in BASE_GAME.all_roles if role.factions == v.EXTRA_BOSSES}
_BEFORE_TURNS = {"game start": fr.AT_GAME_START, "turn zero": fr.AT_TURN_ZERO}
_STEP_AT = {
    "start": fr.AT_START,
    "incident": fr.AT_INCIDENT,
    "draw": fr.AT_BEFORE_DRAW,
    "main": fr.AT_MAIN,
    "discard": fr.AT_BEFORE_DISCARD,
}


def build(table: Description, config: GameConfig, seed: int) -> Game:
    """The game at its first question. Raises ScenarioError, with the reason, for an impossible position."""
    DANMAKU_SPEC.entries.compile_once()
    rng = np.random.default_rng(seed)
    record: Array = np.zeros(1, st.STATE)
    s: Any = record[0]
    _drive(record, config, batch.BLANK, seed)
    _set_turn(s, table, config)
    _set_seats(s, table, config, deal_roles(table, config, rng))
    _set_before_turns(s, table)
    _set_incidents(s, table, config, rng)
    _set_effects(s, table)
    _set_cards(record, table, config, rng)
    set_extras(s, table, config)
    batch.refresh_characters(compile_cards().tables, record)
    for seat in range(config.num_players):
        _check_limits(s, seat, table.seat(seat).items)
    _set_knowledge(s, table)
    _refuse_impossible(record, table)
    _run_to_first_question(record, config)
    if found := invariants.problem(s):
        raise ScenarioError(f"an impossible position: {found}")
    return Game.from_trusted_record(record, config)


def _drive(record: Array, config: GameConfig, mode: int, seed: int = 0) -> None:
    status: Array = np.zeros(1, np.int8)
    seeds, settings = np.array([seed], np.int64), config.settings()
    bits = settings[setup.SET_CONFIG]
    if mode == batch.BLANK:
        settings[setup.SET_CONFIG] &= ~(st.OWN_DECK | st.OWN_INCIDENTS)  # no cards are laid out: they are placed by hand
    batch.drive(compile_cards().tables, settings, record, st.as_bytes(record), seeds, status, mode)
    if mode == batch.BLANK:
        record["config"] = bits
    if record["status"][0] != st.OK:
        raise status_error(record[0])


def _run_to_first_question(record: Array, config: GameConfig) -> None:
    """The first question is asked even where only one answer is legal: else the position described would be over already.

    Where somebody is at 0 life, or comes to it before anything else is asked, it is the question for their rescue, which is put even to a
    player who can only pass.
    """
    s: Any = record[0]
    configured, active, before = int(s["config"]), int(s["active"]), record.copy()
    dying = (s["life"] == 0) & (active >> np.arange(st.SEATS) & 1 == 1)
    s["config"] = configured | st.ASK_FORCED | (st.ASK_EVERYONE if dying.any() else 0)
    _drive(record, config, batch.RESUME)
    if int(s["active"]) != active or s["outcome"] != st.RUNNING:
        record[:] = before
        s["config"] = configured | st.ASK_FORCED | st.ASK_EVERYONE
        _drive(record, config, batch.RESUME)
    s["config"] = configured


# ---------------------------------------------------------------- the moment


def _set_turn(s: Any, table: Description, config: GameConfig) -> None:
    turn = table.turn
    if turn.step in _BEFORE_TURNS:
        _check_before_turns(table, config)
        return
    if table.seat(turn.seat).defeated:
        raise ScenarioError(f"seat {turn.seat} is defeated and cannot have the turn")
    if turn.step == "start" and (turn.drew or turn.action_ban):
        raise ScenarioError("a turn that is about to start has no ban yet, and nobody has drawn in it")
    s["stack"][0] = 0
    s["stack"][0, fr.PROCEDURE] = fr.TURN_FRAME
    s["stack"][0, fr.SEAT] = turn.seat
    s["stack"][0, fr.AT] = _STEP_AT[turn.step]
    s["current"] = turn.seat
    s["turn_number"] = 1
    s["turn_step"] = st.STEPS.index(turn.step)
    s["drew"] = sum(1 << seat for seat in set(turn.drew))
    s["action_ban"] = turn.action_ban


def _check_before_turns(table: Description, config: GameConfig) -> None:
    """Refuse what cannot have happened yet."""
    if config.box == BASE_BOX:
        raise ScenarioError(f"there is no {table.turn.step} in the base game; {IN_BOTH_BOXES}")
    plans = [table.seat(seat) for seat in range(config.num_players)]
    if (
        table.incidents
        or table.effects
        or table.turn.drew
        or table.turn.action_ban
        or any(plan.defeated or plan.revealed for plan in plans)
    ):
        raise ScenarioError("before the first turn there is no incident, nothing lasts, and nobody has drawn, revealed or been defeated")


def _set_before_turns(s: Any, table: Description) -> None:
    """The bottom frame before the first turn; the steps go round from the Heroine."""
    turn = table.turn
    if turn.step not in _BEFORE_TURNS:
        return
    players, roles = int(s["num_players"]), s["role"].tolist()
    heroine = roles.index(ROLE_IDS.index("heroine"))
    s["stack"][0] = 0
    s["stack"][0, fr.PROCEDURE] = fr.SETUP_FRAME
    s["stack"][0, fr.AT] = _BEFORE_TURNS[turn.step]
    s["stack"][0, fr.SETUP_PLACE] = (turn.seat - heroine) % players
    s["current"] = heroine
    s["turn_step"] = st.STEP_ZERO


def _set_effects(s: Any, table: Description) -> None:
    for place, effect in enumerate(table.effects):
        row = s["lasting"][place]
        row[st.LASTING_WORD] = effect.word + 1
        row[st.LASTING_OWNER] = effect.owner
        row[st.LASTING_SEAT] = effect.seat
        row[st.LASTING_VALUE] = effect.value
    s["lasting_size"] = len(table.effects)


# ---------------------------------------------------------------- seats


def _set_seats(s: Any, table: Description, config: GameConfig, roles: Sequence[str]) -> None:
    boss_fallen = any(table.seat(seat).defeated and role in _EXTRA_BOSSES for seat, role in enumerate(roles))
    for seat, role in enumerate(roles):
        plan = table.seat(seat)
        s["role"][seat] = ROLE_IDS.index(role)
        public = plan.revealed or plan.defeated or role in ("heroine", *REVEALED_FORMS) or (role == "ex_midboss" and boss_fallen)
        s["role_seen"][seat] = EVERYBODY if public else 1 << seat
        _set_characters(s, seat, plan.characters or _configured_characters(config, seat), config)
        if plan.defeated:
            if plan.hand or plan.items or plan.life:
                raise ScenarioError(f"seat {seat} is defeated, so it has no hand, items or life")
            s["active"] &= ~np.uint8(1 << seat)
        else:
            _set_life_and_counters(s, seat, plan)


def _configured_characters(config: GameConfig, seat: int) -> tuple[str, ...]:
    return () if isinstance(config.characters, str) else (config.characters[seat],)


def _set_characters(s: Any, seat: int, characters: Sequence[str], config: GameConfig) -> None:
    s["character"][seat] = 0
    for field, character in zip(("character", "second_character"), characters, strict=False):
        if character not in config.character_ids:
            raise ScenarioError(f"seat {seat}: {no_such_character(config, character)}")
        number = CHARACTER_IDS.index(character)
        if any(number + 1 in s[taken][: seat + 1] for taken in ("character", "second_character")):
            raise ScenarioError(f"seat {seat}: {character} is already at the table")
        s[field][seat] = number + 1


def _set_life_and_counters(s: Any, seat: int, plan: SeatPlan) -> None:
    """Life and counters of a seat that is in the game."""
    tables = compile_cards().tables[0]
    most = int(queries.max_life_of(tables, s, int(s["role"][seat])))
    life = most if plan.life is None else plan.life
    if not 0 <= life <= most:
        raise ScenarioError(f"seat {seat}: life {shown(life)} is not between 0 and {most}")
    cards = int(tables["cards_in"][queries.box(s)])
    if not 0 <= plan.danmaku_played <= cards:
        raise ScenarioError(f"seat {seat}: danmaku_played {shown(plan.danmaku_played)} is not between 0 and {cards}")
    s["life"][seat] = life
    s["danmaku_played"][seat] = s["danmaku_cards"][seat] = plan.danmaku_played
    s["spell_used"][seat] = plan.spell_used
    s["skip_next"][seat] = plan.skip_next
    s["skipped_last"][seat] = plan.skipped_last
    if plan.ability_used:
        _use_up_ability(s, seat, tables["text"])


def _use_up_ability(s: Any, seat: int, texts: Array) -> None:
    """Mark what the seat's character can do once per turn or round."""
    limits = {v.ONCE_PER_TURN: "used_turn", v.ONCE_PER_ROUND: "used_round"}
    characters = [int(s[field][seat]) for field in ("character", "second_character") if s[field][seat]]
    mine = [text for text in texts if int(text[T_CHARACTER]) in characters and int(text[T_ONCE]) in limits]
    if not mine:
        raise ScenarioError(f"seat {seat}: its character has no ability that is used up for a turn or a round")
    for text in mine:
        s[limits[int(text[T_ONCE])]][seat] |= 1 << int(text[T_BIT])


# ---------------------------------------------------------------- incidents


def _set_incidents(s: Any, table: Description, config: GameConfig, rng: np.random.Generator) -> None:
    there = list(config.incident_ids)
    kept = [name for cards in table.incidents.values() for name in cards if name in INCIDENT_IDS]
    named = [*table.incidents, *kept, *table.incident_top, *table.incident_discard]
    if NO_INCIDENT in table.incidents:
        raise ScenarioError("cards are collected, but no incident is in play")
    if config.box == BASE_BOX and len(table.incidents) > 1:
        raise ScenarioError(f"several incidents are in play at once with Lunatic Extra only; {IN_BOTH_BOXES}")
    for name in named:
        if name in INCIDENT_IDS and name not in there and config.incidents is not None:
            raise ScenarioError(f"{shown(name)} is none of the incidents of this game, {', '.join(there) or 'which has none'}")
        if name in INCIDENT_IDS and name not in there:
            raise ScenarioError(f"{shown(name)} is an incident of Lunatic Extra; {IN_BOTH_BOXES}")
        if name not in there:
            raise ScenarioError(f"{shown(name)} is not an incident; the incidents are {', '.join(there)}")
    if len(set(named)) != len(named):
        raise ScenarioError("an incident is named twice; each exists once")
    rest = [INCIDENT_IDS.index(there[place]) for place in rng.permutation(len(there)) if there[place] not in named]
    deck = rest + [INCIDENT_IDS.index(name) for name in reversed(table.incident_top)]
    s["incident_deck"][: len(deck)] = np.array(deck, np.int64) + 1
    s["incident_deck_size"] = len(deck)
    discard = [INCIDENT_IDS.index(name) for name in reversed(table.incident_discard)]
    s["incident_discard"][: len(discard)] = np.array(discard, np.int64) + 1
    s["incident_discard_size"] = len(discard)
    s["incidents"][: len(table.incidents)] = [INCIDENT_IDS.index(name) + 1 for name in table.incidents]
    s["incident_size"] = len(table.incidents)
    s["incidents_kept"] = sum(1 << INCIDENT_IDS.index(name) for name in kept)


# ---------------------------------------------------------------- cards, and what is known


def _set_cards(record: Array, table: Description, config: GameConfig, rng: np.random.Generator) -> None:
    s: Any = record[0]
    for seat in range(int(s["num_players"])):
        _check_items(seat, table.seat(seat).items)
    for name, collected in table.incidents.items():
        _check_collected(name, collected, int(s["active"]).bit_count())
    moves = np.array(place_cards(table, config, rng), np.int64)
    batch.place_cards(compile_cards().tables, record, moves)
    s["log_count"] = 0
    s["log"] = 0
    s["spring_due"] = 0


def _is_unlimited(s: Any, seat: int) -> bool:
    """Whether a character of the seat, or one whose ability it has named, lets it have any number of items of a kind; in effect or not."""
    own = int(s["abilities"][seat]) | int(s["spells"][seat])
    for field in ("character", "second_character"):
        own |= (1 << int(s[field][seat])) >> 1
    return own & int(compile_cards().tables[0]["unlimited"]) != 0


def _check_items(seat: int, items: Sequence[str]) -> None:
    for card in items:
        if kind_named(card) not in ITEM_IDS:
            raise ScenarioError(f"seat {seat}: {shown(card)} is not an item")


def _check_limits(s: Any, seat: int, items: Sequence[str]) -> None:
    """One defense card and one artifact, unless the seat's ability allows more; where that is not in effect, too many go at once."""
    types = [int(compile_cards().tables[0]["kind_types"][KIND_IDS.index(kind_named(card))]) for card in items]
    for limited, word in ((v.DEFENSE, "defense card"), (v.ARTIFACT, "artifact")):
        if sum(1 for bits in types if bits & limited) <= 1:
            continue
        if _is_unlimited(s, seat):
            s["limit_due"] |= (int(s["abilities"][seat]) & int(compile_cards().tables[0]["unlimited"]) == 0) << seat
        else:
            raise ScenarioError(f"seat {seat}: nobody has more than one {word} in play whose character does not allow it")


def _check_collected(name: str, collected: Sequence[str], active: int) -> None:
    """Everything collected must be something that the incident takes, and not be enough to end it."""
    incident = next(incident for incident in BASE_GAME.all_incidents if incident.id == name)
    for card in collected:
        if not _takes(incident, card):
            raise ScenarioError(f"{name} does not collect {shown(card)}")
    if incident.needs and len(collected) >= incident.needs + active * incident.needs_per_player:
        raise ScenarioError(f"{name} would be over with {', '.join(collected)} collected")


def _takes(incident: v.Incident, card: str) -> bool:
    """Whether an incident collects a card, or another incident; a card without a season is taken for one that fits."""
    if card in INCIDENT_IDS or incident.collects_incidents:
        return card in INCIDENT_IDS and incident.collects_incidents
    if any(isinstance(step, v.Op) and step.code in (v.COLLECT_TOP, v.COLLECT_ASIDE) for step in incident.step):
        return True
    kind, season = kind_named(card), card.partition("/")[2]
    tables = compile_cards().tables[0]
    number = KIND_IDS.index(kind) if kind in KIND_IDS else None
    if number is None or incident.collects_each_season:
        return number is not None
    if incident.collects_lunatic:
        return bool(tables["card_lunatic"][tables["first_copy"][number]]) or card.startswith(LUNATIC_PREFIX)
    if incident.collects_points:
        return int(tables["kind_points"][number]) >= incident.collects_points
    if incident.collects_season >= 0:
        return season in ("", v.SEASONS[incident.collects_season])
    return bool(int(tables["kind_types"][number]) & incident.collects_types)


def _set_knowledge(s: Any, table: Description) -> None:
    """Roles and places in the incident deck that seats know; the cards they know came with the cards."""
    players = int(s["num_players"])
    size = int(s["incident_deck_size"])
    for known in table.knowledge:
        who = knowers(known.seats, players)
        for seat in known.roles:
            s["role_seen"][seat] |= who
        for place in known.incident_deck:
            incident = int(s["incident_deck"][size - 1 - place_in(place, size, "incident deck")]) - 1
            s["incident_seen"][incident] |= who


def _refuse_impossible(record: Array, table: Description) -> None:
    s: Any = record[0]
    for place, name in enumerate(table.incidents):
        each = int(compile_cards().tables[0]["collects_each"][int(s["incidents"][place]) - 1])
        if each and (s["collected"][place] > each).any():
            raise ScenarioError(f"{name} collects no more than {each} cards of a season")
    batch.judge(compile_cards().tables, record)
    if s["outcome"] != st.RUNNING:
        winners = [f"seat {seat}" for seat in range(int(s["num_players"])) if int(s["winners"]) >> seat & 1]
        raise ScenarioError(f"the game would be over already: {', '.join(winners) or 'nobody'} would have won")
