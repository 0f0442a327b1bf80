"""The pictures of the studio in docs/assets/studio: each tab, in both languages and themes, on a desk and on a phone.

    python docs/hooks/screenshots.py MODEL... [--out docs/assets/studio]

MODELs are folders of trained models: a translator with attention, one without, a luong-dot, a captioner, an answerer
and a graph classifier. It needs playwright and a Chromium (`.ci/run` installs both).
"""

from __future__ import annotations

import argparse
import io
import shutil
import threading
import time
from pathlib import Path
from typing import Any

import uvicorn
from PIL import Image
from playwright.sync_api import Page, sync_playwright  # type: ignore[import-not-found]

from jumok.studio import Shelf
from jumok.studio.serving import Serving

SENTENCE = "나는 어제 시장에서 사과를 샀다."
TOLD = """([panel, word]) => [...document.querySelectorAll(`${panel} .card:not([hidden])`)].every(
    (card) => card.ariaBusy === "false" && card.querySelector(".word"))
    && document.querySelector(`${panel} .told`).textContent.includes(word)"""
"""Whether all cards of a tab have told their translation, and it has that word."""
LOOKS = {
    "en-light": {"locale": "en-US", "color_scheme": "light", "viewport": {"width": 1200, "height": 800}},
    "ko-dark": {"locale": "ko-KR", "color_scheme": "dark", "viewport": {"width": 1200, "height": 800}},
    "ko-light-phone": {"locale": "ko-KR", "color_scheme": "light", "viewport": {"width": 390, "height": 844}},
    "en-dark-phone": {"locale": "en-US", "color_scheme": "dark", "viewport": {"width": 390, "height": 844}},
}


def translate(page: Page) -> None:
    """A sentence, a word of it pointed at."""
    page.wait_for_selector("#panel-translate figure svg")
    page.fill("#source", SENTENCE)
    page.keyboard.press("Enter")
    page.wait_for_function(TOLD, arg=["#panel-translate", "yesterday"])
    page.locator("#panel-translate .card .word").nth(2).hover()


def edit(page: Page) -> None:
    """A word that is made to look elsewhere."""
    page.wait_for_selector("#panel-edit .edit:not([hidden])")
    page.fill("#edited", SENTENCE)
    page.keyboard.press("Enter")
    page.wait_for_function(TOLD, arg=["#panel-edit", "yesterday"])
    page.wait_for_selector("#panel-edit .edit:not([hidden])")
    page.locator("#panel-edit .word").nth(2).click()
    slider = page.locator("#panel-edit .weights input").nth(1)
    slider.fill("1")
    slider.dispatch_event("change")
    page.wait_for_function("() => document.querySelector('#panel-edit .card > .hint').textContent")


def caption(page: Page) -> None:
    """A drawing, a word of its caption lit."""
    page.wait_for_selector("#panel-caption .seen:not([hidden]) .word")
    page.evaluate("() => { Math.random = () => 0.0000021; }")
    with page.expect_response(lambda reply: "/api/caption" in reply.url):
        page.locator("#panel-caption .bar button").first.click()
    page.wait_for_timeout(800)
    page.locator("#panel-caption .seen .word").nth(4).hover()
    page.wait_for_timeout(300)


def answer(page: Page) -> None:
    """The story that stands there."""
    page.wait_for_selector(".hops td")


def mechanism(page: Page) -> None:
    """The dictionary, and below it the map W."""
    page.wait_for_selector(".stage")
    page.fill(".apart input[type=text]", SENTENCE)
    page.click(".apart button.main")
    page.wait_for_selector(".apart svg.plane")
    page.wait_for_timeout(500)


def compare(page: Page) -> None:
    """The first two models."""
    page.click("#panel-compare button.main")
    page.wait_for_selector("#panel-compare figure svg", timeout=120_000)


TABS: dict[str, Any] = {
    "translate": translate,
    "edit": edit,
    "caption": caption,
    "answer": answer,
    "graph": lambda page: page.wait_for_selector("#panel-graph figure svg"),
    "mechanism": mechanism,
    "compare": compare,
}


def main() -> None:
    """Serve, and take the pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, default=Path("docs/assets/studio"))
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    serving = Serving(Shelf.of(asked.models), port=0)
    server = uvicorn.Server(uvicorn.Config(serving.app, log_level="error"))
    threading.Thread(target=server.run, kwargs={"sockets": [serving.socket]}, daemon=True).start()
    while not server.started:
        time.sleep(0.1)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for look, how in LOOKS.items():
            for tab, use in TABS.items():
                page = browser.new_context(**how).new_page()
                page.goto(f"{serving.address}#{tab}")
                page.wait_for_selector(f"#tab-{tab}[aria-selected=true]")
                use(page)
                taken = Image.open(io.BytesIO(page.screenshot(full_page="phone" not in look))).convert("RGB")
                small = taken.quantize(128, dither=Image.Dither.NONE) if tab != "caption" else taken.quantize(200)
                small.save(asked.out / f"{tab}-{look}.png", optimize=True)
                page.context.close()
        browser.close()
    server.should_exit = True


if __name__ == "__main__":
    main()
