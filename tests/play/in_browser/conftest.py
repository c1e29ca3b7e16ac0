"""A real browser: headless Chromium, where there is one. Without one these tests are skipped, and say so."""

import os
import shutil
from pathlib import Path

import pytest
from selenium.common.exceptions import TimeoutException

from tests.play.browser.served import Server

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
MISSING = "no browser here: these tests need Debian's chromium and chromium-driver"
PICTURES = Path(os.environ.get("DANMAKU_PICTURES", "build/pictures"))
"""Where pictures of the pages are kept."""
WIDE, NARROW = (1280, 800), (390, 844)


def pytest_collection_modifyitems(items):
    for item in items:
        if Path(__file__).parent in item.path.parents and not (CHROMIUM and DRIVER):
            item.add_marker(pytest.mark.skip(reason=MISSING))


def pytest_terminal_summary(terminalreporter):
    said = f"pictures of its pages are in {PICTURES}" if CHROMIUM and DRIVER else f"skipped: {MISSING}"
    terminalreporter.write_line(f"tests/play/in_browser: {said}")


@pytest.fixture(autouse=True)
def the_same_games_each_time(monkeypatch):
    """Tables draw their seeds from the system; here all have one, so that what a test meets does not change."""
    monkeypatch.setattr("danmaku_env.play.browser.table.secrets.randbelow", lambda below: 20 % below)


@pytest.fixture(scope="session")
def there(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("games"), ("heuristic", "deducer", "random"))
    yield server
    server.stop()


@pytest.fixture
def open_browser():
    """Opens browsers; all are closed in the end."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    opened = []

    def opening(size=WIDE, *, keeps_addresses=False):
        """`keeps_addresses`: for Page.fetched; noting what goes over the network takes time."""
        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM
        options.unhandled_prompt_behavior = "accept"
        for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
            options.add_argument(word)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"} | ({"performance": "ALL"} if keeps_addresses else {}))
        if size == NARROW:
            options.add_experimental_option("mobileEmulation", {"deviceMetrics": {"width": size[0], "height": size[1], "pixelRatio": 1.0}})
        driver = webdriver.Chrome(options=options, service=Service(DRIVER))
        driver.set_script_timeout(300)  # seconds: on a busy machine a look at the page may take more than the usual 30
        if size != NARROW:
            metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": False}
            driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        opened.append(driver)
        return driver

    yield opening
    for driver in opened:
        driver.quit()


@pytest.fixture
def picture():
    """Keeps a picture of a page."""
    PICTURES.mkdir(parents=True, exist_ok=True)

    def taking(driver, name):
        for again in (True, False):  # Chromium may give up a picture that a navigation crosses, on a busy machine
            try:
                driver.save_screenshot(str(PICTURES / f"{name}.png"))
                return
            except TimeoutException:
                if not again:
                    raise

    return taking
