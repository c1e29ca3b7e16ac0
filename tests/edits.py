"""Files with a passage replaced, for tests of what an edit changes."""

import contextlib


@contextlib.contextmanager
def edited(path, old, new):
    """The file with its first `old` replaced by `new`; afterwards it is as before."""
    before = path.read_text("utf-8")
    assert old in before
    path.write_text(before.replace(old, new, 1), "utf-8")
    try:
        yield
    finally:
        path.write_text(before, "utf-8")
