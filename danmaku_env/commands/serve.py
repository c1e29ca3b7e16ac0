"""`danmaku serve`: tables in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from danmaku_env.console import options
from danmaku_env.console.errors import UserError, needed
from danmaku_env.game import check_folder


def serve(
    host: Annotated[str, typer.Option(help="Address to listen at; 0.0.0.0 lets other machines in.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; a free one when left out.")] = 0,
    agents: Annotated[list[str] | None, typer.Option("--agent", help="An agent to choose in the lobby besides those installed.")] = None,
    games: Annotated[Path, typer.Option(parser=options.path, help="Folder for games, finished or under way.")] = Path("runs/games"),
    show: Annotated[bool, typer.Option("--show/--no-show", help="Open a browser.")] = True,
    names: Annotated[list[str] | None, typer.Option("--name", help="What browsers call it behind a proxy: danmaku.example.")] = None,
    proxies: Annotated[list[str] | None, typer.Option("--proxy", help="Address of that proxy: its X-Forwarded-For says who asks.")] = None,
) -> None:
    """Tables in the browser: people by secret links, agents in the other seats."""
    server = needed("danmaku_env.play.browser.server", "a table in the browser", "serve")
    check_folder(games)
    try:
        server.serve(server.Options(host, port, tuple(agents or ()), games, show, tuple(names or ()), tuple(proxies or ())))
    except server.ServeError as error:
        raise UserError(str(error)) from None
