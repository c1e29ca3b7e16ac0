"""The generated pages of docs/: `python -m danmaku_env.docs` writes them, `--check` fails when one is stale.

`config.md` has the options of a game, `cards.md` every card's paraphrase beside its program in words, `observation.md` the layout of the
observation row, `actions.md` the action space and the questions, `state.md` the fields of the record.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Literal, get_args, get_origin

from danmaku_env import config
from danmaku_env.benchmark import board
from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.box import (
    BASE_GAME,
    CHARACTER_IDS,
    INCIDENT_IDS,
    ITEM_IDS,
    KIND_IDS,
    NUM_BASE_CHARACTERS,
    NUM_BASE_INCIDENTS,
    NUM_BASE_KINDS,
    ROLE_IDS,
)
from danmaku_env.cards.describe import describe_card, describe_character, describe_incident, describe_role, describe_types
from danmaku_env.cards.encyclopedia import copies_of
from danmaku_env.cards.roles import ADVANCED, BASIC, ROLES, Composition
from danmaku_env.config import GameConfig
from danmaku_env.console.options import field_docs
from danmaku_env.engine import actions
from danmaku_env.engine import frames as fr
from danmaku_env.engine import state as st
from danmaku_env.engine.events import EVENT_WORDS
from danmaku_env.engine.observation import HISTORY_COLUMNS, OBSERVATION_FIELDS, OBSERVATION_SIZE
from danmaku_env.engine.observe import STATE_FIELDS, STATE_SIZE
from danmaku_env.engine.scratch import SCRATCH_FIELDS
from danmaku_env.markdown_pages import FIELD_HEAD, RECORD_HEAD, field_rows, page, record_rows, table
from danmaku_env.named_tables import NAMED_TABLES
from danmaku_env.render.asking import ANSWER_DOC
from danmaku_env.sister.shisoroku import pages as shisoroku_pages
from danmaku_env.sister.utage import pages as utage_pages
from danmaku_env.wording import CARD_NAMES, QUESTION_DOC

FOLDER = Path(__file__).resolve().parent.parent / "docs"

# ---------------------------------------------------------------- cards

_READING = """\
The middle column is our paraphrase of what is printed, the right one what the program says; a reviewer compares the two. Reading aid:

- "First ..." is chosen and paid on announcement, before anybody can cancel; "then ..." is the effect.
- An effect on a player who was not chosen, or an attack on somebody out of range, does nothing; the rest of the text goes on.
- "You attack ... if in range" is checked once more when the attack is put on the stack. Brackets hold what belongs together.
- A card played is asked for its choices only where there are any; a choice with nothing to choose from is left out.
- Each player activates at most one Spell Card per round, by whatever means but Ran's own ability.
"""


def _deck(title: str, cards: Sequence[v.Card], seasons: Callable[[v.Card], str]) -> list[str]:
    copies = sum(len(seasons(card).split()) for card in cards)
    lines = [f"## {title}: {copies} cards of {len(cards)} kinds", ""]
    for card in cards:
        lines += [
            f"### {card.name} (`{card.id}`)",
            "",
            f"{describe_types(card.types)}; {card.points} point{'s' * (card.points > 1)}; {copies_of(card)}.",
            "",
        ]
        lines += table(("part", "paraphrase", "program"), describe_card(card))
    return lines


def _decks() -> list[str]:
    lunatic = [card for card in BASE_GAME.expansion.cards if not card.seasons]
    more = [card for card in BASE_GAME.expansion.cards if card.seasons]
    reprints = BASE_GAME.expansion.reprints
    again = [
        "## Lunatic deck: copies of other cards", "", "These count as the card of that name wherever it matters, but have the back of the",
        f"Lunatic deck: {', '.join(CARD_NAMES[card] for card in [*reprints, *(card.id for card in more if card.lunatic)])}.", "",
    ]  # fmt: skip
    return [
        *_deck("Main deck", BASE_GAME.cards, lambda card: card.seasons),
        *_deck("Lunatic Extra, Main deck", more, lambda card: card.seasons),
        *_deck("Lunatic Extra, Lunatic deck", lunatic, lambda card: card.lunatic), *again,
    ]  # fmt: skip


def _incidents(title: str, incidents: Sequence[v.Incident]) -> list[str]:
    rows = [(f"{card.name} (`{card.id}`)", v.SEASONS[card.season], card.text, describe_incident(card)) for card in incidents]
    return [f"## {title}: {len(incidents)} cards", "", *table(("incident", "season", "paraphrase", "program"), rows)]


def _composition_row(players: int, composition: Composition, advanced: bool) -> tuple[object, ...]:
    def pool(dealt: int, names: Sequence[str]) -> str:
        counted = Counter(names)
        words = ", ".join(f"{times} {name}" if times > 1 else name for name, times in counted.items())
        return "none" if dealt == 0 else f"{dealt} of: {words}"

    return (
        players, "advanced" if advanced else "basic", pool(composition.partners, composition.partner_pool),
        pool(composition.stage_bosses, composition.stage_pool), pool(composition.extra_bosses, composition.extra_pool),
        composition.rivals,
    )  # fmt: skip


def _roles() -> list[str]:
    rows = [(f"{role.name} (`{role.id}`)", role.text, describe_role(role)) for role in BASE_GAME.all_roles]
    dealt = [_composition_row(players, composition, True) for players, composition in ADVANCED.items()]
    dealt += [_composition_row(players, composition, False) for players, composition in BASIC.items()]
    more = [_composition_row(players, composition, True) for players, composition in BASE_GAME.expansion.advanced.items()]
    return [
        "## Roles", "", "Goals are states: what must be true when somebody may declare.", "",
        *table(("role", "paraphrase", "program"), rows),
        "Besides one Heroine there are dealt:", "",
        *table(("players", "roles", "partners", "stage bosses", "extra bosses", "rivals"), dealt),
        "And with Lunatic Extra, where the basic roles are the same:", "",
        *table(("players", "roles", "partners", "stage bosses", "extra bosses", "rivals"), more),
    ]  # fmt: skip


def _characters(title: str, characters: Sequence[v.Character]) -> list[str]:
    lines = [f"## {title}: {len(characters)} cards", ""]
    for character in characters:
        lines += [f"### {character.name} (`{character.id}`)", "", f"{v.SEASONS[character.season]}; Spell Card: {character.spell_name}.", ""]
        lines += table(("part", "paraphrase", "program"), describe_character(character))
    return lines


def cards_page() -> str:
    """docs/cards.md."""
    more = BASE_GAME.expansion
    return page(
        "Cards", [_READING], _decks(), _incidents("Incidents", BASE_GAME.incidents), _incidents("Lunatic Extra, incidents", more.incidents),
        _roles(), _characters("Characters", BASE_GAME.characters), _characters("Lunatic Extra, characters", more.characters),
    )  # fmt: skip


# ---------------------------------------------------------------- observation


def _numbered(title: str, names: Sequence[str], base: int, first: int) -> list[str]:
    """Names of one kind of thing with their numbers; those from `base` on are not in the base box."""
    words = [f"{number} {name}" for number, name in enumerate(names, first)]
    more = f" Beyond the base box: {', '.join(words[base:])}." if len(names) > base else ""
    return [f"**{title}**: {', '.join(words[:base])}.{more}", ""]


def observation_page() -> str:
    """docs/observation.md."""
    intro = [
        f"One row of {OBSERVATION_SIZE} bytes (uint8), the same layout for every player count. It holds what one seat may know and",
        "nothing else: two games that differ only in what the seat has not seen give the same bytes.", "",
        "Seats are relative to the observer: 0 is me, 1 the next clockwise; seats beyond the table stay zero. A *flag* is 0 or 1, a",
        "*count* a number up to *high*, an *id* names a card kind, character, incident or season by its place plus one, a role by its",
        "place plus two (below), 0 for none. So the byte of a role is one higher than its number in `ROLE_IDS` and in the record.",
        "",
    ]  # fmt: skip
    roles = [name for name in ROLE_IDS[1:] if name]
    base_items = sum(1 for card in BASE_GAME.cards if card.types & v.ITEM)
    orders = [
        "## Orders along an axis", "", "An id is the number below plus one, of a role plus two.", "",
        *_numbered("Card kinds", KIND_IDS, NUM_BASE_KINDS, 0),
        *_numbered("Items", ITEM_IDS, base_items, 0),
        *_numbered("Characters", CHARACTER_IDS, NUM_BASE_CHARACTERS, 0),
        *_numbered("Incidents", INCIDENT_IDS, NUM_BASE_INCIDENTS, 0),
        *_numbered("Roles", roles, len(ROLES), 0),
        *_numbered("Seasons", v.SEASONS, len(v.SEASONS), 0),
        *_numbered("Questions", actions.QUESTIONS, len(actions.QUESTIONS), 0),
        *_numbered("Steps", st.STEPS, len(st.STEPS), 0),
        *_numbered("Card types", v.TYPES, len(v.TYPES), 0),
        *_numbered("Lasting effects", v.LASTING, len(v.LASTING), 0),
    ]  # fmt: skip
    state = [
        "## Full state", "",
        f"For central critics only: {STATE_SIZE} bytes with all roles, hands and decks open (`vec.states()`, `env.state()`, "
        "`game.state()`). The seasons in hands and decks are in the record alone ([state.md](state.md)). Seats are counted from "
        "seat 0.", "",
        *table(FIELD_HEAD, field_rows(STATE_FIELDS)),
    ]  # fmt: skip
    return page("Observation", intro, table(FIELD_HEAD, field_rows(OBSERVATION_FIELDS)), _history_section(), orders, state)


EVENT_DOC = {
    "turn": "the turn of the actor begins; number: which turn of the game, and extra: how many 256s on top",
    "play": f"the actor announces a card; number: text; extra: {fr.IS_COPY} = a copy; about: the options it names, as bits",
    "spell": f"the actor activates a Spell Card; number: text; extra: {fr.IS_COPY} = a copy; about: the options it names, as bits",
    "use": f"the actor uses an ability or an item in play; number: text; extra: {fr.IS_COPY} = a copy; about: the options it names, "
    "as bits",
    "attack": "the actor attacks the target; number: damage; extra: unavoidable",
    "avoid": "the actor avoids the attack of the target",
    "hit": "the attack of the target hits the actor; number: life lost",
    "lose": "the actor loses life, through the target if there is one; number: how much; extra: life left",
    "gain": "the actor regains life, from the target if there is one; number: how much; extra: life now",
    "draw": "the actor draws a card; number: cards of this draw; extra: its place among them; about: the deck, 0 = the Main deck",
    "discard": "the actor discards a card; number: 1 = from play",
    "flip": "the actor turns a card of the Main deck over; number: 0 = flipped, else cards revealed",
    "item": "the actor has an item in play",
    "cancel": "the actor cancels what the target plays; number: text",
    "defeat": "the actor is defeated; about: role",
    "reveal": "the actor's role is revealed; about: role",
    "incident": "an incident enters play; about: incident",
    "resolved": "an incident is over; about: incident",
    "look": "the actor looks at a card: of the target's hand, else of a deck (about); number: cards seen; extra: its place among them, "
    "0 = a single card of a hand",
    "show": "the target shows a card of the hand to all, because of the actor; number and extra as in `look`",
    "swap": "actor and target exchange hands; a `give` follows for every card",
    "give": "the actor gives the target a card",
    "skip": "the actor skips the turn",
    "roles": "actor and target exchange roles; number: the life to which the actor's falls, 0 = it does not fall",
    "shuffle": "the discard pile becomes the deck, or (extra 1, or the incident deck) a deck is shuffled as it lies; number: cards; "
    "about: the deck, 0 = the Main deck",
    "over": "the game is over; number: 1 won, 2 draw, 3 truncated",
    "collect": "an incident (about) collects a card",
    "lasting": "an effect (about) until the next turn of the actor on the target; number: its value",
    "deal": "the actor's character is revealed; about: character",
    "revive": "the actor is back at 1 life, through the target if there is one",
    "take": "the actor takes a card, of the target if there is one; number: 0 = an item in play",
    "to deck": "the actor puts a card on a deck (about); extra: 1 = on top, 0 = on an end nobody else knows",
    "search": "the actor fetches an incident and puts it on top of its deck",
    "recruit": "the actor has an Extra Character (about) from now on",
    "dismiss": "the actor's Extra Character (about) is discarded",
    "turned away": "the actor has drawn a character (about) that cannot be recruited; it is shown and discarded",
    "restock": "the discarded characters are the pile to recruit from again; number: how many",
    "character ban": "the actor bans a character (about) from the draft",
    "named": "the actor has the ability of a character (about) too; number: 1 = for the rest of the game",
    "season called": "the actor names a season before drawing a card; number: which, from 0",
}
"""What the columns of each event mean."""


def _history_section() -> list[str]:
    columns = ", ".join(f"`{name}`" for name in HISTORY_COLUMNS)
    return [
        "## history", "",
        f"With `GameConfig(history=K)` a row goes on with the last K public events, the newest first, {len(HISTORY_COLUMNS)} bytes each:",
        f"{columns}. Actor and target are seats relative to me plus one. The card and its season are there when I know",
        "which card it was: that is the private part of an event, and other seats see 0 there. Seasons are 1 to 4 for a card of the Main",
        "deck and 5 to 8 for one of the Lunatic deck, so that copies of one kind are told apart. Events stay in the record for the last",
        f"{st.LOG_ROWS}; unused rows are zero. `number` of a text is its place in `compile_cards().titles`.", "",
        *table(("number", "event", "meaning"), [(n, f"`{word}`", EVENT_DOC[word]) for n, word in enumerate(EVENT_WORDS) if n]),
    ]  # fmt: skip


# ---------------------------------------------------------------- actions


def _action_ranges() -> list[tuple[object, ...]]:
    starts = [
        (actions.PASS, "`pass`", ANSWER_DOC["pass"]),
        (actions.USE_BASE, "`use <item>`", "an item in play, as its text says: Mini-Hakkero, for one, activates one's Spell Card"),
        (actions.SOURCE_BASE, "`spell <source>`", "activate one's Spell Card by an ability, or by the incident of that name"),
        (actions.REVEAL_ROLE, "`reveal`", ANSWER_DOC["reveal"]),
        (actions.EXCHANGE, "`exchange`", f"with Lunatic Extra: {ANSWER_DOC['exchange']}"),
        (actions.SEAT_BASE, "`choose seat:<n>`", "a player; the index is relative to the acting seat, the name absolute"),
        (actions.SEASON_BASE, "`choose season:<season>`", "which copy of the card just named, or a season that a text asks for"),
        (actions.TYPE_BASE, "`choose type:<type>`", "a card type"),
        (actions.DECK_BASE, "`choose deck:<deck>`", "a deck"),
        (actions.NUMBER_BASE, "`choose number:<n>`", "a number"),
        (actions.YES, "`choose yes`", "yes; no is `pass`"),
        (actions.TOP, "`choose top`", "top of the deck, or the first half"),
        (actions.BOTTOM, "`choose bottom`", "bottom of the deck, or the second half"),
        (actions.PLAY_BASE, "`play <card>`", "a card of one's hand, by kind"),
        (actions.KIND_BASE, "`choose card:<card>`", "a card, by kind"),
        (actions.ABILITY_BASE, "`ability <character>`", "an activated ability"),
        (actions.CHARACTER_BASE, "`choose character:<character>`", "a character"),
        (actions.INCIDENT_BASE, "`choose incident:<incident>`", "an incident"),
        (actions.ROLE_BASE, "`choose role:<role>`", "the text of one's role, where one's own texts are put in order (K-14)"),
        (actions.BONUS_BASE, "`choose character:<character>`", "a bonus character"),
    ]
    ends = [start for start, _, _ in starts[1:]] + [actions.NUM_ACTIONS]
    rows: list[tuple[object, ...]] = []
    for (start, name, meaning), end in zip(starts, ends, strict=True):
        rows.append((start if end == start + 1 else f"{start}..{end - 1}", name, meaning))
    return rows


def actions_page() -> str:
    """docs/actions.md."""
    intro = [
        f"One `Discrete({actions.NUM_ACTIONS})` for every player count. An answer is one small step: play a card kind, then its half, then",
        "its target. The action mask says which answers are legal. An answer that is forced (only one is legal) is taken by the engine,",
        "unless `GameConfig(ask_forced=True)`.", "",
    ]  # fmt: skip
    questions = [(f"`{name}`", QUESTION_DOC[name]) for name in actions.QUESTIONS]
    every = [f"{index:3d}  {name}" for index, name in enumerate(actions.ACTION_IDS)]
    return page(
        "Actions",
        intro,
        table(("index", "name", "meaning"), _action_ranges()),
        ["## Questions", "", *table(("question", "what is asked"), questions)],
        ["## Every action", "", "```", *every, "```"],
    )


# ---------------------------------------------------------------- options of a game


def _spelled_out(kind: str) -> str:
    """A type as the page shows it: what a name stands for that has words, such as RoleSet, is shown with them."""
    words = {name: ", ".join(map(repr, get_args(there))) for name, there in vars(config).items() if get_origin(there) is Literal}
    return re.sub(r"\w+", lambda name: f"Literal[{words[name[0]]}]" if name[0] in words else name[0], kind)


def config_page() -> str:
    """docs/config.md."""
    docs = field_docs(GameConfig)
    rows = [
        (f"`{field.name}`", f"`{_spelled_out(str(field.type))}`", f"`{field.default!r}`", " ".join(docs[field.name].split()))
        for field in fields(GameConfig)
    ]
    intro = [
        "How a game is set up: `GameConfig(num_players=8, roles=\"basic\")`, and the same options by name for `Game.new`, `make_vec` and",
        "the environments; `Scenario` takes `config=`. A value that cannot be is refused with a `ConfigError`. `config.to_dict()` and",
        "`GameConfig.from_dict(data)` are plain data.", "",
    ]  # fmt: skip
    named = [(f"`{name}`", ", ".join(f"`{option}={value!r}`" for option, value in said.items())) for name, said in NAMED_TABLES.items()]
    tables = [
        "## Tables with names", "",
        "Papers name a table and need say no more: it never changes, and a correction is a new version. `GameConfig.named(\"Tiny-v0\")` is",
        "one, and `table=\"Tiny-v0\"` goes wherever options go by name; `gymnasium.make(\"danmaku_env:danmaku/Tiny-v0\")` and",
        "`pettingzoo.make(\"aec\", \"danmaku/Tiny-v0\")` make its environments, and trainers take `--table Tiny-v0`. OpenSpiel's adapter",
        "takes most of the options one by one. The only option that can stand beside the name is `history`, which changes what is",
        "observed of the game and not the game.", "",
        *table(("table", "options"), named),
    ]  # fmt: skip
    return page("Options of a game", intro, table(("option", "values", "default", "what"), rows), tables)


# ---------------------------------------------------------------- state


def enumerate_doc(doc: dict[str, str]) -> list[tuple[object, ...]]:
    """Rows (place, name, meaning)."""
    return [(number, f"`{name}`", meaning) for number, (name, meaning) in enumerate(doc.items())]


def _frames_section() -> list[str]:
    lines = [
        f"## Frames of the stack: {fr.FRAME_COLUMNS} numbers each, at most {fr.DEPTH} frames", "",
        "Column 0 of every frame is its procedure, column 1 the step it is at, column 2 a seat. What the others hold depends on the",
        "procedure; columns not named are zero.", "",
    ]  # fmt: skip
    for number, layout in fr.LAYOUTS.items():
        steps = ", ".join(f"{place} {step}" for place, step in enumerate(layout.steps))
        lines += [f"### {number} {layout.name}", "", layout.doc, "", f"Seat: {layout.seat}.{f' Steps: {steps}.' if steps else ''}", ""]
        if layout.columns:
            rows = [(column.slot, f"`{column.name}`", column.holds, column.doc) for column in layout.columns]
            lines += table(("column", "name", "holds", "what"), rows)
    return lines


def _scratch_section() -> list[str]:
    rows = [(f"`{name}`", kind, size, doc) for name, kind, size, doc in SCRATCH_FIELDS]
    return [
        "## The scratch buffer", "",
        "Besides the game, `resample` writes into a record of its own (`danmaku_env.engine.scratch`).", "",
        *table(("field", "type", "size", "what"), rows),
    ]  # fmt: skip


def state_page() -> str:
    """docs/state.md."""
    intro = [
        f"One NumPy structured dtype of {st.STATE_BYTES} bytes per game (`danmaku_env.engine.state.STATE`); a batch is a one-dimensional",
        "array. Copying, hashing and saving a game is copying, hashing and saving its bytes; unused places are zero. The rules read the",
        f"first {st.PLAY_BYTES} bytes only; behind them lies what is remembered: interactions from seat to seat, and the log.", "",
    ]  # fmt: skip
    zones = (
        "not in the game", "deck", "discard pile", "Lunatic deck", "Lunatic discard pile", "hand", "in play", "being played",
        "aside, seen by all", "aside, seen by one", "collected",
    )  # fmt: skip
    return page(
        "State",
        intro,
        table(RECORD_HEAD, record_rows(st.STATE, st.FIELDS)),
        _frames_section(),
        _scratch_section(),
        ["## An event of the log", "", *table(("byte", "name", "what"), enumerate_doc(st.EVENT_COLUMN_DOC))],
        ["## Zones of a card", "", *table(("zone", "where"), enumerate(zones))],
    )


# ---------------------------------------------------------------- writing


def documents() -> dict[str, str]:
    """File name -> text of every generated page."""
    return {
        "config.md": config_page(),
        "cards.md": cards_page(),
        "observation.md": observation_page(),
        "actions.md": actions_page(),
        "benchmark.md": board.page(board.read_results(FOLDER.parent / "results")[0]),
        "state.md": state_page(),
        **{f"shisoroku/{name}": text for name, text in shisoroku_pages.documents().items()},
        **{f"utage/{name}": text for name, text in utage_pages.documents().items()},
    }


def stale() -> list[str]:
    """Names of the pages that differ from what the code says, or are missing."""
    pages = documents().items()
    return [name for name, text in pages if not (FOLDER / name).is_file() or (FOLDER / name).read_text("utf-8") != text]


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the pages, or check them. Returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m danmaku_env.docs", description="Write the generated pages of docs/.")
    parser.add_argument("--check", action="store_true", help="write nothing; fail when a page is stale")
    options = parser.parse_args(arguments)
    if options.check:
        names = stale()
        if names:
            print(f"stale: {', '.join(names)}; run python -m danmaku_env.docs", file=sys.stderr)
        return 1 if names else 0
    for name, text in documents().items():
        (FOLDER / name).parent.mkdir(parents=True, exist_ok=True)
        (FOLDER / name).write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
