"""Role separation: who is harmed, whether that is an enemy, and what becomes of it when one's role is exchanged."""

import numpy as np
import pytest

from danmaku_env import Game, GameConfig, Scenario, make_vec
from danmaku_env.agents import role_separation as rs
from danmaku_env.agents.base import play_out
from danmaku_env.agents.harm import asks_whom_to_harm, harmed_choices
from danmaku_env.agents.random import RandomAgent
from danmaku_env.agents.registry import make
from danmaku_env.agents.role_separation import RoleSeparation, SeparationSums
from danmaku_env.arena.matches.match import Job, Result, play
from danmaku_env.arena.roles_exchanged import exchange, play_with_itself
from danmaku_env.cards.compile import compile_cards
from danmaku_env.console.errors import UserError
from danmaku_env.engine import naming
from danmaku_env.engine.actions import SEAT_BASE
from danmaku_env.engine.observation import OFFSETS
from danmaku_env.play.harmed import Harmed
from danmaku_env.play.recording import Recording
from danmaku_env.play.replay_page import replay_html

SIX = ("heroine", "stage_boss", "partner", "stage_boss", "ex_boss", "stage_boss")


def asked(card, *, by=1, roles=SIX, **more):
    """A table at which the seat has just announced a card and is asked for a player; two others have an item, and two lack a life."""
    scene = Scenario(config=GameConfig(num_players=len(roles), **more.pop("config", {})))
    for seat, role in enumerate(roles):
        here = {"hand": [card, "graze"]} if seat == by else {}
        here |= {"items": ["focus"]} if seat in (0, 3) else {}
        scene = scene.seat(seat, role=role, life=3 if seat in (0, 3) else 4, **here)
    game = scene.turn(by).build(seed=1)
    game.act(f"play {card}")
    while game.question not in ("target", "second target"):
        game.act(game.legal()[-1] if game.question == "half" else "pass")
    return game


def answered(game, seat):
    """What an answer that names the seat tells."""
    measure = RoleSeparation(game.config)
    measure.add(game.records, [game.asking], game.action_mask()[None], [relative(game, seat)])
    return measure.result()


def relative(game, seat):
    return SEAT_BASE + (seat - game.asking) % game.config.num_players


# ---------------------------------------------------------------- who is harmed


@pytest.mark.parametrize("card", ["laser_shot", "melee", "borrow", "seal_away"])
def test_attacks_and_thefts_ask_whom_to_harm(card):
    game = asked(card)
    assert asks_whom_to_harm(game.records).tolist() == [True]
    assert answered(game, 2).harm["Stage Boss"].choices == 1


def test_healing_harms_nobody():
    game = asked("one_up")
    assert asks_whom_to_harm(game.records).tolist() == [False]
    assert answered(game, 2).harm["Stage Boss"].choices == 0


def test_of_a_text_that_chooses_twice_only_the_one_who_is_attacked_is_harmed():
    compiled = compile_cards()
    harmed = {title: harmed_choices(text) for title, text in zip(compiled.titles, compiled.texts, strict=True) if text}
    assert harmed["Hourai Elixir"] == {2}  # heals the first, attacks the second
    assert harmed["200 Yojana in One Slash"] == {1, 2}
    assert harmed['"Offering"'] == {1}  # gives the second what it takes from the first
    assert harmed["Guilty or Not Guilty"] == frozenset()  # may be either


# ---------------------------------------------------------------- enemies and chance


@pytest.mark.parametrize(("seat", "enemy"), [(0, 1), (2, 1), (4, 1), (3, 0), (5, 0)])
def test_a_stage_boss_who_shoots(seat, enemy):
    share = answered(asked("laser_shot"), seat).harm["Stage Boss"]
    assert (share.choices, share.named, share.chance) == (1, enemy, 3 / 5)  # Heroine, Partner and Extra Boss of five others


def test_the_ex_midboss_is_an_extra_boss_who_looks_like_a_partner():
    roles = ("heroine", "stage_boss", "ex_midboss", "stage_boss", "ex_boss", "stage_boss")
    hers, other = (answered(asked("laser_shot", by=2, roles=roles), seat) for seat in (0, 4))
    assert (hers.harm["Extra Boss"].named, other.harm["Extra Boss"].named) == (1, 0)
    assert hers.harm["Extra Boss"].chance == 4 / 5
    assert (hers.heroine["Partner"].named, hers.heroine["Partner"].chance) == (1, 1 / 5)


def test_the_share_of_the_heroine_is_of_all_answers_that_name_a_seat():
    healed = answered(asked("one_up"), 3)
    assert healed.harm["Stage Boss"].choices == 0
    assert (healed.heroine["Stage Boss"].choices, healed.heroine["Stage Boss"].named) == (1, 0)
    assert "Heroine" not in healed.heroine


def test_an_answer_that_names_nobody_tells_nothing():
    game = asked("laser_shot")
    measure = RoleSeparation(game.config)
    measure.add(game.records, [1], game.action_mask()[None], [0])
    assert measure.result().harm["Stage Boss"].choices == 0
    assert measure.line() == "nobody has been chosen yet"


# ---------------------------------------------------------------- over many games


def counts_of(*rows):
    counts = naming.room(len(rows))[:, 0]
    for game, (choices, named, parts) in enumerate(rows):
        counts[game, naming.HARM, 3] = choices, named, parts
    return counts


def test_the_game_is_the_unit_of_the_interval():
    chance = naming.PARTS // 2
    many, few = SeparationSums(), SeparationSums()
    many.take(counts_of(*[(10, 10 * (game % 2), 10 * chance) for game in range(20)]))  # a game is all right or all wrong
    few.take(counts_of(*[(1, game % 2, chance) for game in range(20)]))
    one, other = (sums.separation().harm["Stage Boss"] for sums in (many, few))
    assert (one.choices, one.games, one.named, one.chance) == (200, 20, 0.5, 0.5)
    assert one.high - one.low == pytest.approx(other.high - other.low)
    assert one.high == pytest.approx(2.093 * 0.5 / 20**0.5 * (20 / 19) ** 0.5, rel=1e-3), "Student's, of 20 games"


def test_random_play_is_what_chance_gives_and_the_heuristic_is_not():
    vec = make_vec(128, 6)
    vec.reset(3)
    blind = RoleSeparation(vec.config)
    for _ in range(700):
        actions = vec.sample()
        blind.add(vec.games, vec.seats, vec.action_masks, actions)
        vec.step(actions)
    found = blind.result()
    for share in (*found.harm.values(), *found.heroine.values()):
        assert share.choices > 300
        assert share.low - 0.01 <= 0 <= share.high + 0.01
    knowing = play_with_itself("heuristic", vec.config, games=40).separation
    assert all(share.difference > 0 for share in knowing.harm.values())
    assert knowing.harm["Stage Boss"].low > 0
    assert knowing.heroine["Stage Boss"].low > 0 > knowing.heroine["Partner"].high
    assert knowing.line().startswith("Stage Boss ")


def test_only_the_rows_asked_for_are_counted_and_rows_keep_their_places():
    vec = make_vec(8, 6)
    vec.reset(3)
    measure, whole = RoleSeparation(vec.config), RoleSeparation(vec.config)
    for _ in range(200):
        actions = vec.sample()
        measure.add(vec.games, vec.seats, vec.action_masks, actions, rows=np.arange(8) < 4)
        whole.add(vec.games, vec.seats, vec.action_masks, actions)
        vec.step(actions)
    some, everything = (sum(share.choices for share in found.result().harm.values()) for found in (measure, whole))
    assert 0 < some < everything
    with pytest.raises(ValueError, match="rows must keep their places"):
        measure.add(vec.games[:4], vec.seats[:4], vec.action_masks[:4], actions[:4])
    assert sum(share.choices for share in whole.fresh().result().harm.values()) == 0


# ---------------------------------------------------------------- roles exchanged


class Blind:
    """Likes some seats better than others, whoever they are."""

    name = "blind"

    def reset(self, seed):
        """Nothing is random."""

    def probabilities(self, observations, masks, info_states=None):
        weights = masks * (1.0 + np.arange(masks.shape[1]) % 5)
        return weights / weights.sum(1, keepdims=True)

    def act(self, observations, masks, info_states=None):
        return self.probabilities(observations, masks).argmax(1)


def test_nothing_but_ones_own_role_is_exchanged():
    game = asked("laser_shot")
    row = game.observe(1)[None]
    rows, records, places = exchange(row, game.records, np.array([1]), 6, np.random.default_rng(0))
    mine = slice(OFFSETS["role"], OFFSETS["role"] + 8 * 13)
    changed = np.flatnonzero(rows[0] != row[0])
    assert places.tolist() == [0]
    assert len(changed) == 2
    assert mine.start <= changed[0] < changed[1] < mine.start + 13
    assert sorted(records["role"][0]) == sorted(game.record["role"])
    assert game.seat(1).role == "stage_boss"


def test_who_is_blind_to_roles_answers_as_before_and_the_heuristic_does_not():
    blind = play_with_itself(f"{__name__}:Blind", GameConfig(characters="random"), games=12)
    assert blind.exchanged
    for result in blind.exchanged.values():
        assert result.distance == 0
        assert result.named == pytest.approx(result.exchanged)
    heard = play_with_itself("heuristic", GameConfig(characters="random"), games=12).exchanged["Stage Boss"]
    assert heard.distance > 0.3
    assert heard.low > 0
    assert heard.to_dict()["difference"] == pytest.approx(heard.named - heard.exchanged)


def test_an_agent_without_probabilities_has_no_distance():
    found = play_with_itself("search:simulations=2", GameConfig(num_players=4), games=1)
    assert all(np.isnan(result.distance) and result.to_dict()["distance"] is None for result in found.exchanged.values())


def test_no_game_is_refused():
    with pytest.raises(UserError, match="at least 1 game"):
        play_with_itself("random", GameConfig(), games=0)


# ---------------------------------------------------------------- in matches and replay pages


def test_matches_count_what_their_agents_name_and_results_keep_it():
    jobs = [Job((n,), n, (0, 1, 0, 1, 0, 1)) for n in range(8)]
    results = list(play(jobs, [make("heuristic", 0), make("random", 0)], GameConfig(characters="random")))
    assert all(result.named for result in results)
    assert all(rs.listed(rs.unlisted(result.named)) == result.named for result in results)
    assert all(Result.from_dict(result.to_dict()) == result for result in results)


@pytest.mark.parametrize(
    "row", [(9, 0, 0, 1, 1, 0), (0, 0, 0, 1, 2, 0), (0, 0, 0, 1, 1, 841), (0, 0, 0, 0, 0, 0), (0, 0, 0, 1, 1), (0, 2, 0, 1, 1, 0)]
)
def test_what_no_game_can_have_named_is_refused(row):
    with pytest.raises(ValueError, match="named"):
        rs.check_listed((row,), 6, 100)


def test_a_replay_page_says_whom_the_seats_harmed():
    game = play_out(Game.new(GameConfig(num_players=4), 5), [RandomAgent(seat) for seat in range(4)])
    harmed, again = Harmed(), Game.new(game.config, 5)
    for action in game.replay().answers:
        harmed.see(again, action)
        again.act(action)
    figures = harmed.figures(4)
    assert figures[:, 0, 0].sum() > 0
    page = replay_html(Recording.of_replay(game.replay()))
    assert "Whom they harmed" in page
    assert harmed.table([page.partition("<th>")[0]] * 4).count("<tr>") == 5
    assert all(f"<td>{chosen:.0f}</td>" in page for chosen in figures[:, 0, 0] if chosen)
