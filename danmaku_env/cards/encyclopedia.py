"""Everything that is printed, by id or name: what `?` and `danmaku cards` show."""

from __future__ import annotations

import difflib
from collections import Counter
from functools import cache
from typing import NamedTuple

from danmaku_env.arguments import shown
from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.box import BASE_GAME, KIND_IDS, kind_named
from danmaku_env.cards.describe import describe_card, describe_character, describe_incident, describe_role, describe_types


class UnknownCard(LookupError):  # noqa: N818 (it reads as what it is)
    """Words that name nothing printed; the message says what comes near."""


class Page(NamedTuple):
    """One card, character, incident or role."""

    name: str
    facts: str
    """Types, points, seasons and the like, in a line."""
    summary: str
    """Our paraphrase of all of it, in a line."""
    rows: list[tuple[str, str, str]]
    """Part, paraphrase ("" where there is none), program in words."""


def _counted(seasons: str) -> str:
    copies = Counter(seasons.split())
    return ", ".join(season if copies[season] == 1 else f"{copies[season]} {season}" for season in v.SEASONS if copies[season])


def copies_of(card: v.Card) -> str:
    """How many copies of a card there are of which season, and in which deck."""
    lunatic = BASE_GAME.lunatic_seasons(card)
    decks = [_counted(card.seasons)] * bool(card.seasons) + [f"in the Lunatic deck {_counted(lunatic)}"] * bool(lunatic)
    return "; ".join(decks)


def _card_page(card: v.Card) -> Page:
    facts = f"{describe_types(card.types)}; {card.points} point{'s' * (card.points > 1)}; {copies_of(card)}"
    return Page(card.name, facts, " / ".join(mode.text for mode in card.modes), describe_card(card))


def _character_page(character: v.Character) -> Page:
    facts = f"character; {v.SEASONS[character.season]}; Spell Card: {character.spell_name}"
    return Page(character.name, facts, character.text, describe_character(character))


def _incident_page(incident: v.Incident) -> Page:
    rows = [("incident", incident.text, describe_incident(incident))]
    return Page(incident.name, f"incident; {v.SEASONS[incident.season]}", incident.text, rows)


@cache
def pages() -> dict[str, Page]:
    """Id -> page, in box order."""
    found = {card.id: _card_page(card) for card in BASE_GAME.all_cards}
    found |= {incident.id: _incident_page(incident) for incident in BASE_GAME.all_incidents}
    found |= {role.id: Page(role.name, "role", role.text, [("role", role.text, describe_role(role))]) for role in BASE_GAME.all_roles}
    found |= {character.id: _character_page(character) for character in BASE_GAME.all_characters}
    return found


@cache
def spell_texts() -> dict[str, tuple[str, str]]:
    """Character id -> name and paraphrase of her Spell Card."""
    return {character.id: (character.spell_name, character.spell.text) for character in BASE_GAME.all_characters if character.spell}


def text_in_play(key: str) -> str:
    """Paraphrase of what a card does in play, "" where its own paraphrase says it."""
    return " / ".join(paraphrase for part, paraphrase, _ in pages()[key].rows if part == "in play" and paraphrase)


def find_page(words: str) -> str:
    """The id of a page by id, name, Spell Card or an unmistakable part of a name. Raises UnknownCard.

    Cards may be written as logs and positions have them: `shoot/spring`, `lunatic_bomb`.
    """
    wanted = words.strip().lower()
    if (bare := wanted.replace(" ", "_").replace("-", "_")) in pages():
        return bare
    if (kind := kind_named(bare)) in KIND_IDS:
        return kind
    names = {page.name.lower(): key for key, page in pages().items()}
    names |= {spell.lower(): key for key, (spell, _) in spell_texts().items() if spell.lower() not in names}
    if wanted in names:
        return names[wanted]
    parts = {name: key for name, key in names.items() if wanted and wanted in name}
    if len(set(parts.values())) == 1:
        return next(iter(parts.values()))
    spelled = {key.replace("_", " "): key for key in pages()} | names
    near = difflib.get_close_matches(wanted.replace("_", " "), list(spelled), 3)
    of_spells = {spell.lower(): spell for spell, _ in spell_texts().values()}
    close = {of_spells.get(name, key) for name, key in (parts or {name: spelled[name] for name in near}).items()}
    raise UnknownCard(f"there is no card {shown(words)}" + (f"; did you mean {', '.join(sorted(close)[:6])}?" if close else ""))
