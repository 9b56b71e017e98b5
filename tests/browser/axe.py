"""What axe-core objects to on a page as it stands."""

from importlib.resources import files

from playwright.sync_api import Page

_SOURCE = files("axe_playwright_python") / "axe.min.js"
_RUN = """() => axe.run().then((found) => found.violations.flatMap((one) =>
  one.nodes.map((node) => `${one.id}: ${node.target.join(" ")}: ${node.failureSummary}`)))"""


def objections(page: Page) -> list[str]:
    """Of all its rules; its script is put in from outside, past the policy of the page."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(_SOURCE.read_text(encoding="utf-8"))
    found: list[str] = page.evaluate(_RUN)
    return found
