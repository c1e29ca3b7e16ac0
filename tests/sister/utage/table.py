"""Tables of Gensou no Utage as tests set them up: a battle that stands still before the hits, and what is done in it."""

from danmaku_env.sister.utage import Game, Scenario

PLAIN = "0503"
"""A normal spell without a text: AV 3, IV 1, HV 4."""
SPREAD, CONCENTRATED = "0802", "0504"
"""Spells whose texts do nothing in these battles: spread 2/2/5, concentrated 4/2/4."""


def table(zero=None, one=None, phase="preparation", attacker=0, *, number=3, seed=0, **options):
    """A position: what seats 0 and 1 have, and where the turn stands."""
    scenario = Scenario(**options).seat(0, **(zero or {})).seat(1, **(one or {}))
    return scenario.turn(attacker, phase, number=number).build(seed)


def act(game, *answers):
    """Answer by names, or by the only legal name that begins so; a list of answers in a row."""
    for answer in answers:
        legal = game.legal()
        found = [name for name in legal if name == answer] or [name for name in legal if name.startswith(answer)]
        assert len(found) == 1, f"{answer!r} among {legal} ({game.question})"
        game.act(found[0])
    return game


def until(game, *questions):
    """Pass, or give the only answer, until one of these is asked, or the game is over."""
    while not game.over and game.question not in questions:
        legal = game.legal()
        assert "pass" in legal or len(legal) == 1, f"{game.question}: {legal}"
        game.act("pass" if "pass" in legal else legal[0])
    return game


def battle(attack, intercept=None, zero=None, one=None, attacker=0, **options):
    """Seat `attacker` attacks with a spell, the other intercepts with one or none; the table stands at the first use of the attacker."""
    zero, one = dict(zero or {}), dict(one or {})
    sides = (zero, one) if attacker == 0 else (one, zero)
    for side, spell in zip(sides, (attack, intercept), strict=True):
        if spell and spell not in side.get("reserve", ()) and spell not in side.get("active", ()):
            side["active"] = [*side.get("active", ()), spell]
    # `zero` and `one` are the seats; the attacker's spell lies on the side of whoever attacks
    game = table(zero, one, "battle", attacker, ask_forced=True, ask_everyone=True, **options)
    until(game, "attack")
    act(game, f"choose {attack} at own")
    until(game, "intercept", "act")
    if game.question == "intercept":
        act(game, f"choose {intercept} at own" if intercept else "pass")
        until(game, "act")
    return game


def over(game, border="pass"):
    """Carry the battle out: nobody uses anything more, and a border is paid or not."""
    until(game, "border", "prepare")
    while game.question == "border":
        act(game, border)
        until(game, "border", "prepare")
    return game


def values(game, seat, card):
    """(AV, IV, HV) of a card as they stand."""
    found = game.seat(seat).find(card)
    return found.av, found.iv, found.hv


def keywords(game, seat, card):
    """Keywords of a card as they stand."""
    return game.seat(seat).find(card).keywords


def evs(game):
    """EV of both leaders as they stand."""
    return game.seat(0).ev, game.seat(1).ev


def where(game, seat, card):
    """Where a card of a side is; "gone" if it is not there."""
    return next((one.where for one in game.seat(seat).field if one.id == card), "gone")


__all__ = ["CONCENTRATED", "PLAIN", "SPREAD", "Game", "act", "battle", "evs", "keywords", "over", "table", "until", "values", "where"]
