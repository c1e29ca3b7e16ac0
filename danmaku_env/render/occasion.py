"""What a question is about: the text that asks, what is done with the answer, and the card or attack that it answers.

It is read from the frame on top of the stack, for the seat that is asked, or from above. The next rows of the program tell what is done
with an answer, so a new card has its words at once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.box import BASE_GAME, CHARACTER_IDS, INCIDENT_IDS, KIND_IDS, ROLE_IDS
from danmaku_env.cards.compile import compile_cards
from danmaku_env.cards.encyclopedia import pages
from danmaku_env.cards.lint.texts import decision
from danmaku_env.cards.sentences import Narrator, sentence
from danmaku_env.cards.tables import R_C, R_CODE, T_ANNOUNCE, T_CHARACTER, T_INCIDENT, T_KIND, T_RESOLVE, T_ROLE
from danmaku_env.engine import actions
from danmaku_env.engine import frames as fr
from danmaku_env.engine import state as st
from danmaku_env.engine.observation import OFFSETS
from danmaku_env.engine.operations.flow import FLIP_UNIT, FLIP_UNITS
from danmaku_env.engine.queries import PRICE
from danmaku_env.game import Game
from danmaku_env.wording import CARD_NAMES, CHARACTER_NAMES, INCIDENT_NAMES, announced, seat_name

_BEARERS = ((T_KIND, KIND_IDS), (T_CHARACTER, CHARACTER_IDS), (T_INCIDENT, INCIDENT_IDS), (T_ROLE, ROLE_IDS))
"""Columns of a text that say on what it is printed, and the ids they count from 1."""
_LOOPS = (v.JUMP, v.NEXT_EACH, v.COUNT_DOWN)
"""Rows that no sentence of a program is about."""
_HAPPENED = {v.LIFE_GONE: "has lost life", v.DREW: "has drawn cards"}
"""What happened to whom, in windows that are about a player."""
_MISSED: dict[v.TimingEvent | None, str] = {v.AVOIDING: "is about to be avoided"}


def bearer(text: int) -> str:
    """The id of the card, character, incident or role that a text is printed on; "" where it is none of these."""
    row = compile_cards().tables[0]["text"][text]
    return next((ids[int(row[column]) - 1] for column, ids in _BEARERS if row[column]), "")


class Occasion:
    """The pending question of a game; raises nothing where nobody printed asks, and says "" then."""

    def __init__(self, game: Game) -> None:
        assert game.asking is not None
        self.game, self.seat, self.word = game, game.asking, game.question
        self._s = game.record
        self._top = int(self._s["depth"]) - 1
        self._frame: list[int] = self._s["stack"][self._top].tolist()
        self._procedure = self._frame[fr.PROCEDURE]
        self._compiled = compile_cards()
        self._text = self._frame[fr.PLAY_TEXT] if self._procedure == fr.PLAY_FRAME else 0
        self._rows = list(self._program(self._frame[fr.PLAY_PC] if self._text else 0))

    # ---- who asks

    @property
    def asker(self) -> str:
        """The id of the card, character, incident or role on which that is printed which asks."""
        if self._procedure == fr.DRAWING_FRAME:
            return self._bearer(v.CALLS_SEASONS)
        if self._procedure != fr.PLAY_FRAME:
            return ""
        if not self._text:  # which of two texts is meant is asked
            return actions.ACTION_IDS[self._frame[fr.PLAY_ACTION]].partition(" ")[2]
        return bearer(self._text)

    @property
    def title(self) -> str:
        """What asks, by its name: a Spell Card by its own."""
        if self._text:
            return self._compiled.titles[self._text]
        return pages()[self.asker].name if self.asker in pages() else ""

    @property
    def text(self) -> str:
        """What is printed there: of the Spell Card, the half or the use that asks, else of all that its owner has printed."""
        source = self._compiled.texts[self._text]
        if source is not None and source.text:
            return source.text
        return pages()[self.asker].summary if self.asker in pages() else ""

    def _bearer(self, stat: v.Stat) -> str:
        """The character by whose ability the seat has a rule of its own."""
        has = int(self._s["abilities"][self.seat])
        bearers = (one.id for one in BASE_GAME.all_characters if stat in one.modifiers and has >> CHARACTER_IDS.index(one.id) & 1)
        return next(bearers, "")

    @property
    def halved(self) -> str:
        """The id of the card or character of whose two halves or abilities one is to be named: what asks, or the card flipped."""
        if not self._text:
            return self.asker
        number = int(self.game.observe(self.seat)[OFFSETS["chosen_kind"]])
        return KIND_IDS[number - 1] if number else ""

    # ---- the program

    @property
    def op(self) -> v.Op | None:
        """The row that asks."""
        return self._rows[0] if self._rows else None

    def _program(self, pc: int) -> Iterator[v.Op]:
        """The row at `pc` of the text that asks and those after it, as they are written."""
        source = self._compiled.texts[self._text]
        if source is None or not pc:
            return
        tables = self._compiled.tables[0]
        starts = [int(tables["text"][self._text][column]) for column in (T_ANNOUNCE, T_RESOLVE)]
        written = decision(source) if starts[0] and not source.announce else (source.announce, source.resolve)
        programs = list(zip(starts, written, strict=True))
        for place, (start, program) in enumerate(programs):
            rows = list(v.every_row(program))
            passed = [code for code in tables["program"][start:pc, R_CODE].tolist() if code not in _LOOPS]
            if start and start <= pc and len(passed) < len(rows):
                for first, later in programs[place:]:  # one lies behind the other
                    yield from self._rows_to_come(first, later, pc)
                return

    def _rows_to_come(self, start: int, program: v.Program, pc: int) -> Iterator[v.Op]:
        """The rows of a program from `pc` on, without those under a condition that is known not to hold."""
        rows, at, hidden = self._compiled.tables[0]["program"], start, set[int]()
        for op in v.every_row(program):
            while rows[at, R_CODE] in _LOOPS:
                at += 1
            if op.code == v.IF and (holds := self._holds(op, at)) is not None:
                otherwise = int(rows[at, R_C])
                end = int(rows[otherwise - 1, R_C]) if rows[otherwise - 1, R_CODE] == v.JUMP else 0
                hidden.update(range(otherwise, end) if holds else range(at + 1, otherwise))
            if at >= pc and at not in hidden and op.code != v.DECLINE:
                yield op
            at += 1

    def _holds(self, op: v.Op, at: int) -> bool | None:
        """Whether the condition of an `if` in row `at` holds; None where that is not known yet, or matters to no sentence."""
        flipped = 0
        if v.FLIP_1 <= op.a <= v.FLIP_3:
            flipped = self._frame[fr.PLAY_AMOUNT] // FLIP_UNITS[op.a - v.FLIP_1] % FLIP_UNIT
        elif op.a == v.FLIPPED and v.FLIP not in self._compiled.tables[0]["program"][self._frame[fr.PLAY_PC] : at, R_CODE].tolist():
            flipped = self._frame[fr.PLAY_FLIPPED]
        elif op.a == v.ATTACKER_IN_RANGE and (attacker := self._who(v.ATTACKER)) is not None:
            return self.game.in_range(self._frame[fr.SEAT], attacker)
        return bool(op.b >> flipped - 1 & 1) if flipped else None

    def _then(self, is_meant: Callable[[v.Op], bool]) -> str:
        """The first of the next rows that is meant, as a sentence about the seats at the table; "" where there is none."""
        narrator = self._narrator()
        for op in self._rows[1:]:
            if is_meant(op):
                return self._sentence(op, narrator)
            _hear(narrator, op)
        return ""

    def _what_becomes_of(self, seat: v.SeatOperand) -> str:
        """What is done with the player who is to be named, also in a loop over the players named."""
        narrator, words, unless = self._narrator(), {seat}, ""
        for op in self._rows[1:]:
            if op.code == v.START_EACH:
                words = words | {v.EACH} if seat in _LOOPED.get(v.Group(op.a), ()) else words - {v.EACH} | {seat}
            elif words.intersection(_seats(op)) and not v.OPERATIONS[op.code].jumps:
                return self._sentence(op, narrator) + unless
            elif op.code == v.DISCARD_OR:
                unless = f", unless a {'danmaku ' * (op.b == v.DANMAKU)}card is discarded" if op.a in words else ""
            _hear(narrator, op)
        return ""

    def _if_discarded(self) -> str:
        """What happens where a card is discarded, that is, where a `discard_or` leads."""
        row = self._compiled.tables[0]["program"][self._frame[fr.PLAY_PC]]
        found = next(iter(self._program(int(row[R_C]))), None)
        if found is None or found.code == v.END or v.OPERATIONS[found.code].jumps:
            return ""
        return "you hand the attack on" if found.code == v.HAND_ON_ATTACK else self._sentence(found, self._narrator())

    def _narrator(self) -> Narrator:
        narrator = Narrator(incident=self.asker in INCIDENT_IDS)
        if any(op.code == v.CHOOSE_END for op in self._rows[1:]):
            narrator.end = "the top or the bottom"
        return narrator

    def _sentence(self, op: v.Op, narrator: Narrator) -> str:
        """A row in words, with names for the seats that are known; "" for what another player does."""
        operands, unknown = list(op[1:]), "that player"
        for place, operand in enumerate(v.OPERATIONS[op.code].operands):
            if operand.kind is not v.Kind.SEAT:
                continue
            word = int(operands[place])
            seat = self._who(word)
            if seat == self.seat:
                operands[place] = v.ME
            elif seat is not None:
                operands[place] = v.CURRENT
                narrator.who[v.CURRENT] = self._name(seat)
            elif word in _NAMED:
                narrator.who[word], unknown = unknown, "another player"
        words = sentence(v.Op(op.code, *operands), narrator)
        if self._frame[fr.SEAT] != self.seat and v.OPERATIONS[op.code].english.startswith("you"):
            return ""
        return _shortened(words, "it" if self.word in _OF_A_CARD else "the card")

    def _who(self, word: int) -> int | None:
        """The seat that a word of the program stands for, where that is settled and not what is asked."""
        if word == v.ME:
            return self._frame[fr.SEAT]
        columns = {v.CHOSEN: fr.PLAY_CHOSEN, v.SECOND: fr.PLAY_SECOND, v.EACH: fr.PLAY_EACH}
        if word in columns:
            return self._frame[columns[v.SeatOperand(word)]] - 1 if self._frame[columns[v.SeatOperand(word)]] else None
        if word == v.CURRENT:
            return int(self._s["current"])
        subject = self._subject()
        if subject is None:
            return None
        frame = self._s["stack"][subject].tolist()
        if frame[fr.PROCEDURE] == fr.ATTACK_FRAME:
            return {v.ATTACKER: frame[fr.SEAT], v.ATTACKED_ONE: frame[fr.ATTACK_TARGET] - 1}.get(v.SeatOperand(word))
        return frame[fr.SEAT] if word == v.ITS_PLAYER and frame[fr.PROCEDURE] == fr.PLAY_FRAME else None

    # ---- names

    def _name(self, seat: int) -> str:
        return "you" if seat == self.seat else seat_name(self._s, seat)

    def _of(self, seat: int, what: str) -> str:
        """`your hand`, `the hand of seat 2 (Cirno)`."""
        return f"your {what}" if seat == self.seat else f"the {what} of {self._name(seat)}"

    def about(self) -> str:
        """The name of the card or incident that the question is about; "" where the seat may know none, or where it is what asks."""
        if number := int(self.game.observe(self.seat)[OFFSETS["chosen_kind"]]):
            name = CARD_NAMES[KIND_IDS[number - 1]]
            return "" if self.game.question == "season" and name == self.title else name
        pick = self._frame[fr.PLAY_PICK] - 1 if self._text else -1
        return INCIDENT_NAMES[INCIDENT_IDS[pick - st.INCIDENT_CARD]] if pick >= st.INCIDENT_CARD else ""

    # ---- what it answers

    def _subject(self) -> int | None:
        """The frame that is answered."""
        column = {fr.PLAY_FRAME: fr.PLAY_SUBJECT, fr.WINDOW_FRAME: fr.WINDOW_SUBJECT}.get(self._procedure)
        return self._frame[column] - 1 if column is not None and self._frame[column] else None

    def answered_effect(self) -> str:
        """The card or attack that is answered, in words: whose, which, on whom; "" where nothing is."""
        subject = self._subject()
        return "" if subject is None else self._effect_in_words(subject)

    def answers_cancelled(self) -> bool:
        """Whether what is answered is a card or Spell Card that has been cancelled."""
        if (subject := self._subject()) is None:
            return False
        frame = self._s["stack"][subject]
        return bool(frame[fr.PROCEDURE] == fr.PLAY_FRAME and frame[fr.PLAY_FLAGS] & fr.IS_CANCELLED)

    def _effect_in_words(self, place: int) -> str:
        frame = self._s["stack"][place].tolist()
        who, ending = self._name(frame[fr.SEAT]), "" if frame[fr.SEAT] == self.seat else "s"
        if frame[fr.PROCEDURE] == fr.ATTACK_FRAME:
            whom, sure = self._name(frame[fr.ATTACK_TARGET] - 1), ", unavoidably" * bool(frame[fr.ATTACK_FLAGS] & fr.IS_UNAVOIDABLE)
            with_what = self._compiled.titles[frame[fr.ATTACK_TEXT]]
            return f"{who} attack{ending} {whom} with {with_what}, for {frame[fr.ATTACK_DAMAGE]} life{sure}"
        if frame[fr.PROCEDURE] != fr.PLAY_FRAME or not frame[fr.PLAY_TEXT]:
            return ""
        title = self._compiled.titles[frame[fr.PLAY_TEXT]]
        is_spell, is_card = frame[fr.PLAY_FLAGS] & fr.IS_SPELL, frame[fr.PLAY_CARD]
        verb = f"activate{ending} the Spell Card" if is_spell else f"play{ending}" if is_card else f"use{ending}"
        return f"{who} {verb} {title}{announced(self._s, frame, self._name)}"

    # ---- the question

    def words(self) -> str:
        """The question as one asks a person, without what asks."""
        said = _WORDS.get(self.word, Occasion._other)(self)
        effect = self.answered_effect() if self._procedure == fr.PLAY_FRAME else ""
        if not effect and self._text and self._frame[fr.SEAT] != self.seat and self.asker not in INCIDENT_IDS:
            effect = self._effect_in_words(self._top)
        return f"{_sentence(effect)} {said}" if effect else said

    def _other(self) -> str:
        return PLAIN[self.word]

    def _purpose(self, asked: str, then: str) -> str:
        return f"{asked} {_sentence(then)}" if then else asked

    def _window(self) -> str:
        effect, event = self.answered_effect(), v.TimingEvent(self._frame[fr.WINDOW_EVENT]) if self._procedure == fr.WINDOW_FRAME else None
        asked = PLAIN[self.word]
        if event in _HAPPENED and self._frame[fr.WINDOW_OWNER]:
            owner = self._frame[fr.WINDOW_OWNER] - 1
            happened = _HAPPENED[event] if owner != self.seat else _HAPPENED[event].replace("has", "have", 1)
            return f"{_sentence(f'{self._name(owner)} {happened}')} Do something now?"
        if not effect:
            return asked
        missed = "is cancelled already" if self.answers_cancelled() else _MISSED.get(event)
        return f"{_sentence(f'{effect}, which {missed}')} Do something about that?" if missed else f"{_sentence(effect)} {asked}"

    def _rescue(self) -> str:
        fallen = [seat.index for seat in self.game.seats if not seat.defeated and seat.life == 0]
        if not fallen:
            return PLAIN["rescue"]
        names = " and ".join(self._name(seat) for seat in fallen)
        there = _sentence(f"{names} {_are(fallen, self.seat)} at 0 life")
        laws = self._compiled.tables[0]["laws"][self._s["incidents"][: int(self._s["incident_size"])] - 1]
        if (laws & v.NO_HEALING).any():
            return f"{there} Nobody can be brought back now. Do something before that is settled?"
        return f"{there} The last chance to bring them back!"

    def _target(self) -> str:
        if self.op is not None and self.op.code == v.HAND_ON_ATTACK:
            return "To which player do you hand the attack on?"
        how = self.op.c if self.op is not None and isinstance(self.op.c, int) else 0
        seat = v.EACH if how & v.AS_THIRD else v.SECOND if how & v.AS_SECOND else v.CHOSEN
        asked = "Which other player?" if how & v.DISTINCT else PLAIN["target"]
        return self._purpose(asked, self._what_becomes_of(seat))

    def _item(self) -> str:
        if self.op is not None and self.op.code == v.PAY_ITEM:
            return "Which of your items do you discard?"
        owner = self._who(int(self.op.a)) if self.op is not None else None
        asked = PLAIN["item"] if owner is None else f"Which item of {'yours' if owner == self.seat else self._name(owner)}?"
        return self._purpose(asked, self._then(_uses_pick))

    def _card(self) -> str:
        code, owner = (self.op.code, self._who(int(self.op.a))) if self.op is not None else (-1, None)
        named = {
            v.CHOOSE_CARD: "Which card of your hand?", v.CHOOSE_DISCARD: "Which card of the discard pile?",
            v.CHOOSE_COLLECTED: "Which of the cards that incidents have collected?",
        }  # fmt: skip
        if code == v.SHOW_CARD and owner is not None:
            return f"Which card do you show to {self._name(owner)}?"
        if code == v.CHOOSE_FROM_HAND and owner is not None:
            named[code] = f"Which card of {self._of(owner, 'hand')}?"
        return self._purpose(named.get(code, PLAIN["card"]), self._then(_uses_pick))

    def _pay(self) -> str:
        asked, paid = PLAIN["pay"], self._frame[fr.PLAY_AMOUNT]
        if self.op is not None and self.op.code == v.PAY_POINTS:
            return f"{asked} Worth {paid} of {self.op.a} points so far."
        return asked

    def _boost(self) -> str:
        """Cards thrown in: for how much range against whom, and whether it is enough."""
        thrown = self._frame[fr.PLAY_AMOUNT]
        if self.op is None or self.op.code != v.BOOST:
            return f"Discard one more card? So far {thrown}."
        target = self._frame[fr.PLAY_CHOSEN] - 1
        asked, whom = f"So far {thrown} thrown in.", self._name(target)
        if actions.PASS in self.game.legal_actions():
            return f"Discard a danmaku card more for +1 range? You attack {whom}, who is in range. {asked}"
        missing = cards_for_range(self.game)
        return f"Which danmaku card do you discard for +1 range? {_sentence(whom)[:-1]} is out of range by {missing}. {asked}"

    def _may(self) -> str:
        code = self.op.code if self.op is not None else -1
        if self._procedure == fr.DRAWING_FRAME:
            card = self._frame[fr.DRAWING_CARD] - 1
            shown = CARD_NAMES[KIND_IDS[int(self._compiled.tables[0]["card_kind"][card])]] if card >= 0 else "it"
            return f"Show {shown} to all and draw one more?"
        if code == v.FLIP_AND_PLAY and self._frame[fr.PLAY_PICK]:
            return "Play it at once, uncounted?"
        if code != v.MAY:  # whoever flips may flip two
            return f"Flip two cards, and choose which one counts ({CHARACTER_NAMES.get(self._bearer(v.FLIPS_TWICE), 'your ability')})?"
        then = self._then(lambda op: op.code != v.IF)
        return f"{PLAIN['may']} If so, {then}." if then else PLAIN["may"]

    def _number(self) -> str:
        if self.op is not None and self.op.code == v.CHOOSE_OPTIONS:
            return f"Which option?{self._so_far([str(bit + 1) for bit in self._bits()], int(self.op.a))}"
        return PLAIN["number"]

    def _season(self) -> str:
        if self._procedure == fr.DRAWING_FRAME:
            return "Which season do you name for the next card that you draw?"
        if self._s["pending_kind"]:
            return PLAIN["season"]
        if self.op is not None and self.op.code == v.CHOOSE_SEASONS:
            return f"Which season do you name?{self._so_far([v.SEASONS[bit] for bit in self._bits()], int(self.op.a))}"
        return "The season of which of the two cards flipped counts?"

    def _bits(self) -> list[int]:
        return [bit for bit in range(self._frame[fr.PLAY_AMOUNT].bit_length()) if self._frame[fr.PLAY_AMOUNT] >> bit & 1]

    def _so_far(self, named: list[str], count: int) -> str:
        """Behind a question that is put several times: which time it is, and what has been named."""
        if count == 1:
            return ""
        return f" ({len(named) + 1} of {count}{'; named: ' * bool(named)}{', '.join(named)})"

    def _deck(self) -> str:
        if self._procedure == fr.TURN_FRAME:
            return "Does one more card of your draw step come from the Lunatic deck? The Main deck stands for all that are left."
        if self.op is not None and self.op.code in (v.SEARCH_ITEM, v.CHOOSE_SEARCH):
            return "Which deck do you search?"
        return PLAIN["deck"]

    def _aside(self) -> str:
        code = self.op.code if self.op is not None else -1
        if code == v.TAKE_WORTH:
            points = self._frame[fr.PLAY_AMOUNT]
            return f"Which of the cards laid aside do you take? You have taken {points} of {self.op.a} points."  # type: ignore[union-attr]
        if code == v.SEARCH_ITEM:
            return "Which of the cards found do you put into play?"
        if code != v.CHOOSE_ASIDE:
            return "Which of the cards flipped counts?"
        return self._purpose(PLAIN["aside"], self._then(_uses_pick))

    def _end(self) -> str:
        return self._purpose(PLAIN["end"], "" if self.about() else self._then(lambda op: op.code in (v.REVEAL, v.LOOK, v.COLLECT_TOP)))

    def _half(self) -> str:
        if self._text:
            return "Which half of it do you play, uncounted?"
        return "Which of its halves do you play?" if self.asker in KIND_IDS else "Which of the two abilities do you use?"

    def _incident(self) -> str:
        then = {
            v.SEARCH_INCIDENT: "It goes on top of the incident deck.", v.RESOLVE_INCIDENT: "It is resolved.",
        }.get(self.op.code if self.op is not None else -1)  # fmt: skip
        return f"{PLAIN['incident']} {then}" if then else self._purpose(PLAIN["incident"], self._then(_uses_pick))

    def _character(self) -> str:
        return "Which Extra Character do you recruit?" if self._text else PLAIN["character"]

    def _extra(self) -> str:
        return self._purpose(PLAIN["extra"], self._then(lambda op: op.code in (v.DISMISS, v.REPLACE_EXTRA)))

    def _discard(self) -> str:
        if self._procedure == fr.TRIM_FRAME:
            mine = self.game.seat(self.seat)
            size = self._frame[fr.TRIM_SIZE] or mine.max_hand
            return f"{PLAIN['discard']} You may keep {size} of {len(mine.hand)}."
        if self.op is None or self.op.code != v.DISCARD_OR:
            return PLAIN["discard"]
        asked = "Which danmaku card do you discard?" if self.op.b == v.DANMAKU else PLAIN["discard"]
        otherwise, then = self._then(lambda op: op.code != v.IF), self._if_discarded()
        if self._compiled.tables[0]["program"][self._frame[fr.PLAY_PC] + 1, R_CODE] == v.DECLINE:  # then it does not happen
            otherwise, then = "", otherwise
        parts = [asked, f"If you do, {then}." if then else "", f"If not, {otherwise}." if otherwise else ""]
        return " ".join(filter(None, parts))

    def _powerup(self) -> str:
        attacker = self._name(self._frame[fr.SEAT]) if self._procedure == fr.ATTACK_FRAME else ""
        return f"{_sentence(f'the attack of {attacker} has hit you')} {PLAIN['powerup']}" if attacker else PLAIN["powerup"]

    def _limit(self) -> str:
        owner = self._frame[fr.SEAT]
        if owner == self.seat:
            return PLAIN["limit"]
        return f"{_sentence(f'{self._name(owner)} can keep only one')[:-1]}: which is discarded?"

    def _exchange(self) -> str:
        return f"{PLAIN['exchange']} Given so far: {self._frame[fr.EXCHANGE_POINTS]} of {PRICE} points."


PLAIN = {
    "main": "Your main step: play, use or activate something, or end the step.", "cancel": "Cancel it?",
    "respond": "Do something before its effects come?", "attacked": "Do something about the attack?",
    "rescue": "Somebody is at 0 life. The last chance to bring them back!", "step": "Do something now, before the game goes on?",
    "target": "Which player?", "second target": "Which player?", "item": "Which item?", "card": "Which card?",
    "pay": "Which card do you discard as the cost?", "discard": "Which card do you discard?", "boost": "Discard one more for more?",
    "may": "Will you?", "number": "Which number?", "type": "Which type of cards?", "deck": "Which deck?",
    "aside": "Which of the cards laid aside?", "end": "On top of the deck, or at the bottom?", "season": "Of which season?",
    "half": "Which of the two?", "spell": "Whose Spell Card?", "character": "Which character do you take?",
    "incident": "Which incident?", "powerup": "Which powerup do you lose?", "limit": "You can keep only one: which do you discard?",
    "controller": "Who is to control it?", "copy": "Of the Main deck, or of the Lunatic deck?",
    "turn zero": "Before the first turn: put an item into play or trade for a Lunatic card, or be done.",
    "exchange": "Which card do you give for the Lunatic card?", "extra": "Which Extra Character?", "ability": "Whose ability?",
    "ban": "Which character is to be left out?",
}  # fmt: skip
"""What each question asks, as one asks a person who knows what it is about."""

_WORDS: dict[str, Callable[[Occasion], str]] = {
    "cancel": Occasion._window, "respond": Occasion._window, "attacked": Occasion._window, "step": Occasion._window,
    "rescue": Occasion._rescue, "target": Occasion._target, "second target": Occasion._target, "item": Occasion._item,
    "card": Occasion._card, "pay": Occasion._pay, "boost": Occasion._boost, "may": Occasion._may, "number": Occasion._number,
    "season": Occasion._season, "deck": Occasion._deck, "aside": Occasion._aside, "end": Occasion._end, "half": Occasion._half,
    "incident": Occasion._incident, "character": Occasion._character, "extra": Occasion._extra, "discard": Occasion._discard,
    "powerup": Occasion._powerup, "limit": Occasion._limit, "exchange": Occasion._exchange,
}  # fmt: skip


def _are(seats: list[int], me: int) -> str:
    return "are" if len(seats) > 1 or seats == [me] else "is"


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}." if words else ""


_NAMED = (v.CHOSEN, v.SECOND, v.EACH)
"""Words for seats that a text names as it goes."""
_LOOPED = {v.THE_CHOSEN: (v.CHOSEN,), v.THE_PAIR: (v.CHOSEN, v.SECOND), v.CHOSEN_AND_NEXT: (v.CHOSEN,)}
"""Groups of a loop that are players named."""


_OF_A_CARD = ("card", "aside", "item", "incident", "end")
"""Questions that are about what is picked."""


def _hear(narrator: Narrator, op: v.Op) -> None:
    """Remember what a row settles; which end of a deck is still to be named."""
    if op.code != v.CHOOSE_END:
        narrator.hear(op)


def _shortened(words: str, picked: str) -> str:
    """A sentence of a program without what is plain where it is said."""
    words = re.sub(r"the picked (card( of your hand)?|item)", picked, words)
    words = re.sub(r", if [^,]* still controls? it, is", " is", words)
    return words.replace("the chosen player", "that player").replace(", if any, is", " is")


def _seats(op: v.Op) -> list[int]:
    """The words for seats that stand in a row."""
    places = zip(v.OPERATIONS[op.code].operands, op[1:], strict=True)
    return [int(value) for operand, value in places if operand.kind is v.Kind.SEAT]


def _uses_pick(op: v.Op) -> bool:
    return any(read.register is v.Register.PICK for read in v.OPERATIONS[op.code].reads)


# ---------------------------------------------------------------- a target out of range


def price_of_target(game: Game, other: int) -> int:
    """Danmaku cards that must be thrown in to reach a seat that may be chosen as a target; 0 where none must (C-18)."""
    op = Occasion(game).op
    if game.question != "target" or op is None or op.code != v.CHOOSE_PLAYER or op.a != v.REACHABLE:
        return 0
    assert game.asking is not None
    if game.in_range(game.asking, other):
        return 0
    chosen = _asked_everything(game)
    chosen.act(f"choose seat:{other}")
    return cards_for_range(chosen)


def cards_for_range(game: Game) -> int:
    """Cards that must still be thrown in before the seat that is asked may stop."""
    trying, count = _asked_everything(game), 0
    while trying.asking == game.asking and trying.question in ("boost", "season", "copy") and "pass" not in trying.legal():
        count += trying.question == "boost"
        trying.act(trying.legal_actions()[0])
    return count


def _asked_everything(game: Game) -> Game:
    """A copy in which forced answers are asked for too, so that they can be counted."""
    records = game.records.copy()
    records["config"] |= st.ASK_FORCED
    return Game.from_trusted_record(records, game.config)
