"""Command lines, called in this process."""

from collections.abc import Callable
from typing import Any

from danmaku_env.console.options import flat, from_flat


def exit_status(main: Callable[[list[str]], object], *words: str) -> object:
    """What the shell would see of `main(words)`."""
    try:
        main(list(words))
    except SystemExit as leaving:
        return leaving.code or 0
    return 0


def told(options: type, **given: object) -> Any:
    """The options of a command by the names they have on its command line, the others as usual."""
    return from_flat(options, flat(options()) | given)
