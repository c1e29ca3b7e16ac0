"""What is known by name as soon as `danmaku_env` is imported, and loaded when it is wanted: environments, and what draws a game.

Neither Gymnasium nor PettingZoo looks for installed environments by itself. Gymnasium imports a package named before a colon:
`gymnasium.make("danmaku_env:danmaku/Danmaku-v0")` needs no import; `pettingzoo.make`, which PettingZoo has from 1.27 on, needs
`import danmaku_env`.
"""

from __future__ import annotations

import gymnasium
import pettingzoo

from danmaku_env import views

PETTINGZOO_ID = "danmaku/danmaku-v0"
"""`pettingzoo.make("aec", ...)` also takes it with an underscore: danmaku/danmaku_v0."""
GYMNASIUM_ID = "danmaku/Danmaku-v0"
_DRAWERS = {
    views.PROSE: "danmaku_env.render.prose:describe",
    views.TABLE: "danmaku_env.render.html:game_page",
    views.FILM: "danmaku_env.play.replay_page:replay_page",
    views.TEXT: "danmaku_env.render.ansi:table",
    views.PICTURE: "danmaku_env.render.picture:frame",
}


def register() -> None:
    """Make all names known; a second call does nothing."""
    views.show_with("danmaku", _DRAWERS)
    if GYMNASIUM_ID not in gymnasium.registry:
        # by their names only, so that importing the package loads no agents: opponents can be named
        gymnasium.register(
            GYMNASIUM_ID, entry_point="danmaku_env.agents.opponents:single", vector_entry_point="danmaku_env.agents.opponents:vector"
        )
    if PETTINGZOO_ID not in getattr(pettingzoo, "aec_registry", {PETTINGZOO_ID}):  # before 1.27 PettingZoo has no registry, and no make
        pettingzoo.register("aec", PETTINGZOO_ID, "danmaku_env.danmaku_v0:env")
