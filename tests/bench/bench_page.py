"""The page of a run of 500 steps: how large it is, how soon it can be read, how soon it finds.

Beside it: a page of one word, which any browser takes its time for, too.
"""

import statistics
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from beside import SLOWEST, share

sys.path += [str(Path(__file__).parent.parent / place) for place in ("browser", "react_agent/page")]

from chromium import FLAGS
from planted_run import NEEDLE, STEPS, planted_run
from playwright.sync_api import Browser, Page, sync_playwright

from react_agent.page.run import run_page
from react_agent.page.told import told
from react_agent.parsers.redaction import Redaction
from react_agent.run_folder import RunFolder

BAR_MB = 3.0
BAR_OPEN, BAR_SEARCH = 1.0, 0.1  # seconds, where nothing else runs on the core
ROUNDS = 9
WORDS = ("e", "charset", "observation", NEEDLE.format(STEPS), "nowhere at all")
_OPENED = """() => new Promise((done) => new PerformanceObserver((seen) => {
  const painted = seen.getEntriesByName("first-contentful-paint")[0];
  const [whole] = performance.getEntriesByType("navigation");
  if (painted) setTimeout(() => done(Math.max(painted.startTime, whole.loadEventEnd) / 1000));
}).observe({ type: "paint", buffered: true }))"""
# From the key to the count that is painted; the page waits a little for more keys, as it should.
_FOUND = """(word) => new Promise((done) => {
  const search = document.getElementById("search");
  const count = document.getElementById("count");
  const began = performance.now();
  new MutationObserver((_, self) => {
    self.disconnect();
    requestAnimationFrame(() => setTimeout(() => done((performance.now() - began) / 1000)));
  }).observe(count, { childList: true, characterData: true, subtree: true });
  search.value = word;
  search.dispatchEvent(new Event("input", { bubbles: true }));
})"""


def main() -> int:
    print(f"The page of a run of {STEPS} steps")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        run, out = planted_run(Path(folder)), Path(folder) / "page.html"
        out.write_text(run_page(told(RunFolder(run), Redaction())), encoding="utf-8")
        word = Path(folder) / "word.html"
        word.write_text("<!doctype html><title>x</title><p>word")
        found = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=list(FLAGS))
        size = out.stat().st_size / 1e6
        opened, searched = _opened(found, out), _searched(found, out)
        beside = _opened(found, word)
        found.close()
    print(f"  {size:.2f} MB, the bar is {BAR_MB}")
    print(f"  opens in {opened:.3f} s, the bar is {BAR_OPEN}; one word in {beside:.3f} s")
    for name, seconds in searched.items():
        print(f"  finds {name!r} in {seconds:.3f} s, the bar is {BAR_SEARCH}")
    slow = max(searched.values()) > BAR_SEARCH * SLOWEST
    met = size <= BAR_MB and opened <= BAR_OPEN * SLOWEST and not slow
    print(f"  {'met' if met else 'MISSED'}, on a core that may be {SLOWEST:g} times as slow")
    return int(not met)


def _opened(browser: Browser, out: Path) -> float:
    return _median(browser, out, lambda page: page.evaluate(_OPENED))


def _searched(browser: Browser, out: Path) -> dict[str, float]:
    """Of a page that has just been opened: nothing was looked for before."""
    return {
        word: _median(browser, out, lambda page, word=word: page.evaluate(_FOUND, word))
        for word in WORDS
    }


def _median(browser: Browser, out: Path, measured: Callable[[Page], float]) -> float:
    taken = []
    for _ in range(share(ROUNDS)):
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.goto(out.as_uri())
        taken.append(measured(page))
        page.close()
    return statistics.median(taken)


if __name__ == "__main__":
    sys.exit(main())
