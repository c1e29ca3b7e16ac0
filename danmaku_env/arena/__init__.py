"""Comparing agents: games between any agents in any seats, duplicate tournaments, deduction studies, recorded games."""
