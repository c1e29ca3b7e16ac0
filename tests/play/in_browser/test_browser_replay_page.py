"""A replay page opened from disk in a real browser: stepped, watched from other views, its beliefs drawn."""

import pytest

from danmaku_env import Game, GameConfig
from danmaku_env.agents.base import play_out
from danmaku_env.agents.heuristic import HeuristicAgent
from danmaku_env.play.recording import Recording
from danmaku_env.play.replay_page import belief_models_of, replay_html
from tests.play.in_browser.conftest import NARROW
from tests.play.in_browser.page import Page


@pytest.fixture(scope="module")
def game():
    game = Game.new(GameConfig(num_players=6), 2)
    game.agents = ("heuristic",) * 6
    return play_out(game, [HeuristicAgent(seat) for seat in range(6)])


@pytest.fixture(scope="module")
def file(game, tmp_path_factory):
    file = tmp_path_factory.mktemp("replay") / "game.html"
    file.write_text(replay_html(Recording.of_replay(game.replay()), belief_models_of(["deducer", "heuristic"])), "utf-8")
    return file


def opened(driver, file):
    page = Page(driver, file.as_uri())
    page.until("document.querySelector('#step').textContent")
    return page


def step(page):
    return int(page.text("#step").split()[1])


def test_every_step_forwards_and_backwards(game, file, open_browser, picture):
    page = opened(open_browser(keeps_addresses=True), file)
    last = len(game.replay().answers)
    assert page.text("#step") == f"step 0 of {last}"
    page.press("\ue014", "\ue014", "\ue014")  # the right arrow
    assert step(page) == 3
    page.press("\ue012")
    assert step(page) == 2
    page.press("\ue010")
    assert step(page) == last
    assert "The game is over" in page.text("[data-block=head]")
    lines = page.js("return [...document.querySelectorAll('#log li')].map(line => line.textContent)")
    assert lines == list(game.log.above())[-len(lines) :]
    page.press("\ue011")
    assert step(page) == 0
    page.js("const slider = document.querySelector('#slider'); slider.value = 100; slider.oninput()")
    assert step(page) == 100
    picture(page.driver, "replay-above")
    page.click("#play")
    page.until("Number(document.querySelector('#step').textContent.split(' ')[1]) > 101")
    page.click("#play")
    assert not page.complaints()
    assert page.fetched() == [file.as_uri()] or all(address.startswith(("file:", "data:", "blob:")) for address in page.fetched())


def test_the_view_of_a_seat_shows_what_it_may_see(game, file, open_browser, picture):
    page = opened(open_browser(), file)
    page.js("const slider = document.querySelector('#slider'); slider.value = 60; slider.oninput()")
    page.choose("#view", "3")
    assert "you" in page.text("[data-block=seat-2]")
    assert "?" in page.text("[data-block=seat-3]")
    assert page.js("return document.querySelectorAll('tr[data-observer]:not([hidden])').length") == 1
    assert page.js("return getComputedStyle(document.querySelector('.truth')).display") == "none"
    picture(page.driver, "replay-seat")
    page.choose("#view", "0")
    assert page.js("return document.querySelectorAll('tr[data-observer]:not([hidden])').length") == 6


def test_an_event_that_moved_a_belief_can_be_looked_at(file, open_browser):
    page = opened(open_browser(), file)
    assert page.js("return document.querySelectorAll('.chart svg path').length") > 30
    page.click("#shifts button")
    assert step(page) > 0
    before = page.text("[data-belief='0-1']")
    assert "%" in before
    page.choose("#belief-model", "1")
    assert page.text("[data-belief='0-1']") != ""
    page.js("document.querySelector('.mark').click()")
    assert step(page) > 0


def test_an_address_names_a_step_and_a_view(file, open_browser):
    """It is followed when the page opens and when it changes, and says where one is."""
    driver = open_browser()
    page = Page(driver, f"{file.as_uri()}#step=60&view=3")
    page.until("document.querySelector('#step').textContent.startsWith('step 60 ')")
    assert page.text("#view option:checked") == page.js("return document.querySelector('#view').options[4].innerText")
    page.js("location.hash = '#step=7&view=above'")
    page.until("document.querySelector('#step').textContent.startsWith('step 7 ')")
    page.click("#next")
    assert page.js("return location.hash") == "#step=8&view=above"
    page.js("location.hash = '#figure=beliefs&view=2'")
    page.until("getComputedStyle(document.querySelector('.split')).display === 'none'")
    assert page.js("return document.querySelectorAll('tr[data-observer]:not([hidden])').length") == 1
    assert not page.complaints()


def test_to_the_next_turn_attack_and_shift_of_belief(game, file, open_browser):
    page = opened(open_browser(), file)
    page.press("t", "t")
    assert page.text("[data-block=head]").startswith("Turn 2")
    page.press("a")
    assert " attacks " in page.text("#log .new")
    before = step(page)
    page.press("b")
    assert step(page) > before
    page.choose("#speed", "8")
    page.js("document.activeElement.blur()")
    before = step(page)
    page.press(" ")
    page.until(f"Number(document.querySelector('#step').textContent.split(' ')[1]) > {before + 2}")
    page.press(" ")
    assert page.text("#play") == "play"


def test_the_chart_alone_is_a_file(file, open_browser):
    """As SVG, with every pair of seats and a legend, and as CSV, in which the shares of a line are a whole."""
    page = opened(open_browser(), file)
    page.js(
        "window.kept = []; const was = URL.createObjectURL;"
        "URL.createObjectURL = blob => { window.kept.push(blob.text()); return was(blob); };"
    )
    page.click("#save-svg")
    page.click("#save-csv")
    svg, csv = page.driver.execute_async_script("Promise.all(window.kept).then(arguments[0])")
    assert page.js("return new DOMParser().parseFromString(arguments[0], 'image/svg+xml').querySelectorAll('svg svg').length", svg) == 30
    head, *lines = csv.splitlines()
    assert head.startswith("observer,seat,place,Heroine")
    assert len({tuple(line.split(",")[:2]) for line in lines}) == 30
    assert all(99 < sum(map(float, line.split(",")[3:])) < 101 for line in lines)


def test_on_paper_the_controls_are_left_out(file, open_browser):
    page = opened(open_browser(), file)
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    assert page.js("return getComputedStyle(document.querySelector('nav')).display") == "none"
    assert page.js("return document.querySelector('#log').scrollHeight - document.querySelector('#log').clientHeight") <= 1


def test_a_telephone_shows_it_too(file, open_browser, picture):
    page = opened(open_browser(NARROW), file)
    assert page.js("return document.documentElement.scrollWidth <= window.innerWidth")
    page.click("#next")
    assert step(page) == 1
    picture(page.driver, "replay-narrow")


def test_colours_can_be_told_apart(file, open_browser):
    """Also by who sees no red, no green or no blue: the groups of roles on charts, and shapes and words beside."""
    page = opened(open_browser(), file)
    colors = page.js(
        "return ['heroine', 'rival', 'partner', 'stage', 'extra', 'none'].map(name => "
        "getComputedStyle(document.querySelector(`.legend i.${name}`)).backgroundColor.match(/\\d+/g).map(Number))"
    )
    for kind, matrix in _BLINDNESS.items():
        seen = [_seen(matrix, color) for color in colors]
        apart = min(_distance(one, other) for place, one in enumerate(seen) for other in seen[place + 1 :])
        assert apart > 20, f"{kind}: two groups look alike"
    shapes = page.js("return [...new Set([...document.querySelectorAll('.seat .role')].map(role => role.innerText.trim()[0]))]")
    assert len(shapes) >= 3
    assert set(shapes) <= set("★☆■▲◆")


_BLINDNESS = {
    "all colours": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "no green": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "no blue": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
"""How colours look to who lacks a kind of cones, in linear RGB (Machado, Oliveira and Fernandes 2009, severity 1)."""


def _seen(matrix, color):
    """CIE Lab of a colour as such an eye sees it."""
    linear = [(part / 255 / 12.92 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4) for part in color]
    red, green, blue = (min(1, max(0, sum(weight * part for weight, part in zip(row, linear, strict=True)))) for row in matrix)
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089
    fx, fy, fz = ((part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116) for part in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def _distance(one, other):
    return sum((a - b) ** 2 for a, b in zip(one, other, strict=True)) ** 0.5
