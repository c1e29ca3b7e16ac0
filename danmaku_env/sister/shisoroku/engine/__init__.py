"""The rules of Shisouroku as kernels over flat records.

`state.py` lays the record out, `advance.py` is the loop, `procedures.py` the frames it runs, `program.py` the texts of cards. `zones.py`
moves cards and keeps what each seat may know of them, `observe.py` writes that down, `resample.py` deals the rest anew. `batch.py` has
the entry points, `policy.py` the rule-based bots.
"""
