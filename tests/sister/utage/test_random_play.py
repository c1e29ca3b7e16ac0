"""Random play as a test: a second implementation agrees, every row and question is reached, nobody's row tells what is hidden."""

import itertools
import json
import os
import random
from dataclasses import replace

import numpy as np
import pytest

from danmaku_env import ReplayError, make_vec
from danmaku_env.machine.records import RNG
from danmaku_env.sister.utage import UTAGE_SPEC, Deck, Game, Replay, Scenario, ScenarioError, UtageConfig, decode, resample, tournament
from danmaku_env.sister.utage.cards import box
from danmaku_env.sister.utage.cards import tables as tb
from danmaku_env.sister.utage.cards import words as w
from danmaku_env.sister.utage.cards.tables import tables
from danmaku_env.sister.utage.config import STANDARD
from danmaku_env.sister.utage.engine import actions, batch, policy
from danmaku_env.sister.utage.engine import state as st
from tests.sister.both import altered_records_refused, check_batch_against_single_games, plays_the_same_without_the_compiler
from tests.sister.utage.naive import CARDS, Table
from tests.sister.utage.table import act, until

FAILED_ONCE = ()
"""Seeds that found something."""
GAMES = int(os.environ.get("UTAGE_GAMES", "300"))
"""Games with each card, at least; `UTAGE_GAMES=10000` and `UTAGE_BATTLES=100000` are for a long run."""


def random_deck(seed):
    """A legal deck of volume 1 of cards that its team can play, mostly."""
    rng = random.Random(seed)
    team = [rng.choice(w.CHARACTERS) for _ in range(rng.randint(1, 3))]
    team = {name: 1 + team.count(name) for name in team}
    while sum(team.values()) > 4:
        team.pop(next(iter(team)))
    first = next(iter(team))
    team[first] += 4 - sum(team.values())
    fits = [name for name in box.PLAYABLE_IDS if all(team.get(one, 0) >= level for one, level in CARDS[name].requirement.items())]
    spells = [name for name in fits if CARDS[name].kind == w.SPELL]
    pool = [*spells * 3, *[name for name in fits if CARDS[name].kind != w.SPELL] * 3]
    rng.shuffle(pool)
    chosen = [name for name in pool if name in spells][:18]
    rest = [name for name in pool if name not in spells]
    cards = [*chosen, *rest, *(box.PLAYABLE_IDS[rng.randrange(136)] for _ in range(60))]
    counts = {}
    for name in cards:
        if sum(counts.values()) < 40 and counts.get(name, 0) < 3:
            counts[name] = counts.get(name, 0) + 1
    return Deck(team, counts, f"random {seed}")


def config(seed, **options):
    """Another table for every seed."""
    decks = (random_deck(2 * seed), random_deck(2 * seed + 1)) if seed % 2 else tuple(random.Random(seed).choices(list(STANDARD), k=2))
    asks = {"ask_forced": seed % 5 == 0, "ask_everyone": seed % 3 == 0, "open_lists": seed % 4 != 3}
    return UtageConfig(**{"decks": decks, "possible": decks, **asks, **options})


def positions(seed, **options):
    """A random game, position by position; it rather does something than pass."""
    game, rng = Game.new(config(seed, **options), seed), random.Random(seed)
    while not game.over:
        yield game
        legal = game.legal()
        game.act(rng.choices(legal, [0.5 if name == "pass" else 1.0 for name in legal])[0])
    yield game


@pytest.mark.parametrize("seed", [*FAILED_ONCE, *range(40)])
def test_random_games_break_no_rule(seed):
    """Cards are conserved, values worked out twice are the same, no list overflows, and a record comes to its own question."""
    for game in positions(seed):
        assert UTAGE_SPEC.problem(game.record) is None
    assert game.record["lasting_count"] < st.LASTING


def deck_around(card, rng, few_spells=False):
    """A legal deck with three of a card whose team can play it, and others that it can play; of `few_spells`, so that hands have none."""
    needs = dict(CARDS[card].requirement)
    while sum(needs.values()) < 4:
        name = rng.choice([*needs, *needs, rng.choice(w.CHARACTERS)])
        needs[name] = needs.get(name, 0) + 1
    fits = [name for name in box.PLAYABLE_IDS if all(needs.get(one, 0) >= level for one, level in CARDS[name].requirement.items())]
    spells = [name for name in fits if CARDS[name].kind == w.SPELL]
    pool = [*rng.sample(spells, min(len(spells), 7)), *rng.sample(fits, len(fits))]
    if few_spells:
        pool.sort(key=lambda name: name in spells)
    counts = {card: 3}
    for name in pool:
        if name not in counts and sum(counts.values()) < 40:
            counts[name] = min(rng.choice((1, 2, 3, 3)), 40 - sum(counts.values()))
    for name in counts:
        counts[name] += min(3 - counts[name], 40 - sum(counts.values()))
    return Deck(needs, counts, f"around {card}")


class Reached:
    """What of the cards play has come to, as the engine notes it."""

    def __init__(self):
        self.table = tables()
        self.asked, self.events, self.placed, self.games = set(), set(), set(), dict.fromkeys(box.PLAYABLE_IDS, 0)
        for name in ("reached", "said", "tested"):
            self.table[name] = 0
        self.table["tested"][0, w.C_ALWAYS] = 1
        self.table["tested"][0, w.C_BATTLING, 0] = 1  # asked only where it holds: a spell's battle ability is its while it battles (P-6)

    def missing(self):
        """Cards with a row or static text that has not been come to, or that have not been in play, fewest games first."""
        t, found = self.table[0], set()
        for number, card in enumerate(box.CARDS):
            starts = [int(t["use"][number, tb.U_PC]), int(t["trigger"][number, tb.T_PC])]
            rows = [row for start in starts if start for row in _rows_of(t["program"], start)]
            rows = [row for row in rows if t["program"][row, tb.R_OP] != w.OP_END]
            low, high = t["span"][number]
            lies = card.kind in (w.SPELL, w.SUPPORT) and card.id not in self.placed
            tests = [t["use"][number, tb.U_TEST], t["trigger"][number, tb.T_TEST], t["only"][number, 0]]
            tests += [*t["statics"][low:high, tb.S_TEST], *t["program"][rows, tb.R_TEST]]
            if not t["reached"][rows].all() or not t["said"][low:high].all() or not t["tested"][tests].all() or lies:
                found.add(card.id)
        return sorted(found | {name for name, games in self.games.items() if games < GAMES}, key=lambda name: self.games.get(name, 0))

    def done(self):
        """Whether nothing is missing: no card, question or event."""
        events = set(range(1, len(st.EVENT_WORDS))) - {st.L_PHASE, st.L_PASS}
        return not self.missing() and self.asked >= set(range(len(w.QUESTIONS))) and self.events >= events

    def play(self, decks, seeds, engine_rng, steps=15, **options):
        """Games of two decks, by random and greedy bots, looked at every `steps` answers."""
        games = tournament.begun(UtageConfig(decks=decks, **options), seeds)
        bots = np.random.default_rng(int(seeds[0])).integers(0, 2, (len(games), 2))
        while (games["outcome"] == st.RUNNING).any():
            self.asked |= set(games["question"].tolist())
            self.placed |= {CARD_IDS[number] for number in np.unique(games["at_card"]).tolist()}
            policy.play_out(self.table, games, bots, steps, engine_rng)
            assert not games["status"].any()
            assert (games["used"] != (1 << w.PLACES) - 1).all()
            assert ((games["lasting_count"] < st.LASTING) & (games["later_count"] < st.LATER)).all()
        self.events |= set(games["log"][:, :, 0].ravel().tolist())
        assert UTAGE_SPEC.problem(games[0]) is None
        for name in set().union(*(deck.cards for deck in map(Deck.of, decks))):
            self.games[name] += len(games)


OTHERS = [name for name in box.PLAYABLE_IDS if name != "0002"]
CARD_IDS = ["", *(card.id for card in box.CARDS)]


def _rows_of(program, row):
    """Numbers of the rows of a program, those that are put off with them."""
    inside = 0
    while program[row, tb.R_OP] != w.OP_END or inside:
        yield row
        inside += int(program[row, tb.R_OP] == w.OP_LATER) - int(program[row, tb.R_OP] == w.OP_END)
        row += 1


def test_everything_is_reached_and_no_card_is_lost():
    """Decks around each card, at least 300 games with each, until every row of a program, static text, operation, scope, condition (held
    and not), moment, question and event has had its turn; with ours no field or list of effects is ever full.
    """
    reached, rng, engine_rng, seed = Reached(), random.Random(5), np.zeros(1, RNG), 0
    engine_rng["rng"] = 1, 2, 3, 4
    for decks in itertools.product(STANDARD, repeat=2):
        reached.play(decks, np.arange(seed, seed + 40), engine_rng, 5)
        seed += 40
    while not reached.done() and seed < 200 * GAMES:
        middle = [card for card in reached.missing() if CARDS[card].kind != w.CHARACTER][:2]
        few_spells = not middle and w.Q_MULLIGAN not in reached.asked
        more = [card.id for card in box.CARDS if card.kind == w.SPELL] if few_spells else list(box.TRIGGERS)
        decks = tuple(deck_around(card, rng, few_spells) for card in (*middle, *rng.choices(more, k=2))[:2])
        reached.play(decks, np.arange(seed, seed + 60), engine_rng, 15 if middle else 2, open_lists=seed % 3 > 0)
        seed += 60
    t = reached.table[0]
    assert reached.done(), (reached.missing(), reached.asked)
    assert min(reached.games.values()) >= GAMES
    used = t["program"][t["reached"] > 0]
    assert set(used[:, tb.R_OP].tolist()) | {w.OP_END} == set(range(len(w.OPS)))
    until_rows = used[np.isin(used[:, tb.R_OP], (w.OP_UNTIL_PHASE, w.OP_UNTIL_TURN))]
    scopes = {*until_rows[:, tb.R_A].tolist(), *t["statics"][:, tb.S_SCOPE].tolist()}
    assert scopes == set(range(len(w.SCOPES))) - {w.OPP_LEADER}
    assert t["tested"].all()
    put_off = used[used[:, tb.R_OP] == w.OP_LATER]
    assert {*t["trigger"][:, tb.T_MOMENT].tolist(), *put_off[:, tb.R_B].tolist()} == set(range(len(w.MOMENTS)))


# ---------------------------------------------------------------- a second implementation


def random_battle(rng):
    """A battle that stands before its hits, of random spells, supports and effects that last, and those effects; None if it cannot be."""
    sides, lasting = [], []
    spells, on_spells, on_leaders, scenes = (
        [card.id for card in box.CARDS if card.kind == kind and card.place == place]
        for kind, place in ((w.SPELL, 0), (w.SUPPORT, w.ON_SPELL), (w.SUPPORT, w.ON_LEADER), (w.SUPPORT, w.SCENE))
    )
    scene = rng.choice([None, None, 0, 1])
    for seat in range(2):
        leader = rng.choice(w.CHARACTERS)
        team = {leader: rng.randint(1, 4)}
        other = rng.choice([name for name in w.CHARACTERS if name != leader])
        team |= {other: 4 - team[leader]} if team[leader] < 4 else {}
        active = rng.sample(spells, rng.randint(1, 3))
        fine = [name for name in on_leaders if name not in ("0007", "0008", "0412", "0413", "0414", "0712")]
        supports = rng.sample(fine, rng.randint(0, 3))
        if leader == "Youmu":
            supports += rng.sample(["0412", "0413"], rng.randint(0, 2))
        if leader == "Remilia":
            supports += rng.sample(["0712"], rng.randint(0, 1))
        if leader == "Alice":
            supports += [rng.choice(["0609", "0610", "0611"])] * rng.randint(0, 2)
            supports = [name for name in supports if supports.count(name) <= 3]
        carried = {name: rng.choice(on_spells) for name in active if rng.random() < 0.5}
        carried = {spell: one for spell, one in carried.items() if one != "0510" or "Yukari" in CARDS[spell].requirement}
        sides.append({
            "team": team, "leader": leader, "active": active, "on_leader": supports, "on": carried, "hp": rng.randint(1, 18),
            "sp": rng.randint(0, 6), "hand": ["0001"], "rest": rng.choice([1, 2, 3, 20, 20, 20]),
            **({"scene": rng.choice(scenes)} if seat == scene else {}),
        })  # fmt: skip
    scene = Scenario(ask_forced=True, ask_everyone=True).seat(0, **sides[0]).seat(1, **sides[1]).turn(rng.randint(0, 1), "battle")
    for _ in range(rng.choice([0, 0, 1, 3])):
        seat, stat = (
            rng.randint(0, 1),
            rng.choice(["AV", "IV", "HV", "type", "protection", "fast", "slow", "faith", "guided", "penetration"]),
        )
        amount = rng.randint(1, 3) if stat in ("type", "guided", "penetration") else rng.choice([-2, -1, 1, 2, 4])
        lasting.append((seat, rng.choice(sides[seat]["active"]), stat, amount))
        scene.lasting(*lasting[-1])
    try:
        game = scene.build()
    except ScenarioError:
        return None
    for question in ("attack", "intercept"):
        until(game, question, "prepare", "order")
        if game.question != question:
            return None
        seat, before = game.asking, Table(game, lasting)
        legal = [name for name in game.legal() if name != "pass"]
        assert sorted(int(name.split()[-1]) for name in legal) == before.can_battle(seat)
        if not legal:
            return None
        answer = rng.choice(legal if question == "attack" else [*legal, "pass"])
        act(game, answer)
        while game.question == "pay":
            act(game, game.legal()[0])
        if answer != "pass":
            before.pay_to_battle(seat, answer.split()[1])
        assert (game.seat(seat).sp, sum(game.seat(seat).hand.values())) == (before.sp[seat], before.hands[seat])
    until(game, "act", "prepare")
    return (game, lasting) if game.question == "act" else None


def differences(game, lasting, rng):
    """What the second implementation says otherwise of the values, and of everything after the hits."""
    table = Table(game, lasting)
    table.work_out()
    found = []
    for seat in (0, 1):
        if game.seat(seat).ev != table.ev[seat]:
            found.append(f"EV of {seat}: {game.seat(seat).ev}, {table.ev[seat]}")
        for card, one in zip(game.seat(seat).field, table.sides[seat], strict=True):
            if card.where in ("active", "reserve"):
                mine = (one["av"], one["iv"], one["hv"], w.TYPE_WORDS[one["type"]], {k: v for k, v in one["words"].items() if v})
                if (card.av, card.iv, card.hv, card.type, card.keywords) != mine:
                    found.append(f"{card} {mine}")
    borders = rng.random() < 0.5
    table.fight(borders)
    while not game.over and game.phase == "battle":
        if game.question == "border":
            act(game, "choose yes" if borders else "pass")
        else:
            act(game, "pass" if "pass" in game.legal() else game.legal()[0])
    for seat, side in zip(game.seats, table.sides, strict=True):
        here = (seat.hp, seat.sp, sum(seat.hand.values()), len(seat.deck), {(one.id, one.place, one.where) for one in seat.field})
        me = seat.index
        there = (table.hp[me], table.sp[me], table.hands[me], table.decks[me], {(one["id"], one["place"], one["where"]) for one in side})
        if here != there:
            found.append(f"seat {me}: {here}, {there}")
    if (game.winners if game.over else None) != table.won:
        found.append(f"won: {game.winners}, {table.won}")
    return found


def test_a_second_implementation_agrees():
    """Values of all spells and leaders, costs, hits and ends of random battles (`UTAGE_BATTLES=100000` for the long run)."""
    rng, played, wanted = random.Random(11), 0, int(os.environ.get("UTAGE_BATTLES", "1000"))
    while played < wanted:
        battle = random_battle(rng)
        if battle is None:
            continue
        played += 1
        assert differences(*battle, rng) == [], (played, battle[0].explain())


# ---------------------------------------------------------------- secrecy


@pytest.mark.parametrize("seed", [1, 3, 7, 11, 16, 19])
def test_a_world_dealt_anew_looks_the_same_and_could_be(seed):
    for number, game in enumerate(positions(seed)):
        if number % 9 and not game.over:
            continue
        for seat in range(2):
            world = resample(game, seat, number)
            assert (world.observe(seat) == game.observe(seat)).all()
            assert list(world.log.of(seat))[-300:] == list(game.log.of(seat))[-300:]
            if seat == game.asking:
                assert world.legal() == game.legal()
                assert UTAGE_SPEC.problem(world.record) is None


@pytest.mark.parametrize("seed", range(4))
def test_a_world_of_another_list_looks_the_same(seed):
    """Two closed lists of the same team, forty different cards each: whichever is drawn, it has all that was ever seen."""
    rng = random.Random(seed)
    decks = tuple(Deck({"Youmu": 2, "Sakuya": 2}, dict.fromkeys(["0002", *rng.sample(OTHERS, 39)], 1)) for _ in range(2))
    game = Game.new(UtageConfig(decks=decks, possible=decks, open_lists=False, ask_forced=True), seed)
    while not game.over:
        for seat in range(2) if int(game.record["decisions"]) % 5 == 0 else ():
            world = resample(game, seat, seed)
            assert (world.observe(seat) == game.observe(seat)).all()
            assert seat != game.asking or UTAGE_SPEC.problem(world.record) is None
        game.act(rng.choice(game.legal()))
        assert UTAGE_SPEC.problem(game.record) is None


@pytest.mark.parametrize("leak", ["hand", "deck", "list", "leader", "passed"])
def test_a_planted_leak_would_be_found(leak):
    """A row that told of the other's hand, order, list, unseen leader, or legal answers would differ in some world."""

    def told(game, seat):
        record, other = game.record, 1 - seat
        shown = {
            "hand": record["hand"][other], "deck": record["deck"][other], "list": record["card"][other],
            "leader": record["leader"][other : other + 1],
            "passed": record["legal"] if game.asking == other else record["legal"] * 0,
        }  # fmt: skip
        return np.concatenate([game.observe(seat), np.frombuffer(np.ascontiguousarray(shown[leak]).tobytes(), np.uint8)])

    decks = ("remilia3-sakuya1", "remilia3-sakuya1")
    other = Deck({"Remilia": 3, "Sakuya": 1}, {**STANDARD["remilia3-sakuya1"].cards, "0005": 1, "0004": 1})
    options = {"decks": decks, "open_lists": leak != "list", "possible": (*decks, other), "ask_forced": False}
    found = False
    for game in positions(4, **options):
        if leak == "passed" and game.asking == 1:  # its answers are those of the hand it really holds
            world = resample(game, 0, 3)
            raw = world.records.copy()
            raw["asking"], raw["question"], raw["legal"] = -1, 0, 0
            status = np.zeros(1, np.int8)
            batch.drive(
                tables(), np.zeros(1, np.int64), raw, raw.view(np.uint8).reshape(1, -1), np.zeros(1, np.int64), status, batch.RESUME
            )
            found = found or bool((raw["legal"] != game.record["legal"]).any())
        elif leak != "passed":
            observer = 1 if leak == "leader" else 0
            found = found or any((told(resample(game, observer, seed), observer) != told(game, observer)).any() for seed in range(3))
    assert found


# ---------------------------------------------------------------- all ways to play are one


def test_a_batch_plays_what_single_games_play():
    check_batch_against_single_games(config(4))


def test_another_pair_of_decks_in_each_game():
    vec = make_vec(64, UtageConfig(decks="random"))
    vec.reset(0)
    assert len({(int(game["team"][0, 0]), int(game["team"][1, 0])) for game in vec.games}) == 9


def test_saves_and_replays_come_back():
    """Files name the answers, as they are called when they are given; one of numbers is read too."""
    for seed in (2, 3, 4):  # the lists of the last are closed
        *_, game = positions(seed)
        assert Game.from_bytes(game.to_bytes()) == game
        replay, data = game.replay(), json.loads(game.replay().to_json())
        assert Replay.from_json(json.dumps(data)) == replay
        assert replay.play() == game
        assert Replay.from_json(json.dumps({**data, "answers": list(replay.answers)})) == replay
        again = Game.new(game.config, seed)
        for answer in data["answers"]:
            assert answer in again.legal()
            again.act(answer)
        assert again == game


def test_a_replay_of_a_position_names_its_answers_too():
    game = act(Scenario(ask_forced=True).seat(0, reserve=["0101"], hand=["0102"], sp=1).build(), "activate 0101", "play 0102", "pass")
    assert json.loads(game.replay().to_json())["answers"] == ["activate 0101 at 1", "play 0102", "pass"]
    assert Replay.from_json(game.replay().to_json()).play() == game


def test_a_replay_that_cannot_be_comes_back_as_it_is():
    """From an answer that cannot be on, answers are called as they are where play has come to; playing it says which cannot be."""
    game = Game.new(seed=1)
    game.act(game.legal()[0])
    broken = replace(game.replay(), answers=(*game.replay().answers, actions.YES, actions.PASS, actions.USE_LEADER))
    again = Replay.from_json(broken.to_json())
    assert again == broken
    with pytest.raises(ReplayError, match="answer 1 of the replay cannot be: 'choose yes' is not legal"):
        again.play()


@pytest.mark.parametrize(
    ("answers", "words"),
    [
        (["play 0777"], "answer 0 is 'play 0777', which is no answer of this game"),
        (["pass", 5], "answer 1 is 5, which is no answer of this game"),
        ([0.5], '"answers" must be a list of whole numbers'),
        ("pass", '"answers" must be a list of whole numbers'),
    ],
)
def test_answers_that_no_game_knows(answers, words):
    data = json.loads(Game.new(seed=1).replay().to_json())
    with pytest.raises(ReplayError, match=words):
        Replay.from_json(json.dumps({**data, "answers": answers}))


def test_the_compiler_changes_nothing():
    assert plays_the_same_without_the_compiler("utage", (0, 1, 3), 14)


def test_an_observation_in_words():
    game = next(game for game in positions(2) if game.turn_number == 3)
    said = decode(game.observe(0), words=True)
    assert set(said["hand"]) if isinstance(said["hand"], dict) else True
    assert said["phase"] == game.phase


def test_altered_records_are_refused_or_harmless():
    """Whatever byte is changed: the record is refused, or plays on to an end without a bad status."""
    game = next(game for number, game in enumerate(positions(9)) if number == 40)
    assert altered_records_refused(game, st.READ_BYTES) > 150
