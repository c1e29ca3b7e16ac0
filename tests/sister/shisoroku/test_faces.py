"""Shisouroku through every entry point: PettingZoo, Gymnasium, batches, bots, the command, and what is refused."""

import dataclasses
import json
import subprocess
import sys

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from pettingzoo.test import api_test, seed_test

import danmaku_env
from danmaku_env import GameConfig, ReplayError, make_vec, shisoroku_v0
from danmaku_env.sister.shisoroku import (
    ACTION_IDS,
    FEATURES,
    SHISOROKU_SPEC,
    ConfigError,
    Game,
    Replay,
    Scenario,
    ScenarioError,
    ShisorokuConfig,
    bots,
    card_features,
    text,
    tournament,
)
from danmaku_env.sister.shisoroku.cards import box
from danmaku_env.sister.shisoroku.engine import state as st
from tests.sister.both import said

# ---------------------------------------------------------------- environments


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_pettingzoo():
    """PettingZoo's own checks, by the module and by the registry."""
    api_test(shisoroku_v0.env(num_players=3, kingdom="first", max_turns=20), num_cycles=200)
    seed_test(lambda: shisoroku_v0.env(num_players=2, max_turns=10), num_cycles=40)
    if hasattr(pettingzoo, "make"):
        env = pettingzoo.make("aec", "danmaku/shisoroku-v0", num_players=4)
        env.reset(seed=1)
        assert env.possible_agents == ["seat_0", "seat_1", "seat_2", "seat_3"]


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_gymnasium():
    """Gymnasium's own checks; a learner against money, alone and in a batch."""
    env = gymnasium.make("danmaku/Shisoroku-v0", learner=0, opponents="money", max_turns=40)
    check_env(env.unwrapped, skip_render_check=True)
    _, info = env.reset(seed=3)
    over = False
    while not over:
        _, reward, terminated, truncated, info = env.step(env.action_space.sample(info["action_mask"]))
        over = terminated or truncated
    assert reward in (-1.0, 0.0, 1.0)
    assert info["points"].tolist() == env.unwrapped.game.points
    many = gymnasium.make_vec("danmaku/Shisoroku-v0", num_envs=4, learner=1, opponents=["money", "random"])
    observations, infos = many.reset(seed=1)
    assert infos["points"].tolist() == [[3, 3]] * 4
    assert observations["observation"].shape == (4, SHISOROKU_SPEC.row_size)


def test_points_tell_nothing_of_a_card_passed_unseen():
    """E-6, H-4: points are told in `info` as far as the seat can tell, and all of them after the end."""
    from tests.sister.shisoroku.table import COIN, ONE, RICE, act, play

    game = play("eosd-03", [COIN], others=[{"hand": [ONE, COIN]}, {"hand": [RICE, COIN]}])
    act(game, f"choose {ONE}", f"choose {RICE}")  # seat 1 has passed its 1-VP card to seat 2
    assert (game.points, game.points_seen(0), game.points_seen(1)) == ([0, 0, 1], [0, 1, 0], [0, 0, 1])


def test_a_shared_first_place_in_every_face():
    """E-6: 0 to those who share it, -1 to others, also to a learner among them."""
    options = {"num_envs": 256, "num_players": 3, "kingdom": "random", "learner": 0, "autoreset_mode": AutoresetMode.NEXT_STEP}
    env = gymnasium.make_vec("danmaku/Shisoroku-v0", **options)
    observations, _ = env.reset(seed=0)
    records, paid = env.unwrapped, []
    rng = np.random.default_rng(0)
    for _ in range(400):
        chosen = np.argmax(rng.random(observations["action_mask"].shape) * observations["action_mask"], axis=1)
        observations, rewards, over, _, _ = env.step(chosen)
        drawn = over & (records._games["outcome"] == 2) & (records._games["winners"] > 0)
        paid += list(zip(rewards[drawn].tolist(), (records._games["winners"][drawn] & 1).tolist(), strict=True))
    assert {0.0: 1, -1.0: 0}.items() >= set(paid)
    assert len(set(paid)) == 2


def test_a_table_as_text():
    """`ansi` works; pictures are refused in a sentence."""
    env = shisoroku_v0.raw_env(render_mode="ansi")
    env.reset(seed=1)
    assert "koumakan 8$ 8" in env.render()
    with pytest.raises(ValueError, match="render_mode must be None or one of human, ansi, not 'rgb_array'"):
        shisoroku_v0.raw_env(render_mode="rgb_array")


def test_batches_pay_as_the_rulings_say():
    """E-6: +1 to a sole winner, -1 to others; those who share the first place get 0."""
    vec = make_vec(64, ShisorokuConfig(num_players=3, kingdom="random"))
    vec.reset(0)
    paid = []
    for _ in range(2000):
        vec.step(vec.sample())
        paid += vec.rewards[vec.dones][:, :3].tolist()
    assert {tuple(sorted(row)) for row in paid} <= {(-1, -1, 1), (-1, 0, 0), (0, 0, 0)}
    assert (-1, 0, 0) in {tuple(sorted(row)) for row in paid}


def test_a_row_fits_a_kilobyte_and_a_record_its_size():
    assert SHISOROKU_SPEC.row_size <= 1024
    assert st.READ_BYTES <= 6912
    assert len(ACTION_IDS) == SHISOROKU_SPEC.num_actions == 115


def test_card_features_tell_cards_apart():
    features = card_features()
    assert features.shape == (146, len(FEATURES))
    assert not features.flags.writeable
    smith = features[box.NUMBERS["eosd-17"]]
    assert smith[FEATURES.index("+cards")] == 3
    assert len(np.unique(features, axis=0)) >= 140  # a few cards differ only in a number of a choice


# ---------------------------------------------------------------- bots


def test_a_menu_beats_money_and_money_beats_random():
    config = ShisorokuConfig()
    menu = tournament.estimate_of(tournament.duel(config, bots.make("menu:eosd-17=1"), bots.make("money"), 1500))
    assert 0.38 < menu.mean < 0.55
    assert tournament.estimate_of(tournament.duel(config, bots.make("money"), bots.make("random"), 100)).mean > 0.9


def test_search_plays_by_what_its_seat_knows():
    """The same answers in a world that is dealt anew, from the same random numbers."""
    game = Game.new(ShisorokuConfig(), 5)
    for _ in range(30):
        seat = game.asking
        answers = []
        for one in (game, danmaku_env.sister.shisoroku.resample(game, seat, 9)):
            bot = bots.make("search:simulations=12", 1)
            answers.append(bot.answer(one.records.copy(), [seat], one.observe(seat)[None], one.action_mask()[None])[0])
        assert answers[0] == answers[1]
        game.act(int(answers[0]))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("mony", "do you mean 'money'"),
        ("money:eosd-17=1", "money has no options"),
        ("menu:eosd-99=1", "no kingdom card; do you mean 'eosd-"),
        ("menu:eosd-17", "says no number"),
        ("menu:eosd-17=1,eosd-17=2", "eosd-17 is named twice"),
        ("search:simulations=0", "simulations is a whole number from 1 to 999,999"),
    ],
)
def test_bots_that_there_are_not(name, words):
    with pytest.raises(bots.BotError, match=words):
        bots.make(name)


@pytest.mark.parametrize("name", ["menu:eosd-17=1,pcb-01=2", "search:simulations=40,pcb-01=2"])
def test_a_menu_of_another_kingdom(name):
    with pytest.raises(bots.BotError, match="no kingdom of this table has pcb-01"):
        tournament.tournament(ShisorokuConfig(), ["money", name], 2)
    bots.make(name).know(ShisorokuConfig(kingdom="random", sets=("eosd", "pcb")))


def test_an_opponent_of_another_kingdom():
    """Environments ask as tournaments do."""
    for make in (gymnasium.make, lambda *words, **options: gymnasium.make_vec(*words, num_envs=2, **options)):
        with pytest.raises(ConfigError, match=r"opponents: .*no kingdom of this table has pcb-01"):
            make("danmaku/Shisoroku-v0", opponents="menu:pcb-01=2")


# ---------------------------------------------------------------- what is refused

NINE = list(box.FIRST_KINGDOM[:9])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"num_players": 1}, "num_players must be a whole number from 2 to 4, not 1"),
        ({"num_players": 5}, "num_players must be a whole number from 2 to 4, not 5"),
        ({"kingdom": NINE}, "kingdom names 9 cards; 10 are needed, or more, of which each game draws 10"),
        ({"kingdom": [*box.KINGDOM_IDS[:20], "eosd-07"]}, "kingdom names eosd-07 twice; its cards differ"),
        ({"kingdom": [*NINE, NINE[0]]}, "kingdom names eosd-01 twice"),
        ({"kingdom": [*NINE, "eosd-2"]}, "kingdom: 'eosd-2' is not a kingdom card; do you mean 'eosd-"),
        ({"kingdom": [*NINE, "omiki"]}, "'omiki' is a basic card; a kingdom is of kingdom cards"),
        ({"kingdom": "base"}, 'kingdom must be "first", "random" or ten ids like "eosd-01" or more, not \'base\''),
        ({"sets": ()}, "sets must be some of eosd, pcb"),
        ({"sets": ("eosd", "prosperity")}, "'prosperity' is not a set"),
        ({"start": "palace"}, "start must be 'shrine' or 'chirei'"),
        ({"max_turns": 0}, "max_turns must be a whole number from 1 to 32767"),
        ({"optional_cards": 1}, "optional_cards must be True or False, not 1"),
        ({"roles": "basic"}, "unknown option 'roles' of Shisouroku"),
    ],
)
def test_tables_that_there_are_not(options, words):
    with pytest.raises(ConfigError, match=words):
        Game.new(None, 0, **options)


def test_a_game_without_roles_has_no_learner_by_faction():
    with pytest.raises(ConfigError, match=r"learner must be a seat from 0 to 1 or \"any\", not 'heroine'$"):
        gymnasium.make("danmaku/Shisoroku-v0", learner="heroine")


def test_a_game_of_other_cards_does_not_fit_a_pool():
    twenty = ShisorokuConfig(kingdom=box.KINGDOM_IDS[:20])
    vec = make_vec(2, twenty)
    vec.reset(0)
    game = Game.new(twenty, 3)
    assert ShisorokuConfig.from_dict(twenty.to_dict()) == twenty
    assert Replay.from_json(game.replay().to_json()).play().kingdom == game.kingdom
    with pytest.raises(ValueError, match="another kingdom does not fit"):
        Game.from_record(Game.new(2, 0, kingdom=box.KINGDOM_IDS[20:30]).records, twenty)
    with pytest.raises(ScenarioError, match="a kingdom of ten cards that are named"):
        Scenario(twenty)


def test_an_option_of_one_game_is_none_of_the_other():
    with pytest.raises(ConfigError, match="unknown option 'kingdom'"):
        GameConfig.from_dict({"kingdom": "first"})


def test_saves_and_replays_of_one_game_are_none_of_the_other():
    other, mine = danmaku_env.Game.new(4), Game.new(2)
    with pytest.raises(ReplayError, match="the saved game is one of Danmaku!!, not of Shisouroku"):
        Game.from_bytes(other.to_bytes())
    with pytest.raises(ReplayError, match="the saved game is one of Shisouroku, not of Danmaku!!"):
        danmaku_env.Game.from_bytes(mine.to_bytes())
    data = json.loads(mine.replay().to_json())
    assert data["game"] == "shisoroku"
    with pytest.raises(ReplayError, match="answer 0 is 'buy omiki the second', which is no answer"):
        Replay.from_json(json.dumps({**data, "answers": ["buy omiki the second"]}))


def test_a_replay_is_read_where_nobody_has_named_the_game():
    mine = Game.new(2, seed=4)
    code = "import sys; from danmaku_env import Replay; print(Replay.from_json(sys.stdin.read()).play())"
    done = subprocess.run([sys.executable, "-c", code], input=mine.replay().to_json(), capture_output=True, text=True, check=True)
    assert done.stdout.strip() == repr(mine)


@pytest.mark.parametrize(
    ("say", "words"),
    [
        (lambda scene: scene.seat(0, hand=["koumakan"] * 20), "there are only 8 koumakan"),
        (lambda scene: scene.seat(0, hand=["pcb-01"]), "'pcb-01' is not in this game; put it into its kingdom"),
        (lambda scene: scene.seat(0, hand=["osaisn"]), "'osaisn' is not a kingdom card"),
        (lambda scene: scene.seat(5), "seat 5: the seats are 0 to 1"),
        (lambda scene: scene.supply(koumakan=9), "koumakan cannot have 9 cards in its pile: 8 are left"),
        (lambda scene: scene.turn(0, "evening"), "a turn stands at start, actions, resources, purchases, not 'evening'"),
        (lambda scene: scene.seat(0, hand={"osaisen": -1}), "a whole number from 0 to 200 is meant, not -1"),
    ],
)
def test_positions_that_cannot_be(say, words):
    with pytest.raises(ScenarioError, match=words):
        say(Scenario(2)).build()


def test_a_supply_that_is_refused_changes_nothing():
    table = Scenario(2)
    with pytest.raises(ScenarioError):
        table.supply({"osaisen": 3, "nope": 1})
    assert table.build(1) == Scenario(2).build(1)


def test_a_position_of_a_kingdom_by_its_name():
    assert Scenario(2, kingdom="first").config == ShisorokuConfig()
    for kingdom, words in (("random", "ten cards that are named"), ("", "kingdom must be"), (7, "kingdom must be")):
        with pytest.raises(ScenarioError, match=words):
            Scenario(2, kingdom=kingdom)


# ---------------------------------------------------------------- the command


def test_cards_by_command():
    assert "+1 purchase; +2 coins" in said("shisoroku", "cards", "eosd-01")[1].lower()
    status, words = said("shisoroku", "cards", "eosd-77")
    assert (status != 0, "there is no card or set 'eosd-77'" in words) == (True, True)


@pytest.mark.parametrize(
    ("card", "words"),
    [
        ("sp-09", "when a victory card is bought: gain 1 sake"),  # another card brings none
        ("sa-19", "when a victory card is bought: you may trash this"),
        ("pcb-18", "you may trash this; if so: +2 coins"),  # who does not gets no coins
        ("sa-06", "you may discard this; if so: gain 1 sake"),
    ],
)
def test_a_card_says_when_and_on_what_terms(card, words):
    assert words in " ".join(text.card_text(box.CARDS[box.NUMBERS[card]]).lower().split())


def test_names_are_fetched_once_for_all_legal_answers(monkeypatch):
    game, fetched = Game.new(ShisorokuConfig(), 1), []
    spec = dataclasses.replace(SHISOROKU_SPEC, actions_of=lambda record: fetched.append(1) or SHISOROKU_SPEC.actions_of(record))
    expected = game.legal()
    monkeypatch.setattr(Game, "spec", spec)
    assert game.legal() == expected
    assert len(expected) > 1 == len(fetched)


def test_watch_and_play_fit_a_terminal():
    """80 columns and 24 lines, also for four seats with all the cards a game can have."""
    kingdom = ["in-01", *[name for name in box.KINGDOM_IDS if name.startswith("eosd")][:9]]
    game = Game.new(ShisorokuConfig(num_players=4, kingdom=kingdom, start="chirei", optional_cards=True), 1)
    rng = np.random.default_rng(0)
    for _ in range(300):
        lines = text.table(game, game.asking).split("\n")
        assert len(lines) <= 24
        assert max(map(len, lines)) <= 80
        if game.over:
            break
        legal = game.legal()
        game.act(legal[int(rng.integers(len(legal)))])


def test_watch_names_a_seat_and_bots_that_there_are():
    for options, words in ((("money", "--seat", "3"), "there is no seat 3 at a table of 2"), (("money+random+money",), "3 bots are named")):
        status, told = said("shisoroku", "watch", *options)
        assert (status, words in told) == (2, True)


def test_a_person_plays_a_few_turns_and_leaves():
    status, words = said("shisoroku", "play", "--seed", "3", input="?eosd-22\nnonsense\n1\nq\n")
    assert status == 0
    assert "discard any number" in words
    assert "'nonsense' is no answer here" in words


def test_a_tournament_by_command():
    status, words = said("shisoroku", "tournament", "money", "random", "--deals", "20")
    assert status == 0
    assert "+1.000" in words
    assert "at least two bots" in said("shisoroku", "tournament", "money")[1]


def test_a_menu_is_fitted():
    status, words = said("shisoroku", "fit", "--deals", "60", "--rounds", "1")
    assert status == 0
    assert words.splitlines()[-1].startswith(("menu:", "money"))
