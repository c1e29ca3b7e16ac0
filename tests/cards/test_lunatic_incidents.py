"""One test or more per incident of Lunatic Extra, in box order. The first line of a docstring says what is printed, in our words."""

from danmaku_env.decoding import decode
from tests.table import act, kinds, lunatic_scene, pass_until


def incident_step(name, *, players=4, deck="", turns=1, **heroine):
    """The Heroine in seat 0 is about to have her incident step, with this incident on top of its deck."""
    heroine.setdefault("hand", "grimoire")
    start = lunatic_scene(players, turns).seat(0, role="heroine", **heroine).turn(0, step="incident")
    return start.incident_deck(top=name).deck(deck)


def in_play(name, *, turns=1, step="main", collected="", **heroine):
    """The Heroine in seat 0 at a step of her turn, with this incident in play."""
    start = lunatic_scene(turns=turns).seat(0, role="heroine", **heroine).turn(0, step=step)
    return start.incident(name, collected=collected)


# ---------------------------------------------------------------- Dream World


def test_dream_world_switches_abilities_off():
    """Abilities of characters have no effect: passive ones, triggers and those activated; they come back with its end."""
    start = lunatic_scene(turns=9).seat(0, "patchouli_knowledge", role="heroine", hand="master_plan grimoire").turn(0)
    start.seat(1, "kawashiro_nitori", role="stage_boss", items="power").seat(2, "hong_meiling", role="stage_boss")
    game = start.incident("dream_world").build()
    assert [game.seat(seat).max_hand for seat in (0, 2)] == [5, 4]
    act(game, "play master_plan", "choose deck:main")
    while game.incident:
        game.act("pass")
    assert [game.seat(seat).max_hand for seat in (0, 2)] == [8, 7]


def test_dream_world_enters_and_abilities_are_gone():
    """Abilities have no effect from the moment it enters: Cirno has the range of anybody."""
    start = lunatic_scene(turns=9).seat(0, "cirno", role="heroine", hand="shoot").turn(0, step="incident")
    game = start.incident_deck(top="dream_world").build()
    pass_until(game, "main")
    assert (game.seat(0).range, game.in_range(0, 2)) == (1, False)
    assert lunatic_scene().seat(0, "cirno", role="heroine", hand="shoot").turn(0).build().seat(0).range == 3


def test_dream_world_leaves_spell_cards_alone():
    """Spell Cards do have an effect."""
    start = lunatic_scene(turns=9).seat(0, "patchouli_knowledge", role="heroine", hand="spiritual_attack").turn(0)
    game = start.incident("dream_world").build()
    act(game, "play spiritual_attack")
    assert game.seat(0).spell_used


def test_dream_world_collects_cards_worth_four_points_or_more():
    """5 cards worth 4 points or more are collected, from either deck."""
    game = in_play("dream_world", hand="tempest shoot bomb spiritual_attack lunatic_focus full_power", turns=9).build()
    act(game, "play tempest")
    pass_until(game, "main")
    assert kinds(game.collected) == ["bomb", "full_power"]


def test_dream_world_is_over_with_five_cards():
    """5 cards worth 4 points or more are collected."""
    start = in_play("dream_world", hand="tempest full_power grimoire", collected="bomb bomb voile laser_shot", turns=9)
    game = start.build()
    act(game, "play tempest")
    pass_until(game, "main")
    assert (game.incident, game.collected, kinds(game.lunatic_discard)) == (None, [], ["full_power"])


# ---------------------------------------------------------------- Lunar Wars


def test_lunar_wars_gives_everybody_a_lunatic_card():
    """On entering everybody draws a Lunatic card."""
    game = incident_step("lunar_wars").seat(2, role="stage_boss", defeated=True).seat(3, role="ex_boss").build()
    assert game.incident == "lunar_wars"
    assert [int(game.record["lunatic_in_hand"][seat]) for seat in range(4)] == [1, 1, 0, 1]


def test_lunar_wars_lets_a_card_of_the_draw_step_come_from_the_lunatic_deck():
    """A card of the draw step may come from the Lunatic deck; it is said before any card is drawn."""
    start = in_play("lunar_wars", step="draw").deck("power/winter power/spring").lunatic_deck("lunatic_focus lunatic_voile")
    game = start.build()
    assert (game.question, game.asking, sorted(game.legal())) == ("deck", 0, ["choose deck:lunatic", "choose deck:main"])
    act(game, "choose deck:lunatic")
    assert sorted(game.seat(0).hand) == ["lunatic_focus/autumn", "power/winter"]
    game = start.build()
    act(game, "choose deck:main")
    assert sorted(game.seat(0).hand) == ["power/spring", "power/winter"]


def test_lunar_wars_collects_eight_lunatic_cards():
    """8 Lunatic cards are collected, then they go to their own discard pile."""
    seven = "lunatic_bomb lunatic_bomb lunatic_bomb lunatic_bomb full_power interrupt interrupt"
    game = in_play("lunar_wars", hand="tempest lunatic_focus grimoire", collected=seven.split(), turns=9).build()
    act(game, "play tempest")
    pass_until(game, "main")
    assert game.incident is None
    assert len(game.lunatic_discard) == 8
    assert kinds(game.discard) == ["grimoire", "tempest"]


def test_lunar_wars_collects_no_card_of_the_main_deck():
    """8 Lunatic cards are collected, none of the Main deck."""
    game = in_play("lunar_wars", hand="tempest bomb", turns=9).build()
    act(game, "play tempest")
    pass_until(game, "main")
    assert game.collected == []


# ---------------------------------------------------------------- Shining Needle Castle


def test_shining_needle_castle_takes_lunatic_cards_from_all_hands():
    """On entering everybody discards all Lunatic cards and draws as many from the Main deck."""
    start = incident_step("shining_needle_castle", hand="grimoire lunatic_bomb lunatic_focus", deck="power power shoot graze")
    game = start.seat(1, role="stage_boss", hand="interrupt voile").seat(2, role="stage_boss").seat(3, role="ex_boss").build()
    assert kinds(game.seat(1).hand) == ["shoot", "voile"]
    assert kinds(game.collected) == ["graze"]
    assert {"power", "grimoire"} <= set(kinds(game.seat(0).hand))
    assert kinds(game.lunatic_discard) == ["interrupt", "lunatic_bomb", "lunatic_focus"]
    assert not game.record["lunatic_in_hand"].any()


def test_shining_needle_castle_collects_a_card_in_each_incident_step():
    """The top card of each incident step is collected, one more than there are active players; nothing else is."""
    start = in_play("shining_needle_castle", step="incident", hand="grimoire", collected="power power power power")
    game = start.deck("focus").build()
    assert game.incident is None
    assert kinds(game.discard) == ["focus", "power", "power", "power", "power"]
    game = in_play("shining_needle_castle", step="incident", hand="tempest", collected="power power power", turns=9).build()
    act(game, "play tempest")
    pass_until(game, "main")
    assert (game.incident, len(game.collected)) == ("shining_needle_castle", 4)


def test_shining_needle_castle_ends_when_fewer_players_are_left():
    """One card more than there are active players is enough, also when a defeat makes it so."""
    start = in_play("shining_needle_castle", hand="laser_shot", collected="power power power power", turns=9)
    game = start.seat(1, role="stage_boss", life=1).seat(2, role="stage_boss").seat(3, role="ex_boss").build()
    act(game, "play laser_shot", "choose seat:1")
    while game.incident and not game.over:
        game.act("pass")
    assert (game.seat(1).defeated, game.turn_number, game.collected) == (True, 1, [])


def test_shining_needle_castle_forbids_draws_from_the_lunatic_deck():
    """Nobody draws from the Lunatic deck, whatever says so; exchanging is not offered."""
    game = in_play("shining_needle_castle", hand="occult_ball bomb spiritual_attack", turns=9).build()
    assert "exchange" not in game.legal()
    act(game, "play occult_ball")
    pass_until(game, "main")
    assert not game.record["lunatic_in_hand"].any()


# ---------------------------------------------------------------- Urban Legend Outbreak


def outbreak(*others, turns=9, step="main", kept=(), **heroine):
    """The Heroine in seat 0, with this incident in play and others after it."""
    start = lunatic_scene(turns=turns).seat(0, role="heroine", **heroine).turn(0, step=step)
    return start.incidents({"urban_legend_outbreak": kept, **dict.fromkeys(others, ())})


def test_urban_legend_outbreak_brings_two_more_incidents():
    """On entering, the incident deck is shuffled and two more incidents enter play."""
    start = incident_step("urban_legend_outbreak").knows(1, incident_deck=[0, 1, 2])
    brought = set()
    for seed in range(4):
        game = start.build(seed)
        assert game.incidents[0] == "urban_legend_outbreak"
        assert not game.record["incident_seen"].any()
        while "incident: " not in "".join(game.log) or game.step == "incident":
            game.act(game.legal()[0])
        entered = [line.removeprefix("incident: ") for line in game.log if line.startswith("incident: ")]
        assert (entered[0], len(entered)) == ("Urban Legend Outbreak", 3)
        brought.add(tuple(entered[1:]))
    assert len(brought) > 1


def test_urban_legend_outbreak_brings_another_incident_before_each_incident_step():
    """Another incident enters play before each incident step, and acts in it."""
    start = outbreak("spring_snow", step="incident", hand="grimoire", life=3).incident_deck(top=["saigyou_ayakashi_blooming"])
    game = start.build()
    assert game.incidents == ["urban_legend_outbreak", "spring_snow", "saigyou_ayakashi_blooming"]
    assert game.seat(0).life == 2


def test_urban_legend_outbreak_brings_none_into_a_skipped_turn():
    """Another incident enters play before each incident step; a skipped turn has none (T-12)."""
    start = outbreak("spring_snow", step="discard", turns=3).seat(1, role="stage_boss", skip_next=True)
    game = start.seat(2, role="stage_boss", hand="grimoire").seat(3, role="ex_boss").incident_deck(top=["overdrive"]).build()
    pass_until(game, "main")
    assert (game.turn, game.incidents) == (2, ["urban_legend_outbreak", "spring_snow", "overdrive"])


def test_urban_legend_outbreak_collects_two_resolved_incidents():
    """2 resolved incidents are collected; then all others are over too."""
    start = outbreak("overdrive", "spring_snow", "lily_white", hand="master_plan lunatic_master_plan grimoire")
    game = start.build()
    act(game, "play master_plan", "choose deck:main", "choose deck:main")
    pass_until(game, "incident")
    assert sorted(game.legal()) == [
        f"choose incident:{name}" for name in ("lily_white", "overdrive", "spring_snow", "urban_legend_outbreak")
    ]
    act(game, "choose incident:spring_snow")
    assert game.incidents == ["urban_legend_outbreak", "overdrive", "lily_white"]
    assert game.incidents_kept == ["spring_snow"]
    while game.question != "main":
        game.act(game.legal()[0])
    act(game, "play master_plan", "choose deck:main")
    pass_until(game, "incident")
    act(game, "choose incident:lily_white")
    assert (game.incidents, game.incidents_kept) == ([], [])
    gone = {"overdrive", "spring_snow", "lily_white", "urban_legend_outbreak"}
    assert not gone & set(game.incident_deck)


def test_urban_legend_outbreak_resolved_itself_ends_all():
    """When it is resolved, every other incident is over too, and what it has collected is discarded."""
    game = outbreak("overdrive", hand="master_plan grimoire", kept=["lily_white"]).build()
    act(game, "play master_plan", "choose deck:main")
    pass_until(game, "incident")
    act(game, "choose incident:urban_legend_outbreak")
    assert (game.incidents, game.incidents_kept) == ([], [])


def test_urban_legend_outbreak_collects_crisis_of_faith_on_entering():
    """Crisis of Faith that enters with it resolves itself and is collected at once (I-22)."""
    start = outbreak("spring_snow", step="incident", hand="grimoire").incident_deck(top=["crisis_of_faith"]).deck("power/autumn")
    game = start.build()
    assert (game.incidents, game.incidents_kept) == (["urban_legend_outbreak", "spring_snow"], ["crisis_of_faith"])


def test_incidents_act_in_the_order_in_which_they_entered():
    """Several incidents act in the order they entered play; one that an earlier one's action has resolved does not act any more."""
    for order, left in (
        (("five_impossible_requests", "saigyou_ayakashi_blooming"), 3),
        (("saigyou_ayakashi_blooming", "five_impossible_requests"), 2),
    ):
        start = outbreak(*order, kept=["lily_white"], step="incident", hand="mini_hakkero", life=3).deck("power/spring")
        game = start.incident_deck(top=["overdrive"]).build()
        assert (game.incidents, game.seat(0).life) == ([], left)


def test_an_incident_that_resolves_itself_stops_no_other():
    """Several incidents act in the order they entered play, also when one of them is over with its own action."""
    start = outbreak("lily_white", "saigyou_ayakashi_blooming", step="incident", hand="grimoire", life=3)
    game = start.incident_deck(top=["overdrive"]).deck("power/summer").build()
    assert game.incidents == ["urban_legend_outbreak", "saigyou_ayakashi_blooming", "overdrive"]
    assert (game.seat(0).life, game.incidents_kept) == (2, ["lily_white"])


def test_a_card_is_collected_by_the_oldest_incident_that_wants_it():
    """A single card is collected by one incident only, the one that entered play first among those that want it."""
    game = outbreak("spring_snow", "great_fairy_wars", hand="tempest shoot/spring shoot/winter grimoire").build()
    act(game, "play tempest")
    pass_until(game, "main")
    assert game.collected_by("spring_snow") == ["shoot/spring"]
    assert game.collected_by("great_fairy_wars") == ["shoot/winter"]


def test_cards_of_a_resolved_incident_are_not_collected_by_another():
    """Cards that a resolved incident had collected are put on their discard piles; other incidents do not collect them."""
    start = lunatic_scene(turns=9).seat(0, role="heroine", hand="tempest shoot/spring grimoire").turn(0)
    spring = ["graze/spring", "power/spring", "bomb/spring", "spiritual_attack/spring", "party/spring"]
    game = start.incidents({"spring_snow": spring, "great_fairy_wars": []}).build()
    act(game, "play tempest")
    pass_until(game, "main")
    assert (game.incidents, game.collected) == (["great_fairy_wars"], [])


def test_a_choice_among_one_incident_is_none():
    """With one incident in play nobody is asked which is meant."""
    game = lunatic_scene(turns=9, ask_forced=True).seat(0, role="heroine", hand="master_plan").incident("spring_snow").turn(0).build()
    act(game, "play master_plan", "choose deck:main")
    pass_until(game, "aside")
    assert game.incident is None


def test_everybody_sees_which_incident_has_collected_what():
    """Which incident entered first, what each has collected, and which are collected: all of it is public."""
    start = outbreak("spring_snow", kept=["lily_white"]).incidents(
        {"urban_legend_outbreak": ["lily_white"], "spring_snow": ["shoot/spring", "graze/spring"], "eternal_night": ["shoot/winter"]}
    )
    game = start.build()
    for seat in range(4):
        seen = decode(game.observe(seat), words=True)
        assert seen["incident_order"] == {"urban_legend_outbreak": 1, "spring_snow": 2, "eternal_night": 3}
        assert seen["collected_by"] == {"spring_snow": {"spring": 2}, "eternal_night": {"winter": 1}}
        assert seen["incidents_kept"] == ["lily_white"]
