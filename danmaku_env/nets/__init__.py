"""Networks: what they read, how they are built and kept, and the prior policy they may start from. `agents.neural` plays them."""
