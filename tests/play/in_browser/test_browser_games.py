"""Whole games clicked in a real browser, and measured: nothing is cut off, no seat covers another, every question is a choice, every
event is shown, in its order, before the question that follows it.

`python -m tests.play.in_browser.test_browser_games` plays more of them than the suite: both boxes, four to eight people.
"""

import os
import random
import subprocess
import sys
import time

import pytest

from danmaku_env.render.asking import plain_words
from tests.play.browser.served import Person
from tests.play.in_browser.conftest import NARROW, WIDE
from tests.play.in_browser.page import Page

WATCH = """
  window.told = [];
  document.addEventListener('event', event => window.told.push([event.detail.n, event.detail.text]));
"""
MEASURE = """
  const cut = [], inside = document.querySelectorAll('.board *, .hand *, .ask *, aside .tools *, .people *');
  for (const one of inside) {
    const style = getComputedStyle(one), box = one.getBoundingClientRect();
    if (!box.width || !one.textContent.trim() || one instanceof SVGElement) continue;
    const clips = style.overflowX !== 'visible' || style.overflowY !== 'visible' || style.webkitLineClamp !== 'none';
    if (clips && (one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1)) cut.push(one.outerHTML.slice(0, 160));
    if (box.left < -1 || box.right > innerWidth + 1) cut.push('beyond: ' + one.outerHTML.slice(0, 160));
  }
  const seats = [...document.querySelectorAll('.board .seat, .board .middle')].map(one => one.getBoundingClientRect());
  const both = (a, b, low, high) => Math.min(a[high], b[high]) - Math.max(a[low], b[low]) > 1;
  const covers = (a, b) => both(a, b, 'left', 'right') && both(a, b, 'top', 'bottom');
  const question = [...document.querySelectorAll('[data-block=question] button[name=answer]')];
  return {
    cut, covered: seats.flatMap((a, i) => seats.slice(i + 1).filter(b => covers(a, b))).length,
    answers: question.map(one => one.value), keys: question.map(one => one.dataset.key).filter(key => key),
    asks: document.querySelector('.asks')?.innerText ?? '', wide: document.documentElement.scrollWidth,
    number: Number(document.querySelector('[name=question]')?.value ?? 0),
  };
"""
SEND = """
  const button = document.querySelector(`[data-block=question] button[value="${arguments[0]}"]`);
  button?.click(); // it may be no longer asked
  if (!document.body.matches('.sent')) button?.click();
"""


def play(there, driver, secrets, size, *, seed=1, most=400):
    """Click a game as seat 0, the other people answering without a browser; returns how many questions there were."""
    rng, page = random.Random(seed), Page(driver, f"{there.address}/s/{secrets['0']}/")
    page.js(WATCH)
    table = there.lobby.person(secrets["0"])[0].table
    others = {int(seat): Person(there, secret) for seat, secret in secrets.items() if seat != "0"}
    asked, given = 0, {}
    while asked < most:
        answer_for_others(others, rng, given)
        state = page.js("return document.body.matches('.playing, .sent') ? null : !!document.querySelector('.ended')")
        if state:
            break
        found = page.js(MEASURE) if state is False else {"number": 0}
        if found["number"] <= asked:
            time.sleep(0.02)  # the server needs the processor more than this does
            continue
        asked = found["number"]
        assert not found["cut"], found["cut"]
        assert (found["covered"], found["wide"] <= size[0]) == (0, True), found
        assert len(found["answers"]) > 1, f"a question without a choice: {found['asks']}"
        assert len(set(found["keys"])) == len(found["keys"])
        said = plain_words(table.seen_by(table.people[0]))
        if table.people[0].question == found["number"] and table.is_asked(table.people[0]):
            assert found["asks"] == said, "who and what it is about, as the engine has it (tests/render/test_asking.py)"
        if asked < most:
            page.js(SEND, rng.choice(found["answers"]))
    events_shown(page, table)
    late = "409 (Conflict)"  # an answer that is no longer asked for, as somebody has reacted meanwhile
    assert not [one for one in page.complaints() if late not in one["message"]]
    for other in others.values():
        other.close()
    return asked


def answer_for_others(others, rng, given):
    """An answer of every person beside seat 0 whose page asks something new, also ahead of their turn; `given` are the numbers answered."""
    for seat, person in others.items():
        person.catch_up()
        number = person.question
        if number is None or given.get(seat) == number:
            continue
        assert len(person.answers) > 1
        status, words = person.post("answer", question=number, answer=rng.choice(person.answers))
        assert status == 204 or "no longer asked" in words, words
        given[seat] = number


def events_shown(page, table):
    """What the page has shown is what the log tells its seat, event by event."""
    told = page.js("return window.told")
    log = [line.removeprefix("--- ") for line in table.shown.log.of(0)]
    numbers = [n for n, _ in told]
    assert numbers == sorted(set(numbers))
    shown = [text for _, text in told]
    assert shown[-len(log) :] == log[-len(shown) :]
    assert numbers[-1] == int(table.shown.record["log_count"])


def laid(there, players, box, people):
    agents = {f"seat{seat}": "person" if seat < people else "heuristic" for seat in range(1, players)}
    return there.lay(**agents, players=str(players), expansion=box)[1]


MORE = "DANMAKU_MORE_GAMES"
"""Set, more games are clicked, and more of each."""
GAMES = [(4, "none", 4), (6, "none", 3), (8, "none", 8), (4, "lunatic_extra", 2), (6, "lunatic_extra", 6), (8, "lunatic_extra", 8)]
ALL = [(*game, size) for game in GAMES for size in (WIDE, (1920, 1080), NARROW)]
CASES = ALL if os.environ.get(MORE) else [(5, "none", 2, WIDE), (8, "lunatic_extra", 1, NARROW)]


def name_of(case):
    """`8-none-8-390x844`: players, box, people and the window."""
    *game, (width, height) = case
    return "-".join(map(str, [*game, f"{width}x{height}"]))


@pytest.mark.parametrize(("players", "box", "people", "size"), CASES, ids=map(name_of, CASES))
def test_a_whole_game(there, open_browser, picture, players, box, people, size):
    driver = open_browser(size)
    assert play(there, driver, laid(there, players, box, people), size, most=400 if os.environ.get(MORE) else 60) > 5
    picture(driver, f"game-{players}-{box}")


def main():
    """Click all of them, or those whose names have the words that are given: `8-none-8`."""
    words = " and ".join(["whole_game", *sys.argv[1:]])
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", __file__, "-k", words]
    sys.exit(subprocess.run(command, env={**os.environ, MORE: "1"}, check=False).returncode)


if __name__ == "__main__":
    main()
