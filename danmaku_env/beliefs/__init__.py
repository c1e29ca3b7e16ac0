"""Who has which role, as far as a seat can tell: posteriors over the deals that are possible, and likelihoods of what was done."""
