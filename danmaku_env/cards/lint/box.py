"""Checks of cards, characters, incidents and roles as a whole: what the engine has no place for, or would never read; and full tables.

`texts.py` checks their texts one by one, while they are compiled.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.box import Box, Names
from danmaku_env.cards.errors import CardError, Where
from danmaku_env.cards.roles import Composition
from danmaku_env.cards.tables import (
    ABILITIES,
    CHARS,
    INCS,
    KINDS,
    LUNATIC_ROOM,
    MAX_POOL,
    MODES,
    ONCE_PER_ATTACK_TEXTS,
    ONCE_TEXTS,
    PILE_ROOM,
    PLAYERS,
    ROLE_ROWS,
    ROWS,
    SLOTS,
    SOURCES,
    TEXTS,
    USES,
)

_ID = re.compile(r"[a-z][a-z0-9_]*")
_BYTE = range(-128, 128)
_LOGGED_TEXTS = 256
"""The log keeps the number of a text in a byte."""
_SIGNED_SLOTS = 15
"""The record keeps the items of a seat in a signed word of sixteen bits."""


def check_box(box: Box, names: Names) -> None:
    """Refuse what is printed wrong besides its texts. Raises CardError."""
    _check_ids(box)
    _check_reprints(box)
    for card in box.all_cards:
        _check_card(card, box.lunatic_seasons(card), Where(card.name))
    for character in box.all_characters:
        _check_character(character, Where(character.name))
    for character in box.bonus:
        if character.abilities:
            raise Where(character.name).error("a bonus character has no ability to activate: there is no action for it")
    for incident in box.all_incidents:
        _check_incident(incident, Where(incident.name))
    for incident in [incident for incident in box.all_incidents if incident.source][1:]:
        raise Where(incident.name).error("a way to the Spell Card has another incident too; there is room for one")
    for role in box.all_roles:
        _check_role(role, names, Where(role.name))
    for title, compositions in (
        ("basic roles", box.basic),
        ("advanced roles", box.advanced),
        ("basic roles of the expansion", box.expansion.basic),
        ("advanced roles of the expansion", box.expansion.advanced),
    ):
        for players, composition in compositions.items():
            where = Where(f"{title} for {players} players")
            _check_composition(players, composition, names, where)
            if _dealt(composition) != _dealt(box.basic.get(players, composition)):
                raise where.error("deals other numbers of roles than the basic ones; agents count on the same number of each pool")
    _check_numbers(box, names)


def _check_ids(box: Box) -> None:
    """Every id is a word of its own: the actions, the pages and the records know things by it."""
    printed: Iterable[v.Card | v.Character | v.Incident | v.Role]
    printed = (*box.all_cards, *box.all_characters, *box.all_incidents, *box.all_roles)
    owners: dict[str, str] = {}
    for thing in printed:
        if not _ID.fullmatch(thing.id):
            raise Where(thing.name).error(f"{thing.id!r} is no id; write lower-case letters, digits and underscores")
        if thing.id in owners:
            raise Where(thing.name).error(f"{thing.id!r} is the id of {owners[thing.id]} too")
        owners[thing.id] = thing.name


def _check_reprints(box: Box) -> None:
    """The seasons of a card's copies in the Lunatic deck are said in one place."""
    cards = {card.id: card for card in box.all_cards}
    for name in box.expansion.reprints:
        if name not in cards:
            raise CardError(f"{name!r} has copies in the Lunatic deck (reprints), but there is no such card")
        if cards[name].lunatic:
            raise Where(cards[name].name).error("its copies in the Lunatic deck are named twice, by itself (lunatic) and by the reprints")


def _check_season(season: object, where: Where) -> None:
    if not isinstance(season, v.Season) or not 0 <= season < len(v.SEASONS):
        raise where.error(f"{season!r} is no season; seasons are {', '.join(v.SEASONS)}")


def _check_modifiers(modifiers: Mapping[v.Stat, int], carrier: v.Carrier, where: Where) -> None:
    for stat, amount in modifiers.items():
        if not isinstance(stat, v.Stat) or not 0 <= stat < len(v.STATS):
            raise where.error(f"{stat!r} is no stat")
        if carrier not in v.STAT_WORDS[stat].carriers:
            raise where.error(f"the modifier {v.STATS[stat]!r} is never read of {carrier.value}")
        if amount not in _BYTE or not amount:
            raise where.error(f"the modifier {v.STATS[stat]!r} is {amount}; it can be from {_BYTE[0]} to {_BYTE[-1]}, and not 0")


def _check_triggers(triggers: Sequence[v.Text], where: Where) -> None:
    """One text for each event: that is what the tables have room for."""
    for text in triggers:
        if len(text.events) != 1:
            raise where.error(f"a trigger has one event, not {len(text.events)}")
    for event, times in Counter(text.events[0] for text in triggers).items():
        if isinstance(event, v.TimingEvent) and 0 <= event < v.NUM_EVENTS and times > 1:
            raise where.error(f"{times} triggers for {v.EVENTS[event]!r}; there is room for one")
        if not isinstance(event, v.TimingEvent) or not 0 <= event < v.NUM_EVENTS:
            raise where.error(f"{event!r} is no event")


def _check_card(card: v.Card, lunatic: str, where: Where) -> None:
    copies = card.seasons.split() + lunatic.split()
    for season in copies:
        if season not in v.SEASONS:
            raise where.error(f"{season!r} is no season; seasons are {', '.join(v.SEASONS)}")
    if not copies:
        raise where.error("there is no copy of it: `seasons` names one season per copy")
    if card.points not in _BYTE:
        raise where.error(f"{card.points} points; there is room for {_BYTE[-1]}")
    if not 1 <= len(card.modes) <= MODES:
        raise where.error(f"{len(card.modes)} halves; a card has one or {MODES}")
    if any(text.types & v.INVOCATION for text in card.modes[1:]):
        raise where.error("an invocation is the first half of a card")
    if not card.types & v.ITEM and (card.triggers or card.use or card.in_play):
        raise where.error("has no item half, so it never is in play; triggers, a use and modifiers are for items")
    _check_modifiers(card.in_play, v.Carrier.ITEM, where)
    _check_triggers(card.triggers, where)


def _check_character(character: v.Character, where: Where) -> None:
    _check_season(character.season, where)
    _check_modifiers(character.modifiers, v.Carrier.CHARACTER, where)
    for when, modifiers in character.circumstances.items():
        if not isinstance(when, v.Circumstance) or not 0 <= when < v.NUM_CIRCUMSTANCES:
            raise where.error(f"{when!r} is not a circumstance")
        _check_modifiers(modifiers, v.Carrier.CHARACTER, where)
    _check_triggers(character.triggers, where)
    if len(character.abilities) > ABILITIES:
        raise where.error(f"{len(character.abilities)} abilities; there is room for {ABILITIES}")
    if character.spell is None or not character.spell_name:
        raise where.error("has no Spell Card")
    if character.capturable and any(op.code == v.CHOOSE_PLAYER and op.a in v.SPELL_GROUPS for op in v.every_row(character.spell.announce)):
        raise where.error("her Spell Card picks another's, so it cannot be one that others pick (capturable=False)")


def _check_incident(incident: v.Incident, where: Where) -> None:
    _check_season(incident.season, where)
    if not isinstance(incident.laws, v.Laws) or not 0 <= incident.laws < 1 << len(v.LAWS):
        raise where.error(f"{incident.laws!r} are no laws")
    if (incident.source is not None) != bool(incident.laws & v.SPELL_WAY):
        raise where.error(
            "the law that everybody has another way to their own Spell Card comes with that way (`source`), and it with the law"
        )
    if incident.collects_season != v.ANY_SEASON:
        _check_season(incident.collects_season, where)
    if not isinstance(incident.collects_types, v.Types) or int(incident.collects_types) & ~v.CARD_TYPES:
        raise where.error(f"{incident.collects_types!r} are not types of cards")
    ways = (
        incident.collects_types != v.ANY_TYPE,
        incident.collects_season != v.ANY_SEASON,
        incident.collects_each_season > 0,
        incident.collects_lunatic,
        incident.collects_points > 0,
        incident.collects_incidents,
    )
    if sum(ways) > 1:
        raise where.error(
            "collects by types, by one season, by every season, by points, from the Lunatic deck or resolved incidents, "
            "not by several of them"
        )
    itself = any(op.code in (v.COLLECT_TOP, v.COLLECT_ASIDE) for op in v.every_row((*incident.enter, *incident.step)))
    if bool(incident.needs) != (any(ways) or itself):
        raise where.error("`needs` says how many cards end it: needed where it collects cards, and nowhere else")
    if incident.needs not in _BYTE or incident.collects_each_season not in _BYTE or incident.needs < 0:
        raise where.error(f"needs {incident.needs} cards; there is room for {_BYTE[-1]}")
    if incident.collects_points not in _BYTE:
        raise where.error(f"collects cards worth {incident.collects_points} points; there is room for {_BYTE[-1]}")
    if incident.needs_per_player and not incident.needs:
        raise where.error("needs a card more for every player, but none to begin with")


def _check_role(role: v.Role, names: Names, where: Where) -> None:
    _check_modifiers(role.modifiers, v.Carrier.ROLE, where)
    _check_triggers(role.triggers, where)
    if role.becomes and role.becomes not in names.roles:
        raise where.error(f"becomes {role.becomes!r}, which is no role")
    if not 0 < role.factions < 1 << v.NUM_FACTIONS or not 0 <= role.team < v.NUM_TEAMS or not 0 < role.goal < 1 << len(v.GOALS):
        raise where.error("its factions, team or goal are unknown")


def _check_composition(players: int, composition: Composition, names: Names, where: Where) -> None:
    if players not in PLAYERS:
        raise where.error(f"the game is for {PLAYERS[0]} to {PLAYERS[-1]} players")
    for dealt, pool in composition.pools:
        unknown = [name for name in pool if name not in names.roles]
        if unknown:
            raise where.error(f"{unknown[0]!r} is no role")
        if dealt > len(pool):
            raise where.error(f"deals {dealt} of {len(pool)} cards")
        if len(pool) > MAX_POOL:
            raise where.error(f"a pool of {len(pool)} cards; there is room for {MAX_POOL} (MAX_POOL in cards/tables.py)")


def _dealt(composition: Composition) -> tuple[int, ...]:
    """How many roles of each pool."""
    return tuple(dealt for dealt, _ in composition.pools)


# ---------------------------------------------------------------- room


def _check_numbers(box: Box, names: Names) -> None:
    """Refuse a box with more in it than the tables hold."""
    copies = sum(len(card.seasons.split()) for card in box.all_cards)
    lunatic = sum(len(box.lunatic_seasons(card).split()) for card in box.all_cards)
    for things, found, most in (
        ("kinds of cards", len(names.kinds), KINDS),
        ("items", len(names.items), min(SLOTS, _SIGNED_SLOTS)),
        ("items with a use", len(names.uses), USES),
        ("cards of the Main deck", copies, PILE_ROOM),
        ("cards of the Lunatic deck", lunatic, LUNATIC_ROOM),
        ("characters", len(names.characters), CHARS),
        ("ways to one's Spell Card", len(names.sources), SOURCES),
        ("incidents", len(names.incidents), INCS),
        ("roles", len(names.roles), ROLE_ROWS),
    ):
        _check_fits(things, found, most)


def check_room(texts: int, rows: int, once: Mapping[int, int]) -> None:
    """Refuse more texts, program rows or limited texts than the tables and the record hold. Raises CardError."""
    _check_fits("texts", texts, min(TEXTS, _LOGGED_TEXTS))
    _check_fits("program rows", rows, ROWS)
    _check_fits("once-per-turn texts", once[v.ONCE_PER_TURN], ONCE_TEXTS)
    _check_fits("once-per-round texts", once[v.ONCE_PER_ROUND], ONCE_TEXTS)
    _check_fits("once-per-attack texts", once[v.ONCE_PER_ATTACK], ONCE_PER_ATTACK_TEXTS)


def _check_fits(things: str, found: int, most: int) -> None:
    if found > most:
        raise CardError(
            f"{found} {things}; there is room for {most} (cards/tables.py): leave one out, or make more room there, "
            "which compiles the engine anew and gives the rules another fingerprint"
        )
