"""The table `observations` of a dataset, kept on request: what was seen at every decision, and which answers were legal."""

from __future__ import annotations

import itertools

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from danmaku_env.arena.data.arrays import arrays_of
from danmaku_env.arena.data.rollout import Played
from danmaku_env.arena.data.spec import DatasetSpec
from danmaku_env.arena.data.tables import table_metadata
from danmaku_env.machine.records import Array

OBSERVATIONS = "observations"


def observations_table(played: Played, dataset: DatasetSpec) -> bytes:
    """The table of a part as Parquet, a row for each of its decisions and in their order. Raises UserError."""
    pieces = map(_piece, arrays_of(played, dataset.config()))
    first = next(pieces).replace_schema_metadata(table_metadata(dataset))
    sink = pa.BufferOutputStream()
    with pq.ParquetWriter(sink, first.schema, compression="zstd") as file:
        for piece in itertools.chain([first], pieces):
            file.write_table(piece.cast(first.schema))
    blob: bytes = sink.getvalue().to_pybytes()
    return blob


def _piece(found: dict[str, Array]) -> pa.Table:
    return pa.table({
        "game": pa.array(found["games"], pa.int64()), "decision": pa.array(found["decisions"], pa.int32()),
        "observation": _rows_of_bytes(found["observations"]), "action_mask": _rows_of_bytes(found["action_masks"]),
    })  # fmt: skip


def _rows_of_bytes(rows: Array) -> pa.FixedSizeBinaryArray:
    """[D, n] uint8 as a column of D values, n bytes each."""
    return pa.FixedSizeBinaryArray.from_buffers(pa.binary(rows.shape[1]), len(rows), [None, pa.py_buffer(np.ascontiguousarray(rows))])
