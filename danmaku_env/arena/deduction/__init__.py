"""Deduction studies: what belief models state about the roles over games, how good it is, and the report. Who wins is `tournaments`."""
