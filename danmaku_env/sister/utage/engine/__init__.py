"""The rules of Gensou no Utage as kernels over flat records.

`state.py` lays the record out, `advance.py` is the loop and `turn.py` the steps of a turn. `values.py` works out every value of the field,
`use.py` what is offered and paid, `program.py` the effects. `zones.py` moves cards and keeps what each seat may know of them,
`observe.py` writes that down, `resample.py` deals the rest anew. `batch.py` has the entry points, `policy.py` the greedy bot.
"""
