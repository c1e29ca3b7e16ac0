"""The generated pages of docs/utage/; `python -m danmaku_env.docs` writes them."""

from __future__ import annotations

from danmaku_env.markdown_pages import FIELD_HEAD, field_rows, page, table
from danmaku_env.sister.utage.cards import box
from danmaku_env.sister.utage.cards import words as w
from danmaku_env.sister.utage.cards.sentences import sentence
from danmaku_env.sister.utage.config import STANDARD
from danmaku_env.sister.utage.engine import actions, observation
from danmaku_env.sister.utage.engine import state as st
from danmaku_env.sister.utage.text import PLAIN


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
    rows: list[tuple[object, ...]] = []
    for name, _, _, doc in st.FIELDS:
        field, offset = st.STATE.fields[name][:2] if st.STATE.fields else (st.STATE, 0)
        rows.append((f"`{name}`", offset, field.base.name, " x ".join(map(str, field.shape)) or "1", doc))
    return page("State of Gensou no Utage", intro, table(("field", "byte", "type", "shape", "what"), rows))


def documents() -> dict[str, str]:
    """File name -> text of every generated page."""
    return {
        "cards.md": cards_page(), "decks.md": decks_page(), "actions.md": actions_page(), "observation.md": observation_page(),
        "state.md": state_page(),
    }  # fmt: skip
