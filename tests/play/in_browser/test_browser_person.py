"""What a page does for the person before it: how soon it answers, how large it is, the title, a sound, the clock, and no movement."""

import json
import statistics

from danmaku_env.play.browser.app import _FILES
from tests.play.browser.served import Person
from tests.play.in_browser.moments import after
from tests.play.in_browser.page import Page
from tests.play.in_browser.test_browser_games import SEND
from tests.play.in_browser.test_browser_reach import dress

ALONE = {"players": "6", **{f"seat{seat}": "heuristic" for seat in range(1, 6)}}
HEAR = """
  window.heard = 0;
  window.AudioContext = class { constructor() { this.currentTime = 0; this.destination = {}; }
    createOscillator() { return { frequency: {}, connect: to => to, start() { window.heard++; }, stop() {} }; }
    createGain() { return { gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} }, connect: to => to }; } };
  Object.defineProperty(document, 'hidden', { get: () => window.away, configurable: true });
"""
TIMES = """
  window.times = [];
  document.addEventListener('settled', () => { if (window.sent) { window.times.push(performance.now() - window.sent); window.sent = 0; } });
"""


def table_at(there, game):
    """The address of seat 0 at a table where the game goes on, and its secret."""
    secret = there.sit(game, agent="heuristic")["0"]
    return f"{there.address}/s/{secret}/", secret


def test_an_answer_is_on_the_screen_at_once(there, open_browser):
    """What a page takes beyond its pace, the agents' answers included: on an idle machine a fifth of this."""
    page = Page(open_browser(), table_at(there, after(6, 60))[0])
    page.wait_for_question()
    page.js(TIMES)
    for _ in range(16):
        number = page.question
        page.js(
            "window.sent = performance.now(); " + SEND,
            page.js("return [...document.querySelectorAll('[data-block=question] button[name=answer]')].at(-1).value"),
        )
        page.wait_for_question(after=number)
        if page.over:
            break
    times = page.js("return window.times")
    assert len(times) > 5
    assert statistics.median(times) < 150, times


def test_a_live_page_is_small(there):
    """All that a browser loads for a seat of eight players and both boxes, late in a game, but for the events since the last answer."""
    _, secret = table_at(there, after(8, 400, expansion="lunatic_extra"))
    me = Person(there, secret)
    me.read()
    loaded = [f"/s/{secret}/", *(f"/static/{name}" for name in ("table.css", "table.js", *_FILES))]
    sizes = [len(there.ask("GET", path)[1].encode()) for path in loaded]
    assert sum(sizes) + len(json.dumps(me.page).encode()) < 120_000, sizes
    me.close()


def test_a_question_is_said_in_the_title_and_heard_by_who_looks_elsewhere(there, open_browser):
    _, secrets = there.lay(**ALONE)
    page = Page(open_browser(), f"{there.address}/s/{secrets['0']}/")
    page.wait_for_question()
    assert page.driver.title == "● Danmaku!!, seat 0"
    page.js(HEAR)
    page.js("window.away = true")
    page.answer()
    page.until("window.heard === 1")
    page.js("document.getElementById('sound').click()")
    number = page.question
    page.answer()
    page.wait_for_question(after=number)
    assert page.js("return [window.heard, document.getElementById('sound').ariaPressed]") == [1, "false"]


def test_the_clock_goes_on_through_a_reload(there, open_browser):
    _, secrets = there.lay(**ALONE | {"clock": "600"})
    page = Page(open_browser(), f"{there.address}/s/{secrets['0']}/")
    page.wait_for_question()
    ends = page.until("document.querySelector('.clock')?.dataset.ends")
    left = page.until("/^[0-9]+ s$/.test(document.querySelector('.clock b').innerText) && document.querySelector('.clock b').innerText")
    page.driver.refresh()
    page.wait_for_question()
    assert page.js("return document.querySelector('.clock').dataset.ends") == ends
    page.until("Number(document.querySelector('.clock').style.getPropertyValue('--left'))")
    again = page.text(".clock b")
    assert int(again.split()[0]) <= int(left.split()[0])


def test_who_wants_no_movement_sees_none(there, open_browser):
    driver = open_browser()
    dress(driver, "light")
    page = Page(driver, table_at(there, after(6, 60))[0])
    page.wait_for_question()
    page.js("document.querySelector('.banner').hidden = false")
    moving = "return document.getAnimations().filter(one => one.playState === 'running').length"
    assert page.js(moving) == 0
