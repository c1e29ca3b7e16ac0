"""What all cards, Spell Cards, incidents or roles of a kind have in common, asked of each of them."""

import pytest

from danmaku_env.cards.characters import CHARACTERS
from danmaku_env.cards.incidents import INCIDENTS
from danmaku_env.cards.main_deck import MAIN_CARDS
from danmaku_env.cards.roles import ROLES
from danmaku_env.cards.vocabulary import ACTION, DANMAKU, ITEM, SPELL
from tests.table import act, box_without, kinds, life, pass_until, scene

ITEMS = [card.id for card in MAIN_CARDS if card.types & ITEM]
DANMAKU_CARDS = [card.id for card in MAIN_CARDS if card.types & DANMAKU]
ACTION_SPELLS = [character.id for character in CHARACTERS if character.spell.types == SPELL | ACTION]
INCIDENT_NAMES = [incident.id for incident in INCIDENTS]

# ---------------------------------------------------------------- items


@pytest.mark.parametrize("item", ITEMS)
def test_an_item_cannot_be_cancelled_and_eirin_may_play_it_for_another(item):
    """Nothing answers an item (K-21); on behalf of another player it enters play under that player's control (H-12)."""
    start = scene().seat(0, "yagokoro_eirin", hand=item).seat(1, "kamishirasawa_keine", hand="spiritual_attack bomb")
    game = start.build()
    act(game, f"play {item}")
    assert (game.asking, game.question, game.legal()) == (0, "controller", [f"choose seat:{seat}" for seat in range(4)])
    game.act("choose seat:2")
    assert kinds(game.seat(2).items) == [item]
    assert game.seat(0).items == []
    assert len(game.seat(1).hand) == 2


# ---------------------------------------------------------------- action cards


@pytest.mark.parametrize("card", [card.id for card in MAIN_CARDS if card.modes[0].types & ACTION])
def test_an_action_card_can_be_cancelled(card):
    """Keine's Spell Card cancels whatever is played as an action card; a Bomb only what is danmaku as well (K-2)."""
    start = scene().seat(0, hand=f"{card} bomb").seat(1, "kamishirasawa_keine", hand="spiritual_attack focus")
    start.seat(2, hand="bomb", life=3, items="power").seat(3, role="heroine", items="power")
    game = start.build()
    game.act(f"play {card}")
    while game.question in ("target", "item", "boost", "deck"):
        game.act(game.legal()[-1])
    assert (game.asking, game.question, game.legal()) == (1, "cancel", ["pass", "play spiritual_attack"])
    game.act("pass")
    assert ((game.asking, game.question) == (2, "cancel")) is (card in DANMAKU_CARDS)


@pytest.mark.parametrize("card", DANMAKU_CARDS)
def test_a_danmaku_card_leaves_somebody_for_youmus_attack(card):
    """Youmu may also attack a player in range whom the card does not attack: anybody else, but for Last Word, which attacks all."""
    game = scene().seat(0, "konpaku_youmu", hand=card, danmaku_played=0).seat(2, items="focus").build()
    game.act(f"play {card}")
    if card != "last_word":
        game.act("choose seat:1")
        assert game.legal() == ["pass", "choose seat:3"]
        game.act("choose seat:3")
    assert life(game) == [4, 3, 3 if card == "last_word" else 4, 4]


# ---------------------------------------------------------------- Spell Cards


@pytest.mark.parametrize("character", ACTION_SPELLS)
def test_an_action_spell_card_can_be_captured_in_the_main_step_only(character):
    """Every Spell Card of kind action may be activated by another player, in that player's own main step and nowhere else."""
    start = (
        scene().seat(0, "komeiji_satori", hand="capture_spell_card", life=3).seat(1, character, hand="power").seat(2, life=3, items="power")
    )
    game = start.build()
    game.act("play capture_spell_card")
    assert game.seat(0).spell_used
    game = start.seat(2, hand="laser_shot").turn(2).build()
    act(game, "play laser_shot", "choose seat:1")
    assert game.seat(1).life == 3  # nobody had an answer


BEFORE_THE_TARGET = {"hakurei_reimu": ["choose type:item"], "mononobe_no_futo": ["pass"], "toyosatomimi_no_miko": ["choose seat:0"]}
"""Answers that a Spell Card asks for before it asks whom to attack."""


@pytest.mark.parametrize("character", [name for name in ACTION_SPELLS if name != "hinanawi_tenshi"])
def test_the_attack_of_a_spell_card_can_be_avoided(character):
    """Whatever else it does, an action Spell Card attacks with an attack that a dodge card avoids; Remilia's alone cannot be."""
    start = scene().seat(0, character, hand="spiritual_attack", items="mini_hakkero", life=3).seat(2, hand="graze graze")
    game = start.build()
    act(game, "play spiritual_attack", *BEFORE_THE_TARGET.get(character, []))
    while game.question not in ("attacked", "none"):
        game.act("choose seat:2" if "choose seat:2" in game.legal() else game.legal()[-1])
    if character == "remilia_scarlet":
        assert game.seat(2).life == 3
        return
    assert (game.asking, game.question) == (2, "attacked")
    game.act("play graze")
    avoided = [line for line in game.log if "avoids" in line]
    assert len(avoided) == 1, list(game.log)


@pytest.mark.parametrize(
    ("character", "before", "target"),
    [
        ("cirno", (), 4), ("hakurei_reimu", ("choose type:item",), 2), ("hijiri_byakuren", (), 4), ("ibuki_suika", ("choose number:3",), 2),
        ("kawashiro_nitori", ("choose seat:2",), 2),
        ("kirisame_marisa", (), 2), ("kochiya_sanae", (), 2), ("mononobe_no_futo", ("pass",), 2),
        ("patchouli_knowledge", (), 2), ("reiuji_utsuho", (), 2), ("shameimaru_aya", (), 2), ("yagokoro_eirin", (), 2),
        ("yakumo_yukari", ("choose seat:2",), 2),
    ],
)  # fmt: skip
def test_the_attack_of_a_spell_card_needs_range_when_it_is_made(character, before, target):
    """Whoever was in range when named must be so still (K-12): here a Power that reached so far is lost to an attack in between."""
    start = (
        scene(8)
        .seat(0, character, hand="spiritual_attack", items="power")
        .seat(1, "toyosatomimi_no_miko", items="power")
        .deck("graze graze graze")
    )
    game = start.seat(4, items="focus stopwatch" if character == "hijiri_byakuren" else "").build()
    act(game, "play spiritual_attack", *before, f"choose seat:{target}")
    assert (game.asking, game.question) == (1, "cancel")
    act(game, "spell toyosatomimi_no_miko", "choose seat:3", "choose seat:0")
    if character == "mononobe_no_futo":
        game.act("ability mononobe_no_futo")
    assert game.seat(0).items == []
    pass_until(game, "main", 0) if not game.over else None
    assert game.seat(target).life == 4


# ---------------------------------------------------------------- incidents


@pytest.mark.parametrize("incident", INCIDENT_NAMES)
def test_an_incident_in_play_changes_what_it_says_and_nothing_else(incident):
    """Range, danmaku cards per round, Spell Cards, healing, drawing and items are as usual, but for the one that the incident is about."""
    start = scene(6).seat(0, "patchouli_knowledge", life=2, hand="shoot spiritual_attack one_up focus grimoire").deck("graze")
    start.seat(1, hand="power").incident(incident).discard("bomb/winter")
    if incident == "crisis_of_faith":  # over as soon as it has entered, so that it is never in play
        start.incident(None)
    game = start.build()
    assert game.in_range(0, 3) is (incident == "crossing_to_higan")
    assert (game.seat(0).danmaku_limit > 1) is (incident == "eternal_night")
    assert ("play spiritual_attack" in game.legal()) is (incident != "spring_snow")
    assert ("spell overdrive" in game.legal()) is (incident == "overdrive")
    assert ("play one_up" in game.legal()) is (incident != "voyage_to_makai")
    game.act("play focus")
    assert kinds(game.seat(0).items) == ([] if incident == "worldly_desires" else ["focus"])
    top = game.discard[0]
    game.act("play grimoire")
    assert (top in game.seat(0).hand) is (incident == "great_barrier_weakening")
    assert life(game) == [2, 4, 4, 5, 4, 4]


@pytest.mark.parametrize("incident", [name for name in INCIDENT_NAMES if name != "crisis_of_faith"])
def test_an_incident_outlasts_a_defeat_and_a_reshuffle(incident):
    """Neither ends an incident, but for Crossing to Higan the one and for Endless Party the other."""
    game = scene(5).roles("heroine partner stage_boss stage_boss ex_boss").seat(0, hand="laser_shot").seat(2, life=1)
    game = game.incident(incident).build()
    act(game, "play laser_shot", "choose seat:2")
    assert game.seat(2).defeated
    assert (game.incident == incident) is (incident != "crossing_to_higan")
    rest = box_without("grimoire/summer", "kourindou/winter")
    game = scene().seat(0, hand="grimoire/summer kourindou/winter").discard(rest).incident(incident).build()
    if incident == "great_barrier_weakening":
        act(game, "play kourindou", "pass")  # the first card of the turn comes from the discard pile
    game.act("play grimoire")
    assert len(game.discard) <= 2  # the discard pile has become the deck
    assert (game.incident == incident) is (incident != "endless_party")


@pytest.mark.parametrize(
    ("incident", "taken"),
    [
        ("crossing_to_higan", ""), ("endless_party", ""), ("lily_white", ""), ("undefined_fantastic_object", ""),
        ("eternal_night", "shoot/spring"), ("great_fairy_wars", "shoot/spring"), ("five_impossible_requests", "stopwatch/winter"),
        ("great_barrier_weakening", "spiritual_attack/winter"), ("overdrive", "graze/summer"),
        ("rekindle_blazing_hell", "graze/summer focus/summer"), ("saigyou_ayakashi_blooming", "stopwatch/winter spiritual_attack/winter"),
        ("spring_snow", "shoot/spring power/spring"), ("voyage_to_makai", "one_up/autumn grimoire/autumn"),
        ("scarlet_weather_rhapsody", "shoot/spring power/spring graze/summer focus/summer one_up/autumn grimoire/autumn "
                                     "stopwatch/winter spiritual_attack/winter"),
        ("worldly_desires", "stopwatch/winter power/spring focus/summer"),
    ],
)  # fmt: skip
def test_an_incident_collects_the_cards_it_names_and_no_others(incident, taken):
    """A card thrown away goes to the incident in play if that collects such cards, and to the discard pile if not."""
    cards = "shoot/spring power/spring graze/summer focus/summer one_up/autumn grimoire/autumn stopwatch/winter spiritual_attack/winter"
    game = scene(turns=9).seat(0, hand=f"kourindou/winter bomb/summer {cards}").incident(incident).build()
    game.act("play kourindou")
    for card in cards.split():
        game.act(f"choose card:{card.split('/')[0]}")
    left = set(cards.split()) - set(taken.split())
    assert left <= set(game.discard)
    if game.incident:
        assert set(taken.split()) <= set(game.collected)
        assert not left & set(game.collected)
    else:
        assert incident in ("five_impossible_requests", "scarlet_weather_rhapsody")  # this was all it needed


@pytest.mark.parametrize("incident", [name for name in INCIDENT_NAMES if name != "crisis_of_faith"])
def test_which_copy_is_asked_where_an_incident_collects_by_season(incident):
    """Of two copies of a card that is played it matters which, if the incident in play collects by season; else nobody asks (C-19)."""
    game = scene().seat(0, hand="grimoire/summer grimoire/autumn").incident(incident).build()
    game.act("play grimoire")
    by_season = ("rekindle_blazing_hell", "saigyou_ayakashi_blooming", "scarlet_weather_rhapsody", "spring_snow", "voyage_to_makai")
    assert (game.question == "season") is (incident in by_season)


# ---------------------------------------------------------------- roles


@pytest.mark.parametrize(
    ("role", "numbers"),
    [
        ("heroine", (5, 5, 2)), ("rival", (4, 4, 2)), ("partner", (4, 4, 2)), ("ex_midboss", (4, 4, 2)), ("one_true_partner", (4, 4, 2)),
        ("stage_boss", (4, 4, 2)), ("final_boss", (4, 4, 2)), ("challenger", (4, 4, 2)), ("anti_heroine", (4, 4, 2)),
        ("ex_boss", (4, 4, 2)), ("ex_boss_revealed", (5, 5, 3)), ("phantom_boss", (4, 4, 2)), ("true_phantom_boss", (5, 4, 2)),
    ],
)  # fmt: skip
def test_a_role_gives_life_cards_and_draws(role, numbers):
    """Max life, max hand size, cards in the draw step; range, distance and danmaku cards are the same for all."""
    start = scene(8).seat(3, role=role).turn(3, step="draw").deck("power power power power")
    game = start.build()
    assert (game.seat(3).max_life, game.seat(3).max_hand, len(game.seat(3).hand)) == numbers
    assert (game.seat(3).range, game.seat(3).danmaku_limit, game.distance(2, 3)) == (1, 1, 1)


@pytest.mark.parametrize("role", [role.id for role in ROLES if role.id != "heroine"])
def test_a_role_shares_her_fate_with_the_heroine_or_not(role):
    """The Heroine loses her items, and all but two hand cards, when a Partner or the One True Partner is defeated; with nobody else."""
    start = scene(8).seat(3, role=role, life=1).seat(0, role="heroine", items="power", hand="graze graze graze").turn(1)
    game = start.seat(1, hand="laser_shot").build()
    act(game, "play laser_shot", "choose seat:3")
    shared = role in ("partner", "one_true_partner")
    assert game.seat(3).defeated
    assert (kinds(game.seat(0).items), len(game.seat(0).hand)) == (([], 2) if shared else (["power"], 3))


STAGE_ROLES = ("stage_boss", "final_boss", "challenger", "anti_heroine")
EXTRA_ROLES = ("ex_boss", "ex_boss_revealed", "phantom_boss", "true_phantom_boss")


def last_words(roles, *, by, one_life, defeated=()):
    """The winners when a player plays Last Word, and those with one life fall."""
    start = scene(len(roles.split())).roles(roles).seat(by, hand="last_word").turn(by)
    for seat in one_life:
        start.seat(seat, life=1)
    for seat in defeated:
        start.seat(seat, defeated=True)
    game = start.build()
    game.act("play last_word")
    while not game.over and not all(game.seat(seat).defeated for seat in one_life):
        game.act("pass")
    return game.winners


@pytest.mark.parametrize("role", STAGE_ROLES)
def test_a_stage_boss_of_any_kind_is_one_for_the_goals_of_others(role):
    """The Heroine needs her defeated, an Extra Boss too; the Challenger, who needs Heroine and Extra Boss, does not."""
    other = next(name for name in STAGE_ROLES if name not in (role, "challenger"))
    assert last_words(f"heroine partner {role} {other} ex_boss", by=0, one_life=[4], defeated=[3]) == []
    assert last_words(f"heroine partner {role} {other} ex_boss", by=0, one_life=[2, 4], defeated=[3]) == [0, 1]
    if role != "stage_boss":
        assert 4 not in last_words(f"heroine partner {role} {other} ex_boss", by=4, one_life=[0], defeated=[3])
    if role != "challenger":
        assert 3 in last_words(f"heroine partner {role} challenger ex_boss", by=3, one_life=[0, 4])


@pytest.mark.parametrize("role", STAGE_ROLES)
def test_a_defeated_stage_boss_of_any_kind_wins_with_another(role):
    """Her own goal is met, and an active Stage Boss has won (R-3): all others are defeated."""
    other, third = [name for name in STAGE_ROLES if name != role][:2]
    assert 2 in last_words(f"heroine partner {role} {other} {third} ex_boss", by=3, one_life=[0, 5], defeated=[1, 2, 4])


@pytest.mark.parametrize("role", EXTRA_ROLES)
def test_an_extra_boss_of_any_kind_is_one_and_nothing_else(role):
    """Stage Bosses win by the Heroine's fall though she lives; the Heroine and the Challenger need her defeated."""
    assert last_words(f"heroine stage_boss stage_boss {role}", by=1, one_life=[0]) == [1, 2]
    assert last_words(f"heroine stage_boss stage_boss {role}", by=0, one_life=[1, 2]) == []
    assert last_words(f"heroine partner challenger final_boss {role}", by=2, one_life=[0], defeated=[3]) == []


@pytest.mark.parametrize("role", EXTRA_ROLES)
def test_a_defeated_extra_boss_of_any_kind_wins_with_the_ex_midboss(role):
    """All Stage Bosses and the Heroine are defeated (R-3)."""
    assert last_words(f"heroine ex_midboss stage_boss final_boss {role}", by=1, one_life=[0, 3], defeated=[2, 4]) == [1, 4]


@pytest.mark.parametrize("role", ["partner", "one_true_partner", "ex_midboss"])
def test_a_partner_of_any_kind_is_one_for_the_final_boss(role):
    """The Final Boss needs the Heroine and a Partner of whatever kind."""
    roles = f"heroine {role} partner stage_boss stage_boss final_boss ex_boss"
    assert 5 in last_words(roles, by=5, one_life=[0, 1])
    assert 5 not in last_words(roles, by=5, one_life=[0, 6])
