"""`python -m danmaku_env`: the `danmaku` command."""

from danmaku_env.cli import main

if __name__ == "__main__":
    main()
