"""The seed of the games, or of deal 0, of every task from its name, as the page prints it."""

import hashlib
import json
import re


def seed(*words):
    return int.from_bytes(hashlib.sha256("/".join(map(str, words)).encode()).digest()[:8], "big") >> 2


page = open("docs/benchmark.md").read()
said = {}
for section in page.split("\n### ")[1:]:
    if match := re.search(r"; seed\('(games|deal)'(, 0)?\) is (\d+)", section):
        said[section.split("\n")[0], match[1]] = int(match[3])
found = {name: seed(name, *{"games": ["games"], "deal": ["deal", 0]}[what]) for name, what in said}
print(json.dumps({"found": found, "result": {name: number for (name, _), number in said.items()}}))
