"""Policies that trainers of other libraries have learned, as files: linear layers, ReLU and tanh, from the row to a logit for each action.

The file is a checkpoint like those of checkpoints.py: tensors, and a line of JSON with the order in which they are used, so loading
executes nothing. The row is read column by column, not by names, so a file fits one layout of observations and actions, which it names.

```python
save_policy("runs/mine.safetensors", actor)  # an nn.Sequential over rows of float bytes; then `policy:runs/mine.safetensors` plays
```
"""

from __future__ import annotations

import functools
import hashlib
import itertools
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from danmaku_env.arguments import shown
from danmaku_env.danmaku import DANMAKU_SPEC
from danmaku_env.machine.records import Array
from danmaku_env.nets.checkpoints import LAYERS, MOST_EVENTS, CheckpointError, check_tensors, checkpoint_file, read_tensors, write_tensors
from danmaku_env.nets.input_spec import current_layout

_ACTIVATIONS = {"relu": nn.ReLU, "tanh": nn.Tanh}
"""What may stand between linear layers, by the name that files have for it."""
_MOST_LAYERS = 64
_EVENT = len(DANMAKU_SPEC.history_columns)
"""Bytes of an event behind the row."""


class LayeredPolicy(nn.Module):
    """A policy as layers over rows; see the module docstring."""

    scale: float
    """What each byte is multiplied by before the first layer."""

    def __init__(self, layers: Sequence[nn.Module], scale: float = 1.0) -> None:
        """Raises ValueError where they do not lead from a row to the actions."""
        super().__init__()
        self.layers, self.scale = nn.Sequential(*layers), scale
        sizes = [(layer.in_features, layer.out_features) for layer in layers if isinstance(layer, nn.Linear)]
        if not sizes or any(before[1] != after[0] for before, after in itertools.pairwise(sizes)):
            raise ValueError("its layers do not follow one another")
        self.history, left = divmod(sizes[0][0] - DANMAKU_SPEC.row_size, _EVENT)
        """Events behind the row that it reads."""
        if left or not 0 <= self.history <= MOST_EVENTS:
            raise ValueError(f"it reads {sizes[0][0]} bytes, and a row has {DANMAKU_SPEC.row_size}, and {_EVENT} more for each event")
        if sizes[-1][1] != DANMAKU_SPEC.num_actions:
            raise ValueError(f"it ends in {sizes[-1][1]} numbers, and there are {DANMAKU_SPEC.num_actions} actions")

    def forward(self, rows: Tensor, masks: Tensor) -> Tensor:
        """[B, n] bytes and [B, N] masks -> [B, N] log-probabilities, -inf where an answer is illegal."""
        logits: Tensor = self.layers(rows.float() * self.scale)
        return logits.masked_fill(masks == 0, -torch.inf).log_softmax(1)


def save_policy(
    path: str | Path, layers: Iterable[nn.Module] | Mapping[str, nn.Module], *, scale: float = 1.0,
    tensors: Mapping[str, Tensor] | None = None, about: Mapping[str, Any] | None = None,
) -> None:  # fmt: skip
    """Write a policy, in the order in which its layers are used; with names, they are those of its tensors.

    `scale` is what it multiplies the bytes of a row by; `tensors` and `about` are kept beside it. Raises ValueError for layers other
    than Linear, ReLU, Tanh and Flatten, and where they do not lead from a row to the actions; OSError.
    """
    named = dict(layers) if isinstance(layers, Mapping) else {str(number): layer for number, layer in enumerate(layers)}
    named = {name: layer for name, layer in named.items() if not isinstance(layer, nn.Flatten | nn.Identity)}
    words = [_word(name, layer) for name, layer in named.items()]
    policy = LayeredPolicy(list(named.values()), scale)
    kept = dict(tensors or {})
    for name, layer in named.items():
        kept |= {f"{name}.{part}": tensor for part, tensor in layer.state_dict().items()}
    told = {**(about or {}), "kind": LAYERS, "layers": words, "scale": scale, "history": policy.history, "layout": layout_digest()}
    write_tensors(Path(path), kept, told)


def _word(name: str, layer: nn.Module) -> str:
    """What the file says of a layer: an activation, or the name of the tensors of a linear one. Raises ValueError."""
    for word, kind in _ACTIVATIONS.items():
        if isinstance(layer, kind):
            return word
    if not isinstance(layer, nn.Linear) or layer.bias is None:
        raise ValueError(f"the layers of a policy are Linear (with bias), ReLU, Tanh and Flatten, not {type(layer).__name__}")
    return f"{name}."


def load_policy(path: str | Path) -> LayeredPolicy:
    """The policy of a file, or of the folder of a run. Raises CheckpointError."""
    place = checkpoint_file(path)
    tensors, about = read_tensors(place)
    if about.get("kind") != LAYERS:
        raise CheckpointError(f"{place} holds a net of this project and no policy of layers: it plays as neural:{place}")
    if about.get("layout") != layout_digest():
        raise CheckpointError(f"{place} was trained with other observations or actions than those of this version: train anew")
    try:
        policy = LayeredPolicy(list(_layers_of(place, about["layers"], tensors)), float(about["scale"]))
    except (KeyError, TypeError, ValueError, AttributeError, RuntimeError) as error:
        raise CheckpointError(f"{place} describes no policy that there can be: {error}") from None
    return policy.eval()


def _layers_of(path: Path, words: Any, tensors: Mapping[str, Tensor]) -> Iterable[nn.Module]:
    """The layers that a file describes, with their weights. Raises CheckpointError or ValueError."""
    if not isinstance(words, list) or not 1 <= len(words) <= _MOST_LAYERS:
        raise ValueError(f"its layers are {shown(words)}")
    for word in words:
        if word in _ACTIVATIONS:
            yield _ACTIVATIONS[word]()
            continue
        weight = tensors.get(f"{word}weight")
        if weight is None or weight.ndim != 2:
            raise ValueError(f"there is no layer {shown(word)} in it")
        layer = nn.Linear(weight.shape[1], weight.shape[0])
        check_tensors(path, {f"{word}{part}": tensor for part, tensor in layer.state_dict().items()}, dict(tensors))
        layer.load_state_dict({part: tensors[f"{word}{part}"] for part in ("weight", "bias")})
        yield layer


@functools.cache
def layout_digest() -> str:
    """Changes with the columns of observations, with what their ids mean, and with the actions."""
    layout = current_layout()
    told = [layout.columns, layout.size, layout.ids, layout.actions, layout.events, layout.history]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16]


@torch.inference_mode()
def logprobs_of(policy: LayeredPolicy, observations: Array, masks: Array) -> Tensor:
    """[B, n] observations, which end with the events that are read, and [B, N] masks -> [B, N] log-probabilities."""
    read = DANMAKU_SPEC.row_size + _EVENT * policy.history
    found: Tensor = policy(torch.from_numpy(np.ascontiguousarray(observations[:, :read])), torch.from_numpy(np.array(masks, np.uint8)))
    return found
