"""Every word of the vocabulary does what its English says: programs are compiled, played, and read again by `english.py`."""

import contextlib
import itertools
import re
from dataclasses import dataclass, replace

import numpy as np
import pytest

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.box import BASE_GAME
from danmaku_env.cards.compile import compile_box, compile_cards
from danmaku_env.cards.describe import describe_program, describe_text
from danmaku_env.cards.errors import CardError, Where
from danmaku_env.cards.lint.memory import reads_of
from danmaku_env.cards.lint.rows import check_row
from danmaku_env.cards.vocabulary import Content, Place, Register
from danmaku_env.engine import frames as fr
from danmaku_env.engine.invariants import characters, programs
from danmaku_env.heuristics import effects
from danmaku_env.wording import OMNISCIENT, event_seen
from tests.cards.english import CARDS, WINDOWS, Reader, Table
from tests.table import scene

TRIAL, TRIAL_ITEM, TRIAL_INCIDENT = "tempest", "stopwatch", "saigyou_ayakashi_blooming"
"""What carries the program under test: the only copy of a card, the only copy of an item, and an incident."""


# ---------------------------------------------------------------- playing with another box


@contextlib.contextmanager
def box_in_play(box):
    """Another box is the one that is played, for a while. Raises CardError."""
    live, other = compile_cards(), compile_box(box)
    before = (live.tables.copy(), live.texts, live.titles, live.rows)

    def put(tables, texts, titles, rows):
        live.tables[...] = tables
        for name, value in (("texts", texts), ("titles", titles), ("rows", rows)):
            object.__setattr__(live, name, value)
        for module in (programs, characters):  # the gate keeps what it has read off programs
            for kept in vars(module).values():
                if hasattr(kept, "cache_clear") and kept.__module__ == module.__name__:
                    kept.cache_clear()

    put(other.tables, other.texts, other.titles, other.rows)
    try:
        yield
    finally:
        put(*before)


BOX = BASE_GAME._replace(characters=(), expansion=BASE_GAME.expansion._replace(characters=()))
"""Nobody has a character at these tables; without them a box is compiled in a moment."""


def with_card(**changes):
    """The box with another card of the kind TRIAL or TRIAL_ITEM."""
    name = TRIAL if "modes" in changes else TRIAL_ITEM
    return BOX._replace(cards=tuple(replace(card, **changes) if card.id == name else card for card in BOX.cards))


def with_incident(step):
    codes = {row.code for row in v.every_row(step)}
    counts = {"needs": 9} if codes & {v.COLLECT_TOP, v.COLLECT_ASIDE} else {"needs": 9, "collects_types": v.INVOCATION}
    trial = v.Incident(id=TRIAL_INCIDENT, name="Trial", season=v.SPRING, text="", step=step, **counts)
    return BOX._replace(incidents=tuple(trial if old.id == TRIAL_INCIDENT else old for old in BOX.incidents))


# ---------------------------------------------------------------- situations


@dataclass
class Situation:
    """How a program comes to be carried out, and what of the rest of the game the reader has to reckon with."""

    box: object
    english: tuple
    """What is read: announcement and effect."""
    table: object
    opening: list
    """Answers until the program begins; the table is looked at before the last of them."""
    me: int = 0
    attacker: int | None = None
    attacked: int | None = None
    avoided: bool = False
    targets: tuple = ()
    item: bool = False
    """Whether it is the text of an item of mine."""
    gone: tuple = ()
    """Seat and kind of the card that the last answer of the opening plays."""
    offered: bool = False
    """Whether the program is inside an offer, the first question, which is taken."""
    check: object = None
    """What is compared instead of all that lies on the table."""
    afterwards: object = None
    """What the reader does when the program is over."""


LUNATIC_WORDS = (v.SEARCH_ITEM, v.DRAW_LUNATIC, v.DISCARD_LUNATIC, v.CHOOSE_DECK, v.CHOOSE_CARD)
"""Operations that are about the Lunatic deck too: they are played at a table of both boxes."""


def rich_table(expansion="none"):
    """Five seats with cards of every type, items of every type and wounds; nobody has anything that happens by itself."""
    return (
        scene(players=5, ask_forced=True, ask_everyone=True, expansion=expansion)
        .seat(
            0, hand=f"{TRIAL} shoot/spring shoot/summer graze/winter grimoire bomb/spring power/winter", items="power power focus", life=3
        )
        .seat(1, hand="shoot shoot graze voile one_up", items=f"power {TRIAL_ITEM}", life=2)
        .seat(2, hand="", items="mini_hakkero", life=4)
        .seat(3, hand="spiritual_attack graze/spring graze/summer laser_shot", items="", life=3)
        .seat(4, hand="party", items="power focus sorcerers_sutra_scroll", life=4)
    )


def between(announce, resolve):
    """`describe_text` of a text with these programs, cut into what is announced and what is done."""
    text = v.Text(events=(v.MAIN,), types=v.ACTION, announce=announce, resolve=resolve)
    body = describe_text(text).removeprefix("In your main step: ").split(". ")[0].removesuffix(".")
    if not announce:
        return "", body
    first, _, then = body.removeprefix("first ").partition("; then ")
    return first, then


def in_main_step(announce, resolve):
    lunatic = any(row.code in LUNATIC_WORDS or row[:2] == (v.IF, v.WITH_EXPANSION) for row in v.every_row((*announce, *resolve)))
    table = rich_table()
    if lunatic:
        table = rich_table("lunatic_extra").seat(
            0, hand=f"{TRIAL} shoot graze/winter lunatic_bomb/spring bomb/spring interrupt", items="power power focus", life=3
        )
    if any(row.code == v.CHOOSE_COLLECTED for row in v.every_row((*announce, *resolve))):
        table.incident("undefined_fantastic_object", collected="spiritual_attack/autumn capture_spell_card")
    box = with_card(modes=(v.action(announce, resolve),))
    return Situation(box, between(announce, resolve), table, [f"play {TRIAL}"], gone=(0, TRIAL))


def with_incidents(announce, resolve):
    """The same while two incidents are in play that do nothing meanwhile."""
    trial = in_main_step(announce, resolve)
    trial.table.config = replace(trial.table.config, expansion="lunatic_extra")
    trial.table.incidents({"lily_white": [], "endless_party": []})
    return trial


def against_an_attack(announce, resolve, attacked=1):
    """Seat 0 attacks with a Shoot; the trial is a reaction of seat 1."""
    table = rich_table().seat(0, hand="shoot/spring graze/winter grimoire shoot", items="power power", life=3)
    table.seat(1, hand=f"{TRIAL} shoot shoot graze voile one_up", items=f"power {TRIAL_ITEM}", life=2)

    def lands(reader):
        if not reader.avoided:
            reader.hit(attacked, 1)

    half = v.reaction((v.ATTACKED,), v.ALWAYS, announce, resolve)
    return Situation(
        with_card(modes=(half,)), between(announce, resolve), table,
        ["play shoot", f"choose seat:{attacked}", "pass", *["pass"] * 5, "pass", f"play {TRIAL}"],
        me=1, attacker=0, attacked=attacked, gone=(1, TRIAL), afterwards=lands)  # fmt: skip


def against_a_card(announce, resolve):
    """Seat 0 plays a Grimoire; the trial is a reaction of seat 1 before it is past its cancel window."""
    table = rich_table().seat(0, hand="shoot grimoire", items="", life=3)
    table.seat(1, hand=f"{TRIAL} shoot shoot graze voile one_up", items=f"power {TRIAL_ITEM}", life=2)

    def goes_on(reader):
        if not reader.cancelled:
            reader.draw(0, 2)

    half = v.reaction((v.CANCEL,), v.OTHERS_CARD, announce, resolve, tags=v.ACTION)
    return Situation(
        with_card(modes=(half,)), between(announce, resolve), table, ["play grimoire", "pass", f"play {TRIAL}"],
        me=1, attacker=0, gone=(1, TRIAL), afterwards=goes_on)  # fmt: skip


def against_an_avoidance(announce, resolve):
    """Seat 0 attacks seat 1 with a Shoot; the trial is a reaction of seat 1 to its own Graze."""
    table = rich_table("lunatic_extra").seat(0, hand="shoot/spring grimoire shoot", items="power power", life=3)
    table.seat(1, hand=f"{TRIAL} shoot shoot graze voile one_up", items=f"power {TRIAL_ITEM}", life=2)

    def lands(reader):
        if not reader.avoided:
            reader.hit(1, 1)

    half = v.reaction((v.AVOIDING,), v.MINE, announce, resolve)
    return Situation(
        with_card(modes=(half,)), between(announce, resolve), table,
        ["play shoot", "choose seat:1", "pass", *["pass"] * 5, "pass", "play graze", "pass", f"play {TRIAL}"],
        me=1, attacker=0, attacked=1, avoided=True, gone=(1, TRIAL), afterwards=lands)  # fmt: skip


def after_a_draw(announce, resolve):
    """Seat 0 plays a Grimoire; the trial is a reaction of seat 1 to the cards drawn."""
    table = rich_table("lunatic_extra").seat(0, hand="shoot grimoire", items="", life=3)
    table.seat(1, hand=f"{TRIAL} shoot shoot graze voile one_up", items=f"power {TRIAL_ITEM}", life=2)
    half = v.reaction((v.DREW,), v.SOMEBODY_ELSES, announce, resolve)
    return Situation(
        with_card(modes=(half,)), between(announce, resolve), table,
        ["play grimoire", *["pass"] * 5, "pass", f"play {TRIAL}"], me=1, attacker=0, gone=(1, TRIAL))  # fmt: skip


def triggered(event, relation, announce, resolve):
    """The trial is a trigger of an item of seat 0; it begins with an offer, which is taken."""
    table = rich_table().seat(0, hand="shoot/spring graze/winter grimoire bomb/spring", items=f"power {TRIAL_ITEM}", life=3)
    table.seat(1, hand="shoot shoot graze voile", items="power", life=2)
    program = [v.may([*announce, *resolve])]
    shot = ["play shoot", "choose seat:1", "pass", *["pass"] * 5]
    me, afterwards, opening, more = 0, None, [], {}
    if event in (v.SKIP_CHECK, v.TURN_START, v.INCIDENT_START):
        table.turn(0, step="start" if event != v.INCIDENT_START else "incident").config = replace(table.config, max_turns=3)
        if event == v.SKIP_CHECK:
            more = {"check": goes_by}
    elif event in (v.DRAW_STEP, v.DREW_STEP, v.DRAWING):
        if event == v.DRAWING:
            table.config = replace(table.config, expansion="lunatic_extra")
        table.turn(0, step="draw")
        opening = ["pass"] * 5

        def afterwards(reader):
            reader.draw(0, max(0, 2 + reader.more_draws))
    elif event == v.PLAYED:
        opening, more = shot, {"targets": (1,)}

        def afterwards(reader):
            reader.hit(1, 1)
    elif event == v.AVOIDED:
        opening, more = [*shot, "pass", "play graze"], {"attacked": 1, "attacker": 0, "gone": (1, "graze")}
    elif event in (v.ATTACK_DECLARED, v.HIT, v.LOSS_DRAW):
        if event == v.HIT:
            table.config = replace(table.config, expansion="lunatic_extra")
        if event != v.ATTACK_DECLARED:
            shot += ["pass"] * 5
        table.seat(0, hand="grimoire bomb/spring", items="power", life=3).seat(2, hand="", items="mini_hakkero", life=4)
        table.seat(1, hand="shoot shoot graze voile", items=f"power {TRIAL_ITEM}", life=2)
        table.seat(0, hand="shoot/spring graze/winter grimoire bomb/spring", items="power power", life=3)
        opening, me, more = shot, 1, {"attacked": 1, "attacker": 0}

        def afterwards(reader):
            reader.drawn_for_life = reader.more_draws
            if not reader.avoided and not reader.table.flags.pop("harmless", 0):
                reader.hit(1, 1)

    box = with_card(triggers=(v.trigger(event, relation, program),))
    return Situation(box, ("", describe_program(program)), table, opening, me=me, item=True, offered=True, afterwards=afterwards, **more)


def goes_by(game, reader):
    """A skipped turn: the next player's comes."""
    assert game.turn == reader.table.flags["skipping"]


def in_the_incident_step(announce, resolve):
    """The trial is what an incident does in its step; it begins with an offer."""
    program = [v.may([*announce, *resolve])]
    table = rich_table().incident(TRIAL_INCIDENT).turn(0, step="incident")
    return Situation(with_incident(program), ("", describe_program(program, incident=True)), table, [], offered=True)


def situations(op, announce, resolve):
    """The main step, or every situation in which the program means something."""
    rows = list(v.every_row((*announce, *resolve)))
    if any(v.OPERATIONS[row.code].when is v.When.OF_INCIDENT for row in rows) or op[:2] == (v.IF, v.COLLECTED_ALL):
        return [in_the_incident_step(announce, resolve)]
    events = {v.TimingEvent(event) for event in range(v.NUM_EVENTS)}
    for about in (about for row in rows for about in about_events(row) if about):
        events &= set(about)
    if any(v.OPERATIONS[row.code].when is v.When.OF_ITEM for row in rows):
        return [triggered(event, TRIGGERS[event], announce, resolve) for event in (v.DRAW_STEP, v.ATTACK_DECLARED) if event in events]
    if v.MAIN in events:
        several = [with_incidents(announce, resolve)] if any(row.code == v.RESOLVE_INCIDENT for row in rows) else []
        return [in_main_step(announce, resolve), *several]
    found = [against_an_attack(announce, resolve, attacked) for attacked in (1, 4) if v.ATTACKED in events]
    found += [against_a_card(announce, resolve)] * (v.CANCEL in events)
    found += [against_an_avoidance(announce, resolve)] * (v.AVOIDING in events and op.code != v.AVOID_IT)
    found += [after_a_draw(announce, resolve)] * (v.DREW in events)
    again = op[:2] == (v.ATTACK, v.ATTACKED_ONE)  # attacked by what a trigger does, that player has the same trigger again
    of_card = any(v.OPERATIONS[row.code].when is v.When.OF_CARD for row in rows)
    if op.code != v.COPY_IT and not again and not of_card:  # a copy is read of one card only, that answered in its cancel window
        found += [triggered(event, relation, announce, resolve) for event, relation in TRIGGERS.items() if event in events]
    return found


TRIGGERS = {
    v.DRAWING: v.MINE, v.HIT: v.MINE, v.ATTACK_DECLARED: v.MINE, v.PLAYED: v.BY_ME, v.AVOIDED: v.BY_ME, v.SKIP_CHECK: v.MINE,
    v.TURN_START: v.MINE,
    v.INCIDENT_START: v.MINE, v.DRAW_STEP: v.MINE, v.LOSS_DRAW: v.MINE,
}  # fmt: skip


def about_events(op):
    yield v.OPERATIONS[op.code].events
    words = {v.Kind.SEAT: v.SEAT_WORDS, v.Kind.GROUP: v.GROUP_WORDS, v.Kind.CONDITION: v.CONDITION_WORDS}
    for operand, value in zip(v.OPERATIONS[op.code].operands, op[1:], strict=True):
        if operand.kind in words:
            yield words[operand.kind][value].events


# ---------------------------------------------------------------- playing and reading


def answer_at_random(game, rng):
    """Nobody answers what others do; whatever the text asks is answered at random, but it is never cut short before it began."""
    legal = game.legal()
    return "pass" if game.question in WINDOWS else legal[int(rng.integers(len(legal)))]


def is_over(game, turn):
    ends = game.question in ("rescue", "main", "step") and not game.record["due_item"]
    return game.over or game.turn_number != turn or ends


def is_before_an_effect(game):
    """Whether a card can be answered that nobody can cancel any more: with Lunatic Extra everybody is asked then (K-2)."""
    record = game.record
    window = record["stack"][int(record["depth"]) - 1]
    return window[fr.PROCEDURE] == fr.WINDOW_FRAME and window[fr.WINDOW_EVENT] == v.RESPONSE


def play_and_read(trial, seed):
    """Play the program and read its English; returns the reader, having compared what the two came to. None: it was not offered."""
    with box_in_play(trial.box):
        game = trial.table.build(seed=seed)
        for place in range(len(trial.opening)):
            while is_before_an_effect(game):
                game.act("pass")
            if place < len(trial.opening) - 1:
                game.act(trial.opening[place])
        table, logged, turn = Table(game), int(game.record["log_count"]), game.turn_number
        played = set(table.played)
        card, item, answered = None, trial.item and an_item(table, trial.me), min(played, default=None)
        if trial.gone:
            seat, name = trial.gone
            played.add(card := min(card for card in table.hands[seat] if CARDS[card][0].id == name))
            table.hands[seat].remove(card)
        if trial.opening and trial.opening[-1] not in game.legal():
            return None
        asked = play_on(game, trial, np.random.default_rng(seed), turn)
        rows = game.record["log"][logged : int(game.record["log_count"])]
        reader = Reader(
            table, trial.me, asked, [event_seen(row, OMNISCIENT) for row in rows],
            attacker=trial.attacker, attacked=trial.attacked, targets=trial.targets, card=card, item=item, answered=answered)  # fmt: skip
        reader.avoided = trial.avoided
        announced, effect = trial.english
        if not announced or reader.read(announced):
            reader.read(effect)
        after_the_program(reader, trial)
        if trial.check:
            trial.check(game, reader)
        else:
            compare(reader, Table(game), played)
    return reader


def an_item(table, seat):
    """The item whose text is under test."""
    return next(card for card in table.items[seat] if CARDS[card][0].id == TRIAL_ITEM)


def play_on(game, trial, rng, turn):
    """Everything that was asked until the program is over, and what was answered."""
    asked = []
    for answer in trial.opening[-1:]:
        game.act(answer)
    while not is_over(game, turn):
        answer = "choose yes" if trial.offered and not asked else answer_at_random(game, rng)
        asked.append((game.asking, game.question, game.legal(), answer))
        game.act(answer)
    return asked


def after_the_program(reader, trial):
    """What lies aside goes; a copy is carried out; the attack or card that was answered comes to its end."""
    reader.sentence = "afterwards"
    for _ in range(reader.copies):
        reader.draw(trial.me, 2)
    if trial.afterwards:
        trial.afterwards(reader)
    reader.over()


def compare(reader, table, played):
    """The reader's table is the engine's, but for the cards that were being played: when those are put away is no word's affair."""
    ours, theirs = reader.table.facts(played), table.facts(played)
    if reader.shuffled_incidents:
        shuffled = len(theirs["incident_deck"]) - reader.fetched_incidents
        theirs["incident_deck"] = [*sorted(theirs["incident_deck"][:shuffled]), *theirs["incident_deck"][shuffled:]]
    for deck, name in (("main", "deck"), ("lunatic", "lunatic_deck")):
        if deck in reader.shuffled_decks:
            ours[name], theirs[name] = sorted(ours[name]), sorted(theirs[name])
    different = {name: (ours[name], theirs[name]) for name in ours if ours[name] != theirs[name]}
    assert not different, f"what the English says, what the engine did: {different}"
    for seat in reader.looked:
        for card in reader.table.hands[seat]:
            assert reader.table.seen[card] & ~table.seen[card] == 0, "a card that was shown is not known"


# ---------------------------------------------------------------- every word

SEATS = [v.SeatOperand(seat) for seat in range(len(v.WHO))]
NUMBERS = [-1, 0, 1, 2, 3, 5]
COUNTED = [v.Count((word,), plus) for word in range(len(v.COUNTS)) for plus in (0, 1, -1, 16)]
TYPES = [v.ANY_TYPE, v.DANMAKU, v.DODGE, v.ITEM, v.POWERUP | v.INVOCATION | v.HEALING, v.ACTION]


def values(operand):
    """Every value of an operand that makes a difference; of numbers and types, some."""
    if operand.only:
        return list(operand.only)
    flags = [bit for bit in (1, 2, 4, 8, 32) if operand.flags & bit]
    return {
        v.Kind.NONE: [0],
        v.Kind.ROW: [0],
        v.Kind.SEAT: SEATS,
        v.Kind.GROUP: [v.Group(group) for group in range(len(v.GROUPS))],
        v.Kind.NUMBER: [
            *(number for number in NUMBERS if operand.low <= number <= operand.high),
            *(COUNTED if operand.counts else ()),
        ],
        v.Kind.TYPES: [v.DODGE, v.DANMAKU | v.ITEM, v.Types(sum(v.NAMED_TYPES))] if operand.low else TYPES,
        v.Kind.SEASONS: [0, *range(1, 16)],
        v.Kind.YES_NO: [0, 1],
        v.Kind.FLAGS: [sum(some) for size in range(len(flags) + 1) for some in itertools.combinations(flags, size)],
        v.Kind.CONDITION: [v.Condition(condition) for condition in range(len(v.CONDITIONS))],
        v.Kind.LASTING: [v.Lasting(effect) for effect in range(len(v.LASTING))],
        v.Kind.GIVES: [v.ITS_ABILITY, v.ITS_SPELL, v.ITS_ALL],
        v.Kind.VALUE: [0, 2, v.ITEM, v.DODGE, v.AMOUNT, v.MY_POWERUPS + 1],
    }[operand.kind]  # fmt: skip


def rows_of(code):
    """Every row of an operation that is not refused for its operands alone."""
    for operands in itertools.product(*map(values, v.OPERATIONS[code].operands)):
        op = v.Op(code, *operands)
        with contextlib.suppress(CardError):
            check_row(op, Where("x"))
            yield op


PICKS = {
    Content.OWN_CARD: [v.choose_card()],
    Content.IN_PLAY: [v.choose_item(v.CHOSEN)],
    Content.ANOTHERS_CARD: [v.choose_from_hand(v.CHOSEN)],
    Content.ASIDE_ITEM: [v.reveal_until(v.ITEM)],
    Content.DISCARDED: [v.flip(), v.flip(), v.choose_discard(2)],
    Content.COLLECTED: [v.choose_collected()],
    Content.ASIDE_CARD: [v.reveal(2), v.choose_aside()],
    Content.ASIDE_INCIDENT: [v.look(2, chosen_deck=True), v.choose_aside()],
}
"""How a card comes to be picked."""


NAMING = {
    Content.TYPE: v.choose_type(v.Types(sum(v.NAMED_TYPES))),
    Content.NUMBER: v.choose_number(1, 5),
    Content.OPTIONS: v.choose_options(2, 5),
    Content.SEASONS: v.choose_seasons(2),
}
"""How the AMOUNT comes to be named."""


def preludes(op):
    """What must be announced and done before a row so that it finds all it reads, in every way there is."""
    announce, resolve, ways = [v.choose_player(v.OTHERS)], [], [[]]
    if op.code == v.CHOOSE_DISCARD:
        resolve += [v.flip(), v.flip(), v.flip()]
    for read in reads_of(op):
        if read.register is Register.SECOND:
            announce.append(v.choose_second(v.OTHERS))
        elif read.register is Register.THIRD:
            announce.append(v.choose_third(v.OTHERS))
        elif read.register is Register.AMOUNT and read.accepts == (Content.FLIPS,):
            resolve += [v.flip(), v.remember_flip(1)]
        elif read.register is Register.AMOUNT and Content.NOTHING not in read.accepts:
            announce.append(NAMING[read.accepts[0]])
        elif read.register is Register.DECK:
            announce.append(v.choose_deck())
        elif read.register is Register.FLIP:
            resolve.append(v.flip())
        elif read.register is Register.END:
            ways = [*ways, *([*way, v.choose_end()] for way in ways)]
        elif read.register is Register.SEEN:
            shown = [v.show_hand()] if Content.NOTHING not in read.accepts else []
            resolve += shown
            ways = ways if shown or op.a != v.CHOSEN else [*ways, [v.look_at_hand()], [v.show_hand()]]
        elif read.register is Register.ASIDE and Content.NOTHING not in read.accepts:
            resolve.append(v.reveal(3))
        elif read.register is Register.PICK:
            ways = [[*way, *PICKS[content]] for way in ways for content in read.accepts if content in PICKS]
    return announce, [[*resolve, *way] for way in ways]


def programs_of(op):
    """(announced, effect) with the row in it, in every way in which it finds what it reads."""
    operation = v.OPERATIONS[op.code]
    announce, ways = preludes(op)
    for way in ways:
        first = [v.choose_deck()] if any(step.code == v.LOOK and step.b for step in way if isinstance(step, v.Op)) else []
        last = [v.arrange()] if first else []
        if op.code == v.RESOLVE_INCIDENT:
            yield [], [v.collect_top(), op]
        if operation.when is v.When.ANNOUNCED:
            yield [*first, *announce, op], [*way, v.draw(1)]
        else:
            yield [*first, *announce], [*way, *around(op), *last]


def around(op):
    """The row, with a body where it holds one."""
    if op.code in (v.MAY, v.DISCARD_OR):
        return [v.Branch(op, [v.draw(1)], [v.lose_life(v.ME, 1)] if op.code == v.MAY else [])]
    if op.code == v.IF:
        return [v.If(op.a, op.b, [v.draw(1)], [v.draw(2)])] if op.a != v.TRUE else [v.forever([v.stop()])]
    if op.code == v.START_EACH:
        return [v.Each(op.a, [v.draw(1, v.EACH)]), v.Each(op.a, [v.attack(v.EACH)])]
    if op.code == v.SET_COUNT:
        return [v.Repeat(op.a, [v.draw(1)]), v.Repeat(op.a, [v.attack(any_range=True)])]
    if op.code == v.AIM:
        return [op, v.draw(2, v.CHOSEN)]
    return [op, *([v.arrange()] if op.code == v.LOOK and op.b else [])]


def read_some(trial, seed):
    """The trial, played and read; with another seed where what comes of it is chance."""
    for other in range(seed, seed + 200, 20):
        with contextlib.suppress(NotImplementedError):
            return play_and_read(trial, other)
    raise AssertionError(f"{trial.english} is never read")


HEADS = (v.JUMP, v.NEXT_EACH, v.COUNT_DOWN)
"""Rows that nobody writes: what they do shows in the loops and branches they belong to."""


def sample(code, most=48):
    """Rows of an operation: every value of every operand at least once, and others by chance."""
    rows = list(rows_of(code))
    np.random.default_rng(code).shuffle(rows)
    found, shown = [], set()
    for row in rows:
        new = {(place, value) for place, value in enumerate(row)} - shown
        if new or len(found) < most:
            found.append(v.Op(*row))
            shown |= new
    return found


def is_playable(op):
    """Another's Spell Card is picked by invocations and Spell Cards alone; they have a test of their own."""
    of_others = tuple((code, group) for code in (v.CHOOSE_PLAYER, v.START_EACH) for group in v.SPELL_GROUPS)
    return op[:2] not in (*of_others, (v.IF, v.EXTRA_MISSING), (v.IF, v.HURT_THIS_TURN))


RECRUITING = [code for code in sorted(v.OPERATIONS) if code >= v.EXTRAS]
"""Words about Extra Characters have tables of their own: nobody at the others has a character."""
DECIDING = [code for code in sorted(v.OPERATIONS) if v.OPERATIONS[code].when is v.When.TRIGGERED]
"""What a trigger alone is decided by stands in no other program."""
CODES = [code for code in sorted(v.OPERATIONS) if code not in (*HEADS, v.ACTIVATE, *RECRUITING, *DECIDING)]


@pytest.mark.parametrize("code", CODES, ids=[v.OPERATIONS[code].name for code in CODES])
def test_every_word_does_what_its_english_says(code):
    """Every operation with every value of every operand: played, and read again. What it asks and moves is what its description says."""
    operation, read, questions, moves = v.OPERATIONS[code], 0, set(), set()
    sentence = re.sub(r"\\\{.*?\\\}", ".*", re.escape(operation.english))
    for op in filter(is_playable, sample(code)):
        for announce, resolve in programs_of(op):
            for trial in situations(op, announce, resolve) * (8 if code == v.SEARCH_ITEM else 1):  # what is found is chance
                reader = read_some(trial, 1 + read)
                assert reader, f"{describe_program(announce)} // {describe_program(resolve)} is not offered"
                read += 1
                questions |= set().union(*(asked for said, asked in reader.questions.items() if re.match(sentence, said)))
                moves |= set().union(*(moved for said, moved in reader.moved.items() if re.match(sentence, said)))
    assert read
    unasked = operation.asks in ("", "controller") or code == v.FLIP_AND_PLAY  # of one character alone; no action lies on top here
    assert operation.asks in questions or unasked
    described = {(source.value, target.value) for source, target in operation.moves}
    if operation.written == operation.name and not operation.jumps and code != v.ATTACK:  # what a body or an attack moves is its own affair
        assert moves <= described
        assert described - moves <= {(Place.IN_PLAY.value, Place.DISCARD.value)}  # an item too many


def test_a_reader_of_something_else_would_be_found():
    """Other words than the program's are not what happens: the comparison sees it."""
    for said, other in (("draws 2 cards", "draws 3 cards"), ("the chosen player", "you"), ("loses 1 life", "regains 1 life")):
        announce, resolve = [v.choose_player(v.OTHERS)], [v.draw(2, v.CHOSEN), v.lose_life(v.CHOSEN, 1)]
        trial = in_main_step(announce, resolve)
        assert play_and_read(trial, 3)
        wrong = replace(trial, english=(trial.english[0], trial.english[1].replace(said, other)))
        with pytest.raises(AssertionError):
            play_and_read(wrong, 3)


# ---------------------------------------------------------------- words together


def random_step(rng, pool):
    """A row with what it needs before it, perhaps inside a branch or a loop."""
    op = pool[int(rng.integers(len(pool)))]
    announce, ways = preludes(op)
    steps = [*ways[int(rng.integers(len(ways)))], *around(op)]
    wrapped = int(rng.integers(6))
    if wrapped == 0:
        steps = [v.may(steps, [v.draw(1)])]
    elif wrapped == 1:
        steps = [v.repeat(2, steps)]
    elif wrapped == 2:
        steps = [v.Each(v.EVERYONE, [*steps, v.draw(1, v.EACH)])]
    elif wrapped == 3:
        steps = [v.if_(v.HAND_LEFT, steps, [v.draw(2)])]
    return announce, steps


def random_programs(rng, pool):
    """Programs of a few words that are not refused."""
    while True:
        announce, resolve = {}, []
        for _ in range(int(rng.integers(2, 5))):
            before, steps = random_step(rng, pool)
            announce |= {step.code: step for step in before} | {
                (step.code, step.c): step for step in before if step.code == v.CHOOSE_PLAYER
            }
            announce.pop(v.CHOOSE_PLAYER, None)
            resolve += steps
        trial = in_main_step(list(announce.values()), resolve)
        with contextlib.suppress(CardError):
            compile_box(trial.box)
            yield trial


@pytest.mark.parametrize("seed", range(8))
def test_words_together_do_what_their_english_says(seed):
    """Random programs of several words, in branches and loops."""
    rng = np.random.default_rng(seed)
    pool = [op for code in CODES for op in sample(code, 12) if is_playable(op) and v.OPERATIONS[code].when is not v.When.ANNOUNCED]
    pool = [op for op in pool if not any(about_events(op)) and not (op.code == v.IF and op.a == v.COLLECTED_ALL)]
    read = 0
    for trial in itertools.islice(random_programs(rng, pool), 12):
        with contextlib.suppress(NotImplementedError):  # a deck that is shuffled anew: what comes then is chance
            read += play_and_read(trial, seed) is not None
    assert read >= 8


# ---------------------------------------------------------------- Spell Cards


def test_activating_does_what_its_english_says():
    """`activate`: one's own Spell Card, or that of a player chosen whose Spell Card could be activated."""
    own, another = (describe_program([v.activate(who)]) for who in (v.ME, v.CHOSEN))
    assert (own, another) == ("you activate your own Spell Card", "you activate the Spell Card of the chosen player as your own")
    table = scene(players=4).seat(0, "patchouli_knowledge", hand="spiritual_attack capture_spell_card").seat(1, "kazami_yuuka")
    for card, spell in (("spiritual_attack", "Philosopher's Stone"), ("capture_spell_card", "The Reflowering of Gensokyo")):
        game = table.build()
        game.act(f"play {card}")
        while spell not in "".join(game.log):
            game.act(game.legal()[-1])
        assert game.seat(0).spell_used


# ---------------------------------------------------------------- Extra Characters

TANUKI, PARADE = "futatsuiwa_mamizou", ["cirno", "hakurei_reimu", "kazami_yuuka", "izayoi_sakuya", "ibuki_suika"]
"""Who carries a Spell Card under test, and who can be recruited."""


def with_spell(program):
    """Both boxes, TANUKI with another Spell Card."""
    people = BASE_GAME.expansion.characters
    other = [replace(one, spell=v.spell_action([], program, text="")) if one.id == TANUKI else one for one in people]
    return BASE_GAME._replace(expansion=BASE_GAME.expansion._replace(characters=tuple(other)))


def recruiting(program, answers, **plan):
    """A Spell Card with the program is activated, the questions answered so; the game, and what the program says."""
    with box_in_play(with_spell(program)):
        table = scene(4, 1, expansion="lunatic_extra").seat(0, TANUKI, hand="spiritual_attack shoot", **plan)
        taken = {name.partition("/")[0] for name in plan.get("extras", ())}
        table.seat(1, "komeiji_satori").recruits([name for name in PARADE if name not in taken])
        game = table.build(seed=3)
        game.act("play spiritual_attack")
        if game.question == "spell":
            game.act(f"choose character:{TANUKI}")
        asked = []
        for answer in answers:
            while game.question in WINDOWS:
                game.act("pass")
            asked.append((game.question, game.legal()))
            game.act(game.legal()[0] if answer is None else answer)
        found = [seat.extras for seat in game.seats], [seat.abilities for seat in game.seats], [seat.spell_cards for seat in game.seats]
        return asked, *found, describe_program(program)


@pytest.mark.parametrize("gives", [v.ITS_ABILITY, v.ITS_SPELL, v.ITS_ALL], ids=v.EXTRA_GIVES[1:])
def test_recruiting_does_what_its_english_says(gives):
    """`recruit`: two are drawn, one is kept, and its ability or Spell Card, or both, are there as long as it is."""
    trigger = v.trigger(v.TURN_START, v.MINE, [v.recruit(gives)])
    people = [replace(one, triggers=(trigger,)) if one.id == TANUKI else one for one in BASE_GAME.expansion.characters]
    with box_in_play(BASE_GAME._replace(expansion=BASE_GAME.expansion._replace(characters=tuple(people)))):
        game = scene(4, 3, expansion="lunatic_extra").seat(0, TANUKI).recruits(PARADE).turn(0, step="start").build(seed=3)
        drawn = [answer.removeprefix("choose character:") for answer in game.legal()]
        game.act(f"choose character:{drawn[1]}")
    assert (game.question == "character", len(drawn), set(drawn) <= {*PARADE}) == (False, 2, True)
    assert game.seat(0).extras == [drawn[1]]
    assert (drawn[1] in game.seat(0).abilities, drawn[1] in game.seat(0).spell_cards) == (gives != v.ITS_SPELL, gives != v.ITS_ABILITY)
    assert describe_program([v.recruit(gives)]) == f"you recruit an Extra Character and have its {v.EXTRA_GIVES[gives]}"


def test_naming_and_dismissing_do_what_their_english_says():
    """`choose_extra`, `dismiss`, `dismiss_own`: one is named, and goes; or those from this go; declining, none goes."""
    extras = {"extras": ["cirno", "hakurei_reimu/tanuki_leaf"], "items": "tanuki_leaf"}
    named = [v.choose_extra(optional=True), v.dismiss()]
    asked, left, *_, said = recruiting(named, ["choose character:hakurei_reimu"], **extras)
    assert asked == [("extra", ["pass", "choose character:cirno", "choose character:hakurei_reimu"])]
    assert (left[0], said) == (["cirno"], "you may name an Extra Character of yours; the Extra Character named, if any, is dismissed")
    _, left, *_ = recruiting(named, ["pass"], **extras)
    assert left[0] == ["cirno", "hakurei_reimu"]
    asked, left, abilities, spells, said = recruiting([v.choose_extra(own=True), v.dismiss(), v.draw(1)], [], **extras)
    assert (asked, left[0]) == ([], ["hakurei_reimu"])  # there is one from this only
    assert (TANUKI in abilities[0], "cirno" in abilities[0] + spells[0]) == (True, False)
    assert said.startswith("you name an Extra Character of yours from this; ")
    _, left, *_, said = recruiting([v.dismiss_own()], [], **extras)
    assert (left[0], said) == (["hakurei_reimu"], "you dismiss the Extra Characters you have from this")


def test_replacing_does_what_its_english_says():
    """`replace_extra`: another comes from the same source in its place."""
    program = [v.choose_extra(optional=True), v.replace_extra()]
    plan = {"extras": ["hakurei_reimu/tanuki_leaf"], "items": "tanuki_leaf"}
    asked, left, abilities, spells, said = recruiting(program, ["choose character:hakurei_reimu", None], **plan)
    assert [question for question, _ in asked] == ["extra", "character"]
    assert len(asked[1][1]) == 2
    assert left[0] == [asked[1][1][0].removeprefix("choose character:")] != ["hakurei_reimu"]
    assert left[0][0] in abilities[0]
    assert left[0][0] in spells[0]
    assert said.endswith("is replaced by one you recruit, from the same source and with the same gains")


def test_naming_an_ability_does_what_its_english_says():
    """`name_ability`: that of another player's character; the words say whether for good."""
    copier, mirror = describe_program([v.name_ability()]), describe_program([v.name_ability(for_good=True)])
    assert "until you name another" in copier
    assert "for the rest of the game" in mirror
    game = scene(4, 3, expansion="lunatic_extra").seat(0, "komeiji_koishi").seat(1, "cirno").seat(2, TANUKI).turn(0, step="start").build()
    assert (game.question, game.legal()) == ("ability", ["pass", "choose character:cirno"])  # nobody's that recruits
    game.act("choose character:cirno")
    assert game.seat(0).abilities == ["cirno", "komeiji_koishi"]


def test_what_a_trigger_is_decided_by_does_what_its_english_says():
    """`decline`, `choose_search`, `choose_ability`: where nothing is named nothing happens."""
    assert describe_program([v.only_if(v.HAS_PICK)]) == "unless a card was picked, nothing happens"
    search, ability = describe_program([v.choose_search()]), describe_program([v.choose_ability()])
    assert search == "unless you name the Main deck or the Lunatic deck to be searched, nothing happens"
    assert ability == "unless you name the character of another player, defeated or not, nothing happens"
    assert describe_program([v.choose_ability(for_good=True)]) == "unless you name the character of another player, nothing happens"
    table = scene(4, 1, expansion="lunatic_extra").seat(0, "kijin_seija").roles("heroine stage_boss stage_boss ex_boss")
    game = table.turn(0, step="game start").build()
    assert (game.question, game.legal()) == ("deck", ["pass", "choose deck:main", "choose deck:lunatic"])
    other = game.clone()
    game.act("pass")
    assert game.question != "aside"
    assert not any("search" in line for line in game.log)
    other.act("choose deck:main")
    other.act(other.legal()[0])
    assert len(other.seat(0).items) == 1


def test_activating_what_is_printed_does_what_its_english_says():
    """`activate_printed`: the Spell Card of the same character, beyond its timing and the limit of one a round."""
    assert describe_program([v.activate_printed()]).startswith("you activate the Spell Card printed with this, whatever its timing")
    trigger = v.trigger(v.DREW_STEP, v.MINE, [v.activate_printed()])
    people = [replace(one, triggers=(trigger,)) if one.id == "komeiji_koishi" else one for one in BASE_GAME.expansion.characters]
    with box_in_play(BASE_GAME._replace(expansion=BASE_GAME.expansion._replace(characters=tuple(people)))):
        table = (
            scene(4, 2, expansion="lunatic_extra").seat(0, "komeiji_koishi", spell_used=True).seat(1, "cirno").incident("voyage_to_makai")
        )
        game = table.turn(0, step="draw").build()
        while game.question == "step":
            game.act("pass")
        game.act("choose seat:1")
        assert game.seat(1).abilities == ["cirno"]  # what is announced can still be cancelled
        game.act("pass")
        assert game.seat(1).abilities == []


@pytest.mark.parametrize("code", RECRUITING, ids=[v.OPERATIONS[code].name for code in RECRUITING])
def test_players_read_words_about_extra_characters(code):
    for op in rows_of(code):
        assert np.isfinite(effects.read_text(v.Text(events=(v.MAIN,), resolve=[op]), "Trial")["effect"]).all()


# ---------------------------------------------------------------- which relation goes with which event

QUESTION_AT = {
    v.MAIN: "main", v.CANCEL: "cancel", v.RESPONSE: "respond", v.ATTACKED: "attacked", v.RESCUE: "rescue", v.STEP: "step",
    v.AVOIDING: "respond", v.LIFE_GONE: "respond", v.DREW: "respond",
}  # fmt: skip
GIRL = "cirno"
"""Who carries the text under test, at seat 1."""


def with_girl(**changes):
    girl = replace(next(one for one in BASE_GAME.characters if one.id == GIRL), modifiers={}, **changes)
    answering = v.reaction((v.RESPONSE,), v.ALWAYS, [], [v.draw(1)])
    cards = tuple(replace(card, modes=(answering,)) if card.id == TRIAL else card for card in BASE_GAME.cards)
    return BASE_GAME._replace(cards=cards, characters=tuple(girl if one.id == GIRL else one for one in BASE_GAME.characters))


LUNATIC_EVENTS = (
    v.HIT, v.GAINED_ITEM, v.STRUCK, v.AVOIDING, v.LIFE_GONE, v.DREW, v.DRAWING, v.SPRING_GONE, v.DEFEATED, v.CARD_DONE,
)  # fmt: skip
"""Events that are told of with the expansion alone."""


def table_for(events):
    """The expansion, where one of the events needs it."""
    return "lunatic_extra" if set(events) & set(LUNATIC_EVENTS) else "none"


def rounds(expansion):
    """Turns in which everything happens that events tell of, to seat 1 and to others, with full and with empty hands."""
    everything = f"shoot shoot graze graze grimoire last_word {TRIAL}"
    for turn, step, hand, skips in (
        (0, "main", "shoot graze grimoire", 0),
        (0, "main", "", 0),
        (1, "start", "", 0),
        (0, "start", "", 1),
        (1, "start", "shoot", 1),
    ):
        table = scene(players=4, turns=3, ask_everyone=True, expansion=expansion).seat(
            0, hand=everything, items="power power power", life=3
        )
        table.seat(1, GIRL, hand=hand, items="power power", life=1, skip_next=bool(skips)).seat(2, hand="voile", life=1)
        table.incident_deck(top=["crossing_to_higan"])
        yield table.seat(3, "hong_meiling", hand="spiritual_attack spiritual_attack", life=3).turn(turn, step=step)


def play_rounds(box, seeds, expansion="none"):
    """Every position in which seat 1 is asked, of random games from there."""
    with box_in_play(box):
        for seed, table in itertools.product(range(seeds), rounds(expansion)):
            game, rng = table.build(seed=seed), np.random.default_rng(seed)
            for _ in range(100):
                if game.over:
                    break
                if game.asking == 1:
                    yield game
                legal = game.legal()
                game.act(legal[int(rng.integers(len(legal)))])


@pytest.fixture
def unchecked(monkeypatch):
    """Texts are compiled as they are, also those that are refused."""
    monkeypatch.setattr("danmaku_env.cards.compile.check_text", lambda *_: None)


RELATIONS = pytest.mark.parametrize(
    "relation", [v.Relation(relation) for relation in range(len(v.RELATIONS))], ids=[name or "always" for name in v.RELATIONS]
)
UNUSUAL = (v.GAME_START, v.ITEM_GAINED, v.ITEM_LOST, v.ROLE_GAINED, v.SPELL_ACTIVATED)
"""Events that do not happen at these tables; they are in the tests of what they trigger."""
TRIGGERING = [event for event in map(v.TimingEvent, range(v.NUM_EVENTS)) if not v.EVENT_SPECS[event].offers and event not in UNUSUAL]
"""Events of a turn at which texts are triggered."""


@RELATIONS
def test_a_relation_is_offered_at_the_events_that_know_it(relation, unchecked):
    """`fits` for abilities: what it allows is offered some time, what it forbids never is."""
    tags = v.DANMAKU | v.ACTION | v.SPELL if relation in v.TAGGED else v.ANY_TYPE

    def is_offered(*events, seeds=60):
        text = v.Text(events=events, relation=relation, tags=tags, resolve=[v.draw(1)])
        games = play_rounds(with_girl(abilities=(text,)), seeds, table_for(events))
        asked = {QUESTION_AT[event] for event in events}
        return any(game.question in asked and f"ability {GIRL}" in game.legal() for game in games)

    fitting = [event for event in v.ANY_PRIORITY if v.fits(relation, event)]
    for event in fitting:
        settled = relation == v.SOMEONE_AT_ZERO and event == v.STEP  # there for cards that are played in any window
        assert is_offered(event) or settled, v.EVENTS[event]
    if relation not in v.TAGGED:  # at an announced card the engine asks about nothing but tags
        assert not is_offered(*(event for event in v.ANY_PRIORITY if event not in fitting), seeds=6)


@RELATIONS
def test_a_relation_triggers_at_the_events_that_know_it(relation, unchecked):
    """`fits` for triggers: what it allows happens some time, what it forbids never does."""

    def happens(*events, seeds=60):
        tags = v.DANMAKU | v.ACTION | v.REACTION if relation in v.TAGGED else v.ANY_TYPE
        triggers = tuple(v.trigger(event, relation, [v.choose_number(4, 5)], tags=tags) for event in events)
        games = play_rounds(with_girl(triggers=triggers), seeds, table_for(events))
        return any(game.question == "number" for game in games)

    for event in (event for event in TRIGGERING if v.fits(relation, event)):
        assert happens(event), v.EVENTS[event]
    if relation not in (v.BY_ANOTHER, v.OWN_DANMAKU, v.OWN_PLAY):  # refused where there is no attack or card that they could be about
        assert not happens(*(event for event in TRIGGERING if not v.fits(relation, event)), seeds=6)


# ---------------------------------------------------------------- who reads programs besides


@pytest.mark.parametrize("code", CODES, ids=[v.OPERATIONS[code].name for code in CODES])
def test_players_read_every_word(code):
    """What players make of a text is read off every program that can be carried out."""
    for op in sample(code, 200):
        for announce, resolve in programs_of(op):
            row = effects.read_text(v.Text(events=(v.MAIN,), announce=announce, resolve=resolve), "Trial")
            assert np.isfinite(row["effect"]).all()


def test_players_say_which_card_they_cannot_read(monkeypatch):
    monkeypatch.setattr(effects, "NOT_WEIGHED", frozenset())
    with pytest.raises(CardError, match=r"^Trial: flip: what it is worth to whom is not known here"):
        effects.read_text(v.Text(events=(v.MAIN,), resolve=[v.flip()]), "Trial")


def test_players_count_what_loops_do():
    """Attacks on some of the others count by half, on all of them whole; a loop over the chosen player is about that one."""
    for group, place, worth in (
        (v.IN_RANGE, effects.ON_OTHERS, 0.5),
        (v.OTHERS, effects.ON_OTHERS, 1.0),
        (v.THE_CHOSEN, effects.ON_CHOSEN, 1.0),
    ):
        row = effects.read_text(v.Text(events=(v.MAIN,), resolve=[v.Each(group, [v.draw(2, v.EACH)])]), "Trial")
        assert row["effect"][place, effects.DOES_CARDS] == 2 * worth
