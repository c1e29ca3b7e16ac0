"""A reader of docs/cards.md: it carries out what a program says in English, on a table of its own, and knows nothing of the engine.

It is written from the sentences alone. It is told which questions the engine put and what was answered; that the right seat was asked for
the right things is checked on the way. What it has in the end is compared with what the engine has.
"""

import re
from collections import Counter

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.box import BASE_GAME
from danmaku_env.engine import state as st
from danmaku_env.wording import INCIDENT_NAMES

REPRINTS = BASE_GAME.expansion.reprints
CARDS = [(card, season) for card in BASE_GAME.all_cards for season in card.seasons.split()]
"""Physical card -> what is printed on it: first the base game, last the Lunatic deck."""
FIRST_LUNATIC = len(CARDS)
CARDS += [(card, season) for card in BASE_GAME.all_cards for season in (card.lunatic or REPRINTS.get(card.id, "")).split()]
INCIDENTS = list(INCIDENT_NAMES)
WINDOWS = ("main", "cancel", "respond", "attacked", "rescue", "step")
ALL_DISTANCES = "all distances are this number"
DECK, LUNATIC, HAND, ASIDE, DISCARD, IN_PLAY, PLAYED, COLLECTED = (place.value for place in v.Place)


ROLE_SEASONS = {"heroine": "summer", "rival": "summer", "partner": "spring", "stage_boss": "autumn", "ex_boss": "winter"}
HARDIER = ("heroine", "ex_boss_revealed", "true_phantom_boss", "true_phantasm_boss", "secret_boss_discovered", "tag_team")
"""Roles with a life more."""
NAMES_OF_THE_AMOUNT = (
    "the number named", "the number of cards discarded", "the amount", "the points of the cards taken",
    "the points of the item discarded (1 without one)", "the number of Lunatic cards discarded", "the points of the cards discarded",
    "the number of those rounds",
)  # fmt: skip


class Misread(AssertionError):  # noqa: N818
    """The engine asked something else than the sentence says, or the sentence is in no language the reader knows."""


class EndsHere(Exception):  # noqa: N818
    """The effect ends here."""


def kind(card):
    return CARDS[card][0].id


def is_lunatic(card):
    return card >= FIRST_LUNATIC


def name_of(card):
    reprinted = is_lunatic(card) and CARDS[card][0].seasons
    return f"{'lunatic_' * bool(reprinted)}{kind(card)}/{CARDS[card][1]}"


def types(card):
    return CARDS[card][0].types


def type_bits(words):
    """Bits of `danmaku or dodge`, `danmaku, dodge or item`; 0 for any."""
    names = re.split(r", | or ", words.strip()) if words.strip() else []
    return sum(1 << v.TYPES.index(name) for name in names)


def is_of(card, bits):
    return bits == 0 or bool(types(card) & bits)


class Table:
    """Where everything is, as far as programs can move it."""

    def __init__(self, game):
        s = game.record
        self.seats = range(game.config.num_players)
        zone, holder = s["zone"].tolist(), s["holder"].tolist()
        cards = range(len(CARDS))
        self.hands = [{card for card in cards if zone[card] == st.IN_HAND and holder[card] == seat} for seat in self.seats]
        self.items = [{card for card in cards if zone[card] == st.IN_PLAY and holder[card] == seat} for seat in self.seats]
        self.deck = [int(card) - 1 for card in s["deck"][: int(s["deck_size"])]]
        self.expansion = game.config.expansion != "none"
        self.lunatic_deck = [int(card) - 1 for card in s["lunatic_deck"][: int(s["lunatic_deck_size"])]]
        self.discard = Counter(card for card in cards if zone[card] in (st.IN_DISCARD, st.IN_LUNATIC_DISCARD))
        self.discard_order = [int(card) - 1 for card in s["discard"][: int(s["discard_size"])]]
        self.played = {card for card in cards if zone[card] == st.BEING_PLAYED}
        self.collected = {card for card in cards if zone[card] == st.COLLECTED}
        self.aside = [int(card) - 1 for card in s["aside"][: int(s["aside_size"])]]
        self.seen = [int(seen) for seen in s["seen_by"][: len(CARDS)]]
        self.life = s["life"][: len(self.seats)].tolist()
        self.roles = [game.seat(seat).role for seat in self.seats]
        self.lasting = [tuple(row) for row in s["lasting"][: int(s["lasting_size"])].tolist()]
        self.incidents = [int(incident) - 1 for incident in s["incidents"][: int(s["incident_size"])]]
        self.incident_deck = [int(incident) - 1 for incident in s["incident_deck"][: int(s["incident_deck_size"])]]
        self.skip_next = s["skip_next"][: len(self.seats)].tolist()
        self.role_seen = s["role_seen"][: len(self.seats)].tolist()
        self.flags = {name: int(s[name]) for name in ("skipping", "skip_incident", "action_ban", "extra_turn")}
        self.current = int(s["current"])
        self.spared = int(s["spared"])

    def facts(self, played):
        """All of it, by names: copies that look alike are alike. Without the cards being played, and what is known of cards."""
        facts = {name: value for name, value in vars(self).items() if name not in ("seats", "seen", "played", "discard_order")}
        for piles in ("hands", "items"):
            facts[piles] = [Counter(map(name_of, cards)) for cards in facts[piles]]
        facts["discard"] = Counter(name_of(card) for card in self.discard.elements() if card not in played)
        facts["collected"] = Counter(map(name_of, self.collected))
        facts["deck"], facts["lunatic_deck"] = list(map(name_of, self.deck)), list(map(name_of, self.lunatic_deck))
        return facts


class Reader:
    """Reads the English of one text of `me`. `asked`: (seat, question, legal answers, answer) in order; `subject`: what is answered.

    `card`: the card that is played for it, `item`: the item it is a text of, `answered`: the card it answers, where there is one.
    """

    def __init__(self, table, me, asked, log, *, attacker=None, attacked=None, targets=(), card=None, item=None, answered=None):
        self.table = table
        self.me = me
        self.asked = [entry for entry in asked if entry[1] not in WINDOWS]
        self.log = list(log)
        self.attacker, self.attacked, self.targets = attacker, attacked, targets
        self.chosen = self.second = self.third = self.each = None
        self.amount = self.flip = self.deck_named = self.end = None
        self.pick = None
        self.avoided = self.cancelled = False
        self.copies = 0
        self.card, self.item, self.answered = card, item, answered
        self.more_draws = 0
        self.drawn_for_life = 0
        self.due = self.keeper = None
        self.shuffled_incidents, self.fetched_incidents = False, 0
        self.shuffled_decks = set()
        self.sentence = ""
        self.options, self.seasons, self.flips = set(), set(), {}
        self.role_revealed = False
        self.questions, self.moved = {}, {}
        self.looked = set()

    # ---------------------------------------------------------------- questions

    def ask(self, question, seat, options):
        """The answer to the next question, which must have been this one."""
        if not self.asked:
            raise Misread(f"{self.sentence!r} asks seat {seat} {question!r}; nothing was asked")
        asker, word, legal, answer = self.asked.pop(0)
        if (asker, word, set(legal)) != (seat, question, set(options)):
            raise Misread(f"{self.sentence!r} asks seat {seat} {question!r}: {sorted(options)}; asked was seat {asker} {word!r}: {legal}")
        self.questions.setdefault(self.sentence, set()).add(question)
        return answer

    def ask_seat(self, question, seat, seats, may_pass):
        if not seats:
            return None
        answer = self.ask(question, seat, [f"choose seat:{other}" for other in seats] + ["pass"] * may_pass)
        return None if answer == "pass" else int(answer.removeprefix("choose seat:"))

    def ask_card(self, question, seat, cards, may_pass=False, *, which_copy=False):
        """One of the cards, by kind; who may decline is asked in any case. Which copy, where it matters (C-19): else it is the first."""
        if not cards and not may_pass:
            return None
        answer = self.ask(question, seat, [f"choose card:{name}" for name in {kind(card) for card in cards}] + ["pass"] * may_pass)
        if answer == "pass":
            return None
        copies = [card for card in cards if kind(card) == answer.removeprefix("choose card:")]
        seasons = {CARDS[card][1] for card in copies}
        backs = {is_lunatic(card) for card in copies}
        if len(backs) > 1:
            deck = self.ask("copy", seat, ["choose deck:main", "choose deck:lunatic"])
            copies = [card for card in copies if is_lunatic(card) == (deck == "choose deck:lunatic")]
            seasons = {CARDS[card][1] for card in copies}
        if which_copy and len(seasons) > 1:
            season = self.ask("season", seat, [f"choose season:{name}" for name in seasons]).removeprefix("choose season:")
            copies = [card for card in copies if CARDS[card][1] == season]
        return min(copies, key=lambda card: (is_lunatic(card), CARDS.index(CARDS[card]), card))

    def by_chance(self, word, seat, cards):
        """The card among those that the log says was moved by chance."""
        for place, event in enumerate(self.log):
            if event.word == word and event.actor == seat and event.card:
                del self.log[place]
                return min(card for card in cards if name_of(card) == event.card)
        raise Misread(f"{self.sentence!r}: the log knows of no {word} by seat {seat}")

    def forget(self, word, seat, card):
        """What is not by chance stands in the log too."""
        place = next((place for place, event in enumerate(self.log) if event[:2] == (word, seat) and event.card == name_of(card)), None)
        if place is not None:
            del self.log[place]

    # ---------------------------------------------------------------- the table

    def note(self, source, target):
        self.moved.setdefault(self.sentence, set()).add((source, target))

    def top(self):
        """The top card of the Main deck, or None."""
        if "main" in self.shuffled_decks:
            raise NotImplementedError("a deck that was shuffled")
        if not self.table.deck and any(not is_lunatic(card) for card in self.table.discard.elements()):
            raise NotImplementedError("a deck that is shuffled anew")
        return self.table.deck.pop() if self.table.deck else None

    def lunatic_top(self):
        """The top card of the Lunatic deck, or None."""
        if "lunatic" in self.shuffled_decks:
            raise NotImplementedError("a deck that was shuffled")
        if not self.table.lunatic_deck and any(map(is_lunatic, self.table.discard.elements())):
            raise NotImplementedError("a deck that is shuffled anew")
        return self.table.lunatic_deck.pop() if self.table.lunatic_deck else None

    def draw_lunatic(self, seat, cards):
        for _ in range(cards):
            card = self.lunatic_top()
            if card is None:
                return
            self.table.hands[seat].add(card)
            self.table.seen[card] |= 1 << seat
            self.note(LUNATIC, HAND)

    def draw(self, seat, cards):
        for _ in range(cards):
            card = self.top()
            if card is None:
                return
            self.table.hands[seat].add(card)
            self.table.seen[card] |= 1 << seat
            self.note(DECK, HAND)

    def discard(self, card, source):
        self.table.discard[card] += 1
        self.table.discard_order.append(card)
        self.note(source, DISCARD)

    def discard_from_hand(self, seat, card):
        self.forget("discard", seat, card)
        self.table.hands[seat].remove(card)
        self.discard(card, HAND)

    def discard_item(self, seat, card):
        self.forget("discard", seat, card)
        self.table.items[seat].remove(card)
        self.discard(card, IN_PLAY)

    def gain_item(self, seat, card, source, by=None):
        """Of two defense cards, or two artifacts, one goes (C-8), which `by` chooses."""
        self.table.items[seat].add(card)
        self.note(source, IN_PLAY)
        for limited in (v.DEFENSE, v.ARTIFACT):
            while len(several := [item for item in self.table.items[seat] if is_of(item, limited)]) > 1:
                self.discard_item(seat, self.ask_card("limit", seat if by is None else by, several))

    def items_work(self, seat):
        return not any(v.LASTING[word - 1] == "items have no effect" and of == seat for word, _, of, _ in self.table.lasting)

    def modifier(self, seat, stat):
        items = self.table.items[seat] if self.items_work(seat) else ()
        effects = sum(value for word, _, of, value in self.table.lasting if of == seat and word - 1 == stat) if stat < 2 else 0
        return sum(CARDS[card][0].in_play.get(stat, 0) for card in items) + effects

    def max_life(self, seat):
        return 4 + (self.table.roles[seat] in HARDIER)

    def max_hand(self, seat):
        items = self.table.items[seat] if self.items_work(seat) else ()
        base = max([4, *(CARDS[card][0].in_play.get(v.HAND_BASE, 0) for card in items)])
        return base + (self.table.roles[seat] in ("heroine", "ex_boss_revealed"))

    def in_range(self, seat, bonus=0, number=None):
        """Seats in range, everybody being still in the game (D-1)."""
        others = [other for other in self.table.seats if other != seat]
        if any(v.LASTING[word - 1] == "everybody is in range" and of == seat for word, _, of, _ in self.table.lasting):
            return others
        every = number or next((value for word, *_, value in reversed(self.table.lasting) if v.LASTING[word - 1] == ALL_DISTANCES), None)
        reach = max(1, 1 + bonus + self.modifier(seat, v.RANGE))
        return [other for other in others if (every or self.distance(seat, other)) <= reach]

    def distance(self, seat, other):
        way = (other - seat) % len(self.table.seats)
        return max(1, min(way, len(self.table.seats) - way) + self.modifier(other, v.DISTANCE))

    def lose_life(self, seat, amount):
        if self.table.spared >> seat & 1:
            return 0
        loss = min(amount, self.table.life[seat])
        self.table.life[seat] -= loss
        self.draw(seat, loss + self.drawn_for_life)
        return loss

    def gain_life(self, seat, amount):
        self.table.life[seat] = min(self.table.life[seat] + amount, max(self.max_life(seat), self.table.life[seat]))

    def hit(self, seat, damage):
        """An attack that nobody avoids: life, as many cards, and a powerup (A-2, A-3)."""
        if self.lose_life(seat, damage):
            powerups = [card for card in self.table.items[seat] if is_of(card, v.POWERUP)]
            if powerups:
                self.discard_item(seat, self.ask_card("powerup", seat, powerups))

    # ---------------------------------------------------------------- words for seats, groups, numbers and cards

    def seat(self, words):
        if isinstance(words, int):
            return words
        neighbours = {"left": 1, "right": -1}
        if words in ("you", "yours"):
            return self.me
        if words.removesuffix(" neighbour").removeprefix("the ") in neighbours:
            return (self.table.current + neighbours[words.split()[1]]) % len(self.table.seats)
        return {
            "the chosen player": self.chosen, "the second player": self.second, "that player": self.each, "the third player": self.third,
            "the attacker": self.attacker, "the attacked player": self.attacked,
            "who played it": self.attacker, "who it happened to": self.attacker,
            "the current player": self.table.current,
        }[words]  # fmt: skip

    def hand_of(self, words):
        return self.me if words == "your hand" else self.seat(words.removeprefix("the hand of "))

    def group(self, words, bonus=0):
        """The seats of a group, in seat order."""
        everybody, hurt = list(self.table.seats), [seat for seat in self.table.seats if self.table.life[seat] < self.max_life(seat)]
        danmaku = sum(is_of(card, v.DANMAKU) for card in self.table.hands[self.me])
        chosen = {self.chosen, self.second} - {None, self.me}
        if words == "player in range if that number were every distance":
            return self.in_range(self.me, 0, self.amount)
        return {
            "active player": everybody,
            "other player": [seat for seat in everybody if seat != self.me],
            "player in range": self.in_range(self.me, bonus),
            "player in range once danmaku cards are thrown in": self.in_range(self.me, danmaku),
            "player below max life": hurt,
            "other player below max life": [seat for seat in hurt if seat != self.me],
            "player at 0 life": [seat for seat in everybody if self.table.life[seat] == 0],
            "player with items": [seat for seat in everybody if self.table.items[seat]],
            "other player with items": [seat for seat in everybody if seat != self.me and self.table.items[seat]],
            "player in range whom the card does not attack": [seat for seat in self.in_range(self.me) if seat not in self.targets],
            "player in range other than the one who avoided it": [seat for seat in self.in_range(self.me) if seat != self.attacked],
            "chosen player": [seat for seat in everybody if seat == self.chosen != self.me],
            "player in range who does not have this Spell Card": self.in_range(self.me),
            "chosen or adjacent player": [seat for seat in everybody if seat != self.me and self.is_by_the_chosen(seat)],
            "player chosen first or second": [seat for seat in everybody if seat in chosen],
        }[words]

    def is_by_the_chosen(self, seat):
        """Whether it is the chosen player, or sits next to that one."""
        return self.chosen is not None and (seat - self.chosen) % len(self.table.seats) in (0, 1, len(self.table.seats) - 1)

    def counted(self, words, about):
        """A count, or the AMOUNT under whatever name it goes."""
        about = self.me if about is None else about
        if words == "the number of your powerups in play":
            return sum(is_of(card, v.POWERUP) for card in self.table.items[self.me])
        if words == "the number of active players":
            return len(self.table.seats)
        if words == "what is missing to max hand size":
            return max(0, self.max_hand(about) - len(self.table.hands[about]))
        if words == "the number of danmaku cards in the hand shown (at least 1)":
            return max(1, sum(is_of(card, v.DANMAKU) for card in self.table.hands[self.chosen]))
        if words == "the most points of an item of the chosen player (at least 1)":
            items = () if self.chosen is None else self.table.items[self.chosen]
            return max([1, *(CARDS[card][0].points for card in items)])
        if words == "1 (2 with a card of 3 points or more in the hand shown and 3 with one of 5)":
            points = max((CARDS[card][0].points for card in self.table.hands[self.chosen]), default=0)
            return 3 if points >= 5 else 2 if points >= 3 else 1
        if words in NAMES_OF_THE_AMOUNT:
            return self.amount
        raise Misread(f"{words!r} is no count")

    def number(self, words, about=None):
        """`3`, `X`, `1 plus X`, `X, less 1`, `X, and 2 more`; never below 0."""
        if words.isdecimal():
            return int(words)
        found = re.fullmatch(r"(?:(\d+) plus )?(.+?)(?:, (less|and) (\d+)(?: more)?)?", words)
        more, counted, sign, added = found.groups()
        total = self.counted(counted, about) + int(more or 0) + int(added or 0) * (-1 if sign == "less" else 1)
        return min(max(total, 0), v.MOST)

    def some(self, words, noun, about=None):
        """`3 cards`, `as many cards as X`."""
        found = re.fullmatch(rf"(\d+) {noun}s?|as (?:many|much) {noun}s? as (.+)", words)
        if not found:
            raise Misread(f"{words!r} is no number of {noun}s")
        return self.number(found[1] or found[2], about)

    # ---------------------------------------------------------------- programs

    def read(self, program):
        """Carry out sentences; whether the effect went on to its end."""
        try:
            self.sentences(program)
        except EndsHere:
            return False
        return True

    def sentences(self, program):
        for sentence in split(program, "; "):
            times = re.fullmatch(r"(.+) \((\d+) times\)", sentence)
            for _ in range(int(times[2]) if times else 1):
                self.one(times[1] if times else sentence)

    def one(self, sentence):
        for pattern, way in (
            (r"if (the flip shows (?:(?:spring|summer|autumn|winter)(?:, | or )?)+), (.+)", self.branch),
            (r"if (flip \d shows (?:(?:spring|summer|autumn|winter)(?:, | or )?)+), (.+)", self.branch),
            (r"if (.+?), (.+)", self.branch),
            (r"unless (.+?) discards? an? (.*?)\s?card from (?:your|their) hand, (.+)", self.unless),
            (r"for every (.+) in turn order: \[(.+)\]", self.for_every),
            (r"(\d+) times?: \[(.+)\]", self.some_times),
            (r"as many times as (.+?): \[(.+)\]", self.some_times),
            (r"as long as (.+?): \[(.+)\]", self.as_long_as),
            (r"(again and again): \[(.+)\]", self.as_long_as),
        ):
            found = re.fullmatch(pattern, sentence)
            if found:
                self.sentence = sentence
                way(*found.groups())
                return
        self.sentence = sentence
        for pattern, way in SENTENCES:
            found = re.fullmatch(pattern, sentence)
            if found:
                way(self, *found.groups())
                return
        raise Misread(f"no reader understands {sentence!r}")

    def block(self, words):
        """`[a; b], otherwise [c]`: what is to be done, and what otherwise."""
        if words.startswith("["):
            end = closing(words)
            done, rest = words[1:end], words[end + 1 :]
        else:
            parts = split(words, ", otherwise ")
            done, rest = parts[0], f", otherwise {parts[1]}" if len(parts) > 1 else ""
        other = rest.removeprefix(", otherwise ")
        return done, other[1:-1] if other.startswith("[") else other

    def branch(self, condition, words):
        done, otherwise = self.block(words)
        path = done if self.holds(condition) else otherwise
        if path:
            self.sentences(path)

    def holds(self, condition):
        found = re.fullmatch(r"(.+?) wants?", condition)
        if found:
            seat = self.seat(found[1])
            return seat is not None and self.ask("may", seat, ["choose yes", "pass"]) == "choose yes"
        if condition.startswith("the flip shows "):
            return self.flip is not None and self.flip in re.split(r", | or ", condition.removeprefix("the flip shows "))
        whole = self.chosen is not None
        if re.match(r"flip \d shows ", condition):
            found = self.flips.get(int(condition[5]))
            return found is not None and found in re.split(r", | or ", condition[13:])
        if condition.startswith("option "):
            return int(condition.split()[1]) in self.options
        if condition == "the picked card has the season of the chosen player's role":
            return whole and self.pick is not None and CARDS[self.pick][1] == ROLE_SEASONS[self.table.roles[self.chosen]]
        return {
            "the attacker is in range": self.attacker in self.in_range(self.me),
            "you are at max life": self.table.life[self.me] >= self.max_life(self.me),
            "you are above 1 life": self.table.life[self.me] > 1,
            "that player is above 1 life": (found := self.each if self.each is not None else self.third) is not None
            and self.table.life[found] > 1,
            "a player was chosen": whole,
            "a card was picked": self.pick is not None,
            "cards are left aside": bool(self.table.aside),
            "an incident is in play": bool(self.table.incidents),
            "it can be copied": True,
            "the chosen player has items": whole and bool(self.table.items[self.chosen]),
            "you have cards in hand": bool(self.table.hands[self.me]),
            "the chosen player has cards in hand": whole and bool(self.table.hands[self.chosen]),
            "two other players or more are active": len(self.table.seats) > 2,
            "this incident has collected all it needs": False,
            "the expansion is in play": self.table.expansion,
            "this draw step gives a card at least": 2 + self.more_draws > 0,
        }[condition]

    def unless(self, who, sort, words):
        seat = self.seat(who)
        if seat is None:
            return
        card = self.ask_card("discard", seat, self.in_hand(seat, sort), True)
        self.pick = None
        if card is not None:
            self.discard_from_hand(seat, card)
            return
        self.sentences(self.block(words)[0])

    def for_every(self, group, body):
        seats = self.group(group)
        attacked = re.fullmatch(r"you attack that player[^;]*", body)
        reach = self.in_range(self.me, self.amount or 0 if "with the range added" in body else 0)
        for step in range(len(self.table.seats)):
            seat = (self.table.current + step) % len(self.table.seats)
            if seat not in seats:
                continue
            self.each = seat
            if attacked and "at any range" not in body and seat not in reach:
                continue  # all these attacks go on the stack together (K-9): range is looked at before the first lands
            self.sentences(body.replace(" if in range", " at any range") if attacked else body)
        self.each = self.third = None

    def some_times(self, times, body):
        for _ in range(self.number(times)):
            self.sentences(body)

    def as_long_as(self, condition, body):
        while condition == "again and again" or self.holds(condition):
            self.sentences(body)

    # ---------------------------------------------------------------- cards of a sort

    def in_hand(self, seat, sort):
        return [card for card in self.table.hands[seat] if is_of(card, type_bits(sort))]

    def over(self):
        """What lies aside when the effect is over is discarded (K-8)."""
        self.sentence = "the effect is over"
        for card in self.table.aside:
            self.discard(card, ASIDE)
        self.table.aside = []
        if self.due is not None:
            take_this(self, self.due, False)
        if self.keeper is not None:
            self.table.hands[self.keeper].add(self.answered)
        if self.asked:
            raise Misread(f"nothing in the English asks {self.asked[0]}")


def split(words, by):
    """Parts between the separators outside brackets."""
    parts, depth, start, place = [], 0, 0, 0
    while place < len(words):
        depth += {"[": 1, "]": -1}.get(words[place], 0)
        if depth == 0 and words.startswith(by, place):
            parts.append(words[start:place])
            start = place = place + len(by)
        else:
            place += 1
    return [*parts, words[start:]]


def closing(words):
    """The place of the bracket that closes the first."""
    depth = 0
    for place, letter in enumerate(words):
        depth += {"[": 1, "]": -1}.get(letter, 0)
        if depth == 0 and letter == "]":
            return place
    raise Misread(f"{words!r} opens more brackets than it closes")


# ---------------------------------------------------------------- what single sentences mean


def choose_player(reader, may, group, bonus, place, distinct):
    seats = reader.group(group, int(bonus or 0))
    if distinct:
        seats = [seat for seat in seats if seat != reader.chosen]
    found = reader.ask_seat("second target" if place else "target", reader.me, seats, bool(may))
    if place == "third":
        reader.third = found
    elif place:
        reader.second = found
    else:
        reader.chosen = found


def pick_item(reader, may, who):
    seat = reader.seat(who)
    if seat is not None:
        reader.pick = reader.ask_card("item", reader.me, reader.table.items[seat], bool(may))


def pick_card(reader, may, sort, copy):
    cards = reader.in_hand(reader.me, sort)
    if copy:
        cards = [card for card in cards if not is_lunatic(card)] or cards
    reader.pick = reader.ask_card("card", reader.me, cards, bool(may), which_copy=bool(copy))


def pick_aside(reader, may, sort, copy):
    incidents = [card for card in reader.table.aside if card >= st.INCIDENT_CARD]
    if incidents:
        answer = reader.ask("incident", reader.me, [f"choose incident:{INCIDENTS[card - st.INCIDENT_CARD]}" for card in incidents])
        reader.pick = st.INCIDENT_CARD + INCIDENTS.index(answer.removeprefix("choose incident:"))
        return
    cards = [card for card in reader.table.aside if is_of(card, type_bits(sort))]
    reader.pick = reader.ask_card("aside", reader.me, cards, bool(may), which_copy=bool(copy))


def pay(reader, sort):
    card = reader.ask_card("pay", reader.me, reader.in_hand(reader.me, sort))
    reader.pick = None
    if card is not None:
        reader.discard_from_hand(reader.me, card)


def pay_any(reader, sort):
    reader.amount = reader.amount or 0
    reader.pick = None
    while (card := reader.ask_card("boost", reader.me, reader.in_hand(reader.me, sort), True)) is not None:
        reader.discard_from_hand(reader.me, card)
        reader.amount += 1


def boost(reader, sort):
    reader.amount = 0
    while reader.chosen is not None:
        enough = reader.chosen in reader.in_range(reader.me, reader.amount)
        card = reader.ask_card("boost", reader.me, reader.in_hand(reader.me, sort), enough)
        if card is None:
            return
        reader.discard_from_hand(reader.me, card)
        reader.amount += 1


def pay_item(reader):
    card = reader.ask_card("item", reader.me, reader.table.items[reader.me])
    reader.pick = None
    if card is not None:
        reader.discard_item(reader.me, card)


def pay_life(reader):
    reader.lose_life(reader.me, 1)


def dodge_cost(reader, sort, why):
    if why == "you protect another player" and reader.attacked != reader.me:
        pay(reader, sort)  # nobody at these tables makes dodging cost more


def name_number(reader, low, high):
    answer = reader.ask("number", reader.me, [f"choose number:{number}" for number in range(int(low), int(high) + 1)])
    reader.amount = int(answer.removeprefix("choose number:"))


def name_type(reader, sorts):
    answer = reader.ask("type", reader.me, [f"choose type:{name}" for name in re.split(r", | or ", sorts)])
    reader.amount = 1 << v.TYPES.index(answer.removeprefix("choose type:"))


def name_deck(reader):
    decks = ["choose deck:main", "choose deck:incident", *["choose deck:lunatic"] * reader.table.expansion]
    reader.deck_named = reader.ask("deck", reader.me, decks).removeprefix("choose deck:")


def name_incident_deck(reader):
    reader.deck_named = "incident"


def name_end(reader):
    reader.end = reader.ask("end", reader.me, ["choose top", "choose bottom"]).removeprefix("choose ")


def name_several(word):
    def way(reader, count, of=None):
        choices = v.SEASONS if word == "season" else [str(number) for number in range(1, int(of) + 1)]
        named = set()
        for _ in range(int(count)):
            left = [f"choose {word}:{choice}" for choice in choices if choice not in named]
            named.add(reader.ask(word, reader.me, left).removeprefix(f"choose {word}:"))
        if word == "season":
            reader.seasons, reader.amount = named, sum(1 << v.SEASONS.index(season) for season in named)
        else:
            reader.options = {int(number) for number in named}
            reader.amount = sum(1 << int(number) - 1 for number in named)

    return way


def pay_season(reader):
    """The cards that are answered at these tables are Grimoires."""
    season = CARDS[next(card for card in reader.table.played if kind(card) == "grimoire")][1]
    cards = [card for card in reader.table.hands[reader.me] if CARDS[card][1] == season]
    reader.pick = None
    if not cards:
        return
    answer = reader.ask("pay", reader.me, {f"choose card:{kind(card)}" for card in cards})
    reader.discard_from_hand(reader.me, min(card for card in cards if kind(card) == answer.removeprefix("choose card:")))


def pay_points(reader, points):
    reader.pick, reader.amount = None, 0
    while reader.amount < int(points):
        card = reader.ask_card("pay", reader.me, reader.table.hands[reader.me])
        reader.amount += CARDS[card][0].points
        reader.discard_from_hand(reader.me, card)


def pick_open(reader, cards, may):
    """One of the cards, and which copy of it."""
    reader.pick = reader.ask_card("card", reader.me, cards, bool(may), which_copy=True) if cards else None


def pick_discard(reader, may, cards):
    pick_open(reader, reader.table.discard_order[-reader.some(cards, "card") :], may)


def pick_collected(reader, may):
    pick_open(reader, sorted(reader.table.collected), may)


def search_item(reader, sort):
    decks = {"main": reader.table.deck, "lunatic": reader.table.lunatic_deck}
    left = ["main", "lunatic"] if reader.table.expansion else ["main"]
    while left:
        answer = reader.ask("deck", reader.me, [*(f"choose deck:{deck}" for deck in left), "pass"])
        if answer == "pass":
            return
        left.remove(name := answer.removeprefix("choose deck:"))
        reader.shuffled_decks.add(name)
        cards = [card for card in decks[name] if is_of(card, type_bits(sort))]
        card = reader.ask_card("aside", reader.me, cards, which_copy=True) if cards else None
        if card is not None:
            if kind(card) in ("tanuki_leaf", "hourai_elixir"):
                raise NotImplementedError("an item with effects of its own")
            decks[name].remove(card)
            reader.gain_item(reader.me, card, LUNATIC if name == "lunatic" else DECK)
            return


def count_rounds(reader):
    reader.amount = 1  # nobody has done it before


def flip_and_play(reader):
    card = reader.top()
    reader.pick = None
    if card is not None and types(card) & v.ACTION:
        raise NotImplementedError("a card that is played on the way")
    if card is not None:
        reader.discard(card, DECK)


def remember_flip(reader, place):
    reader.flips[int(place)] = reader.flip
    reader.amount = sum((v.SEASONS.index(season) + 1) * 5 ** (at - 1) for at, season in reader.flips.items() if season)


def discard_one(reader, who):
    seat = reader.seat(who)
    if seat is None:
        return
    card = reader.ask_card("discard", seat, reader.table.hands[seat])
    reader.pick = None
    if card is not None:
        reader.discard_from_hand(seat, card)


def draw_again(reader):
    for _ in range(2):  # the cards of the draw step
        reader.discard(reader.top(), DECK)


def draw_more(reader, cards):
    reader.more_draws += reader.some(cards, "card")


def give_up(reader):
    reader.avoided = False


def take_worth(reader, points):
    reader.pick, reader.amount = None, 0
    while True:
        cards = [card for card in reader.table.aside if CARDS[card][0].points <= int(points) - reader.amount]
        card = reader.ask_card("aside", reader.me, cards, bool(cards), which_copy=True) if cards else None
        if card is None:
            return
        reader.amount += CARDS[card][0].points
        reader.pick = card
        take_pick(reader, reader.me, None)


def show_card(reader, who):
    seat = reader.seat(who)
    reader.pick = None
    if seat is not None:
        reader.pick = reader.ask_card("card", reader.me, reader.table.hands[reader.me], which_copy=True)
    if reader.pick is not None:
        reader.table.seen[reader.pick] |= 1 << seat


def gather_seasons(reader):
    missing, found = set(reader.seasons), len(reader.table.aside)
    while missing:
        lay_aside(reader, 1, 255)
        if reader.pick is None:
            break
        missing.discard(CARDS[reader.pick][1])
    missing = set(reader.seasons)
    for card in reader.table.aside[found:]:
        if CARDS[card][1] in missing:
            missing.remove(CARDS[card][1])
            reader.pick = card
            take_pick(reader, reader.me, None)
    reader.pick = None


def spend_item(reader):
    card, reader.pick = reader.pick, None
    reader.amount = 1
    if card is not None and controller_of(reader, card) == reader.me:
        reader.amount = CARDS[card][0].points
        reader.discard_item(reader.me, card)


def search_incident(reader):
    deck = reader.table.incident_deck
    if not deck:
        return
    answer = reader.ask("incident", reader.me, [f"choose incident:{INCIDENTS[incident]}" for incident in deck])
    found = INCIDENTS.index(answer.removeprefix("choose incident:"))
    deck.remove(found)
    reader.table.incident_deck = [*sorted(deck), found]
    reader.shuffled_incidents, reader.fetched_incidents = True, 1


def controller(reader):
    """Nobody at these tables plays on behalf of others."""


def pick_from_hand(reader, who):
    owner = reader.hand_of(who)
    if owner is None:
        return
    if owner in reader.looked:
        reader.pick = reader.ask_card("card", reader.me, reader.table.hands[owner], which_copy=True)
    else:
        reader.pick = ("by chance", owner) if reader.table.hands[owner] else None


def draw(reader, who, cards):
    seat = reader.seat(who)
    if seat is not None:
        reader.draw(seat, reader.some(cards, "card", seat))


def aim(reader, who):
    reader.chosen = reader.seat(who)


def draw_lunatic(reader, who, cards):
    seat = reader.seat(who)
    if seat is not None:
        reader.draw_lunatic(seat, reader.some(cards, "card", seat))


def discard_hand(reader, who):
    seat = reader.seat(who)
    if seat is None:
        return
    reader.amount = len(reader.table.hands[seat])
    for card in sorted(reader.table.hands[seat]):
        reader.discard_from_hand(seat, card)


def discard_lunatic(reader, who):
    seat = reader.seat(who)
    if seat is None:
        return
    cards = sorted(card for card in reader.table.hands[seat] if is_lunatic(card))
    reader.amount = len(cards)
    for card in cards:
        reader.discard_from_hand(seat, card)


def flip(reader):
    card = reader.top()
    reader.flip = None if card is None else CARDS[card][1]
    if card is not None:
        reader.discard(card, DECK)


def lay_aside(reader, cards, seen, *, lunatic=False):
    reader.pick = None
    for _ in range(cards):
        card = reader.lunatic_top() if lunatic else reader.top()
        if card is None:
            return
        reader.table.aside.append(card)
        reader.table.seen[card] |= seen
        reader.note(DECK, ASIDE)
        reader.pick = card


def reveal(reader, cards):
    lay_aside(reader, reader.some(cards, "card"), 255)


def look(reader, cards, deck):
    cards = reader.some(cards, "card")
    if deck == "Main deck" or reader.deck_named != "incident":
        lay_aside(reader, cards, 1 << reader.me, lunatic=deck != "Main deck" and reader.deck_named == "lunatic")
        return
    for _ in range(min(cards, len(reader.table.incident_deck))):
        reader.table.aside.append(st.INCIDENT_CARD + reader.table.incident_deck.pop())


def reveal_until(reader, sort):
    lay_aside(reader, 1, 255)
    while reader.pick is not None and not is_of(reader.pick, type_bits(sort)):
        lay_aside(reader, 1, 255)


def take_pick(reader, seat, source):
    """The picked card, from aside or a hand, into a hand."""
    card, reader.pick = reader.pick, None
    if card is None or seat is None:
        return
    if isinstance(card, tuple):
        card = reader.by_chance("take", seat, reader.table.hands[card[1]])
    else:
        reader.forget("take", seat, card)
    owner = next((other for other in reader.table.seats if card in reader.table.hands[other]), None)
    if owner is not None:
        reader.table.hands[owner].remove(card)
        reader.table.seen[card] &= 1 << owner | 1 << reader.me
        reader.note(HAND, HAND)
    elif card in reader.table.aside:
        reader.table.aside.remove(card)
        reader.note(ASIDE, HAND)
    elif card in reader.table.collected:
        reader.table.collected.remove(card)
        reader.note(COLLECTED, HAND)
    else:
        reader.table.discard[card] -= 1
        reader.table.discard_order.remove(card)
        reader.note(DISCARD, HAND)
    reader.table.hands[seat].add(card)
    reader.table.seen[card] |= 1 << seat


def take(reader):
    take_pick(reader, reader.me, None)


def take_all(reader, sort):
    for card in [card for card in reader.table.aside if is_of(card, type_bits(sort))]:
        reader.pick = card
        take_pick(reader, reader.me, None)


def discard_aside(reader):
    for card in reader.table.aside:
        reader.discard(card, ASIDE)
    reader.table.aside, reader.pick = [], None


def collect_aside(reader):
    for card in reader.table.aside:
        reader.table.collected.add(card)
        reader.note(ASIDE, COLLECTED)
    reader.table.aside, reader.pick = [], None


def put_on_deck(reader, deck, card, end):
    if end == "that end" and reader.end == "bottom":
        deck.insert(0, card)
    else:
        deck.append(card)


def hand_to_deck(reader, end):
    card, reader.pick = reader.pick, None
    if card is not None:
        reader.table.hands[reader.me].remove(card)
        put_on_deck(reader, reader.table.lunatic_deck if is_lunatic(card) else reader.table.deck, card, end)
        reader.note(HAND, DECK)


def aside_to_deck(reader, end):
    card, reader.pick = reader.pick, None
    if card is None:
        return
    reader.table.aside.remove(card)
    if card >= st.INCIDENT_CARD:
        put_on_deck(reader, reader.table.incident_deck, card - st.INCIDENT_CARD, end)
    else:
        put_on_deck(reader, reader.table.lunatic_deck if is_lunatic(card) else reader.table.deck, card, end)
        reader.note(ASIDE, DECK)


def controller_of(reader, card):
    return next((seat for seat in reader.table.seats if card in reader.table.items[seat]), None)


def discard_pick(reader, who):
    card, reader.pick = reader.pick, None
    if card is not None and controller_of(reader, card) == reader.seat(who):
        reader.discard_item(controller_of(reader, card), card)


def discard_items(reader, who):
    seat = reader.seat(who)
    for card in sorted(reader.table.items[seat]) if seat is not None else ():
        reader.discard_item(seat, card)


def hand_on_card(reader, whom):
    card, reader.card = reader.card, None
    seat = reader.hand_of(whom)
    if card is None or seat is None:
        reader.card = card
        return
    reader.table.hands[seat].add(card)
    reader.table.seen[card] = 255
    reader.note(PLAYED, HAND)


def keep_card(reader, whom):
    if reader.hand_of(whom) is not None:
        reader.keeper = reader.hand_of(whom)
        reader.note(PLAYED, HAND)


def spare_life(reader, who):
    if reader.seat(who) is not None:
        reader.table.spared |= 1 << reader.seat(who)


def take_this(reader, who, later):
    seat, card = reader.seat(who), reader.item
    if seat is None or card not in reader.table.items[reader.me] or seat == reader.me:
        return
    if later:
        reader.due = seat
        return
    reader.table.items[reader.me].remove(card)
    reader.gain_item(seat, card, IN_PLAY)


def take_control(reader, who, settle):
    card, reader.pick = reader.pick, None
    seat = reader.seat(who)
    if card is None or seat is None or controller_of(reader, card) == seat:
        return
    reader.table.items[controller_of(reader, card)].remove(card)
    reader.gain_item(seat, card, IN_PLAY, reader.me if settle else None)


def put_in_play(reader):
    card, reader.pick = reader.pick, None
    if card is not None:
        reader.table.aside.remove(card)
        reader.gain_item(reader.me, card, ASIDE)


def swap_hands(reader, one, other):
    one, other = reader.seat(one), reader.seat(other)
    if one is None or other is None or one == other:
        return
    hands = reader.table.hands
    hands[one], hands[other] = hands[other], hands[one]
    for card in hands[one] | hands[other]:
        reader.table.seen[card] |= 1 << one | 1 << other
        reader.note(HAND, HAND)


def discard_random(reader, who):
    seat = reader.seat(who)
    if seat is None or not reader.table.hands[seat]:
        return
    card = reader.by_chance("discard", seat, reader.table.hands[seat])
    reader.table.hands[seat].remove(card)
    reader.discard(card, HAND)


def collect_top(reader):
    card = reader.top()
    if card is not None:
        reader.table.collected.add(card)
        reader.note(DECK, COLLECTED)


def give(reader, whom):
    take_pick(reader, reader.hand_of(whom), None)


def see_hand(reader, seat, seats):
    if seat is None:
        return
    reader.looked.add(seat)
    for card in reader.table.hands[seat]:
        reader.table.seen[card] |= seats


def look_at_hand(reader, whose):
    see_hand(reader, reader.hand_of(whose), 1 << reader.me)


def show_hand(reader, who):
    see_hand(reader, reader.seat(who), 255)


def draw_aside(reader, cards):
    kept = reader.pick
    lay_aside(reader, reader.some(cards, "card"), 1 << reader.me)
    reader.pick = kept


def attack(reader, who, target, damage, reach, added, sure):
    attacker = reader.me if who == "you attack" else reader.second
    target = reader.seat(target)
    if target is None or attacker is None or target == attacker:
        return
    bonus = (reader.amount or 0) if added else 0
    if reach == " if in range" and target not in reader.in_range(attacker, bonus):
        return
    reader.hit(target, reader.number(damage, target) if damage else 1)


def lose_life(reader, who, amount):
    seat = reader.seat(who)
    if seat is not None:
        reader.lose_life(seat, reader.some(amount, "life", seat))


def gain_life(reader, who, amount):
    seat = reader.seat(who)
    if seat is not None:
        reader.gain_life(seat, reader.some(amount, "life", seat))


def revive(reader, who):
    seat = reader.seat(who)
    if seat is not None and reader.table.life[seat] == 0:
        reader.table.life[seat] = 1


def cancel(reader):
    reader.cancelled = True


def avoid(reader):
    reader.avoided = True


def copy(reader):
    reader.copies += 1


def last(reader, whom, effect, value):
    seat = reader.me if whom is None else reader.seat(whom)
    if seat is None:
        return
    if value is None:
        number = 0
    elif value in v.TYPES:
        number = 1 << v.TYPES.index(value)
    else:
        number = reader.amount if value == "the type named" else reader.number(value, seat)
    reader.table.lasting.append((v.LASTING.index(effect) + 1, reader.me, seat, number))


def skip_next_turn(reader, who):
    seat = reader.seat(who)
    if seat is not None:
        reader.table.skip_next[seat] = 1


def set_flag(name):
    def way(reader):
        reader.table.flags[name] = 1

    return way


def reveal_role(reader):
    reader.table.role_seen[reader.me] = 255


def bring_incident(reader):
    """At these tables it is one that does nothing on entering."""
    if reader.table.incident_deck:
        reader.table.incidents.append(reader.table.incident_deck.pop())


def shuffle_incidents(reader):
    reader.shuffled_incidents = True
    reader.table.incident_deck.sort()


def resolve_incident(reader, which):
    """What an incident has collected goes to the discard pile with it; at these tables only the oldest has collected anything."""
    incidents = reader.table.incidents
    if which != "this incident" and len(incidents) > 1:
        answer = reader.ask("incident", reader.me, [f"choose incident:{INCIDENTS[incident]}" for incident in incidents])
        found = INCIDENTS.index(answer.removeprefix("choose incident:"))
        if found != incidents[0]:
            incidents.remove(found)
            return
    if incidents:
        incidents.pop(0)
        for card in sorted(reader.table.collected):
            reader.discard(card, COLLECTED)
        reader.table.collected = set()


def add_draws(reader, one, fewer, many):
    reader.more_draws += reader.number(many) if many else int(one) * (-1 if fewer == "fewer" else 1)


def stop(reader):
    raise EndsHere


def hand_on(reader):
    others = [seat for seat in reader.table.seats if seat != reader.chosen]
    found = reader.ask_seat("target", reader.chosen, others, False)
    reader.chosen, reader.second = found, reader.chosen


def swap_with_heroine(reader):
    heroine = reader.table.roles.index("heroine")
    seats = [(reader.table.current + step) % len(reader.table.seats) for step in range(len(reader.table.seats))]
    seats = [seat for seat in seats if seat != heroine]
    place = 0
    flipped = []
    while True:
        card = reader.top()
        flipped.append(card)
        if CARDS[card][1] == "autumn":
            break
        place += 1
    for card in flipped:
        reader.discard(card, DECK)
    found = seats[place % len(seats)]
    roles = reader.table.roles
    roles[heroine], roles[found] = roles[found], roles[heroine]
    seen = reader.table.role_seen
    seen[heroine], seen[found] = seen[found] | 1 << found | 1 << heroine, 255
    reader.table.life[heroine] = min(reader.table.life[heroine], reader.max_life(heroine))
    reader.gain_life(found, 1)


_WHO = (
    r"(you|the chosen player|the second player|that player|the third player|the attacker|the attacked player|the current player|"
    r"who it happened to|who played it|"
    r"the \w+ neighbour)"
)
_HAND = rf"(your hand|the hand of (?:{_WHO[1:-1]}))"
_SORT = r"an? (.*?)\s?card"
_SORTS = r"(.*?)\s?cards"
_COPY = r"( and which copy of it)?"
_OWN_COPY = r"(, no Lunatic card while there is another, and which copy of it)?"
_CARDS = r"(\d+ cards?|as many cards as .+)"
_LIFE = r"(\d+ life|as much life as .+)"

SENTENCES = [
    (r"you discard cards from your hand, one by one, until they are worth (\d+) points", pay_points),
    (r"you (may )?pick one of the top (\d+ cards?) of the discard pile, and which copy of it", pick_discard),
    (r"you (may )?pick one of the cards collected by incidents, and which copy of it", pick_collected),
    (r"you may search the Main deck or the Lunatic deck for an? (.*?)\s?card, which enters play under your control, and the other deck too "
     r"if there is none in it, and what you search is shuffled", search_item),
    (r"your rounds in a row in which this happened are counted, this one too", count_rounds),
    (r"you flip the top card of the Main deck, and if a half of it is an action that you could play, you may play it at once, uncounted",
     flip_and_play),
    (r"that was flip (\d)", remember_flip),
    (rf"{_WHO} discards? a card of (?:your|their) choice", discard_one),
    (r"the attack is not avoided after all", give_up),
    (r"you discard exactly those cards and draw as many again from the same decks", draw_again),
    (r"besides those cards you draw (.+)", draw_more),
    (r"you must have a card left in your hand", lambda reader: None),
    (r"you name (\d+) of the options 1 to (\d+)", name_several("number")),
    (r"you name (\d+) of the seasons, each another", name_several("season")),
    (r"you discard a card from your hand that has the season of the card answered", pay_season),
    (r"you may take cards of those aside into your hand, one by one, together worth at most (\d+) points", take_worth),
    (rf"you pick a card of your hand, and which copy of it, and show it to {_WHO} alone", show_card),
    (r"cards are flipped, and lie aside for all to see, until every season named has turned up, and the first of each goes into your hand",
     gather_seasons),
    (r"the picked item, if any, is discarded for its points", spend_item),
    (r"the hit costs no life", set_flag("harmless")),
    (r"you take another turn after this one, unless this is such a turn itself", set_flag("extra_turn")),
    (r"you lay your role open", reveal_role),
    (r"you (may )?choose (?:an? |an|the )(.+?)(?: \(as if you had \+(\d+) range\))?(?: as the (second|third) player)?"
     r"(, not the chosen one)?(?:, if there is one)?", choose_player),
    (rf"you (may )?pick an item of (yours|{_WHO[1:-1]})", pick_item),
    (rf"you (may )?pick {_SORT} of your hand{_OWN_COPY}", pick_card),
    (rf"you (may )?pick {_SORT} of those aside{_COPY}", pick_aside),
    (rf"you discard {_SORT} from your hand", pay),
    (rf"you discard {_SORT} from your hand if (you protect another player|the attacker makes dodging cost more)", dodge_cost),
    (rf"you discard any number of {_SORTS} from your hand", pay_any),
    (rf"you may discard {_SORTS} from your hand, each worth \+1 range for this attack, and must until that player is in range", boost),
    (r"you discard an item you have in play", pay_item),
    (r"you pay 1 life, the last one if need be", pay_life),
    (r"you name a number from (\d+) to (\d+)", name_number),
    (r"you name one of the types (.+)", name_type),
    (r"you name the Main deck, the incident deck or the Lunatic deck", name_deck),
    (r"the incident deck is the deck named", name_incident_deck),
    (r"you name top or bottom", name_end),
    (r"you pick any card of the incident deck, which is then shuffled and the card put on top of it", search_incident),
    (r"you, or the player on whose behalf you may play it, are named as the one to control the item", controller),
    (rf"a card of {_HAND} is picked: by you, and which copy of it, if you have looked at it, else at random", pick_from_hand),
    (rf"{_WHO} discards? (?:your|their) whole hand", discard_hand),
    (rf"{_WHO} discards? all Lunatic cards of (?:your|their) hand", discard_lunatic),
    (r"you flip the top card of the Main deck", flip),
    (rf"{_CARDS} from the top of the Main deck are laid aside for all to see", reveal),
    (rf"you alone look at {_CARDS} from the top of the (Main deck|deck named), laid aside", look),
    (rf"cards of the Main deck are laid aside for all to see until {_SORT} turns up, which is picked", reveal_until),
    (r"the picked card goes into your hand", take),
    (rf"all {_SORTS} aside go into your hand", take_all),
    (r"the cards aside are discarded in the order they were laid there", discard_aside),
    (r"this incident collects the cards aside", collect_aside),
    (r"the picked card of your hand goes to (the top|that end) of its deck", hand_to_deck),
    (r"the picked card goes back to (the top|that end) of its deck", aside_to_deck),
    (rf"the picked item, if {_WHO} still controls? it, is discarded", discard_pick),
    (rf"{_WHO} discards? all (?:your|their) items in play", discard_items),
    (rf"{_WHO} takes? control of the picked item(, you choosing which goes if it is one too many)?", take_control),
    (rf"{_WHO} takes? control of this item( when the stack is empty)?", take_this),
    (rf"this card goes into {_HAND}, for all to see", hand_on_card),
    (rf"when the stack is empty, the card answered goes into {_HAND}", keep_card),
    (rf"{_WHO} cannot lose life for the rest of the turn", spare_life),
    (r"the picked card enters play under your control, without being played", put_in_play),
    (rf"{_WHO} and {_WHO} exchange their whole hands", swap_hands),
    (rf"{_WHO} discards? a random card of (?:your|their) hand", discard_random),
    (r"this incident collects the top card of the Main deck", collect_top),
    (rf"the picked card of your hand goes into {_HAND}", give),
    (rf"the picked card goes into {_HAND}, unseen by the others", give),
    (rf"you alone look at {_HAND}", look_at_hand),
    (rf"{_WHO} shows? (?:your|their) hand to all", show_hand),
    (rf"you draw {_CARDS}, kept apart from your hand", draw_aside),
    (rf"{_WHO} is the chosen player", aim),
    (rf"{_WHO} draws? {_CARDS} from the Lunatic deck", draw_lunatic),
    (rf"{_WHO} draws? {_CARDS}", draw),
    (rf"(you attack|the second player attacks) {_WHO}(?: with damage (.+?))?( at any range| if in range)( with the range added)?"
     r"(, unavoidably)?", attack),
    (rf"{_WHO} loses? {_LIFE}", lose_life),
    (rf"{_WHO} regains? {_LIFE}", gain_life),
    (rf"the life of {_WHO} becomes 1", revive),
    (r"it is cancelled", cancel),
    (r"the attack is avoided", avoid),
    (r"you carry out a copy of it with choices of your own, which cannot be cancelled", copy),
    (rf"until the start of your next turn(?:, for {_WHO})?: (.+?)(?: \((.+)\))?", last),
    (rf"{_WHO} must skip (?:your|their) next turn", skip_next_turn),
    (r"you skip the turn that begins", set_flag("skipping")),
    (r"nobody plays action cards for the rest of the turn", set_flag("action_ban")),
    (r"(this incident|an incident in play, which you name if there are several,) is resolved", resolve_incident),
    (r"another incident enters play", bring_incident),
    (r"the incident deck is shuffled", shuffle_incidents),
    (r"this draw step gives (?:(\d+) cards? (more|fewer)|more cards, as many as (.+))", add_draws),
    (r"this turn has no incident step", set_flag("skip_incident")),
    (r"the effect ends here", stop),
    (r"everybody but the Heroine flips, clockwise from the current player and round again, until autumn shows, and "
     r"who flipped it and the Heroine exchange roles, the new Heroine gaining 1 life", swap_with_heroine),
    (r"the chosen player names another player: the former becomes the second player, the latter the chosen player", hand_on),
]  # fmt: skip
"""What each sentence means; the first that fits."""
