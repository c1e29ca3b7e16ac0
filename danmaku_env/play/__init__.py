"""People at the table: in a terminal, in a browser (`browser/`), and games to look at, step by step or as a page."""
