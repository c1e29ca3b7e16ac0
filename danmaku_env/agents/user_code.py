"""Guards around user code: whatever it raises becomes a sentence that names it and says what it did wrong.

An agent can end nothing but itself, whatever it tries. Only what comes from outside passes through: Ctrl-C, and the clock of the caller.
Messages of user code are reduced to one printable line, since a terminal obeys other characters.
"""

from __future__ import annotations

import signal
import threading
import traceback
from collections.abc import Callable
from types import TracebackType

from danmaku_env.arguments import printable

_LONGEST = 1000
"""Characters of a message that are said."""


class TimeUp(BaseException):
    """Raised inside an agent that has used up its time; no Exception, so that agents do not catch it by accident."""


def words_of(error: BaseException) -> str:
    """What kind of error it is and what it says, cut short; whatever its own words do, this does not fail."""
    kind = type(error).__name__
    try:
        said = str(error)
    except BaseException as another:
        if is_from_outside(another):
            raise
        said = "what it says cannot be said"
    return printable(f"{kind}: {said[:_LONGEST]}" if said else kind)[:_LONGEST]


def is_from_outside(error: BaseException) -> bool:
    """Whether it was raised by nothing that an agent did: its time is up, or somebody pressed Ctrl-C.

    A handler written in Python, as our commands have, stands last in the trace of a Ctrl-C. Where Ctrl-C is not heard, and in a thread,
    nobody pressed it; with Python's own handler nothing tells one KeyboardInterrupt from another, and each is taken for it.
    """
    if not isinstance(error, KeyboardInterrupt):
        return isinstance(error, TimeUp)
    handler = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(handler):
        return False
    code = getattr(handler, "__code__", None)
    return code is None or any(place.f_code is code for place, _ in traceback.walk_tb(error.__traceback__))


class UserCode:
    """A context: what is raised within becomes what `refusal` makes of it; errors of the kinds that `passing` names do not."""

    def __init__(self, refusal: Callable[[BaseException], Exception], *, passing: tuple[type[Exception], ...] = ()) -> None:
        """`refusal` is given what was raised."""
        self._refusal, self._passing = refusal, passing

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if error is not None and not isinstance(error, self._passing) and not is_from_outside(error):
            raise self._refusal(error) from error  # a class, and no generator: such a one would let StopIteration through
