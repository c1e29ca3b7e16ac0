"""RLlib at the table: the environment, the module that masks answers, and the league as a callback. RLlib's new API stack.

An agent of RLlib is a seat, named after the module that answers for it: `learner/3`, `past-2/0`. One module, `learner`, has all seats that
learn; those of past selves are modules that are not trained. Members of the league that are agents by name answer inside the environment,
since they may ask for more than a row of bytes, and RLlib never hears of their seats.

In a step one seat is asked. What a game pays comes at its end, to every seat at once; RLlib adds it to each seat's own last decision.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
import torch
from ray.rllib.callbacks.callbacks import RLlibCallback
from ray.rllib.core.columns import Columns
from ray.rllib.core.distribution.torch.torch_distribution import TorchCategorical
from ray.rllib.core.rl_module.apis.value_function_api import ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from ray.rllib.env.multi_agent_env import MultiAgentEnv
from ray.rllib.utils.metrics import ENV_RUNNER_RESULTS
from torch import Tensor

from danmaku_env import GameConfig
from danmaku_env.agents import base, registry
from danmaku_env.agents.base import Agent, answers_of
from danmaku_env.envs.one_game import OneGame, observation_space
from danmaku_env.info_states import InfoStates
from danmaku_env.machine.records import SEED_BITS, TRUNCATED, Array
from danmaku_env.nets.input_spec import input_spec_of
from danmaku_env.nets.network import Net, Output
from danmaku_env.spec import spec_of
from danmaku_env.training.league import MOST_PAST, PAST, SELF, members_of, priorities, shares_won, with_game

LEARNER = "learner"
"""The module that learns."""
PAST_MODULES = tuple(f"{PAST}-{number}" for number in range(MOST_PAST))
"""The modules of past selves, whether there are any yet or not."""
_NEVER = -1e9
"""The logit of an answer that is not legal: finite, so that nothing that is computed from it is NaN."""
_LEAGUE = "league"
"""Where the results of games against members are, among RLlib's metrics."""


def module_of(agent: str, *_: Any, **__: Any) -> str:
    """The module that answers for an agent of RLlib."""
    return agent.partition("/")[0]


def words_of(opponents: str) -> tuple[list[str], float]:
    """The members that are agents by name, and the share of games that the learner plays alone."""
    words = members_of(opponents)
    return [word for word in words if word not in (SELF, PAST)], words.count(SELF) / len(words)


# ---------------------------------------------------------------- the environment


class TableEnv(MultiAgentEnv):  # type: ignore[misc]
    """One game after another. In each the learner has all seats, or this many of them, and one member of the league the others."""

    _made = itertools.count()
    """Tables of this process."""

    def __init__(self, context: Any) -> None:
        """`context` holds `game` (options of GameConfig), `opponents` (as in league.py), `own` (the learner's seats) and `seed`."""
        super().__init__()
        self.config = GameConfig.from_dict(context["game"])
        self.names, self.by_itself = words_of(context["opponents"])
        self.own = int(context["own"])
        modules = (LEARNER, *PAST_MODULES)
        self.possible_agents = [f"{module}/{seat}" for module in modules for seat in range(self.config.num_players)]
        self.agents = self.possible_agents
        space, actions = observation_space(self.config), gymnasium.spaces.Discrete(spec_of(self.config).num_actions)
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = dict.fromkeys(self.possible_agents, actions)
        self._place = getattr(context, "worker_index", 0), next(self._made)
        self.draw_from(int(context["seed"]))
        self._members: list[Agent] = [registry.make(name, 0) for name in self.names]
        self._game = OneGame(self.config)
        self.odds: Array = np.ones(len(self.names))
        """How likely each member is to be drawn: the agents by name, then all past selves."""
        self.generations: Array = np.zeros(len(self.names) + MOST_PAST, np.int64)
        """How often somebody new has come into each place among the members."""
        self._generation = 0
        """That of the member of this game when it began."""
        self.member = -1
        """The players of the seats that are not the learner's; -1: nobody else plays."""
        self._theirs: Array = np.zeros(self.config.num_players, np.bool_)
        self.ended: list[tuple[int, float]] = []
        """The games against members that have ended: which, and by how much more the learner's seats were paid on average.

        Not those in which the member's place was taken by another meanwhile.
        """

    def draw_from(self, seed: int, life: int = 0) -> None:
        """Random numbers that follow from a seed and belong to no other table: RLlib gives the same seeds to tables of several env runners.

        `life` is that of the env runner: how many of the run had been made anew when it was.
        """
        self.seed, self._life = seed, life
        self._rng = np.random.default_rng([seed, *self._place, life])

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[dict[str, Any], dict[str, Any]]:
        """A new game; its players and their seats are drawn anew."""
        if seed is not None:
            self.draw_from(seed, self._life)
        self._sit()
        self._game.start(int(self._rng.integers(1 << SEED_BITS)))
        self._play_members()
        return (self._asked(), {}) if self._game.asking >= 0 else self.reset()

    def step(self, action_dict: dict[str, Any]) -> tuple[dict[str, Any], ...]:
        """The answer of the seat that is asked, and those of members by name up to the next question to one of RLlib's."""
        (action,) = action_dict.values()
        self._game.answer(int(action))
        self._play_members()
        if self._game.asking >= 0:
            return self._asked(), dict.fromkeys(action_dict, 0.0), {"__all__": False}, {"__all__": False}, {}
        payoffs = self._game.rewards()
        if self.member >= 0 and self.generations[self.member] == self._generation:
            theirs = np.array(payoffs)[self._theirs].mean()
            self.ended.append((self.member, float(np.array(payoffs)[~self._theirs].mean() - theirs)))
        seats = [seat for seat in range(self.config.num_players) if self._is_rllibs(seat)]
        cut = self._game.outcome == TRUNCATED
        rewards = {self._agent(seat): payoffs[seat] for seat in seats}
        return {self._agent(seat): self._seen(seat) for seat in seats}, rewards, {"__all__": not cut}, {"__all__": cut}, {}

    def _sit(self) -> None:
        """Draw who plays, and where."""
        alone = not len(self.odds) or self._rng.random() < self.by_itself
        self.member = -1 if alone else int(self._rng.choice(len(self.odds), p=self.odds / self.odds.sum()))
        self._theirs[:] = False
        if not alone:
            self._generation = int(self.generations[self.member])
            self._theirs[self._rng.permutation(self.config.num_players)[self.own :]] = True
            if self.member < len(self._members):
                base.reset(self._members[self.member], int(self._rng.integers(1 << SEED_BITS)))

    def _is_rllibs(self, seat: int) -> bool:
        return not self._theirs[seat] or self.member >= len(self._members)

    def _agent(self, seat: int) -> str:
        past = self._theirs[seat] and PAST_MODULES[self.member - len(self._members)]
        return f"{past or LEARNER}/{seat}"

    def _play_members(self) -> None:
        """Answer for the member by name until RLlib is asked, or the game is over."""
        game = self._game
        while game.asking >= 0 and not self._is_rllibs(game.asking):
            seat, mask = game.asking, game.mask()
            info_states = InfoStates(game.records, np.array([seat]), self.config)
            asked = game.observe(seat)[np.newaxis], mask.view(np.uint8)[np.newaxis], info_states
            game.answer(int(answers_of(self._members[self.member], *asked)[0]))

    def _asked(self) -> dict[str, Any]:
        return {self._agent(self._game.asking): self._seen(self._game.asking)}

    def _seen(self, seat: int) -> dict[str, Array]:
        mask = self._game.mask() if seat == self._game.asking else np.zeros(self._game.spec.num_actions, np.int8)
        return {"observation": self._game.observe(seat), "action_mask": mask}


# ---------------------------------------------------------------- the module


class MaskedNet(TorchRLModule, ValueFunctionAPI):  # type: ignore[misc]
    """The project's network (nets/network.py) as a module of RLlib. Answers that are not legal have no probability."""

    net: Net

    def setup(self) -> None:
        """Make the network; `model_config` has its width and history, and the expansion where one is played."""
        input_spec = input_spec_of(GameConfig(expansion=self.model_config.get("expansion", "none")))
        self.net = Net(self.model_config["width"], self.model_config["history"], input_spec=input_spec)
        self.action_dist_cls = TorchCategorical

    def get_inference_action_dist_cls(self) -> Any:
        """What answers are drawn from."""
        return TorchCategorical

    get_exploration_action_dist_cls = get_train_action_dist_cls = get_inference_action_dist_cls

    def _forward(self, batch: dict[str, Any], **_: Any) -> dict[str, Tensor]:
        said = self._look(batch)
        # RLlib hands what it knows as EMBEDDINGS on to `compute_values`: the network is asked once
        return {Columns.ACTION_DIST_INPUTS: said.logprobs.clamp(min=_NEVER), Columns.EMBEDDINGS: said.values}

    def _forward_inference(self, batch: dict[str, Any], **_: Any) -> dict[str, Tensor]:
        with torch.no_grad():
            return {Columns.ACTION_DIST_INPUTS: self._look(batch).logprobs.clamp(min=_NEVER)}

    _forward_exploration = _forward_inference

    def compute_values(self, batch: dict[str, Any], embeddings: Tensor | None = None) -> Tensor:
        """[B] the values of positions."""
        return self._look(batch).values if embeddings is None else embeddings

    def _look(self, batch: dict[str, Any]) -> Output:
        seen = batch[Columns.OBS]
        masks = seen["action_mask"] != 0
        masks = masks | ~masks.any(1, keepdim=True)  # after a game nobody is asked, and still no row may be without a number
        rows = seen["observation"].cpu().numpy().astype(np.uint8, copy=False)
        said: Output = self.net(torch.from_numpy(self.net.inputs(rows)).to(masks.device), masks)
        return said


# ---------------------------------------------------------------- the league


class LeagueCallback(RLlibCallback):  # type: ignore[misc]
    """Keeps the results against each member, and tells the tables whom to draw; takes the learner into the league as it is.

    The first half lives with the algorithm, `on_sample_end` with each env runner.
    """

    names: list[str]
    """Members by name."""
    past = 0
    """Past selves so far."""
    made_anew = 0
    """Env runners that were, so far."""
    iterations = 0
    results: Array
    """[members, 2] as in league.py: those by name, then the past selves."""
    generations: Array
    """[members] how often somebody new has come into each place."""

    def on_algorithm_init(self, *, algorithm: Any, **_: Any) -> None:
        """Begin without results."""
        context = algorithm.config.env_config
        self.names, _alone = words_of(context["opponents"])
        self.keeps_past = PAST in members_of(context["opponents"])
        self.remember_every = context["remember_every"]
        self.results = np.zeros((len(self.names) + MOST_PAST, 2))
        self.generations = np.zeros(len(self.results), np.int64)

    def begin(self, algorithm: Any) -> None:
        """The first past self is the learner with which the run begins."""
        if self.keeps_past and not self.past:
            self.remember(algorithm)
        self.tell(algorithm)

    def on_sample_end(self, *, env_runner: Any, metrics_logger: Any, samples: Any, **_: Any) -> None:
        """Report the games that have ended."""
        for table in tables(env_runner):
            for member, lead in table.ended:
                metrics_logger.log_value((_LEAGUE, str(member)), lead, reduce="item_series")
            table.ended.clear()

    def on_train_result(self, *, algorithm: Any, result: dict[str, Any], **_: Any) -> None:
        """Count the games of the iteration, and take the learner along from time to time."""
        for member, leads in result.get(ENV_RUNNER_RESULTS, {}).get(_LEAGUE, {}).items():
            for lead in np.ravel(leads).tolist():
                self.results[int(member)] = with_game(self.results[int(member)], lead)
        self.iterations += 1
        if self.keeps_past and self.iterations % self.remember_every == 0:
            self.remember(algorithm)
        self.tell(algorithm)

    def on_env_runners_recreated(self, *, algorithm: Any, env_runner_indices: Sequence[int], **_: Any) -> None:
        """Tell those that were made anew, on another machine maybe, what they missed; they would deal the lost ones' games again."""
        self.made_anew += len(env_runner_indices)
        begin = functools.partial(_begin_life, self.made_anew)
        algorithm.env_runner_group.foreach_env_runner(begin, local_env_runner=False, remote_worker_ids=list(env_runner_indices))
        self.tell(algorithm)
        self._send(algorithm, self._known_past())

    def won(self) -> Array:
        """[members] what the learner wins against each, 0 to 1."""
        return shares_won(self.results[: len(self.names) + self.past])

    def figures(self) -> dict[str, float]:
        """What the learner wins against each member, from 0 to 1, by its name in the log."""
        names = [*self.names, *self._known_past()]
        return {f"league/{name}": share for name, share in zip(names, self.won().tolist(), strict=True)}

    def remember(self, algorithm: Any) -> None:
        """Take the learner as it is into the league; where that is full, in the place of the past self that wins least."""
        first = len(self.names)
        place = self.past if self.past < MOST_PAST else int(self.won()[first:].argmax())
        self.past = max(self.past, place + 1)
        self.results[first + place] = 0
        self.generations[first + place] += 1
        algorithm.learner_group.foreach_learner(functools.partial(_copy_learner, PAST_MODULES[place]))
        self._send(algorithm, [PAST_MODULES[place]])

    def tell(self, algorithm: Any) -> None:
        """Let every table know whom to draw how often, and who is new."""
        algorithm.env_runner_group.foreach_env_runner(functools.partial(_set_odds, priorities(self.won()), self.generations.copy()))

    def _known_past(self) -> list[str]:
        return list(PAST_MODULES[: self.past])

    def _send(self, algorithm: Any, modules: list[str]) -> None:
        if modules:
            algorithm.env_runner_group.sync_weights(
                policies=modules, from_worker_or_learner_group=algorithm.learner_group, inference_only=True
            )  # fmt: skip


def tables(env_runner: Any) -> list[TableEnv]:
    """The tables of an env runner; the one that stays with the algorithm may have none."""
    return [one.unwrapped for one in env_runner.env.envs] if env_runner.env is not None else []


def _copy_learner(module: str, learner: Any) -> None:
    learner.module[module].load_state_dict(learner.module[LEARNER].state_dict())


def _begin_life(life: int, env_runner: Any) -> None:
    for table in tables(env_runner):
        table.draw_from(table.seed, life)


def _set_odds(odds: Array, generations: Array, env_runner: Any) -> None:
    for table in tables(env_runner):
        table.odds, table.generations = odds, generations
