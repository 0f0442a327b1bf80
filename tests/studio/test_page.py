"""The studio in a browser: each tab used as a person would. Needs playwright and a Chromium; skipped without."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.systems.trained import train

from studio.conftest import Client, Start
from studio.test_api import TEXTS, picture

playwright = pytest.importorskip("playwright.sync_api", reason="pip install playwright, to try the page in a browser")
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here to try the page in"),
]

Open = Callable[..., Any]
TABS = ("translate", "edit", "caption", "answer", "graph", "mechanism", "compare")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as driver:
        running = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield running
        running.close()


@pytest.fixture
def open_page(browser: Any, client: Client) -> Iterator[Open]:
    """Opens the studio; at the end nothing may have gone wrong, and nothing may have left this machine."""
    wrong: list[str] = []
    asked: set[str] = set()
    contexts: list[Any] = []

    def opened(address: str = "", tab: str | None = None, **how: Any) -> Any:
        contexts.append(browser.new_context(**({"locale": "en-US", "viewport": {"width": 1280, "height": 900}} | how)))
        page = contexts[-1].new_page()
        page.set_default_timeout(20_000)
        page.on("console", lambda said: wrong.append(said.text) if said.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("request", lambda request: asked.add(request.url.split("/")[2] if "://" in request.url else "data"))
        page.goto(f"http://127.0.0.1:{client.port}/{address}")
        page.wait_for_selector("[role=tab][aria-selected=true]")
        if tab is not None:
            page.click(f"#tab-{tab}")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert wrong == []
    assert asked <= {f"127.0.0.1:{client.port}", "data"}


def translated(page: Any, text: str = TEXTS[0]) -> None:
    """Type a sentence, and wait until it is told."""
    page.fill("#source", text)
    page.keyboard.press("Enter")
    page.wait_for_selector("#panel-translate .card[aria-busy=false] figure svg")


def test_a_sentence_is_translated_and_its_looks_are_seen(open_page: Open) -> None:
    page = open_page(tab="translate")
    translated(page)
    words = page.locator("#panel-translate .card").first.locator(".word")
    words.first.hover()
    playwright.expect(page.locator(".readout").first).to_contain_text("→")
    playwright.expect(words.first).to_have_attribute("aria-pressed", "true")
    page.click("text=Matrix")
    assert page.locator("#panel-translate figure svg rect").count() > 3
    playwright.expect(page.locator(".card").nth(1)).to_contain_text("no attention")
    page.locator("summary", has_text="The weights as a table").first.click()
    page.wait_for_selector("#panel-translate table td")
    page.locator("summary", has_text="Other translations").first.click()
    page.wait_for_selector("#panel-translate ol.best li")
    page.fill("#source", "쀍뷁 " + TEXTS[0])
    page.wait_for_selector("text=This model never learned: 쀍뷁")
    playwright.expect(page.locator(".chips .unlearned", has_text="쀍뷁")).to_have_count(1)
    page.fill("#panel-translate .bar input[type=text]", "the")
    page.keyboard.press("Enter")
    playwright.expect(words.first).to_have_text(re.compile("^the"))


def test_a_word_is_exchanged_for_one_that_fits(open_page: Open) -> None:
    page = open_page(tab="translate")
    translated(page, "나는 어제 시장에서 사과를 샀다.")
    page.locator(".chips button", has_text="사과를").click()
    offered = page.locator(".offers button").first
    word = offered.inner_text()
    offered.click()
    playwright.expect(page.locator("#source")).to_have_value(re.compile(re.escape(word)))


def test_attention_is_edited_and_a_word_is_forced(open_page: Open) -> None:
    page = open_page(tab="translate")
    translated(page)
    card = page.locator("#panel-translate .card").first
    card.locator(".word").first.click()
    sliders = card.locator(".weights input")
    with page.expect_response(lambda reply: reply.url.endswith("/api/translate/edit")) as edited:
        sliders.nth(1).fill("1")
    assert edited.value.ok
    row = edited.value.json()["results"][0][0]["attention"]["weights"][0][0][0]
    assert row[1] == pytest.approx(1, abs=1e-3)
    outputs = [float(text) for text in card.locator(".weights output").all_inner_texts()]
    assert sum(outputs) == pytest.approx(1, abs=0.03)
    page.route("**/api/translate/edit", lambda route: (page.wait_for_timeout(300), route.continue_()))
    with page.expect_response(lambda reply: reply.url.endswith("/api/translate/edit")):
        sliders.nth(0).fill("1")
        card.locator("button", has_text="Back to").click()  # what was under way comes too late
    playwright.expect(card.locator(".changed")).to_have_count(0)
    card.locator(".word").first.click()
    card.locator(".edit input[type=text]").fill("I")
    card.locator("button", has_text="Force").click()
    playwright.expect(card.locator(".word").first).to_have_text(re.compile("^I"))


def test_edits_add_up_and_what_changed_is_marked(open_page: Open) -> None:
    page = open_page(tab="translate")
    translated(page)
    page.click("#tab-edit")  # the sentence comes along
    playwright.expect(page.locator("#edited")).to_have_value(TEXTS[0])
    page.wait_for_selector("#panel-edit .edit:not([hidden])")
    card = page.locator("#panel-edit .card").first
    own = card.locator(".told").inner_text()
    for row in (0, 1):
        card.locator(".word").nth(row).click()
        with page.expect_response(lambda reply: reply.url.endswith("/api/translate/edit")) as edited:
            card.locator(".weights input").last.fill("1")
        playwright.expect(card).to_have_attribute("aria-busy", "false")
    assert sorted(edited.value.request.post_data_json["weights"]) == ["0", "1"]
    if card.locator(".told").inner_text() != own:
        playwright.expect(card.locator(".hint").first).to_contain_text(f"Before: {own[:5]}")
        words = card.locator(".word").all_inner_texts()
        changed = card.locator(".word.changed").all_inner_texts()
        assert changed or len(words) < len(own.split())
        assert len([word for word in words if word not in own.split()]) <= len(changed)


def test_a_cell_of_the_matrix_can_be_dragged(open_page: Open) -> None:
    page = open_page(tab="translate")
    translated(page)
    page.click("text=Matrix")
    box = page.locator("#panel-translate figure svg g rect").first.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    with page.expect_response(lambda reply: reply.url.endswith("/api/translate/edit")) as edited:
        page.mouse.move(x, 1, steps=4)  # far out of the figure
        page.mouse.up()
    assert edited.value.json()["results"][0][0]["attention"]["weights"][0][0][0][0] == pytest.approx(1, abs=1e-3)


def test_a_picture_is_described_and_lit(open_page: Open, tmp_path: Path) -> None:
    page = open_page(tab="caption")
    page.wait_for_selector(".seen:not([hidden])")  # a drawing stands there already
    with page.expect_response(lambda reply: "/api/caption" in reply.url):
        page.click("text=A fresh drawing")
    with page.expect_response(lambda reply: reply.url.endswith("/api/scene") and reply.request.method == "POST"):
        page.locator("#panel-caption [role=group] button").first.focus()
        page.keyboard.press("ArrowLeft")
    (tmp_path / "a.png").write_bytes(picture(120, 90))
    with page.expect_response(lambda reply: "/api/caption" in reply.url) as described:
        page.set_input_files("input[type=file]", tmp_path / "a.png")
    assert described.value.ok
    page.wait_for_selector("text=This picture is unlike those that the model learned from")
    if page.locator(".seen .word").count():
        page.locator(".seen .word").first.hover()
        playwright.expect(page.locator(".seen .readout")).to_contain_text("→")
        page.click("text=Play the words")
        page.wait_for_selector("text=Stop")


DROP = """([zone, bytes]) => {
  const carried = new DataTransfer();
  carried.items.add(new File([Uint8Array.from(bytes)], "a.png", { type: "image/png" }));
  for (const name of ["dragover", "drop"])
    zone.dispatchEvent(new DragEvent(name, { dataTransfer: carried, bubbles: true, cancelable: true }));
}"""


def test_things_are_dragged_and_a_picture_is_dropped(open_page: Open) -> None:
    page = open_page(tab="caption")
    page.wait_for_selector(".seen:not([hidden])")
    with page.expect_response(lambda reply: "/api/scene?" in reply.url) as drawn:
        page.click("text=A fresh drawing")
    page.wait_for_timeout(300)
    thing = drawn.value.json()["things"][-1]  # the one in front
    board = page.locator("#panel-caption canvas").bounding_box()
    page.mouse.move(board["x"] + thing["x"] * board["width"], board["y"] + thing["y"] * board["height"])
    page.mouse.down()
    aim = 0.25 if thing["x"] > 0.5 else 0.75
    page.mouse.move(board["x"] + aim * board["width"], board["y"] + thing["y"] * board["height"], steps=5)
    assert "data:image/png" in page.locator("#panel-caption .frame").get_attribute("style")
    with page.expect_response(lambda reply: reply.request.method == "POST" and "/api/scene" in reply.url) as moved:
        page.mouse.up()
    assert abs(moved.value.json()["things"][-1]["x"] - aim) < abs(thing["x"] - aim)
    zone = page.locator("#panel-caption .drop").element_handle()
    with page.expect_response(lambda reply: "/api/caption" in reply.url) as described:
        page.evaluate(DROP, [zone, list(picture(120, 90))])
    assert described.value.ok
    page.wait_for_function("() => !document.querySelector('#panel-caption [role=group] button')")


def test_a_drawing_that_comes_late_does_not_replace_the_picture_that_was_chosen(
    open_page: Open, tmp_path: Path
) -> None:
    page = open_page(tab="caption")
    page.wait_for_selector(".seen:not([hidden])")
    held: list[Any] = []
    page.route("**/api/scene?*", lambda route: held.append(route))  # its answer is kept back
    page.click("text=A fresh drawing")
    (tmp_path / "a.png").write_bytes(picture(120, 90))
    page.set_input_files("input[type=file]", tmp_path / "a.png")
    page.wait_for_selector("text=This picture is unlike those that the model learned from")
    with page.expect_response(lambda reply: "/api/scene" in reply.url):
        held[0].continue_()
    page.wait_for_timeout(500)
    assert page.locator("#panel-caption [role=group] button").count() == 0  # still no practice picture


def test_what_is_wrong_is_said_in_the_page(open_page: Open, client: Client) -> None:
    page = open_page(tab="mechanism")
    page.wait_for_selector(".stage")
    page.fill("#panel-mechanism input[aria-label='Query 1']", "one")
    page.keyboard.press("Tab")
    playwright.expect(page.locator("#trouble")).to_have_text(re.compile("one"))


def test_a_question_is_answered_hop_by_hop(open_page: Open) -> None:
    page = open_page(tab="answer")
    page.wait_for_selector(".hops td")
    assert page.locator(".hops thead th").all_inner_texts() == ["hop 1", "hop 2", "hop 3"]
    assert page.locator(".hops").inner_text().count("Nora went to the attic.") == 1


def test_the_mechanism_goes_step_by_step_and_the_address_keeps_it(open_page: Open) -> None:
    page = open_page(tab="mechanism")
    page.wait_for_selector(".stage")
    page.click("text=From the start")
    playwright.expect(page.locator(".stage")).to_have_count(1)
    page.click("text=Next step")
    playwright.expect(page.locator(".stage")).to_have_count(2)
    page.click("text=All steps")
    playwright.expect(page.locator(".stage").last).to_contain_text("3.829")
    page.select_option("#panel-mechanism select >> nth=3", "hard")
    page.click("text=Draw again")
    page.wait_for_selector("text=Drawn 2 times")
    page.click("text=Draw 100 more")
    page.wait_for_selector("text=Drawn 102 times")
    page.fill("#panel-mechanism input[aria-label='Keys 1']", "0, 0")
    page.keyboard.press("Tab")
    page.click("text=Another query")
    page.wait_for_selector("text=All queries")
    playwright.expect(page).to_have_url(re.compile("hard"))
    page.reload()
    page.wait_for_selector("text=Drawn 102 times")
    assert page.input_value("#panel-mechanism input[aria-label='Keys 1']") == "0, 0"
    assert page.input_value("#panel-mechanism input[aria-label='Query 2']") == "0, 0"


def test_every_part_of_the_mechanism_can_be_chosen(open_page: Open) -> None:
    page = open_page(tab="mechanism")
    page.wait_for_selector(".stage")
    for place in range(4):
        chooser = page.locator("#panel-mechanism > .bar select").nth(place)
        for name in chooser.locator("option").evaluate_all("all => all.map((one) => one.value)"):
            if name == "sum":  # only scores that are never negative can be divided by their sum
                page.locator("#panel-mechanism > .bar select").first.select_option("gaussian")
            with page.expect_response(lambda reply: reply.url.endswith("/api/mechanism")) as looked:
                chooser.select_option(name)
            assert looked.value.ok, name
        page.click("text=The dictionary")


def test_the_map_of_a_trained_score_is_drawn_beside_one_without(browser: Any, start: Start, tmp_path: Path) -> None:
    names = ("luong-general", "luong-dot")
    folders = [train(tmp_path / name, model__preset=name, model__decoder__output="attentional") for name in names]
    page = browser.new_page(locale="en-US")
    page.goto(f"http://127.0.0.1:{start(*folders).port}/#mechanism")
    page.fill(".apart input", TEXTS[0])
    page.keyboard.press("Enter")
    page.wait_for_selector(".apart .card >> nth=1 >> svg.plane")
    general, dot = page.locator("svg.plane").all()
    assert "Wᵀq" in general.inner_html()
    assert "Wᵀq" not in dot.inner_html()
    assert general.locator("circle").count() == dot.locator("circle").count() > 2
    page.close()


def test_a_graph_is_seen_whole_and_around_a_node(open_page: Open) -> None:
    page = open_page(tab="graph")
    page.wait_for_selector("#panel-graph figure svg")
    nodes = page.locator("#panel-graph tbody tr")
    playwright.expect(nodes).to_have_count(34)
    page.fill("#panel-graph input", "9")
    page.keyboard.press("Tab")
    playwright.expect(nodes).not_to_have_count(34)


def test_models_are_compared(open_page: Open) -> None:
    page = open_page(tab="compare")
    page.click("#panel-compare button.main")
    page.wait_for_selector("#panel-compare figure svg", timeout=60_000)
    assert page.locator("#panel-compare tbody th").all_inner_texts() == ["attending", "plain"]


def test_without_a_model_it_offers_to_train_one_and_explains(browser: Any, start: Start, tmp_path: Path) -> None:
    page = browser.new_page(locale="en-US")
    page.goto(f"http://127.0.0.1:{start(demo=tmp_path).port}/")
    page.wait_for_selector("#panel-translate:visible")
    assert page.locator("#panel-translate button").inner_text() == "Train one here, in a few minutes"
    page.click("#tab-mechanism")
    page.wait_for_selector(".stage")
    page.close()


def test_it_speaks_korean_and_the_keyboard_is_enough(open_page: Open) -> None:
    page = open_page(locale="ko-KR")
    assert page.locator("#tab-translate").inner_text() == "번역"
    page.focus("#tab-translate")
    page.keyboard.press("ArrowRight")
    playwright.expect(page.locator("#tab-edit")).to_have_attribute("aria-selected", "true")
    page.click("#large")
    assert page.evaluate("getComputedStyle(document.documentElement).fontSize") == "22px"
    page.click("#language")
    page.wait_for_selector("text=Translate")
    assert page.evaluate("document.documentElement.lang") == "en"


@pytest.mark.parametrize("tab", TABS)
def test_it_fits_a_phone(open_page: Open, tab: str) -> None:
    page = open_page(tab=tab, viewport={"width": 360, "height": 740})
    if tab == "translate":
        translated(page)
    page.wait_for_timeout(300)
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 360


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_is_accessible(open_page: Open, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="pip install axe-playwright-python")
    for tab in TABS:
        page = open_page(tab=tab, color_scheme=scheme)
        if tab == "translate":
            translated(page)
            page.locator("#panel-translate .card .word").first.click()
        if tab == "answer":
            page.wait_for_selector(".hops td")
        if tab == "graph":
            page.wait_for_selector("#panel-graph figure svg")
        if tab == "edit":
            page.wait_for_selector("#panel-edit .edit:not([hidden])")
        if tab == "caption":
            page.wait_for_selector(".seen:not([hidden])")
        if tab == "mechanism":
            page.wait_for_selector(".stage")
        found = axe.Axe().run(page).response["violations"]
        assert [(one["id"], one["nodes"][0]["html"]) for one in found] == [], tab
