"""The generated pages of docs/utage/; `python -m danmaku_env.docs` writes them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from danmaku_env.markdown_pages import FIELD_HEAD, RECORD_HEAD, field_rows, page, record_rows, table
from danmaku_env.sister.utage.balance import FAIREST, LEAST_FAIR, unfair
from danmaku_env.sister.utage.cards import box
from danmaku_env.sister.utage.cards import words as w
from danmaku_env.sister.utage.cards.sentences import sentence
from danmaku_env.sister.utage.config import STANDARD
from danmaku_env.sister.utage.engine import actions, observation
from danmaku_env.sister.utage.engine import state as st
from danmaku_env.sister.utage.text import PLAIN

BALANCE = Path(__file__).resolve().parents[3] / "results" / "sister" / "utage-balance.json"
"""What `danmaku utage balance` has measured; it lies beside the package."""


def _requires(card: box.Card) -> str:
    return ", ".join(f"{name} {level}" for name, level in card.requirement.items()) or "-"


def cards_page() -> str:
    """docs/utage/cards.md: every card and what its rows say."""
    lines = [
        "What a card says here is read off its rows, so it is what the machine does; four texts (`0500`, `0600`, `0312`, `9003`) have no",
        "row and a sentence of their own. *Own* and *the other* are seen from whoever controls the card.", "",
    ]  # fmt: skip
    kinds = {kind: [card for card in box.CARDS if card.kind == kind] for kind in (w.CHARACTER, w.SPELL, w.SUPPORT, w.EVENT)}
    traits = [", ".join(name for place, name in enumerate(w.TRAITS) if card.traits >> place & 1) for card in kinds[w.CHARACTER]]
    rows = [(f"`{card.id}`", f"{card.name} {card.name_ja}", card.hp, card.ev, card.bv, words, sentence(card))
            for card, words in zip(kinds[w.CHARACTER], traits, strict=True)]  # fmt: skip
    lines += ["## Characters", "", *table(("id", "name", "HP", "EV", "BV", "traits", "as leader"), rows)]
    spells = [
        (f"`{card.id}`", f"{card.name} {card.name_ja}", _requires(card), card.sp, f"{card.av}/{card.iv}/{card.hv}", w.TYPE_WORDS[card.type],
         ", ".join(name if name in ("guided", "penetration") else f"{name}({number})" for name, number in (card.keywords or {}).items()),
         sentence(card))
        for card in kinds[w.SPELL]
    ]  # fmt: skip
    lines += ["## Spells", "", *table(("id", "name", "requires", "SP", "AV/IV/HV", "type", "keywords", "text"), spells)]
    supports = [
        (f"`{card.id}`", f"{card.name} {card.name_ja}", _requires(card), card.sp, w.PLACEMENT_WORDS[card.place], w.CLASS_WORDS[card.cls],
         sentence(card)) for card in kinds[w.SUPPORT]
    ]  # fmt: skip
    lines += ["## Supports", "", *table(("id", "name", "requires", "SP", "on", "class", "text"), supports)]
    events = [(f"`{card.id}`", f"{card.name} {card.name_ja}", _requires(card), card.sp, sentence(card)) for card in kinds[w.EVENT]]
    lines += ["## Events", "", *table(("id", "name", "requires", "SP", "text"), events)]
    return page("Cards of Gensou no Utage, volume 1", lines)


def decks_page() -> str:
    """docs/utage/decks.md: our three decks."""
    lines = ["Three decks of ours (S-8): legal, not official. A deck of your own is a TOML file with `team` and `cards`;",
             "`danmaku utage deck FILE` checks it and says what is wrong.", "", "```toml", "[team]", "Reimu = 3", "Yukari = 1", "",
             "[cards]", '"0101" = 3  # ids or names, up to 3 of each, 40 in all', "```", ""]  # fmt: skip
    for name, deck in STANDARD.items():
        team = ", ".join(f"{character} {level}" for character, level in deck.team.items())
        rows = [(f"`{card}`", box.CARDS[box.NUMBERS[card]].name, copies) for card, copies in deck.cards.items()]
        lines += [f"## `{name}`: {team}", "", *table(("id", "name", "copies"), rows)]
    return page("Decks of Gensou no Utage", lines)


def actions_page() -> str:
    """docs/utage/actions.md: the action space and the questions."""
    intro = [
        f"One `Discrete({actions.NUM_ACTIONS})` for every pair of decks. Own cards are numbered by the deck list, the other's by the order",
        "in which they were seen, or by the list where it is open; places are those of a side. A game names the cards: `play 0112`,",
        "`activate 0105 at 3`, and so do replays, which are read with numbers too. A forced answer is taken by the engine unless",
        "`ask_forced`.", "",
    ]  # fmt: skip
    rows: list[tuple[object, ...]] = [
        (0, "`pass`", "no, nothing more, the end of a phase"), (1, "`choose yes`", "a mulligan, the border"),
        (f"{actions.CHARACTER_BASE}..{actions.LEADER_BASE - 1}", "`choose character 1` ...", "who leads"),
        (f"{actions.LEADER_BASE}, {actions.LEADER_BASE + 1}", "`choose leader own`, `other`", "on whose leader a support is placed"),
        (actions.USE_LEADER, "`use leader`", "the ability of the own leader"),
        (f"{actions.PLAY_BASE}..{actions.ACTIVATE_BASE - 1}", "`play card 1` ...", "a card of the hand: put down, placed or used"),
        (f"{actions.ACTIVATE_BASE}..{actions.USE_BASE - 1}", "`activate place 1` ...", "a reserve spell becomes active"),
        (f"{actions.USE_BASE}..{actions.OWN_CARD_BASE - 1}", "`use place 1` ...", "the ability of a card of the own side"),
        (f"{actions.OWN_CARD_BASE}..{actions.OTHER_CARD_BASE - 1}", "`choose card own 1` ...", "of the own hand, deck or discard pile"),
        (f"{actions.OTHER_CARD_BASE}..{actions.OWN_PLACE_BASE - 1}", "`choose card other 1` ...", "of the other's hand"),
        (f"{actions.OWN_PLACE_BASE}..{actions.OTHER_PLACE_BASE - 1}", "`choose place own 1` ...", "a spell to battle, a target, a text"),
        (f"{actions.OTHER_PLACE_BASE}..{actions.NUM_ACTIONS - 1}", "`choose place other 1` ...", "a target on the other side"),
    ]  # fmt: skip
    questions = [(f"`{name}`", PLAIN.get(name, "nothing")) for name in w.QUESTIONS]
    every = [f"{index:3d}  {name}" for index, name in enumerate(actions.ACTION_IDS)]
    return page(
        "Actions of Gensou no Utage", intro, table(("index", "name", "meaning"), rows),
        ["## Questions", "", *table(("question", "what is asked"), questions)], ["## Every action", "", "```", *every, "```"],
    )  # fmt: skip


def observation_page() -> str:
    """docs/utage/observation.md: the observation row and the full state."""
    columns = observation.HISTORY_COLUMNS
    intro = [
        f"One row of {observation.OBSERVATION_SIZE} bytes (uint8). Two games that differ only in what the seat has not seen give the same",
        "bytes. Seat 0 is the observer. An id is a card by its number plus one, 0 for none; values are told 100 higher than they are. With",
        f"`history=K` it goes on with the last K events, {len(columns)} bytes each: {', '.join(columns)}.", "",
    ]  # fmt: skip
    state = ["## Full state", "", "For central critics only.", "", *table(FIELD_HEAD, field_rows(observation.STATE_FIELDS))]
    events = ["## Events", "", ", ".join(f"{number} {word}" for number, word in enumerate(st.EVENT_WORDS) if number) + ".", ""]
    fields = table(FIELD_HEAD, field_rows(observation.OBSERVATION_FIELDS))
    return page("Observation of Gensou no Utage", intro, fields, events, state)


def state_page() -> str:
    """docs/utage/state.md: the fields of a record."""
    intro = [
        f"One NumPy structured dtype of {st.STATE.itemsize} bytes a game (`danmaku_env.sister.utage.engine.state.STATE`). Play reads",
        f"the first {st.READ_BYTES} bytes; behind them lies the log. Each different card of a deck has a slot, in box order.", "",
    ]  # fmt: skip
    return page("State of Gensou no Utage", intro, table(RECORD_HEAD, record_rows(st.STATE, st.FIELDS)))


def _percent(share: list[float]) -> str:
    return f"{100 * share[0]:.1f} ± {100 * share[1]:.1f}"


def balance_page(found: dict[str, Any]) -> str:
    """docs/utage/balance.md: how fair a table is, as it was measured."""
    names = [deck["name"] for deck in found["decks"]]
    lines = [
        f"{found['deals']:,} games of every pairing, the decks as they lie in [decks](decks.md), by the rules {found['rules']}; ± is half",
        "of a 99 % interval. Written by", "", "```",
        f"danmaku utage balance --deals {found['deals']} --seed {found['seed']} --out results/sister/{BALANCE.name}", "```", "",
    ]  # fmt: skip
    for bot, pairings in found["bots"].items():
        shares = {tuple(one["decks"]): one["won"] for one in pairings}
        rows = [(f"`{mine}`", *("" if mine == theirs else _percent(shares[mine, theirs]) for theirs in names)) for mine in names]
        lines += [f"## `{bot}` in both seats", "", "Percent that the deck of the row wins against that of the column, from both sides:", ""]
        lines += table(("", *(f"`{name}`" for name in names)), rows)
        games = [
            (f"`{one['decks'][0]}`", f"`{one['decks'][1]}`", _percent(one["first_attacker"]), f"{100 * one['drawn']:.1f}",
             f"{100 * one['by_empty_deck']:.1f}", "{1} ({0} to {2})".format(*one["turns"]), f"{one['decisions']:.0f}")
            for one in pairings
        ]  # fmt: skip
        lines += [
            "What the games are like. Turns are the median, with the tenth part below and above; decisions are those of both seats.",
            "",
        ]
        head = ("seat 0", "seat 1", "first attacker wins, %", "draws, %", "ended by an empty deck, %", "turns", "decisions")
        lines += table(head, games)
    equal = [f"{_percent(one['won'])} (`{one['decks'][0]}`)" for one in found["bots"]["greedy"] if len({*one["decks"]}) == 1]
    outside = "; ".join(unfair(found)) or "none is"
    lines += [
        "## What follows", "",
        f"A deck that `greedy` brings outside {FAIREST} to {LEAST_FAIR} % against another is to be changed: {outside}. `reimu4` was",
        "weakened for it once, when it won 75 and 80 %. The dice say who attacks first, so seats are alike: of two equal decks seat 0 wins",
        f"{', '.join(equal)} percent.", "",
    ]  # fmt: skip
    return page("How fair the decks of Gensou no Utage are", lines)


def documents() -> dict[str, str]:
    """File name -> text of every generated page."""
    return {
        "cards.md": cards_page(), "decks.md": decks_page(), "actions.md": actions_page(), "observation.md": observation_page(),
        "state.md": state_page(), "balance.md": balance_page(json.loads(BALANCE.read_text("utf-8"))),
    }  # fmt: skip
