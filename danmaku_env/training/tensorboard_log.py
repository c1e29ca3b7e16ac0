"""The figures of a run, in the files that TensorBoard reads. Each is written where it is added: nothing is under way in another thread."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tensorboard.compat.proto.event_pb2 import Event, SessionLog
from tensorboard.compat.proto.summary_pb2 import Summary
from tensorboard.summary.writer.record_writer import RecordWriter

_NAME = re.compile(r"events\.out\.tfevents\.(\d{1,19})\.")
"""The files of a folder are read in the order of their names."""


class TensorBoardLog:
    """A file of its own in a folder, for this part of the run. Use as a context manager. Raises OSError where nothing can be written."""

    def __init__(self, folder: Path, *, since: int | None = None) -> None:
        """`since` takes back what other files of the folder say of that step and later ones, as when a run is resumed before its end."""
        there = [int(found[1]) for found in map(_NAME.match, os.listdir(folder)) if found]
        number = max(time.time_ns(), 1 + max(there, default=0))  # after those of earlier parts, also where the clock went back
        self._file = open(folder / f"events.out.tfevents.{number:019}.{os.getpid()}", "wb")  # noqa: SIM115 - closed by __exit__
        self._records: Any = RecordWriter(self._file)
        self._write(Event(wall_time=time.time(), file_version="brain.Event:2"))
        if since is not None:
            self._write(Event(wall_time=time.time(), step=since, session_log=SessionLog(status=SessionLog.START)))

    def add(self, figures: Mapping[str, float], step: int) -> None:
        """Note the figures of a step."""
        values = [Summary.Value(tag=name, simple_value=number) for name, number in figures.items()]
        self._write(Event(wall_time=time.time(), step=step, summary=Summary(value=values)))

    def _write(self, event: Any) -> None:
        self._records.write(event.SerializeToString())
        self._file.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        try:
            self._file.close()
        except OSError:  # what could not be written above, once more
            if error is None:
                raise
