"""Names for `pettingzoo.make` and `gymnasium.make`, known as soon as `danmaku_env` is imported.

Neither library looks for installed environments by itself. Gymnasium imports a package named before a colon:
`gymnasium.make("danmaku_env:danmaku/Danmaku-v0")` needs no import; `pettingzoo.make` needs `import danmaku_env`.
"""

from __future__ import annotations

import gymnasium
import pettingzoo

PETTINGZOO_ID = "danmaku/danmaku-v0"
"""`pettingzoo.make("aec", ...)` also takes it with an underscore: danmaku/danmaku_v0."""
GYMNASIUM_ID = "danmaku/Danmaku-v0"


def register() -> None:
    """Make both names known; a second call does nothing."""
    if GYMNASIUM_ID not in gymnasium.registry:
        # by their names only, so that importing the package loads no agents: opponents can be named
        gymnasium.register(
            GYMNASIUM_ID, entry_point="danmaku_env.agents.opponents:single", vector_entry_point="danmaku_env.agents.opponents:vector"
        )
    if PETTINGZOO_ID not in pettingzoo.aec_registry:
        pettingzoo.register("aec", PETTINGZOO_ID, "danmaku_env.danmaku_v0:env")
