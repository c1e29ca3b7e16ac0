"""The seeds of the games of every task, from its name, as the page prints them."""

import hashlib
import json
import re


def seed(*words):
    return int.from_bytes(hashlib.sha256("/".join(map(str, words)).encode()).digest()[:8], "big") >> 2


page = open("docs/benchmark.md").read()
said = {}
for section in page.split("\n### ")[1:]:
    if match := re.search(r"`task.seed\('games'\)` is (\d+)", section):
        said[section.split("\n")[0]] = int(match[1])
print(json.dumps({"found": {name: seed(name, "games") for name in said}, "result": said}))
