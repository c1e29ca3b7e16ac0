"""Faces of everything printed, drawn here and nowhere else: cards with a band for their type, crests of characters, seasons, roles.

No picture comes from outside: a crest is a star that the character's id determines.
"""

from __future__ import annotations

import hashlib
import math
from functools import cache
from html import escape
from typing import NamedTuple

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.box import BASE_GAME, CHARACTER_IDS, LUNATIC_PREFIX, ROLE_IDS, kind_named
from danmaku_env.cards.compile import compile_cards
from danmaku_env.cards.describe import describe_types
from danmaku_env.cards.encyclopedia import pages
from danmaku_env.cards.sentences import bit_words, listed
from danmaku_env.wording import ROLE_NAMES

_FACTIONS = {
    v.HEROINES: ("heroine", "★"), v.PARTNERS: ("partner", "☆"), v.STAGE_BOSSES: ("stage", "■"), v.EXTRA_BOSSES: ("extra", "▲"),
    v.RIVALS: ("rival", "◆"),
}  # fmt: skip
"""Class and shape of a faction: told apart without colours too."""
_BANDS = (
    (v.DANMAKU, "shots"), (v.DODGE, "dodge"), (v.HEALING, "healing"), (v.INVOCATION, "invocation"), (v.POWERUP, "powerup"),
    (v.DEFENSE, "defense"), (v.ARTIFACT, "artifact"), (v.ITEM, "item"), (v.REACTION, "reaction"), (v.ACTION, "action"),
)  # fmt: skip
"""Types that give a card its colour, the most telling first."""
SEASON_SIGNS = {"spring": "✿", "summer": "☀", "autumn": "❧", "winter": "❄"}
_CARDS = {card.id: card for card in BASE_GAME.all_cards}


def band(kind: str) -> str:
    """The class of a card's colour, by its most telling type; "" for anything but a card."""
    card = _CARDS.get(kind)
    return next((name for types, name in _BANDS if card is not None and int(card.types) & int(types)), "")


def types_of(kind: str) -> str:
    """The types of a card in words: `action, danmaku`."""
    return describe_types(int(_CARDS[kind].types))


def points_of(kind: str) -> int:
    """The points of a card."""
    return _CARDS[kind].points


def season_sign(season: str, words: str = "") -> str:
    """The sign of a season with its word, or with other `words` (`Lunatic autumn`)."""
    return f'<span class="season {season}"><span aria-hidden="true">{SEASON_SIGNS[season]}</span> {words or season}</span>'


class Crest(NamedTuple):
    """The shape of a crest, in a circle of radius 10 about 0: a star in a ring of bullets."""

    hue: int
    """Degrees."""
    star: list[tuple[float, float]]
    """Its corners."""
    bullets: list[tuple[float, float]]


def crest_of(character: str) -> Crest | None:
    """The shape and hue of a character's crest, which come from the id, so that each keeps hers for ever; None where there is nobody."""
    if character not in CHARACTER_IDS:
        return None
    digest = hashlib.sha256(character.encode()).digest()
    points, bullets, inner = 3 + digest[1] % 6, 6 + digest[2] % 7, 2.2 + digest[3] % 3
    star = [_at(inner if corner % 2 else 6.2, math.pi * (corner / points - 0.5)) for corner in range(2 * points)]
    ring = [_at(8, 2 * math.pi * bullet / bullets) for bullet in range(bullets)]
    return Crest(CHARACTER_IDS.index(character) * 137 % 360, star, ring)  # the golden angle: neighbours differ


def _at(radius: float, angle: float) -> tuple[float, float]:
    return radius * math.cos(angle), radius * math.sin(angle)


@cache
def crest(character: str) -> str:
    """The crest of a character as SVG."""
    shape = crest_of(character)
    if shape is None:
        return '<svg class="crest none" viewBox="-10 -10 20 20" aria-hidden="true"><circle r="9.2"/></svg>'
    star = "L".join(f"{x:.1f} {y:.1f}" for x, y in shape.star)
    ring = "".join(f"M{x:.1f} {y:.1f}h0" for x, y in shape.bullets)
    return (
        f'<svg class="crest" viewBox="-10 -10 20 20" style="--hue:{shape.hue}" aria-hidden="true">'
        f'<circle r="9.6"/><path class="ring" d="{ring}"/><path class="star" d="M{star}z"/></svg>'
    )


# ---------------------------------------------------------------- names that open a printed text


def named(key: str, name: str = "") -> str:
    """The name of something printed; its text opens on a click, and shows under the mouse."""
    words = escape(name or pages()[key].name)
    return f'<button type="button" class="name" popovertarget="page-{key}" data-face="{key}">{words}</button>'


@cache
def printed_pages() -> str:
    """The texts of everything printed, closed, for a page that uses `named`."""
    return f'<section aria-label="printed texts">{"".join(_printed(key) for key in pages())}</section>'


def _printed(key: str) -> str:
    page = pages()[key]
    rows = "".join(f"<p><i>{escape(part)}</i> {escape(text or program)}</p>" for part, text, program in page.rows)
    kind = f' data-band="{band(key)}"' if key in _CARDS else f' data-crest="{CHARACTER_IDS.index(key)}"' if key in CHARACTER_IDS else ""
    return f'<div popover class="printed" id="page-{key}"{kind}><b>{escape(page.name)}</b><small>{escape(page.facts)}</small>{rows}</div>'


def role_faction(role: str) -> tuple[str, str]:
    """Class and shape of the faction of a role."""
    factions = int(compile_cards().tables[0]["role_factions"][ROLE_IDS.index(role)])
    return _FACTIONS.get(factions & -factions, ("", ""))  # the EX Midboss is dealt as a Partner


def role_chip(role: str, *, hidden: bool = False) -> str:
    """A role with the shape of its faction."""
    kind, shape = role_faction(role)
    words = f"({ROLE_NAMES[role]})" if hidden else ROLE_NAMES[role]
    return f'<span class="role {kind}">{shape} {named(role, words) if role in pages() else escape(words)}</span>'


def goal(role: str) -> str:
    """What a role wants, in a sentence; "" for no role."""
    wanted = next((one.goal for one in BASE_GAME.all_roles if one.id == role), 0)
    if not wanted:
        return ""
    words = listed(bit_words(wanted, v.GOALS), "and")
    return f"{words[:1].upper()}{words[1:]}."


# ---------------------------------------------------------------- cards


def card_face(card: str, count: int = 1, *, more: str = "", classes: str = "") -> str:
    """A card (`shoot/spring`) as it lies on the table: its type as a band, points in the corner, season, name and all of its text.

    `more` is HTML laid over it, such as the button that plays it.
    """
    kind, season = kind_named(card), card.partition("/")[2]
    which = f"{'Lunatic ' * card.startswith(LUNATIC_PREFIX)}{season}"
    copies = f" ×{count}" if count > 1 else ""
    parts = [
        f'<p class="band">{escape(types_of(kind))}</p>',
        f'<p class="title">{named(kind)} <b class="points" title="points">{points_of(kind)}</b></p>',
        f'<p class="copies">{season_sign(season, which)}{copies}</p>' if season else "",
        f'<p class="does">{escape(pages()[kind].summary)}</p>',
    ]
    return f'<div class="card {band(kind)}{classes and f" {classes}"}" data-face="{kind}">{"".join(parts)}{more}</div>'
