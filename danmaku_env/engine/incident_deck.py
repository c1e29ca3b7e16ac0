"""The incident deck and its discard pile: taking the top, putting back, searching, and an incident's entry into play.

Not here: what an incident in play collects, and how it is resolved and discarded, which goes with the piles of the Main deck (`piles.py`).
"""

from danmaku_env.cards import vocabulary as v
from danmaku_env.engine import characters, events, stack
from danmaku_env.engine import state as st
from danmaku_env.jit.kernels import kernel
from danmaku_env.machine import lists, rng


@kernel
def next_incident(s):
    """The top of the incident deck, taken out of it; the discard is reshuffled when needed (I-17); -1 when both are empty."""
    if s["incident_deck_size"] == 0:
        size = int(s["incident_discard_size"])
        for i in range(size):
            incident = int(s["incident_discard"][i])
            s["incident_deck"][i] = incident
            s["incident_discard"][i] = 0
            s["incident_seen"][incident - 1] = 0
        s["incident_deck_size"] = size
        s["incident_discard_size"] = 0
        rng.shuffle(s, s["incident_deck"], size)
    size = int(s["incident_deck_size"])
    if size == 0:
        return -1
    s["incident_deck_size"] = size - 1
    return lists.take_top(s["incident_deck"], size)


@kernel
def put_on_incident_deck(s, incident, bottom):
    """Put an incident on the top or bottom of the incident deck."""
    size = int(s["incident_deck_size"])
    lists.put_on(s["incident_deck"], size, incident, bottom)
    s["incident_deck_size"] = size + 1


@kernel
def fetch_incident(s, incident, seat):
    """Take an incident out of its deck, shuffle the deck, put it on top; only the searcher knows it lies there."""
    events.log_card(s, events.L_SEARCH, seat, -1, -1, 0, 0, st.INCIDENT_CARD + incident, 1 << seat)
    size = int(s["incident_deck_size"])
    place = 0
    while s["incident_deck"][place] != incident + 1:
        place += 1
    s["incident_deck"][place] = s["incident_deck"][size - 1]
    rng.shuffle(s, s["incident_deck"], size - 1)
    s["incident_deck"][size - 1] = incident + 1
    for other in range(s["incident_seen"].shape[0]):
        s["incident_seen"][other] = 0
    s["incident_seen"][incident] = 1 << seat


@kernel
def shuffle_incidents(s):
    """Shuffle the incident deck: nobody knows any more where an incident lies."""
    size = int(s["incident_deck_size"])
    for i in range(size):
        s["incident_seen"][int(s["incident_deck"][i]) - 1] = 0
    rng.shuffle(s, s["incident_deck"], size)
    events.log(s, events.L_SHUFFLE, -1, -1, v.INCIDENT_DECK, size, 0)


@kernel
def bring_incident(t, s, seat):
    """The next incident, if there is one, enters play in the turn of a seat; its entering part happens at once."""
    incident = next_incident(s)
    if incident < 0:
        return
    size = int(s["incident_size"])
    s["incidents"][size] = incident + 1
    s["incident_size"] = size + 1
    s["incident_seen"][incident] = 0
    events.log(s, events.L_INCIDENT, -1, -1, incident, 0, 0)
    if int(t["laws"][incident]) & v.NO_ABILITIES:
        characters.refresh_all(t, s)
    text = int(t["enter_text"][incident])
    if text:
        stack.push_text(t, s, seat, text, -1)
