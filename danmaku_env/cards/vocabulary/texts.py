"""What is printed: texts, and the cards, characters, incidents and roles that carry them.

A text is one thing that can be played, activated or triggered: when it may happen and two programs, `announce` (choices and costs, made
before anybody can cancel, or before anything that the same event has triggered happens) and `resolve` (what then happens). The cards
themselves stand one block each in `main_deck.py`, `characters.py`, `incidents.py` and `roles.py`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from danmaku_env.cards.vocabulary.kinds import (
    ACTION,
    ANY_SEASON,
    ANY_TYPE,
    AUTUMN,
    DANMAKU,
    INSTANT,
    INVOCATION,
    ITEM,
    REACTION,
    SPELL,
    SPRING,
    SUMMER,
    WINTER,
    Season,
    Types,
)
from danmaku_env.cards.vocabulary.modifiers import NO_LAWS, Circumstance, Laws, Stat
from danmaku_env.cards.vocabulary.operands import ME
from danmaku_env.cards.vocabulary.operations import CHOOSE_CONTROLLER
from danmaku_env.cards.vocabulary.steps import Op, Program
from danmaku_env.cards.vocabulary.timing import ALWAYS, ANY_PRIORITY, AT_ANY_TIME, MAIN, TURN_ZERO, UNLIMITED, Relation, TimingEvent
from danmaku_env.cards.vocabulary.words import activate


@dataclass(frozen=True, kw_only=True)
class Text:
    """One thing that can be played, activated or triggered."""

    events: tuple[TimingEvent, ...]
    relation: Relation = ALWAYS
    types: Types = ANY_TYPE
    tags: Types = ANY_TYPE
    """For cancelling texts: which announced things they answer (DANMAKU, ACTION, SPELL)."""
    cancelable: bool = True
    counts: bool = False
    """Counts toward, and is blocked by, the danmaku limit."""
    targets_all: bool = False
    """Attacks every other player, so nobody is left untargeted."""
    resolves_last: bool = False
    """Of several texts that one event triggers, this one happens after the attacks of other players, whoever's turn it is."""
    once: int = UNLIMITED
    announce: Program = ()
    resolve: Program = ()
    text: str = ""


@dataclass(frozen=True, kw_only=True)
class Card:
    """A card type. `seasons` has one entry per physical copy in the Main deck, in scan order, `lunatic` one per Lunatic copy."""

    id: str
    name: str
    points: int
    seasons: str = ""
    lunatic: str = ""
    modes: tuple[Text, ...]
    in_play: dict[Stat, int] = field(default_factory=dict)
    triggers: tuple[Text, ...] = ()
    use: Text | None = None
    text: str = ""

    @property
    def types(self) -> Types:
        """Types of the card in hand and in piles: those of both halves (K-22)."""
        types = ANY_TYPE
        for mode in self.modes:
            types |= mode.types
        return types


@dataclass(frozen=True, kw_only=True)
class Character:
    """A character: passive modifiers, abilities she activates, triggers, ways to her Spell Card, and the Spell Card."""

    id: str
    name: str
    season: Season
    text: str = ""
    modifiers: dict[Stat, int] = field(default_factory=dict)
    circumstances: dict[Circumstance, dict[Stat, int]] = field(default_factory=dict)
    """Further modifiers, in force under these circumstances."""
    abilities: tuple[Text, ...] = ()
    triggers: tuple[Text, ...] = ()
    source: Text | None = None
    spell_name: str = ""
    spell: Text | None = None
    capturable: bool = True
    called: str = ""
    """What people at the table call her: the last word of the name unless given here."""

    @property
    def short_name(self) -> str:
        """One word for logs and tables."""
        return self.called or self.name.split()[-1]


@dataclass(frozen=True, kw_only=True)
class Incident:
    """An incident: laws while in play, programs on entering and in each incident step, and what it collects."""

    id: str
    name: str
    season: Season
    text: str
    enter: Program = ()
    step: Program = ()
    laws: Laws = NO_LAWS
    source: Text | None = None
    """The way to one's Spell Card that everybody has while it is in play; with the law SPELL_WAY."""
    collects_types: Types = ANY_TYPE
    collects_season: int = ANY_SEASON
    collects_each_season: int = 0
    """Needed cards of every season, or 0."""
    collects_lunatic: bool = False
    """Collects cards of the Lunatic deck."""
    collects_points: int = 0
    """Collects cards worth this many points or more; 0: points do not matter."""
    collects_incidents: bool = False
    """Collects the incidents that are resolved meanwhile; with it all others are resolved (I-21)."""
    needs: int = 0
    """Cards collected in total that resolve it; 0 = it resolves another way."""
    needs_per_player: bool = False
    """Needs a card more for every active player."""
    resolves_on_defeat: bool = False
    resolves_on_reshuffle: bool = False


@dataclass(frozen=True, kw_only=True)
class Role:
    """A role: factions, goal and powers. Goals are state predicates (R-1)."""

    id: str
    name: str
    factions: int
    """Bits. The EX Midboss has two: the faction whose pool it is dealt from, and the one it plays for."""
    team: int
    goal: int
    text: str
    modifiers: dict[Stat, int] = field(default_factory=dict)
    becomes: str = ""
    shared_fate: bool = False
    triggers: tuple[Text, ...] = ()


# factions of roles (bits), and teams
HEROINES, RIVALS, PARTNERS, STAGE_BOSSES, EXTRA_BOSSES = 1, 2, 4, 8, 16
NUM_FACTIONS = 5
MIDBOSSES = PARTNERS | EXTRA_BOSSES  # dealt as a Partner, plays for the Extra Boss
NO_TEAM, HEROINE_TEAM, STAGE_TEAM, EXTRA_TEAM, RIVAL_TEAM = range(5)
NUM_TEAMS = 5
ROLE_SEASONS = {HEROINES: SUMMER, RIVALS: SUMMER, PARTNERS: SPRING, STAGE_BOSSES: AUTUMN, EXTRA_BOSSES: WINTER}
"""Faction -> season of its role cards; a card of several factions has that of the first."""

# goals (bits): what must be true
STAGE_DEAD, EXTRA_DEAD, HEROINE_DEAD, A_PARTNER_DEAD, ANOTHER_STAGE_DEAD, OTHER_PARTNERS_DEAD, IS_HEROINE = (1 << bit for bit in range(7))
GOALS = (
    "every Stage Boss is defeated", "every Extra Boss is defeated", "the Heroine is defeated", "a Partner is defeated",
    "another Stage Boss is defeated", "every other Partner is defeated", "you hold the Heroine role",
)  # fmt: skip


# ---- shorthand for texts


def action(announce: Program = (), resolve: Program = (), *, types: Types = ANY_TYPE, text: str = "") -> Text:
    """A card half played in one's own main step."""
    return Text(events=(MAIN,), types=ACTION | types, announce=announce, resolve=resolve, text=text)


def danmaku(
    announce: Program = (),
    resolve: Program = (),
    *,
    counts: bool = True,
    cancelable: bool = True,
    targets_all: bool = False,
    text: str = "",
) -> Text:
    """An attacking action card."""
    attacking = action(announce, resolve, types=DANMAKU, text=text)
    return replace(attacking, counts=counts, cancelable=cancelable, targets_all=targets_all)


def reaction(
    events: tuple[TimingEvent, ...],
    relation: Relation,
    announce: Program = (),
    resolve: Program = (),
    *,
    types: Types = ANY_TYPE,
    text: str = "",
    tags: Types = ANY_TYPE,
    cancelable: bool = False,
) -> Text:
    """A card half played in a window; nothing in these sets cancels it (K-5) but what cancels danmaku cards."""
    types |= REACTION
    return Text(
        events=events, relation=relation, types=types, tags=tags, cancelable=cancelable, announce=announce, resolve=resolve, text=text
    )


def invocation(announce: Program, resolve: Program, *, text: str) -> Text:
    """A card that activates a Spell Card; the Spell Card is what gets cancelled (K-21)."""
    return Text(events=ANY_PRIORITY, types=INVOCATION, announce=announce, resolve=resolve, cancelable=False, text=text)


def instant(
    announce: Program = (), resolve: Program = (), *, events: tuple[TimingEvent, ...] = AT_ANY_TIME, types: Types = ANY_TYPE, text: str = ""
) -> Text:
    """A card half that is carried out as soon as it is played: nobody can cancel or answer it (K-17)."""
    return Text(events=events, types=INSTANT | types, announce=announce, resolve=resolve, cancelable=False, text=text)


def item(types: Types, resolve: Program = (), *, text: str) -> Text:
    """A card that stays in play; nothing cancels it (K-21). In turn zero it is put into play from hand (L-1)."""
    return Text(
        events=(MAIN, TURN_ZERO), types=ITEM | types, announce=[Op(CHOOSE_CONTROLLER)], resolve=resolve, cancelable=False, text=text
    )


def trigger(
    event: TimingEvent,
    relation: Relation,
    resolve: Program,
    *,
    announce: Program = (),
    once: int = UNLIMITED,
    tags: Types = ANY_TYPE,
    resolves_last: bool = False,
    text: str = "",
) -> Text:
    """Something that happens, or may be used, whenever the event occurs.

    `announce` is decided as soon as it is triggered, before anything that the same event triggers happens (K-14): whether it is wanted, its
    targets and costs. None needs to be given where the effect opens with it, as a single offer `[may(...)]`, or with targets.
    """
    return Text(
        events=(event,),
        relation=relation,
        announce=announce,
        resolve=resolve,
        once=once,
        tags=tags,
        resolves_last=resolves_last,
        text=text,
    )


def use(
    events: tuple[TimingEvent, ...],
    relation: Relation,
    announce: Program = (),
    resolve: Program = (),
    *,
    once: int = UNLIMITED,
    tags: Types = ANY_TYPE,
    text: str = "",
) -> Text:
    """What an item in play is used for, besides one's own Spell Card (`spell_source`)."""
    return Text(events=events, relation=relation, announce=announce, resolve=resolve, once=once, tags=tags, text=text)


def ability(
    events: tuple[TimingEvent, ...],
    relation: Relation,
    announce: Program = (),
    resolve: Program = (),
    *,
    once: int = UNLIMITED,
    tags: Types = ANY_TYPE,
    types: Types = ANY_TYPE,
) -> Text:
    """An activated ability; INSTANT: it is carried out as an instant is."""
    return Text(events=events, relation=relation, types=types, announce=announce, resolve=resolve, once=once, tags=tags)


def spell_action(announce: Program, resolve: Program, *, text: str, cancelable: bool = True) -> Text:
    """A Spell Card of kind action."""
    return Text(events=(MAIN,), types=SPELL | ACTION, announce=announce, resolve=resolve, text=text, cancelable=cancelable)


def spell_reaction(
    events: tuple[TimingEvent, ...],
    relation: Relation,
    announce: Program,
    resolve: Program,
    *,
    text: str,
    tags: Types = ANY_TYPE,
    cancelable: bool = True,
) -> Text:
    """A Spell Card of kind reaction."""
    types = SPELL | REACTION
    return Text(
        events=events, relation=relation, types=types, tags=tags, cancelable=cancelable, announce=announce, resolve=resolve, text=text
    )


def spell_source(announce: Program, *, events: tuple[TimingEvent, ...] = ANY_PRIORITY, relation: Relation = ALWAYS, text: str = "") -> Text:
    """Another way than an invocation card to activate one's own Spell Card."""
    return Text(events=events, relation=relation, announce=announce, resolve=[activate(ME)], text=text)
