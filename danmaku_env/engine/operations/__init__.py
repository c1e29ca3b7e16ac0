"""The operations of card programs, one file per family of the vocabulary; `program.py` is the loop that carries the rows out.

Every family has one door, `carry_out`, which gets a row and returns how the program goes on. `asking.py` puts questions to seats
(`picking.py`: which card), `moving.py` moves cards, `life_and_attack.py` takes and gives life, `stack_control.py` changes what is on the
stack or lasts beyond it, and `flow.py` has the jumps, loops and conditions. Operations that serve a single card are in `natives.py`, one
floor up.
"""

# how a program goes on after a row
NEXT, WAIT, AGAIN, JUMPED, ENDED = range(5)
