"""Compiling kernels with numba: once per version, kept on disk, and linked from parts. Nothing here knows of games."""
