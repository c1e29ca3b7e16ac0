"""Games between any agents over any seats: who sits where, the referee. Who plays better is asked in `tournaments`."""
