"""Danmaku!! as a Gymnasium environment: one learning seat, the others are played for it.

```python
import gymnasium

env = gymnasium.make("danmaku_env:danmaku/Danmaku-v0", num_players=6, learner="heroine")
observation, info = env.reset(seed=7)
action = env.action_space.sample(info["action_mask"])
observation, reward, terminated, truncated, info = env.step(action)
```

- **`learner`** says who learns: a seat (0), "any" (a seat at random each game), a faction ("heroine", "partner", "stage_boss",
  "extra_boss", "rival": a seat of that faction, found after the deal), or a list of these, taken in turn, one a game.
  An EX Midboss is a Partner and an Extra Boss.
- **`opponents`** play the other seats: to `gymnasium.make` the name of an agent ("heuristic", "deducer", "neural:runs/ppo",
  "my_bots:MyAgent"), an agent itself (an object with `act` and `reset`, as `MyAgent()`), or a list of these, "random" among them, from
  which every other seat draws its player in each game. Without any they answer uniformly at random from the environment's own
  generator. **`policy`** instead is a function that is called with an observation like the learner's and returns an action. An illegal
  answer of either is an `IllegalAction`.
- **A step** answers for the learner and plays on until the learner is asked again or the game ends. So the payoff arrives in the
  learner's last step whoever makes the move that ends the game, also when the learner was defeated long before.
- **Rewards**: 0 until the game ends; then +1 for a winner, -1 for anybody else, 0 in a draw or a game cut off by `max_turns` (truncated).
- **Illegal actions** end the game with reward -1 and `info["illegal"]`, the first of them with a warning, or raise `IllegalAction` with
  `illegal="raise"`.
  `action_masks()` is what sb3_contrib's MaskablePPO asks for; `info["action_mask"]` is the mask of the observation. After the end the
  mask leaves one answer, passing, so that a distribution can be made of it.
- **`info`**: `action_mask`; `seat`, the learner's; and `opponents`, [num_players], which of the opponents plays each seat, as its place in
  the list that was given (`unwrapped.opponent_names` has their names), and -1 where the learner sits.
- **Seeds** are whole numbers from 0 of any size. The first `reset()` without a seed plays the game of the seed that Gymnasium then keeps as
  `unwrapped.np_random_seed`: `reset(seed=...)` with that seed plays it again.
- **Options** are otherwise those of the AEC environment, in `reset` too (`{"game": game}` goes on from a position); `render` shows
  the table as the learner sees it, and with `render_mode="human"` every `reset` and `step` does. A position in which every seat that
  could learn is defeated is refused. A game that ends before the learner is asked at all is played again with the same learner, from
  another seed or from the same position.
- **What a policy or an opponent raises** comes out of `step` or `reset`, of an agent as an AnswerError that names it, and
  the game it left half way cannot be continued: `reset`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Literal, TypeAlias

import gymnasium
import numpy as np

from danmaku_env.arguments import ConfigError, array_of, shown
from danmaku_env.danmaku import DANMAKU_SPEC
from danmaku_env.envs.learners import (
    Learner,
    Opponent,
    check_learners,
    check_opponents,
    choose_seat,
    close_all,
    learner_seats,
    opponent_names,
    random_seats,
    seat_opponents,
    seed_opponents,
)
from danmaku_env.envs.one_game import (
    Observation,
    OneGame,
    check_render_mode,
    config_of,
    illegal_warning,
    number_of,
    observation_space,
    position_of,
    render,
)
from danmaku_env.envs.whole_copies import WholeCopies
from danmaku_env.game import AnyGame, IllegalAction, check_seed, whole_seed
from danmaku_env.machine.records import GAMES_TRIED, TRUNCATED, Array
from danmaku_env.spec import GameSpec

Policy: TypeAlias = Callable[[Observation], int]


class GameSingle(WholeCopies, gymnasium.Env[Any, Any]):
    """One learning seat; a class of it names its `game_spec`. The module docstring says how it behaves."""

    game_spec: ClassVar[GameSpec]

    metadata: dict[str, Any] = {"render_modes": ["human", "ansi", "rgb_array"], "render_fps": 4}  # noqa: RUF012 (Gymnasium's own form)

    def __init__(
        self, *, learner: Learner | Sequence[Learner] = 0, policy: Policy | None = None,
        opponents: Opponent | Sequence[Opponent | None] | None = None, illegal: Literal["loss", "raise"] = "loss",
        render_mode: str | None = None, **options: Any,
    ) -> None:  # fmt: skip
        """`options` are the fields of GameConfig. Raises ConfigError or ValueError on anything else."""
        self.render_mode = check_render_mode(render_mode, self.metadata["render_modes"])
        self.config = config_of(type(self), options)
        self.learners = check_learners(self.config, learner)
        if policy is not None and not callable(policy):
            raise ConfigError(f"policy must be a function of an observation, or None, not {policy!r}")
        if policy is not None and opponents is not None:
            raise ConfigError("policy and opponents both say who plays the other seats; give one of them")
        self.opponents = check_opponents(opponents)
        if illegal not in ("loss", "raise"):
            raise ConfigError(f'illegal must be "loss" or "raise", not {illegal!r}')
        self.policy = policy
        self.illegal = illegal
        self.observation_space = observation_space(self.config)
        self.action_space = gymnasium.spaces.Discrete(self.game_spec.num_actions)
        self.seat = 0
        """The learner's seat in this game."""
        self._game = OneGame(self.config)
        self._rng: Array = np.zeros(1, self.game_spec.record)
        self._mask: Array = np.zeros(self.game_spec.num_actions, np.int8)
        self._players: Array = np.full(self.game_spec.most_seats, -1, np.int64)
        self._random = 0
        self._games_started = 0
        self._running = False
        self._warned = False

    @property
    def opponent_names(self) -> tuple[str, ...]:
        """The names of the opponents, in the order in which `info["opponents"]` counts them."""
        return ("policy",) if self.policy is not None else opponent_names(self.opponents)

    # ---- playing

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, dict[str, Any]]:
        """Start a game and play it up to the learner's first question.

        The seed is the game's, as in `Game.new(config, seed)`, and begins a list of learners anew. Raises ValueError, changing
        nothing, on a bad seed, and on a position that is bad or in which the learner is asked nothing more; and RuntimeError when
        100 games, or the position played 100 times, ended before the learner was asked anything.
        """
        seed = self._kept_seed() if seed is None else whole_seed(seed)
        position = position_of(options, self.config)
        if unknown := [name for name in options or () if name != "game"]:
            raise ValueError(f"the option of reset() is game, not {shown(unknown[0])}")
        learner = self._next_learner(seed, position)
        super().reset(seed=seed)
        self._running = False
        self._rng["rng"][0] = self.np_random.integers(1, 1 << 32, 4, dtype=np.uint32)
        if seed is not None:
            self._games_started = 0
            seed_opponents(self.opponents, np.random.default_rng(seed))
        self._games_started += 1
        for _ in range(GAMES_TRIED):
            self._game.begin(int(self.np_random.integers(1 << 62)) if seed is None else check_seed(seed), position)
            self.seat = choose_seat(self.config, self._game.record, learner, self.np_random)
            self._players = seat_opponents(self.opponents, self.config, self.seat, self.np_random)
            self._random = int(random_seats(self.opponents, self._players))
            self._play_others()
            if self._game.asking == self.seat:
                self._running = True
                if self.render_mode == "human":
                    self.render()
                return self._look()
            seed = None
        origin = "" if position is None else " from this position"
        raise RuntimeError(f"{GAMES_TRIED} games{origin} ended before the learner was asked anything")

    def _kept_seed(self) -> int | None:
        """The seed that Gymnasium keeps, before the first game; None later, and for a generator that was put in its place."""
        return None if self._games_started or self.np_random_seed < 0 else self.np_random_seed

    def _next_learner(self, seed: int | None, position: AnyGame | None) -> Learner:
        """Whose turn it is to learn. Raises ValueError if it has no seat in the position."""
        learner = self.learners[self._games_started % len(self.learners) if seed is None else 0]
        if position is not None:
            learner_seats(self.config, position.record, learner)
        return learner

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Answer for the learner and play on until the learner is asked again, or to the end.

        Raises RuntimeError where no game is under way, and IllegalAction, changing nothing, on an illegal answer with illegal="raise", and
        on an answer that is not an integer.
        """
        if not self._running:
            raise RuntimeError("the game is over, not begun or left half way; call reset()")
        game = self._game
        try:
            game.answer(action)
        except IllegalAction as error:
            if self.illegal == "raise" or number_of(action) is None:
                raise
            if not self._warned:
                gymnasium.logger.warn("%s", illegal_warning("step()", str(error)))
            self._running, self._warned = False, True
            observation, info = self._look()
            return observation, -1.0, True, False, {**info, "illegal": True}
        self._running = False  # a policy or an opponent may raise anything, and what it leaves half way cannot be continued
        self._play_others()
        self._running = game.asking >= 0
        if self.render_mode == "human":
            self.render()
        observation, info = self._look()
        if self._running:
            return observation, 0.0, False, False, info
        truncated = game.outcome == TRUNCATED
        return observation, game.rewards()[self.seat], not truncated, truncated, info

    def _play_others(self) -> None:
        game, seat = self._game, self.seat
        while game.asking >= 0 and game.asking != seat:
            if self.policy is None and self._random >> game.asking & 1:
                game.answer(game.sample(self._rng))
                continue
            who, action = self._ask_other(game.asking)
            try:
                game.answer(action)
            except IllegalAction as error:
                raise IllegalAction(f"{who} answer: {error}") from None

    def _ask_other(self, asked: int) -> tuple[str, Any]:
        """Whose answer it is, in words, and the answer for a seat that does not learn."""
        observation, mask = self._game.observe(asked), self._game.mask()
        if self.policy is not None:
            return "the policy's", self.policy({"observation": observation, "action_mask": mask})
        place = int(self._players[asked])
        opponent = self.opponents[place]
        assert opponent is not None
        given = opponent.answer(self._game.records, np.array([asked]), observation[np.newaxis], mask.view(np.uint8)[np.newaxis])
        answers = array_of(given)
        return f"opponent {place}'s", answers[0] if answers.shape == (1,) else given

    # ---- looking

    def _look(self) -> tuple[Observation, dict[str, Any]]:
        """Observation and info, both with the same new mask; what is written into it changes nothing that is asked later."""
        if self._running:
            self._mask = self._game.mask()
        else:
            self._mask = np.zeros(self.game_spec.num_actions, np.int8)
            self._mask[self.game_spec.pass_action] = 1
        observation = {"observation": self._game.observe(self.seat), "action_mask": self._mask.copy()}
        opponents = self._players[: self.config.num_players].copy()
        return observation, {"action_mask": observation["action_mask"], "seat": self.seat, "opponents": opponents}

    def action_masks(self) -> Array:
        """[N] bool: the learner's legal actions, for sb3_contrib's MaskablePPO; once the game is over only passing."""
        masks: Array = self._mask.astype(np.bool_)
        return masks

    @property
    def game(self) -> Any:
        """A copy of the running game as a `Game`, hidden cards included. Raises RuntimeError before `reset`."""
        if not self._games_started:
            raise RuntimeError("call reset() first")
        return self._game.to_game()

    def render(self) -> Any:
        """The table as the learner sees it: returned as text (ansi) or pixels [height, width, 3] uint8 (rgb_array), or printed (human).

        In human mode `reset` and `step` print it too.
        """
        return render(self.render_mode, lambda: self.game, self.seat)

    def close(self) -> None:
        """End the processes of opponents; one that is asked again starts anew."""
        close_all(self.opponents)


class DanmakuSingle(GameSingle):
    """One learning seat in games of Danmaku!!."""

    game_spec = DANMAKU_SPEC
