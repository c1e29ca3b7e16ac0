"""How commands end early: what a person can put right or should know, in one sentence, and Ctrl-C when it has been reported."""

from __future__ import annotations

import importlib
from types import ModuleType


class Sentence(Exception):  # noqa: N818 - it reads as what it is
    """An error whose message is a sentence for the person; a command prints it and no traceback."""


class UserError(Sentence, ValueError):
    """Something the person who asked for it can put right; the message says what."""


class Notice(UserWarning):
    """A warning that a command prints as a line of its own."""


class Stopped(KeyboardInterrupt):
    """Ctrl-C, after the person was told what is kept and how to go on."""


def needed(module: str, what: str, extra: str, *later: str) -> ModuleType:
    """A module whose libraries need not be installed; `later` are those that it imports only at the end of its work.

    Raises UserError that says what to install.
    """
    try:
        return [importlib.import_module(name) for name in (*later, module)][-1]
    except ModuleNotFoundError as error:
        raise UserError(f"{what} needs the package {error.name}: pip install 'danmaku-env[{extra}]'") from None
