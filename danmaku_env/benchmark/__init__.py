"""The benchmark: tasks that a paper can name, results that can be paired, and the page that is drawn from them (docs/benchmark.md)."""
