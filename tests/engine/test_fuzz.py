"""Random play over all player counts. Whatever happens, the record stays possible and the game ends."""

import itertools

import numpy as np
import pytest

from danmaku_env import Game, GameConfig, make_vec
from danmaku_env.cards import vocabulary as v
from danmaku_env.cards.box import CHARACTER_IDS, NUM_BASE_INCIDENTS
from danmaku_env.cards.compile import compile_cards
from danmaku_env.cards.tables import T_ANNOUNCE, T_RESOLVE
from danmaku_env.engine import actions, batch, invariants
from danmaku_env.engine import state as st
from danmaku_env.jit.kernels import JIT
from tests.random_play import BOXES, play_randomly

PLAYERS = [4, 5, 6, 7, 8]
GAMES = 1400 if JIT else 20
"""Finished games per player count and box: over 20,000 in all with the compiler on."""


@pytest.mark.parametrize("box", BOXES)
@pytest.mark.parametrize("players", PLAYERS)
def test_invariants_hold_at_every_question(players, box):
    """Basic roles in one game and advanced ones in the next."""
    seed = players + [*BOXES].index(box)
    config = GameConfig(num_players=players, roles=("basic", "advanced")[seed % 2], **BOXES[box])
    game = Game.new(config, 1000 * players + seed)
    for position in play_randomly(game, seed):
        assert invariants.problem(position.record) is None, f"{players} players, seed {seed}, decision {position.record['decisions']}"
        if not position.over:
            assert len(position.legal()) >= 2
    assert game.over


@pytest.mark.parametrize("box", BOXES)
@pytest.mark.parametrize("players", PLAYERS)
def test_thousands_of_games_end_soundly(players, box):
    rows = 256 if JIT else 8
    vec = make_vec(rows, GameConfig(num_players=players, **BOXES[box]))
    vec.reset(players)
    finished, wins = 0, np.zeros(st.SEATS)
    for step in range(2_000_000):
        vec.step(vec.sample())
        vec.check()
        if vec.dones.any():
            finished += int(vec.dones.sum())
            paid = vec.rewards[vec.dones]
            assert (np.abs(paid[:, :players]) == 1).all() or (paid == 0).all(axis=1).any()
            assert not paid[:, players:].any()
            wins += (paid > 0).sum(axis=0)
        if step % 500 == 0:
            row = step // 500 % rows
            assert invariants.problem(vec.games[row]) is None, f"{players} players, row {row}, seed {vec.games['seed'][row]}, step {step}"
        if finished >= GAMES:
            break
    assert finished >= GAMES
    assert (wins[:players] > 0).all()


def test_a_copy_and_its_original_stay_equal():
    for seed in range(4):
        game = Game.new(GameConfig(num_players=4 + seed), seed)
        for decision, position in enumerate(play_randomly(game, seed, limit=400)):
            if position.over or decision % 5:
                continue
            one, two = position.clone(), Game.from_bytes(position.to_bytes())
            answer = position.legal_actions()[decision % len(position.legal_actions())]
            one.act(answer)
            two.act(answer)
            assert one == two


def reachable_rows(tables):
    """Program rows that some text can get to, by following the jumps."""
    todo = [int(row) for text in tables["text"] for row in (text[T_ANNOUNCE], text[T_RESOLVE]) if row]
    found = set()
    while todo:
        row = todo.pop()
        if row in found:
            continue
        found.add(row)
        code, operand, _, jump, _ = (int(value) for value in tables["program"][row])
        always = (code, operand) in ((v.IF, v.TRUE), (v.CHOOSE_ABILITY, 1))  # there are fewer recruiters than seats to name (L-12)
        if v.OPERATIONS[code].jumps and not always:
            todo.append(jump)
        if code not in (v.END, v.JUMP, v.ACTIVATE, v.ACTIVATE_PRINTED):  # an activated Spell Card takes the place of the text
            todo.append(row + 1)
    return found


@pytest.mark.skipif(not JIT, reason="needs thousands of games")
def test_every_row_of_every_program_is_reached_and_every_character_plays():
    """5,000 games of both boxes with all characters; an operation that random play never carries out fails, by the name of its text."""
    tables, titles = compile_cards().tables[0], compile_cards().titles
    tables["reached"] = 0  # whatever other tests have played
    seats = np.zeros(len(CHARACTER_IDS) + 1, int)
    for players, expansion in itertools.product(PLAYERS, ("none", "lunatic_extra")):
        vec = make_vec(256, GameConfig(num_players=players, characters="random", bonus_character=True, expansion=expansion))
        vec.reset(100 + players)
        ended = 0
        while ended < 500:
            characters = vec.games["character"][:, :players].copy()
            vec.step(vec.sample())
            ended += int(vec.dones.sum())
            seats += np.bincount(characters[vec.dones].ravel(), minlength=len(seats))
        vec.check()
    assert seats[1:].min() >= 200
    unreached = sorted(row for row in reachable_rows(tables) if not tables["reached"][row])
    starts = {int(tables["text"][number][column]): title for number, title in enumerate(titles) for column in (T_ANNOUNCE, T_RESOLVE)}
    names = [f"row {row} of {starts[max(start for start in starts if start <= row)]}" for row in unreached]
    print(f"{len(reachable_rows(tables)) - len(unreached)} rows reached, {len(unreached)} not: {names}")
    assert not unreached, names


NEEDS_MORE = (actions.Q_COPY, actions.Q_ZERO, actions.Q_EXCHANGE, actions.Q_EXTRA, actions.Q_BAN, actions.Q_SPELL)
"""Questions of the Lunatic deck, of Extra Characters, of the draft, and of seats with several Spell Cards."""


def test_every_incident_and_question_comes_up():
    vec = make_vec(64 if JIT else 8, GameConfig(num_players=6))
    vec.reset(2)
    questions, incidents = set(), set()
    for _ in range(6000 if JIT else 300):
        vec.step(vec.sample())
        questions |= set(vec.games["question"].tolist())
        incidents |= set(vec.games["incidents"][:, 0].tolist())
    assert len(incidents - {0}) >= (NUM_BASE_INCIDENTS - 1 if JIT else 8)
    if JIT:
        assert questions == set(range(len(actions.QUESTIONS))) - {actions.Q_NONE, *NEEDS_MORE}


@pytest.mark.skipif(not JIT, reason="too many games without the compiler")
def test_every_question_of_the_expansion_comes_up():
    questions = set()
    for players, characters in ((4, "choose"), (8, "draft")):
        vec = make_vec(32, GameConfig(num_players=players, characters=characters, expansion="lunatic_extra"))
        vec.reset(2)
        for _ in range(3000):
            vec.step(vec.sample())
            questions |= set(vec.games["question"].tolist())
    assert questions >= set(NEEDS_MORE)


def test_the_same_seed_gives_the_same_bytes_and_the_turn_cap_truncates():
    config = GameConfig(num_players=5, max_turns=20)
    one, two = Game.new(config, 9), Game.new(config, 9)
    for _ in play_randomly(one, 1):
        pass
    for _ in play_randomly(two, 1):
        pass
    assert one == two
    games = [Game.new(config, seed) for seed in range(30 if JIT else 8)]
    for seed, game in enumerate(games):
        for _ in play_randomly(game, seed):
            pass
        assert game.turn_number <= 20
        if game.outcome == "truncated":
            assert game.rewards() == [0.0] * 5
            assert game.winners == []
    assert any(game.outcome == "truncated" for game in games)


def test_rollout_finishes_games():
    vec = make_vec(8, GameConfig(num_players=4))
    vec.reset(0)
    games = vec.clone()
    batch.rollout(compile_cards().tables, games, 100_000, vec._rng)
    assert (games["outcome"] != st.RUNNING).all()
