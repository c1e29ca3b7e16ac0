"""The compiled part of agents: rollouts for the search."""
