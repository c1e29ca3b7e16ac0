"""Games between any agents in any seats, with a referee. `tournaments` says which agents are better."""
