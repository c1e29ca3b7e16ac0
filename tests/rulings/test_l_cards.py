"""Rulings of section L about the cards of Lunatic Extra, each as a question that could come up at a table."""

from danmaku_env.cards.box import BASE_GAME
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
    """L-19: with no Main-deck card left to draw, and none in hand, one goes on top of the Lunatic deck."""
    rest = [f"{card.id}/{season}" for card in BASE_GAME.all_cards for season in card.seasons.split()]
    rest.remove("voile/autumn")
    game = scene().seat(0, hand="voile/autumn interrupt/winter full_power").seat(1, hand=rest).deck(only="").build()
    game.act("play voile")
    assert (game.question, game.legal()) == ("card", ["choose card:full_power", "choose card:interrupt"])
    game.act("choose card:interrupt")
    assert (game.lunatic_deck[0], game.deck, kinds(game.seat(0).hand)) == ("interrupt/winter", [], ["full_power"])


def test_l29_interrupt_does_not_cancel_a_revenge_shot():
    """L-29: a reaction card is no action card, and Interrupt cancels none."""
    game = scene().seat(0, hand="shoot interrupt").seat(1, hand="revenge_shot").build()
    act(game, "play shoot", "choose seat:1")
    pass_until(game, "attacked", 1)
    game.act("play revenge_shot")
    assert (game.question, game.seat(0).life) == ("main", 3)


def test_s6_the_revised_party_looks_at_its_cards():
    """S-6: so Great Barrier Weakening gives its player the closing card from the discard pile, not one of those dealt out."""
    for expansion in ("none", "lunatic_extra"):
        start = table.scene(expansion=expansion).seat(0, hand="party").incident("great_barrier_weakening").discard("stopwatch")
        game = start.deck("voile tempest mini_hakkero kourindou").build()
        game.act("play party")
        assert ("choose card:stopwatch" in game.legal()) == (expansion == "none")
        while game.question == "aside":
            game.act(game.legal()[-1])
        assert len(game.seat(0).hand) == 2
        assert expansion == "none" or "stopwatch/winter" in game.seat(0).hand
