"""The fingerprint of the rules: it moves with what a game becomes, and with nothing else."""

import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import danmaku_env
from danmaku_env import Game, GameConfig, Replay
from danmaku_env.arena.fingerprints import versions
from danmaku_env.cards.box import BASE_GAME, names_of
from danmaku_env.cards.compile import compile_box
from danmaku_env.engine.rules import SAME_BASE_GAMES, cards_digest, rules_fingerprint
from danmaku_env.game.errors import OtherRules
from danmaku_env.jit.kernels import JIT
from tests import rules_guard

PACKAGE = Path(danmaku_env.__file__).parent
PRINTED = "from danmaku_env.engine.rules import rules_fingerprint; print(rules_fingerprint())"


def digest(box):
    return cards_digest(compile_box(box).tables, names_of(box))


def with_first(things, **changes):
    """The cards, characters ... with another first one."""
    return (replace(things[0], **changes), *things[1:])


# ---------------------------------------------------------------- the guard


@pytest.mark.skipif(not JIT, reason="hundreds of whole games: too many for plain Python")
def test_what_games_become_and_the_fingerprint_change_together():
    assert not rules_guard.complaint(rules_guard.kept(), rules_guard.found())


def test_every_table_size_and_both_boxes_are_guarded():
    configs = [config for _, config in rules_guard.settings()]
    assert {(config.num_players, config.expansion) for config in configs} == {
        (players, box) for players in range(4, 9) for box in ("none", "lunatic_extra")
    }
    assert {config.characters for config in configs} == {"draft", "choose", "random"}
    assert {config.roles for config in configs} == {"basic", "advanced"}


BEFORE = {"rules": "1-aa", "games": {"4 players": "00", "5 players": "11"}}


@pytest.mark.parametrize(
    ("rules", "games", "words"),
    [
        (
            "1-aa",
            {"4 players": "00", "5 players": "99"},
            "still 1-aa: raise RULES_BEHAVIOUR in danmaku_env/engine/rules.py by one; `python -m tests.rules_guard`",
        ),
        ("1-aa", {"5 players": "11", "6 players": "00"}, "still 1-aa: raise RULES_BEHAVIOUR in danmaku_env/engine/rules.py by one"),
        ("2-aa", {"4 players": "00", "5 players": "99"}, "is of the rules 1-aa, and these are 2-aa: write it anew with `python -m tests"),
        ("1-bb", BEFORE["games"], "is of the rules 1-aa, and these are 1-bb: write it anew"),
        ("1-aa", BEFORE["games"], ""),
    ],
)
def test_the_guard_says_which_number_is_to_be_raised(rules, games, words):
    said = rules_guard.complaint(BEFORE, {"rules": rules, "games": games})
    assert words in said
    assert bool(said) == bool(words)


def test_the_guard_says_when_base_games_are_no_longer_those_of_earlier_rules():
    kept = {"rules": "1-bb", "games": {"4 players, none": "11"}, "earlier": {"1-aa": {"4 players, none": "00"}}}
    assert "not those of the rules 1-aa any more" in rules_guard.complaint(kept, {name: kept[name] for name in ("rules", "games")})
    assert set(rules_guard.kept()["earlier"]) == set(SAME_BASE_GAMES)


@pytest.mark.parametrize(
    ("options", "holds"), [({}, True), ({"expansion": "lunatic_extra"}, False), ({"characters": "double_threat"}, False)]
)
def test_files_of_earlier_rules_hold_where_nothing_has_changed_since(options, holds):
    replay = Game.new(GameConfig(num_players=4, **options), seed=1).replay()
    text = replay.to_json().replace(rules_fingerprint(), SAME_BASE_GAMES[0])
    earlier = Replay.from_json(text)
    assert (earlier.rules == rules_fingerprint()) == holds
    if holds:
        assert earlier.play().to_bytes() == replay.play().to_bytes()
    else:
        with pytest.raises(OtherRules):
            earlier.play()


def test_the_command_raises_the_number_where_it_must(tmp_path, monkeypatch):
    source, file = tmp_path / "rules.py", tmp_path / "guard.json"
    source.write_text(Path(rules_guard.rules.__file__).read_text("utf-8"), "utf-8")
    monkeypatch.setattr(rules_guard, "SOURCE", source)
    monkeypatch.setattr(rules_guard, "FILE", file)
    monkeypatch.setattr(rules_guard, "found", lambda: {"rules": rules_fingerprint(), "games": {"4 players": "00"}})
    rules_guard.main()
    assert f"RULES_BEHAVIOUR = {rules_guard.rules.RULES_BEHAVIOUR}\n" in source.read_text("utf-8")
    monkeypatch.setattr(rules_guard, "found", lambda: {"rules": rules_fingerprint(), "games": {"4 players": "99"}})
    rules_guard.main()
    assert f"RULES_BEHAVIOUR = {rules_guard.rules.RULES_BEHAVIOUR + 1}\n" in source.read_text("utf-8")
    assert rules_guard.kept()["games"] == {"4 players": "99"}


def test_a_file_in_the_middle_of_a_merge_is_said(tmp_path, monkeypatch):
    (tmp_path / "guard.json").write_text("<<<<<<< HEAD\n{}\n")
    monkeypatch.setattr(rules_guard, "FILE", tmp_path / "guard.json")
    with pytest.raises(SystemExit, match="after a merge take either side of it, and run `python -m tests"):
        rules_guard.kept()


# ---------------------------------------------------------------- the fingerprint


def test_it_has_the_number_of_the_engine_first():
    number, _, cards = rules_fingerprint().partition("-")
    assert int(number) == rules_guard.rules.RULES_BEHAVIOUR
    assert digest(BASE_GAME).startswith(cards)
    assert versions([])["rules"] == rules_fingerprint()


def test_playing_leaves_it_alone():
    before = digest(BASE_GAME)
    game = Game.new(4, seed=1)
    for _ in range(40):
        game.act(game.legal()[-1])
    rules_fingerprint.cache_clear()
    assert before.startswith(rules_fingerprint().partition("-")[2])


CHANGES = {
    "points of a card": lambda box: box._replace(cards=with_first(box.cards, points=box.cards[0].points + 1)),
    "one copy less": lambda box: box._replace(cards=with_first(box.cards, seasons=" ".join(box.cards[0].seasons.split()[1:]))),
    "how many cards an incident needs": lambda box: box._replace(
        incidents=tuple(replace(incident, needs=incident.needs + (incident.needs > 0)) for incident in box.incidents)
    ),
    "a program": lambda box: box._replace(characters=with_first(box.characters, spell=box.characters[1].spell)),
    "a modifier": lambda box: box._replace(characters=with_first(box.characters, modifiers=box.characters[1].modifiers)),
    "an id": lambda box: box._replace(characters=with_first(box.characters, id="somebody_else")),
    "the order of the box": lambda box: box._replace(cards=(box.cards[1], box.cards[0], *box.cards[2:])),
    "roles dealt": lambda box: box._replace(basic={**box.basic, 4: box.advanced[4]}),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_changed_card_moves_it(name):
    assert digest(CHANGES[name](BASE_GAME)) != digest(BASE_GAME)


def test_words_for_people_leave_it_alone():
    box = BASE_GAME._replace(characters=with_first(BASE_GAME.characters, text="Another sentence.", name="Another Name"))
    assert digest(box) == digest(BASE_GAME)


def printed(folder):
    """The fingerprint that the package in this folder has; without .pyc files, which do not notice an edit within a second."""
    environment = {**os.environ, "PYTHONPATH": str(folder), "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(
        [sys.executable, "-B", "-c", PRINTED], cwd=folder, env=environment, capture_output=True, text=True, check=True, timeout=300
    )
    return done.stdout.strip()


def test_comments_renames_and_moved_files_leave_it_alone_and_the_number_moves_it(tmp_path):
    """In a copy of the package: every source gets a comment, a file moves to another folder, a table and a function another name."""
    shutil.copytree(PACKAGE, tmp_path / "danmaku_env", ignore=shutil.ignore_patterns("__pycache__", "*.safetensors"))
    package = tmp_path / "danmaku_env"
    (package / "cards" / "bonus.py").rename(package / "cards" / "lunatic_extra" / "bonus.py")
    for path in [*package.glob("cards/**/*.py"), *package.glob("engine/**/*.py")]:
        text = path.read_text("utf-8").replace("cards.bonus", "cards.lunatic_extra.bonus")
        text = text.replace("ends_on_defeat", "is_over_on_defeat").replace("open_due", "open_what_is_due")
        path.write_text(f"{text}\n# another comment\n", "utf-8")
    assert printed(tmp_path) == rules_fingerprint()
    source = package / "engine" / "rules.py"
    source.write_text(rules_guard.raised(source.read_text("utf-8")), "utf-8")
    number, _, cards = printed(tmp_path).partition("-")
    assert (int(number), cards) == (rules_guard.rules.RULES_BEHAVIOUR + 1, rules_fingerprint().partition("-")[2])
