"""What is known by name as soon as `danmaku_env` is imported, and loaded when it is wanted: environments, and what draws a game.

Neither Gymnasium nor PettingZoo looks for installed environments by itself. Gymnasium imports a package named before a colon:
`gymnasium.make("danmaku_env:danmaku/Danmaku-v0")` needs no import; `pettingzoo.make`, which PettingZoo has from 1.27 on, needs
`import danmaku_env`.
"""

from __future__ import annotations

import gymnasium
import pettingzoo

from danmaku_env import views
from danmaku_env.named_tables import NAMED_TABLES, TABLE_OF_ID

PETTINGZOO_ID = "danmaku/danmaku-v0"
"""`pettingzoo.make("aec", ...)` also takes it with an underscore: danmaku/danmaku_v0."""
GYMNASIUM_ID = "danmaku/Danmaku-v0"
_DRAWERS = {
    views.PROSE: "danmaku_env.render.prose:describe",
    views.TABLE: "danmaku_env.render.html:game_page",
    views.REPLAY: "danmaku_env.play.replay_page:replay_page",
    views.TEXT: "danmaku_env.render.ansi:table",
    views.PICTURE: "danmaku_env.render.picture:picture",
}


_SISTERS = ("shisoroku", "utage")
"""Games that are loaded when they are named: danmaku/shisoroku-v0 for PettingZoo, danmaku/Shisoroku-v0 for Gymnasium, and so on."""
_NAMED: dict[str, dict[str, str]] = {f"danmaku/{name}": {TABLE_OF_ID: name} for name in NAMED_TABLES}
"""Ids of the tables with names, in both registries, and their options. No option of the game can be said beside them but `history`."""


def register() -> None:
    """Make all names known; a second call does nothing."""
    views.register_views("danmaku", _DRAWERS)
    for name, options in {GYMNASIUM_ID: {}, **_NAMED}.items():
        if name not in gymnasium.registry:
            # by their names only, so that importing the package loads no agents: opponents can be named
            single, vector = "danmaku_env.agents.opponents:single", "danmaku_env.agents.opponents:vector"
            gymnasium.register(name, entry_point=single, vector_entry_point=vector, kwargs=options)
    for name in _SISTERS:
        sister, named = f"danmaku_env.sister.{name}", f"danmaku/{name.capitalize()}-v0"
        views.register_views(name, {views.TEXT: f"{sister}.text:table", views.PROSE: f"{sister}.text:describe"})
        if named not in gymnasium.registry:
            gymnasium.register(named, entry_point=f"{sister}.faces:single", vector_entry_point=f"{sister}.faces:vector")
    known = getattr(pettingzoo, "aec_registry", None)  # before 1.27 PettingZoo has no registry, and no make
    for name, options in {PETTINGZOO_ID: {}, **_NAMED}.items():
        if known is not None and name not in known:
            pettingzoo.register("aec", name, "danmaku_env.danmaku_v0:env", kwargs=options)
    for name in _SISTERS:
        if known is not None and f"danmaku/{name}-v0" not in known:
            pettingzoo.register("aec", f"danmaku/{name}-v0", f"danmaku_env.{name}_v0:env")
