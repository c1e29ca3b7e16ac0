"""Environments: `aec` (PettingZoo), `vector` (batched AEC), `single` (Gymnasium, one learning seat)."""
