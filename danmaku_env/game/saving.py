"""A game as bytes and back: the format of saved games, and the gate for records that come from outside.

Files with the answers of a game are replay.py; writing any file whole or not at all is files.py.
"""

from __future__ import annotations

import base64
import json
import struct
import zlib
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from danmaku_env.config import GameConfig
from danmaku_env.engine import checks
from danmaku_env.engine import state as st
from danmaku_env.game.errors import ReplayError

Array = npt.NDArray[Any]
SCHEMA = 1
"""Version of saved games and replays."""
_MAGIC = b"DNMK"
_HEADER = struct.Struct("<4sHII")


class Saved(NamedTuple):
    """What a saved game holds."""

    config: GameConfig
    answers: tuple[int, ...]
    agents: tuple[str, ...]
    start: bytes | None
    """Starting record of a game that did not begin at its set-up."""
    record: Array
    """The record now, shape (1,)."""


def pack(saved: Saved) -> bytes:
    """The bytes of a game: mark, version, sizes and checksum, a head in JSON, the record."""
    head = {"config": saved.config.to_dict(), "answers": list(saved.answers), "agents": list(saved.agents)}
    if saved.start is not None:
        head["start"] = base64.b64encode(saved.start).decode()
    text = json.dumps(head, separators=(",", ":")).encode()
    body = text + saved.record.tobytes()
    return _HEADER.pack(_MAGIC, SCHEMA, len(text), zlib.crc32(body)) + body


def unpack(blob: bytes) -> Saved:
    """The inverse of `pack`. Raises ReplayError on anything else; nothing in it is executed."""
    if len(blob) < _HEADER.size or blob[:4] != _MAGIC:
        raise ReplayError("these bytes are no saved game: they do not begin with its mark")
    _, schema, size, checksum = _HEADER.unpack_from(blob)
    if schema != SCHEMA:
        raise ReplayError(f"a saved game of version {schema}; this program reads version {SCHEMA}")
    body = blob[_HEADER.size :]
    if len(body) != size + st.STATE_BYTES or zlib.crc32(body) != checksum:
        raise ReplayError("the saved game is truncated or was changed: its checksum does not match")
    try:
        head = json.loads(body[:size])
        config = GameConfig.from_dict(head["config"])
        start = base64.b64decode(head["start"]) if "start" in head else None
        answers = tuple(int(answer) for answer in head["answers"])
        agents = tuple(str(name) for name in head.get("agents", ()))
    except (ValueError, KeyError, TypeError) as error:
        raise ReplayError(f"the saved game has an unreadable head: {error}") from None
    record = record_from_bytes(body[size:])
    if record["num_players"][0] != config.num_players:
        raise ReplayError("the saved game and its configuration disagree about the number of players")
    return Saved(config, answers, agents, start, record)


def record_from_bytes(data: bytes) -> Array:
    """A record, shape (1,). Raises ReplayError when the bytes cannot be a game."""
    if len(data) != st.STATE_BYTES:
        raise ReplayError(f"a game record has {st.STATE_BYTES} bytes, not {len(data)}")
    record: Array = np.frombuffer(data, st.STATE).copy()
    if found := checks.problem(record[0]):
        raise ReplayError(f"no such game is possible: {found}")
    return record
