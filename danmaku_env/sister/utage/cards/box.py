"""Every card of volume 1: 8 characters, 64 spells, 35 supports and 37 events, and what each does.

Facts are those of the printed cards; texts are ours. Names are English where fans use one, else the Japanese name in Latin letters.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from danmaku_env.sister.utage.cards import words as w
from danmaku_env.sister.utage.cards.words import (
    ALL,
    ATTACK,
    BATTLE,
    BOTH_LEADERS,
    DOLLS,
    EVENT,
    HOST,
    INTERCEPT,
    OPP,
    OPP_BATTLING,
    OWN,
    OWN_LEADER,
    REPLENISH,
    SHIKIGAMI,
    SPELL,
    SUPPORT,
    TARGET,
    THIS,
    Ability,
    Cond,
    Cost,
    Filter,
    Row,
    Static,
    Trigger,
    ability,
    always,
    later,
    only_if,
    trait,
    until,
)  # fmt: skip

CHARACTERS: dict[str, int] = {name: number for number, name in enumerate(w.CHARACTERS)}


@dataclass(frozen=True)
class Card:
    """What is printed on a card, its text apart."""

    id: str
    name: str
    name_ja: str
    kind: int
    """SPELL, SUPPORT, EVENT or CHARACTER."""
    requirement: Mapping[str, int]
    """Character -> the level that the team must have."""
    sp: int = 0
    av: int = 0
    iv: int = 0
    hv: int = 0
    type: int = w.NO_TYPE
    keywords: Mapping[str, int] | None = None
    place: int = w.NOWHERE
    cls: int = w.NO_CLASS
    phase: int = w.SETUP
    """When an event is used."""
    hp: int = 0
    ev: int = 0
    bv: int = 0
    traits: int = 0

    @property
    def level(self) -> int:
        """The sum of its requirement."""
        return sum(self.requirement.values())


def _named(name: str) -> str:
    return name if name[0].isupper() or '"' in name else name.capitalize()


def _character(card_id: str, name: str, name_ja: str, hp: int, ev: int, bv: int, traits: int) -> Card:
    return Card(card_id, name, name_ja, w.CHARACTER, {}, hp=hp, ev=ev, bv=bv, traits=traits)


def _spell(
    card_id: str, name: str, name_ja: str, requirement: Mapping[str, int], sp: int, av: int, iv: int, hv: int, kind: int, **keywords: int
) -> Card:  # fmt: skip
    return Card(card_id, _named(name), name_ja, w.SPELL, requirement, sp, av, iv, hv, kind, keywords)


def _support(card_id: str, name: str, name_ja: str, requirement: Mapping[str, int], sp: int, place: int, cls: int = w.NO_CLASS) -> Card:
    return Card(card_id, _named(name), name_ja, w.SUPPORT, requirement, sp, place=place, cls=cls)


def _event(card_id: str, name: str, name_ja: str, requirement: Mapping[str, int], sp: int, phase: int) -> Card:
    return Card(card_id, _named(name), name_ja, w.EVENT, requirement, sp, phase=phase)


# fmt: off
CARDS: tuple[Card, ...] = (
    _character("0100", "Reimu Hakurei", "博麗 霊夢", 19, 3, 3, w.trait("human", "barrier-keeper")),
    _character("0200", "Marisa Kirisame", "霧雨 魔理沙", 20, 3, 4, w.trait("human", "magician")),
    _character("0300", "Sakuya Izayoi", "十六夜 咲夜", 20, 3, 3, w.trait("human", "SDM")),
    _character("0400", "Youmu Konpaku", "魂魄 妖夢", 24, 2, 3, w.trait("human", "youkai", "Hakugyokurou")),
    _character("0500", "Yukari Yakumo", "八雲 紫", 21, 3, 3, w.trait("youkai", "barrier-keeper", "Yakumo")),
    _character("0600", "Alice Margatroid", "アリス・マーガトロイド", 21, 3, 4, w.trait("youkai", "magician")),
    _character("0700", "Remilia Scarlet", "レミリア・スカーレット", 18, 3, 2, w.trait("youkai", "vampire", "SDM")),
    _character("0800", "Yuyuko Saigyouji", "西行寺 幽々子", 23, 2, 4, w.trait("youkai", "Hakugyokurou")),
    _spell("0101", 'Dream Sign "Duplex Barrier"', "夢符「二重結界」", {"Reimu": 1}, 1, 1, 1, 4, w.SPREAD),
    _spell("0102", 'Spirit Sign "Fantasy Seal -Spread-"', "霊符「夢想封印 散」", {"Reimu": 1}, 2, 2, 2, 3, w.SPREAD, fast=1),
    _spell("0103", 'Spirit Sign "Fantasy Seal -Concentrate-"', "霊符「夢想封印 集」", {"Reimu": 1}, 2, 3, 1, 3, w.CONCENTRATED, slow=1),
    _spell("0104", 'Treasure Sign "Yin-Yang Orb"', "宝符「陰陽宝玉」", {"Reimu": 1}, 4, 4, 2, 3, w.NORMAL, protection=1),
    _spell("0105", 'Divine Arts "Omnidirectional Demon-Binding Circle"', "神技「八方鬼縛陣」",
           {"Reimu": 2}, 3, 3, 1, 4, w.SPREAD, protection=1),
    _spell("0106", 'Great Barrier "Hakurei Danmaku Barrier"', "大結界「博麗弾幕結界」", {"Reimu": 2}, 4, 2, 2, 6, w.SPREAD, protection=1),
    _spell("0107", 'Divine Spirit "Fantasy Seal -Blink-"', "神霊「夢想封印 瞬」", {"Reimu": 3}, 6, 5, 3, 5, w.NORMAL, fast=3),
    _spell("0108", 'Untitled "Mysterious Flying Maiden"', "無題「空を飛ぶ不思議な巫女」", {"Reimu": 3}, 8, 4, 2, 8, w.SPREAD),
    _spell("0201", 'Magic Sign "Stardust Reverie"', "魔符「スターダストレヴァリエ」", {"Marisa": 1}, 1, 2, 1, 3, w.CONCENTRATED, fast=1),
    _spell("0202", 'Magic Sign "Milky Way"', "魔符「ミルキーウェイ」", {"Marisa": 1}, 2, 2, 2, 3, w.SPREAD),
    _spell("0203", 'Light Sign "Earthlight Ray"', "光符「アースライトレイ」", {"Marisa": 1}, 2, 3, 0, 2, w.CONCENTRATED),
    _spell("0204", 'Love Sign "Non-Directional Laser"', "恋符「ノンディレクションナルレーザー」", {"Marisa": 1}, 2, 4, 3, 4, w.SPREAD),
    _spell("0205", 'Magic Space "Asteroid Belt"', "魔空「アステロイドベルト」", {"Marisa": 2}, 4, 3, 1, 5, w.SPREAD, protection=1),
    _spell("0206", 'Love Sign "Master Spark"', "恋符「マスタースパーク」", {"Marisa": 2}, 4, 4, 2, 4, w.CONCENTRATED, penetration=1),
    _spell("0207", 'Star Sign "Dragon Meteor"', "星符「ドラゴンメテオ」", {"Marisa": 3}, 5, 5, 1, 4, w.CONCENTRATED),
    _spell("0208", 'Magic Cannon "Final Spark"', "魔砲「ファイナルスパーク」",
           {"Marisa": 3}, 6, 5, 2, 5, w.CONCENTRATED, penetration=1, protection=1),
    _spell("0301", 'Conjuring "Misdirection"', "奇術「ミスディレクション」", {"Sakuya": 1}, 2, 2, 1, 4, w.SPREAD, fast=1),
    _spell("0302", 'Illusion Image "Luna Clock"', "幻象「ルナクロック」", {"Sakuya": 1}, 2, 1, 2, 4, w.CONCENTRATED, slow=1),
    _spell("0303", 'Illusion Existence "Clock Corpse"', "幻在「クロックコープス」", {"Sakuya": 1}, 3, 3, 1, 3, w.NORMAL, protection=1),
    _spell("0304", 'Illusion Phantom "Jack the Ludo Bile"', "幻幽「ジャック・ザ・ルドビレ」", {"Sakuya": 1}, 3, 3, 2, 4, w.CONCENTRATED),
    _spell("0305", 'Illusion Sign "Killing Doll"', "幻符「殺人ドール」", {"Sakuya": 2}, 3, 3, 2, 4, w.SPREAD, slow=2),
    _spell("0306", "kijutsu etaanarumiiku", "奇術「エターナルミーク」", {"Sakuya": 2}, 4, 4, 1, 5, w.SPREAD),
    _spell("0307", "gensou yogirinogeneisatsujinki", "幻葬「夜霧の幻影殺人鬼」", {"Sakuya": 3}, 5, 3, 3, 6, w.NORMAL, protection=1, fast=2),
    _spell("0308", "shoukon sourusukarupuchua", "傷魂「ソウルスカルプチュア」", {"Sakuya": 3}, 6, 5, 2, 6, w.NORMAL),
    _spell("0401", "yuukiken youdougakinodanjiki", "幽鬼剣「妖童餓鬼の断食」", {"Youmu": 1}, 1, 2, 1, 3, w.NORMAL),
    _spell("0402", "gokukaiken nihyakuyujunnoissen", "獄界剣「二百由旬の一閃」", {"Youmu": 1}, 2, 1, 2, 3, w.SPREAD, protection=1),
    _spell("0403", "jinfu gensezan", "人符「現世斬」", {"Youmu": 1}, 2, 3, 1, 3, w.CONCENTRATED, penetration=1),
    _spell("0404", "chikushuken muimusakunomyoubatsu", "畜趣剣「無為無策の冥罰」", {"Youmu": 1}, 3, 3, 1, 4, w.CONCENTRATED),
    _spell("0405", "rikudouken ichinenmuryougou", "六道剣「一念無量劫」", {"Youmu": 2}, 4, 4, 2, 4, w.SPREAD),
    _spell("0406", "jinseken taigokenkai", "人世剣「大悟顕晦」", {"Youmu": 2}, 4, 4, 2, 4, w.NORMAL),
    _spell("0407", "tenjouken tenninnogosui", "天上剣「天人の五衰」", {"Youmu": 3}, 5, 4, 2, 5, w.SPREAD, protection=1),
    _spell("0408", "danmeiken meishinjikouzan", "断迷剣「迷津慈航斬」", {"Youmu": 3}, 5, 5, 2, 4, w.CONCENTRATED, protection=1),
    _spell("0501", "kekkai yumetoutsutsunoshu", "結界「夢と現の呪」", {"Yukari": 1}, 1, 2, 1, 4, w.CONCENTRATED),
    _spell("0502", "kekkai doutoseinokinkou", "結界「動と静の均衡」", {"Yukari": 1}, 3, 2, 2, 4, w.SPREAD),
    _spell("0503", "mouryou sutoreetotokaabunomukyou", "罔両「ストレートとカーブの夢郷」", {"Yukari": 1}, 3, 3, 1, 4, w.NORMAL),
    _spell("0504", "shikigami yakumoran", "式神「八雲藍」", {"Yukari": 1}, 4, 4, 2, 4, w.CONCENTRATED),
    _spell("0505", "kyoufu shijuukekkai", "境符「四重結界」", {"Yukari": 2}, 3, 2, 1, 5, w.SPREAD, protection=1),
    _spell("0506", "mouryou yakumoyukarinokamikakushi", "罔両「八雲紫の神隠し」", {"Yukari": 2}, 3, 3, 2, 4, w.SPREAD),
    _spell("0507", "kekkai seitoshinokyoukai", "結界「生と死の境界」", {"Yukari": 3}, 5, 4, 2, 5, w.NORMAL),
    _spell("0508", "yukariougi danmakukekkai", "紫奥義「弾幕結界」", {"Yukari": 3}, 7, 4, 3, 7, w.SPREAD, protection=3),
    _spell("0601", "aofu hakuainofuransuningyou", "蒼符「博愛の仏蘭西人形」", {"Alice": 1}, 1, 1, 0, 2, w.SPREAD),
    _spell("0602", "senfu ritoruregion", "戦符「リトルレギオン」", {"Alice": 1}, 2, 1, 0, 4, w.NORMAL),
    _spell("0603", "mafu aatifurusakurifaisu", "魔符「アーティフルサクリファイス」", {"Alice": 1}, 2, 1, 1, 3, w.CONCENTRATED),
    _spell("0604", "akafu akagenoorandaningyou", "紅符「紅毛の和蘭人形」", {"Alice": 1}, 3, 2, 0, 3, w.NORMAL),
    _spell("0605", "soufu otomebunraku", "操符「乙女文楽」", {"Alice": 2}, 2, 1, 1, 3, w.SPREAD),
    _spell("0606", "juso masaikounoshanhainingyou", "咒詛「魔彩光の上海人形」", {"Alice": 2}, 4, 2, 1, 5, w.SPREAD),
    _spell("0607", "makou deu゛iriiraitorei", "魔光「デヴィリーライトレイ」", {"Alice": 3}, 5, 3, 0, 5, w.CONCENTRATED, penetration=1),
    _spell("0608", "juso kubitsurihourainingyou", "咒詛「首吊り蓬莱人形」",
           {"Alice": 3}, 6, 2, 1, 6, w.NORMAL, penetration=1, fast=3, slow=3),
    _spell("0701", 'Heaven\'s Punishment "Star of David"', "天罰「スターオブダビデ」", {"Remilia": 1}, 1, 2, 1, 4, w.SPREAD),
    _spell("0702", 'Scarlet Sign "Red the Nightless Castle"', "紅符「不夜城レッド」", {"Remilia": 1}, 2, 3, 1, 3, w.NORMAL, fast=1, slow=1),
    _spell("0703", 'Certain Kill "Heart Break"', "必殺「ハートブレイク」", {"Remilia": 1}, 2, 4, 0, 2, w.CONCENTRATED, penetration=1),
    _spell("0704", 'Nether Sign "Scarlet Netherworld"', "冥符「紅色の冥界」", {"Remilia": 1}, 3, 3, 2, 4, w.SPREAD),
    _spell("0705", 'Divine Punishment "Young Demon Lord"', "神罰「幼きデーモンロード」", {"Remilia": 2}, 3, 4, 2, 4, w.SPREAD),
    _spell("0706", 'Divine Art "Vampire Illusion"', "神術「吸血鬼幻想」", {"Remilia": 2}, 4, 4, 2, 4, w.NORMAL),
    _spell("0707", 'Scarlet Demon "Scarlet Devil"', "紅魔「スカーレットデビル」", {"Remilia": 3}, 4, 5, 1, 4, w.CONCENTRATED),
    _spell("0708", '"Scarlet Gensokyo"', "「紅色の幻想郷」", {"Remilia": 3}, 5, 5, 2, 5, w.SPREAD),
    _spell("0801", "meifu yomotsuhirasakanomichiyuki", "冥符「黄泉平坂行路」", {"Yuyuko": 1}, 2, 3, 1, 3, w.CONCENTRATED, guided=1),
    _spell("0802", "boukyou bougakyou", "亡郷「亡我郷」", {"Yuyuko": 1}, 3, 2, 2, 5, w.SPREAD),
    _spell("0803", "shifu gyasutoridoriimu", "死符「ギャストリドリーム」", {"Yuyuko": 1}, 3, 3, 2, 3, w.SPREAD, slow=1),
    _spell("0804", "boubu shoujahitsumetsunokotowari", "亡舞「生者必滅の理」", {"Yuyuko": 1}, 4, 3, 1, 4, w.NORMAL),
    _spell("0805", "yuukyoku ribojitori・obu・hirokawa", "幽曲「リポジトリ・オブ・ヒロカワ」", {"Yuyuko": 2}, 4, 3, 2, 5, w.CONCENTRATED),
    _spell("0806", "oufu kanzennarusumizomenosakura", "桜符「完全なる墨染の桜」", {"Yuyuko": 2}, 5, 4, 2, 5, w.NORMAL),
    _spell("0807", "shichou kashonoeimin", "死蝶「華胥の永眠」", {"Yuyuko": 3}, 4, 4, 2, 4, w.SPREAD, slow=3),
    _spell("0808", "hangonchou", "「反魂蝶」", {"Yuyuko": 3}, 6, 5, 3, 7, w.SPREAD),
    _support("0006", "Fluffball (Kedama)", "毛玉", {}, 2, w.ON_SPELL),
    _support("0007", "Human Who Shoots Magic", "魔を撃つ人間", {}, 2, w.ON_LEADER),
    _support("0008", "Demon That Eats People", "人を喰らいし魔", {}, 2, w.ON_LEADER),
    _support("0009", "Kourindou", "香霖堂", {}, 3, w.SCENE),
    _support("0010", "Twilight Hour", "逢魔が刻", {}, 3, w.SCENE),
    _support("0011", "All-Encompassing Barrier", "森羅結界", {}, 4, w.SCENE),
    _support("0012", "Lunatic", "Lunatic", {}, 6, w.SCENE),
    _support("0109", "Hakurei Amulet", "博麗アミュレット", {"Reimu": 1}, 1, w.ON_SPELL),
    _support("0110", "Exorcism", "調伏", {"Reimu": 1}, 3, w.ON_SPELL),
    _support("0113", "Great Hakurei Barrier", "博麗大結界", {"Reimu": 2}, 4, w.SCENE),
    _support("0114", "Natural Talent", "天賦の才", {"Reimu": 3}, 4, w.ON_LEADER),
    _support("0209", "Illusion Laser", "イリュージョンレーザー", {"Marisa": 1}, 1, w.ON_SPELL),
    _support("0311", "jikangensoku", "時間減速", {"Sakuya": 2}, 2, w.ON_SPELL),
    _support("0312", "jikankasoku", "時間加速", {"Sakuya": 2}, 2, w.SCENE),
    _support("0411", "shinnen", "信念", {"Youmu": 2}, 2, w.ON_LEADER),
    _support("0412", "hakurouken", "白楼剣", {"Youmu": 2}, 3, w.ON_LEADER),
    _support("0413", "roukanken", "楼観剣", {"Youmu": 2}, 3, w.ON_LEADER),
    _support("0414", "shinooshie", "師の教え", {"Youmu": 3}, 2, w.ON_LEADER),
    _support("0510", "shikigami：yakumoran", "式神：八雲藍", {"Yukari": 1}, 2, w.ON_SPELL, w.SHIKIGAMI),
    _support("0512", "yakumomanjigasa", "八雲卍傘", {"Yukari": 2}, 1, w.ON_LEADER),
    _support("0514", "nekurofantajia", "ネクロファンタジア", {"Yukari": 3}, 5, w.SCENE),
    _support("0609", "furansuningyou", "仏蘭西人形", {"Alice": 1}, 1, w.ON_LEADER, w.DOLL),
    _support("0610", "shanhainingyou", "上海人形", {"Alice": 1}, 2, w.ON_LEADER, w.DOLL),
    _support("0611", "hourainingyou", "蓬莱人形", {"Alice": 2}, 3, w.ON_LEADER, w.DOLL),
    _support("0613", "ningyousaiban", "人形裁判", {"Alice": 2}, 4, w.SCENE),
    _support("0709", "Servant Flyer", "サーヴァントフライヤー", {"Remilia": 1}, 1, w.ON_SPELL),
    _support("0712", "Bloodsucking", "吸血", {"Remilia": 2}, 4, w.ON_LEADER),
    _support("0713", "Septette for the Dead Princess", "亡き王女の為のセプテット", {"Remilia": 2}, 6, w.SCENE),
    _support("0809", "choudan", "蝶弾", {"Yuyuko": 1}, 2, w.ON_SPELL),
    _support("0811", "shikkaihoukou", "悉皆彷徨", {"Yuyuko": 2}, 3, w.ON_SPELL),
    _support("0812", "boodaaoburaifu", "ボーダーオブライフ", {"Yuyuko": 2}, 4, w.SCENE),
    _support("9001", "gensoukekkai", "幻想結界", {"Reimu": 1, "Yukari": 1}, 2, w.ON_SPELL),
    _support("9003", "sekinintenka", "責任転嫁", {"Marisa": 1, "Alice": 1}, 4, w.ON_LEADER),
    _support("9009", "karapponosaisenbako", "空っぽの賽銭箱", {"Reimu": 1, "Marisa": 1}, 3, w.ON_LEADER),
    _support("9012", "shihaisurumono", "支配するもの", {"Alice": 1, "Remilia": 1}, 5, w.ON_LEADER),
    _event("0001", "Read Ahead", "先読み", {}, 2, w.REPLENISH),
    _event("0002", "Never Mind the Past", "昔のことは気にせず", {}, 2, w.REPLENISH),
    _event("0003", "Pinpoint", "ピンポイント", {}, 2, w.BATTLE),
    _event("0004", "All-Direction Attack", "全方位攻撃", {}, 2, w.BATTLE),
    _event("0005", "Pattern Dodge", "パターン避け", {}, 3, w.BATTLE),
    _event("0111", "Zero Gravity", "無重力", {"Reimu": 2}, 3, w.BATTLE),
    _event("0112", "Intuition", "直感", {"Reimu": 2}, 3, w.REPLENISH),
    _event("0210", "No Questions Asked", "問答無用", {"Marisa": 1}, 2, w.REPLENISH),
    _event("0211", "Borrowing", "拝借", {"Marisa": 2}, 3, w.REPLENISH),
    _event("0212", "Storm and Stress", "疾風怒濤", {"Marisa": 2}, 4, w.BATTLE),
    _event("0213", "Rapid Chant", "高速詠唱", {"Marisa": 2}, 5, w.REPLENISH),
    _event("0214", "Magic Crystal", "魔力結晶", {"Marisa": 3}, 3, w.REPLENISH),
    _event("0309", "View of the Parting Sword", "離剣の見", {"Sakuya": 1}, 2, w.BATTLE),
    _event("0310", "Knife Recovery", "ナイフ回収", {"Sakuya": 1}, 2, w.REPLENISH),
    _event("0313", "Time Stop", "時間停止", {"Sakuya": 2}, 5, w.REPLENISH),
    _event("0314", "sakuyanosekai", "咲夜の世界", {"Sakuya": 3}, 5, w.REPLENISH),
    _event("0409", "seishintouitsu", "精神統一", {"Youmu": 1}, 3, w.BATTLE),
    _event("0410", "issen", "一閃", {"Youmu": 1}, 3, w.BATTLE),
    _event("0509", "kamikakushi", "神隠し", {"Yukari": 1}, 3, w.REPLENISH),
    _event("0511", "shikigamikyouka", "式神強化", {"Yukari": 1}, 3, w.BATTLE),
    _event("0513", "suimin", "睡眠", {"Yukari": 2}, 3, w.REPLENISH),
    _event("0612", "ningyouseisei", "人形生成", {"Alice": 2}, 3, w.REPLENISH),
    _event("0614", "doorukuruseidaa", "ドールクルセイダー", {"Alice": 3}, 3, w.BATTLE),
    _event("0710", "Demon Lord Walk", "デーモンロードウォーク", {"Remilia": 1}, 2, w.BATTLE),
    _event("0711", "Mistress of the Scarlet Devil Mansion", "紅魔館の主", {"Remilia": 2}, 3, w.REPLENISH),
    _event("0714", "One to Be Feared", "畏怖すべき存在", {"Remilia": 3}, 3, w.REPLENISH),
    _event("0810", "kochoumunomai", "胡蝶夢の舞", {"Yuyuko": 1}, 2, w.BATTLE),
    _event("0813", "taigannosasoi", "対岸の誘い", {"Yuyuko": 2}, 4, w.REPLENISH),
    _event("0814", "boushoku", "暴食", {"Yuyuko": 3}, 5, w.REPLENISH),
    _event("9002", "danmakubaka", "弾幕馬鹿", {"Reimu": 2, "Yukari": 2}, 6, w.BATTLE),
    _event("9004", "marisuhou", "マリス砲", {"Marisa": 2, "Alice": 2}, 4, w.BATTLE),
    _event("9005", "Perfect and Elegant Servant", "瀟洒な従者", {"Sakuya": 1, "Remilia": 1}, 3, w.REPLENISH),
    _event("9006", "Promise", "約束", {"Sakuya": 2, "Remilia": 2}, 5, w.BATTLE),
    _event("9007", "oniwaban", "御庭番", {"Youmu": 1, "Yuyuko": 1}, 4, w.BATTLE),
    _event("9008", "eienokiru", "永遠を斬る", {"Youmu": 2, "Yuyuko": 2}, 7, w.REPLENISH),
    _event("9010", "saigonotoride", "最後の砦", {"Sakuya": 1, "Youmu": 1}, 4, w.BATTLE),
    _event("9011", "yuumeisakaiokotonisuru", "幽明境を異にする", {"Yukari": 1, "Yuyuko": 1}, 6, w.REPLENISH),
)
# fmt: on
NUMBERS: dict[str, int] = {card.id: number for number, card in enumerate(CARDS)}
PLAYABLE_IDS: tuple[str, ...] = tuple(card.id for card in CARDS if card.kind != w.CHARACTER)
LEADER_IDS: tuple[str, ...] = tuple(card.id for card in CARDS if card.kind == w.CHARACTER)
"""The character cards, in the order of `words.CHARACTERS`."""


def _at(card_id: str) -> int:
    """Number of a card plus one, as filters have it."""
    return NUMBERS[card_id] + 1


def _requires(character: str) -> int:
    return CHARACTERS[character] + 1


def _level(character: str, level: int = 4) -> Cond:
    return Cond(w.C_LEVEL, CHARACTERS[character], level)


def _own(*names: str) -> Cond:
    return Cond(w.C_OWN_TRAIT, trait(*names))


def _opp(*names: str) -> Cond:
    return Cond(w.C_OPP_TRAIT, trait(*names))


def _carries(*ids: str) -> Cond:
    return Cond(w.C_CARRIES, NUMBERS[ids[0]], NUMBERS[ids[-1]])


def _dolls(number: int) -> Cond:
    return Cond(w.C_CARRIES_CLASS, w.DOLL, number)


_OWN_SPELL, _ANY_SPELL = Filter(side=OWN), Filter()
_YOUMU_SPELLS, _ALICE_SPELLS = (Filter(side=OWN, character=_requires(name)) for name in ("Youmu", "Alice"))
_LEADERS_SPELLS = Filter(leader=w.OF_OWN_LEADER)
_BATTLING = Cond(w.C_BATTLING)
_HIT, _USED, _DEALT = Cond(w.C_HIT), Cond(w.C_USED), Cond(w.C_DEALT_DAMAGE)

# fmt: off
STATICS: dict[str, list[Static]] = {
    "0600": always(ALL, _ALICE_SPELLS, av=w.HALF_THE_DOLLS, iv=w.HALF_THE_DOLLS),
    "0101": always(THIS, role=INTERCEPT, protection=1),
    "0104": always(OWN_LEADER, ev=-2),
    "0105": always(OPP_BATTLING, cond=_opp("youkai"), hv=-1),
    "0107": always(OWN_LEADER, cond=_level("Reimu"), ev=1),
    "0108": always(OWN_LEADER, ev=3),
    "0202": always(THIS, role=ATTACK, slow=2),
    "0203": always(THIS, role=ATTACK, hv=2),
    "0208": always(THIS, cond=_level("Marisa"), av=1, iv=1),
    "0305": [*always(THIS, cond=_opp("human"), hv=1), *always(THIS, cond=_opp("SDM"), hv=-1)],
    "0306": always(THIS, role=INTERCEPT, hv=2),
    "0405": always(THIS, role=INTERCEPT, guided=1, protection=1),
    "0407": always(THIS, cond=_carries("0412"), guided=1, protection=1),
    "0408": always(THIS, cond=_carries("0413"), penetration=1, protection=1),
    "0504": always(THIS, phases=(REPLENISH, BATTLE), counts_as=SHIKIGAMI),
    "0506": always(OWN_LEADER, role=INTERCEPT, ev=1),
    "0507": always(THIS, cond=Cond(w.C_HP_AT_MOST, 5), penetration=1, av=1, hv=3),
    "0601": always(THIS, hv=DOLLS),
    "0602": always(THIS, role=INTERCEPT, protection=1),
    "0604": always(THIS, cond=_dolls(3), hv=3),
    "0605": always(THIS, cond=Cond(w.C_OWN_LEADER, CHARACTERS["Alice"]), slow=3),
    "0606": always(THIS, phases=range(5), protection=w.Amount(w.X_CARD, NUMBERS["0610"])),
    "0706": always(OWN_LEADER, cond=_own("vampire"), ev=1),
    "0707": always(THIS, role=ATTACK, fast=4),
    "0803": [*always(THIS, role=INTERCEPT, protection=1), *always(THIS, role=INTERCEPT, cond=_level("Yuyuko", 2), hv=1)],
    "0804": always(THIS, role=INTERCEPT, cond=_level("Yuyuko", 2), slow=2),
    "0011": always(BOTH_LEADERS, ev=1),
    "0012": always(ALL, _ANY_SPELL, hv=3),
    "0109": always(HOST, guided=1),
    "0110": always(HOST, hv=-2),
    "0113": always(ALL, _LEADERS_SPELLS, cond=_own("barrier-keeper"), protection=1),
    "0114": always(OWN_LEADER, ev=1),
    "0209": [*always(HOST, becomes=w.CONCENTRATED), *always(HOST, role=ATTACK, penetration=1)],
    "0311": always(HOST, role=ATTACK, cannot_battle=1),
    "0411": [
        *always(
            ALL, Filter(SUPPORT, OWN, on_leader=1, but=_at("0411")), phases=(REPLENISH, BATTLE), safe_from_events=1, safe_from_abilities=1,
        ),
        *always(ALL, _YOUMU_SPELLS, cond=_carries("0413", "0412"), hv=1),
    ],
    "0412": always(ALL, _YOUMU_SPELLS, iv=1),
    "0413": always(ALL, _YOUMU_SPELLS, av=1),
    "0510": always(HOST, av=1, iv=1),
    "0609": always(ALL, _ALICE_SPELLS, cond=Cond(w.C_COPIES, NUMBERS["0609"], 3), hv=1),
    "0610": always(OWN_LEADER, cond=Cond(w.C_COPIES, NUMBERS["0610"], 3), ev=1),
    "0611": always(ALL, _ALICE_SPELLS, cond=Cond(w.C_COPIES, NUMBERS["0611"], 3), av=1, iv=1),
    "0709": always(HOST, av=1),
    "0712": always(ALL, Filter(SUPPORT, OWN, character=_requires("Remilia")), phases=(REPLENISH, BATTLE), safe_from_events=1),
    "0713": always(ALL, _LEADERS_SPELLS, cond=_own("vampire"), av=1, iv=1, hv=2),
    "0809": always(HOST, becomes=w.SPREAD, hv=1),
    "0811": always(HOST, av=1, iv=1, hv=1),
    "9001": always(HOST, phases=(REPLENISH, BATTLE), safe_from_events=1, safe_from_abilities=1),
    "9012": [
        *always(ALL, Filter(side=OWN, leader=w.NOT_OF_OWN_LEADER), av=1, iv=1, hv=1),
        *always(ALL, Filter(not_level=1), av=-1, iv=-1),
    ],
}
"""What always holds. A text of a spell that is for the battle phase alone counts while it battles (V-7)."""

_DISCARD_THIS = [Row(w.OP_DISCARD, THIS)]
ABILITIES: dict[str, Ability] = {
    "0100": ability(BATTLE, until(TARGET, slow=1), target=_OWN_SPELL, sp=2),
    "0200": ability(BATTLE, until(TARGET, fast=1), target=_OWN_SPELL, sp=2),
    "0300": ability(BATTLE, until(TARGET, hv=1), target=_OWN_SPELL, sp=3),
    "0400": ability(BATTLE, until(TARGET, iv=1), target=_OWN_SPELL, sp=3),
    "0700": ability(BATTLE, until(TARGET, av=1), target=_OWN_SPELL, sp=3),
    "0800": ability(BATTLE, until(OWN_LEADER, ev=1), sp=2),
    "0102": ability(
        REPLENISH, [Row(w.OP_RESERVE, THIS), Row(w.OP_ACTIVATE, TARGET)], limit=False, active_only=True, sp=1,
        target=Filter(side=OWN, where=w.RESERVE, card=_at("0103")),
    ),
    "0103": ability(
        REPLENISH, [Row(w.OP_RESERVE, THIS), Row(w.OP_ACTIVATE, TARGET)], limit=False, active_only=True, sp=1,
        target=Filter(side=OWN, where=w.RESERVE, card=_at("0102")),
    ),
    "0106": ability(BATTLE, until(THIS, protection=1), role=INTERCEPT, sp=1),
    "0205": ability(BATTLE, until(THIS, guided=1), sp=1),
    "0206": ability(BATTLE, until(THIS, av=1, hv=-1), sp=1),
    "0207": ability(BATTLE, until(THIS, av=1, hv=1), role=ATTACK, limit=False, hand=1),
    "0208": ability(BATTLE, until(THIS, av=1, hv=-1), sp=1),
    "0304": ability(BATTLE, until(THIS, guided=1), sp=1),
    "0306": ability(BATTLE, until(THIS, hv=2), sp=2),
    "0307": ability(BATTLE, until(THIS, penetration=1), cond=_level("Sakuya"), sp=1),
    "0308": ability(BATTLE, until(THIS, hv=2), limit=False, sp=2),
    "0401": ability(BATTLE, until(THIS, av=1, hv=1), sp=3),
    "0404": ability(BATTLE, until(THIS, iv=1, hv=1), sp=2),
    "0406": ability(BATTLE, until(THIS, protection=2), cond=_own("Hakugyokurou"), sp=3),
    "0407": ability(BATTLE, until(THIS, iv=1), cond=_level("Youmu"), sp=2),
    "0408": ability(BATTLE, until(THIS, av=1), cond=_level("Youmu"), sp=2),
    "0501": ability(BATTLE, until(THIS, guided=1), sp=2),
    "0502": ability(BATTLE, until(THIS, fast=1, slow=1), sp=1),
    "0505": ability(BATTLE, until(THIS, protection=1), sp=1),
    "0508": ability(BATTLE, until(THIS, av=2, iv=1, hv=2), cond=_level("Yukari"), sp=3),
    "0603": ability(BATTLE, later(w.AT_BATTLE_END, [Row(w.OP_DAMAGE, OPP, 2), Row(w.OP_DISCARD, THIS)]), cond=_BATTLING, sp=2),
    "0607": ability(BATTLE, until(THIS, hv=DOLLS), cond=_level("Alice"), sp=1),
    "0704": ability(BATTLE, until(THIS, av=1), sp=2),
    "0705": ability(BATTLE, until(THIS, fast=3), hp=1),
    "0707": ability(BATTLE, until(THIS, hv=2), cond=_level("Remilia"), sp=1),
    "0708": ability(BATTLE, until(THIS, av=2, iv=1, hv=3), sp=3),
    "0806": ability(BATTLE, until(THIS, iv=1, hv=1), sp=2),
    "0807": ability(BATTLE, until(THIS, protection=1, hv=2), sp=2),
    "0006": ability(BATTLE, until(HOST, av=1), sp=1),
    "0007": ability(BATTLE, until(TARGET, hv=1), cond=_opp("youkai"), target=_OWN_SPELL, sp=1),
    "0008": ability(BATTLE, until(TARGET, av=1), cond=_opp("human"), target=_OWN_SPELL, sp=1),
    "0114": ability(BATTLE, until(TARGET, iv=1, hv=1), target=_ANY_SPELL, sp=2),
    "0311": ability(REPLENISH, _DISCARD_THIS, limit=False, sp=5),
    "0414": ability(BATTLE, until(ALL, _YOUMU_SPELLS, av=2, iv=1, hv=2), sp=2),
    "0512": ability(BATTLE, until(TARGET, protection=1), target=_ANY_SPELL, sp=2),
    "9009": ability(REPLENISH, _DISCARD_THIS, limit=False, sp=5),
}
"""What may be used. A leading condition is one of its use: it is not offered for nothing."""

_TO_RESERVE = [Row(w.OP_RESERVE, THIS)]
TRIGGERS: dict[str, Trigger] = {
    "0204": Trigger(w.AT_BATTLE_END, _DISCARD_THIS, cond=_USED),
    "0207": Trigger(w.AT_HIT, [Row(w.OP_DISCARD_RANDOM)], ATTACK, _HIT),
    "0301": Trigger(w.AT_HIT, [Row(w.OP_MILL, OPP, 2)], INTERCEPT, _HIT),
    "0302": Trigger(w.AT_HIT, [Row(w.OP_MILL, OPP, 2)], ATTACK, _HIT),
    "0608": Trigger(w.AT_BATTLE_START, _TO_RESERVE, cond=Cond(w.C_LACKS_CLASS, w.DOLL, 4)),
    "0805": Trigger(w.AT_ACTIVATED, [Row(w.OP_HEAL, OWN, 1)]),
    "0808": Trigger(
        w.AT_BATTLE_END, [Row(w.OP_HEAL, OWN, 1), *only_if(_level("Yuyuko"), [Row(w.OP_HEAL, OWN, 1)])], cond=_USED,
    ),
    "0009": Trigger(w.AT_REPLENISH_START, [Row(w.OP_DRAW, OWN, 1)], ATTACK),
    "0010": Trigger(w.AT_REPLENISH_START, [Row(w.OP_GAIN_SP, OWN, 1, x=w.HALF_THE_LEVEL)], ATTACK),
    "0514": Trigger(w.AT_BATTLE_START, [Row(w.OP_RESERVE, ALL, filter=Filter(where=w.ACTIVE, high=1))]),
    "0613": Trigger(w.AT_REPLENISH_START, [Row(w.OP_GAIN_SP, OWN, 2)], ATTACK, Cond(w.C_MORE_SUPPORTS)),
    "0712": Trigger(w.AT_HIT, [Row(w.OP_HEAL, OWN, 1)], cond=_DEALT),
    "0812": Trigger(w.AT_REPLENISH_START, [Row(w.OP_HEAL, OWN, 1)], ATTACK, _own("Hakugyokurou")),
    "9003": Trigger(w.AT_BATTLE_END, [Row(w.OP_TO_BOTTOM, THIS)], cond=_USED),
    "9009": Trigger(w.AT_PREP_END, [Row(w.OP_DAMAGE, OWN, 1)], ATTACK),
}
"""What happens by itself. `9003` counts as used once it has prevented damage (B-9)."""


@dataclass(frozen=True)
class EventText:
    """What an event does, and what it asks for."""

    rows: list[Row]
    target: Filter | None = None
    role: int = w.ANY
    cond: Cond = w.NO_COND


def _does(rows: list[Row], target: Filter | None = None, role: int = w.ANY, cond: Cond = w.NO_COND) -> EventText:
    return EventText(rows, target, role, cond)


_SUPPORTS = Filter(SUPPORT)
EVENTS: dict[str, EventText] = {
    "0001": _does([Row(w.OP_MILL, OPP, 2)]),
    "0002": _does([Row(w.OP_SHUFFLE_IN)]),
    "0003": _does(until(TARGET, hv=3), Filter(type=w.CONCENTRATED)),
    "0004": _does(until(TARGET, hv=3), Filter(type=w.SPREAD)),
    "0005": _does(until(OWN_LEADER, ev=2)),
    "0111": _does(until(OWN_LEADER, ev=3)),
    "0112": _does([
        Row(w.OP_DRAW, OWN, 1), Row(w.OP_SEARCH, 1, filter=Filter(SPELL | SUPPORT | EVENT)), Row(w.OP_SHUFFLE), Row(w.OP_TO_TOP),
    ]),
    "0210": _does([Row(w.OP_BAN_EVENTS)]),
    "0211": _does([Row(w.OP_FROM_OPP_HAND, filter=Filter(SUPPORT | EVENT))]),
    "0212": _does(until(TARGET, fast=4, av=2), _ANY_SPELL),
    "0213": _does([Row(w.OP_ACTIVATE, TARGET)], Filter(side=OWN, where=w.RESERVE, playable=1)),
    "0214": _does(later(w.AT_REPLENISH_END, [Row(w.OP_GAIN_SP, OWN, 5)])),
    "0309": _does(until(TARGET, hv=3), _ANY_SPELL),
    "0310": _does([Row(w.OP_FROM_DISCARD, filter=Filter(SPELL | SUPPORT | EVENT)), Row(w.OP_TO_TOP)]),
    "0313": _does([Row(w.OP_RESERVE, TARGET)], Filter(where=w.ACTIVE)),
    "0314": _does([Row(w.OP_BATTLE_AGAIN)]),
    "0409": _does(until(TARGET, protection=2), _ANY_SPELL),
    "0410": _does([*until(TARGET, av=1, iv=1), *only_if(_carries("0413", "0412"), until(TARGET, guided=1, penetration=1))], _OWN_SPELL),
    "0509": _does([Row(w.OP_DISCARD, TARGET)], _SUPPORTS),
    "0511": _does(until(TARGET, guided=1, av=2, iv=2), Filter(cls=SHIKIGAMI)),
    "0513": _does([Row(w.OP_HEAL, OWN, 5), Row(w.OP_END_TURN)], role=ATTACK),
    "0612": _does([Row(w.OP_SEARCH, 0, 1, filter=Filter(SUPPORT, cls=w.DOLL)), Row(w.OP_TO_HAND), Row(w.OP_SHUFFLE)]),
    "0614": _does([*until(TARGET, protection=DOLLS, hv=DOLLS), *only_if(_dolls(5), until(TARGET, av=2))], _ANY_SPELL),
    "0710": _does(until(TARGET, fast=3), _ANY_SPELL),
    "0711": _does([Row(w.OP_SEARCH, 0, 1, filter=Filter(SPELL)), Row(w.OP_TO_HAND), Row(w.OP_SHUFFLE)]),
    "0714": _does(until(TARGET, turn=True, cannot_battle=1), _ANY_SPELL),
    "0810": _does(until(TARGET, slow=3), _ANY_SPELL),
    "0813": _does([
        *only_if(_opp("human"), [Row(w.OP_DAMAGE, OPP, 2)]), *only_if(_opp("youkai", "oni", "celestial"), [Row(w.OP_DAMAGE, OPP, 1)]),
    ]),
    "0814": _does([Row(w.OP_DISCARD, ALL, filter=_SUPPORTS), Row(w.OP_HEAL, OWN, 1, x=w.THOSE_DISCARDED)]),
    "9002": _does(until(OWN_LEADER, ev=9)),
    "9004": _does(until(TARGET, penetration=1, av=4), _ANY_SPELL),
    "9005": _does([Row(w.OP_SEARCH, 0, 1, filter=Filter(SPELL, character=_requires("Sakuya"))), Row(w.OP_INTO_PLAY), Row(w.OP_SHUFFLE)]),
    "9006": _does(until(TARGET, av=3, iv=3, hv=3), Filter(character=_requires("Remilia"))),
    "9007": _does(until(TARGET, protection=4), _ANY_SPELL),
    "9008": _does([Row(w.OP_DISCARD, TARGET)], Filter(SPELL | SUPPORT)),
    "9010": _does(until(TARGET, protection=2, av=2, iv=2, hv=2), _ANY_SPELL, cond=Cond(w.C_HP_AT_MOST, 5)),
    "9011": _does([Row(w.OP_RETURN, TARGET)], _ANY_SPELL),
}

EXTRA_COSTS: dict[str, dict[int, Cost]] = {
    "0107": {w.TO_BATTLE: Cost(sp=1)}, "0108": {w.TO_BATTLE: Cost(hand=1)}, "0702": {w.TO_BATTLE: Cost(sp=1)},
    "0705": {w.TO_ACTIVE: Cost(hp=1)}, "0706": {w.TO_BATTLE: Cost(sp=1)}, "0808": {w.TO_BATTLE: Cost(sp=1)},
    "0709": {w.USE: Cost(hp=1)}, "0214": {w.USE: Cost(hp=1)}, "0814": {w.USE: Cost(hand=1)}, "9005": {w.USE: Cost(hand=1)},
    "9006": {w.USE: Cost(reserve=_requires("Sakuya"))},
}
"""What is paid besides the printed SP, by moment (P-9)."""
PLACED_ONLY: dict[str, Cond] = {
    "0007": _own("human"), "0008": _own("youkai"), "0412": Cond(w.C_OWN_LEADER, CHARACTERS["Youmu"]),
    "0413": Cond(w.C_OWN_LEADER, CHARACTERS["Youmu"]), "0414": Cond(w.C_CARRIES_BOTH, NUMBERS["0412"], NUMBERS["0413"]),
    "0712": _own("vampire"),
}
"""Leaders that a support may be placed on, own is here whoever gets it (F-6). `0412` and `0413` lie only on Youmu, so `0414` does too."""
PLACED_ONLY_ON_SPELLS_OF = {"0510": _requires("Yukari")}
PLACES_IN_REPLENISH, MANY_DOLLS, MORE_SPELLS, PREVENTS = "0500", "0600", "0312", "9003"
"""Four texts that no row says: supports in the own replenish phase (F-8), equal dolls on one leader (F-3), a spell more in a preparation
phase, and damage that is prevented (B-9)."""

DECKS: dict[str, tuple[str, dict[str, int], dict[str, int]]] = {
    "reimu4": ("Reimu", {"Reimu": 4}, {
        "0101": 3, "0102": 3, "0103": 3, "0104": 3, "0105": 1, "0106": 3, "0107": 1, "0108": 2, "0109": 2, "0110": 2, "0113": 1,
        "0114": 2, "0006": 2, "0111": 3, "0112": 2, "0003": 2, "0004": 3, "0005": 2,
    }),
    "marisa4": ("Marisa", {"Marisa": 4}, {
        "0201": 3, "0202": 2, "0203": 3, "0204": 3, "0205": 3, "0206": 3, "0207": 2, "0208": 3, "0209": 2, "0007": 1, "0006": 2,
        "0010": 2, "0210": 1, "0211": 2, "0212": 2, "0213": 2, "0214": 2, "0003": 2,
    }),
    "remilia3-sakuya1": ("Remilia", {"Remilia": 3, "Sakuya": 1}, {
        "0701": 3, "0702": 3, "0704": 3, "0705": 3, "0706": 2, "0707": 3, "0708": 2, "0301": 2, "0302": 1, "0709": 2, "0712": 1,
        "0713": 1, "0008": 1, "0006": 1, "0710": 2, "0714": 2, "0711": 2, "0309": 2, "9005": 1, "0005": 2, "0310": 1,
    }),
}
# fmt: on
"""Our three decks (S-8): who leads, the team, the cards. `reimu4` was weakened (0104 for most of 0105 and 0107, a third 0004) because
greedy bots won 75 and 80 % with it; docs/utage/balance.md has what they win now."""
