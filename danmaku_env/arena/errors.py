"""The one error of the arena that a person can put right; everything below it is raised as this, with a sentence."""


class ArenaError(ValueError):
    """Something the person who asked for it can put right; the message says what."""
