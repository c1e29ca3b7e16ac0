"""The posterior of the roles by the players' own policies from what an observer knows: hands stay hidden.

A *past* says which card lay in each hidden place of a hand from when it was drawn until everybody saw it. The play of a seat depends on its
own cards and role alone, so the likelihood of a game is a product over the seats, given their pasts; and before anybody has played, all
pasts that show the cards that were shown are equally likely. So each seat has particles of its own: a past, and for each role it may have
the weight that its answers and its silence give to both (sequential Monte Carlo; a resampled particle draws its later cards anew).
The pasts of the seats are independent but for one thing: no card lies in two places. So combinations of them are drawn for an observer, and
weighed by how many ways there are to hand out the cards like that.

That is exact in the limit of many particles where cards enter hands from the deck alone and leave them in sight of all, as on `TABLE`.
`ObservedGame` follows a game as far as that is so. docs/deduction.md says how it was tested, and what stands in the way at other tables.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy.special import gammaln

from danmaku_env import GameConfig
from danmaku_env.agents.base import probabilities_of
from danmaku_env.arena.deduction.intermediate_states import new_events
from danmaku_env.arena.records import drive, legal_answers, observations_of
from danmaku_env.cards.box import NUM_ROLES
from danmaku_env.cards.compile import compile_cards
from danmaku_env.cards.tables import CARDS
from danmaku_env.engine import actions, batch
from danmaku_env.engine import state as st
from danmaku_env.engine.state import EVERYBODY
from danmaku_env.info_states import InfoStates
from danmaku_env.machine.records import Array

TABLE = GameConfig(
    num_players=6, characters="none", incidents=(),
    deck={
        "one_up": 2, "bomb": 4, "borrow": 2, "focus": 2, "graze": 14, "grimoire": 2, "kourindou": 1, "laser_shot": 1, "last_word": 1,
        "melee": 1, "mini_hakkero": 1, "power": 6, "seal_away": 4, "shoot": 24, "sorcerers_sutra_scroll": 1, "stopwatch": 1,
        "supernatural_border": 2, "tempest": 1,
    },
)  # fmt: skip
"""Six seats, no characters, no incidents; all cards of the Main deck but those that move or show cards in secret or need a character."""
_ALWAYS = np.iinfo(np.int64).max
_IN_SIGHT = (st.IN_DISCARD, st.IN_PLAY, st.BEING_PLAYED, st.ASIDE_PUBLIC, st.COLLECTED)
_MOST_EXTRA = 24
"""Questions that a seat may be asked between two that were."""
_TRIES = 4
_ENOUGH = 0.5
"""Share of particles that are worth something below which they are drawn anew."""


class Place(NamedTuple):
    """A hidden place in a hand."""

    drawn: int
    """The first state in which it is there."""
    shown: int
    """The first state in which everybody has seen what was there; _ALWAYS if that has not come."""
    card: int
    """What really lay there."""
    epoch: int
    """How often the deck it was drawn from had been made anew."""


class ObservedGame:
    """A game as it went: its states, the answers between them, and the hidden places of all hands, up to where that can be told."""

    def __init__(self, first: Any, config: GameConfig) -> None:
        self.config, self.states, self.answers = config, [first.copy()], list[int]()
        self.lost = ""
        """Why it cannot be followed any further; nothing where it can."""
        self._epoch: Array = np.zeros(CARDS, np.int64)
        self._places: list[list[Place]] = [
            [Place(0, _ALWAYS, card, 0) for card in sorted(_hidden_hand(first, seat))] for seat in range(config.num_players)
        ]

    def see(self, answer: int, after: Any) -> None:
        """An answer, and the state it led to."""
        if self.lost:
            return
        before, now = self.states[-1], len(self.states)
        self.lost = self._follow(before, after, now)
        if not self.lost:
            self.states.append(after.copy())
            self.answers.append(answer)

    def _follow(self, before: Any, after: Any, now: int) -> str:
        if _roles_moved(before, after):
            return "roles have changed hands"
        if again := _cards_in_sight(before, after) & _hidden_cards(after):
            self._epoch[list(again)] = self._epoch.max() + 1
        for seat, places in enumerate(self._places):
            old, new = _hidden_hand(before, seat), _hidden_hand(after, seat)
            if again & old & new:
                return "a card was shown and drawn again at once"
            if any(after["zone"][card] not in _IN_SIGHT and card not in again and not _exposed(after, card) for card in old - new):
                return "a card has left a hand unseen"
            if any(before["zone"][card] != st.IN_DECK and card not in again for card in new - old):
                return "a card has come into a hand unseen"
            for number, place in enumerate(places):
                if place.shown == _ALWAYS and place.card in old - new:
                    places[number] = place._replace(shown=now)
            places += [Place(now, _ALWAYS, card, int(self._epoch[card])) for card in sorted(new - old)]
        return ""

    def places(self, seat: int) -> list[Place]:
        """The hidden places of a hand, in the order in which they were filled."""
        return self._places[seat]

    def unseen(self, observer: int) -> list[Array]:
        """By epoch, the cards that have not been seen by everybody since, and are not in the observer's hand."""
        now = self.states[-1]
        hidden = np.array(sorted(_hidden_cards(now) - _hidden_hand(now, observer)), np.int64)
        return [hidden[self._epoch[hidden] == epoch] for epoch in range(int(self._epoch.max()) + 1)]


# ---------------------------------------------------------------- what lies where


def _exposed(record: Any, card: int) -> bool:
    """Whether everybody knows that this card is in the hand where it is."""
    word, bit = divmod(card, st.HAND_WORD_BITS)
    return bool(record["zone"][card] == st.IN_HAND and int(record["exposed"][word]) >> bit & 1 and record["seen_by"][card] == EVERYBODY)


def _hidden_hand(record: Any, seat: int) -> set[int]:
    """The cards of a hand that not everybody knows."""
    held = np.flatnonzero((record["zone"] == st.IN_HAND) & (record["holder"] == seat))
    return {card for card in held.tolist() if not _exposed(record, card)}


def _hidden_cards(record: Any) -> set[int]:
    """The cards of hands and deck that not everybody knows."""
    found = {int(card) - 1 for card in record["deck"][: int(record["deck_size"])]}
    return found.union(*(_hidden_hand(record, seat) for seat in range(int(record["num_players"]))))


def _cards_in_sight(before: Any, after: Any) -> set[int]:
    """The cards that lay in sight before, or were shown by an event since."""
    shown = {int(event[st.CARD_SHOWN]) - 1 for event in new_events(before, after) if event[st.KNOWN_TO] == EVERYBODY}
    return {card for card in shown if 0 <= card < CARDS} | set(np.flatnonzero(np.isin(before["zone"], _IN_SIGHT)).tolist())


def _roles_moved(before: Any, after: Any) -> bool:
    changed = before["role"] != after["role"]
    return bool((changed & (compile_cards().tables[0]["role_becomes"][before["role"]] != after["role"])).any())


def _seen_alike(events: Array) -> Array:
    """[..., 7] log rows [..., 8] as everybody sees them, cards by kind and season."""
    rows = events.astype(np.int64)
    cards = np.where((rows[..., st.KNOWN_TO] == EVERYBODY) & (rows[..., st.CARD_SHOWN] <= CARDS), rows[..., st.CARD_SHOWN], 0)
    looks = np.where(cards > 0, faces()[cards - 1], 0)
    return np.concatenate([rows[..., : st.CARD_SHOWN], looks[..., np.newaxis]], -1)


# ---------------------------------------------------------------- one seat


class Particles:
    """Pasts of one seat: which card is where, and how much speaks for each together with each role."""

    def __init__(self, watched: ObservedGame, seat: int, observer: int, policy: Any, count: int, rng: np.random.Generator) -> None:
        """Raises DiedOutError where none of them explains what the seat did."""
        self.seat, self.roles = seat, possible_roles(watched.states[-1], watched.config, seat)
        self._watched, self._policy, self._rng, self._config = watched, policy, rng, watched.config
        self._settings = watched.config.settings()
        self._places, self._unseen = watched.places(seat), watched.unseen(observer)
        self._drawn: Array = np.array([place.drawn for place in self._places], np.int64)
        self.cards: Array = np.zeros((count, len(self._places)), np.int64)
        """[N, places] the card in each place."""
        self.until: Array = np.full(self.cards.shape, _ALWAYS)
        """[N, places] the state in which everybody has seen it; _ALWAYS if that has not come."""
        self.logs: Array = np.zeros((count, max(1, len(self.roles))))
        """[N, roles] what speaks for past and role; one column where the role lies open."""
        self._alike = _alike_to_the_engine(self.roles)
        self._fill(0)
        for now, answer in enumerate(watched.answers):
            self._weigh(now, answer)
            self._count_copies(now)
            if now + 1 in self._drawn and self.effective() < _ENOUGH * count:
                self._draw_anew(now + 1)

    def effective(self) -> float:
        """How many pasts are worth something, whatever the role."""
        return float(1 / (self.weights() ** 2).sum())

    def weights(self) -> Array:
        """[N] the weight of each past over all roles, which sum to 1."""
        logs = np.logaddexp.reduce(self.logs, axis=1)
        if not np.isfinite(logs.max()):
            raise DiedOutError(self.seat)
        weights: Array = np.exp(logs - np.logaddexp.reduce(logs))
        return weights

    def shares(self) -> Array:
        """[N, NUM_ROLES] how likely each role is with each past."""
        found: Array = np.zeros((len(self.cards), NUM_ROLES))
        live = np.flatnonzero(self.weights())
        found[live[:, np.newaxis], self.roles] = np.exp(self.logs[live] - np.logaddexp.reduce(self.logs[live], axis=1, keepdims=True))
        return found

    # ---- the prior

    def _fill(self, now: int) -> None:
        """Draw what lies in the places that are filled from the state `now` on, given the others: all ways are equally likely."""
        early = self._drawn < now
        shown = sorted((place for place in self._places if place.shown != _ALWAYS), key=lambda place: place.shown)
        for cards, until in zip(self.cards, self.until, strict=True):
            kept, done = set(cards[early].tolist()), set(zip(cards[early].tolist(), until[early].tolist(), strict=True))
            free = np.flatnonzero(~early).tolist()
            for place in shown:
                if (place.card, place.shown) not in done:
                    fits = [one for one in free if self._drawn[one] < place.shown and self._places[one].epoch == place.epoch]
                    chosen = fits[int(self._rng.integers(len(fits)))]
                    free.remove(chosen)
                    cards[chosen], until[chosen] = place.card, place.shown
            for epoch, unseen in enumerate(self._unseen):
                if rest := [one for one in free if self._places[one].epoch == epoch]:
                    left = [card for card in unseen.tolist() if card not in kept]
                    cards[rest], until[rest] = self._rng.choice(left, len(rest), replace=False), _ALWAYS

    def _draw_anew(self, now: int) -> None:
        """Resample the same number of pasts by weight, with other cards in the places that are filled from now on."""
        total, weights, count = np.logaddexp.reduce(self.logs, axis=1), self.weights(), len(self.cards)
        chosen = np.searchsorted(np.cumsum(weights), (np.arange(count) + self._rng.random()) / count).clip(max=count - 1)
        self.cards, self.until = self.cards[chosen], self.until[chosen]
        self.logs = self.logs[chosen] - total[chosen][:, np.newaxis]
        self._fill(now)

    # ---- the likelihood

    def _weigh(self, now: int, answer: int) -> None:
        """Count what the seat did, or did not do, between two states."""
        before, after = self._watched.states[now], self._watched.states[now + 1]
        mine = before["asking"] == self.seat
        if not mine and before["question"] not in actions.WINDOW_QUESTION and before["log_count"] == after["log_count"]:
            return  # somebody goes on choosing
        records = self._supposed(now)
        asked: Array = np.ones(len(records), np.bool_)
        if mine:
            records["asking"], records["question"], records["legal"] = st.NOBODY, actions.Q_NONE, 0
            drive(records, self._settings, np.zeros(len(records), np.int64), batch.RESUME)
            asked = (records["asking"] == self.seat) & _stands_at(records, before)
            which = np.flatnonzero(asked & self._live())
            self._count(records, which, lambda stated, _: stated[:, answer])
        which = np.flatnonzero(asked & self._live())
        moved = records[which]
        drive(moved, self._settings, np.full(len(which), answer, np.int64), batch.ANSWER)
        records[which] = moved
        if mine:
            fits = _log_fits(records, before, after).reshape(len(self.cards), -1)
            for kind, members in enumerate(self._alike):
                self.logs[np.flatnonzero(~fits[:, kind])[:, np.newaxis], members] = -np.inf
        self._settle(records, before, after)

    def _count_copies(self, now: int) -> None:
        """Of copies that look alike nobody sees which one is shown: it is each of them that the hand holds with the same chance."""
        look_of = faces()
        held, looks = (self._drawn <= now) & (now < self.until), look_of[self.cards]
        for look, shown in Counter(look_of[place.card] for place in self._places if place.shown == now + 1).items():
            copies = (held & (looks == look)).sum(1)
            self.logs -= (gammaln(copies + 1.0) - gammaln(copies - shown + 1.0))[:, np.newaxis]

    def _settle(self, records: Array, before: Any, after: Any) -> None:
        """Questions to the seat that the true game did not put: answered so that the log is what it was."""
        for _ in range(_MOST_EXTRA):
            extra = (records["asking"] == self.seat) & (records["log_count"] <= after["log_count"])
            extra &= (
                records["turn_number"] * len(st.STEPS) + records["turn_step"] <= after["turn_number"] * len(st.STEPS) + after["turn_step"]
            )
            if after["asking"] == self.seat:
                extra &= ~_stands_at(records, after)
            which = np.flatnonzero(extra & self._live() & (records["outcome"] == st.RUNNING))
            if not len(which):
                return
            answers = self._passes_or_fits(records[which], before, after)
            self._count(records, which, lambda stated, place: (stated * answers[place]).sum(1))  # noqa: B023
            moved = records[which]
            drive(moved, self._settings, answers.argmax(1), batch.ANSWER)
            records[which] = moved
        raise RuntimeError("a seat is asked without end")

    def _passes_or_fits(self, records: Array, before: Any, after: Any) -> Array:
        """[n, N] whether the log would go on as it did after an answer; where the seat can pass, only that."""
        masks = legal_answers(records, self._config)
        answers = np.zeros(masks.shape, np.bool_)
        answers[:, actions.PASS] = masks[:, actions.PASS] != 0
        for place in np.flatnonzero(~answers[:, actions.PASS]):
            tried = np.flatnonzero(masks[place])
            worlds = st.as_bytes(records)[np.full(len(tried), place)].view(st.STATE).reshape(-1)
            drive(worlds, self._settings, tried, batch.ANSWER)
            answers[place, tried] = _log_fits(worlds, before, after)
        return answers

    def _supposed(self, now: int) -> Array:
        """[N * kinds of roles] the state with the cards of each past in the hand, and with a role of each kind."""
        record, every = self._watched.states[now], len(self._alike)
        worlds = st.as_bytes(record.reshape(1))[np.zeros(len(self.cards), np.int64)].view(st.STATE).reshape(-1)
        there = [place.card for place in self._places if place.drawn <= now < place.shown]
        if there:
            _put_into_hand(worlds, self.seat, there, self.cards[(self._drawn <= now) & (now < self.until)].reshape(len(worlds), -1))
        worlds = np.repeat(st.as_bytes(worlds), every, axis=0).view(st.STATE).reshape(-1)
        if self.roles:
            worlds["role"][:, self.seat] = np.tile([self.roles[members[0]] for members in self._alike], len(self.cards))
        return worlds

    def _live(self) -> Array:
        """[N * kinds of roles] whether anything still speaks for it."""
        return np.stack([np.isfinite(self.logs[:, members]).any(1) for members in self._alike], 1).reshape(-1)

    def _count(self, records: Array, which: Array, chance: Callable[[Array, Array], Array]) -> None:
        """Weigh the records `which` by how likely the seat does something there, `chance` of what it states [n, N] and of the places."""
        every = len(self._alike)
        for kind, members in enumerate(self._alike):
            place = np.flatnonzero(which % every == kind)
            worlds = records[which[place]]
            for column in members if len(place) else ():
                if self.roles:
                    worlds["role"][:, self.seat] = self.roles[column]
                with np.errstate(divide="ignore"):
                    self.logs[which[place] // every, column] += np.log(chance(self._stated(worlds), place))

    def _stated(self, records: Array) -> Array:
        """[n, N] how likely the seat gives each answer."""
        seats = np.full(len(records), self.seat)
        observations, masks = observations_of(records, seats, self._config), legal_answers(records, self._config)
        return probabilities_of(self._policy, observations, masks, InfoStates(records, seats, self._config))


class DiedOutError(RuntimeError):
    """No past of a seat explains what it did."""


def particles_of(watched: ObservedGame, seat: int, observer: int, policy: Any, count: int, rng: np.random.Generator) -> Particles:
    """Particles of a seat; where none is left, tried again with four times as many. Raises DiedOutError."""
    for most in range(_TRIES):
        try:
            found = Particles(watched, seat, observer, policy, count << 2 * most, rng)
            found.weights()
            return found
        except DiedOutError:
            continue
    raise DiedOutError(seat)


def _alike_to_the_engine(roles: Sequence[int]) -> list[list[int]]:
    """Places of roles, those together between which the engine makes no difference while they are hidden: one with a power stands alone."""
    if not roles:
        return [[0]]
    powers = compile_cards().tables[0]["role_becomes"][list(roles)] != 0
    plain = np.flatnonzero(~powers).tolist()
    return ([plain] if plain else []) + [[int(place)] for place in np.flatnonzero(powers)]


def _stands_at(records: Array, truth: Any) -> Array:
    """[n] whether the question is that of the true game."""
    same: Array = (records["question"] == truth["question"]) & (records["log_count"] == truth["log_count"])
    same &= records["pending_kind"] == truth["pending_kind"]
    return same


def _log_fits(records: Array, before: Any, after: Any) -> Array:
    """[n] whether everybody has seen the same since `before` as in the true game, as far as both have come."""
    rows = np.arange(int(before["log_count"]), int(after["log_count"]))
    both = np.minimum(records["log_count"], after["log_count"])[:, np.newaxis]
    differ = (_seen_alike(records["log"][:, rows % st.LOG_ROWS]) != _seen_alike(after["log"][rows % st.LOG_ROWS])).any(2)
    fits: Array = ~(differ & (rows < both)).any(1)
    return fits


def _put_into_hand(records: Array, seat: int, there: list[int], wanted: Array) -> None:
    """Put other cards [n, k] into a hand for the k that are there; where those come from the deck, what was in the hand lies there then."""
    kinds, rows, old = compile_cards().tables[0]["card_kind"].astype(np.int64), np.arange(len(records)), np.array(there)
    first = records[0]
    deck = first["deck"][: int(first["deck_size"])].astype(np.int64) - 1
    at = np.full(CARDS, -1)
    at[deck] = np.arange(len(deck))
    for card in there:
        word, bit = divmod(card, st.HAND_WORD_BITS)
        records["hand_cards"][:, seat, word] &= ~(1 << bit)
        records["exposed"][:, word] &= ~(1 << bit)
        records["hand_counts"][:, seat, kinds[card]] -= 1
    records["zone"][:, old], records["holder"][:, old], records["seen_by"][:, old] = st.IN_DECK, 0, 0
    for card in wanted.T:
        records["hand_cards"][rows, seat, card // st.HAND_WORD_BITS] |= np.int64(1) << (card % st.HAND_WORD_BITS)
        records["hand_counts"][rows, seat, kinds[card]] += 1
        records["zone"][rows, card], records["holder"][rows, card], records["seen_by"][rows, card] = st.IN_HAND, seat, 1 << seat
    held = records["hand_counts"][:, seat] > 0
    records["hand_kinds"][:, seat] = (held * (np.int64(1) << np.arange(held.shape[1]))).sum(1)
    come, gone = ~np.isin(wanted, old), ~(wanted[:, :, np.newaxis] == old).any(1)
    come_first, gone_first = np.argsort(~come, 1, kind="stable"), np.argsort(~gone, 1, kind="stable")
    for place in range(int(come.sum(1).max())):
        new = wanted[rows, come_first[:, place]]
        which = np.flatnonzero((place < come.sum(1)) & (at[new] >= 0))
        records["deck"][which, at[new[which]]] = old[gone_first[which, place]] + 1


# ---------------------------------------------------------------- an observer


def apart(watched: ObservedGame, particles: Sequence[Particles], observer: int) -> Array:
    """[players, NUM_ROLES] the posterior of an observer as if the unseen cards in one hand told nothing of those in another."""
    return _posterior(watched, observer, {one.seat: one.weights()[np.newaxis] @ one.shares() for one in particles if one.roles}, np.ones(1))


def _posterior(watched: ObservedGame, observer: int, shares: Mapping[int, Array], weights: Array) -> Array:
    """[players, NUM_ROLES] of weighted combinations [n] in which each of the seats has roles by their shares [n, NUM_ROLES]."""
    players = watched.config.num_players
    deals = InfoStates(watched.states[-1].reshape(1), np.array([observer]), watched.config).role_assignments(0)
    probabilities: Array = np.zeros(len(deals.weights))
    for some in np.array_split(np.arange(len(weights)), 1 + len(weights) // 256):
        joint = weights[some, np.newaxis] * deals.weights
        for seat, share in shares.items():
            joint *= share[some][:, deals.roles[:, (seat - observer) % players]]
        probabilities += joint.sum(0)
    beliefs: Array = np.zeros((players, NUM_ROLES))
    for seat in range(players):
        beliefs[seat] = np.bincount(deals.roles[:, (seat - observer) % players], probabilities / probabilities.sum(), NUM_ROLES)
    return beliefs


def faces() -> Array:
    """[CARDS] what a card looks like, as a number above 0: its kind and its season."""
    t = compile_cards().tables[0]
    looks: Array = t["card_kind"].astype(np.int64) * (st.NUM_SEASONS + 2) + t["card_season"] + 1
    return looks


def possible_roles(record: Any, config: GameConfig, seat: int) -> list[int]:
    """The roles that a seat may have for one who sees what lies open; none where its role does."""
    if record["role_seen"][seat] == EVERYBODY:
        return []
    outside = st.as_bytes(record.reshape(1)).copy().view(st.STATE).reshape(-1)
    outside["role_seen"] = np.where(outside["role_seen"] == EVERYBODY, EVERYBODY, 0)
    deals = InfoStates(outside, np.zeros(1, np.int64), config).role_assignments(0)
    return [int(role) for role in np.unique(deals.roles[:, seat])]


def watch(steps: Iterator[Any], config: GameConfig, games: int) -> list[ObservedGame]:
    """Games as they went; `steps` are those of `games.play`."""
    found: dict[int, ObservedGame] = {}
    for step in steps:
        for game, record in zip(step.begun, step.first, strict=True):
            found[int(game)] = ObservedGame(record, config)
        for place, game in enumerate(step.games):
            found[int(game)].see(int(step.answers[place]), step.after[place])
    return [found[game] for game in range(games)]
