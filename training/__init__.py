"""Training: one file per algorithm. What they train and keep is `agents.nets`, so that agents can play it; `evaluate` measures it."""
