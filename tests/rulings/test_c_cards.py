"""Rulings X and C: decks, hidden information, and cards of the Main deck."""

import pytest

from tests.table import act, kinds, life, scene


def test_x5_hands_and_roles_are_hidden_the_rest_is_open():
    """X-5: another's hand and role change nothing of what one observes; a life, an item, a collected card does."""

    def observed(**seat):
        plan = {"role": "stage_boss", "hand": "graze", **seat}
        return scene().seat(0, role="heroine", hand="shoot").seat(1, **plan).seat(2, role="ex_boss").build().observe(0).tolist()

    same = observed()
    assert observed(hand="bomb") == same
    assert observed(life=3) != same
    assert observed(items="power") != same
    assert observed(hand="graze bomb") != same
    assert observed(spell_used=True) != same
    swapped = scene().seat(0, role="heroine", hand="shoot").seat(1, role="ex_boss", hand="graze").seat(2, role="stage_boss").build()
    assert swapped.observe(0).tolist() == same


def test_x8_a_random_discard_is_the_games_own_chance():
    """X-8: the same seed takes the same card, and over several seeds it is not always the same."""

    def taken(seed):
        start = scene().seat(0, hand="bomb focus graze power shoot").turn(0, step="incident").incident("scarlet_weather_rhapsody")
        game = start.deck("voile/autumn").deck("shoot/winter").build(seed=seed)
        return kinds(set(game.discard) | set(game.collected) - {"shoot/winter"})

    assert taken(3) == taken(3)
    assert len({tuple(taken(seed)) for seed in range(8)}) > 2


def test_c2_nobody_is_asked_whether_to_be_protected():
    """C-2: a third player's Graze and danmaku card save the attacked one, who keeps the own Graze."""
    game = scene().seat(2, hand="shoot").turn(2).seat(0, hand="graze shoot").seat(1, hand="graze").build()
    act(game, "play shoot", "choose seat:1", "play graze")
    assert (life(game), kinds(game.seat(1).hand), game.seat(0).hand) == ([4, 4, 4, 5], ["graze"], [])


@pytest.mark.parametrize(("first", "second"), [("focus", "supernatural_border"), ("mini_hakkero", "stopwatch")])
def test_c8_of_two_defense_cards_or_artifacts_one_goes_at_once(first, second):
    """C-8: a second one may be played; its controller says which of the two is discarded."""
    for gone, kept in ((first, second), (second, first)):
        game = scene().seat(0, hand=second, items=first).build()
        game.act(f"play {second}")
        assert (game.question, sorted(game.legal())) == ("limit", sorted([f"choose card:{first}", f"choose card:{second}"]))
        game.act(f"choose card:{gone}")
        assert (kinds(game.seat(0).items), kinds(game.discard)) == ([kept], [gone])


def test_c12_kourindou_may_take_the_whole_hand():
    """C-12: three cards discarded, four drawn."""
    game = scene().seat(0, hand="kourindou graze focus bomb").deck("power power power power").build()
    act(game, "play kourindou", "choose card:graze", "choose card:focus", "choose card:bomb")
    assert kinds(game.seat(0).hand) == ["power"] * 4
    assert kinds(game.discard) == ["bomb", "focus", "graze", "kourindou"]


def test_c13_borrow_does_not_take_ones_own_item():
    """C-13: only items of others are offered, and without one the card cannot be played."""
    game = scene().seat(0, hand="borrow", items="focus power").seat(2, items="stopwatch").build()
    game.act("play borrow")
    assert kinds(game.seat(0).items) == ["focus", "power", "stopwatch"]
    game = scene().seat(0, hand="borrow", items="focus power").build()
    assert game.legal() == ["pass"]


def test_c15_a_laser_shot_can_be_cancelled_but_not_avoided():
    """C-15: a Bomb answers it, a Graze does not."""
    start = scene().seat(0, hand="laser_shot").seat(1, hand="bomb graze")
    game = start.build()
    act(game, "play laser_shot", "choose seat:1")
    assert (game.question, game.legal()) == ("cancel", ["pass", "play bomb"])
    other = game.clone()
    game.act("play bomb")
    assert game.seat(1).life == 4
    other.act("pass")
    assert other.seat(1).life == 3
