"""Whatever a public entry point is handed is taken or refused: with the documented exception and a sentence, never from the depths."""

import inspect
import json
import traceback
import zlib
from pathlib import Path

import numpy as np
import pytest

import danmaku_env
from danmaku_env import (
    ConfigError,
    Game,
    GameConfig,
    IllegalAction,
    Replay,
    ReplayError,
    Scenario,
    ScenarioError,
    VectorEnv,
    danmaku_v0,
    decode,
    make_vec,
    resample,
    role_assignments,
)
from danmaku_env.agents import registry
from danmaku_env.envs.single import DanmakuSingle
from danmaku_env.game import check_seed, histories, public_log
from danmaku_env.info_states import InfoStates

PACKAGE = str(Path(danmaku_env.__file__).parent)
LONGEST_SENTENCE = 1000


class Unprintable:
    """A value that cannot even be shown."""

    def __repr__(self):
        raise RuntimeError("no repr")


def nested(depth, inner=0):
    value = inner
    for _ in range(depth):
        value = [value]
    return value


VALUES = {
    "nothing": None,
    "a truth": True,
    "a NumPy truth": np.True_,
    "a fraction": 1.5,
    "a whole float": 1.0,
    "not a number": float("nan"),
    "infinity": float("inf"),
    "a complex number": 1j,
    "a negative number": -1,
    "a large number": 99,
    "a number that fits no word": 1 << 80,
    "a number too long to print": 10**5000,
    "an empty text": "",
    "a digit": "1",
    "a word": "shoot",
    "an unknown word": "sword",
    "a word with a NUL": "shoot\0",
    "half a character": "\ud800",
    "a text without end": "9" * 5000,
    "bytes": b"shoot",
    "an empty list": [],
    "a list of numbers": [99],
    "a list of fractions": [1.5],
    "a list of nothing": [None],
    "a list of lists": [["shoot"]],
    "a list of words": ["sword"],
    "lists of different lengths": [[1], [2, 3]],
    "a list of bytes": [b"shoot"],
    "lists nested deeply": nested(100_000),
    "a set": {"shoot"},
    "an empty mapping": {},
    "a mapping": {"shoot": 1},
    "a mapping of numbers": {1: 1},
    "a mapping without end": {0: nested(100_000)},
    "a generator": iter(["shoot"]),
    "an array": np.arange(3),
    "an array of texts": np.array(["shoot"]),
    "an array of no dimension": np.array(1),
    "a record": np.zeros(1, "i4, i4"),
    "an object": object(),
    "a class": int,
    "a function": len,
    "something unprintable": Unprintable(),
}

CONFIG = GameConfig(num_players=4, characters="none")
HUGE = ("a large number", "a number that fits no word", "a number too long to print")
"""What seeds may be."""
TRUTHS = {"a truth", "a NumPy truth"}


def game():
    return Game.new(CONFIG, 3)


def replay(**changes):
    return Replay(**{"config": CONFIG, "seed": 3, "answers": (), **changes}).play()


def batch():
    vec = make_vec(2, CONFIG)
    vec.reset(3)
    return vec


def set_agents(names):
    game().agents = names


def described(method, **options):
    def call(name, value):
        getattr(Scenario(4), method)(**{**options, name: value}).build()

    return call


def entry_points():
    """Public parameter -> what is called with a value, what refuses it, and the values that are fine."""
    nothing, empty = {"nothing"}, {"an empty list"}
    large = {"a large number", "a number that fits no word", "a number too long to print"}
    found = {
        "Scenario.num_players": (lambda x: Scenario(x).build(), ScenarioError, nothing),
        "Scenario.config": (lambda x: Scenario(config=x).build(), ScenarioError, nothing),
        "Scenario.options": (lambda x: Scenario(4, expansion=x), ScenarioError, set()),
        "Scenario.build.seed": (lambda x: Scenario().build(x), ValueError, {*HUGE}),
        "Game.new.config": (lambda x: Game.new(x), ConfigError, nothing),
        "Game.new.seed": (lambda x: Game.new(CONFIG, x), ValueError, {*HUGE}),
        "Game.new.options": (lambda x: Game.new(4, ask_forced=x), ConfigError, {"a truth", "a NumPy truth"}),
        "Game.act.action": (lambda x: game().act(x), IllegalAction, set()),
        "Game.seat.index": (lambda x: game().seat(x), IndexError, set()),
        "Game.distance.seat": (lambda x: game().distance(x, 0), IndexError, set()),
        "Game.distance.other": (lambda x: game().distance(0, x), IndexError, set()),
        "Game.in_range.seat": (lambda x: game().in_range(x, 0), IndexError, set()),
        "Game.in_range.other": (lambda x: game().in_range(0, x), IndexError, set()),
        "Game.collected_by.incident": (lambda x: game().collected_by(x), ValueError, set()),
        "Game.observe.seat": (lambda x: game().observe(x), IndexError, set()),
        "Game.describe.seat": (lambda x: game().describe(x), IndexError, {"nothing"}),
        "Game.agents": (set_agents, ValueError, empty),
        "Game.from_bytes.blob": (Game.from_bytes, ReplayError, set()),
        "Replay.config": (lambda x: replay(config=x), ReplayError, set()),
        "Replay.seed": (lambda x: replay(seed=x), ReplayError, {*HUGE}),
        "Replay.answers": (lambda x: replay(answers=x), ReplayError, empty),
        "Replay.agents": (lambda x: replay(agents=x), ReplayError, empty),
        "Replay.start": (lambda x: replay(start=x), ReplayError, nothing),
        "Replay.rules": (lambda x: Replay(CONFIG, 3, (), rules=x), ReplayError, {"nothing", "a digit", "a word", "an unknown word"}),
        "Replay.winners": (lambda x: Replay(CONFIG, 3, (), winners=x), ReplayError, {"nothing", "an empty list"}),
        "Replay.begin.other_rules": (lambda x: game().replay().begin(other_rules=x), ValueError, TRUTHS),
        "Replay.positions.other_rules": (lambda x: list(game().replay().positions(other_rules=x)), ValueError, TRUTHS),
        "Replay.play.other_rules": (lambda x: game().replay().play(other_rules=x), ValueError, TRUTHS),
        "Game.from_bytes.other_rules": (lambda x: Game.from_bytes(game().to_bytes(), other_rules=x), ValueError, TRUTHS),
        "Replay.from_json.text": (Replay.from_json, ReplayError, set()),
        "Replay.load.path": (Replay.load, (OSError, TypeError), set()),
        "GameConfig.from_dict.data": (GameConfig.from_dict, ConfigError, {"an empty mapping"}),
        "GameConfig.named.name": (GameConfig.named, ConfigError, set()),
        "GameConfig.named.history": (lambda x: GameConfig.named("Tiny-v0", x), ConfigError, {"a large number"}),
        "resample.game": (lambda x: resample(x, 0, 1), TypeError, set()),
        "resample.seat": (lambda x: resample(game(), x, 1), IndexError, set()),
        "resample.seed": (lambda x: resample(game(), 0, x), ValueError, {*HUGE}),
        "resample.roles": (lambda x: resample(game(), 0, 1, roles=x), ValueError, nothing),
        "role_assignments.game": (lambda x: role_assignments(x, 0), TypeError, set()),
        "role_assignments.seat": (lambda x: role_assignments(game(), x), IndexError, set()),
        "histories.games": (lambda x: histories(x, [0], 1), ValueError, set()),
        "histories.seats": (lambda x: histories(game().records, x, 1), (IndexError, ValueError), set()),
        "histories.events": (lambda x: histories(game().records, [0], x), ValueError, {"a large number"}),
        "public_log.games": (lambda x: public_log(x, 0), ValueError, set()),
        "public_log.place": (lambda x: public_log(game().records, x), IndexError, set()),
        "make_vec.num_envs": (make_vec, ValueError, {"a large number"}),
        "make_vec.config": (lambda x: make_vec(1, x), ConfigError, nothing),
        "make_vec.threads": (lambda x: make_vec(1, threads=x), ValueError, large),
        "make_vec.options": (lambda x: make_vec(1, num_players=x), ConfigError, set()),
        "VectorEnv.reset.seed": (lambda x: batch().reset(x), ValueError, {*HUGE}),
        "VectorEnv.start.seeds": (lambda x: batch().start([0], x), ValueError, {"a list of numbers"}),
        "VectorEnv.start.rows": (lambda x: batch().start(x, []), (IndexError, ValueError), empty),
        "VectorEnv.records.rows": (lambda x: batch().records(x), IndexError, {*empty, "a negative number", "an array of no dimension"}),
        "VectorEnv.clone.rows": (lambda x: batch().clone(x), IndexError, {*empty, "a negative number", "an array of no dimension"}),
        "VectorEnv.restore.rows": (lambda x: batch().restore(batch().clone([]), x), (IndexError, ValueError), empty),
        "VectorEnv.restore.games": (lambda x: batch().restore(x), ValueError, set()),
        "VectorEnv.step.actions": (lambda x: batch().step(x), ValueError, set()),
        "VectorEnv.observe.seats": (lambda x: batch().observe(x), ValueError, set()),
        "VectorEnv.game.row": (lambda x: batch().game(x), IndexError, set()),
        "danmaku_v0.raw_env.reset.seed": (lambda x: danmaku_v0.raw_env().reset(x), ValueError, {"nothing", *HUGE}),
        "DanmakuSingle.reset.seed": (lambda x: DanmakuSingle().reset(seed=x), ValueError, {"nothing", *HUGE}),
    }
    for name in ("danmaku_v0.raw_env", "DanmakuSingle"):
        make = danmaku_v0.raw_env if name.startswith("danmaku") else DanmakuSingle
        fine = {"nothing", "an empty mapping"}
        if make is danmaku_v0.raw_env:  # as PettingZoo's tests want it, others are ignored there
            fine |= {"a mapping", "a mapping of numbers", "a mapping without end"}
        found[f"{name}.reset.options"] = (lambda x, make=make: make().reset(options=x), ValueError, fine)
    for name, fine in (("num_players", set()), ("roles", set()), ("characters", set()), ("ex_midboss_from", set()),
                       ("character_pool", {"nothing"}), ("deck", {"nothing", "a mapping"}), ("incidents", {"nothing", "an empty list"}),
                       ("life", {"nothing"}), ("hand", {"nothing"}),
                       ("expansion", set()), ("candidates", set()), ("bonus_character", {"a truth", "a NumPy truth"}),
                       ("max_turns", {"a large number"}), ("ask_forced", {"a truth", "a NumPy truth"}), ("history", {"a large number"}),
                       ("ask_everyone", {"a truth", "a NumPy truth"}), ("ask_seasons", {"a truth", "a NumPy truth"})):  # fmt: skip
        found[f"GameConfig.{name}"] = (lambda x, name=name: GameConfig(**{name: x}), ConfigError, fine)
    found |= {f"Scenario.{key}": (call, ScenarioError, fine) for key, call, fine in descriptions()}
    return found


def descriptions():
    """Every option of the methods that describe."""
    nothing, empty = {"nothing"}, {"an empty list"}
    truth = {"a truth", "a NumPy truth"}
    of_seat = {
        "role": nothing, "character": {"nothing", "an empty text"}, "life": nothing, "hand": empty, "items": empty, "defeated": truth,
        "revealed": truth, "danmaku_played": set(), "spell_used": truth, "ability_used": set(), "skip_next": truth, "skipped_last": truth,
        "extras": empty, "named": {"an empty text"}, "hurt": set(),
    }  # fmt: skip
    table = {
        "seat": ({"index": 1, "role": "stage_boss"}, {"index": set(), **of_seat}),
        "incident": ({"name": None}, {"name": nothing, "collected": empty}),
        "incidents": ({}, {"collected": {"an empty mapping"}}),
        "lunatic_deck": ({}, {"top": empty, "discard": empty}),
        "recruits": ({}, {"left": set()}),
        "deck": ({}, {"top": empty, "bottom": empty, "only": {"nothing", "an empty list"}}),
        "discard": ({}, {"top": empty}),
        "incident_deck": ({}, {"top": empty, "discard": empty}),
        "turn": ({"seat": 0}, {"seat": set(), "step": set(), "drew": empty, "action_ban": truth}),
        "lasting": (
            {"effect": "items have no effect", "until": 0, "on": 1},
            {"effect": set(), "until": set(), "on": set(), "value": nothing},
        ),
        "knows": (
            {"seats": 0},
            {"seats": empty, "hands": {"nothing", "an empty mapping"}, "roles": empty, "deck": empty, "incident_deck": empty},
        ),
    }
    for method, (options, names) in table.items():
        for name, fine in names.items():
            call = described(method, **options)
            yield f"{method}.{name}", (lambda value, call=call, name=name: call(name, value)), fine


ENTRY_POINTS = entry_points()


def refusal(call, value, documented):
    """The documented exception with which a value is refused, or None where it is taken."""
    try:
        call(value)
    except documented as error:
        return error
    return None


@pytest.mark.parametrize("entry_point", ENTRY_POINTS)
def test_an_entry_point_takes_or_refuses(entry_point):
    call, documented, fine = ENTRY_POINTS[entry_point]
    for name, value in VALUES.items():
        refused = refusal(call, iter(["shoot"]) if name == "a generator" else value, documented)
        assert (refused is None) == (name in fine), f"{name} is {f'refused: {refused}' if refused else 'taken'}"
        if refused is None or isinstance(refused, OSError):  # the system's own sentence
            continue
        place = traceback.extract_tb(refused.__traceback__)[-1].filename
        assert place.startswith(PACKAGE), f"{name}: raised in {place}: {refused}"
        sentence = str(refused)
        assert 5 < len(sentence) < LONGEST_SENTENCE, f"{name}: {sentence[:200]}"
        assert "\n" not in sentence, f"{name}: {sentence}"


def parameters(owner, *names):
    """`Owner.method.parameter` of the public methods named, or of a function itself."""
    for name in names:
        for parameter in list(inspect.signature(getattr(owner, name)).parameters)[0 if inspect.ismethod(getattr(owner, name)) else 1 :]:
            yield f"{owner.__name__}.{name}.{parameter}"


ELSEWHERE = {
    "Game.illegal.action": "says the sentence of a refusal, of anything",
    "Game.from_record": "what a record may hold is the gate's own test",
    "Game.from_trusted_record": "for records that the engine has just written, looked at by nobody",
    "GameConfig.of": "the entry points that take a configuration are here",
    "Replay.check_end.game": "the game that the replay itself has played",
    "Replay.save.path": "below, with a folder",
}


@pytest.mark.parametrize("owner", [Scenario, Game, Replay, GameConfig, VectorEnv])
def test_every_public_parameter_has_its_door(owner):
    methods = [name for name, member in inspect.getmembers(owner, callable) if not name.startswith("_")]
    for parameter in parameters(owner, *methods):
        known = parameter in ENTRY_POINTS or any(parameter.startswith(prefix) for prefix in ELSEWHERE)
        assert known, f"{parameter} has no entry point here"


def test_every_option_of_a_constructor_has_its_door():
    for owner in (Scenario, Replay, GameConfig):
        for parameter in inspect.signature(owner).parameters:
            assert f"{owner.__name__}.{parameter}" in ENTRY_POINTS
    assert {f"make_vec.{parameter}" for parameter in inspect.signature(make_vec).parameters} <= set(ENTRY_POINTS)


# ---------------------------------------------------------------- what is fine in any form


def _read_only(array):
    array = array.copy()
    array.flags.writeable = False
    return array


def _unaligned(array):
    placed = np.ndarray(array.shape, array.dtype, np.zeros(array.nbytes + 1, np.uint8).data, 1)
    placed[...] = array
    return placed


@pytest.mark.parametrize("form", [_read_only, _unaligned, lambda array: array.repeat(2, axis=0)[::2]])
def test_arrays_may_be_read_only_or_lie_in_pieces(form, capsys):
    """Nothing is compiled anew for them, and the arrays themselves are left alone."""
    vec = make_vec(3, CONFIG)
    vec.reset(1)
    for name in ("heuristic", "deducer"):
        registry.make(name, 1).act(vec.observations, vec.action_masks, InfoStates(vec.records(), vec.seats, vec.config))
    capsys.readouterr()  # what a first use compiles is compiled by now
    records, seats = vec.records(), vec.seats.copy()
    taken = Game.from_record(form(records[:1]), vec.config)
    taken.act(taken.legal()[0])
    assert records.tobytes() == vec.records().tobytes()
    vec.restore(form(records), form(np.arange(3)))
    vec.start(form(np.array([0])), form(np.array([7])))
    assert (histories(form(records), form(seats), 2) == histories(records, seats, 2)).all()
    assert (public_log(form(records), 1) == public_log(records, 1)).all()
    rows, masks, info_states = vec.observations, vec.action_masks, InfoStates(form(vec.records()), form(vec.seats), vec.config)
    for name in ("heuristic", "deducer"):
        expected = registry.make(name, 1).act(rows, masks, InfoStates(vec.records(), vec.seats, vec.config))
        assert (registry.make(name, 1).act(form(rows), form(masks), info_states) == expected).all()
    vec.step(form(vec.sample()))
    assert "compiling" not in capsys.readouterr().err


SMALL = [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64]


@pytest.mark.parametrize("kind", SMALL)
def test_a_seed_of_any_whole_type_is_that_seed(kind):
    """Row 1 of a batch and the game after this one have seeds far beyond a byte."""
    seed = kind(100)
    assert Game.new(CONFIG, seed) == Game.new(CONFIG, 100)
    assert Scenario().build(seed) == Scenario().build(100)
    assert resample(game(), 0, seed) == resample(game(), 0, 100)
    assert type(check_seed(seed)) is int
    one, other = make_vec(3, CONFIG), make_vec(3, CONFIG)
    one.reset(seed)
    other.reset(100)
    assert one.games.tobytes() == other.games.tobytes()
    one.start([0, 1], np.array([7, 8], kind))
    other.start([0, 1], [7, 8])
    assert one.games.tobytes() == other.games.tobytes()


@pytest.mark.parametrize("kind", SMALL)
def test_an_environment_takes_a_seed_of_any_whole_type(kind):
    one, other = danmaku_v0.raw_env(num_players=4), danmaku_v0.raw_env(num_players=4)
    for place in range(3):
        one.reset(kind(100) if place == 0 else None)
        other.reset(100 if place == 0 else None)
        assert one.game == other.game
    one, other = DanmakuSingle(num_players=4), DanmakuSingle(num_players=4)
    assert one.reset(seed=kind(100))[0]["observation"].tobytes() == other.reset(seed=100)[0]["observation"].tobytes()


@pytest.mark.parametrize("kind", SMALL)
def test_seats_and_actions_of_any_whole_type(kind):
    one = game()
    assert one.seat(kind(2)).index == 2
    assert type(one.seat(kind(2)).index) is int
    assert one.distance(kind(0), kind(1)) == one.distance(0, 1)
    assert (one.observe(kind(3)) == one.observe(3)).all()
    assert Scenario().seat(kind(1), life=kind(2)).turn(kind(1)).build().seat(1).life == 2
    other = one.clone()
    one.act(kind(one.legal_actions()[0]))
    other.act(other.legal_actions()[0])
    assert one == other
    assert one.replay() == other.replay()


def test_options_of_a_scenario_are_said_in_its_configuration():
    with pytest.raises(ScenarioError, match=r"say expansion in it: config=GameConfig\(expansion=...\)"):
        Scenario(4, expansion="lunatic_extra")


def test_a_number_of_players_is_a_configuration():
    assert Game.new(6, seed=7) == Game.new(GameConfig(num_players=6), 7)
    assert Game.new(4, 7, characters="none") == Game.new(num_players=4, characters="none", seed=7) == Game.new(CONFIG, 7)
    assert make_vec(2, 5).config == make_vec(2, num_players=5).config == GameConfig(num_players=5)
    assert make_vec(2, roles="basic").config == GameConfig(roles="basic")
    for make in (Game.new, lambda *given, **options: make_vec(2, *given, **options)):
        with pytest.raises(ConfigError, match="num_players must be a whole number from 4 to 8, not 9"):
            make(9)
        with pytest.raises(ConfigError, match="num_players is said twice"):
            make(6, num_players=6)
        with pytest.raises(ConfigError, match="roles is said beside a GameConfig"):
            make(CONFIG, roles="basic")
        with pytest.raises(ConfigError, match=r"unknown option 'players'; the options are .*num_players"):
            make(players=6)


# ---------------------------------------------------------------- what is loaded


def replay_text(**changes):
    return json.dumps({**json.loads(game().replay().to_json()), **changes})


DEEP = "[" * 200_000 + "]" * 200_000
HUGE = "1" * 5000
ODD = {
    "nested": DEEP, "huge": HUGE, "infinite": "1e999", "below": "-1e999", "no number": "NaN", "null": "null", "true": "true",
    "fraction": "2.5", "object": '{"a": 1}', "lists": "[[1]]", "text": '"x"', "infinite list": "[1e999]", "huge list": f"[{HUGE}]",
}  # fmt: skip
HEADS = {
    "nested": DEEP, "huge": HUGE, "infinite": "1e999", "list": "[]", "infinite answer": '{"config": {}, "answers": [1e999]}',
    "answers no list": '{"config": {}, "answers": 3}', "config no mapping": '{"config": [], "answers": []}',
    "no config": '{"answers": []}', "start no record": '{"config": {}, "answers": [], "start": "*"}',
    "agents no names": '{"config": {}, "answers": [], "agents": [1]}', "no text": "\xff",
}  # fmt: skip


@pytest.mark.parametrize("field", ["danmaku_replay", "config", "seed", "agents", "answers", "start"])
@pytest.mark.parametrize("odd", ODD)
def test_a_replay_with_an_odd_value(field, odd):
    text = replay_text(**{field: "HERE"}).replace('"HERE"', ODD[odd])
    with pytest.raises(ReplayError) as refused:
        Replay.from_json(text).play()
    assert len(str(refused.value)) < LONGEST_SENTENCE


@pytest.mark.parametrize("option", ["num_players", "max_turns", "characters", "roles", "history", "ask_everyone", "more"])
@pytest.mark.parametrize("odd", [odd for odd in ODD if odd != "true"])
def test_a_replay_with_an_odd_configuration(option, odd):
    text = replay_text(config={**CONFIG.to_dict(), option: "HERE"}).replace('"HERE"', ODD[odd])
    with pytest.raises(ReplayError):
        Replay.from_json(text)


@pytest.mark.parametrize("head", HEADS)
def test_a_saved_game_with_an_odd_head(head):
    one = game()
    blob, text = one.to_bytes(), HEADS[head].encode("latin-1")
    body = text + one.record.tobytes()
    with pytest.raises(ReplayError, match="unreadable head"):
        Game.from_bytes(blob[:6] + len(text).to_bytes(4, "little") + zlib.crc32(body).to_bytes(4, "little") + body)


@pytest.mark.parametrize("path", ["re\0play.json", "\ud800", "", "no/such/folder/replay.json", "x" * 500])
def test_a_path_that_no_file_can_have(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for entry_point in (game().replay().save, Replay.load):
        with pytest.raises(OSError):  # noqa: PT011 - what the system says differs
            entry_point(path)
    assert list(tmp_path.iterdir()) == []


def test_a_path_of_another_type():
    for path in (None, 3, b"replay.json", 2.5):
        for entry_point in (game().replay().save, Replay.load):
            with pytest.raises(TypeError, match="a path is a text or a Path, not"):
                entry_point(path)


# ---------------------------------------------------------------- nothing is harmed


def test_a_refusal_changes_nothing():
    one = game()
    before = one.to_bytes()
    for value in VALUES.values():
        for entry_point in (one.act, one.seat, one.observe, lambda x: one.distance(0, x), lambda x: setattr(one, "agents", x or 3)):
            with pytest.raises((ValueError, IndexError)):
                entry_point(value if not isinstance(value, list) else [value])
        assert one.illegal(value)
        assert one.to_bytes() == before


def test_what_a_game_shows_is_not_the_game():
    one = game()
    before = one.to_bytes()
    for shown in (one.action_mask(), one.observe(0), one.state()):
        shown[:] = 1
    for shown in (one.legal(), one.legal_actions(), one.deck, one.seat(0).hand, one.seats, one.rewards(), one.winners, one.incident_deck):
        shown.clear()
    with pytest.raises(ValueError, match="read-only"):
        one.record["life"][0] = 9
    with pytest.raises(ValueError, match="read-only"):
        one.record["asking"] = 9
    with pytest.raises(AttributeError):
        one.config = GameConfig()
    with pytest.raises(AttributeError):
        one.record = None
    assert one.to_bytes() == before


def test_a_game_says_what_it_is():
    assert repr(Game.new(CONFIG, 7)).startswith("<Game: 4 players, seed 7, turn 1 of seat ")
    assert repr(Game.new(6, 7)) == "<Game: 6 players, seed 7, setup step; seat 0 is asked 'character'>"
    one = Game.new(GameConfig(num_players=4, characters="none", max_turns=1), 1)
    while not one.over:
        one.act(one.legal_actions()[0])
    assert repr(one) == "<Game: 4 players, seed 1, over in turn 1: truncated>"


# ---------------------------------------------------------------- the two boxes


LUNATIC_ONLY = "play with GameConfig(expansion='lunatic_extra')"


@pytest.mark.parametrize(
    ("describe", "words"),
    [
        (lambda table: table.seat(0, hand=["occult_ball"]), f"'occult_ball' is a card of Lunatic Extra; {LUNATIC_ONLY}"),
        (lambda table: table.seat(0, hand=["lunatic_bomb"]), f"'lunatic_bomb' is a card of Lunatic Extra; {LUNATIC_ONLY}"),
        (lambda table: table.seat(0, items=["tanuki_leaf"]), f"'tanuki_leaf' is a card of Lunatic Extra; {LUNATIC_ONLY}"),
        (lambda table: table.deck(top=["extra_stage"]), f"'extra_stage' is a card of Lunatic Extra; {LUNATIC_ONLY}"),
        (lambda table: table.discard(top=["occult_ball"]), f"'occult_ball' is a card of Lunatic Extra; {LUNATIC_ONLY}"),
        (lambda table: table.lunatic_deck(top=["lunatic_bomb"]), f"'lunatic_bomb' is a card of Lunatic Extra; {LUNATIC_ONLY}"),
        (lambda table: table.seat(0, character="junko"), f"seat 0: 'junko' is a character of Lunatic Extra; {LUNATIC_ONLY}"),
        (
            lambda table: table.seat(0, character="player_2"),
            "seat 0: 'player_2' is the bonus character; play with GameConfig(bonus_character=True)",
        ),
        (lambda table: table.seat(0, role="secret_boss"), f"seat 0: 'secret_boss' is a role of Lunatic Extra; {LUNATIC_ONLY}"),
        (lambda table: table.seat(0, role="tag_team"), f"seat 0: 'tag_team' is a role of Lunatic Extra; {LUNATIC_ONLY}"),
        (lambda table: table.incident("lunar_wars"), f"'lunar_wars' is an incident of Lunatic Extra; {LUNATIC_ONLY}"),
        (lambda table: table.incident_deck(top=["dream_world"]), f"'dream_world' is an incident of Lunatic Extra; {LUNATIC_ONLY}"),
        (
            lambda table: table.incidents({"lily_white": [], "overdrive": []}),
            f"several incidents are in play at once with Lunatic Extra only; {LUNATIC_ONLY}",
        ),
        (lambda table: table.recruits(["cirno"]), f"nobody recruits in the base game; {LUNATIC_ONLY}"),
        (lambda table: table.seat(0, extras=["cirno"]), f"seat 0 has no Extra Characters in the base game; {LUNATIC_ONLY}"),
        (lambda table: table.seat(0, hurt=True), f"seat 0 is not kept as hurt in the base game; {LUNATIC_ONLY}"),
        (lambda table: table.seat(0, named="cirno"), "seat 0 has named 'cirno', but nobody it plays names an ability"),
        (lambda table: table.turn(0, step="turn zero"), f"there is no turn zero in the base game; {LUNATIC_ONLY}"),
    ],
)
def test_what_only_the_expansion_has_is_refused_in_the_base_game(describe, words):
    with pytest.raises(ScenarioError) as refused:
        describe(Scenario(num_players=4)).build()
    assert words in str(refused.value)


def test_lists_of_different_lengths_are_refused_in_our_words():
    ragged = [[1], [2, 3]]
    for call, words in (
        (lambda: resample(game(), 0, 1, roles=ragged), "roles must be 4 role numbers"),
        (lambda: histories(game().records, ragged, 1), "seats are 1 whole numbers"),
        (lambda: decode(ragged), r"decode\(\) takes rows of observations"),
    ):
        with pytest.raises(ValueError, match=words):
            call()


def test_what_the_expansion_replaces_is_refused_in_it():
    table = Scenario(config=GameConfig(num_players=4, characters="none", expansion="lunatic_extra"))
    with pytest.raises(ScenarioError, match="'phantom_boss' is replaced in Lunatic Extra; the Extra Bosses are ex_boss, phantasm_boss"):
        table.seat(0, role="phantom_boss").build()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (
            {"num_players": 8, "characters": "draft"},
            "a draft deals 4 characters to each of 8 players, more than the 24 characters of the box",
        ),
        ({"num_players": 8, "characters": "double_threat"}, "Double Threat deals 4 characters to each of 8 players"),
        ({"num_players": 8, "candidates": 4}, "at most 3, or play with expansion='lunatic_extra'"),
        (
            {"num_players": 4, "characters": ["cirno", "junko", "ibuki_suika", "kazami_yuuka"]},
            f"'junko' is a character of Lunatic Extra; {LUNATIC_ONLY}",
        ),
        ({"expansion": "lunatic"}, "expansion must be 'none' or 'lunatic_extra', not 'lunatic'"),
        ({"characters": [("cirno", "junko")] * 6}, "('cirno', 'junko') is not a character"),
    ],
)
def test_configurations_that_mix_boxes_wrongly_are_refused(options, words):
    with pytest.raises(ConfigError) as refused:
        GameConfig(**options)
    assert words in str(refused.value)
