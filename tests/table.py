"""Table situations in a few words."""

from collections import Counter

from danmaku_env import Game, GameConfig, Scenario
from danmaku_env.cards.main_deck import MAIN_CARDS

ROLES = ("stage_boss", "stage_boss", "ex_boss", "heroine", "partner", "stage_boss", "partner", "rival")
"""Roles of seats that name none: for every number of players a deal that can be."""
CALM = Counter(power=6, grimoire=2, voile=1, party=1, tempest=1, stopwatch=1, mini_hakkero=1, kourindou=1)
"""Cards nobody can answer anything with; they lie under the named top cards of the deck."""


def seat(character="", hand="", items="", **more):
    """A seat: character, hand and items as words, the rest as in `Scenario.seat`."""
    return {"character": character, "hand": hand.split(), "items": items.split(), **more}


def table(*seats, players=4, deck="", discard="", incident=None, collected="", turn=0, step="main", seed=1) -> Game:
    """A game with these seats; those not described have no character and an empty hand."""
    scenario = Scenario(num_players=players)
    plans = [*seats, *({} for _ in range(players - len(seats)))]
    given = any("role" in plan for plan in plans)
    calm = CALM.copy()
    for index, plan in enumerate(plans):
        scenario.seat(index, **({} if given else {"role": ROLES[index]}), **plan)
        calm -= Counter(card.split("/")[0] for card in [*plan.get("hand", ()), *plan.get("items", ())])
    calm -= Counter(card.split("/")[0] for card in [*deck.split(), *discard.split(), *collected.split()])
    scenario.deck(top=[*deck.split(), *calm.elements()]).discard(top=discard.split())
    scenario.incident(incident, collected=collected.split()).incident_deck(top=[] if incident == "voyage_to_makai" else ["voyage_to_makai"])
    return scenario.turn(turn, step=step).build(seed=seed)


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


def scene(players=4, turns=1):
    """A position to describe further whose game is cut off after so many turns, so that nothing happens once nobody has a choice."""
    return Scenario(num_players=players, config=GameConfig(num_players=players, characters="none", max_turns=turns))


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
