"""Action index <-> meaning, and how a question is put and answered.

The space is one fixed `Discrete(NUM_ACTIONS)` for every player count and expansion, in groups as `machine/answers.py` needs them.
Seats are relative to the acting seat: 0 is oneself, 1 the next clockwise.
"""

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.box import (
    CHARACTER_IDS,
    INCIDENT_IDS,
    KIND_IDS,
    NUM_BONUS_CHARACTERS,
    NUM_CHARACTERS,
    NUM_INCIDENTS,
    NUM_KINDS,
    NUM_ROLES,
    ROLE_IDS,
    SOURCE_IDS,
    USE_IDS,
)
from danmaku_env.engine import queries
from danmaku_env.engine import state as st
from danmaku_env.jit.kernels import kernel
from danmaku_env.machine import answers

# ---------------------------------------------------------------- layout of the first group

PASS = 0
PASS_BIT = 1 << PASS
USE_BASE = 1
SOURCE_BASE = USE_BASE + len(USE_IDS)
REVEAL_ROLE = SOURCE_BASE + len(SOURCE_IDS)
EXCHANGE = REVEAL_ROLE + 1
SEAT_BASE = EXCHANGE + 1
SEASON_BASE = SEAT_BASE + st.SEATS
TYPE_BASE = SEASON_BASE + 4
DECK_BASE = TYPE_BASE + len(v.NAMED_TYPES)
NUMBER_BASE = DECK_BASE + len(v.DECKS)
YES = NUMBER_BASE + v.LARGEST_NAMED
TOP = YES + 1
BOTTOM = TOP + 1
_MISC_SIZE = BOTTOM + 1

YES_BIT = 1 << YES
TOP_OR_BOTTOM = (1 << TOP) | (1 << BOTTOM)
"""Answers that name an end of a deck, or a half of a card."""
MAIN_OR_LUNATIC = (1 << (DECK_BASE + v.MAIN_DECK)) | (1 << (DECK_BASE + v.LUNATIC_DECK))
"""Answers that name either deck of cards."""

NUMBERED_CHARACTERS = NUM_CHARACTERS - NUM_BONUS_CHARACTERS
"""Bonus characters are chosen by the last actions of all, so that no other's number has moved; none has an activated ability."""

PLAY_BASE = _MISC_SIZE
KIND_BASE = PLAY_BASE + NUM_KINDS
ABILITY_BASE = KIND_BASE + NUM_KINDS
CHARACTER_BASE = ABILITY_BASE + NUMBERED_CHARACTERS
INCIDENT_BASE = CHARACTER_BASE + NUMBERED_CHARACTERS
ROLE_BASE = INCIDENT_BASE + NUM_INCIDENTS
BONUS_BASE = ROLE_BASE + NUM_ROLES - 1
NUM_ACTIONS = BONUS_BASE + NUM_CHARACTERS - NUMBERED_CHARACTERS
GROUP_ENDS = (PLAY_BASE, KIND_BASE, ABILITY_BASE, CHARACTER_BASE, INCIDENT_BASE, ROLE_BASE, BONUS_BASE, NUM_ACTIONS)

# ---------------------------------------------------------------- questions

(Q_NONE, Q_MAIN, Q_CANCEL, Q_RESPOND, Q_ATTACKED, Q_RESCUE, Q_STEP, Q_TARGET, Q_SECOND_TARGET, Q_ITEM, Q_CARD, Q_PAY, Q_DISCARD, Q_BOOST,
 Q_MAY, Q_NUMBER, Q_TYPE, Q_DECK, Q_ASIDE, Q_END, Q_SEASON, Q_HALF, Q_SPELL, Q_CHARACTER, Q_INCIDENT, Q_POWERUP, Q_LIMIT,
 Q_CONTROLLER, Q_COPY, Q_ZERO, Q_EXCHANGE, Q_EXTRA, Q_ABILITY, Q_BAN) = range(34)  # fmt: skip
QUESTIONS = (
    "none", "main", "cancel", "respond", "attacked", "rescue", "step", "target", "second target", "item", "card", "pay", "discard",
    "boost", "may", "number", "type", "deck", "aside", "end", "season", "half", "spell", "character", "incident", "powerup", "limit",
    "controller", "copy", "turn zero", "exchange", "extra", "ability", "ban",
)  # fmt: skip
WINDOW_QUESTION = tuple(
    {
        v.MAIN: Q_MAIN, v.CANCEL: Q_CANCEL, v.RESPONSE: Q_RESPOND, v.ATTACKED: Q_ATTACKED, v.RESCUE: Q_RESCUE, v.TURN_ZERO: Q_ZERO,
        v.AVOIDING: Q_RESPOND, v.LIFE_GONE: Q_RESPOND, v.DREW: Q_RESPOND,
    }.get(v.TimingEvent(event), Q_STEP)
    for event in range(v.NUM_EVENTS)
)  # fmt: skip
"""What a seat is asked when it is offered something at an event."""


def _action_ids() -> tuple[str, ...]:
    """Names of all actions, with seats relative."""
    misc = [
        "pass",
        *(f"use {name}" for name in USE_IDS),
        *(f"spell {name}" for name in SOURCE_IDS),
        "reveal",
        "exchange",
        *(f"choose seat:{seat}" for seat in range(st.SEATS)),
        *(f"choose season:{season}" for season in v.SEASONS),
        *(f"choose type:{v.TYPES[bit.bit_length() - 1]}" for bit in v.NAMED_TYPES),
        *(f"choose deck:{deck}" for deck in v.DECKS),
        *(f"choose number:{number}" for number in range(1, v.LARGEST_NAMED + 1)),
        "choose yes",
        "choose top",
        "choose bottom",
    ]
    return (
        *misc,
        *(f"play {name}" for name in KIND_IDS),
        *(f"choose card:{name}" for name in KIND_IDS),
        *(f"ability {name}" for name in CHARACTER_IDS[:NUMBERED_CHARACTERS]),
        *(f"choose character:{name}" for name in CHARACTER_IDS[:NUMBERED_CHARACTERS]),
        *(f"choose incident:{name}" for name in INCIDENT_IDS),
        *(f"choose role:{name}" for name in ROLE_IDS[1:]),
        *(f"choose character:{name}" for name in CHARACTER_IDS[NUMBERED_CHARACTERS:]),
    )


ACTION_IDS = _action_ids()
"""Action index -> name, seats relative to the acting seat."""
assert len(ACTION_IDS) == NUM_ACTIONS

# ---------------------------------------------------------------- kernels


ANSWERS = answers.answers_of(GROUP_ENDS, ask_forced=st.ASK_FORCED)
clear_legal, allow, is_legal, ask, give_answer, count_legal, legal_answer, write_mask = ANSWERS
has_answer, take_answer = answers.has_answer, answers.take_answer


@kernel
def relative(s, asked, mask):
    """A seat mask turned so that `asked` is bit 0, moved to the place of `choose seat` in the first group."""
    players = int(s["num_players"])
    turned = ((mask >> asked) | (mask << (players - asked))) & ((1 << players) - 1)
    return turned << SEAT_BASE


@kernel
def ask_seat(s, asked, question, mask, may_pass):
    """Ask for one of the seats in the mask; whether the answer has to be waited for."""
    clear_legal(s)
    s["legal"][st.MISC] = relative(s, asked, mask) | (PASS_BIT if may_pass else 0)
    return ask(s, asked, question)


@kernel
def chosen_seat(s, asked):
    """The seat answered, or -1 for pass."""
    answer = take_answer(s)
    if answer == PASS:
        return -1
    return (answer - SEAT_BASE + asked) % int(s["num_players"])


@kernel
def ask_misc(s, asked, question, mask):
    """Ask for one of the answers of the first group; whether the answer has to be waited for."""
    clear_legal(s)
    s["legal"][st.MISC] = mask
    return ask(s, asked, question)


@kernel
def ask_kind(s, asked, question, kinds, may_pass):
    """Ask for one of the card kinds in the mask; whether the answer has to be waited for."""
    clear_legal(s)
    s["legal"][st.CHOOSE_KIND] = kinds
    s["legal"][st.MISC] = PASS_BIT if may_pass else 0
    return ask(s, asked, question)


@kernel
def ask_character(s, asked, question, characters, may_pass):
    """Ask for one of the characters in the mask; whether the answer has to be waited for."""
    clear_legal(s)
    s["legal"][st.PICK_CHARACTER] = characters & ((1 << NUMBERED_CHARACTERS) - 1)
    s["legal"][st.PICK_BONUS] = characters >> NUMBERED_CHARACTERS
    s["legal"][st.MISC] = PASS_BIT if may_pass else 0
    return ask(s, asked, question)


PASSED, WAITING = -1, -2


@kernel
def chosen_character(s):
    """The character answered, or PASSED."""
    answer = take_answer(s)
    if answer == PASS:
        return PASSED
    return answer - BONUS_BASE + NUMBERED_CHARACTERS if answer >= BONUS_BASE else answer - CHARACTER_BASE


@kernel
def _pick_season(t, s, asked, kind, zone, holder, seasons_count, back):
    """The physical card of a kind and deck there; WAITING when its season has to be asked first."""
    if seasons_count:
        seasons = queries.seasons_of(t, s, kind, zone, holder, back)
        if queries.has_several(seasons):
            s["pending_kind"] = kind + 1
            s["pending_back"] = back + 1
            ask_misc(s, asked, Q_SEASON, seasons << SEASON_BASE)
            return WAITING
    return queries.find_card(t, s, kind, zone, holder, -1, back)


@kernel
def pick_copy(t, s, asked, kind, zone, holder, seasons_count):
    """The physical card of a kind there; WAITING when it has to be asked which: of which deck, and of which season if that matters.

    Copies of the Main deck and of the Lunatic deck are different cards to everybody, so that is asked wherever there are both.
    """
    if queries.has_expansion(s):
        main = queries.find_card(t, s, kind, zone, holder, -1, queries.MAIN_COPY)
        lunatic = queries.find_card(t, s, kind, zone, holder, -1, queries.LUNATIC_COPY)
        if main >= 0 and lunatic >= 0:
            s["pending_kind"] = kind + 1
            ask_misc(s, asked, Q_COPY, MAIN_OR_LUNATIC)
            return WAITING
    return _pick_season(t, s, asked, kind, zone, holder, seasons_count, queries.ANY_COPY)


@kernel
def chosen_card(t, s, asked, zone, holder, seasons_count):
    """The physical card answered, PASSED, or WAITING for the copy that is meant."""
    answer = take_answer(s)
    if s["pending_kind"]:
        kind = int(s["pending_kind"]) - 1
        back = int(s["pending_back"]) - 1
        s["pending_kind"] = 0
        s["pending_back"] = 0
        if answer < TYPE_BASE:
            return queries.find_card(t, s, kind, zone, holder, answer - SEASON_BASE, back)
        back = queries.LUNATIC_COPY if answer == DECK_BASE + v.LUNATIC_DECK else queries.MAIN_COPY
        return _pick_season(t, s, asked, kind, zone, holder, seasons_count, back)
    if answer == PASS:
        return PASSED
    return pick_copy(t, s, asked, answer - KIND_BASE, zone, holder, seasons_count)


@kernel
def chosen_of_season(t, s, asked, season):
    """The hand card answered, of a season that is given; WAITING for the deck that is meant."""
    answer = take_answer(s)
    if s["pending_kind"]:
        kind = int(s["pending_kind"]) - 1
        s["pending_kind"] = 0
        back = queries.LUNATIC_COPY if answer == DECK_BASE + v.LUNATIC_DECK else queries.MAIN_COPY
        return queries.find_card(t, s, kind, st.IN_HAND, asked, season, back)
    kind = answer - KIND_BASE
    main = queries.find_card(t, s, kind, st.IN_HAND, asked, season, queries.MAIN_COPY)
    lunatic = queries.find_card(t, s, kind, st.IN_HAND, asked, season, queries.LUNATIC_COPY)
    if main >= 0 and lunatic >= 0:
        s["pending_kind"] = kind + 1
        ask_misc(s, asked, Q_COPY, MAIN_OR_LUNATIC)
        return WAITING
    return max(main, lunatic)


@kernel
def chosen_main_card(t, s, asked, seasons_count):
    """The Main-deck card of one's hand that was answered, PASSED, or WAITING for its season."""
    if s["pending_kind"]:
        return chosen_card(t, s, asked, st.IN_HAND, asked, True)
    answer = take_answer(s)
    if answer == PASS:
        return PASSED
    return _pick_season(t, s, asked, answer - KIND_BASE, st.IN_HAND, asked, seasons_count, queries.MAIN_COPY)
