"""Slips in the card data: a list of what is in the box, changed in one place, and planted wherever that list is known."""

import inspect
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from danmaku_env.cards.box import BASE_GAME
from danmaku_env.cards.compile import compile_cards
from tests.slips.changes import CHANGES, composition_changes, reprint_changes

REFUSED, SAME = "refused", "same"
OWN, NAMED, ELSEWHERE = "own", "named", "elsewhere"
"""How near a test is: begins with the id or asks about it as a parameter, names it somewhere, or does neither."""
_ROOT = Path(__file__).resolve().parent.parent.parent
OURS = (str(_ROOT / "danmaku_env"), str(_ROOT / "tests"))
"""Where the modules lie that may know a card; a virtual environment may lie beside them."""


class Slip(NamedTuple):
    """One list of the box, changed in one place."""

    owner: str
    """Id of the card, character, incident or role."""
    words: str
    field: str
    """Which list of the box, or of its `expansion.`"""
    changed: object

    def _exchanged(self):
        """{id of a list or box that is printed: what takes its place}."""
        *outer, field = self.field.split(".")
        whole = BASE_GAME.expansion if outer else BASE_GAME
        changed = whole._replace(**{field: self.changed})
        box = BASE_GAME._replace(expansion=changed) if outer else changed
        return {id(getattr(whole, field)): self.changed, id(whole): changed, id(BASE_GAME): box}

    def plant(self):
        """Put the changed list wherever it is known, and forget what was made of it. Only for a process of its own.

        Returns why the slip is none, or None: the cards are refused when they are compiled, or compile to the very same tables.
        """
        before = compile_cards().tables.tobytes()
        exchanged = self._exchanged()
        modules = [module for module in list(sys.modules.values()) if str(getattr(module, "__file__", "")).startswith(OURS)]
        for module in modules:
            for name, value in list(vars(module).items()):
                if id(value) in exchanged:
                    setattr(module, name, exchanged[id(value)])
        for module in modules:
            for value in list(vars(module).values()):
                if hasattr(type(value), "cache_clear"):
                    value.cache_clear()
        try:
            same = compile_cards().tables.tobytes() == before
        except Exception as error:  # whatever the compiler stumbles over
            return REFUSED, f"{type(error).__name__}: {error}"
        return (SAME, "compiles to the same tables") if same else None


def lists():
    """{name: list} of both boxes, those of the second with its name before them."""
    base = {name: things for name, things in BASE_GAME._asdict().items() if name != "expansion"}
    return base | {f"expansion.{name}": things for name, things in BASE_GAME.expansion._asdict().items()}


def printed():
    """{list of the box: its cards, characters, incidents or roles}."""
    return {name: things for name, things in lists().items() if not isinstance(things, Mapping)}


def ids():
    """The ids of everything that is printed."""
    return [thing.id for things in printed().values() for thing in things]


def group_of(owner):
    """Which list of the box an id is in."""
    return next(name for name, things in printed().items() for thing in things if thing.id == owner)


def slips():
    """Every slip in what is printed, in box order, then every slip in how roles are dealt and in what is printed again."""
    found = []
    for name, things in printed().items():
        for place, thing in enumerate(things):
            for changed, words in CHANGES[type(thing)](thing):
                found.append(Slip(thing.id, words, name, (*things[:place], changed, *things[place + 1 :])))
    for name, dealing in lists().items():
        for players, composition in dealing.items() if name.endswith(("basic", "advanced")) else ():
            for changed, words, role in composition_changes(composition):
                found.append(Slip(role, f"{name}, {players} players: {words}", name, {**dealing, players: changed}))
    for changed, words, card in reprint_changes(BASE_GAME.expansion.reprints):
        found.append(Slip(card, words, "expansion.reprints", changed))
    return found


class Suite:
    """The collected tests, and how near each is to a card."""

    def __init__(self, items):
        self._items = items
        self._ids = ids()
        self._texts = {item: "\n".join([item.nodeid.split("::")[-1], *_sources(item.function)]) for item in items}
        self._known = {}

    def for_slip(self, slip):
        """{how near: tests}, the nearest first, each in the order collected."""
        if slip.owner not in self._known:
            near = {OWN: [], NAMED: [], ELSEWHERE: []}
            name = re.compile(rf"(?<![a-z_]){slip.owner}(?![a-z_])")
            for item in self._items:
                near[OWN if self._is_own(item, slip.owner) else NAMED if name.search(self._texts[item]) else ELSEWHERE].append(item)
            self._known[slip.owner] = near
        return dict(self._known[slip.owner])

    def _is_own(self, item, owner):
        """Whether a test begins with the id, and with no longer one, or has it as a parameter."""
        if hasattr(item, "callspec") and owner in item.callspec.id.split("-"):
            return True
        fitting = [name for name in self._ids if re.match(rf"test_{name}(_|$)", item.originalname)]
        return max(fitting, key=len, default="") == owner


def _sources(test):
    """The source of a test, and of the functions of its file that it calls."""
    called = (test.__globals__.get(name) for name in test.__code__.co_names)
    own = [function for function in called if inspect.isfunction(function) and function.__module__ == test.__module__]
    return [inspect.getsource(function) for function in (test, *own)]
