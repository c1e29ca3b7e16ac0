"""The answer to every question: each legal answer gets a value in lives, and the largest is taken.

Arguments as in `action_values.py`.
"""

import numpy as np

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.box import NUM_KINDS
from danmaku_env.cards.tables import SLOTS
from danmaku_env.engine import actions as a
from danmaku_env.engine import state as st
from danmaku_env.heuristics import effects as fx
from danmaku_env.heuristics.kernels import action_values, opponent_model
from danmaku_env.heuristics.kernels import observation_reader as reader
from danmaku_env.jit.kernels import entry, kernel, shared

NOISE = 0.015
"""Largest tie-breaking noise."""
NOISE_WORDS = 1 << 16
"""Noise words are drawn from 0 to this, exclusive."""
_NOISE_STEP = 40503
_NOISE_BITS = 0xFFFF
_LOWEST = 2.0 * action_values.NEVER - 1000.0
"""Less than any answer is worth."""

# ---------------------------------------------------------------- cards and items


@kernel
def _hold_value(t, f, y, o, kind):
    """What a card of the kind is worth to me in hand."""
    total = f["hold_bonus"][kind] + y["hold"][int(f["hold_sort"][kind])]
    total *= 1.0 - y["spare_copy"] * max(0, reader.copies_in_hand(o, kind) - 1)
    saves = int(t["type_kinds"][action_values.DODGE_BIT]) | int(t["type_kinds"][action_values.HEALING_BIT])
    if np.int64(o[reader.O_LIFE]) <= action_values.FEW_LIVES and (saves >> kind) & 1:
        total *= y["threat_hold"]
    return total


@kernel
def _item_value(t, f, o, slot):
    """What playing an item is worth to me, given what I have in play."""
    if reader.has_law(t, o, v.NO_ITEMS):
        return action_values.NEVER
    total = float(f["item_value"][slot])
    for other in range(SLOTS):
        if o[reader.O_ITEMS + other] and int(f["limit_type"][other]) & int(f["limit_type"][slot]):
            total -= f["item_value"][other]
    return total


@kernel
def _play_value(t, f, y, o, e, kind, event):
    """Value to me of playing a card of the kind now."""
    modes = t["mode_text"][kind]
    total = max(
        action_values.text_value(t, f, y, o, e, int(modes[0]), event), action_values.text_value(t, f, y, o, e, int(modes[1]), event)
    )
    slot = int(t["kind_slot"][kind])
    if slot >= 0:
        total += _item_value(t, f, o, slot)
    spend = y["spend"][int(f["spend_sort"][kind])]
    if event == v.MAIN and o[reader.O_HAND_SIZE] > o[reader.O_MAX_HAND]:
        spend *= y["full_hand_spend"]
    return total - spend


@kernel
def _window_value(t, f, y, o, e, question, action):
    """Value of an answer in my main step or in a window."""
    event = question - a.Q_MAIN
    if action == a.REVEAL_ROLE:
        return y["reveal"]
    if action >= a.ABILITY_BASE:
        texts = t["ability_text"][action - a.ABILITY_BASE]
        return max(
            action_values.text_value(t, f, y, o, e, int(texts[0]), event), action_values.text_value(t, f, y, o, e, int(texts[1]), event)
        )
    if action >= a.PLAY_BASE:
        return _play_value(t, f, y, o, e, action - a.PLAY_BASE, event)
    if action >= a.SOURCE_BASE:
        return action_values.text_value(t, f, y, o, e, int(t["source_text"][action - a.SOURCE_BASE]), event)
    return action_values.text_value(t, f, y, o, e, int(t["use_text"][action - a.USE_BASE]), event)


# ---------------------------------------------------------------- answers to the questions of a text


@kernel
def _target_value(t, f, y, o, e, mask, question, seat):
    """Value of choosing a player."""
    kind, character = np.int64(o[reader.O_SOURCE]) - 1, np.int64(o[reader.O_SOURCE + 1]) - 1
    may_pass, own = np.int64(mask[a.PASS]), np.int64(mask[a.SEAT_BASE])
    first = 0 if question == a.Q_TARGET else 1
    for choice in range(first, first + 1 if first == 0 else fx.CHOICES):
        text = 0
        if kind >= 0:
            text = int(f["asked_by_kind"][kind, choice])
        elif character >= 0:
            text = int(f["asked_by_char"][character, choice, may_pass, own])
        if text == 0:
            continue
        if int(f["flags"][text]) & fx.CAPTURES and first == 0:
            return action_values.best_spell_value(t, f, y, o, e, seat, v.MAIN)
        total = action_values.choice_value(t, f, y, o, e, text, choice, seat, v.RESCUE if o[reader.O_LIFE + seat] == 0 else v.MAIN)
        if f["boosted"][text] and seat and o[reader.O_IN_RANGE + seat] == 0:
            total -= y["out_of_range"]
        return total
    return e[seat]


@kernel
def _source_flags(t, f, o):
    """Flags of the Spell Card or card half that asks."""
    kind, character = np.int64(o[reader.O_SOURCE]) - 1, np.int64(o[reader.O_SOURCE + 1]) - 1
    if kind >= 0:
        return int(f["flags"][int(t["mode_text"][kind, 0])])
    return int(f["flags"][int(t["spell_text"][character])]) if character >= 0 else 0


@kernel
def _receiver(o):
    """Who gets the next card that I deal out, when there was one for each active player, from me clockwise."""
    laid = 0
    for kind in range(NUM_KINDS):
        laid += np.int64(o[reader.O_ASIDE + kind])
    for seat in range(reader.SEATS - 1, -1, -1):
        if o[reader.O_ACTIVE + seat]:
            laid -= 1
            if laid == 0:
                return seat
    return 0


@kernel
def _card_value(t, f, y, o, e, question, kind):
    """Value of picking a card of the kind, from my hand or elsewhere."""
    slot = int(t["kind_slot"][kind])
    chosen = reader.flagged_seat(o, reader.O_CHOSEN)
    if question == a.Q_ITEM:
        return float(f["item_value"][slot]) if chosen > 0 else -f["item_value"][slot]
    if question == a.Q_POWERUP or question == a.Q_LIMIT:
        return -f["item_value"][slot]
    hold = _hold_value(t, f, y, o, kind)
    flags = _source_flags(t, f, o)
    if question == a.Q_ASIDE:
        return -e[_receiver(o)] * hold if flags & fx.DEALS else hold
    if question == a.Q_CARD and chosen > 0:
        return hold if flags & fx.TAKES_PICK else hold * (-e[chosen] - 1.0)
    if question == a.Q_BOOST and reader.flagged_seat(o, reader.O_CHOSEN) < 0:
        return y["card"] - hold  # each is drawn again
    return -hold


@kernel
def _word_value(t, f, y, o, e, question, action):
    """Value of a word: yes, a number, a type, a deck, an end, a half."""
    if question == a.Q_MAY:
        return _yes_value(t, f, y, o, e)
    if question == a.Q_NUMBER:
        return y["information"] if action == a.NUMBER_BASE + 1 else 0.0  # far enough to be safe, near enough to reach
    if question == a.Q_TYPE:
        return y["information"] if action == a.TYPE_BASE else 0.0
    if question == a.Q_DECK:
        asked_by_text = o[reader.O_SOURCE] or o[reader.O_SOURCE + 1] or o[reader.O_SOURCE + 2] or o[reader.O_SOURCE + 3]
        wanted = v.MAIN_DECK if asked_by_text else v.LUNATIC_DECK  # a draw step asks by itself, and Lunatic cards are the better ones
        return y["information"] if action == a.DECK_BASE + wanted else 0.0
    if question == a.Q_END and o[reader.O_PICKED]:
        total = -e[reader.next_seat(o)] * _hold_value(t, f, y, o, np.int64(o[reader.O_PICKED]) - 1)
        return total if action == a.TOP else 0.0
    if question == a.Q_HALF and o[reader.O_SOURCE]:
        text = int(t["mode_text"][np.int64(o[reader.O_SOURCE]) - 1, 0 if action == a.TOP else 1])
        return max(action_values.text_value(t, f, y, o, e, text, v.CANCEL), action_values.text_value(t, f, y, o, e, text, v.RESCUE))
    return y["information"] if action == a.TOP else 0.0


@kernel
def _yes_value(t, f, y, o, e):
    """Value of saying yes. What a card offers is good for me, but for skipping my turn, and discarding what a friend would draw."""
    character = np.int64(o[reader.O_SOURCE + 1]) - 1
    if character < 0:
        return y["information"]
    starts = o[reader.O_STEP + st.STEP_START] and o[reader.O_TURN]
    if f["may_skip"][character] and starts and o[reader.O_SKIPPED_LAST] == 0:
        return y["skip"]
    for kind in range(NUM_KINDS):
        if o[reader.O_ASIDE + kind]:
            return e[reader.next_seat(o)] * (_hold_value(t, f, y, o, kind) - y["card"])
    return y["information"]


@kernel
def _answer_to_attack(t, o):
    """My own text that asks me while an attack is being declared, or 0."""
    character = np.int64(o[reader.O_SOURCE + 1])
    if character == 0 or not reader.is_primary(o, 0, character) or reader.flagged_seat(o, reader.O_ATTACK_BY) < 0:
        return 0
    return int(t["char_trigger"][v.ATTACK_DECLARED, character - 1])


@kernel
def _pass_value(t, f, y, o, e, question):
    """Value of passing: nothing, but where a card is asked for what I may do, or instead of a life."""
    if question == a.Q_DISCARD:
        text = _answer_to_attack(t, o)
        if text:
            return -action_values.own_value(t, f, y, o, e, text, v.ATTACK_DECLARED)
        return -action_values.loss(y, 0, np.int64(o[reader.O_LIFE]), 1.0)
    return y["pass_bias"]


@shared
def action_value(t, f, y, o, mask, e, question, action):
    """Value of a legal answer to the question, in lives."""
    if action == a.PASS:
        return _pass_value(t, f, y, o, e, question)
    if question <= a.Q_STEP:
        return _window_value(t, f, y, o, e, question, action)
    if action >= a.BONUS_BASE:
        return float(f["character_value"][action - a.BONUS_BASE + a.NUMBERED_CHARACTERS])
    if action >= a.INCIDENT_BASE:
        return 0.0
    if action >= a.CHARACTER_BASE:
        if question == a.Q_SPELL:
            return action_values.spell_value(t, f, y, o, e, action - a.CHARACTER_BASE, v.MAIN)
        return float(f["character_value"][action - a.CHARACTER_BASE])
    if action >= a.KIND_BASE:
        return _card_value(t, f, y, o, e, question, action - a.KIND_BASE)
    if question == a.Q_CONTROLLER:
        return -e[action - a.SEAT_BASE] if action == a.SEAT_BASE else 0.0
    if a.SEAT_BASE <= action < a.SEASON_BASE:
        return _target_value(t, f, y, o, e, mask, question, action - a.SEAT_BASE)
    return _word_value(t, f, y, o, e, question, action)


@kernel
def _noise(action, word):
    """What a noise word adds to the value of an answer; passing gets nothing."""
    if action == a.PASS:
        return 0.0
    return NOISE * ((word * (2 * action + 1) * _NOISE_STEP) & _NOISE_BITS) / NOISE_WORDS


@kernel
def choose(t, f, y, o, mask, e, word):
    """The answer with the largest value.

    `t` is the record of card tables, `f` that of `effects.play_facts()`, `y` that of a style of play (style.py), `o` and `mask` my
    observation and mask rows, `e` [8] my preference toward each seat, seats relative to me, with -1 for myself, `word` a number below
    NOISE_WORDS that breaks ties.
    """
    question = reader.asked(o)
    best, best_value = 0, _LOWEST
    for action in range(a.NUM_ACTIONS):
        if mask[action] == 0:
            continue
        total = action_value(t, f, y, o, mask, e, question, action) + _noise(action, word)
        if total > best_value:
            best, best_value = action, total
    return best


@kernel
def _list_contenders(t, f, y, o, mask, e, contenders, values):
    """Write the answers that some noise word might make the best, in their order, and their values; returns how many they are."""
    question = reader.asked(o)
    top = _LOWEST
    for action in range(a.NUM_ACTIONS):
        if mask[action]:
            values[action] = action_value(t, f, y, o, mask, e, question, action)
            top = max(top, values[action])
    size = 0
    for action in range(a.NUM_ACTIONS):
        if mask[action] and values[action] + NOISE >= top:
            contenders[size], values[size] = action, values[action]
            size += 1
    return size


@kernel
def write_probabilities(t, f, y, o, mask, e, contenders, values, probabilities):
    """How likely `choose` is to give each answer when every noise word is as likely: exact, for all of them are tried.

    `contenders` int64 and `values` float64, both [NUM_ACTIONS], are scratch; `probabilities` [NUM_ACTIONS] float64 is the result.
    """
    probabilities[:] = 0.0
    size = _list_contenders(t, f, y, o, mask, e, contenders, values)
    if size == 1:
        probabilities[contenders[0]] = 1.0
        return
    for word in range(NOISE_WORDS):
        best, best_value = 0, _LOWEST
        for i in range(size):
            total = values[i] + _noise(contenders[i], word)
            if total > best_value:
                best, best_value = contenders[i], total
        probabilities[best] += 1.0 / NOISE_WORDS


# ---------------------------------------------------------------- for batches


@entry
def choose_rows(tables, facts, styles, observations, masks, preferences, words, chosen):
    """Row by row `choose`: [B, n] uint8, [B, N] uint8, [B, 8] float64, [B] int64 words -> [B] int64 answers, in place."""
    for i in range(len(observations)):
        chosen[i] = choose(tables[0], facts[0], styles[0], observations[i], masks[i], preferences[i], words[i])


@entry
def play_in_styles(tables, facts, styles, which, observations, masks, beliefs, preference, words, chosen):
    """Row by row what belief [B, 8, NUM_ROLES] and the style `which` [B] int64 of the row make of it; `preference` [8] is scratch."""
    for i in range(len(observations)):
        y = styles[which[i]]
        opponent_model.preference_of_belief(tables[0], y, observations[i], beliefs[i], preference)
        chosen[i] = choose(tables[0], facts[0], y, observations[i], masks[i], preference, words[i])


@entry
def probability_rows(tables, facts, styles, observations, masks, preferences, contenders, values, probabilities):
    """Row by row `write_probabilities`: [B, n] uint8, [B, N] uint8, [B, 8] float64 -> [B, N] float64; the others [N] are scratch."""
    for i in range(len(observations)):
        write_probabilities(tables[0], facts[0], styles[0], observations[i], masks[i], preferences[i], contenders, values, probabilities[i])
