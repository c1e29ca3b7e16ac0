"""Ray, for work on many machines: joined for a while, and left as it was found."""

from __future__ import annotations

import contextlib
import importlib
import logging
import os
import re
import socket
from collections.abc import Iterator
from typing import Any

from danmaku_env.arguments import shown
from danmaku_env.console.errors import UserError

OBJECTS = 200 << 20
"""Bytes of shared memory for the objects of a Ray of our own, where what is sent about is small."""
_ADDRESS = re.compile(r"[^/]+:[0-9]{1,5}")
_PATIENCE = 5.0
"""Seconds in which the head of a cluster answers; Ray itself would wait for minutes."""
_DEFAULTS = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0", "RAY_agent_register_timeout_ms": "120000"}
"""Nothing is told to anybody, the graphics cards that a process sees are left alone, and Ray has time to start on a busy machine."""


@contextlib.contextmanager
def cluster(address: str = "", *, cores: int | None = None, objects: int = OBJECTS) -> Iterator[Any]:
    """The module `ray`, connected to the cluster at the address, or at RAY_ADDRESS; else to a Ray of this machine alone, for as long.

    That one has this many cores, all there are by default, and this many bytes for objects. Where this process is connected
    already, it stays so. Raises UserError.
    """
    ray = load()
    if ray.is_initialized():
        if address:
            raise UserError("this process is connected to Ray already: leave the address out")
        yield ray
        return
    where = address or os.environ.get("RAY_ADDRESS") or "local"
    _check_answers(where)
    own = {"num_cpus": cores, "include_dashboard": False, "object_store_memory": objects} if where == "local" else {}
    try:
        ray.init(address=where, log_to_driver=False, logging_level=logging.ERROR, **own)
    except Exception as error:  # that is what Ray raises when it cannot start, and other kinds when it cannot join
        what = "Ray could not be started here" if where == "local" else f"the Ray cluster at {where} could not be joined"
        raise UserError(f"{what}: {first_line(error)}") from None
    try:
        yield ray
    finally:
        ray.shutdown()


def _check_answers(address: str) -> None:
    """Raise UserError where no head answers at the address, and for an invalid address."""
    if address in ("local", "auto"):
        return
    if not _ADDRESS.fullmatch(address):
        raise UserError(
            f"the address of a Ray cluster is host:port of its head, or auto on a machine that belongs to it, not {shown(address)}"
        )
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host, int(port)), _PATIENCE).close()
    except (OSError, OverflowError, ValueError) as error:  # ValueError: no host can have the name
        raise UserError(f"there is no Ray cluster to join at {address}: {error}") from None


def load() -> Any:
    """The module `ray`. Raises UserError where it is not installed."""
    for name, value in _DEFAULTS.items():
        os.environ.setdefault(name, value)
    try:
        return importlib.import_module("ray")
    except ModuleNotFoundError as error:
        raise UserError(f"this needs the package {error.name}: pip install 'danmaku-env[ray]'") from None


def first_line(error: BaseException) -> str:
    """What an error of Ray says, without the pages that follow."""
    return next(iter(str(error).strip().splitlines()), type(error).__name__)
