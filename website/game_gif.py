"""Draw docs/game.gif: a game of agents in the browser, with what one player believes about the others.

    python website/game_gif.py

plays a game, writes it as a replay page (`danmaku watch --html`), steps through that page in headless Chromium and keeps what is seen.
It needs chromium, chromedriver and `pip install 'danmaku-env[arena,dev]'`.
"""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.support.ui import WebDriverWait

PICTURE = Path(__file__).resolve().parent.parent / "docs" / "game.gif"
GAME = ("--seed", "11", "--players", "6", "--against", "deducer")
"""The game that is shown, as the Heroine sees it."""
WINDOW = (1280, 1120)
"""Width and height of the page, in pixels."""
WIDTH = 760
"""Pixels of the picture; its height follows, and is even."""
FRAMES, COLOURS, MILLISECONDS = 30, 128, 900
_VIEW = "const view = document.getElementById('view'); view.value = arguments[0]; view.onchange()"
_STEP = "const slider = document.getElementById('slider'); slider.value = arguments[0]; slider.oninput(); window.scrollTo(0, 0)"


def _browser() -> webdriver.Chrome:
    """Headless Chromium with a window of one size. Raises SystemExit where there is none."""
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not (chromium and driver):
        raise SystemExit("the picture is drawn by Chromium: install chromium and chromedriver")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"):
        options.add_argument(word)
    browser = webdriver.Chrome(options=options, service=Service(driver))
    size = {"width": WINDOW[0], "height": WINDOW[1], "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    return browser


def _frames(page: Path) -> list[Image.Image]:
    """Steps of the game at equal distances, the last one among them, as the page shows them."""
    browser = _browser()
    try:
        browser.get(page.as_uri())
        WebDriverWait(browser, 60).until(lambda browser: browser.execute_script("return Number(document.getElementById('slider').max) > 1"))
        browser.execute_script(_VIEW, "1")  # 0 is from above, 1 the first seat
        last = int(browser.execute_script("return Number(document.getElementById('slider').max)"))
        frames = []
        for number in range(FRAMES):
            browser.execute_script(_STEP, round(last * number / (FRAMES - 1)))
            frames.append(Image.open(io.BytesIO(browser.get_screenshot_as_png())).convert("RGB"))
        return frames
    finally:
        browser.quit()


def _gif(frames: list[Image.Image]) -> bytes:
    """One palette for all frames, so that a frame holds only what is different from the one before."""
    height = 2 * round(frames[0].height * WIDTH / frames[0].width / 2)
    small = [frame.resize((WIDTH, height), Image.Resampling.LANCZOS) for frame in frames]
    palette = _palette(small)
    drawn = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in small]
    pauses = [MILLISECONDS] * (len(drawn) - 1) + [5 * MILLISECONDS]
    blob = io.BytesIO()
    drawn[0].save(blob, "GIF", save_all=True, append_images=drawn[1:], duration=pauses, loop=0, optimize=True)
    return blob.getvalue()


def _palette(frames: list[Image.Image]) -> Image.Image:
    """The colours of all frames: cards, crests and roles come and go."""
    some = frames[:: max(1, len(frames) // 6)]
    sheet = Image.new("RGB", (some[0].width, some[0].height * len(some)))
    for number, frame in enumerate(some):
        sheet.paste(frame, (0, number * frame.height))
    often, far = COLOURS * 3 // 4, COLOURS // 4  # those that are seen most, and those furthest apart, such as the bands of cards
    palette = Image.new("P", (1, 1))
    apart = sheet.quantize(far, method=Image.Quantize.MAXCOVERAGE).getpalette() or []
    palette.putpalette((sheet.quantize(often).getpalette() or [])[: 3 * often] + apart[: 3 * far])
    return palette


def main() -> None:
    """Write the picture."""
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "game.html"
        subprocess.run([sys.executable, "-m", "danmaku_env", "watch", *GAME, "--html", str(page)], check=True)
        blob = _gif(_frames(page))
    new = PICTURE.with_suffix(".new")
    new.write_bytes(blob)
    new.replace(PICTURE)
    print(f"{PICTURE}: {len(blob) / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
