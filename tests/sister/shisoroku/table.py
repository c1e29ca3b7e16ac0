"""Tables of Shisouroku for tests: what each seat has is said, nothing else lies with it."""

from danmaku_env.sister.shisoroku import Scenario, ShisorokuConfig
from danmaku_env.sister.shisoroku.cards import box

COIN, RICE, SAKE, ONE, THREE, SIX, MINUS = "osaisen", "hounoumai", "omiki", "hakurei", "kirinomizuumi", "koumakan", "minus"


def table(*, seats, kingdom=(), players=None, supply=None, trash=(), turn=None, seed=0, **options):
    """A game at the first question of seat 0: `seats` are descriptions as `Scenario.seat` takes them, seats without one have nothing.

    The kingdom is every kingdom card that is named anywhere, and those of `kingdom`, filled up to ten.
    """
    players = players or max(2, len(seats))
    named = [card for seat in seats for zone in seat.values() if not isinstance(zone, int) for card in zone]
    cards = dict.fromkeys([*kingdom, *named, *trash, *(supply or {})])
    wanted = [card for card in cards if card in box.KINGDOM_IDS]
    if any(card in box.PRIZE_IDS for card in cards) and "in-01" not in wanted:
        wanted.append("in-01")
    if any(card in box.CHIREI_IDS for card in cards):
        options["start"] = "chirei"
    scene = Scenario(players, kingdom=wanted, **options) if wanted else Scenario(ShisorokuConfig(num_players=players, **options))
    for index in range(players):
        scene.seat(index, **(seats[index] if index < len(seats) else {}))
    return scene.supply(supply or {}).trash(trash).turn(**(turn or {})).build(seed)


def play(card, hand=(), *, others=(), players=None, **mine):
    """The game after seat 0 has played a card: `hand` lies beside it, `others` are descriptions of the other seats."""
    options = {name: mine.pop(name) for name in ("kingdom", "supply", "trash", "turn", "seed", "ask_order", "ask_forced") if name in mine}
    game = table(seats=[{"hand": [card, *hand], **mine}, *others], players=players, **options)
    game.act(f"play {card}")
    return game


def act(game, *answers):
    """Give answers in turn; returns the game."""
    for answer in answers:
        game.act(answer)
    return game


def buy(game, card):
    """Have the seat whose turn it is buy a card, from its question for actions, resources or purchases."""
    while game.question == "action":
        game.act("pass")
    game.act(f"buy {card}")
    return game


def end_turn(game):
    """Pass until the turn of this seat is over."""
    number = game.turn_number
    while not game.over and game.turn_number == number:
        game.act("pass" if "pass" in game.legal() else game.legal()[0])
    return game
