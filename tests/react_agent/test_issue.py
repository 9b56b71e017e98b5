"""The issue, from wherever it was named."""

import os
import threading
from pathlib import Path

import pytest
from check_rows import table_of
from refusals import refusal

from react_agent.errors import UsageError
from react_agent.forges.contract import Forge, ForgeError, Posted, Remark
from react_agent.issue_to_pr.issue import LARGEST, Issue, Speak, read_issue
from react_agent.parsers.issue.reference import Reference

REFUSED = (UsageError, ForgeError)


def no_input(most: int) -> bytes:
    raise AssertionError("nobody asked for standard input")


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "12.md").write_text("\ufeff# It breaks\r\n\r\nAlways.\r\n", encoding="utf-8")
    (tmp_path / "with a blank").write_text("It breaks")
    (tmp_path / "-").write_text("not this one")
    return tmp_path


@table_of(
    ("named", "expected"),
    {
        "file": ("12.md", Issue("It breaks", "# It breaks\n\nAlways.")),
        "file with a blank": ("with a blank", Issue("It breaks", "It breaks")),
        "text": ("It breaks", Issue("It breaks", "It breaks")),
        "two lines": ("12.md\nbreaks", Issue("12.md", "12.md\nbreaks")),
        "a sentence without blanks": ("登录失败", Issue("登录失败", "登录失败")),
        "long text": ("x " * 5000, Issue("x " * 35 + "x…", ("x " * 5000).strip())),
        "longer name": ("x " * 200, Issue("x " * 35 + "x…", ("x " * 200).strip())),
    },
)
def test_reads(named: str, expected: Issue) -> None:
    assert read_issue(named, no_input) == expected


def test_standard_input_is_read_no_further_than_needed() -> None:
    asked = []

    def read(most: int) -> bytes:
        asked.append(most)
        return b"From a pipe\n"

    assert read_issue("-", read) == Issue("From a pipe", "From a pipe")
    assert asked == [LARGEST + 1]


def test_a_pipe_is_a_file(place: Path) -> None:
    os.mkfifo(place / "pipe")
    writer = threading.Thread(target=(place / "pipe").write_text, args=("From a command",))
    writer.start()
    assert read_issue("pipe", no_input) == Issue("From a command", "From a command")
    writer.join()


@table_of(
    ("named", "line"),
    [
        pytest.param(
            "#0",
            "there is no file #0: an issue is a file, a number, an address, or a text of several "
            "words",
        ),
        pytest.param(
            "./a b",
            "there is no file ./a b: an issue is a file, a number, an address, or a text of "
            "several words",
        ),
        pytest.param("two \udcff words", "the issue is not text in UTF-8", id="not text"),
    ],
)
def test_refuses(named: str, line: str) -> None:
    assert refusal(REFUSED, read_issue, named, no_input) == line


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read anything")
@pytest.mark.may_skip("the checks run as root in a container")
def test_a_file_in_a_folder_of_somebody_else_is_no_text(place: Path) -> None:
    (place / "private").mkdir(mode=0o600)
    line = "can't read the issue private/1.md: Permission denied"
    assert refusal(REFUSED, read_issue, "private/1.md", no_input) == line


def test_the_largest_issue_is_read(place: Path) -> None:
    (place / "1.txt").write_bytes(b"x" * LARGEST)
    assert len(read_issue("1.txt", no_input).text) == LARGEST


@table_of(
    ("data", "expected"),
    {
        "front matter": (
            "---\ntitle: It breaks\nlabels: [bug, a b]\nassignees: ''\nos: any\n---\n\nAlways.\n",
            Issue(
                "It breaks",
                "# It breaks\n\nAlways.\n\nLabels: bug, a b\nOs: any",
            ),
        ),
        "a heading is the title": (
            "---\ntags:\n- x\n---\n# It breaks\n\nAlways.",
            Issue("It breaks", "# It breaks\n\nAlways.\n\nTags: x"),
        ),
        "a line between": ("---\nIt breaks\n---\n", Issue("It breaks", "---\nIt breaks\n---")),
    },
)
def test_reads_front_matter(place: Path, data: str, expected: Issue) -> None:
    (place / "1.md").write_text(data)
    assert read_issue("1.md", no_input) == expected
    assert read_issue("-", lambda most: data.encode()) == expected


FORM = "put `name: value` lines between two lines of `---`"


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"---\nlabels: bug\n---\n", "the issue has front matter, but no title and no text"),
        (b"---\ntitle: x\n\ny\n", f"the front matter of the issue can't be read: {FORM}"),
    ],
    ids=["alone", "not closed"],
)
def test_front_matter_that_makes_no_issue(data: bytes, line: str) -> None:
    assert refusal(REFUSED, read_issue, "-", lambda most: data) == line


class OneIssue:
    """Of a forge, what reading an issue asks."""

    def __init__(self, body: str = "Always.") -> None:
        self.body = body
        self.asked = list[str]()

    def of(self, reference: Reference) -> Forge:
        self.asked.append(str(reference))
        return self  # type: ignore[return-value]

    def issue(self, number: int) -> Posted:
        return Posted(number, "It breaks", self.body, "kim", labels=("bug",))

    def comments(self, number: int) -> list[Remark]:
        self.asked.append("comments")
        return [Remark("sam", "Look at x.", "owner")]


@table_of(
    ("named", "reference", "whose"),
    [
        ("o/r#12", Reference(12, "o/r"), " of o/r"),
        ("https://x.org/o/r/issues/12", Reference(12, "o/r", "x.org"), " of o/r"),
    ],
)
def test_reads_from_a_forge(named: str, reference: Reference, whose: str) -> None:
    forge = OneIssue()
    text = f"# It breaks\n\nIssue #12{whose}, by kim.\nLabels: bug."
    said = "1 comment below.\n\nAlways.\n\nComment by sam (owner):\n\nLook at x."
    found = read_issue(named, no_input, forge.of)
    assert found == Issue("It breaks", f"{text}\n{said}", reference)
    found = read_issue(named, no_input, forge.of, Speak.NONE)
    assert found == Issue("It breaks", f"{text}\n\nAlways.", reference)
    assert forge.asked == [str(reference), "comments", str(reference)]


def test_a_file_is_no_reference(place: Path) -> None:
    (place / "#12").write_text("It breaks")
    assert read_issue("#12", no_input) == Issue("It breaks", "It breaks")


def test_what_no_file_could_hold_is_readable() -> None:
    found = read_issue("#12", no_input, OneIssue("a\ud800\0b").of, Speak.NONE)
    assert found.text.endswith("\n\na?\ufffdb")


def test_without_a_forge_nothing_is_asked() -> None:
    line = "no forge can be asked for issue #12 here"
    assert refusal(REFUSED, read_issue, "#12", no_input) == line
