"""The expansion Lunatic Extra: what it adds to the base game, one file for each sort of card; `box.py` puts it together."""
