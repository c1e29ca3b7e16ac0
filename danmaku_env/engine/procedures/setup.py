"""SETUP: dealing roles, characters, decks and hands (U-1 to U-5)."""

import numpy as np

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.tables import MAX_POOL, NUM_POOLS
from danmaku_env.engine import actions, characters, events, incident_deck, legality, piles, queries, stack, tabletop
from danmaku_env.engine import frames as fr
from danmaku_env.engine import state as st
from danmaku_env.engine.procedures import draft, settle, window
from danmaku_env.jit.kernels import kernel, lowest_bit
from danmaku_env.machine import rng

STARTING_HANDS = (5, 4, 4, 5, 5, 6, 6, 7)
"""Cards of the first hand by place in turn order, with Lunatic Extra."""
# columns of the settings row
SET_PLAYERS, SET_CONFIG, SET_MAX_TURNS, SET_POOL, SET_CHARACTERS = range(5)
SET_ROLES = SET_CHARACTERS + st.SEATS
SET_DECK = SET_ROLES + st.SEATS
SET_INCIDENTS = SET_DECK + st.HAND_WORDS
SETTINGS = SET_INCIDENTS + 1


@kernel
def new_game(settings, s, seed):
    """Begin a game in a zeroed record.

    `settings`: players, configuration bits, turn cap, bits of the characters that it is limited to (0: all), eight fixed characters + 1
    (0: as configured), eight fixed roles (0: dealt), bits of the physical cards of the Main deck and of the incidents (read where the
    configuration says that some of the box are left out).
    """
    s["seed"] = seed
    s["answer"] = -1
    s["asking"] = st.NOBODY
    s["num_players"] = settings[SET_PLAYERS]
    s["config"] = settings[SET_CONFIG]
    s["max_turns"] = settings[SET_MAX_TURNS]
    rng.seed_rng(s, seed)
    s["character_pool"] = settings[SET_POOL]
    for seat in range(settings[SET_PLAYERS]):
        s["character"][seat] = settings[SET_CHARACTERS + seat]
        s["role"][seat] = settings[SET_ROLES + seat]
    _lay_given_cards(settings, s)
    s["active"] = (1 << settings[SET_PLAYERS]) - 1
    s["stack"][0, fr.PROCEDURE] = fr.SETUP_FRAME
    s["depth"] = 1


@kernel
def _lay_given_cards(settings, s):
    """Lay on the decks what the options name, where they do not have all of the box."""
    if settings[SET_CONFIG] & st.OWN_DECK:
        for word in range(st.HAND_WORDS):
            _list_deck(s, word, int(settings[SET_DECK + word]))
    if settings[SET_CONFIG] & st.OWN_INCIDENTS:
        _list_incidents(s, int(settings[SET_INCIDENTS]))


@kernel
def _list_deck(s, word, bits):
    """Lay the cards of a word of bits on the Main deck, in the order of the box."""
    while bits:
        card = word * st.HAND_WORD_BITS + lowest_bit(bits)
        bits &= bits - 1
        piles.put_on_deck(s, card, False)


@kernel
def _list_incidents(s, bits):
    """Lay incidents on the incident deck, in the order of the box."""
    while bits:
        incident_deck.put_on_incident_deck(s, lowest_bit(bits), False)
        bits &= bits - 1


@kernel
def _draw_from_pool(t, s, table, pool):
    """Shuffle the role cards of a pool (in `aside`, which is empty) so that the first are dealt; returns how many."""
    players = int(s["num_players"])
    size = 0
    for i in range(t["pool_size"][table, players, pool]):
        role = int(t["pool"][table, players, pool, i])
        if queries.is_role_in(t, int(s["config"]), players, role):
            s["aside"][size] = role
            size += 1
    rng.shuffle(s, s["aside"], size)
    return int(t["dealt"][table, players, pool])


@kernel
def _deal_roles(t, s):
    """Deal the roles. Fixed roles replace those dealt; the same number of random numbers is drawn."""
    table = queries.deal_table(s)
    for seat in range(s["num_players"]):
        s["aside"][MAX_POOL + seat] = s["role"][seat]
    seat = 1
    s["role"][0] = t["first_role"]
    for pool in range(NUM_POOLS):
        dealt = _draw_from_pool(t, s, table, pool)
        for i in range(dealt):
            s["role"][seat] = s["aside"][i]
            seat += 1
    rng.shuffle(s, s["role"], int(s["num_players"]))
    for other in range(s["num_players"]):
        if s["aside"][MAX_POOL + other]:
            s["role"][other] = s["aside"][MAX_POOL + other]
        s["role_seen"][other] = 1 << other
    for i in range(MAX_POOL + st.SEATS):
        s["aside"][i] = 0


@kernel
def _deal_decks(t, s):
    """Shuffle the decks. Those that lack cards of the box lie there already (`new_game`)."""
    whole = int(s["config"]) & st.OWN_DECK == 0
    for card in range(t["cards_in"][queries.box(s)]):
        if t["card_lunatic"][card]:
            piles.put_on_lunatic(s, card, False)
        elif whole:
            piles.put_on_deck(s, card, False)
    rng.shuffle(s, s["deck"], np.int64(s["deck_size"]))
    if int(s["config"]) & st.OWN_INCIDENTS == 0:
        _list_incidents(s, int(t["incidents_in"][queries.box(s)]))
    rng.shuffle(s, s["incident_deck"], int(s["incident_deck_size"]))
    if queries.has_expansion(s):
        rng.shuffle(s, s["lunatic_deck"], np.int64(s["lunatic_deck_size"]))


@kernel
def _deal_characters(t, s):
    """Deal candidates to each seat without a fixed character, or one when characters are dealt at random."""
    config = int(s["config"])
    if config & (st.CHARACTERS_CHOSEN | st.CHARACTERS_RANDOM | st.CHARACTERS_DRAFTED) == 0:
        return
    there = queries.characters_in(t, s)
    for seat in range(s["num_players"]):
        if s["character"][seat]:
            there &= ~(1 << (int(s["character"][seat]) - 1))
    size = 0
    while there:
        s["aside"][size] = lowest_bit(there) + 1
        size += 1
        there &= there - 1
    rng.shuffle(s, s["aside"], size)
    place = 0
    each = queries.candidates(s) if config & st.CHARACTERS_CHOSEN else 1
    if config & (st.CHARACTERS_DRAFTED | st.DOUBLE_THREAT):
        each = draft.DEALT
    for seat in range(s["num_players"]):
        if s["character"][seat]:
            continue
        for _ in range(each):
            s["candidates"][seat] = int(s["candidates"][seat]) | (1 << (np.int64(s["aside"][place]) - 1))
            place += 1
    for i in range(size):
        s["aside"][i] = 0


@kernel
def _has_chosen(s, seat):
    """Whether a seat's character is settled, or it has nobody to choose from."""
    last = s["second_character"][seat] if int(s["config"]) & st.DOUBLE_THREAT else s["character"][seat]
    return last != 0 or s["candidates"][seat] == 0


@kernel
def _choose_character(s, f):
    """Each seat chooses in secret, in Double Threat a second one too; with one candidate there is nothing to choose."""
    frame = s["stack"][f]
    while frame[fr.SETUP_PLACE] < s["num_players"]:
        seat = int(frame[fr.SETUP_PLACE])
        if _has_chosen(s, seat):
            frame[fr.SETUP_PLACE] += 1
            continue
        left = int(s["candidates"][seat]) & ~queries.primaries(s, seat)
        if not actions.has_answer(s):
            if queries.has_several(left):
                if actions.ask_character(s, seat, actions.Q_CHARACTER, left, False):
                    return
        character = actions.chosen_character(s) if actions.has_answer(s) else lowest_bit(left)
        if s["character"][seat]:
            s["second_character"][seat] = character + 1
        else:
            s["character"][seat] = character + 1
    frame[fr.AT] = fr.AT_HANDS


@kernel
def _discard_unchosen(s):
    """In Double Threat the characters that were not chosen are discarded, face down: each seat knows its own."""
    for seat in range(s["num_players"]):
        unchosen = int(s["candidates"][seat]) & ~queries.primaries(s, seat)
        s["candidates"][seat] = 0
        while unchosen:
            characters.discard(s, lowest_bit(unchosen), 1 << seat)
            unchosen &= unchosen - 1


@kernel
def _starting_hand(t, s, seat, place):
    """Number of cards in a seat's first hand: its max hand size (U-4), or by its place in turn order."""
    if queries.has_expansion(s):
        return STARTING_HANDS[place] + queries.stat(t, s, seat, v.START_CARDS)
    return queries.max_hand(t, s, seat)


@kernel
def _become_turn(s, f):
    """Set-up is over: the Heroine's turn comes first."""
    s["stack"][f, fr.PROCEDURE] = fr.TURN_FRAME
    s["stack"][f, fr.AT] = fr.AT_START
    s["stack"][f, fr.SEAT] = s["current"]
    s["stack"][f, fr.TURN_PLACE] = 0


@kernel
def _reveal_characters(s, seat):
    """Reveal a seat's character, unless all saw her being drafted."""
    if s["character"][seat] and not draft.is_drafted(s):
        events.log(s, events.L_DEAL, seat, -1, int(s["character"][seat]) - 1, 0, 0)
    if s["second_character"][seat]:
        events.log(s, events.L_DEAL, seat, -1, int(s["second_character"][seat]) - 1, 0, 0)


@kernel
def _begin(t, s, f):
    """Reveal characters, then the Heroine; set life, draw hands from the Heroine on."""
    players = int(s["num_players"])
    heroine = 0
    for seat in range(players):
        if s["role"][seat] == t["first_role"]:
            heroine = seat
        _reveal_characters(s, seat)
        s["life"][seat] = queries.max_life(t, s, seat)
    if int(s["config"]) & st.DOUBLE_THREAT and queries.has_expansion(s):
        _discard_unchosen(s)
    characters.deal_unused(t, s)
    s["current"] = heroine
    if not draft.is_drafted(s):
        tabletop.open_role(s, heroine)
    for step in range(players):
        seat = (heroine + step) % players
        piles.draw(t, s, seat, _starting_hand(t, s, seat, step))
    s["drew"] = 0
    if queries.has_expansion(s) or int(s["config"]) & st.WITH_BONUS:
        s["turn_step"] = st.STEP_ZERO
        s["stack"][f, fr.AT] = fr.AT_GAME_START
        s["stack"][f, fr.SETUP_PLACE] = 0
    else:
        _become_turn(s, f)


@kernel
def _next_in_order(s, f):
    """The next seat of the step in turn order from the Heroine, or -1 when all have had theirs: then the next step begins."""
    frame = s["stack"][f]
    place = int(frame[fr.SETUP_PLACE])
    if place == s["num_players"]:
        frame[fr.SETUP_PLACE] = 0
        frame[fr.AT] += 1
        return -1
    return (int(s["current"]) + place) % int(s["num_players"])


@kernel
def _start_game(t, s, f):
    """Effects of the start of the game, one seat after the other."""
    seat = _next_in_order(s, f)
    if seat >= 0:
        s["stack"][f, fr.SETUP_PLACE] += 1
        stack.push_triggers(t, s, v.GAME_START, seat, -1, -1)
    elif not queries.has_expansion(s):
        _become_turn(s, f)


@kernel
def _turn_zero(t, s, f):
    """Each seat puts items into play and exchanges cards until it passes (L-1)."""
    if not actions.has_answer(s):
        seat = _next_in_order(s, f)
        if seat < 0:
            return
        if not legality.offer(t, s, seat, v.TURN_ZERO, -1) and int(s["config"]) & st.ASK_EVERYONE == 0:
            actions.clear_legal(s)
            s["stack"][f, fr.SETUP_PLACE] += 1
            return
        if actions.ask(s, seat, actions.Q_ZERO):
            return
    seat = (int(s["current"]) + int(s["stack"][f, fr.SETUP_PLACE])) % int(s["num_players"])
    answer = actions.take_answer(s)
    if answer == actions.PASS:
        s["stack"][f, fr.SETUP_PLACE] += 1
    else:
        window.act(t, s, seat, answer, v.TURN_ZERO, -1)


@kernel
def _end_turn_zero(s, f):
    """Everybody discards down to max hand size, one seat after the other."""
    if s["stack"][f, fr.SETUP_PLACE] == s["num_players"]:
        _become_turn(s, f)
        return
    seat = _next_in_order(s, f)
    s["stack"][f, fr.SETUP_PLACE] += 1
    stack.push(s, fr.TRIM_FRAME, seat)


@kernel
def setup(t, s, f):
    """One step of SETUP."""
    at = s["stack"][f, fr.AT]
    if at == fr.AT_DEAL:
        _deal_roles(t, s)
        _deal_decks(t, s)
        _deal_characters(t, s)
        s["stack"][f, fr.AT] = fr.AT_CHARACTERS
        if draft.is_drafted(s):
            draft.deal_rest(t, s)
            s["stack"][f, fr.AT] = fr.AT_SECRET_BANS
    elif at == fr.AT_SECRET_BANS:
        draft.ban_secretly(t, s, f)
    elif at == fr.AT_OPEN_BANS:
        draft.ban_openly(s, f)
    elif at == fr.AT_PICKS:
        draft.pick(t, s, f)
    elif at == fr.AT_CHARACTERS:
        _choose_character(s, f)
    elif at == fr.AT_HANDS:
        _begin(t, s, f)
    elif settle.is_unsettled(s):
        stack.push(s, fr.SETTLE_FRAME, int(s["current"]))
    elif at == fr.AT_GAME_START:
        _start_game(t, s, f)
    elif at == fr.AT_TURN_ZERO:
        _turn_zero(t, s, f)
    else:
        _end_turn_zero(s, f)
