"""How soon a decision is on the screen, how long questions wait when many play at once, and how large replay pages are.

    python benchmarks/tables.py            # serves, plays, prints
    python benchmarks/tables.py --seconds 1 --tables 2 --steps 50

A browser is used where there is one.
"""

from __future__ import annotations

import argparse
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.machine import at_least, print_machine, span
from danmaku_env import Game, GameConfig
from danmaku_env.agents.base import play_out
from danmaku_env.agents.random import RandomAgent
from danmaku_env.play.recording import Recording
from danmaku_env.play.replay_page import belief_models_of, replay_html
from tests.play.browser.served import Guests, Person

OTHERS = {f"seat{seat}": "heuristic" for seat in range(1, 6)}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--tables", type=at_least(1), default=20, help="tables at once")
    parser.add_argument("--seconds", type=span, default=30.0, help="how long is played at one table, and then at all")
    parser.add_argument("--steps", type=at_least(1), default=600, help="steps at least of the game whose replay page is measured")
    args = parser.parse_args()
    print_machine("starlette", "uvicorn", "websockets")
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "danmaku_env.commands.main", "serve", "--no-show", "--games", folder]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            try:
                guests = Guests(port_of(server))
                on_the_screen(guests, args.seconds)
                at_once(guests, 1, args.seconds)
                at_once(guests, args.tables, args.seconds)
            finally:
                server.terminate()
    page_size(args.steps)


def port_of(server: subprocess.Popen[str]) -> int:
    """The port of a server, as soon as it says its address."""
    assert server.stdout is not None
    for line in server.stdout:
        if found := re.search(r"http://[^/]*:(\d+)/", line):
            return int(found[1])
    raise SystemExit("the server ended before it said its address")


def on_the_screen(guests: Guests, seconds: float) -> None:
    """A game of heuristics in a browser: from the click to the next question on the page, the agents' own time included."""
    if not (shutil.which("chromium") and shutil.which("chromedriver")):
        print("no chromium here: the screen is not measured")
        return
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = str(shutil.which("chromium"))
    for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(word)
    driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    driver.set_script_timeout(seconds + 60.0)
    try:
        waits = []
        driver.get(guests.address)
        driver.execute_script("localStorage.setItem('pace', '0')")  # events at once: what a page takes beyond its pace
        for _ in range(3):
            _, secrets = guests.lay(players="6", **OTHERS)
            driver.get(f"{guests.address}/s/{secrets['0']}/")
            waits += driver.execute_async_script(PLAY, 1000 * seconds)
    finally:
        driver.quit()
    said("one table in a browser, from the click to the next question on the page", waits)


PLAY = """
const done = arguments[1], waits = [];
let clicked = 0, number = 0;
function act() {
  const there = document.querySelector("[name=question]");
  if (document.querySelector(".ended") || waits.length > 150) { return end(); }
  if (!there || Number(there.value) <= number) return;
  if (clicked) waits.push((performance.now() - clicked) / 1000);
  number = Number(there.value);
  const answers = document.querySelectorAll("[data-block=question] button[name=answer]");
  const answer = answers[answers.length - 1];
  setTimeout(() => {
    clicked = performance.now();
    answer.click();
    if (!document.body.matches(".sent")) answer.click();  // the first click has chosen a card or a seat, or told its price
  }, 60);
}
function end() { watch.disconnect(); done(waits); }
const watch = new MutationObserver(act);
setTimeout(end, arguments[0]);
watch.observe(document.body, { subtree: true, childList: true });
act();
"""


def at_once(guests: Guests, tables: int, seconds: float) -> None:
    """People at many tables who answer after a moment's thought: from an answer to the next question."""
    waits: list[float] = []
    end = time.monotonic() + seconds

    def play(_: int) -> None:
        while time.monotonic() < end:
            _, secrets = guests.lay(players="6", **OTHERS)
            me = Person(guests, secrets["0"]).until(lambda me: me.question is not None)
            while not me.over and time.monotonic() < end:
                time.sleep(0.2)
                number, start = me.question, time.monotonic()
                me.post("answer", question=number, answer=me.answers[-1])
                me.until(lambda me, number=number: me.over or (me.question or 0) > number)
                waits.append(time.monotonic() - start)
            me.close()

    threads = [threading.Thread(target=play, args=(number,)) for number in range(tables)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    said(f"{tables} table{'s' * (tables > 1)} at once, from an answer to the next question", waits)


def said(what: str, waits: list[float]) -> None:
    if not waits:
        print(f"{what}: nobody was asked in that time")
        return
    waits = sorted(waits)
    late = waits[int(0.99 * len(waits))]
    print(f"{what}: {len(waits)} questions, median {1000 * statistics.median(waits):.0f} ms, 99 % {1000 * late:.0f} ms, "
          f"longest {1000 * waits[-1]:.0f} ms")  # fmt: skip


def page_size(least: int) -> None:
    for seed in range(1000):
        game = play_out(Game.new(GameConfig(num_players=8), seed), [RandomAgent(seat) for seat in range(8)])
        if len(game.replay().answers) >= least:
            break
    start = time.monotonic()
    size = len(replay_html(Recording.of_replay(game.replay()), belief_models_of(None)).encode())
    print(f"replay page of {len(game.replay().answers)} steps, 8 players: {size / 1e6:.2f} MB in {time.monotonic() - start:.1f} s")


if __name__ == "__main__":
    main()
