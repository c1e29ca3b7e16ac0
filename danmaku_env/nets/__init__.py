"""Networks: what they read, how they are built and kept. `agents.neural` plays them."""
