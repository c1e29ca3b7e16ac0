"""A game as bytes and back: the format of saved games. validation.py checks the records in them, rules.py their rules.

Files with the answers of a game are replay.py; writing any file whole or not at all is danmaku_env/files.py.
"""

from __future__ import annotations

import base64
import json
import struct
import zlib
from typing import Any, NamedTuple

import numpy as np

from danmaku_env.arguments import sequence, shown, whole_number
from danmaku_env.game import validation
from danmaku_env.game.errors import ReplayError
from danmaku_env.game.rules import as_today, check_rules, rules_named
from danmaku_env.machine.records import Array
from danmaku_env.spec import GameSpec, default_spec, spec_named, spec_of

GAME_VERSION = 2
"""Version of the format of saved games and replays; which rules made them, they say themselves (rules.py)."""
_MAGIC = b"DNMK"
_HEADER = struct.Struct("<4sHII")


class Saved(NamedTuple):
    """What a saved game holds."""

    config: Any
    answers: tuple[int, ...]
    agents: tuple[str, ...]
    start: bytes | None
    """Starting record of a game that did not begin at its set-up."""
    record: Array
    """The record now, shape (1,)."""
    rules: str | None = None
    """The fingerprint of the rules it was played by; None where nothing says so."""


def pack(saved: Saved) -> bytes:
    """The bytes of a game: mark, version, sizes and checksum, a head in JSON, the record."""
    head = {**game_in_file(saved.config), "config": saved.config.to_dict(), "answers": list(saved.answers), "agents": list(saved.agents)}
    if saved.rules is not None:
        head["rules"] = saved.rules
    if saved.start is not None:
        head["start"] = base64.b64encode(saved.start).decode()
    text = json.dumps(head, separators=(",", ":")).encode()
    body = text + saved.record.tobytes()
    return _HEADER.pack(_MAGIC, GAME_VERSION, len(text), zlib.crc32(body)) + body


def unpack(blob: bytes, *, other_rules: bool = False) -> Saved:
    """The inverse of `pack`. Raises ReplayError on anything else, OtherRules unless they are wished; nothing in it is executed."""
    if not isinstance(blob, (bytes, bytearray, memoryview)):
        raise ReplayError(f"a saved game is bytes, not {shown(blob)}")
    blob = bytes(blob)
    if len(blob) < _HEADER.size or blob[:4] != _MAGIC:
        raise ReplayError("these bytes are no saved game: they do not begin with its mark")
    _, schema, size, checksum = _HEADER.unpack_from(blob)
    if schema != GAME_VERSION:
        raise ReplayError(f"a saved game of version {schema}; this program reads version {GAME_VERSION}")
    body = blob[_HEADER.size :]
    if len(body) < size or zlib.crc32(body) != checksum:
        raise ReplayError("the saved game is truncated or was changed: its checksum does not match")
    try:
        head = read_json(body[:size])
        config, answers, agents, start = history(head)
        rules = as_today(rules_named(head.get("rules")), config)
    except ValueError as error:
        raise ReplayError(f"the saved game has an unreadable head: {error}") from None
    check_rules(rules, "the saved game", other_rules=other_rules, spec=spec_of(config))
    return Saved(config, answers, agents, start, record_from_bytes(body[size:], config), rules)


# ---------------------------------------------------------------- what is kept in JSON, also of a replay


def read_json(text: str | bytes) -> Any:
    """What a JSON text holds. Raises ValueError where it holds nothing, be it nested without end or full of huge numbers."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def history(data: object) -> tuple[Any, tuple[int, ...], tuple[str, ...], bytes | None]:
    """Configuration, answers, names of the agents and starting record (or None). Raises ValueError saying what is wrong."""
    if not isinstance(data, dict):
        raise ValueError(f"it is {shown(data)}")
    for name in ("answers", "config"):
        if name not in data:
            raise ValueError(f"it has no {name!r}")
    start = data.get("start", "")
    if not isinstance(start, str):
        raise ValueError(f'"start" must be a record as text, not {shown(start)}')
    config = _spec_in(data).config.from_dict(data["config"])
    agents = agent_names(data.get("agents", ()), config.num_players)
    return config, answer_numbers(data["answers"]), agents, base64.b64decode(start, validate=True) or None


def game_in_file(config: object) -> dict[str, str]:
    """The entry that names the game of a file; Danmaku!! needs none."""
    spec = spec_of(config)
    return {} if spec is default_spec() else {"game": spec.name}


def _spec_in(data: dict[str, Any]) -> GameSpec:
    """The game that a file is of. Raises ValueError for one that there is not."""
    name = data.get("game", default_spec().name)
    if not isinstance(name, str):
        raise ValueError(f'"game" must be the name of a game, not {shown(name)}')
    return spec_named(name)


def answer_numbers(answers: object) -> tuple[int, ...]:
    """The answers. Raises ValueError on anything but a list of whole numbers."""
    numbers = sequence(answers)
    if numbers is None:
        raise ValueError(f'"answers" must be a list of whole numbers, not {shown(answers)}')
    whole: list[int] = []
    for place, answer in enumerate(numbers):
        if (number := whole_number(answer)) is None:
            raise ValueError(f'"answers" must be a list of whole numbers, and answer {place} is {shown(answer)}')
        whole.append(number)
    return tuple(whole)


def agent_names(names: object, players: int) -> tuple[str, ...]:
    """The names. Raises ValueError on anything but a list of names: none, or one for each seat."""
    found = sequence(names)
    if found is None or not all(map(_is_text, found)):
        raise ValueError(f'"agents" must be a list of names, not {shown(names)}')
    if len(found) not in (0, players):
        raise ValueError(f'"agents" must name nobody or each of the {players} seats, not {len(found)}')
    return tuple(str(name) for name in found)


def _is_text(value: object) -> bool:
    """Whether it is a text that can be written to a file: JSON knows halves of characters too."""
    if not isinstance(value, str):
        return False
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


# ---------------------------------------------------------------- records


def record_from_bytes(data: bytes, config: Any) -> Array:
    """A record, shape (1,). Raises ReplayError when the bytes cannot be a game with this configuration."""
    spec = spec_of(config)
    if len(data) != spec.record_bytes:
        raise ReplayError(f"a game record has {spec.record_bytes} bytes, not {len(data)}")
    record: Array = np.frombuffer(data, spec.record).copy()
    try:
        spec.check_fits(record, config, "a configuration")
        validation.validate(record, spec)
    except ValueError as error:
        raise ReplayError(str(error)) from None
    return record
