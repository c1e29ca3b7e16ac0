"""Goals and powers of every role, dealing, defeat and victory. The first line of a docstring says what is printed, in our words."""

from collections import Counter

import pytest

from danmaku_env import Game, GameConfig
from tests.table import act, box_without, kinds, pass_until, scene


def court(*roles, hit=(), turn=0, hand="laser_shot grimoire", turns=1, step="main", **seats):
    """A table with these roles, "-role" for a defeated player; the current player holds the hand, seats of `hit` have 1 life."""
    start = scene(len(roles), turns).turn(turn, step=step)
    for seat, role in enumerate(roles):
        more = dict(seats.get(f"seat{seat}", {}))
        if role.startswith("-"):
            more["defeated"] = True
        if seat in hit:
            more["life"] = 1
        if seat == turn:
            more.setdefault("hand", hand)
        start.seat(seat, role=role.removeprefix("-"), **more)
    return start


def fell(game, *victims):
    """The current player defeats a player with Laser Shot, or everybody hit with Last Word; nobody comes to the rescue."""
    if len(victims) == 1:
        game.act("play laser_shot")
        if game.question == "target":
            game.act(f"choose seat:{victims[0]}")
    else:
        game.act("play last_word")
    while not game.seat(victims[0]).defeated:
        game.act("pass")
    assert all(game.seat(victim).defeated for victim in victims)


# ---------------------------------------------------------------- dealing

GROUPS = {
    4: {"stage": 2, "extra": 1},
    5: {"partner": 1, "stage": 2, "extra": 1},
    6: {"partner": 1, "stage": 3, "extra": 1},
    7: {"partner": 2, "stage": 3, "extra": 1},
    8: {"partner": 2, "stage": 3, "extra": 1, "rival": 1},
}
GROUP_OF = {
    "heroine": "heroine", "rival": "rival", "partner": "partner", "ex_midboss": "partner", "one_true_partner": "partner",
    "stage_boss": "stage", "final_boss": "stage", "challenger": "stage", "anti_heroine": "stage",
    "ex_boss": "extra", "phantom_boss": "extra",
}  # fmt: skip


@pytest.mark.parametrize("players", GROUPS)
def test_dealing_by_player_count(players):
    """These numbers of Partners, Stage Bosses and Extra Bosses are dealt, and each player knows her own role and the Heroine."""
    dealt = set()
    for seed in range(12):
        game = Game.new(GameConfig(num_players=players, characters="none"), seed=seed)
        roles = [seat.role for seat in game.seats]
        assert Counter(GROUP_OF[role] for role in roles) == {"heroine": 1, **GROUPS[players]}
        assert [seat.role_revealed for seat in game.seats] == [role == "heroine" for role in roles]
        assert Counter(roles)["ex_midboss"] <= 1
        dealt.update(roles)
    assert ("one_true_partner" in dealt) <= (players >= 7)
    assert ("final_boss" in dealt) == (players >= 5)
    assert {"ex_boss", "phantom_boss"} <= dealt


def test_dealing_basic_roles():
    """The first game: plain Partners, plain Stage Bosses, EX Boss."""
    game = Game.new(GameConfig(num_players=8, characters="none", roles="basic"), seed=3)
    assert Counter(seat.role for seat in game.seats) == {"heroine": 1, "rival": 1, "partner": 2, "stage_boss": 3, "ex_boss": 1}


def test_dealing_without_ex_midboss():
    """S-7: the EX Midboss may be left out below 7 players."""
    for seed in range(20):
        config = GameConfig(num_players=5, characters="none", ex_midboss_from=7)
        assert "ex_midboss" not in [seat.role for seat in Game.new(config, seed=seed).seats]
    config = GameConfig(num_players=5, characters="none")
    assert any("ex_midboss" in [seat.role for seat in Game.new(config, seed=seed).seats] for seed in range(20))


# ---------------------------------------------------------------- Heroine


def test_heroine_wins_with_her_partner_when_every_boss_is_defeated():
    """Every Stage Boss and Extra Boss is defeated."""
    game = court("heroine", "partner", "-stage_boss", "challenger", "-ex_boss", hit=[3]).build()
    fell(game, 3)
    assert game.outcome == "won"
    assert game.winners == [0, 1]
    assert game.rewards() == [1.0, 1.0, -1.0, -1.0, -1.0]
    assert all(seat.role_revealed for seat in game.seats)


def test_heroine_does_not_win_while_a_boss_is_left():
    """Every Stage Boss and Extra Boss is defeated."""
    game = court("heroine", "partner", "-stage_boss", "challenger", "ex_boss", hit=[3]).build()
    fell(game, 3)
    assert game.outcome == "running"
    game = court("heroine", "partner", "-stage_boss", "challenger", "ex_boss", hit=[4]).build()
    fell(game, 4)
    assert game.outcome == "running"


def test_heroine_has_more_life_and_cards_and_the_first_turn():
    """+1 max life, +1 max hand size, first turn."""
    game = Game.new(GameConfig(num_players=6, characters="none"), seed=5)
    heroine = next(seat for seat in game.seats if seat.role == "heroine")
    assert (heroine.life, heroine.max_life, heroine.max_hand) == (5, 5, 5)
    others = [seat for seat in game.seats if seat.index != heroine.index]
    assert {(seat.life, seat.max_hand, len(seat.hand)) for seat in others} == {(4, 4, 4)}
    assert game.turn == heroine.index
    assert heroine.role_revealed


def test_heroine_defeated_wins_with_her_partner():
    """Every Stage Boss and Extra Boss is defeated; a defeated Heroine wins when an active Partner does (R-3)."""
    game = court("-heroine", "partner", "final_boss", "-stage_boss", "-ex_boss", hit=[2], turn=1).build()
    fell(game, 2)
    assert game.winners == [0, 1]


# ---------------------------------------------------------------- Rival

EIGHT = ("heroine", "rival", "partner", "one_true_partner", "stage_boss", "final_boss", "challenger", "ex_boss")


def test_rival_takes_over_from_the_defeated_heroine():
    """Take over from the defeated Heroine, before anybody can win by her defeat, and gain 1 life."""
    game = court(*EIGHT, hit=[0], turn=4, seat1={"life": 2}).build()
    fell(game, 0)
    assert game.outcome == "running"  # the plain Stage Boss has not won
    assert game.seat(1).role == "heroine"
    assert game.seat(1).role_revealed
    assert (game.seat(1).life, game.seat(1).max_life, game.seat(1).max_hand) == (3, 5, 5)
    assert game.seat(0).role == ""


def test_rival_shares_the_goal_of_the_heroine_she_became():
    """Take over from the defeated Heroine, then share her goal; the former Heroine keeps no role and cannot win."""
    roles = ["-", "heroine", "partner", "-partner", "-stage_boss", "final_boss", "-challenger", "-ex_boss"]
    game = court(*roles, hit=[5], turn=1).build()
    fell(game, 5)
    assert game.winners == [1, 2, 3]


def test_rival_does_not_win_with_the_living_heroine():
    """Take over from the defeated Heroine: while she lives, the Rival loses with her victory."""
    roles = ["heroine", "rival", "partner", "-partner", "-stage_boss", "final_boss", "-challenger", "-ex_boss"]
    game = court(*roles, hit=[5]).build()
    fell(game, 5)
    assert game.winners == [0, 2, 3]


def test_rival_falling_with_the_heroine_does_not_take_over():
    """Take over from the defeated Heroine, unless defeated at the same time (R-5)."""
    game = court(*EIGHT, hit=[0, 1], turn=4, hand="last_word").build()
    fell(game, 0, 1)
    assert game.outcome == "won"
    assert game.winners == [4]
    assert game.seat(0).role == "heroine"
    assert game.seat(1).role == "rival"


def test_rival_defeated_first_makes_the_fall_of_the_heroine_decisive():
    """Goals need Heroine and Rival defeated, in either order (R-6)."""
    game = court("heroine", "-rival", *EIGHT[2:], hit=[0], turn=4).build()
    fell(game, 0)
    assert game.winners == [4]
    game = court("heroine", "rival", *EIGHT[2:], hit=[1], turn=4).build()
    fell(game, 1)
    assert game.outcome == "running"


# ---------------------------------------------------------------- Partner


def test_partner_wins_like_the_heroine():
    """Every Stage Boss and Extra Boss is defeated."""
    game = court("heroine", "partner", "-stage_boss", "-challenger", "ex_boss", hit=[4], turn=1).build()
    fell(game, 4)
    assert game.winners == [0, 1]


def test_partner_defeated_shares_her_fate_with_the_heroine():
    """When a Partner is defeated, the Heroine loses all items and all but 2 hand cards of her choice, and cannot answer."""
    heroine = {"items": ["power", "focus"], "hand": ["bomb", "graze", "graze", "one_up"]}
    game = court("heroine", "partner", "stage_boss", "challenger", "ex_boss", hit=[1], turn=2, seat0=heroine).build()
    act(game, "play laser_shot", "choose seat:1", "pass", "pass")  # neither Bomb nor 1UP is used
    assert game.seat(1).defeated
    assert game.seat(0).items == []
    assert (game.asking, game.question, game.legal()) == (0, "discard", ["choose card:one_up", "choose card:bomb", "choose card:graze"])
    act(game, "choose card:graze", "choose card:graze")
    assert kinds(game.seat(0).hand) == ["bomb", "one_up"]


def test_partner_falling_with_the_heroine_strips_nobody():
    """When a Partner is defeated, the Heroine loses items and cards; not the Rival who takes over in the same moment (A-9)."""
    rival = {"items": ["focus"], "hand": ["graze", "graze", "shoot"]}
    game = court(*EIGHT, hit=[0, 2], turn=4, hand="last_word grimoire", seat1=rival).deck("power power power power stopwatch").build()
    act(game, "play last_word")
    while not game.seat(0).defeated:
        game.act("pass")
    assert game.seat(1).role == "heroine"
    assert kinds(game.seat(1).items) == ["focus"]
    assert kinds(game.seat(1).hand) == ["graze", "graze", "shoot", "stopwatch"]  # the Stopwatch for the life Last Word took


# ---------------------------------------------------------------- EX Midboss


def test_ex_midboss_reveals_when_the_extra_boss_falls():
    """Reveals when the Extra Boss is defeated, and has to be defeated too."""
    game = court("heroine", "ex_midboss", "-stage_boss", "-challenger", "ex_boss", hit=[4]).build()
    assert not game.seat(1).role_revealed
    fell(game, 4)
    assert game.outcome == "running"
    assert game.seat(1).role_revealed
    assert game.seat(1).life == 4  # no bonus
    game = court("heroine", "ex_midboss", "-stage_boss", "-challenger", "-ex_boss", hit=[1]).build()
    fell(game, 1)
    assert game.winners == [0]


def test_ex_midboss_wins_with_the_extra_boss():
    """Every Stage Boss and the Heroine are defeated."""
    game = court("heroine", "ex_midboss", "-stage_boss", "-challenger", "ex_boss", hit=[0], turn=1).build()
    fell(game, 0)
    assert game.winners == [1, 4]
    game = court("heroine", "-ex_midboss", "-stage_boss", "-challenger", "ex_boss", hit=[0], turn=4).build()
    fell(game, 0)
    assert game.winners == [1, 4]


def test_ex_midboss_has_no_shared_fate():
    """Not a Partner for Shared Fate: her defeat strips nobody."""
    heroine = {"items": ["power"], "hand": ["graze", "graze", "graze"]}
    game = court("heroine", "ex_midboss", "stage_boss", "challenger", "ex_boss", hit=[1], turn=2, seat0=heroine).build()
    fell(game, 1)
    assert kinds(game.seat(0).items) == ["power"]
    assert len(game.seat(0).hand) == 3


def test_ex_midboss_is_an_extra_boss_and_a_partner_for_others():
    """Counts as an Extra Boss for the Challenger and as a Partner for the Final Boss, revealed or not (R-7, R-8)."""
    game = court("heroine", "ex_midboss", "challenger", "final_boss", "-ex_boss", hit=[0], turn=2).build()
    fell(game, 0)
    assert game.outcome == "running"  # the Challenger waits for the EX Midboss, the Final Boss for a Partner
    game = court("-heroine", "ex_midboss", "challenger", "final_boss", "-ex_boss", hit=[1], turn=2).build()
    fell(game, 1)
    assert game.winners == [2, 3]
    game = court("heroine", "-ex_midboss", "-challenger", "final_boss", "ex_boss", hit=[0], turn=3).build()
    fell(game, 0)
    assert game.winners == [3]


# ---------------------------------------------------------------- One True Partner

SEVEN = ("heroine", "partner", "one_true_partner", "stage_boss", "final_boss", "challenger", "ex_boss")


def test_one_true_partner_loses_beside_another_partner():
    """Every other Partner, Stage Boss and Extra Boss is defeated: the others win without her (R-10)."""
    game = court("heroine", "partner", "one_true_partner", "-stage_boss", "-final_boss", "challenger", "-ex_boss", hit=[5]).build()
    fell(game, 5)
    assert game.winners == [0, 1]


def test_one_true_partner_wins_when_the_other_partner_is_dead():
    """Every other Partner, Stage Boss and Extra Boss is defeated; the dead Partner wins with the Heroine (R-3)."""
    game = court("heroine", "-partner", "one_true_partner", "-stage_boss", "-final_boss", "challenger", "-ex_boss", hit=[5], turn=2).build()
    fell(game, 5)
    assert game.winners == [0, 1, 2]


def test_one_true_partner_without_the_heroine():
    """The Heroine's survival is not needed: One True Partner, EX Boss and Challenger are left."""
    roles = ["-heroine", "-partner", "one_true_partner", "-stage_boss", "-final_boss", "challenger", "ex_boss"]
    game = court(*roles, hit=[5, 6], turn=2, hand="last_word").build()
    fell(game, 5, 6)
    assert game.winners == [0, 1, 2]
    game = court(*roles, hit=[5], turn=2).build()
    fell(game, 5)
    assert game.winners == [6]
    game = court(*roles, hit=[6], turn=2).build()
    fell(game, 6)
    assert game.winners == [3, 4, 5]  # the Challenger, and Stage Bosses who died for it


def test_one_true_partner_shares_her_fate_with_the_heroine():
    """When she is defeated, the Heroine loses as with a Partner."""
    game = court(*SEVEN, hit=[2], turn=3, seat0={"items": ["power"], "hand": ["graze", "graze"]}).build()
    fell(game, 2)
    assert game.seat(0).items == []
    assert kinds(game.seat(0).hand) == ["graze", "graze"]


# ---------------------------------------------------------------- Stage Bosses


def test_stage_boss_wins_by_the_defeat_of_the_heroine():
    """The Heroine is defeated; whoever did it."""
    game = court("heroine", "partner", "stage_boss", "stage_boss", "ex_boss", hit=[0], turn=4).build()
    fell(game, 0)
    assert game.winners == [2, 3]


def test_stage_boss_defeated_wins_with_another():
    """The Heroine is defeated: a defeated Stage Boss wins when an active one does (R-3)."""
    game = court("heroine", "-stage_boss", "stage_boss", "ex_boss", hit=[0], turn=2).build()
    fell(game, 0)
    assert game.winners == [1, 2]


def test_stage_boss_defeated_does_not_win_with_the_extra_boss():
    """The Heroine is defeated: true for dead Stage Bosses too, but their team has no active winner (R-3)."""
    game = court("heroine", "-stage_boss", "-stage_boss", "ex_boss", hit=[0], turn=3).build()
    fell(game, 0)
    assert game.winners == [3]


def test_final_boss_needs_the_heroine_and_a_partner():
    """The Heroine and a Partner are defeated."""
    game = court("heroine", "partner", "final_boss", "-challenger", "ex_boss", hit=[0], turn=2).build()
    fell(game, 0)
    assert game.outcome == "running"
    game = court("-heroine", "partner", "final_boss", "-challenger", "ex_boss", hit=[1], turn=2).build()
    fell(game, 1)
    assert game.winners == [2]


def test_challenger_needs_the_heroine_and_the_extra_boss():
    """The Heroine and the Extra Boss are defeated, in whichever order (R-1)."""
    game = court("heroine", "partner", "-stage_boss", "challenger", "ex_boss", hit=[0], turn=3).build()
    fell(game, 0)
    assert game.outcome == "running"
    game = court("-heroine", "partner", "-final_boss", "challenger", "ex_boss", hit=[4], turn=3).build()
    fell(game, 4)
    assert game.winners == [3]
    game = court("heroine", "partner", "-final_boss", "challenger", "-ex_boss", hit=[0], turn=3).build()
    fell(game, 0)
    assert game.winners == [3]


def test_challenger_and_extra_boss_fight_on_alone():
    """R-4: nobody satisfied, the game continues; each needs the other's defeat."""
    roles = ["heroine", "-partner", "-anti_heroine", "challenger", "ex_boss"]
    game = court(*roles, hit=[0], turn=3).build()
    fell(game, 0)
    assert game.outcome == "running"
    game = court("-heroine", *roles[1:], hit=[3], turn=4).build()
    fell(game, 3)
    assert game.winners == [4]


def test_anti_heroine_needs_the_heroine_and_another_stage_boss():
    """The Heroine and another Stage Boss are defeated."""
    game = court("heroine", "partner", "anti_heroine", "challenger", "ex_boss", hit=[0], turn=2).build()
    fell(game, 0)
    assert game.outcome == "running"
    game = court("-heroine", "partner", "anti_heroine", "challenger", "ex_boss", hit=[3], turn=2).build()
    fell(game, 3)
    assert game.winners == [2]


# ---------------------------------------------------------------- EX Boss


def test_ex_boss_wins_as_the_last_of_all_bosses():
    """Every Stage Boss and the Heroine are defeated, in whichever order."""
    game = court("heroine", "-stage_boss", "-stage_boss", "ex_boss", hit=[0], turn=3).build()
    fell(game, 0)
    assert game.winners == [3]
    game = court("-heroine", "-partner", "-anti_heroine", "challenger", "ex_boss", hit=[3], turn=4).build()
    fell(game, 3)
    assert game.winners == [4]


def test_ex_boss_reveals_once_somebody_else_is_defeated():
    """Once somebody else is defeated: may reveal, gaining 1 life; nobody can answer."""
    game = court("heroine", "stage_boss", "stage_boss", "ex_boss", turn=3).build()
    assert "reveal" not in game.legal()
    game = court("heroine", "-stage_boss", "stage_boss", "ex_boss", turn=3).build()
    assert "reveal" in game.legal()
    game.act("reveal")
    assert game.seat(3).role == "ex_boss_revealed"
    assert game.seat(3).role_revealed
    assert game.seat(3).life == 5
    assert (game.asking, game.question) == (3, "main")
    assert "reveal" not in game.legal()


def test_ex_boss_revealed_has_more_of_everything():
    """+1 max life, +1 max hand size, one card more in the draw step."""
    game = court("heroine", "-stage_boss", "stage_boss", "ex_boss_revealed", turn=3, step="draw").build()
    assert (game.seat(3).max_life, game.seat(3).max_hand) == (5, 5)
    assert len(game.seat(3).hand) == 5
    assert game.seat(3).role_revealed


def test_ex_boss_revealed_keeps_the_goal():
    """Every Stage Boss and the Heroine are defeated; and others still need her defeat."""
    game = court("heroine", "-stage_boss", "-stage_boss", "ex_boss_revealed", hit=[0], turn=3).build()
    fell(game, 0)
    assert game.winners == [3]
    game = court("heroine", "-stage_boss", "-stage_boss", "ex_boss_revealed", hit=[3]).build()
    fell(game, 3)
    assert game.winners == [0]


def test_ex_boss_revealed_does_not_win_while_a_stage_boss_is_left():
    """Every Stage Boss and the Heroine are defeated: with a Stage Boss left the game goes on, and that one wins it."""
    game = court("heroine", "-partner", "anti_heroine", "-challenger", "ex_boss_revealed", hit=[0], turn=4).build()
    fell(game, 0)
    assert game.winners == [2]
    game = court("heroine", "-partner", "challenger", "-stage_boss", "ex_boss_revealed", hit=[0], turn=4).build()
    fell(game, 0)
    assert not game.over


def test_ex_boss_saves_herself_at_zero():
    """Once somebody else is defeated: may reveal, gaining 1 life, also at 0 life (R-13)."""
    game = court("heroine", "-stage_boss", "stage_boss", "ex_boss", hit=[3]).build()
    act(game, "play laser_shot", "choose seat:3")
    pass_until(game, "rescue", 3)
    game.act("reveal")
    assert game.seat(3).life == 1
    assert not game.seat(3).defeated


def test_ex_boss_first_to_fall_cannot_save_herself():
    """Once somebody else is defeated: not while nobody is, nor by somebody falling in the same moment (R-13)."""
    game = court("heroine", "stage_boss", "stage_boss", "ex_boss", hit=[1, 3], hand="last_word grimoire").build()
    act(game, "play last_word")
    assert game.seat(3).defeated
    assert game.seat(1).defeated


def test_ex_boss_gains_no_life_under_makai():
    """May reveal, gaining 1 life: under Voyage to Makai she gains none, and falls (I-15)."""
    game = court("heroine", "-stage_boss", "stage_boss", "ex_boss", hit=[3]).incident("voyage_to_makai").build()
    act(game, "play laser_shot", "choose seat:3")
    pass_until(game, "rescue", 3)
    game.act("reveal")
    assert game.seat(3).defeated
    assert game.seat(3).role == "ex_boss_revealed"


# ---------------------------------------------------------------- Phantom Boss


def test_phantom_boss_reveals_and_wins_like_the_ex_boss():
    """Every Stage Boss and the Heroine are defeated. Once somebody else is defeated: may reveal, gaining 1 life."""
    game = court("heroine", "stage_boss", "stage_boss", "phantom_boss", turn=3).build()
    assert "reveal" not in game.legal()
    game = court("heroine", "-stage_boss", "-stage_boss", "phantom_boss", hit=[0], turn=3, seat3={"life": 2}).build()
    game.act("reveal")
    assert game.seat(3).role == "true_phantom_boss"
    assert (game.seat(3).life, game.seat(3).max_life, game.seat(3).max_hand) == (3, 5, 4)
    fell(game, 0)
    assert game.winners == [3]


def test_true_phantom_boss_resolves_and_fetches_an_incident():
    """At the start of your turn you may resolve the incident and fetch the next one; you may skip your incident step."""
    start = court("heroine", "-stage_boss", "stage_boss", "true_phantom_boss", turn=3, step="start", turns=3, seat0={"hand": ["focus"]})
    game = start.incident("spring_snow", collected="shoot/spring").build()
    assert (game.asking, game.question) == (3, "may")
    game.act("choose yes")
    assert game.incident is None
    assert "shoot/spring" in game.discard
    assert game.question == "incident"
    assert "choose incident:spring_snow" not in game.legal()  # the discard pile is out of reach
    game.act("choose incident:lily_white")
    assert game.incident_deck[0] == "lily_white"
    assert (game.asking, game.question) == (3, "may")  # skip the incident step?
    game.act("choose yes")
    assert game.incident is None
    assert len(game.seat(3).hand) == 4  # the draw step takes place
    game.act("pass")
    assert game.incident == "lily_white"


def test_true_phantom_boss_does_not_win_while_a_stage_boss_is_left():
    """Every Stage Boss and the Heroine are defeated: with a Stage Boss left the game goes on."""
    game = court("heroine", "-partner", "challenger", "-stage_boss", "true_phantom_boss", hit=[0], turn=4).build()
    fell(game, 0)
    assert not game.over
    game = court("-heroine", "-partner", "challenger", "-stage_boss", "true_phantom_boss", hit=[2], turn=4).build()
    fell(game, 2)
    assert game.winners == [4]


def test_true_phantom_boss_may_do_neither():
    """You may resolve the incident; you may skip your incident step."""
    start = court("heroine", "-stage_boss", "stage_boss", "true_phantom_boss", turn=3, step="start", turns=2)
    game = start.incident("saigyou_ayakashi_blooming").build()
    act(game, "pass", "pass")
    assert game.incident == "saigyou_ayakashi_blooming"
    assert game.seat(3).life == 4


def test_true_phantom_boss_without_an_incident_has_nothing_to_fetch():
    """At the start of your turn you may resolve the incident: without one there is no search; the step may be skipped all the same."""
    start = court("heroine", "-stage_boss", "stage_boss", "true_phantom_boss", turn=3, step="start", turns=2)
    game = start.incident_deck(top="saigyou_ayakashi_blooming").build()
    assert (game.question, game.step) == ("may", "incident")
    game.act("choose yes")
    assert game.incident is None
    assert game.seat(3).life == 5


# ---------------------------------------------------------------- the end of a game


def test_everybody_defeated_at_once_is_a_draw():
    """R-12: all players defeated at once, nobody wins."""
    start = court("heroine", "-stage_boss", "-stage_boss", "ex_boss", hit=[0, 3], hand="spiritual_attack")
    game = start.seat(0, "reiuji_utsuho", role="heroine", life=1, hand="spiritual_attack").build()
    act(game, "play spiritual_attack")  # three attacks, then 1 life of her own
    while not game.over:
        game.act("pass")
    assert game.outcome == "draw"
    assert game.winners == []
    assert game.rewards() == [0.0] * 4


def test_the_turn_cap_ends_the_game_without_winners():
    """T-11: the environment cuts an endless game off."""
    game = scene(turns=3).seat(0, role="heroine").deck(["graze"] * 14).incident("spring_snow").build()
    pass_until(game, "none")
    assert game.over
    assert game.outcome == "truncated"
    assert game.winners == []
    assert game.turn_number == 3
    assert game.rewards() == [0.0] * 4


def test_a_player_defeated_in_her_own_turn_ends_it():
    """T-8: the remaining steps of that turn are dropped, everybody's discard step too."""
    start = court("heroine", "stage_boss", "stage_boss", "ex_boss_revealed", hit=[1], turn=1, turns=2, step="incident")
    start.seat(2, role="stage_boss", hand=["graze"] * 6).seat(1, role="stage_boss", life=1, hand="grimoire")
    game = start.incident("saigyou_ayakashi_blooming").build()
    while game.question == "rescue":
        game.act("pass")
    assert game.seat(1).defeated
    assert game.turn == 2
    assert len(game.seat(2).hand) == 9  # not trimmed: six, one for a life lost, two of the next draw step


def test_the_last_card_of_a_defeated_player_is_discarded():
    """A-8: hand and items of the defeated are discarded and the role is revealed."""
    victim = {"hand": ["graze", "bomb"], "items": ["focus"]}
    game = court("heroine", "stage_boss", "stage_boss", "ex_boss", hit=[1], seat1=victim).build()
    act(game, "play laser_shot", "choose seat:1", "pass")
    assert game.seat(1).hand == []
    assert game.seat(1).items == []
    assert kinds(game.discard) == ["bomb", "focus", "graze", "laser_shot", "power"]  # the Power was drawn for the last life
    assert game.seat(1).role_revealed
    assert game.distance(0, 2) == 1  # one seat fewer at the table
    assert sorted(game.discard + game.deck + game.seat(0).hand) == sorted(box_without())


# ---------------------------------------------------------------- Lone Wolf and Tag Team


def test_lone_wolf_reveals_and_recruits():
    """Once somebody else is defeated: may reveal, becoming Tag Team, gaining 1 life and recruiting an Extra Character."""
    table = scene(expansion="lunatic_extra").roles("lone_wolf heroine stage_boss stage_boss").seat(2, defeated=True)
    game = table.seat(0, life=3).recruits(["cirno", "kazami_yuuka"]).build()
    game.act("reveal")
    assert (game.seat(0).role, game.seat(0).max_life, game.seat(0).life, game.question) == ("tag_team", 5, 4, "character")
    game.act("choose character:cirno")
    assert game.seat(0).extras == game.seat(0).abilities == game.seat(0).spell_cards == ["cirno"]
    game = table.seat(0, life=3).seat(2).build()
    assert "reveal" not in game.legal()


def test_tag_team_leaves_with_the_role_and_the_new_holder_recruits_another():
    """+1 max life. On losing the role the Extra Character is dismissed; who gets it recruits another (L-26)."""
    table = scene(expansion="lunatic_extra", turns=3).roles("tag_team heroine stage_boss stage_boss")
    table.seat(0, extras=["cirno"]).seat(2, defeated=True).incident_deck(top=["crisis_of_faith"])
    game = table.recruits(["hakurei_reimu", "kazami_yuuka"]).deck("voile/autumn").turn(0, step="incident").build()
    assert (game.seat(0).role, game.seat(1).role) == ("heroine", "tag_team")
    assert (game.asking, game.question, game.seat(0).extras) == (1, "character", [])
    game.act("choose character:kazami_yuuka")
    assert (game.seat(1).extras, game.seat(1).max_life) == (["kazami_yuuka"], 5)
