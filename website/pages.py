"""What the site has besides docs/: the front page, CONTRIBUTING, and pages made from docstrings; and links that lead out of docs/."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parent.parent
COPIED = {"index.md": "README.md", "contributing.md": "CONTRIBUTING.md"}
"""Page -> the file of the repository it is."""
FROM_DOCSTRINGS = {
    "api/game.md": ("The game", ["danmaku_env.game.game.Game", "danmaku_env.game.seat.Seat", "danmaku_env.config",
        "danmaku_env.game.scenario.scenario.Scenario", "danmaku_env.game.replay.Replay", "danmaku_env.game.worlds",
        "danmaku_env.decoding", "danmaku_env.wording.Log", "danmaku_env.wording.Event", "danmaku_env.game.errors"]),
    "api/environments.md": ("Environments", ["danmaku_env.envs.vector", "danmaku_env.envs.aec", "danmaku_env.envs.single",
        "danmaku_env.envs.gymnasium_vector", "danmaku_env.envs.openspiel"]),
    "api/agents.md": ("Agents", ["danmaku_env.agents.base", "danmaku_env.agents.registry", "danmaku_env.agents.external",
        "danmaku_env.agents.heuristic", "danmaku_env.agents.deducer", "danmaku_env.agents.search", "danmaku_env.agents.neural"]),
    "api/arena.md": ("The arena", ["danmaku_env.arena.matches.match", "danmaku_env.arena.tournaments.plan",
        "danmaku_env.arena.tournaments.tournament", "danmaku_env.arena.data.plan", "danmaku_env.arena.data.record"]),
    "api/training.md": ("Training", ["danmaku_env.training.sb3", "danmaku_env.training.sb3_maskable", "danmaku_env.training.rllib",
        "danmaku_env.training.rllib_selfplay", "danmaku_env.training.evaluate"]),
}  # fmt: skip
"""Page -> its title, and what stands on it."""
_LINK = re.compile(r"(?P<image>!?)\[(?P<words>[^\]\n]*)\]\((?P<to>[^)\s#]+)(?P<anchor>#[^)\s]*)?\)")
_CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.MULTILINE | re.DOTALL)


def on_files(files: Files, config: Any) -> Files:
    """Add the pages that are not in docs/."""
    for page, source in COPIED.items():
        files.append(File.generated(config, page, content=(ROOT / source).read_text("utf-8")))
    for page, (title, things) in FROM_DOCSTRINGS.items():
        text = "\n\n".join([f"# {title}", *(f"::: {thing}" for thing in things)])
        files.append(File.generated(config, page, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Links as the site has them: pages by their names here, files of the repository as names. Raises ValueError for a dead link."""
    folder = (ROOT / COPIED[page.file.src_uri]).parent if page.file.src_uri in COPIED else ROOT / "docs"
    pages = {ROOT / source: name for name, source in COPIED.items()}

    def here(found: re.Match[str]) -> str:
        target = found["to"]
        if "://" in target:
            return found[0]
        place = (folder / target).resolve()
        if not place.exists():
            raise ValueError(f"{page.file.src_uri}: the link to {target} leads nowhere")
        if place in pages:
            return f"[{found['words']}]({pages[place]}{found['anchor'] or ''})"
        if place.is_relative_to(ROOT / "docs"):
            return f"{found['image']}[{found['words']}]({place.relative_to(ROOT / 'docs').as_posix()}{found['anchor'] or ''})"
        return f"`{place.relative_to(ROOT).as_posix()}`"

    pieces, at = [], 0
    for code in _CODE.finditer(markdown):
        pieces += [_LINK.sub(here, markdown[at : code.start()]), code[0]]
        at = code.end()
    return "".join([*pieces, _LINK.sub(here, markdown[at:])])
