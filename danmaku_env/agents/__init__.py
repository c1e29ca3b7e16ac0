"""Who plays: one file per agent, the protocol in `base.py`."""
