"""Rulings X: decks, piles, hidden information. `test_x9_...` asks what ruling X-9 answers."""

from tests.table import act, box_without, kinds, pass_until, scene


def test_x1_draws_fail_when_no_card_is_left():
    """X-1: deck and discard pile empty: draws and flips fail, a failed flip has no season."""
    box = box_without("supernatural_border/spring", "shoot/winter")
    start = scene().seat(0, role="heroine", hand="shoot/winter").seat(1, items="supernatural_border/spring").seat(2, hand=box)
    game = start.build()
    act(game, "play shoot", "choose seat:1")
    pass_until(game, "discard")
    assert game.seat(1).life == 3
    assert game.seat(1).hand == []


def test_x2_the_deck_is_rebuilt_only_when_a_card_is_needed():
    """X-2: an empty deck stays empty; the card being played is not shuffled in."""
    deck = ["focus/autumn", "focus/summer"]
    rest = box_without(*deck, "grimoire/summer", "grimoire/autumn")
    start = scene().seat(0, role="heroine", hand="grimoire/summer grimoire/autumn").deck(deck).discard(rest)
    game = start.build()
    act(game, "play grimoire")
    assert game.deck == []
    assert len(game.discard) == 77
    act(game, "play grimoire")
    assert len(game.deck) == 75
    assert kinds(game.discard) == ["grimoire"]


def test_x2_looking_at_more_cards_than_are_left():
    """X-2: the rest is taken, the discard pile reshuffled, and looking goes on."""
    deck = ["focus/autumn"]
    start = scene().seat(0, role="heroine", hand="master_plan/autumn").deck(deck)
    game = start.discard(box_without("master_plan/autumn", *deck)).build()
    act(game, "play master_plan", "choose deck:main")
    assert game.question == "aside"
    assert "choose card:focus" in game.legal()
    assert len(game.deck) == 80 - 1 - 3
    assert game.discard == []


def test_x4_the_discard_pile_is_ordered():
    """X-4: in the order of play, the last on top."""
    game = scene().seat(0, role="heroine", hand="grimoire kourindou").deck(["power"] * 3).build()
    act(game, "play grimoire", "play kourindou", "choose card:power", "pass")
    assert [card.split("/")[0] for card in game.discard] == ["grimoire", "power", "kourindou"]


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


def test_x6_what_voile_puts_back_is_private():
    """X-6: only the player knows the card on top."""
    start = scene().seat(0, role="heroine", hand="voile focus/autumn power/winter").deck("graze graze grimoire")
    game = start.build()
    game.act("play voile")
    other = game.clone()
    game.act("choose card:focus")
    other.act("choose card:power")
    for seat in (1, 2, 3):
        assert (game.observe(seat) == other.observe(seat)).all()
    assert (game.observe(0) != other.observe(0)).any()


def test_x7_exchanged_hands_stay_known_to_who_gave_them():
    """X-7: both players know what they passed on, the others do not."""

    def game(card):
        start = scene().seat(0, role="heroine", hand=[card]).turn(0, step="incident").incident("scarlet_weather_rhapsody")
        return start.seat(1, hand="grimoire/summer").deck("shoot/autumn focus/summer power/winter").build()

    one, other = game("graze/spring"), game("bomb/spring")
    assert one.seat(1).hand == ["graze/spring"]
    assert (one.observe(0) != other.observe(0)).any()
    assert (one.observe(2) == other.observe(2)).all()


def test_x8_a_random_discard_is_the_games_own_chance():
    """X-8: the same seed takes the same card, and over several seeds it is not always the same."""

    def taken(seed):
        start = scene().seat(0, hand="bomb focus graze power shoot").turn(0, step="incident").incident("scarlet_weather_rhapsody")
        game = start.deck("voile/autumn").deck("shoot/winter").build(seed=seed)
        return kinds(set(game.discard) | set(game.collected) - {"shoot/winter"})

    assert taken(3) == taken(3)
    assert len({tuple(taken(seed)) for seed in range(8)}) > 2


def test_x9_each_card_goes_to_either_end():
    """X-9: individually and in any order."""
    start = scene().seat(0, role="heroine", hand="master_plan").deck("focus/summer power/winter graze/spring")
    game = start.build()
    act(game, "play master_plan", "choose deck:main", "choose card:power", "choose bottom", "choose card:graze", "choose bottom")
    act(game, "choose bottom")
    assert game.deck[-3:] == ["power/winter", "graze/spring", "focus/summer"]


def test_x10_with_two_players_left_both_neighbours_are_the_same():
    """X-10: spring and autumn exchange hands with the one other player."""
    for season in ("spring", "autumn"):
        start = scene().seat(0, role="heroine", hand="grimoire").turn(0, step="incident").incident("scarlet_weather_rhapsody")
        start.seat(1, role="stage_boss", defeated=True).seat(2, role="stage_boss", hand="focus focus")
        game = start.seat(3, role="ex_boss", defeated=True).deck([f"shoot/{season}"]).build()
        assert kinds(game.seat(2).hand) == ["grimoire"]


def test_x1_keine_names_no_end_of_the_deck_for_a_card_that_she_has_not():
    """X-1: both piles are empty and so is her hand: nothing is drawn, nothing put back, nothing asked."""
    start = scene(4, 2).seat(0, "kamishirasawa_keine").seat(2, hand=box_without()).turn(0, step="draw")
    start.deck_plan = {"top": (), "only": []}
    assert start.build().question != "end"
