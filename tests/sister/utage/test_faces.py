"""Gensou no Utage through every entry point: PettingZoo, Gymnasium, batches, bots, the command, and what is refused."""

import copy
import importlib
import json
import os
import pickle
import re
from pathlib import Path

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

import danmaku_env
from danmaku_env import GameConfig, ReplayError, utage_v0
from danmaku_env.sister import shisoroku, utage
from danmaku_env.sister.utage import (
    ACTION_IDS,
    FEATURES,
    UTAGE_SPEC,
    ConfigError,
    Deck,
    Game,
    Replay,
    Scenario,
    ScenarioError,
    UtageConfig,
    balance,
    bots,
    card_features,
    pages,
    resample,
    text,
    tournament,
)
from danmaku_env.sister.utage.cards import box
from danmaku_env.sister.utage.cards.sentences import sentence
from danmaku_env.sister.utage.config import STANDARD
from danmaku_env.sister.utage.engine import state as st
from tests.sister.both import said

# ---------------------------------------------------------------- environments


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_pettingzoo():
    """PettingZoo's own checks, by the module and by the registry."""
    api_test(utage_v0.env(decks=("reimu4", "marisa4"), max_turns=20), num_cycles=200)
    seed_test(lambda: utage_v0.env(max_turns=10), num_cycles=40)
    if hasattr(pettingzoo, "make"):
        env = pettingzoo.make("aec", "danmaku/utage-v0", decks="random")
        env.reset(seed=1)
        assert env.possible_agents == ["seat_0", "seat_1"]


@pytest.mark.parametrize("name", ["Utage", "Shisoroku"])
def test_gymnasium_warns_of_nothing_where_a_table_is_drawn(name, recwarn):
    env = gymnasium.make(f"danmaku/{name}-v0", render_mode="ansi")
    env.reset(seed=1)
    assert "seat 0" in env.render()
    assert [str(one.message) for one in recwarn] == []


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_gymnasium():
    """Gymnasium's own checks; a learner against greedy, alone and in a batch."""
    env = gymnasium.make("danmaku/Utage-v0", learner=0, opponents="greedy", max_turns=60)
    check_env(env.unwrapped, skip_render_check=True)
    _, info = env.reset(seed=3)
    over = False
    while not over:
        _, reward, terminated, truncated, info = env.step(env.action_space.sample(info["action_mask"]))
        over = terminated or truncated
    assert reward in (-1.0, 0.0, 1.0)
    many = gymnasium.make_vec("danmaku/Utage-v0", num_envs=4, learner=1, opponents="greedy")
    observations, _ = many.reset(seed=1)
    assert observations["observation"].shape == (4, UTAGE_SPEC.row_size)


def test_opponents_are_told_what_is_known_of_the_table():
    """A search that thought of other decks would answer otherwise."""
    config = UtageConfig(decks=("remilia3-sakuya1", "marisa4"), open_lists=False, possible=("remilia3-sakuya1",))
    env = gymnasium.make("danmaku/Utage-v0", learner=0, opponents="search:simulations=2", **config.to_dict())
    (opponent,) = env.unwrapped.opponents
    assert (opponent._settings == config.settings()).all()


@pytest.mark.parametrize("name", ["Utage", "Shisoroku"])
def test_a_class_is_no_opponent(name):
    class Mine:
        def reset(self, seed):
            pass

        def answer(self, games, seats, observations, masks):
            return masks.argmax(1)

    gymnasium.make(f"danmaku/{name}-v0", opponents=Mine())
    with pytest.raises(ConfigError, match="an opponent is the name of a bot"):
        gymnasium.make(f"danmaku/{name}-v0", opponents=Mine)


def test_a_table_as_text():
    """`ansi` works; pictures are refused in a sentence."""
    env = utage_v0.raw_env(render_mode="ansi")
    env.reset(seed=1)
    assert "seat 0" in env.render()
    with pytest.raises(ValueError, match="render_mode must be None or one of human, ansi, not 'rgb_array'"):
        utage_v0.raw_env(render_mode="rgb_array")


def test_sizes():
    assert UTAGE_SPEC.row_size <= 1229
    assert st.READ_BYTES <= 3584
    assert st.STATE.itemsize - st.READ_BYTES <= 4096
    assert len(ACTION_IDS) == UTAGE_SPEC.num_actions == 257


def test_card_features_tell_cards_apart():
    features = card_features()
    assert features.shape == (144, len(FEATURES))
    assert not features.flags.writeable
    assert features[box.NUMBERS["0105"], FEATURES.index("hv")] == 4
    assert len(np.unique(features, axis=0)) >= 143


def test_sentences_say_when_texts_of_spells_hold():
    """Static texts of a spell hold while it battles (V-7); what says otherwise says so."""
    said = {name: sentence(box.CARDS[box.NUMBERS[name]]) for name in ("0104", "0506", "0504", "0606", "0114")}
    assert said["0104"] == "While it battles: own leader: EV -2."
    assert said["0506"] == "While it battles, intercepting: own leader: EV +1."
    assert said["0504"].startswith("Replenish and battle: this spell:")
    assert said["0606"].startswith("Always: this spell:")
    assert said["0114"].startswith("Battle: own leader: EV +1.")


# ---------------------------------------------------------------- bots


def test_greedy_beats_random_and_search_beats_greedy():
    decks = (STANDARD["marisa4"], STANDARD["marisa4"])
    first = tournament.paid(tournament.played(UtageConfig(decks=decks), (bots.make("greedy"), bots.make("random")), np.arange(100)))
    assert first.mean() > 0.8
    search = tournament.paid(
        tournament.played(UtageConfig(decks=decks), (bots.make("search:simulations=20"), bots.make("greedy")), np.arange(20))
    )
    assert search.mean() > 0


def test_a_world_depends_on_what_is_known_alone():
    """From a world that is dealt anew the same random numbers deal the same worlds."""
    game = Game.new(UtageConfig(), 5)
    for number in range(25):
        seat = game.asking
        other = resample(game, seat, 9)
        for one, again in ((game, number), (other, number)):
            world = resample(one, seat, again)
            assert world.seat(1 - seat).hand == resample(game, seat, number).seat(1 - seat).hand
        game.act(int(game.legal_actions()[-1]))


def test_search_plays_by_what_its_seat_knows():
    """The same answers in a world that is dealt anew, from the same random numbers."""
    game = Game.new(UtageConfig(), 5)
    for _ in range(25):
        seat = game.asking
        answers = []
        for one in (game, resample(game, seat, 9)):
            bot = bots.make("search:simulations=12", 1)
            answers.append(bot.answer(one.records.copy(), [seat], one.observe(seat)[None], one.action_mask()[None])[0])
        assert answers[0] == answers[1]
        game.act(int(answers[0]))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("gredy", "do you mean 'greedy'"),
        ("greedy:x=1", "greedy has no options"),
        ("search:simulations=0", "simulations is a whole number from 1 to 999,999"),
        ("search:depth=3", "simulations is a whole number"),
        ("search:simulations=1000000", "simulations is a whole number from 1 to 999,999"),
        (f"search:simulations={'9' * 5000}", "simulations is a whole number"),
    ],
)
def test_bots_that_there_are_not(name, words):
    with pytest.raises(bots.BotError, match=words):
        bots.make(name)


@pytest.mark.parametrize("game", [utage, shisoroku], ids=["utage", "shisoroku"])
@pytest.mark.parametrize("wrong", [-1, 2.5, "x", None, True])
def test_seeds_and_counts_that_are_no_whole_numbers(game, wrong):
    with pytest.raises(ValueError, match="a seed is a whole number from 0, not"):
        importlib.import_module(f"{game.__name__}.bots").make("random", wrong)
    one = game.Game.new(seed=1)
    with pytest.raises(ValueError, match="count is a whole number of at least 0, not"):
        game.resample_many(one, one.asking, wrong, 1)


# ---------------------------------------------------------------- what is refused

REIMU = dict(STANDARD["reimu4"].cards)


@pytest.mark.parametrize(
    ("team", "cards", "words"),
    [
        ({"Reimu": 4}, {**REIMU, "0101": 2}, "a deck has exactly 40 cards besides the characters, not 39"),
        ({"Reimu": 4}, {**REIMU, "0101": 4, "0005": 1}, "the deck has 4 of 0101; at most 3 of one name are allowed"),
        ({"Reimu": 4}, {**REIMU, "0100": 1}, "'0100' is a character; characters are no part of the deck"),
        ({"Reimu": 3}, REIMU, "a team has 4 characters, not 3"),
        ({"Reimu": 3, "Marissa": 1}, REIMU, "'Marissa' is no character of volume 1; do you mean 'Marisa'"),
        ({"Reimu": 4}, {**REIMU, "1408": 1}, "'1408' is no card of volume 1 .cards of a later volume are not here."),
        ({"Reimu": 4}, {**REIMU, "Zero Gravty": 1}, "do you mean 'Zero Gravity' .0111."),
        ({"Reimu": 4}, {**REIMU, "0101": 0}, "'0101' must be there once or more often, not 0"),
    ],
)
def test_decks_that_cannot_be(team, cards, words):
    with pytest.raises(ConfigError, match=words):
        Deck(team, cards)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"decks": "reimu"}, 'decks must be "random" or two decks, one for each seat'),
        ({"decks": ("reimu5", "marisa4")}, "deck of seat 0: 'reimu5' is no deck; do you mean 'reimu4'"),
        ({"decks": ("nowhere.toml", "marisa4")}, "deck of seat 0: 'nowhere.toml' is no deck; .* a file is named by a Path"),
        ({"decks": (Path("nowhere.toml"), "marisa4")}, "deck of seat 0: nowhere.toml: No such file"),
        ({"decks": (Path("a\0.toml"), "marisa4")}, "deck of seat 0: .* no file can have this name"),
        ({"decks": np.array(["reimu4", "marisa4"])}, 'decks must be "random" or two decks, one for each seat'),
        ({"max_turns": 0}, "max_turns must be a whole number from 1 to 32767"),
        ({"open_lists": 1}, "open_lists must be True or False, not 1"),
        ({"roles": "basic"}, "unknown option 'roles' of Gensou no Utage"),
        ({"num_players": 3}, "Gensou no Utage is a game of 2 seats, not 3"),
    ],
)
def test_tables_that_there_are_not(options, words):
    with pytest.raises(ConfigError, match=words):
        Game.new(None, 0, **options)


def test_an_option_of_one_game_is_none_of_the_other():
    with pytest.raises(ConfigError, match="unknown option 'decks'"):
        GameConfig.from_dict({"decks": "random"})


def test_a_deck_file(tmp_path):
    good = tmp_path / "good.toml"
    good.write_text("[team]\nReimu = 4\n[cards]\n" + "".join(f'"{name}" = {copies}\n' for name, copies in REIMU.items()), "utf-8")
    assert Deck.read(good).cards == REIMU


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[team", r"bad\.toml: it is no TOML"),
        ("x = " + "[" * 5000, r"bad\.toml: it is no deck: something in it is nested too deeply"),
        (f"x = {'9' * 5000}", r"bad\.toml: it is no deck: .* a number in it has too many digits"),
        ("#" * (1 << 17), r"bad\.toml: it is longer than 64 KiB"),
        ("name = 5\n[team]\n[cards]", r"bad\.toml: the name of a deck is a text, not 5"),
        ("[team]\nReimu = 4", r"bad\.toml: a deck has a team and cards; cards is missing"),
    ],
)
def test_files_that_are_no_decks(tmp_path, text, words):
    bad = tmp_path / "bad.toml"
    bad.write_text(text, "utf-8")
    with pytest.raises(ConfigError, match=words):
        Deck.read(bad)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_a_pipe_is_no_deck(tmp_path):
    os.mkfifo(tmp_path / "pipe.toml")
    with pytest.raises(ConfigError, match=r"pipe\.toml: it is no file"):
        Deck.read(tmp_path / "pipe.toml")


@pytest.mark.parametrize("option", ["decks", "possible"])
def test_a_replay_has_no_file_opened(tmp_path, option):
    """What it names is a deck of ours, or stands in it."""
    data = json.loads(Game.new(seed=1).replay().to_json())
    data["config"][option] = [str(tmp_path / "mine.toml"), "marisa4"]
    with pytest.raises(ReplayError, match=r"mine\.toml' is no deck"):
        Replay.from_json(json.dumps(data))


def test_a_deck_cannot_be_changed():
    deck = Deck.of("reimu4")
    for mapping in (deck.team, deck.cards):
        with pytest.raises(TypeError):
            mapping["0101"] = 1
    for other in (copy.deepcopy(deck), pickle.loads(pickle.dumps(deck)), Deck(deck.team, deck.cards, deck.name)):
        assert (other, hash(other), other.to_dict()) == (deck, hash(deck), deck.to_dict())


def test_saves_and_replays_of_one_game_are_none_of_the_other():
    other, mine = danmaku_env.Game.new(4), Game.new(seed=1)
    with pytest.raises(ReplayError, match="the saved game is one of Danmaku!!, not of Gensou no Utage"):
        Game.from_bytes(other.to_bytes())
    with pytest.raises(ReplayError, match="the saved game is one of Gensou no Utage, not of Danmaku!!"):
        danmaku_env.Game.from_bytes(mine.to_bytes())
    data = json.loads(mine.replay().to_json())
    assert data["game"] == "utage"
    assert Replay.from_json(json.dumps(data)).play() == mine


@pytest.mark.parametrize(
    ("say", "words"),
    [
        (lambda scene: scene.seat(0, scene="0011").seat(1, scene="0012"), "one scene is in play at a time"),
        (lambda scene: scene.seat(0, on={"0101": "0006"}), "'0101' carries a support and is no spell of this side"),
        (lambda scene: scene.seat(0, hp=20), "HP of Reimu is from 1 to 19, not 20"),
        (lambda scene: scene.seat(0, hand=["0101"] * 4), "4 of 0101 are named; a deck has at most 3"),
        (lambda scene: scene.seat(0, hand=["1408"]), "'1408' is no card of volume 1"),
        (lambda scene: scene.seat(0, on_leader=["0006"]), "0006 is not a leader support"),
        (lambda scene: scene.seat(0, active=["0101"]).lasting(2, "0101", "AV", 1), "an effect lies on a side, 0 or 1, not 2"),
        (lambda scene: scene.seat(0, active=["0101"]).lasting(0, "0101", "AV", 1.5), "a whole number from -100 to 100, not 1.5"),
        (lambda scene: scene.lasting(0, "0101", "AV", 1), "side 0 has no '0101'"),
        (lambda scene: scene.lasting(0, "0999", "AV", 1), "an effect lies on a spell: '0999' is no card of volume 1"),
        (lambda scene: scene.lasting(0, 101, "AV", 1), "an effect lies on a spell: 101 is no id of a card"),
        (lambda scene: scene.lasting(0, "0006", "AV", 1), "an effect lies on a spell, and 0006 is none"),
        (lambda scene: scene.lasting(0, "0101", "type", 0), "a type is 1 to 3 .spread, concentrated, normal., not 0"),
        (lambda scene: scene.lasting(0, "0101", "EV", 1), "'EV' is not a value of a spell that effects change; they are AV, IV, HV, prot"),
        (lambda scene: scene.lasting(0, "0101", "class", 1), "'class' is not a value of a spell that effects change"),
        (lambda scene: [scene.lasting(0, "0101", "AV", 1) for _ in range(33)], "at most 32 effects last at a time"),
        *(
            (lambda scene, rest=rest: scene.seat(0, rest=rest), f"rest of seat 0 is a whole number from 0 to 40, not {rest!r}")
            for rest in (-30, True, "x", 2.5)
        ),
        (lambda scene: scene.seat(0, hand=["0101"], rest=40), "seat 0: rest is 40, and only 39 cards are named nowhere"),
        (lambda scene: scene.seat(0, on=["0105"]), "on of seat 0 names spells with supports, like .*, not .'0105'."),
        (lambda scene: scene.seat(0, leader=[]), "leader of seat 0 is a character, not .."),
        (lambda scene: scene.seat(0, scene=0), "scene of seat 0 is the id of a card, not 0"),
        (lambda scene: scene.seat(0, team={}), "a team has 4 characters, not 0"),
        (lambda scene: Scenario(decks=("reimu4", "marisa4")).seat(0, team={"Sakuya": 4}), "team is for a table without such decks"),
        (lambda scene: scene.turn(0, "evening"), "a turn stands at start, replenish, battle, preparation, end, not 'evening'"),
    ],
)
def test_positions_that_cannot_be(say, words):
    with pytest.raises(ScenarioError, match=words):
        say(Scenario()).build()


def test_a_second_scene_that_is_refused_changes_nothing():
    table = Scenario().seat(0, scene="0011")
    with pytest.raises(ScenarioError):
        table.seat(1, hp=3, scene="0012")
    assert table.build(1) == Scenario().seat(0, scene="0011").build(1)
    assert table.seat(0).seat(1, scene="0012").build(1), "the scene may lie with the other"


# ---------------------------------------------------------------- the command


@pytest.mark.parametrize("game", ["utage", "shisoroku"])
def test_the_command_alone_says_what_there_is(game):
    status, words = said(game)
    assert (status, words) == said(game, "--help")
    assert status == 0
    assert "for 2 " in words
    assert "completion" not in words


def test_cards_and_decks_by_command(tmp_path):
    assert "penetration" in said("utage", "cards", "0206")[1]
    status, words = said("utage", "cards", "0777")
    assert (status != 0, "there is no card or character '0777'" in words) == (True, True)
    assert "a legal deck: Reimu 4; 19 spells, 9 supports, 12 events" in said("utage", "deck", "reimu4")[1]
    assert "No such file" in said("utage", "deck", str(tmp_path / "none.toml"))[1]
    assert "'reimu5' is no deck; do you mean 'reimu4'?" in said("utage", "deck", "reimu5")[1]


def test_watch_and_play_fit_a_terminal():
    """80 columns and 24 lines, as the seat that is asked sees it and from above."""
    for seed in range(6):
        game, rng = Game.new(UtageConfig(decks="random"), seed), np.random.default_rng(seed)
        while not game.over:
            for observer in (game.asking, None):
                lines = text.table(game, observer).split("\n")
                assert len(lines) <= 24
                assert max(map(len, lines)) <= 80
            game.act(int(rng.choice(game.legal_actions())))


def test_watch_names_bots_that_there_are_seats_for():
    status, words = said("utage", "watch", "greedy+random+greedy")
    assert (status, "there are 2 seats, and 3 bots are named: greedy+random+greedy" in words) == (2, True)


def test_a_person_plays_a_few_turns_and_leaves():
    status, words = said("utage", "play", "--seed", "3", input="?0206\n=0206\nnonsense\n1\nq\n")
    assert status == 0
    assert "Master Spark" in words
    assert "'nonsense' is no answer here" in words


@pytest.mark.parametrize("game", ["utage", "shisoroku"])
def test_a_number_without_end_is_no_answer(game):
    status, words = said(game, "play", "--seed", "3", input=f"{'9' * 5000}\nq\n")
    assert (status, "is no answer here: give a number from 1 to" in words) == (0, True)


def test_a_tournament_by_command():
    status, words = said("utage", "tournament", "greedy", "random", "--deals", "10", "--decks", "reimu4,marisa4")
    assert status == 0
    assert "\ngreedy with the deck of the row against random" in words


def test_how_fair_decks_are_by_command(tmp_path):
    out = tmp_path / "found.json"
    status, words = said("utage", "balance", "--deals", "20", "--decks", "reimu4,marisa4", "--out", str(out))
    assert status == 0
    assert re.search(r"greedy: reimu4 wins [\d.]+ % \([\d.]+ to [\d.]+\) against marisa4; the first attacker", words)
    found = json.loads(out.read_text("utf-8"))
    one = found["bots"]["random"][1]
    assert one["decks"] == ["reimu4", "marisa4"]
    assert one["turns"] == sorted(one["turns"])
    assert one["won"][0] + found["bots"]["random"][2]["won"][0] == pytest.approx(1)
    assert out.read_bytes().startswith(balance.BEGINS)
    assert said("utage", "balance", "--deals", "2", "--decks", "reimu4", "--out", str(out))[0] == 0


@pytest.mark.parametrize(
    ("out", "words"),
    [("notes.txt", "is no measurement of decks is there and would be lost"), ("", "it is a folder"), ("none/x.json", "does not exist"),
     (" x.json", "begins or ends with a blank")],
)  # fmt: skip
def test_a_measurement_is_not_begun_where_it_cannot_be_kept(tmp_path, monkeypatch, out, words):
    (tmp_path / "notes.txt").write_text("my notes", "utf-8")
    monkeypatch.setattr(balance, "measure", None)
    status, told = said("utage", "balance", "--out", out if out.startswith(" ") else str(tmp_path / out))
    assert (status, words in " ".join(told.split())) == (2, True)


def test_shares_lie_from_0_to_1():
    """Also those of two games, both won."""
    for one in balance.measure([STANDARD["reimu4"]], 2)["bots"]["greedy"]:
        for share, half, low, high in (one["won"], one["first_attacker"]):
            assert 0 <= low <= share <= high <= 1
            assert half == pytest.approx((high - low) / 2, abs=1e-4)


def test_the_page_on_fairness_was_measured_with_the_decks_and_rules_of_today():
    """`danmaku utage balance`, as docs/utage/balance.md says, measures them again (about a minute)."""
    found = json.loads(pages.BALANCE.read_text("utf-8"))
    assert found["decks"] == [json.loads(json.dumps(deck.to_dict())) for deck in STANDARD.values()]
    assert found["rules"] == UTAGE_SPEC.rules()
    assert found["deals"] >= 20_000
    assert balance.unfair(found) == []
    found["bots"]["greedy"][1]["won"][0] = 0.66
    assert balance.unfair(found) == ["reimu4 against marisa4: 66.0 %, not 35 to 65"]
