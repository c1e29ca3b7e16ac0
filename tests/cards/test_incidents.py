"""One test or more per incident, in box order. The first line of a docstring says what is printed, in our words."""

import pytest

from tests.table import act, box_without, kinds, life, pass_until, scene

AUTUMN = [card for card in box_without() if card.endswith("/autumn")]


def incident_step(name, *, players=4, deck="", turns=1, **heroine):
    """The Heroine in seat 0 is about to have her incident step, with this incident on top of its deck."""
    heroine.setdefault("hand", "grimoire")
    start = scene(players, turns).seat(0, role="heroine", **heroine).turn(0, step="incident")
    return start.incident_deck(top=name).deck(deck)


# ---------------------------------------------------------------- Crisis of Faith


def test_crisis_of_faith_makes_a_new_heroine():
    """Everybody but the Heroine flips in turn until autumn; that player and the Heroine exchange roles, the new Heroine gains 1 life."""
    start = incident_step("crisis_of_faith", life=5, deck="power/winter power/spring shoot/summer graze/autumn")
    game = start.seat(1, role="ex_boss", life=2).seat(2, role="stage_boss").build()  # seats 1, 2, 3, then 1 again
    assert game.discard == ["power/winter", "power/spring", "shoot/summer", "graze/autumn"]
    assert [game.seat(seat).role for seat in range(4)] == ["ex_boss", "heroine", "stage_boss", "stage_boss"]
    assert game.seat(1).role_revealed
    assert game.seat(1).life == 3
    assert game.seat(1).max_life == 5
    assert game.seat(0).life == 4  # clamped, and no card drawn for it
    assert len(game.seat(0).hand) == 3  # Grimoire and the draw step
    assert not game.seat(0).role_revealed
    assert game.incident is None
    assert game.incident_deck[-1] != "crisis_of_faith"


def test_crisis_of_faith_starts_with_the_current_player():
    """Everybody but the Heroine flips in turn until autumn; the current player first."""
    start = scene().seat(0, role="heroine").seat(2, hand="grimoire").turn(2, step="incident")
    game = start.incident_deck(top="crisis_of_faith").deck("power/autumn").build()
    assert game.seat(2).role == "heroine"


def test_crisis_of_faith_tells_the_role_to_the_two_players_only():
    """The exchanged role is known to the old and the new Heroine only."""

    def game(role):
        start = incident_step("crisis_of_faith", players=6, deck="power/autumn").seat(1, role=role)
        start.seat(2, role="stage_boss").seat(3, role="stage_boss").seat(4, role="partner").seat(5, role="ex_boss")
        return start.build()

    final_boss, challenger = game("final_boss"), game("challenger")
    assert final_boss.seat(0).role == "final_boss"
    for seat in (2, 3, 4, 5):
        assert (final_boss.observe(seat) == challenger.observe(seat)).all()
    for seat in (0, 1):
        assert (final_boss.observe(seat) != challenger.observe(seat)).any()


def test_crisis_of_faith_moves_a_revealed_boss_face_up():
    """The roles are exchanged; one that lay open stays open, with its bonuses."""
    start = incident_step("crisis_of_faith", deck="power/autumn").seat(1, role="ex_boss_revealed", life=5)
    game = start.seat(2, role="stage_boss", defeated=True).build()
    assert game.seat(0).role == "ex_boss_revealed"
    assert game.seat(0).role_revealed
    assert game.seat(0).max_life == 5
    assert game.seat(1).life == 5  # already full
    assert len(game.seat(0).hand) == 4  # Grimoire, two cards and the Extra Boss's third


def test_crisis_of_faith_revives_the_role_of_a_defeated_heroine():
    """Everybody flips until autumn and exchanges roles with the Heroine, even a defeated one; then goals are looked at again."""
    start = scene(5).seat(0, role="heroine", defeated=True).seat(1, role="final_boss").seat(2, role="partner")
    start.seat(3, role="stage_boss", defeated=True).seat(4, role="ex_boss", defeated=True)
    game = start.turn(1, step="incident").incident_deck(top="crisis_of_faith").deck("power/autumn").build()
    assert game.over
    assert game.winners == [1, 2]
    assert game.seat(0).role == "final_boss"
    assert game.seat(0).defeated


def test_crisis_of_faith_without_autumn_is_just_over():
    """Everybody but the Heroine flips in turn until autumn, unless there is none."""
    game = incident_step("crisis_of_faith", hand="focus/summer").seat(1, hand=AUTUMN).build()
    assert game.incident is None
    assert game.seat(0).role == "heroine"
    assert game.discard == []


def test_crisis_of_faith_flips_no_card_twice():
    """The flips go round the table but are one effect: its cards lie aside until it is over, also when the deck runs out (K-8)."""
    for seed in range(8):
        deck, discard = ["power/winter", "power/spring"], ["graze/spring", "shoot/autumn", "bomb/summer"]
        start = scene().seat(0, role="heroine", hand="grimoire/summer").seat(3, hand=box_without(*deck, *discard, "grimoire/summer"))
        start.deck(deck).discard(discard).turn(0, step="incident").incident_deck(top="crisis_of_faith")
        game = start.build(seed)
        flips = [event.card for event in game.log.events if event.word == "flip"]
        assert flips[:2] == deck
        assert len(set(flips)) == len(flips) <= 5
        assert flips[-1] == "shoot/autumn"
        assert [seat.role for seat in game.seats].index("heroine") == 1 + (len(flips) - 1) % 3


# ---------------------------------------------------------------- Crossing to Higan


def test_crossing_to_higan_puts_everybody_in_range_until_a_defeat():
    """Everybody is in range of everybody, until somebody is defeated."""
    start = scene(6).seat(0, role="heroine", hand="shoot grimoire").seat(3, role="ex_boss", items="focus", life=1)
    game = start.incident("crossing_to_higan").deck("graze").build()
    assert game.in_range(0, 3)
    act(game, "play shoot", "choose seat:3")
    assert game.seat(3).defeated
    assert game.incident is None
    assert not game.in_range(0, 4)


# ---------------------------------------------------------------- Endless Party


def test_endless_party_gives_everybody_a_card_in_each_incident_step():
    """Everybody draws 1 in each incident step."""
    game = incident_step("endless_party").build()
    assert [len(game.seat(seat).hand) for seat in range(4)] == [4, 1, 1, 1]
    assert game.incident == "endless_party"


def test_endless_party_ends_when_the_deck_is_rebuilt():
    """Everybody draws 1 in each incident step, until the Main deck is rebuilt."""
    deck = ["shoot/spring", "shoot/winter", "graze/winter"]
    rest = box_without(*deck, "grimoire/summer")
    game = scene().seat(0, role="heroine", hand="grimoire/summer").incident("endless_party").turn(0, step="incident")
    game = game.deck(deck).discard(rest).build()
    assert game.incident is None
    assert [len(game.seat(seat).hand) for seat in range(4)] == [4, 1, 1, 1]  # the round of draws is finished
    assert game.discard == []
    assert len(game.deck) == 80 - 7


# ---------------------------------------------------------------- Eternal Night


def test_eternal_night_frees_danmaku_and_collects_them():
    """Danmaku cards are unlimited. The top card of each incident step and discarded danmaku cards are collected, 12 in all."""
    game = incident_step("eternal_night", hand="shoot shoot shoot grimoire", deck=["graze/spring", *["power"] * 4]).build()
    assert game.collected == ["graze/spring"]
    assert game.seat(0).danmaku_limit == 99
    act(game, "play shoot", "choose seat:1", "pass", "play shoot", "choose seat:1", "pass")
    assert game.seat(1).life == 2
    assert kinds(game.collected) == ["graze", "shoot", "shoot"]
    act(game, "play grimoire")
    assert kinds(game.discard) == ["grimoire"]


def test_eternal_night_is_over_with_the_twelfth_card():
    """Danmaku cards are unlimited; 12 cards are collected in all."""
    start = scene().seat(0, role="heroine", hand="shoot shoot shoot", danmaku_played=5)
    game = start.incident("eternal_night", collected=["shoot"] * 10).build()
    act(game, "play shoot", "choose seat:1", "choose card:shoot", "pass")  # one thrown in, one played
    assert game.incident is None
    assert kinds(game.discard) == ["shoot"] * 12
    assert game.over  # the last Shoot is over the limit again


def test_eternal_night_stays_with_eleven_cards():
    """Danmaku cards are unlimited; 12 cards are collected in all."""
    game = scene().seat(0, hand="shoot shoot").incident("eternal_night", collected=["shoot"] * 10).build()
    act(game, "play shoot", "choose seat:1", "pass")
    assert game.incident == "eternal_night"
    assert kinds(game.collected) == ["shoot"] * 11
    assert "play shoot" in game.legal()


# ---------------------------------------------------------------- Five Impossible Requests


def test_five_impossible_requests_renews_the_hand():
    """In the incident step you discard your hand and draw as many cards; the draw step takes place as usual."""
    game = incident_step("five_impossible_requests", hand="focus graze", deck=["power"] * 4).seat(1, hand="bomb").build()
    assert kinds(game.seat(0).hand) == ["power"] * 4
    assert kinds(game.seat(1).hand) == ["bomb"]
    assert kinds(game.discard) == ["focus", "graze"]
    assert game.incident == "five_impossible_requests"


def test_five_impossible_requests_ends_with_an_artifact():
    """In the incident step you discard your hand and draw as many cards. One artifact is collected."""
    game = incident_step("five_impossible_requests", hand="stopwatch graze", deck=["power"] * 4).build()
    assert game.incident is None
    assert kinds(game.discard) == ["graze", "stopwatch"]
    assert kinds(game.seat(0).hand) == ["power"] * 4


def test_five_impossible_requests_keeps_the_artifact_until_its_action_is_over():
    """It is over after its action: the cards drawn in place of the hand, reshuffled from the discard pile, are not the artifact (I-16)."""
    for seed in range(6):
        hand, deck = ["stopwatch/winter", "mini_hakkero/summer", "graze/winter"], ["focus/summer"]
        start = scene().seat(0, role="heroine", hand=hand).seat(3, hand=box_without(*hand, *deck)).deck(deck)
        game = start.incident("five_impossible_requests").turn(0, step="incident").build(seed)
        told = game.log.above()
        over = told.events.index(next(event for event in told.events if event.word == "resolved"))
        drawn = [event.card for event in told.events[:over] if event.word == "draw"]
        assert sorted(drawn) == ["focus/summer", "graze/winter", "stopwatch/winter"]  # the other artifact, Mini-Hakkero, was collected
        assert [event.card for event in told.events if event.word == "collect"] == ["mini_hakkero/summer"]
    assert game.incident is None


# ---------------------------------------------------------------- Great Barrier Weakening


def test_great_barrier_weakening_gives_the_first_card_from_the_discard_pile():
    """A player's first card drawn in a turn comes from the top of the discard pile."""
    start = scene(turns=2).seat(0, role="heroine").incident("great_barrier_weakening").turn(0, step="draw")
    start.deck("power/winter power/spring").discard("focus/summer focus/autumn stopwatch")
    game = start.build()
    assert game.seat(0).hand == ["focus/summer", "power/winter"]
    assert game.discard == ["stopwatch/winter", "focus/autumn"]
    game.act("pass")
    assert game.turn == 1
    assert game.seat(1).hand == ["focus/autumn", "power/spring"]


def test_great_barrier_weakening_concerns_each_player_once_a_turn():
    """A player's first card drawn in a turn comes from the discard pile, whatever makes the player draw."""
    start = scene().seat(0, role="heroine", hand="shoot shoot grimoire", items="stopwatch").incident("great_barrier_weakening")
    game = start.deck("power/winter power/spring").discard("focus/summer focus/autumn").build()
    act(game, "play shoot", "choose seat:1", "pass")
    assert game.seat(1).hand == ["focus/summer"]
    act(game, "play shoot", "choose seat:1")
    assert game.seat(1).hand == ["focus/summer", "power/winter"]
    act(game, "play grimoire")
    assert len(game.seat(0).hand) == 2
    assert any(card.startswith("shoot/") for card in game.seat(0).hand)  # her own first card this turn: the second Shoot


def test_great_barrier_weakening_starts_afresh_each_turn():
    """A player's first card drawn in a turn, one's own or another's, comes from the discard pile."""
    start = scene(turns=2).seat(0, role="heroine").seat(1, hand="melee").incident("great_barrier_weakening").turn(0, step="draw")
    start.deck("power/winter focus/autumn").discard("focus/summer graze/winter graze/spring")
    game = start.build()
    act(game, "pass", "play melee", "choose seat:0")
    assert game.seat(0).hand == ["focus/summer", "graze/spring", "power/winter"]
    assert game.discard == ["melee/winter"]


def test_great_barrier_weakening_draws_from_the_deck_without_a_discard_pile():
    """A player's first card drawn in a turn comes from the top of the discard pile, if there is one."""
    start = scene(turns=9).seat(0, role="heroine").incident("great_barrier_weakening").turn(0, step="draw")
    assert start.deck("power/winter power/spring").build().seat(0).hand == ["power/spring", "power/winter"]


def test_great_barrier_weakening_collects_invocations():
    """3 invocation cards are collected; Bomb is one even when it cancels."""
    start = scene().seat(0, role="heroine", hand="shoot").seat(1, hand="bomb")
    game = start.incident("great_barrier_weakening", collected="spiritual_attack").build()
    act(game, "play shoot", "choose seat:1", "play bomb")
    assert kinds(game.collected) == ["bomb", "spiritual_attack"]
    game = start.incident("great_barrier_weakening", collected="spiritual_attack capture_spell_card").build()
    act(game, "play shoot", "choose seat:1", "play bomb")
    assert game.incident is None
    assert kinds(game.discard) == ["bomb", "capture_spell_card", "shoot", "spiritual_attack"]


# ---------------------------------------------------------------- Great Fairy Wars


def test_great_fairy_wars_makes_everybody_pay():
    """On entering everybody else, and in the incident step you, discard a danmaku card or lose 1 life."""
    start = incident_step("great_fairy_wars", hand="laser_shot", deck="power power focus focus")
    start.seat(1, hand="shoot graze").seat(2, hand="melee").seat(3, hand="graze")
    game = start.build()
    assert (game.asking, game.question, game.legal()) == (1, "discard", ["pass", "choose card:shoot"])
    game.act("choose card:shoot")
    assert game.asking == 2
    game.act("pass")  # may keep the danmaku card and lose life
    assert game.asking == 0
    game.act("choose card:laser_shot")
    assert life(game) == [5, 4, 3, 3]
    assert kinds(game.seat(3).hand) == ["graze", "power"]  # a card for the lost life
    assert kinds(game.collected) == ["laser_shot", "shoot"]


def test_great_fairy_wars_can_be_survived_with_a_one_up():
    """Losing life to it opens the same rescue as any other loss."""
    game = incident_step("great_fairy_wars").seat(1, life=1).seat(2, hand="one_up").deck(["power"] * 3).build()
    game.act("pass")
    assert (game.asking, game.question) == (2, "rescue")
    game.act("play one_up")
    assert not game.seat(1).defeated


def test_great_fairy_wars_ends_with_the_ninth_danmaku_card():
    """9 danmaku cards are collected."""
    start = scene().seat(0, role="heroine", hand="seal_away").seat(1, items="focus")
    game = start.incident("great_fairy_wars", collected=["shoot"] * 8).build()
    act(game, "play seal_away", "choose seat:1", "pass")
    assert game.incident is None
    assert kinds(game.discard) == ["seal_away"] + ["shoot"] * 8


def test_great_fairy_wars_takes_nothing_but_danmaku():
    """Discard a danmaku card or lose 1 life: another action card, a dodge or a healing card is none, and is not collected either."""
    game = incident_step("great_fairy_wars", hand="grimoire graze one_up spiritual_attack focus").seat(1, hand="shoot graze").build()
    assert (game.asking, game.legal()) == (1, ["pass", "choose card:shoot"])
    game.act("pass")
    assert life(game) == [4, 3, 3, 3]  # the Heroine had nothing to discard
    game.act("play grimoire")
    assert kinds(game.discard) == ["grimoire"]
    assert game.collected == []


def test_great_fairy_wars_stays_with_eight_danmaku_cards():
    """9 danmaku cards are collected."""
    game = scene().seat(0, hand="shoot grimoire").incident("great_fairy_wars", collected=["shoot"] * 7).build()
    act(game, "play shoot", "choose seat:1")
    assert game.incident == "great_fairy_wars"
    assert len(game.collected) == 8


# ---------------------------------------------------------------- Lily White


@pytest.mark.parametrize(("season", "left", "stays"), [("spring", 2, True), ("summer", 5, False), ("autumn", 5, True), ("winter", 5, True)])
def test_lily_white_flips(season, left, stays):
    """Flip in the incident step: summer ends the incident, spring costs you 3 life."""
    game = incident_step("lily_white", deck=[f"power/{season}"]).build()
    assert game.seat(0).life == left
    assert (game.incident == "lily_white") is stays
    assert game.discard == [f"power/{season}"]


def test_lily_white_draws_for_the_life_really_lost():
    """Spring costs 3 life: from 2 life only 2, so 2 cards; a 1UP makes it 1 life."""
    deck = ["shoot/spring", "power/winter", "one_up/winter", "focus/summer"]
    game = incident_step("lily_white", life=2, deck=deck).build()
    assert (game.asking, game.question) == (0, "rescue")
    assert kinds(game.seat(0).hand) == ["grimoire", "one_up", "power"]
    game.act("play one_up")
    assert game.seat(0).life == 1


# ---------------------------------------------------------------- Overdrive


def test_overdrive_sells_the_spell_card_for_a_life():
    """You may pay 1 life to activate your Spell Card in its normal timing."""
    start = scene().seat(0, "patchouli_knowledge", role="heroine", items="power").incident("overdrive")
    game = start.deck(["focus"] * 2 + ["power"]).build()
    assert game.legal() == ["pass", "spell overdrive"]
    act(game, "spell overdrive", "pass")
    assert game.seat(0).life == 4
    assert kinds(game.seat(0).hand) == ["focus", "focus", "power"]  # one for the life, two for the Spell Card
    assert kinds(game.seat(0).items) == ["power"]  # no powerup lost
    assert "spell overdrive" not in game.legal()


def test_overdrive_takes_the_last_life_and_obeys_timing():
    """You may pay 1 life, also the last, to activate your Spell Card in its normal timing."""
    start = scene().seat(0, role="heroine", hand="shoot").seat(1, "hong_meiling", life=1, hand="one_up")
    game = start.incident("overdrive").build()
    act(game, "play shoot", "choose seat:1")
    assert game.legal() == ["pass", "spell overdrive"]
    game.act("spell overdrive")
    pass_until(game, "rescue", 1)
    assert game.seat(0).life == 4  # the counterattack came all the same
    game.act("play one_up")
    assert game.seat(1).life == 1


def test_overdrive_collects_dodge_cards():
    """6 dodge cards are collected."""
    start = scene().seat(0, role="heroine", hand="shoot").seat(1, hand="graze")
    game = start.incident("overdrive", collected=["graze"] * 5).build()
    act(game, "play shoot", "choose seat:1", "play graze")
    assert game.incident is None
    assert kinds(game.discard) == ["graze"] * 6 + ["shoot"]


def test_overdrive_takes_nothing_but_dodge_cards():
    """6 dodge cards are collected: a danmaku card, another reaction or an item is none."""
    start = scene().seat(0, hand="shoot seal_away grimoire", items="power").seat(1, hand="bomb", items="focus")
    game = start.incident("overdrive", collected=["graze"] * 5).build()
    act(game, "play shoot", "choose seat:3", "pass", "play bomb")
    act(game, "play seal_away", "choose seat:1", "choose card:focus")
    assert kinds(game.discard) == ["bomb", "focus", "seal_away", "shoot"]
    assert game.incident == "overdrive"


def test_overdrive_stays_with_five_dodge_cards():
    """6 dodge cards are collected."""
    game = scene().seat(0, hand="shoot grimoire").seat(1, hand="graze").incident("overdrive", collected=["graze"] * 4).build()
    act(game, "play shoot", "choose seat:1", "play graze")
    assert game.incident == "overdrive"
    assert kinds(game.collected) == ["graze"] * 5


# ---------------------------------------------------------------- Rekindle Blazing Hell


def test_rekindle_blazing_hell_fills_hands():
    """On entering everybody, and in the incident step you, draw up to max hand size."""
    start = incident_step("rekindle_blazing_hell", hand="grimoire focus").seat(1, hand=["graze"] * 6)
    game = start.seat(2, hand="shoot", items="sorcerers_sutra_scroll").build()
    assert [len(game.seat(seat).hand) for seat in range(4)] == [7, 6, 7, 4]  # seat 0: 5, and two of the draw step


def test_rekindle_blazing_hell_fills_hands_from_the_current_player_on():
    """On entering everybody draws up to max hand size, in turn order (I-11); then you do, who have nothing left to draw."""
    deck = "bomb/spring bomb/summer focus/summer focus/autumn graze/spring graze/summer"
    start = scene().seat(2, hand="shoot shoot").seat(3, role="heroine", hand="shoot shoot shoot").seat(0, hand="shoot shoot")
    game = start.seat(1, hand="shoot shoot shoot").turn(2, step="incident").incident_deck(top="rekindle_blazing_hell").deck(deck).build()
    assert {"bomb/spring", "bomb/summer"} < set(game.seat(2).hand)
    assert {"focus/summer", "focus/autumn"} < set(game.seat(3).hand)
    assert {"graze/spring", "graze/summer"} < set(game.seat(0).hand)


def test_rekindle_blazing_hell_fills_the_current_hand_each_turn():
    """In the incident step you draw up to max hand size."""
    game = scene().seat(0, role="heroine").incident("rekindle_blazing_hell").turn(0, step="incident").seat(1, hand="graze").build()
    assert len(game.seat(0).hand) == 7
    assert len(game.seat(1).hand) == 1


def test_rekindle_blazing_hell_collects_summer():
    """6 summer cards are collected."""
    start = scene().seat(0, role="heroine", hand="grimoire/autumn grimoire/summer")
    game = start.incident("rekindle_blazing_hell", collected=["shoot/summer"] * 5).build()
    act(game, "play grimoire")
    assert game.legal() == ["choose season:summer", "choose season:autumn"]
    game.act("choose season:autumn")
    assert game.incident == "rekindle_blazing_hell"
    act(game, "play grimoire")
    assert game.incident is None
    assert len(game.discard) == 7


# ---------------------------------------------------------------- Saigyou Ayakashi Blooming


def test_saigyou_ayakashi_blooming_costs_a_life():
    """You lose 1 life in the incident step; it is no attack."""
    game = incident_step("saigyou_ayakashi_blooming", items="power", hand="graze", deck="focus").build()
    assert life(game) == [4, 4, 4, 4]
    assert kinds(game.seat(0).items) == ["power"]
    assert len(game.seat(0).hand) == 4


def test_saigyou_ayakashi_blooming_collects_winter():
    """6 winter cards are collected."""
    start = scene().seat(0, role="heroine", hand="kourindou shoot/winter")
    game = start.incident("saigyou_ayakashi_blooming", collected="power/winter graze/winter shoot/winter bomb/winter").build()
    act(game, "play kourindou", "choose card:shoot")
    assert game.incident is None  # the fifth as a cost, the sixth when Kourindou is done
    assert len(game.discard) == 6


def test_saigyou_ayakashi_blooming_stays_with_five_cards():
    """6 winter cards are collected; those of other seasons are not."""
    start = scene().seat(0, hand="shoot/winter grimoire")
    game = start.incident("saigyou_ayakashi_blooming", collected="power/winter graze/winter shoot/winter bomb/winter").build()
    act(game, "play shoot", "choose seat:1")
    assert game.incident == "saigyou_ayakashi_blooming"
    assert len(game.collected) == 5
    act(game, "play grimoire")
    assert (kinds(game.discard), len(game.collected)) == (["grimoire"], 5)


# ---------------------------------------------------------------- Scarlet Weather Rhapsody


@pytest.mark.parametrize(
    ("season", "hands"),
    [
        ("spring", [["bomb"], ["focus"], ["power"], ["grimoire"]]),
        ("summer", [["graze", "grimoire"], ["focus"], ["power"], ["bomb"]]),
        ("autumn", [["focus"], ["grimoire"], ["power"], ["bomb"]]),
        ("winter", [[], ["focus"], ["power"], ["bomb"]]),
    ],
)
def test_scarlet_weather_rhapsody_flips(season, hands):
    """Spring exchanges your hand with the right neighbour, autumn with the left one, summer draws 1, winter discards 1 at random."""
    start = incident_step("scarlet_weather_rhapsody", deck=[f"shoot/{season}", "graze", "stopwatch", "voile"])
    game = start.seat(1, hand="focus").seat(2, hand="power").seat(3, hand="bomb").build()
    drawn = {"summer": ["stopwatch", "voile"]}.get(season, ["graze", "stopwatch"])
    assert kinds(game.seat(0).hand) == sorted(hands[0] + drawn)
    assert [kinds(game.seat(seat).hand) for seat in (1, 2, 3)] == hands[1:]
    assert f"shoot/{season}" in game.collected


def test_scarlet_weather_rhapsody_takes_one_card_in_winter():
    """Winter discards 1 at random, of however many."""
    game = incident_step("scarlet_weather_rhapsody", hand="focus graze bomb power", deck="shoot/winter").build()
    assert len(game.seat(0).hand) == 4 - 1 + 2  # and two of the draw step
    assert len(game.collected) + len(game.discard) == 2  # that card, and the one flipped


def test_scarlet_weather_rhapsody_skips_defeated_neighbours():
    """Spring exchanges your hand with the active neighbour on the right."""
    start = incident_step("scarlet_weather_rhapsody", deck="shoot/spring").seat(3, role="ex_boss", defeated=True)
    game = start.seat(2, hand="focus focus").build()
    assert kinds(game.seat(2).hand) == ["grimoire"]


def test_scarlet_weather_rhapsody_takes_two_of_each_season():
    """2 cards of every season are collected; surplus cards are not taken."""
    start = scene().seat(0, role="heroine", hand="grimoire/summer grimoire/autumn")
    collected = ["shoot/spring", "shoot/spring", "shoot/summer", "shoot/summer", "shoot/autumn", "graze/winter", "graze/winter"]
    game = start.incident("scarlet_weather_rhapsody", collected=collected).build()
    act(game, "play grimoire", "choose season:summer")
    assert game.discard == ["grimoire/summer"]
    assert len(game.collected) == 7
    game.act("play grimoire")
    assert game.incident is None
    assert len(game.discard) == 9


# ---------------------------------------------------------------- Spring Snow


def test_spring_snow_forbids_spell_cards():
    """Nobody can activate Spell Cards, by whatever means; the cancelling half of Bomb remains."""
    hand = ["bomb", "spiritual_attack", "shoot", "graze"]
    start = scene().seat(0, "patchouli_knowledge", role="heroine", hand=hand, items="mini_hakkero")
    game = start.seat(1, hand="bomb").incident("spring_snow").build()
    assert game.legal() == ["pass", "play shoot"]
    act(game, "play shoot", "choose seat:1", "play bomb")
    assert game.seat(1).life == 4


def test_spring_snow_collects_spring():
    """6 spring cards are collected."""
    start = scene().seat(0, role="heroine", hand="shoot/spring")
    game = start.incident("spring_snow", collected=["graze/spring"] * 3 + ["shoot/spring"] * 2).build()
    act(game, "play shoot", "choose seat:1")
    assert game.incident is None
    assert sorted(game.discard) == ["graze/spring"] * 3 + ["shoot/spring"] * 3


# ---------------------------------------------------------------- Undefined Fantastic Object


def test_undefined_fantastic_object_shows_three_cards():
    """Reveal 3 cards in the incident step; you may take a powerup, invocation or healing card, the rest is collected."""
    game = incident_step("undefined_fantastic_object", deck="power graze bomb focus focus").build()
    assert (game.asking, game.legal()) == (0, ["pass", "choose card:bomb", "choose card:power"])
    game.act("choose card:bomb")
    assert kinds(game.seat(0).hand) == ["bomb", "focus", "focus", "grimoire"]
    assert kinds(game.collected) == ["graze", "power"]
    assert game.discard == []


def test_undefined_fantastic_object_counts_its_own_cards_only():
    """The rest of the revealed cards is collected, 12 in all; ordinary discards are not."""
    game = incident_step("undefined_fantastic_object", deck="power shoot one_up").build()
    game.act("pass")
    assert kinds(game.collected) == ["one_up", "power", "shoot"]
    act(game, "play grimoire")
    assert len(game.collected) == 3
    assert kinds(game.discard) == ["grimoire"]


def test_undefined_fantastic_object_shows_its_cards_to_all():
    """Reveal 3 cards: everybody sees which, and sees which one is taken."""

    def others_see(deck):
        game = incident_step("undefined_fantastic_object", deck=deck).build()
        return [game.observe(seat).tolist() for seat in (1, 2, 3)]

    assert others_see("power/spring graze/spring bomb/spring") != others_see("power/spring graze/spring one_up/autumn")


def test_undefined_fantastic_object_offers_three_types():
    """You may take a powerup, invocation or healing card: no defense card or artifact, and which copy of it makes no difference."""
    game = incident_step("undefined_fantastic_object", deck="focus/summer one_up/winter stopwatch/winter").build()
    assert game.legal() == ["pass", "choose card:one_up"]
    game = incident_step("undefined_fantastic_object", deck="power/spring power/winter graze/spring").build()
    assert game.legal() == ["pass", "choose card:power"]
    game.act("choose card:power")
    assert game.question == "main"


def test_undefined_fantastic_object_ends_with_the_twelfth_card():
    """12 cards are collected in all; those revealed beyond them are discarded."""
    start = scene().seat(0, role="heroine", hand="grimoire").turn(0, step="incident").deck("shoot graze melee")
    game = start.incident("undefined_fantastic_object", collected=["power"] * 6 + ["bomb"] * 2).build()
    game.act("pass")
    assert len(game.collected) == 11
    assert game.incident == "undefined_fantastic_object"
    game = start.incident("undefined_fantastic_object", collected=["power"] * 6 + ["bomb"] * 4).build()
    game.act("pass")
    assert game.incident is None
    assert kinds(game.discard) == ["bomb"] * 4 + ["graze", "melee"] + ["power"] * 6 + ["shoot"]


# ---------------------------------------------------------------- Voyage to Makai


def test_voyage_to_makai_stops_healing_and_rescue():
    """Nobody gains life and nobody is brought back from 0 life."""
    start = scene().seat(0, role="heroine", life=2, hand="one_up grimoire shoot")
    game = start.seat(1, role="stage_boss", life=1, hand="one_up").incident("voyage_to_makai").build()
    assert game.legal() == ["pass", "play grimoire", "play shoot"]
    act(game, "play shoot", "choose seat:1")
    assert game.seat(1).defeated
    assert game.winners == []


def test_voyage_to_makai_collects_autumn():
    """6 autumn cards are collected."""
    start = scene().seat(0, role="heroine", hand="shoot/autumn")
    game = start.incident("voyage_to_makai", collected=["graze/autumn"] * 3 + ["shoot/autumn"] * 2).build()
    act(game, "play shoot", "choose seat:1")
    assert game.incident is None
    assert sorted(game.discard) == ["graze/autumn"] * 3 + ["shoot/autumn"] * 3


# ---------------------------------------------------------------- Worldly Desires


def test_worldly_desires_strips_everybody():
    """On entering everybody discards all items."""
    game = incident_step("worldly_desires", items="power").seat(2, items="focus stopwatch").build()
    assert [seat.items for seat in game.seats] == [[], [], [], []]
    assert kinds(game.collected) == ["focus", "power", "stopwatch"]
    assert game.incident == "worldly_desires"


def test_worldly_desires_can_be_over_at_once():
    """On entering everybody discards all items, even when the fourth has ended it already."""
    start = incident_step("worldly_desires", items="power power power")
    game = start.seat(2, items="focus stopwatch").build()
    assert [seat.items for seat in game.seats] == [[], [], [], []]
    assert game.incident is None
    assert kinds(game.discard) == ["focus", "power", "power", "power", "stopwatch"]


def test_worldly_desires_discards_items_instead_of_playing_them():
    """Items played later are discarded instead, without effect. 4 item cards are collected."""
    start = scene().seat(0, role="heroine", hand="sorcerers_sutra_scroll grimoire")
    game = start.incident("worldly_desires", collected=["power"] * 2).build()
    act(game, "play sorcerers_sutra_scroll")
    assert game.seat(0).items == []
    assert kinds(game.seat(0).hand) == ["grimoire"]  # nothing drawn
    assert kinds(game.collected) == ["power", "power", "sorcerers_sutra_scroll"]
    game = start.incident("worldly_desires", collected=["power"] * 3).build()
    act(game, "play sorcerers_sutra_scroll")
    assert game.incident is None
