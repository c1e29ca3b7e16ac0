"""What a browser is sent: the proof by re-dealing, over the messages themselves, and leaks planted in them."""

import json

import pytest

from danmaku_env import Game, GameConfig
from danmaku_env.agents.registry import make
from danmaku_env.jit.kernels import JIT
from danmaku_env.play.browser import message
from danmaku_env.play.browser.table import Ahead, ServedTable, Setting
from danmaku_env.play.browser.together import later_questions
from danmaku_env.render.answers import asked_words
from danmaku_env.render.table_view import table_view
from danmaku_env.wording import Log
from tests.engine import test_secrecy as secrecy
from tests.random_play import play_randomly
from tests.redealt import is_noticed, leaking, observer_at

POSITIONS = secrecy.DECISIONS // 5
"""At which every message is looked at; of what they are made of, tests/engine/test_secrecy.py looks at more."""


class Told:
    """All that the page of a seat can be sent of a position, and what a replay page shows from it."""

    def __init__(self, players):
        self.table = ServedTable(Setting(GameConfig(num_players=players), ("person",) * players), now=lambda: 0.0)

    def __call__(self, game, seat):
        person = self.table.people[seat]
        person.read = int(game.record["log_count"]) - message.LINES
        self.table.shown, self.table.pending = game, game.asking
        ahead = dict(later_questions(game)).get(seat)
        person.ahead = Ahead((), ahead) if ahead is not None and len(ahead.legal_actions()) > 1 else None
        page = message.page_blocks(self.table, person)
        return json.dumps([page, message.outside_blocks(self.table), message.state(self.table), asked_words(table_view(game, seat))])


@pytest.fixture(autouse=True)
def few_lines(monkeypatch):
    """Each event is looked at while it is new: what a page shows of the log need not be long."""
    monkeypatch.setattr(message, "LINES", 8)


@pytest.mark.parametrize("players", secrecy.PLAYERS)
def test_dealing_the_unseen_again_changes_no_letter_of_any_message(players):
    points, told = 0, Told(players)
    for step, games in enumerate(secrecy.decision_points(players, POSITIONS)):
        points += len(games)
        seat = observer_at(games, step, players)
        assert leaking(games, seat, step, told) is None, f"seat {seat}, step {step}"
    assert points >= POSITIONS


@pytest.mark.parametrize("players", [4, 8] if JIT else [4])
def test_the_belief_panel_tells_what_the_seat_can_work_out_by_itself(players):
    belief_model = make("deducer", 0)
    for step, games in enumerate(secrecy.decision_points(players, secrecy.ROWS * 4 if JIT else 4)):
        assert leaking(games, step % players, step, lambda game, seat: message.belief_panel(game, seat, belief_model)) is None


def roles_told(game, seat):
    """Which roles of others the page of a seat tells, by seat."""
    page = message.seat_blocks(game, seat, read=0, number=1)
    others = [other for other in range(game.config.num_players) if other != seat]
    return {other for other in others if 'class="role unknown"' not in page[f"seat-{other}"]}


@pytest.mark.parametrize("players", secrecy.PLAYERS if JIT else [4])
def test_hidden_roles_open_at_the_end_for_everybody_and_not_before(players):
    hidden = 0
    for step, game in enumerate(play_randomly(Game.new(GameConfig(num_players=players), players), players, limit=5000)):
        for seat in range(players) if game.over else (step % players,):
            others = {other for other in range(players) if other != seat}
            known = {other for other in others if game.record["role_seen"][other] >> seat & 1}
            assert roles_told(game, seat) == (others if game.over else known)
            hidden += known < others
    assert game.over
    assert hidden > 25


# ---------------------------------------------------------------- leaks planted on purpose


def from_above(patch):
    patch.setattr(message, "table_view", lambda game, seat, real=message.table_view, **asked: real(game, None, **asked))


def logs_from_above(patch):
    patch.setattr(Log, "of", lambda log, seat: log.above())


def questions_of_all(patch):
    def look(game, seat, real=message.table_view, **_):
        return real(game, game.asking if game.asking is not None else seat)

    patch.setattr(message, "table_view", look)


def numbers_of_all(patch):
    def blocks(game, seat, *, number, real=message.seat_blocks, **given):
        return real(game, seat, **given, number=len(game.deck[0]) + len(game.legal()))

    patch.setattr(message, "seat_blocks", blocks)


def roles_in_names(patch):
    def blocks(game, seat, *, number, real=message.seat_blocks, **given):
        return real(game, seat, number=number, **given) | {"role": game.seat((seat + 1) % game.config.num_players).role}

    patch.setattr(message, "seat_blocks", blocks)


def hands_in_titles(patch):
    def blocks(game, seat, *, number, real=message.seat_blocks, **given):
        return real(game, seat, number=number, **given) | {"title": game.seat((seat + 2) % game.config.num_players).hand[:1]}

    patch.setattr(message, "seat_blocks", blocks)


@pytest.mark.skipif(not JIT, reason="needs many positions")
@pytest.mark.parametrize("plant", [from_above, logs_from_above, questions_of_all, numbers_of_all, roles_in_names, hands_in_titles])
def test_a_leak_planted_in_the_messages_is_caught(plant, monkeypatch):
    plant(monkeypatch)
    assert is_noticed(Told(6), 20 * secrecy.ROWS)
