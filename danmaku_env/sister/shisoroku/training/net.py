"""A network whose tokens are the places of a table: what lies there, what the card does, and how many of it there are where.

The same weights read every kingdom, for a card is its row of `card_features()`. Files are safetensors: nothing in them is executed.
"""

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
from danmaku_env.sister.shisoroku.cards.features import card_features
from danmaku_env.sister.shisoroku.cards.words import PLACES
from danmaku_env.sister.shisoroku.engine import actions
from danmaku_env.sister.shisoroku.engine.observation import OBSERVATION_FIELDS, OBSERVATION_SIZE, OFFSETS, PLACE_AXIS, SEAT_AXIS

NET_FILE = "net.safetensors"
_KIND = "shisoroku-tokens-1"
"""Of the files that this class reads."""
_BY_PLACE = [field for field in OBSERVATION_FIELDS if field.axes[-1] == PLACE_AXIS and field.kind != "id"]
"""Fields with a number for each place, or for each seat and place."""
_IDS = ("cause", "discard_top", "known_top", "known_bottom")
"""Fields that name places."""


class NetError(ValueError):
    """A file that holds no network of this kind; the message says what is wrong."""


def _columns() -> tuple[list[list[int]], list[int]]:
    """[C, 27] bytes that count something for each place, and the bytes that say something of the table as a whole."""
    by_place, taken = [], set[int]()
    for field in _BY_PLACE:
        for row in range(field.size // PLACES):
            at = OFFSETS[field.name] + row * PLACES
            by_place.append(list(range(at, at + PLACES)))
            taken.update(by_place[-1])
    for name in ("cards", *_IDS):
        field = next(field for field in OBSERVATION_FIELDS if field.name == name)
        taken.update(range(OFFSETS[name], OFFSETS[name] + field.size))
    return by_place, [byte for byte in range(OBSERVATION_SIZE) if byte not in taken]


class TokenNet(nn.Module):
    """Observations [B, n] uint8 and masks [B, N] -> log probabilities [B, N] of the legal actions, and values [B] from -1 to 1."""

    cards: Tensor
    by_place: Tensor
    whole: Tensor

    def __init__(self, width: int = 64, wide: int = 256) -> None:
        """`width` numbers of each token, `wide` of the summary."""
        super().__init__()
        self.width, self.wide = width, wide
        features = torch.from_numpy(np.vstack([np.zeros((1, card_features().shape[1]), np.float32), card_features()]))
        self.register_buffer("cards", features / features.abs().max(0).values.clamp(min=1), persistent=False)
        by_place, whole = _columns()
        self.register_buffer("by_place", torch.tensor(by_place).T.contiguous(), persistent=False)
        self.register_buffer("whole", torch.tensor(whole), persistent=False)
        named = SEAT_AXIS.size + 2
        self.card = nn.Linear(self.cards.shape[1], width, bias=False)
        self.counts = nn.Linear(len(by_place) + named, width)
        self.token = nn.Linear(width, width)
        self.summary = nn.Sequential(nn.Linear(2 * width + len(whole), wide), nn.ReLU(), nn.Linear(wide, wide), nn.ReLU())
        self.told = nn.Linear(wide, width)
        self.verbs = nn.Linear(width, len(actions.VERBS))
        self.others = nn.Linear(wide, actions.PLAY_BASE)
        self.value = nn.Linear(wide, 1)

    def forward(self, observations: Tensor, masks: Tensor) -> tuple[Tensor, Tensor]:
        """As the class says."""
        counts = torch.log1p(observations[:, self.by_place].float())
        there = observations[:, OFFSETS["cards"] : OFFSETS["cards"] + PLACES].long()
        cards = nn.functional.embedding(there, self.card(self.cards))
        tokens = torch.relu(cards + self.counts(torch.cat([counts, self._named(observations)], 2)))
        tokens = torch.relu(self.token(tokens)) + tokens
        whole = torch.log1p(observations[:, self.whole].float())
        summary = self.summary(torch.cat([tokens.mean(1), tokens.amax(1), whole], 1))
        told = torch.relu(tokens + self.told(summary)[:, None])
        logits = torch.cat([self.others(summary), self.verbs(told).transpose(1, 2).flatten(1)], 1)
        logprobs = torch.log_softmax(logits.masked_fill(masks == 0, -1e9), 1)
        return logprobs, torch.tanh(self.value(summary).squeeze(1))

    def _named(self, rows: Tensor) -> Tensor:
        """[B, 27, 6] which places are named: by my question, on top of discard piles, and at the top of my deck."""
        at = [OFFSETS["cause"], *(OFFSETS["discard_top"] + seat for seat in range(SEAT_AXIS.size)), OFFSETS["known_top"]]
        found = torch.zeros((len(rows), PLACES + 1, len(at)))
        return found.scatter_(1, rows[:, at].long()[:, None], 1.0)[:, 1:]


def save_net(path: Path, net: TokenNet, tensors: dict[str, Tensor], about: dict[str, Any]) -> None:
    """Write a network, and what else a run goes on from, atomically. Raises OSError."""
    all_tensors = {f"net.{name}": tensor.contiguous() for name, tensor in net.state_dict().items()} | tensors
    said = {"kind": _KIND, "width": net.width, "wide": net.wide, **about}
    write_atomically(path, save(all_tensors, {"about": json.dumps(said)}))


def load_net(path: Path) -> tuple[TokenNet, dict[str, Tensor], dict[str, Any]]:
    """The network, the other tensors, and what the file says of itself. Raises NetError for anything else, OSError where there is none."""
    path = path / NET_FILE if path.is_dir() else path
    if not path.exists():
        raise NetError(f"there is no network at {path}")
    try:
        with safe_open(path, "pt") as file:
            about = json.loads((file.metadata() or {}).get("about", "{}"))
            tensors: dict[str, Tensor] = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        if not isinstance(about, dict) or about.get("kind") != _KIND:
            raise NetError(f"{path} holds no network for Shisouroku; `danmaku shisoroku train` makes them")
        net = TokenNet(int(about["width"]), int(about["wide"]))
        net.load_state_dict({name.removeprefix("net."): tensor for name, tensor in tensors.items() if name.startswith("net.")})
    except (SafetensorError, json.JSONDecodeError, KeyError, TypeError, RuntimeError) as error:
        raise NetError(f"{path} holds no network for Shisouroku: {error}".split("\n")[0]) from None
    return net, {name: tensor for name, tensor in tensors.items() if not name.startswith("net.")}, about


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
    def answer(self, games: Any, seats: Any, observations: Any, masks: Any) -> Any:
        """[k] answers in k games."""
        rows = np.ascontiguousarray(observations[:, :OBSERVATION_SIZE])
        logprobs, _ = self.net(torch.from_numpy(rows), torch.from_numpy(np.ascontiguousarray(masks)))
        chosen = logprobs.argmax(1) if self.greedy else torch.multinomial(logprobs.exp(), 1, generator=self._rng).squeeze(1)
        return chosen.numpy()


def neural_bot(place: str, seed: int = 0) -> NeuralBot:
    """The bot of a run's folder or a file: `runs/first`, with `,greedy` its likeliest answers. Raises NetError."""
    path, _, greedy = place.partition(",")
    if greedy not in ("", "greedy"):
        raise NetError(f"neural:{place}: after the comma stands greedy or nothing, not {greedy!r}")
    return NeuralBot(load_net(Path(path))[0], f"neural:{place}", greedy=bool(greedy), seed=seed)
