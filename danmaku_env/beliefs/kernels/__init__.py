"""The compiled part of beliefs: how likely what a seat did is, over the public log and observation rows only."""
