"""The compiled part of agents: play and beliefs, over observation rows only."""
