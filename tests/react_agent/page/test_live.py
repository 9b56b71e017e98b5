"""A page of a run that goes on, in a real browser: a real run, whose model waits for the test."""

import queue
import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from axe import objections
from chromium import CHROMIUM, Opener
from playwright.sync_api import Page, expect

from react_agent.loopback import served
from react_agent.models.contract import View
from react_agent.page.server import Shelf
from react_agent.parsers.secrets.redaction import Redaction
from react_agent.runs.report import Outcome
from react_agent.runs.run_folder import every
from react_agent.tools import clock

pytestmark = [pytest.mark.slow, CHROMIUM]
READ = " I read it.\nAction: read_file\nAction Input: README.md\n"
GREP = " Where is it?\nAction: grep\nAction Input: stopwatch\n"
FORGED = " <script>window.broken=1</script>\nAction: run\nAction Input: echo '<b>x</b>'\n"
DONE = " All is done.\nConclusion: It is done."


@dataclass
class Slow:
    """A run in a thread of its own; each reply comes when it is told to."""

    desk: Any
    replies: "queue.Queue[str]" = field(default_factory=queue.Queue)
    ended: list[Outcome] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self) -> None:
        self.ended.append(self.desk.solve(*[self._reply] * 20))

    def _reply(self, view: View) -> str:
        return self.replies.get(timeout=60)

    def say(self, *replies: str) -> None:
        for reply in replies:
            self.replies.put(reply)


@pytest.fixture
def run(desk: Any) -> Iterator[Slow]:
    slow = Slow(desk)
    yield slow
    slow.say(DONE)
    slow.thread.join(60)


@pytest.fixture
def address(run: Slow) -> Iterator[str]:
    folder = run.desk.folder / "runs"
    shelf = Shelf(lambda: every(folder), "secret", Redaction(), clock.sleep)
    with served(shelf.answer) as port:
        run.say(READ)
        yield f"http://127.0.0.1:{port}/secret/"


@pytest.fixture
def page(opened: Opener, address: str) -> Page:
    """Of the run, from the index, as soon as there is one."""
    return entered(opened(address))


def entered(page: Page) -> Page:
    while not page.locator("tbody a").count():
        page.wait_for_timeout(100)
        page.reload()
    expect(page.locator("tbody .mark")).to_have_text("running")
    page.locator("tbody a").click()
    expect(page.locator("#step-1")).to_be_visible()
    return page


def test_what_comes_appears(page: Page, run: Slow) -> None:
    page.locator("#step-1 summary").first.click()
    page.evaluate("window.first = document.getElementById('step-1')")
    run.say(GREP, FORGED)
    expect(page.locator("#step-3 .thought")).to_have_text("<script>window.broken=1</script>")
    expect(page.locator("#live")).to_have_text("live, step 3")
    assert page.evaluate("window.first.isConnected")  # what is read stays as it is
    expect(page.locator("#step-1 details[open]")).to_have_count(1)
    expect(page.locator("header .facts")).to_contain_text("Steps3")
    expect(page.locator(".chart")).to_have_attribute("data-steps", "3")
    assert objections(page) == []
    page.keyboard.press("g")
    for _ in range(3):
        page.keyboard.press("j")
    page.keyboard.press("p")
    expect(page.locator("#prompt-text")).to_contain_text("Where is it?")


def test_it_ends_when_the_run_does(page: Page, run: Slow) -> None:
    run.say(DONE)
    expect(page.locator("#live")).to_have_text("ended", timeout=20_000)
    expect(page.locator(".step.end")).to_contain_text("It is done.")
    expect(page.locator("header .mark")).to_have_text("no change")
    while not page.evaluate("isOver && !isAsking"):
        page.wait_for_timeout(100)
    asked = page.evaluate("performance.getEntriesByType('resource').length")
    page.wait_for_timeout(1000)
    assert page.evaluate("performance.getEntriesByType('resource').length") == asked
    page.reload()
    expect(page.locator("#live")).to_have_count(0)


def test_what_is_looked_for_is_found_in_what_comes(page: Page, run: Slow) -> None:
    page.locator("#search").fill("Where is it")
    expect(page.locator("#count")).to_have_text("nowhere")
    run.say(GREP)
    expect(page.locator("#count")).to_have_text("1 place")
    expect(page.locator("#search")).to_be_focused()


def test_who_reads_at_the_end_sees_what_comes(page: Page, run: Slow) -> None:
    page.keyboard.press("G")
    run.say(*(GREP.replace("stopwatch", word) for word in "abcdefgh"))
    expect(page.locator("#step-9")).to_be_in_viewport(timeout=20_000)
    page.keyboard.press("g")
    run.say(FORGED)
    expect(page.locator("#step-10")).to_be_attached()
    assert page.evaluate("scrollY") == 0


def test_a_server_that_has_gone_is_no_failure_of_the_page(opened: Opener, run: Slow) -> None:
    folder = run.desk.folder / "runs"
    shelf = Shelf(lambda: every(folder), "secret", Redaction(), clock.sleep)
    run.say(READ)
    with served(shelf.answer) as port:
        page = entered(opened(f"http://127.0.0.1:{port}/secret/"))
    page.keyboard.press("j")
    expect(page.locator("article.here")).to_have_id(re.compile("step-1"))
    page.close()
    opened.complaints[:] = [one for one in opened.complaints if "ERR_CONNECTION" not in one]
