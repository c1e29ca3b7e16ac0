"""How likely the actions of a seat are for each role, by their value to that role at the time.

Inverse planning (Baker, Saxe and Tenenbaum, Action understanding as inverse planning, Cognition 2009): a player who acts by values reveals
what it wants. The game is replayed (`public_state.py`). Wherever a seat chose a player, or played a card that it might have kept, its
possible answers are valued as it would have valued them with every role that it may have (`action_values.py`). Their likelihood is

    (1 - slip) * softmax(value / temperature) + slip / answers.

A seat values them in one of two ways, and nobody knows which: by counts of who hurt whom, as the heuristic does, or by the posterior of the
log (`action_likelihood.py`), as the deducer does. The second way has a sharp and a rough form, and a fourth kind of player has no plan at
all. All are weighed, including whether everybody at the table plays alike.

Items are left out, for everybody likes to have one. Only what everybody may know is read.
"""

import math

import numpy as np

from danmaku_env.beliefs.kernels import action_likelihood, public_state
from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.box import NUM_ROLES
from danmaku_env.cards.tables import NUM_POOLS, T_EVENTS
from danmaku_env.engine import events
from danmaku_env.engine import state as st
from danmaku_env.heuristics import effects as fx
from danmaku_env.heuristics.kernels import action_values, opponent_model
from danmaku_env.heuristics.kernels import observation_reader as reader
from danmaku_env.jit.kernels import count_bits, entry, kernel

SEATS = st.SEATS
BY_COUNTS, BY_POSTERIOR, FREELY, AT_RANDOM = range(4)
PLANS = 4
"""How a seat may play: by counts, by the posterior, mostly by the posterior, with no plan at all."""
TEMPERATURE = (0.1, 0.1, 0.25)
"""Of each but the last, in lives: how little is known about what a seat saw and what that was worth to it."""
SLIP_CHOICE, SLIP_PLAY = (0.02, 0.02, 0.04), (0.05, 0.05, 0.1)
"""Share of the choices of a player, and of cards played or kept, that have nothing to do with values."""
POOLS = NUM_POOLS

ROLE_CARDS = np.dtype(
    [
        ("card", "i8", NUM_ROLES),  # the role that was dealt, of one that it became
        ("pool", "i8", NUM_ROLES),  # which of the pools its card is dealt from, or -1
        ("copies", "f8", NUM_ROLES),  # cards of it in the pool
        ("dealt", "f8", POOLS),  # cards dealt from each pool
    ]
)
"""From where the roles of a table come, one record, shape (1,)."""

INTERACTION = np.dtype(
    [
        ("actor", "i8"),
        ("text", "i8"),  # that was used
        ("moment", "i8"),  # of the vocabulary, or -1 for one without a choice
        ("kind", "i8"),  # of the card that was played and might have been kept, or -1
        ("chosen", "i8"),  # the seat that was chosen (0 = the actor)
        ("choices", "i8"),  # bits of the seats that it was chosen among; 0 where there was no choice
    ]
)
"""What somebody did, as it is weighed, one record."""

WORK = np.dtype(
    [
        ("evidence", "f8", (PLANS, SEATS, NUM_ROLES)),  # log-likelihood of what a seat did, by role card, for each way to play
        ("table", public_state.TABLE),
        ("log", action_likelihood.WORK),
        ("interaction", INTERACTION),
        ("belief", "f8", (SEATS, NUM_ROLES)),
        ("likely", "f8", (SEATS, NUM_ROLES)),
        ("left", "f8", NUM_ROLES),
        ("to_deal", "f8", POOLS),
        ("counts", "f8", (opponent_model.SCRATCH_ROWS, opponent_model.HIDDEN_FACTIONS)),
        ("preference", "f8", SEATS),
        ("values", "f8", SEATS),
    ]
)
"""How far one game is read, one record; a board of STATE goes with it."""

MIXES = np.array([[0.94, 0.02, 0.02], [0.02, 0.94, 0.02], [0.02, 0.02, 0.94], [0.33, 0.33, 0.32]])
"""[tables, PLANS - 1] shares of the players with each plan, the rest without one: everybody alike, or not; each as likely."""

# ---------------------------------------------------------------- what a seat may think of the others


@kernel
def _fill_left(d, m, s, actor, mine):
    """Fill m["left"] with how many of each role card are hidden from the actor, on average over the deals, if its own role is `mine`."""
    left, to_deal = m["left"], m["to_deal"]
    for role in range(NUM_ROLES):
        left[role] = d["copies"][role]
    for pool in range(POOLS):
        to_deal[pool] = d["dealt"][pool]
    for seat in range(s["num_players"]):
        card = int(d["card"][mine if seat == actor else int(s["role"][seat])])
        pool = int(d["pool"][card])
        if pool >= 0:
            left[card] = max(0.0, left[card] - 1.0)
            to_deal[pool] = max(0.0, to_deal[pool] - 1.0)
    for pool in range(POOLS):
        cards = 0.0
        for role in range(NUM_ROLES):
            if d["pool"][role] == pool:
                cards += left[role]
        for role in range(NUM_ROLES):
            if d["pool"][role] == pool:
                left[role] *= to_deal[pool] / max(cards, 1.0)


@kernel
def _believe(d, m, s, actor, mine):
    """Fill m["belief"], seats relative to the actor, with what the log tells it about the others if its role is `mine`."""
    players = int(s["num_players"])
    _fill_left(d, m, s, actor, mine)
    belief, left = m["belief"], m["left"]
    for rel in range(1, players):
        seat = (actor + rel) % players
        hidden = s["role"][seat] == 0 and (np.int64(s["active"]) >> seat) & 1
        for role in range(NUM_ROLES):
            belief[rel, role] = left[role] * m["likely"][seat, role] if hidden else 0.0
    action_likelihood.scale(belief, left, 1, players)


@kernel
def _read_likelihoods(p, m, players):
    """Fill m["likely"] with how well each role explains what a seat did, by the deducer's likelihood."""
    for seat in range(players):
        action_likelihood.weigh_classes(p, m["log"], seat)
        for role in range(NUM_ROLES):
            c = int(p["class_of_role"][role])
            m["likely"][seat, role] = m["log"]["guess"][seat, c] if c >= 0 else 0.0


# ---------------------------------------------------------------- one interaction


@kernel
def _moment(t, b, s, text, actor, target):
    """The moment of the vocabulary in which a text was used, or -1 for one without a choice."""
    fits = int(t["text"][text, T_EVENTS])
    if (fits >> v.RESCUE) & 1 and target >= 0 and s["life"][target] == 0:
        return v.RESCUE
    if (fits >> v.ATTACKED) & 1 and public_state.attacked_seat(b, actor) >= 0:
        return v.ATTACKED
    if (fits >> v.CANCEL) & 1 and b["player"] >= 0 and b["player"] != actor:
        return v.CANCEL
    if (fits >> v.MAIN) & 1 and (b["turn"] == actor or b["turn"] == public_state.NOBODY):
        return v.MAIN
    for moment in range(v.CANCEL, v.STEP + 1):
        if (fits >> moment) & 1:
            return moment
    return -1


@kernel
def _choices(f, o, text, chosen, players):
    """Bits of the seats (0 = the actor) that the text could choose, as far as everybody sees; cards thrown in for range are not seen."""
    group = int(f["group"][text, 0]) - 1
    found = 1 << chosen
    for rel in range(players):
        if f["boosted"][text]:
            near = o[reader.O_IN_RANGE + rel] or (o[reader.O_IN_RANGE + chosen] == 0 and o[reader.O_ACTIVE + rel])
            found |= 1 << rel if rel and near else 0
        elif group >= 0 and action_values.in_group(o, group, rel):
            found |= 1 << rel
    return found


@kernel
def _choice_value(t, f, y, o, e, text, rel):
    """The value of choosing a seat, as `policy.py` has it."""
    if int(f["flags"][text]) & fx.CAPTURES:
        return action_values.best_spell_value(t, f, y, o, e, rel, v.MAIN)
    found = action_values.choice_value(t, f, y, o, e, text, 0, rel, v.RESCUE if o[reader.O_LIFE + rel] == 0 else v.MAIN)
    if f["boosted"][text] and rel and o[reader.O_IN_RANGE + rel] == 0:
        found -= y["out_of_range"]
    return found


@kernel
def _log_chance(values, size, chosen, slip, temperature):
    top = values[0]
    for i in range(1, size):
        top = max(top, values[i])
    whole = 0.0
    for i in range(size):
        whole += math.exp((values[i] - top) / temperature)
    return math.log((1.0 - slip) * math.exp((values[chosen] - top) / temperature) / whole + slip / size)


@kernel
def _choice_chances(t, f, y, o, m, players, first, plans, card):
    """Add to m["evidence"] how likely the choice of a player is."""
    interaction, values = m["interaction"], m["values"]
    actor, text, chosen, choices = (
        int(interaction["actor"]),
        int(interaction["text"]),
        int(interaction["chosen"]),
        int(interaction["choices"]),
    )
    size, place = 0, 0
    for rel in range(players):
        if (choices >> rel) & 1:
            if rel == chosen:
                place = size
            values[size] = _choice_value(t, f, y, o, m["preference"], text, rel)
            size += 1
    for plan in range(first, first + plans):
        m["evidence"][plan, actor, card] += _log_chance(values, size, place, SLIP_CHOICE[plan], TEMPERATURE[plan])


@kernel
def _play_chances(t, f, y, o, m, first, plans, card):
    """Add to m["evidence"] how likely it is to play the card at all."""
    interaction, values = m["interaction"], m["values"]
    actor, spent = int(interaction["actor"]), y["spend"][int(f["spend_sort"][int(interaction["kind"])])]
    values[0] = action_values.text_value(t, f, y, o, m["preference"], int(interaction["text"]), int(interaction["moment"])) - spent
    values[1] = y["pass_bias"]
    if values[0] > 0.5 * action_values.NEVER:
        for plan in range(first, first + plans):
            m["evidence"][plan, actor, card] += _log_chance(values, 2, 0, SLIP_PLAY[plan], TEMPERATURE[plan])


@kernel
def _explain(t, f, y, o, m, players, first, plans, card):
    """Add to m["evidence"] of a role card how likely the interaction is by whoever has the preference m["preference"].

    This many plans, from the first on, differ in how sharply they see values.
    """
    if m["interaction"]["choices"]:
        _choice_chances(t, f, y, o, m, players, first, plans, card)
    if m["interaction"]["kind"] >= 0:
        _play_chances(t, f, y, o, m, first, plans, card)


@kernel
def _note_interaction(t, f, b, s, o, interaction):
    """Fill `interaction` with the event that comes next, and `o` with what its actor saw; whether there is anything to weigh."""
    event = b["event"]
    word, actor, target = int(event[st.EVENT]), int(event[st.ACTOR]) - 1, int(event[st.TARGET]) - 1
    if (word != events.L_PLAY and word != events.L_SPELL and word != events.L_USE) or (np.int64(s["active"]) >> actor) & 1 == 0:
        return False
    players, text = int(s["num_players"]), int(event[st.NUMBER])
    moment = _moment(t, b, s, text, actor, target)
    kind = int(event[st.CARD_SHOWN]) - 1 if word == events.L_PLAY and moment >= 0 else -1
    if kind >= 0 and t["kind_slot"][kind] >= 0:  # everybody likes to have an item
        kind = -1
    if target < 0 and kind < 0:
        return False
    public_state.look(t, s, b, actor, o)
    chosen = (target - actor) % players if target >= 0 else 0
    choices = _choices(f, o, text, chosen, players) if target >= 0 else 0
    interaction["actor"], interaction["text"], interaction["moment"], interaction["kind"], interaction["chosen"] = (
        actor,
        text,
        moment,
        kind,
        chosen,
    )
    interaction["choices"] = choices if choices & (choices - 1) else 0
    return True


@kernel
def _weigh(t, f, p, styles, d, m, s, o):
    """Weigh an interaction for every role that its actor may have."""
    interaction = m["interaction"]
    if not _note_interaction(t, f, m["table"], s, o, interaction):
        return
    players, actor = int(s["num_players"]), int(interaction["actor"])
    _read_likelihoods(p, m, players)
    by_chance = -math.log(max(1.0, float(count_bits(int(interaction["choices"]))))) - (math.log(2.0) if interaction["kind"] >= 0 else 0.0)
    known = int(s["role"][actor])
    for role in range(1, NUM_ROLES):
        card = int(d["card"][role])
        if (role != known) if known else (d["copies"][role] == 0.0):
            continue
        public_state.write_role(o, 0, role)
        opponent_model.count_preference(t, styles[0], o, m["belief"], m["counts"], m["preference"])
        _explain(t, f, styles[0], o, m, players, BY_COUNTS, 1, card)
        _believe(d, m, s, actor, role)
        opponent_model.preference_of_belief(t, styles[1], o, m["belief"], m["preference"])
        _explain(t, f, styles[1], o, m, players, BY_POSTERIOR, 2, card)
        m["evidence"][AT_RANDOM, actor, card] += by_chance


@kernel
def _exchange(m, one, other):
    """The evidence is about the role cards, so it goes with them."""
    for plan in range(PLANS):
        for role in range(NUM_ROLES):
            kept = m["evidence"][plan, one, role]
            m["evidence"][plan, one, role] = m["evidence"][plan, other, role]
            m["evidence"][plan, other, role] = kept


# ---------------------------------------------------------------- one game


@kernel
def _begin(t, f, p, m, s, log, now, whole, priors):
    for plan in range(PLANS):
        for seat in range(SEATS):
            for role in range(NUM_ROLES):
                m["evidence"][plan, seat, role] = 0.0
    action_likelihood.begin(p, m["log"], int(now["num_players"]), log, now["role"], priors)
    public_state.set_up(s, m["table"], now, m["log"]["role"])
    if not whole:
        public_state.go_back(t, f, s, m["table"], log, now, m["log"]["role"])


@entry
def read(tables, facts, parameters, styles, dealt, work, boards, slot, log, first, now, whole, priors, nothing, o):
    """Read what is new in the log of a game, from its event `first` on.

    `log` [8 k] uint8 is the log as everybody sees it (`danmaku_env.game.public_log`). Where all of it is read, `now` is a record, shape
    (1,), of the board as it lies open now, `whole` whether the log goes back to the deal. `priors` [CLASSES] as in `action_likelihood.py`;
    `o` [n] uint8 is room for an observation row.
    """
    t, f, p, d, m, s = tables[0], facts[0], parameters[0], dealt[0], work[slot], boards[slot]
    if first == 0:
        _begin(t, f, p, m, s, log, now[0], whole, priors)
    players = int(s["num_players"])
    o[:] = 0  # what stood there of another table, with more players, would be seen
    event = m["table"]["event"]
    for i in range(first, log.shape[0] // st.EVENT_COLUMNS):
        for column in range(st.EVENT_COLUMNS):
            event[column] = log[i * st.EVENT_COLUMNS + column]
        _weigh(t, f, p, styles, d, m, s, o)
        if event[st.EVENT] == events.L_ROLES:
            _exchange(m, int(event[st.ACTOR]) - 1, int(event[st.TARGET]) - 1)
        action_likelihood.note_event(p, m["log"], players, log, i * st.EVENT_COLUMNS, priors, nothing)
        public_state.move(t, f, s, m["table"])


# ---------------------------------------------------------------- the belief


@kernel
def _mix(d, m, players, me, likely):
    """Fill `likely` [mixes, 8, NUM_ROLES], seats relative to `me`: how likely each role makes what each seat did, for each of MIXES."""
    for rel in range(players):
        seat = (rel + me) % players
        known = int(m["log"]["role"][seat])
        top = -1e300
        for plan in range(PLANS):
            for role in range(1, NUM_ROLES):
                if (role == known) if known else (d["copies"][role] > 0.0):
                    top = max(top, m["evidence"][plan, seat, int(d["card"][role])])
        for mix in range(len(MIXES)):
            for role in range(NUM_ROLES):
                card = int(d["card"][role])
                rest, total = 1.0, 0.0
                for plan in range(PLANS - 1):
                    total += MIXES[mix, plan] * math.exp(m["evidence"][plan, seat, card] - top)
                    rest -= MIXES[mix, plan]
                likely[mix, rel, role] = total + rest * math.exp(m["evidence"][AT_RANDOM, seat, card] - top)


@entry
def weigh_deals(dealt, work, slot, players, me, deals, weights, likely, posterior, belief):
    """Bayes over all deals of the roles that fit what the observer `me` knows.

    `deals` [n, players] int8 and `weights` [n] are those deals and their priors, seats relative to the observer; `likely` [mixes, 8,
    NUM_ROLES] is room. `posterior` [n] and `belief` [8, NUM_ROLES], seats relative to the observer, are the results.
    """
    _mix(dealt[0], work[slot], players, me, likely)
    whole = 0.0
    for n in range(deals.shape[0]):
        total = 0.0
        for mix in range(len(MIXES)):
            chance = 1.0
            for rel in range(players):
                chance *= likely[mix, rel, deals[n, rel]]
            total += chance
        posterior[n] = total * weights[n]
        whole += posterior[n]
    belief[:] = 0.0
    for n in range(deals.shape[0]):
        posterior[n] /= whole
        for rel in range(players):
            belief[rel, deals[n, rel]] += posterior[n]
