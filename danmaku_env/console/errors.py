"""How commands end early: what a person can put right or should know, in one sentence, and Ctrl-C when it has been reported."""


class Sentence(Exception):  # noqa: N818 - it reads as what it is
    """An error whose message is a sentence for the person; a command prints it and no traceback."""


class UserError(Sentence, ValueError):
    """Something the person who asked for it can put right; the message says what."""


class Notice(UserWarning):
    """A warning that a command prints as a line of its own."""


class Stopped(KeyboardInterrupt):
    """Ctrl-C, after the person was told what is kept and how to go on."""
