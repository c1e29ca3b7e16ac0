"""The numbers of the shipped agents, fitted on games: one file a fit, each a command. `fitting` has what they share."""
