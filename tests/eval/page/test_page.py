"""The page as a file: what is on it, and what could never be."""

import base64
import hashlib
import json
import os
import re
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from planted_attempts import HOSTILE, PATCH, experiment, hostile, run, write

from react_agent.errors import MachineError
from react_agent.eval.page.charts import arms_of
from react_agent.eval.page.page import page, told, write_page
from react_agent.eval.report.statistics import EmptyScore
from react_agent.eval.task import Key, Record, Verdict
from react_agent.parsers.transcript.entries import Event, Said, Seen
from react_agent.parsers.turn.turn import Kind, Turn

ALLOWED = {"html", "head", "meta", "link", "title", "style", "body", "header", "main", "section",
           "footer", "script", "h1", "h2", "p", "div", "span", "b", "i", "small", "strong", "kbd",
           "details", "summary", "dl", "dt", "dd", "ul", "li", "a", "table", "thead", "tbody", "tr",
           "th", "td", "figure", "figcaption", "svg", "g", "line", "rect", "circle", "text",
           "input", "select", "option", "output", "button", "caption"}  # fmt: skip


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.inner: dict[str, list[str]] = {"script": [], "style": []}
        self.open = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag in self.inner:
            self.open = tag
            self.inner[tag].append("")

    def handle_endtag(self, tag: str) -> None:
        self.open = "" if tag == self.open else self.open

    def handle_data(self, data: str) -> None:
        if self.open:
            self.inner[self.open][-1] += data


def _read(written: str) -> _Reader:
    reader = _Reader()
    reader.feed(written)
    return reader


def _hashes(sources: list[str]) -> Iterator[str]:
    for source in sources:
        yield f"'sha256-{base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()}'"


@pytest.fixture
def everything(tmp_path: Path) -> list[Record]:
    return [*experiment(tmp_path), hostile(tmp_path)]


def test_only_what_is_ours_is_markup(everything: list[Record]) -> None:
    reader = _read(page(HOSTILE, everything, {HOSTILE: HOSTILE}))
    assert {name for name, _ in reader.tags} <= ALLOWED
    attributes = {name for _, found in reader.tags for name in found}
    assert not [name for name in attributes if name.startswith("on") or name in ("style", "src")]
    addresses = {found["href"] or "" for _, found in reader.tags if "href" in found}
    assert {address[:1] for address in addresses - {"data:,"}} == {"#"}


def test_the_policy_lets_only_its_own_script_run(everything: list[Record]) -> None:
    reader = _read(page("t", everything, {}))
    policy = next(found["content"] for _, found in reader.tags if found.get("http-equiv"))
    types = [found.get("type") for name, found in reader.tags if name == "script"]
    ours = [source for kind, source in zip(types, reader.inner["script"], strict=True) if not kind]
    assert policy is not None
    assert re.findall(r"(\w+)-src ([^;]+)", policy) == [
        ("default", "'none'"),
        ("style", *_hashes(reader.inner["style"])),
        ("script", *_hashes(ours)),
        ("img", "data:"),
    ]


def test_every_link_leads_somewhere(everything: list[Record]) -> None:
    reader = _read(page("t", everything, {}))
    ids = [found["id"] for _, found in reader.tags if found.get("id")]
    links = {found["href"] for name, found in reader.tags if name == "a"}
    assert len(ids) == len(set(ids))
    assert {(link or "")[1:].split(":")[0] for link in links} <= set(ids)


def test_the_same_attempt_of_two_experiments_has_two_addresses(tmp_path: Path) -> None:
    (record,) = experiment(tmp_path, issues=1, arms=("plain",))
    written = page("t", [record, replace(record)], {})
    assert re.findall(r'<details[^>]* id="(a-[^"]+)"', written) == [
        "a-shop__area-1.plain.1",
        "a-shop__area-1.plain.1~2",
    ]


def test_counts_an_arm_without_what_surrounds_the_model(tmp_path: Path) -> None:
    (one,) = experiment(tmp_path, issues=1, arms=("plain",))
    fates = [
        (Verdict.RESOLVED, False),
        (Verdict.UNRESOLVED, False),
        (Verdict.NO_PATCH, False),
        (Verdict.CRASHED, True),
        (Verdict.UNGRADED, False),
    ]
    records = [
        replace(one, key=Key(str(number), "plain", 1), verdict=verdict, is_infrastructure=outside)
        for number, (verdict, outside) in enumerate(fates)
    ]
    (arm,) = arms_of(records, lambda record: record.key.arm)
    assert (arm.resolved, len(arm.judged), arm.left_out, arm.rate) == (1, 3, 1, 1 / 3)
    assert "<span>1 of 3 <small>20 % of all</small></span>" in page("t", records, {})


def test_an_arm_of_which_nothing_was_judged_has_no_rate(tmp_path: Path) -> None:
    records = [
        replace(record, verdict=Verdict.CRASHED, is_infrastructure=True)
        for record in experiment(tmp_path, issues=2)
    ]
    written = page("t", records, {})
    assert written.count("nothing was judged") == 2
    assert "Nothing was judged." in written


def test_no_attempts_are_no_page() -> None:
    with pytest.raises(EmptyScore, match=r"^there are no attempts to show$"):
        page("t", [], {})


def test_a_page_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    records = experiment(tmp_path, issues=1)
    out = tmp_path / "page.html"
    write_page(out, "t", records, {})
    assert out.read_text(encoding="utf-8") == page("t", records, {})
    with pytest.raises(MachineError, match=r"^can't write .*: No such file or directory$"):
        write_page(tmp_path / "none" / "page.html", "t", records, {})
    assert sorted(path.name for path in tmp_path.iterdir()) == ["attempts", "page.html"]


def _told(record: Record) -> dict[str, object]:
    value = told(record, 10**6)
    assert isinstance(value, dict)
    return value


def test_tells_a_run_step_by_step(tmp_path: Path) -> None:
    entries = run("The area is wrong", 2)
    entries.insert(5, Event("stuck", "the same again"))
    entries.insert(6, Event("retracted", "steps=1"))
    write(tmp_path / "x", entries)
    value = _told(
        Record(Key("i", "plain", 1), "r", Verdict.RESOLVED, patch=PATCH, folder=tmp_path / "x")
    )
    step = {"thought": "Thought number 1 of this run.", "tool": "grep", "input": "needle1",
            "seen": "exit code 1\nnot 6, but 5", "status": "failed"}  # fmt: skip
    assert value["steps"] == [
        {"n": 1, **step, "marks": ["taken back"],
         "notes": ["stuck: the same again", "retracted: steps=1"]},
        {"n": 2, "thought": "Thought number 2 of this run.", "tool": "grep", "input": "needle2",
         "seen": "1 matching line in 1 of 3 files\nsrc/area.py\n  2| return a + b", "status": "ok",
         "marks": [], "notes": []},
    ]  # fmt: skip
    rest = ("objective", "conclusion", "stop", "log", "patch")
    assert [value[name] for name in rest] == [
        "The area is wrong",
        "The area is right now.",
        "concluded",
        "PASSED tests \ufffd\n",
        PATCH,
    ]


def test_the_gate_is_no_hidden_tool(tmp_path: Path) -> None:
    entries = run("Early", 1)
    early = Said(Turn(Kind.CONCLUSION, "Done.", conclusion="It is done."))
    entries[5:] = [early, Seen("Not accepted yet:", {"n": "2", "how": "gate"}), *entries[5:]]
    write(tmp_path / "x", entries)
    value = json.loads(
        json.dumps(_told(Record(Key("i", "a", 1), "r", Verdict.RESOLVED, folder=tmp_path / "x")))
    )
    assert [step["marks"] for step in value["steps"]] == [[], []]


def test_tells_a_run_within_a_run(tmp_path: Path) -> None:
    entries = run("Outer", 1)
    entries[4] = Seen("it found this", {"n": "1", "status": "ok", "sub": "sub/001"})
    write(tmp_path / "x", entries)
    write(tmp_path / "x/sub/001", run("Inner", 1))
    value = _told(Record(Key("i", "plain", 1), "r", Verdict.RESOLVED, folder=tmp_path / "x"))
    assert json.loads(json.dumps(value))["steps"][0]["sub"]["objective"] == "Inner"


@pytest.mark.parametrize(
    "sub", ["../../other", "sub/../../other", "/etc", "sub/001/../..", "sub/\0"]
)
def test_no_path_in_a_transcript_is_followed(tmp_path: Path, sub: str) -> None:
    entries = run("Outer", 1)
    entries[4] = Seen("it found this", {"n": "1", "sub": sub})
    write(tmp_path / "x", entries)
    write(tmp_path / "other", run("Inner", 1))
    assert "Inner" not in str(
        _told(Record(Key("i", "a", 1), "r", Verdict.RESOLVED, folder=tmp_path / "x"))
    )


def test_a_long_run_lacks_its_middle(tmp_path: Path) -> None:
    write(tmp_path / "x", run("Long", 310))
    value = json.loads(
        json.dumps(_told(Record(Key("i", "a", 1), "r", Verdict.RESOLVED, folder=tmp_path / "x")))
    )
    assert [step["n"] for step in value["steps"]] == [*range(1, 151), *range(161, 311)]
    assert value["left"] == "10 steps not shown: see transcript.txt"


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        pytest.param(None, "There is no transcript.txt.", id="none"),
        pytest.param("not one\n", "transcript.txt: line 1: expected `%% react-agent transcript: 2`"
                     ", found 'not one'", id="not one"),
    ],
)  # fmt: skip
def test_says_why_there_is_no_transcript(
    tmp_path: Path, content: str | None, expected: str
) -> None:
    if content is not None:
        (tmp_path / "transcript.txt").write_text(content)
    assert (
        _told(Record(Key("i", "a", 1), "r", Verdict.CRASHED, folder=tmp_path))["missing"]
        == expected
    )


def test_a_transcript_of_another_kind_is_not_read(tmp_path: Path) -> None:
    os.truncate(os.open(tmp_path / "transcript.txt", os.O_CREAT | os.O_WRONLY), 65_000_000)
    value = _told(Record(Key("i", "a", 1), "r", Verdict.CRASHED, folder=tmp_path))
    assert value["missing"] == "transcript.txt is too large for this page."
