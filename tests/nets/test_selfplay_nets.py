"""The nets of self-play: what they answer, what they do not look at, and the files they are kept in."""

import numpy as np
import pytest
import torch

from danmaku_env import GameConfig, make_vec
from danmaku_env.agents.registry import make
from danmaku_env.engine.actions import NUM_ACTIONS, SEAT_BASE
from danmaku_env.engine.observation import OBSERVATION_SIZE, OFFSETS
from danmaku_env.machine.records import SEED_BITS
from danmaku_env.nets import network
from danmaku_env.nets.checkpoints import CheckpointError, load_checkpoint, load_net, save_checkpoint
from danmaku_env.nets.input_spec import InputSpec, ablated, base_game, current_layout, input_spec_of
from danmaku_env.nets.network import choose_actions
from danmaku_env.nets.selfplay_nets import MLPNet, SeatsNet, live_bytes, role_blind
from danmaku_env.training.role_labels import NO_ROLE, belief_loss, true_roles
from tests.nets.test_checkpoints import parts, signed
from tests.nets.test_nets import grown, moved, questions, said


def rows_of(history=0, players=(4, 6, 8), **config):
    """Observations of random play at tables of several sizes."""
    for count in players:
        vec = questions(count, 32, 0, history=history, **config)
        for _ in range(60):
            vec.step(vec.sample())
            yield vec.observations


def seats_net(history=0, input_spec=None):
    return SeatsNet(16, 24, 2, history, input_spec=input_spec)


def mlp_net(history=0, input_spec=None):
    input_spec = input_spec or base_game()
    return MLPNet(live_bytes(input_spec, rows_of(history), history), (24, 20), history, input_spec=input_spec)


KINDS = {"seats": seats_net, "mlp": mlp_net}


def opinionated(net):
    """A net whose answers depend on what it sees."""
    for layer in (net.policy, net.value, net.belief, net.query if net.kind == "seats" else net.seats):
        torch.nn.init.orthogonal_(layer.weight, 2.0)
    return net.eval()


@pytest.fixture(params=[("seats", 0), ("seats", 8), ("mlp", 0), ("mlp", 8)], ids=str)
def net(request):
    torch.manual_seed(3)
    kind, history = request.param
    return opinionated(KINDS[kind](history))


# ---------------------------------------------------------------- answers


STILL = [(6 + place * 0x3C6EF372FE94F82B) % (1 << SEED_BITS) for place in range(16)]
"""Seeds of games in which no single position is one where more exchanges change much at once; a few elsewhere are."""


@pytest.mark.parametrize("history", [0, 8])
def test_a_net_with_more_exchanges_answers_almost_as_before_and_learns_from_them(history):
    torch.manual_seed(3)
    shallow = opinionated(SeatsNet(16, 24, 1, history))
    deep, vec = shallow.deeper(3), make_vec(len(STILL), GameConfig(num_players=6, history=history))
    vec.start(range(len(STILL)), STILL)
    for _ in range(150):
        vec.step(vec.sample())
    before, after = (said(net, vec.observations, vec.action_masks) for net in (shallow, deep))
    legal = torch.from_numpy(vec.action_masks) != 0
    probabilities = before.logprobs.exp()
    other = torch.where(legal, probabilities * (before.logprobs - after.logprobs), 0.0).sum(1)
    assert 0 < other.max() < 0.05, "in nats"
    loss = deep(torch.from_numpy(deep.inputs(vec.observations)), torch.from_numpy(vec.action_masks)).roles[:, :6].square().mean()
    loss.backward()
    assert all(heard.weight.grad.abs().max() > 0 for heard in deep.heard)


@pytest.mark.parametrize("players", [4, 6, 8])
def test_only_legal_answers_have_a_probability(net, players):
    vec = questions(players, history=net.history)
    found = said(net, vec.observations, vec.action_masks)
    legal = torch.from_numpy(vec.action_masks) != 0
    assert (found.logprobs[~legal] == -torch.inf).all()
    assert found.logprobs[legal].isfinite().all()
    torch.testing.assert_close(found.logprobs.exp().sum(1), torch.ones(len(legal)))
    assert found.values.isfinite().all()
    for rng in (None, torch.Generator().manual_seed(1)):
        actions = choose_actions(net, vec.observations, vec.action_masks, rng)
        assert vec.action_masks[np.arange(len(actions)), actions].all()


def test_a_fresh_net_plays_almost_at_random(net):
    """So that what is learned first is not what chance made of the weights."""
    torch.manual_seed(5)
    fresh, vec = KINDS[net.kind](net.history).eval(), questions(6, 64, history=net.history)
    logprobs = said(fresh, vec.observations, vec.action_masks).logprobs
    entropy = -(logprobs.exp() * logprobs.clamp(min=-1e9)).sum(1)
    highest = torch.from_numpy(vec.action_masks).sum(1).log()
    assert entropy.sum() / highest.sum() > 0.85


@pytest.mark.parametrize("players", [4, 5, 6, 7])
def test_a_table_is_the_same_beside_a_larger_one(net, players):
    """How many seats are worked out depends on the largest table of the batch, what is said does not."""
    few, eight = (questions(count, history=net.history) for count in (players, 8))
    alone = said(net, few.observations, few.action_masks)
    together = said(net, np.concatenate([few.observations, eight.observations]), np.concatenate([few.action_masks, eight.action_masks]))
    for one, both in zip(alone, together, strict=True):
        torch.testing.assert_close(both[:16], one, atol=1e-5, rtol=1e-4)
    assert (alone.roles[:, players:] == 0).all(), "nothing is believed of absent seats"


def look_alikes():
    """Two tables of six that differ in which of two seats that look alike has one life left."""
    observations = np.zeros((2, OBSERVATION_SIZE), np.uint8)
    observations[:, OFFSETS["players"] + 2] = 1
    observations[:, OFFSETS["active"] : OFFSETS["active"] + 6] = 1
    observations[:, OFFSETS["life"] : OFFSETS["life"] + 6] = 4
    observations[0, OFFSETS["life"] + 2] = observations[1, OFFSETS["life"] + 4] = 1
    masks = np.zeros((2, NUM_ACTIONS), np.uint8)
    masks[:, [SEAT_BASE + 2, SEAT_BASE + 4]] = 1
    return observations, masks


def test_seats_that_look_alike_are_answered_alike():
    """The tokens all go through the same weights: exchange two of them, and their scores and beliefs are exchanged."""
    torch.manual_seed(3)
    net, (observations, masks) = opinionated(seats_net()), look_alikes()
    found = said(net, observations, masks)
    first, second = SEAT_BASE + 2, SEAT_BASE + 4
    assert found.logprobs[0, first] == pytest.approx(found.logprobs[1, second].item(), abs=1e-4)
    assert found.logprobs[0, first] != pytest.approx(found.logprobs[0, second].item(), abs=1e-3)
    torch.testing.assert_close(found.roles[0, 2], found.roles[1, 4], atol=1e-4, rtol=1e-3)
    assert found.values[0] == pytest.approx(found.values[1].item(), abs=1e-4)


def test_who_attacked_whom_is_told_from_who_was_attacked():
    torch.manual_seed(3)
    net, observations = opinionated(seats_net()), np.zeros((3, OBSERVATION_SIZE), np.uint8)
    observations[:, OFFSETS["players"] + 2] = 1
    attacks = observations[:, OFFSETS["attacks"] : OFFSETS["attacks"] + 64].reshape(3, 8, 8)
    attacks[1, 1, 2] = attacks[2, 2, 1] = 3
    observations[:, OFFSETS["attacks"] : OFFSETS["attacks"] + 64] = attacks.reshape(3, 64)
    roles = said(net, observations, np.ones((3, NUM_ACTIONS), np.uint8)).roles
    for other in (0, 1):
        assert (roles[2, 1] - roles[other, 1]).abs().max() > 1e-3


@pytest.mark.parametrize("kind", KINDS)
def test_events_are_read_where_they_are_asked_for(kind):
    torch.manual_seed(1)
    net, vec = opinionated(KINDS[kind](8)), questions(6, history=8)
    blind = vec.observations.copy()
    blind[:, OBSERVATION_SIZE:] = 0
    assert (said(net, vec.observations, vec.action_masks).values - said(net, blind, vec.action_masks).values).abs().max() > 1e-3
    with pytest.raises(ValueError, match=r"reads the last 8 events: observations must end with them"):
        net.inputs(vec.observations[:, :OBSERVATION_SIZE])


def test_the_belief_learns_the_roles_from_what_is_seen(net):
    vec = questions(6, rows=64, history=net.history)
    given = torch.from_numpy(net.inputs(vec.observations)), torch.from_numpy(vec.action_masks)
    truth = torch.from_numpy(true_roles(net, vec.games, vec.seats))
    assert (truth[:, 6:] == NO_ROLE).all()
    adam, losses = torch.optim.Adam(net.parameters(), 1e-2), []
    for _ in range(40):
        roles = net(*given).roles
        losses.append(belief_loss(roles, truth))
        adam.zero_grad()
        losses[-1].backward()
        adam.step()
    assert losses[-1] < losses[0] / 2
    torch.testing.assert_close(roles[:, :6].exp().sum(2), torch.ones(64, 6))


# ---------------------------------------------------------------- an ablation


@pytest.mark.parametrize("kind", KINDS)
def test_a_net_that_is_blind_to_roles_does_not_change_with_them(kind):
    torch.manual_seed(3)
    seeing, blind = (opinionated(KINDS[kind](0, input_spec)) for input_spec in (base_game(), role_blind(base_game())))
    vec = questions(6)
    other, first = vec.observations.copy(), OFFSETS["role"]
    other[:, first : first + 152] = np.roll(other[:, first : first + 152].reshape(16, 8, 19), 1, 2).reshape(16, 152)
    for net, same in ((seeing, False), (blind, True)):
        before, after = (said(net, rows, vec.action_masks) for rows in (vec.observations, other))
        assert torch.equal(before.logprobs, after.logprobs) == same
        assert torch.equal(before.values, after.values) == same
    assert blind.input_spec.roles == seeing.input_spec.roles, "it is asked who is who all the same"


@pytest.mark.parametrize(("cut", "field", "size"), [("own_role", "role", 19), ("memory", "attacks", 128)])
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_cut_reads_nothing(kind, cut, field, size):
    torch.manual_seed(3)
    whole, told_less = (opinionated(KINDS[kind](0, input_spec)) for input_spec in (base_game(), ablated(base_game(), cut)))
    vec, first = questions(6), OFFSETS[field]
    for net, at, same in (
        (whole, first, False),
        (told_less, first, True),
        (told_less, OFFSETS["life"] if size > 19 else first + 19, False),
    ):
        other = vec.observations.copy()
        other[:, at : at + min(size, 19)] = 1 - (other[:, at : at + min(size, 19)] > 0)
        before, after = (said(net, rows, vec.action_masks) for rows in (vec.observations, other))
        assert torch.equal(before.logprobs, after.logprobs) == same
    assert InputSpec.from_dict(told_less.input_spec.to_dict()) == told_less.input_spec


# ---------------------------------------------------------------- what an mlp looks at


def test_an_mlp_reads_what_ever_changes_and_no_more():
    rows = list(rows_of())
    live = live_bytes(base_game(), rows)
    net = MLPNet(live, (8,), input_spec=base_game())
    taken = np.concatenate([net.taken.take(some) for some in rows])
    changing = np.flatnonzero(taken.max(0) > taken.min(0))
    assert sorted(live) == changing.tolist()
    assert [live[place] for place in changing] == taken.max(0)[changing].tolist()
    assert 100 < len(live) < net.taken.width
    assert len(net.amounts) + len(net.ids) == len(live)


def test_an_mlp_with_one_layer_and_bytes_beyond_its_highest():
    torch.manual_seed(1)
    net, vec = opinionated(MLPNet(live_bytes(base_game(), rows_of()), (8,))), questions(8)
    observations = np.full_like(vec.observations, 255)
    ids = [name for name in current_layout().columns if name in net.input_spec.named]
    observations[:, [current_layout().columns[name] for name in ids]] = 0
    for place in net.input_spec.seat_ids:
        observations[:, [current_layout().columns[place.replace("*", seat)] for seat in "01234567"]] = 0
    assert said(net, observations, vec.action_masks).values.isfinite().all()


@pytest.mark.parametrize("live", [{}, {-1: 3}, {10**6: 3}])
def test_live_bytes_that_are_not_read_are_refused(live):
    with pytest.raises(ValueError, match="live bytes must be some of the"):
        MLPNet(live)


# ---------------------------------------------------------------- files


def test_a_checkpoint_gives_back_the_same_net(net, tmp_path):
    save_checkpoint(tmp_path / "checkpoint.safetensors", net, {"more": torch.arange(3)}, {"note": "hello"})
    again, tensors, about = load_checkpoint(tmp_path / "checkpoint.safetensors")
    assert (again.kind, again.history, again.made()) == (net.kind, net.history, net.made())
    assert (tensors.keys(), about["note"]) == ({"more"}, "hello")
    vec = questions(5, history=net.history)
    for one, other in zip(said(net, *seen(vec)), said(again.eval(), *seen(vec)), strict=True):
        assert torch.equal(one, other)
    assert load_net(tmp_path).history == net.history
    agent = make(f"neural:{tmp_path}", 0)
    answers = agent.act(vec.observations, vec.action_masks)
    assert (answers == choose_actions(net, *seen(vec))).all()


def seen(vec):
    return vec.observations, vec.action_masks


def test_a_net_of_both_boxes_is_kept_too(tmp_path):
    net = SeatsNet(8, 8, input_spec=input_spec_of(GameConfig(expansion="lunatic_extra")))
    save_checkpoint(tmp_path / "net.safetensors", net, {}, {})
    assert load_net(tmp_path / "net.safetensors").input_spec == net.input_spec


@pytest.mark.parametrize(
    ("kind", "changes", "reason"),
    [
        ("seats", {"kind": "cnn"}, "there is no network of the kind 'cnn' like that"),
        ("seats", {"kind": 5}, "there is no network of the kind 5 like that"),
        ("seats", {"kind": ["seats"]}, "describes no network that there can be"),
        ("seats", {"made": None}, "describes no network that there can be"),
        ("seats", {"made": {}}, "there is no network of the kind 'seats' like that"),
        ("seats", {"made": {"width": 16, "wide": 24, "exchanges": 2, "depth": 3}}, "there is no network of the kind 'seats' like that"),
        ("seats", {"made": {"width": 0, "wide": 24, "exchanges": 2}}, "there is no network of the kind 'seats' like that"),
        ("seats", {"made": {"width": "16", "wide": 24, "exchanges": 2}}, "there is no network of the kind 'seats' like that"),
        ("seats", {"made": {"width": True, "wide": 24, "exchanges": 2}}, "there is no network of the kind 'seats' like that"),
        ("seats", {"made": {"width": 10**12, "wide": 24, "exchanges": 2}}, "there is no network of the kind 'seats' like that"),
        ("seats", {"made": {"width": 4096, "wide": 4096, "exchanges": 4096}}, "describes no network|holds no net|does not hold"),
        ("seats", {"made": {"width": 32, "wide": 24, "exchanges": 2}}, "holds no net"),
        ("seats", {"made": {"width": 16, "wide": 24, "exchanges": 1}}, "of another shape|holds no net"),
        ("seats", {"history": 8}, "holds no net"),
        ("seats", {"history": -1}, "it reads -1 events"),
        ("seats", {"history": 10**9}, "it reads 1000000000 events"),
        ("seats", {"reading": None}, "reads and answers is not said|describes no network"),
        ("mlp", {"made": {"live": {}, "hidden": [24, 20]}}, "live bytes must be some of"),
        ("mlp", {"made": {"live": {"a": 1}, "hidden": [24, 20]}}, "describes no network that there can be"),
        ("mlp", {"made": {"live": {"3": -1}, "hidden": [24, 20]}}, "describes no network|holds no net"),
        ("mlp", {"made": {"live": {"3": 10**400}, "hidden": [24, 20]}}, "describes no network"),
        ("mlp", {"made": {"live": {"999999": 1}, "hidden": [24, 20]}}, "live bytes must be some of"),
        ("mlp", {"made": {"live": {"3": 1}, "hidden": []}}, "there is no network of the kind 'mlp' like that"),
        ("mlp", {"made": {"live": {"3": 1}, "hidden": 24}}, "describes no network that there can be"),
        ("mlp", {"made": {"live": {"3": 1}, "hidden": [24, 20]}}, "holds no net"),
        ("mlp", {"made": {"live": [3], "hidden": [24, 20]}}, "describes no network that there can be"),
        ("mlp", {"made": {"live": {"3": 1}, "hidden": [10**12]}}, "there is no network of the kind 'mlp' like that"),
        ("mlp", {"made": {"live": {"3": 1}, "hidden": [16384] * 400}}, "describes no network|holds no net"),
    ],
)  # fmt: skip
def test_altered_headers_are_refused_in_a_sentence(tmp_path, kind, changes, reason):
    torch.manual_seed(1)
    save_checkpoint(path := tmp_path / "net.safetensors", KINDS[kind](), {}, {})
    tensors, about = parts(path)
    path.write_bytes(signed(tensors, about | changes))
    with pytest.raises(CheckpointError, match=reason) as refused:
        load_checkpoint(path)
    assert "\n" not in str(refused.value)
    assert str(path) in str(refused.value)


# ---------------------------------------------------------------- layouts that grow


def test_a_net_goes_on_in_a_layout_that_has_grown(net, monkeypatch):
    """As with an expansion: more pieces, kinds, characters, roles, events and actions, and nothing where it was."""
    layout = grown(np.random.default_rng(7))
    vec = questions(6, history=net.history)
    before = said(net, *seen(vec))
    monkeypatch.setattr(network, "current_layout", lambda: layout)
    input_spec = InputSpec.from_dict(net.input_spec.to_dict())
    later = type(net)(**net.made(), history=net.history, input_spec=input_spec) if net.kind == "seats" else None
    later = later or MLPNet(net.live, net.hidden, net.history, input_spec=input_spec)
    later.load_state_dict(net.state_dict())
    after = said(later.eval(), *moved(vec, net, layout))
    of = [layout.actions.index(name) for name in current_layout().actions]
    torch.testing.assert_close(after.logprobs[:, of], before.logprobs)
    torch.testing.assert_close(after.values, before.values)
    torch.testing.assert_close(after.roles, before.roles)


def test_what_a_net_never_met_is_its_last_choice(monkeypatch):
    layout = grown(np.random.default_rng(7))
    monkeypatch.setattr(network, "current_layout", lambda: layout)
    later, masks = seats_net(input_spec=base_game()), np.zeros((1, len(layout.actions)), np.uint8)
    masks[0, layout.actions.index("dance")] = 1
    observations = np.ones((1, layout.size), np.uint8)
    assert choose_actions(later, observations, masks) == layout.actions.index("dance")
    masks[0, layout.actions.index("pass")] = 1
    assert choose_actions(later, observations, masks) == layout.actions.index("pass")


def test_one_net_plays_at_tables_of_every_size(net):
    """From four seats to eight, a whole game each."""
    for players in (4, 5, 6, 7, 8):
        vec = make_vec(4, GameConfig(num_players=players, history=net.history))
        vec.reset(players)
        ended = 0
        for _ in range(60):
            vec.step(choose_actions(net, vec.observations, vec.action_masks, torch.Generator().manual_seed(1)))
            ended += vec.dones.sum()
        assert (vec.seats < players).all()
