"""What happens to whom, in lives, and its worth to me: texts, Spell Cards, attacks, announced cards.

Everything reads one observation row `o`, seats relative to its observer; `t` is the record of card tables, `f` that of
`effects.play_facts()`, `y` that of a style of play (style.py), `e` [8] the preference toward each seat, -1 toward myself. `event` is a
moment of the vocabulary (MAIN, CANCEL ...).
"""

import numpy as np

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.box import NUM_KINDS
from danmaku_env.cards.tables import SLOTS, T_CANCEL, T_EVENTS
from danmaku_env.heuristics import effects as fx
from danmaku_env.heuristics.kernels import observation_reader as reader
from danmaku_env.heuristics.style import MOST_LIFE
from danmaku_env.jit.kernels import kernel

FEW_LIVES = 2
DODGE_BIT, HEALING_BIT = v.TYPES.index("dodge"), v.TYPES.index("healing")
NEVER = -100.0
"""Value of what cannot work."""


# ---------------------------------------------------------------- what happens to a seat, in lives


@kernel
def life_value(y, seat, life):
    """The value to the seat of the last of this many lives, at least 1."""
    which = min(life, MOST_LIFE) - 1
    return y["loss"][which] if seat else y["own_loss"][which]


@kernel
def loss(y, seat, life, amount):
    """Value of this many lives to a seat that has `life`; parts of a life count as such."""
    total = 0.0
    while amount > 0.0 and life > 0:
        total += min(1.0, amount) * life_value(y, seat, life)
        amount -= 1.0
        life -= 1
    return total


@kernel
def holds_dodge(t, o, seat):
    """Whether the seat surely holds a dodge card, as far as I know."""
    kinds = int(t["type_kinds"][DODGE_BIT])
    for kind in range(NUM_KINDS):
        if (kinds >> kind) & 1 == 0:
            continue
        if (seat == 0 and reader.copies_in_hand(o, kind)) or (seat and o[reader.O_KNOWN_HANDS + seat * NUM_KINDS + kind]):
            return True
    return False


@kernel
def hit_chance(t, f, y, o, seat):
    """Chance that an attack on the seat takes life."""
    chance = 1.0
    slots = int(t["event_slots"][v.ATTACK_DECLARED])
    for slot in range(SLOTS):
        if (slots >> slot) & 1 and o[reader.O_ITEMS + seat * SLOTS + slot]:
            chance *= 1.0 - f["chance"][int(t["slot_trigger"][v.ATTACK_DECLARED, slot])]
    if holds_dodge(t, o, seat):
        return chance * (y["known_dodge"] if seat else y["self_dodge"])
    if seat:
        chance *= y["dodgeless"] ** np.int64(o[reader.O_HAND_SIZE + seat])
    return chance


@kernel
def healed(y, o, seat, amount):
    """Value of regaining life, up to max life."""
    life = np.int64(o[reader.O_LIFE + seat])
    total = 0.0
    while amount > 0.0 and life < np.int64(o[reader.O_MAX_LIFE + seat]):
        life += 1
        total += life_value(y, seat, life)
        amount -= 1.0
    return total


@kernel
def gain(t, f, y, o, text, place, seat, event):
    """What the text does to the seat, in that place of the text, in lives for the better or worse of that seat."""
    effect = f["effect"][text, place]
    life = np.int64(o[reader.O_LIFE + seat])
    value = y["card"] * effect[fx.DOES_CARDS] + y["turn"] * effect[fx.DOES_TURNS]
    if effect[fx.DOES_HAND] > 0.0:
        value -= y["card"] * (np.int64(o[reader.O_HAND_SIZE + seat]) - (1 if seat == 0 else 0))
    if effect[fx.DOES_ITEMS] > 0.0 or (effect[fx.DOES_ITEMS] < 0.0 and reader.items_of(o, seat) > 0):
        value += y["item"] * effect[fx.DOES_ITEMS]
    value -= loss(y, seat, life, -effect[fx.DOES_LIFE])
    if effect[fx.DOES_HEAL] > 0.0:
        value += healed(y, o, seat, effect[fx.DOES_HEAL])
    if effect[fx.DOES_REVIVED] > 0.0 and event == v.RESCUE and life == 0:
        value += life_value(y, seat, 1)
    hits = effect[fx.DOES_FAR_ATTACK]
    if effect[fx.DOES_ATTACK] > 0.0 and (seat == 0 or o[reader.O_IN_RANGE + seat]):
        hits += effect[fx.DOES_ATTACK]
    if hits > 0.0:
        value -= hit_chance(t, f, y, o, seat) * (
            loss(y, seat, life, hits) - y["card"] * min(hits, life - 1.0)
        )  # who is hit, and lives, draws
    if effect[fx.DOES_SURE_ATTACK] > 0.0:
        value -= loss(y, seat, life, effect[fx.DOES_SURE_ATTACK])
    return value


# ---------------------------------------------------------------- the value of a text to me


@kernel
def in_group(o, group, seat):
    """Whether the seat, as far as I see, can be chosen from the group."""
    if group == v.SPELL_OWNERS or group == v.FALLEN_OWNERS:
        return seat > 0 and o[reader.O_PRIMARIES[0] + seat] > 0
    if o[reader.O_ACTIVE + seat] == 0:
        return False
    life = np.int64(o[reader.O_LIFE + seat])
    if group == v.EVERYONE:
        return True
    if group == v.HURT or group == v.OTHERS_HURT:
        return life < np.int64(o[reader.O_MAX_LIFE + seat]) and (group == v.HURT or seat > 0)
    if group == v.AT_ZERO:
        return life == 0
    if seat == 0:
        return False
    if group == v.OTHERS:
        return True
    if group == v.WITH_ITEMS:
        return reader.items_of(o, seat) > 0
    return o[reader.O_IN_RANGE + seat] > 0


@kernel
def swap_value(y, o, e, one, other):
    """Value to me of two players exchanging hands."""
    more = np.int64(o[reader.O_HAND_SIZE + other]) - np.int64(o[reader.O_HAND_SIZE + one])
    return y["card"] * more * (e[other] - e[one])


@kernel
def choice_value(t, f, y, o, e, text, choice, seat, event):
    """Value to me of choosing the seat for CHOSEN, SECOND or THIRD (`choice` 0, 1, 2) of my text."""
    value = -e[seat] * gain(t, f, y, o, text, fx.ON_CHOSEN + choice, seat, event)
    if choice == 0 and f["group"][text, 1] - 1 == v.THE_CHOSEN:
        value += max(0.0, -e[seat] * gain(t, f, y, o, text, fx.ON_SECOND, seat, event))
    if int(f["flags"][text]) & fx.SWAPS and choice < 2:
        first = reader.flagged_seat(o, reader.O_CHOSEN)
        if choice == 1 and first >= 0:
            return swap_value(y, o, e, first, seat)
        best = 0.0
        for other in range(1, reader.SEATS):
            if other != seat and o[reader.O_ACTIVE + other]:
                best = max(best, swap_value(y, o, e, seat, other))
        return best
    return value


@kernel
def best_choices(t, f, y, o, e, text, event):
    """Value to me of the best players my text can choose; NEVER when it must choose and nobody is there."""
    total = 0.0
    first = -1
    for choice in range(fx.CHOICES):
        group = int(f["group"][text, choice]) - 1
        if group < 0 or group == v.THE_CHOSEN or group == v.SPELL_OWNERS or group == v.FALLEN_OWNERS:
            continue
        best = NEVER
        found = -1
        for seat in range(reader.SEATS):
            if seat != first and in_group(o, group, seat):
                value = choice_value(t, f, y, o, e, text, choice, seat, event)
                if value > best:
                    best = value
                    found = seat
        if f["optional"][text, choice]:
            best = max(0.0, best)
        if choice == 0:
            first = found
        total += best
    return total


@kernel
def attack_averted(t, f, y, o, e):
    """Value to me of the topmost attack not taking life."""
    target = reader.flagged_seat(o, reader.O_ATTACK_ON)
    if target < 0:
        return 0.0
    value = -e[target] * loss(y, target, np.int64(o[reader.O_LIFE + target]), float(o[reader.O_ATTACK]))
    if target == 0:
        return value
    return value * hit_chance(t, f, y, o, target) - y["guard_cost"]


@kernel
def announced_text(t, o):
    """Text of the topmost announced card or Spell Card, or 0."""
    character = np.int64(o[reader.O_PLAYED + 1])
    if character:
        return int(t["spell_text"][character - 1])
    kind = np.int64(o[reader.O_PLAYED]) - 1
    if kind < 0:
        return 0
    for mode in range(2):
        text = int(t["mode_text"][kind, mode])
        if text and t["text"][text, T_CANCEL]:
            return text
    return 0


@kernel
def announced_value(t, f, y, o, e):
    """Value to me of what has been announced, if nobody cancels it."""
    text = announced_text(t, o)
    actor = reader.flagged_seat(o, reader.O_PLAYED_BY)
    if text == 0 or actor < 0:
        return 0.0
    value = -e[actor] * gain(t, f, y, o, text, fx.ON_ME, actor, v.CANCEL)
    target = reader.flagged_seat(o, reader.O_PLAYED_ON)
    if target >= 0:
        value -= e[target] * gain(t, f, y, o, text, fx.ON_CHOSEN, target, v.CANCEL)
    for seat in range(reader.SEATS):
        if o[reader.O_ACTIVE + seat]:
            value -= e[seat] * gain(t, f, y, o, text, fx.ON_EVERYONE, seat, v.CANCEL)
            if seat != actor:
                value -= e[seat] * gain(t, f, y, o, text, fx.ON_OTHERS, seat, v.CANCEL)
    return value


@kernel
def own_value(t, f, y, o, e, text, event):
    """Value to me of my using a text now, apart from Spell Cards it activates."""
    value = gain(t, f, y, o, text, fx.ON_ME, 0, event) + best_choices(t, f, y, o, e, text, event)
    attacker = reader.flagged_seat(o, reader.O_ATTACK_BY)
    if attacker > 0:
        value -= e[attacker] * gain(t, f, y, o, text, fx.ON_ATTACKER, attacker, event)
    for seat in range(reader.SEATS):
        if o[reader.O_ACTIVE + seat]:
            value -= e[seat] * gain(t, f, y, o, text, fx.ON_EVERYONE, seat, event)
            if seat:
                value -= e[seat] * gain(t, f, y, o, text, fx.ON_OTHERS, seat, event)
    flags = int(f["flags"][text])
    if flags & fx.AVOIDS:
        value += f["chance"][text] * attack_averted(t, f, y, o, e)
    if flags & fx.CANCELS:
        value -= f["chance"][text] * announced_value(t, f, y, o, e)
    if flags & fx.BANS:
        value += y["ban"]
    if flags & fx.LOOKS:
        value += y["information"]
    return value


@kernel
def captured_value(t, f, y, o, e, event):
    """Value of the best Spell Card of another player that fits the moment."""
    best = NEVER
    for seat in range(1, reader.SEATS):
        best = max(best, best_spell_value(t, f, y, o, e, seat, event))
    return best


@kernel
def best_spell_value(t, f, y, o, e, seat, event):
    """Value of activating the better one of a seat's Spell Cards."""
    best = NEVER
    for place in reader.O_PRIMARIES:
        best = max(best, spell_value(t, f, y, o, e, np.int64(o[place + seat]) - 1, event))
    return best


@kernel
def captures_others(t, f, o):
    """Whether a Spell Card of mine activates that of another player."""
    for place in reader.O_PRIMARIES:
        mine = np.int64(o[place]) - 1
        if mine >= 0 and int(f["flags"][int(t["spell_text"][mine])]) & fx.CAPTURES:
            return True
    return False


@kernel
def spell_value(t, f, y, o, e, character, event):
    """Value of activating a character's Spell Card now; NEVER when it does not fit the moment, or activates another's itself."""
    if character < 0:
        return NEVER
    text = int(t["spell_text"][character])
    if (int(t["text"][text, T_EVENTS]) >> event) & 1 == 0 or int(f["flags"][text]) & fx.CAPTURES:
        return NEVER
    return own_value(t, f, y, o, e, text, event)


@kernel
def text_value(t, f, y, o, e, text, event):
    """Value to me of using a text now; NEVER when it does not fit the moment."""
    if text == 0 or (int(t["text"][text, T_EVENTS]) >> event) & 1 == 0:
        return NEVER
    value = own_value(t, f, y, o, e, text, event)
    flags = int(f["flags"][text])
    if flags & fx.ACTIVATES:
        best = best_spell_value(t, f, y, o, e, 0, event)
        if captures_others(t, f, o):
            best = max(best, captured_value(t, f, y, o, e, event))
        value += best
    if flags & fx.CAPTURES:
        value += captured_value(t, f, y, o, e, event)
    return value
