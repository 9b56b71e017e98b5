"""A real Chromium, one for all tests of a process; its pages note what they should not do."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:  # slow to import, and most tests open no page
    from playwright.sync_api import Browser, Page, Request

CHROMIUM = pytest.mark.needs("chromium", "chromium")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
DESK, PHONE = 1280, 375  # columns of a screen
_ICON = "data:,"


@pytest.fixture(scope="session")
def browser() -> Iterator["Browser"]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=list(FLAGS))
        yield found
        found.close()


@dataclass
class Opener:
    """Opens addresses; what a page asks for, prints or shows beyond itself is a complaint."""

    browser: "Browser"
    complaints: list[str] = field(default_factory=list)
    pages: list["Page"] = field(default_factory=list)

    def __call__(self, address: str | Path, width: int = DESK, **options: Any) -> "Page":
        """What is on this machine may be asked for by what a server of it has given, alone."""
        whole = address.as_uri() if isinstance(address, Path) else address
        page = self.browser.new_page(viewport={"width": width, "height": 900}, **options)
        self.pages.append(page)
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("dialog", lambda dialog: self.complaints.append(f"dialog: {dialog.message}"))
        page.on("popup", lambda other: self.complaints.append(f"popup: {other.url}"))
        page.on("download", lambda one: self.complaints.append(f"download: {one.url}"))
        page.on("request", lambda asked: self._asked(asked, whole.partition("#")[0]))
        page.goto(whole)
        return page

    def _asked(self, asked: "Request", address: str) -> None:
        url = asked.url.partition("#")[0]
        is_served = address.startswith("http:") and url.startswith(address.rpartition("/")[0])
        if url not in (address, _ICON) and not is_served:
            self.complaints.append(f"asked for {url}")


@pytest.fixture
def opened(browser: "Browser") -> Iterator[Opener]:
    """Whatever a test does: nothing is asked of the network, and the console stays empty."""
    opener = Opener(browser)
    yield opener
    broken = [page.evaluate("window.broken") for page in opener.pages if not page.is_closed()]
    for page in opener.pages:
        page.context.close()
    assert (broken, opener.complaints) == ([None] * len(broken), [])


@pytest.fixture
def page(opened: Opener, written: Path) -> "Page":
    """The page that a module of tests has written."""
    return opened(written)
