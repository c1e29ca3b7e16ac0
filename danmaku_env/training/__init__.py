"""Training: one file per algorithm. What they train is `danmaku_env.agents.nets`, so that agents can play it; `evaluate` measures it."""
