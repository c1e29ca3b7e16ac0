"""A language model as an agent: an example to start from. It reads the table in prose and answers with the name of a legal answer.

    python -m danmaku_env.agents.language_model --url http://localhost:8000/v1 --model my-model --games 4
    danmaku bench run strength-basic4-v1 --quick --agent "danmaku_env.agents.language_model:LanguageModelAgent:url=...,model=..."

Anything that speaks the usual JSON of chat completions will do. What the model writes is treated as text only: the last line that
is the name of a legal answer counts. If there is none, the model is told so and asked again; after some attempts a random legal answer is
given, and counted.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from danmaku_env import Game, GameConfig
from danmaku_env.agents.base import Agent, play_out
from danmaku_env.agents.registry import AgentError, make
from danmaku_env.arguments import shown
from danmaku_env.info_states import InfoState, InfoStates
from danmaku_env.machine.records import Array
from danmaku_env.wording import name_meant

INSTRUCTIONS = (
    "You play a seat in Danmaku!!, a card game with hidden roles. You are told all that your seat knows. Think briefly; then write, "
    "alone on the last line, exactly one of the listed answers by its name, such as: choose seat:2"
)
_MILLION = 1_000_000
_LONGEST = 1 << 20
"""Bytes of a reply that are read."""


@dataclass
class Usage:
    """What was asked of the model, and what it cost."""

    questions: int = 0
    calls: int = 0
    failed: int = 0
    """Calls without a reply, such as one that was refused or took too long."""
    unread: int = 0
    """Replies without a legal answer."""
    random: int = 0
    """Questions that were answered at random in the end."""
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float = 0.0
    """In the currency of the prices."""

    def since(self, earlier: Usage) -> Usage:
        """What has come on top."""
        return Usage(**{name: value - getattr(earlier, name) for name, value in asdict(self).items()})


class LanguageModelAgent:
    """Asks a chat model for every answer, one game after the other."""

    name = "language model"

    def __init__(
        self,
        url: str,
        model: str,
        seed: int = 0,
        *,
        key: str = "",
        attempts: int = 3,
        seconds: float = 60.0,
        price_in: float = 0.0,
        price_out: float = 0.0,
    ) -> None:
        """`url` ends before `/chat/completions`; `key` names the environment variable that holds the key, if one is needed.

        `attempts` for each question, `seconds` for each call, prices for a million tokens. Raises ValueError for what makes no sense.
        """
        if not url.startswith(("http://", "https://")):
            raise ValueError(f"url is the address of a model, such as http://localhost:8000/v1, not {shown(url)}")
        if key and key not in os.environ:
            raise ValueError(f"there is no environment variable {shown(key)} with the key")
        if attempts < 1 or seconds <= 0:
            raise ValueError("a question needs at least one attempt, and a call some time")
        self._url, self._model, self._key = f"{url.rstrip('/')}/chat/completions", model, key
        self._attempts, self._seconds, self._prices = attempts, seconds, (price_in, price_out)
        self.name = f"language model {model}"
        self.usage = Usage()
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Seed the answers that are given at random; what was used is not forgotten."""
        self._rng = np.random.default_rng(seed)

    def act(self, observations: Array, masks: Array, info_states: InfoStates | None = None) -> Array:
        """[B] answers, one after the other. Raises ValueError without information states."""
        if info_states is None:
            raise ValueError("a language model is told more than the observation: it needs the information states")
        chosen: Array = np.array([self._ask(state, mask) for state, mask in zip(info_states, masks, strict=True)], np.int64)
        return chosen

    def _ask(self, state: InfoState, mask: Array) -> int:
        """A legal answer: the model's, or a random one where it gives none."""
        self.usage.questions += 1
        legal = {state.name(int(action)): int(action) for action in np.flatnonzero(mask)}
        said = [{"role": "system", "content": INSTRUCTIONS}, {"role": "user", "content": state.describe()}]
        for attempt in range(self._attempts):
            reply = self._call(said, attempt)
            if reply is None:
                continue
            if (action := read_answer(reply, legal)) is not None:
                return action
            self.usage.unread += 1
            wrong = f"That names no legal answer. Write one of these alone on the last line: {', '.join(legal)}"
            said += [{"role": "assistant", "content": reply}, {"role": "user", "content": wrong}]
        self.usage.random += 1
        return int(self._rng.choice(np.flatnonzero(mask)))

    def _call(self, said: Sequence[dict[str, str]], attempt: int) -> str | None:
        """The model's reply, or None where none came; a later attempt waits a moment first, longer each time."""
        time.sleep(min(10.0, (2.0**attempt - 1) / 4))
        self.usage.calls += 1
        body = json.dumps({"model": self._model, "messages": list(said)}).encode()
        head = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {os.environ[self._key]}"} if self._key else {})
        try:
            with urllib.request.urlopen(urllib.request.Request(self._url, body, head), timeout=self._seconds) as response:
                data = json.loads(response.read(_LONGEST))
            reply = data["choices"][0]["message"]["content"]
        except urllib.error.HTTPError as error:
            if error.code in (400, 401, 403, 404):
                raise AgentError(f"{self._url} refuses to answer: {error.code} {error.reason}") from None
            reply = None
        except (OSError, ValueError, KeyError, IndexError, TypeError):
            reply = None
        if not isinstance(reply, str):
            self.usage.failed += 1
            return None
        self._count(data.get("usage"))
        return reply

    def _count(self, usage: Any) -> None:
        """Count the tokens that the model says it has used."""
        told = usage if isinstance(usage, dict) else {}
        tokens = [told.get(name) for name in ("prompt_tokens", "completion_tokens")]
        first, second = (number if type(number) is int and number >= 0 else 0 for number in tokens)
        self.usage.tokens_in += first
        self.usage.tokens_out += second
        self.usage.cost += (first * self._prices[0] + second * self._prices[1]) / _MILLION


_SIGNS = "`*_\"'.- \t"
"""What a model may put around an answer."""
_ANSWER = re.compile(rf"^[{re.escape(_SIGNS)}]*answer[{re.escape(_SIGNS)}]*:", re.IGNORECASE)


def read_answer(reply: str, legal: dict[str, int]) -> int | None:
    """The action that the last line with the name of a legal answer names; None where no line does."""
    for line in reversed(reply.splitlines()):
        words = _ANSWER.sub("", line).strip(_SIGNS)
        name = words if words in legal else name_meant(words)
        if name in legal:
            return legal[name]
    return None


# ---------------------------------------------------------------- games, and what each costs


def play_games(agent: LanguageModelAgent, games: int, config: GameConfig, against: str = "heuristic") -> None:
    """Play games with the model in one seat, another one in each game, and say what each paid and cost."""
    paid, total = 0, Usage(**asdict(agent.usage))
    for number in range(games):
        before, seat = Usage(**asdict(agent.usage)), number % config.num_players
        agents: list[Agent] = [make(against, number) for _ in range(config.num_players)]
        agents[seat] = agent
        game = play_out(Game.new(config, number), agents)
        used, reward = agent.usage.since(before), (seat in game.winners) * 2 - 1 if game.winners else 0
        paid += reward
        print(f"game {number}: {reward:+d} in seat {seat}; {used.questions} questions, {used.calls} calls, cost {used.cost:.4f}")
    used = agent.usage.since(total)
    at_random = f"{used.random} of {used.questions} answered at random"
    print(f"{games} games: reward {paid / games:+.2f}; cost {used.cost / games:.4f} a game; {at_random}")


def main(arguments: Sequence[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m danmaku_env.agents.language_model", description="Play games with a language model.")
    parser.add_argument("--url", required=True, help="where the model is asked, such as http://localhost:8000/v1")
    parser.add_argument("--model", required=True, help="the name of the model")
    parser.add_argument("--key", default="", help="the environment variable that holds the key")
    parser.add_argument("--games", type=int, default=4)
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--price-in", type=float, default=0.0, help="price of a million tokens that are read")
    parser.add_argument("--price-out", type=float, default=0.0, help="price of a million tokens that are written")
    given = parser.parse_args(arguments)
    agent = LanguageModelAgent(given.url, given.model, key=given.key, price_in=given.price_in, price_out=given.price_out)
    play_games(agent, given.games, GameConfig(num_players=given.players, characters="random"))


if __name__ == "__main__":
    main()
