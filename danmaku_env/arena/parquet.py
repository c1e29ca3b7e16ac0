"""Tables as Parquet."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.parquet as pq


def as_parquet(table: pa.Table) -> bytes:
    """A table as a file; equal tables make equal bytes."""
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression="zstd")
    blob: bytes = sink.getvalue().to_pybytes()
    return blob
