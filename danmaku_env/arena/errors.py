"""How things of the arena end early: the one error that a person can put right, and Ctrl-C when it has been spoken of."""


class ArenaError(ValueError):
    """Something the person who asked for it can put right; the message says what."""


class Stopped(KeyboardInterrupt):
    """Ctrl-C, after the person was told what is left and how to go on."""
