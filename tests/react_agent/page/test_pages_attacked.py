"""A run in which every text is an attack: on its page it is text."""

from pathlib import Path

import pytest
from chromium import CHROMIUM, Opener
from html_of import OF_A_RUN
from loopback import Loopback
from planted_attacks import VECTORS, attacked_run
from playwright.sync_api import Page, expect

from react_agent.page.run import write_page
from react_agent.parsers.secrets.redaction import Redaction
from react_agent.parsers.transcript.quoting import visible
from react_agent.runs.run_folder import RunFolder

pytestmark = [pytest.mark.slow, CHROMIUM]
ALLOWED = OF_A_RUN | {"g", "rect", "circle", "table", "thead", "tbody", "tr", "th", "td"}
_ELEMENTS = "[...new Set([...document.querySelectorAll('*')].map((one) => one.localName))]"
_HANDLERS = """[...document.querySelectorAll('*')].flatMap((one) => [...one.attributes])
  .filter((one) => /^(on|src|style|action|formaction|srcdoc|ping|xlink)/.test(one.name) ||
    (one.name === 'href' && !/^(#|data:,$|[\\w.~-]+\\.html$)/.test(one.value)))
  .map((one) => `${one.name}=${one.value}`)"""
_POLICY_TRIED = """async (beacon) => {
  const tried = {
    timer: () => setTimeout("window.broken = 1"),
    markup: () => { document.body.innerHTML = "<img src=x onerror='window.broken = 1'>"; },
    script: () => { document.body.append(Object.assign(document.createElement("script"),
      { text: "window.broken = 1" })); },
    handler: () => document.body.setAttribute("onclick", "window.broken = 1"),
    image: () => new Promise((done, no) => {
      const made = document.createElement("img");
      Object.assign(made, { onload: done, onerror: () => no(new Error("barred")), src: beacon });
    }),
    fetch: () => fetch(beacon, { mode: "no-cors" }),
    form: () => { const made = document.createElement("form"); made.action = beacon;
      document.body.append(made); made.submit(); },
  };
  const done = [];
  for (const [name, way] of Object.entries(tried)) {
    try { await way(); done.push(name); } catch { /* as it should be */ }
  }
  document.body.click();
  return done;
}"""


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of the run; beside it is that of a run within."""
    root = tmp_path_factory.mktemp("attacked")
    run = RunFolder(attacked_run(root / "run"))
    write_page(RunFolder(run.path / "sub" / "002"), root / "pages", Redaction())
    return write_page(run, root / "pages", Redaction())


PAGES = {"the page of a run": "run.html", "the page of a sub-agent": "002.html"}


@pytest.fixture(params=PAGES.values(), ids=PAGES)
def page(request: pytest.FixtureRequest, opened: Opener, written: Path) -> Page:
    return opened(written.with_name(request.param))


@pytest.mark.attack("HTML and script in {id}", by="model", wall="escaping")
def test_nothing_of_it_is_more_than_text(page: Page) -> None:
    for key in ("F", "?", "Escape", "j", "p", "j", "k", "Escape", "f", "n", "G", "g"):
        page.keyboard.press(key)
    for box in page.locator("select").all():
        for value in box.locator("option").evaluate_all("(all) => all.map((one) => one.value)"):
            box.select_option(value)
        box.select_option(index=0)
    assert set(page.evaluate(_ELEMENTS)) <= ALLOWED
    assert page.evaluate(_HANDLERS) == []
    assert page.evaluate("Object.prototype.broken") is None


def test_all_of_it_can_be_read_and_found(opened: Opener, written: Path) -> None:
    page = opened(written.with_name("run.html"))
    page.locator("#fold").click()
    expect(page.locator("#step-1 details:not([open])")).to_have_count(0)
    for line in (line for vector in VECTORS for line in visible(vector).split("\n")):
        expect(page.locator("#step-1 .seen")).to_contain_text(line)
    for vector in VECTORS[:5]:
        page.locator("#search").fill(vector)
        expect(page.locator("#count")).to_contain_text(" places")


@pytest.mark.attack("a link that leads into the page of a run", by="page", wall="escaping")
def test_no_address_breaks_out(opened: Opener, written: Path) -> None:
    page = opened(written.with_name("run.html"))
    for address in ADDRESSES:
        page.evaluate("(to) => { location.hash = to; }", address)
        page.keyboard.press("Escape")
        page.keyboard.press("j")
        expect(page.locator("article.here")).to_have_count(1)


ADDRESSES = (
    "step-<img src=x onerror=window.broken=1>",
    "prompt-__proto__.1",
    "prompt-constructor",
    "step-99999999999999999999",
    "prompt-2.1",
    "javascript:window.broken=1",
    "%E0%A4%A",
)


@pytest.mark.attack("markup that got into the page of a run", by="model", wall="escaping")
def test_the_policy_holds_what_got_in_all_the_same(opened: Opener, written: Path) -> None:
    """As if escaping had failed: no markup, no script, no word to anybody outside."""
    with Loopback({}) as outside:
        page = opened(written.with_name("run.html"))
        assert page.evaluate(_POLICY_TRIED, outside.url) == ["form"]  # which goes nowhere
        assert page.url == written.with_name("run.html").as_uri()
        assert outside.asked == []
    page.close()
    opened.complaints.clear()  # the browser's own, of what it has barred
