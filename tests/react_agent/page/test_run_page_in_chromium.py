"""The page of a run in a real browser: what a reader clicks, types and sees."""

import re
from pathlib import Path

import pytest
from axe import objections
from chromium import CHROMIUM, DESK, PHONE, Opener
from contrast import pale
from planted_run import NEEDLE, planted_run
from playwright.sync_api import Page, expect
from small_run import small_run

from react_agent.page.pages import write_pages
from react_agent.parsers.quoting import visible
from react_agent.parsers.redaction import Redaction
from react_agent.run_folder import RunFolder
from react_agent.story.prompts import prompts
from react_agent.transcript import read

pytestmark = [pytest.mark.slow, CHROMIUM]

STEPS = 45


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    return RunFolder(planted_run(tmp_path_factory.mktemp("planted"), STEPS))


@pytest.fixture(scope="module")
def written(run: RunFolder, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_pages([run], tmp_path_factory.mktemp("page") / "page.html", Redaction())


@pytest.fixture
def page(opened: Opener, written: Path) -> Page:
    return opened(written)


@pytest.fixture
def small(opened: Opener, tmp_path: Path) -> Page:
    return opened(write_pages([small_run(tmp_path / "run")], tmp_path / "x.html", Redaction()))


def test_long_observations_are_folded_and_open(small: Page) -> None:
    seen = small.locator("#step-1 .seen")
    expect(seen.locator("summary")).to_contain_text("40 lines")
    expect(seen.locator("pre")).to_be_hidden()
    seen.locator("summary").click()
    expect(seen.locator("pre")).to_contain_text("line 39 of the file")
    small.locator("#fold").click()
    expect(small.locator("#fold")).to_have_text("Fold all")
    expect(small.locator("#run details:not([open])")).to_have_count(0)
    small.locator("#fold").click()
    expect(small.locator("#run details[open]")).to_have_count(0)


def test_steps_taken_back_are_struck_out_and_say_why(small: Page) -> None:
    back = small.locator("#step-2")
    expect(back).to_have_class(re.compile(r"\bback\b"))
    expect(back.locator("> .said")).to_have_css("text-decoration-line", "line-through")
    expect(small.locator(".note", has_text="the test says otherwise")).to_be_visible()


def test_searches_what_is_folded_too(page: Page) -> None:
    page.keyboard.press("/")
    page.keyboard.type(NEEDLE.format(41).upper())
    expect(page.locator("#count")).to_have_text("1 place")
    page.keyboard.press("Enter")
    expect(page.locator("#count")).to_have_text("1 of 1")
    expect(page.locator("article.here .thought")).to_be_in_viewport()
    assert page.evaluate("CSS.highlights.get('current').size") == 1
    page.locator("#search").fill("Tests: true")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Tests: true").first).to_be_in_viewport()
    page.locator("#search").fill("nowhere at all")
    expect(page.locator("#count")).to_have_text("nowhere")
    page.keyboard.press("Escape")
    expect(page.locator("#count")).to_have_text("")


def test_goes_from_place_to_place(page: Page) -> None:
    page.locator("#search").fill("charset_of_step")
    page.locator("#search").press("Enter")
    page.evaluate("document.activeElement.blur()")
    expect(page.locator("#count")).to_have_text(re.compile(r"^1 of \d+$"))
    page.keyboard.press("n")
    expect(page.locator("#count")).to_have_text(re.compile(r"^2 of \d+$"))
    page.keyboard.press("N")
    page.keyboard.press("N")
    many = page.locator("#count").inner_text()
    assert len(set(re.findall(r"\d+", many))) == 1  # round to the last


def test_is_read_by_keyboard_alone(page: Page) -> None:
    for key in "jjjk":
        page.keyboard.press(key)
    expect(page.locator("article.here")).to_have_id("step-2")
    assert page.evaluate("location.hash") == "#step-2"
    page.keyboard.press("f")
    assert page.locator("#step-2 details:not([open])").count() == 0
    page.keyboard.press("p")
    expect(page.locator("#prompt-title")).to_have_text("Prompt of step 2")
    page.keyboard.press("j")
    expect(page.locator("#prompt-title")).to_have_text("Prompt of step 3")
    page.keyboard.press("Escape")
    expect(page.locator("#prompt")).to_be_hidden()
    expect(page.locator("article.here")).to_have_id("step-3")
    page.keyboard.press("?")
    expect(page.locator("#help")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#help")).to_be_hidden()


def test_every_prompt_is_what_the_model_saw(page: Page, run: RunFolder) -> None:
    """To the letter, though the page holds each text once."""
    told = prompts(run.path, read(run.transcript))
    shown = page.evaluate(_PROMPTS)
    expected = {str(number): visible(told.text(number)) for number in told.numbers}
    assert len(shown) > STEPS
    assert [one for one in expected if shown[one] != expected[one]] == []
    assert shown.keys() == expected.keys()


_PROMPTS = """() => Object.fromEntries(Object.keys(runs()[""].tails).map((number) =>
  [number, promptOf("", Number(number)).map(([, text]) => text).join("")]))"""


def test_links_lead_to_steps_and_prompts(opened: Opener, written: Path) -> None:
    page = opened(f"{written.as_uri()}#step-40")
    expect(page.locator("#step-40")).to_be_in_viewport()
    page.evaluate("location.hash = '#prompt-41'")
    expect(page.locator("#prompt-title")).to_have_text("Prompt of step 41")
    expect(page.locator("#prompt-exact")).to_contain_text("To the letter")
    page.keyboard.press("Escape")
    page.evaluate("location.hash = '#step-38.1'")  # within the run of a sub-agent
    expect(page.locator('[id="step-38.1"]')).to_be_in_viewport()


def test_shows_only_what_is_asked_for(page: Page) -> None:
    page.locator("#only").select_option("hidden")
    kinds = page.locator("#run > .steps > article:visible").evaluate_all(
        "(all) => all.map((one) => one.dataset.kinds ?? one.className)"
    )
    assert kinds
    assert [one for one in kinds if "hidden" not in one] == []


def test_the_chart_leads_to_a_step(page: Page) -> None:
    page.locator(".chart svg").first.click(position={"x": 5, "y": 60})
    expect(page.locator("article.here")).to_have_id(re.compile(r"^step-[123]$"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [DESK, PHONE])
def test_can_be_used_by_everyone(page: Page, scheme: str, width: int) -> None:
    """Folded, unfolded, with a prompt and with the keys shown."""
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page.set_viewport_size({"width": width, "height": 800})
    found = [_faults(page, width)]
    page.locator("#fold").click()
    found.append(_faults(page, width))
    page.evaluate("location.hash = '#prompt-44'")
    found.append(_faults(page, width))
    page.keyboard.press("Escape")
    page.locator("#keys").click()
    found.append(_faults(page, width))
    assert found == [[]] * len(found)


def _faults(page: Page, width: int) -> list[str]:
    wide = page.evaluate("document.documentElement.scrollWidth")
    return [*pale(page), *objections(page), *([f"{wide} wide"] if wide > width else [])]


@pytest.mark.parametrize("width", [DESK, PHONE])
def test_so_can_an_index(opened: Opener, run: RunFolder, tmp_path: Path, width: int) -> None:
    runs = [run, small_run(tmp_path / "small"), RunFolder(tmp_path)]
    page = opened(write_pages(runs, tmp_path / "pages", Redaction()), width)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        assert _faults(page, width) == []
    page.locator("#search").fill("sum is wrong")
    expect(page.locator("tbody tr:visible")).to_have_count(1)


def test_prints_what_is_read(page: Page) -> None:
    page.emulate_media(media="print")
    expect(page.locator(".tools")).to_be_hidden()
    expect(page.locator("#step-45 .thought")).to_be_visible()


def test_reads_without_a_script(opened: Opener, written: Path) -> None:
    page = opened(written, java_script_enabled=False)
    expect(page.locator(".tools")).to_be_hidden()
    expect(page.locator("#step-45 .thought")).to_be_visible()
    page.locator("#step-1 summary").first.click()
    expect(page.locator("#step-1 pre").first).to_be_visible()
