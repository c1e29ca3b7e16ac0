"""One test per character and spell of volume 1, in box order."""

from tests.sister.utage.table import CONCENTRATED, PLAIN, SPREAD, act, battle, evs, keywords, over, table, until, values, where

REIMU, MARISA, SAKUYA, YOUMU, YUKARI, ALICE, REMILIA, YUYUKO = (
    {"team": {name: 4}, "leader": name} for name in ("Reimu", "Marisa", "Sakuya", "Youmu", "Yukari", "Alice", "Remilia", "Yuyuko")
)


def _leader(team, sp, spell=PLAIN, enemy=PLAIN, **one):
    """A battle in which the attacker's leader has been used, on the own spell if it takes a target."""
    game = act(battle(spell, enemy, {**team, "sp": sp}, one), "use leader")
    if game.question == "target":
        act(game, f"choose {spell} at own")
    assert game.seat(0).sp == 0
    until(game, "act")
    act(game, "pass") if game.asking == 1 else None
    assert "use leader" not in game.legal()
    return game


# ---------------------------------------------------------------- characters


def test_0100():
    """Reimu, 19 HP, EV 3, BV 3: battle, 2 SP, once a phase: an own spell gets slow(1) until the phase ends."""
    game = _leader(REIMU, 2, enemy=SPREAD)
    assert (keywords(game, 0, PLAIN), evs(game)[0], game.seat(0).hp) == ({"slow": 1}, 4, 19)


def test_0200():
    """Marisa, 20 HP, EV 3, BV 4: battle, 2 SP, once a phase: an own spell gets fast(1) until the phase ends."""
    game = _leader(MARISA, 2, enemy=CONCENTRATED)
    assert (keywords(game, 0, PLAIN), evs(game)[0], game.seat(0).bv) == ({"fast": 1}, 4, 4)


def test_0300():
    """Sakuya, 20 HP, EV 3, BV 3: battle, 3 SP, once a phase: an own spell HV +1 until the phase ends."""
    assert values(_leader(SAKUYA, 3), 0, PLAIN) == (3, 1, 5)


def test_0400():
    """Youmu, 24 HP, EV 2, BV 3: battle, 3 SP, once a phase: an own spell IV +1 until the phase ends."""
    game = _leader(YOUMU, 3)
    assert (values(game, 0, PLAIN), game.seat(0).hp, evs(game)[0]) == ((3, 2, 4), 24, 2)


def test_0500():
    """Yukari, 21 HP, EV 3, BV 3: replenish, attacking: supports may be placed where an event could be used, at their SP."""
    game = table({**YUKARI, "sp": 2, "hand": ["0006", "0006"], "active": [PLAIN]}, phase="replenish")
    act(game, "play 0006")
    assert (game.seat(0).find("0006").on, game.seat(0).sp, game.phase) == (PLAIN, 0, "battle")
    assert table({**REIMU, "sp": 2, "hand": ["0006"], "active": [PLAIN]}, phase="replenish").question != "act"


def test_0600():
    """Alice, 21 HP, EV 3, BV 4: any number of dolls may lie on her; her own spells get AV and IV +1 for every two dolls."""
    one = {"on_leader": ["0609", "0609", "0610"]}
    game = battle("0603", PLAIN, {**ALICE, **one, "active": ["0601", PLAIN]})
    assert (values(game, 0, "0603")[:2], values(game, 0, "0601")[:2], values(game, 0, PLAIN)[:2]) == ((2, 2), (2, 1), (3, 1))
    placed = table({**ALICE, "on_leader": ["0609"], "hand": ["0609"], "sp": 1})
    act(placed, "play 0609", "choose leader own")
    assert [card.id for card in placed.seat(0).field] == ["0609", "0609"]


def test_0700():
    """Remilia, 18 HP, EV 3, BV 2: battle, 3 SP, once a phase: an own spell AV +1 until the phase ends."""
    assert values(_leader(REMILIA, 3), 0, PLAIN) == (4, 1, 4)


def test_0800():
    """Yuyuko, 23 HP, EV 2, BV 4: battle, 2 SP, once a phase: own leader EV +1 until the phase ends."""
    assert evs(_leader(YUYUKO, 2))[0] == 3


# ---------------------------------------------------------------- Reimu


def test_0101():
    """Duplex Barrier, 1 SP, 1/1/4 spread: intercepting it has protection(1)."""
    assert keywords(battle(PLAIN, "0101"), 1, "0101") == {"protection": 1}
    assert values(battle(PLAIN, "0101"), 0, PLAIN)[0] == 2
    assert keywords(battle("0101", PLAIN), 0, "0101") == {}


def _exchange(first, second):
    game = table({"sp": 1, "active": [first], "reserve": [second]}, phase="replenish")
    act(game, f"use {first}")
    assert (where(game, 0, first), where(game, 0, second), game.seat(0).sp) == ("reserve", "active", 0)
    assert table({"sp": 1, "reserve": [first, second]}, phase="replenish").question != "act"


def test_0102():
    """Fantasy Seal -Spread-, 2 SP, 2/2/3 spread, fast(1): replenish, 1 SP: it goes to reserve, and an own 0103 of the reserve is active."""
    _exchange("0102", "0103")
    assert keywords(battle("0102", PLAIN), 0, "0102") == {"fast": 1}


def test_0103():
    """Fantasy Seal -Concentrate-, 2 SP, 3/1/3 concentrated, slow(1): the other way round, with a 0102 of the reserve."""
    _exchange("0103", "0102")
    assert keywords(battle("0103", PLAIN), 0, "0103") == {"slow": 1}


def test_0104():
    """Yin-Yang Orb, 4 SP, 4/2/3 normal, protection(1): while it battles own leader EV -2."""
    assert evs(battle("0104", PLAIN)) == (1, 3)
    assert evs(battle(PLAIN, PLAIN, {"active": ["0104"]})) == (3, 3)


def test_0105():
    """Demon-Binding Circle, 3 SP, 3/1/4 spread, protection(1): against a youkai leader the enemy's battling spell has HV -1."""
    assert values(battle("0105", PLAIN, one=ALICE), 1, PLAIN)[2] == 3
    assert values(battle("0105", PLAIN, one=MARISA), 1, PLAIN)[2] == 4


def test_0106():
    """Hakurei Danmaku Barrier, 4 SP, 2/2/6 spread, protection(1): intercepting, 1 SP once a phase, protection(1) more."""
    game = battle(PLAIN, "0106", one={"sp": 1})
    act(game, "pass", "use 0106")
    assert (keywords(game, 1, "0106"), values(game, 0, PLAIN)[0]) == ({"protection": 2}, 1)
    assert not any(name.startswith("use") for name in battle("0106", PLAIN, {"sp": 1}).legal())


def test_0107():
    """Fantasy Seal -Blink-, 6 SP, 5/3/5 normal, fast(3): 1 SP to battle; with Reimu at level 4 own leader EV +1 while it battles."""
    game = battle("0107", PLAIN, {**REIMU, "sp": 1})
    assert (game.seat(0).sp, evs(game)[0]) == (0, 4)
    assert evs(battle("0107", PLAIN, {"team": {"Reimu": 3, "Marisa": 1}, "leader": "Reimu", "sp": 1}))[0] == 3
    assert table({"active": ["0107"]}, phase="battle", ask_forced=True).legal() == ["pass"]


def test_0108():
    """Mysterious Flying Maiden, 8 SP, 4/2/8 spread: a card of the hand to battle; own leader EV +3 while it battles."""
    game = table({"active": ["0108"], "hand": ["0001", "0002"]}, phase="battle", ask_forced=True)
    act(game, "choose 0108", "choose own card 0001")
    assert (game.seat(0).discard, game.seat(0).hand, game.question) == ({"0001": 1}, {"0002": 1}, "intercept")
    assert table({"active": ["0108"]}, phase="battle", ask_forced=True).legal() == ["pass"]
    assert evs(battle("0108", PLAIN, {"hand": ["0001"]}))[0] == 6


# ---------------------------------------------------------------- Marisa


def test_0201():
    """Stardust Reverie, 1 SP, 2/1/3 concentrated, fast(1)."""
    assert (values(battle("0201"), 0, "0201"), keywords(battle("0201"), 0, "0201")) == ((2, 1, 3), {"fast": 1})


def test_0202():
    """Milky Way, 2 SP, 2/2/3 spread: attacking it has slow(2)."""
    assert keywords(battle("0202", PLAIN), 0, "0202") == {"slow": 2}
    assert keywords(battle(PLAIN, "0202"), 1, "0202") == {}


def test_0203():
    """Earthlight Ray, 2 SP, 3/0/2 concentrated: attacking HV +2."""
    assert values(battle("0203", PLAIN), 0, "0203") == (3, 0, 4)
    assert values(battle(PLAIN, "0203"), 1, "0203")[2] == 2


def test_0204():
    """Non-Directional Laser, 2 SP, 4/3/4 spread: used in battle, it is discarded at the battle's end, from wherever it lies."""
    for enemy in (None, "0802"):
        assert where(over(battle("0204", enemy)), 0, "0204") == "gone"
    assert where(over(battle(PLAIN, None, {"active": ["0204"]})), 0, "0204") == "active"


def test_0205():
    """Asteroid Belt, 4 SP, 3/1/5 spread, protection(1): battle, 1 SP once a phase: guided."""
    game = act(battle("0205", PLAIN, {"sp": 1}), "use 0205")
    assert keywords(game, 0, "0205") == {"protection": 1, "guided": 1}


def test_0206():
    """Master Spark, 4 SP, 4/2/4 concentrated, penetration: battle, 1 SP once a phase: AV +1, HV -1."""
    game = act(battle("0206", PLAIN, {"sp": 2}), "use 0206")
    assert (values(game, 0, "0206"), game.seat(0).sp) == ((5, 2, 3), 1)
    act(game, "pass")
    assert "use 0206 at 1" not in game.legal()


def test_0207():
    """Dragon Meteor, 5 SP, 5/1/4 concentrated: attacking, a hit discards a card of the other hand at random; a card of
    the hand gives AV and     HV +1, as often as one likes.
    """
    game = battle("0207", None, {"hand": ["0001", "0002"]}, {"hand": ["0003", "0004"]})
    act(game, "use 0207", "choose own card 0001", "pass", "use 0207", "choose own card 0002")
    assert values(game, 0, "0207") == (7, 1, 6)
    over(game)
    assert (sum(game.seat(1).hand.values()), sum(game.seat(1).discard.values())) == (1, 1)
    missed = over(battle("0207", "0506", one={"hand": ["0003", "0004"], "sp": 3}), border="choose yes")
    assert sum(missed.seat(1).hand.values()) == 2


def test_0208():
    """Final Spark, 6 SP, 5/2/5 concentrated, penetration, protection(1): at Marisa level 4 AV and IV +1; 1 SP: AV +1, HV -1."""
    game = act(battle("0208", PLAIN, {**MARISA, "sp": 1}), "use 0208")
    assert values(game, 0, "0208") == (7, 3, 4)
    assert values(battle("0208", PLAIN, {"team": {"Marisa": 3, "Reimu": 1}}), 0, "0208")[:2] == (5, 2)


# ---------------------------------------------------------------- Sakuya


def test_0301():
    """Misdirection, 2 SP, 2/1/4 spread, fast(1): intercepting, a hit mills 2 of the other deck."""
    game = battle(PLAIN, "0301")
    before = len(game.seat(0).deck)
    assert len(over(game).seat(0).deck) == before - 2
    attacking = battle("0301")
    before = len(attacking.seat(1).deck)
    assert len(over(attacking).seat(1).deck) == before


def test_0302():
    """Luna Clock, 2 SP, 1/2/4 concentrated, slow(1): attacking, a hit mills 2 of the other deck."""
    game = battle("0302")
    before = len(game.seat(1).deck)
    assert len(over(game).seat(1).deck) == before - 2


def test_0303():
    """Clock Corpse, 3 SP, 3/1/3 normal, protection(1)."""
    assert values(battle(PLAIN, "0303"), 0, PLAIN)[0] == 2


def test_0304():
    """Jack the Ludo Bile, 3 SP, 3/2/4 concentrated: battle, 1 SP once a phase: guided."""
    game = act(battle("0304", "0201", {"sp": 1}), "use 0304")
    assert (keywords(game, 0, "0304"), evs(game)[1]) == ({"guided": 1}, 3)


def test_0305():
    """Killing Doll, 3 SP, 3/2/4 spread, slow(2): HV +1 against a human leader, HV -1 against one of the SDM."""
    assert [values(battle("0305", PLAIN, one=team), 0, "0305")[2] for team in (MARISA, SAKUYA, REMILIA, ALICE)] == [5, 4, 3, 4]


def test_0306():
    """Eternal Meek, 4 SP, 4/1/5 spread: intercepting HV +2; battle, 2 SP once a phase: HV +2."""
    game = battle(PLAIN, "0306", one={"sp": 2})
    act(game, "pass", "use 0306")
    assert values(game, 1, "0306") == (4, 1, 9)


def test_0307():
    """Night Mist Phantom Killer, 5 SP, 3/3/6 normal, protection(1), fast(2): at Sakuya level 4, 1 SP once a phase: penetration."""
    game = act(battle("0307", "0303", {**SAKUYA, "sp": 1}), "use 0307")
    assert (keywords(game, 0, "0307")["penetration"], values(game, 0, "0307")[0]) == (1, 3)
    assert not any(name.startswith("use") for name in battle("0307", PLAIN, {"team": {"Sakuya": 3, "Reimu": 1}, "sp": 1}).legal())


def test_0308():
    """Soul Sculpture, 6 SP, 5/2/6 normal: battle, 2 SP: HV +2, as often as one can pay."""
    game = act(battle("0308", PLAIN, {"sp": 4}), "use 0308", "pass", "use 0308")
    assert values(game, 0, "0308") == (5, 2, 10)


# ---------------------------------------------------------------- Youmu


def test_0401():
    """Fast of the Young Hungry Ghosts, 1 SP, 2/1/3 normal: battle, 3 SP once a phase: AV +1, HV +1."""
    assert values(act(battle("0401", PLAIN, {"sp": 3}), "use 0401"), 0, "0401") == (3, 1, 4)


def test_0402():
    """Flash of Two Hundred Yojana, 2 SP, 1/2/3 spread, protection(1)."""
    assert values(battle("0402", PLAIN), 1, PLAIN) == (2, 0, 4)


def test_0403():
    """Present-World Slash, 2 SP, 3/1/3 concentrated, penetration: the other's protection does nothing."""
    assert values(battle("0403", "0303"), 0, "0403")[0] == 3


def test_0404():
    """Dark Punishment, 3 SP, 3/1/4 concentrated: battle, 2 SP once a phase: IV +1, HV +1."""
    assert values(act(battle("0404", PLAIN, {"sp": 2}), "use 0404"), 0, "0404") == (3, 2, 5)


def test_0405():
    """Countless Kalpas in a Thought, 4 SP, 4/2/4 spread: intercepting guided and protection(1)."""
    assert keywords(battle(PLAIN, "0405"), 1, "0405") == {"guided": 1, "protection": 1}
    assert keywords(battle("0405", PLAIN), 0, "0405") == {}


def test_0406():
    """Great Enlightenment, 4 SP, 4/2/4 normal: with a leader of Hakugyokurou, battle, 3 SP once a phase: protection(2)."""
    assert keywords(act(battle("0406", PLAIN, {**YOUMU, "sp": 3}), "use 0406"), 0, "0406") == {"protection": 2}
    assert not any(name.startswith("use 0406") for name in battle("0406", PLAIN, {**REIMU, "sp": 3}).legal())


def test_0407():
    """Five Signs, 5 SP, 4/2/5 spread, protection(1): with 0412 on the own leader guided and protection(1); at Youmu level 4, 2 SP: IV
    +1.
    """
    game = battle("0407", PLAIN, {**YOUMU, "on_leader": ["0412"], "sp": 2})
    assert keywords(game, 0, "0407") == {"protection": 2, "guided": 1}
    assert values(act(game, "use 0407"), 0, "0407")[1] == 4  # 2, and 1 by 0412, and 1
    assert keywords(battle("0407", PLAIN, {**YOUMU, "on_leader": ["0413"]}), 0, "0407") == {"protection": 1}


def test_0408():
    """Slash of the Ford of Delusion, 5 SP, 5/2/4 concentrated, protection(1): with 0413 penetration and protection(1); level 4, 2 SP: AV
    +1.
    """
    game = battle("0408", PLAIN, {**YOUMU, "on_leader": ["0413"], "sp": 2})
    assert keywords(game, 0, "0408") == {"protection": 2, "penetration": 1}
    assert values(act(game, "use 0408"), 0, "0408")[0] == 7


# ---------------------------------------------------------------- Yukari


def test_0501():
    """Curse of Dreams and Reality, 1 SP, 2/1/4 concentrated: battle, 2 SP once a phase: guided."""
    assert keywords(act(battle("0501", PLAIN, {"sp": 2}), "use 0501"), 0, "0501") == {"guided": 1}


def test_0502():
    """Balance of Motion and Stillness, 3 SP, 2/2/4 spread: battle, 1 SP once a phase: fast(1), slow(1)."""
    game = act(battle("0502", SPREAD, {"sp": 1}), "use 0502")
    assert (keywords(game, 0, "0502"), evs(game)[0]) == ({"fast": 1, "slow": 1}, 4)


def test_0503():
    """Land of Straight and Curve, 3 SP, 3/1/4 normal, without a text."""
    assert (values(battle("0503"), 0, "0503"), keywords(battle("0503"), 0, "0503")) == ((3, 1, 4), {})


def test_0504():
    """Yakumo Ran, 4 SP, 4/2/4 concentrated: in replenish and battle it counts as carrying a shikigami."""
    game = battle("0504", PLAIN, {**YUKARI, "hand": ["0511"], "sp": 3, "active": ["0502"]})
    act(game, "play 0511")
    assert game.legal() == ["choose 0504 at own 2"]
    assert values(act(game, "choose 0504"), 0, "0504") == (6, 4, 4)


def test_0505():
    """Quadruple Barrier, 3 SP, 2/1/5 spread, protection(1): battle, 1 SP once a phase: protection(1)."""
    assert keywords(act(battle("0505", PLAIN, {"sp": 1}), "use 0505"), 0, "0505") == {"protection": 2}


def test_0506():
    """Yukari's Spiriting Away, 3 SP, 3/2/4 spread: intercepting own leader EV +1 while it battles."""
    assert (evs(battle(PLAIN, "0506")), evs(battle("0506", PLAIN))) == ((3, 4), (3, 3))


def test_0507():
    """Boundary of Life and Death, 5 SP, 4/2/5 normal: at HP 5 or less penetration, AV +1, HV +3."""
    assert values(battle("0507", PLAIN, {"hp": 5}), 0, "0507") == (5, 2, 8)
    assert values(battle("0507", PLAIN, {"hp": 6}), 0, "0507") == (4, 2, 5)


def test_0508():
    """Danmaku Bounded Field, 7 SP, 4/3/7 spread, protection(3): at Yukari level 4, 3 SP once a phase: AV +2, IV +1, HV +2."""
    assert values(act(battle("0508", PLAIN, {**YUKARI, "sp": 3}), "use 0508"), 0, "0508") == (6, 4, 9)


# ---------------------------------------------------------------- Alice


def _dolls(number):
    return {**ALICE, "on_leader": ["0609", "0610", "0611", "0609", "0610"][:number]}


def test_0601():
    """French Doll of Philanthropy, 1 SP, 1/0/2 spread: HV +1 for each doll on the own leader."""
    assert [values(battle("0601", PLAIN, _dolls(number)), 0, "0601")[2] for number in (0, 1, 3)] == [2, 3, 5]


def test_0602():
    """Little Legion, 2 SP, 1/0/4 normal: intercepting protection(1)."""
    assert keywords(battle(PLAIN, "0602"), 1, "0602") == {"protection": 1}


def test_0603():
    """Artful Sacrifice, 2 SP, 1/1/3 concentrated: battle, 2 SP: at the battle's end 2 damage to the other leader, then it is discarded."""
    game = act(battle("0603", "0108", {"sp": 2}, {"hand": ["0001"]}), "use 0603")
    over(game)
    assert (where(game, 0, "0603"), game.seat(1).hp) == ("gone", 17)


def test_0604():
    """Dutch Doll, 3 SP, 2/0/3 normal: with 3 dolls on the own leader HV +3."""
    assert [values(battle("0604", PLAIN, _dolls(number)), 0, "0604")[2] for number in (2, 3)] == [3, 6]


def test_0605():
    """Maiden's Bunraku, 2 SP, 1/1/3 spread: with Alice as leader slow(3)."""
    assert (keywords(battle("0605", PLAIN, ALICE), 0, "0605"), keywords(battle("0605", PLAIN), 0, "0605")) == ({"slow": 3}, {})


def test_0606():
    """Shanghai Doll of Magic Light, 4 SP, 2/1/5 spread, protection(X): X is the number of 0610 on the own leader, at any time."""
    seat = {**ALICE, "on_leader": ["0610", "0610", "0609"], "active": ["0606"]}
    assert keywords(table(seat), 0, "0606") == {"protection": 2}
    assert values(battle("0606", PLAIN, {**seat, "active": []}), 1, PLAIN)[0] == 1


def test_0607():
    """Devilry Light Ray, 5 SP, 3/0/5 concentrated, penetration: at Alice level 4, 1 SP once a phase: HV +X, X dolls on the own leader."""
    assert values(act(battle("0607", PLAIN, {**_dolls(2), "sp": 1}), "use 0607"), 0, "0607")[2] == 7


def test_0608():
    """Hanged Hourai Doll, 6 SP, 2/1/6 normal, penetration, fast(3), slow(3): with fewer than 4 dolls it goes to reserve at battle start."""
    assert where(table({**_dolls(3), "active": ["0608"]}, phase="battle"), 0, "0608") == "reserve"
    assert where(table({**_dolls(4), "active": ["0608"]}, phase="battle"), 0, "0608") == "active"


# ---------------------------------------------------------------- Remilia


def test_0701():
    """Star of David, 1 SP, 2/1/4 spread, without a text."""
    assert (values(battle("0701"), 0, "0701"), keywords(battle("0701"), 0, "0701")) == ((2, 1, 4), {})


def test_0702():
    """Scarlet Nether, 2 SP, 3/1/3 normal, fast(1), slow(1): 1 SP to battle."""
    assert battle("0702", PLAIN, {"sp": 1}).seat(0).sp == 0
    assert table({"active": ["0702"]}, phase="battle", ask_forced=True).legal() == ["pass"]


def test_0703():
    """Heart Break, 2 SP, 4/0/2 concentrated, penetration."""
    assert (values(battle("0703", "0303"), 0, "0703"), keywords(battle("0703"), 0, "0703")) == ((4, 0, 2), {"penetration": 1})


def test_0704():
    """Red the Nightless Castle, 3 SP, 3/2/4 spread: battle, 2 SP once a phase: AV +1."""
    assert values(act(battle("0704", PLAIN, {"sp": 2}), "use 0704"), 0, "0704") == (4, 2, 4)


def test_0705():
    """Young Demon Lord, 3 SP, 4/2/4 spread: 1 HP to become active; battle, 1 HP once a phase: fast(3)."""
    game = act(table({**REMILIA, "reserve": ["0705"], "sp": 3}), "activate 0705")
    assert (game.seat(0).hp, where(game, 0, "0705")) == (17, "active")
    used = act(battle("0705", PLAIN, REMILIA), "use 0705")
    assert (used.seat(0).hp, keywords(used, 0, "0705")) == (17, {"fast": 3})


def test_0706():
    """Vampire Illusion, 4 SP, 4/2/4 normal: 1 SP to battle; with a vampire as leader EV +1 while it battles."""
    assert evs(battle("0706", PLAIN, {**REMILIA, "sp": 1}))[0] == 4
    assert evs(battle("0706", PLAIN, {**REIMU, "sp": 1}))[0] == 3


def test_0707():
    """Scarlet Devil, 4 SP, 5/1/4 concentrated: attacking fast(4); at Remilia level 4, 1 SP once a phase: HV +2."""
    game = act(battle("0707", PLAIN, {**REMILIA, "sp": 1}), "use 0707")
    assert (keywords(game, 0, "0707"), values(game, 0, "0707")[2]) == ({"fast": 4}, 6)


def test_0708():
    """Scarlet Gensokyo, 5 SP, 5/2/5 spread: battle, 3 SP once a phase: AV +2, IV +1, HV +3."""
    assert values(act(battle("0708", PLAIN, {"sp": 3}), "use 0708"), 0, "0708") == (7, 3, 8)


# ---------------------------------------------------------------- Yuyuko


def test_0801():
    """Slope of Yomotsu Hirasaka, 2 SP, 3/1/3 concentrated, guided: the other's fast does nothing."""
    assert evs(battle("0801", "0201"))[1] == 3
    assert evs(battle("0504", "0201"))[1] == 4


def test_0802():
    """Village of Self-Oblivion, 3 SP, 2/2/5 spread, without a text."""
    assert values(battle("0802"), 0, "0802") == (2, 2, 5)


def test_0803():
    """Ghastly Dream, 3 SP, 3/2/3 spread, slow(1): intercepting protection(1), and HV +1 at Yuyuko level 2."""
    game = battle(PLAIN, "0803", one=YUYUKO)
    assert (keywords(game, 1, "0803"), values(game, 1, "0803")[2]) == ({"slow": 1, "protection": 1}, 4)
    assert values(battle(PLAIN, "0803", one={"team": {"Yuyuko": 1, "Reimu": 3}}), 1, "0803")[2] == 3


def test_0804():
    """Law of Mortality, 4 SP, 3/1/4 normal: intercepting, at Yuyuko level 2, slow(2)."""
    assert keywords(battle(PLAIN, "0804", one=YUYUKO), 1, "0804") == {"slow": 2}
    assert keywords(battle(PLAIN, "0804"), 1, "0804") == {}


def test_0805():
    """Repository of Hirokawa, 4 SP, 3/2/5 concentrated: when it becomes active by one's own act in preparation, own leader heals 1."""
    game = act(table({**YUYUKO, "hp": 10, "reserve": ["0805"], "sp": 4}), "activate 0805")
    assert game.seat(0).hp == 11
    by_event = act(table({**YUYUKO, "team": {"Yuyuko": 2, "Marisa": 2}, "hp": 10, "reserve": ["0805"], "hand": ["0213"], "sp": 5},
                         phase="replenish"), "play 0213")  # fmt: skip
    assert (where(by_event, 0, "0805"), by_event.seat(0).hp) == ("active", 10)


def test_0806():
    """Perfect Ink-Black Cherry Blossom, 5 SP, 4/2/5 normal: battle, 2 SP once a phase: IV +1, HV +1."""
    assert values(act(battle("0806", PLAIN, {"sp": 2}), "use 0806"), 0, "0806") == (4, 3, 6)


def test_0807():
    """Eternal Sleep of Huaxu, 4 SP, 4/2/4 spread, slow(3): battle, 2 SP once a phase: protection(1), HV +2."""
    game = act(battle("0807", PLAIN, {"sp": 2}), "use 0807")
    assert (keywords(game, 0, "0807"), values(game, 0, "0807")[2]) == ({"slow": 3, "protection": 1}, 6)


def test_0808():
    """Resurrection Butterfly, 6 SP, 5/3/7 spread: 1 SP to battle; used in battle, own leader heals 1 at its end, 2 at Yuyuko level 4."""
    for team, healed in ((YUYUKO, 2), ({"team": {"Yuyuko": 3, "Reimu": 1}, "leader": "Yuyuko"}, 1)):
        assert over(battle("0808", None, {**team, "hp": 10, "sp": 1})).seat(0).hp == 10 + healed
