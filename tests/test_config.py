"""GameConfig: what it refuses, and that its values survive JSON."""

import itertools
import json

import numpy as np
import pytest

from danmaku_env import CHARACTER_IDS, ConfigError, Game, GameConfig
from danmaku_env.cards.compile import compile_cards
from danmaku_env.cards.tables import POOL_GROUPS
from danmaku_env.config import EXPANSIONS, ROLE_SETS

FOUR = CHARACTER_IDS[:4]


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"num_players": 3}, "num_players must be a whole number from 4 to 8, not 3"),
        ({"num_players": 9}, "num_players"),
        ({"num_players": 5.0}, "num_players"),
        ({"num_players": "6"}, "num_players"),
        ({"num_players": True}, "num_players"),
        ({"num_players": None}, "num_players"),
        ({"max_turns": 0}, "max_turns must be a whole number from 1 to 32767, not 0"),
        ({"max_turns": 32768}, "max_turns"),
        ({"max_turns": float("nan")}, "max_turns"),
        ({"roles": "all"}, 'roles must be "advanced", "basic" or one role per seat'),
        ({"ex_midboss_from": 6}, "ex_midboss_from must be 5 or 7"),
        ({"ask_forced": 1}, "ask_forced must be True or False"),
        ({"ask_everyone": None}, "ask_everyone must be True or False"),
        ({"ask_seasons": "yes"}, "ask_seasons must be True or False"),
        ({"characters": "cirno"}, "characters must be"),
        ({"characters": 4}, "characters must be"),
        ({"characters": None}, "characters must be"),
        ({"characters": ("cirno",)}, "characters names 1 ids for 6 players"),
        ({"num_players": 4, "characters": (*FOUR[:3], "reimu")}, "'reimu' is not a character"),
        ({"num_players": 4, "characters": (*FOUR[:3], "flandre_scarlet")}, "is a character of Lunatic Extra; play with GameConfig"),
        ({"num_players": 4, "characters": (*FOUR[:3], "player_2")}, "is the bonus character; play with GameConfig"),
        ({"num_players": 4, "characters": (*FOUR[:3], FOUR[0])}, "names somebody twice"),
    ],
)
def test_refused(options, reason):
    with pytest.raises(ConfigError, match=reason):
        GameConfig(**options)


def test_it_takes_keywords_only_and_is_frozen():
    with pytest.raises(TypeError):
        GameConfig(6)
    with pytest.raises(AttributeError):
        GameConfig().num_players = 5


def test_unknown_option_is_named():
    with pytest.raises(ConfigError, match=r"unknown option 'colour'; the options are .*num_players"):
        GameConfig.from_dict({"colour": "red"})


@pytest.mark.parametrize(
    "config",
    [
        GameConfig(),
        GameConfig(num_players=4, characters=list(FOUR)),
        GameConfig(num_players=8, roles="basic", characters="none", ex_midboss_from=7, max_turns=1, ask_forced=True, ask_everyone=True),
        GameConfig(ask_seasons=True),
        GameConfig(num_players=np.int64(5)),
    ],
)
def test_it_survives_json(config):
    assert GameConfig.from_dict(json.loads(json.dumps(config.to_dict()))) == config


def test_equal_settings_are_equal_and_hashable():
    assert GameConfig(num_players=4, characters=list(FOUR)) == GameConfig(num_players=4, characters=FOUR)
    assert len({GameConfig(), GameConfig(num_players=6)}) == 1


def test_fixed_characters_sit_where_they_were_put():
    game = Game.new(GameConfig(num_players=4, characters=FOUR), seed=3)
    assert [seat.character for seat in game.seats] == list(FOUR)


def test_no_characters():
    game = Game.new(GameConfig(num_players=4, characters="none"), seed=3)
    assert [seat.character for seat in game.seats] == [""] * 4


def test_random_characters_are_not_asked_for():
    game = Game.new(GameConfig(characters="random"), seed=3)
    assert game.question != "character"
    assert all(seat.character for seat in game.seats)


def test_basic_roles_are_plain():
    for seed in range(20):
        roles = {seat.role for seat in Game.new(GameConfig(num_players=7, roles="basic"), seed).seats}
        assert roles == {"heroine", "partner", "stage_boss", "ex_boss"}


@pytest.mark.parametrize("players", range(4, 9))
def test_everybody_but_the_heroine_is_dealt_a_role_of_a_pool(players):
    for expansion, roles in itertools.product(EXPANSIONS, ROLE_SETS):
        config = GameConfig(num_players=players, roles=roles, expansion=expansion)
        assert sum(config.roles_dealt) == players - 1
        dealt = Game.new(config, seed=players).record["role"][:players]
        groups = compile_cards().tables[0]["role_groups"].astype(int)[dealt]
        for group, number in zip(POOL_GROUPS, config.roles_dealt, strict=True):
            assert sum(groups & -groups == group) == number


def test_the_midboss_can_be_kept_for_larger_tables():
    dealt = [seat.role for seed in range(60) for seat in Game.new(GameConfig(num_players=5, ex_midboss_from=7), seed).seats]
    assert "ex_midboss" not in dealt
    dealt = [seat.role for seed in range(60) for seat in Game.new(GameConfig(num_players=5), seed).seats]
    assert "ex_midboss" in dealt


def test_the_turn_cap_truncates_without_winners():
    game = Game.new(GameConfig(num_players=4, characters="none", max_turns=1), seed=1)
    while game.asking is not None:
        game.act("pass" if "pass" in game.legal() else game.legal()[0])
    assert (game.outcome, game.winners, game.rewards()) == ("truncated", [], [0.0] * 4)


@pytest.mark.parametrize("seed", [-1, 1.5, "7", None, True])
def test_bad_seeds(seed):
    with pytest.raises(ValueError, match="a seed is a whole number"):
        Game.new(GameConfig(), seed)
