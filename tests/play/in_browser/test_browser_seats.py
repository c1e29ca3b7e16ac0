"""Seats stand clear of one another, whatever is in them: many positions of crowded games, drawn as the replay page and the table do."""

import pytest

from danmaku_env import Game, GameConfig, Scenario
from danmaku_env.agents.base import answer
from danmaku_env.agents.heuristic import HeuristicAgent
from danmaku_env.play import replay_page as replay_pages
from danmaku_env.play.browser import app
from danmaku_env.render.html import blocks, board, style, whole_page
from danmaku_env.render.table_view import table_view
from tests.play.in_browser.conftest import NARROW, WIDE
from tests.play.in_browser.page import Page

SIZES = (WIDE, (1920, 1080), NARROW)
OVERLAPS = """
  const apart = (a, b) => a.right <= b.left + 0.5 || b.right <= a.left + 0.5 || a.bottom <= b.top + 0.5 || b.bottom <= a.top + 0.5;
  return [...document.querySelectorAll('.board')].map((board, number) => {
    const all = [...board.querySelectorAll('.seat, .middle')].map(one => one.getBoundingClientRect());
    const edge = board.getBoundingClientRect();
    const within = all.every(one => one.left >= edge.left - 0.5 && one.right <= edge.right + 0.5 && one.width > 80);
    const clear = all.every((a, i) => all.slice(i + 1).every(b => apart(a, b)));
    return clear && within ? null : number;
  }).filter(number => number !== null);
"""


def positions(players, count):
    """About `count` positions of a game with both boxes and two characters each, those with most on the table."""
    config = GameConfig(num_players=players, expansion="lunatic_extra", characters="double_threat")
    game, agents, found = Game.new(config, 3), [HeuristicAgent(seat) for seat in range(players)], []
    while game.asking is not None and len(found) < 700:
        found.append(game.clone())
        game.act(answer(agents[game.asking], game))
    crowd = sorted(range(len(found)), key=lambda at: -sum(len(seat.items) + len(seat.hand) for seat in found[at].seats))
    return [found[at] for at in sorted({*crowd[: count // 2], *range(0, len(found), max(1, 2 * len(found) // count))})]


def page_of(games):
    """Every position from above, as a replay page has it, and as the seat asked sees it, as a table has it."""

    def drawn(game, observer):
        return board(game.config.num_players, blocks(table_view(game, observer)))

    parts = [f'<div class="replay"><div class="split"><div>{drawn(game, None)}</div><div></div></div></div>' for game in games]
    parts += [f'<main class="live"><section class="place">{drawn(game, game.asking)}</section></main>' for game in games]
    sheets = style() + (replay_pages._HERE / "replay_page.css").read_text("utf-8") + (app._HERE / "serve.css").read_text("utf-8")
    return whole_page("seats", f'<div class="danmaku">{"".join(parts)}</div>', head=f"<style>{sheets}</style>")


@pytest.mark.parametrize("size", SIZES, ids=["laptop", "screen", "telephone"])
def test_no_two_seats_overlap(open_browser, picture, tmp_path, size):
    driver = open_browser(size)
    for players, count in ((8, 60), (7, 12), (6, 12), (5, 12), (4, 12)):
        file = tmp_path / f"{players}.html"
        file.write_text(page_of(positions(players, count)), "utf-8")
        page = Page(driver, file.as_uri())
        assert page.js("return document.querySelectorAll('.seat').length") >= count * players
        assert page.js(OVERLAPS) == [], players
        assert page.js("return Math.max(document.documentElement.scrollWidth, innerWidth)") <= size[0]
        picture(driver, f"seats-{players}-{size[0]}")


def test_what_waits_is_shown_before_an_answer_is_taken_back_and_enter_opens_what_has_the_focus(there, open_browser):
    game = Scenario(num_players=6).seat(0, hand=["shoot", "shoot", "melee", "laser_shot"]).turn(0).build(seed=1)
    page = Page(open_browser(), f"{there.address}/s/{there.sit(game)['0']}/")
    page.wait_for_question()
    page.all(".hand .pick")[0].click()
    page.until("document.querySelector('.answers .chosen')")
    page.js("document.querySelector('summary').focus()")
    before = page.js("return document.querySelector('summary').parentElement.open")
    page.press("\ue007")  # Enter
    assert page.js("return document.querySelector('summary').parentElement.open") != before
    assert page.all(".answers .chosen"), "nothing was sent"
    page.js(
        "document.getElementById('pace').value = 3;"
        "import('/static/stage.js').then(({ take }) => {"
        "  take({ blocks: { middle: 'late' }, events: [{ n: 9999, text: 'It goes on.' }], count: 9999, read: 0, now: 0 });"
        "  window.before = document.querySelector('[data-block=middle]').innerHTML;"
        "  take({ blocks: {}, events: [], count: 1, read: 0, now: 0 });"
        "  window.after = document.querySelector('[data-block=middle]').innerHTML; });"
    )
    assert page.until("window.after") == "late"
    assert page.js("return window.before") != "late"


def test_a_price_is_shown_before_it_is_paid(there, open_browser):
    """A Shoot at somebody out of range: the first click says what it costs and sends nothing; there is a way back, and a second click."""
    game = Scenario(num_players=6).seat(0, hand=["shoot", "shoot", "melee", "laser_shot"]).turn(0).build(seed=1)
    game.act("play shoot")
    page = Page(open_browser(), f"{there.address}/s/{there.sit(game)['0']}/")
    page.wait_for_question()
    page.all("[data-seat='3'] .pick")[0].click()
    page.until("document.querySelector('.answers .chosen')?.innerText.includes('out of range: 2 more danmaku cards')")
    assert page.js("return document.querySelectorAll('.arrows path').length") == 1
    page.press("\ue00c")  # Escape
    assert not page.all(".chosen")
    assert page.question == 1, "nothing was sent"
    page.all("[data-seat='1'] .pick")[0].click()
    page.all("[data-seat='1'] .pick")[0].click()
    page.wait_for_question(after=1)
