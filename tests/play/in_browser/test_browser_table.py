"""The table in a real browser: played by clicks and by keys, by two people, through lost connections, on a telephone."""

import random
import time

import pytest
from selenium.webdriver.common.keys import Keys

from danmaku_env import Replay
from tests.play.in_browser.conftest import NARROW, WIDE
from tests.play.in_browser.page import Page

ALONE = {"players": "6", **{f"seat{seat}": "heuristic" for seat in range(1, 6)}}


def seat(there, secret):
    return f"{there.address}/s/{secret}/"


def game_of(there, secret):
    return there.lobby.person(secret)[0].table.game


def fits(page, size=NARROW):
    """Whether nothing is wider than the screen."""
    return page.js("return Math.max(document.documentElement.scrollWidth, innerWidth)") <= size[0]


def wait(found, say=str, seconds=60.0):
    """Until it is so; else `say` tells what there is instead."""
    end = time.monotonic() + seconds
    while not found():
        assert time.monotonic() < end, say()
        time.sleep(0.01)


def settled(room):
    """Who is asked, once the agents have answered; None when the game is over."""
    wait(lambda: room.table.pending is not None or room.table.game.over)
    return room.table.pending


def test_a_whole_game_is_laid_played_by_clicking_and_looked_at(there, open_browser, picture):
    page = Page(open_browser(keeps_addresses=True), there.address)
    picture(page.driver, "lobby")
    page.choose("[name=players]", "6")
    page.choose("[name=seat0]", "person")
    for other in range(1, 6):
        page.choose(f"[name=seat{other}]", "heuristic")
    page.click("button.main")
    page.until("document.querySelector('a[href^=\"/s/\"]')")
    picture(page.driver, "host")
    page.click('a[href^="/s/"]')
    rng = random.Random(1)
    ways = {"cards": 0, "seats": 0, "answers": 0}
    for asked in range(1000):
        page.wait_for_question(after=asked)
        if page.over:
            break
        if asked == 12:
            picture(page.driver, "table-wide")
        buttons = page.all("button.pick[name=answer]")
        way = "answers" if not buttons or rng.random() < 0.3 else None
        plain = page.all("[data-block=question] button[name=answer]:not(.on-board)")
        way = way if plain else None
        chosen = rng.choice(plain if way else buttons)
        ways[way or ("cards" if "hand" in chosen.find_element("xpath", "../..").get_attribute("class") else "seats")] += 1
        page.give(chosen)
        page.wait_for_question(after=asked + 1)
    assert page.over
    assert all(ways.values()), ways
    assert not page.complaints()
    page.until("document.querySelector('.after a')")
    picture(page.driver, "table-over")
    secret = page.driver.current_url.split("/")[4]
    assert there.ask("GET", f"/s/{secret}/replay.json")[1]
    assert Replay.from_json(there.ask("GET", f"/s/{secret}/replay.json")[1]).play().over
    page.click(".after a")
    page.until("document.querySelector('#step')?.textContent.startsWith('step 0')")
    assert all(address.startswith((there.address, there.address.replace("http", "ws"), "data:")) for address in page.fetched())


def test_with_the_keyboard_alone(there, open_browser):
    page = Page(open_browser(), there.address)
    page.tab_to("[name=practice]")
    page.press(Keys.SPACE)
    page.tab_to("[name=seed]")
    page.press("5")
    page.sit_down_by_keys("button.main")
    for asked in range(8):
        page.wait_for_question(after=asked)
        if page.over:
            return
        page.press_answer(page.js("return document.querySelector('[data-block=question] [data-key]').dataset.key"))
    page.wait_for_question(after=8)
    hand = page.text("[data-block=hand]")
    page.press("u")
    page.wait_for_question(after=9)
    assert "Taken back." in page.text("[data-block=notice]")
    assert hand
    page.press("b")
    page.until("document.querySelector('table.belief')")
    assert "What deducer would believe in your place" in page.text("[data-block=belief]")
    page.press("h")
    page.until("document.querySelector('#help').matches(':popover-open')")
    page.press(Keys.ESCAPE)
    page.until("!document.querySelector('#help').matches(':popover-open')")
    # everything that can be pressed can be reached with Tab, and shows that it is
    reached = set()
    for _ in range(80):
        page.press(Keys.TAB)
        reached.add(page.js("const at = document.activeElement; return at.name === 'answer' ? 'answer ' + at.value : at.className"))
    shown = "[...document.querySelectorAll('[name=answer]:not(.on-board)')].map(button => button.value)"
    wanted = {f"answer {value}" for value in page.js(f"return {shown}")}
    assert wanted <= reached
    page.js("document.querySelector('[data-block=question] button[name=answer]:not(.on-board)').focus()")
    number = page.question
    page.press(Keys.ENTER)
    page.wait_for_question(after=number)


def test_two_browsers_at_one_table_one_is_closed_and_comes_back(there, open_browser, picture):
    _, secrets = there.lay(**ALONE | {"seat3": "person", "ask": "able"})
    one, other = (Page(open_browser(), seat(there, secrets[place])) for place in ("0", "3"))
    given = {0: 0, 3: 0}
    room, _ = there.lobby.person(secrets["0"])

    def play(answers):
        """Until each of the two has given this number of answers."""
        while min(given.values()) < answers:
            asked = settled(room)
            assert asked is not None, given
            page = one if asked == 0 else other
            number = room.table.people[asked].question
            page.wait_for_question(after=number - 1)
            page.answer()
            given[asked] += 1
            wait(
                lambda asked=asked, number=number: room.table.pending != asked or room.table.people[asked].question > number,
                lambda page=page: page.text("[data-block=notice]") + page.text("[data-block=question]"),
            )

    play(3)
    waiting = other if settled(room) == 0 else one
    waiting.until("document.querySelector('[data-block=question]').innerText.includes('Answers are awaited')")
    # what one sees of the other's hand is its size, and nothing else
    for mine, theirs, page in ((0, 3, one), (3, 0, other)):
        page.until("document.querySelectorAll('.hand .card').length === arguments[0]", len(set(room.table.game.seat(mine).hand)))
        assert f"{len(room.table.game.seat(theirs).hand)} card" in page.text(f"[data-block=seat-{theirs}]")
    hand = one.text("[data-block=hand]")
    one.driver.quit()
    other.until("document.querySelector('.people').innerText.includes('not here')")
    one = Page(open_browser(), seat(there, secrets["0"]))
    one.wait_for_table()
    other.until("!document.querySelector('.people').innerText.includes('not here')")
    assert one.text("[data-block=hand]") == hand
    play(5)
    picture(other.driver, "two-people")


def test_a_page_opened_anew_begins_where_its_person_last_answered(there, open_browser):
    """On another machine nothing is remembered; what the person had seen there stands in the log at once."""
    _, secrets = there.lay(**ALONE)
    page = Page(open_browser(), seat(there, secrets["0"]))
    for asked in range(4):
        page.wait_for_question(after=asked)
        page.answer()
    page.wait_for_question(after=4)
    page.js("sessionStorage.clear()")
    page.driver.refresh()
    page.wait_for_table()
    read = there.lobby.person(secrets["0"])[1].read
    lines = page.js("return [...document.querySelectorAll('ol.log li')].map(line => [Number(line.dataset.n), line.matches('.new')])")
    assert {shown for _, shown in lines} == {False, True}
    assert all(shown == (n > read) for n, shown in lines)


def test_a_connection_that_breaks_off_is_said_and_opened_again(there, open_browser):
    _, secrets = there.lay(**ALONE)
    page = Page(open_browser(), seat(there, secrets["0"]))
    page.wait_for_question()
    page.js(
        "const look = () => { if (document.body.matches('.broken')) window.said = document.querySelector('.lost').innerText; };"
        "new MutationObserver(look).observe(document.body, {attributes: true})"
    )  # it may be over before the driver looks
    there.cut()
    assert "trying again" in page.until("window.said")
    page.until("!document.body.classList.contains('broken')")
    number = page.question
    page.answer()
    page.wait_for_question(after=number)


def test_a_telephone(there, open_browser, picture):
    _, secrets = there.lay(**ALONE | {"players": "8", "seat6": "heuristic", "seat7": "heuristic"})
    page = Page(open_browser(NARROW), there.address)
    assert fits(page)
    picture(page.driver, "lobby-narrow")
    page = Page(page.driver, seat(there, secrets["0"]))
    for asked in range(10):
        page.wait_for_question(after=asked)
        if page.over:
            break
        assert fits(page)
        page.answer()
    page.wait_for_question(after=10)
    picture(page.driver, "table-narrow")
    heights = page.js(
        "return [...document.querySelectorAll('.answers button:not(.on-board)')].map(one => one.getBoundingClientRect().height)"
    )
    assert min(heights, default=30) >= 30, "a finger is wider than a mouse"
    if not page.over:
        assert page.js("return document.querySelector('[data-block=question] button').getBoundingClientRect().top < innerHeight")
    page.js("document.querySelector('.seat .name').click()")
    page.until("document.querySelector('.printed:popover-open')")
    assert fits(page)


@pytest.mark.parametrize("players", ["4", "8"])
def test_the_table_fits_the_screen(there, open_browser, picture, players):
    """At 1280 x 800 seats stand clear of one another and nothing has to be scrolled sideways."""
    _, secrets = there.lay(**ALONE | {"players": players, "seat6": "heuristic", "seat7": "heuristic"})
    page = Page(open_browser(), seat(there, secrets["0"]))
    for asked in range(10):
        page.wait_for_question(after=asked)
        if page.over:
            break
        overlaps = page.js(
            "const seats = [...document.querySelectorAll('.seat')].map(seat => seat.getBoundingClientRect());"
            "return seats.flatMap((a, i) => seats.slice(i + 1).filter(b => "
            "Math.min(a.right, b.right) - Math.max(a.left, b.left) > 8 && "
            "Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 8)).length"
        )
        assert overlaps == 0
        assert fits(page, WIDE)
        page.answer()
    picture(page.driver, f"table-{players}")
