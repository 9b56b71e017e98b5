"""The page of a run of 500 steps: how large it is, how soon it can be read, how soon it finds.

What is measured is what the page itself takes of a core, as other processes come and go.
"""

import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

from beside import judge, least_seconds, loops, share, slower

sys.path += [str(Path(__file__).parent.parent / place) for place in ("browser", "react_agent/page")]

from chromium import FLAGS
from planted_run import NEEDLE, STEPS, planted_run
from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from react_agent.page.run import write_page
from react_agent.parsers.secrets.redaction import Redaction
from react_agent.runs.run_folder import RunFolder

BAR_MB, BAR_OPEN, BAR_SEARCH = 3.0, 1.0, 0.1  # and seconds
ROUNDS = 9
LOOPS = 2000
WORDS = ("e", "charset", "observation", NEEDLE.format(STEPS), "nowhere at all")
_PAINTED = """() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"""
# From the key to the count; the page waits a little for more keys, as it should.
_FOUND = """(word) => new Promise((done) => {
  const count = document.getElementById("count");
  new MutationObserver((_, self) => {
    self.disconnect();
    requestAnimationFrame(() => setTimeout(done));
  }).observe(count, { childList: true, characterData: true, subtree: true });
  search.value = word;
  search.dispatchEvent(new Event("input", { bubbles: true }));
})"""


def main() -> int:
    print(f"The page of a run of {STEPS} steps")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        run, out = planted_run(Path(folder)), Path(folder) / "page.html"
        write_page(RunFolder(run), out, Redaction())
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=list(FLAGS))
        size, opened = out.stat().st_size / 1e6, statistics.median(_openings(browser, out))
        searched = {one: statistics.median(_searches(browser, out, one)) for one in WORDS}
        browser.close()
    return _told(size, opened, searched)


def _told(size: float, opened: float, searched: Mapping[str, float]) -> int:
    scale = slower(least_seconds({"loops": loops(LOOPS)}, 3)["loops"] / LOOPS * 1e6)
    print(f"  {size:.2f} MB, the bar is {BAR_MB}")
    print(f"  opens with {opened:.3f} s of a core")
    for word, own in searched.items():
        print(f"  finds {word!r} with {own:.3f} s of a core")
    slowest = max(searched.values())
    met = size <= BAR_MB and opened <= BAR_OPEN * scale and slowest <= BAR_SEARCH * scale
    bars = f"the bars are {BAR_OPEN} s and {BAR_SEARCH} s"
    return judge(met, f"{bars} on a core that is now {scale:.1f} times slower")


def _openings(browser: Browser, out: Path) -> Iterator[float]:
    for page, own in _pages(browser):
        page.goto(out.as_uri())
        page.evaluate(_PAINTED)
        yield own()


def _searches(browser: Browser, out: Path, word: str) -> Iterator[float]:
    """On a page that has just been opened: nothing was looked for before."""
    for page, own in _pages(browser):
        page.goto(out.as_uri())
        page.locator("#search").focus()
        page.evaluate(_PAINTED)
        before = own()
        page.evaluate(_FOUND, word)
        yield own() - before


def _pages(browser: Browser) -> Iterator[tuple[Page, Callable[[], float]]]:
    """Each with the seconds of a core that its thread has taken so far."""
    for _ in range(share(ROUNDS)):
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        yield page, partial(_own, session)
        page.close()


def _own(session: CDPSession) -> float:
    metrics = session.send("Performance.getMetrics")["metrics"]
    return float(next(one["value"] for one in metrics if one["name"] == "TaskDuration"))


if __name__ == "__main__":
    sys.exit(main())
