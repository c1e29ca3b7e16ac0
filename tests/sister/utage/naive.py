"""Battle, values, costs and end written a second time, naively: plain Python from the rulings, without the engine's rows.

Cards are told by hand-written functions of their own, so a slip in the compiled rows shows as a difference.
"""

from danmaku_env.sister.utage.cards import box

CARDS = {card.id: card for card in box.CARDS}
TRAIT_BITS = {name: 1 << place for place, name in enumerate(
    ("human", "youkai", "barrier-keeper", "magician", "SDM", "Hakugyokurou", "Yakumo", "vampire", "oni", "celestial"))}  # fmt: skip
LEADERS = {card.name.split()[0]: card for card in box.CARDS if card.kind == 8}


class Table:
    """A battle: what lies on both sides, who leads, HP, and the spells that battle."""

    def __init__(self, game, lasting=()):
        self.lasting = lasting
        self.attacker = game.attacker
        self.leaders = [seat.leader for seat in game.seats]
        self.teams = [seat.team for seat in game.seats]
        self.hp = [seat.hp for seat in game.seats]
        self.sp = [seat.sp for seat in game.seats]
        self.hands = [sum(seat.hand.values()) for seat in game.seats]
        self.decks = [len(seat.deck) for seat in game.seats]
        self.sides = [[{"id": one.id, "where": one.where, "on": None, "battles": one.battles, "place": one.place} for one in seat.field]
                      for seat in game.seats]  # fmt: skip
        for seat, side in zip(game.seats, self.sides, strict=True):
            hosts = game.record["host"][seat.index]
            for card in side:
                if hosts[card["place"] - 1]:
                    card["on"] = next(one for one in side if one["place"] == hosts[card["place"] - 1])
        self.battling = [next((card for card in side if card["battles"]), None) for side in self.sides]

    def has(self, seat, trait):
        return bool(LEADERS[self.leaders[seat]].traits & TRAIT_BITS[trait])

    def on_leader(self, seat, card=None, doll=False):
        found = [one for one in self.sides[seat] if one["where"] == "on the leader"]
        return sum((card is None or one["id"] == card) and (not doll or one["id"] in ("0609", "0610", "0611")) for one in found)

    def level(self, seat, name):
        return self.teams[seat].count(name)

    def spells(self, *seats):
        return [card for seat in seats or (0, 1) for card in self.sides[seat] if card["where"] in ("active", "reserve")]

    # ---- values

    def work_out(self):
        """AV, IV, HV, type and keywords of every spell, EV of both leaders, in the battle phase."""
        self.ev = [LEADERS[name].ev for name in self.leaders]
        for spell in self.spells():
            card = CARDS[spell["id"]]
            words = dict.fromkeys(("protection", "fast", "slow", "faith", "guided", "penetration"), 0) | dict(card.keywords or {})
            spell.update(av=card.av, iv=card.iv, hv=card.hv, type=card.type, words=words)
        for seat in (0, 1):
            for card in self.sides[seat]:
                if card["id"] == "0606":
                    card["words"]["protection"] += self.on_leader(seat, "0610")
        for step in ("type", "numbers", "words"):
            for seat in (0, 1):
                for card in self.sides[seat]:
                    getattr(self, f"_{step}")(seat, card)
        for seat in (0, 1):
            if self.leaders[seat] == "Alice":
                for spell in self.spells(seat):
                    if "Alice" in CARDS[spell["id"]].requirement:
                        spell["av"] += self.on_leader(seat, doll=True) // 2
                        spell["iv"] += self.on_leader(seat, doll=True) // 2
        for seat, name, stat, amount in self.lasting:
            spell = next(card for card in self.sides[seat] if card["id"] == name)
            if stat == "type":
                spell["type"] = amount
            elif stat in ("AV", "IV", "HV"):
                spell[stat.lower()] += amount
            else:
                spell["words"][stat] += amount
        self._keywords()

    def _type(self, seat, card):
        if card["id"] == "0209":
            card["on"]["type"] = 2
        if card["id"] == "0809":
            card["on"]["type"] = 1

    def _numbers(self, seat, card):
        name, mine, attacks = card["id"], card["battles"], seat == self.attacker
        other = 1 - seat
        enemy = self.battling[other]
        youmu = [spell for spell in self.spells(seat) if "Youmu" in CARDS[spell["id"]].requirement]
        alice = [spell for spell in self.spells(seat) if "Alice" in CARDS[spell["id"]].requirement]
        leaders = [spell for spell in self.spells() if self.leaders[seat] in CARDS[spell["id"]].requirement]

        def add(spells, av=0, iv=0, hv=0):
            for spell in spells:
                spell["av"], spell["iv"], spell["hv"] = spell["av"] + av, spell["iv"] + iv, spell["hv"] + hv

        if mine:
            own = [card]
            dolls = self.on_leader(seat, doll=True)
            self.ev[seat] += {"0104": -2, "0108": 3}.get(name, 0)
            self.ev[seat] += (name == "0107" and self.level(seat, "Reimu") == 4) + (name == "0506" and not attacks)
            self.ev[seat] += name == "0706" and self.has(seat, "vampire")
            if name == "0105" and self.has(other, "youkai") and enemy:
                add([enemy], hv=-1)
            if name == "0203" and attacks:
                add(own, hv=2)
            if name == "0208" and self.level(seat, "Marisa") == 4:
                add(own, 1, 1)
            if name == "0305":
                add(own, hv=self.has(other, "human") - self.has(other, "SDM"))
            if name == "0306" and not attacks:
                add(own, hv=2)
            if name == "0507" and self.hp[seat] <= 5:
                add(own, av=1, hv=3)
            if name == "0601":
                add(own, hv=dolls)
            if name == "0604" and dolls >= 3:
                add(own, hv=3)
            if name == "0803" and not attacks and self.level(seat, "Yuyuko") >= 2:
                add(own, hv=1)
        if name == "0011":
            self.ev[0] += 1
            self.ev[1] += 1
        if name == "0012":
            add(self.spells(), hv=3)
        if name in ("0110", "0510", "0709", "0809", "0811"):
            add([card["on"]], *{"0110": (0, 0, -2), "0510": (1, 1, 0), "0709": (1, 0, 0), "0809": (0, 0, 1), "0811": (1, 1, 1)}[name])
        if name == "0114":
            self.ev[seat] += 1
        if name == "0411" and self.on_leader(seat, "0412") + self.on_leader(seat, "0413"):
            add(youmu, hv=1)
        if name == "0412":
            add(youmu, iv=1)
        if name == "0413":
            add(youmu, av=1)
        if name == "0609" and self.on_leader(seat, "0609") >= 3:
            add(alice, hv=1)
        if name == "0610" and self.on_leader(seat, "0610") >= 3:
            self.ev[seat] += 1
        if name == "0611" and self.on_leader(seat, "0611") >= 3:
            add(alice, 1, 1)
        if name == "0713" and self.has(seat, "vampire"):
            add(leaders, 1, 1, 2)
        if name == "9012":
            add([spell for spell in self.spells(seat) if self.leaders[seat] not in CARDS[spell["id"]].requirement], 1, 1, 1)
            add([spell for spell in self.spells() if sum(CARDS[spell["id"]].requirement.values()) != 1], -1, -1)

    def _words(self, seat, card):
        name, mine, attacks = card["id"], card["battles"], seat == self.attacker

        def gain(spell, **words):
            for word, number in words.items():
                spell["words"][word] += number

        if mine:
            if name in ("0101", "0602", "0803") and not attacks:
                gain(card, protection=1)
            if name == "0202" and attacks:
                gain(card, slow=2)
            if name == "0405" and not attacks:
                gain(card, guided=1, protection=1)
            if name == "0407" and self.on_leader(seat, "0412"):
                gain(card, guided=1, protection=1)
            if name == "0408" and self.on_leader(seat, "0413"):
                gain(card, penetration=1, protection=1)
            if name == "0507" and self.hp[seat] <= 5:
                gain(card, penetration=1)
            if name == "0605" and self.leaders[seat] == "Alice":
                gain(card, slow=3)
            if name == "0707" and attacks:
                gain(card, fast=4)
            if name == "0804" and not attacks and self.level(seat, "Yuyuko") >= 2:
                gain(card, slow=2)
        if name == "0109":
            gain(card["on"], guided=1)
        if name == "0209" and attacks:
            gain(card["on"], penetration=1)
        if name == "0113" and self.has(seat, "barrier-keeper"):
            for spell in self.spells():
                if self.leaders[seat] in CARDS[spell["id"]].requirement:
                    gain(spell, protection=1)

    def _keywords(self):
        mine, theirs = self.battling
        if not (mine and theirs):
            return
        words = [{word: max(0, number) for word, number in spell["words"].items()} for spell in (mine, theirs)]
        for seat, (own, enemy) in enumerate(((words[0], words[1]), (words[1], words[0]))):
            spell = self.battling[1 - seat]
            if enemy["penetration"] <= 0:
                spell["av"] -= own["protection"]
                spell["iv"] -= own["protection"]
            if enemy["guided"] <= 0:
                self.ev[seat] += {2: own["fast"], 1: own["slow"]}.get(spell["type"], 0)

    # ---- the battle

    def can_battle(self, seat):
        """Places of the active spells whose battle cost can be paid; what carries 0311 cannot attack."""
        found = []
        for card in self.sides[seat]:
            carried = [one["id"] for one in self.sides[seat] if one["on"] is card]
            sp, hand = {"0107": (1, 0), "0108": (0, 1), "0702": (1, 0), "0706": (1, 0), "0808": (1, 0)}.get(card["id"], (0, 0))
            held = "0311" in carried and seat == self.attacker
            if card["where"] == "active" and self.sp[seat] >= sp and self.hands[seat] >= hand and not held:
                found.append(card["place"])
        return found

    def pay_to_battle(self, seat, spell):
        """The battle cost of a spell is paid."""
        self.sp[seat] -= spell in ("0107", "0702", "0706", "0808")
        self.hands[seat] -= spell == "0108"

    def fight(self, borders):
        """The hits, where each side pays the border or not; sets what they change, and who has won: None while nobody has."""
        self.won, hit, self.prevented = None, [False, False], [False, False]
        for seat in (self.attacker, 1 - self.attacker):
            self.work_out()  # HP has changed since the first half
            spell, other = self.battling[seat], 1 - seat
            if spell is None:
                continue
            hv, ev = spell["hv"], self.ev[other]
            bv = LEADERS[self.leaders[other]].bv
            if hv < ev or (hv == ev and borders and self.sp[other] >= bv):
                if hv == ev:
                    self.sp[other] -= bv
                continue
            hit[other] = True
            damage = self._damage(seat, spell)
            if damage and self.on_leader(other, "9003"):
                self.prevented[other], damage = True, 0
            self.hp[other] -= damage
            if self._over():
                return
            self._after_hit(seat, spell["id"], damage)
            if self._over():
                return
        for seat in (0, 1):
            if hit[seat] and self.battling[seat]:
                self.battling[seat]["where"] = "reserve"
        self._battle_ends()
        self._over()

    def _damage(self, seat, spell):
        mine, theirs = (max(0, card["words"]["faith"]) if card else 0 for card in (self.battling[1 - seat], spell))
        amount = spell["av" if seat == self.attacker else "iv"]
        return 0 if amount <= max(0, mine - theirs) else amount

    def _heal(self, seat, number):
        self.hp[seat] = min(LEADERS[self.leaders[seat]].hp, self.hp[seat] + number)

    def _after_hit(self, seat, spell, damage):
        attacks, other = seat == self.attacker, 1 - seat
        if (spell == "0302" and attacks) or (spell == "0301" and not attacks):
            self.decks[other] -= min(2, self.decks[other])
        if spell == "0207" and attacks:
            self.hands[other] -= min(1, self.hands[other])
        if damage and not self._over():  # each text is an effect of its own (E-1); the spell lies before what is on the leader
            self._heal(seat, self.on_leader(seat, "0712"))

    def _battle_ends(self):
        for seat in (0, 1):
            used = self.battling[seat]
            if used and used["id"] == "0808":
                self._heal(seat, 1 + (self.level(seat, "Yuyuko") == 4))
            if used and used["id"] == "0204":
                self.sides[seat] = [one for one in self.sides[seat] if one is not used and one["on"] is not used]
            if self.prevented[seat]:
                gone = next(one for one in self.sides[seat] if one["id"] == "9003")
                self.sides[seat].remove(gone)
                self.decks[seat] += 1

    def _over(self):
        lost = [self.hp[seat] <= 0 or self.decks[seat] == 0 for seat in (0, 1)]
        self.won = self.won or ([seat for seat in (0, 1) if not lost[seat]] or [0, 1] if any(lost) else None)
        return self.won is not None
