"""Agents: one file each, the protocol in `base.py`, agents by name in `registry.py`."""

from danmaku_env.agents.base import Agent, answer, play_out
from danmaku_env.agents.registry import AgentError, make
from danmaku_env.info_states import InfoState, InfoStates

__all__ = ["Agent", "AgentError", "InfoState", "InfoStates", "answer", "make", "play_out"]
