"""The files of trained networks.

A checkpoint is one safetensors file. A line of JSON in its header says what it is, with the SHA-256 of the whole file: loading executes
nothing, and a file in which a single bit has changed is refused. What the network reads and answers is named there (input_spec.py), so a
file keeps working when observations and action spaces grow. The rules under which it was trained are named too. Under other rules a network
still plays, perhaps worse, so nothing is refused; `Net.rules` tells. A file is written to a temporary name and renamed, so no file is
ever half written.
"""

from __future__ import annotations

import copy
import functools
import hashlib
import json
import re
import struct
from pathlib import Path
from typing import Any, TypeVar

import safetensors
import safetensors.torch
import torch
from torch import Tensor

from danmaku_env.arguments import shown
from danmaku_env.beliefs.models import belief_name
from danmaku_env.danmaku import DANMAKU_SPEC
from danmaku_env.files import open_file
from danmaku_env.game import rules_fingerprint, rules_named, write_atomically
from danmaku_env.nets.input_spec import InputSpec, MissingError
from danmaku_env.nets.network import MOST_NETS, MOST_WIDE, AnyNet, Ensemble, NamedNet, Net, together
from danmaku_env.nets.prior_format import NO_PRIOR_POLICY, PRIOR_POLICIES
from danmaku_env.nets.selfplay_nets import remade

N = TypeVar("N", bound=NamedNet)
_SCHEMA = 3
"""Version of the format. The first one had no checksum, the second one's networks read columns by number; their files are refused."""
CHECKPOINT = "checkpoint.safetensors"
"""Name of the checkpoint in the folder of a run."""
LAYERS = "layers"
"""The kind of a file that holds the policy of a trainer of others (layered_policy.py)."""
_FIRST_PRIOR_POLICY = "likelihood"
"""The prior policy of nets whose files only say that they are advised: it was the only one then."""
_MOST_HEADER = 1 << 24
_MOST_BYTES = 1 << 33
"""Of a file that is read as a checkpoint, and of what stands before its numbers: more than any has."""
MOST_EVENTS = DANMAKU_SPEC.record["log"].shape[0]
"""Events that a record keeps."""
_CHECKSUM = re.compile(f"[0-9a-f]{{{hashlib.sha256().digest_size * 2}}}")
_UNKNOWN = "0" * hashlib.sha256().digest_size * 2
"""What stands in the place of the checksum while it is worked out."""


class CheckpointError(ValueError):
    """A file that is not a checkpoint of this program, or does not fit; the message says what is wrong."""


def save_checkpoint(path: Path, nets: AnyNet, tensors: dict[str, Tensor], about: dict[str, Any]) -> None:
    """Write a net, or several that play as one, more tensors and plain data into one file, atomically. Raises OSError."""
    net, *peers = nets.nets if isinstance(nets, Ensemble) else (nets,)
    head = {"history": net.history, "prior_policy": net.prior_policy, "reading": net.input_spec.to_dict()}
    head |= {"peers": len(peers)} if peers else {}
    head |= {"width": net.width} if isinstance(net, Net) else {"kind": net.kind, "made": net.made()}
    everything = {f"net.{name}": tensor for name, tensor in net.state_dict().items()} | tensors
    for number, peer in enumerate(peers):
        everything |= {f"peer{number}.{name}": tensor for name, tensor in peer.state_dict().items()}
    write_tensors(path, everything, {**about, **head})


def write_tensors(path: Path, tensors: dict[str, Tensor], about: dict[str, Any], rules: str | None = None) -> None:
    """Write tensors and plain data as a checkpoint of any kind, atomically, with these rules or those of today. Raises OSError."""
    head = {"danmaku_checkpoint": _SCHEMA, "checksum": _UNKNOWN, "rules": rules or rules_fingerprint()}
    whole = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    said = {**head, **about, **head}  # head stands first, as in every file so far, and wins over `about`
    blob = safetensors.torch.save(whole, {"danmaku": json.dumps(said)})
    write_atomically(path, blob.replace(_UNKNOWN.encode(), hashlib.sha256(blob).hexdigest().encode(), 1))


def load_checkpoint(path: Path) -> tuple[NamedNet, dict[str, Tensor], dict[str, Any]]:
    """The inverse of `save_checkpoint`; where several nets play as one, the first, and the others among the tensors (`peers_of`).

    Raises CheckpointError on any other file, and when it does not fit this version.
    """
    tensors, about = read_tensors(path)
    return _net(path, about, tensors), {name: tensor for name, tensor in tensors.items() if not name.startswith("net.")}, about


def read_tensors(path: Path) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """The inverse of `write_tensors`. Raises CheckpointError on any other file, and on one that was changed."""
    try:
        with open_file(path) as file:
            about = _about(path, file.read(_MOST_HEADER))  # so a large file of another kind is not read to its end
            file.seek(0)
            blob = file.read(_MOST_BYTES)
    except OSError as error:
        raise CheckpointError(f"there is no checkpoint to read at {path}: {error.strerror}") from None
    if about["danmaku_checkpoint"] != _SCHEMA:
        raise CheckpointError(
            f"{path} is a checkpoint of version {shown(about['danmaku_checkpoint'])}; this program reads version {_SCHEMA}"
        )
    written = str(about.get("checksum"))
    if not _CHECKSUM.fullmatch(written) or hashlib.sha256(blob.replace(written.encode(), _UNKNOWN.encode(), 1)).hexdigest() != written:
        raise CheckpointError(f"{path} was changed or damaged after it was written: its checksum does not match")
    try:
        tensors = safetensors.torch.load(blob)
    except (safetensors.SafetensorError, ValueError, KeyError) as error:
        raise CheckpointError(f"{path} is no checkpoint, or only a part of one: {error}") from None
    tensors = {name: tensor.float() if tensor.dtype == torch.float16 else tensor for name, tensor in tensors.items()}  # the population's
    return tensors, about


def _about(path: Path, blob: bytes) -> dict[str, Any]:
    """The plain data in the header."""
    try:
        header = json.loads(blob[8 : 8 + struct.unpack_from("<Q", blob)[0]])
    except (ValueError, struct.error, OverflowError, RecursionError) as error:
        raise CheckpointError(f"{path} is no checkpoint, or only a part of one: {error}") from None
    try:
        about = json.loads(header["__metadata__"]["danmaku"])
        about["danmaku_checkpoint"]
    except (KeyError, TypeError, ValueError, RecursionError):
        raise CheckpointError(f"{path} is a safetensors file of another program, not a checkpoint of danmaku-env") from None
    if not isinstance(about, dict):
        raise CheckpointError(f"{path} is a safetensors file of another program, not a checkpoint of danmaku-env")
    return about


def _net(path: Path, about: dict[str, Any], tensors: dict[str, Tensor]) -> NamedNet:
    """The network that a checkpoint describes, made only when the file holds one of that size."""
    history = about.get("history")
    if about.get("kind") == LAYERS:
        raise CheckpointError(f"{path} holds a policy of layers and no net of this project: it plays as policy:{path}")
    net = _of_kind(path, about, history, tensors) if "kind" in about else _of_tokens(path, about, history, tensors)
    _fill(path, net, "net.", tensors)
    net.rules = rules_of(path, about)
    return net


def _of_kind(path: Path, about: dict[str, Any], history: Any, tensors: dict[str, Tensor]) -> NamedNet:
    """The untrained network of a file that says of what kind it is, made only when the file holds one of that size."""
    if type(history) is not int or not 0 <= history <= MOST_EVENTS:
        raise CheckpointError(f"{path} describes no network that there can be: it reads {shown(history)} events")
    try:
        make = functools.partial(remade, about["kind"], about["made"], history, InputSpec.from_dict(about.get("reading")))
        with torch.device("meta"):
            like = make()  # sizes without numbers
        check_tensors(path, {f"net.{name}": tensor for name, tensor in like.state_dict().items()}, tensors)
        return make()
    except CheckpointError:
        raise
    except MissingError as error:
        raise CheckpointError(f"{path} was trained with another version of danmaku-env: {error}; train anew") from None
    except (ValueError, RuntimeError, TypeError, KeyError, AttributeError, OverflowError) as error:
        raise CheckpointError(f"{path} describes no network that there can be: {error}") from None


def _of_tokens(path: Path, about: dict[str, Any], history: Any, tensors: dict[str, Tensor]) -> Net:
    """The untrained `Net` of a file, made only when the file holds one of that size."""
    width = about.get("width")
    if type(width) is not int or not 1 <= width <= MOST_WIDE or type(history) is not int or not 0 <= history <= MOST_EVENTS:
        raise CheckpointError(
            f"{path} describes no network that there can be: a width of {shown(width)} that reads {shown(history)} events"
        )
    older = about.get("adviser", _FIRST_PRIOR_POLICY if about.get("advised") is True else NO_PRIOR_POLICY)
    prior_policy = about.get("prior_policy", older)
    prior_policy = belief_name(prior_policy) if isinstance(prior_policy, str) else prior_policy
    if prior_policy not in PRIOR_POLICIES:
        raise CheckpointError(f"{path} describes no network that there can be: its prior policy is {shown(prior_policy)}")
    wide = tensors.get("net.pool.weight")
    if wide is None or wide.shape != (width, width):
        raise CheckpointError(f"{path} does not hold the network it describes: its width is not {width}")
    try:
        return Net(width, history, prior_policy=prior_policy, input_spec=InputSpec.from_dict(about.get("reading")))
    except MissingError as error:
        raise CheckpointError(f"{path} was trained with another version of danmaku-env: {error}; train anew") from None
    except (ValueError, RuntimeError, TypeError) as error:
        raise CheckpointError(f"{path} describes no network that there can be: {error}") from None


def rules_of(path: Path, about: dict[str, Any]) -> str | None:
    """The rules under which a net was trained; None where the file is older than that. Raises CheckpointError."""
    try:
        return rules_named(about.get("rules"))
    except ValueError as error:
        raise CheckpointError(f"{path} describes no network that there can be: {error}") from None


def check_tensors(path: Path, expected: dict[str, Tensor], tensors: dict[str, Tensor]) -> None:
    """Raise CheckpointError unless there is a tensor like each of those expected, and all its numbers are numbers."""
    for name, like in expected.items():
        there = tensors.get(name)
        if there is None or there.shape != like.shape or there.dtype != like.dtype:
            found = "nothing" if there is None else f"{tuple(there.shape)} numbers of {there.dtype}"
            raise CheckpointError(f"{path} holds no {name} that fits: {found} instead of {tuple(like.shape)} numbers of {like.dtype}")
        if there.is_floating_point() and not there.isfinite().all():
            raise CheckpointError(f"{path} is of a network that has become NaN or infinite ({name}): nothing can be done with it")


def peers_of(path: Path, net: N, tensors: dict[str, Tensor], about: dict[str, Any]) -> list[N]:
    """The nets that play as one with the first, of which `load_checkpoint` returned the rest. Raises CheckpointError."""
    count = about.get("peers", 0)
    if type(count) is not int or not 0 <= count < MOST_NETS:
        raise CheckpointError(f"{path} describes no network that there can be: {shown(count)} more nets play with it")
    peers = []
    for number in range(count):
        peers.append(copy.deepcopy(net))
        _fill(path, peers[-1], f"peer{number}.", tensors)
    return peers


def _fill(path: Path, net: NamedNet, prefix: str, tensors: dict[str, Tensor]) -> None:
    """Give the net the weights whose names begin so. Raises CheckpointError where they do not fit."""
    names = net.state_dict()
    check_tensors(path, {prefix + name: tensor for name, tensor in names.items()}, tensors)
    net.load_state_dict({name: tensors[prefix + name] for name in names})


def checkpoint_file(path: str | Path) -> Path:
    """The file that is meant by it, or by the folder of its run."""
    return Path(path) / CHECKPOINT if Path(path).is_dir() else Path(path)


def load_net(path: str | Path, kind: type[N] = NamedNet) -> N:  # type: ignore[assignment]
    """The trained network of a checkpoint file, or of the folder of a run; of several, the first. Raises CheckpointError.

    Also where it is not of the `kind` that is asked for.
    """
    return of_kind(checkpoint_file(path), load_checkpoint(checkpoint_file(path))[0], kind).eval()


def of_kind(path: Path, net: NamedNet, kind: type[N]) -> N:
    """The network itself. Raises CheckpointError where it is not of that kind."""
    if not isinstance(net, kind):
        raise CheckpointError(f"{path} holds a network of the kind {net.kind}, where one of the kind {kind.kind} is needed")
    return net


def load_player(path: str | Path) -> AnyNet:
    """What such a file plays by: its network, or all that it holds, as one. Raises CheckpointError."""
    place = checkpoint_file(path)
    net, tensors, about = load_checkpoint(place)
    return together([net, *peers_of(place, net, tensors, about)]).eval()
