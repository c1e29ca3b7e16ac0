"""What the site has besides docs/: the front page with a game, CONTRIBUTING, notebooks, pages from docstrings; and links out of docs/."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import griffe
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parent.parent
COPIED = {"index.md": "README.md", "contributing.md": "CONTRIBUTING.md"}
"""Page -> the file of the repository it is."""
NOTEBOOKS = {f"notebooks/{path.stem}.md": path for path in sorted((ROOT / "notebooks").glob("*.ipynb"))}
"""Page -> the notebook it shows."""
REPLAY, PICTURE = "replay.html", "game.gif"
"""A game of agents as a page; it stands on the front page in place of the moving picture."""
GAME = ("--seed", "11", "--players", "6", "--against", "deducer")
FROM_DOCSTRINGS = {
    "api/game.md": ("The game", ["danmaku_env", "danmaku_env.game"], ["danmaku_env.config", "danmaku_env.decoding",
        "danmaku_env.spec", "danmaku_env.wording.Log", "danmaku_env.wording.Event", "danmaku_env.render.picture"]),
    "api/environments.md": ("Environments", [], ["danmaku_env.envs.vector", "danmaku_env.envs.aec", "danmaku_env.envs.single",
        "danmaku_env.envs.gymnasium_vector", "danmaku_env.envs.openspiel"]),
    "api/agents.md": ("Agents", ["danmaku_env.agents"], ["danmaku_env.agents.base", "danmaku_env.info_states",
        "danmaku_env.agents.registry", "danmaku_env.agents.external", "danmaku_env.agents.heuristic", "danmaku_env.agents.deducer",
        "danmaku_env.agents.search", "danmaku_env.agents.neural", "danmaku_env.agents.role_separation"]),
    "api/nets.md": ("Beliefs and nets", [], ["danmaku_env.beliefs.action_likelihood", "danmaku_env.beliefs.inverse_planning",
        "danmaku_env.beliefs.models", "danmaku_env.beliefs.factions", "danmaku_env.agents.by_faction",
        "danmaku_env.nets.network", "danmaku_env.nets.selfplay_nets", "danmaku_env.nets.layered_policy",
        "danmaku_env.nets.input_spec", "danmaku_env.nets.checkpoints"]),
    "api/arena.md": ("The arena", ["danmaku_env.arena.data.record", "danmaku_env.arena.deduction.study"],
        ["danmaku_env.arena.matches.match", "danmaku_env.arena.tournaments.plan", "danmaku_env.arena.tournaments.tournament",
        "danmaku_env.arena.tournaments.tables", "danmaku_env.arena.data.spec", "danmaku_env.estimates", "danmaku_env.console.errors"]),
    "api/benchmark.md": ("The benchmark", [], ["danmaku_env.benchmark.task", "danmaku_env.benchmark.run",
        "danmaku_env.benchmark.result", "danmaku_env.benchmark.board"]),
    "api/training.md": ("Training", [], ["danmaku_env.training.ppo", "danmaku_env.training.sb3", "danmaku_env.training.sb3_maskable",
        "danmaku_env.training.rllib", "danmaku_env.training.rllib_selfplay", "danmaku_env.training.progress_report",
        "danmaku_env.training.seeds", "danmaku_env.console.on_ray"]),
    "api/sister.md": ("Sister games", ["danmaku_env.sister.shisoroku", "danmaku_env.sister.utage"], ["danmaku_env.sister.bots",
        "danmaku_env.sister.learning.selfplay", "danmaku_env.sister.shisoroku.bots", "danmaku_env.sister.shisoroku.learning",
        "danmaku_env.sister.shisoroku.cards.box.KINGDOM_IDS", "danmaku_env.sister.utage.config", "danmaku_env.sister.utage.bots",
        "danmaku_env.sister.utage.tournament", "danmaku_env.sister.utage.learning"]),
}  # fmt: skip
"""Page -> its title, the packages of which every name in `__all__` stands on it, and modules that stand on it as a whole."""
_LINK = re.compile(r"(?P<image>!?)\[(?P<words>[^\]\n]*)\]\((?P<to>[^)\s#]+)(?P<anchor>#[^)\s]*)?\)")
_CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.MULTILINE | re.DOTALL)


def on_files(files: Files, config: Any) -> Files:
    """Add the pages that are not in docs/."""
    for page, source in COPIED.items():
        files.append(File.generated(config, page, content=(ROOT / source).read_text("utf-8")))
    for page, text in _api_pages().items():
        files.append(File.generated(config, page, content=text))
    for page, notebook in NOTEBOOKS.items():
        files.append(File.generated(config, page, content=_notebook(notebook)))
    files.append(File.generated(config, REPLAY, content=_replay()))
    return files


def public_names(package: griffe.Module) -> list[str]:
    """Where each name of its `__all__` is defined."""
    return [package[name].canonical_path for name in package.exports or ()]


def _api_pages() -> dict[str, str]:
    """Every public name stands on one page: where its module stands there as a whole, within that."""
    loaded = griffe.load("danmaku_env", search_paths=[ROOT], resolve_aliases=True, resolve_external=False)
    whole = {module for _, _, modules in FROM_DOCSTRINGS.values() for module in modules}
    pages, said = {}, set(whole)
    for page, (title, packages, modules) in FROM_DOCSTRINGS.items():
        names = [name for package in packages for name in public_names(_inside(loaded, package))]
        alone = [name for name in dict.fromkeys(names) if name not in said and name.rpartition(".")[0] not in whole]
        said.update(alone)
        pages[page] = "\n\n".join([f"# {title}", *(f"::: {thing}" for thing in [*alone, *modules])])
    return pages


def _inside(loaded: griffe.Module, path: str) -> griffe.Module:
    return loaded if path == loaded.path else loaded[path.removeprefix(f"{loaded.path}.")]


def _notebook(path: Path) -> str:
    """A notebook with its results as Markdown."""
    parts = [f"*`notebooks/{path.name}`, with the results of `make notebooks`.*"]
    for cell in json.loads(path.read_text("utf-8"))["cells"]:
        source = "".join(cell["source"])
        parts.append(source if cell["cell_type"] == "markdown" else f"```python\n{source}\n```")
        parts += [_result(output) for output in cell.get("outputs", ())]
    return "\n\n".join(parts)


def _result(output: dict[str, Any]) -> str:
    """What a cell has shown: a picture, HTML or text."""
    data = output.get("data", {"text/plain": output.get("text", "")})
    if "image/png" in data:
        return f'<img alt="result" src="data:image/png;base64,{"".join(data["image/png"].split())}">'
    if "text/html" in data:  # one block, which no empty line ends
        html = re.sub(r"\n\s*", " ", "".join(data["text/html"]))
        return f'<div class="result">{html}</div>'
    return f"```text\n{''.join(data['text/plain']).rstrip()}\n```"


def _replay() -> str:
    """A game of agents, as `danmaku watch --html` writes it."""
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / REPLAY
        command = [sys.executable, "-m", "danmaku_env", "watch", *GAME, "--html", str(page)]
        subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
        return page.read_text("utf-8")


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Links as the site has them: pages by their names here, files of the repository as names. Raises ValueError for a dead link."""
    if page.file.src_uri in NOTEBOOKS:
        return markdown
    docs = ROOT / "docs"
    folder = (ROOT / COPIED.get(page.file.src_uri, f"docs/{page.file.src_uri}")).parent
    pages = {ROOT / source: name for name, source in COPIED.items()} | {path: name for name, path in NOTEBOOKS.items()}

    def here(found: re.Match[str]) -> str:
        target = found["to"]
        if "://" in target:
            return found[0]
        place = (folder / target).resolve()
        if not place.exists():
            raise ValueError(f"{page.file.src_uri}: the link to {target} leads nowhere")
        if place.name == PICTURE:
            return f'<iframe src="{REPLAY}" title="{found["words"]}" style="width:100%;height:50rem;border:0"></iframe>'
        if place in pages:
            place = docs / pages[place]
        if place.is_relative_to(docs):
            to = Path(os.path.relpath(place, (docs / page.file.src_uri).parent)).as_posix()
            return f"{found['image'] if place.suffix != '.md' else ''}[{found['words']}]({to}{found['anchor'] or ''})"
        return f"`{place.relative_to(ROOT).as_posix()}`"

    pieces, at = [], 0
    for code in _CODE.finditer(markdown):
        pieces += [_LINK.sub(here, markdown[at : code.start()]), code[0]]
        at = code.end()
    return "".join([*pieces, _LINK.sub(here, markdown[at:])])
