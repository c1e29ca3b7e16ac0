"""Training: one file per algorithm. What they train is `danmaku_env.nets.network`, so that agents can play it; `evaluate` measures it.

Every file here with a `main` is a command too: `python -m danmaku_env.training.imitate`.
"""

import sys

from danmaku_env.console import startup

if sys.argv and startup.is_our_command(sys.argv[0], sys.orig_argv):
    startup.begin()  # before torch is loaded
