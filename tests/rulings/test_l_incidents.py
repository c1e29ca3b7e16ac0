"""Rulings I and L about the incidents of Lunatic Extra, and the rulebook's rules for several incidents."""

import pytest

from tests.table import act, kinds, lunatic_scene, pass_until


def table(turns=9, *, step="main", **heroine):
    return lunatic_scene(turns=turns).seat(0, role="heroine", **heroine).turn(0, step=step)


# ---------------------------------------------------------------- several incidents


def test_i21_the_oldest_incident_collects_first():
    """I-21: a card that two incidents want goes to the one that entered play first."""
    for oldest, other in (("spring_snow", "great_fairy_wars"), ("great_fairy_wars", "spring_snow")):
        game = table(hand="tempest shoot/spring grimoire").incidents({oldest: [], other: []}).build()
        act(game, "play tempest")
        pass_until(game, "main")
        assert (game.collected_by(oldest), game.collected_by(other)) == (["shoot/spring"], [])


def test_i21_the_oldest_incident_acts_first():
    """I-21: the life lost to the first incident draws a card that the second one discards."""
    start = table(step="incident", hand="mini_hakkero", life=3).deck("power/spring power/summer grimoire/summer")
    start.incidents({"saigyou_ayakashi_blooming": [], "scarlet_weather_rhapsody": []})
    game = start.build()
    assert [line for line in game.log if "seat 0" in line][:3] == [
        "seat 0 loses 1 life, 2 left", "seat 0 draws 1 card", "seat 0 flips Power (summer)",
    ]  # fmt: skip


def test_i21_cards_released_by_one_incident_are_not_collected_by_another():
    """I-21: what a resolved incident had collected goes straight to the discard piles."""
    spring = ["graze/spring", "power/spring", "bomb/spring", "spiritual_attack/spring", "party/spring"]
    start = table(hand="tempest shoot/spring grimoire").incidents({"spring_snow": spring, "great_fairy_wars": []})
    game = start.build()
    act(game, "play tempest")
    pass_until(game, "main")
    assert (game.incidents, game.collected) == (["great_fairy_wars"], [])
    assert {"graze/spring", "shoot/spring"} <= set(game.discard)


def test_i21_who_resolves_the_incident_names_which():
    """I-21: Master Plan resolves one of several incidents; its player names it."""
    game = table(hand="master_plan").incidents({"spring_snow": [], "overdrive": []}).build()
    act(game, "play master_plan", "choose deck:main")
    pass_until(game, "incident")
    assert (game.asking, sorted(game.legal())) == (0, ["choose incident:overdrive", "choose incident:spring_snow"])
    act(game, "choose incident:overdrive")
    assert game.incidents == ["spring_snow"]


def test_i22_crisis_of_faith_resolves_itself_and_is_collected():
    """I-22: Crisis of Faith during Urban Legend Outbreak exchanges roles, is over, and counts for the outbreak."""
    start = table(step="incident", hand="grimoire").deck("power/autumn")
    game = start.incidents({"urban_legend_outbreak": []}).incident_deck(top=["crisis_of_faith"]).build()
    assert game.seat(1).role == "heroine"
    assert (game.incidents, game.incidents_kept) == (["urban_legend_outbreak"], ["crisis_of_faith"])


def test_i22_crisis_of_faith_as_the_second_ends_the_outbreak():
    """I-22: as the second incident collected, it ends Urban Legend Outbreak and all others with it."""
    start = table(step="incident", hand="grimoire").deck("power/autumn").incident_deck(top=["crisis_of_faith"])
    game = start.incidents({"urban_legend_outbreak": ["lily_white"], "spring_snow": []}).build()
    assert game.seat(1).role == "heroine"
    assert (game.incidents, game.incidents_kept) == ([], [])


@pytest.mark.parametrize("seed", range(3))
def test_an_outbreak_can_bring_every_incident_of_the_box(seed):
    """One more incident before each incident step, until two are over: all of them may be in play together."""
    game = table(300, step="discard").incidents({"urban_legend_outbreak": []}).build(seed)
    most = 0
    while not game.over and game.turn_number < 60:
        most = max(most, len(game.incidents))
        game.act("pass" if "pass" in game.legal() else game.legal()[0])
    assert most >= 3


# ---------------------------------------------------------------- Lunatic cards


def test_l20_great_barrier_weakening_draws_from_the_main_discard_pile():
    """L-20: the first card of a turn comes from the Main discard pile, whatever lies on the Lunatic one; Lunatic draws are as ever."""
    start = table(hand="occult_ball grimoire").incident("great_barrier_weakening").discard("power/winter")
    game = start.lunatic_deck("lunatic_focus", discard="lunatic_voile/spring").build()
    act(game, "play occult_ball")
    pass_until(game, "main")
    assert "lunatic_focus/autumn" in game.seat(0).hand
    act(game, "play grimoire")
    pass_until(game, "main")
    assert "power/winter" in game.seat(0).hand or "occult_ball" in kinds(game.seat(0).hand)
    assert game.lunatic_discard == ["lunatic_voile/spring"]


def test_l21_shining_needle_castle_forbids_every_draw_from_the_lunatic_deck():
    """L-21: no exchange is offered, and what lets somebody draw Lunatic cards gives none: Occult Ball, the Secret Boss."""
    start = table(hand="occult_ball voile", items="seven_star_sword", step="draw")
    game = start.incident("shining_needle_castle").build()
    assert game.question == "main"
    assert "exchange" not in game.legal()
    act(game, "play occult_ball")
    pass_until(game, "main")
    assert not game.record["lunatic_in_hand"].any()
    start = lunatic_scene(turns=9).seat(0, role="heroine").seat(1, role="stage_boss", defeated=True).seat(3, role="stage_boss")
    game = start.seat(2, role="secret_boss_discovered", hand="grimoire").turn(2, step="draw").incident("shining_needle_castle").build()
    assert game.question == "main"


def test_l22_as_many_lunatic_cards_as_are_drawn_at_most():
    """L-22: two cards with the Secret Boss and Lunar Wars together, one where only one is drawn, none from an empty deck."""

    def boss(**plan):
        start = lunatic_scene(turns=9).seat(0, role="heroine").seat(1, role="stage_boss", defeated=True).seat(3, role="stage_boss")
        start.seat(2, "kirisame_marisa", role="secret_boss_discovered", hand="grimoire", **plan).turn(2, step="draw")
        return start.incident("lunar_wars").seat(0, role="heroine", items="power")

    game = boss().build()
    act(game, "choose seat:0")  # Marisa: an item instead of a card
    assert game.question == "deck"
    act(game, "choose deck:lunatic")
    assert game.question == "main"
    assert int(game.record["lunatic_in_hand"][2]) == 1


def test_l22_the_deck_is_named_before_any_card_is_drawn():
    """L-22: all is said before the first card is drawn; the cards of the Main deck are drawn first."""
    start = table(step="draw", hand="grimoire").incident("lunar_wars").deck("power/winter power/spring").lunatic_deck("lunatic_focus")
    game = start.build()
    before = len(game.seat(0).hand)
    assert (game.question, before) == ("deck", 1)
    act(game, "choose deck:lunatic")
    assert [line for line in game.log.of(0) if "draws" in line] == [
        "seat 0 draws 1 card: Power (winter)", "seat 0 draws 1 Lunatic card: Lunatic Focus (autumn)",
    ]  # fmt: skip
