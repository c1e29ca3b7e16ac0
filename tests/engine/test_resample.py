"""Other worlds: every deal of the roles that fits, exactly; hidden cards, incidents, candidates uniformly; nothing of the true world left.

The other half of the comparison is slow and obvious: it lays out the physical role cards, and its goals are those of `tests/naive.py`,
written from the rule text.
"""

import functools
import itertools
from collections import Counter
from types import SimpleNamespace

import numpy as np
import pytest

from danmaku_env import Game, GameConfig, Scenario, resample
from danmaku_env.cards.box import CHARACTER_IDS, INCIDENT_IDS, KIND_IDS, NUM_BASE_CHARACTERS, NUM_BASE_INCIDENTS, ROLE_IDS
from danmaku_env.cards.compile import compile_cards
from danmaku_env.engine import invariants
from danmaku_env.engine import state as st
from danmaku_env.engine.observation import OFFSETS
from danmaku_env.game import resample_many, role_assignments
from danmaku_env.jit.kernels import JIT
from tests import naive
from tests.random_play import BOXES, play_randomly
from tests.table import box_without, pass_until, scene

PLAYERS = [4, 5, 6, 7, 8]

# ---------------------------------------------------------------- the role cards on the table, by the rulebook

STAGE_CARDS = ["stage_boss"] * 3
MORE_STAGE_CARDS = [*STAGE_CARDS, "final_boss", "challenger", "anti_heroine"]
BOSS_CARDS = ["ex_boss", "phantom_boss"]
PARTNER_CARDS = ["partner", "partner", "ex_midboss"]
ADVANCED = {
    4: [(1, ["heroine"]), (2, STAGE_CARDS), (1, BOSS_CARDS)],
    5: [(1, ["heroine"]), (1, PARTNER_CARDS), (2, MORE_STAGE_CARDS), (1, BOSS_CARDS)],
    6: [(1, ["heroine"]), (1, PARTNER_CARDS), (3, MORE_STAGE_CARDS), (1, BOSS_CARDS)],
    7: [(1, ["heroine"]), (2, [*PARTNER_CARDS, "one_true_partner"]), (3, MORE_STAGE_CARDS), (1, BOSS_CARDS)],
    8: [(1, ["heroine"]), (2, [*PARTNER_CARDS, "one_true_partner"]), (3, MORE_STAGE_CARDS), (1, BOSS_CARDS), (1, ["rival"])],
}
BASIC = {
    4: [(1, ["heroine"]), (2, ["stage_boss"] * 2), (1, ["ex_boss"])],
    5: [(1, ["heroine"]), (1, ["partner"]), (2, ["stage_boss"] * 2), (1, ["ex_boss"])],
    6: [(1, ["heroine"]), (1, ["partner"]), (3, STAGE_CARDS), (1, ["ex_boss"])],
    7: [(1, ["heroine"]), (2, ["partner"] * 2), (3, STAGE_CARDS), (1, ["ex_boss"])],
    8: [(1, ["heroine"]), (2, ["partner"] * 2), (3, STAGE_CARDS), (1, ["ex_boss"]), (1, ["rival"])],
}
"""How many of which cards are dealt."""
PRINTED = {"ex_boss_revealed": "ex_boss", "true_phantom_boss": "phantom_boss"}


def lay_out(stacks, known):
    """Every way to lay physical cards before the seats whose role is not known (None): {roles: in how many ways}."""
    stacks = [[number, list(cards)] for number, cards in stacks]
    for role in known:
        if role == "":  # the former Heroine after a takeover: the Rival's card is out of the game
            next(stack for stack in stacks if "rival" in stack[1])[0] -= 1
        elif role is not None:
            stack = next(stack for stack in stacks if PRINTED.get(role, role) in stack[1])
            stack[1].remove(PRINTED.get(role, role))
            stack[0] -= 1
    ways = Counter()

    def fill(roles, left, product):
        if len(roles) == len(known):
            ways[roles] += product
        elif known[len(roles)] is not None:
            fill((*roles, known[len(roles)]), left, product)
        else:
            for place, (number, cards) in enumerate(left):
                for card, copies in Counter(cards).items() if number else ():
                    rest = [*cards]
                    rest.remove(card)
                    fill((*roles, card), [*left[:place], (number - 1, rest), *left[place + 1 :]], product * copies)

    fill((), [(number, cards) for number, cards in stacks], 1)
    return ways


def table_of(roles, active):
    """What `naive.goal` asks of a game, for a deal of the roles."""
    seats = [SimpleNamespace(index=seat, role=role, defeated=seat not in active) for seat, role in enumerate(roles)]
    return SimpleNamespace(seats=seats, seat=lambda seat: seats[seat])


@functools.cache
def somebody_wins(roles, active):
    return len(active) < len(roles) and any(naive.goal(table_of(roles, active), seat) for seat in active)


def midboss_would_show(roles, active, known):
    """R-9: an EX Midboss reveals as soon as the Extra Boss is defeated."""
    fallen = any(role in naive.EXTRA for seat, role in enumerate(roles) if seat not in active)
    return fallen and any(role == "ex_midboss" and known[seat] is None for seat, role in enumerate(roles))


def moments(game):
    """What tells who cannot have which role, in order: who was left when nobody had won, exchanges of role cards, the Rival's takeover.

    Read off the public log: (seats), ("exchange", old Heroine, new) and ("takeover", old Heroine, new).
    """
    active, fallen_heroine, found = {seat.index for seat in game.seats}, None, []
    active -= {seat.index for seat in game.seats if seat.defeated} - {event.actor for event in game.log.events if event.word == "defeat"}
    for event in game.log.events:
        if event.word == "defeat":
            active.discard(event.actor)
            fallen_heroine = event.actor if ROLE_IDS[event.about] == "heroine" else fallen_heroine
        elif event.word == "turn":
            found.append(tuple(active))
        elif event.word == "roles":
            found += [tuple(active), ("exchange", event.actor, event.target)]
        elif event.word == "reveal" and ROLE_IDS[event.about] == "heroine" and fallen_heroine is not None:
            found.append(("takeover", fallen_heroine, event.actor))
    if not is_judging(game):
        found.append(tuple(active))
    return found


def is_judging(game):
    """Whether somebody has fallen and it is still open whether that ends the game: the Heroine discards for her Partner first (A-8)."""
    return "settling" in game.explain() and game.question in ("discard", "season")


def is_possible(roles, past):
    """Whether with these roles nobody would have won before, going back through the exchanges."""
    roles = list(roles)
    for what in reversed(past):
        if what[:1] == ("exchange",):
            _, one, other = what
            roles[one], roles[other] = roles[other], roles[one]
        elif what[:1] == ("takeover",):
            _, old, new = what
            roles[old], roles[new] = "heroine", "rival"
        elif somebody_wins(tuple(roles), what):
            return False
    return True


def known_roles(game, seat):
    """The roles a seat knows, None for the others, from its observation."""
    players, row = game.config.num_players, game.observe(seat)
    piece = row[OFFSETS["role"] :][: st.SEATS * (len(ROLE_IDS) - 1)].reshape(st.SEATS, -1)
    turned = [piece[(other - seat) % players] for other in range(players)]
    former = [game.seat(other).role == "" for other in range(players)]
    return ["" if former[other] else ROLE_IDS[flags.argmax() + 1] if flags.any() else None for other, flags in enumerate(turned)]


def expected_roles(game, seat):
    """{roles: probability}, by laying out cards."""
    stacks = (ADVANCED if game.config.roles == "advanced" else BASIC)[game.config.num_players]
    if game.config.num_players < game.config.ex_midboss_from:
        stacks = [(number, [card for card in cards if card != "ex_midboss"]) for number, cards in stacks]
    known, past = known_roles(game, seat), moments(game) if game.turn_number else []
    active = {other.index for other in game.seats if not other.defeated}
    ways = lay_out(stacks, known)
    left = {roles: way for roles, way in ways.items() if is_possible(roles, past) and not midboss_would_show(roles, active, known)}
    return {roles: way / sum(left.values()) for roles, way in left.items()}


def listed_roles(game, seat):
    found = role_assignments(game, seat)
    listed = dict(found.named())
    assert len(listed) == len(found.weights)
    return listed


def assert_same_roles(game, seat):
    listed, expected = listed_roles(game, seat), expected_roles(game, seat)
    assert listed == pytest.approx(expected), (game.log, seat)
    assert tuple(other.role for other in game.seats) in listed


# ---------------------------------------------------------------- the roles, listed


@pytest.mark.parametrize("players", PLAYERS if JIT else [4, 5])
@pytest.mark.parametrize("roles", ["advanced", "basic"])
def test_roles_after_the_deal(players, roles):
    game = Game.new(GameConfig(num_players=players, roles=roles, characters="random"), players)
    for seat in [game.turn + 1] if players > 6 else range(players):
        assert_same_roles(game, seat % players)


@pytest.mark.parametrize("players", [4, 5, 6] if JIT else [4])
def test_roles_at_set_up_when_not_even_the_heroine_is_known(players):
    game = Game.new(GameConfig(num_players=players), players)
    for seat in range(2):
        assert known_roles(game, seat).count(None) == players - 1
        assert_same_roles(game, seat)


def test_roles_without_the_ex_midboss_among_few_players():
    game = Game.new(GameConfig(num_players=5, ex_midboss_from=7, characters="random"), 3)
    seat = (game.turn + 1) % 5
    assert_same_roles(game, seat)
    assert not any("ex_midboss" in roles for roles in listed_roles(game, seat))


@pytest.mark.parametrize("players", PLAYERS if JIT else [4])
def test_roles_through_whole_games(players):
    """At every question the true deal is listed for every seat; whenever roles have shown, the list is the laid-out one."""
    shown = compared = 0
    for seed in range((2 if players == 8 else 4) if JIT else 1):
        game = Game.new(GameConfig(num_players=players, characters="random", roles=("advanced", "basic")[seed % 2]), 50 * players + seed)
        for decision, position in enumerate(play_randomly(game, seed)):
            if position.over:
                break
            seat = decision % players
            roles = role_assignments(position, seat).roles
            assert (roles == position.record["role"][:players]).all(axis=1).any()
            events = sum(event.word in ("defeat", "roles", "reveal") for event in position.log.events[shown:]) if decision % 5 == 0 else 0
            if events and known_roles(position, seat).count(None) <= 4:
                assert_same_roles(position, seat)
                compared += 1
                shown = len(position.log.events)
        shown = 0
    assert compared > (5 if JIT else 0)


def test_a_role_exchanged_is_known_to_the_two_only():
    """I-6: the old and the new Heroine know which card went over; the others know that it is one of those that the new one may have had."""
    start = scene(6).seat(0, role="heroine").turn(0, step="incident").incident_deck(top="crisis_of_faith").deck("power/autumn")
    game = start.seat(1, role="final_boss").build()
    assert game.seat(1).role == "heroine"
    assert known_roles(game, 0)[:2] == known_roles(game, 1)[:2] == ["final_boss", "heroine"]
    assert known_roles(game, 2)[:2] == [None, "heroine"]
    for seat in range(3):
        assert_same_roles(game, seat)


def test_who_did_not_win_without_a_heroine_is_remembered_when_there_is_one_again():
    """I-7: while she was down every active Stage Boss would have won; a new Heroine does not make one of them possible."""
    start = scene(6).seat(0, role="heroine", defeated=True).seat(1, role="challenger").seat(2, role="ex_boss").seat(3, role="final_boss")
    start.seat(4, role="anti_heroine").seat(5, role="partner")
    game = start.turn(1, step="incident").incident_deck(top="crisis_of_faith").deck("power/autumn").build()
    assert (game.seat(1).role, game.seat(0).role) == ("heroine", "challenger")
    for seat in (1, 2, 5):
        assert_same_roles(game, seat)
        assert not any("stage_boss" in roles for roles in listed_roles(game, seat))
    worlds = resample_many(game, 5, 500, 1)
    assert not (worlds["role"] == ROLE_IDS.index("stage_boss")).any()


def test_an_extra_boss_defeated_by_an_exchange_makes_the_midboss_reveal():
    """I-7, R-9: the role that goes to a defeated Heroine is defeated."""
    start = scene(6).seat(0, role="heroine", defeated=True).seat(1, role="ex_boss").seat(2, role="ex_midboss").seat(3, role="challenger")
    start.seat(4, role="final_boss", revealed=True).seat(5, role="anti_heroine")
    game = start.turn(1, step="incident").incident_deck(top="crisis_of_faith").deck("power/autumn").build()
    assert game.seat(0).role_revealed
    assert game.seat(2).role_revealed
    assert (
        game.log[-2:] == ["seat 0 is revealed as EX Boss", "seat 2 is revealed as EX Midboss"]
        or "seat 2 is revealed as EX Midboss" in game.log
    )
    assert_same_roles(game, 5)


def test_a_game_that_is_about_to_be_won_is_not_thought_impossible():
    """A-8: the Heroine discards for her fallen Partner before anybody looks whether the last bosses fell with her."""
    start = scene(5).seat(0, role="heroine", hand="last_word focus power power grimoire").seat(1, role="partner", life=1)
    start.seat(2, role="stage_boss", defeated=True).seat(3, role="stage_boss", defeated=True).seat(4, role="ex_boss", life=1)
    game = start.deck(["power"] * 4).build()
    game.act("play last_word")
    pass_until(game, "discard", 0)
    assert game.seat(4).defeated
    for seat in range(5):
        assert (role_assignments(game, seat).roles == game.record["role"][:5]).all(axis=1).any()
    while not game.over:
        game.act(game.legal()[0])
    assert game.winners == [0, 1]


# ---------------------------------------------------------------- statistics


def assert_fits(counts, expected):
    """Chi-square of counts against expected counts, at odds of one in a billion (Wilson and Hilferty: six sigma)."""
    counts, expected = np.asarray(counts, float), np.asarray(expected, float)
    assert counts.sum() == pytest.approx(expected.sum())
    assert counts[expected == 0].sum() == 0
    counts, expected = counts[expected > 0], expected[expected > 0]
    free = len(counts) - 1
    statistic = ((counts - expected) ** 2 / expected).sum()
    limit = free * (1 - 2 / (9 * free) + 6 * (2 / (9 * free)) ** 0.5) ** 3
    assert statistic < limit, f"chi-square {statistic:.0f} with {free} degrees of freedom"


def test_the_statistic_tells_a_loaded_die():
    fair = np.random.default_rng(1).multinomial(10_000, [1 / 6] * 6)
    loaded = np.random.default_rng(1).multinomial(10_000, [0.2, *[0.16] * 5])
    assert_fits(fair, [10_000 / 6] * 6)
    with pytest.raises(AssertionError, match="chi-square"):
        assert_fits(loaded, [10_000 / 6] * 6)


DRAWS = 40_000 if JIT else 400
compiled_only = pytest.mark.skipif(not JIT, reason="needs many draws")


def late_position(players):
    """A position of a random game in which two seats have been defeated."""
    for seed in range(100):
        game = Game.new(GameConfig(num_players=players, characters="random"), seed)
        for position in play_randomly(game, seed):
            if not position.over and sum(seat.defeated for seat in position.seats) == 2 and position.question == "main":
                return position
    raise AssertionError("no such position")


@compiled_only
@pytest.mark.parametrize("position", ["after the deal", "late"])
def test_roles_are_dealt_as_often_as_the_cards_make_them(position):
    game = Game.new(GameConfig(num_players=6, characters="random"), 4) if position == "after the deal" else late_position(7)
    seat = (game.turn + 1) % game.config.num_players
    if game.seat(seat).defeated:
        seat = game.asking
    expected = expected_roles(game, seat)
    worlds = resample_many(game, seat, DRAWS, 5)["role"][:, : game.config.num_players]
    counts = Counter(map(tuple, worlds.tolist()))
    listed = [tuple(ROLE_IDS.index(role) for role in roles) for roles in expected]
    assert set(counts) <= set(listed)
    assert_fits([counts[roles] for roles in listed], DRAWS * np.array(list(expected.values())))


HIDDEN = ("laser_shot/summer", "kourindou/winter", "last_word/summer", "master_plan/autumn", "melee/winter", "voile/autumn")


def where(worlds, card):
    """[n] 0 to 7: the hand that holds a card; 100 and more: its place in the deck; -1 elsewhere."""
    number = int(np.flatnonzero([name == card for name in names()])[0])
    places = np.where(worlds["zone"][:, number] == st.IN_HAND, worlds["holder"][:, number].astype(int), -1)
    in_deck = worlds["deck"] == number + 1
    return np.where(in_deck.any(axis=1), 100 + in_deck.argmax(axis=1), places)


def names():
    tables = compile_cards().tables[0]
    seasons = ("spring", "summer", "autumn", "winter")
    return [f"{KIND_IDS[tables['card_kind'][card]]}/{seasons[tables['card_season'][card]]}" for card in range(int(tables["cards_in"][0]))]


@compiled_only
def test_few_hidden_cards_lie_in_every_way_equally_often():
    """Three in two hands, three in the deck, all else in sight: 360 worlds."""
    start = Scenario(num_players=4).seat(0, role="heroine", hand=["focus/summer"]).seat(1, hand=HIDDEN[:2]).seat(2, hand=HIDDEN[2:3])
    game = start.deck(top=HIDDEN[3:]).discard(top=box_without(*HIDDEN, "focus/summer")).turn(0).build(seed=1)
    worlds = resample_many(game, 0, DRAWS, 3)
    counts = Counter(zip(*(where(worlds, card).tolist() for card in HIDDEN), strict=True))
    possible = set(itertools.permutations([1, 1, 2, 100, 101, 102]))
    assert set(counts) <= possible
    assert len(possible) == 360
    assert_fits([counts[world] for world in sorted(possible)], np.full(360, DRAWS / 360))


@compiled_only
def test_in_the_middle_of_a_game_a_hidden_card_is_anywhere():
    """One card over all places, and two cards together, of a game with seventy hidden cards."""
    game = Game.new(GameConfig(num_players=6, characters="none"), 8)
    hands = [len(seat.hand) for seat in game.seats]
    seat, hidden = game.asking, [*game.deck, *itertools.chain(*(other.hand for other in game.seats if other.index != game.asking))]
    unique = [card for card in hidden if hidden.count(card) == 1 and names().count(card) == 1][:2]
    worlds = resample_many(game, seat, DRAWS, 9)
    one, two = (where(worlds, card) for card in unique)
    places = [other for other in range(6) if other != seat] + [100 + place for place in range(len(game.deck))]
    room = np.array([hands[place] if place < 6 else 1 for place in places])
    assert_fits([(one == place).sum() for place in places], DRAWS * room / room.sum())
    in_hands = [other for other in range(6) if other != seat]
    expected = [DRAWS * hands[a] * (hands[b] - (a == b)) / (len(hidden) * (len(hidden) - 1)) for a in in_hands for b in in_hands]
    counts = [((one == a) & (two == b)).sum() for a in in_hands for b in in_hands]
    assert_fits([*counts, DRAWS - sum(counts)], [*expected, DRAWS - sum(expected)])


@compiled_only
def test_incidents_lie_in_every_order_equally_often():
    start = scene().seat(0, role="heroine").incident("spring_snow")
    left = ["lily_white", "overdrive", "endless_party", "great_fairy_wars"]
    start.incident_deck(top=left, discard=[name for name in INCIDENT_IDS[:NUM_BASE_INCIDENTS] if name not in [*left, "spring_snow"]])
    worlds = resample_many(start.build(), 0, DRAWS, 2)
    counts = Counter(map(tuple, worlds["incident_deck"][:, :4].tolist()))
    assert len(counts) == 24
    assert_fits(list(counts.values()), np.full(24, DRAWS / 24))


@compiled_only
def test_candidates_at_set_up_and_the_unchosen_after_it():
    """Before the reveal any two of the 22 others, and either of them chosen; after it any that is not at the table."""
    game = Game.new(GameConfig(num_players=4), 6)
    for _ in range(2):
        game.act(game.legal()[0])
    seat = game.asking
    worlds = resample_many(game, seat, DRAWS, 4)
    pairs = Counter(worlds["candidates"][:, 0].tolist())
    assert len(pairs) == 22 * 21 // 2
    assert_fits(list(pairs.values()), np.full(231, DRAWS / 231))
    chosen = worlds["character"][:, 0].astype(int) - 1
    assert ((worlds["candidates"][:, 0] >> chosen) & 1).all()
    lower = (worlds["candidates"][:, 0] & ((1 << chosen) - 1)) == 0
    assert_fits([lower.sum(), (~lower).sum()], [DRAWS / 2, DRAWS / 2])
    while game.question == "character":
        game.act(game.legal()[0])
    worlds = resample_many(game, 1, DRAWS, 4)
    table = [CHARACTER_IDS.index(other.character) for other in game.seats]
    strange = set(range(NUM_BASE_CHARACTERS)) - set(table) - {CHARACTER_IDS.index(name) for name in game.seat(1).candidates}
    unchosen = worlds["candidates"][:, 0] & ~(1 << table[0])
    counts = Counter(unchosen.tolist())
    assert set(counts) == {1 << number for number in strange}
    assert_fits(list(counts.values()), np.full(len(strange), DRAWS / len(strange)))


# ---------------------------------------------------------------- worlds


@pytest.mark.parametrize("box", BOXES)
@pytest.mark.parametrize("players", PLAYERS if JIT else [4])
def test_games_a_seat_cannot_tell_apart_give_the_same_world(players, box):
    """So nothing in a world, not one byte, tells of what the seat may not know."""
    for seed in range(2):
        game = Game.new(GameConfig(num_players=players, **BOXES[box]), 9 * players + seed)
        for decision, position in enumerate(play_randomly(game, seed, limit=1000 if JIT else 60)):
            if decision % 7 and position.turn_number:
                continue
            seat = (decision // 7) % players
            world = resample(position, seat, decision)
            assert resample_many(world, seat, 2, 7).tobytes() == resample_many(position, seat, 2, 7).tobytes()
            assert invariants.position_problem(world.record) is None
            assert seat != position.asking or invariants.problem(world.record) is None


@pytest.mark.parametrize("box", BOXES)
@pytest.mark.parametrize("players", PLAYERS if JIT else [4])
def test_worlds_play_on(players, box):
    """For whoever is asked, from all of a game to the end."""
    game = Game.new(GameConfig(num_players=players, **BOXES[box]), 70 + players)
    for decision, position in enumerate(play_randomly(game, players)):
        if position.over or decision % (120 if JIT else 400):
            continue
        world = resample(position, position.asking, decision)
        for step, later in enumerate(play_randomly(world, decision)):
            if step % 10 == 0 or later.over:
                assert invariants.problem(later.record) is None
        assert world.over


def test_a_world_with_given_roles():
    game = Game.new(GameConfig(num_players=5, characters="random"), 2)
    found = role_assignments(game, 1)
    for roles in found.roles[:5]:
        assert (resample(game, 1, 3, roles=roles).record["role"][:5] == roles).all()
        assert (resample_many(game, 1, 2, 3, roles=[roles.tolist()] * 2)["role"][:, :5] == roles).all()
    with pytest.raises(IndexError):
        resample(game, 5, 1)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda roles: roles * 0 + 40, "0 Heroines"),
        (lambda roles: roles * 0 + ROLE_IDS.index("heroine"), "5 Heroines"),
        (lambda roles: np.where(roles == ROLE_IDS.index("stage_boss"), ROLE_IDS.index("rival"), roles), "not dealt to this table"),
        (lambda roles: np.roll(roles, 1), "contradict what seat 1 knows"),
        (lambda roles: roles[:4], "5 role numbers for each world"),
        (lambda roles: roles + 0.5, "whole numbers"),
    ],
)  # fmt: skip
def test_a_world_with_roles_that_cannot_be_is_refused(change, reason):
    game = Game.new(GameConfig(num_players=5, roles="basic", characters="random"), 2)
    with pytest.raises(ValueError, match=reason):
        resample(game, 1, 3, roles=change(game.record["role"][:5].astype(int)))


def test_marginals_add_up():
    found = role_assignments(Game.new(GameConfig(num_players=7, characters="random"), 2), 1)
    np.testing.assert_allclose(found.marginals().sum(axis=1), 1)
    assert found.weights.sum() == pytest.approx(1)


def test_over_there_is_nothing_left_to_guess():
    game = Game.new(GameConfig(num_players=4, characters="none"), 1)
    for _ in play_randomly(game, 1):
        pass
    found = role_assignments(game, 2)
    assert found.roles.tolist() == [game.record["role"][:4].tolist()]
