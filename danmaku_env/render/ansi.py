"""The table as text: `table(game)` from above, `table(game, seat=2)` as a seat sees it. Six seats and a hand fit 80 x 24.

In fewer columns than `NARROW` a seat is a paragraph instead of a line.
"""

from __future__ import annotations

import io

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.box import ROLE_IDS
from danmaku_env.cards.compile import compile_cards
from danmaku_env.game import Game
from danmaku_env.render.faces import goal
from danmaku_env.render.table_view import LunaticPiles, SeatView, TableView, named_cards, table_view
from danmaku_env.wording import INCIDENT_NAMES, ROLE_NAMES, SHORT_NAMES, shown_card

WIDTH = 120
NARROW = 80
"""Columns below which a line does not hold a seat."""
_EVENTS = 8
"""How many of the last public events are shown."""
_TEAM_STYLE = {v.NO_TEAM: "dim", v.HEROINE_TEAM: "red", v.STAGE_TEAM: "blue", v.EXTRA_TEAM: "magenta", v.RIVAL_TEAM: "yellow"}
_LONGEST_ROLE = max(len(word) for name in ROLE_NAMES.values() for word in f"({name})".split())
_COLUMNS = (("", 4), ("(hidden) role", _LONGEST_ROLE), ("character", 9), ("life", 9), ("hand", 8))
"""Wide enough that no word of a role, a character or a number is split. A role that not everybody knows is in brackets."""


def table(game: Game, seat: int | None = None, color: bool = True, *, width: int = WIDTH, below: bool = True, asked: bool = True) -> str:
    """Draw a game as lines of text, seen from above (everything) or by a seat; `below` adds the last events and the question.

    `asked` marks the seat that must answer.
    Raises IndexError for a seat beyond the table.
    """
    seen = table_view(game, seat, asked=asked)
    parts: list[RenderableType] = [drawing(seen, is_narrow=width < NARROW)]
    if below:
        log = game.log.above() if seat is None else game.log.of(seat)
        parts += [Text("\n".join(f"· {line}" for line in log[-_EVENTS:]), style="dim"), _question(seen)]
    return _printed(parts, color, width)


def brief_table(game: Game, seat: int | None = None, color: bool = True, *, width: int = WIDTH, seats: bool = True) -> str:
    """The table with one line for each seat, cut to the width; without `seats`, without these lines."""
    seen = table_view(game, seat)
    lines: list[RenderableType] = [_brief_head(seen, width)]
    if seats:
        lines += _brief_seats(seen, width)
    return _printed([*lines, *_own(seen)], color, width)


def _printed(parts: list[RenderableType], color: bool, width: int) -> str:
    console = Console(
        file=io.StringIO(), width=width, force_terminal=color, color_system="standard" if color else None, no_color=not color,
        highlight=False, markup=False, emoji=False, legacy_windows=False, force_jupyter=False,
    )  # fmt: skip
    with console.capture() as captured:
        console.print(Group(*(part for part in parts if not isinstance(part, Text) or part.plain)))
    return "\n".join(line.rstrip() for line in captured.get().rstrip("\n").split("\n"))


def drawing(seen: TableView, *, is_narrow: bool = False) -> RenderableType:
    """The table, to be printed by rich."""
    parts: list[RenderableType] = [_headline(seen), _middle(seen), _paragraphs(seen) if is_narrow else _seats(seen)]
    parts += _own(seen)
    parts += [Padding(Text(line), (0, 0, 0, 2), expand=False) for line in seen.frames or seen.stack]
    return Group(*parts)


def _own(seen: TableView) -> list[RenderableType]:
    """The hand and the goal of the seat that looks."""
    if seen.observer is None or not seen.seats[0].active:
        return []
    cards = named_cards(seen.seats[0].hand or ()) or "no cards"
    parts: list[RenderableType] = [Text("your hand: ", style="bold").append(cards, style="not bold")]
    if wanted := goal(seen.seats[0].role or ""):
        parts.append(Text("your goal: ", style="bold").append(wanted, style="not bold"))
    return parts


def _brief_head(seen: TableView, width: int) -> Text:
    """Whose turn it is, the incidents and the piles, without what does not fit into two lines."""
    text = Text(f"Turn {seen.turn_number}: {seen.turn}, {seen.step} step" if seen.turn_number else seen.opening.capitalize(), style="bold")
    collected = ", ".join(f"{count} {season}" for season, count in seen.collected)
    incidents = [INCIDENT_NAMES[incident] for incident in seen.incidents] or ["no incident"]
    parts = [*incidents, *([f"{collected} collected"] if collected else []), f"deck {seen.deck}", f"incidents left {seen.incident_deck}"]
    parts.append(f"discard pile {sum(count for _, count in seen.discard)}")
    for part in (*parts, *seen.private):
        if len(text.plain) + len(part) + _BETWEEN > 2 * width - _SPLIT:
            break
        text.append(f"; {part}", style="not bold")
    return text


_BETWEEN = len("; ")
_SPLIT = 12
"""Columns that two lines may lose where they are split between words."""


def _brief_seats(seen: TableView, width: int) -> list[RenderableType]:
    """A line for each seat: as many of its items and notes as fit, and how many more there are."""
    cells = [
        (_label(seat), _role(seat), Text(_character(seat).replace("\n", " and ")), _life(seen, seat), Text(_hand_size(seat)))
        for seat in seen.seats
    ]
    widths = [max(len(row[column]) for row in cells) for column in range(len(cells[0]))]
    lines: list[RenderableType] = []
    for seat, row in zip(seen.seats, cells, strict=True):
        line = Text(style="" if seat.active else "dim")
        for cell, wide in zip(row, widths, strict=True):
            line.append(cell).append(" " * (wide - len(cell) + 1) if wide else "")
        lines.append(line.append(_fitting(_facts(seat), width - len(line.plain))))
    return lines


def _fitting(facts: list[str], room: int) -> str:
    """As many of the facts as there is room for, and how many more there are."""
    for kept in range(len(facts), -1, -1):
        more = f"+{len(facts) - kept}" if kept < len(facts) else ""
        words = "; ".join([*facts[:kept], *([more] if more else [])])
        if len(words) <= room:
            return words
    return ""


def _headline(seen: TableView) -> Text:
    text = Text("Danmaku!!", style="bold")
    text.append(f"  {seen.players} players, {seen.viewer}", style="dim")
    if seen.turn_number:
        text.append(f"  turn {seen.turn_number}: {seen.turn}, {seen.step} step")
    else:
        text.append(f"  {seen.opening}")
    return text


def _middle(seen: TableView) -> Text:
    text = Text()
    for incident in seen.incidents:
        text.append(f"Incident: {INCIDENT_NAMES[incident]}", style="bold yellow")
        collected = [f"{count} {season}" for season, count in seen.collected]
        text.append(f" (collected: {', '.join(collected)})  " if collected else "  ")
    if not seen.incidents:
        text.append("no incident  ")
    discarded = sum(count for _, count in seen.discard)
    text.append(f"deck {seen.deck}  incidents left {seen.incident_deck}  discard pile {discarded}")
    if seen.discard_top:
        text.append(f", top {shown_card(seen.discard_top)}")
    if seen.lunatic and seen.begun:
        text.append(f"\n{_lunatic(seen.lunatic)}")
    for line in seen.private:
        text.append(f"\n{line}")
    return text


def _lunatic(piles: LunaticPiles) -> str:
    top = f", top {shown_card(piles.discard_top)}" if piles.discard_top else ""
    discarded = sum(count for _, count in piles.discard)
    characters = f"characters to recruit {piles.characters_left}, discarded {piles.characters_discarded}"
    return f"Lunatic deck {piles.deck}  its discard pile {discarded}{top}  {characters}"


def _seats(seen: TableView) -> Table:
    grid = Table(box=None, expand=True, padding=(0, 1, 0, 0), pad_edge=False)
    for title, size in _COLUMNS:
        grid.add_column(title, width=size, overflow="fold", header_style="dim")
    grid.add_column("hand, items and more" if seen.observer is None else "items and more", ratio=1, overflow="fold", header_style="dim")
    for seat in seen.seats:
        cells = (_label(seat), _role(seat), _character(seat), _life(seen, seat), _hand_size(seat), _rest(seat))
        grid.add_row(*cells, style=None if seat.active else "dim")
    return grid


def _paragraphs(seen: TableView) -> Table:
    grid = Table(box=None, expand=True, padding=(0, 1, 0, 0), pad_edge=False, show_header=False)
    grid.add_column(width=_COLUMNS[0][1])
    grid.add_column(ratio=1)
    for seat in seen.seats:
        character = Text(_character(seat).replace("\n", ", "))
        size = Text(_hand_size(seat) if seat.hand_size else "no cards")
        facts = (part for part in (_role(seat), character, _life(seen, seat), size, Text(_rest(seat))) if part.plain)
        grid.add_row(_label(seat), Text("; ").join(facts), style=None if seat.active else "dim")
    return grid


def _label(seat: SeatView) -> Text:
    mark = f"{'▶' if seat.has_turn else ' '}{'?' if seat.is_asked else ' '}{seat.index}{'*' if seat.mine else ''}"
    return Text(mark, style="bold" if seat.has_turn or seat.is_asked or seat.mine else "")


def _role(seat: SeatView) -> Text:
    if not seat.role:
        return Text("?" if seat.role is None else "no role")
    team = int(compile_cards().tables[0]["role_team"][ROLE_IDS.index(seat.role)])
    name = ROLE_NAMES.get(seat.role, seat.role)
    return Text(f"({name})" if seat.role_hidden else name, style=_TEAM_STYLE[team])


def _character(seat: SeatView) -> str:
    return "\n".join(SHORT_NAMES[name] for name in (seat.character, seat.second_character) if name)


def _life(seen: TableView, seat: SeatView) -> Text:
    if not seat.active:
        return Text("defeated", style="dim")
    if not seen.begun:
        return Text("")
    text = Text("♥" * seat.life, style="red").append("♡" * max(0, seat.max_life - seat.life), style="dim")
    return text.append(f" {seat.life}/{seat.max_life}", style="default")


def _hand_size(seat: SeatView) -> str:
    return f"{seat.hand_size} card{'' if seat.hand_size == 1 else 's'}" if seat.hand_size else "-"


def _rest(seat: SeatView) -> str:
    return "; ".join(_facts(seat))


def _facts(seat: SeatView) -> list[str]:
    """What else is to be said of a seat."""
    parts = [f"with {', '.join(SHORT_NAMES[name] for name in seat.extras)}"] if seat.extras else []
    parts += [named_cards(seat.items)] if seat.items else []
    if seat.in_range:
        parts.append("in range")
    parts += seat.notes
    if seat.known:
        parts.append(f"holds {named_cards(seat.known)}")
    if seat.hand and not seat.mine:
        parts.insert(0, f"hand: {named_cards(seat.hand)}")
    return parts


def _question(seen: TableView) -> Text:
    if seen.over:
        return Text(seen.over, style="bold green")
    if seen.question is None:
        return Text("")
    asked = next(seat for seat in seen.seats if seat.index == seen.question.seat)
    who = "You are" if seen.observer is not None else f"{asked.name} is"
    answers = " | ".join(answer.name for answer in seen.question.answers)
    return Text(f"{who} asked {seen.question.word!r}: ", style="bold").append(answers, style="not bold cyan")
