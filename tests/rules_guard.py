"""What becomes of seeded games, kept beside the fingerprint of the rules: whoever changes the one has to change the other.

`python -m tests.rules_guard` writes the file anew. Where the games came out otherwise and the fingerprint is still the old one, it raises
`RULES_BEHAVIOUR` first, by one. Run it after every change to the rules, and after a merge of two; `make docs` runs it too.
"""

import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np

from danmaku_env import NUM_ACTIONS, GameConfig
from danmaku_env.cards.compile import compile_cards
from danmaku_env.engine import batch, rules
from danmaku_env.engine import state as st
from danmaku_env.engine.warm import compile_engine

FILE = Path(__file__).with_name("rules_guard.json")
SOURCE = Path(rules.__file__)
COMMAND = "python -m tests.rules_guard"
GAMES = 24
"""Of each setting, side by side."""
_NUMBER = re.compile(r"^(RULES_BEHAVIOUR = )(\d+)$", re.MULTILINE)


def settings():
    """Name -> configuration: every number of players with either box, and between them every way to deal and to ask."""
    ways = ("draft", "choose", "random")
    for box in ("none", "lunatic_extra"):
        for players in range(4, 9):
            yield f"{players} players, {box}", GameConfig(
                num_players=players, expansion=box, roles="basic" if players == 6 else "advanced", characters=ways[players % 3],
                bonus_character=players == 5, ask_everyone=players == 8, ask_forced=players == 8, ask_seasons=players == 7,
            )  # fmt: skip


def ended(config, games):
    """The final records of seeded games whose answers are drawn by a generator of their own."""
    records = st.room_for(games)
    raw, tables, status = st.as_bytes(records), compile_cards().tables, np.zeros(games, np.int8)
    batch.drive(tables, config.settings(), records, raw, np.arange(games, dtype=np.int64), status, batch.START)
    rng, masks = np.random.PCG64(config.num_players), np.zeros((games, NUM_ACTIONS), np.uint8)
    while (records["asking"] != st.NOBODY).any():
        batch.mask_rows(records, masks)
        drawn = rng.random_raw(games) % np.maximum(1, masks.sum(axis=1, dtype=np.uint64))  # raw words: the same of every NumPy
        answers = (masks.cumsum(axis=1) > drawn[:, np.newaxis]).argmax(axis=1)
        batch.drive(tables, config.settings(), records, raw, answers, status, batch.ANSWER)
    assert not records["status"].any()
    assert (records["outcome"] != st.RUNNING).all()
    return records


def found(games=GAMES):
    """What the file holds: the fingerprint, and a hash of the final records of each setting."""
    compile_engine()
    hashes = {name: hashlib.sha256(ended(config, games).tobytes()).hexdigest()[:16] for name, config in settings()}
    return {"rules": rules.rules_fingerprint(), "games": hashes}


def base_games(found):
    """The hashes of games without the expansion."""
    return {name: digest for name, digest in found["games"].items() if name.endswith("none")}


def complaint(kept, now):
    """What is wrong between the file and what the rules do now, in a sentence; "" where nothing is."""
    for made, games in kept.get("earlier", {}).items():
        if games != base_games(now):
            return f"games without the expansion are not those of the rules {made} any more: take them out of SAME_BASE_GAMES"
    if all(kept[name] == now[name] for name in now):
        return ""
    others = [name for name, digest in now["games"].items() if kept["games"].get(name) != digest]
    if others and kept["rules"] == now["rules"]:
        where = f"{others[0]}; {len(others)} of {len(now['games'])} settings"
        raise_it = f"raise RULES_BEHAVIOUR in danmaku_env/engine/{SOURCE.name} by one; `{COMMAND}` does it and writes {FILE.name} anew"
        return f"games become other games than before ({where}), and the fingerprint is still {now['rules']}: {raise_it}"
    return f"{FILE.name} is of the rules {kept['rules']}, and these are {now['rules']}: write it anew with `{COMMAND}`"


def kept():
    """What the file holds. Raises SystemExit where that cannot be read, as in the middle of a merge."""
    try:
        return json.loads(FILE.read_text("utf-8"))
    except ValueError as error:
        words = f"{FILE.name} cannot be read ({error}): after a merge take either side of it, and run `{COMMAND}` again"
        raise SystemExit(words) from None


def raised(text):
    """The source with the number raised by one."""
    changed, times = _NUMBER.subn(lambda match: f"{match[1]}{int(match[2]) + 1}", text)
    assert times == 1, f"{SOURCE} has no line RULES_BEHAVIOUR = ..."
    return changed


def main():
    """Write the file anew, and raise the number where that is due."""
    now = found()
    before = kept() if FILE.exists() else now
    if before["rules"] == now["rules"] and before["games"] != now["games"]:
        SOURCE.write_text(raised(SOURCE.read_text("utf-8")), "utf-8")
        code = "from danmaku_env.engine.rules import rules_fingerprint; print(rules_fingerprint())"
        now["rules"] = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
        print(f"RULES_BEHAVIOUR is raised: these are the rules {now['rules']} now")
    earlier = before.get("earlier", {})
    now["earlier"] = {made: earlier.get(made, base_games(before)) for made in rules.SAME_BASE_GAMES}
    FILE.write_text(json.dumps(now, indent=1) + "\n", "utf-8")
    print(f"{FILE.name} is of the rules {now['rules']}")


if __name__ == "__main__":
    main()
