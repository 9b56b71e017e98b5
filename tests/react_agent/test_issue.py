"""The issue, from wherever it was named."""

import os
import threading
from pathlib import Path

import pytest

from react_agent.errors import UsageError
from react_agent.issue import LARGEST, Issue, read_issue


def no_input(most: int) -> bytes:
    raise AssertionError("nobody asked for standard input")


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "12.md").write_text("\ufeff# It breaks\r\n\r\nAlways.\r\n", encoding="utf-8")
    (tmp_path / "with a blank").write_text("It breaks")
    (tmp_path / "-").write_text("not this one")
    return tmp_path


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        pytest.param("12.md", Issue("It breaks", "# It breaks\n\nAlways."), id="file"),
        pytest.param("./12.md", Issue("It breaks", "# It breaks\n\nAlways."), id="path"),
        pytest.param("with a blank", Issue("It breaks", "It breaks"), id="file with a blank"),
        pytest.param("It breaks", Issue("It breaks", "It breaks"), id="text"),
        pytest.param(
            "see README.md", Issue("see README.md", "see README.md"), id="text that names a file"
        ),
        pytest.param("12.md\nbreaks", Issue("12.md", "12.md\nbreaks"), id="two lines"),
        pytest.param("登录失败", Issue("登录失败", "登录失败"), id="a sentence without blanks"),
        pytest.param("x " * 5000, Issue("x " * 35 + "x…", ("x " * 5000).strip()), id="long text"),
        pytest.param("x " * 200, Issue("x " * 35 + "x…", ("x " * 200).strip()), id="longer name"),
    ],
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


@pytest.mark.parametrize(
    ("named", "line"),
    [
        pytest.param("missing", "can't read the issue missing: No such file or directory"),
        pytest.param("a/b", "can't read the issue a/b: No such file or directory"),
        pytest.param("./a b", "can't read the issue a b: No such file or directory"),
        pytest.param("/", "the issue / is not a file"),
        pytest.param("/dev/null", "the issue /dev/null is not a file"),
        pytest.param("---- ----", "the issue is empty", id="no word"),
        pytest.param("two \udcff words", "the issue is not text in UTF-8", id="not text"),
    ],
)
def test_refuses(named: str, line: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_issue(named, no_input)
    assert str(caught.value) == line


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"a\0b", "the issue 1.txt is a binary file"),
        (b"\xff\xfe", "the issue 1.txt is not text in UTF-8"),
        (b"\n \n", "the issue 1.txt is empty"),
        (b"", "the issue 1.txt is empty"),
        (
            b"x" * (LARGEST + 1),
            "the issue 1.txt is larger than 200 kB: cut it down to what counts",
        ),
    ],
    ids=["NUL", "not UTF-8", "blank", "empty", "too large"],
)
def test_refuses_what_the_file_holds(place: Path, data: bytes, line: str) -> None:
    (place / "1.txt").write_bytes(data)
    with pytest.raises(UsageError) as caught:
        read_issue("1.txt", no_input)
    assert str(caught.value) == line


def test_the_largest_issue_is_read(place: Path) -> None:
    (place / "1.txt").write_bytes(b"x" * LARGEST)
    assert len(read_issue("1.txt", no_input).text) == LARGEST
