"""The page of a long run in a real browser: what a short one by hand does not show."""

from pathlib import Path

import pytest
from axe import objections
from chromium import CHROMIUM, DESK, PHONE
from contrast import pale
from planted_run import planted_run
from playwright.sync_api import Page, expect

from react_agent.page.run import write_page
from react_agent.parsers.secrets.redaction import Redaction
from react_agent.parsers.transcript.quoting import visible
from react_agent.runs.history import prompts
from react_agent.runs.run_folder import RunFolder
from react_agent.state.transcript import read

pytestmark = [pytest.mark.slow, CHROMIUM]

STEPS = 45


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    return RunFolder(planted_run(tmp_path_factory.mktemp("planted"), STEPS))


@pytest.fixture(scope="module")
def written(run: RunFolder, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_page(run, tmp_path_factory.mktemp("page") / "page.html", Redaction())


def test_steps_taken_back_are_struck_out_and_say_why(page: Page) -> None:
    expect(page.locator("#step-11.back > .said")).to_have_css(
        "text-decoration-line", "line-through"
    )
    why = page.locator(".note", has_text="I assumed that parseHttpList does not exist")
    expect(why).to_be_visible()


def test_every_prompt_is_what_the_model_saw(page: Page, run: RunFolder) -> None:
    """To the letter, though the page holds each text once."""
    told = prompts(run.path, read(run.transcript))
    shown = page.evaluate(_PROMPTS)
    expected = {str(number): visible(told.view(number).text) for number in told.numbers}
    assert len(shown) > STEPS
    assert [one for one in expected if shown[one] != expected[one]] == []
    assert shown.keys() == expected.keys()


_PROMPTS = """() => Object.fromEntries(Object.keys(runs()[""].tails).map((number) =>
  [number, promptOf("", Number(number)).map(([, text]) => text).join("")]))"""


@pytest.mark.parametrize(("scheme", "width"), [("light", DESK), ("dark", PHONE)])
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


def test_who_reads_in_the_dark_prints_on_white_all_the_same(page: Page) -> None:
    page.emulate_media(media="print", color_scheme="dark")
    assert pale(page) == []
