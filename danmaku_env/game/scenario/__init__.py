"""A position set up by hand: `Scenario`, imported from `danmaku_env` or `danmaku_env.game`.

scenario.py takes the words and refuses what describes nothing; description.py is what was said; dealing.py finds roles and physical
cards for it; position.py makes the record, refuses what cannot be, and runs to the first question. What follows is an ordinary `Game`.
"""

from danmaku_env.game.scenario.scenario import Scenario

__all__ = ["Scenario"]
