"""TURN: the bottom frame while the game runs, and the steps of a turn (T-1 to T-12)."""

from danmaku_env.cards import vocabulary as v
from danmaku_env.engine import actions, events, incident_deck, lasting, legality, queries, stack
from danmaku_env.engine import frames as fr
from danmaku_env.engine import state as st
from danmaku_env.engine.procedures import drawing, settle, victory, window
from danmaku_env.jit.kernels import kernel

DRAWS_PER_STEP = 2


@kernel
def expire_lasting(t, s, owner):
    """Effects until the owner's next turn end."""
    for place in range(int(s["lasting_size"]) - 1, -1, -1):
        if s["lasting"][place, st.LASTING_OWNER] == owner:
            lasting.remove(t, s, place)


@kernel
def _start(t, s, f, seat):
    """Expire effects, reset counters (T-3, steps 1 and 2); the turn cap truncates the game (T-11)."""
    if s["turn_number"] >= s["max_turns"]:
        victory.end_game(s, st.TRUNCATED, 0)
        return
    s["turn_number"] += 1
    s["current"] = seat
    s["turn_step"] = st.STEP_START
    s["skipping"] = 0
    s["skip_incident"] = 0
    s["action_ban"] = 0
    s["drew"] = 0
    s["spared"] = 0
    s["hurt"] = 0
    s["danmaku_played"][seat] = 0
    s["danmaku_cards"][seat] = 0
    s["spell_used"][seat] = 0
    if s["in_streak"][seat] == 0:
        s["streak"][seat] = 0
    s["in_streak"][seat] = 0
    s["used_round"][seat] = 0
    for other in range(st.SEATS):
        s["used_turn"][other] = 0
    expire_lasting(t, s, seat)
    number = int(s["turn_number"])
    events.log(s, events.L_TURN, seat, -1, -1, number % events.NUMBER_ROOM, number // events.NUMBER_ROOM)
    s["stack"][f, fr.TURN_PLACE] = 0
    s["stack"][f, fr.AT] = fr.AT_SKIP_CHECK


@kernel
def _check_skip(t, s, f, seat):
    """No two skips in a row: after a skipped turn neither a forced nor a voluntary skip happens, and a forced one is lost (T-5)."""
    forced = s["skip_next"][seat]
    s["skip_next"][seat] = 0
    s["stack"][f, fr.AT] = fr.AT_SKIP_DECIDED
    if s["skipped_last"][seat]:
        return
    if forced:
        s["skipping"] = 1
    else:
        stack.push_triggers(t, s, v.SKIP_CHECK, seat, -1, -1)


@kernel
def _decide_skip(t, s, f, seat):
    s["skipped_last"][seat] = s["skipping"]
    s["stack"][f, fr.AT] = fr.AT_BEGIN
    if s["skipping"]:
        events.log(s, events.L_SKIP, seat, -1, -1, 0, 0)
        stack.push_triggers(t, s, v.SKIPPED, seat, -1, -1)


@kernel
def _enter_incident(t, s, f, seat):
    """An incident enters play when there is none, or when one in play wants more of them."""
    frame = s["stack"][f]
    frame[fr.AT] = fr.AT_INCIDENT_ACTS
    frame[fr.TURN_PLACE] = 0
    if s["incident_size"] == 0 or queries.has_law(t, s, v.MORE_INCIDENTS):
        incident_deck.bring_incident(t, s, seat)


@kernel
def _act_incident(t, s, f, seat):
    """The incident-step part of every incident in play, oldest first (I-21): one that was resolved does not act again."""
    frame = s["stack"][f]
    place = int(frame[fr.TURN_PLACE])
    if place >= s["incident_size"]:
        frame[fr.AT] = fr.AT_BEFORE_DRAW
        frame[fr.TURN_PLACE] = 0
        return
    frame[fr.TURN_PLACE] = place + 1
    text = int(t["step_text"][int(s["incidents"][place]) - 1])
    if text:
        stack.push_text(t, s, seat, text, -1)


@kernel
def _open_boundary(s):
    """With instants about, everybody has priority at every boundary between steps, when what has triggered there is over (K-17)."""
    if queries.has_expansion(s):
        stack.push_window(s, v.STEP, -1)


@kernel
def _most_lunatic(t, s, seat, cards):
    """How many cards of a draw step may come from the Lunatic deck, and could (L-22)."""
    if not queries.has_expansion(s) or not queries.can_draw_lunatic(t, s):
        return 0
    most = queries.stat(t, s, seat, v.LUNATIC_DRAWS) + (1 if queries.has_law(t, s, v.LUNATIC_DRAW) else 0)
    return min(most, cards, int(s["lunatic_deck_size"]) + int(s["lunatic_discard_size"]))


@kernel
def _draw(t, s, f, seat):
    """The draw of the draw step, all of it one batch (T-6). Cards that may come from either deck: it is said before any is drawn."""
    frame = s["stack"][f]
    cards = queries.draws(t, s, seat)
    if frame[fr.TURN_PLACE] < _most_lunatic(t, s, seat, cards):
        if not actions.has_answer(s) and actions.ask_misc(s, seat, actions.Q_DECK, actions.MAIN_OR_LUNATIC):
            return
        if actions.take_answer(s) == actions.DECK_BASE + v.LUNATIC_DECK:
            frame[fr.TURN_PLACE] += 1
            return
    lunatic = int(frame[fr.TURN_PLACE])
    frame[fr.AT] = fr.AT_MAIN
    _open_boundary(s)
    stack.push_triggers(t, s, v.DREW_STEP, seat, -1, -1)
    more = queries.stat(t, s, seat, v.MORE_LUNATIC) if cards > 0 and queries.has_expansion(s) else 0
    drawing.draw(t, s, seat, cards - lunatic, lunatic + more)


@kernel
def _main(t, s, f, seat):
    if not actions.has_answer(s):
        legality.offer(t, s, seat, v.MAIN, -1)
        if actions.ask(s, seat, actions.Q_MAIN):
            return
    answer = actions.take_answer(s)
    if answer == actions.PASS:
        s["stack"][f, fr.AT] = fr.AT_BEFORE_DISCARD
        s["stack"][f, fr.TURN_PLACE] = 0
    else:
        window.act(t, s, seat, answer, v.MAIN, -1)


@kernel
def _discard(t, s, f, seat):
    """All active players trim their hands, the current player first (T-7)."""
    frame = s["stack"][f]
    players = int(s["num_players"])
    while frame[fr.TURN_PLACE] < players:
        other = (seat + int(frame[fr.TURN_PLACE])) % players
        frame[fr.TURN_PLACE] += 1
        if queries.is_active(s, other) and s["hand_size"][other] > queries.max_hand(t, s, other):
            stack.push(s, fr.TRIM_FRAME, other)
            return
    frame[fr.AT] = fr.AT_TURN_OVER


@kernel
def _end(t, s, f, seat):
    """The next active player's turn; effects of defeated players end when their turn would have come."""
    extra = int(s["extra_turn"])
    if st.EXTRA_TURN_OF <= extra < st.IS_EXTRA_TURN and queries.is_active(s, extra - st.EXTRA_TURN_OF):  # T-10
        s["extra_turn"] = st.IS_EXTRA_TURN + seat
        s["stack"][f, fr.AT] = fr.AT_START
        s["stack"][f, fr.SEAT] = extra - st.EXTRA_TURN_OF
        return
    s["extra_turn"] = 0
    if extra >= st.IS_EXTRA_TURN:
        seat = extra - st.IS_EXTRA_TURN
    players = int(s["num_players"])
    after = queries.next_active(s, seat)
    other = (seat + 1) % players
    while other != after:
        expire_lasting(t, s, other)
        other = (other + 1) % players
    s["stack"][f, fr.AT] = fr.AT_START
    s["stack"][f, fr.SEAT] = after


@kernel
def _start_of_turn(t, s, f, seat, at):
    """From the counters to the texts for the start of a turn (T-3)."""
    if at == fr.AT_START:
        _start(t, s, f, seat)
    elif at == fr.AT_SKIP_CHECK:
        _check_skip(t, s, f, seat)
    elif at == fr.AT_SKIP_DECIDED:
        _decide_skip(t, s, f, seat)
    else:
        s["stack"][f, fr.AT] = fr.AT_TURN_OVER if s["skipping"] else fr.AT_INCIDENT
        _open_boundary(s)
        stack.push_triggers(t, s, v.TURN_START, seat, -1, -1)


@kernel
def _incident_step(t, s, f, seat, at):
    frame = s["stack"][f]
    if at == fr.AT_INCIDENT:
        s["turn_step"] = st.STEP_INCIDENT
        frame[fr.AT] = fr.AT_INCIDENT_ENTERS
        stack.push_triggers(t, s, v.INCIDENT_START, seat, -1, -1)
    elif at == fr.AT_INCIDENT_ACTS:
        _act_incident(t, s, f, seat)
    elif s["skip_incident"]:  # I-23
        frame[fr.AT] = fr.AT_BEFORE_DRAW
    else:
        _enter_incident(t, s, f, seat)


@kernel
def _draw_step(t, s, f, seat, at):
    frame = s["stack"][f]
    if at == fr.AT_BEFORE_DRAW:
        s["turn_step"] = st.STEP_DRAW
        frame[fr.AT] = fr.AT_DRAW_CHOICE
        stack.push_window(s, v.STEP, -1)
    elif at == fr.AT_DRAW_CHOICE:
        s["draws"] = DRAWS_PER_STEP
        frame[fr.AT] = fr.AT_DRAW
        stack.push_triggers(t, s, v.DRAW_STEP, seat, -1, -1)
    else:
        _draw(t, s, f, seat)


@kernel
def _discard_step(t, s, f, seat, at):
    frame = s["stack"][f]
    if at == fr.AT_BEFORE_DISCARD:
        s["turn_step"] = st.STEP_DISCARD
        frame[fr.AT] = fr.AT_EXCHANGES
        stack.push_window(s, v.STEP, -1)
    elif at == fr.AT_EXCHANGES:
        frame[fr.AT] = fr.AT_DISCARD
        if queries.has_expansion(s):
            stack.push_window(s, v.DISCARD_STEP, -1)  # L-3
    else:
        _discard(t, s, f, seat)


@kernel
def turn(t, s, f):
    """One step of TURN."""
    frame = s["stack"][f]
    seat = int(frame[fr.SEAT])
    if settle.is_unsettled(s):
        stack.push(s, fr.SETTLE_FRAME, seat)
        return
    at = frame[fr.AT]
    if not queries.is_active(s, seat) and at != fr.AT_NEXT_TURN:  # T-8
        at = fr.AT_TURN_OVER
    if at <= fr.AT_BEGIN:
        _start_of_turn(t, s, f, seat, at)
    elif at <= fr.AT_INCIDENT_ACTS:
        _incident_step(t, s, f, seat, at)
    elif at <= fr.AT_DRAW:
        _draw_step(t, s, f, seat, at)
    elif at == fr.AT_MAIN:
        s["turn_step"] = st.STEP_MAIN
        _main(t, s, f, seat)
    elif at <= fr.AT_DISCARD:
        _discard_step(t, s, f, seat, at)
    elif at == fr.AT_TURN_OVER:
        frame[fr.AT] = fr.AT_NEXT_TURN
        stack.push_triggers(t, s, v.TURN_END, seat, -1, -1)
    else:
        _end(t, s, f, seat)
