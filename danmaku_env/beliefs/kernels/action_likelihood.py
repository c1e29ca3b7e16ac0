"""What the log says about the roles: how likely everything a seat has done is, for each role it may have.

The events are read from the first to the last. Whoever chose a target - attacked, healed, gave, saved, cancelled - chose it among
the active players, and how likely each choice is for each class of role is a multinomial logit over what everybody knew about the
players at that time:

    score(class of the actor, player) = sum over factions of choice[interaction, class, faction] * P(player belongs to faction)
                                      + sum over traits of trait[interaction, trait] * trait of the player

P is a public guess, renewed at every turn and whenever a role is opened: the evidence so far, scaled until the factions have as many
members as were dealt. `mix` of every choice is left to chance. An interaction repeated on the same player counts `repeat` times less each
time, for it is not new evidence. A player may also be `blind`, with a small probability: its choices have nothing to do with the role. The
parameters are fitted on games (`training/fits/deducer.py`); see Agresti, Categorical Data Analysis, on conditional logits.
"""

import math

import numpy as np

from danmaku_env.cards.box import ROLE_IDS
from danmaku_env.cards.tables import ROLE_ROWS, TEXTS
from danmaku_env.engine import events
from danmaku_env.engine import state as st
from danmaku_env.engine.observation import HISTORY_COLUMNS
from danmaku_env.heuristics.role_classes import CLASSES, FACTION_OF_CLASS, NUM_FACTIONS
from danmaku_env.jit.kernels import entry, kernel

SEATS = st.SEATS
_EVENT, _ACTOR, _TARGET, _ABOUT, _NUMBER, _EXTRA = (
    HISTORY_COLUMNS.index(name) for name in ("event", "actor", "target", "about", "number", "extra")
)

# ---------------------------------------------------------------- interactions

HEROINE = ROLE_IDS.index("heroine")

INTERACTION_HARM, INTERACTION_HELP, INTERACTION_STRIKE, INTERACTION_GIVE, INTERACTION_CANCEL, INTERACTION_SAVE = range(6)
INTERACTIONS = 6
"""Playing something bad or good on a player, attacking without having named the target before, giving a card, cancelling what a player
plays, dodging for a player."""
TRAIT_DISTANCE, TRAIT_REVENGE, TRAIT_WEAK = range(3)
TRAITS = 3
"""Seats between the two, times the player hit the actor, lives lost."""

PARAMETERS = np.dtype(
    [
        ("choice", "f8", (INTERACTIONS, CLASSES, NUM_FACTIONS)),
        ("trait", "f8", (INTERACTIONS, TRAITS)),
        ("mix", "f8"),
        ("repeat", "f8"),
        ("blind", "f8"),
        ("sign", "i8", TEXTS),  # of every text with a target: +1 bad for it, -1 good, 0 neither (from the printed programs)
        ("class_of_role", "i8", ROLE_ROWS),
    ]
)
"""One record, shape (1,)."""

EXAMPLE_COLUMNS = 4 + SEATS * (1 + NUM_FACTIONS + TRAITS)
"""Numbers kept of an interaction: see `_write_example`."""

WORK = np.dtype(
    [
        ("evidence", "f8", (SEATS, CLASSES)),  # log-likelihood of what a seat did, by class, if it plays by its role
        ("chance", "f8", SEATS),  # the same if it plays regardless of it
        ("public", "f8", (SEATS, NUM_FACTIONS)),
        ("guess", "f8", (SEATS, CLASSES)),
        ("left", "f8", CLASSES),
        ("score", "f8", SEATS),
        ("active", "i8", SEATS),
        ("role", "i8", SEATS),  # that everybody knows, or 0
        ("life", "i8", SEATS),
        ("hurt", "i8", (SEATS, SEATS)),  # how often the row hit the column
        ("times", "i8", (INTERACTIONS, SEATS, SEATS)),
        ("player", "i8"),  # of the last card or Spell Card
        ("target", "i8"),
        ("swapping", "i8"),  # the cards given belong to an exchange of hands: nobody chose to give them
        ("recorded", "i8"),
    ]
)
"""One record of room to work in, shape (1,); `evidence` is the result."""

SCALINGS = 3
WEAKEST = 0.25
"""Life lost counts in fourths, distance in eighths, hits up to this many by."""
FAR = 0.125
MOST_HITS = 4
DEFAULT_LIFE = 4

# ---------------------------------------------------------------- the public guess


@kernel
def weigh_classes(p, w, seat):
    """Write into w["guess"] the likelihood of what a seat did under each class of role, scaled to a largest value near 1.

    It is a mixture: with probability `blind` the seat chose regardless of its role, otherwise by it.
    """
    at_random = w["chance"][seat] + math.log(p["blind"])
    by_role = math.log(1.0 - p["blind"])
    top = at_random
    for c in range(CLASSES):
        top = max(top, w["evidence"][seat, c] + by_role)
    for c in range(CLASSES):
        w["guess"][seat, c] = math.exp(w["evidence"][seat, c] + by_role - top) + math.exp(at_random - top)


@kernel
def _guess_roles(p, w, priors, players):
    """What everybody may take each seat for: evidence times prior, scaled until every class has as many members as were dealt."""
    guess, left = w["guess"], w["left"]
    hidden = 0
    for c in range(CLASSES):
        left[c] = priors[c]
    for seat in range(players):
        role = int(w["role"][seat])
        if role:
            left[int(p["class_of_role"][role])] = max(0.0, left[int(p["class_of_role"][role])] - 1.0)
        else:
            hidden += 1
    total = 0.0
    for c in range(CLASSES):
        total += left[c]
    for c in range(CLASSES):
        left[c] *= hidden / max(total, 1e-9)
    for seat in range(players):
        weigh_classes(p, w, seat)
        for c in range(CLASSES):
            guess[seat, c] = left[c] * guess[seat, c] if w["role"][seat] == 0 else 0.0
    scale(guess, left, 0, players)
    for seat in range(players):
        for faction in range(NUM_FACTIONS):
            w["public"][seat, faction] = 0.0
        role = int(w["role"][seat])
        for c in range(CLASSES):
            known = 1.0 if role and int(p["class_of_role"][role]) == c else 0.0
            w["public"][seat, FACTION_OF_CLASS[c]] += known if role else guess[seat, c]


@kernel
def scale(chances, left, first, players):
    """Scale the columns of the seats from the first on to how many there are, then their rows to 1, and again (Sinkhorn)."""
    for _ in range(SCALINGS):
        for kind in range(len(left)):
            column = 0.0
            for seat in range(first, players):
                column += chances[seat, kind]
            for seat in range(first, players):
                chances[seat, kind] *= left[kind] / max(column, 1e-300)
        for seat in range(first, players):
            whole = 0.0
            for kind in range(len(left)):
                whole += chances[seat, kind]
            for kind in range(len(left)):
                chances[seat, kind] /= max(whole, 1e-300)


# ---------------------------------------------------------------- one interaction


@kernel
def _trait(w, players, actor, seat, trait):
    if trait == TRAIT_DISTANCE:
        apart = abs(actor - seat)
        return FAR * min(apart, players - apart)
    if trait == TRAIT_REVENGE:
        return float(min(int(w["hurt"][seat, actor]), MOST_HITS)) / MOST_HITS
    return WEAKEST * (DEFAULT_LIFE - int(w["life"][seat]))


@kernel
def _write_example(w, players, interaction, actor, target, examples):
    """Keep an interaction with all its likelihood depends on: [which, actor, target, times, then by seat: active, factions, traits]."""
    place = int(w["recorded"])
    w["recorded"] = place + 1
    if place >= examples.shape[0]:
        return
    row = examples[place]
    row[0], row[1], row[2], row[3] = interaction, actor, target, int(w["times"][interaction, actor, target])
    at = 4
    for seat in range(SEATS):
        row[at] = int(w["active"][seat]) if seat < players and seat != actor else 0
        for faction in range(NUM_FACTIONS):
            row[at + 1 + faction] = w["public"][seat, faction]
        for trait in range(TRAITS):
            row[at + 1 + NUM_FACTIONS + trait] = _trait(w, players, actor, seat, trait)
        at += 1 + NUM_FACTIONS + TRAITS


@kernel
def _note_interaction(p, w, players, interaction, actor, target, examples):
    """Weigh the classes of the actor by how likely each would have chosen this target."""
    if actor == target or w["active"][actor] == 0 or w["active"][target] == 0:
        return
    _write_example(w, players, interaction, actor, target, examples)
    times = int(w["times"][interaction, actor, target])
    w["times"][interaction, actor, target] = times + 1
    if w["role"][actor]:
        return
    weight = p["repeat"] ** times
    choices = 0
    for seat in range(players):
        if w["active"][seat] and seat != actor:
            choices += 1
    w["chance"][actor] -= weight * math.log(float(choices))
    for c in range(1, CLASSES):
        top = -1e300
        for seat in range(players):
            if w["active"][seat] == 0 or seat == actor:
                continue
            score = 0.0
            for faction in range(NUM_FACTIONS):
                score += p["choice"][interaction, c, faction] * w["public"][seat, faction]
            for trait in range(TRAITS):
                score += p["trait"][interaction, trait] * _trait(w, players, actor, seat, trait)
            w["score"][seat] = score
            top = max(top, score)
        whole = 0.0
        for seat in range(players):
            if w["active"][seat] and seat != actor:
                whole += math.exp(w["score"][seat] - top)
        chance = (1.0 - p["mix"]) * math.exp(w["score"][target] - top) / whole + p["mix"] / choices
        w["evidence"][actor, c] += weight * math.log(chance)


# ---------------------------------------------------------------- the log


@kernel
def _exchange_roles(w, heroine, seat):
    """The evidence is about the role cards, so it goes with them."""
    for c in range(CLASSES):
        w["evidence"][heroine, c] = w["evidence"][seat, c]
        w["evidence"][seat, c] = 0.0
    w["chance"][heroine] = w["chance"][seat]
    w["chance"][seat] = 0.0
    w["role"][heroine] = w["role"][seat]
    w["role"][seat] = HEROINE


@kernel
def _note_play(p, w, players, event, actor, target, number, examples):
    """A card, Spell Card or power is announced, perhaps on somebody."""
    if event != events.L_USE:
        w["player"] = actor
        w["target"] = target
    sign = int(p["sign"][number])
    if target >= 0 and sign:
        _note_interaction(p, w, players, INTERACTION_HARM if sign > 0 else INTERACTION_HELP, actor, target, examples)


@kernel
def note_event(p, w, players, row, at, priors, examples):
    """Take one event of a log, the eight bytes of `row` from `at` on, into the working record `w`.

    Each counted interaction also goes into a row of `examples` [k, EXAMPLE_COLUMNS], as long as there is space; k may be 0.
    """
    event = int(np.int64(row[at + _EVENT]))
    actor, target = np.int64(row[at + _ACTOR]) - 1, np.int64(row[at + _TARGET]) - 1
    if event != events.L_GIVE:
        w["swapping"] = 1 if event == events.L_SWAP else 0
    if event == events.L_TURN:
        _guess_roles(p, w, priors, players)
    elif event == events.L_PLAY or event == events.L_SPELL or event == events.L_USE:
        _note_play(p, w, players, event, actor, target, np.int64(row[at + _NUMBER]), examples)
    elif event == events.L_ATTACK:
        if w["player"] != actor or w["target"] != target:
            _note_interaction(p, w, players, INTERACTION_STRIKE, actor, target, examples)
    elif event == events.L_GIVE:
        if w["swapping"] == 0:
            _note_interaction(p, w, players, INTERACTION_GIVE, actor, target, examples)
    elif event == events.L_CANCEL:
        _note_interaction(p, w, players, INTERACTION_CANCEL, actor, target, examples)
    elif event == events.L_AVOID:
        if w["player"] != target and w["player"] >= 0:
            _note_interaction(p, w, players, INTERACTION_SAVE, int(w["player"]), actor, examples)
    elif event == events.L_HIT:
        w["hurt"][target, actor] += 1
    elif event == events.L_LOSE or event == events.L_GAIN or event == events.L_REVIVE:
        w["life"][actor] = np.int64(row[at + _EXTRA])
    elif event == events.L_REVEAL or event == events.L_DEFEAT:
        w["role"][actor] = np.int64(row[at + _ABOUT]) - 1
        if event == events.L_DEFEAT:
            w["active"][actor] = 0
        _guess_roles(p, w, priors, players)
    elif event == events.L_ROLES:
        _exchange_roles(w, actor, target)
        _guess_roles(p, w, priors, players)


@kernel
def begin(p, w, players, log, open_roles, priors):
    """What everybody knows before the first event of a log.

    Of a seat whose role the log does not tell, because it began later, the role that lies open now lay open from the start.
    """
    for seat in range(SEATS):
        w["active"][seat] = 1 if seat < players else 0
        w["role"][seat] = open_roles[seat]
        w["life"][seat] = DEFAULT_LIFE
        w["chance"][seat] = 0.0
        for c in range(CLASSES):
            w["evidence"][seat, c] = 0.0
        for other in range(SEATS):
            w["hurt"][seat, other] = 0
            for interaction in range(INTERACTIONS):
                w["times"][interaction, seat, other] = 0
    w["player"] = -1
    w["recorded"] = 0
    w["swapping"] = 0
    for i in range(log.shape[0] // st.EVENT_COLUMNS):
        event = np.int64(log[i * st.EVENT_COLUMNS + _EVENT])
        if event == events.L_REVEAL or event == events.L_DEFEAT or event == events.L_ROLES:
            w["role"][np.int64(log[i * st.EVENT_COLUMNS + _ACTOR]) - 1] = 0
        if event == events.L_ROLES:
            w["role"][np.int64(log[i * st.EVENT_COLUMNS + _TARGET]) - 1] = 0
    _guess_roles(p, w, priors, players)


@kernel
def _read(p, w, players, log, first, open_roles, priors, examples):
    """Read a log from one of its events on; the result is w["evidence"], and w["guess"]."""
    if first == 0:
        begin(p, w, players, log, open_roles, priors)
    for i in range(first, log.shape[0] // st.EVENT_COLUMNS):
        note_event(p, w, players, log, i * st.EVENT_COLUMNS, priors, examples)
    for seat in range(players):
        weigh_classes(p, w, seat)


# ---------------------------------------------------------------- the belief


@kernel
def _weigh_deals(p, w, players, me, deals, weights, posterior, belief):
    """Fill `posterior` [n] with the weight of each deal [n, players] times how well it explains what was done, and from it `belief`."""
    likely = belief  # of every role of every seat, first
    for rel in range(players):
        for role in range(belief.shape[1]):
            c = int(p["class_of_role"][role])
            likely[rel, role] = w["guess"][(rel + me) % players, c] if c >= 0 else 1.0
    total = 0.0
    for n in range(deals.shape[0]):
        weight = weights[n]
        for rel in range(players):
            weight *= likely[rel, int(deals[n, rel])]
        posterior[n] = weight
        total += weight
    belief[:] = 0.0
    for n in range(deals.shape[0]):
        posterior[n] /= total
        for rel in range(players):
            belief[rel, int(deals[n, rel])] += posterior[n]


@entry
def read_examples(parameters, work, players, log, open_roles, priors, examples):
    """Read a whole log [8 k] uint8, the oldest event first; its interactions go into `examples` [n, EXAMPLE_COLUMNS].

    `parameters` and `work` are records of PARAMETERS and WORK, `open_roles` [8] role numbers that everybody knows now, by seat as the log
    counts them, `priors` [CLASSES] how many of each class are dealt. Returns how many interactions there were; work["guess"][0] then
    holds how likely each class of role makes what each seat did, the likeliest 1.
    """
    _read(parameters[0], work[0], players, log, 0, open_roles, priors, examples)
    return int(work[0]["recorded"])


@entry
def posterior_of_deals(parameters, work, slot, players, me, log, first, open_roles, priors, nothing, deals, weights, posterior, belief):
    """The exact posterior over the roles: Bayes over all deals of the roles that fit what the observer `me` knows.

    Arguments as in `read_examples`; of the log what is before the event `first` has been read into work[slot] already. `deals`
    [n, players] int8 and `weights` [n] are the deals that fit and their priors, seats relative to the observer; `posterior` [n] and
    `belief` [8, NUM_ROLES], of every role for every seat, seats relative to the observer, are the results.
    """
    _read(parameters[0], work[slot], players, log, first, open_roles, priors, nothing)
    _weigh_deals(parameters[0], work[slot], players, me, deals, weights, posterior, belief)
