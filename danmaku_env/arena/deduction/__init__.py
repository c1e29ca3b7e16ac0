"""Deduction studies: what belief models state about the roles during games, how good it is, and the report."""
