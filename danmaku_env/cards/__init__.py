"""What is printed: cards, incidents, roles and characters as short programs in a closed vocabulary.

Nothing here runs. `compile.py` turns the programs into integer tables, `describe.py` into English.
"""
