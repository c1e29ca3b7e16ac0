"""Danmaku!! as a PettingZoo AEC environment.

```python
from danmaku_env import danmaku_v0

env = danmaku_v0.env(num_players=6)          # or pettingzoo.make("aec", "danmaku/danmaku_v0", num_players=6)
env.reset(seed=7)                            # exactly the game that Game.new(GameConfig(num_players=6), seed=7) plays
for agent in env.agent_iter():
    observation, reward, terminated, truncated, info = env.last()
    over = terminated or truncated
    env.step(None if over else env.action_space(agent).sample(info["action_mask"]))
```

| | |
|---|---|
| agents | `seat_0` .. `seat_{n-1}`, clockwise, 4 to 8 |
| observation | `{"observation": [n] uint8, "action_mask": [N] int8}`; the row is explained in docs/observation.md |
| action | `Discrete(N)`, the same for every player count; docs/actions.md |
| info | `{"action_mask": ...}`; from `last` the mask of the observation itself |
| state | `env.state()`, `[m] uint8`: the full state, with all roles, hands and decks, hidden or not; `env.state_space` |
| render modes | `ansi` returns a table seen from above as text, `human` prints it, `rgb_array` returns it as `[height, width, 3] uint8` |
| options | the fields of `GameConfig`, and `render_mode` |

- **Who acts.** The engine asks one seat at a time, in no fixed order: a played card opens windows in which others may react.
  A defeated seat is never selected again, but stays in `agents` until the game ends.
- **Masks.** Only the seat that is asked has legal actions. The mask of every other seat is zero.
- **Rewards** are paid once, when the game ends and to all seats at the same moment: +1 to every winner (a defeated one whose team
  has won is a winner), -1 to the others, 0 to all in a draw or a game cut off by `max_turns`. A cut-off game is *truncated*,
  any other ending *terminates*. Each seat then takes its last step with the action None, `seat_0` first.
- **Illegal actions.** `raw_env` raises `IllegalAction` and nothing has changed. `env` follows PettingZoo's convention: the game
  ends, the offender gets -1 and the others 0. An action that is not an integer of the action space is an AssertionError there.
- **Seeds.** A seed gives one game, whatever the global generators are. `reset()` without a seed plays the game that follows the
  last one (the same that follows in a row of `make_vec`); a new environment begins anywhere.
- **Positions.** `reset(options={"game": game})` goes on from a copy of a `Game`, for example one built by a `Scenario`; it keeps
  the options it was begun with (`max_turns`, what it asks), though `env.game.config` is the environment's. Other options are ignored.
- **Copies.** `copy.deepcopy` and `pickle` keep the running game, generators of the spaces included.

The arrays that `last` and `observe` return are new ones at every call: later steps do not change them, and what is written into them
changes nothing that is returned later. `env.infos` holds the info that `last` has returned.
"""

from __future__ import annotations

from typing import Any, ClassVar

import gymnasium
import numpy as np
from pettingzoo.utils import AECEnv
from pettingzoo.utils.env_logger import EnvLogger
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from danmaku_env.danmaku import DANMAKU_SPEC
from danmaku_env.envs.one_game import Observation, OneGame, check_render_mode, config_of, observation_space, render, whole_action
from danmaku_env.envs.whole_copies import WholeCopies
from danmaku_env.game import IllegalAction
from danmaku_env.machine.records import TRUNCATED, Array
from danmaku_env.spec import GameSpec

Last = tuple[Observation | None, float, bool, bool, dict[str, Any]]


class GameAEC(WholeCopies, AECEnv[str, Any, Any]):
    """The bare environment of a game; a class of it names its `game_spec`. The module docstring says how it behaves."""

    game_spec: ClassVar[GameSpec]

    metadata: dict[str, Any] = {  # noqa: RUF012 (PettingZoo's own form)
        "render_modes": ["human", "ansi", "rgb_array"],
        "is_parallelizable": False,
        "render_fps": 4,
    }

    def __init__(self, *, render_mode: str | None = None, **options: Any) -> None:
        """`options` are the fields of GameConfig. Raises ConfigError or ValueError on anything else."""
        self.render_mode = check_render_mode(render_mode, self.metadata["render_modes"])
        self.config = config_of(type(self), options)
        self.possible_agents = [f"seat_{seat}" for seat in range(self.config.num_players)]
        self.observation_spaces = {agent: observation_space(self.config) for agent in self.possible_agents}
        self.action_spaces = {agent: gymnasium.spaces.Discrete(self.game_spec.num_actions) for agent in self.possible_agents}
        self.state_space = gymnasium.spaces.Box(0, 255, (self.game_spec.state_size,), np.uint8)
        self._game = OneGame(self.config)
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._started = False
        self._no_answers: Array = np.zeros(self.game_spec.num_actions, np.int8)
        """The mask of a seat that is not asked, to be copied."""

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """The same object at every call. Raises KeyError for a name that no agent has."""
        self._seat_of(agent)
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """The same object at every call. Raises KeyError for a name that no agent has."""
        self._seat_of(agent)
        return self.action_spaces[agent]

    def _seat_of(self, agent: str) -> int:
        """The seat of an agent by its name. Raises KeyError for a name that no agent has."""
        seat = self._seats.get(agent)
        if seat is None:
            raise KeyError(f"{agent!r} is no agent; the agents are {', '.join(self.possible_agents)}")
        return seat

    # ---- playing

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game; see *Seeds* and *Positions* above. Raises ValueError, changing nothing, on a bad seed or position."""
        self._game.restart(seed, options)
        self._started = True
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._idle = {agent: {"action_mask": self._no_answers.copy()} for agent in self.agents}
        self.infos = dict(self._idle)
        self._skip_agent_selection = None  # type: ignore[assignment]
        self.agent_selection = self.possible_agents[max(0, self._game.asking)]
        if self._game.asking < 0:  # it ended before its first question, as one of very few cards may
            self._pay()
        else:
            self.infos[self.agent_selection] = {"action_mask": self._game.mask()}
            self._is_info_new = True
        if self.render_mode == "human":
            self.render()

    def step(self, action: Any) -> None:
        """Answer for `agent_selection`. Raises IllegalAction, changing nothing, on anything but a legal action."""
        if not self._started or not self.agents or self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._step_out(action)
            return
        game, agent = self._game, self.agent_selection
        game.answer(action)
        self.infos[agent] = self._idle[agent]
        if game.asking < 0:
            self._pay()
        else:  # rewards are zero until the end, so there is nothing to clear or to accumulate
            self.agent_selection = agent = self.possible_agents[game.asking]
            self.infos[agent] = {"action_mask": game.mask()}
            self._is_info_new = True
        if self.render_mode == "human":
            self.render()

    def _step_out(self, action: Any) -> None:
        """The last step of a seat once the game is over."""
        if not self._started:
            raise RuntimeError("call reset() before step()")
        if not self.agents:
            raise IllegalAction("the game is over and every seat has taken its last step; call reset()")
        if action is not None:
            raise IllegalAction(f"the game is over: {self.agent_selection} can only step None, not {action!r}")
        self._was_dead_step(action)

    def _pay(self) -> None:
        """The game has ended: every seat gets what belongs to it, at once."""
        truncated = self._game.outcome == TRUNCATED
        self._end(not truncated, truncated, dict(zip(self.agents, self._game.rewards(), strict=True)))

    def _end(self, terminated: bool, truncated: bool, rewards: dict[str, float]) -> None:
        self._is_info_new = False
        self.rewards = rewards
        self.terminations = dict.fromkeys(self.agents, terminated)
        self.truncations = dict.fromkeys(self.agents, truncated)
        self._accumulate_rewards()
        self._deads_step_first()

    def forfeit(self, reward: float = -1.0) -> None:
        """End the game as PettingZoo does after an illegal move: the selected seat gets `reward`, the others 0.

        Raises RuntimeError where no game is under way.
        """
        agent = self._selected("forfeit()")
        if self.terminations[agent] or self.truncations[agent]:
            raise RuntimeError("the game is over; call reset() before forfeit()")
        self.infos[agent] = self._idle[agent]
        self._end(True, True, {**dict.fromkeys(self.agents, 0.0), agent: reward})

    def _selected(self, call: str) -> str:
        """`agent_selection`. Raises RuntimeError before a game and after the last step of every seat."""
        if not self._started:
            raise RuntimeError(f"call reset() before {call}")
        if not self.agents:
            raise RuntimeError(f"the game is over and every seat has taken its last step; call reset() before {call}")
        return self.agent_selection

    # ---- looking

    def observe(self, agent: str) -> Observation:
        """What a seat may know now: {"observation": [n] uint8, "action_mask": [N] int8}.

        Raises KeyError for a name that no agent has, RuntimeError before `reset`.
        """
        seat = self._seat_of(agent)
        if not self._started:
            raise RuntimeError("call reset() before observe()")
        return {"observation": self._game.observe(seat), "action_mask": self._mask(agent)}

    def _mask(self, agent: str) -> Array:
        """[N] int8, a new array: what the seat may answer now."""
        over = self.terminations.get(agent, True) or self.truncations.get(agent, True)  # True: it has taken its last step
        return self._no_answers.copy() if over or agent != self.agent_selection else self._game.mask()

    def last(self, observe: bool = True) -> Last:
        """Observation (None unless asked for), reward since its last step, terminated, truncated and info of `agent_selection`."""
        agent = self._selected("last()")
        if not self._is_info_new:  # somebody has it, and may have written into it
            self.infos[agent] = {"action_mask": self._mask(agent)}
        self._is_info_new = False
        info = self.infos[agent]
        observation = {"observation": self._game.observe(self._seats[agent]), "action_mask": info["action_mask"]} if observe else None
        return observation, self._cumulative_rewards[agent], self.terminations[agent], self.truncations[agent], info

    def state(self) -> Array:
        """[spec.state_size] uint8: the full state, for central critics. Raises RuntimeError before `reset`."""
        if not self._started:
            raise RuntimeError("call reset() before state()")
        return self._game.state()

    @property
    def game(self) -> Any:
        """A copy of the running game as a `Game`, hidden cards included. Raises RuntimeError before `reset`."""
        if not self._started:
            raise RuntimeError("call reset() first")
        return self._game.to_game()

    def render(self) -> Any:
        """The table seen from above: returned as text (ansi) or pixels [height, width, 3] uint8 (rgb_array), or printed (human).

        In human mode `reset` and `step` print it too. Raises NoPictures for pixels where Pillow and matplotlib are missing.
        """
        return render(self.render_mode, lambda: self.game)

    def close(self) -> None:
        """Nothing to release."""


class UsualChecks(WholeCopies, OrderEnforcingWrapper[str, Any, Any]):
    """PettingZoo's three usual wrappers of a turn game in one, because their chain costs more than the whole environment.

    Out-of-bounds actions and a wrong order of calls are AssertionErrors, an illegal action loses; as with
    OrderEnforcingWrapper(AssertOutOfBoundsWrapper(TerminateIllegalWrapper(raw_env, illegal_reward=-1))), with three differences. After
    an illegal action nobody has legal answers, where the chain goes on showing the loser's; a number stepped by a seat that has
    finished is then an IllegalAction, as after any other end, where the chain has another ValueError; and `last`, too early or too late,
    says what is wrong in an AssertionError or a RuntimeError, where the chain has an AttributeError or a KeyError.
    """

    def __init__(self, env: GameAEC, *, illegal_reward: float = -1.0) -> None:
        super().__init__(env)
        self._raw = env
        self._illegal_reward = float(illegal_reward)

    def __str__(self) -> str:
        return str(self._raw)

    # properties are found at once; PettingZoo's wrappers pass every look through __getattr__ of each layer

    @property
    def agents(self) -> list[str]:  # type: ignore[override]
        """Seats that have not taken their last step."""
        return self._raw.agents

    @property
    def agent_selection(self) -> str:  # type: ignore[override]
        """The seat that acts."""
        return self._raw.agent_selection

    @property
    def rewards(self) -> dict[str, float]:  # type: ignore[override]
        """Rewards of the last step."""
        return self._raw.rewards

    @property
    def terminations(self) -> dict[str, bool]:  # type: ignore[override]
        """Whether the game has ended, by seat."""
        return self._raw.terminations

    @property
    def truncations(self) -> dict[str, bool]:  # type: ignore[override]
        """Whether the game was cut off, by seat."""
        return self._raw.truncations

    @property
    def infos(self) -> dict[str, dict[str, Any]]:  # type: ignore[override]
        """Infos by seat."""
        return self._raw.infos

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """As `GameAEC.reset`: one that is refused has changed nothing."""
        self._raw.reset(seed=seed, options=options)
        self._has_reset = self._has_updated = True

    def last(self, observe: bool = True) -> Last:
        """As `GameAEC.last`."""
        if not self._has_reset:
            EnvLogger.error_observe_before_reset()
        return self._raw.last(observe)

    def step(self, action: Any) -> None:
        """Answer for `agent_selection`; an illegal action ends the game."""
        raw = self._raw
        if not self._has_reset:
            EnvLogger.error_step_before_reset()
        self._has_updated = True
        if not raw.agents:
            EnvLogger.warn_step_after_terminated_truncated()
            return
        agent = raw.agent_selection
        over = raw.terminations[agent] or raw.truncations[agent]
        if not (over and action is None) and not _in_space(action, raw.game_spec.num_actions):
            raise AssertionError("action is not in action space")  # also where Python drops its asserts
        try:
            raw.step(action)
        except IllegalAction:
            if over:
                raise
            EnvLogger.warn_on_illegal_move()
            raw.forfeit(self._illegal_reward)


def _in_space(action: Any, size: int) -> bool:
    if type(action) is int:
        return 0 <= action < size
    try:
        whole_action(action, size)
    except IllegalAction:
        return False
    return True


class DanmakuAEC(GameAEC):
    """The bare environment of Danmaku!! (`raw_env`)."""

    game_spec = DANMAKU_SPEC
    metadata: dict[str, Any] = {"name": "danmaku_v0", **GameAEC.metadata}  # noqa: RUF012 (PettingZoo's own form)


def raw_env(*, render_mode: str | None = None, **options: Any) -> DanmakuAEC:
    """The environment without wrappers: an illegal action raises IllegalAction and changes nothing."""
    return DanmakuAEC(render_mode=render_mode, **options)


def env(*, render_mode: str | None = None, **options: Any) -> UsualChecks:
    """The environment with PettingZoo's usual checks: an illegal action loses the game."""
    return UsualChecks(DanmakuAEC(render_mode=render_mode, **options))
