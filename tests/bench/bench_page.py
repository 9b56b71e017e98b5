"""The page of a run of 500 steps: how large it is, how soon it can be read, how soon it finds.

What is measured is what the page itself takes of a core, as other processes come and go; beside it
stands how long it lasted, and how long a page of one word lasts.
"""

import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from time import perf_counter

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
Pair = tuple[float, float]  # seconds of a core, and by the clock
_PAINTED = """() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"""
# From the key to the count; the page waits a little for more keys, as it should.
_FOUND = """(word) => new Promise((done) => {
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
        write_page(RunFolder(run), out, Redaction())
        word = Path(folder) / "word.html"
        word.write_text("<!doctype html><title>x</title><p>word")
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=list(FLAGS))
        size, opened, searched = out.stat().st_size / 1e6, _opened(browser, out), {}
        for one in WORDS:
            searched[one] = _median(_searches(browser, out, one))
        _, beside = _opened(browser, word)
        browser.close()
    return _told(size, opened, searched, beside)


def _told(size: float, opened: Pair, searched: Mapping[str, Pair], beside: float) -> int:
    taken = least_seconds({"loops": loops(LOOPS)}, 3)["loops"]
    scale = slower(taken / LOOPS * 1e6)
    print(f"  {size:.2f} MB, the bar is {BAR_MB}")
    print(f"  opens with {opened[0]:.3f} s of a core, in {opened[1]:.3f} s; a word in {beside:.3f}")
    for word, (own, lasted) in searched.items():
        print(f"  finds {word!r} with {own:.3f} s of a core, in {lasted:.3f} s")
    slowest = max(own for own, _ in searched.values())
    met = size <= BAR_MB and opened[0] <= BAR_OPEN * scale and slowest <= BAR_SEARCH * scale
    bars = f"the bars are {BAR_OPEN} s and {BAR_SEARCH} s"
    return judge(met, f"{bars} on a core that is now {scale:.1f} times slower")


def _opened(browser: Browser, out: Path) -> Pair:
    return _median(_openings(browser, out))


def _openings(browser: Browser, out: Path) -> Iterator[Pair]:
    for page, own in _pages(browser):
        began = perf_counter()
        page.goto(out.as_uri())
        page.evaluate(_PAINTED)
        yield own(), perf_counter() - began


def _searches(browser: Browser, out: Path, word: str) -> Iterator[Pair]:
    """On a page that has just been opened: nothing was looked for before."""
    for page, own in _pages(browser):
        page.goto(out.as_uri())
        page.locator("#search").focus()
        page.evaluate(_PAINTED)
        before = own()
        lasted = page.evaluate(_FOUND, word)
        yield own() - before, lasted


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


def _median(taken: Iterator[Pair]) -> Pair:
    own, lasted = zip(*taken, strict=True)
    return statistics.median(own), statistics.median(lasted)


if __name__ == "__main__":
    sys.exit(main())
