"""Ten moments of the pages as pictures, at three sizes, light and dark: to be looked at, and kept by CI.

`python -m tests.play.in_browser.moments [FOLDER]` writes them, by default to build/pictures/moments.
"""

import sys
import tempfile
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

from danmaku_env import Game, GameConfig, Scenario
from danmaku_env.agents.base import answer, play_out
from danmaku_env.agents.heuristic import HeuristicAgent
from danmaku_env.play.recording import Recording
from danmaku_env.play.replay_page import belief_models_of, replay_html
from tests.play.browser.served import Server
from tests.play.in_browser.conftest import CHROMIUM, DRIVER, NARROW, PICTURES, WIDE
from tests.play.in_browser.page import Page
from tests.play.in_browser.test_browser_games import SEND

SIZES = (WIDE, (1920, 1080), NARROW)
SCHEMES = ("light", "dark")


def after(players, count, **options):
    """A game of agents after at least `count` answers, where seat 0 is asked."""
    game, agents = Game.new(GameConfig(num_players=players, **options), 3), [HeuristicAgent(seat) for seat in range(players)]
    while count > 0 or game.asking != 0 or len(game.legal()) < 2:
        game.act(answer(agents[game.asking], game))
        count -= 1
    return game


def ended(players):
    """A game that is all but over: the next answer ends it."""
    game, agents = Game.new(GameConfig(num_players=players), 2), [HeuristicAgent(seat) for seat in range(players)]
    play_out(game, agents)
    return game


def shooting():
    """The main step, with attack cards in hand."""
    return Scenario(num_players=6).seat(0, hand=["shoot", "shoot", "melee", "laser_shot", "graze", "bomb"]).turn(0).build(seed=1)


def attacked():
    """Seat 0 is asked about an attack on it."""
    scenario = Scenario(num_players=6).seat(0, hand=["graze", "graze", "bomb"]).seat(1, hand=["shoot", "shoot"]).turn(1)
    game = scenario.build(seed=1)
    for name in ("play shoot", "choose seat:0"):
        game.act(name)
    while game.asking != 0:
        game.act("pass")
    return game


class Album:
    """Pictures of one size and scheme."""

    def __init__(self, driver, there, folder, replay_page, name):
        self.driver, self.there, self.folder, self.replay_page, self.name = driver, there, folder, replay_page, name
        self.number = 0

    def keep(self, moment):
        self.number += 1
        self.driver.save_screenshot(str(self.folder / f"{self.number:02}-{moment}-{self.name}.png"))

    def sit(self, game):
        page = Page(self.driver, f"{self.there.address}/s/{self.there.sit(game)['0']}/")
        page.wait_for_question()
        return page

    def moments(self):
        """Take all of them."""
        Page(self.driver, self.there.address)
        self.keep("lobby")
        page = self.sit(after(4, 0))
        self.keep("choosing-a-character")
        page = self.sit(shooting())
        self.keep("main-step")
        page.press_answer(page.js("return [...document.querySelectorAll('.pick')].find(b => b.ariaLabel.includes('Shoot')).textContent"))
        page.wait_for_question(after=1)
        page.all("[data-seat='3'] .pick")[0].click()
        self.keep("a-price")
        page = self.sit(attacked())
        self.keep("attacked")
        page.press("b")
        page.until("document.querySelector('table.belief')")
        self.keep("beliefs")
        page.press("h")
        page.until("document.querySelector('#help').matches(':popover-open')")
        self.keep("rules")
        page = self.sit(after(8, 120, expansion="lunatic_extra"))
        page.js("localStorage.setItem('pace', '1.2')")
        page.driver.refresh()
        page.wait_for_question()
        page.js(SEND, page.js("return document.querySelector('[data-block=question] button[name=answer]').value"))
        page.until(
            "document.querySelector('.arrows path') || document.querySelector('.spotlight .face') || document.querySelector('.ended')"
        )
        self.keep("shown-happening")
        page.js("localStorage.setItem('pace', '0')")
        page = Page(self.driver, f"{self.there.address}/s/{self.there.sit(ended(6))['0']}/")
        page.until("document.querySelector('.outcome')")
        page.wait_for_table()
        self.keep("the-end")
        page = Page(self.driver, self.replay_page.as_uri())
        page.until("document.querySelector('#step').textContent")
        page.js("const slider = document.querySelector('#slider'); slider.value = 100; slider.oninput()")
        self.keep("replay")


def browser(size):
    """Chromium with a window, or a telephone, of that size."""
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(word)
    driver = webdriver.Chrome(options=options, service=Service(DRIVER))
    metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": size == NARROW}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    return driver


def main():
    """Write the pictures."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else PICTURES / "moments"
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as there:
        replay_page = Path(there) / "game.html"
        replay_page.write_text(replay_html(Recording.of_replay(ended(6).replay()), belief_models_of(["deducer"])), "utf-8")
        server = Server(Path(there) / "games", ("heuristic", "deducer", "random"))
        try:
            for size in SIZES:
                driver = browser(size)
                for scheme in SCHEMES:
                    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
                    Album(driver, server, folder, replay_page, f"{size[0]}x{size[1]}-{scheme}").moments()
                driver.quit()
        finally:
            server.stop()
    print(f"{len(list(folder.glob('*.png')))} pictures are in {folder}")


if __name__ == "__main__":
    main()
