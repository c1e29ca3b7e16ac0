"""The `danmaku` command, one file a command; `main.py` puts them together."""
