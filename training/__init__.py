"""Training: one file per algorithm. The network and its checkpoints are in `nets`, the measuring in `evaluate`."""
