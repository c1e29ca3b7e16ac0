"""A disk that is full, for tests of what is said then."""

import errno
import os


def no_space(*_, **__):
    """What writing a file comes to there."""
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
