"""A page as a person uses it."""

import contextlib
import json
import time

from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

PATIENCE = 60.0


class Page:
    """A browser with a page of the server, or of a file, open."""

    def __init__(self, driver, address):
        self.driver = driver
        if address.startswith("http"):  # events at the fastest pace
            driver.get(f"{address.partition('/')[0]}//{address.split('/')[2]}/")
            self.js("localStorage.setItem('pace', '0')")
        driver.get(address)

    def js(self, code, *given):
        return self.driver.execute_script(code, *given)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def text(self, selector):
        return self.js("return document.querySelector(arguments[0])?.innerText ?? ''", selector)

    def until(self, code, *given, patience=PATIENCE):
        """Wait for a JavaScript expression to be true; returns its value."""
        end = time.monotonic() + patience
        while not (found := self.js(f"return {code}", *given)):
            assert time.monotonic() < end, f"waited in vain for {code}: {self.text('body')[:600]}"
            time.sleep(0.01)
        return found

    def click(self, selector):
        """Click where a person would: in the middle of what is seen."""
        self.js("document.querySelector(arguments[0]).scrollIntoView({block: 'center'})", selector)
        self.all(selector)[0].click()

    def give(self, button):
        """Answer with a button, card or seat as a person would: a card and a seat are chosen first, and sent by a second click."""
        self.js("arguments[0].scrollIntoView({block: 'center', inline: 'center'})", button)
        button.click()
        for chosen in self.all(".answers .chosen"):
            chosen.click()

    def answer(self):
        """Give the last of the answers that stand in the action bar, or else choose a card or seat and send it."""
        for _ in range(20):  # a message may exchange the buttons between the look and the click
            buttons = self.all("[data-block=question] button[name=answer]:not(.on-board)") or self.all("button.pick")
            with contextlib.suppress(StaleElementReferenceException):
                return self.give(buttons[-1])
        raise AssertionError("the buttons never come to rest")

    def choose(self, selector, value):
        Select(self.all(selector)[0]).select_by_value(value)

    def press(self, *keys):
        for key in keys:
            ActionChains(self.driver).send_keys(key).perform()

    def tab_to(self, selector, most=120):
        """Press Tab until the focus is there."""
        for _ in range(most):
            if self.js("return document.activeElement.matches(arguments[0])", selector):
                return
            self.press(Keys.TAB)
        raise AssertionError(f"{selector} cannot be reached with Tab")

    def sit_down_by_keys(self, button):
        """From a lobby that is filled in to the first person's seat: the button that lays the table, then the first link to a seat."""
        self.tab_to(button)
        self.press(Keys.ENTER)
        self.until("document.querySelector('a[href^=\"/s/\"]')")
        self.tab_to('a[href^="/s/"]')
        self.press(Keys.ENTER)

    def press_answer(self, key):
        """Press the key of an answer, once a fresh question takes one, and again where the first press has only chosen it."""
        self.until("!document.body.matches('.fresh')")
        self.press(key)
        if self.all(".answers .chosen"):
            self.press(key)

    @property
    def question(self):
        """The number of the pending question, or None."""
        found = self.js("return document.querySelector('[name=question]')?.value")
        return int(found) if found else None

    @property
    def over(self):
        return "The game is over" in self.text("[data-block=head]")

    def wait_for_question(self, after=0):
        self.until(
            "document.body.matches('.connected:not(.playing)') && "
            "((Number(document.querySelector('[name=question]')?.value) > arguments[0]) || !!document.querySelector('.ended'))",
            after,
        )

    def wait_for_table(self):
        """Until the first message of the table has been shown, which draws the page anew."""
        self.until("document.body.matches('.connected:not(.playing)')")

    def complaints(self):
        """What the browser has to say against the page."""
        return [entry for entry in self.driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]

    def fetched(self):
        """Every address the page asked for."""
        found = []
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                found.append(message["params"]["request"]["url"])
            if message["method"] == "Network.webSocketCreated":
                found.append(message["params"]["url"])
        return found
