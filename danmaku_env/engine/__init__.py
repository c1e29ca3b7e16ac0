"""How it runs: numba kernels over one flat record. No Python objects, strings or I/O.

Start reading at `advance.py`: what the machine is, and how it asks. `state.py` and `frames.py` say what the record holds.
"""
