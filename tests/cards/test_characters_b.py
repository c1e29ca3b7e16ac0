"""The last twelve characters of the base game, and what every Spell Card has in common."""

import pytest

from danmaku_env.cards.box import NUM_KINDS
from danmaku_env.engine.observation import OFFSETS
from tests.table import act, end_turn, first_hands, kinds, life, pass_until, scene


def known(game, seat, other):
    """How many cards of another's hand a seat can tell."""
    start = OFFSETS["known_hands"] + NUM_KINDS * ((other - seat) % game.config.num_players)
    return int(game.observe(seat)[start : start + NUM_KINDS].sum())


# ---------------------------------------------------------------- Kochiya Sanae


def sanae(hand="shoot grimoire", players=4):
    return scene(players).seat(0, "kochiya_sanae", hand=hand)


def test_kochiya_sanae_may_look_at_the_top_card_and_leave_it():
    """When she plays a danmaku card she may look at the top card; leaving it there is one of three places."""
    game = sanae().deck("bomb/spring graze").build()
    act(game, "play shoot", "choose seat:1")
    assert (game.asking, game.question) == (0, "may")
    act(game, "choose yes", "pass")
    assert game.legal() == ["pass", "choose seat:1", "choose seat:2", "choose seat:3"]
    game.act("pass")
    assert game.seat(1).life == 3
    assert game.seat(1).hand == ["bomb/spring"]  # the card was still on top when life was lost


def test_kochiya_sanae_may_discard_the_top_card():
    game = sanae().deck("bomb/spring power/winter").build()
    act(game, "play shoot", "choose seat:1", "choose yes", "choose yes")
    assert "bomb/spring" in game.discard
    assert game.seat(1).hand == ["power/winter"]


def test_kochiya_sanae_gives_the_top_card_away_and_it_cannot_be_refused():
    """The other player gets the card without being asked, before the attack resolves."""
    game = sanae().deck("graze power").build()
    act(game, "play shoot", "choose seat:1", "choose yes", "pass", "choose seat:1")
    assert (game.asking, game.legal()) == (1, ["pass", "play graze"])
    game.act("play graze")
    assert game.seat(1).life == 4


def test_kochiya_sanae_need_not_look():
    game = sanae().deck("power/winter").build()
    act(game, "play shoot", "choose seat:1", "pass")
    assert game.seat(1).hand == ["power/winter"]
    assert not any("looks" in line for line in game.log)


def test_kochiya_sanae_not_for_cancelled_cards_spells_or_other_cards():
    """The card must get through its cancel window, and be a danmaku card played (H-7)."""
    game = sanae().seat(1, "cirno", hand="bomb").build()
    act(game, "play shoot", "choose seat:1", "play bomb")
    assert game.question == "main"
    game = sanae("grimoire voile shoot").build()
    game.act("play grimoire")
    assert game.question == "main"
    game = sanae("spiritual_attack grimoire").build()
    act(game, "play spiritual_attack", "choose seat:1")
    assert game.question == "main"
    assert game.seat(1).life == 3


def test_kochiya_sanae_miracle_fruit_attacks_once_per_danmaku_card():
    """A player in range shows the hand to everybody and is attacked once for each danmaku card in it."""
    game = sanae("spiritual_attack grimoire", players=6).seat(1, hand="shoot laser_shot power").build()
    game.act("play spiritual_attack")
    assert game.legal() == ["choose seat:1", "choose seat:5"]
    game.act("choose seat:1")
    assert game.seat(1).life == 2
    shown = next(line for line in game.log if line.startswith("seat 1 shows the hand to all: "))
    assert all(f"{name} (" in shown for name in ("Shoot", "Laser Shot", "Power"))


def test_kochiya_sanae_miracle_fruit_shows_the_hand_to_all():
    """What is shown, everybody knows from then on (X-6)."""
    game = sanae("spiritual_attack grimoire").seat(1, hand="power power focus").build()
    assert [known(game, other, 1) for other in (0, 2, 3)] == [0, 0, 0]
    act(game, "play spiritual_attack", "choose seat:1")
    assert len(game.seat(1).hand) == 4  # one of them drawn since, unseen
    assert [known(game, other, 1) for other in (0, 2, 3)] == [3, 3, 3]


def test_kochiya_sanae_miracle_fruit_attacks_at_least_once():
    """Also with no danmaku card; the number stays the same though cards are drawn for lost life."""
    game = sanae("spiritual_attack grimoire").deck("shoot shoot shoot").build()
    act(game, "play spiritual_attack", "choose seat:1")
    assert game.seat(1).life == 3


def test_kochiya_sanae_miracle_fruit_attacks_are_avoided_one_by_one():
    game = sanae("spiritual_attack grimoire").seat(1, hand="shoot shoot graze").build()
    act(game, "play spiritual_attack", "choose seat:1", "play graze")
    assert game.seat(1).life == 3


# ---------------------------------------------------------------- Komeiji Satori


def test_komeiji_satori_flips_for_winter():
    """When attacked she may flip; winter avoids the attack, another season does not."""
    for season, left in (("winter", 4), ("summer", 3)):
        game = scene().seat(0, "komeiji_satori").seat(1, hand="shoot grimoire").deck(f"graze/{season}").turn(1).build()
        act(game, "play shoot", "choose seat:0")
        assert (game.asking, game.legal()) == (0, ["pass", "ability komeiji_satori"])
        game.act("ability komeiji_satori")
        assert game.seat(0).life == left
        assert f"graze/{season}" in game.discard
        assert game.asking == 1  # one flip for one attack


def test_komeiji_satori_may_graze_after_a_failed_flip():
    """Different ways to avoid may be tried one after the other for the same attack (H-10)."""
    game = scene().seat(0, "komeiji_satori", hand="graze").seat(1, hand="shoot grimoire").deck("graze/summer").turn(1).build()
    act(game, "play shoot", "choose seat:0", "ability komeiji_satori", "play graze")
    assert game.seat(0).life == 4


def test_komeiji_satori_cannot_flip_against_the_unavoidable():
    """Nor for an attack on somebody else."""
    game = scene().seat(0, "komeiji_satori").seat(1, hand="laser_shot grimoire").turn(1).build()
    act(game, "play laser_shot", "choose seat:0")
    assert game.seat(0).life == 3
    assert not any("flips" in line for line in game.log)
    game = scene().seat(0, "komeiji_satori").seat(1, hand="shoot grimoire").turn(1).build()
    act(game, "play shoot", "choose seat:2")
    assert game.seat(2).life == 3


def test_komeiji_satori_looks_at_one_hand_a_round():
    """Once per round, on her turn, she may look at the hand of another player."""
    game = scene(turns=9).seat(0, "komeiji_satori", hand="grimoire").seat(1, hand="bomb graze").build()
    game.act("ability komeiji_satori")
    assert game.legal() == ["choose seat:1", "choose seat:2", "choose seat:3"]
    game.act("choose seat:1")
    assert "seat 0 (Satori) looks at the hand of seat 1" in game.log
    assert [known(game, other, 1) for other in (0, 2, 3)] == [2, 0, 0]
    assert "ability komeiji_satori" not in game.legal()
    end_turn(game)
    pass_until(game, "main", 0)
    assert "ability komeiji_satori" in game.legal()


def test_komeiji_satori_looks_while_cards_are_pending():
    """On her turn she may look at any time, also while her own card waits to be answered; nobody can respond."""
    game = scene().seat(0, "komeiji_satori", hand="shoot grimoire").seat(1, "cirno", hand="graze bomb").build()
    act(game, "play shoot", "choose seat:1")
    assert (game.asking, game.question, game.legal()) == (0, "cancel", ["pass", "ability komeiji_satori"])
    act(game, "ability komeiji_satori", "choose seat:1")
    assert (game.asking, game.question) == (1, "cancel")
    act(game, "pass")
    assert (game.asking, game.question) == (1, "attacked")


def test_komeiji_satori_looks_between_the_steps_of_her_turn():
    """At any time on her turn, also before she draws."""
    game = scene().seat(0, "komeiji_satori").turn(0, step="incident").incident("overdrive").build()
    assert (game.asking, game.question, game.legal()) == (0, "step", ["pass", "ability komeiji_satori"])


def test_komeiji_satori_looks_before_somebody_is_rescued():
    """At any time on her turn, also while a player at 0 life may still be brought back."""
    start = scene().seat(0, "komeiji_satori", hand="shoot power").seat(1, life=1).seat(2, hand="one_up")
    game = start.deck("power").build()
    act(game, "play shoot", "choose seat:1")
    while game.question != "rescue":
        game.act("pass")
    assert (game.asking, game.legal()) == (0, ["pass", "ability komeiji_satori"])


def test_komeiji_satori_does_not_look_on_others_turns():
    """The stricter rulebook is followed (H-9)."""
    game = scene().seat(0, "komeiji_satori", hand="graze").seat(1, hand="shoot grimoire").turn(1).build()
    act(game, "play shoot", "choose seat:2")
    assert game.asking == 1
    assert game.seat(2).life == 3


def test_komeiji_satori_attacked_on_her_own_turn_chooses_between_flip_and_look():
    """With both open, she says which."""
    game = (
        scene().seat(0, "komeiji_satori", hand="shoot grimoire").seat(1, "hijiri_byakuren", hand="laser_shot").deck("graze/winter").build()
    )
    act(game, "play shoot", "choose seat:1", "pass", "choose card:laser_shot")
    assert (game.asking, game.question, game.legal()) == (0, "attacked", ["pass", "ability komeiji_satori"])
    game.act("ability komeiji_satori")
    assert game.question == "half"
    game.act("choose top")
    assert game.seat(0).life == 4
    assert "graze/winter" in game.discard


def test_komeiji_satori_terrifying_hypnotism_uses_anothers_spell():
    """Pick another's character and activate that Spell Card with herself as owner."""
    game = (
        scene()
        .seat(0, "komeiji_satori", hand="spiritual_attack grimoire")
        .seat(1, "patchouli_knowledge")
        .seat(2, "hong_meiling")
        .seat(3, "cirno")
        .build()
    )
    game.act("play spiritual_attack")
    assert game.legal() == ["choose seat:1", "choose seat:3"]  # Meiling's is a reaction and has nothing to answer
    act(game, "choose seat:1", "choose seat:3")
    pass_until(game, "main", 0)  # she might look at a hand in every window of her turn
    assert kinds(game.seat(0).hand) == ["grimoire", "power", "power"]
    assert game.seat(3).life == 4  # the Heroine had 5
    assert game.seat(0).spell_used
    assert not game.seat(1).spell_used


def test_komeiji_satori_terrifying_hypnotism_of_a_defeated_player():
    """Characters of defeated players may be picked too."""
    game = (
        scene()
        .seat(0, "komeiji_satori", hand="spiritual_attack grimoire")
        .seat(1, "patchouli_knowledge", role="ex_boss", defeated=True)
        .build()
    )
    act(game, "play spiritual_attack", "pass", "pass")
    assert kinds(game.seat(0).hand) == ["grimoire", "power", "power"]


def test_komeiji_satori_terrifying_hypnotism_of_a_reaction():
    """The timing is that of the Spell Card picked, judged for her."""
    game = scene().seat(0, "komeiji_satori", hand="spiritual_attack").seat(1, "hong_meiling").seat(2, hand="shoot grimoire").turn(2).build()
    act(game, "play shoot", "choose seat:3")
    assert (game.asking, game.legal()) == (0, ["pass", "play spiritual_attack"])
    game.act("play spiritual_attack")
    assert life(game) == [4, 4, 3, 4]
    assert len(game.seat(0).hand) == 2


def test_komeiji_satori_terrifying_hypnotism_itself_cannot_be_cancelled():
    """Only the Spell Card it activates can (C-16)."""
    game = (
        scene()
        .seat(0, "komeiji_satori", hand="spiritual_attack grimoire")
        .seat(1, "patchouli_knowledge", hand="bomb")
        .seat(2, "cirno")
        .build()
    )
    act(game, "play spiritual_attack", "choose seat:1", "pass")
    cancels = [line for line in game.log if "Philosopher's Stone" in line]
    assert cancels  # announced, and only now there is a cancel window
    assert (game.question, game.asking) == ("cancel", 0)
    act(game, "pass", "play bomb")
    assert kinds(game.seat(0).hand) == ["grimoire"]
    assert game.seat(0).spell_used


def test_komeiji_satori_terrifying_hypnotism_cannot_be_captured():
    """It has no timing of its own, so nobody captures or copies it (C-16)."""
    game = (
        scene().seat(0, "kazami_yuuka", hand="capture_spell_card grimoire").seat(1, "komeiji_satori").seat(2, "patchouli_knowledge").build()
    )
    act(game, "play capture_spell_card", "pass")
    assert len(game.seat(0).hand) == 3  # Patchouli's was the only one to choose
    game = scene().seat(0, "kazami_yuuka", hand="capture_spell_card grimoire").seat(1, "komeiji_satori").build()
    assert "play capture_spell_card" not in game.legal()


# ---------------------------------------------------------------- Konpaku Youmu


def test_konpaku_youmu_extra_attack():
    """When she plays a danmaku card she may also attack a player in range whom it does not attack; that one resolves first (H-8)."""
    game = scene(6).seat(0, "konpaku_youmu", hand="laser_shot grimoire").build()
    act(game, "play laser_shot", "choose seat:1")
    assert (game.asking, game.legal()) == (0, ["pass", "choose seat:5"])
    game.act("choose seat:5")
    assert life(game) == [4, 3, 4, 5, 4, 3]
    attacks = [line for line in game.log if "attacks" in line]
    assert [line.endswith("seat 5") for line in attacks] == [True, False]


def test_konpaku_youmu_extra_attack_is_ordinary():
    """Whatever the card, it is avoidable and does 1 damage (H-8)."""
    game = scene().seat(0, "konpaku_youmu", hand="laser_shot grimoire").seat(3, hand="graze").build()
    act(game, "play laser_shot", "choose seat:1", "choose seat:3", "play graze")
    assert life(game) == [4, 3, 4, 5]


def test_konpaku_youmu_extra_attack_is_chosen_after_the_cancel_window():
    """Nothing happens if the card is cancelled."""
    game = scene().seat(0, "konpaku_youmu", hand="shoot grimoire").seat(1, "cirno", hand="bomb").build()
    act(game, "play shoot", "choose seat:1")
    assert game.question == "cancel"
    game.act("play bomb")
    assert (game.asking, game.question) == (0, "main")
    assert life(game) == [4, 4, 4, 5]


def test_konpaku_youmu_has_nobody_left_after_last_word():
    """It must be somebody the card does not attack (H-7)."""
    game = scene().seat(0, "konpaku_youmu", hand="last_word grimoire").build()
    game.act("play last_word")
    assert (game.asking, game.question) == (0, "main")
    assert life(game) == [4, 3, 3, 4]


def test_konpaku_youmu_extra_attack_not_for_spells():
    """Spell Cards are no danmaku cards."""
    game = scene().seat(0, "konpaku_youmu", hand="spiritual_attack grimoire").build()
    act(game, "play spiritual_attack", "choose seat:1", "pass")
    assert (game.asking, game.question) == (0, "main")
    assert life(game) == [4, 3, 4, 5]


def test_konpaku_youmu_200_yojana():
    """Everybody is in range for her until her next turn; attack one player and, if she likes, another."""
    game = scene(6, turns=9).seat(0, "konpaku_youmu", hand="spiritual_attack shoot grimoire").seat(2, items="focus").build()
    assert not game.in_range(0, 3)
    game.act("play spiritual_attack")
    assert game.legal() == [f"choose seat:{other}" for other in range(1, 6)]
    game.act("choose seat:3")
    assert game.legal() == ["pass", "choose seat:1", "choose seat:2", "choose seat:4", "choose seat:5"]
    game.act("choose seat:2")
    assert life(game) == [4, 4, 3, 4, 4, 4]
    assert all(game.in_range(0, other) for other in range(1, 6))
    assert not game.in_range(3, 0)
    end_turn(game)
    pass_until(game, "main", 0)
    assert not game.in_range(0, 3)


# ---------------------------------------------------------------- Mononobe no Futo


def test_mononobe_no_futo_keeps_powerups():
    """Losing life never costs her a powerup."""
    game = scene().seat(0, "mononobe_no_futo", items="power").seat(1, hand="laser_shot grimoire").turn(1).build()
    act(game, "play laser_shot", "choose seat:0")
    assert game.seat(0).life == 3
    assert kinds(game.seat(0).items) == ["power"]


def test_mononobe_no_futo_discards_an_item_to_avoid():
    """When attacked she may discard an item in play to avoid the attack."""
    game = scene(4).seat(0, "mononobe_no_futo", items="power focus").seat(1, hand="seal_away grimoire").turn(1).build()
    act(game, "play seal_away", "choose seat:0", "pass")
    assert game.seat(0).life == 4  # Focus keeps her out of range
    game = scene().seat(0, "mononobe_no_futo", items="power stopwatch").seat(1, hand="shoot grimoire", items="power").turn(1).build()
    act(game, "play shoot", "choose seat:0", "ability mononobe_no_futo", "choose card:stopwatch")
    assert (game.asking, game.question) == (1, "main")  # that attack is over
    assert game.seat(0).life == 4
    assert kinds(game.seat(0).items) == ["power"]


def test_mononobe_no_futo_avoids_as_often_as_she_has_items():
    """When attacked she may discard an item in play to avoid the attack: every attack, of one turn and of one card."""
    start = scene().seat(0, "mononobe_no_futo", items="power power power").seat(1, hand="shoot melee", items="power").turn(1)
    game = start.build()
    act(game, "play shoot", "choose seat:0", "pass", "ability mononobe_no_futo")
    act(game, "play melee", "choose seat:0", "ability mononobe_no_futo")
    assert (game.seat(0).life, kinds(game.seat(0).items)) == (4, ["power"])


def test_mononobe_no_futo_not_against_the_unavoidable_nor_without_items():
    """Costs for avoiding are not offered against an unavoidable attack (A-12)."""
    game = scene().seat(0, "mononobe_no_futo", items="power").seat(1, hand="laser_shot grimoire").turn(1).build()
    act(game, "play laser_shot", "choose seat:0")
    assert (game.asking, game.seat(0).life) == (1, 3)
    game = scene().seat(0, "mononobe_no_futo", hand="power").seat(1, hand="shoot grimoire").turn(1).build()
    act(game, "play shoot", "choose seat:0")
    assert (game.asking, game.seat(0).life) == (1, 3)


def test_mononobe_no_futo_not_for_others():
    game = scene().seat(0, "mononobe_no_futo", items="power").seat(1, hand="shoot grimoire").turn(1).build()
    act(game, "play shoot", "choose seat:2")
    assert game.seat(2).life == 3


def test_mononobe_no_futo_oomonoimis_dinner_swaps_hands():
    """Two other players exchange hands; a player with an empty hand may be one of them; then she may attack."""
    game = (
        scene()
        .seat(0, "mononobe_no_futo", hand="spiritual_attack grimoire")
        .seat(1, hand="voile graze")
        .seat(2, hand="")
        .seat(3, hand="focus")
        .build()
    )
    game.act("play spiritual_attack")
    assert game.legal() == ["pass", "choose seat:1", "choose seat:2", "choose seat:3"]
    game.act("choose seat:1")
    assert game.legal() == ["choose seat:2", "choose seat:3"]
    game.act("choose seat:2")
    assert game.legal() == ["pass", "choose seat:1", "choose seat:3"]
    game.act("pass")
    assert game.seat(1).hand == []
    assert kinds(game.seat(2).hand) == ["graze", "voile"]
    assert kinds(game.seat(3).hand) == ["focus"]
    assert kinds(game.seat(0).hand) == ["grimoire"]


def test_mononobe_no_futo_oomonoimis_dinner_comes_before_the_attack():
    """The attacked player defends with the hand just received; the exchange itself is optional."""
    game = scene().seat(0, "mononobe_no_futo", hand="spiritual_attack grimoire").seat(2, hand="graze").build()
    act(game, "play spiritual_attack", "choose seat:1", "choose seat:2", "choose seat:1")
    assert (game.asking, game.legal()) == (1, ["pass", "play graze"])
    game.act("play graze")
    assert game.seat(1).life == 4
    game = scene().seat(0, "mononobe_no_futo", hand="spiritual_attack grimoire").seat(1, hand="power").seat(2, hand="focus").build()
    act(game, "play spiritual_attack", "pass", "choose seat:1")
    assert game.seat(1).life == 3
    assert kinds(game.seat(2).hand) == ["focus"]


def test_mononobe_no_futo_oomonoimis_dinner_needs_two_guests():
    """With one other player left there is no exchange to speak of, and nobody is asked for half of one (H-22)."""
    start = scene().roles("heroine stage_boss stage_boss ex_boss").seat(0, "mononobe_no_futo", hand="spiritual_attack grimoire")
    start.seat(1, defeated=True).seat(2, hand="focus")
    game = start.build()
    game.act("play spiritual_attack")
    assert (game.question, game.legal()) == ("target", ["pass", "choose seat:2", "choose seat:3"])
    game = start.seat(3, defeated=True).build()
    game.act("play spiritual_attack")
    assert (game.question, game.legal()) == ("second target", ["pass", "choose seat:2"])
    game.act("choose seat:2")
    assert (game.seat(2).life, game.seat(2).hand[0]) == (3, "focus/autumn")


# ---------------------------------------------------------------- Patchouli Knowledge


def test_patchouli_knowledge_max_hand():
    """Base max hand size 7; 8 as Heroine (U-3)."""
    game = scene().seat(0, "patchouli_knowledge", hand="grimoire").build()
    assert game.seat(0).max_hand == 7
    game = scene().seat(0, "patchouli_knowledge", role="heroine", hand="grimoire").build()
    assert game.seat(0).max_hand == 8
    game = scene().seat(0, "patchouli_knowledge", hand="grimoire", items="sorcerers_sutra_scroll").build()
    assert game.seat(0).max_hand == 7  # a base set twice is no higher


def test_patchouli_knowledge_starting_hand():
    """She starts with 7 cards, with 8 as Heroine."""
    assert first_hands("patchouli_knowledge") == (7, 8)


def test_patchouli_knowledge_keeps_seven_cards():
    game = (
        scene(turns=9)
        .seat(0, "patchouli_knowledge", hand="power power power power power power focus focus")
        .turn(0, step="discard")
        .build()
    )
    game.act("choose card:focus")
    assert kinds(game.seat(0).hand) == ["focus", *["power"] * 6]
    assert game.turn == 1


def test_patchouli_knowledge_philosophers_stone():
    """Draw 2; may attack a player in range."""
    game = scene(6).seat(0, "patchouli_knowledge", hand="spiritual_attack shoot").deck("focus voile").build()
    game.act("play spiritual_attack")
    assert game.legal() == ["pass", "choose seat:1", "choose seat:5"]
    game.act("choose seat:5")
    assert kinds(game.seat(0).hand) == ["focus", "shoot", "voile"]
    assert game.seat(5).life == 3


# ---------------------------------------------------------------- Reisen Udongein Inaba


def test_reisen_udongein_inaba_extra_attack_when_avoided():
    """When her attack is avoided she may attack a player in range other than the avoider, even after an attack without range."""
    game = scene(6).seat(0, "reisen_udongein_inaba", hand="last_word grimoire").seat(3, hand="graze").build()
    act(game, "play last_word", "play graze")
    assert (game.asking, game.legal()) == (0, ["pass", "choose seat:1", "choose seat:5"])
    game.act("choose seat:5")
    assert life(game) == [4, 3, 3, 5, 3, 2]


def test_reisen_udongein_inaba_extra_attack_not_on_the_avoider():
    game = scene().seat(0, "reisen_udongein_inaba", hand="shoot grimoire").seat(1, hand="graze").build()
    act(game, "play shoot", "choose seat:1", "play graze")
    assert game.legal() == ["pass", "choose seat:3"]
    game.act("pass")
    assert (game.question, life(game)) == ("main", [4, 4, 4, 5])


def test_reisen_udongein_inaba_extra_attack_once_per_card():
    """One extra attack for one card; an avoided extra attack gives no other (H-13)."""
    game = scene().seat(0, "reisen_udongein_inaba", hand="shoot grimoire").seat(1, hand="graze").seat(3, hand="graze").build()
    act(game, "play shoot", "choose seat:1", "play graze", "choose seat:3", "play graze")
    assert (game.asking, game.question) == (0, "main")
    game = scene().seat(0, "reisen_udongein_inaba", hand="last_word grimoire").seat(1, hand="graze").seat(2, hand="graze").build()
    act(game, "play last_word", "play graze", "choose seat:3", "play graze")
    assert (game.asking, game.question) == (0, "main")
    assert life(game) == [4, 4, 4, 3]


def test_reisen_udongein_inaba_declining_leaves_the_use_for_later():
    """What she has not used for one avoided attack of a card she may use for the next."""
    game = scene().seat(0, "reisen_udongein_inaba", hand="last_word grimoire").seat(1, hand="graze").seat(2, hand="graze").build()
    act(game, "play last_word", "play graze", "pass", "play graze", "choose seat:1")
    assert life(game) == [4, 3, 4, 4]


def test_reisen_udongein_inaba_no_extra_attack_when_cancelled_or_hit():
    game = scene().seat(0, "reisen_udongein_inaba", hand="shoot grimoire").seat(1, "cirno", hand="bomb").build()
    act(game, "play shoot", "choose seat:1", "play bomb")
    assert game.question == "main"
    game = scene().seat(0, "reisen_udongein_inaba", hand="shoot grimoire").build()
    act(game, "play shoot", "choose seat:1")
    assert (game.question, life(game)) == ("main", [4, 3, 4, 5])


@pytest.mark.parametrize("turn", [0, 2])
def test_reisen_udongein_inaba_resolves_before_yukari(turn):
    """When Yukari avoids Reisen's attack both attack: Reisen first, then Yukari, whoever's turn it is (K-14)."""
    game = (
        scene()
        .seat(0, "reisen_udongein_inaba", hand="shoot grimoire spiritual_attack")
        .seat(1, "yakumo_yukari", hand="graze")
        .seat(2, "hong_meiling", hand="shoot grimoire")
        .turn(turn)
        .build()
    )
    if turn == 0:
        act(game, "play shoot", "choose seat:1", "play graze")
    else:  # Reisen copies Meiling's Shoot on Meiling's turn
        act(game, "play shoot", "choose seat:1", "play spiritual_attack", "choose yes", "choose seat:1", "play graze")
    wishes = [(0, "choose seat:3", ["pass", "choose seat:3"]), (1, "choose seat:0", ["pass", "choose seat:2", "choose seat:0"])]
    for seat, answer, legal in wishes:
        assert (game.asking, game.legal(), life(game)) == (seat, legal, [4, 4, 4, 5])
        game.act(answer)
    assert life(game) == [3, 4, 4, 4]
    attacks = [line for line in game.log if "attacks seat" in line][-2:]
    assert attacks == ["seat 0 (Reisen) attacks seat 3", "seat 1 (Yukari) attacks seat 0 (Reisen)"]


def test_reisen_udongein_inaba_lunatic_red_eyes_copies_a_danmaku_card():
    """Cancel a danmaku card of somebody else; she may carry out a copy with targets of her own, in her own range."""
    game = scene(6).seat(0, "reisen_udongein_inaba", hand="spiritual_attack power").seat(2, hand="shoot grimoire").turn(2).build()
    act(game, "play shoot", "choose seat:1", "play spiritual_attack", "choose yes")
    assert (game.asking, game.legal()) == (0, ["choose seat:1", "choose seat:5"])
    game.act("choose seat:5")
    assert life(game) == [4, 4, 4, 5, 4, 3]
    assert (game.seat(0).danmaku_played, game.seat(2).danmaku_played) == (0, 1)  # a copy is not played (H-14)


def test_reisen_udongein_inaba_lunatic_red_eyes_copy_does_not_pay_for_range():
    """A copied Shoot reaches as far as Reisen's range: no danmaku card is thrown in (H-14)."""
    game = scene(6).seat(0, "reisen_udongein_inaba", hand="spiritual_attack laser_shot").seat(2, hand="shoot grimoire").turn(2).build()
    act(game, "play shoot", "choose seat:1", "play spiritual_attack", "choose yes")
    assert game.legal() == ["choose seat:1", "choose seat:5"]
    game.act("choose seat:5")
    assert game.seat(5).life == 3
    assert kinds(game.seat(0).hand)[0] == "laser_shot"


def test_reisen_udongein_inaba_lunatic_red_eyes_copies_a_spell():
    """A Spell Card is copied as hers; the copy can be declined."""
    for answer, cards in (("choose yes", 2), ("pass", 0)):
        game = (
            scene()
            .seat(0, "reisen_udongein_inaba", hand="spiritual_attack")
            .seat(1, "patchouli_knowledge", hand="bomb power")
            .turn(1)
            .build()
        )
        act(game, "play bomb", "choose seat:0", "play spiritual_attack", answer)
        if answer != "pass":
            game.act("pass")
        assert game.seat(0).life == 4
        assert len(game.seat(0).hand) == cards
        assert kinds(game.seat(1).hand) == ["power"]
        assert game.seat(1).spell_used


def test_reisen_udongein_inaba_lunatic_red_eyes_copies_once():
    """She is the one who is asked, once, and the copy is carried out once."""
    start = scene().seat(0, "reisen_udongein_inaba", hand="spiritual_attack").seat(1, hand="laser_shot grimoire").turn(1)
    game = start.build()
    act(game, "play laser_shot", "choose seat:0", "play spiritual_attack")
    assert (game.asking, game.question) == (0, "may")
    act(game, "choose yes", "choose seat:2")
    assert (game.asking, game.question) == (1, "main")
    assert life(game) == [4, 4, 3, 5]


def test_reisen_udongein_inaba_lunatic_red_eyes_copy_cannot_be_cancelled():
    """The copy is part of her effect (H-14): a Bomb may stop her Spell Card, not the copy."""
    game = (
        scene().seat(0, "reisen_udongein_inaba", hand="spiritual_attack").seat(1, "cirno", hand="laser_shot bomb grimoire").turn(1).build()
    )
    act(game, "play laser_shot", "choose seat:2", "play spiritual_attack")
    assert (game.asking, game.question) == (1, "cancel")
    act(game, "pass", "choose yes", "choose seat:1")
    assert game.seat(1).life == 3
    game = (
        scene().seat(0, "reisen_udongein_inaba", hand="spiritual_attack").seat(1, "cirno", hand="laser_shot bomb grimoire").turn(1).build()
    )
    act(game, "play laser_shot", "choose seat:2", "play spiritual_attack", "play bomb")
    assert life(game) == [4, 4, 3, 5]


def test_reisen_udongein_inaba_lunatic_red_eyes_refusals():
    """Not against action cards that are no danmaku, Remilia's uncancelable Spell Card, or her own cards."""
    game = scene().seat(0, "reisen_udongein_inaba", hand="spiritual_attack").seat(1, hand="grimoire power").turn(1).build()
    game.act("play grimoire")
    assert game.asking == 1
    game = scene().seat(0, "reisen_udongein_inaba", hand="spiritual_attack").seat(1, "remilia_scarlet", hand="bomb power").turn(1).build()
    act(game, "play bomb", "choose seat:0")
    assert game.seat(0).life == 3
    game = scene().seat(0, "reisen_udongein_inaba", hand="spiritual_attack shoot grimoire").build()
    assert "play spiritual_attack" not in game.legal()
    act(game, "play shoot", "choose seat:1")
    assert game.seat(1).life == 3


def test_reisen_udongein_inaba_lunatic_red_eyes_copy_needs_somebody_in_range():
    """Where the copied effect would have no target for her there is no copy to offer."""
    game = (
        scene()
        .seat(0, "reisen_udongein_inaba", hand="spiritual_attack")
        .seat(1, items="focus")
        .seat(2, "kirisame_marisa", hand="bomb grimoire", items="power power")
        .seat(3, items="focus")
        .turn(2)
        .build()
    )
    act(game, "play bomb", "choose seat:3", "play spiritual_attack")
    assert (game.asking, game.question) == (2, "main")
    assert life(game) == [4, 4, 4, 5]


# ---------------------------------------------------------------- Reiuji Utsuho


def test_reiuji_utsuho_pays_two_cards_for_her_spell():
    """On her turn she may discard 2 cards to activate her Spell Card, counted for the round."""
    game = scene().seat(0, "reiuji_utsuho", hand="graze power grimoire").build()
    act(game, "spell reiuji_utsuho", "choose card:graze", "choose card:power", "choose seat:1")
    assert game.seat(1).life == 1
    assert game.seat(0).life == 3
    assert kinds(game.discard) == ["graze", "power"]
    assert game.seat(0).spell_used
    assert "spell reiuji_utsuho" not in game.legal()


def test_reiuji_utsuho_needs_two_hand_cards_and_her_turn():
    """Items are no payment (C-1)."""
    game = scene().seat(0, "reiuji_utsuho", hand="grimoire", items="power power").build()
    assert "spell reiuji_utsuho" not in game.legal()
    game = scene().seat(0, "reiuji_utsuho", hand="graze power focus").seat(1, hand="shoot grimoire").turn(1).build()
    act(game, "play shoot", "choose seat:0")
    assert game.legal() == ["pass", "play graze"]


def test_reiuji_utsuho_nuclear_excursion_is_three_attacks():
    """Three attacks on one player in range, each avoided on its own; her own loss comes last (H-15)."""
    game = scene(6).seat(0, "reiuji_utsuho", hand="spiritual_attack grimoire").seat(1, hand="graze power").build()
    game.act("play spiritual_attack")
    assert game.legal() == ["choose seat:1", "choose seat:5"]
    act(game, "choose seat:1", "pass", "play graze")
    assert life(game)[:2] == [3, 2]
    assert [line[:6] for line in game.log if "loses" in line] == ["seat 1", "seat 1", "seat 0"]


def test_reiuji_utsuho_costs_stay_paid_when_cancelled():
    """Cancelled, it costs the cards and the round, but no life (K-6)."""
    game = scene().seat(0, "reiuji_utsuho", hand="graze power grimoire").seat(1, "cirno", hand="bomb").build()
    act(game, "spell reiuji_utsuho", "choose card:graze", "choose card:power", "choose seat:1", "play bomb")
    assert life(game) == [4, 4, 4, 5]
    assert kinds(game.seat(0).hand) == ["grimoire"]
    assert game.seat(0).spell_used


def test_reiuji_utsuho_at_one_life():
    """She may activate it at 1 life; the own loss happens though the target falls, and both are defeated together."""
    game = scene(turns=9).seat(0, "reiuji_utsuho", hand="spiritual_attack grimoire", life=1).seat(1, life=2).build()
    act(game, "play spiritual_attack", "choose seat:1")
    assert game.seat(0).defeated
    assert game.seat(1).defeated
    assert not game.over


def test_reiuji_utsuho_double_defeat_of_the_last_two_is_a_draw():
    """If this removes the last two players together, nobody wins."""
    game = (
        scene()
        .seat(0, "reiuji_utsuho", role="heroine", hand="spiritual_attack grimoire", life=1)
        .seat(1, role="stage_boss", life=3)
        .seat(2, role="stage_boss", defeated=True)
        .seat(3, role="ex_boss", defeated=True)
        .build()
    )
    game.act("play spiritual_attack")  # only one player to choose
    assert game.over
    assert game.outcome == "draw"
    assert game.winners == []


# ---------------------------------------------------------------- Remilia Scarlet


def test_remilia_scarlet_draws_when_she_avoids():
    """When she avoids an attack she may draw 1."""
    for answer, cards in (("choose yes", 1), ("pass", 0)):
        game = scene().seat(0, "remilia_scarlet", hand="graze").seat(1, hand="shoot grimoire").turn(1).build()
        act(game, "play shoot", "choose seat:0", "play graze", answer)
        assert len(game.seat(0).hand) == cards


def test_remilia_scarlet_draws_when_somebody_protects_her():
    """It is still she who avoids."""
    game = scene().seat(0, "remilia_scarlet").seat(1, hand="shoot grimoire").seat(2, hand="graze laser_shot").turn(1).build()
    act(game, "play shoot", "choose seat:0", "play graze", "choose yes")
    assert len(game.seat(0).hand) == 1


def test_remilia_scarlet_draws_nothing_for_a_cancelled_attack():
    """No draw if the attack was cancelled, nor if it hit, nor for somebody else's avoiding."""
    game = scene().seat(0, "remilia_scarlet", hand="bomb").seat(1, hand="shoot grimoire").turn(1).build()
    act(game, "play shoot", "choose seat:0", "play bomb")
    assert (game.asking, game.seat(0).hand, game.seat(0).life) == (1, [], 4)
    game = scene().seat(0, "remilia_scarlet").seat(1, hand="shoot grimoire").seat(2, hand="graze").turn(1).build()
    act(game, "play shoot", "choose seat:2", "play graze")
    assert (game.asking, game.question) == (1, "main")


def test_remilia_scarlet_spear_the_gungnir():
    """Attack anybody at any range; neither the Spell Card nor the attack can be stopped."""
    game = (
        scene(6)
        .seat(0, "remilia_scarlet", hand="spiritual_attack grimoire")
        .seat(1, "kamishirasawa_keine", hand="bomb spiritual_attack")
        .seat(2, "shameimaru_aya", hand="shoot")
        .seat(3, hand="graze", items="supernatural_border")
        .deck("power/spring")
        .build()
    )
    game.act("play spiritual_attack")
    assert game.legal() == [f"choose seat:{other}" for other in range(1, 6)]
    game.act("choose seat:3")
    assert game.seat(3).life == 4  # the Heroine had 5; her Border flipped for nothing (K-15)
    assert "power/spring" in game.discard
    assert (game.asking, game.question) == (0, "main")


# ---------------------------------------------------------------- Shameimaru Aya


def test_shameimaru_aya_cancels_a_danmaku_card():
    """She may discard a danmaku card to cancel anybody's danmaku card, also one aimed at another."""
    game = scene().seat(0, "shameimaru_aya", hand="shoot power").seat(1, hand="laser_shot grimoire").turn(1).build()
    act(game, "play laser_shot", "choose seat:2")
    assert (game.asking, game.legal()) == (0, ["pass", "ability shameimaru_aya"])
    game.act("ability shameimaru_aya")
    assert game.seat(2).life == 4
    assert game.seat(1).danmaku_played == 1
    assert kinds(game.discard) == ["laser_shot", "shoot"]


def test_shameimaru_aya_discarding_does_not_count():
    """The card she discards is not played: her limit is untouched."""
    game = scene().seat(0, "shameimaru_aya", hand="shoot shoot laser_shot grimoire").build()
    act(game, "play laser_shot", "choose seat:1", "ability shameimaru_aya")  # even her own card, though pointless (H-19)
    assert game.seat(1).life == 4
    assert game.seat(0).danmaku_played == 1
    assert kinds(game.seat(0).hand) == ["grimoire", "shoot"]


def test_shameimaru_aya_once_in_each_turn():
    """One use in each turn of the game, whoever's turn it is (T-2)."""
    start = scene(turns=9).seat(0, "shameimaru_aya", hand="shoot shoot shoot").seat(1, hand="laser_shot seal_away", items="power")
    game = start.seat(2, hand="last_word").turn(1).build()
    act(game, "play laser_shot", "choose seat:2", "ability shameimaru_aya")
    act(game, "play seal_away", "choose seat:2")
    assert game.seat(2).life == 3
    pass_until(game, "main", 2)
    game.act("play last_word")
    assert (game.asking, game.legal()) == (0, ["pass", "ability shameimaru_aya"])


def test_shameimaru_aya_needs_a_danmaku_card_and_a_danmaku_card_to_cancel():
    """No Spell Cards, no other action cards, and nothing without a danmaku card to discard."""
    game = scene().seat(0, "shameimaru_aya", hand="power graze").seat(1, hand="laser_shot grimoire").turn(1).build()
    act(game, "play laser_shot", "choose seat:2")
    assert game.seat(2).life == 3
    game = (
        scene()
        .seat(0, "shameimaru_aya", hand="shoot")
        .seat(1, "patchouli_knowledge", hand="spiritual_attack grimoire power")
        .turn(1)
        .build()
    )
    act(game, "play spiritual_attack", "choose seat:2")
    assert game.seat(2).life == 3
    game.act("play grimoire")
    assert (game.asking, len(game.seat(1).hand)) == (1, 5)


def test_shameimaru_aya_lets_other_action_cards_pass():
    """What she cancels is a danmaku card: an action card without danmaku she cannot answer, though it can be cancelled."""
    start = scene().seat(0, "shameimaru_aya", hand="shoot shoot").seat(1, hand="grimoire borrow").seat(2, items="power").turn(1)
    game = start.build()
    game.act("play grimoire")
    assert (game.asking, game.question) == (1, "main")
    game.act("play borrow")
    assert kinds(game.seat(1).items) == ["power"]


def test_shameimaru_aya_pays_with_danmaku_only():
    """A dodge card or an item does not pay for it."""
    game = scene().seat(0, "shameimaru_aya", hand="graze shoot melee power").seat(1, hand="shoot").turn(1).build()
    act(game, "play shoot", "choose seat:0", "ability shameimaru_aya")
    assert game.legal() == ["choose card:melee", "choose card:shoot"]


def test_shameimaru_aya_wind_god_girl():
    """Reveal 5: danmaku cards go to her hand, the others to the discard pile; may attack."""
    game = scene().seat(0, "shameimaru_aya", hand="spiritual_attack grimoire").deck("shoot bomb power laser_shot graze focus").build()
    act(game, "play spiritual_attack", "pass")
    assert kinds(game.seat(0).hand) == ["grimoire", "laser_shot", "shoot"]
    assert kinds(game.discard) == ["bomb", "graze", "power", "spiritual_attack"]
    assert game.deck[0].startswith("focus")
    game = scene().seat(0, "shameimaru_aya", hand="spiritual_attack grimoire").build()
    act(game, "play spiritual_attack", "choose seat:1")
    assert game.seat(1).life == 3


def test_shameimaru_aya_wind_god_girl_attacks_last():
    """The danmaku cards are in her hand and the others discarded before she attacks, whatever incident is in play."""
    start = scene().seat(0, "shameimaru_aya", hand="spiritual_attack").seat(1, hand="graze").incident("crossing_to_higan")
    game = start.deck("shoot bomb power laser_shot focus").build()
    act(game, "play spiritual_attack", "choose seat:1")
    assert (game.asking, game.question) == (1, "attacked")
    assert kinds(game.seat(0).hand) == ["laser_shot", "shoot"]
    assert (kinds(game.discard), game.collected) == (["bomb", "focus", "power"], [])


# ---------------------------------------------------------------- Toyosatomimi no Miko


def test_toyosatomimi_no_miko_hands_cards_on():
    """On her turn she may give any number of hand cards to another player."""
    game = scene().seat(0, "toyosatomimi_no_miko", hand="bomb graze power").build()
    game.act("ability toyosatomimi_no_miko")
    assert game.legal() == ["choose seat:1", "choose seat:2", "choose seat:3"]
    act(game, "choose seat:2", "choose card:bomb", "choose card:graze", "pass")
    assert kinds(game.seat(2).hand) == ["bomb", "graze"]
    assert kinds(game.seat(0).hand) == ["power"]
    assert "ability toyosatomimi_no_miko" in game.legal()


def test_toyosatomimi_no_miko_hands_on_kinds_of_cards():
    """Of two copies of a card she is not asked which, as long as no incident collects by season (C-19)."""
    game = scene().seat(0, "toyosatomimi_no_miko", hand="graze/winter graze/spring bomb/spring focus").build()
    act(game, "ability toyosatomimi_no_miko", "choose seat:2", "choose card:graze")
    assert game.question == "card"
    act(game, "choose card:graze", "pass")
    assert kinds(game.seat(2).hand) == ["graze", "graze"]


def test_toyosatomimi_no_miko_hands_on_kinds_of_cards_after_the_first_too():
    """Neither for the first card nor for a later one is she asked which of two copies she means."""
    game = scene().seat(0, "toyosatomimi_no_miko", hand="bomb focus graze/winter graze/spring").build()
    act(game, "ability toyosatomimi_no_miko", "choose seat:2", "choose card:bomb", "choose card:graze")
    assert (game.question, kinds(game.seat(2).hand)) == ("card", ["bomb", "graze"])


def test_toyosatomimi_no_miko_does_not_give_on_others_turns():
    game = scene().seat(0, "toyosatomimi_no_miko", hand="graze").seat(1, hand="shoot grimoire").turn(1).build()
    act(game, "play shoot", "choose seat:0")
    assert game.legal() == ["pass", "play graze"]


def test_toyosatomimi_no_miko_with_an_empty_hand_activates_her_spell():
    """Giving her last card away opens her Spell Card, once a round."""
    game = scene().seat(0, "toyosatomimi_no_miko", hand="power").deck("grimoire focus voile").build()
    assert "spell toyosatomimi_no_miko" not in game.legal()
    act(game, "ability toyosatomimi_no_miko", "choose seat:1")
    assert game.legal() == ["pass", "spell toyosatomimi_no_miko"]
    act(game, "spell toyosatomimi_no_miko", "choose seat:0", "choose seat:1")
    assert kinds(game.seat(0).hand) == ["focus", "grimoire", "voile"]
    assert game.seat(1).life == 3
    assert game.seat(0).spell_used


def test_toyosatomimi_no_miko_with_an_empty_hand_in_her_main_step():
    """Her Spell Card is open to her there like anything she might play."""
    game = scene().seat(0, "toyosatomimi_no_miko").build()
    assert (game.question, game.legal()) == ("main", ["pass", "spell toyosatomimi_no_miko"])


def test_toyosatomimi_no_miko_with_an_empty_hand_before_a_defeat():
    """Whenever she has priority (H-11): also while a player at 0 life may still be brought back."""
    start = scene().seat(0, "toyosatomimi_no_miko", hand="laser_shot").seat(1, life=1).deck("power power power power")
    game = start.build()
    act(game, "play laser_shot", "choose seat:1")
    while game.question != "rescue":
        game.act("pass")
    assert (game.asking, game.legal()) == (0, ["pass", "spell toyosatomimi_no_miko"])


def test_toyosatomimi_no_miko_armillary_sphere_needs_range_when_it_attacks():
    """Captured by a player whose Power is shot away in between, it attacks nobody out of range (K-12)."""
    start = scene(6).seat(0, "kazami_yuuka", hand="capture_spell_card", items="power").seat(5, "toyosatomimi_no_miko")
    game = start.seat(3, hand="focus focus").deck("graze graze graze graze").build()
    act(game, "play capture_spell_card", "choose seat:3", "choose seat:2")
    assert (game.asking, game.question) == (5, "cancel")
    act(game, "spell toyosatomimi_no_miko", "choose seat:4", "choose seat:0")
    assert (game.seat(0).range, game.seat(0).life, game.seat(2).life) == (1, 3, 4)


def test_toyosatomimi_no_miko_empty_hand_on_anothers_turn():
    """Immediately, on any turn, as soon as her hand is empty (H-11); the drawn cards come in time to avoid an attack."""
    game = scene().seat(0, "toyosatomimi_no_miko").seat(1, hand="shoot grimoire").deck("graze power focus").turn(1).build()
    act(game, "play shoot", "choose seat:0")
    assert (game.asking, game.question, game.legal()) == (0, "cancel", ["pass", "spell toyosatomimi_no_miko"])
    game.act("pass")
    assert (game.asking, game.question, game.legal()) == (0, "attacked", ["pass", "spell toyosatomimi_no_miko"])
    act(game, "spell toyosatomimi_no_miko", "choose seat:0", "pass", "play graze")
    assert game.seat(0).life == 4
    assert game.seat(0).spell_used


def test_toyosatomimi_no_miko_empty_hand_only_once_a_round():
    game = scene().seat(0, "toyosatomimi_no_miko", spell_used=True).seat(1, hand="shoot grimoire").turn(1).build()
    act(game, "play shoot", "choose seat:0")
    assert game.seat(0).life == 3
    game = scene().seat(0, "toyosatomimi_no_miko").seat(1, hand="shoot grimoire").incident("spring_snow").turn(1).build()
    act(game, "play shoot", "choose seat:0")
    assert game.seat(0).life == 3


def test_toyosatomimi_no_miko_armillary_sphere():
    """A player, herself or another, discards the hand and draws 3; may attack a player in range."""
    game = (
        scene()
        .seat(0, "toyosatomimi_no_miko", hand="spiritual_attack grimoire")
        .seat(2, hand="graze bomb")
        .deck("power focus voile")
        .build()
    )
    act(game, "play spiritual_attack")
    assert game.legal() == ["choose seat:0", "choose seat:1", "choose seat:2", "choose seat:3"]
    game.act("choose seat:2")
    assert game.legal() == ["pass", "choose seat:1", "choose seat:3"]
    game.act("pass")
    pass_until(game, "main", 0)
    assert kinds(game.seat(2).hand) == ["focus", "power", "voile"]
    assert {"bomb", "graze"} <= set(kinds(game.discard))


def test_toyosatomimi_no_miko_armillary_sphere_on_one_player():
    """A player who has discarded the hand and drawn 3 may be the one she attacks."""
    start = (
        scene().seat(0, "toyosatomimi_no_miko", hand="spiritual_attack").seat(1, hand="graze grimoire").deck("power focus voile stopwatch")
    )
    game = start.build()
    act(game, "play spiritual_attack", "choose seat:1")
    assert game.legal() == ["pass", "choose seat:1", "choose seat:3"]
    game.act("choose seat:1")
    assert kinds(game.seat(1).hand) == ["focus", "power", "stopwatch", "voile"]  # the Graze was gone when the attack came
    assert game.seat(1).life == 3


def test_toyosatomimi_no_miko_an_invocation_card_keeps_to_her_main_step():
    """Only the empty hand lifts the timing: an invocation card does not activate it on another's turn."""
    game = scene().seat(0, "toyosatomimi_no_miko", hand="spiritual_attack").seat(1, hand="shoot grimoire").turn(1).build()
    act(game, "play shoot", "choose seat:0")
    assert game.seat(0).life == 3


# ---------------------------------------------------------------- Yagokoro Eirin


def test_yagokoro_eirin_plays_items_for_others():
    """She may play items in the name of another player, who then controls them (H-12)."""
    game = scene().seat(0, "yagokoro_eirin", hand="power grimoire").build()
    game.act("play power")
    assert (game.question, game.legal()) == ("controller", [f"choose seat:{other}" for other in range(4)])
    game.act("choose seat:1")
    assert kinds(game.seat(1).items) == ["power"]
    assert game.seat(0).items == []
    assert kinds(game.seat(0).hand) == ["grimoire"]


def test_yagokoro_eirin_the_other_player_gets_the_effect():
    """A Sutra Scroll played for somebody else lets that player draw, and that player keeps the limit."""
    game = scene().seat(0, "yagokoro_eirin", hand="sorcerers_sutra_scroll grimoire").seat(1, items="stopwatch").deck("focus").build()
    act(game, "play sorcerers_sutra_scroll", "choose seat:1")
    assert (game.asking, game.question) == (1, "limit")
    game.act("choose card:stopwatch")
    assert kinds(game.seat(1).items) == ["sorcerers_sutra_scroll"]
    assert kinds(game.seat(1).hand) == ["focus"]
    assert kinds(game.seat(0).hand) == ["grimoire"]


def test_yagokoro_eirin_items_for_herself():
    game = scene().seat(0, "yagokoro_eirin", hand="sorcerers_sutra_scroll grimoire").deck("focus").build()
    act(game, "play sorcerers_sutra_scroll", "choose seat:0")
    assert kinds(game.seat(0).items) == ["sorcerers_sutra_scroll"]
    assert kinds(game.seat(0).hand) == ["focus", "grimoire"]


def test_yagokoro_eirin_items_only_in_her_own_main_step():
    game = scene().seat(0, "yagokoro_eirin", hand="power graze").seat(1, hand="shoot grimoire").turn(1).build()
    act(game, "play shoot", "choose seat:2")
    assert (game.asking, game.legal()) == (0, ["pass", "play graze"])


def test_yagokoro_eirin_grazes_for_others_without_a_danmaku_card():
    """A reaction in another's name: the conditions are that player's, so Graze costs no danmaku card."""
    game = scene().seat(0, "yagokoro_eirin", hand="graze shoot").seat(1, hand="shoot grimoire").turn(1).build()
    act(game, "play shoot", "choose seat:2", "play graze")
    assert game.seat(2).life == 4
    assert kinds(game.seat(0).hand) == ["shoot"]
    game = scene().seat(0, hand="graze").seat(1, hand="shoot grimoire").turn(1).build()
    act(game, "play shoot", "choose seat:2")
    assert game.seat(2).life == 3  # anybody else would have had to pay


def test_yagokoro_eirin_pays_reimus_surcharge():
    """Other costs she pays herself (H-12)."""
    game = scene().seat(0, "yagokoro_eirin", hand="graze power").seat(1, "hakurei_reimu", hand="shoot grimoire").turn(1).build()
    act(game, "play shoot", "choose seat:2", "play graze")
    assert game.seat(2).life == 4
    assert game.seat(0).hand == []
    game = scene().seat(0, "yagokoro_eirin", hand="graze").seat(1, "hakurei_reimu", hand="shoot grimoire").turn(1).build()
    act(game, "play shoot", "choose seat:2")
    assert game.seat(2).life == 3


def test_yagokoro_eirin_the_protected_player_avoids():
    """It counts as that player's card: Remilia avoids, and may draw."""
    game = scene().seat(0, "yagokoro_eirin", hand="graze").seat(1, hand="shoot grimoire").seat(2, "remilia_scarlet").turn(1).build()
    act(game, "play shoot", "choose seat:2", "play graze", "choose yes")
    assert len(game.seat(2).hand) == 1


def test_yagokoro_eirin_bombs_her_own_card_in_anothers_name():
    """To the others it is somebody else's card, so she may, pointless as it is (H-12); nobody else may cancel the own card."""
    start = scene().seat(0, "yagokoro_eirin", hand="shoot bomb grimoire")
    game = start.build()
    act(game, "play shoot", "choose seat:1")
    assert (game.asking, game.question, game.legal()) == (0, "cancel", ["pass", "play bomb"])
    game.act("play bomb")
    assert (game.seat(1).life, kinds(game.discard)) == (4, ["bomb", "shoot"])
    game = start.seat(0, hand="shoot bomb grimoire").build()
    act(game, "play shoot", "choose seat:1")
    assert (game.question, game.seat(1).life) == ("main", 3)


def test_yagokoro_eirin_cancels_in_anothers_name_with_cards_only():
    """She plays reaction cards on behalf of others, not Spell Cards: a captured Phantasmal Emperor does not answer her own card."""
    start = scene().seat(0, "yagokoro_eirin", hand="grimoire capture_spell_card focus").seat(1, "kamishirasawa_keine")
    game = start.build()
    game.act("play grimoire")
    assert (game.question, len(game.seat(0).hand)) == ("main", 4)


def test_yagokoro_eirin_hourai_elixir():
    """She regains 1 life, may let another player gain 1 too, and may attack a player in range."""
    game = scene().seat(0, "yagokoro_eirin", hand="spiritual_attack grimoire", life=2).seat(1, life=1).build()
    game.act("play spiritual_attack")
    assert game.legal() == ["pass", "choose seat:1"]
    act(game, "choose seat:1", "choose seat:3")
    assert life(game) == [3, 2, 4, 4]


def test_yagokoro_eirin_hourai_elixir_on_one_player():
    """A player who has regained a life may be the one she attacks."""
    game = scene().seat(0, "yagokoro_eirin", hand="spiritual_attack", life=2).seat(1, life=1).build()
    act(game, "play spiritual_attack", "choose seat:1")
    assert game.legal() == ["pass", "choose seat:1", "choose seat:3"]
    game.act("choose seat:1")
    assert life(game) == [3, 1, 4, 5]
    assert len(game.seat(1).hand) == 1  # for the life regained and lost again


def test_yagokoro_eirin_hourai_elixir_attacks_last():
    """Both have regained their life before the attack."""
    game = scene().seat(0, "yagokoro_eirin", hand="spiritual_attack", life=2).seat(1, life=1, hand="graze").build()
    act(game, "play spiritual_attack", "choose seat:1", "choose seat:1")
    assert (game.question, life(game)) == ("attacked", [3, 2, 4, 5])


def test_yagokoro_eirin_hourai_elixir_stops_at_max_life():
    """Nobody else need gain; max life is the cap."""
    game = scene().seat(0, "yagokoro_eirin", hand="spiritual_attack grimoire").seat(1, life=1).build()
    act(game, "play spiritual_attack", "pass", "pass")
    assert life(game) == [4, 1, 4, 5]


def test_yagokoro_eirin_hourai_elixir_under_voyage_to_makai():
    """Healing does nothing then (I-15); the attack happens."""
    game = scene().seat(0, "yagokoro_eirin", hand="spiritual_attack grimoire", life=2).seat(1, life=2).incident("voyage_to_makai").build()
    act(game, "play spiritual_attack", "choose seat:1")
    assert life(game)[:2] == [2, 1]


# ---------------------------------------------------------------- Yakumo Yukari


def test_yakumo_yukari_attacks_when_she_avoids():
    """Avoiding an attack lets her attack a player in range of herself, whatever range the attack had."""
    game = scene(6).seat(0, "yakumo_yukari", hand="graze").seat(3, hand="last_word grimoire").turn(3).build()
    game.act("play last_word")
    assert (game.asking, game.question) == (0, "attacked")
    game.act("play graze")
    assert (game.asking, game.legal()) == (0, ["pass", "choose seat:1", "choose seat:5"])
    game.act("choose seat:5")
    assert life(game) == [4, 3, 3, 5, 3, 2]


def test_yakumo_yukari_need_not_attack():
    game = scene().seat(0, "yakumo_yukari", hand="graze").seat(1, hand="shoot grimoire").turn(1).build()
    act(game, "play shoot", "choose seat:0", "play graze", "pass")
    assert life(game) == [4, 4, 4, 5]


def test_yakumo_yukari_does_not_attack_when_another_avoids():
    """It is for attacks that she avoids herself."""
    game = scene().seat(0, hand="shoot").seat(1, hand="graze").seat(2, "yakumo_yukari").build()
    act(game, "play shoot", "choose seat:1", "play graze")
    assert (game.question, life(game)) == ("none", [4, 4, 4, 5])


def test_yakumo_yukari_not_when_cancelled():
    """An attack that was cancelled was not avoided."""
    game = scene().seat(0, "yakumo_yukari", hand="bomb").seat(1, hand="shoot grimoire").turn(1).build()
    act(game, "play shoot", "choose seat:0", "play bomb")
    assert (game.asking, game.question) == (1, "main")


def test_yakumo_yukari_her_attack_is_no_danmaku_card():
    """It counts toward no limit, and can be avoided."""
    game = scene().seat(0, "yakumo_yukari", hand="graze").seat(1, hand="shoot graze grimoire").turn(1).build()
    act(game, "play shoot", "choose seat:0", "play graze", "choose seat:1", "play graze")
    assert life(game) == [4, 4, 4, 5]
    assert game.seat(0).danmaku_played == 0


def spiriting_away(**other):
    game = scene().seat(0, "yakumo_yukari", hand="spiritual_attack grimoire").seat(1, **other).build()
    act(game, "play spiritual_attack", "choose seat:1", "pass")
    return game


def test_yakumo_yukari_spiriting_away_takes_a_chosen_hand_card():
    """She may look at a hand, then takes a card of her choice from it."""
    game = spiriting_away(hand="voile graze focus")
    assert game.question == "may"
    game.act("choose yes")
    assert (game.question, game.legal()) == ("card", ["choose card:focus", "choose card:graze", "choose card:voile"])
    game.act("choose card:voile")
    assert kinds(game.seat(0).hand) == ["grimoire", "voile"]
    assert kinds(game.seat(1).hand) == ["focus", "graze"]


def test_yakumo_yukari_spiriting_away_shows_the_hand_to_her_alone():
    """The look is hers: whatever is in the hand, nobody else sees a difference."""

    def others_see(hand):
        game = spiriting_away(hand=hand)
        game.act("choose yes")
        return [game.observe(seat).tolist() for seat in (0, 2, 3)]

    yukari, *others = others_see("voile graze focus")
    same_yukari, *same_others = others_see("grimoire shoot power")
    assert others == same_others
    assert yukari != same_yukari


def test_yakumo_yukari_spiriting_away_without_looking_takes_any_card():
    """Taking is mandatory, looking is not (H-18); unseen, chance picks the card."""
    game = spiriting_away(hand="voile graze focus")
    game.act("pass")
    assert (game.asking, game.question) == (0, "main")
    assert (len(game.seat(0).hand), len(game.seat(1).hand)) == (2, 2)
    assert not any("looks" in line for line in game.log)


def test_yakumo_yukari_spiriting_away_takes_an_item_instead():
    """Or she gains control of an item in play; its limits count for her."""
    game = spiriting_away(hand="voile", items="power focus")
    act(game, "pass", "choose yes", "choose card:focus")
    assert kinds(game.seat(0).items) == ["focus"]
    assert kinds(game.seat(1).items) == ["power"]
    assert kinds(game.seat(1).hand) == ["voile"]


def test_yakumo_yukari_spiriting_away_is_hers_to_decide():
    """She says whether to look and what to take; the attack is on the player robbed, or on nobody."""
    game = scene().seat(0, "yakumo_yukari", hand="spiritual_attack").seat(1, hand="voile", items="power power focus").build()
    act(game, "play spiritual_attack", "choose seat:1")
    assert game.legal() == ["pass", "choose seat:1"]
    game.act("pass")
    assert (game.asking, game.question) == (0, "may")
    game.act("pass")
    assert (game.asking, game.question) == (0, "may")
    game.act("choose yes")
    assert (game.asking, game.question, game.legal()) == (0, "item", ["choose card:focus", "choose card:power"])
    game.act("choose card:power")
    assert [seat.range for seat in game.seats] == [2, 2, 1, 1]


def test_yakumo_yukari_spiriting_away_takes_one_thing():
    """From who has items and no hand she takes an item, and is asked only which; one thing is all she takes."""
    game = scene().seat(0, "yakumo_yukari", hand="spiritual_attack graze").seat(1, items="power focus").build()
    act(game, "play spiritual_attack", "choose seat:1", "pass")
    assert (game.question, game.legal()) == ("item", ["choose card:focus", "choose card:power"])
    game.act("choose card:power")
    assert (game.question, kinds(game.seat(1).items)) == ("none", ["focus"])
    game = scene().seat(0, "yakumo_yukari", hand="spiritual_attack").seat(1, hand="voile", items="power focus").build()
    act(game, "play spiritual_attack", "choose seat:1", "pass", "pass", "choose yes", "choose card:focus")
    assert (game.question, kinds(game.seat(1).items), kinds(game.seat(1).hand)) == ("none", ["power"], ["voile"])


def test_yakumo_yukari_spiriting_away_from_the_last_other_player():
    """With an empty hand of her own, and nobody else at the table, she takes the card all the same."""
    start = scene().roles("stage_boss stage_boss ex_boss heroine").seat(1, defeated=True).seat(2, defeated=True)
    game = start.seat(0, "yakumo_yukari", hand="spiritual_attack").seat(3, hand="voile").build()
    act(game, "play spiritual_attack", "pass", "pass")
    assert kinds(game.seat(0).hand) == ["voile"]


def test_yakumo_yukari_spiriting_away_leaves_the_items_for_a_hand_card():
    """With both to take she says which: the hand card, here one she has seen."""
    game = spiriting_away(hand="voile graze", items="power focus")
    act(game, "choose yes", "pass", "choose card:graze")
    assert kinds(game.seat(0).hand) == ["graze", "grimoire"]
    assert game.seat(0).items == []
    assert kinds(game.seat(1).items) == ["focus", "power"]


def test_yakumo_yukari_spiriting_away_takes_what_there_is():
    """With items only she takes an item, with nothing at all she takes nothing."""
    game = spiriting_away(items="power")
    assert kinds(game.seat(0).items) == ["power"]
    game = spiriting_away()
    assert (game.question, kinds(game.seat(0).hand), game.seat(0).items) == ("main", ["grimoire"], [])


def test_yakumo_yukari_is_not_asked_to_look_at_an_empty_hand():
    """There is nothing to see in it (H-22): of two items she picks one at once."""
    game = spiriting_away(items="power focus")
    assert (game.question, game.legal()) == ("item", ["choose card:focus", "choose card:power"])
    assert not any("looks" in line for line in game.log)


def test_yakumo_yukari_spiriting_away_attack_needs_range():
    """Any player may be robbed; the attack comes afterwards, if that player is in range by then."""
    game = scene(6).seat(0, "yakumo_yukari", hand="spiritual_attack grimoire").seat(2, items="power").build()
    game.act("play spiritual_attack")
    assert game.legal() == [f"choose seat:{other}" for other in range(1, 6)]
    act(game, "choose seat:2", "choose seat:2", "pass")
    assert kinds(game.seat(0).items) == ["power"]
    assert game.seat(2).life == 3  # the Power just taken reaches that far
    game = scene(6).seat(0, "yakumo_yukari", hand="spiritual_attack grimoire").seat(2, hand="power").build()
    act(game, "play spiritual_attack", "choose seat:2", "choose seat:2", "pass")
    assert game.seat(2).life == 4


# ---------------------------------------------------------------- what Spell Cards have in common


def test_spell_cards_once_per_round():
    """One Spell Card per round by whatever means, from turn start to turn start; a Bomb still cancels."""
    game = (
        scene(turns=9)
        .seat(0, "patchouli_knowledge", hand="spiritual_attack spiritual_attack bomb capture_spell_card", items="mini_hakkero")
        .seat(1, "cirno", hand="seal_away")
        .build()
    )
    act(game, "play spiritual_attack", "pass")
    assert not any(word in answer for answer in game.legal() for word in ("spiritual", "bomb", "capture", "use"))
    end_turn(game)
    assert game.turn == 1
    act(game, "play seal_away", "choose seat:0", "pass")
    assert (game.asking, game.legal()) == (0, ["pass", "play bomb"])
    game.act("play bomb")
    assert game.seat(0).life == 4
    pass_until(game, "main", 0)
    assert "play spiritual_attack" in game.legal()


def test_spell_cards_cancelled_count_too():
    """A cancelled Spell Card is used up for the round, its invocation card is spent (K-6, K-21)."""
    game = scene().seat(0, "patchouli_knowledge", hand="spiritual_attack spiritual_attack grimoire").seat(1, "cirno", hand="bomb").build()
    act(game, "play spiritual_attack", "choose seat:1", "play bomb")
    assert game.seat(0).spell_used
    assert "play spiritual_attack" not in game.legal()
    assert kinds(game.discard) == ["bomb", "spiritual_attack"]
    assert len(game.seat(0).hand) == 2


ACTION_SPELLS = (
    "alice_margatroid", "cirno", "hakurei_reimu", "hijiri_byakuren", "hinanawi_tenshi", "ibuki_suika", "kawashiro_nitori", "kazami_yuuka",
    "kirisame_marisa", "kochiya_sanae", "konpaku_youmu", "mononobe_no_futo", "patchouli_knowledge", "reiuji_utsuho", "shameimaru_aya",
    "toyosatomimi_no_miko", "yagokoro_eirin", "yakumo_yukari",
)  # fmt: skip


@pytest.mark.parametrize("character", ACTION_SPELLS)
def test_spell_cards_cancelled_do_nothing(character):
    """Every action Spell Card but Remilia's can be cancelled, and then none of its effects happens."""
    start = scene().seat(0, character, hand="spiritual_attack grimoire", items="stopwatch", life=3)
    game = start.seat(1, "izayoi_sakuya", hand="bomb graze", items="focus").build()
    deck = game.deck
    game.act("play spiritual_attack")
    for _ in range(4):
        if game.question != "cancel":
            game.act(game.legal()[-1])
    assert (game.asking, game.question) == (1, "cancel")
    game.act("play bomb")
    assert (game.asking, game.question) == (0, "main")
    assert life(game) == [3, 4, 4, 5]
    assert game.deck == deck
    assert (kinds(game.seat(0).hand), kinds(game.seat(1).hand)) == (["grimoire"], ["graze"])
    assert (kinds(game.seat(0).items), kinds(game.seat(1).items)) == (["stopwatch"], ["focus"])
    assert not any("until the next turn" in line for line in game.log)
    assert game.seat(0).spell_used


@pytest.mark.parametrize(
    ("character", "first", "reached"),
    [
        ("alice_margatroid", (), (1, 5)), ("cirno", (), (2, 3, 4)), ("hakurei_reimu", ("choose type:item",), (1, 5)),
        ("kirisame_marisa", (), (1, 5)), ("kochiya_sanae", (), (1, 5)), ("mononobe_no_futo", ("pass",), (1, 5)),
        ("patchouli_knowledge", (), (1, 5)), ("reiuji_utsuho", (), (1, 5)), ("shameimaru_aya", (), (1, 5)),
        ("toyosatomimi_no_miko", ("choose seat:3",), (1, 5)), ("yagokoro_eirin", (), (1, 5)),
    ],
)  # fmt: skip
def test_spell_cards_attack_in_range_only(character, first, reached):
    """Danmaku cards in hand add nothing to the range of a Spell Card's attack; only Shoot takes them."""
    game = scene(6).seat(0, character, hand="spiritual_attack laser_shot shoot").build()
    act(game, "play spiritual_attack", *first)
    assert [answer for answer in game.legal() if answer != "pass"] == [f"choose seat:{other}" for other in reached]


def test_spell_cards_under_spring_snow():
    """Nobody activates a Spell Card by any means; a Bomb still cancels (I-14)."""
    game = (
        scene()
        .seat(0, "reiuji_utsuho", hand="spiritual_attack bomb capture_spell_card shoot", items="mini_hakkero")
        .seat(1, "patchouli_knowledge", hand="bomb")
        .incident("spring_snow")
        .build()
    )
    assert game.legal() == ["pass", "play shoot"]
    act(game, "play shoot", "choose seat:1")
    assert (game.asking, game.legal()) == (1, ["pass", "play bomb"])
    game.act("play bomb")
    assert game.seat(1).life == 4


def test_spell_cards_under_overdrive():
    """1 life may be paid, also the last one, to activate one's own Spell Card in its normal timing, once a round (A-10, I-13)."""
    game = scene().seat(0, "yagokoro_eirin", hand="grimoire", life=1).incident("overdrive").build()
    assert "spell overdrive" in game.legal()
    act(game, "spell overdrive", "pass")
    assert game.seat(0).life == 1  # down to 0, healed by the Hourai Elixir
    assert len(game.seat(0).hand) == 2
    assert "spell overdrive" not in game.legal()


def test_spell_cards_under_overdrive_reactions():
    """A reaction Spell Card is paid for on another's turn, when its condition holds."""
    game = scene().seat(0, "hong_meiling", hand="grimoire").seat(1, hand="shoot grimoire").incident("overdrive").turn(1).build()
    act(game, "play shoot", "choose seat:2", "spell overdrive")
    assert life(game)[:3] == [3, 3, 3]
    game = scene().seat(0, "hong_meiling", hand="grimoire").incident("overdrive").build()
    assert "spell overdrive" not in game.legal()


def test_capture_spell_card_of_a_defeated_player():
    """Any player's Spell Card is activated as one's own, also that of a defeated player; reactions in their own timing."""
    game = (
        scene()
        .seat(0, "kazami_yuuka", hand="capture_spell_card grimoire")
        .seat(1, "patchouli_knowledge", role="ex_boss", defeated=True)
        .seat(2, "cirno")
        .seat(3, "hong_meiling")
        .build()
    )
    game.act("play capture_spell_card")
    assert game.legal() == ["choose seat:1", "choose seat:2"]
    act(game, "choose seat:1", "pass")
    assert len(game.seat(0).hand) == 3
    assert game.seat(0).spell_used


def test_capture_spell_card_judges_range_for_the_capturer():
    """Attacks come from whoever captured: no long way round, no Freeze reach."""
    game = scene(6).seat(0, "kazami_yuuka", hand="capture_spell_card grimoire").seat(1, "cirno").build()
    game.act("play capture_spell_card")
    assert game.legal() == ["choose seat:1", "choose seat:5"]


def test_bomb_is_not_cancelled_by_a_bomb():
    """The cancelling half cannot be cancelled itself."""
    game = scene().seat(0, hand="shoot grimoire").seat(1, "cirno", hand="bomb").seat(2, "kazami_yuuka", hand="bomb").build()
    act(game, "play shoot", "choose seat:1", "play bomb")
    assert (game.asking, game.question) == (0, "main")
    assert game.seat(1).life == 4
    assert kinds(game.seat(2).hand) == ["bomb"]


def test_shoot_costs_stay_paid_after_a_cancel():
    """Danmaku cards thrown in are gone, and not counted as played."""
    start = scene(6).seat(0, hand="shoot shoot laser_shot grimoire", items="power")
    game = start.seat(2, "cirno", hand="bomb", items="stopwatch").build()
    act(game, "play shoot", "choose seat:2")
    assert game.legal() == ["choose card:laser_shot", "choose card:shoot"]  # one more range is needed
    act(game, "choose card:shoot", "pass", "play bomb")
    assert game.seat(2).life == 4
    assert kinds(game.seat(0).hand) == ["grimoire", "laser_shot"]
    assert game.seat(0).danmaku_played == 1


def test_supernatural_border_flips_once_an_attack():
    """Once for an attack, by itself; then a Graze is still possible."""
    game = (
        scene().seat(0, hand="shoot grimoire").seat(1, hand="graze", items="supernatural_border").deck("power/winter power/spring").build()
    )
    act(game, "play shoot", "choose seat:1")
    assert (game.asking, game.legal()) == (1, ["pass", "play graze"])
    assert len([line for line in game.log if "flips" in line]) == 1
    game.act("play graze")
    assert game.seat(1).life == 4
    assert len([line for line in game.log if "flips" in line]) == 1


# ---------------------------------------------------------------- Spell Cards in one another's hands


def test_capture_spell_card_of_a_cancelling_spell():
    """Keine's Phantasmal Emperor, captured, cancels in her timing."""
    game = (
        scene()
        .seat(0, "kazami_yuuka", hand="capture_spell_card")
        .seat(1, hand="grimoire power")
        .seat(2, "kamishirasawa_keine")
        .deck("focus")
        .turn(1)
        .build()
    )
    game.act("play grimoire")
    assert (game.asking, game.question, game.legal()) == (0, "cancel", ["pass", "play capture_spell_card"])
    act(game, "play capture_spell_card", "choose seat:1", "choose yes")
    assert game.seat(1).life == 3
    assert kinds(game.seat(1).hand) == ["focus", "power"]
    assert len(game.seat(0).hand) == 1  # Yuuka's own ability answers the damage


def test_capture_spell_card_of_lunatic_red_eyes():
    """Captured, it cancels and copies for the capturer, in the capturer's range."""
    game = (
        scene(6)
        .seat(0, "ibuki_suika", hand="capture_spell_card")
        .seat(1, hand="seal_away power")
        .seat(2, "reisen_udongein_inaba")
        .turn(1)
        .build()
    )
    act(game, "play seal_away", "choose seat:2", "play capture_spell_card", "choose yes")
    assert game.legal() == [f"choose seat:{other}" for other in range(1, 6)]  # Seal Away names anybody
    game.act("choose seat:4")
    assert game.seat(4).life == 3
    assert game.seat(2).life == 4


def test_reisen_udongein_inaba_copies_the_world():
    """A copied reaction answers what the original answered: the attack is avoided, its attacker attacked, by Reisen."""
    start = scene().seat(0, "izayoi_sakuya", hand="spiritual_attack").seat(1, hand="laser_shot shoot grimoire").turn(1)
    game = start.seat(2, "reisen_udongein_inaba", hand="bomb").build()
    act(game, "play shoot", "choose seat:0", "pass", "pass", "play spiritual_attack")
    assert (game.asking, game.question) == (2, "cancel")
    assert game.legal() == ["pass", "play bomb"]
    game.act("play bomb")
    assert game.question == "half"  # her own Spell Card, or the cancelling half
    act(game, "choose top", "choose yes")
    assert life(game) == [4, 3, 4, 5]
    assert "play grimoire" not in game.legal()
    assert not game.seat(0).hand


def test_reisen_udongein_inaba_copies_phantasmal_emperor():
    """The copy cancels the card that the copied Spell Card would have cancelled."""
    game = (
        scene()
        .seat(0, "kamishirasawa_keine", hand="spiritual_attack")
        .seat(1, hand="grimoire power")
        .seat(2, "reisen_udongein_inaba", hand="spiritual_attack")
        .turn(1)
        .build()
    )
    act(game, "play grimoire", "play spiritual_attack", "pass", "play spiritual_attack", "choose yes", "choose seat:3")
    assert kinds(game.seat(1).hand) == ["power"]
    assert game.seat(3).life == 4


def test_komeiji_satori_pays_life_for_terrifying_hypnotism():
    """Under Overdrive her own Spell Card is the Hypnotism, in the timing of the one she picks (I-13)."""
    game = scene().seat(0, "komeiji_satori", hand="grimoire").seat(1, "patchouli_knowledge").incident("overdrive").build()
    act(game, "spell overdrive", "pass")
    pass_until(game, "main", 0)
    assert game.seat(0).life == 3
    assert len(game.seat(0).hand) == 1 + 1 + 2


def test_komeiji_satori_flips_once_an_attack_in_the_last_seat():
    """Also in the eighth seat one attack gives one flip, and the next attack another."""
    start = scene(8).seat(0, "izayoi_sakuya", hand="shoot laser_shot seal_away grimoire").seat(7, "komeiji_satori")
    game = start.deck("graze/summer focus graze/autumn").build()
    act(game, "play shoot", "choose seat:7", "pass", "ability komeiji_satori")
    assert (game.seat(7).life, game.asking) == (3, 0)
    act(game, "play seal_away", "choose seat:7")
    assert (game.asking, game.legal()) == (7, ["pass", "ability komeiji_satori"])


def test_lasting_effects_end_with_a_skipped_turn():
    """The start of a turn comes also when the turn is skipped: Suika's number ends, her limits are reset (T-1, T-3)."""
    game = scene(turns=9).seat(0, "cirno", hand="spiritual_attack grimoire").seat(3, "ibuki_suika", hand="bomb").turn(3).build()
    act(game, "play bomb", "choose number:2", "pass")
    pass_until(game, "main", 0)
    act(game, "play spiritual_attack", "choose seat:3")
    assert (game.seat(3).skip_next, game.seat(3).spell_used, game.distance(0, 1)) == (True, True, 2)
    pass_until(game, "main", 2)
    assert game.distance(0, 1) == 2
    end_turn(game)
    assert game.turn == 0  # Suika's turn was skipped
    assert (game.seat(3).skipped_last, game.seat(3).spell_used, game.distance(0, 1)) == (True, False, 1)
