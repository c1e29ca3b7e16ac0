"""Every page can be read and reached: no fault of headings, contrast, names or focus by axe-core, light and dark; a game by keys alone.

axe-core is a tool of these tests alone: `npm install --no-save --prefix build/axe axe-core` (.ci/run does). Without it its test is
skipped, and says so.
"""

import json
import os
import random
from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

from danmaku_env.play.recording import Recording
from danmaku_env.play.replay_page import belief_models_of, replay_html
from tests.play.in_browser.conftest import NARROW, WIDE
from tests.play.in_browser.moments import after, attacked, ended, shooting
from tests.play.in_browser.page import Page

AXE = Path(os.environ.get("DANMAKU_AXE", "build/axe/node_modules/axe-core/axe.min.js"))
RUN = """
  const done = arguments[0];
  axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }).then(found => done(
    found.violations.map(one => [one.id, one.nodes.length, one.nodes[0].failureSummary, one.nodes.map(node => node.html.slice(0, 120))])));
"""
FOCUS = """
  const one = document.activeElement, style = getComputedStyle(one), box = one.getBoundingClientRect();
  return { what: one.outerHTML.slice(0, 100), at: [...document.querySelectorAll('*')].indexOf(one), body: one === document.body,
    outline: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2,
    seen: box.width > 0 && box.bottom > 0 && box.top < innerHeight };
"""
KEYS = "return [...document.querySelectorAll('[data-block=question] [data-key]')].map(one => one.dataset.key)"


@pytest.fixture(scope="module")
def replay_page(tmp_path_factory):
    file = tmp_path_factory.mktemp("replay") / "game.html"
    file.write_text(replay_html(Recording.of_replay(ended(6).replay()), belief_models_of(["deducer"])), "utf-8")
    return file


def pages(there, driver, replay_page):
    """Every page in turn, and its name."""
    yield "lobby", Page(driver, there.address)
    host, _ = there.lay(players="4", **{f"seat{seat}": "heuristic" for seat in range(1, 4)})
    yield "host", Page(driver, f"{there.address}/h/{host}/")
    yield "join", Page(driver, f"{there.address}/j/{there.lobby.room(host).table.joining}/")
    page = Page(driver, f"{there.address}/w/{there.lobby.room(host).table.watching}/")
    page.wait_for_table()
    assert not page.complaints()
    yield "looking on", page
    yield "refusal", Page(driver, f"{there.address}/s/nobody/")
    for name, game in (("character", after(4, 0)), ("main step", shooting()), ("attacked", attacked())):
        page = Page(driver, f"{there.address}/s/{there.sit(game)['0']}/")
        page.wait_for_question()
        yield name, page
    page.press("b")
    page.until("document.querySelector('table.belief')")
    page.js("document.querySelector('.saying').open = true")
    page.press("h")
    page.until("document.querySelector('#help').matches(':popover-open')")
    yield "beliefs and rules", page
    page = Page(driver, f"{there.address}/s/{there.sit(after(8, 120, expansion='lunatic_extra'))['0']}/")
    page.wait_for_question()
    yield "eight seats", page
    yield "log", Page(driver, page.driver.current_url + "log")
    page = Page(driver, f"{there.address}/s/{there.sit(ended(6))['0']}/")
    page.until("document.querySelector('.outcome')")
    page.wait_for_table()
    yield "end", page
    page = Page(driver, replay_page.as_uri())
    page.until("document.querySelector('#step').textContent")
    page.js("const slider = document.querySelector('#slider'); slider.value = 100; slider.oninput()")
    yield "replay", page


def dress(driver, scheme):
    """Light or dark, and no movement: what fades in has no contrast yet."""
    features = [{"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": "reduce"}]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


@pytest.mark.skipif(not AXE.is_file(), reason="no axe-core here: npm install --no-save --prefix build/axe axe-core")
@pytest.mark.parametrize(("size", "scheme"), [(WIDE, "light"), (NARROW, "dark")], ids=["light", "dark"])
def test_no_page_has_a_fault(there, open_browser, replay_page, size, scheme):
    driver, code = open_browser(size), AXE.read_text("utf-8")
    dress(driver, scheme)
    found = {}
    for name, page in pages(there, driver, replay_page):
        page.js(code)
        if faults := driver.execute_async_script(RUN):
            found[name] = faults
    assert not found, json.dumps(found, indent=1)


def test_the_focus_is_seen_and_goes_down_the_page(there, open_browser, replay_page):
    """Tab reaches one thing after another as they stand in the page; each is on the screen then, with a frame."""
    driver = open_browser()
    dress(driver, "light")
    for name, page in pages(there, driver, replay_page):
        page.until("document.querySelector('h1')")
        assert page.js("return document.querySelectorAll('h1').length") == 1, name
        assert page.js("return [...document.querySelectorAll('[tabindex]')].filter(one => one.tabIndex > 0).length") == 0, name
        before = -1
        for _ in range(150):
            page.press(Keys.TAB)
            there_is = page.js(FOCUS)
            if there_is["body"] or there_is["at"] <= before:
                break
            assert there_is["outline"], (name, there_is)
            assert there_is["seen"], (name, there_is)
            before = there_is["at"]
        assert there_is["body"] or name == "beliefs and rules" or before > 0, (name, there_is)


def test_a_whole_game_by_keys_alone(there, open_browser):
    """From the lobby to the next game: nothing is clicked."""
    page, rng = Page(open_browser(), there.address), random.Random(2)
    page.tab_to("[name=players]")
    page.press("4")
    page.sit_down_by_keys("button.main:not([name])")
    asked = 0
    for _ in range(600):
        page.wait_for_question(after=asked)
        if page.over:
            break
        asked = page.question
        page.press_answer(rng.choice(page.js(KEYS)))
    assert page.over
    assert asked > 5
    page.until("document.querySelector('.after [data-key]')")
    page.tab_to("[formaction=again]")
    page.press(Keys.ENTER)
    page.until("document.querySelector('a[data-key=\"3\"]')")
    page.press("3")
    page.wait_for_question()
    assert page.question == 1
