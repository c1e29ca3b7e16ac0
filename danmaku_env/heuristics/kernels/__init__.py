"""The compiled part: values of answers and play by them, over observation rows only."""
