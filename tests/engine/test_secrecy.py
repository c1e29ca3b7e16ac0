"""Observation, mask and log hold what a seat may know and nothing more.

The proof: deal again all that the seat has not seen, and no byte of what it sees changes. The counter-proof: something hidden, let into
what it sees, is caught by the same comparison. Then the clock: how many questions others were asked shows nowhere.
"""

import itertools

import numpy as np
import pytest

from danmaku_env import Game, GameConfig, Scenario, make_vec, resample
from danmaku_env.cards.compile import compile_cards
from danmaku_env.engine import actions, batch
from danmaku_env.engine import frames as fr
from danmaku_env.engine import state as st
from danmaku_env.engine.observation import OBSERVATION_SIZE
from danmaku_env.engine.procedures import setup
from danmaku_env.engine.scratch import SCRATCH
from danmaku_env.info_states import InfoState, InfoStates
from danmaku_env.jit.kernels import JIT
from tests.random_play import play_randomly

PLAYERS = [4, 5, 6, 7, 8]
ROWS = 40
DECISIONS = 4200 if JIT else 40
"""Decision points per player count: over 20,000 in all with the compiler on."""
APART = 9
"""Decisions between two points of a game, so that they are from all of it."""
TABLES = compile_cards().tables
OFFERED = (actions.Q_MAIN, actions.Q_CANCEL, actions.Q_RESPOND, actions.Q_ATTACKED, actions.Q_RESCUE, actions.Q_STEP)


def scratch_of(seed):
    scratch = np.zeros(1, SCRATCH)
    scratch["rng"][0] = np.random.SeedSequence(seed).generate_state(4, np.uint32)
    return scratch


def worlds_of(games, seat, seed):
    """Each game with everything the seat has not seen dealt again."""
    worlds = games.copy()
    batch.resample_rows(TABLES, worlds, np.full(len(games), seat), np.full((len(games), st.SEATS), -1, np.int8), scratch_of(seed))
    return worlds


def asked_anew(games, rows):
    """The games, with the pending question of these rows put once more, for the cards that lie there now."""
    again = games.copy()
    again["asking"][rows] = st.NOBODY
    again["question"][rows] = actions.Q_NONE
    again["legal"][rows] = 0
    settings, status = np.zeros(setup.SETTINGS, np.int64), np.zeros(len(games), np.int8)
    batch.drive(TABLES, settings, again, st.as_bytes(again), np.zeros(len(games), np.int64), status, batch.RESUME)
    return again


def seen_by(games, seat):
    """[n, bytes]: all that reaches a seat: its observation, every event of the log, and the mask of its question, which is put anew.

    The season of a card just named is the one question that cannot be put anew: it hangs on the answer before.
    """
    rows = np.zeros((len(games), OBSERVATION_SIZE + st.EVENT_COLUMNS * st.LOG_ROWS), np.uint8)
    batch.observe_rows(TABLES, games, np.full(len(games), seat), rows)
    masks = np.zeros((len(games), actions.NUM_ACTIONS), np.uint8)
    mine = games["asking"] == seat
    batch.mask_rows(asked_anew(games, mine & (games["pending_kind"] == 0)), masks)
    masks[~mine] = 0
    return np.concatenate([rows, masks], axis=1)


def leaking(games, seat, seed, look=seen_by):
    """[n] bool: the seat sees something else once all it has not seen is dealt again."""
    return (look(games, seat) != look(worlds_of(games, seat, seed), seat)).any(axis=1)


def decision_points(players, count, **options):
    """Batches of positions at which somebody is asked, from random games of every length."""
    vec = make_vec(min(ROWS, count), GameConfig(num_players=players, **options))
    vec.reset(300 + players)
    for _ in range(-(-count // len(vec.games))):
        yield vec.games
        for _ in range(APART):
            vec.step(vec.sample())
    vec.check()


@pytest.mark.parametrize("players", PLAYERS)
def test_dealing_the_unseen_again_changes_no_byte_of_what_any_seat_sees(players):
    points = 0
    for step, games in enumerate(decision_points(players, DECISIONS)):
        points += len(games)
        for seat in range(players):
            caught = np.flatnonzero(leaking(games, seat, step))
            assert not len(caught), f"seat {seat}, step {step}, seed {games['seed'][caught[0]]}"
    assert points >= DECISIONS


@pytest.mark.parametrize("players", PLAYERS)
def test_with_lunatic_extra_no_byte_changes_either(players):
    half = DECISIONS // 2
    more = decision_points(players, half, expansion="lunatic_extra", characters="double_threat")
    for step, games in enumerate(itertools.chain(decision_points(players, half, expansion="lunatic_extra"), more)):
        for seat in range(players):
            assert not leaking(games, seat, step).any(), f"seat {seat} of {players}, seeds {games['seed']}"


def test_basic_roles_keep_their_secrets_too():
    for step, games in enumerate(decision_points(6, DECISIONS // 10, roles="basic")):
        assert not any(leaking(games, seat, step).any() for seat in range(6))


def test_the_comparison_is_about_worlds_that_differ():
    """Or it would prove nothing: hands, roles, decks and incidents of the others are other ones."""
    game = Game.new(GameConfig(num_players=6, characters="random"), 3)
    seat = game.turn
    worlds = [resample(game, seat, seed) for seed in range(20)]
    assert len({tuple(world.seat((seat + 1) % 6).hand) for world in worlds}) > 10
    assert len({tuple(other.role for other in world.seats) for world in worlds}) > 5
    assert len({tuple(world.deck) for world in worlds}) == 20
    assert len({tuple(world.incident_deck) for world in worlds}) == 20
    assert all(world.seat(seat).role == "heroine" and world.seat(seat).hand == game.seat(seat).hand for world in worlds)


# ---------------------------------------------------------------- leaks planted on purpose


def answers_of_others(games, seat):
    """How many answers the seat that is asked has, when that is another one."""
    others = (games["asking"] != seat) & np.isin(games["question"], OFFERED)
    again = asked_anew(games, others)
    masks = np.zeros((len(games), actions.NUM_ACTIONS), np.uint8)
    batch.mask_rows(again, masks)
    return masks.sum(axis=1) * others


def card_of_a_private_event(games):
    """The card of the last event, whoever knows it."""
    last = (games["log_count"] - 1) % st.LOG_ROWS
    return games["log"][np.arange(len(games)), last, st.CARD_SHOWN]


def picked_card(games):
    """What the top frame has picked, whoever picked it."""
    return games["stack"][np.arange(len(games)), games["depth"] - 1, fr.PLAY_PICK]


def next_incident(games):
    return games["incident_deck"][np.arange(len(games)), np.maximum(games["incident_deck_size"].astype(int) - 1, 0)]


def top_of_the_deck(games):
    return games["deck"][np.arange(len(games)), np.maximum(games["deck_size"].astype(int) - 1, 0)]


LEAKS = {
    "the role of the left neighbour": lambda games, seat: games["role"][:, (seat + 1) % 6],
    "the sum of all roles": lambda games, seat: (games["role"].astype(int) ** 2).sum(axis=1),
    "a kind in a hidden hand": lambda games, seat: games["hand_counts"][:, (seat + 2) % 6, 16],
    "whether a hand can dodge": lambda games, seat: games["hand_kinds"][:, (seat + 3) % 6] >> 5 & 1,
    "the top of the deck": lambda games, seat: top_of_the_deck(games),
    "the bottom of the deck": lambda games, seat: games["deck"][:, 0],
    "the next incident": lambda games, seat: next_incident(games),
    "where a card lies": lambda games, seat: games["zone"][:, 40],
    "the card of a private event": lambda games, seat: card_of_a_private_event(games),
    "the card another seat has picked": lambda games, seat: picked_card(games),
    "how many answers another seat has": answers_of_others,
    "how many questions were answered": lambda games, seat: games["decisions"],
    "the random numbers": lambda games, seat: games["rng"][:, 2] >> 8,
    "the seed": lambda games, seat: games["seed"],
    "the characters others did not choose": lambda games, seat: games["candidates"][:, (seat + 1) % 6] % 251,
}
PLACES = {"the observation": 0, "the log": OBSERVATION_SIZE, "the mask": -1}


@pytest.fixture(scope="module")
def middle_of_games():
    """Positions of six players in every phase of the game."""
    return np.concatenate([games.copy() for step, games in enumerate(decision_points(6, 80 * ROWS if JIT else 80)) if step % 4 == 0])


def test_without_a_leak_nothing_is_caught(middle_of_games):
    assert not any(leaking(middle_of_games, seat, 1).any() for seat in range(6))


@pytest.mark.skipif(not JIT, reason="needs many positions")
@pytest.mark.parametrize("leak", LEAKS)
def test_a_planted_leak_is_caught(leak, middle_of_games):
    """One hidden number, mixed into one byte of what reaches a seat: the comparison that proves secrecy fails."""
    for place in PLACES.values():

        def look(games, seat, place=place):
            rows = seen_by(games, seat)
            rows[:, place] ^= LEAKS[leak](games, seat).astype(np.uint8)
            return rows

        assert any(leaking(middle_of_games, seat, 1, look).any() for seat in range(6))


# ---------------------------------------------------------------- the clock


def answer_forced_questions(game):
    """Answer every question that has only one answer, as the engine does where it does not ask them; returns how many there were."""
    asked = 0
    while not game.over and len(game.legal()) == 1:
        game.act(game.legal()[0])
        asked += 1
    return asked


@pytest.mark.parametrize("players", PLAYERS if JIT else [4])
def test_how_many_questions_others_were_asked_shows_nowhere(players):
    """The same game once with the needless questions asked: at every decision all seats see the same, and the log tells the same."""
    options = {"num_players": players, "history": st.LOG_ROWS}
    quick = Game.new(GameConfig(**options), players)
    slow = Game.new(GameConfig(**options, ask_everyone=True, ask_forced=True), players)
    random = np.random.default_rng(players)
    extra = answer_forced_questions(slow)
    for _ in range(600 if JIT else 60):
        assert (slow.asking, slow.question, slow.over) == (quick.asking, quick.question, quick.over)
        for seat in range(players):
            np.testing.assert_array_equal(slow.observe(seat), quick.observe(seat))
        np.testing.assert_array_equal(slow.action_mask(), quick.action_mask())
        if quick.over:
            break
        answer = int(random.choice(quick.legal_actions()))
        quick.act(answer)
        slow.act(answer)
        extra += answer_forced_questions(slow)
    assert slow.log == quick.log
    assert extra > (100 if JIT else 0)


def test_a_question_shows_in_nobody_elses_observation():
    """Being asked is one's own business: the others see the same as if another seat were asked something else."""
    for games in decision_points(6, 400 if JIT else 40, history=20):
        for seat in range(6):
            others = games[games["asking"] != seat]
            changed = others.copy()
            changed["asking"], changed["question"] = (seat + 1) % 6, actions.Q_MAY
            np.testing.assert_array_equal(seen_by(others, seat), seen_by(changed, seat))


@pytest.mark.parametrize("hidden", ["voile", "bomb"])
def test_an_info_state_says_nothing_of_what_another_seat_is_asked(hidden):
    """Whether the Bomb's owner is asked about the Shoot, or its target, is hidden from a third."""
    table = Scenario(num_players=4).turn(0, step="main").deck(top=["power"] * 3)
    table.seat(0, role="heroine", hand=["shoot"]).seat(1, hand=["graze"]).seat(2, hand=[hidden]).seat(3, hand=["power"])
    game = table.build(seed=1)
    game.act("play shoot")
    game.act("choose seat:1")
    assert [InfoState(game, seat).question for seat in (3, game.asking)] == ["none", game.question]


@pytest.mark.parametrize("options", [{}, {"expansion": "lunatic_extra", "characters": "double_threat"}], ids=["base", "double threat"])
def test_the_board_of_an_info_state_shows_no_character_that_is_chosen_and_not_open(options):
    """U-2: all choose at the same time, and then all are open."""
    game = Game.new(GameConfig(num_players=4, **options), 3)
    while game.question == "character":
        chosen = InfoStates(game.records, np.array([game.asking]), game.config).board(0)
        assert not chosen["character"].any()
        assert not chosen["second_character"].any()
        game.act(game.legal()[0])
    assert InfoStates(game.records, np.array([0]), game.config).board(0)["character"][0, :4].all()


def test_the_log_of_an_info_state_has_nothing_for_other_seats():
    game = Game.new(GameConfig(num_players=4), 3)
    while game.question == "character":
        game.act(game.legal()[0])
    log = InfoState(game, 1).log
    assert log == game.log.of(1) == log.above()
    assert log.of(2) != game.log.of(2)


def test_nobody_is_asked_means_zero_mask():
    game = Game.new(GameConfig(num_players=4), 2)
    for _ in play_randomly(game, 2):
        pass
    assert not game.action_mask().any()
    assert (game.observe(0)[: len(actions.QUESTIONS)] == 0).all()
