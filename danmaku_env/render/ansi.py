"""The table as text: `table(game)` from above, `table(game, seat=2)` from the eyes of a seat.

What a seat sees is drawn from its observation and the public log, nothing else, so that it cannot show more than the seat may know.
"""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import numpy.typing as npt
from rich.box import ROUNDED
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.compile import CHARACTER_IDS, INCIDENT_IDS, ITEM_IDS, KIND_IDS, ROLE_IDS, compile_cards
from danmaku_env.engine import state as st
from danmaku_env.engine.observe import KNOWN_ENDS, PIECES
from danmaku_env.game import Game
from danmaku_env.wording import CARD_NAMES, CHARACTER_NAMES, INCIDENT_NAMES, ROLE_NAMES, card_name, seat_name, stack_lines

WIDTH = 120
_EVENTS = 8
"""How many of the last public events are shown."""
_TEAM_STYLE = {v.NO_TEAM: "dim", v.HEROINE_TEAM: "red", v.STAGE_TEAM: "blue", v.EXTRA_TEAM: "magenta", v.RIVAL_TEAM: "yellow"}

Array = npt.NDArray[Any]


def table(game: Game, seat: int | None = None, color: bool = True, *, width: int = WIDTH, below: bool = True, asked: bool = True) -> str:
    """Draw a game as lines of text, seen from above (everything) or by a seat; `below` adds the last events and the question.

    `asked` marks the seat that must answer.
    Raises IndexError for a seat beyond the table.
    """
    if seat is not None:
        game.seat(seat)
    console = Console(
        file=io.StringIO(), width=width, force_terminal=color, color_system="standard" if color else None, no_color=not color,
        highlight=False, markup=False, emoji=False, legacy_windows=False,
    )  # fmt: skip
    with console.capture() as captured:
        console.print(_Picture(game, seat, asked).drawing(below))
    return "\n".join(line.rstrip() for line in captured.get().rstrip("\n").split("\n"))


def _pieces(row: Array) -> dict[str, Array]:
    """An observation row cut into its named pieces."""
    pieces, at = {}, 0
    for piece in PIECES:
        size = int(np.prod(piece.shape))
        pieces[piece.name] = row[at : at + size].reshape(piece.shape)
        at += size
    return pieces


def _kind_name(kind: int) -> str:
    return CARD_NAMES.get(KIND_IDS[kind], KIND_IDS[kind])


def _counted(names: list[str]) -> list[str]:
    """Equal names once, with their number."""
    return [name if names.count(name) == 1 else f"{name} ×{names.count(name)}" for name in dict.fromkeys(names)]


def _full_name(card: str) -> str:
    """`shoot/spring` as "Shoot (spring)"."""
    kind, _, season = card.partition("/")
    return f"{CARD_NAMES.get(kind, kind)} ({season})"


def _known_end(rows: Array) -> str:
    """The known cards at an end of the deck, "" when there are none."""
    names = [_full_name(f"{KIND_IDS[kind - 1]}/{v.SEASONS[season - 1]}") if kind else "?" for kind, season in rows[:KNOWN_ENDS].tolist()]
    while names and names[-1] == "?":
        names.pop()
    return ", ".join(names)


class _Picture:
    """One drawing; `viewer` is the seat whose observation it is made of."""

    def __init__(self, game: Game, seat: int | None, asked: bool) -> None:
        self.game = game
        self.seat = seat
        self.asked = asked
        self.players = game.config.num_players
        self.viewer = seat or 0
        self.seen = _pieces(game.observe(self.viewer))

    def drawing(self, below: bool) -> RenderableType:
        parts: list[RenderableType] = [self._headline(), self._middle(), self._seats()]
        parts += [Text(f"  {line}") for line in self._stack()]
        if below:
            parts.append(Text("\n".join(f"· {line}" for line in self._events()), style="dim"))
            parts.append(self._question())
        return Group(*(part for part in parts if not isinstance(part, Text) or part.plain))

    # ---- above the seats

    def _headline(self) -> Text:
        game = self.game
        text = Text("Danmaku!!", style="bold")
        who = "from above" if self.seat is None else f"as seat {self.seat} sees it"
        text.append(f"  {self.players} players, {who}", style="dim")
        if game.turn_number:
            text.append(f"  turn {game.turn_number}: {self._name(game.turn)}, {game.step} step")
        else:
            text.append("  setting up: everybody chooses a character")
        return text

    def _middle(self) -> Text:
        text = Text()
        for number in np.flatnonzero(self.seen["incidents"]):
            text.append(f"Incident: {INCIDENT_NAMES.get(INCIDENT_IDS[number], '')}", style="bold yellow")
            collected = [f"{count} {v.SEASONS[season]}" for season, count in enumerate(self.seen["collected_seasons"]) if count]
            text.append(f" (collected: {', '.join(collected)})  " if collected else "  ")
        if not self.seen["incidents"].any():
            text.append("no incident  ")
        deck, incidents = self.seen["deck_size"].tolist()
        text.append(f"deck {deck}  incidents left {incidents}  discard pile {int(self.seen['discard'].sum())}")
        kind, season = self.seen["discard_top"].tolist()
        if kind:
            text.append(f", top {_full_name(f'{KIND_IDS[kind - 1]}/{v.SEASONS[season - 1]}')}")
        for line in self._private():
            text.append(f"\n{line}")
        return text

    def _private(self) -> list[str]:
        """Cards laid aside, and what the seat knows of the deck."""
        if self.seat is None:
            cards = [int(card) - 1 for card in self.game.record["aside"][: int(self.game.record["aside_size"])]]
            names = [_full_name(card_name(card)) for card in cards if card < st.INCIDENT_CARD]
            return [f"laid aside: {', '.join(_counted(names))}"] if names else []
        lines = []
        aside = [name for kind, count in enumerate(self.seen["aside"]) for name in [_kind_name(kind)] * int(count)]
        aside += [INCIDENT_NAMES[INCIDENT_IDS[number]] for number in np.flatnonzero(self.seen["aside_incidents"])]
        if aside:
            lines.append(f"laid aside: {', '.join(_counted(aside))}")
        for end in ("top", "bottom"):
            if known := _known_end(self.seen[f"known_{end}"]):
                lines.append(f"you know the {end} of the deck: {known}")
        depths = self.seen["known_incidents"]
        known_incidents = [f"{depths[number]}. {INCIDENT_NAMES[INCIDENT_IDS[number]]}" for number in np.argsort(depths) if depths[number]]
        if known_incidents:
            lines.append(f"you know of the incident deck: {', '.join(known_incidents)}")
        return lines

    # ---- the seats

    def _name(self, seat: int) -> str:
        return seat_name(self.game.record, seat)

    def _seats(self) -> Table:
        grid = Table(box=ROUNDED, show_lines=True, expand=True)
        for title, size in (("", 3), ("role", 12), ("character", 13), ("life", 9)):
            grid.add_column(title, width=size, overflow="fold")
        for title, ratio in (("hand", 3), ("items in play", 2), ("", 2)):
            grid.add_column(title, ratio=ratio, overflow="fold")
        for seat in range(self.players):
            place = (seat - self.viewer) % self.players
            active = bool(self.seen["active"][place])
            who = (self._label(seat), self._role(seat, place), self._character(seat, place))
            has = (self._life(place, active), self._hand(seat, place), self._items(place), self._notes(place, active))
            grid.add_row(*who, *has, style=None if active else "dim")
        return grid

    def _label(self, seat: int) -> Text:
        asked = self.asked and self.game.asking == seat and self.seat in (None, seat)
        turn = self.game.turn_number > 0 and self.game.turn == seat
        mark = f"{'▶' if turn else ' '}{'?' if asked else ' '}"
        text = Text(f"{mark}{seat}", style="bold" if turn or asked else "")
        if seat == self.seat:
            text.append("\nyou")
        return text

    def _role(self, seat: int, place: int) -> Text:
        if self.seat is None:
            role = self.game.seat(seat).role
        else:
            known = np.flatnonzero(self.seen["role"][place])
            role = ROLE_IDS[int(known[0]) + 1] if len(known) else "?"
        if role in ("", "?"):
            return Text("no role" if not role and self.seat is None else "?")
        team = int(compile_cards().tables[0]["role_team"][ROLE_IDS.index(role)])
        hidden = not self.game.seat(seat).role_revealed and (self.seat is None or seat == self.seat)
        return Text(ROLE_NAMES.get(role, role) + (" (hidden)" if hidden else ""), style=_TEAM_STYLE[team])

    def _character(self, seat: int, place: int) -> str:
        if self.seat is None and (name := self.game.seat(seat).character):
            return CHARACTER_NAMES.get(name, name)
        number = int(self.seen["character"][place])
        return CHARACTER_NAMES.get(CHARACTER_IDS[number - 1], "") if number else ""

    def _life(self, place: int, active: bool) -> Text:
        if not active:
            return Text("defeated", style="dim")
        if self.game.turn_number == 0:
            return Text("")
        life, most = int(self.seen["life"][place]), int(self.seen["max_life"][place])
        return Text("♥" * life, style="red").append("♡" * max(0, most - life), style="dim").append(f" {life}/{most}", style="")

    def _hand(self, seat: int, place: int) -> str:
        size = int(self.seen["hand_size"][place])
        if self.seat is None:
            return ", ".join(_counted([_full_name(card) for card in self.game.seat(seat).hand])) or "-"
        if seat == self.seat:
            own = [f"{_kind_name(kind)} ({v.SEASONS[season]})" for kind, season in np.argwhere(self.seen["hand"])]
            counts = self.seen["hand"][self.seen["hand"] > 0].tolist()
            return ", ".join(name if count == 1 else f"{name} ×{count}" for name, count in zip(own, counts, strict=True)) or "-"
        known = [name for kind, count in enumerate(self.seen["known_hands"][place]) for name in [_kind_name(kind)] * int(count)]
        cards = f"{size} card{'' if size == 1 else 's'}"
        return f"{cards}, among them {', '.join(_counted(known))}" if known else cards if size else "-"

    def _items(self, place: int) -> str:
        names = [CARD_NAMES.get(ITEM_IDS[slot], "") for slot in range(len(ITEM_IDS)) for _ in range(int(self.seen["items"][place, slot]))]
        return ", ".join(_counted(names))

    def _notes(self, place: int, active: bool) -> str:
        if not active or self.game.turn_number == 0:
            return ""
        seen = self.seen
        notes = ["in your range"] if self.seat is not None and seen["in_range"][place] else []
        if self.seat is None:
            notes.append(f"range {self.game.seat(place).range}")
        if count := int(seen["danmaku_played"][place]):
            notes.append(f"{count} danmaku played")
        words = {"spell_used": "spell used", "ability_used": "ability used", "skip_next": "skips the next turn",
                 "skipped_last": "skipped the last turn", "items_off": "items have no effect"}  # fmt: skip
        notes += [word for name, word in words.items() if seen[name][place]]
        lasting = [(v.LASTING[word], value) for word, value in enumerate(seen["lasting"][place].tolist()) if value]
        notes += [f"{word} {value}" if value > 1 else word for word, value in lasting]
        return ", ".join(notes)

    # ---- below the seats

    def _stack(self) -> list[str]:
        """What is happening: the whole stack from above; what a seat sees of it is the topmost card and the topmost attack."""
        if self.seat is None:
            return stack_lines(self.game.record)
        lines = []
        if (actor := self._seat_in("played_by")) is not None:
            kind, character = self.seen["played"].tolist()
            used = CHARACTER_NAMES.get(CHARACTER_IDS[character - 1], "") if character else "something"
            what = f"plays {_kind_name(kind - 1)}" if kind else f"uses {used}"
            target = self._seat_in("played_on")
            lines.append(f"{self._name(actor)} {what}{'' if target is None else f' on {self._name(target)}'}")
        if (actor := self._seat_in("attack_by")) is not None:
            target, (damage, unavoidable) = self._seat_in("attack_on"), self.seen["attack"].tolist()
            whom = "somebody" if target is None else self._name(target)
            lines.append(f"{self._name(actor)} attacks {whom} for {damage}{', unavoidably' if unavoidable else ''}")
        return lines

    def _seat_in(self, piece: str) -> int | None:
        """The seat a flag piece names."""
        places = np.flatnonzero(self.seen[piece])
        return int(places[0] + self.viewer) % self.players if len(places) else None

    def _events(self) -> list[str]:
        log = self.game.log
        return (log.above() if self.seat is None else log.of(self.seat))[-_EVENTS:]

    def _question(self) -> Text:
        game = self.game
        if game.over:
            winners = ", ".join(self._name(seat) for seat in game.winners)
            return Text(f"Game over, {f'won by {winners}' if winners else game.outcome}.", style="bold green")
        if game.asking is None or self.seat not in (None, game.asking):
            return Text("")
        who = "You are" if self.seat is not None else f"{self._name(game.asking)} is"
        return Text(f"{who} asked {game.question!r}: ", style="bold").append(" | ".join(game.legal()), style="not bold cyan")
