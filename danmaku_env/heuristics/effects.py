"""What printed texts do to whom: read once from their programs, into a table for compiled play.

The worth of a text follows from its program. Every text becomes a few numbers for each player it can concern: life, attacks, cards, items
and turns gained or lost. The policy (`kernels/policy.py`) decides how much that is worth, and whether its receiver should have it. No text
is recognised by its name, so a new card is understood as far as its words are. Only `CHARACTER_EDGE` names characters: what many games have
shown about them. A character that is not in it has no edge.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.box import BASE_GAME, CHARACTER_IDS, ITEM_IDS, KIND_IDS
from danmaku_env.cards.compile import compile_cards
from danmaku_env.cards.errors import CardError
from danmaku_env.cards.tables import CHARS, KINDS, SLOTS, T_CHARACTER, T_KIND, TEXTS
from danmaku_env.heuristics.style import HOLDS, SPENDS

# ---------------------------------------------------------------- whom a text concerns

ON_ME, ON_CHOSEN, ON_SECOND, ON_THIRD, ON_ATTACKER, ON_EVERYONE, ON_OTHERS = range(7)
PLACES = 7
CHOICES = 3
"""Players a text can choose: CHOSEN, SECOND and THIRD, in this order from ON_CHOSEN on."""

# ---------------------------------------------------------------- what it does to them (columns of `effect`)

(DOES_LIFE, DOES_HEAL, DOES_ATTACK, DOES_FAR_ATTACK, DOES_SURE_ATTACK, DOES_CARDS, DOES_HAND, DOES_ITEMS, DOES_TURNS,
 DOES_REVIVED) = range(10)  # fmt: skip
EFFECTS = 10
"""Life other than by attacks and healing; life up to max life; attacks that still ask for range, on players who are in reach anyway, and
that cannot be avoided, times their damage; cards in hand; times the whole hand is lost; items in play; turns; times brought back from 0
life."""

# ---------------------------------------------------------------- and what it does to the thing it answers, and asks

AVOIDS, CANCELS, ACTIVATES, CAPTURES, TAKES_PICK, BANS, SWAPS, DEALS, LOOKS = (1 << bit for bit in range(9))
"""Avoids the attack, cancels the card, activates one's own Spell Card, another's, takes the picked card of another's hand, names a card
type that nobody may play, makes two players exchange hands, deals out the cards laid aside, looks at a hand."""

# ---------------------------------------------------------------- values, in lives

USE_VALUE = 0.35
"""A power of an item that is used when one likes."""
STAT_VALUE: dict[int, float] = {
    v.RANGE: 0.3,
    v.DISTANCE: 0.4,
    v.DANMAKU_LIMIT: 0.45,
    v.DRAWS: 1.0,
    v.HAND_BASE: 0.1,
    v.HAND_BASE_AWAY: 0.05,
    v.MORE_LUNATIC: 0.5,
}
"""A point of a static modifier, for the rest of the game."""
HAND_BASE_PRINTED = 4
TRIGGER_VALUE = 0.5
"""A triggered power of an item, by and large."""
CHARACTER_EDGE = {
    "patchouli_knowledge": 9.0, "hinanawi_tenshi": 4.5, "kawashiro_nitori": 4.0, "kazami_yuuka": 3.9, "yakumo_yukari": 3.4,
    "remilia_scarlet": 2.8, "shameimaru_aya": 2.6, "komeiji_satori": 2.3, "reisen_udongein_inaba": 1.1, "izayoi_sakuya": 0.7,
    "kamishirasawa_keine": -0.6, "cirno": -0.8, "hijiri_byakuren": -1.1, "kirisame_marisa": -1.1, "hong_meiling": -1.6,
    "yagokoro_eirin": -1.7, "mononobe_no_futo": -2.1, "ibuki_suika": -2.4, "alice_margatroid": -2.6, "konpaku_youmu": -2.6,
    "hakurei_reimu": -3.3, "toyosatomimi_no_miko": -3.8, "kochiya_sanae": -4.5, "reiuji_utsuho": -5.3,
}  # fmt: skip
"""Won more than others of the same role, in percent of games, when this player has every seat and characters are dealt. Measured: what
can be read off the programs says too little about it (the best guess correlates at 0.7)."""
HOLD_POINT = 0.02
"""A point printed on the card: of cards alike, the rarer is the better one."""
DEFAULT_COUNT = {v.POWERUPS_WORD: 1.0, v.DANMAKU_SHOWN_WORD: 1.5, v.SHORTFALL_WORD: 2.0, v.ITEM_POINTS_WORD: 2.0, v.POINTS_SHOWN_WORD: 2.0}
"""What counts read in play come to on the whole; 0 for the others, which only hand back what was paid."""
LUNATIC_CARD = 1.6
"""A card of the Lunatic deck, in cards of the Main deck: what five points buy."""
EITHER = 0.5
"""Weight of each branch where one of two things happens, and of what concerns some of the players."""
NEIGHBOUR = 0.25
"""Weight of what concerns one neighbour, for each of the others."""

FACTS = np.dtype(
    [
        ("effect", "f4", (TEXTS, PLACES, EFFECTS)),
        ("flags", "i2", TEXTS),
        ("chance", "f4", TEXTS),  # that an avoidance or cancellation comes off
        ("group", "i1", (TEXTS, CHOICES)),  # group chosen from, plus one; 0 when the text chooses nobody there
        ("optional", "i1", (TEXTS, CHOICES)),
        ("boosted", "i1", TEXTS),  # cards may be thrown in for range
        ("asked_by_kind", "i2", (KINDS, CHOICES)),  # text of the card kind that asks for such a player
        ("asked_by_char", "i2", (CHARS, CHOICES, 2, 2)),  # of a character: [.., whether one may pass, whether oneself is offered]
        ("may_skip", "i1", CHARS),  # has a power to skip her own turn
        ("limit_type", "i2", SLOTS),  # of an item: its type of which only one card may be in play, or 0
        ("item_value", "f4", SLOTS),
        ("hold_sort", "i1", KINDS),  # index into style.HOLDS
        ("hold_bonus", "f4", KINDS),
        ("spend_sort", "i1", KINDS),  # index into style.SPENDS
        ("character_value", "f4", CHARS),
    ]
)
"""One record, shape (1,): an argument of compiled play, like the tables of the cards."""

_PLACE_OF: dict[int, int] = {
    v.ME: ON_ME,
    v.CHOSEN: ON_CHOSEN,
    v.SECOND: ON_SECOND,
    v.EACH: ON_THIRD,
    v.ATTACKER: ON_ATTACKER,
    v.CURRENT: ON_ME,
}
_RANGED = (v.IN_RANGE, v.IN_RANGE_BUT_HERS, v.REACHABLE, v.AT_NUMBER, v.UNTARGETED, v.NOT_AVOIDER)
_PLACES_OF_GROUP: dict[int, tuple[int, ...]] = {
    v.EVERYONE: (ON_EVERYONE,), v.OTHERS: (ON_OTHERS,), v.THE_CHOSEN: (ON_CHOSEN,), v.THE_PAIR: (ON_CHOSEN, ON_SECOND),
}  # fmt: skip
"""Whom a loop over a group concerns; other groups are some of everybody or of the others."""


def _number(operand: v.Number) -> float:
    if isinstance(operand, v.Count):
        return operand.plus + sum(DEFAULT_COUNT.get(word, 0.0) for word in operand.words)
    return operand


def _places(group: int) -> tuple[tuple[int, ...], float]:
    """Whom a loop over a group concerns, and with which weight."""
    if group in _PLACES_OF_GROUP:
        return _PLACES_OF_GROUP[group], 1.0
    return (ON_EVERYONE if v.GROUP_WORDS[group].with_me else ON_OTHERS,), EITHER


class _Reader:
    """Walks through one text and adds up what it does."""

    def __init__(self, row: Any, title: str) -> None:
        self.row = row
        self.title = title
        self.each: tuple[int, ...] = (ON_THIRD,)
        self.everywhere = False
        self.aimed: int | None = None

    def picks_in_range(self, who: int) -> bool:
        """Whether that player could only be chosen in range."""
        place = _PLACE_OF.get(who, ON_ME)
        return ON_CHOSEN <= place <= ON_THIRD and self.row["group"][place - ON_CHOSEN] - 1 in _RANGED

    def program(self, program: v.Program | v.Step, weight: float) -> None:
        if isinstance(program, v.Op):
            self.operation(program, weight)
        elif isinstance(program, v.If):
            self.branches(program.then, program.otherwise, weight * self._odds(program))
        elif isinstance(program, v.Branch):
            if program.op.code == v.DISCARD_OR:
                self.add(program.op.a, DOES_CARDS, -EITHER * weight)
                weight *= EITHER
            self.branches(program.body, program.otherwise, weight)
        elif isinstance(program, v.Each):
            before = self.each
            self.each, share = _places(program.group)
            self.program(program.body, weight * share)
            self.each = before
        elif isinstance(program, v.Repeat):
            self.program(program.body, weight * _number(program.times))
        elif isinstance(program, v.While):
            self.program(program.body, weight)
        else:
            for step in program:
                self.program(step, weight)

    def branches(self, one: v.Program, other: v.Program, weight: float) -> None:
        share = EITHER if one and other else 1.0
        self.program(one, weight * share)
        self.program(other, weight * share)

    @staticmethod
    def _odds(step: v.If) -> float:
        return step.seasons.bit_count() / len(v.SEASONS) if step.condition == v.FLIPPED else 1.0

    def add(self, who: int, column: int, amount: float) -> None:
        if who == v.CHOSEN and self.aimed is not None:
            who = self.aimed
        if who in (v.LEFT, v.RIGHT, v.ATTACKED_ONE, v.ITS_OWNER, v.ITS_PLAYER):
            self.row["effect"][ON_OTHERS, column] += NEIGHBOUR * amount
            return
        for place in self.each if who == v.EACH else (_PLACE_OF[who],):
            self.row["effect"][place, column] += amount

    def operation(self, op: v.Op, weight: float) -> None:
        code, a, b, c = op
        if code == v.CHOOSE_PLAYER:
            choice = 1 if c & v.AS_SECOND else 2 if c & v.AS_THIRD else 0
            self.row["group"][choice] = (v.OTHERS if b else a) + 1  # the one bonus there is reaches nearly everybody
            self.row["optional"][choice] = bool(c & v.OPTIONAL)
        elif code == v.AIM:
            self.aimed = a
        elif code == v.ATTACK:
            anywhere = c & v.ANY_RANGE or self.everywhere or self.picks_in_range(a)
            column = DOES_SURE_ATTACK if c & v.UNAVOIDABLE else DOES_FAR_ATTACK if anywhere else DOES_ATTACK
            if not c & v.BY_SECOND:  # what those attacked make of it is their own affair
                self.add(a, column, weight * _number(b))
        elif code in GAINS:
            who, column, amount = GAINS[code](a, b)
            self.add(who, column, weight * amount)
        elif code in (v.TAKE_CONTROL, v.TAKE):
            self.exchange(code, a, weight)
        elif code in _FLAG_OF:
            self.row["flags"] |= _FLAG_OF[code]
            if code in (v.AVOID_IT, v.CANCEL_IT):
                self.row["chance"] = weight
        elif code == v.ACTIVATE:
            self.row["flags"] |= ACTIVATES if a == v.ME else CAPTURES
        elif code == v.BOOST:
            self.row["boosted"] = True
        elif code == v.LAST:
            self.lasting(a, b, weight)
        elif code not in NOT_WEIGHED:
            raise CardError(
                f"{self.title}: {v.OPERATIONS[code].written}: what it is worth to whom is not known here (heuristics/effects.py)"
            )

    def exchange(self, code: int, a: int, weight: float) -> None:
        """What one gains the other loses."""
        if code == v.TAKE_CONTROL:
            self.add(a, DOES_ITEMS, weight)
            if self.row["group"][0]:
                self.add(v.CHOSEN, DOES_ITEMS, -weight)
        elif code == v.TAKE:
            self.add(v.ME, DOES_CARDS, weight)
            if self.row["group"][0]:
                self.row["flags"] |= TAKES_PICK
                self.add(v.CHOSEN, DOES_CARDS, -weight)

    def lasting(self, kind: int, who: int, weight: float) -> None:
        if kind in (v.ITEMS_OFF, v.ABILITIES_OFF):
            self.add(who, DOES_ITEMS, -weight)
        elif kind == v.BAN_TYPE:
            self.row["flags"] |= BANS
        elif kind == v.ALL_IN_RANGE:
            self.everywhere = True


GAINS: dict[int, Any] = {
    v.DRAW: lambda a, b: (a, DOES_CARDS, _number(b)),
    v.DRAW_MORE: lambda a, b: (v.ME, DOES_CARDS, _number(a)),
    v.DRAW_LUNATIC: lambda a, b: (a, DOES_CARDS, LUNATIC_CARD * _number(b)),
    v.DISCARD_LUNATIC: lambda a, b: (a, DOES_CARDS, -LUNATIC_CARD),
    v.HAND_ON_CARD: lambda a, b: (a, DOES_CARDS, 1.0),
    v.KEEP_CARD: lambda a, b: (a, DOES_CARDS, 1.0),
    v.TAKE_THIS: lambda a, b: (a, DOES_ITEMS, 1.0),
    v.DISCARD_HAND: lambda a, b: (a, DOES_HAND, 1.0),
    v.DISCARD_ITEMS: lambda a, b: (a, DOES_ITEMS, -2.0),
    v.DISCARD_RANDOM: lambda a, b: (a, DOES_CARDS, -1.0),
    v.DISCARD_ITEM: lambda a, b: (v.CHOSEN, DOES_ITEMS, -1.0),
    v.GIVE_ASIDE: lambda a, b: (a, DOES_CARDS, 1.0),
    v.PUT_IN_PLAY: lambda a, b: (v.ME, DOES_ITEMS, 1.0),
    v.TAKE_ALL: lambda a, b: (v.ME, DOES_CARDS, 2.0),
    v.HAND_TO_DECK: lambda a, b: (v.ME, DOES_CARDS, -1.0),
    v.LOSE_LIFE: lambda a, b: (a, DOES_LIFE, -_number(b)),
    v.GAIN_LIFE: lambda a, b: (a, DOES_HEAL, _number(b)),
    v.REVIVE: lambda a, b: (a, DOES_REVIVED, 1.0),
    v.SKIP_NEXT_TURN: lambda a, b: (a, DOES_TURNS, -1.0),
    v.PAY: lambda a, b: (v.ME, DOES_CARDS, -1.0),
    v.PAY_ITEM: lambda a, b: (v.ME, DOES_ITEMS, -1.0),
    v.PAY_LIFE: lambda a, b: (v.ME, DOES_LIFE, -1.0),
    v.PAY_POINTS: lambda a, b: (v.ME, DOES_CARDS, -1.5),
    v.SEARCH_ITEM: lambda a, b: (v.ME, DOES_ITEMS, 1.0),
    v.DISCARD_ONE: lambda a, b: (a, DOES_CARDS, -1.0),
    v.PAY_SEASON: lambda a, b: (v.ME, DOES_CARDS, -1.0),
    v.TAKE_WORTH: lambda a, b: (v.ME, DOES_CARDS, 2.0),
    v.GATHER_SEASONS: lambda a, b: (v.ME, DOES_CARDS, 2.0),
    v.SPEND_ITEM: lambda a, b: (v.ME, DOES_ITEMS, -EITHER),
    v.EXTRA_TURN: lambda a, b: (v.ME, DOES_TURNS, 1.0),
    v.RECRUIT: lambda a, b: (v.ME, DOES_ITEMS, 1.0),  # an Extra Character is worth an item, by and large
    v.DISMISS: lambda a, b: (v.ME, DOES_ITEMS, -1.0),
    v.DISMISS_OWN: lambda a, b: (v.ME, DOES_ITEMS, -1.0),
}
"""Operation -> who, column and amount, of its operands."""

NOT_WEIGHED = frozenset({
    v.CHOOSE_ITEM, v.CHOOSE_CARD, v.CHOOSE_NUMBER, v.CHOOSE_TYPE, v.CHOOSE_DECK, v.CHOOSE_ASIDE, v.CHOOSE_END, v.CHOOSE_CONTROLLER,
    v.FLIP_AND_PLAY, v.REMEMBER_FLIP, v.CHOOSE_DISCARD, v.CHOOSE_COLLECTED, v.GIVE_UP_IT, v.COUNT_ROUNDS, v.DRAW_AGAIN,
    v.CHOOSE_OPTIONS, v.CHOOSE_SEASONS, v.SHOW_CARD, v.HOLD_CARD, v.CHOOSE_SEARCH, v.CHOOSE_ABILITY, v.DECLINE,
    v.CHOOSE_FROM_HAND, v.SEARCH_INCIDENT, v.HAND_ON_ATTACK,  # choices: what is done with them is weighed
    v.PAY_ANY, v.DODGE_COST,  # what they cost is judged when they are asked for
    v.FLIP, v.REVEAL, v.LOOK, v.REVEAL_UNTIL, v.SHOW_HAND, v.DISCARD_ASIDE, v.COLLECT_ASIDE, v.COLLECT_TOP, v.ASIDE_TO_DECK,  # nobody's
    v.GIVE,  # see `_give`
    v.COPY_IT, v.SKIP_THIS_TURN, v.BAN_ACTIONS, v.RESOLVE_INCIDENT, v.ADD_DRAWS, v.SKIP_INCIDENT_STEP, v.SWAP_WITH_HEROINE,  # rare
    v.CHOOSE_EXTRA, v.REPLACE_EXTRA, v.NAME_ABILITY, v.ACTIVATE_PRINTED,  # nothing lost, and what is gained is seen when it is asked for
    v.NAME_INCIDENT_DECK, v.SHUFFLE_INCIDENTS, v.BRING_INCIDENT, v.PREVENT_IT, v.REVEAL_MY_ROLE, v.SPARE_LIFE, v.END,
})  # fmt: skip
"""Operations that are worth nothing by themselves, or too little to be weighed. A word in neither place is refused."""

_FLAG_OF = {v.AVOID_IT: AVOIDS, v.CANCEL_IT: CANCELS, v.SWAP_HANDS: SWAPS, v.DRAW_ASIDE: DEALS, v.LOOK_AT_HAND: LOOKS}


def _give(row: Any, text: v.Text) -> None:
    """A card given away leaves one hand for another; a loop of gifts counts once."""
    for op in v.every_row(text.resolve):
        if op.code == v.GIVE:
            row["effect"][ON_ME, DOES_CARDS] = -1.0
            row["effect"][ON_CHOSEN, DOES_CARDS] = 1.0


_READ = ("effect", "group", "optional", "flags", "chance", "boosted")
"""Columns of FACTS that are read off a text."""


def read_text(text: v.Text, title: str) -> dict[str, Any]:
    """What one text does to whom, as the columns of FACTS have it. Raises CardError, naming the card, for a word that is unknown here."""
    row = {name: np.zeros(1, FACTS)[name][0, 0] for name in _READ}
    reader = _Reader(row, title)
    reader.program(text.announce, 1.0)
    reader.program(text.resolve, 1.0)
    _give(row, text)
    return row


@functools.cache
def play_facts() -> npt.NDArray[Any]:
    """The record that compiled play reads, of dtype FACTS and shape (1,)."""
    facts = np.zeros(1, FACTS)
    compiled = compile_cards()
    table = compiled.tables[0]["text"]
    rows = facts[0]
    for number, text in enumerate(compiled.texts):
        if text is None:
            continue
        row = read_text(text, compiled.titles[number])
        for name in _READ:
            rows[name][number] = row[name]
        _index(rows, number, int(table[number, T_KIND]) - 1, int(table[number, T_CHARACTER]) - 1)
    _weigh(rows)
    return facts


def _index(rows: Any, number: int, kind: int, character: int) -> None:
    """Remember by which questions for a player the text can be recognised."""
    for choice in range(CHOICES):
        group = int(rows["group"][number, choice])
        if not group:
            continue
        own = int(v.GROUP_WORDS[group - 1].with_me)
        may_pass = int(rows["optional"][number, choice])
        if kind >= 0:
            rows["asked_by_kind"][kind, choice] = rows["asked_by_kind"][kind, choice] or number
        if character >= 0:
            rows["asked_by_char"][character, choice, may_pass, own] = number


def _stats_value(modifiers: Mapping[v.Stat, int]) -> float:
    base = {v.HAND_BASE: HAND_BASE_PRINTED, v.HAND_BASE_AWAY: HAND_BASE_PRINTED}
    return sum(STAT_VALUE.get(stat, 0.0) * (amount - base.get(stat, 0)) for stat, amount in modifiers.items())


def _sort(sorts: tuple[str, ...], types: int, cancels: bool) -> int:
    """Which of the sorts of cards one with these types is: cancelling goes before the types, and the last takes the rest."""
    fits = (sort == "cancel" if cancels else sort in v.TYPES and types >> v.TYPES.index(sort) & 1 for sort in sorts)
    return next((number for number, fit in enumerate(fits) if fit), len(sorts) - 1)


def _weigh(rows: Any) -> None:
    """Worths of items, of cards in hand, and of characters."""
    for slot, card in ((ITEM_IDS.index(card.id), card) for card in BASE_GAME.all_cards if card.types & v.ITEM):
        rows["limit_type"][slot] = card.types & (v.DEFENSE | v.ARTIFACT)
        rows["item_value"][slot] = _stats_value(card.in_play) + TRIGGER_VALUE * len(card.triggers) + USE_VALUE * bool(card.use)
    for kind, card in ((KIND_IDS.index(card.id), card) for card in BASE_GAME.all_cards):
        cancels = any(op.code == v.CANCEL_IT for text in card.modes for op in v.every_row(text.resolve))
        rows["hold_bonus"][kind] = HOLD_POINT * card.points
        rows["hold_sort"][kind] = _sort(HOLDS, card.types, cancels)
        rows["spend_sort"][kind] = _sort(SPENDS, card.types, cancels)
    for number, character in ((CHARACTER_IDS.index(one.id), one) for one in BASE_GAME.all_characters):
        rows["may_skip"][number] = any(op.code == v.SKIP_THIS_TURN for text in character.triggers for op in v.every_row(text.resolve))
        rows["character_value"][number] = CHARACTER_EDGE.get(character.id, 0.0) / 100
