"""The entry points of a game, over batches of its records.

Each function here makes one kernel from those of a game. The game calls it from an `entry` with a name of its own: Python calls that entry,
and the compiled code is kept under its name. `raw` is always the byte view of `games`, and kernels find their tables in `tables[0]`.
"""

from typing import Any, NamedTuple

import numpy as np

from danmaku_env.jit.kernels import kernel
from danmaku_env.machine import prefetch, rng
from danmaku_env.machine.answers import Answers
from danmaku_env.machine.records import DRAWN, GAME_OVER, GAMES_TRIED, ILLEGAL_ANSWER, NOBODY, OK, RUNNING, SEED_BITS, WON

START, ANSWER, RESUME, BLANK = range(4)
"""Modes of `drive`."""
_SEED_MASK = (1 << SEED_BITS) - 1
_NEXT_EPISODE = 0x1E3779B97F4A7C15


class GameKernels(NamedTuple):
    """What the entry points call of a game."""

    advance: Any
    """(t, s): run to the next question, see `flow`."""
    new_game: Any
    """(settings, s, seed): begin a game in a zeroed record."""
    observe: Any
    """(t, s, seat, row): write what the seat may know into a row, which may hold anything."""
    answers: Answers
    pass_action: int
    """What whoever is never asked again may do."""
    prefetch_record: Any
    """(raw, row): ask for the memory that every decision touches."""
    prefetch_found: Any
    """(games, raw, row, size): for what the record, which is there by now, says an observation of this size will touch."""


@kernel
def next_seed(seed):
    """Seed of the game that follows in the same row of a batch."""
    return (seed + _NEXT_EPISODE) & _SEED_MASK


@kernel
def _pay(s, rewards):
    """What `records.payoffs` says."""
    if s["outcome"] == WON or (s["outcome"] == DRAWN and s["winners"]):
        for seat in range(s["num_players"]):
            rewards[seat] = -1.0
            if (np.int64(s["winners"]) >> seat) & 1:
                rewards[seat] = 1.0 if s["outcome"] == WON else 0.0


def drive_of(game: GameKernels) -> Any:
    """Start (`inputs` are seeds), answer (`inputs` are actions) or resume every game and run each to its next question.

    BLANK only seeds a record for a position that is set up afterwards. (tables, settings, games, raw, inputs, status, mode):
    `status[i]` is OK, or why nothing was changed in game i.
    """
    advance, new_game, is_legal, give_answer = game.advance, game.new_game, game.answers.is_legal, game.answers.give_answer

    @kernel
    def drive(tables, settings, games, raw, inputs, status, mode):
        t = tables[0]
        for i in range(len(games)):
            s = games[i]
            status[i] = OK
            if mode == START or mode == BLANK:
                raw[i, :] = 0
                new_game(settings, s, inputs[i])
                if mode == BLANK:
                    continue
            elif mode == RESUME:
                pass
            elif s["outcome"] != RUNNING or s["status"] != OK:
                status[i] = GAME_OVER
                continue
            elif s["asking"] == NOBODY or not is_legal(s, inputs[i]):
                status[i] = ILLEGAL_ANSWER
                continue
            else:
                give_answer(s, inputs[i])
            advance(t, s)

    return drive


def step_rows_of(game: GameKernels) -> Any:
    """Answer in rows low..high; finished games are paid and started anew; then write observation, mask and seat of the one that is asked.

    (tables, settings, games, raw, chosen, status, observations, masks, seats, rewards, dones, low, high): `chosen` < 0 in a row answers
    nothing, which writes a fresh row (after a reset or a restore) and pays nothing. `status` [B] keeps why a game of a row was stopped,
    whatever its row plays later. Returns -1, or the last row in which GAMES_TRIED games in a row ended before anybody was asked: it has no
    game under way.
    """
    advance, new_game, observe = game.advance, game.new_game, game.observe
    is_legal, give_answer, write_mask = game.answers.is_legal, game.answers.give_answer, game.answers.write_mask
    prefetch_record, prefetch_found = game.prefetch_record, game.prefetch_found

    @kernel
    def step_rows(tables, settings, games, raw, chosen, status, observations, masks, seats, rewards, dones, low, high):
        t, without = tables[0], -1
        for i in range(low, high):
            if i + prefetch.AHEAD < high:
                prefetch_record(raw, i + prefetch.AHEAD)
                prefetch_found(games, raw, i + 1, observations.shape[1])
            s = games[i]
            dones[i] = False
            rewards[i, :] = 0.0
            if chosen[i] >= 0:
                if not is_legal(s, chosen[i]):
                    status[i] = ILLEGAL_ANSWER
                    continue
                give_answer(s, chosen[i])
            advance(t, s)
            if i + 1 < high:
                prefetch.written_rows(observations, masks, i + 1)
            tried = 0
            while (s["outcome"] != RUNNING or s["status"] != OK) and tried < GAMES_TRIED:
                if chosen[i] >= 0 and tried == 0:  # games that end before their first question are nobody's
                    dones[i] = True
                    _pay(s, rewards[i])
                tried += 1
                if s["status"] != OK:
                    status[i] = s["status"]
                seed = next_seed(int(s["seed"]))
                raw[i, :] = 0
                new_game(settings, games[i], seed)
                advance(t, s)
            masks[i, :] = 0
            seat = int(s["asking"])
            if seat == NOBODY:
                without = i
                continue
            seats[i] = seat
            observe(t, s, seat, observations[i])
            write_mask(s, masks[i])
        return without

    return step_rows


def play_on_of(game: GameKernels) -> Any:
    """Answer in the games `rows` [k] with `answers` [k] (< 0: nothing), and play on until a seat is asked that does not play at random.

    (tables, games, raw, rows, answers, learners, at_random, own_rng, asked, observations, masks): for every game of the batch, `learners`
    [B] is its learning seat, `at_random` [B] a bit per seat that answers uniformly at random from `own_rng` [B]. Written in the rows
    named: `asked` [B] the seat that is asked, or -1 when the game is over; `observations` and `masks` [B, ...] what that seat sees and may
    answer, after the end what the learner sees, with nothing to do but to pass.
    """
    advance, observe, pass_action = game.advance, game.observe, game.pass_action
    give_answer, legal_answer = game.answers.give_answer, game.answers.legal_answer
    count_legal, write_mask = game.answers.count_legal, game.answers.write_mask
    prefetch_record, prefetch_found = game.prefetch_record, game.prefetch_found

    @kernel
    def play_on(tables, games, raw, rows, answers, learners, at_random, own_rng, asked, observations, masks):
        t = tables[0]
        for place in range(len(rows)):
            i = rows[place]
            if place + prefetch.AHEAD < len(rows):
                prefetch_record(raw, rows[place + prefetch.AHEAD])
                prefetch_found(games, raw, rows[place + 1], observations.shape[1])
            prefetch.written_rows(observations, masks, i)
            s = games[i]
            if answers[place] >= 0:
                give_answer(s, answers[place])
                advance(t, s)
            while s["asking"] != NOBODY and (np.int64(at_random[i]) >> int(s["asking"])) & 1:
                give_answer(s, legal_answer(s, rng.below(own_rng[i], count_legal(s))))
                advance(t, s)
            asked[i] = s["asking"]
            masks[i, :] = 0
            if s["asking"] == NOBODY:
                observe(t, s, int(learners[i]), observations[i])
                masks[i, pass_action] = 1
            else:
                observe(t, s, int(s["asking"]), observations[i])
                write_mask(s, masks[i])

    return play_on


def rollout_of(game: GameKernels) -> Any:
    """Play every game with random legal answers, up to `limit` answers each, or to its end: (tables, games, limit, rng_record)."""
    advance, answers = game.advance, game.answers
    give_answer, legal_answer, count_legal = answers.give_answer, answers.legal_answer, answers.count_legal

    @kernel
    def rollout(tables, games, limit, rng_record):
        t = tables[0]
        r = rng_record[0]
        for i in range(len(games)):
            s = games[i]
            for _ in range(limit):
                if s["outcome"] != RUNNING or s["status"] != OK:
                    break
                give_answer(s, legal_answer(s, rng.below(r, count_legal(s))))
                advance(t, s)

    return rollout


def sample_rows_of(answers: Answers) -> Any:
    """A uniformly random legal answer for every game: (games, raw, chosen, rng_record), which is one record with the field `rng`."""
    count_legal, legal_answer = answers.count_legal, answers.legal_answer

    @kernel
    def sample_rows(games, raw, chosen, rng_record):
        r = rng_record[0]
        for i in range(len(games)):
            prefetch.legal_answers(raw, i)
            legal = count_legal(games[i])
            chosen[i] = legal_answer(games[i], rng.below(r, legal)) if legal else -1

    return sample_rows


def first_illegal_of(answers: Answers) -> Any:
    """The first game in which `chosen` is illegal, or -1: (games, raw, chosen)."""
    is_legal = answers.is_legal

    @kernel
    def first_illegal(games, raw, chosen):
        for i in range(len(games)):
            prefetch.legal_answers(raw, i)
            if not is_legal(games[i], chosen[i]):
                return i
        return -1

    return first_illegal


def mask_rows_of(answers: Answers) -> Any:
    """Write the legal answers of each game's pending question: (games, masks)."""
    write_mask = answers.write_mask

    @kernel
    def mask_rows(games, masks):
        for i in range(len(games)):
            masks[i, :] = 0
            write_mask(games[i], masks[i])

    return mask_rows
