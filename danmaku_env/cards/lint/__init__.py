"""Checks before anything is compiled: what the engine cannot run is refused by a CardError that names card, text and word.

`rows.py` looks at single rows: whether the words among their operands are of the kind that the operation asks for. `memory.py` follows
a text's programs: whether what a row reads has been set, and whether its loops end. `texts.py` looks at when a text may happen and what
it may contain there, `box.py` at cards, characters, incidents and roles as a whole and at how much room the tables have. All of them use
the descriptions in the vocabulary, as the English does; none knows a card by name.
"""
