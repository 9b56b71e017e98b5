"""The page of a run in a real browser: what a reader clicks, types and sees."""

from collections.abc import Callable
from pathlib import Path

import pytest
from chromium import CHROMIUM
from playwright.sync_api import Page, expect
from small_run import LONG, small_run

from react_agent.page.run import write_page
from react_agent.parsers.secrets.redaction import Redaction

pytestmark = [pytest.mark.slow, CHROMIUM]
HASH = "location.hash"


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    run = small_run(tmp_path_factory.mktemp("runs") / "small")
    return write_page(run, run.path.with_name("small.html"), Redaction())


def test_a_prompt_is_one_click_away(page: Page) -> None:
    page.locator("#step-3").get_by_role("link", name="prompt").click()
    dialog = page.get_by_role("dialog", name="Prompt of step 3")
    expect(dialog).to_contain_text("[left out: line 0 of the file (40 lines)]")
    expect(dialog.locator("section.new h3")).to_have_text(["Step 1", "Step 2", "At the end"])
    assert page.evaluate(HASH) == "#prompt-3"
    dialog.get_by_role("button", name="Next prompt").click()
    expect(page.get_by_role("dialog", name="Prompt of step 4")).not_to_contain_text("An attempt")
    page.keyboard.press("Escape")
    expect(page.locator("#step-4")).to_be_in_viewport()
    assert page.evaluate(HASH) == "#step-4"


def test_addresses_lead_to_steps_and_prompts(opened: Callable[..., Page], written: Path) -> None:
    page = opened(f"{written.as_uri()}#step-4.1")
    expect(page.locator("[id='step-4.1']")).to_be_in_viewport()  # its run is unfolded
    page.evaluate("location.hash = 'prompt-2'")
    expect(page.get_by_role("dialog", name="Prompt of step 2")).to_contain_text(LONG)
    page.keyboard.press("p")
    page.locator("#only").select_option("errors")
    page.evaluate("location.hash = 'step-1'")
    expect(page.locator("#step-1")).to_be_in_viewport()
    expect(page.locator("#only")).to_have_value("")


def test_finds_what_is_folded(page: Page) -> None:
    page.keyboard.press("/")
    page.keyboard.type("LINE 17 OF")
    expect(page.locator("#count")).to_have_text("1 place")
    expect(page.locator("#step-1 pre.observation")).to_be_hidden()
    page.keyboard.press("Enter")
    expect(page.locator("#count")).to_have_text("1 of 1")
    expect(page.locator("#step-1 pre.observation")).to_be_visible()
    assert page.evaluate("[...CSS.highlights.get('current')].map(String)") == ["line 17 of"]
    page.locator("#search").fill("step")
    page.locator("#search").fill("a.py")
    expect(page.locator("#count")).to_contain_text("places")
    page.keyboard.press("Escape")
    expect(page.locator("#count")).to_have_text("")
    page.locator("#search").fill("is nowhere")
    expect(page.locator("#count")).to_have_text("nowhere")


def test_goes_from_place_to_place(page: Page) -> None:
    page.locator("#search").fill("inside")
    page.locator("#search").press("Enter")
    expect(page.locator("[id='step-4.1'] .thought")).to_be_in_viewport()
    page.locator("#search").fill("sum is")
    page.locator("#search").press("Enter")
    page.locator("#search").blur()
    for key, told in (("n", "1 of 2"), ("n", "2 of 2"), ("N", "1 of 2"), ("N", "2 of 2")):
        page.keyboard.press(key)
        expect(page.locator("#count")).to_have_text(told)


def test_is_read_by_keyboard_alone(page: Page) -> None:
    for keys, here in (("j", "step-1"), ("jj", "step-3"), ("k", "step-2"), ("jjj", "step-5")):
        for key in keys:
            page.keyboard.press(key)
        expect(page.locator(".here")).to_have_id(here)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("p")
    expect(page.get_by_role("dialog", name="Prompt of step 5")).to_be_visible()
    page.keyboard.press("k")
    expect(page.get_by_role("dialog", name="Prompt of step 4")).to_be_visible()


def test_folds_and_unfolds(page: Page) -> None:
    page.evaluate("location.hash = 'step-1'")
    observation = page.locator("#step-1 pre.observation")
    page.keyboard.press("f")
    expect(observation).to_be_visible()
    page.keyboard.press("f")
    expect(observation).to_be_hidden()
    page.get_by_role("button", name="Unfold all").click()
    assert page.locator("main details:not([open])").count() == 0
    page.keyboard.press("F")
    assert page.locator("main details[open]").count() == 0


def test_shows_one_kind_of_steps_only(page: Page) -> None:
    shown = page.locator("main > .steps > article:visible > h3 .n")
    page.locator("#only").select_option("errors")
    expect(shown).to_have_text(["Step 3"])
    page.locator("#only").select_option("thoughts")
    expect(shown).to_have_count(5)
    expect(page.locator("#step-1 .call")).to_be_hidden()


def test_the_chart_leads_to_a_step(page: Page) -> None:
    plot = page.locator(".chart > svg").first
    box = plot.bounding_box()
    assert box
    plot.hover(position={"x": box["width"] * 0.5, "y": 40})
    expect(page.locator(".hint")).to_contain_text("step 3 · prompt, 1.2k")
    page.mouse.down()
    page.mouse.up()
    expect(page.locator("#step-3")).to_have_class("step failed here")


def test_prints_what_is_to_be_read(page: Page) -> None:
    page.emulate_media(media="print")
    expect(page.locator(".tools")).to_be_hidden()
    expect(page.locator("#step-5 .conclusion")).to_be_visible()


def test_reads_without_a_script(opened: Callable[..., Page], written: Path) -> None:
    page = opened(written, java_script_enabled=False)
    expect(page.locator(".tools")).to_be_hidden()
    page.locator("#step-1 .seen summary").click()
    expect(page.locator("#step-1 pre.observation")).to_have_text(LONG)
