"""The `danmaku` command, also as `python -m danmaku_env`."""

from danmaku_env.console import startup

startup.begin()  # before the rest is loaded, which takes a second

from danmaku_env.commands.main import main  # noqa: E402

if __name__ == "__main__":
    main()
