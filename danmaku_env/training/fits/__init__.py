"""What the shipped agents play by, fitted on games: one file a fit, each a command. `fitting` has what they share."""
