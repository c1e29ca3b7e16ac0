"""Who plays better: games between any agents over any seats, duplicate tournaments, and play against a person."""
