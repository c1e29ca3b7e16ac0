"""Danmaku!! as a `GameSpec`: everything that game faces, environments and networks know of it."""

from __future__ import annotations

import functools
import itertools
from typing import Any

import numpy as np

from danmaku_env.cards import box
from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.compile import compile_cards
from danmaku_env.cards.roles import ROLES
from danmaku_env.cards.tables import POOL_FACTIONS
from danmaku_env.config import GameConfig
from danmaku_env.engine import actions, batch, events, invariants, observation, observe
from danmaku_env.engine import state as st
from danmaku_env.engine.rules import SAME_BASE_GAMES, rules_fingerprint
from danmaku_env.engine.warm import compile_engine
from danmaku_env.machine.records import Array
from danmaku_env.spec import EntryPoints, GameSpec, SeatOf, register_spec
from danmaku_env.wording import Event, Log, action_index, action_name, seat_name, stack_lines

_FACTIONS = {"heroine": v.HEROINES, "partner": v.PARTNERS, "stage_boss": v.STAGE_BOSSES, "extra_boss": v.EXTRA_BOSSES, "rival": v.RIVALS}


def _tables() -> Any:
    return compile_cards().tables


def _titles() -> tuple[str, ...]:
    return compile_cards().titles


def _is_dealt(config: GameConfig, faction: str) -> bool:
    bit = _FACTIONS[faction]
    return bit == v.HEROINES or config.roles_dealt[POOL_FACTIONS.index(bit)] > 0


def _seats_of(record: Any, faction: str) -> Array:
    factions = compile_cards().tables[0]["role_factions"][record["role"][: int(record["num_players"])]]
    seats: Array = np.flatnonzero(factions & _FACTIONS[faction])
    return seats


def _check_fits(games: Array, config: GameConfig, what: str) -> None:
    """Raise ValueError for a game of another number of players, or of another box."""
    for players in set(games["num_players"].tolist()) - {config.num_players}:
        raise ValueError(f"a game of {players} players does not fit {what} of {config.num_players}")
    both, wanted = games["config"] & st.WITH_LUNATIC_EXTRA > 0, config.expansion == "lunatic_extra"
    if (both != wanted).any():
        is_of, fits = ("the base game", "both boxes") if wanted else ("both boxes", "the base game")
        raise ValueError(f"a game of {is_of} does not fit {what} of {fits}: choose another expansion")


def _position(record: Any) -> str:
    """`turn 3 of seat 2 (Reimu), main step`."""
    step, number = st.STEPS[int(record["turn_step"])], int(record["turn_number"])
    turn = f"turn {number} of {seat_name(record, int(record['current']))}, " if number else ""
    return f"{turn}{step} step"


# ---------------------------------------------------------------- observations in words


@functools.cache
def _in_main_deck() -> Array:
    """[kinds] whether the Main deck has copies of it."""
    tables = compile_cards().tables[0]
    found: Array = tables["card_lunatic"][tables["first_copy"][: box.NUM_KINDS]] == 0
    return found


def _card(kind: int, season: int) -> str | None:
    """`shoot/spring` of two id bytes, None where there is no card; seasons of the Lunatic deck stand behind those of the Main deck."""
    if not kind:
        return None
    prefix = box.LUNATIC_PREFIX if season > st.NUM_SEASONS and _in_main_deck()[kind - 1] else ""
    return f"{prefix}{box.KIND_IDS[kind - 1]}/{v.SEASONS[(season - 1) % st.NUM_SEASONS]}"


def _event(columns: list[int], seat_of: SeatOf) -> Event:
    """One event of the history."""
    word, actor, target, about, number, extra, card, season = columns
    if word == events.L_TURN:
        number, extra = number + events.NUMBER_ROOM * extra, 0
    name = _card(card, season) if season else observation.IDS["incident"][card] or None
    return Event(events.EVENT_WORDS[word], seat_of(actor), seat_of(target), about - 1, number, extra, name)


# ---------------------------------------------------------------- what the games of a box can show

_OF_THE_EXPANSION = {
    *box.KIND_IDS[box.NUM_BASE_KINDS :], *box.CHARACTER_IDS[box.NUM_BASE_CHARACTERS :],
    *box.INCIDENT_IDS[box.NUM_BASE_INCIDENTS :], *box.ROLE_IDS[1 + len(ROLES) :],
    "zero", "copy", "turn zero", "exchange", "extra", "recruit", "dismiss", "turned away", "restock", "named", "season called",
    "draft", "ban", "character ban",
    "abilities have no effect",
    "hand_lunatic", "lunatic_in_hand", "lunatic_deck_size", "lunatic_discard", "lunatic_discard_top", "known_lunatic_top",
    "known_lunatic_bottom", "extra_turn", "danmaku_cards", "spared", "item_due",
    "extras", "extra_sources", "abilities_off", "incident_order", "collected_by", "incidents_kept",
    "characters_left", "discarded_characters", "second_character", "hands_lunatic", "lunatic_deck",
}  # fmt: skip
"""Names of the fields, ids, steps, questions and events that no base game can show: a net that was never shown them has nothing to say of
them."""


def _unseen(config: GameConfig) -> frozenset[str]:
    return frozenset() if config.expansion != "none" else _of_the_expansion()


@functools.cache
def _of_the_expansion() -> frozenset[str]:
    """Those, and titles of texts of the expansion's cards, characters, incidents and roles, and the bonus character's."""
    bonus = box.BASE_GAME._replace(cards=(), characters=box.BASE_GAME.bonus, incidents=(), roles=())
    titles = (_titles_of(box.LUNATIC_EXTRA) | _titles_of(bonus)) - _titles_of(box.BASE_GAME)
    return frozenset(_OF_THE_EXPANSION) | titles


def _titles_of(printed: box.Box | box.Expansion) -> frozenset[str]:
    names = [
        [card.name for card in printed.cards], [who.name for who in printed.characters], [who.spell_name for who in printed.characters],
        [incident.name for incident in printed.incidents], [role.name for role in printed.roles],
    ]  # fmt: skip
    return frozenset(itertools.chain(*names))


DANMAKU_SPEC = register_spec(
    GameSpec(
        name="danmaku",
        title="Danmaku!!",
        config=GameConfig,
        fewest_seats=st.FEWEST_SEATS,
        most_seats=st.SEATS,
        record=st.STATE,
        entries=EntryPoints.of(batch, _tables, compile_engine),
        outcomes=st.OUTCOMES,
        problem=invariants.problem,
        check_fits=_check_fits,
        rules=rules_fingerprint,
        earlier_rules=lambda config: SAME_BASE_GAMES if config.expansion == "none" and config.characters != "double_threat" else (),
        actions=actions.ACTION_IDS,
        pass_action=actions.PASS,
        questions=actions.QUESTIONS,
        action_name=action_name,
        action_index=action_index,
        fields=observation.OBSERVATION_FIELDS,
        state_fields=observe.STATE_FIELDS,
        highest=observation.highest,
        history_columns=observation.HISTORY_COLUMNS,
        ids=observation.IDS,
        events=events.EVENT_WORDS,
        text_events=("play", "spell", "use", "cancel"),
        titles=_titles,
        say={"card": lambda numbers: _card(*numbers), "lunatic": lambda numbers: _card(numbers[0], numbers[1] + st.NUM_SEASONS)},
        event=_event,
        unseen=_unseen,
        label="role",
        factions=_FACTIONS,
        is_dealt=_is_dealt,
        seats_of=_seats_of,
        playing=lambda record: int(record["active"]),
        log=Log,
        seat_name=seat_name,
        stack_lines=stack_lines,
        position=_position,
    )
)
