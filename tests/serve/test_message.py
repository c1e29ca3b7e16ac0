"""What a browser is sent: the proof by re-dealing, over the messages themselves, and leaks planted in them."""

import json

import numpy as np
import pytest

from danmaku_env import Game, GameConfig
from danmaku_env.agents.registry import make
from danmaku_env.engine.compiled import JIT
from danmaku_env.serve import message
from danmaku_env.serve.table import Setting, Table
from danmaku_env.wording import Log
from tests.engine import test_secrecy as secrecy
from tests.render.test_sight import dealt_again


def sent(game, seat):
    """All that the page of a seat can be sent of a position."""
    read = int(game.record["log_count"]) - 8
    return json.dumps(message.seat_blocks(game, seat, read=read, number=3))


def leaking(games, seat, seed, players, look=sent):
    """The first position in which the seat is sent something else once all it has not seen is dealt again, or None."""
    config = GameConfig(num_players=players)
    asked = secrecy.asked_anew(games, (games["asking"] == seat) & (games["pending_kind"] == 0))
    worlds = dealt_again(games, seat, seed)
    for row in range(len(games)):
        one, other = (Game.from_record(rows[row : row + 1].copy(), config) for rows in (asked, worlds))
        if look(one, seat) != look(other, seat):
            return one
    return None


@pytest.fixture(autouse=True)
def few_lines(monkeypatch):
    """Each event is looked at while it is new: what a page shows of the log need not be long."""
    monkeypatch.setattr(message, "LINES", 8)


@pytest.mark.parametrize("players", secrecy.PLAYERS)
def test_dealing_the_unseen_again_changes_no_letter_of_any_message(players):
    points = 0
    for step, games in enumerate(secrecy.decision_points(players, secrecy.DECISIONS)):
        points += len(games)
        often = int(np.bincount(games["asking"], minlength=players)[:players].argmax())
        eyes = often if step % 2 else step // 2 % players
        assert leaking(games, eyes, step, players) is None, f"seat {eyes}, step {step}"
    assert points >= secrecy.DECISIONS


@pytest.mark.parametrize("players", [4, 8] if JIT else [4])
def test_the_belief_panel_tells_what_the_seat_can_work_out_by_itself(players):
    believer = make("deducer", 0)
    for step, games in enumerate(secrecy.decision_points(players, secrecy.ROWS * 4 if JIT else 4)):
        assert leaking(games, step % players, step, players, lambda game, seat: message.belief_panel(game, seat, believer)) is None


def at_a_table(game, seat):
    """All of the page of a seat at a table."""
    table = Table(Setting(game.config, ("person",) * game.config.num_players))
    table.party.game = game
    return json.dumps(message.page_blocks(table, table.chairs[seat], None) | {"state": message.state(table)})


def test_the_rest_of_the_page_tells_nothing_either():
    for step, games in enumerate(secrecy.decision_points(6, secrecy.ROWS * 4 if JIT else 4)):
        assert leaking(games, step % 6, step, 6, at_a_table) is None


# ---------------------------------------------------------------- leaks planted on purpose


def from_above(patch):
    patch.setattr(message, "sight", lambda game, seat, real=message.sight: real(game, None))


def logs_from_above(patch):
    patch.setattr(Log, "of", lambda log, seat: log.above())


def questions_of_all(patch):
    def look(game, seat, real=message.sight):
        return real(game, game.asking if game.asking is not None else seat)

    patch.setattr(message, "sight", look)


def numbers_of_all(patch):
    def blocks(game, seat, *, read, number, real=message.seat_blocks):
        return real(game, seat, read=read, number=len(game.deck[0]) + len(game.legal()))

    patch.setattr(message, "seat_blocks", blocks)


def roles_in_names(patch):
    def blocks(game, seat, *, read, number, real=message.seat_blocks):
        return real(game, seat, read=read, number=number) | {"people": game.seat((seat + 1) % game.config.num_players).role}

    patch.setattr(message, "seat_blocks", blocks)


def hands_in_titles(patch):
    def blocks(game, seat, *, read, number, real=message.seat_blocks):
        return real(game, seat, read=read, number=number) | {"title": game.seat((seat + 2) % game.config.num_players).hand[:1]}

    patch.setattr(message, "seat_blocks", blocks)


@pytest.mark.skipif(not JIT, reason="needs many positions")
@pytest.mark.parametrize("plant", [from_above, logs_from_above, questions_of_all, numbers_of_all, roles_in_names, hands_in_titles])
def test_a_leak_planted_in_the_messages_is_caught(plant, monkeypatch):
    plant(monkeypatch)
    for step, games in enumerate(secrecy.decision_points(6, 20 * secrecy.ROWS)):
        if any(leaking(games, seat, step, 6) is not None for seat in range(6)):
            return
    pytest.fail("nothing was noticed")
