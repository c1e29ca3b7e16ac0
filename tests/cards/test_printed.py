"""The corners of the printed cards against `printed.toml`: points, seasons of the copies, types, what an incident needs, who is dealt."""

import tomllib
from collections import Counter
from pathlib import Path

import pytest

from danmaku_env.cards.characters import CHARACTERS
from danmaku_env.cards.incidents import INCIDENTS
from danmaku_env.cards.main_deck import MAIN_CARDS
from danmaku_env.cards.roles import ADVANCED, BASIC, ROLES
from danmaku_env.cards.vocabulary import SEASONS, TYPES

PRINTED = tomllib.loads((Path(__file__).parent / "printed.toml").read_text("utf-8"))
POOLS = {"partner": "partner_pool", "stage_boss": "stage_pool", "extra_boss": "extra_pool"}
DEALT = {"rival": "rivals", "partner": "partners", "stage_boss": "stage_bosses", "extra_boss": "extra_bosses"}
PLAIN = ("partner", "stage_boss", "ex_boss")
"""The role of each color that the rulebook's first game is played with."""


def words(types):
    return {word for bit, word in enumerate(TYPES) if types >> bit & 1}


def called(things, name):
    return next(thing for thing in things if thing.id == name)


def test_everything_printed_is_listed():
    assert list(PRINTED["cards"]) == [card.id for card in MAIN_CARDS]
    assert list(PRINTED["characters"]) == [character.id for character in CHARACTERS]
    assert list(PRINTED["incidents"]) == [incident.id for incident in INCIDENTS]
    assert list(PRINTED["roles"]) == [role.id for role in ROLES]


def test_every_season_is_on_as_many_cards():
    """20 cards of the Main deck, 6 characters of each season."""
    assert Counter(season for card in MAIN_CARDS for season in card.seasons.split()) == dict.fromkeys(SEASONS, 20)
    assert Counter(SEASONS[character.season] for character in CHARACTERS) == dict.fromkeys(SEASONS, 6)


@pytest.mark.parametrize("name", PRINTED["cards"])
def test_card(name):
    """Points, the season of every copy, and the types of each half."""
    card, printed = called(MAIN_CARDS, name), PRINTED["cards"][name]
    assert card.points == printed["points"]
    copies = (copy.split() for copy in printed["copies"].split(", "))
    assert Counter(card.seasons.split()) == {season: int(number) for number, season in copies}
    assert [words(half.types) for half in card.modes] == [set(types.split()) for types in printed["types"]]


@pytest.mark.parametrize("name", PRINTED["characters"])
def test_character(name):
    """Season, and name and kind of the Spell Card."""
    character, printed = called(CHARACTERS, name), PRINTED["characters"][name]
    assert SEASONS[character.season] == printed["season"]
    assert character.spell_name == printed["spell_card"]
    kind = {"own": set()}.get(printed["kind"], {printed["kind"]})
    assert words(character.spell.types) == {"spell card"} | kind


@pytest.mark.parametrize("name", PRINTED["incidents"])
def test_incident(name):
    """Season, and how many cards it collects."""
    incident, printed = called(INCIDENTS, name), PRINTED["incidents"][name]
    assert SEASONS[incident.season] == printed["season"]
    assert incident.needs == printed["collects"]


@pytest.mark.parametrize("name", PRINTED["roles"])
def test_role(name):
    """At which tables it is dealt, from how many copies, and beside how many others of its color."""
    printed = PRINTED["roles"][name]
    color = printed["color"]
    for players, dealt in PRINTED["dealt"].items():
        advanced, basic = ADVANCED[int(players)], BASIC[int(players)]
        if color in DEALT:
            assert getattr(advanced, DEALT[color]) == getattr(basic, DEALT[color]) == dealt[color]
        if color in POOLS:
            copies = printed["copies"] if 0 < printed["from_players"] <= int(players) else 0
            assert getattr(advanced, POOLS[color]).count(name) == copies
            assert getattr(basic, POOLS[color]).count(name) == (dealt[color] if name in PLAIN else 0)
