"""The generated pages of docs/shisoroku/; `python -m danmaku_env.docs` writes them."""

from __future__ import annotations

from danmaku_env.markdown_pages import FIELD_HEAD, RECORD_HEAD, field_rows, page, record_rows, table
from danmaku_env.sister.shisoroku.cards import box
from danmaku_env.sister.shisoroku.cards import words as w
from danmaku_env.sister.shisoroku.engine import actions, observation
from danmaku_env.sister.shisoroku.engine import state as st
from danmaku_env.sister.shisoroku.text import PLAIN

_SET_TITLES = {
    "basic": "Basic cards",
    **{name: name for name in box.SETS},
    "in": "in, with five prizes",
    "sa": "sa, with three chirei cards",
}


def cards_page() -> str:
    """docs/shisoroku/cards.md: every card and what its program says."""
    lines = [
        f"What a card says here is read off its program, but for {len(box.IN_OTHER_WORDS)} cards whose words are written by hand,",
        "because those of their programs read badly: " + ", ".join(f"`{name}`" for name in box.IN_OTHER_WORDS) + ".",
        "Chirei cards are dealt and never bought, and prizes lie out with `in-01` only.", "",
    ]  # fmt: skip
    for name, title in _SET_TITLES.items():
        cards = [card for card in box.CARDS if card.set == name]
        rows = [
            (f"`{card.id}`", card.name, ", ".join(word for word, bit in w.TYPES.items() if card.types & bit), card.cost, box.sentence(card))
            for card in cards
        ]
        lines += [f"## {title}: {len(cards)} cards", "", *table(("id", "name", "types", "cost", "what it does"), rows)]
    return page("Cards of Shisouroku", lines)


def actions_page() -> str:
    """docs/shisoroku/actions.md: the action space and the questions."""
    intro = [
        f"One `Discrete({actions.NUM_ACTIONS})` for every table. `ACTION_IDS` names places; a game names the cards that lie there, and so",
        "do replays: `buy kingdom-10` is `buy eosd-22` in a first game. A forced answer is taken by the engine unless `ask_forced`.", "",
    ]  # fmt: skip
    bounds = [(actions.PLAY_BASE, "play"), (actions.BUY_BASE, "buy"), (actions.REVEAL_BASE, "reveal"), (actions.CHOOSE_BASE, "choose")]
    rows: list[tuple[object, ...]] = [
        (0, "`pass`", "no, nothing more, the end of a phase"),
        (1, "`play resources`", "every resource that asks nothing, at once (T-4)"),
        (f"{actions.OPTION_BASE}..{actions.PLAY_BASE - 1}", "`choose option 1` ...", "the options of a text as printed; yes is the first"),
    ]  # fmt: skip
    rows += [(f"{base}..{base + w.PLACES - 1}", f"`{verb} <card>`", f"{verb} the card at a place") for base, verb in bounds]
    questions = [(f"`{name}`", PLAIN.get(name, "nothing")) for name in w.QUESTIONS]
    every = [f"{index:3d}  {name}" for index, name in enumerate(actions.ACTION_IDS)]
    return page(
        "Actions of Shisouroku", intro, table(("index", "name", "meaning"), rows),
        ["## Questions", "", *table(("question", "what is asked"), questions)], ["## Every action", "", "```", *every, "```"],
    )  # fmt: skip


def observation_page() -> str:
    """docs/shisoroku/observation.md: the observation row and the full state."""
    columns = observation.HISTORY_COLUMNS
    intro = [
        f"One row of {observation.OBSERVATION_SIZE} bytes (uint8), the same for 2 to 4 seats. Two games that differ only in what the seat",
        "has not seen give the same bytes. Seats are relative to the observer; an id is a place or a card by its number plus one, 0 for",
        f"none. With `history=K` it goes on with the last K events, {len(columns)} bytes each: {', '.join(columns)}.", "",
    ]  # fmt: skip
    state = ["## Full state", "", "For central critics only.", "", *table(FIELD_HEAD, field_rows(observation.STATE_FIELDS))]
    events = ["## Events", "", ", ".join(f"{number} {word}" for number, word in enumerate(st.EVENT_WORDS) if number) + ".", ""]
    places = ["## Places", "", ", ".join(f"{number} {name}" for number, name in enumerate(actions.PLACE_IDS)) + ".", ""]
    fields = table(FIELD_HEAD, field_rows(observation.OBSERVATION_FIELDS))
    return page("Observation of Shisouroku", intro, fields, places, events, state)


def state_page() -> str:
    """docs/shisoroku/state.md: the fields of a record."""
    intro = [
        f"One NumPy structured dtype of {st.STATE.itemsize} bytes a game (`danmaku_env.sister.shisoroku.engine.state.STATE`). Play reads",
        f"the first {st.READ_BYTES} bytes; behind them lies the log. A pile, a hand or a deck is a number of cards of each kind.", "",
    ]  # fmt: skip
    return page("State of Shisouroku", intro, table(RECORD_HEAD, record_rows(st.STATE, st.FIELDS)))


def documents() -> dict[str, str]:
    """File name -> text of every generated page."""
    return {"cards.md": cards_page(), "actions.md": actions_page(), "observation.md": observation_page(), "state.md": state_page()}
