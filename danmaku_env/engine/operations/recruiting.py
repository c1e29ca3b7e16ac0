"""Family EXTRAS: Extra Characters are recruited, named and dismissed, abilities of others named.

This module asks the questions; the piles of characters and the abilities that follow are in `engine/characters.py`.
"""

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.tables import T_CHARACTER
from danmaku_env.engine import actions, characters, queries, stack
from danmaku_env.engine import frames as fr
from danmaku_env.engine import state as st
from danmaku_env.engine.operations import ENDED, JUMPED, NEXT, WAIT, stack_control
from danmaku_env.jit.kernels import kernel


@kernel
def _keep_one(t, s, seat):
    """The character kept of those drawn; PASSED when there is none to draw, WAITING for the choice."""
    if not actions.has_answer(s):
        if s["drawn_characters"] == 0:
            characters.draw_candidates(t, s, seat, queries.candidates(s))
        if s["drawn_characters"] == 0:
            return actions.PASSED
        if actions.ask_character(s, seat, actions.Q_CHARACTER, int(s["drawn_characters"]), False):
            return actions.WAITING
    kept = actions.chosen_character(s)
    characters.put_back_others(s, seat, kept)
    return kept


@kernel
def _start_game_with(t, s, seat, character):
    """Whoever gets an ability at the start of the game, by whatever, has that ability's own effect of the start of the game too."""
    if s["stack"][0, fr.PROCEDURE] == fr.SETUP_FRAME and s["stack"][0, fr.AT] == fr.AT_GAME_START:
        text = int(t["char_trigger"][v.GAME_START, character])
        if text and (int(s["abilities"][seat]) >> character) & 1:
            stack.push_text(t, s, seat, text, -1)


@kernel
def _recruit(t, s, f):
    """Recruit for what the text is printed on, if the seat still has it (K-13)."""
    seat = int(s["stack"][f, fr.SEAT])
    source = characters.source_of(t, int(s["stack"][f, fr.PLAY_TEXT]))
    if not characters.has_source(t, s, seat, source) or s["extras_size"] == st.EXTRA_ROWS:
        return NEXT
    kept = _keep_one(t, s, seat)
    if kept == actions.WAITING:
        return WAIT
    if kept >= 0:
        characters.join(t, s, seat, kept, source)
        _start_game_with(t, s, seat, kept)
    return NEXT


@kernel
def _choose_extra(t, s, f, own, may_pass):
    frame = s["stack"][f]
    seat = int(frame[fr.SEAT])
    if not actions.has_answer(s):
        source = characters.source_of(t, int(frame[fr.PLAY_TEXT])) if own else 0
        extras = characters.extras_of(s, seat, source)
        frame[fr.PLAY_AMOUNT] = 0
        if extras == 0:
            return NEXT
        if actions.ask_character(s, seat, actions.Q_EXTRA, extras, may_pass):
            return WAIT
    frame[fr.PLAY_AMOUNT] = actions.chosen_character(s) + 1
    return NEXT


@kernel
def _named(s, f):
    """The Extra Character that was named, or -1; gone meanwhile, nothing happens to it (K-13)."""
    frame = s["stack"][f]
    character = int(frame[fr.PLAY_AMOUNT]) - 1
    if character < 0 or characters.source_of_extra(s, int(frame[fr.SEAT]), character + 1) == 0:
        return -1
    return character


@kernel
def _replace(t, s, f):
    seat = int(s["stack"][f, fr.SEAT])
    old = _named(s, f)
    if old < 0:
        return NEXT
    new = _keep_one(t, s, seat)
    if new == actions.WAITING:
        return WAIT
    if new >= 0:
        characters.replace(t, s, seat, old, new)
    return NEXT


@kernel
def _choose_ability(t, s, f, for_good, jump):
    """The character of another player is named; without one the program goes on at `jump`."""
    frame = s["stack"][f]
    seat = int(frame[fr.SEAT])
    character = actions.PASSED
    if actions.has_answer(s):
        character = actions.chosen_character(s)
    else:
        mask = characters.namable(t, s, seat, for_good)
        if mask:
            if actions.ask_character(s, seat, actions.Q_ABILITY, mask, not for_good):
                return WAIT
            character = actions.chosen_character(s)
    frame[fr.PLAY_AMOUNT] = character + 1
    if character >= 0:
        return NEXT
    frame[fr.PLAY_PC] = jump
    return JUMPED


@kernel
def _name_ability(t, s, f, for_good):
    """The seat has the ability that was chosen, if it can still be named (K-13)."""
    seat = int(s["stack"][f, fr.SEAT])
    character = int(s["stack"][f, fr.PLAY_AMOUNT]) - 1
    if character >= 0 and (characters.namable(t, s, seat, for_good) >> character) & 1:
        characters.name_ability(t, s, seat, character, for_good)
        _start_game_with(t, s, seat, character)


@kernel
def carry_out(t, s, f, op, a, c):
    frame = s["stack"][f]
    seat = int(frame[fr.SEAT])
    if op == v.RECRUIT:
        return _recruit(t, s, f)
    if op == v.CHOOSE_EXTRA:
        return _choose_extra(t, s, f, a != 0, c & v.OPTIONAL != 0)
    if op == v.REPLACE_EXTRA:
        return _replace(t, s, f)
    if op == v.CHOOSE_ABILITY:
        return _choose_ability(t, s, f, a != 0, c)
    if op == v.NAME_ABILITY:
        _name_ability(t, s, f, a != 0)
        return NEXT
    if op == v.ACTIVATE_PRINTED:
        stack_control.become_spell(t, s, f, int(t["text"][int(frame[fr.PLAY_TEXT]), T_CHARACTER]) - 1)
        frame[fr.PLAY_SUBJECT] = 0
        return ENDED
    if op == v.DISMISS_OWN:
        characters.lose_source(t, s, seat, characters.source_of(t, int(frame[fr.PLAY_TEXT])))
    else:
        named = _named(s, f)
        if named >= 0:
            characters.dismiss(t, s, seat, 1 << named)
    return NEXT
