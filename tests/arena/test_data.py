"""`danmaku record`: the tables say what the games were, the same each time, however often it is interrupted."""

import csv
import itertools
import json
import re
import shutil
from pathlib import Path

import numpy as np
import pytest

from danmaku_env import Game, GameConfig, ReplayError
from danmaku_env.agents import registry
from danmaku_env.agents.base import answer
from danmaku_env.beliefs.factions import FACTIONS
from danmaku_env.cards.box import BASE_GAME, CHARACTER_IDS, ROLE_IDS
from danmaku_env.console.errors import Stopped, UserError
from danmaku_env.console.run_folders import locked_folder
from danmaku_env.game import OtherRules, RulesWarning, rules_fingerprint
from danmaku_env.jit.kernels import JIT
from danmaku_env.wording import OMNISCIENT, Log
from tests.test_cli import run as command
from tests.test_snippets import snippets

pytest.importorskip("pyarrow", reason="the tables need pyarrow: pip install 'danmaku-env[data]'")

import pyarrow as pa
import pyarrow.parquet as pq

from danmaku_env.arena.data import record
from danmaku_env.arena.data.observations import OBSERVATIONS
from danmaku_env.arena.data.spec import MOST_RECORDED, DatasetSpec
from danmaku_env.arena.data.tables import NAMES, ROLES, RULES
from danmaku_env.arena.jobs.parts import CHECKSUMS, Parts

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "data.md"
GAMES = 12 if JIT else 2
TODAY = rules_fingerprint()


def recipe(**options):
    return DatasetSpec.from_dict({"agents": ("random", "heuristic"), "players": 5, "games": GAMES, "seed": 4, **options})


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return record.run(recipe(), out=tmp_path_factory.mktemp("record") / "games")


def rows(folder, name, game=None):
    found = pq.read_table(folder / name).to_pylist()
    return [row for row in found if game is None or row["game"] == game]


def held(game):
    """The roles by seat, None where a takeover has left nobody any."""
    return [seat.role or None for seat in game.seats]


def files(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*.*")) if path.is_file()}


def test_a_game_in_the_tables_is_the_game(folder):
    for row in rows(folder, "games"):
        game = record.replay(folder, row["game"]).play()
        assert (row["outcome"], row["winners"], row["turns"]) == (game.outcome, game.winners, game.turn_number)
        assert row["rewards"] == [int(reward) for reward in game.rewards()]
        assert row["characters"] == [seat.character for seat in game.seats]
        assert row["roles"] == [seat.role for seat in Game.new(GameConfig(num_players=5), row["seed"]).seats]
        assert row["final_roles"] == held(game)
        assert json.loads(row["config"]) == game.config.to_dict()
        assert (row["players"], row["agents"][row["game"] % 2]) == (5, "random")


def test_a_decision_in_the_tables_is_the_question_and_its_answer(folder):
    game = record.replay(folder, 1).begin()
    for place, row in enumerate(rows(folder, "decisions", 1)):
        assert (row["decision"], row["seat"], row["question"]) == (place, game.asking, game.question)
        assert (row["turn"], row["step"], row["legal"]) == (game.turn_number, game.step, len(game.legal()))
        assert row["agent"] == ("random", "heuristic")[(game.asking + 1) % 2]
        assert game.legal()[game.legal_actions().index(row["action"])] == row["answer"]
        game.act(row["answer"])
    assert game.over


def test_the_events_in_the_tables_are_the_log(folder):
    game = record.replay(folder, 1).play()
    told = rows(folder, "events", 1)
    log = Log(game.record, game.log._rows, OMNISCIENT).events
    assert [row["number"] for row in told] == list(range(len(log)))
    turn = 0
    for row, event in zip(told, log, strict=True):
        turn = event.number if event.word == "turn" else turn
        assert (row["event"], row["actor"], row["target"], row["card"]) == (event.word, event.actor, event.target, event.card)
        assert (row["amount"], row["extra"], row["turn"]) == (event.number, event.extra, turn)
        if event.word == "defeat":
            assert row["about"] == (ROLE_IDS[event.about] or "none")
    assert {row["text"] for row in told if row["event"] in ("play", "use")} - {None}


@pytest.fixture(scope="module")
def changing(tmp_path_factory):
    """Games of eight, in which roles are exchanged, taken over by the Rival, and turned over."""
    return record.run(recipe(agents=("random",), players=8, games=16 if JIT else 1), out=tmp_path_factory.mktemp("changing") / "games")


@pytest.mark.skipif(not JIT, reason="whole games")
def test_tables_tell_who_has_which_role_at_every_moment(changing):
    """The role of whoever is asked is that of the game at this question; of whoever acts, that of the game before or after the answer."""
    events = itertools.groupby(rows(changing, "events"), lambda row: (row["game"], row["decision"]))
    told = {led: list(some) for led, some in events}
    asked = itertools.groupby(rows(changing, "decisions"), lambda row: row["game"])
    ends, changed = {row["game"]: row["final_roles"] for row in rows(changing, "games")}, set()
    for number, decisions in asked:
        game = record.replay(changing, number).begin()
        after = held(game)
        for row in decisions:
            before = after
            assert row["role"] == before[row["seat"]]
            game.act(row["action"])
            after = held(game)
            changed |= {(one, other) for one, other in zip(before, after, strict=True) if one != other}
            for event in told.get((number, row["decision"]), ()):
                for who in ("actor", "target"):
                    assert event[who] is None or event[f"{who}_role"] in (before[event[who]], after[event[who]])
        assert ends[number] == after
    assert {("rival", "heroine"), ("heroine", None), ("ex_boss", "ex_boss_revealed")} <= changed  # taken over, turned over
    assert any("heroine" in pair and {"rival", None}.isdisjoint(pair) for pair in changed)  # exchanged


@pytest.mark.skipif(not JIT, reason="whole games")
def test_roles_that_are_exchanged_before_the_first_question_are_dealt_as_before(tmp_path):
    """Where characters are dealt, Crisis of Faith may come before anybody is asked."""
    config = {"agents": ("random",), "players": 8, "games": 64, "seed": 2, "characters": "random"}
    made = record.run(recipe(**config), out=tmp_path / "games")
    told = {game: list(some) for game, some in itertools.groupby(rows(made, "events"), lambda row: row["game"])}
    early = {game for game, some in told.items() if any(one["event"] == "roles" and one["decision"] < 0 for one in some)}
    assert early
    for row in rows(made, "games"):
        shown = next(one for one in told[row["game"]] if one["event"] == "reveal")
        assert (shown["actor"], shown["actor_role"]) == (row["roles"].index("heroine"), "heroine")
        assert (held(record.replay(made, row["game"]).begin()) == row["roles"]) == (row["game"] not in early)
        assert all(one["actor_role"] is not None for one in told[row["game"]] if one["event"] == "attack" and one["decision"] < 20)


@pytest.mark.skipif(not JIT, reason="whole games")
def test_an_exchange_shows_the_heroine_as_she_was_before_and_her_successor_after_it(changing):
    """Crisis of Faith: the exchange itself still shows the old roles; the next action of either seat the new ones."""
    found = 0
    for _, some in itertools.groupby(rows(changing, "events"), lambda row: row["game"]):
        events = list(some)
        places = [place for place, row in enumerate(events) if row["event"] == "roles"]
        for place in places[:1]:
            exchange, later = events[place], events[place + 1 :]
            assert exchange["actor_role"] == "heroine"
            for seat, role in ((exchange["actor"], exchange["target_role"]), (exchange["target"], "heroine")):
                following = next((row for row in later if row["actor"] == seat or row["event"] in ("roles", "reveal", "over")), None)
                if following and following["actor"] == seat:
                    assert following["actor_role"] == role
                    found += 1
    assert found


def test_the_roles_and_their_camps_come_with_the_tables(folder):
    roles = {row["role"]: row for row in csv.DictReader((folder / ROLES).read_text("utf-8").splitlines())}
    assert list(roles) == [role.id for role in BASE_GAME.all_roles]
    assert {row["faction"] for row in roles.values()} == set(FACTIONS)
    assert (roles["ex_midboss"]["faction"], roles["ex_midboss"]["team"]) == ("Partner", "extra")
    assert (roles["ex_boss"]["becomes"], roles["ex_boss_revealed"]["faction"]) == ("ex_boss_revealed", "Extra Boss")
    assert {row["team"] for row in roles.values()} == {"heroine", "rival", "stage", "extra"}
    for row in rows(folder, "games"):
        assert set(row["roles"]) | set(filter(None, row["final_roles"])) <= set(roles)


# ---------------------------------------------------------------- arrays


def test_arrays_are_the_questions_of_the_games_and_their_answers(folder):
    data = record.arrays(folder, history=2)
    assert len(data["actions"]) == len(rows(folder, "decisions"))
    config = GameConfig(num_players=5, history=2)
    for number in (0, 1):
        mine = np.flatnonzero(data["games"] == number)
        game = Game.new(config, rows(folder, "games", number)[0]["seed"])
        for place, row in enumerate(mine):
            assert (data["decisions"][row], data["seats"][row], data["turns"][row]) == (place, game.asking, game.turn_number)
            assert ROLE_IDS[data["roles"][row]] == game.seat(game.asking).role
            assert data["agents"][row] == (game.asking + number) % 2
            np.testing.assert_array_equal(data["observations"][row], game.observe(game.asking))
            np.testing.assert_array_equal(data["action_masks"][row], game.action_mask())
            game.act(int(data["actions"][row]))
        assert game.over
        assert data["rewards"][mine].tolist() == [game.rewards()[seat] for seat in data["seats"][mine]]


def test_observations_are_kept_on_request(folder, tmp_path, monkeypatch):
    monkeypatch.setattr("danmaku_env.arena.data.arrays._PIECE", 5)
    kept = record.run(recipe(observations=True), out=tmp_path / "games")
    table, data = pq.read_table(kept / "observations"), record.arrays(folder)
    assert table.schema.metadata[RULES].decode() == TODAY
    for column, name in (("observation", "observations"), ("action_mask", "action_masks")):
        rows_there = np.stack([np.frombuffer(row, np.uint8) for row in table[column].to_pylist()])
        np.testing.assert_array_equal(rows_there, data[name])
    assert (table["game"].to_numpy() == data["games"]).all()
    assert (table["decision"].to_numpy() == data["decisions"]).all()
    without = {name: pq.read_table(folder / name) for name in NAMES}
    assert all(pq.read_table(kept / name).equals(without[name]) for name in NAMES), "the games are the same"
    with pytest.raises(UserError, match="holds other games: its observations is True, not False"):
        record.run(recipe(), out=kept, resume=True)
    (part,) = (kept / "observations").iterdir()
    before = part.read_bytes()
    part.write_bytes(b"")
    assert record.run(recipe(observations=True), out=kept, resume=True) == kept
    assert part.read_bytes() == before


def test_arrays_of_some_agents_and_games(folder):
    every, some = record.arrays(folder), record.arrays(folder, agents="heuristic", games=np.arange(1, 50))
    mine = (every["agents"] == 1) & (every["games"] >= 1)
    for name, column in some.items():
        np.testing.assert_array_equal(column, every[name][mine])


def test_arrays_come_in_parts_too(tmp_path, monkeypatch):
    monkeypatch.setattr(DatasetSpec, "PART_SIZE", 2)
    folder = record.run(recipe(agents=("random",), games=3), out=tmp_path / "games")
    parts = list(record.arrays_by_part(folder))
    assert [set(part["games"].tolist()) for part in parts] == [{0, 1}, {2}]
    assert [set(part["games"].tolist()) for part in record.arrays_by_part(folder, games=[2])] == [{2}]
    whole = record.arrays(folder)
    for name in whole:
        np.testing.assert_array_equal(np.concatenate([part[name] for part in parts]), whole[name])


def test_arrays_of_nothing_are_refused(folder, tmp_path):
    for wanted, words in (
        ({"agents": "neural"}, "nobody called 'neural' answers .*; those who do are random, heuristic"),
        ({"agents": 7}, "agents are named by the words"),
        ({"games": [GAMES]}, "no such decisions"),
        ({"games": [1.5]}, "games are named by their numbers"),
        ({"games": 3}, "games are named by their numbers"),
    ):
        with pytest.raises(UserError, match=words):
            record.arrays(folder, **wanted)
    with pytest.raises(UserError, match="no recorded games in"):
        record.arrays(tmp_path)


@pytest.mark.parametrize(
    ("table", "column", "change", "words"),
    [
        ("decisions", "action", lambda values: [263, *values[1:]], "becomes another game at answer"),
        ("decisions", "action", lambda values: [values[0], -1, *values[2:]], "becomes another game at answer 1"),
        ("games", "seed", lambda values: [seed + 1 for seed in values], "becomes another game at answer"),
        ("games", "seed", lambda values: [-1] * len(values), "cannot be read"),
        ("games", "rewards", lambda values: [[-reward for reward in row] for row in values], "becomes another game at answer"),
        ("games", "decisions", lambda values: [number + 1 for number in values], "cannot be read"),
        ("decisions", "decision", lambda values: values[::-1], "cannot be read"),
        ("games", "config", lambda values: ["[]"] * len(values), "cannot be read"),
    ],
)
def test_arrays_of_altered_tables_are_refused(folder, tmp_path, table, column, change, words):
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    there = pq.read_table(path := tmp_path / table / "part-00000.parquet")
    changed = pa.array(change(there[column].to_pylist()), there.schema.field(column).type if column != "config" else pa.string())
    pq.write_table(there.set_column(there.column_names.index(column), column, changed), path)
    with pytest.raises(UserError, match=words):
        record.arrays(tmp_path)


@pytest.mark.parametrize(
    ("table", "column", "changed", "words"),
    [
        ("decisions", "agent", lambda values: pa.array(values), "the column agent has the type string"),
        ("decisions", "agent", lambda values: pa.array([None] * len(values), pa.string()).dictionary_encode(), "has nulls in it"),
        ("decisions", "action", lambda values: pa.array(["pass"] * len(values)), "cannot be read"),
        ("games", "rewards", lambda values: pa.array([[300] * len(row) for row in values]), "cannot be read"),
    ],
    ids=["names as text", "no names", "actions as text", "a reward beyond a byte"],
)
def test_columns_of_another_kind_are_refused(folder, tmp_path, table, column, changed, words):
    """As another program may write them that has read the tables."""
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    there = pq.read_table(path := tmp_path / table / "part-00000.parquet")
    pq.write_table(there.set_column(there.column_names.index(column), column, changed(there[column].to_pylist())), path)
    with pytest.raises(UserError, match=words):
        record.arrays(tmp_path)


# ---------------------------------------------------------------- words and folders


def test_events_about_characters_name_them(tmp_path):
    drafts = recipe(agents=("random",), expansion="lunatic_extra", characters="draft", bonus_character=True, games=2)
    folder = record.run(drafts, out=tmp_path / "games")
    log = Log((game := record.replay(folder, 1).play()).record, game.log._rows, OMNISCIENT).events
    words = ("recruit", "dismiss", "character ban")
    told = [(row["event"], row["about"]) for row in rows(folder, "events", 1) if row["event"] in words]
    assert told == [(event.word, CHARACTER_IDS[event.about]) for event in log if event.word in words]
    assert {"recruit", "character ban"} <= {word for word, _ in told}


def test_who_knew_a_card_sits_at_the_table(folder):
    known = [row["known_to"] for row in rows(folder, "events") if row["card"]]
    assert {len(seats) for seats in known} >= {1, 5}
    assert all(set(seats) <= set(range(5)) for seats in known)


def test_an_event_names_the_answer_that_led_to_it(folder):
    game = record.replay(folder, 0).begin()
    told = rows(folder, "events", 0)
    before = int(game.record["log_count"])
    assert [row["decision"] for row in told[:before]] == [-1] * before
    for place, row in enumerate(rows(folder, "decisions", 0)):
        game.act(row["action"])
        after = int(game.record["log_count"])
        assert {row["decision"] for row in told[before:after]} <= {place}
        before = after
    assert before == len(told)


def test_the_agents_play_as_they_do_alone(tmp_path):
    """Where an agent keeps nothing between decisions and draws nothing at random, a recorded game is the game it plays by itself."""
    folder = record.run(recipe(agents=("tests.arena.bots:First",), games=2), out=tmp_path / "games")
    for row in rows(folder, "games"):
        game, agent = Game.new(GameConfig(num_players=5), row["seed"]), registry.make("tests.arena.bots:First", 1)
        while game.asking is not None:
            game.act(answer(agent, game))
        assert record.replay(folder, row["game"]).play() == game


def test_the_same_recipe_writes_the_same_bytes_in_one_go_or_in_many(tmp_path, monkeypatch):
    monkeypatch.setattr(DatasetSpec, "PART_SIZE", 2)
    many = recipe(games=2 * (3 if JIT else 2))
    whole = files(record.run(many, out=tmp_path / "whole"))
    assert len(whole) == 2 + 4 * (3 if JIT else 2)
    play, calls = record.play, []

    def interrupted(part, agents, config):
        calls.append(part.number)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return play(part, agents, config)

    monkeypatch.setattr(record, "play", interrupted)
    with pytest.raises(Stopped):
        record.run(many, out=tmp_path / "many")
    assert len(files(tmp_path / "many")) == 2 + 4
    (tmp_path / "many" / "decisions" / "part-00001.parquet").write_bytes(b"written by one that was killed before it wrote the games")
    assert files(record.run(many, out=tmp_path / "many", resume=True)) == whole
    assert calls == [0, 1, 1, 2][: len(calls)]


def test_other_games_are_not_mixed_in(folder):
    with pytest.raises(UserError, match="holds games already: add --resume"):
        record.run(recipe(), out=folder)
    with pytest.raises(UserError, match="holds other games: its seed is 4, not 5"):
        record.run(recipe(seed=5), out=folder, resume=True)
    with pytest.raises(UserError, match=r"no games in .* to go on with"):
        record.run(recipe(), out=folder / "nowhere", resume=True)
    with pytest.raises(UserError, match=f"no game {GAMES} in"):
        record.replay(folder, GAMES)


def test_two_recordings_in_one_folder_are_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with locked_folder(None, Path("games")) as first, locked_folder(None, Path("games")) as second:
        assert (first, second) == (Path("games"), Path("games-2"))
        with pytest.raises(UserError, match="games-2 is being filled at this moment"):
            record.run(recipe(), out=second)
    assert not list(tmp_path.iterdir())
    with pytest.raises(UserError, match="there are no games of this recipe in runs/games to go on with"):
        record.run(recipe(), resume=True)


def test_an_agent_that_fails_ends_the_recording_with_a_sentence(tmp_path):
    with pytest.raises(UserError, match=r"the agent .* failed while it played: ValueError"):
        record.run(recipe(agents=("tests.arena.bots:Raising",)), out=tmp_path / "games")
    assert not list((tmp_path / "games").rglob("*.parquet"))


@pytest.mark.parametrize("bot", ["Negative", "OutOfRange", "WrongShape", "Wordy", "Leaving"])
def test_what_is_no_answer_ends_it_too(bot, tmp_path):
    """A number below 0 is none, though arrays can be asked for their last element by it."""
    with pytest.raises(UserError, match=r"the agent .* (gave|failed)"):
        record.run(recipe(agents=(f"tests.arena.bots:{bot}",)), out=tmp_path / "games")


def test_tables_that_were_damaged_are_named_and_can_be_recorded_anew(tmp_path):
    folder = record.run(recipe(games=1), out=tmp_path / "games")
    whole, table = files(folder), folder / "decisions" / "part-00000.parquet"
    for game in ("x", 1.5):
        with pytest.raises(UserError, match="a game is named by its number"):
            record.replay(folder, game)
    table.write_bytes(table.read_bytes()[:100])
    with pytest.raises(UserError, match=r"the table .*decisions.* cannot be read"):
        record.replay(folder, 0)
    table.unlink()
    with pytest.raises(UserError, match=r"the table .*decisions.* cannot be read"):
        record.replay(folder, 0)
    record.run(recipe(games=1), out=folder, resume=True)
    assert files(folder) == whole


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("config", None), ("config", 7), ("config", [1]), ("config", "7"), ("config", "[" * 100_000), ("config", "9" * 5000),
        ("agents", None), ("agents", 7), ("agents", ["a"]), ("seed", None), ("seed", 2.5), ("seed", -1),
    ],
)  # fmt: skip
def test_tables_that_were_altered_are_refused_in_a_sentence(folder, tmp_path, name, value):
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    table = pq.read_table(path := tmp_path / "games" / "part-00000.parquet")
    pq.write_table(table.set_column(table.column_names.index(name), name, pa.array([value] * len(table))), path)
    with pytest.raises(UserError, match=r"the table .*games.* cannot be read") as error:
        record.replay(tmp_path, 0)
    assert len(str(error.value)) < 400 + len(str(path))


def relabelled(folder, to, *, recipe, part):
    """The recording with other rules in its recipe and in the table of its games; None names none."""
    shutil.copytree(folder, to)
    data = json.loads((to / DatasetSpec.FILE).read_text())
    data["versions"] = {name: value for name, value in {**data["versions"], "rules": recipe}.items() if value}
    (to / DatasetSpec.FILE).write_text(json.dumps(data))
    table = pq.read_table(path := to / "games" / "part-00000.parquet")
    said = {**table.schema.metadata, RULES: part.encode() if part else None}
    pq.write_table(table.replace_schema_metadata({name: value for name, value in said.items() if value}), path)
    return to


OTHER = "9b992b469dd8"


@pytest.mark.parametrize(("recipe", "part"), [(OTHER, TODAY), (TODAY, OTHER), (None, OTHER), (OTHER, None)])
def test_a_recording_of_other_rules_is_refused_unless_it_is_wished(folder, tmp_path, recipe, part):
    replay = record.replay(relabelled(folder, tmp_path / "games", recipe=recipe, part=part), 0)
    with pytest.raises(OtherRules, match=f"made under the rules {OTHER}, and these are the rules {TODAY}"):
        replay.play()
    assert replay.play(other_rules=True) == record.replay(folder, 0).play()


@pytest.mark.parametrize(("recipe", "part"), [(TODAY, None), (None, TODAY)])
def test_the_recipe_or_the_table_names_the_rules(folder, tmp_path, recipe, part):
    assert record.replay(relabelled(folder, tmp_path / "games", recipe=recipe, part=part), 0).play().over


def test_a_recording_that_names_no_rules_is_read_with_a_warning_and_its_winners_are_compared(folder, tmp_path):
    old = relabelled(folder, tmp_path / "games", recipe=None, part=None)
    with pytest.warns(RulesWarning, match=r"the record in .* does not say which rules made it") as warned:
        assert record.replay(old, 0).play().over
    assert warned[0].filename == __file__
    table = pq.read_table(path := old / "games" / "part-00000.parquet")
    others = [[seat for seat in range(5) if seat not in winners] for winners in table["winners"].to_pylist()]
    pq.write_table(table.set_column(table.column_names.index("winners"), "winners", pa.array(others, pa.list_(pa.int8()))), path)
    with pytest.warns(RulesWarning), pytest.raises(ReplayError, match=r"became another game .*nothing says which rules made it"):
        record.replay(old, 0).play()


def test_a_recording_of_other_rules_is_not_gone_on_with(folder, tmp_path):
    with pytest.raises(UserError, match=rf"was begun with another rules \({OTHER}, now {TODAY}\)"):
        record.run(recipe(), out=relabelled(folder, tmp_path / "games", recipe=OTHER, part=TODAY), resume=True)


@pytest.mark.parametrize("game", [-1, 10**9, 2**63, -(2**70)])
def test_games_that_no_recording_has(folder, game):
    with pytest.raises(UserError, match="there is no game"):
        record.replay(folder, game)


def test_a_folder_without_games_says_so(tmp_path):
    with pytest.raises(UserError, match="there are no recorded games in"):
        record.replay(tmp_path, 0)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "damage", [lambda blob: blob[:-9], lambda blob: bytes([*blob[:40], blob[40] ^ 1, *blob[41:]]), lambda _: b"", None]
)
def test_a_damaged_part_is_played_again(folder, tmp_path, name, damage):
    shutil.copytree(folder, there := tmp_path / "games")
    whole, table = files(there), there / name / "part-00000.parquet"
    table.unlink() if damage is None else table.write_bytes(damage(table.read_bytes()))
    assert files(record.run(recipe(), out=there, resume=True)) == whole


def test_a_part_of_other_games_is_played_again(folder, tmp_path):
    other = record.run(recipe(seed=5), out=tmp_path / "other")
    shutil.copytree(folder, there := tmp_path / "games")
    whole = files(there)
    for name in (*NAMES, CHECKSUMS):
        shutil.copytree(other / name, there / name, dirs_exist_ok=True)
    assert files(record.run(recipe(), out=there, resume=True)) == whole


@pytest.mark.parametrize("resume", [False, True])
def test_tables_whose_recipe_is_gone_are_not_adopted(folder, tmp_path, resume):
    shutil.copytree(folder, there := tmp_path / "games")
    (there / DatasetSpec.FILE).unlink()
    before = files(there)
    with pytest.raises(UserError, match="holds results, but the recipe that they belong to is gone"):
        record.run(recipe(seed=9), out=there, resume=resume)
    assert files(there) == before


def test_a_billion_games_begin_at_once(tmp_path, monkeypatch):
    """No part is looked for that nobody has written: that would take half a minute."""
    looked = []
    monkeypatch.setattr(Parts, "is_finished", lambda parts, part: looked.append(part) or True)

    def begin(part, agents, config):
        raise KeyboardInterrupt

    monkeypatch.setattr(record, "play", begin)
    many = recipe(games=MOST_RECORDED)
    with pytest.raises(Stopped):
        record.run(many, out=tmp_path / "games")
    (tmp_path / "games" / CHECKSUMS / "part-00007.json").write_text("{}")
    with pytest.raises(Stopped):
        record.run(many, out=tmp_path / "games", resume=True)
    assert looked == [7]


def test_a_recipe_of_numpy_numbers_is_kept_as_any_other(folder, tmp_path):
    numbers = recipe(players=np.int64(5), games=np.int32(GAMES), seed=np.uint16(4), agents=["random", "heuristic"], candidates=np.int8(2))
    assert files(record.run(numbers, out=str(tmp_path / "games"))) == files(folder)


def test_a_recipe_of_endless_words_is_quoted_in_part(tmp_path):
    folder = record.run(recipe(games=1), out=tmp_path / "games")
    kept = json.loads((folder / DatasetSpec.FILE).read_text())
    kept["recipe"]["agents"] = ["a" * 100_000]
    (folder / DatasetSpec.FILE).write_text(json.dumps(kept))
    with pytest.raises(UserError, match="holds other games: its agents is") as error:
        record.run(recipe(games=1), out=folder, resume=True)
    assert len(str(error.value)) < 400 + len(str(folder))


def test_more_games_than_anybody_could_keep_are_refused_at_once():
    with pytest.raises(UserError, match="at most 1,000,000,000"):
        recipe(games=10**20)


def test_pandas_reads_them(folder):
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    games, decisions, events = (pandas.read_parquet(folder / name) for name in NAMES)
    assert len(games) == GAMES
    assert (games["decisions"].sum(), games["events"].sum()) == (len(decisions), len(events))
    assert decisions.groupby("question", observed=True).size().sum() == len(decisions)


def test_every_column_is_on_its_page(folder):
    page = PAGE.read_text("utf-8")
    sections = re.split(r"^## ", page, flags=re.MULTILINE)
    columns = {name: pq.read_table(folder / name).column_names for name in NAMES}
    for name, there in {**columns, OBSERVATIONS: ["game", "decision", "observation", "action_mask"]}.items():
        (section,) = [text for text in sections if text.startswith(f"{name}\n")]
        assert set(re.findall(r"`(\w+)`(?=[^|]*\|[^|]*\|$)", section, re.MULTILINE)) >= set(there)


@pytest.mark.skipif(not JIT, reason="whole games of the deducer")
def test_what_its_page_shows_works(tmp_path, monkeypatch, capsys):
    pytest.importorskip("pandas", reason="pandas is not installed")
    monkeypatch.chdir(tmp_path)
    record.run(DatasetSpec(agents=("heuristic", "deducer"), games=18, seed=1, observations=True), out=tmp_path / "runs" / "games")
    blocks = list(snippets("docs/data.md"))
    assert len(blocks) == 5
    for block in blocks:
        exec(compile(block, "docs/data.md", "exec"), {})
    assert "of the games" in capsys.readouterr().out


def test_the_command(tmp_path):
    words = ("record", "--agents", "random", "--games", "2", "--players", "4", "--observations", "--out", str(tmp_path / "games"))
    done = command(*words)
    assert done.exit_code == 0, done.output
    assert len(rows(tmp_path / "games", "games")) == 2
    assert len(rows(tmp_path / "games", OBSERVATIONS)) == len(rows(tmp_path / "games", "decisions"))
    wrong = command("record", "--games", "0")
    assert "must be at least 1" in wrong.output + wrong.stderr


def test_arrays_of_other_rules_are_refused_unless_they_are_wished(tmp_path):
    recipe = DatasetSpec(agents=("random",), games=2, table=GameConfig(num_players=4))
    record.run(recipe, out=tmp_path / "games")
    about = json.loads((tmp_path / "games" / DatasetSpec.FILE).read_text())
    about["versions"]["rules"] = "1-000000000000"
    (tmp_path / "games" / DatasetSpec.FILE).write_text(json.dumps(about))
    with pytest.raises(OtherRules, match="1-000000000000"):
        record.arrays(tmp_path / "games")
    assert len(record.arrays(tmp_path / "games", other_rules=True)["actions"]) > 100
