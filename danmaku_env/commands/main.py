"""The `danmaku` command: play, watch, serve, speed, cards, train, tournament, record, deduce, bench. Above all else: nothing imports it."""

from __future__ import annotations

from collections.abc import Sequence

from danmaku_env.commands import bench, cards, deduce, play, record, serve, sister, speed, tournament, train, watch
from danmaku_env.commands.app import app
from danmaku_env.console import startup

for command in (cards.cards, play.play, watch.watch, serve.serve, speed.speed):
    app.command()(command)
_HANDED_ON = {"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []}
"""Settings of commands that hand all their options on."""
app.command(context_settings=_HANDED_ON)(train.train)
for command in (tournament.tournament, record.record, deduce.deduce):
    app.command()(command)
app.add_typer(bench.bench, name="bench")
app.command(context_settings=_HANDED_ON)(sister.shisoroku)


def main(arguments: Sequence[str] | None = None) -> None:
    """The command; `arguments` are those of the process when left out. Raises SystemExit with the exit status."""
    if arguments is None:
        startup.begin()
    app(args=None if arguments is None else list(arguments), prog_name="danmaku")


if __name__ == "__main__":
    main()
