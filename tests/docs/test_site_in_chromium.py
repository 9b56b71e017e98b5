"""The site in a real browser: it can be read by everybody, searched, and asks no other host."""

import functools
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from axe import objections
from chromium import CHROMIUM, DESK, PHONE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.slow, pytest.mark.checkout, CHROMIUM]

ROOT = Path(__file__).parents[2]
PAGES = ("index", "cli", "transcript", "threat-model", "how-it-works")


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    site = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-P", "-m", "mkdocs", "build", "--strict", "--site-dir", site]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=100)
    handler = functools.partial(_Quiet, directory=str(site))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture
def shown(browser: "Browser", address: str) -> Iterator["Page"]:
    """Nothing is asked of another host, and the console stays empty."""
    page = browser.new_page(viewport={"width": DESK, "height": 900})
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("request", lambda asked: complaints.append(asked.url))
    yield page
    page.context.close()
    assert [one for one in complaints if not one.startswith((address, "data:"))] == []


@pytest.mark.parametrize("name", PAGES)
def test_everybody_can_read_it(shown: "Page", address: str, name: str) -> None:
    shown.goto(f"{address}/{name}.html")
    for scheme in ("light", "dark"):
        shown.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        assert objections(shown) == []
    shown.set_viewport_size({"width": PHONE, "height": 900})
    shown.reload()
    assert objections(shown) == []
    assert shown.evaluate("document.documentElement.scrollWidth") == PHONE


def test_it_can_be_searched(shown: "Page", address: str) -> None:
    shown.goto(f"{address}/index.html")
    shown.keyboard.press("/")
    shown.keyboard.type("retracted")
    first = shown.locator(".md-search-result__item a").first
    first.wait_for()
    first.click()
    shown.wait_for_url(re.compile(r"html\?h="))
    assert "retracted" in shown.locator("article").inner_text()
