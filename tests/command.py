"""Command lines, called in this process."""

from collections.abc import Callable


def exit_status(main: Callable[[list[str]], object], *words: str) -> object:
    """What the shell would see of `main(words)`."""
    try:
        main(list(words))
    except SystemExit as leaving:
        return leaving.code or 0
    return 0
