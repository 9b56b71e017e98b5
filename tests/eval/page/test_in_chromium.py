"""The page in a real browser: what a reader clicks, types and sees."""

import re
from pathlib import Path

import pytest
from axe import objections
from chromium import CHROMIUM, DESK, PHONE, Opener
from contrast import pale
from planted_attempts import experiment, hostile
from playwright.sync_api import Page, expect

from react_agent.eval.report.page import write_page

pytestmark = [pytest.mark.slow, CHROMIUM]

WIDTHS = {"desk": DESK, "phone": PHONE}


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("page")
    out = root / "page.html"
    write_page(out, "Trial", [*experiment(root, 8, 12), hostile(root)], {"model": "planted"})
    return out


def _row(page: Page, name: str) -> str:
    return f'[id="a-{name}"]'


def test_opens_an_attempt_and_folds_it_again(page: Page) -> None:
    row = page.locator(_row(page, "shop__area-1.plain.1"))
    expect(row.locator(".step")).to_have_count(0)  # nothing is drawn before it is asked for
    row.locator("> summary").click()
    expect(row.locator(".step")).to_have_count(13)
    expect(row.locator(".step .prose").first).to_have_text("Thought number 1 of this run.")
    expect(row.locator(".step.end")).to_contain_text("The area is right now.")
    assert page.evaluate("location.hash") == "#a-shop__area-1.plain.1"
    observation = row.locator("[data-step='1'] .seen pre")
    expect(observation).to_be_hidden()
    row.locator("[data-step='1'] .seen summary").click()
    expect(observation).to_have_text("exit code 1\nnot 6, but 5")
    row.locator("> summary").click()
    expect(row.locator(".step").first).to_be_hidden()


def test_finds_what_stands_in_transcripts_only(page: Page) -> None:
    expect(page.locator("#count")).to_have_text("17 of 17 attempts")
    page.locator("#search").fill("NEEDLE12")
    expect(page.locator("#count")).to_have_text("16 of 17 attempts, in 16 places")
    page.locator("#search").fill("area-3)")
    expect(page.locator("#count")).to_have_text("2 of 17 attempts, in 2 places")
    expect(page.locator(".attempt:visible")).to_have_count(2)
    page.locator("#search").fill("nowhere at all")
    expect(page.locator(".nothing")).to_be_visible()
    page.locator("#search").press("Escape")
    expect(page.locator("#count")).to_have_text("17 of 17 attempts")


def test_enter_goes_from_place_to_place_and_marks_them(page: Page) -> None:
    page.locator("#search").fill("needle12")
    page.locator("#search").press("Enter")
    expect(page.locator("#count")).to_have_text("1 of 16 places")
    first = page.locator(".step.here")
    expect(first).to_be_in_viewport()
    expect(first.locator(".call")).to_have_text("grep needle12")
    assert page.evaluate("CSS.highlights.get('found').size") == 1
    page.locator("#search").press("Enter")
    expect(page.locator("#count")).to_have_text("2 of 16 places")
    page.locator("#search").press("Shift+Enter")
    expect(page.locator("#count")).to_have_text("1 of 16 places")


def test_going_back_begins_at_the_last_place(page: Page) -> None:
    page.locator("#search").fill("needle12")
    page.locator("#search").press("Shift+Enter")
    expect(page.locator("#count")).to_have_text("16 of 16 places")


def test_chooses_by_outcome_and_by_reason(page: Page) -> None:
    page.locator("#outcome").select_option("resolved")
    resolved = page.locator(".attempt:visible").count()
    expect(page.locator(".attempt:visible .mark.resolved")).to_have_count(resolved)
    page.locator("#outcome").select_option("")
    page.get_by_role("button", name="never found the file").click()
    expect(page.locator("#kind")).to_have_value("never found the file")
    reasons = set(page.locator(".attempt:visible .why").all_text_contents())
    assert reasons == {"never found the file"}


def test_a_link_to_a_step_opens_it_past_any_choice(page: Page, written: Path) -> None:
    page.locator("#outcome").select_option("resolved")
    page.evaluate("location.hash = 'a-shop__area-2.plain.1:7'")
    step = page.locator(f"{_row(page, 'shop__area-2.plain.1')} [data-step='7']")
    expect(step).to_be_in_viewport()
    expect(step).to_have_class(re.compile("here"))
    expect(page.locator("#outcome")).to_have_value("")


def test_the_step_that_shows_why_is_one_click_away(page: Page) -> None:
    row = page.locator(".attempt:has(.mark.failed)", has_text="shop__area-1").first
    row.locator("> summary").click()
    row.locator(".reason a").click()
    expect(row.locator("[data-step='3']")).to_be_in_viewport()
    expect(row.locator("[data-step='3'] details")).to_have_attribute("open", "")


def test_is_read_by_keyboard_alone(page: Page) -> None:
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("k")
    focused = "document.activeElement.closest('.attempt')?.id"
    first = page.locator(".attempt").first.get_attribute("id")
    assert page.evaluate(focused) == first
    page.keyboard.press("Enter")
    expect(page.locator(f'[id="{first}"] .step').first).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(f'[id="{first}"] .step').first).to_be_hidden()
    page.keyboard.press("/")
    page.keyboard.type("area-2")
    expect(page.locator("#search")).to_have_value("area-2")


@pytest.mark.attack("HTML and script in a page of an evaluation", by="model", wall="escaping")
def test_hostile_text_is_text(page: Page) -> None:
    row = page.locator(".attempt", has_text="window.broken").first
    row.locator("> summary").click()
    expect(row.locator(".step .prose").first).to_contain_text(
        "</script><script>window.broken = 1</script><!-- <script> <U+2028>"
    )
    expect(row.locator(".step .prose").first).to_contain_text("<U+202E>evil<U+202C> <U+D800>")
    expect(row.locator("img, script")).to_have_count(0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", list(WIDTHS.values()), ids=list(WIDTHS))
def test_fits_and_can_be_used_by_everyone(page: Page, scheme: str, width: int) -> None:
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page.set_viewport_size({"width": width, "height": 800})
    for row in page.locator(".attempt").all()[:3]:
        row.locator("> summary").click()
    for fold in page.locator(".attempt[open] .body > details > summary").all():
        fold.click()
    page.locator(".about summary").click()
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert (pale(page), objections(page)) == ([], [])


def test_reads_without_a_script(opened: Opener, written: Path) -> None:
    page = opened(written, java_script_enabled=False)
    expect(page.locator(".tools")).to_be_hidden()
    page.locator(".attempt summary").first.click()
    expect(page.locator(".attempt .facts").first).to_be_visible()
