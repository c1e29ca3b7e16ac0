"""TRIGGERS: several texts that one event has triggered, decided and put in order before any of them happens (K-14).

The texts lie directly below this frame, in play order from the current player. One after the other, the lowest first, they come on top to
be decided: the announcement asks whether the text is wanted, for targets and for costs. A declined text is removed. A seat with several
different texts then says which of them happens first. When all are decided the frame closes, and the text that now lies on top happens
first.
"""

from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.tables import MAKES_ATTACKS, R_CODE, RESOLVES_LAST, T_CHARACTER, T_EVENTS, T_FLAGS, T_KIND, T_RESOLVE, T_ROLE
from danmaku_env.engine import actions, queries, stack
from danmaku_env.engine import frames as fr
from danmaku_env.jit.kernels import kernel

_REGISTERS = (fr.PLAY_CHOSEN, fr.PLAY_SECOND, fr.PLAY_AMOUNT, fr.PLAY_PICK, fr.PLAY_EACH, fr.PLAY_DECK)
"""What a text can have chosen when it is decided."""
_LIFE, _DECK, _MORE = 1, 2, 4


@kernel
def _text_column(t, s, f, column):
    """A column of the table of texts, for the text in a frame."""
    return int(t["text"][int(s["stack"][f, fr.PLAY_TEXT]), column])


@kernel
def sort_by_seat(s, first):
    """Texts that several events have triggered together, from frame `first` to the top, go in play order from the current player."""
    players, current = int(s["num_players"]), int(s["current"])
    for f in range(first + 1, int(s["depth"])):
        place = f
        while place > first and _turn(s, place - 1, players, current) > _turn(s, f, players, current):
            place -= 1
        stack.move(s, f, place)


@kernel
def _turn(s, f, players, current):
    """How many seats after the current player that of a frame comes."""
    return (int(s["stack"][f, fr.SEAT]) - current) % players


# ---------------------------------------------------------------- one's own texts: which of them happens first


@kernel
def _do_the_same(t, one, other):
    """Whether the effects of two texts are the same, row by row."""
    row, counterpart = int(t["text"][one, T_RESOLVE]), int(t["text"][other, T_RESOLVE])
    if row == counterpart or row == 0 or counterpart == 0:
        return row == counterpart
    while True:
        for column in range(t["program"].shape[1]):
            if t["program"][row, column] != t["program"][counterpart, column]:
                return False
        if t["program"][row, R_CODE] == v.END:
            return True
        row += 1
        counterpart += 1


@kernel
def _are_alike(t, s, one, other):
    """Whether two decided texts do the same to the same."""
    for column in _REGISTERS:
        if s["stack"][one, column] != s["stack"][other, column]:
            return False
    return _do_the_same(t, int(s["stack"][one, fr.PLAY_TEXT]), int(s["stack"][other, fr.PLAY_TEXT]))


@kernel
def _touches(t, text):
    """What the effect of a text touches: life regained, cards of a deck, or anything else."""
    row = int(t["text"][text, T_RESOLVE])
    touched = 0
    while t["program"][row, R_CODE] != v.END:
        op = int(t["program"][row, R_CODE])
        if op == v.GAIN_LIFE:
            touched |= _LIFE
        elif op == v.DRAW or op == v.FLIP:
            touched |= _DECK
        elif op != v.IF and op != v.JUMP:
            touched |= _MORE
        row += 1
    return touched


@kernel
def _keep_apart(t, s, one, other):
    """Whether two texts have nothing to do with each other: one draws or flips, the other does no more than regain life."""
    touched, others = _touches(t, int(s["stack"][one, fr.PLAY_TEXT])), _touches(t, int(s["stack"][other, fr.PLAY_TEXT]))
    if (touched | others) & _MORE or touched & others & _DECK:
        return False
    return not queries.has_law(t, s, v.NO_HEALING)  # a card that is flipped may end that


@kernel
def _can_matter(t, s, first, end):
    """Whether the order of the texts in frames `first` to `end` - 1 can matter."""
    for one in range(first, end):
        for other in range(one + 1, end):
            if not _are_alike(t, s, one, other) and not _keep_apart(t, s, one, other):
                return True
    return False


@kernel
def _source_action(t, s, f):
    """The answer that names what the text of a frame is printed on."""
    character, kind = _text_column(t, s, f, T_CHARACTER) - 1, _text_column(t, s, f, T_KIND) - 1
    if character >= 0:
        if character >= actions.NUMBERED_CHARACTERS:
            return actions.BONUS_BASE + character - actions.NUMBERED_CHARACTERS
        return actions.CHARACTER_BASE + character
    if kind >= 0:
        return actions.KIND_BASE + kind
    return actions.ROLE_BASE + _text_column(t, s, f, T_ROLE) - 2


@kernel
def _ask_order(t, s, first, end):
    """Ask the seat of the texts in frames `first` to `end` - 1 which of them happens first; whether the answer has to be waited for."""
    actions.clear_legal(s)
    for f in range(first, end):
        actions.allow(s, _source_action(t, s, f))
    return actions.ask(s, int(s["stack"][first, fr.SEAT]), actions.Q_ABILITY)


@kernel
def _order_own(t, s, f, first, end):
    """One step of putting a seat's decided texts, in frames `first` to `end` - 1, in order: the last of them has its place."""
    frame = s["stack"][f]
    if not actions.has_answer(s):
        if not _can_matter(t, s, first, end):
            frame[fr.TRIGGERS_SETTLED] = frame[fr.TRIGGERS_DECIDED]
            frame[fr.TRIGGERS_ORDERED] = 0
            return
        if _ask_order(t, s, first, end):
            return
    answer = actions.take_answer(s)
    for place in range(end - 1, first - 1, -1):
        if _source_action(t, s, place) == answer:
            stack.move(s, place, end - 1)
            break
    frame[fr.TRIGGERS_ORDERED] += 1


# ---------------------------------------------------------------- all are decided


@kernel
def _reverse(s, first, end):
    """The frames `first` to `end` - 1 in opposite order."""
    for place in range(first, end - 1):
        stack.move(s, end - 1, place)


@kernel
def _begin_with_current(s, first, end):
    """At the start of a turn the current player's texts happen first, then the others' in play order (T-3)."""
    _reverse(s, first, end)
    start = first
    for f in range(first + 1, end + 1):
        if f == end or s["stack"][f, fr.SEAT] != s["stack"][start, fr.SEAT]:
            _reverse(s, start, f)
            start = f


@kernel
def _let_go_first(t, s, first, end):
    """An attack of another player comes above a text that is said to come after it: Reisen's before Yukari's (K-14)."""
    for f in range(first + 1, end):
        if _text_column(t, s, f, T_FLAGS) & RESOLVES_LAST:
            last = f
            for other in range(f - 1, first - 1, -1):
                if _text_column(t, s, other, T_FLAGS) & MAKES_ATTACKS and s["stack"][other, fr.SEAT] != s["stack"][last, fr.SEAT]:
                    stack.move(s, other, last)
                    last -= 1


@kernel
def _lay_below(s, first, end):
    """What an avoided attack has triggered goes below the effect that avoids it, and below the window in which that was used (A-14)."""
    effect = first - 1
    lowest = effect - 1 if s["stack"][effect - 1, fr.PROCEDURE] == fr.WINDOW_FRAME else effect
    for step in range(end - first):
        stack.move(s, first + step, lowest + step)


@kernel
def _close(t, s, f):
    """The texts are put in the order in which they happen, the first on top."""
    first = int(s["stack"][f, fr.TRIGGERS_FIRST]) - 1
    stack.pop(s)
    if first == f:
        return
    events = _text_column(t, s, first, T_EVENTS)
    if (events >> v.TURN_START) & 1:
        _begin_with_current(s, first, f)
    _let_go_first(t, s, first, f)
    if (events >> v.AVOIDED) & 1:
        _lay_below(s, first, f)


@kernel
def triggers(t, s, f):
    """One step of TRIGGERS."""
    frame = s["stack"][f]
    first = int(frame[fr.TRIGGERS_FIRST]) - 1
    place = first + int(frame[fr.TRIGGERS_DECIDED])
    own = first + int(frame[fr.TRIGGERS_SETTLED])
    if own < place and (place == f or s["stack"][place, fr.SEAT] != s["stack"][own, fr.SEAT]):
        _order_own(t, s, f, own, place - int(frame[fr.TRIGGERS_ORDERED]))
    elif place == f:
        _close(t, s, f)
    elif s["stack"][place, fr.AT] == fr.AT_RESOLVE:
        frame[fr.TRIGGERS_DECIDED] += 1
    else:
        stack.move(s, place, f)
