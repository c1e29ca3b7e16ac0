"""Copies of environments that share nothing with the original."""

from __future__ import annotations

import copy
from typing import Self


class WholeCopies:
    """`copy.copy` copies the running games too: a copy that shared them would play on in the original's."""

    def __copy__(self) -> Self:
        """The same as `copy.deepcopy`."""
        return copy.deepcopy(self)
