"""Notebooks, and how they are run: `python -m notebooks` writes their results into them, at full size."""
