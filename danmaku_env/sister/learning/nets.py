"""Networks of the sister games as files, and as bots. Files are safetensors: nothing in them is executed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor, nn

from danmaku_env.files import write_atomically
from danmaku_env.machine.records import Array
from danmaku_env.nets.checkpoints import CHECKPOINT
from danmaku_env.nets.network import one_torch_thread
from danmaku_env.spec import GameSpec

_NET = "net."


class NetError(ValueError):
    """A file that holds no network of the game that is meant; the message says what is wrong."""


class TokenNet(nn.Module):
    """Observations [B, n] uint8 and masks [B, N] -> log probabilities [B, N] of the legal actions, and values [B] from -1 to 1."""

    spec: GameSpec
    """The game that it plays."""
    kind: str
    """What files say that hold its weights; another number for other tensors."""

    def __init__(self, width: int = 64, wide: int = 256) -> None:
        """`width` numbers of each token, `wide` of the summary."""
        super().__init__()
        self.width, self.wide = width, wide

    def save(self, path: Path, tensors: dict[str, Tensor], about: dict[str, Any]) -> None:
        """Write the weights, and what else a run goes on from, atomically. Raises OSError."""
        all_tensors = {f"{_NET}{name}": tensor.cpu().contiguous() for name, tensor in self.state_dict().items()} | tensors
        said = {"kind": self.kind, "width": self.width, "wide": self.wide, **about}
        write_atomically(path, save(all_tensors, {"about": json.dumps(said)}))


def load_net(new: type[TokenNet], path: Path) -> tuple[TokenNet, dict[str, Tensor], dict[str, Any]]:
    """The network, the other tensors, and what the file says of itself.

    Raises NetError for a missing file, and for one that holds anything but weights of this class.
    """
    game = new.spec.title
    path = path / CHECKPOINT if path.is_dir() else path
    if not path.exists():
        raise NetError(f"there is no network at {path}")
    try:
        with safe_open(path, "pt") as file:
            about = json.loads((file.metadata() or {}).get("about", "{}"))
            tensors: dict[str, Tensor] = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        if not isinstance(about, dict) or about.get("kind") != new.kind:
            raise NetError(f"{path} holds no network for {game}; `danmaku {new.spec.name} train` makes them")
        net = new(int(about["width"]), int(about["wide"]))
        net.load_state_dict({name.removeprefix(_NET): tensor for name, tensor in tensors.items() if name.startswith(_NET)})
    except (SafetensorError, json.JSONDecodeError, KeyError, TypeError, RuntimeError) as error:
        raise NetError(f"{path} holds no network for {game}: {error}".split("\n")[0]) from None
    return net, {name: tensor for name, tensor in tensors.items() if not name.startswith(_NET)}, about


class NeuralBot:
    """A network that plays: sampled, or its likeliest answer."""

    def __init__(self, net: TokenNet, name: str = "neural", *, greedy: bool = False, seed: int = 0) -> None:
        """The network as it is now; it may go on learning."""
        self.net, self.name, self.greedy = net, name, greedy
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Seed the random numbers."""
        self._rng = torch.Generator().manual_seed(seed)

    @torch.inference_mode()
    def answer(self, games: Array, seats: Array, observations: Array, masks: Array) -> Array:
        """[k] answers in k games."""
        rows = np.ascontiguousarray(observations[:, : self.net.spec.row_size])
        device = next(self.net.parameters()).device
        with one_torch_thread():
            logprobs, _ = self.net(torch.from_numpy(rows).to(device), torch.from_numpy(np.ascontiguousarray(masks)).to(device))
        logprobs = logprobs.cpu()
        chosen = logprobs.argmax(1) if self.greedy else torch.multinomial(logprobs.exp(), 1, generator=self._rng).squeeze(1)
        found: Array = chosen.numpy()
        return found


def neural_bot(new: type[TokenNet], place: str, seed: int = 0) -> NeuralBot:
    """The bot of a run's folder or a file: `runs/first`, with `,greedy` its likeliest answers. Raises NetError."""
    path, _, greedy = place.partition(",")
    if greedy not in ("", "greedy"):
        raise NetError(f"after the comma stands greedy or nothing, not {greedy!r}")
    return NeuralBot(load_net(new, Path(path))[0], f"neural:{place}", greedy=bool(greedy), seed=seed)
