"""Stable-Baselines3 at the table: a `VecEnv` for one learning seat a game, one for self-play in all seats, and the buffer for the latter.

Both give `action_masks()`, which sb3_contrib's MaskablePPO asks for. Observations are the rows alone ([n] uint8): the mask comes its own
way.

In self-play a column of the `VecEnv` is a game, in which every step is another seat's. What a game pays belongs to each seat's *own* last
decision, so the generalised advantages must run along (game, seat) and not along the column: `SelfPlayBuffer` does that. PettingZoo's
tutorial wrapper gives a game's payoff to one seat and loses the others'.

```python
table = SelfPlayVecEnv(256, GameConfig(num_players=6))
model = MaskablePPO("MlpPolicy", table, n_steps=128, rollout_buffer_class=SelfPlayBuffer, rollout_buffer_kwargs={"table": table})
save_model(model.learn(100_000), "runs/mine.safetensors")  # which plays as the agent policy:runs/mine.safetensors
```
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import torch
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer, MaskableRolloutBufferSamples
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.vec_env import VecEnv

from danmaku_env import GameConfig, make_vec
from danmaku_env.agents import opponents as named
from danmaku_env.arguments import ConfigError, shown
from danmaku_env.danmaku import DANMAKU_SPEC
from danmaku_env.envs.one_game import observation_space
from danmaku_env.machine.records import Array
from danmaku_env.nets.layered_policy import save_policy
from danmaku_env.seeds import whole_seed
from danmaku_env.spec import spec_of
from danmaku_env.training.trajectories import carry, seat_credit


def _spaces(config: GameConfig) -> tuple[gymnasium.Space[Any], gymnasium.Space[Any]]:
    return observation_space(config)["observation"], gymnasium.spaces.Discrete(spec_of(config).num_actions)


def _check_seed(seed: object) -> None:
    """Raise ConfigError unless it is None or a seed."""
    try:
        if seed is not None:
            whole_seed(seed)
    except ValueError as error:
        raise ConfigError(str(error)) from None


class FirstLayer(BaseFeaturesExtractor):
    """One wide layer that policy and value read together: of two small networks over so long a row it is nearly all the work."""

    def __init__(self, observation_space: Any, width: int) -> None:
        super().__init__(observation_space, width)
        self.layers = torch.nn.Sequential(torch.nn.Linear(observation_space.shape[0], width), torch.nn.ReLU())

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """[B, n] -> [B, width]."""
        read: torch.Tensor = self.layers(observations)
        return read


class _Columns(VecEnv):
    """What both have in common: columns of games that run in this process and cannot be handled one by one."""

    _actions: Array
    _taken: tuple[str, ...] = ()
    """The options of `set_options`."""
    render_mode: str | None = None

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """The seeds of the next `reset`, which follow from this one, or nobody can foretell. Raises ConfigError for an invalid one."""
        _check_seed(seed)
        return super().seed(seed)

    def set_options(self, options: Any = None) -> None:
        """What the next `reset` begins with: a mapping for all columns, or a list of one for each. Raises ConfigError for anything else."""
        each = options if isinstance(options, list) else [{} if options is None else options] * self.num_envs
        if len(each) != self.num_envs or not all(isinstance(one, dict) and set(one) <= set(self._taken) for one in each):
            known = f"the option {' and '.join(self._taken)}" if self._taken else "no option"
            raise ConfigError(f"{type(self).__name__} takes {known}: a mapping, or a list of {self.num_envs} of them, not {shown(options)}")
        super().set_options(each)

    def action_masks(self) -> Array:
        """[B, N] bool: the legal answers of whoever is asked."""
        raise NotImplementedError

    def step_async(self, actions: Array) -> None:
        """Keep the actions for `step_wait`."""
        self._actions = actions

    def close(self) -> None:
        """Nothing is held open."""

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """The same for every column. Raises AttributeError."""
        return [getattr(self, attr_name)] * len(self._places(indices))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Columns have no attributes of their own: raises AttributeError."""
        raise AttributeError(f"columns share their attributes; set {attr_name!r} on the environment itself")

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any) -> list[Any]:
        """Only `action_masks`, which MaskablePPO asks every column for. Raises AttributeError for any other method."""
        if method_name != "action_masks":
            raise AttributeError(f"a column of games has no method {method_name!r}; it has action_masks")
        masks = self.action_masks()
        return [masks[place] for place in self._places(indices)]

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Any = None) -> list[bool]:
        """No column is wrapped."""
        return [False] * len(self._places(indices))

    def _places(self, indices: Any) -> Sequence[int]:
        return range(self.num_envs)[indices] if isinstance(indices, slice) else self._get_indices(indices)  # type: ignore[return-value]


class OneSeatVecEnv(_Columns):
    """One learning seat in each of many games: `DanmakuVector` as Stable-Baselines3 wants it, with the statistics of its `Monitor`."""

    _taken = ("game",)

    def __init__(self, num_envs: int, *, seed: int = 0, opponents: Any = None, render_mode: str | None = None, **options: Any) -> None:
        """`opponents`, `render_mode` and `options` as for `gymnasium.make_vec`, without `autoreset_mode` and `copy`. Raises ConfigError."""
        for name in ("autoreset_mode", "copy"):
            if name in options:
                raise ConfigError(f"leave {name} out: in OneSeatVecEnv the next game begins in the same step, and arrays are new ones")
        self._vector = named.vector(num_envs=num_envs, opponents=opponents, copy=False, render_mode=render_mode, **options)
        self.render_mode = render_mode
        self._lengths: Array = np.zeros(num_envs, np.int64)
        self._begun = time.time()
        super().__init__(num_envs, *_spaces(self._vector.config))
        self.seed(seed)

    def reset(self) -> Array:
        """[B, n] the first observations. Seeds, and positions of `set_options({"game": game})`, are used once."""
        games = [options.get("game") for options in self._options]
        observations, infos = self._vector.reset(seed=self._seeds, options={"game": games})
        self._reset_seeds()
        self._reset_options()
        self.reset_infos = [self._info(infos, row) for row in range(self.num_envs)]
        self._lengths[:] = 0
        return observations["observation"].copy()

    def _info(self, infos: dict[str, Any], row: int) -> dict[str, Any]:
        """What there is to say of a row: the learner's seat, and which opponent plays each seat."""
        return {"seat": int(infos["seat"][row]), "opponents": infos["opponents"][row].copy()}

    def step_wait(self) -> tuple[Array, Array, Array, list[dict[str, Any]]]:
        """Observations [B, n], rewards [B], ends [B] and infos; a game that ended shows its successor, its last row is in its info."""
        observations, rewards, terminated, truncated, infos = self._vector.step(self._actions)
        self._lengths += 1
        told: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        dones = terminated | truncated
        for row in np.flatnonzero(dones).tolist():
            told[row] = self._info(infos["final_info"], row) | {
                "terminal_observation": infos["final_obs"][row]["observation"], "TimeLimit.truncated": bool(truncated[row]),
                "episode": {"r": float(rewards[row]), "l": int(self._lengths[row]), "t": round(time.time() - self._begun, 6)},
            }  # fmt: skip
            self.reset_infos[row] = self._info(infos, row)
        self._lengths[dones] = 0
        return observations["observation"].copy(), rewards.astype(np.float32), dones, told

    def action_masks(self) -> Array:
        """[B, N] bool: the learners' legal answers."""
        return self._vector.action_masks()

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any) -> list[Any]:
        """`action_masks` and `render`, by column. Raises AttributeError for any other method."""
        if method_name != "render":
            return super().env_method(method_name, *method_args, indices=indices, **method_kwargs)
        tables = self._vector.render() or [None] * self.num_envs
        return [tables[place] for place in self._places(indices)]

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Any = None) -> list[bool]:
        """Whether a column does what the wrapper does: only that of `Monitor`, whose "episode" is in the infos."""
        return [issubclass(wrapper_class, Monitor)] * len(self._places(indices))

    def close(self) -> None:
        """End the processes of opponents."""
        self._vector.close()

    def get_images(self) -> Sequence[Array | None]:
        """The tables as the learners see them, [height, width, 3] uint8 each, with render_mode="rgb_array"."""
        return self._vector.render() or [None] * self.num_envs


class SelfPlayVecEnv(_Columns):
    """Self-play in all seats: a column is a game, its observation that of the seat that is asked. Train with `SelfPlayBuffer`."""

    def __init__(self, num_envs: int, config: GameConfig | None = None, *, seed: int = 0, threads: int = 1) -> None:
        self._vec = make_vec(num_envs, config, threads=threads)
        self._seed = 0
        self._running: Array = np.zeros(num_envs, np.int64)
        self.answered: Array = np.zeros(num_envs, np.int64)
        """[B] the seats that gave the last answers."""
        self.games: Array = np.zeros(num_envs, np.int64)
        """[B] which game of its column each of them was given in, counting those that a `reset` broke off."""
        self.payoffs: Array = self._vec.rewards
        """[B, 8] what games that ended with them pay each seat."""
        self.ended: Array = self._vec.dones
        """[B] which games these are."""
        super().__init__(num_envs, *_spaces(self._vec.config))
        self.seed(seed)

    def seed(self, seed: int | None = None) -> list[int | None]:
        """The seed of the next `reset`; nothing changes without one. Raises ConfigError for an invalid one."""
        _check_seed(seed)
        self._seed = self._seed if seed is None else seed
        return [self._seed] * self.num_envs

    def reset(self) -> Array:
        """[B, n] the first observations. A seed is used once: the next reset deals other games, which follow from it."""
        self._vec.reset(self._seed)
        self._seed = int(np.random.default_rng(self._seed).integers(1 << 62))
        self._running += 1
        return self._vec.observations.copy()

    def step_wait(self) -> tuple[Array, Array, Array, list[dict[str, Any]]]:
        """Observations [B, n] of the seats asked now; rewards [B] of those that answered; ends [B]; infos with all payoffs of a game."""
        self.answered[:], self.games[:] = self._vec.seats, self._running
        self._vec.step(self._actions)
        self._vec.check()
        self._running += self.ended
        told: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for row in np.flatnonzero(self.ended).tolist():
            told[row] = {"payoffs": self.payoffs[row].copy()}
        rewards = self.payoffs[np.arange(self.num_envs), self.answered]
        return self._vec.observations.copy(), rewards, self.ended.copy(), told

    def action_masks(self) -> Array:
        """[B, N] bool: the legal answers of the seats that are asked."""
        masks: Array = self._vec.action_masks.astype(np.bool_)
        return masks

    def close(self) -> None:
        """Stop the threads."""
        self._vec.close()


class SelfPlayBuffer(MaskableRolloutBuffer):
    """A rollout of `SelfPlayVecEnv` in which advantages run along each seat's own decisions.

    A seat's last decision in a rollout waits for the next one, in which its successor or its payoff comes: every decision is trained on
    once, and every payoff reaches the seat it belongs to. Those of games that were broken off (`learn` begins with a `reset`) wait for
    nothing: they are left out.
    """

    def __init__(
        self, buffer_size: int, observation_space: Any, action_space: Any, device: Any = "auto", gae_lambda: float = 1, gamma: float = 0.99,
        n_envs: int = 1, *, table: SelfPlayVecEnv,
    ) -> None:  # fmt: skip
        """`table` is the environment that is trained in: it tells who answered and what ended games pay."""
        self._table, self._carried = table, DANMAKU_SPEC.most_seats
        shape = (self._carried + buffer_size, n_envs)
        self._kept: dict[str, Array] = {
            "observations": np.zeros((*shape, *observation_space.shape), np.uint8), "actions": np.zeros((*shape, 1), np.float32),
            "values": np.zeros(shape, np.float32), "logprobs": np.zeros(shape, np.float32),
            "masks": np.zeros((*shape, DANMAKU_SPEC.num_actions), np.float32),
        }  # fmt: skip
        """Of each answer; in front those that wait."""
        self._seats: Array = np.zeros(shape, np.int64)
        self._seats[: self._carried] = np.arange(self._carried)[:, None]
        self._answered: Array = np.zeros(shape, np.bool_)
        self._waiting: Array = np.zeros(shape, np.bool_)
        self._dones: Array = np.zeros(shape, np.bool_)
        self._payoffs: Array = np.zeros((*shape, DANMAKU_SPEC.most_seats), np.float32)
        self._games: Array = np.zeros(n_envs, np.int64)
        """[B] in which game of its column the last answer was given."""
        self._over: Array = np.zeros(n_envs, np.bool_)
        """[B] whether it ended with that."""
        self._rows: Array = np.zeros(0, np.int64)
        """Those to learn from, as places of flat arrays."""
        super().__init__(buffer_size, observation_space, action_space, device, gae_lambda, gamma, n_envs)

    def reset(self) -> None:
        """Begin a rollout; decisions that still wait are carried over."""
        carry(self._carried, self._seats, self._answered, self._waiting, self._kept.values())
        self._answered[self._carried :] = False
        self.pos, self.full = 0, False

    def add(self, obs: Any, action: Any, reward: Any, episode_start: Any, value: Any, log_prob: Any, action_masks: Any = None) -> None:  # type: ignore[override]
        """One answer in every game; `reward` and `episode_start` belong to columns and are not used."""
        row = self._carried + self.pos
        broken_off = (self._games != self._table.games) & ~self._over
        self._answered[:row, broken_off] = False  # nothing follows what was answered there
        self._games[:], self._over[:] = self._table.games, self._table.ended
        answers = {
            "observations": obs, "actions": np.reshape(action, (-1, 1)), "values": value.cpu().numpy().ravel(),
            "logprobs": log_prob.cpu().numpy(), "masks": action_masks,
        }  # fmt: skip
        for name, given in answers.items():
            self._kept[name][row] = given
        self._seats[row], self._answered[row] = self._table.answered, True
        self._dones[row], self._payoffs[row] = self._table.ended, self._table.payoffs
        self.pos += 1
        self.full = self.pos == self.buffer_size

    def compute_returns_and_advantage(self, last_values: Any, dones: Any) -> None:
        """Advantages along each seat's decisions; those of columns, for which `last_values` would be, do not exist here."""
        values = self._kept["values"]
        credit, known = seat_credit(values, self._seats, self._dones, self._payoffs, self.gae_lambda, gamma=self.gamma)
        self._waiting = self._answered & ~known
        self._rows = np.flatnonzero(self._answered & known)
        self.values, self.advantages = values.reshape(-1)[self._rows], credit.reshape(-1)[self._rows]
        self.returns = self.values + self.advantages

    def get(self, batch_size: int | None = None) -> Iterator[MaskableRolloutBufferSamples]:  # type: ignore[override]
        """The complete decisions in random order, in batches."""
        order = np.random.permutation(len(self._rows))  # noqa: NPY002 (Stable-Baselines3 seeds the global generator)
        flat = {name: kept.reshape(-1, *kept.shape[2:]) for name, kept in self._kept.items()}
        for low in range(0, len(order), batch_size or max(1, len(order))):
            places = order[low : low + (batch_size or len(order))]
            if len(places) < 2:  # MaskablePPO divides by the deviation within a batch
                continue
            rows = self._rows[places]
            yield MaskableRolloutBufferSamples(
                *(self._tensor(part) for part in (
                    flat["observations"][rows], flat["actions"][rows], self.values[places], flat["logprobs"][rows],
                    self.advantages[places], self.returns[places], flat["masks"][rows]))
            )  # fmt: skip

    def _tensor(self, numbers: Array) -> torch.Tensor:
        return torch.as_tensor(numbers, device=self.device)


# ---------------------------------------------------------------- files


def save_model(
    model: Any, path: str | Path, *, tensors: Mapping[str, torch.Tensor] | None = None, about: Mapping[str, Any] | None = None
) -> None:
    """Write the policy of a model (`MlpPolicy` of PPO, A2C or MaskablePPO) as a file that plays as `policy:PATH` and executes nothing.

    `tensors` and `about` are kept beside it. Raises ValueError where the policy is not of such layers one after the other; OSError.
    """
    policy = model.policy
    try:
        parts = (policy.pi_features_extractor, policy.mlp_extractor.policy_net, policy.action_net)
    except AttributeError:
        raise ValueError(f"an MlpPolicy of PPO, A2C or MaskablePPO can be written, not {type(policy).__name__}") from None
    names = {layer: name for name, layer in policy.named_modules()}
    layers = {names[layer]: layer for part in parts for layer in part.modules() if not [*layer.children()] and _does_something(layer)}
    _check_order(policy, [*layers.values()])
    save_policy(path, layers, tensors=tensors, about=about)


def _does_something(layer: torch.nn.Module) -> bool:
    return not isinstance(layer, torch.nn.Sequential | BaseFeaturesExtractor)


@torch.no_grad()
def _check_order(policy: Any, layers: Sequence[torch.nn.Module]) -> None:
    """Raise ValueError unless the layers, one after the other, say what the policy says."""
    rows = torch.zeros(2, *policy.observation_space.shape)
    rows[1] = 1
    found = rows
    try:
        for layer in layers:
            found = layer(found)
        said = policy.get_distribution(rows).distribution.logits
    except (RuntimeError, AttributeError, TypeError) as error:
        raise ValueError(f"the policy is more than layers one after the other: {error}") from None
    if not torch.allclose(found.log_softmax(1), said.log_softmax(1), atol=1e-4):
        raise ValueError("the policy is more than its layers one after the other")
