"""How commands end early: whatever goes wrong is one sentence on stderr that begins with the command's name, and an exit status.

Every command of the project is one of the two classes here. It names only itself and the errors that a person can put right.
"""

from __future__ import annotations

import contextlib
import sys
import warnings
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperCommand, TyperGroup

from danmaku_env.arguments import printable
from danmaku_env.console.errors import Notice, Sentence, Stopped, UserError
from danmaku_env.console.startup import COMMAND, is_full, let_go_of_full_streams, open_closed_streams

BAD_USAGE = 2
"""Exit status of anything the person can put right."""
STOPPED = 130
"""Exit status after Ctrl-C."""
_CLICK_ERROR: type[Exception] = typer.BadParameter.__mro__[2]  # click's, or that of the copy typer carries
if TYPE_CHECKING:
    _Command = TyperCommand
else:
    _Command = object


class _CliErrors(_Command):
    """What both classes do; each stands before the class of typer's that it is."""

    program = COMMAND
    """The name that every sentence begins with."""
    user_errors: tuple[type[Exception], ...] = ()
    """Errors besides `Sentence` whose message is a sentence for the person; all others are ours, with a traceback."""
    _heard: KeyboardInterrupt | None = None

    def invoke(self, ctx: Any) -> Any:
        """Carry out the command."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as stop:  # typer makes a status of it, and nobody would know whether it was spoken of
            self._heard = stop
            raise

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        """Run the command line and exit; with `standalone_mode` off, return or raise."""
        if not standalone_mode:
            return super().main(args, prog_name, complete_var, False, windows_expand_args, **extra)
        self._heard = None
        open_closed_streams()
        try:
            if any("\0" in word for word in (sys.argv[1:] if args is None else args)):
                raise UserError("an argument holds the character NUL, which no name or number can")
            with self._warnings_in_one_sentence():
                status = super().main(args, prog_name, complete_var, False, windows_expand_args, **extra)
            sys.stdout.flush()
        except typer.Abort as abort:  # what typer makes of an input that ended where nobody foresaw it
            raise abort.__cause__ or abort from None
        except Exception as error:
            if (words := self._words(error)) is None:
                raise
            self._say(words)
            sys.exit(BAD_USAGE)
        finally:
            let_go_of_full_streams()
        if status == STOPPED and not isinstance(self._heard, Stopped):  # also where typer hears it, before and after the command
            self._say("stopped")
        sys.exit(status if isinstance(status, int) else 0)

    @contextlib.contextmanager
    def _warnings_in_one_sentence(self) -> Iterator[None]:
        with warnings.catch_warnings():
            warnings.simplefilter("always", Notice)
            others = warnings.showwarning

            def show(message: Warning | str, category: type[Warning], *where: Any, **more: Any) -> None:
                if issubclass(category, Notice):
                    self._say(str(message))
                else:
                    others(message, category, *where, **more)

            warnings.showwarning = show
            yield

    def _say(self, words: str) -> None:
        with contextlib.suppress(OSError):  # where nothing can be said, the exit status is left
            print(f"{self.program}: {' '.join(printable(words).split())}", file=sys.stderr)

    def _words(self, error: Exception) -> str | None:
        """What the person is told of an error; None for an error that a person cannot put right."""
        if isinstance(error, _CLICK_ERROR):
            return str(error.format_message())  # type: ignore[attr-defined]
        if isinstance(error, MemoryError) or _is_short_of_memory(error):
            return "this takes more memory than there is"
        if isinstance(error, RuntimeError) and _NO_THREAD in str(error):
            return "no further thread can be started: the system allows this user no more"
        if isinstance(error, OSError) and error.strerror:
            if error.filename:
                return f"{error.filename}: {error.strerror}"
            return f"{error.strerror}: the output of this command cannot be written" if is_full(sys.stdout) else error.strerror
        return str(error) if isinstance(error, (Sentence, OSError, *self.user_errors)) else None


class CliCommand(_CliErrors, TyperCommand):
    """A command of its own."""


class CliGroup(_CliErrors, TyperGroup):
    """A command that consists of commands."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """List the commands with the whole first paragraph of each: click would cut it to one line."""
        found = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        rows = [(name, " ".join((one.help or "").partition("\n\n")[0].split())) for name, one in found if one and not one.hidden]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


def _is_short_of_memory(error: Exception) -> bool:
    """Whether torch says that there is no more memory, of the machine or the GPU: told by words, since torch may not be loaded here."""
    name = type(error).__name__
    return isinstance(error, RuntimeError) and (name == "OutOfMemoryError" or any(words in str(error) for words in _TORCH_IS_SHORT))


_NO_THREAD = "can't start new thread"
"""What Python says."""
_TORCH_IS_SHORT = (
    "can't allocate memory", "not enough memory", "Storage size calculation overflowed", "CUDA out of memory", "CUDA error: out of memory",
)  # fmt: skip
