"""Games as tables: what was asked and answered, what happened, how it ended, in Parquet files (docs/data.md)."""
