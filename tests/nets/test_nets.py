import itertools

import numpy as np
import pytest
import torch

from danmaku_env import Game, GameConfig, make_vec
from danmaku_env.agents import prior_policy
from danmaku_env.agents.deducer import DeducerAgent
from danmaku_env.cards.box import ROLE_IDS
from danmaku_env.cards.compile import compile_cards
from danmaku_env.cards.tables import T_ROLE
from danmaku_env.engine.actions import ACTION_IDS, NUM_ACTIONS, SEAT_BASE
from danmaku_env.engine.observation import OBSERVATION_FIELDS, OBSERVATION_SIZE, OFFSETS
from danmaku_env.info_states import InfoStates
from danmaku_env.nets import network
from danmaku_env.nets.input_spec import InputSpec, base_game, current_layout, input_spec_of
from danmaku_env.nets.network import Net, choose_actions, draw_actions
from danmaku_env.nets.prior_format import ILLEGAL
from danmaku_env.training.role_labels import NO_ROLE, belief_loss, true_roles
from tests.random_play import batch_midway

SEAT_NAMES = tuple("01234567")


@pytest.fixture(params=[0, 24])
def net(request):
    torch.manual_seed(3)
    return opinionated(Net(16, request.param))


def opinionated(net):
    """A net whose answers depend on what it sees."""
    for layer in (net.policy, net.seat_policy, net.value, net.belief):
        torch.nn.init.orthogonal_(layer.weight, 2.0)
    return net.eval()


def questions(players, rows=16, steps=150, **config):
    """A batch of games in their middle."""
    return batch_midway(rows, GameConfig(num_players=players, **config), seed=players, steps=steps)


def said(net, observations, masks):
    with torch.inference_mode():
        return net(torch.from_numpy(net.inputs(observations)), torch.from_numpy(masks))


@pytest.mark.parametrize("players", [4, 6, 8])
def test_no_column_that_a_base_game_fills_is_dropped(players):
    vec = make_vec(64, GameConfig(num_players=players))
    vec.reset(players)
    filled = np.zeros(OBSERVATION_SIZE, bool)
    for _ in range(1500):
        vec.step(vec.sample())
        filled |= (vec.observations != 0).any(0)
    columns = Net(8).taken.columns
    assert len(set(columns)) == len(columns) < OBSERVATION_SIZE
    assert set(np.flatnonzero(filled)) <= set(columns)


def test_every_action_that_a_base_game_offers_has_a_score():
    offered = np.zeros(NUM_ACTIONS, bool)
    for players in (4, 8):
        vec = make_vec(64, GameConfig(num_players=players))
        vec.reset(players)
        for _ in range(1500):
            offered |= vec.action_masks.any(0)
            vec.step(vec.sample())
    scored = {*base_game().actions, *(f"choose seat:{seat}" for seat in SEAT_NAMES)}
    assert {ACTION_IDS[action] for action in np.flatnonzero(offered)} <= scored


def test_the_net_is_told_its_role(net):
    """My own role's flag is among what the net reads, and moves its answer."""
    observations = np.zeros((2, OBSERVATION_SIZE + 8 * net.history), np.uint8)
    observations[1, OFFSETS["role"]] = 1
    out = said(net, observations, np.ones((2, NUM_ACTIONS), np.uint8))
    assert out.values[0] != out.values[1]
    assert out.roles[1, 0].exp().argmax() == base_game().roles.index("heroine")


def test_several_nets_say_what_they_say_on_average(net):
    vec = questions(5)
    other = opinionated(Net(16, net.history))
    observations = np.pad(vec.observations, ((0, 0), (0, 8 * net.history)))
    both = said(network.together([net, other]), observations, vec.action_masks)
    each = [said(one, observations, vec.action_masks) for one in (net, other)]
    legal = torch.from_numpy(vec.action_masks) != 0
    assert (both.logprobs[~legal] == -torch.inf).all()
    torch.testing.assert_close(both.logprobs.exp().sum(1), torch.ones(len(legal)))
    apart = (both.logprobs - (each[0].logprobs + each[1].logprobs) / 2)[legal]
    rows = legal.nonzero()[:, 0]
    assert all(apart[rows == row].std(correction=0) < 1e-5 for row in range(len(legal))), "the same up to what makes them sum to 1"
    torch.testing.assert_close(both.values, (each[0].values + each[1].values) / 2)
    torch.testing.assert_close(both.roles[:, :5].exp(), (each[0].roles[:, :5].exp() + each[1].roles[:, :5].exp()) / 2)
    assert network.together([net]) is net


def test_largest_bytes_are_read_as_small_numbers(net):
    observations = np.zeros((1, OBSERVATION_SIZE + 8 * net.history), np.uint8)
    for field in OBSERVATION_FIELDS:
        observations[0, OFFSETS[field.name] : OFFSETS[field.name] + field.size] = field.high
    highest = {field.name: field.high for field in OBSERVATION_FIELDS}
    names = itertools.chain(net.input_spec.seats, net.input_spec.pairs, net.input_spec.table)
    numbers = (torch.tensor([highest[name.partition("/")[0]] for name in names]) * net.scale).sqrt()
    assert numbers.min() >= 1
    assert numbers.max() <= 4.01
    out = said(net, observations, np.ones((1, NUM_ACTIONS), np.uint8))
    assert out.logprobs.isfinite().all()
    assert out.values.isfinite().all()


def test_only_legal_actions_have_a_probability_and_are_drawn(net):
    rng = torch.Generator().manual_seed(1)
    masks = (torch.rand(500, NUM_ACTIONS, generator=rng) < 0.02).to(torch.uint8)
    masks[:, 7] = 1
    with torch.inference_mode():
        logprobs = net(torch.zeros(500, net.taken.width, dtype=torch.uint8), masks).logprobs
    torch.testing.assert_close(logprobs.exp().sum(1), torch.ones(500))
    for draw in (0.0, 0.5, 1 - 2**-53):
        drawn = draw_actions(logprobs, torch.full((500, 1), draw, dtype=torch.float64))
        assert masks[torch.arange(500), drawn].all()


def test_actions_are_drawn_with_their_probabilities():
    logprobs = torch.tensor([0.1, 0.0, 0.6, 0.3]).log().expand(20_000, 4)
    drawn = draw_actions(logprobs, torch.rand(20_000, 1, generator=torch.Generator().manual_seed(2), dtype=torch.float64))
    np.testing.assert_allclose(np.bincount(drawn, minlength=4) / 20_000, [0.1, 0, 0.6, 0.3], atol=0.02)


def test_choose_actions_are_legal_and_repeat_with_the_generator(net):
    vec = questions(6, steps=0, history=net.history)
    given = vec.observations, vec.action_masks
    drawn = [choose_actions(net, *given, torch.Generator().manual_seed(5)) for _ in range(2)]
    np.testing.assert_array_equal(*drawn)
    for actions in (drawn[0], choose_actions(net, *given)):
        assert vec.action_masks[np.arange(16), actions].all()


# ---------------------------------------------------------------- seats


def test_a_table_of_four_is_the_same_beside_a_table_of_eight(net):
    """How many seats are worked out depends on the largest table of the batch, what is said does not."""
    four, eight = (questions(players, history=net.history) for players in (4, 8))
    alone = said(net, four.observations, four.action_masks)
    together = said(net, np.concatenate([four.observations, eight.observations]), np.concatenate([four.action_masks, eight.action_masks]))
    for one, both in zip(alone, together, strict=True):
        torch.testing.assert_close(both[:16], one, atol=1e-5, rtol=1e-4)


def test_who_is_where_decides_whom_to_choose(net):
    """Two seats that look alike but for where they sit are told apart by their places alone."""
    observations = np.zeros((2, OBSERVATION_SIZE + 8 * net.history), np.uint8)
    observations[:, OFFSETS["players"] + 2] = 1
    observations[:, OFFSETS["active"] : OFFSETS["active"] + 6] = 1
    observations[:, OFFSETS["life"] : OFFSETS["life"] + 6] = 4
    observations[0, OFFSETS["life"] + 2] = observations[1, OFFSETS["life"] + 4] = 1
    masks = np.zeros((2, NUM_ACTIONS), np.uint8)
    masks[:, [SEAT_BASE + 2, SEAT_BASE + 4]] = 1
    with torch.no_grad():
        net.places.zero_()
    logprobs = said(net, observations, masks).logprobs
    assert logprobs[0, SEAT_BASE + 2] == pytest.approx(logprobs[1, SEAT_BASE + 4].item(), abs=1e-5)
    assert logprobs[0, SEAT_BASE + 2] != pytest.approx(logprobs[0, SEAT_BASE + 4].item(), abs=1e-3)


def test_who_attacked_whom_is_told_from_who_was_attacked(net):
    observations = np.zeros((3, OBSERVATION_SIZE + 8 * net.history), np.uint8)
    observations[:, OFFSETS["players"] + 2] = 1
    attacks = observations[:, OFFSETS["attacks"] : OFFSETS["attacks"] + 64].reshape(3, 8, 8)
    attacks[1, 1, 2] = attacks[2, 2, 1] = 3
    observations[:, OFFSETS["attacks"] : OFFSETS["attacks"] + 64] = attacks.reshape(3, 64)
    roles = said(net, observations, np.ones((3, NUM_ACTIONS), np.uint8)).roles
    for seat, other in itertools.product((1, 2), (0, 1)):
        assert (roles[2, seat] - roles[other, seat]).abs().max() > 1e-3


def test_events_are_read_where_they_are_asked_for():
    torch.manual_seed(1)
    net = opinionated(Net(16, 24))
    vec = questions(6, history=24)
    blind = vec.observations.copy()
    blind[:, OBSERVATION_SIZE:] = 0
    assert (said(net, vec.observations, vec.action_masks).values - said(net, blind, vec.action_masks).values).abs().max() > 1e-3
    with pytest.raises(ValueError, match=r"reads the last 24 events: observations must end with them"):
        net.inputs(vec.observations[:, :OBSERVATION_SIZE])


# ---------------------------------------------------------------- beliefs


@pytest.mark.parametrize("players", [4, 8])
def test_what_is_known_is_believed_and_what_is_believed_sums_to_one(net, players):
    vec = questions(players, history=net.history)
    roles = said(net, vec.observations, vec.action_masks).roles.exp().numpy()
    np.testing.assert_allclose(roles[:, :players].sum(2), 1, atol=1e-5)
    truth = true_roles(net, vec.games, vec.seats)
    assert (truth[:, players:] == NO_ROLE).all()
    shown = vec.observations[:, OFFSETS["role"] : OFFSETS["role"] + 152].reshape(16, 8, 19)
    known = np.argwhere(shown.any(2))
    assert {0} < set(known[:, 1])
    for row, seat in known:
        assert roles[row, seat, truth[row, seat]] > 1 - 1e-6
        assert net.roles[truth[row, seat]] == vec.games["role"][row, (vec.seats[row] + seat) % players]


def test_the_belief_learns_from_the_roles_that_are_hidden(net):
    vec = questions(6, rows=64, history=net.history)
    given = torch.from_numpy(net.inputs(vec.observations)), torch.from_numpy(vec.action_masks)
    truth = torch.from_numpy(true_roles(net, vec.games, vec.seats))
    adam = torch.optim.Adam(net.parameters(), 1e-2)
    losses = []
    for _ in range(30):
        loss = belief_loss(net(*given).roles, truth)
        adam.zero_grad()
        loss.backward()
        adam.step()
        losses.append(loss.item())
    assert losses[-1] < losses[0] / 2
    assert net.policy.weight.grad is None, "what the belief is used for does not bend it"


@pytest.mark.parametrize("sure", [15.0, 16.9, 17.5, 30.0, 80.0])
def test_a_certainty_that_is_wrong_costs_and_is_unlearned(sure):
    """However sure: what rounds to 1 is no knowledge. What is known costs nothing, and does not count among what is believed."""
    believed = torch.tensor([sure, 0.0, 0.0], requires_grad=True)
    known, roles = torch.tensor([0.0, -30.0, -30.0]), torch.tensor([[0, 1, NO_ROLE]], dtype=torch.uint8)
    loss = belief_loss(torch.stack((known, believed.log_softmax(0), torch.zeros(3)))[None], roles)
    loss.backward()
    assert loss.item() == pytest.approx(sure, rel=1e-5)
    assert believed.grad.tolist() == pytest.approx([1, -1, 0], abs=1e-5)


# ---------------------------------------------------------------- prior policy


def of_deducers(players, rows=32, steps=120, **config):
    """Games of deducers in their middle."""
    vec = make_vec(rows, GameConfig(num_players=players, **config))
    vec.reset(players)
    deducer = DeducerAgent(1)
    for _ in range(steps):
        vec.step(deducer.act(vec.observations, vec.action_masks, InfoStates(vec.clone(), vec.seats, vec.config)))
    return vec


@pytest.mark.parametrize("roles", ["basic", "advanced"])
@pytest.mark.parametrize(
    ("players", "belief"), [(4, "inverse_planning"), (6, "likelihood"), (6, "inverse_planning"), (8, "inverse_planning")]
)
def test_a_net_with_a_prior_policy_begins_as_the_deducer(players, roles, belief):
    """Before it has learned anything it gives an answer that the deducer finds best, and believes what the deducer believes."""
    torch.manual_seed(3)
    net, deducer, vec = Net(16, prior_policy=belief).eval(), DeducerAgent(1, belief=belief), of_deducers(players, roles=roles)
    info_states = InfoStates(vec.clone(), vec.seats, vec.config)
    beliefs = deducer.posterior(vec.observations, info_states)
    play = deducer.policy_for(info_states)
    worths = play.values(vec.observations, vec.action_masks, play.preferences(vec.observations, beliefs))
    found = said(net, prior_policy.seen(net, vec, np.arange(len(vec.seats))), vec.action_masks)
    answers = found.logprobs.argmax(1).numpy()
    lost = worths.max(1) - worths[np.arange(len(answers)), answers]
    assert lost.max() < 2e-4, "what a byte cannot tell apart"
    believed = found.roles.exp().numpy()[:, :players]
    np.testing.assert_allclose(believed, beliefs[:, :players][:, :, net.roles], atol=0.02)


def test_what_it_learned_is_added_to_the_prior_policy():
    torch.manual_seed(4)
    net, vec = Net(16, prior_policy="inverse_planning").eval(), of_deducers(6)
    rows = prior_policy.seen(net, vec, np.arange(len(vec.seats)))
    before = said(net, rows, vec.action_masks)
    after = said(opinionated(net), rows, vec.action_masks)
    assert (before.logprobs.argmax(1) != after.logprobs.argmax(1)).any()
    assert not torch.allclose(before.roles, after.roles)


def test_a_prior_policy_that_is_not_there_is_asked_for():
    vec = questions(6, rows=4)
    with pytest.raises(ValueError, match="the deducer as its prior policy: observations must end with what it says"):
        Net(16, prior_policy="inverse_planning").inputs(vec.observations)
    with pytest.raises(ValueError, match="the deducer as its prior policy, which reads the public log: give it information states"):
        prior_policy.complete(Net(16, prior_policy="inverse_planning"), vec.observations, vec.action_masks, None)


def test_an_action_that_a_net_never_met_is_answered_as_by_its_prior_policy(monkeypatch):
    layout = grown(np.random.default_rng(7))
    monkeypatch.setattr(network, "current_layout", lambda: layout)
    net = Net(16, prior_policy="inverse_planning", input_spec=base_game()).eval()
    size = len(layout.actions) + 8 * (len(layout.roles) + 1)
    dance, passing = layout.actions.index("dance"), layout.actions.index("pass")
    masks = np.zeros((1, len(layout.actions)), np.uint8)
    masks[0, [dance, passing]] = 1
    for better, other in ((dance, passing), (passing, dance)):
        said_of = np.zeros((1, size), np.uint8)
        said_of[0, : len(layout.actions)] = ILLEGAL
        said_of[0, [better, other]] = 0, 100
        rows = np.concatenate([np.ones((1, layout.size), np.uint8), said_of], 1)
        assert choose_actions(net, rows, masks) == better


# ---------------------------------------------------------------- layouts that grow


def grown(rng):
    """A layout with more of everything, all of it in other places; and where each column of today went."""
    now = current_layout()
    more = {f"charm/{seat}": 0 for seat in SEAT_NAMES} | dict.fromkeys(("hand/moon_cake/spring", "role/1/jester", "moon"), 0)
    names = [*now.columns, *more]
    columns = dict(zip(names, rng.permutation(len(names)).tolist(), strict=True))
    ids = {what: ("", *rng.permutation([*kept[1:], f"new_{what}"]).tolist()) for what, kept in now.ids.items()}
    actions = tuple(rng.permutation([*now.actions, "play moon_cake", "dance"]).tolist())
    events = ("none", *rng.permutation([*now.events[1:], "eclipse"]).tolist())
    return now._replace(columns=columns, size=len(names), ids=ids, actions=actions, events=events, titles=now.titles[::-1])


def moved(vec, net, layout):
    """Observations and masks as the grown layout has them, where what is new shows something too."""
    now = current_layout()
    observations = np.ones((len(vec.seats), layout.size), np.uint8)
    for name, column in now.columns.items():
        observations[:, layout.columns[name]] = vec.observations[:, column]
    places = {name.replace("*", seat): what for name, what in net.input_spec.named.items() for seat in SEAT_NAMES}
    for name, what in places.items():
        renumbered = np.array([layout.ids[what].index(one) for one in now.ids[what]], np.uint8)
        observations[:, layout.columns[name]] = renumbered[vec.observations[:, now.columns[name]]]
    events = vec.observations[:, now.size :].reshape(len(vec.seats), -1, 8).copy()
    is_text = np.isin(events[:, :, 0], [now.events.index(word) for word in ("play", "spell", "use", "cancel")])
    events[:, :, 4] = np.where(is_text, len(now.titles) - 1 - events[:, :, 4].astype(int), events[:, :, 4])
    events[:, :, 0] = np.array([layout.events.index(word) for word in now.events], np.uint8)[events[:, :, 0]]
    masks = np.zeros((len(vec.seats), len(layout.actions)), np.uint8)
    for action, name in enumerate(now.actions):
        masks[:, layout.actions.index(name)] = vec.action_masks[:, action]
    return np.concatenate([observations, events.reshape(len(observations), -1)], 1), masks


def test_a_net_goes_on_in_a_layout_that_has_grown(net, monkeypatch):
    """As with the expansion: more fields, kinds, characters, roles, events and actions, and nothing where it was."""
    layout = grown(np.random.default_rng(7))
    vec = questions(6, history=net.history)
    before = said(net, vec.observations, vec.action_masks)
    monkeypatch.setattr(network, "current_layout", lambda: layout)
    later = Net(16, net.history, input_spec=InputSpec.from_dict(net.input_spec.to_dict()))
    later.load_state_dict(net.state_dict())
    after = said(later.eval(), *moved(vec, net, layout))
    of = [layout.actions.index(name) for name in current_layout().actions]
    torch.testing.assert_close(after.logprobs[:, of], before.logprobs)
    torch.testing.assert_close(after.values, before.values)
    torch.testing.assert_close(after.roles, before.roles)
    assert [layout.roles[number] for number in later.roles] == [current_layout().roles[number] for number in net.roles]


def test_what_a_net_never_met_is_its_last_choice(net, monkeypatch):
    layout = grown(np.random.default_rng(7))
    monkeypatch.setattr(network, "current_layout", lambda: layout)
    later = Net(16, net.history, input_spec=net.input_spec)
    masks = np.zeros((1, len(layout.actions)), np.uint8)
    masks[0, layout.actions.index("dance")] = 1
    observations = np.ones((1, layout.size + 8 * net.history), np.uint8)
    assert choose_actions(later, observations, masks) == layout.actions.index("dance")
    masks[0, layout.actions.index("pass")] = 1
    assert choose_actions(later, observations, masks) == layout.actions.index("pass")


def test_names_stand_where_the_observation_is_documented(net):
    """A few places looked up by hand, on a real table."""
    game = Game.new(GameConfig(num_players=6), 1)
    columns, row = current_layout().columns, game.observe(0)
    assert row[columns["players/6"]] == 1
    assert row[columns["question/" + game.question]] == (game.asking == 0)
    assert [row[columns[f"life/{seat}"]] for seat in range(6)] == [game.seat(seat).life for seat in range(6)]
    assert row[columns[f"role/0/{game.seat(0).role}"]] == 1


def test_a_text_of_a_role_is_read_under_the_name_of_that_role():
    layout, input_spec = current_layout(), input_spec_of(GameConfig(expansion="lunatic_extra"))
    names = layout.ids[input_spec.named["source/role"]]
    for number in {int(role) for role in compile_cards().tables[0]["text"][:, T_ROLE] if role}:
        assert names[number] == ROLE_IDS[number - 1]
