"""What is printed on the cards: 9 basic ones, 129 kingdom cards of six sets, 3 chirei cards and 5 prizes, in box order.

Facts and names are those of the game. The texts are programs in the words of `words.py`; sentences for people are made from the programs,
except those of `IN_OTHER_WORDS`.
"""

from __future__ import annotations

from typing import NamedTuple

from danmaku_env.sister.shisoroku.cards import words as w
from danmaku_env.sister.shisoroku.cards.words import ACTION, ATTACK, DURATION, MINUS, REACTION, RESOURCE, VICTORY


class Card(NamedTuple):
    """A kind of card."""

    id: str
    name: str
    types: int
    cost: int
    coins: int = 0
    points: int = 0

    @property
    def set(self) -> str:
        """The set it is of, "basic" for those of every game."""
        return self.id.split("-")[0] if "-" in self.id else "basic"

    @property
    def kind(self) -> str:
        """basic, kingdom, prize or chirei."""
        number = int(self.id.split("-")[1]) if "-" in self.id else 0
        if self.set == "in" and number > 25:
            return "prize"
        if self.set == "sa" and number > 18:
            return "chirei"
        return "kingdom" if number else "basic"


SETS = ("eosd", "pcb", "in", "mof", "sa", "sp")
CARDS = (
    Card("osaisen", "Osaisen (Offering Coin)", RESOURCE, 0, coins=1),
    Card("hounoumai", "Hounoumai (Dedicated Rice)", RESOURCE, 3, coins=2),
    Card("omiki", "Omiki (Sacred Sake)", RESOURCE, 6, coins=3),
    Card("ofuda", "Ofuda (Shrine Talisman)", RESOURCE, 9, coins=5),
    Card("hakurei", "Hakurei Shrine (Rented Corner)", VICTORY, 2, points=1),
    Card("kirinomizuumi", "Misty Lake (Lakeside Hokora)", VICTORY, 5, points=3),
    Card("koumakan", "Scarlet Devil Mansion (Luxurious Altar)", VICTORY, 8, points=6),
    Card("gensoukyou", "Gensokyo the Gods Loved (Universal Faith)", VICTORY, 11, points=10),
    Card("minus", "Minus card", MINUS, 0, points=-1),
    Card("eosd-01", "Hong Meiling, Chinese Girl", ACTION, 3),
    Card("eosd-02", "Flandre Scarlet, Sister of the Devil", ACTION, 4),
    Card("eosd-03", 'Conjuring "Misdirection"', ACTION, 3),
    Card("eosd-04", 'Fire, Water, Wood, Metal & Earth Sign "Philosopher\'s Stone"', ACTION, 4),
    Card("eosd-05", "Marisa Kirisame, the Curious Magician", ACTION | ATTACK, 4),
    Card("eosd-06", 'Taboo "Laevatein"', ACTION | ATTACK, 5),
    Card("eosd-07", 'Love Sign "Master Spark"', ACTION | ATTACK, 4),
    Card("eosd-08", "Koakuma (Little Devil)", ACTION, 5),
    Card("eosd-09", "Sakuya Izayoi, Maid of the Scarlet Devil Mansion", ACTION, 5),
    Card("eosd-10", "Scarlet Devil Mansion Basement", VICTORY, 4),
    Card("eosd-11", 'Freeze Sign "Perfect Freeze"', ACTION | REACTION, 2),
    Card("eosd-12", "Cirno, Ice Fairy of the Lake", ACTION, 3),
    Card("eosd-13", "Donation Box That Measures Faith", ACTION, 5),
    Card("eosd-14", 'Colourful Sign "Colourful Light Wild Dance"', ACTION | ATTACK, 4),
    Card("eosd-15", 'Divine Spear "Spear the Gungnir"', ACTION | ATTACK, 5),
    Card("eosd-16", "Daiyousei", ACTION, 3),
    Card("eosd-17", "Patchouli Knowledge, Girl of Knowledge and Shade", ACTION, 4),
    Card("eosd-18", "Remilia Scarlet, Eternally Young Scarlet Moon", ACTION, 5),
    Card("eosd-19", "Reimu Hakurei, Shrine Maiden of Hakurei Shrine", ACTION, 5),
    Card("eosd-20", "Forest of Magic", ACTION, 3),
    Card("eosd-21", "Mini-Hakkero", ACTION, 4),
    Card("eosd-22", 'Dark Sign "Demarcation"', ACTION, 2),
    Card("eosd-23", 'Dream Sign "Evil-Sealing Circle"', ACTION, 4),
    Card("eosd-24", 'Spirit Sign "Fantasy Seal"', ACTION | ATTACK, 4),
    Card("eosd-25", "Rumia, Youkai of the Dusk", ACTION, 2),
    Card("pcb-01", "Yukari Yakumo, Ringleader of the Spiriting Away", ACTION | ATTACK, 5),
    Card("pcb-02", "Sakuya Izayoi, Perfect and Elegant Servant", ACTION | DURATION, 5),
    Card("pcb-03", "Cirno, Youkai of Ice", ACTION, 3),
    Card("pcb-04", 'Cold Sign "Lingering Cold"', ACTION | DURATION, 4),
    Card("pcb-05", 'Hell Sword "Two Hundred Yojana in One Slash"', ACTION | ATTACK, 4),
    Card("pcb-06", 'Cherry Sign "Perfect Ink-Black Cherry Blossom"', ACTION | ATTACK, 4),
    Card("pcb-07", 'Shikigami Sign "Soaring Seimei"', ACTION | DURATION, 2),
    Card("pcb-08", 'Shiki Radiance "Princess Tenko -Illusion-"', ACTION | REACTION, 3),
    Card("pcb-09", "Chen, Shikigami of the Gap Youkai's Shikigami", VICTORY, 5),
    Card("pcb-10", 'Curse "Magic-Light Shanghai Doll"', ACTION | ATTACK, 5),
    Card("pcb-11", "Lunasa Prismriver, Poltergeist Violinist", ACTION, 4),
    Card("pcb-12", "Ran Yakumo, Shikigami of the Gap Youkai", ACTION | DURATION, 5),
    Card("pcb-13", "Lyrica Prismriver, Poltergeist Keyboardist", ACTION, 2),
    Card("pcb-14", "Merlin Prismriver, Poltergeist Trumpeter", ACTION, 3),
    Card("pcb-15", 'Grand Funeral "Ghostly Concerto Grosso"', ACTION, 5),
    Card("pcb-16", "Alice Margatroid, Seven-Coloured Puppeteer", ACTION, 3),
    Card("pcb-17", "Flower Viewing at the Shrine", RESOURCE | VICTORY, 6, points=2),
    Card("pcb-18", "Lily White, Fairy Herald of Spring", ACTION, 4),
    Card("pcb-19", "Marisa Kirisame, Ordinary Black Magician", ACTION, 5),
    Card("pcb-20", "Youmu Konpaku, Half-Phantom Gardener", ACTION, 3),
    Card("pcb-21", 'Border of the Unseen "Spiriting Away of Yukari Yakumo"', ACTION, 2),
    Card("pcb-22", "Letty Whiterock, What Winter Left Behind", ACTION, 2),
    Card("pcb-23", "Border of the Netherworld", ACTION | VICTORY, 4, points=2),
    Card("pcb-24", "Yuyuko Saigyouji, Ghost of the Netherworld Tower", ACTION, 5),
    Card("pcb-25", "Reimu Hakurei, Wonderful Shrine Maiden of Paradise", ACTION, 5),
    Card("in-01", "Five Impossible Requests", ACTION, 4),
    Card("in-02", "Kaguya Houraisan, Sinner of Eternity and the Instant", ACTION, 5),
    Card("in-03", "Reisen Udongein Inaba, Lunatic Moon Rabbit", ACTION, 3),
    Card("in-04", "Imperishable Night Returning", ACTION | REACTION, 4),
    Card("in-05", "Magic Team of the Forbidden Chant", ACTION, 5),
    Card("in-06", 'Country Sign "Three Sacred Treasures"', ACTION, 3),
    Card("in-07", "Border Team of Illusion", ACTION, 6),
    Card("in-08", 'New History "New History of Fantasy -Next History-"', ACTION, 5),
    Card("in-09", "Keine Kamishirasawa, Half-Beast of Knowledge and History", ACTION, 3),
    Card("in-10", "Tewi Inaba, Rabbit of the Earth", ACTION, 2),
    Card("in-11", "Eirin Yagokoro, Brain of the Moon", ACTION, 5),
    Card("in-12", 'Heaven Curse "Apollo 13"', ACTION | ATTACK, 5),
    Card("in-13", "Human Village", ACTION | DURATION, 5),
    Card("in-14", '"Possessed by Phoenix"', ACTION | ATTACK, 5),
    Card("in-15", "Hourai Elixir", RESOURCE, 5),
    Card("in-16", "Fujiwara no Mokou, Figure of the Person of Hourai", ACTION, 4),
    Card("in-17", "Grilled Lamprey", RESOURCE, 4),
    Card("in-18", "Scarlet Team of Dream and Illusion", ACTION, 4),
    Card("in-19", 'Spread Sign "Invisible Full Moon"', ACTION | ATTACK, 3),
    Card("in-20", "Wriggle Nightbug, Light Insect Wriggling in the Dark", ACTION, 2),
    Card("in-21", 'Wriggle Sign "Little Bug Storm"', ACTION, 4),
    Card("in-22", 'Night Sparrow "Midnight Chorus Master"', ACTION, 4),
    Card("in-23", "Netherworld Team", ACTION | REACTION, 4),
    Card("in-24", "Keine Kamishirasawa, Eater of History", ACTION, 5),
    Card("in-25", "Mystia Lorelei, Night Sparrow Apparition", ACTION, 3),
    Card("in-26", "Prize: Jewel from the Dragon's Neck -Five-Coloured Shots-", ACTION, 0),
    Card("in-27", "Prize: Buddha's Stone Bowl -Unbreaking Will-", ACTION, 0),
    Card("in-28", "Prize: Robe of the Fire Rat -Heart That Does Not Burn-", ACTION, 0),
    Card("in-29", "Prize: Swallow's Cowrie -Line of Eternal Life-", RESOURCE, 0),
    Card("in-30", "Prize: Jewelled Branch of Hourai -Rainbow Danmaku-", ACTION | ATTACK, 0),
    Card("mof-01", 'Kappa "Extending Arm"', ACTION, 4),
    Card("mof-02", '"Illusionary Dominance"', ACTION, 7),
    Card("mof-03", "Aya Shameimaru, Tengu Closest to the Village", ACTION, 4),
    Card("mof-04", "Momiji Inubashiri, Low-Ranking Patrol Tengu", ACTION, 4),
    Card("mof-05", 'Divine Festival "Expanded Onbashira"', ACTION | ATTACK, 5),
    Card("mof-06", 'Curse Sign "Mishaguji-sama"', ACTION | ATTACK, 5),
    Card("mof-07", 'Wound Sign "Pain Flow"', ACTION, 4),
    Card("mof-08", "Nitori Kawashiro, Super Youkai Warhead", ACTION, 5),
    Card("mof-09", "Suwako Moriya, Highest of the Native Gods", ACTION, 5),
    Card("mof-10", 'Esoterica "Gray Thaumaturgy"', ACTION, 7),
    Card("mof-11", "Hina Kagiyama, Misfortune Doll", ACTION, 2),
    Card("mof-12", "Lake of the Wind God", ACTION | VICTORY, 6, points=2),
    Card("mof-13", 'Bountiful Sign "Otoshi Harvester"', ACTION, 5),
    Card("mof-14", "Sanae Kochiya, Deified Human of the Wind", ACTION, 4),
    Card("mof-15", "Moriya Shrine", ACTION | VICTORY, 3, points=1),
    Card("mof-16", "Minoriko Aki, Symbol of Plenty and Harvest", ACTION | DURATION, 5),
    Card("mof-17", "Broken Amulet", RESOURCE, 5),
    Card("mof-18", "Shizuha Aki, Symbol of Loneliness and Demise", ACTION, 3),
    Card("mof-19", "Kanako Yasaka, Avatar of Mountain and Lake", ACTION, 6),
    Card("mof-20", "Tube Gruel Divination", RESOURCE, 7),
    Card("sa-01", "Utsuho Reiuji, Unmanageable Fire of God", ACTION, 4),
    Card("sa-02", "Kisume, Fearsome Well Spirit", ACTION, 3),
    Card("sa-03", "Satori Komeiji, Girl Feared by Evil Spirits", ACTION | ATTACK, 3),
    Card("sa-04", 'Apparition "Well-Bucket Monster"', ACTION, 4),
    Card("sa-05", 'Miracle "Miracle Fruit"', ACTION, 5),
    Card("sa-06", "Yuugi Hoshiguma, the Feared Strange Power", ACTION | REACTION, 3),
    Card("sa-07", "Yamame Kurodani, Bright Net in the Dark Cave", ACTION, 3),
    Card("sa-08", '"Hell\'s Paradise Meltdown"', ACTION | ATTACK, 5),
    Card("sa-09", 'Cursed Sprite "Zombie Fairy"', ACTION, 5),
    Card("sa-10", 'Recollection "Terrible Souvenir"', ACTION, 2),
    Card("sa-11", "Parsee Mizuhashi, Jealousy Beneath the Crust", ACTION, 1),
    Card("sa-12", 'Feat of Strength "Mt. Ooe Wind"', ACTION, 5),
    Card("sa-13", "Palace of the Earth Spirits (Chireiden)", VICTORY, 6, points=2),
    Card("sa-14", "Koishi Komeiji, Closed Eyes of Love", ACTION, 5),
    Card("sa-15", 'Jealousy Sign "Green-Eyed Monster"', ACTION, 4),
    Card("sa-16", 'Rekindled "Embers of Love"', ACTION, 4),
    Card("sa-17", 'Trap Sign "Capture Web"', ACTION | REACTION, 2),
    Card("sa-18", "Rin Kaenbyou, Hell's Traffic Accident", ACTION, 5),
    Card("sa-19", "Chirei: Geyser", REACTION, 1),
    Card("sa-20", "Chirei: Drifting Shrine", VICTORY, 1),
    Card("sa-21", "Chirei: Thriving Old Capital", ACTION, 1),
    Card("sp-01", "Suika Ibuki, Gathering Dream, Illusion and Night Parade", ACTION, 5),
    Card("sp-02", "Hatate Himekaidou, Modern Thoughtography Reporter", ACTION, 5),
    Card("sp-03", "Bhava-agra (Highest Heaven)", VICTORY, 4),
    Card("sp-04", "Iku Nagae, Beautiful Scarlet Cloth", ACTION, 4),
    Card("sp-05", "Sunny Milk, Shining Light of the Sun", ACTION | ATTACK, 3),
    Card("sp-06", "Komachi Onozuka, Guide of the Sanzu", ACTION | ATTACK, 4),
    Card("sp-07", "Yuuka Kazami, Flower Master of the Four Seasons", ACTION | ATTACK, 5),
    Card("sp-08", "Luna Child, Silent Moonlight", ACTION | DURATION, 3),
    Card("sp-09", "Sake-Bug Jar", RESOURCE, 6),
    Card("sp-10", "Kasen Ibaraki, One-Armed Horned Hermit", ACTION, 4),
    Card("sp-11", "Medicine Melancholy, Little Sweet Poison", ACTION | DURATION, 2),
    Card("sp-12", "Aya Shameimaru, Traditional Reporter of Fantasy", ACTION, 5),
    Card("sp-13", "Tenshi Hinanawi, Celestial of the Highest Heaven", ACTION, 4),
    Card("sp-14", "Star Sapphire, Falling Starlight", ACTION, 3),
    Card("sp-15", "Muenzuka", VICTORY | REACTION, 3, points=2),
    Card("sp-16", "Eiki Shiki, Highest Judge of Paradise", ACTION, 5),
)

NUMBERS = {card.id: number for number, card in enumerate(CARDS)}
"""Number of every card, by its id."""
KINGDOM_IDS = tuple(card.id for card in CARDS if card.kind == "kingdom")
"""The kingdom cards, as a kingdom names them."""
CHIREI_IDS = tuple(card.id for card in CARDS if card.kind == "chirei")
PRIZE_IDS = tuple(card.id for card in CARDS if card.kind == "prize")
BASIC_IDS = tuple(card.id for card in CARDS if card.kind == "basic")
FIRST_KINGDOM = ("eosd-01", "eosd-07", "eosd-08", "eosd-09", "eosd-11", "eosd-16", "eosd-17", "eosd-20", "eosd-21", "eosd-22")
"""The kingdom of a first game (S-8), in box order."""

# ---------------------------------------------------------------- filters

_ACTION, _RESOURCE, _VICTORY = w.Filter(any=ACTION), w.Filter(any=RESOURCE), w.Filter(any=VICTORY)
_COIN, _MINUS_CARD = w.Filter(which=1 + w.COIN), w.Filter(which=1 + w.MINUS_CARD)
_ONE_VP, _SIX_VP = w.Filter(which=1 + w.ONE_VP), w.Filter(which=1 + w.SIX_VP)
_MIDDLE = w.Filter(low=3, high=6)
_SAME, _OTHERS, _NOT_THIS = w.Filter(which=w.KIND), w.Filter(which=w.NOT_KIND), w.Filter(which=w.NOT_SELF)


def _cost(most: int, types: int = 0) -> w.Filter:
    return w.Filter(any=types, high=most)


def _more(low: int, high: int, types: int = 0, none: int = 0) -> w.Filter:
    """Costs counted from the number at hand."""
    return w.Filter(any=types, none=none, low=low, high=high, relative=1)


def _exactly(more: int, types: int = 0) -> w.Filter:
    return _more(more, more, types)


# ---------------------------------------------------------------- texts that several cards have

_ITS_COST = w.number(w.N_COST)
_TRASH_FOR = (*w.trash(), _ITS_COST)


def _keep_or_discard(who: int = w.ME, by: int = w.ME) -> w.Step:
    """What was revealed or looked at is discarded, or put back in an order of its owner's."""
    choice = w.options(w.move_all(w.LAID, w.DISCARD, who=who), (w.back_in_order(who),), by=by)
    return w.when(w.C_LAID_HAS, w.filter_number(w.EVERY), (choice,), says="")


def _trash_and_gain(wanted: w.Filter, to: int = w.DISCARD, of: w.Filter = w.EVERY, who: int = w.ME, least: int = 1) -> w.Text:
    """Trash a card of the hand and gain one by its cost; nothing trashed, nothing gained (C-11)."""
    gained = w.when(w.C_PICKED, 1, (_ITS_COST, w.gain_choice(wanted, to, who=who)))
    return (*w.trash(least, 1, of, who), gained)


def _any_discarded(*then: w.Step) -> w.Text:
    return (*w.discard(0, w.ANY_NUMBER), w.number(w.N_PICKED), *then)


def _play(*text: w.Step) -> dict[int, w.Text]:
    """A card whose only text is what happens when it is played."""
    return {w.ON_PLAY: text}


def _others(*text: w.Step) -> w.Step:
    return w.each(w.OTHERS, text)


def _brigand() -> w.Text:
    """Resources taken from the others (A-7)."""
    robbed = _others(
        w.reveal(2, w.THAT),
        w.when(
            w.C_LAID_HAS,
            w.filter_number(_RESOURCE),
            (
                w.pick(w.LAID, w.Filter(which=w.RICE_OR_SAKE), 1, 1, w.Q_TRASH, w.THAT, by=w.ME),
                w.move(w.LAID, w.SPOILS, w.THAT),
                *w.move_all(w.LAID, w.DISCARD, who=w.THAT),
            ),
            (*w.move_all(w.LAID, w.DISCARD, who=w.THAT), w.gain(w.COIN, who=w.THAT)),
            who=w.THAT,
            says="if a resource is among them",
        ),
    )
    return robbed, w.repeat((w.gain_choice(w.EVERY, zone=w.SPOILS), w.stop_unless(w.C_PICKED)), "gain what was trashed")


TEXTS: dict[str, dict[int, w.Text]] = {
    # ---- eosd
    "eosd-01": _play(w.buys(1), w.coins(2)),
    "eosd-02": _play(w.buys(1), *w.trash(), w.when(w.C_PICKED, 1, (_ITS_COST, w.Step(w.coins(0, 1).rows, "+coins equal to its cost")))),
    "eosd-03": _play(w.cards(2), w.bare(w.OP_PASS_LEFT, "everybody passes a card of the hand to the left, all at once"), *w.trash(0)),
    "eosd-04": _play(w.coins(2), w.when(w.C_PLAYED, 3, (w.cards(1), w.actions(1)), says="if this is at least your third action this turn")),
    "eosd-05": _play(
        _others(
            w.reveal(2, w.THAT), w.pick(w.LAID, _RESOURCE, 1, 1, w.Q_TRASH, w.THAT, by=w.ME), w.move(w.LAID, w.SPOILS, w.THAT),
            *w.move_all(w.LAID, w.DISCARD, who=w.THAT),
        ),
        w.repeat(
            (w.gain_choice(w.EVERY, zone=w.SPOILS, least=0), w.stop_unless(w.C_PICKED)), "you may gain any number of the trashed cards",
        ),
    ),
    "eosd-06": _play(w.cards(2), _others(w.gain(w.MINUS_CARD, who=w.THAT))),
    "eosd-07": _play(w.coins(2), _others(*w.discard_down_to(3))),
    "eosd-08": _play(w.cards(2), w.actions(1)),
    "eosd-09": _play(w.cards(1), w.actions(1), w.buys(1), w.coins(1)),
    "eosd-11": {w.ON_PLAY: (w.cards(2),), w.ON_ATTACKED: (w.bare(w.OP_UNAFFECTED, "reveal this: the attack does nothing to you"),)},
    "eosd-12": _play(w.coins(2), w.may(w.bare(w.OP_DECK_TO_DISCARD, "put your deck into your discard pile"))),
    "eosd-13": _play(
        w.repeat(
            (
                w.bare(w.OP_DRAW_ONE, "", 7), w.stop_unless(w.C_PICKED),
                w.when(w.C_KIND, w.filter_number(_ACTION), (w.may(*w.pick_and(w.HAND, _SAME, 1, 1, w.Q_ASIDE, w.LAID)),)),
            ),
            "draw until 7 cards are in hand; each action drawn may be set aside",
        ),
        *w.move_all(w.LAID, w.DISCARD),
    ),
    "eosd-14": _play(w.cards(1), w.actions(1), w.each(w.ALL, (w.reveal(1, w.THAT), _keep_or_discard(w.THAT)))),
    "eosd-15": _play(
        w.actions(1),
        w.options(
            (w.coins(2),),
            (
                *w.move_all(w.HAND, w.DISCARD), w.cards(4),
                _others(
                    w.when(
                        w.C_HAND, 5, (*w.move_all(w.HAND, w.DISCARD, who=w.THAT), w.cards(4, who=w.THAT)), who=w.THAT,
                        says="with 5 or more cards in hand",
                    ),
                ),
            ),
        ),
    ),
    "eosd-16": _play(w.gain_choice(_cost(4))),
    "eosd-17": _play(w.cards(3)),
    "eosd-18": _play(w.cards(4), w.buys(1), _others(w.cards(1, who=w.THAT))),
    "eosd-19": _play(w.actions(2), w.buys(1), w.coins(2)),
    "eosd-20": _play(w.cards(1), w.actions(2)),
    "eosd-21": {w.ON_PLAY: _trash_and_gain(_more(-99, 2))},
    "eosd-22": _play(w.actions(1), *_any_discarded(w.cards(0, 1))),
    "eosd-23": _play(w.bare(w.OP_MOVE_SELF, "trash this", w.TRASHED), w.gain_choice(_cost(5))),
    "eosd-24": _play(
        w.gain(w.RICE, w.DECK),
        _others(
            w.pick(w.HAND, _VICTORY, 1, 1, w.Q_REVEAL, w.THAT, shown=True),
            w.when(w.C_PICKED, 1, (w.move(w.HAND, w.DECK, w.THAT, known=True, says="put it on the deck"),), (w.show_hand(w.THAT),)),
        ),
    ),
    "eosd-25": _play(w.options((w.cards(1),), (w.actions(1),), (w.buys(1),), (w.coins(1),), count=2)),
    # ---- pcb
    "pcb-01": _play(
        w.coins(2),
        _others(
            w.reveal(1, w.THAT), *w.move_all(w.LAID, w.DISCARD, who=w.THAT),
            w.when(
                w.C_KIND, w.filter_number(_VICTORY), (w.gain(w.MINUS_CARD, who=w.THAT),),
                (w.when(w.C_PICKED, 1, (w.options((w.gain_copy(w.THAT),), (w.gain_copy(),)),), says="else"),),
                says="if it is a victory card",
            ),
        ),
    ),
    "pcb-02": _play(w.bare(w.OP_EXTRA_TURN, "draw only 3 cards at the end of this turn and take another turn after it (only one)")),
    "pcb-03": _play(
        w.actions(1), w.show_hand(), w.when(w.C_UNIQUE, 1, (w.cards(3),), (w.cards(1),), says="if no two cards are of one kind"),
    ),
    "pcb-04": {w.ON_PLAY: (w.cards(1), w.actions(1), w.bare(w.OP_DUE, "")), w.ON_NEXT_TURN: (w.cards(1),)},
    "pcb-05": _play(w.coins(2), _others(*w.discard(1, 1, _COIN, w.THAT), w.when(w.C_PICKED, 1, (), (w.show_hand(w.THAT),)))),
    "pcb-06": _play(_others(w.reveal(1, w.THAT), *w.move_all(w.LAID, w.DISCARD, who=w.THAT), w.gain(w.MINUS_CARD, w.DECK, who=w.THAT))),
    "pcb-07": {
        w.ON_PLAY: (
            w.cards(1), w.actions(1), *w.pick_and(w.HAND, w.EVERY, 1, 1, w.Q_ASIDE, w.HIDDEN),
            w.when(w.C_PICKED, 1, (w.bare(w.OP_DUE, ""),), says=""),
        ),
        w.ON_NEXT_TURN: (w.bare(w.OP_RETURN_ASIDE, "return what this set aside to the hand"),),
    },
    "pcb-08": {
        w.ON_PLAY: (w.draw_to(6),),
        w.ON_GAINING: (
            w.options(
                (w.bare(w.OP_MOVE_GAINED, "reveal this and trash the card", w.TRASHED),),
                (w.bare(w.OP_MOVE_GAINED, "reveal this and put the card on your deck", w.DECK),), may=True,
            ),
        ),
    },
    "pcb-10": _play(
        w.cards(2),
        _others(
            w.repeat(
                (w.stop_unless(w.C_HAND, 4, w.THAT), *w.put_on_deck(who=w.THAT)), "put cards of the hand on the deck until 3 are left",
            ),
        ),
    ),
    "pcb-11": _play(w.buys(1), w.coins(1), w.bare(w.OP_REDUCE, "all cards cost 1 less this turn", 1)),
    "pcb-12": {
        w.ON_PLAY: (
            *w.move_all(w.HAND, w.DISCARD), w.when(w.C_PICKED, 1, (w.bare(w.OP_DUE, "this works on"),), says="if a card was discarded"),
        ),
        w.ON_NEXT_TURN: (w.cards(5), w.buys(1), w.actions(1)),
    },
    "pcb-13": _play(w.cards(3), *w.put_on_deck()),
    "pcb-14": _play(w.cards(3), w.actions(1), *w.discard(3)),
    "pcb-15": _play(w.cards(1), w.actions(2), w.coins(1)),
    "pcb-16": _play(w.gain_choice(_cost(6), zone=w.NEIGHBOUR)),
    "pcb-17": _play(w.coins(2)),
    "pcb-18": _play(
        w.cards(1), w.actions(2), w.when(w.C_IN_PLAY, 1, (w.may(w.bare(w.OP_MOVE_SELF, "trash this", w.TRASHED), w.coins(2)),), says=""),
    ),
    "pcb-19": _play(
        w.reveal(2, w.LEFT), w.number(w.N_KINDS_LAID, _ACTION), w.actions(0, 2), w.number(w.N_KINDS_LAID, _RESOURCE), w.coins(0, 2),
        w.number(w.N_KINDS_LAID, _VICTORY), *w.move_all(w.LAID, w.DISCARD, who=w.LEFT),
        w.Step(w.cards(0, 2).rows, "+2 cards for each kind of victory"),
    ),
    "pcb-20": _play(
        w.actions(1), w.look(3), *w.pick_and(w.LAID, w.EVERY, 1, 1, w.Q_TRASH, w.TRASHED),
        *w.pick_and(w.LAID, w.EVERY, 1, 1, w.Q_DISCARD, w.DISCARD), *w.move_all(w.LAID, w.DECK),
    ),
    "pcb-21": {w.ON_PLAY: w.trash(0, 4)},
    "pcb-22": _play(
        w.cards(1), w.actions(1), *w.discard(0, 1), w.when(w.C_PICKED, 1, (w.actions(1),)), *w.discard(0, 1),
        w.when(w.C_PICKED, 1, (w.buys(1),)),
    ),
    "pcb-23": _play(w.bare(w.OP_MOVE_SELF, "set this aside until the end", w.AWAY), *w.pick_and(w.HAND, w.EVERY, 1, 1, w.Q_ASIDE, w.AWAY)),
    "pcb-24": _play(
        w.pick(w.HAND, _SIX_VP, 0, 1, w.Q_REVEAL, shown=True), w.when(w.C_PICKED, 1, (w.gain(w.SAKE, w.HAND),), (w.gain(w.RICE, w.HAND),)),
    ),
    "pcb-25": _play(*w.pick_and(w.DISCARD, _COIN, 0, w.ANY_NUMBER, w.Q_CHOOSE, w.HAND)),
    # ---- in
    "in-01": _play(
        w.actions(1),
        w.each(
            w.ALL,
            (
                w.pick(w.HAND, _SIX_VP, 0, 1, w.Q_REVEAL, w.THAT, shown=True),
                w.when(w.C_PICKED, 1, (w.bare(w.OP_NOTE, "", who=w.THAT),), says=""),
            ),
        ),
        w.when(w.C_NOTED, 0, (*w.discard(1, 1, _SIX_VP), w.gain_choice(w.EVERY, w.DECK, w.REWARDS)), says="if you did"),
        w.when(w.C_NOTED, 1, (), (w.cards(1), w.coins(1)), says="if another player did: nothing more"),
    ),
    "in-02": {
        w.ON_PLAY: (w.cards(1), w.actions(1), w.coins(1)),
        w.ON_CLEAN_UP: (
            w.when(
                w.C_NO_VICTORY_BOUGHT, 1, (w.may(w.bare(w.OP_MOVE_SELF, "put this on your deck instead of discarding it", w.DECK)),),
                says="if you bought no victory card",
            ),
        ),
    },
    "in-03": _play(
        w.cards(1), w.actions(1), w.bare(w.OP_NAME, "name a card"), w.reveal(1), w.mark(w.LAID, _SAME),
        w.move(w.LAID, w.HAND, says="take it to hand if it is that"), *w.move_all(w.LAID, w.DECK),
    ),
    "in-04": {
        w.ON_PLAY: (w.buys(1), w.coins(3), *w.discard(2)),
        w.ON_ATTACKED: (w.bare(w.OP_SET_ASIDE_SELF, "set this aside until your next turn"),),
        w.ON_NEXT_TURN: (w.cards(1), w.bare(w.OP_RETURN_ASIDE, "return it to the hand")),
    },
    "in-05": _play(w.options((w.gain_choice(_MIDDLE, w.DECK, w.TRASHED),), _trash_and_gain(_more(-99, 3), of=_ACTION))),
    "in-06": _play(w.options((w.cards(2),), (w.coins(2),), w.trash(2, 2))),
    "in-07": _play(*w.trash(), w.gain_choice(_cost(5))),
    "in-08": {w.ON_PLAY: _trash_and_gain(_more(-99, 3, RESOURCE), w.HAND, _RESOURCE)},
    "in-09": _play(w.buys(1), *_any_discarded(w.cards(0, 1)), *_any_discarded(w.coins(0, 1))),
    "in-10": {
        w.ON_PLAY: (w.coins(2), w.each(w.ALL, (w.look(1, w.THAT), _keep_or_discard(w.THAT, w.THAT))),),
        w.ON_GAINING: (w.may(w.gain_another()),),
    },
    "in-11": _play(
        w.options(w.discard(2), w.put_on_deck(), (w.gain(w.COIN),)),
        w.options((w.coins(3),), w.move_all(w.HAND, w.TRASHED), (w.gain(w.THREE_VP),)),
    ),
    "in-12": _play(w.cards(3), _others(w.options(w.discard(2, who=w.THAT), (w.gain(w.MINUS_CARD, w.HAND, who=w.THAT),), by=w.THAT))),
    "in-13": {w.ON_PLAY: (w.cards(2), w.buys(1), w.bare(w.OP_DUE, "")), w.ON_NEXT_TURN: (w.cards(2), w.buys(1))},
    "in-14": _play(
        w.coins(2),
        w.when(
            w.C_TRASH_HAS, w.filter_number(_MIDDLE), (w.gain_choice(_MIDDLE, zone=w.TRASHED),),
            (
                _others(
                    w.reveal(2, w.THAT), *w.pick_and(w.LAID, _MIDDLE, 1, 1, w.Q_TRASH, w.TRASHED, who=w.THAT),
                    *w.move_all(w.LAID, w.DISCARD, who=w.THAT),
                ),
            ),
            says="if the trash has a card costing 3 to 6",
        ),
    ),
    "in-15": {w.ON_PLAY: (w.coins(1), w.may(w.gain(w.COIN, w.HAND))), w.ON_GAIN: (_others(w.gain(w.MINUS_CARD, who=w.THAT)),)},
    "in-16": {w.ON_PLAY: (w.cards(1), w.actions(2)), w.ON_TRASH: (w.bare(w.OP_RETURN_TRASHED, "return this to your hand"),)},
    "in-17": _play(w.coins(1)),
    "in-18": _play(w.gain(w.RICE), w.look(1), _keep_or_discard(), w.draw_to(5), *w.trash(0, 1, w.Filter(none=RESOURCE))),
    "in-19": _play(
        w.pick(w.HAND, w.EVERY, 1, 1, w.Q_REVEAL, shown=True),
        w.when(
            w.C_PICKED, 1,
            (
                w.pick(w.HAND, w.Filter(which=w.KIND_WITH_PILE), 0, 2, w.Q_CHOOSE),
                w.move(w.HAND, w.PILE, says="return them to the supply"), _others(w.gain_copy(w.THAT)),
            ),
            says="then",
        ),
    ),
    "in-20": _play(
        w.cards(1), w.actions(1), w.bare(w.OP_LOOK_AT_BOTTOM, "look at the bottom card of the deck"),
        w.when(w.C_PICKED, 1, (w.may(w.bare(w.OP_BOTTOM_TO_TOP, "put it on top")),), says=""),
    ),
    "in-21": _play(
        w.coins(2), w.may(w.bare(w.OP_DECK_TO_DISCARD, "put your deck into your discard pile")),
        *w.pick_and(w.DISCARD, w.EVERY, 1, 1, w.Q_DECK, w.DECK),
    ),
    "in-22": _play(w.cards(1), w.actions(2), w.reveal(3), *w.move_all(w.LAID, w.DISCARD, w.Filter(none=ACTION)), w.back_in_order()),
    "in-23": {
        w.ON_PLAY: (
            *w.trash(), w.when(w.C_PICKED, 1, (_ITS_COST, w.Step(w.gain(w.RICE, number=0, times=1).rows, "gain as many Rice as its cost"))),
        ),
        w.ON_WOULD_GAIN: (w.Step((), "reveal this and gain 1 Rice instead"),),
    },
    "in-24": _play(
        w.actions(1), w.bare(w.OP_NAME, "name a card"), w.reveal_until(w.Filter(any=VICTORY, which=w.NOT_KIND)),
        w.when(
            w.C_PICKED, 1,
            (
                *w.move_all(w.LAID, w.DISCARD, _OTHERS), *w.move_all(w.LAID, w.TRASHED, _SAME), _ITS_COST,
                w.gain_choice(_more(-99, 3, VICTORY)),
            ),
            w.move_all(w.LAID, w.DISCARD),
        ),
    ),
    "in-25": _play(
        w.actions(2), w.show_hand(),
        w.when(w.C_HAND_HAS, w.filter_number(_ACTION), (), (w.cards(2),), says="if it has an action: nothing more"),
    ),
    # ---- mof
    "mof-01": _play(
        w.reveal(5), w.pick(w.LAID, w.EVERY, 1, 1, w.Q_DISCARD, by=w.LEFT), w.move(w.LAID, w.DISCARD), *w.move_all(w.LAID, w.HAND),
    ),
    "mof-02": _play(w.pick(w.HAND, _ACTION, 0, 1, w.Q_PLAY), w.bare(w.OP_PLAY_PICKED, "play it 3 times", 3)),
    "mof-03": _play(
        w.actions(2), w.reveal_until(w.Filter(any=ACTION | RESOURCE)), *w.move_all(w.LAID, w.HAND, w.Filter(any=ACTION | RESOURCE)),
        *w.move_all(w.LAID, w.DISCARD),
    ),
    "mof-04": _play(w.actions(1), w.reveal(4), *w.move_all(w.LAID, w.HAND, _VICTORY), w.back_in_order()),
    "mof-05": _play(w.cards(3), w.buys(1), _others(w.cards(1, who=w.THAT), *w.discard_down_to(3))),
    "mof-06": _play(
        w.coins(2),
        _others(
            *w.discard(0, 1, _MINUS_CARD, w.THAT),
            w.when(w.C_PICKED, 1, (), (w.gain(w.MINUS_CARD, who=w.THAT), w.gain(w.COIN, who=w.THAT))),
        ),
    ),
    "mof-07": _play(w.coins(2), w.look(5), _keep_or_discard()),
    "mof-08": _play(
        w.cards(1), w.actions(2), w.when(w.C_EMPTY_PILES, 1, (w.cards(1),), says="if a pile is empty"),
        w.when(w.C_EMPTY_PILES, 2, (w.coins(1), w.buys(1)), says="if two are"),
    ),
    "mof-09": {
        w.ON_PLAY: (w.pick(w.HAND, _RESOURCE, 0, 1, w.Q_REVEAL, shown=True), w.when(w.C_PICKED, 1, (w.gain_copy(),))),
        w.ON_BUY: w.move_all(w.IN_PLAY, w.TRASHED, _RESOURCE),
    },
    "mof-10": {w.ON_PLAY: _trash_and_gain(_more(-99, 3))},
    "mof-11": {w.ON_PLAY: (w.buys(1), w.coins(1)), w.ON_CLEAN_UP: (*w.pick_and(w.IN_PLAY, _RESOURCE, 0, 1, w.Q_DECK, w.DECK),),},
    "mof-12": _play(w.options((w.cards(3),), (w.actions(2),))),
    "mof-13": {w.ON_PLAY: (w.cards(5), *w.discard(3)), w.ON_GAIN: (_others(w.gain(w.RICE, who=w.THAT)),)},
    "mof-14": _play(*w.trash(1, 1, _COIN), w.when(w.C_PICKED, 1, (w.coins(3),))),
    "mof-15": _play(w.cards(1), w.actions(1)),
    "mof-16": {w.ON_PLAY: (w.coins(2), w.bare(w.OP_DUE, "")), w.ON_NEXT_TURN: (w.coins(2),)},
    "mof-17": _play(
        w.coins(3), w.buys(1), w.bare(w.OP_NAME, "the left neighbour names a card", by=w.LEFT),
        w.bare(w.OP_BAN, "you cannot buy it this turn"),
    ),
    "mof-18": _play(w.cards(1), w.actions(1), w.coins(1), *w.discard(1)),
    "mof-19": _play(w.reveal_until(_RESOURCE, 2), *w.move_all(w.LAID, w.HAND, _RESOURCE), *w.move_all(w.LAID, w.DISCARD)),
    "mof-20": _play(w.number(w.N_IN_PLAY, _RESOURCE), w.coins(0, 1)),
    # ---- sa
    "sa-01": _play(
        w.pick(w.HAND, _ACTION, 0, 1, w.Q_PLAY), w.bare(w.OP_PLAY_PICKED, "play it twice", 2),
        w.when(
            w.C_PICKED, 1,
            (
                w.when(w.C_NOTED, 2, w.pick_and(w.IN_PLAY, _SAME, 1, 1, w.Q_TRASH, w.TRASHED), says="if it is still in play"), _ITS_COST,
                w.gain_choice(_exactly(1, ACTION)),
            ),
            says="then",
        ),
    ),
    "sa-02": _play(
        *_TRASH_FOR[:2],
        w.when(
            w.C_PICKED, 1,
            (
                _ITS_COST,
                w.options(
                    (w.gain_choice(_exactly(1), w.DECK), w.gain_choice(_exactly(-1), w.DECK)),
                    (w.gain_choice(_exactly(-1), w.DECK), w.gain_choice(_exactly(1), w.DECK)),
                ),
            ),
        ),
    ),
    "sa-03": _play(w.each(w.ALL, (w.reveal(2, w.THAT), _keep_or_discard(w.THAT))), w.cards(2)),
    "sa-04": _play(*_trash_and_gain(_exactly(1)), *_trash_and_gain(_exactly(1))),
    "sa-05": {w.ON_PLAY: (w.coins(3), *w.put_on_deck()), w.ON_GAIN: (w.back_in_order(wanted=_RESOURCE, zone=w.IN_PLAY),)},
    "sa-06": {
        w.ON_PLAY: (w.cards(1), w.actions(1), w.buys(1)),
        w.ON_TRASHING: (w.may(w.bare(w.OP_MOVE_SELF, "discard this", w.DISCARD), w.gain(w.SAKE)),),
    },
    "sa-07": _play(w.actions(1), w.buys(1), *w.trash(), w.number(w.N_KINDS_TRASHED, _RESOURCE), w.coins(0, 1)),
    "sa-08": _play(
        _others(
            w.reveal_until(w.Filter(low=3), who=w.THAT),
            w.when(
                w.C_PICKED, 1,
                (*w.move_all(w.LAID, w.TRASHED, _SAME, w.THAT), _ITS_COST, w.gain_choice(_more(-99, -2), who=w.THAT, least=0)), says="then",
            ),
            *w.move_all(w.LAID, w.DISCARD, who=w.THAT),
        ),
    ),
    "sa-09": {
        w.ON_PLAY: (w.cards(2), w.actions(2), *w.discard(2)),
        w.ON_GAIN: (*w.pick_and(w.DISCARD, _ACTION, 0, w.ANY_NUMBER, w.Q_CHOOSE, w.SHUFFLED, shown=True),),
    },
    "sa-10": {
        w.ON_PLAY: (
            w.coins(2), w.bare(w.OP_MOVE_SELF, "trash this", w.TRASHED), w.pick(w.PILE, w.EVERY, 1, 1, w.Q_TOKEN),
            w.bare(w.OP_TOKEN, "put a trauma token on that pile: whoever buys of it gains 1 Minus"),
        ),
        w.ON_BUYING: (w.Step(w.gain(w.MINUS_CARD).rows, "gain 1 Minus"),),
    },
    "sa-11": _play(w.coins(4), w.show_hand(), w.number(w.N_HAND, _RESOURCE), w.coins(0, -1)),
    "sa-12": _play(w.cards(1), w.actions(1)),
    "sa-13": {w.ON_BUY: _trash_and_gain(_exactly(2))},
    "sa-14": _play(
        w.actions(1),
        w.options(
            (w.cards(3), _others(w.cards(1, who=w.THAT))), (w.gain(w.SAKE), _others(w.gain(w.RICE, who=w.THAT))),
            (*_trash_and_gain(_exactly(2), least=0), _others(*_trash_and_gain(_exactly(1), who=w.THAT, least=0))),
        ),
    ),
    "sa-15": {
        w.ON_PLAY: (w.cards(1), w.actions(1), w.gain_another(), *w.trash(1, 1, _NOT_THIS), w.when(w.C_PICKED, 1, (), (w.show_hand(),)),),
        w.ON_TRASH: (w.cards(1),),
    },
    "sa-16": {
        w.ON_PLAY: (
            w.cards(1), w.actions(1), w.reveal(1), w.bare(w.OP_PLAY_LAID, "play it if it is an action"), *w.move_all(w.LAID, w.DECK),
        ),
        w.ON_BUY: (
            w.repeat(
                (
                    w.stop_unless(w.C_COINS), w.pick(w.DISCARD, w.EVERY, 0, 1, w.Q_DECK), w.stop_unless(w.C_PICKED), w.coins(-1),
                    w.move(w.DISCARD, w.DECK),
                ),
                "for each coin you pay more, put a card of your discard pile on your deck",
            ),
        ),
    },
    "sa-17": {w.ON_PLAY: _any_discarded(w.coins(0, 1)), w.ON_ATTACKED: (w.cards(2), *w.put_on_deck(2))},
    "sa-18": {
        w.ON_PLAY: (w.look(3), w.options(w.move_all(w.LAID, w.HAND), (*w.move_all(w.LAID, w.DISCARD), w.cards(3)))),
        w.ON_TRASH: (_ITS_COST, w.gain_choice(_more(-99, -1))),
    },
    "sa-19": {w.ON_BUYING: (w.may(w.bare(w.OP_MOVE_SELF, "trash this from your hand", w.TRASHED)),)},
    "sa-20": {w.ON_TRASH: (w.cards(1),)},
    "sa-21": _play(w.actions(2)),
    # ---- sp
    "sp-01": {w.ON_PLAY: (w.coins(2),), w.ON_BUYING: (_ITS_COST, w.gain_choice(_more(-99, -1, none=VICTORY)))},
    "sp-02": _play(
        w.cards(1), w.actions(1), w.look(4), *w.pick_and(w.LAID, w.EVERY, 0, w.ANY_NUMBER, w.Q_DISCARD, w.DISCARD), w.back_in_order(),
    ),
    "sp-04": _play(
        w.gain_choice(_cost(4)), w.when(w.C_GAINED, w.filter_number(_ACTION), (w.actions(1),), says="if it is an action"),
        w.when(w.C_GAINED, w.filter_number(_RESOURCE), (w.coins(1),), says="if it is a resource"),
        w.when(w.C_GAINED, w.filter_number(_VICTORY), (w.cards(1),), says="if it is a victory card"),
    ),
    "sp-05": _play(
        w.coins(2),
        _others(
            w.reveal_until(w.Filter(any=VICTORY | MINUS), who=w.THAT),
            *w.move_all(w.LAID, w.DISCARD, w.Filter(none=VICTORY | MINUS), w.THAT), *w.move_all(w.LAID, w.DECK, who=w.THAT),
        ),
    ),
    "sp-06": {w.ON_PLAY: (w.coins(1), *_brigand()), w.ON_BUY: _brigand()},
    "sp-07": _play(
        w.cards(3),
        _others(w.reveal(3, w.THAT), *w.move_all(w.LAID, w.DISCARD, w.Filter(any=ACTION | RESOURCE), w.THAT), w.back_in_order(w.THAT)),
    ),
    "sp-08": {w.ON_PLAY: (w.coins(1), w.actions(2), w.bare(w.OP_DUE, "")), w.ON_NEXT_TURN: (w.coins(1), w.actions(1))},
    "sp-09": {w.ON_PLAY: (w.coins(2),), w.ON_BUYING: (w.gain(w.SAKE),)},
    "sp-10": _play(*w.trash(0, 1, _RESOURCE), w.when(w.C_PICKED, 1, (w.options((w.cards(2), w.actions(1)), (w.coins(2), w.buys(1))),))),
    "sp-11": {w.ON_PLAY: (w.actions(1), w.coins(1), w.bare(w.OP_DUE, "")), w.ON_NEXT_TURN: (w.coins(1),)},
    "sp-12": _play(
        w.cards(2), *_any_discarded(w.coins(0, 1)),
        _others(
            w.options((*w.discard(2, who=w.THAT), w.when(w.C_PICKED, 2, (w.cards(1, who=w.THAT),), says="if two")), by=w.THAT, may=True,),
        ),
    ),
    "sp-13": _play(w.buys(1), *w.discard(0, 1, _ONE_VP), w.when(w.C_PICKED, 1, (w.coins(4),), (w.gain(w.ONE_VP),))),
    "sp-14": {
        w.ON_PLAY: (w.cards(1), w.actions(1), w.bare(w.OP_DUE, "", 1)),
        w.ON_CLEAN_UP: w.pick_and(w.IN_PLAY, _ACTION, 0, 1, w.Q_DECK, w.DECK),
    },
    "sp-15": {w.ON_DISCARDED: (w.may(w.gain(w.SAKE)),)},
    "sp-16": _play(w.cards(1), w.actions(1), *_trash_and_gain(_exactly(1))),
    # ---- prizes
    "in-26": _play(
        w.options(
            (w.cards(2),), (w.actions(2),), (w.coins(2),),
            (w.gain(w.RICE, number=4), w.bare(w.OP_DECK_TO_DISCARD, "put your deck into your discard pile")), count=2,
        ),
    ),
    "in-27": _play(w.actions(1), w.gain(w.SAKE, w.DECK)),
    "in-28": _play(w.buys(1)),
    "in-29": _play(w.coins(2), w.number(w.N_ACTIONS), w.coins(0, 1)),
    "in-30": _play(w.cards(2), w.gain(w.ONE_VP), _others(w.gain(w.MINUS_CARD, who=w.THAT), *w.discard_down_to(3))),
}  # fmt: skip
"""What each card does, by event; money is played by its coins alone."""
CHEAPER = {"in-17": (2, ACTION), "in-28": (2, 0), "sa-12": (1, 0)}
"""While in play: cards of a type (0: all) cost less."""
SHIELD = "sp-11"
"""While in play: attacks played by others do not affect its player."""
OWN_TURN_BUYING = {"sp-01": 0, "sp-09": VICTORY, "sa-19": VICTORY}
"""Texts on a purchase -> of which type the card must be that is bought; sa-19 from the hand, the others in play."""
SCORES = {"eosd-10": ("cards", 10), "pcb-09": ("3-VP", 1), "sp-03": ("victory", 4)}
"""What is counted, and how many of them make one point (E-4)."""
PLAIN = ("osaisen", "hounoumai", "omiki", "ofuda", "pcb-17", "in-17", "sp-09", "in-29")
"""Resources that ask nothing and whose order changes nothing (T-4)."""
BIG_PILES = {"sa-15": 20}


_SCORE_WORDS = {"cards": "cards", "3-VP": "3-VP card", "victory": "victory cards"}
IN_OTHER_WORDS = {
    "pcb-01": "+2 coins; each other player: discard the top card of the deck; if it is a victory card: gain 1 Minus; otherwise you choose "
    "whether they or you gain a copy of it",
    "pcb-19": "The left neighbour reveals and discards the top 2 cards of the deck; for each kind among them: an action +2 actions, a "
    "resource +2 coins, a victory card +2 cards",
    "in-01": "+1 action; each player from you on may reveal a 6-VP from hand; if you did: discard it and gain a prize or a 3-VP onto the "
    "deck; if no other player did: +1 card; +1 coin",
    "in-10": "+2 coins; each player from you on: look at the top card of the deck, discard it or put it back. Whoever gains a 3-VP may "
    "gain one of these too",
    "in-19": "Reveal a card from hand; return up to 2 of its kind to the supply; each other player: gain a copy of it",
    "in-25": "+2 actions; reveal the hand; if it has no action: +2 cards",
    "in-29": "+2 coins; +1 coin for each unused action",
    "mof-20": "+1 coin for each resource you have in play, this one too",
    "sa-01": "You may play an action from hand twice; then trash it, if it is still in play, and gain an action costing exactly 1 more",
    "sa-02": "Trash a card from hand; gain a card costing exactly 1 more and one costing exactly 1 less onto the deck, in any order",
    "sa-09": "+2 cards; +2 actions; discard 2 cards from hand. When gained: reveal any number of actions of the discard pile and shuffle "
    "them into the deck",
    "sa-10": "+2 coins; trash this; put a trauma token on a pile: whoever buys of it gains 1 Minus for each",
    "sa-17": "Discard any number of cards from hand; +1 coin for each. When another player plays an attack: +2 cards, then put 2 cards "
    "from hand on the deck",
    "sp-06": "+1 coin; and, also when bought: each other player reveals the top 2 cards of the deck and gains 1 Coin if no resource is "
    "among them; you trash a Rice or Sake of each and gain what was trashed; the rest is discarded",
}
"""Cards that their programs tell less well."""


def _moment(name: str, event: int) -> str:
    """When a text of a card is carried out; nothing for what happens as it is played."""
    if event == w.ON_BUYING and OWN_TURN_BUYING.get(name):
        return "when a victory card is bought: "
    return "" if event == w.ON_PLAY else f"{w.EVENTS[event]}: "


def sentence(card: Card) -> str:
    """What the card says, one text after the other."""
    if card.id in IN_OTHER_WORDS:
        return IN_OTHER_WORDS[card.id]
    parts = [w.say([w.coins(card.coins)])] if card.coins else []
    parts += [_moment(card.id, event) + w.say(text) for event, text in TEXTS.get(card.id, {}).items()]
    if card.id in CHEAPER:
        less, types = CHEAPER[card.id]
        parts.append(f"while in play: {'actions' if types else 'all cards'} cost {less} less")
    if card.id == SHIELD:
        parts.append("while in play: attacks of others do nothing to you")
    if card.points:
        parts.append(f"{card.points} VP")
    if card.id in SCORES:
        what, each = SCORES[card.id]
        parts.append(f"1 VP for {'each' if each == 1 else f'every {each}'} {_SCORE_WORDS[what]} you own")
    return ". ".join(part[0].upper() + part[1:] for part in parts if part)
