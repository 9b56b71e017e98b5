"""The page as a file: what is on it, and what could never be."""

import html
import os
import re
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote

import pytest
from check_rows import table_of
from html_of import Elements
from planted_attempts import HOSTILE, PATCH, experiment, hostile, run, write

from react_agent.eval.report.page import page
from react_agent.eval.task import Key, Record, Verdict
from react_agent.parsers.transcript.entries import Event, Seen

ALLOWED = {"html", "head", "meta", "link", "title", "style", "body", "header", "main", "section",
           "footer", "script", "h1", "h2", "p", "div", "span", "b", "i", "small", "strong", "kbd",
           "details", "summary", "dl", "dt", "dd", "ul", "li", "a", "table", "thead", "tbody", "tr",
           "th", "td", "figure", "figcaption", "svg", "g", "line", "rect", "circle", "text",
           "input", "select", "option", "output", "button", "caption",
           "template", "article", "h3", "pre", "code", "q"}  # fmt: skip


@pytest.fixture
def everything(tmp_path: Path) -> list[Record]:
    return [*experiment(tmp_path), hostile(tmp_path)]


def test_only_what_is_ours_is_markup(everything: list[Record]) -> None:
    reader = Elements(page(HOSTILE, everything, {HOSTILE: HOSTILE}))
    assert {name for name, _ in reader.tags} <= ALLOWED
    attributes = {name for _, found in reader.tags for name in found}
    assert not [name for name in attributes if name.startswith("on") or name in ("style", "src")]
    addresses = {found["href"] or "" for _, found in reader.tags if "href" in found}
    assert {address[:1] for address in addresses - {"data:,"}} == {"#"}


def test_every_link_leads_somewhere(everything: list[Record]) -> None:
    """Those in templates are made to when the script shows them."""
    shown = re.sub("<template>.*?</template>", "", page("t", everything, {}), flags=re.DOTALL)
    reader = Elements(shown)
    ids = [found["id"] for _, found in reader.tags if found.get("id")]
    links = {found["href"] for name, found in reader.tags if name == "a"}
    assert len(ids) == len(set(ids))
    assert {unquote(link or "")[1:].split(":")[0] for link in links} <= set(ids)


def test_an_arm_of_which_nothing_was_judged_has_no_rate(tmp_path: Path) -> None:
    records = [replace(one, is_infrastructure=True) for one in experiment(tmp_path, issues=2)]
    assert page("t", records, {}).count("nothing was judged") == 2


def _shown(folder: Path, patch: str = "") -> str:
    """What a reader would see of its one attempt."""
    record = Record(Key("i", "plain", 1), "r", Verdict.RESOLVED, patch=patch, folder=folder)
    template = page("t", [record], {}).split("<template>")[1].split("</template>")[0]
    return html.unescape(re.sub("<[^>]*>", "|", template))


def test_shows_a_run_as_its_own_page_does(tmp_path: Path) -> None:
    entries = run("The area is wrong", 2)
    entries.insert(5, Event("stuck", "the same again"))
    write(tmp_path / "x", entries)
    shown = _shown(tmp_path / "x", PATCH)
    texts = ("Patch", "return a * b", "PASSED tests \ufffd", "The area is wrong", "needle1")
    texts += ("not 6, but 5", "the same again", "needle2", "The area is right now.")
    at = [shown.index(text) for text in texts]
    assert at == sorted(at)


@pytest.mark.parametrize(
    "sub", ["sub/001", "../../other", "sub/../../other", "/etc", "sub/001/../..", "sub/\0"]
)
def test_shows_a_run_within_a_run_and_follows_no_path_elsewhere(tmp_path: Path, sub: str) -> None:
    entries = run("Outer", 1)
    entries[4] = Seen("it found this", {"n": "1", "sub": sub})
    write(tmp_path / "x", entries)
    write(tmp_path / "x/sub/001", run("Inner", 1))
    write(tmp_path / "other", run("Another", 1))
    shown = _shown(tmp_path / "x").replace("|", "")
    assert ("A separate run: Inner" in shown, "Another" in shown) == (sub == "sub/001", False)


def test_what_there_is_no_room_for_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The shortest are shown."""
    monkeypatch.setattr("react_agent.eval.report.page._ROOM", 20_000)
    for name, steps in (("long", 100), ("short", 1)):
        write(tmp_path / name, run("It fails", steps))
    records = [
        Record(Key(name, "plain", 1), "r", Verdict.RESOLVED, folder=tmp_path / name)
        for name in ("long", "short")
    ]
    written = page("t", records, {})
    assert written.count("There is no room for it on this page: see its transcript.txt.") == 1
    assert "needle1" in written and "needle100" not in written


@table_of(
    ("content", "expected"),
    {
        "none": (None, "There is no transcript.txt."),
        "not one": (
            b"not one\n",
            "transcript.txt: line 1: expected `%% react-agent transcript: 2`, found 'not one'",
        ),
        "too large": (65_000_000, "transcript.txt is too large for this page"),
    },
)  # fmt: skip
def test_says_why_there_is_no_transcript(
    tmp_path: Path, content: bytes | int | None, expected: str
) -> None:
    if isinstance(content, bytes):
        (tmp_path / "transcript.txt").write_bytes(content)
    elif content:
        (tmp_path / "transcript.txt").touch()
        os.truncate(tmp_path / "transcript.txt", content)
    assert expected in _shown(tmp_path)
