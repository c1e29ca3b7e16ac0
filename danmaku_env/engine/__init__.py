"""How it runs: numba kernels over one flat record. No Python objects, strings or I/O."""
