"""One test per support and event of volume 1, in box order."""

import pytest

from tests.sister.utage.table import CONCENTRATED, PLAIN, SPREAD, act, battle, evs, keywords, over, table, until, values, where

REIMU, MARISA, SAKUYA, YOUMU, YUKARI, ALICE, REMILIA, YUYUKO = (
    {"team": {name: 4}, "leader": name} for name in ("Reimu", "Marisa", "Sakuya", "Youmu", "Yukari", "Alice", "Remilia", "Yuyuko")
)


def _on(support, **seat):
    """What a seat has whose spell in battle carries a support."""
    return {"active": [PLAIN], "on": {PLAIN: support}, **seat}


def _start(zero=None, one=None, attacker=0, **options):
    """A turn that has begun: texts of its start have happened, priority is asked."""
    return until(table(zero, one, "start", attacker, ask_forced=True, ask_everyone=True, **options), "act")


# ---------------------------------------------------------------- supports that everybody may have


def test_0006():
    """Kedama, 2 SP, on a spell: battle, 1 SP once a phase: that spell AV +1."""
    assert values(act(battle(PLAIN, None, _on("0006", sp=1)), "use 0006"), 0, PLAIN)[0] == 4


def test_0007():
    """Human Who Shoots Magic, 2 SP, on a human leader: battle, 1 SP once a phase, against a youkai leader: an own spell HV +1."""
    game = act(battle(PLAIN, PLAIN, {**MARISA, "on_leader": ["0007"], "sp": 1}, ALICE), "use 0007", f"choose {PLAIN}")
    assert values(game, 0, PLAIN)[2] == 5
    assert not any("0007" in name for name in battle(PLAIN, PLAIN, {**MARISA, "on_leader": ["0007"], "sp": 1}, REIMU).legal())
    assert table({**ALICE, "hand": ["0007"], "sp": 2}, ALICE, ask_forced=True).legal() == ["pass"]


def test_0008():
    """Demon That Eats People, 2 SP, on a youkai leader: battle, 1 SP once a phase, against a human leader: an own spell AV +1."""
    game = act(battle(PLAIN, PLAIN, {**ALICE, "on_leader": ["0008"], "sp": 1}, REIMU), "use 0008", f"choose {PLAIN}")
    assert values(game, 0, PLAIN)[0] == 4
    assert table({**REIMU, "hand": ["0008"], "sp": 2}, MARISA, ask_forced=True).legal() == ["pass"]


def test_0009():
    """Kourindou, 3 SP, scene: at replenish start its controller, attacking, draws 1."""
    assert sum(_start({"scene": "0009"}).seat(0).hand.values()) == 2
    assert sum(_start({"scene": "0009"}, attacker=1).seat(1).hand.values()) == 1


def test_0010():
    """Hour of Demons, 3 SP, scene: at replenish start its controller, attacking, gains half of its leader's level in SP, rounded down."""
    for level, sp in ((4, 3), (3, 2), (1, 1)):
        team = {"Reimu": level, **({"Alice": 4 - level} if level < 4 else {})}
        assert _start({"team": team, "leader": "Reimu", "scene": "0010"}).seat(0).sp == sp


def test_0011():
    """All-Encompassing Barrier, 4 SP, scene: both leaders EV +1."""
    assert evs(battle(PLAIN, PLAIN, {"scene": "0011"})) == (4, 4)


def test_0012():
    """Lunatic, 6 SP, scene: all spells HV +3."""
    game = battle(PLAIN, SPREAD, {"scene": "0012", "reserve": ["0701"]})
    assert (values(game, 0, PLAIN)[2], values(game, 1, SPREAD)[2], values(game, 0, "0701")[2]) == (7, 8, 7)


# ---------------------------------------------------------------- Reimu, Marisa, Sakuya


def test_0109():
    """Hakurei Amulet, 1 SP, on a spell: it is guided."""
    assert keywords(battle(PLAIN, "0201", _on("0109")), 0, PLAIN) == {"guided": 1}


def test_0110():
    """Subjugation, 3 SP, on a spell: HV -2."""
    assert values(battle(PLAIN, None, _on("0110")), 0, PLAIN)[2] == 2


def test_0113():
    """Great Hakurei Barrier, 4 SP, scene: with a barrier-keeper as leader all spells that require that leader's name get protection(1)."""
    game = battle("0101", "0701", {**REIMU, "scene": "0113"}, {**REIMU, "active": ["0102"]})
    assert (keywords(game, 0, "0101"), keywords(game, 1, "0701"), keywords(game, 1, "0102")) == (
        {"protection": 1}, {}, {"fast": 1, "protection": 1},
    )  # fmt: skip
    assert keywords(battle("0201", None, {**MARISA, "scene": "0113"}), 0, "0201") == {"fast": 1}


def test_0114():
    """Natural Talent, 4 SP, on a leader: EV +1; battle, 2 SP once a phase: a spell IV +1, HV +1."""
    game = act(battle(PLAIN, SPREAD, {"on_leader": ["0114"], "sp": 2}), "use 0114", f"choose {SPREAD} at other")
    assert (evs(game), values(game, 1, SPREAD)) == ((4, 3), (2, 3, 6))


def test_0209():
    """Illusion Laser, 1 SP, on a spell: it is concentrated; attacking it has penetration."""
    game = battle(PLAIN, "0303", _on("0209"))
    assert (game.seat(0).find(PLAIN).type, keywords(game, 0, PLAIN), values(game, 0, PLAIN)[0]) == ("concentrated", {"penetration": 1}, 3)
    assert keywords(battle("0303", PLAIN, one=_on("0209")), 1, PLAIN) == {}


def test_0311():
    """Time Deceleration, 2 SP, on a spell: attacking it cannot battle; replenish, 5 SP: it is discarded, by the side it lies on."""
    game = table({**_on("0311"), "sp": 5}, phase="battle", ask_forced=True)
    assert game.legal() == ["pass"]
    defender = act(table({"active": ["0201"]}, _on("0311"), "battle", ask_forced=True), "choose 0201")
    assert f"choose {PLAIN} at own 1" in defender.legal()
    suffering = act(table({**_on("0311"), "sp": 5}, phase="replenish"), "use 0311")
    assert (where(suffering, 0, "0311"), suffering.seat(0).sp) == ("gone", 0)


def test_0312():
    """Time Acceleration, 2 SP, scene: its controller may put one spell more into play in a preparation phase."""
    seat = {**SAKUYA, "hand": ["0301", "0302", "0303"]}
    game = act(table({**seat, "scene": "0312"}, ask_forced=True), "play 0301", "play 0302")
    assert game.legal() == ["pass"]
    assert act(table(seat, ask_forced=True), "play 0301").legal() == ["pass"]


# ---------------------------------------------------------------- Youmu


def test_0411():
    """Conviction, 2 SP, on a leader: own leader's other supports cannot be targeted by the other; with 0412 or 0413 own Youmu spells HV
    +1.
    """
    own = {**YOUMU, "on_leader": ["0411", "0412"]}
    assert values(battle("0401", PLAIN, own), 0, "0401")[2] == 4
    game = act(table({**YUKARI, "hand": ["0509"], "sp": 3}, own, "replenish", ask_forced=True), "play 0509")
    assert game.legal() == ["choose 0411 at other 1"]
    theirs = act(table({**YUKARI, "team": {"Youmu": 3, "Yukari": 1}, "leader": "Youmu", "hand": ["0509"], "sp": 3,
                        "on_leader": ["0411", "0412"]}, phase="replenish"), "play 0509")  # fmt: skip
    assert len(theirs.legal()) == 2


def test_0412():
    """Hakurouken, 3 SP, only on Youmu: own Youmu spells IV +1."""
    game = battle("0401", PLAIN, {**YOUMU, "on_leader": ["0412"], "active": [SPREAD]})
    assert (values(game, 0, "0401"), values(game, 0, SPREAD)) == ((2, 2, 3), (2, 2, 5))
    team = {"team": {"Youmu": 2, "Reimu": 2}, "leader": "Reimu", "hand": ["0412"], "sp": 3}
    assert table(team, ask_forced=True).legal() == ["pass"]
    assert table(team, YOUMU, ask_forced=True).legal() != ["pass"]  # on the other's leader, which is Youmu


def test_0413():
    """Roukanken, 3 SP, only on Youmu: own Youmu spells AV +1."""
    assert values(battle("0401", PLAIN, {**YOUMU, "on_leader": ["0413"]}), 0, "0401") == (3, 1, 3)
    assert table({**YOUMU, "hand": ["0413"], "sp": 3, "leader": "Youmu"}, ask_forced=True).legal() == ["pass", "play 0413"]


def test_0414():
    """Master's Teaching, 2 SP, on Youmu with 0412 and 0413: battle, 2 SP once a phase: own Youmu spells AV +2, IV +1, HV +2."""
    own = {**YOUMU, "on_leader": ["0412", "0413", "0414"], "sp": 2}
    assert values(act(battle("0401", PLAIN, own), "use 0414"), 0, "0401") == (5, 3, 5)
    one = {**YOUMU, "hand": ["0414"], "sp": 2}
    assert table({**one, "on_leader": ["0412"]}, ask_forced=True).legal() == ["pass"]
    assert table({**one, "on_leader": ["0412", "0413"]}, ask_forced=True).legal() == ["pass", "play 0414"]


# ---------------------------------------------------------------- Yukari


def test_0510():
    """Shikigami: Yakumo Ran, 2 SP, only on a spell that requires Yukari: AV +1, IV +1."""
    assert values(battle(PLAIN, None, _on("0510")), 0, PLAIN) == (4, 2, 4)
    game = table({**YUKARI, "active": ["0701", "0501"], "hand": ["0510"], "sp": 2})
    assert act(game, "play 0510").seat(0).find("0510").on == "0501"


def test_0512():
    """Yakumo's Parasol, 1 SP, on a leader: battle, 2 SP once a phase: a spell protection(1)."""
    game = act(battle(PLAIN, SPREAD, {"on_leader": ["0512"], "sp": 2}), "use 0512", f"choose {PLAIN} at own")
    assert (keywords(game, 0, PLAIN), values(game, 1, SPREAD)[1]) == ({"protection": 1}, 1)


def test_0514():
    """Necrofantasia, 5 SP, scene: at battle start all spells of level 1 or less go to reserve."""
    game = table({"scene": "0514", "active": ["0701", "0705"]}, {"active": [PLAIN]}, "battle")
    assert [where(game, seat, card) for seat, card in ((0, "0701"), (0, "0705"), (1, PLAIN))] == ["reserve", "active", "reserve"]


# ---------------------------------------------------------------- Alice


def _three(doll):
    return battle("0605", PLAIN, {**ALICE, "on_leader": [doll] * 3}), battle("0605", PLAIN, {**ALICE, "on_leader": [doll] * 2})


def test_0609():
    """French Doll, 1 SP, doll: with 3 of them on the own leader own Alice spells HV +1."""
    three, two = _three("0609")
    assert (values(three, 0, "0605"), values(two, 0, "0605")) == ((2, 2, 6), (2, 2, 3))  # each of the three says so; AV, IV are Alice's


def test_0610():
    """Shanghai Doll, 2 SP, doll: with 3 of them on the own leader that leader's EV +1."""
    three, two = _three("0610")
    assert (evs(three)[0], evs(two)[0]) == (6, 3)


def test_0611():
    """Hourai Doll, 3 SP, doll: with 3 of them on the own leader own Alice spells AV +1, IV +1."""
    three, two = _three("0611")
    assert (values(three, 0, "0605")[:2], values(two, 0, "0605")[:2]) == ((5, 5), (2, 2))


def test_0613():
    """Doll Trial, 4 SP, scene: at replenish start, attacking, with more supports on the own leader than on the other: 2 SP."""
    assert _start({**ALICE, "scene": "0613", "on_leader": ["0609"]}).seat(0).sp == 3
    assert _start({**ALICE, "scene": "0613", "on_leader": ["0609"]}, {"on_leader": ["0114"]}).seat(0).sp == 1


# ---------------------------------------------------------------- Remilia, Yuyuko, and of two characters


def test_0709():
    """Servant Flyer, 1 SP and 1 HP to place, on a spell: AV +1."""
    game = act(table({**REMILIA, "active": [PLAIN], "hand": ["0709"], "sp": 1}, ask_forced=True), "play 0709", f"choose {PLAIN} at own")
    assert (game.seat(0).hp, where(game, 0, "0709")) == (17, "on a spell")
    assert values(battle(PLAIN, None, _on("0709")), 0, PLAIN)[0] == 4


def test_0712():
    """Bloodsucking, 4 SP, only on a vampire: a spell of its side that dealt damage heals 1; own Remilia supports are safe from events."""
    game = over(battle("0201", None, {**REMILIA, "hp": 10, "on_leader": ["0712"]}, {"sp": 3}), border="pass")
    assert game.seat(0).hp == 11
    evaded = over(battle("0201", None, {**REMILIA, "hp": 10, "on_leader": ["0712"]}, {"sp": 3}), border="choose yes")
    assert evaded.seat(0).hp == 10
    safe = table({**YUKARI, "hand": ["0509"], "sp": 3}, {**REMILIA, "on_leader": ["0712"], **_on("0709")}, "replenish", ask_forced=True)
    assert "play 0509" not in safe.legal()
    assert table({**REIMU, "team": {"Remilia": 2, "Reimu": 2}, "hand": ["0712"], "sp": 4}, ask_forced=True).legal() == ["pass"]


def test_0713():
    """Septette, 6 SP, scene: with a vampire as leader all spells that require its name AV +1, IV +1, HV +2."""
    game = battle("0701", PLAIN, {**REMILIA, "scene": "0713"}, {"active": ["0702"]})
    assert (values(game, 0, "0701"), values(game, 1, PLAIN), values(game, 1, "0702")) == ((3, 2, 6), (3, 1, 4), (4, 2, 5))


def test_0809():
    """Butterfly Bullets, 2 SP, on a spell: it is spread, HV +1."""
    game = battle(PLAIN, None, _on("0809"))
    assert (game.seat(0).find(PLAIN).type, values(game, 0, PLAIN)[2]) == ("spread", 5)


def test_0811():
    """All Wandering, 3 SP, on a spell: AV +1, IV +1, HV +1."""
    assert values(battle(PLAIN, None, _on("0811")), 0, PLAIN) == (4, 2, 5)


def test_0812():
    """Border of Life, 4 SP, scene: at replenish start, attacking, with a leader of Hakugyokurou: heal 1."""
    assert [_start({**team, "hp": 10, "scene": "0812"}).seat(0).hp for team in (YUYUKO, REIMU)] == [11, 10]


def test_9001():
    """Phantasmal Barrier, 2 SP, on a spell: it cannot be targeted by the other's events and abilities."""
    game = table({**SAKUYA, "hand": ["0313"], "sp": 5}, {"active": [PLAIN, "0701"], "on": {PLAIN: "9001"}}, "replenish", ask_forced=True)
    assert act(game, "play 0313").legal() == ["choose 0701 at other 2"]


def test_9003():
    """Shifting Blame, 4 SP, on a leader: spell damage to it is prevented; it was hit all the same; at the battle's end it goes under the
    deck.
    """
    game = over(battle(PLAIN, SPREAD, one={"on_leader": ["9003"]}))
    assert (game.seat(1).hp, where(game, 1, SPREAD), where(game, 1, "9003"), game.seat(1).deck[-1]) == (19, "reserve", "gone", "9003")
    unused = over(battle(PLAIN, "0108", one={"on_leader": ["9003"], "hand": ["0001"]}))
    assert where(unused, 1, "9003") == "on the leader"


def test_9009():
    """Empty Offertory Box, 3 SP, on a leader: at the end of its preparation phase, attacking, 1 damage; replenish, 5 SP: it is
    discarded.
    """
    game = until(act(table({"on_leader": ["9009"]}, {"on_leader": ["9009"]}, ask_forced=True), "pass"), "attack")
    assert (game.seat(0).hp, game.seat(1).hp) == (18, 19)
    assert where(act(table({"on_leader": ["9009"], "sp": 5}, phase="replenish"), "use 9009"), 0, "9009") == "gone"


def test_9012():
    """Those Who Rule, 5 SP, on a leader: own spells that do not require its name +1/+1/+1; all spells of another level than 1 AV -1, IV
    -1.
    """
    game = battle(PLAIN, "0705", {**REMILIA, "on_leader": ["9012"], "active": ["0701", "0405"]})
    assert [values(game, 0, card) for card in (PLAIN, "0701", "0405")] == [(4, 2, 5), (2, 1, 4), (4, 2, 5)]
    assert values(game, 1, "0705") == (3, 1, 4)


# ---------------------------------------------------------------- events that everybody may use


def _used(event, zero=None, one=None, **options):
    """A position after an event of seat 0 was used in its replenish phase."""
    seat = {"sp": 9, **(zero or {})}
    game = table({**seat, "hand": [event, *seat.get("hand", ())]}, one, "replenish", ask_forced=True, ask_everyone=True, **options)
    return act(game, f"play {event}")


def _in_battle(event, character="Reimu", zero=None, one=None, attack=PLAIN, intercept=SPREAD):
    """A battle in which the attacker has used an event on its own spell, if it takes a target."""
    seat = {"team": {character: 4}, "leader": character, "sp": 9, **(zero or {})}
    game = act(battle(attack, intercept, {**seat, "hand": [event]}, one), f"play {event}")
    return act(game, f"choose {attack} at own") if game.question == "target" else game


def test_0001():
    """Read Ahead, 2 SP, replenish: the other deck loses its top 2 cards."""
    game = _used("0001", one={"deck": ["0101", "0102", "0103"]})
    assert (game.seat(1).discard, game.seat(1).deck[0], game.seat(0).sp) == ({"0101": 1, "0102": 1}, "0103", 7)


def test_0002():
    """Never Mind the Past, 2 SP, replenish: the own discard pile is shuffled into the deck, itself not."""
    game = _used("0002", {"discard": ["0101", "0102"]})
    assert (game.seat(0).discard, {"0101", "0102"} <= set(game.seat(0).deck)) == ({"0002": 1}, True)


def test_0003():
    """Pinpoint, 2 SP, battle: a concentrated spell HV +3."""
    game = battle(CONCENTRATED, SPREAD, {"hand": ["0003"], "sp": 2})
    assert act(game, "play 0003").legal() == [f"choose {CONCENTRATED} at own 1"]
    assert values(act(game, f"choose {CONCENTRATED}"), 0, CONCENTRATED)[2] == 7


def test_0004():
    """All-Direction Attack, 2 SP, battle: a spread spell HV +3."""
    game = act(battle(PLAIN, SPREAD, {"hand": ["0004"], "sp": 2}), "play 0004", f"choose {SPREAD} at other")
    assert values(game, 1, SPREAD)[2] == 8


def test_0005():
    """Pattern Dodge, 3 SP, battle: own leader EV +2."""
    assert evs(_in_battle("0005")) == (5, 3)


def test_0111():
    """Zero Gravity, 3 SP, battle: own leader EV +3."""
    assert evs(_in_battle("0111")) == (6, 3)


def test_0112():
    """Intuition, 3 SP, replenish: draw 1; then any card of the deck comes on top of it, which is shuffled first."""
    game = _used("0112", {"deck": ["0101", "0102", "0103", "0104", "0105"]})
    assert (game.seat(0).hand, "pass" in game.legal()) == ({"0101": 1}, False)
    act(game, "choose own card 0104")
    assert game.seat(0).deck[0] == "0104"


def test_0210():
    """No Questions Asked, 2 SP, replenish: nobody can use events until the turn ends."""
    game = _used("0210", {**MARISA, "hand": ["0001"]}, {"hand": ["0001"], "sp": 9})
    assert game.legal() == ["pass"]
    act(game, "pass")
    assert game.legal() == ["pass"]


def test_0211():
    """Borrowing, 3 SP, replenish: look at the other hand and discard a card of it that is no spell."""
    game = _used("0211", MARISA, {"hand": ["0101", "0003", "0006"]})
    assert sorted(game.legal()) == ["choose other card 0003", "choose other card 0006"]
    act(game, "choose other card 0006")
    assert (game.seat(1).hand, game.seat(1).discard) == ({"0003": 1, "0101": 1}, {"0006": 1})
    assert not _used("0211", MARISA, {"hand": ["0101"]}).seat(1).discard


def test_0212():
    """Storm and Stress, 4 SP, battle: a spell fast(4), AV +2."""
    game = _in_battle("0212", "Marisa", intercept=CONCENTRATED)
    assert (keywords(game, 0, PLAIN), values(game, 0, PLAIN)[0], evs(game)[0]) == ({"fast": 4}, 5, 7)


def test_0213():
    """Rapid Chant, 5 SP, replenish: a reserve spell whose requirement the team meets becomes active, at no further cost."""
    game = _used("0213", {**MARISA, "reserve": ["0204", "0101"], "sp": 5})
    assert game.legal() == ["choose 0204 at own 1"]
    assert (where(act(game, "choose 0204"), 0, "0204"), game.seat(0).sp) == ("active", 0)


def test_0214():
    """Magic Crystal, 3 SP and 1 HP, replenish: 5 SP at the end of the phase."""
    game = _used("0214", {**MARISA, "sp": 3})
    assert (game.seat(0).sp, game.seat(0).hp) == (0, 19)
    assert until(game, "attack", "prepare").seat(0).sp == 5


def test_0309():
    """View of the Parting Sword, 2 SP, battle: a spell HV +3."""
    assert values(_in_battle("0309", "Sakuya"), 0, PLAIN)[2] == 7


def test_0310():
    """Knife Recovery, 2 SP, replenish: any card of the own discard pile comes on top of the deck."""
    game = act(_used("0310", {**SAKUYA, "discard": ["0101", "0102"]}), "choose own card 0102")
    assert (game.seat(0).deck[0], game.seat(0).discard) == ("0102", {"0101": 1, "0310": 1})
    assert table({**SAKUYA, "hand": ["0310"], "sp": 2}, phase="replenish", ask_forced=True, ask_everyone=True).legal() == ["pass"]


def test_0313():
    """Time Stop, 5 SP, replenish: an active spell goes to reserve."""
    game = act(_used("0313", SAKUYA, {"active": [PLAIN], "reserve": ["0701"]}), f"choose {PLAIN} at other")
    assert where(game, 1, PLAIN) == "reserve"


def test_0314():
    """Sakuya's World, 5 SP, replenish: the battle phase happens twice in this turn."""
    game = until(_used("0314", {**SAKUYA, "active": [PLAIN]}), "attack")
    act(game, f"choose {PLAIN}")
    until(game, "attack", "prepare")
    assert game.question == "attack"
    act(game, f"choose {PLAIN}")
    assert (until(game, "attack", "prepare").question, game.seat(1).hp) == ("prepare", 13)


def test_0409():
    """Mental Focus, 3 SP, battle: a spell protection(2)."""
    assert keywords(_in_battle("0409", "Youmu"), 0, PLAIN) == {"protection": 2}


def test_0410():
    """One Flash, 3 SP, battle: an own spell AV +1, IV +1; with 0413 or 0412 on the own leader also guided and penetration."""
    game = _in_battle("0410", "Youmu")
    assert (values(game, 0, PLAIN), keywords(game, 0, PLAIN)) == ((4, 2, 4), {})
    assert keywords(_in_battle("0410", "Youmu", {"on_leader": ["0412"]}), 0, PLAIN) == {"guided": 1, "penetration": 1}


def test_0509():
    """Spirited Away, 3 SP, replenish: a support is discarded, wherever it lies."""
    game = _used("0509", YUKARI, {"on_leader": ["0114"], "scene": "0011", **_on("0109")})
    assert len(game.legal()) == 3
    act(game, "choose 0109")
    assert (where(game, 1, "0109"), game.seat(1).discard) == ("gone", {"0109": 1})


def test_0511():
    """Shikigami Reinforcement, 3 SP, battle: a spell that carries a shikigami: guided, AV +2, IV +2."""
    game = _in_battle("0511", "Yukari", _on("0510", team={"Yukari": 4}, leader="Yukari"))
    assert (values(game, 0, PLAIN), keywords(game, 0, PLAIN)) == ((6, 4, 4), {"guided": 1})


def test_0513():
    """Sleep, 3 SP, replenish, attacking: own leader heals 5, and the turn ends at once."""
    game = _used("0513", {**YUKARI, "hp": 10, "active": [PLAIN]})
    assert (game.seat(0).hp, game.attacker) == (15, 1)
    other = table({}, {**YUKARI, "hand": ["0513"], "sp": 9}, "replenish", ask_forced=True, ask_everyone=True)
    assert act(other, "pass").legal() == ["pass"]


def test_0612():
    """Doll Creation, 3 SP, replenish: a doll of the own deck comes to the hand, shown."""
    game = _used("0612", {**ALICE, "deck": ["0609", "0114", "0610"]})
    assert {"choose own card 0609", "choose own card 0610", "pass"} <= set(game.legal())
    assert "choose own card 0114" not in game.legal()
    assert act(game, "choose own card 0610").seat(0).hand == {"0610": 1}
    assert game.record["known"][0].sum() == 1


def test_0614():
    """Doll Crusader, 3 SP, battle: a spell protection(X) and HV +X, X dolls on the own leader; with 5 of them also AV +2."""
    for dolls in (2, 5):
        own = {"on_leader": ["0609", "0610", "0611", "0609", "0610"][:dolls]}
        game = _in_battle("0614", "Alice", own)
        assert (keywords(game, 0, PLAIN), values(game, 0, PLAIN)) == ({"protection": dolls}, (3 + 2 * (dolls == 5), 1, 4 + dolls))


def test_0710():
    """Demon Lord Walk, 2 SP, battle: a spell fast(3)."""
    assert keywords(_in_battle("0710", "Remilia"), 0, PLAIN) == {"fast": 3}


def test_0711():
    """Mistress of the Scarlet Devil Mansion, 3 SP, replenish: a spell of the own deck comes to the hand, shown."""
    game = act(_used("0711", {**REMILIA, "deck": ["0114", "0701"]}), "choose own card 0701")
    assert game.seat(0).hand == {"0701": 1}


def test_0714():
    """One to Be Feared, 3 SP, replenish: a spell cannot battle until the turn ends."""
    game = act(_used("0714", {**REMILIA, "active": ["0701"]}, {"active": [PLAIN]}), f"choose {PLAIN} at other")
    act(until(game, "attack"), "choose 0701")
    assert game.legal() == ["pass"]


def test_0810():
    """Dance of the Butterfly Dream, 2 SP, battle: a spell slow(3)."""
    game = _in_battle("0810", "Yuyuko")
    assert (keywords(game, 0, PLAIN), evs(game)[0]) == ({"slow": 3}, 5)


def test_0813():
    """Invitation from the Other Shore, 4 SP, replenish: 2 damage to a human leader, 1 to a youkai; to one that is both, both."""
    assert [_used("0813", YUYUKO, one).seat(1).hp for one in (REIMU, ALICE, YOUMU)] == [17, 20, 21]


def test_0814():
    """Gluttony, 5 SP and a card of the hand, replenish: all supports are discarded, and own leader heals as many."""
    zero = {**YUYUKO, "hp": 10, "hand": ["0001"], "on_leader": ["0114"], **_on("0109")}
    game = act(_used("0814", zero, {"scene": "0011"}), "choose own card 0001")
    assert (game.seat(0).hp, [card.id for seat in game.seats for card in seat.field]) == (13, [PLAIN])


def test_9002():
    """Danmaku Fool, 6 SP, battle: own leader EV +9."""
    assert evs(_in_battle("9002", zero={"team": {"Reimu": 2, "Yukari": 2}, "leader": "Reimu"}))[0] == 12


def test_9004():
    """Malice Cannon, 4 SP, battle: a spell penetration, AV +4."""
    game = _in_battle("9004", zero={"team": {"Marisa": 2, "Alice": 2}, "leader": "Marisa"}, intercept="0303")
    assert (values(game, 0, PLAIN)[0], keywords(game, 0, PLAIN)) == (7, {"penetration": 1})


def test_9005():
    """Perfect and Elegant Servant, 3 SP and a card of the hand, replenish: a Sakuya spell of the own deck goes into reserve."""
    team = {"team": {"Remilia": 3, "Sakuya": 1}, "leader": "Remilia"}
    game = act(_used("9005", {**team, "hand": ["0001"], "deck": ["0308"]}), "choose own card 0001", "choose own card 0308")
    assert where(game, 0, "0308") == "reserve"


def test_9006():
    """Promise, 5 SP and a reserve spell that requires Sakuya, battle: a Remilia spell AV, IV and HV +3."""
    team = {"team": {"Remilia": 2, "Sakuya": 2}, "leader": "Remilia"}
    game = battle("0701", PLAIN, {**team, "hand": ["9006"], "sp": 5, "reserve": ["0301", PLAIN]})
    act(game, "play 9006", "choose 0701 at own", "choose 0301 at own")
    assert (values(game, 0, "0701"), where(game, 0, "0301"), game.seat(0).sp) == ((5, 4, 7), "gone", 0)


def test_9007():
    """Garden Keeper, 4 SP, battle: a spell protection(4)."""
    game = _in_battle("9007", zero={"team": {"Youmu": 1, "Yuyuko": 3}, "leader": "Yuyuko"})
    assert (keywords(game, 0, PLAIN), values(game, 1, SPREAD)) == ({"protection": 4}, (-2, -2, 5))


def test_9008():
    """Cutting Eternity, 7 SP, replenish: a spell or support is discarded."""
    game = _used("9008", {"team": {"Youmu": 2, "Yuyuko": 2}, "leader": "Youmu"}, {"active": [PLAIN], "on": {PLAIN: "0109"}})
    act(game, f"choose {PLAIN} at other")
    assert game.seat(1).discard == {PLAIN: 1, "0109": 1}


@pytest.mark.parametrize(("hp", "usable"), [(5, True), (6, False)])
def test_9010(hp, usable):
    """Last Fortress, 4 SP, battle, at HP 5 or less: a spell protection(2), AV, IV and HV +2."""
    zero = {"team": {"Sakuya": 2, "Youmu": 2}, "leader": "Sakuya", "hp": hp, "hand": ["9010"], "sp": 4}
    game = battle(PLAIN, None, zero)
    assert ("play 9010" in game.legal()) == usable
    if usable:
        act(game, "play 9010")
        act(game, f"choose {PLAIN} at own") if game.question == "target" else None
        assert (values(game, 0, PLAIN), keywords(game, 0, PLAIN)) == ((5, 3, 6), {"protection": 2})


def test_9011():
    """Different Worlds, 6 SP, replenish: a spell returns to its owner's hand."""
    game = act(_used("9011", {"team": {"Yukari": 2, "Yuyuko": 2}, "leader": "Yukari"}, _on("0109")), f"choose {PLAIN} at other")
    assert (game.seat(1).hand, game.seat(1).discard) == ({PLAIN: 1}, {"0109": 1})
