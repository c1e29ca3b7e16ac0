"""The population: nets of other seeds, recipes and strengths, as opponents by name (`population:3`) and as partners held out of training.

Its files lie in `population/` of a checkout, outside the package; `DANMAKU_POPULATION`, or `--population` of `danmaku bench run`, names
another folder.
"""

from __future__ import annotations

import os
from pathlib import Path

import danmaku_env
from danmaku_env.arguments import shown

VARIABLE = "DANMAKU_POPULATION"
"""The environment variable that names the folder."""
_CHECKOUT = Path(danmaku_env.__file__).resolve().parent.parent / "population"


def folder() -> Path:
    """Where the population lies, whether it is there or not."""
    return Path(os.environ.get(VARIABLE) or _CHECKOUT)


def numbers() -> list[int]:
    """The members that are there."""
    return sorted(int(path.stem) for path in folder().glob("*.safetensors") if path.stem.isdecimal())


def member(number: str) -> Path:
    """The file of a member. Raises LookupError, with a sentence, for an unknown member."""
    there = numbers()
    if not there:
        raise LookupError(f"{folder()} holds no population: it comes with a checkout, and --population or {VARIABLE} names its folder")
    if number not in map(str, there):
        raise LookupError(f"the members of the population in {folder()} are {there[0]} to {there[-1]}, not {shown(number)}")
    return folder() / f"{number}.safetensors"
