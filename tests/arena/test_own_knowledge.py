"""What an observer could know of roles with hands hidden: against Bayes over every deal of cards and roles of a small table."""

import itertools

import numpy as np
import pytest
from scipy.special import gammaln

from danmaku_env import Game, GameConfig
from danmaku_env.agents.registry import make
from danmaku_env.arena.deduction import own_knowledge as own
from danmaku_env.arena.deduction.games import play
from danmaku_env.cards.box import NUM_ROLES
from danmaku_env.cards.compile import compile_cards
from danmaku_env.cards.tables import KINDS
from danmaku_env.engine import actions, batch
from danmaku_env.engine import state as st
from danmaku_env.engine.observation import OFFSETS
from danmaku_env.game import public_log, role_assignments
from danmaku_env.info_states import InfoStates
from danmaku_env.jit.kernels import JIT

DECK = {"shoot/spring": 6, "graze/spring": 4, "power/winter": 1}
SMALL = GameConfig(num_players=4, roles="basic", characters="none", incidents=(), deck=DECK, life=2, hand=1)
UNTIL = 3
"""The turn at whose first question it is asked who is who."""
ROLES = slice(OFFSETS["role"], OFFSETS["role"] + NUM_ROLES - 1)
HAND = slice(OFFSETS["hand"], OFFSETS["hand"] + 4 * KINDS)


class Soft:
    """Answers with odds that depend on its role and on its hand, so that both can be told from them a little."""

    name = "soft"
    of_role, of_hand = (
        np.random.default_rng(seed).normal(0, 1.2, (rows.stop - rows.start, actions.NUM_ACTIONS)) for seed, rows in ((5, ROLES), (6, HAND))
    )

    def __init__(self, seed=0):
        self.reset(seed)

    def reset(self, seed):
        self.rng = np.random.default_rng(seed)

    def probabilities(self, observations, masks, info_states=None):
        odds = np.where(masks, np.exp(observations[:, ROLES] @ self.of_role + observations[:, HAND] @ self.of_hand / 2), 0)
        return odds / odds.sum(1, keepdims=True)

    def act(self, observations, masks, info_states=None):
        return np.array([self.rng.choice(len(odds), p=odds) for odds in self.probabilities(observations, masks)])


def cut(watched, turn):
    """The game up to the first question of a turn; None where it does not come so far, or the deck was made anew."""
    end = next((place for place, state in enumerate(watched.states) if state["turn_number"] >= turn), None)
    if end is None:
        return None
    found = own.ObservedGame(watched.states[0], watched.config)
    for answer, after in zip(watched.answers[:end], watched.states[1 : end + 1], strict=True):
        found.see(answer, after)
    return found if len(found.unseen(0)) == 1 else None


def games(agent, count):
    """Games that come so far, and the seat of their Heroine, who lies open."""
    for watched in own.watch(play([agent], SMALL, range(count), 1), SMALL, count):
        if there := cut(watched, UNTIL):
            yield there, int(np.flatnonzero(there.states[-1]["role_seen"][:4] == st.EVERYBODY)[0])


# ---------------------------------------------------------------- against every deal


def in_hand(record, seat):
    return [card for card in range(st.CARDS) if record["zone"][card] == st.IN_HAND and record["holder"][card] == seat]


def dealt(first, seats, cards):
    """The first state with other cards in the hands of some seats and, the last ones, in the deck."""
    kinds, record, cards = compile_cards().tables[0]["card_kind"], first.copy(), list(cards)
    for seat in seats:
        mine = [cards.pop(0) for _ in in_hand(first, seat)]
        record["hand_cards"][seat], record["hand_counts"][seat] = 0, 0
        for card in mine:
            record["hand_cards"][seat, card // st.HAND_WORD_BITS] += 1 << card % st.HAND_WORD_BITS
            record["hand_counts"][seat, kinds[card]] += 1
            record["zone"][card], record["holder"][card], record["seen_by"][card] = st.IN_HAND, seat, 1 << seat
        record["hand_kinds"][seat] = sum(1 << int(kind) for kind in np.flatnonzero(record["hand_counts"][seat]))
    for place, card in enumerate(cards):
        record["deck"][place] = card + 1
        record["zone"][card], record["holder"][card], record["seen_by"][card] = st.IN_DECK, 0, 0
    assert len(cards) == record["deck_size"]
    return record


def arrangements(first, observer):
    """(seats, cards) of every way to deal the cards that the observer does not hold, cards that look alike in one order only."""
    seats = [seat for seat in range(4) if seat != observer]
    cards = sorted(
        itertools.chain(*(in_hand(first, seat) for seat in seats), (first["deck"][: first["deck_size"]].astype(int) - 1).tolist())
    )
    looks = own.faces()[cards].tolist()
    groups = {look: [card for card, its in zip(cards, looks, strict=True) if its == look] for look in set(looks)}
    ways = [[]]
    for _ in cards:
        ways = [[*way, look] for way in ways for look in groups if way.count(look) < len(groups[look])]
    for way in ways:
        left = {look: iter(copies) for look, copies in groups.items()}
        yield seats, [next(left[look]) for look in way]


def log_of(record):
    return public_log(record.reshape(1).copy(), 0).tolist()


def chance(record, end, policy, config):
    """How likely the log goes on from here as it did, into the turn in which it ends."""
    told, log = log_of(record), log_of(end)
    if told != log[: len(told)] or record["outcome"] != st.RUNNING:
        return 0.0
    if told == log and record["turn_number"] == end["turn_number"]:
        return 1.0
    records, seat = record.reshape(1).copy(), np.array([int(record["asking"])])
    masks, rows = np.zeros((1, actions.NUM_ACTIONS), np.uint8), np.zeros((1, config.observation_size), np.uint8)
    batch.mask_rows(records, masks)
    batch.observe_rows(compile_cards().tables, records, seat, rows)
    stated = policy.probabilities(rows, masks, InfoStates(records, seat, config))[0]
    total = 0.0
    for answer in np.flatnonzero(stated):
        after = records.copy()
        batch.drive(
            compile_cards().tables, config.settings(), after, st.as_bytes(after), np.array([answer]), np.zeros(1, np.int8), batch.ANSWER
        )
        total += stated[answer] * chance(after[0], end, policy, config)
    return total


def by_every_deal(watched, observer, policy):
    """[players, NUM_ROLES] the posterior of the observer; also how many deals there are, and how many give the log."""
    first, config = watched.states[0], watched.config
    deals = role_assignments(Game.from_trusted_record(first.reshape(1).copy(), config), observer)
    beliefs, tried, fitting = np.zeros((4, NUM_ROLES)), 0, 0
    for seats, cards in arrangements(first, observer):
        for roles, weight in zip(deals.roles, deals.weights, strict=True):
            record = dealt(first, seats, cards)
            record["role"][:4] = roles
            likely = weight * chance(record, watched.states[-1], policy, config)
            beliefs[np.arange(4), roles] += likely
            tried, fitting = tried + 1, fitting + (likely > 0)
    return beliefs / beliefs.sum(1, keepdims=True), tried, fitting


def held(past, size):
    """[N, size] how many cards of each look, by epoch, still lie unseen in the hand of each past."""
    looks = np.array([place.epoch for place in past._places]) * (size // len(past._unseen)) + own.faces()[past.cards]
    found = np.zeros((len(past.cards), size), np.int64)
    rows, columns = np.nonzero(past.until == own._ALWAYS)
    np.add.at(found, (rows, looks[rows, columns]), 1)
    return found


def ways(there, taken):
    """[n] the logarithm of the number of ways to take `taken` copies [n, size] of those `there`; -inf where there are too few."""
    left = there - taken
    logs = (gammaln(there + 1.0) - gammaln(np.maximum(left, 0) + 1.0)).sum(1)
    logs[(left < 0).any(1)] = -np.inf
    return logs


def combined(watched, particles, observer, rng, draws=4000):
    """[players, NUM_ROLES] the posterior of an observer, from combinations of the pasts of the others.

    Pasts were drawn as if each seat had the unseen cards to itself. Cards that look alike are exchangeable, so a combination is weighted
    by the number of ways to hand out the copies to all seats at once, over the number of ways to hand them to each alone.
    """
    look_of = own.faces()
    there = np.concatenate([np.bincount(look_of[unseen], minlength=look_of.max() + 1) for unseen in watched.unseen(observer)])
    weights, total, picked = np.zeros(draws), np.zeros((draws, there.size), np.int64), []
    for one in particles:
        chosen, cards = rng.choice(len(one.cards), draws, p=one.weights()), held(one, there.size)
        weights -= ways(there, cards)[chosen]
        total += cards[chosen]
        picked.append((one, chosen))
    weights += ways(there, total)
    weights = np.exp(weights - weights.max())
    able = np.flatnonzero(weights)
    return own._posterior(watched, observer, {one.seat: one.shares()[chosen[able]] for one, chosen in picked if one.roles}, weights[able])


@pytest.mark.skipif(not JIT, reason="thousands of games")
@pytest.mark.parametrize("agent", [Soft(), make("heuristic", 0)], ids=["soft", "heuristic"])
def test_it_is_bayes_over_every_deal_of_cards_and_roles(agent):
    watched, observer = next(games(agent, 20))
    exact, tried, fitting = by_every_deal(watched, observer, agent)
    assert 1 < fitting < tried
    found, rng = [], np.random.default_rng(3)
    for _ in range(4):
        particles = [own.particles_of(watched, seat, observer, agent, 100, rng) for seat in range(4) if seat != observer]
        found.append(combined(watched, particles, observer, rng))
    error = np.std(found, 0, ddof=1) / len(found) ** 0.5
    assert (np.abs(np.mean(found, 0) - exact) < 4 * error + 0.004).all()
    assert np.abs(own.apart(watched, particles, observer) - exact).max() < 0.02


def test_the_whole_box_cannot_be_followed_far():
    box = GameConfig(num_players=6, characters="random")
    (watched,) = own.watch(play([make("heuristic", 0)], box, [1], 1), box, 1)
    assert watched.lost.startswith(("a card has", "roles have"))


def test_nothing_is_lost_on_the_table_that_was_made_for_it():
    (watched,) = own.watch(play([make("heuristic", 0)], own.TABLE, [0], 1), own.TABLE, 1)
    assert not watched.lost
    assert all(place.drawn < place.shown for seat in range(6) for place in watched.places(seat))
