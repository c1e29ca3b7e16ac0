"""Networks of the sister games as files, and as bots.

A file is a checkpoint as those of Danmaku!! are (nets/checkpoints.py): nothing in it is executed, and one in which a bit has changed is
refused. It names the game's rules; under other rules a network still plays, perhaps worse.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from danmaku_env.arguments import shown
from danmaku_env.machine.records import Array
from danmaku_env.nets.checkpoints import CheckpointError, check_tensors, checkpoint_file, read_tensors, rules_of, write_tensors
from danmaku_env.nets.network import MOST_WIDE, one_torch_thread
from danmaku_env.seeds import check_seed
from danmaku_env.sister.bots import BotError
from danmaku_env.spec import GameSpec

_NET = "net."


class TokenNet(nn.Module):
    """Observations [B, n] uint8 and masks [B, N] -> log probabilities [B, N] of the legal actions, and values [B] from -1 to 1."""

    spec: GameSpec
    """The game that it plays."""
    kind: str
    """What files say that hold its weights; another number for other tensors."""
    rules: str | None = None
    """The rules under which it was trained, where it comes from a file that names them."""

    def __init__(self, width: int = 64, wide: int = 256) -> None:
        """`width` numbers of each token, `wide` of the summary."""
        super().__init__()
        self.width, self.wide = width, wide

    def save(self, path: Path, tensors: dict[str, Tensor], about: dict[str, Any]) -> None:
        """Write the weights, and what else a run goes on from, atomically. Raises OSError."""
        said = {"kind": self.kind, "width": self.width, "wide": self.wide, **about}
        write_tensors(path, self.named_weights() | tensors, said, self.spec.rules())

    def named_weights(self) -> dict[str, Tensor]:
        """The weights as files name them."""
        return {f"{_NET}{name}": tensor for name, tensor in self.state_dict().items()}


def load_net(new: type[TokenNet], path: Path) -> tuple[TokenNet, dict[str, Tensor], dict[str, Any]]:
    """The network of a file or of a run's folder, the other tensors, and what the file says of itself.

    Raises CheckpointError for a missing or damaged file, and for one that holds anything but sound weights of this class.
    """
    path = checkpoint_file(path)
    tensors, about = read_tensors(path)
    if about.get("kind") != new.kind:
        raise CheckpointError(f"{path} holds no network for {new.spec.title}; `danmaku {new.spec.name} train` makes them")
    net = _of_size(new, path, about, tensors)
    net.rules = rules_of(path, about)
    net.load_state_dict({name.removeprefix(_NET): tensors[name] for name in net.named_weights()})
    return net, {name: tensor for name, tensor in tensors.items() if not name.startswith(_NET)}, about


def _of_size(new: type[TokenNet], path: Path, about: dict[str, Any], tensors: dict[str, Tensor]) -> TokenNet:
    """An untrained network as the file describes it, made only where its tensors fit. Raises CheckpointError."""
    sizes = about.get("width", 0), about.get("wide", 0)
    if any(type(size) is not int or not 1 <= size <= MOST_WIDE for size in sizes):
        raise CheckpointError(f"{path} describes no network that there can be: its sizes are {shown(sizes)}, not 1 to {MOST_WIDE:,}")
    make = functools.partial(new, *sizes)
    with torch.device("meta"):  # sizes without numbers
        like = make()
    check_tensors(path, like.named_weights(), tensors)
    return make()


class NeuralBot:
    """A network that plays: sampled, or its likeliest answer."""

    def __init__(self, net: TokenNet, name: str = "neural", *, greedy: bool = False, seed: int = 0) -> None:
        """The network as it is now; it may go on learning."""
        self.net, self.name, self.greedy = net, name, greedy
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Seed the random numbers. Raises ValueError for an invalid seed."""
        self._rng = torch.Generator().manual_seed(check_seed(seed))

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
    """The bot of a run's folder or a file: `runs/first`, with `,greedy` its likeliest answers.

    Raises BotError for other words after the comma, CheckpointError for a file that holds no network of the game.
    """
    path, _, greedy = place.partition(",")
    if greedy not in ("", "greedy"):
        raise BotError(f"after the comma stands greedy or nothing, not {shown(greedy)}")
    return NeuralBot(load_net(new, Path(path))[0], f"neural:{place}", greedy=bool(greedy), seed=seed)
