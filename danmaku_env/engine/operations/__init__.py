"""The operations of card programs, one file per family of the vocabulary; `program.py` is the loop that runs the rows.

A family has one entry, `carry_out`, which gets a row and does it; where a row may wait or jump, it returns how the program goes on.
`choices.py` puts questions to seats, `moving.py` moves cards, `life_and_attack.py` takes and gives life, `stack_control.py` changes what is
on the stack or lasts beyond it, `flow.py` has the jumps, loops and conditions, and `recruiting.py` the Extra Characters. `picking.py`
asks which card, for `choices.py`; two rows that move cards and also ask, flipping and gathering seasons, call it directly.
Operations that serve a single card are in `natives.py`, one floor up.
"""

# how a program goes on after a row
NEXT, WAIT, AGAIN, JUMPED, ENDED = range(5)
