"""What the table is drawn with, where an encoding lacks it: plain marks. It imports next to nothing, since every command begins with it."""

from __future__ import annotations

import codecs

ASCII_FALLBACK = "danmaku.ascii"
"""The error handler that writes plain marks, and a question mark for everything else that an encoding lacks."""
_PLAIN = {"♥": "*", "♡": "-", "▶": ">", "×": "x", "·": "-", "…": "~"}
"""One character for one, so that columns stay columns."""


def _write_plainly(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(_PLAIN.get(letter, "?") for letter in error.object[error.start : error.end]), error.end


codecs.register_error(ASCII_FALLBACK, _write_plainly)


def encodable(words: str, encoding: str | None) -> str:
    """The words as a stream of this encoding can carry them; all of them where it has none."""
    return words.encode(encoding, ASCII_FALLBACK).decode(encoding) if encoding else words
