"""Table situations in a few words: `scene().seat(0, "cirno", hand="shoot graze").seat(1, items="focus").build()`."""

from collections import Counter

from danmaku_env import Game, GameConfig, Scenario
from danmaku_env.cards.main_deck import MAIN_CARDS

ROLES = ("stage_boss", "stage_boss", "ex_boss", "heroine", "partner", "stage_boss", "partner", "rival")
"""Roles of the seats where no seat names one: for every number of players a deal that can be."""
CALM = Counter(power=6, grimoire=2, voile=1, party=1, tempest=1, stopwatch=1, mini_hakkero=1, kourindou=1)
"""Cards nobody can answer anything with; they lie under the named top cards of the deck."""


def scene(players=4, turns=1, **config) -> "Scene":
    """A table to describe further, whose game is cut off after this number of turns, so that nothing happens once nobody has a choice."""
    return Scene(players, turns, config)


LUNATIC = {"expansion": "lunatic_extra"}


def lunatic_scene(players=4, turns=1, **config) -> "Scene":
    """The same with both boxes."""
    return scene(players, turns, **{**LUNATIC, **config})


class Scene(Scenario):
    """A `Scenario` in which cards are words of one string or a sequence, and what nobody described is always the same and calm."""

    def __init__(self, players, turns, config):
        super().__init__(players, GameConfig(**{"num_players": players, "characters": "none", "max_turns": turns, **config}))
        self.dealt = ()
        self.plans = {}
        self.in_play = {}
        self.deck_plan = {"top": ()}
        self.piles = {"discard": ()}
        self.incident_piles = None

    def roles(self, ids):
        """The roles of all seats in order."""
        self.dealt = words(ids)
        return self

    def seat(self, index, character="", *, hand="", items="", **plan):
        """As `Scenario.seat`; described again, a seat begins anew."""
        self.plans[index] = {"character": character, "hand": words(hand), "items": words(items), **plan}
        return self

    def deck(self, top="", **plan):
        self.deck_plan = {place: words(cards) for place, cards in {"top": top, **plan}.items()}
        return self

    def discard(self, top):
        self.piles["discard"] = words(top)
        return self

    def lunatic_deck(self, top="", discard=""):
        return super().lunatic_deck(top=words(top), discard=words(discard))

    def incident(self, name, *, collected=""):
        return self.incidents({name: collected} if name else {})

    def incidents(self, collected):
        self.in_play = {name: words(cards) for name, cards in collected.items()}
        return self

    def incident_deck(self, **piles):
        self.incident_piles = {pile: words(names) for pile, names in piles.items()}
        return self

    def build(self, seed=1) -> Game:
        """As `Scenario.build`: the game at its first question."""
        some = any("role" in plan for plan in self.plans.values())
        roles = self.dealt or ([None] * self.num_players if some else ROLES)
        for index in range(self.num_players):
            super().seat(index, **{"role": roles[index], **self.plans.get(index, {})})
        calm = () if "only" in self.deck_plan else self.calm_cards()
        super().deck(**{**self.deck_plan, "top": [*self.deck_plan["top"], *calm]})
        super().discard(top=self.piles["discard"])
        super().incidents(self.in_play)
        quiet = {"top": [] if "voyage_to_makai" in self.in_play else ["voyage_to_makai"]}
        super().incident_deck(**(quiet if self.incident_piles is None else self.incident_piles))
        return super().build(seed=seed)

    def calm_cards(self):
        """The calm cards that nobody named."""
        named = [plan[place] for plan in self.plans.values() for place in ("hand", "items")]
        named += [*self.piles.values(), *self.deck_plan.values(), *self.in_play.values()]
        return (CALM - Counter(card.split("/")[0] for cards in named for card in cards)).elements()


def words(cards):
    """Cards given as one string or as a sequence, as a sequence."""
    return cards.split() if isinstance(cards, str) else cards


def act(game, *answers):
    """Give several answers in a row."""
    for answer in answers:
        game.act(answer)


def end_turn(game):
    """Pass until another turn has begun and somebody is asked in it."""
    number = game.turn_number
    while game.turn_number == number:
        game.act("pass")


def kinds(cards):
    """Kinds of cards, without seasons, in alphabetical order."""
    return sorted(card.split("/")[0] for card in cards)


def life(game):
    """Life of every seat."""
    return [seat.life for seat in game.seats]


def lost(game):
    """Life that every seat is missing."""
    return [seat.max_life - seat.life for seat in game.seats]


def offered(game):
    """Characters that may be chosen."""
    return {answer.removeprefix("choose character:") for answer in game.legal()} - {"pass"}


def first_hands(character):
    """How many cards a character in seat 0 draws before the first turn, and how many as the Heroine."""
    names, seen = [character, "cirno", "kazami_yuuka", "kirisame_marisa"], {}
    for seed in range(8):
        game = Game.new(GameConfig(num_players=4, characters=names), seed=seed)
        first = next(line for line in game.log if line.startswith("seat 0") and "draws" in line)
        number = int(first.partition("draws ")[2].split()[0])
        assert seen.setdefault(game.seat(0).role == "heroine", number) == number
    return seen[False], seen[True]


def pass_until(game, question, seat=None):
    """Everybody passes until the question (of the seat, if one is given) is asked."""
    for _ in range(300):
        if game.question == question and seat in (None, game.asking):
            return
        game.act("pass")
    raise AssertionError(f"{question!r} is never asked")


def box_without(*cards):
    """Every physical card of the Main deck, `shoot/spring`, but those named."""
    rest = [f"{card.id}/{season}" for card in MAIN_CARDS for season in card.seasons.split()]
    for card in cards:
        rest.remove(card)
    return rest
