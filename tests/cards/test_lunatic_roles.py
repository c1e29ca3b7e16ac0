"""One test or more per role card of Lunatic Extra. The first line of a docstring says what is printed, in our words."""

import pytest

from danmaku_env import ScenarioError, role_assignments
from danmaku_env.cards.box import INCIDENT_IDS, ROLE_IDS
from danmaku_env.decoding import decode
from tests.table import act, kinds, lunatic_scene, pass_until, scene


def boss_turn(role, *, step="start", turns=9, **plan):
    """The Extra Boss in seat 2 at a step of her turn, her role open, one Stage Boss defeated."""
    plan.setdefault("hand", "grimoire")
    start = lunatic_scene(turns=turns).seat(0, role="heroine").seat(1, role="stage_boss", defeated=True)
    return start.seat(2, role=role, **plan).seat(3, role="stage_boss").turn(2, step=step)


def possible_roles(game, seat=3):
    """Every role that another seat could have, as far as a seat can tell."""
    return {ROLE_IDS[role] for deal in role_assignments(game, seat).roles for role in deal}


def reveals(role, becomes, **plan):
    """An Extra Boss reveals once somebody else is defeated, and gains a life."""
    game = boss_turn(role, step="main", life=2, **plan).build()
    assert "reveal" in game.legal()
    act(game, "reveal")
    boss = game.seat(2)
    assert (boss.role, boss.role_revealed, boss.life, boss.max_life) == (becomes, True, 3, 5)
    return game


# ---------------------------------------------------------------- Phantasm Boss


def test_phantasm_boss_reveals():
    """Once somebody else is defeated: may reveal, gaining 1 life."""
    reveals("phantasm_boss", "true_phantasm_boss")


def test_phantasm_boss_takes_the_place_of_the_phantom_boss():
    """With Lunatic Extra it is dealt instead of the Phantom Boss, beside the other Extra Bosses."""
    bosses = possible_roles(lunatic_scene(4).build())
    assert "phantasm_boss" in bosses
    assert "phantom_boss" not in bosses


def test_true_phantasm_boss_resolves_the_incident_and_orders_the_deck():
    """At the start of your turn you may resolve the incident; then you order the next three and this turn has no incident step."""
    start = boss_turn("true_phantasm_boss").incident("spring_snow")
    game = start.incident_deck(top=["overdrive", "lily_white", "eternal_night"]).build()
    assert (game.asking, game.question) == (2, "may")
    act(game, "choose yes")
    assert game.incident is None
    assert sorted(game.legal()) == [f"choose incident:{name}" for name in ("eternal_night", "lily_white", "overdrive")]
    act(game, "choose incident:overdrive", "choose bottom", "choose incident:eternal_night", "choose top")
    act(game, "choose top")  # the last of them is not asked for
    pass_until(game, "main")
    assert (game.turn, game.incident) == (2, None)
    assert game.incident_deck[:2] == ["lily_white", "eternal_night"]
    assert game.incident_deck[-1] == "overdrive"
    for seat in (0, 3):
        assert not decode(game.observe(seat))["known_incidents"].any()


def test_true_phantasm_boss_looks_at_the_incident_just_resolved_when_the_deck_is_short():
    """At the start of your turn you may resolve the incident and order the next three, the discard pile being shuffled for that (X-2)."""
    discarded = [name for name in INCIDENT_IDS if name not in ("spring_snow", "overdrive")]
    start = boss_turn("true_phantasm_boss").incident("spring_snow").incident_deck(top=["overdrive"], discard=discarded)
    game = start.build()
    act(game, "choose yes")
    assert "choose incident:overdrive" in game.legal()
    assert len(game.legal()) == 3
    assert len(game.incident_deck) == len(INCIDENT_IDS) - 3


def test_true_phantasm_boss_may_leave_the_incident_alone():
    """You may resolve the incident; if not, the turn has its incident step."""
    start = boss_turn("true_phantasm_boss", life=3).incident("saigyou_ayakashi_blooming")
    game = start.build()
    act(game, "pass")
    pass_until(game, "main")
    assert (game.incident, game.seat(2).life) == ("saigyou_ayakashi_blooming", 2)


def test_true_phantasm_boss_without_an_incident_has_nothing_to_do():
    """At the start of your turn you may resolve the incident: without one there is nothing to order, and no step is skipped."""
    game = boss_turn("true_phantasm_boss").incident_deck(top=["overdrive"]).build()
    assert (game.question, game.incident) == ("main", "overdrive")


def test_true_phantasm_boss_names_one_of_several_incidents():
    """You may resolve the incident: of several the one you name; the others are in play, but do not act in this turn (I-23)."""
    start = boss_turn("true_phantasm_boss", life=3).incidents(
        {"urban_legend_outbreak": [], "saigyou_ayakashi_blooming": [], "overdrive": []}
    )
    game = start.build()
    act(game, "choose yes", "choose incident:overdrive")
    while game.question != "main":
        game.act(game.legal()[0])
    assert game.incidents == ["urban_legend_outbreak", "saigyou_ayakashi_blooming"]
    assert game.seat(2).life == 3


# ---------------------------------------------------------------- Secret Boss


def test_secret_boss_reveals():
    """Once somebody else is defeated: may reveal, gaining 1 life."""
    reveals("secret_boss", "secret_boss_discovered")


def test_secret_boss_is_one_of_the_extra_bosses_dealt():
    """An Extra Boss like the others: everybody reckons with it."""
    assert "secret_boss" in possible_roles(lunatic_scene(4).build())
    assert "secret_boss" not in possible_roles(scene(4).build())


def test_secret_boss_discovered_draws_a_lunatic_card_instead():
    """A card of your draw step may come from the Lunatic deck."""
    start = boss_turn("secret_boss_discovered", step="draw").deck("power/winter power/spring").lunatic_deck("lunatic_focus")
    game = start.build()
    assert (game.asking, game.question) == (2, "deck")
    act(game, "choose deck:lunatic")
    assert sorted(game.seat(2).hand)[1:] == ["lunatic_focus/autumn", "power/winter"]


def test_secret_boss_discovered_and_lunar_wars_swap_a_card_each():
    """A card of your draw step may come from the Lunatic deck, and another while Lunar Wars is in play (L-22)."""
    start = boss_turn("secret_boss_discovered", step="draw").incident("lunar_wars").lunatic_deck("lunatic_focus lunatic_voile")
    game = start.build()
    act(game, "choose deck:lunatic", "choose deck:lunatic")
    assert kinds(game.seat(2).hand) == ["grimoire", "lunatic_focus", "lunatic_voile"]
    game = start.build()
    act(game, "choose deck:lunatic", "choose deck:main")
    assert game.question == "main"
    assert int(game.record["lunatic_in_hand"][2]) == 1


def test_secret_boss_discovered_alone_is_asked():
    """A card of *your* draw step: nobody is asked in those of others."""
    game = boss_turn("secret_boss_discovered").turn(3, step="draw").seat(3, role="stage_boss", hand="grimoire").build()
    assert (game.asking, game.question) == (3, "main")


def test_crisis_of_faith_moves_the_secret_boss_with_its_power():
    """A boss that lay open is exchanged with its bonuses: the former Heroine draws from the Lunatic deck."""
    start = lunatic_scene(turns=1).seat(0, role="heroine", hand="grimoire", life=5).seat(1, role="secret_boss_discovered", life=5)
    start.seat(2, role="stage_boss", defeated=True).seat(3, role="stage_boss").turn(0, step="incident")
    game = start.incident_deck(top="crisis_of_faith").deck("power/autumn").build()
    assert [game.seat(seat).role for seat in (0, 1)] == ["secret_boss_discovered", "heroine"]
    assert (game.asking, game.question, game.seat(0).max_life) == (0, "deck", 5)


def test_crisis_of_faith_moves_the_phantasm_boss_with_its_power():
    """A boss that lay open is exchanged with its bonuses: the former Heroine may resolve incidents."""
    start = lunatic_scene(turns=9).seat(0, role="heroine", hand="grimoire").seat(1, role="true_phantasm_boss")
    start.seat(2, role="stage_boss", defeated=True).seat(3, role="stage_boss").turn(0, step="incident")
    game = start.incident_deck(top=["crisis_of_faith", "spring_snow"]).deck("power/autumn").build()
    assert [game.seat(seat).role for seat in (0, 1)] == ["true_phantasm_boss", "heroine"]
    pass_until(game, "may")
    assert (game.asking, game.turn, game.incident) == (0, 0, "spring_snow")


@pytest.mark.parametrize("role", ["phantasm_boss", "secret_boss"])
def test_a_role_of_the_expansion_is_refused_in_the_base_game(role):
    """Roles of the expansion come with the expansion."""
    with pytest.raises(ScenarioError, match=f"'{role}' is a role of Lunatic Extra; play with"):
        scene().seat(2, role=role).build()
