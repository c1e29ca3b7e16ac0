"""What is in the box, and in which order: the numbers by which kernels, records and answers know cards, characters, incidents and roles.

Names of the expansion stand behind those of the base game, in the order of its files, and bonus characters behind both, so that numbers of
the base game stay what they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.bonus import BONUS_CHARACTERS
from danmaku_env.cards.characters import CHARACTERS
from danmaku_env.cards.incidents import INCIDENTS
from danmaku_env.cards.lunatic_extra.characters import LUNATIC_EXTRA_CHARACTERS
from danmaku_env.cards.lunatic_extra.incidents import LUNATIC_EXTRA_INCIDENTS
from danmaku_env.cards.lunatic_extra.lunatic_deck import LUNATIC_CARDS, REPRINTS
from danmaku_env.cards.lunatic_extra.main_deck import MORE_MAIN_CARDS
from danmaku_env.cards.lunatic_extra.roles import LUNATIC_EXTRA_ADVANCED, LUNATIC_EXTRA_BASIC, LUNATIC_EXTRA_ROLES
from danmaku_env.cards.main_deck import MAIN_CARDS
from danmaku_env.cards.roles import ADVANCED, BASIC, ROLES, Composition


class Expansion(NamedTuple):
    """What an expansion brings to the table of the base game."""

    cards: tuple[v.Card, ...] = ()
    reprints: Mapping[str, str] = {}
    """Cards of the base game with copies in the Lunatic deck: id -> one season per copy."""
    characters: tuple[v.Character, ...] = ()
    incidents: tuple[v.Incident, ...] = ()
    roles: tuple[v.Role, ...] = ()
    basic: Mapping[int, Composition] = {}
    advanced: Mapping[int, Composition] = {}


class Box(NamedTuple):
    """Everything printed."""

    cards: tuple[v.Card, ...]
    characters: tuple[v.Character, ...]
    incidents: tuple[v.Incident, ...]
    roles: tuple[v.Role, ...]
    basic: Mapping[int, Composition]
    """Players -> the roles of the rulebook's first game."""
    advanced: Mapping[int, Composition]
    expansion: Expansion = Expansion()
    bonus: tuple[v.Character, ...] = ()
    """Characters that come with either box if one likes; they are numbered last."""

    @property
    def all_cards(self) -> tuple[v.Card, ...]:
        """Of both boxes."""
        return self.cards + self.expansion.cards

    @property
    def all_characters(self) -> tuple[v.Character, ...]:
        """Of both boxes, and the bonus characters."""
        return self.characters + self.expansion.characters + self.bonus

    @property
    def all_incidents(self) -> tuple[v.Incident, ...]:
        """Of both boxes."""
        return self.incidents + self.expansion.incidents

    @property
    def all_roles(self) -> tuple[v.Role, ...]:
        """Of both boxes."""
        return self.roles + self.expansion.roles

    def lunatic_seasons(self, card: v.Card) -> str:
        """One season per copy of a card in the Lunatic deck: a card of the expansion says so itself, for others the expansion does."""
        return card.lunatic or self.expansion.reprints.get(card.id, "")


class Names(NamedTuple):
    """Ids in the order of their numbers."""

    kinds: tuple[str, ...]
    items: tuple[str, ...]
    uses: tuple[str, ...]
    """Items with a use."""
    characters: tuple[str, ...]
    incidents: tuple[str, ...]
    roles: tuple[str, ...]
    """Number 0 means no role: what the former Heroine holds after a takeover."""
    sources: tuple[str, ...]
    """Ways to one's Spell Card: that of an incident first, then those of characters."""


def names_of(box: Box) -> Names:
    """The numbers of everything in a box."""
    return Names(
        kinds=tuple(card.id for card in box.all_cards),
        items=tuple(card.id for card in box.all_cards if card.types & v.ITEM),
        uses=tuple(card.id for card in box.all_cards if card.use),
        characters=tuple(character.id for character in box.all_characters),
        incidents=tuple(incident.id for incident in box.all_incidents),
        roles=("", *(role.id for role in box.all_roles)),
        sources=(
            *(incident.id for incident in box.all_incidents if incident.source),
            *(character.id for character in box.all_characters if character.source),
        ),
    )


LUNATIC_EXTRA = Expansion(
    (*MORE_MAIN_CARDS, *LUNATIC_CARDS),
    REPRINTS,
    LUNATIC_EXTRA_CHARACTERS,
    LUNATIC_EXTRA_INCIDENTS,
    LUNATIC_EXTRA_ROLES,
    LUNATIC_EXTRA_BASIC,
    LUNATIC_EXTRA_ADVANCED,
)
BASE_GAME = Box(MAIN_CARDS, CHARACTERS, INCIDENTS, ROLES, BASIC, ADVANCED, LUNATIC_EXTRA, BONUS_CHARACTERS)
_NAMES = names_of(BASE_GAME)

KIND_IDS = _NAMES.kinds
ITEM_IDS = _NAMES.items
USE_IDS = _NAMES.uses
CHARACTER_IDS = _NAMES.characters
INCIDENT_IDS = _NAMES.incidents
ROLE_IDS = _NAMES.roles
SOURCE_IDS = _NAMES.sources
LUNATIC_PREFIX = "lunatic_"
"""Before the id of a card, its copies in the Lunatic deck where the Main deck has copies too."""

NUM_KINDS, NUM_CHARACTERS, NUM_INCIDENTS, NUM_ROLES = len(KIND_IDS), len(CHARACTER_IDS), len(INCIDENT_IDS), len(ROLE_IDS)
NUM_BASE_KINDS, NUM_BASE_CHARACTERS, NUM_BASE_INCIDENTS = len(MAIN_CARDS), len(CHARACTERS), len(INCIDENTS)
NUM_BONUS_CHARACTERS = len(BONUS_CHARACTERS)


def kind_named(card: str) -> str:
    """The kind of a card as tests and replays write it: `bomb` of `lunatic_bomb/spring`."""
    return card.partition("/")[0].removeprefix(LUNATIC_PREFIX)
