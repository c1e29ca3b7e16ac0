"""Who has which ability and which Spell Card: Extra Characters come and go, abilities are copied and switched off.

`abilities` and `spells` of a seat are written nowhere else (projected_range.py undoes what it tries). `refresh` derives them, and is
called wherever something changes that they follow from. `operations/recruiting.py` asks which of the drawn characters a seat keeps.
"""

import numpy as np

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.tables import CAPTURABLE, T_CHARACTER, T_FLAGS, T_KIND, T_ROLE
from danmaku_env.engine import events, queries
from danmaku_env.engine import state as st
from danmaku_env.jit.kernels import count_bits, entry, kernel, lowest_bit
from danmaku_env.machine import lists, rng

# ---------------------------------------------------------------- what follows from what


@kernel
def gives(t, source):
    """What Extra Characters of a source give (v.EXTRA_GIVES)."""
    if source >= st.BY_ROLE:
        return int(t["role_gives"][source - st.BY_ROLE])
    if source >= st.BY_ITEM:
        return int(t["slot_gives"][source - st.BY_ITEM])
    return int(t["char_gives"][source - 1])


@kernel
def _held(t, s, seat):
    """Bits of the characters whose ability a seat has apart from Extra Characters and passing copies."""
    held = queries.primaries(s, seat)
    if held & int(t["mirrors"]):
        held |= queries.stored_bit(int(s["mirrored"][seat]))
    return held


@entry
def has_source(t, s, seat, source):
    """Whether a seat has what grants Extra Characters: the ability, switched off or not, the item in play, the role."""
    if source >= st.BY_ROLE:
        return s["role"][seat] == source - st.BY_ROLE
    if source >= st.BY_ITEM:
        return (int(s["item_slots"][seat]) >> (source - st.BY_ITEM)) & 1 == 1
    return (_held(t, s, seat) >> (source - 1)) & 1 == 1


@kernel
def _is_in_force(s, seat, source, abilities_work):
    """Whether what grants an Extra Character works now: its ability is not switched off (L-23), its item not flooded (H-16)."""
    if source >= st.BY_ROLE:
        return True
    return queries.items_work(s, seat) if source >= st.BY_ITEM else abilities_work


@kernel
def refresh(t, s, seat):
    """Derive which abilities and Spell Cards a seat has."""
    works = queries.abilities_work(t, s, seat)
    held = _held(t, s, seat)
    spells = queries.primaries(s, seat)
    mirrors = int(t["mirrors"])
    for i in range(s["extras_size"]):
        source = int(s["extras"][i, st.EXTRA_SOURCE])
        if s["extras"][i, st.EXTRA_SEAT] == seat and _is_in_force(s, seat, source, works):
            granted = gives(t, source)
            bit = queries.stored_bit(int(s["extras"][i, st.EXTRA_CHARACTER]))
            held |= bit if granted & v.ITS_ABILITY else 0
            spells |= bit if granted & v.ITS_SPELL else 0
    if held & mirrors:
        held |= queries.stored_bit(int(s["mirrored"][seat]))
    if held & int(t["copiers"]):
        held |= queries.stored_bit(int(s["copied"][seat]))
    if spells & mirrors:
        spells = spells & ~mirrors | _mirrored_spell(t, s, seat)
    if not works:
        held = 0
    if int(s["abilities"][seat]) & int(t["unlimited"]) and held & int(t["unlimited"]) == 0:
        s["limit_due"] = np.int64(s["limit_due"]) | (1 << seat)
    s["abilities"][seat] = held
    s["spells"][seat] = spells


@kernel
def _mirrored_spell(t, s, seat):
    """The bit of the character whose Spell Card takes the place of a bonus character's own, if others can activate it (C-16)."""
    mirrored = int(s["mirrored"][seat])
    if mirrored == 0 or int(t["text"][int(t["spell_text"][mirrored - 1]), T_FLAGS]) & CAPTURABLE == 0:
        return 0
    return queries.stored_bit(mirrored)


@kernel
def refresh_all(t, s):
    """The same for every seat: something at the table has changed."""
    for seat in range(s["num_players"]):
        refresh(t, s, seat)


# ---------------------------------------------------------------- where Extra Characters come from


@entry
def source_of(t, text):
    """What grants the Extra Characters that a text recruits: the ability, item or role it is printed on."""
    row = t["text"][text]
    if row[T_ROLE]:
        return st.BY_ROLE + int(row[T_ROLE]) - 1
    if row[T_KIND]:
        return st.BY_ITEM + int(t["kind_slot"][int(row[T_KIND]) - 1])
    return int(row[T_CHARACTER])


@entry
def extras_of(s, seat, source):
    """Bits of a seat's Extra Characters from a source, or from any (0)."""
    found = 0
    for i in range(s["extras_size"]):
        if s["extras"][i, st.EXTRA_SEAT] == seat and (source == 0 or s["extras"][i, st.EXTRA_SOURCE] == source):
            found |= queries.stored_bit(int(s["extras"][i, st.EXTRA_CHARACTER]))
    return found


@kernel
def has_own(t, s, seat, text):
    """Whether a seat has an Extra Character from what a text is printed on."""
    return extras_of(s, seat, source_of(t, text)) != 0


@kernel
def source_of_extra(s, seat, character_plus_one):
    """What granted a seat this Extra Character; 0 when the seat does not have it."""
    for i in range(s["extras_size"]):
        if s["extras"][i, st.EXTRA_SEAT] == seat and s["extras"][i, st.EXTRA_CHARACTER] == character_plus_one:
            return int(s["extras"][i, st.EXTRA_SOURCE])
    return 0


# ---------------------------------------------------------------- the piles of characters


@kernel
def deal_unused(t, s):
    """Characters are open: who has which ability follows, and those nobody plays make the pile to recruit from."""
    refresh_all(t, s)
    if not queries.has_expansion(s):
        return
    unused = queries.characters_in(t, s)
    for seat in range(s["num_players"]):
        unused &= ~queries.primaries(s, seat)
    s["unused_characters"] = unused & ~int(s["discarded_characters"])


@kernel
def discard(s, character, seats):
    """A character goes to the discard pile; the seats of the mask know which."""
    s["discarded_characters"] = int(s["discarded_characters"]) | (1 << character)
    s["characters_seen"][character] = seats


@kernel
def _restock(s):
    """The discard pile of characters becomes the pile to recruit from."""
    s["unused_characters"] = s["discarded_characters"]
    s["discarded_characters"] = 0
    for character in range(s["characters_seen"].shape[0]):
        s["characters_seen"][character] = 0
    events.log(s, events.L_RESTOCK, -1, -1, -1, count_bits(int(s["unused_characters"])), 0)


@kernel
def _random_bit(s, mask):
    """One of the bits of a mask, at random."""
    for _ in range(rng.below(s, count_bits(mask))):
        mask &= mask - 1
    return lowest_bit(mask)


@kernel
def draw_candidates(t, s, seat, count):
    """Draw characters to choose one from, as far as there are any (L-10).

    One that could recruit in turn is shown and discarded, and another drawn.
    """
    recruiters = int(t["recruiters"])
    while count_bits(int(s["drawn_characters"])) < count:
        if s["unused_characters"] == 0:
            if int(s["discarded_characters"]) & ~recruiters == 0:
                return
            _restock(s)
        unused = int(s["unused_characters"])
        character = _random_bit(s, unused)
        s["unused_characters"] = unused & ~(1 << character)
        if (recruiters >> character) & 1:
            discard(s, character, st.EVERYBODY)
            events.log(s, events.L_TURNED_AWAY, seat, -1, character, 0, 0)
        else:
            s["drawn_characters"] = int(s["drawn_characters"]) | (1 << character)


@kernel
def put_back_others(s, seat, kept):
    """The characters drawn but not kept go face down to the discard pile; only the seat that drew them knows which."""
    others = int(s["drawn_characters"]) & ~(1 << kept)
    s["drawn_characters"] = 0
    while others:
        discard(s, lowest_bit(others), 1 << seat)
        others &= others - 1


# ---------------------------------------------------------------- coming and going


@kernel
def join(t, s, seat, character, source):
    """A character becomes a seat's Extra Character."""
    row = s["extras"][int(s["extras_size"])]
    row[st.EXTRA_CHARACTER] = character + 1
    row[st.EXTRA_SEAT] = seat
    row[st.EXTRA_SOURCE] = source
    s["extras_size"] += 1
    events.log(s, events.L_RECRUIT, seat, -1, character, 0, 0)
    refresh(t, s, seat)


@kernel
def _go(t, s, place):
    """The Extra Character of a row leaves; everybody has seen which. What its ability had named is forgotten."""
    seat, character = int(s["extras"][place, st.EXTRA_SEAT]), int(s["extras"][place, st.EXTRA_CHARACTER]) - 1
    discard(s, character, st.EVERYBODY)
    events.log(s, events.L_DISMISS, seat, -1, character, 0, 0)
    gone = 1 << character
    if gone & int(t["mirrors"]):
        gone |= queries.stored_bit(int(s["mirrored"][seat]))
        s["mirrored"][seat] = 0
    if gone & int(t["copiers"]):
        s["copied"][seat] = 0


@kernel
def dismiss(t, s, seat, characters):
    """Those of a seat's Extra Characters that are in the mask are dismissed."""
    for place in range(int(s["extras_size"]) - 1, -1, -1):
        row = s["extras"][place]
        if row[st.EXTRA_SEAT] != seat or queries.stored_bit(int(row[st.EXTRA_CHARACTER])) & characters == 0:
            continue
        _go(t, s, place)
        lists.take_row(s["extras"], int(s["extras_size"]), place)
        s["extras_size"] -= 1
    refresh(t, s, seat)


@kernel
def replace(t, s, seat, old, new):
    """Another character takes the place of an Extra Character, with the same source."""
    for place in range(s["extras_size"]):
        row = s["extras"][place]
        if row[st.EXTRA_SEAT] == seat and row[st.EXTRA_CHARACTER] == old + 1:
            _go(t, s, place)
            row[st.EXTRA_CHARACTER] = new + 1
            events.log(s, events.L_RECRUIT, seat, -1, new, 0, 0)
    refresh(t, s, seat)


@kernel
def lose_source(t, s, seat, source):
    """What granted a seat Extra Characters is gone, and they with it."""
    lost = extras_of(s, seat, source)
    if lost:
        dismiss(t, s, seat, lost)


@kernel
def leave(t, s, seat):
    """A defeated seat's Extra Characters go."""
    if s["extras_size"] > 0:
        dismiss(t, s, seat, extras_of(s, seat, 0))


# ---------------------------------------------------------------- abilities of others


@entry
def namable(t, s, seat, for_good):
    """Bits of the characters whose ability a seat could name: those of others, defeated or not.

    Whoever names one after the other cannot name an ability that recruits (L-12), nor an Extra Character, which would then be one with
    an ability that grants Extra Characters.
    """
    mask = 0
    for other in range(s["num_players"]):
        if other != seat:
            mask |= queries.primaries(s, other)
    if not for_good or queries.primaries(s, seat) & int(t["mirrors"]) == 0:
        mask &= ~int(t["recruiters"])
    return mask if for_good else mask & ~queries.stored_bit(int(s["copied"][seat]))


@kernel
def name_ability(t, s, seat, character, for_good):
    """A seat has this ability besides its own from now on."""
    if for_good:
        s["mirrored"][seat] = character + 1
    else:
        s["copied"][seat] = character + 1
    events.log(s, events.L_NAMED, seat, -1, character, 1 if for_good else 0, 0)
    refresh(t, s, seat)
