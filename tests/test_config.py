"""GameConfig: what it refuses, and that its values survive JSON."""

import itertools
import json

import numpy as np
import pytest

from danmaku_env import CHARACTER_IDS, ROLE_IDS, ConfigError, Game, GameConfig, Replay, Scenario, make_vec, resample, role_assignments
from danmaku_env.cards.compile import compile_cards
from danmaku_env.cards.tables import POOL_FACTIONS
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
        factions = compile_cards().tables[0]["role_factions"].astype(int)[dealt]
        for faction, number in zip(POOL_FACTIONS, config.roles_dealt, strict=True):
            assert sum(factions & -factions == faction) == number


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


# ---------------------------------------------------------------- given roles and characters

ROLES = ("stage_boss", "heroine", "ex_boss", "stage_boss")
POOL = CHARACTER_IDS[3:21]


def test_given_roles_are_dealt_and_the_rest_lies_as_the_seed_has_it():
    config = GameConfig(num_players=4, roles=list(ROLES))
    game, usual = Game.new(config, seed=1), Game.new(4, seed=1)
    assert tuple(seat.role for seat in game.seats) == ROLES != tuple(seat.role for seat in usual.seats)
    assert (game.deck, game.incident_deck) == (usual.deck, usual.incident_deck)
    assert (game.record["candidates"] == usual.record["candidates"]).all()
    assert (game.record["rng"] == usual.record["rng"]).all()
    assert Game.new(config, seed=2).deck != game.deck
    assert tuple(seat.role for seat in Scenario(config=config).build(seed=5).seats) == ROLES


def test_the_roles_that_the_seed_deals_anyway_change_no_byte():
    usual = Game.new(6, seed=3)
    given = Game.new(6, seed=3, roles=[seat.role for seat in usual.seats])
    assert given.record.tobytes() == usual.record.tobytes()


def test_a_batch_has_the_given_roles_in_every_game():
    vec = make_vec(8, 4, roles=ROLES, max_turns=2)
    vec.reset(1)
    ended = 0
    while ended < 8:
        vec.step(vec.sample())
        ended += int(vec.dones.sum())
    begun = vec.games["turn_number"] == 0
    assert (vec.games["role"][begun][:, :4] == [ROLE_IDS.index(role) for role in ROLES]).all()
    assert begun.any()


def test_nobody_knows_that_roles_were_given():
    """Every seat thinks of the deals, with the chances, that it thinks of where an ordinary deal gave it the same role."""
    game = Game.new(4, seed=1, roles=ROLES)
    ordinary = (Game.new(4, seed) for seed in itertools.count())
    usual = next(other for other in ordinary if tuple(seat.role for seat in other.seats) == ROLES)
    assert int(game.record["config"]) == int(usual.record["config"])
    for seat in range(4):
        assert role_assignments(game, seat).named() == role_assignments(usual, seat).named()
        assert len(role_assignments(game, seat).roles) >= 3
        worlds = [resample(game, seat, seed) for seed in range(20)]
        assert all((world.observe(seat) == game.observe(seat)).all() for world in worlds)
        assert len({tuple(other.role for other in world.seats) for world in worlds}) >= 3


@pytest.mark.parametrize("way", ["choose", "random", "draft", "double_threat"])
@pytest.mark.parametrize("expansion", ["none", "lunatic_extra"])
def test_only_the_pool_is_dealt_chosen_and_thought_of(way, expansion):
    config = GameConfig(
        num_players=4, characters=way, expansion=expansion, character_pool=POOL, roles=ROLES if expansion == "none" else "advanced"
    )
    game, pool = Game.new(config, seed=2), sum(1 << CHARACTER_IDS.index(name) for name in POOL)
    answers = 0
    while not game.over and answers < 30:
        for world in (game, resample(game, game.asking, answers)):
            masks = [
                int(world.record[name]) for name in ("unused_characters", "discarded_characters", "open_characters", "drawn_characters")
            ]
            assert not any(mask & ~pool for mask in [*masks, *map(int, world.record["candidates"])])
            assert {seat.character for seat in world.seats} <= {*POOL, None, ""}
            assert Game.from_record(world.records.copy(), config).legal() == game.legal()
        game.act(game.legal()[-1])
        answers += 1
    assert game.replay().play() == game == Game.from_bytes(game.to_bytes())


@pytest.mark.parametrize("options", [{}, {"bonus_character": True}, {"expansion": "lunatic_extra", "characters": "double_threat"}])
def test_a_pool_has_one_order_and_all_characters_are_no_pool(options):
    everybody = GameConfig(num_players=4, **options).character_ids
    some = GameConfig(num_players=4, **options, character_pool=everybody[20:2:-1])
    assert some == GameConfig(num_players=4, **options, character_pool=everybody[3:21])
    assert some.character_pool == everybody[3:21]
    assert GameConfig(num_players=4, **options, character_pool=everybody[::-1]) == GameConfig(num_players=4, **options)


def test_given_roles_and_pools_are_plain_data():
    config = GameConfig(num_players=4, roles=ROLES, character_pool=POOL)
    assert GameConfig.from_dict(json.loads(json.dumps(config.to_dict()))) == config
    assert config.character_ids == POOL
    assert hash(config) == hash(GameConfig(num_players=4, roles=list(ROLES), character_pool=list(POOL)))
    assert Replay.from_json(Game.new(config, 1).replay().to_json()).play() == Game.new(config, 1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"roles": ("heroine",) * 4},
            r"roles: heroine, .* cannot be dealt; with 4 players there are the heroine, 2 of stage_boss \(at most 3\); 1 of",
        ),
        ({"roles": ROLES[:3]}, "roles names 3 roles for 4 players; one per seat is needed"),
        ({"roles": ("stage_boss", "heroine", "ex_boss", "final_boss")}, "final_boss cannot be dealt; with 4 players"),
        ({"roles": ("stage_boss", "heroine", "ex_boss", "boss")}, "roles: 'boss' is not a role; the roles are heroine"),
        ({"roles": ("stage_boss", "heroine", "ex_boss_revealed", "stage_boss")}, "cannot be dealt"),
        ({"roles": ("stage_boss", "heroine", "lone_wolf", "stage_boss")}, "lone_wolf, stage_boss cannot be dealt"),
        (
            {"character_pool": POOL[:7]},
            "2 for each of 4 players are more than the 7 characters of the character_pool; have fewer players, or name",
        ),
        ({"character_pool": POOL[:15], "characters": "draft"}, "more than the 15 characters of the character_pool; at most 3 players"),
        ({"character_pool": POOL[:3], "characters": "random"}, "4 players are more than the 3 characters of the character_pool"),
        ({"character_pool": [*POOL, "nobody"]}, "character_pool: 'nobody' is not a character"),
        ({"character_pool": [*POOL, POOL[0]]}, "character_pool names somebody twice"),
        ({"character_pool": []}, "character_pool is empty"),
        ({"character_pool": "hakurei_reimu"}, "character_pool must be a list of characters or None"),
        ({"character_pool": POOL, "characters": CHARACTER_IDS[:4]}, "is not in the character_pool"),
        ({"character_pool": [*POOL, "usami_sumireko"]}, "character_pool: 'usami_sumireko' is a character of Lunatic Extra"),
    ],
)
def test_roles_and_pools_that_the_box_has_not_are_refused(options, message):
    with pytest.raises(ConfigError, match=message):
        GameConfig(num_players=4, **options)


# ---------------------------------------------------------------- seeds


@pytest.mark.parametrize("seed", [1 << 62, 1 << 63, (1 << 64) - 1, 1 << 128, np.uint64((1 << 64) - 1)])
def test_a_seed_of_any_size_is_one_game(seed):
    game = Game.new(4, seed)
    assert Game.new(4, seed) == game != Game.new(4, int(seed) + 1)
    assert game.replay().play() == game
    vec = make_vec(2, 4)
    vec.reset(seed)
    assert vec.game(0) == game
    vec.start([1], [seed])
    assert vec.game(1) == game
    assert Scenario(num_players=4).build(seed) == Scenario(num_players=4).build(seed)
    assert resample(game, 0, seed) == resample(game, 0, seed)


@pytest.mark.parametrize("seed", [-1, 1.5, "7", None, True])
def test_bad_seeds(seed):
    with pytest.raises(ValueError, match="a seed is a whole number"):
        Game.new(GameConfig(), seed)
