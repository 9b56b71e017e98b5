import os
from collections.abc import Callable
from pathlib import Path

import pytest
from check_rows import table_of

from react_agent.tools.context import Context, Limits
from react_agent.tools.files.read_file import READ_FILE
from react_agent.tools.observation import Observation, Status, failed

LIMITS = Limits(window_lines=4, line_chars=60)


@pytest.fixture
def root(planted: Callable[..., Path]) -> Path:
    ten = "".join(f"line {number}\n" for number in range(1, 11)).encode()
    return planted({"src/ten.txt": ten, "src/two.txt": b"one\n\n"}, added=False)


def read(root: Path, text: str, limits: Limits = LIMITS) -> Observation:
    return READ_FILE.call(text, Context(root, limits))


def window(first: int, last: int) -> str:
    lines = [f"{number:>4}| line {number}" for number in range(first, last + 1)]
    return "\n".join((f"src/ten.txt lines {first}-{last} of 10", *lines))


@table_of(
    ("asked", "first", "last"),
    [
        ("src/ten.txt:3-5", 3, 5),
        ("`src/ten.txt`, lines 3-5", 3, 5),
        ("./src/ten.txt 3 5", 3, 5),
        ("src/ten.txt:9-200", 9, 10),
    ],
)
def test_shows_the_lines_asked_for(root: Path, asked: str, first: int, last: int) -> None:
    text = read(root, asked).text.split("\n")
    notes = [line for line in text if line.startswith("[")]
    assert "\n".join(line for line in text if line not in notes) == window(first, last)


@table_of(
    ("asked", "notes"),
    [
        pytest.param(
            "src/ten.txt:6-7",
            [
                "[5 lines above; previous: src/ten.txt:2-5]",
                "[3 lines below; next: src/ten.txt:8-10]",
            ],
            id="in the middle",
        ),
        ("src/ten.txt:7-300", ["[6 lines above; previous: src/ten.txt:3-6]"]),
        pytest.param(
            "src/ten.txt:2-10",
            [
                "[at most 4 lines are shown at once]",
                "[1 line above; previous: src/ten.txt:1-1]",
                "[5 lines below; next: src/ten.txt:6-9]",
            ],
            id="more than a window",
        ),
        pytest.param(
            "src/ten.txt:30-40",
            [
                "[there is no line 30: these are the last]",
                "[6 lines above; previous: src/ten.txt:3-6]",
            ],
            id="beyond the end",
        ),
    ],
)
def test_says_what_is_above_and_below(root: Path, asked: str, notes: list[str]) -> None:
    assert [line for line in read(root, asked).text.split("\n") if line[0] == "["] == notes


@table_of(
    ("content", "expected"),
    [
        pytest.param(
            b"a\r\nb\nc\n",
            "x lines 1-3 of 3\n[1 of its lines end in CRLF, which is not shown]\n"
            "   1| a\n   2| b\n   3| c",
            id="mixed ends",
        ),
        (b"a\nb", "x lines 1-2 of 2\n[no newline at the end of the file]\n   1| a\n   2| b"),
        pytest.param(
            b"caf\xe9\n",
            "x lines 1-1 of 1\n[it is not UTF-8: \ufffd stands for bytes that can't be decoded]\n"
            "   1| caf\ufffd",
            id="not UTF-8",
        ),
        pytest.param(
            b"0123456789" * 10 + b"\n",
            "x lines 1-1 of 1\n[1 line over 60 characters clipped]\n"
            "   1| 012345678901234567…(+82 characters)",
            id="long line",
        ),
        ("a\u2028b\x0cc\n".encode(), "x lines 1-1 of 1\n   1| a\u2028b\x0cc"),
    ],
)
def test_says_what_is_odd_about_a_file(root: Path, content: bytes, expected: str) -> None:
    (root / "x").write_bytes(content)
    assert read(root, "x") == Observation(expected, paths=("x",))


def test_an_empty_file_is_said_to_be_empty(root: Path) -> None:
    for name in ("x", '{"path": "x"}', "path: x"):  # the others are no objects
        (root / name).touch()
        assert read(root, name) == Observation(f"{name} is empty", Status.EMPTY, (name,))


def test_says_where_a_link_leads(root: Path) -> None:
    (root / "link").symlink_to("src/two.txt")
    assert read(root, "link").text.split("\n")[:2] == [
        "link lines 1-2 of 2",
        "[it is a symbolic link to src/two.txt: edit that]",
    ]


@table_of(
    ("asked", "text"),
    [
        pytest.param(
            "", "there is no path: write PATH or PATH:START-END, one per line", id="empty"
        ),
        ("fifo", "fifo is not a regular file: it can't be read"),
        ("src", "src is a folder, not a file: `list_files` shows what is in it"),
        pytest.param("bin", "bin is binary (5 bytes): it can't be shown", id="binary"),
        ("src/tenn.txt:3-5", "src/tenn.txt does not exist; near it: src/ten.txt, src/two.txt"),
        pytest.param(
            "zzzz",
            "zzzz does not exist; no file has a name like it; `list_files` lists the files",
            id="nothing near",
        ),
        ("\n".join(["src/two.txt"] * 9), "too many files at once (9): ask for 8 or fewer"),
    ],
)  # fmt: skip
def test_says_why_a_file_can_not_be_shown(root: Path, asked: str, text: str) -> None:
    (root / "bin").write_bytes(b"\x00abc\n")
    if not (root / "fifo").exists():
        os.mkfifo(root / "fifo")
    assert read(root, asked) == failed(text)


def test_a_name_that_ends_like_a_range_wins(root: Path) -> None:
    (root / "log 1").write_text("one\n")
    (root / "log").write_text("other\n")
    assert read(root, "log 1").text == "log 1 lines 1-1 of 1\n   1| one"


def test_several_files_are_shown_and_one_that_is_not_is_said(root: Path) -> None:
    assert read(root, "src/two.txt\nsrc/ten.txt:9-10\nzzzz") == Observation(
        "src/two.txt lines 1-2 of 2\n   1| one\n   2|\n\n"
        "src/ten.txt lines 9-10 of 10\n[8 lines above; previous: src/ten.txt:5-8]\n"
        "   9| line 9\n  10| line 10\n\n"
        "zzzz does not exist; no file has a name like it; `list_files` lists the files",
        paths=("src/two.txt", "src/ten.txt"),
    )


def test_braces_name_several_files(root: Path) -> None:
    assert read(root, "src/{two,ten}.txt:1-2") == read(root, "src/two.txt:1-2\nsrc/ten.txt:1-2")
    (root / "{a,b}").write_text("one\n")
    assert read(root, "{a,b}").text == "{a,b} lines 1-1 of 1\n   1| one"


def test_a_window_ends_where_the_room_ends(root: Path) -> None:
    (root / "x").write_text(f"{'a' * 90}\n" * 50)
    text = read(root, "x", Limits(read_chars=1000)).text
    assert len(text) <= 1000
    lines = text.split("\n")
    assert lines[:2] == ["x lines 1-9 of 50", "[at most 1,000 characters are shown at once]"]
    assert lines[-1] == "[41 lines below; next: x:10-50]"


def test_what_a_small_file_does_not_need_the_others_get(root: Path) -> None:
    (root / "x").write_text(f"{'a' * 90}\n" * 50)
    alone = read(root, "x", Limits(read_chars=2000)).text
    text = read(root, "src/two.txt\nx", Limits(read_chars=2000)).text
    assert len(text) <= 2000
    assert [line for line in f"{alone}\n{text}".split("\n") if " lines 1-" in line] == [
        "x lines 1-19 of 50", "src/two.txt lines 1-2 of 2", "x lines 1-19 of 50",
    ]  # fmt: skip


def test_a_line_that_has_no_room_is_shown_all_the_same(root: Path) -> None:
    (root / "x").write_text(f"{'a' * 300}\nb\n")
    lines = read(root, "x", Limits(read_chars=200)).text.split("\n")
    assert (lines[0], lines[-1]) == ("x lines 1-1 of 2", "[1 line below; next: x:2-2]")


TWO = "src/two.txt lines 1-2 of 2\n   1| one\n   2|"


LAST = "[8 lines above; previous: src/ten.txt:5-8]\n   9| line 9\n  10| line 10"
TEN = f"src/ten.txt lines 9-10 of 10\n{LAST}"


@table_of(
    ("asked", "expected"),
    [
        pytest.param(
            '{"path": "src/ten.txt", "start_line": 9, "end_line": 10}',
            f"[read as src/ten.txt:9-10]\n{TEN}", id="object",
        ),
        pytest.param(
            "{'file_path': 'src/two.txt', 'encoding': 'utf-8',}",
            f"[read as src/two.txt; left out: encoding]\n{TWO}", id="what is left out",
        ),
        ("path: src/ten.txt\nlines: 9-10", f"[read as src/ten.txt:9-10]\n{TEN}"),
        pytest.param(
            '{"path": ten.txt}',
            "JSON, line 1: Expecting value, found 'ten.txt}'; the text is '{\"path\": ten.txt}'; "
            "write PATH or PATH:START-END, one per line", id="no JSON",
        ),
    ],
)  # fmt: skip
def test_reads_named_parts(root: Path, asked: str, expected: str) -> None:
    assert read(root, asked).text == expected
