"""Checkpoints: the same net comes back, or the file is refused with a sentence; nothing in it is executed."""

import hashlib
import json
import os
import pickle
import struct

import numpy as np
import pytest
import safetensors.torch
import torch

from danmaku_env.game import rules_fingerprint
from danmaku_env.nets import checkpoints
from danmaku_env.nets.checkpoints import CheckpointError, load_checkpoint, load_net, load_player, save_checkpoint
from danmaku_env.nets.input_spec import base_game
from danmaku_env.nets.network import Ensemble, Net


@pytest.fixture
def net():
    torch.manual_seed(3)
    return Net(16)


@pytest.fixture
def saved(net, tmp_path):
    path = tmp_path / checkpoints.CHECKPOINT
    save_checkpoint(path, net, {"more": torch.arange(5)}, {"note": "hello"})
    return path


def test_a_checkpoint_gives_back_the_same_net(net, saved):
    again, tensors, about = load_checkpoint(saved)
    assert about["note"] == "hello"
    assert tensors.keys() == {"more"}
    torch.testing.assert_close(tensors["more"], torch.arange(5))
    for name, tensor in net.state_dict().items():
        assert torch.equal(again.state_dict()[name], tensor), name
    assert torch.equal(load_net(saved.parent).pool.weight, net.pool.weight)


def test_networks_that_play_together_are_one_file(saved):
    nets = [Net(16, 3) for _ in range(3)]
    save_checkpoint(saved, Ensemble(nets), {"more": torch.arange(5)}, {})
    played = load_player(saved)
    assert isinstance(played, Ensemble)
    assert [torch.equal(there.pool.weight, net.pool.weight) for there, net in zip(played.nets, nets, strict=True)] == [True] * 3
    assert torch.equal(load_net(saved).pool.weight, nets[0].pool.weight), "what learns on is the first"
    assert load_checkpoint(saved)[1]["more"].tolist() == [0, 1, 2, 3, 4]
    tensors, about = parts(saved)
    for changes, without, reason in (
        ({"peers": -1}, "", "-1 more nets play with it"),
        ({"peers": 1 << 40}, "", "1099511627776 more nets play with it"),
        ({"peers": "two"}, "", "'two' more nets play with it"),
        ({"peers": 3}, "", "holds no peer2.* that fits: nothing"),
        ({}, "peer1.pool.weight", "holds no peer1.pool.weight that fits: nothing"),
    ):
        saved.write_bytes(signed({name: tensor for name, tensor in tensors.items() if name != without}, about | changes))
        with pytest.raises(CheckpointError, match=reason):
            load_player(saved)


def test_the_same_checkpoint_is_the_same_bytes(net, saved):
    before = saved.read_bytes()
    save_checkpoint(saved, net, {"more": torch.arange(5)}, load_checkpoint(saved)[2])
    assert saved.read_bytes() == before
    assert safetensors.torch.load_file(saved).keys() > {"more"}, "any reader of safetensors reads it"


def test_a_checkpoint_is_never_half_written(net, saved, monkeypatch):
    before = saved.read_bytes()
    monkeypatch.setattr("os.replace", lambda *_: (_ for _ in ()).throw(OSError("killed")))
    with pytest.raises(OSError, match="killed"):
        save_checkpoint(saved, net, {}, {})
    assert saved.read_bytes() == before
    assert list(saved.parent.iterdir()) == [saved]


def test_every_truncation_is_refused(saved):
    blob = saved.read_bytes()
    for size in [0, 1, 7, 8, 9, 100, 1000, len(blob) // 2, len(blob) - 1]:
        saved.write_bytes(blob[:size])
        with pytest.raises(CheckpointError, match=r"no checkpoint, or only a part of one|was changed or damaged"):
            load_checkpoint(saved)


def test_every_flipped_bit_is_refused(saved):
    blob = saved.read_bytes()
    header = 8 + struct.unpack_from("<Q", blob)[0]
    rng = np.random.default_rng(1)
    for place in [*range(64), *range(64, header, 11), *rng.integers(header, len(blob), 100)]:
        flipped = bytearray(blob)
        flipped[place] ^= 1 << int(rng.integers(8))
        saved.write_bytes(flipped)
        with pytest.raises(CheckpointError):
            load_checkpoint(saved)


def test_foreign_files_are_refused_and_never_executed(saved):
    saved.write_bytes(pickle.dumps({"net": [1, 2, 3]}))
    with pytest.raises(CheckpointError, match="no checkpoint"):
        load_checkpoint(saved)
    saved.write_bytes(safetensors.torch.save({"weight": torch.zeros(3)}))
    with pytest.raises(CheckpointError, match="of another program"):
        load_checkpoint(saved)
    for place in (saved.parent / "nowhere", saved.parent, saved.parent / "a\0b"):
        with pytest.raises(CheckpointError, match="there is no checkpoint to read at"):
            load_checkpoint(place)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes with names")
def test_what_is_no_file_or_has_hardly_an_end_is_not_read(saved):
    os.mkfifo(pipe := saved.parent / "pipe")
    (circle := saved.parent / "circle").symlink_to("circle")
    for place, reason in (("/dev/zero", "it is no file"), (pipe, "it is no file"), (circle, "Too many levels of symbolic links")):
        with pytest.raises(CheckpointError, match=f"there is no checkpoint to read at {place}: {reason}"):
            load_net(place)
    for beginning in (b"", struct.pack("<Q", 1 << 62), struct.pack("<Q", 1 << 62) + b"{"):
        saved.write_bytes(beginning)
        os.truncate(saved, 1 << 42)
        with pytest.raises(CheckpointError, match="no checkpoint, or only a part of one"):
            load_net(saved)


def signed(tensors, about):
    """A checkpoint with a checksum that matches: what somebody could write who means harm."""
    unknown = "0" * 64
    blob = safetensors.torch.save(tensors, {"danmaku": json.dumps({"checksum": unknown, **about})})
    return blob.replace(unknown.encode(), hashlib.sha256(blob).hexdigest().encode(), 1)


def parts(path):
    blob = path.read_bytes()
    about = json.loads(json.loads(blob[8 : 8 + struct.unpack_from("<Q", blob)[0]])["__metadata__"]["danmaku"])
    return safetensors.torch.load(blob), {name: value for name, value in about.items() if name != "checksum"}


def test_a_file_that_is_signed_as_it_should_be_is_read(saved):
    saved.write_bytes(signed(*parts(saved)))
    load_checkpoint(saved)


def test_a_net_says_under_which_rules_it_was_trained_and_plays_under_others(net, saved):
    assert load_checkpoint(saved)[2]["rules"] == rules_fingerprint()
    tensors, about = parts(saved)
    for rules in ("9b992b469dd8", None):
        saved.write_bytes(signed(tensors, {name: value for name, value in {**about, "rules": rules}.items() if value is not None}))
        assert load_net(saved).rules == load_player(saved).rules == rules
        assert torch.equal(load_net(saved).pool.weight, net.pool.weight)
    save_checkpoint(saved, Ensemble([Net(16, 3), Net(16, 3)]), {}, {})
    assert load_player(saved).rules == rules_fingerprint()


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"rules": 5}, 'describes no network that there can be: "rules" must be the fingerprint'),
        ({"danmaku_checkpoint": 1}, "version 1; this program reads version 3"),
        ({"danmaku_checkpoint": [99]}, r"version \[99\]"),
        ({"checksum": None}, "checksum does not match"),
        ({"checksum": ""}, "checksum does not match"),
        ({"checksum": "\ud800"}, "checksum does not match"),
        ({"width": 32}, "does not hold the network"),
        ({"width": "wide"}, "describes no network"),
        ({"width": 10**12}, "describes no network"),
        ({"width": 2**12}, "does not hold the network"),
        ({"width": -1}, "describes no network"),
        ({"width": True}, "describes no network"),
        ({"width": 16.0}, "describes no network"),
        ({"history": None}, "describes no network"),
        ({"history": 10**9}, "describes no network"),
        ({"history": 8}, "holds no net"),
        ({"prior_policy": "a friend"}, "describes no network"),
        ({"prior_policy": {}}, "describes no network"),
        ({"prior_policy": "inverse_planning"}, "holds no net.trust"),
        ({"reading": None}, "reads and answers is not said"),
        ({"reading": {}}, "reads and answers is not said"),
    ],
)
def test_odd_headers_are_refused(saved, changes, reason):
    tensors, about = parts(saved)
    saved.write_bytes(signed(tensors, about | changes))
    with pytest.raises(CheckpointError, match=reason):
        load_checkpoint(saved)


def test_a_file_that_names_no_prior_policy_has_that_by_the_likelihood(tmp_path):
    """When those were written that say no more than that they are advised, there was no other prior policy."""
    save_checkpoint(path := tmp_path / "net.safetensors", Net(8, prior_policy="likelihood"), {}, {})
    tensors, about = parts(path)
    del about["prior_policy"]
    path.write_bytes(signed(tensors, about | {"advised": True}))
    assert load_checkpoint(path)[0].prior_policy == "likelihood"


LONG = '{"danmaku_checkpoint": ' + "9" * 5000 + "}"


@pytest.mark.parametrize("about", ["[]", "null", "7", '"danmaku_checkpoint"', "[" * 50_000, LONG, "{"])
def test_headers_that_are_no_table_are_refused(saved, about):
    saved.write_bytes(safetensors.torch.save({"weight": torch.zeros(3)}, {"danmaku": about}))
    with pytest.raises(CheckpointError, match="of another program"):
        load_checkpoint(saved)


@pytest.mark.parametrize("header", [b"[" * 50_000, b"{}", b"null", b"9" * 5000, b'{"__metadata__": 3}', b"\xff"])
def test_headers_that_are_no_safetensors_are_refused(saved, header):
    saved.write_bytes(struct.pack("<Q", len(header)) + header)
    with pytest.raises(CheckpointError, match=r"no checkpoint|of another program"):
        load_checkpoint(saved)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda net: net.pop("net.value.bias"), "holds no net.value.bias that fits: nothing"),
        (lambda net: net.update({"net.value.bias": torch.zeros(1, dtype=torch.float64)}), "holds no net.value.bias that fits"),
        (lambda net: net.update({"net.value.weight": torch.zeros(1, 33)}), "holds no net.value.weight that fits"),
        (lambda net: net["net.policy.weight"].fill_(torch.nan), "has become NaN or infinite"),
        (lambda net: net["net.pool.bias"].fill_(-torch.inf), "has become NaN or infinite"),
    ],
)
def test_networks_that_do_not_fit_are_refused(saved, change, reason):
    tensors, about = parts(saved)
    change(tensors)
    saved.write_bytes(signed(tensors, about))
    with pytest.raises(CheckpointError, match=reason):
        load_checkpoint(saved)


READING = base_game().to_dict()


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"seats": ["life"]}, "'life' stands where 1 seats should be named"),
        ({"seats": [*READING["seats"][1:], "charm/*"]}, "'charm/0' is not among what an observation shows; train anew"),
        ({"table": [*READING["table"], "hand/graze/monsoon"]}, "'hand/graze/monsoon' is not among"),
        ({"table": ["x" * 100_000]}, r"^.{,400} is not among what an observation shows; train anew"),
        ({"seats": ["x" * 100_000]}, r"^.{,400} stands where 1 seats should be named"),
        ({"seats": "life/*"}, "are no lists of names"),
        ({"seats": [[]]}, "are no lists of names"),
        ({"actions": []}, "are no lists of names"),
        ({"actions": READING["actions"][1:]}, "holds no net.policy"),
        ({"ids": {"kind": [""]}}, "nothing says what they name"),
        ({"ids": {**READING["ids"], "season": ["a"] * 300}}, "more than the 256 names"),
        ({"named": {}}, "nothing says what they name"),
        ({"roles": ["", "jester"]}, "describes no network"),
        ({"more": []}, "is not said"),
    ],
)
def test_a_network_that_reads_what_is_not_there_is_refused(saved, changes, reason):
    tensors, about = parts(saved)
    saved.write_bytes(signed(tensors, about | {"reading": about["reading"] | changes}))
    with pytest.raises(CheckpointError, match=reason):
        load_checkpoint(saved)
